//! Failures: messages and exit codes.

mod common;

use common::Place;

#[test]
fn an_invalid_command_exits_with_2() {
    let place = Place::new().with("pendulum.toml");
    for args in [
        &[][..],
        &["fly"],
        &["run"],
        &["run", "pendulum.toml", "--speed", "3"],
        &["new", "x", "--template", "submarine"],
        &["run", "pendulum.toml", "--plot=picture.gif"],
    ] {
        let _ = place.run(args).exits(2);
    }
}

#[test]
fn a_path_that_is_not_a_model_exits_with_2_and_a_hint() {
    let place = Place::new().with("pendulum.toml");
    for command in ["check", "info", "run"] {
        let _ = place
            .run(&[command, "pendulun.toml"])
            .exits(2)
            .says(&["pendulun.toml: no such file", "did you mean pendulum.toml?"]);
        let _ = place
            .run(&[command, "pendulum"])
            .exits(2)
            .says(&["did you mean pendulum.toml?"]);
        let _ = place
            .run(&[command, "far/away.toml"])
            .exits(2)
            .says(&["no such file"]);
        let _ = place
            .run(&[command, "."])
            .exits(2)
            .says(&[". is a folder", "name a model file"]);
    }
    let _ = place.run(&["new", "swing"]).exits(0);
    let _ = place
        .run(&["run", "swing"])
        .exits(2)
        .says(&["swing is a folder", "name the model file: swing/model.toml"]);
}

#[test]
fn an_invalid_model_exits_with_3_and_lists_every_error() {
    let place = Place::new().with("wrong.toml");
    for command in ["check", "info", "run"] {
        let done = place.run(&[command, "wrong.toml"]).exits(3);
        let done = done.says(&[
            "wrong.toml:7:",
            "did you mean `revolute`?",
            "did you mean `rod`?",
        ]);
        assert!(
            done.err.contains("3 errors; nothing was run"),
            "{}",
            done.err
        );
        let json = place
            .run(&[command, "wrong.toml", "--json"])
            .exits(3)
            .json();
        assert_eq!(json["status"], "bad-model");
        assert_eq!(json["exit"], 3);
        assert_eq!(json["details"]["errors"], 3);
        assert_eq!(json["details"]["diagnostics"][0]["line"], 7);
    }
    assert!(!place.path("results").exists());
}

#[test]
fn invalid_utf8_exits_with_3() {
    let place = Place::new();
    std::fs::write(place.path("noise.toml"), [0xff_u8, 0xfe, 0x00, 0x80]).unwrap();
    let _ = place
        .run(&["check", "noise.toml"])
        .exits(3)
        .says(&["noise.toml", "UTF-8"]);
    place.write("empty.toml", "");
    let _ = place
        .run(&["check", "empty.toml"])
        .exits(3)
        .says(&["format"]);
}

#[test]
fn an_unknown_parameter_exits_with_3() {
    let place = Place::new().with("pendulum.toml");
    let _ = place
        .run(&["check", "pendulum.toml", "--set", "lenght=2"])
        .exits(3)
        .says(&["<set>:1:1", "did you mean `length`?"]);
    let _ = place
        .run(&["check", "pendulum.toml", "--set", "length"])
        .exits(3)
        .says(&["<set>:1:1"]);
    let _ = place
        .run(&["check", "pendulum.toml", "--set", "mass=2 m"])
        .exits(3)
        .says(&["is a length (m); a mass (kg) is required"]);
}

#[test]
fn a_model_that_cannot_be_assembled_exits_with_4() {
    let place = Place::new().with("gap.toml");
    for command in ["check", "run"] {
        let _ = place.run(&[command, "gap.toml"]).exits(4).says(&[
            "gap.toml: cannot assemble",
            "joint `right`",
            "Check the lengths",
        ]);
        let json = place.run(&[command, "gap.toml", "--json"]).exits(4).json();
        assert_eq!(json["status"], "cannot-assemble");
        assert_eq!(json["details"]["kind"], "positions");
        let open = json["details"]["open"].as_array().unwrap();
        assert!(
            open.iter()
                .any(|o| o["element"] == "joint `right`" && o["residual"].as_f64().unwrap() > 0.05)
        );
    }
    assert!(!place.path("results").exists());
    let done = place.run(&["info", "gap.toml"]).exits(0);
    assert!(
        done.out.contains("unknown: the model cannot be assembled"),
        "{}",
        done.out
    );
}

