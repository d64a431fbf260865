//! Forward dynamics: time integration of a state, with observers.

mod choice;
mod contacts;
mod corners;
mod events;
mod explain;
mod extent;
mod ode;
mod reading;
mod resetting;
mod sampling;
mod schedule;
mod solvers;
mod stepping;
mod touches;
mod watch;

use std::ops::ControlFlow;
use std::sync::Arc;

use choice::Choosing;
pub use contacts::ContactStatistics;
use contacts::{Contacts, Spread};
use corners::Corners;
use events::EVENT_PARTS;
pub use explain::Evidence;
use extent::extent;
use ode::Dynamics;
use reading::Seen;
pub use reading::{ReadError, SetError};
pub use resetting::ResetError;
use sampling::SamplingSchedule;
use schedule::Schedule;
pub use schedule::{InputTable, InputTableError};
use solvers::{KeptSolvers, Solvers};
use stepping::{Renewal, Taken};
use touches::Touches;
use watch::{LONGEST_TURN, MonitorState, Zone, joints_in_loops};

use super::study::{Choice, unknown};
use super::{Assembled, Study};
use crate::element::ArgumentError;
use crate::integrators::{Bridged, IntegrationError, Integrator, IntegratorWork, Ode};
use crate::keep::{Keep, Words, keeps};
use crate::methods::{self, MethodWork, Solution};
use crate::model::{Event, Model, initial_memory};
use crate::system::{ContactSystem, Instant, SingularPose, State, System, TurnCount, Workspace};

/// Receives the results of a simulation while it runs. [`Observers`] is a list of them.
pub trait Observer {
    /// Called at an output time; breaking ends the run.
    fn sample(&mut self, _instant: &Instant<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called after an accepted step; breaking ends the run.
    fn step(&mut self, _progress: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called at an event.
    fn event(&mut self, _event: &Event, _instant: &Instant<'_>) {}

    /// Called when the mechanism passed a singular configuration, or stopped at one.
    fn singular_pose(&mut self, _pose: &SingularPose) {}

    /// Called between two steps: `words` returns the snapshot of the run, from which [`Simulation::restore`] continues bit for bit; breaking ends the run.
    fn between(
        &mut self,
        _progress: &Progress,
        _words: &mut dyn FnMut() -> Vec<u64>,
    ) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Observes nothing.
impl Observer for () {}

/// Several observers as one: they are called in order, and the first that breaks ends the run before the others are called.
pub struct Observers<'a>(pub Vec<&'a mut dyn Observer>);

impl Observer for Observers<'_> {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        self.0.iter_mut().try_for_each(|one| one.sample(instant))
    }

    fn step(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.0.iter_mut().try_for_each(|one| one.step(progress))
    }

    fn event(&mut self, event: &Event, instant: &Instant<'_>) {
        for one in &mut self.0 {
            one.event(event, instant);
        }
    }

    fn singular_pose(&mut self, pose: &SingularPose) {
        for one in &mut self.0 {
            one.singular_pose(pose);
        }
    }

    fn between(
        &mut self,
        progress: &Progress,
        words: &mut dyn FnMut() -> Vec<u64>,
    ) -> ControlFlow<()> {
        let mut list = self.0.iter_mut();
        list.try_for_each(|one| one.between(progress, words))
    }
}

/// An observer that calls a function.
struct OnOutput<F>(F);

impl<F: FnMut(&Instant<'_>)> Observer for OnOutput<F> {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        (self.0)(instant);
        ControlFlow::Continue(())
    }
}

