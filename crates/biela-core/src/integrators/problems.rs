//! Harder problems with known solutions: error relative to the tolerance, and work, for every integrator with error control.

use super::{IntegratorWork, Ode, build, general};
use crate::element::{Arguments, FieldValue};
use crate::methods::MethodError;
use crate::model::Space;

/// A problem whose solution at `end` is known.
struct Problem {
    name: &'static str,
    rates: fn(f64, &[f64], &mut [f64]),
    start: [f64; 4],
    end: f64,
    exact: [f64; 4],
}

impl Ode for Problem {
    fn len(&self) -> usize {
        4
    }
    fn derivative(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), MethodError> {
        (self.rates)(t, y, dy);
        Ok(())
    }
}

/// A planet on an ellipse of eccentricity 0.6: position by Kepler's equation `E − e sin E = t`.
fn kepler() -> Problem {
    let at = |t: f64| {
        let e = 0.6_f64;
        let mut anomaly = t;
        for _ in 0..50 {
            anomaly -= (anomaly - e * anomaly.sin() - t) / (1.0 - e * anomaly.cos());
        }
        let (s, c) = anomaly.sin_cos();
        let (b, rate) = ((1.0 - e * e).sqrt(), 1.0 / (1.0 - e * c));
        [c - e, b * s, -s * rate, b * c * rate]
    };
    Problem {
        name: "kepler",
        rates: |_, y, dy| {
            let r3 = (y[0] * y[0] + y[1] * y[1]).powi(3).sqrt();
            dy.copy_from_slice(&[y[2], y[3], -y[0] / r3, -y[1] / r3]);
        },
        start: at(0.0),
        end: 20.0,
        exact: at(20.0),
    }
}

/// A satellite of earth and moon on a closed orbit (R. F. Arenstorf; Hairer, Nørsett, Wanner, II.0), which returns after one period.
fn arenstorf() -> Problem {
    let start = [0.994, 0.0, 0.0, -2.001_585_106_379_082_5];
    Problem {
        name: "arenstorf",
        rates: |_, y, dy| {
            let mu = 0.012_277_471;
            let other = 1.0 - mu;
            let cubed = |x: f64| (x * x + y[1] * y[1]).powi(3).sqrt();
            let (d1, d2) = (cubed(y[0] + mu), cubed(y[0] - other));
            dy[0] = y[2];
            dy[1] = y[3];
            dy[2] = y[0] + 2.0 * y[3] - other * (y[0] + mu) / d1 - mu * (y[0] - other) / d2;
            dy[3] = y[1] - 2.0 * y[2] - other * y[1] / d1 - mu * y[1] / d2;
        },
        start,
        end: 17.065_216_560_157_963,
        exact: start,
    }
}

const OMEGA: f64 = 50.0;
const ZETA: f64 = 0.2;

/// A stiff damped spring whose end moves slowly, and a slow free oscillator. The fast motion decays, but its stability limits the
/// step.
fn driven() -> Problem {
    // particular solution a cos t + b sin t, and homogeneous solution for the difference from it
    let (p, q) = (OMEGA * OMEGA - 1.0, 2.0 * ZETA * OMEGA);
    let scale = OMEGA * OMEGA / (p * p + q * q);
    let (a, b) = (scale * p, scale * q);
    let at = |t: f64| {
        let (s, c) = t.sin_cos();
        let (decay, fast) = (ZETA * OMEGA, OMEGA * (1.0 - ZETA * ZETA).sqrt());
        let (fs, fc) = (fast * t).sin_cos();
        let size = 0.1 * (-decay * t).exp();
        let x = a * c + b * s + size * fc;
        let v = -a * s + b * c - size * (decay * fc + fast * fs);
        [x, v, c, -s]
    };
    Problem {
        name: "driven",
        rates: |t, y, dy| {
            dy[0] = y[1];
            dy[1] = OMEGA * OMEGA * (t.cos() - y[0]) - 2.0 * ZETA * OMEGA * y[1];
            dy[2] = y[3];
            dy[3] = -y[2];
        },
        start: at(0.0),
        end: 10.0,
        exact: at(10.0),
    }
}

/// Returns the error at the end of a run, and its work.
fn run(kind: &str, problem: &mut Problem, tolerance: f64) -> (f64, IntegratorWork) {
    let arguments = Arguments::new(Space::Planar).with("tolerance", FieldValue::Number(tolerance));
    run_with(kind, &arguments, problem)
}

fn run_with(kind: &str, arguments: &Arguments, problem: &mut Problem) -> (f64, IntegratorWork) {
    let mut integrator = build(kind, arguments, 4).unwrap().unwrap();
    let (start, end) = (problem.start, problem.end);
    integrator.start(problem, 0.0, &start).unwrap();
    let mut time = 0.0;
    while time < end {
        time = integrator.step(problem, end).unwrap();
    }
    let off = integrator.y().iter().zip(problem.exact);
    let error = off.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    (error, integrator.work())
}

/// Factor by which each problem amplifies local errors.
const MAGNIFY: [(&str, f64); 3] = [("kepler", 3e3), ("arenstorf", 3e5), ("driven", 1e2)];

#[test]
fn errors_follow_the_tolerance_on_hard_problems() {
    for (mut problem, (name, magnify)) in [kepler(), arenstorf(), driven()].into_iter().zip(MAGNIFY)
    {
        assert_eq!(problem.name, name);
        for info in general().filter(|i| i.fields[0].name == "tolerance") {
            let mut coarse = 0.0;
            for tolerance in [1e-6, 1e-8, 1e-10, 1e-12] {
                let (error, work) = run(info.name, &mut problem, tolerance);
                let what = format!("{name} {} {tolerance:.0e}: {error:.1e} {work:?}", info.name);
                assert!(error < magnify * tolerance, "{what}");
                if tolerance == 1e-6 {
                    coarse = error;
                } else if tolerance == 1e-12 {
                    assert!(error < 1e-4 * coarse, "{what}");
                }
            }
        }
    }
}

#[test]
fn high_orders_win_at_tight_tolerances() {
    let evaluations = |problem: fn() -> Problem, tolerance: f64| {
        let kinds = ["abm", "dop853", "dopri5", "rk4-doubling", "merson"];
        kinds.map(|kind| run(kind, &mut problem(), tolerance).1.evaluations)
    };
    for problem in [kepler, arenstorf, driven] {
        let found = evaluations(problem, 1e-12);
        assert!(found.is_sorted(), "{}: {found:?}", problem().name);
    }
    assert_eq!(evaluations(kepler, 1e-10), [1295, 2066, 3950, 6766, 11751]);
    assert_eq!(
        evaluations(arenstorf, 1e-10),
        [1607, 2727, 5054, 8932, 13750]
    );
}

#[test]
fn a_fixed_pair_of_adams_formulas_follows_the_tolerance_as_well() {
    for order in [4, 10] {
        for tolerance in [1e-6, 1e-8, 1e-10] {
            let arguments = Arguments::new(Space::Planar)
                .with("tolerance", FieldValue::Number(tolerance))
                .with("order", FieldValue::Number(f64::from(order)))
                .with("fixed_order", FieldValue::Flag(true));
            let (error, work) = run_with("abm", &arguments, &mut kepler());
            let what = format!("order {order} at {tolerance:.0e}: {error:.1e} {work:?}");
            assert!(error < 3e3 * tolerance, "{what}");
        }
    }
}
