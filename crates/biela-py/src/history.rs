//! Results folders, plots, images and animations of results in memory.

use std::path::PathBuf;

use biela::PlotPanels;
use biela::record::{
    Header, ModelInfo, RecordedColumn, RecordedEvent, Results, RunOutcome, RunStatus, Writer,
    WriterOptions,
};
use biela::view::{ExportSettings, Recording, view_direction};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::convert::{ExceptionKind, failure};

/// Writes a results folder. `about` is JSON: model, digest, options, status, statistics, checks.
#[pyfunction]
#[pyo3(signature = (folder, about, channels, time, data, events, csv))]
#[expect(clippy::too_many_arguments, reason = "one per part of the folder")]
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
    let wrong = |error: &dyn std::fmt::Display| failure(py, ExceptionKind::Option, error);
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
            .map(|(name, unit, text)| RecordedColumn::new(name, unit, text))
            .collect(),
    };
    let status: RunStatus =
        serde_json::from_value(about["status"].clone()).map_err(|e| wrong(&e))?;
    let outcome = RunOutcome {
        statistics: map("statistics"),
        checks: map("checks"),
        events: events
            .into_iter()
            .map(|(time, name)| RecordedEvent { time, name })
            .collect(),
        ..RunOutcome::new(status)
    };
    let options = WriterOptions {
        csv,
        ..WriterOptions::default()
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

/// Pixels of a PNG file per unit of length of a plot, for sharp text.
const DOTS: f64 = 2.0;

/// Plots the results of a folder as SVG or PNG: these signals, or the default of the model; over time, or over another signal.
#[pyfunction]
#[pyo3(signature = (folder, signals, over, png))]
pub(crate) fn draw(
    py: Python<'_>,
    folder: PathBuf,
    signals: Vec<String>,
    over: Option<String>,
    png: bool,
) -> PyResult<Bound<'_, PyBytes>> {
    let wrong = |error: &dyn std::fmt::Display| failure(py, ExceptionKind::Option, error);
    let results = Results::open(&folder).map_err(|e| wrong(&e))?;
    let view = if signals.is_empty() {
        PlotPanels::of_results(&results)
    } else {
        PlotPanels::of_signals(&results, &signals)
    };
    let view = match over {
        Some(name) => view.and_then(|view| view.over(&name)),
        None => view,
    };
    let view = view.map_err(|e| wrong(&e))?;
    let figure = view.figure(results.model().unwrap_or_default());
    let bytes = if png {
        figure.to_png(DOTS)
    } else {
        figure.to_svg().map(String::into_bytes)
    };
    Ok(PyBytes::new(py, &bytes.map_err(|e| wrong(&e))?))
}

/// The settings of an image or an animation: size, view, dark background, times (of the image, start, end), ghosts, traces, frames per second and speed.
type ExportRequest = (
    [usize; 2],
    String,
    bool,
    [Option<String>; 3],
    usize,
    Vec<String>,
    [f64; 2],
);

/// Draws the recorded motion of a folder: an image (PNG), or an animation. Returns the number of frames.
#[pyfunction]
#[pyo3(signature = (folder, file, animation, request))]
pub(crate) fn export(
    py: Python<'_>,
    folder: PathBuf,
    file: PathBuf,
    animation: bool,
    request: ExportRequest,
) -> PyResult<u64> {
    let (size, view, dark, times, ghosts, traces, [rate, speed]) = request;
    let refuse = |error: &dyn std::fmt::Display| failure(py, ExceptionKind::Option, error);
    let view = view_direction(&view).map_err(|text| refuse(&format!("view: {text}")))?;
    let mut seconds = [None; 3];
    for ((place, text), name) in seconds.iter_mut().zip(times).zip(["time", "from_", "to"]) {
        if let Some(text) = text {
            let value = biela::quantity(&text, "s").map_err(|error| refuse(&error.about(name)))?;
            *place = Some(value);
        }
    }
    let [time, from, to] = seconds;
    let settings = ExportSettings {
        size,
        view,
        dark,
        time,
        from,
        to,
        ghosts,
        traces,
        rate,
        speed,
        ..ExportSettings::default()
    };
    let written = py.detach(|| {
        let recording = Recording::open(&folder)?;
        if animation {
            recording.film(&file, &settings)
        } else {
            recording.picture(&file, &settings).map(|()| 1)
        }
    });
    written.map_err(|error| refuse(&error))
}

/// The viewer with the motions and signals of results folders, as a self-contained page.
#[pyfunction]
#[pyo3(signature = (folders))]
pub(crate) fn page(py: Python<'_>, folders: Vec<PathBuf>) -> PyResult<String> {
    let made = py.detach(|| biela::view::page(&folders));
    made.map_err(|problem| failure(py, ExceptionKind::Option, problem))
}
