//! Files that a command writes where the user says.

use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The folder that a command was given, or the one of this name below `results`; a link in the place of `results` is refused, since it may lead anywhere and
/// nobody asked for it.
pub(crate) fn folder(given: Option<&PathBuf>, name: &str) -> Result<PathBuf, Failure> {
    let results = Path::new("results");
    match given {
        Some(given) => Ok(given.clone()),
        None if results.is_symlink() => Err(Failure::command(
            "`results` is a symbolic link here; say where results go with --out",
        )),
        None => Ok(results.join(name)),
    }
}

/// Writes a file whole or not at all. One that is there is replaced only when its ending is among those that the command writes: a model, a text or a
/// program of the user is not.
pub(crate) fn write(path: &Path, bytes: &[u8], endings: &[&str]) -> Result<(), Failure> {
    check(path, endings)?;
    biela_files::write(path, bytes).map_err(|error| {
        let shown = path.display();
        let text = format!("cannot write {shown}: {error}");
        if biela_files::is_out_of_space(&error) {
            return Failure::file(text, &error);
        }
        Failure::command(format!("{text}; name a file you may write to"))
    })
}

/// Whether a file may be written, before it is made.
pub(crate) fn check(path: &Path, endings: &[&str]) -> Result<(), Failure> {
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    let is_ours = ending.is_some_and(|ending| endings.contains(&ending.as_str()));
    let is_there = path.symlink_metadata().is_ok_and(|there| there.is_file());
    if is_ours || !is_there {
        return Ok(());
    }
    let (shown, endings) = (path.display(), endings.join(", ."));
    Err(Failure::command(format!(
        "{shown} is there and is not replaced, because this command writes files that end in .{endings}; name another file, or remove it first"
    )))
}
