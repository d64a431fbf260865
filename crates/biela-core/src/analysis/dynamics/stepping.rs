//! The time loop: one step of the integrator after the other, with outputs and events delivered in the order of time.
//!
//! A step has three parts. It is *taken*: the integrator advances, the state is projected, switching points and events are located. Its outputs and
//! events are *delivered* to the observer up to the requested time, by dense output. It is *finished* once everything within it was delivered: only then
//! the run moves to its end. A run may pause within a step, so that its division into parts does not change its steps.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::corners::slack;
use super::reading::Seen;
use super::watch::{Watched, Zone};
use super::{Observer, Progress, ResumeError, RunFailure, Simulation, Stop};
use crate::integrators::IntegrationError;
use crate::keep::{Keep, Words, keeps};
use crate::methods::MethodError;
use crate::model::{EnergyQuantity, Signal};

/// Times closer together than this fraction of a step are equal.
const SAME: f64 = 1e-9;

/// A step that was taken and is not finished.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Taken {
    /// Its end, and its size.
    pub(super) reached: f64,
    pub(super) size: f64,
    /// Outputs closer to its end than this are those of the end.
    slack: f64,
    /// Whether the projection moved its end.
    moved: bool,
    /// Whether the dense output was prepared.
    pub(super) dense: bool,
    /// Number of its events that were delivered.
    delivered: usize,
}

keeps!(Taken: reached, size, slack, moved, dense, delivered);

/// How the integrator continues after a change from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Renewal {
    /// Without a change.
    None,
    /// At the end of its last step, without the history of F.
    Restart,
    /// At another state.
    Start,
}

impl Keep for Renewal {
    fn keep(&mut self, words: &mut Words) {
        let mut code = *self as usize;
        code.keep(words);
        words.require(code <= Renewal::Start as usize);
        *self = match code {
            0 => Renewal::None,
            1 => Renewal::Restart,
            _ => Renewal::Start,
        };
    }
}

impl Simulation {
    /// Runs to the end, to an event that stops the run, to a failure, or until the observer breaks. A run that was interrupted, or advanced in parts
    /// before, continues where it is.
    pub fn run(&mut self, observer: &mut dyn Observer) -> Result<Stop, RunFailure> {
        let ran = self.march(self.end, observer).and_then(|stop| {
            if stop == Stop::Finished {
                self.record_end(observer)?;
            }
            Ok(stop)
        });
        ran.map_err(|cause| self.failure(cause, observer))
    }

    /// Advances to a time, s, or to an event that stops the run. The steps are those of a run in one piece: the integrator may be ahead of the requested time,
    /// and the state is then that of its dense output. A time after the end of the study is permitted, one before the current time has no effect.
    pub fn advance(&mut self, to: f64) -> Result<Stop, RunFailure> {
        self.advance_observed(to, &mut ())
    }

    /// Advances as [`Simulation::advance`] does, with an observer of the outputs and events on the way.
    pub fn advance_observed(
        &mut self,
        to: f64,
        observer: &mut dyn Observer,
    ) -> Result<Stop, RunFailure> {
        if to > self.end {
            self.end = f64::INFINITY;
        }
        self.begin_parts(observer)
            .and_then(|started| match started {
                ControlFlow::Break(stop) => Ok(stop),
                ControlFlow::Continue(()) => {
                    self.aim(to)?;
                    self.march(to, observer)
                }
            })
            .map_err(|cause| self.failure(cause, observer))
    }

    /// Makes one step of the integrator, or finishes the one within which the run paused, and returns the reason why it ended there.
    pub fn step(&mut self) -> Result<Stop, RunFailure> {
        self.step_observed(&mut ())
    }

    /// Steps as [`Simulation::step`] does, with an observer.
    pub fn step_observed(&mut self, observer: &mut dyn Observer) -> Result<Stop, RunFailure> {
        let step = |this: &mut Self, observer: &mut dyn Observer| {
            if let ControlFlow::Break(stop) = this.begin_parts(observer)? {
                return Ok(stop);
            }
            if this.state.time >= this.end {
                this.end = f64::INFINITY;
            }
            this.aim(this.now)?;
            this.take_if_none(observer)?;
            let end = this.taken.map_or(this.now, |taken| taken.reached);
            this.march(end, observer)
        };
        step(self, observer).map_err(|cause| self.failure(cause, observer))
    }

