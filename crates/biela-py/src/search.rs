//! Searches over the parameters of a model: optimization, fits to measurements, and sensitivities.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use biela::parameter_methods::{FitEnded, SearchEnded};
use biela::parameter_study::{
    self, Effort, Fitted, OptimizationMethod, ParameterRuns, ParameterStudyError, SearchResult,
    Stopped, sensitivities,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};

use crate::convert::{ExceptionKind, check_threads, failure, model_error, to_python};
use crate::interrupt::interruptible;
use crate::sweep::parameter_study_error;

/// A model whose parameters are varied; see `biela.optimize`, `biela.fit` and `biela.sensitivity`.
#[pyclass(frozen, module = "biela._biela")]
pub(crate) struct Search {
    name: String,
    runs: ParameterRuns,
}

/// Limits of a search: relative tolerance, maximum number of steps, number of threads, seed.
type Limits = (f64, usize, Option<usize>, u64);

/// Called with the number of runs and the value of the objective.
type SearchProgress = Option<Py<PyAny>>;

impl Search {
    /// Runs a search in a thread while Python may interrupt; `history` receives the objective after every report.
    fn searched<R: Send>(
        &self,
        py: Python<'_>,
        (tolerance, most_iterations, threads, seed): Limits,
        progress: SearchProgress,
        work: impl FnOnce(
            &ParameterRuns,
            &Effort<'_>,
            &mut dyn FnMut(usize, f64),
        ) -> Result<R, ParameterStudyError>
        + Send,
    ) -> PyResult<R> {
        check_threads(threads)?;
        let failed = AtomicBool::new(false);
        let mut raised: Option<PyErr> = None;
        let outcome = interruptible(py, |stop| {
            let stops = || stop() || failed.load(Ordering::Relaxed);
            let effort = Effort {
                threads: threads.unwrap_or_else(parameter_study::threads),
                seed,
                tolerance,
                most_iterations,
                stop: &stops,
            };
            let mut seen = |runs: usize, value: f64| {
                let Some(callback) = &progress else { return };
                let called = Python::attach(|py| callback.bind(py).call1((runs, value)).map(drop));
                if let Err(error) = called {
                    let _ = raised.get_or_insert(error);
                    failed.store(true, Ordering::Relaxed);
                }
            };
            work(&self.runs, &effort, &mut seen)
        })?;
        if let Some(error) = raised {
            return Err(error);
        }
        outcome.map_err(|error| parameter_study_error(py, error))
    }
}

/// The word for an active bound.
fn bound(active: i8) -> Option<&'static str> {
    match active {
        -1 => Some("lower"),
        1 => Some("upper"),
        _ => None,
    }
}

/// The parameters of a search with their values and bounds.
fn parameters(
    between: &[biela::model::lower::BoundedParameter],
    values: &[f64],
    active: &[i8],
) -> Vec<Value> {
    let each = between.iter().zip(values).zip(active);
    let parameter =
        |((b, value), active): ((&biela::model::lower::BoundedParameter, &f64), &i8)| {
            json!({
                "name": b.parameter.name,
                "unit": b.parameter.unit,
                "value": value,
                "bounds": [b.low, b.high],
                "at_bound": bound(*active),
            })
        };
    each.map(parameter).collect()
}

fn optimum(runs: &ParameterRuns, found: &SearchResult) -> Value {
    let minimum = &found.minimum;
    let about = runs.about().optimize.as_ref();
    json!({
        "objective": about.map(|o| &o.text),
        "unit": about.map(|o| &o.unit),
        "value": minimum.value,
        "parameters": parameters(&found.between, &minimum.x, &found.active),
        "converged": minimum.ended == SearchEnded::Converged,
        "runs": minimum.evaluations,
        "steps": minimum.iterations,
        "failed": found.failed.0,
        "problem": found.failed.1,
        "history": minimum.history,
    })
}

