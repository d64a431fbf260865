//! Copies of the tables of a component for an instance, with path names.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::Write;

use biela_core::element::{Field, FieldKind};

use super::BYTES_PER_VALUE;
use super::definitions::Definition;
use super::scope::{ArrayPosition, Meaning, NameProblem, PortBinding, Scope};
use crate::diagnostic::{Diagnostic, Diagnostics, Span, Spanned, shown};
use crate::document::{Table, TableEntry, Value, ValueKind};
use crate::expr;
use crate::units::{Dimension, Unit};

/// The ways in which a text refers to names.
#[derive(Clone, Copy, PartialEq)]
enum TextKind {
    /// It does not.
    Plain,
    /// It is the name of the element itself.
    Name,
    /// A point, a joint or another element.
    Reference,
    /// A material or another element without position.
    Shared,
    /// A formula.
    Formula,
}

impl TextKind {
    fn of(kind: FieldKind) -> Self {
        match kind {
            FieldKind::Name => Self::Name,
            FieldKind::Marker
            | FieldKind::MarkerPair
            | FieldKind::Joint
            | FieldKind::Beam
            | FieldKind::JointCoordinate
            | FieldKind::JointCoordinates => Self::Reference,
            FieldKind::Named(_) => Self::Shared,
            FieldKind::Number { .. }
            | FieldKind::Positive { .. }
            | FieldKind::Along
            | FieldKind::Vector { .. }
            | FieldKind::Direction
            | FieldKind::Law { .. }
            | FieldKind::LawVector { .. }
            | FieldKind::Numbers { .. }
            | FieldKind::PerJoint { .. }
            | FieldKind::Points { .. }
            | FieldKind::Gains { .. }
            | FieldKind::Weights { .. }
            | FieldKind::Vectors { .. }
            | FieldKind::Rotation
            | FieldKind::NumberList { .. }
            | FieldKind::Tuple { .. }
            | FieldKind::Matrix { .. } => Self::Formula,
            _ => Self::Plain,
        }
    }
}

/// Copies values into one instance.
pub(super) struct Copier<'a> {
    scope: &'a Scope<'a>,
    number: u32,
    diagnostics: &'a Diagnostics,
    copied: Cell<usize>,
}

impl<'a> Copier<'a> {
    pub(super) fn new(scope: &'a Scope<'a>, number: u32, diagnostics: &'a Diagnostics) -> Self {
        Self {
            scope,
            number,
            diagnostics,
            copied: Cell::new(0),
        }
    }

    /// The number of copied values.
    pub(super) fn copied(&self) -> usize {
        self.copied.get()
    }

    /// Counts a value and its text.
    fn count(&self, text: &str) {
        self.copied
            .set(self.copied.get() + 1 + text.len() / BYTES_PER_VALUE);
    }

    fn span(&self, span: Span) -> Span {
        span.in_instance(self.number)
    }

    /// An entry whose key becomes a path.
    pub(super) fn entry(&self, key: &str, key_span: Span, value: Value) -> TableEntry {
        let key = self.scope.path_of(key);
        self.count(&key);
        TableEntry {
            key,
            key_span: self.span(key_span),
            value,
        }
    }

    /// Copies some keys of a table with these fields.
    pub(super) fn some_keys(&self, table: &Table, fields: &[Field], keys: &[&str]) -> Table {
        let mut some = Table::empty(self.span(table.span));
        for field in fields.iter().filter(|field| keys.contains(&field.name)) {
            if let Some(entry) = table.get(field.name) {
                some.put(TableEntry {
                    key: entry.key.clone(),
                    key_span: self.span(entry.key_span),
                    value: self.value(&entry.value, field.kind),
                });
            }
        }
        some
    }

    /// Copies a table with these fields.
    pub(super) fn table(&self, table: &Table, fields: &[Field]) -> Table {
        let of_type = fields.iter().find_map(|field| {
            let FieldKind::Type(types) = field.kind else {
                return None;
            };
            let word = table.get(field.name)?.value.as_str()?;
            let mut types = types.iter();
            types.find(|info| info.names().any(|name| name == word))
        });
        let all = || {
            fields
                .iter()
                .chain(of_type.map_or(&[][..], |info| info.fields))
        };
        let mut copy = Table::empty(self.span(table.span));
        for entry in table {
            let field = all().find(|field| field.name == entry.key);
            let kind = field.map_or(FieldKind::Text, |field| field.kind);
            copy.put(TableEntry {
                key: entry.key.clone(),
                key_span: self.span(entry.key_span),
                value: self.value(&entry.value, kind),
            });
        }
        copy
    }

