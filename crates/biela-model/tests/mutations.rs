//! Whatever happens to the text of a model, reading it ends, without a panic.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use std::path::Path;

use biela_core::math::Random;
use biela_model::diagnostic::ReportStyle;
use biela_model::document::MemoryLoader;
use biela_model::{Overrides, load_with};

fn texts() -> Vec<(&'static str, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good");
    [
        "slider-crank.toml",
        "planar.toml",
        "spatial.toml",
        "parts/wheel.toml",
        "trajectories.toml",
        "tool-paths-planar.toml",
        "parts/motion.csv",
    ]
    .map(|name| (name, std::fs::read_to_string(folder.join(name)).unwrap()))
    .to_vec()
}

/// Words that mean something somewhere.
const WORDS: &[&str] = &[
    "nan",
    "inf",
    "-inf",
    "1e308",
    "1e-320",
    "0",
    "-1",
    "true",
    "\"\"",
    "[]",
    "{}",
    "\"t\"",
    "\"crank.x\"",
    "\"pin\"",
    "\"1/0\"",
    "\"ground\"",
    "\"ground.\"",
    "\".\"",
    "\"crank.A.x.y\"",
    "[[0]]",
    "[0, 0]",
    "[0, 0, 0]",
    "\"energy.total\"",
    "\"planar\"",
    "\"spatial\"",
    "\"arm.A\"",
    "\"load\"",
    "\"30 deg\"",
    "\"5 mm\"",
    "1979-05-27",
    "'''x'''",
    "\"ä.ö\"",
];

/// Splits a text into words, spaces and signs.
fn tokens(text: &str) -> Vec<&str> {
    let mut list = Vec::new();
    let mut start = 0;
    let kind = |c: char| {
        (
            c.is_alphanumeric() || matches!(c, '_' | '-'),
            c.is_whitespace(),
        )
    };
    let mut last = None;
    for (at, c) in text.char_indices() {
        let this = kind(c);
        if last.is_some_and(|last| last != this || this == (false, false)) {
            list.push(&text[start..at]);
            start = at;
        }
        last = Some(this);
    }
    list.push(&text[start..]);
    list
}

fn mutate(text: &str, random: &mut Random) -> String {
    match random.below(4) {
        // bytes
        0 => {
            let mut bytes = text.as_bytes().to_vec();
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes[at] = (random.bits() % 128) as u8,
                1 => bytes.insert(at, (random.bits() % 128) as u8),
                _ => drop(bytes.remove(at)),
            }
            String::from_utf8_lossy(&bytes).into_owned()
        }
        // lines
        1 => {
            let mut lines: Vec<&str> = text.lines().collect();
            let (a, b) = (random.below(lines.len()), random.below(lines.len()));
            match random.below(3) {
                0 => lines.swap(a, b),
                1 => drop(lines.remove(a)),
                _ => lines.insert(b, lines[a]),
            }
            lines.join("\n")
        }
        // words, among themselves or from the list
        kind => {
            let mut list = tokens(text);
            let (a, b) = (random.below(list.len()), random.below(list.len()));
            match (kind, random.below(3)) {
                (2, 0) => list.swap(a, b),
                (2, 1) => drop(list.remove(a)),
                (2, _) => list.insert(b, list[a]),
                _ => list[a] = WORDS[random.below(WORDS.len())],
            }
            list.concat()
        }
    }
}

/// Reads `rounds` mutations of one file through the model it belongs to.
fn mutations_never_panic_and_always_end(
    which: usize,
    main: &str,
    rounds: usize,
    overrides: &[&str],
) {
    let texts = texts();
    let mut random = Random::new(20 + which as u64);
    let (mut good, mut errors) = (0, 0);
    for round in 0..rounds {
        let mut changed = texts.clone();
        for _ in 0..=random.below(2) {
            changed[which].1 = mutate(&changed[which].1, &mut random);
        }
        let overrides = match round % 4 {
            0 => Overrides::new(overrides.iter().copied()),
            _ => Overrides::default(),
        };
        let loaded = load_with(main, &MemoryLoader::new(changed), &overrides);
        assert_eq!(loaded.model.is_some(), !loaded.diagnostics.has_errors());
        let report = loaded
            .diagnostics
            .render(&loaded.sources, ReportStyle::Plain);
        assert_eq!(report.is_empty(), loaded.diagnostics.is_empty());
        good += usize::from(loaded.model.is_some());
        errors += loaded.diagnostics.errors();
    }
    assert!(good > rounds / 50, "only {good} stayed good");
    assert!(errors > rounds / 2, "only {errors} errors");
}

#[test]
fn a_mutated_small_model_never_panics_and_always_terminates() {
    mutations_never_panic_and_always_end(
        0,
        "slider-crank.toml",
        14_000,
        &["l1=1 m", "mu=2*mu", "no=3"],
    );
}

#[test]
fn a_mutated_planar_model_never_panics_and_always_terminates() {
    mutations_never_panic_and_always_end(1, "planar.toml", 2_000, &["l=2*half", "half=25 cm"]);
}

#[test]
fn a_mutated_spatial_model_never_panics_and_always_terminates() {
    mutations_never_panic_and_always_end(2, "spatial.toml", 2_000, &["r=2 mm", "="]);
}

#[test]
fn a_mutated_included_file_never_panics_and_always_terminates() {
    mutations_never_panic_and_always_end(3, "planar.toml", 2_000, &["wheel_radius=1 in"]);
}

#[test]
fn mutated_trajectories_never_panic_and_always_terminate() {
    mutations_never_panic_and_always_end(4, "trajectories.toml", 1_000, &["T=2 s"]);
    mutations_never_panic_and_always_end(6, "trajectories.toml", 500, &["T=1e-300 s"]);
}

#[test]
fn mutated_tool_paths_never_panic_and_always_terminate() {
    mutations_never_panic_and_always_end(5, "tool-paths-planar.toml", 300, &[]);
}
