//! Models against references that were computed another way: see `SOURCE.md` in each folder of `validation`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use biela::Run;
use biela::core::analysis::Stop;
use biela::core::element::Value;
use biela::core::integrators::INTEGRATORS;
use biela::core::system::channels;

/// How far results may be from the reference.
#[derive(Clone, Copy, Debug)]
enum Allowed {
    /// So many units of the last printed digit.
    LastDigits(f64),
    /// This share of the largest value of the column, or this much where the column is zero.
    Share(f64),
}

/// A model and the reference it is held against.
struct Case {
    folder: &'static str,
    /// The model, when it belongs to the gallery.
    example: Option<&'static str>,
    set: &'static [&'static str],
    tolerance: f64,
    allowed: Allowed,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs a model at a tolerance, perhaps longer than it says; keeps every signal.
fn run(model: &Path, set: &[&str], tolerance: f64, duration: Option<f64>) -> Run {
    let mut job = biela::load_with(model, set).unwrap_or_else(|e| panic!("{e}"));
    job.outputs.channels = channels(&job.model);
    let study = job.study.as_mut().expect("a study");
    study
        .integrator
        .arguments
        .set("tolerance", Value::Number(tolerance));
    study.duration = duration.unwrap_or(study.duration);
    let run = biela::run(job).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(run.ended, Ok(Stop::Finished));
    run
}

fn column(run: &Run, name: &str) -> Vec<f64> {
    run.column(name)
        .unwrap_or_else(|| panic!("no signal {name}"))
}

/// Size of a unit of the last digit of a printed number.
fn last_digit(text: &str) -> f64 {
    let decimals = text.split_once('.').map_or(0, |(_, d)| d.len());
    10.0_f64.powi(-(decimals as i32))
}

impl Case {
    fn check(&self) {
        let folder = root().join("validation").join(self.folder);
        let model = match self.example {
            Some(path) => root().join("examples").join(path),
            None => folder.clone(),
        };
        let run = run(&model.join("model.toml"), self.set, self.tolerance, None);
        compare(&run, &folder.join("reference.csv"), self.allowed);
    }
}

/// Asserts that a run is near a table: time in the first column, then signals by name.
fn compare(run: &Run, table: &Path, allowed: Allowed) {
    let text = std::fs::read_to_string(table).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert!(names[0] == "t" && names.len() > 1 && rows.len() > 1);
    let number = |text: &str| text.parse::<f64>().unwrap();
    for (k, name) in names.iter().enumerate().skip(1) {
        let values = column(run, name);
        let largest = rows
            .iter()
            .fold(0.0_f64, |m, row| m.max(number(row[k]).abs()));
        for row in &rows {
            let time = number(row[0]);
            let at = run.times().iter().position(|t| (t - time).abs() < 1e-9);
            let found = values[at.unwrap_or_else(|| panic!("no output at {time}"))];
            let allowed = match allowed {
                Allowed::LastDigits(units) => units * last_digit(row[k]),
                Allowed::Share(share) if largest > 0.0 => share * largest,
                Allowed::Share(share) => share,
            };
            let off = (found - number(row[k])).abs();
            assert!(
                off <= allowed,
                "{name}({time}) = {found:.12} instead of {}: off by {off:.2e}, allowed {allowed:.2e}",
                row[k]
            );
        }
    }
}

/// Makes the list of all cases, and a test of each.
macro_rules! cases {
    ($($test:ident: $case:expr;)*) => {
        const CASES: &[Case] = &[$($case),*];
        $(
            #[test]
            fn $test() {
                $case.check();
            }
        )*
    };
}

