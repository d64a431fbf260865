//! The vocabulary of the model language, for the methods that add elements.

use biela::model::vocabulary::{Form, Word, families, top};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::convert::to_python;

fn form(form: Form) -> &'static str {
    match form {
        Form::Quantity => "quantity",
        Form::Quantities => "quantities",
        Form::OneOrMore => "one-or-more",
        Form::Rows => "rows",
        Form::Whole => "whole",
        Form::Flag => "flag",
        Form::Text => "text",
        Form::Texts => "texts",
        Form::Lists => "lists",
        Form::Table => "table",
        Form::Tables => "tables",
        Form::Chosen => "chosen",
        Form::Any => "any",
    }
}

fn word(word: &Word) -> Value {
    json!({
        "name": word.name,
        "form": form(word.form),
        "unit": word.unit,
        "required": word.required,
        "doc": word.doc,
    })
}

/// Tables, kinds and keys of the model language.
#[pyfunction]
pub(crate) fn words(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let words = |list: &[Word]| list.iter().map(word).collect::<Vec<_>>();
    let families = families().into_iter().map(|family| {
        let kinds = family.kinds.iter().map(
            |kind| json!({ "name": kind.name, "summary": kind.summary, "keys": words(&kind.keys) }),
        );
        json!({
            "table": family.table,
            "many": family.many,
            "doc": family.doc,
            "keys": words(&family.keys),
            "kinds": kinds.collect::<Vec<_>>(),
        })
    });
    let all = json!({ "top": words(&top()), "families": families.collect::<Vec<_>>() });
    to_python(py, &all)
}
