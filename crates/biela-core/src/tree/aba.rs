//! Forward dynamics by the articulated-body algorithm (ABA): the accelerations for given joint forces, in time proportional to the number of
//! links.
//!
//! From the tips to the ground, each velocity coordinate is eliminated from the articulated-body inertia of its link:
//!
//! ```text
//! U = I S      D = S · U + a      I ← I − U Uᵀ / D      p ← p + U u / D,    u = τ − S · p
//! ```
//!
//! with a the armature of the coordinate, and from the ground to the tips `v̇ = (u − U · a) / D`, `a ← a + S v̇`. The coordinates of a joint with several of
//! them are eliminated one by one, so that no matrix is inverted.

use super::kinematics::{carried, place};
use super::{Hinge, Tree, TreeWorkspace, planar};
use crate::math::rotation::{dot, zero3};
use crate::math::spatial::{ArticulatedInertia, Twist, Wrench};
use crate::math::{Real, Vec3};
use crate::model::Space;

/// Computes the accelerations for the joint forces `tau`; `loads` act on the links, in ground axes at their origins (an empty slice for none).
pub fn aba<T: Real>(
    tree: &Tree<T>,
    ws: &mut TreeWorkspace<T>,
    q: &[T],
    v: &[T],
    tau: &[T],
    loads: &[Wrench<T>],
    out: &mut [T],
) {
    for i in 0..tree.links.len() {
        place(tree, ws, i, q, Some(v));
    }
    forward(tree, ws, tau, loads, out);
}

/// The same, after [`super::velocities`].
pub fn forward<T: Real>(
    tree: &Tree<T>,
    ws: &mut TreeWorkspace<T>,
    tau: &[T],
    loads: &[Wrench<T>],
    out: &mut [T],
) {
    hybrid(tree, ws, &[], tau, loads, out);
}

/// Hybrid dynamics: if `held` is true (an empty slice: nowhere), `given` contains the acceleration
/// of the coordinate, otherwise its force. The forces of held coordinates follow from [`super::efforts`].
pub fn hybrid<T: Real>(
    tree: &Tree<T>,
    ws: &mut TreeWorkspace<T>,
    held: &[bool],
    given: &[T],
    loads: &[Wrench<T>],
    out: &mut [T],
) {
    hybrid_under(tree, &tree.gravity, ws, held, given, loads, out);
}

/// The same with another gravity than the tree's.
pub(crate) fn hybrid_under<T: Real>(
    tree: &Tree<T>,
    gravity: &Vec3<T>,
    ws: &mut TreeWorkspace<T>,
    held: &[bool],
    given: &[T],
    loads: &[Wrench<T>],
    out: &mut [T],
) {
    if tree.space == Space::Planar {
        return planar::hybrid(tree, gravity, ws, held, given, loads, out);
    }
    let is_held = |k: usize| held.get(k).copied().unwrap_or(false);
    for (i, link) in tree.links.iter().enumerate() {
        let state = &ws.links[i];
        let inertia = link.inertia.turned(&state.R);
        let mut force = inertia.gyroscopic(&state.velocity.w);
        if let Some(load) = loads.get(i) {
            force = force - *load;
        }
        ws.forces[i] = force;
        ws.articulated[i] = ArticulatedInertia::rigid(&inertia);
    }
    for (i, link) in tree.links.iter().enumerate().rev() {
        let mut inertia = ws.articulated[i];
        // a given acceleration does not depend on the forces
        let mut bias = ws.links[i].bias;
        for k in link.velocities().filter(|k| is_held(*k)) {
            bias += ws.columns[k] * given[k];
            out[k] = given[k];
        }
        eliminate(tree, i, is_held, &mut inertia, ws);
        let mut force = ws.forces[i];
        for k in link.velocities().rev().filter(|k| !is_held(*k)) {
            ws.effort[k] = given[k] - ws.columns[k].dot(&force);
            force += ws.carried[k] * (ws.effort[k] * ws.inverse[k]);
        }
        if let Some(p) = link.parent {
            let state = &ws.links[i];
            force += inertia.times(&bias);
            ws.forces[p] += force.seen_from(&state.r);
            ws.articulated[p] += inertia.seen_from(&state.r);
        }
    }
    let ground = Twist::new(zero3(), -gravity);
    outward(tree, ws, &ground, is_held, true, out);
}

