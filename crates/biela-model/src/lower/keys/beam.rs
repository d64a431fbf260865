//! The keys of `[[beam]]`.

use super::sections::{NAME, ROTATION, may, must};
use super::{KeyKind, TableSpec, Variants};

/// Keywords of `element`; the first is the default.
pub(crate) const BEAM_ELEMENTS: &[&str] = &["cable", "green-lagrange", "structural", LUMPED, EXACT];
/// The keyword for rigid bars with springs between them.
pub(crate) const LUMPED: &str = "lumped";
/// The keyword for geometrically exact beams, with torsion and shear.
pub(crate) const EXACT: &str = "exact";

pub(crate) const BEAM: TableSpec = TableSpec {
    what: "beam",
    doc: "A flexible beam from `from` to `to`, or along `shape`. Stiffness is computed from `section` and `young`, or given; mass is computed from `section` and `density`, or given. Its stations are `NAME.start`, `NAME.end` and its `points` and `frames`; each is a body that joints, forces and signals can refer to, with the x axis along the beam.",
    keys: &[
        NAME,
        may(
            "from",
            KeyKind::Vector("m"),
            "start point, in the ground frame",
        ),
        may("to", KeyKind::Vector("m"), "end point of a straight beam"),
        may(
            "shape",
            KeyKind::Points,
            "three or more points of the stress-free curve of the beam, instead of `from` and `to`; for a cable in space the initial curve, while the stress-free shape is straight",
        ),
        may(
            "elements",
            KeyKind::Positive("1"),
            "number of elements of equal length; for exact approximate, with a node at every station; default: 8",
        ),
        may(
            "element",
            KeyKind::Choice(BEAM_ELEMENTS),
            "element formulation; lumped: rigid bars with springs between them, for planar models; exact: geometrically exact, with torsion and shear, for spatial models; default: cable",
        ),
        may(
            "gauss_points",
            KeyKind::Tuple(2, "1"),
            "numbers of Gauss points for stretching (3 to 5) and bending (2 to 5) of an element; default: chosen by the element",
        ),
        may("section", KeyKind::One(&BEAM_SECTION), "the cross-section"),
        may(
            "end_section",
            KeyKind::One(&BEAM_SECTION),
            "the cross-section at the end, of the same type: its dimensions vary linearly along the beam",
        ),
        may("young", KeyKind::Positive("Pa"), "Young's modulus"),
        may(
            "shear_modulus",
            KeyKind::Positive("Pa"),
            "shear modulus (exact); default: from `young` and `poisson`",
        ),
        may(
            "poisson",
            KeyKind::Quantity("1"),
            "Poisson's ratio (exact); default: 0.3",
        ),
        may("density", KeyKind::Positive("kg/m^3"), "density"),
        may(
            "axial_stiffness",
            KeyKind::Positive("N"),
            "axial stiffness EA, instead of `section` and `young`",
        ),
        may(
            "bending_stiffness",
            KeyKind::Either(&[KeyKind::Positive("N*m^2"), KeyKind::Tuple(2, "N*m^2")]),
            "bending stiffness EI, instead of `section` and `young`: about the normal of the plane, or in space about any axis perpendicular to the beam; for exact also [about y, about z]",
        ),
        may(
            "torsional_stiffness",
            KeyKind::Positive("N*m^2"),
            "torsional stiffness GJ (exact), instead of `section` and `young`",
        ),
        may(
            "shear_stiffness",
            KeyKind::Either(&[KeyKind::Positive("N"), KeyKind::Tuple(2, "N")]),
            "shear stiffness: shear correction factor times GA (exact), or [along y, along z], instead of `section` and `young`",
        ),
        may(
            "mass",
            KeyKind::Positive("kg"),
            "mass, instead of `density`",
        ),
        may(
            "mass_per_length",
            KeyKind::Positive("kg/m"),
            "mass per length, instead of `density`",
        ),
        may(
            "damping",
            KeyKind::Quantity("s"),
            "Kelvin-Voigt damping time: stress = stiffness times (strain + damping times strain rate); for cables in space and for green-lagrange of stretching only; default: 0",
        ),
        may(
            "up",
            KeyKind::Direction,
            "direction of the z axis of the section (its height) at the start (exact); default: z, or x if the beam starts vertically",
        ),
        may(
            "twist",
            KeyKind::Quantity("rad"),
            "stress-free twist of the section about the beam from its start to its end (exact); default: 0",
        ),
        may(
            "tension",
            KeyKind::Quantity("N"),
            "axial force in the initial shape (prestress); default: 0",
        ),
        may(
            "points",
            KeyKind::Map(&KeyKind::Quantity("")),
            "named stations: a bare number is a fraction of the length, from 0 to 1; a quantity such as \"12 mm\" a distance from the start",
        ),
        may(
            "frames",
            KeyKind::Map(&KeyKind::One(&BEAM_FRAME)),
            "named frames fixed to the section at a station, optionally off the centreline",
        ),
        may(
            "velocity",
            KeyKind::Vector("m/s"),
            "initial velocity of its start point, as a rigid body",
        ),
        may(
            "omega",
            KeyKind::Either(&[KeyKind::Quantity("rad/s"), KeyKind::Tuple(3, "rad/s")]),
            "initial angular velocity, as a rigid body: a number in the plane, three components along the ground's axes in space",
        ),
        may(
            "rigid",
            KeyKind::Flag,
            "treat the beam as one rigid body called NAME, with the same mass, inertia and stations",
        ),
    ],
    variants: None,
};

pub(crate) const BEAM_FRAME: TableSpec = TableSpec {
    what: "frame of a beam",
    doc: "A frame fixed to the section at a station of a beam.",
    keys: &[
        must(
            "along",
            KeyKind::Quantity(""),
            "location of the section: a fraction of the length, or a distance from the start",
        ),
        may(
            "at",
            KeyKind::Vector("m"),
            "origin in the axes of the section, x along the beam; default: zero",
        ),
        may(
            "angle",
            KeyKind::Quantity("rad"),
            "angle of its axes to those of the section (planar)",
        ),
        may(
            "rotation",
            KeyKind::One(&ROTATION),
            "its axes in those of the section (spatial)",
        ),
    ],
    variants: None,
};

pub(crate) const BEAM_SECTION: TableSpec = TableSpec {
    what: "section",
    doc: "A cross-section.",
    keys: &[must("type", KeyKind::Text, "type of section")],
    variants: Some(Variants::Profiles),
};
