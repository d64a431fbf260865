//! Reference trajectories. Each is one file and one line in the list `trajectories!`. Most of them are converted to piecewise polynomials, which they share.
//!
//! ```
//! use biela_core::control::trajectories::{Setting, Trapezoidal};
//! use biela_core::model::JointLimits;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let setting = Setting {
//!     joints: vec![JointLimits::NONE],
//!     start: 0.0,
//!     robot: Err("no robot".to_owned()),
//! };
//! let ramp = Trapezoidal::new([0.0, 1.0]).rate(0.5).acceleration(1.0).build_trajectory(&setting)?;
//! assert_eq!(ramp.duration(), 2.5);
//! assert_eq!(ramp.joint(0, 1.25).rate, 0.5);
//! # Ok(())
//! # }
//! ```

mod check;
mod follow;
mod pieces;
#[cfg(test)]
mod suite;
mod through;

pub use check::{Bound, Violation, rate_jump, violations};
pub use pieces::Pieces;

use std::sync::Arc;

use super::Trajectory;
use crate::element::{ArgumentError, Arguments, FieldKind, FieldValue, Fields, Info};
use crate::model::{JointLimits, Space};
use crate::robot::Robot;

/// Trajectories apply to both spaces.
const EVERYWHERE: &[Space] = &[Space::Planar, Space::Spatial];

/// Largest number of points of a trajectory.
pub const MOST_POINTS: usize = 100_000;

/// Smallest difference between two times, in seconds.
const LEAST_TIME: f64 = 1e-9;

/// The context for which a trajectory is built.
#[derive(Clone, Debug)]
pub struct Setting<'a> {
    /// The limits of the joints it moves, in their order.
    pub joints: Vec<JointLimits>,
    /// Time at which it begins.
    pub start: f64,
    /// The robot, if these joints determine its motion; otherwise the reason why it cannot be used.
    pub robot: Result<&'a Robot, String>,
}

/// The interface that each trajectory type implements.
pub trait TrajectoryKind {
    /// Name, fields and summary.
    const INFO: Info;
    /// Number of continuous derivatives between its ends.
    const CONTINUITY: usize;
    /// Builds the trajectory from values checked and complete as by [`Info::complete`], with one number per joint.
    fn build(
        arguments: &Arguments,
        setting: &Setting<'_>,
    ) -> Result<Arc<dyn Trajectory>, ArgumentError>;
}

/// Generates the list of all trajectories from one line per trajectory.
macro_rules! trajectories {
    ($($module:ident :: $name:ident),* $(,)?) => {
        $(mod $module; pub use $module::$name;)*

        /// The descriptions of all trajectories, in the order of the list.
        pub const TRAJECTORIES: &[Info] = &[$(<$name as TrajectoryKind>::INFO),*];

        /// Numbers of continuous derivatives between the ends, in the order of the list.
        pub const CONTINUITIES: &[usize] = &[$(<$name as TrajectoryKind>::CONTINUITY),*];

        /// Builds the trajectory of type `kind`, as named in the model file; `None` if there is no such type.
        pub fn build(
            kind: &str,
            arguments: &Arguments,
            setting: &Setting<'_>,
        ) -> Option<Result<Arc<dyn Trajectory>, ArgumentError>> {
            $(
                let info = <$name as TrajectoryKind>::INFO;
                if info.name == kind || info.aliases.contains(&kind) {
                    let made = info.complete(arguments).and_then(|arguments| {
                        check_joints(&info, &arguments, setting.joints.len())?;
                        <$name as TrajectoryKind>::build(&arguments, setting)
                    });
                    return Some(made);
                }
            )*
            None
        }
    };
}

trajectories! {
    hold::Hold,
    cubic::Cubic,
    quintic::Quintic,
    septic::Septic,
    trapezoidal::Trapezoidal,
    spline::Spline,
    sinusoid::Sinusoid,
    line::Line,
    circle::Circle,
    file::Recorded,
    sequence::Sequence,
}

