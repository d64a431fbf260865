use super::{ControlLaw, ControlSample, DesignModel, InverseDynamics, LawKind};
use super::{damping_field, stiffness_field};
use crate::element::{ArgumentError, Arguments, Info, field_group, fields};
use crate::model::Space;

/// Proportional-derivative control in joint space, with gravity compensation.
///
/// ```text
/// τ = K_P (q_r − q) + K_D (q̇_r − q̇) + g(·)
/// ```
///
/// With gravity compensated at the actual position the equilibrium is the reference for any positive K_P (M. Takegaki, S. Arimoto,
/// *ASME Journal of Dynamic Systems, Measurement, and Control* 103 (1981) 119-125); compensated at the reference, for K_P large enough.
#[derive(Debug)]
pub struct Pd {
    kp: Vec<f64>,
    kd: Vec<f64>,
    gravity: Gravity,
    model: InverseDynamics,
}

#[derive(Clone, Copy, Debug)]
enum Gravity {
    Left,
    Actual,
    Reference,
}

// The position at which gravity is compensated.
field_group! { $ gravity_field {
    /// position at which the gravity of the design model is compensated: the measured one, that of the reference, or none
    gravity: Choice(&["none", "actual", "reference"]) = "actual",
} }

fields! { Pd {
    use stiffness_field;
    use damping_field;
    use gravity_field;
} }

impl LawKind for Pd {
    const INFO: Info = Info {
        name: "pd",
        aliases: &[],
        summary: "proportional-derivative control with gravity compensation",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(arguments: &Arguments, design: &DesignModel<'_>) -> Result<Self, ArgumentError> {
        Ok(Pd {
            kp: design.gains(arguments, "kp")?,
            kd: design.gains(arguments, "kd")?,
            gravity: match arguments.word("gravity").as_str() {
                "none" => Gravity::Left,
                "reference" => Gravity::Reference,
                _ => Gravity::Actual,
            },
            model: InverseDynamics::new(design),
        })
    }
}

impl ControlLaw for Pd {
    fn efforts(&mut self, sample: &ControlSample<'_>, _: &[f64], efforts: &mut [f64]) {
        match self.gravity {
            Gravity::Left => efforts.fill(0.0),
            Gravity::Actual => self.model.gravity(sample.q, efforts),
            Gravity::Reference => self.model.gravity(&sample.now.q, efforts),
        }
        for (i, effort) in efforts.iter_mut().enumerate() {
            let (e, rate) = sample.error(i);
            *effort += self.kp[i] * e + self.kd[i] * rate;
        }
    }
}
