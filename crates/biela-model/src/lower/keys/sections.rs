//! The sections of a model file and their keys.

use biela_core::analysis::{ContactFormulation, Formulation, ImpactLaw};
use biela_core::forces::FORCES;
use biela_core::integrators::INTEGRATORS;
use biela_core::methods::METHODS;
use biela_core::model::ShapeKind;

use super::contact::MATERIAL_KEY;
use super::control::CONTROLLER;
use super::trajectory::TRAJECTORY;
use super::{Field, FieldKind, Info, component};

/// An optional key without a default, or whose text says what its default is.
pub(super) const fn may(name: &'static str, kind: FieldKind, doc: &'static str) -> Field {
    Field::optional(name, kind, "", doc)
}

/// Every section with its own table or list, for reference pages and tests.
#[cfg(test)]
pub(crate) const ALL: &[&Info] = &[
    &MODEL,
    &TABLE,
    &component::COMPONENT,
    &component::REQUIRED_PARAMETER,
    &component::COMPONENT_GROUND,
    &component::INSTANCE,
    &GROUND,
    &BODY,
    &FRAME,
    &ROTATION,
    &INERTIA,
    &SHAPE,
    &super::beam::BEAM,
    &super::beam::BEAM_SECTION,
    &super::beam::BEAM_FRAME,
    &super::joint::JOINT,
    &super::joint::LIMITS,
    &super::chain::CHAIN,
    &super::chain::CHAIN_LINK,
    &COUPLER,
    &BACKLASH,
    &super::contact::MATERIAL,
    &super::contact::MATERIAL_PAIR,
    &super::contact::CONTACT,
    &super::contact::SURFACE,
    &super::contact::CONTACTS,
    &super::contact::ADDED_SURFACE,
    &super::trajectory::TRAJECTORY,
    &DRIVER,
    &PROFILE,
    &FORCE,
    &INPUT,
    &SENSOR,
    &CONTROLLER,
    &super::control::CONTROLLER_INPUT,
    &super::control::CONTROLLER_STATE,
    &super::control::CONTROLLER_OUTPUT,
    &super::law::LAW_CONTROLLER,
    &super::law::LAW_MODEL,
    &super::law::LAW_NOISE,
    &super::law::LAW_QUANTUM,
    &EVENT,
    &ROBOT,
    &STUDY,
    &OUTPUT,
    &super::parameter_studies::MEASURE,
    &super::parameter_studies::SWEEP,
    &super::parameter_studies::VARY,
    &super::parameter_studies::OPTIMIZE,
    &super::parameter_studies::FIT,
    &super::parameter_studies::BETWEEN,
];

pub(super) const NAME: Field = Field::required(
    "name",
    FieldKind::Name,
    "letters, digits, `_` and `-`; no two elements share a name",
);

