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

use super::{Hinge, Link, Tree, TreeWorkspace};
use crate::math::rotation::zero3;
use crate::math::spatial::{Twist, Wrench};
use crate::math::{Mat3, Real, Vec3};

/// A motion (w, v_x, v_y) or a load (n, f_x, f_y).
type Three<T> = [T; 3];

#[inline]
fn motion<T: Real>(twist: &Twist<T>) -> Three<T> {
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
fn sum<T: Real>(to: &mut Three<T>, a: &Three<T>) {
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

/// The inboard joint frame of a link: cosine and sine of its angle, its position from the parent's origin, and the state of the parent.
struct Inboard<T: Real> {
    c: T,
    s: T,
    r: [T; 2],
    origin: Vec3<T>,
    moving: Twist<T>,
}

impl<T: Real> Inboard<T> {
    #[inline]
    fn of(link: &Link<T>, ws: &TreeWorkspace<T>) -> Self {
        let (F, p) = (&link.frame.R, &link.frame.p);
        let Some(below) = link.parent else {
            return Inboard {
                c: F[(0, 0)],
                s: F[(1, 0)],
                r: [p[0], p[1]],
                origin: zero3(),
                moving: Twist::zero(),
            };
        };
        let state = &ws.links[below];
        let (c, s) = (state.R[(0, 0)], state.R[(1, 0)]);
        Inboard {
            c: c * F[(0, 0)] - s * F[(1, 0)],
            s: s * F[(0, 0)] + c * F[(1, 0)],
            r: [c * p[0] - s * p[1], s * p[0] + c * p[1]],
            origin: state.o,
            moving: state.velocity,
        }
    }
}

#[inline]
fn flat<T: Real>(x: T, y: T) -> Vec3<T> {
    Vec3::new(x, y, T::zero())
}

/// Computes the pose of a link on a revolute joint, as [`super::place`] does.
#[inline]
pub(super) fn turn<T: Real>(
    link: &Link<T>,
    ws: &mut TreeWorkspace<T>,
    i: usize,
    q: &[T],
    v: Option<&[T]>,
) {
    let frame = Inboard::of(link, ws);
    let (mut sine, cosine) = q[link.q].sin_cos();
    let mut sign = T::one();
    if link.reversed {
        (sine, sign) = (-sine, -sign);
    }
    let ([x, y], w) = (frame.r, frame.moving.w[2]);
    let state = &mut ws.links[i];
    state.R_F = about_z(frame.c, frame.s);
    state.R = about_z(
        frame.c * cosine - frame.s * sine,
        frame.s * cosine + frame.c * sine,
    );
    state.r = flat(x, y);
    state.o = frame.origin + state.r;
    ws.columns[link.v] = Twist::new(Vec3::new(T::zero(), T::zero(), sign), zero3());
    if let Some(v) = v {
        let spin = Vec3::new(T::zero(), T::zero(), w + sign * v[link.v]);
        state.velocity = Twist::new(spin, frame.moving.v + flat(-w * y, w * x));
        state.bias = Twist::new(zero3(), flat(-w * w * x, -w * w * y));
    }
}

/// Does the same for a prismatic joint.
#[inline]
pub(super) fn slide<T: Real>(
    link: &Link<T>,
    ws: &mut TreeWorkspace<T>,
    i: usize,
    q: &[T],
    v: Option<&[T]>,
) {
    let frame = Inboard::of(link, ws);
    let axis = if link.reversed {
        [-frame.c, -frame.s]
    } else {
        [frame.c, frame.s]
    };
    let [x, y] = [0, 1].map(|k| frame.r[k] + axis[k] * q[link.q]);
    let w = frame.moving.w[2];
    let state = &mut ws.links[i];
    state.R_F = about_z(frame.c, frame.s);
    state.R = state.R_F;
    state.r = flat(x, y);
    state.o = frame.origin + state.r;
    ws.columns[link.v] = Twist::new(zero3(), flat(axis[0], axis[1]));
    if let Some(v) = v {
        let [along_x, along_y] = axis.map(|x| x * v[link.v]);
        let slip = flat(-w * y, w * x);
        let velocity = frame.moving.v + slip + flat(along_x, along_y);
        state.velocity = Twist::new(frame.moving.w, velocity);
        // the parent rotates both the relative velocity and the point at which it acts
        let two = T::constant(2.0) * w;
        let bias = flat(-w * w * x - two * along_y, -w * w * y + two * along_x);
        state.bias = Twist::new(zero3(), bias);
    }
}

fn about_z<T: Real>(c: T, s: T) -> Mat3<T> {
    let (o, l) = (T::zero(), T::one());
    Mat3::new(c, -s, o, s, c, o, o, o, l)
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

#[inline]
fn hybrid_with<T: Real>(
    (tree, gravity): (&Tree<T>, &Vec3<T>),
    ws: &mut TreeWorkspace<T>,
    is_held: impl Fn(usize) -> bool,
    given: &[T],
    loads: &[Wrench<T>],
    out: &mut [T],
) {
    let TreeWorkspace {
        links,
        columns,
        planar,
        planar_forces,
        planar_carried,
        inverse,
        effort,
        ..
    } = ws;
    let count = tree.links.len();
    let (links, planar, planar_forces) = (
        &mut links[..count],
        &mut planar[..count],
        &mut planar_forces[..count],
    );
    for (i, link) in tree.links.iter().enumerate() {
        let state = &links[i];
        let (m, h, R) = (link.inertia.m, &link.inertia.h, &state.R);
        let (c, s) = (R[(0, 0)], R[(1, 0)]);
        let (h_x, h_y) = (c * h[0] - s * h[1], s * h[0] + c * h[1]);
        let square = state.velocity.w[2] * state.velocity.w[2];
        let mut force = [T::zero(), -square * h_x, -square * h_y];
        if let Some(given) = loads.get(i) {
            force[0] -= given.n[2];
            force[1] -= given.f[0];
            force[2] -= given.f[1];
        }
        planar_forces[i] = force;
        planar[i] = Inertia {
            d: [link.inertia.J.d[2], m, m],
            o: [-h_y, h_x, T::zero()],
        };
    }
    for (i, link) in tree.links.iter().enumerate().rev() {
        let (mut inertia, mut force) = (planar[i], planar_forces[i]);
        let mut bias = motion(&links[i].bias);
        for k in link.velocities().filter(|k| is_held(*k)) {
            add(&mut bias, &motion(&columns[k]), given[k]);
            out[k] = given[k];
        }
        for k in link.velocities().rev().filter(|k| !is_held(*k)) {
            let (U, D, along) = match link.hinge {
                Hinge::Turn => {
                    let sign = columns[k].w[2];
                    let U = [inertia.d[0], inertia.o[0], inertia.o[1]].map(|x| x * sign);
                    (U, sign * U[0], sign * force[0])
                }
                Hinge::Slide | Hinge::General => {
                    let column = motion(&columns[k]);
                    let U = inertia.times(&column);
                    (U, dot(&column, &U), dot(&column, &force))
                }
            };
            let inverted = T::one() / (D + tree.armature[k]);
            let rest = given[k] - along;
            add(&mut force, &U, rest * inverted);
            inertia.subtract_square(inverted, &U);
            (inverse[k], effort[k], planar_carried[k]) = (inverted, rest, U);
        }
        if let Some(p) = link.parent {
            let r = [links[i].r[0], links[i].r[1]];
            sum(&mut force, &inertia.times(&bias));
            force[0] += r[0] * force[2] - r[1] * force[1];
            sum(&mut planar_forces[p], &force);
            planar[p] += inertia.seen_from(r);
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
        for k in link.velocities().filter(|k| is_held(*k)) {
            add(&mut a, &motion(&columns[k]), out[k]);
        }
        for k in link.velocities().filter(|k| !is_held(*k)) {
            out[k] = (effort[k] - dot(&planar_carried[k], &a)) * inverse[k];
            match link.hinge {
                Hinge::Turn => a[0] += columns[k].w[2] * out[k],
                Hinge::Slide | Hinge::General => add(&mut a, &motion(&columns[k]), out[k]),
            }
        }
        state.acceleration = Twist::new(
            Vec3::new(T::zero(), T::zero(), a[0]),
            Vec3::new(a[1], a[2], T::zero()),
        );
    }
}