cases! {
    // measured: 0.6 units of the last digit; the tolerance is tight because each change of sign of the friction costs
    the_slider_crank_with_friction_follows_reference_a: Case {
        folder: "vaz-slider-crank-friction",
        example: None,
        set: &[],
        tolerance: 1e-13,
        allowed: Allowed::LastDigits(1.5),
    };
    // measured: half a unit of the last digit, which is what printing leaves
    the_slider_crank_without_friction_follows_reference_b: Case {
        folder: "vaz-slider-crank-frictionless",
        example: None,
        set: &[],
        tolerance: 1e-12,
        allowed: Allowed::LastDigits(0.6),
    };
    // measured: 9e-11 of the largest value
    the_conical_pendulum_follows_its_closed_form: Case {
        folder: "pacheco-conical-pendulum",
        example: Some("spatial/conical-pendulum"),
        set: &[],
        tolerance: 1e-12,
        allowed: Allowed::Share(1e-9),
    };
    // measured: half a unit of the last digit
    two_pendulums_in_series_follow_their_table: Case {
        folder: "pacheco-pendulum-2",
        example: None,
        set: &[],
        tolerance: 1e-12,
        allowed: Allowed::LastDigits(0.6),
    };
    // measured: half a unit of the last digit
    three_pendulums_in_series_follow_their_table: Case {
        folder: "pacheco-pendulum-3",
        example: None,
        set: &[],
        tolerance: 1e-12,
        allowed: Allowed::LastDigits(0.6),
    };
    // measured: half a unit of the last digit (5e-11 m, 5e-9 m/s), over five seconds of chaotic motion
    the_spatial_double_pendulum_follows_its_table: Case {
        folder: "pacheco-spatial-double-pendulum",
        example: None,
        set: &[],
        tolerance: 1e-12,
        allowed: Allowed::LastDigits(0.6),
    };
    // measured: 3e-11
    the_rolling_coin_follows_the_equations_of_kane: Case {
        folder: "henrique-rolling-coin",
        example: None,
        set: &[],
        tolerance: 1e-11,
        allowed: Allowed::Share(3e-10),
    };
    // measured: 3e-8, from an error that the motion multiplies
    the_double_pendulum_follows_its_equations_in_two_angles: Case {
        folder: "double-pendulum",
        example: Some("basics/double-pendulum"),
        set: &[],
        tolerance: 1e-12,
        allowed: Allowed::Share(1e-7),
    };
    // measured: 2e-10
    the_four_bar_linkage_follows_its_equation_in_one_angle: Case {
        folder: "four-bar",
        example: Some("mechanisms/four-bar"),
        set: &[],
        tolerance: 1e-12,
        allowed: Allowed::Share(1e-9),
    };
    // measured: 3e-11
    the_spatial_slider_crank_follows_its_equation_in_one_angle: Case {
        folder: "spatial-slider-crank",
        example: Some("spatial/spatial-slider-crank"),
        set: &[],
        tolerance: 1e-12,
        allowed: Allowed::Share(3e-10),
    };
    // measured: 1e-11
    the_suspension_corner_follows_its_equations_in_two_coordinates: Case {
        folder: "suspension-corner",
        example: Some("vehicles/suspension-corner"),
        set: &[],
        tolerance: 1e-12,
        allowed: Allowed::Share(1e-10),
    };
    // measured: 1e-11
    the_heavy_top_let_go_nods_as_its_axis_and_momentum_say: Case {
        folder: "heavy-top-nutation",
        example: Some("spatial/heavy-top"),
        set: &["precession=0"],
        tolerance: 1e-12,
        allowed: Allowed::Share(1e-10),
    };
    the_robot_heavier_than_believed_moves_as_its_closed_form: Case {
        folder: "cipparrone-closed-loop",
        example: Some("robots/s3-closed-loop"),
        set: &[],
        tolerance: 1e-13,
        allowed: Allowed::Share(1e-9),
    };
    // measured: 9e-13
    the_sampled_plant_follows_its_exact_recursion: Case {
        folder: "sampled-first-order",
        example: None,
        set: &[],
        tolerance: 1e-12,
        allowed: Allowed::Share(1e-9),
    };
}

/// Cases of `validation_li.rs`, `validation_s0.rs`, `validation_s1.rs`, `validation_s4.rs` and `linearize.rs`, which make their models or take them from the gallery, and one of two tables.
const OTHERS: &[&str] = &[
    "cipparrone-double-pendulum",
    "cipparrone-stanford",
    "fernandes-flexible-four-bar",
    "fernandes-four-bar",
    "meijaard-bicycle",
    "pacheco-closed-chain",
    "pacheco-computed-torque",
    "pacheco-pendulums",
    "simo-spin-up",
    "sismul-chain",
    "sismul-double-pendulum",
    "sismul-driven-link",
    "sismul-human-body",
];

#[test]
fn the_list_is_the_folder_and_every_case_names_its_source() {
    let entries = std::fs::read_dir(root().join("validation")).unwrap();
    let mut found: Vec<String> = entries
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir() && entry.file_name() != "__pycache__")
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    found.sort();
    let mut listed: Vec<&str> = CASES.iter().map(|case| case.folder).collect();
    listed.extend(OTHERS);
    listed.sort_unstable();
    assert_eq!(found, listed);
    for name in listed {
        let source = root().join("validation").join(name).join("SOURCE.md");
        let text = std::fs::read_to_string(source).unwrap();
        assert!(text.contains("Accuracy"), "{name}");
    }
    for case in CASES {
        let folder = root().join("validation").join(case.folder);
        let own = folder.join("model.toml").is_file();
        assert_eq!(own, case.example.is_none(), "{}", case.folder);
    }
}

