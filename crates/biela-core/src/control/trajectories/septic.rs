//! Polynomials of degree seven through points: accelerations and jerks are continuous, jerks are zero at the points.
//!
//! From rest to rest in T: `q = q0 + (q1 − q0)(35 u⁴ − 84 u⁵ + 70 u⁶ − 20 u⁷)`, `u = t/T`, with peak velocity 2.19 Δ/T.

use std::sync::Arc;

use super::through::through;
use super::through::{accelerations_field, points_field, rates_field, times_field, via_field};
use super::{EVERYWHERE, Setting, TrajectoryKind};
use crate::control::Trajectory;
use crate::element::{ArgumentError, Arguments, Info, fields};

/// Polynomials of degree seven through points.
#[derive(Clone, Copy, Debug)]
pub struct Septic;

fields! { Septic {
    use points_field;
    use times_field;
    use via_field;
    use rates_field;
    use accelerations_field;
} }

impl TrajectoryKind for Septic {
    const INFO: Info = Info {
        name: "septic",
        aliases: &[],
        summary: "polynomials of degree seven through points; accelerations and jerks are continuous",
        spaces: EVERYWHERE,
        fields: Self::FIELDS,
    };
    const CONTINUITY: usize = 3;

    fn build(
        arguments: &Arguments,
        setting: &Setting<'_>,
    ) -> Result<Arc<dyn Trajectory>, ArgumentError> {
        Ok(Arc::new(through(arguments, setting, 4)?))
    }
}
