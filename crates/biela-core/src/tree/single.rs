//! Forward dynamics of planar trees whose joints have one coordinate each, from the coordinates alone: the recursions of [`super::planar`] on a compact state.

use super::planar::{Articulated, Eliminated, Placement, Three, accelerate, is_single, sum};
use super::{Tree, TreeWorkspace};
use crate::math::{Real, Vec3};
use crate::model::Space;

/// A link and its joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct SingleLink<T: Real> {
    /// Cosine and sine of its angle.
    angle: [T; 2],
    /// Angular velocity.
    w: T,
    /// From the parent's origin to this one.
    r: [T; 2],
    /// The motion per unit of the joint velocity, and the bias acceleration.
    column: Three<T>,
    bias: Three<T>,
    body: Articulated<T>,
    eliminated: Eliminated<T>,
    acceleration: Three<T>,
}

impl<T: Real> SingleLink<T> {
    pub(super) fn zero() -> Self {
        let nothing = [T::zero(); 3];
        SingleLink {
            angle: [T::one(), T::zero()],
            w: T::zero(),
            r: [T::zero(); 2],
            column: nothing,
            bias: nothing,
            body: Articulated::zero(),
            eliminated: Eliminated::zero(),
            acceleration: nothing,
        }
    }
}

/// Whether [`accelerations_along`] applies to a tree.
pub(crate) fn has_single_joints<T: Real>(tree: &Tree<T>) -> bool {
    tree.space == Space::Planar && tree.links.iter().all(is_single)
}

/// Computes the accelerations for forces along the coordinates, for a tree that [has single joints](has_single_joints). The state of the links is not computed.
pub(crate) fn accelerations_along<T: Real>(
    (tree, gravity): (&Tree<T>, &Vec3<T>),
    ws: &mut TreeWorkspace<T>,
    (q, v): (&[T], &[T]),
    given: &[T],
    out: &mut [T],
) {
    let states = &mut ws.single[..tree.links.len()];
    for (i, link) in tree.links.iter().enumerate() {
        let parent = link.parent.map(|p| &states[p]);
        let nothing = T::zero();
        // of the velocity only the angular one is needed
        let moving = [parent.map_or(nothing, |below| below.w), nothing, nothing];
        let placed = Placement::of(link, parent.map(|below| below.angle), q[link.q]);
        let ([w, ..], [x, y]) = placed.motion(link.hinge, moving, v[link.v]);
        let state = &mut states[i];
        (state.angle, state.w, state.r) = (placed.angle, w, placed.r);
        (state.column, state.bias) = (placed.column, [nothing, x, y]);
        state.body = Articulated::rigid(link, placed.angle, w);
    }
    for (i, link) in tree.links.iter().enumerate().rev() {
        let (k, state) = (link.v, &mut states[i]);
        let armature = tree.armature[k];
        let one = Eliminated::of(link.hinge, &state.column, &state.body, armature, given[k]);
        state.eliminated = one;
        if let Some(p) = link.parent {
            let (mut body, bias, r) = (state.body, state.bias, state.r);
            one.reduce(&mut body);
            states[p].body.carry(&body, &bias, r);
        }
    }
    let ground = [T::zero(), -gravity[0], -gravity[1]];
    for (i, link) in tree.links.iter().enumerate() {
        let mut a = link.parent.map_or(ground, |p| states[p].acceleration);
        let state = &mut states[i];
        a[1] -= a[0] * state.r[1];
        a[2] += a[0] * state.r[0];
        sum(&mut a, &state.bias);
        let rate = state.eliminated.acceleration(&a);
        accelerate(link.hinge, &state.column, rate, &mut a);
        state.acceleration = a;
        out[link.v] = rate;
    }
}
