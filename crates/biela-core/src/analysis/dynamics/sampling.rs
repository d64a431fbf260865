//! Sampled controllers during a run: see [`crate::model::ControllerElement`].

use super::Dynamics;
use super::corners::slack;
use crate::element::ArgumentError;
use crate::keep::keeps;
use crate::methods::MethodError;
use crate::model::{Model, Slots, rounded, sampling_order, slots};
use crate::system::{NotFinite, State, diagnose_formula, law_stage, named};

/// The times and the order in which controllers are sampled.
#[derive(Clone, Debug)]
pub(super) struct SamplingSchedule {
    slots: Vec<Slots>,
    /// Controllers, each after those it reads.
    order: Vec<usize>,
    /// Whether a controller reads accelerations or reactions.
    accelerations: bool,
    /// Time at which the next sample is taken or takes effect.
    next: f64,
    /// Inputs of the current controller.
    inputs: Vec<f64>,
}

keeps!(SamplingSchedule: next);

impl SamplingSchedule {
    pub(super) fn new(model: &Model, memory: &[f64]) -> Result<Self, ArgumentError> {
        for controller in &model.controllers {
            controller.check()?;
        }
        let most = model.controllers.iter().map(|c| c.inputs.len()).max();
        let most = most.unwrap_or(0);
        let inputs = model.controllers.iter().flat_map(|c| &c.inputs);
        let mut sampling = SamplingSchedule {
            slots: slots(model),
            order: sampling_order(model)?,
            accelerations: inputs
                .map(|input| law_stage(model, &input.law))
                .any(|stage| stage >= crate::model::Stage::Acceleration),
            next: f64::INFINITY,
            inputs: Vec::with_capacity(most),
        };
        sampling.find_next(model, memory);
        Ok(sampling)
    }

    /// Returns the time at which the next sample is taken or takes effect; infinite without controllers.
    pub(super) fn next(&self) -> f64 {
        self.next
    }

    fn find_next(&mut self, model: &Model, memory: &[f64]) {
        self.next = f64::INFINITY;
        for (controller, slots) in model.controllers.iter().zip(&self.slots) {
            let at = |samples: f64| controller.offset + samples * controller.period;
            let (taken, effective) = (memory[slots.taken], memory[slots.effective]);
            self.next = self.next.min(at(taken));
            if effective < taken {
                self.next = self.next.min(at(effective) + controller.delay);
            }
        }
    }
}

impl Dynamics {
    /// Takes the samples that are due at a state whose kinematics are in the workspace, and activates those whose delay has elapsed;
    /// returns whether an output changed.
    pub(super) fn control(
        &mut self,
        state: &mut State,
        step: f64,
        start_energy: f64,
    ) -> Result<bool, MethodError> {
        let now = state.time + slack(state.time);
        if self.sampling.next > now {
            return Ok(false);
        }
        self.see(state);
        if self.sampling.accelerations {
            self.evaluate()?;
        }
        for c in 0..self.sampling.slots.len() {
            self.take_effect(c, now);
        }
        for i in 0..self.sampling.order.len() {
            self.sample(self.sampling.order[i], now, state, step, start_energy)?;
        }
        self.sampling.find_next(self.system.model(), &self.memory);
        state.memory.copy_from_slice(&self.memory);
        let held = &mut self.ws.kinematics.inputs.held;
        let changed = held
            .iter()
            .zip(&self.held_before)
            .any(|(now, before)| now != before);
        self.held_before.copy_from_slice(held);
        Ok(changed)
    }

    /// Activates the outputs of controller `c` whose delay has elapsed.
    fn take_effect(&mut self, c: usize, now: f64) {
        let controller = &self.system.model().controllers[c];
        let slots = self.sampling.slots[c];
        let count = controller.outputs.len();
        while slots.waiting > 0 && self.memory[slots.effective] < self.memory[slots.taken] {
            let sample = self.memory[slots.effective];
            if controller.offset + sample * controller.period + controller.delay > now {
                break;
            }
            let from = slots.ring + sample as usize % slots.waiting * count;
            self.memory.copy_within(from..from + count, slots.outputs);
            self.memory[slots.effective] += 1.0;
        }
        self.hold(slots.outputs..slots.outputs + count);
    }

    /// Copies held outputs to where formulas read them.
    fn hold(&mut self, range: std::ops::Range<usize>) {
        self.ws.kinematics.inputs.held[range.clone()].copy_from_slice(&self.memory[range]);
    }

    /// Samples controller `c` if it is due.
    fn sample(
        &mut self,
        c: usize,
        now: f64,
        state: &State,
        step: f64,
        start_energy: f64,
    ) -> Result<(), MethodError> {
        let slots = self.sampling.slots[c];
        let controller = &self.system.model().controllers[c];
        let sample = self.memory[slots.taken];
        if controller.offset + sample * controller.period > now {
            return Ok(());
        }
        let time = state.time;
        let mut inputs = std::mem::take(&mut self.sampling.inputs);
        inputs.clear();
        let instant = self.instant(&state.work, step, start_energy);
        let read = controller.inputs.iter();
        inputs.extend(read.map(|input| rounded(instant.evaluate(&input.law), input.quantum)));

        let count = controller.outputs.len();
        let at = if slots.waiting > 0 {
            slots.ring + sample as usize % slots.waiting * count
        } else {
            slots.outputs
        };
        // outputs are stored before or after the states
        let states = slots.states..slots.states + controller.states.len();
        let (outputs, states) = if at < states.start {
            let (front, back) = self.memory.split_at_mut(states.start);
            (&mut front[at..at + count], &mut back[..states.len()])
        } else {
            let (front, back) = self.memory.split_at_mut(states.end);
            let start = at - states.end;
            (&mut back[start..start + count], &mut front[states])
        };
        controller.law.outputs(time, &inputs, states, outputs);
        for (value, output) in outputs.iter_mut().zip(&controller.outputs) {
            *value = output.limit(*value);
        }
        controller.law.advance(time, &inputs, outputs, states);
        if !outputs.iter().chain(states.iter()).all(|x| x.is_finite()) {
            let broken = self.diagnose_controller(c, &inputs, (state, step, start_energy));
            return Err(broken.into());
        }
        self.sampling.inputs = inputs;
        self.memory[slots.taken] += 1.0;
        if slots.waiting == 0 {
            self.memory[slots.effective] += 1.0;
            self.hold(slots.outputs..slots.outputs + count);
        }
        Ok(())
    }

    /// Returns the cause of an output or state of controller `c` that is not finite: one of its inputs, or itself.
    fn diagnose_controller(
        &self,
        c: usize,
        inputs: &[f64],
        (state, step, start_energy): (&State, f64, f64),
    ) -> NotFinite {
        let controller = &self.system.model().controllers[c];
        let element = || named("controller", &controller.name, &controller.origin);
        let instant = self.instant(&state.work, step, start_energy);
        let mut read = controller.inputs.iter().zip(inputs);
        if let Some((input, _)) = read.find(|(_, x)| !x.is_finite()) {
            return diagnose_formula(&instant, &element, &input.law);
        }
        let slots = &self.sampling.slots[c];
        let states = &state.memory[slots.states..slots.states + controller.states.len()];
        let trouble = controller.law.trouble(state.time, inputs, states);
        NotFinite {
            element: element(),
            time: state.time,
            cause: match trouble {
                Some(trouble) => format!("its formulas evaluate {trouble}").into(),
                None => "check for a division by zero, or a state that grows without bound".into(),
            },
            grown: false,
        }
    }
}
