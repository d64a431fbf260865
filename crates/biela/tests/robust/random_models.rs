//! Every valid model is computed or rejected with a reason, in time, and its results contain no NaN.

#[path = "random_models/beams_and_robots.rs"]
mod beams_and_robots;
#[path = "random_models/mechanisms.rs"]
mod mechanisms;
#[path = "random_models/writer.rs"]
mod writer;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use biela::core::analysis::{Observer, Progress};
use biela::core::integrators::INTEGRATORS;
use biela::core::methods::METHODS;
use biela::core::model::Space;
use biela::core::system::channels;
use biela::model::Overrides;
use biela::model::language::tables;

/// Ends a run after twenty steps.
struct TwentySteps(usize);

impl Observer for TwentySteps {
    fn step(&mut self, _: &Progress) -> ControlFlow<()> {
        self.0 += 1;
        if self.0 < 20 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}

/// The text of a valid model.
fn model(seed: u64) -> String {
    // every integrator and every method in turn, whatever the model
    let integrator = INTEGRATORS[seed as usize % INTEGRATORS.len()].name;
    let method = METHODS[seed as usize / INTEGRATORS.len() % METHODS.len()].name;
    // a mechanism that is not driven cannot be moved without integration
    let integrator = if integrator == "kinematics" && !seed.is_multiple_of(3) {
        "dopri5"
    } else {
        integrator
    };
    let space = if seed.is_multiple_of(2) {
        Space::Planar
    } else {
        Space::Spatial
    };
    match seed % 10 {
        7 => beams_and_robots::beam(seed, Space::Spatial, integrator, method),
        8 => beams_and_robots::beam(seed, Space::Planar, integrator, method),
        5 => beams_and_robots::arm(seed, integrator, method),
        9 => beams_and_robots::chain(seed, integrator, method),
        _ => mechanisms::mechanism(seed, space, integrator, method),
    }
}

/// Where the files are that models name.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../biela-model/tests/good")
}

/// How a model ended, in a few words.
fn outcome(text: &str) -> String {
    let mut job = match biela::read("random", text, &folder(), &Overrides::default()) {
        Ok(job) => job,
        Err(error) => panic!("not valid:\n{error}\n{text}"),
    };
    job.outputs.channels = channels(&job.model);
    let study = job.study_or_start();
    // words alone, without names and numbers
    let kind = |message: String| -> String {
        let words = message
            .split_whitespace()
            .filter(|word| word.chars().all(|c| c.is_ascii_lowercase()));
        words.take(6).collect::<Vec<_>>().join(" ")
    };
    match biela::run_observed(job, &study, &mut TwentySteps(0)) {
        Ok(run) => {
            let names = run.channels();
            for row in run.values().chunks_exact(names.len()) {
                for (x, channel) in row.iter().zip(names) {
                    assert!(x.is_finite(), "{} is {x}\n{text}", channel.name);
                }
            }
            match run.ended {
                Ok(_) => "computed".to_owned(),
                Err(failure) => format!("stopped: {}", kind(failure.to_string())),
            }
        }
        Err(error) => format!("refused: {}", kind(error.to_string())),
    }
}

/// All words of a kind that stand in a table of a text: `("joint", "revolute")`.
fn kinds_in(text: &str, found: &mut BTreeSet<(String, String)>) {
    let mut table = "";
    for line in text.lines() {
        if let Some(name) = line.strip_prefix('[') {
            let name = name.trim_matches(['[', ']']);
            table = name.split('.').next().unwrap_or_default();
        }
        for key in ["type = \"", "law = \""] {
            for part in line.split(key).skip(1) {
                let word = part.split('"').next().unwrap_or_default();
                let _ = found.insert((table.to_owned(), word.to_owned()));
            }
        }
    }
}

/// Computes models with these seeds; how many ended how.
fn compute(seeds: std::ops::Range<u64>, longest: Duration) -> BTreeMap<String, (usize, u64)> {
    let (mut tally, mut kinds) = (BTreeMap::new(), BTreeSet::new());
    let mut broken = Vec::new();
    for seed in seeds {
        let begun = Instant::now();
        let ended = std::panic::catch_unwind(AssertUnwindSafe(|| {
            let text = model(seed);
            let ended = outcome(&text);
            (text, ended)
        }));
        let Ok((text, ended)) = ended else {
            broken.push(seed);
            continue;
        };
        kinds_in(&text, &mut kinds);
        assert!(
            begun.elapsed() < longest,
            "model {seed} took {:?}\n{text}",
            begun.elapsed()
        );
        tally.entry(ended).or_insert((0, seed)).0 += 1;
    }
    for (ended, (count, first)) in &tally {
        println!("{count:6} {ended} (first {first})");
    }
    assert!(broken.is_empty(), "these models broke: {broken:?}");
    for table in tables() {
        for kind in table.types {
            let pair = (table.name.to_owned(), kind.name.to_owned());
            assert!(
                kinds.contains(&pair),
                "no {} `{}` among the models",
                table.name,
                kind.name
            );
        }
    }
    tally
}

#[test]
fn random_models_are_computed_or_rejected_with_a_reason() {
    let tally = compute(0..200, Duration::from_mins(1));
    let computed = tally["computed"].0;
    assert!(computed >= 160, "only {computed} of 200 were computed");
}

#[test]
#[ignore = "minutes: ten thousand models"]
fn ten_thousand_random_models_are_computed_or_rejected_with_a_reason() {
    let _ = compute(0..10_000, Duration::from_secs(20));
}

#[test]
#[ignore = "shows the model of a seed: BIELA_SEED=171"]
fn the_model_of_a_seed_is_shown() {
    let seed = std::env::var("BIELA_SEED").map_or(0, |seed| seed.parse().unwrap());
    let text = model(seed);
    println!("{text}\n# {}", outcome(&text));
}
