//! A run that goes on from a state that was kept shows the same bits as one that never stopped.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use biela::ResultsRow;
use biela::core::analysis::{
    Analysis, Choice, Formulation, Observer, Progress, ResumeError, Simulation, Study,
};
use biela::core::element::Arguments;
use biela::core::integrators::INTEGRATORS;
use biela::core::methods::METHODS;
use biela::core::system::{Instant, channels};

/// Rows as bits, and the state after so many steps.
struct Witness {
    row: ResultsRow,
    rows: Vec<Vec<u64>>,
    steps: u64,
    keep_after: u64,
    kept: Option<(Vec<u64>, usize)>,
    stop_after: u64,
}

impl Observer for Witness {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        let (time, values) = self.row.at(instant);
        let all = std::iter::once(&time).chain(values);
        self.rows.push(all.map(|x| x.to_bits()).collect());
        ControlFlow::Continue(())
    }

    fn between(&mut self, _: &Progress, words: &mut dyn FnMut() -> Vec<u64>) -> ControlFlow<()> {
        self.steps += 1;
        if self.steps == self.keep_after {
            self.kept = Some((words(), self.rows.len()));
        }
        ControlFlow::Continue(())
    }

    fn step(&mut self, _: &Progress) -> ControlFlow<()> {
        if self.steps + 1 >= self.stop_after {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn simulation(model: &Path, change: &dyn Fn(&mut Study)) -> Option<(Simulation, Witness)> {
    let mut job = biela::load(model).unwrap_or_else(|e| panic!("{e}"));
    job.outputs.channels = channels(&job.model);
    let mut study = job.study.take()?;
    if matches!(study.analysis, Analysis::Statics { .. }) {
        return None;
    }
    change(&mut study);
    let witness = Witness {
        row: ResultsRow::new(&job.outputs.channels),
        rows: Vec::new(),
        steps: 0,
        keep_after: 0,
        kept: None,
        stop_after: u64::MAX,
    };
    let assembled = biela::start(job.model, &study).ok()?;
    Some((Simulation::new(assembled, &study).ok()?, witness))
}

/// Runs a model for some steps, and again from a state on the way; false where it cannot run so.
fn resumes(model: &Path, what: &str, change: &dyn Fn(&mut Study)) -> bool {
    const STEPS: u64 = 60;
    let Some((mut whole, mut seen)) = simulation(model, change) else {
        return false;
    };
    (seen.keep_after, seen.stop_after) = (23, STEPS);
    if whole.run(&mut seen).is_err() {
        return false;
    }
    let Some((words, before)) = seen.kept else {
        return false;
    };
    let (mut rest, mut later) = simulation(model, change).unwrap();
    rest.restore(&words).unwrap();
    (later.steps, later.stop_after) = (23, STEPS);
    let _ = rest.run(&mut later).unwrap();
    assert_eq!(seen.rows.len() - before, later.rows.len(), "{what}");
    for (one, other) in seen.rows[before..].iter().zip(&later.rows) {
        let time = f64::from_bits(one[0]);
        let differs = one.iter().zip(other).position(|(a, b)| a != b);
        assert_eq!(differs, None, "{what}: column differs at t = {time} s");
    }
    assert_eq!(whole.statistics(), rest.statistics(), "{what}");
    assert_eq!(whole.state(), rest.state(), "{what}");
    true
}

/// Output times so close that many of them fall into the tested steps.
fn looked_at_often(study: &mut Study) {
    study.output_step = study.output_step.min(study.duration / 1000.0);
}

#[test]
fn every_model_of_the_gallery_resumes_bitwise() {
    let mut count = 0;
    for topic in std::fs::read_dir(examples()).unwrap().map(Result::unwrap) {
        if !topic.path().is_dir() {
            continue;
        }
        for folder in std::fs::read_dir(topic.path()).unwrap().map(Result::unwrap) {
            let model = folder.path().join("model.toml");
            if model.is_file() {
                let name = folder.file_name().to_string_lossy().into_owned();
                count += usize::from(resumes(&model, &name, &looked_at_often));
            }
        }
    }
    assert!(count >= 40, "only {count} models ran long enough");
}

#[test]
fn every_integrator_method_and_formulation_resumes_bitwise() {
    let model = examples().join("mechanisms/slider-crank/model.toml");
    let mut count = 0;
    for integrator in INTEGRATORS {
        for method in METHODS {
            for formulation in [Formulation::Absolute, Formulation::Tree] {
                let what = format!("{} {} {formulation:?}", integrator.name, method.name);
                let change = |study: &mut Study| {
                    let space = study.integrator.arguments.space;
                    let choice = |kind: &str| Choice {
                        kind: kind.to_owned(),
                        arguments: Arguments::new(space),
                    };
                    study.formulation = formulation;
                    (study.method, study.integrator) =
                        (choice(method.name), choice(integrator.name));
                    looked_at_often(study);
                };
                count += usize::from(resumes(&model, &what, &change));
            }
        }
    }
    assert!(count >= 120, "only {count} combinations ran long enough");
}

#[test]
fn a_snapshot_of_another_run_is_rejected() {
    let of = |name: &str| examples().join(name).join("model.toml");
    let keep = |study: &mut Study| looked_at_often(study);
    let (mut four_bar, mut seen) = simulation(&of("mechanisms/four-bar"), &keep).unwrap();
    (seen.keep_after, seen.stop_after) = (5, 6);
    let _ = four_bar.run(&mut seen).unwrap();
    let (words, _) = seen.kept.unwrap();
    for other in ["basics/pendulum", "mechanisms/slider-crank"] {
        let (mut other, _) = simulation(&of(other), &keep).unwrap();
        assert_eq!(other.restore(&words), Err(ResumeError::Misfit));
    }
    let (mut same, _) = simulation(&of("mechanisms/four-bar"), &keep).unwrap();
    assert_eq!(
        same.restore(&words[..words.len() - 1]),
        Err(ResumeError::Misfit)
    );
}

/// Resuming from a state with one modified word: rejected, stopped with an error, or run, never a panic.
fn survives(model: &Path, change: &dyn Fn(&mut Study), words: &[u64], place: usize, word: u64) {
    let mut words = words.to_vec();
    words[place] = word;
    let (mut rest, mut later) = simulation(model, change).unwrap();
    (later.steps, later.stop_after) = (9, 12);
    if rest.restore(&words).is_ok() {
        let _ = rest.run(&mut later);
    }
}

#[test]
fn no_count_or_index_in_a_snapshot_causes_a_panic() {
    let model = examples().join("mechanisms/slider-crank/model.toml");
    let with_method = INTEGRATORS.iter().map(|info| (info.name, "projection"));
    let with_integrator = METHODS.iter().map(|info| ("bdf", info.name));
    for (integrator, method) in with_method.chain(with_integrator) {
        let change = |study: &mut Study| {
            let space = study.integrator.arguments.space;
            let choice = |kind: &str| Choice {
                kind: kind.to_owned(),
                arguments: Arguments::new(space),
            };
            (study.method, study.integrator) = (choice(method), choice(integrator));
            looked_at_often(study);
        };
        let (mut whole, mut seen) = simulation(&model, &change).unwrap();
        (seen.keep_after, seen.stop_after) = (9, 10);
        let _ = whole.run(&mut seen);
        let Some((words, _)) = seen.kept else {
            continue;
        };
        // no floating-point number but zero is that small
        let places = (0..words.len()).filter(|k| (1..4096).contains(&words[*k]));
        for place in places {
            for word in [0, 77, u64::MAX] {
                survives(&model, &change, &words, place, word);
            }
        }
        for place in (0..words.len()).filter(|k| words[*k] == 0).step_by(29) {
            survives(&model, &change, &words, place, 3);
        }
    }
}
