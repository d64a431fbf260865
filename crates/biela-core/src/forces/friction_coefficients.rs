//! Load-independent friction: viscous, and dry with a regularized sign below a transition speed.
//!
//! ```text
//! τ = −c ω − C tanh(ω/v_s)               τ ω ≤ 0
//! ```

use super::arguments::not_negative;
use crate::element::{ArgumentError, Arguments};

/// Friction coefficients.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrictionCoefficients {
    pub(super) viscous: f64,
    pub(super) coulomb: f64,
    transition_speed: f64,
}

impl FrictionCoefficients {
    /// From the fields `viscous`, `coulomb` and `transition_speed`.
    pub(super) fn build(arguments: &Arguments) -> Result<Self, ArgumentError> {
        Ok(FrictionCoefficients {
            viscous: not_negative(arguments, "viscous")?,
            coulomb: not_negative(arguments, "coulomb")?,
            transition_speed: arguments.number("transition_speed"),
        })
    }

    /// τ.
    pub(super) fn effort(&self, rate: f64) -> f64 {
        -self.viscous * rate - self.coulomb * (rate / self.transition_speed).tanh()
    }
}
