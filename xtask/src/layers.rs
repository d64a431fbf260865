//! The direction of dependencies between the crates, as in ARCHITECTURE.md.

use std::path::Path;

/// Each crate and the crates of the workspace on which it may depend.
const LAYERS: &[(&str, &[&str])] = &[
    ("biela-core", &[]),
    ("biela-files", &[]),
    ("biela-plot", &[]),
    ("biela-record", &["biela-files"]),
    ("biela-study", &[]),
    ("biela-view", &["biela-files"]),
    ("biela-symbol", &["biela-core"]),
    ("biela-model", &["biela-core", "biela-study"]),
    (
        "biela",
        &[
            "biela-core",
            "biela-files",
            "biela-model",
            "biela-plot",
            "biela-record",
            "biela-study",
            "biela-symbol",
            "biela-view",
        ],
    ),
    ("biela-cli", &["biela", "biela-files"]),
    (
        "biela-fuzz",
        &[
            "biela-core",
            "biela-files",
            "biela-model",
            "biela-record",
            "biela-symbol",
            "biela-view",
        ],
    ),
    ("biela-py", &["biela", "biela-files"]),
];

/// The names of all crates.
pub(crate) fn crates() -> impl Iterator<Item = &'static str> {
    LAYERS.iter().map(|(name, _)| *name)
}

/// Functions that write files without the protection of `biela-files`.
const UNGUARDED: [&str; 3] = ["fs::write(", "File::create(", "fs::create_dir"];

/// Fails if a part of the program writes files directly instead of through `biela-files`; tests, which are last in a file, may.
pub(crate) fn check_writing(root: &Path) -> Result<(), String> {
    let listed = crate::tracked(&["crates/*/src/*.rs"])?;
    let ours = ["crates/biela-files/", "crates/biela-fuzz/"];
    let bound = listed
        .iter()
        .filter(|file| !ours.iter().any(|ours| file.starts_with(ours)));
    for file in bound {
        let text = std::fs::read_to_string(root.join(file)).map_err(|e| format!("{file}: {e}"))?;
        let program = text.split("#[cfg(test)]").next().unwrap_or_default();
        let mut lines = program.lines().enumerate();
        let unguarded = |(_, line): &(usize, &str)| {
            let is_comment = line.trim_start().starts_with("//");
            !is_comment && UNGUARDED.iter().any(|word| line.contains(word))
        };
        if let Some((number, _)) = lines.find(unguarded) {
            return Err(format!(
                "{file}:{}: write files through biela-files",
                number + 1
            ));
        }
    }
    Ok(())
}

/// Fails if a crate has a forbidden dependency, or is missing from the list.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let folder = root.join("crates");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some((_, allowed)) = LAYERS.iter().find(|(crate_name, _)| *crate_name == name) else {
            return Err(format!(
                "crate {name} is missing from the list in xtask/src/layers.rs"
            ));
        };
        let manifest = std::fs::read_to_string(entry.path().join("Cargo.toml"))
            .map_err(|e| format!("{name}: {e}"))?;
        for line in manifest
            .lines()
            .take_while(|line| *line != "[dev-dependencies]")
        {
            let word = line.split(['=', '.', ' ']).next().unwrap_or_default();
            let ours = LAYERS.iter().any(|(crate_name, _)| *crate_name == word);
            if ours && !allowed.contains(&word) {
                return Err(format!("{name} must not depend on {word}"));
            }
        }
    }
    Ok(())
}
