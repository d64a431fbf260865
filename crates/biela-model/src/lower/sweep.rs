//! `[sweep]`, `[optimize]` and `[fit]`: studies with different parameter values.

use std::collections::BTreeSet;

use biela_core::element::Info;
use biela_core::system::Channel;
use biela_study::{Distribution, MOST_SOBOL_FACTORS, Plan, SampledPlan, SamplingMethod};

use super::keys::{self, DISTRIBUTIONS, PLANS, SPACINGS};
use super::measures::{Measures, of_measures};
use super::names::nearest;
use super::reader::SectionReader;
use super::series;
use super::signals::Signals;
use super::values::{Context, dimension_of};
use crate::diagnostic::shown;
use crate::document::{DocumentField, TableReader};
use crate::expr::Program;
use crate::units::Dimension;

/// The maximum number of points of a sweep.
const MOST_POINTS: usize = 10_000_000;
/// The default number of sampled points.
const POINTS: i64 = 100;
/// The maximum number of points of a sampled plan whose order is drawn in advance.
const MOST_DRAWN: i64 = MOST_POINTS as i64;

/// Runs with different parameter values.
#[derive(Clone, Debug)]
pub struct SweepDefinition {
    /// The parameters, in the order of the plan's factors.
    pub parameters: Vec<Varied>,
    /// The parameter values.
    pub plan: Plan,
}

/// A parameter that is varied.
#[derive(Clone, Debug, PartialEq)]
pub struct Varied {
    /// Its name.
    pub name: String,
    /// Its SI unit; `1` if dimensionless.
    pub unit: String,
}

/// An optimization of parameter values.
#[derive(Clone, Debug)]
pub struct Optimize {
    /// The objective: a formula whose inputs are the measures.
    pub goal: Program,
    /// The formula as written.
    pub text: String,
    /// Its SI unit; `1` if dimensionless.
    pub unit: String,
    /// Set to minimize, not to maximize.
    pub minimize: bool,
    /// The parameters and their bounds.
    pub between: Vec<BoundedParameter>,
}

/// A parameter with bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundedParameter {
    /// The parameter.
    pub parameter: Varied,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// A fit of parameter values to measurements.
#[derive(Clone, Debug)]
pub struct FitDefinition {
    /// The times of the measurements, increasing.
    pub times: Vec<f64>,
    /// The measured signals.
    pub columns: Vec<MeasuredSignal>,
    /// The parameters and their bounds.
    pub between: Vec<BoundedParameter>,
}

/// A measured signal.
#[derive(Clone, Debug)]
pub struct MeasuredSignal {
    /// The signal.
    pub channel: Channel,
    /// Its values at the times, in SI units.
    pub values: Vec<f64>,
    /// Standard deviation of the measurements, in SI units.
    pub deviation: f64,
}

/// The dimension of a parameter, if known, and its unit.
struct ParameterScale {
    dimension: Option<Dimension>,
    varied: Varied,
}

impl ParameterScale {
    /// The scale of the parameter that a key names; an unknown one is reported.
    fn of<'t>(name: &str, field: &DocumentField<'t>, context: &Context<'t>) -> Option<Self> {
        let Some((_, dimension)) = context.constants.value(name) else {
            if context
                .constants
                .place(name)
                .is_none_or(|(kind, _)| kind != "parameter")
            {
                let names = context.constants.parameter_names();
                let help = nearest(name, names, "the model has no parameters");
                let message = format!("the model has no parameter {}", shown(name));
                let place = (field.span()?, "");
                context.error("unknown-parameter", message, place, Some(help));
            }
            return None;
        };
        let varied = Varied {
            name: name.to_owned(),
            unit: super::measures::unit_of(dimension),
        };
        Some(Self { dimension, varied })
    }

    fn number<'t>(&self, field: &DocumentField<'t>, context: &Context<'t>) -> Option<f64> {
        context.number_of(field, &self.varied.unit, self.dimension)
    }

    fn numbers<'t>(&self, field: &DocumentField<'t>, context: &Context<'t>) -> Option<Vec<f64>> {
        let items = field.array()?.value;
        let read: Vec<Option<f64>> = items.iter().map(|i| self.number(i, context)).collect();
        read.into_iter().collect()
    }
}