    /// Copies a value of this kind.
    pub(super) fn value(&self, value: &Value, kind: FieldKind) -> Value {
        self.count("");
        let kind = match kind {
            FieldKind::Either(kinds) => alternative(value, kinds),
            kind => kind,
        };
        let span = self.span(value.span);
        let copy = match (&value.kind, kind) {
            (ValueKind::Table(table), FieldKind::Table(info)) => {
                ValueKind::Table(self.table(table, info.fields))
            }
            (ValueKind::Table(table), FieldKind::Tables([info])) => {
                ValueKind::Table(self.table(table, info.fields))
            }
            (ValueKind::Table(table), kind) => {
                let inner = match kind {
                    FieldKind::Map(inner) => *inner,
                    kind => kind,
                };
                let mut copy = Table::empty(self.span(table.span));
                for entry in table {
                    self.count(&entry.key);
                    copy.put(TableEntry {
                        key: entry.key.clone(),
                        key_span: self.span(entry.key_span),
                        value: self.value(&entry.value, inner),
                    });
                }
                ValueKind::Table(copy)
            }
            (ValueKind::Array(items), kind) => {
                ValueKind::Array(items.iter().map(|item| self.value(item, kind)).collect())
            }
            (ValueKind::String(text), kind) => return self.text(text, span, TextKind::of(kind)),
            (other, _) => other.clone(),
        };
        Value { span, kind: copy }
    }

    fn text(&self, text: &str, span: Span, kind: TextKind) -> Value {
        let made = |text: String| {
            self.count(&text);
            Value {
                span,
                kind: ValueKind::String(text),
            }
        };
        match kind {
            TextKind::Plain => made(text.to_owned()),
            TextKind::Name => made(self.scope.path_of(text)),
            TextKind::Shared => match self.scope.shared(text) {
                Meaning::Path(path) => made(path),
                _ => made(text.to_owned()),
            },
            TextKind::Formula => match self.formula(text, span) {
                Some(text) => made(text),
                None => invalid(span),
            },
            TextKind::Reference => match self.scope.meaning(text, false) {
                Ok(Meaning::Same) => made(text.to_owned()),
                Ok(Meaning::Path(path) | Meaning::Formula(path)) => made(path),
                Ok(Meaning::Binding(binding)) => Value {
                    span: binding.span,
                    kind: ValueKind::String(binding.text),
                },
                Ok(Meaning::Broken) => invalid(span),
                Err(problem) => {
                    self.report(problem, span);
                    invalid(span)
                }
            },
        }
    }

    fn report(&self, problem: NameProblem, span: Span) {
        self.diagnostics.push(
            Diagnostic::error(problem.code, problem.message)
                .at(span, "")
                .help(problem.help),
        );
    }

    /// A formula with path names; `None` if a name is invalid, which was reported. A formula with a syntax error stays as it is.
    fn formula(&self, text: &str, span: Span) -> Option<String> {
        let Ok(ast) = expr::parse(text) else {
            return Some(text.to_owned());
        };
        let written = Spanned { value: text, span };
        if !ast.is_quantity() {
            self.refuse_ambiguous_units(written)?;
        }
        let mut new = String::with_capacity(text.len());
        let (mut at, mut is_whole) = (0, true);
        for (name, range, is_call) in ast.occurrences() {
            let meaning = if is_call {
                Ok(self.scope.shared(name))
            } else {
                self.scope.meaning(name, true)
            };
            let part = match meaning {
                Ok(Meaning::Same) => continue,
                Ok(Meaning::Path(path)) => quoted(&path),
                Ok(Meaning::Formula(text)) => text,
                Ok(Meaning::Binding(binding)) => quoted(&binding.text),
                Ok(Meaning::Broken) => {
                    is_whole = false;
                    continue;
                }
                Err(problem) => {
                    self.report(problem, written.inside(range));
                    is_whole = false;
                    continue;
                }
            };
            new.push_str(&text[at..range.start]);
            new.push_str(&part);
            at = range.end;
        }
        new.push_str(&text[at..]);
        is_whole.then_some(new)
    }

