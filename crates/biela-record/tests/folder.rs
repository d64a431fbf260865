//! Guarantees of a results folder: it round-trips, is reproducible, and contains no foreign files.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may fail loudly"
)]

use std::{
    fs,
    process::{Command, Stdio},
};

use biela_record::{
    CSV_FILE, DATA_FILE, Header, MANIFEST_FILE, Manifest, RecordError, RecordedColumn,
    RecordedEvent, Results, RunOutcome, RunStatus, Tail, Writer, WriterOptions,
};
use serde_json::{Map, Value, json};

mod common;
use common::{header, recorded, started, time, values};

fn map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => panic!("{other} is not a map"),
    }
}

#[test]
fn recorded_data_are_read_back_exactly() {
    let dir = tempfile::tempdir().unwrap();
    for rows in [0, 1, 63, 64, 65, 1000] {
        let _ = recorded(dir.path(), rows, WriterOptions::default());
        let results = Results::open(dir.path()).unwrap();
        assert_eq!(results.tail(), &Tail::Complete);
        assert_eq!(results.rows(), u64::from(rows));
        assert_eq!(results.model(), Some("slider-crank \"Ø\""));
        assert_eq!(
            results.columns()[0],
            RecordedColumn::new("time", "s", "time")
        );
        assert_eq!(results.columns()[1..], header().columns);
        let times = results.column("time").unwrap();
        let odd = results.column("odd, \"name\" φ").unwrap();
        for row in 0..rows {
            assert_eq!(times[row as usize], time(row));
            assert_eq!(results.series(1).unwrap()[row as usize], values(row)[0]);
            assert_eq!(odd[row as usize].to_bits(), values(row)[1].to_bits());
        }
        assert_eq!(results.column("no such signal"), None);
    }
}

#[test]
fn the_final_manifest_contains_the_outcome_of_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let mut about = header();
    about.options = map(json!({"method": "augmented", "step": 0.1}));
    let mut writer = Writer::create(dir.path(), &about, WriterOptions::default()).unwrap();
    let running = Results::open(dir.path()).unwrap();
    assert_eq!(running.manifest().unwrap().status, RunStatus::Running);
    assert_eq!(running.tail(), &Tail::Cut);
    writer.push(0.1 + 0.2, &[1.0, 2.0]).unwrap();
    let outcome = RunOutcome {
        status: RunStatus::Event {
            name: "slider at rest".into(),
            time: 0.3,
        },
        statistics: map(json!({"steps": 12})),
        checks: map(json!({"energy drift": 1e-12})),
        events: vec![RecordedEvent {
            time: 0.25,
            name: "dead centre".into(),
        }],
        timing: map(json!({"wall": 0.5})),
    };
    let written = writer.finish(outcome).unwrap();
    assert_eq!(written.rows, 1);
    assert_eq!(written.last_time, Some(0.1 + 0.2));
    assert_eq!(written.columns.len(), 3);
    assert_eq!(written.options, about.options);
    let results = Results::open(dir.path()).unwrap();
    assert_eq!(results.manifest(), Some(&written));
    assert!(!dir.path().join("biela.lock").exists());
}

#[test]
fn the_same_run_gives_the_same_bytes_except_for_timing() {
    let dir = tempfile::tempdir().unwrap();
    let options = WriterOptions {
        csv: true,
        ..WriterOptions::default()
    };
    let record = |name: &str, wall: f64| {
        let dir = dir.path().join(name);
        let writer = started(&dir, 777, options);
        let mut outcome = RunOutcome::new(RunStatus::Finished);
        outcome.timing = map(json!({"wall": wall}));
        let _ = writer.finish(outcome).unwrap();
        let mut manifest: Value =
            serde_json::from_slice(&fs::read(dir.join(MANIFEST_FILE)).unwrap()).unwrap();
        let timing = manifest.as_object_mut().unwrap().remove("timing");
        assert_eq!(timing, Some(json!({"wall": wall})));
        let bytes = [DATA_FILE, CSV_FILE].map(|name| fs::read(dir.join(name)).unwrap());
        (bytes, manifest)
    };
    assert!(record("a", 1.0) == record("b", 2.0));
}

