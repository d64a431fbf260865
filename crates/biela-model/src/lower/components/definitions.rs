//! The definitions of components, and the names that each declares.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use biela_core::element::{Field, FieldKind};

use crate::diagnostic::{Diagnostic, Diagnostics, Span, Spanned, shown};
use crate::document::{Table, TableEntry, Value, ValueKind};
use crate::lower::names::name_problem;
use crate::lower::reader::SectionReader;
use crate::lower::{FORMAT, keys};

/// The definition of a component.
pub(super) struct Definition<'t> {
    pub(super) name: &'t str,
    /// The span of its name.
    pub(super) span: Span,
    pub(super) table: &'t Table,
    pub(super) names: OwnNames<'t>,
    /// The components that it can use.
    pub(super) library: usize,
    /// Set if its file could not be read, which was reported.
    pub(super) is_broken: bool,
    /// Names of parameters and ports that occur in it.
    mentioned: RefCell<BTreeSet<String>>,
    is_used: Cell<bool>,
}

impl Definition<'_> {
    /// Its name in messages.
    pub(super) fn what(&self) -> String {
        format!("component {}", shown(self.name))
    }

    /// Records that a parameter or port is used.
    pub(super) fn mention(&self, name: &str) {
        let mut mentioned = self.mentioned.borrow_mut();
        if !mentioned.contains(name) {
            let _ = mentioned.insert(name.to_owned());
        }
    }
}

/// Components that are visible at one place: those defined there, and those of the surrounding library.
struct Library<'t> {
    outer: Option<usize>,
    definitions: BTreeMap<&'t str, usize>,
}

/// All components of a document.
pub(super) struct Definitions<'t> {
    pub(super) list: Vec<Definition<'t>>,
    libraries: Vec<Library<'t>>,
}

impl<'t> Definitions<'t> {
    /// Reads the components of a document and checks what does not depend on an instance.
    pub(super) fn of(root: &'t Table, diagnostics: &'t Diagnostics) -> Self {
        let mut all = Self {
            list: Vec::new(),
            libraries: Vec::new(),
        };
        let space = root.get("space").and_then(|entry| entry.value.as_str());
        all.library(root, None, space, diagnostics);
        all
    }

    fn library(
        &mut self,
        table: &'t Table,
        outer: Option<usize>,
        space: Option<&str>,
        diagnostics: &'t Diagnostics,
    ) {
        let library = self.libraries.len();
        self.libraries.push(Library {
            outer,
            definitions: BTreeMap::new(),
        });
        let reader = SectionReader::called("the model", &keys::COMPONENT, table, diagnostics);
        let Some(components) = reader.get("component").table() else {
            return;
        };
        for entry in components.value {
            let Some(contents) = entry.value.as_table() else {
                let message = format!("component {} must be a table", shown(&entry.key));
                let error = Diagnostic::error("wrong-type", message).at(entry.value.span, "");
                diagnostics.push(error.help("write [component.NAME] and its elements below it"));
                continue;
            };
            if let Some(help) = name_problem(&entry.key, false) {
                let message = format!("a component cannot be called {}", shown(&entry.key));
                let error = Diagnostic::error("bad-name", message).at(entry.key_span, "");
                diagnostics.push(error.help(help));
            }
            let inner = self.libraries.len();
            self.library(contents, Some(library), space, diagnostics);
            check(entry, contents, space, diagnostics);
            let _ = self.libraries[library]
                .definitions
                .insert(&entry.key, self.list.len());
            self.list.push(Definition {
                name: &entry.key,
                span: entry.key_span,
                table: contents,
                names: OwnNames::of(contents, keys::COMPONENT.fields, diagnostics),
                library: inner,
                is_broken: contents.get("file").is_some(),
                mentioned: RefCell::default(),
                is_used: Cell::new(false),
            });
        }
    }

    /// The component of a name, seen from a library.
    pub(super) fn find(&self, library: usize, name: &str) -> Option<usize> {
        let library = &self.libraries[library];
        let found = library.definitions.get(name).copied();
        let found = found.or_else(|| self.find(library.outer?, name))?;
        self.list[found].is_used.set(true);
        Some(found)
    }

