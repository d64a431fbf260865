//! Setup, checks and tests of the workspace, one subcommand each: `cargo xtask test` runs everything.
#![allow(clippy::print_stderr)]

mod bench;
mod copy;
mod dist;
mod extend;
mod fuzz;
mod gates;
mod layers;
mod links;
mod mutants;
mod python;
mod tools;
mod vocabulary;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "usage: cargo xtask <command>

  test     runs the checks and every test of the workspace; installs the tools they need
  quick    checks format, lints and vocabulary, and runs tests of a few minutes; run it before each commit
  check    checks format, lints, API documentation, spelling, vocabulary, the book, and direction, licences and use of dependencies; warnings are errors
  format   formats every Rust file, also those that `cargo fmt` does not reach
  vocabulary [--update | --reset]
           lists paraphrases of standard terms; --update lowers the allowed numbers, --reset records the present ones
  book     builds the book in docs/book and checks its links
  coverage measures the line coverage of the core and the model language, and fails below the limit
  mutants [arguments of cargo-mutants]
           runs mutation tests of the core and lists the mutants that no test detects
  extend   adds the example elements of the book to a copy of the workspace and runs the suites on them
  advisories
           checks the dependencies for known vulnerabilities; downloads the list
  package  packs each crate as for a registry and builds it from the package
  dist     packs a static program, manual pages and completions in target/dist
  page     tests the viewer's page in a browser; installs the tools it needs
  pictures regenerates the screenshots of the viewer in the book
  python [--release]
           builds the Python package, installs it in separate environments and tests it there
  setup    creates the Python environments of the tests: one to read results, one to read robots
  fuzz [target …] [--runs N]
           fuzzes the readers of untrusted input; needs a nightly compiler, installs cargo-fuzz
  bench [group] [--peers] [--json]
           measures times and memory; --peers installs other programs and measures them too";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["test"] => test(),
        ["quick"] => quick(),
        ["check"] => check(),
        ["format"] => format(&[]),
        ["vocabulary"] => vocabulary::check(&root()),
        ["vocabulary", "--update"] => vocabulary::update(&root()),
        ["vocabulary", "--reset"] => vocabulary::reset(&root()),
        ["book"] => gates::book(&root()),
        ["coverage"] => gates::coverage(&root()),
        ["mutants", words @ ..] => mutants::hunt(&root(), words),
        ["extend"] => extend::try_out(&root()),
        ["advisories"] => gates::advisories(&root()),
        ["package"] => gates::package(),
        ["dist"] => dist::pack(&root()),
        ["page"] => browse(&[]),
        ["pictures"] => browse(&["pictures"]),
        ["python"] => python::package(&root(), false),
        ["python", "--release"] => python::package(&root(), true),
        ["setup"] => setup().map(|_| ()),
        ["fuzz", words @ ..] => fuzz::run(words),
        ["bench", words @ ..] if bench::understands(words) => bench::run(words),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Runs a command in the workspace and prints it.
fn run(program: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), String> {
    eprintln!("+ {program} {}", arguments.join(" "));
    let status = Command::new(program)
        .args(arguments)
        .envs(environment.iter().copied())
        .current_dir(root())
        .status()
        .map_err(|e| format!("cannot start {program}: {e}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{program} {} failed", arguments.join(" ")))
    }
}

fn check() -> Result<(), String> {
    let root = root();
    layers::check(&root)?;
    layers::check_writing(&root)?;
    vocabulary::check(&root)?;
    format(&["--check"])?;
    gates::spelling(&root)?;
    gates::dependencies(&root)?;
    gates::book(&root)?;
    lint()?;
    let strict = [("RUSTDOCFLAGS", "-D warnings")];
    run(
        "cargo",
        &["doc", "--workspace", "--no-deps", "--locked"],
        &strict,
    )?;
    gates::semver(&root)
}

fn lint() -> Result<(), String> {
    let what = ["clippy", "--workspace", "--all-targets", "--locked"];
    run(
        "cargo",
        &[&what, &["--", "-D", "warnings"][..]].concat(),
        &[],
    )
}

/// Runs the checks and tests that most often find errors, in a few minutes.
fn quick() -> Result<(), String> {
    layers::check(&root())?;
    layers::check_writing(&root())?;
    vocabulary::check(&root())?;
    format(&["--check"])?;
    lint()?;
    let libraries = [
        "test",
        "--workspace",
        "--locked",
        "--lib",
        "--exclude",
        "biela-py",
    ];
    run("cargo", &libraries, &[])?;
    let language = ["test", "--locked", "--package", "biela-model"];
    run("cargo", &language, &[])?;
    let command = [
        "test",
        "--locked",
        "--package",
        "biela-cli",
        "--test",
        "commands",
        "--test",
        "docs",
        "--test",
        "run",
        "--test",
        "failures",
    ];
    run("cargo", &command, &[])
}

/// Formats every file, or only checks the format: `cargo fmt` does not follow the modules that the macros of element lists declare.
fn format(options: &[&str]) -> Result<(), String> {
    let files = tracked(&["*.rs"])?;
    eprintln!("+ rustfmt {} ({} files)", options.join(" "), files.len());
    let status = Command::new("rustfmt")
        .args(["--edition", "2024"])
        .args(options)
        .args(&files)
        .current_dir(root())
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("some files are not formatted: run `cargo xtask format`".to_owned()),
        Err(e) => Err(format!("cannot start rustfmt: {e}")),
    }
}

/// The files of the workspace tracked by git; all of them without patterns.
fn tracked(patterns: &[&str]) -> Result<Vec<String>, String> {
    let listed = Command::new("git")
        .arg("ls-files")
        .args(patterns)
        .current_dir(root())
        .output()
        .map_err(|e| format!("cannot start git: {e}"))?;
    let files = String::from_utf8_lossy(&listed.stdout);
    Ok(files.lines().map(str::to_owned).collect())
}

/// Creates the Python environments of the tests. Returns the environment variables with their interpreters.
fn setup() -> Result<[(&'static str, String); 2], String> {
    Ok([
        ("BIELA_PYTHON", python::READERS.install(&root())?),
        ("BIELA_ROBOTS_PYTHON", python::ROBOTS.install(&root())?),
    ])
}

fn test() -> Result<(), String> {
    let pythons = setup()?;
    check()?;
    let environment = pythons
        .each_ref()
        .map(|(name, path)| (*name, path.as_str()));
    let others = gates::COVERED.iter().flat_map(|name| ["--exclude", name]);
    let mut arguments = vec!["test", "--workspace", "--locked", "--no-fail-fast"];
    arguments.extend(others);
    run("cargo", &arguments, &environment)?;
    gates::coverage(&root())?;
    extend::try_out(&root())?;
    python::package(&root(), false)?;
    browse(&[])
}

/// Builds the program and tests its page in a browser, or runs the given command.
fn browse(words: &[&str]) -> Result<(), String> {
    // for the whole workspace, as the tests built it
    let words_of_build = ["build", "--workspace", "--locked", "--bin", "biela"];
    run("cargo", &words_of_build, &[])?;
    let built = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root().join("target"), PathBuf::from)
        .join("debug")
        .join(format!("biela{}", std::env::consts::EXE_SUFFIX));
    let program = root().join(built).display().to_string();
    run("node", &["--version"], &[])
        .map_err(|e| format!("{e}; the tests of the page need Node 20.19 or newer with npm"))?;
    let arguments = [&["crates/biela-view/web/tests/run.mjs"], words].concat();
    run("node", &arguments, &[("BIELA", &program)])
}