#[test]
fn the_csv_file_contains_the_same_numbers() {
    let dir = tempfile::tempdir().unwrap();
    let options = WriterOptions {
        csv: true,
        ..WriterOptions::default()
    };
    let _ = recorded(dir.path(), 200, options);
    let text = fs::read_to_string(dir.path().join(CSV_FILE)).unwrap();
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some("time,crank.angle,\"odd, \"\"name\"\" φ\"")
    );
    for row in 0..200 {
        let fields = lines.next().unwrap().split(',');
        let numbers: Vec<f64> = fields.map(|field| field.parse().unwrap()).collect();
        let [a, b] = values(row);
        for (read, put) in numbers.iter().zip([time(row), a, b]) {
            assert!(read.to_bits() == put.to_bits() || put.is_nan());
        }
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn a_run_without_signals_records_its_times() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer =
        Writer::create(dir.path(), &Header::default(), WriterOptions::default()).unwrap();
    writer.push(0.5, &[]).unwrap();
    let _ = writer.finish(RunOutcome::new(RunStatus::Finished)).unwrap();
    let results = Results::open(dir.path()).unwrap();
    assert_eq!(results.column("time"), Some(&[0.5][..]));
}

#[test]
fn a_duplicate_name_is_rejected_before_any_file_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("new");
    for twice in [["a", "a"], ["b", "time"]] {
        let header = Header {
            columns: twice.map(|name| RecordedColumn::new(name, "", "")).to_vec(),
            ..Header::default()
        };
        let error = Writer::create(&dir, &header, WriterOptions::default()).unwrap_err();
        assert!(error.to_string().contains(twice[1]), "{error}");
        assert!(!dir.exists());
    }
}

#[test]
fn a_row_of_the_wrong_length_is_rejected_and_the_run_continues() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = started(dir.path(), 1, WriterOptions::default());
    for wrong in [&[][..], &[1.0], &[1.0, 2.0, 3.0]] {
        let error = writer.push(0.0, wrong).unwrap_err();
        assert!(matches!(error, RecordError::RowLength { expected: 2, .. }));
    }
    writer.push(time(1), &values(1)).unwrap();
    let manifest = writer.finish(RunOutcome::new(RunStatus::Finished)).unwrap();
    assert_eq!(manifest.rows, 2);
}

#[test]
fn a_dropped_writer_leaves_its_rows() {
    let dir = tempfile::tempdir().unwrap();
    drop(started(dir.path(), 100, WriterOptions::default()));
    let results = Results::open(dir.path()).unwrap();
    assert_eq!((results.rows(), results.tail()), (100, &Tail::Cut));
    assert_eq!(results.manifest().unwrap().status, RunStatus::Running);
}

#[test]
fn two_runs_cannot_write_to_one_folder() {
    let dir = tempfile::tempdir().unwrap();
    let first = started(dir.path(), 10, WriterOptions::default());
    let error = Writer::create(dir.path(), &header(), WriterOptions::default()).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("another run is writing here"), "{text}");
    assert!(text.contains(&std::process::id().to_string()), "{text}");
    let manifest = first.finish(RunOutcome::new(RunStatus::Finished)).unwrap();
    assert_eq!(manifest.rows, 10);
    drop(started(dir.path(), 5, WriterOptions::default()));
}

#[test]
fn a_lock_of_a_killed_run_does_not_block_the_folder() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("biela.lock"), "1\n").unwrap();
    let _ = recorded(dir.path(), 3, WriterOptions::default());
}