    /// Reports a factor of a unit that is also the name of a parameter: `2*(10 N*m)` with a parameter `m`.
    fn refuse_ambiguous_units(&self, written: Spanned<&str>) -> Option<()> {
        let parameters = &self.scope.names().parameters;
        let factors = expr::unit_factors(written.value).into_iter();
        let mut factors = factors.map(|factor| factor.span);
        let found = factors.find(|range| parameters.contains_key(&written.value[range.clone()]));
        let Some(range) = found.filter(|_| self.scope.number() > 0) else {
            return Some(());
        };
        let name = shown(&written.value[range.clone()]);
        self.report(
            NameProblem {
                code: "ambiguous-unit",
                message: format!("{name} could be the unit or the parameter {name} here"),
                help:
                    "put the unit in brackets, as in 10 [N*m], or give the parameter another name"
                        .to_owned(),
            },
            written.inside(range),
        );
        None
    }

    /// The parameters that an instance sets. Missing ones and wrong dimensions are reported.
    pub(super) fn parameters(
        &self,
        table: &Table,
        component: &Definition<'_>,
        (own, array): (&str, Option<&ArrayPosition<'_>>),
    ) -> BTreeMap<String, Value> {
        let given = table.get("parameters").and_then(|e| e.value.as_table());
        let mut values = BTreeMap::new();
        for (name, default) in &component.names.parameters {
            let required = default.value.as_table();
            let Some(entry) = given.and_then(|given| given.get(name)) else {
                if required.is_some() {
                    let message =
                        format!("instance {} has no parameter {}", shown(own), shown(name));
                    self.diagnostics.push(
                        Diagnostic::error("missing-parameter", message)
                            .at(self.scope.span(table.span), "")
                            .also(default.key_span, "it has no default")
                            .help(format!("add it: parameters = {{ {name} = … }}")),
                    );
                    let _ = values.insert((*name).to_owned(), invalid(self.span(table.span)));
                }
                continue;
            };
            let what = format!("{} of instance {}", shown(name), shown(own));
            let value = self.one_of(&entry.value, array, &what);
            let value = value.map(|value| self.value(value, FieldKind::Number { unit: "" }));
            let value = value.unwrap_or_else(|| invalid(self.span(entry.value.span)));
            let wanted = match required {
                Some(table) => self.unit(table),
                None => dimension(&default.value),
            };
            if let (Some(wanted), Some(found)) = (wanted, dimension(&value))
                && wanted != found
            {
                let message = format!(
                    "parameter {} of instance {} {}; in the component it is {}",
                    shown(name),
                    shown(own),
                    found.predicate(),
                    wanted.describe()
                );
                self.diagnostics.push(
                    Diagnostic::error("wrong-unit", message)
                        .at(self.scope.span(entry.value.span), "")
                        .also(default.key_span, "defined here"),
                );
                let _ = values.insert((*name).to_owned(), invalid(value.span));
                continue;
            }
            let _ = values.insert((*name).to_owned(), value);
        }
        values
    }

    /// The dimension of a parameter without a default.
    fn unit(&self, required: &Table) -> Option<Dimension> {
        let unit = required.get("unit").map(|entry| &entry.value);
        let Some(text) = unit.and_then(Value::as_str) else {
            let error =
                Diagnostic::error("missing-key", "a parameter without a default has no `unit`");
            let help = "write { unit = \"m\" }, with the unit of the parameter, or a default";
            self.diagnostics
                .push(error.at(required.span, "").help(help));
            return None;
        };
        match Unit::parse(text) {
            Ok(unit) => Some(unit.dimension),
            Err(error) => {
                let span = unit.map_or(required.span, |unit| unit.span);
                let written = Spanned { value: text, span };
                self.diagnostics.push(
                    Diagnostic::error("bad-unit", error.message)
                        .at(written.inside(error.span), "")
                        .maybe_help(error.help),
                );
                None
            }
        }
    }

    /// The value of one instance: that of a list in an array, or the value itself.
    fn one_of<'v>(
        &self,
        value: &'v Value,
        array: Option<&ArrayPosition<'_>>,
        what: &str,
    ) -> Option<&'v Value> {
        let ValueKind::Array(items) = &value.kind else {
            return Some(value);
        };
        let count = array.map_or(0, |array| array.count);
        if let Some(array) = array
            && usize::try_from(count).is_ok_and(|count| count == items.len())
        {
            return items.get(usize::try_from(array.index).ok()?);
        }
        let (message, help) = match array {
            Some(_) => (
                format!("{what} has {} values for {count} instances", items.len()),
                "give one value for each, or one for all",
            ),
            None => (
                format!("{what} is a list, but there is no array"),
                "write one value, or add `count`",
            ),
        };
        self.diagnostics.push(
            Diagnostic::error("wrong-length", message)
                .at(value.span, "")
                .help(help),
        );
        None
    }

    /// What the ports of an instance are connected to. A port without connection is reported.
    pub(super) fn ports<'n>(
        &self,
        table: &Table,
        component: &'n Definition<'_>,
        (own, array): (&str, Option<&ArrayPosition<'_>>),
    ) -> BTreeMap<&'n str, Option<PortBinding>> {
        let written = |key: &str, port: &str| {
            let list = table.get(key).and_then(|e| e.value.as_table());
            list.and_then(|list| list.get(port)).map(|e| &e.value)
        };
        let is_first = array.is_some_and(|array| array.index == 0);
        let is_last = array.is_some_and(|array| array.index == array.count - 1);
        let mut bindings = BTreeMap::new();
        for (name, port) in &component.names.ports {
            self.count(name);
            let at_end = written("first", name).filter(|_| is_first);
            let at_end = at_end.or_else(|| written("last", name).filter(|_| is_last));
            let Some(value) = at_end.or_else(|| written("connect", name)) else {
                let message = format!(
                    "port {} of instance {} is not connected",
                    shown(name),
                    shown(own)
                );
                let example = match port.kind {
                    "signal" => "motor_torque",
                    "joint" => "pin",
                    _ => "ground",
                };
                self.diagnostics.push(
                    Diagnostic::error("unbound-port", message)
                        .at(self.scope.span(table.span), "")
                        .also(port.span, "the port")
                        .help(format!("add it: connect = {{ {name} = \"{example}\" }}")),
                );
                let _ = bindings.insert(*name, None);
                continue;
            };
            let what = format!("port {} of instance {}", shown(name), shown(own));
            let value = self.one_of(value, array, &what);
            // the kind of the port may be invalid, which was reported
            let value = value.filter(|_| !port.kind.is_empty());
            let _ = bindings.insert(
                *name,
                value.and_then(|value| self.binding(value, port.kind)),
            );
        }
        bindings
    }

    fn binding(&self, value: &Value, kind: &str) -> Option<PortBinding> {
        let Some(text) = value.as_str() else {
            let message = format!("a connection must be a text, not {}", value.kind_name());
            let error = Diagnostic::error("wrong-type", message).at(value.span, "");
            self.diagnostics.push(error.help("put it in quotes"));
            return None;
        };
        let is_formula = kind == "signal";
        let kind = if is_formula {
            TextKind::Formula
        } else {
            TextKind::Reference
        };
        let value = self.text(text, self.span(value.span), kind);
        let text = value.as_str()?;
        Some(PortBinding {
            text: if is_formula {
                operand(text)
            } else {
                text.to_owned()
            },
            span: value.span,
            is_formula,
        })
    }
}

