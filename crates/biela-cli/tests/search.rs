//! The commands `biela optimize`, `biela fit` and `biela sensitivity`.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::fmt::Write;

use biela::parameter_methods::{Distribution, uniform};
use biela::parameter_study::{Effort, ParameterRuns, fit};
use common::Place;

const PENDULUM: &str = r#"
format = 1
name = "pendulum"
space = "planar"
gravity = [0, -9.81]
[parameters]
length = "0.5 m"
ballast = "1 kg"
twice = "2*length"
[[body]]
name = "bob"
mass = "1 kg"
inertia = "ballast*(0.1 m)^2"
com = [0, "-length"]
points = { tip = [0, "-twice"] }
[[joint]]
name = "pin"
type = "revolute"
between = ["ground", "bob"]
initial = { angle = "0.01 rad" }
[[event]]
name = "bottom"
when = "pin.angle"
[study]
duration = "4 s"
[[measure]]
name = "first"
event = "bottom"
[[measure]]
name = "second"
event = "bottom"
which = 2
[[measure]]
name = "period"
value = "2*(second - first)"
unit = "s"
"#;

/// The period of small swings: 2π √((I + m l²)/(m g l)).
fn period(length: f64) -> f64 {
    std::f64::consts::TAU * ((0.01 + length * length) / (9.81 * length)).sqrt()
}

fn pendulum(more: &str) -> Place {
    let place = Place::new();
    place.write("model.toml", &format!("{PENDULUM}{more}"));
    place
}

fn value<'v>(told: &'v serde_json::Value, name: &str) -> &'v serde_json::Value {
    let list = told["parameters"].as_array().unwrap();
    list.iter()
        .find(|parameter| parameter["name"] == name)
        .unwrap()
}

#[test]
fn the_shortest_period_has_a_closed_form() {
    // least where l² = I/m
    let place = pendulum(
        "[optimize]\nminimize = \"period\"\nvary.length = { from = \"2 cm\", to = \"1 m\" }\n",
    );
    for method in ["global", "local"] {
        let done = place.run(&[
            "optimize",
            "model.toml",
            "--method",
            method,
            "--json",
            "--quiet",
        ]);
        let told = done.exits(0).json();
        assert_eq!(told["converged"], true);
        assert!(
            (value(&told, "length")["value"].as_f64().unwrap() - 0.1).abs() < 1e-3,
            "{told}"
        );
        assert!((told["value"].as_f64().unwrap() / period(0.1) - 1.0).abs() < 1e-5);
    }
}

#[test]
fn an_objective_reads_varied_parameters_and_active_bounds_are_reported() {
    let place = pendulum(
        "[optimize]\nmaximize = \"0*period/(1 s) - ((ballast - 1.4 kg)/(1 kg))^2 + length/(1 m)\"\nvary.length = { from = 0.2, to = 0.3 }\nvary.ballast = { from = 0.5, to = 3 }\n",
    );
    let done = place
        .run(&["optimize", "model.toml", "--json", "--quiet"])
        .exits(0);
    let told = done.json();
    assert!(
        (value(&told, "ballast")["value"].as_f64().unwrap() - 1.4).abs() < 1e-3,
        "{told}"
    );
    assert_eq!(value(&told, "length")["at_bound"], 1);
    let said = place.run(&["optimize", "model.toml", "--quiet"]).exits(0);
    assert!(said.out.contains("at its upper bound"), "{}", said.out);
}

