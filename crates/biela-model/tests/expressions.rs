//! The meaning of formulas: values, grouping, names, constants, smoothness.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests may panic as tests do"
)]

use std::sync::Arc;

use biela_core::math::Jet;
use biela_model::expr::{
    Binding, Continuity, ExprError, Extrapolation, Interpolation, Program, TabulatedFunction,
    compile, functions, parse,
};
use biela_model::units::Dimension;

/// x and y are inputs 0 and 1, `a` is the constant 3, `k` has a slot that is not the next one, `table` is a line.
fn resolve(name: &str) -> Option<Binding> {
    let input = |slot| {
        Some(Binding::Input {
            slot,
            dimension: None,
        })
    };
    match name {
        "x" => input(0),
        "y" => input(1),
        "rod.A.x" => input(2),
        "left-wheel.x" => input(3),
        "θ" => input(4),
        "e" => input(5),
        "a" => Some(Binding::Constant {
            value: 3.0,
            dimension: None,
        }),
        "clock" => Some(Binding::Time),
        "table" => {
            let table = TabulatedFunction::new(
                &[0.0, 1.0, 3.0],
                &[0.0, 2.0, 0.0],
                Interpolation::Linear,
                Extrapolation::Hold,
            );
            table.ok().map(|table| Binding::Table(Arc::new(table)))
        }
        _ => None,
    }
}

fn known() -> Vec<String> {
    ["x", "y", "rod.A.x", "a", "clock", "table"]
        .map(str::to_owned)
        .to_vec()
}

fn program(text: &str) -> Program {
    let ast = parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    compile(&ast, &mut resolve, &known).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}

fn errors(text: &str) -> Vec<ExprError> {
    match parse(text) {
        Err(error) => vec![error],
        Ok(ast) => compile(&ast, &mut resolve, &known)
            .map_or_else(|errors| errors, |_| panic!("{text} is accepted")),
    }
}

const INPUTS: [f64; 6] = [0.5, -2.0, 10.0, 20.0, 30.0, 40.0];

fn value(text: &str) -> f64 {
    program(text).eval(0.25, &INPUTS)
}

#[test]
fn operators_group_as_in_mathematics() {
    for (text, expected) in [
        ("1 + 2*3", 7.0),
        ("(1 + 2)*3", 9.0),
        ("10 - 4 - 3", 3.0),
        ("24/4/3", 2.0),
        ("24/4*3", 18.0),
        ("2^3^2", 512.0),
        ("-2^2", -4.0),
        ("(-2)^2", 4.0),
        ("2^-1", 0.5),
        ("2^-2^0", 0.5),
        ("-2*3", -6.0),
        ("2*-3", -6.0),
        ("2--3", 5.0),
        ("+3", 3.0),
        ("- -3", 3.0),
        ("7 % 4", 3.0),
        ("-7 % 4", 1.0),
        ("7 % -4", -1.0),
        ("2*7 % 4", 2.0),
        ("1 + 1 < 3", 1.0),
        ("1 < 2 and 3 < 2", 0.0),
        ("1 < 2 or 3 < 2 and 0", 1.0),
        ("not 1 == 2", 1.0),
        ("not 0 and 0", 0.0),
        ("1 ? 2 : 3", 2.0),
        ("0 ? 1 : 0 ? 2 : 3", 3.0),
        ("0 ? 1 : 2 + 3", 5.0),
        ("1 or 0 ? 5 : 6", 5.0),
        ("1 ? 0 ? 7 : 8 : 9", 8.0),
        ("if(2 > 1, 10, 20)", 10.0),
        ("if(2 <= 1, 10, 20)", 20.0),
        ("3 >= 3", 1.0),
        ("3 != 3", 0.0),
        ("1e3 + 1.5E-1 + .5 + 2.", 1002.65),
    ] {
        assert_eq!(value(text), expected, "{text}");
        // The same with every number hidden behind an input, so that nothing is folded.
        assert_eq!(unfolded(text), expected, "{text} at run time");
    }
}

