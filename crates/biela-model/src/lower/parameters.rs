//! `[parameters]`, `--set` and `[table.NAME]`: constants and functions for formulas.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use super::Overrides;
use super::formula::{Reads, WrittenFormula, ambiguous_unit, compile};
use super::hard_points::AXES;
use super::keys::{self, EXTRAPOLATIONS, INTERPOLATIONS};
use super::names::{is_name, name_problem};
use super::order::{circle_text, order};
use super::reader::SectionReader;
use super::values::Context;
use super::values::in_hertz;
use crate::diagnostic::{Diagnostic, Diagnostics, SourceId, Sources, Span, Spanned, shown};
use crate::document::{DocumentField, TableReader, ValueKind};
use crate::expr::{
    self, Binding, Extrapolation, Interpolation, OutsideFunction, Program, TableError,
    TabulatedFunction,
};
use crate::suggest::did_you_mean;
use crate::units::{Dimension, Unit};

/// The name and the value of an overridden parameter.
pub(super) type Override<'t> = (Spanned<&'t str>, WrittenFormula<'t>);

/// Parameters and tables by name.
#[derive(Default)]
pub(super) struct Constants {
    parameters: Vec<ModelParameter>,
    index: BTreeMap<String, usize>,
    tables: BTreeMap<String, Tabled>,
    functions: BTreeMap<String, OutsideFunction>,
    /// Numbers of the model that were computed from formulas of parameters.
    derived: RefCell<Vec<(f64, Program)>>,
}

/// The parameters of a model, and the numbers computed from them.
#[derive(Clone, Debug, Default)]
pub struct Parameters {
    /// All parameters, in the order of the file.
    pub list: Vec<ParameterValue>,
    /// Every number that was computed from a formula of parameters, with the formula. Its inputs are the parameters in the order of the list.
    pub formulas: Vec<(f64, Program)>,
}

/// A parameter of a model.
#[derive(Clone, Debug)]
pub struct ParameterValue {
    /// Its name.
    pub name: String,
    /// Its value in SI units.
    pub value: f64,
    /// Its dimension, if its text defines one.
    pub dimension: Option<Dimension>,
    /// Its formula of other parameters, if it has one; the inputs are all parameters.
    pub formula: Option<Program>,
}

struct ModelParameter {
    name: String,
    /// The span of its key.
    span: Span,
    /// `None` if it is invalid, which was reported.
    value: Option<(f64, Option<Dimension>)>,
    /// Its formula of other parameters.
    formula: Option<Program>,
    used: Cell<bool>,
    /// Whether it is a coordinate of a hard point.
    of_point: bool,
    /// Whether it is a quantity in hertz, which is no angular velocity.
    hertz: bool,
}

struct Tabled {
    span: Span,
    table: Option<Arc<TabulatedFunction>>,
}

/// The meaning of a name among parameters and tables.
pub(super) enum NameMeaning {
    Binding(Binding),
    /// Its definition is invalid, which was reported.
    Broken,
    Unknown,
}

impl Constants {
    pub(super) fn find(&self, name: &str) -> NameMeaning {
        if let Some(&at) = self.index.get(name) {
            let parameter = &self.parameters[at];
            parameter.used.set(true);
            return match parameter.value {
                Some((value, dimension)) => {
                    NameMeaning::Binding(Binding::Constant { value, dimension })
                }
                None => NameMeaning::Broken,
            };
        }
        match self.tables.get(name) {
            Some(Tabled {
                table: Some(table), ..
            }) => NameMeaning::Binding(Binding::Table(Arc::clone(table))),
            Some(_) => NameMeaning::Broken,
            None => match self.functions.get(name) {
                Some(function) => NameMeaning::Binding(Binding::Outside(function.clone())),
                None => NameMeaning::Unknown,
            },
        }
    }

    /// Whether a parameter of this name is given in hertz.
    pub(super) fn is_in_hertz(&self, name: &str) -> bool {
        let at = self.index.get(name);
        at.is_some_and(|&at| self.parameters[at].hertz)
    }

