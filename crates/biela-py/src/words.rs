//! The tables and keys of the model language, for the methods that add elements.

use biela::core::element::Field;
use biela::model::language::{choices, form, tables, top};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::convert::to_python;

fn word(key: Field) -> Value {
    json!({
        "name": key.name,
        "form": form(key.kind),
        "unit": key.kind.unit(),
        "required": key.default.is_none(),
        "doc": key.doc,
        "choices": choices(key.kind),
    })
}

fn words_of(keys: &[Field]) -> Vec<Value> {
    keys.iter().copied().map(word).collect()
}

/// Tables, kinds and keys of the model language.
#[pyfunction]
pub(crate) fn words(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let of_elements = tables()
        .into_iter()
        .filter(|table| !table.name.is_empty() && !table.open);
    let families = of_elements.map(|table| {
        let kinds = table.types.iter().map(
            |info| json!({ "name": info.name, "aliases": info.aliases, "summary": info.summary, "keys": words_of(info.fields) }),
        );
        json!({
            "table": table.name,
            "many": table.list,
            "doc": table.summary,
            "keys": words_of(&table.keys),
            "kinds": kinds.collect::<Vec<_>>(),
        })
    });
    let top: Vec<Value> = top().map(word).collect();
    let all = json!({ "top": top, "families": families.collect::<Vec<_>>() });
    to_python(py, &all)
}
