//! Sampled controllers, defined by difference equations. Other formulas read their outputs as signals, so names are declared first and formulas are compiled
//! later.

use std::sync::Arc;

use biela_core::element::Info;
use biela_core::model::{
    ControllerElement, ControllerInput, ControllerOutput, Law, Model, SampledLaw, Stage,
    sampling_dependencies,
};

use super::fields::report_argument;
use super::formula::{Formula, LocalName, Reads};
use super::keys;
use super::names::{ElementFamily, NameIndex, name_problem};
use super::order::{circle_text, order};
use super::reader::SectionReader;
use super::sensors::si_unit;
use super::signals::Signals;
use super::values::Context;
use crate::diagnostic::{Diagnostic, Span, Spanned, shown};
use crate::document::{DocumentField, Table, TableReader, ValueKind};
use crate::expr::Program;
use crate::units::Dimension;

/// The maximum number of inputs, states and outputs of one controller.
const MOST_VALUES: usize = 128;

/// A named formula of a controller: a string, or a table with further keys.
struct Port<'t> {
    name: Spanned<&'t str>,
    /// The formula.
    value: DocumentField<'t>,
    table: Option<SectionReader<'t>>,
    unit: Option<(String, Dimension)>,
}

impl<'t> Port<'t> {
    /// The unit of numbers next to the formula; empty if any is allowed.
    fn unit(&self) -> &str {
        self.unit.as_ref().map_or("", |(unit, _)| unit)
    }

    fn dimension(&self) -> Option<Dimension> {
        self.unit.as_ref().map(|(_, dimension)| *dimension)
    }

    fn quantum(&self, context: &Context<'t>) -> Option<f64> {
        let table = self.table.as_ref()?;
        context.positive(&table.get("quantum"), self.unit())
    }

    fn output(&self, context: &Context<'t>) -> ControllerOutput {
        let field = |key| self.table.as_ref().map(|table| table.get(key));
        let initial = field("initial").and_then(|field| context.number(&field, self.unit()));
        let saturation = field("saturation");
        ControllerOutput {
            name: self.name.value.to_owned(),
            unit: if self.unit.is_some() {
                self.unit()
            } else {
                "1"
            }
            .to_owned(),
            initial: initial.unwrap_or(0.0),
            quantum: self.quantum(context),
            saturation: saturation.and_then(|field| context.tuple::<2>(&field, self.unit())),
        }
    }
}

/// A controller before its formulas are compiled.
pub(super) struct DeclaredController<'t> {
    reader: SectionReader<'t>,
    inputs: Vec<Port<'t>>,
    states: Vec<Port<'t>>,
    outputs: Vec<Port<'t>>,
}

/// The formulas of a controller. Values are numbered: inputs, then states, then outputs.
#[derive(Debug, Default)]
struct Formulas {
    outputs: Vec<Program>,
    states: Vec<Program>,
}

impl SampledLaw for Formulas {
    fn outputs(&self, time: f64, inputs: &[f64], states: &[f64], outputs: &mut [f64]) {
        let mut values = [0.0; MOST_VALUES];
        values[..inputs.len()].copy_from_slice(inputs);
        values[inputs.len()..inputs.len() + states.len()].copy_from_slice(states);
        for (output, program) in outputs.iter_mut().zip(&self.outputs) {
            *output = program.eval(time, &values);
        }
    }

    fn trouble(&self, time: f64, inputs: &[f64], states: &[f64]) -> Option<String> {
        let mut values = [0.0; MOST_VALUES];
        let (first, second) = (inputs.len(), inputs.len() + states.len());
        values[..first].copy_from_slice(inputs);
        values[first..second].copy_from_slice(states);
        for (k, program) in self.outputs.iter().enumerate() {
            values[second + k] = program.eval(time, &values);
        }
        let mut all = self.outputs.iter().chain(&self.states);
        all.find_map(|program| program.trouble(time, &values, |x| x.is_finite()))
    }

    fn advance(&self, time: f64, inputs: &[f64], outputs: &[f64], states: &mut [f64]) {
        let mut values = [0.0; MOST_VALUES];
        let (first, second) = (inputs.len(), inputs.len() + states.len());
        values[..first].copy_from_slice(inputs);
        values[first..second].copy_from_slice(states);
        values[second..second + outputs.len()].copy_from_slice(outputs);
        for (state, program) in states.iter_mut().zip(&self.states) {
            *state = program.eval(time, &values);
        }
    }
}