/// Returns an observer that calls a function at every output time.
///
/// ```
/// use biela_core::analysis::{Simulation, Study, assemble, on_output};
/// use biela_core::math::Vec3;
/// use biela_core::model::{Body, MassProperties, Model, Space};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut model = Model::new("falling stone", Space::Planar);
/// model.gravity = Vec3::new(0.0, -10.0, 0.0);
/// model.add_body(Body::new("stone", MassProperties::planar(1.0, [0.0, 0.0], 1.0)?));
/// let height = model.signal("stone.y").ok_or("no such signal")?;
///
/// let study = Study::new(Space::Planar, 2.0, 0.5);
/// let mut simulation = Simulation::new(assemble(model, study.formulation)?, &study)?;
/// let mut rows = Vec::new();
/// simulation.run(&mut on_output(|instant| rows.push((instant.time(), instant.signal(height)))))?;
/// assert_eq!(rows.len(), 5);
/// assert!((rows[4].1 + 20.0).abs() < 1e-9);
/// # Ok(())
/// # }
/// ```
pub fn on_output(function: impl FnMut(&Instant<'_>)) -> impl Observer {
    OnOutput(function)
}

/// An observer that asks a function whether to end the run.
struct StopWhen<F>(F);

impl<F: FnMut() -> bool> StopWhen<F> {
    fn go_on(&mut self) -> ControlFlow<()> {
        if (self.0)() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl<F: FnMut() -> bool> Observer for StopWhen<F> {
    fn sample(&mut self, _: &Instant<'_>) -> ControlFlow<()> {
        self.go_on()
    }

    fn step(&mut self, _: &Progress) -> ControlFlow<()> {
        self.go_on()
    }
}

/// Returns an observer that ends the run once a function returns `true`; it is called at every output time and after every step.
pub fn stop_when(function: impl FnMut() -> bool) -> impl Observer {
    StopWhen(function)
}

/// The progress of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// Time reached, s.
    pub time: f64,
    /// End time, s.
    pub end: f64,
    /// Size of the last step, s.
    pub step: f64,
    /// Energy balance at the last output, relative to the largest energy so far.
    pub energy_error: f64,
    /// Largest residual of the position constraints at the last output.
    pub constraint_error: f64,
}

/// The reason why a run, or a part of it, ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// The end was reached: that of the run, or the requested time.
    Finished,
    /// An event ended the run.
    Event {
        /// The event's name.
        name: String,
        /// Time, s.
        time: f64,
    },
    /// An observer ended the run.
    Interrupted {
        /// Time, s.
        time: f64,
    },
}

/// A run that could not continue; the observers keep the results up to that time.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct RunFailure {
    /// Time reached, s.
    pub time: f64,
    /// The cause.
    pub cause: IntegrationError,
    /// The dead centre that caused it, if there is one.
    pub dead_centre: Option<Box<SingularPose>>,
    /// The dominant effects in the motion there, if they could be determined.
    pub evidence: Option<Box<Evidence>>,
}

impl std::fmt::Display for RunFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Some(pose) = &self.dead_centre else {
            let Some(evidence) = self.evidence.as_ref().filter(|evidence| evidence.tells()) else {
                return self.cause.fmt(f);
            };
            return match &self.cause {
                IntegrationError::StepTooSmall { time, step } => write!(
                    f,
                    "the step size fell to {step:.3e} s at t = {time:.6} s: {evidence}"
                ),
                cause => write!(f, "{cause} ({evidence})"),
            };
        };
        let (driver, others) = match pose.elements.as_slice() {
            [] => ("the driver", String::new()),
            [others @ .., driver] => (driver.as_str(), others.join(", ")),
        };
        write!(
            f,
            "{driver} reaches a dead centre at t = {:.9} s: the constraint Jacobian loses rank ({others}). Limit the driven motion to the range before it",
            pose.time
        )
    }
}

crate::readable_errors!(RunFailure);

/// The reason why a run cannot be resumed from a snapshot.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum ResumeError {
    /// The run does not start.
    Start(IntegrationError),
    /// The snapshot belongs to another model or study.
    Misfit,
}

impl std::fmt::Display for ResumeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ResumeError::Start(error) => error.fmt(f),
            ResumeError::Misfit => write!(f, "the snapshot belongs to another model or study"),
        }
    }
}

crate::readable_errors!(ResumeError);

/// Cost and accuracy of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Statistics {
    /// Work of the integrator.
    pub integrator: IntegratorWork,
    /// Work of the method.
    pub method: MethodWork,
    /// Smallest and largest step.
    pub steps_between: (f64, f64),
    /// Largest residuals of the position, velocity and acceleration constraints at output times.
    pub worst_position: f64,
    /// See above.
    pub worst_velocity: f64,
    /// See above.
    pub worst_acceleration: f64,
    /// Largest energy balance at output times, J.
    pub worst_energy: f64,
    /// Energy balance at the last output, J: energy added by the integrator; removed if negative.
    pub numerical_energy: f64,
    /// Number of singular configurations passed.
    pub singular_poses: u64,
    /// Largest energy exchanged or stored so far, J: the reference of the energy balance.
    pub energy_scale: f64,
    /// Largest kinetic energy and largest work of forces without a potential, J, at output times.
    pub largest_kinetic: f64,
    /// See above.
    pub largest_work: f64,
    /// Largest number of sign changes of a velocity.
    pub reversals: u64,
}

