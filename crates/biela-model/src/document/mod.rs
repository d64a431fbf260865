//! A model's text as a tree with the source span of every key and value.
//!
//! [`parse`] reads one file, [`load`] a file with all files that it includes. Neither stops at the first problem: the tree contains the readable parts, the
//! diagnostics describe the others. [`TableReader`] then reads the tree with typed getters that report problems at their location.
//!
//! ```
//! use biela_model::diagnostic::ReportStyle;
//! use biela_model::document::{DocumentLimits, TableReader, parse};
//!
//! let document = parse("arm.toml", "name = \"arm\"\nspace = \"planer\"\nmas = 1\n", &DocumentLimits::default());
//! let root = TableReader::new(&document.root, "model", &["mass"], &document.diagnostics);
//! assert_eq!(root.require("name", "name = \"arm\"").string().map(|name| name.value), Some("arm"));
//! assert!(root.get("space").one_of(&["planar", "spatial"]).is_none());
//! root.finish();
//! assert_eq!(
//!     document.diagnostics.render(&document.sources, ReportStyle::Plain),
//!     "error[unknown-word]: `space` of model `arm` cannot be `planer`
//!  --> arm.toml:2:9
//!   |
//! 2 | space = \"planer\"
//!   |         ^^^^^^^^ must be one of `planar`, `spatial`
//!   |
//!   = help: did you mean `planar`?
//!
//! error[unknown-key]: model `arm` has no key `mas`
//!  --> arm.toml:3:1
//!   |
//! 3 | mas = 1
//!   | ^^^ unknown key
//!   |
//!   = help: did you mean `mass`?
//!
//! 2 errors; nothing was run
//! "
//! );
//! ```

mod build;
mod include;
mod load;
mod read;
mod syntax;
mod tree;

pub use include::load;
pub use load::{DiskLoader, LoadError, Loader, MemoryLoader};
pub use read::{DocumentField, TableReader};
pub use tree::{Table, TableEntry, Value, ValueKind};

use crate::diagnostic::{Diagnostic, Diagnostics, SourceId, Sources, Span};

/// Limits on the size of a text, checked before memory is allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocumentLimits {
    /// The maximum number of bytes of one file.
    pub bytes: usize,
    /// The maximum nesting of tables and arrays; capped at 256 to protect the stack.
    pub depth: usize,
    /// The maximum number of values in all files; a table or an array counts as one.
    pub values: usize,
    /// The maximum nesting of includes.
    pub include_depth: usize,
    /// The maximum number of files, including the main one.
    pub files: usize,
}

impl Default for DocumentLimits {
    fn default() -> Self {
        Self {
            bytes: 10_000_000,
            depth: 64,
            values: 1_000_000,
            include_depth: 8,
            files: 256,
        }
    }
}

/// The result of reading: the tree, its sources and the problems found.
#[derive(Debug)]
pub struct Document {
    /// The top-level table.
    pub root: Table,
    /// The main file and its included files.
    pub sources: Sources,
    /// Problems so far; lowering adds its own.
    pub diagnostics: Diagnostics,
    /// The models that controllers use, each with the source span of the `file` that names it.
    pub designs: Vec<(Span, Table)>,
}

/// Parses one text; an `include` key stays in the tree.
pub fn parse(name: &str, text: &str, limits: &DocumentLimits) -> Document {
    let mut sources = Sources::new();
    let diagnostics = Diagnostics::new();
    let (root, _) = parse_source(name, text, limits, &mut sources, &diagnostics);
    Document {
        root,
        sources,
        diagnostics,
        designs: Vec::new(),
    }
}

/// Adds a text to the sources and parses it. Returns the tree and the number of its values.
pub(crate) fn parse_source(
    name: &str,
    text: &str,
    limits: &DocumentLimits,
    sources: &mut Sources,
    diagnostics: &Diagnostics,
) -> (Table, usize) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let most = limits.bytes.min(u32::MAX as usize);
    if text.len() > most {
        let source = sources.add(name, "");
        diagnostics.push(
            Diagnostic::error(
                "file-too-large",
                format!("{name} has {} bytes; at most {most} are read", text.len()),
            )
            .help("raise the limit on file size if this is intended"),
        );
        return (Table::empty(start_of(source)), 0);
    }
    let source = sources.add(name, text);
    build::tree(source, text, limits, diagnostics)
}

fn start_of(source: SourceId) -> Span {
    Span::new(source, 0..0)
}
