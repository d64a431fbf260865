//! Derivatives by central differences, extrapolated to zero step size.
//!
//! ```text
//! D(h) = (g(h) − g(−h)) / 2h = g′ + c₂ h² + c₄ h⁴ + …
//! ```
//!
//! The step is halved repeatedly, and the powers of h are eliminated one after another (Richardson extrapolation). For every
//! component the estimate with the smallest difference from its neighbours is selected, including rounding error (C. J. F. Ridders, *Advances in
//! Engineering Software* 4 (1982) 75–76). Smooth functions are differentiated with steps so large that rounding error is insignificant, and functions with
//! a small length scale with the small steps they require.

/// Largest number of halvings of the first step.
const LEVELS: usize = 20;
/// Number of halvings without a better estimate after which the estimate is accepted.
const PATIENCE: usize = 3;
/// Uncertainty, relative to the largest component, above which all smaller steps are tried.
const SETTLED: f64 = 1e-12;

/// A derivative and its uncertainty.
#[derive(Clone, Debug)]
pub(super) struct UncertainDerivative {
    pub(super) value: Vec<f64>,
    pub(super) error: Vec<f64>,
}

/// Returns the derivative of g at 0; `grain` is the rounding error of each component. Steps at which g fails are skipped, unless it fails at all of them.
pub(super) fn derivative<E>(
    grain: &[f64],
    first_step: f64,
    mut g: impl FnMut(f64, &mut [f64]) -> Result<(), E>,
) -> Result<UncertainDerivative, E> {
    let size = grain.len();
    let mut best = UncertainDerivative {
        value: vec![0.0; size],
        error: vec![f64::INFINITY; size],
    };
    let (mut plus, mut minus) = (vec![0.0; size], vec![0.0; size]);
    // the last row of the extrapolation table
    let mut row: Vec<Vec<f64>> = Vec::new();
    let mut failure = None;
    let mut step = first_step;
    let mut idle = 0;
    for _ in 0..LEVELS {
        if let Err(error) = g(step, &mut plus).and_then(|()| g(-step, &mut minus)) {
            failure = Some(error);
            row.clear();
            step *= 0.5;
            continue;
        }
        let difference = |i: usize| (plus[i] - minus[i]) / (2.0 * step);
        let mut next = vec![(0..size).map(difference).collect::<Vec<f64>>()];
        let mut better = false;
        let mut power = 1.0;
        for m in 0..row.len() {
            power *= 4.0;
            let mut column = vec![0.0; size];
            for i in 0..size {
                let (near, far) = (next[m][i], row[m][i]);
                column[i] = near + (near - far) / (power - 1.0);
                let spread = (column[i] - near).abs().max((column[i] - far).abs());
                let rounding = f64::EPSILON * plus[i].abs().max(minus[i].abs());
                let error = spread + (grain[i] + rounding) / step;
                if error < best.error[i] {
                    better |= error < 0.5 * best.error[i];
                    (best.value[i], best.error[i]) = (column[i], error);
                }
            }
            next.push(column);
        }
        row = next;
        step *= 0.5;
        idle = if better { 0 } else { idle + 1 };
        let largest = best.value.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let settled = |i: usize| best.error[i] <= SETTLED * largest + 4.0 * grain[i] / first_step;
        if idle > PATIENCE && (0..size).all(settled) {
            break;
        }
    }
    match failure {
        Some(error) if best.error.iter().any(|e| e.is_infinite()) => Err(error),
        _ => Ok(best),
    }
}

/// Distance between the points at which noise is measured, relative to the scale on which g changes.
const NOISE_STEP: f64 = 1e-6;
/// Number of points at which it is measured.
const NOISE_POINTS: usize = 9;
/// Rounding error reported for noise of unit standard deviation.
const NOISE_BOUND: f64 = 4.0;

