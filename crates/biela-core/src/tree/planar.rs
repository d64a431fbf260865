//! Revolute joints and the articulated-body algorithm in the plane, where a motion has three components instead of six and an inertia six
//! instead of 21.
//!
//! ```text
//!     ⎡  J   −h_y   h_x ⎤  ⎡ α ⎤        ⎡ n ⎤
//! A = ⎢ −h_y   m     0  ⎥, ⎢ a_x ⎥  ↦  ⎢ f_x ⎥        of a rigid link about its origin
//!     ⎣  h_x   0     m  ⎦  ⎣ a_y ⎦      ⎣ f_y ⎦
//! ```
//!
//! The recursions are those of [`super::kinematics`] and [`super::aba`].

use std::ops::AddAssign;

use super::{Hinge, Link, LinkState, Tree, TreeWorkspace};
use crate::math::spatial::{Twist, Wrench};
use crate::math::{Mat3, Real, Vec3};

/// A motion (w, v_x, v_y) or a load (n, f_x, f_y).
pub(super) type Three<T> = [T; 3];

#[inline]
pub(super) fn motion<T: Real>(twist: &Twist<T>) -> Three<T> {
    [twist.w[2], twist.v[0], twist.v[1]]
}

#[inline]
fn dot<T: Real>(a: &Three<T>, b: &Three<T>) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline]
fn add<T: Real>(to: &mut Three<T>, a: &Three<T>, factor: T) {
    for (x, y) in to.iter_mut().zip(a) {
        *x += *y * factor;
    }
}

#[inline]
pub(super) fn sum<T: Real>(to: &mut Three<T>, a: &Three<T>) {
    for (x, y) in to.iter_mut().zip(a) {
        *x += *y;
    }
}

/// A symmetric matrix on motions: diagonal, then the entries (0, 1), (0, 2), (1, 2).
#[derive(Clone, Copy, Debug)]
pub(super) struct Inertia<T: Real> {
    d: Three<T>,
    o: Three<T>,
}

impl<T: Real> Inertia<T> {
    pub(super) fn zero() -> Self {
        let nothing = [T::zero(); 3];
        Inertia {
            d: nothing,
            o: nothing,
        }
    }

    #[inline]
    fn times(&self, x: &Three<T>) -> Three<T> {
        let (d, o) = (&self.d, &self.o);
        [
            d[0] * x[0] + o[0] * x[1] + o[1] * x[2],
            o[0] * x[0] + d[1] * x[1] + o[2] * x[2],
            o[1] * x[0] + o[2] * x[1] + d[2] * x[2],
        ]
    }

    /// Subtracts `c U Uᵀ`.
    #[inline]
    fn subtract_square(&mut self, c: T, U: &Three<T>) {
        let b = U.map(|x| x * c);
        for i in 0..3 {
            self.d[i] -= b[i] * U[i];
        }
        self.o[0] -= b[0] * U[1];
        self.o[1] -= b[0] * U[2];
        self.o[2] -= b[1] * U[2];
    }

    /// Returns `Xᵀ A X` about the point at `−r`, where X transforms a motion from that point: `v_x − w r_y`, `v_y + w r_x`.
    #[inline]
    fn seen_from(&self, [x, y]: [T; 2]) -> Self {
        let (d, o) = (&self.d, &self.o);
        let (h_x, h_y) = (o[0] - y * d[1] + x * o[2], o[1] - y * o[2] + x * d[2]);
        Inertia {
            d: [d[0] - y * (o[0] + h_x) + x * (o[1] + h_y), d[1], d[2]],
            o: [h_x, h_y, o[2]],
        }
    }
}

impl<T: Real> AddAssign for Inertia<T> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        sum(&mut self.d, &other.d);
        sum(&mut self.o, &other.o);
    }
}

/// A link on a revolute or prismatic joint, relative to its parent.
pub(super) struct Placement<T: Real> {
    /// Cosine and sine of the angle of the inboard joint frame, and of the link.
    frame: [T; 2],
    pub(super) angle: [T; 2],
    /// From the parent's origin to the link's.
    pub(super) r: [T; 2],
    /// The motion per unit of the joint velocity.
    pub(super) column: Three<T>,
}

