//! Hostile models: each ends with a message, in bounded time and memory.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::fmt::Write;
use std::time::{Duration, Instant};

use common::{Done, Place};

/// A chain of links in the plane.
fn chain(links: usize, study: &str) -> String {
    let mut text = "format = 1\nname = \"chain\"\nspace = \"planar\"\n".to_owned();
    for k in 0..links {
        let before = if k == 0 {
            "ground".to_owned()
        } else {
            format!("b{}.e", k - 1)
        };
        let _ = write!(
            text,
            "[[body]]\nname = \"b{k}\"\nmass = 1\ninertia = 0.1\npoints = {{ e = [1, 0] }}\n\
             [[joint]]\nname = \"j{k}\"\ntype = \"revolute\"\nbetween = [\"{before}\", \"b{k}\"]\n"
        );
    }
    text + "[study]\n" + study
}

/// Runs a command with at most so much memory, and checks that it ends in time.
#[cfg(unix)]
fn bounded(place: &Place, words: &str, megabytes: u64, seconds: u64) -> Done {
    let command = format!(
        "ulimit -v {}; exec '{}' {words}",
        megabytes << 10,
        env!("CARGO_BIN_EXE_biela")
    );
    let start = Instant::now();
    let mut shell = std::process::Command::new("sh");
    let _ = shell.args(["-c", &command]).current_dir(place.path("."));
    let done = common::done(shell.output().unwrap());
    let taken = start.elapsed();
    assert!(taken < Duration::from_secs(seconds), "{words}: {taken:?}");
    done
}

#[cfg(unix)]
#[test]
fn a_long_chain_in_joint_coordinates_is_rejected_before_its_matrix_is_allocated() {
    let place = Place::new();
    place.write(
        "chain.toml",
        &chain(20_000, "duration = 1\nformulation = \"tree\"\n"),
    );
    let done = bounded(&place, "run chain.toml", 512, 60).exits(4);
    let _ = done.says(&[
        "GB of memory; the limit is 4.0 GB",
        "formulation = \"absolute\"",
    ]);
    assert!(!place.path("results").exists());
}

#[cfg(unix)]
#[test]
fn too_many_elements_are_reported_within_the_memory_of_a_reader() {
    let place = Place::new();
    place.write("chain.toml", &chain(40_000, "duration = 1\n"));
    let _ = bounded(&place, "check chain.toml", 512, 60).exits(3);
}

#[test]
fn the_memory_limit_is_an_option() {
    let place = Place::new().with("pendulum.toml");
    let _ = place
        .run(&["run", "pendulum.toml", "--memory", "1kB"])
        .exits(4)
        .says(&["--memory", "more: biela explain not-enough-memory"]);
    let _ = place
        .run(&["run", "pendulum.toml", "--memory", "much"])
        .exits(2)
        .says(&["--memory", "500MB or 8GB"]);
    let _ = place
        .run(&["run", "pendulum.toml", "--memory", "1GB", "--to", "0.1"])
        .exits(0);
}

#[test]
fn a_run_ends_cleanly_at_its_deadline() {
    let place = Place::new().with("pendulum.toml");
    let started = Instant::now();
    let words =
        "run pendulum.toml --to 1e5 --output-step 10 --integrator rk4 --step 1us --deadline 1s";
    let words: Vec<&str> = words.split(' ').collect();
    let done = place.run(&words).exits(5).says(&[
        "the deadline of 1 s passed at t = ",
        "results in results/pendulum are complete up to t = ",
        "more: biela explain deadline-passed",
    ]);
    assert!(!done.err.contains("panicked"));
    assert!(started.elapsed() < Duration::from_secs(20));
    let results = biela::record::Results::open(&place.path("results/pendulum")).unwrap();
    assert!(results.is_complete() && results.rows() > 0);
    let manifest = place.json("results/pendulum/manifest.json");
    assert_eq!(manifest["status"]["state"], "interrupted");
}

#[test]
fn a_deadline_that_does_not_pass_changes_nothing() {
    let place = Place::new().with("pendulum.toml");
    let _ = place
        .run(&["run", "pendulum.toml", "--to", "0.1", "--deadline", "1h"])
        .exits(0);
    let _ = place
        .run(&["run", "pendulum.toml", "--deadline", "soon"])
        .exits(2)
        .says(&["--deadline"]);
}

/// Bodies with a joint between any two of them.
fn tangle(bodies: usize) -> String {
    let mut text = "format = 1\nname = \"tangle\"\nspace = \"spatial\"\n".to_owned();
    for k in 0..bodies {
        let _ = write!(
            text,
            "[[body]]\nname = \"b{k}\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [{k}, 0, 0]\n"
        );
        for other in 0..k {
            let _ = write!(
                text,
                "[[joint]]\nname = \"j{other}_{k}\"\ntype = \"revolute\"\nbetween = [\"b{other}\", \"b{k}\"]\naxis = [0, 0, 1]\n"
            );
        }
    }
    text
}

