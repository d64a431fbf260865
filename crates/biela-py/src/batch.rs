//! Simulations of one model that advance together, on several threads.

use std::sync::Arc;

use biela::core::analysis::Simulation as CoreSimulation;
use biela::core::model::{InputIndex, Signal};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::simulation::Simulation;

/// Simulations of one model; see `biela.gym.VectorEnv`.
#[pyclass(module = "biela._biela")]
pub(crate) struct Batch {
    /// Names signals and describes failures.
    one: Simulation,
    all: Vec<CoreSimulation>,
    signals: Vec<Signal>,
    pool: Option<Arc<ThreadPool>>,
}

impl Batch {
    pub(crate) fn new(
        one: Simulation,
        all: Vec<CoreSimulation>,
        signals: Vec<Signal>,
        pool: Option<Arc<ThreadPool>>,
    ) -> Self {
        Batch {
            one,
            all,
            signals,
            pool,
        }
    }

    /// Calls a function for every simulation and the part of a list that belongs to it; returns the first failure.
    fn each(
        &mut self,
        py: Python<'_>,
        rows: &mut [f64],
        run: impl Fn(usize, &mut CoreSimulation, &mut [f64]) -> Result<(), String> + Sync,
    ) -> PyResult<()> {
        let width = (rows.len() / self.all.len().max(1)).max(1);
        let (all, pool) = (&mut self.all, &self.pool);
        let failed = py.detach(|| match pool {
            None => {
                let mut pairs = all.iter_mut().zip(rows.chunks_mut(width)).enumerate();
                pairs.find_map(|(n, (one, row))| run(n, one, row).err())
            }
            Some(pool) => pool.install(|| {
                let pairs = all.par_iter_mut().zip(rows.par_chunks_mut(width));
                let ran = pairs
                    .enumerate()
                    .map(|(n, (one, row))| run(n, one, row).err());
                ran.flatten_iter().find_first(|_| true)
            }),
        });
        match failed {
            Some(reason) => Err(self.one.stopped(py, &reason)),
            None => Ok(()),
        }
    }
}

#[pymethods]
impl Batch {
    /// Returns some simulations to the start, with values of joints: one row per simulation.
    fn reset(
        &mut self,
        py: Python<'_>,
        which: Vec<usize>,
        names: Vec<String>,
        values: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<()> {
        let signals = names.iter().map(|name| self.one.signal(py, name));
        let signals: Vec<Signal> = signals.collect::<PyResult<_>>()?;
        let values = values.as_array();
        if values.nrows() != which.len() || values.ncols() != signals.len() {
            return Err(PyValueError::new_err(
                "values needs one row per simulation and one column per name",
            ));
        }
        for (row, n) in which.into_iter().enumerate() {
            let Some(one) = self.all.get_mut(n) else {
                return Err(PyIndexError::new_err(format!("there is no simulation {n}")));
            };
            let own: Vec<(Signal, f64)> = signals
                .iter()
                .copied()
                .zip(values.row(row).iter().copied())
                .collect();
            let reset = if own.is_empty() {
                one.reset().map_err(|error| error.to_string())
            } else {
                one.reset_with(&own).map_err(|error| error.to_string())
            };
            reset.map_err(|reason| self.one.stopped(py, &reason))?;
        }
        Ok(())
    }

    /// Sets the inputs of simulations and advances them by a time; those that `waits` marks stay.
    fn advance(
        &mut self,
        py: Python<'_>,
        inputs: Option<PyReadonlyArray2<'_, f64>>,
        dt: f64,
        waits: Vec<bool>,
    ) -> PyResult<()> {
        let count = self.all.len();
        if waits.len() != count {
            return Err(PyValueError::new_err(
                "waits needs one value per simulation",
            ));
        }
        let mut values: Vec<f64> = match &inputs {
            Some(inputs) => inputs.as_array().iter().copied().collect(),
            None => vec![0.0; count],
        };
        let given = inputs.is_some();
        if given && values.len() != count * self.one.num_inputs() {
            return Err(PyValueError::new_err(
                "inputs needs one row per simulation and one column per input",
            ));
        }
        self.each(py, &mut values, |n, one, values| {
            if waits[n] {
                return Ok(());
            }
            let text = |error: &dyn std::fmt::Display| format!("simulation {n}: {error}");
            for (k, value) in values.iter().enumerate().filter(|_| given) {
                let set = one.set(InputIndex(k), *value);
                set.map_err(|error| text(&error))?;
            }
            let to = one.time() + dt;
            let advanced = one.advance(to);
            advanced.map(|_| ()).map_err(|error| text(&error))
        })
    }

    /// The observed signals of every simulation: one row each.
    fn observe<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (count, width) = (self.all.len(), self.signals.len());
        let signals = self.signals.clone();
        let mut out = vec![0.0; count * width];
        self.each(py, &mut out, |n, one, row| {
            let seen = one.observe(&signals, row);
            seen.map_err(|error| format!("simulation {n}: {error}"))
        })?;
        PyArray1::from_vec(py, out).reshape([count, width])
    }
}
