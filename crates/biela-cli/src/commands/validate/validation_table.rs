//! The printed report of validation cases.

use std::fmt::Write as _;

use biela::digits;
use biela::model::case::{KINDS, ValidationCase};
use biela::model::diagnostic::escaped;
use biela::validate::{CheckOutcome, ShippedCase};
use serde_json::json;

use crate::terminal::{self, Ink};

/// Digits of a number, and widths of the columns after the quantity: reference, result, error, tolerance, verdict.
const WIDE: (usize, [usize; 5]) = (9, [13, 13, 8, 9, 3]);
/// The same for a narrow terminal.
const NARROW: (usize, [usize; 5]) = (6, [10, 10, 7, 9, 3]);
/// Width below which a terminal is narrow, in characters.
const FEW: usize = 100;
/// Line width if the output is not a terminal.
const UNSEEN: usize = 120;

/// The table, extended case by case.
pub(super) struct ValidationTable {
    ink: Ink,
    /// Width of the first column in characters.
    room: usize,
    /// Digits of a number.
    digits: usize,
    columns: [usize; 5],
    kind: &'static str,
    cases: usize,
    quantities: usize,
    off: Vec<String>,
}

/// The sort key of a case, which groups cases by kind.
pub(super) fn rank(case: &ValidationCase) -> (usize, String) {
    let kind = KINDS.iter().position(|(word, _)| *word == case.kind);
    (kind.unwrap_or(KINDS.len()), case.name.clone())
}

fn heading(kind: &str) -> &'static str {
    let known = KINDS.iter().find(|(word, _)| *word == kind);
    known.map_or("", |(_, heading)| heading)
}

/// Lists all cases without running them.
pub(super) fn list(entries: &[ShippedCase], json: bool) -> String {
    let mut out = String::new();
    if json {
        for ShippedCase { case, .. } in entries {
            let line = json!({
                "case": case.name, "title": case.title, "kind": case.kind, "source": case.source, "slow": case.slow,
            });
            let _ = writeln!(out, "{line}");
        }
        return out;
    }
    let row = |ShippedCase { case, .. }: &ShippedCase| {
        let pace = if case.slow { "slow" } else { "" };
        vec![case.name.clone(), pace.to_owned(), case.title.clone()]
    };
    let rows: Vec<Vec<String>> = entries.iter().map(row).collect();
    terminal::table(terminal::out_page().ink, &["case", "", "about"], &rows)
}

impl ValidationTable {
    pub(super) fn new() -> Self {
        let width = if terminal::out_is_terminal() {
            terminal::width()
        } else {
            UNSEEN
        };
        let (digits, columns) = if width < FEW { NARROW } else { WIDE };
        let taken: usize = columns.iter().map(|width| width + 2).sum();
        Self {
            ink: terminal::out_page().ink,
            room: width.saturating_sub(taken + 2).max(16),
            digits,
            columns,
            kind: "",
            cases: 0,
            quantities: 0,
            off: Vec::new(),
        }
    }

    /// The report of a case.
    pub(super) fn case(
        &mut self,
        entry: &ShippedCase,
        outcomes: &[CheckOutcome],
        json: bool,
    ) -> String {
        let case = &entry.case;
        self.cases += 1;
        self.quantities += outcomes.len();
        let mut out = String::new();
        if !json {
            self.head(case, &mut out);
        }
        for outcome in outcomes {
            if !outcome.passes() {
                self.off
                    .push(format!("{}: {}", case.name, outcome.quantity));
            }
            if json {
                let _ = writeln!(out, "{}", line(case, outcome));
            } else {
                self.row(outcome, &mut out);
            }
        }
        out
    }

    /// Adds the heading of a new kind, and that of the case.
    fn head(&mut self, case: &ValidationCase, out: &mut String) {
        if self.kind != case.kind {
            if self.kind.is_empty() {
                let names = ["reference", "ours", "error", "tolerance", ""];
                let cells = names.map(str::to_owned);
                let text = self.line("", &cells);
                let _ = writeln!(out, "{}", self.ink.faint(text.trim_end()));
            }
            self.kind = case.kind;
            let _ = writeln!(out, "\n{}", self.ink.bold(heading(case.kind)));
        }
        let source = self.ink.faint(&escaped(&case.source));
        let _ = writeln!(out, "{}  {source}", escaped(&case.name));
    }