/// Evaluates with each bare number replaced by an input that holds it.
fn unfolded(text: &str) -> f64 {
    let mut numbers: Vec<f64> = Vec::new();
    let (mut rewritten, mut digits) = (String::new(), String::new());
    let mut flush = |digits: &mut String, rewritten: &mut String| {
        if !digits.is_empty() {
            rewritten.push('v');
            rewritten.push_str(&numbers.len().to_string());
            numbers.push(digits.parse().unwrap());
            digits.clear();
        }
    };
    for c in text.chars() {
        let exponent =
            !digits.is_empty() && (matches!(c, 'e' | 'E') || (c == '-' && digits.ends_with('E')));
        if c.is_ascii_digit() || c == '.' || exponent {
            digits.push(c);
        } else {
            flush(&mut digits, &mut rewritten);
            rewritten.push(c);
        }
    }
    flush(&mut digits, &mut rewritten);
    let mut slot = |name: &str| {
        let slot = name.strip_prefix('v')?.parse().ok()?;
        Some(Binding::Input {
            slot,
            dimension: None,
        })
    };
    let program = compile(&parse(&rewritten).unwrap(), &mut slot, &Vec::new).unwrap();
    assert_eq!(program.constant(), None);
    program.eval(0.0, &numbers)
}

#[test]
fn functions_have_their_textbook_values() {
    use std::f64::consts::PI;
    for (text, expected) in [
        ("sin(pi/6)", 0.5),
        ("cos(60 deg)", 0.5),
        ("tan(pi/4)", 1.0),
        ("asin(1)", PI / 2.0),
        ("acos(-1)", PI),
        ("atan(1)", PI / 4.0),
        ("atan2(1, -1)", 3.0 * PI / 4.0),
        ("sinh(1)", 1.175_201_193_643_801_4),
        ("cosh(1)", 1.543_080_634_815_243_7),
        ("tanh(0.5)", 0.462_117_157_260_009_8),
        ("exp(1)", std::f64::consts::E),
        ("ln(10)", std::f64::consts::LN_10),
        ("log10(1000)", 3.0),
        ("sqrt(2)", std::f64::consts::SQRT_2),
        ("cbrt(-27)", -3.0),
        ("abs(-4.5)", 4.5),
        ("sign(-3) + 10*sign(0) + 100*sign(2)", 99.0),
        ("min(3, 1, 2)", 1.0),
        ("max(3, 1, 2)", 3.0),
        ("min(4)", 4.0),
        ("clamp(5, 0, 1) + clamp(-5, 0, 1) + clamp(0.25, 0, 1)", 1.25),
        ("floor(-1.5)", -2.0),
        ("ceil(-1.5)", -1.0),
        ("round(2.5) + round(-2.5) + round(0.4)", 0.0),
        ("mod(-1, 3)", 2.0),
        ("hypot(3, -4)", 5.0),
        ("step(-0.1) + 2*step(0) + 4*step(3)", 6.0),
        ("smoothstep(0.25, 0, 1)", 0.156_25),
        ("smoothstep(-1, 0, 1) + smoothstep(9, 0, 1)", 1.0),
        ("step5(0.5, 0, 2, 1, 4)", 3.0),
        ("step5(0.25, 0, 0, 1, 1)", 0.103_515_625),
        ("step5(-1, 0, 2, 1, 4) + step5(2, 0, 2, 1, 4)", 6.0),
        (
            "pulse(0, 0, 1) + 2*pulse(1, 0, 1) + 4*pulse(0.5, 0, 1)",
            5.0,
        ),
        ("deg(pi)", 180.0),
        ("rad(180)", PI),
        ("tau/pi", 2.0),
        ("2^0.5", std::f64::consts::SQRT_2),
        ("(-8)^3", -512.0),
    ] {
        let found = value(text);
        assert!(
            (found - expected).abs() < 1e-14 * expected.abs().max(1.0),
            "{text} gave {found}, not {expected}"
        );
    }
}

