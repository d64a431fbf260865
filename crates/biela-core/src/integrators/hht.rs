use super::newmark::{
    Average, BOUNDS, Closing, FORM, NEWTON, NEWTON_TOLERANCE, Newmark, STEP, Scheme, TOLERANCE,
    Weights,
};
use crate::element::{ArgumentError, Arguments, Field, FieldKind, Info};
use crate::model::Space;

/// The scheme of H. M. Hilber, T. J. R. Hughes and R. L. Taylor (*Earthquake Engineering and Structural Dynamics* 5 (1977) 283-292) on the
/// index-3 equations, HHT-I3 (D. Negrut, R. Rampalli, G. Ottarsson, A. Sajdak, *J. Comput. Nonlinear Dynam.* 2 (2007) 73-85).
///
/// ```text
/// M⁺ a⁺/(1 + α) + (Gᵀλ − f)⁺ − α/(1 + α) (Gᵀλ − f) = 0        Φ(q⁺, t⁺)/(βh²) = 0
/// q⁺ = q ⊕ (h v + h² (½ − β) a + h² β a⁺)        v⁺ = v + h (1 − γ) a + h γ a⁺
///
/// −0.3 ≤ α ≤ 0      γ = ½ − α      β = ¼ (1 − α)²
/// ```
///
/// Stable for every h where linear motion itself is. α = 0 is the trapezoidal rule, −0.3 damps most. This is the text's form, `average = "forces"`: of order 2 where M is constant, but only 1
/// where it depends on q, as in joint coordinates, because old forces then belong to another M. `average = "accelerations"`, the default, is
/// generalized-α with α_m = 0 and α_f = −α: the same where M is constant, and of order 2 for any M (L. O. Jay, D. Negrut, *Multibody Dynamics*,
/// Springer 2009, 181-208).
///
/// The start is consistent at acceleration level. Predicted accelerations and multipliers are the last ones. Newton's method ends by what is
/// left in positions; or, with `residual_tolerance` and `correction_tolerance`, by the lengths of its residual and of its correction
/// (a⁺, λ⁺): absolute numbers in mixed units, where the rounding of Φ is magnified by 1/(βh²). A step is halved when Newton's method
/// does not converge in `max_iterations`, doubled back when it does so well, and ends the run when it is shorter than `min_step`.
pub type Hht = Newmark<Hilber>;

/// The weights of α.
#[derive(Debug)]
pub struct Hilber;

impl Scheme for Hilber {
    const INFO: Info = Info {
        name: "hht",
        aliases: &["hht-i3", "hilber-hughes-taylor"],
        summary: "implicit, index 3 or stabilised index 2, order 2, fixed step or error control, damping by α",
        spaces: &[Space::Planar, Space::Spatial],
        fields: &[
            STEP,
            TOLERANCE,
            BOUNDS[0],
            BOUNDS[1],
            BOUNDS[2],
            Field::optional(
                "alpha",
                FieldKind::Number { unit: "1" },
                "-0.3",
                "numerical damping, from -0.3 (most) to 0 (none)",
            ),
            Field::optional(
                "average",
                FieldKind::Choice(&["accelerations", "forces"]),
                "accelerations",
                "what is averaged over a step: forces is the scheme as published, of order 1 where the mass matrix varies",
            ),
            FORM,
            NEWTON,
            NEWTON_TOLERANCE,
            Field::optional(
                "residual_tolerance",
                FieldKind::Positive { unit: "1" },
                "",
                "length of the residual at which Newton's method ends, instead of newton_tolerance",
            ),
            Field::optional(
                "correction_tolerance",
                FieldKind::Positive { unit: "1" },
                "",
                "length of the correction of accelerations and multipliers at which Newton's method ends, instead of newton_tolerance",
            ),
            Field::optional(
                "max_iterations",
                FieldKind::Positive { unit: "1" },
                "20",
                "iterations of Newton's method after which the step is halved",
            ),
            Field::optional(
                "min_step",
                FieldKind::Positive { unit: "s" },
                "1e-15",
                "a shorter step ends the run",
            ),
        ],
    };

    fn weights(arguments: &Arguments) -> Result<Weights, ArgumentError> {
        let alpha = arguments.optional_number("alpha").unwrap_or(-0.3);
        if !(-0.3..=0.0).contains(&alpha) {
            return Err(ArgumentError {
                field: "alpha",
                message: format!("{alpha} is not between -0.3 (most damping) and 0 (none)"),
            });
        }
        Ok(Weights {
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

    fn closing(arguments: &Arguments) -> Closing {
        let given = |name| arguments.optional_number(name);
        match (given("residual_tolerance"), given("correction_tolerance")) {
            (None, None) => Closing::of_positions(arguments),
            (residual, correction) => Closing::Lengths {
                residual: residual.unwrap_or(0.0),
                correction: correction.unwrap_or(0.0),
            },
        }
    }
}
