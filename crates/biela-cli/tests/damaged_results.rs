//! `biela run --resume` continues result files only if they are unchanged since the checkpoint.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;
mod resumed;

use std::path::Path;

use biela::record::{Checkpoint, FileMark};
use common::{Done, Place};
use resumed::{arguments, assert_same, await_data, interrupt, start};

/// Long enough to be interrupted on a busy machine.
const OPTIONS: [&str; 2] = ["--to", "20 s"];

/// The model of the tests that remembers most, with a body drawn from a mesh.
fn busy() -> Place {
    let place = Place::new().with("busy.toml");
    let parts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../biela/tests/mjcf/parts");
    let _ = std::fs::copy(parts.join("wedge.stl"), place.path("wedge.stl")).unwrap();
    let text = place.text("busy.toml").replacen(
        "com = [\"l/2\", 0]\n",
        "com = [\"l/2\", 0]\nshapes = [{ type = \"mesh\", file = \"wedge.stl\" }]\n",
        1,
    );
    place.write("model.toml", &text);
    place
}

/// A run that is interrupted where its data has so many bytes, and leaves a checkpoint.
#[track_caller]
fn cut_short(place: &Place, options: &[&str], out: &str, bytes: u64) {
    let options = [options, &["--checkpoint", "1 h"]].concat();
    let mut child = start(place, &options, out);
    await_data(place, &mut child, out, bytes);
    let _ = interrupt(child).exits(130);
}

/// The result files that a checkpoint speaks of.
fn marks(place: &Place, checkpoint: &str) -> Vec<FileMark> {
    let checkpoint = Checkpoint::read(&place.read(checkpoint)).unwrap();
    checkpoint.place.files
}

fn resume(place: &Place, out: &str) -> Done {
    place.run(&arguments(&[&OPTIONS[..], &["--resume"]].concat(), out))
}

/// Resuming is rejected: the message names the file, the time and the remedy, and nothing is modified.
#[track_caller]
fn is_refused(place: &Place, name: &str, how: &str) {
    let data = || std::fs::read(place.path("out/data.arrows")).ok();
    let before = data();
    let done = resume(place, "out");
    assert_eq!(done.code, 2, "{name} {how}: {}", done.err);
    let _ = done.says(&[
        &format!("out/{name}: the file was changed after the checkpoint at t = "),
        "restore the file, or start the run again",
        "biela explain cannot-resume",
    ]);
    assert!(data() == before, "{name} {how}");
}

fn flip(place: &Place, file: &str, at: usize) {
    let mut bytes = place.read(file);
    bytes[at] ^= 1;
    std::fs::write(place.path(file), bytes).unwrap();
}

#[test]
fn resume_continued_damaged_result_files() {
    let place = busy();
    let whole = place.run(&arguments(&OPTIONS, "whole")).exits(0);
    cut_short(&place, &OPTIONS, "out", 20_000);
    let other = [&OPTIONS[..], &["--set", "l=500 mm"]].concat();
    let _ = place.run(&arguments(&other, "other")).exits(0);
    let marks = marks(&place, "out/checkpoint.bin");
    let names: Vec<&str> = marks.iter().map(|mark| mark.name.as_str()).collect();
    assert_eq!(
        names[..3],
        ["data.arrows", "data.csv", "motion.bin"],
        "files that grow"
    );
    assert!(names[3].starts_with("meshes/") && names[4] == "scene.json");
    for mark in &marks {
        let (name, length) = (&mark.name, mark.bytes as usize);
        let file = format!("out/{name}");
        let good = place.read(&file);
        for at in [0, length / 4, length / 2, length - 9, length - 1] {
            flip(&place, &file, at);
            is_refused(&place, name, &format!("changed at byte {at}"));
            std::fs::write(place.path(&file), &good).unwrap();
        }
        for length in [0, length / 2, length - 1] {
            std::fs::write(place.path(&file), &good[..length]).unwrap();
            is_refused(&place, name, &format!("cut to {length} bytes"));
        }
        std::fs::remove_file(place.path(&file)).unwrap();
        is_refused(&place, name, "removed");
        // a mesh is the same in every run
        if !name.starts_with("meshes/") {
            let _ = std::fs::copy(place.path("other").join(name), place.path(&file)).unwrap();
            is_refused(&place, name, "of another run");
        }
        std::fs::write(place.path(&file), [&good[..], b"more"].concat()).unwrap();
        if mark.complete {
            is_refused(&place, name, "extended");
            std::fs::write(place.path(&file), &good).unwrap();
        }
    }
    // data appended to growing files are after the checkpoint and are truncated
    let rest = resume(&place, "out").exits(0);
    assert_same(&place, ("whole", &whole), ("out", &rest), "extended files");
}

#[test]
fn damage_after_the_previous_checkpoint_is_recomputed() {
    let place = busy();
    let whole = place.run(&arguments(&OPTIONS, "whole")).exits(0);
    cut_short(&place, &OPTIONS, "out", 10_000);
    let again = [&OPTIONS[..], &["--resume"]].concat();
    let reached = place.read("out/data.arrows").len() as u64;
    cut_short(&place, &again, "out", reached + 50_000);
    let (old, new) = (
        marks(&place, "out/checkpoint.old.bin"),
        marks(&place, "out/checkpoint.bin"),
    );
    let (from, to) = (old[0].bytes as usize, new[0].bytes as usize);
    assert!(from < to);
    let good = place.read("out/data.arrows");
    flip(&place, "out/data.arrows", from - 1);
    is_refused(&place, "data.arrows", "changed before both checkpoints");
    std::fs::write(place.path("out/data.arrows"), good).unwrap();
    flip(&place, "out/data.arrows", usize::midpoint(from, to));
    let rest = resume(&place, "out").exits(0).says(&[
        "warning: out/data.arrows: the file was changed",
        "resuming from the previous checkpoint, at t = ",
    ]);
    assert_same(&place, ("whole", &whole), ("out", &rest), "damage behind");
}

#[test]
fn a_run_whose_files_were_damaged_may_start_again() {
    let place = busy();
    let whole = place.run(&arguments(&OPTIONS, "whole")).exits(0);
    cut_short(&place, &OPTIONS, "out", 20_000);
    flip(&place, "out/motion.bin", 40);
    let rest = place.run(&arguments(&OPTIONS, "out")).exits(0);
    assert_same(&place, ("whole", &whole), ("out", &rest), "a new start");
}
