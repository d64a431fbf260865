//! Motion and force of rigid bodies about a point, in fixed axes.
//!
//! A [`Twist`] has an angular and a linear part (velocity, acceleration or a direction of motion), a [`Wrench`] a moment about the
//! point and a force. At a point that lies at `−r` from the first one,
//!
//! ```text
//! v' = v + r × w  (twist, of the same body)        n' = n + r × f  (wrench)
//! ```
#![allow(non_snake_case)]

use std::ops::{Add, AddAssign, Mul, Sub};

use super::rotation::{apply, cross, dot, zero3};
use super::{Mat3, Real, Vec3};

/// Angular and linear motion of a body at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twist<T: Real = f64> {
    /// Angular part.
    pub w: Vec3<T>,
    /// Linear part, of the body's material at the point.
    pub v: Vec3<T>,
}

/// Moment about a point and force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrench<T: Real = f64> {
    /// Moment.
    pub n: Vec3<T>,
    /// Force.
    pub f: Vec3<T>,
}

impl<T: Real> Twist<T> {
    /// A twist of its parts.
    #[inline]
    pub fn new(w: Vec3<T>, v: Vec3<T>) -> Self {
        Twist { w, v }
    }

    /// The zero twist.
    #[inline]
    pub fn zero() -> Self {
        Twist::new(zero3(), zero3())
    }

    /// Returns the power of a wrench along this motion, both at the same point.
    #[inline]
    pub fn dot(&self, wrench: &Wrench<T>) -> T {
        dot(&self.w, &wrench.n) + dot(&self.v, &wrench.f)
    }

    /// Returns the same motion at the point at `−r`: `v + r × w`.
    #[inline]
    pub fn seen_from(&self, r: &Vec3<T>) -> Self {
        Twist::new(self.w, self.v + cross(r, &self.w))
    }

    /// Spatial cross product with a motion: `(w × w', w × v' + v × w')`.
    #[inline]
    pub fn cross(&self, other: &Twist<T>) -> Self {
        Twist::new(
            cross(&self.w, &other.w),
            cross(&self.w, &other.v) + cross(&self.v, &other.w),
        )
    }

    /// Spatial cross product with a wrench: `(w × n + v × f, w × f)`.
    #[inline]
    pub fn cross_force(&self, wrench: &Wrench<T>) -> Wrench<T> {
        Wrench::new(
            cross(&self.w, &wrench.n) + cross(&self.v, &wrench.f),
            cross(&self.w, &wrench.f),
        )
    }
}

impl<T: Real> Wrench<T> {
    /// A wrench of its parts.
    #[inline]
    pub fn new(n: Vec3<T>, f: Vec3<T>) -> Self {
        Wrench { n, f }
    }

    /// The zero wrench.
    #[inline]
    pub fn zero() -> Self {
        Wrench::new(zero3(), zero3())
    }

    /// Returns the same wrench about the point at `−r`: `n + r × f`.
    #[inline]
    pub fn seen_from(&self, r: &Vec3<T>) -> Self {
        Wrench::new(self.n + cross(r, &self.f), self.f)
    }
}

macro_rules! linear {
    ($name:ident, $a:ident, $b:ident) => {
        impl<T: Real> Add for $name<T> {
            type Output = Self;
            #[inline]
            fn add(self, other: Self) -> Self {
                $name::new(self.$a + other.$a, self.$b + other.$b)
            }
        }
        impl<T: Real> Sub for $name<T> {
            type Output = Self;
            #[inline]
            fn sub(self, other: Self) -> Self {
                $name::new(self.$a - other.$a, self.$b - other.$b)
            }
        }
        impl<T: Real> AddAssign for $name<T> {
            #[inline]
            fn add_assign(&mut self, other: Self) {
                self.$a += other.$a;
                self.$b += other.$b;
            }
        }
        impl<T: Real> Mul<T> for $name<T> {
            type Output = Self;
            #[inline]
            fn mul(self, factor: T) -> Self {
                $name::new(self.$a * factor, self.$b * factor)
            }
        }
    };
}
linear!(Twist, w, v);
linear!(Wrench, n, f);

