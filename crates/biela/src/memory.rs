//! Runs whose results stay in memory.

use std::ops::ControlFlow;

use biela_core::analysis::{
    Analysis, AssembleError, Assembled, Equilibrium, Formulation, Observer, Progress, RunFailure,
    Simulation, Stability, Statics, StaticsError, Statistics, Stop, Study, assemble, least_memory,
};
use biela_core::element::ArgumentError;
use biela_core::model::{Event, EventAction, Model};
use biela_core::system::{Channel, Instant, SingularPose};
use biela_model::lower::Parameters;
use biela_record::{RecordError, RunStatus};
use serde_json::Value;

use crate::{Job, ResultsRow, RowMonitor, evidence, rows};

/// The results of a run.
#[derive(Clone, Debug)]
pub struct Run {
    /// The reason why the run ended; after a failure the results extend to the time reached.
    pub ended: Result<Stop, RunFailure>,
    /// Cost and error figures.
    pub statistics: Statistics,
    /// Time and name of each event, the first [`MOST_EVENTS`] of them.
    pub events: Vec<(f64, String)>,
    /// Events beyond those that are listed.
    pub events_not_listed: u64,
    /// Singular poses on the way, or at which it stopped; the first [`MOST_POSES`] of them.
    pub singular_poses: Vec<SingularPose>,
    /// Singular poses beyond those that are listed.
    pub singular_poses_not_listed: u64,
    /// The equilibria of a study of statics: one a row.
    pub equilibria: Vec<Equilibrium>,
    /// Warnings about values that are not finite and about unreliable forces.
    pub warnings: Vec<String>,
    /// The integrator has numerical damping.
    pub damps: bool,
    /// The results of assembly, as `biela check --json` prints them.
    pub start: Value,
    channels: Vec<Channel>,
    times: Vec<f64>,
    values: Vec<f64>,
}

impl Run {
    /// The recorded signals, in the order of the columns.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// The output times.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The values, row by row, with one value per channel.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Moves output times and values out of the run without a copy.
    pub fn take_table(&mut self) -> (Vec<f64>, Vec<f64>) {
        (
            std::mem::take(&mut self.times),
            std::mem::take(&mut self.values),
        )
    }

    /// Warnings about the reliability of the results: figures out of bounds, and [`Run::warnings`].
    pub fn doubts(&self) -> Vec<String> {
        let mut doubts = evidence::doubts(&self.statistics, self.damps);
        doubts.extend(self.warnings.iter().cloned());
        doubts.extend(evidence::velocity_jumps(&self.singular_poses));
        doubts
    }

    /// Returns the values of a signal at the output times.
    pub fn column(&self, name: &str) -> Option<Vec<f64>> {
        let index = self.channels.iter().position(|c| c.name == name)?;
        let rows = self.values.chunks_exact(self.channels.len());
        Some(rows.map(|row| row[index]).collect())
    }
}

/// Events that results list; more are counted, so that a run of millions of events takes bounded memory.
pub const MOST_EVENTS: usize = 10_000;
/// Singular poses that results list; more are counted.
pub const MOST_POSES: usize = 1_000;

/// Adds to a list that has room for so many, and counts what comes beyond.
pub fn note<T>((list, more): (&mut Vec<T>, &mut u64), most: usize, make: impl FnOnce() -> T) {
    if list.len() < most {
        list.push(make());
    } else {
        *more += 1;
    }
}

/// Why a job could not be started.
#[derive(Clone, Debug, PartialEq)]
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

impl std::error::Error for RunError {}

