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
        must("format", Kind::Format, "version of the language, 1"),
        may("name", Kind::Text, "what the model is called"),
        may("description", Kind::Text, "what the model is about"),
        must(
            "space",
            Kind::Choice(SPACES),
            "whether bodies move in the x-y plane or in space",
        ),
        may(
            "gravity",
            Kind::Vector("m/s^2"),
            "acceleration of gravity; none when left out",
        ),
        may(
            "spin",
            Kind::Quantity("rad/s"),
            "constant rate at which the ground frame turns about z through its origin: what rests in it rotates steadily; 0 when left out",
        ),
        may(
            "include",
            Kind::Texts,
            "files whose elements belong to this model",
        ),
        may(
            "parameters",
            Kind::Map(&Kind::Quantity("")),
            "names for numbers, quantities and formulas of other parameters",
        ),
        may(
            "table",
            Kind::Map(&Kind::One(&TABLE)),
            "functions given by points, called like a function: NAME(x)",
        ),
        may("ground", Kind::One(&GROUND), "what is fixed"),
        may("body", Kind::Many(&BODY), "rigid bodies"),
        may("beam", Kind::Many(&BEAM), "flexible beams"),
        may(
            "joint",
            Kind::Many(&JOINT),
            "what holds two bodies together",
        ),
        may(
            "chain",
            Kind::Many(&super::chain::CHAIN),
            "serial arms by tables of Denavit and Hartenberg",
        ),
        may(
            "coupler",
            Kind::Many(&COUPLER),
            "relations between joint coordinates",
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
            "difference equations and control laws that are sampled, their outputs held",
        ),
        may(
            "event",
            Kind::Many(&EVENT),
            "formulas whose zero crossings are located",
        ),
        may(
            "robot",
            Kind::One(&ROBOT),
            "how the model is moved as a robot",
        ),
        may("study", Kind::One(&STUDY), "what is to be computed"),
        may("output", Kind::One(&OUTPUT), "what is to be kept"),
        may(
            "measure",
            Kind::Many(&super::studies::MEASURE),
            "numbers of a whole run",
        ),
        may(
            "sweep",
            Kind::One(&super::studies::SWEEP),
            "runs with other values of parameters",
        ),
        may(
            "optimize",
            Kind::One(&super::studies::OPTIMIZE),
            "values of parameters that make something least or greatest",
        ),
        may(
            "fit",
            Kind::One(&super::studies::FIT),
            "values of parameters with which the run follows measurements",
        ),
    ],
    variants: None,
};

pub(crate) const SPACES: &[&str] = &["planar", "spatial"];
pub(crate) const INTERPOLATIONS: &[&str] = &["linear", "cubic"];
pub(crate) const EXTRAPOLATIONS: &[&str] = &["hold", "linear"];

pub(crate) const TABLE: Section = Section {
    what: "table",
    doc: "A function given by points.",
    keys: &[
        must(
            "x",
            Kind::Quantities(""),
            "where the points are, increasing",
        ),
        must("y", Kind::Quantities(""), "values at the points"),
        may("x_unit", Kind::Text, "unit of bare numbers in `x`"),
        may("y_unit", Kind::Text, "unit of bare numbers in `y`"),
        may(
            "interpolation",
            Kind::Choice(INTERPOLATIONS),
            "straight lines, or a natural cubic spline; linear when left out",
        ),
        may(
            "outside",
            Kind::Choice(EXTRAPOLATIONS),
            "whether the end value or the end slope holds beyond the ends; hold when left out",
        ),
    ],
    variants: None,
};

pub(super) const POINTS: Key = may(
    "points",
    Kind::Map(&Kind::Vector("m")),
    "named points, in the frame of the body",
);
pub(super) const FRAMES: Key = may(
    "frames",
    Kind::Map(&Kind::One(&FRAME)),
    "named points with axes of their own",
);

pub(crate) const GROUND: Section = Section {
    what: "ground",
    doc: "What is fixed.",
    keys: &[
        POINTS,
        FRAMES,
        may("shapes", Kind::Many(&SHAPE), "what the ground looks like"),
    ],
    variants: None,
};

