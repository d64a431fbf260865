//! Diagnostics as text: message, location, source line, marks, help.
//!
//! Text from a file is never written to the terminal unescaped: control characters and invisible characters that reorder or hide text are escaped.

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Range;

use unicode_width::UnicodeWidthChar;

use super::{Diagnostic, Label, Severity, SourceFile, SourceId, Sources};

/// A tab is shown as this many columns at any position.
const TAB: &str = "    ";
/// A longer line is shown through a window of [`BEFORE`] + [`AFTER`] characters around the mark.
const LONGEST_LINE: usize = 120;
const BEFORE: usize = 40;
const AFTER: usize = 80;
/// Longer messages are truncated.
const LONGEST_MESSAGE: usize = 600;
/// Longer words quoted from a file are truncated.
const LONGEST_WORD: usize = 60;

/// The style of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReportStyle {
    /// Characters only.
    #[default]
    Plain,
    /// With ANSI colours.
    Colour,
}

#[derive(Clone, Copy)]
enum DiagnosticInk {
    Bold,
    Red,
    Yellow,
    Blue,
}

impl ReportStyle {
    fn ink(self, ink: DiagnosticInk, text: &str) -> String {
        let code = match ink {
            DiagnosticInk::Bold => "1",
            DiagnosticInk::Red => "1;31",
            DiagnosticInk::Yellow => "1;33",
            DiagnosticInk::Blue => "1;34",
        };
        match self {
            Self::Colour if !text.is_empty() => format!("\x1b[{code}m{text}\x1b[0m"),
            _ => text.to_owned(),
        }
    }
}

/// Returns text that is safe for a terminal: control characters and invisible format characters are escaped.
///
/// ```
/// use biela_model::diagnostic::escaped;
///
/// assert_eq!(escaped("a\u{1b}[31mb\n"), "a\\u{1b}[31mb\\n");
/// assert_eq!(escaped("größe"), "größe");
/// ```
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        if is_unsafe(character) {
            safe.extend(character.escape_default());
        } else {
            safe.push(character);
        }
    }
    safe
}

/// A page made safe for a terminal. Line breaks and tabs stay; other control characters and invisible format characters become escapes as JSON and TOML write
/// them, so that programs still read the data.
///
/// ```
/// use biela_model::diagnostic::safe_page;
///
/// assert_eq!(safe_page("a\u{1b}[2Jb\u{202e}\n"), "a\\u001b[2Jb\\u202e\n");
/// ```
pub fn safe_page(text: &str) -> Cow<'_, str> {
    let is_hostile = |c: char| is_unsafe(c) && !matches!(c, '\n' | '\t');
    if !text.contains(is_hostile) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        if is_hostile(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(safe, "\\u{unit:04x}");
            }
        } else {
            safe.push(character);
        }
    }
    Cow::Owned(safe)
}

/// A word from a file as it is quoted in a message: escaped, cut when long, in backquotes.
///
/// ```
/// use biela_model::diagnostic::shown;
///
/// assert_eq!(shown("elbow"), "`elbow`");
/// ```
pub fn shown(word: &str) -> String {
    format!("`{}`", escaped(&cut(word, LONGEST_WORD)))
}

/// Returns `true` for control characters, directional formatting characters (which can make a line read as another), and invisible characters. The joiners
/// U+200C and U+200D are allowed: scripts and emoji need them.
pub(crate) fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// One row of marks under one source line; a span over several lines has two, on its first and its last line.
struct UnderlineMarks<'d> {
    line: usize,
    bytes: Range<usize>,
    primary: bool,
    text: &'d str,
}