    /// The names of all components seen from a library.
    pub(super) fn names(&self, library: usize) -> Vec<&'t str> {
        let library = &self.libraries[library];
        let outer = library.outer.map_or(Vec::new(), |outer| self.names(outer));
        library.definitions.keys().copied().chain(outer).collect()
    }

    /// Warns of components of the main file that have no instance, and of parameters and ports without effect.
    pub(super) fn warn_unused(&self, main: Span, diagnostics: &Diagnostics) {
        for definition in &self.list {
            let of_main = definition.table.span.source == main.source;
            if !definition.is_used.get() {
                if of_main {
                    let message = format!("{} has no instance", definition.what());
                    let warning = Diagnostic::warning("unused-component", message);
                    diagnostics.push(
                        warning
                            .at(definition.span, "never used")
                            .help("remove it, or add an [[instance]] of it"),
                    );
                }
                continue;
            }
            let mentioned = definition.mentioned.borrow();
            let parameters = definition.names.parameters.iter();
            let parameters = parameters.map(|(name, entry)| ("parameter", name, entry.key_span));
            let ports = definition.names.ports.iter();
            let ports = ports.map(|(name, port)| ("port", name, port.span));
            for (word, name, span) in parameters.chain(ports) {
                if diagnostics.has_errors() || mentioned.contains(*name) {
                    continue;
                }
                let message = format!(
                    "{word} {} of {} is not used",
                    shown(name),
                    definition.what()
                );
                let code = if word == "port" {
                    "unused-port"
                } else {
                    "unused-parameter"
                };
                let warning = Diagnostic::warning(code, message).at(span, "never used");
                diagnostics.push(warning.help("remove it, or use it in the component"));
            }
        }
    }
}

/// Checks the keys of a component.
fn check(entry: &TableEntry, table: &Table, space: Option<&str>, diagnostics: &Diagnostics) {
    let what = format!("component {}", shown(&entry.key));
    let reader = SectionReader::called(&what, &keys::COMPONENT, table, diagnostics);
    let format = reader.get("format");
    if let Some(given) = format.integer().filter(|given| given.value != FORMAT) {
        let label = format!("this version of biela reads format {FORMAT}");
        let problem = format!("cannot be {}", given.value);
        format.error("unknown-format", &problem, &label, None);
    }
    let own = reader.get("space");
    if let (Some(own_space), Some(space)) = (own.one_of(keys::SPACES), space)
        && own_space.value != space
    {
        let problem = format!("is {}, but the model is {space}", shown(own_space.value));
        let help = format!("use a component for {space} models");
        own.error("wrong-space", &problem, "", Some(help));
    }
    let _ = reader.get("description").string();
    if let Some(ports) = reader.get("ports").table() {
        let what = format!("ports of {what}");
        let list = crate::document::TableReader::new(ports.value, &what, &[], diagnostics);
        for (name, kind) in list.fields() {
            let _ = kind.one_of(keys::PORTS);
            if let Some(help) = name_problem(name.value, false) {
                let message = format!("a port cannot be called {}", shown(name.value));
                let error = Diagnostic::error("bad-name", message).at(name.span, "");
                diagnostics.push(error.help(help));
            }
        }
        list.finish();
    }
    let what = format!("the ground of {what}");
    if let Some(ground) = reader.get("ground").table() {
        SectionReader::called(&what, &keys::COMPONENT_GROUND, ground.value, diagnostics).finish();
    }
    reader.finish();
}

/// A port of a component.
pub(super) struct Port {
    pub(super) span: Span,
    /// One of [`keys::PORTS`]; empty if it is invalid, which was reported.
    pub(super) kind: &'static str,
}

/// The names that a model or a component declares.
#[derive(Default)]
pub(super) struct OwnNames<'t> {
    pub(super) parameters: BTreeMap<&'t str, &'t TableEntry>,
    pub(super) tables: BTreeSet<&'t str>,
    pub(super) elements: BTreeMap<&'t str, Span>,
    /// The spans of the names of instances, with the number of instances of arrays.
    instances: BTreeMap<&'t str, (Span, Option<i64>)>,
    pub(super) ports: BTreeMap<&'t str, Port>,
    /// Points and frames of the ground.
    pub(super) ground: BTreeSet<&'t str>,
}

