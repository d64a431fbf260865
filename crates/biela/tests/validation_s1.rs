//! Flexible beams against an independent program, closed forms and each other.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod runs;

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use biela::Run;
use biela::core::analysis::Choice;
use biela::core::element::{Arguments, FieldValue};
use biela::core::model::Space;

use runs::{column, finish, first, frequencies, job, largest, last, root, run_folder};

/// Runs a model of the gallery with other parameters.
fn run(example: &str, set: &[&str]) -> Run {
    run_folder(&format!("examples/flexible/{example}"), set)
}

/// Runs the four-bar of soft links by the scheme of its source, α = −0.3.
fn four_bar(set: &[&str], step: f64) -> Run {
    let path = root().join("examples/flexible/soft-four-bar/model.toml");
    let mut job = biela::load_with(path, set).unwrap_or_else(|e| panic!("{e}"));
    let meshes = job.model.beams.iter().map(|beam| beam.elements.len());
    assert_eq!(meshes.collect::<Vec<_>>(), [1, 36, 4]);
    let study = job.study.as_mut().unwrap();
    study.integrator = Choice {
        kind: "hht".to_owned(),
        arguments: Arguments::new(Space::Planar)
            .with("alpha", FieldValue::Number(-0.3))
            .with("step", FieldValue::Number(step)),
    };
    finish(job)
}

/// The row of a run at a time.
fn at(run: &Run, time: f64) -> usize {
    let row = run.times().iter().position(|t| (t - time).abs() < 1e-9);
    row.unwrap_or_else(|| panic!("no row at {time}"))
}

#[test]
fn stiff_links_have_the_motion_of_the_rigid_linkage() {
    let set = ["E1=2.1e12 Pa", "E2=2.1e12 Pa", "E3=2.1e12 Pa", "T=1 s"];
    let [stiff, finer] = [1e-4, 5e-5].map(|step| four_bar(&set, step));
    let rigid = root().join("examples/flexible/four-bar-rigid/model.toml");
    let mut job = biela::load_with(rigid, &["switch=5/18 s"]).unwrap_or_else(|e| panic!("{e}"));
    let study = job.study.as_mut().unwrap();
    study.duration = 1.0;
    study.integrator = Choice {
        kind: "dop853".to_owned(),
        arguments: Arguments::new(Space::Planar).with("tolerance", FieldValue::Number(1e-11)),
    };
    let rigid = finish(job);
    let rigid_angle = column(&rigid, "O.angle");
    // the largest difference of cos θ₁ up to a time, at every so-manieth row, which are 5 ms apart
    let difference = |run: &Run, time: f64, every: usize| {
        assert_eq!(run.times().len(), rigid.times().len());
        let angle = column(run, "crank.start.angle");
        let pairs = angle[..=at(run, time)].iter().zip(&rigid_angle);
        largest(pairs.step_by(every).map(|(a, b)| a.cos() - b.cos()))
    };
    // by the program that made the tables 9.7e-5 up to 0.5 s and 4.4e-4 up to 1 s, at rows 10 ms apart
    let (half, whole) = (difference(&stiff, 0.5, 2), difference(&stiff, 1.0, 2));
    assert!((half / 9.7e-5 - 1.0).abs() < 0.01, "{half:e}");
    assert!((whole / 4.4e-4 - 1.0).abs() < 0.01, "{whole:e}");
    // between those rows it comes to 4.49e-4 at 0.966 s, of which a fifth is due to the step: half as long, it brings it to 3.81e-4
    let finer = difference(&finer, 1.0, 1);
    assert!(finer < 4.4e-4, "{finer:e}");
    assert!(largest(column(&stiff, "energy.elastic")) < 0.01);
}

#[test]
fn a_moment_rolls_a_strip_up_to_a_circle_with_order_four() {
    let path = root().join("examples/flexible/cantilever-roll-up/model.toml");
    let text = std::fs::read_to_string(path).unwrap();
    let tip = |elements: usize| {
        let run = finish(job(
            &text.replace("elements = 24", &format!("elements = {elements}"))
        ));
        first(&run, "strip.end.x").hypot(first(&run, "strip.end.y"))
    };
    let (coarse, fine) = (tip(12), tip(24));
    let order = (coarse / fine).log2();
    assert!((order - 4.0).abs() < 0.1, "{coarse:e} {fine:e}: {order}");
}

/// A clamped beam of unit length, EI = 1, under a force across its end, at rest; the given lines come at the end.
fn tip_loaded(kind: &str, elements: usize, load: f64) -> Run {
    finish(job(&format!(
        r#"
format = 1
space = "planar"
[[beam]]
name = "strip"
from = [0, 0]
to = [1, 0]
elements = {elements}
element = "{kind}"
axial_stiffness = "1e5 N"
bending_stiffness = "1 N*m^2"
mass_per_length = "1 kg/m"
[[joint]]
name = "clamp"
type = "weld"
between = ["ground", "strip.start"]
[[force]]
name = "tip"
type = "force"
at = "strip.end"
value = [0, {load}]
[study]
analysis = "statics"
"#
    )))
}

