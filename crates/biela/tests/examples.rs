//! The programs of `examples/rust` run and confirm their own results.
//!
//! `cargo test -p biela` builds them before its tests. `cargo test -p biela --test examples` does not, so that the test has them built.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The names of the programs.
fn names() -> BTreeSet<String> {
    let files = std::fs::read_dir(package().join("examples/rust")).unwrap();
    let paths = files.map(|entry| entry.unwrap().path());
    let sources = paths.filter(|path| path.extension().is_some_and(|end| end == "rs"));
    let stem = |path: PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
    sources.map(stem).collect()
}

/// Builds the programs with the profile of this test and returns their folder: `target/<profile>/examples`.
fn build() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let profile = own.parent().unwrap().parent().unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    let _ = cargo
        .args(["build", "--offline", "--quiet", "--examples"])
        .args(profile.ends_with("release").then_some("--release"))
        .current_dir(package())
        .env("CARGO_TARGET_DIR", profile.parent().unwrap());
    let out = cargo.output().unwrap();
    let trouble = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{cargo:?}:\n{trouble}");
    profile.join("examples")
}

#[test]
fn every_program_of_the_examples_confirms_its_result() {
    let (names, folder) = (names(), build());
    assert_eq!(names.len(), 10);
    for name in names {
        let program = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        let out = Command::new(&program).output();
        let out = out.unwrap_or_else(|error| panic!("{}: {error}", program.display()));
        let text = String::from_utf8_lossy(&out.stdout);
        let trouble = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{name}:\n{text}{trouble}");
        assert!(!text.is_empty(), "{name} prints no result");
    }
}

#[test]
fn the_manifest_lists_every_program_of_the_examples() {
    let manifest = std::fs::read_to_string(package().join("Cargo.toml")).unwrap();
    for name in names() {
        let entry = format!("[[example]]\nname = \"{name}\"\npath = \"examples/rust/{name}.rs\"\n");
        assert!(manifest.contains(&entry), "{name} is missing in Cargo.toml");
    }
}
