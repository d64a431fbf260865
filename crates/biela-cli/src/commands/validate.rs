//! `biela validate`: recomputes the validation cases on this machine.

mod validation_table;

use std::path::Path;
use std::time::Instant;

use biela::ModelError;
use biela::model::suggest::did_you_mean;
use biela::parameter_study::threads;
use biela::validate::{CheckOutcome, ShippedCase, judge_all, names};

use crate::commands::run::{is_interrupted, listen};
use crate::failure::{CommandResult, Failure, FailureCode};
use crate::terminal;
use validation_table::ValidationTable;

const AFTER_HELP: &str = "\
Each case is a model with an independent reference: closed-form solutions, published results,
other programs, or the same model in another formulation. A quantity passes if its error is
within its tolerance; for tables the worst entry is shown. Numbers are in SI units.
CASE is the name of a built-in case, or a folder of your own with a case.toml.

Exit codes: 0 all passed, 1 at least one failed, 130 interrupted.

Examples:
  biela validate                                 the fast cases of all kinds
  biela validate --all                           all cases, including the slow ones
  biela validate heavy-top-nutation              one case
  biela validate --all --json > validation.jsonl one JSON object per quantity";

/// Validate the program on this machine against closed-form solutions, published results and other formulations
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Cases to run, including slow ones [default: all fast cases]
    #[arg(value_name = "CASE")]
    cases: Vec<String>,
    /// Also run the slow cases
    #[arg(long, conflicts_with = "cases")]
    all: bool,
    /// Print one JSON object per line: case, quantity, reference, value, error, tolerance, pass
    #[arg(long)]
    pub(crate) json: bool,
    /// List the cases without running them
    #[arg(long, conflicts_with = "cases")]
    list: bool,
}

pub(crate) fn run(args: &Args) -> CommandResult {
    let mut entries = args.entries()?;
    let slow = entries.iter().filter(|entry| entry.case.slow).count();
    if args.list {
        terminal::data(&validation_table::list(&entries, args.json))?;
        return Ok(FailureCode::Done);
    }
    let left_out = if args.all || !args.cases.is_empty() {
        0
    } else {
        entries.retain(|entry| !entry.case.slow);
        slow
    };
    listen();
    let clock = Instant::now();
    let mut page = ValidationTable::new();
    let mut written = Ok(());
    let stop = || is_interrupted();
    judge_all(
        &entries,
        threads(),
        &stop,
        |entry, outcomes: Vec<CheckOutcome>| {
            let text = page.case(entry, &outcomes, args.json);
            if written.is_ok() {
                written = terminal::data(&text);
            }
        },
    );
    written?;
    if is_interrupted() {
        terminal::say(&page.interrupted(entries.len()));
        return Ok(FailureCode::Interrupted);
    }
    let summary = page.summary(left_out, clock.elapsed().as_secs_f64());
    if args.json {
        terminal::say(&summary);
    } else {
        terminal::data(&summary)?;
    }
    terminal::say(&page.what_is_off());
    Ok(FailureCode::require(page.all_passed()))
}

impl Args {
    /// The requested cases, sorted by kind and name; named cases in the given order.
    fn entries(&self) -> Result<Vec<ShippedCase>, Failure> {
        if self.cases.is_empty() {
            let mut entries: Vec<ShippedCase> =
                names().map(shipped).collect::<Result<_, Failure>>()?;
            entries.sort_by_key(|entry| validation_table::rank(&entry.case));
            return Ok(entries);
        }
        self.cases.iter().map(|word| named(word)).collect()
    }
}

/// Returns the case with this name or in this folder.
fn named(word: &str) -> Result<ShippedCase, Failure> {
    if names().any(|name| name == word) {
        return shipped(word);
    }
    let folder = Path::new(word);
    if folder.is_dir() {
        return ShippedCase::in_folder(folder).map_err(unread);
    }
    let help = match did_you_mean(word, names()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "see `biela validate --list`, or name a folder with a case.toml".to_owned(),
    };
    Err(Failure::command(format!(
        "no case is called `{word}`; {help}"
    )))
}

fn shipped(name: &str) -> Result<ShippedCase, Failure> {
    ShippedCase::shipped(name).map_err(unread)
}

fn unread(ModelError(report): ModelError) -> Failure {
    Failure {
        code: FailureCode::Model,
        text: terminal::coloured(&report.render(terminal::err_ink().style())),
        headed: true,
        details: report.diagnostics.to_json(&report.sources),
        reason: None,
    }
}
