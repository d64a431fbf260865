//! Serial arms by Denavit–Hartenberg tables.

use super::joint::{ARMATURE, INITIAL, LIMITS_KEY};
use super::sections::{
    COM, DENSITY, FRAMES, INERTIA_KEY, MASS, NAME, POINTS, SHAPES, UNPHYSICAL, may, must,
};
use super::{Kind, Section};

pub(crate) const CONVENTIONS: &[&str] = &["standard", "modified"];
pub(crate) const CHAIN_JOINTS: &[&str] = &["revolute", "prismatic"];

pub(crate) const CHAIN: Section = Section {
    what: "chain",
    doc: "A serial arm by a table of Denavit and Hartenberg. Every link is a body whose own frame is the frame of its row, every row a joint; both are named, measured and held as others are.",
    keys: &[
        NAME,
        may(
            "convention",
            Kind::Choice(CONVENTIONS),
            "standard: a row is Rz(theta) Tz(d) Tx(a) Rx(alpha), the joint along the z axis of the frame before; modified, after Craig: Rx(alpha) Tx(a) Rz(theta) Tz(d), the joint along the z axis of its own frame; standard when left out",
        ),
        may(
            "base",
            Kind::Endpoint,
            "the frame before the first: ground, body, body.frame or ground.frame; ground when left out",
        ),
        must("links", Kind::Many(&CHAIN_LINK), "links from the base on"),
    ],
    variants: None,
};

pub(crate) const CHAIN_LINK: Section = Section {
    what: "link",
    doc: "A row of the table: a joint, and the link that it moves. Of the joint's own parameter, theta or d, the value is where its coordinate is zero.",
    keys: &[
        NAME,
        must("joint", Kind::Name, "name of the joint that moves the link"),
        may(
            "type",
            Kind::Choice(CHAIN_JOINTS),
            "whether theta or d moves; revolute when left out",
        ),
        may(
            "alpha",
            Kind::Quantity("rad"),
            "angle between the joint axes, about x; zero when left out",
        ),
        may(
            "a",
            Kind::Quantity("m"),
            "distance of the joint axes, along x; zero when left out",
        ),
        may(
            "d",
            Kind::Quantity("m"),
            "offset along the joint axis; zero when left out",
        ),
        may(
            "theta",
            Kind::Quantity("rad"),
            "angle about the joint axis; zero when left out",
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
