//! The robot workbench: reference motions, inverse dynamics and its linearization, forward dynamics and closed-loop simulation.
//!
//! Each analysis returns a [`History`]: columns over time with the panels that show them.
//!
//! ```
//! use biela::robot::{RobotReference, feedforward};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let model = biela::load("../../examples/robots/scara/model.toml")?.model;
//! let mut reference = RobotReference::of(&model, None)?;
//! let forces = feedforward(&mut reference, &[0.0, 0.5]);
//! // the stroke carries the weight of the quill, 1.2 kg, and of the gripper, 0.8 kg
//! let weight = forces.column("stroke.gravity").ok_or("no such column")?;
//! assert!((weight[0].abs() - 2.0 * 9.81).abs() < 1e-9);
//! # Ok(())
//! # }
//! ```

mod excess;
mod feedforward;
#[cfg(feature = "plot")]
mod figures;
mod forward;
mod history;
mod identify;
mod linear;
mod parameters;
mod reference;
mod simulate;
mod table;

pub use excess::{Excess, effort_excesses};
pub use feedforward::feedforward;
pub use forward::{feedforward_laws, forward, start_on};
pub use history::{Chart, History};
pub use identify::{Identification, IdentifiedParameter, identify, payload};
pub use linear::{Linearized, linearize, linearize_at, sensitivities};
pub use parameters::{Identifiable, identifiable};
pub use reference::{RobotReference, start_of, trajectory};

pub use simulate::{put_to_work, simulate};
pub use table::MotionTable;

use biela_core::robot::RobotError;

use crate::RunError;

/// An error of a robot analysis.
#[derive(Clone, PartialEq)]
pub enum WorkbenchError {
    /// The model is not a robot of the required kind.
    Robot(RobotError),
    /// The model has no trajectory.
    NoTrajectory,
    /// The model has several trajectories, or none with this name.
    Which {
        /// The requested name.
        asked: Option<String>,
        /// The available names.
        known: Vec<String>,
    },
    /// A trajectory has no end.
    Endless {
        /// Its name.
        trajectory: String,
    },
    /// The mass matrix is singular.
    NoInverse {
        /// The time, if along a motion.
        time: Option<f64>,
    },
    /// A run could not be started.
    Run(Box<RunError>),
    /// Another error, described in a sentence.
    Other(String),
}

impl From<RobotError> for WorkbenchError {
    fn from(error: RobotError) -> Self {
        WorkbenchError::Robot(error)
    }
}

impl std::fmt::Display for WorkbenchError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |names: &[String]| {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            names.join(", ")
        };
        match self {
            WorkbenchError::Robot(error) => error.fmt(f),
            WorkbenchError::NoTrajectory => write!(
                f,
                "the model has no trajectory; add [[trajectory]] with a name, a type, e.g. \"quintic\", and its points"
            ),
            WorkbenchError::Which { asked: None, known } => write!(
                f,
                "the model has several trajectories, {}; name one",
                list(known)
            ),
            WorkbenchError::Which {
                asked: Some(asked),
                known,
            } => write!(
                f,
                "the model has no trajectory `{asked}`, only {}",
                list(known)
            ),
            WorkbenchError::Endless { trajectory } => {
                write!(f, "trajectory `{trajectory}` has no end; give an end time")
            }
            WorkbenchError::NoInverse { time } => {
                let at =
                    time.map_or_else(|| "in this pose".to_owned(), |t| format!("at t = {t} s"));
                write!(
                    f,
                    "the mass matrix {at} is not positive definite; check masses and inertias"
                )
            }
            WorkbenchError::Run(error) => error.fmt(f),
            WorkbenchError::Other(text) => f.write_str(text),
        }
    }
}

biela_core::readable_errors!(WorkbenchError);
