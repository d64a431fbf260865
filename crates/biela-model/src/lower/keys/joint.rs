//! Joints and their limits.

use biela_core::joints::JOINTS;

use super::sections::{NAME, POSITION, may};
use super::{Field, FieldKind, Info};

pub(crate) const JOINT: Info = Info::table(
    "joint",
    "A joint between two bodies.",
    &[
        NAME,
        Field::required("type", FieldKind::Type(JOINTS), "kind of joint"),
        Field::required(
            "between",
            FieldKind::MarkerPair,
            "the two points or frames that it connects: ground, body, body.point or ground.point",
        ),
        may(
            "at",
            POSITION,
            "point of the joint in the design position, in the axes of the ground: `between` then names two bodies, and the joint has its coordinates zero as they stand there",
        ),
        may(
            "axis",
            FieldKind::Direction,
            "axis of the joint, in the axes of both frames; with `at` in those of the ground, or two points of the design position; default: the natural axis of the joint type",
        ),
        LIMITS_KEY,
        ARMATURE,
        INITIAL,
    ],
);

pub(super) const LIMITS_KEY: Field = may(
    "limits",
    FieldKind::Table(&LIMITS),
    "limits of a joint with one coordinate",
);
pub(super) const ARMATURE: Field = may(
    "armature",
    FieldKind::Number { unit: "" },
    "armature inertia added to each joint velocity, such as that of a rotor reflected through its gear; kg*m^2 for an angle, kg for a displacement, for a `free` joint one plain number for both; default: 0",
);
pub(super) const INITIAL: Field = may(
    "initial",
    FieldKind::Map(&FieldKind::Either(&[
        FieldKind::Number { unit: "" },
        FieldKind::Flag,
    ])),
    "initial values: COORDINATE, COORDINATE_rate (joint velocity), or `rate` if there is one coordinate; with keep = true assembly must keep them",
);

/// The limits of a joint.
pub(crate) const LIMITS: Info = Info::table(
    "limits",
    "Limits of a joint with one coordinate, used by robot analyses. They do not stop a motion; a mechanical stop is a force of type `limit`.",
    &[
        may(
            "lower",
            FieldKind::Number { unit: "" },
            "lower limit of the coordinate, in rad or m; default: none",
        ),
        may(
            "upper",
            FieldKind::Number { unit: "" },
            "upper limit of the coordinate, in rad or m; default: none",
        ),
        may(
            "rate",
            FieldKind::Positive { unit: "" },
            "largest joint velocity in both directions, in rad/s or m/s; default: none",
        ),
        may(
            "effort",
            FieldKind::Positive { unit: "" },
            "largest torque or force in both directions, in N*m or N; default: none",
        ),
    ],
);
