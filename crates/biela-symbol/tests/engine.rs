//! Formulas against numbers: every operation on symbols agrees with the operation on floats.

use biela_core::math::{Jet, Random, Real};
use biela_symbol::{
    Expander, Number, Symbol, Tape, VariableKind, derivative, latex, latex_name, simplify,
    substitute,
};

const NAMES: [&str; 4] = ["a", "b", "c", "d"];
const SAMPLES: [f64; 4] = [0.731, 1.213, 0.457, 1.689];

fn symbols() -> [Symbol; 4] {
    [0, 1, 2, 3].map(|i| Symbol::variable(NAMES[i], VariableKind::Coordinate, SAMPLES[i]))
}

/// A formula that the seed decides, of any scalar.
fn formula<T: Real>(x: &[T; 4], random: &mut Random, depth: usize) -> T {
    let mut pick = |n: usize| ((random.between(0.0, 1.0) * n as f64) as usize).min(n - 1);
    if depth == 0 {
        return match pick(6) {
            k @ 0..=3 => x[k],
            4 => T::constant(2.0),
            _ => T::constant(-0.75),
        };
    }
    let choice = pick(14);
    let mut below = || formula(x, random, depth - 1);
    match choice {
        0..=2 => below() + below(),
        3 | 4 => below() - below(),
        5..=7 => below() * below(),
        8 => below() / (T::constant(3.0) + below().sin()),
        9 | 10 => below().sin(),
        11 => below().cos(),
        12 => (T::constant(1.5) + below().cos()).sqrt(),
        _ => below().powi(2),
    }
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs())) || (a.is_nan() && b.is_nan())
}

#[test]
fn any_formula_has_the_same_value_as_symbols_and_as_floats_in_every_form() {
    let all = symbols();
    for seed in 0..300 {
        let make = || Random::new(seed);
        let symbol = formula(&all, &mut make(), 5);
        let forms = [
            symbol,
            simplify(symbol),
            Expander::new().compact(symbol),
            Expander::with_whole_rates().simplify(symbol),
            substitute(substitute(symbol, [(all[0], all[1])]), []),
        ];
        for x in [SAMPLES, [0.2, -0.6, 1.9, 0.4], [-1.1, 0.3, 0.8, -2.2]] {
            for (k, form) in forms.iter().enumerate() {
                let x = if k == 4 { [x[1], x[1], x[2], x[3]] } else { x };
                let exact = formula(&x, &mut make(), 5);
                let found = Tape::new(&[*form], &all).unwrap().evaluate(&x)[0];
                assert!(
                    near(exact, found),
                    "seed {seed}, form {k}: {exact} {found}\n{symbol}\n{form}"
                );
            }
        }
        assert!(near(symbol.number(), formula(&SAMPLES, &mut make(), 5)));
    }
}

#[test]
fn symbolic_derivatives_agree_with_jets() {
    let all = symbols();
    for seed in 0..200 {
        let symbol = formula(&all, &mut Random::new(seed), 4);
        for k in 0..4 {
            let slope = derivative(symbol, all[k]);
            let mut x = SAMPLES.map(|s| Jet::new(s, 0.0, 0.0));
            x[k].rate = 1.0;
            let exact = formula(&x, &mut Random::new(seed), 4).rate;
            assert!(
                near(exact, slope.number()),
                "seed {seed}: {exact} {}\n{symbol}",
                slope.number()
            );
        }
    }
}

#[test]
fn functions_of_the_language_agree_with_floats_and_jets() {
    fn each<T: Real>(x: T, y: T) -> [T; 20] {
        [
            x.tan(),
            x.asin(),
            x.acos(),
            x.atan(),
            x.sinh(),
            x.cosh(),
            x.tanh(),
            x.exp(),
            x.ln(),
            x.log10(),
            x.cbrt(),
            x.abs(),
            (-x).abs(),
            x.atan2(y),
            x.powf(y),
            x.hypot(y),
            y.modulo(x),
            y.floor() + y.ceil(),
            y.round() + y.sign(),
            x.powf(T::constant(1.5)),
        ]
    }
    let x = Symbol::variable("x", VariableKind::Coordinate, 0.37);
    let y = Symbol::variable("y", VariableKind::Coordinate, 1.62);
    let floats = each(0.37, 1.62);
    let jets = each(Jet::new(0.37, 1.0, 0.0), Jet::new(1.62, 0.0, 0.0));
    for (k, symbol) in each(x, y).into_iter().enumerate() {
        assert!(near(symbol.number(), floats[k]), "{symbol}");
        assert!(near(simplify(symbol).number(), floats[k]), "{symbol}");
        assert!(
            near(derivative(symbol, x).number(), jets[k].rate),
            "{symbol}"
        );
    }
}

#[test]
fn equal_expressions_are_found_equal() {
    let [a, b, c, _] = symbols();
    let two = Symbol::constant(2.0);
    let mut expander = Expander::new();
    let pairs = [
        ((a + b) * (a - b), a * a - b * b),
        (a.sin() * b.cos() + a.cos() * b.sin(), (a + b).sin()),
        (a.cos() * b.cos() + a.sin() * b.sin(), (b - a).cos()),
        (two * a.sin() * a.cos(), (two * a).sin()),
        (c * c * a.sin() * a.sin() + c * c * a.cos() * a.cos(), c * c),
        (Symbol::one() / (a * b), (a * b).powi(-1)),
        ((a * a * b).sqrt(), a * b.sqrt()),
    ];
    for (left, right) in pairs {
        assert!(expander.are_equal(left, right), "{left} = {right}");
        assert!(!expander.are_equal(left, right + a * Symbol::constant(1e-3)));
    }
}