/// Reads `[sweep]`; `None` if there is none, or after an error.
pub(super) fn sweep<'t>(
    field: &DocumentField<'t>,
    context: &Context<'t>,
) -> Option<SweepDefinition> {
    let table = field.table()?.value;
    let reader = SectionReader::new(&keys::SWEEP, table, context.diagnostics);
    let plan = reader.require("plan", "plan = \"grid\"").one_of(PLANS);
    let sampling = match plan.map(|word| word.value) {
        Some("random") => Some(SamplingMethod::Random),
        Some("latin") => Some(SamplingMethod::Latin),
        Some("sobol") => Some(SamplingMethod::Sobol),
        _ => None,
    };
    let is = |word: &str| plan.is_some_and(|plan| plan.value == word);
    if plan.is_some() && sampling.is_none() {
        refuse(
            &reader,
            &["points", "seed"],
            "applies only to the plans random, latin and sobol",
        );
    }
    if plan.is_some() && !is("list") {
        refuse(&reader, &["file"], "applies only to plan = \"list\"");
    }
    let points = count(&reader.get("points"), POINTS, MOST_DRAWN, "");
    let seed = count(&reader.get("seed"), 1, i64::MAX, "");
    let file = reader.get("file");
    let made = if is("list") && file.is_present() {
        refuse(&reader, &["vary"], "conflicts with `file`");
        from_file(&file, context)
    } else {
        let vary = reader.require("vary", "vary.NAME = { from = 1, to = 2, levels = 5 }");
        let word = plan.map(|word| word.value);
        word.and_then(|word| match (word, sampling) {
            ("grid", _) => grid(&vary, context),
            ("list", _) => list(&vary, context),
            (_, Some(sampling)) => drawn(&vary, sampling, (points, seed), context),
            _ => None,
        })
    };
    reader.finish();
    let (parameters, plan) = made?;
    if plan.is_empty() {
        field.error("bad-value", "has no points", "", None);
        return None;
    }
    Some(SweepDefinition { parameters, plan })
}

fn refuse(reader: &SectionReader<'_>, keys: &[&'static str], problem: &str) {
    for key in keys {
        let field = reader.get(key);
        if field.is_present() {
            field.error("conflict", problem, "", Some("leave it out".to_owned()));
        }
    }
}

/// An integer from 1 on.
fn count(field: &DocumentField<'_>, default: i64, most: i64, what: &str) -> Option<u64> {
    if !field.is_present() {
        return u64::try_from(default).ok();
    }
    let number = field.integer()?.value;
    if !(1..=most).contains(&number) {
        let problem = format!("must be from 1 to {most}{what}");
        field.error("bad-value", &problem, &format!("is {number}"), None);
        return None;
    }
    u64::try_from(number).ok()
}

