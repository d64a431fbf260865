//! NaN produced by every kind of element at a chosen time: the run stops in the step that produced it and names the element.
//!
//! Elements of the models in the tests of the language and in the gallery are replaced one at a time by one that does the same until then.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod broken;
mod formulas;
mod ill_posed;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use biela::Job;
use biela::core::analysis::{
    Analysis, Assembled, Choice, Formulation, Observer, Progress, RunFailure, Simulation, Stop,
    Study,
};
use biela::core::control::laws::LAWS;
use biela::core::element::Info;
use biela::core::forces::{FORCES, info};
use biela::core::integrators::{INTEGRATORS, IntegrationError};
use biela::core::joints::JOINTS;
use biela::core::methods::{METHODS, MethodError};
use biela::core::model::{
    BeamIndex, Crossing, Event, EventAction, Law, Motion, Signal, Space, TrajectoryQuantity,
};
use biela::core::system::{Instant, NotFinite};
use broken::{BrokenForce, BrokenFunction, BrokenLaw, BrokenSystem, BrokenTrajectory, Part};

/// When elements break.
const BREAKS: f64 = 0.004;
/// How long runs would be.
const DURATION: f64 = 0.01;

/// Notes how far rows go, and that all of them are numbers.
#[derive(Default)]
struct Rows {
    last: f64,
    steps: usize,
}

/// Runs with more steps are left alone.
const MOST_STEPS: usize = 200;

impl Observer for Rows {
    fn sample(&mut self, instant: &Instant<'_>) -> std::ops::ControlFlow<()> {
        self.last = instant.context().time();
        assert!(instant.rates.iter().all(|x| x.is_finite()));
        std::ops::ControlFlow::Continue(())
    }

    fn step(&mut self, _: &Progress) -> std::ops::ControlFlow<()> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return std::ops::ControlFlow::Break(());
        }
        std::ops::ControlFlow::Continue(())
    }
}

/// The models to break: those of the language's tests, which use every word of it, and the gallery.
fn models() -> Vec<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    let files = |folder: PathBuf| {
        let mut paths: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        paths.sort();
        paths
    };
    for path in files(root.join("crates/biela-model/tests/good")) {
        if path.extension().is_some_and(|e| e == "toml") {
            found.push(path);
        }
    }
    for topic in files(root.join("examples"))
        .into_iter()
        .filter(|p| p.is_dir())
    {
        for example in files(topic).into_iter().filter(|p| p.is_dir()) {
            found.push(example.join("model.toml"));
        }
    }
    found
}

