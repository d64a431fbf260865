//! Edits of a model file that preserve comments, order and layout.
//!
//! A [`ModelEdit`] names an element by its table and name, as in the file. The result is text that [`crate::load`] reads like any other; an invalid change is
//! reported with line and column.
//!
//! ```
//! use biela_model::edit::{ModelEdit, ModelElement, edit};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let text = "[[body]]\nname = \"rod\"\nmass = \"2 kg\" # as measured\n";
//! let rod = ModelElement { table: "body".to_owned(), name: Some("rod".to_owned()) };
//! let change = ModelEdit::Set { element: rod, key: "mass".to_owned(), value: "3 kg".to_owned() };
//! assert_eq!(edit(text, &[change])?, text.replace("2 kg", "3 kg"));
//! # Ok(())
//! # }
//! ```

use std::ops::Range;

use toml_edit::{
    Array, ArrayOfTables, Document, DocumentMut, Formatted, InlineTable, Item, RawString, Table,
    TableLike, Value,
};

use crate::Loaded;
use crate::diagnostic::{Diagnostic, Label};

mod mentions;

use mentions::{NOT_NAMES, each_string, renamed, without_mentions};

/// An element of a model file: `[[body]]` with its name, or a table such as `[study]`, which has no name.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct ModelElement {
    /// The table: `body`, `joint`, `parameters`; empty for the keys before the first table.
    pub table: String,
    /// Its name, if there are several elements of this table.
    pub name: Option<String>,
}

impl ModelElement {
    /// The top-level keys of the file, before its first table.
    pub fn own() -> Self {
        ModelElement {
            table: String::new(),
            name: None,
        }
    }
}

/// A change of a model file; in JSON, `do` selects the variant.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum ModelEdit {
    /// Sets the value of a key; dots in the key address inline tables.
    Set {
        /// The element.
        element: ModelElement,
        /// The key: `mass`, `points.tip`.
        key: String,
        /// The value as in the file, with or without quotes: `1.5`, `30 deg`, `[0, "2 m"]`.
        value: String,
    },
    /// Removes a key of an element.
    Unset {
        /// The element.
        element: ModelElement,
        /// The key.
        key: String,
    },
    /// Adds an element after the last of its table.
    Add {
        /// The table.
        table: String,
        /// Keys and values, in order.
        entries: Vec<(String, String)>,
    },
    /// Removes an element.
    Remove {
        /// The element.
        element: ModelElement,
    },
    /// Renames an element and all references to it.
    Rename {
        /// The element.
        element: ModelElement,
        /// The new name.
        name: String,
    },
}

/// The reason why a change cannot be applied.
#[derive(Clone, PartialEq, Eq)]
pub struct EditError(String);

impl std::fmt::Display for EditError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

biela_core::readable_errors!(EditError);

fn fault<T>(text: impl Into<String>) -> Result<T, EditError> {
    Err(EditError(text.into()))
}

/// An element as written in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenElement {
    /// The identity of the element.
    pub element: ModelElement,
    /// Its keys and values as written, in order.
    pub entries: Vec<(String, String)>,
}

impl WrittenElement {
    /// Returns the value of a key as written.
    pub fn get(&self, key: &str) -> Option<&str> {
        let mut entries = self.entries.iter();
        entries
            .find(|entry| entry.0 == key)
            .map(|entry| entry.1.as_str())
    }
}