impl<T: Real> Placement<T> {
    /// The placement at the joint coordinate `q`, on a parent at an angle with this cosine and sine; `None` for the ground.
    #[inline]
    pub(super) fn of(link: &Link<T>, parent: Option<[T; 2]>, q: T) -> Self {
        let (F, p) = (&link.frame.R, &link.frame.p);
        let ([c, s], r) = match parent {
            None => ([F[(0, 0)], F[(1, 0)]], [p[0], p[1]]),
            Some([c, s]) => (
                [c * F[(0, 0)] - s * F[(1, 0)], s * F[(0, 0)] + c * F[(1, 0)]],
                [c * p[0] - s * p[1], s * p[0] + c * p[1]],
            ),
        };
        let nothing = T::zero();
        if link.hinge == Hinge::Slide {
            let [x, y] = if link.reversed { [-c, -s] } else { [c, s] };
            return Placement {
                frame: [c, s],
                angle: [c, s],
                r: [r[0] + x * q, r[1] + y * q],
                column: [nothing, x, y],
            };
        }
        let (mut sine, cosine) = q.sin_cos();
        let mut sign = T::one();
        if link.reversed {
            (sine, sign) = (-sine, -sign);
        }
        Placement {
            frame: [c, s],
            angle: [c * cosine - s * sine, s * cosine + c * sine],
            r,
            column: [sign, nothing, nothing],
        }
    }

    /// Returns velocity and bias acceleration of the link's origin on a parent with a velocity.
    #[inline]
    pub(super) fn motion(&self, hinge: Hinge, parent: Three<T>, rate: T) -> (Three<T>, [T; 2]) {
        let ([x, y], [w, v_x, v_y]) = (self.r, parent);
        let carried = [v_x + -w * y, v_y + w * x];
        if hinge == Hinge::Slide {
            let [_, along_x, along_y] = self.column.map(|x| x * rate);
            // the parent rotates both the relative velocity and the point at which it acts
            let two = T::constant(2.0) * w;
            let bias = [-w * w * x - two * along_y, -w * w * y + two * along_x];
            return ([w, carried[0] + along_x, carried[1] + along_y], bias);
        }
        let turning = w + self.column[0] * rate;
        let bias = [-w * w * x, -w * w * y];
        ([turning, carried[0], carried[1]], bias)
    }
}

/// Computes the pose of a link on a revolute or prismatic joint, as [`super::place`] does.
#[inline]
pub(super) fn place<T: Real>(
    link: &Link<T>,
    ws: &mut TreeWorkspace<T>,
    i: usize,
    q: &[T],
    v: Option<&[T]>,
) {
    let nothing = T::zero();
    let (parent, origin, moving) = match link.parent {
        None => (None, [nothing; 2], [nothing; 3]),
        Some(p) => {
            let LinkState { R, o, velocity, .. } = &ws.links[p];
            (Some([R[(0, 0)], R[(1, 0)]]), [o[0], o[1]], motion(velocity))
        }
    };
    let placed = Placement::of(link, parent, q[link.q]);
    let [x, y] = placed.r;
    let state = &mut ws.links[i];
    set_about_z(&mut state.R_F, placed.frame);
    set_about_z(&mut state.R, placed.angle);
    set(&mut state.r, [x, y]);
    set(&mut state.o, [origin[0] + x, origin[1] + y]);
    set_motion(&mut ws.columns[link.v], placed.column);
    if let Some(v) = v {
        let (velocity, bias) = placed.motion(link.hinge, moving, v[link.v]);
        set_motion(&mut state.velocity, velocity);
        set(&mut state.bias.v, bias);
    }
}

/// Sets a rotation about z; its other entries are those of the identity from the beginning.
#[inline]
fn set_about_z<T: Real>(R: &mut Mat3<T>, [c, s]: [T; 2]) {
    (R[(0, 0)], R[(0, 1)]) = (c, -s);
    (R[(1, 0)], R[(1, 1)]) = (s, c);
}

/// Sets the components in the plane; the third is zero from the beginning.
#[inline]
fn set<T: Real>(to: &mut Vec3<T>, [x, y]: [T; 2]) {
    (to[0], to[1]) = (x, y);
}

