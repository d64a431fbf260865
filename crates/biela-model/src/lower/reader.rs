//! A table of the model language: only keys that its [`Info`] declares can be requested.

use std::cell::RefCell;

use biela_core::element::{Field, Info};

use crate::diagnostic::{Diagnostics, Span};
use crate::document::{DocumentField, Table, TableReader};
use crate::suggest::did_you_mean;

/// The maximum number of keys of a table that are compared with a misspelt one.
const MOST_COMPARED: usize = 100;

/// Reads one table of a section.
pub(super) struct SectionReader<'t> {
    table: TableReader<'t>,
    declared: RefCell<Vec<&'static str>>,
}

impl<'t> SectionReader<'t> {
    /// Creates a reader of a table of this section; messages use the section's name and the table's own name.
    pub(super) fn new(section: &Info, table: &'t Table, diagnostics: &'t Diagnostics) -> Self {
        Self::called(section.name, section, table, diagnostics)
    }

    /// Creates a reader with another name for the table.
    pub(super) fn called(
        what: &str,
        section: &Info,
        table: &'t Table,
        diagnostics: &'t Diagnostics,
    ) -> Self {
        let reader = Self {
            table: TableReader::new(table, what, &[], diagnostics),
            declared: RefCell::default(),
        };
        reader.admit(section.fields);
        reader
    }

    /// Admits the keys of a `type`.
    pub(super) fn admit(&self, keys: &[Field]) {
        for key in keys {
            self.table.allow(key.name);
            self.declared.borrow_mut().push(key.name);
        }
    }

    /// Admits any key, for an unknown `type`, so that its keys are not reported individually.
    pub(super) fn admit_all(&self) {
        let _ = self.table.fields();
    }

    /// An optional key.
    pub(super) fn get(&self, key: &'static str) -> DocumentField<'t> {
        debug_assert!(
            self.declared.borrow().contains(&key),
            "undeclared key {key}"
        );
        self.table.get(key)
    }

    /// A required key.
    pub(super) fn require(&self, key: &'static str, example: &str) -> DocumentField<'t> {
        debug_assert!(
            self.declared.borrow().contains(&key),
            "undeclared key {key}"
        );
        if self.is_misspelt(key) {
            return self.table.get(key);
        }
        self.table.require(key, example)
    }

    /// Returns `true` if a key is absent because it is misspelt, which will be reported.
    pub(super) fn is_misspelt(&self, key: &str) -> bool {
        let declared = self.declared.borrow();
        let nearest = |written: &str| did_you_mean(written, declared.iter().copied());
        let entries = self.table.table().iter().take(MOST_COMPARED);
        let mut written = entries.map(|entry| entry.key.as_str());
        !self.has(key)
            && written.any(|word| !declared.contains(&word) && nearest(word) == Some(key))
    }

    /// Returns `true` if the key is present.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.has(key)
    }

    /// The name of the table in messages.
    pub(super) fn what(&self) -> &str {
        self.table.what()
    }

    /// The table's header.
    pub(super) fn span(&self) -> Span {
        self.table.span()
    }

    /// The span of the key, or of the header if it is absent.
    pub(super) fn key_span(&self, key: &str) -> Span {
        let entry = self.table.table().get(key);
        entry.map_or(self.span(), |entry| entry.key_span)
    }

    /// Reports unknown keys.
    pub(super) fn finish(self) {
        self.table.finish();
    }
}