#[test]
fn earlier_results_are_replaced_only_on_request_and_other_files_stay() {
    let dir = tempfile::tempdir().unwrap();
    let with_csv = WriterOptions {
        csv: true,
        ..WriterOptions::default()
    };
    let _ = recorded(dir.path(), 50, with_csv);
    fs::write(dir.path().join("plot.svg"), "<svg/>").unwrap();
    let keep = WriterOptions {
        overwrite: false,
        ..WriterOptions::default()
    };
    let error = Writer::create(dir.path(), &header(), keep).unwrap_err();
    assert!(matches!(error, RecordError::Exists { .. }), "{error}");
    assert_eq!(Results::open(dir.path()).unwrap().rows(), 50);

    let _ = recorded(dir.path(), 7, WriterOptions::default());
    assert_eq!(Results::open(dir.path()).unwrap().rows(), 7);
    assert!(!dir.path().join(CSV_FILE).exists());
    assert!(dir.path().join("plot.svg").exists());
}

#[test]
fn a_folder_with_other_files_is_not_changed() {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("thesis.tex", "\\documentclass{book}"),
        (MANIFEST_FILE, r#"{"name": "a web page"}"#),
        (DATA_FILE, "mine"),
    ] {
        let dir = dir.path().join(name);
        fs::create_dir(&dir).unwrap();
        fs::write(dir.join(name), text).unwrap();
        let error = Writer::create(&dir, &header(), WriterOptions::default()).unwrap_err();
        assert!(error.to_string().contains(name), "{error}");
        assert!(matches!(error, RecordError::Foreign { .. }), "{error}");
        assert_eq!(fs::read_to_string(dir.join(name)).unwrap(), text);
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 1);
    }
}

#[test]
fn a_file_at_the_path_of_the_folder_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "text").unwrap();
    for path in [file.clone(), file.join("results")] {
        let error = Writer::create(&path, &header(), WriterOptions::default()).unwrap_err();
        let text = error.to_string();
        assert!(text.contains(&path.display().to_string()), "{text}");
        assert!(text.contains("name another folder"), "{text}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_read_only_folder_is_rejected_with_advice() {
    // Nobody may make a folder here, not even the system's administrator.
    let error =
        Writer::create("/sys/biela".as_ref(), &header(), WriterOptions::default()).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("name a folder you may write to"), "{text}");
}

#[test]
fn folders_without_results_have_distinct_errors() {
    let dir = tempfile::tempdir().unwrap();
    let error = Results::open(dir.path()).unwrap_err();
    assert!(matches!(error, RecordError::Missing { .. }), "{error}");
    let error = Results::open(&dir.path().join("nowhere")).unwrap_err();
    assert!(matches!(error, RecordError::File { .. }), "{error}");
    let text = dir.path().join("text");
    fs::write(&text, "time,x\n0,1\n").unwrap();
    let error = Results::open(&text).unwrap_err();
    assert!(matches!(error, RecordError::Data { .. }), "{error}");
}

#[test]
#[cfg(unix)]
fn a_pipe_instead_of_a_file_is_rejected_without_blocking() {
    let dir = tempfile::tempdir().unwrap();
    for name in [DATA_FILE, MANIFEST_FILE] {
        let made = Command::new("mkfifo").arg(dir.path().join(name)).status();
        assert!(made.unwrap().success());
        let error = Results::open(dir.path()).unwrap_err();
        assert!(error.to_string().contains("not a regular file"), "{error}");
        let error = Writer::create(dir.path(), &header(), WriterOptions::default()).unwrap_err();
        assert!(matches!(error, RecordError::Foreign { .. }), "{error}");
    }
}

#[test]
fn missing_rows_of_a_finished_run_are_reported() {
    let dir = tempfile::tempdir().unwrap();
    let other = tempfile::tempdir().unwrap();
    let _ = recorded(dir.path(), 100, WriterOptions::default());
    let shorter = recorded(other.path(), 90, WriterOptions::default());
    let _ = fs::copy(shorter, dir.path().join(DATA_FILE)).unwrap();
    let results = Results::open(dir.path()).unwrap();
    assert_eq!(
        results.tail(),
        &Tail::Damaged("it has 90 of 100 rows".into())
    );
    fs::remove_file(dir.path().join(DATA_FILE)).unwrap();
    let results = Results::open(dir.path()).unwrap();
    assert_eq!((results.rows(), results.columns().len()), (0, 3));
    assert!(!results.is_complete());
}

