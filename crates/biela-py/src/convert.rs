//! Conversion of values and failures to Python.

use biela::ModelError;
use biela::parameter_study::MOST_THREADS;
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
pub(crate) enum ExceptionKind {
    Option,
    Assembly,
    Solver,
}

/// An exception of this kind. Options of the command in the text are replaced by arguments of Python.
pub(crate) fn failure(py: Python<'_>, kind: ExceptionKind, text: impl std::fmt::Display) -> PyErr {
    let name = match kind {
        ExceptionKind::Option => "OptionError",
        ExceptionKind::Assembly => "AssemblyError",
        ExceptionKind::Solver => "SolverError",
    };
    raise(py, name, (in_python(&text.to_string()),))
}

/// Replaces options of the command, such as `--output-step`, by the names of arguments, `output_step`; complete commands stay.
pub(crate) fn in_python(text: &str) -> String {
    let text = text
        .replace("`biela info MODEL --signals`", "`Model.signals`")
        .replace("`biela info --signals`", "`Model.signals`");
    let mut parts = text.split("--");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_name = |c: char| c.is_ascii_lowercase() || c == '-';
        let (name, rest) = part.split_at(part.find(|c| !is_name(c)).unwrap_or(part.len()));
        let starts_word = out.is_empty() || out.ends_with([' ', '\n', '`', '(']);
        let in_command = out.matches('`').count() % 2 == 1 && !out.ends_with('`');
        if name.is_empty() || !starts_word || in_command {
            out.push_str("--");
            out.push_str(part);
        } else {
            out.push_str(&name.replace('-', "_"));
            out.push_str(rest);
        }
    }
    out
}

/// Rejects more threads than a study may use.
pub(crate) fn check_threads(threads: Option<usize>) -> PyResult<()> {
    match threads {
        Some(threads) if threads > MOST_THREADS => Err(PyValueError::new_err(format!(
            "threads = {threads} exceeds the limit of {MOST_THREADS}; omit it to use all cores"
        ))),
        _ => Ok(()),
    }
}

/// A report of diagnostics with the names of arguments; quoted lines of the model stay.
pub(crate) fn report_in_python(report: &str) -> String {
    let line = |line: &str| {
        if line.contains(" |") {
            line.to_owned()
        } else {
            in_python(line)
        }
    };
    report.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Replaces options of the command in all texts of a JSON value.
fn rename_options(value: &mut Value) {
    match value {
        Value::String(text) => *text = in_python(text),
        Value::Array(list) => list.iter_mut().for_each(rename_options),
        Value::Object(map) => map.values_mut().for_each(rename_options),
        _ => {}
    }
}

/// The exception for an invalid model: the report as text, and the diagnostics.
pub(crate) fn model_error(py: Python<'_>, error: &ModelError) -> PyErr {
    let report = &error.0;
    let mut diagnostics = report.diagnostics.to_json(&report.sources);
    rename_options(&mut diagnostics);
    match to_python(py, &diagnostics["diagnostics"]) {
        Ok(list) => raise(
            py,
            "ModelError",
            (report_in_python(&error.to_string()), list),
        ),
        Err(problem) => problem,
    }
}

pub(crate) fn raise<'py>(
    py: Python<'py>,
    name: &str,
    arguments: impl pyo3::call::PyCallArgs<'py>,
) -> PyErr {
    let made = py
        .import("biela.errors")
        .and_then(|module| module.getattr(name))
        .and_then(|class| class.call1(arguments));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(problem) => problem,
    }
}
