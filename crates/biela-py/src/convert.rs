//! Conversion of values and failures to Python.

use biela::ModelError;
use biela::study::MOST_THREADS;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde_json::{Map, Value};

/// Converts JSON to Python values.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(x) => x.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(x) => match x.as_i64() {
            Some(whole) => whole.into_pyobject(py)?.into_any(),
            None => x.as_f64().into_pyobject(py)?,
        },
        Value::String(x) => x.into_pyobject(py)?.into_any(),
        Value::Array(list) => {
            let list = list.iter().map(|value| to_python(py, value));
            PyList::new(py, list.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        Value::Object(map) => dict(py, map)?.into_any(),
    })
}

/// Converts a JSON object to a dictionary.
pub(crate) fn dict<'py>(py: Python<'py>, map: &Map<String, Value>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (key, value) in map {
        dict.set_item(key, to_python(py, value)?)?;
    }
    Ok(dict)
}

/// The names of the exceptions in `biela.errors`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Option,
    Assembly,
    Solver,
}

/// An exception of this kind with the text that the command would print.
pub(crate) fn failure(py: Python<'_>, kind: Kind, text: impl std::fmt::Display) -> PyErr {
    let name = match kind {
        Kind::Option => "OptionError",
        Kind::Assembly => "AssemblyError",
        Kind::Solver => "SolverError",
    };
    raise(py, name, (text.to_string(),))
}

/// Refuses more threads than a study may take.
pub(crate) fn check_threads(threads: Option<usize>) -> PyResult<()> {
    match threads {
        Some(threads) if threads > MOST_THREADS => Err(PyValueError::new_err(format!(
            "threads = {threads} is more than {MOST_THREADS}; leave it out to take all cores"
        ))),
        _ => Ok(()),
    }
}

/// The exception for a model that cannot be used: the report for people, and the diagnostics.
pub(crate) fn model_error(py: Python<'_>, error: &ModelError) -> PyErr {
    let report = &error.0;
    let diagnostics = report.diagnostics.to_json(&report.sources);
    match to_python(py, &diagnostics["diagnostics"]) {
        Ok(list) => raise(py, "ModelError", (error.to_string(), list)),
        Err(problem) => problem,
    }
}

fn raise<'py>(py: Python<'py>, name: &str, arguments: impl pyo3::call::PyCallArgs<'py>) -> PyErr {
    let made = py
        .import("biela.errors")
        .and_then(|module| module.getattr(name))
        .and_then(|class| class.call1(arguments));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(problem) => problem,
    }
}
