//! Trapezoidal velocity profile: acceleration, constant velocity, deceleration. All joints start and stop together in each segment.
//!
//! With the path parameter s from 0 to 1 and joint displacements d, the largest velocity and acceleration within all joint limits are
//!
//! ```text
//! ṡ = min v_j/|d_j|        s̈ = min a_j/|d_j|        ramps τ = ṡ/s̈, duration T = τ + 1/ṡ
//! ```
//!
//! A short segment (ṡ² ≥ s̈) has no constant part: τ = 1/√s̈, T = 2 τ. With times given, the ramps follow from the acceleration,
//! τ = (T − √(T² − 4/s̈))/2, or are a third of the time each.

use std::sync::Arc;

use super::pieces::Pieces;
use super::through::points_field;
use super::{EVERYWHERE, Setting, TrajectoryKind, check_duration, points_in_time, way_points};
use crate::control::Trajectory;
use crate::element::{ArgumentError, Arguments, Info, fields};

/// Trapezoidal velocity profile between points.
#[derive(Clone, Copy, Debug)]
pub struct Trapezoidal;

fields! { Trapezoidal {
    use points_field;
    /// times at the points, increasing, counted from `start`; the earliest that velocities and accelerations allow if omitted
    times: Numbers { unit: "s" } = "",
    /// largest velocity of each joint; its velocity limit if omitted
    rate: PerJoint { order: 1 } = "",
    /// largest acceleration of each joint; required without `times`
    acceleration: PerJoint { order: 2 } = "",
} }

impl TrajectoryKind for Trapezoidal {
    const INFO: Info = Info {
        name: "trapezoidal",
        aliases: &["lspb"],
        summary: "from point to point with a trapezoidal velocity profile, synchronised over all joints; it stops at every point",
        spaces: EVERYWHERE,
        fields: Self::FIELDS,
    };
    const CONTINUITY: usize = 1;

    fn build(
        arguments: &Arguments,
        setting: &Setting<'_>,
    ) -> Result<Arc<dyn Trajectory>, ArgumentError> {
        let points = way_points(arguments)?;
        let fault = |field, message: String| Err(ArgumentError { field, message });
        for field in ["rate", "acceleration"] {
            let numbers = arguments.numbers(field);
            if let Some(x) = numbers.iter().find(|x| **x <= 0.0) {
                return fault(
                    field,
                    format!("a value is {x}; it must be greater than zero"),
                );
            }
        }
        let timed = !arguments.numbers("times").is_empty();
        let plan = if timed {
            in_time(arguments, &points)?
        } else {
            at_speed(arguments, setting, &points)?
        };
        Ok(Arc::new(plan.pieces(&points).later(setting.start)))
    }
}

/// Start time, and durations and ramps of the segments.
pub(super) struct TrapezoidalPlan {
    begin: f64,
    /// Duration and ramp of each segment; a segment of zero length takes no time.
    ways: Vec<(f64, f64)>,
}

/// The largest s̈ or ṡ of a segment within the limits of the joints; infinite if nothing limits it.
fn least(limits: &[f64], from: &[f64], to: &[f64]) -> f64 {
    let parts = limits.iter().zip(from.iter().zip(to));
    let parts = parts.filter(|(_, (a, b))| a != b);
    parts.fold(f64::INFINITY, |least, (limit, (a, b))| {
        least.min(limit / (b - a).abs())
    })
}