/// Returns all elements of a file, in its order.
pub fn elements(text: &str) -> Result<Vec<WrittenElement>, EditError> {
    let Ok(document) = Document::parse(text) else {
        return fault(MISTAKE);
    };
    let written = |table: &str, name: Option<&str>, content: &dyn TableLike| WrittenElement {
        element: ModelElement {
            table: table.to_owned(),
            name: name.map(str::to_owned),
        },
        entries: content
            .iter()
            .filter_map(|(key, item)| Some((key.to_owned(), as_written(text, item)?)))
            .collect(),
    };
    let plain = |item: &Item| item.is_value() && !item.is_table_like();
    let own = document.iter().filter(|(_, item)| plain(item));
    let own = own.filter_map(|(key, item)| Some((key.to_owned(), as_written(text, item)?)));
    let mut list = vec![WrittenElement {
        element: ModelElement::own(),
        entries: own.collect(),
    }];
    for (key, item) in document.iter() {
        match item {
            Item::ArrayOfTables(tables) => {
                let tables = tables.iter();
                list.extend(tables.map(|table| written(key, name_of(table), table)));
            }
            item => list.extend(item.as_table_like().map(|table| written(key, None, table))),
        }
    }
    Ok(list)
}

fn as_written(text: &str, item: &Item) -> Option<String> {
    Some(text.get(item.as_value()?.span()?)?.to_owned())
}

/// The effect of a change on the elements of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Effect {
    /// Removed elements.
    pub gone: Vec<ModelElement>,
    /// Changed, added or removed keys of the remaining elements.
    pub changed: Vec<(ModelElement, String)>,
}

/// Returns the differences between two texts of a file, by element.
pub fn effect(before: &str, after: &str) -> Result<Effect, EditError> {
    let after = elements(after)?;
    let mut effect = Effect::default();
    for old in elements(before)? {
        let Some(new) = after.iter().find(|new| new.element == old.element) else {
            effect.gone.push(old.element);
            continue;
        };
        let keys = old.entries.iter().chain(&new.entries);
        let mut keys: Vec<&str> = keys.map(|(key, _)| key.as_str()).collect();
        keys.retain(|key| old.get(key) != new.get(key));
        keys.sort_unstable();
        keys.dedup();
        let change = |key: &str| (old.element.clone(), key.to_owned());
        effect.changed.extend(keys.into_iter().map(change));
    }
    Ok(effect)
}

const MISTAKE: &str = "the file has a TOML syntax error; correct it first";

/// Returns the text after a sequence of changes.
pub fn edit(text: &str, changes: &[ModelEdit]) -> Result<String, EditError> {
    let mut document: DocumentMut = match text.parse() {
        Ok(document) => document,
        Err(_) => return fault(MISTAKE),
    };
    for change in changes {
        apply(&mut document, change)?;
    }
    Ok(document.to_string())
}

/// Returns the text with an element and all references to it renamed. A word that then is an unknown name belonged to something else, such as a parameter, and
/// is restored.
pub fn rename(
    text: &str,
    element: &ModelElement,
    name: &str,
    unknown: &dyn Fn(&str) -> Vec<Range<usize>>,
) -> Result<String, EditError> {
    let change = ModelEdit::Rename {
        element: element.clone(),
        name: name.to_owned(),
    };
    let mut text = edit(text, &[change])?;
    let old = element.name.as_deref().unwrap_or_default();
    // a minus directly before a name is parsed as part of it: unknown names under the old name were missed
    let mut missed = unknown(&text);
    missed.retain(|place| {
        let rest = text
            .get(place.clone())
            .and_then(|found| found.strip_prefix(old));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    });
    missed.sort_by_key(|place| std::cmp::Reverse(place.start));
    missed.dedup();
    for place in missed {
        text.replace_range(place.start..place.start + old.len(), name);
    }
    loop {
        let mut places = unknown(&text);
        places.retain(|place| text.get(place.clone()) == Some(name));
        places.sort_by_key(|place| std::cmp::Reverse(place.start));
        places.dedup();
        if places.is_empty() || old == name {
            return Ok(text);
        }
        for place in places {
            text.replace_range(place, old);
        }
    }
}

/// Returns the spans of unknown names in a loaded text.
pub fn unknown_names(loaded: &Loaded, text: &str) -> Vec<Range<usize>> {
    let list = loaded.diagnostics.sorted();
    let is_unknown = |d: &&Diagnostic| {
        d.code.starts_with("unknown") || d.code == "formula" && d.message.contains("unknown name ")
    };
    let labels = list.iter().filter(is_unknown);
    let here = |label: &&Label| {
        let source = loaded.sources.get(label.span.source);
        source.is_some_and(|source| source.text() == text)
    };
    labels
        .filter_map(|d| d.primary.as_ref())
        .filter(here)
        .map(|label| label.span.start as usize..label.span.end as usize)
        .collect()
}

