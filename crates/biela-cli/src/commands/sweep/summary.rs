//! The printed summary of a sweep.

use std::path::Path;

use biela::parameter_study::{Sweep, SweepTable};
use serde_json::{Value, json};

use crate::terminal::{Sheet, StreamStyle, count, number};

/// The maximum number of listed failures.
const MOST_LISTED: usize = 3;

/// The summary at the end of a sweep.
pub(super) struct SweepSummary<'t> {
    name: &'t str,
    table: &'t SweepTable,
    folder: &'t Path,
    files: Vec<&'static str>,
}

/// The statistics of a measure.
struct Spread {
    count: usize,
    least: f64,
    greatest: f64,
    mean: f64,
    /// Sample standard deviation, with n − 1.
    deviation: f64,
}

impl Spread {
    fn of(values: &[f64]) -> Self {
        let known: Vec<f64> = values.iter().copied().filter(|x| !x.is_nan()).collect();
        let n = known.len() as f64;
        let mean = known.iter().sum::<f64>() / n;
        let squares: f64 = known.iter().map(|x| (x - mean).powi(2)).sum();
        Self {
            count: known.len(),
            least: known.iter().copied().fold(f64::INFINITY, f64::min),
            greatest: known.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            mean,
            deviation: (squares / (n - 1.0).max(1.0)).sqrt(),
        }
    }
}

impl<'t> SweepSummary<'t> {
    pub(super) fn new(
        sweep: &'t Sweep,
        table: &'t SweepTable,
        folder: &'t Path,
        files: Vec<&'static str>,
    ) -> Self {
        Self {
            name: &sweep.runs().about().name,
            table,
            folder,
            files,
        }
    }

    pub(super) fn all_failed(&self) -> bool {
        self.table.failed().count() == self.table.rows.len()
    }

    /// The reasons of failed points with these points, the most frequent reason first.
    fn reasons(&self) -> Vec<(&str, Vec<usize>)> {
        let mut list: Vec<(&str, Vec<usize>)> = Vec::new();
        for (point, reason) in self.table.failed() {
            match list.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, points)) => points.push(point),
                None => list.push((reason, vec![point])),
            }
        }
        list.sort_by_key(|(_, points)| std::cmp::Reverse(points.len()));
        list
    }

    pub(super) fn render(&self, page: StreamStyle) -> String {
        let mut sheet = Sheet::new(page);
        let parameters: Vec<&str> = self.table.parameters.iter().map(|p| p.0.as_str()).collect();
        let points = count(self.table.rows.len(), "point");
        let text = format!("{}: {points} over {}", self.name, parameters.join(", "));
        sheet.line("sweep", text);
        for (k, (name, unit)) in self.table.measures.iter().enumerate() {
            let spread = Spread::of(&self.table.measure(k));
            let unit = if unit == "1" { "" } else { unit };
            let text = match spread.count {
                0 => format!("{name}: no value"),
                _ => format!(
                    "{name}: {} to {}, mean {}, deviation {} {unit}",
                    number(spread.least),
                    number(spread.greatest),
                    number(spread.mean),
                    number(spread.deviation),
                ),
            };
            let missing = self.table.rows.len() - self.table.failed().count() - spread.count;
            let note = match missing {
                0 => String::new(),
                n => format!("; {} without it", count(n, "point")),
            };
            sheet.line("measure", format!("{}{note}", text.trim_end()));
        }
        for (reason, points) in self.reasons().iter().take(MOST_LISTED) {
            let list: Vec<String> = points
                .iter()
                .take(MOST_LISTED)
                .map(ToString::to_string)
                .collect();
            let more = if points.len() > MOST_LISTED {
                ", …"
            } else {
                ""
            };
            let text = format!(
                "{} ({}{more}): {reason}",
                count(points.len(), "point"),
                list.join(", ")
            );
            sheet.warn("failed", text);
        }
        let left = self.reasons().len().saturating_sub(MOST_LISTED);
        if left > 0 {
            sheet.warn(
                "failed",
                format!("and {} more in the table", count(left, "reason")),
            );
        }
        let files = self.files.join(", ");
        sheet.line("written", format!("{files} in {}", self.folder.display()));
        sheet.render()
    }

    pub(super) fn to_json(&self) -> Value {
        let measures = self.table.measures.iter().enumerate();
        let measures: Vec<Value> = measures
            .map(|(k, (name, unit))| {
                let spread = Spread::of(&self.table.measure(k));
                let known = |x: f64| (spread.count > 0).then_some(x);
                json!({
                    "name": name,
                    "unit": unit,
                    "values": spread.count,
                    "min": known(spread.least),
                    "max": known(spread.greatest),
                    "mean": known(spread.mean),
                    "deviation": known(spread.deviation),
                })
            })
            .collect();
        let failed: Vec<Value> = self
            .table
            .failed()
            .map(|(point, reason)| json!({ "point": point, "problem": reason }))
            .collect();
        json!({
            "model": self.name,
            "folder": self.folder.display().to_string(),
            "files": self.files,
            "points": self.table.rows.len(),
            "parameters": self.table.parameters.iter().map(|p| &p.0).collect::<Vec<_>>(),
            "measures": measures,
            "failed": failed,
        })
    }
}