    /// Returns the current time, s.
    pub fn time(&self) -> f64 {
        self.now
    }

    /// Returns a snapshot of everything that the run depends on, also within a step.
    pub fn snapshot(&mut self) -> Vec<u64> {
        Words::of(self)
    }

    /// Restores a snapshot of [`Simulation::snapshot`] or [`Observer::between`] of the same model and study. The run then continues from it bit for bit.
    /// An error leaves the simulation as it was.
    pub fn restore(&mut self, snapshot: &[u64]) -> Result<(), ResumeError> {
        self.initialize().map_err(ResumeError::Start)?;
        let before = Words::of(self);
        if self.bring_back(snapshot.to_vec()) {
            return Ok(());
        }
        let _ = self.bring_back(before);
        Err(ResumeError::Misfit)
    }

    /// Returns to the start of the run.
    pub fn reset(&mut self) -> Result<(), RunFailure> {
        self.rewind().map_err(|cause| self.failure(cause, &mut ()))
    }

    /// Starts again at other positions and velocities, in the coordinates of the formulation, at the initial time. They are brought to the constraints.
    ///
    /// # Panics
    ///
    /// If there are not as many positions or velocities as coordinates.
    pub fn reset_to(&mut self, q: &[f64], v: &[f64]) -> Result<(), RunFailure> {
        let set = |this: &mut Self| {
            this.rewind()?;
            this.state.q.copy_from_slice(q);
            this.state.v.copy_from_slice(v);
            this.begin_here()
        };
        set(self).map_err(|cause| self.failure(cause, &mut ()))
    }

    pub(super) fn rewind(&mut self) -> Result<(), IntegrationError> {
        if self.begun && self.initial.is_empty() {
            let (first, active) = (self.first.clone(), self.first_active.clone());
            let system = Arc::clone(&self.dynamics.system);
            // arguments that were accepted once are accepted again
            if let Ok(mut fresh) = Simulation::at(system, first, active, &self.study) {
                fresh.notes = std::mem::take(&mut self.notes);
                *self = fresh;
            }
        }
        self.initialize()?;
        let own = self.bring_back(self.initial.clone());
        debug_assert!(own, "a simulation has the layout of its own snapshot");
        Ok(())
    }

    /// Makes the state, with new positions and velocities, the start of a run.
    pub(super) fn begin_here(&mut self) -> Result<(), IntegrationError> {
        self.seen = Seen::Nothing;
        self.dynamics.close(&mut self.state)?;
        self.dynamics.memory.copy_from_slice(&self.state.memory);
        self.begin()?;
        self.start_integrator()?;
        self.dynamics.evaluate_at(&self.state)?;
        let _ = self.record(&mut (), false)?;
        Ok(())
    }

    fn bring_back(&mut self, words: Vec<u64>) -> bool {
        let fits = Words::bring_back(words, self);
        self.dense = None;
        self.dynamics.see(&self.state);
        self.seen = Seen::Nothing;
        fits
    }

    /// Describes why the run cannot continue.
    pub(super) fn failure(
        &mut self,
        cause: IntegrationError,
        observer: &mut dyn Observer,
    ) -> RunFailure {
        let evidence = self.evidence(&cause);
        let cause = self.find_culprit(cause);
        let named = matches!(&cause, IntegrationError::Method(MethodError::NotFinite(found)) if !found.grown);
        let evidence = evidence.filter(|_| !named).map(Box::new);
        let dead_centre = if named { None } else { self.dead_centre() };
        if let Some(pose) = &dead_centre {
            self.note_end(pose, observer);
        }
        RunFailure {
            time: self.state.time,
            cause,
            dead_centre: dead_centre.map(Box::new),
            evidence,
        }
    }

