//! Validation of the arguments of force elements beyond that of [`Info::check`](crate::element::Info::check).

use crate::element::{ArgumentError, Arguments};
use crate::math::Vec3;
use crate::model::{Law, MarkerIndex};

/// An error in a field.
pub(super) fn fault(field: &'static str, message: impl Into<String>) -> ArgumentError {
    ArgumentError {
        field,
        message: message.into(),
    }
}

/// A non-negative number; zero if omitted.
pub(super) fn not_negative(
    arguments: &Arguments,
    field: &'static str,
) -> Result<f64, ArgumentError> {
    let x = arguments.number(field);
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
    match v.iter().find(|x| **x < 0.0) {
        None => Ok(v),
        Some(x) => Err(fault(
            field,
            format!("a component is {x}; all must be finite and zero or more"),
        )),
    }
}

/// A law; if constant, it must be non-negative.
pub(super) fn law_not_negative(
    arguments: &Arguments,
    field: &'static str,
) -> Result<Law, ArgumentError> {
    let law = arguments.law(field);
    match law.constant() {
        Some(x) if x < 0.0 => Err(fault(field, format!("it is {x}; it must be zero or more"))),
        _ => Ok(law),
    }
}

/// Two markers, which must differ.
pub(super) fn markers(
    arguments: &Arguments,
    field: &'static str,
) -> Result<[MarkerIndex; 2], ArgumentError> {
    let [a, b] = arguments.markers(field);
    if a == b {
        return Err(fault(
            field,
            "both ends are the same point; give two points",
        ));
    }
    Ok([a, b])
}

/// The coefficient or bound of friction at rest in `field`: that in slip if omitted, which it must not be below. Only set-valued friction has one.
pub(super) fn at_rest(
    arguments: &Arguments,
    field: &'static str,
    slip: f64,
    transition_speed: f64,
) -> Result<f64, ArgumentError> {
    let Some(rest) = arguments.optional_number(field) else {
        return Ok(slip);
    };
    if rest.is_nan() || rest < slip {
        return Err(fault(
            field,
            format!("it is {rest}; friction at rest is not below that in slip, {slip}"),
        ));
    }
    if transition_speed > 0.0 {
        return Err(fault(
            field,
            "regularized friction has no state of rest; set `transition_speed = 0`",
        ));
    }
    Ok(rest)
}
