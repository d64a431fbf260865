//! Output streams: data to stdout, messages to stderr, colour only on a terminal.

use std::fmt::Write as _;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, IsTerminal, Write};
use std::sync::LazyLock;

use biela::digits;
use biela::model::diagnostic::{ReportStyle, escaped, safe_page};

/// Writes data to stdout, safe for a terminal; a reader that has gone away is not an error.
pub(crate) fn data(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out
        .write_all(written(text).as_bytes())
        .and_then(|()| out.flush())
    {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Writes text for people to stderr, safe for a terminal; nobody is left to report to when that fails.
pub(crate) fn say(text: &str) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(written(text).as_bytes());
}

/// Begins a colour in text that is not yet written. The number is drawn at the start of the program, so that no file and no argument can contain it: every
/// escape character from outside is written as text, those of the program's own colours are not.
static MARK: LazyLock<String> = LazyLock::new(|| {
    let number = RandomState::new().build_hasher().finish();
    format!("\u{fdd0}{number:016x}")
});

/// A text as a terminal gets it: marks become colours, all else is escaped.
fn written(text: &str) -> String {
    let parts: Vec<_> = text.split(MARK.as_str()).map(safe_page).collect();
    parts.join("\x1b[")
}

/// A text without its colours.
pub(crate) fn plain(text: &str) -> String {
    let mut parts = text.split(MARK.as_str());
    let first = parts.next().unwrap_or_default().to_owned();
    let behind_code = |part: &'_ str| part.split_once('m').map_or("", |(_, rest)| rest).to_owned();
    first + &parts.map(behind_code).collect::<String>()
}

/// A text with colours whose maker escapes all that comes from outside, as diagnostics and sketches are.
pub(crate) fn coloured(text: &str) -> String {
    text.replace("\x1b[", &MARK)
}

/// Returns `true` if stdout is a terminal.
pub(crate) fn out_is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Returns `true` if stderr is a terminal.
pub(crate) fn err_is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// The page settings of stdout.
pub(crate) fn out_page() -> StreamStyle {
    StreamStyle::new(out_is_terminal())
}

/// The page settings of stderr.
pub(crate) fn err_page() -> StreamStyle {
    StreamStyle::new(err_is_terminal())
}

/// The colour setting of stderr.
pub(crate) fn err_ink() -> Ink {
    err_page().ink
}

/// Colour and line width of an output stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StreamStyle {
    pub(crate) ink: Ink,
    /// Characters per line; unlimited if the output is not a terminal.
    width: usize,
}

impl StreamStyle {
    fn new(is_terminal: bool) -> Self {
        Self {
            ink: Ink(is_terminal && colour_wanted()),
            width: if is_terminal { width() } else { usize::MAX },
        }
    }
}

/// See <https://no-color.org>.
fn colour_wanted() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !refused && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// The number of columns of the terminal, within sensible limits.
pub(crate) fn width() -> usize {
    usize::from(console::Term::stdout().size().1).clamp(40, 140)
}

/// Enables or disables colour.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ink(bool);

impl Ink {
    pub(crate) fn is_colour(self) -> bool {
        self.0
    }