#[test]
fn every_function_is_known_by_its_usage() {
    for info in functions() {
        let usage = info.usage.replace(", ...", "");
        let mut any = |_: &str| {
            Some(Binding::Input {
                slot: 0,
                dimension: None,
            })
        };
        let program = compile(&parse(&usage).unwrap(), &mut any, &Vec::new).unwrap();
        assert!(program.eval(0.3, &[0.5]).is_finite(), "{usage}");
        assert!(info.usage.starts_with(info.name) && !info.summary.is_empty());
    }
}

#[test]
fn names_are_dotted_quoted_and_of_any_script() {
    assert_eq!(value("rod.A.x"), 10.0);
    assert_eq!(value("'left-wheel'.x - 1"), 19.0);
    assert_eq!(value("'left-wheel.x'"), 20.0);
    assert_eq!(value("θ*2"), 60.0);
    assert_eq!(value("e"), 40.0);
    assert_eq!(value("x-y"), 2.5);
    assert_eq!(value("t + time + clock"), 0.75);
    assert_eq!(value("a*x"), 1.5);
}

#[test]
fn units_may_follow_numbers_inside_formulas() {
    assert_eq!(value("5 mm + 1"), 1.005);
    assert_eq!(value("x*4 cm^2"), 0.5 * 4.0 / 1e4);
    assert_eq!(value("2*5 [N*m/rad]"), 10.0);
    assert_eq!(value("90° / 2"), std::f64::consts::FRAC_PI_4);
    assert_eq!(value("3 m² + 0"), 3.0);
    assert_eq!(value("5 s^-1 + 0"), 5.0);
    assert_eq!(value("50 [%] * 4"), 2.0);
    assert_eq!(value("5 % 3"), 2.0);
    assert_eq!(value("36 [km / h] * t"), 2.5);
    assert_eq!(value("5 mm*2"), 0.01);
    assert_eq!(value("1 and 2"), 1.0);
}

#[test]
fn a_string_that_is_a_number_with_a_unit_is_a_quantity() {
    for (text, si, dimension) in [
        ("20 N*m", 20.0, Dimension::TORQUE),
        ("-12.5e-3 m", -0.0125, Dimension::LENGTH),
        ("30 deg", std::f64::consts::PI / 6.0, Dimension::NONE),
        ("30deg", std::f64::consts::PI / 6.0, Dimension::NONE),
        ("9.81 m/s^2", 9.81, Dimension::ACCELERATION),
        (" +7.85 t/m^3 ", 7850.0, Dimension::DENSITY),
        ("50 %", 0.5, Dimension::NONE),
        ("5 1/s", 5.0, Dimension::RATE),
        ("5 [N*m]", 5.0, Dimension::TORQUE),
        ("5 [m*t]", 5000.0, Dimension::new(1, 1, 0, 0, 0)),
    ] {
        let program = program(text);
        let found = program.constant().unwrap();
        assert!(
            (found - si).abs() <= 2e-16 * si.abs(),
            "{text} gave {found}"
        );
        assert_eq!(program.dimension(), Some(dimension), "{text}");
    }
    assert_eq!(program("12.5").dimension(), None);
}

#[test]
fn spaces_inside_the_unit_make_it_a_formula() {
    assert_eq!(value("8 mm * t"), 0.002);
    assert_eq!(value("8 m / a"), 8.0 / 3.0);
}

#[test]
fn constants_are_folded_through_everything() {
    for text in [
        "2*3 + sin(0)",
        "a^2",
        "if(1 < 2, 4, x)",
        "table(0.5)",
        "step5(1, 0, 0, 1, 5)",
        "max(1, 2, a)",
    ] {
        assert!(program(text).constant().is_some(), "{text}");
    }
    for text in ["x", "t*0", "if(x, 1, 2)", "table(t)"] {
        assert_eq!(program(text).constant(), None, "{text}");
    }
}

