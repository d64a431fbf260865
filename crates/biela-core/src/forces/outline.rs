//! Forces in outline: an effort along a rate, for those who write equations down.

use crate::math::Vec3;
use crate::model::{JointIndex, Law, MarkerIndex};

/// A rate that an effort acts along; the generalised force is the effort times its derivative with respect to the velocities.
#[derive(Clone, Copy, Debug)]
pub enum Line {
    /// A measured coordinate of a joint.
    Joint(JointIndex, usize),
    /// The distance of two points.
    Distance([MarkerIndex; 2]),
    /// The place of a point along a direction, which is fixed or turns with the point's frame.
    Point {
        /// The point.
        at: MarkerIndex,
        /// The direction.
        axis: Vec3<f64>,
        /// Whether it turns with the frame.
        follows: bool,
    },
    /// The turn of a frame about a direction, against that of another body.
    Turn {
        /// The frame.
        on: MarkerIndex,
        /// A frame of the other body, or of the ground.
        against: MarkerIndex,
        /// The direction.
        axis: Vec3<f64>,
        /// Whether it turns with the frame.
        follows: bool,
    },
}

/// One part of a force: with s the quantity of its line, `τ = −k (s − s0) − c ṡ − c₂ |ṡ| ṡ ± law`.
#[derive(Clone, Debug)]
pub struct Outline<'f> {
    /// What it acts along.
    pub line: Line,
    /// k.
    pub stiffness: f64,
    /// s0.
    pub rest: f64,
    /// c.
    pub damping: Law,
    /// c₂.
    pub quadratic: Law,
    /// A law that is added to the effort, if any.
    pub law: Option<&'f Law>,
    /// Whether the law counts against the line, as a tension does against a distance.
    pub opposes: bool,
}

impl<'f> Outline<'f> {
    /// Nothing but a law.
    pub(super) fn law(line: Line, law: &'f Law) -> Self {
        Outline {
            law: Some(law),
            ..Outline::spring(line, 0.0, 0.0, 0.0)
        }
    }

    /// A spring and a damper.
    pub(super) fn spring(line: Line, stiffness: f64, rest: f64, damping: f64) -> Self {
        Outline {
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
