//! Contacts and their surfaces.

use biela_core::model::Space;

use super::sections::{NAME, ROTATION, may};
use super::{Field, FieldKind, Info};

pub(super) const FRICTION: Field = may(
    "friction",
    FieldKind::Number { unit: "1" },
    "coefficient of friction in slip, zero or greater; default: that of the materials, or 0",
);
pub(super) const STATIC_FRICTION: Field = may(
    "static_friction",
    FieldKind::Number { unit: "1" },
    "coefficient of friction in stick, not smaller than `friction`; default: `friction`",
);
pub(super) const RESTITUTION: Field = may(
    "restitution",
    FieldKind::Number { unit: "1" },
    "coefficient of restitution, from 0 (perfectly inelastic) to 1 (perfectly elastic); default: that of the materials, or 0",
);
pub(super) const TANGENTIAL_RESTITUTION: Field = may(
    "tangential_restitution",
    FieldKind::Number { unit: "1" },
    "share of the slip velocity that an impact reverses if friction suffices, from 0 to 1, in Newton's law of impact; default: that of the materials, or 0",
);
pub(super) const ROLLING_RESISTANCE: Field = may(
    "rolling_resistance",
    FieldKind::Number { unit: "m" },
    "length of rolling resistance: the largest moment against rolling per newton of normal force; default: that of the materials, or 0",
);
pub(super) const SPINNING_RESISTANCE: Field = may(
    "spinning_resistance",
    FieldKind::Number { unit: "m" },
    "length of spinning resistance (spatial): the largest moment about the normal per newton of normal force; default: that of the materials, or 0",
);
pub(super) const MATERIAL_KEY: Field = may(
    "material",
    FieldKind::Named("material"),
    "material of its surfaces; default: none",
);
const SIDE_MATERIAL: Field = may(
    "material",
    FieldKind::Named("material"),
    "material; default: that of the shape or of the body",
);

const STIFFNESS: Field = may(
    "stiffness",
    FieldKind::Positive { unit: "" },
    "normal stiffness for contact = \"compliant\": force divided by penetration to the power of `exponent`, N/m or N/m^1.5",
);
const EXPONENT: Field = may(
    "exponent",
    FieldKind::Positive { unit: "1" },
    "exponent of the penetration, 1 or 1.5; default: 1 with `stiffness`, 1.5 with `young`",
);
const YOUNGS_MODULUS: Field = may(
    "young",
    FieldKind::Positive { unit: "Pa" },
    "Young's modulus of both sides, from which Hertz's law gives the stiffness with the radii of the surfaces, instead of `stiffness`",
);
const POISSON: Field = may(
    "poisson",
    FieldKind::Number { unit: "1" },
    "Poisson's ratio of both sides, with `young`; default: 0.3",
);
const DISSIPATION: Field = may(
    "dissipation",
    FieldKind::Number { unit: "s/m" },
    "dissipation factor of a compliant contact; default: that of `restitution`",
);
const TANGENTIAL_STIFFNESS: Field = may(
    "tangential_stiffness",
    FieldKind::Positive { unit: "N/m" },
    "stiffness of the bristles of a compliant contact; default: 14/17 of the normal stiffness, or Mindlin's with `young`",
);
const TANGENTIAL_DAMPING: Field = may(
    "tangential_damping",
    FieldKind::Number { unit: "1" },
    "damping ratio of vibrations on the bristles of a compliant contact; default: that of `restitution`",
);

pub(crate) const CONTACT: Info = Info::table(
    "contact",
    "A unilateral contact between two surfaces: gap and normal force are complementary, friction is Coulomb friction, impacts have a coefficient of restitution.",
    &[
        NAME,
        Field::required(
            "between",
            FieldKind::MarkerPair,
            "the two points or frames that carry the surfaces: ground, body, body.point or ground.point; or a beam with a surface of type beam",
        ),
        Field::required(
            "surfaces",
            FieldKind::Tables(&[&SURFACE]),
            "the two surfaces, in the order of `between`",
        ),
        FRICTION,
        STATIC_FRICTION,
        RESTITUTION,
        TANGENTIAL_RESTITUTION,
        ROLLING_RESISTANCE,
        SPINNING_RESISTANCE,
        STIFFNESS,
        EXPONENT,
        YOUNGS_MODULUS,
        POISSON,
        DISSIPATION,
        TANGENTIAL_STIFFNESS,
        TANGENTIAL_DAMPING,
    ],
);