    /// Initialises the run and its integrator, once.
    pub(super) fn initialize(&mut self) -> Result<(), IntegrationError> {
        if self.begun {
            return Ok(());
        }
        self.begin()?;
        self.start_integrator()?;
        self.begun = true;
        self.initial = Words::of(self);
        Ok(())
    }

    /// Initialises the run and records its start, once.
    fn begin_once(
        &mut self,
        observer: &mut dyn Observer,
    ) -> Result<ControlFlow<Stop>, IntegrationError> {
        if std::mem::replace(&mut self.announced, true) {
            return Ok(ControlFlow::Continue(()));
        }
        if self.begun {
            // a signal was read, or the run was reset, before it was observed
            self.dynamics.evaluate_at(&self.state)?;
        } else {
            self.begin()?;
        }
        let flow = self.record(observer, false)?;
        if !std::mem::replace(&mut self.begun, true) {
            self.start_integrator()?;
        }
        Ok(match flow {
            ControlFlow::Break(()) => ControlFlow::Break(Stop::Interrupted { time: self.start }),
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
        })
    }

    /// Does the same and keeps the start for [`Simulation::reset`].
    fn begin_parts(
        &mut self,
        observer: &mut dyn Observer,
    ) -> Result<ControlFlow<Stop>, IntegrationError> {
        let fresh = !self.begun;
        let flow = self.begin_once(observer)?;
        if fresh && self.begun {
            // another run from there records its start too
            self.announced = false;
            self.initial = Words::of(self);
            self.announced = true;
        }
        Ok(flow)
    }

    /// Initialises the run at the current state.
    fn begin(&mut self) -> Result<(), IntegrationError> {
        (self.start, self.recorded, self.outputs) = (self.state.time, self.state.time, 1);
        self.now = self.state.time;
        self.dynamics.refresh_turns(&mut self.state, 0.0)?;
        let _ = self.pass_inputs();
        let _ = self.dynamics.control(&mut self.state, 0.0, 0.0)?;
        self.dynamics.see(&self.state);
        self.note_corners()?;
        // an impact at the start belongs to the run
        let context = self.dynamics.context();
        let work: f64 = self.state.work.iter().sum();
        self.start_energy = context.signal(Signal::Energy(EnergyQuantity::Total)) - work;
        self.begin_contacts()?;
        self.dynamics.evaluate_at(&self.state)?;
        self.note_events()
    }

    /// Records the values of all events at the evaluated state.
    fn note_events(&mut self) -> Result<(), IntegrationError> {
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
            .start(&mut self.dynamics, self.state.time, &self.flat)
    }

    /// Continues with the integrator after a change from outside.
    fn renew(&mut self) -> Result<(), IntegrationError> {
        match std::mem::replace(&mut self.renewal, Renewal::None) {
            Renewal::None => return Ok(()),
            Renewal::Restart => {
                self.dynamics.pack(&self.state, &mut self.flat);
                let time = self.state.time;
                self.integrator
                    .restart(&mut self.dynamics, time, &self.flat)?;
            }
            Renewal::Start => self.start_integrator()?,
        }
        if self.touches.watches() {
            self.dynamics.see(&self.state);
            self.note_corners()?;
        }
        if !self.event_values.is_empty() {
            self.dynamics.evaluate_at(&self.state)?;
            self.note_events()?;
        }
        Ok(())
    }

    /// Ends the current step at the current time, which lies within it.
    pub(super) fn truncate(&mut self) -> Result<(), IntegrationError> {
        let Some(taken) = self.taken else {
            return Ok(());
        };
        self.look(Seen::Positions)?;
        self.state.copy_from(&self.visible);
        self.taken = None;
        self.leave_step(taken.size)
    }

    /// Continues from the current state, which lies within the last step of the integrator.
    fn leave_step(&mut self, size: f64) -> Result<(), IntegrationError> {
        self.renewal = Renewal::Start;
        self.found.clear();
        self.touches.next = f64::INFINITY;
        self.watch.measure_again();
        self.now = self.state.time;
        self.seen = Seen::Nothing;
        self.dynamics.refresh_turns(&mut self.state, size)
    }

