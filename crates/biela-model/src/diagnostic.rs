//! Diagnostics of a model's text: the problem, its location and advice.
//!
//! Every reader pushes its [`Diagnostic`]s into one [`Diagnostics`] and continues, so that all of them are reported together. The renderer is not
//! `annotate-snippets`, `codespan-reporting` or `ariadne`: a layout that tests compare character by character, terminal-safe escapes and a JSON form of the
//! same data take fewer lines than an adapter for one of them.
//!
//! ```
//! use biela_model::diagnostic::{Diagnostic, Diagnostics, Sources, Span, ReportStyle};
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
//!     diagnostics.render(&sources, ReportStyle::Plain),
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
pub use render::{ReportStyle, escaped, safe_page, shown};
pub use source::{Position, SourceFile, SourceId, Sources, Span, Spanned};

/// The maximum number of diagnostics shown; the rest are counted.
pub const MOST_SHOWN: usize = 200;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The model cannot be used.
    Error,
    /// The model can be used, but probably not as intended.
    Warning,
}

impl Severity {
    /// The name in messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// A marked location with a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The location.
    pub span: Span,
    /// A short note next to the mark; may be empty.
    pub text: String,
}

/// A problem in a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// A stable short name such as `unknown-key`, for documentation and filters.
    pub code: &'static str,
    /// The problem in one sentence.
    pub message: String,
    /// The location; absent if no text could be read.
    pub primary: Option<Label>,
    /// Other relevant locations, such as the first of two equal names.
    pub secondary: Vec<Label>,
    /// Advice.
    pub help: Option<String>,
}

impl Diagnostic {
    /// Creates an error without a location.
    #[must_use]
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message.into())
    }

    /// Creates a warning without a location.
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

    /// Sets the location, with a short note.
    #[must_use]
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        let text = text.into();
        self.primary = Some(Label { span, text });
        self
    }

    /// Adds another relevant location.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        let text = text.into();
        self.secondary.push(Label { span, text });
        self
    }

    /// Sets the advice.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Sets the advice, if there is any.
    #[must_use]
    pub fn maybe_help(mut self, text: Option<String>) -> Self {
        self.help = text.or(self.help);
        self
    }

    /// The message as text, with the source lines.
    pub fn render(&self, sources: &Sources, style: ReportStyle) -> String {
        let mut text = String::new();
        render::diagnostic(&mut text, self, sources, style);
        text
    }

    /// The sort key: file, position, then severity.
    fn order(&self) -> (Option<Span>, Severity, &'static str) {
        let place = self.primary.as_ref();
        (
            place.map(|label| label.span.in_instance(0)),
            self.severity,
            self.code,
        )
    }

    /// Returns `true` if this is the same problem in another instance of a component.
    fn repeats(&self, other: &Self) -> bool {
        match (&self.primary, &other.primary) {
            (Some(a), Some(b)) => self.code == other.code && a.span.repeats(b.span),
            _ => false,
        }
    }

    /// All locations besides the primary one: the secondary ones, then the uses of components that contain the primary one.
    fn others(&self, sources: &Sources) -> Vec<Label> {
        let uses = self.primary.as_ref().map(|label| sources.uses(label.span));
        let others = self.secondary.iter().cloned();
        others.chain(uses.into_iter().flatten()).collect()
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
    /// Creates an empty collection.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a diagnostic, unless an equal one is present, or the same one in another instance of a component.
    pub fn push(&self, diagnostic: Diagnostic) {
        let mut collected = self.collected.borrow_mut();
        if collected.kept.iter().any(|kept| diagnostic.repeats(kept)) {
            return;
        }
        let has_room = *collected.count(diagnostic.severity) < MOST_SHOWN;
        if has_room && collected.kept.contains(&diagnostic) {
            return;
        }
        *collected.count(diagnostic.severity) += 1;
        if has_room {
            collected.kept.push(diagnostic);
        }
    }

    /// The number of errors, including those not kept.
    pub fn errors(&self) -> usize {
        self.collected.borrow().errors
    }

    /// The number of warnings, including those not kept.
    pub fn warnings(&self) -> usize {
        self.collected.borrow().warnings
    }

    /// Returns `true` if there is an error, so that nothing may be run.
    pub fn has_errors(&self) -> bool {
        self.errors() > 0
    }

    /// Returns `true` if further errors are only counted, so that no suggestions need to be computed for them.
    pub fn is_crowded(&self) -> bool {
        self.errors() >= MOST_SHOWN
    }

    /// Returns `true` if there are no diagnostics.
    pub fn is_empty(&self) -> bool {
        self.errors() + self.warnings() == 0
    }

    /// At most [`MOST_SHOWN`] diagnostics by file and position; errors have priority over warnings.
    pub fn sorted(&self) -> Vec<Diagnostic> {
        let mut shown = self.collected.borrow().kept.clone();
        shown.sort_by_key(|diagnostic| diagnostic.severity);
        shown.truncate(MOST_SHOWN);
        shown.sort_by_key(Diagnostic::order);
        shown
    }

    /// The number of diagnostics omitted from [`Diagnostics::sorted`].
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

    /// The report as text; empty if there are no diagnostics.
    pub fn render(&self, sources: &Sources, style: ReportStyle) -> String {
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

    /// The report as JSON: counts, and for every diagnostic its code, message, help and locations (`file`, `line`, `column`, and `end` with the line and column
    /// one past the last character).
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