/// Where the end of an inextensible clamped beam goes under `P L²/EI` across it: with the angle φ of its end,
/// `√(PL²/EI) = ∫ dθ / √(2 (sin φ − sin θ))` from 0 to φ (Bisshopp and Drucker 1945), height and reach likewise; θ = φ − u² takes
/// the singularity out.
fn elastica(load: f64) -> (f64, f64) {
    let integrals = |phi: f64| {
        let n = 4000;
        let h = phi.sqrt() / f64::from(n);
        let mut sums = [0.0; 3];
        for k in 0..n {
            let u = (f64::from(k) + 0.5) * h;
            let theta = phi - u * u;
            // sin φ − sin θ = 2 cos((φ + θ)/2) sin(u²/2)
            let root = (4.0 * f64::midpoint(phi, theta).cos() * (u * u / 2.0).sin()).sqrt();
            let ds = 2.0 * u * h / root;
            for (sum, x) in sums.iter_mut().zip([1.0, theta.cos(), theta.sin()]) {
                *sum += x * ds;
            }
        }
        sums
    };
    let (mut low, mut high) = (1e-6, FRAC_PI_2 - 1e-9);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if integrals(middle)[0] < load.sqrt() {
            low = middle;
        } else {
            high = middle;
        }
    }
    let [length, x, y] = integrals(low);
    (x / length, y / length)
}

#[test]
fn a_force_across_the_end_bends_a_beam_to_the_elastica() {
    // the table of K. Mattiasson (1981): reach and height for P L²/EI
    for (load, x, y) in [
        (1.0, 0.94357, 0.30172),
        (5.0, 0.61237, 0.71379),
        (10.0, 0.44500, 0.81061),
    ] {
        let (exact_x, exact_y) = elastica(load);
        assert!((exact_x - x).abs() < 2e-5 && (exact_y - y).abs() < 2e-5);
        // linear strains against the chord take the bow of an element for a stretch: 1.9e-3 at 5
        let kinds = ["cable", "green-lagrange", "structural"];
        let count = if load > 1.0 { 2 } else { 3 };
        for kind in &kinds[..count] {
            let run = tip_loaded(kind, 16, load);
            let error =
                (first(&run, "strip.end.x") - exact_x).hypot(first(&run, "strip.end.y") - exact_y);
            // 1e-4, of which 5e-5 are stretch
            assert!(error < 3e-4, "{kind} {load}: {error:e}");
            let moment = first(&run, "strip.start.bending_moment");
            let expected = load * first(&run, "strip.end.x");
            assert!(
                (moment.abs() / expected - 1.0).abs() < 0.02,
                "{kind}: {moment} {expected}"
            );
        }
    }
}

#[test]
fn clamped_and_simply_supported_beams_have_the_frequencies_of_bernoulli_and_euler() {
    let clamp = [("weld", "ground", "strip.start")];
    let supports = [
        ("revolute", "ground", "strip.start"),
        ("revolute", "ground.far", "strip.end"),
    ];
    // roots of cos β cosh β = −1, and of sin β = 0
    let cantilever = [1.875_104_07, 4.694_091_13, 7.854_757_44];
    let simple = [PI, 2.0 * PI, 3.0 * PI];
    let cases: [(&[_], _); 2] = [(&clamp, cantilever), (&supports, simple)];
    for kind in ["cable", "green-lagrange", "structural"] {
        for (joints, roots) in &cases {
            let mut text = format!(
                r#"
format = 1
space = "planar"
ground = {{ points = {{ far = [1, 0] }} }}
[[beam]]
name = "strip"
from = [0, 0]
to = [1, 0]
elements = 12
element = "{kind}"
axial_stiffness = "1e5 N"
bending_stiffness = "4 N*m^2"
mass_per_length = "0.25 kg/m"
[study]
duration = 1
"#
            );
            for (k, (word, first, second)) in joints.iter().enumerate() {
                let between = format!("between = [\"{first}\", \"{second}\"]");
                let joint = format!("[[joint]]\nname = \"j{k}\"\ntype = \"{word}\"\n{between}\n");
                text.push_str(&joint);
            }
            let found = frequencies(job(&text), biela::OperatingPoint::Start);
            for (root, omega) in roots.iter().zip(&found) {
                let expected = root * root * 4.0;
                let error = (omega / expected - 1.0).abs();
                assert!(error < 1e-3, "{kind} {root}: {omega} {expected}");
            }
        }
    }
}

