//! Builds the document tree from the events of the TOML parser.
//!
//! `toml_parser` turns tokens into events and recovers from errors. The tables are built here and not by the `toml` crate, because that keeps neither the first
//! location of a duplicate key nor the order of keys, and does not check limits before it allocates. Values are stored in one list while the tree grows, so
//! that any later header can extend a table by its number.

use toml_parser::decoder::{Encoding, ScalarKind};
use toml_parser::parser::{EventReceiver, parse_document};
use toml_parser::{ErrorSink, ParseError, Raw, Span as Bytes};

use super::DocumentLimits;
use super::syntax::SyntaxErrors;
use super::tree::{Entries, Table, TableEntry, Value, ValueKind};
use crate::diagnostic::{Diagnostic, Diagnostics, SourceId, Span, is_unsafe, shown};

/// The maximum nesting depth, independent of the limits, because the tree is traversed recursively.
const DEEPEST: usize = 256;

/// Parses a text within the limit on bytes. Returns the root table and the number of values.
pub(super) fn tree(
    source: SourceId,
    text: &str,
    limits: &DocumentLimits,
    diagnostics: &Diagnostics,
) -> (Table, usize) {
    let tokens = toml_parser::Source::new(text).lex().into_vec();
    let mut builder = Builder::new(source, text, limits, diagnostics);
    let mut errors = SyntaxErrors::new(source, text, diagnostics);
    parse_document(&tokens, &mut builder, &mut errors);
    drop(tokens);
    let values = builder.nodes.len() - 1;
    (builder.table_of(ROOT), values)
}

type PendingId = usize;

const ROOT: PendingId = 0;

/// A value under construction.
struct PendingValue {
    span: Span,
    depth: usize,
    content: Content,
}

enum Content {
    Scalar(ValueKind),
    Array {
        items: Vec<PendingId>,
        of_tables: bool,
    },
    Table {
        made_by: MadeBy,
        entries: Entries<PendingId>,
    },
}

/// The origin of a table, which determines who may add keys to it.
#[derive(Clone, Copy, PartialEq)]
enum MadeBy {
    /// `[table]` or `[[table]]`: closed to a second header and to dotted keys.
    Header,
    /// The `a` of `[a.b]`: may still get its own header.
    HeaderPath,
    /// The `a` of `a.b = 1`: open to dotted keys and to headers below it.
    DottedKey,
    /// `{ … }`: complete as written.
    Braces,
}

struct KeySegment {
    text: String,
    span: Span,
}

/// The dotted key being read. A key with a syntax error invalidates it, and its value is dropped.
#[derive(Default)]
struct KeyPath {
    keys: Vec<KeySegment>,
    spoilt: bool,
    expects_more: bool,
}

/// An array or inline table that is still open.
struct OpenContainer {
    /// `None` if the value is discarded: under an invalid key, or beyond a limit.
    node: Option<PendingId>,
    path: KeyPath,
}

struct Builder<'i> {
    source: SourceId,
    text: &'i str,
    depth: usize,
    values: usize,
    diagnostics: &'i Diagnostics,
    nodes: Vec<PendingValue>,
    /// Set when the limit on values is reached; nothing is added afterwards.
    is_full: bool,
    /// The table for `key = value` lines; `None` under an invalid header.
    current: Option<PendingId>,
    header_start: Span,
    path: KeyPath,
    frames: Vec<OpenContainer>,
}

impl<'i> Builder<'i> {
    fn new(
        source: SourceId,
        text: &'i str,
        limits: &DocumentLimits,
        diagnostics: &'i Diagnostics,
    ) -> Self {
        let start = Span::new(source, 0..0);
        let root = PendingValue {
            span: start,
            depth: 0,
            content: Content::Table {
                made_by: MadeBy::Header,
                entries: Entries::default(),
            },
        };
        Self {
            source,
            text,
            depth: limits.depth.min(DEEPEST),
            values: limits.values,
            diagnostics,
            nodes: vec![root],
            is_full: false,
            current: Some(ROOT),
            header_start: start,
            path: KeyPath::default(),
            frames: Vec::new(),
        }
    }