/// Eliminates the coordinates of a joint from an articulated-body inertia; stores U and 1/D.
#[inline]
fn eliminate<T: Real>(
    tree: &Tree<T>,
    i: usize,
    is_held: impl Fn(usize) -> bool,
    inertia: &mut ArticulatedInertia<T>,
    ws: &mut TreeWorkspace<T>,
) {
    let link = &tree.links[i];
    for k in link.velocities().rev().filter(|k| !is_held(*k)) {
        let column = &ws.columns[k];
        let (U, D) = match link.hinge {
            Hinge::Turn => {
                let U = inertia.times_turn(&column.w);
                (U, dot(&column.w, &U.n))
            }
            Hinge::Slide | Hinge::General => {
                let U = inertia.times(column);
                (U, column.dot(&U))
            }
        };
        ws.carried[k] = U;
        ws.inverse[k] = T::one() / (D + tree.armature[k]);
        inertia.subtract_square(ws.inverse[k], &U);
    }
}

/// Computes the accelerations from the forces that remain after elimination.
#[inline]
fn outward<T: Real>(
    tree: &Tree<T>,
    ws: &mut TreeWorkspace<T>,
    ground: &Twist<T>,
    is_held: impl Fn(usize) -> bool,
    moving: bool,
    out: &mut [T],
) {
    for (i, link) in tree.links.iter().enumerate() {
        let from = link.parent.map_or(ground, |p| &ws.links[p].acceleration);
        let mut a = carried(from, &ws.links[i].r);
        if moving {
            a += ws.links[i].bias;
        }
        for k in link.velocities().filter(|k| is_held(*k)) {
            a += ws.columns[k] * out[k];
        }
        for k in link.velocities().filter(|k| !is_held(*k)) {
            let U = &ws.carried[k];
            out[k] = (ws.effort[k] - dot(&U.n, &a.w) - dot(&U.f, &a.v)) * ws.inverse[k];
            match link.hinge {
                Hinge::Turn => a.w += ws.columns[k].w * out[k],
                Hinge::Slide | Hinge::General => a += ws.columns[k] * out[k],
            }
        }
        ws.links[i].acceleration = a;
    }
}

/// Factorises the mass matrix at the configuration of [`super::positions`], for [`solve`].
pub fn articulate<T: Real>(tree: &Tree<T>, ws: &mut TreeWorkspace<T>) {
    for (i, link) in tree.links.iter().enumerate() {
        ws.articulated[i] = ArticulatedInertia::rigid(&link.inertia.turned(&ws.links[i].R));
    }
    for (i, link) in tree.links.iter().enumerate().rev() {
        let mut inertia = ws.articulated[i];
        eliminate(tree, i, |_| false, &mut inertia, ws);
        if let Some(p) = link.parent {
            ws.articulated[p] += inertia.seen_from(&ws.links[i].r);
        }
    }
}

/// Solves `M x = f` after [`articulate`]; `out` must not alias `f`.
pub fn solve<T: Real>(tree: &Tree<T>, ws: &mut TreeWorkspace<T>, f: &[T], out: &mut [T]) {
    ws.forces.fill(Wrench::zero());
    for (i, link) in tree.links.iter().enumerate().rev() {
        let mut force = ws.forces[i];
        for k in link.velocities().rev() {
            ws.effort[k] = f[k] - ws.columns[k].dot(&force);
            force += ws.carried[k] * (ws.effort[k] * ws.inverse[k]);
        }
        if let Some(p) = link.parent {
            ws.forces[p] += force.seen_from(&ws.links[i].r);
        }
    }
    outward(tree, ws, &Twist::zero(), |_| false, false, out);
}
