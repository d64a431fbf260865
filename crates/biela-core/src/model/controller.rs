//! Sampled controllers: difference equations that are evaluated at their own sampling instants and hold their outputs in between.
//!
//! ```text
//! t_k = offset + k period
//! y_k = g(t_k, u_k, x_k)          rounded to the quantum, limited by the saturation
//! x_(k+1) = f(t_k, u_k, y_k, x_k)
//! y(t) = y_k                      for t_k + delay ≤ t < t_(k+1) + delay;  the initial output before
//! ```
//!
//! The inputs u_k are read at t_k: positions, velocities, sensors and forces at that instant, with the outputs of other
//! controllers without delay at the same instant; accelerations and reactions have their values just before it.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::sync::Arc;

use super::{ForceQuantity, Law, Model, Signal};
use crate::element::{ArgumentError, Origin};
use crate::system::InputSegment;
use crate::unilateral::ContactMemory;

/// The law of a sampled controller, written by users as formulas or by programs as code.
pub trait SampledLaw: std::fmt::Debug + Send + Sync {
    /// Computes the outputs at a sampling instant.
    fn outputs(&self, time: f64, inputs: &[f64], states: &[f64], outputs: &mut [f64]);

    /// Computes the states for the next sampling instant; `outputs` are the held values, after rounding and saturation.
    fn advance(&self, time: f64, inputs: &[f64], outputs: &[f64], states: &mut [f64]);

    /// Returns the cause, if known, of results that are not finite at finite inputs and states: "a division by zero".
    fn trouble(&self, _time: f64, _inputs: &[f64], _states: &[f64]) -> Option<String> {
        None
    }
}

/// A control law from closures.
///
/// The law has no memory of its own: what it remembers belongs in the states of its controller, so that snapshots contain it.
///
/// ```
/// use biela_core::model::{ControllerElement, JointIndex, JointQuantity, Model, SampledFunction, Signal, Space};
///
/// // a PI controller at 1 kHz: y = −4 e − 2 ∫ e dt
/// let law = SampledFunction::new(|_time, inputs, states, outputs| {
///     outputs[0] = -4.0 * inputs[0] - 2.0 * states[0];
/// })
/// .with_advance(|_time, inputs, _outputs, states| states[0] += 1e-3 * inputs[0]);
///
/// let error = Signal::Joint(JointIndex(0), JointQuantity::Value(0));
/// let controller = ControllerElement::new("pi", 1e-3, law)
///     .with_input(error)
///     .with_state(0.0)
///     .with_output("torque", "N*m");
/// let mut model = Model::new("arm", Space::Planar);
/// let outputs = model.add_controller(controller);
/// assert_eq!(outputs, [Signal::Controller(0)]);
/// ```
#[derive(Clone, Copy)]
pub struct SampledFunction<F, G = fn(f64, &[f64], &[f64], &mut [f64])> {
    outputs: F,
    advance: G,
}

impl<F: Fn(f64, &[f64], &[f64], &mut [f64])> SampledFunction<F> {
    /// A law without memory. The closure has the arguments of [`SampledLaw::outputs`]: time, inputs, states and, to be set, outputs.
    pub fn new(outputs: F) -> Self {
        SampledFunction {
            outputs,
            advance: |_, _, _, _| {},
        }
    }

    /// Returns the law with memory. The closure has the arguments of [`SampledLaw::advance`]: time, inputs, held outputs and, to be changed, states.
    #[must_use]
    pub fn with_advance<G: Fn(f64, &[f64], &[f64], &mut [f64])>(
        self,
        advance: G,
    ) -> SampledFunction<F, G> {
        SampledFunction {
            outputs: self.outputs,
            advance,
        }
    }
}

impl<F, G> std::fmt::Debug for SampledFunction<F, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("closures")
    }
}

impl<F, G> SampledLaw for SampledFunction<F, G>
where
    F: Fn(f64, &[f64], &[f64], &mut [f64]) + Send + Sync,
    G: Fn(f64, &[f64], &[f64], &mut [f64]) + Send + Sync,
{
    fn outputs(&self, time: f64, inputs: &[f64], states: &[f64], outputs: &mut [f64]) {
        (self.outputs)(time, inputs, states, outputs);
    }

    fn advance(&self, time: f64, inputs: &[f64], outputs: &[f64], states: &mut [f64]) {
        (self.advance)(time, inputs, outputs, states);
    }
}

/// An input of a controller.
#[derive(Clone, Debug)]
pub struct ControllerInput {
    /// Formula of time and signals.
    pub law: Law,
    /// Quantization step: values are rounded to integer multiples of it.
    pub quantum: Option<f64>,
}

/// An output of a controller.
#[derive(Clone, Debug)]
pub struct ControllerOutput {
    /// Name, appended to the controller's.
    pub name: String,
    /// SI unit, "1" for none.
    pub unit: String,
    /// Value before the first sample takes effect.
    pub initial: f64,
    /// Quantization step: values are rounded to integer multiples of it.
    pub quantum: Option<f64>,
    /// Lower and upper bound.
    pub saturation: Option<[f64; 2]>,
}

