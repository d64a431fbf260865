//! Control laws of robots: one file each, and one line in `laws!` below.
//!
//! At a sample a law knows the measured positions q and rates q̇ of the robot's joints and the reference motion q_r, q̇_r, q̈_r now and at the
//! next sample, and gives one effort a joint. The model that it computes with, its design model, may be another than the
//! one that moves. What a law remembers is among the states of its controller ([`LawController`]); what it holds itself are buffers.
#![allow(non_snake_case)]

mod controller;
mod design;

#[cfg(test)]
mod suite;

pub use controller::{LawController, Measuring, Motion, Wiring};
pub use design::Design;
use design::Inverse;

use crate::element::{ArgumentError, Arguments, Field, FieldKind, Info};

/// A point of the reference motion, one value a joint of the robot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reference {
    /// Positions.
    pub q: Vec<f64>,
    /// Rates.
    pub v: Vec<f64>,
    /// Accelerations.
    pub a: Vec<f64>,
}

impl Reference {
    /// At rest at zero.
    pub fn new(joints: usize) -> Self {
        Reference {
            q: vec![0.0; joints],
            v: vec![0.0; joints],
            a: vec![0.0; joints],
        }
    }

    /// Becomes the same as `other`, which has as many joints.
    pub(super) fn copy_from(&mut self, other: &Reference) {
        self.q.copy_from_slice(&other.q);
        self.v.copy_from_slice(&other.v);
        self.a.copy_from_slice(&other.a);
    }
}

/// What a law is told at a sample.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// Measured positions.
    pub q: &'a [f64],
    /// Measured rates.
    pub v: &'a [f64],
    /// The reference at this sample.
    pub now: &'a Reference,
    /// The reference at the next one.
    pub next: &'a Reference,
}

/// A number that a law estimates and shows beside its efforts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Name after the controller's.
    pub name: String,
    /// SI unit.
    pub unit: &'static str,
}

/// A control law with its buffers: what it answers depends on the sample and the states alone.
pub trait ControlLaw: std::fmt::Debug + Send {
    /// Starting values of what it remembers.
    fn start(&self) -> Vec<f64> {
        Vec::new()
    }

    /// One effort a joint of the robot; those of joints that it does not drive are not looked at.
    fn efforts(&mut self, sample: &Sample<'_>, states: &[f64], efforts: &mut [f64]);

    /// What it remembers at the next sample; `lost` is what saturation took from each effort.
    fn advance(&mut self, _sample: &Sample<'_>, _lost: &[f64], _states: &mut [f64]) {}

    /// What it estimates.
    fn estimates(&self) -> Vec<Estimate> {
        Vec::new()
    }

    /// The present values of what it estimates.
    fn estimate(&self, _states: &[f64], _values: &mut [f64]) {}
}

/// What a kind of law provides beside [`ControlLaw`].
pub trait LawKind: ControlLaw + Sized + 'static {
    /// Name, fields and summary.
    const INFO: Info;
    /// Makes the law from the values of its fields.
    fn build(arguments: &Arguments, design: &Design<'_>) -> Result<Self, ArgumentError>;
}

/// Makes the list of all laws from one line a law.
macro_rules! laws {
    ($($module:ident :: $name:ident),* $(,)?) => {
        $(mod $module; pub use $module::$name;)*

        /// The descriptions of all control laws, in the order of the list.
        pub const LAWS: &[Info] = &[$(<$name as LawKind>::INFO),*];

        /// Makes a law by its word in the model file; `None` when there is no such law.
        pub fn build(
            kind: &str,
            arguments: &Arguments,
            design: &Design<'_>,
        ) -> Option<Result<Box<dyn ControlLaw>, ArgumentError>> {
            $(
                let info = <$name as LawKind>::INFO;
                if info.name == kind || info.aliases.contains(&kind) {
                    let made = <$name as LawKind>::build(arguments, design);
                    return Some(made.map(|law| Box::new(law) as Box<dyn ControlLaw>));
                }
            )*
            None
        }
    };
}

laws! {
    pd::Pd,
    pid::Pid,
    computed_torque::ComputedTorque,
    linearized_cancellation::LinearizedCancellation,
    feedforward::Feedforward,
    impedance::Impedance,
    lqr::Lqr,
    sliding_mode::SlidingMode,
    adaptive::Adaptive,
}

/// Gain of position errors, effort for error.
const STIFFNESS: Field = Field::required(
    "kp",
    FieldKind::Gains {
        units: ["N/m", "N*m/rad"],
    },
    "gain of the position error",
);
/// Gain of rate errors, effort for error.
const DAMPING: Field = Field::required(
    "kd",
    FieldKind::Gains {
        units: ["N*s/m", "N*m*s/rad"],
    },
    "gain of the rate error",
);

/// Which reference a law looks at.
const REFERENCE: Field = Field::optional(
    "aim",
    FieldKind::Choice(&["current", "next"]),
    "current",
    "which point of the reference errors are taken from: that of this sample, or of the next",
);

impl<'a> Sample<'a> {
    /// The reference that a law with the field [`REFERENCE`] looks at.
    fn aim(&self, next: bool) -> &'a Reference {
        if next { self.next } else { self.now }
    }

    /// `q_r − q` and `q̇_r − q̇` of a joint, at this sample.
    fn error(&self, i: usize) -> (f64, f64) {
        (self.now.q[i] - self.q[i], self.now.v[i] - self.v[i])
    }
}
