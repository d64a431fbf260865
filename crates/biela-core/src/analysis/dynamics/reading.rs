//! Signals, inputs and linear models at the current time of a run.
//!
//! Reading never changes a run: between two steps positions and velocities are those of the run's own state; everything else is evaluated by a copy of the
//! dynamics with buffers of its own.

use super::ode::Dynamics;
use super::stepping::Renewal;
use super::{InputTable, Observer, RunFailure, Simulation};
use crate::analysis::linearize::{LinearModelRequest, Linearization, LinearizeError, linearize};
use crate::integrators::IntegrationError;
use crate::methods::MethodError;
use crate::model::{Hold, InputIndex, JointIndex, Signal, Stage};
use crate::system::{InputSegment, Instant, SignalTable, State};

/// How far the current state is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Seen {
    /// Not at all.
    Nothing,
    /// The run is between two steps, and its own coordinates are those of its state.
    Coordinates,
    /// The run is between two steps, and its own kinematics are those of its state.
    Run,
    /// Its positions and velocities, and the kinematics.
    Positions,
    /// Its accelerations and reactions.
    Accelerations,
}

/// The reason why an input cannot be set.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum SetError {
    /// The model has no such input.
    NoInput {
        /// The requested index.
        input: usize,
        /// The number of inputs.
        inputs: usize,
    },
    /// The value is NaN or infinite.
    NotFinite {
        /// The input's name.
        name: String,
        /// The value.
        value: f64,
    },
    /// The input follows a table.
    HasTable {
        /// The input's name.
        name: String,
    },
    /// The state at which the input changes cannot be computed.
    Failed(Box<RunFailure>),
}

impl std::fmt::Display for SetError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SetError::NoInput { inputs: 0, .. } => {
                write!(f, "the model has no inputs; declare one with [[input]]")
            }
            SetError::NoInput { input, inputs } => {
                write!(f, "there is no input {input}: the model has {inputs}")
            }
            SetError::NotFinite { name, value } => {
                write!(f, "input `{name}` cannot be {value}: give a finite number")
            }
            SetError::HasTable { name } => write!(
                f,
                "input `{name}` follows a table and cannot be set: remove the table first"
            ),
            SetError::Failed(failure) => failure.fmt(f),
        }
    }
}

crate::readable_errors!(SetError);

/// The reason why signals cannot be read: the state at the current time cannot be evaluated.
#[derive(Clone, PartialEq)]
pub struct ReadError(pub IntegrationError);

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

crate::readable_errors!(ReadError);

impl From<ReadError> for LinearizeError {
    fn from(error: ReadError) -> Self {
        match error.0 {
            IntegrationError::Method(error) => LinearizeError::Method(error),
            other => LinearizeError::State(other.to_string()),
        }
    }
}

impl Simulation {
    /// Returns the table of the signals, to find them by name; it is created at the first call.
    pub fn signals(&self) -> &SignalTable {
        self.dynamics.system.signal_table()
    }

    /// Returns the value of a signal at the current time.
    pub fn read(&mut self, signal: Signal) -> Result<f64, ReadError> {
        let mut value = [0.0];
        self.observe(&[signal], &mut value)?;
        Ok(value[0])
    }

    /// Computes the values of signals at the current time, without allocating; `out` has one value per signal.
    ///
    /// # Panics
    ///
    /// If `out` does not have one value per signal, or a signal is not one of the model.
    pub fn observe(&mut self, signals: &[Signal], out: &mut [f64]) -> Result<(), ReadError> {
        assert_eq!(
            out.len(),
            signals.len(),
            "`out` must have one value per signal"
        );
        if self.read_coordinates(signals, out)? {
            return Ok(());
        }
        let system = &self.dynamics.system;
        let (table, model) = (system.signals(), system.model());
        let kinematics = &self.dynamics.ws.kinematics;
        let between_steps = self.taken.is_none();
        let is_own = |j: JointIndex, k: usize| kinematics.own_coordinate(j.0, k).is_some();
        let level = |signal: &Signal| {
            if between_steps && signal.follows_from_coordinates(is_own) {
                Seen::Coordinates
            } else if table.stage(model, *signal) >= Stage::Acceleration {
                Seen::Accelerations
            } else {
                self.kinematic_level()
            }
        };
        let level = signals.iter().map(level).max().unwrap_or(Seen::Nothing);
        self.look(level).map_err(ReadError)?;
        if let Some(instant) = self.instant() {
            for (value, signal) in out.iter_mut().zip(signals) {
                *value = instant.signal(*signal);
            }
        }
        Ok(())
    }