#[test]
fn a_branch_that_is_never_taken_is_removed() {
    let chosen = program("if(a > 2, y*2, floor(x) + t)");
    assert_eq!(chosen.input_slots(), [1]);
    assert!(chosen.is_smooth() && !chosen.uses_time());
}

#[test]
fn a_conditional_evaluates_only_one_branch() {
    // The other side would be NaN, and its derivative too.
    let guarded = program("if(x > 0, sqrt(x), sqrt(-x)) + (x < 0 ? 1 : 2)");
    assert_eq!(guarded.eval(0.0, &[4.0]), 4.0);
    assert_eq!(guarded.eval(0.0, &[-9.0]), 4.0);
    assert_eq!(
        guarded.eval(Jet::time(0.0), &[Jet::new(4.0, 1.0, 0.0)]),
        Jet::new(4.0, 0.25, -1.0 / 32.0)
    );
}

#[test]
fn a_program_lists_its_dependencies() {
    let program = program("θ + x*y + x + sin(t)");
    assert_eq!(program.input_slots(), [0, 1, 4]);
    assert!(program.uses_time() && !program.only_time());
    assert!(self::program("sin(t)").only_time());
    assert!(self::program("3 m").only_time() && !self::program("3 m").uses_time());
}

#[test]
fn the_continuity_of_a_formula_is_that_of_its_least_smooth_part() {
    for (text, continuity, span) in [
        ("sin(t)*x^3", Continuity::Curvature, None),
        ("step5(t, 0, 0, 1, 2)", Continuity::Curvature, None),
        ("1 + smoothstep(t, 0, 1)", Continuity::Rate, Some(4..23)),
        ("t*abs(x)", Continuity::Value, Some(2..8)),
        ("abs(x) + floor(t)", Continuity::Jump, Some(9..17)),
        ("clamp(t, 0, 1)", Continuity::Value, Some(0..14)),
        ("2*table(t)", Continuity::Value, Some(2..10)),
        ("t < 1", Continuity::Jump, Some(0..5)),
        ("if(x, t, 2*t)", Continuity::Jump, Some(0..13)),
        ("mod(t, 1)", Continuity::Jump, Some(0..9)),
        ("floor(2.5)*t", Continuity::Curvature, None),
    ] {
        let program = program(text);
        assert_eq!(program.continuity(), continuity, "{text}");
        assert_eq!(
            program.is_smooth(),
            continuity == Continuity::Curvature,
            "{text}"
        );
        assert_eq!(
            program.roughest(),
            span.map(|span| (continuity, span)),
            "{text}"
        );
    }
}

#[test]
fn overflow_and_undefined_operations_give_infinity_or_nan() {
    assert_eq!(value("1/0"), f64::INFINITY);
    assert_eq!(value("-1/(x - 0.5)"), f64::NEG_INFINITY);
    for text in [
        "0/0",
        "sqrt(-1)",
        "ln(-x)",
        "asin(2)",
        "x % 0",
        "(-2)^0.5",
        "min(1, 0/0)",
        "max(0/0, 1)",
    ] {
        assert!(value(text).is_nan(), "{text}");
    }
    assert!(value("clamp(x, 2, 1)").is_finite());
}

