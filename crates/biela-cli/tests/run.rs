//! `biela run`: results, options, repeatability, interruption.

mod common;

use std::time::{Duration, Instant};

use biela::record::Results;
use common::{Place, done};

#[test]
fn a_run_records_the_signals_of_the_model() {
    let place = Place::new().with("pendulum.toml");
    let done = place.run(&["run", "pendulum.toml"]).exits(0).says(&[
        "pendulum: finished at t = 1 s",
        "101 rows of 5 signals, every 0.01 s",
        "`lowest` at t = 0.",
        "results/pendulum",
        "next: biela plot results/pendulum",
    ]);
    assert_eq!(done.out, "");
    let results = Results::open(&place.path("results/pendulum")).unwrap();
    let names: Vec<&str> = results.columns().iter().map(|c| c.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "time",
            "pin.angle",
            "pin.rate",
            "rod.tip.x",
            "rod.tip.y",
            "energy.total"
        ]
    );
    assert_eq!(results.columns()[1].unit, "rad");
    // the pin is at the origin, so the tip stays on the unit circle
    let (x, y) = (
        results.column("rod.tip.x").unwrap(),
        results.column("rod.tip.y").unwrap(),
    );
    assert!(
        x.iter()
            .zip(y)
            .all(|(x, y)| (x.hypot(*y) - 1.0).abs() < 1e-12)
    );
    // a level start at rest has no energy, and keeps it
    assert!(
        results
            .column("energy.total")
            .unwrap()
            .iter()
            .all(|e| e.abs() < 1e-6)
    );
    // a uniform rod released level: ω² = 3 g sin(−θ) / l
    let (angle, rate) = (
        results.column("pin.angle").unwrap(),
        results.column("pin.rate").unwrap(),
    );
    for (angle, rate) in angle.iter().zip(rate) {
        assert!((rate * rate + 3.0 * 9.81 * angle.sin()).abs() < 1e-5);
    }
}

#[test]
fn the_manifest_contains_settings_and_errors_of_the_run() {
    let place = Place::new().with("pendulum.toml");
    let _ = place
        .run(&["run", "pendulum.toml", "--set", "mass=3"])
        .exits(0);
    let manifest = place.json("results/pendulum/manifest.json");
    assert_eq!(manifest["biela"], env!("CARGO_PKG_VERSION"));
    assert_eq!(
        manifest["model"]["digest"],
        biela::record::digest(&place.read("pendulum.toml"))
    );
    assert_eq!(manifest["options"]["set"][0], "mass=3");
    assert_eq!(manifest["options"]["integrator"]["type"], "dopri5");
    assert_eq!(manifest["status"]["state"], "finished");
    assert!(manifest["statistics"]["steps"].as_u64().unwrap() > 10);
    assert!(
        manifest["checks"]["largest_position_error"]
            .as_f64()
            .unwrap()
            < 1e-12
    );
    assert!(
        manifest["checks"]["relative_energy_error"]
            .as_f64()
            .unwrap()
            < 1e-6
    );
    assert!(manifest["timing"]["wall_seconds"].as_f64().unwrap() > 0.0);
    let events = manifest["events"].as_array().unwrap();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0]["name"], "lowest");
    // a quarter swing from level: t = √(2 l / 3 g) K(sin 45°)
    let quarter = (2.0_f64 / (3.0 * 9.81)).sqrt() * 1.854_074_677_301_371_9;
    assert!((events[0]["time"].as_f64().unwrap() - quarter).abs() < 1e-7);
}

#[test]
fn two_runs_give_the_same_bytes() {
    let place = Place::new().with("pendulum.toml");
    for dir in ["one", "two"] {
        let _ = place
            .run(&["run", "pendulum.toml", "--csv", "--plot", "--out", dir])
            .exits(0);
    }
    for file in ["data.arrows", "data.csv", "plot.svg", "plot.png"] {
        let (one, two) = (
            place.read(&format!("one/{file}")),
            place.read(&format!("two/{file}")),
        );
        assert!(!one.is_empty() && one == two, "{file}");
    }
}

