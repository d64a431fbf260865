//! `biela sweep --on local`: signals and kills end parent and workers, nothing is left running, and the same command goes on to the same table.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use biela::core::math::Random;
use common::{Place, done};

/// The slider-crank of the gallery, one of many made by a workshop.
const MODEL: &str = include_str!("../../../examples/studies/slider-crank-tolerances/model.toml");
const SWEEP: [&str; 7] = [
    "sweep",
    "model.toml",
    "--on",
    "local",
    "--parts",
    "3",
    "--out",
];
/// What ends workers whose parent is gone takes no longer than this, whatever else the machine does.
const PATIENCE: Duration = Duration::from_mins(1);

fn slider_crank(points: usize) -> Place {
    let place = Place::new();
    place.write(
        "model.toml",
        &MODEL.replace("points = 1000", &format!("points = {points}")),
    );
    let whole = place.run(&["sweep", "model.toml", "--out", "whole", "--quiet"]);
    let _ = whole.exits(0);
    place
}

fn begin(place: &Place) -> Child {
    let mut command = place.command(&[&SWEEP[..], &["out"]].concat());
    // a worker that outlives its parent must not keep a pipe of the test open
    command.stderr(Stdio::null()).spawn().unwrap()
}

/// The processes of this folder: the words of a worker have its path in them, and a parent works in it.
fn processes(place: &Place) -> Vec<u32> {
    let folder = place.path(".").canonicalize().unwrap();
    let is_ours = |id: &u32| {
        let words = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        let place = std::fs::read_link(format!("/proc/{id}/cwd"));
        String::from_utf8_lossy(&words).contains("sweep") && place.is_ok_and(|at| at == folder)
    };
    let entries = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(is_ours).collect()
}

