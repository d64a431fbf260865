//! `biela new`: creates a working model to start from.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueEnum;

use crate::failure::{CommandResult, Failure, FailureCode};
use crate::terminal;

const AFTER_HELP: &str = "\
Examples:
  biela new pendulum
  biela new models/top --template spatial-pendulum";

/// Create a new model to start from
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Folder to create; its name becomes the name of the model
    name: PathBuf,
    /// Template
    #[arg(long, value_enum, default_value = "pendulum")]
    template: Template,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Template {
    /// A rod on a revolute joint in the plane
    Pendulum,
    /// A plate on a spherical joint in space
    SpatialPendulum,
}

impl Template {
    fn text(self) -> &'static str {
        match self {
            Template::Pendulum => include_str!("../../templates/pendulum.toml"),
            Template::SpatialPendulum => include_str!("../../templates/spatial-pendulum.toml"),
        }
    }
}

pub(crate) fn run(args: &Args) -> CommandResult {
    let folder = &args.name;
    let Some(name) = folder.file_name().and_then(|name| name.to_str()) else {
        let shown = folder.display();
        return Err(Failure::command(format!(
            "`{shown}` is not a name for a folder; give another"
        )));
    };
    let path = folder.join("model.toml");
    let text = named(args.template.text(), name);
    let written = biela_files::folder(folder)
        .and_then(|()| biela_files::create_new(&path))
        .and_then(|mut file| file.write_all(text.as_bytes()));
    if let Err(error) = written {
        let shown = path.display();
        return Err(Failure::command(match error.kind() {
            io::ErrorKind::AlreadyExists if path.exists() => {
                format!("{shown} exists and is not replaced; choose another name")
            }
            io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
                format!(
                    "{}: a file of this name exists; choose another name",
                    folder.display()
                )
            }
            _ => format!("cannot write {shown}: {error}; choose a writable folder"),
        }));
    }
    let shown = path.display();
    terminal::say(&format!(
        "wrote {shown}\n\nnext: biela run {shown} --plot\n"
    ));
    Ok(FailureCode::Done)
}

/// Returns the template with another model name. JSON string escapes are also valid in TOML strings.
fn named(template: &str, name: &str) -> String {
    let name = serde_json::Value::from(name);
    let parts = template.split_once("\nname = ").and_then(|(head, rest)| {
        let (_, tail) = rest.split_once('\n')?;
        Some((head, tail))
    });
    parts.map_or_else(
        || template.to_owned(),
        |(head, tail)| format!("{head}\nname = {name}\n{tail}"),
    )
}