#[test]
fn a_check_ends_at_its_deadline_too() {
    let place = Place::new();
    place.write("tangle.toml", &tangle(100));
    let started = Instant::now();
    let _ = place
        .run(&["check", "tangle.toml", "--deadline", "1s"])
        .exits(5)
        .says(&[
            "the deadline of 1 s passed during",
            "more: biela explain deadline-passed",
        ]);
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[cfg(unix)]
#[test]
fn check_and_linearize_reject_the_matrix_of_a_long_chain_too() {
    let place = Place::new();
    place.write(
        "chain.toml",
        &chain(20_000, "duration = 1\nformulation = \"tree\"\n"),
    );
    for words in ["check chain.toml", "linearize chain.toml"] {
        let _ = bounded(&place, words, 512, 60).exits(4).says(&[
            "GB of memory; the limit is 4.0 GB",
            "more: biela explain not-enough-memory",
        ]);
    }
    let _ = place
        .run(&["check", "chain.toml", "--memory", "little"])
        .exits(2)
        .says(&["--memory", "500MB or 8GB"]);
}

/// A body that falls, with this study.
fn falling(study: &str) -> String {
    format!(
        "format = 1\nname = \"falling\"\nspace = \"planar\"\n[[body]]\nname = \"b\"\nmass = 1\ninertia = 1\n\
         [[joint]]\nname = \"j\"\ntype = \"free\"\nbetween = [\"ground\", \"b\"]\n{study}"
    )
}

#[test]
fn an_unbounded_number_of_steps_is_rejected_when_the_model_is_read() {
    let place = Place::new();
    for (integrator, field) in [
        ("{ type = \"rk4\", step = 1e-300 }", "`step`"),
        ("{ type = \"hht\", step = 1e-17 }", "`step`"),
        ("{ type = \"dopri5\", max_step = 1e-300 }", "`max_step`"),
    ] {
        let study = format!("[study]\nduration = 1\nintegrator = {integrator}\n");
        place.write("falling.toml", &falling(&study));
        let _ = place.run(&["check", "falling.toml"]).exits(3).says(&[
            "error[too-many-steps]",
            field,
            "the maximum is 1e12. Increase it, or reduce the duration",
        ]);
    }
    place.write("falling.toml", &falling("[study]\nduration = 1\n"));
    let words = ["run", "falling.toml", "--integrator", "rk4", "--step"];
    let _ = place
        .run(&[&words[..], &["1e-300"]].concat())
        .exits(2)
        .says(&["--step: 1e-300 s gives 1.0e300 steps in a duration of 1 s"]);
    let _ = place.run(&[&words[..], &["1e-3"]].concat()).exits(0);
}

#[test]
fn a_thousand_million_rows_are_rejected_with_one_signal_too() {
    let place = Place::new();
    let study = "[study]\nduration = 1\noutput_step = 1e-9\n[output]\nsignals = [\"b.x\"]\n";
    place.write("falling.toml", &falling(study));
    let _ = place.run(&["check", "falling.toml"]).exits(3).says(&[
        "1.0e9 rows; at most 1e8 are allowed",
        "increase `output_step`",
    ]);
    place.write(
        "falling.toml",
        &falling("[study]\nduration = 1\n[output]\nsignals = [\"b.x\"]\n"),
    );
    let _ = place
        .run(&["run", "falling.toml", "--output-step", "1e-9"])
        .exits(2)
        .says(&["increase output_step"]);
}

#[test]
fn rows_that_exceed_memory_are_rejected_before_a_run_in_memory() {
    let place = Place::new();
    let study = "[study]\nduration = 1\noutput_step = 2e-8\n";
    place.write("falling.toml", &falling(study));
    let mut job = biela::load(place.path("falling.toml")).unwrap();
    let channel = job.outputs.channels[0].clone();
    job.outputs.channels = vec![channel; 10];
    let error = biela::run(job).unwrap_err().to_string();
    assert!(
        error.contains(
            "rows of 10 signals need 4.4 GB of memory, which cannot be allocated or exceeds the limit of 4.0 GB"
        ),
        "{error}"
    );
}

#[test]
fn too_many_threads_are_rejected() {
    let place = Place::new().with("pendulum.toml");
    for command in ["sweep", "optimize", "fit", "sensitivity"] {
        let _ = place
            .run(&[command, "pendulum.toml", "--threads", "100000"])
            .exits(2)
            .says(&["--threads", "1..=1024"]);
    }
}

#[test]
fn events_beyond_the_list_are_counted() {
    let place = Place::new();
    // 12 732 zeros, two radians or less in a step
    let study = "[[event]]\nname = \"beat\"\nwhen = \"sin(200000 * t + 1)\"\n[study]\nduration = 0.2\n\
                 integrator = { type = \"rk4\", step = 1e-5 }\n[output]\nsignals = [\"b.x\"]\n\
                 [[measure]]\nname = \"late\"\nevent = \"beat\"\nwhich = 12000\n";
    place.write("falling.toml", &falling(study));
    let run = biela::run(biela::load(place.path("falling.toml")).unwrap()).unwrap();
    let listed = run.events.len();
    assert_eq!(listed, biela::MOST_EVENTS);
    assert_eq!(listed as u64 + run.events_not_listed, 12_732);
    let done = place.run(&["run", "falling.toml"]).exits(0);
    let _ = done.says(&["and 2732 more, not listed"]);
    let manifest = place.json("results/falling/manifest.json");
    assert_eq!(manifest["events"].as_array().unwrap().len(), listed);
    assert_eq!(manifest["statistics"]["events_not_listed"], 2732);
}