/// Formulas, the marked part, the message and the help.
const FAULTY: &[(&str, std::ops::Range<usize>, &str, Option<&str>)] = &[
    ("", 0..0, "the formula is empty", None),
    ("   ", 0..3, "the formula is empty", None),
    ("1 +", 3..3, "a value is missing here", None),
    ("1 + * 2", 4..5, "a value is missing before `*`", None),
    ("or x", 0..2, "a value is missing before `or`", None),
    ("(1 + 2", 6..6, "a closing `)` is missing here", None),
    ("1 + 2)", 5..6, "unmatched `)`", None),
    (
        "sin(x",
        5..5,
        "a closing `)` is missing here",
        Some("write `sin(x)`"),
    ),
    ("atan2(x, )", 9..10, "a value is missing before `)`", None),
    (
        "0,5",
        1..2,
        "a comma separates the arguments of a function",
        Some("decimals are written with a point: `0.5`"),
    ),
    (
        "x y",
        2..3,
        "an operator is missing here",
        Some("a product is written with `*`"),
    ),
    (
        "2 x",
        2..3,
        "unknown unit `x`",
        Some("a product is written with `*`: `2*x`"),
    ),
    (
        "3*(5 Nm)",
        5..7,
        "unknown unit `Nm`",
        Some("a product of units is written `N*m`"),
    ),
    (
        "1 + 5 [N*mn]",
        9..11,
        "unknown unit `mn`",
        Some("did you mean `mN`?"),
    ),
    (
        "1 + 5 [N*m",
        6..7,
        "the closing `]` of this unit is missing",
        None,
    ),
    (
        "x [mm]",
        2..3,
        "a unit in square brackets follows a number",
        Some("write for example `5 [N*m]`"),
    ),
    (
        "2 + 5 m^x",
        8..8,
        "the exponent of a unit must be an integer",
        Some("to raise the number together with its unit, use brackets: `(2 m)^x`"),
    ),
    (
        "1 < x < 2",
        6..7,
        "comparisons cannot be chained",
        Some("join them with `and`: `a < b and b < c`"),
    ),
    (
        "x = 2",
        2..3,
        "`=` is not allowed here",
        Some("equality is written `==`"),
    ),
    (
        "x && y",
        2..4,
        "`&&` is not allowed here",
        Some("write `and`"),
    ),
    ("!x", 0..1, "`!` is not allowed here", Some("write `not`")),
    (
        "x**2",
        1..3,
        "`**` is not allowed here",
        Some("a power is written `x^2`"),
    ),
    ("x²", 1..3, "`²` is not allowed here", Some("write `^2`")),
    ("x $ y", 2..3, "unexpected character `$`", None),
    ("1e999", 0..5, "the number is too large", None),
    ("1e308 km", 0..8, "the number is too large", None),
    (
        "x ? 1",
        5..5,
        "a `:` is missing here",
        Some("write `condition ? a : b`"),
    ),
    ("x : 1", 2..3, "this `:` has no `?` before it", None),
    ("if x", 0..2, "`if` is written `if(condition, a, b)`", None),
    (
        "'left",
        0..5,
        "the closing quote of this name is missing",
        None,
    ),
    ("''", 0..2, "the name is empty", None),
    ("x. + 1", 2..3, "a name is missing after the point", None),
    (
        "sin()",
        0..5,
        "`sin` takes 1 argument, not 0",
        Some("write `sin(x)`"),
    ),
    (
        "1 + atan2(x)",
        4..12,
        "`atan2` takes 2 arguments, not 1",
        Some("write `atan2(y, x)`"),
    ),
    (
        "min()",
        0..5,
        "`min` takes 1 argument or more, not 0",
        Some("write `min(a, b, ...)`"),
    ),
    (
        "if(x, 1)",
        0..8,
        "`if` takes 3 arguments, not 2",
        Some("write `if(c, a, b)`"),
    ),
    (
        "table(x, y)",
        0..11,
        "the table `table` takes 1 argument, not 2",
        Some("write `table(t)`"),
    ),
    (
        "sni(x)",
        0..3,
        "unknown function or table `sni`",
        Some("did you mean `sin`?"),
    ),
    (
        "tabel(x)",
        0..5,
        "unknown function or table `tabel`",
        Some("did you mean `table`?"),
    ),
    (
        "x(2)",
        0..1,
        "`x` is not a function",
        Some("a product is written with `*`: `x*(...)`"),
    ),
    (
        "1 + table",
        4..9,
        "`table` is a table",
        Some("call it like a function: `table(t)`"),
    ),
    (
        "2*sin",
        2..5,
        "unknown name `sin`",
        Some("`sin` is a function: write `sin(x)`"),
    ),
    (
        "rod.A.y",
        0..7,
        "unknown name `rod.A.y`",
        Some("did you mean `rod.A.x`?"),
    ),
    (
        "9.81 m/s^2*t",
        0..12,
        "`t` could be the tonne or the time here",
        Some("for the tonne write `9.81 [m/s^2*t]`; for the time write `9.81 [m/s^2] * t`"),
    ),
    (
        "-2 kg*t^2",
        0..9,
        "`t` could be the tonne or the time here",
        Some(
            "for the tonne write `-2 [kg*t^2]`; for the time put the unit in brackets and `t` after it: `5 [mm/s] * t`",
        ),
    ),
    (
        "2*5 N*m",
        6..7,
        "unknown name `m`",
        Some(
            "if `m` is meant as a unit, put the whole unit in brackets after its number: `5 [N*m/rad]`",
        ),
    ),
];

