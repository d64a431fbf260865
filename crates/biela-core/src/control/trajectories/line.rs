//! Motion of the tool along a straight line, with a uniform rotation about a fixed axis.
//!
//! ```text
//! p = p0 + s (p1 − p0)        R = exp(s θ) R0, exp(θ) = R1 R0ᵀ
//! ```

use std::sync::Arc;

use super::follow::{PathPoint, ToolPath, follow, robot_of};
use super::follow::{duration_field, from_field, law_field};
use super::{EVERYWHERE, Setting, TrajectoryKind, check_duration};
use crate::control::Trajectory;
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::math::rotation::{about, about_axis, rotation_vector, unit};
use crate::math::spatial::Twist;
use crate::math::{Pose, Vec3};
use crate::model::Space;

/// Motion of the tool along a straight line.
#[derive(Clone, Copy, Debug)]
pub struct Line;

/// Treatment of the orientation.
const ORIENTATIONS: &[&str] = &["keep", "free"];

fields! { Line {
    use from_field;
    /// end point of the tool, in the ground frame; the start point if omitted
    to: Vector { unit: "m" } = "",
    /// angle of the tool's frame at the end (planar)
    angle: Number { unit: "rad" } = "",
    /// orientation of the tool's frame at the end (spatial)
    rotation: Rotation = "",
    /// whether the orientation is constant, or rotates uniformly to `angle` or `rotation`; or is free
    orientation: Choice(ORIENTATIONS) = "keep",
    use duration_field;
    use law_field;
} }

impl TrajectoryKind for Line {
    const INFO: Info = Info {
        name: "line",
        aliases: &[],
        summary: "moves the tool of the robot along a straight line, from rest to rest",
        spaces: EVERYWHERE,
        fields: Self::FIELDS,
    };
    const CONTINUITY: usize = 1;

    fn build(
        arguments: &Arguments,
        setting: &Setting<'_>,
    ) -> Result<Arc<dyn Trajectory>, ArgumentError> {
        let robot = robot_of(setting)?;
        check_duration("duration", arguments.number("duration"))?;
        let fault = |field, message: &str| ArgumentError {
            field,
            message: message.to_owned(),
        };
        let place = robot
            .tool()
            .map_err(|error| fault("type", &error.to_string()))?;
        let from = robot.pose(&mut robot.workspace(), place, &arguments.numbers("from"));
        let angle = arguments
            .optional_number("angle")
            .map(|angle| about(2, angle));
        let rotation = arguments.rotation("rotation");
        if angle.is_some() && robot.tree.space == Space::Spatial {
            return Err(fault(
                "angle",
                "this field is for planar models; use `rotation`",
            ));
        }
        if rotation.is_some() && robot.tree.space == Space::Planar {
            return Err(fault(
                "rotation",
                "this field is for spatial models; use `angle`",
            ));
        }
        let free = arguments.word("orientation") == "free";
        let turned = angle.or(rotation);
        if turned.is_some() && free {
            return Err(fault(
                "orientation",
                "`free` excludes an orientation at the end; omit one of them",
            ));
        }
        let line = Straight {
            from,
            way: arguments.optional_vector("to").unwrap_or(from.p) - from.p,
            turn: turned.map_or_else(Vec3::zeros, |end| {
                rotation_vector(&(end * from.R.transpose()))
            }),
        };
        let pieces = follow(robot, &line, free, arguments);
        match pieces {
            Ok(pieces) => Ok(Arc::new(pieces.later(setting.start))),
            Err(message) => Err(fault("to", &message)),
        }
    }
}

/// A straight line with a uniform rotation.
struct Straight {
    from: Pose,
    way: Vec3<f64>,
    /// Rotation vector from the start to the end.
    turn: Vec3<f64>,
}

impl ToolPath for Straight {
    fn at(&self, s: f64) -> PathPoint {
        let angle = self.turn.norm();
        let axis = if angle > 0.0 {
            self.turn / angle
        } else {
            unit(0)
        };
        PathPoint {
            pose: Pose {
                R: about_axis(&axis, s * angle) * self.from.R,
                p: self.from.p + self.way * s,
            },
            along: Twist::new(self.turn, self.way),
            bend: Twist::zero(),
        }
    }
}