/// Does the same with a motion.
#[inline]
fn set_motion<T: Real>(to: &mut Twist<T>, [w, x, y]: Three<T>) {
    to.w[2] = w;
    set(&mut to.v, [x, y]);
}

/// See [`super::hybrid_under`].
pub(super) fn hybrid<T: Real>(
    tree: &Tree<T>,
    gravity: &Vec3<T>,
    ws: &mut TreeWorkspace<T>,
    held: &[bool],
    given: &[T],
    loads: &[Wrench<T>],
    out: &mut [T],
) {
    if held.is_empty() {
        hybrid_with((tree, gravity), ws, |_| false, given, loads, out);
    } else {
        hybrid_with((tree, gravity), ws, |k| held[k], given, loads, out);
    }
}

/// A velocity coordinate after its elimination: U = I S, 1/(S · U), and the remaining force along it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eliminated<T: Real> {
    U: Three<T>,
    inverse: T,
    effort: T,
}

impl<T: Real> Eliminated<T> {
    pub(super) fn zero() -> Self {
        Eliminated {
            U: [T::zero(); 3],
            inverse: T::zero(),
            effort: T::zero(),
        }
    }

    /// Eliminates a coordinate with this column and armature and a given force along it.
    #[inline]
    pub(super) fn of(
        hinge: Hinge,
        column: &Three<T>,
        link: &Articulated<T>,
        armature: T,
        given: T,
    ) -> Self {
        let (inertia, force) = (&link.inertia, &link.force);
        let (U, D, along) = match hinge {
            Hinge::Turn => {
                let sign = column[0];
                let U = [inertia.d[0], inertia.o[0], inertia.o[1]].map(|x| x * sign);
                (U, sign * U[0], sign * force[0])
            }
            Hinge::Slide | Hinge::General => {
                let U = inertia.times(column);
                (U, dot(column, &U), dot(column, force))
            }
        };
        Eliminated {
            U,
            inverse: T::one() / (D + armature),
            effort: given - along,
        }
    }

    /// Subtracts the part of the coordinate from the inertia and the force of its link.
    #[inline]
    pub(super) fn reduce(&self, link: &mut Articulated<T>) {
        add(&mut link.force, &self.U, self.effort * self.inverse);
        link.inertia.subtract_square(self.inverse, &self.U);
    }

    /// Returns the acceleration of the coordinate where its link would accelerate by `a` without it.
    #[inline]
    pub(super) fn acceleration(&self, a: &Three<T>) -> T {
        (self.effort - dot(&self.U, a)) * self.inverse
    }
}

/// The articulated-body inertia of a link and the force on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Articulated<T: Real> {
    inertia: Inertia<T>,
    force: Three<T>,
}

impl<T: Real> Articulated<T> {
    pub(super) fn zero() -> Self {
        Articulated {
            inertia: Inertia::zero(),
            force: [T::zero(); 3],
        }
    }

    /// The rigid link in motion, under a load.
    #[inline]
    fn loaded(link: &Link<T>, state: &LinkState<T>, load: Option<&Wrench<T>>) -> Self {
        let R = &state.R;
        let mut body = Self::rigid(link, [R[(0, 0)], R[(1, 0)]], state.velocity.w[2]);
        if let Some(given) = load {
            body.force[0] -= given.n[2];
            body.force[1] -= given.f[0];
            body.force[2] -= given.f[1];
        }
        body
    }

    /// The rigid link at an angle with this cosine and sine, rotating at `w`.
    #[inline]
    pub(super) fn rigid(link: &Link<T>, [c, s]: [T; 2], w: T) -> Self {
        let (m, h) = (link.inertia.m, &link.inertia.h);
        let (h_x, h_y) = (c * h[0] - s * h[1], s * h[0] + c * h[1]);
        let square = w * w;
        let force = [T::zero(), -square * h_x, -square * h_y];
        Articulated {
            inertia: Inertia {
                d: [link.inertia.J.d[2], m, m],
                o: [-h_y, h_x, T::zero()],
            },
            force,
        }
    }