pub(crate) const CONTACTS: Info = Info::table(
    "contacts",
    "Contacts between all surfaces of different bodies. The name of each is `contact.A.B`, with the names of the bodies.",
    &[
        may(
            "between",
            FieldKind::Either(&[FieldKind::Choice(&["all"]), FieldKind::TextLists]),
            "all: every pair of bodies, and every body and the ground; or a list of pairs of names of bodies and groups; default: all",
        ),
        may(
            "groups",
            FieldKind::Map(&FieldKind::Texts),
            "named lists of bodies, for `between` and `exclude`",
        ),
        may(
            "exclude",
            FieldKind::TextLists,
            "pairs of bodies and groups without contacts",
        ),
        Field::optional(
            "jointed",
            FieldKind::Flag,
            "false",
            "also between bodies that a joint connects; a pair of bodies in `between` is included in any case",
        ),
        may(
            "surfaces",
            FieldKind::Tables(&[&ADDED_SURFACE]),
            "surfaces in addition to the shapes of bodies and of the ground",
        ),
        FRICTION,
        STATIC_FRICTION,
        RESTITUTION,
        TANGENTIAL_RESTITUTION,
        ROLLING_RESISTANCE,
        SPINNING_RESISTANCE,
    ],
);

pub(crate) const MATERIAL: Info = Info::table(
    "material",
    "A material of bodies, shapes and surfaces.",
    &[
        NAME,
        may(
            "young",
            FieldKind::Positive { unit: "Pa" },
            "Young's modulus",
        ),
        may(
            "poisson",
            FieldKind::Number { unit: "1" },
            "Poisson's ratio, greater than -1 and at most 0.5",
        ),
    ],
);

pub(crate) const MATERIAL_PAIR: Info = Info::table(
    "material_pair",
    "The coefficients of contact between two materials. Keys of a contact have precedence.",
    &[
        Field::required(
            "between",
            FieldKind::Texts,
            "the two materials, which may be the same",
        ),
        FRICTION,
        STATIC_FRICTION,
        RESTITUTION,
        TANGENTIAL_RESTITUTION,
        ROLLING_RESISTANCE,
        SPINNING_RESISTANCE,
    ],
);

const SURFACE_TYPE: Field = Field::required("type", FieldKind::Type(SURFACES), "kind of surface");
const AT: Field = may(
    "at",
    FieldKind::Vector { unit: "m" },
    "origin of the surface in the frame; default: zero",
);
const ANGLE: Field = may(
    "angle",
    FieldKind::Number { unit: "rad" },
    "rotation of the surface in the frame (planar)",
);
const TURN: Field = may(
    "rotation",
    FieldKind::Table(&ROTATION),
    "orientation of the surface in the frame (spatial)",
);

pub(crate) const SURFACE: Info = Info::table(
    "surface",
    "A surface of a contact, in the frame of its side of `between`.",
    &[SURFACE_TYPE, AT, ANGLE, TURN, SIDE_MATERIAL],
);

pub(crate) const ADDED_SURFACE: Info = Info::table(
    "added_surface",
    "A surface of `[contacts]` in addition to the shapes.",
    &[
        Field::required(
            "on",
            FieldKind::Marker,
            "the point or frame that carries the surface: ground, body, body.point or ground.point",
        ),
        SURFACE_TYPE,
        AT,
        ANGLE,
        TURN,
        SIDE_MATERIAL,
    ],
);

const PLANE: &[Space] = &[Space::Planar];
const SPACE: &[Space] = &[Space::Spatial];
const BOTH: &[Space] = &[Space::Planar, Space::Spatial];

const RADIUS: Field = Field::required("radius", FieldKind::Positive { unit: "m" }, "radius");
const INSIDE: Field = Field::optional(
    "inside",
    FieldKind::Flag,
    "false",
    "contact from within: the material surrounds a bore",
);
const NORMAL: Field = may(
    "normal",
    FieldKind::Direction,
    "outward normal in the frame, instead of an orientation",
);

const fn surface(
    name: &'static str,
    spaces: &'static [Space],
    fields: &'static [Field],
    summary: &'static str,
) -> Info {
    Info {
        name,
        aliases: &[],
        summary,
        spaces,
        fields,
    }
}

