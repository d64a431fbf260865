//! Forward dynamics: time integration of a state, with observers.

mod choice;
mod corners;
mod events;
mod explain;
mod extent;
mod ode;
mod sampling;
mod sticking;
mod touches;
mod watch;

use std::ops::ControlFlow;

use choice::Choosing;
use corners::{Corners, slack};
use events::EVENT_PARTS;
pub use explain::Evidence;
use extent::extent;
use ode::Dynamics;
use sampling::Sampling;
use sticking::Sticking;
use touches::Touches;
use watch::{LONGEST_TURN, Watch, Watched, Zone, joints_in_loops};

use super::study::Choice;
use super::{Assembled, Study};
use crate::element::ArgumentError;
use crate::integrators::{self, Bridged, IntegrationError, Integrator, IntegratorWork, Ode};
use crate::keep::{Words, keeps};
use crate::methods::{self, Manifold, MethodError, MethodWork, Solution};
use crate::model::{EnergyQuantity, Event, Model, Signal, initial_memory};
use crate::system::{Instant, SingularPose, State, System, TurnCount, Workspace};

/// Receives the results of a simulation while it runs.
pub trait Observer {
    /// Called at an output time; breaking ends the run.
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()>;

    /// Called after an accepted step; breaking ends the run.
    fn step(&mut self, _progress: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called at an event.
    fn event(&mut self, _event: &Event, _instant: &Instant<'_>) {}

    /// Called when the mechanism passed a singular configuration, or stopped at one.
    fn singular_pose(&mut self, _pose: &SingularPose) {}

    /// Called between two steps: `words` returns the snapshot of the run, from which [`Simulation::resume`] continues bit for bit; breaking ends the run.
    fn between(
        &mut self,
        _progress: &Progress,
        _words: &mut dyn FnMut() -> Vec<u64>,
    ) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The progress of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
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

/// The reason why a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// The end was reached.
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
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// Time reached, s.
    pub time: f64,
    /// The cause.
    pub cause: IntegrationError,
    /// The dead centre that caused it, if there is one.
    pub dead_centre: Option<Box<SingularPose>>,
    /// The dominant effects in the motion there, if they could be determined.
    pub evidence: Option<Box<Evidence>>,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Some(pose) = &self.dead_centre else {
            let Some(evidence) = self.evidence.as_ref().filter(|evidence| evidence.tells()) else {
                return self.cause.fmt(f);
            };
            return match &self.cause {
                IntegrationError::StepTooSmall { time, step } => write!(
                    f,
                    "the step shrank to {step:.3e} s at t = {time:.6} s: the motion changes too fast there: {evidence}"
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
            "{driver} comes to a dead centre at t = {:.9} s and cannot go on: {others} leave its motion no way there; \
             keep it within reach",
            pose.time
        )
    }
}

impl std::error::Error for Failure {}

/// The reason why a run cannot be resumed from a snapshot.
#[derive(Clone, Debug, PartialEq)]
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
            ResumeError::Misfit => write!(
                f,
                "the state that was kept does not fit this model and study"
            ),
        }
    }
}

impl std::error::Error for ResumeError {}

/// Cost and accuracy of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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
pub struct Simulation {
    dynamics: Dynamics,
    integrator: Box<dyn Integrator>,
    state: State,
    /// The initial state of the run.
    first: State,
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
    /// The choice among dependent rows, once it is needed.
    choosing: Option<Choosing>,
    watch: Watch,
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
    /// Whether the run was resumed from a snapshot.
    resumed: bool,
}

keeps!(Simulation: dynamics, integrator, state, corners, touches, watch, start_energy, statistics, event_values, event_signs, event_rests, last_energy, last_position, start, outputs, recorded, reversals);

