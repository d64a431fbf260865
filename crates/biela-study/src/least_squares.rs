//! Nonlinear least squares: minimizes the sum of squares of residuals r(x) within bounds.
//!
//! The method of K. Levenberg (1944) and D. Marquardt (1963) solves `(JᵀJ + μ D) δ = -Jᵀr` with D the diagonal of JᵀJ. Variables at an active bound stay there.
//! With s² = |r|²/(m-n) and independent normal errors of equal variance, the covariance of the estimates is s²(JᵀJ)⁻¹ (G. A. F. Seber and C. J. Wild,
//! *Nonlinear regression*, 1989, ch. 5). Half a confidence interval is the quantile of Student's t distribution times the standard error.

use nalgebra::{DMatrix, DVector};

use crate::distribution::student_quantile;
use crate::minimize::VariableBounds;

/// Computes residuals at several points, one list each. An inner `None` means that they cannot be computed, an outer `None` stops the fit.
pub type Residuals<'f> = dyn FnMut(&[Vec<f64>]) -> Option<Vec<Option<Vec<f64>>>> + 'f;

/// A least-squares problem.
#[derive(Clone, Debug)]
pub struct LeastSquares {
    /// The bounds of the variables.
    pub bounds: VariableBounds,
    /// The initial guess.
    pub start: Vec<f64>,
    /// Step of the finite differences, relative to the width between the bounds.
    pub step: f64,
    /// Relative change of the sum of squares and of the variables at convergence.
    pub tolerance: f64,
    /// The maximum number of steps.
    pub most_iterations: usize,
}

/// The reason why a fit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitEnded {
    /// Converged to the tolerance.
    Converged,
    /// No step reduced the sum of squares, although the gradient is not zero.
    Stuck,
    /// The maximum number of steps was reached.
    Exhausted,
    /// The caller stopped the fit.
    Stopped,
    /// The residuals cannot be computed at the start, or next to a point.
    Failed,
}

/// The result of a fit.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The estimates.
    pub x: Vec<f64>,
    /// The sum of squares of the residuals.
    pub sum: f64,
    /// The number of residuals.
    pub residuals: usize,
    /// The number of steps.
    pub iterations: usize,
    /// The number of evaluations of the residuals.
    pub evaluations: usize,
    /// The reason why it ended.
    pub ended: FitEnded,
    /// Between the bounds of each number.
    widths: Vec<f64>,
    /// Derivatives of the residuals by the numbers at the end, the rows residuals.
    jacobian: Option<DMatrix<f64>>,
}

/// Effects of a number, beside those of the strongest, that are lost in the errors of differences of runs.
const IDLE: f64 = 1e-7;
/// Singular values, beside the largest, that are lost in these errors.
const DEPENDENT: f64 = 1e-5;

struct CountedResiduals<'p, 'f> {
    residuals: &'p mut Residuals<'f>,
    evaluations: usize,
}

/// The result of an evaluation.
enum Computed<T> {
    Done(T),
    Failed,
    Stopped,
}

impl CountedResiduals<'_, '_> {
    fn at(&mut self, points: &[Vec<f64>]) -> Computed<Vec<DVector<f64>>> {
        self.evaluations += points.len();
        let Some(lists) = (self.residuals)(points) else {
            return Computed::Stopped;
        };
        let finite = |list: Option<Vec<f64>>| {
            let list = list.filter(|list| list.iter().all(|r| r.is_finite()));
            list.map(DVector::from_vec)
        };
        match lists.into_iter().map(finite).collect::<Option<Vec<_>>>() {
            Some(lists) => Computed::Done(lists),
            None => Computed::Failed,
        }
    }

