//! Joints and their limits.

use biela_core::joints::JOINTS;

use super::sections::{NAME, may, must};
use super::{Key, Kind, Section, Variants};

pub(crate) const JOINT: Section = Section {
    what: "joint",
    doc: "Holds two bodies together.",
    keys: &[
        NAME,
        must("type", Kind::Text, "kind of joint"),
        must(
            "between",
            Kind::Endpoints,
            "the two points or frames it holds: ground, body, body.point or ground.point",
        ),
        may(
            "axis",
            Kind::Direction,
            "axis of the joint, in the axes of both frames; its natural axis when left out",
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
    "what a joint with one coordinate is meant to stay within",
);
pub(super) const ARMATURE: Key = may(
    "armature",
    Kind::Quantity(""),
    "inertia that resists each rate of the joint beside that of the bodies, such as a rotor behind a gear; kg*m^2 for an angle, kg for a length, of a `free` joint one plain number for both; zero when left out",
);
pub(super) const INITIAL: Key = may(
    "initial",
    Kind::Map(&Kind::Either(&[Kind::Quantity(""), Kind::Flag])),
    "starting values: COORDINATE, COORDINATE_rate, `rate` when there is one coordinate; keep = true holds them in assembly",
);

/// The limits of a joint.
pub(crate) const LIMITS: Section = Section {
    what: "limits",
    doc: "What a joint with one coordinate is meant to stay within: what analyses of robots respect. Nothing stops a motion there; a stop is a force of type `limit`.",
    keys: &[
        may(
            "lower",
            Kind::Quantity(""),
            "least value of the coordinate, in rad or m; none when left out",
        ),
        may(
            "upper",
            Kind::Quantity(""),
            "largest value of the coordinate, in rad or m; none when left out",
        ),
        may(
            "rate",
            Kind::Positive(""),
            "largest rate either way, in rad/s or m/s; none when left out",
        ),
        may(
            "effort",
            Kind::Positive(""),
            "largest torque or force either way, in N*m or N; none when left out",
        ),
    ],
    variants: None,
};
