//! A tighter tolerance is never worse: every model of the gallery, in both formulations, against its finest run.

use std::path::Path;

use biela::core::analysis::{Analysis, Choice, Formulation, Study};
use biela::core::element::{Arguments, FieldValue};
use biela::core::model::Stage;
use biela::core::system::channels;
use biela::{Job, Run};

use super::conservation::{Bound, gallery};

const TOLERANCES: [f64; 5] = [1e-3, 1e-5, 1e-7, 1e-9, 1e-11];
const FINEST: f64 = 1e-13;
/// A loose tolerance may be lucky: a tighter one may be this many times as far from the finest run …
const LUCK: f64 = 10.0;
/// … but the tightest one leaves this much of the largest distance at most.
const LEFT: f64 = 1e-3;
/// Runs this far from the finest one have lost it: their distance says nothing.
const LOST: f64 = 0.1;
/// Distances below this are rounding, of the run and of the finest one.
const ROUNDING: f64 = 1e-10;
/// What is smaller than this, in SI units, stands still.
const STILL: f64 = 1e-2;

/// Times at which runs are compared.
const ROWS: usize = 16;

/// The model for so long at a tolerance, or as far as so many steps take it.
fn run(
    mut job: Job,
    study: &Study,
    (integrator, tolerance): (&str, f64),
    most: u64,
) -> Result<Run, String> {
    let mut study = study.clone();
    let arguments =
        Arguments::new(job.model.space).with("tolerance", FieldValue::Number(tolerance));
    study.integrator = Choice {
        kind: integrator.to_owned(),
        arguments,
    };
    let compared = |name: &str| {
        let last = name.rsplit('.').next().unwrap_or_default();
        // orientations as three angles have poles and a seam, and Euler parameters two signs
        !last.starts_with("rot_") && !matches!(last, "e0" | "e1" | "e2" | "e3")
    };
    let all = channels(&job.model).into_iter();
    job.outputs.channels = all
        .filter(|c| c.stage <= Stage::Velocity && compared(&c.name))
        .collect();
    job.model.events.clear();
    let run = biela::run_observed(job, &study, &mut Bound { steps: 0, most });
    let run = run.map_err(|error| error.to_string())?;
    match &run.ended {
        Ok(_) => Ok(run),
        Err(failure) => Err(format!("{tolerance:e}: {failure}")),
    }
}

/// The largest difference of two runs at their common times, against the largest value of its unit; with the signal.
fn distance(a: &Run, b: &Run) -> (f64, String) {
    let width = b.channels().len();
    let rows = a.times().len().min(b.times().len());
    let (a, x) = (&a.values()[..rows * width], &b.values()[..rows * width]);
    let of_unit = |unit: &str| {
        let values = x.iter().zip(b.channels().iter().cycle());
        values
            .filter(|(_, channel)| channel.unit == unit)
            .fold(STILL, |m, (x, _)| m.max(x.abs()))
    };
    let sizes: Vec<f64> = b.channels().iter().map(|c| of_unit(&c.unit)).collect();
    let mut worst = (0.0, String::new());
    for (k, (a, x)) in a.iter().zip(x).enumerate() {
        let relative = (a - x).abs() / sizes[k % width];
        if relative > worst.0 {
            worst = (relative, b.channels()[k % width].name.clone());
        }
    }
    worst
}

/// The motion that a model's file asks for, of so many seconds at most; nothing where it asks for none.
fn motion(path: &Path, longest: f64) -> Option<Study> {
    let mut study = load(path).study?;
    let moves = matches!(
        study.analysis,
        Analysis::Motion | Analysis::MotionFromEquilibrium
    );
    if !moves || study.integrator.kind == "kinematics" {
        return None;
    }
    study.duration = study.duration.min(longest);
    study.output_step = study.duration / ROWS as f64;
    study.method = Choice {
        kind: "projection".to_owned(),
        arguments: Arguments::new(load(path).model.space),
    };
    Some(study)
}

fn load(path: &Path) -> Job {
    biela::load(path.join("model.toml")).unwrap_or_else(|e| panic!("{e}"))
}

/// Sweeps the tolerances on a model in a formulation; returns the runs that failed or did not come closer.
fn sweep(path: &Path, study: &Study, integrator: &str, most: u64) -> Vec<String> {
    let finest = match run(load(path), study, ("dop853", FINEST), most) {
        Ok(finest) => finest,
        Err(failure) => return vec![failure],
    };
    let mut wrong = Vec::new();
    let (mut before, mut largest) = (f64::INFINITY, 0.0);
    let mut shown = Vec::new();
    for tolerance in TOLERANCES {
        let found = match run(load(path), study, (integrator, tolerance), 3 * most) {
            Ok(found) => found,
            Err(failure) => {
                wrong.push(failure);
                continue;
            }
        };
        let (now, signal) = distance(&found, &finest);
        shown.push(format!("{now:.1e}"));
        // what the errors of all steps may add up to is as good as asked
        let asked = tolerance * found.statistics.integrator.steps as f64;
        let tightest = tolerance == TOLERANCES[TOLERANCES.len() - 1];
        let allowed = if tightest {
            LEFT * largest
        } else {
            LUCK * before
        };
        if before < LOST && now > ROUNDING.max(allowed).max(asked) {
            wrong.push(format!("{tolerance:e}: {now:.1e} in `{signal}`"));
        }
        (before, largest) = (now, now.max(largest));
    }
    let name = path.file_name().unwrap().to_string_lossy();
    let reached = finest.times().last().unwrap();
    let shown = shown.join(" ");
    let what = format!(
        "{name} {:?} {integrator} to {reached:.3} s: {shown}",
        study.formulation
    );
    println!("{what}");
    wrong
        .iter()
        .map(|wrong| format!("{what}: {wrong}"))
        .collect()
}

fn sweep_gallery(integrators: &[&str], longest: f64, most: u64) {
    let mut wrong = Vec::new();
    for path in gallery() {
        let Some(mut study) = motion(&path, longest) else {
            continue;
        };
        for formulation in [Formulation::Absolute, Formulation::Tree] {
            study.formulation = formulation;
            if biela::start(load(&path).model, &study).is_err() {
                continue;
            }
            for integrator in integrators {
                wrong.extend(sweep(&path, &study, integrator, most));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_tighter_tolerance_is_closer_to_the_finest_run() {
    sweep_gallery(&["dopri5"], 1.0, 150);
}

#[test]
#[ignore = "minutes: all integrators with error control, whole motions"]
fn a_tighter_tolerance_is_closer_to_the_finest_run_with_every_integrator() {
    let all = ["dopri5", "dop853", "merson", "abm", "bdf"];
    sweep_gallery(&all, 10.0, 2_000);
}
