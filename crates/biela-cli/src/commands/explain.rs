//! `biela explain`: explains failures.

use std::fmt::Write as _;

use biela::explain::Reason;
use biela::model::suggest::did_you_mean;

use crate::failure::{CommandResult, Failure, FailureCode};
use crate::terminal;

const AFTER_HELP: &str = "\
WORD is the topic at the end of a message: `more: biela explain WORD`. The page \"Why did it stop?\" of the book has the same texts, with models that fail in this way.

Examples:
  biela explain
  biela explain step-size-too-small";

/// Explain a failure: its meaning, causes and remedies
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Topic [default: list all topics]
    word: Option<String>,
}

pub(crate) fn run(args: &Args) -> CommandResult {
    let words = || Reason::ALL.iter().map(|reason| reason.word());
    let mut text = String::new();
    match &args.word {
        None => {
            let width = words().map(str::len).max().unwrap_or(0);
            for reason in Reason::ALL {
                let _ = writeln!(text, "{:width$}  {}", reason.word(), reason.summary());
            }
        }
        Some(wanted) => {
            let Some(reason) = Reason::of_word(wanted) else {
                let help = match did_you_mean(wanted, words()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "`biela explain` lists all topics".to_owned(),
                };
                return Err(Failure::command(format!(
                    "no topic is called `{wanted}`; {help}"
                )));
            };
            text = format!("{}\n", reason.text());
        }
    }
    terminal::data(&text)?;
    Ok(FailureCode::Done)
}
