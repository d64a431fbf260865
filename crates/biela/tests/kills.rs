//! Runs that are killed at random times: readable at once, and resumed to the last byte.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;
mod resumed;

use std::time::{Duration, Instant};

use biela::core::math::Random;
use biela::record::{Manifest, Results, Status};
use common::Place;
use resumed::{arguments, assert_same, start};

const OPTIONS: [&str; 4] = ["--to", "3 s", "--checkpoint", "20 ms"];

/// What came of some kills.
#[derive(Debug, Default)]
struct Tally {
    kills: usize,
    readable: usize,
    /// Runs that went on from a checkpoint, those killed before their first one, those that were quicker than the kill.
    resumed: usize,
    begun_anew: usize,
    over: usize,
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
    let began = Instant::now();
    let report = place.run(&arguments(&OPTIONS, "whole")).exits(0);
    let lasts = began.elapsed().as_secs_f64();
    let whole = Results::open(&place.path("whole")).unwrap();
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
    for _ in 0..times {
        let mut child = start(&place, &OPTIONS, "out");
        std::thread::sleep(Duration::from_secs_f64(random.between(0.0, lasts)));
        // SIGKILL: nothing in the process learns of it
        child.kill().unwrap();
        let _ = child.wait().unwrap();
        tally.kills += 1;
        let manifest = Manifest::load(&place.path("out")).unwrap();
        let over = manifest.is_some_and(|manifest| manifest.status == Status::Finished);
        if place.path("out/data.arrows").exists() {
            assert_readable(&place, &whole);
        }
        tally.readable += 1;
        let resume = [&OPTIONS[..], &["--resume"]].concat();
        let mut rest = place.run(&arguments(&resume, "out"));
        if over {
            tally.over += 1;
            let _ = rest.exits(2).says(&["nothing to resume"]);
            rest = place.run(&arguments(&OPTIONS, "out"));
        } else if rest.code == 2 {
            tally.begun_anew += 1;
            let known = ["no checkpoint to resume from", "no results here"];
            assert!(known.iter().any(|w| rest.err.contains(w)), "{}", rest.err);
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
fn ten_killed_runs_are_readable_and_go_on_to_the_last_byte() {
    let tally = kill(10, 1);
    assert!(tally.resumed >= 3, "{tally:?}");
}

/// `cargo test -p biela --test kills -- --ignored --nocapture` tells what came of it.
#[test]
#[ignore = "takes minutes"]
#[allow(clippy::print_stderr)]
fn two_hundred_killed_runs_are_readable_and_go_on_to_the_last_byte() {
    let tally = kill(200, 2);
    eprintln!("{tally:?}");
    assert_eq!((tally.readable, tally.exact), (200, 200));
    assert!(tally.resumed >= 100, "{tally:?}");
}
