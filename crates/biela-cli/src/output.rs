//! Output files of the commands.

use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Returns the folder given on the command line, or the folder of this name below `results`. A symbolic link named `results` is rejected, because its target
/// was not given by the user.
pub(crate) fn folder(given: Option<&PathBuf>, name: &str) -> Result<PathBuf, Failure> {
    let results = Path::new("results");
    match given {
        Some(given) => Ok(given.clone()),
        None if results.is_symlink() => Err(Failure::command(
            "`results` is a symbolic link; name the results folder with --out",
        )),
        None => Ok(results.join(name)),
    }
}

/// Writes a file atomically. An existing file is replaced only if the command writes files of its extension; a model, text or program of the user is not
/// overwritten.
pub(crate) fn write(path: &Path, bytes: &[u8], endings: &[&str]) -> Result<(), Failure> {
    check(path, endings)?;
    biela_files::write(path, bytes).map_err(|error| {
        let shown = path.display();
        let text = format!("cannot write {shown}: {error}");
        if biela_files::is_out_of_space(&error) {
            return Failure::file(text, &error);
        }
        Failure::command(format!("{text}; name a writable file"))
    })
}

/// Checks that a file may be written, before its content is computed.
pub(crate) fn check(path: &Path, endings: &[&str]) -> Result<(), Failure> {
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    let is_ours = ending.is_some_and(|ending| endings.contains(&ending.as_str()));
    let is_there = path.symlink_metadata().is_ok_and(|there| there.is_file());
    if is_ours || !is_there {
        return Ok(());
    }
    let (shown, endings) = (path.display(), endings.join(", ."));
    Err(Failure::command(format!(
        "{shown} exists and is not replaced, because this command only writes files that end in .{endings}; name another file, or remove it first"
    )))
}
