//! Mistakes made on purpose in the mathematics of the core.
//!
//! cargo-mutants follows the modules that files name, and elements are named in lists that macros read; so it works on a copy of the
//! workspace whose lists are spelled out.

use std::fmt::Write as _;
use std::path::Path;

use crate::tools::MUTANTS;
use crate::{copy, run};

/// Where mistakes are made.
const FOLDERS: [&str; 4] = ["math", "joints", "forces", "integrators"];

/// How the macros of lists declare modules, and what is left of it when the modules are spelled out.
const DECLARED: &str = "$(mod $module; pub use $module::$name;)*";
const USED: &str = "$(pub use $module::$name;)*";

/// Makes the mistakes and tells which of them no test finds; `words` are for cargo-mutants, such as `--shard 0/100`.
pub(crate) fn hunt(root: &Path, words: &[&str]) -> Result<(), String> {
    let program = MUTANTS.install(root)?;
    let copy = copy::of_workspace(root, "mutants-source", spelled_out)?;
    let copy = copy.display().to_string();
    let files = FOLDERS.map(|folder| format!("crates/biela-core/src/{folder}/**"));
    let out = root.join("target").display().to_string();
    let mut arguments = vec!["mutants", "--dir", &copy, "--package", "biela-core"];
    arguments.extend(["--output", &out]);
    arguments.extend(files.iter().flat_map(|glob| ["--file", glob]));
    // what only tests use
    arguments.extend(["--exclude", "**/suite.rs", "--exclude", "**/problems.rs"]);
    arguments.extend(words);
    run(&program, &arguments, &[])
}

/// A file with its lists of modules spelled out; others stay as they are.
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