pub(super) const MASS: Key = may(
    "mass",
    Kind::Quantity("kg"),
    "mass; zero where what the body is welded to or carries resists its motions",
);
pub(super) const INERTIA_KEY: Key = may(
    "inertia",
    Kind::Either(&[
        Kind::Quantity("kg*m^2"),
        Kind::Tuple(3, "kg*m^2"),
        Kind::Matrix("kg*m^2"),
        Kind::One(&INERTIA),
    ]),
    "moment of inertia about the mass centre: a number in the plane; three principal moments, a 3x3 matrix or its entries in space; 0 for a point of mass",
);
pub(super) const UNPHYSICAL: Key = may(
    "unphysical",
    Kind::Flag,
    "whether an inertia that no body has is taken all the same, with a warning",
);
pub(super) const COM: Key = may(
    "com",
    Kind::Vector("m"),
    "mass centre in the body frame; its origin when left out",
);
pub(super) const DENSITY: Key = may(
    "density",
    Kind::Positive("kg/m^3"),
    "density of the shapes, instead of mass and inertia",
);
pub(super) const SHAPES: Key = may("shapes", Kind::Many(&SHAPE), "what the body looks like");

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
            "where the body frame starts; left to the joints when absent",
        ),
        may("angle", Kind::Quantity("rad"), "starting angle (planar)"),
        may(
            "rotation",
            Kind::One(&ROTATION),
            "starting orientation (spatial)",
        ),
        may(
            "velocity",
            Kind::Vector("m/s"),
            "starting velocity of the origin of the body frame",
        ),
        may(
            "omega",
            Kind::Either(&[Kind::Quantity("rad/s"), Kind::Tuple(3, "rad/s")]),
            "starting angular velocity: a number in the plane, three along the ground's axes in space",
        ),
        may(
            "keep",
            Kind::Flag,
            "whether assembly must keep the starting pose",
        ),
    ],
    variants: None,
};

pub(crate) const FRAME: Section = Section {
    what: "frame",
    doc: "A point with axes of its own.",
    keys: &[
        may("at", Kind::Vector("m"), "origin; zero when left out"),
        may("angle", Kind::Quantity("rad"), "angle of its axes (planar)"),
        may("rotation", Kind::One(&ROTATION), "its axes (spatial)"),
    ],
    variants: None,
};

pub(crate) const ROTATION: Section = Section {
    what: "rotation",
    doc: "An orientation, in one of these forms: axis and angle; dextral angles; Euler parameters; the directions of two axes.",
    keys: &[
        may("axis", Kind::Direction, "axis of the turn; with `angle`"),
        may("angle", Kind::Quantity("rad"), "turn about `axis`"),
        may(
            "dextral",
            Kind::Tuple(3, "rad"),
            "turns about x, then the new y, then the new z",
        ),
        may(
            "euler_parameters",
            Kind::Tuple(4, "1"),
            "e0, e1, e2, e3: cosine of half the turn, sine times the axis",
        ),
        may(
            "x",
            Kind::Direction,
            "direction of the x axis; with another one",
        ),
        may(
            "y",
            Kind::Direction,
            "direction of the y axis; with another one",
        ),
        may(
            "z",
            Kind::Direction,
            "direction of the z axis; with another one",
        ),
    ],
    variants: None,
};

pub(crate) const INERTIA: Section = Section {
    what: "inertia",
    doc: "Entries of the inertia matrix about the mass centre. Products are entries of the matrix: xy is minus the integral of x*y over the mass.",
    keys: &[
        must("xx", Kind::Quantity("kg*m^2"), "about x"),
        must("yy", Kind::Quantity("kg*m^2"), "about y"),
        must("zz", Kind::Quantity("kg*m^2"), "about z"),
        may("xy", Kind::Quantity("kg*m^2"), "zero when left out"),
        may("xz", Kind::Quantity("kg*m^2"), "zero when left out"),
        may("yz", Kind::Quantity("kg*m^2"), "zero when left out"),
    ],
    variants: None,
};

