//! A tighter tolerance is never worse: every model of the gallery, in both formulations, against its finest run.

use std::path::Path;

use biela::core::analysis::{Analysis, Choice, Formulation, Study};
use biela::core::element::{Arguments, Value};
use biela::core::model::Stage;
use biela::core::system::channels;
use biela::{Job, Run};

use super::conservation::{Bound, gallery};

const TOLERANCES: [f64; 5] = [1e-3, 1e-5, 1e-7, 1e-9, 1e-11];
const FINEST: f64 = 1e-13;
/// A tolerance that is a hundred times tighter may leave this much of the distance before it …
const FALL: f64 = 0.5;
/// … unless the distance is within this many tolerances: steps are short for another reason then.
const AS_ASKED: f64 = 10.0;
/// Distances below this are rounding, of the run and of the finest one.
const ROUNDING: f64 = 1e-10;
/// What is smaller than this, in SI units, stands still.
const STILL: f64 = 1e-2;

/// Times at which runs are compared.
const ROWS: usize = 16;

/// The model for so long at a tolerance, or as far as so many steps take it.
fn run(mut job: Job, study: &Study, (integrator, tolerance): (&str, f64), most: u64) -> Run {
    let mut study = study.clone();
    let arguments = Arguments::new(job.model.space).with("tolerance", Value::Number(tolerance));
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
    let what = format!("{} by {integrator} at {tolerance:e}", job.model.name);
    let run = biela::run_watched(job, &study, &mut Bound { steps: 0, most });
    let run = run.unwrap_or_else(|e| panic!("{what}: {e}"));
    assert!(run.ended.is_ok(), "{what}: {:?}", run.ended);
    run
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

/// What is wrong with the sweep of a model in a formulation: tolerances after which the distance did not fall.
fn sweep(path: &Path, study: &Study, integrator: &str, most: u64) -> Vec<String> {
    let finest = run(load(path), study, ("dop853", FINEST), most);
    let mut wrong = Vec::new();
    let mut before = f64::INFINITY;
    let mut shown = Vec::new();
    for tolerance in TOLERANCES {
        let found = run(load(path), study, (integrator, tolerance), 3 * most);
        let (now, signal) = distance(&found, &finest);
        shown.push(format!("{now:.1e}"));
        if now > ROUNDING.max(FALL * before).max(AS_ASKED * tolerance) {
            wrong.push(format!("{tolerance:e}: {now:.1e} in `{signal}`"));
        }
        before = now;
    }
    let (name, reached) = (&path.file_name().unwrap().to_string_lossy(), finest.times());
    let reached = reached.last().unwrap();
    println!(
        "{name} {:?} {integrator} to {reached:.3} s: {}",
        study.formulation,
        shown.join(" ")
    );
    if wrong.is_empty() {
        return wrong;
    }
    vec![format!(
        "{name} {:?} {integrator}: {} (all: {})",
        study.formulation,
        wrong.join(", "),
        shown.join(" ")
    )]
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
fn a_tighter_tolerance_is_nearer_to_the_finest_run() {
    sweep_gallery(&["dopri5"], 1.0, 150);
}

#[test]
#[ignore = "minutes: all integrators with error control, whole motions"]
fn a_tighter_tolerance_is_nearer_to_the_finest_run_with_every_integrator() {
    let all = ["dopri5", "dop853", "merson", "abm", "bdf"];
    sweep_gallery(&all, 10.0, 2_000);
}
