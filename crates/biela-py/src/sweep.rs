//! Sweeps: the points of a model's plan, computed here or by remote workers, stored in one journal.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use biela::parameter_study::{
    self, Journal, ParameterRuns, ParameterStudyError, SweepRow, SweepShard,
};
use numpy::PyArray2;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use crate::convert::{ExceptionKind, check_threads, failure, model_error};
use crate::document::table;
use crate::interrupt::interruptible;

/// A model with its plan; as texts it can be sent to other processes.
#[pyclass(frozen, module = "biela._biela")]
pub(crate) struct Sweep {
    sweep: parameter_study::Sweep,
}

/// A point, and its measures or the reason of a failure.
type PointAnswer = (usize, Option<Vec<f64>>, Option<String>);

pub(crate) fn parameter_study_error(py: Python<'_>, error: ParameterStudyError) -> PyErr {
    match error {
        ParameterStudyError::Model(error) => model_error(py, &error),
        error => failure(py, ExceptionKind::Option, error),
    }
}

fn answer(row: SweepRow) -> PointAnswer {
    match row.values {
        Ok(values) => (row.point, Some(values), None),
        Err(reason) => (row.point, None, Some(reason)),
    }
}

/// The parameters of all points; an error if they exceed the memory.
fn rows_of(plan: &biela::parameter_methods::Plan) -> PyResult<Vec<f64>> {
    let mut values = Vec::new();
    let numbers = plan.len().saturating_mul(plan.factors());
    values.try_reserve_exact(numbers).map_err(|_| {
        let points = plan.len();
        PyMemoryError::new_err(format!("a table of {points} points cannot be allocated"))
    })?;
    values.extend((0..plan.len()).flat_map(|k| plan.point(k)));
    Ok(values)
}

impl Sweep {
    fn new(py: Python<'_>, runs: Result<ParameterRuns, biela::ModelError>) -> PyResult<Self> {
        let runs = runs.map_err(|error| model_error(py, &error))?;
        let sweep =
            parameter_study::Sweep::new(runs).map_err(|error| parameter_study_error(py, error))?;
        Ok(Self { sweep })
    }

    fn journal(&self, py: Python<'_>, folder: &Path) -> PyResult<Journal> {
        let journal = Journal::open(folder, &self.sweep.identity(), SweepShard::ALL);
        journal.map_err(|error| parameter_study_error(py, error))
    }
}

#[pymethods]
impl Sweep {
    /// Creates the sweep of a model file.
    #[staticmethod]
    fn file(py: Python<'_>, path: PathBuf, set: Vec<String>) -> PyResult<Self> {
        Self::new(py, ParameterRuns::open(&path, &set))
    }

    /// Creates the sweep of a model in a text; files that it names are in a folder.
    #[staticmethod]
    fn read(
        py: Python<'_>,
        name: &str,
        text: &str,
        folder: PathBuf,
        set: Vec<String>,
    ) -> PyResult<Self> {
        let runs = ParameterRuns::read((name, text), &folder, &[], None, &set);
        Self::new(py, runs)
    }

    /// Creates the sweep of a model in named texts.
    #[staticmethod]
    fn of(
        py: Python<'_>,
        main: &str,
        texts: Vec<(String, String)>,
        set: Vec<String>,
    ) -> PyResult<Self> {
        Self::new(py, ParameterRuns::of(main, texts, &set))
    }

    /// The texts, the main one first.
    fn texts(&self) -> Vec<(String, String)> {
        let texts = self.sweep.runs().texts();
        texts
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .collect()
    }

    /// Parameter values that all points share.
    fn set(&self) -> Vec<String> {
        self.sweep.runs().set().to_vec()
    }

    /// Name and unit of the varied parameters.
    fn parameters(&self) -> Vec<(String, String)> {
        self.sweep.identity().parameters
    }

    /// Name and unit of the measures.
    fn measures(&self) -> Vec<(String, String)> {
        self.sweep.identity().measures
    }

    /// The values of the parameters, one row per point.
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let plan = self.sweep.plan();
        table(
            py,
            rows_of(plan)?,
            plan.len(),
            self.sweep.parameters().len(),
        )
    }

    /// Computes some points, one after the other; Python may interrupt.
    fn compute(&self, py: Python<'_>, points: Vec<usize>) -> PyResult<Vec<PointAnswer>> {
        interruptible(py, |stop| {
            // no rows are recorded here, so recording cannot fail
            let of = |point: &usize| {
                let computed = self.sweep.compute(*point, None, stop);
                computed.into_row()?.ok()
            };
            points.iter().filter_map(of).map(answer).collect()
        })
    }

    /// The points missing in a folder.
    fn open_points(&self, py: Python<'_>, folder: PathBuf) -> PyResult<Vec<usize>> {
        let journal = self.journal(py, &folder)?;
        let known = |point: &usize| !journal.rows().contains_key(point);
        Ok((0..self.sweep.plan().len()).filter(known).collect())
    }

    /// Computes the missing points of a folder in parallel threads. Python is informed of the number of known points and may interrupt.
    fn advance(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        check_threads(threads)?;
        let mut journal = self.journal(py, &folder)?;
        let (mut known, all) = (journal.rows().len(), self.sweep.plan().len());
        let failed = AtomicBool::new(false);
        let mut raised: Option<PyErr> = None;
        let outcome = interruptible(py, |stop| {
            let seen = |_: &SweepRow| {
                known += 1;
                let Some(callback) = &progress else { return };
                let told = Python::attach(|py| callback.bind(py).call1((known, all)).map(drop));
                if let Err(error) = told {
                    let _ = raised.get_or_insert(error);
                    failed.store(true, Ordering::Relaxed);
                }
            };
            let threads = threads.unwrap_or_else(parameter_study::threads);
            let stops = || stop() || failed.load(Ordering::Relaxed);
            self.sweep
                .advance(&mut journal, SweepShard::ALL, (threads, None), &stops, seen)
        })?;
        outcome.map_err(|error| parameter_study_error(py, error))?;
        raised.map_or(Ok(()), Err)
    }

    /// Records points computed by other processes.
    fn note(&self, py: Python<'_>, folder: PathBuf, answers: Vec<PointAnswer>) -> PyResult<()> {
        let mut journal = self.journal(py, &folder)?;
        for (point, values, reason) in answers {
            let values = values.ok_or_else(|| reason.unwrap_or_default());
            let row = SweepRow { point, values };
            journal
                .push(row)
                .map_err(|error| parameter_study_error(py, error))?;
        }
        Ok(())
    }

    /// Returns all points of a folder; writes the table as Parquet, and optionally as CSV.
    fn finish(&self, py: Python<'_>, folder: PathBuf, csv: bool) -> PyResult<Vec<PointAnswer>> {
        let rows: BTreeMap<usize, SweepRow> = self
            .sweep
            .gather(&folder)
            .map_err(|error| parameter_study_error(py, error))?;
        let table = self
            .sweep
            .table(&folder, &rows)
            .map_err(|error| parameter_study_error(py, error))?;
        table.write_parquet(&folder.join("table.parquet"))?;
        if csv {
            table.write_csv(&folder.join("table.csv"))?;
        }
        Ok(rows.into_values().map(answer).collect())
    }
}