    fn span(&self, bytes: Bytes) -> Span {
        Span::new(self.source, bytes.start()..bytes.end())
    }

    fn raw(&self, bytes: Bytes, encoding: Option<Encoding>) -> Option<Raw<'i>> {
        let text = self.text.get(bytes.start()..bytes.end())?;
        Some(Raw::new_unchecked(text, encoding, bytes))
    }

    /// Adds a value below `parent`, unless that violates a limit.
    fn add(&mut self, parent: PendingId, span: Span, content: Content) -> Option<PendingId> {
        let depth = self.nodes[parent].depth + 1;
        if self.is_full {
            return None;
        }
        if self.nodes.len() > self.values {
            self.is_full = true;
            self.diagnostics.push(
                Diagnostic::error("too-many-values", "the model has too many values")
                    .at(first_byte(span), "the rest of the file was not read")
                    .help("raise the limit on values if this is intended"),
            );
            return None;
        }
        if depth > self.depth {
            self.too_deep(span);
            return None;
        }
        self.nodes.push(PendingValue {
            span,
            depth,
            content,
        });
        Some(self.nodes.len() - 1)
    }

    fn too_deep(&self, span: Span) {
        self.diagnostics.push(
            Diagnostic::error(
                "too-deep",
                format!("values are nested more than {} levels deep", self.depth),
            )
            .at(first_byte(span), "one level too many")
            .help("raise the limit on nesting if this is intended"),
        );
    }

    fn add_table(&mut self, parent: PendingId, span: Span, made_by: MadeBy) -> Option<PendingId> {
        let entries = Entries::default();
        self.add(parent, span, Content::Table { made_by, entries })
    }

    /// The number and key span of an entry of a table.
    fn find(&self, table: PendingId, key: &str) -> Option<(PendingId, Span)> {
        let Content::Table { entries, .. } = &self.nodes[table].content else {
            return None;
        };
        let entry = &entries.list[entries.position(key)?];
        Some((entry.value, entry.key_span))
    }

    fn insert(&mut self, table: PendingId, key: KeySegment, value: PendingId) {
        if let Content::Table { entries, .. } = &mut self.nodes[table].content {
            entries.push(TableEntry {
                key: key.text,
                key_span: key.span,
                value,
            });
        }
    }

    fn duplicate(&self, key: &KeySegment, first: Span) {
        self.diagnostics.push(
            Diagnostic::error(
                "duplicate-key",
                format!("key {} is given twice", shown(&key.text)),
            )
            .at(key.span, "given again here")
            .also(first, "first given here"),
        );
    }

    fn cannot_extend(&self, key: &KeySegment, first: Span, what: &str) {
        self.diagnostics.push(
            Diagnostic::error(
                "duplicate-key",
                format!("{} is {what}: keys cannot be added to it", shown(&key.text)),
            )
            .at(key.span, "used as a table here")
            .also(first, "defined here"),
        );
    }

    /// The table under `key` on a dotted path; created if it does not exist.
    fn descend(&mut self, table: PendingId, key: KeySegment, dotted: bool) -> Option<PendingId> {
        let Some((child, first)) = self.find(table, &key.text) else {
            let made_by = if dotted {
                MadeBy::DottedKey
            } else {
                MadeBy::HeaderPath
            };
            let child = self.add_table(table, key.span, made_by)?;
            self.insert(table, key, child);
            return Some(child);
        };
        match &mut self.nodes[child].content {
            Content::Table { made_by, .. } => match (*made_by, dotted) {
                (MadeBy::Braces, _) => {
                    self.cannot_extend(&key, first, "an inline table");
                    None
                }
                (MadeBy::Header, true) => {
                    self.cannot_extend(&key, first, "a table with its own header");
                    None
                }
                (_, true) => {
                    *made_by = MadeBy::DottedKey;
                    Some(child)
                }
                (_, false) => Some(child),
            },
            Content::Array {
                items,
                of_tables: true,
            } if !dotted => items.last().copied(),
            Content::Array { .. } => {
                self.cannot_extend(&key, first, "an array");
                None
            }
            Content::Scalar(_) => {
                self.cannot_extend(&key, first, "a value");
                None
            }
        }
    }

    /// Adds a finished or opened value to the array, inline table or table being read.
    ///
    /// Returns `None` for a value that is discarded; the reason has been reported.
    fn place(&mut self, span: Span, content: Content) -> Option<PendingId> {
        let (parent, path) = match self.frames.last_mut() {
            Some(frame) => (frame.node, std::mem::take(&mut frame.path)),
            None => (self.current, std::mem::take(&mut self.path)),
        };
        let parent = parent?;
        if matches!(self.nodes[parent].content, Content::Array { .. }) {
            let node = self.add(parent, span, content)?;
            if let Content::Array { items, .. } = &mut self.nodes[parent].content {
                items.push(node);
            }
            return Some(node);
        }
        let mut keys = path.keys;
        let last = keys.pop().filter(|_| !path.spoilt)?;
        let mut table = parent;
        for key in keys {
            table = self.descend(table, key, true)?;
        }
        if let Some((_, first)) = self.find(table, &last.text) {
            self.duplicate(&last, first);
            return None;
        }
        let node = self.add(table, span, content)?;
        self.insert(table, last, node);
        Some(node)
    }

    /// Opens an array or inline table; `false` makes the parser skip it.
    fn open(&mut self, span: Span, content: Content) -> bool {
        // Discarded values are still parsed recursively, so the nesting of brackets is counted separately.
        let within_depth = self.frames.len() < self.depth;
        let node = if within_depth {
            self.place(span, content)
        } else {
            self.too_deep(span);
            None
        };
        let path = KeyPath::default();
        self.frames.push(OpenContainer { node, path });
        within_depth && !self.is_full
    }

    fn close(&mut self, end: Bytes) {
        let end = self.span(end);
        if let Some(OpenContainer {
            node: Some(node), ..
        }) = self.frames.pop()
        {
            let span = &mut self.nodes[node].span;
            *span = span.to(end);
        }
    }

    /// A header has no table until its closing bracket, so that keys after an invalid one do not change other tables.
    fn open_header(&mut self, start: Bytes) {
        self.frames.clear();
        self.path = KeyPath::default();
        self.header_start = self.span(start);
        self.current = None;
    }

    fn close_header(&mut self, end: Bytes, is_array: bool) {
        let path = std::mem::take(&mut self.path);
        if !path.spoilt {
            let span = self.header_start.to(self.span(end));
            self.current = self.header_table(path.keys, span, is_array);
        }
    }

    /// The table that a header opens.
    fn header_table(
        &mut self,
        mut keys: Vec<KeySegment>,
        span: Span,
        is_array: bool,
    ) -> Option<PendingId> {
        let last = keys.pop()?;
        let mut table = ROOT;
        for key in keys {
            table = self.descend(table, key, false)?;
        }
        if is_array {
            self.open_array_element(table, last, span)
        } else {
            self.open_table(table, last, span)
        }
    }

    fn open_table(&mut self, parent: PendingId, key: KeySegment, span: Span) -> Option<PendingId> {
        let Some((child, first)) = self.find(parent, &key.text) else {
            let child = self.add_table(parent, span, MadeBy::Header)?;
            self.insert(parent, key, child);
            return Some(child);
        };
        let node = &mut self.nodes[child];
        match &mut node.content {
            Content::Table { made_by, .. } if *made_by == MadeBy::HeaderPath => {
                *made_by = MadeBy::Header;
                node.span = span;
                Some(child)
            }
            _ => {
                self.duplicate(&key, first);
                None
            }
        }
    }

    fn open_array_element(
        &mut self,
        parent: PendingId,
        key: KeySegment,
        span: Span,
    ) -> Option<PendingId> {
        let array = match self.find(parent, &key.text) {
            None => {
                let content = Content::Array {
                    items: Vec::new(),
                    of_tables: true,
                };
                let array = self.add(parent, span, content)?;
                self.insert(parent, key, array);
                array
            }
            Some((array, first)) => {
                let is_open = matches!(
                    self.nodes[array].content,
                    Content::Array {
                        of_tables: true,
                        ..
                    }
                );
                if !is_open {
                    self.duplicate(&key, first);
                    return None;
                }
                array
            }
        };
        let element = self.add_table(array, span, MadeBy::Header)?;
        if let Content::Array { items, .. } = &mut self.nodes[array].content {
            items.push(element);
        }
        Some(element)
    }

    /// The value of a literal; an invalid one is reported and becomes [`ValueKind::Invalid`].
    fn literal(
        &self,
        bytes: Bytes,
        encoding: Option<Encoding>,
        errors: &mut dyn ErrorSink,
    ) -> ValueKind {
        if bytes.is_empty() {
            errors.report_error(ParseError::new("missing value").with_unexpected(bytes));
            return ValueKind::Invalid;
        }
        let Some(raw) = self.raw(bytes, encoding) else {
            return ValueKind::Invalid;
        };
        let mut text = String::new();
        let mut failed = false;
        let kind = raw.decode_scalar(&mut text, &mut |error: ParseError| {
            failed = true;
            errors.report_error(error);
        });
        if failed {
            return ValueKind::Invalid;
        }
        let number = match kind {
            ScalarKind::String => return self.plain(text, bytes),
            ScalarKind::Boolean(value) => return ValueKind::Bool(value),
            ScalarKind::DateTime => return ValueKind::Datetime(text),
            ScalarKind::Integer(radix) => i64::from_str_radix(&text, radix.value())
                .ok()
                .map(ValueKind::Integer),
            ScalarKind::Float => text
                .parse::<f64>()
                .ok()
                .filter(|value| !value.is_infinite() || text.contains("inf"))
                .map(ValueKind::Float),
        };
        number.unwrap_or_else(|| {
            let (what, help) = if kind == ScalarKind::Float {
                ("number", "the largest number is about 1.8e308")
            } else {
                (
                    "integer",
                    "integers have 64 bits; write a larger number with an exponent, such as 1e20",
                )
            };
            self.diagnostics.push(
                Diagnostic::error("number-range", format!("this {what} is too large"))
                    .at(self.span(bytes), "out of range")
                    .help(help),
            );
            ValueKind::Invalid
        })
    }

    /// A string, unless it contains characters that could be mistaken for others when the text is shown or written: in a terminal, a comment of generated code,
    /// a table. Line breaks and tabs are allowed.
    fn plain(&self, text: String, bytes: Bytes) -> ValueKind {
        let broken = text.replace("\r\n", "\n");
        let is_hostile = |c: char| !matches!(c, '\n' | '\t') && is_unsafe(c);
        let Some(found) = broken.chars().find(|c| is_hostile(*c)) else {
            return ValueKind::String(text);
        };
        let problem = format!(
            "the string contains an invisible character, {}",
            found.escape_default()
        );
        self.diagnostics.push(
            Diagnostic::error("invisible-character", problem)
                .at(self.span(bytes), "not allowed in a model")
                .help("remove it; control characters and bidirectional marks change how the text around them is read"),
        );
        ValueKind::Invalid
    }

    /// Moves a table and its contents out of the list.
    fn table_of(&mut self, id: PendingId) -> Table {
        let span = self.nodes[id].span;
        let content = std::mem::replace(
            &mut self.nodes[id].content,
            Content::Scalar(ValueKind::Invalid),
        );
        let Content::Table { entries, .. } = content else {
            return Table::empty(span);
        };
        let entries = entries.map(|child| self.value_of(child));
        Table { span, entries }
    }

    fn value_of(&mut self, id: PendingId) -> Value {
        let node = &mut self.nodes[id];
        let span = node.span;
        let kind = match &mut node.content {
            Content::Scalar(kind) => std::mem::replace(kind, ValueKind::Invalid),
            Content::Array { items, .. } => {
                let items = std::mem::take(items);
                ValueKind::Array(items.into_iter().map(|item| self.value_of(item)).collect())
            }
            Content::Table { .. } => ValueKind::Table(self.table_of(id)),
        };
        Value { span, kind }
    }
}