/// Reads every `[[controller]]` except its formulas, and adds it to the model.
pub(super) fn declare<'t>(
    tables: &[&'t Table],
    model: &mut Model,
    names: &mut NameIndex,
    context: &Context<'t>,
) -> Vec<DeclaredController<'t>> {
    let mut declared = Vec::new();
    for table in tables {
        let reader = SectionReader::new(&keys::CONTROLLER, table, context.diagnostics);
        let name = names.declare(&reader, "name", ElementFamily::Controller, context);
        let period = context.positive(&reader.require("period", "period = \"1 ms\""), "s");
        let seconds = |key| context.number(&reader.get(key), "s");
        let (offset, delay) = (seconds("offset"), seconds("delay"));
        let outputs = reader.require("outputs", "outputs = { torque = \"-20*angle\" }");
        let ports = DeclaredController {
            inputs: ports(&reader.get("inputs"), &keys::CONTROLLER_INPUT, context),
            states: ports(&reader.get("states"), &keys::CONTROLLER_STATE, context),
            outputs: ports(&outputs, &keys::CONTROLLER_OUTPUT, context),
            reader,
        };
        ports.check_names(context);
        names.settle(&name, model.controllers.len());
        model.controllers.push(ControllerElement {
            name,
            origin: context.origin(ports.reader.span()),
            period: period.unwrap_or(1.0),
            offset: offset.unwrap_or(0.0),
            delay: delay.unwrap_or(0.0),
            inputs: Vec::new(),
            states: Vec::new(),
            outputs: ports
                .outputs
                .iter()
                .map(|port| port.output(context))
                .collect(),
            law: Arc::new(Formulas::default()),
        });
        declared.push(ports);
    }
    declared
}

/// The named formulas below a key.
fn ports<'t>(field: &DocumentField<'t>, section: &Info, context: &Context<'t>) -> Vec<Port<'t>> {
    let Some(table) = field.table() else {
        return Vec::new();
    };
    let list = TableReader::new(table.value, &field.what(), &[], context.diagnostics);
    let key = section.fields[0].name;
    let port = |(name, field): (Spanned<&'t str>, DocumentField<'t>)| {
        let table = match field.value().map(|value| &value.kind) {
            Some(ValueKind::Table(table)) => {
                let what = field.what();
                Some(SectionReader::called(
                    &what,
                    section,
                    table,
                    context.diagnostics,
                ))
            }
            _ => None,
        };
        let value = match &table {
            Some(table) => table.require(key, &format!("{key} = \"2*angle\"")),
            None => field,
        };
        let unit = table.as_ref().map(|table| table.get("unit"));
        Port {
            name,
            value,
            unit: unit.and_then(|unit| si_unit(&unit, context)),
            table,
        }
    };
    list.fields().into_iter().map(port).collect()
}

impl<'t> DeclaredController<'t> {
    fn all(&self) -> impl Iterator<Item = &Port<'t>> {
        self.inputs.iter().chain(&self.states).chain(&self.outputs)
    }

    /// Checks that the names of a controller are unique, and neither a parameter nor reserved by the language.
    fn check_names(&self, context: &Context<'t>) {
        let mut seen: Vec<Spanned<&str>> = Vec::new();
        for port in self.all() {
            let name = port.name;
            if let Some(help) = name_problem(name.value, true) {
                let what = self.reader.what();
                let message = format!("{what}: a value cannot be called {}", shown(name.value));
                context.error("bad-name", message, (name.span, ""), Some(help));
            }
            let earlier = seen.iter().find(|other| other.value == name.value);
            let constant = context.constants.place(name.value).map(|(_, span)| span);
            if let Some(first) = earlier.map(|other| other.span).or(constant) {
                let message = format!("the name {} is used twice", shown(name.value));
                context.diagnostics.push(
                    Diagnostic::error("duplicate-name", message)
                        .at(name.span, "used again")
                        .also(first, "first used here")
                        .help("inputs, states and outputs need unique names, different from those of parameters"),
                );
            }
            seen.push(name);
        }
        let count = self.all().count();
        if count > MOST_VALUES {
            let message = format!(
                "{} has {count} inputs, states and outputs; at most {MOST_VALUES} are allowed",
                self.reader.what()
            );
            context.error("too-many-values", message, (self.reader.span(), ""), None);
        }
    }
}

