//! Results folders and plots of results in memory.

use std::path::PathBuf;

use biela::View;
use biela::record::{Column, Event, Header, ModelInfo, Options, Outcome, Results, Status, Writer};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::convert::{Kind, failure};

/// Writes a results folder. `about` is JSON: model, digest, options, status, statistics, checks.
#[pyfunction]
#[pyo3(signature = (folder, about, channels, time, data, events, csv))]
#[expect(clippy::too_many_arguments, reason = "one a part of the folder")]
pub(crate) fn save(
    py: Python<'_>,
    folder: PathBuf,
    about: &str,
    channels: Vec<(String, String, String)>,
    time: PyReadonlyArray1<'_, f64>,
    data: PyReadonlyArray2<'_, f64>,
    events: Vec<(f64, String)>,
    csv: bool,
) -> PyResult<()> {
    let wrong = |error: &dyn std::fmt::Display| failure(py, Kind::Option, error);
    let about: serde_json::Value = serde_json::from_str(about).map_err(|e| wrong(&e))?;
    let map = |key: &str| about[key].as_object().cloned().unwrap_or_default();
    let word = |key: &str| about[key].as_str().map(str::to_owned);
    let header = Header {
        biela: env!("CARGO_PKG_VERSION").into(),
        model: ModelInfo {
            name: word("model").unwrap_or_default(),
            file: None,
            digest: word("digest"),
        },
        options: map("options"),
        columns: channels
            .iter()
            .map(|(name, unit, text)| Column::new(name, unit, text))
            .collect(),
    };
    let status: Status = serde_json::from_value(about["status"].clone()).map_err(|e| wrong(&e))?;
    let outcome = Outcome {
        statistics: map("statistics"),
        checks: map("checks"),
        events: events
            .into_iter()
            .map(|(time, name)| Event { time, name })
            .collect(),
        ..Outcome::new(status)
    };
    let options = Options {
        csv,
        ..Options::default()
    };
    let mut writer = Writer::create(&folder, &header, options).map_err(|e| wrong(&e))?;
    let (time, data) = (time.as_array(), data.as_array());
    let mut row = vec![0.0; channels.len()];
    for (t, values) in time.iter().zip(data.rows()) {
        for (place, value) in row.iter_mut().zip(values) {
            *place = *value;
        }
        writer.push(*t, &row).map_err(|e| wrong(&e))?;
    }
    let _ = writer.finish(outcome).map_err(|e| wrong(&e))?;
    Ok(())
}

/// Plots the results of a folder as SVG: these signals, or the default of the model; over time, or over another signal.
#[pyfunction]
#[pyo3(signature = (folder, signals, over))]
pub(crate) fn draw(
    py: Python<'_>,
    folder: PathBuf,
    signals: Vec<String>,
    over: Option<String>,
) -> PyResult<String> {
    let wrong = |error: &dyn std::fmt::Display| failure(py, Kind::Option, error);
    let results = Results::open(&folder).map_err(|e| wrong(&e))?;
    let view = if signals.is_empty() {
        View::of_results(&results)
    } else {
        View::of_signals(&results, &signals)
    };
    let view = match over {
        Some(name) => view.and_then(|view| view.over(&name)),
        None => view,
    };
    let view = view.map_err(|e| wrong(&e))?;
    let figure = view.figure(results.model().unwrap_or_default());
    figure.to_svg().map_err(|e| wrong(&e))
}

/// The viewer with the motions and signals of results folders, as a self-contained page.
#[pyfunction]
#[pyo3(signature = (folders))]
pub(crate) fn page(py: Python<'_>, folders: Vec<PathBuf>) -> PyResult<String> {
    let made = py.detach(|| biela::view::page(&folders));
    made.map_err(|problem| failure(py, Kind::Option, problem))
}
