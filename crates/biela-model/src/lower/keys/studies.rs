//! The sections of studies with many runs, and their keys.

use super::sections::{NAME, may, must};
use super::{Key, Kind, Section};

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

pub(crate) const MEASURE: Section = Section {
    what: "measure",
    doc: "One number of a whole run: what is taken of a signal over time, the time of an event, or a formula of other measures.",
    keys: &[
        NAME,
        may(
            "of",
            Kind::Formula(""),
            "formula of time and signals that `take` is about",
        ),
        may(
            "take",
            Kind::Choice(TAKES),
            "what is taken of it over the output times; final when left out",
        ),
        may("at", Kind::Quantity("s"), "the time of take = \"at\""),
        may(
            "from",
            Kind::Quantity("s"),
            "output times before it are passed over; the start when left out",
        ),
        may(
            "to",
            Kind::Quantity("s"),
            "output times after it are passed over; the end when left out",
        ),
        may("event", Kind::Text, "the event whose time it is"),
        may(
            "which",
            Kind::Count,
            "which time of the event, counted from 1; the first when left out",
        ),
        may(
            "value",
            Kind::Formula(""),
            "formula of other measures and parameters",
        ),
        may(
            "unit",
            Kind::Text,
            "SI unit of the measure; found from the formula when left out",
        ),
    ],
    variants: None,
};

pub(crate) const PLANS: &[&str] = &["grid", "list", "random", "latin", "sobol"];

pub(crate) const SWEEP: Section = Section {
    what: "sweep",
    doc: "Runs with other values of parameters.",
    keys: &[
        must(
            "plan",
            Kind::Choice(PLANS),
            "all combinations, values side by side, or points drawn from distributions: by chance, as a Latin hypercube, by Sobol's sequence",
        ),
        may(
            "vary",
            Kind::Map(&Kind::One(&VARY)),
            "the parameters and the values each takes",
        ),
        may(
            "points",
            Kind::Count,
            "how many points are drawn; 100 when left out",
        ),
        may(
            "seed",
            Kind::Count,
            "another seed draws other points; 1 when left out",
        ),
        may(
            "file",
            Kind::Text,
            "CSV file with the points of a list: a column a parameter, NAME [UNIT]",
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
const FROM: Key = may("from", Kind::Quantity(""), "the least value");
const TO: Key = may("to", Kind::Quantity(""), "the greatest value");

pub(crate) const VARY: Section = Section {
    what: "values",
    doc: "The values of a parameter. In a grid: `values`, or `from`, `to` and `levels`. In a list: `values`. Drawn: `from` and `to`, a distribution, or `values` of which one is drawn.",
    keys: &[
        FROM,
        TO,
        may(
            "levels",
            Kind::Count,
            "how many values of a grid, both ends among them",
        ),
        may(
            "spacing",
            Kind::Choice(SPACINGS),
            "whether levels have equal distances or equal ratios; linear when left out",
        ),
        may("values", Kind::Quantities(""), "the values themselves"),
        may(
            "weights",
            Kind::Quantities("1"),
            "how often each of the values is drawn; all alike when left out",
        ),
        may(
            "distribution",
            Kind::Choice(DISTRIBUTIONS),
            "how values are drawn; a normal one is cut off at `from` and `to` where these are given; uniform when left out",
        ),
        may("mean", Kind::Quantity(""), "of a normal distribution"),
        may(
            "deviation",
            Kind::Positive(""),
            "standard deviation of a normal distribution",
        ),
        may("median", Kind::Quantity(""), "of a log-normal distribution"),
        may(
            "factor",
            Kind::Positive("1"),
            "of a log-normal distribution: two thirds of the values are between median/factor and median*factor",
        ),
        may(
            "mode",
            Kind::Quantity(""),
            "the most likely value of a triangular distribution",
        ),
    ],
    variants: None,
};

pub(crate) const BETWEEN: Section = Section {
    what: "bounds",
    doc: "Between which values a parameter is searched.",
    keys: &[
        must("from", Kind::Quantity(""), "the least value"),
        must("to", Kind::Quantity(""), "the greatest value"),
    ],
    variants: None,
};

pub(crate) const OPTIMIZE: Section = Section {
    what: "optimize",
    doc: "Values of parameters that make something least or greatest.",
    keys: &[
        may(
            "minimize",
            Kind::Formula(""),
            "formula of measures and parameters to be made least",
        ),
        may(
            "maximize",
            Kind::Formula(""),
            "formula of measures and parameters to be made greatest, instead",
        ),
        must(
            "vary",
            Kind::Map(&Kind::One(&BETWEEN)),
            "the parameters and their bounds",
        ),
    ],
    variants: None,
};

pub(crate) const FIT: Section = Section {
    what: "fit",
    doc: "Values of parameters with which the run follows measurements.",
    keys: &[
        must(
            "data",
            Kind::Text,
            "CSV file with a column `time` and columns named like signals, each NAME [UNIT]",
        ),
        must(
            "vary",
            Kind::Map(&Kind::One(&BETWEEN)),
            "the parameters and their bounds; the search starts at the values of the model",
        ),
        may(
            "deviation",
            Kind::Map(&Kind::Positive("")),
            "standard deviation of the measurements of a signal, by which its residuals are divided; 1 in SI when left out",
        ),
    ],
    variants: None,
};
