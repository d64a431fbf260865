//! Runs that are cut short and go on.
#![allow(dead_code, unreachable_pub)]

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use biela::record::{Manifest, RunStatus};
use serde_json::Value;

use crate::common::{Done, Place, done};

/// Runs in this folder write everything: series, text, motion.
pub fn arguments<'a>(options: &[&'a str], out: &'a str) -> Vec<&'a str> {
    [
        &["run", "model.toml", "--csv", "--json", "--out", out][..],
        options,
    ]
    .concat()
}

/// Starts a run.
pub fn start(place: &Place, options: &[&str], out: &str) -> Child {
    let mut command = place.command(&arguments(options, out));
    command.stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until a run is under way and has written so many bytes of data, or is over.
pub fn await_data(place: &Place, child: &mut Child, out: &str, bytes: u64) {
    let data = place.path(out).join("data.arrows");
    let is_under_way = || {
        let manifest = Manifest::load(&place.path(out)).ok().flatten();
        manifest.is_some_and(|manifest| manifest.status == RunStatus::Running)
            && std::fs::metadata(&data).is_ok_and(|about| about.len() >= bytes)
    };
    let began = Instant::now();
    while !is_under_way() && child.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < Duration::from_mins(2), "no progress");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Ends a run as Ctrl-C does.
pub fn interrupt(child: Child) -> Done {
    let mut kill = std::process::Command::new("kill");
    let _ = kill.args(["-INT", &child.id().to_string()]).status();
    done(child.wait_with_output().unwrap())
}

/// The manifest without wall-clock times.
fn manifest(place: &Place, out: &str) -> Value {
    let mut manifest = place.json(&format!("{out}/manifest.json"));
    let timing = manifest.as_object_mut().unwrap().remove("timing");
    assert!(timing.is_some());
    manifest
}

/// The output of `--json`, without wall-clock times and names of folders.
fn report(done: &Done) -> Value {
    let mut report = done.json();
    for key in ["timing", "results", "checkpoint"] {
        let _ = report.as_object_mut().unwrap().remove(key);
    }
    report
}

/// The names of all files in a folder and below, in order.
fn files(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            let inner = files(&entry.path()).into_iter();
            names.extend(inner.map(|inner| format!("{name}/{inner}")));
        } else {
            names.push(name);
        }
    }
    names.sort();
    names
}

/// Two folders hold the same files with the same bytes, and two reports say the same.
#[track_caller]
pub fn assert_same(place: &Place, whole: (&str, &Done), other: (&str, &Done), what: &str) {
    let files = |out: &str| files(&place.path(out));
    assert_eq!(files(whole.0), files(other.0), "{what}");
    for name in files(whole.0) {
        if name == "manifest.json" {
            continue;
        }
        let [one, two] = [whole.0, other.0].map(|out| place.read(&format!("{out}/{name}")));
        assert!(one == two, "{what}: {name} differs");
    }
    assert_eq!(manifest(place, whole.0), manifest(place, other.0), "{what}");
    assert_eq!(report(whole.1), report(other.1), "{what}");
}