    /// Whether there is a parameter of this name that may measure `dimension`; `unknown` is the answer if its text does not determine its dimension.
    pub(super) fn may_measure(&self, name: &str, dimension: Dimension, unknown: bool) -> bool {
        self.index.get(name).is_some_and(|&at| {
            let own = self.parameters[at].value.and_then(|(_, own)| own);
            own.map_or(unknown, |own| own == dimension)
        })
    }

    /// Adds external functions.
    pub(super) fn give(&mut self, functions: &BTreeMap<String, OutsideFunction>) {
        self.functions.clone_from(functions);
    }

    /// The formula with parameters as inputs, in their order; `None` if it has none, or is not smooth in them.
    fn open(&self, text: &str) -> Option<Program> {
        let ast = expr::parse(text).ok()?;
        let mut resolve = |name: &str| match self.index.get(name) {
            Some(&slot) => Some(Binding::Input {
                slot,
                dimension: self.parameters[slot].value?.1,
            }),
            None => match self.find(name) {
                NameMeaning::Binding(binding) => Some(binding),
                NameMeaning::Broken | NameMeaning::Unknown => None,
            },
        };
        let program = expr::compile(&ast, &mut resolve, &Vec::new).ok()?;
        (!program.input_slots().is_empty() && program.is_smooth()).then_some(program)
    }

    /// Records that a number was computed from a formula, if it has parameters.
    pub(super) fn remember(&self, text: &str, number: f64) {
        if let Some(program) = self.open(text) {
            self.derived.borrow_mut().push((number, program));
        }
    }

    /// The parameters after all elements are read.
    pub(super) fn summary(&self) -> Parameters {
        let known = |parameter: &ModelParameter| {
            let (value, dimension) = parameter.value?;
            Some(ParameterValue {
                name: parameter.name.clone(),
                value,
                dimension,
                formula: parameter.formula.clone(),
            })
        };
        Parameters {
            // a model without errors has a value for each
            list: self.parameters.iter().filter_map(known).collect(),
            formulas: self.derived.borrow().clone(),
        }
    }

    /// The names of the coordinates of hard points.
    pub(super) fn hard_points(&self) -> impl Iterator<Item = &str> + Clone {
        let points = self
            .parameters
            .iter()
            .filter(|parameter| parameter.of_point);
        points.map(|parameter| parameter.name.as_str())
    }

    /// The kind and span of a parameter or table with this name.
    pub(super) fn place(&self, name: &str) -> Option<(&'static str, Span)> {
        if let Some(&at) = self.index.get(name) {
            return Some(("parameter", self.parameters[at].span));
        }
        self.tables.get(name).map(|table| ("table", table.span))
    }

    /// The value and dimension of a parameter; `None` if there is none, or if it is invalid.
    pub(super) fn value(&self, name: &str) -> Option<(f64, Option<Dimension>)> {
        self.parameters[*self.index.get(name)?].value
    }

    /// The names of all parameters.
    pub(super) fn parameter_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.index.keys().map(String::as_str)
    }

    /// Whether there are parameters in the instance of a component that a path begins with.
    pub(super) fn have_path_of(&self, path: &str) -> bool {
        let Some((instance, _)) = path.rsplit_once('.') else {
            return false;
        };
        let below = format!("{instance}.");
        let mut from = self.index.range(below.clone()..);
        from.next()
            .is_some_and(|(name, _)| name.starts_with(&below))
    }

    /// The names of all tables.
    pub(super) fn table_names(&self) -> impl Iterator<Item = &str> {
        self.tables.keys().map(String::as_str)
    }

    /// All names.
    pub(super) fn names(&self) -> Vec<String> {
        self.index
            .keys()
            .chain(self.tables.keys())
            .chain(self.functions.keys())
            .cloned()
            .collect()
    }

    /// Warns of unused parameters of the main file.
    pub(super) fn warn_unused(&self, main: SourceId, diagnostics: &Diagnostics) {
        for parameter in &self.parameters {
            let used = parameter.used.get() || parameter.of_point;
            if !used && parameter.span.source == main {
                diagnostics.push(
                    Diagnostic::warning(
                        "unused-parameter",
                        format!("parameter {} is not used", shown(&parameter.name)),
                    )
                    .at(parameter.span, "never used")
                    .help("remove it, or use it in a formula"),
                );
            }
        }
    }
}

