//! Mutation testing of the mathematics of the core.
//!
//! cargo-mutants follows the module declarations in files, but elements are declared in lists that macros expand. Therefore it works on a copy of the workspace
//! with expanded lists.

use std::fmt::Write as _;
use std::path::Path;

use crate::tools::MUTANTS;
use crate::{copy, run};

/// The mutated folders.
const FOLDERS: [&str; 4] = ["math", "joints", "forces", "integrators"];

/// The module declaration in the macros of lists, and its replacement when the modules are expanded.
const DECLARED: &str = "$(mod $module; pub use $module::$name;)*";
const USED: &str = "$(pub use $module::$name;)*";

/// Runs the mutants and reports those that no test detects; `words` are arguments for cargo-mutants, such as `--shard 0/100`.
pub(crate) fn hunt(root: &Path, words: &[&str]) -> Result<(), String> {
    let program = MUTANTS.install(root)?;
    let copy = copy::of_workspace(root, "mutants-source", spelled_out)?;
    let copy = copy.display().to_string();
    let files = FOLDERS.map(|folder| format!("crates/biela-core/src/{folder}/**"));
    let out = root.join("target").display().to_string();
    let mut arguments = vec!["mutants", "--dir", &copy, "--package", "biela-core"];
    arguments.extend(["--output", &out]);
    arguments.extend(files.iter().flat_map(|glob| ["--file", glob]));
    // used only by tests
    arguments.extend(["--exclude", "**/suite.rs", "--exclude", "**/problems.rs"]);
    arguments.extend(words);
    run(&program, &arguments, &[])
}

/// A file with its lists of modules expanded; others are unchanged.
fn spelled_out(text: &str) -> String {
    if !text.contains(DECLARED) {
        return text.to_owned();
    }
    let mut modules = String::new();
    for line in text.lines() {
        let entry = line
            .strip_prefix("    ")
            .and_then(|line| line.strip_suffix(','));
        if let Some((module, kind)) = entry.and_then(|entry| entry.split_once("::"))
            && is_name(module)
            && is_name(kind)
        {
            let _ = writeln!(modules, "mod {module};");
        }
    }
    format!("{}\n{modules}", text.replace(DECLARED, USED))
}

fn is_name(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
