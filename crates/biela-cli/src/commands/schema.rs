//! `biela schema`: the JSON schema of the model language.

use std::path::PathBuf;

use crate::failure::{CommandResult, FailureCode};
use crate::{output, terminal};

const AFTER_HELP: &str = "\
An editor with a TOML language server completes and validates a model whose first line is
  #:schema ./biela.schema.json

Examples:
  biela schema --out biela.schema.json
  biela schema | less";

/// Print the JSON schema of model files, for completion and validation in editors
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// File to write instead of stdout
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> CommandResult {
    let text = format!("{:#}\n", biela::model::schema::schema());
    match &args.out {
        Some(path) => {
            output::write(path, text.as_bytes(), &["json"])?;
            terminal::say(&format!("wrote {}\n", path.display()));
        }
        None => terminal::data(&text)?,
    }
    Ok(FailureCode::Done)
}
