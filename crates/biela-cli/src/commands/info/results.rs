//! `biela info` for results: the recorded signals and their ranges.

use std::path::Path;

use biela::model::diagnostic::escaped;
use biela::record::{DATA_FILE, MANIFEST_FILE, Results, RunStatus, Tail};
use serde_json::{Value, json};

use crate::failure::{CommandResult, Failure, FailureCode};
use crate::terminal::{self, Sheet, count, number, table, time};

/// Returns `true` if a path contains results rather than a model.
pub(super) fn are_at(path: &Path) -> bool {
    let holds = |name: &str| path.join(name).is_file();
    let arrows = Path::new(DATA_FILE).extension();
    holds(DATA_FILE) || holds(MANIFEST_FILE) || (path.is_file() && path.extension() == arrows)
}

pub(super) fn run(path: &Path, as_json: bool) -> CommandResult {
    let results = Results::open(path).map_err(Failure::command)?;
    let text = if as_json {
        format!("{:#}\n", to_json(&results))
    } else {
        render(&results, path)
    };
    terminal::data(&text)?;
    Ok(FailureCode::Done)
}

/// A signal and its range.
struct SignalRange {
    name: String,
    unit: String,
    /// Minimum and maximum of the finite values, if there are any.
    between: Option<(f64, f64)>,
    /// The number of values that are not finite.
    not_finite: usize,
}

fn ranges(results: &Results) -> Vec<SignalRange> {
    let columns = results.columns().iter().enumerate();
    let range = |(k, column): (usize, &biela::record::RecordedColumn)| {
        let values = results.series(k).unwrap_or_default();
        let finite = || values.iter().copied().filter(|x| x.is_finite());
        let first = finite().next();
        SignalRange {
            name: column.name.clone(),
            unit: column.unit.clone(),
            between: first.map(|x| (finite().fold(x, f64::min), finite().fold(x, f64::max))),
            not_finite: values.len() - finite().count(),
        }
    };
    columns.map(range).collect()
}

fn render(results: &Results, path: &Path) -> String {
    let page = terminal::out_page();
    let ink = page.ink;
    let mut sheet = Sheet::new(page);
    sheet.line("rows", results.rows().to_string());
    sheet.line("status", status(results));
    let rows: Vec<Vec<String>> = ranges(results)
        .into_iter()
        .map(|range| {
            let (least, most) = range
                .between
                .map_or((String::new(), String::new()), |(a, b)| {
                    (number(a), number(b))
                });
            let note = match range.not_finite {
                0 => String::new(),
                n => format!("{} not finite", count(n, "value")),
            };
            vec![range.name, range.unit, least, most, note]
        })
        .collect();
    let title = results
        .model()
        .map_or_else(|| path.display().to_string(), escaped);
    format!(
        "{}\n\n{}\n{}",
        ink.bold(&title),
        sheet.render(),
        table(ink, &["signal", "unit", "least", "largest", ""], &rows)
    )
}

fn status(results: &Results) -> String {
    let ended = match results.manifest().map(|manifest| &manifest.status) {
        None => "no manifest".to_owned(),
        Some(RunStatus::Running) => "the run is in progress, or was killed".to_owned(),
        Some(RunStatus::Finished) => "finished".to_owned(),
        Some(RunStatus::Event { name, time: at }) => {
            format!("ended by event `{}` at t = {} s", escaped(name), time(*at))
        }
        Some(RunStatus::Interrupted) => "interrupted".to_owned(),
        Some(RunStatus::Failed { message, time: at }) => {
            format!("stopped at t = {} s: {}", time(*at), escaped(message))
        }
    };
    match results.tail() {
        Tail::Damaged(why) => {
            format!("{ended}; the data are damaged ({why}), only the intact part is shown")
        }
        Tail::Complete | Tail::Cut => ended,
    }
}

fn to_json(results: &Results) -> Value {
    let signals: Vec<Value> = ranges(results)
        .into_iter()
        .map(|range| {
            json!({
                "name": range.name,
                "unit": range.unit,
                "least": range.between.map(|(least, _)| least),
                "largest": range.between.map(|(_, most)| most),
                "not_finite": range.not_finite,
            })
        })
        .collect();
    json!({
        "model": results.model(),
        "rows": results.rows(),
        "status": results.manifest().map(|manifest| &manifest.status),
        "complete": results.is_complete(),
        "signals": signals,
    })
}