pub(crate) const MODEL: Info = Info::table(
    "model",
    "A model of the biela multibody workbench.",
    &[
        Field::required("format", FieldKind::Format, "version of the language: 1"),
        may("name", FieldKind::Text, "name of the model"),
        may("description", FieldKind::Text, "description of the model"),
        Field::required(
            "space",
            FieldKind::Choice(SPACES),
            "planar: motion in the x-y plane; spatial: motion in space",
        ),
        may(
            "gravity",
            FieldKind::Vector { unit: "m/s^2" },
            "acceleration of gravity; default: zero",
        ),
        may(
            "spin",
            FieldKind::Number { unit: "rad/s" },
            "constant angular velocity of the ground frame about z through its origin: bodies at rest in it rotate steadily; default: 0",
        ),
        may(
            "include",
            FieldKind::Texts,
            "files whose elements are part of this model",
        ),
        may(
            "parameters",
            FieldKind::Map(&FieldKind::Number { unit: "" }),
            "named numbers, quantities and formulas of other parameters",
        ),
        HARD_POINTS,
        component::TABLE_KEY,
        component::component_key(),
        component::INSTANCE_KEY,
        may("ground", FieldKind::Table(&GROUND), "the fixed ground"),
        component::BODY_KEY,
        component::BEAM_KEY,
        component::JOINT_KEY,
        may(
            "chain",
            FieldKind::Tables(&[&super::chain::CHAIN]),
            "serial arms defined by Denavit-Hartenberg tables",
        ),
        component::COUPLER_KEY,
        component::MATERIAL_KEY,
        may(
            "material_pair",
            FieldKind::Tables(&[&super::contact::MATERIAL_PAIR]),
            "coefficients of contact between materials",
        ),
        component::CONTACT_KEY,
        may(
            "contacts",
            FieldKind::Table(&super::contact::CONTACTS),
            "contacts between all surfaces",
        ),
        may(
            "trajectory",
            FieldKind::Tables(&[&TRAJECTORY]),
            "reference motions of joints",
        ),
        component::DRIVER_KEY,
        component::FORCE_KEY,
        component::INPUT_KEY,
        component::SENSOR_KEY,
        may(
            "controller",
            FieldKind::Tables(&[&CONTROLLER, &super::law::LAW_CONTROLLER]),
            "sampled controllers with a zero-order hold: difference equations and control laws",
        ),
        component::EVENT_KEY,
        may(
            "robot",
            FieldKind::Table(&ROBOT),
            "robot definition: joints, tool, posture",
        ),
        may("study", FieldKind::Table(&STUDY), "the analysis"),
        may("output", FieldKind::Table(&OUTPUT), "the recorded signals"),
        may(
            "measure",
            FieldKind::Tables(&[&super::parameter_studies::MEASURE]),
            "scalar measures of a run",
        ),
        may(
            "sweep",
            FieldKind::Table(&super::parameter_studies::SWEEP),
            "parameter sweep",
        ),
        may(
            "optimize",
            FieldKind::Table(&super::parameter_studies::OPTIMIZE),
            "optimization of parameters",
        ),
        may(
            "fit",
            FieldKind::Table(&super::parameter_studies::FIT),
            "fit of parameters to measurements",
        ),
    ],
);

pub(crate) const SPACES: &[&str] = &["planar", "spatial"];
pub(crate) const INTERPOLATIONS: &[&str] = &["linear", "cubic"];
pub(crate) const EXTRAPOLATIONS: &[&str] = &["hold", "linear"];

pub(crate) const TABLE: Info = Info::table(
    "table",
    "A tabulated function.",
    &[
        Field::required(
            "x",
            FieldKind::NumberList { unit: "" },
            "abscissae of the points, increasing",
        ),
        Field::required(
            "y",
            FieldKind::NumberList { unit: "" },
            "values at the points",
        ),
        may("x_unit", FieldKind::Text, "unit of bare numbers in `x`"),
        may("y_unit", FieldKind::Text, "unit of bare numbers in `y`"),
        may(
            "interpolation",
            FieldKind::Choice(INTERPOLATIONS),
            "linear, or a natural cubic spline; default: linear",
        ),
        may(
            "outside",
            FieldKind::Choice(EXTRAPOLATIONS),
            "extrapolation beyond the ends: hold the end value, or linear with the end slope; default: hold",
        ),
    ],
);

/// The coordinates of a position, or the name of a hard point.
pub(crate) const POSITION: FieldKind = FieldKind::Either(&[
    FieldKind::Vector { unit: "m" },
    FieldKind::Named("hard point"),
]);

pub(super) const HARD_POINTS: Field = may(
    "points",
    FieldKind::Map(&FieldKind::Vector { unit: "m" }),
    "hard points: named points of the design position, in the axes of the ground; a position of a body, a shape, a beam or a joint can be the name of a hard point, BODY.NAME is the point of a body at it, and NAME.x, NAME.y and NAME.z are parameters",
);

pub(super) const POINTS: Field = may(
    "points",
    FieldKind::Map(&POSITION),
    "named points, in the body frame",
);
pub(super) const FRAMES: Field = may(
    "frames",
    FieldKind::Map(&FieldKind::Table(&FRAME)),
    "named frames: points with their own axes",
);

pub(super) const GROUND_SHAPES: Field = may(
    "shapes",
    FieldKind::Tables(&[&SHAPE]),
    "shapes that show the ground",
);

