//! Source files and locations in them.

use super::{Label, shown};

/// Identifies one file among [`Sources`], and the instance of a component as which its text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId {
    file: u32,
    /// The number of the instance, from 1 on; 0 outside of components.
    instance: u32,
}

impl SourceId {
    /// The number of the instance of a component, from 1 on; 0 outside of components.
    pub(crate) fn instance(self) -> u32 {
        self.instance
    }
}

/// An instance of a component: its path, the name of the component, and where it is used.
#[derive(Clone, Debug)]
struct ComponentUse {
    path: String,
    component: String,
    span: Span,
}

/// A range of bytes in one source file; `end` is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub source: SourceId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Creates the span of a byte range of a file; ranges past 4 GiB are truncated.
    pub fn new(source: SourceId, range: std::ops::Range<usize>) -> Self {
        let fit = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        let start = fit(range.start);
        Self {
            source,
            start,
            end: fit(range.end).max(start),
        }
    }

    /// The same range, read as a part of an instance of a component.
    #[must_use]
    pub(crate) fn in_instance(self, instance: u32) -> Self {
        let file = self.source.file;
        Self {
            source: SourceId { file, instance },
            ..self
        }
    }

    /// Returns `true` if both are the same text, each read as a part of another instance of a component.
    pub(crate) fn repeats(self, other: Self) -> bool {
        self.source.instance != other.source.instance && self.in_instance(0) == other.in_instance(0)
    }

    /// Number of bytes.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Returns `true` if the span is a point between two bytes.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The span from the start of this one to the end of another in the same file.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self {
            end: other.end.max(self.start),
            ..self
        }
    }
}

/// A value with its source span.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// The source span.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Maps the value and keeps the span.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Spanned<U> {
        Spanned {
            value: change(self.value),
            span: self.span,
        }
    }
}

impl Spanned<&str> {
    /// The span of a byte range inside a quoted string, for messages about an expression or a unit in it.
    ///
    /// Exact for a plain one-line string. A string with escapes or several lines is marked as a whole, because its bytes do not correspond one to one to those
    /// of the file.
    pub fn inside(&self, range: std::ops::Range<usize>) -> Span {
        if self.span.len() != self.value.len() + 2 || range.end > self.value.len() {
            return self.span;
        }
        let first = self.span.start as usize + 1;
        Span::new(self.span.source, first + range.start..first + range.end)
    }
}

/// A line and column, both counted from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
}

/// One file: its name for messages and its text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    line_starts: Vec<u32>,
}

impl SourceFile {
    fn new(name: String, text: String) -> Self {
        let breaks = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let line_starts = std::iter::once(0)
            .chain(breaks.map(|(at, _)| u32::try_from(at + 1).unwrap_or(u32::MAX)))
            .collect();
        Self {
            name,
            text,
            line_starts,
        }
    }

    /// The name shown in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Line and column of a byte offset; an offset past the end counts as the end.
    pub fn position(&self, offset: u32) -> Position {
        let offset = self.boundary(offset);
        let line = self.line_of(offset);
        let before = &self.text[self.line_starts[line] as usize..offset];
        Position {
            line: line + 1,
            column: before.chars().count() + 1,
        }
    }

    /// The index, from 0, of the line that contains a byte.
    pub(super) fn line_of(&self, offset: usize) -> usize {
        self.line_starts
            .partition_point(|&start| start as usize <= offset)
            .saturating_sub(1)
    }

    /// Byte range of a line without its line break (LF or CRLF).
    pub(super) fn line_range(&self, line: usize) -> std::ops::Range<usize> {
        let start = self.line_starts[line] as usize;
        let end = self
            .line_starts
            .get(line + 1)
            .map_or(self.text.len(), |&next| next as usize);
        let text = &self.text[start..end];
        let text = text.strip_suffix('\n').unwrap_or(text);
        let text = text.strip_suffix('\r').unwrap_or(text);
        start..start + text.len()
    }

    /// The offset, clamped to the text and moved back to the start of a character.
    pub(super) fn boundary(&self, offset: u32) -> usize {
        self.text.floor_char_boundary(offset as usize)
    }
}

/// Every file of a model: the main one and its included files, in the order of loading.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
    uses: Vec<ComponentUse>,
}