/// A parameter before it is computed.
struct ParameterDefinition<'t> {
    name: String,
    /// Whether it is a coordinate of a hard point.
    of_point: bool,
    key_span: Span,
    what: String,
    /// `None` if the value is a number, or was rejected.
    written: Option<WrittenFormula<'t>>,
    number: Option<f64>,
    /// The definition in the file, even if it is overridden.
    original: Option<WrittenFormula<'t>>,
    depends: Vec<usize>,
}

/// Computes all parameters and the coordinates of hard points, in the order of their dependencies.
pub(super) fn parameters<'t>(
    [field, points]: [&DocumentField<'t>; 2],
    overridden: &[Override<'t>],
    sources: &Sources,
    diagnostics: &'t Diagnostics,
) -> Constants {
    let mut definitions: Vec<ParameterDefinition<'t>> = Vec::new();
    if let Some(table) = field.table() {
        let reader = TableReader::new(table.value, "the parameters", &[], diagnostics);
        for (name, value) in reader.fields() {
            if let Some(help) = name_problem(sources.local(name), true) {
                let message = format!("a parameter cannot be called {}", shown(name.value));
                let error = Diagnostic::error("bad-name", message);
                diagnostics.push(error.at(name.span, "").help(help));
            }
            let what = format!("parameter {}", shown(name.value));
            let of_parameter =
                definition(name.value.to_owned(), name.span, what, &value, diagnostics);
            definitions.push(of_parameter);
        }
        reader.finish();
    }
    coordinates(points, &mut definitions, diagnostics);
    let index: BTreeMap<String, usize> = definitions
        .iter()
        .enumerate()
        .map(|(at, definition)| (definition.name.clone(), at))
        .collect();
    for (name, written) in overridden {
        let Some(&at) = index.get(name.value) else {
            unknown_parameter(name, &index, diagnostics);
            continue;
        };
        let fits = check_override(&definitions[at], written, diagnostics);
        definitions[at].written = fits.then_some(*written);
        definitions[at].number = None;
    }
    for at in 0..definitions.len() {
        let Some(written) = definitions[at].written else {
            continue;
        };
        if let Ok(ast) = expr::parse(written.text) {
            let names = ast.names().into_iter();
            definitions[at].depends = names.filter_map(|name| index.get(name).copied()).collect();
        }
    }
    compute(&definitions, diagnostics)
}

fn compute(definitions: &[ParameterDefinition<'_>], diagnostics: &Diagnostics) -> Constants {
    let depends: Vec<Vec<usize>> = definitions.iter().map(|d| d.depends.clone()).collect();
    let found = order(&depends);
    for circle in &found.circles {
        let first = &definitions[circle[0]];
        let message = if circle.len() == 1 {
            format!("parameter {} depends on itself", shown(&first.name))
        } else {
            let names = circle.iter().map(|&at| definitions[at].name.as_str());
            let circle = circle_text(names);
            format!("parameters depend on one another in a cycle: {circle}")
        };
        let span = first.written.map_or(first.key_span, |written| written.span);
        let mut error = Diagnostic::error("circle", message).at(span, "");
        for &at in circle.iter().skip(1).take(3) {
            error = error.also(definitions[at].key_span, "");
        }
        let help = if circle.len() == 1 {
            "give it a number, or a formula of other parameters"
        } else {
            "give one of them a number"
        };
        diagnostics.push(error.help(help));
    }
    let mut constants = Constants::default();
    for definition in definitions {
        let _ = constants
            .index
            .insert(definition.name.clone(), constants.parameters.len());
        constants.parameters.push(ModelParameter {
            name: definition.name.clone(),
            of_point: definition.of_point,
            span: definition.key_span,
            value: definition.number.map(|number| (number, None)),
            formula: None,
            used: Cell::new(false),
            hertz: (definition.written.as_ref()).is_some_and(|w| in_hertz(w.text).is_some()),
        });
    }
    for at in found.order {
        let definition = &definitions[at];
        let Some(written) = &definition.written else {
            continue;
        };
        let formula = compile(
            written,
            &definition.what,
            &constants,
            Reads::Nothing,
            None,
            diagnostics,
        );
        let Some(formula) = formula else {
            constants.parameters[at].value = None;
            continue;
        };
        let dimension = formula.program.dimension();
        constants.parameters[at].value = formula.program.constant().map(|value| (value, dimension));
        constants.parameters[at].formula = constants.open(written.text);
        if constants.parameters[at].value.is_none() {
            diagnostics.push(
                Diagnostic::error(
                    "not-constant",
                    format!("{}: a parameter cannot depend on time", definition.what),
                )
                .at(written.span, "")
                .help("use `t` in the formula that reads the parameter"),
            );
        }
    }
    // quantities have no dependencies, so they were read before all parameters were known
    for (definition, parameter) in definitions.iter().zip(&constants.parameters) {
        let quantity =
            |w: &WrittenFormula<'_>| expr::parse(w.text).is_ok_and(|ast| ast.is_quantity());
        let Some(written) = definition.written.filter(quantity) else {
            continue;
        };
        if let (Some(_), Some(error)) = (
            parameter.value,
            ambiguous_unit(written.text, true, &constants),
        ) {
            let message = format!("{}: {}", definition.what, error.message);
            diagnostics.push(
                Diagnostic::error("ambiguous-unit", message)
                    .at(written.place(error.span), "")
                    .maybe_help(error.help),
            );
        }
    }
    constants
}

/// Adds the coordinates of hard points, which are parameters with a dimension of length.
fn coordinates<'t>(
    points: &DocumentField<'t>,
    definitions: &mut Vec<ParameterDefinition<'t>>,
    diagnostics: &'t Diagnostics,
) {
    let Some(table) = points.table() else { return };
    let reader = TableReader::new(table.value, "the hard points", &[], diagnostics);
    for (name, value) in reader.fields() {
        for (item, axis) in value.array().into_iter().flat_map(|a| a.value).zip(AXES) {
            let what = format!("coordinate {axis} of hard point {}", shown(name.value));
            let own = format!("{}.{axis}", name.value);
            let mut coordinate = definition(own, name.span, what, &item, diagnostics);
            coordinate.of_point = true;
            definitions.push(coordinate);
        }
    }
    reader.finish();
}

fn definition<'t>(
    name: String,
    key_span: Span,
    what: String,
    field: &DocumentField<'t>,
    diagnostics: &Diagnostics,
) -> ParameterDefinition<'t> {
    let mut definition = ParameterDefinition {
        name,
        of_point: false,
        key_span,
        what,
        written: None,
        number: None,
        original: None,
        depends: Vec::new(),
    };
    match field.value().map(|value| (&value.kind, value.span)) {
        Some((ValueKind::String(text), span)) => {
            let written = WrittenFormula {
                text,
                span,
                quoted: true,
            };
            (definition.written, definition.original) = (Some(written), Some(written));
        }
        Some((ValueKind::Integer(_) | ValueKind::Float(_), _)) => {
            definition.number = field.number().map(|number| number.value);
        }
        Some((_, span)) => {
            let kind = field.value().map_or("", |value| value.kind_name());
            diagnostics.push(
                Diagnostic::error("wrong-type", format!("{} must be a number", definition.what))
                    .at(span, format!("this is {kind}"))
                    .help("write a number, a quantity such as \"12 mm\", or a formula of other parameters"),
            );
        }
        None => {}
    }
    definition
}

