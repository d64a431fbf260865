//! Typed access to a table that reports every problem at its location.

use std::cell::{Cell, RefCell};
use std::fmt::{self, Write};
use std::rc::Rc;

use super::tree::{Table, Value, ValueKind};
use crate::diagnostic::{Diagnostic, Diagnostics, Span, Spanned, shown};
use crate::suggest::did_you_mean;

/// The maximum number of allowed keywords listed in a message.
const MOST_LISTED: usize = 12;

/// Reads one table, records which keys were requested, and reports the others in [`TableReader::finish`].
///
/// ```
/// use biela_model::document::{DocumentLimits, TableReader, parse};
///
/// let text = "[[body]]\nname = \"crank\"\nmass = 2\ncom = [0.1, 0]\n";
/// let document = parse("m.toml", text, &DocumentLimits::default());
/// let root = TableReader::new(&document.root, "model", &[], &document.diagnostics);
/// for body in root.get("body").array_of_tables() {
///     let body = TableReader::new(body, "body", &["inertia"], &document.diagnostics);
///     let mass = body.require("mass", "mass = 1.5").number();
///     assert_eq!(mass.map(|mass| mass.value), Some(2.0));
///     let name = body.require("name", "name = \"crank\"").string();
///     assert_eq!(document.sources.locate(name.unwrap().span).as_deref(), Some("m.toml:2:8"));
///     let [x, y] = body.get("com").fixed_array().unwrap().value;
///     assert_eq!((x.number().unwrap().value, y.number().unwrap().value), (0.1, 0.0));
///     body.finish();
/// }
/// root.finish();
/// assert!(document.diagnostics.is_empty());
/// ```
#[must_use = "call finish() to report unknown keys"]
#[derive(Debug)]
pub struct TableReader<'t> {
    table: &'t Table,
    what: Rc<str>,
    known: &'t [&'t str],
    asked: RefCell<Vec<&'t str>>,
    all_asked: Cell<bool>,
    diagnostics: &'t Diagnostics,
}

impl<'t> TableReader<'t> {
    /// Creates a reader of a table called `what` in messages, such as `body`; a string under the key `name` is appended.
    ///
    /// `known` contains keys that are allowed even if they are not requested, and that spelling suggestions may name.
    pub fn new(
        table: &'t Table,
        what: &str,
        known: &'t [&'t str],
        diagnostics: &'t Diagnostics,
    ) -> Self {
        let name = table.get("name").and_then(|entry| entry.value.as_str());
        let what = match name {
            Some(name) => format!("{what} {}", shown(name)),
            None => what.to_owned(),
        };
        Self {
            table,
            what: what.into(),
            known,
            asked: RefCell::default(),
            all_asked: Cell::new(false),
            diagnostics,
        }
    }

    /// The name of the table in messages: body `crank`.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// The span of the table's header, for problems of the whole table.
    pub fn span(&self) -> Span {
        self.table.span
    }

    /// The table itself.
    pub fn table(&self) -> &'t Table {
        self.table
    }

    /// The collection of diagnostics.
    pub fn diagnostics(&self) -> &'t Diagnostics {
        self.diagnostics
    }

    /// Returns `true` if the key is present; does not mark it as read.
    pub fn has(&self, key: &str) -> bool {
        self.table.get(key).is_some()
    }

    /// Allows a key: it counts as read, and spelling suggestions may name it.
    pub fn allow(&self, key: &'t str) {
        let mut asked = self.asked.borrow_mut();
        if !asked.contains(&key) {
            asked.push(key);
        }
    }

    /// An optional key: it may be absent, but must have the correct type.
    pub fn get(&self, key: &'t str) -> DocumentField<'t> {
        self.allow(key);
        self.field(key, self.table.get(key).map(|entry| &entry.value))
    }

    fn field(&self, key: &'t str, value: Option<&'t Value>) -> DocumentField<'t> {
        DocumentField {
            value,
            path: ValuePath::Key(key),
            of: Rc::clone(&self.what),
            diagnostics: self.diagnostics,
        }
    }

    /// A required key; `example` shows how to write it.
    pub fn require(&self, key: &'t str, example: &str) -> DocumentField<'t> {
        let field = self.get(key);
        if field.value.is_none() {
            self.diagnostics.push(
                Diagnostic::error(
                    "missing-key",
                    format!("{} has no {}", self.what, shown(key)),
                )
                .at(self.table.span, format!("{} is required here", shown(key)))
                .help(format!("add it, for example: {example}")),
            );
        }
        field
    }

    /// All keys with their values, for tables with user-defined keys such as `[parameters]`. Every key counts as read.
    pub fn fields(&self) -> Vec<(Spanned<&'t str>, DocumentField<'t>)> {
        self.all_asked.set(true);
        let named = self.table.iter().map(|entry| {
            let name = Spanned {
                value: entry.key.as_str(),
                span: entry.key_span,
            };
            (name, self.field(&entry.key, Some(&entry.value)))
        });
        named.collect()
    }

    /// Reports every key that is neither known nor was requested.
    pub fn finish(self) {
        if self.all_asked.get() {
            return;
        }
        let asked = self.asked.into_inner();
        let candidates = || self.known.iter().chain(&asked).copied();
        let allowed: std::collections::BTreeSet<&str> = candidates().collect();
        for entry in self.table {
            if allowed.contains(entry.key.as_str()) {
                continue;
            }
            let crowded = self.diagnostics.is_crowded();
            let near = did_you_mean(&entry.key, candidates().take_while(|_| !crowded));
            let help = match near {
                Some(near) => Some(format!("did you mean `{near}`?")),
                None if allowed.is_empty() || crowded => None,
                None => {
                    let words: Vec<&str> = allowed.iter().copied().collect();
                    Some(format!("known keys are {}", listed(&words)))
                }
            };
            self.diagnostics.push(
                Diagnostic::error(
                    "unknown-key",
                    format!("{} has no key {}", self.what, shown(&entry.key)),
                )
                .at(entry.key_span, "unknown key")
                .maybe_help(help),
            );
        }
    }
}