    /// The Jacobian by central differences; one-sided at a bound.
    fn jacobian(
        &mut self,
        problem: &LeastSquares,
        x: &[f64],
        r: &DVector<f64>,
    ) -> Computed<DMatrix<f64>> {
        let n = x.len();
        let mut points = Vec::with_capacity(2 * n);
        for k in 0..n {
            let (low, high) = (problem.bounds.low[k], problem.bounds.high[k]);
            let h = problem.step * (high - low);
            for side in [h, -h] {
                let mut point = x.to_vec();
                point[k] = (point[k] + side).clamp(low, high);
                points.push(point);
            }
        }
        let lists = match self.at(&points) {
            Computed::Done(lists) => lists,
            Computed::Failed => return Computed::Failed,
            Computed::Stopped => return Computed::Stopped,
        };
        let mut jacobian = DMatrix::zeros(r.len(), n);
        for k in 0..n {
            let width = points[2 * k][k] - points[2 * k + 1][k];
            let column = (&lists[2 * k] - &lists[2 * k + 1]) / width;
            // the bounds are too close for a difference, or the derivatives overflow
            if !column.norm_squared().is_finite() {
                return Computed::Failed;
            }
            jacobian.set_column(k, &column);
        }
        Computed::Done(jacobian)
    }
}

/// Solves a least-squares problem. All differences of a step are passed to `residuals` together.
///
/// ```
/// use biela_study::{VariableBounds, LeastSquares, fit};
///
/// // a line through three points
/// let problem = LeastSquares {
///     bounds: VariableBounds { low: vec![-10.0; 2], high: vec![10.0; 2] },
///     start: vec![0.0, 0.0],
///     step: 1e-4,
///     tolerance: 1e-10,
///     most_iterations: 50,
/// };
/// let data = [(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)];
/// let line = |x: &Vec<f64>| Some(data.iter().map(|(t, y)| x[0] + x[1] * t - y).collect());
/// let found = fit(&problem, &mut |points| Some(points.iter().map(line).collect()));
/// assert!((found.x[0] - 1.0).abs() < 1e-8 && (found.x[1] - 2.0).abs() < 1e-8);
/// ```
pub fn fit(problem: &LeastSquares, residuals: &mut Residuals<'_>) -> Fit {
    let mut counted = CountedResiduals {
        residuals,
        evaluations: 0,
    };
    let unit = problem.bounds.to_unit(&problem.start);
    let mut found = Fit {
        x: problem.bounds.from_unit(&unit),
        sum: f64::INFINITY,
        residuals: 0,
        iterations: 0,
        evaluations: 0,
        ended: FitEnded::Exhausted,
        widths: (problem.bounds.low.iter().zip(&problem.bounds.high))
            .map(|(low, high)| high - low)
            .collect(),
        jacobian: None,
    };
    found.ended = march(problem, &mut counted, &mut found);
    found.evaluations = counted.evaluations;
    found
}

fn march(
    problem: &LeastSquares,
    counted: &mut CountedResiduals<'_, '_>,
    found: &mut Fit,
) -> FitEnded {
    let mut r = match counted.at(std::slice::from_ref(&found.x)) {
        Computed::Done(mut lists) => lists.swap_remove(0),
        Computed::Failed => return FitEnded::Failed,
        Computed::Stopped => return FitEnded::Stopped,
    };
    (found.sum, found.residuals) = (r.norm_squared(), r.len());
    let mut damping = 1e-3;
    loop {
        let jacobian = match counted.jacobian(problem, &found.x, &r) {
            Computed::Done(jacobian) => jacobian,
            Computed::Failed => return FitEnded::Failed,
            Computed::Stopped => return FitEnded::Stopped,
        };
        let normal = jacobian.tr_mul(&jacobian);
        let gradient = jacobian.tr_mul(&r);
        found.jacobian = Some(jacobian);
        if found.iterations >= problem.most_iterations {
            return FitEnded::Exhausted;
        }
        found.iterations += 1;
        loop {
            let step = step(problem, &found.x, &normal, &gradient, damping);
            let next: Vec<f64> = (0..found.x.len())
                .map(|k| {
                    let (low, high) = (problem.bounds.low[k], problem.bounds.high[k]);
                    (found.x[k] + step[k]).clamp(low, high)
                })
                .collect();
            let (from, to) = (
                problem.bounds.to_unit(&found.x),
                problem.bounds.to_unit(&next),
            );
            let moved = from.iter().zip(&to).map(|(a, b)| (a - b).abs());
            let moved = moved.fold(0.0, f64::max);
            if moved <= problem.tolerance * problem.tolerance.sqrt().max(1e-6) || found.sum == 0.0 {
                return FitEnded::Converged;
            }
            match counted.at(std::slice::from_ref(&next)) {
                Computed::Stopped => return FitEnded::Stopped,
                Computed::Done(mut lists) if lists[0].norm_squared() < found.sum => {
                    r = lists.swap_remove(0);
                    let gained = found.sum - r.norm_squared();
                    let done = gained <= problem.tolerance * found.sum
                        && moved <= problem.tolerance.sqrt();
                    (found.x, found.sum) = (next, r.norm_squared());
                    damping = (damping / 5.0).max(1e-12);
                    if done {
                        // the Jacobian at the final point, for the error estimates
                        if let Computed::Done(jacobian) = counted.jacobian(problem, &found.x, &r) {
                            found.jacobian = Some(jacobian);
                        }
                        return FitEnded::Converged;
                    }
                    break;
                }
                _ if moved <= problem.tolerance.sqrt() * 1e-2 => return FitEnded::Converged,
                _ if damping > 1e12 => return FitEnded::Stuck,
                _ => damping *= 4.0,
            }
        }
    }
}

