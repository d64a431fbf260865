//! Components: the instances of a document are replaced by their elements, with path names, before the document is lowered.
//!
//! The elements of instance `left` get its name before theirs, `left.wheel`, and so do its parameters. The description of the language says which texts are
//! names, references and formulas, so that one function copies the tables of all families. Every span of a copy carries the number of its instance:
//! diagnostics then show the component and its use, and positions on the ground are placed when they are read.

mod copy;
mod definitions;
pub(super) mod placement;
mod scope;

use std::collections::BTreeMap;

use biela_core::element::FieldKind;

use self::copy::Copier;
use self::definitions::{Definition, Definitions, OwnNames};
use self::scope::{ArrayPosition, Scope};
use super::keys;
use super::names::nearest;
use super::reader::SectionReader;
use crate::diagnostic::{Diagnostic, Diagnostics, Sources, Span, shown};
use crate::document::{DocumentField, DocumentLimits, Table, TableEntry, Value, ValueKind};

/// The maximum number of instances: a few lines can ask for any number, and so many are read in less than a second.
pub(crate) const MOST_INSTANCES: usize = 10_000;
/// The maximum nesting of components: each level is a recursion, and a tree of assemblies has far fewer levels.
pub(crate) const DEEPEST: usize = 16;

/// So many bytes of text count as one value.
const BYTES_PER_VALUE: usize = 16;

/// The keys of the placement of an instance.
const PLACEMENT: &[&str] = &["at", "angle", "rotation"];

/// An instance of a component.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    /// Its path, such as `car.left`.
    pub(crate) path: String,
    /// The name of its component.
    pub(crate) component: String,
    /// The number of the instance that contains it; 0 for the model.
    pub(crate) parent: u32,
    /// Its index in its array, and the number of instances of the array.
    pub(crate) array: Option<(usize, usize)>,
    /// The keys of its placement.
    pub(crate) table: Table,
}

/// An instance of a component in a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComponentInstance {
    /// Its path, such as `car.left`: the first parts of the names of its elements.
    pub path: String,
    /// The name of its component.
    pub component: String,
    /// Its index in its array, and the number of instances of the array; `None` for a single instance.
    pub array: Option<(usize, usize)>,
}

impl Instance {
    /// The data that a model keeps.
    pub(super) fn summary(&self) -> ComponentInstance {
        ComponentInstance {
            path: self.path.clone(),
            component: self.component.clone(),
            array: self.array,
        }
    }
}

/// Replaces the instances in a document by their elements, and adds them to `list`.
pub(super) fn expand(
    root: &mut Table,
    sources: &mut Sources,
    diagnostics: &Diagnostics,
    list: &mut Vec<Instance>,
) {
    if root.get("component").is_none() && root.get("instance").is_none() {
        return;
    }
    let definitions = Definitions::of(root, diagnostics);
    let names = OwnNames::of(root, keys::MODEL.fields, diagnostics);
    let mut expansion = Expansion {
        definitions: &definitions,
        sources,
        diagnostics,
        list,
        open: Vec::new(),
        values: DocumentLimits::default().values,
        is_full: false,
        parts: Table::empty(root.span),
    };
    expansion.instances(root, &Scope::of_model(&names));
    let parts = expansion.parts;
    definitions.warn_unused(root.span, diagnostics);
    let _ = root.take("component");
    let _ = root.take("instance");
    root.extend(parts);
}

/// The number of instances of an array; `None` without `count`. An invalid one is an error, which is reported.
fn count(field: &DocumentField<'_>) -> Result<Option<i64>, ()> {
    if !field.is_present() {
        return Ok(None);
    }
    let count = field.integer().ok_or(())?;
    let most = i64::try_from(MOST_INSTANCES).unwrap_or(i64::MAX);
    if (1..=most).contains(&count.value) {
        return Ok(Some(count.value));
    }
    let problem = format!("must be from 1 to {most}");
    let label = format!("this is {}", count.value);
    field.error("bad-count", &problem, &label, None);
    Err(())
}

struct Expansion<'e, 't> {
    definitions: &'e Definitions<'t>,
    sources: &'e mut Sources,
    diagnostics: &'e Diagnostics,
    list: &'e mut Vec<Instance>,
    /// The components whose instances are being expanded, as indices of definitions.
    open: Vec<usize>,
    /// The number of values that may still be copied.
    values: usize,
    /// Set when a limit is reached; nothing is added afterwards.
    is_full: bool,
    /// The elements of the instances, as a document.
    parts: Table,
}