#[test]
fn sensitivities_match_the_closed_form() {
    let place = pendulum("");
    let told = place
        .run(&["sensitivity", "model.toml", "--json"])
        .exits(0)
        .json();
    let measure = &told["measures"][2];
    assert_eq!(measure["name"], "period");
    let by = measure["by"].as_array().unwrap();
    let names: Vec<&str> = by
        .iter()
        .map(|b| b["parameter"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["length", "ballast"], "twice follows from length");
    let h = 1e-5;
    let exact = (period(0.5 + h) - period(0.5 - h)) / (2.0 * h);
    let found = by[0]["derivative"].as_f64().unwrap();
    let error = by[0]["error"].as_f64().unwrap();
    // swings of 0.01 rad take a 16·10⁻⁴th of a per cent longer than small ones
    assert!(
        (found / exact - 1.0).abs() < 1e-4,
        "{found} ± {error} for {exact}"
    );
    let text = place
        .run(&["sensitivity", "model.toml", "--to", "length"])
        .exits(0)
        .out;
    assert!(
        text.contains("derivative (SI)") && !text.contains("ballast"),
        "{text}"
    );
}

#[test]
fn a_run_prints_its_measures() {
    let place = pendulum("[[measure]]\nname = \"never\"\nevent = \"bottom\"\nwhich = 99\n");
    let done = place
        .run(&["run", "model.toml", "--json", "--no-motion"])
        .exits(0);
    assert!(done.err.contains("measure      first = "), "{}", done.err);
    assert!(
        done.err
            .contains("never: no value, its event never occurred"),
        "{}",
        done.err
    );
    let told = done.json();
    let found = told["measures"][2]["value"].as_f64().unwrap();
    assert!((found / period(0.5) - 1.0).abs() < 1e-4, "{told}");
    assert!(told["measures"][3]["value"].is_null());
}

#[test]
fn invalid_searches_are_reported() {
    let place = pendulum("");
    let said = |command: &str, words: &[&str]| {
        let _ = place.run(&[command, "model.toml"]).exits(2).says(words);
    };
    said("optimize", &["has no [optimize]", "minimize"]);
    said("fit", &["has no [fit]", "measured.csv"]);
    let _ = place
        .run(&["sensitivity", "model.toml", "--to", "lenght"])
        .exits(2)
        .says(&["did you mean `length`?"]);
}

const MASSES: &str = include_str!("../../../examples/studies/double-pendulum-masses/model.toml");
const TRUTH: [f64; 2] = [1.2, 0.8];

/// The double pendulum with measurements of this seed.
fn measured(seed: u64) -> ParameterRuns {
    let set = biela::model::Overrides::new(["m1=1.2 kg", "m2=0.8 kg"]);
    let (without, _) = MASSES.split_once("[fit]").unwrap();
    let job = biela::read("model.toml", without, ".".as_ref(), &set).unwrap();
    let run = biela::run(job).unwrap();
    let noise = Distribution::Normal {
        mean: 0.0,
        deviation: 0.5_f64.to_radians(),
    };
    let mut data = String::from("time, shoulder.angle, elbow.angle\n");
    let columns = ["shoulder.angle", "elbow.angle"].map(|name| run.column(name).unwrap());
    for (k, time) in run.times().iter().enumerate() {
        let noisy = |c: usize| columns[c][k] + noise.quantile(uniform(seed, k as u64, c as u64));
        writeln!(data, "{time:?}, {:?}, {:?}", noisy(0), noisy(1)).unwrap();
    }
    let texts = [("model.toml", MASSES.to_owned()), ("measured.csv", data)];
    ParameterRuns::of("model.toml", texts, &[]).unwrap()
}

#[test]
fn confidence_intervals_of_masses_have_their_coverage() {
    let effort = Effort {
        threads: 2,
        seed: 0,
        tolerance: 1e-9,
        most_iterations: 50,
        stop: &|| false,
    };
    let seeds = 40;
    let mut held = [0; 2];
    for seed in 0..seeds {
        let fitted = fit(&measured(seed), &effort, &mut |_, _| {}).unwrap();
        assert_eq!(
            fitted.fit.ended,
            biela::parameter_methods::FitEnded::Converged
        );
        let half = fitted.fit.half_widths(0.9).unwrap();
        assert!(half.iter().all(|half| *half < 0.05), "{half:?}");
        for k in 0..2 {
            held[k] += i32::from((fitted.fit.x[k] - TRUTH[k]).abs() <= half[k]);
        }
    }
    // 36 of 40 expected, with a deviation of 2
    assert!(held.iter().all(|held| (31..=40).contains(held)), "{held:?}");
    assert!(
        held.iter().sum::<i32>() < 80,
        "intervals are not wide for nothing"
    );
}

#[test]
fn the_masses_of_the_gallery_are_identified_from_its_measurements() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/studies/double-pendulum-masses/model.toml"
    );
    let told = Place::new()
        .run(&["fit", path, "--json", "--quiet"])
        .exits(0)
        .json();
    for (name, truth) in ["m1", "m2"].iter().zip(TRUTH) {
        let found = value(&told, name);
        let off = (found["value"].as_f64().unwrap() - truth).abs();
        assert!(off <= found["half_width"].as_f64().unwrap(), "{told}");
    }
    assert!(told["condition"].as_f64().unwrap() < 1e3);
}

#[test]
fn measurements_beyond_the_run_are_reported() {
    let place = Place::new();
    place.write("model.toml", MASSES);
    place.write(
        "measured.csv",
        "time, shoulder.angle, elbow.angle\n0, 0, 0\n5, 0, 0\n",
    );
    let _ = place
        .run(&["fit", "model.toml"])
        .exits(5)
        .says(&["a measurement at t = 5 s", "ends at t = 3 s"]);
}

/// A mass on a spring with a damper, whose motion depends on k/m and d/m alone; `idle` is in no measurement.
const SPRING: &str = r#"
format = 1
name = "spring"
space = "planar"
[parameters]
k = "80 N/m"
m = "1.5 kg"
d = "0.4 N*s/m"
idle = "2 kg"
[[body]]
name = "cart"
mass = "m"
inertia = 1
[[body]]
name = "other"
mass = "idle"
inertia = 1
[[joint]]
name = "rail"
type = "prismatic"
between = ["ground", "cart"]
initial = { position = "0.1 m" }
[[joint]]
name = "far"
type = "prismatic"
between = ["ground", "other"]
[[force]]
name = "spring"
type = "joint-spring-damper"
joint = "rail"
stiffness = "k"
[[force]]
name = "damper"
type = "joint-damping"
joint = "rail"
damping = "d"
[study]
duration = "2 s"
output_step = "20 ms"
"#;

