//! The command `biela sweep`.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use common::Place;

/// The slider-crank of the gallery, one of many made by a workshop.
const MODEL: &str = include_str!("../../../examples/studies/slider-crank-tolerances/model.toml");

/// The slider-crank with so many points.
fn slider_crank(points: usize) -> Place {
    let place = Place::new();
    place.write(
        "model.toml",
        &MODEL.replace("points = 1000", &format!("points = {points}")),
    );
    place
}

fn sweep(place: &Place, options: &[&str]) -> common::Done {
    let mut args = vec!["sweep", "model.toml"];
    args.extend(options);
    place.run(&args)
}

/// A pendulum whose mass must not be negative.
const PENDULUM: &str = r#"
format = 1
name = "pendulum"
space = "planar"
gravity = [0, -9.81]
[parameters]
mass = "1 kg"
length = "1 m"
[[body]]
name = "bob"
mass = "mass"
inertia = 0.1
com = ["length", 0]
[[joint]]
name = "pin"
type = "revolute"
between = ["ground", "bob"]
[[event]]
name = "bottom"
when = "pin.angle + 90 deg"
[study]
duration = "1 s"
[[measure]]
name = "fall"
event = "bottom"
[[measure]]
name = "speed"
of = "bob.omega"
take = "min"
[sweep]
plan = "grid"
vary.mass = { values = ["-1 kg", "1 kg", "2 kg"] }
vary.length = { from = "0.5 m", to = "1.5 m", levels = 3 }
"#;

fn pendulum() -> Place {
    let place = Place::new();
    place.write("model.toml", PENDULUM);
    place
}

#[test]
fn the_table_is_the_same_for_one_to_eight_threads() {
    let place = slider_crank(24);
    let table = |threads: usize| {
        let threads = threads.to_string();
        let _ = sweep(
            &place,
            &["--threads", &threads, "--out", &threads, "--quiet"],
        )
        .exits(0);
        place.read(&format!("{threads}/table.parquet"))
    };
    let alone = table(1);
    for threads in 2..=8 {
        assert!(table(threads) == alone, "{threads} threads");
    }
}

#[test]
fn measures_are_those_of_a_single_run() {
    let place = slider_crank(3);
    let _ = sweep(&place, &["--csv", "--quiet", "--histories", "--out", "s"]).exits(0);
    let text = place.text("s/table.csv");
    let mut lines = text.lines();
    let heading: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(
        heading[..3],
        ["point", "crank [m]", "rod [m]"],
        "parameters in the order written"
    );
    let row: Vec<&str> = lines.next().unwrap().split(',').collect();
    let mut args = vec![
        "run".to_owned(),
        "model.toml".into(),
        "--out".into(),
        "r".into(),
    ];
    for (name, value) in ["crank", "rod", "offset", "load", "mu"]
        .iter()
        .zip(&row[1..])
    {
        args.push(format!("--set={name}={value}"));
    }
    args.extend(["--csv".to_owned(), "--quiet".into(), "--no-motion".into()]);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let _ = place.run(&args).exits(0);
    let results = biela::record::Results::open(&place.path("r")).unwrap();
    let x = results.column("slider.x").unwrap();
    let range =
        x.iter().copied().fold(f64::MIN, f64::max) - x.iter().copied().fold(f64::MAX, f64::min);
    let stroke: f64 = row[6].parse().unwrap();
    assert_eq!(stroke, range);
    let kept = biela::record::Results::open(&place.path("s/points/000000")).unwrap();
    assert_eq!(kept.column("slider.x"), Some(x), "the history of the point");
}

/// Starts a sweep and kills it as soon as its journal has grown.
fn kill_midway(place: &Place, journal: &str, mut child: Child) {
    let length = |name: &str| std::fs::metadata(place.path(name)).map_or(0, |about| about.len());
    let (before, began) = (length(journal), Instant::now());
    while length(journal) < before + 300 && child.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < Duration::from_mins(1), "no progress");
        std::thread::sleep(Duration::from_millis(1));
    }
    // SIGKILL: nothing in the process learns of it
    child.kill().unwrap();
    let _ = child.wait().unwrap();
}

fn survive(points: usize, kills: usize) {
    let place = slider_crank(points);
    let _ = sweep(&place, &["--out", "whole", "--quiet"]).exits(0);
    for _ in 0..kills {
        let mut command = place.command(&["sweep", "model.toml", "--out", "killed", "--quiet"]);
        let child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        kill_midway(&place, "killed/journal.txt", child);
    }
    let rest = sweep(&place, &["--out", "killed"]).exits(0);
    assert!(rest.err.contains("continuing after"), "{}", rest.err);
    assert_eq!(
        place.read("killed/table.parquet"),
        place.read("whole/table.parquet")
    );
}

