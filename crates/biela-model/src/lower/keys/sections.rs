//! The sections of a model file and their keys.

use biela_core::analysis::Formulation;
use biela_core::forces::FORCES;
use biela_core::integrators::INTEGRATORS;
use biela_core::methods::METHODS;

use super::beam::BEAM;
use super::control::CONTROLLER;
use super::joint::JOINT;
use super::trajectory::TRAJECTORY;
use super::{Key, Kind, Section, Variants};

pub(super) const fn must(name: &'static str, kind: Kind, doc: &'static str) -> Key {
    Key {
        name,
        kind,
        required: true,
        doc,
    }
}

pub(super) const fn may(name: &'static str, kind: Kind, doc: &'static str) -> Key {
    Key {
        name,
        kind,
        required: false,
        doc,
    }
}

/// Every section with its own table or list, for reference pages and tests.
#[cfg(test)]
pub(crate) const ALL: &[&Section] = &[
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
    &super::studies::MEASURE,
    &super::studies::SWEEP,
    &super::studies::VARY,
    &super::studies::OPTIMIZE,
    &super::studies::FIT,
    &super::studies::BETWEEN,
];

pub(super) const NAME: Key = must(
    "name",
    Kind::Name,
    "letters, digits, `_` and `-`; no two elements share a name",
);

pub(crate) const MODEL: Section = Section {
    what: "model",
    doc: "A model of the biela multibody workbench.",
    keys: &[
        must("format", Kind::Format, "version of the language: 1"),
        may("name", Kind::Text, "name of the model"),
        may("description", Kind::Text, "description of the model"),
        must(
            "space",
            Kind::Choice(SPACES),
            "planar: motion in the x-y plane; spatial: motion in space",
        ),
        may(
            "gravity",
            Kind::Vector("m/s^2"),
            "acceleration of gravity; default: zero",
        ),
        may(
            "spin",
            Kind::Quantity("rad/s"),
            "constant angular velocity of the ground frame about z through its origin: bodies at rest in it rotate steadily; default: 0",
        ),
        may(
            "include",
            Kind::Texts,
            "files whose elements are part of this model",
        ),
        may(
            "parameters",
            Kind::Map(&Kind::Quantity("")),
            "named numbers, quantities and formulas of other parameters",
        ),
        may(
            "table",
            Kind::Map(&Kind::One(&TABLE)),
            "tabulated functions, called as NAME(x)",
        ),
        may("ground", Kind::One(&GROUND), "the fixed ground"),
        may("body", Kind::Many(&BODY), "rigid bodies"),
        may("beam", Kind::Many(&BEAM), "flexible beams"),
        may("joint", Kind::Many(&JOINT), "joints between two bodies"),
        may(
            "chain",
            Kind::Many(&super::chain::CHAIN),
            "serial arms defined by Denavit-Hartenberg tables",
        ),
        may(
            "coupler",
            Kind::Many(&COUPLER),
            "linear relations between joint coordinates",
        ),
        may(
            "trajectory",
            Kind::Many(&TRAJECTORY),
            "reference motions of joints",
        ),
        may("driver", Kind::Many(&DRIVER), "prescribed motions"),
        may("force", Kind::Many(&FORCE), "forces and torques"),
        may("sensor", Kind::Many(&SENSOR), "formulas of signals"),
        may(
            "controller",
            Kind::ManyOf(&[&CONTROLLER, &super::law::LAW_CONTROLLER]),
            "sampled controllers with a zero-order hold: difference equations and control laws",
        ),
        may(
            "event",
            Kind::Many(&EVENT),
            "formulas whose zero crossings are located",
        ),
        may(
            "robot",
            Kind::One(&ROBOT),
            "robot definition: joints, tool, posture",
        ),
        may("study", Kind::One(&STUDY), "the analysis"),
        may("output", Kind::One(&OUTPUT), "the recorded signals"),
        may(
            "measure",
            Kind::Many(&super::studies::MEASURE),
            "scalar measures of a run",
        ),
        may(
            "sweep",
            Kind::One(&super::studies::SWEEP),
            "parameter sweep",
        ),
        may(
            "optimize",
            Kind::One(&super::studies::OPTIMIZE),
            "optimization of parameters",
        ),
        may(
            "fit",
            Kind::One(&super::studies::FIT),
            "fit of parameters to measurements",
        ),
    ],
    variants: None,
};

pub(crate) const SPACES: &[&str] = &["planar", "spatial"];
pub(crate) const INTERPOLATIONS: &[&str] = &["linear", "cubic"];
pub(crate) const EXTRAPOLATIONS: &[&str] = &["hold", "linear"];