#[test]
fn the_csv_has_names_and_every_digit() {
    let place = Place::new().with("pendulum.toml");
    let _ = place
        .run(&["run", "pendulum.toml", "--csv"])
        .exits(0)
        .says(&["data.csv"]);
    let csv = place.text("results/pendulum/data.csv");
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some("time,pin.angle,pin.rate,rod.tip.x,rod.tip.y,energy.total")
    );
    let results = Results::open(&place.path("results/pendulum")).unwrap();
    for (row, line) in lines.enumerate() {
        for (column, text) in line.split(',').enumerate() {
            let value: f64 = text.parse().unwrap();
            assert_eq!(
                value.to_bits(),
                results.series(column).unwrap()[row].to_bits()
            );
        }
    }
    assert_eq!(csv.lines().count(), 102);
}

#[test]
fn options_change_the_study() {
    let place = Place::new().with("pendulum.toml");
    let args = "run pendulum.toml --to 500ms --output-step 50ms --method augmented --integrator rk4 --step 2.5ms --json";
    let report = place
        .run(&args.split(' ').collect::<Vec<_>>())
        .exits(0)
        .json();
    assert_eq!(report["rows"], 11);
    assert_eq!(report["last_time"], 0.5);
    assert_eq!(report["statistics"]["steps"], 200);
    let largest = report["statistics"]["largest_step"].as_f64().unwrap();
    assert!((largest - 0.0025).abs() < 1e-12);
    let manifest = place.json("results/pendulum/manifest.json");
    assert_eq!(manifest["options"]["method"]["type"], "augmented");
    assert_eq!(manifest["options"]["integrator"]["step"], 0.0025);
}

#[test]
fn a_tighter_tolerance_takes_more_steps() {
    let place = Place::new().with("pendulum.toml");
    let steps = |tolerance: &str| {
        let args = ["run", "pendulum.toml", "--tolerance", tolerance, "--json"];
        place.run(&args).exits(0).json()["statistics"]["steps"]
            .as_u64()
            .unwrap()
    };
    assert!(steps("1e-11") > 2 * steps("1e-7"));
}

#[test]
fn a_run_with_large_errors_warns() {
    let place = Place::new().with("pendulum.toml");
    let run = |step: &str| {
        let fixed = [
            "--integrator",
            "rk4",
            "--step",
            step,
            "--to",
            "10 s",
            "--json",
        ];
        let args = [&["run", "pendulum.toml"][..], &fixed[..]].concat();
        place.run(&args).exits(0).json()["checks"]["warnings"].clone()
    };
    assert_eq!(run("1 ms").as_array().unwrap().len(), 0);
    let doubts = run("0.3 s");
    assert!(
        doubts[0].as_str().unwrap().contains("energy balance error"),
        "{doubts}"
    );
}

#[test]
fn a_parameter_can_be_overridden() {
    let place = Place::new().with("pendulum.toml");
    let _ = place
        .run(&["run", "pendulum.toml", "--set", "length=500 mm"])
        .exits(0);
    let results = Results::open(&place.path("results/pendulum")).unwrap();
    assert_eq!(results.column("rod.tip.x").unwrap()[0], 0.5);
}

#[test]
fn an_event_may_end_a_run() {
    let place = Place::new().with("stop.toml");
    let _ = place
        .run(&["run", "stop.toml"])
        .exits(0)
        .says(&["ended by event `floor`"]);
    let results = Results::open(&place.path("results/stop")).unwrap();
    let fall = (1.0_f64 / 9.81).sqrt();
    let manifest = place.json("results/stop/manifest.json");
    assert_eq!(manifest["status"]["state"], "event");
    assert!((manifest["status"]["time"].as_f64().unwrap() - fall).abs() < 1e-9);
    assert!((results.column("ball.y").unwrap().last().unwrap() + 0.5).abs() < 1e-9);
}

#[test]
fn reactions_that_are_not_unique_are_reported() {
    let place = Place::new().with("door.toml");
    let _ = place
        .run(&["run", "door.toml"])
        .exits(0)
        .says(&["the motion is unique, the reactions of `hinge_1`, `hinge_2` are not"]);
    let manifest = place.json("results/door/manifest.json");
    assert_eq!(manifest["checks"]["reactions_not_unique"][0], "hinge_1");
    assert_eq!(manifest["checks"]["redundant"][0]["rows"], 5);
    let results = Results::open(&place.path("results/door")).unwrap();
    let angle = results.column("hinge_1.angle").unwrap();
    assert!((angle.last().unwrap() - 0.5).abs() < 1e-9, "{angle:?}");
}

