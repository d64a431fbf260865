//! The sections of controllers that follow a control law, and their keys.

use biela_core::control::laws::LAWS;

use super::sections::{NAME, may};
use super::{Field, FieldKind, Info};

pub(crate) const LAW_CONTROLLER: Info = Info::table(
    "law-controller",
    "A sampled control law of a robot: it makes joints follow a reference motion. CONTROLLER.JOINT is the commanded effort (torque or force). A motor on the joint without another command delivers it, or a force that reads it; otherwise an actuator is added to the joint.",
    &[
        NAME,
        Field::required("law", FieldKind::Type(LAWS), "the control law"),
        Field::required(
            "period",
            FieldKind::Positive { unit: "s" },
            "sampling period",
        ),
        may(
            "offset",
            FieldKind::Number { unit: "s" },
            "time of the first sample; default: 0",
        ),
        may(
            "delay",
            FieldKind::Number { unit: "s" },
            "time from a sample until its efforts take effect; default: 0",
        ),
        may(
            "trajectory",
            FieldKind::Text,
            "the reference trajectory; default: rest at `reference`",
        ),
        may(
            "reference",
            FieldKind::Numbers { unit: "" },
            "reference positions of joints that the trajectory does not move: one value for all, or one per joint of the robot; default: 0",
        ),
        may(
            "joints",
            FieldKind::Texts,
            "the driven joints, in the order of lists of gains; default: all joints of the robot that are not passive",
        ),
        may(
            "model",
            FieldKind::Table(&LAW_MODEL),
            "the design model used by the law; default: this model",
        ),
        may(
            "rate",
            FieldKind::Choice(RATES),
            "joint velocities: measured, or finite differences of measured positions; default: measured",
        ),
        may(
            "noise",
            FieldKind::Table(&LAW_NOISE),
            "measurement noise; default: none",
        ),
        may(
            "quantum",
            FieldKind::Table(&LAW_QUANTUM),
            "quantization of measurements and of efforts; default: none",
        ),
        may(
            "saturation",
            FieldKind::Either(&[
                FieldKind::Numbers { unit: "" },
                FieldKind::Choice(UNLIMITED),
            ]),
            "largest effort in both directions, one for all driven joints or one per joint, or \"none\"; default: the effort limits of the joints",
        ),
    ],
);

/// The ways to obtain joint velocities.
pub(crate) const RATES: &[&str] = &["measured", "difference"];
/// The keyword for efforts without a limit.
pub(crate) const UNLIMITED: &[&str] = &["none"];

pub(crate) const LAW_MODEL: Info = Info::table(
    "law-model",
    "The design model of a control law: another file, or this file with other parameters. Only its bodies, joints, rotors, gravity and robot are used.",
    &[
        may(
            "file",
            FieldKind::Text,
            "a model file in the same folder, with the same number of joints",
        ),
        may(
            "set",
            FieldKind::Map(&FieldKind::Number { unit: "" }),
            "NAME = value: overridden parameters",
        ),
    ],
);

pub(crate) const LAW_NOISE: Info = Info::table(
    "law-noise",
    "Gaussian noise of the measurements of a control law; runs with the same seed are identical.",
    &[
        may(
            "position",
            FieldKind::Numbers { unit: "" },
            "standard deviation of positions, one for all joints of the robot or one per joint",
        ),
        may(
            "rate",
            FieldKind::Numbers { unit: "" },
            "standard deviation of joint velocities, one for all joints of the robot or one per joint",
        ),
        may(
            "seed",
            FieldKind::Count,
            "seed of the random numbers; default: 1",
        ),
    ],
);

pub(crate) const LAW_QUANTUM: Info = Info::table(
    "law-quantum",
    "Quantization steps of the values of a control law.",
    &[
        may(
            "position",
            FieldKind::Numbers { unit: "" },
            "step of measured positions, one for all joints of the robot or one per joint",
        ),
        may(
            "rate",
            FieldKind::Numbers { unit: "" },
            "step of measured joint velocities, one for all joints of the robot or one per joint",
        ),
        may(
            "effort",
            FieldKind::Numbers { unit: "" },
            "step of efforts, one for all driven joints or one per joint",
        ),
    ],
);