pub(crate) const GROUND: Info = Info::table(
    "ground",
    "The fixed ground.",
    &[POINTS, FRAMES, GROUND_SHAPES, MATERIAL_KEY],
);

pub(super) const MASS: Field = may(
    "mass",
    FieldKind::Number { unit: "kg" },
    "mass; zero is allowed if the bodies that are welded to it or carried by it provide the inertia of its motions",
);
pub(super) const INERTIA_KEY: Field = may(
    "inertia",
    FieldKind::Either(&[
        FieldKind::Number { unit: "kg*m^2" },
        FieldKind::Tuple {
            count: 3,
            unit: "kg*m^2",
        },
        FieldKind::Matrix { unit: "kg*m^2" },
        FieldKind::Table(&INERTIA),
    ]),
    "moment of inertia about the mass centre: a number in the plane; three principal moments, a 3x3 matrix or its entries in space; 0 for a point mass",
);
pub(super) const UNPHYSICAL: Field = may(
    "unphysical",
    FieldKind::Flag,
    "accept a physically impossible inertia, with a warning",
);
pub(super) const COM: Field = may(
    "com",
    POSITION,
    "mass centre in the body frame; default: its origin",
);
pub(super) const DENSITY: Field = may(
    "density",
    FieldKind::Positive { unit: "kg/m^3" },
    "density of the shapes, instead of `mass` and `inertia`",
);
pub(super) const SHAPES: Field = may(
    "shapes",
    FieldKind::Tables(&[&SHAPE]),
    "shapes of the body, for mass properties and appearance",
);

pub(crate) const BODY: Info = Info::table(
    "body",
    "A rigid body. Mass properties come from `mass` and `inertia`, from `density` and `shapes`, or from `mass` and `shapes`.",
    &[
        NAME,
        MASS,
        INERTIA_KEY,
        UNPHYSICAL,
        COM,
        DENSITY,
        POINTS,
        FRAMES,
        SHAPES,
        MATERIAL_KEY,
        may(
            "along",
            FieldKind::Vectors { unit: "m" },
            "initial and design position by points: the origin of the body frame, a point on its x axis, and in space a point on the side of its y axis; without the last one its z axis is as close as possible to that of the ground",
        ),
        may(
            "position",
            POSITION,
            "initial position of the body frame; default: determined by the joints",
        ),
        may(
            "angle",
            FieldKind::Number { unit: "rad" },
            "initial angle (planar)",
        ),
        may(
            "rotation",
            FieldKind::Table(&ROTATION),
            "initial orientation (spatial)",
        ),
        may(
            "velocity",
            FieldKind::Vector { unit: "m/s" },
            "initial velocity of the origin of the body frame",
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
            "initial angular velocity: a number in the plane, three components along the ground's axes in space",
        ),
        may(
            "keep",
            FieldKind::Flag,
            "assembly must keep the initial pose",
        ),
    ],
);

pub(crate) const FRAME: Info = Info::table(
    "frame",
    "A point with its own axes.",
    &[
        may("at", POSITION, "origin; default: zero"),
        may(
            "angle",
            FieldKind::Number { unit: "rad" },
            "angle of its axes (planar)",
        ),
        may(
            "rotation",
            FieldKind::Table(&ROTATION),
            "its axes (spatial)",
        ),
    ],
);

pub(crate) const ROTATION: Info = Info::table(
    "rotation",
    "An orientation, in one of these forms: axis and angle; dextral angles; Euler parameters; the directions of two axes.",
    &[
        may(
            "axis",
            FieldKind::Direction,
            "axis of the rotation; with `angle`",
        ),
        may(
            "angle",
            FieldKind::Number { unit: "rad" },
            "rotation about `axis`",
        ),
        may(
            "dextral",
            FieldKind::Tuple {
                count: 3,
                unit: "rad",
            },
            "rotations about x, then the new y, then the new z (x-y-z Cardan angles)",
        ),
        may(
            "euler_parameters",
            FieldKind::Tuple {
                count: 4,
                unit: "1",
            },
            "Euler parameters (unit quaternion) e0, e1, e2, e3: cosine of half the angle, sine of half the angle times the axis",
        ),
        may(
            "x",
            FieldKind::Direction,
            "direction of the x axis; with that of another axis",
        ),
        may(
            "y",
            FieldKind::Direction,
            "direction of the y axis; with that of another axis",
        ),
        may(
            "z",
            FieldKind::Direction,
            "direction of the z axis; with that of another axis",
        ),
    ],
);

