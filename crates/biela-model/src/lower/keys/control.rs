//! The sections of controllers and their keys.

use super::sections::{NAME, may, must};
use super::{KeyKind, KeySpec, TableSpec};

pub(crate) const CONTROLLER: TableSpec = TableSpec {
    what: "controller",
    doc: "A sampled controller: at every sample it reads its inputs, computes its outputs, which are held until the next sample, and then updates its states. Its formulas use its inputs and states (those of states also its outputs), parameters and time.",
    keys: &[
        NAME,
        must("period", KeyKind::Positive("s"), "sampling period"),
        may(
            "offset",
            KeyKind::Quantity("s"),
            "time of the first sample; default: 0",
        ),
        may(
            "delay",
            KeyKind::Quantity("s"),
            "time from a sample until its outputs take effect; default: 0",
        ),
        may(
            "inputs",
            KeyKind::Map(&KeyKind::Either(&[
                KeyKind::Formula(""),
                KeyKind::One(&CONTROLLER_INPUT),
            ])),
            "NAME = formula of signals and time, evaluated at every sample",
        ),
        may(
            "states",
            KeyKind::Map(&KeyKind::Either(&[
                KeyKind::Formula(""),
                KeyKind::One(&CONTROLLER_STATE),
            ])),
            "NAME = formula of its value at the next sample; the initial value is 0",
        ),
        must(
            "outputs",
            KeyKind::Map(&KeyKind::Either(&[
                KeyKind::Formula(""),
                KeyKind::One(&CONTROLLER_OUTPUT),
            ])),
            "NAME = formula; available as the signal CONTROLLER.NAME",
        ),
    ],
    variants: None,
};

const PORT_UNIT: KeySpec = may(
    "unit",
    KeyKind::Text,
    "SI unit of the value; default: derived from the formula",
);
const QUANTUM: KeySpec = may(
    "quantum",
    KeyKind::Positive(""),
    "quantization step: values are rounded to multiples of it",
);

pub(crate) const CONTROLLER_INPUT: TableSpec = TableSpec {
    what: "controller-input",
    doc: "An input of a controller.",
    keys: &[
        must("value", KeyKind::Formula(""), "formula of signals and time"),
        PORT_UNIT,
        QUANTUM,
    ],
    variants: None,
};

pub(crate) const CONTROLLER_STATE: TableSpec = TableSpec {
    what: "controller-state",
    doc: "A state of a controller.",
    keys: &[
        must(
            "next",
            KeyKind::Formula(""),
            "formula of its value at the next sample",
        ),
        PORT_UNIT,
        may(
            "initial",
            KeyKind::Quantity(""),
            "value at the first sample; default: 0",
        ),
    ],
    variants: None,
};

pub(crate) const CONTROLLER_OUTPUT: TableSpec = TableSpec {
    what: "controller-output",
    doc: "An output of a controller.",
    keys: &[
        must(
            "value",
            KeyKind::Formula(""),
            "formula of inputs, states and time",
        ),
        PORT_UNIT,
        QUANTUM,
        may(
            "saturation",
            KeyKind::Tuple(2, ""),
            "lower and upper limit of the value",
        ),
        may(
            "initial",
            KeyKind::Quantity(""),
            "value until the first sample takes effect; default: 0",
        ),
    ],
    variants: None,
};
