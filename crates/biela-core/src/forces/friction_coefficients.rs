//! Load-independent friction: viscous, and dry with a regularized sign below a transition speed.
//!
//! ```text
//! τ = −c ω − C tanh(ω/v_s)               τ ω ≤ 0,  v_s > 0
//! τ = −c ω − C sgn ω,  |τ| ≤ C_s at ω = 0        v_s = 0 (set-valued)
//! ```

use super::arguments::{at_rest, not_negative};
use crate::element::{ArgumentError, Arguments};

/// Friction coefficients.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrictionCoefficients {
    pub(super) viscous: f64,
    pub(super) coulomb: f64,
    transition_speed: f64,
    /// C_s.
    pub(super) breakaway: f64,
}

impl FrictionCoefficients {
    /// From the fields `viscous`, `coulomb` and `transition_speed`.
    pub(super) fn build(arguments: &Arguments) -> Result<Self, ArgumentError> {
        let coulomb = not_negative(arguments, "coulomb")?;
        let transition_speed = not_negative(arguments, "transition_speed")?;
        Ok(FrictionCoefficients {
            viscous: not_negative(arguments, "viscous")?,
            coulomb,
            transition_speed,
            breakaway: at_rest(arguments, "breakaway", coulomb, transition_speed)?,
        })
    }

    /// τ.
    pub(super) fn effort(&self, rate: f64) -> f64 {
        let sense = if self.transition_speed > 0.0 {
            (rate / self.transition_speed).tanh()
        } else if rate == 0.0 {
            0.0
        } else {
            rate.signum()
        };
        self.effort_along(rate, sense)
    }

    /// τ for a given direction of slip.
    pub(super) fn effort_along(&self, rate: f64, sense: f64) -> f64 {
        -self.viscous * rate - self.coulomb * sense
    }

    /// Whether the dry friction is set-valued.
    pub(super) fn is_set_valued(&self) -> bool {
        self.transition_speed == 0.0 && self.breakaway > 0.0
    }
}
