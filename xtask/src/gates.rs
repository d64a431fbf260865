//! Checks of the workspace in addition to format, lints and tests.

use std::path::Path;
use std::process::Command;

use crate::python::SPELLER;
use crate::tools::{COVERAGE, DENY, MACHETE, MDBOOK, SEMVER};
use crate::{layers, links, run};

/// The crates with a required line coverage, and the minimum in percent.
pub(crate) const COVERED: [&str; 2] = ["biela-core", "biela-model"];
const LEAST_COVERED: &str = "90";

/// Checks licences, bans and sources of all dependencies (`deny.toml`), and unused dependencies.
pub(crate) fn dependencies(root: &Path) -> Result<(), String> {
    let deny = DENY.install(root)?;
    run(&deny, &["check", "licenses", "bans", "sources"], &[])?;
    run(
        &MACHETE.install(root)?,
        &["crates", "xtask", "benches"],
        &[],
    )
}

/// Checks for known vulnerabilities of dependencies; downloads the list.
pub(crate) fn advisories(root: &Path) -> Result<(), String> {
    run(&DENY.install(root)?, &["check", "advisories"], &[])
}

/// Checks the spelling of documents, comments and names (`_typos.toml`).
pub(crate) fn spelling(root: &Path) -> Result<(), String> {
    let _ = SPELLER.install(root)?;
    run(&SPELLER.program(root, "typos"), &[], &[])
}

/// Builds the book to `docs/book` and checks its links.
pub(crate) fn book(root: &Path) -> Result<(), String> {
    run(&MDBOOK.install(root)?, &["build", "docs"], &[])?;
    links::settle(&root.join("docs").join("book"))
}

/// Runs the tests of the covered crates and measures line coverage, without doctests.
pub(crate) fn coverage(root: &Path) -> Result<(), String> {
    let program = COVERAGE.install(root)?;
    let covered = |words: &[&str]| {
        let arguments = [&["llvm-cov"], words].concat();
        run(&program, &arguments, &[])
    };
    // the coverage tool needs the LLVM tools of the compiler
    run("rustup", &["component", "add", "llvm-tools"], &[])?;
    let packages: Vec<&str> = COVERED
        .iter()
        .flat_map(|name| ["--package", name])
        .collect();
    covered(&[&["--no-report", "--locked"], packages.as_slice()].concat())?;
    run(
        "cargo",
        &[&["test", "--doc", "--locked"], packages.as_slice()].concat(),
        &[],
    )?;
    for name in COVERED {
        let others: Vec<&str> = layers::crates().filter(|other| *other != name).collect();
        let others = format!("crates/({})/|/tests/|suite", others.join("|"));
        covered(&[
            "report",
            "--summary-only",
            "--ignore-filename-regex",
            &others,
            "--fail-under-lines",
            LEAST_COVERED,
        ])?;
    }
    Ok(())
}

/// Packages every published crate as for the registry, and builds it from the package.
pub(crate) fn package() -> Result<(), String> {
    let ours = ["xtask", "biela-bench", "biela-fuzz", "biela-py"];
    let mut arguments = vec!["package", "--workspace", "--locked", "--allow-dirty"];
    arguments.extend(ours.iter().flat_map(|name| ["--exclude", name]));
    run("cargo", &arguments, &[])
}

/// Compares the libraries with those of the newest tagged version: a breaking change requires a new version number.
pub(crate) fn semver(root: &Path) -> Result<(), String> {
    let described = Command::new("git")
        .args(["describe", "--tags", "--abbrev=0", "--match", "v*"])
        .current_dir(root)
        .output()
        .map_err(|e| format!("cannot start git: {e}"))?;
    if !described.status.success() {
        eprintln!("no version has a tag: there is no earlier version to compare with");
        return Ok(());
    }
    let newest = String::from_utf8_lossy(&described.stdout).trim().to_owned();
    let arguments = ["semver-checks", "check-release", "--baseline-rev", &newest];
    run(&SEMVER.install(root)?, &arguments, &[])
}
