//! `biela run` on studies of statics, and motion that starts at the equilibrium.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::{Place, golden};

const REST: &str = include_str!("../../biela-model/tests/good/statics.toml");
const FROM: &str = include_str!("../../biela-model/tests/good/from-equilibrium.toml");

const FALLING: &str = r#"
format = 1
name = "falling"
space = "planar"
gravity = [0, -9.81]

[[body]]
name = "ball"
mass = 2
inertia = 0.1

[[body]]
name = "wall"
mass = 1
inertia = 0.1

[[joint]]
name = "fixed"
type = "weld"
between = ["ground", "wall"]

[study]
analysis = "statics"
"#;

#[test]
fn equilibria_are_printed_as_a_table_recorded_as_rows_and_written_as_json() {
    let place = Place::new();
    place.write("rest.toml", REST);
    let done = place.run(&["run", "rest.toml", "--csv"]).exits(0).says(&[
        "statics: 3 equilibria from 8 start points",
        "row  stability",
        "0    stable",
        "unstable",
        "e-folding time 0.1724 s",
        "recorded  3 rows",
    ]);
    assert_eq!(done.out, "");
    let csv = place.text("results/statics/data.csv");
    let mut lines = csv.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let rows: Vec<Vec<f64>> = lines
        .map(|line| line.split(',').map(|x| x.parse().unwrap()).collect())
        .collect();
    assert_eq!(rows.len(), 3);
    let value = |k: usize, name: &str| rows[k][names.iter().position(|n| *n == name).unwrap()];
    // the written start leads to the right, and the other one mirrors it
    assert!(value(0, "pin.angle").cos() > 0.0);
    let mirrored = (0..3)
        .find(|k| value(*k, "pin.angle").cos() < -0.1)
        .unwrap();
    assert!((value(mirrored, "pin.force") - value(0, "pin.force")).abs() < 1e-9);
    // weight and spring in moments about the pin: 2 g · ½ cos θ = tension · lever
    let angle = value(0, "pin.angle");
    let length = (angle.cos().powi(2) + (1.0 - angle.sin()).powi(2)).sqrt();
    let lever = angle.cos() / length;
    let moment = 60.0 * (length - 1.0) * lever - 9.81 * angle.cos();
    assert!(moment.abs() < 1e-9, "{moment}");

    let json = place.run(&["run", "rest.toml", "--json", "-q"]).exits(0);
    assert_eq!(json.err, "");
    let json = json.json();
    assert_eq!(json["equilibria"][0]["start_point"], 0);
    assert_eq!(json["equilibria"][0]["stability"], "stable");
    assert_eq!(json["equilibria"][1]["moves_most"], "pin.angle");
    assert!(json["checks"]["largest_residual"].as_f64().unwrap() < 1e-12);
    let manifest = place.json("results/statics/manifest.json");
    assert_eq!(manifest["options"]["analysis"], "statics");
    assert_eq!(manifest["options"]["start_points"], 8);
    assert_eq!(manifest["statistics"]["equilibria"], json["equilibria"]);
}

#[test]
fn the_same_search_twice_gives_the_same_bytes() {
    let place = Place::new();
    place.write("rest.toml", REST);
    let _ = place.run(&["run", "rest.toml", "-o", "a", "-q"]).exits(0);
    let _ = place.run(&["run", "rest.toml", "-o", "b", "-q"]).exits(0);
    assert_eq!(place.read("a/data.arrows"), place.read("b/data.arrows"));
}

#[test]
fn an_unsupported_body_is_named_and_earlier_results_stay() {
    let place = Place::new();
    place.write("falling.toml", FALLING);
    let done = place.run(&["run", "falling.toml"]).exits(5);
    golden("no-equilibrium.txt", &done.err);
    assert!(!place.path("results").exists());
    let json = place
        .run(&["run", "falling.toml", "--json"])
        .exits(5)
        .json();
    assert_eq!(json["details"]["kind"], "no-equilibrium");
    assert_eq!(json["details"]["body"], "ball");
    let from = FALLING.replace(
        "analysis = \"statics\"",
        "start = \"equilibrium\"\nduration = 1",
    );
    place.write("falling.toml", &from);
    let done = place.run(&["run", "falling.toml"]).exits(5);
    golden("no-equilibrium.txt", &done.err);
}

#[test]
fn options_of_dynamics_are_rejected_for_statics() {
    let place = Place::new();
    place.write("rest.toml", REST);
    for (option, value) in [
        ("--to", "3"),
        ("--method", "augmented"),
        ("--integrator", "rk4"),
        ("--step", "1ms"),
        ("--tolerance", "1e-9"),
        ("--output-step", "1ms"),
    ] {
        let words = format!("{option}: not applicable to a statics study");
        let _ = place
            .run(&["run", "rest.toml", option, value])
            .exits(2)
            .says(&[&words]);
    }
    let _ = place
        .run(&["run", "rest.toml", "--plot"])
        .exits(2)
        .says(&["--plot: not applicable to a statics study"]);
    let _ = place
        .run(&["compare", "rest.toml"])
        .exits(2)
        .says(&["there is no motion to compare"]);
    let info = place.run(&["info", "rest.toml"]).exits(0);
    assert!(info.out.contains("equilibria from 8 start points"));
    let _ = place.run(&["check", "rest.toml"]).exits(0);
}