#[test]
fn a_strict_check_exits_with_1_when_the_start_was_moved_or_there_are_warnings() {
    let place = Place::new().with("loose.toml").with("pendulum.toml");
    let _ = place
        .run(&["check", "loose.toml", "--strict"])
        .exits(1)
        .says(&["not exactly as written"]);
    let json = place
        .run(&["check", "loose.toml", "--strict", "--json"])
        .exits(1)
        .json();
    assert_eq!(json["status"], "requirement-failed");
    let _ = place.run(&["check", "pendulum.toml", "--strict"]).exits(0);
}

#[test]
fn a_solver_that_stops_exits_with_5_and_keeps_the_valid_rows() {
    let place = Place::new().with("roots.toml");
    let done = place.run(&["run", "roots.toml", "--csv"]).exits(5).says(&[
        "force `push`",
        "t = 0.5",
        "results in results/roots are complete up to t = 0.5 s",
    ]);
    assert!(
        done.err.contains("roots: stopped at t = 0.5 s"),
        "{}",
        done.err
    );
    let results = biela::record::Results::open(&place.path("results/roots")).unwrap();
    assert!(results.is_complete());
    assert_eq!(results.rows(), 51);
    assert!(
        results
            .column("rail.position")
            .unwrap()
            .iter()
            .all(|x| x.is_finite())
    );
    let manifest = place.json("results/roots/manifest.json");
    assert_eq!(manifest["status"]["state"], "failed");
    assert!(
        manifest["status"]["message"]
            .as_str()
            .unwrap()
            .contains("`push`")
    );

    let json = place.run(&["run", "roots.toml", "--json"]).exits(5).json();
    assert_eq!(json["status"], "solver-stopped");
    assert_eq!(json["rows"], 51);
    assert!(json["message"].as_str().unwrap().contains("`push`"));
}

#[test]
fn an_option_that_does_not_apply_exits_with_2() {
    let place = Place::new().with("pendulum.toml");
    for (args, words) in [
        (["--method", "projektion"], "did you mean `projection`?"),
        (["--integrator", "rk44"], "did you mean `rk4`?"),
        (["--step", "1 ms"], "`dopri5` has no `step`"),
        (["--to", "3 m"], "--to"),
        (["--to", "-1"], "must be positive"),
        (["--output-step", "0"], "must be positive"),
        (["--output-step", "1e-12"], "increase output_step"),
        (["--tolerance", "1e-30"], "below the rounding"),
        (["--tolerance", "fine"], "--tolerance"),
    ] {
        let all = ["run", "pendulum.toml", args[0], args[1]];
        let _ = place.run(&all).exits(2).says(&[words]);
    }
    assert!(!place.path("results").exists());
}

#[test]
fn a_folder_with_other_files_is_not_changed() {
    let place = Place::new().with("pendulum.toml");
    std::fs::create_dir(place.path("thesis")).unwrap();
    place.write("thesis/chapter.tex", "years of work");
    let _ = place
        .run(&["run", "pendulum.toml", "--out", "thesis"])
        .exits(2)
        .says(&["thesis", "chapter.tex", "name a new or empty folder"]);
    place.write("file", "");
    let _ = place
        .run(&["run", "pendulum.toml", "--out", "file"])
        .exits(2)
        .says(&["file"]);
    assert_eq!(place.text("thesis/chapter.tex"), "years of work");
}

#[test]
fn a_results_folder_in_use_is_rejected() {
    let place = Place::new().with("pendulum.toml");
    let header = biela::record::Header::default();
    let options = biela::record::WriterOptions::default();
    let writer = biela::record::Writer::create(&place.path("busy"), &header, options).unwrap();
    let _ = place
        .run(&["run", "pendulum.toml", "--out", "busy"])
        .exits(2)
        .says(&["another run is writing here"]);
    drop(writer);
    let _ = place
        .run(&["run", "pendulum.toml", "--out", "busy"])
        .exits(0);
}