/// Appends one diagnostic, ending in a line break.
pub(super) fn diagnostic(
    out: &mut String,
    diagnostic: &Diagnostic,
    sources: &Sources,
    style: ReportStyle,
) {
    let ink = match diagnostic.severity {
        Severity::Error => DiagnosticInk::Red,
        Severity::Warning => DiagnosticInk::Yellow,
    };
    let heading = format!("{}[{}]", diagnostic.severity.word(), diagnostic.code);
    let message = format!(": {}", escaped(&cut(&diagnostic.message, LONGEST_MESSAGE)));
    *out += &style.ink(ink, &heading);
    *out += &style.ink(DiagnosticInk::Bold, &message);
    out.push('\n');

    let others = diagnostic.others(sources);
    let labels: Vec<(&Label, bool)> = diagnostic
        .primary
        .iter()
        .map(|label| (label, true))
        .chain(others.iter().map(|label| (label, false)))
        .collect();
    let file_of = |label: &Label| label.span.in_instance(0).source;
    let mut files: Vec<SourceId> = Vec::new();
    for (label, _) in &labels {
        if !files.contains(&file_of(label)) {
            files.push(file_of(label));
        }
    }
    let last_line = labels
        .iter()
        .filter_map(|(label, _)| Some(sources.get(label.span.source)?.position(label.span.end)));
    let digits = last_line
        .map(|place| place.line.to_string().len())
        .max()
        .unwrap_or(1);
    let page = DiagnosticLayout {
        style,
        ink,
        digits,
        bar: style.ink(DiagnosticInk::Blue, "|"),
    };
    for (index, file) in files.iter().enumerate() {
        let Some(source) = sources.get(*file) else {
            continue;
        };
        let here = labels.iter().filter(|(label, _)| file_of(label) == *file);
        page.snippet(out, source, here, index == 0);
    }
    if let Some(help) = &diagnostic.help {
        if !files.is_empty() {
            let _ = writeln!(out, "{:digits$} {}", "", page.bar);
        }
        let _ = writeln!(
            out,
            "{:digits$} {} help: {}",
            "",
            style.ink(DiagnosticInk::Blue, "="),
            escaped(&cut(help, LONGEST_MESSAGE))
        );
    }
}

/// The common layout of all lines of one diagnostic.
struct DiagnosticLayout {
    style: ReportStyle,
    ink: DiagnosticInk,
    digits: usize,
    bar: String,
}

impl DiagnosticLayout {
    /// The marked lines of one file under its `-->` line.
    fn snippet<'d>(
        &self,
        out: &mut String,
        source: &SourceFile,
        labels: impl Iterator<Item = &'d (&'d Label, bool)>,
        first: bool,
    ) {
        let mut marks = Vec::new();
        let mut head = None;
        for &(label, primary) in labels {
            let _ = head.get_or_insert(label.span.start);
            marks_of(label, primary, source, &mut marks);
        }
        let place = source.position(head.unwrap_or(0));
        let digits = self.digits;
        let arrow = self
            .style
            .ink(DiagnosticInk::Blue, if first { "-->" } else { ":::" });
        let name = escaped(source.name());
        let _ = writeln!(
            out,
            "{:digits$}{arrow} {name}:{}:{}",
            "", place.line, place.column
        );
        let _ = writeln!(out, "{:digits$} {}", "", self.bar);

        marks.sort_by_key(|mark| (mark.line, !mark.primary, mark.bytes.start));
        let mut previous: Option<usize> = None;
        for mark in &marks {
            let text = &source.text()[source.line_range(mark.line)];
            let window = Window::around(text, mark.bytes.start);
            // Marks on the same line share it, unless a long line shows each through its own window.
            if previous != Some(mark.line) || window.is_cut(text) {
                if previous.is_some_and(|line| mark.line > line + 1) {
                    out.push_str("...\n");
                }
                let number = format!("{:>digits$}", mark.line + 1);
                let line = format!(
                    "{} {} {}",
                    self.style.ink(DiagnosticInk::Blue, &number),
                    self.bar,
                    window.show(text)
                );
                out.push_str(line.trim_end());
                out.push('\n');
            }
            previous = Some(mark.line);
            self.mark(out, text, &window, mark);
        }
    }

    /// The row of `^` or `-` under a line.
    fn mark(&self, out: &mut String, text: &str, window: &Window, mark: &UnderlineMarks<'_>) {
        let start = mark.bytes.start.clamp(window.bytes.start, window.bytes.end);
        let end = mark.bytes.end.clamp(start, window.bytes.end);
        let indent = usize::from(window.bytes.start > 0) + width(&text[window.bytes.start..start]);
        let length = width(&text[start..end]).max(1);
        let (symbol, ink) = if mark.primary {
            ("^", self.ink)
        } else {
            ("-", DiagnosticInk::Blue)
        };
        let words = escaped(&cut(mark.text, LONGEST_MESSAGE));
        let row = format!("{} {words}", symbol.repeat(length));
        let _ = writeln!(
            out,
            "{:digits$} {} {:indent$}{}",
            "",
            self.bar,
            "",
            self.style.ink(ink, row.trim_end()),
            digits = self.digits,
        );
    }
}

