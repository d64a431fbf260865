//! Serial arms by Denavit–Hartenberg tables.

use super::joint::{ARMATURE, INITIAL, LIMITS_KEY};
use super::sections::{
    COM, DENSITY, FRAMES, INERTIA_KEY, MASS, NAME, POINTS, SHAPES, UNPHYSICAL, may, must,
};
use super::{KeyKind, TableSpec};

pub(crate) const CONVENTIONS: &[&str] = &["standard", "modified"];
pub(crate) const CHAIN_JOINTS: &[&str] = &["revolute", "prismatic"];

pub(crate) const CHAIN: TableSpec = TableSpec {
    what: "chain",
    doc: "A serial arm defined by a Denavit-Hartenberg table. Every link is a body whose frame is that of its row, every row a joint; both are used like other bodies and joints.",
    keys: &[
        NAME,
        may(
            "convention",
            KeyKind::Choice(CONVENTIONS),
            "standard: a row is Rz(theta) Tz(d) Tx(a) Rx(alpha), with the joint along the z axis of the previous frame; modified (Craig): Rx(alpha) Tx(a) Rz(theta) Tz(d), with the joint along the z axis of its own frame; default: standard",
        ),
        may(
            "base",
            KeyKind::Endpoint,
            "the base frame: ground, body, body.frame or ground.frame; default: ground",
        ),
        must(
            "links",
            KeyKind::Many(&CHAIN_LINK),
            "links, starting at the base",
        ),
    ],
    variants: None,
};

pub(crate) const CHAIN_LINK: TableSpec = TableSpec {
    what: "link",
    doc: "A row of the table: a joint, and the link that it moves. The joint variable, theta or d, has the given value where the joint coordinate is zero.",
    keys: &[
        NAME,
        must(
            "joint",
            KeyKind::Name,
            "name of the joint that moves the link",
        ),
        may(
            "type",
            KeyKind::Choice(CHAIN_JOINTS),
            "revolute: theta varies; prismatic: d varies; default: revolute",
        ),
        may(
            "alpha",
            KeyKind::Quantity("rad"),
            "link twist: angle between the joint axes, about x; default: 0",
        ),
        may(
            "a",
            KeyKind::Quantity("m"),
            "link length: distance of the joint axes, along x; default: 0",
        ),
        may(
            "d",
            KeyKind::Quantity("m"),
            "link offset along the joint axis; default: 0",
        ),
        may(
            "theta",
            KeyKind::Quantity("rad"),
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
        LIMITS_KEY,
        ARMATURE,
        INITIAL,
    ],
    variants: None,
};
