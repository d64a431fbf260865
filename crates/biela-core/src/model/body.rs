//! A rigid body.

use super::{JointIndex, MassProperties, Shape};
use crate::element::Origin;
use crate::flexible::Station;
use crate::math::{Pose, Vec3};

/// Where a body starts, as far as the user said.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose0 {
    /// Pose of the body frame in the ground frame; `None` leaves it to the joints.
    pub pose: Option<Pose>,
    /// Whether assembly must keep this pose.
    pub keep: bool,
}

/// Which parts of a body's start the user gave. The others follow from the joints; they are neither asked for nor kept.
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

/// How fast a body starts, in the ground frame.
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
    /// Where it was written.
    pub origin: Origin,
    /// Mass, mass centre and inertia.
    pub mass: MassProperties,
    /// Shapes for drawing.
    pub shapes: Vec<Shape>,
    /// Starting pose.
    pub start: Pose0,
    /// Starting velocity; `None` leaves it to the joints.
    pub velocity: Option<Velocity0>,
    /// Which parts of its pose and of its velocity were given.
    pub given: GivenParts,
    /// The place on a beam that it is; such a body has no mass and no coordinates of its own.
    pub station: Option<Station>,
    /// The joint whose second frame it follows along its beam, where it is a place that does.
    pub follows: Option<JointIndex>,
}

impl Body {
    /// A body at a pose that the joints decide.
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
        }
    }

    /// The same body starting at `pose`.
    #[must_use]
    pub fn at(mut self, pose: Pose) -> Self {
        self.start.pose = Some(pose);
        self
    }
}