    /// Adds the inertia and force of a child at `r`, with its bias acceleration.
    #[inline]
    pub(super) fn carry(&mut self, child: &Self, bias: &Three<T>, r: [T; 2]) {
        let mut force = child.force;
        sum(&mut force, &child.inertia.times(bias));
        force[0] += r[0] * force[2] - r[1] * force[1];
        sum(&mut self.force, &force);
        self.inertia += child.inertia.seen_from(r);
    }
}

/// Returns `true` if the joint of a link has one velocity coordinate.
#[inline]
pub(super) fn is_single<T: Real>(link: &Link<T>) -> bool {
    matches!(link.hinge, Hinge::Turn | Hinge::Slide)
}

#[inline]
fn hybrid_with<T: Real>(
    (tree, gravity): (&Tree<T>, &Vec3<T>),
    ws: &mut TreeWorkspace<T>,
    is_held: impl Fn(usize) -> bool,
    given: &[T],
    loads: &[Wrench<T>],
    out: &mut [T],
) {
    let (count, velocities) = (tree.links.len(), tree.velocities);
    let links = &mut ws.links[..count];
    let planar = &mut ws.planar[..count];
    let eliminated = &mut ws.planar_eliminated[..velocities];
    let columns = &ws.columns[..velocities];
    let (given, armature) = (&given[..velocities], &tree.armature[..velocities]);
    let out = &mut out[..velocities];
    for (i, link) in tree.links.iter().enumerate() {
        planar[i] = Articulated::loaded(link, &links[i], loads.get(i));
    }
    for (i, link) in tree.links.iter().enumerate().rev() {
        let (mut body, state) = (planar[i], &links[i]);
        let k = link.v;
        if is_single(link) && !is_held(k) {
            let one = Eliminated::of(
                link.hinge,
                &motion(&columns[k]),
                &body,
                armature[k],
                given[k],
            );
            eliminated[k] = one;
            if let Some(p) = link.parent {
                one.reduce(&mut body);
                planar[p].carry(&body, &motion(&state.bias), [state.r[0], state.r[1]]);
            }
            continue;
        }
        let mut bias = motion(&state.bias);
        for k in link.velocities().filter(|k| is_held(*k)) {
            add(&mut bias, &motion(&columns[k]), given[k]);
            out[k] = given[k];
        }
        for k in link.velocities().rev().filter(|k| !is_held(*k)) {
            let one = Eliminated::of(
                link.hinge,
                &motion(&columns[k]),
                &body,
                armature[k],
                given[k],
            );
            one.reduce(&mut body);
            eliminated[k] = one;
        }
        if let Some(p) = link.parent {
            planar[p].carry(&body, &bias, [state.r[0], state.r[1]]);
        }
    }
    let ground = [T::zero(), -gravity[0], -gravity[1]];
    for (i, link) in tree.links.iter().enumerate() {
        let mut a = link
            .parent
            .map_or(ground, |p| motion(&links[p].acceleration));
        let state = &mut links[i];
        a[1] -= a[0] * state.r[1];
        a[2] += a[0] * state.r[0];
        sum(&mut a, &motion(&state.bias));
        let k = link.v;
        if is_single(link) && !is_held(k) {
            out[k] = eliminated[k].acceleration(&a);
            accelerate(link.hinge, &motion(&columns[k]), out[k], &mut a);
        } else {
            for k in link.velocities().filter(|k| is_held(*k)) {
                add(&mut a, &motion(&columns[k]), out[k]);
            }
            for k in link.velocities().filter(|k| !is_held(*k)) {
                out[k] = eliminated[k].acceleration(&a);
                accelerate(link.hinge, &motion(&columns[k]), out[k], &mut a);
            }
        }
        set_motion(&mut state.acceleration, a);
    }
}

/// Adds the acceleration of a coordinate to that of its link.
#[inline]
pub(super) fn accelerate<T: Real>(hinge: Hinge, column: &Three<T>, rate: T, a: &mut Three<T>) {
    match hinge {
        Hinge::Turn => a[0] += column[0] * rate,
        Hinge::Slide | Hinge::General => add(a, column, rate),
    }
}
