//! Trajectories: one file each, and one line in `trajectories!` below. What most of them come down to, piecewise polynomials, is shared.

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
use crate::element::{ArgumentError, Arguments, Info};
use crate::model::{Limits, Space};
use crate::robot::Robot;

/// Trajectories make sense in both spaces.
const EVERYWHERE: &[Space] = &[Space::Planar, Space::Spatial];

/// A trajectory has at most this many points.
pub const MOST_POINTS: usize = 100_000;

/// Times are told apart down to this many seconds.
const LEAST_TIME: f64 = 1e-9;

/// What a trajectory is made for.
#[derive(Clone, Debug)]
pub struct Setting<'a> {
    /// The limits of the joints it moves, in their order.
    pub joints: Vec<Limits>,
    /// When it begins.
    pub start: f64,
    /// The robot, where the joints are all that moves it; otherwise why it cannot be used.
    pub robot: Result<&'a Robot, String>,
}

/// What a kind of trajectory provides.
pub trait TrajectoryKind {
    /// Name, fields and summary.
    const INFO: Info;
    /// How many derivatives are continuous between its ends.
    const CONTINUITY: usize;
    /// Makes the trajectory.
    fn build(
        arguments: &Arguments,
        setting: &Setting<'_>,
    ) -> Result<Arc<dyn Trajectory>, ArgumentError>;
}

/// Makes the list of all trajectories from one line a trajectory.
macro_rules! trajectories {
    ($($module:ident :: $name:ident),* $(,)?) => {
        $(mod $module; pub use $module::$name;)*

        /// The descriptions of all trajectories, in the order of the list.
        pub const TRAJECTORIES: &[Info] = &[$(<$name as TrajectoryKind>::INFO),*];

        /// How many derivatives are continuous between the ends, in the order of the list.
        pub const CONTINUITIES: &[usize] = &[$(<$name as TrajectoryKind>::CONTINUITY),*];

        /// Makes a trajectory by its word in the model file; `None` when there is no such trajectory.
        pub fn build(
            kind: &str,
            arguments: &Arguments,
            setting: &Setting<'_>,
        ) -> Option<Result<Arc<dyn Trajectory>, ArgumentError>> {
            $(
                let info = <$name as TrajectoryKind>::INFO;
                if info.name == kind || info.aliases.contains(&kind) {
                    return Some(<$name as TrajectoryKind>::build(arguments, setting));
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

/// The field `points`: two at least.
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

/// The fields `points` and `times`: a time each, increasing.
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

/// Whether times increase, by what can be told apart.
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

/// Whether a duration can be worked with.
fn check_duration(field: &'static str, duration: f64) -> Result<(), ArgumentError> {
    if duration >= LEAST_TIME {
        return Ok(());
    }
    let message = format!("it is {duration:e} s; use 1 ns or more");
    Err(ArgumentError { field, message })
}