impl ControllerOutput {
    /// Returns the held value for the value `x` of the law.
    pub fn limit(&self, x: f64) -> f64 {
        let x = rounded(x, self.quantum);
        match self.saturation {
            // NaN is passed through, so that it is reported
            Some([_, high]) if x > high => high,
            Some([low, _]) if x < low => low,
            _ => x,
        }
    }
}

/// Rounds to the nearest integer multiple of a quantum.
pub(crate) fn rounded(x: f64, quantum: Option<f64>) -> f64 {
    quantum.map_or(x, |q| (x / q).round() * q)
}

/// A sampled controller.
#[derive(Clone, Debug)]
pub struct ControllerElement {
    /// Name.
    pub name: String,
    /// Its source location.
    pub origin: Origin,
    /// Time between samples.
    pub period: f64,
    /// Time of the first sample.
    pub offset: f64,
    /// Time from a sample until its outputs take effect.
    pub delay: f64,
    /// Its inputs.
    pub inputs: Vec<ControllerInput>,
    /// Initial values of its states.
    pub states: Vec<f64>,
    /// Its outputs.
    pub outputs: Vec<ControllerOutput>,
    /// Its control law.
    pub law: Arc<dyn SampledLaw>,
}

/// Largest delay of outputs, in sampling periods.
const MOST_PERIODS_OF_DELAY: f64 = 10_000.0;
/// Smallest sampling period, in seconds.
const LEAST_PERIOD: f64 = 1e-9;

impl ControllerElement {
    /// A controller without inputs, states and outputs, whose first sample is at time zero and takes effect at once.
    pub fn new(name: impl Into<String>, period: f64, law: impl SampledLaw + 'static) -> Self {
        ControllerElement {
            name: name.into(),
            origin: Origin::default(),
            period,
            offset: 0.0,
            delay: 0.0,
            inputs: Vec::new(),
            states: Vec::new(),
            outputs: Vec::new(),
            law: Arc::new(law),
        }
    }

    /// Adds an input: a signal or a law.
    #[must_use]
    pub fn with_input(mut self, law: impl Into<Law>) -> Self {
        self.inputs.push(ControllerInput {
            law: law.into(),
            quantum: None,
        });
        self
    }

    /// Adds a state with its initial value.
    #[must_use]
    pub fn with_state(mut self, initial: f64) -> Self {
        self.states.push(initial);
        self
    }

    /// Adds an output that is zero before the first sample.
    #[must_use]
    pub fn with_output(mut self, name: impl Into<String>, unit: impl Into<String>) -> Self {
        self.outputs.push(ControllerOutput {
            name: name.into(),
            unit: unit.into(),
            initial: 0.0,
            quantum: None,
            saturation: None,
        });
        self
    }

    /// Checks that periods, delays, quanta and saturations are valid; returns the first of [`ControllerElement::errors`].
    pub fn check(&self) -> Result<(), ArgumentError> {
        self.errors().into_iter().next().map_or(Ok(()), Err)
    }

    /// Returns all mistakes in periods, delays, quanta and saturations.
    pub fn errors(&self) -> Vec<ArgumentError> {
        let mut errors = Vec::new();
        let mut fault = |field, message: String| errors.push(ArgumentError { field, message });
        let periodic = self.period >= LEAST_PERIOD && self.period.is_finite();
        if !periodic {
            fault(
                "period",
                format!("it is {} s; use 1 ns or more", self.period),
            );
        }
        for (field, x) in [("offset", self.offset), ("delay", self.delay)] {
            if !(x >= 0.0 && x.is_finite()) {
                fault(field, format!("it is {x} s; it must be zero or more"));
            }
        }
        if periodic && self.delay.is_finite() && self.delay > MOST_PERIODS_OF_DELAY * self.period {
            let periods = self.delay / self.period;
            fault(
                "delay",
                format!("it is {periods:.0} periods; the maximum is {MOST_PERIODS_OF_DELAY}"),
            );
        }
        let inputs = self.inputs.iter().map(|input| ("inputs", input.quantum));
        let outputs = self.outputs.iter();
        let quanta = inputs.chain(outputs.map(|output| ("outputs", output.quantum)));
        for (field, quantum) in quanta {
            if let Some(q) = quantum.filter(|q| !(*q > 0.0 && q.is_finite())) {
                fault(
                    field,
                    format!("a quantum is {q}; it must be greater than zero"),
                );
            }
        }
        for output in &self.outputs {
            if let Some([low, high]) = output
                .saturation
                .filter(|[low, high]| low > high || low.is_nan() || high.is_nan())
            {
                let name = &output.name;
                fault(
                    "outputs",
                    format!(
                        "the saturation of `{name}` is from {low} to {high}; give the lower limit first"
                    ),
                );
            }
        }
        errors
    }

    /// The largest number of samples whose delay has not yet elapsed.
    fn waiting(&self) -> usize {
        if self.delay > 0.0 {
            (self.delay / self.period).ceil() as usize + 1
        } else {
            0
        }
    }
}