/// The tables of `vary`, each with the scale of its parameter, and whether there was no error.
fn varied<'t>(
    field: &DocumentField<'t>,
    section: &'static Info,
    context: &Context<'t>,
) -> Option<(Vec<(ParameterScale, SectionReader<'t>)>, bool)> {
    let table = field.table()?.value;
    let reader = TableReader::new(table, "the parameters to vary", &[], context.diagnostics);
    let mut whole = true;
    let mut list = Vec::new();
    for (name, value) in reader.fields() {
        let scale = ParameterScale::of(name.value, &value, context);
        let table = value.table();
        whole &= scale.is_some() && table.is_some();
        if let (Some(scale), Some(table)) = (scale, table) {
            let what = format!("{} of {}", section.name, shown(name.value));
            let reader = SectionReader::called(&what, section, table.value, context.diagnostics);
            list.push((scale, reader));
        }
    }
    reader.finish();
    if whole && list.is_empty() {
        let help = "write vary.NAME = { … } with the name of a parameter".to_owned();
        field.error("bad-value", "names no parameter", "", Some(help));
        return None;
    }
    Some((list, whole))
}

/// Reads each table of `vary` into its values; all of them are checked before an error is returned.
fn each<'t, T>(
    field: &DocumentField<'t>,
    section: &'static Info,
    context: &Context<'t>,
    mut read: impl FnMut(&ParameterScale, &SectionReader<'t>) -> Option<T>,
) -> Option<Vec<(Varied, T)>> {
    let (tables, whole) = varied(field, section, context)?;
    let made: Vec<Option<(Varied, T)>> = tables
        .into_iter()
        .map(|(scale, reader)| {
            let made = read(&scale, &reader);
            reader.finish();
            made.map(|made| (scale.varied, made))
        })
        .collect();
    made.into_iter()
        .collect::<Option<Vec<_>>>()
        .filter(|_| whole)
}

const OF_DISTRIBUTIONS: [&str; 6] = [
    "distribution",
    "mean",
    "deviation",
    "median",
    "factor",
    "mode",
];

fn grid<'t>(field: &DocumentField<'t>, context: &Context<'t>) -> Option<(Vec<Varied>, Plan)> {
    let levels = each(field, &keys::VARY, context, |scale, reader| {
        refuse(reader, &OF_DISTRIBUTIONS, "does not apply to a grid");
        refuse(reader, &["weights"], "does not apply to a grid");
        let values = reader.get("values");
        if values.is_present() {
            refuse(
                reader,
                &["from", "to", "levels", "spacing"],
                "conflicts with `values`",
            );
            return listed(&values, scale, context);
        }
        levels(scale, reader, context)
    })?;
    let (parameters, levels): (Vec<Varied>, Vec<Vec<f64>>) = levels.into_iter().unzip();
    let points = levels
        .iter()
        .try_fold(1_usize, |n, l| n.checked_mul(l.len()));
    if points.is_none_or(|points| points > MOST_POINTS) {
        let problem = format!("makes more than {MOST_POINTS} points");
        let help = "use fewer levels, or sample points with plan = \"sobol\"".to_owned();
        field.error("too-many-points", &problem, "", Some(help));
        return None;
    }
    Some((parameters, Plan::Grid(levels)))
}

/// Explicitly listed values.
fn listed<'t>(
    field: &DocumentField<'t>,
    scale: &ParameterScale,
    context: &Context<'t>,
) -> Option<Vec<f64>> {
    let values = scale.numbers(field, context)?;
    if values.is_empty() {
        field.error("bad-value", "must not be empty", "", None);
        return None;
    }
    Some(values)
}

/// The bounds of a range.
fn ends<'t>(
    scale: &ParameterScale,
    reader: &SectionReader<'t>,
    context: &Context<'t>,
) -> Option<(f64, f64)> {
    let from = reader.require("from", "from = 1");
    let to_field = reader.require("to", "to = 2");
    let (from, to) = (
        scale.number(&from, context),
        scale.number(&to_field, context),
    );
    let (from, to) = (from?, to?);
    if from >= to {
        let label = format!("`from` is {from} in SI");
        to_field.error("bad-value", "must be greater than `from`", &label, None);
        return None;
    }
    Some((from, to))
}

fn levels<'t>(
    scale: &ParameterScale,
    reader: &SectionReader<'t>,
    context: &Context<'t>,
) -> Option<Vec<f64>> {
    let ends = ends(scale, reader, context);
    let steps = reader.require("levels", "levels = 5");
    let log = reader.get("spacing").one_of(SPACINGS);
    let log = log.is_some_and(|word| word.value == "log");
    let levels = count(&steps, 2, MOST_POINTS as i64, "")?;
    let (from, to) = ends?;
    if levels < 2 {
        steps.error(
            "bad-value",
            "must be 2 or more, including both ends",
            "",
            None,
        );
        return None;
    }
    if log && from <= 0.0 {
        let problem = "must be greater than zero with spacing = \"log\"";
        reader.get("from").error("bad-value", problem, "", None);
        return None;
    }
    let at = |k: u64| {
        let share = k as f64 / (levels - 1) as f64;
        match k {
            0 => from,
            k if k == levels - 1 => to,
            _ if log => from * (share * (to / from).ln()).exp(),
            _ => from + share * (to - from),
        }
    };
    Some((0..levels).map(at).collect())
}

