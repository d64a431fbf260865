//! Serial arms by Denavit–Hartenberg tables.

use super::contact::MATERIAL_KEY;
use super::joint::{ARMATURE, INITIAL, LIMITS_KEY};
use super::sections::{
    COM, DENSITY, FRAMES, INERTIA_KEY, MASS, NAME, POINTS, SHAPES, UNPHYSICAL, may,
};
use super::{Field, FieldKind, Info};

pub(crate) const CONVENTIONS: &[&str] = &["standard", "modified"];
pub(crate) const CHAIN_JOINTS: &[&str] = &["revolute", "prismatic"];

pub(crate) const CHAIN: Info = Info::table(
    "chain",
    "A serial arm defined by a Denavit-Hartenberg table. Every link is a body whose frame is that of its row, every row a joint; both are used like other bodies and joints.",
    &[
        NAME,
        may(
            "convention",
            FieldKind::Choice(CONVENTIONS),
            "standard: a row is Rz(theta) Tz(d) Tx(a) Rx(alpha), with the joint along the z axis of the previous frame; modified (Craig): Rx(alpha) Tx(a) Rz(theta) Tz(d), with the joint along the z axis of its own frame; default: standard",
        ),
        may(
            "base",
            FieldKind::Marker,
            "the base frame: ground, body, body.frame or ground.frame; default: ground",
        ),
        Field::required(
            "links",
            FieldKind::Tables(&[&CHAIN_LINK]),
            "links, starting at the base",
        ),
    ],
);

pub(crate) const CHAIN_LINK: Info = Info::table(
    "link",
    "A row of the table: a joint, and the link that it moves. The joint variable, theta or d, has the given value where the joint coordinate is zero.",
    &[
        NAME,
        Field::required(
            "joint",
            FieldKind::Name,
            "name of the joint that moves the link",
        ),
        may(
            "type",
            FieldKind::Choice(CHAIN_JOINTS),
            "revolute: theta varies; prismatic: d varies; default: revolute",
        ),
        may(
            "alpha",
            FieldKind::Number { unit: "rad" },
            "link twist: angle between the joint axes, about x; default: 0",
        ),
        may(
            "a",
            FieldKind::Number { unit: "m" },
            "link length: distance of the joint axes, along x; default: 0",
        ),
        may(
            "d",
            FieldKind::Number { unit: "m" },
            "link offset along the joint axis; default: 0",
        ),
        may(
            "theta",
            FieldKind::Number { unit: "rad" },
            "joint angle about the joint axis; default: 0",
        ),
        MASS,
        INERTIA_KEY,
        UNPHYSICAL,
        COM,
        DENSITY,
        POINTS,
        FRAMES,
        SHAPES,
        MATERIAL_KEY,
        LIMITS_KEY,
        ARMATURE,
        INITIAL,
    ],
);
