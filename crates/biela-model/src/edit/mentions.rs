//! References to an element in a file: names to be changed, and entries to be removed with an element.

use std::ops::Range;

use toml_edit::{Array, Document, Formatted, Item, TableLike, Value};

use super::{EditError, MISTAKE, fault};

/// These keys contain keywords, paths or the names of components, and never refer to an element of the model.
pub(super) const NOT_NAMES: &[&str] = &["type", "law", "file", "mesh", "color", "component"];

/// Applies a change to every string below an item that can refer to an element.
pub(super) fn each_string(item: &mut Item, change: &mut dyn FnMut(&str) -> Option<String>) {
    let mut of_table = |table: &mut dyn TableLike| {
        for (key, item) in table.iter_mut() {
            if !NOT_NAMES.contains(&key.get()) {
                each_string(item, change);
            }
        }
    };
    match item {
        Item::Value(value) => each_string_of(value, change),
        Item::Table(table) => of_table(table),
        Item::ArrayOfTables(list) => list.iter_mut().for_each(|table| of_table(table)),
        Item::None => {}
    }
}

fn each_string_of(value: &mut Value, change: &mut dyn FnMut(&str) -> Option<String>) {
    match value {
        Value::String(text) => {
            if let Some(new) = change(text.value()) {
                let decor = text.decor().clone();
                *text = Formatted::new(new);
                *text.decor_mut() = decor;
            }
        }
        Value::Array(array) => {
            for value in array.iter_mut() {
                each_string_of(value, change);
            }
        }
        Value::InlineTable(table) => {
            for (key, value) in table.iter_mut() {
                if !NOT_NAMES.contains(&key.get()) {
                    each_string_of(value, change);
                }
            }
        }
        _ => {}
    }
}

/// Replaces a name in a string where it stands alone or before a dot; `None` if it does not occur.
pub(super) fn renamed(text: &str, old: &str, new: &str) -> Option<String> {
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut found) = (text, false);
    while let Some(at) = rest.find(old) {
        let before = rest[..at].chars().next_back().or(out.chars().next_back());
        let after = rest[at + old.len()..].chars().next();
        let alone = !before.is_some_and(|c| word(c) || c == '.') && !after.is_some_and(word);
        out.push_str(&rest[..at]);
        out.push_str(if alone { new } else { old });
        found |= alone;
        rest = &rest[at + old.len()..];
    }
    out.push_str(rest);
    found.then_some(out)
}

/// Returns the text without the list entries, keys or elements that contain one of these spans.
pub(super) fn without_mentions(text: &str, places: &[Range<usize>]) -> Result<String, EditError> {
    let Ok(document) = Document::parse(text) else {
        return fault(MISTAKE);
    };
    let holds = |span: Option<Range<usize>>| {
        span.is_some_and(|span| {
            places
                .iter()
                .any(|p| span.start <= p.start && p.end <= span.end)
        })
    };
    // indices of the tables of each list, and of the entries of arrays in single tables
    let (mut elements, mut entries) = (Vec::new(), Vec::new());
    for (key, item) in document.iter() {
        if let Some(list) = item.as_array_of_tables() {
            for (at, table) in list.iter().enumerate() {
                if table.iter().any(|(_, item)| holds(span_of(item))) {
                    elements.push((key.to_owned(), at));
                }
            }
        } else if let Some(table) = item.as_table_like() {
            for (inside, item) in table.iter() {
                let Some(array) = item.as_array() else {
                    continue;
                };
                let mut paths = Vec::new();
                mentions(array, &holds, &mut Vec::new(), &mut paths);
                let place = |path| (key.to_owned(), inside.to_owned(), path);
                entries.extend(paths.into_iter().map(place));
            }
        }
    }
    let mut document = document.into_mut();
    for (table, at) in elements.into_iter().rev() {
        if let Some(list) = document
            .get_mut(&table)
            .and_then(Item::as_array_of_tables_mut)
        {
            let _ = list.remove(at);
            if list.is_empty() {
                let _ = document.remove(&table);
            }
        }
    }
    for (table, key, path) in entries.into_iter().rev() {
        let item = document.get_mut(&table).and_then(|item| item.get_mut(&key));
        if let Some(array) = item.and_then(Item::as_array_mut) {
            take(array, &path);
        }
    }
    Ok(document.to_string())
}

fn span_of(item: &Item) -> Option<Range<usize>> {
    match item {
        Item::Value(value) => value.span(),
        Item::Table(table) => table.span(),
        _ => None,
    }
}

/// The paths of array entries that contain a span, including nested arrays.
fn mentions(
    array: &Array,
    holds: &dyn Fn(Option<Range<usize>>) -> bool,
    path: &mut Vec<usize>,
    found: &mut Vec<Vec<usize>>,
) {
    for (at, value) in array.iter().enumerate() {
        path.push(at);
        match value.as_array() {
            Some(array) => mentions(array, holds, path, found),
            None if holds(value.span()) => found.push(path.clone()),
            None => {}
        }
        let _ = path.pop();
    }
}

/// Removes an entry of an array, and nested arrays that become empty.
fn take(array: &mut Array, path: &[usize]) {
    let Some((&at, rest)) = path.split_first().filter(|(at, _)| **at < array.len()) else {
        return;
    };
    if let Some(inner) = array.get_mut(at).and_then(Value::as_array_mut) {
        take(inner, rest);
        if !inner.is_empty() {
            return;
        }
    }
    let gone = array.remove(at);
    // the next entry takes over the preceding space
    if let (Some(prefix), Some(next)) = (gone.decor().prefix(), array.get_mut(at)) {
        next.decor_mut().set_prefix(prefix.clone());
    }
}