fn list<'t>(field: &DocumentField<'t>, context: &Context<'t>) -> Option<(Vec<Varied>, Plan)> {
    let columns = each(field, &keys::VARY, context, |scale, reader| {
        for keys in [
            &OF_DISTRIBUTIONS[..],
            &["weights", "from", "to", "levels", "spacing"],
        ] {
            refuse(reader, keys, "does not apply to a list");
        }
        listed(
            &reader.require("values", "values = [1, 2, 3]"),
            scale,
            context,
        )
    })?;
    let (parameters, columns): (Vec<Varied>, Vec<Vec<f64>>) = columns.into_iter().unzip();
    let lengths: BTreeSet<usize> = columns.iter().map(Vec::len).collect();
    if lengths.len() > 1 {
        let each: Vec<String> = parameters
            .iter()
            .zip(&columns)
            .map(|(p, column)| format!("`{}` has {}", p.name, column.len()))
            .collect();
        let help = "a list combines the first values of all parameters, then the second ones, and so on; for all combinations write plan = \"grid\"".to_owned();
        let label = each.join(", ");
        field.error(
            "wrong-length",
            "must have the same number of values for each parameter",
            &label,
            Some(help),
        );
        return None;
    }
    Some((parameters, Plan::List(columns)))
}

fn from_file<'t>(field: &DocumentField<'t>, context: &Context<'t>) -> Option<(Vec<Varied>, Plan)> {
    let sheet = series::sheet(field, context)?;
    let columns = sheet.columns(context);
    let scales: Vec<Option<(ParameterScale, f64)>> = columns
        .iter()
        .map(|column| {
            let Some((_, dimension)) = context.constants.value(column.name) else {
                let names = context.constants.parameter_names();
                let help = nearest(column.name, names, "the model has no parameters");
                let message = format!("the model has no parameter {}", shown(column.name));
                context.error("unknown-parameter", message, (column.place, ""), Some(help));
                return None;
            };
            let factor = column.factor(dimension, context)?;
            let varied = Varied {
                name: column.name.to_owned(),
                unit: super::measures::unit_of(dimension),
            };
            Some((ParameterScale { dimension, varied }, factor))
        })
        .collect();
    let scales: Vec<(ParameterScale, f64)> = scales.into_iter().collect::<Option<_>>()?;
    let factors: Vec<f64> = scales.iter().map(|(_, factor)| *factor).collect();
    let values = sheet.numbers(&factors, context)?;
    let parameters = scales.into_iter().map(|(scale, _)| scale.varied).collect();
    Some((parameters, Plan::List(values)))
}

fn drawn<'t>(
    field: &DocumentField<'t>,
    sampling: SamplingMethod,
    (points, seed): (Option<u64>, Option<u64>),
    context: &Context<'t>,
) -> Option<(Vec<Varied>, Plan)> {
    let spread = each(field, &keys::VARY, context, |scale, reader| {
        refuse(
            reader,
            &["levels", "spacing"],
            "applies only to plan = \"grid\"",
        );
        let distribution = distribution(scale, reader, context)?;
        if let Some((key, problem)) = distribution.problem() {
            let key = match key {
                "low" => "from",
                "high" => "to",
                other => *OF_DISTRIBUTIONS
                    .iter()
                    .find(|k| **k == other)
                    .unwrap_or(&"weights"),
            };
            reader.get(key).error("bad-value", problem, "", None);
            return None;
        }
        Some(distribution)
    })?;
    let (parameters, distributions): (Vec<Varied>, Vec<Distribution>) = spread.into_iter().unzip();
    let points = usize::try_from(points?).ok()?;
    match SampledPlan::new(sampling, points, seed?, distributions) {
        Ok(sampled) => Some((parameters, Plan::Sampled(sampled))),
        Err(error) => {
            let label = format!("at most {MOST_SOBOL_FACTORS} parameters are allowed");
            field.error(
                "too-many-parameters",
                &format!("has too many parameters: {error}"),
                &label,
                None,
            );
            None
        }
    }
}