keeps!(Statistics: steps_between, worst_position, worst_velocity, worst_acceleration, worst_energy, numerical_energy, singular_poses, energy_scale, largest_kinetic, largest_work);

/// A simulation during a run.
///
/// [`Simulation::run`] goes to the end of the study. [`Simulation::advance`] and [`Simulation::step`] go on in parts, between which signals are read
/// ([`Simulation::read`], [`Simulation::observe`]) and external inputs set ([`Simulation::set`]). A clone or a snapshot continues with the same bits.
///
/// ```
/// use biela_core::analysis::{Simulation, Study, assemble};
/// use biela_core::math::Vec3;
/// use biela_core::model::{Body, MassProperties, Model, Space};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut model = Model::new("stone", Space::Planar);
/// model.gravity = Vec3::new(0.0, -10.0, 0.0);
/// let _ = model.add_body(Body::new("stone", MassProperties::planar(1.0, [0.0, 0.0], 0.1)?));
/// let height = model.signal("stone.y").ok_or("no such signal")?;
/// let study = Study::new(Space::Planar, 2.0, 0.1);
/// let mut simulation = Simulation::new(assemble(model, study.formulation)?, &study)?;
///
/// let _ = simulation.advance(1.0)?;
/// let snapshot = simulation.snapshot();
/// let mut other = simulation.clone();
/// let _ = simulation.advance(2.0)?;
/// let _ = other.advance(2.0)?;
/// assert_eq!(simulation.read(height)?.to_bits(), other.read(height)?.to_bits());
///
/// simulation.restore(&snapshot)?;
/// assert_eq!(simulation.time(), 1.0);
/// assert!((simulation.read(height)? + 5.0).abs() < 1e-9);
/// simulation.reset()?;
/// assert_eq!(simulation.read(height)?, 0.0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent facts about a run"
)]
pub struct Simulation {
    dynamics: Dynamics,
    integrator: Box<dyn Integrator>,
    state: State,
    /// The study, and the initial state of the run with its active rows.
    study: Study,
    first: State,
    first_active: Vec<bool>,
    /// The notes of assembly.
    notes: Vec<String>,
    /// Whether the integrator is explicit.
    explicit: bool,
    end: f64,
    output_step: f64,
    longest_step: f64,
    /// Whether joints close loops, so that the constraint Jacobian may lose rank, and the largest rotation of a body per step in that case.
    loops: bool,
    longest_turn: f64,
    corners: Corners,
    touches: Touches,
    contacts: Contacts,
    /// The choice among dependent rows, once it is needed.
    choosing: Option<Choosing>,
    watch: MonitorState,
    start_energy: f64,
    statistics: Statistics,
    /// Value of each event at the last step and at the end of the current one.
    event_values: Vec<f64>,
    /// The last nonzero sign of each; zero initially.
    event_signs: Vec<f64>,
    /// Whether each was zero throughout the last part of a step.
    event_rests: Vec<bool>,
    event_ends: Vec<f64>,
    /// Events of the current step: time and index in the list.
    found: Vec<(f64, usize)>,
    /// The end of the current step, and a state within it.
    next: State,
    between: State,
    flat: Vec<f64>,
    /// Energy balance and position error at the last output.
    last_energy: f64,
    last_position: f64,
    /// Start of the run, number of outputs so far, and the time of the last one.
    start: f64,
    outputs: u64,
    recorded: f64,
    /// Number of sign changes of each velocity.
    reversals: Vec<u64>,
    /// Whether the run was initialised, and the snapshot of its start if it is made in parts.
    begun: bool,
    /// Whether the start was recorded.
    announced: bool,
    initial: Vec<u64>,
    /// The step that was taken and is not finished, and the current time, which may lie within it.
    taken: Option<Taken>,
    now: f64,
    /// How the integrator continues after a change from outside.
    renewal: Renewal,
    schedule: Schedule,
    /// A copy of the dynamics for reading signals, so that reading never changes the run; the state it reads, and what is evaluated there. A copy of the
    /// integrator with its dense output, for a step of which the run itself needs none.
    reader: Option<Box<Dynamics>>,
    dense: Option<Box<dyn Integrator>>,
    visible: State,
    seen: Seen,
}