#[test]
fn the_four_bar_of_fernandes_follows_its_tables_driven_and_free() {
    let model = root().join("examples/flexible/four-bar-rigid/model.toml");
    let folder = root().join("validation/fernandes-four-bar");
    for (set, table) in [("drive=1", "driven.csv"), ("drive=0", "free.csv")] {
        let mut job = biela::load_with(&model, &[set]).unwrap_or_else(|e| panic!("{e}"));
        job.outputs.channels = channels(&job.model);
        let study = job.study.as_mut().expect("a study");
        let explicit = biela::choose("integrator", INTEGRATORS, "dop853", job.model.space).unwrap();
        study.integrator = explicit;
        let tolerance = Value::Number(1e-13);
        study.integrator.arguments.set("tolerance", tolerance);
        "projection".clone_into(&mut study.method.kind);
        let run = biela::run(job).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(run.ended, Ok(Stop::Finished));
        // measured: 1 unit in motion, 2 in energies
        compare(&run, &folder.join(table), Allowed::LastDigits(2.1));
    }
}

/// Largest distance of a signal from its first value.
fn drift(run: &Run, name: &str) -> f64 {
    let values = column(run, name);
    values.iter().fold(0.0, |m, x| m.max((x - values[0]).abs()))
}

fn energy_drift(run: &Run) -> f64 {
    run.statistics.worst_energy / run.statistics.energy_scale
}

#[test]
fn a_torque_free_body_keeps_energy_and_angular_momentum_for_a_hundred_seconds() {
    let model = root().join("examples/spatial/torque-free-body/model.toml");
    let run = run(&model, &[], 1e-12, Some(100.0));
    // measured 8e-12; momentum 1.2e-11
    assert!(energy_drift(&run) <= 1e-10, "{:e}", energy_drift(&run));
    let axes = ["x", "y", "z"].map(|axis| format!("system.angular_momentum_{axis}"));
    let size = axes
        .iter()
        .map(|name| column(&run, name)[0].powi(2))
        .sum::<f64>()
        .sqrt();
    for name in &axes {
        let found = drift(&run, name) / size;
        assert!(found <= 1e-10, "{name}: {found:e}");
    }
    for name in [
        "system.momentum_x",
        "system.momentum_y",
        "system.momentum_z",
    ] {
        assert!(drift(&run, name) < 1e-15);
    }
}

#[test]
fn the_four_bar_linkage_keeps_its_energy_for_ten_seconds() {
    let model = root().join("examples/mechanisms/four-bar/model.toml");
    let found = energy_drift(&run(&model, &[], 1e-10, Some(10.0)));
    // measured 9e-10
    assert!(found <= 1e-8, "{found:e}");
}

#[test]
fn the_spatial_double_pendulum_keeps_its_energy_and_its_momentum_about_the_vertical() {
    let model = root().join("validation/pacheco-spatial-double-pendulum/model.toml");
    let run = run(&model, &[], 1e-10, Some(10.0));
    // measured 2.5e-10
    assert!(energy_drift(&run) <= 1e-8, "{:e}", energy_drift(&run));
    // let go at rest: no momentum about the vertical through the pin (measured 6e-9 kg m²/s, beside 100 about the other axes)
    let vertical = drift(&run, "system.angular_momentum_y");
    assert!(vertical <= 1e-7, "{vertical:e}");
    // and no spin of a cylinder about itself (measured 1.3e-13 rad/s)
    for name in ["first.spin_x", "second.spin_z"] {
        let found = drift(&run, name);
        assert!(found <= 1e-11, "{name}: {found:e}");
    }
}

#[test]
fn the_heavy_top_keeps_energy_spin_and_momentum_about_the_vertical() {
    let model = root().join("examples/spatial/heavy-top/model.toml");
    let run = run(&model, &["precession=0"], 1e-10, Some(10.0));
    // measured 7e-11; spin 4e-16, momentum 1e-9
    assert!(energy_drift(&run) <= 1e-8, "{:e}", energy_drift(&run));
    let relative = |name: &str| drift(&run, name) / column(&run, name)[0].abs();
    assert!(
        relative("top.spin_z") <= 1e-11,
        "{:e}",
        relative("top.spin_z")
    );
    let vertical = relative("system.angular_momentum_z");
    assert!(vertical <= 1e-8, "{vertical:e}");
}