fn first_byte(span: Span) -> Span {
    Span {
        end: span.end.min(span.start + 1),
        ..span
    }
}

impl EventReceiver for Builder<'_> {
    fn std_table_open(&mut self, span: Bytes, _: &mut dyn ErrorSink) {
        self.open_header(span);
    }

    fn std_table_close(&mut self, span: Bytes, _: &mut dyn ErrorSink) {
        self.close_header(span, false);
    }

    fn array_table_open(&mut self, span: Bytes, _: &mut dyn ErrorSink) {
        self.open_header(span);
    }

    fn array_table_close(&mut self, span: Bytes, _: &mut dyn ErrorSink) {
        self.close_header(span, true);
    }

    fn inline_table_open(&mut self, span: Bytes, _: &mut dyn ErrorSink) -> bool {
        let content = Content::Table {
            made_by: MadeBy::Braces,
            entries: Entries::default(),
        };
        self.open(self.span(span), content)
    }

    fn inline_table_close(&mut self, span: Bytes, _: &mut dyn ErrorSink) {
        self.close(span);
    }

    fn array_open(&mut self, span: Bytes, _: &mut dyn ErrorSink) -> bool {
        let content = Content::Array {
            items: Vec::new(),
            of_tables: false,
        };
        self.open(self.span(span), content)
    }

    fn array_close(&mut self, span: Bytes, _: &mut dyn ErrorSink) {
        self.close(span);
    }

    fn simple_key(&mut self, bytes: Bytes, encoding: Option<Encoding>, errors: &mut dyn ErrorSink) {
        let mut text = String::new();
        let mut failed = false;
        if let Some(raw) = self.raw(bytes, encoding) {
            raw.decode_key(&mut text, &mut |error: ParseError| {
                failed = true;
                errors.report_error(error);
            });
        }
        let span = self.span(bytes);
        let path = match self.frames.last_mut() {
            Some(frame) => &mut frame.path,
            None => &mut self.path,
        };
        if !path.expects_more {
            *path = KeyPath::default();
        }
        path.expects_more = false;
        path.spoilt |= failed;
        if path.keys.len() <= DEEPEST {
            path.keys.push(KeySegment { text, span });
        }
    }

    fn key_sep(&mut self, _: Bytes, _: &mut dyn ErrorSink) {
        match self.frames.last_mut() {
            Some(frame) => frame.path.expects_more = true,
            None => self.path.expects_more = true,
        }
    }

    fn scalar(&mut self, bytes: Bytes, encoding: Option<Encoding>, errors: &mut dyn ErrorSink) {
        let kind = self.literal(bytes, encoding, errors);
        let _ = self.place(self.span(bytes), Content::Scalar(kind));
    }

    fn comment(&mut self, span: Bytes, errors: &mut dyn ErrorSink) {
        if let Some(raw) = self.raw(span, None) {
            raw.decode_comment(errors);
        }
    }

    fn newline(&mut self, span: Bytes, errors: &mut dyn ErrorSink) {
        if let Some(raw) = self.raw(span, None) {
            raw.decode_newline(errors);
        }
    }
}
