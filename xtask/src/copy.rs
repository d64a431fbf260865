//! Modified copies of the workspace.

use std::fs;
use std::path::{Path, PathBuf};

use crate::tracked;

/// Creates a copy of the workspace below `target`, with every `mod.rs` changed.
pub(crate) fn of_workspace(
    root: &Path,
    folder: &str,
    change: impl Fn(&str) -> String,
) -> Result<PathBuf, String> {
    let copy = root.join("target").join(folder);
    if copy.exists() {
        fs::remove_dir_all(&copy).map_err(|e| told(&copy, &e))?;
    }
    for name in tracked(&[])? {
        let (from, to) = (root.join(&name), copy.join(&name));
        let folder = to.parent().unwrap_or(&copy);
        fs::create_dir_all(folder).map_err(|e| told(folder, &e))?;
        if name.ends_with("mod.rs") {
            let text = fs::read_to_string(&from).map_err(|e| told(&from, &e))?;
            fs::write(&to, change(&text)).map_err(|e| told(&to, &e))?;
        } else if from.is_file() {
            let copied = fs::copy(&from, &to).map_err(|e| told(&from, &e));
            let _ = copied?;
        }
    }
    Ok(copy)
}

pub(crate) fn told(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}
