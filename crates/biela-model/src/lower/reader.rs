//! A table of the model language: only keys that its [`Section`] declares can be asked for.

use std::cell::RefCell;

use super::keys::{Key, Section};
use crate::diagnostic::{Diagnostics, Span};
use crate::document::{Field, Table, TableReader};
use crate::suggest::did_you_mean;

/// At most this many keys of a table are looked at for a misspelt one.
const MOST_COMPARED: usize = 100;

/// Reads one table of a section.
pub(super) struct Reader<'t> {
    table: TableReader<'t>,
    declared: RefCell<Vec<&'static str>>,
}

impl<'t> Reader<'t> {
    /// A reader of a table of this section; messages call it by the section's word and the table's own name.
    pub(super) fn new(section: &Section, table: &'t Table, diagnostics: &'t Diagnostics) -> Self {
        Self::called(section.what, section, table, diagnostics)
    }

    /// The same with other words for the table.
    pub(super) fn called(
        what: &str,
        section: &Section,
        table: &'t Table,
        diagnostics: &'t Diagnostics,
    ) -> Self {
        let reader = Self {
            table: TableReader::new(table, what, &[], diagnostics),
            declared: RefCell::default(),
        };
        reader.admit(section.keys);
        reader
    }

    /// Lets in the keys that come with a `type`.
    pub(super) fn admit(&self, keys: &[Key]) {
        for key in keys {
            self.table.allow(key.name);
            self.declared.borrow_mut().push(key.name);
        }
    }

    /// Lets in any key: used when the `type` is unknown, so that its keys are not reported one by one.
    pub(super) fn admit_all(&self) {
        let _ = self.table.fields();
    }

    /// An optional key.
    pub(super) fn get(&self, key: &'static str) -> Field<'t> {
        debug_assert!(
            self.declared.borrow().contains(&key),
            "undeclared key {key}"
        );
        self.table.get(key)
    }

    /// A key that must be there.
    pub(super) fn require(&self, key: &'static str, example: &str) -> Field<'t> {
        debug_assert!(
            self.declared.borrow().contains(&key),
            "undeclared key {key}"
        );
        if self.is_misspelt(key) {
            return self.table.get(key);
        }
        self.table.require(key, example)
    }

    /// Whether a key is absent because it is written wrongly, which will be reported.
    pub(super) fn is_misspelt(&self, key: &str) -> bool {
        let declared = self.declared.borrow();
        let nearest = |written: &str| did_you_mean(written, declared.iter().copied());
        let entries = self.table.table().iter().take(MOST_COMPARED);
        let mut written = entries.map(|entry| entry.key.as_str());
        !self.has(key)
            && written.any(|word| !declared.contains(&word) && nearest(word) == Some(key))
    }

    /// Whether the key is there.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.has(key)
    }

    /// What messages call the table.
    pub(super) fn what(&self) -> &str {
        self.table.what()
    }

    /// The table's header.
    pub(super) fn span(&self) -> Span {
        self.table.span()
    }

    /// Where the key itself stands, or the header when it is absent.
    pub(super) fn key_span(&self, key: &str) -> Span {
        let entry = self.table.table().get(key);
        entry.map_or(self.span(), |entry| entry.key_span)
    }

    /// Reports unknown keys.
    pub(super) fn finish(self) {
        self.table.finish();
    }
}