pub(crate) const TABLE: Section = Section {
    what: "table",
    doc: "A tabulated function.",
    keys: &[
        must(
            "x",
            Kind::Quantities(""),
            "abscissae of the points, increasing",
        ),
        must("y", Kind::Quantities(""), "values at the points"),
        may("x_unit", Kind::Text, "unit of bare numbers in `x`"),
        may("y_unit", Kind::Text, "unit of bare numbers in `y`"),
        may(
            "interpolation",
            Kind::Choice(INTERPOLATIONS),
            "linear, or a natural cubic spline; default: linear",
        ),
        may(
            "outside",
            Kind::Choice(EXTRAPOLATIONS),
            "extrapolation beyond the ends: hold the end value, or linear with the end slope; default: hold",
        ),
    ],
    variants: None,
};

pub(super) const POINTS: Key = may(
    "points",
    Kind::Map(&Kind::Vector("m")),
    "named points, in the body frame",
);
pub(super) const FRAMES: Key = may(
    "frames",
    Kind::Map(&Kind::One(&FRAME)),
    "named frames: points with their own axes",
);

pub(crate) const GROUND: Section = Section {
    what: "ground",
    doc: "The fixed ground.",
    keys: &[
        POINTS,
        FRAMES,
        may("shapes", Kind::Many(&SHAPE), "shapes that show the ground"),
    ],
    variants: None,
};

pub(super) const MASS: Key = may(
    "mass",
    Kind::Quantity("kg"),
    "mass; zero is allowed if the bodies that are welded to it or carried by it provide the inertia of its motions",
);
pub(super) const INERTIA_KEY: Key = may(
    "inertia",
    Kind::Either(&[
        Kind::Quantity("kg*m^2"),
        Kind::Tuple(3, "kg*m^2"),
        Kind::Matrix("kg*m^2"),
        Kind::One(&INERTIA),
    ]),
    "moment of inertia about the mass centre: a number in the plane; three principal moments, a 3x3 matrix or its entries in space; 0 for a point mass",
);
pub(super) const UNPHYSICAL: Key = may(
    "unphysical",
    Kind::Flag,
    "accept a physically impossible inertia, with a warning",
);
pub(super) const COM: Key = may(
    "com",
    Kind::Vector("m"),
    "mass centre in the body frame; default: its origin",
);
pub(super) const DENSITY: Key = may(
    "density",
    Kind::Positive("kg/m^3"),
    "density of the shapes, instead of `mass` and `inertia`",
);
pub(super) const SHAPES: Key = may(
    "shapes",
    Kind::Many(&SHAPE),
    "shapes of the body, for mass properties and appearance",
);

pub(crate) const BODY: Section = Section {
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
            Kind::Vector("m"),
            "initial position of the body frame; default: determined by the joints",
        ),
        may("angle", Kind::Quantity("rad"), "initial angle (planar)"),
        may(
            "rotation",
            Kind::One(&ROTATION),
            "initial orientation (spatial)",
        ),
        may(
            "velocity",
            Kind::Vector("m/s"),
            "initial velocity of the origin of the body frame",
        ),
        may(
            "omega",
            Kind::Either(&[Kind::Quantity("rad/s"), Kind::Tuple(3, "rad/s")]),
            "initial angular velocity: a number in the plane, three components along the ground's axes in space",
        ),
        may("keep", Kind::Flag, "assembly must keep the initial pose"),
    ],
    variants: None,
};

pub(crate) const FRAME: Section = Section {
    what: "frame",
    doc: "A point with its own axes.",
    keys: &[
        may("at", Kind::Vector("m"), "origin; default: zero"),
        may("angle", Kind::Quantity("rad"), "angle of its axes (planar)"),
        may("rotation", Kind::One(&ROTATION), "its axes (spatial)"),
    ],
    variants: None,
};

pub(crate) const ROTATION: Section = Section {
    what: "rotation",
    doc: "An orientation, in one of these forms: axis and angle; dextral angles; Euler parameters; the directions of two axes.",
    keys: &[
        may(
            "axis",
            Kind::Direction,
            "axis of the rotation; with `angle`",
        ),
        may("angle", Kind::Quantity("rad"), "rotation about `axis`"),
        may(
            "dextral",
            Kind::Tuple(3, "rad"),
            "rotations about x, then the new y, then the new z (x-y-z Cardan angles)",
        ),
        may(
            "euler_parameters",
            Kind::Tuple(4, "1"),
            "Euler parameters (unit quaternion) e0, e1, e2, e3: cosine of half the angle, sine of half the angle times the axis",
        ),
        may(
            "x",
            Kind::Direction,
            "direction of the x axis; with that of another axis",
        ),
        may(
            "y",
            Kind::Direction,
            "direction of the y axis; with that of another axis",
        ),
        may(
            "z",
            Kind::Direction,
            "direction of the z axis; with that of another axis",
        ),
    ],
    variants: None,
};

