//! The data file against the readers people use: pyarrow, pandas and polars.
//!
//! Runs when `BIELA_PYTHON` names a Python that has them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may fail loudly"
)]

use std::{fs, io::Write, path::Path, process::Command};

use biela_record::{Header, Results, RunOutcome, RunStatus, Writer, WriterOptions};

mod common;
use common::{header, recorded, time, values};

fn python(arguments: &[&Path]) -> bool {
    let Some(python) = std::env::var_os("BIELA_PYTHON") else {
        // Past the test harness, which would keep the words of a passing test to itself.
        let note = "skipped: set BIELA_PYTHON to a Python with pyarrow, pandas and polars\n";
        std::io::stderr().write_all(note.as_bytes()).unwrap();
        return false;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/check_results.py");
    let output = Command::new(python)
        .arg(script)
        .args(arguments)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    true
}

/// The reference values of the script, with the bits of every number.
fn expectation(rows: u32) -> String {
    let mut columns = vec![["time", "s", "time"].map(String::from)];
    columns.extend(
        header()
            .columns
            .into_iter()
            .map(|c| [c.name, c.unit, c.description]),
    );
    let bits = |value: f64| format!("{:016x}", value.to_bits());
    let rows: Vec<_> = (0..rows)
        .map(|row| {
            let [a, b] = values(row);
            [bits(time(row)), bits(a), bits(b)]
        })
        .collect();
    serde_json::json!({"model": header().model.name, "columns": columns, "rows": rows}).to_string()
}

#[test]
fn pyarrow_pandas_and_polars_read_recorded_data() {
    let dir = tempfile::tempdir().unwrap();
    for rows in [0, 1, 64, 1000] {
        let dir = dir.path().join(rows.to_string());
        let options = WriterOptions {
            csv: true,
            ..WriterOptions::default()
        };
        let _ = recorded(&dir, rows, options);
        fs::write(dir.join("expected.json"), expectation(rows)).unwrap();
        let _ = python(&[Path::new("whole"), &dir]);
    }
}

#[test]
fn pyarrow_reads_the_complete_chunks_of_a_killed_run() {
    let dir = tempfile::tempdir().unwrap();
    let data = recorded(dir.path(), 1000, WriterOptions::default());
    let bytes = fs::read(&data).unwrap();
    fs::write(dir.path().join("expected.json"), expectation(1000)).unwrap();
    for cut in [bytes.len() - 8, bytes.len() - 9, bytes.len() / 2, 3000] {
        fs::write(&data, &bytes[..cut]).unwrap();
        let rows = Results::open(&data).unwrap().rows();
        assert!(rows > 0, "cut at {cut}");
        let _ = python(&[Path::new("cut"), dir.path(), Path::new(&rows.to_string())]);
    }
}

#[test]
fn a_table_of_many_columns_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let columns = (0..2000)
        .map(|i| biela_record::RecordedColumn::new(format!("signal {i}"), "N", "a force"))
        .collect();
    let header = Header {
        columns,
        ..Header::default()
    };
    let mut writer = Writer::create(dir.path(), &header, WriterOptions::default()).unwrap();
    for row in 0..100 {
        writer
            .push(f64::from(row), &[f64::from(row); 2000])
            .unwrap();
    }
    let _ = writer.finish(RunOutcome::new(RunStatus::Finished)).unwrap();
    let _ = python(&[Path::new("wide"), dir.path()]);
}

#[test]
fn a_stream_written_by_pyarrow_is_read() {
    let dir = tempfile::tempdir().unwrap();
    if !python(&[Path::new("write"), dir.path()]) {
        return;
    }
    let results = Results::open(&dir.path().join("plain.arrows")).unwrap();
    assert!(results.is_complete());
    assert_eq!(results.model(), None);
    assert_eq!(results.columns()[1].unit, "rad");
    assert_eq!(results.column("time"), Some(&[0.0, 0.5, 1.0, 1.5][..]));
    assert_eq!(results.column("x"), Some(&[1.0, -2.0, 1e300, 0.25][..]));
    let results = Results::open(&dir.path().join("polars.arrows")).unwrap();
    assert_eq!(results.column("x"), Some(&[1.0, -2.0][..]));
    for (name, problem) in [("nulls", "missing values"), ("compressed", "compressed")] {
        let results = Results::open(&dir.path().join(name)).unwrap();
        let tail = format!("{:?}", results.tail());
        assert!(tail.contains(problem), "{tail}");
        assert_eq!(results.rows(), 0);
    }
    let error = Results::open(&dir.path().join("integers")).unwrap_err();
    assert!(error.to_string().contains("not Float64"), "{error}");
}
