//! The cases of `validation`: every one is listed, names its source, and passes; and the command that shows it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;
#[path = "validation/page.rs"]
mod page;

use std::path::{Path, PathBuf};

use biela::model::case::ValidationCase;
use biela::validate::{CheckOutcome, ShippedCase, judge_all, names};
use common::Place;
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../validation")
}

/// The folders of the cases, in order.
fn folders() -> Vec<String> {
    let entries = std::fs::read_dir(root()).unwrap();
    let mut found: Vec<String> = entries
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir() && entry.file_name() != "__pycache__")
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    found.sort();
    found
}

#[test]
fn every_case_passes_and_the_book_lists_it() {
    let entries = folders().into_iter().map(|name| {
        let entry = ShippedCase::in_folder(&root().join(name));
        entry.unwrap_or_else(|e| panic!("{e}"))
    });
    let mut entries: Vec<ShippedCase> = entries.collect();
    // the slow ones first, so that no thread waits for them in the end
    entries.sort_by_key(|entry| !entry.case.slow);
    let mut judged: Vec<(ValidationCase, Vec<CheckOutcome>)> = Vec::new();
    let mut off = Vec::new();
    judge_all(&entries, 2, &|| false, |entry, outcomes| {
        let failed = outcomes.iter().filter(|outcome| !outcome.passes());
        off.extend(failed.map(|outcome| format!("{}: {outcome:?}", entry.case.name)));
        judged.push((entry.case.clone(), outcomes));
    });
    assert!(off.is_empty(), "{off:#?}");
    assert_eq!(judged.len(), entries.len());
    judged.sort_by_key(|(case, _)| case.name.clone());
    assert!(judged.len() >= 60);
    page::compare(&judged);
}

#[test]
fn every_folder_is_a_case_of_the_program_and_names_its_source() {
    let found = folders();
    assert_eq!(found, names().collect::<Vec<_>>());
    for name in found {
        let source = std::fs::read_to_string(root().join(&name).join("SOURCE.md"));
        assert!(source.unwrap().contains("Accuracy"), "{name}");
    }
}

#[test]
fn the_command_prints_a_table_and_objects() {
    let place = Place::new();
    let table = place
        .run(&["validate", "pacheco-conical-pendulum"])
        .exits(0);
    for word in [
        "reference",
        "tolerance",
        "Pacheco",
        "ok",
        "1 case, 1 quantity: all passed",
    ] {
        assert!(table.out.contains(word), "{word} in\n{}", table.out);
    }
    let lines = place
        .run(&["validate", "--json", "pacheco-conical-pendulum"])
        .exits(0);
    let line: Value = serde_json::from_str(lines.out.trim()).unwrap();
    for key in [
        "case",
        "quantity",
        "reference",
        "value",
        "error",
        "tolerance",
        "pass",
    ] {
        assert!(!line[key].is_null(), "{key}");
    }
    assert!(line["error"].as_f64() <= line["tolerance"].as_f64());
}

