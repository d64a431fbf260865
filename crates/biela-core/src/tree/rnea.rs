//! Inverse dynamics by the recursive Newton–Euler algorithm (RNEA): the joint forces of a given motion.
//!
//! ```text
//! τ = M(q) v̇ + c(q, v) − Jᵀ loads
//! ```
//!
//! Outward pass: velocities and accelerations, with the ground accelerating against gravity. Inward pass: the force on each link is the sum of its inertia
//! force and the forces on its children. Its component along the joint's motion subspace, plus the armature term, is τ. The cost is proportional to the
//! number of links.

use super::kinematics::{carried, place};
use super::{Hinge, Link, LinkState, Tree, TreeWorkspace};
use crate::math::Real;
use crate::math::rotation::{apply, apply_transposed, cross, dot, zero3};
use crate::math::spatial::{Twist, Wrench};

/// Computes the joint forces for the accelerations `rates`; `loads` act on the links, in ground axes at their origins (an empty slice for none).
pub fn rnea<T: Real>(
    tree: &Tree<T>,
    ws: &mut TreeWorkspace<T>,
    q: &[T],
    v: &[T],
    rates: &[T],
    loads: &[Wrench<T>],
    out: &mut [T],
) {
    let ground = Twist::new(zero3(), -tree.gravity);
    for (i, link) in tree.links.iter().enumerate() {
        place(tree, ws, i, q, Some(v));
        let from = link.parent.map_or(&ground, |p| &ws.links[p].acceleration);
        let mut a = carried(from, &ws.links[i].r) + ws.links[i].bias;
        match link.hinge {
            Hinge::Turn => a.w += ws.columns[link.v].w * rates[link.v],
            Hinge::Slide | Hinge::General => {
                for k in link.velocities() {
                    a += ws.columns[k] * rates[k];
                }
            }
        }
        ws.links[i].acceleration = a;
        ws.forces[i] = needed(link, &ws.links[i], &a);
        if let Some(load) = loads.get(i) {
            ws.forces[i] = ws.forces[i] - *load;
        }
    }
    gather(tree, ws, out);
    add_armature(tree, rates, out);
}

/// Adds the armature forces `a v̇`.
fn add_armature<T: Real>(tree: &Tree<T>, rates: &[T], out: &mut [T]) {
    for ((tau, a), rate) in out.iter_mut().zip(&tree.armature).zip(rates) {
        *tau += *a * *rate;
    }
}

/// Computes the joint forces at zero acceleration, after [`super::drifts`]: `c(q, v) − Jᵀ loads`. Gravity must be one of the loads.
pub fn bias<T: Real>(
    tree: &Tree<T>,
    ws: &mut TreeWorkspace<T>,
    loads: &[Wrench<T>],
    out: &mut [T],
) {
    let drift = |state: &LinkState<T>| state.drift;
    balance(tree, ws, loads, drift, out);
}

/// Computes the joint forces for the accelerations in `ws`, which are those of `rates`. Gravity must be included in the loads or in the
/// acceleration of the ground.
pub fn efforts<T: Real>(
    tree: &Tree<T>,
    ws: &mut TreeWorkspace<T>,
    rates: &[T],
    loads: &[Wrench<T>],
    out: &mut [T],
) {
    let acceleration = |state: &LinkState<T>| state.acceleration;
    balance(tree, ws, loads, acceleration, out);
    add_armature(tree, rates, out);
}

#[inline]
fn balance<T: Real>(
    tree: &Tree<T>,
    ws: &mut TreeWorkspace<T>,
    loads: &[Wrench<T>],
    acceleration: impl Fn(&LinkState<T>) -> Twist<T>,
    out: &mut [T],
) {
    for (i, link) in tree.links.iter().enumerate() {
        let state = &ws.links[i];
        let need = needed(link, state, &acceleration(state));
        ws.forces[i] = loads.get(i).map_or(need, |load| need - *load);
    }
    gather(tree, ws, out);
}

/// Returns the force and moment that accelerate a link: `f = m a + α × h + w × (w × h)`,
/// `n = J α + h × a + w × J w`, with the inertia in the link's own axes.
#[inline]
fn needed<T: Real>(link: &Link<T>, state: &LinkState<T>, acceleration: &Twist<T>) -> Wrench<T> {
    let inertia = &link.inertia;
    let R = &state.R;
    let w = &state.velocity.w;
    let (alpha, a) = (&acceleration.w, &acceleration.v);
    let h = apply(R, &inertia.h);
    let (w_own, alpha_own) = (apply_transposed(R, w), apply_transposed(R, alpha));
    let spin = inertia.J.times(&alpha_own) + cross(&w_own, &inertia.J.times(&w_own));
    let f = a * inertia.m + cross(alpha, &h) + cross(w, &cross(w, &h));
    Wrench::new(apply(R, &spin) + cross(&h, a), f)
}

/// Inward pass: accumulates the transmitted force of each joint, and projects it to the joint's motion subspace.
#[inline]
pub(super) fn gather<T: Real>(tree: &Tree<T>, ws: &mut TreeWorkspace<T>, out: &mut [T]) {
    for (i, link) in tree.links.iter().enumerate().rev() {
        let force = ws.forces[i];
        match link.hinge {
            Hinge::Turn => out[link.v] = dot(&ws.columns[link.v].w, &force.n),
            Hinge::Slide | Hinge::General => {
                for k in link.velocities() {
                    out[k] = ws.columns[k].dot(&force);
                }
            }
        }
        if let Some(p) = link.parent {
            ws.forces[p] += force.seen_from(&ws.links[i].r);
        }
    }
}

/// Computes the generalised forces of loads on links, after [`super::positions`].
pub fn generalize<T: Real>(
    tree: &Tree<T>,
    ws: &mut TreeWorkspace<T>,
    loads: &[Wrench<T>],
    out: &mut [T],
) {
    ws.forces.copy_from_slice(loads);
    gather(tree, ws, out);
}
