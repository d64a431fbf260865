//! The start of a study: assembly within a memory limit.

use biela_core::analysis::{
    Analysis, AssembleError, Assembled, Formulation, Simulation, Stability, StaticsError, Study,
    assemble, least_memory,
};
use biela_core::element::ArgumentError;
use biela_core::model::Model;

/// Why a job could not be started.
#[derive(Clone, PartialEq)]
pub enum RunError {
    /// The model cannot be assembled.
    Assemble(AssembleError),
    /// The method or integrator rejects its fields.
    Study(ArgumentError),
    /// No equilibrium was found.
    Statics(StaticsError),
    /// The equations exceed the memory limit.
    TooLarge {
        /// The minimum number of bytes required.
        needed: f64,
        /// The limit in bytes.
        most: f64,
        /// The formulation.
        formulation: Formulation,
    },
    /// The table of results does not fit into memory.
    TableTooLarge {
        /// Rows that it would have, or had when memory ran out.
        rows: f64,
        /// Signals per row.
        signals: usize,
    },
}

impl std::fmt::Display for RunError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RunError::Assemble(error) => error.fmt(f),
            RunError::Study(error) => error.fmt(f),
            RunError::Statics(error) => error.fmt(f),
            RunError::TooLarge {
                needed,
                most,
                formulation,
            } => {
                let [needed, most] = [*needed, *most].map(size);
                let cure = match formulation {
                    Formulation::Absolute => "reduce the model",
                    Formulation::Tree => {
                        "in joint coordinates the mass matrix of a chain is dense; use formulation = \"absolute\""
                    }
                };
                write!(
                    f,
                    "the equations need at least {needed} of memory; the limit is {most}: {cure}, or raise the limit"
                )
            }
            RunError::TableTooLarge { rows, signals } => {
                let [needed, most] = [row_bytes(*rows, *signals), MOST_MEMORY].map(size);
                write!(
                    f,
                    "{rows:.4e} rows of {signals} signals need {needed} of memory, which cannot be allocated or exceeds the limit of {most}: \
                     increase `output_step`, shorten the run, or record fewer signals"
                )
            }
        }
    }
}

biela_core::readable_errors!(RunError);

/// Memory of so many rows, their times included.
pub(crate) fn row_bytes(rows: f64, signals: usize) -> f64 {
    8.0 * rows * (1 + signals) as f64
}

/// Refuses a table of results that memory cannot hold, before anything is computed.
pub fn table_fits(rows: f64, signals: usize) -> Result<(), RunError> {
    let bytes = row_bytes(rows, signals);
    let fits = || Vec::<u8>::new().try_reserve_exact(bytes as usize).is_ok();
    if bytes > MOST_MEMORY || !fits() {
        return Err(RunError::TableTooLarge { rows, signals });
    }
    Ok(())
}

/// A number of bytes for people.
fn size(bytes: f64) -> String {
    let units = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    let unit = units.iter().find(|(unit, _)| bytes >= *unit);
    unit.map_or_else(
        || format!("{bytes:.0} B"),
        |(unit, name)| format!("{:.1} {name}", bytes / unit),
    )
}

/// The default memory limit for the equations of a model, in bytes.
pub const MOST_MEMORY: f64 = 4e9;

/// Assembles a model with a memory limit in bytes.
pub fn assemble_within(
    model: Model,
    formulation: Formulation,
    most: f64,
) -> Result<Assembled, RunError> {
    let needed = least_memory(&model, formulation);
    if needed > most {
        return Err(RunError::TooLarge {
            needed,
            most,
            formulation,
        });
    }
    assemble(model, formulation).map_err(RunError::Assemble)
}

/// The beginning of the note that a run starts at an equilibrium because its study requires it.
pub const AT_EQUILIBRIUM: &str = "the start is an equilibrium";

/// Returns the initial state of a study: the model assembled, and moved to its equilibrium if the study requires that.
pub fn start(model: Model, study: &Study) -> Result<Assembled, RunError> {
    start_within(model, study, MOST_MEMORY)
}

/// Returns the simulation of a model at the start of its study, to be stepped or run.
///
/// ```
/// use biela::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut model = Model::new("stone", Space::Planar);
/// model.gravity = Vec3::new(0.0, -9.81, 0.0);
/// model.add_body(Body::new("stone", MassProperties::planar(1.0, [0.0, 0.0], 0.1)?));
/// let mut simulation = biela::simulate(model, &Study::new(Space::Planar, 1.0, 0.1))?;
/// assert_eq!(simulation.advance(0.25)?, Stop::Finished);
/// assert_eq!(simulation.time(), 0.25);
/// # Ok(())
/// # }
/// ```
pub fn simulate(model: Model, study: &Study) -> Result<Simulation, RunError> {
    Simulation::new(start(model, study)?, study).map_err(RunError::Study)
}

/// Assembles a model for a study with a memory limit in bytes, and moves bodies apart if the study requires that.
pub fn assemble_for(model: Model, study: &Study, most: f64) -> Result<Assembled, RunError> {
    let mut assembled = assemble_within(model, study.formulation, most)?;
    if study.resolve_penetration {
        assembled
            .resolve_penetrations()
            .map_err(RunError::Assemble)?;
    }
    Ok(assembled)
}

/// Does the same as [`start`] with a memory limit in bytes.
pub fn start_within(model: Model, study: &Study, most: f64) -> Result<Assembled, RunError> {
    let mut assembled = assemble_for(model, study, most)?;
    if study.analysis == Analysis::MotionFromEquilibrium {
        let found = assembled.settle().map_err(RunError::Statics)?;
        assembled.notes.push(match (found.stability, found.mover) {
            (Stability::Unstable, Some(mover)) => {
                format!("the start is an unstable equilibrium: `{mover}` departs from it under any perturbation")
            }
            (stability, _) => format!("{AT_EQUILIBRIUM}: {}", stability.word()),
        });
    }
    Ok(assembled)
}
