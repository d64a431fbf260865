//! `biela run --checkpoint` and `--resume`: to the last byte, or refused with the reason.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;
mod resumed;

use std::path::Path;

use biela::core::integrators::INTEGRATORS;
use common::{Done, Place, done};
use resumed::{arguments, assert_same, await_data, interrupt, start};

/// The model of the tests that remembers most.
fn busy() -> Place {
    let place = Place::new().with("busy.toml");
    std::fs::rename(place.path("busy.toml"), place.path("model.toml")).unwrap();
    place
}

/// A model of the gallery.
fn example(name: &str) -> Place {
    let place = Place::new();
    let gallery = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let text = std::fs::read_to_string(gallery.join(name).join("model.toml")).unwrap();
    place.write("model.toml", &text);
    place
}

/// A run that is interrupted where its data has so many bytes, and left with a checkpoint.
#[track_caller]
fn cut_short(place: &Place, options: &[&str], out: &str, bytes: u64) -> Done {
    let options = [options, &["--checkpoint", "1 h"]].concat();
    let mut child = start(place, &options, out);
    await_data(place, &mut child, out, bytes);
    interrupt(child).exits(130)
}

/// A run with two interruptions has the same results as one without; returns whether there was time to interrupt it.
#[track_caller]
fn goes_on(place: &Place, options: &[&str], what: &str) -> bool {
    let whole = place.run(&arguments(options, "whole"));
    let whole = whole.exits(0);
    let bytes = place.read("whole/data.arrows").len() as u64;
    let mut interrupted = 0;
    let mut options = [options, &["--checkpoint", "1 h"]].concat();
    let mut last = None;
    for share in [3, 2, 1] {
        let mut child = start(place, &options, "parts");
        await_data(place, &mut child, "parts", bytes / share);
        let ended = if share > 1 {
            interrupt(child)
        } else {
            done(child.wait_with_output().unwrap())
        };
        let over = ended.code == 0;
        last = Some(if over { ended } else { ended.exits(130) });
        if over {
            break;
        }
        interrupted += 1;
        if interrupted == 1 {
            options.push("--resume");
        }
    }
    assert_same(
        place,
        ("whole", &whole),
        ("parts", &last.unwrap().exits(0)),
        what,
    );
    interrupted > 0
}

#[test]
fn a_run_with_checkpoints_gives_the_same_bytes() {
    let place = busy();
    let short = ["--to", "0.4 s"];
    let whole = place.run(&arguments(&short, "whole")).exits(0);
    let often = [&short[..], &["--checkpoint", "1 us"]].concat();
    let other = place.run(&arguments(&often, "often")).exits(0);
    assert!(other.json()["checkpoint"].as_f64().unwrap() > 0.3);
    assert_same(&place, ("whole", &whole), ("often", &other), "checkpoints");
}

#[test]
fn a_run_resumes_to_the_same_bytes_with_every_integrator() {
    let mut interrupted = 0;
    for integrator in INTEGRATORS.iter().filter(|info| info.name != "kinematics") {
        let options = ["--integrator", integrator.name];
        interrupted += usize::from(goes_on(&busy(), &options, integrator.name));
    }
    assert!(interrupted >= 6, "only {interrupted} were interrupted");
}

#[test]
fn runs_of_many_kinds_resume_to_the_same_bytes() {
    let mut interrupted = 0;
    for (name, options) in [
        ("mechanisms/slider-crank", ["--to", "1 s"]),
        ("basics/bouncing-stop", ["--output-step", "1 ms"]),
        ("control/cart-pole-lqr", ["--output-step", "1 ms"]),
        ("flexible/soft-pendulum", ["--to", "0.3 s"]),
        ("vehicles/rolling-coin", ["--output-step", "1 ms"]),
        ("mechanisms/quick-return", ["--output-step", "0.1 ms"]),
    ] {
        interrupted += usize::from(goes_on(&example(name), &options, name));
    }
    assert!(interrupted >= 3, "only {interrupted} were interrupted");
}

