//! Model files named on the command line.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use biela::Job;
use biela::explain::Reason;
use biela::model::suggest::did_you_mean;
use clap::Args;

use crate::failure::{Failure, FailureCode};
use crate::terminal;

/// A model file and parameter values that override its own.
#[derive(Args, Debug)]
pub(crate) struct ModelArgs {
    /// Model file (TOML)
    #[arg(value_name = "MODEL")]
    pub(crate) path: PathBuf,
    /// Override the value of a parameter, e.g. --set "length=1.2 m"; repeatable
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
}

impl ModelArgs {
    /// Reads the model. Errors become a failure; warnings are printed unless `quiet` is set.
    pub(crate) fn load(&self, quiet: bool) -> Result<Job, Failure> {
        load(&self.path, &self.set, quiet)
    }

    /// The folder that contains the model file.
    pub(crate) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }
}

/// Reads a model with these parameter values. Errors become a failure; warnings are printed unless `quiet` is set.
pub(crate) fn load(path: &Path, set: &[String], quiet: bool) -> Result<Job, Failure> {
    check_file(path)?;
    let ink = terminal::err_ink();
    match biela::load_with(path, set) {
        Ok(job) => {
            if !quiet && !job.report.diagnostics.is_empty() {
                terminal::say(&terminal::coloured(&job.report.render(ink.style())));
                terminal::say("\n");
            }
            Ok(job)
        }
        Err(biela::ModelError(report)) => Err(Failure {
            code: FailureCode::Model,
            text: terminal::coloured(&report.render(ink.style())),
            headed: true,
            details: report.diagnostics.to_json(&report.sources),
            reason: Some(Reason::BadModel),
        }),
    }
}

/// Returns `true` if a new model file can be created at this path.
pub(crate) fn can_be_made(path: &Path) -> bool {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    let is_model = path
        .extension()
        .is_some_and(|extension| extension == "toml");
    is_model
        && fs::symlink_metadata(path).is_err_and(|e| e.kind() == io::ErrorKind::NotFound)
        && folder.unwrap_or(Path::new(".")).is_dir()
}

/// Rejects a path that cannot be a model file before anything is read.
pub(crate) fn check_file(path: &Path) -> Result<(), Failure> {
    let shown = path.display();
    let about = match fs::metadata(path) {
        Ok(about) => about,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let help = match nearby(path) {
                Some(near) => format!("did you mean {}?", near.display()),
                None => "check the path, or create a model with `biela new NAME`".to_owned(),
            };
            return Err(Failure::command(format!("{shown}: no such file; {help}")));
        }
        Err(error) => {
            return Err(Failure::command(format!("cannot open {shown}: {error}")));
        }
    };
    if about.is_dir() {
        let model = path.join("model.toml");
        let help = if model.is_file() {
            format!("name the model file: {}", model.display())
        } else {
            "name a model file in it".to_owned()
        };
        return Err(Failure::command(format!("{shown} is a folder; {help}")));
    }
    if let Some(program) = other_program(path) {
        return Err(Failure::command(format!(
            "{shown} is not a model file of biela; convert it with `biela import {program} {shown} --out model.toml`"
        )));
    }
    // opening a pipe would block until its other end is opened
    if about.is_file()
        && let Err(error) = File::open(path)
    {
        return Err(Failure::command(format!("cannot read {shown}: {error}")));
    }
    Ok(())
}

/// The subcommand of `biela import` for this file extension, if the file belongs to another program.
fn other_program(path: &Path) -> Option<&'static str> {
    match path.extension()?.to_str()? {
        "urdf" => Some("urdf"),
        "xml" | "mjcf" => Some("mjcf"),
        "rob" => Some("robo"),
        _ => None,
    }
}

/// An existing model file with a similar path, to suggest for a misspelt one.
pub(crate) fn nearby(path: &Path) -> Option<PathBuf> {
    if path.extension().is_none() {
        for candidate in [path.with_extension("toml"), path.join("model.toml")] {
            if candidate.is_file() {
                return Some(candidate);
            }
        }
    }
    let folder = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| Path::new(name).extension().is_some_and(|e| e == "toml"))
        .collect();
    names.sort();
    let near = did_you_mean(
        path.file_name()?.to_str()?,
        names.iter().map(String::as_str),
    )?;
    Some(folder.map_or_else(|| PathBuf::from(near), |folder| folder.join(near)))
}