fn fitted(found: &Fitted, level: f64, history: &[f64]) -> Value {
    let fit = &found.fit;
    let half = fit.half_widths(level);
    let unidentified = found.unidentified();
    let is_open = |k: usize| unidentified.iter().any(|open| open.has(k));
    let mut list = parameters(&found.between, &fit.x, &found.active);
    for (k, parameter) in list.iter_mut().enumerate() {
        let half = half.as_ref().filter(|_| !is_open(k));
        parameter["half_width"] = json!(half.map(|half| half[k]));
    }
    let n = fit.x.len();
    let correlation: Option<Vec<Vec<f64>>> = fit.correlation().map(|c| {
        let row = |i: usize| (0..n).map(|j| c[(i, j)]).collect();
        (0..n).map(row).collect()
    });
    let combination = |open: &parameter_study::Unidentified| -> Value {
        let change = |(k, share): &(usize, f64)| {
            let name = found.between[*k].parameter.name.clone();
            (name, json!(share))
        };
        open.changes
            .iter()
            .map(change)
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    json!({
        "parameters": list,
        "unidentified": unidentified.iter().map(combination).collect::<Vec<_>>(),
        "correlation": correlation,
        "condition": fit.condition().filter(|c| c.is_finite()),
        "squares": fit.sum,
        "residuals": fit.residuals,
        "rms": found.left.iter().map(|(name, unit, rms)| json!([name, unit, rms])).collect::<Vec<_>>(),
        "converged": fit.ended == FitEnded::Converged,
        "stuck": fit.ended == FitEnded::Stuck,
        "runs": fit.evaluations,
        "steps": fit.iterations,
        "history": history,
    })
}

#[pymethods]
impl Search {
    /// Reads a model from a text with the files that it names, from a folder or as texts, and with changes of its tables, which have a name in messages.
    #[staticmethod]
    fn read(
        py: Python<'_>,
        text: (String, String),
        folder: PathBuf,
        files: Vec<(String, String)>,
        changes: (String, String),
        set: Vec<String>,
    ) -> PyResult<Self> {
        let source = (text.0.as_str(), text.1.as_str());
        let changes = (changes.0.as_str(), changes.1.as_str());
        let runs = py.detach(|| ParameterRuns::read(source, &folder, &files, Some(changes), &set));
        let runs = runs.map_err(|error| model_error(py, &error))?;
        Ok(Self { name: text.0, runs })
    }

    /// Name, value, unit of each parameter, and whether it is a formula of others.
    fn parameters(&self) -> Vec<(String, f64, String, bool)> {
        let list = &self.runs.about().parameters.list;
        let unit = |p: &biela::model::lower::ParameterValue| {
            p.dimension
                .map_or_else(String::new, biela::model::units::Dimension::si_unit)
        };
        list.iter()
            .map(|p| (p.name.clone(), p.value, unit(p), p.formula.is_some()))
            .collect()
    }

    /// Name and unit of each measure.
    fn measures(&self) -> Vec<(String, String)> {
        let list = self.runs.about().measures.list.iter();
        list.map(|m| (m.name.clone(), m.unit.clone())).collect()
    }

    /// Searches the optimum of `[optimize]`, globally or from the values of the model.
    fn optimize<'py>(
        &self,
        py: Python<'py>,
        global_search: bool,
        limits: Limits,
        progress: SearchProgress,
    ) -> PyResult<Bound<'py, PyAny>> {
        let method = if global_search {
            OptimizationMethod::Global
        } else {
            OptimizationMethod::Local
        };
        let found = self.searched(py, limits, progress, |runs, effort, seen| {
            parameter_study::minimum(runs, method, effort, seen)
        })?;
        if !found.minimum.value.is_finite() {
            let reason = found.failed.1.unwrap_or_default();
            let text = format!("{}: no run has a finite objective: {reason}", self.name);
            return Err(failure(py, ExceptionKind::Solver, text));
        }
        to_python(py, &optimum(&self.runs, &found))
    }

    /// Fits the parameters of `[fit]`; intervals have a confidence level.
    fn fit<'py>(
        &self,
        py: Python<'py>,
        level: f64,
        limits: Limits,
        progress: SearchProgress,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut history = Vec::new();
        let found = self.searched(py, limits, progress, |runs, effort, seen| {
            parameter_study::fit(runs, effort, &mut |count, sum| {
                history.push(sum);
                seen(count, sum);
            })
        })?;
        if found.fit.ended == FitEnded::Failed {
            let reason = found.failed.as_deref();
            let reason = reason.unwrap_or("a residual is not finite");
            let text = format!(
                "{}: a run needed for the derivatives cannot be computed: {reason}",
                self.name
            );
            return Err(failure(py, ExceptionKind::Solver, text));
        }
        to_python(py, &fitted(&found, level, &history))
    }

    /// The measures, and for each parameter, given with its value and largest step, the derivatives of all measures and their errors.
    fn sensitivity<'py>(
        &self,
        py: Python<'py>,
        parameters: Vec<(String, f64, f64)>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let limits = (0.0, 0, threads, 0);
        let found = self.searched(py, limits, None, |runs, effort, _| {
            Ok(sensitivities(runs, &parameters, effort))
        })?;
        let (own, list) = found.map_err(|error| match error {
            Stopped::Interrupted => pyo3::exceptions::PyKeyboardInterrupt::new_err(()),
            error => failure(py, ExceptionKind::Solver, format!("{}: {error}", self.name)),
        })?;
        let answer = PyDict::new(py);
        answer.set_item("values", own)?;
        let columns = list.iter().map(|s| {
            let of = |take: fn(&biela::parameter_methods::Derivative) -> f64| {
                s.derivatives.iter().map(take).collect::<Vec<f64>>()
            };
            (of(|d| d.value), of(|d| d.error))
        });
        answer.set_item("columns", columns.collect::<Vec<_>>())?;
        Ok(answer)
    }
}