/// The value of a key, or an element of an array, if present. The typed getters report invalid values.
#[derive(Clone, Debug)]
pub struct DocumentField<'t> {
    value: Option<&'t Value>,
    path: ValuePath<'t>,
    of: Rc<str>,
    diagnostics: &'t Diagnostics,
}

/// The name of a value in its table; formatted only for a message.
#[derive(Clone, Debug)]
enum ValuePath<'t> {
    Key(&'t str),
    /// An element of an array, counted from 0.
    Element(usize, Rc<Self>),
}

impl fmt::Display for ValuePath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => f.write_str(&shown(key)),
            Self::Element(index, array) => write!(f, "element {} of {array}", index + 1),
        }
    }
}

impl<'t> DocumentField<'t> {
    /// The raw value, for readers that accept several types; `None` if absent or reported as invalid.
    pub fn value(&self) -> Option<&'t Value> {
        self.value
            .filter(|value| !matches!(value.kind, ValueKind::Invalid))
    }

    /// Returns `true` if the key is present, with any type.
    pub fn is_present(&self) -> bool {
        self.value.is_some()
    }

    /// The span of the value, if there is one.
    pub fn span(&self) -> Option<Span> {
        self.value.map(|value| value.span)
    }

    /// The name in messages: `mass` of body `crank`.
    pub fn what(&self) -> String {
        format!("{} of {}", self.path, self.of)
    }

    /// Reports an error about this value, as "`mass` of body `crank` *problem*", with a label at its location.
    pub fn error(&self, code: &'static str, problem: &str, label: &str, help: Option<String>) {
        let error = Diagnostic::error(code, format!("{} {problem}", self.what()));
        let error = match self.span() {
            Some(span) => error.at(span, label),
            None => error,
        };
        self.diagnostics.push(error.maybe_help(help));
    }

    /// Reports that the value has the wrong type; `expected` is text such as "a number or an expression".
    pub fn wrong_kind(&self, expected: &str, help: Option<String>) {
        if let Some(value) = self.value() {
            let problem = format!("must be {expected}");
            let label = format!("this is {}", value.kind_name());
            self.error("wrong-type", &problem, &label, help);
        }
    }

    /// Converts the value by a function, or reports the wrong type.
    fn take<T>(
        &self,
        expected: &str,
        help: Option<&str>,
        pick: impl FnOnce(&'t ValueKind) -> Option<T>,
    ) -> Option<Spanned<T>> {
        let value = self.value()?;
        let picked = pick(&value.kind);
        if picked.is_none() {
            self.wrong_kind(expected, help.map(str::to_owned));
        }
        Some(Spanned {
            value: picked?,
            span: value.span,
        })
    }

    /// A string.
    pub fn string(&self) -> Option<Spanned<&'t str>> {
        self.take("a string", Some("put it in quotes"), |kind| match kind {
            ValueKind::String(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// `true` or `false`.
    pub fn bool(&self) -> Option<Spanned<bool>> {
        let help = Some("write true or false, without quotes");
        self.take("true or false", help, |kind| match kind {
            ValueKind::Bool(value) => Some(*value),
            _ => None,
        })
    }

    /// An integer.
    pub fn integer(&self) -> Option<Spanned<i64>> {
        self.take("an integer", None, |kind| match kind {
            ValueKind::Integer(value) => Some(*value),
            _ => None,
        })
    }

    /// A finite number; integers are accepted.
    pub fn number(&self) -> Option<Spanned<f64>> {
        let number = self.take("a number", None, |kind| match kind {
            ValueKind::Integer(value) => Some(*value as f64),
            ValueKind::Float(value) => Some(*value),
            _ => None,
        })?;
        if number.value.is_finite() {
            return Some(number);
        }
        let label = if number.value.is_nan() {
            "is NaN"
        } else {
            "is infinite"
        };
        self.error("not-finite", "must be finite", label, None);
        None
    }

    /// One of several keywords.
    pub fn one_of(&self, words: &[&'static str]) -> Option<Spanned<&'static str>> {
        let given = self.string()?;
        if let Some(word) = words.iter().find(|word| **word == given.value) {
            return Some(given.map(|_| *word));
        }
        let problem = format!("cannot be {}", shown(given.value));
        let label = format!("must be one of {}", listed(words));
        let near = did_you_mean(given.value, words.iter().copied());
        let help = near.map(|near| format!("did you mean `{near}`?"));
        self.error("unknown-word", &problem, &label, help);
        None
    }

    /// An array whose elements have the same getters.
    pub fn array(&self) -> Option<Spanned<Vec<DocumentField<'t>>>> {
        let help = Some("put the elements in brackets: [1, 0, 0]");
        let items = self.take("an array", help, |kind| match kind {
            ValueKind::Array(items) => Some(items),
            _ => None,
        })?;
        let array = Rc::new(self.path.clone());
        let element = |(index, value)| DocumentField {
            value: Some(value),
            path: ValuePath::Element(index, Rc::clone(&array)),
            of: Rc::clone(&self.of),
            diagnostics: self.diagnostics,
        };
        Some(items.map(|items| items.iter().enumerate().map(element).collect()))
    }

    /// An array of exactly `N` elements, such as a vector.
    pub fn fixed_array<const N: usize>(&self) -> Option<Spanned<[DocumentField<'t>; N]>> {
        let items = self.array()?;
        let given = items.value.len();
        let Ok(value) = <[DocumentField<'t>; N]>::try_from(items.value) else {
            let problem = format!("must have {N} elements");
            self.error("wrong-length", &problem, &format!("has {given}"), None);
            return None;
        };
        Some(Spanned {
            value,
            span: items.span,
        })
    }

    /// A table.
    pub fn table(&self) -> Option<Spanned<&'t Table>> {
        let help = Some("write { key = value, … } or a [header] of its own");
        self.take("a table", help, |kind| match kind {
            ValueKind::Table(table) => Some(table),
            _ => None,
        })
    }

    /// The tables under `[[headers]]`, or of an array of inline tables; empty if the key is absent.
    pub fn array_of_tables(&self) -> Vec<&'t Table> {
        let Some(value) = self.value() else {
            return Vec::new();
        };
        if !matches!(value.kind, ValueKind::Array(_)) {
            let help = match value.kind {
                ValueKind::Table(_) => "write the header in double brackets: [[…]]",
                _ => "write [[…]] headers, or tables in brackets: [{ key = value }, …]",
            };
            self.wrong_kind("a list of tables", Some(help.to_owned()));
            return Vec::new();
        }
        let items = self.array().map_or(Vec::new(), |items| items.value);
        items
            .iter()
            .filter_map(|item| Some(item.table()?.value))
            .collect()
    }
}

/// Words in backquotes, separated by commas.
fn listed(words: &[&str]) -> String {
    let mut list = String::new();
    for (index, word) in words.iter().take(MOST_LISTED).enumerate() {
        let comma = if index > 0 { ", " } else { "" };
        let _ = write!(list, "{comma}`{word}`");
    }
    if words.len() > MOST_LISTED {
        list.push_str(", …");
    }
    list
}