    pub(crate) fn style(self) -> ReportStyle {
        if self.0 {
            ReportStyle::Colour
        } else {
            ReportStyle::Plain
        }
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub(crate) fn faint(self, text: &str) -> String {
        self.paint("2", text)
    }

    pub(crate) fn red(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    pub(crate) fn yellow(self, text: &str) -> String {
        self.paint("1;33", text)
    }

    pub(crate) fn green(self, text: &str) -> String {
        self.paint("1;32", text)
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.0 && !text.is_empty() {
            format!("{mark}{code}m{text}{mark}0m", mark = *MARK)
        } else {
            text.to_owned()
        }
    }
}

/// Labelled lines with aligned labels; long lines are wrapped on a terminal.
#[derive(Debug)]
pub(crate) struct Sheet {
    page: StreamStyle,
    lines: Vec<LabelledLine>,
}

#[derive(Debug)]
struct LabelledLine {
    name: String,
    text: String,
    warns: bool,
}

impl Sheet {
    pub(crate) fn new(page: StreamStyle) -> Self {
        Self {
            page,
            lines: Vec::new(),
        }
    }

    /// Adds a line; a repeated label is printed once.
    pub(crate) fn line(&mut self, name: &str, text: impl Into<String>) {
        self.push(name, text.into(), false);
    }

    /// Adds a highlighted line.
    pub(crate) fn warn(&mut self, name: &str, text: impl Into<String>) {
        self.push(name, text.into(), true);
    }

    fn push(&mut self, name: &str, text: String, warns: bool) {
        self.lines.push(LabelledLine {
            name: name.to_owned(),
            text,
            warns,
        });
    }

    pub(crate) fn render(&self) -> String {
        let ink = self.page.ink;
        let widest = self.lines.iter().map(|line| line.name.chars().count());
        let widest = widest.max().unwrap_or(0);
        let room = self.page.width.saturating_sub(widest + 4);
        let (mut out, mut before) = (String::new(), "");
        for line in &self.lines {
            let mut shown = if line.name == before {
                ""
            } else {
                line.name.as_str()
            };
            before = &line.name;
            for text in broken(&line.text, room) {
                let pad = " ".repeat(widest - shown.chars().count());
                let text = if line.warns { ink.yellow(&text) } else { text };
                let _ = writeln!(out, "  {}{pad}  {text}", ink.faint(shown));
                shown = "";
            }
        }
        out
    }
}

/// Wraps a text to at most `room` characters per line.
pub(crate) fn broken(text: &str, room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Formats rows in columns, with the first row as a heading.
pub(crate) fn table(ink: Ink, heading: &[&str], rows: &[Vec<String>]) -> String {
    let safe = |row: &Vec<String>| row.iter().map(|cell| escaped(cell)).collect();
    let rows: Vec<Vec<String>> = rows.iter().map(safe).collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells
            .chain([heading[column].chars().count()])
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heading.len()).map(width).collect();
    let line = |cells: &[String]| {
        let padded = cells
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell}{}", " ".repeat(width - cell.chars().count())));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let heading: Vec<String> = heading.iter().map(|&text| text.to_owned()).collect();
    let mut out = format!("  {}\n", ink.faint(&line(&heading)));
    for row in &rows {
        let _ = writeln!(out, "  {}", line(row));
    }
    out
}

/// Formats a number with about four digits: `0.0312`, `412`, `1.3e-9`.
pub(crate) fn number(x: f64) -> String {
    digits(x, 4)
}

/// Formats a number with about three digits.
pub(crate) fn three_digits(x: f64) -> String {
    digits(x, 3)
}

/// Formats a number with about six digits.
pub(crate) fn six_digits(x: f64) -> String {
    digits(x, 6)
}

/// Formats a number with about six digits; a rounding error relative to `scale` is shown as zero.
pub(crate) fn beside(x: f64, scale: f64) -> String {
    six_digits(if x.abs() < 1e-13 * scale { 0.0 } else { x })
}

/// Formats a number that is updated frequently.
pub(crate) fn two_digits(x: f64) -> String {
    digits(x, 2)
}

/// Formats a time with enough digits to find it in the results.
pub(crate) fn time(x: f64) -> String {
    digits(x, 9)
}

/// "1 row", "3 rows".
pub(crate) fn count(n: usize, word: &str) -> String {
    match (n, word.strip_suffix('y')) {
        (1, _) => format!("1 {word}"),
        (_, Some(stem)) => format!("{n} {stem}ies"),
        _ => format!("{n} {word}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_readable() {
        for (x, text) in [
            (0.0, "0"),
            (0.25, "0.25"),
            (412.0, "412"),
            (9_999_999.0, "9999999"),
            (1.3e-9, "1.3e-9"),
            (2e-15, "2e-15"),
            (1.04e-15, "1.04e-15"),
            (-1e20, "-1e20"),
            (4.7e-322, "0"),
            (0.000_123_4, "0.0001234"),
            (-12.345_67, "-12.35"),
            (1e10, "1e10"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(number(x), text);
        }
        assert_eq!(time(0.333_333_333_333), "0.333333333");
        assert_eq!(time(10.0), "10");
    }

    #[test]
    fn only_escape_sequences_of_the_program_reach_the_terminal() {
        let foreign = "\u{1b}[0m\u{1b}[1;31m\u{9b}2J\u{fdd0}1m";
        let text = format!("{} {foreign}\n", Ink(true).red("error:"));
        assert_eq!(
            written(&text),
            "\u{1b}[1;31merror:\u{1b}[0m \\u001b[0m\\u001b[1;31m\\u009b2J\u{fdd0}1m\n"
        );
        assert_eq!(plain(&text), format!("error: {foreign}\n"));
        assert_eq!(Ink(false).red("error:"), "error:");
        let rendered = coloured("\u{1b}[34ma\u{1b}[0m");
        assert_eq!(written(&rendered), "\u{1b}[34ma\u{1b}[0m");
        assert_eq!(plain(&rendered), "a");
    }

    #[test]
    fn counts_use_singular_and_plural() {
        assert_eq!(count(1, "body"), "1 body");
        assert_eq!(count(2, "body"), "2 bodies");
        assert_eq!(count(0, "joint"), "0 joints");
        assert_eq!(count(12, "quantity"), "12 quantities");
    }

    #[test]
    fn a_sheet_aligns_its_labels_and_repeats_none() {
        let page = |width| StreamStyle {
            ink: Ink(false),
            width,
        };
        let mut sheet = Sheet::new(page(usize::MAX));
        sheet.line("a", "1");
        sheet.warn("long", "2");
        sheet.line("long", "3");
        assert_eq!(sheet.render(), "  a     1\n  long  2\n        3\n");
        let mut sheet = Sheet::new(page(16));
        sheet.line("long", "two by two words");
        sheet.line("a", "incomprehensibilities");
        let expected =
            "  long  two by\n        two\n        words\n  a     incomprehensibilities\n";
        assert_eq!(sheet.render(), expected);
    }
}
