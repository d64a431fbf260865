//! The option `--input`: values of external inputs.

use std::path::Path;

use biela::core::analysis::{InputTable, Simulation};
use biela::core::model::{InputIndex, Model};
use biela::record::{Header, digest};
use serde_json::{Map, Value, json};

use crate::failure::Failure;

/// The largest size of a table, in bytes.
const MOST_BYTES: u64 = 1 << 28;

/// The values of an input.
pub(super) struct GivenInput {
    index: InputIndex,
    name: String,
    table: InputTable,
    /// The value, or the digest of the table: part of the identity of the run.
    identity: String,
}

/// Reads `NAME=FILE` and `NAME=VALUE`.
pub(super) fn read(model: &Model, options: &[String]) -> Result<Vec<GivenInput>, Failure> {
    let mut inputs: Vec<GivenInput> = Vec::new();
    for option in options {
        let refuse = |text: String| Failure::command(format!("--input {option}: {text}"));
        let Some((name, value)) = option.split_once('=') else {
            return Err(refuse("write NAME=FILE or NAME=VALUE".to_owned()));
        };
        let (name, value) = (name.trim(), value.trim());
        let index = biela::find_input(model, name).map_err(|error| refuse(error.to_string()))?;
        if inputs.iter().any(|input| input.index == index) {
            return Err(refuse(format!("`{name}` is given twice")));
        }
        let (table, identity) = match std::fs::metadata(value) {
            Ok(file) if file.len() > MOST_BYTES => {
                let most = MOST_BYTES >> 20;
                return Err(refuse(format!("the file is larger than {most} MiB")));
            }
            Ok(_) => {
                let text = std::fs::read_to_string(value);
                let text = text.map_err(|error| refuse(format!("cannot be read: {error}")))?;
                (
                    biela::input_table(model, index, &text),
                    digest(text.as_bytes()),
                )
            }
            Err(_) if is_table(value) => {
                return Err(refuse("there is no such file".to_owned()));
            }
            Err(_) => (biela::constant_input(model, index, value), value.to_owned()),
        };
        inputs.push(GivenInput {
            index,
            name: name.to_owned(),
            table: table.map_err(|error| refuse(error.to_string()))?,
            identity,
        });
    }
    Ok(inputs)
}

/// Whether a value is the name of a table.
fn is_table(value: &str) -> bool {
    let extension = Path::new(value).extension();
    extension.is_some_and(|word| word.eq_ignore_ascii_case("csv"))
}

/// Adds the inputs to the options of a run.
pub(super) fn note(header: &mut Header, inputs: &[GivenInput]) {
    if inputs.is_empty() {
        return;
    }
    let given = inputs.iter();
    let given: Map<String, Value> = given
        .map(|input| (input.name.clone(), json!(input.identity)))
        .collect();
    let _ = header.options.insert("inputs".to_owned(), json!(given));
}

/// Lets the inputs of a simulation follow their tables.
pub(super) fn feed(simulation: &mut Simulation, inputs: Vec<GivenInput>) -> Result<(), Failure> {
    for input in inputs {
        let set = simulation.set_table(input.index, Some(input.table));
        set.map_err(|error| Failure::command(format!("--input {}: {error}", input.name)))?;
    }
    Ok(())
}
