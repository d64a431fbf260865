//! Embeds the validation cases and the models of the gallery in the library, so that `biela validate` needs no other files.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

/// File extensions of models and references.
const KEPT: &[&str] = &["toml", "csv", "dat", "rob", "urdf"];

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let mut list = String::from("&[\n");
    for folder in ["examples", "validation"] {
        let path = Path::new(&root).join(folder).canonicalize()?;
        println!("cargo::rerun-if-changed={}", path.display());
        embed(&path, folder, &mut list)?;
    }
    list.push_str("]\n");
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("shipped.rs"), list)
}

/// Adds the files of a folder to the list, by name, those of folders below in their place.
fn embed(folder: &Path, name: &str, list: &mut String) -> io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        let kept = path.extension().and_then(|end| end.to_str());
        if path.is_dir() {
            embed(&path, &name, list)?;
        } else if kept.is_some_and(|end| KEPT.contains(&end)) {
            let path = path.to_string_lossy();
            let _ = writeln!(list, "({name:?}, include_str!({path:?})),");
        }
    }
    Ok(())
}
