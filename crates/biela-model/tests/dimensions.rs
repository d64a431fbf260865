//! Dimension checks of formulas: compatible and incompatible dimensions, and their messages.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests may panic as tests do"
)]

use std::ops::Range;
use std::sync::Arc;

use biela_model::expr::{
    Binding, ExprError, Extrapolation, Interpolation, Program, TabulatedFunction, compile, parse,
};
use biela_model::units::Dimension;

fn resolve(name: &str) -> Option<Binding> {
    let dimension = Some(match name {
        "length" => Dimension::LENGTH,
        "speed" => Dimension::VELOCITY,
        "mass" => Dimension::MASS,
        "stiffness" => Dimension::STIFFNESS,
        "torque" => Dimension::TORQUE,
        "angle" => Dimension::NONE,
        "bare" => {
            return Some(Binding::Input {
                slot: 0,
                dimension: None,
            });
        }
        "lift" => {
            let table = TabulatedFunction::new(
                &[0.0, 1.0],
                &[0.0, 1.0],
                Interpolation::Linear,
                Extrapolation::Hold,
            )
            .ok()?;
            let table = table.with_dimensions(Some(Dimension::NONE), Some(Dimension::LENGTH));
            return Some(Binding::Table(Arc::new(table)));
        }
        _ => return None,
    });
    Some(Binding::Input { slot: 0, dimension })
}

fn compiled(text: &str) -> Result<Program, Vec<ExprError>> {
    compile(
        &parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}")),
        &mut resolve,
        &Vec::new,
    )
}

fn dimension(text: &str) -> Option<Dimension> {
    compiled(text)
        .unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
        .dimension()
}

#[test]
fn dimensions_follow_the_arithmetic() {
    for (text, expected) in [
        ("length + 5 mm", Dimension::LENGTH),
        ("length*stiffness", Dimension::FORCE),
        ("length/speed", Dimension::TIME),
        ("length^2", Dimension::AREA),
        ("length^-1*length^3", Dimension::AREA),
        ("(length^2)^0.5", Dimension::LENGTH),
        ("sqrt(stiffness/mass)", Dimension::RATE),
        ("sqrt(stiffness)*sqrt(mass)", Dimension::DAMPING),
        ("cbrt(length^3)", Dimension::LENGTH),
        ("-abs(length)", Dimension::LENGTH),
        ("length % 1 m", Dimension::LENGTH),
        ("min(length, 2, 3 mm)", Dimension::LENGTH),
        ("clamp(length, 0, 1)", Dimension::LENGTH),
        ("hypot(length, 1 m)", Dimension::LENGTH),
        ("if(bare, length, 0)", Dimension::LENGTH),
        ("bare ? 1 : speed", Dimension::VELOCITY),
        ("torque*sin(angle)", Dimension::TORQUE),
        ("torque*(length < 1 m)", Dimension::TORQUE),
        ("torque*pi", Dimension::TORQUE),
        ("speed*t", Dimension::LENGTH),
        ("length/t", Dimension::VELOCITY),
        ("step5(t, 0, 0, 1 s, 5 N)", Dimension::FORCE),
        ("lift(angle)", Dimension::LENGTH),
        ("lift(0.5)*stiffness", Dimension::FORCE),
        ("floor(length)", Dimension::LENGTH),
        ("5 [N/m] * length", Dimension::FORCE),
    ] {
        assert_eq!(dimension(text), Some(expected), "{text}");
    }
}

#[test]
fn a_bare_number_is_compatible_with_every_dimension() {
    for text in [
        "100*(length - 0.1)",
        "2.5*speed*abs(speed)",
        "bare*torque",
        "torque/bare",
        "2 + bare",
        "bare^angle",
    ] {
        assert_eq!(dimension(text), None, "{text}");
    }
}

