//! The sections of controllers that follow a control law, and their keys.

use super::sections::{NAME, may, must};
use super::{KeyKind, TableSpec, Variants};

pub(crate) const LAW_CONTROLLER: TableSpec = TableSpec {
    what: "law-controller",
    doc: "A sampled control law of a robot: it makes joints follow a reference motion. CONTROLLER.JOINT is the commanded effort (torque or force). A motor on the joint without another command delivers it, or a force that reads it; otherwise an actuator is added to the joint.",
    keys: &[
        NAME,
        must("law", KeyKind::Text, "the control law"),
        must("period", KeyKind::Positive("s"), "sampling period"),
        may(
            "offset",
            KeyKind::Quantity("s"),
            "time of the first sample; default: 0",
        ),
        may(
            "delay",
            KeyKind::Quantity("s"),
            "time from a sample until its efforts take effect; default: 0",
        ),
        may(
            "trajectory",
            KeyKind::Text,
            "the reference trajectory; default: rest at `reference`",
        ),
        may(
            "reference",
            KeyKind::OneOrMore(""),
            "reference positions of joints that the trajectory does not move: one value for all, or one per joint of the robot; default: 0",
        ),
        may(
            "joints",
            KeyKind::Texts,
            "the driven joints, in the order of lists of gains; default: all joints of the robot that are not passive",
        ),
        may(
            "model",
            KeyKind::One(&LAW_MODEL),
            "the design model used by the law; default: this model",
        ),
        may(
            "rate",
            KeyKind::Choice(RATES),
            "joint velocities: measured, or finite differences of measured positions; default: measured",
        ),
        may(
            "noise",
            KeyKind::One(&LAW_NOISE),
            "measurement noise; default: none",
        ),
        may(
            "quantum",
            KeyKind::One(&LAW_QUANTUM),
            "quantization of measurements and of efforts; default: none",
        ),
        may(
            "saturation",
            KeyKind::Either(&[KeyKind::OneOrMore(""), KeyKind::Choice(UNLIMITED)]),
            "largest effort in both directions, one for all driven joints or one per joint, or \"none\"; default: the effort limits of the joints",
        ),
    ],
    variants: Some(Variants::Laws),
};

/// The ways to obtain joint velocities.
pub(crate) const RATES: &[&str] = &["measured", "difference"];
/// The keyword for efforts without a limit.
pub(crate) const UNLIMITED: &[&str] = &["none"];

pub(crate) const LAW_MODEL: TableSpec = TableSpec {
    what: "law-model",
    doc: "The design model of a control law: another file, or this file with other parameters. Only its bodies, joints, rotors, gravity and robot are used.",
    keys: &[
        may(
            "file",
            KeyKind::Text,
            "a model file in the same folder, with the same number of joints",
        ),
        may(
            "set",
            KeyKind::Map(&KeyKind::Quantity("")),
            "NAME = value: overridden parameters",
        ),
    ],
    variants: None,
};

pub(crate) const LAW_NOISE: TableSpec = TableSpec {
    what: "law-noise",
    doc: "Gaussian noise of the measurements of a control law; runs with the same seed are identical.",
    keys: &[
        may(
            "position",
            KeyKind::OneOrMore(""),
            "standard deviation of positions, one for all joints of the robot or one per joint",
        ),
        may(
            "rate",
            KeyKind::OneOrMore(""),
            "standard deviation of joint velocities, one for all joints of the robot or one per joint",
        ),
        may(
            "seed",
            KeyKind::Count,
            "seed of the random numbers; default: 1",
        ),
    ],
    variants: None,
};

pub(crate) const LAW_QUANTUM: TableSpec = TableSpec {
    what: "law-quantum",
    doc: "Quantization steps of the values of a control law.",
    keys: &[
        may(
            "position",
            KeyKind::OneOrMore(""),
            "step of measured positions, one for all joints of the robot or one per joint",
        ),
        may(
            "rate",
            KeyKind::OneOrMore(""),
            "step of measured joint velocities, one for all joints of the robot or one per joint",
        ),
        may(
            "effort",
            KeyKind::OneOrMore(""),
            "step of efforts, one for all driven joints or one per joint",
        ),
    ],
    variants: None,
};