/// Returns the rounding error of each component of g near 0, from its higher differences, to which a smooth function does not contribute: differences of
/// order k of values with independent errors of variance s² have the variance (2k)!/k!² s² (J. J. Moré and S. M. Wild, *SIAM Journal on
/// Scientific Computing* 33 (2011) 1292–1314). `scale` is the length on which g changes.
pub(super) fn noise<E>(
    size: usize,
    scale: f64,
    mut g: impl FnMut(f64, &mut [f64]) -> Result<(), E>,
) -> Result<Vec<f64>, E> {
    let mut values = vec![vec![0.0; size]; NOISE_POINTS];
    for (k, out) in values.iter_mut().enumerate() {
        g((k as f64 - 4.0) * NOISE_STEP * scale, out)?;
    }
    let mut bound: Vec<f64> = (0..size)
        .map(|i| values.iter().map(|v| v[i].abs()).fold(0.0, f64::max) * f64::EPSILON)
        .collect();
    let mut spread = 1.0;
    for order in 1..NOISE_POINTS - 2 {
        for k in 0..NOISE_POINTS - order {
            for i in 0..size {
                values[k][i] = values[k + 1][i] - values[k][i];
            }
        }
        let k = order as f64;
        spread *= (2.0 * k) * (2.0 * k - 1.0) / (k * k);
        if order < 4 {
            continue;
        }
        let count = NOISE_POINTS - order;
        for (i, bound) in bound.iter_mut().enumerate() {
            let square: f64 = values[..count].iter().map(|v| v[i] * v[i]).sum();
            let deviation = (square / (count as f64 * spread)).sqrt();
            *bound = bound.max(NOISE_BOUND * deviation);
        }
    }
    Ok(bound)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn slope(first: f64, g: impl Fn(f64) -> f64) -> (f64, f64) {
        let Ok(d) = derivative::<Infallible>(&[1e-15], first, |x, out| {
            out[0] = g(x);
            Ok(())
        });
        (d.value[0], d.error[0])
    }

    #[test]
    fn smooth_functions_are_differenced_to_rounding() {
        for (found, exact) in [
            (slope(0.1, |x| (1.0 + x).ln()), 1.0),
            (slope(0.1, |x| (0.3 + x).tan()), 1.0 / 0.3_f64.cos().powi(2)),
            (slope(0.1, |x| 1.0 / (1.2 - x)), 1.0 / 1.44),
        ] {
            assert!((found.0 - exact).abs() < 2e-13, "{found:?} {exact}");
            assert!((found.0 - exact).abs() <= found.1);
        }
    }

    #[test]
    fn a_narrow_scale_is_found() {
        let (value, error) = slope(0.1, |x| (x / 1e-3).tanh());
        assert!((value - 1e3).abs() < 1e-7, "{value} ± {error}");
        // a stop with its contact at 0.03
        assert_eq!(
            slope(0.1, |x| (x - 0.03).max(0.0)),
            (0.0, 1e-15 / 0.025 * 2.0)
        );
    }

    #[test]
    fn a_kink_increases_the_uncertainty() {
        let (_, error) = slope(0.1, |x| if x > 1e-9 { x.sqrt() } else { 0.0 });
        assert!(error > 0.1, "{error}");
    }

    #[test]
    fn noise_is_measured_and_smooth_functions_have_none() {
        let measure = |g: &dyn Fn(f64) -> f64| {
            let Ok(found) = noise::<Infallible>(1, 1.0, |x, out| {
                out[0] = g(x);
                Ok(())
            });
            found[0]
        };
        let mut random = crate::math::Random::new(4);
        let errors: Vec<f64> = (0..9).map(|_| random.symmetric(1e-9)).collect();
        let rough = measure(&|x| x.exp() + errors[(x / NOISE_STEP + 4.5) as usize]);
        assert!(rough > 0.5e-9 && rough < 6e-9, "{rough:e}");
        let smooth = measure(&|x| (0.3 + 5.0 * x).exp());
        assert!(smooth < 2e-15, "{smooth:e}");
    }

    #[test]
    fn steps_that_fail_are_skipped() {
        let found = derivative(&[1e-15], 1.0, |x, out| {
            if x.abs() > 0.3 {
                return Err("out of range");
            }
            out[0] = x.sin();
            Ok(())
        });
        assert!((found.unwrap().value[0] - 1.0).abs() < 1e-13);
        let none = derivative(&[1e-15], 1.0, |_, _| Err::<(), _>("no"));
        assert_eq!(none.unwrap_err(), "no");
    }
}
