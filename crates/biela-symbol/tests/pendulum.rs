//! Pendulums of many links from their energies, written for any scalar.

use biela_core::math::Real;
use biela_symbol::{Derivatives, Expander, Symbol, Tape, VariableKind, cost, derivative, simplify};

struct Pendulum {
    q: Vec<Symbol>,
    v: Vec<Symbol>,
    a: Vec<Symbol>,
}

/// Variables whose samples nothing else happens to have.
fn variable(name: &str, kind: VariableKind) -> Symbol {
    let hash = name
        .bytes()
        .fold(17_u32, |h, b| h.wrapping_mul(31).wrapping_add(u32::from(b)));
    Symbol::variable(name, kind, 0.3 + f64::from(hash % 1000) / 1234.5)
}

impl Pendulum {
    fn new(n: usize) -> Self {
        let list = |prefix: &str, suffix: &str, kind| {
            (1..=n)
                .map(|i| variable(&format!("{prefix}{i}{suffix}"), kind))
                .collect()
        };
        Pendulum {
            q: list("q", "", VariableKind::Coordinate),
            v: list("q", "'", VariableKind::Rate),
            a: list("q", "''", VariableKind::Acceleration),
        }
    }

    /// Kinetic less potential energy; angles are relative to the link before, from the horizontal.
    fn lagrangian(&self) -> Symbol {
        let half = Symbol::constant(0.5);
        for i in 1..=self.q.len() {
            let _ = variable(&format!("m{i}"), VariableKind::Parameter);
        }
        for i in 1..=self.q.len() {
            let _ = variable(&format!("l{i}"), VariableKind::Parameter);
        }
        let g = variable("g", VariableKind::Parameter);
        let (mut angle, mut omega) = (Symbol::zero(), Symbol::zero());
        let (mut x_rate, mut y_rate, mut y) = (Symbol::zero(), Symbol::zero(), Symbol::zero());
        let mut energy = Symbol::zero();
        for i in 0..self.q.len() {
            let l = variable(&format!("l{}", i + 1), VariableKind::Parameter);
            let m = variable(&format!("m{}", i + 1), VariableKind::Parameter);
            angle += self.q[i];
            omega += self.v[i];
            x_rate -= l * angle.sin() * omega;
            y_rate += l * angle.cos() * omega;
            y += l * angle.sin();
            energy += half * m * (x_rate * x_rate + y_rate * y_rate) - m * g * y;
        }
        energy
    }

    fn equations(&self) -> Vec<Symbol> {
        let lagrangian = self.lagrangian();
        let rates =
            || (0..self.q.len()).flat_map(|i| [(self.q[i], self.v[i]), (self.v[i], self.a[i])]);
        let mut time = Derivatives::along(rates());
        (0..self.q.len())
            .map(|i| time.of(derivative(lagrangian, self.v[i])) - derivative(lagrangian, self.q[i]))
            .collect()
    }
}

fn simplified(symbols: &[Symbol]) -> Vec<Symbol> {
    let mut expander = Expander::new();
    symbols.iter().map(|s| expander.simplify(*s)).collect()
}

/// M(q) from the equations.
fn mass(pendulum: &Pendulum, equations: &[Symbol]) -> Vec<Symbol> {
    let entries = equations
        .iter()
        .flat_map(|e| pendulum.a.iter().map(|a| derivative(*e, *a)));
    simplified(&entries.collect::<Vec<_>>())
}

#[test]
fn the_equations_of_the_double_pendulum_are_those_of_textbooks() {
    let pendulum = Pendulum::new(2);
    let equations = simplified(&pendulum.equations());
    let text: Vec<String> = mass(&pendulum, &equations)
        .iter()
        .map(Symbol::to_string)
        .collect();
    assert_eq!(text[0], "(m1 + m2)*l1^2 + m2*l2^2 + 2*m2*l1*l2*cos(q2)");
    assert_eq!(text[1], "m2*l2*(l2 + l1*cos(q2))");
    assert_eq!(text[2], text[1]);
    assert_eq!(text[3], "m2*l2^2");
    let zero = |list: &[Symbol], e: Symbol| {
        let still = list.iter().map(|a| (*a, Symbol::zero()));
        simplify(biela_symbol::substitute(e, still))
    };
    let bias = |i: usize| zero(&pendulum.a, equations[i]);
    let gravity = |i: usize| zero(&pendulum.v, bias(i));
    assert_eq!(
        gravity(0).to_string(),
        "g*((m1 + m2)*l1*cos(q1) + m2*l2*cos(q1 + q2))"
    );
    assert_eq!(gravity(1).to_string(), "m2*l2*g*cos(q1 + q2)");
    assert_eq!(
        simplify(bias(0) - gravity(0)).to_string(),
        "-m2*l1*l2*sin(q2)*(2*q1' + q2')*q2'"
    );
    assert_eq!(
        simplify(bias(1) - gravity(1)).to_string(),
        "m2*l1*l2*sin(q2)*q1'^2"
    );
}

#[test]
fn equations_of_eight_links_stay_small_and_keep_their_values() {
    let pendulum = Pendulum::new(8);
    let raw = pendulum.equations();
    let mut expander = Expander::with_whole_rates();
    let inputs = biela_symbol::variables(&raw);
    let values: Vec<f64> = (0..inputs.len()).map(|i| 0.3 + 0.17 * i as f64).collect();
    let exact = Tape::new(&raw, &inputs).unwrap().evaluate(&values);
    let readable: Vec<Symbol> = raw.iter().map(|e| expander.simplify(*e)).collect();
    let compact: Vec<Symbol> = raw.iter().map(|e| expander.compact(*e)).collect();
    for (form, most) in [(readable, 2200), (compact, 2000)] {
        let found = Tape::new(&form, &inputs).unwrap().evaluate(&values);
        for (a, b) in exact.iter().zip(found) {
            assert!((a - b).abs() < 1e-12 * a.abs(), "{a} {b}");
        }
        assert!(cost(&form) < most, "{}", cost(&form));
    }
}
