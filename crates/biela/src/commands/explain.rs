//! `biela explain`: why did it stop?

use std::fmt::Write as _;

use biela::explain::Reason;
use biela::model::suggest::did_you_mean;

use crate::failure::{Code, Failure, Outcome};
use crate::terminal;

const AFTER_HELP: &str = "\
The word is what a failure ends with: more: biela explain WORD. The book's page \"Why did it stop?\" tells the same, with models that fail so.

Examples:
  biela explain
  biela explain the-step-shrank";

/// Explain a failure: what it means, its causes and cures
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// What to explain; without it, all that can be explained
    word: Option<String>,
}

pub(crate) fn run(args: &Args) -> Outcome {
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
                    None => "`biela explain` lists what there is".to_owned(),
                };
                return Err(Failure::command(format!(
                    "nothing to explain by the word `{wanted}`; {help}"
                )));
            };
            text = format!("{}\n", reason.text());
        }
    }
    terminal::data(&text)?;
    Ok(Code::Done)
}
