//! Rest at a fixed position: `q = q0`.

use std::sync::Arc;

use super::pieces::Pieces;
use super::{EVERYWHERE, Setting, TrajectoryKind};
use crate::control::Trajectory;
use crate::element::{ArgumentError, Arguments, Info, fields};

/// Rest at a fixed position.
#[derive(Clone, Copy, Debug)]
pub struct Hold;

fields! { Hold {
    /// the position to hold, one value per joint
    at: PerJoint { order: 0 },
    /// duration, if another motion follows
    duration: Number { unit: "s" } = "0",
} }

impl TrajectoryKind for Hold {
    const INFO: Info = Info {
        name: "hold",
        aliases: &[],
        summary: "holds the joints at a fixed position",
        spaces: EVERYWHERE,
        fields: Self::FIELDS,
    };
    const CONTINUITY: usize = 3;

    fn build(
        arguments: &Arguments,
        setting: &Setting<'_>,
    ) -> Result<Arc<dyn Trajectory>, ArgumentError> {
        let duration = arguments.number("duration");
        if duration < 0.0 {
            return Err(ArgumentError {
                field: "duration",
                message: format!("it is {duration} s; it must be zero or more"),
            });
        }
        let end = setting.start + duration;
        Ok(Arc::new(Pieces::resting(arguments.numbers("at"), end)))
    }
}