/// The rows of marks of one label, with byte ranges inside their lines.
fn marks_of<'d>(
    label: &'d Label,
    primary: bool,
    source: &SourceFile,
    marks: &mut Vec<UnderlineMarks<'d>>,
) {
    let start = source.boundary(label.span.start);
    let end = source.boundary(label.span.end).max(start);
    // A span that takes in the final line break ends on the line before it.
    let inside = source.text()[start..end].trim_end_matches(['\r', '\n']);
    let end = start + inside.len();
    let (first, last) = (source.line_of(start), source.line_of(end));
    let first_range = source.line_range(first);
    let from = start.min(first_range.end) - first_range.start;
    if first == last {
        marks.push(UnderlineMarks {
            line: first,
            bytes: from..end.clamp(first_range.start + from, first_range.end) - first_range.start,
            primary,
            text: &label.text,
        });
        return;
    }
    marks.push(UnderlineMarks {
        line: first,
        bytes: from..first_range.len(),
        primary,
        text: "",
    });
    let last_range = source.line_range(last);
    let text = &source.text()[last_range.clone()];
    let indent = text.len() - text.trim_start().len();
    let to = end.min(last_range.end) - last_range.start;
    marks.push(UnderlineMarks {
        line: last,
        bytes: indent.min(to)..to,
        primary,
        text: &label.text,
    });
}

/// The part of a line that is shown.
struct Window {
    bytes: Range<usize>,
}

impl Window {
    fn around(text: &str, mark: usize) -> Self {
        if text.char_indices().nth(LONGEST_LINE).is_none() {
            return Self {
                bytes: 0..text.len(),
            };
        }
        let (before, after) = text.split_at(mark);
        let start = before
            .char_indices()
            .rev()
            .nth(BEFORE - 1)
            .map_or(0, |(at, _)| at);
        let end = after
            .char_indices()
            .nth(AFTER)
            .map_or(text.len(), |(at, _)| mark + at);
        Self { bytes: start..end }
    }

    fn is_cut(&self, text: &str) -> bool {
        self.bytes != (0..text.len())
    }

    fn show(&self, text: &str) -> String {
        let left = if self.bytes.start > 0 { "…" } else { "" };
        let right = if self.bytes.end < text.len() {
            "…"
        } else {
            ""
        };
        let middle = text[self.bytes.clone()]
            .split('\t')
            .map(escaped)
            .collect::<Vec<_>>()
            .join(TAB);
        format!("{left}{middle}{right}")
    }
}

/// Columns a piece of a line takes on the screen, as [`Window::show`] writes it.
fn width(text: &str) -> usize {
    text.chars()
        .map(|character| match character {
            '\t' => TAB.len(),
            unsafe_one if is_unsafe(unsafe_one) => unsafe_one.escape_default().len(),
            other => other.width().unwrap_or(0),
        })
        .sum()
}
