//! Intermediate results of the algorithms for each link.

use super::{Tree, planar, single};
use crate::joints::Across;
use crate::math::rotation::{identity, zero3};
use crate::math::spatial::{ArticulatedInertia, RigidInertia, Twist, Wrench};
use crate::math::{Mat3, Real, Vec3};
use crate::model::Space;

/// The state of a link: ground axes, at the link's origin.
#[derive(Clone, Copy, Debug)]
pub struct LinkState<T: Real = f64> {
    /// Orientation.
    pub R: Mat3<T>,
    /// Orientation of the inboard joint frame, on the parent.
    pub R_F: Mat3<T>,
    /// Position of the origin.
    pub o: Vec3<T>,
    /// From the parent's origin to this one.
    pub r: Vec3<T>,
    /// Angular velocity and velocity of the origin.
    pub velocity: Twist<T>,
    /// Bias acceleration at constant joint velocities: the velocity-dependent term in addition to
    /// `(α_P, a_P + α_P × r)` of the parent.
    pub bias: Twist<T>,
    /// Total acceleration at constant joint velocities, see [`super::drifts`].
    pub drift: Twist<T>,
    /// Angular acceleration and acceleration of the origin.
    pub acceleration: Twist<T>,
}

/// Buffers for the algorithms.
#[derive(Clone, Debug)]
pub struct TreeWorkspace<T: Real = f64> {
    /// One entry per link.
    pub links: Vec<LinkState<T>>,
    /// Motion-subspace columns, one per velocity coordinate, at the origin of its link.
    pub columns: Vec<Twist<T>>,
    /// Forces on links, accumulated towards the ground.
    pub(super) forces: Vec<Wrench<T>>,
    /// Composite-rigid-body inertias.
    pub(super) composite: Vec<RigidInertia<T>>,
    /// Articulated-body inertias.
    pub(super) articulated: Vec<ArticulatedInertia<T>>,
    /// The same in the plane with the forces on links, and the eliminated velocity coordinates.
    pub(super) planar: Vec<planar::Articulated<T>>,
    pub(super) planar_eliminated: Vec<planar::Eliminated<T>>,
    /// The state of links whose joints all have one coordinate.
    pub(super) single: Vec<single::SingleLink<T>>,
    /// `U = I S` of each velocity coordinate.
    pub(super) carried: Vec<Wrench<T>>,
    /// `1/(S · U)` of each velocity coordinate.
    pub(super) inverse: Vec<T>,
    /// Remaining force along each velocity coordinate.
    pub(super) effort: Vec<T>,
    /// Motion across the current joint.
    pub(crate) across: Across<T>,
}

impl<T: Real> TreeWorkspace<T> {
    /// Creates the buffers for a tree.
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
        TreeWorkspace {
            links: vec![at_rest; n],
            columns: vec![Twist::zero(); tree.velocities],
            forces: vec![Wrench::zero(); n],
            composite: vec![rigid; n],
            articulated: vec![ArticulatedInertia::rigid(&rigid); n],
            planar: vec![planar::Articulated::zero(); flat(n)],
            planar_eliminated: vec![planar::Eliminated::zero(); flat(tree.velocities)],
            single: vec![single::SingleLink::zero(); flat(n)],
            carried: vec![Wrench::zero(); tree.velocities],
            inverse: vec![T::zero(); tree.velocities],
            effort: vec![T::zero(); tree.velocities],
            across: Across::new(),
        }
    }
}