    /// Reads signals that are all coordinates of the formulation, between two steps; returns whether they are.
    fn read_coordinates(&mut self, signals: &[Signal], out: &mut [f64]) -> Result<bool, ReadError> {
        if self.taken.is_some() {
            return Ok(false);
        }
        self.look(Seen::Coordinates).map_err(ReadError)?;
        if self.seen > Seen::Run {
            return Ok(false);
        }
        let kinematics = &self.dynamics.ws.kinematics;
        for (out, signal) in out.iter_mut().zip(signals) {
            let Signal::Joint(joint, quantity) = *signal else {
                return Ok(false);
            };
            let Some((k, rate)) = quantity.coordinate() else {
                return Ok(false);
            };
            let Some(own) = kinematics.own_coordinate(joint.0, k) else {
                return Ok(false);
            };
            *out = if rate { own.1 } else { own.0 };
        }
        Ok(true)
    }

    /// Passes the instant of the current time, with its accelerations and reactions, to an observer.
    pub fn show(&mut self, observer: &mut dyn Observer) -> Result<(), ReadError> {
        self.look(Seen::Accelerations).map_err(ReadError)?;
        if let Some(instant) = self.instant() {
            let _ = observer.sample(&instant);
        }
        Ok(())
    }

    /// Returns the state at the current time.
    pub fn current(&mut self) -> Result<&State, ReadError> {
        self.look(self.kinematic_level()).map_err(ReadError)?;
        Ok(match self.seen {
            Seen::Nothing | Seen::Coordinates | Seen::Run => &self.state,
            _ => &self.visible,
        })
    }

    /// How far positions and velocities at the current time need to be evaluated.
    fn kinematic_level(&self) -> Seen {
        match self.taken {
            None => Seen::Run,
            Some(_) => Seen::Positions,
        }
    }

    /// Returns the linear model at the current time.
    pub fn linearize(
        &mut self,
        request: &LinearModelRequest,
    ) -> Result<Linearization, LinearizeError> {
        self.look(Seen::Positions).map_err(ReadError)?;
        let Dynamics { system, active, .. } = &self.dynamics;
        linearize(system.as_ref(), &self.visible, active, request)
    }

    /// Computes the generalised force that, added to the forces of the model, gives the accelerations v̇ at the current time: `M v̇ − f`, in the velocity
    /// coordinates of the formulation. Constraint forces count as a part of it.
    ///
    /// # Panics
    ///
    /// If there are not as many accelerations, or values of `out`, as velocity coordinates.
    pub fn inverse_dynamics(
        &mut self,
        accelerations: &[f64],
        out: &mut [f64],
    ) -> Result<(), ReadError> {
        let count = self.state.v.len();
        assert_eq!(
            (accelerations.len(), out.len()),
            (count, count),
            "`accelerations` and `out` must have one value per velocity coordinate"
        );
        self.look(Seen::Positions).map_err(ReadError)?;
        let Some(reader) = &mut self.reader else {
            return Ok(());
        };
        let Dynamics { system, ws, .. } = reader.as_mut();
        system.mass(ws);
        let forces = system.forces(ws).map_err(MethodError::from);
        forces.map_err(|error| ReadError(error.into()))?;
        for (out, force) in out.iter_mut().zip(&ws.force) {
            *out = -force;
        }
        for ((i, j), mass) in system.mass_pattern().entries.iter().zip(&ws.mass) {
            out[*i] += mass * accelerations[*j];
            if i != j {
                out[*j] += mass * accelerations[*i];
            }
        }
        Ok(())
    }

    /// Sets an external input from the current time on. With a first-order hold the input goes linearly to the value, which it reaches at the end of the next
    /// [`Simulation::advance`].
    pub fn set(&mut self, input: InputIndex, value: f64) -> Result<(), SetError> {
        let name = self.checked(input)?;
        if !value.is_finite() {
            let name = name.to_owned();
            return Err(SetError::NotFinite { name, value });
        }
        if self.schedule.has_table(input.0) {
            let name = name.to_owned();
            return Err(SetError::HasTable { name });
        }
        if self.model().inputs[input.0].hold == Hold::Linear {
            self.schedule.targets[input.0] = Some(value);
            return Ok(());
        }
        if self.segment(input.0) == InputSegment::constant(value) {
            return Ok(());
        }
        let changed = self.change(input.0, InputSegment::constant(value));
        changed.map_err(|cause| {
            let failure = self.failure(cause, &mut ());
            SetError::Failed(Box::new(failure))
        })
    }

    /// Lets an external input follow a table of values over time, or, without one, keep its present value.
    pub fn set_table(
        &mut self,
        input: InputIndex,
        table: Option<InputTable>,
    ) -> Result<(), SetError> {
        let _ = self.checked(input)?;
        let set = |this: &mut Self| {
            this.truncate()?;
            this.schedule.set_table(input.0, table);
            let present = InputSegment::constant(this.segment(input.0).at(this.now));
            this.write(input.0, present);
            let _ = this.pass_inputs();
            this.restart_later();
            Ok(())
        };
        set(self).map_err(|cause| {
            let failure = self.failure(cause, &mut ());
            SetError::Failed(Box::new(failure))
        })
    }