#[cfg(unix)]
#[test]
fn unreadable_and_unwritable_files_are_reported() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new().with("pendulum.toml");
    let locked = |name: &str, mode: u32| {
        std::fs::set_permissions(place.path(name), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    std::fs::create_dir(place.path("sealed")).unwrap();
    locked("sealed", 0o500);
    // root may write anywhere; then there is nothing to refuse
    let may_write = std::fs::write(place.path("sealed/probe"), "").is_ok();
    if !may_write {
        let _ = place
            .run(&["run", "pendulum.toml", "--out", "sealed/run"])
            .exits(2)
            .says(&["sealed/run", "name a writable folder"]);
        let _ = place
            .run(&["new", "sealed/model"])
            .exits(2)
            .says(&["sealed/model"]);
        locked("pendulum.toml", 0o000);
        let _ = place
            .run(&["check", "pendulum.toml"])
            .exits(2)
            .says(&["cannot read"]);
    }
    locked("sealed", 0o700);
    // a device is not a model, whoever asks
    let _ = place.run(&["check", "/dev/null"]).exits(3);
}

/// A limit on the size of files stands for a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_exits_with_6_and_keeps_the_written_data() {
    let place = Place::new().with("pendulum.toml");
    let run = format!(
        "trap '' XFSZ; ulimit -f 40; exec '{}' run pendulum.toml --to 100",
        env!("CARGO_BIN_EXE_biela")
    );
    let mut shell = std::process::Command::new("sh");
    let _ = shell.args(["-c", &run]).current_dir(place.path("."));
    let done = common::done(shell.output().unwrap()).exits(6);
    let done = done.says(&[
        "data.arrows: cannot write",
        "results kept to t = ",
        "free some space",
    ]);
    let results = biela::record::Results::open(&place.path("results/pendulum")).unwrap();
    assert!(results.rows() > 100);
    let said = format!("{} rows of 5 signals", results.rows());
    assert!(done.err.contains(&said), "{}", done.err);
    let manifest = place.json("results/pendulum/manifest.json");
    assert_eq!(manifest["status"]["state"], "failed");
    let _ = place.run(&["plot", "results/pendulum"]).exits(0);
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_not_an_error() {
    let place = Place::new().with("pendulum.toml");
    for args in [
        &["schema"][..],
        &["reference"],
        &["info", "pendulum.toml", "--signals"],
    ] {
        let mut child = place.command(args).spawn().unwrap();
        drop(child.stdout.take());
        let done = common::done(child.wait_with_output().unwrap());
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{args:?}");
    }
}

#[test]
fn every_failure_of_a_run_names_its_explanation() {
    let place = Place::new().with("gap.toml").with("wrong.toml");
    for (file, word, code) in [
        ("gap.toml", "cannot-assemble", 4),
        ("wrong.toml", "errors-in-the-file", 3),
    ] {
        let more = format!("more: biela explain {word}\n");
        let done = place.run(&["run", file]).exits(code);
        assert!(done.err.ends_with(&more), "{}", done.err);
        let json = place.run(&["run", file, "--json"]).exits(code).json();
        assert_eq!(json["explain"], word);
        let told = place.run(&["explain", word]).exits(0).out;
        assert!(told.starts_with("## "), "{told}");
        assert!(told.contains("Exit code"), "{told}");
    }
    let all = place.run(&["explain"]).exits(0).out;
    assert!(all.lines().count() > 15, "{all}");
    assert!(all.lines().all(|line| !line.contains("**Cure")), "{all}");
    let failures = all.lines().filter(|line| line.contains("Exit code"));
    assert!(failures.count() > 15, "{all}");
    let _ = place
        .run(&["explain", "cannot-asemble"])
        .exits(2)
        .says(&["did you mean `cannot-assemble`?"]);
}