#[test]
fn a_killed_sweep_resumes_to_the_same_table() {
    survive(80, 3);
}

#[test]
#[ignore = "a minute: cargo test --release -p biela-cli --test sweep -- --ignored"]
fn a_thousand_points_survive_ten_kills_and_are_identical_for_any_number_of_threads() {
    survive(1000, 10);
    let place = slider_crank(1000);
    let mut times = Vec::new();
    for threads in ["1", "2", "4"] {
        let began = Instant::now();
        let _ = sweep(&place, &["--threads", threads, "--out", threads, "--quiet"]).exits(0);
        times.push((threads, began.elapsed()));
    }
    println!("{times:?}");
    let table = |threads: &str| place.read(&format!("{threads}/table.parquet"));
    assert!(table("1") == table("2") && table("1") == table("4"));
}

#[test]
fn gathered_parts_equal_the_whole_table_after_any_failure_of_one() {
    let place = slider_crank(60);
    let _ = sweep(&place, &["--out", "whole", "--quiet"]).exits(0);
    let _ = sweep(&place, &["--out", "parts", "--part", "1/3", "--quiet"]).exits(0);
    let mut command = place.command(&["sweep", "model.toml", "--out", "parts", "--part", "2/3"]);
    let child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    kill_midway(&place, "parts/journal-2-of-3.txt", child);
    let _ = sweep(&place, &["--out", "parts", "--part", "3/3"])
        .exits(0)
        .says(&["part 3/3: 20 points computed, 0 failed"]);
    let _ = sweep(&place, &["--out", "parts", "--gather"])
        .exits(2)
        .says(&["of 60 points are missing", "compute the unfinished parts"]);
    let _ = sweep(&place, &["--out", "parts", "--part", "2/3", "--quiet"]).exits(0);
    let _ = sweep(&place, &["--out", "parts", "--gather", "--quiet"]).exits(0);
    assert_eq!(
        place.read("parts/table.parquet"),
        place.read("whole/table.parquet")
    );
}

#[test]
fn failed_points_are_rows_with_a_reason_and_the_others_continue() {
    let place = pendulum();
    let done = sweep(&place, &["--csv", "--json", "--out", "s"]).exits(0);
    let done = done.says(&["9 points over mass, length", "3 points (0, 1, 2)", "mass"]);
    let told = done.json();
    assert_eq!(told["points"], 9);
    assert_eq!(told["failed"].as_array().unwrap().len(), 3);
    assert_eq!(told["measures"][1]["values"], 6);
    let text = place.text("s/table.csv");
    assert!(
        text.lines().nth(1).unwrap().starts_with("0,-1.0,0.5,,,"),
        "{text}"
    );
}

#[test]
fn a_sweep_whose_points_all_fail_exits_with_an_error() {
    let place = Place::new();
    let text = PENDULUM.replace("[\"-1 kg\", \"1 kg\", \"2 kg\"]", "[\"-1 kg\"]");
    place.write("model.toml", &text);
    let _ = sweep(&place, &[]).exits(5).says(&["speed: no value"]);
}

#[test]
fn another_model_or_plan_in_the_folder_is_rejected_with_the_difference() {
    let place = slider_crank(4);
    let _ = sweep(&place, &["--out", "s", "--quiet"]).exits(0);
    let text = place.text("model.toml");
    place.write("model.toml", &text.replace("2 kg", "3 kg"));
    let _ = sweep(&place, &["--out", "s"])
        .exits(2)
        .says(&["the model has changed", "--fresh"]);
    place.write("model.toml", &text.replace("seed = 1", "seed = 2"));
    let _ = sweep(&place, &["--out", "s"])
        .exits(2)
        .says(&["the values of the parameters have changed"]);
    let _ = sweep(&place, &["--out", "s", "--fresh", "--quiet"]).exits(0);
    place.write("model.toml", &text);
    let _ = sweep(&place, &["--out", "s", "--set", "speed=1000 rpm"]).exits(2);
}

