//! Cubic polynomials through points: positions and velocities are continuous, accelerations are discontinuous at the points.
//!
//! Between two points with velocities r, `u = t/T`, in general and from rest to rest:
//!
//! ```text
//! q = q0 + T r0 u + (3 Δ − 2 T r0 − T r1) u² + (T r0 + T r1 − 2 Δ) u³        Δ = q1 − q0
//! q = q0 + Δ (3 u² − 2 u³)                                                   peak velocity 1.5 Δ/T, peak acceleration 6 Δ/T²
//! ```

use std::sync::Arc;

use super::through::through;
use super::through::{points_field, rates_field, times_field, via_field};
use super::{EVERYWHERE, Setting, TrajectoryKind};
use crate::control::Trajectory;
use crate::element::{ArgumentError, Arguments, Info, fields};

/// Cubic polynomials through points.
#[derive(Clone, Copy, Debug)]
pub struct Cubic;

fields! { Cubic {
    use points_field;
    use times_field;
    use via_field;
    use rates_field;
} }

impl TrajectoryKind for Cubic {
    const INFO: Info = Info {
        name: "cubic",
        aliases: &[],
        summary: "cubic polynomials through points; accelerations are discontinuous at the points",
        spaces: EVERYWHERE,
        fields: Self::FIELDS,
    };
    const CONTINUITY: usize = 1;

    fn build(
        arguments: &Arguments,
        setting: &Setting<'_>,
    ) -> Result<Arc<dyn Trajectory>, ArgumentError> {
        Ok(Arc::new(through(arguments, setting, 2)?))
    }
}