#[test]
fn every_error_is_marked_and_explained() {
    for (text, span, message, help) in FAULTY {
        let found = errors(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert_eq!(
            (
                &found[0].span,
                found[0].message.as_str(),
                found[0].help.as_deref()
            ),
            (span, *message, *help),
            "{text}"
        );
    }
}

#[test]
fn all_unknown_names_are_reported_in_order() {
    let found = errors("foo + sin(bar)*x + sni(baz)");
    let spans: Vec<_> = found.iter().map(|error| error.span.clone()).collect();
    assert_eq!(spans, [0..3, 10..13, 19..22, 23..26]);
}

#[test]
fn the_number_of_reported_errors_is_bounded() {
    assert_eq!(
        errors(&vec!["q"; 500].join("+")).len(),
        biela_model::expr::MAX_ERRORS
    );
}

#[test]
fn nesting_is_bounded_and_never_overflows_the_stack() {
    for open in [
        "(", "sin(", "-", "not ", "2^", "x ? ", "x ? 1 : ", "if(x,", "min(1,", "1+(", "'",
    ] {
        let limit = biela_model::expr::MAX_LENGTH;
        for length in [limit, 100_000 * open.len()] {
            let text = open.repeat(length / open.len());
            assert!(parse(&text).is_err(), "{open}");
        }
    }
    let at_limit = format!("{}x{}", "(".repeat(64), ")".repeat(64));
    assert_eq!(value(&at_limit), 0.5);
    let beyond = format!("{}x{}", "(".repeat(65), ")".repeat(65));
    let error = parse(&beyond).unwrap_err();
    assert_eq!(
        (error.span, error.message.as_str()),
        (64..65, "the formula is nested more than 64 levels deep")
    );
    let long = format!("é{}", "é".repeat(2048));
    assert_eq!(parse(&long).unwrap_err().span, 0..4096);
    assert_eq!(parse(&format!("a{long}")).unwrap_err().span, 0..4095);
}

#[test]
fn long_chains_need_no_depth() {
    let sum = vec!["x"; 2000].join("+");
    assert_eq!(value(&sum), 1000.0);
    let chain = vec!["1"; 1001].join("+x-");
    assert_eq!(value(&chain), 1.0 + 1000.0 * (0.5 - 1.0));
}

#[test]
fn a_conditional_needs_one_stack_value_for_either_branch() {
    let choices = vec!["(x ? t : y)"; 300].join("+");
    assert_eq!(value(&choices), 300.0 * 0.25);
}

#[test]
fn a_formula_with_too_many_intermediate_values_is_rejected() {
    let deep = |levels: usize| {
        format!(
            "{}x{}",
            "step5(t,x,y,y+1,".repeat(levels),
            ")".repeat(levels)
        )
    };
    assert_eq!(
        value(&deep(15)),
        program(&deep(15))
            .eval(Jet::time(0.25), &INPUTS.map(|x| Jet::new(x, 0.0, 0.0)))
            .value
    );
    let errors = errors(&deep(17));
    assert_eq!(
        errors[0].message,
        "the formula needs 69 intermediate values; at most 64 are allowed"
    );
}
