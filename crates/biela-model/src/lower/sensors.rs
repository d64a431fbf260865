//! Sensors and events: formulas of signals.

use std::collections::BTreeMap;

use biela_core::model::{Crossing, Event, EventAction, Law, Model, Sensor, Stage};

use super::formula::Reads;
use super::keys::{self, ACTIONS, CROSSINGS};
use super::names::{ElementFamily, NameIndex};
use super::order::{circle_text, order, too_heavy};
use super::reader::SectionReader;
use super::signals::{Sensed, Signals};
use super::values::Context;
use crate::diagnostic::{Diagnostic, shown};
use crate::document::{DocumentField, Table};
use crate::expr;
use crate::units::{Dimension, Unit};

/// A sensor before its formula is compiled.
pub(super) struct DeclaredSensor<'t> {
    name: String,
    value: DocumentField<'t>,
    unit: Option<(String, Dimension)>,
    unit_is_wrong: bool,
}

/// Reads every `[[sensor]]` except its formula, and adds it to the model.
pub(super) fn declare<'t>(
    tables: &[&'t Table],
    model: &mut Model,
    names: &mut NameIndex,
    context: &Context<'t>,
) -> Vec<DeclaredSensor<'t>> {
    let mut declared = Vec::new();
    for table in tables {
        let reader = SectionReader::new(&keys::SENSOR, table, context.diagnostics);
        let name = names.declare(&reader, "name", ElementFamily::Sensor, context);
        let value = reader.require("value", "value = \"hypot(body1.vx, body1.vy)\"");
        let unit_field = reader.get("unit");
        let unit = si_unit(&unit_field, context);
        model.sensors.push(Sensor {
            name: name.clone(),
            origin: context.origin(reader.span()),
            unit: String::new(),
            law: Law::Constant(0.0),
        });
        declared.push(DeclaredSensor {
            name,
            value,
            unit_is_wrong: unit_field.is_present() && unit.is_none(),
            unit,
        });
        reader.finish();
    }
    declared
}

/// An SI unit, so that values are shown as they are computed.
pub(super) fn si_unit<'t>(
    field: &DocumentField<'t>,
    context: &Context<'t>,
) -> Option<(String, Dimension)> {
    let text = field.string()?;
    if matches!(text.value, "" | "1") {
        return Some(("1".to_owned(), Dimension::NONE));
    }
    match Unit::parse(text.value) {
        Ok(unit) if unit.factor == 1.0 => Some((text.value.to_owned(), unit.dimension)),
        Ok(unit) => {
            let si = unit.dimension.si_unit();
            let si = if si.is_empty() { "rad".to_owned() } else { si };
            let help = format!("write \"{si}\"; results are in SI units");
            field.error("bad-unit", "must be an SI unit", "", Some(help));
            None
        }
        Err(error) => {
            let message = format!("{}: {}", field.what(), error.message);
            context.error(
                "bad-unit",
                message,
                (text.inside(error.span), ""),
                error.help,
            );
            None
        }
    }
}