fn distribution<'t>(
    scale: &ParameterScale,
    reader: &SectionReader<'t>,
    context: &Context<'t>,
) -> Option<Distribution> {
    let values = reader.get("values");
    if values.is_present() {
        refuse(reader, &OF_DISTRIBUTIONS, "conflicts with `values`");
        refuse(reader, &["from", "to"], "conflicts with `values`");
        let weights = reader.get("weights");
        let given = context.numbers(&weights, "1");
        let values = listed(&values, scale, context)?;
        let weights = if weights.is_present() {
            given?
        } else {
            vec![1.0; values.len()]
        };
        return Some(Distribution::Discrete { values, weights });
    }
    refuse(reader, &["weights"], "applies only to `values`");
    let field = reader.get("distribution");
    let word = match field.one_of(DISTRIBUTIONS) {
        Some(word) => word.value,
        None if field.is_present() => return None,
        None => "uniform",
    };
    let own: &[&str] = match word {
        "normal" => &["mean", "deviation"],
        "log-normal" => &["median", "factor"],
        "triangular" => &["mode"],
        _ => &[],
    };
    let foreign: Vec<&'static str> = OF_DISTRIBUTIONS[1..]
        .iter()
        .copied()
        .filter(|key| !own.contains(key))
        .collect();
    refuse(
        reader,
        &foreign,
        &format!("does not apply to distribution = \"{word}\""),
    );
    let number = |key: &'static str| {
        let example = format!("{key} = 1");
        scale.number(&reader.require(key, &example), context)
    };
    match word {
        "normal" => {
            let (mean, deviation) = (number("mean"), number("deviation"));
            let low = scale.number(&reader.get("from"), context);
            let high = scale.number(&reader.get("to"), context);
            let (mean, deviation) = (mean?, deviation?);
            Some(if reader.has("from") || reader.has("to") {
                Distribution::TruncatedNormal {
                    mean,
                    deviation,
                    low: low.unwrap_or(f64::NEG_INFINITY),
                    high: high.unwrap_or(f64::INFINITY),
                }
            } else {
                Distribution::Normal { mean, deviation }
            })
        }
        "log-normal" => {
            refuse(
                reader,
                &["from", "to"],
                "does not apply to distribution = \"log-normal\"",
            );
            let factor = context.number(&reader.require("factor", "factor = 1.1"), "1");
            let (median, factor) = (number("median"), factor);
            Some(Distribution::LogNormal {
                median: median?,
                factor: factor?,
            })
        }
        "triangular" => {
            let (ends, mode) = (ends(scale, reader, context), number("mode"));
            let ((low, high), mode) = (ends?, mode?);
            Some(Distribution::Triangular { low, mode, high })
        }
        word => {
            let (low, high) = ends(scale, reader, context)?;
            Some(if word == "log-uniform" {
                Distribution::LogUniform { low, high }
            } else {
                Distribution::Uniform { low, high }
            })
        }
    }
}

/// The varied parameters and their bounds.
fn between<'t>(field: &DocumentField<'t>, context: &Context<'t>) -> Option<Vec<BoundedParameter>> {
    let list = each(field, &keys::BETWEEN, context, |scale, reader| {
        ends(scale, reader, context)
    })?;
    let between = list
        .into_iter()
        .map(|(parameter, (low, high))| BoundedParameter {
            parameter,
            low,
            high,
        });
    Some(between.collect())
}

/// Reads `[optimize]`; `None` if there is none, or after an error.
pub(super) fn optimize<'t>(
    field: &DocumentField<'t>,
    measures: &Measures,
    context: &Context<'t>,
) -> Option<Optimize> {
    let table = field.table()?.value;
    let reader = SectionReader::new(&keys::OPTIMIZE, table, context.diagnostics);
    let between = between(
        &reader.require("vary", "vary.NAME = { from = 1, to = 2 }"),
        context,
    );
    let (least, greatest) = (reader.get("minimize"), reader.get("maximize"));
    let minimize = !greatest.is_present();
    if least.is_present() && greatest.is_present() {
        let help = "keep one of them".to_owned();
        greatest.error("conflict", "conflicts with `minimize`", "", Some(help));
    }
    let written = if minimize {
        reader.require("minimize", "minimize = \"NAME\" with the name of a measure")
    } else {
        greatest
    };
    let goal = of_measures(&written, &measures.locals(), context);
    reader.finish();
    let goal = goal?;
    if goal.constant().is_some() {
        written.error("bad-value", "does not depend on any measure", "", None);
        return None;
    }
    Some(Optimize {
        unit: super::measures::unit_of(goal.dimension()),
        goal,
        text: written.value()?.as_str()?.to_owned(),
        minimize,
        between: between?,
    })
}