fn unknown_parameter(
    name: &Spanned<&str>,
    index: &BTreeMap<String, usize>,
    diagnostics: &Diagnostics,
) {
    let known = || index.keys().map(String::as_str);
    let help = match did_you_mean(name.value, known()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if index.is_empty() => "the model has no parameters".to_owned(),
        None => {
            let names: Vec<&str> = known().take(12).collect();
            format!("its parameters are {}", names.join(", "))
        }
    };
    diagnostics.push(
        Diagnostic::error(
            "unknown-parameter",
            format!("the model has no parameter {}", shown(name.value)),
        )
        .at(name.span, "")
        .help(help),
    );
}

/// Compares an override with the definition in the file. A different dimension is rejected, a missing unit is a warning.
fn check_override(
    definition: &ParameterDefinition<'_>,
    written: &WrittenFormula<'_>,
    diagnostics: &Diagnostics,
) -> bool {
    let nothing = Constants::default();
    let quiet = Diagnostics::new();
    let dimension = |written: &WrittenFormula<'_>| {
        let formula = compile(written, "", &nothing, Reads::Nothing, None, &quiet)?;
        formula.program.dimension()
    };
    let Some(original) = definition.original else {
        return true;
    };
    let Some(expected) = dimension(&original) else {
        return true;
    };
    let found = dimension(written);
    if let Some(found) = found.filter(|found| *found != expected) {
        let name = shown(&definition.name);
        let (found, expected) = (found.predicate(), expected.describe());
        let message = format!("parameter {name} {found}; in the model it is {expected}");
        diagnostics.push(
            Diagnostic::error("wrong-unit", message)
                .at(written.span, "")
                .also(original.span, "defined here"),
        );
        return false;
    }
    let is_bare = found.is_none() && written.text.trim().parse::<f64>().is_ok();
    if is_bare && unit_of(original.text).is_some_and(|unit| unit.factor != 1.0) {
        let si = match expected.si_unit() {
            none if none.is_empty() => "rad, or a plain number".to_owned(),
            si => si,
        };
        let name = shown(&definition.name);
        diagnostics.push(
            Diagnostic::warning(
                "bare-number",
                format!("{name} is set to a number without a unit"),
            )
            .at(written.span, format!("a bare number is in SI: {si}"))
            .also(original.span, "the model gives a unit")
            .help("write the unit too"),
        );
    }
    true
}