/// Two balls that bounce on the floor and against each other.
const BOUNCING: &str = r#"format = 1
name = "bouncing"
space = "planar"
gravity = [0, -10]
[[body]]
name = "lower"
mass = 2
inertia = 0.01
position = [0, 0.3]
omega = 3
[[body]]
name = "upper"
mass = 1
inertia = 0.004
position = [0.01, 1.1]
[[contact]]
name = "floor"
between = ["ground", "lower"]
surfaces = [{ type = "line" }, { type = "circle", radius = 0.2 }]
friction = 0.2
restitution = 0.9
[[contact]]
name = "other-floor"
between = ["ground", "upper"]
surfaces = [{ type = "line" }, { type = "circle", radius = 0.1 }]
friction = 0.2
restitution = 0.9
[[contact]]
name = "balls"
between = ["lower", "upper"]
surfaces = [{ type = "circle", radius = 0.2 }, { type = "circle", radius = 0.1 }]
friction = 0.1
restitution = 0.8
[study]
duration = "30 s"
output_step = "0.2 ms"
"#;

#[test]
fn a_run_with_contacts_resumes_to_the_same_bytes() {
    let place = Place::new();
    place.write("model.toml", BOUNCING);
    let interrupted = goes_on(&place, &[], "contacts");
    assert!(interrupted, "the run was over before it was interrupted");
}

#[test]
fn an_interrupted_run_names_the_option_to_resume() {
    let place = busy();
    let long = ["--to", "1000 s"];
    let cut = cut_short(&place, &long, "out", 20_000);
    let cut = cut.says(&[
        "interrupted",
        "the same command with --resume continues from t = ",
    ]);
    let at = cut.json()["checkpoint"].as_f64().unwrap();
    assert!(at > 0.0);
    let again = place.run(&arguments(&long, "out")).exits(2);
    let _ = again.says(&["can be resumed from t = ", "add --resume", "checkpoint.bin"]);
}

#[test]
fn another_run_is_rejected_with_every_difference() {
    let place = busy();
    let _ = cut_short(&place, &["--to", "1000 s"], "out", 20_000);
    let before = place.read("out/data.arrows");
    let refused = |options: &[&str], words: &[&str]| {
        let options = [options, &["--resume"]].concat();
        let done = place.run(&arguments(&options, "out")).exits(2);
        let _ = done.says(words);
    };
    refused(
        &["--to", "100 s", "--tolerance", "1e-6"],
        &[
            "the interrupted run in this folder differs",
            "duration was 1000.0, is 100.0",
            "integrator.tolerance was 1e-8, is 1e-6",
        ],
    );
    refused(
        &["--to", "1000", "--integrator", "rk4", "--no-motion"],
        &["integrator was dopri5, is rk4", "motion was true, is false"],
    );
    refused(
        &["--to", "1000 s", "--set", "l=500 mm"],
        &["set was [], is [\"l=500 mm\"]"],
    );
    let text = place.text("model.toml");
    place.write("model.toml", &text.replace("mass = 1\n", "mass = 1.5\n"));
    refused(
        &["--to", "1000 s"],
        &["the text of the model has changed (SHA-256 was "],
    );
    place.write("model.toml", &text);
    assert_eq!(place.read("out/data.arrows"), before);
    let _ = cut_short(&place, &["--to", "1000 s", "--resume"], "out", 0);
}

#[test]
fn a_folder_with_nothing_to_resume_is_reported() {
    let place = busy();
    let resume = |out: &str| place.run(&arguments(&["--to", "0.1 s", "--resume"], out));
    let _ = resume("nowhere").exits(2).says(&["no results here"]);
    assert!(!place.path("nowhere").exists());
    let _ = place.run(&arguments(&["--to", "0.1 s"], "out")).exits(0);
    let _ = resume("out")
        .exits(2)
        .says(&["nothing to resume: the run finished"]);
    // a run that was killed before its first checkpoint
    let manifest = place.text("out/manifest.json");
    place.write(
        "out/manifest.json",
        &manifest.replace("\"finished\"", "\"running\""),
    );
    let _ = resume("out")
        .exits(2)
        .says(&["no checkpoint to resume from"]);
}

