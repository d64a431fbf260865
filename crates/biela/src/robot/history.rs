//! Time histories and the panels that show them.

use std::path::Path;

use biela_record::{
    Header, Manifest, ModelInfo, RecordError, RecordedColumn, RunOutcome, RunStatus, Writer,
    WriterOptions,
};
use serde_json::{Map, Value, json};

/// Columns that are plotted together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// The columns.
    pub columns: Vec<usize>,
}

/// Time histories.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The times.
    pub times: Vec<f64>,
    /// Name, unit and description of each column.
    pub columns: Vec<RecordedColumn>,
    /// The values, column by column.
    pub values: Vec<Vec<f64>>,
    /// The panels over time, from top to bottom.
    pub charts: Vec<Chart>,
    /// The panels of a second figure over time: reference and actual motion of each joint.
    pub tracking: Vec<Chart>,
    /// The phase planes: pairs of columns, such as position and rate.
    pub planes: Vec<[usize; 2]>,
}

impl History {
    /// Adds a column and returns its index.
    pub fn add(&mut self, name: impl Into<String>, unit: &str, text: &str) -> usize {
        self.columns.push(RecordedColumn::new(name, unit, text));
        self.values.push(Vec::new());
        self.columns.len() - 1
    }

    /// Returns a column by name.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        let number = self.columns.iter().position(|column| column.name == name)?;
        Some(&self.values[number])
    }

    /// Adds panels for these columns, one per unit.
    pub fn draw(&mut self, columns: &[usize]) {
        let mut units: Vec<&str> = Vec::new();
        for &column in columns {
            let unit = self.columns[column].unit.as_str();
            if !units.contains(&unit) {
                units.push(unit);
            }
        }
        let charts: Vec<Chart> = units
            .iter()
            .map(|unit| {
                let same = |c: &&usize| self.columns[**c].unit == *unit;
                let columns = columns.iter().filter(same).copied().collect();
                Chart { columns }
            })
            .collect();
        self.charts.extend(charts);
    }

    /// Writes a results folder that includes data.csv.
    pub fn save(
        &self,
        dir: &Path,
        model: ModelInfo,
        mut options: Map<String, Value>,
    ) -> Result<Manifest, RecordError> {
        let panels: Vec<Vec<&str>> = self
            .charts
            .iter()
            .map(|chart| {
                let name = |&c: &usize| self.columns[c].name.as_str();
                chart.columns.iter().map(name).collect()
            })
            .collect();
        let _ = options.insert("plot".into(), json!(panels));
        let header = Header {
            biela: env!("CARGO_PKG_VERSION").into(),
            model,
            options,
            columns: self.columns.clone(),
        };
        let with_csv = WriterOptions {
            csv: true,
            ..WriterOptions::default()
        };
        let mut writer = Writer::create(dir, &header, with_csv)?;
        let mut row = vec![0.0; self.columns.len()];
        for (k, time) in self.times.iter().enumerate() {
            for (cell, values) in row.iter_mut().zip(&self.values) {
                *cell = values[k];
            }
            writer.push(*time, &row)?;
        }
        writer.finish(RunOutcome::new(RunStatus::Finished))
    }
}