/// The unit of a text that is a number and a unit.
fn unit_of(text: &str) -> Option<Unit> {
    let text = text.trim();
    text.char_indices()
        .map(|(at, _)| text.split_at(at))
        .filter(|(number, _)| number.trim().parse::<f64>().is_ok())
        .find_map(|(_, unit)| Unit::parse(unit.trim()).ok())
}

/// Reads `[table.NAME]` into the constants.
pub(super) fn tables<'t>(field: &DocumentField<'t>, context: &mut Context<'t>) {
    let Some(all) = field.table() else { return };
    let reader = TableReader::new(all.value, "the tables", &[], context.diagnostics);
    for (name, value) in reader.fields() {
        if let Some(help) = name_problem(context.sources.local(name), true) {
            let message = format!("a table cannot be called {}", shown(name.value));
            context.error("bad-name", message, (name.span, ""), Some(help));
        }
        if let Some((kind, first)) = context.constants.place(name.value) {
            let message = format!("the name {} is used twice", shown(name.value));
            context.diagnostics.push(
                Diagnostic::error("duplicate-name", message)
                    .at(name.span, "a table")
                    .also(first, format!("a {kind}")),
            );
        }
        let table = value
            .table()
            .and_then(|table| one_table(name.value, table.value, context));
        let tabled = Tabled {
            span: name.span,
            table: table.map(Arc::new),
        };
        let _ = context
            .constants
            .tables
            .insert(name.value.to_owned(), tabled);
    }
    reader.finish();
}

