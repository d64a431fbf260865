//! Values with spans, and tables that keep the order of their keys.

use std::collections::BTreeMap;

use crate::diagnostic::Span;

/// A value and its span.
#[derive(Clone, Debug)]
pub struct Value {
    /// The whole literal; for a `[table]` its header, for a table created by a dotted key that key.
    pub span: Span,
    /// The content.
    pub kind: ValueKind,
}

/// The types of values.
#[derive(Clone, Debug)]
pub enum ValueKind {
    /// A quoted string with escapes resolved.
    String(String),
    /// An integer.
    Integer(i64),
    /// A number with a point or an exponent, or `inf` or `nan`.
    Float(f64),
    /// `true` or `false`.
    Bool(bool),
    /// A date or time, as written; no model key accepts one.
    Datetime(String),
    /// Values in brackets, or all tables under one `[[header]]`.
    Array(Vec<Value>),
    /// A table.
    Table(Table),
    /// A value that could not be read and was reported; getters ignore it silently.
    Invalid,
}

impl Value {
    /// The name of the type, for "expected …, found …".
    pub fn kind_name(&self) -> &'static str {
        match self.kind {
            ValueKind::String(_) => "a string",
            ValueKind::Integer(_) => "an integer",
            ValueKind::Float(_) => "a number",
            ValueKind::Bool(_) => "a boolean",
            ValueKind::Datetime(_) => "a date or time",
            ValueKind::Array(_) => "an array",
            ValueKind::Table(_) => "a table",
            ValueKind::Invalid => "an invalid value",
        }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            ValueKind::String(text) => Some(text),
            _ => None,
        }
    }

    /// The table, if it is one.
    pub fn as_table(&self) -> Option<&Table> {
        match &self.kind {
            ValueKind::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Returns `true` if both have equal content, ignoring spans.
    pub fn same(&self, other: &Self) -> bool {
        match (&self.kind, &other.kind) {
            (ValueKind::String(a), ValueKind::String(b))
            | (ValueKind::Datetime(a), ValueKind::Datetime(b)) => a == b,
            (ValueKind::Integer(a), ValueKind::Integer(b)) => a == b,
            (ValueKind::Float(a), ValueKind::Float(b)) => a.to_bits() == b.to_bits(),
            (ValueKind::Bool(a), ValueKind::Bool(b)) => a == b,
            (ValueKind::Array(a), ValueKind::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
            }
            (ValueKind::Table(a), ValueKind::Table(b)) => {
                a.len() == b.len()
                    && a.iter().all(|entry| {
                        b.get(&entry.key)
                            .is_some_and(|other| entry.value.same(&other.value))
                    })
            }
            _ => false,
        }
    }
}

/// A key with its value.
#[derive(Clone, Debug)]
pub struct TableEntry<V = Value> {
    /// The key, quotes and escapes resolved.
    pub key: String,
    /// The span of the key.
    pub key_span: Span,
    /// The value.
    pub value: V,
}

/// Keys with values in the order of the file.
#[derive(Clone, Debug)]
pub struct Table {
    /// The `[header]`, the `{…}`, the dotted key that created it, or the start of the file.
    pub span: Span,
    pub(super) entries: Entries<Value>,
}

impl Table {
    /// Creates an empty table.
    pub fn empty(span: Span) -> Self {
        Self {
            span,
            entries: Entries::default(),
        }
    }

    /// Returns the entry of a key.
    pub fn get(&self, key: &str) -> Option<&TableEntry> {
        let at = self.entries.position(key)?;
        self.entries.list.get(at)
    }

    /// Replaces the entry with the same key, or adds it at the end.
    pub(crate) fn put(&mut self, entry: TableEntry) {
        match self.entries.position(&entry.key) {
            Some(at) => self.entries.list[at] = entry,
            None => self.entries.push(entry),
        }
    }

    /// Removes a key of a table below this one.
    pub(crate) fn remove(&mut self, table: &str, key: &str) {
        let Some(at) = self.entries.position(table) else {
            return;
        };
        if let ValueKind::Table(below) = &mut self.entries.list[at].value.kind {
            let entries = std::mem::take(&mut below.entries).list.into_iter();
            for entry in entries.filter(|entry| entry.key != key) {
                below.entries.push(entry);
            }
        }
    }

    /// Applies changes: lists of tables are concatenated, tables are merged key by key, and other values are replaced.
    pub(crate) fn change(&mut self, changes: Self) {
        for entry in changes.entries.list {
            let existing = self.entries.position(&entry.key);
            let Some(existing) = existing.map(|at| &mut self.entries.list[at].value.kind) else {
                self.entries.push(entry);
                continue;
            };
            match (existing, entry.value.kind) {
                (ValueKind::Array(first), ValueKind::Array(more))
                    if are_tables(first) && are_tables(&more) =>
                {
                    first.extend(more);
                }
                (ValueKind::Table(first), ValueKind::Table(more)) => {
                    for entry in more.entries.list {
                        first.put(entry);
                    }
                }
                (existing, kind) => *existing = kind,
            }
        }
    }

    /// Removes a key and returns its entry.
    pub(crate) fn take(&mut self, key: &str) -> Option<TableEntry> {
        self.entries.remove(key)
    }

    /// The table under a key; added if there is none. `None` if the key has another value.
    fn below(&mut self, key: &str, span: Span) -> Option<&mut Self> {
        if self.entries.position(key).is_none() {
            self.entries.push(TableEntry {
                key: key.to_owned(),
                key_span: span,
                value: Value {
                    span,
                    kind: ValueKind::Table(Self::empty(span)),
                },
            });
        }
        let at = self.entries.position(key)?;
        match &mut self.entries.list[at].value.kind {
            ValueKind::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Adds an entry to the table below these keys.
    pub(crate) fn put_below(&mut self, keys: &[&str], entry: TableEntry) {
        let mut table = Some(self);
        for key in keys {
            table = table.and_then(|table| table.below(key, entry.key_span));
        }
        if let Some(table) = table {
            table.put(entry);
        }
    }

    /// The tables of the list under a key.
    pub(crate) fn tables_mut(&mut self, key: &str) -> impl Iterator<Item = &mut Self> {
        let at = self.entries.position(key);
        let list = at.map(|at| &mut self.entries.list[at].value.kind);
        let items = match list {
            Some(ValueKind::Array(items)) => items.as_mut_slice(),
            _ => &mut [],
        };
        items.iter_mut().filter_map(|item| match &mut item.kind {
            ValueKind::Table(table) => Some(table),
            _ => None,
        })
    }

    /// Adds values to the list under a key, which is added if there is none.
    pub(crate) fn append(&mut self, key: &str, values: Vec<Value>) {
        let Some(span) = values.first().map(|value| value.span) else {
            return;
        };
        match self.entries.position(key) {
            Some(at) => {
                if let ValueKind::Array(items) = &mut self.entries.list[at].value.kind {
                    items.extend(values);
                }
            }
            None => self.entries.push(TableEntry {
                key: key.to_owned(),
                key_span: span,
                value: Value {
                    span,
                    kind: ValueKind::Array(values),
                },
            }),
        }
    }

    /// Adds values to the list under a key of the table below another.
    pub(crate) fn append_below(&mut self, table: &str, key: &str, values: Vec<Value>) {
        if let Some(span) = values.first().map(|value| value.span)
            && let Some(table) = self.below(table, span)
        {
            table.append(key, values);
        }
    }

    /// Adds the contents of another table: lists are concatenated and tables are merged at every level; otherwise the own values stay.
    pub(crate) fn extend(&mut self, more: Self) {
        for entry in more.entries.list {
            let Some(at) = self.entries.position(&entry.key) else {
                self.entries.push(entry);
                continue;
            };
            let own = &mut self.entries.list[at];
            match (&mut own.value.kind, entry.value.kind) {
                (ValueKind::Array(first), ValueKind::Array(more)) => first.extend(more),
                (ValueKind::Table(first), ValueKind::Table(more)) => first.extend(more),
                // a value for a path, in a key whose span is that of the component
                _ => own.key_span = entry.key_span,
            }
        }
    }

    /// All entries in order.
    pub fn iter(&self) -> std::slice::Iter<'_, TableEntry> {
        self.entries.list.iter()
    }

    /// Number of keys.
    pub fn len(&self) -> usize {
        self.entries.list.len()
    }

    /// Returns `true` if there are no keys.
    pub fn is_empty(&self) -> bool {
        self.entries.list.is_empty()
    }
}

/// Returns `true` if an array contains only tables.
pub(super) fn are_tables(items: &[Value]) -> bool {
    items.iter().all(|item| item.as_table().is_some())
}

impl<'t> IntoIterator for &'t Table {
    type Item = &'t TableEntry;
    type IntoIter = std::slice::Iter<'t, TableEntry>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The number of entries from which an index is used; below it a linear search is faster.
const INDEXED: usize = 16;

/// An ordered list of entries with distinct keys and fast lookup at any size.
#[derive(Clone, Debug)]
pub(super) struct Entries<V> {
    pub(super) list: Vec<TableEntry<V>>,
    index: BTreeMap<String, usize>,
}

impl<V> Default for Entries<V> {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            index: BTreeMap::new(),
        }
    }
}

impl<V> Entries<V> {
    pub(super) fn position(&self, key: &str) -> Option<usize> {
        if self.list.len() < INDEXED {
            self.list.iter().position(|entry| entry.key == key)
        } else {
            self.index.get(key).copied()
        }
    }

    /// Adds an entry whose key is not present.
    pub(super) fn push(&mut self, entry: TableEntry<V>) {
        debug_assert!(self.position(&entry.key).is_none());
        self.list.push(entry);
        let indexed = self.index.len();
        if self.list.len() >= INDEXED {
            for (at, entry) in self.list.iter().enumerate().skip(indexed) {
                let _ = self.index.insert(entry.key.clone(), at);
            }
        }
    }

    /// Removes an entry; the others keep their order.
    pub(super) fn remove(&mut self, key: &str) -> Option<TableEntry<V>> {
        let removed = self.list.remove(self.position(key)?);
        let rest = std::mem::take(self).list;
        for entry in rest {
            self.push(entry);
        }
        Some(removed)
    }

    /// Maps the values and keeps the keys.
    pub(super) fn map<U>(self, mut change: impl FnMut(V) -> U) -> Entries<U> {
        let changed = self.list.into_iter().map(|entry| TableEntry {
            key: entry.key,
            key_span: entry.key_span,
            value: change(entry.value),
        });
        Entries {
            list: changed.collect(),
            index: self.index,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Sources;

    #[test]
    fn keys_are_found_below_and_above_the_size_of_the_index() {
        let span = Span::new(Sources::new().add("t", ""), 0..0);
        let mut entries = Entries::default();
        for number in 0..50 {
            assert_eq!(entries.position(&format!("k{number}")), None);
            entries.push(TableEntry {
                key: format!("k{number}"),
                key_span: span,
                value: number,
            });
            for earlier in 0..=number {
                assert_eq!(entries.position(&format!("k{earlier}")), Some(earlier));
            }
        }
        assert_eq!(entries.remove("k20").map(|entry| entry.value), Some(20));
        assert_eq!(entries.position("k20"), None);
        assert_eq!(entries.position("k21"), Some(20));
        assert_eq!(entries.list.len(), 49);
    }
}