    fn take_if_none(&mut self, observer: &mut dyn Observer) -> Result<(), IntegrationError> {
        if self.taken.is_none() {
            self.renew()?;
            self.dense = None;
            self.taken = Some(self.take_step(observer)?);
        }
        Ok(())
    }

    /// Goes to a time, step by step.
    fn march(&mut self, to: f64, observer: &mut dyn Observer) -> Result<Stop, IntegrationError> {
        if let ControlFlow::Break(stop) = self.begin_once(observer)? {
            return Ok(stop);
        }
        self.seen = Seen::Nothing;
        loop {
            if self.taken.is_none() && !self.is_before(to) {
                return Ok(Stop::Finished);
            }
            self.take_if_none(observer)?;
            let Some(mut taken) = self.taken else {
                return Ok(Stop::Finished);
            };
            let whole = to >= taken.reached - SAME * taken.size;
            let until = if whole { f64::INFINITY } else { to };
            let stop = self.deliver(&mut taken, until, observer)?;
            if let Some(stop) = stop {
                return Ok(stop);
            }
            if !whole {
                self.now = self.now.max(to);
                return Ok(Stop::Finished);
            }
            self.taken = None;
            if self.finish(taken, observer)?.is_break() {
                let time = taken.reached;
                return Ok(Stop::Interrupted { time });
            }
        }
    }

    /// Whether the end of the last step lies before a time.
    fn is_before(&self, to: f64) -> bool {
        to - self.state.time > SAME * self.integrator.step_size() && self.state.time < self.end
    }

    /// Takes a step: the end of an accepted one is in `next`, its events are in `found`.
    fn take_step(&mut self, observer: &mut dyn Observer) -> Result<Taken, IntegrationError> {
        loop {
            let reached = self.integrate()?;
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
            if self.passes_over(reached)? || self.passes_contact(reached)? {
                continue;
            }
            let Watched { mut dense, again } = self.watch_rank(reached, observer)?;
            if again {
                continue;
            }
            let slack = SAME * self.output_step.min(size);
            let within = self.output_time() < reached - slack;
            let watched = !self.event_values.is_empty();
            if (within || watched) && !dense {
                self.integrator.prepare_dense(&mut self.dynamics)?;
                dense = true;
            }
            if watched {
                self.find_events(reached)?;
            }
            return Ok(Taken {
                reached,
                size,
                slack,
                moved,
                dense,
                delivered: 0,
            });
        }
    }

    /// Lets the integrator make a step, and returns the time it reached.
    fn integrate(&mut self) -> Result<f64, IntegrationError> {
        let stop = self.next_stop();
        let longest_step = self.longest_step.min(self.leap());
        let horizon = self.state.time + longest_step;
        // no tiny step before the end
        let horizon = if horizon >= stop - 0.1 * longest_step {
            stop
        } else {
            horizon
        };
        self.integrator.step(&mut self.dynamics, horizon)
    }

    /// The time of the next output.
    fn output_time(&self) -> f64 {
        self.start + self.outputs as f64 * self.output_step
    }

    /// Delivers the outputs and events of a step up to a time; returns the reason if the run ends there.
    fn deliver(
        &mut self,
        taken: &mut Taken,
        until: f64,
        observer: &mut dyn Observer,
    ) -> Result<Option<Stop>, IntegrationError> {
        loop {
            let time = self.output_time();
            let due = (time < taken.reached - taken.slack && time <= until).then_some(time);
            let event = self.found.get(taken.delivered).copied();
            let event = event.filter(|(time, _)| *time <= until);
            match (due, event) {
                (Some(time), e) if e.is_none_or(|(at, _)| time <= at) => {
                    self.go_between(time)?;
                    self.outputs += 1;
                    self.recorded = time;
                    self.now = self.now.max(time);
                    if self.record(observer, true)?.is_break() {
                        return Ok(Some(Stop::Interrupted { time }));
                    }
                }
                (_, Some((time, index))) => {
                    self.go_between(time)?;
                    taken.delivered += 1;
                    self.taken = Some(*taken);
                    self.now = self.now.max(time);
                    if let Some(stop) = self.happen(observer, time, index) {
                        self.state.clone_from(&self.between);
                        self.taken = None;
                        self.leave_step(taken.size)?;
                        return Ok(Some(stop));
                    }
                }
                _ => return Ok(None),
            }
        }
    }