fn spring(vary: &[&str], data: &str) -> Place {
    let place = Place::new();
    let range = |name: &&str| {
        let (low, high) = match *name {
            "k" => ("20 N/m", "200 N/m"),
            "m" => ("0.5 kg", "3 kg"),
            "d" => ("0.1 N*s/m", "1 N*s/m"),
            _ => ("1 kg", "4 kg"),
        };
        format!("vary.{name} = {{ from = \"{low}\", to = \"{high}\" }}\n")
    };
    let vary: String = vary.iter().map(range).collect();
    let text = format!("{SPRING}\n[fit]\ndata = \"measured.csv\"\n{vary}");
    place.write("model.toml", &text);
    place.write("measured.csv", data);
    place
}

/// x(t) with k = 100 N/m, m = 1 kg, d = 0.6 N·s/m.
fn swing() -> String {
    let (delta, x0): (f64, f64) = (0.3, 0.1);
    let omega = (100.0 - delta * delta).sqrt();
    let mut data = String::from("time, rail.position\n");
    for k in 0..100 {
        let t = 0.02 * f64::from(k);
        let x = x0 * (-delta * t).exp() * ((omega * t).cos() + delta / omega * (omega * t).sin());
        writeln!(data, "{t:?}, {x:?}").unwrap();
    }
    data
}

#[test]
fn parameters_that_the_data_cannot_identify_are_named() {
    // k, m and d are known to a common factor, and nothing depends on `idle`
    let place = spring(&["k", "m", "d", "idle"], &swing());
    let told = place
        .run(&["fit", "model.toml", "--json", "--quiet"])
        .exits(1)
        .json();
    let list = told["unidentified"].as_array().unwrap();
    assert_eq!(list.len(), 2, "{told}");
    assert_eq!(list[0].as_array().unwrap().len(), 1);
    assert_eq!(list[0][0]["parameter"], "idle");
    let together: Vec<&str> = list[1]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["parameter"].as_str().unwrap())
        .collect();
    assert_eq!(together, ["k", "m", "d"]);
    for change in list[1].as_array().unwrap() {
        assert!(
            (change["relative_change"].as_f64().unwrap() - 1.0).abs() < 1e-2,
            "{told}"
        );
    }
    for parameter in told["parameters"].as_array().unwrap() {
        assert_eq!(parameter["identified"], false);
        assert!(parameter["half_width"].is_null());
    }
    let done = place.run(&["fit", "model.toml", "--quiet"]).exits(1);
    let shown = done.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "idle = 2 kg, not identified",
        "no measurement depends on idle",
        "determine only a combination of these parameters: changing k by +1",
    ] {
        assert!(shown.contains(words), "no {words:?} in\n{}", done.out);
    }
}

#[test]
fn parameters_that_the_data_identify_are_not_named() {
    let place = spring(&["k", "d"], &swing());
    // with m = 1.5 kg; far from k = 150 N/m the phase has other minima
    let near = [
        "fit",
        "model.toml",
        "--json",
        "--quiet",
        "--set",
        "k=140 N/m",
    ];
    let told = place.run(&near).exits(0).json();
    assert_eq!(told["unidentified"].as_array().unwrap().len(), 0);
    for (name, truth) in [("k", 150.0), ("d", 0.9)] {
        let found = value(&told, name)["value"].as_f64().unwrap();
        assert!((found / truth - 1.0).abs() < 1e-4, "{name} {found}");
    }
}

#[test]
fn data_without_measurements_are_rejected() {
    let _ = spring(&["k"], "time, rail.position\n")
        .run(&["fit", "model.toml"])
        .exits(3)
        .says(&["names a file without a row of measurements"]);
    let _ = spring(&["k"], "time, rail.position\n0, nan\n")
        .run(&["fit", "model.toml"])
        .exits(3)
        .says(&["`nan` is not a finite number", "measured.csv:2:4"]);
    let _ = spring(&["k"], "time, rail.position\n100, 0\n101, 0\n")
        .run(&["fit", "model.toml"])
        .exits(2)
        .says(&[
            "no measurement lies within the run",
            "from 100 s to 101 s",
            "from 0 s to 2 s",
        ]);
    let _ = spring(&["k", "m", "d"], "time, rail.position\n0, 0.1\n1, 0\n")
        .run(&["fit", "model.toml"])
        .exits(2)
        .says(&["2 measured values cannot determine 3 parameters"]);
}