#[test]
fn time_and_pure_functions_are_compatible_with_bare_numbers() {
    for text in [
        "sin(t)",
        "exp(-t)",
        "1 + t",
        "t",
        "t^2",
        "2*t",
        "sin(angle)",
        "1 + sin(t)*t",
        "pi",
        "atan2(length, 2 m)",
    ] {
        let program = compiled(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        assert_eq!(program.dimension(), None, "{text}");
        assert!(program.expect(Dimension::TORQUE).is_ok(), "{text}");
    }
    assert_eq!(dimension("torque + sin(t)"), Some(Dimension::TORQUE));
    assert_eq!(dimension("2 s - t"), Some(Dimension::TIME));
}

#[test]
fn incompatible_dimensions_are_both_named() {
    let cases: &[(&str, Range<usize>, &str)] = &[
        (
            "length + torque",
            0..15,
            "cannot add a length (m) and a torque or energy (N*m)",
        ),
        (
            "2*(length - 3 s)",
            3..15,
            "cannot subtract a length (m) and a time (s)",
        ),
        (
            "length < 3 kg",
            0..13,
            "cannot compare a length (m) and a mass (kg)",
        ),
        (
            "length % speed",
            0..14,
            "cannot take the remainder of a length (m) and a velocity (m/s)",
        ),
        (
            "length + t",
            0..10,
            "cannot add a length (m) and a time (s)",
        ),
        (
            "t > length",
            0..10,
            "cannot compare a time (s) and a length (m)",
        ),
        (
            "min(length, 1, mass)",
            15..19,
            "`min` cannot compare a length (m) and a mass (kg)",
        ),
        (
            "clamp(length, 0, mass)",
            17..21,
            "`clamp` cannot compare a length (m) and a mass (kg)",
        ),
        (
            "step5(t, 0, 1 N, 1 m, 2 N)",
            17..20,
            "`step5` cannot compare a time (s) and a length (m)",
        ),
        (
            "step5(t, 0, 1 N, 1, 2 m)",
            20..23,
            "`step5` cannot compare a force (N) and a length (m)",
        ),
        (
            "smoothstep(length, 0, 1 s)",
            22..25,
            "`smoothstep` cannot compare a length (m) and a time (s)",
        ),
        (
            "hypot(length, mass)",
            0..19,
            "cannot combine a length (m) and a mass (kg)",
        ),
        (
            "if(bare, length, mass)",
            0..22,
            "the two alternatives have different units: one is a length (m), the other a mass (kg)",
        ),
        (
            "bare ? length : 1 N",
            0..19,
            "the two alternatives have different units: one is a length (m), the other a force (N)",
        ),
        (
            "1 + sin(length)",
            8..14,
            "the argument of `sin` must be a plain number or angle; it is a length (m)",
        ),
        (
            "exp(speed*2 s)",
            4..13,
            "the argument of `exp` must be a plain number or angle; it is a length (m)",
        ),
        (
            "2^length",
            2..8,
            "an exponent must be a plain number; this is a length (m)",
        ),
        (
            "length^bare",
            7..11,
            "a length (m) can only be raised to a constant power",
        ),
        (
            "lift(length)",
            5..11,
            "the argument of table `lift` must be a plain number or angle; it is a length (m)",
        ),
        ("5 m + 3 s", 0..9, "cannot add a length (m) and a time (s)"),
        (
            "length + angle",
            0..14,
            "cannot add a length (m) and a plain number or angle",
        ),
    ];
    for (text, span, message) in cases {
        let errors = compiled(text).map_or_else(|errors| errors, |_| panic!("{text} is accepted"));
        assert_eq!(errors.len(), 1, "{text}: {errors:?}");
        assert_eq!(
            (&errors[0].span, errors[0].message.as_str()),
            (span, *message),
            "{text}"
        );
    }
}

#[test]
fn several_errors_are_reported_at_once_and_none_twice() {
    let errors = compiled("(length + mass) + (speed - torque) + sin(length)*nothing").unwrap_err();
    let spans: Vec<_> = errors.iter().map(|error| error.span.clone()).collect();
    assert_eq!(spans, [1..14, 19..33, 41..47, 49..56]);
}

#[test]
fn the_required_dimension_is_compared_with_that_of_the_formula() {
    let length = compiled("length*2 m/1 m").unwrap();
    assert!(length.expect(Dimension::LENGTH).is_ok());
    let error = length.expect(Dimension::TORQUE).unwrap_err();
    assert_eq!(
        error.message,
        "it is a length (m); a torque or energy (N*m) is required"
    );
    assert_eq!(error.span, 0..14);
    let odd = compiled("mass^2")
        .unwrap()
        .expect(Dimension::NONE)
        .unwrap_err();
    assert_eq!(
        odd.message,
        "it has unit kg^2; a plain number or angle is required"
    );
}

#[test]
fn exponents_out_of_range_are_dropped_not_wrapped() {
    assert_eq!(dimension("(length^1000)^1000"), None);
    assert_eq!(dimension("length^0.3"), None);
}
