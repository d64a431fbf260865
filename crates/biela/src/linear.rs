//! Linear models of a job.

use std::ops::ControlFlow;

use biela_core::analysis::{
    Failure, Linearization, LinearizeError, Mode, Observer, Request, Simulation, Statics,
    StaticsError, linearize as expand, modes,
};
use biela_core::element::ArgumentError;
use biela_core::math::NoSpectrum;
use biela_core::system::{Instant, System};

use crate::{Job, MOST_MEMORY, RunError, assemble_within};

/// Where a model is linearised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum At {
    /// The assembled start.
    Start,
    /// The equilibrium at rest that the start leads to.
    Equilibrium,
    /// The state of a run at this time.
    Time(f64),
}

/// A linear model with its modes and the system it was made of.
pub struct Linear {
    /// The system.
    pub system: Box<dyn System>,
    /// The matrices.
    pub model: Linearization,
    /// Zeros first, then by natural frequency.
    pub modes: Vec<Mode>,
    /// What is to be said of the assembled start.
    pub notes: Vec<String>,
}

/// Why a job has no linear model.
#[derive(Clone, Debug, PartialEq)]
pub enum LinearError {
    /// The model cannot be assembled.
    Start(RunError),
    /// The method or integrator does not take what it was given.
    Study(ArgumentError),
    /// There is no equilibrium.
    Statics(StaticsError),
    /// The run did not come so far.
    Run(Failure),
    /// An event ended the run before.
    Ended {
        /// The time reached.
        time: f64,
    },
    /// There is none at the state.
    Linearize(LinearizeError),
    /// Its eigenvalues cannot be computed.
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
                    "an event ended the run at t = {time:.6} s, before the time asked for"
                )
            }
            LinearError::Linearize(error) => error.fmt(f),
            LinearError::Spectrum(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LinearError {}

/// Looks at nothing.
struct Unobserved;

impl Observer for Unobserved {
    fn sample(&mut self, _: &Instant<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Linearises a job's model and computes its modes.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("pendulum.toml");
/// # std::fs::write(&path, include_str!("../templates/pendulum.toml"))?;
/// use biela::{At, core::analysis::Request};
///
/// let linear = biela::linearize(biela::load(&path)?, At::Start, &Request::default())?;
/// assert_eq!(linear.modes.len(), 1);
/// # Ok(())
/// # }
/// ```
pub fn linearize(job: Job, at: At, request: &Request) -> Result<Linear, LinearError> {
    let mut study = job.study_or_start();
    let mut assembled =
        assemble_within(job.model, study.formulation, MOST_MEMORY).map_err(LinearError::Start)?;
    let notes = std::mem::take(&mut assembled.notes);
    let (system, state, active) = match at {
        At::Start => (assembled.system, assembled.state, assembled.active),
        At::Equilibrium => {
            let found = Statics::new(&assembled).settle();
            let state = found.map_err(LinearError::Statics)?.state;
            (assembled.system, state, assembled.active)
        }
        At::Time(time) => {
            study.duration = time;
            let simulation = Simulation::new(assembled, &study).map_err(LinearError::Study)?;
            run_to(simulation, time)?.into_parts()
        }
    };
    let model =
        expand(system.as_ref(), &state, &active, request).map_err(LinearError::Linearize)?;
    let modes = modes(&model).map_err(LinearError::Spectrum)?;
    Ok(Linear {
        system,
        model,
        modes,
        notes,
    })
}

/// Runs a simulation to a time.
fn run_to(mut simulation: Simulation, time: f64) -> Result<Simulation, LinearError> {
    let _ = simulation.run(&mut Unobserved).map_err(LinearError::Run)?;
    let reached = simulation.state().time;
    if reached < time {
        return Err(LinearError::Ended { time: reached });
    }
    Ok(simulation)
}
