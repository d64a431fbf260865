//! The sections of controllers and their keys.

use super::sections::{NAME, may, must};
use super::{Key, Kind, Section};

pub(crate) const CONTROLLER: Section = Section {
    what: "controller",
    doc: "A sampled controller: at every sample it reads its inputs, gives outputs that are held until the next, and then advances its states. Its formulas read its inputs and states (those of states its outputs too), parameters and time.",
    keys: &[
        NAME,
        must("period", Kind::Positive("s"), "time between samples"),
        may(
            "offset",
            Kind::Quantity("s"),
            "time of the first sample; zero when left out",
        ),
        may(
            "delay",
            Kind::Quantity("s"),
            "time from a sample until its outputs take effect; none when left out",
        ),
        may(
            "inputs",
            Kind::Map(&Kind::Either(&[
                Kind::Formula(""),
                Kind::One(&CONTROLLER_INPUT),
            ])),
            "NAME = formula of signals and time, read at every sample",
        ),
        may(
            "states",
            Kind::Map(&Kind::Either(&[
                Kind::Formula(""),
                Kind::One(&CONTROLLER_STATE),
            ])),
            "NAME = formula of its value at the next sample; it begins at zero",
        ),
        must(
            "outputs",
            Kind::Map(&Kind::Either(&[
                Kind::Formula(""),
                Kind::One(&CONTROLLER_OUTPUT),
            ])),
            "NAME = formula; read elsewhere as CONTROLLER.NAME",
        ),
    ],
    variants: None,
};

const PORT_UNIT: Key = may(
    "unit",
    Kind::Text,
    "SI unit of the value; found from the formula when left out",
);
const QUANTUM: Key = may(
    "quantum",
    Kind::Positive(""),
    "values are rounded to whole multiples of it",
);

pub(crate) const CONTROLLER_INPUT: Section = Section {
    what: "controller-input",
    doc: "What a controller reads.",
    keys: &[
        must("value", Kind::Formula(""), "formula of signals and time"),
        PORT_UNIT,
        QUANTUM,
    ],
    variants: None,
};

pub(crate) const CONTROLLER_STATE: Section = Section {
    what: "controller-state",
    doc: "What a controller remembers from sample to sample.",
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
            "value at the first sample; zero when left out",
        ),
    ],
    variants: None,
};

pub(crate) const CONTROLLER_OUTPUT: Section = Section {
    what: "controller-output",
    doc: "What a controller gives.",
    keys: &[
        must(
            "value",
            Kind::Formula(""),
            "formula of inputs, states and time",
        ),
        PORT_UNIT,
        QUANTUM,
        may("saturation", Kind::Tuple(2, ""), "least and largest value"),
        may(
            "initial",
            Kind::Quantity(""),
            "value until the first sample takes effect; zero when left out",
        ),
    ],
    variants: None,
};
