//! Results that cannot be written: a full disk, a limit on the size of files, a folder that is moved or deleted. Exit code, message and manifest say so.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;
mod resumed;

use std::path::Path;
use std::process::Command;

use biela::record::{Manifest, Results, RunStatus};
use common::{Done, Place, done};
use resumed::{arguments, assert_same, await_data, start};

fn busy() -> Place {
    let place = Place::new().with("busy.toml");
    std::fs::rename(place.path("busy.toml"), place.path("model.toml")).unwrap();
    place
}

fn shell(place: &Place, script: &str) -> Done {
    let mut shell = Command::new("sh");
    let _ = shell.args(["-c", script]).current_dir(place.path("."));
    done(shell.output().unwrap())
}

/// The command with these arguments, none of which has a space in it.
fn words(arguments: &[&str]) -> String {
    format!("'{}' {}", env!("CARGO_BIN_EXE_biela"), arguments.join(" "))
}

/// A run where files have so many blocks of 512 bytes at most; the signal that says so is ignored, or left as it is.
fn within(place: &Place, blocks: usize, ignored: bool, options: &[&str]) -> Done {
    let trap = if ignored { "trap '' XFSZ; " } else { "" };
    let run = words(&arguments(options, "out"));
    shell(place, &format!("{trap}ulimit -f {blocks}; exec {run}"))
}

/// The files left by a run on a full disk: none, or a manifest that reports the failure and readable results.
#[track_caller]
fn is_failed(dir: &Path) {
    match Manifest::load(dir).unwrap() {
        None => assert!(!dir.join("data.arrows").exists()),
        Some(manifest) => {
            assert!(
                matches!(&manifest.status, RunStatus::Failed { message, .. } if !message.is_empty()),
                "{:?}",
                manifest.status
            );
            if dir.join("data.arrows").exists() {
                assert_eq!(Results::open(dir).unwrap().rows(), manifest.rows);
            }
        }
    }
    for name in ["manifest.json.tmp", "manifest.json.new", "biela.lock"] {
        assert!(!dir.join(name).exists(), "{name} was left");
    }
}

#[test]
fn a_limit_on_the_size_of_files_is_reported_whether_its_signal_is_ignored_or_not() {
    let place = busy();
    let options = ["--to", "0.5s", "--checkpoint", "1ms"];
    for blocks in [0, 1, 2, 3, 5, 8, 10, 13, 17, 21, 34] {
        for ignored in [true, false] {
            let full = within(&place, blocks, ignored, &options).exits(6);
            let full = full.says(&["out", "free some space", "biela explain cannot-write"]);
            assert_eq!(full.json()["exit"], 6);
            is_failed(&place.path("out"));
            let _ = std::fs::remove_dir_all(place.path("out"));
        }
    }
}

#[test]
fn without_space_for_a_manifest_earlier_results_stay() {
    let place = busy();
    let _ = place.run(&arguments(&["--to", "0.2 s"], "out")).exits(0);
    let names = ["data.arrows", "data.csv", "manifest.json"];
    let before = names.map(|name| place.read(&format!("out/{name}")));
    let _ = within(&place, 1, false, &["--to", "0.5s"]).exits(6);
    assert!(before == names.map(|name| place.read(&format!("out/{name}"))));
}

#[test]
fn a_motion_that_ends_early_is_a_failure_to_record() {
    let place = busy();
    // 2001 rows: frames take more than the series of one signal
    let options = ["--output-step", "2ms", "--signals", "height"];
    let out = arguments(&options, "out");
    let full = words(
        &out.iter()
            .copied()
            .filter(|w| *w != "--csv")
            .collect::<Vec<_>>(),
    );
    let done = shell(&place, &format!("ulimit -f 100; exec {full}")).exits(6);
    let done = done.says(&[
        "out/motion.bin",
        "the recorded motion ends early",
        "--no-motion",
    ]);
    assert_eq!(done.json()["stop"]["state"], "finished");
    let results = Results::open(&place.path("out")).unwrap();
    assert!(results.is_complete() && results.rows() == 2001);
    let warnings = place.json("out/manifest.json")["checks"]["warnings"].to_string();
    assert!(
        warnings.contains("the recorded motion ends early"),
        "{warnings}"
    );
}

/// A run on a separate file system of the given size in KiB; its files are copied to `kept` at the end. `None` if no such file system can be created.
#[cfg(target_os = "linux")]
fn on_a_disk(place: &Place, kib: usize, command: &str) -> Option<Done> {
    let mounted = format!("mount -t tmpfs -o size={kib}k biela disk");
    let _ = std::fs::create_dir(place.path("disk"));
    let unshare = |script: &str| {
        let mut unshare = Command::new("unshare");
        let _ = unshare
            .args(["-rm", "sh", "-c", script])
            .current_dir(place.path("."));
        unshare.output()
    };
    if !unshare(&mounted).is_ok_and(|output| output.status.success()) {
        return None;
    }
    let script = format!("{mounted}; {command}; code=$?; cp -r disk kept; exit $code");
    Some(done(unshare(&script).unwrap()))
}