fn load(path: &PathBuf) -> Job {
    biela::load(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn chosen(what: &str, list: &'static [Info], word: &str, space: Space) -> Choice {
    biela::choose(what, list, word, space).unwrap()
}

/// A short study in some coordinates, with the integrator of the model; an implicit one where there are beams.
fn short(job: &Job, formulation: Formulation) -> Study {
    let mut study = job.study_or_start();
    study.analysis = Analysis::Motion;
    (study.duration, study.output_step) = (DURATION, 1e-3);
    study.formulation = formulation;
    if job.model.beams.len() + job.model.exact_beams.len() > 0 {
        study.integrator = chosen(
            "integrator",
            INTEGRATORS,
            "generalized-alpha",
            job.model.space,
        );
    }
    study
}

/// Whether a model runs well and quickly before something in it is broken.
fn is_sound(path: &PathBuf, formulation: Formulation) -> bool {
    static KNOWN: Mutex<BTreeMap<(PathBuf, bool), bool>> = Mutex::new(BTreeMap::new());
    let key = (path.clone(), formulation == Formulation::Tree);
    if let Some(known) = KNOWN.lock().unwrap().get(&key) {
        return *known;
    }
    let job = load(path);
    let study = short(&job, formulation);
    let sound = start(job, &study).is_some_and(|assembled| {
        let Ok(mut simulation) = Simulation::new(assembled, &study) else {
            return false;
        };
        let ended = simulation.run(&mut Rows::default());
        matches!(ended, Ok(Stop::Finished))
    });
    let _ = KNOWN.lock().unwrap().insert(key, sound);
    sound
}

fn start(job: Job, study: &Study) -> Option<Assembled> {
    biela::start(job.model, study).ok()
}

/// Runs until it breaks, and checks that it did so in the step that reached `breaks`, with all rows before it.
fn broken_run(assembled: Assembled, study: &Study, breaks: f64, what: &str) -> NotFinite {
    let mut simulation = Simulation::new(assembled, study).unwrap();
    let mut rows = Rows::default();
    let failure = simulation.run(&mut rows).expect_err(what);
    let found = not_finite(&failure, what);
    let good = simulation.state();
    let all = good.q.iter().chain(&good.v).chain(&good.work);
    assert!(all.clone().all(|x| x.is_finite()), "{what}: no good state");
    assert!(
        failure.time <= breaks + 1e-12 && breaks <= found.time + 1e-12,
        "{what}: finite up to {}, reported at {}, NaN from {breaks}: {failure}",
        failure.time,
        found.time
    );
    let rows_reach = failure.time - study.output_step - 1e-12;
    assert!(rows.last >= rows_reach, "{what}: rows end at {}", rows.last);
    found
}

fn not_finite(failure: &RunFailure, what: &str) -> NotFinite {
    match &failure.cause {
        IntegrationError::Method(MethodError::NotFinite(found)) => found.clone(),
        other => panic!("{what}: {other}"),
    }
}

/// Checks that the message begins with the element: kind, name and source span.
#[track_caller]
fn names(found: &NotFinite, kind: &str, name: &str) {
    let element = &found.element;
    let is_named = element.starts_with(&format!("{kind} `{name}` ("));
    assert!(
        is_named && element.contains(".toml:"),
        "{kind} {name}: {found}"
    );
}

/// Breaks one element of each model that has one of a kind not seen yet, in both formulations. `kinds` lists the elements of a model with their kinds;
/// `break_it` breaks one of them and gives kind and name for the message.
fn over_models(
    kinds: impl Fn(&Job) -> Vec<(usize, String)>,
    break_it: impl Fn(&mut Job, usize) -> (&'static str, String),
) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    for path in models() {
        let wanted: Vec<_> = {
            let fresh = |(_, kind): &(usize, String)| !seen.contains(kind);
            kinds(&load(&path)).into_iter().filter(fresh).collect()
        };
        for (k, kind) in wanted {
            if seen.contains(&kind) {
                continue;
            }
            for formulation in [Formulation::Absolute, Formulation::Tree] {
                if !is_sound(&path, formulation) {
                    continue;
                }
                let mut job = load(&path);
                let (word, name) = break_it(&mut job, k);
                let study = short(&job, formulation);
                let Some(assembled) = start(job, &study) else {
                    continue;
                };
                let what = format!(
                    "{word} {name} ({kind}) of {} in {formulation:?}",
                    path.display()
                );
                let found = broken_run(assembled, &study, BREAKS, &what);
                names(&found, word, &name);
                let _ = seen.insert(kind.clone());
            }
        }
    }
    seen
}

#[test]
fn every_kind_of_force_is_named() {
    let seen = over_models(
        |job| {
            let forces = job.model.forces.iter().enumerate();
            let listed = forces.filter_map(|(f, e)| Some((f, info(e.force.as_ref())?.name)));
            listed.map(|(f, kind)| (f, kind.to_owned())).collect()
        },
        |job, f| {
            let element = &mut job.model.forces[f];
            element.force = BrokenForce::of(&element.force);
            ("force", element.name.clone())
        },
    );
    let all: BTreeSet<_> = FORCES.iter().map(|info| info.name.to_owned()).collect();
    assert_eq!(seen, all);
}

#[test]
fn every_kind_of_driver_is_named() {
    let seen = over_models(
        |job| {
            let drivers = job.model.drivers.iter().enumerate();
            let kind = |motion: &Motion| match motion {
                Motion::Function(_) => "function",
                Motion::Profile(_) => "profile",
                Motion::Trajectory { .. } => "trajectory",
            };
            drivers
                .map(|(d, e)| (d, kind(&e.motion).to_owned()))
                .collect()
        },
        |job, d| {
            let element = &mut job.model.drivers[d];
            element.motion = Motion::Function(Arc::new(BrokenFunction::motion(&element.motion)));
            ("driver", element.name.clone())
        },
    );
    let all = ["function", "profile", "trajectory"].map(str::to_owned);
    assert_eq!(seen, all.into());
}

/// Watches a signal by an event that is not in the text.
fn watch(job: &mut Job, signal: Signal) {
    job.model.events.push(Event {
        name: "watch".to_owned(),
        origin: biela::core::element::Origin::default(),
        law: Law::linear(signal, 1.0, 1e9),
        crossing: Crossing::Any,
        action: EventAction::Mark,
    });
}

#[test]
fn every_kind_of_trajectory_is_named() {
    let kinds = BTreeSet::new();
    let kinds = std::cell::RefCell::new(kinds);
    let seen = over_models(
        |job| {
            let all = job.model.trajectories.iter().enumerate();
            let described = |motion: &dyn std::fmt::Debug| {
                let text = format!("{motion:?}");
                let end = text.find([' ', '{', '(']).unwrap_or(text.len());
                text[..end].to_owned()
            };
            let list: Vec<_> = all.map(|(t, e)| (t, described(&e.motion))).collect();
            kinds
                .borrow_mut()
                .extend(list.iter().map(|(_, k)| k.clone()));
            list
        },
        |job, t| {
            let element = &mut job.model.trajectories[t];
            element.motion = Arc::new(BrokenTrajectory(Arc::clone(&element.motion)));
            let name = element.name.clone();
            watch(job, Signal::Trajectory(t, 0, TrajectoryQuantity::Position));
            ("trajectory", name)
        },
    );
    assert!(!seen.is_empty());
    assert_eq!(seen, *kinds.borrow());
}

#[test]
fn a_sensor_is_named_if_an_element_reads_it() {
    let seen = over_models(
        |job| {
            let sensors = 0..job.model.sensors.len();
            sensors.map(|k| (k, "sensor".to_owned())).collect()
        },
        |job, k| {
            let sensor = &mut job.model.sensors[k];
            sensor.law = BrokenFunction::law();
            let name = sensor.name.clone();
            watch(job, Signal::Sensor(k));
            ("sensor", name)
        },
    );
    assert_eq!(seen.len(), 1);
}

#[test]
fn an_event_is_named() {
    let seen = over_models(
        |job| {
            let events = job.model.events.iter().enumerate();
            let written = events.filter(|(_, event)| event.origin.0.is_some());
            written.map(|(k, _)| (k, "event".to_owned())).collect()
        },
        |job, k| {
            let event = &mut job.model.events[k];
            event.law = BrokenFunction::law();
            ("event", event.name.clone())
        },
    );
    assert_eq!(seen.len(), 1);
}

#[test]
fn every_law_of_a_controller_is_named() {
    let mut seen = BTreeSet::new();
    for path in models() {
        let count = load(&path).model.controllers.len();
        for c in 0..count {
            let mut job = load(&path);
            let study = {
                let mut study = short(&job, job.study_or_start().formulation);
                let controller = &job.model.controllers[c];
                study.duration = controller.offset + 3.0 * controller.period;
                study.output_step = study.duration / 10.0;
                study
            };
            let controller = &mut job.model.controllers[c];
            // each of those in the model of laws has a law of its own
            let kind = if path.ends_with("good/laws.toml") {
                controller.name.clone()
            } else {
                "formulas".to_owned()
            };
            if seen.contains(&kind) {
                continue;
            }
            let breaks = controller.offset + 2.0 * controller.period;
            controller.law = Arc::new(BrokenLaw {
                inner: Arc::clone(&controller.law),
                breaks: breaks - 0.5 * controller.period,
            });
            let name = controller.name.clone();
            let Some(assembled) = start(job, &study) else {
                continue;
            };
            let what = format!("controller {name} ({kind}) of {}", path.display());
            let found = broken_run(assembled, &study, breaks, &what);
            names(&found, "controller", &name);
            let _ = seen.insert(kind);
        }
    }
    // those of the list, and formulas
    assert!(seen.len() > LAWS.len(), "{seen:?} of {}", LAWS.len());
}

#[test]
fn every_kind_of_joint_and_coupler_is_named() {
    let mut seen = BTreeSet::new();
    for path in models() {
        let job = load(&path);
        let joints = job.model.joints.iter().enumerate();
        // the pairs of surfaces of contacts are no joints of a model file
        let joints = joints.filter(|(_, e)| !e.is_contact);
        let joints = joints.map(|(j, e)| (Part::Joint(j), e.joint.info().name.to_owned()));
        let couplers = job.model.couplers.iter().enumerate();
        let couplers = couplers.map(|(c, e)| (Part::Coupler(c), e.kind.to_owned()));
        let parts: Vec<_> = joints.chain(couplers).collect();
        for (part, kind) in parts {
            for formulation in [Formulation::Absolute, Formulation::Tree] {
                let key = format!("{kind} {formulation:?}");
                if seen.contains(&key) || !is_sound(&path, formulation) {
                    continue;
                }
                let job = load(&path);
                let (word, name) = match part {
                    Part::Joint(j) => ("joint", job.model.joints[j].name.clone()),
                    Part::Coupler(c) => ("coupler", job.model.couplers[c].name.clone()),
                    Part::Beam(_) => continue,
                };
                let study = short(&job, formulation);
                // a joint that gives nothing to the equations cannot break them
                let broken = start(job, &study)
                    .and_then(|assembled| BrokenSystem::breaks(assembled, part, formulation));
                let Some(assembled) = broken else {
                    continue;
                };
                let what = format!("{word} {name} ({key}) of {}", path.display());
                let found = broken_run(assembled, &study, BREAKS, &what);
                names(&found, word, &name);
                let _ = seen.insert(key);
            }
        }
    }
    for info in JOINTS {
        let either = ["Absolute", "Tree"].map(|f| seen.contains(&format!("{} {f}", info.name)));
        assert!(either.contains(&true), "{} in {seen:?}", info.name);
    }
    for kind in ["gear", "linear", "rack-and-pinion"] {
        assert!(
            seen.contains(&format!("{kind} Absolute")),
            "{kind} in {seen:?}"
        );
    }
}

#[test]
fn every_kind_of_beam_is_named() {
    let mut seen = BTreeSet::new();
    for path in models() {
        let job = load(&path);
        let beams = job.model.beams.len() + job.model.exact_beams.len();
        if beams == 0 || !is_sound(&path, Formulation::Absolute) {
            continue;
        }
        for b in 0..job.model.beams.len() {
            let job = load(&path);
            let name = job.model.beams[b].name.clone();
            let study = short(&job, Formulation::Absolute);
            let part = Part::Beam(BeamIndex(b));
            let broken = start(job, &study)
                .and_then(|assembled| BrokenSystem::breaks(assembled, part, study.formulation));
            let Some(assembled) = broken else {
                continue;
            };
            let what = format!("beam {name} of {}", path.display());
            let found = broken_run(assembled, &study, BREAKS, &what);
            names(&found, "beam", &name);
            let _ = seen.insert("nodal");
        }
        for b in 0..job.model.exact_beams.len() {
            let mut job = load(&path);
            let beam = &job.model.exact_beams[b];
            let (name, element) = (beam.name.clone(), beam.elements[0]);
            let force = &mut job.model.forces[element.0].force;
            *force = BrokenForce::of(force);
            let study = short(&job, Formulation::Absolute);
            let Some(assembled) = start(job, &study) else {
                continue;
            };
            let what = format!("beam {name} of {}", path.display());
            let found = broken_run(assembled, &study, BREAKS, &what);
            names(&found, "beam", &name);
            let _ = seen.insert("exact");
        }
    }
    assert_eq!(seen, ["exact", "nodal"].into());
}

#[test]
fn every_integrator_method_and_formulation_names_force_driver_and_joint() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let path = root.join("driven-crank.toml");
    for formulation in [Formulation::Absolute, Formulation::Tree] {
        for (integrator, method) in INTEGRATORS
            .iter()
            .map(|i| (i.name, "projection"))
            .chain(METHODS.iter().map(|m| ("rk4", m.name)))
        {
            for element in ["force", "driver", "joint"] {
                let mut job = load(&path);
                let mut study = short(&job, formulation);
                let space = job.model.space;
                study.integrator = chosen("integrator", INTEGRATORS, integrator, space);
                study.method = chosen("method", METHODS, method, space);
                // kinematics requires all degrees of freedom to be driven, the other analyses also free ones
                if integrator != "kinematics" && element != "driver" {
                    job.model.drivers.clear();
                }
                let name = match element {
                    "force" => {
                        let force = &mut job.model.forces[0];
                        force.force = BrokenForce::of(&force.force);
                        force.name.clone()
                    }
                    "driver" => {
                        let driver = &mut job.model.drivers[0];
                        driver.motion =
                            Motion::Function(Arc::new(BrokenFunction::motion(&driver.motion)));
                        driver.name.clone()
                    }
                    _ => job.model.joints[0].name.clone(),
                };
                let mut assembled = start(job, &study).unwrap();
                if element == "joint" {
                    let part = Part::Joint(0);
                    assembled = BrokenSystem::breaks(assembled, part, formulation).unwrap();
                }
                let what = format!("{element} with {integrator}, {method} in {formulation:?}");
                let found = broken_run(assembled, &study, BREAKS, &what);
                names(&found, element, &name);
            }
        }
    }
}
