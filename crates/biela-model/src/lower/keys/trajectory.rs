//! The sections of trajectories and their keys.

use biela_core::control::trajectories::TRAJECTORIES;

use super::sections::{NAME, may};
use super::{Field, FieldKind, Info};

pub(crate) const TRAJECTORY: Info = Info::table(
    "trajectory",
    "A reference motion of joints. Its signals are NAME.JOINT, NAME.JOINT_rate (velocity), NAME.JOINT_acceleration and NAME.JOINT_jerk. Before its start and after its end the joints are at rest.",
    &[
        NAME,
        Field::required("type", FieldKind::Type(TRAJECTORIES), "kind of motion"),
        may(
            "joints",
            FieldKind::Texts,
            "the joints that it moves, in the order of its lists; default: all joints of the robot",
        ),
        may(
            "start",
            FieldKind::Number { unit: "s" },
            "start time; default: 0",
        ),
    ],
);
