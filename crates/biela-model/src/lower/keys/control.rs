//! The sections of controllers and their keys.

use super::sections::{NAME, may, must};
use super::{Key, Kind, Section};

pub(crate) const CONTROLLER: Section = Section {
    what: "controller",
    doc: "A sampled controller: at every sample it reads its inputs, computes its outputs, which are held until the next sample, and then updates its states. Its formulas use its inputs and states (those of states also its outputs), parameters and time.",
    keys: &[
        NAME,
        must("period", Kind::Positive("s"), "sampling period"),
        may(
            "offset",
            Kind::Quantity("s"),
            "time of the first sample; default: 0",
        ),
        may(
            "delay",
            Kind::Quantity("s"),
            "time from a sample until its outputs take effect; default: 0",
        ),
        may(
            "inputs",
            Kind::Map(&Kind::Either(&[
                Kind::Formula(""),
                Kind::One(&CONTROLLER_INPUT),
            ])),
            "NAME = formula of signals and time, evaluated at every sample",
        ),
        may(
            "states",
            Kind::Map(&Kind::Either(&[
                Kind::Formula(""),
                Kind::One(&CONTROLLER_STATE),
            ])),
            "NAME = formula of its value at the next sample; the initial value is 0",
        ),
        must(
            "outputs",
            Kind::Map(&Kind::Either(&[
                Kind::Formula(""),
                Kind::One(&CONTROLLER_OUTPUT),
            ])),
            "NAME = formula; available as the signal CONTROLLER.NAME",
        ),
    ],
    variants: None,
};

const PORT_UNIT: Key = may(
    "unit",
    Kind::Text,
    "SI unit of the value; default: derived from the formula",
);
const QUANTUM: Key = may(
    "quantum",
    Kind::Positive(""),
    "quantization step: values are rounded to multiples of it",
);

pub(crate) const CONTROLLER_INPUT: Section = Section {
    what: "controller-input",
    doc: "An input of a controller.",
    keys: &[
        must("value", Kind::Formula(""), "formula of signals and time"),
        PORT_UNIT,
        QUANTUM,
    ],
    variants: None,
};

pub(crate) const CONTROLLER_STATE: Section = Section {
    what: "controller-state",
    doc: "A state of a controller.",
    keys: &[
        must(
            "next",
            Kind::Formula(""),
            "formula of its value at the next sample",
        ),
        PORT_UNIT,
        may(
            "initial",
            Kind::Quantity(""),
            "value at the first sample; default: 0",
        ),
    ],
    variants: None,
};

pub(crate) const CONTROLLER_OUTPUT: Section = Section {
    what: "controller-output",
    doc: "An output of a controller.",
    keys: &[
        must(
            "value",
            Kind::Formula(""),
            "formula of inputs, states and time",
        ),
        PORT_UNIT,
        QUANTUM,
        may(
            "saturation",
            Kind::Tuple(2, ""),
            "lower and upper limit of the value",
        ),
        may(
            "initial",
            Kind::Quantity(""),
            "value until the first sample takes effect; default: 0",
        ),
    ],
    variants: None,
};