/// A symmetric 3 × 3 matrix, by its six entries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sym3<T: Real = f64> {
    /// Diagonal.
    pub d: Vec3<T>,
    /// Entries (1,2), (0,2) and (0,1).
    pub o: Vec3<T>,
}

impl<T: Real> Sym3<T> {
    /// The zero matrix.
    #[inline]
    pub fn zero() -> Self {
        Sym3 {
            d: zero3(),
            o: zero3(),
        }
    }

    /// `a` times the identity.
    #[inline]
    pub fn scalar(a: T) -> Self {
        Sym3 {
            d: Vec3::new(a, a, a),
            o: zero3(),
        }
    }

    /// The symmetric part of a matrix.
    #[inline]
    pub fn of(A: &Mat3<T>) -> Self {
        let mean = |i, j| (A[(i, j)] + A[(j, i)]) * T::constant(0.5);
        Sym3 {
            d: Vec3::new(A[(0, 0)], A[(1, 1)], A[(2, 2)]),
            o: Vec3::new(mean(1, 2), mean(0, 2), mean(0, 1)),
        }
    }

    /// Returns the full matrix.
    #[inline]
    pub fn matrix(&self) -> Mat3<T> {
        let (d, o) = (&self.d, &self.o);
        Mat3::new(d[0], o[2], o[1], o[2], d[1], o[0], o[1], o[0], d[2])
    }

    /// Returns the product with a vector.
    #[inline]
    pub fn times(&self, x: &Vec3<T>) -> Vec3<T> {
        let (d, o) = (&self.d, &self.o);
        Vec3::new(
            d[0] * x[0] + o[2] * x[1] + o[1] * x[2],
            o[2] * x[0] + d[1] * x[1] + o[0] * x[2],
            o[1] * x[0] + o[0] * x[1] + d[2] * x[2],
        )
    }

    /// Returns `R A Rᵀ`: the same tensor in the axes to which `R` maps.
    #[inline]
    pub fn turned(&self, R: &Mat3<T>) -> Self {
        let B = super::rotation::product(R, &self.matrix());
        let entry = |i: usize, j: usize| {
            B[(i, 0)] * R[(j, 0)] + B[(i, 1)] * R[(j, 1)] + B[(i, 2)] * R[(j, 2)]
        };
        Sym3 {
            d: Vec3::new(entry(0, 0), entry(1, 1), entry(2, 2)),
            o: Vec3::new(entry(1, 2), entry(0, 2), entry(0, 1)),
        }
    }

    /// Adds `c a aᵀ`.
    #[inline]
    pub fn add_square(&mut self, c: T, a: &Vec3<T>) {
        let b = a * c;
        for i in 0..3 {
            self.d[i] += b[i] * a[i];
        }
        self.o[0] += b[1] * a[2];
        self.o[1] += b[0] * a[2];
        self.o[2] += b[0] * a[1];
    }

    /// Adds `D + Dᵀ`.
    #[inline]
    pub fn add_twice_symmetric(&mut self, D: &Mat3<T>) {
        for i in 0..3 {
            self.d[i] += D[(i, i)] + D[(i, i)];
        }
        self.o[0] += D[(1, 2)] + D[(2, 1)];
        self.o[1] += D[(0, 2)] + D[(2, 0)];
        self.o[2] += D[(0, 1)] + D[(1, 0)];
    }

    /// Trace.
    #[inline]
    pub fn trace(&self) -> T {
        self.d[0] + self.d[1] + self.d[2]
    }
}

impl<T: Real> AddAssign for Sym3<T> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.d += other.d;
        self.o += other.o;
    }
}

/// Mass, first moment `h = m c` and inertia about the reference point of a rigid body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidInertia<T: Real = f64> {
    /// Mass.
    pub m: T,
    /// Mass times position of the mass centre.
    pub h: Vec3<T>,
    /// Inertia about the reference point.
    pub J: Sym3<T>,
}

impl<T: Real> RigidInertia<T> {
    /// The zero inertia.
    #[inline]
    pub fn zero() -> Self {
        RigidInertia {
            m: T::zero(),
            h: zero3(),
            J: Sym3::zero(),
        }
    }

    /// From mass, mass centre and inertia about the mass centre: `J = I + m (c·c 1 − c cᵀ)`.
    pub fn new(m: T, c: &Vec3<T>, inertia: Sym3<T>) -> Self {
        let mut J = inertia;
        J += Sym3::scalar(m * dot(c, c));
        J.add_square(-m, c);
        RigidInertia { m, h: c * m, J }
    }

