use super::control::{absolute_field, first_step_field, max_step_field};
use super::newmark::{Average, Newmark, NewmarkWeights, NewtonCriterion, Scheme};
use super::newmark::{
    form_field, newton_field, newton_tolerance_field, step_field, step_tolerance_field,
};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::model::Space;

/// The method of H. M. Hilber, T. J. R. Hughes and R. L. Taylor (*Earthquake Engineering and Structural Dynamics* 5 (1977) 283-292) on the
/// index-3 equations, HHT-I3 (D. Negrut, R. Rampalli, G. Ottarsson, A. Sajdak, *J. Comput. Nonlinear Dynam.* 2 (2007) 73-85).
///
/// ```text
/// M⁺ a⁺/(1 + α) + (Gᵀλ − f)⁺ − α/(1 + α) (Gᵀλ − f) = 0        Φ(q⁺, t⁺)/(βh²) = 0
/// q⁺ = q ⊕ (h v + h² (½ − β) a + h² β a⁺)        v⁺ = v + h (1 − γ) a + h γ a⁺
///
/// −0.3 ≤ α ≤ 0      γ = ½ − α      β = ¼ (1 − α)²
/// ```
///
/// Unconditionally stable for stable linear systems. α = 0 is the trapezoidal rule; α = −0.3 has the most numerical damping. The equations above are the
/// published form, `average = "forces"`. It has order 2 if M is constant, but order 1 if M depends on q, as in joint coordinates, because the old forces
/// belong to another M. The default, `average = "accelerations"`, is generalized-α with α_m = 0 and α_f = −α. It is identical for constant M, and has order 2
/// for any M (L. O. Jay, D. Negrut, *Multibody Dynamics*, Springer 2009, 181-208).
///
/// The initial accelerations and multipliers are consistent. Each step starts Newton's method from the accelerations and multipliers of the last step. The
/// iteration ends when the estimated position error is below `newton_tolerance`. With `residual_tolerance` or `correction_tolerance` it ends when the norm of
/// the residual or of the correction (a⁺, λ⁺) is below that value. These norms are absolute and of mixed units, and the rounding error of Φ is amplified by
/// 1/(βh²). The step is halved if Newton's method does not converge in `max_iterations`, and doubled again, up to `step`, if it converges well. A step
/// shorter than `min_step` ends the run with an error.
pub type Hht = Newmark<Hilber>;

/// The weights for a given α.
#[derive(Clone, Debug)]
pub struct Hilber;

fields! { Hht {
    use step_field;
    use step_tolerance_field;
    use absolute_field;
    use max_step_field;
    use first_step_field;
    /// numerical damping: from -0.3 (maximum) to 0 (none)
    alpha: Number { unit: "1" } = "-0.3",
    /// quantity averaged over a step; forces is the published method, of order 1 if the mass matrix varies, and excludes tolerance
    average: Choice(&["accelerations", "forces"]) = "accelerations",
    use form_field;
    use newton_field;
    use newton_tolerance_field;
    /// norm of the residual (mixed SI units, greater than zero) at which Newton's method ends; replaces newton_tolerance, which applies if this and correction_tolerance are omitted
    residual_tolerance: Positive { unit: "1" } = "",
    /// norm of the correction of accelerations and multipliers (mixed SI units, greater than zero) at which Newton's method ends; replaces newton_tolerance, as residual_tolerance does
    correction_tolerance: Positive { unit: "1" } = "",
    /// iterations of Newton's method after which the step is repeated with a smaller size, a whole number from 1 to 1000
    max_iterations: Positive { unit: "1" } = "20",
    /// a shorter fixed step ends the run with an error; greater than zero; not used with tolerance
    min_step: Positive { unit: "s" } = "1e-15",
} }

impl Scheme for Hilber {
    const INFO: Info = Info {
        name: "hht",
        aliases: &["hht-i3", "hilber-hughes-taylor"],
        summary: "implicit method of order 2 on the index-3 or stabilised index-2 equations, fixed step or error control, numerical damping by α",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Hht::FIELDS,
    };

    fn weights(arguments: &Arguments) -> Result<NewmarkWeights, ArgumentError> {
        let alpha = arguments.optional_number("alpha").unwrap_or(-0.3);
        if !(-0.3..=0.0).contains(&alpha) {
            return Err(ArgumentError {
                field: "alpha",
                message: format!("{alpha} is not between -0.3 (most damping) and 0 (none)"),
            });
        }
        Ok(NewmarkWeights {
            alpha_m: 0.0,
            alpha_f: -alpha,
            beta: 0.25 * (1.0 - alpha) * (1.0 - alpha),
            gamma: 0.5 - alpha,
            average: if arguments.word("average") == "forces" {
                Average::Forces
            } else {
                Average::Accelerations
            },
        })
    }

    fn closing(arguments: &Arguments) -> NewtonCriterion {
        let given = |name| arguments.optional_number(name);
        match (given("residual_tolerance"), given("correction_tolerance")) {
            (None, None) => NewtonCriterion::of_positions(arguments),
            (residual, correction) => NewtonCriterion::Lengths {
                residual: residual.unwrap_or(0.0),
                correction: correction.unwrap_or(0.0),
            },
        }
    }
}
