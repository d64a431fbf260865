//! The sections of trajectories and their keys.

use biela_core::control::trajectories::TRAJECTORIES;

use super::sections::{NAME, may, must};
use super::{Kind, Section, Variants};

pub(crate) const TRAJECTORY: Section = Section {
    what: "trajectory",
    doc: "A reference motion of joints: NAME.JOINT, NAME.JOINT_rate, NAME.JOINT_acceleration and NAME.JOINT_jerk are signals. Before it begins and after it ends the joints rest.",
    keys: &[
        NAME,
        must("type", Kind::Text, "kind of motion"),
        may(
            "joints",
            Kind::Texts,
            "the joints it moves, in the order of its lists; all joints of the robot when left out",
        ),
        may(
            "start",
            Kind::Quantity("s"),
            "when it begins; zero when left out",
        ),
    ],
    variants: Some(Variants::Infos(TRAJECTORIES)),
};