/// Whether the steps of a study have a fixed size.
fn has_fixed_steps(study: &Study) -> bool {
    let given = |name| study.integrator.arguments.get(name).is_some();
    given("step") && !given("tolerance")
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
        study.check_steps()?;
        let Assembled {
            system,
            mut state,
            active,
            ..
        } = assembled;
        let fresh = initial_memory(system.model());
        if state.memory.len() != fresh.len() {
            state.memory = fresh;
        }
        let unknown = |field: &'static str, word: &str| ArgumentError {
            field,
            message: format!("there is no {field} `{word}`"),
        };
        let choice = &study.method;
        let method = methods::build(&choice.kind, &choice.arguments, system.as_ref(), &active)
            .unwrap_or_else(|| Err(unknown("method", &choice.kind)))?;
        let mut ws = Workspace::new(system.as_ref());
        let solution = Solution::new(system.as_ref());
        let turns = state.turns.clone();
        let outputs = ws.kinematics.held.len();
        ws.kinematics.held.copy_from_slice(&state.memory[..outputs]);
        let corners = Corners::new(system.model(), state.time);
        ws.kinematics.span = corners.span(state.time);
        let mut dynamics = Dynamics {
            consistent: (state.q.clone(), state.v.clone()),
            manifold: Manifold::new(system.as_ref(), &active),
            closes_stages: false,
            barrier: f64::INFINITY,
            zone: Zone::NOWHERE,
            sticking: Sticking::new(system.model()),
            sampling: Sampling::new(system.model(), &state.memory)?,
            memory: state.memory.clone(),
            held_before: ws.kinematics.held.clone(),
            count: TurnCount::new(system.as_ref(), &state),
            system,
            method,
            made_from: choice.clone(),
            work_before: MethodWork::default(),
            ws,
            solution,
            turns,
            active,
        };
        let len = dynamics.len();
        let choice = &study.integrator;
        dynamics.see(&state);
        let mut arguments = choice.arguments.clone();
        arguments.size = extent(&dynamics.scene());
        let integrator = integrators::build(&choice.kind, &arguments, len)
            .unwrap_or_else(|| Err(unknown("integrator", &choice.kind)))?;
        let loops = joints_in_loops(dynamics.system.model()).contains(&true);
        let integrator: Box<dyn Integrator> = if loops && !integrator.crosses() {
            Box::new(Bridged::new(integrator, &arguments, len)?)
        } else {
            integrator
        };
        let touches = Touches::new(&dynamics.scene(), study);
        let velocities = state.v.len();
        let num_events = dynamics.system.model().events.len();
        Ok(Simulation {
            watch: Watch::new(dynamics.system.as_ref(), &dynamics.active),
            loops,
            longest_turn: if loops && !has_fixed_steps(study) {
                LONGEST_TURN
            } else {
                f64::INFINITY
            },
            first: state.clone(),
            explicit: integrators::general().any(|info| {
                info.name == choice.kind || info.aliases.contains(&choice.kind.as_str())
            }),
            between: state.clone(),
            next: state.clone(),
            dynamics,
            integrator,
            end: state.time + study.duration,
            state,
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
            choosing: None,
            flat: vec![0.0; len],
            last_energy: 0.0,
            last_position: 0.0,
            start: 0.0,
            outputs: 0,
            recorded: 0.0,
            reversals: vec![0; velocities],
            resumed: false,
        })
    }

    /// Returns the model.
    pub fn model(&self) -> &Model {
        self.dynamics.system.model()
    }

    /// Returns the current state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the system, the state and the active rows, after the run.
    pub fn into_parts(self) -> (Box<dyn System>, State, Vec<bool>) {
        (self.dynamics.system, self.state, self.dynamics.active)
    }

    /// Returns cost and accuracy so far.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            integrator: self.integrator.work(),
            method: self.dynamics.method.work() + self.dynamics.work_before,
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

    /// Runs to the end, to an event that stops the run, to a failure, or until the observer breaks.
    pub fn run(&mut self, observer: &mut dyn Observer) -> Result<Stop, Failure> {
        self.march(observer).map_err(|cause| {
            let evidence = self.evidence(&cause);
            let cause = self.find_culprit(cause);
            let named = matches!(&cause, IntegrationError::Method(MethodError::NotFinite(found)) if !found.grown);
            let evidence = evidence.filter(|_| !named).map(Box::new);
            let dead_centre = if named { None } else { self.dead_centre() };
            if let Some(pose) = &dead_centre {
                self.note_end(pose, observer);
            }
            Failure {
                time: self.state.time,
                cause,
                dead_centre: dead_centre.map(Box::new),
                evidence,
            }
        })
    }

    /// Restores a snapshot of [`Observer::between`] of the same model and study: [`Simulation::run`] then continues from it,
    /// bit for bit.
    pub fn resume(&mut self, words: Vec<u64>) -> Result<(), ResumeError> {
        let begun = self.begin().and_then(|()| self.start_integrator());
        begun.map_err(ResumeError::Start)?;
        if !Words::bring_back(words, self) {
            return Err(ResumeError::Misfit);
        }
        self.dynamics.see(&self.state);
        self.resumed = true;
        Ok(())
    }

    /// Initialises the run.
    fn begin(&mut self) -> Result<(), IntegrationError> {
        (self.start, self.recorded, self.outputs) = (self.state.time, self.state.time, 1);
        self.dynamics.refresh_turns(&mut self.state, 0.0)?;
        let _ = self.dynamics.control(&mut self.state, 0.0, 0.0)?;
        self.dynamics.see(&self.state);
        self.note_corners()?;
        self.dynamics.evaluate_at(&self.state)?;
        let scene = self.dynamics.scene();
        self.start_energy = scene.signal(Signal::Energy(EnergyQuantity::Total));
        for index in 0..self.event_values.len() {
            let value = self.event_value(index, &self.state.work);
            self.check_event(index, value, &self.state.work)?;
            self.event_values[index] = value;
            self.event_signs[index] = if value == 0.0 { 0.0 } else { value.signum() };
        }
        Ok(())
    }

    fn start_integrator(&mut self) -> Result<(), IntegrationError> {
        self.dynamics.pack(&self.state, &mut self.flat);
        self.integrator
            .start(&mut self.dynamics, self.start, &self.flat)
    }

    /// Counts the velocities that changed their sign from `next`, which holds the last state, to `state`.
    fn count_reversals(&mut self) {
        let pairs = self.next.v.iter().zip(&self.state.v);
        for (count, (before, after)) in self.reversals.iter_mut().zip(pairs) {
            *count += u64::from(before * after < 0.0);
        }
    }

    fn march(&mut self, observer: &mut dyn Observer) -> Result<Stop, IntegrationError> {
        if !std::mem::take(&mut self.resumed) {
            self.begin()?;
            if self.record(observer, false)?.is_break() {
                return Ok(Stop::Interrupted { time: self.start });
            }
            self.start_integrator()?;
        }
        let start = self.start;
        while self.state.time < self.end {
            let stop = self.next_stop();
            let longest_step = self.longest_step.min(self.leap());
            let horizon = self.state.time + longest_step;
            // no tiny step before the end
            let horizon = if horizon >= stop - 0.1 * longest_step {
                stop
            } else {
                horizon
            };
            let reached = self
                .integrator
                .step(&mut self.dynamics, horizon)
                .map_err(|error| self.dynamics.explain(error))?;
            let size = self.integrator.step_size();
            let (least, most) = self.statistics.steps_between;
            self.statistics.steps_between = (least.min(size), most.max(size));
            self.dynamics
                .unpack(self.integrator.y(), reached, &mut self.next);
            self.dynamics.check_state(&self.next)?;
            self.dynamics.zone = Zone::new(self.dynamics.barrier, size);
            let moved = match self.dynamics.correct(&mut self.next) {
                Ok(moved) => moved,
                // the state is too far from the constraints to be projected
                Err(MethodError::Drifted { .. }) if self.shorten(reached)? => continue,
                Err(error) => return Err(error.into()),
            };
            if self.passes_over(reached)? {
                continue;
            }
            let Watched { dense, again } = self.watch_rank(reached, observer)?;
            if again {
                continue;
            }

            let output = |k: u64| start + k as f64 * self.output_step;
            let slack = 1e-9 * self.output_step.min(size);
            let within = output(self.outputs) < reached - slack;
            let watched = !self.event_values.is_empty();
            if (within || watched) && !dense {
                self.integrator.prepare_dense(&mut self.dynamics)?;
            }
            if watched {
                self.find_events(reached)?;
            }
            let mut found = 0;
            loop {
                let time = start + self.outputs as f64 * self.output_step;
                let due = (time < reached - slack).then_some(time);
                let event = self.found.get(found).copied();
                match (due, event) {
                    (Some(time), e) if e.is_none_or(|(at, _)| time <= at) => {
                        self.go_between(time)?;
                        self.outputs += 1;
                        self.recorded = time;
                        if self.record(observer, true)?.is_break() {
                            return Ok(Stop::Interrupted { time });
                        }
                    }
                    (_, Some((time, index))) => {
                        self.go_between(time)?;
                        found += 1;
                        if let Some(stop) = self.happen(observer, time, index) {
                            self.state.clone_from(&self.between);
                            return Ok(stop);
                        }
                    }
                    _ => break,
                }
            }

            std::mem::swap(&mut self.state, &mut self.next);
            self.count_reversals();
            // such an integrator depends on its own velocities: replacing them in every step would reduce its order
            if moved && !self.integrator.keeps_constraints() {
                self.dynamics.pack(&self.state, &mut self.flat);
                self.integrator.replace(&self.flat);
            }
            self.dynamics.refresh_turns(&mut self.state, size)?;
            self.dynamics.check_sticking(&self.state, size)?;
            let chosen = self.choose_rows();
            let jumped = self.pass_stop()? || chosen;
            if start + self.outputs as f64 * self.output_step <= reached + slack {
                self.outputs += 1;
                self.dynamics.evaluate_at(&self.state)?;
                self.recorded = reached;
                if self.record(observer, false)?.is_break() {
                    return Ok(Stop::Interrupted { time: reached });
                }
            }
            if observer.step(&self.progress()).is_break() {
                return Ok(Stop::Interrupted { time: reached });
            }
            if jumped && reached < self.end {
                self.dynamics.pack(&self.state, &mut self.flat);
                self.integrator
                    .restart(&mut self.dynamics, reached, &self.flat)?;
            }
            let between = observer.between(&self.progress(), &mut || Words::of(self));
            if between.is_break() {
                return Ok(Stop::Interrupted { time: reached });
            }
        }
        // the end is recorded even if it is not an output time
        if self.end - self.recorded > 1e-6 * self.output_step {
            self.dynamics.evaluate_at(&self.state)?;
            let _ = self.record(observer, false)?;
        }
        Ok(Stop::Finished)
    }

    /// Returns the next time at which a step must end.
    fn next_stop(&self) -> f64 {
        let stop = self.corners.next().min(self.dynamics.sampling.next());
        let stop = stop.min(self.touches.next);
        if stop < self.end - slack(self.end) {
            stop
        } else {
            self.end
        }
    }

    /// Passes the discontinuities and takes the samples that are due at the current state; returns whether the forces are discontinuous.
    fn pass_stop(&mut self) -> Result<bool, IntegrationError> {
        let cornered = self.corners.pass(self.state.time);
        if cornered {
            self.dynamics.ws.kinematics.span = self.corners.span(self.state.time);
        }
        let step = self.integrator.step_size();
        let sampled = self
            .dynamics
            .control(&mut self.state, step, self.start_energy)?;
        let touched = self.pass_touch();
        Ok(cornered || sampled || touched)
    }

    fn progress(&self) -> Progress {
        Progress {
            time: self.state.time,
            end: self.end,
            step: self.integrator.step_size(),
            energy_error: self.last_energy / self.statistics.energy_scale.max(1e-300),
            constraint_error: self.last_position,
        }
    }

    /// Evaluates the state at a time within the last step, projected to the constraints if the method does so.
    fn go_between(&mut self, time: f64) -> Result<(), IntegrationError> {
        self.integrator.interpolate(time, &mut self.flat);
        self.dynamics.unpack(&self.flat, time, &mut self.between);
        let _ = self.dynamics.correct(&mut self.between)?;
        self.dynamics.evaluate_at(&self.between)?;
        Ok(())
    }

    /// Passes the evaluated state to the observer and records its accuracy.
    fn record(
        &mut self,
        observer: &mut dyn Observer,
        between: bool,
    ) -> Result<ControlFlow<()>, IntegrationError> {
        use crate::model::SolverQuantity as Q;
        let state = if between { &self.between } else { &self.state };
        let step = self.integrator.step_size();
        let instant = self.dynamics.instant(&state.work, step, self.start_energy);
        let energy = |q| instant.signal(Signal::Energy(q));
        let error = |q| instant.signal(Signal::Solver(q));
        let gained = energy(EnergyQuantity::Balance);
        let balance = gained.abs();
        let kinetic = energy(EnergyQuantity::Kinetic);
        let exchanged = energy(EnergyQuantity::Potential) + kinetic - self.start_energy;
        let statistics = &mut self.statistics;
        let work = energy(EnergyQuantity::Work).abs();
        let scale = kinetic.max(exchanged.abs()).max(work);
        statistics.largest_kinetic = statistics.largest_kinetic.max(kinetic);
        statistics.largest_work = statistics.largest_work.max(work);
        statistics.energy_scale = statistics.energy_scale.max(scale);
        statistics.worst_energy = statistics.worst_energy.max(balance);
        statistics.numerical_energy = gained;
        statistics.worst_position = statistics.worst_position.max(error(Q::PositionError));
        statistics.worst_velocity = statistics.worst_velocity.max(error(Q::VelocityError));
        statistics.worst_acceleration = statistics
            .worst_acceleration
            .max(error(Q::AccelerationError));
        (self.last_energy, self.last_position) = (balance, error(Q::PositionError));
        if !gained.is_finite() {
            return Err(MethodError::from(self.dynamics.blame_energy()).into());
        }
        let seen = observer.sample(&instant);
        self.dynamics.check_left_out_rows()?;
        Ok(seen)
    }
}