#[test]
#[ignore = "this is the run that a_killed_run_stays_readable_and_frees_its_folder starts and kills"]
fn run_to_be_killed() {
    let Some(dir) = std::env::var_os("BIELA_RUN_TO_BE_KILLED") else {
        return;
    };
    let mut writer = started(dir.as_ref(), 0, WriterOptions::default());
    for row in 0..1_000_000 {
        writer.push(time(row), &values(row)).unwrap();
    }
    // Ends by itself if nobody is left to kill it.
    std::thread::sleep(std::time::Duration::from_mins(1));
}

#[test]
fn a_killed_run_stays_readable_and_frees_its_folder() {
    let dir = tempfile::tempdir().unwrap();
    for attempt in 0..5_u64 {
        let dir = dir.path().join(attempt.to_string());
        let mut run = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "run_to_be_killed"])
            .env("BIELA_RUN_TO_BE_KILLED", &dir)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let data = dir.join(DATA_FILE);
        while !fs::metadata(&data).is_ok_and(|about| about.len() > 1000 * attempt * attempt) {
            assert!(run.try_wait().unwrap().is_none(), "the run ended by itself");
            std::thread::yield_now();
        }
        let error = Writer::create(&dir, &header(), WriterOptions::default()).unwrap_err();
        assert!(matches!(error, RecordError::Locked { .. }), "{error}");
        run.kill().unwrap();
        let _ = run.wait().unwrap();

        let results = Results::open(&dir).unwrap();
        assert_eq!(results.tail(), &Tail::Cut);
        let times = results.column("time").unwrap();
        assert_eq!(times.len() as u64, results.rows());
        assert!(attempt < 2 || times.len() >= 64);
        assert!((0..).zip(times).all(|(row, &read)| read == time(row)));
        let manifest: Manifest = results.manifest().unwrap().clone();
        assert_eq!(manifest.status, RunStatus::Running);
        drop(started(&dir, 1, WriterOptions::default()));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_folder_moved_during_the_run_is_completed_at_its_new_path() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    let (dir, now) = (root.join("results"), root.join("moved"));
    let writer = started(&dir, 30, WriterOptions::default());
    fs::rename(&dir, &now).unwrap();
    // somebody else's, which must stay as it is
    let other = started(&dir, 5, WriterOptions::default());
    let error = writer
        .finish(RunOutcome::new(RunStatus::Finished))
        .unwrap_err();
    assert!(matches!(error, RecordError::Gone { .. }) && error.is_of_writing());
    let text = error.to_string();
    assert!(text.contains(&format!("in {}", now.display())), "{text}");
    let results = Results::open(&now).unwrap();
    assert!(results.is_complete() && results.rows() == 30);
    assert_eq!(results.manifest().unwrap().status, RunStatus::Finished);
    let _ = other.finish(RunOutcome::new(RunStatus::Finished)).unwrap();
    assert_eq!(Results::open(&dir).unwrap().rows(), 5);
}

#[test]
#[cfg(unix)]
fn a_folder_deleted_during_the_run_is_reported_at_the_next_chunk_and_at_the_end() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("results");
    let mut writer = started(&dir, 30, WriterOptions::default());
    fs::remove_dir_all(&dir).unwrap();
    let mut push = |row| writer.push(time(row), &values(row)).err();
    let error = (30..200).find_map(&mut push).unwrap();
    assert!(matches!(error, RecordError::Gone { .. }), "{error}");
    let error = writer
        .finish(RunOutcome::new(RunStatus::Finished))
        .unwrap_err();
    assert!(error.to_string().contains("was deleted"), "{error}");
    assert!(!dir.exists());
}