#[test]
fn load_steps_bend_a_beam_along_the_elastica() {
    let run = finish(job(r#"
format = 1
space = "planar"
[[beam]]
name = "strip"
from = [0, 0]
to = [1, 0]
elements = 32
axial_stiffness = "1e6 N"
bending_stiffness = "1 N*m^2"
mass_per_length = "1 kg/m"
[[joint]]
name = "clamp"
type = "weld"
between = ["ground", "strip.start"]
[[force]]
name = "tip"
type = "force"
at = "strip.end"
value = [0, 10]
[study]
analysis = "statics"
load_steps = 10
"#));
    let (x, y) = (column(&run, "strip.end.x"), column(&run, "strip.end.y"));
    let load = column(&run, "system.load");
    assert_eq!(load.len(), 10);
    for k in 0..10 {
        assert!((load[k] - 0.1 * (k + 1) as f64).abs() < 1e-15);
        let (exact_x, exact_y) = elastica(10.0 * load[k]);
        let error = (x[k] - exact_x).hypot(y[k] - exact_y);
        assert!(error < 1e-4, "{}: {error:e}", load[k]);
        let moment = column(&run, "clamp.reaction.mz")[k];
        assert!((moment + 10.0 * load[k] * x[k]).abs() < 1e-6, "{moment}");
    }
}

#[test]
fn a_moment_in_load_steps_rolls_a_strip_up_twice() {
    let path = root().join("examples/flexible/cantilever-roll-up/model.toml");
    let text = std::fs::read_to_string(path).unwrap();
    let rolled = |elements: usize, turns: f64| {
        let text = text
            .replace("elements = 24", &format!("elements = {elements}"))
            .replace("share = 1 ", &format!("share = {turns} "))
            .replace("\"statics\"", "\"statics\"\nload_steps = 8");
        let run = finish(job(&text));
        let gap = last(&run, "strip.end.x").hypot(last(&run, "strip.end.y"));
        (gap, last(&run, "strip.end.angle"))
    };
    let (gap, angle) = rolled(16, 1.0);
    assert!(gap < 1e-3 && (angle - TAU).abs() < 2e-3, "{gap:e} {angle}");
    let (gap, angle) = rolled(32, 2.0);
    assert!(
        gap < 1e-3 && (angle - 2.0 * TAU).abs() < 4e-3,
        "{gap:e} {angle}"
    );
}

#[test]
fn a_stiff_rod_swings_like_the_rigid_one_and_a_damped_one_dissipates_energy() {
    let stiff = run("soft-pendulum", &["E=70 GPa"]);
    let (soft, rigid) = (column(&stiff, "rod.end.y"), column(&stiff, "stiff.end.y"));
    let difference = largest(soft.iter().zip(&rigid).map(|(a, b)| a - b));
    assert!(difference < 5e-3, "{difference:e}");
    let damped = run("soft-pendulum", &["relaxation=20 ms"]);
    let work = column(&damped, "rod.work");
    let last = work[work.len() - 1];
    assert!(last < -0.1, "{last}");
    let balance = column(&damped, "energy.balance");
    assert!(
        largest(balance) < 2e-2 * last.abs(),
        "the damping's work is what is missing"
    );
}

#[test]
fn a_lumped_beam_converges_with_order_two_in_both_formulations() {
    let text = |element: &str, elements: usize, formulation: &str| {
        format!(
            r#"
format = 1
space = "planar"
gravity = [0, -9.81]
[[beam]]
name = "rod"
from = [0, 0]
to = [1, 0]
elements = {elements}
element = "{element}"
axial_stiffness = "1e5 N"
bending_stiffness = "2 N*m^2"
mass_per_length = "0.5 kg/m"
points = {{ mid = 0.5 }}
[[joint]]
name = "clamp"
type = "weld"
between = ["ground", "rod.start"]
[[force]]
name = "pull"
type = "force"
at = "rod.end"
value = [0, -2]
[study]
analysis = "statics"
formulation = "{formulation}"
"#
        )
    };
    let end = |element: &str, elements: usize, formulation: &str| {
        let run = finish(job(&text(element, elements, formulation)));
        [first(&run, "rod.end.x"), first(&run, "rod.end.y")]
    };
    let fine = end("cable", 32, "absolute");
    let off = |elements: usize| {
        let [x, y] = end("lumped", elements, "absolute");
        (x - fine[0]).hypot(y - fine[1])
    };
    let (coarse, finer) = (off(8), off(16));
    let order = (coarse / finer).log2();
    assert!((order - 2.0).abs() < 0.2, "{coarse:e} {finer:e}: {order}");
    let [here, there] = ["absolute", "tree"].map(|formulation| end("lumped", 8, formulation));
    assert!((here[0] - there[0]).hypot(here[1] - there[1]) < 1e-8);
    // a cantilever's first frequency
    let found = frequencies(
        job(&text("lumped", 16, "tree")
            .replace("-9.81", "0")
            .replace("-2]", "0]")),
        biela::OperatingPoint::Start,
    );
    let expected = 1.875_104_07_f64.powi(2) * 2.0;
    assert!(
        (found[0] / expected - 1.0).abs() < 5e-3,
        "{} {expected}",
        found[0]
    );
}
