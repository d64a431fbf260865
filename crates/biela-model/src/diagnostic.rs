//! Problems in a model's text: what, where, and what to try.
//!
//! Every reader pushes its [`Diagnostic`]s into one [`Diagnostics`] and goes on, so the user sees all of them at once.
//! The renderer is ours rather than `annotate-snippets`, `codespan-reporting` or `ariadne`: a layout that tests compare
//! letter by letter, terminal-safe escapes and a JSON form of the same data take fewer lines than adapting one of them.
//!
//! ```
//! use biela_model::diagnostic::{Diagnostic, Diagnostics, Sources, Span, Style};
//!
//! let mut sources = Sources::new();
//! let file = sources.add("arm.toml", "axis = [0, 0, 0]\n");
//! let diagnostics = Diagnostics::new();
//! diagnostics.push(
//!     Diagnostic::error("joint-axis", "axis of joint `elbow` has length 0")
//!         .at(Span::new(file, 7..16), "needs a direction; any length but zero will do")
//!         .help("for a hinge about z write axis = [0, 0, 1]"),
//! );
//! assert_eq!(
//!     diagnostics.render(&sources, Style::Plain),
//!     "error[joint-axis]: axis of joint `elbow` has length 0
//!  --> arm.toml:1:8
//!   |
//! 1 | axis = [0, 0, 0]
//!   |        ^^^^^^^^^ needs a direction; any length but zero will do
//!   |
//!   = help: for a hinge about z write axis = [0, 0, 1]
//!
//! 1 error; nothing was run
//! "
//! );
//! ```

mod json;
mod render;
mod source;

use std::cell::RefCell;
use std::fmt::Write;

pub(crate) use render::is_unsafe;
pub use render::{Style, escaped, safe_page, shown};
pub use source::{Position, Source, SourceId, Sources, Span, Spanned};

/// At most this many diagnostics are shown; the rest are counted.
pub const MOST_SHOWN: usize = 200;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The model cannot be used.
    Error,
    /// The model can be used, but probably not as meant.
    Warning,
}

impl Severity {
    /// The word in messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// A marked place and what to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// A few words put next to the mark; may be empty.
    pub text: String,
}

/// One problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// A stable short name such as `unknown-key`, to look up and to filter by.
    pub code: &'static str,
    /// What is wrong, in one sentence.
    pub message: String,
    /// Where; absent when no text could be read at all.
    pub primary: Option<Label>,
    /// Other places that matter, such as the first of two equal names.
    pub secondary: Vec<Label>,
    /// What to try.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error without a place yet.
    #[must_use]
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message.into())
    }

    /// A warning without a place yet.
    #[must_use]
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message.into())
    }

    fn new(severity: Severity, code: &'static str, message: String) -> Self {
        Self {
            severity,
            code,
            message,
            primary: None,
            secondary: Vec::new(),
            help: None,
        }
    }

    /// Marks the place, with a few words.
    #[must_use]
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        let text = text.into();
        self.primary = Some(Label { span, text });
        self
    }

    /// Marks another place that matters.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        let text = text.into();
        self.secondary.push(Label { span, text });
        self
    }

    /// Says what to try.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Says what to try, if there is something to say.
    #[must_use]
    pub fn maybe_help(mut self, text: Option<String>) -> Self {
        self.help = text.or(self.help);
        self
    }

    /// The message for people, with the lines it is about.
    pub fn render(&self, sources: &Sources, style: Style) -> String {
        let mut text = String::new();
        render::diagnostic(&mut text, self, sources, style);
        text
    }

    /// File, place, then severity: the order of reading.
    fn order(&self) -> (Option<Span>, Severity, &'static str) {
        (
            self.primary.as_ref().map(|label| label.span),
            self.severity,
            self.code,
        )
    }
}

