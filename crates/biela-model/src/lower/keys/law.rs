//! The sections of controllers that follow a control law, and their keys.

use super::sections::{NAME, may, must};
use super::{Kind, Section, Variants};

pub(crate) const LAW_CONTROLLER: Section = Section {
    what: "law-controller",
    doc: "A sampled control law of a robot: it makes joints follow a reference motion. CONTROLLER.JOINT is the commanded effort (torque or force). A motor on the joint without another command delivers it, or a force that reads it; otherwise an actuator is added to the joint.",
    keys: &[
        NAME,
        must("law", Kind::Text, "the control law"),
        must("period", Kind::Positive("s"), "sampling period"),
        may(
            "offset",
            Kind::Quantity("s"),
            "time of the first sample; default: 0",
        ),
        may(
            "delay",
            Kind::Quantity("s"),
            "time from a sample until its efforts take effect; default: 0",
        ),
        may(
            "trajectory",
            Kind::Text,
            "the reference trajectory; default: rest at `reference`",
        ),
        may(
            "reference",
            Kind::OneOrMore(""),
            "reference positions of joints that the trajectory does not move: one value for all, or one per joint of the robot; default: 0",
        ),
        may(
            "joints",
            Kind::Texts,
            "the driven joints, in the order of lists of gains; default: all joints of the robot that are not passive",
        ),
        may(
            "model",
            Kind::One(&LAW_MODEL),
            "the design model used by the law; default: this model",
        ),
        may(
            "rate",
            Kind::Choice(RATES),
            "joint velocities: measured, or finite differences of measured positions; default: measured",
        ),
        may(
            "noise",
            Kind::One(&LAW_NOISE),
            "measurement noise; default: none",
        ),
        may(
            "quantum",
            Kind::One(&LAW_QUANTUM),
            "quantization of measurements and of efforts; default: none",
        ),
        may(
            "saturation",
            Kind::Either(&[Kind::OneOrMore(""), Kind::Choice(UNLIMITED)]),
            "largest effort in both directions, one for all driven joints or one per joint, or \"none\"; default: the effort limits of the joints",
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
    doc: "The design model of a control law: another file, or this file with other parameters. Only its bodies, joints, rotors, gravity and robot are used.",
    keys: &[
        may(
            "file",
            Kind::Text,
            "a model file in the same folder, with the same number of joints",
        ),
        may(
            "set",
            Kind::Map(&Kind::Quantity("")),
            "NAME = value: overridden parameters",
        ),
    ],
    variants: None,
};

pub(crate) const LAW_NOISE: Section = Section {
    what: "law-noise",
    doc: "Gaussian noise of the measurements of a control law; runs with the same seed are identical.",
    keys: &[
        may(
            "position",
            Kind::OneOrMore(""),
            "standard deviation of positions, one for all joints of the robot or one per joint",
        ),
        may(
            "rate",
            Kind::OneOrMore(""),
            "standard deviation of joint velocities, one for all joints of the robot or one per joint",
        ),
        may(
            "seed",
            Kind::Count,
            "seed of the random numbers; default: 1",
        ),
    ],
    variants: None,
};

pub(crate) const LAW_QUANTUM: Section = Section {
    what: "law-quantum",
    doc: "Quantization steps of the values of a control law.",
    keys: &[
        may(
            "position",
            Kind::OneOrMore(""),
            "step of measured positions, one for all joints of the robot or one per joint",
        ),
        may(
            "rate",
            Kind::OneOrMore(""),
            "step of measured joint velocities, one for all joints of the robot or one per joint",
        ),
        may(
            "effort",
            Kind::OneOrMore(""),
            "step of efforts, one for all driven joints or one per joint",
        ),
    ],
    variants: None,
};