fn at_speed(
    arguments: &Arguments,
    setting: &Setting<'_>,
    points: &[Vec<f64>],
) -> Result<TrapezoidalPlan, ArgumentError> {
    let accelerations = arguments.numbers("acceleration");
    if accelerations.is_empty() {
        return Err(ArgumentError {
            field: "acceleration",
            message: "it is required without `times`, one value per joint".to_owned(),
        });
    }
    let mut rates = arguments.numbers("rate");
    if rates.is_empty() {
        rates = setting.joints.iter().map(|limits| limits.rate).collect();
    }
    let way = |pair: &[Vec<f64>]| {
        let speed = least(&rates, &pair[0], &pair[1]);
        let acceleration = least(&accelerations, &pair[0], &pair[1]);
        if acceleration.is_infinite() {
            (0.0, 0.0)
        } else if speed * speed >= acceleration {
            let ramp = 1.0 / acceleration.sqrt();
            (2.0 * ramp, ramp)
        } else {
            let ramp = speed / acceleration;
            (ramp + 1.0 / speed, ramp)
        }
    };
    let ways: Vec<(f64, f64)> = points.windows(2).map(way).collect();
    for (total, _) in ways.iter().filter(|(total, _)| *total > 0.0) {
        check_duration("acceleration", *total)?;
    }
    Ok(TrapezoidalPlan { begin: 0.0, ways })
}

fn in_time(arguments: &Arguments, points: &[Vec<f64>]) -> Result<TrapezoidalPlan, ArgumentError> {
    let (_, times) = points_in_time(arguments)?;
    let accelerations = arguments.numbers("acceleration");
    let rates = arguments.numbers("rate");
    let mut ways = Vec::with_capacity(points.len() - 1);
    for (k, pair) in points.windows(2).enumerate() {
        let total = times[k + 1] - times[k];
        let way = format!("from {} s to {} s", times[k], times[k + 1]);
        let ramp = if accelerations.is_empty() {
            total / 3.0
        } else {
            let acceleration = least(&accelerations, &pair[0], &pair[1]);
            let square = total * total - 4.0 / acceleration;
            if square < -1e-12 * total * total {
                let needed = 2.0 / acceleration.sqrt();
                return Err(ArgumentError {
                    field: "times",
                    message: format!("{way}: the accelerations require at least {needed:.6} s"),
                });
            }
            0.5 * (total - square.max(0.0).sqrt())
        };
        let speed = least(&rates, &pair[0], &pair[1]);
        if 1.0 / (total - ramp) > speed * (1.0 + 1e-12) {
            return Err(ArgumentError {
                field: "times",
                message: format!("{way}: a joint exceeds its `rate`; allow more time"),
            });
        }
        ways.push((total, ramp));
    }
    Ok(TrapezoidalPlan {
        begin: times[0],
        ways,
    })
}

impl TrapezoidalPlan {
    /// One segment that starts at time zero.
    pub(super) fn one(duration: f64, ramp: f64) -> Self {
        TrapezoidalPlan {
            begin: 0.0,
            ways: vec![(duration, ramp)],
        }
    }