/// Memory of so many rows, their times included.
fn row_bytes(rows: f64, signals: usize) -> f64 {
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

/// An observer of a run in memory, which may stop it.
pub trait Onlooker {
    /// Called after assembly; `about` contains the description of the model and its parameters.
    fn begin(&mut self, _assembled: &Assembled, _about: (&str, &Parameters)) {}

    /// Called at the instant of a row, before [`Onlooker::row`].
    fn look(&mut self, _instant: &Instant<'_>) {}

    /// Called after a row was recorded.
    fn row(&mut self, _time: f64, _values: &[f64]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called after a step was accepted.
    fn step(&mut self, _progress: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called when an event occurs, even if the list of events is full.
    fn event(&mut self, _name: &str, _time: f64) {}
}

impl Onlooker for () {}

struct Memory<'o> {
    onlooker: &'o mut dyn Onlooker,
    row: ResultsRow,
    watch: RowMonitor,
    times: Vec<f64>,
    values: Vec<f64>,
    events: (Vec<(f64, String)>, u64),
    singular_poses: (Vec<SingularPose>, u64),
    /// Whether a row could not be allocated.
    full: bool,
}

impl Observer for Memory<'_> {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        let (time, values) = self.row.at(instant);
        self.watch.look(instant, values);
        let bytes = row_bytes(self.times.len() as f64 + 1.0, values.len());
        let room =
            self.times.try_reserve(1).is_ok() && self.values.try_reserve(values.len()).is_ok();
        if !room || bytes > MOST_MEMORY {
            self.full = true;
            return ControlFlow::Break(());
        }
        self.times.push(time);
        self.values.extend_from_slice(values);
        self.onlooker.look(instant);
        self.onlooker.row(time, values)
    }

    fn step(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.onlooker.step(progress)
    }

    fn event(&mut self, event: &Event, instant: &Instant<'_>) {
        let time = instant.context().time();
        self.onlooker.event(&event.name, time);
        let (list, more) = &mut self.events;
        note((list, more), MOST_EVENTS, || (time, event.name.clone()));
    }

    fn singular_pose(&mut self, pose: &SingularPose) {
        let (list, more) = &mut self.singular_poses;
        note((list, more), MOST_POSES, || pose.clone());
    }
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

/// Does the same as [`start`] with a memory limit in bytes.
pub fn start_within(model: Model, study: &Study, most: f64) -> Result<Assembled, RunError> {
    let mut assembled = assemble_within(model, study.formulation, most)?;
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

/// The status of a run for its manifest. `problem` is the reason why a row could not be written at the time `reached`.
pub fn status(
    ended: &Result<Stop, RunFailure>,
    problem: Option<&RecordError>,
    reached: f64,
) -> RunStatus {
    match (ended, problem) {
        (_, Some(problem)) => RunStatus::Failed {
            message: problem.to_string(),
            time: reached,
        },
        (Ok(Stop::Finished), _) => RunStatus::Finished,
        (Ok(Stop::Event { name, time }), _) => RunStatus::Event {
            name: name.clone(),
            time: *time,
        },
        (Ok(Stop::Interrupted { .. }), _) => RunStatus::Interrupted,
        (Err(failure), _) => RunStatus::Failed {
            message: failure.to_string(),
            time: failure.time,
        },
    }
}

/// Assembles and runs a job; the results stay in memory.
pub fn run(job: Job) -> Result<Run, RunError> {
    let study = job.study_or_start();
    check_table(&job, &study)?;
    run_watched(job, &study, &mut ())
}

/// Refuses a run in memory whose results memory cannot hold, unless an event may end it earlier.
pub fn check_table(job: &Job, study: &Study) -> Result<(), RunError> {
    let stops = |event: &Event| event.action == EventAction::Stop;
    if job.model.events.iter().any(stops) {
        return Ok(());
    }
    table_fits(rows(study), job.outputs.channels.len())
}

/// The same with a study of one's own, and somebody who looks on.
pub fn run_watched(job: Job, study: &Study, onlooker: &mut dyn Onlooker) -> Result<Run, RunError> {
    let Job {
        model,
        outputs,
        description,
        parameters,
        ..
    } = job;
    let assembled = start(model, study)?;
    onlooker.begin(&assembled, (&description, &parameters));
    let told = evidence::start(&assembled);
    let mut memory = Memory {
        onlooker,
        row: ResultsRow::new(&outputs.channels),
        watch: RowMonitor::new(&outputs.channels),
        times: Vec::new(),
        values: Vec::new(),
        events: (Vec::new(), 0),
        singular_poses: (Vec::new(), 0),
        full: false,
    };
    let (ended, statistics, equilibria);
    let (mut caution, mut damps, mut passed_over) = (None, false, None);
    if let Analysis::Statics {
        start_points,
        load_steps,
        tolerance,
    } = study.analysis
    {
        let mut statics = Statics::new(&assembled).with_tolerance(tolerance);
        equilibria = (statics.solve(start_points, load_steps)).map_err(RunError::Statics)?;
        for found in &equilibria {
            let seen = statics.show(found, &mut memory);
            if seen.map_err(RunError::Statics)?.is_break() {
                break;
            }
        }
        (ended, statistics) = (Ok(Stop::Finished), Statistics::default());
    } else {
        let mut simulation = Simulation::new(assembled, study).map_err(RunError::Study)?;
        ended = simulation.run(&mut memory);
        (caution, damps) = (simulation.caution(), simulation.damps());
        passed_over = simulation.passed_over();
        (statistics, equilibria) = (simulation.statistics(), Vec::new());
    }
    if memory.full {
        return Err(RunError::TableTooLarge {
            rows: memory.times.len() as f64,
            signals: outputs.channels.len(),
        });
    }
    let mut warnings = memory.watch.into_warnings();
    warnings.extend(caution.map(str::to_owned));
    warnings.extend(passed_over);
    warnings.extend(evidence::unresolved(&statistics, &outputs.channels));
    Ok(Run {
        ended,
        statistics,
        equilibria,
        events: memory.events.0,
        events_not_listed: memory.events.1,
        singular_poses: memory.singular_poses.0,
        singular_poses_not_listed: memory.singular_poses.1,
        warnings,
        damps,
        start: told,
        channels: outputs.channels,
        times: memory.times,
        values: memory.values,
    })
}
