//! `biela reference`: the tables of the model language.

use biela::model::reference::pages;
use biela::model::suggest::did_you_mean;

use crate::failure::{CommandResult, Failure, FailureCode};
use crate::terminal;

const AFTER_HELP: &str = "\
Examples:
  biela reference joints
  biela reference | less";

/// Print the reference tables of the model language as Markdown: keys, joints, forces, functions, units, signals
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Page to print: keys, joints, forces, … [default: all]
    page: Option<String>,
}

pub(crate) fn run(args: &Args) -> CommandResult {
    let pages = pages();
    let text = match &args.page {
        None => {
            let titled =
                |(name, text): &(&str, String)| format!("## {name}\n\n{}\n", text.trim_end());
            pages.iter().map(titled).collect::<Vec<_>>().join("\n")
        }
        Some(wanted) => {
            let names = || pages.iter().map(|(name, _)| *name);
            let found = pages.iter().find(|(name, _)| name == wanted);
            let Some((_, text)) = found else {
                let help = match did_you_mean(wanted, names()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("there is {}", names().collect::<Vec<_>>().join(", ")),
                };
                return Err(Failure::command(format!("no page `{wanted}`; {help}")));
            };
            text.clone()
        }
    };
    terminal::data(&text)?;
    Ok(FailureCode::Done)
}