impl<'t> Expansion<'_, 't> {
    /// Expands the instances of the model or of a component.
    fn instances(&mut self, table: &'t Table, scope: &Scope<'_>) {
        let Some(ValueKind::Array(items)) = table.get("instance").map(|entry| &entry.value.kind)
        else {
            if let Some(entry) = table.get("instance") {
                let message = "`instance` must be a list of tables";
                let error = Diagnostic::error("wrong-type", message).at(entry.value.span, "");
                let help = "write the header in double brackets: [[instance]]";
                self.diagnostics.push(error.help(help));
            }
            return;
        };
        for table in items.iter().filter_map(Value::as_table) {
            if self.is_full {
                return;
            }
            self.spend(table.len(), scope.span(table.span));
            let reader = SectionReader::new(&keys::INSTANCE, table, self.diagnostics);
            let name = reader.require("name", "name = \"left\"").string();
            let component = reader.require("component", "component = \"leg\"");
            let definition = self.definition(&component, scope);
            let count = count(&reader.get("count"));
            if let (Some(name), Some(definition), Ok(count)) = (name, definition, count)
                && scope.names().is_instance(name)
            {
                self.check_keys(&reader, definition, count.is_some());
                for index in 0..count.unwrap_or(1) {
                    let array = count.map(|count| ArrayPosition {
                        name: name.value,
                        index,
                        count,
                    });
                    self.instance(table, definition, scope, (name.value, array));
                }
            }
            reader.finish();
        }
    }

    /// The component that an instance names.
    fn definition(&self, field: &DocumentField<'t>, scope: &Scope<'_>) -> Option<usize> {
        let name = field.string()?;
        let library = scope.library();
        if let Some(found) = self.definitions.find(library, name.value) {
            return Some(found).filter(|&found| !self.definitions.list[found].is_broken);
        }
        let known = self.definitions.names(library);
        let help = nearest(
            name.value,
            known.iter().copied(),
            "define it: [component.NAME], or [component.NAME] with file = \"part.toml\"",
        );
        let message = format!(
            "{}: there is no component {}",
            field.what(),
            shown(name.value)
        );
        self.diagnostics.push(
            Diagnostic::error("unknown-name", message)
                .at(scope.span(name.span), "unknown component")
                .help(help),
        );
        None
    }

    /// Reports keys of `parameters`, `connect`, `first` and `last` that the component does not have.
    fn check_keys(&self, reader: &SectionReader<'t>, definition: usize, is_array: bool) {
        let definition = &self.definitions.list[definition];
        let names = &definition.names;
        for key in ["parameters", "connect", "first", "last"] {
            let field = reader.get(key);
            let Some(table) = field.table() else { continue };
            if !is_array && matches!(key, "first" | "last") {
                let help = Some("write the connection in `connect`, or add `count`".to_owned());
                field.error(
                    "not-an-array",
                    "needs an array",
                    "there is no `count`",
                    help,
                );
            }
            let of_parameters = key == "parameters";
            let word = if of_parameters { "parameter" } else { "port" };
            for entry in table.value {
                let is_known = if of_parameters {
                    names.parameters.contains_key(entry.key.as_str())
                } else {
                    names.ports.contains_key(entry.key.as_str())
                };
                if is_known || self.diagnostics.is_crowded() {
                    continue;
                }
                let known: Vec<&str> = if of_parameters {
                    names.parameters.keys().copied().collect()
                } else {
                    names.ports.keys().copied().collect()
                };
                let message = format!("{} has no {word} {}", definition.what(), shown(&entry.key));
                let code = if of_parameters {
                    "unknown-parameter"
                } else {
                    "unknown-port"
                };
                let none = format!("it has no {word}s");
                let help = nearest(&entry.key, known.iter().copied(), &none);
                self.diagnostics.push(
                    Diagnostic::error(code, message)
                        .at(entry.key_span, format!("unknown {word}"))
                        .also(definition.span, "the component")
                        .help(help),
                );
            }
        }
    }

    /// Adds the elements of one instance.
    fn instance(
        &mut self,
        table: &'t Table,
        definition: usize,
        outer: &Scope<'_>,
        (name, array): (&str, Option<ArrayPosition<'_>>),
    ) {
        if self.is_full || self.refuse(table, definition, outer) {
            return;
        }
        let definitions = self.definitions;
        let component = &definitions.list[definition];
        let own = match &array {
            Some(array) => format!("{name}{}", array.index),
            None => name.to_owned(),
        };
        let path = outer.path_of(&own);
        let used = outer.span(table.span);
        let number = self.sources.add_use(&path, component.name, used);
        let around = outer.with_array(array.clone());
        let copier = Copier::new(&around, number, self.diagnostics);
        self.list.push(Instance {
            path: path.clone(),
            component: component.name.to_owned(),
            parent: outer.number(),
            array: array.as_ref().and_then(ArrayPosition::numbers),
            table: copier.some_keys(table, keys::INSTANCE.fields, PLACEMENT),
        });
        let mut given = copier.parameters(table, component, (name, array.as_ref()));
        let ports = copier.ports(table, component, (name, array.as_ref()));
        let is_placed = PLACEMENT.iter().any(|key| table.get(key).is_some());
        let ports_and_keys = copier.copied();
        let scope = outer.inside(component, (&path, number), ports, is_placed);
        let copier = Copier::new(&scope, number, self.diagnostics);
        let defaults = component.table.get("parameters");
        for default in defaults
            .and_then(|e| e.value.as_table())
            .into_iter()
            .flatten()
        {
            let value = given
                .remove(&default.key)
                .unwrap_or_else(|| copier.value(&default.value, FieldKind::Number { unit: "" }));
            let entry = copier.entry(&default.key, default.key_span, value);
            self.parts.put_below(&["parameters"], entry);
        }
        self.contents(component, &copier);
        let spent = path.len() / BYTES_PER_VALUE + ports_and_keys + copier.copied();
        self.spend(spent, used);
        self.open.push(definition);
        self.instances(component.table, &scope);
        let _ = self.open.pop();
        if scope.needs_frame() {
            self.frame(scope.span(component.span), &path);
        }
        if around.needs_frame() {
            outer.need_frame();
        }
    }

    /// Adds the tables, the ground and the elements of an instance.
    fn contents(&mut self, component: &Definition<'t>, copier: &Copier<'_>) {
        let mut tables: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
        for field in keys::COMPONENT.fields {
            let Some(entry) = component.table.get(field.name) else {
                continue;
            };
            match (field.kind, &entry.value.kind) {
                (FieldKind::Tables([info]), ValueKind::Array(items))
                    if field.name != "instance" =>
                {
                    let items = items.iter().filter_map(Value::as_table);
                    let copies = items.map(|table| copier.table(table, info.fields));
                    let copies = copies.map(|table| Value {
                        span: table.span,
                        kind: ValueKind::Table(table),
                    });
                    tables.entry(field.name).or_default().extend(copies);
                }
                (FieldKind::Map(kind), ValueKind::Table(all))
                    if ["table", "points"].contains(&field.name) =>
                {
                    for entry in all {
                        let value = copier.value(&entry.value, *kind);
                        let entry = copier.entry(&entry.key, entry.key_span, value);
                        self.parts.put_below(&[field.name], entry);
                    }
                }
                _ => {}
            }
        }
        for (family, items) in tables {
            self.parts.append(family, items);
        }
        let ground = component.table.get("ground");
        let ground = ground.and_then(|entry| entry.value.as_table());
        for (key, kind) in [
            ("points", keys::POSITION),
            ("frames", FieldKind::Table(&keys::FRAME)),
        ] {
            let entry = ground.and_then(|ground| ground.get(key));
            for entry in entry.and_then(|e| e.value.as_table()).into_iter().flatten() {
                let value = copier.value(&entry.value, kind);
                let entry = copier.entry(&entry.key, entry.key_span, value);
                self.parts.put_below(&["ground", key], entry);
            }
        }
        let shapes = ground.and_then(|ground| ground.get("shapes"));
        if let Some(ValueKind::Array(items)) = shapes.map(|entry| &entry.value.kind) {
            let copies = items.iter();
            let copies = copies.map(|item| copier.value(item, FieldKind::Table(&keys::SHAPE)));
            self.parts
                .append_below("ground", "shapes", copies.collect());
        }
    }

    /// Adds the frame of an instance on the ground.
    fn frame(&mut self, span: Span, path: &str) {
        let frame = Value {
            span,
            kind: ValueKind::Table(Table::empty(span)),
        };
        let entry = TableEntry {
            key: path.to_owned(),
            key_span: span,
            value: frame,
        };
        self.parts.put_below(&["ground", "frames"], entry);
    }

    /// Reports a component that contains itself, and the limits; `true` if an instance must not be added.
    fn refuse(&mut self, table: &Table, definition: usize, outer: &Scope<'_>) -> bool {
        let span = outer.span(table.span);
        if let Some(at) = self.open.iter().position(|open| *open == definition) {
            let names = self.open[at..].iter().chain([&definition]);
            let names: Vec<String> = names
                .map(|&at| crate::diagnostic::escaped(self.definitions.list[at].name))
                .collect();
            let message = format!(
                "component {} contains itself",
                shown(self.definitions.list[definition].name)
            );
            self.diagnostics.push(
                Diagnostic::error("component-cycle", message)
                    .at(span, names.join(" → "))
                    .help("a component can contain instances of other components only"),
            );
            return true;
        }
        if self.open.len() >= DEEPEST {
            let message = format!("components are nested more than {DEEPEST} levels deep");
            let error = Diagnostic::error("component-depth", message);
            self.diagnostics.push(error.at(span, "one level too many"));
            return true;
        }
        if self.list.len() >= MOST_INSTANCES {
            let message =
                format!("the model has more than {MOST_INSTANCES} instances of components");
            self.full(span, &message);
            return true;
        }
        false
    }

    /// Counts values that were read or copied for the instance at a span.
    fn spend(&mut self, values: usize, span: Span) {
        self.values = self.values.saturating_sub(values);
        if self.values == 0 {
            self.full(span, "the instances of components have too many values");
        }
    }

    fn full(&mut self, span: Span, message: &str) {
        self.is_full = true;
        let error = Diagnostic::error("too-many-instances", message);
        let error = error.at(span, "the instances from here on are not read");
        self.diagnostics.push(error.help("reduce `count`"));
    }
}