    pub(super) fn pieces(&self, points: &[Vec<f64>]) -> Pieces {
        let joints = points[0].len();
        let mut breaks = vec![self.begin];
        let mut coefficients = Vec::new();
        let mut time = self.begin;
        for (pair, &(total, ramp)) in points.windows(2).zip(&self.ways) {
            if total == 0.0 {
                continue;
            }
            let speed = 1.0 / (total - ramp);
            let cruise = total - 2.0 * ramp;
            // distance covered in half of a ramp at full velocity
            let part = 0.5 * speed * ramp;
            let mut add = |until: f64, s: [f64; 3]| {
                breaks.push(until);
                for joint in 0..joints {
                    let (from, way) = (pair[0][joint], pair[1][joint] - pair[0][joint]);
                    coefficients.extend([from + way * s[0], way * s[1], way * s[2]]);
                }
            };
            add(time + ramp, [0.0, 0.0, part]);
            if cruise > 1e-12 * total {
                add(time + ramp + cruise, [part, speed * cruise, 0.0]);
            }
            add(time + total, [1.0 - part, 2.0 * part, -part]);
            time += total;
        }
        if breaks.len() == 1 {
            return Pieces::resting(points[0].clone(), self.begin);
        }
        Pieces::new(joints, breaks, 3, coefficients, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::FieldValue;
    use crate::model::{JointLimits, Space};

    fn made(
        points: &[[f64; 2]],
        fields: &[(&'static str, &[f64])],
    ) -> Result<Arc<dyn Trajectory>, ArgumentError> {
        let points = points.iter().map(|p| p.to_vec()).collect();
        let mut arguments =
            Arguments::new(Space::Planar).with("points", FieldValue::Points(points));
        for (name, numbers) in fields {
            arguments.set(name, FieldValue::Numbers(numbers.to_vec()));
        }
        let limits = JointLimits {
            rate: 2.0,
            ..JointLimits::NONE
        };
        let setting = Setting {
            joints: vec![limits; 2],
            start: 0.0,
            robot: Err(String::new()),
        };
        Trapezoidal::build(&arguments, &setting)
    }

    #[test]
    fn the_slowest_joint_determines_the_duration_and_all_arrive_together() {
        // joint 0: 3 at velocity 1 and acceleration 2; joint 1 has a shorter displacement
        let fields: &[(&'static str, &[f64])] =
            &[("rate", &[1.0, 1.0]), ("acceleration", &[2.0, 2.0])];
        let motion = made(&[[0.0, 0.0], [3.0, -1.0]], fields).unwrap();
        // T = d/v + v/a
        assert!((motion.duration() - 3.5).abs() < 1e-14);
        assert_eq!(motion.corners(), [0.0, 0.5, 3.0, 3.5]);
        let middle = motion.joint(0, 1.75);
        assert!((middle.value - 1.5).abs() < 1e-14 && (middle.rate - 1.0).abs() < 1e-14);
        assert!((motion.joint(0, 0.2).curvature - 2.0).abs() < 1e-13);
        assert!((motion.joint(1, 1.75).value + 0.5).abs() < 1e-14);
        assert!((motion.joint(0, 9.0).value - 3.0).abs() < 1e-14);
    }

    #[test]
    fn a_short_displacement_has_a_triangular_velocity_profile() {
        let motion = made(&[[0.0, 0.0], [0.5, 0.5]], &[("acceleration", &[2.0, 2.0])]).unwrap();
        // T = 2 √(d/a), peak √(d a) below the limit of 2
        assert!((motion.duration() - 1.0).abs() < 1e-14);
        assert!((motion.joint(0, 0.5 - 1e-12).rate - 1.0).abs() < 1e-9);
        assert_eq!(motion.corners(), [0.0, 0.5, 1.0]);
    }

    #[test]
    fn velocity_limits_of_the_joints_apply_if_none_are_given() {
        let motion = made(&[[0.0, 0.0], [8.0, 1.0]], &[("acceleration", &[4.0, 4.0])]).unwrap();
        assert!((motion.duration() - 4.5).abs() < 1e-14);
        assert!((motion.joint(0, 2.0).rate - 2.0).abs() < 1e-14);
    }

    #[test]
    fn given_times_are_kept_or_rejected() {
        let points = [[0.0, 0.0], [1.0, 0.5], [0.0, 0.0]];
        let times: (&'static str, &[f64]) = ("times", &[0.5, 2.0, 3.0]);
        let motion = made(&points, &[times]).unwrap();
        assert!((motion.duration() - 3.0).abs() < 1e-14);
        assert!((motion.joint(0, 2.0).value - 1.0).abs() < 1e-14);
        // ramps of a third: ṡ = 1.5/T
        assert!((motion.joint(0, 1.25).rate - 1.0).abs() < 1e-13);
        let fast = made(&points, &[times, ("acceleration", &[3.9, 3.9])]).unwrap_err();
        assert_eq!(fast.field, "times");
        assert!(fast.message.contains("from 2 s to 3 s"), "{}", fast.message);
        let just = made(&points, &[times, ("acceleration", &[4.0, 4.0])]).unwrap();
        assert!((just.joint(0, 2.25).curvature + 4.0).abs() < 1e-9);
        assert!(made(&points, &[times, ("rate", &[1.2, 9.0])]).is_err());
        assert_eq!(made(&points, &[]).unwrap_err().field, "acceleration");
    }
}