pub(crate) const INERTIA: Info = Info::table(
    "inertia",
    "Entries of the inertia matrix about the mass centre. Products are entries of the matrix: xy is minus the integral of x*y over the mass.",
    &[
        Field::required(
            "xx",
            FieldKind::Number { unit: "kg*m^2" },
            "moment of inertia about x",
        ),
        Field::required(
            "yy",
            FieldKind::Number { unit: "kg*m^2" },
            "moment of inertia about y",
        ),
        Field::required(
            "zz",
            FieldKind::Number { unit: "kg*m^2" },
            "moment of inertia about z",
        ),
        may(
            "xy",
            FieldKind::Number { unit: "kg*m^2" },
            "product of inertia; default: 0",
        ),
        may(
            "xz",
            FieldKind::Number { unit: "kg*m^2" },
            "product of inertia; default: 0",
        ),
        may(
            "yz",
            FieldKind::Number { unit: "kg*m^2" },
            "product of inertia; default: 0",
        ),
    ],
);

pub(crate) const SHAPE: Info = Info::table(
    "shape",
    "A solid, or a mesh for display. With a density, or the mass of the body, solids define the mass properties.",
    &[
        Field::required("type", FieldKind::Type(ShapeKind::LIST), "kind of shape"),
        may(
            "at",
            FieldKind::Vector { unit: "m" },
            "its origin in the body frame",
        ),
        may(
            "angle",
            FieldKind::Number { unit: "rad" },
            "rotation about z (planar)",
        ),
        may(
            "rotation",
            FieldKind::Table(&ROTATION),
            "orientation in the body frame",
        ),
        may(
            "material",
            FieldKind::Named("material"),
            "material; default: that of the body",
        ),
    ],
);

pub(crate) const COUPLER: Info = Info::table(
    "coupler",
    "A linear relation between joint coordinates.",
    &[
        NAME,
        Field::required("type", FieldKind::Type(COUPLERS), "kind of coupler"),
        may(
            "backlash",
            FieldKind::Table(&BACKLASH),
            "play within which the relation does not act; default: none",
        ),
    ],
);

pub(crate) const BACKLASH: Info = Info::table(
    "backlash",
    "The play of a coupler: the first coordinate is free within the width, centred at the relation, with impacts at the ends.",
    &[
        Field::required(
            "width",
            FieldKind::Positive { unit: "" },
            "total play of the first coordinate, in rad or m",
        ),
        may(
            "restitution",
            FieldKind::Number { unit: "1" },
            "coefficient of restitution at the ends, from 0 to 1; default: 0",
        ),
    ],
);

/// Every coupler.
pub(crate) const COUPLERS: &[Info] = &[
    Info::table(
        "gear",
        "gear pair between two rotational coordinates: q1 - ratio q2 is constant, or z1 q1 + z2 q2 for numbers of teeth z1, z2 (minus for internal gears)",
        &[
            Field::required(
                "joints",
                FieldKind::JointCoordinates,
                "the two rotational coordinates",
            ),
            may(
                "ratio",
                FieldKind::Number { unit: "1" },
                "gear ratio: turns of the first per turn of the second",
            ),
            may(
                "teeth",
                FieldKind::Tuple {
                    count: 2,
                    unit: "1",
                },
                "numbers of teeth, instead of `ratio`; external gears rotate in opposite directions",
            ),
            may(
                "internal",
                FieldKind::Flag,
                "internal gear: the gears of `teeth` rotate in the same direction",
            ),
        ],
    ),
    Info::table(
        "linear",
        "a linear combination of coordinates is constant",
        &[
            Field::required(
                "joints",
                FieldKind::JointCoordinates,
                "two or more coordinates",
            ),
            Field::required(
                "factors",
                FieldKind::NumberList { unit: "" },
                "one for each coordinate",
            ),
            may(
                "offset",
                FieldKind::Number { unit: "" },
                "value of the linear combination; default: its initial value",
            ),
        ],
    ),
    Info::table(
        "rack-and-pinion",
        "rack and pinion: s - r theta is constant",
        &[
            Field::required(
                "rack",
                FieldKind::JointCoordinate,
                "the displacement s of the rack",
            ),
            Field::required(
                "pinion",
                FieldKind::JointCoordinate,
                "the angle theta of the pinion",
            ),
            Field::required(
                "radius",
                FieldKind::Number { unit: "m" },
                "radius r of the pinion; negative if the rack moves in the opposite direction",
            ),
        ],
    ),
];

