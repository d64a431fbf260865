//! The sections of controllers that follow a control law, and their keys.

use super::sections::{NAME, may, must};
use super::{Kind, Section, Variants};

pub(crate) const LAW_CONTROLLER: Section = Section {
    what: "law-controller",
    doc: "A control law of a robot, sampled: it makes joints follow a reference motion. CONTROLLER.JOINT is the effort it asks for; a motor on the joint that is asked for nothing else delivers it, or a force that reads it; otherwise the joint gets an actuator.",
    keys: &[
        NAME,
        must("law", Kind::Text, "the control law"),
        must("period", Kind::Positive("s"), "time between samples"),
        may(
            "offset",
            Kind::Quantity("s"),
            "time of the first sample; zero when left out",
        ),
        may(
            "delay",
            Kind::Quantity("s"),
            "time from a sample until its efforts take effect; none when left out",
        ),
        may(
            "trajectory",
            Kind::Text,
            "the trajectory to be followed; rest at `reference` when left out",
        ),
        may(
            "reference",
            Kind::OneOrMore(""),
            "where joints are to rest that the trajectory does not move: one value for all, or one a joint of the robot; zero when left out",
        ),
        may(
            "joints",
            Kind::Texts,
            "the joints that it drives, in the order of lists of gains; all joints of the robot that are not passive when left out",
        ),
        may(
            "model",
            Kind::One(&LAW_MODEL),
            "the model that it computes with; this one when left out",
        ),
        may(
            "rate",
            Kind::Choice(RATES),
            "whether rates are measured, or differences of measured positions; measured when left out",
        ),
        may(
            "noise",
            Kind::One(&LAW_NOISE),
            "noise of what is measured; none when left out",
        ),
        may(
            "quantum",
            Kind::One(&LAW_QUANTUM),
            "steps of what is measured and of efforts; none when left out",
        ),
        may(
            "saturation",
            Kind::Either(&[Kind::OneOrMore(""), Kind::Choice(UNLIMITED)]),
            "largest effort either way, for all driven joints or one each, or \"none\"; the effort limits of the joints when left out",
        ),
    ],
    variants: Some(Variants::Laws),
};

/// The ways to obtain joint velocities.
pub(crate) const RATES: &[&str] = &["measured", "difference"];
/// The keyword for efforts without a limit.
pub(crate) const UNLIMITED: &[&str] = &["none"];

pub(crate) const LAW_MODEL: Section = Section {
    what: "law-model",
    doc: "The model that a control law computes with: another file, or this file with other parameters. Only its bodies, joints, rotors, gravity and robot count.",
    keys: &[
        may(
            "file",
            Kind::Text,
            "a model file beside this one, with as many joints",
        ),
        may(
            "set",
            Kind::Map(&Kind::Quantity("")),
            "NAME = value: parameters that are different in it",
        ),
    ],
    variants: None,
};

pub(crate) const LAW_NOISE: Section = Section {
    what: "law-noise",
    doc: "Normal noise of what a control law measures; a run with the same seed is the same run.",
    keys: &[
        may(
            "position",
            Kind::OneOrMore(""),
            "standard deviation of positions, for all joints of the robot or one each",
        ),
        may(
            "rate",
            Kind::OneOrMore(""),
            "standard deviation of rates, for all joints of the robot or one each",
        ),
        may("seed", Kind::Count, "which noise it is; 1 when left out"),
    ],
    variants: None,
};

pub(crate) const LAW_QUANTUM: Section = Section {
    what: "law-quantum",
    doc: "Steps that values of a control law are rounded to.",
    keys: &[
        may(
            "position",
            Kind::OneOrMore(""),
            "step of measured positions, for all joints of the robot or one each",
        ),
        may(
            "rate",
            Kind::OneOrMore(""),
            "step of measured rates, for all joints of the robot or one each",
        ),
        may(
            "effort",
            Kind::OneOrMore(""),
            "step of efforts, for all driven joints or one each",
        ),
    ],
    variants: None,
};
