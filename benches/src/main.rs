//! Times and memory of biela, compared with other programs: one group per run.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod beam;
mod chain;
mod clock;
mod contact;
mod control;
mod derive;
// written by `biela derive models/pendulum-8.toml --to rust`, compared by a test
#[rustfmt::skip]
#[allow(dead_code, missing_docs, unreachable_pub)]
#[path = "../models/pendulum-8.generated"]
mod generated;
mod memory;
mod models;
mod pendulum;
mod redundant;
mod report;
mod robot;
mod step;
mod tree;

use std::process::ExitCode;

use report::BenchmarkReport;

/// Any error of a measurement.
type Error = Box<dyn std::error::Error>;

const USAGE: &str =
    "usage: biela-bench chain|pendulum|redundant|memory|tree|derive|robot|control|beam|contact|step [--json] [--peers <python>]

  --json      one JSON object per line instead of a table
  --peers     a Python interpreter with the other programs installed, to measure them too";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut words = arguments.iter().map(String::as_str);
    let (mut group, mut json, mut python) = (None, false, None);
    while let Some(word) = words.next() {
        match word {
            "--json" => json = true,
            "--peers" => python = words.next(),
            name => group = Some(name),
        }
    }
    let mut report = BenchmarkReport::new(json);
    let outcome = match group {
        Some("chain") => chain::run(&mut report, python),
        Some("pendulum") => pendulum::run(&mut report),
        Some("redundant") => redundant::run(&mut report),
        Some("memory") => memory::run(&mut report),
        Some("tree") => tree::run(&mut report, python),
        Some("derive") => derive::run(&mut report, python),
        Some("robot") => robot::run(&mut report),
        Some("control") => control::run(&report),
        Some("beam") => beam::run(&mut report, python),
        Some("contact") => contact::run(&mut report, python),
        Some("step") => step::run(&mut report),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    if let Err(error) = outcome {
        eprintln!("biela-bench: {error}");
        return ExitCode::FAILURE;
    }
    report.finish()
}
