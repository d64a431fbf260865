//! Python functions called by a model: in formulas, and as laws of sampled controllers.
//!
//! An exception is stored. The function then returns NaN without further calls, so that the run stops, and the exception is raised with the name of the
//! function.

use std::sync::{Arc, Mutex, PoisonError};

use biela::core::model::SampledLaw;
use biela::model::expr::{MAX_ARGUMENTS, Outside, OutsideFunction};
use biela::model::units::Unit;
use numpy::PyArray1;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// The first exception, and its function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Raised(Arc<Mutex<Option<(String, PyErr)>>>);

impl Raised {
    /// Clears the exception of an earlier run.
    pub(crate) fn clear(&self) {
        *self.lock() = None;
    }

    /// The description of the function, and the exception.
    pub(crate) fn take(&self) -> Option<(String, PyErr)> {
        self.lock().take()
    }

    fn is_set(&self) -> bool {
        self.lock().is_some()
    }

    fn set(&self, what: &str, error: PyErr) {
        let _ = self.lock().get_or_insert((what.to_owned(), error));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<(String, PyErr)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A function for formulas.
#[derive(Debug)]
struct PythonFormula {
    /// "function `drag`".
    what: String,
    call: Py<PyAny>,
    /// Set if it also returns its derivatives.
    smooth: bool,
    raised: Raised,
}

impl PythonFormula {
    fn ask<'py>(&self, py: Python<'py>, arguments: &[f64]) -> PyResult<Bound<'py, PyAny>> {
        let call = self.call.bind(py);
        match *arguments {
            [] => call.call0(),
            [a] => call.call1((a,)),
            [a, b] => call.call1((a, b)),
            [a, b, c] => call.call1((a, b, c)),
            _ => call.call1(PyTuple::new(py, arguments)?),
        }
    }

    fn answer<R>(
        &self,
        arguments: &[f64],
        of: impl Fn(Bound<'_, PyAny>) -> PyResult<R>,
    ) -> Option<R> {
        if self.raised.is_set() {
            return None;
        }
        Python::attach(|py| {
            let answer = self.ask(py, arguments).and_then(of);
            answer
                .map_err(|error| self.raised.set(&self.what, error))
                .ok()
        })
    }
}

impl Outside for PythonFormula {
    fn value(&self, arguments: &[f64]) -> f64 {
        if self.smooth {
            return self.derivatives(arguments.first().copied().unwrap_or(f64::NAN))[0];
        }
        let number = |answer: Bound<'_, PyAny>| answer.extract::<f64>();
        self.answer(arguments, number).unwrap_or(f64::NAN)
    }

    fn derivatives(&self, argument: f64) -> [f64; 3] {
        let three = |answer: Bound<'_, PyAny>| answer.extract::<[f64; 3]>();
        self.answer(&[argument], three).unwrap_or([f64::NAN; 3])
    }
}

/// The definition of a Python function for formulas: name, callable, number of arguments, unit, and whether it returns derivatives.
pub(crate) type PythonFunctionDefinition = (String, Py<PyAny>, Option<usize>, Option<String>, bool);

/// Returns the function in the form that formulas use.
pub(crate) fn outside(
    py: Python<'_>,
    given: &PythonFunctionDefinition,
    raised: &Raised,
) -> PyResult<OutsideFunction> {
    let (name, call, arguments, unit, smooth) = given;
    if arguments.is_some_and(|n| n > MAX_ARGUMENTS) {
        let text = format!("function `{name}` takes more than {MAX_ARGUMENTS} arguments");
        return Err(PyValueError::new_err(text));
    }
    let dimension = match unit {
        Some(unit) => {
            let parsed = Unit::parse(unit);
            let parsed = parsed.map_err(|error| {
                PyValueError::new_err(format!("unit of function `{name}`: {}", error.message))
            })?;
            if parsed.factor != 1.0 {
                let text = format!(
                    "unit of function `{name}`: `{unit}` is not an SI unit; return values in SI units"
                );
                return Err(PyValueError::new_err(text));
            }
            Some(parsed.dimension)
        }
        None => None,
    };
    Ok(OutsideFunction {
        arguments: *arguments,
        dimension,
        smooth: *smooth,
        function: Arc::new(PythonFormula {
            what: format!("function `{name}`"),
            call: call.clone_ref(py),
            smooth: *smooth,
            raised: raised.clone(),
        }),
    })
}

/// The law of a sampled controller.
#[derive(Debug)]
pub(crate) struct PythonLaw {
    /// "controller `pd`".
    pub(crate) what: String,
    pub(crate) call: Py<PyAny>,
    /// The number of inputs of each argument: an array if given, otherwise a number.
    pub(crate) groups: Vec<Option<usize>>,
    /// Names of the outputs.
    pub(crate) outputs: Vec<String>,
    pub(crate) raised: Raised,
}

impl PythonLaw {
    fn ask(&self, py: Python<'_>, time: f64, inputs: &[f64], outputs: &mut [f64]) -> PyResult<()> {
        let mut rest = inputs;
        let mut arguments = Vec::with_capacity(1 + self.groups.len());
        arguments.push(time.into_pyobject(py)?.into_any());
        for group in &self.groups {
            let (own, after) = rest.split_at(group.unwrap_or(1).min(rest.len()));
            rest = after;
            arguments.push(match (group, own) {
                (None, [x]) => x.into_pyobject(py)?.into_any(),
                _ => PyArray1::from_slice(py, own).into_any(),
            });
        }
        let answer = self.call.bind(py).call1(PyTuple::new(py, arguments)?)?;
        self.take(&answer, outputs)
    }

    fn take(&self, answer: &Bound<'_, PyAny>, outputs: &mut [f64]) -> PyResult<()> {
        if let ([output], Ok(value)) = (&mut *outputs, answer.extract::<f64>()) {
            *output = value;
            return Ok(());
        }
        if let Ok(named) = answer.cast::<PyDict>() {
            for (output, name) in outputs.iter_mut().zip(&self.outputs) {
                let value = named.get_item(name)?;
                let missing =
                    || PyTypeError::new_err(format!("the returned dictionary has no `{name}`"));
                *output = value.ok_or_else(missing)?.extract()?;
            }
            return Ok(());
        }
        let values = answer.try_iter()?;
        let mut count = 0;
        for value in values {
            let value = value?.extract()?;
            if let Some(output) = outputs.get_mut(count) {
                *output = value;
            }
            count += 1;
        }
        if count == outputs.len() {
            return Ok(());
        }
        let text = format!(
            "the law returned {count} values; the outputs are {}",
            self.outputs.join(", ")
        );
        Err(PyValueError::new_err(text))
    }
}

impl SampledLaw for PythonLaw {
    fn outputs(&self, time: f64, inputs: &[f64], _: &[f64], outputs: &mut [f64]) {
        let done = !self.raised.is_set()
            && Python::attach(|py| {
                let asked = self.ask(py, time, inputs, outputs);
                asked
                    .map_err(|error| self.raised.set(&self.what, error))
                    .is_ok()
            });
        if !done {
            outputs.fill(f64::NAN);
        }
    }

    fn advance(&self, _: f64, _: &[f64], _: &[f64], _: &mut [f64]) {}
}