/// Compiles the formulas of all sensors, each after those that it reads.
pub(super) fn sensors<'t>(
    declared: &[DeclaredSensor<'t>],
    model: &mut Model,
    signals: &mut Signals<'_>,
    context: &Context<'t>,
) {
    let index: BTreeMap<&str, usize> = declared
        .iter()
        .enumerate()
        .map(|(k, sensor)| (sensor.name.as_str(), k))
        .collect();
    let depends: Vec<Vec<usize>> = declared
        .iter()
        .map(|sensor| {
            let text = sensor.value.value().and_then(|value| value.as_str());
            let ast = text.and_then(|text| expr::parse(text).ok());
            let names = ast.as_ref().map_or(Vec::new(), expr::Ast::names);
            names
                .into_iter()
                .filter_map(|name| index.get(name).copied())
                .collect()
        })
        .collect();
    let found = order(&depends);
    for circle in &found.circles {
        let message = if circle.len() == 1 {
            let name = shown(&declared[circle[0]].name);
            format!("sensor {name} reads itself")
        } else {
            let circle = circle_text(circle.iter().map(|&k| declared[k].name.as_str()));
            format!("sensors form an algebraic loop: {circle}")
        };
        let error = Diagnostic::error("circle", message).help("remove one of these references");
        context
            .diagnostics
            .push(match declared[circle[0]].value.span() {
                Some(span) => error.at(span, ""),
                None => error,
            });
    }
    let heavy = too_heavy(&depends, &found.order);
    for &k in &found.order {
        let sensor = &declared[k];
        if heavy[k] {
            let problem = "has too long a chain of sensors that read sensors";
            let help = "write the formula with fewer sensors in a chain".to_owned();
            sensor.value.error("too-deep", problem, "", Some(help));
            continue;
        }
        let reads = Reads::Signals(signals, Stage::Acceleration, "a sensor");
        let wanted = sensor.unit.as_ref().map(|(_, dimension)| *dimension);
        let formula = context.formula(&sensor.value, reads, wanted);
        let Some(formula) = formula else { continue };
        let dimension = wanted.or(formula.program.dimension());
        model.sensors[k].unit = match (&sensor.unit, dimension) {
            (Some((unit, _)), _) => unit.clone(),
            (None, Some(dimension)) if !dimension.is_none() => dimension.si_unit(),
            _ => "1".to_owned(),
        };
        let stage = formula.stage;
        model.sensors[k].law = formula.into_law();
        if !sensor.unit_is_wrong {
            signals.add_sensor(
                &sensor.name,
                Sensed {
                    index: k,
                    dimension,
                    stage,
                },
            );
        }
    }
}

/// Reads every `[[event]]`; names are declared first, so that duplicates are found.
pub(super) fn events<'t>(
    tables: &[&'t Table],
    event_names: Vec<String>,
    model: &mut Model,
    signals: &Signals<'_>,
    context: &Context<'t>,
) {
    for (table, name) in tables.iter().zip(event_names) {
        let reader = SectionReader::new(&keys::EVENT, table, context.diagnostics);
        let when = reader.require("when", "when = \"slider.x - 0.5\"");
        let reads = Reads::Signals(signals, Stage::Acceleration, "an event");
        let formula = context.formula(&when, reads, None);
        let crossing = match reader
            .get("crossing")
            .one_of(CROSSINGS)
            .map(|word| word.value)
        {
            Some("rising") => Crossing::Rising,
            Some("falling") => Crossing::Falling,
            _ => Crossing::Any,
        };
        let action = match reader.get("action").one_of(ACTIONS).map(|word| word.value) {
            Some("stop") => EventAction::Stop,
            _ => EventAction::Mark,
        };
        if let Some(formula) = formula {
            if formula.program.constant().is_some() {
                let help =
                    "write a formula that changes sign, such as \"slider.x - 0.5\"".to_owned();
                when.error(
                    "never-crosses",
                    "never crosses zero",
                    "this is a constant",
                    Some(help),
                );
            }
            warn_of_comparison(&when, &formula.program, context);
            model.events.push(Event {
                name,
                origin: context.origin(reader.span()),
                law: formula.into_law(),
                crossing,
                action,
            });
        }
        reader.finish();
    }
}

/// Warns of a comparison as an event function: it is 0 or 1 and has no zero crossing.
fn warn_of_comparison<'t>(
    when: &DocumentField<'t>,
    program: &expr::Program,
    context: &Context<'t>,
) {
    let text = when
        .value()
        .and_then(|value| value.as_str())
        .unwrap_or_default();
    let compares = program.continuity() == expr::Continuity::Jump && text.contains(['<', '>']);
    if let (true, Some(span)) = (compares, when.span()) {
        context.warning(
            "comparison",
            format!(
                "{} is a comparison: it is 0 or 1 and never crosses zero",
                when.what()
            ),
            (span, ""),
            "to detect the time at which a exceeds b write \"a - b\" with crossing = \"rising\"",
        );
    }
}

/// Declares the names of all events.
pub(super) fn event_names<'t>(
    tables: &[&'t Table],
    names: &mut NameIndex,
    context: &Context<'t>,
) -> Vec<String> {
    let read = tables.iter().map(|table| {
        let reader = SectionReader::new(&keys::EVENT, table, context.diagnostics);
        let name = names.declare(&reader, "name", ElementFamily::Event, context);
        names.settle(&name, 0);
        name
    });
    read.collect()
}
