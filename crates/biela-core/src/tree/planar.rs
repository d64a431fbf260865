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

use super::kinematics::parent;
use super::{Link, Tree, TreeWorkspace};
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
fn load<T: Real>(wrench: &Wrench<T>) -> Three<T> {
    [wrench.n[2], wrench.f[0], wrench.f[1]]
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
        add(&mut self.d, &other.d, T::one());
        add(&mut self.o, &other.o, T::one());
    }
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
    let (R_P, o_P, moving) = parent(&ws.links, link);
    // cosine and sine of the angle of the frame, then of the link
    let ([c_P, s_P], F) = ([R_P[(0, 0)], R_P[(1, 0)]], &link.frame.R);
    let c_F = c_P * F[(0, 0)] - s_P * F[(1, 0)];
    let s_F = s_P * F[(0, 0)] + c_P * F[(1, 0)];
    let p = &link.frame.p;
    let (r_x, r_y) = (c_P * p[0] - s_P * p[1], s_P * p[0] + c_P * p[1]);
    let (mut sine, cosine) = q[link.q].sin_cos();
    let mut sign = T::one();
    if link.reversed {
        (sine, sign) = (-sine, -sign);
    }
    let state = &mut ws.links[i];
    state.R_F = about_z(c_F, s_F);
    state.R = about_z(c_F * cosine - s_F * sine, s_F * cosine + c_F * sine);
    state.r = Vec3::new(r_x, r_y, T::zero());
    state.o = o_P + state.r;
    ws.columns[link.v] = Twist::new(Vec3::new(T::zero(), T::zero(), sign), zero3());
    if let Some(v) = v {
        let w = moving.w[2];
        let around = |x: T, y: T| Vec3::new(x, y, T::zero());
        let spin = Vec3::new(T::zero(), T::zero(), w + sign * v[link.v]);
        state.velocity = Twist::new(spin, moving.v + around(-w * r_y, w * r_x));
        state.bias = Twist::new(zero3(), around(-w * w * r_x, -w * w * r_y));
    }
}

fn about_z<T: Real>(c: T, s: T) -> Mat3<T> {
    let (o, l) = (T::zero(), T::one());
    Mat3::new(c, -s, o, s, c, o, o, o, l)
}

/// See [`super::hybrid`].
pub(super) fn hybrid<T: Real>(
    tree: &Tree<T>,
    ws: &mut TreeWorkspace<T>,
    held: &[bool],
    given: &[T],
    loads: &[Wrench<T>],
    out: &mut [T],
) {
    let is_held = |k: usize| held.get(k).copied().unwrap_or(false);
    for (i, link) in tree.links.iter().enumerate() {
        let state = &ws.links[i];
        let (m, h, R) = (link.inertia.m, &link.inertia.h, &state.R);
        let h_x = R[(0, 0)] * h[0] + R[(0, 1)] * h[1];
        let h_y = R[(1, 0)] * h[0] + R[(1, 1)] * h[1];
        let square = state.velocity.w[2] * state.velocity.w[2];
        let mut force = [T::zero(), -square * h_x, -square * h_y];
        if let Some(given) = loads.get(i) {
            add(&mut force, &load(given), -T::one());
        }
        ws.planar_forces[i] = force;
        ws.planar[i] = Inertia {
            d: [link.inertia.J.d[2], m, m],
            o: [-h_y, h_x, T::zero()],
        };
    }
    for (i, link) in tree.links.iter().enumerate().rev() {
        let mut inertia = ws.planar[i];
        let mut force = ws.planar_forces[i];
        let mut bias = motion(&ws.links[i].bias);
        for k in link.velocities().filter(|k| is_held(*k)) {
            add(&mut bias, &motion(&ws.columns[k]), given[k]);
            out[k] = given[k];
        }
        for k in link.velocities().rev().filter(|k| !is_held(*k)) {
            let column = motion(&ws.columns[k]);
            let U = inertia.times(&column);
            ws.inverse[k] = T::one() / (dot(&column, &U) + tree.armature[k]);
            ws.effort[k] = given[k] - dot(&column, &force);
            add(&mut force, &U, ws.effort[k] * ws.inverse[k]);
            inertia.subtract_square(ws.inverse[k], &U);
            ws.planar_carried[k] = U;
        }
        if let Some(p) = link.parent {
            let r = &ws.links[i].r;
            let r = [r[0], r[1]];
            add(&mut force, &inertia.times(&bias), T::one());
            force[0] += r[0] * force[2] - r[1] * force[1];
            add(&mut ws.planar_forces[p], &force, T::one());
            ws.planar[p] += inertia.seen_from(r);
        }
    }
    let ground = Twist::new(zero3(), -tree.gravity);
    for (i, link) in tree.links.iter().enumerate() {
        let from = link.parent.map_or(&ground, |p| &ws.links[p].acceleration);
        let (r, bias) = (&ws.links[i].r, &ws.links[i].bias);
        let mut a = motion(from);
        a[1] -= a[0] * r[1];
        a[2] += a[0] * r[0];
        add(&mut a, &motion(bias), T::one());
        for k in link.velocities().filter(|k| is_held(*k)) {
            add(&mut a, &motion(&ws.columns[k]), out[k]);
        }
        for k in link.velocities().filter(|k| !is_held(*k)) {
            out[k] = (ws.effort[k] - dot(&ws.planar_carried[k], &a)) * ws.inverse[k];
            add(&mut a, &motion(&ws.columns[k]), out[k]);
        }
        let acceleration = &mut ws.links[i].acceleration;
        *acceleration = Twist::zero();
        (acceleration.w[2], acceleration.v[0], acceleration.v[1]) = (a[0], a[1], a[2]);
    }
}
