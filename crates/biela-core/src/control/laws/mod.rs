//! Control laws of robots. Each is one file and one line in the list `laws!`.
//!
//! At a sample a law reads the measured positions q and velocities q̇ of the robot's joints and the reference motion q_r, q̇_r, q̈_r at this and at the
//! next sample. It computes one generalized force (`effort`: a force or a torque) per joint. Its design model may differ from the simulated
//! model. The memory of a law is part of the states of its controller ([`LawController`]); the law itself holds only buffers.
#![allow(non_snake_case)]

mod controller;
mod design;

#[cfg(test)]
mod suite;

pub use controller::{LawController, MeasurementModel, ReferenceMotion, Wiring};
pub use design::DesignModel;
use design::InverseDynamics;

use crate::element::{ArgumentError, Arguments, Fields, Info, field_group};

/// A point of the reference motion, one value per joint of the robot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReferencePoint {
    /// Positions.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Accelerations.
    pub a: Vec<f64>,
}

impl ReferencePoint {
    /// At rest at zero.
    pub fn new(joints: usize) -> Self {
        ReferencePoint {
            q: vec![0.0; joints],
            v: vec![0.0; joints],
            a: vec![0.0; joints],
        }
    }

    /// Copies `other`, which has the same number of joints.
    pub(super) fn copy_from(&mut self, other: &ReferencePoint) {
        self.q.copy_from_slice(&other.q);
        self.v.copy_from_slice(&other.v);
        self.a.copy_from_slice(&other.a);
    }
}

/// The inputs of a law at a sample.
#[derive(Clone, Copy, Debug)]
pub struct ControlSample<'a> {
    /// Measured positions.
    pub q: &'a [f64],
    /// Measured velocities.
    pub v: &'a [f64],
    /// The reference at this sample.
    pub now: &'a ReferencePoint,
    /// The reference at the next one.
    pub next: &'a ReferencePoint,
}

/// A parameter that a law estimates; it is an output of the controller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Name, appended to the controller's.
    pub name: String,
    /// SI unit.
    pub unit: &'static str,
}

/// A control law with its buffers. Its outputs depend on the sample and the states only.
pub trait ControlLaw: std::fmt::Debug + Send {
    /// Initial values of its states.
    fn start(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Computes one generalized force per joint of the robot; those of joints that it does not drive are ignored.
    fn efforts(&mut self, sample: &ControlSample<'_>, states: &[f64], efforts: &mut [f64]);

    /// Advances its states to the next sample; `lost` is the part of each generalized force that saturation removed.
    fn advance(&mut self, _sample: &ControlSample<'_>, _lost: &[f64], _states: &mut [f64]) {}

    /// The parameters it estimates.
    fn estimates(&self) -> Vec<Estimate> {
        Vec::new()
    }

    /// Computes the current values of its estimates.
    fn estimate(&self, _states: &[f64], _values: &mut [f64]) {}
}

impl<L: LawKind> Fields<L> {
    /// Builds the control law for a design model. One number for several joints applies to each of them.
    ///
    /// ```
    /// use biela_core::control::laws::{DesignModel, Pd};
    /// use biela_core::joints::Revolute;
    /// use biela_core::model::{Body, MarkerIndex, MassProperties, Model, Space};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut model = Model::new("arm", Space::Planar);
    /// let arm = model.add_body(Body::new("arm", MassProperties::planar(2.0, [0.5, 0.0], 0.17)?));
    /// let _ = model.connect("pin", Revolute, [MarkerIndex::GROUND, model.body_marker(arm)]);
    /// let law = Pd::new(40.0, 8.0).gravity("none").build_law(&DesignModel::new(&model, 1e-3)?)?;
    /// assert!(law.start().is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// A field is invalid, or the design model does not suit the law.
    pub fn build_law(self, design: &DesignModel<'_>) -> Result<Box<dyn ControlLaw>, ArgumentError> {
        let arguments = self.into_arguments(design.model.space);
        let law = L::build(L::INFO.complete(&arguments)?.as_ref(), design)?;
        Ok(Box::new(law))
    }
}

/// The interface that each type of law implements in addition to [`ControlLaw`].
pub trait LawKind: ControlLaw + Sized + 'static {
    /// Name, fields and summary.
    const INFO: Info;
    /// Builds the law from the values of its fields, checked and complete as by [`Info::complete`].
    fn build(arguments: &Arguments, design: &DesignModel<'_>) -> Result<Self, ArgumentError>;
}

/// Generates the list of all laws from one line per law.
macro_rules! laws {
    ($($module:ident :: $name:ident),* $(,)?) => {
        $(mod $module; pub use $module::$name;)*

        /// The descriptions of all control laws, in the order of the list.
        pub const LAWS: &[Info] = &[$(<$name as LawKind>::INFO),*];

        /// Builds the law of type `kind`, as named in the model file; `None` if there is no such type.
        pub fn build(
            kind: &str,
            arguments: &Arguments,
            design: &DesignModel<'_>,
        ) -> Option<Result<Box<dyn ControlLaw>, ArgumentError>> {
            $(
                let info = <$name as LawKind>::INFO;
                if info.name == kind || info.aliases.contains(&kind) {
                    let made = info.complete(arguments)
                        .and_then(|arguments| <$name as LawKind>::build(&arguments, design));
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

// Gain of position errors: force or torque per unit of error.
field_group! { $ stiffness_field {
    /// gain of the position error
    kp: Gains { units: ["N/m", "N*m/rad"] },
} }
// Gain of velocity errors: force or torque per unit of error.
field_group! { $ damping_field {
    /// gain of the velocity error
    kd: Gains { units: ["N*s/m", "N*m*s/rad"] },
} }

// The reference point that a law uses.
field_group! { $ aim_field {
    /// reference point from which errors are computed: that of this sample, or of the next
    aim: Choice(&["current", "next"]) = "current",
} }

impl<'a> ControlSample<'a> {
    /// The reference point selected by the field `aim`.
    fn aim(&self, next: bool) -> &'a ReferencePoint {
        if next { self.next } else { self.now }
    }

    /// `q_r − q` and `q̇_r − q̇` of a joint, at this sample.
    fn error(&self, i: usize) -> (f64, f64) {
        (self.now.q[i] - self.q[i], self.now.v[i] - self.v[i])
    }
}