/// Reads `[fit]`; `None` if there is none, or after an error.
pub(super) fn fit<'t>(
    field: &DocumentField<'t>,
    signals: &Signals<'_>,
    context: &Context<'t>,
) -> Option<FitDefinition> {
    let table = field.table()?.value;
    let reader = SectionReader::new(&keys::FIT, table, context.diagnostics);
    let between = between(
        &reader.require("vary", "vary.NAME = { from = 1, to = 2 }"),
        context,
    );
    let data = reader.require("data", "data = \"measured.csv\"");
    let read = measured(&data, signals, context);
    let deviations = reader.get("deviation");
    let mut whole = true;
    let (times, mut columns) = read.unwrap_or_default();
    if let Some(table) = deviations.table() {
        let names = TableReader::new(table.value, "the deviations", &[], context.diagnostics);
        for (name, value) in names.fields() {
            let column = columns.iter_mut().find(|c| c.channel.name == name.value);
            if let Some(column) = column {
                let deviation = context.positive(&value, &column.channel.unit);
                column.deviation = deviation.unwrap_or(1.0);
                whole &= deviation.is_some();
            } else if !columns.is_empty() {
                let known = columns.iter().map(|column| column.channel.name.as_str());
                let help = nearest(name.value, known, "");
                let message = format!("the data have no column {}", shown(name.value));
                context.error("unknown-signal", message, (name.span, ""), Some(help));
                whole = false;
            }
        }
        names.finish();
    }
    reader.finish();
    let between = between?;
    (whole && !columns.is_empty()).then_some(FitDefinition {
        times,
        columns,
        between,
    })
}

/// The times and signals of a file with measurements.
fn measured<'t>(
    field: &DocumentField<'t>,
    signals: &Signals<'_>,
    context: &Context<'t>,
) -> Option<(Vec<f64>, Vec<MeasuredSignal>)> {
    let sheet = series::sheet(field, context)?;
    let header = sheet.columns(context);
    let mut time = None;
    let mut channels: Vec<(usize, &Channel)> = Vec::new();
    let mut factors = Vec::new();
    let mut whole = true;
    for (k, column) in header.iter().enumerate() {
        if matches!(column.name, "time" | "t") && time.is_none() {
            let factor = column.factor(dimension_of("s"), context);
            whole &= factor.is_some();
            factors.push(factor.unwrap_or(1.0));
            time = Some(k);
            continue;
        }
        let Some(channel) = signals.table().find(column.name) else {
            let near = signals.near(column.name);
            let help = nearest(column.name, near.iter().map(String::as_str), "");
            let message = format!("the model has no signal {}", shown(column.name));
            context.error("unknown-signal", message, (column.place, ""), Some(help));
            whole = false;
            continue;
        };
        let factor = column.factor(dimension_of(&channel.unit), context);
        whole &= factor.is_some();
        factors.push(factor.unwrap_or(1.0));
        channels.push((k, channel));
    }
    if time.is_none() {
        field.error(
            "missing-column",
            "names a file without a column `time`",
            "",
            None,
        );
    }
    if channels.is_empty() && whole {
        field.error(
            "missing-column",
            "names a file without a column of a signal",
            "",
            None,
        );
        whole = false;
    }
    let time = time.filter(|_| whole)?;
    let mut values = sheet.numbers(&factors, context)?;
    let times = std::mem::take(&mut values[time]);
    if times.is_empty() {
        let help = "add one row of numbers per time of measurement";
        field.error(
            "empty-table",
            "names a file without a row of measurements",
            "",
            Some(help.to_owned()),
        );
        return None;
    }
    if let Some(k) = times.windows(2).position(|pair| pair[0] >= pair[1]) {
        let message = format!("{} s is not after {} s", times[k + 1], times[k]);
        let place = (sheet.place(k + 1, time), "times must increase");
        context.error("bad-table", message, place, None);
        return None;
    }
    let columns = channels.into_iter().map(|(k, channel)| MeasuredSignal {
        channel: channel.clone(),
        values: std::mem::take(&mut values[k]),
        deviation: 1.0,
    });
    let columns = columns.collect();
    Some((times, columns))
}