impl Sources {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file and returns its identifier.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        let id = SourceId {
            file: u32::try_from(self.files.len()).unwrap_or(u32::MAX),
            instance: 0,
        };
        self.files.push(SourceFile::new(name.into(), text.into()));
        id
    }

    /// Returns the file with this identifier.
    pub fn get(&self, id: SourceId) -> Option<&SourceFile> {
        self.files.get(id.file as usize)
    }

    /// The number of files.
    pub(crate) fn len(&self) -> usize {
        self.files.len()
    }

    /// Adds an instance of a component; returns its number.
    pub(crate) fn add_use(&mut self, path: &str, component: &str, span: Span) -> u32 {
        self.uses.push(ComponentUse {
            path: path.to_owned(),
            component: component.to_owned(),
            span,
        });
        self.num_uses()
    }

    /// The number of instances of components.
    pub(crate) fn num_uses(&self) -> u32 {
        u32::try_from(self.uses.len()).unwrap_or(u32::MAX)
    }

    fn component_use(&self, source: SourceId) -> Option<&ComponentUse> {
        self.uses.get((source.instance as usize).checked_sub(1)?)
    }

    /// A name as it is written in its component: the path of the instance is omitted.
    pub(crate) fn local<'n>(&self, name: Spanned<&'n str>) -> &'n str {
        let Some(used) = self.component_use(name.span.source) else {
            return name.value;
        };
        match name.value.strip_prefix(&used.path) {
            // the frame of the instance on the ground is named by the path
            Some("") => name.value.rsplit('.').next().unwrap_or(name.value),
            Some(rest) => rest.strip_prefix('.').unwrap_or(name.value),
            None => name.value,
        }
    }

    /// The uses of components that led to a span, the innermost first, as labels of a message.
    pub(super) fn uses(&self, span: Span) -> Vec<Label> {
        let mut labels = Vec::new();
        let mut source = span.source;
        while let Some(used) = self.component_use(source) {
            let text = format!(
                "in instance {} of component {}",
                shown(&used.path),
                shown(&used.component)
            );
            labels.push(Label {
                span: used.span,
                text,
            });
            source = used.span.source;
        }
        labels
    }

    /// Prefixes all file names but one with a folder, so that they are paths relative to the working directory.
    pub(crate) fn put_in(&mut self, folder: &std::path::Path, except: Option<SourceId>) {
        let except = except.map(|source| source.file as usize);
        for (at, file) in self.files.iter_mut().enumerate() {
            if except == Some(at) {
                continue;
            }
            file.name = folder.join(&file.name).display().to_string();
        }
    }

    /// All files, the main one first.
    pub fn iter(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter()
    }

    /// `file:line:column` of the start of a span, as in messages and in a model element's origin.
    pub fn locate(&self, span: Span) -> Option<String> {
        let source = self.get(span.source)?;
        let Position { line, column } = source.position(span.start);
        Some(format!("{}:{line}:{column}", source.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, offset: u32) -> (usize, usize) {
        let mut sources = Sources::new();
        let id = sources.add("t", text);
        let place = sources.get(id).unwrap().position(offset);
        (place.line, place.column)
    }

    #[test]
    fn columns_count_characters_not_bytes() {
        assert_eq!(at("äö = 1", 5), (1, 4));
        assert_eq!(at("a\n日本=1", 8), (2, 3));
    }

    #[test]
    fn a_byte_inside_a_character_counts_as_its_start() {
        assert_eq!(at("日", 1), (1, 1));
        assert_eq!(at("日", 2), (1, 1));
    }

    #[test]
    fn an_offset_beyond_the_end_is_the_end() {
        assert_eq!(at("", 0), (1, 1));
        assert_eq!(at("ab", 2), (1, 3));
        assert_eq!(at("ab", 99), (1, 3));
        assert_eq!(at("ab\n", 3), (2, 1));
    }

    #[test]
    fn crlf_is_one_line_break_outside_the_line() {
        let source = SourceFile::new("t".into(), "a\r\nbc\r\n".into());
        assert_eq!(source.line_range(0), 0..1);
        assert_eq!(source.line_range(1), 3..5);
        assert_eq!(source.line_range(2), 7..7);
        assert_eq!(at("a\r\nbc\r\n", 4), (2, 2));
    }

    #[test]
    fn a_span_inside_a_plain_string_is_exact_and_inside_an_escaped_one_covers_the_string() {
        let mut sources = Sources::new();
        let id = sources.add("t", "");
        let plain = Spanned {
            value: "2*k",
            span: Span::new(id, 10..15),
        };
        assert_eq!(plain.inside(2..3), Span::new(id, 13..14));
        assert_eq!(plain.inside(2..9), plain.span);
        let escaped = Spanned {
            value: "2\tk",
            span: Span::new(id, 10..16),
        };
        assert_eq!(escaped.inside(2..3), escaped.span);
    }
}