    /// Moves to the end of a step.
    fn finish(
        &mut self,
        taken: Taken,
        observer: &mut dyn Observer,
    ) -> Result<ControlFlow<()>, IntegrationError> {
        let Taken { reached, size, .. } = taken;
        std::mem::swap(&mut self.state, &mut self.next);
        self.now = reached;
        self.count_reversals();
        // such an integrator depends on its own velocities: replacing them in every step would reduce its order
        if taken.moved && !self.integrator.keeps_constraints() {
            self.dynamics.pack(&self.state, &mut self.flat);
            self.integrator.replace(&self.flat);
        }
        self.dynamics.refresh_turns(&mut self.state, size)?;
        let chosen = self.choose_rows();
        let jumped = self.pass_stop()? || chosen;
        let mut flow = ControlFlow::Continue(());
        if self.output_time() <= reached + taken.slack {
            self.outputs += 1;
            self.dynamics.evaluate_at(&self.state)?;
            self.recorded = reached;
            flow = self.record(observer, false)?;
        }
        if flow.is_continue() {
            flow = observer.step(&self.progress());
        }
        if jumped && reached < self.end {
            self.dynamics.pack(&self.state, &mut self.flat);
            self.integrator
                .restart(&mut self.dynamics, reached, &self.flat)?;
        }
        if flow.is_continue() {
            flow = observer.between(&self.progress(), &mut || Words::of(self));
        }
        Ok(flow)
    }

    /// Records the end of the run, even if it is not an output time.
    fn record_end(&mut self, observer: &mut dyn Observer) -> Result<(), IntegrationError> {
        if self.end - self.recorded > 1e-6 * self.output_step {
            self.recorded = self.end;
            self.dynamics.evaluate_at(&self.state)?;
            let _ = self.record(observer, false)?;
        }
        Ok(())
    }

    /// Counts the velocities that changed their sign from `next`, which holds the last state, to `state`.
    fn count_reversals(&mut self) {
        let pairs = self.next.v.iter().zip(&self.state.v);
        for (count, (before, after)) in self.reversals.iter_mut().zip(pairs) {
            *count += u64::from(before * after < 0.0);
        }
    }

    /// Returns the next time at which a step must end.
    fn next_stop(&self) -> f64 {
        let stop = self.corners.next().min(self.dynamics.sampling.next());
        let stop = stop.min(self.touches.next).min(self.contacts.next);
        let stop = stop.min(self.schedule.next);
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
            self.dynamics.ws.kinematics.inputs.span = self.corners.span(self.state.time);
        }
        let fed = self.pass_inputs();
        let step = self.integrator.step_size();
        let sampled = self
            .dynamics
            .control(&mut self.state, step, self.start_energy)?;
        let touched = self.pass_touch();
        let disturbed = cornered || fed || sampled || touched;
        let changed = self.pass_contacts(disturbed)?;
        Ok(disturbed || changed)
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
    pub(super) fn go_between(&mut self, time: f64) -> Result<(), IntegrationError> {
        self.integrator.interpolate(time, &mut self.flat);
        self.dynamics.unpack(&self.flat, time, &mut self.between);
        let _ = self.dynamics.correct(&mut self.between)?;
        self.dynamics.evaluate_at(&self.between)?;
        Ok(())
    }

    /// Passes the evaluated state to the observer and records its accuracy.
    pub(super) fn record(
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
            return Err(MethodError::from(self.dynamics.diagnose_energy()).into());
        }
        let seen = observer.sample(&instant);
        self.dynamics.check_left_out_rows()?;
        Ok(seen)
    }
}