#[test]
fn identities_give_the_customary_forms() {
    let [a, b, c, d] = symbols();
    let one = Symbol::one();
    for (formula, text) in [
        (a.sin() * a.sin() + a.cos() * a.cos(), "1"),
        (c * (one - a.cos() * a.cos()), "c*sin(a)^2"),
        (a.cos() * b.cos() - a.sin() * b.sin(), "cos(a + b)"),
        (a.sin() * b.cos() - a.cos() * b.sin(), "sin(a - b)"),
        (c + c - d * d + d * d, "2*c"),
        (a.cos() * (a + b).cos() * c, "c*cos(a)*cos(a + b)"),
        (c / (c * d), "1/d"),
        (c * a.cos() / a.cos(), "c"),
        (c * a.sin() / a.cos(), "c*tan(a)"),
        ((Symbol::constant(2.0) * a).sin() / a.cos(), "2*sin(a)"),
        ((Symbol::constant(2.0) * a).sin() / a.sin(), "2*cos(a)"),
        (((a + b).cos() + (a - b).cos()) / a.cos(), "2*cos(b)"),
        ((one - a.cos() * a.cos()).sqrt(), "sin(a)"),
        (
            Symbol::constant(0.1) * c + Symbol::constant(0.2) * c,
            "0.3*c",
        ),
        (
            c * c / Symbol::constant(3.0) + c * c / Symbol::constant(6.0),
            "c^2/2",
        ),
        (-(c - d) * a, "a*(d - c)"),
        (
            (one - a.cos() * a.cos() * b.cos() * b.cos()).sqrt(),
            "sqrt(1 - cos(a)^2*cos(b)^2)",
        ),
        (
            c * a.cos() * a.cos() * b.sin() * d.cos(),
            "c*cos(a)^2*sin(b)*cos(d)",
        ),
    ] {
        assert_eq!(simplify(formula).to_string(), text);
    }
}

#[test]
fn a_square_root_takes_the_sign_at_the_sample() {
    let up = Symbol::variable("up", VariableKind::Coordinate, 0.5);
    let down = Symbol::variable("down", VariableKind::Coordinate, -0.5);
    assert_eq!((up * up).sqrt(), up);
    assert_eq!((down * down).sqrt(), -down);
}

#[test]
fn a_symbol_that_stands_for_a_formula_is_written_by_name() {
    let l = Symbol::variable("l", VariableKind::Parameter, 0.250_000_000_317);
    l.stands_for(0.250_000_000_317);
    assert_eq!(Symbol::constant(0.250_000_000_317), l);
    assert_eq!(Symbol::constant(-0.250_000_000_317), -l);
    assert_eq!(
        Symbol::constant(0.25).as_number(),
        Some(Number::ratio(1, 4))
    );
}

#[test]
fn euler_parameters_have_unit_length_everywhere() {
    let e =
        ["e0", "e1", "e2", "e3"].map(|name| Symbol::variable(name, VariableKind::Coordinate, 0.5));
    Symbol::have_unit_length(&e);
    assert_eq!(
        e.iter().fold(Symbol::zero(), |sum, x| sum + *x * *x),
        Symbol::one()
    );
    let turn = biela_core::math::rotation::matrix(&e);
    let identity = biela_core::math::rotation::transposed_product(&turn, &turn);
    for i in 0..9 {
        let expected = if i % 4 == 0 {
            Symbol::one()
        } else {
            Symbol::zero()
        };
        assert_eq!(simplify(identity[i]), expected);
    }
}

#[test]
fn latex_has_fractions_indices_and_functions() {
    let q = Symbol::variable("q_pin", VariableKind::Coordinate, 0.3);
    let rate =
        Symbol::variable("q_pin'", VariableKind::Rate, 0.2).written(r"\dot{q}_{\mathrm{pin}}");
    let (m, l) = (
        Symbol::variable("m2", VariableKind::Parameter, 1.7),
        Symbol::variable("l1", VariableKind::Parameter, 0.9),
    );
    let half = Symbol::constant(0.5);
    assert_eq!(
        latex(half * m * l * l * q.cos() * rate * rate),
        r"\frac{1}{2} m_{2} \, l_{1}^{2} \, \cos(q_{\mathrm{pin}}) \, \dot{q}_{\mathrm{pin}}^{2}"
    );
    assert_eq!(
        latex((q + l).sin() / m),
        r"\frac{\sin\left(l_{1} + q_{\mathrm{pin}}\right)}{m_{2}}"
    );
    assert_eq!(latex_name("theta_2"), r"\theta_{2}");
    assert_eq!(latex_name("omega"), r"\omega");
    assert_eq!(latex_name("I_rod_zz"), r"I_{\mathrm{rod,zz}}");
}

#[test]
fn a_deeply_nested_formula_does_not_overflow_the_stack() {
    let [a, b, ..] = symbols();
    let mut deep = a;
    for _ in 0..20_000 {
        deep = (deep * b).sin();
    }
    assert!(derivative(deep, b).number().is_finite());
    assert!(deep.to_string().contains('…'));
    assert!(simplify(deep).number().is_finite());
}