#[test]
fn the_command_lists_all_cases_and_runs_none() {
    let listed = Place::new().run(&["validate", "--list"]).exits(0);
    for name in names() {
        assert!(listed.out.contains(name), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_validation_cleanly() {
    use std::io::{BufRead, BufReader, Read};
    // a quick one and one that takes seconds
    let cases = ["sampled-first-order", "pacheco-closed-chain"];
    let mut child = Place::new()
        .command(&["validate", "--json", cases[0], cases[1]])
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    // a line of the first case means that it listens
    let mut first = String::new();
    let _ = out.read_line(&mut first).unwrap();
    let mut kill = std::process::Command::new("kill");
    let _ = kill.args(["-INT", &child.id().to_string()]).status();
    let mut rest = String::new();
    let _ = out.read_to_string(&mut rest).unwrap();
    let ended = common::done(child.wait_with_output().unwrap()).exits(130);
    let _ = ended.says(&["interrupted after"]);
    for line in std::iter::once(first.as_str()).chain(rest.lines()) {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["pass"], true);
    }
}

#[test]
fn a_misspelt_case_is_reported_with_a_suggestion() {
    let done = Place::new()
        .run(&["validate", "heavy-top-notation"])
        .exits(2);
    let _ = done.says(&["no case is called", "did you mean `heavy-top-nutation`?"]);
}

/// Writes the model and the case of a falling stone; `COUNT` in a check is the keyword of its degrees of freedom.
fn stone(place: &Place, checks: &str) {
    place.write(
        "model.toml",
        "format = 1\nspace = \"planar\"\ngravity = [0, \"-g\"]\n[parameters]\ng = \"10 m/s^2\"\n\
         [[body]]\nname = \"stone\"\nmass = 1\ninertia = 1\nposition = [0, 5]\n\
         [[event]]\nname = \"landing\"\nwhen = \"stone.y\"\n[study]\nduration = 2\noutput_step = 0.5\n",
    );
    place.write("fall.csv", "t,stone.y [mm]\n0,5000\n0.5,3750.0\n1,\n");
    let checks = checks.replace("COUNT", "freedom");
    let head = "title = \"Stone\"\nkind = \"closed-form\"\nsource = \"Galileo\"\n[[run]]\n";
    place.write("case.toml", &format!("{head}{checks}"));
}

#[test]
fn a_folder_of_the_user_is_a_case_and_failed_quantities_are_listed() {
    let place = Place::new();
    stone(
        &place,
        "[[run.check]]\nquantity = \"way\"\ntable = \"fall.csv\"\nlast_digits = 0.6\n\
         [[run.check]]\nquantity = \"time\"\nevent = \"landing\"\nreference = \"sqrt(2*(5 m)/g)\"\nwithin = \"1e-9 s\"\n\
         [[run.check]]\nquantity = \"mobility\"\ncount = \"COUNT\"\nreference = 3\n\
         [[run.check]]\nquantity = \"motion\"\nshare = 1e-9\notherwise = [{ formulation = \"tree\" }]\n\
         [[run.check]]\nquantity = \"speed\"\nof = \"stone.vy\"\nreference = -19\nshare = 1e-3\n",
    );
    let done = place.run(&["validate", "--json", "."]).exits(1);
    let lines = done
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<Value> = lines.collect();
    let passed: Vec<bool> = lines
        .iter()
        .map(|line| line["pass"].as_bool().unwrap())
        .collect();
    assert_eq!(passed, [true, true, true, true, false], "{}", done.out);
    assert_eq!(lines[0]["value"], 5.0);
    assert_eq!(lines[4]["value"], -20.0);
    let _ = done.says(&["failed:", "speed"]);
}

#[test]
fn all_errors_of_a_case_are_reported_with_their_locations() {
    let place = Place::new();
    stone(
        &place,
        "[[run.check]]\nquantity = \"a\"\nof = \"stone.y\"\ntable = \"fall.csv\"\nlast_digits = 1\n\
         [[run.check]]\nquantity = \"b\"\nfrequency = 1\nreference = 2\nshare = 0\n\
         [[run.check]]\nquantitty = \"c\"\ncount = \"COUNTs\"\n",
    );
    let done = place.run(&["validate", "."]).exits(3);
    let _ = done.says(&[
        "conflicts with",
        "case.toml:8:1",
        "linearize = \"start\"",
        "must be greater than zero",
        "did you mean `quantity`?",
        "did you mean `freedom`?",
    ]);
}

#[test]
fn an_unknown_signal_in_a_formula_fails_its_case_with_its_location() {
    let place = Place::new();
    stone(
        &place,
        "[[run.check]]\nquantity = \"a\"\nof = \"stone.z\"\nreference = \"2*h\"\nwithin = 1\n",
    );
    let done = place.run(&["validate", "."]).exits(1);
    for word in [
        "case.toml:7:",
        "case.toml:8:",
        "stone.z",
        "unknown name `h`",
    ] {
        assert!(done.out.contains(word), "{word} in\n{}", done.out);
    }
}