impl Keep for Simulation {
    fn keep(&mut self, words: &mut Words) {
        self.dynamics.keep(words);
        self.integrator.keep(words);
        self.state.keep(words);
        self.next.keep(words);
        self.taken.keep(words);
        words.grown(&mut self.found);
        self.renewal.keep(words);
        self.schedule.keep(words);
        self.corners.keep(words);
        self.touches.keep(words);
        self.contacts.keep(words);
        self.watch.keep(words);
        self.statistics.keep(words);
        self.event_values.keep(words);
        self.event_signs.keep(words);
        self.event_rests.keep(words);
        self.reversals.keep(words);
        self.outputs.keep(words);
        self.announced.keep(words);
        for number in [
            &mut self.start_energy,
            &mut self.last_energy,
            &mut self.last_position,
            &mut self.start,
            &mut self.end,
            &mut self.recorded,
            &mut self.now,
        ] {
            number.keep(words);
        }
    }
}

/// Whether the steps of a study have a fixed size.
fn has_fixed_steps(study: &Study) -> bool {
    let given = |name| study.integrator.arguments.get(name).is_some();
    given("step") && !given("tolerance")
}

/// Returns a study without mistakes, with the defaults of omitted fields; otherwise its first mistake.
fn checked(study: &Study) -> Result<Study, ArgumentError> {
    if let Err(faults) = study.check()
        && let Some(fault) = faults.list().first()
    {
        return Err(ArgumentError {
            field: fault.field,
            message: fault.message.clone(),
        });
    }
    study.complete()
}

/// Returns a bound on steps that prevents an integrator from stepping over forces and events: a twentieth of the run or the
/// output step, whichever is longer, unless the user gave a step or a bound.
fn longest_step(study: &Study) -> f64 {
    let given = |name| study.integrator.arguments.get(name).is_some();
    if has_fixed_steps(study) || given("max_step") {
        f64::INFINITY
    } else {
        (study.duration / 20.0).max(study.output_step)
    }
}

impl Simulation {
    /// Prepares a run of an assembled model.
    pub fn new(assembled: Assembled, study: &Study) -> Result<Self, ArgumentError> {
        let Assembled {
            system,
            state,
            active,
            notes,
            ..
        } = assembled;
        let mut simulation = Simulation::at(system, state, active, study)?;
        simulation.notes = notes;
        Ok(simulation)
    }

    /// Returns the notes of assembly: given initial values that could not be kept, such as a velocity of a body that contradicts that of its joint.
    pub fn assembly_notes(&self) -> &[String] {
        &self.notes
    }