#[test]
fn a_model_without_study_records_its_start() {
    let place = Place::new().with("pendulum.toml");
    let text = place.text("pendulum.toml");
    let (before, after) = text.split_once("[study]").unwrap();
    let (_, output) = after.split_once("[output]").unwrap();
    place.write("start.toml", &format!("{before}[output]{output}"));
    let _ = place
        .run(&["run", "start.toml"])
        .exits(0)
        .says(&["initial state", "--to TIME"]);
    assert_eq!(
        Results::open(&place.path("results/pendulum"))
            .unwrap()
            .rows(),
        1
    );
    let _ = place
        .run(&["run", "start.toml", "--to", "1"])
        .exits(0)
        .says(&["finished at t = 1 s"]);
    assert_eq!(
        Results::open(&place.path("results/pendulum"))
            .unwrap()
            .rows(),
        501
    );
}

#[test]
fn quiet_prints_nothing_and_json_everything() {
    let place = Place::new().with("pendulum.toml");
    let done = place.run(&["run", "pendulum.toml", "--quiet"]).exits(0);
    assert_eq!((done.out.as_str(), done.err.as_str()), ("", ""));
    let done = place
        .run(&["run", "pendulum.toml", "--quiet", "--json", "--plot"])
        .exits(0);
    assert_eq!(done.err, "");
    let report = done.json();
    assert_eq!(report["status"], "done");
    assert_eq!(report["stop"]["state"], "finished");
    assert_eq!(report["results"], "results/pendulum");
    assert_eq!(report["events"][0]["name"], "lowest");
}

#[test]
fn a_name_that_is_not_a_valid_folder_name_gets_a_folder() {
    let place = Place::new().with("pendulum.toml");
    let text = place.text("pendulum.toml");
    place.write("odd.toml", &text.replace("\"pendulum\"", "\"../a b/c\""));
    let _ = place.run(&["run", "odd.toml"]).exits(0);
    assert!(place.path("results/a-b-c/manifest.json").exists());
}

#[test]
fn plots_of_earlier_results_are_removed() {
    let place = Place::new().with("pendulum.toml");
    let _ = place
        .run(&["run", "pendulum.toml", "--plot"])
        .exits(0)
        .says(&["drew"]);
    assert!(place.path("results/pendulum/plot.png").exists());
    let _ = place.run(&["run", "pendulum.toml"]).exits(0);
    assert!(!place.path("results/pendulum/plot.png").exists());
    let _ = place
        .run(&["run", "pendulum.toml", "--plot=swing.svg"])
        .exits(0);
    assert!(place.text("swing.svg").starts_with("<svg"));
}

/// An interrupt after some rows: everything recorded stays, the exit code is 130.
#[cfg(unix)]
#[test]
fn an_interrupt_keeps_the_recorded_rows() {
    let place = Place::new().with("pendulum.toml");
    let args = [
        "run",
        "pendulum.toml",
        "--to",
        "1e6",
        "--output-step",
        "0.02",
        "--json",
    ];
    let child = place.command(&args).spawn().unwrap();
    let data = place.path("results/pendulum/data.arrows");
    let began = Instant::now();
    while !std::fs::metadata(&data).is_ok_and(|about| about.len() > 100_000) {
        assert!(
            began.elapsed() < Duration::from_secs(30),
            "no rows were written"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    let pressed = Instant::now();
    let kill = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let done = done(child.wait_with_output().unwrap());
    assert!(
        pressed.elapsed() < Duration::from_secs(2),
        "{:?}",
        pressed.elapsed()
    );
    let done = done.exits(130).says(&["pendulum: interrupted at t = "]);
    let report = done.json();
    assert_eq!(report["status"], "interrupted");
    let results = Results::open(&place.path("results/pendulum")).unwrap();
    assert!(results.is_complete());
    assert_eq!(report["rows"], results.rows());
    assert!(results.rows() > 1000);
    assert_eq!(
        place.json("results/pendulum/manifest.json")["status"]["state"],
        "interrupted"
    );
    assert!(!place.path("results/pendulum/biela.lock").exists());
}
