//! `[[measure]]`: scalar measures of a run.

use std::collections::BTreeMap;

use biela_core::model::{Law, Stage};

use super::formula::{LocalName, Reads};
use super::keys::{self, TAKES};
use super::names::{ElementFamily, NameIndex, nearest};
use super::order::{circle_text, order};
use super::reader::SectionReader;
use super::sensors::si_unit;
use super::signals::Signals;
use super::values::Context;
use crate::diagnostic::{Diagnostic, shown};
use crate::document::{DocumentField, Table};
use crate::expr::{self, Program};
use crate::units::Dimension;

/// A scalar measure of a run.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Its name.
    pub name: String,
    /// Its SI unit; `1` if dimensionless.
    pub unit: String,
    /// Its definition.
    pub kind: MeasureKind,
}

/// The definition of a measure.
#[derive(Clone, Debug)]
pub enum MeasureKind {
    /// A statistic of a formula of signals over the output times.
    Taken {
        /// The formula.
        law: Law,
        /// The statistic.
        take: Take,
        /// The time window; output times outside are ignored.
        window: (f64, f64),
    },
    /// The time of the n-th occurrence of an event, counted from 0.
    Event(String, usize),
    /// A formula of all measures, in their order.
    Formula(Program),
}

/// A statistic of a function of time that is sampled at output times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Take {
    /// The last value.
    Final,
    /// The first value.
    Initial,
    /// The value at a time, interpolated linearly between output times.
    At(f64),
    /// The minimum.
    Min,
    /// The maximum.
    Max,
    /// The maximum minus the minimum.
    Range,
    /// The mean over time, by the trapezoidal rule.
    Mean,
    /// The root mean square over time, by the trapezoidal rule.
    Rms,
    /// The integral over time, by the trapezoidal rule.
    Integral,
    /// The time of the minimum.
    TimeOfMin,
    /// The time of the maximum.
    TimeOfMax,
}

/// A measure before its formulas are compiled.
struct DeclaredMeasure<'t> {
    name: String,
    reader: SectionReader<'t>,
}

/// Reads every `[[measure]]`, and determines the order of evaluation of those that are formulas of others.
pub(super) fn measures<'t>(
    tables: &[&'t Table],
    measure_names: Vec<String>,
    signals: &Signals<'_>,
    names: &NameIndex,
    context: &Context<'t>,
) -> Measures {
    let declared: Vec<DeclaredMeasure<'t>> = tables
        .iter()
        .zip(measure_names)
        .map(|(table, name)| DeclaredMeasure {
            name,
            reader: SectionReader::new(&keys::MEASURE, table, context.diagnostics),
        })
        .collect();
    let mut made: Vec<Option<(Option<Dimension>, MeasureKind)>> = declared
        .iter()
        .map(|measure| by_itself(&measure.reader, signals, names, context))
        .collect();
    let order = formulas(&declared, &mut made, context);
    let list = declared
        .into_iter()
        .zip(made)
        .filter_map(|(DeclaredMeasure { name, reader }, made)| {
            // the name is read with those of all elements
            let _ = reader.get("name");
            let field = reader.get("unit");
            let given = si_unit(&field, context);
            let place = reader.span();
            reader.finish();
            let (dimension, kind) = made?;
            if let (Some((_, wanted)), Some(found)) = (&given, dimension)
                && *wanted != found
            {
                let problem = format!(
                    "is the unit of {}; the measure is {}",
                    wanted.describe(),
                    found.describe()
                );
                field.error("wrong-unit", &problem, "", None);
            }
            let is_formula = matches!(kind, MeasureKind::Formula(_));
            if is_formula && dimension.is_none() && !field.is_present() {
                let message = format!(
                    "the unit of measure {} cannot be derived from its formula: a bare number may have any unit",
                    shown(&name)
                );
                let warning = Diagnostic::warning("unknown-unit", message)
                    .at(place, "")
                    .help("add its unit, e.g. unit = \"m\", or unit = \"1\" for none");
                context.diagnostics.push(warning);
            }
            Some(Measure {
                name,
                unit: given.map_or_else(|| unit_of(dimension), |(unit, _)| unit),
                kind,
            })
        })
        .collect();
    Measures { list, order }
}

/// The measures of a run.
#[derive(Clone, Debug, Default)]
pub struct Measures {
    /// All measures, in the order of the file.
    pub list: Vec<Measure>,
    /// The indices of those that are formulas, each after the ones it reads.
    pub order: Vec<usize>,
}