/// The layout of a controller's part of [`State::memory`](crate::system::State::memory), and of its outputs among those of all controllers.
///
/// A part consists of: number of samples taken, number of samples in effect, states, and a ring buffer of delayed outputs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slots {
    pub(crate) taken: usize,
    pub(crate) effective: usize,
    pub(crate) states: usize,
    pub(crate) ring: usize,
    /// Capacity of the ring buffer, in samples.
    pub(crate) waiting: usize,
    /// First output among the outputs of all controllers.
    pub(crate) outputs: usize,
}

/// Returns the slots of every controller. The held outputs and the external inputs come first in the memory.
pub(crate) fn slots(model: &Model) -> Vec<Slots> {
    let mut next = held_at_start(model).len();
    let mut outputs = 0;
    let of = |c: &ControllerElement| {
        let taken = next;
        let states = taken + 2;
        let ring = states + c.states.len();
        next = ring + c.waiting() * c.outputs.len();
        let first = outputs;
        outputs += c.outputs.len();
        Slots {
            taken,
            effective: taken + 1,
            states,
            ring,
            waiting: c.waiting(),
            outputs: first,
        }
    };
    model.controllers.iter().map(of).collect()
}

/// The memory of all controllers before their first samples.
pub(crate) fn initial_memory(model: &Model) -> Vec<f64> {
    let mut memory = held_at_start(model);
    for controller in &model.controllers {
        memory.extend([0.0, 0.0]);
        memory.extend(&controller.states);
        let waiting = controller.waiting() * controller.outputs.len();
        memory.resize(memory.len() + waiting, 0.0);
    }
    memory
}

/// The outputs of all controllers before their first samples take effect, then the external inputs, then the unilateral constraints.
pub(crate) fn held_at_start(model: &Model) -> Vec<f64> {
    let outputs = model.controllers.iter().flat_map(|c| &c.outputs);
    let mut held: Vec<f64> = outputs.map(|output| output.initial).collect();
    let inputs = model.inputs.iter();
    held.extend(inputs.flat_map(|input| InputSegment::constant(input.initial).numbers()));
    let contacts = crate::unilateral::unilaterals(model).len();
    held.resize(held.len() + ContactMemory::LEN * contacts, 0.0);
    held
}

/// For each controller, the controllers without delay whose outputs it reads: directly, through sensors, or through measures of forces.
pub fn sampling_dependencies(model: &Model) -> Vec<Vec<usize>> {
    let mut owner = Vec::new();
    for (c, controller) in model.controllers.iter().enumerate() {
        owner.resize(owner.len() + controller.outputs.len(), c);
    }
    let of = |controller: &ControllerElement| {
        let mut found = BTreeSet::new();
        let mut seen: Vec<Signal> = Vec::new();
        let laws = controller.inputs.iter().map(|input| &input.law);
        let mut open: Vec<Signal> = laws.flat_map(|law| law.inputs().iter().copied()).collect();
        while let Some(signal) = open.pop() {
            if seen.contains(&signal) {
                continue;
            }
            seen.push(signal);
            match signal {
                Signal::Controller(output) => {
                    let c = owner[output];
                    if model.controllers[c].delay == 0.0 {
                        let _ = found.insert(c);
                    }
                }
                Signal::Sensor(k) => open.extend(model.sensors[k].law.inputs()),
                Signal::Force(f, ForceQuantity::Measure(k)) => {
                    let force = &model.forces[f.0].force;
                    if force.measure_follows_laws(k) {
                        open.extend(force.laws().into_iter().flat_map(Law::inputs));
                    }
                }
                _ => {}
            }
        }
        found.into_iter().collect()
    };
    model.controllers.iter().map(of).collect()
}

/// The order in which controllers with the same sampling instant are evaluated: each after those it reads, otherwise in list order.
/// The error names the controllers of an algebraic loop.
pub(crate) fn sampling_order(model: &Model) -> Result<Vec<usize>, ArgumentError> {
    let depends = sampling_dependencies(model);
    let mut open: Vec<usize> = depends.iter().map(Vec::len).collect();
    let mut dependents = vec![Vec::new(); depends.len()];
    for (c, on) in depends.iter().enumerate() {
        for &other in on {
            dependents[other].push(c);
        }
    }
    let free = (0..open.len()).filter(|&c| open[c] == 0);
    let mut ready: BinaryHeap<Reverse<usize>> = free.map(Reverse).collect();
    let mut order = Vec::with_capacity(open.len());
    while let Some(Reverse(c)) = ready.pop() {
        order.push(c);
        for &dependent in &dependents[c] {
            open[dependent] -= 1;
            if open[dependent] == 0 {
                ready.push(Reverse(dependent));
            }
        }
    }
    if order.len() == open.len() {
        return Ok(order);
    }
    let left = (0..open.len()).filter(|&c| open[c] > 0).take(8);
    let names: Vec<String> = left
        .map(|c| format!("`{}`", model.controllers[c].name))
        .collect();
    Err(ArgumentError {
        field: "controller",
        message: format!(
            "{} form an algebraic loop: give one of them a delay",
            names.join(", ")
        ),
    })
}
