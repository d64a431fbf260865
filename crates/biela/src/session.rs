//! Sessions: a model at the start of its study, run for observers.

use std::ops::ControlFlow;

use biela_core::analysis::{
    Analysis, Assembled, Equilibrium, Observer, Observers, Progress, ResumeError, RunFailure,
    Simulation, Statics, StaticsError, Stop, Study,
};
use biela_core::keep::{Keep, Words};
use biela_core::model::{Event, EventAction, Model};
use biela_core::system::{Channel, Instant, SingularPose};
use biela_core::unilateral::unilaterals;

use crate::row_monitor::RowMonitor;
use crate::start::row_bytes;
use crate::{
    ContactSummary, Job, MOST_MEMORY, ResultsRow, Run, RunError, evidence, rows, start, table_fits,
};

/// Events that results list; more are counted, so that a run of millions of events takes bounded memory.
pub const MOST_EVENTS: usize = 10_000;
/// Singular poses that results list; more are counted.
pub const MOST_POSES: usize = 1_000;

/// An assembled model with its study: a simulation, or a search for equilibria.
///
/// A session runs the study for observers, whose instants have the row of the recorded signals, and collects events, singular poses and warnings on the way.
///
/// ```
/// use biela::Session;
/// use biela::core::analysis::on_output;
/// use biela::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut model = Model::new("stone", Space::Planar);
/// model.gravity = Vec3::new(0.0, -9.81, 0.0);
/// model.add_body(Body::new("stone", MassProperties::planar(1.0, [0.0, 0.0], 0.1)?));
/// let job = Job::of(model, Study::new(Space::Planar, 1.0, 0.1));
/// let study = job.study_or_start();
/// let session = Session::new(biela::start(job.model, &study)?, &study, &job.outputs.channels)?;
/// let mut rows = 0;
/// let run = session.run(&mut on_output(|instant| rows += usize::from(!instant.row.is_empty())))?;
/// assert_eq!((run.ended?, rows), (Stop::Finished, 11));
/// # Ok(())
/// # }
/// ```
pub struct Session {
    task: Task,
    log: SessionLog,
}

enum Task {
    Motion(Box<Simulation>),
    Statics(Box<StaticsTask>),
}

struct StaticsTask {
    assembled: Assembled,
    start_points: usize,
    load_steps: usize,
    tolerance: f64,
    /// Whether the equilibria have been searched.
    searched: bool,
}

impl Session {
    /// Creates the session of an assembled model; `channels` are the signals to record.
    pub fn new(
        assembled: Assembled,
        study: &Study,
        channels: &[Channel],
    ) -> Result<Self, RunError> {
        let space = assembled.system.model().space;
        study.check_space(space).map_err(RunError::Study)?;
        let mut log = SessionLog::new(channels);
        log.run.assembly_notes.clone_from(&assembled.notes);
        let task = if let Analysis::Statics {
            start_points,
            load_steps,
            tolerance,
        } = study.analysis
        {
            Task::Statics(Box::new(StaticsTask {
                assembled,
                start_points,
                load_steps,
                tolerance,
                searched: false,
            }))
        } else {
            let simulation = Simulation::new(assembled, study).map_err(RunError::Study)?;
            Task::Motion(Box::new(simulation))
        };
        Ok(Self { task, log })
    }

    /// The model.
    pub fn model(&self) -> &Model {
        match &self.task {
            Task::Motion(simulation) => simulation.model(),
            Task::Statics(task) => task.assembled.system.model(),
        }
    }

    /// The simulation; `None` in a study of statics.
    pub fn simulation(&mut self) -> Option<&mut Simulation> {
        match &mut self.task {
            Task::Motion(simulation) => Some(simulation),
            Task::Statics(_) => None,
        }
    }

    /// Time and name of the events so far, the first [`MOST_EVENTS`] of them.
    pub fn events(&self) -> &[(f64, String)] {
        &self.log.run.events
    }

    /// Restores a snapshot that [`Observer::between`] received from a session of the same model and study.
    pub fn restore(&mut self, snapshot: &[u64]) -> Result<(), ResumeError> {
        let parts = snapshot.split_first().and_then(|(length, rest)| {
            let length = usize::try_from(*length).ok()?;
            rest.split_at_checked(length)
        });
        let (Some((motion, log)), Task::Motion(simulation)) = (parts, &mut self.task) else {
            return Err(ResumeError::Misfit);
        };
        simulation.restore(motion)?;
        if Words::bring_back(log.to_vec(), &mut self.log) {
            Ok(())
        } else {
            Err(ResumeError::Misfit)
        }
    }

