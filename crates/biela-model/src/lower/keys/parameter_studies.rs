//! The sections of studies with many runs, and their keys.

use super::sections::{NAME, may, must};
use super::{KeyKind, KeySpec, TableSpec};

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

pub(crate) const MEASURE: TableSpec = TableSpec {
    what: "measure",
    doc: "A scalar measure of a run: a statistic of a signal over time, the time of an event, or a formula of other measures.",
    keys: &[
        NAME,
        may(
            "of",
            KeyKind::Formula(""),
            "formula of time and signals to which `take` applies",
        ),
        may(
            "take",
            KeyKind::Choice(TAKES),
            "statistic over the output times; default: final",
        ),
        may("at", KeyKind::Quantity("s"), "the time for take = \"at\""),
        may(
            "from",
            KeyKind::Quantity("s"),
            "start of the time window; default: the start of the run",
        ),
        may(
            "to",
            KeyKind::Quantity("s"),
            "end of the time window; default: the end of the run",
        ),
        may("event", KeyKind::Text, "the event whose time is measured"),
        may(
            "which",
            KeyKind::Count,
            "occurrence of the event, counted from 1; default: 1",
        ),
        may(
            "value",
            KeyKind::Formula(""),
            "formula of other measures and parameters",
        ),
        may(
            "unit",
            KeyKind::Text,
            "SI unit of the measure; default: derived from the formula",
        ),
    ],
    variants: None,
};

pub(crate) const PLANS: &[&str] = &["grid", "list", "random", "latin", "sobol"];

pub(crate) const SWEEP: TableSpec = TableSpec {
    what: "sweep",
    doc: "A parameter sweep: runs with different parameter values.",
    keys: &[
        must(
            "plan",
            KeyKind::Choice(PLANS),
            "grid: all combinations; list: values side by side; random, latin, sobol: points sampled from distributions, by Monte Carlo, as a Latin hypercube, by the Sobol sequence",
        ),
        may(
            "vary",
            KeyKind::Map(&KeyKind::One(&VARY)),
            "the parameters and their values",
        ),
        may(
            "points",
            KeyKind::Count,
            "number of sampled points; default: 100",
        ),
        may(
            "seed",
            KeyKind::Count,
            "seed of the random numbers; default: 1",
        ),
        may(
            "file",
            KeyKind::Text,
            "CSV file with the points of a list: one column per parameter, NAME [UNIT]",
        ),
    ],
    variants: None,
};

pub(crate) const SPACINGS: &[&str] = &["linear", "log"];
pub(crate) const DISTRIBUTIONS: &[&str] = &[
    "uniform",
    "log-uniform",
    "normal",
    "log-normal",
    "triangular",
];

/// Common keys of all searches between bounds.
const FROM: KeySpec = may("from", KeyKind::Quantity(""), "lower bound");
const TO: KeySpec = may("to", KeyKind::Quantity(""), "upper bound");

pub(crate) const VARY: TableSpec = TableSpec {
    what: "values",
    doc: "The values of a parameter. In a grid: `values`, or `from`, `to` and `levels`. In a list: `values`. Sampled: `from` and `to`, a distribution, or `values` of which one is drawn.",
    keys: &[
        FROM,
        TO,
        may(
            "levels",
            KeyKind::Count,
            "number of values of a grid, including both ends",
        ),
        may(
            "spacing",
            KeyKind::Choice(SPACINGS),
            "levels with equal differences (linear) or equal ratios (log); default: linear",
        ),
        may("values", KeyKind::Quantities(""), "the values themselves"),
        may(
            "weights",
            KeyKind::Quantities("1"),
            "probability weights of the values; default: equal",
        ),
        may(
            "distribution",
            KeyKind::Choice(DISTRIBUTIONS),
            "distribution of sampled values; a normal one is truncated at `from` and `to` if these are given; default: uniform",
        ),
        may(
            "mean",
            KeyKind::Quantity(""),
            "mean of a normal distribution",
        ),
        may(
            "deviation",
            KeyKind::Positive(""),
            "standard deviation of a normal distribution",
        ),
        may(
            "median",
            KeyKind::Quantity(""),
            "median of a log-normal distribution",
        ),
        may(
            "factor",
            KeyKind::Positive("1"),
            "geometric standard deviation of a log-normal distribution: two thirds of the values are between median/factor and median*factor",
        ),
        may(
            "mode",
            KeyKind::Quantity(""),
            "the most likely value of a triangular distribution",
        ),
    ],
    variants: None,
};

pub(crate) const BETWEEN: TableSpec = TableSpec {
    what: "bounds",
    doc: "The bounds of a parameter.",
    keys: &[
        must("from", KeyKind::Quantity(""), "lower bound"),
        must("to", KeyKind::Quantity(""), "upper bound"),
    ],
    variants: None,
};

pub(crate) const OPTIMIZE: TableSpec = TableSpec {
    what: "optimize",
    doc: "An optimization of parameter values.",
    keys: &[
        may(
            "minimize",
            KeyKind::Formula(""),
            "objective to be minimized: a formula of measures and parameters",
        ),
        may(
            "maximize",
            KeyKind::Formula(""),
            "objective to be maximized instead: a formula of measures and parameters",
        ),
        must(
            "vary",
            KeyKind::Map(&KeyKind::One(&BETWEEN)),
            "the parameters and their bounds",
        ),
    ],
    variants: None,
};

pub(crate) const FIT: TableSpec = TableSpec {
    what: "fit",
    doc: "A fit of parameter values to measurements.",
    keys: &[
        must(
            "data",
            KeyKind::Text,
            "CSV file with a column `time` and columns named like signals, each NAME [UNIT]",
        ),
        must(
            "vary",
            KeyKind::Map(&KeyKind::One(&BETWEEN)),
            "the parameters and their bounds; the search starts at the values of the model",
        ),
        may(
            "deviation",
            KeyKind::Map(&KeyKind::Positive("")),
            "standard deviation of the measurements of a signal, by which its residuals are divided; default: 1 in SI units",
        ),
    ],
    variants: None,
};
