//! Laws: numbers that may depend on time and signals during a run.

use std::sync::Arc;

use super::Signal;
use crate::math::Jet;

/// The largest number of signals that one law reads.
pub const MAX_INPUTS: usize = 32;

/// A function of time and of the values of signals, written by users as an expression or by programs as code.
pub trait Function: std::fmt::Debug + Send + Sync {
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
        function: Arc<dyn Function>,
    },
}

/// A signal times a factor, plus an offset.
#[derive(Debug)]
struct Linear {
    factor: f64,
    offset: f64,
}

impl Function for Linear {
    fn value(&self, _: f64, inputs: &[f64]) -> f64 {
        let signal = inputs.first().copied().unwrap_or(f64::NAN);
        self.factor * signal + self.offset
    }

    fn jet(&self, _: f64) -> Jet {
        Jet::new(f64::NAN, f64::NAN, f64::NAN)
    }
}

impl Law {
    /// The value of a signal.
    pub fn signal(signal: Signal) -> Self {
        Law::linear(signal, 1.0, 0.0)
    }

    /// The value of a signal times a factor, plus an offset.
    pub fn linear(signal: Signal, factor: f64, offset: f64) -> Self {
        Law::Function {
            inputs: Arc::new([signal]),
            function: Arc::new(Linear { factor, offset }),
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

    /// See [`Function::next_corner`].
    pub fn next_corner(&self, after: f64) -> f64 {
        match self {
            Law::Constant(_) => f64::INFINITY,
            Law::Function { function, .. } => function.next_corner(after),
        }
    }

    /// See [`Function::num_switchings`].
    pub fn num_switchings(&self) -> usize {
        match self {
            Law::Constant(_) => 0,
            Law::Function { function, .. } => function.num_switchings(),
        }
    }

    /// See [`Function::jumps`].
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

impl From<f64> for Law {
    fn from(x: f64) -> Self {
        Law::Constant(x)
    }
}
