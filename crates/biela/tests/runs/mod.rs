//! Runs of models given as text, and checks of their results.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};

use biela::core::analysis::Stop;
use biela::core::system::channels;
use biela::{Job, Run};

/// The folder of the whole project.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Loads a model given as text.
pub(crate) fn job(text: &str) -> Job {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.toml");
    std::fs::write(&path, text).unwrap();
    biela::load(&path).unwrap_or_else(|e| panic!("{e}"))
}

/// Runs to wherever the run ends; keeps every signal.
pub(crate) fn attempt(mut job: Job) -> Run {
    job.outputs.channels = channels(&job.model);
    biela::run(job).unwrap_or_else(|e| panic!("{e}"))
}

/// Runs to the end that the study asks for; keeps every signal.
pub(crate) fn finish(job: Job) -> Run {
    let run = attempt(job);
    assert_eq!(run.ended, Ok(Stop::Finished));
    run
}

/// Runs a model given as text.
pub(crate) fn run(text: &str) -> Run {
    finish(job(text))
}

/// Runs the model of a folder of the project with other parameters.
pub(crate) fn run_folder(folder: &str, set: &[&str]) -> Run {
    let path = root().join(folder).join("model.toml");
    finish(biela::load_with(path, set).unwrap_or_else(|e| panic!("{e}")))
}

/// A signal, row by row.
pub(crate) fn column(run: &Run, name: &str) -> Vec<f64> {
    run.column(name)
        .unwrap_or_else(|| panic!("no signal {name}"))
}

/// A signal in the first row.
pub(crate) fn first(run: &Run, name: &str) -> f64 {
    column(run, name)[0]
}

/// A signal in the last row.
pub(crate) fn last(run: &Run, name: &str) -> f64 {
    *column(run, name).last().unwrap()
}

/// The largest size.
pub(crate) fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

/// Angular frequencies about a state, the lowest first.
pub(crate) fn frequencies(job: Job, at: biela::OperatingPoint) -> Vec<f64> {
    let request = biela::core::analysis::LinearModelRequest::default();
    let linear = biela::linearize(job, at, &request).unwrap_or_else(|e| panic!("{e}"));
    let modes = linear.modes.iter().map(|mode| mode.value.im);
    let mut found: Vec<f64> = modes.filter(|omega| *omega > 0.0).collect();
    found.sort_by(f64::total_cmp);
    found
}

/// `y' = slope(x, y)` from x = 0 to `end` by the classical Runge-Kutta method.
pub(crate) fn march<const N: usize>(
    slope: impl Fn(f64, [f64; N]) -> [f64; N],
    start: [f64; N],
    (end, steps): (f64, u32),
) -> [f64; N] {
    let h = end / f64::from(steps);
    let mut y = start;
    for k in 0..steps {
        let x = f64::from(k) * h;
        let moved = |k: [f64; N], by: f64| std::array::from_fn(|i| y[i] + by * k[i]);
        let k1 = slope(x, y);
        let k2 = slope(x + 0.5 * h, moved(k1, 0.5 * h));
        let k3 = slope(x + 0.5 * h, moved(k2, 0.5 * h));
        let k4 = slope(x + h, moved(k3, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
    }
    y
}
