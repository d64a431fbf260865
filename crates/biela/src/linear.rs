//! Linear models of a job.

use std::sync::Arc;

use biela_core::analysis::{
    LinearModelRequest, Linearization, LinearizeError, Mode, RunFailure, Simulation, Statics,
    StaticsError, linearize as expand, modes,
};
use biela_core::element::ArgumentError;
use biela_core::math::NoSpectrum;
use biela_core::system::System;

use crate::{Job, MOST_MEMORY, RunError, assemble_within};

/// The operating point of a linearization.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OperatingPoint {
    /// The assembled initial configuration.
    Start,
    /// The static equilibrium found from the initial configuration.
    Equilibrium,
    /// The state of a run at this time.
    Time(f64),
}

/// A linear model with its modes and its nonlinear system.
pub struct LinearizedModel {
    /// The nonlinear system.
    pub system: Arc<dyn System>,
    /// The matrices.
    pub model: Linearization,
    /// Zero modes first, then by natural frequency.
    pub modes: Vec<Mode>,
    /// Notes on the assembled initial configuration.
    pub notes: Vec<String>,
}

/// An error of a linearization.
#[derive(Clone, PartialEq)]
pub enum LinearError {
    /// The model cannot be assembled.
    Start(RunError),
    /// The method or integrator rejects its fields.
    Study(ArgumentError),
    /// No equilibrium was found.
    Statics(StaticsError),
    /// The run failed before the requested time.
    Run(RunFailure),
    /// An event ended the run before the requested time.
    Ended {
        /// The time reached.
        time: f64,
    },
    /// The linear model does not exist at this state.
    Linearize(LinearizeError),
    /// The eigenvalue computation failed.
    Spectrum(NoSpectrum),
}

impl std::fmt::Display for LinearError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LinearError::Start(error) => error.fmt(f),
            LinearError::Study(error) => error.fmt(f),
            LinearError::Statics(error) => error.fmt(f),
            LinearError::Run(error) => error.fmt(f),
            LinearError::Ended { time } => {
                write!(
                    f,
                    "an event ended the run at t = {time:.6} s, before the requested time; choose an earlier time"
                )
            }
            LinearError::Linearize(error) => error.fmt(f),
            LinearError::Spectrum(error) => error.fmt(f),
        }
    }
}

biela_core::readable_errors!(LinearError);

/// Linearizes the model of a job and computes its modes.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("pendulum.toml");
/// # std::fs::write(&path, include_str!("../templates/pendulum.toml"))?;
/// use biela::{OperatingPoint, core::analysis::LinearModelRequest};
///
/// let linear = biela::linearize(biela::load(&path)?, OperatingPoint::Start, &LinearModelRequest::default())?;
/// assert_eq!(linear.modes.len(), 1);
/// # Ok(())
/// # }
/// ```
pub fn linearize(
    job: Job,
    at: OperatingPoint,
    request: &LinearModelRequest,
) -> Result<LinearizedModel, LinearError> {
    let mut study = job.study_or_start();
    let mut assembled =
        assemble_within(job.model, study.formulation, MOST_MEMORY).map_err(LinearError::Start)?;
    let notes = std::mem::take(&mut assembled.notes);
    let (system, state, active) = match at {
        OperatingPoint::Start => (assembled.system, assembled.state, assembled.active),
        OperatingPoint::Equilibrium => {
            let found = Statics::new(&assembled).settle();
            let state = found.map_err(LinearError::Statics)?.state;
            (assembled.system, state, assembled.active)
        }
        OperatingPoint::Time(time) => {
            study.duration = time;
            let simulation = Simulation::new(assembled, &study).map_err(LinearError::Study)?;
            run_to(simulation, time)?.into_parts()
        }
    };
    let model =
        expand(system.as_ref(), &state, &active, request).map_err(LinearError::Linearize)?;
    let modes = modes(&model).map_err(LinearError::Spectrum)?;
    Ok(LinearizedModel {
        system,
        model,
        modes,
        notes,
    })
}

/// Runs a simulation to a time.
fn run_to(mut simulation: Simulation, time: f64) -> Result<Simulation, LinearError> {
    let _ = simulation.run(&mut ()).map_err(LinearError::Run)?;
    let reached = simulation.state().time;
    if reached < time {
        return Err(LinearError::Ended { time: reached });
    }
    Ok(simulation)
}