#[test]
#[cfg(target_os = "linux")]
#[allow(clippy::print_stderr)]
fn a_full_disk_is_reported_at_the_start_and_on_the_way() {
    let place = busy();
    let run = words(&arguments(
        &["--to", "2s", "--checkpoint", "1ms"],
        "disk/out",
    ));
    let mut on_the_way = 0;
    // a page has 4 KiB: from a disk that takes nothing but the folder to one that takes part of the run
    for kib in [4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 48, 64, 96, 160] {
        let Some(full) = on_a_disk(&place, kib, &run) else {
            eprintln!("skipped: no file system can be mounted here");
            return;
        };
        let full = full.exits(6).says(&["disk/out", "free some space"]);
        assert_eq!(full.json()["status"], "cannot-record");
        let kept = place.path("kept/out");
        if kept.exists() {
            is_failed(&kept);
            let results = Results::open(&kept);
            on_the_way += usize::from(results.is_ok_and(|results| results.rows() > 0));
        }
        std::fs::remove_dir_all(place.path("kept")).unwrap();
    }
    assert!(
        on_the_way >= 3,
        "only {on_the_way} disks were full on the way"
    );
}

#[test]
#[cfg(target_os = "linux")]
#[allow(clippy::print_stderr)]
fn a_point_of_a_sweep_on_a_full_disk_is_computed_again() {
    let model = include_str!("../../../examples/studies/slider-crank-tolerances/model.toml");
    let place = Place::new();
    place.write("model.toml", &model.replace("points = 1000", "points = 24"));
    let sweep = ["sweep", "model.toml", "--histories", "--out"];
    let on = |out, more: [&'static str; 2]| [&sweep[..], &[out], &more[..]].concat();
    let alone = ["--threads", "1"];
    let _ = place.run(&on("whole", alone)).exits(0);
    for more in [alone, ["--on", "local"]] {
        let Some(full) = on_a_disk(&place, 200, &words(&on("disk/s", more))) else {
            eprintln!("skipped: no file system can be mounted here");
            return;
        };
        let _ = full.exits(6).says(&["disk/s", "free some space"]);
        let entries = std::fs::read_dir(place.path("kept/s")).unwrap();
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.extension().is_some_and(|ending| ending == "txt") {
                let journal = std::fs::read_to_string(path).unwrap();
                assert!(!journal.contains("failed"), "{journal}");
            }
        }
        let _ = place.run(&on("kept/s", more)).exits(0);
        let [one, two] = ["kept/s", "whole"].map(|s| place.read(&format!("{s}/table.parquet")));
        assert!(one == two, "{more:?}");
        std::fs::remove_dir_all(place.path("kept")).unwrap();
    }
}

#[test]
fn a_run_resumes_after_a_full_disk() {
    let place = busy();
    let options = ["--to", "2 s", "--checkpoint", "1 ms"];
    let whole = place.run(&arguments(&options, "whole")).exits(0);
    let full = within(&place, 80, false, &["--to", "2s", "--checkpoint", "1ms"]).exits(6);
    let full = full.says(&["cannot write", "results kept to t = ", "free some space"]);
    assert_eq!(full.json()["status"], "cannot-record");
    is_failed(&place.path("out"));
    assert!(Results::open(&place.path("out")).unwrap().rows() > 100);
    let rest = place
        .run(&arguments(&["--to", "2 s", "--resume"], "out"))
        .exits(0);
    assert_same(&place, ("whole", &whole), ("out", &rest), "a full disk");
}

#[test]
fn a_folder_that_is_deleted_ends_the_run() {
    for checkpoints in [&[][..], &["--checkpoint", "1 ms"]] {
        let place = busy();
        let options = [&["--to", "1000 s"], checkpoints].concat();
        let mut child = start(&place, &options, "out");
        await_data(&place, &mut child, "out", 20_000);
        // a file that is made meanwhile is swept up by the next round
        while std::fs::remove_dir_all(place.path("out")).is_err() {}
        let done = done(child.wait_with_output().unwrap()).exits(6);
        let done = done.says(&["out: the folder was deleted while the run was writing"]);
        assert_eq!(done.json()["status"], "cannot-record");
        assert!(!place.path("out").exists());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_folder_that_is_moved_ends_the_run_which_goes_on_where_it_is() {
    let place = busy();
    let options = ["--to", "20 s", "--checkpoint", "50 ms"];
    let whole = place.run(&arguments(&options, "whole")).exits(0);
    for replaced in [false, true] {
        let mut child = start(&place, &options, "out");
        await_data(&place, &mut child, "out", 20_000);
        while !place.path("out/checkpoint.bin").exists() {
            assert!(child.try_wait().unwrap().is_none(), "it is over");
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        std::fs::rename(place.path("out"), place.path("elsewhere")).unwrap();
        if replaced {
            std::fs::create_dir(place.path("out")).unwrap();
        }
        let done = done(child.wait_with_output().unwrap()).exits(6);
        let now = place.path("elsewhere").canonicalize().unwrap();
        let _ = done.says(&[
            "out: the folder was moved while the run was writing; results kept to t = ",
            &format!(" in {}", now.display()),
        ]);
        if replaced {
            std::fs::remove_dir(place.path("out")).expect("nothing is in it");
        }
        let manifest = Manifest::load(&now).unwrap().unwrap();
        assert!(matches!(manifest.status, RunStatus::Failed { .. }));
        let again = ["--to", "20 s", "--resume"];
        let rest = place.run(&arguments(&again, "elsewhere")).exits(0);
        assert_same(&place, ("whole", &whole), ("elsewhere", &rest), "moved");
        std::fs::remove_dir_all(now).unwrap();
    }
}
