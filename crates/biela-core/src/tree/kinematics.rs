//! Forward kinematics: poses, velocities and accelerations of the links.

use super::{Hinge, Link, LinkState, Tree, TreeWorkspace, planar};
use crate::joints::{Across, MAX_FREEDOM};
use crate::math::rotation::{apply, apply_transposed, column, cross, identity, product, zero3};
use crate::math::spatial::Twist;
use crate::math::{Mat3, Real, Vec3};
use crate::model::Space;

/// Computes the poses of all links and the motion subspaces (columns) of all coordinates.
pub fn positions<T: Real>(tree: &Tree<T>, ws: &mut TreeWorkspace<T>, q: &[T]) {
    for i in 0..tree.links.len() {
        place(tree, ws, i, q, None);
    }
}

/// Computes the poses and velocities of all links, and the velocity-dependent accelerations.
pub fn velocities<T: Real>(tree: &Tree<T>, ws: &mut TreeWorkspace<T>, q: &[T], v: &[T]) {
    for i in 0..tree.links.len() {
        place(tree, ws, i, q, Some(v));
    }
}

/// Computes the accelerations of all links, after [`velocities`]. The ground accelerates by `base` (zero, or the negative gravity, which adds
/// gravity to the inertia forces).
pub fn accelerations<T: Real>(
    tree: &Tree<T>,
    ws: &mut TreeWorkspace<T>,
    rates: &[T],
    base: &Vec3<T>,
) {
    let ground = Twist::new(zero3(), *base);
    for (i, link) in tree.links.iter().enumerate() {
        let from = link.parent.map_or(&ground, |p| &ws.links[p].acceleration);
        let mut a = carried(from, &ws.links[i].r) + ws.links[i].bias;
        for k in link.velocities() {
            a += ws.columns[k] * rates[k];
        }
        ws.links[i].acceleration = a;
    }
}

/// Computes the accelerations of all links at constant joint velocities, after [`velocities`].
pub fn drifts<T: Real>(tree: &Tree<T>, ws: &mut TreeWorkspace<T>) {
    for (i, link) in tree.links.iter().enumerate() {
        let state = &ws.links[i];
        let drift = match link.parent {
            Some(p) => carried(&ws.links[p].drift, &state.r) + state.bias,
            None => state.bias,
        };
        ws.links[i].drift = drift;
    }
}

/// Returns the acceleration of a point of the parent at `r` from its origin: `(α, a + α × r)`.
#[inline]
pub(super) fn carried<T: Real>(acceleration: &Twist<T>, r: &Vec3<T>) -> Twist<T> {
    Twist::new(acceleration.w, acceleration.v + cross(&acceleration.w, r))
}

/// Computes the pose and columns of a link from those of its parent; with joint velocities also its velocity and bias acceleration.
#[inline]
pub(crate) fn place<T: Real>(
    tree: &Tree<T>,
    ws: &mut TreeWorkspace<T>,
    i: usize,
    q: &[T],
    v: Option<&[T]>,
) {
    let link = &tree.links[i];
    match link.hinge {
        Hinge::Turn | Hinge::Slide if tree.space == Space::Planar => {
            planar::place(link, ws, i, q, v);
        }
        Hinge::Turn => turn(link, ws, i, q, v),
        Hinge::Slide => slide(link, ws, i, q, v),
        Hinge::General => general(link, tree.space, ws, i, q, v),
    }
}

/// The state of the ground, the root of the tree.
fn ground<T: Real>() -> (Mat3<T>, Vec3<T>, Twist<T>) {
    (identity(), zero3(), Twist::zero())
}

#[inline]
pub(super) fn parent<T: Real>(
    links: &[LinkState<T>],
    link: &Link<T>,
) -> (Mat3<T>, Vec3<T>, Twist<T>) {
    link.parent.map_or_else(ground, |p| {
        let state = &links[p];
        (state.R, state.o, state.velocity)
    })
}

/// A revolute joint: z is fixed, x and y rotate by the angle.
#[inline]
fn turn<T: Real>(link: &Link<T>, ws: &mut TreeWorkspace<T>, i: usize, q: &[T], v: Option<&[T]>) {
    let (R_P, o_P, moving) = parent(&ws.links, link);
    let R_F = product(&R_P, &link.frame.R);
    let r = apply(&R_P, &link.frame.p);
    let (mut s, c) = q[link.q].sin_cos();
    let mut z = column(&R_F, 2);
    let (x, y) = (column(&R_F, 0), column(&R_F, 1));
    if link.reversed {
        s = -s;
    }
    let R = Mat3::from_columns(&[x * c + y * s, y * c - x * s, z]);
    if link.reversed {
        z = -z;
    }
    ws.columns[link.v] = Twist::new(z, zero3());
    let state = &mut ws.links[i];
    (state.R, state.R_F, state.o, state.r) = (R, R_F, o_P + r, r);
    if let Some(v) = v {
        let spin = z * v[link.v];
        let slip = cross(&moving.w, &r);
        state.velocity = Twist::new(moving.w + spin, moving.v + slip);
        state.bias = Twist::new(cross(&moving.w, &spin), cross(&moving.w, &slip));
    }
}

