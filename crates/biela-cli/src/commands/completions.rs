//! `biela completions`: shell completions of commands and options.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::failure::{CommandResult, FailureCode};
use crate::terminal;

const AFTER_HELP: &str = "\
Examples:
  biela completions bash > ~/.local/share/bash-completion/completions/biela
  biela completions zsh > \"${fpath[1]}/_biela\"
  biela completions fish > ~/.config/fish/completions/biela.fish
  biela completions powershell >> $PROFILE";

/// Print a shell completion script
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Shell
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> CommandResult {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::Cli::command(), "biela", &mut script);
    terminal::data(&String::from_utf8_lossy(&script))?;
    Ok(FailureCode::Done)
}
