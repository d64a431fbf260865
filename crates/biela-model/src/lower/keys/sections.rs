//! The sections of a model file and their keys.

use biela_core::analysis::Formulation;
use biela_core::forces::FORCES;
use biela_core::integrators::INTEGRATORS;
use biela_core::methods::METHODS;

use super::beam::BEAM;
use super::control::CONTROLLER;
use super::joint::JOINT;
use super::trajectory::TRAJECTORY;
use super::{KeyKind, KeySpec, TableSpec, Variants};

pub(super) const fn must(name: &'static str, kind: KeyKind, doc: &'static str) -> KeySpec {
    KeySpec {
        name,
        kind,
        required: true,
        doc,
    }
}

pub(super) const fn may(name: &'static str, kind: KeyKind, doc: &'static str) -> KeySpec {
    KeySpec {
        name,
        kind,
        required: false,
        doc,
    }
}

/// Every section with its own table or list, for reference pages and tests.
#[cfg(test)]
pub(crate) const ALL: &[&TableSpec] = &[
    &MODEL,
    &TABLE,
    &GROUND,
    &BODY,
    &FRAME,
    &ROTATION,
    &INERTIA,
    &SHAPE,
    &super::beam::BEAM,
    &super::beam::BEAM_SECTION,
    &super::beam::BEAM_FRAME,
    &JOINT,
    &super::joint::LIMITS,
    &super::chain::CHAIN,
    &super::chain::CHAIN_LINK,
    &COUPLER,
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

pub(super) const NAME: KeySpec = must(
    "name",
    KeyKind::Name,
    "letters, digits, `_` and `-`; no two elements share a name",
);

pub(crate) const MODEL: TableSpec = TableSpec {
    what: "model",
    doc: "A model of the biela multibody workbench.",
    keys: &[
        must("format", KeyKind::Format, "version of the language: 1"),
        may("name", KeyKind::Text, "name of the model"),
        may("description", KeyKind::Text, "description of the model"),
        must(
            "space",
            KeyKind::Choice(SPACES),
            "planar: motion in the x-y plane; spatial: motion in space",
        ),
        may(
            "gravity",
            KeyKind::Vector("m/s^2"),
            "acceleration of gravity; default: zero",
        ),
        may(
            "spin",
            KeyKind::Quantity("rad/s"),
            "constant angular velocity of the ground frame about z through its origin: bodies at rest in it rotate steadily; default: 0",
        ),
        may(
            "include",
            KeyKind::Texts,
            "files whose elements are part of this model",
        ),
        may(
            "parameters",
            KeyKind::Map(&KeyKind::Quantity("")),
            "named numbers, quantities and formulas of other parameters",
        ),
        may(
            "table",
            KeyKind::Map(&KeyKind::One(&TABLE)),
            "tabulated functions, called as NAME(x)",
        ),
        may("ground", KeyKind::One(&GROUND), "the fixed ground"),
        may("body", KeyKind::Many(&BODY), "rigid bodies"),
        may("beam", KeyKind::Many(&BEAM), "flexible beams"),
        may("joint", KeyKind::Many(&JOINT), "joints between two bodies"),
        may(
            "chain",
            KeyKind::Many(&super::chain::CHAIN),
            "serial arms defined by Denavit-Hartenberg tables",
        ),
        may(
            "coupler",
            KeyKind::Many(&COUPLER),
            "linear relations between joint coordinates",
        ),
        may(
            "trajectory",
            KeyKind::Many(&TRAJECTORY),
            "reference motions of joints",
        ),
        may("driver", KeyKind::Many(&DRIVER), "prescribed motions"),
        may("force", KeyKind::Many(&FORCE), "forces and torques"),
        may(
            "input",
            KeyKind::Many(&INPUT),
            "signals that are set from outside",
        ),
        may("sensor", KeyKind::Many(&SENSOR), "formulas of signals"),
        may(
            "controller",
            KeyKind::ManyOf(&[&CONTROLLER, &super::law::LAW_CONTROLLER]),
            "sampled controllers with a zero-order hold: difference equations and control laws",
        ),
        may(
            "event",
            KeyKind::Many(&EVENT),
            "formulas whose zero crossings are located",
        ),
        may(
            "robot",
            KeyKind::One(&ROBOT),
            "robot definition: joints, tool, posture",
        ),
        may("study", KeyKind::One(&STUDY), "the analysis"),
        may("output", KeyKind::One(&OUTPUT), "the recorded signals"),
        may(
            "measure",
            KeyKind::Many(&super::parameter_studies::MEASURE),
            "scalar measures of a run",
        ),
        may(
            "sweep",
            KeyKind::One(&super::parameter_studies::SWEEP),
            "parameter sweep",
        ),
        may(
            "optimize",
            KeyKind::One(&super::parameter_studies::OPTIMIZE),
            "optimization of parameters",
        ),
        may(
            "fit",
            KeyKind::One(&super::parameter_studies::FIT),
            "fit of parameters to measurements",
        ),
    ],
    variants: None,
};

pub(crate) const SPACES: &[&str] = &["planar", "spatial"];
pub(crate) const INTERPOLATIONS: &[&str] = &["linear", "cubic"];
pub(crate) const EXTRAPOLATIONS: &[&str] = &["hold", "linear"];

pub(crate) const TABLE: TableSpec = TableSpec {
    what: "table",
    doc: "A tabulated function.",
    keys: &[
        must(
            "x",
            KeyKind::Quantities(""),
            "abscissae of the points, increasing",
        ),
        must("y", KeyKind::Quantities(""), "values at the points"),
        may("x_unit", KeyKind::Text, "unit of bare numbers in `x`"),
        may("y_unit", KeyKind::Text, "unit of bare numbers in `y`"),
        may(
            "interpolation",
            KeyKind::Choice(INTERPOLATIONS),
            "linear, or a natural cubic spline; default: linear",
        ),
        may(
            "outside",
            KeyKind::Choice(EXTRAPOLATIONS),
            "extrapolation beyond the ends: hold the end value, or linear with the end slope; default: hold",
        ),
    ],
    variants: None,
};

pub(super) const POINTS: KeySpec = may(
    "points",
    KeyKind::Map(&KeyKind::Vector("m")),
    "named points, in the body frame",
);
pub(super) const FRAMES: KeySpec = may(
    "frames",
    KeyKind::Map(&KeyKind::One(&FRAME)),
    "named frames: points with their own axes",
);

pub(crate) const GROUND: TableSpec = TableSpec {
    what: "ground",
    doc: "The fixed ground.",
    keys: &[
        POINTS,
        FRAMES,
        may(
            "shapes",
            KeyKind::Many(&SHAPE),
            "shapes that show the ground",
        ),
    ],
    variants: None,
};

pub(super) const MASS: KeySpec = may(
    "mass",
    KeyKind::Quantity("kg"),
    "mass; zero is allowed if the bodies that are welded to it or carried by it provide the inertia of its motions",
);
pub(super) const INERTIA_KEY: KeySpec = may(
    "inertia",
    KeyKind::Either(&[
        KeyKind::Quantity("kg*m^2"),
        KeyKind::Tuple(3, "kg*m^2"),
        KeyKind::Matrix("kg*m^2"),
        KeyKind::One(&INERTIA),
    ]),
    "moment of inertia about the mass centre: a number in the plane; three principal moments, a 3x3 matrix or its entries in space; 0 for a point mass",
);
pub(super) const UNPHYSICAL: KeySpec = may(
    "unphysical",
    KeyKind::Flag,
    "accept a physically impossible inertia, with a warning",
);
pub(super) const COM: KeySpec = may(
    "com",
    KeyKind::Vector("m"),
    "mass centre in the body frame; default: its origin",
);
pub(super) const DENSITY: KeySpec = may(
    "density",
    KeyKind::Positive("kg/m^3"),
    "density of the shapes, instead of `mass` and `inertia`",
);
pub(super) const SHAPES: KeySpec = may(
    "shapes",
    KeyKind::Many(&SHAPE),
    "shapes of the body, for mass properties and appearance",
);

pub(crate) const BODY: TableSpec = TableSpec {
    what: "body",
    doc: "A rigid body. Mass properties come from `mass` and `inertia`, from `density` and `shapes`, or from `mass` and `shapes`.",
    keys: &[
        NAME,
        MASS,
        INERTIA_KEY,
        UNPHYSICAL,
        COM,
        DENSITY,
        POINTS,
        FRAMES,
        SHAPES,
        may(
            "position",
            KeyKind::Vector("m"),
            "initial position of the body frame; default: determined by the joints",
        ),
        may("angle", KeyKind::Quantity("rad"), "initial angle (planar)"),
        may(
            "rotation",
            KeyKind::One(&ROTATION),
            "initial orientation (spatial)",
        ),
        may(
            "velocity",
            KeyKind::Vector("m/s"),
            "initial velocity of the origin of the body frame",
        ),
        may(
            "omega",
            KeyKind::Either(&[KeyKind::Quantity("rad/s"), KeyKind::Tuple(3, "rad/s")]),
            "initial angular velocity: a number in the plane, three components along the ground's axes in space",
        ),
        may("keep", KeyKind::Flag, "assembly must keep the initial pose"),
    ],
    variants: None,
};

pub(crate) const FRAME: TableSpec = TableSpec {
    what: "frame",
    doc: "A point with its own axes.",
    keys: &[
        may("at", KeyKind::Vector("m"), "origin; default: zero"),
        may(
            "angle",
            KeyKind::Quantity("rad"),
            "angle of its axes (planar)",
        ),
        may("rotation", KeyKind::One(&ROTATION), "its axes (spatial)"),
    ],
    variants: None,
};

pub(crate) const ROTATION: TableSpec = TableSpec {
    what: "rotation",
    doc: "An orientation, in one of these forms: axis and angle; dextral angles; Euler parameters; the directions of two axes.",
    keys: &[
        may(
            "axis",
            KeyKind::Direction,
            "axis of the rotation; with `angle`",
        ),
        may("angle", KeyKind::Quantity("rad"), "rotation about `axis`"),
        may(
            "dextral",
            KeyKind::Tuple(3, "rad"),
            "rotations about x, then the new y, then the new z (x-y-z Cardan angles)",
        ),
        may(
            "euler_parameters",
            KeyKind::Tuple(4, "1"),
            "Euler parameters (unit quaternion) e0, e1, e2, e3: cosine of half the angle, sine of half the angle times the axis",
        ),
        may(
            "x",
            KeyKind::Direction,
            "direction of the x axis; with that of another axis",
        ),
        may(
            "y",
            KeyKind::Direction,
            "direction of the y axis; with that of another axis",
        ),
        may(
            "z",
            KeyKind::Direction,
            "direction of the z axis; with that of another axis",
        ),
    ],
    variants: None,
};

pub(crate) const INERTIA: TableSpec = TableSpec {
    what: "inertia",
    doc: "Entries of the inertia matrix about the mass centre. Products are entries of the matrix: xy is minus the integral of x*y over the mass.",
    keys: &[
        must(
            "xx",
            KeyKind::Quantity("kg*m^2"),
            "moment of inertia about x",
        ),
        must(
            "yy",
            KeyKind::Quantity("kg*m^2"),
            "moment of inertia about y",
        ),
        must(
            "zz",
            KeyKind::Quantity("kg*m^2"),
            "moment of inertia about z",
        ),
        may(
            "xy",
            KeyKind::Quantity("kg*m^2"),
            "product of inertia; default: 0",
        ),
        may(
            "xz",
            KeyKind::Quantity("kg*m^2"),
            "product of inertia; default: 0",
        ),
        may(
            "yz",
            KeyKind::Quantity("kg*m^2"),
            "product of inertia; default: 0",
        ),
    ],
    variants: None,
};

pub(crate) const SHAPE: TableSpec = TableSpec {
    what: "shape",
    doc: "A solid, or a mesh for display. With a density, or the mass of the body, solids define the mass properties.",
    keys: &[
        must("type", KeyKind::Text, "kind of shape"),
        may("at", KeyKind::Vector("m"), "its origin in the body frame"),
        may(
            "angle",
            KeyKind::Quantity("rad"),
            "rotation about z (planar)",
        ),
        may(
            "rotation",
            KeyKind::One(&ROTATION),
            "orientation in the body frame",
        ),
    ],
    variants: Some(Variants::Shapes),
};

pub(crate) const COUPLER: TableSpec = TableSpec {
    what: "coupler",
    doc: "A linear relation between joint coordinates.",
    keys: &[NAME, must("type", KeyKind::Text, "kind of coupler")],
    variants: Some(Variants::Couplers),
};

/// Keyword, summary and keys of every coupler.
pub(crate) const COUPLERS: &[(&str, &str, &[KeySpec])] = &[
    (
        "gear",
        "gear pair between two rotational coordinates: q1 - ratio q2 is constant, or z1 q1 + z2 q2 for numbers of teeth z1, z2 (minus for internal gears)",
        &[
            must(
                "joints",
                KeyKind::Coordinates,
                "the two rotational coordinates",
            ),
            may(
                "ratio",
                KeyKind::Quantity("1"),
                "gear ratio: turns of the first per turn of the second",
            ),
            may(
                "teeth",
                KeyKind::Tuple(2, "1"),
                "numbers of teeth, instead of `ratio`; external gears rotate in opposite directions",
            ),
            may(
                "internal",
                KeyKind::Flag,
                "internal gear: the gears of `teeth` rotate in the same direction",
            ),
        ],
    ),
    (
        "linear",
        "a linear combination of coordinates is constant",
        &[
            must("joints", KeyKind::Coordinates, "two or more coordinates"),
            must(
                "factors",
                KeyKind::Quantities(""),
                "one for each coordinate",
            ),
            may(
                "offset",
                KeyKind::Quantity(""),
                "value of the linear combination; default: its initial value",
            ),
        ],
    ),
    (
        "rack-and-pinion",
        "rack and pinion: s - r theta is constant",
        &[
            must(
                "rack",
                KeyKind::Coordinate,
                "the displacement s of the rack",
            ),
            must(
                "pinion",
                KeyKind::Coordinate,
                "the angle theta of the pinion",
            ),
            must(
                "radius",
                KeyKind::Quantity("m"),
                "radius r of the pinion; negative if the rack moves in the opposite direction",
            ),
        ],
    ),
];

pub(crate) const DRIVER: TableSpec = TableSpec {
    what: "driver",
    doc: "A prescribed motion: exactly one of `value`, `acceleration`, `table` and `trajectory`.",
    keys: &[
        NAME,
        must(
            "on",
            KeyKind::Coordinate,
            "driven quantity: joint, joint.coordinate, or a component of a point such as body.point.x",
        ),
        may(
            "value",
            KeyKind::Formula(""),
            "a formula of time; its velocity and acceleration are exact",
        ),
        may(
            "acceleration",
            KeyKind::One(&PROFILE),
            "a piecewise linear acceleration",
        ),
        may("table", KeyKind::Text, "name of a table of time"),
        may(
            "trajectory",
            KeyKind::Named("trajectory"),
            "name of a trajectory that moves the joint",
        ),
    ],
    variants: None,
};

pub(crate) const PROFILE: TableSpec = TableSpec {
    what: "acceleration",
    doc: "A piecewise linear acceleration, integrated exactly; constant beyond its ends.",
    keys: &[
        must("time", KeyKind::Quantities("s"), "times, increasing"),
        must(
            "value",
            KeyKind::Quantities(""),
            "acceleration at the times",
        ),
        may(
            "velocity",
            KeyKind::Quantity(""),
            "velocity at the first time; default: 0",
        ),
        may(
            "position",
            KeyKind::Quantity(""),
            "position at the first time; default: 0",
        ),
    ],
    variants: None,
};

pub(crate) const FORCE: TableSpec = TableSpec {
    what: "force",
    doc: "A force or torque.",
    keys: &[NAME, must("type", KeyKind::Text, "kind of force")],
    variants: Some(Variants::Infos(FORCES)),
};

pub(crate) const HOLDS: &[&str] = &["zero", "linear"];

pub(crate) const INPUT: TableSpec = TableSpec {
    what: "input",
    doc: "A signal that is set from outside: by a program that steps the simulation, or by a table of values over time.",
    keys: &[
        NAME,
        may("unit", KeyKind::Text, "SI unit; default: 1"),
        may(
            "initial",
            KeyKind::Quantity(""),
            "value at the start; default: 0",
        ),
        may(
            "hold",
            KeyKind::Choice(HOLDS),
            "zero: constant until the next value; linear: a line from one value to the next; default: zero",
        ),
    ],
    variants: None,
};

pub(crate) const SENSOR: TableSpec = TableSpec {
    what: "sensor",
    doc: "A formula of signals, which is itself a signal.",
    keys: &[
        NAME,
        must(
            "value",
            KeyKind::Formula(""),
            "formula of time, signals and other sensors",
        ),
        may(
            "unit",
            KeyKind::Text,
            "SI unit of the value; default: derived from the formula",
        ),
    ],
    variants: None,
};

pub(crate) const CROSSINGS: &[&str] = &["rising", "falling", "any"];
pub(crate) const ACTIONS: &[&str] = &["stop", "mark"];

pub(crate) const EVENT: TableSpec = TableSpec {
    what: "event",
    doc: "A formula whose zero crossings are located.",
    keys: &[
        NAME,
        must(
            "when",
            KeyKind::Formula(""),
            "event function, whose zero crossings are located",
        ),
        may(
            "crossing",
            KeyKind::Choice(CROSSINGS),
            "direction of the crossings; default: any",
        ),
        may(
            "action",
            KeyKind::Choice(ACTIONS),
            "stop ends the run, mark records the time; default: mark",
        ),
    ],
    variants: None,
};

pub(crate) const ANALYSES: &[&str] = &["dynamics", "kinematics", "statics", "assemble"];
pub(crate) const STARTS: &[&str] = &["written", "equilibrium"];

pub(crate) const ROBOT: TableSpec = TableSpec {
    what: "robot",
    doc: "A robot: an open tree of links whose joints have one coordinate each.",
    keys: &[
        may(
            "joints",
            KeyKind::Texts,
            "joints of the robot, in the order of all lists with one value per joint; default: all joints with one coordinate",
        ),
        may("passive", KeyKind::Texts, "joints without actuation"),
        may("tool", KeyKind::Endpoint, "tool point or frame"),
        may(
            "posture",
            KeyKind::Quantities(""),
            "preferred pose, one value per joint; default: the middle of the limits",
        ),
    ],
    variants: None,
};

pub(crate) const STUDY: TableSpec = TableSpec {
    what: "study",
    doc: "The analysis.",
    keys: &[
        may(
            "analysis",
            KeyKind::Choice(ANALYSES),
            "dynamics: motion under forces; kinematics: motion of a fully driven mechanism; statics: equilibria at rest; assemble: only the initial configuration; default: dynamics",
        ),
        may(
            "start",
            KeyKind::Choice(STARTS),
            "initial state of dynamics: as written, or at the equilibrium found from the written state; default: written",
        ),
        may(
            "start_points",
            KeyKind::Count,
            "number of initial points of the statics search: the written state and random ones; default: 1",
        ),
        may(
            "load_steps",
            KeyKind::Count,
            "number of equal load steps in which statics applies gravity, forces and torques, with one row of results per step; default: a single step",
        ),
        may(
            "tolerance",
            KeyKind::Positive("1"),
            "relative tolerance of statics: unbalanced force divided by all forces, including internal ones; default: 1e-10",
        ),
        may(
            "duration",
            KeyKind::Positive("s"),
            "simulated time; required for dynamics and kinematics",
        ),
        may(
            "output_step",
            KeyKind::Positive("s"),
            "time between output rows; default: duration/500",
        ),
        may(
            "formulation",
            KeyKind::Choice(FORMULATIONS),
            "formulation: absolute or joint coordinates",
        ),
        may(
            "method",
            KeyKind::Chosen(Variants::Infos(METHODS)),
            "solution method",
        ),
        may(
            "integrator",
            KeyKind::Chosen(Variants::Infos(INTEGRATORS)),
            "integrator",
        ),
    ],
    variants: None,
};

/// A method or integrator with its own fields.
pub(crate) const CHOICE: TableSpec = TableSpec {
    what: "choice",
    doc: "A keyword with its fields.",
    keys: &[must("type", KeyKind::Text, "the keyword")],
    variants: None,
};

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

pub(crate) const OUTPUT: TableSpec = TableSpec {
    what: "output",
    doc: "The recorded signals.",
    keys: &[
        may(
            "signals",
            KeyKind::Texts,
            "signals, or elements for all of their signals; default: the main signals of all elements",
        ),
        may(
            "plot",
            KeyKind::Panels,
            "panels of a plot, each a list of signals",
        ),
    ],
    variants: None,
};