#[test]
fn a_missing_sweep_or_measure_is_reported_with_an_example() {
    let place = Place::new();
    let text = PENDULUM;
    let (before, _) = text.split_once("[sweep]").unwrap();
    place.write("model.toml", before);
    let _ = sweep(&place, &[]).exits(2).says(&["has no [sweep]"]);
    let without = text.replace("[[measure]]\nname = \"fall\"\nevent = \"bottom\"", "");
    let without = without.replace(
        "[[measure]]\nname = \"speed\"\nof = \"bob.omega\"\ntake = \"min\"",
        "",
    );
    place.write("model.toml", &without);
    let _ = sweep(&place, &[]).exits(2).says(&["has no measure"]);
}

/// The processes that another has started.
fn children(parent: u32) -> Vec<u32> {
    let path = format!("/proc/{parent}/task/{parent}/children");
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.split_whitespace()
        .filter_map(|id| id.parse().ok())
        .collect()
}

#[test]
#[cfg(target_os = "linux")]
fn a_worker_that_is_killed_is_started_again_and_the_table_is_the_same() {
    let place = slider_crank(200);
    let _ = sweep(&place, &["--out", "whole", "--quiet"]).exits(0);
    let args = [
        "sweep",
        "model.toml",
        "--out",
        "local",
        "--on",
        "local",
        "--parts",
        "3",
    ];
    let master = place.command(&args).spawn().unwrap();
    let journal = place.path("local/journal-2-of-3.txt");
    let began = Instant::now();
    while std::fs::metadata(&journal).map_or(0, |about| about.len()) < 300 {
        assert!(began.elapsed() < Duration::from_mins(1), "no progress");
        std::thread::sleep(Duration::from_millis(1));
    }
    let of_part_two = |id: &u32| {
        let words = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&words).contains("2/3")
    };
    let victim = children(master.id()).into_iter().find(of_part_two).unwrap();
    let killed = std::process::Command::new("kill")
        .args(["-9", &victim.to_string()])
        .status();
    assert!(killed.unwrap().success());
    let _ = common::done(master.wait_with_output().unwrap())
        .exits(0)
        .says(&["part 2/3 was lost", "restarted"]);
    assert_eq!(
        place.read("local/table.parquet"),
        place.read("whole/table.parquet")
    );
}

#[test]
#[cfg(unix)]
fn an_interrupt_keeps_the_points_that_are_finished() {
    let place = slider_crank(400);
    let child = place
        .command(&["sweep", "model.toml", "--out", "s"])
        .spawn()
        .unwrap();
    let journal = place.path("s/journal.txt");
    let began = Instant::now();
    while std::fs::metadata(&journal).map_or(0, |about| about.len()) < 500 {
        assert!(began.elapsed() < Duration::from_mins(1), "no progress");
        std::thread::sleep(Duration::from_millis(1));
    }
    let interrupt = ["-INT", &child.id().to_string()];
    let sent = std::process::Command::new("kill").args(interrupt).status();
    assert!(sent.unwrap().success());
    let _ = common::done(child.wait_with_output().unwrap())
        .exits(130)
        .says(&["of 400 points are kept", "the same command continues"]);
    assert!(!place.path("s/table.parquet").exists());
    let known = place.text("s/journal.txt").lines().count() - 1;
    let _ = sweep(&place, &["--out", "s"])
        .exits(0)
        .says(&[&format!("continuing after {known} of 400 points")]);
}

#[test]
fn the_script_for_slurm_computes_the_parts() {
    let place = slider_crank(12);
    let _ = sweep(&place, &["--out", "s", "--on", "slurm", "--parts", "3"])
        .exits(0)
        .says(&["sweep.sbatch", "--gather"]);
    let script = place.text("s/sweep.sbatch");
    assert!(script.contains("#SBATCH --array=1-3"), "{script}");
    for task in ["1", "2", "3"] {
        let mut shell = std::process::Command::new("sh");
        let ran = shell
            .arg(place.path("s/sweep.sbatch"))
            .env("SLURM_ARRAY_TASK_ID", task)
            .status();
        assert!(ran.unwrap().success());
    }
    let _ = sweep(&place, &["--out", "s", "--gather", "--quiet"]).exits(0);
    let _ = sweep(&place, &["--out", "whole", "--quiet"]).exits(0);
    assert_eq!(
        place.read("s/table.parquet"),
        place.read("whole/table.parquet")
    );
}

#[test]
fn a_missing_job_scheduler_is_reported() {
    let place = slider_crank(2);
    let mut command = place.command(&["sweep", "model.toml", "--on", "hyperqueue"]);
    let done = common::done(command.env("PATH", "").output().unwrap());
    let _ = done.exits(2).says(&["cannot start hq", "--on local"]);
}
