use super::{ControlLaw, ControlSample, DesignModel, InverseDynamics, LawKind};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::model::Space;

/// Sliding-mode control: errors converge to a sliding surface on which they decay, in spite of bounded model errors.
///
/// ```text
/// s = ė + Λ e        τ = M(q) (q̈_r + Λ ė + K sat(s / φ)) + c(q, q̇) + g(q)        sat(x) = x within ±1, ±1 beyond
/// ```
///
/// If K exceeds the acceleration caused by the model errors, |s| converges to at most φ, and then |e| to at most φ/Λ (J.-J. E.
/// Slotine, W. Li, *Applied Nonlinear Control*, 1991, chapter 7). Within the boundary layer φ the law is continuous, which avoids
/// chattering; K/φ should be well below the sampling rate. Joints that are not actuated are treated as in `computed-torque`.
#[derive(Debug)]
pub struct SlidingMode {
    slope: Vec<f64>,
    gain: Vec<f64>,
    layer: Vec<f64>,
    model: InverseDynamics,
    wanted: Vec<f64>,
}

fields! { SlidingMode {
    /// decay rate Λ of the errors on the sliding surface
    slope: Gains { units: ["1/s", "1/s"] },
    /// acceleration K towards the sliding surface; it must exceed that caused by model errors
    gain: Gains { units: ["m/s^2", "rad/s^2"] },
    /// half width φ of the boundary layer about the sliding surface, within which the law is continuous
    layer: Gains { units: ["m/s", "rad/s"] },
} }

impl LawKind for SlidingMode {
    const INFO: Info = Info {
        name: "sliding-mode",
        aliases: &[],
        summary: "drives errors to a sliding surface on which they decay, in spite of bounded errors of the design model",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(arguments: &Arguments, design: &DesignModel<'_>) -> Result<Self, ArgumentError> {
        let layer = design.gains(arguments, "layer")?;
        let mut driven = layer.iter().zip(&design.driven);
        if driven.any(|(layer, driven)| *driven && *layer == 0.0) {
            return Err(ArgumentError {
                field: "layer",
                message: "it is zero, which makes the law discontinuous: use a positive value"
                    .to_owned(),
            });
        }
        Ok(SlidingMode {
            slope: design.gains(arguments, "slope")?,
            gain: design.gains(arguments, "gain")?,
            layer,
            model: InverseDynamics::new(design),
            wanted: vec![0.0; design.joints()],
        })
    }
}

impl ControlLaw for SlidingMode {
    fn efforts(&mut self, sample: &ControlSample<'_>, _: &[f64], efforts: &mut [f64]) {
        for (i, wanted) in self.wanted.iter_mut().enumerate() {
            let (e, rate) = sample.error(i);
            let s = rate + self.slope[i] * e;
            // a joint that is not driven has no boundary layer, and its acceleration is ignored
            let part = if self.layer[i] > 0.0 {
                (s / self.layer[i]).clamp(-1.0, 1.0)
            } else {
                0.0
            };
            *wanted = sample.now.a[i] + self.slope[i] * rate + self.gain[i] * part;
        }
        self.model
            .accelerate([sample.q, sample.v, &self.wanted], efforts);
    }
}
