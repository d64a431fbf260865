//! The keys of `[[beam]]`.

use biela_core::flexible::Profile;

use super::sections::{NAME, ROTATION, may};
use super::{Field, FieldKind, Info};

/// Keywords of `element`; the first is the default.
pub(crate) const BEAM_ELEMENTS: &[&str] = &["cable", "green-lagrange", "structural", LUMPED, EXACT];
/// The keyword for rigid bars with springs between them.
pub(crate) const LUMPED: &str = "lumped";
/// The keyword for geometrically exact beams, with torsion and shear.
pub(crate) const EXACT: &str = "exact";

pub(crate) const BEAM: Info = Info::table(
    "beam",
    "A flexible beam from `from` to `to`, or along `shape`. Stiffness is computed from `section` and `young`, or given; mass is computed from `section` and `density`, or given. Its stations are `NAME.start`, `NAME.end` and its `points` and `frames`; each is a body that joints, forces and signals can refer to, with the x axis along the beam.",
    &[
        NAME,
        may(
            "from",
            FieldKind::Vector { unit: "m" },
            "start point, in the ground frame",
        ),
        may(
            "to",
            FieldKind::Vector { unit: "m" },
            "end point of a straight beam",
        ),
        may(
            "shape",
            FieldKind::Vectors { unit: "m" },
            "three or more points of the stress-free curve of the beam, instead of `from` and `to`; for a cable in space the initial curve, while the stress-free shape is straight",
        ),
        may(
            "elements",
            FieldKind::Positive { unit: "1" },
            "number of elements of equal length; for exact approximate, with a node at every station; default: 8",
        ),
        may(
            "element",
            FieldKind::Choice(BEAM_ELEMENTS),
            "element formulation; lumped: rigid bars with springs between them, for planar models; exact: geometrically exact, with torsion and shear, for spatial models; default: cable",
        ),
        may(
            "gauss_points",
            FieldKind::Tuple {
                count: 2,
                unit: "1",
            },
            "numbers of Gauss points for stretching (3 to 5) and bending (2 to 5) of an element; default: chosen by the element",
        ),
        may(
            "section",
            FieldKind::Table(&BEAM_SECTION),
            "the cross-section",
        ),
        may(
            "end_section",
            FieldKind::Table(&BEAM_SECTION),
            "the cross-section at the end, of the same type: its dimensions vary linearly along the beam",
        ),
        may(
            "young",
            FieldKind::Positive { unit: "Pa" },
            "Young's modulus",
        ),
        may(
            "shear_modulus",
            FieldKind::Positive { unit: "Pa" },
            "shear modulus (exact); default: from `young` and `poisson`",
        ),
        may(
            "poisson",
            FieldKind::Number { unit: "1" },
            "Poisson's ratio (exact); default: 0.3",
        ),
        may("density", FieldKind::Positive { unit: "kg/m^3" }, "density"),
        may(
            "axial_stiffness",
            FieldKind::Positive { unit: "N" },
            "axial stiffness EA, instead of `section` and `young`",
        ),
        may(
            "bending_stiffness",
            FieldKind::Either(&[
                FieldKind::Positive { unit: "N*m^2" },
                FieldKind::Tuple {
                    count: 2,
                    unit: "N*m^2",
                },
            ]),
            "bending stiffness EI, instead of `section` and `young`: about the normal of the plane, or in space about any axis perpendicular to the beam; for exact also [about y, about z]",
        ),
        may(
            "torsional_stiffness",
            FieldKind::Positive { unit: "N*m^2" },
            "torsional stiffness GJ (exact), instead of `section` and `young`",
        ),
        may(
            "shear_stiffness",
            FieldKind::Either(&[
                FieldKind::Positive { unit: "N" },
                FieldKind::Tuple {
                    count: 2,
                    unit: "N",
                },
            ]),
            "shear stiffness: shear correction factor times GA (exact), or [along y, along z], instead of `section` and `young`",
        ),
        may(
            "mass",
            FieldKind::Positive { unit: "kg" },
            "mass, instead of `density`",
        ),
        may(
            "mass_per_length",
            FieldKind::Positive { unit: "kg/m" },
            "mass per length, instead of `density`",
        ),
        may(
            "damping",
            FieldKind::Number { unit: "s" },
            "Kelvin-Voigt damping time: stress = stiffness times (strain + damping times strain rate); for cables in space and for green-lagrange of stretching only; default: 0",
        ),
        may(
            "up",
            FieldKind::Direction,
            "direction of the z axis of the section (its height) at the start (exact); default: z, or x if the beam starts vertically",
        ),
        may(
            "twist",
            FieldKind::Number { unit: "rad" },
            "stress-free twist of the section about the beam from its start to its end (exact); default: 0",
        ),
        may(
            "tension",
            FieldKind::Number { unit: "N" },
            "axial force in the initial shape (prestress); default: 0",
        ),
        may(
            "points",
            FieldKind::Map(&FieldKind::Number { unit: "" }),
            "named stations: a bare number is a fraction of the length, from 0 to 1; a quantity such as \"12 mm\" a distance from the start",
        ),
        may(
            "frames",
            FieldKind::Map(&FieldKind::Table(&BEAM_FRAME)),
            "named frames fixed to the section at a station, optionally off the centreline",
        ),
        may(
            "velocity",
            FieldKind::Vector { unit: "m/s" },
            "initial velocity of its start point, as a rigid body",
        ),
        may(
            "omega",
            FieldKind::Either(&[
                FieldKind::Number { unit: "rad/s" },
                FieldKind::Tuple {
                    count: 3,
                    unit: "rad/s",
                },
            ]),
            "initial angular velocity, as a rigid body: a number in the plane, three components along the ground's axes in space",
        ),
        may(
            "rigid",
            FieldKind::Flag,
            "treat the beam as one rigid body called NAME, with the same mass, inertia and stations",
        ),
    ],
);

pub(crate) const BEAM_FRAME: Info = Info::table(
    "frame of a beam",
    "A frame fixed to the section at a station of a beam.",
    &[
        Field::required(
            "along",
            FieldKind::Number { unit: "" },
            "location of the section: a fraction of the length, or a distance from the start",
        ),
        may(
            "at",
            FieldKind::Vector { unit: "m" },
            "origin in the axes of the section, x along the beam; default: zero",
        ),
        may(
            "angle",
            FieldKind::Number { unit: "rad" },
            "angle of its axes to those of the section (planar)",
        ),
        may(
            "rotation",
            FieldKind::Table(&ROTATION),
            "its axes in those of the section (spatial)",
        ),
    ],
);

pub(crate) const BEAM_SECTION: Info = Info::table(
    "section",
    "A cross-section.",
    &[Field::required(
        "type",
        FieldKind::Type(Profile::LIST),
        "type of section",
    )],
);