/// Returns the text without an element and without all references to it; `unknown` returns the spans of unknown names in a text.
pub fn remove(
    text: &str,
    element: &ModelElement,
    unknown: &dyn Fn(&str) -> Vec<Range<usize>>,
) -> Result<String, EditError> {
    let before = unknown(text).len();
    let change = ModelEdit::Remove {
        element: element.clone(),
    };
    let mut text = edit(text, &[change])?;
    loop {
        let places = unknown(&text);
        if places.len() <= before {
            return Ok(text);
        }
        let without = without_mentions(&text, &places)?;
        if without == text {
            // a reference is at a location that must not be removed
            return Ok(text);
        }
        text = without;
    }
}

fn apply(document: &mut DocumentMut, change: &ModelEdit) -> Result<(), EditError> {
    match change {
        ModelEdit::Set {
            element,
            key,
            value,
        } => {
            let is_single = element.name.is_none() && !element.table.is_empty();
            if is_single && !document.contains_key(&element.table) {
                let mut table = Table::new();
                table.decor_mut().set_prefix("\n");
                let _ = document.insert(&element.table, Item::Table(table));
            }
            set(find(document, element)?, key, read(value))
        }
        ModelEdit::Unset { element, key } => {
            let (path, last) = split(key)?;
            let mut table = find(document, element)?;
            for part in path {
                table = inner(table, part)?;
            }
            match table.remove(last) {
                Some(_) => Ok(()),
                None => fault(format!("there is no key `{key}` to remove")),
            }
        }
        ModelEdit::Add { table, entries } => {
            let mut new = Table::new();
            for (key, value) in entries {
                set(&mut new, key, read(value))?;
            }
            new.decor_mut().set_prefix("\n");
            let item = document
                .entry(table)
                .or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
            match item.as_array_of_tables_mut() {
                Some(list) => {
                    list.push(new);
                    Ok(())
                }
                None => fault(format!("`{table}` is not a list of tables in this file")),
            }
        }
        ModelEdit::Remove { element } => {
            let name = element.name.as_deref();
            let Some(name) = name else {
                return match document.remove(&element.table) {
                    Some(_) => Ok(()),
                    None => missing(element),
                };
            };
            let list = document.get_mut(&element.table);
            let list = list.and_then(Item::as_array_of_tables_mut);
            let Some(list) = list else {
                return missing(element);
            };
            let Some(at) = list.iter().position(|table| name_of(table) == Some(name)) else {
                return missing(element);
            };
            let _ = list.remove(at);
            if list.is_empty() {
                let _ = document.remove(&element.table);
            }
            Ok(())
        }
        ModelEdit::Rename { element, name } => {
            let Some(old) = element.name.clone() else {
                return fault("a table without a name cannot be renamed");
            };
            if find(document, element)?.get("name").is_none() {
                return missing(element);
            }
            let refers = |key: &str, item: &Item| !NOT_NAMES.contains(&key) && !item.is_value();
            let items = document.iter_mut();
            for (_, item) in items.filter(|(key, item)| refers(key.get(), item)) {
                each_string(item, &mut |text| renamed(text, &old, name));
            }
            Ok(())
        }
    }
}

fn missing<T>(element: &ModelElement) -> Result<T, EditError> {
    match &element.name {
        Some(name) => fault(format!("this file has no {} `{name}`", element.table)),
        None => fault(format!("this file has no [{}]", element.table)),
    }
}

fn name_of(table: &Table) -> Option<&str> {
    table.get("name")?.as_str()
}

