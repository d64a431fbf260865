//! Joints and their limits.

use biela_core::joints::JOINTS;

use super::sections::{NAME, may, must};
use super::{KeyKind, KeySpec, TableSpec, Variants};

pub(crate) const JOINT: TableSpec = TableSpec {
    what: "joint",
    doc: "A joint between two bodies.",
    keys: &[
        NAME,
        must("type", KeyKind::Text, "kind of joint"),
        must(
            "between",
            KeyKind::Endpoints,
            "the two points or frames that it connects: ground, body, body.point or ground.point",
        ),
        may(
            "axis",
            KeyKind::Direction,
            "axis of the joint, in the axes of both frames; default: the natural axis of the joint type",
        ),
        LIMITS_KEY,
        ARMATURE,
        INITIAL,
    ],
    variants: Some(Variants::Infos(JOINTS)),
};

pub(super) const LIMITS_KEY: KeySpec = may(
    "limits",
    KeyKind::One(&LIMITS),
    "limits of a joint with one coordinate",
);
pub(super) const ARMATURE: KeySpec = may(
    "armature",
    KeyKind::Quantity(""),
    "armature inertia added to each joint velocity, such as that of a rotor reflected through its gear; kg*m^2 for an angle, kg for a displacement, for a `free` joint one plain number for both; default: 0",
);
pub(super) const INITIAL: KeySpec = may(
    "initial",
    KeyKind::Map(&KeyKind::Either(&[KeyKind::Quantity(""), KeyKind::Flag])),
    "initial values: COORDINATE, COORDINATE_rate (joint velocity), or `rate` if there is one coordinate; with keep = true assembly must keep them",
);

/// The limits of a joint.
pub(crate) const LIMITS: TableSpec = TableSpec {
    what: "limits",
    doc: "Limits of a joint with one coordinate, used by robot analyses. They do not stop a motion; a mechanical stop is a force of type `limit`.",
    keys: &[
        may(
            "lower",
            KeyKind::Quantity(""),
            "lower limit of the coordinate, in rad or m; default: none",
        ),
        may(
            "upper",
            KeyKind::Quantity(""),
            "upper limit of the coordinate, in rad or m; default: none",
        ),
        may(
            "rate",
            KeyKind::Positive(""),
            "largest joint velocity in both directions, in rad/s or m/s; default: none",
        ),
        may(
            "effort",
            KeyKind::Positive(""),
            "largest torque or force in both directions, in N*m or N; default: none",
        ),
    ],
    variants: None,
};
