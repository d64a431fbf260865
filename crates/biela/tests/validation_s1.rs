//! Flexible beams against an independent program, closed forms and each other.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::path::{Path, PathBuf};

use biela::Run;
use biela::core::analysis::Stop;
use biela::core::system::channels;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs a model of the gallery with other parameters; keeps every signal.
fn run(example: &str, set: &[&str]) -> Run {
    let folder = root().join("examples/flexible").join(example);
    let job = biela::load_with(folder.join("model.toml"), set).unwrap_or_else(|e| panic!("{e}"));
    finish(job)
}

/// Loads a model given as text.
fn job(text: &str) -> biela::Job {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.toml");
    std::fs::write(&path, text).unwrap();
    biela::load(&path).unwrap_or_else(|e| panic!("{e}"))
}

fn finish(mut job: biela::Job) -> Run {
    job.outputs.channels = channels(&job.model);
    let run = biela::run(job).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(run.ended, Ok(Stop::Finished));
    run
}

fn column(run: &Run, name: &str) -> Vec<f64> {
    run.column(name)
        .unwrap_or_else(|| panic!("no signal {name}"))
}

fn first(run: &Run, name: &str) -> f64 {
    column(run, name)[0]
}

fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

/// Rows of a table in the folder of the four-bar: time, then signals.
fn table(file: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let path = root()
        .join("validation/fernandes-flexible-four-bar")
        .join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let names = lines
        .next()
        .unwrap()
        .split(',')
        .map(str::to_owned)
        .collect();
    let numbers = |line: &str| line.split(',').map(|x| x.parse().unwrap()).collect();
    (names, lines.map(numbers).collect())
}

/// The row of a run at a time.
fn at(run: &Run, time: f64) -> usize {
    let row = run.times().iter().position(|t| (t - time).abs() < 1e-9);
    row.unwrap_or_else(|| panic!("no row at {time}"))
}

/// Largest difference of positions from a table, at each of its times.
fn position_errors(run: &Run, file: &str) -> Vec<(f64, f64)> {
    let (names, rows) = table(file);
    let error = |row: &Vec<f64>| {
        let k = at(run, row[0]);
        let positions = names
            .iter()
            .zip(row)
            .filter(|(name, _)| matches!(name.rsplit('.').next(), Some("x" | "y")));
        let errors = positions.map(|(name, x)| column(run, name)[k] - x);
        (row[0], largest(errors))
    };
    rows.iter().map(error).collect()
}

#[test]
fn the_soft_four_bar_falls_as_an_independent_program_says() {
    let run = run("soft-four-bar", &["drive=0", "T=1 s"]);
    for (time, error) in position_errors(&run, "gravity.csv") {
        // 1e-6 m up to 0.5 s, 3e-6 m at 1 s
        let allowed = if time <= 0.5 { 1e-5 } else { 1e-4 };
        assert!(error < allowed, "{time} s: {error:e} m");
    }
    let total = column(&run, "energy.total");
    assert!((total[0] - 8.705_394_00).abs() < 1e-8);
    let drift = largest(total.iter().map(|e| (e - total[0]) / total[0]));
    // 1.0e-7
    assert!(drift < 6e-7, "{drift:e}");
    let (names, rows) = table("gravity.csv");
    for row in &rows {
        for (name, x) in names
            .iter()
            .zip(row)
            .filter(|(n, _)| n.starts_with("energy"))
        {
            let found = column(&run, name)[at(&run, row[0])];
            assert!(
                (found - x).abs() < 5e-5 * (1.0 + x.abs()),
                "{name} {found} {x}"
            );
        }
    }
}

