//! Load-independent friction: viscous, and dry with a regularized sign below a transition speed.
//!
//! ```text
//! τ = −c ω − C tanh(ω/v_s)               τ ω ≤ 0
//! ```

use super::arguments::{fault, not_negative};
use crate::element::{ArgumentError, Arguments};

/// The default transition speed.
const TRANSITION_SPEED: f64 = 1e-3;

/// Friction coefficients.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rubbing {
    pub(super) viscous: f64,
    pub(super) coulomb: f64,
    transition_speed: f64,
}

impl Rubbing {
    /// From the fields `viscous`, `coulomb` and `transition_speed`.
    pub(super) fn build(arguments: &Arguments) -> Result<Self, ArgumentError> {
        let transition_speed = arguments
            .optional_number("transition_speed")
            .unwrap_or(TRANSITION_SPEED);
        if !(transition_speed > 0.0 && transition_speed.is_finite()) {
            let message = format!("it is {transition_speed}; it must be greater than zero");
            return Err(fault("transition_speed", message));
        }
        Ok(Rubbing {
            viscous: not_negative(arguments, "viscous")?,
            coulomb: not_negative(arguments, "coulomb")?,
            transition_speed,
        })
    }

    /// τ.
    pub(super) fn effort(&self, rate: f64) -> f64 {
        -self.viscous * rate - self.coulomb * (rate / self.transition_speed).tanh()
    }
}