    /// Searches the equilibria of a study of statics before the run, and returns them with the reason why the search ended early. The run then shows those that
    /// were found. A motion has none.
    pub fn search(&mut self) -> (&[Equilibrium], Option<StaticsError>) {
        let lost = match &mut self.task {
            Task::Motion(_) => None,
            Task::Statics(task) => {
                let mut statics = Statics::new(&task.assembled).with_tolerance(task.tolerance);
                let (found, lost) = statics.solve_partly(task.start_points, task.load_steps);
                (self.log.run.equilibria, task.searched) = (found, true);
                lost
            }
        };
        (&self.log.run.equilibria, lost)
    }

    /// Runs the study to its end, to an event that stops it, to a failure, or until the observer breaks.
    ///
    /// # Errors
    ///
    /// If there is no equilibrium. A failure of a simulation is in [`Run::ended`].
    pub fn run(mut self, observer: &mut dyn Observer) -> Result<Run, RunError> {
        if let Task::Statics(task) = &self.task
            && !task.searched
            && let (_, Some(lost)) = self.search()
        {
            return Err(RunError::Statics(lost));
        }
        let Session { task, mut log } = self;
        match task {
            Task::Motion(mut simulation) => {
                let ended = simulation.run(&mut Logged {
                    log: &mut log,
                    observer,
                });
                let mut run = log.into_run(ended);
                run.statistics = simulation.statistics();
                let unilateral = !unilaterals(simulation.model()).is_empty();
                run.contacts = unilateral.then(|| {
                    ContactSummary::new(simulation.contact_statistics(), simulation.model())
                });
                run.reached = simulation.state().time;
                run.damps = simulation.damps();
                run.warnings.extend(simulation.caution().map(str::to_owned));
                run.warnings.extend(simulation.passed_over());
                let unresolved = evidence::unresolved(&run.statistics, &run.channels);
                run.warnings.extend(unresolved);
                run.notes = evidence::notes(&run.statistics);
                if run.ended.is_ok() {
                    let stiff = simulation.stiff_force();
                    run.notes.extend(stiff.as_ref().map(evidence::stiff));
                }
                Ok(run)
            }
            Task::Statics(task) => {
                let equilibria = std::mem::take(&mut log.run.equilibria);
                let shown = task.show(
                    &equilibria,
                    &mut Logged {
                        log: &mut log,
                        observer,
                    },
                );
                let mut run = log.into_run(Ok(shown.map_err(RunError::Statics)?));
                run.equilibria = equilibria;
                Ok(run)
            }
        }
    }

    /// Runs the study as [`Session::run`] does and keeps its rows in memory.
    pub fn run_in_memory(self, observer: &mut dyn Observer) -> Result<Run, RunError> {
        let mut table = RowTable::default();
        let mut run = self.run(&mut Observers(vec![&mut table, observer]))?;
        if table.full {
            return Err(RunError::TableTooLarge {
                rows: table.times.len() as f64,
                signals: run.channels.len(),
            });
        }
        (run.times, run.values) = (table.times, table.values);
        Ok(run)
    }
}

impl StaticsTask {
    /// Passes equilibria to an observer.
    fn show(
        &self,
        list: &[Equilibrium],
        observer: &mut dyn Observer,
    ) -> Result<Stop, StaticsError> {
        let mut statics = Statics::new(&self.assembled).with_tolerance(self.tolerance);
        for found in list {
            if statics.show(found, observer)?.is_break() {
                let time = found.state.time;
                return Ok(Stop::Interrupted { time });
            }
        }
        Ok(Stop::Finished)
    }
}

/// The results of a run as it goes on.
struct SessionLog {
    run: Run,
    row: ResultsRow,
    monitor: RowMonitor,
}

impl SessionLog {
    fn new(channels: &[Channel]) -> Self {
        Self {
            run: Run::new(channels.to_vec()),
            row: ResultsRow::new(channels),
            monitor: RowMonitor::new(channels),
        }
    }

    fn into_run(self, ended: Result<Stop, RunFailure>) -> Run {
        Run {
            ended,
            warnings: self.monitor.into_warnings(),
            ..self.run
        }
    }
}

