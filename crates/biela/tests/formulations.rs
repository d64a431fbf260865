//! Every model of the gallery in every formulation: the same motion and, where they are unique, the same reactions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::f64::consts::TAU;
use std::path::{Path, PathBuf};

use biela::Run;
use biela::core::analysis::{Analysis, Choice, Formulation, assemble};
use biela::core::element::{Arguments, FieldValue};
use biela::core::system::channels;

/// Models whose motion two integrations cannot share for long.
const LEFT_OUT: &[(&str, &str)] = &[
    ("bouncing-stop", "a bounce multiplies differences"),
    ("digital-pendulum", "its sampled law multiplies rounding"),
    (
        "helicopter-blade",
        "explicit steps through its fast shear waves take minutes; the tests of exact beams compare both formulations",
    ),
    (
        "ur-like",
        "friction that fades within 1 mrad/s is stiff on its light wrist, where explicit steps leave noise",
    ),
];

/// How much farther apart than others the runs of a model may be.
fn limit_of(name: &str) -> f64 {
    match name {
        // its dry friction turns round at once, which no step can follow exactly
        "slider-crank" => 20.0,
        _ => 1.0,
    }
}

/// All models of the gallery.
fn gallery() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let folders = |path: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(path).unwrap();
        let paths = entries.map(|e| e.unwrap().path());
        paths.filter(|p| p.is_dir()).collect()
    };
    let topics = folders(&root);
    let mut models: Vec<_> = topics.iter().flat_map(|t| folders(t)).collect();
    models.sort();
    models
}

/// Up to five seconds of a model, every signal; and whether its reactions are unique.
fn run(folder: &Path, formulation: Formulation) -> Option<(Run, bool)> {
    let mut job = biela::load(folder.join("model.toml")).unwrap_or_else(|e| panic!("{e}"));
    let space = job.model.space;
    let study = job.study.as_mut()?;
    study.formulation = formulation;
    study.duration = study.duration.min(5.0);
    study.output_step = study.duration / 50.0;
    if study.integrator.kind != "kinematics" {
        study.method = Choice {
            kind: "projection".to_owned(),
            arguments: Arguments::new(space),
        };
        study.integrator = Choice {
            kind: "dop853".to_owned(),
            arguments: Arguments::new(space).with("tolerance", FieldValue::Number(1e-11)),
        };
    }
    job.outputs.channels = channels(&job.model);
    let again = biela::load(folder.join("model.toml")).unwrap();
    let assembled = assemble(again.model, Formulation::Absolute).unwrap();
    let unique = assembled.active.iter().all(|active| *active);
    let run = biela::run(job).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    Some((run, unique))
}

/// Whether a body lacks an inertia of its own, which absolute coordinates need, or a beam is there, which joint coordinates know nothing of.
fn has_one_formulation(folder: &Path) -> bool {
    let job = biela::load(folder.join("model.toml")).unwrap_or_else(|e| panic!("{e}"));
    job.model.body_without_inertia().is_some() || !job.model.beams.is_empty()
}

/// Whether the model has contacts. Their forces are not unique at transitions, and impacts multiply differences; its case of validation compares the formulations.
fn has_contacts(folder: &Path) -> bool {
    let job = biela::load(folder.join("model.toml")).unwrap_or_else(|e| panic!("{e}"));
    !job.model.contacts.is_empty()
}

fn is_statics(folder: &Path) -> bool {
    let job = biela::load(folder.join("model.toml")).unwrap_or_else(|e| panic!("{e}"));
    job.study
        .is_some_and(|study| matches!(study.analysis, Analysis::Statics { .. }))
}

fn is_reaction(signal: &str) -> bool {
    let last = signal.rsplit('.').next().unwrap_or_default();
    signal.contains(".reaction.") || ["force", "moment", "normal"].contains(&last)
}

#[test]
fn every_model_of_the_gallery_has_the_same_motion_in_every_formulation() {
    let mut compared = 0;
    let mut different = Vec::new();
    for folder in gallery() {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        if LEFT_OUT.iter().any(|(n, _)| *n == name)
            || has_one_formulation(&folder)
            || has_contacts(&folder)
        {
            continue;
        }
        let Some((expected, unique)) = run(&folder, Formulation::Absolute) else {
            continue;
        };
        let (found, _) = run(&folder, Formulation::Tree).unwrap();
        let statics = is_statics(&folder);
        let largest = |x: &[f64]| x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let column = |run: &Run, signal: &str| run.column(signal).unwrap();
        for channel in expected.channels() {
            let signal = &channel.name;
            let reaction = is_reaction(signal);
            // work is integrated beside the motion, without a bound on its error
            let loose = signal.ends_with("work") || signal == "energy.balance";
            if signal.starts_with("system.") || (reaction && !unique) || loose {
                continue;
            }
            // against the largest of its kind
            let kind = expected.channels().iter();
            let kind = kind.filter(|c| c.unit == channel.unit && is_reaction(&c.name) == reaction);
            let scale = kind.fold(1e-2, |m: f64, c| {
                m.max(largest(&column(&expected, &c.name)))
            });
            let limit = limit_of(&name) * if reaction { 1e-6 } else { 1e-7 };
            let (x, y) = (column(&found, signal), column(&expected, signal));
            assert_eq!(x.len(), y.len(), "{name}");
            // a dextral angle near half a turn may have either sign, and so may Euler parameters; the search for an equilibrium may turn a link once
            let angle = signal.contains(".rot_") || (statics && channel.unit == "rad");
            let turn = if angle { TAU } else { 0.0 };
            let parameter = [".e0", ".e1", ".e2", ".e3"]
                .iter()
                .any(|e| signal.ends_with(e));
            let apart = |i: &usize| {
                let difference = (x[*i] - y[*i]).abs();
                let other = if parameter {
                    (x[*i] + y[*i]).abs()
                } else {
                    (difference - turn).abs()
                };
                difference.min(other) > limit * scale
            };
            if let Some(i) = (0..x.len()).find(apart) {
                let (x, y) = (x[i], y[i]);
                different.push(format!(
                    "{name}: row {i} of {signal} is {x} as a tree for {y}"
                ));
            }
        }
        compared += 1;
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
    assert!(compared >= 12, "{compared} models");
}
