//! Derivatives of formulas and tables, against differences; smoothness of splines at their points.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use std::sync::Arc;

use biela_core::math::Jet;
use biela_model::expr::{
    Binding, Extrapolation, Interpolation, Program, TableError, TabulatedFunction, compile, parse,
};

const X: [f64; 6] = [0.0, 0.4, 0.9, 1.7, 2.0, 3.1];
const Y: [f64; 6] = [0.0, 1.2, -0.7, 0.3, 2.5, 2.4];

fn table(interpolation: Interpolation, extrapolation: Extrapolation) -> TabulatedFunction {
    TabulatedFunction::new(&X, &Y, interpolation, extrapolation).unwrap()
}

fn program(text: &str) -> Program {
    let mut resolve = |name: &str| match name {
        "x" => Some(Binding::Input {
            slot: 0,
            dimension: None,
        }),
        "spline" => Some(Binding::Table(Arc::new(table(
            Interpolation::Cubic,
            Extrapolation::Linear,
        )))),
        "line" => Some(Binding::Table(Arc::new(table(
            Interpolation::Linear,
            Extrapolation::Hold,
        )))),
        _ => None,
    };
    compile(&parse(text).unwrap(), &mut resolve, &Vec::new).unwrap()
}

/// Rate and curvature by eighth-order central differences.
fn differences(f: impl Fn(f64) -> f64, t: f64, h: f64) -> (f64, f64) {
    const RATE: [f64; 4] = [4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0];
    const CURVATURE: [f64; 4] = [8.0 / 5.0, -1.0 / 5.0, 8.0 / 315.0, -1.0 / 560.0];
    let (mut rate, mut curvature) = (0.0, -205.0 / 72.0 * f(t));
    for k in 0..4 {
        let reach = h * (k + 1) as f64;
        rate += RATE[k] * (f(t + reach) - f(t - reach)) / h;
        curvature += CURVATURE[k] * (f(t + reach) + f(t - reach));
    }
    (rate, curvature / (h * h))
}

#[test]
fn derivatives_of_every_function_agree_with_finite_differences() {
    // x moves as 0.3 + 0.5 t + 0.2 t², so that rate and curvature of the argument both count.
    let x = |t: f64| 0.3 + 0.5 * t + 0.2 * t * t;
    let t = 0.4;
    let moving = Jet::new(x(t), 0.5 + 0.4 * t, 0.4);
    for text in [
        "sin(x)",
        "cos(x)",
        "tan(x)",
        "asin(x)",
        "acos(x)",
        "atan(x)",
        "atan2(x, t + 1)",
        "sinh(x)",
        "cosh(x)",
        "tanh(x)",
        "exp(x)",
        "ln(x)",
        "log10(x)",
        "sqrt(x)",
        "cbrt(x)",
        "abs(-x)",
        "sign(x)*x",
        "min(x, 2*t)",
        "max(x, 2*t, -1)",
        "clamp(x, t, 1)",
        "clamp(3*x, t, 1 + t*t)",
        "floor(x + 0.1)*x",
        "ceil(x)*x",
        "round(x)*x",
        "mod(7*x, 1.1 + t)",
        "7*x % 1.1",
        "hypot(x, t)",
        "step(x)*x^2",
        "smoothstep(x, 0.2, 1 + t)",
        "step5(x, 0.1, t, 1.3 + t, 3 + x)",
        "pulse(x, 0, 1)*x^3",
        "deg(x)*rad(x)",
        "x^4",
        "x^-3",
        "x^2.5",
        "x^t",
        "2^x",
        "-x^2 + x/(1 + t)",
        "if(x > 0.2, sin(x), 0)",
        "x < 5 ? t*x : 1",
        "(x > 0 and not (t > 3)) * x^2",
        "spline(x)",
        "spline(x + 0.9)*line(x + 0.1)",
        "5*sin(2*3.14159*t)*exp(-0.3*t)+100*(x-0.1)+2.5*x*abs(x)",
    ] {
        let program = program(text);
        let (rate, curvature) = differences(|t| program.eval(t, &[x(t)]), t, 2e-3);
        let exact = program.eval(Jet::time(t), &[moving]);
        let scale = 1.0 + rate.abs() + curvature.abs();
        let plain = program.eval(t, &[x(t)]);
        assert!(
            (exact.value - plain).abs() <= 1e-15 * (1.0 + plain.abs()),
            "{text}"
        );
        assert!(
            (exact.rate - rate).abs() < 1e-10 * scale,
            "{text}: {} for {rate}",
            exact.rate
        );
        assert!(
            (exact.curvature - curvature).abs() < 1e-7 * scale,
            "{text}: {} for {curvature}",
            exact.curvature
        );
    }
}

#[test]
fn the_quintic_step_has_zero_derivatives_at_both_ends() {
    let step = program("step5(t, 1, 2, 3, 7)");
    for (t, value) in [(1.0 + 1e-9, 2.0), (3.0 - 1e-9, 7.0)] {
        let jet = step.eval(Jet::time(t), &[]);
        assert!(
            (jet.value - value).abs() < 1e-12
                && jet.rate.abs() < 1e-12
                && jet.curvature.abs() < 1e-7
        );
    }
    let middle = step.eval(Jet::time(2.0), &[]);
    assert_eq!(
        (middle.value, middle.rate, middle.curvature),
        (4.5, 15.0 / 8.0 * 5.0 / 2.0, 0.0)
    );
}

