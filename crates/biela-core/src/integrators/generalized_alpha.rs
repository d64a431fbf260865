use super::control::{absolute_field, first_step_field, max_step_field};
use super::newmark::{Average, Newmark, NewmarkWeights, Scheme};
use super::newmark::{
    form_field, newton_field, newton_tolerance_field, step_field, step_tolerance_field,
};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::model::Space;

/// The generalized-α method on the index-3 or stabilised index-2 equations, in the Lie-group form of M. Arnold and O. Brüls (*Multibody System Dynamics* 18
/// (2007) 185-202; O. Brüls, A. Cardona, M. Arnold, *Mechanism and Machine Theory* 48 (2012) 121-137).
///
/// ```text
/// (1 − α_m) a⁺ + α_m a = (1 − α_f) v̇⁺ + α_f v̇
/// q⁺ = q ⊕ (h v + h² (½ − β) a + h² β a⁺)        v⁺ = v + h (1 − γ) a + h γ a⁺
/// M v̇⁺ + Gᵀ λ⁺ = f(t⁺, q⁺, v⁺)                   Φ(q⁺, t⁺) = 0
///
/// α_m = (2ρ − 1)/(ρ + 1)    α_f = ρ/(ρ + 1)    γ = ½ + α_f − α_m    β = ¼ (γ + ½)²
/// ```
///
/// Order 2, unconditionally stable for stable linear systems. The spectral radius ρ∞ at infinite frequency sets the numerical damping. A step costs two to
/// four iterations of Newton's method, each with one evaluation and one back-substitution. The factorisation of the iteration matrix is reused over several
/// steps while the iteration converges well, and recomputed from the analytic tangent when it does not. The step is fixed, and halved if Newton's method
/// fails, or set by a local error estimate. Nonholonomic (velocity) constraints are imposed on v⁺. The work integrals use the trapezoidal rule.
pub type GeneralizedAlpha = Newmark<SpectralRadius>;

/// The weights for a given spectral radius at infinite frequency.
#[derive(Clone, Debug)]
pub struct SpectralRadius;

fields! { GeneralizedAlpha {
    use step_field;
    use step_tolerance_field;
    use absolute_field;
    use max_step_field;
    use first_step_field;
    /// spectral radius at infinite frequency, from 0 (the highest frequencies vanish in one step) to 1 (no numerical damping)
    spectral_radius: Number { unit: "1" } = "0.9",
    use form_field;
    use newton_field;
    use newton_tolerance_field;
} }

impl Scheme for SpectralRadius {
    const INFO: Info = Info {
        name: "generalized-alpha",
        aliases: &["gen-alpha"],
        summary: "implicit method of order 2 on the index-3 or stabilised index-2 equations, fixed step or error control, adjustable numerical damping",
        spaces: &[Space::Planar, Space::Spatial],
        fields: GeneralizedAlpha::FIELDS,
    };

    fn weights(arguments: &Arguments) -> Result<NewmarkWeights, ArgumentError> {
        let rho = arguments.optional_number("spectral_radius").unwrap_or(0.9);
        if !(0.0..=1.0).contains(&rho) {
            return Err(ArgumentError {
                field: "spectral_radius",
                message: format!("{rho} is not between 0 (most damping) and 1 (none)"),
            });
        }
        let alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
        let alpha_f = rho / (rho + 1.0);
        let gamma = 0.5 + alpha_f - alpha_m;
        Ok(NewmarkWeights {
            alpha_m,
            alpha_f,
            beta: 0.25 * (gamma + 0.5) * (gamma + 0.5),
            gamma,
            average: Average::Accelerations,
        })
    }
}
