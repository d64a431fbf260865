//! A rigid body.

use super::{JointIndex, MassProperties, Shape};
use crate::element::Origin;
use crate::flexible::Station;
use crate::math::{Pose, Vec3};

/// The initial pose of a body, as far as the user gave it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose0 {
    /// Pose of the body frame in the ground frame; `None` if the joints determine it.
    pub pose: Option<Pose>,
    /// Whether assembly must preserve this pose.
    pub keep: bool,
}

/// The parts of a body's initial state that the user gave. The others follow from the joints: assembly neither aims at them nor preserves them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each part is given or not by itself"
)]
pub struct GivenParts {
    /// The position of [`Pose0::pose`].
    pub position: bool,
    /// The orientation of [`Pose0::pose`].
    pub orientation: bool,
    /// [`Velocity0::linear`].
    pub linear: bool,
    /// [`Velocity0::angular`].
    pub angular: bool,
}

impl Default for GivenParts {
    fn default() -> Self {
        GivenParts {
            position: true,
            orientation: true,
            linear: true,
            angular: true,
        }
    }
}

/// The initial velocity of a body, in the ground frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Velocity0 {
    /// Velocity of the body frame's origin.
    pub linear: Vec3<f64>,
    /// Angular velocity.
    pub angular: Vec3<f64>,
}

/// A rigid body.
#[derive(Clone, Debug)]
pub struct Body {
    /// Name.
    pub name: String,
    /// Its source location.
    pub origin: Origin,
    /// Mass, mass centre and inertia.
    pub mass: MassProperties,
    /// Shapes for drawing.
    pub shapes: Vec<Shape>,
    /// Initial pose.
    pub start: Pose0,
    /// Initial velocity; `None` if the joints determine it.
    pub velocity: Option<Velocity0>,
    /// The parts of its pose and velocity that were given.
    pub given: GivenParts,
    /// The station on a beam that it represents; such a body has neither mass nor coordinates of its own.
    pub station: Option<Station>,
    /// For a moving station, the joint whose second frame it follows along its beam.
    pub follows: Option<JointIndex>,
    /// Whether it is a candidate point of a contact along a beam, which has no signals.
    pub is_candidate: bool,
}

impl Body {
    /// A body whose pose is determined by the joints.
    pub fn new(name: impl Into<String>, mass: MassProperties) -> Self {
        Body {
            name: name.into(),
            origin: Origin::default(),
            mass,
            shapes: Vec::new(),
            start: Pose0::default(),
            velocity: None,
            given: GivenParts::default(),
            station: None,
            follows: None,
            is_candidate: false,
        }
    }

    /// The same body with the initial pose `pose`.
    #[must_use]
    pub fn at(mut self, pose: Pose) -> Self {
        self.start.pose = Some(pose);
        self
    }
}
