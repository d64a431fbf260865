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
fn equilibria_come_as_a_table_as_rows_and_as_json() {
    let place = Place::new();
    place.write("rest.toml", REST);
    let done = place.run(&["run", "rest.toml", "--csv"]).exits(0).says(&[
        "statics: 3 equilibria from 8 start points",
        "row  stability",
        "0    stable",
        "unstable",
        "leaves e-fold in 0.1724 s",
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
fn a_body_that_nothing_holds_is_named_and_nothing_is_replaced() {
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
fn options_of_motion_are_refused_where_nothing_moves() {
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
        let words = format!("{option}: the model asks for statics");
        let _ = place
            .run(&["run", "rest.toml", option, value])
            .exits(2)
            .says(&[&words]);
    }
    let _ = place
        .run(&["run", "rest.toml", "--plot"])
        .exits(2)
        .says(&["--plot: the model asks for statics"]);
    let _ = place
        .run(&["compare", "rest.toml"])
        .exits(2)
        .says(&["there is no motion to compare"]);
    let info = place.run(&["info", "rest.toml"]).exits(0);
    assert!(info.out.contains("equilibria from 8 start points"));
    let _ = place.run(&["check", "rest.toml"]).exits(0);
}

#[test]
fn a_motion_from_the_equilibrium_swings_about_it() {
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
    assert!(info.out.contains("motion from the equilibrium to 1 s"));
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
fn every_row_is_a_balance_of_its_own_however_large_the_forces_were_on_the_way() {
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
