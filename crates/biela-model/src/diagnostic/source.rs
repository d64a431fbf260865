//! Source files and locations in them.

/// Identifies one file among [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(u32);

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
}

impl Sources {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file and returns its identifier.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        let id = SourceId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(SourceFile::new(name.into(), text.into()));
        id
    }

    /// Returns the file with this identifier.
    pub fn get(&self, id: SourceId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// Prefixes all file names with a folder, so that they are paths relative to the working directory.
    pub fn put_in(&mut self, folder: &std::path::Path) {
        for file in &mut self.files {
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
