//! Tests the book's page about new elements: its files and lines are added to a copy of the workspace, whose suites must pass.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::copy;

/// The page.
const PAGE: &str = "docs/src/extend.md";
/// The suites for the added elements.
const SUITES: [&str; 3] = ["joints::suite", "forces::suite", "integrators::suite"];

/// An element that the page adds.
#[derive(Debug, PartialEq, Eq)]
struct Added<'p> {
    /// Its file.
    path: &'p str,
    code: &'p str,
    /// Its line in the list.
    line: String,
    /// The macro of the list.
    list: &'p str,
}

pub(crate) fn try_out(root: &Path) -> Result<(), String> {
    let page = root.join(PAGE);
    let page = fs::read_to_string(&page).map_err(|e| copy::told(&page, &e))?;
    let added = added(&page)?;
    if added.len() != SUITES.len() {
        return Err(format!("{PAGE}: found {} elements", added.len()));
    }
    let copy = copy::of_workspace(root, "extend-source", |text| listed(text, &added))?;
    for element in &added {
        let file = copy.join(element.path);
        fs::write(&file, element.code).map_err(|e| copy::told(&file, &e))?;
    }
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root.join("target"), std::path::PathBuf::from);
    let mut test = Command::new("cargo");
    let _ = test
        .args(["test", "--locked", "--package", "biela-core", "--lib", "--"])
        .args(SUITES)
        .env("CARGO_TARGET_DIR", &target)
        .current_dir(&copy);
    let output = test
        .output()
        .map_err(|e| format!("cannot start cargo: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    if output.status.success() {
        eprintln!("the elements of {PAGE} pass {}", SUITES.join(", "));
        Ok(())
    } else {
        let errors = String::from_utf8_lossy(&output.stderr);
        Err(format!("the elements of {PAGE} fail:\n{text}\n{errors}"))
    }
}

/// The elements of the page: a path in backticks, then a code block with the whole file.
fn added(page: &str) -> Result<Vec<Added<'_>>, String> {
    const BLOCK: &str = "```rust,ignore\n";
    let (mut found, mut rest) = (Vec::new(), page);
    while let Some((before, behind)) = rest.split_once(BLOCK) {
        let (code, behind) = behind.split_once("\n```\n").unwrap_or((behind, ""));
        rest = behind;
        let Some((_, name)) = code.split_once("pub struct ") else {
            continue;
        };
        let path = before.split('`').rfind(|word| word.starts_with("crates/"));
        let path = path.ok_or_else(|| format!("{PAGE}: code without a file name"))?;
        let mut parts = path.trim_end_matches(".rs").rsplit('/');
        let (module, list) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        let name = name.split(|c: char| !c.is_alphanumeric()).next();
        let line = format!("{module}::{},", name.unwrap_or(""));
        if !page.contains(&line) {
            return Err(format!("{PAGE} does not contain the line `{line}`"));
        }
        found.push(Added {
            path,
            code,
            line,
            list,
        });
    }
    Ok(found)
}

/// A file with the lines of new elements added, if it contains their list.
fn listed(text: &str, added: &[Added<'_>]) -> String {
    let mut text = text.to_owned();
    for element in added {
        let head = format!("\n{}! {{\n", element.list);
        text = text.replacen(&head, &format!("{head}    {}\n", element.line), 1);
    }
    text
}
