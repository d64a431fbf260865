//! External inputs in model files, and `biela run --input`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::Place;

/// A carriage of 2 kg that an input pushes.
fn cart(hold: &str) -> String {
    format!(
        r#"format = 1
name = "cart"
space = "planar"
[[body]]
name = "cart"
mass = "2 kg"
inertia = 1
[[joint]]
name = "rail"
type = "prismatic"
between = ["ground", "cart"]
[[input]]
name = "push"
unit = "N"
initial = "1 N"
hold = "{hold}"
[[force]]
name = "motor"
type = "actuator"
joint = "rail"
effort = "push"
[study]
duration = "4 s"
output_step = "0.5 s"
[output]
signals = ["push", "rail.position", "rail.rate", "energy.balance"]
"#
    )
}

const TABLE: &str =
    "# of the test bench\ntime [ms], other [m], push [kN]\n0, 7, 0\n1000, 7, 0.004\n2000, 7, 0\n";

/// Recorded rows as numbers.
fn rows(place: &Place, folder: &str) -> Vec<Vec<f64>> {
    let text = place.text(&format!("{folder}/data.csv"));
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|row| row.split(',').map(|cell| cell.parse().unwrap()).collect())
        .collect()
}

#[test]
fn an_input_follows_its_table_with_either_hold_and_any_integrator() {
    for (hold, velocity) in [("zero", 2.0), ("linear", 2.0)] {
        for options in [
            &["--integrator", "rk4", "--step", "7ms"][..],
            &["--formulation", "tree"],
            &["--integrator", "bdf"],
        ] {
            let place = Place::new();
            place.write("cart.toml", &cart(hold));
            place.write("push.csv", TABLE);
            let words = [
                "run",
                "cart.toml",
                "--csv",
                "--quiet",
                "--input",
                "push=push.csv",
            ];
            let _ = place.run(&[&words[..], options].concat()).exits(0);
            let rows = rows(&place, "results/cart");
            let at = |time: f64| {
                rows.iter()
                    .find(|row| (row[0] - time).abs() < 1e-9)
                    .unwrap()
            };
            let expected = if hold == "zero" {
                [0.0, 4.0, 0.0]
            } else {
                [2.0, 2.0, 0.0]
            };
            for (time, push) in [0.5, 1.5, 3.0].into_iter().zip(expected) {
                assert!(
                    (at(time)[1] - push).abs() < 1e-9,
                    "{hold} {options:?} {time}"
                );
            }
            let last = rows.last().unwrap();
            assert!(
                (last[3] - velocity).abs() < 1e-4,
                "{hold} {options:?}: {last:?}"
            );
            // bdf does not control the error of the work, which is not an unknown of the motion
            let balance = if options.contains(&"bdf") { 0.05 } else { 1e-3 };
            assert!(last[4].abs() < balance, "{hold} {options:?}: {last:?}");
        }
    }
}

#[test]
fn without_a_table_the_initial_value_stays_and_a_value_replaces_it() {
    let place = Place::new();
    place.write("cart.toml", &cart("zero"));
    for (options, velocity) in [(&[][..], 2.0), (&["--input", "push=0.0035 kN"], 7.0)] {
        let words = ["run", "cart.toml", "--csv", "--quiet"];
        let _ = place.run(&[&words[..], options].concat()).exits(0);
        let last = rows(&place, "results/cart").pop().unwrap();
        assert!((last[3] - velocity).abs() < 1e-9, "{last:?}");
    }
    let inputs = &place.json("results/cart/manifest.json")["options"]["inputs"];
    assert_eq!(inputs["push"], "0.0035 kN");
    let info = place.run(&["info", "cart.toml", "--json"]).exits(0).json();
    assert_eq!(info["inputs"][0]["unit"], "N");
    let _ = place.run(&["info", "cart.toml"]).exits(0);
}

#[test]
fn invalid_inputs_are_rejected_with_a_remedy() {
    let place = Place::new();
    place.write("cart.toml", &cart("linear"));
    let tables = [
        (
            "unit.csv",
            "time, push [m]\n0, 1\n",
            "column `push` has the unit m; N is required",
        ),
        (
            "order.csv",
            "time, push\n1, 1\n1, 2\n",
            "sort the rows by time",
        ),
        (
            "text.csv",
            "time, push\n0, one\n",
            "line 2: `one` is not a finite number",
        ),
        (
            "cells.csv",
            "time, push\n0\n",
            "line 2 has 1 cells, the header 2",
        ),
        ("other.csv", "time, a, b\n0, 1, 2\n", "no column `push`"),
        ("empty.csv", "\n", "no header"),
        ("rows.csv", "time, push\n", "the table has no rows"),
    ];
    let refused = |option: &str, words: &str| {
        let _ = place
            .run(&["run", "cart.toml", "--input", option])
            .exits(2)
            .says(&["--input", words]);
    };
    for (name, text, words) in tables {
        place.write(name, text);
        refused(&format!("push={name}"), words);
    }
    refused("pusch=3", "did you mean `push`?");
    refused("push", "write NAME=FILE or NAME=VALUE");
    refused("push=gone.csv", "there is no such file");
    refused("push=3 m", "3 m");
}
