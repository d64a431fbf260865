//! Tables of external inputs from text.

use biela_core::analysis::InputTable;
use biela_core::model::{InputIndex, Model};
use biela_model::suggest::did_you_mean;
use biela_model::units::{Dimension, Unit};

use crate::{OptionError, number};

/// Returns the input of a model with this name.
pub fn find_input(model: &Model, name: &str) -> Result<InputIndex, OptionError> {
    let inputs = &model.inputs;
    if let Some(index) = inputs.iter().position(|input| input.name == name) {
        return Ok(InputIndex(index));
    }
    let names = || inputs.iter().map(|input| input.name.as_str());
    let help = if inputs.is_empty() {
        "the model has no inputs; declare one with [[input]]".to_owned()
    } else if let Some(near) = did_you_mean(name, names()) {
        format!("did you mean `{near}`?")
    } else {
        format!("there is {}", names().collect::<Vec<_>>().join(", "))
    };
    Err(OptionError::new(format!(
        "no input is called `{name}`; {help}"
    )))
}

/// Returns the table of an input for a value: a number with a compatible unit.
pub fn constant_input(
    model: &Model,
    input: InputIndex,
    text: &str,
) -> Result<InputTable, OptionError> {
    let value = number(text, &model.inputs[input.0].unit)?;
    InputTable::new(&[0.0], &[value]).map_err(|error| OptionError::new(error.to_string()))
}

/// Reads the table of an input from the text of a CSV file: a header with names and units, then rows. The first column is the time; the values are in the
/// column with the name of the input, or in the second one of two.
///
/// ```
/// # use biela::core::model::{Hold, InputElement, InputIndex, Model, Space};
/// # let mut model = Model::new("m", Space::Planar);
/// # model.inputs.push(InputElement { name: "push".into(), origin: Default::default(), unit: "N".into(), initial: 0.0, hold: Hold::Zero });
/// let push = InputIndex(0);
/// assert!(biela::input_table(&model, push, "time [ms], push [kN]\n0, 1\n20, 0.5\n").is_ok());
/// let error = biela::input_table(&model, push, "time [s], push [m]\n0, 1\n").unwrap_err();
/// assert_eq!(error.to_string(), "column `push` has the unit m; N is required");
/// # Ok::<(), biela::OptionError>(())
/// ```
pub fn input_table(
    model: &Model,
    input: InputIndex,
    text: &str,
) -> Result<InputTable, OptionError> {
    let element = &model.inputs[input.0];
    let lines = text.lines().enumerate();
    let mut lines = lines.filter(|(_, line)| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#')
    });
    let (_, header) = lines
        .next()
        .ok_or_else(|| OptionError::new("the table has no header, such as `time [s], push [N]`"))?;
    let columns: Vec<(&str, &str)> = header.split(',').map(named).collect();
    let own = columns
        .iter()
        .skip(1)
        .position(|(name, _)| *name == element.name);
    let own = own.map(|at| at + 1).or((columns.len() == 2).then_some(1));
    let Some(own) = own else {
        return Err(OptionError::new(format!(
            "the table has no column `{}` after the time",
            element.name
        )));
    };
    let time = factor(columns[0], "s")?;
    let value = factor(columns[own], &element.unit)?;
    let (mut times, mut values) = (Vec::new(), Vec::new());
    for (line, row) in lines {
        let cells: Vec<&str> = row.split(',').collect();
        if cells.len() != columns.len() {
            return Err(OptionError::new(format!(
                "line {} has {} cells, the header {}",
                line + 1,
                cells.len(),
                columns.len()
            )));
        }
        for (cell, factor, list) in [
            (cells[0], time, &mut times),
            (cells[own], value, &mut values),
        ] {
            let number = cell.trim().trim_matches('"').parse::<f64>().ok();
            let number = number.filter(|x| x.is_finite()).ok_or_else(|| {
                let cell = cell.trim();
                OptionError::new(format!(
                    "line {}: `{cell}` is not a finite number",
                    line + 1
                ))
            })?;
            list.push(factor * number);
        }
    }
    InputTable::new(&times, &values).map_err(|error| OptionError::new(error.to_string()))
}

/// The name and the unit of a column, "" without one.
fn named(cell: &str) -> (&str, &str) {
    let cell = cell.trim().trim_matches('"');
    let (name, unit) = cell.split_once('[').unwrap_or((cell, ""));
    (name.trim(), unit.trim_end().trim_end_matches(']').trim())
}

/// The factor from the unit of a column to the required SI unit.
fn factor((name, unit): (&str, &str), required: &str) -> Result<f64, OptionError> {
    if matches!(unit, "" | "1") {
        return Ok(1.0);
    }
    let found = Unit::parse(unit)
        .map_err(|error| OptionError::new(format!("unit of column `{name}`: {}", error.message)))?;
    let dimension = Unit::parse(required).map_or(Dimension::NONE, |unit| unit.dimension);
    if found.dimension != dimension {
        return Err(OptionError::new(format!(
            "column `{name}` has the unit {unit}; {required} is required"
        )));
    }
    Ok(found.factor)
}
