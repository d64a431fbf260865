//! The command `biela compare`.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::{Done, Place};
use serde_json::Value;

/// The four-bar linkage of the gallery, for one second.
const FOUR_BAR: &str = include_str!("../../../examples/mechanisms/four-bar/model.toml");

fn four_bar() -> Place {
    let place = Place::new();
    place.write("model.toml", FOUR_BAR);
    place
}

fn compare(place: &Place, options: &[&str]) -> Done {
    let mut args = vec!["compare", "model.toml", "--to", "1", "--quiet"];
    args.extend(options);
    place.run(&args)
}

/// The lines of JSON: the reference, and the combinations.
#[track_caller]
fn lines(done: &Done) -> (Value, Vec<Value>) {
    let parse = |line: &str| serde_json::from_str::<Value>(line).unwrap();
    let mut all: Vec<Value> = done.out.lines().map(parse).collect();
    let reference = all.remove(0);
    assert_eq!(reference["role"], "reference");
    assert!(all.iter().all(|line| line["role"] == "combination"));
    (reference, all)
}

#[track_caller]
fn row<'l>(list: &'l [Value], method: &str, integrator: &str) -> &'l Value {
    let found = list
        .iter()
        .find(|line| line["method"] == method && line["integrator"] == integrator);
    found.unwrap_or_else(|| panic!("no {method}/{integrator}"))
}

const SIX: &[&str] = &[
    "--methods",
    "schur,tangent",
    "--integrators",
    "rk4,dopri5,bdf",
    "--tolerance",
    "1e-7",
];

#[test]
fn every_combination_has_a_row_and_that_of_the_model_a_star() {
    let place = four_bar();
    let done = compare(&place, SIX).exits(0);
    let heading = done.out.lines().find(|line| line.contains("evaluations"));
    let heading = heading.unwrap();
    for column in [
        "method",
        "integrator",
        "CPU (s)",
        "steps",
        "rejected",
        "energy",
        "distance",
    ] {
        assert!(heading.contains(column), "{heading}");
    }
    for method in ["schur", "tangent"] {
        for integrator in ["rk4", "dopri5", "bdf"] {
            let wanted = [method, integrator];
            let words = |line: &str| line.split_whitespace().take(2).eq(wanted);
            assert_eq!(done.out.lines().filter(|line| words(line)).count(), 1);
        }
    }
    let mut stars = done
        .out
        .lines()
        .filter(|line| line.starts_with("  *  projection"));
    let own = stars.next().unwrap();
    assert!(own.contains("dopri5") && own.contains("1e-10") && stars.next().is_none());
    // numbers stand below the end of their heading
    let end = heading.find("evaluations").unwrap() + "evaluations".len();
    assert!(own.as_bytes()[end - 1].is_ascii_digit() && own.as_bytes()[end] == b' ');
}

#[test]
fn distances_are_within_the_accuracy_of_the_integrators() {
    let place = four_bar();
    let mut options = SIX.to_vec();
    options.push("--json");
    let (reference, list) = lines(&compare(&place, &options).exits(0));
    assert_eq!(reference["integrator"], "dop853");
    assert_eq!(reference["tolerance"], 1e-12);
    assert_eq!(list.len(), 7);
    for (integrator, bound) in [("rk4", 1e-7), ("dopri5", 1e-5), ("bdf", 1e-3)] {
        for method in ["schur", "tangent"] {
            let line = row(&list, method, integrator);
            assert_eq!(line["status"], "finished");
            let distance = line["distance"].as_f64().unwrap();
            // no two integrators agree to the last bit
            assert!(distance > 1e-14 && distance < bound, "{line:#}");
            assert!(line["steps"].as_u64().unwrap() > 50);
            assert!(line["cpu_seconds"].as_f64().unwrap() > 0.0);
            assert!(line["relative_energy_error"].as_f64().unwrap() < bound);
        }
    }
    let own: Vec<&Value> = list.iter().filter(|line| line["own"] == true).collect();
    assert_eq!(own.len(), 1);
    assert_eq!(own[0]["method"], "projection");
    assert!(own[0]["distance"].as_f64().unwrap() < 1e-7);
    assert!(own[0]["largest_position_error"].as_f64().unwrap() < 1e-12);
}