    /// Returns the name of an input that exists.
    fn checked(&self, input: InputIndex) -> Result<&str, SetError> {
        let inputs = &self.model().inputs;
        let found = inputs.get(input.0).ok_or(SetError::NoInput {
            input: input.0,
            inputs: inputs.len(),
        });
        found.map(|input| input.name.as_str())
    }

    fn segment(&self, input: usize) -> InputSegment {
        self.dynamics.ws.kinematics.inputs.segment(input)
    }

    /// Gives an input another course from the current time on.
    fn change(&mut self, input: usize, segment: InputSegment) -> Result<(), IntegrationError> {
        self.truncate()?;
        self.write(input, segment);
        self.find_next_change();
        self.restart_later();
        Ok(())
    }

    /// Lets the integrator restart before its next step.
    fn restart_later(&mut self) {
        if self.begun {
            self.renewal = self.renewal.max(Renewal::Restart);
        }
    }

    fn write(&mut self, input: usize, segment: InputSegment) {
        let Dynamics {
            ws,
            memory,
            held_before,
            ..
        } = &mut self.dynamics;
        let inputs = &mut ws.kinematics.inputs;
        let range = inputs.numbers(input);
        for list in [
            &mut inputs.held,
            memory,
            held_before,
            &mut self.state.memory,
        ] {
            list[range.clone()].copy_from_slice(&segment.numbers());
        }
        self.seen = Seen::Nothing;
    }

    fn find_next_change(&mut self) {
        let inputs = &self.dynamics.ws.kinematics.inputs;
        let count = self.dynamics.system.model().inputs.len();
        let segments = (0..count).map(|k| inputs.segment(k));
        self.schedule.find_next(segments, self.state.time);
    }

    /// Directs the inputs with a first-order hold to their values at a time; at once if it is the current time.
    pub(super) fn aim(&mut self, to: f64) -> Result<(), IntegrationError> {
        for input in 0..self.schedule.targets.len() {
            let Some(value) = self.schedule.targets[input].take() else {
                continue;
            };
            let now = self.now;
            let present = self.segment(input).at(now);
            let segment = InputSegment::line((now, present), (to.max(now), value));
            if segment != self.segment(input) {
                self.change(input, segment)?;
            }
        }
        Ok(())
    }

    /// Gives the inputs the courses that begin at the current state; returns whether one changed.
    pub(super) fn pass_inputs(&mut self) -> bool {
        let time = self.state.time;
        if self.schedule.is_empty() || self.schedule.next.is_infinite() && self.begun {
            return false;
        }
        let mut changed = false;
        for input in 0..self.schedule.targets.len() {
            let hold = self.dynamics.system.model().inputs[input].hold;
            let present = self.segment(input);
            let segment = self.schedule.segment(input, hold, present, time);
            if segment != present {
                self.write(input, segment);
                changed = true;
            }
        }
        self.find_next_change();
        changed
    }

    /// Evaluates the state at the current time with the copy of the dynamics.
    pub(super) fn look(&mut self, level: Seen) -> Result<(), IntegrationError> {
        if self.seen >= level {
            return Ok(());
        }
        self.initialize()?;
        if level <= Seen::Run {
            match level {
                Seen::Run => self.dynamics.see(&self.state),
                _ => self.dynamics.see_coordinates(&self.state),
            }
            self.seen = level;
            return Ok(());
        }
        let reader = self
            .reader
            .get_or_insert_with(|| Box::new(self.dynamics.clone()));
        if self.seen < Seen::Positions {
            reader.follow(&self.dynamics);
            if let Some(taken) = &self.taken {
                if taken.dense {
                    self.integrator.interpolate(self.now, &mut self.flat);
                } else if let Some(dense) = &self.dense {
                    dense.interpolate(self.now, &mut self.flat);
                } else {
                    let mut dense = self.integrator.clone();
                    dense.prepare_dense(reader.as_mut())?;
                    dense.interpolate(self.now, &mut self.flat);
                    self.dense = Some(dense);
                }
                reader.unpack(&self.flat, self.now, &mut self.visible);
                let _ = reader.correct(&mut self.visible)?;
            } else {
                self.visible.copy_from(&self.state);
            }
            reader.see(&self.visible);
            self.seen = Seen::Positions;
        }
        if level > self.seen {
            reader.evaluate()?;
            self.seen = level;
        }
        Ok(())
    }

    /// The evaluation of the last [`Simulation::look`].
    fn instant(&self) -> Option<Instant<'_>> {
        let step = self.integrator.step_size();
        let (dynamics, state) = match self.seen {
            Seen::Nothing | Seen::Coordinates | Seen::Run => (&self.dynamics, &self.state),
            _ => (self.reader.as_deref()?, &self.visible),
        };
        Some(dynamics.instant(&state.work, step, self.start_energy))
    }
}
