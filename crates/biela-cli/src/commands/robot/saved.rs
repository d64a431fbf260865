//! The results folder of an analysis and the printed report.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use biela::Job;
use biela::record::ModelInfo;
use biela::robot::{Excess, History};
use serde_json::{Map, Value, json};

use crate::commands::run::folder_name;
use crate::failure::{CommandResult, Failure, FailureCode};
use crate::output;
use crate::terminal::{self, Sheet, number, time};

/// The maximum number of rows of a printed table.
const MOST_ROWS: usize = 40;

#[derive(clap::Args, Debug)]
pub(super) struct OutputArgs {
    /// Folder for data and plots [default: results/<model name>-<analysis>]
    #[arg(long, short, value_name = "DIR", visible_alias = "save")]
    pub(super) out: Option<PathBuf>,
    /// Write no plots
    #[arg(long)]
    pub(super) no_plot: bool,
    /// Print the results as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Print only warnings and errors
    #[arg(long, short)]
    pub(super) quiet: bool,
}

impl OutputArgs {
    /// The results folder.
    pub(super) fn dir(&self, job: &Job, analysis: &str) -> Result<PathBuf, Failure> {
        let name = folder_name(&job.model.name);
        output::folder(self.out.as_ref(), &format!("{name}-{analysis}"))
    }

    /// Writes data and plots, and prints their location. Returns the folder.
    fn save(
        &self,
        (path, job): (&Path, &Job),
        analysis: &str,
        history: &History,
    ) -> Result<PathBuf, Failure> {
        let dir = self.dir(job, analysis)?;
        let info = ModelInfo {
            name: job.model.name.clone(),
            file: Some(path.display().to_string()),
            digest: Some(job.report.digest()),
        };
        let mut options = Map::new();
        let _ = options.insert("analysis".into(), json!(analysis));
        let _ = history
            .save(&dir, info, options)
            .map_err(Failure::command)?;
        let mut wrote = vec!["data.csv".to_owned()];
        if !self.no_plot {
            let title = format!("{}: {analysis}", job.model.name);
            for (name, bytes) in history.pictures(&title).map_err(Failure::command)? {
                let file = dir.join(&name);
                biela_files::write(&file, &bytes).map_err(|error| {
                    let shown = file.display();
                    Failure::command(format!(
                        "cannot write {shown}: {error}; name a writable folder"
                    ))
                })?;
                wrote.push(name);
            }
        }
        if !self.quiet && !self.json {
            let (files, shown) = (wrote.join(", "), dir.display());
            terminal::say(&format!("\nwrote {shown}: {files}\n"));
        }
        Ok(dir)
    }

    /// Prints and saves the results, and reports violated limits, which count as failed requirements.
    pub(super) fn tell(
        &self,
        (path, job): (&Path, &Job),
        analysis: &str,
        (lines, history): (&[(&str, String)], &History),
        excesses: &[Excess],
    ) -> CommandResult {
        if self.json {
            let about: Map<String, Value> = lines
                .iter()
                .map(|(name, text)| ((*name).to_owned(), json!(text)))
                .collect();
            let text = json!({
                "model": job.model.name, "analysis": analysis, "about": about, "points": history.times.len(),
                "signals": ranges_json(history), "beyond_limits": excesses_json(excesses),
            });
            terminal::data(&format!("{text:#}\n"))?;
        } else if !self.quiet {
            terminal::data(&sheet(&job.model.name, lines))?;
            terminal::data(&ranges(history))?;
        }
        let _ = self.save((path, job), analysis, history)?;
        let heading = terminal::err_ink().yellow("warning:");
        for excess in excesses {
            terminal::say(&format!("{heading} {excess}\n"));
        }
        Ok(FailureCode::require(excesses.is_empty()))
    }
}

/// Minimum and maximum of every column, with their times, as text.
fn ranges(history: &History) -> String {
    let heading = ["signal", "unit", "least", "at (s)", "largest", "at (s)"];
    let extreme = |values: &[f64], better: fn(f64, f64) -> bool| {
        let mut best: Option<usize> = None;
        for (k, &value) in values.iter().enumerate() {
            if best.is_none_or(|b| better(value, values[b])) {
                best = Some(k);
            }
        }
        best.map_or_else(
            || [String::new(), String::new()],
            |k| [number(values[k]), time(history.times[k])],
        )
    };
    let rows: Vec<Vec<String>> = history
        .columns
        .iter()
        .zip(&history.values)
        .take(MOST_ROWS)
        .map(|(column, values)| {
            let [least, first] = extreme(values, |a, b| a < b);
            let [largest, last] = extreme(values, |a, b| a > b);
            let unit = column.unit.clone();
            vec![column.name.clone(), unit, least, first, largest, last]
        })
        .collect();
    let mut out = terminal::table(terminal::out_page().ink, &heading, &rows);
    let left = history.columns.len().saturating_sub(MOST_ROWS);
    if left > 0 {
        let _ = writeln!(out, "  and {left} more in data.csv");
    }
    out
}

/// Minimum and maximum of every column, with their times, as JSON.
fn ranges_json(history: &History) -> Value {
    let column = |(column, values): (&biela::record::RecordedColumn, &Vec<f64>)| {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        json!({ "name": column.name, "unit": column.unit, "least": least, "largest": largest })
    };
    let columns = history.columns.iter().zip(&history.values);
    columns.map(column).collect::<Vec<_>>().into()
}

/// The violated limits as JSON.
fn excesses_json(excesses: &[Excess]) -> Value {
    let one = |excess: &Excess| {
        json!({
            "joint": excess.joint, "what": excess.what, "unit": excess.unit,
            "time": excess.time, "value": excess.value, "limit": excess.limit,
        })
    };
    excesses.iter().map(one).collect::<Vec<_>>().into()
}

/// A heading with lines below it.
pub(super) fn sheet(name: &str, lines: &[(&str, String)]) -> String {
    let page = terminal::out_page();
    let mut sheet = Sheet::new(page);
    for (name, text) in lines {
        sheet.line(name, text.clone());
    }
    format!("{}\n\n{}\n", page.ink.bold(name), sheet.render())
}