/// A damped step of the free variables.
fn step(
    problem: &LeastSquares,
    x: &[f64],
    normal: &DMatrix<f64>,
    gradient: &DVector<f64>,
    damping: f64,
) -> Vec<f64> {
    let held = |k: usize| {
        let (low, high) = (problem.bounds.low[k], problem.bounds.high[k]);
        (x[k] <= low && gradient[k] > 0.0) || (x[k] >= high && gradient[k] < 0.0)
    };
    let free: Vec<usize> = (0..x.len()).filter(|&k| !held(k)).collect();
    let mut step = vec![0.0; x.len()];
    if free.is_empty() {
        return step;
    }
    let largest = normal.diagonal().max().max(f64::MIN_POSITIVE);
    let matrix = DMatrix::from_fn(free.len(), free.len(), |i, j| {
        let (a, b) = (free[i], free[j]);
        // a variable without effect gets a nonzero diagonal nevertheless
        let extra = damping * normal[(a, a)].max(1e-15 * largest);
        normal[(a, b)] + if i == j { extra } else { 0.0 }
    });
    let right = DVector::from_fn(free.len(), |i, _| -gradient[free[i]]);
    if let Some(solved) = matrix.lu().solve(&right) {
        for (i, &k) in free.iter().enumerate() {
            step[k] = solved[i];
        }
    }
    step
}

impl Fit {
    /// The covariance matrix of the estimates; `None` if there are not more residuals than variables, or if the Jacobian is rank-deficient.
    pub fn covariance(&self) -> Option<DMatrix<f64>> {
        let jacobian = self.jacobian.as_ref()?;
        let freedom = self
            .residuals
            .checked_sub(self.x.len())
            .filter(|f| *f > 0)?;
        let scales = column_lengths(jacobian)?;
        let svd = scaled(jacobian, &scales).svd(false, true);
        let v_t = svd.v_t?;
        let s = svd.singular_values;
        if s.min() <= 1e-12 * s.max() {
            return None;
        }
        let variance = self.sum / freedom as f64;
        let n = self.x.len();
        Some(DMatrix::from_fn(n, n, |i, j| {
            let sum: f64 = (0..n)
                .map(|k| v_t[(k, i)] * v_t[(k, j)] / (s[k] * s[k]))
                .sum();
            variance * sum / (scales[i] * scales[j])
        }))
    }

    /// Half the confidence interval of each estimate at a level such as 0.95.
    pub fn half_widths(&self, level: f64) -> Option<Vec<f64>> {
        let covariance = self.covariance()?;
        let freedom = (self.residuals - self.x.len()) as f64;
        let t = student_quantile(0.5 + 0.5 * level, freedom);
        let root = |k: usize| t * covariance[(k, k)].sqrt();
        Some((0..self.x.len()).map(root).collect())
    }