pub(crate) const INERTIA: Section = Section {
    what: "inertia",
    doc: "Entries of the inertia matrix about the mass centre. Products are entries of the matrix: xy is minus the integral of x*y over the mass.",
    keys: &[
        must("xx", Kind::Quantity("kg*m^2"), "moment of inertia about x"),
        must("yy", Kind::Quantity("kg*m^2"), "moment of inertia about y"),
        must("zz", Kind::Quantity("kg*m^2"), "moment of inertia about z"),
        may(
            "xy",
            Kind::Quantity("kg*m^2"),
            "product of inertia; default: 0",
        ),
        may(
            "xz",
            Kind::Quantity("kg*m^2"),
            "product of inertia; default: 0",
        ),
        may(
            "yz",
            Kind::Quantity("kg*m^2"),
            "product of inertia; default: 0",
        ),
    ],
    variants: None,
};

pub(crate) const SHAPE: Section = Section {
    what: "shape",
    doc: "A solid, or a mesh for display. With a density, or the mass of the body, solids define the mass properties.",
    keys: &[
        must("type", Kind::Text, "kind of shape"),
        may("at", Kind::Vector("m"), "its origin in the body frame"),
        may("angle", Kind::Quantity("rad"), "rotation about z (planar)"),
        may(
            "rotation",
            Kind::One(&ROTATION),
            "orientation in the body frame",
        ),
    ],
    variants: Some(Variants::Shapes),
};

pub(crate) const COUPLER: Section = Section {
    what: "coupler",
    doc: "A linear relation between joint coordinates.",
    keys: &[NAME, must("type", Kind::Text, "kind of coupler")],
    variants: Some(Variants::Couplers),
};

/// Keyword, summary and keys of every coupler.
pub(crate) const COUPLERS: &[(&str, &str, &[Key])] = &[
    (
        "gear",
        "gear pair between two rotational coordinates: q1 - ratio q2 is constant, or z1 q1 + z2 q2 for numbers of teeth z1, z2 (minus for internal gears)",
        &[
            must(
                "joints",
                Kind::Coordinates,
                "the two rotational coordinates",
            ),
            may(
                "ratio",
                Kind::Quantity("1"),
                "gear ratio: turns of the first per turn of the second",
            ),
            may(
                "teeth",
                Kind::Tuple(2, "1"),
                "numbers of teeth, instead of `ratio`; external gears rotate in opposite directions",
            ),
            may(
                "internal",
                Kind::Flag,
                "internal gear: the gears of `teeth` rotate in the same direction",
            ),
        ],
    ),
    (
        "linear",
        "a linear combination of coordinates is constant",
        &[
            must("joints", Kind::Coordinates, "two or more coordinates"),
            must("factors", Kind::Quantities(""), "one for each coordinate"),
            may(
                "offset",
                Kind::Quantity(""),
                "value of the linear combination; default: its initial value",
            ),
        ],
    ),
    (
        "rack-and-pinion",
        "rack and pinion: s - r theta is constant",
        &[
            must("rack", Kind::Coordinate, "the displacement s of the rack"),
            must("pinion", Kind::Coordinate, "the angle theta of the pinion"),
            must(
                "radius",
                Kind::Quantity("m"),
                "radius r of the pinion; negative if the rack moves in the opposite direction",
            ),
        ],
    ),
];

pub(crate) const DRIVER: Section = Section {
    what: "driver",
    doc: "A prescribed motion: exactly one of `value`, `acceleration`, `table` and `trajectory`.",
    keys: &[
        NAME,
        must(
            "on",
            Kind::Coordinate,
            "driven quantity: joint, joint.coordinate, or a component of a point such as body.point.x",
        ),
        may(
            "value",
            Kind::Formula(""),
            "a formula of time; its velocity and acceleration are exact",
        ),
        may(
            "acceleration",
            Kind::One(&PROFILE),
            "a piecewise linear acceleration",
        ),
        may("table", Kind::Text, "name of a table of time"),
        may(
            "trajectory",
            Kind::Named("trajectory"),
            "name of a trajectory that moves the joint",
        ),
    ],
    variants: None,
};