#[test]
fn a_table_passes_through_its_points() {
    for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
        let table = table(interpolation, Extrapolation::Hold);
        for (x, y) in X.into_iter().zip(Y) {
            assert!((table.eval(x) - y).abs() < 1e-14);
        }
    }
    let line = table(Interpolation::Linear, Extrapolation::Hold);
    assert!((line.eval(0.65) - 0.25).abs() < 1e-15);
}

#[test]
fn the_spline_is_continuous_up_to_its_curvature_and_natural_at_its_ends() {
    let spline = table(Interpolation::Cubic, Extrapolation::Linear);
    for knot in X {
        let before = spline.eval(Jet::time(knot.next_down()));
        let after = spline.eval(Jet::time(knot.next_up()));
        assert!((before.value - after.value).abs() < 1e-13, "{knot}");
        assert!(
            (before.rate - after.rate).abs() < 1e-12,
            "{knot}: {before:?} {after:?}"
        );
        assert!(
            (before.curvature - after.curvature).abs() < 1e-11,
            "{knot}: {before:?} {after:?}"
        );
    }
    for end in [X[0], X[5]] {
        assert!(spline.eval(Jet::time(end)).curvature.abs() < 1e-11);
    }
}

#[test]
fn spline_derivatives_agree_with_finite_differences() {
    let spline = table(Interpolation::Cubic, Extrapolation::Hold);
    for t in [0.2, 0.65, 1.3, 1.85, 2.5] {
        let (rate, curvature) = differences(|t| spline.eval(t), t, 1e-2);
        let jet = spline.eval(Jet::time(t));
        assert!((jet.rate - rate).abs() < 1e-11 && (jet.curvature - curvature).abs() < 1e-9);
    }
}

#[test]
fn the_spline_has_the_least_curvature_of_all_curves_through_the_points() {
    // Among smooth curves through the points the natural spline minimises ∫ y″²; adding a bump that vanishes at the
    // points, sin² between them, must increase it, and the cross term must vanish.
    let spline = table(Interpolation::Cubic, Extrapolation::Linear);
    let bump = |x: Jet| {
        let k = (0..5).find(|&k| x.value <= X[k + 1]).unwrap();
        let phase = (x - Jet::new(X[k], 0.0, 0.0))
            / Jet::new((X[k + 1] - X[k]) / std::f64::consts::PI, 0.0, 0.0);
        let sine = biela_core::math::Real::sin(phase);
        sine * sine
    };
    let cells = 40_000;
    let mut cross = 0.0;
    for k in 0..5 {
        let width = (X[k + 1] - X[k]) / f64::from(cells);
        for cell in 0..cells {
            let x = Jet::time(X[k] + (f64::from(cell) + 0.5) * width);
            cross += spline.eval(x).curvature * bump(x).curvature * width;
        }
    }
    assert!(cross.abs() < 1e-5, "{cross}");
}

#[test]
fn a_cubic_table_of_two_points_is_a_line() {
    let line = TabulatedFunction::new(
        &[1.0, 3.0],
        &[2.0, 8.0],
        Interpolation::Cubic,
        Extrapolation::Linear,
    )
    .unwrap();
    assert_eq!(line.eval(Jet::time(2.0)), Jet::new(5.0, 3.0, 0.0));
    assert_eq!(line.eval(0.0), -1.0);
    assert_eq!(line.eval(4.0), 11.0);
}

#[test]
fn beyond_its_ends_a_table_is_constant_or_linear() {
    for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
        let held = table(interpolation, Extrapolation::Hold);
        assert_eq!(held.eval(Jet::time(-5.0)), Jet::new(Y[0], 0.0, 0.0));
        assert_eq!(held.eval(Jet::time(9.0)), Jet::new(Y[5], 0.0, 0.0));
        assert_eq!(held.range(), (0.0, 3.1));
        let straight = table(interpolation, Extrapolation::Linear);
        for (end, beyond) in [(X[0], -2.0), (X[5], 7.0)] {
            let (at_end, out) = (
                straight.eval(Jet::time(end)),
                straight.eval(Jet::time(beyond)),
            );
            assert!((out.rate - at_end.rate).abs() < 1e-12);
            assert!((out.value - at_end.value - at_end.rate * (beyond - end)).abs() < 1e-12);
        }
    }
    assert!(
        table(Interpolation::Linear, Extrapolation::Hold)
            .eval(f64::NAN)
            .is_nan()
    );
}

#[test]
fn at_its_last_point_a_table_has_the_slope_from_the_left() {
    let line = table(Interpolation::Linear, Extrapolation::Hold);
    let jet = line.eval(Jet::time(3.1));
    assert!((jet.value - 2.4).abs() < 1e-15 && (jet.rate + 0.1 / 1.1).abs() < 1e-12);
}

#[test]
fn invalid_points_of_a_table_are_rejected() {
    let make = |x: &[f64], y: &[f64]| {
        TabulatedFunction::new(x, y, Interpolation::Cubic, Extrapolation::Hold).unwrap_err()
    };
    assert_eq!(make(&[0.0], &[1.0]), TableError::TooShort);
    assert_eq!(
        make(&[0.0, 1.0], &[1.0]),
        TableError::Lengths { x: 2, y: 1 }
    );
    assert_eq!(
        make(&[0.0, 1.0, 1.0], &[1.0; 3]),
        TableError::NotIncreasing { index: 2 }
    );
    assert_eq!(
        make(&[0.0, f64::NAN], &[1.0; 2]),
        TableError::NotFinite { index: 1 }
    );
    assert_eq!(make(&[0.0, 1e-300], &[0.0, 1e300]), TableError::TooSteep);
    assert_eq!(
        make(&[0.0, 1.0, 1.0], &[1.0; 3]).to_string(),
        "x must increase: that of point 3 is not greater than that of point 2"
    );
}