fn one_table<'t>(
    name: &str,
    table: &'t crate::document::Table,
    context: &Context<'t>,
) -> Option<TabulatedFunction> {
    let what = format!("table {}", shown(name));
    let reader = SectionReader::called(&what, &keys::TABLE, table, context.diagnostics);
    let x = reader.require("x", "x = [0, 1, 2]");
    let y = reader.require("y", "y = [0, 0.5, 2]");
    let x_numbers = column(&x, &reader.get("x_unit"), context);
    let y_numbers = column(&y, &reader.get("y_unit"), context);
    let interpolation = match reader.get("interpolation").one_of(INTERPOLATIONS) {
        Some(word) if word.value == "cubic" => Interpolation::Cubic,
        _ => Interpolation::Linear,
    };
    let outside = match reader.get("outside").one_of(EXTRAPOLATIONS) {
        Some(word) if word.value == "linear" => Extrapolation::Linear,
        _ => Extrapolation::Hold,
    };
    reader.finish();
    let ((x_numbers, x_dimension), (y_numbers, y_dimension)) = (x_numbers?, y_numbers?);
    match TabulatedFunction::new(&x_numbers, &y_numbers, interpolation, outside) {
        Ok(table) => Some(table.with_dimensions(x_dimension, y_dimension)),
        Err(error) => {
            let at_fault = match error {
                TableError::NotIncreasing { index } => x
                    .array()
                    .and_then(|x| x.value.get(index).and_then(DocumentField::span)),
                TableError::Lengths { .. } => y.span(),
                _ => x.span(),
            };
            let at_fault = at_fault.unwrap_or(table.span);
            context.error(
                "bad-table",
                format!("{what}: {error}"),
                (at_fault, ""),
                None,
            );
            None
        }
    }
}

/// The numbers of a column and their dimension.
fn column<'t>(
    field: &DocumentField<'t>,
    unit: &DocumentField<'t>,
    context: &Context<'t>,
) -> Option<(Vec<f64>, Option<Dimension>)> {
    let unit = match unit.string() {
        None => None,
        Some(text) => match Unit::parse(text.value) {
            Ok(unit) => Some(unit),
            Err(error) => {
                let place = (text.inside(error.span), "");
                let message = format!("{}: {}", unit.what(), error.message);
                context.error("bad-unit", message, place, error.help);
                return None;
            }
        },
    };
    let mut dimension = unit.map(|unit| unit.dimension);
    let mut numbers = Vec::new();
    let mut whole = true;
    for item in field.array()?.value {
        let bare = item
            .value()
            .is_some_and(|value| matches!(value.kind, ValueKind::Integer(_) | ValueKind::Float(_)));
        let number = if bare {
            item.number().map(|number| number.value)
        } else {
            let text = item.value().and_then(|value| value.as_str());
            if text.is_none() {
                item.wrong_kind("a number", None);
            }
            let formula = text.and_then(|_| context.formula(&item, Reads::Nothing, dimension));
            dimension = dimension.or(formula.as_ref().and_then(|f| f.program.dimension()));
            formula.and_then(|formula| formula.program.constant())
        };
        match number {
            Some(number) if bare => numbers.push(unit.map_or(number, |unit| unit.to_si(number))),
            Some(number) => numbers.push(number),
            None => whole = false,
        }
    }
    whole.then_some((numbers, dimension))
}

/// Splits `name=value` texts and assigns each part a span in the pseudo-file `--set`.
pub(super) fn split_overrides<'t>(
    overrides: &'t Overrides,
    source: SourceId,
    diagnostics: &Diagnostics,
) -> Vec<Override<'t>> {
    let mut start = 0;
    let mut split = Vec::new();
    for text in overrides.texts() {
        let whole = Span::new(source, start..start + text.len());
        match text.split_once('=') {
            Some((name, value)) if name.trim().split('.').all(is_name) => {
                let lead = name.len() - name.trim_start().len();
                let name_start = start + lead;
                let value_start = start + name.len() + 1;
                let name = Spanned {
                    value: name.trim(),
                    span: Span::new(source, name_start..name_start + name.trim().len()),
                };
                let written = WrittenFormula {
                    text: value,
                    span: Span::new(source, value_start..value_start + value.len()),
                    quoted: false,
                };
                split.push((name, written));
            }
            _ => diagnostics.push(
                Diagnostic::error("bad-override", format!("cannot read {}", shown(text)))
                    .at(whole, "")
                    .help("write NAME=VALUE, such as l1=60 mm"),
            ),
        }
        start += text.len() + 1;
    }
    split
}