impl<K: TrajectoryKind> Fields<K> {
    /// Builds the trajectory. One number for several joints applies to each of them.
    /// [The module](crate::control) has an example, [`Model::add_trajectory`](crate::model::Model::add_trajectory) adds one to a model.
    ///
    /// # Errors
    ///
    /// A field is invalid, or the path cannot be followed.
    pub fn build_trajectory(
        self,
        setting: &Setting<'_>,
    ) -> Result<Arc<dyn Trajectory>, ArgumentError> {
        // trajectories exist in both spaces
        let given = self.into_arguments(Space::Spatial);
        let mut arguments = K::INFO.complete(&given)?.into_owned();
        for field in K::INFO.fields {
            let numbers = arguments.numbers(field.name);
            if let (FieldKind::PerJoint { .. }, [one]) = (field.kind, numbers.as_slice()) {
                arguments.set(field.name, vec![*one; setting.joints.len()]);
            }
        }
        check_joints(&K::INFO, &arguments, setting.joints.len())?;
        K::build(&arguments, setting)
    }
}

/// Returns the trajectory of joints that rest at zero.
pub(crate) fn resting(joints: usize) -> Arc<dyn Trajectory> {
    Arc::new(Pieces::resting(vec![0.0; joints], 0.0))
}

/// Checks that there is one number per joint wherever a field has several.
fn check_joints(info: &Info, arguments: &Arguments, joints: usize) -> Result<(), ArgumentError> {
    for field in info.fields {
        let wrong = match (field.kind, arguments.get(field.name)) {
            (FieldKind::PerJoint { .. }, Some(FieldValue::Numbers(numbers))) => {
                Some(numbers.len()).filter(|count| *count != joints)
            }
            (FieldKind::Points { .. }, Some(FieldValue::Points(rows))) => other(rows, joints),
            (FieldKind::Series, Some(FieldValue::Series(samples))) => {
                let tables = [&samples.positions, &samples.rates, &samples.accelerations];
                tables.into_iter().find_map(|rows| other(rows, joints))
            }
            _ => None,
        };
        if let Some(count) = wrong {
            return Err(ArgumentError {
                field: field.name,
                message: format!("{count} values for {joints} joints; give one per joint"),
            });
        }
    }
    Ok(())
}

/// The length of the first row that differs from `joints`.
fn other(rows: &[Vec<f64>], joints: usize) -> Option<usize> {
    rows.iter().map(Vec::len).find(|count| *count != joints)
}

/// Returns the field `points`: at least two.
fn way_points(arguments: &Arguments) -> Result<Vec<Vec<f64>>, ArgumentError> {
    let points = arguments.points("points");
    if (2..=MOST_POINTS).contains(&points.len()) {
        return Ok(points);
    }
    let message = format!(
        "there are {}; a way has two points at least, and {MOST_POINTS} at most",
        points.len()
    );
    Err(ArgumentError {
        field: "points",
        message,
    })
}

/// Returns the fields `points` and `times`: one time per point, increasing.
fn points_in_time(arguments: &Arguments) -> Result<(Vec<Vec<f64>>, Vec<f64>), ArgumentError> {
    let (points, times) = (way_points(arguments)?, arguments.numbers("times"));
    if times.len() != points.len() {
        return Err(ArgumentError {
            field: "times",
            message: format!("{} times for {} points", times.len(), points.len()),
        });
    }
    check_times(&times).map_err(|message| ArgumentError {
        field: "times",
        message,
    })?;
    Ok((points, times))
}

/// Checks that times increase by at least the smallest difference.
fn check_times(times: &[f64]) -> Result<(), String> {
    for pair in times.windows(2) {
        let apart = pair[1] - pair[0];
        if apart <= 0.0 || apart.is_nan() {
            return Err(format!("{} s is not after {} s", pair[1], pair[0]));
        }
        if apart < LEAST_TIME {
            return Err(format!(
                "{} s and {} s are less than 1 ns apart",
                pair[0], pair[1]
            ));
        }
    }
    Ok(())
}

/// Checks that a duration is valid.
fn check_duration(field: &'static str, duration: f64) -> Result<(), ArgumentError> {
    if duration >= LEAST_TIME {
        return Ok(());
    }
    let message = format!("it is {duration:e} s; use 1 ns or more");
    Err(ArgumentError { field, message })
}