/// A prismatic joint: the axes of the link are those of the frame, and its origin moves along x.
#[inline]
fn slide<T: Real>(link: &Link<T>, ws: &mut TreeWorkspace<T>, i: usize, q: &[T], v: Option<&[T]>) {
    let (R_P, o_P, moving) = parent(&ws.links, link);
    let R_F = product(&R_P, &link.frame.R);
    let mut x = column(&R_F, 0);
    if link.reversed {
        x = -x;
    }
    let r = apply(&R_P, &link.frame.p) + x * q[link.q];
    ws.columns[link.v] = Twist::new(zero3(), x);
    let state = &mut ws.links[i];
    (state.R, state.R_F, state.o, state.r) = (R_F, R_F, o_P + r, r);
    if let Some(v) = v {
        let along = x * v[link.v];
        let slip = cross(&moving.w, &r);
        // the parent rotates both the relative velocity and the point at which it acts
        let turned = cross(&moving.w, &along) * T::constant(2.0);
        state.velocity = Twist::new(moving.w, moving.v + slip + along);
        state.bias = Twist::new(zero3(), cross(&moving.w, &slip) + turned);
    }
}

fn general<T: Real>(
    link: &Link<T>,
    space: Space,
    ws: &mut TreeWorkspace<T>,
    i: usize,
    q: &[T],
    v: Option<&[T]>,
) {
    let still = [T::zero(); MAX_FREEDOM];
    let rates = v.map_or(&still[..link.shape.freedom()], |v| &v[link.velocities()]);
    let across = &mut ws.across;
    link.joint
        .across(space, &q[link.positions()], rates, across);
    if link.reversed {
        reverse(across, rates);
    }
    let (R_P, o_P, moving) = parent(&ws.links, link);
    let R_F = product(&R_P, &link.frame.R);
    let r = apply(&R_P, &link.frame.p) + apply(&R_F, &across.p);
    let mut relative = Twist::zero();
    for (k, rate) in rates.iter().enumerate() {
        let column = Twist::new(apply(&R_F, &across.Hw[k]), apply(&R_F, &across.Hv[k]));
        relative += column * *rate;
        ws.columns[link.v + k] = column;
    }
    let state = &mut ws.links[i];
    (state.o, state.r) = (o_P + r, r);
    (state.R, state.R_F) = (product(&R_F, &across.R), R_F);
    if v.is_some() {
        let slip = cross(&moving.w, &r);
        state.velocity = Twist::new(moving.w + relative.w, moving.v + slip + relative.v);
        // Coriolis: the parent rotates both the relative velocity and the point at which it acts
        let turned = cross(&moving.w, &relative.v) * T::constant(2.0);
        state.bias = Twist::new(
            cross(&moving.w, &relative.w) + apply(&R_F, &across.bias_w),
            cross(&moving.w, &slip) + turned + apply(&R_F, &across.bias_v),
        );
    }
}

/// Replaces the motion of M in F's axes by the motion of F in M's axes:
/// `R' = Rᵀ`, `p' = −Rᵀ p`, `w' = −Rᵀ w`, `v' = Rᵀ (w × p − v)`.
pub(super) fn reverse<T: Real>(across: &mut Across<T>, rates: &[T]) {
    let R = across.R;
    let p = across.p;
    let (mut w, mut v) = (zero3(), zero3());
    for (k, rate) in rates.iter().enumerate() {
        let (hw, hv) = (across.Hw[k], across.Hv[k]);
        w += hw * *rate;
        v += hv * *rate;
        across.Hw[k] = -apply_transposed(&R, &hw);
        across.Hv[k] = apply_transposed(&R, &(cross(&hw, &p) - hv));
    }
    // derivative of w' and v' at constant joint velocities; Rᵀ rotates by −w
    let (bw, bv) = (across.bias_w, across.bias_v);
    let slip = cross(&w, &p) - v;
    across.bias_w = -apply_transposed(&R, &bw);
    across.bias_v = apply_transposed(
        &R,
        &(cross(&bw, &p) + cross(&w, &v) - bv - cross(&w, &slip)),
    );
    across.R = R.transpose();
    across.p = -apply_transposed(&R, &p);
}