/// Compiles the formulas of all controllers.
pub(super) fn laws<'t>(
    declared: &[DeclaredController<'t>],
    model: &mut Model,
    signals: &Signals<'_>,
    context: &Context<'t>,
) {
    for (controller, ports) in model.controllers.iter_mut().zip(declared) {
        let mut local: Vec<LocalName> = Vec::new();
        let mut name = |port: &Port<'_>, dimension, whole| {
            local.push(LocalName {
                name: port.name.value.to_owned(),
                dimension,
                whole,
            });
        };
        for port in &ports.inputs {
            let reads = Reads::Signals(signals, Stage::Run, "a controller");
            let wanted = port.dimension();
            let formula = context.formula(&port.value, reads, wanted);
            let dimension = wanted.or(formula.as_ref().and_then(|f| f.program.dimension()));
            name(port, dimension, formula.is_some());
            controller.inputs.push(ControllerInput {
                law: formula.map_or(Law::Constant(0.0), Formula::into_law),
                quantum: port.quantum(context),
            });
        }
        for port in &ports.states {
            let wanted = port.dimension();
            let initial = port.table.as_ref().map(|table| table.get("initial"));
            let formula = initial.and_then(|field| context.formula(&field, Reads::Nothing, wanted));
            let value = formula.as_ref().and_then(|f| f.program.constant());
            let dimension = wanted.or(formula.and_then(|f| f.program.dimension()));
            name(port, dimension, true);
            controller.states.push(value.unwrap_or(0.0));
        }
        let known = local.len();
        for port in &ports.outputs {
            let dimension = port.dimension();
            local.push(LocalName {
                name: port.name.value.to_owned(),
                dimension,
                whole: true,
            });
        }

        let mut formulas = Formulas::default();
        for (k, port) in ports.outputs.iter().enumerate() {
            let wanted = local[known + k].dimension;
            let formula = context.formula(&port.value, Reads::Local(&local[..known]), wanted);
            let Some(formula) = formula else { continue };
            local[known + k].dimension = wanted.or(formula.program.dimension());
            if let (None, Some(dimension)) = (wanted, local[known + k].dimension)
                && !dimension.is_none()
            {
                controller.outputs[k].unit = dimension.si_unit();
            }
            formulas.outputs.push(formula.program);
        }
        for (k, port) in ports.states.iter().enumerate() {
            let wanted = local[ports.inputs.len() + k].dimension;
            let formula = context.formula(&port.value, Reads::Local(&local), wanted);
            formulas.states.extend(formula.map(|f| f.program));
        }
        controller.law = Arc::new(formulas);
        if let Err(error) = controller.check() {
            report_argument(&ports.reader, &error, context);
        }
    }
}

/// Reports controllers that depend on each other's outputs at the same instant, and unknown keys.
pub(super) fn finish<'t>(
    declared: Vec<DeclaredController<'t>>,
    model: &Model,
    context: &Context<'t>,
) {
    let place = |c: usize| -> Span { declared[c].reader.key_span("inputs") };
    if !context.diagnostics.has_errors() {
        for circle in order(&sampling_dependencies(model)).circles {
            let name = |c: &usize| model.controllers[*c].name.as_str();
            let (message, help) = match circle.as_slice() {
                [own] => (
                    format!(
                        "controller {} reads its own output in the same sample",
                        shown(name(own))
                    ),
                    "store the previous value in a state, or give the controller a `delay`",
                ),
                _ => (
                    format!(
                        "controllers form an algebraic loop: {}",
                        circle_text(circle.iter().map(name))
                    ),
                    "give one of them a `delay`",
                ),
            };
            let help = Some(help.to_owned());
            context.error("circle", message, (place(circle[0]), ""), help);
        }
    }
    for controller in declared {
        let ports = controller.inputs.into_iter();
        for port in ports.chain(controller.states).chain(controller.outputs) {
            if let Some(table) = port.table {
                table.finish();
            }
        }
        controller.reader.finish();
    }
}