#[test]
fn a_tighter_tolerance_is_closer_to_the_reference() {
    let place = four_bar();
    let options = [
        "--integrators",
        "dopri5",
        "--tolerance",
        "1e-4,1e-6,1e-8",
        "--json",
    ];
    let (_, list) = lines(&compare(&place, &options).exits(0));
    let distance = |tolerance: f64| {
        let line = list.iter().find(|line| line["tolerance"] == tolerance);
        line.unwrap()["distance"].as_f64().unwrap()
    };
    assert!(distance(1e-4) > 10.0 * distance(1e-6));
    assert!(distance(1e-6) > 10.0 * distance(1e-8));
}

#[test]
fn the_reference_has_zero_distance_from_itself() {
    let place = four_bar();
    let options = [
        "--reference",
        "schur/rk4/2 ms",
        "--methods",
        "schur",
        "--integrators",
        "rk4",
        "--step",
        "2 ms",
        "--json",
    ];
    let (reference, list) = lines(&compare(&place, &options).exits(0));
    assert_eq!(reference["step"], 0.002);
    let same = row(&list, "schur", "rk4");
    assert_eq!(same["distance"], 0.0);
    assert_eq!(same["evaluations"], reference["evaluations"]);
}

#[test]
fn one_combination_that_fails_does_not_stop_the_others() {
    let place = four_bar();
    let options = ["--integrators", "rk4,dop853", "--step", "0.5 s"];
    let done = compare(&place, &options).exits(0);
    let stopped = done
        .out
        .lines()
        .filter(|line| line.contains("stopped at t ="));
    assert_eq!(stopped.count(), 1, "{}", done.out);
    assert!(done.out.contains("cannot be closed"), "{}", done.out);
    let mut options = options.to_vec();
    options.push("--json");
    let (_, list) = lines(&compare(&place, &options).exits(0));
    let failed = row(&list, "projection", "rk4");
    assert_eq!(failed["status"], "failed");
    assert!(
        failed["message"]
            .as_str()
            .unwrap()
            .contains("cannot be closed")
    );
    assert!(failed["distance"].is_null());
    assert_eq!(row(&list, "projection", "dop853")["status"], "finished");
}

#[test]
fn a_failed_reference_is_reported() {
    let place = four_bar();
    let options = [
        "--integrators",
        "dopri5",
        "--reference",
        "projection/rk4/0.5 s",
    ];
    let done = compare(&place, &options).exits(5);
    let done = done.says(&["the reference run stopped", "--reference"]);
    assert!(done.out.contains("dopri5"));
}

#[test]
fn misspelt_words_are_reported_with_a_suggestion() {
    let place = four_bar();
    for (options, words) in [
        (["--methods", "shur"], ["`shur`", "did you mean `schur`?"]),
        (
            ["--integrators", "rk4,dopri6"],
            ["`dopri6`", "did you mean `dopri5`?"],
        ),
        (
            ["--formulations", "absolut"],
            ["`absolut`", "did you mean `absolute`?"],
        ),
        (
            ["--of", "cuopler"],
            ["`cuopler`", "did you mean `coupler`?"],
        ),
        (
            ["--reference", "dop853"],
            ["--reference", "METHOD/INTEGRATOR"],
        ),
        (
            ["--reference", "projection/dop835"],
            ["--reference", "did you mean `dop853`?"],
        ),
        (["--tolerance", "-1"], ["--tolerance", "must be positive"]),
    ] {
        let _ = compare(&place, &options).exits(2).says(&words);
    }
    let options = ["--integrators", "rk4", "--tolerance", "1e-6"];
    let says = ["--tolerance: none of the integrators has a tolerance"];
    let _ = compare(&place, &options).exits(2).says(&says);
}

