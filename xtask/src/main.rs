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

  test     set-up and checks, then every test of the workspace; installs what the tests need
  quick    format, lints and the tests of a few minutes, to be run before each commit
  check    format, lints, documentation, direction, licences and use of dependencies, spelling, vocabulary, the book, packages; warnings as errors
  vocabulary [--update | --reset]
           phrases that paraphrase a standard term; --update lowers the numbers that files are allowed, --reset records the present ones
  book     builds the book to docs/book and follows its links
  coverage which lines of the core and of the model language their tests run, and whether they are enough
  mutants [words for cargo-mutants]
           makes mistakes in the mathematics of the core and tells which of them no test finds
  extend   puts the new elements of the book's page into a copy of the workspace and runs the suites on them
  advisories
           known holes in dependencies; fetches the list of them
  package  packs every crate as a registry would have it, and builds it from there
  dist     a static program, manual pages and completions, packed to target/dist
  page     tests of the viewer's page in a browser; installs what they need
  pictures makes the pictures of the viewer in the book anew
  python [--release]
           builds the Python package, installs it in environments of its own and tests it there
  setup    the Python environments of the tests: readers of results, and robots with programs that read them
  fuzz [target …] [--runs N]
           lets a fuzzer look for inputs that break what reads untrusted bytes; wants a nightly compiler, installs cargo-fuzz
  bench [group] [--peers] [--json]
           times and memory (chain, pendulum, memory) beside other programs; --peers installs those";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["test"] => test(),
        ["quick"] => quick(),
        ["check"] => check(),
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
    format()?;
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
    format()?;
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
        "biela",
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

/// Checks the format of every file: `cargo fmt` does not follow the modules that the macros of element lists declare.
fn format() -> Result<(), String> {
    let files = tracked(&["*.rs"])?;
    let mut arguments = vec!["--check", "--edition", "2024"];
    arguments.extend(files.iter().map(String::as_str));
    eprintln!("+ rustfmt --check, {} files", arguments.len() - 3);
    let status = Command::new("rustfmt")
        .args(&arguments)
        .current_dir(root())
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("some files want `rustfmt --edition 2024`".to_owned()),
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
    let mut arguments = vec!["test", "--workspace", "--locked"];
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
        .map_err(|e| format!("{e}: the tests of the page need Node 20.19 or newer, with npm"))?;
    let arguments = [&["crates/biela-view/web/tests/run.mjs"], words].concat();
    run("node", &arguments, &[("BIELA", &program)])
}