pub(crate) const DRIVER: Info = Info::table(
    "driver",
    "A prescribed motion: exactly one of `value`, `acceleration`, `table` and `trajectory`.",
    &[
        NAME,
        Field::required(
            "on",
            FieldKind::JointCoordinate,
            "driven quantity: joint, joint.coordinate, or a component of a point such as body.point.x",
        ),
        may(
            "value",
            FieldKind::Law { unit: "" },
            "a formula of time; its velocity and acceleration are exact",
        ),
        may(
            "acceleration",
            FieldKind::Table(&PROFILE),
            "a piecewise linear acceleration",
        ),
        may("table", FieldKind::Text, "name of a table of time"),
        may(
            "trajectory",
            FieldKind::Named("trajectory"),
            "name of a trajectory that moves the joint",
        ),
    ],
);

pub(crate) const PROFILE: Info = Info::table(
    "acceleration",
    "A piecewise linear acceleration, integrated exactly; constant beyond its ends.",
    &[
        Field::required(
            "time",
            FieldKind::NumberList { unit: "s" },
            "times, increasing",
        ),
        Field::required(
            "value",
            FieldKind::NumberList { unit: "" },
            "acceleration at the times",
        ),
        may(
            "velocity",
            FieldKind::Number { unit: "" },
            "velocity at the first time; default: 0",
        ),
        may(
            "position",
            FieldKind::Number { unit: "" },
            "position at the first time; default: 0",
        ),
    ],
);

pub(crate) const FORCE: Info = Info::table(
    "force",
    "A force or torque.",
    &[
        NAME,
        Field::required("type", FieldKind::Type(FORCES), "kind of force"),
    ],
);

pub(crate) const HOLDS: &[&str] = &["zero", "linear"];

pub(crate) const INPUT: Info = Info::table(
    "input",
    "A signal that is set from outside: by a program that steps the simulation, or by a table of values over time.",
    &[
        NAME,
        may("unit", FieldKind::Text, "SI unit; default: 1"),
        may(
            "initial",
            FieldKind::Number { unit: "" },
            "value at the start; default: 0",
        ),
        may(
            "hold",
            FieldKind::Choice(HOLDS),
            "zero: constant until the next value; linear: a line from one value to the next; default: zero",
        ),
    ],
);

pub(crate) const SENSOR: Info = Info::table(
    "sensor",
    "A formula of signals, which is itself a signal.",
    &[
        NAME,
        Field::required(
            "value",
            FieldKind::Law { unit: "" },
            "formula of time, signals and other sensors",
        ),
        may(
            "unit",
            FieldKind::Text,
            "SI unit of the value; default: derived from the formula",
        ),
    ],
);

pub(crate) const CROSSINGS: &[&str] = &["rising", "falling", "any"];
pub(crate) const ACTIONS: &[&str] = &["stop", "mark"];

pub(crate) const EVENT: Info = Info::table(
    "event",
    "A formula whose zero crossings are located.",
    &[
        NAME,
        Field::required(
            "when",
            FieldKind::Law { unit: "" },
            "event function, whose zero crossings are located",
        ),
        may(
            "crossing",
            FieldKind::Choice(CROSSINGS),
            "direction of the crossings; default: any",
        ),
        may(
            "action",
            FieldKind::Choice(ACTIONS),
            "stop ends the run, mark records the time; default: mark",
        ),
    ],
);