#[test]
fn a_model_without_study_needs_a_time() {
    let place = Place::new();
    let end = FOUR_BAR.find("[study]").unwrap();
    place.write("model.toml", &FOUR_BAR[..end]);
    let args = ["compare", "model.toml", "--integrators", "rk4"];
    let _ = place.run(&args).exits(2).says(&["--to TIME"]);
    let (_, list) = lines(&compare(&place, &["--integrators", "rk4", "--json"]).exits(0));
    assert!(
        row(&list, "projection", "rk4")["distance"]
            .as_f64()
            .unwrap()
            < 1e-6
    );
}

#[test]
fn only_the_motion_named_is_compared() {
    let place = four_bar();
    let options = ["--integrators", "rk4", "--of", "rocker,O", "--json"];
    let (_, list) = lines(&compare(&place, &options).exits(0));
    for line in &list {
        let signal = line["furthest_signal"].as_str().unwrap();
        assert!(
            signal.starts_with("rocker.") || signal.starts_with("O."),
            "{signal}"
        );
    }
}

#[test]
fn the_work_precision_diagram_is_drawn() {
    let place = four_bar();
    let options = [
        "--integrators",
        "dopri5,abm",
        "--tolerance",
        "1e-4,1e-8",
        "--plot",
    ];
    let _ = compare(&place, &options).exits(0);
    let svg = place.text("compare.svg");
    for text in ["projection/abm", "projection/dopri5", "CPU time (s)"] {
        assert!(svg.contains(text), "no {text:?}");
    }
    let options = [
        "--integrators",
        "rk4",
        "--plot=out.png",
        "--against",
        "evaluations",
    ];
    let _ = compare(&place, &options).exits(0);
    assert!(place.read("out.png").starts_with(b"\x89PNG"));
    let _ = compare(&place, &["--plot=out.pdf"])
        .exits(2)
        .says(&[".svg or .png"]);
}

/// A ball that falls on a floor with a given stiffness.
const BALL: &str = r#"
format = 1
name = "ball"
space = "planar"
gravity = [0, -9.81]

[[body]]
name = "ball"
mass = "1 kg"
inertia = 0.004
position = [0, "0.3 m"]

[[contact]]
name = "floor"
between = ["ground", "ball"]
surfaces = [{ type = "line" }, { type = "circle", radius = "0.1 m" }]
restitution = 0.8
stiffness = "1e6 N/m"

[study]
duration = "1 s"
output_step = "10 ms"
integrator = { type = "dopri5", tolerance = 1e-9 }
"#;

#[test]
fn rigid_and_compliant_contacts_are_compared() {
    let place = Place::new();
    place.write("model.toml", BALL);
    let options = ["--contacts", "all", "--integrators", "dopri5", "--json"];
    let done = compare(&place, &options).exits(0);
    let (_, rows) = lines(&done);
    let of = |word: &str| rows.iter().find(|row| row["contact"] == word).unwrap();
    let (rigid, elastic) = (of("events"), of("compliant"));
    assert_eq!(rows.len(), 2);
    assert_eq!(rigid["own"], true);
    // at √(2h/g) (1 + 2e + 2e² + 2e³) = 0.99 s the last
    assert_eq!(rigid["impacts"], 4);
    assert_eq!(rigid["largest_penetration"], 0.0);
    // m v²/2 = k δ²/2 without dissipation
    let bound = (2.0 * 9.81 * 0.2_f64 / 1e6).sqrt();
    let deepest = elastic["largest_penetration"].as_f64().unwrap();
    assert!(deepest > 0.5 * bound && deepest < bound, "{deepest}");
    assert!(rigid["distance"].as_f64().unwrap() < 1e-8);
    assert!(elastic["distance"].as_f64().unwrap() > 1e-4);

    let table = compare(&place, &options[..4]).exits(0);
    for column in ["contacts", "impacts", "penetration", "compliant"] {
        assert!(table.out.contains(column), "{}", table.out);
    }
    let wrong = compare(&place, &["--contacts", "complaint"]).exits(2);
    assert!(
        wrong.err.contains("did you mean `compliant`?"),
        "{}",
        wrong.err
    );
}
