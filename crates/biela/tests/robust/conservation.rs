//! Conserved quantities: the energy of every conservative model of the gallery, the momenta of free-floating systems.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use biela::core::analysis::{Analysis, Choice, Observer, Progress};
use biela::core::element::{Arguments, FieldValue};
use biela::core::methods::METHODS;
use biela::core::system::channels;
use biela::{Job, Run};

use super::linkages::{bennett_afloat, read};

pub(crate) fn gallery() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let folders = |path: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(path).unwrap().map(|e| e.unwrap().path());
        entries.filter(|path| path.is_dir()).collect()
    };
    let mut models: Vec<PathBuf> = folders(&root).iter().flat_map(|t| folders(t)).collect();
    models.sort();
    models
}

/// Ends a run after so many steps.
pub(crate) struct Bound {
    pub(crate) steps: u64,
    pub(crate) most: u64,
}

impl Observer for Bound {
    fn step(&mut self, _: &Progress) -> ControlFlow<()> {
        self.steps += 1;
        if self.steps < self.most {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}

/// A run with the default method and `dop853` at a tolerance, all signals kept, of so many steps at most; nothing where that cannot be.
fn run(mut job: Job, (duration, rows): (f64, f64), tolerance: f64, most: u64) -> Option<Run> {
    let mut study = job.study.clone()?;
    if study.analysis != Analysis::Motion || study.integrator.kind == "kinematics" {
        return None;
    }
    let space = job.model.space;
    study.duration = duration;
    study.output_step = rows;
    study.method = Choice {
        kind: "projection".to_owned(),
        arguments: Arguments::new(space),
    };
    let mut arguments = Arguments::new(space).with("tolerance", FieldValue::Number(tolerance));
    // a small model says that it is small
    if let Some(absolute) = study.integrator.arguments.optional_number("absolute") {
        arguments = arguments.with("absolute", FieldValue::Number(absolute));
    }
    study.integrator = Choice {
        kind: "dop853".to_owned(),
        arguments,
    };
    job.outputs.channels = channels(&job.model);
    job.model.events.clear();
    let name = job.model.name.clone();
    let run = biela::run_observed(job, &study, &mut Bound { steps: 0, most });
    let run = run.unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(run.ended.is_ok(), "{name}: {:?}", run.ended);
    Some(run)
}

/// Whether nothing drives or brakes a model: no driver, no controller, and in a tenth of a second no force without a potential does work.
fn is_conservative(model: &Path) -> bool {
    let load = || biela::load(model.join("model.toml")).unwrap_or_else(|e| panic!("{e}"));
    let job = load();
    // impacts and friction of contacts have tests of their own
    let unilateral = !biela::core::unilateral::unilaterals(&job.model).is_empty();
    if !job.model.drivers.is_empty() || !job.model.controllers.is_empty() || unilateral {
        return false;
    }
    let Some(run) = run(job, (0.1, 0.1), 1e-6, 500) else {
        return false;
    };
    let is_work = |name: &str| name.rsplit('.').next() == Some("work");
    let mut works = run.channels().iter().filter(|c| is_work(&c.name));
    works.all(|c| run.column(&c.name).unwrap().iter().all(|w| *w == 0.0))
}

/// The conservative models of the gallery, and whether explicit steps through their fast waves are too short for a hundred seconds.
const CONSERVATIVE: &[(&str, bool)] = &[
    ("bouncing-stop", false),
    ("double-pendulum", false),
    ("pendulum", false),
    ("pendulum-event", false),
    ("ten-link-pendulum", false),
    ("four-bar-hht", false),
    ("moving-load", true),
    ("soft-four-bar", true),
    ("soft-pendulum", false),
    ("bennett", false),
    ("closed-chain", false),
    ("four-bar", false),
    ("overconstrained-four-bar", false),
    ("screw-press", false),
    ("eleven-bar-chain", false),
    ("two-bar-pendulum", false),
    ("conical-pendulum", false),
    ("heavy-top", false),
    ("spatial-double-pendulum", false),
    ("spatial-slider-crank", false),
    ("torque-free-body", false),
    ("chaplygin-sleigh", false),
    ("rolling-coin", false),
    ("rolling-disc", false),
];

fn conservative() -> Vec<(String, PathBuf)> {
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    let found = gallery().into_iter().filter(|path| is_conservative(path));
    found.map(|path| (name(&path), path)).collect()
}

/// Runs every conservative model for a time, or for so many steps, at a tolerance of 1e-10. Energy stays within 1e-8 of the largest energy that was
/// exchanged or in motion.
fn keep_energy(duration: f64, most: u64, stiff: u64) {
    let models = conservative();
    let names: Vec<&str> = models.iter().map(|(name, _)| name.as_str()).collect();
    let expected: Vec<&str> = CONSERVATIVE.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, expected);
    let mut short = Vec::new();
    for ((name, path), (_, is_stiff)) in models.iter().zip(CONSERVATIVE) {
        let job = biela::load(path.join("model.toml")).unwrap_or_else(|e| panic!("{e}"));
        let most = if *is_stiff { stiff } else { most };
        let rows = if *is_stiff { 1e-4 } else { 0.1 };
        let run = run(job, (duration, rows), 1e-10, most).unwrap();
        let s = &run.statistics;
        let drift = s.worst_energy / s.energy_scale;
        let reached = *run.times().last().unwrap();
        let steps = s.integrator.steps;
        println!(
            "{name}: {drift:.1e} of {:.3} J within {reached:.1} s, {steps} steps",
            s.energy_scale
        );
        assert!(drift.is_finite() && reached > 3.0 * rows, "{name}");
        if drift > 1e-8 || steps < most && reached < duration {
            short.push(name.clone());
        }
    }
    assert!(short.is_empty(), "energy drifts: {short:?}");
}

#[test]
fn conservative_models_of_the_gallery_conserve_energy() {
    keep_energy(3.0, 500, 200);
}

#[test]
#[ignore = "minutes: a hundred seconds of every conservative model"]
fn conservative_models_conserve_energy_for_a_hundred_seconds() {
    keep_energy(100.0, u64::MAX, 20_000);
}

/// Free-floating models without gravity, with internal forces only.
fn afloat() -> Vec<(&'static str, String, bool)> {
    vec![
        ("tree", TREE.to_owned(), true),
        ("four-bar", FOUR_BAR.to_owned(), true),
        ("linkage of Bennett", bennett_afloat(), true),
        ("two bodies with springs", SPRINGS.to_owned(), true),
        ("planar beam", PLANAR_BEAM.to_owned(), false),
        ("cable with bodies", CABLE.to_owned(), false),
        ("exact beam", EXACT.to_owned(), true),
    ]
}

const TREE: &str = r#"
format = 1
name = "tree"
space = "spatial"
[[body]]
name = "trunk"
mass = 3
inertia = [0.2, 0.3, 0.4]
com = [0.05, 0, 0.02]
position = [1, 2, 3]
velocity = [0.3, -0.2, 0.5]
omega = [0.4, 1.1, -0.6]
points = { a = [0.3, 0, 0], b = [0, 0.3, 0], c = [0, 0, 0.3] }
[[body]]
name = "arm"
mass = 1
inertia = { xx = 0.02, yy = 0.03, zz = 0.04, xy = 0.001 }
com = [0.2, 0, 0]
points = { end = [0.4, 0, 0] }
[[body]]
name = "hand"
mass = 0.5
inertia = [0.01, 0.02, 0.02]
com = [0, 0.1, 0]
[[body]]
name = "tail"
mass = 0.7
inertia = [0.01, 0.02, 0.02]
com = [0, 0.2, 0]
[[body]]
name = "head"
mass = 0.6
inertia = [0.01, 0.01, 0.02]
com = [0, 0, 0.1]
[[joint]]
name = "shoulder"
type = "revolute"
between = ["trunk.a", "arm"]
axis = [0, 1, 0]
initial = { angle = 0.4, rate = 2 }
[[joint]]
name = "wrist"
type = "universal"
between = ["arm.end", "hand"]
axis = [1, 0, 0]
axis2 = [0, 1, 0]
initial = { angle1_rate = 1 }
[[joint]]
name = "root"
type = "spherical"
between = ["trunk.b", "tail"]
[[joint]]
name = "neck"
type = "cylindrical"
between = ["trunk.c", "head"]
initial = { position_rate = 0.1, angle_rate = 3 }
[[force]]
name = "muscle"
type = "joint-spring-damper"
joint = "shoulder"
stiffness = 5
damping = 0.3
[[force]]
name = "nod"
type = "joint-spring-damper"
joint = "neck.position"
stiffness = 20
"#;

const FOUR_BAR: &str = r#"
format = 1
name = "four-bar"
space = "planar"
[[body]]
name = "frame"
mass = 1
inertia = 0.05
com = [0.2, 0]
points = { A = [0, 0], D = [0.45, 0] }
position = [0.3, -0.2]
velocity = [0.5, 0.2]
omega = 0.7
[[body]]
name = "crank"
mass = 0.4
inertia = 0.002
com = [0.1, 0]
points = { end = [0.2, 0] }
[[body]]
name = "coupler"
mass = 0.6
inertia = 0.01
com = [0.25, 0.05]
points = { end = [0.5, 0] }
[[body]]
name = "rocker"
mass = 0.5
inertia = 0.006
com = [0.2, 0]
points = { end = [0.4, 0] }
[[joint]]
name = "A"
type = "revolute"
between = ["frame.A", "crank"]
initial = { angle = 1, rate = 3 }
[[joint]]
name = "B"
type = "revolute"
between = ["crank.end", "coupler"]
[[joint]]
name = "D"
type = "revolute"
between = ["frame.D", "rocker"]
[[joint]]
name = "C"
type = "revolute"
between = ["coupler.end", "rocker.end"]
"#;

const SPRINGS: &str = r#"
format = 1
name = "springs"
space = "spatial"
[[body]]
name = "one"
mass = 2
inertia = [0.1, 0.2, 0.3]
com = [0.1, 0, 0]
velocity = [0, 0.4, 0]
omega = [1, 0, 0.5]
points = { a = [0.2, 0.1, 0], b = [0, -0.1, 0.2] }
[[body]]
name = "other"
mass = 1
inertia = [0.1, 0.1, 0.15]
position = [1, 0.1, 0]
velocity = [0.1, -0.4, 0.2]
omega = [0, 2, 0]
points = { a = [-0.2, 0, 0.1], b = [0, 0.2, 0] }
[[force]]
name = "spring"
type = "spring-damper"
between = ["one.a", "other.a"]
stiffness = 40
length = 0.5
damping = 0.5
[[force]]
name = "mount"
type = "bushing"
between = ["one.b", "other.b"]
stiffness = [10, 20, 30]
damping = [0.1, 0.2, 0.3]
torsional_stiffness = [1, 2, 3]
torsional_damping = [0.1, 0.1, 0.1]
[[force]]
name = "wheel"
type = "torque"
on = "one"
value = "0.3*sin(3*t)"
axis = [1, 1, 0]
frame = "body"
reaction_on = "other"
"#;

const PLANAR_BEAM: &str = r#"
format = 1
name = "beam"
space = "planar"
[[beam]]
name = "rod"
from = [0, 0]
to = [1, 0]
elements = 3
axial_stiffness = "2000 N"
bending_stiffness = "2 N*m^2"
mass_per_length = "1 kg/m"
damping = "1 ms"
velocity = [0.2, -0.1]
omega = "3 rad/s"
[[body]]
name = "wheel"
mass = 0.5
inertia = 0.02
com = [0.05, 0]
[[joint]]
name = "hub"
type = "revolute"
between = ["rod.end", "wheel"]
initial = { rate = 5 }
"#;

const CABLE: &str = r#"
format = 1
name = "cable"
space = "spatial"
[[beam]]
name = "rope"
from = [0, 0, 0]
to = [1, 0, 0]
elements = 3
axial_stiffness = "2000 N"
bending_stiffness = "2 N*m^2"
mass_per_length = "1 kg/m"
velocity = [0.2, -0.1, 0.3]
omega = [0, 1, 3]
[[body]]
name = "load"
mass = 0.5
inertia = [0.02, 0.03, 0.04]
com = [0.05, 0, 0.1]
position = [1, 0, 0]
omega = [2, 0, 1]
[[joint]]
name = "ball"
type = "spherical"
between = ["rope.end", "load"]
"#;

const EXACT: &str = r#"
format = 1
name = "exact"
space = "spatial"
[[beam]]
name = "rod"
element = "exact"
from = [0, 0, 0]
to = [1, 0, 0]
elements = 3
up = [0, 0, 1]
axial_stiffness = "2000 N"
shear_stiffness = ["800 N", "900 N"]
torsional_stiffness = "1 N*m^2"
bending_stiffness = [2, 3]
mass_per_length = "1 kg/m"
velocity = [0.2, -0.1, 0.3]
omega = [1, 1, 3]
"#;

/// Asserts that linear and angular momentum stay, against the sums of their parts over the bodies at the start.
fn keeps_momenta(name: &str, text: &str, formulation: &str, method: &str) -> f64 {
    let study = format!(
        "{text}\n[study]\nduration = 0.5\noutput_step = 0.05\nformulation = \"{formulation}\"\nmethod = \"{method}\"\nintegrator = {{ type = \"dop853\", tolerance = 1e-13 }}\n"
    );
    let mut job = read(&study);
    let flat = job.model.space == biela::core::model::Space::Planar;
    job.outputs.channels = channels(&job.model);
    let run = biela::run(job).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(
        run.ended.is_ok(),
        "{name} in {formulation} by {method}: {:?}",
        run.ended
    );
    let signals: &[&str] = if flat {
        &["momentum_x", "momentum_y", "angular_momentum_z"]
    } else {
        &[
            "momentum_x",
            "momentum_y",
            "momentum_z",
            "angular_momentum_x",
            "angular_momentum_y",
            "angular_momentum_z",
        ]
    };
    let column = |signal: &&str| run.column(&format!("system.{signal}")).unwrap();
    let columns: Vec<Vec<f64>> = signals.iter().map(column).collect();
    let scale = columns.iter().map(|c| c[0].abs()).fold(0.0, f64::max);
    let worst = columns
        .iter()
        .flat_map(|c| c.iter().map(|x| (x - c[0]).abs()));
    worst.fold(0.0, f64::max) / scale
}

#[test]
fn free_floating_systems_conserve_momenta_in_every_formulation_and_method() {
    let mut worst = Vec::new();
    for (name, text, tree) in afloat() {
        for method in METHODS {
            for formulation in ["absolute", "tree"] {
                if formulation == "tree" && !tree {
                    continue;
                }
                let off = keeps_momenta(name, &text, formulation, method.name);
                println!("{name}, {formulation}, {}: {off:.1e}", method.name);
                if off > 1e-11 {
                    worst.push(format!("{name}, {formulation}, {}: {off:.1e}", method.name));
                }
            }
        }
    }
    assert!(worst.is_empty(), "{worst:#?}");
}
