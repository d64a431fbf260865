//! The table of a sweep: one row per point, including failed ones.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use biela_files::Draft;
use biela_record::{TableColumn, csv_cell, write_parquet};
use serde_json::{Map, Value};

use super::sweep::{Sweep, SweepRow};

/// All points with their parameters and measures.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepTable {
    /// Names and units of the parameters.
    pub parameters: Vec<(String, String)>,
    /// Names and units of the measures.
    pub measures: Vec<(String, String)>,
    /// Values of the parameters, one row per point.
    pub points: Vec<Vec<f64>>,
    /// The result of each point.
    pub rows: Vec<SweepRow>,
}

impl SweepTable {
    pub(super) fn new(sweep: &Sweep, rows: &BTreeMap<usize, SweepRow>) -> Self {
        let identity = sweep.identity();
        Self {
            points: rows.keys().map(|&k| sweep.plan().point(k)).collect(),
            rows: rows.values().cloned().collect(),
            parameters: identity.parameters,
            measures: identity.measures,
        }
    }

    /// The points that failed.
    pub fn failed(&self) -> impl Iterator<Item = (usize, &str)> {
        let failed = |row: &'_ SweepRow| row.values.is_err();
        let rows = self.rows.iter().filter(move |row| failed(row));
        rows.filter_map(|row| Some((row.point, row.values.as_ref().err()?.as_str())))
    }

    /// The values of a measure, one per point; NaN if missing.
    pub fn measure(&self, index: usize) -> Vec<f64> {
        let value = |row: &SweepRow| row.values.as_ref().map_or(f64::NAN, |values| values[index]);
        self.rows.iter().map(value).collect()
    }

    /// The values of a parameter, one per point.
    pub fn parameter(&self, index: usize) -> Vec<f64> {
        self.points.iter().map(|point| point[index]).collect()
    }

    /// Writes the table as a Parquet file: `point`, the parameters, the measures, and `problem`, the reason of a failed point.
    pub fn write_parquet(&self, path: &Path) -> io::Result<()> {
        let points = self.rows.iter().map(|row| row.point as i64).collect();
        let mut columns = vec![("point".to_owned(), TableColumn::Whole(points))];
        let mut units = Map::new();
        for (k, (name, unit)) in self.parameters.iter().enumerate() {
            columns.push((name.clone(), TableColumn::Numbers(self.parameter(k))));
            let _ = units.insert(name.clone(), Value::from(unit.clone()));
        }
        for (k, (name, unit)) in self.measures.iter().enumerate() {
            columns.push((name.clone(), TableColumn::Numbers(self.measure(k))));
            let _ = units.insert(name.clone(), Value::from(unit.clone()));
        }
        let problems = self.rows.iter().map(|row| row.values.clone().err());
        columns.push(("problem".to_owned(), TableColumn::Texts(problems.collect())));
        let notes = [("biela.units", Value::Object(units).to_string())];
        whole(path, |out| write_parquet(out, &columns, &notes))
    }

    /// Writes the table as CSV; missing values are empty.
    pub fn write_csv(&self, path: &Path) -> io::Result<()> {
        let mut text = String::from("point");
        for (name, unit) in self.parameters.iter().chain(&self.measures) {
            let heading = match unit.as_str() {
                "1" => name.clone(),
                _ => format!("{name} [{unit}]"),
            };
            let _ = write!(text, ",{}", csv_cell(&heading));
        }
        text.push_str(",problem\n");
        for (row, point) in self.rows.iter().zip(&self.points) {
            let _ = write!(text, "{}", row.point);
            let missing = vec![f64::NAN; self.measures.len()];
            let (values, problem) = match &row.values {
                Ok(values) => (values, ""),
                Err(problem) => (&missing, problem.as_str()),
            };
            for value in point.iter().chain(values) {
                text.push(',');
                if !value.is_nan() {
                    let _ = write!(text, "{value:?}");
                }
            }
            let _ = writeln!(text, ",{}", csv_cell(problem));
        }
        whole(path, |out| out.write_all(text.as_bytes()))
    }
}

/// Writes a file atomically.
fn whole(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<Draft>) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::new(Draft::new(path)?);
    write(&mut out)?;
    let draft = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    draft.keep(false)
}
