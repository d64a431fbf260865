//! Derivatives by Richardson extrapolation of central differences at three step sizes: with `d(h) = (f(x+h) - f(x-h)) / 2h` and its error in even powers of h,
//!
//! ```text
//! (4 d(h/2) - d(h)) / 3
//! ```
//!
//! has an error of order h⁴. The disagreement of the extrapolations is the error estimate (C. J. F. Ridders, Adv. Eng. Software 4 (1982)).

/// A derivative with an error estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Derivative {
    /// The derivative.
    pub value: f64,
    /// The disagreement of extrapolations from different steps.
    pub error: f64,
}

/// The number of step sizes, each half of the previous one.
const LEVELS: usize = 3;

/// The points at which a function must be evaluated for its derivatives.
#[derive(Clone, Debug)]
pub struct DifferencePoints {
    steps: Vec<f64>,
    points: Vec<Vec<f64>>,
}

impl DifferencePoints {
    /// Prepares derivatives at `x`; `steps` are the largest steps, one per variable.
    pub fn new(x: &[f64], steps: &[f64]) -> Self {
        let mut points = vec![x.to_vec()];
        for (k, step) in steps.iter().enumerate() {
            for level in 0..LEVELS {
                let h = step / f64::from(1_u32 << level);
                for side in [1.0, -1.0] {
                    let mut point = x.to_vec();
                    point[k] += side * h;
                    points.push(point);
                }
            }
        }
        Self {
            steps: steps.to_vec(),
            points,
        }
    }

    /// The evaluation points; the first is `x` itself.
    pub fn points(&self) -> &[Vec<f64>] {
        &self.points
    }

    /// Returns the derivatives, one per variable, from the values of one output at all points; NaN if a value is missing.
    ///
    /// ```
    /// use biela_study::DifferencePoints;
    ///
    /// let differences = DifferencePoints::new(&[1.0], &[0.01]);
    /// let values: Vec<f64> = differences.points().iter().map(|x| x[0].exp()).collect();
    /// let slope = differences.derivatives(&values)[0];
    /// assert!((slope.value - 1.0_f64.exp()).abs() < 1e-12 && slope.error < 1e-9);
    /// ```
    pub fn derivatives(&self, values: &[f64]) -> Vec<Derivative> {
        let derivative = |k: usize| {
            let at = |level: usize, side: usize| {
                let index = 1 + 2 * (k * LEVELS + level) + side;
                values.get(index).copied().unwrap_or(f64::NAN)
            };
            // the step after rounding
            let width = |level: usize| {
                let index = 1 + 2 * (k * LEVELS + level);
                self.points[index][k] - self.points[index + 1][k]
            };
            let d: [f64; LEVELS] = std::array::from_fn(|l| (at(l, 0) - at(l, 1)) / width(l));
            let (first, second) = ((4.0 * d[1] - d[0]) / 3.0, (4.0 * d[2] - d[1]) / 3.0);
            let third = (16.0 * second - first) / 15.0;
            let candidates = [
                (d[2], (d[2] - d[1]).abs()),
                (
                    second,
                    (second - first).abs().max((second - d[2]).abs() / 4.0),
                ),
                (
                    third,
                    (third - second).abs().max((third - first).abs() / 16.0),
                ),
            ];
            let known = candidates.iter().filter(|(_, error)| error.is_finite());
            let best = known.min_by(|a, b| a.1.total_cmp(&b.1));
            best.map_or(
                Derivative {
                    value: f64::NAN,
                    error: f64::NAN,
                },
                |&(value, error)| Derivative { value, error },
            )
        };
        (0..self.steps.len()).map(derivative).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_estimate_bounds_the_true_error() {
        let f = |x: &[f64]| (3.0 * x[0]).sin() * x[1].powi(3);
        let x = [0.4, 1.5];
        let differences = DifferencePoints::new(&x, &[0.05, 0.05]);
        let values: Vec<f64> = differences.points().iter().map(|x| f(x)).collect();
        let found = differences.derivatives(&values);
        let exact = [
            3.0 * (1.2_f64).cos() * 1.5_f64.powi(3),
            (1.2_f64).sin() * 3.0 * 1.5_f64.powi(2),
        ];
        for (found, exact) in found.iter().zip(exact) {
            let off = (found.value - exact).abs();
            assert!(off <= found.error.max(1e-12) && off < 1e-8, "{found:?}");
        }
    }

    #[test]
    fn noise_increases_the_error_estimate() {
        let differences = DifferencePoints::new(&[1.0], &[1e-3]);
        let mut sign = 1.0;
        let values: Vec<f64> = differences
            .points()
            .iter()
            .map(|x| {
                sign = -sign;
                x[0] * x[0] + sign * 1e-6
            })
            .collect();
        let found = differences.derivatives(&values)[0];
        assert!(found.error > 1e-4, "{found:?}");
    }

    #[test]
    fn smaller_steps_replace_a_failed_largest_step_and_without_them_there_is_no_derivative() {
        let differences = DifferencePoints::new(&[1.0], &[0.1]);
        let mut values: Vec<f64> = differences.points().iter().map(|x| 2.0 * x[0]).collect();
        values[2] = f64::NAN;
        assert!((differences.derivatives(&values)[0].value - 2.0).abs() < 1e-12);
        values[4] = f64::NAN;
        assert!(differences.derivatives(&values)[0].value.is_nan());
    }
}
