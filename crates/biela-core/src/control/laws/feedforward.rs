use super::aim_field;
use super::{ControlLaw, ControlSample, DesignModel, InverseDynamics, LawKind, ReferencePoint};
use crate::element::{ArgumentError, Arguments, Info, field_group, fields};
use crate::model::Space;

/// Feedforward: the generalized forces that the reference motion requires by inverse dynamics, with proportional-derivative feedback.
///
/// ```text
/// τ = f + K_P (q_r − q) + K_D (q̇_r − q̇)        f = M(q_r) q̈_r + c(q_r, q̇_r) + g(q_r)
/// ```
///
/// Generalized forces are held for a sampling period, so the mean of f at both of its ends approximates the motion in between better than f at either end.
#[derive(Debug)]
pub struct Feedforward {
    kp: Vec<f64>,
    kd: Vec<f64>,
    next: bool,
    ahead: Ahead,
}

/// Generalized forces of the reference motion for a sampling period.
#[derive(Debug)]
pub(super) struct Ahead {
    averaged: bool,
    pub(super) model: InverseDynamics,
    /// The reference at the next sample, where it is needed again, and its generalized forces.
    next: ReferencePoint,
    other: Vec<f64>,
}

// Whether feedforward forces are the mean over a sampling period.
field_group! { $ averaged_field {
    /// whether the feedforward forces and torques are the mean of those at this sample and at the next, not those at this sample
    averaged: Flag = "true",
} }

impl Ahead {
    pub(super) fn new(arguments: &Arguments, design: &DesignModel<'_>) -> Self {
        Ahead {
            averaged: arguments.flag("averaged"),
            model: InverseDynamics::new(design),
            // no reference yet: NaN compares unequal to every reference
            next: ReferencePoint {
                q: vec![f64::NAN; design.joints()],
                ..ReferencePoint::new(design.joints())
            },
            other: vec![0.0; design.joints()],
        }
    }

    /// Computes the mean over the period, or the value at this sample.
    pub(super) fn efforts(&mut self, sample: &ControlSample<'_>, out: &mut [f64]) {
        if *sample.now == self.next {
            out.copy_from_slice(&self.other);
        } else {
            self.model.along(sample.now, out);
        }
        if !self.averaged {
            return;
        }
        self.model.along(sample.next, &mut self.other);
        self.next.copy_from(sample.next);
        for (effort, other) in out.iter_mut().zip(&self.other) {
            *effort = 0.5 * (*effort + other);
        }
    }
}

fields! { Feedforward {
    /// gain of the position error
    kp: Gains { units: ["N/m", "N*m/rad"] } = "0",
    /// gain of the velocity error
    kd: Gains { units: ["N*s/m", "N*m*s/rad"] } = "0",
    use averaged_field;
    use aim_field;
} }

impl LawKind for Feedforward {
    const INFO: Info = Info {
        name: "feedforward",
        aliases: &[],
        summary: "forces and torques of the reference motion by inverse dynamics of the design model, with proportional-derivative feedback",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(arguments: &Arguments, design: &DesignModel<'_>) -> Result<Self, ArgumentError> {
        Ok(Feedforward {
            kp: design.gains(arguments, "kp")?,
            kd: design.gains(arguments, "kd")?,
            next: arguments.word("aim") == "next",
            ahead: Ahead::new(arguments, design),
        })
    }
}

impl ControlLaw for Feedforward {
    fn efforts(&mut self, sample: &ControlSample<'_>, _: &[f64], efforts: &mut [f64]) {
        let aim = sample.aim(self.next);
        self.ahead.efforts(sample, efforts);
        for (i, effort) in efforts.iter_mut().enumerate() {
            *effort +=
                self.kp[i] * (aim.q[i] - sample.q[i]) + self.kd[i] * (aim.v[i] - sample.v[i]);
        }
    }
}