    fn row(&self, outcome: &CheckOutcome, out: &mut String) {
        let mut quantity = escaped(&outcome.quantity);
        if let Some(place) = &outcome.place {
            let _ = write!(quantity, ", {}", escaped(place));
        }
        let lines = terminal::broken(&quantity, self.room);
        let verdict = if outcome.passes() {
            self.ink.green("ok")
        } else {
            self.ink.red("OFF")
        };
        let cells = match &outcome.result {
            Ok(found) => [
                digits(found.reference, self.digits),
                digits(found.value, self.digits),
                digits(found.error(), 2),
                digits(found.tolerance, 2),
                verdict,
            ],
            Err(_) => ["", "", "", "", &verdict].map(str::to_owned),
        };
        for (k, text) in lines.iter().enumerate() {
            let text = if k == 0 {
                self.line(text, &cells)
            } else {
                format!("  {text}")
            };
            let _ = writeln!(out, "{}", text.trim_end());
        }
        if let Err(message) = &outcome.result {
            for text in message.trim_end().lines() {
                let _ = writeln!(out, "    {}", self.ink.yellow(&escaped(text)));
            }
        }
    }

    /// A row with a quantity and its numbers.
    fn line(&self, quantity: &str, cells: &[String; 5]) -> String {
        let mut text = format!("  {quantity:<room$}", room = self.room);
        for (cell, width) in cells.iter().zip(self.columns) {
            let _ = write!(text, "  {cell:<width$}");
        }
        text
    }

    pub(super) fn summary(&self, left_out: usize, seconds: f64) -> String {
        let verdict = if self.all_passed() {
            self.ink.green("all passed")
        } else {
            let passed = self.quantities - self.off.len();
            self.ink
                .red(&format!("{passed} passed, {} failed", self.off.len()))
        };
        let more = match left_out {
            0 => String::new(),
            1 => "; 1 slow case omitted, see --all".to_owned(),
            n => format!("; {n} slow cases omitted, see --all"),
        };
        format!(
            "\n{}, {}: {verdict} in {} s{more}\n",
            terminal::count(self.cases, "case"),
            terminal::count(self.quantities, "quantity"),
            terminal::number(seconds)
        )
    }

    pub(super) fn interrupted(&self, cases: usize) -> String {
        format!("interrupted after {} of {cases} cases\n", self.cases)
    }

    pub(super) fn all_passed(&self) -> bool {
        self.off.is_empty()
    }

    /// The failed quantities and advice; empty if all passed.
    pub(super) fn what_is_off(&self) -> String {
        if self.all_passed() {
            return String::new();
        }
        let mut out = format!("{} failed:\n", terminal::err_ink().red("error:"));
        for quantity in &self.off {
            let _ = writeln!(out, "  {}", escaped(quantity));
        }
        out.push_str(
            "run each case alone with `biela validate CASE`; the folder validation/CASE of the sources documents its reference.\n\
             If it still fails, do not trust results of such models from this build: rebuild it, and report the line above with the processor and the compiler\n",
        );
        out
    }
}

/// A quantity as JSON.
fn line(case: &ValidationCase, outcome: &CheckOutcome) -> serde_json::Value {
    let found = outcome.result.as_ref().ok();
    json!({
        "case": case.name,
        "title": case.title,
        "kind": case.kind,
        "source": case.source,
        "quantity": outcome.quantity,
        "place": outcome.place,
        "unit": outcome.unit,
        "reference": found.map(|f| f.reference),
        "value": found.map(|f| f.value),
        "error": found.map(biela::validate::CheckedResult::error),
        "tolerance": found.map(|f| f.tolerance),
        "pass": outcome.passes(),
        "message": outcome.result.as_ref().err(),
    })
}