#[test]
fn a_motion_from_the_equilibrium_oscillates_about_it() {
    let place = Place::new();
    place.write("from.toml", FROM);
    let _ = place
        .run(&["run", "from.toml"])
        .exits(0)
        .says(&["the start is an equilibrium: stable"]);
    let run = biela::run(biela::load(place.path("from.toml")).unwrap()).unwrap();
    let rate = (400.0_f64 / 2.0).sqrt();
    let middle = -2.0 * 9.81 / 400.0;
    let positions = run.column("guide.position").unwrap();
    for (t, y) in run.times().iter().zip(positions) {
        let expected = middle + (rate * t).sin() / rate;
        assert!((y - expected).abs() < 1e-7, "y({t}) = {y}");
    }
    let manifest = place.json("results/from-equilibrium/manifest.json");
    assert_eq!(manifest["options"]["start"], "equilibrium");
    let info = place.run(&["info", "from.toml"]).exits(0);
    assert!(info.out.contains("motion from the equilibrium to t = 1 s"));
}

const COLUMN: &str = r#"
format = 1
name = "column"
space = "planar"

[[beam]]
name = "column"
from = [0, 0]
to = ["1 m", 0]
elements = 8
axial_stiffness = "1e6 N"
bending_stiffness = "1 N*m^2"
mass_per_length = "1 kg/m"

[[joint]]
name = "clamp"
type = "weld"
between = ["ground", "column.start"]

[[force]]
name = "weight"
type = "force"
at = "column.end"
value = ["-1.3*pi^2/4 [N]", 0]

[study]
analysis = "statics"
start_points = 6

[output]
signals = ["column.end.x", "column.end.y"]
"#;

#[test]
fn every_row_is_balanced_whatever_the_forces_during_the_search() {
    let place = Place::new();
    place.write("column.toml", COLUMN);
    let json = place
        .run(&["run", "column.toml", "--csv", "--json", "-q"])
        .exits(0);
    let json = json.json();
    for row in json["equilibria"].as_array().unwrap() {
        assert!(row["residual"].as_f64().unwrap() < 1e-6, "{row}");
    }
    let csv = place.text("results/column/data.csv");
    let ends: Vec<[f64; 2]> = csv
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<f64> = line.split(',').map(|x| x.parse().unwrap()).collect();
            [cells[1], cells[2]]
        })
        .collect();
    for (k, [x, y]) in ends.iter().enumerate() {
        let same = |[a, b]: &[f64; 2]| (a - x).hypot(b - y) < 1e-6;
        assert!(!ends[..k].iter().any(same), "{csv}");
    }
    // Euler's elastica bends over to either side: P/Pc = (2 K/pi)^2
    for side in [1.0, -1.0] {
        let near = |[x, y]: &[f64; 2]| (x - 0.552_584).hypot(y - side * 0.722_908) < 2e-2;
        assert!(ends.iter().any(near), "{csv}");
    }
}

/// A strip of spring steel under twice Euler's load along its axis.
fn column(elements: usize) -> String {
    format!(
        r#"
format = 1
space = "planar"
[[beam]]
name = "strip"
from = [0, 0]
to = ["1 m", 0]
section = {{ type = "rectangle", width = "20 mm", height = "2 mm" }}
elements = {elements}
young = "210 GPa"
density = "7850 kg/m^3"
[[joint]]
name = "clamp"
type = "weld"
between = ["ground", "strip.start"]
[[force]]
name = "load"
type = "force"
at = "strip.end"
value = ["-13.8 N", 0]
[study]
analysis = "statics"
"#
    )
}

#[test]
fn a_column_beyond_its_buckling_load_is_unstable_on_every_mesh() {
    for elements in [8, 16, 32, 64, 200] {
        let found = equilibrium(&column(elements));
        assert_eq!(found["stability"], "unstable", "{elements}: {found:#}");
    }
}

fn equilibrium(text: &str) -> serde_json::Value {
    let place = Place::new();
    place.write("column.toml", text);
    let done = place.run(&["run", "column.toml", "--json"]).exits(0);
    done.json()["equilibria"][0].clone()
}