impl Keep for SessionLog {
    fn keep(&mut self, words: &mut Words) {
        let run = &mut self.run;
        words.grown(&mut run.events);
        run.events_not_listed.keep(words);
        words.grown(&mut run.singular_poses);
        run.singular_poses_not_listed.keep(words);
        self.monitor.keep(words);
    }
}

/// Adds to a list that has room for so many, and counts what comes beyond.
fn note<T>(list: &mut Vec<T>, more: &mut u64, most: usize, item: impl FnOnce() -> T) {
    if list.len() < most {
        list.push(item());
    } else {
        *more += 1;
    }
}

/// Logs a run and passes it on, with the row of recorded signals.
struct Logged<'a> {
    log: &'a mut SessionLog,
    observer: &'a mut dyn Observer,
}

impl Observer for Logged<'_> {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        let (_, row) = self.log.row.at(instant);
        self.log.monitor.look(instant, row);
        self.observer.sample(&Instant { row, ..*instant })
    }

    fn step(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.observer.step(progress)
    }

    fn event(&mut self, event: &Event, instant: &Instant<'_>) {
        self.observer.event(event, instant);
        let run = &mut self.log.run;
        let item = || (instant.time(), event.name.clone());
        note(
            &mut run.events,
            &mut run.events_not_listed,
            MOST_EVENTS,
            item,
        );
    }

    fn singular_pose(&mut self, pose: &SingularPose) {
        self.observer.singular_pose(pose);
        let run = &mut self.log.run;
        let more = &mut run.singular_poses_not_listed;
        note(&mut run.singular_poses, more, MOST_POSES, || pose.clone());
    }

    /// Appends the log to the snapshot of the simulation, whose length precedes it.
    fn between(
        &mut self,
        progress: &Progress,
        words: &mut dyn FnMut() -> Vec<u64>,
    ) -> ControlFlow<()> {
        let log = &mut *self.log;
        self.observer.between(progress, &mut || {
            let motion = words();
            let length = motion.len() as u64;
            [&[length], motion.as_slice(), &Words::of(log)].concat()
        })
    }
}

/// Rows in memory.
#[derive(Default)]
struct RowTable {
    times: Vec<f64>,
    values: Vec<f64>,
    /// Whether a row could not be allocated.
    full: bool,
}

impl Observer for RowTable {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        let row = instant.row;
        let bytes = row_bytes(self.times.len() as f64 + 1.0, row.len());
        let room = self.times.try_reserve(1).is_ok() && self.values.try_reserve(row.len()).is_ok();
        if !room || bytes > MOST_MEMORY {
            self.full = true;
            return ControlFlow::Break(());
        }
        self.times.push(instant.time());
        self.values.extend_from_slice(row);
        ControlFlow::Continue(())
    }
}

/// Assembles and runs a job; the results stay in memory.
///
/// # Errors
///
/// If the job cannot be started. A run that fails later returns its results up to the failure, which is in [`Run::ended`]; [`Run::complete`] makes it an error.
///
/// ```
/// use biela::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut model = Model::new("stone", Space::Planar);
/// let stone = model.add_body(Body::new("stone", MassProperties::planar(1.0, [0.0, 0.0], 0.1)?));
/// let rail = model.connect("rail", Prismatic, [MarkerIndex::GROUND, model.body_marker(stone)]);
/// // NaN after half a second
/// model.add_force("push", Actuator::new(rail, Law::of_time(|t| (0.5 - t).sqrt())));
/// let run = biela::run(Job::of(model, Study::new(Space::Planar, 1.0, 0.1)))?;
/// assert!(run.times().last() < Some(&0.6));
/// assert!(run.complete().is_err());
/// # Ok(())
/// # }
/// ```
pub fn run(job: Job) -> Result<Run, RunError> {
    let study = job.study_or_start();
    check_table(&job, &study)?;
    run_observed(job, &study, &mut ())
}

/// Does the same as [`run`] with another study and an observer. The table may be of any size.
pub fn run_observed(job: Job, study: &Study, observer: &mut dyn Observer) -> Result<Run, RunError> {
    let assembled = start(job.model, study)?;
    Session::new(assembled, study, &job.outputs.channels)?.run_in_memory(observer)
}

/// Refuses a run in memory whose results memory cannot hold, unless an event may end it earlier.
pub fn check_table(job: &Job, study: &Study) -> Result<(), RunError> {
    let stops = |event: &Event| event.action == EventAction::Stop;
    if job.model.events.iter().any(stops) {
        return Ok(());
    }
    table_fits(rows(study), job.outputs.channels.len())
}
