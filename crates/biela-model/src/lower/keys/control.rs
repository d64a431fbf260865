//! The sections of controllers and their keys.

use super::sections::{NAME, may};
use super::{Field, FieldKind, Info};

pub(crate) const CONTROLLER: Info = Info::table(
    "controller",
    "A sampled controller: at every sample it reads its inputs, computes its outputs, which are held until the next sample, and then updates its states. Its formulas use its inputs and states (those of states also its outputs), parameters and time.",
    &[
        NAME,
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
            "time from a sample until its outputs take effect; default: 0",
        ),
        may(
            "inputs",
            FieldKind::Map(&FieldKind::Either(&[
                FieldKind::Law { unit: "" },
                FieldKind::Table(&CONTROLLER_INPUT),
            ])),
            "NAME = formula of signals and time, evaluated at every sample",
        ),
        may(
            "states",
            FieldKind::Map(&FieldKind::Either(&[
                FieldKind::Law { unit: "" },
                FieldKind::Table(&CONTROLLER_STATE),
            ])),
            "NAME = formula of its value at the next sample; the initial value is 0",
        ),
        Field::required(
            "outputs",
            FieldKind::Map(&FieldKind::Either(&[
                FieldKind::Law { unit: "" },
                FieldKind::Table(&CONTROLLER_OUTPUT),
            ])),
            "NAME = formula; available as the signal CONTROLLER.NAME",
        ),
    ],
);

const PORT_UNIT: Field = may(
    "unit",
    FieldKind::Text,
    "SI unit of the value; default: derived from the formula",
);
const QUANTUM: Field = may(
    "quantum",
    FieldKind::Positive { unit: "" },
    "quantization step: values are rounded to multiples of it",
);

pub(crate) const CONTROLLER_INPUT: Info = Info::table(
    "controller-input",
    "An input of a controller.",
    &[
        Field::required(
            "value",
            FieldKind::Law { unit: "" },
            "formula of signals and time",
        ),
        PORT_UNIT,
        QUANTUM,
    ],
);

pub(crate) const CONTROLLER_STATE: Info = Info::table(
    "controller-state",
    "A state of a controller.",
    &[
        Field::required(
            "next",
            FieldKind::Law { unit: "" },
            "formula of its value at the next sample",
        ),
        PORT_UNIT,
        may(
            "initial",
            FieldKind::Number { unit: "" },
            "value at the first sample; default: 0",
        ),
    ],
);

pub(crate) const CONTROLLER_OUTPUT: Info = Info::table(
    "controller-output",
    "An output of a controller.",
    &[
        Field::required(
            "value",
            FieldKind::Law { unit: "" },
            "formula of inputs, states and time",
        ),
        PORT_UNIT,
        QUANTUM,
        may(
            "saturation",
            FieldKind::Tuple { count: 2, unit: "" },
            "lower and upper limit of the value",
        ),
        may(
            "initial",
            FieldKind::Number { unit: "" },
            "value until the first sample takes effect; default: 0",
        ),
    ],
);