impl Measures {
    /// The names that formulas of measures can read; an unknown dimension is `None`.
    pub(super) fn locals(&self) -> Vec<LocalName> {
        let local = |measure: &Measure| LocalName {
            name: measure.name.clone(),
            dimension: super::values::dimension_of(&measure.unit).filter(|_| measure.unit != "1"),
            whole: true,
        };
        self.list.iter().map(local).collect()
    }
}

/// The unit of a number with this dimension.
pub(super) fn unit_of(dimension: Option<Dimension>) -> String {
    match dimension {
        Some(dimension) if !dimension.is_none() => dimension.si_unit(),
        _ => "1".to_owned(),
    }
}

/// Declares the names of all measures.
pub(super) fn measure_names<'t>(
    tables: &[&'t Table],
    names: &mut NameIndex,
    context: &Context<'t>,
) -> Vec<String> {
    let read = tables.iter().map(|table| {
        let reader = SectionReader::new(&keys::MEASURE, table, context.diagnostics);
        let name = names.declare(&reader, "name", ElementFamily::Measure, context);
        names.settle(&name, 0);
        name
    });
    read.collect()
}

/// A measure of a signal or an event; `None` for a formula of others, or after an error.
fn by_itself<'t>(
    reader: &SectionReader<'t>,
    signals: &Signals<'_>,
    names: &NameIndex,
    context: &Context<'t>,
) -> Option<(Option<Dimension>, MeasureKind)> {
    let given: Vec<&'static str> = ["of", "event", "value"]
        .into_iter()
        .filter(|key| reader.has(key))
        .collect();
    match given.as_slice() {
        ["of"] => {
            refuse(reader, &["which"], "applies only to `event`");
            taken(reader, signals, context)
        }
        ["event"] => {
            refuse(
                reader,
                &["take", "at", "from", "to"],
                "applies only to `of`",
            );
            event(reader, names, context)
        }
        ["value"] => {
            refuse(
                reader,
                &["take", "at", "from", "to"],
                "applies only to `of`",
            );
            refuse(reader, &["which"], "applies only to `event`");
            None
        }
        [] => {
            if !["of", "event", "value"]
                .iter()
                .any(|key| reader.is_misspelt(key))
            {
                let message = format!("{} needs one of `of`, `event` and `value`", reader.what());
                let help = "write of = \"slider.x\" with take = \"max\", event = \"NAME\", or value = \"2*NAME\" with another measure";
                let place = (reader.span(), "");
                context.error("missing-key", message, place, Some(help.to_owned()));
            }
            None
        }
        [_, others @ ..] => {
            for key in others {
                let help = "keep one of `of`, `event` and `value`".to_owned();
                let problem = format!("conflicts with `{}`", given[0]);
                reader.get(key).error("conflict", &problem, "", Some(help));
            }
            None
        }
    }
}

fn refuse(reader: &SectionReader<'_>, keys: &[&'static str], problem: &str) {
    for key in keys {
        let field = reader.get(key);
        if field.is_present() {
            field.error("conflict", problem, "", Some("leave it out".to_owned()));
        }
    }
}

fn taken<'t>(
    reader: &SectionReader<'t>,
    signals: &Signals<'_>,
    context: &Context<'t>,
) -> Option<(Option<Dimension>, MeasureKind)> {
    let reads = Reads::Signals(signals, Stage::Acceleration, "a measure");
    let formula = context.formula(&reader.get("of"), reads, None);
    let word = reader.get("take").one_of(TAKES);
    let word = if reader.has("take") {
        word.map(|word| word.value)
    } else {
        Some("final")
    };
    let at = reader.get("at");
    let time = context.number(&at, "s");
    if word.is_some_and(|word| word != "at") {
        refuse(reader, &["at"], "applies only to take = \"at\"");
    } else if word == Some("at") {
        refuse(reader, &["from", "to"], "does not apply to take = \"at\"");
        if !at.is_present() {
            let _ = reader.require("at", "at = \"0.5 s\"");
        }
    }
    let (from, to) = (reader.get("from"), reader.get("to"));
    let window = (
        context.number(&from, "s").unwrap_or(f64::NEG_INFINITY),
        context.number(&to, "s").unwrap_or(f64::INFINITY),
    );
    if window.0 >= window.1 {
        let label = format!("`from` is {} s", window.0);
        to.error("bad-value", "must be after `from`", &label, None);
    }
    let formula = formula?;
    let own = formula.program.dimension();
    let (take, dimension) = match word? {
        "final" => (Take::Final, own),
        "initial" => (Take::Initial, own),
        "at" => (Take::At(time?), own),
        "min" => (Take::Min, own),
        "max" => (Take::Max, own),
        "range" => (Take::Range, own),
        "mean" => (Take::Mean, own),
        "rms" => (Take::Rms, own),
        "integral" => (
            Take::Integral,
            own.and_then(|own| own.times(Dimension::TIME)),
        ),
        "time-of-min" => (Take::TimeOfMin, Some(Dimension::TIME)),
        _ => (Take::TimeOfMax, Some(Dimension::TIME)),
    };
    let law = formula.into_law();
    Some((dimension, MeasureKind::Taken { law, take, window }))
}

