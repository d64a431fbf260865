//! A small run that every integration test can record.

use std::path::{Path, PathBuf};

use biela_record::{
    DATA_FILE, Header, ModelInfo, RecordedColumn, RunOutcome, RunStatus, Writer, WriterOptions,
};

/// Rows, columns and texts that are awkward on purpose.
pub(crate) fn header() -> Header {
    Header {
        biela: "0.1.0".into(),
        model: ModelInfo {
            name: "slider-crank \"Ø\"".into(),
            file: Some("model.toml".into()),
            digest: Some(biela_record::digest(b"format = 1")),
        },
        columns: vec![
            RecordedColumn::new("crank.angle", "rad", "angle of the crank"),
            RecordedColumn::new("odd, \"name\" φ", "", ""),
        ],
        ..Header::default()
    }
}

pub(crate) fn time(row: u32) -> f64 {
    0.1 * f64::from(row)
}

pub(crate) fn values(row: u32) -> [f64; 2] {
    let odd = match row % 5 {
        0 => f64::NAN,
        1 => f64::INFINITY,
        2 => -0.0,
        3 => 5e-324,
        _ => -1.0 / 3.0 * f64::from(row),
    };
    [f64::from(row).sqrt(), odd]
}

pub(crate) fn started(dir: &Path, rows: u32, options: WriterOptions) -> Writer {
    let mut writer = Writer::create(dir, &header(), options).unwrap();
    for row in 0..rows {
        writer.push(time(row), &values(row)).unwrap();
    }
    writer
}

pub(crate) fn recorded(dir: &Path, rows: u32, options: WriterOptions) -> PathBuf {
    let writer = started(dir, rows, options);
    let _ = writer.finish(RunOutcome::new(RunStatus::Finished)).unwrap();
    dir.join(DATA_FILE)
}
