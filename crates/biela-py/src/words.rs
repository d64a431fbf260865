//! The vocabulary of the model language, for the methods that add elements.

use biela::model::vocabulary::{ValueForm, Word, families, top};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::convert::to_python;

fn form(form: ValueForm) -> &'static str {
    match form {
        ValueForm::Quantity => "quantity",
        ValueForm::Quantities => "quantities",
        ValueForm::OneOrMore => "one-or-more",
        ValueForm::Rows => "rows",
        ValueForm::Whole => "whole",
        ValueForm::Flag => "flag",
        ValueForm::Text => "text",
        ValueForm::Texts => "texts",
        ValueForm::Lists => "lists",
        ValueForm::Table => "table",
        ValueForm::Tables => "tables",
        ValueForm::Chosen => "chosen",
        ValueForm::Any => "any",
    }
}

fn word(word: &Word) -> Value {
    json!({
        "name": word.name,
        "form": form(word.form),
        "unit": word.unit,
        "required": word.required,
        "doc": word.doc,
        "choices": word.choices,
    })
}

/// Tables, kinds and keys of the model language.
#[pyfunction]
pub(crate) fn words(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let words = |list: &[Word]| list.iter().map(word).collect::<Vec<_>>();
    let families = families().into_iter().map(|family| {
        let kinds = family.kinds.iter().map(
            |kind| json!({ "name": kind.name, "aliases": kind.aliases, "summary": kind.summary, "keys": words(&kind.keys) }),
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