    /// Returns the inertia in the axes to which `R` maps.
    #[inline]
    pub fn turned(&self, R: &Mat3<T>) -> Self {
        RigidInertia {
            m: self.m,
            h: apply(R, &self.h),
            J: self.J.turned(R),
        }
    }

    /// Returns the inertia about the point at `−r`: `h + m r`, `J + (2 h·r + m r·r) 1 − (h rᵀ + r hᵀ) − m r rᵀ`.
    #[inline]
    pub fn seen_from(&self, r: &Vec3<T>) -> Self {
        let (m, h) = (self.m, &self.h);
        // with k = h + m r / 2 both parts are k rᵀ + r kᵀ
        let k = h + r * (m * T::constant(0.5));
        let two = T::constant(2.0);
        let all = two * dot(&k, r);
        let mut J = self.J;
        for i in 0..3 {
            J.d[i] += all - two * k[i] * r[i];
        }
        J.o[0] -= k[1] * r[2] + k[2] * r[1];
        J.o[1] -= k[0] * r[2] + k[2] * r[0];
        J.o[2] -= k[0] * r[1] + k[1] * r[0];
        RigidInertia { m, h: h + r * m, J }
    }

    /// Returns the momentum of a motion, or the inertia force of an acceleration: `(J w + h × v, m v − h × w)`.
    #[inline]
    pub fn times(&self, x: &Twist<T>) -> Wrench<T> {
        Wrench::new(
            self.J.times(&x.w) + cross(&self.h, &x.v),
            x.v * self.m - cross(&self.h, &x.w),
        )
    }

    /// Returns the velocity-dependent part of the inertia force: `(w × J w, w × (w × h))`.
    #[inline]
    pub fn gyroscopic(&self, w: &Vec3<T>) -> Wrench<T> {
        Wrench::new(cross(w, &self.J.times(w)), cross(w, &cross(w, &self.h)))
    }
}

impl<T: Real> AddAssign for RigidInertia<T> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.m += other.m;
        self.h += other.h;
        self.J += other.J;
    }
}

/// Articulated-body inertia: `n = J α + H a`, `f = Hᵀ α + M a`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArticulatedInertia<T: Real = f64> {
    /// Moment for angular acceleration.
    pub J: Sym3<T>,
    /// Moment for linear acceleration.
    pub H: Mat3<T>,
    /// Force for linear acceleration.
    pub M: Sym3<T>,
}

impl<T: Real> ArticulatedInertia<T> {
    /// The inertia of a single rigid body.
    #[inline]
    pub fn rigid(inertia: &RigidInertia<T>) -> Self {
        ArticulatedInertia {
            J: inertia.J,
            H: super::rotation::skew(&inertia.h),
            M: Sym3::scalar(inertia.m),
        }
    }

    /// Returns the inertia force of an acceleration.
    #[inline]
    pub fn times(&self, x: &Twist<T>) -> Wrench<T> {
        let turn = self.times_turn(&x.w);
        Wrench::new(turn.n + apply(&self.H, &x.v), turn.f + self.M.times(&x.v))
    }

    /// Returns the inertia force of an angular acceleration alone.
    #[inline]
    pub fn times_turn(&self, w: &Vec3<T>) -> Wrench<T> {
        Wrench::new(
            self.J.times(w),
            super::rotation::apply_transposed(&self.H, w),
        )
    }

    /// Subtracts `c U Uᵀ`.
    #[inline]
    pub fn subtract_square(&mut self, c: T, U: &Wrench<T>) {
        self.J.add_square(-c, &U.n);
        self.M.add_square(-c, &U.f);
        let n = U.n * c;
        for j in 0..3 {
            for i in 0..3 {
                self.H[(i, j)] -= n[i] * U.f[j];
            }
        }
    }

