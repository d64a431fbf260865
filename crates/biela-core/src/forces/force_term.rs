//! Forces in symbolic form: a generalized force along a velocity, for the derivation of equations of motion.

use crate::math::Vec3;
use crate::model::{JointIndex, Law, MarkerIndex};

/// A line of action; the generalized force is τ times the derivative of the line's velocity with respect to the generalized velocities.
#[derive(Clone, Copy, Debug)]
pub enum LineOfAction {
    /// A measured coordinate of a joint.
    Joint(JointIndex, usize),
    /// The distance between two points.
    Distance([MarkerIndex; 2]),
    /// The position of a point along a direction, which is fixed or rotates with the point's frame.
    Point {
        /// The point.
        at: MarkerIndex,
        /// The direction.
        axis: Vec3<f64>,
        /// Whether the direction rotates with the frame.
        follows: bool,
    },
    /// The rotation of a frame about a direction, relative to another body.
    Turn {
        /// The frame.
        on: MarkerIndex,
        /// A frame of the other body, or of the ground.
        against: MarkerIndex,
        /// The direction.
        axis: Vec3<f64>,
        /// Whether the direction rotates with the frame.
        follows: bool,
    },
}

/// One term of a force: with s the quantity of its line, `τ = −k (s − s0) − c ṡ − c₂ |ṡ| ṡ ± law`.
#[derive(Clone, Debug)]
pub struct ForceTerm<'f> {
    /// Its line of action.
    pub line: LineOfAction,
    /// k.
    pub stiffness: f64,
    /// s0.
    pub rest: f64,
    /// c.
    pub damping: Law,
    /// c₂.
    pub quadratic: Law,
    /// A law that is added to τ, if any.
    pub law: Option<&'f Law>,
    /// Whether the law is subtracted, as a tension is along a distance.
    pub opposes: bool,
}

impl<'f> ForceTerm<'f> {
    /// A law only.
    pub(super) fn law(line: LineOfAction, law: &'f Law) -> Self {
        ForceTerm {
            law: Some(law),
            ..ForceTerm::spring(line, 0.0, 0.0, 0.0)
        }
    }

    /// A spring and a damper.
    pub(super) fn spring(line: LineOfAction, stiffness: f64, rest: f64, damping: f64) -> Self {
        ForceTerm {
            line,
            stiffness,
            rest,
            damping: damping.into(),
            quadratic: 0.0.into(),
            law: None,
            opposes: false,
        }
    }
}