fn event<'t>(
    reader: &SectionReader<'t>,
    names: &NameIndex,
    context: &Context<'t>,
) -> Option<(Option<Dimension>, MeasureKind)> {
    let which = reader.get("which");
    let count = which.integer().map_or(1, |which| which.value);
    if count < 1 {
        which.error(
            "bad-value",
            "must be 1 or more",
            &format!("is {count}"),
            None,
        );
    }
    let field = reader.get("event");
    let name = field.string()?;
    let _ = names.element(ElementFamily::Event, name, &field.what(), context)?;
    let which = usize::try_from(count.max(1) - 1).unwrap_or(usize::MAX);
    Some((
        Some(Dimension::TIME),
        MeasureKind::Event(name.value.to_owned(), which),
    ))
}

/// Compiles the measures that are formulas of others. Returns the order of evaluation.
fn formulas<'t>(
    declared: &[DeclaredMeasure<'t>],
    made: &mut [Option<(Option<Dimension>, MeasureKind)>],
    context: &Context<'t>,
) -> Vec<usize> {
    let index: BTreeMap<&str, usize> = declared
        .iter()
        .enumerate()
        .map(|(k, measure)| (measure.name.as_str(), k))
        .collect();
    let is_formula = |k: usize| declared[k].reader.has("value") && made_by_formula(&declared[k]);
    let depends: Vec<Vec<usize>> = (0..declared.len())
        .map(|k| {
            let field = declared[k].reader.get("value");
            let text = field.value().and_then(|value| value.as_str());
            let ast = text
                .filter(|_| is_formula(k))
                .and_then(|t| expr::parse(t).ok());
            let names = ast.as_ref().map_or(Vec::new(), expr::Ast::names);
            let known = names.into_iter();
            known.filter_map(|name| index.get(name).copied()).collect()
        })
        .collect();
    let found = order(&depends);
    for circle in &found.circles {
        let field = declared[circle[0]].reader.get("value");
        let message = if circle.len() == 1 {
            format!("measure {} reads itself", shown(&declared[circle[0]].name))
        } else {
            let names = circle.iter().map(|&k| declared[k].name.as_str());
            format!("measures form an algebraic loop: {}", circle_text(names))
        };
        let error = Diagnostic::error("circle", message).help("remove one of these references");
        context.diagnostics.push(match field.span() {
            Some(span) => error.at(span, ""),
            None => error,
        });
    }
    let formulas: Vec<usize> = (found.order.into_iter())
        .filter(|&k| is_formula(k))
        .collect();
    for &k in &formulas {
        let locals: Vec<LocalName> = declared
            .iter()
            .zip(made.iter())
            .map(|(measure, made)| LocalName {
                name: measure.name.clone(),
                dimension: made.as_ref().and_then(|(dimension, _)| *dimension),
                whole: made.is_some(),
            })
            .collect();
        let formula = of_measures(&declared[k].reader.get("value"), &locals, context);
        made[k] = formula.map(|program| (program.dimension(), MeasureKind::Formula(program)));
    }
    formulas
}

/// Returns `true` if a measure is defined by a formula only.
fn made_by_formula(measure: &DeclaredMeasure<'_>) -> bool {
    !measure.reader.has("of") && !measure.reader.has("event")
}

/// A formula of measures.
pub(super) fn of_measures<'t>(
    field: &DocumentField<'t>,
    locals: &[LocalName],
    context: &Context<'t>,
) -> Option<Program> {
    let formula = context.formula(field, Reads::Local(locals), None)?;
    if formula.program.uses_time() {
        let problem = "cannot depend on time: a measure is one number per run";
        let names = locals.iter().map(|local| local.name.as_str());
        let help = nearest("", names, "write a [[measure]] first");
        field.error("formula", problem, "", Some(help));
        return None;
    }
    Some(formula.program)
}