    /// The correlation matrix of the estimates.
    pub fn correlation(&self) -> Option<DMatrix<f64>> {
        let c = self.covariance()?;
        let n = self.x.len();
        let scale = |i: usize, j: usize| (c[(i, i)] * c[(j, j)]).sqrt();
        Some(DMatrix::from_fn(n, n, |i, j| c[(i, j)] / scale(i, j)))
    }

    /// The condition number of the Jacobian with normalized columns: near 1 all variables are well identifiable; infinite if some are not.
    pub fn condition(&self) -> Option<f64> {
        let jacobian = self.jacobian.as_ref()?;
        let Some(scales) = column_lengths(jacobian) else {
            return Some(f64::INFINITY);
        };
        let s = scaled(jacobian, &scales).svd(false, false).singular_values;
        Some(s.max() / s.min())
    }

    /// Numbers that the residuals do not depend on, to the accuracy of differences: over the whole range of such a number the residuals
    /// change by less than 1e-7 of what the range of the strongest one does.
    pub fn idle(&self) -> Vec<usize> {
        let Some(jacobian) = &self.jacobian else {
            return Vec::new();
        };
        let effect = |k: usize| self.widths[k] * jacobian.column(k).norm();
        let strongest = (0..self.x.len()).map(effect).fold(0.0, f64::max);
        (0..self.x.len())
            .filter(|&k| effect(k) <= IDLE * strongest)
            .collect()
    }

    /// Directions in which the numbers can change without a change of the residuals: the null space of the derivatives, to the accuracy of
    /// differences. Each is a list of changes, in the units of the numbers; the residuals identify none of the numbers that change in one.
    ///
    /// A number on which nothing depends is a direction of its own; the others come from singular values below 1e-5 of the largest, with each
    /// derivative divided by its length.
    pub fn unidentified(&self) -> Vec<Vec<f64>> {
        let Some(jacobian) = &self.jacobian else {
            return Vec::new();
        };
        let n = self.x.len();
        let idle = self.idle();
        let mut directions: Vec<Vec<f64>> = Vec::new();
        for &k in &idle {
            let mut direction = vec![0.0; n];
            direction[k] = self.widths[k];
            directions.push(direction);
        }
        let active: Vec<usize> = (0..n).filter(|k| !idle.contains(k)).collect();
        if active.is_empty() {
            return directions;
        }
        let columns = jacobian.select_columns(&active);
        let Some(scales) = column_lengths(&columns) else {
            return directions;
        };
        // with fewer residuals than numbers the missing singular values are zero
        let normal = scaled(&columns, &scales);
        let rows = normal.nrows().max(active.len());
        let svd = normal.resize(rows, active.len(), 0.0).svd(false, true);
        let Some(v_t) = svd.v_t else {
            return directions;
        };
        let s = svd.singular_values;
        for k in (0..s.len()).filter(|&k| s[k] <= DEPENDENT * s.max()) {
            let mut direction = vec![0.0; n];
            for (j, &number) in active.iter().enumerate() {
                direction[number] = v_t[(k, j)] / scales[j];
            }
            directions.push(direction);
        }
        directions
    }

    /// The standard deviation of the residuals.
    pub fn deviation(&self) -> Option<f64> {
        let freedom = self
            .residuals
            .checked_sub(self.x.len())
            .filter(|f| *f > 0)?;
        Some((self.sum / freedom as f64).sqrt())
    }
}

fn column_lengths(jacobian: &DMatrix<f64>) -> Option<Vec<f64>> {
    let lengths: Vec<f64> = jacobian.column_iter().map(|c| c.norm()).collect();
    lengths
        .iter()
        .all(|length| *length > 0.0)
        .then_some(lengths)
}

