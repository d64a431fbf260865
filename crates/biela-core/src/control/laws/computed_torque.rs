use super::{ControlLaw, ControlSample, DesignModel, InverseDynamics, LawKind};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::model::Space;

/// Computed torque (inverse-dynamics control): the design model cancels the dynamics of the robot, and each error obeys a linear differential equation.
///
/// ```text
/// τ = M(q) (q̈_r + K_D ė + K_P e + x) + c(q, q̇) + g(q)        x_(k+1) = x_k + K_I T e_k,   x_0 = 0
/// ë + K_D ė + K_P e + K_I ∫e = 0                              for an exact model and short sampling periods
/// ```
///
/// If some joints are not actuated, the actuated ones still obtain their accelerations (partial feedback linearisation: M. W. Spong, *IEEE/RSJ
/// International Conference on Intelligent Robots and Systems* (1994) 314-321), but the motion of the others is not controlled. The integral is held
/// while the force or torque of the joint is saturated and the error has the direction of the saturation (anti-windup).
#[derive(Debug)]
pub struct ComputedTorque {
    kp: Vec<f64>,
    kd: Vec<f64>,
    /// K_I T; empty if there is no integral gain.
    rise: Vec<f64>,
    model: InverseDynamics,
    wanted: Vec<f64>,
}

fields! { ComputedTorque {
    /// gain of the position error: the square of its natural frequency
    kp: Gains { units: ["1/s^2", "1/s^2"] },
    /// gain of the velocity error: twice the damping ratio times the natural frequency
    kd: Gains { units: ["1/s", "1/s"] },
    /// gain of the integral of the position error
    ki: Gains { units: ["1/s^3", "1/s^3"] } = "0",
} }

impl LawKind for ComputedTorque {
    const INFO: Info = Info {
        name: "computed-torque",
        aliases: &["inverse-dynamics"],
        summary: "inverse-dynamics control: cancels the dynamics by the design model, so that each error obeys a linear differential equation",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(arguments: &Arguments, design: &DesignModel<'_>) -> Result<Self, ArgumentError> {
        let ki = design.gains(arguments, "ki")?;
        Ok(ComputedTorque {
            kp: design.gains(arguments, "kp")?,
            kd: design.gains(arguments, "kd")?,
            rise: if ki.iter().any(|k| *k > 0.0) {
                ki.iter().map(|k| k * design.period).collect()
            } else {
                Vec::new()
            },
            model: InverseDynamics::new(design),
            wanted: vec![0.0; design.joints()],
        })
    }
}

impl ControlLaw for ComputedTorque {
    fn start(&self) -> Vec<f64> {
        vec![0.0; self.rise.len()]
    }

    fn efforts(&mut self, sample: &ControlSample<'_>, states: &[f64], efforts: &mut [f64]) {
        for (i, wanted) in self.wanted.iter_mut().enumerate() {
            let (e, rate) = sample.error(i);
            *wanted = sample.now.a[i] + self.kd[i] * rate + self.kp[i] * e;
        }
        for (wanted, integral) in self.wanted.iter_mut().zip(states) {
            *wanted += integral;
        }
        self.model
            .accelerate([sample.q, sample.v, &self.wanted], efforts);
    }

    fn advance(&mut self, sample: &ControlSample<'_>, lost: &[f64], states: &mut [f64]) {
        for (i, integral) in states.iter_mut().enumerate() {
            let (e, _) = sample.error(i);
            if lost[i] * e <= 0.0 {
                *integral += self.rise[i] * e;
            }
        }
    }
}
