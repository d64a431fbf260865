//! Runs that are killed at random times: readable at once, and resumed to the last byte.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;
mod resumed;

use std::time::Duration;

use biela::core::math::Random;
use biela::record::{Manifest, Results, RunStatus};
use common::Place;
use resumed::{arguments, assert_same, await_data, start};

const OPTIONS: [&str; 4] = ["--to", "20 s", "--checkpoint", "20 ms"];

/// The results of the kills.
#[derive(Debug, Default)]
struct Tally {
    kills: usize,
    readable: usize,
    /// Runs that went on from a checkpoint, and those killed before their first one.
    resumed: usize,
    begun_anew: usize,
    exact: usize,
}

/// Rows of a folder whose run was killed, beside those of the whole run.
fn assert_readable(place: &Place, whole: &Results) {
    let part = Results::open(&place.path("out")).unwrap();
    let rows = part.rows();
    assert!(rows <= whole.rows());
    for k in 0..whole.columns().len() {
        let (part, whole) = (part.series(k).unwrap(), whole.series(k).unwrap());
        let same = part
            .iter()
            .zip(whole)
            .all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(same && part.len() == rows as usize, "column {k}");
    }
}

fn kill(times: usize, seed: u64) -> Tally {
    let place = Place::new().with("busy.toml");
    std::fs::rename(place.path("busy.toml"), place.path("model.toml")).unwrap();
    let report = place.run(&arguments(&OPTIONS, "whole")).exits(0);
    let bytes = place.read("whole/data.arrows").len();
    let whole = Results::open(&place.path("whole")).unwrap();
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
    while tally.kills < times {
        let mut child = start(&place, &OPTIONS, "out");
        // somewhere on the way, however fast the machine is at present
        await_data(&place, &mut child, "out", random.below(bytes) as u64);
        std::thread::sleep(Duration::from_secs_f64(random.between(0.0, 0.03)));
        // SIGKILL: nothing in the process learns of it
        child.kill().unwrap();
        let _ = child.wait().unwrap();
        let manifest = Manifest::load(&place.path("out")).unwrap().unwrap();
        if manifest.status == RunStatus::Finished {
            continue;
        }
        tally.kills += 1;
        if place.path("out/data.arrows").exists() {
            assert_readable(&place, &whole);
        }
        tally.readable += 1;
        let resume = [&OPTIONS[..], &["--resume"]].concat();
        let mut rest = place.run(&arguments(&resume, "out"));
        if rest.code == 2 {
            tally.begun_anew += 1;
            let _ = rest.says(&["no checkpoint to resume from"]);
            rest = place.run(&arguments(&OPTIONS, "out"));
        } else {
            tally.resumed += 1;
        }
        let rest = rest.exits(0);
        assert_same(&place, ("whole", &report), ("out", &rest), "a kill");
        tally.exact += 1;
        std::fs::remove_dir_all(place.path("out")).unwrap();
    }
    tally
}

#[test]
fn ten_killed_runs_are_readable_and_resume_to_the_same_bytes() {
    let tally = kill(10, 1);
    assert!(tally.resumed >= 3, "{tally:?}");
}

/// `cargo test -p biela-cli --test kills -- --ignored --nocapture` prints the results.
#[test]
#[ignore = "takes minutes"]
#[allow(clippy::print_stderr)]
fn two_hundred_killed_runs_are_readable_and_go_on_to_the_last_byte() {
    let tally = kill(200, 2);
    eprintln!("{tally:?}");
    assert_eq!((tally.readable, tally.exact), (200, 200));
    assert!(tally.resumed >= 100, "{tally:?}");
}

#[test]
fn a_killed_export_leaves_the_earlier_animation() {
    let place = Place::new().with("pendulum.toml");
    let _ = place.run(&["run", "pendulum.toml", "--quiet"]).exits(0);
    let words = ["export", "results/pendulum", "film.gif"];
    let size = ["--width", "320", "--height", "240"];
    let began = std::time::Instant::now();
    let _ = place.run(&[&words[..], &size].concat()).exits(0);
    let usual = began.elapsed().as_secs_f64();
    let film = place.read("film.gif");
    let mut random = Random::new(3);
    for _ in 0..10 {
        let mut child = place
            .command(&[&words[..], &size].concat())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_secs_f64(random.between(0.0, usual)));
        child.kill().unwrap();
        let _ = child.wait().unwrap();
        assert_eq!(place.read("film.gif"), film);
    }
}
