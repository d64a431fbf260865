//! The sections of trajectories and their keys.

use biela_core::control::trajectories::TRAJECTORIES;

use super::sections::{NAME, may, must};
use super::{KeyKind, TableSpec, Variants};

pub(crate) const TRAJECTORY: TableSpec = TableSpec {
    what: "trajectory",
    doc: "A reference motion of joints. Its signals are NAME.JOINT, NAME.JOINT_rate (velocity), NAME.JOINT_acceleration and NAME.JOINT_jerk. Before its start and after its end the joints are at rest.",
    keys: &[
        NAME,
        must("type", KeyKind::Text, "kind of motion"),
        may(
            "joints",
            KeyKind::Texts,
            "the joints that it moves, in the order of its lists; default: all joints of the robot",
        ),
        may("start", KeyKind::Quantity("s"), "start time; default: 0"),
    ],
    variants: Some(Variants::Infos(TRAJECTORIES)),
};