#[test]
fn a_damaged_checkpoint_is_not_used() {
    let place = busy();
    let long = ["--to", "3 s"];
    let whole = place.run(&arguments(&long, "whole")).exits(0);
    let _ = cut_short(&place, &long, "out", 10_000);
    let _ = cut_short(&place, &[&long[..], &["--resume"]].concat(), "out", 20_000);
    assert!(place.path("out/checkpoint.old.bin").exists());
    let good = place.read("out/checkpoint.bin");
    let resume = arguments(&["--to", "3 s", "--resume"], "out");
    let spoil = |name: &str, how: &dyn Fn(&mut Vec<u8>)| {
        let mut bad = good.clone();
        how(&mut bad);
        std::fs::write(place.path(name), bad).unwrap();
    };
    let old = place.read("out/checkpoint.old.bin");
    let middle = good.len() / 2;
    spoil("out/checkpoint.old.bin", &|file| file.truncate(middle));
    for (how, says) in [
        (
            &(|file: &mut Vec<u8>| file[middle] ^= 1) as &dyn Fn(&mut Vec<u8>),
            "checksum",
        ),
        (&|file| file.truncate(middle), "checksum"),
        (&|file| file.truncate(10), "unexpected end of file"),
        (&|file| file[0] = b'x', "not a checkpoint of biela"),
        (&|file| file[8] = 9, "version 9"),
    ] {
        spoil("out/checkpoint.bin", how);
        let done = place.run(&resume).exits(2);
        let _ = done.says(&["checkpoint.bin: the checkpoint cannot be used", says]);
    }
    // the one before it is whole: the run goes on from there
    std::fs::write(place.path("out/checkpoint.old.bin"), old).unwrap();
    let rest = place.run(&resume).exits(0);
    assert_same(
        &place,
        ("whole", &whole),
        ("out", &rest),
        "an older checkpoint",
    );
}

#[test]
fn options_incompatible_with_checkpoints_are_rejected() {
    let place = busy();
    for options in [
        &["--checkpoint", "3 m"][..],
        &["--checkpoint", "0"],
        &["--checkpoint", "1 s", "--print", "sismul"],
        &["--resume", "--print", "sismul"],
    ] {
        let args = [&["run", "model.toml"][..], options].concat();
        let _ = place.run(&args).exits(2);
    }
    let text = place.text("model.toml");
    let (before, _) = text.split_once("[study]").unwrap();
    let still = format!("{before}[study]\nanalysis = \"statics\"\n");
    place.write("still.toml", &still);
    for options in [&["--checkpoint", "1 s"][..], &["--resume"]] {
        let args = [&["run", "still.toml"][..], options].concat();
        let _ = place.run(&args).exits(2).says(&[&options[0][2..]]);
    }
}

#[test]
fn two_runs_in_one_folder_are_distinguished() {
    let place = busy();
    let options = ["--to", "1000 s", "--checkpoint", "1 h"];
    let mut first = start(&place, &options, "out");
    await_data(&place, &mut first, "out", 20_000);
    let other = format!("another run is writing here (process {})", first.id());
    for more in [&[][..], &["--resume"]] {
        let options = [&options[..], more].concat();
        let done = place.run(&arguments(&options, "out")).exits(2);
        let _ = done.says(&[&other]);
    }
    let _ = interrupt(first).exits(130);
    let mut second = start(&place, &[&options[..], &["--resume"]].concat(), "out");
    await_data(&place, &mut second, "out", 40_000);
    let _ = interrupt(second).exits(130);
}
