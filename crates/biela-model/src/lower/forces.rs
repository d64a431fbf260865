//! Forces. Their laws may read signals of other forces, so they are created twice: first with a placeholder for every law, which defines the names of all
//! signals, then with the laws themselves.

use biela_core::element::FieldValue;
use biela_core::forces::{self, FORCES};
use biela_core::model::{ForceElement, ForceIndex, ForceQuantity, Law, Model, Signal, Stage};

use super::fields::{ReadFields, describe, read, report_argument};
use super::formula::Reads;
use super::keys;
use super::names::{ElementFamily, NameIndex};
use super::order::{circle_text, order, too_heavy};
use super::reader::SectionReader;
use super::signals::Signals;
use super::values::{Context, dimension_of};
use crate::diagnostic::{Diagnostic, Span};
use crate::document::Table;

/// A force of the model whose laws are not yet compiled.
pub(super) struct Pending<'t> {
    reader: SectionReader<'t>,
    kind: &'static str,
    read: ReadFields<'t>,
    /// Index in the model; `None` if it could not be created.
    index: Option<usize>,
}

/// Reads every `[[force]]` except its laws.
pub(super) fn forces<'t>(
    tables: &[&'t Table],
    model: &mut Model,
    names: &mut NameIndex,
    context: &Context<'t>,
) -> Vec<Pending<'t>> {
    let mut pending = Vec::new();
    for table in tables {
        let reader = SectionReader::new(&keys::FORCE, table, context.diagnostics);
        let name = names.declare(&reader, "name", ElementFamily::Force, context);
        let Some(info) = describe(&reader, FORCES, "type = \"torque\"", context) else {
            reader.finish();
            continue;
        };
        let read = read(&reader, info, (names, model), context);
        let made = if read.whole {
            forces::build(info.name, &read.arguments)
        } else {
            None
        };
        let index = made.and_then(|made| match made {
            Ok(force) => {
                names.settle(&name, model.forces.len());
                let index = model.add_force(name, force).0;
                model.forces[index].origin = context.origin(reader.span());
                Some(index)
            }
            Err(error) => {
                report_argument(&reader, &error, context);
                None
            }
        });
        pending.push(Pending {
            reader,
            kind: info.name,
            read,
            index,
        });
    }
    pending
}

/// Compiles the laws and replaces the placeholders.
pub(super) fn laws<'t>(
    mut pending: Vec<Pending<'t>>,
    model: &mut Model,
    signals: &Signals<'_>,
    context: &Context<'t>,
) {
    let reads = Reads::Signals(signals, Stage::Velocity, "a force");
    for force in &mut pending {
        let mut whole = true;
        for deferred in &force.read.deferred {
            let wanted = dimension_of(deferred.unit);
            let laws: Vec<Option<Law>> = deferred
                .fields
                .iter()
                .map(|field| {
                    context
                        .formula(field, reads, wanted)
                        .map(super::formula::Formula::into_law)
                })
                .collect();
            let Some(mut laws) = laws.into_iter().collect::<Option<Vec<Law>>>() else {
                whole = false;
                continue;
            };
            let value = if deferred.list {
                FieldValue::Laws(laws)
            } else {
                FieldValue::Law(laws.pop().unwrap_or(Law::Constant(0.0)))
            };
            force.read.arguments.set(deferred.name, value);
        }
        let Some(index) = force.index.filter(|_| whole) else {
            continue;
        };
        match forces::build(force.kind, &force.read.arguments) {
            Some(Ok(made)) => {
                if let Err(error) = made.check(model) {
                    report_argument(&force.reader, &error, context);
                }
                model.replace_force(ForceIndex(index), made);
            }
            Some(Err(error)) => report_argument(&force.reader, &error, context),
            None => {}
        }
    }
    check_circles(&pending, model, context);
    for force in pending {
        force.reader.finish();
    }
}

/// Reports algebraic loops: a force whose law depends on itself has no value.
fn check_circles(pending: &[Pending<'_>], model: &Model, context: &Context<'_>) {
    // forces first, then sensors
    let sensors = model.forces.len();
    let node = |signal: &Signal| match signal {
        Signal::Force(force, ForceQuantity::Measure(k)) => {
            let element = &model.forces[force.0].force;
            element.measure_follows_laws(*k).then_some(force.0)
        }
        Signal::Sensor(sensor) => Some(sensors + sensor),
        _ => None,
    };
    let nodes = |law: &Law| law.inputs().iter().filter_map(node).collect::<Vec<usize>>();
    let of_force = |force: &ForceElement| force.force.laws().into_iter().flat_map(nodes).collect();
    let mut depends: Vec<Vec<usize>> = model.forces.iter().map(of_force).collect();
    depends.extend(model.sensors.iter().map(|sensor| nodes(&sensor.law)));
    let found = order(&depends);
    let mut places: Vec<Option<Span>> = vec![None; sensors];
    for force in pending {
        let first = force
            .read
            .deferred
            .first()
            .and_then(|law| law.fields.first());
        if let (Some(index), Some(first)) = (force.index, first) {
            places[index] = first.span();
        }
    }
    let place = |at: &usize| places.get(*at).copied().flatten();
    let heavy = too_heavy(&depends, &found.order);
    for at in (0..sensors).filter(|&at| heavy[at]) {
        if let Some(span) = place(&at) {
            let message = format!(
                "force `{}`: the chain of forces that read forces is too long",
                model.forces[at].name
            );
            let help = "read positions, velocities or lengths instead of forces".to_owned();
            context.error("too-deep", message, (span, ""), Some(help));
        }
    }
    for circle in found.circles {
        let name = |at: &usize| match at.checked_sub(sensors) {
            Some(sensor) => model.sensors[sensor].name.as_str(),
            None => model.forces[*at].name.as_str(),
        };
        let Some(span) = circle.iter().find_map(place) else {
            continue;
        };
        let message = format!(
            "formulas form an algebraic loop: {}",
            circle_text(circle.iter().map(name))
        );
        context.diagnostics.push(
            Diagnostic::error("circle", message)
                .at(span, "depends on its own value")
                .help("read positions, velocities or lengths instead of forces"),
        );
    }
}
