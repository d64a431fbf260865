//! Minimization of functions with bounded variables.
//!
//! Functions receive several points together, so that the caller can evaluate them in parallel; the result does not depend on their number. A value that is not
//! finite counts as worse than any other.

mod evolution;
mod nelder_mead;

pub use evolution::evolution;
pub use nelder_mead::nelder_mead;

/// Evaluates several points; `None` stops the search.
pub type Evaluate<'f> = dyn FnMut(&[Vec<f64>]) -> Option<Vec<f64>> + 'f;

/// The bounds of the variables.
#[derive(Clone, Debug, PartialEq)]
pub struct VariableBounds {
    /// The lower bounds.
    pub low: Vec<f64>,
    /// The upper bounds, each greater than the lower one.
    pub high: Vec<f64>,
}

impl VariableBounds {
    /// The number of variables.
    pub fn len(&self) -> usize {
        self.low.len()
    }

    /// Returns `true` if there are no variables.
    pub fn is_empty(&self) -> bool {
        self.low.is_empty()
    }

    /// Maps a point of the unit cube to the bounds.
    pub fn from_unit(&self, u: &[f64]) -> Vec<f64> {
        let ends = self.low.iter().zip(&self.high);
        ends.zip(u)
            .map(|((low, high), u)| (low + u * (high - low)).clamp(*low, *high))
            .collect()
    }

    /// Maps a point within the bounds to the unit cube.
    pub fn to_unit(&self, x: &[f64]) -> Vec<f64> {
        let ends = self.low.iter().zip(&self.high);
        ends.zip(x)
            .map(|((low, high), x)| ((x - low) / (high - low)).clamp(0.0, 1.0))
            .collect()
    }

    /// The active bounds, to a millionth of the width: -1 at the lower one, 1 at the upper one, otherwise 0.
    pub fn active(&self, x: &[f64]) -> Vec<i8> {
        let near = 1e-6;
        let side = |u: &f64| match *u {
            u if u <= near => -1,
            u if u >= 1.0 - near => 1,
            _ => 0,
        };
        self.to_unit(x).iter().map(side).collect()
    }
}

/// The reason why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchEnded {
    /// Values and points agree to the tolerance.
    Converged,
    /// The maximum number of iterations was reached.
    Exhausted,
    /// The caller stopped the search.
    Stopped,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Minimum {
    /// The best point.
    pub x: Vec<f64>,
    /// Its value; infinite if no value was finite.
    pub value: f64,
    /// The number of generations or steps.
    pub iterations: usize,
    /// The number of evaluations.
    pub evaluations: usize,
    /// The reason why the search ended.
    pub ended: SearchEnded,
    /// The least value after each iteration.
    pub history: Vec<f64>,
}

/// A function on the unit cube that counts its evaluations.
struct CountedFunction<'b, 'f> {
    bounds: &'b VariableBounds,
    evaluate: &'b mut Evaluate<'f>,
    evaluations: usize,
}

impl CountedFunction<'_, '_> {
    fn values(&mut self, points: &[Vec<f64>]) -> Option<Vec<f64>> {
        let points: Vec<Vec<f64>> = points.iter().map(|u| self.bounds.from_unit(u)).collect();
        let values = (self.evaluate)(&points)?;
        self.evaluations += points.len();
        let finite = |value: f64| if value.is_nan() { f64::INFINITY } else { value };
        Some(values.into_iter().map(finite).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rosenbrock(x: &[f64]) -> f64 {
        100.0 * (x[1] - x[0] * x[0]).powi(2) + (1.0 - x[0]).powi(2)
    }

    fn rastrigin(x: &[f64]) -> f64 {
        let wave = |x: &f64| x * x - 10.0 * (std::f64::consts::TAU * x).cos() + 10.0;
        x.iter().map(wave).sum()
    }

    fn all(f: impl Fn(&[f64]) -> f64) -> impl FnMut(&[Vec<f64>]) -> Option<Vec<f64>> {
        move |points: &[Vec<f64>]| Some(points.iter().map(|x| f(x)).collect())
    }

    fn cube(n: usize, low: f64, high: f64) -> VariableBounds {
        VariableBounds {
            low: vec![low; n],
            high: vec![high; n],
        }
    }

    #[test]
    fn a_simplex_follows_a_curved_valley() {
        let found = nelder_mead(
            &cube(2, -2.0, 2.0),
            &[-1.2, 1.0],
            1e-10,
            2000,
            &mut all(rosenbrock),
        );
        assert_eq!(found.ended, SearchEnded::Converged);
        assert!((found.x[0] - 1.0).abs() < 1e-5 && (found.x[1] - 1.0).abs() < 1e-5);
        assert!(found.history.is_sorted_by(|a, b| a >= b));
    }

    #[test]
    fn evolution_finds_the_deepest_of_many_minima() {
        let bounds = cube(3, -5.12, 4.0);
        let found = evolution(&bounds, None, 3, 1e-8, 400, &mut all(rastrigin));
        assert!(found.value < 1e-5, "{found:?}");
        let again = evolution(&bounds, None, 3, 1e-8, 400, &mut all(rastrigin));
        assert_eq!(found, again, "a seed gives one search");
    }

    #[test]
    fn a_minimum_outside_the_bounds_is_found_at_the_bound() {
        let bounds = cube(2, 0.5, 2.0);
        let bowl = |x: &[f64]| x[0] * x[0] + (x[1] - 1.0).powi(2);
        for found in [
            nelder_mead(&bounds, &[1.9, 1.9], 1e-10, 1000, &mut all(bowl)),
            evolution(&bounds, None, 1, 1e-9, 300, &mut all(bowl)),
        ] {
            assert!((found.x[0] - 0.5).abs() < 1e-6, "{found:?}");
            assert_eq!(bounds.active(&found.x), [-1, 0]);
        }
    }

    #[test]
    fn points_without_a_value_are_avoided() {
        let half = |x: &[f64]| {
            if x[0] < 0.3 {
                f64::NAN
            } else {
                (x[0] - 0.2).powi(2)
            }
        };
        let bounds = cube(1, 0.0, 1.0);
        let found = evolution(&bounds, None, 1, 1e-9, 300, &mut all(half));
        assert!((found.x[0] - 0.3).abs() < 1e-4, "{found:?}");
        let nowhere = evolution(&bounds, None, 1, 1e-9, 5, &mut all(|_| f64::NAN));
        assert_eq!(nowhere.value, f64::INFINITY);
    }

    #[test]
    fn the_caller_can_stop_and_keeps_the_best_so_far() {
        let mut left = 3;
        let mut some = |points: &[Vec<f64>]| {
            left -= 1;
            (left > 0).then(|| points.iter().map(|x| rosenbrock(x)).collect())
        };
        let found = nelder_mead(&cube(2, -2.0, 2.0), &[0.0, 0.0], 1e-10, 100, &mut some);
        assert_eq!(found.ended, SearchEnded::Stopped);
        assert!(found.value.is_finite());
    }
}
