//! Cubics through points: positions and rates are continuous, accelerations jump at the points.

use std::sync::Arc;

use super::through::{POINTS, RATES, TIMES, VIA_FIELD, through};
use super::{EVERYWHERE, Setting, TrajectoryKind};
use crate::control::Trajectory;
use crate::element::{ArgumentError, Arguments, Info};

/// Cubics through points.
#[derive(Clone, Copy, Debug)]
pub struct Cubic;

impl TrajectoryKind for Cubic {
    const INFO: Info = Info {
        name: "cubic",
        aliases: &[],
        summary: "cubic polynomials through points; accelerations jump at the points",
        spaces: EVERYWHERE,
        fields: &[POINTS, TIMES, VIA_FIELD, RATES],
    };
    const CONTINUITY: usize = 1;

    fn build(
        arguments: &Arguments,
        setting: &Setting<'_>,
    ) -> Result<Arc<dyn Trajectory>, ArgumentError> {
        Ok(Arc::new(through(arguments, setting, 2)?))
    }
}
