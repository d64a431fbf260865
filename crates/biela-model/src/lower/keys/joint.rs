//! Joints and their limits.

use biela_core::joints::JOINTS;

use super::sections::{NAME, may, must};
use super::{Key, Kind, Section, Variants};

pub(crate) const JOINT: Section = Section {
    what: "joint",
    doc: "A joint between two bodies.",
    keys: &[
        NAME,
        must("type", Kind::Text, "kind of joint"),
        must(
            "between",
            Kind::Endpoints,
            "the two points or frames that it connects: ground, body, body.point or ground.point",
        ),
        may(
            "axis",
            Kind::Direction,
            "axis of the joint, in the axes of both frames; default: the natural axis of the joint type",
        ),
        LIMITS_KEY,
        ARMATURE,
        INITIAL,
    ],
    variants: Some(Variants::Infos(JOINTS)),
};

pub(super) const LIMITS_KEY: Key = may(
    "limits",
    Kind::One(&LIMITS),
    "limits of a joint with one coordinate",
);
pub(super) const ARMATURE: Key = may(
    "armature",
    Kind::Quantity(""),
    "armature inertia added to each joint velocity, such as that of a rotor reflected through its gear; kg*m^2 for an angle, kg for a displacement, for a `free` joint one plain number for both; default: 0",
);
pub(super) const INITIAL: Key = may(
    "initial",
    Kind::Map(&Kind::Either(&[Kind::Quantity(""), Kind::Flag])),
    "initial values: COORDINATE, COORDINATE_rate (joint velocity), or `rate` if there is one coordinate; with keep = true assembly must keep them",
);

/// The limits of a joint.
pub(crate) const LIMITS: Section = Section {
    what: "limits",
    doc: "Limits of a joint with one coordinate, used by robot analyses. They do not stop a motion; a mechanical stop is a force of type `limit`.",
    keys: &[
        may(
            "lower",
            Kind::Quantity(""),
            "lower limit of the coordinate, in rad or m; default: none",
        ),
        may(
            "upper",
            Kind::Quantity(""),
            "upper limit of the coordinate, in rad or m; default: none",
        ),
        may(
            "rate",
            Kind::Positive(""),
            "largest joint velocity in both directions, in rad/s or m/s; default: none",
        ),
        may(
            "effort",
            Kind::Positive(""),
            "largest torque or force in both directions, in N*m or N; default: none",
        ),
    ],
    variants: None,
};
