use super::pd::gravity_field;
use super::{ControlLaw, ControlSample, DesignModel, LawKind, Pd};
use super::{damping_field, stiffness_field};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::model::Space;

/// Proportional-integral-derivative control in joint space.
///
/// ```text
/// τ_k = K_P e_k + K_D ė_k + x_k + g(·)        x_(k+1) = x_k + K_I T e_k,   x_0 = 0
/// ```
///
/// The integral of a joint is held while its force or torque is saturated and the error has the direction of the saturation (anti-windup).
#[derive(Debug)]
pub struct Pid {
    pd: Pd,
    /// K_I T.
    rise: Vec<f64>,
}

fields! { Pid {
    use stiffness_field;
    use damping_field;
    /// gain of the integral of the position error
    ki: Gains { units: ["N/m/s", "N*m/rad/s"] },
    use gravity_field;
} }

impl LawKind for Pid {
    const INFO: Info = Info {
        name: "pid",
        aliases: &[],
        summary: "proportional-integral-derivative control with gravity compensation; the integral is held during saturation (anti-windup)",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(arguments: &Arguments, design: &DesignModel<'_>) -> Result<Self, ArgumentError> {
        let ki = design.gains(arguments, "ki")?;
        Ok(Pid {
            pd: Pd::build(arguments, design)?,
            rise: ki.iter().map(|k| k * design.period).collect(),
        })
    }
}

impl ControlLaw for Pid {
    fn start(&self) -> Vec<f64> {
        vec![0.0; self.rise.len()]
    }

    fn efforts(&mut self, sample: &ControlSample<'_>, states: &[f64], efforts: &mut [f64]) {
        self.pd.efforts(sample, &[], efforts);
        for (effort, integral) in efforts.iter_mut().zip(states) {
            *effort += integral;
        }
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
