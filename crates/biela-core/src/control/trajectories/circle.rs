//! Motion of the tool along a circle or an arc.
//!
//! ```text
//! p = c + Rot(n, φ) r        φ = s Φ        ṗ = φ̇ n × r        p̈ = φ̈ n × r + φ̇² n × (n × r)
//! ```

use std::f64::consts::TAU;
use std::sync::Arc;

use super::follow::{PathPoint, ToolPath, follow, robot_of};
use super::follow::{duration_field, from_field, law_field};
use super::{EVERYWHERE, Setting, TrajectoryKind, check_duration};
use crate::control::Trajectory;
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::math::rotation::{about_axis, cross, unit};
use crate::math::spatial::Twist;
use crate::math::{Pose, Vec3};
use crate::model::Space;

/// Motion of the tool along a circle or an arc.
#[derive(Clone, Copy, Debug)]
pub struct Circle;

/// Treatment of the orientation.
const ORIENTATIONS: &[&str] = &["keep", "turn", "free"];

fields! { Circle {
    use from_field;
    /// a point on the axis of the circle, in the ground frame; used with `axis` and `angle`
    center: Vector { unit: "m" } = "",
    /// direction of the axis; z if omitted
    axis: Direction = "",
    /// angle swept about the axis; a full circle if omitted
    angle: Number { unit: "rad" } = "",
    /// an intermediate point and the end point of an arc, instead of `center`
    through: Vectors { unit: "m" } = "",
    /// whether the orientation is constant, rotates with the path, or is free
    orientation: Choice(ORIENTATIONS) = "keep",
    use duration_field;
    use law_field;
} }

impl TrajectoryKind for Circle {
    const INFO: Info = Info {
        name: "circle",
        aliases: &["arc"],
        summary: "moves the tool of the robot along a circle or an arc, from rest to rest",
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
        let orientation = arguments.word("orientation");
        let center = arguments.optional_vector("center");
        let through = arguments.points("through");
        let (field, arc) = match (center, &through[..]) {
            (Some(_), [_, ..]) | (None, []) => {
                return Err(fault(
                    "center",
                    "give either `center`, or two points in `through`",
                ));
            }
            (Some(center), []) => ("center", about_center(arguments, &from, &center)),
            (None, [middle, end]) => {
                let [middle, end] = [middle, end].map(|p| Vec3::new(p[0], p[1], p[2]));
                ("through", through_points(&from, &middle, &end))
            }
            (None, _) => return Err(fault("through", "two points are required")),
        };
        let arc = arc.map_err(|message| fault(field, message))?;
        if robot.tree.space == Space::Planar && arc.axis.xy().norm() > 1e-12 {
            return Err(fault("axis", "the axis of a planar circle is z"));
        }
        let arc = CircularArc {
            turns: orientation == "turn",
            ..arc
        };
        match follow(robot, &arc, orientation == "free", arguments) {
            Ok(pieces) => Ok(Arc::new(pieces.later(setting.start))),
            Err(message) => Err(fault(field, &message)),
        }
    }
}

/// A circular arc.
struct CircularArc {
    from: Pose,
    center: Vec3<f64>,
    axis: Vec3<f64>,
    /// Angle from start to end.
    angle: f64,
    /// Whether the orientation rotates with the path.
    turns: bool,
}

fn about_center(
    arguments: &Arguments,
    from: &Pose,
    given: &Vec3<f64>,
) -> Result<CircularArc, &'static str> {
    let axis = arguments.optional_vector("axis").unwrap_or_else(|| unit(2));
    // projection of the start onto the axis
    let center = given + axis * axis.dot(&(from.p - given));
    if (from.p - center).norm() < 1e-12 {
        return Err("the tool starts on the axis of the circle");
    }
    Ok(CircularArc {
        from: *from,
        center,
        axis,
        angle: arguments.optional_number("angle").unwrap_or(TAU),
        turns: false,
    })
}

/// The arc from the start through a point to an end point; its centre is equidistant from all three.
fn through_points(
    from: &Pose,
    middle: &Vec3<f64>,
    end: &Vec3<f64>,
) -> Result<CircularArc, &'static str> {
    let (a, b) = (middle - from.p, end - from.p);
    let normal = cross(&a, &b);
    let square = normal.norm_squared();
    if square <= 1e-18 * a.norm_squared() * b.norm_squared() || square == 0.0 {
        return Err("the three points are collinear, or two of them coincide");
    }
    let center = from.p
        + (cross(&normal, &a) * b.norm_squared() + cross(&b, &normal) * a.norm_squared())
            / (2.0 * square);
    let axis = normal / square.sqrt();
    let (first, last) = (from.p - center, end - center);
    let angle = axis.dot(&cross(&first, &last)).atan2(first.dot(&last));
    Ok(CircularArc {
        from: *from,
        center,
        axis,
        angle: angle.rem_euclid(TAU),
        turns: false,
    })
}

impl ToolPath for CircularArc {
    fn at(&self, s: f64) -> PathPoint {
        let turn = about_axis(&self.axis, s * self.angle);
        let r = turn * (self.from.p - self.center);
        let across = cross(&self.axis, &r);
        let (w, turned) = if self.turns {
            (self.axis * self.angle, turn * self.from.R)
        } else {
            (Vec3::zeros(), self.from.R)
        };
        PathPoint {
            pose: Pose {
                R: turned,
                p: self.center + r,
            },
            along: Twist::new(w, across * self.angle),
            bend: Twist::new(
                Vec3::zeros(),
                cross(&self.axis, &across) * (self.angle * self.angle),
            ),
        }
    }
}