pub(crate) const SHAPE: Section = Section {
    what: "shape",
    doc: "A solid, or a mesh for display. With a density, or the mass of the body, solids give the mass properties.",
    keys: &[
        must("type", Kind::Text, "kind of shape"),
        may("at", Kind::Vector("m"), "its origin in the body frame"),
        may("angle", Kind::Quantity("rad"), "turn about z (planar)"),
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
        "two turning joints geared together: q1 - ratio q2 stays the same, or z1 q1 + z2 q2 for teeth z1, z2 (minus for internal teeth)",
        &[
            must("joints", Kind::Coordinates, "the two angles"),
            may(
                "ratio",
                Kind::Quantity("1"),
                "turns of the first for one of the second",
            ),
            may(
                "teeth",
                Kind::Tuple(2, "1"),
                "numbers of teeth, instead of `ratio`; external gears turn opposite",
            ),
            may(
                "internal",
                Kind::Flag,
                "the gears of `teeth` turn the same way",
            ),
        ],
    ),
    (
        "linear",
        "a sum of coordinates times factors stays the same",
        &[
            must("joints", Kind::Coordinates, "two coordinates or more"),
            must("factors", Kind::Quantities(""), "one for each coordinate"),
            may(
                "offset",
                Kind::Quantity(""),
                "what the sum is; its value at the start when left out",
            ),
        ],
    ),
    (
        "rack-and-pinion",
        "a rack that a pinion moves: s - r theta stays the same",
        &[
            must("rack", Kind::Coordinate, "a length, s"),
            must("pinion", Kind::Coordinate, "an angle, theta"),
            must(
                "radius",
                Kind::Quantity("m"),
                "radius r of the pinion; negative when the rack runs back",
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
            "what moves: joint, joint.coordinate, or a component of a point as body.point.x",
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
    doc: "A piecewise linear acceleration, integrated exactly; its ends hold.",
    keys: &[
        must("time", Kind::Quantities("s"), "times, increasing"),
        must("value", Kind::Quantities(""), "acceleration at the times"),
        may(
            "velocity",
            Kind::Quantity(""),
            "velocity at the first time; zero when left out",
        ),
        may(
            "position",
            Kind::Quantity(""),
            "position at the first time; zero when left out",
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
    doc: "A formula of signals, kept as a signal of its own.",
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
            "SI unit of the value; found from the formula when left out",
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
        must("when", Kind::Formula(""), "the formula that crosses zero"),
        may(
            "crossing",
            Kind::Choice(CROSSINGS),
            "which crossings count; any when left out",
        ),
        may(
            "action",
            Kind::Choice(ACTIONS),
            "whether the run ends there or the time is noted; mark when left out",
        ),
    ],
    variants: None,
};

pub(crate) const ANALYSES: &[&str] = &["dynamics", "kinematics", "statics", "assemble"];
pub(crate) const STARTS: &[&str] = &["written", "equilibrium"];

pub(crate) const ROBOT: Section = Section {
    what: "robot",
    doc: "How the model is moved as a robot: an open tree of links whose joints have one coordinate each.",
    keys: &[
        may(
            "joints",
            Kind::Texts,
            "the joints that move it, in the order of all lists with one value a joint; all joints with one coordinate when left out",
        ),
        may(
            "passive",
            Kind::Texts,
            "those of its joints that nothing drives",
        ),
        may(
            "tool",
            Kind::Endpoint,
            "the point or frame that tasks are about",
        ),
        may(
            "posture",
            Kind::Quantities(""),
            "the pose it prefers, one value a joint; the middle of the limits when left out",
        ),
    ],
    variants: None,
};

pub(crate) const STUDY: Section = Section {
    what: "study",
    doc: "What is to be computed.",
    keys: &[
        may(
            "analysis",
            Kind::Choice(ANALYSES),
            "motion under forces, motion of a fully driven mechanism, equilibria at rest, or the assembled start alone; dynamics when left out",
        ),
        may(
            "start",
            Kind::Choice(STARTS),
            "where dynamics starts: as written, or at the equilibrium that the written start leads to; written when left out",
        ),
        may(
            "start_points",
            Kind::Count,
            "points from which statics searches, the written start and random ones; 1 when left out",
        ),
        may(
            "load_steps",
            Kind::Count,
            "equal steps in which statics brings on weight, forces and torques, with a row of results a step; all at once when left out",
        ),
        may(
            "tolerance",
            Kind::Positive("1"),
            "share of all forces, internal ones included, that statics may leave unbalanced; 1e-10 when left out",
        ),
        may(
            "duration",
            Kind::Positive("s"),
            "simulated time; needed for motion",
        ),
        may(
            "output_step",
            Kind::Positive("s"),
            "time between output rows; a 500th of the duration when left out",
        ),
        may(
            "formulation",
            Kind::Choice(FORMULATIONS),
            "coordinates the model is solved in",
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
    doc: "A word with its fields.",
    keys: &[must("type", Kind::Text, "the word")],
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
    doc: "What is to be kept.",
    keys: &[
        may(
            "signals",
            Kind::Texts,
            "signals, or elements for all of theirs; a useful set when left out",
        ),
        may(
            "plot",
            Kind::Panels,
            "panels of a plot, each a list of signals",
        ),
    ],
    variants: None,
};