#[test]
fn the_driven_soft_four_bar_takes_the_work_of_an_independent_program() {
    let run = run("soft-four-bar", &["T=1 s"]);
    for (time, error) in position_errors(&run, "reference.csv") {
        // 5e-6 m at 0.5 s
        assert!(error < 1e-5, "{time} s: {error:e} m");
    }
    let work = column(&run, "motor.work");
    assert!((work[work.len() - 1] - 17.755_988).abs() < 2e-4);
    let balance = column(&run, "energy.balance");
    // 3.4e-4 J; the program that made the table is off by 1.0e-3 J
    assert!(largest(balance.iter().copied()) < 1e-3);
    let total = column(&run, "energy.total");
    let plateau = &total[at(&run, 0.6)..];
    assert!(largest(plateau.iter().map(|e| e - total[total.len() - 1])) < 2e-3);
    // counted over the turn
    assert!((column(&run, "crank.start.angle")[at(&run, 0.5)] - 4.3986).abs() < 1e-3);
}

#[test]
fn stiff_links_move_as_the_rigid_linkage() {
    let stiff = ["E1=2.1e12 Pa", "E2=2.1e12 Pa", "E3=2.1e12 Pa"];
    let run = run("soft-four-bar", &stiff);
    let (_, rows) = table("rigid.csv");
    let angle = column(&run, "crank.start.angle");
    for row in &rows {
        let difference = angle[at(&run, row[0])].cos() - row[1].cos();
        // 9.7e-5 in the source up to 0.5 s
        assert!(difference.abs() < 4.4e-4, "{} s: {difference:e}", row[0]);
    }
    assert!(largest(column(&run, "energy.elastic")) < 0.01);
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
    let (coarse, fine) = (tip(8), tip(16));
    let order = (coarse / fine).log2();
    assert!((order - 4.0).abs() < 0.3, "{coarse:e} {fine:e}: {order}");

    let run = run("cantilever-roll-up", &[]);
    let stiffness = 2e9 * 0.02 * 0.005_f64.powi(3) / 12.0;
    let near = |name: &str, expected: f64, tolerance: f64| {
        let found = first(&run, name);
        assert!(
            (found - expected).abs() < tolerance,
            "{name} {found} {expected}"
        );
    };
    near("strip.end.x", 0.0, 5e-5);
    near("strip.end.y", 0.0, 5e-5);
    near("strip.end.angle", TAU, 3e-4);
    near("strip.mid.y", 1.0 / PI, 2e-5);
    near(
        "strip.elastic",
        2.0 * PI * PI * stiffness,
        2e-4 * stiffness * 20.0,
    );
    near(
        "strip.mid.bending_moment",
        TAU * stiffness,
        2e-3 * TAU * stiffness,
    );
    near("clamp.reaction.mz", -TAU * stiffness, 1e-8);
    let half = self::run("cantilever-roll-up", &["share=0.5"]);
    assert!((first(&half, "strip.end.y") - 2.0 / PI).abs() < 1e-5);
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
fn a_cantilever_has_the_frequencies_of_bernoulli_and_euler() {
    let text = r#"
format = 1
space = "planar"
[[beam]]
name = "strip"
from = [0, 0]
to = [1, 0]
elements = 6
axial_stiffness = "1e5 N"
bending_stiffness = "4 N*m^2"
mass_per_length = "0.25 kg/m"
[[joint]]
name = "clamp"
type = "weld"
between = ["ground", "strip.start"]
[study]
duration = 1
"#;
    let request = biela::core::analysis::Request::default();
    let linear = biela::linearize(job(text), biela::At::Start, &request);
    let linear = linear.unwrap_or_else(|e| panic!("{e}"));
    let mut found: Vec<f64> = linear
        .modes
        .iter()
        .map(|mode| mode.value.im)
        .filter(|omega| *omega > 0.0)
        .collect();
    found.sort_by(f64::total_cmp);
    // roots of cos β cosh β = −1
    for (root, omega) in [1.875_104_07, 4.694_091_13, 7.854_757_44]
        .iter()
        .zip(&found)
    {
        let expected = root * root * 4.0;
        assert!((omega / expected - 1.0).abs() < 2e-3, "{omega} {expected}");
    }
}

#[test]
fn a_stiff_rod_swings_as_the_rigid_one_and_a_damped_one_loses_energy() {
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