fn find<'d>(
    document: &'d mut DocumentMut,
    element: &ModelElement,
) -> Result<&'d mut dyn TableLike, EditError> {
    if *element == ModelElement::own() {
        return Ok(document.as_table_mut());
    }
    let Some(item) = document.get_mut(&element.table) else {
        return missing(element);
    };
    let Some(name) = element.name.as_deref() else {
        return match item.as_table_like_mut() {
            Some(table) => Ok(table),
            None => missing(element),
        };
    };
    let list = item.as_array_of_tables_mut();
    let mut tables = list.into_iter().flat_map(ArrayOfTables::iter_mut);
    match tables.find(|table| name_of(table) == Some(name)) {
        Some(table) => Ok(table),
        None => missing(element),
    }
}

/// Parses a value as intended: TOML if valid, a list if it has brackets, otherwise a string.
fn read(text: &str) -> Value {
    let text = text.trim();
    if let Ok(value) = text.parse() {
        return value;
    }
    match list(text, 0) {
        Some(array) => Value::Array(array),
        None => Value::String(Formatted::new(text.to_owned())),
    }
}

/// The maximum nesting of lists.
const MOST_DEEP: usize = 8;

/// Parses `[L, 20 mm]`, whose entries may be unquoted.
fn list(text: &str, depth: usize) -> Option<Array> {
    let inside = text.strip_prefix('[')?.strip_suffix(']')?;
    if depth > MOST_DEEP || inside.contains(['"', '\'', '#', '\n']) {
        return None;
    }
    let mut open = 0_i32;
    let apart = |c: char| {
        open += i32::from("[({".contains(c)) - i32::from("])}".contains(c));
        c == ',' && open == 0
    };
    let entries = inside.split(apart).map(str::trim);
    let entry = |text: &str| {
        let plain = || Value::String(Formatted::new(text.to_owned()));
        let value: Option<Value> = text.parse().ok();
        value
            .or_else(|| Some(Value::Array(list(text, depth + 1)?)))
            .unwrap_or_else(plain)
    };
    let mut array = Array::new();
    for text in entries.filter(|text| !text.is_empty()) {
        array.push(entry(text));
    }
    Some(array)
}

/// Splits a dotted key into the tables and the last key.
fn split(key: &str) -> Result<(Vec<&str>, &str), EditError> {
    let mut parts: Vec<&str> = key.split('.').collect();
    match parts.pop() {
        Some(last) if !last.is_empty() && parts.iter().all(|part| !part.is_empty()) => {
            Ok((parts, last))
        }
        _ => fault(format!("`{key}` is not a valid key")),
    }
}

fn inner<'t>(table: &'t mut dyn TableLike, key: &str) -> Result<&'t mut dyn TableLike, EditError> {
    match table.get_mut(key).and_then(Item::as_table_like_mut) {
        Some(table) => Ok(table),
        None => fault(format!("there is no table `{key}`")),
    }
}

fn set(mut table: &mut dyn TableLike, key: &str, mut value: Value) -> Result<(), EditError> {
    let (path, last) = split(key)?;
    let is_inside = !path.is_empty();
    for part in path {
        if table.get(part).is_none() {
            let _ = table.insert(part, Item::Value(Value::InlineTable(InlineTable::new())));
        }
        table = inner(table, part)?;
    }
    if let Some(old) = table.get(last).and_then(Item::as_value) {
        // a comment after the old value is kept after the new one
        *value.decor_mut() = old.decor().clone();
    }
    if let Some(item) = table.get_mut(last) {
        *item = Item::Value(value);
        return Ok(());
    }
    // the space before the closing brace moves after the new value
    let before = is_inside.then(|| table.iter_mut().last()).flatten();
    if let Some(before) = before.and_then(|(_, item)| item.as_value_mut()) {
        let decor = before.decor_mut();
        let blank = decor.suffix().and_then(RawString::as_str).unwrap_or("");
        if !blank.is_empty() && blank.trim().is_empty() {
            value.decor_mut().set_suffix(blank.to_owned());
            decor.set_suffix("");
        }
    }
    let _ = table.insert(last, Item::Value(value));
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
