//! `biela man`: the manual pages of the program and of each command.

use std::path::{Path, PathBuf};

use clap::CommandFactory;
use clap_mangen::Man;

use crate::failure::{CommandResult, Failure, FailureCode};
use crate::terminal;

const AFTER_HELP: &str = "\
Examples:
  biela man | man -l -
  biela man --out ~/.local/share/man/man1     biela.1, biela-run.1, …";

/// Print the manual page, or write those of all commands to a folder
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Folder for the manual pages of all commands
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> CommandResult {
    let mut command = crate::Cli::command().disable_help_subcommand(true);
    command.build();
    match &args.out {
        None => terminal::data(&page(command)?)?,
        Some(folder) => {
            biela_files::folder(folder).map_err(|error| cannot_write(folder, &error))?;
            let count = write_all(command, folder)?;
            terminal::say(&format!(
                "wrote {count} manual pages to {}\n",
                folder.display()
            ));
        }
    }
    Ok(FailureCode::Done)
}

/// Writes the manual pages of a command and of its subcommands. Returns the number of pages.
fn write_all(command: clap::Command, folder: &Path) -> Result<usize, Failure> {
    let mut count = 1;
    for below in command.get_subcommands() {
        count += write_all(below.clone(), folder)?;
    }
    let name = command.get_display_name().unwrap_or(command.get_name());
    let path = folder.join(format!("{name}.1"));
    biela_files::write(&path, page(command)?.as_bytes())
        .map_err(|error| cannot_write(&path, &error))?;
    Ok(count)
}

fn page(command: clap::Command) -> Result<String, Failure> {
    let mut roff = Vec::new();
    Man::new(command).render(&mut roff)?;
    // the text after the options has its own line breaks, which must not be filled
    Ok(String::from_utf8_lossy(&roff)
        .replace(".SH EXTRA\n", ".SH NOTES\n.nf\n")
        .replace(".SH VERSION\n", ".fi\n.SH VERSION\n"))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::command(format!("cannot write {}: {error}", path.display()))
}
