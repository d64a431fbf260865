//! The keys of `[[beam]]`.

use super::sections::{NAME, ROTATION, may, must};
use super::{Kind, Section, Variants};

/// Keywords of `element`; the first is the default.
pub(crate) const BEAM_ELEMENTS: &[&str] = &["cable", "green-lagrange", "structural", LUMPED, EXACT];
/// The keyword for rigid bars with springs between them.
pub(crate) const LUMPED: &str = "lumped";
/// The keyword for geometrically exact beams, with torsion and shear.
pub(crate) const EXACT: &str = "exact";

pub(crate) const BEAM: Section = Section {
    what: "beam",
    doc: "A flexible beam. It runs from `from` to `to`, or along `shape`. Stiffness comes from `section` and `young`, or is given; so does mass, from `density`. Its places are `NAME.start`, `NAME.end` and its `points` and `frames`; each is a body that joints, forces and signals can name, with the x axis along the beam.",
    keys: &[
        NAME,
        may(
            "from",
            Kind::Vector("m"),
            "where it starts, in the ground frame",
        ),
        may("to", Kind::Vector("m"), "where a straight beam ends"),
        may(
            "shape",
            Kind::Points,
            "three points or more of a curve that the beam has without stress, instead of `from` and `to`; for a cable in space the curve in which it starts, straight without stress",
        ),
        may(
            "elements",
            Kind::Positive("1"),
            "elements of equal length, 8 when left out; for exact about so many, with a node at every place",
        ),
        may(
            "element",
            Kind::Choice(BEAM_ELEMENTS),
            "what its strains are, cable when left out; lumped is for planar models, rigid bars with springs between them; exact is for spatial models and has torsion and shear too",
        ),
        may(
            "gauss_points",
            Kind::Tuple(2, "1"),
            "points at which stretch and bending of an element are looked at, 3 to 5 and 2 to 5; left to the element when absent",
        ),
        may("section", Kind::One(&BEAM_SECTION), "the cross-section"),
        may(
            "end_section",
            Kind::One(&BEAM_SECTION),
            "the cross-section at the end, of the same kind: lengths vary linearly along the beam",
        ),
        may("young", Kind::Positive("Pa"), "modulus of elasticity"),
        may(
            "shear_modulus",
            Kind::Positive("Pa"),
            "shear modulus (exact); from `young` and `poisson` when left out",
        ),
        may(
            "poisson",
            Kind::Quantity("1"),
            "Poisson's ratio (exact); 0.3 when left out",
        ),
        may("density", Kind::Positive("kg/m^3"), "density"),
        may(
            "axial_stiffness",
            Kind::Positive("N"),
            "EA, instead of `section` and `young`",
        ),
        may(
            "bending_stiffness",
            Kind::Either(&[Kind::Positive("N*m^2"), Kind::Tuple(2, "N*m^2")]),
            "EI, about the normal of the plane or in space about any axis across the beam, for exact also [about y, about z], instead of `section` and `young`",
        ),
        may(
            "torsional_stiffness",
            Kind::Positive("N*m^2"),
            "GJ (exact), instead of `section` and `young`",
        ),
        may(
            "shear_stiffness",
            Kind::Either(&[Kind::Positive("N"), Kind::Tuple(2, "N")]),
            "shear factor times GA (exact), or [along y, along z], instead of `section` and `young`",
        ),
        may("mass", Kind::Positive("kg"), "mass, instead of `density`"),
        may(
            "mass_per_length",
            Kind::Positive("kg/m"),
            "mass a length, instead of `density`",
        ),
        may(
            "damping",
            Kind::Quantity("s"),
            "Kelvin-Voigt: strain rates cause this time times what strains cause, for cables in space and for green-lagrange those of stretch alone; zero when left out",
        ),
        may(
            "up",
            Kind::Direction,
            "direction of the section's height, its z axis, at the start (exact); z when left out, x where the beam starts upright",
        ),
        may(
            "twist",
            Kind::Quantity("rad"),
            "turn of the section about the beam from its start to its end without stress (exact); zero when left out",
        ),
        may(
            "tension",
            Kind::Quantity("N"),
            "axial force in the shape it is written in; zero when left out",
        ),
        may(
            "points",
            Kind::Map(&Kind::Quantity("")),
            "named places: a bare number is a share of the length, from 0 to 1; a quantity such as \"12 mm\" a distance from the start",
        ),
        may(
            "frames",
            Kind::Map(&Kind::One(&BEAM_FRAME)),
            "named frames fixed to the section at a place, at a distance from the centreline",
        ),
        may(
            "velocity",
            Kind::Vector("m/s"),
            "starting velocity of its start, the beam moving as a rigid body",
        ),
        may(
            "omega",
            Kind::Either(&[Kind::Quantity("rad/s"), Kind::Tuple(3, "rad/s")]),
            "starting angular velocity, the beam moving as a rigid body: a number in the plane, three along the ground's axes in space",
        ),
        may(
            "rigid",
            Kind::Flag,
            "whether it is taken as one rigid body called NAME, with the same mass, inertia and places",
        ),
    ],
    variants: None,
};

pub(crate) const BEAM_FRAME: Section = Section {
    what: "frame of a beam",
    doc: "A frame fixed to the section at a place of a beam.",
    keys: &[
        must(
            "along",
            Kind::Quantity(""),
            "where the section is: a share of the length, or a distance from the start",
        ),
        may(
            "at",
            Kind::Vector("m"),
            "origin in the axes of the section, x along the beam; zero when left out",
        ),
        may(
            "angle",
            Kind::Quantity("rad"),
            "angle of its axes to those of the section (planar)",
        ),
        may(
            "rotation",
            Kind::One(&ROTATION),
            "its axes in those of the section (spatial)",
        ),
    ],
    variants: None,
};

pub(crate) const BEAM_SECTION: Section = Section {
    what: "section",
    doc: "The form of a cross-section.",
    keys: &[must("type", Kind::Text, "kind of section")],
    variants: Some(Variants::Profiles),
};