/// More than 400 degrees of freedom: sparse factorisations count what dense eigenvalues do on a coarser mesh.
#[test]
fn the_lowest_frequency_of_a_fine_mesh_equals_that_of_a_coarse_one() {
    for load in ["-13.8 N", "-1 N", "5 N"] {
        let text = |elements| column(elements).replace("-13.8 N", load);
        let [coarse, fine] = [80, 130].map(|elements| equilibrium(&text(elements)));
        assert_eq!(coarse["stability"], fine["stability"], "{load}");
        let squared = |found: &serde_json::Value| found["smallest_eigenvalue"].as_f64().unwrap();
        let (a, b) = (squared(&coarse), squared(&fine));
        assert!((a - b).abs() < 1e-5 * a.abs(), "{load}: {a} {b}");
    }
    // free to turn about its start
    let turning = |elements| {
        let text = column(elements).replace("type = \"weld\"", "type = \"revolute\"");
        equilibrium(&text.replace("-13.8 N", "0 N"))
    };
    let [coarse, fine] = [80, 130].map(turning);
    assert_eq!(coarse["stability"], "marginal");
    assert_eq!(
        (&fine["stability"], &fine["neutral_directions"]),
        (&coarse["stability"], &coarse["neutral_directions"])
    );
}

/// A cantilever in space that a force and a moment bend far.
const LATERAL: &str = r#"
format = 1
space = "spatial"
[parameters]
F = "6.25e7 N"
M = "5e8 N*m"
[[beam]]
name = "arm"
element = "exact"
from = [0, 0, 0]
to = ["2 m", 0, 0]
elements = 32
section = { type = "rectangle", width = "0.5 m", height = "0.1 m" }
young = "2.07e11 Pa"
density = 7850
[[joint]]
name = "clamp"
type = "weld"
between = ["ground", "arm.start"]
[[force]]
name = "push"
type = "force"
at = "arm.end"
value = [0, "-F", 0]
[[force]]
name = "turn"
type = "torque"
on = "arm.end"
axis = [0, 0, 1]
value = "-M"
[study]
analysis = "statics"
load_steps = 10
"#;

/// A cantilever that an end moment rolls up twice.
const ROLLED: &str = r#"
format = 1
space = "spatial"
[[beam]]
name = "strip"
element = "exact"
from = [0, 0, 0]
to = [1, 0, 0]
elements = 16
axial_stiffness = "1e4 N"
shear_stiffness = "1e4 N"
torsional_stiffness = "1 N*m^2"
bending_stiffness = "1 N*m^2"
mass_per_length = "1 kg/m"
[[joint]]
name = "clamp"
type = "weld"
between = ["ground", "strip.start"]
[[force]]
name = "moment"
type = "torque"
on = "strip.end"
value = "2*2*pi*(1 [N*m])"
axis = [0, 0, 1]
[study]
analysis = "statics"
load_steps = 8
[output]
signals = ["system.load", "strip.end"]
"#;

#[test]
fn stiff_beams_with_large_deflections_reach_equilibrium() {
    for (name, text, steps) in [("lateral", LATERAL, 10), ("rolled", ROLLED, 8)] {
        let place = Place::new();
        let file = format!("{name}.toml");
        place.write(&file, text);
        let done = place.run(&["run", &file, "--json"]).exits(0);
        let list = done.json()["equilibria"].as_array().unwrap().clone();
        assert_eq!(list.len(), steps, "{name}");
        for found in &list {
            let residual = found["residual"].as_f64().unwrap();
            assert!(residual < 1e-8, "{name}: {found:#}");
        }
    }
}

#[test]
fn load_steps_before_a_failed_one_are_recorded() {
    // a ball on a spring that a load pulls off its limit: the spring goes soft where the load passes 2 N
    let text = r#"
format = 1
space = "planar"
[[body]]
name = "ball"
mass = 1
inertia = 1
[[joint]]
name = "rail"
type = "prismatic"
between = ["ground", "ball"]
axis = [1, 0]
[[force]]
name = "hold"
type = "actuator"
joint = "rail"
effort = "-2 [N]*tanh(rail.position/(1 [m]))"
[[force]]
name = "pull"
type = "force"
at = "ball"
value = ["4 N", 0]
[study]
analysis = "statics"
load_steps = 8
"#;
    let place = Place::new();
    place.write("soft.toml", text);
    let done = place.run(&["run", "soft.toml", "--csv"]).exits(5);
    assert!(done.err.contains("more `load_steps`"), "{}", done.err);
    assert!(!done.err.contains("start_points"), "{}", done.err);
    assert!(done.err.contains("after row 3"), "{}", done.err);
}

#[test]
fn the_tolerance_of_the_balance_is_a_key_of_the_study() {
    let place = Place::new();
    let coarse = REST.replace("start_points = 8", "start_points = 8\ntolerance = 1e-4");
    place.write("rest.toml", &coarse);
    let _ = place.run(&["run", "rest.toml"]).exits(0);
    place.write(
        "bad.toml",
        &REST.replace("start_points = 8", "tolerance = 2"),
    );
    let done = place.run(&["check", "bad.toml"]).exits(3);
    assert!(done.err.contains("tolerance"), "{}", done.err);
}