fn scaled(jacobian: &DMatrix<f64>, scales: &[f64]) -> DMatrix<f64> {
    DMatrix::from_fn(jacobian.nrows(), jacobian.ncols(), |i, j| {
        jacobian[(i, j)] / scales[j]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::Distribution;
    use crate::random::uniform;

    fn problem(low: &[f64], high: &[f64], start: &[f64]) -> LeastSquares {
        LeastSquares {
            bounds: VariableBounds {
                low: low.to_vec(),
                high: high.to_vec(),
            },
            start: start.to_vec(),
            step: 1e-5,
            tolerance: 1e-10,
            most_iterations: 200,
        }
    }

    /// The result of residuals at several points.
    type Lists = Option<Vec<Option<Vec<f64>>>>;

    fn each(f: impl Fn(&[f64]) -> Vec<f64>) -> impl FnMut(&[Vec<f64>]) -> Lists {
        move |points: &[Vec<f64>]| Some(points.iter().map(|x| Some(f(x))).collect())
    }

    /// Misra1a of the Statistical Reference Datasets of NIST: y = b1 (1 - exp(-b2 x)).
    const MISRA: [(f64, f64); 14] = [
        (10.07, 77.6),
        (14.73, 114.9),
        (17.94, 141.1),
        (23.93, 190.8),
        (29.61, 239.9),
        (35.18, 289.0),
        (40.02, 332.8),
        (44.82, 378.4),
        (50.76, 434.8),
        (55.05, 477.3),
        (61.01, 536.8),
        (66.40, 593.1),
        (75.47, 689.1),
        (81.78, 760.0),
    ];

    #[test]
    fn the_certified_values_of_misra1a_are_reproduced() {
        let problem = problem(&[1.0, 1e-5], &[1000.0, 1e-2], &[500.0, 1e-4]);
        let model = |b: &[f64]| {
            let line = |&(y, x): &(f64, f64)| b[0] * (1.0 - (-b[1] * x).exp()) - y;
            MISRA.iter().map(line).collect()
        };
        let found = fit(&problem, &mut each(model));
        assert_eq!(found.ended, FitEnded::Converged, "{found:?}");
        let certified = [
            (238.942_129_18, 2.707_007_524_1),
            (5.501_564_318_1e-4, 7.266_868_829_7e-6),
        ];
        let covariance = found
            .covariance()
            .unwrap_or_else(|| panic!("no covariance"));
        for (k, (value, deviation)) in certified.into_iter().enumerate() {
            assert!(
                (found.x[k] / value - 1.0).abs() < 1e-6,
                "b{k} {}",
                found.x[k]
            );
            let own = covariance[(k, k)].sqrt();
            assert!((own / deviation - 1.0).abs() < 1e-4, "b{k} {own}");
        }
        assert!((found.sum / 0.124_551_388_94 - 1.0).abs() < 1e-8);
        let s = found.deviation().unwrap_or(f64::NAN);
        assert!((s / 0.101_878_763_30 - 1.0).abs() < 1e-7);
    }

    #[test]
    fn confidence_intervals_have_their_nominal_coverage() {
        let normal = Distribution::Normal {
            mean: 0.0,
            deviation: 0.1,
        };
        let truth = [1.5, 0.7];
        let times: Vec<f64> = (0..30).map(|k| 0.1 * f64::from(k)).collect();
        let curve = |x: &[f64], t: f64| x[0] * (-x[1] * t).exp();
        let mut held = [0; 2];
        let seeds = 400;
        for seed in 0..seeds {
            let noise = |k: usize| normal.quantile(uniform(seed, k as u64, 0));
            let data: Vec<f64> = (0..30)
                .map(|k| curve(&truth, times[k]) + noise(k))
                .collect();
            let residuals = |x: &[f64]| (0..30).map(|k| curve(x, times[k]) - data[k]).collect();
            let found = fit(
                &problem(&[0.0, 0.0], &[5.0, 5.0], &[1.0, 1.0]),
                &mut each(residuals),
            );
            let half = found
                .half_widths(0.9)
                .unwrap_or_else(|| panic!("{found:?}"));
            for k in 0..2 {
                held[k] += i32::from((found.x[k] - truth[k]).abs() <= half[k]);
            }
        }
        // 360 of 400 are expected, with a standard deviation of 6
        assert!(
            held.iter().all(|held| (340..=380).contains(held)),
            "{held:?}"
        );
    }

    #[test]
    fn a_parameter_at_its_bound_stays_there_and_the_others_continue() {
        let data = [1.0, 2.0, 3.0];
        let line = |x: &[f64]| (0..3).map(|k| x[0] + x[1] * k as f64 - data[k]).collect();
        // the unconstrained optimum of the slope is 1, which is not allowed
        let found = fit(
            &problem(&[-5.0, 0.0], &[5.0, 0.5], &[0.0, 0.1]),
            &mut each(line),
        );
        assert_eq!(found.x[1], 0.5);
        assert!((found.x[0] - 1.5).abs() < 1e-8, "{found:?}");
    }

    #[test]
    fn a_fit_ends_if_all_parameters_are_at_bounds() {
        let far = |x: &[f64]| (0..3).map(|k| x[0] + x[1] - 100.0 + f64::from(k)).collect();
        let found = fit(&problem(&[0.0; 2], &[1.0; 2], &[0.5; 2]), &mut each(far));
        assert_eq!(
            (found.x.as_slice(), found.ended),
            (&[1.0, 1.0][..], FitEnded::Converged)
        );
    }

    #[test]
    fn bounds_too_close_for_a_finite_difference_are_an_error() {
        let near = |x: &[f64]| vec![x[0], 2.0 * x[0]];
        let bounds = problem(&[1.0], &[1.0 + 1e-15], &[1.0]);
        assert_eq!(fit(&bounds, &mut each(near)).ended, FitEnded::Failed);
    }

    #[test]
    fn unidentifiable_parameters_have_no_confidence_intervals() {
        let sum = |x: &[f64]| (0..5).map(|k| (x[0] + x[1]) * f64::from(k) - 3.0).collect();
        let found = fit(&problem(&[0.0; 2], &[5.0; 2], &[1.0, 2.0]), &mut each(sum));
        assert!(found.half_widths(0.95).is_none());
        assert!(found.condition().is_some_and(|c| c > 1e8), "{found:?}");
        let directions = found.unidentified();
        assert_eq!(directions.len(), 1);
        // one grows by what the other loses
        let ratio = directions[0][0] / directions[0][1];
        assert!((ratio + 1.0).abs() < 1e-6, "{directions:?}");
        let first = |x: &[f64]| (0..5).map(|k| x[0] - f64::from(k)).collect();
        let found = fit(
            &problem(&[0.0; 2], &[5.0; 2], &[1.0, 2.0]),
            &mut each(first),
        );
        assert_eq!(found.idle(), [1]);
        assert_eq!(found.unidentified(), [[0.0, 5.0]]);
    }

    #[test]
    fn fewer_residuals_than_parameters_leave_unidentifiable_directions() {
        let one = |x: &[f64]| vec![x[0] + 2.0 * x[1] - 3.0 * x[2] - 1.0];
        let found = fit(&problem(&[0.0; 3], &[5.0; 3], &[1.0; 3]), &mut each(one));
        let directions = found.unidentified();
        assert_eq!(directions.len(), 2, "{directions:?}");
        for d in directions {
            assert!((d[0] + 2.0 * d[1] - 3.0 * d[2]).abs() < 1e-9, "{d:?}");
        }
    }

    #[test]
    fn identified_parameters_have_no_unidentifiable_direction() {
        let line = |x: &[f64]| {
            (0..5)
                .map(|k| x[0] + 1e-3 * x[1] * f64::from(k) - 3.0)
                .collect()
        };
        let found = fit(&problem(&[0.0; 2], &[5.0; 2], &[1.0, 2.0]), &mut each(line));
        assert!(found.unidentified().is_empty(), "{found:?}");
    }

    #[test]
    fn a_failed_evaluation_at_the_start_is_an_error() {
        let found = fit(&problem(&[0.0], &[1.0], &[0.5]), &mut |points| {
            Some(vec![None; points.len()])
        });
        assert_eq!(found.ended, FitEnded::Failed);
    }
}
