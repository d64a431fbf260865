//! Syntax errors of the TOML parser in the terms of the user.

use std::collections::BTreeSet;

use toml_parser::{ErrorSink, Expected, ParseError};

use crate::diagnostic::{Diagnostic, Diagnostics, SourceId, Span};

/// Converts the parser's errors to diagnostics.
///
/// One mistake often causes several parser errors. Only the first error of a line and the first error about an open bracket are kept, because the others are
/// mostly consequences.
pub(super) struct SyntaxErrors<'d> {
    source: SourceId,
    text: &'d str,
    diagnostics: &'d Diagnostics,
    last: Option<usize>,
    brackets: BTreeSet<u32>,
}

impl<'d> SyntaxErrors<'d> {
    pub(super) fn new(source: SourceId, text: &'d str, diagnostics: &'d Diagnostics) -> Self {
        Self {
            source,
            text,
            diagnostics,
            last: None,
            brackets: BTreeSet::new(),
        }
    }

    /// The span to mark: the unexpected text, or the following word if that is a point before it.
    fn place(&self, error: &ParseError) -> Span {
        let end = self.text.len();
        let bytes = error
            .unexpected()
            .or(error.context())
            .map_or(end..end, |span| span.start()..span.end());
        if !bytes.is_empty() {
            return Span::new(self.source, bytes);
        }
        let rest = self.text.get(bytes.start..).unwrap_or_default();
        let word = rest
            .find(|c: char| c.is_whitespace() || ",]}=#".contains(c))
            .unwrap_or(rest.len());
        Span::new(self.source, bytes.start..bytes.start + word)
    }

    fn marked(&self, span: Span) -> &'d str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default()
    }

    /// The open bracket, for errors inside an array or inline table.
    fn bracket(&self, error: &ParseError) -> Option<Span> {
        let context = error.context()?;
        let span = Span::new(self.source, context.start()..context.end());
        let is_inside = error
            .unexpected()
            .is_some_and(|at| at.start() >= context.end());
        (is_inside && matches!(self.marked(span), "[" | "{")).then_some(span)
    }

    /// Returns `true` if the last error was on the same line.
    fn is_same_line(&mut self, start: usize) -> bool {
        let Some(last) = self.last.replace(start) else {
            return false;
        };
        let between = self.text.as_bytes().get(last.min(start)..last.max(start));
        between.is_some_and(|between| !between.contains(&b'\n'))
    }
}

impl ErrorSink for SyntaxErrors<'_> {
    fn report_error(&mut self, error: ParseError) {
        let span = self.place(&error);
        let bracket = self.bracket(&error);
        let is_new_bracket = bracket.is_none_or(|bracket| self.brackets.insert(bracket.start));
        if self.is_same_line(span.start as usize) || !is_new_bracket {
            return;
        }
        let description = error.description();
        let marked = self.marked(span);
        let diagnostic = match description {
            "string values must be quoted" if are_numbers(marked) => {
                Diagnostic::error("syntax", "missing comma between numbers")
                    .at(span, "read as one value")
            }
            "string values must be quoted" => Diagnostic::error("syntax", description)
                .at(span, "not a number, true, false or a quoted string"),
            _ => Diagnostic::error("syntax", description).at(span, expectation(error.expected())),
        };
        let ends_line = marked.is_empty();
        let help = advice(&diagnostic.message, ends_line).map(str::to_owned);
        let diagnostic = diagnostic.maybe_help(help);
        self.diagnostics.push(match bracket {
            Some(bracket) => diagnostic.also(bracket, "opened here"),
            None => diagnostic,
        });
    }
}

/// Returns `true` if the text consists of several numbers separated only by spaces.
fn are_numbers(text: &str) -> bool {
    text.split_whitespace().count() > 1
        && text
            .split_whitespace()
            .all(|word| word.parse::<f64>().is_ok())
}

fn expectation(expected: Option<&[Expected]>) -> String {
    let words: Vec<String> = expected
        .unwrap_or_default()
        .iter()
        .filter_map(|expected| match expected {
            Expected::Literal("\n") => Some("the end of the line".to_owned()),
            Expected::Literal(text) => Some(format!("`{text}`")),
            Expected::Description(text) => Some((*text).to_owned()),
            _ => None,
        })
        .collect();
    match words.split_last() {
        None => String::new(),
        Some((last, [])) => format!("expected {last}"),
        Some((last, others)) => format!("expected {} or {last}", others.join(", ")),
    }
}

/// Advice for common mistakes.
fn advice(message: &str, ends_line: bool) -> Option<&'static str> {
    Some(match message {
        "string values must be quoted" => {
            "put names, expressions and values with units in quotes: length = \"12 mm\""
        }
        "unexpected key or value" => {
            "one key and one value per line; a value with a unit goes in quotes: length = \"12 mm\""
        }
        "key with no value" | "missing value for key" | "missing value" => {
            "a line is key = value, a [table] header or a # comment"
        }
        "invalid unquoted key" | "unquoted keys cannot be empty" => {
            "a key without quotes has letters, digits, - and _ only"
        }
        "missing comma between numbers" => "put commas between the numbers: [1, 0, 0]",
        "missing comma between array elements" | "unclosed array" => {
            "put commas between the elements and close the array with ]"
        }
        "missing comma between key-value pairs" | "unclosed inline table" => {
            "put commas between the pairs and close the table with }"
        }
        "invalid basic string" | "invalid literal string" if ends_line => {
            "close the string on the line where it starts"
        }
        "unclosed table" => "a table header is [name], alone on its line",
        "unclosed array table" => "the header of a repeated element is [[name]], alone on its line",
        "unexpected leading zero" => "write the number without leading zeros",
        "carriage return must be followed by newline" => {
            "save the file with consistent line endings, LF or CRLF"
        }
        _ => return None,
    })
}