    /// Returns the inertia about the point at `−r`: `H' = H + [r] M`, `J' = J − K [r] − (K [r])ᵀ` with `K = H + [r] M / 2`.
    #[inline]
    pub fn seen_from(&self, r: &Vec3<T>) -> Self {
        let M = self.M.matrix();
        let half = T::constant(0.5);
        let mut out = *self;
        let mut K = self.H;
        for j in 0..3 {
            let column = cross(r, &M.column(j).into_owned());
            for i in 0..3 {
                out.H[(i, j)] += column[i];
                K[(i, j)] += column[i] * half;
            }
        }
        let mut D = K;
        for i in 0..3 {
            // row × r is the row of K [r]
            let row = Vec3::new(K[(i, 0)], K[(i, 1)], K[(i, 2)]);
            let turned = cross(r, &row);
            for j in 0..3 {
                D[(i, j)] = turned[j];
            }
        }
        out.J.add_twice_symmetric(&D);
        out
    }
}

impl<T: Real> AddAssign for ArticulatedInertia<T> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.J += other.J;
        for j in 0..3 {
            for i in 0..3 {
                self.H[(i, j)] += other.H[(i, j)];
            }
        }
        self.M += other.M;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::math::rotation::{about_axis, skew};
    use nalgebra::{Matrix6, Vector6};

    fn full(inertia: &ArticulatedInertia) -> Matrix6<f64> {
        let mut out = Matrix6::zeros();
        out.fixed_view_mut::<3, 3>(0, 0)
            .copy_from(&inertia.J.matrix());
        out.fixed_view_mut::<3, 3>(0, 3).copy_from(&inertia.H);
        out.fixed_view_mut::<3, 3>(3, 0)
            .copy_from(&inertia.H.transpose());
        out.fixed_view_mut::<3, 3>(3, 3)
            .copy_from(&inertia.M.matrix());
        out
    }

    fn shift(r: &Vec3<f64>) -> Matrix6<f64> {
        // (w, v) at the new point to (w, v) at the old one: v − r × w
        let mut out = Matrix6::identity();
        out.fixed_view_mut::<3, 3>(3, 0).copy_from(&-skew(r));
        out
    }

    fn sample(random: &mut Random) -> RigidInertia {
        let A = Mat3::from_fn(|_, _| random.symmetric(1.0));
        RigidInertia::new(2.0, &random.vector(1.0), Sym3::of(&(A * A.transpose())))
    }

    #[test]
    fn an_inertia_about_another_point_gives_the_same_energy() {
        let mut random = Random::new(5);
        for _ in 0..50 {
            let r = random.vector(2.0);
            let rigid = sample(&mut random);
            let mut articulated = ArticulatedInertia::rigid(&rigid);
            articulated.subtract_square(0.3, &Wrench::new(random.vector(1.0), random.vector(1.0)));
            let X = shift(&r);
            let expected = X.transpose() * full(&articulated) * X;
            assert!((full(&articulated.seen_from(&r)) - expected).norm() < 1e-12);
            let moved = ArticulatedInertia::rigid(&rigid.seen_from(&r));
            let expected = X.transpose() * full(&ArticulatedInertia::rigid(&rigid)) * X;
            assert!((full(&moved) - expected).norm() < 1e-12);
        }
    }

    #[test]
    fn a_rotated_inertia_equals_the_inertia_in_rotated_axes() {
        let mut random = Random::new(6);
        let rigid = sample(&mut random);
        let R = about_axis(&random.vector(1.0).normalize(), 0.8);
        let x = Twist::new(random.vector(1.0), random.vector(1.0));
        let back = Twist::new(R.transpose() * x.w, R.transpose() * x.v);
        let (a, b) = (rigid.turned(&R).times(&x), rigid.times(&back));
        assert!((a.n - R * b.n).norm() + (a.f - R * b.f).norm() < 1e-13);
    }

    #[test]
    fn power_does_not_depend_on_the_point() {
        let mut random = Random::new(7);
        let r = random.vector(1.0);
        let x = Twist::new(random.vector(1.0), random.vector(1.0));
        let y = Wrench::new(random.vector(1.0), random.vector(1.0));
        let power = Vector6::from_iterator(x.w.iter().chain(&x.v).copied())
            .dot(&Vector6::from_iterator(y.n.iter().chain(&y.f).copied()));
        assert!((x.dot(&y) - power).abs() < 1e-14);
        assert!((x.seen_from(&r).dot(&y.seen_from(&r)) - power).abs() < 1e-14);
    }
}