/// Every surface; a test compares the spaces with those of the core.
pub(crate) const SURFACES: &[Info] = &[
    surface("point", BOTH, &[], "the origin of the frame"),
    surface(
        "points",
        BOTH,
        &[Field::required(
            "points",
            FieldKind::Vectors { unit: "m" },
            "positions of the points in the frame of the surface",
        )],
        "several points, each of which can be in contact",
    ),
    surface(
        "line",
        PLANE,
        &[NORMAL],
        "the unbounded half-plane y <= 0: its outward normal is the y axis",
    ),
    surface(
        "circle",
        PLANE,
        &[RADIUS, INSIDE],
        "a circle about the origin",
    ),
    surface(
        "arc",
        PLANE,
        &[
            RADIUS,
            Field::required(
                "from",
                FieldKind::Number { unit: "rad" },
                "angle of its start from the x axis",
            ),
            Field::required(
                "to",
                FieldKind::Number { unit: "rad" },
                "angle of its end, counter-clockwise from the start",
            ),
            INSIDE,
        ],
        "an arc of a circle about the origin: one side of a line without thickness",
    ),
    surface(
        "segment",
        PLANE,
        &[
            Field::required("from", FieldKind::Vector { unit: "m" }, "one end"),
            Field::required("to", FieldKind::Vector { unit: "m" }, "the other end"),
            may(
                "radius",
                FieldKind::Positive { unit: "m" },
                "distance of the surface from the segment; default: an edge without thickness",
            ),
        ],
        "a straight edge between two points with contact from both sides, or the points within a radius of it",
    ),
    surface(
        "polygon",
        PLANE,
        &[Field::required(
            "vertices",
            FieldKind::Vectors { unit: "m" },
            "vertices of a convex polygon, counter-clockwise",
        )],
        "a convex polygon",
    ),
    surface(
        "curve",
        PLANE,
        &[
            may(
                "radius",
                FieldKind::Law { unit: "m" },
                "radius as a formula of the polar angle `theta`, with the period of one turn",
            ),
            may(
                "samples",
                FieldKind::Count,
                "number of samples of the formula, which a periodic spline interpolates; default: 360",
            ),
            may(
                "angles",
                FieldKind::NumberList { unit: "rad" },
                "polar angles, increasing within one turn; with `radii`",
            ),
            may(
                "radii",
                FieldKind::NumberList { unit: "m" },
                "radii at the angles",
            ),
            may(
                "points",
                FieldKind::Vectors { unit: "m" },
                "points of the curve, in order; the first one is not repeated",
            ),
        ],
        "a smooth closed curve such as the profile of a cam: exactly one of `radius`, `angles` with `radii`, and `points`",
    ),
    surface(
        "half-space",
        SPACE,
        &[NORMAL],
        "the unbounded half-space z <= 0: its outward normal is the z axis",
    ),
    surface(
        "sphere",
        SPACE,
        &[RADIUS, INSIDE],
        "a sphere about the origin",
    ),
    surface(
        "capsule",
        SPACE,
        &[
            RADIUS,
            Field::required(
                "length",
                FieldKind::Positive { unit: "m" },
                "distance between the centres of its end spheres, along z",
            ),
        ],
        "a cylinder along z with hemispherical ends",
    ),
    surface(
        "cylinder",
        SPACE,
        &[
            RADIUS,
            Field::required(
                "length",
                FieldKind::Positive { unit: "m" },
                "length along z",
            ),
        ],
        "a solid cylinder along z",
    ),
    surface(
        "disc",
        SPACE,
        &[
            RADIUS,
            may(
                "rounding",
                FieldKind::Positive { unit: "m" },
                "radius of the rounded rim, smaller than `radius`; default: a sharp rim",
            ),
        ],
        "the rim of a thin disc about z, without its faces",
    ),
    surface(
        "ellipsoid",
        SPACE,
        &[Field::required(
            "semi_axes",
            FieldKind::Tuple {
                count: 3,
                unit: "m",
            },
            "semi-axes along x, y and z",
        )],
        "an ellipsoid about the origin",
    ),
    surface(
        "box",
        SPACE,
        &[Field::required(
            "size",
            FieldKind::Tuple {
                count: 3,
                unit: "m",
            },
            "edge lengths along x, y and z",
        )],
        "a solid box about the origin",
    ),
    surface(
        "beam",
        BOTH,
        &[
            may(
                "radius",
                FieldKind::Number { unit: "m" },
                "distance of the surface from the centreline, zero or positive; default: half the height of its section, in space only of a circle or tube",
            ),
            may(
                "points",
                FieldKind::Count,
                "number of candidate points at equal distances from the start to the end, from 2 to 2000; for exact beams they must be nodes; default: every node",
            ),
        ],
        "a tube about the centreline of a beam, with candidate points fixed to its material; that side of `between` names the beam",
    ),
    surface(
        "shape",
        BOTH,
        &[may(
            "number",
            FieldKind::Count,
            "number of the shape in the list of its body; default: the only one",
        )],
        "the surface of a shape of the body: a box, sphere, cylinder, capsule or ellipsoid; in a planar model a box is a polygon, a sphere and a cylinder along z are circles",
    ),
];

#[cfg(test)]
mod tests {
    use biela_core::contact::Surface;

    use super::*;

    #[test]
    fn every_surface_of_the_core_is_described_with_its_spaces() {
        for surface in Surface::examples() {
            let name = match surface.name() {
                "list of points" => "points",
                "rounded disc" => "disc",
                name => name
                    .trim_start_matches("inside of a ")
                    .trim_start_matches("inside of an "),
            };
            let info = Info::named(SURFACES, name);
            let spaces = info.map(|info| info.spaces).unwrap_or_default();
            for space in BOTH {
                assert_eq!(spaces.contains(space), surface.exists_in(*space), "{name}");
            }
        }
    }
}