    /// Prepares a run of a system from a consistent state; `active` marks the active constraint rows.
    fn at(
        system: Arc<dyn System>,
        mut state: State,
        mut active: Vec<bool>,
        study: &Study,
    ) -> Result<Self, ArgumentError> {
        study.check_space(system.model().space)?;
        study.check_contacts(system.model())?;
        let system = ContactSystem::of(system, study.contact);
        active.resize(system.sizes().rows, false);
        state.work.resize(system.sizes().works, 0.0);
        let study = &checked(study)?;
        let fresh = initial_memory(system.model());
        if state.memory.len() != fresh.len() {
            state.memory = fresh;
        }
        let choice = &study.method;
        let method = methods::build(&choice.kind, &choice.arguments, system.as_ref(), &active)
            .unwrap_or_else(|| Err(unknown("method", &choice.kind)))?;
        let mut ws = Workspace::new(system.as_ref());
        let solution = Solution::new(system.as_ref());
        let turns = state.turns.clone();
        ws.kinematics.inputs.hold(&state.memory);
        let corners = Corners::new(system.model(), state.time);
        ws.kinematics.inputs.span = corners.span(state.time);
        let spread = Spread::new(system.as_ref());
        let mut dynamics = Dynamics {
            consistent: (state.q.clone(), state.v.clone()),
            closes_stages: false,
            barrier: f64::INFINITY,
            zone: Zone::NOWHERE,
            sampling: SamplingSchedule::new(system.model(), &state.memory)?,
            memory: state.memory.clone(),
            held_before: ws.kinematics.inputs.held.clone(),
            count: TurnCount::new(system.as_ref(), &state),
            sizes: system.sizes(),
            solvers: Solvers::new(system.as_ref(), &active, method),
            kept: KeptSolvers::default(),
            system,
            made_from: choice.clone(),
            work_before: MethodWork::default(),
            ws,
            solution,
            turns,
            active,
            indeterminate: false,
            spread,
        };
        let len = dynamics.len();
        let choice = &study.integrator;
        dynamics.see(&state);
        let mut arguments = choice.arguments.clone();
        arguments.size = extent(&dynamics.context());
        let integrator = study.build_integrator(&arguments, len)?;
        let loops = joints_in_loops(dynamics.system.model()).contains(&true);
        let integrator: Box<dyn Integrator> = if loops && !integrator.crosses() {
            Box::new(Bridged::new(integrator, &arguments, len)?)
        } else {
            integrator
        };
        let touches = Touches::new(&dynamics.context(), study);
        let contacts = Contacts::new(dynamics.system.as_ref(), &arguments, study.impact);
        let velocities = state.v.len();
        let num_events = dynamics.system.model().events.len();
        let num_inputs = dynamics.system.model().inputs.len();
        Ok(Simulation {
            watch: MonitorState::new(dynamics.system.as_ref(), &dynamics.active),
            loops,
            longest_turn: if loops && !has_fixed_steps(study) {
                LONGEST_TURN
            } else {
                f64::INFINITY
            },
            study: study.clone(),
            first: state.clone(),
            first_active: dynamics.active.clone(),
            notes: Vec::new(),
            explicit: !integrator.keeps_constraints(),
            between: state.clone(),
            next: state.clone(),
            dynamics,
            integrator,
            end: state.time + study.duration,
            output_step: study.output_step,
            start_energy: 0.0,
            statistics: Statistics {
                steps_between: (f64::INFINITY, 0.0),
                ..Statistics::default()
            },
            event_values: vec![f64::NAN; num_events],
            event_signs: vec![0.0; num_events],
            event_rests: vec![false; num_events],
            event_ends: vec![f64::NAN; num_events],
            found: Vec::with_capacity(EVENT_PARTS as usize * num_events),
            longest_step: longest_step(study),
            corners,
            touches,
            contacts,
            choosing: None,
            flat: vec![0.0; len],
            last_energy: 0.0,
            last_position: 0.0,
            start: 0.0,
            outputs: 0,
            recorded: 0.0,
            reversals: vec![0; velocities],
            begun: false,
            announced: false,
            initial: Vec::new(),
            taken: None,
            now: state.time,
            renewal: Renewal::None,
            schedule: Schedule::new(num_inputs),
            reader: None,
            dense: None,
            visible: state.clone(),
            seen: Seen::Nothing,
            state,
        })
    }

    /// Returns the model.
    pub fn model(&self) -> &Model {
        self.dynamics.system.model()
    }

    /// Returns the state at the end of the last step; [`Simulation::current`] returns the one at the current time.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the system, the state and the active rows, after the run.
    pub fn into_parts(self) -> (Arc<dyn System>, State, Vec<bool>) {
        let system = self.dynamics.system.base().unwrap_or(&self.dynamics.system);
        let (mut state, mut active) = (self.state, self.dynamics.active);
        state.work.truncate(system.sizes().works);
        active.truncate(system.sizes().rows);
        (Arc::clone(system), state, active)
    }

    /// Returns cost and accuracy so far.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            integrator: self.integrator.work(),
            method: self.dynamics.solvers.method.work() + self.dynamics.work_before,
            reversals: self.reversals.iter().copied().max().unwrap_or(0),
            ..self.statistics
        }
    }

    /// Returns a warning if the integrator is unsuitable for this system.
    pub fn caution(&self) -> Option<&'static str> {
        self.integrator
            .caution(self.dynamics.active.contains(&true))
    }

    /// Describes the discontinuities that fixed steps stepped over, if any.
    pub fn passed_over(&self) -> Option<String> {
        self.touches.warning()
    }

    /// Whether the integrator has numerical damping by design.
    pub fn damps(&self) -> bool {
        self.integrator.damps()
    }
}
