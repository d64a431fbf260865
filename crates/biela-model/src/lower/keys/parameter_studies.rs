//! The sections of studies with many runs, and their keys.

use super::sections::{NAME, may};
use super::{Field, FieldKind, Info};

pub(crate) const TAKES: &[&str] = &[
    "final",
    "initial",
    "at",
    "min",
    "max",
    "range",
    "mean",
    "rms",
    "integral",
    "time-of-min",
    "time-of-max",
];

pub(crate) const MEASURE: Info = Info::table(
    "measure",
    "A scalar measure of a run: a statistic of a signal over time, the time of an event, or a formula of other measures.",
    &[
        NAME,
        may(
            "of",
            FieldKind::Law { unit: "" },
            "formula of time and signals to which `take` applies",
        ),
        may(
            "take",
            FieldKind::Choice(TAKES),
            "statistic over the output times; default: final",
        ),
        may(
            "at",
            FieldKind::Number { unit: "s" },
            "the time for take = \"at\"",
        ),
        may(
            "from",
            FieldKind::Number { unit: "s" },
            "start of the time window; default: the start of the run",
        ),
        may(
            "to",
            FieldKind::Number { unit: "s" },
            "end of the time window; default: the end of the run",
        ),
        may("event", FieldKind::Text, "the event whose time is measured"),
        may(
            "which",
            FieldKind::Count,
            "occurrence of the event, counted from 1; default: 1",
        ),
        may(
            "value",
            FieldKind::Law { unit: "" },
            "formula of other measures and parameters",
        ),
        may(
            "unit",
            FieldKind::Text,
            "SI unit of the measure; default: derived from the formula",
        ),
    ],
);

pub(crate) const PLANS: &[&str] = &["grid", "list", "random", "latin", "sobol"];

pub(crate) const SWEEP: Info = Info::table(
    "sweep",
    "A parameter sweep: runs with different parameter values.",
    &[
        Field::required(
            "plan",
            FieldKind::Choice(PLANS),
            "grid: all combinations; list: values side by side; random, latin, sobol: points sampled from distributions, by Monte Carlo, as a Latin hypercube, by the Sobol sequence",
        ),
        may(
            "vary",
            FieldKind::Map(&FieldKind::Table(&VARY)),
            "the parameters and their values",
        ),
        may(
            "points",
            FieldKind::Count,
            "number of sampled points; default: 100",
        ),
        may(
            "seed",
            FieldKind::Count,
            "seed of the random numbers; default: 1",
        ),
        may(
            "file",
            FieldKind::Text,
            "CSV file with the points of a list: one column per parameter, NAME [UNIT]",
        ),
    ],
);

pub(crate) const SPACINGS: &[&str] = &["linear", "log"];
pub(crate) const DISTRIBUTIONS: &[&str] = &[
    "uniform",
    "log-uniform",
    "normal",
    "log-normal",
    "triangular",
];

/// Common keys of all searches between bounds.
const FROM: Field = may("from", FieldKind::Number { unit: "" }, "lower bound");
const TO: Field = may("to", FieldKind::Number { unit: "" }, "upper bound");

pub(crate) const VARY: Info = Info::table(
    "values",
    "The values of a parameter. In a grid: `values`, or `from`, `to` and `levels`. In a list: `values`. Sampled: `from` and `to`, a distribution, or `values` of which one is drawn.",
    &[
        FROM,
        TO,
        may(
            "levels",
            FieldKind::Count,
            "number of values of a grid, including both ends",
        ),
        may(
            "spacing",
            FieldKind::Choice(SPACINGS),
            "levels with equal differences (linear) or equal ratios (log); default: linear",
        ),
        may(
            "values",
            FieldKind::NumberList { unit: "" },
            "the values themselves",
        ),
        may(
            "weights",
            FieldKind::NumberList { unit: "1" },
            "probability weights of the values; default: equal",
        ),
        may(
            "distribution",
            FieldKind::Choice(DISTRIBUTIONS),
            "distribution of sampled values; a normal one is truncated at `from` and `to` if these are given; default: uniform",
        ),
        may(
            "mean",
            FieldKind::Number { unit: "" },
            "mean of a normal distribution",
        ),
        may(
            "deviation",
            FieldKind::Positive { unit: "" },
            "standard deviation of a normal distribution",
        ),
        may(
            "median",
            FieldKind::Number { unit: "" },
            "median of a log-normal distribution",
        ),
        may(
            "factor",
            FieldKind::Positive { unit: "1" },
            "geometric standard deviation of a log-normal distribution: two thirds of the values are between median/factor and median*factor",
        ),
        may(
            "mode",
            FieldKind::Number { unit: "" },
            "the most likely value of a triangular distribution",
        ),
    ],
);

pub(crate) const BETWEEN: Info = Info::table(
    "bounds",
    "The bounds of a parameter.",
    &[
        Field::required("from", FieldKind::Number { unit: "" }, "lower bound"),
        Field::required("to", FieldKind::Number { unit: "" }, "upper bound"),
    ],
);

pub(crate) const OPTIMIZE: Info = Info::table(
    "optimize",
    "An optimization of parameter values.",
    &[
        may(
            "minimize",
            FieldKind::Law { unit: "" },
            "objective to be minimized: a formula of measures and parameters",
        ),
        may(
            "maximize",
            FieldKind::Law { unit: "" },
            "objective to be maximized instead: a formula of measures and parameters",
        ),
        Field::required(
            "vary",
            FieldKind::Map(&FieldKind::Table(&BETWEEN)),
            "the parameters and their bounds",
        ),
    ],
);

pub(crate) const FIT: Info = Info::table(
    "fit",
    "A fit of parameter values to measurements.",
    &[
        Field::required(
            "data",
            FieldKind::Text,
            "CSV file with a column `time` and columns named like signals, each NAME [UNIT]",
        ),
        Field::required(
            "vary",
            FieldKind::Map(&FieldKind::Table(&BETWEEN)),
            "the parameters and their bounds; the search starts at the values of the model",
        ),
        may(
            "deviation",
            FieldKind::Map(&FieldKind::Positive { unit: "" }),
            "standard deviation of the measurements of a signal, by which its residuals are divided; default: 1 in SI units",
        ),
    ],
);
