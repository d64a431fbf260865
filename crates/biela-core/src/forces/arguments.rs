//! Validation of the arguments of force elements, with error messages that state the remedy.

use crate::element::{ArgumentError, Arguments, Value};
use crate::math::Vec3;
use crate::model::{Law, MarkerIndex};

/// An error in a field.
pub(super) fn fault(field: &'static str, message: impl Into<String>) -> ArgumentError {
    ArgumentError {
        field,
        message: message.into(),
    }
}

/// A finite number; zero if omitted.
pub(super) fn finite(arguments: &Arguments, field: &'static str) -> Result<f64, ArgumentError> {
    let x = arguments.number(field);
    if x.is_finite() {
        Ok(x)
    } else {
        Err(fault(field, format!("it is {x}; give a finite number")))
    }
}

/// A non-negative number; zero if omitted.
pub(super) fn not_negative(
    arguments: &Arguments,
    field: &'static str,
) -> Result<f64, ArgumentError> {
    let x = finite(arguments, field)?;
    if x >= 0.0 {
        Ok(x)
    } else {
        Err(fault(field, format!("it is {x}; it must be zero or more")))
    }
}

/// Three non-negative numbers; zero if omitted.
pub(super) fn vector_not_negative(
    arguments: &Arguments,
    field: &'static str,
) -> Result<Vec3<f64>, ArgumentError> {
    let v = arguments.vector(field);
    match v.iter().find(|x| !(x.is_finite() && **x >= 0.0)) {
        None => Ok(v),
        Some(x) => Err(fault(
            field,
            format!("a component is {x}; all must be finite and zero or more"),
        )),
    }
}

/// A law; if constant, it must be finite.
pub(super) fn law(arguments: &Arguments, field: &'static str) -> Result<Law, ArgumentError> {
    let law = arguments.law(field);
    match law.constant() {
        Some(x) if !x.is_finite() => Err(fault(field, format!("it is {x}; give a finite number"))),
        _ => Ok(law),
    }
}

/// A law; if constant, it must be non-negative.
pub(super) fn law_not_negative(
    arguments: &Arguments,
    field: &'static str,
) -> Result<Law, ArgumentError> {
    let law = law(arguments, field)?;
    match law.constant() {
        Some(x) if x < 0.0 => Err(fault(field, format!("it is {x}; it must be zero or more"))),
        _ => Ok(law),
    }
}

/// A required marker.
pub(super) fn marker(
    arguments: &Arguments,
    field: &'static str,
) -> Result<MarkerIndex, ArgumentError> {
    match arguments.get(field) {
        Some(Value::Marker(marker)) => Ok(*marker),
        _ => Err(fault(field, "give a body or one of its points")),
    }
}

/// Two required markers, which must differ.
pub(super) fn markers(
    arguments: &Arguments,
    field: &'static str,
) -> Result<[MarkerIndex; 2], ArgumentError> {
    match arguments.get(field) {
        Some(Value::Markers([a, b])) if a == b => {
            Err(fault(field, "the two ends are the same; give two points"))
        }
        Some(Value::Markers(pair)) => Ok(*pair),
        _ => Err(fault(field, "give two points")),
    }
}

/// Laws for the components of a force: one per axis; constant ones must be finite.
pub(super) fn components(
    arguments: &Arguments,
    field: &'static str,
) -> Result<Vec<Law>, ArgumentError> {
    let value = arguments.laws(field);
    let axes = arguments.space.axes();
    if value.len() != axes {
        let count = value.len();
        return Err(fault(
            field,
            format!("it has {count} components; give {axes}"),
        ));
    }
    let constants = value.iter().filter_map(Law::constant);
    match constants.into_iter().find(|x| !x.is_finite()) {
        Some(x) => Err(fault(
            field,
            format!("a component is {x}; give finite numbers"),
        )),
        None => Ok(value),
    }
}
