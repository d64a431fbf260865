//! Units and dimensions, against their definitions.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests may panic as tests do"
)]

use std::f64::consts::PI;

use biela_model::units::{Dimension, Unit, unit_named, unit_names};
use proptest::prelude::*;

fn unit(text: &str) -> Unit {
    Unit::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn unit_factors_are_those_of_the_definitions() {
    for (text, si) in [
        ("50.8 mm", 0.0508),
        ("12 mm", 0.012),
        ("1 in", 0.0254),
        ("1 ft", 0.3048),
        ("0.25 ms", 0.25e-3),
        ("180 deg", PI),
        ("1 rev", 2.0 * PI),
        ("60 rpm", 2.0 * PI),
        ("50 %", 0.5),
        ("1 g0", 9.806_65),
        ("1 t", 1000.0),
        ("1 h", 3600.0),
        ("1 lbf", 4.448_221_615_260_5),
        ("1 psi", 6_894.757_293_168_361),
        ("210 GPa", 2.1e11),
        ("1 bar", 1e5),
        ("1 kN/mm", 1e6),
        ("7.85 g/cm^3", 7850.0),
        ("2 N*mm", 2e-3),
        ("100 1/s", 100.0),
        ("36 km/h", 10.0),
        ("6 J/(kg*K)", 6.0),
    ] {
        let (amount, name) = text.split_once(' ').unwrap();
        let value = unit(name).to_si(amount.parse().unwrap());
        assert!(
            (value / si - 1.0).abs() < 4e-16,
            "{text} gave {value}, not {si}"
        );
    }
}

#[test]
fn an_integer_with_a_prefix_is_exactly_its_decimal_value() {
    for amount in 1..=2000 {
        for (name, exponent) in [
            ("mm", "e-3"),
            ("cm", "e-2"),
            ("us", "e-6"),
            ("kN", "e3"),
            ("%", "e-2"),
        ] {
            let written: f64 = format!("{amount}{exponent}").parse().unwrap();
            assert_eq!(
                unit(name).to_si(f64::from(amount)),
                written,
                "{amount} {name}"
            );
        }
    }
}

#[test]
fn derived_units_have_the_dimension_of_their_definition() {
    for (derived, base) in [
        ("N", "kg*m/s^2"),
        ("J", "N*m"),
        ("W", "J/s"),
        ("Pa", "N/m^2"),
        ("V", "W/A"),
        ("ohm", "V/A"),
        ("H", "V*s/A"),
        ("F", "A*s/V"),
        ("Hz", "1/s"),
        ("g0", "m/s^2"),
        ("N*m/rad", "N*m"),
    ] {
        assert_eq!(unit(derived).dimension, unit(base).dimension, "{derived}");
    }
    assert_eq!(unit("V").factor, unit("kg*m^2/s^3/A").factor);
}

#[test]
fn products_group_from_the_left_and_powers_bind_tighter() {
    assert_eq!(unit("m/s/s"), unit("m/s^2"));
    assert_eq!(unit("m/s*s").dimension, Dimension::LENGTH);
    assert_eq!(unit("m/(s*s)"), unit("m/s^2"));
    assert_eq!(unit("(m/s)^2").dimension, unit("m^2/s^2").dimension);
    assert_eq!(unit("s^-1"), unit("1/s"));
    assert_eq!(unit(" kg * m ^ 2 "), unit("kg*m^2"));
    assert_eq!(unit("N·m/s²"), unit("N*m/s^2"));
    assert_eq!(unit("µm"), unit("um"));
    assert_eq!(unit("°"), unit("deg"));
    assert_eq!(unit("mm²"), unit("mm^2"));
}

#[test]
fn a_dimension_prints_as_the_unit_an_engineer_would_write() {
    for text in [
        "m",
        "kg",
        "s",
        "N",
        "N*m",
        "m/s",
        "m/s^2",
        "kg*m^2",
        "N/m",
        "N*s/m",
        "N*m*s",
        "Pa",
        "W",
        "V",
        "ohm",
        "K",
        "1/s",
        "kg/m^3",
        "N*m/A",
        "N*m^2",
        "kg^2/m^3",
        "kg*m/(s^4*K)",
        "1/(m*s)",
    ] {
        assert_eq!(unit(text).dimension.si_unit(), text);
    }
    assert_eq!(Dimension::NONE.si_unit(), "");
    assert_eq!(Dimension::NONE.to_string(), "1");
    assert_eq!(
        Dimension::LENGTH.power(1, 2).unwrap().to_string(),
        "m^(1/2)"
    );
    assert_eq!(
        Dimension::MASS.power(-2, 3).unwrap().to_string(),
        "1/kg^(2/3)"
    );
    assert_eq!(Dimension::FORCE.describe(), "a force (N)");
    assert_eq!(
        Dimension::MASS.power(2, 1).unwrap().describe(),
        "a quantity in kg^2"
    );
}

#[test]
fn every_unit_is_listed_once_and_reads_back() {
    let names: Vec<_> = unit_names().collect();
    for (index, name) in names.iter().enumerate() {
        assert!(!names[..index].contains(name), "{name} is listed twice");
        assert_eq!(Some(unit(name)), unit_named(name));
        let dimension = unit(name).dimension;
        if !dimension.is_none() {
            let si = unit(&dimension.si_unit());
            assert_eq!((si.factor, si.dimension), (1.0, dimension), "{name}");
        }
    }
}

#[test]
fn a_wrong_unit_is_marked_and_explained() {
    for (text, span, message, help) in [
        (
            "Nm",
            0..2,
            "unknown unit `Nm`",
            Some("a product of units is written `N*m`"),
        ),
        (
            "N*mn",
            2..4,
            "unknown unit `mn`",
            Some("did you mean `mN`?"),
        ),
        (
            "kgg",
            0..3,
            "unknown unit `kgg`",
            Some("a product of units is written `kg*g`"),
        ),
        ("m/secs", 2..6, "unknown unit `secs`", Some("write `s`")),
        (
            "degrees",
            0..7,
            "unknown unit `degrees`",
            Some("write `deg`"),
        ),
        ("HZ", 0..2, "unknown unit `HZ`", Some("did you mean `Hz`?")),
        ("florin", 0..6, "unknown unit `florin`", None),
        ("m/", 2..2, "a unit is missing here", None),
        ("m//s", 2..3, "a unit is missing here", None),
        (
            "m^x",
            2..3,
            "the exponent of a unit must be an integer",
            None,
        ),
        (
            "m^",
            2..2,
            "the exponent of a unit must be an integer",
            None,
        ),
        ("(m/s", 4..4, "a closing `)` is missing here", None),
        ("m s", 2..3, "expected `*`, `/` or `^`", None),
        ("1", 1..1, "`1` begins a unit only as in `1/s`", None),
        ("", 0..0, "a unit is missing here", None),
        (
            "mm^200",
            0..6,
            "the factor of the unit overflows or underflows",
            None,
        ),
        (
            "rad*m^4000",
            4..10,
            "the factor of the unit overflows or underflows",
            None,
        ),
        (
            "m^99999999999",
            2..3,
            "the exponent of a unit must be an integer",
            None,
        ),
    ] {
        let error = Unit::parse(text).unwrap_err();
        assert_eq!(
            (error.span, error.message.as_str(), error.help.as_deref()),
            (span, message, help),
            "{text}"
        );
    }
}

#[test]
fn too_deeply_nested_parentheses_are_an_error() {
    assert_eq!(
        Unit::parse(&"(".repeat(100_000)).unwrap_err().message,
        "too many nested parentheses in the unit"
    );
}

#[test]
fn exponents_out_of_range_are_an_error() {
    let huge = Dimension::LENGTH.power(2000, 1).unwrap();
    assert_eq!(huge.times(huge), None);
    assert_eq!(Dimension::NONE.over(huge).and_then(|d| d.over(huge)), None);
    assert_eq!(Dimension::LENGTH.power(1, 0), None);
    assert_eq!(Dimension::LENGTH.power(1, 7), None);
}

proptest! {
    #[test]
    fn any_text_is_a_unit_or_an_error_inside_the_text(text in "\\PC{0,40}|[a-zA-Z*/^()0-9 ·²-]{0,40}") {
        if let Err(error) = Unit::parse(&text) {
            prop_assert!(error.span.start <= error.span.end && error.span.end <= text.len());
            prop_assert!(text.is_char_boundary(error.span.start) && text.is_char_boundary(error.span.end));
        }
    }

    #[test]
    fn powers_and_products_of_dimensions_agree(exponents in prop::array::uniform5(-6_i8..7), n in -4..5_i32) {
        let [l, m, t, i, k] = exponents;
        let dimension = Dimension::new(l, m, t, i, k);
        let mut product = Dimension::NONE;
        for _ in 0..n.abs() {
            product = if n > 0 { product.times(dimension) } else { product.over(dimension) }.unwrap();
        }
        prop_assert_eq!(dimension.power(n, 1), Some(product));
        prop_assert_eq!(dimension.power(1, 2).and_then(|root| root.power(2, 1)), Some(dimension));
        if !dimension.is_none() {
            prop_assert_eq!(Unit::parse(&dimension.si_unit()).unwrap().dimension, dimension);
        }
    }
}