impl<'t> OwnNames<'t> {
    /// Collects the names of a table with these fields; reports names of instances and ports that are used twice.
    pub(super) fn of(table: &'t Table, fields: &[Field], diagnostics: &Diagnostics) -> Self {
        let mut names = Self::default();
        let below = |key: &str| {
            let entry = table.get(key).and_then(|entry| entry.value.as_table());
            entry.into_iter().flatten()
        };
        names.parameters = below("parameters").map(|e| (e.key.as_str(), e)).collect();
        names.tables = below("table").map(|entry| entry.key.as_str()).collect();
        let ground = table.get("ground").and_then(|entry| entry.value.as_table());
        for key in ["points", "frames"] {
            let list = ground.and_then(|ground| ground.get(key)?.value.as_table());
            let keys = list.into_iter().flatten().map(|entry| entry.key.as_str());
            names.ground.extend(keys);
        }
        for entry in below("points") {
            let _ = names.elements.entry(&entry.key).or_insert(entry.key_span);
            let _ = names.ground.insert(&entry.key);
        }
        let families = fields
            .iter()
            .filter(|field| matches!(field.kind, FieldKind::Tables(_)) && field.name != "instance");
        for family in families {
            for (name, span, _) in named(table, family.name) {
                let _ = names.elements.entry(name).or_insert(span);
            }
        }
        for entry in below("ports") {
            let kind = entry.value.as_str();
            let kind = keys::PORTS.iter().find(|known| kind == Some(**known));
            let port = Port {
                span: entry.key_span,
                kind: kind.copied().unwrap_or(""),
            };
            if names.claim(&entry.key, "port", entry.key_span, diagnostics) {
                let _ = names.ports.insert(&entry.key, port);
            }
        }
        for (name, span, instance) in named(table, "instance") {
            if let Some(help) = name_problem(name, false) {
                let message = format!("an instance cannot be called {}", shown(name));
                let error = Diagnostic::error("bad-name", message).at(span, "");
                diagnostics.push(error.help(help));
                continue;
            }
            let count = match instance.get("count").map(|entry| &entry.value.kind) {
                Some(ValueKind::Integer(count)) => Some(*count),
                _ => None,
            };
            if names.claim(name, "instance", span, diagnostics) {
                let _ = names.instances.insert(name, (span, count));
            }
        }
        names
    }

    /// Whether a valid instance or array of instances has this name.
    pub(super) fn is_instance(&self, name: Spanned<&str>) -> bool {
        let known = self.instances.get(name.value);
        known.is_some_and(|(span, _)| *span == name.span)
    }

    /// Reports a name of a port or an instance that is used twice.
    fn claim(&mut self, name: &str, word: &str, span: Span, diagnostics: &Diagnostics) -> bool {
        let earlier = self.elements.get(name).copied();
        let earlier = earlier.or_else(|| self.ports.get(name).map(|port| port.span));
        let instance = match self.heads(name) {
            Some(Ok(array)) => Some(array),
            Some(Err((array, _))) if array == name => Some(array),
            _ => None,
        };
        let instance = instance.and_then(|array| self.instances.get(array));
        let earlier = earlier.or_else(|| instance.map(|(span, _)| *span));
        if let Some(earlier) = earlier {
            let message = format!("the name {} is used twice", shown(name));
            let label = if word == "port" {
                "a port here"
            } else {
                "an instance here"
            };
            let error = Diagnostic::error("duplicate-name", message).at(span, label);
            let error = error.also(earlier, "first used here");
            diagnostics.push(error.help("names of elements, ports and instances must be unique"));
        }
        earlier.is_none()
    }

    /// The `[[instance]]` that the first part of a path names; an array with its number of instances as the error if its index is too large or absent.
    pub(super) fn heads(&self, head: &str) -> Option<Result<&'t str, (&'t str, i64)>> {
        if let Some((name, (_, count))) = self.instances.get_key_value(head) {
            return Some(count.map_or(Ok(*name), |count| Err((*name, count))));
        }
        let stem = head.trim_end_matches(|c: char| c.is_ascii_digit());
        let (name, (_, count)) = self.instances.get_key_value(stem)?;
        let count = (*count)?;
        let digits = &head[stem.len()..];
        let index = digits.parse::<i64>().ok();
        let is_plain = index.is_some_and(|index| index.to_string() == digits && index < count);
        Some(if is_plain {
            Ok(*name)
        } else {
            Err((*name, count))
        })
    }

    /// All names that a reference can begin with.
    pub(super) fn all(&self) -> impl Iterator<Item = &'t str> + Clone {
        let names = self.parameters.keys().chain(self.elements.keys());
        let names = names.chain(self.instances.keys()).chain(self.ports.keys());
        names.copied()
    }
}

/// The names of the tables under a key, with their spans.
fn named<'t>(
    table: &'t Table,
    key: &str,
) -> impl Iterator<Item = (&'t str, Span, &'t Table)> + use<'t> {
    let items = match table.get(key).map(|entry| &entry.value.kind) {
        Some(ValueKind::Array(items)) => items.as_slice(),
        _ => &[],
    };
    items
        .iter()
        .filter_map(Value::as_table)
        .filter_map(|table| {
            let name = &table.get("name")?.value;
            Some((name.as_str()?, name.span, table))
        })
}
