//! What the algorithms know of each link on the way.

use super::{Tree, planar};
use crate::joints::Across;
use crate::math::rotation::{identity, zero3};
use crate::math::spatial::{ArticulatedInertia, RigidInertia, Twist, Wrench};
use crate::math::{Mat3, Real, Vec3};
use crate::model::Space;

/// A link at an instant: ground axes, at the link's origin.
#[derive(Clone, Copy, Debug)]
pub struct LinkState<T: Real = f64> {
    /// Orientation.
    pub R: Mat3<T>,
    /// Orientation of the parent's joint frame.
    pub R_F: Mat3<T>,
    /// Position of the origin.
    pub o: Vec3<T>,
    /// From the parent's origin to this one.
    pub r: Vec3<T>,
    /// Angular velocity and velocity of the origin.
    pub velocity: Twist<T>,
    /// Acceleration beyond the parent's when the joint's rates stay as they are: what velocities alone add to
    /// `(α_P, a_P + α_P × r)`.
    pub bias: Twist<T>,
    /// Acceleration in all when every rate stays as it is, see [`super::drifts`].
    pub drift: Twist<T>,
    /// Angular acceleration and acceleration of the origin.
    pub acceleration: Twist<T>,
}

/// Buffers for the algorithms.
#[derive(Clone, Debug)]
pub struct Workspace<T: Real = f64> {
    /// One a link.
    pub links: Vec<LinkState<T>>,
    /// Directions of motion, one a velocity coordinate, at the origin of its link.
    pub columns: Vec<Twist<T>>,
    /// Forces on links, gathered towards the ground.
    pub(super) forces: Vec<Wrench<T>>,
    /// Inertia of subtrees that do not move in themselves.
    pub(super) composite: Vec<RigidInertia<T>>,
    /// Inertia of subtrees whose joints give way.
    pub(super) articulated: Vec<ArticulatedInertia<T>>,
    /// The same in the plane, the forces on links there, and U of each velocity coordinate.
    pub(super) planar: Vec<planar::Inertia<T>>,
    pub(super) planar_forces: Vec<[T; 3]>,
    pub(super) planar_carried: Vec<[T; 3]>,
    /// `U = I S` of each velocity coordinate.
    pub(super) carried: Vec<Wrench<T>>,
    /// `1/(S · U)` of each velocity coordinate.
    pub(super) inverse: Vec<T>,
    /// What is left of the force along each velocity coordinate.
    pub(super) effort: Vec<T>,
    /// Motion across the joint at hand.
    pub(crate) across: Across<T>,
}

impl<T: Real> Workspace<T> {
    /// Buffers for a tree.
    pub fn new(tree: &Tree<T>) -> Self {
        let n = tree.links.len();
        let at_rest = LinkState {
            R: identity(),
            R_F: identity(),
            o: zero3(),
            r: zero3(),
            velocity: Twist::zero(),
            bias: Twist::zero(),
            drift: Twist::zero(),
            acceleration: Twist::zero(),
        };
        let rigid = RigidInertia::zero();
        let flat = |count: usize| match tree.space {
            Space::Planar => count,
            Space::Spatial => 0,
        };
        Workspace {
            links: vec![at_rest; n],
            columns: vec![Twist::zero(); tree.velocities],
            forces: vec![Wrench::zero(); n],
            composite: vec![rigid; n],
            articulated: vec![ArticulatedInertia::rigid(&rigid); n],
            planar: vec![planar::Inertia::zero(); flat(n)],
            planar_forces: vec![[T::zero(); 3]; flat(n)],
            planar_carried: vec![[T::zero(); 3]; flat(tree.velocities)],
            carried: vec![Wrench::zero(); tree.velocities],
            inverse: vec![T::zero(); tree.velocities],
            effort: vec![T::zero(); tree.velocities],
            across: Across::new(),
        }
    }
}
