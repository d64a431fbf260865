//! Laws: numbers that may depend on time and signals during a run.

use std::sync::Arc;

use super::Signal;
use crate::math::Jet;

/// The largest number of signals that one law reads.
pub const MAX_INPUTS: usize = 32;

/// A function of time and of the values of signals, written by users as an expression or by programs as code.
pub trait SignalFunction: std::fmt::Debug + Send + Sync {
    /// Returns its value.
    fn value(&self, time: f64, inputs: &[f64]) -> f64;

    /// Returns value, first and second time derivative, for a function of time only.
    fn jet(&self, time: f64) -> Jet;

    /// Returns the cause, if known, of a value or derivative that is not finite at finite inputs: "the square root of -2".
    fn trouble(&self, _time: f64, _inputs: &[f64]) -> Option<String> {
        None
    }

    /// Returns the first time after `after` at which the value or one of its first two time derivatives is discontinuous, as far as this is known
    /// without the inputs; infinite if there is none.
    fn next_corner(&self, _after: f64) -> f64 {
        f64::INFINITY
    }

    /// The number of switching functions of the inputs: where one changes sign, the value or a derivative of it is discontinuous.
    fn num_switchings(&self) -> usize {
        0
    }

    /// Whether the value may be discontinuous where switching function `k` changes sign; otherwise it has a kink there.
    fn jumps(&self, _k: usize) -> bool {
        true
    }

    /// Computes the values of the switching functions; NaN for one that is inactive.
    fn switchings(&self, _time: f64, _inputs: &[f64], _out: &mut [f64]) {}
}

/// A number that may depend on time and signals.
#[derive(Clone, Debug)]
pub enum Law {
    /// Constant in time.
    Constant(f64),
    /// A function of time and of signals, at most [`MAX_INPUTS`] of them.
    Function {
        /// The signals, in the order the function takes them.
        inputs: Arc<[Signal]>,
        /// The function.
        function: Arc<dyn SignalFunction>,
    },
}

/// A signal times a factor, plus an offset.
#[derive(Debug)]
struct LinearLaw {
    factor: f64,
    offset: f64,
}

impl SignalFunction for LinearLaw {
    fn value(&self, _: f64, inputs: &[f64]) -> f64 {
        let signal = inputs.first().copied().unwrap_or(f64::NAN);
        self.factor * signal + self.offset
    }

    fn jet(&self, _: f64) -> Jet {
        Jet::new(f64::NAN, f64::NAN, f64::NAN)
    }
}

/// A closure of time and the values of signals.
struct SignalClosure<F>(F);

impl<F> std::fmt::Debug for SignalClosure<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("closure")
    }
}

impl<F: Fn(f64, &[f64]) -> f64 + Send + Sync> SignalFunction for SignalClosure<F> {
    fn value(&self, time: f64, inputs: &[f64]) -> f64 {
        (self.0)(time, inputs)
    }

    fn jet(&self, time: f64) -> Jet {
        Jet::new(self.value(time, &[]), f64::NAN, f64::NAN)
    }
}

impl Law {
    /// A function of time and of the values of signals, in the order of `inputs`. Laws of forces may read positions, velocities, external inputs and outputs
    /// of controllers; [`Model::signal`](super::Model::signal) finds a signal by its name.
    ///
    /// Variable-step integrators assume that the function is smooth. Implement [`SignalFunction`] for one with discontinuities, which are then located.
    ///
    /// ```
    /// use biela_core::model::{JointIndex, JointQuantity, Law, Signal};
    ///
    /// // a spring that stiffens: −k x − k₃ x³
    /// let x = Signal::Joint(JointIndex(0), JointQuantity::Value(0));
    /// let law = Law::from_fn([x], |_time, values| -100.0 * values[0] - 4e3 * values[0].powi(3));
    /// assert_eq!(law.inputs(), [x]);
    /// ```
    ///
    /// # Panics
    ///
    /// If there are more than [`MAX_INPUTS`] signals.
    pub fn from_fn<F>(inputs: impl Into<Arc<[Signal]>>, function: F) -> Self
    where
        F: Fn(f64, &[f64]) -> f64 + Send + Sync + 'static,
    {
        let inputs = inputs.into();
        assert!(
            inputs.len() <= MAX_INPUTS,
            "a law reads at most {MAX_INPUTS} signals, not {}",
            inputs.len()
        );
        Law::Function {
            inputs,
            function: Arc::new(SignalClosure(function)),
        }
    }

    /// A function of time. [`Motion::of_time`](super::Motion::of_time) is its counterpart for drivers, with derivatives.
    ///
    /// ```
    /// use biela_core::model::Law;
    ///
    /// let pulse = Law::of_time(|t| 5.0 * (-t * t).exp());
    /// assert!(pulse.inputs().is_empty() && pulse.constant().is_none());
    /// ```
    pub fn of_time(function: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Self {
        Law::from_fn([], move |time, _| function(time))
    }

    /// The value of a signal.
    pub fn signal(signal: Signal) -> Self {
        Law::linear(signal, 1.0, 0.0)
    }

    /// The value of a signal times a factor, plus an offset.
    pub fn linear(signal: Signal, factor: f64, offset: f64) -> Self {
        Law::Function {
            inputs: Arc::new([signal]),
            function: Arc::new(LinearLaw { factor, offset }),
        }
    }

    /// Whether the law is the constant zero.
    pub fn is_zero(&self) -> bool {
        matches!(self, Law::Constant(x) if *x == 0.0)
    }

    /// Returns the value if it is constant.
    pub fn constant(&self) -> Option<f64> {
        match self {
            Law::Constant(x) => Some(*x),
            Law::Function { .. } => None,
        }
    }

    /// See [`SignalFunction::next_corner`].
    pub fn next_corner(&self, after: f64) -> f64 {
        match self {
            Law::Constant(_) => f64::INFINITY,
            Law::Function { function, .. } => function.next_corner(after),
        }
    }

    /// See [`SignalFunction::num_switchings`].
    pub fn num_switchings(&self) -> usize {
        match self {
            Law::Constant(_) => 0,
            Law::Function { function, .. } => function.num_switchings(),
        }
    }

    /// See [`SignalFunction::jumps`].
    pub fn jumps(&self, k: usize) -> bool {
        match self {
            Law::Constant(_) => false,
            Law::Function { function, .. } => function.jumps(k),
        }
    }

    /// The signals the law reads.
    pub fn inputs(&self) -> &[Signal] {
        match self {
            Law::Constant(_) => &[],
            Law::Function { inputs, .. } => inputs,
        }
    }
}

impl From<Signal> for Law {
    fn from(signal: Signal) -> Self {
        Law::signal(signal)
    }
}

impl From<f64> for Law {
    fn from(x: f64) -> Self {
        Law::Constant(x)
    }
}