/// Waits until no process of this folder is left; those that outlive the patience, and how long it took.
fn orphans(place: &Place) -> (Vec<u32>, Duration) {
    let began = Instant::now();
    loop {
        let (left, time) = (processes(place), began.elapsed());
        if left.is_empty() || time > PATIENCE {
            return (left, time);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Points that are known in all journals.
fn known(place: &Place) -> usize {
    let Ok(entries) = std::fs::read_dir(place.path("out")) else {
        return 0;
    };
    let lines = |entry: std::fs::DirEntry| {
        let name = entry.file_name().into_string().unwrap();
        let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
        let points = text.lines().filter(|line| !line.starts_with('#')).count();
        if name.starts_with("journal") {
            points
        } else {
            0
        }
    };
    entries.filter_map(Result::ok).map(lines).sum()
}

/// Waits until so many points are known, or the sweep is over.
#[track_caller]
fn await_points(place: &Place, child: &mut Child, points: usize) {
    let began = Instant::now();
    while known(place) < points && child.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < PATIENCE, "no progress");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn send(signal: &str, process: u32) -> bool {
    let mut kill = Command::new("kill");
    let _ = kill.args([signal, &process.to_string()]);
    kill.stderr(Stdio::null()).status().unwrap().success()
}

/// The same command comes to the table of the whole.
#[track_caller]
fn goes_on(place: &Place) {
    let args = [&SWEEP[..], &["out"]].concat();
    let _ = place.run(&args).exits(0);
    assert!(place.read("out/table.parquet") == place.read("whole/table.parquet"));
}

#[test]
fn signals_end_parent_and_workers_and_keep_the_points() {
    let place = slider_crank(300);
    for signal in ["-INT", "-TERM", "-HUP"] {
        let mut command = place.command(&[&SWEEP[..], &["out"]].concat());
        let mut parent = command.spawn().unwrap();
        await_points(&place, &mut parent, 6);
        assert!(send(signal, parent.id()));
        let ended = done(parent.wait_with_output().unwrap()).exits(130);
        let _ = ended.says(&["interrupted: the computed points are kept"]);
        assert!(processes(&place).is_empty(), "after {signal}");
        let points = known(&place);
        assert!((6..300).contains(&points), "{signal}: {points} points");
        assert!(!place.path("out/table.parquet").exists());
        goes_on(&place);
        std::fs::remove_dir_all(place.path("out")).unwrap();
    }
}

#[test]
fn two_sweeps_on_workers_in_one_folder_are_distinguished() {
    let place = slider_crank(300);
    let mut first = begin(&place);
    await_points(&place, &mut first, 1);
    let second = place.run(&[&SWEEP[..], &["out"]].concat()).exits(2);
    let _ = second.says(&[&format!(
        "another run is writing here (process {})",
        first.id()
    )]);
    let fresh = place
        .run(&[&SWEEP[..], &["out", "--fresh"]].concat())
        .exits(2);
    let _ = fresh.says(&["is being written by another process"]);
    assert!(send("-INT", first.id()));
    assert_eq!(first.wait().unwrap().code(), Some(130));
    goes_on(&place);
}

#[test]
fn a_failed_worker_leaves_no_other_process() {
    let place = slider_crank(300);
    // a link in the place of a journal is refused by its worker, while the others are at work
    std::fs::create_dir(place.path("out")).unwrap();
    place.write("journal.txt", "");
    let journal = place.path("out/journal-2-of-3.txt");
    std::os::unix::fs::symlink(place.path("journal.txt"), journal).unwrap();
    let ended = place.run(&[&SWEEP[..], &["out"]].concat()).exits(5);
    let _ = ended.says(&["part 2/3 ended with exit status: 2", "symbolic link"]);
    assert!(processes(&place).is_empty());
    assert!(known(&place) < 200, "the others did not end with it");
}

/// What came of some kills.
#[derive(Debug, Default)]
struct Tally {
    kills: usize,
    of_parents: usize,
    of_workers: usize,
    same_tables: usize,
    orphans: usize,
    /// The longest time that a worker outlived its parent, s.
    longest: f64,
}

/// Sweeps whose parent, or one of whose workers, is killed at a random time.
fn kill(times: usize, seed: u64) -> Tally {
    const POINTS: usize = 60;
    let place = slider_crank(POINTS);
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
    while tally.kills < times {
        let mut parent = begin(&place);
        await_points(&place, &mut parent, random.below(POINTS));
        std::thread::sleep(Duration::from_secs_f64(random.between(0.0, 0.01)));
        let workers = processes(&place)
            .into_iter()
            .filter(|id| *id != parent.id());
        let workers: Vec<u32> = workers.collect();
        // every fourth kill hits a worker, which is started again by its parent
        let of_worker = tally.kills % 4 == 3 && !workers.is_empty();
        let victim = if of_worker {
            workers[random.below(workers.len())]
        } else {
            parent.id()
        };
        // SIGKILL: nothing in the process learns of it
        if parent.try_wait().unwrap().is_some() || !send("-KILL", victim) {
            let _ = parent.wait().unwrap();
            std::fs::remove_dir_all(place.path("out")).unwrap();
            continue;
        }
        tally.kills += 1;
        let ended = parent.wait().unwrap();
        if of_worker {
            tally.of_workers += 1;
            assert_eq!(ended.code(), Some(0));
            tally.orphans += processes(&place).len();
        } else {
            tally.of_parents += 1;
            // half of the time at once, while workers are still ending, half of the time when they are gone
            if tally.kills.is_multiple_of(2) {
                let (left, time) = orphans(&place);
                tally.orphans += left.len();
                tally.longest = tally.longest.max(time.as_secs_f64());
            }
            goes_on(&place);
            tally.orphans += orphans(&place).0.len();
        }
        let same = place.read("out/table.parquet") == place.read("whole/table.parquet");
        tally.same_tables += usize::from(same);
        std::fs::remove_dir_all(place.path("out")).unwrap();
    }
    tally
}

#[test]
fn eight_killed_sweeps_on_workers_resume_to_the_same_table() {
    let tally = kill(8, 1);
    assert_eq!((tally.same_tables, tally.orphans), (8, 0), "{tally:?}");
}

/// `cargo test -p biela-cli --test workers -- --ignored --nocapture` prints what came of it.
#[test]
#[ignore = "takes minutes"]
#[allow(clippy::print_stderr)]
fn two_hundred_killed_sweeps_on_workers_go_on_to_the_same_table() {
    let began = Instant::now();
    let tally = kill(200, 2);
    eprintln!("{tally:?} in {:.0} s", began.elapsed().as_secs_f64());
    assert_eq!((tally.same_tables, tally.orphans), (200, 0), "{tally:?}");
}
