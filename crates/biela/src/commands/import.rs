//! `biela import`: models of other programs.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use biela::model::import::{Imported, sismul};
use clap::Subcommand;

use crate::failure::{Code, Failure, Outcome};
use crate::terminal;

const AFTER_HELP: &str = "\
Examples:
  biela import sismul cards.dat
  biela import sismul cards.dat -o chain/model.toml
  biela import sismul human.dat --length \"1 m/12\" -o human.toml";

/// Most bytes that are read of a file.
const MOST_BYTES: u64 = 10_000_000;

/// Make a model of another program's input
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    format: Format,
}

#[derive(Subcommand, Debug)]
enum Format {
    /// Cards of SISMUL, a program of multibody dynamics by Kane's equations
    Sismul(Sismul),
}

#[derive(clap::Args, Debug)]
struct Sismul {
    /// File of cards
    #[arg(value_name = "CARDS")]
    cards: PathBuf,
    /// Write the model here instead of on stdout; a file that is there is left alone
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Unit of length of the cards, such as "1 m/12" [default: metre]
    #[arg(long, value_name = "LENGTH")]
    length: Option<String>,
}

pub(crate) fn run(args: &Args) -> Outcome {
    match &args.format {
        Format::Sismul(args) => args.run(),
    }
}

impl Sismul {
    fn run(&self) -> Outcome {
        if let Some(length) = &self.length {
            let _ = biela::quantity(length, "m")
                .map_err(|error| Failure::command(error.about("--length")))?;
        }
        let bytes = read(&self.cards)?;
        let options = sismul::Options {
            length: self.length.clone(),
        };
        let name = self.cards.display().to_string();
        let imported = sismul::import(&name, &bytes, &options);
        let text = accepted(imported)?;
        let Some(output) = &self.output else {
            terminal::data(&text)?;
            return Ok(Code::Done);
        };
        write(output, &text)?;
        let shown = output.display();
        terminal::say(&format!("wrote {shown}\n\nnext: biela check {shown}\n"));
        Ok(Code::Done)
    }
}

/// The text of the model; problems are told, and become a failure when there is no text.
fn accepted(imported: Imported) -> Result<String, Failure> {
    let style = terminal::err_ink().style();
    let report = imported.diagnostics.render(&imported.sources, style);
    match imported.text {
        Some(text) => {
            if !report.is_empty() {
                terminal::say(&report);
                terminal::say("\n");
            }
            Ok(text)
        }
        None => Err(Failure {
            code: Code::Model,
            text: report,
            headed: true,
            details: imported.diagnostics.to_json(&imported.sources),
        }),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let shown = path.display();
    let fail = |error: io::Error| Failure::command(format!("{shown}: cannot be read: {error}"));
    if fs::metadata(path).map_err(fail)?.is_dir() {
        return Err(Failure::command(format!(
            "{shown} is a folder; name a file of cards in it"
        )));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(fail)?;
    let _ = file
        .take(MOST_BYTES)
        .read_to_end(&mut bytes)
        .map_err(fail)?;
    Ok(bytes)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let written = folder
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| File::create_new(path))
        .and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| {
        let shown = path.display();
        Failure::command(match error.kind() {
            io::ErrorKind::AlreadyExists if path.exists() => {
                format!("{shown} is there already and is left alone; choose another name")
            }
            _ => format!("cannot write {shown}: {error}; choose a folder you may write to"),
        })
    })
}