/// Collects diagnostics; shared by reference, so that readers of nested tables can all report.
///
/// Memory is bounded: of each severity the first [`MOST_SHOWN`] are kept and the rest are counted.
#[derive(Debug, Default)]
pub struct Diagnostics {
    collected: RefCell<Collected>,
}

#[derive(Debug, Default)]
struct Collected {
    kept: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
}

impl Collected {
    fn count(&mut self, severity: Severity) -> &mut usize {
        match severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        }
    }
}

impl Diagnostics {
    /// Nothing wrong so far.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one, unless exactly the same is kept already.
    pub fn push(&self, diagnostic: Diagnostic) {
        let mut collected = self.collected.borrow_mut();
        let has_room = *collected.count(diagnostic.severity) < MOST_SHOWN;
        if has_room && collected.kept.contains(&diagnostic) {
            return;
        }
        *collected.count(diagnostic.severity) += 1;
        if has_room {
            collected.kept.push(diagnostic);
        }
    }

    /// Number of errors, also of those not kept.
    pub fn errors(&self) -> usize {
        self.collected.borrow().errors
    }

    /// Number of warnings, also of those not kept.
    pub fn warnings(&self) -> usize {
        self.collected.borrow().warnings
    }

    /// Whether there is an error, so that nothing may be run.
    pub fn has_errors(&self) -> bool {
        self.errors() > 0
    }

    /// Whether further errors are only counted, so that hints for them are not worth finding.
    pub fn is_crowded(&self) -> bool {
        self.errors() >= MOST_SHOWN
    }

    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.errors() + self.warnings() == 0
    }

    /// At most [`MOST_SHOWN`] diagnostics by file and position; errors go before warnings when room is short.
    pub fn sorted(&self) -> Vec<Diagnostic> {
        let mut shown = self.collected.borrow().kept.clone();
        shown.sort_by_key(|diagnostic| diagnostic.severity);
        shown.truncate(MOST_SHOWN);
        shown.sort_by_key(Diagnostic::order);
        shown
    }

    /// Number of diagnostics left out of [`Diagnostics::sorted`].
    pub fn left_out(&self) -> usize {
        let collected = self.collected.borrow();
        collected.errors + collected.warnings - collected.kept.len().min(MOST_SHOWN)
    }

    /// The last line of a report: `2 errors, 1 warning; nothing was run`.
    pub fn summary(&self) -> String {
        let counted = |count: usize, word: &str| match count {
            0 => None,
            1 => Some(format!("1 {word}")),
            _ => Some(format!("{count} {word}s")),
        };
        let parts: Vec<String> = [
            counted(self.errors(), "error"),
            counted(self.warnings(), "warning"),
        ]
        .into_iter()
        .flatten()
        .collect();
        match (parts.is_empty(), self.has_errors()) {
            (true, _) => "no problems found".to_owned(),
            (false, true) => format!("{}; nothing was run", parts.join(", ")),
            (false, false) => parts.join(", "),
        }
    }

    /// The report for people; empty when there is nothing to say.
    pub fn render(&self, sources: &Sources, style: Style) -> String {
        if self.is_empty() {
            return String::new();
        }
        let mut report = String::new();
        for diagnostic in self.sorted() {
            render::diagnostic(&mut report, &diagnostic, sources, style);
            report.push('\n');
        }
        if self.left_out() > 0 {
            let _ = writeln!(report, "({} more not shown)", self.left_out());
        }
        report += &self.summary();
        report.push('\n');
        report
    }

    /// The report for machines: counts, and for every diagnostic its code, message, help and places
    /// (`file`, `line`, `column`, and `end` with the line and column one past the last character).
    pub fn to_json(&self, sources: &Sources) -> serde_json::Value {
        serde_json::json!({
            "errors": self.errors(),
            "warnings": self.warnings(),
            "left_out": self.left_out(),
            "diagnostics": self
                .sorted()
                .iter()
                .map(|diagnostic| json::diagnostic(diagnostic, sources))
                .collect::<Vec<_>>(),
        })
    }
}