pub(crate) const PROFILE: Section = Section {
    what: "acceleration",
    doc: "A piecewise linear acceleration, integrated exactly; constant beyond its ends.",
    keys: &[
        must("time", Kind::Quantities("s"), "times, increasing"),
        must("value", Kind::Quantities(""), "acceleration at the times"),
        may(
            "velocity",
            Kind::Quantity(""),
            "velocity at the first time; default: 0",
        ),
        may(
            "position",
            Kind::Quantity(""),
            "position at the first time; default: 0",
        ),
    ],
    variants: None,
};

pub(crate) const FORCE: Section = Section {
    what: "force",
    doc: "A force or torque.",
    keys: &[NAME, must("type", Kind::Text, "kind of force")],
    variants: Some(Variants::Infos(FORCES)),
};

pub(crate) const SENSOR: Section = Section {
    what: "sensor",
    doc: "A formula of signals, which is itself a signal.",
    keys: &[
        NAME,
        must(
            "value",
            Kind::Formula(""),
            "formula of time, signals and other sensors",
        ),
        may(
            "unit",
            Kind::Text,
            "SI unit of the value; default: derived from the formula",
        ),
    ],
    variants: None,
};

pub(crate) const CROSSINGS: &[&str] = &["rising", "falling", "any"];
pub(crate) const ACTIONS: &[&str] = &["stop", "mark"];

pub(crate) const EVENT: Section = Section {
    what: "event",
    doc: "A formula whose zero crossings are located.",
    keys: &[
        NAME,
        must(
            "when",
            Kind::Formula(""),
            "event function, whose zero crossings are located",
        ),
        may(
            "crossing",
            Kind::Choice(CROSSINGS),
            "direction of the crossings; default: any",
        ),
        may(
            "action",
            Kind::Choice(ACTIONS),
            "stop ends the run, mark records the time; default: mark",
        ),
    ],
    variants: None,
};

pub(crate) const ANALYSES: &[&str] = &["dynamics", "kinematics", "statics", "assemble"];
pub(crate) const STARTS: &[&str] = &["written", "equilibrium"];

pub(crate) const ROBOT: Section = Section {
    what: "robot",
    doc: "A robot: an open tree of links whose joints have one coordinate each.",
    keys: &[
        may(
            "joints",
            Kind::Texts,
            "joints of the robot, in the order of all lists with one value per joint; default: all joints with one coordinate",
        ),
        may("passive", Kind::Texts, "joints without actuation"),
        may("tool", Kind::Endpoint, "tool point or frame"),
        may(
            "posture",
            Kind::Quantities(""),
            "preferred pose, one value per joint; default: the middle of the limits",
        ),
    ],
    variants: None,
};

pub(crate) const STUDY: Section = Section {
    what: "study",
    doc: "The analysis.",
    keys: &[
        may(
            "analysis",
            Kind::Choice(ANALYSES),
            "dynamics: motion under forces; kinematics: motion of a fully driven mechanism; statics: equilibria at rest; assemble: only the initial configuration; default: dynamics",
        ),
        may(
            "start",
            Kind::Choice(STARTS),
            "initial state of dynamics: as written, or at the equilibrium found from the written state; default: written",
        ),
        may(
            "start_points",
            Kind::Count,
            "number of initial points of the statics search: the written state and random ones; default: 1",
        ),
        may(
            "load_steps",
            Kind::Count,
            "number of equal load steps in which statics applies gravity, forces and torques, with one row of results per step; default: a single step",
        ),
        may(
            "tolerance",
            Kind::Positive("1"),
            "relative tolerance of statics: unbalanced force divided by all forces, including internal ones; default: 1e-10",
        ),
        may(
            "duration",
            Kind::Positive("s"),
            "simulated time; required for dynamics and kinematics",
        ),
        may(
            "output_step",
            Kind::Positive("s"),
            "time between output rows; default: duration/500",
        ),
        may(
            "formulation",
            Kind::Choice(FORMULATIONS),
            "formulation: absolute or joint coordinates",
        ),
        may(
            "method",
            Kind::Chosen(Variants::Infos(METHODS)),
            "solution method",
        ),
        may(
            "integrator",
            Kind::Chosen(Variants::Infos(INTEGRATORS)),
            "integrator",
        ),
    ],
    variants: None,
};

/// A method or integrator with its own fields.
pub(crate) const CHOICE: Section = Section {
    what: "choice",
    doc: "A keyword with its fields.",
    keys: &[must("type", Kind::Text, "the keyword")],
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

pub(crate) const OUTPUT: Section = Section {
    what: "output",
    doc: "The recorded signals.",
    keys: &[
        may(
            "signals",
            Kind::Texts,
            "signals, or elements for all of their signals; default: the main signals of all elements",
        ),
        may(
            "plot",
            Kind::Panels,
            "panels of a plot, each a list of signals",
        ),
    ],
    variants: None,
};