pub(crate) const ANALYSES: &[&str] = &["dynamics", "kinematics", "statics", "assemble"];
pub(crate) const STARTS: &[&str] = &["written", "equilibrium"];

pub(crate) const ROBOT: Info = Info::table(
    "robot",
    "A robot: an open tree of links whose joints have one coordinate each.",
    &[
        may(
            "joints",
            FieldKind::Texts,
            "joints of the robot, in the order of all lists with one value per joint; default: all joints with one coordinate",
        ),
        may("passive", FieldKind::Texts, "joints without actuation"),
        may("tool", FieldKind::Marker, "tool point or frame"),
        may(
            "posture",
            FieldKind::NumberList { unit: "" },
            "preferred pose, one value per joint; default: the middle of the limits",
        ),
    ],
);

pub(crate) const STUDY: Info = Info::table(
    "study",
    "The analysis.",
    &[
        may(
            "analysis",
            FieldKind::Choice(ANALYSES),
            "dynamics: motion under forces; kinematics: motion of a fully driven mechanism; statics: equilibria at rest; assemble: only the initial configuration; default: dynamics",
        ),
        may(
            "start",
            FieldKind::Choice(STARTS),
            "initial state of dynamics: as written, or at the equilibrium found from the written state; default: written",
        ),
        may(
            "start_points",
            FieldKind::Count,
            "number of initial points of the statics search: the written state and random ones; default: 1",
        ),
        may(
            "load_steps",
            FieldKind::Count,
            "number of equal load steps in which statics applies gravity, forces and torques, with one row of results per step; default: a single step",
        ),
        may(
            "tolerance",
            FieldKind::Positive { unit: "1" },
            "relative tolerance of statics: unbalanced force divided by all forces, including internal ones; default: 1e-10",
        ),
        may(
            "duration",
            FieldKind::Positive { unit: "s" },
            "simulated time; required for dynamics and kinematics",
        ),
        may(
            "output_step",
            FieldKind::Positive { unit: "s" },
            "time between output rows; default: duration/500",
        ),
        may(
            "resolve_penetration",
            FieldKind::Flag,
            "before the start, move bodies apart where surfaces penetrate each other, by the least displacement that keeps the joints closed; default: false",
        ),
        may(
            "formulation",
            FieldKind::Choice(FORMULATIONS),
            "formulation: absolute or joint coordinates",
        ),
        may(
            "contact",
            FieldKind::Choice(CONTACT_FORMULATIONS),
            "formulation of contacts: rigid with impacts, or elastic; default: events",
        ),
        may("method", FieldKind::Element(METHODS), "solution method"),
        may("integrator", FieldKind::Element(INTEGRATORS), "integrator"),
        may(
            "impact",
            FieldKind::Choice(ImpactLaw::WORDS),
            "law of impacts: Newton's or Poisson's; default: newton",
        ),
    ],
);

/// A method or integrator with its own fields.
pub(crate) const CHOICE: Info = Info::table(
    "choice",
    "A keyword with its fields.",
    &[Field::required("type", FieldKind::Text, "the keyword")],
);

/// The keywords of the formulations.
pub(crate) const FORMULATIONS: &[&str] = &{
    let mut words = [""; Formulation::LIST.len()];
    let mut k = 0;
    while k < words.len() {
        words[k] = Formulation::LIST[k].0;
        k += 1;
    }
    words
};

/// The keywords of the formulations of contacts.
pub(crate) const CONTACT_FORMULATIONS: &[&str] = &{
    let mut words = [""; ContactFormulation::LIST.len()];
    let mut k = 0;
    while k < words.len() {
        words[k] = ContactFormulation::LIST[k].0;
        k += 1;
    }
    words
};

pub(crate) const OUTPUT: Info = Info::table(
    "output",
    "The recorded signals.",
    &[
        may(
            "signals",
            FieldKind::Texts,
            "signals, or elements for all of their signals; default: the main signals of all elements",
        ),
        may(
            "plot",
            FieldKind::TextLists,
            "panels of a plot, each a list of signals",
        ),
    ],
);