fn invalid(span: Span) -> Value {
    Value {
        span,
        kind: ValueKind::Invalid,
    }
}

/// The kind that fits a value.
fn alternative(value: &Value, kinds: &[FieldKind]) -> FieldKind {
    let is_table = value.as_table().is_some();
    let fits = |kind: &&FieldKind| {
        let of_table = matches!(kind, FieldKind::Table(_) | FieldKind::Map(_));
        of_table == is_table && TextKind::of(**kind) != TextKind::Plain || of_table && is_table
    };
    kinds.iter().find(fits).copied().unwrap_or(FieldKind::Text)
}

/// A formula as a part of another one: a quantity gets brackets around its unit, which is otherwise read only if nothing else is in the text.
fn operand(text: &str) -> String {
    let text = text.trim();
    if !expr::parse(text).is_ok_and(|ast| ast.is_quantity()) {
        return text.to_owned();
    }
    let ends = text.char_indices().map(|(at, _)| at);
    let mut numbers = ends.filter(|at| text[..*at].trim().parse::<f64>().is_ok());
    match numbers.next_back().map(|at| text.split_at(at)) {
        Some((number, unit)) if !unit.trim().starts_with('[') => {
            format!("{} [{}]", number.trim(), unit.trim())
        }
        _ => text.to_owned(),
    }
}

/// A path as it is written in a formula.
fn quoted(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for (k, part) in path.split('.').enumerate() {
        let dot = if k > 0 { "." } else { "" };
        let is_plain = part.chars().all(|c| c.is_alphanumeric() || c == '_');
        let _ = if is_plain {
            write!(text, "{dot}{part}")
        } else {
            write!(text, "{dot}'{part}'")
        };
    }
    text
}

/// The dimension of a value that is a quantity.
fn dimension(value: &Value) -> Option<Dimension> {
    let ast = expr::parse(value.as_str()?)
        .ok()
        .filter(expr::Ast::is_quantity)?;
    let program = expr::compile(&ast, &mut |_| None, &Vec::new).ok()?;
    program.dimension()
}
