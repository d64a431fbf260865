//! Cubic splines through points: accelerations are continuous between the ends.
//!
//! The velocities r at the points solve
//!
//! ```text
//! r_(i−1)/h_(i−1) + 2 r_i (1/h_(i−1) + 1/h_i) + r_(i+1)/h_i = 3 (Δ_(i−1)/h_(i−1) + Δ_i/h_i)        Δ: slopes, h: time between points
//! ```
//!
//! with given velocities at clamped ends, zero acceleration at natural ends (`2 r_0 + r_1 = 3 Δ_0`), or equal velocities and accelerations at both ends
//! of a periodic spline.

use std::sync::Arc;

use super::pieces::{Pieces, hermite};
use super::through::{points_field, times_field};
use super::{EVERYWHERE, Setting, TrajectoryKind, points_in_time};
use crate::control::Trajectory;
use crate::element::{ArgumentError, Arguments, Info, fields};

/// A cubic spline through points.
#[derive(Clone, Copy, Debug)]
pub struct Spline;

/// End conditions.
const ENDS: &[&str] = &["clamped", "natural", "periodic"];

fields! { Spline {
    use points_field;
    use times_field;
    /// end conditions: the velocities `end_rates`; zero acceleration; or a periodic motion, which returns to its start and repeats without end
    ends: Choice(ENDS) = "clamped",
    /// velocities at the two clamped ends; zero if omitted
    end_rates: Points { order: 1 } = "",
} }

impl TrajectoryKind for Spline {
    const INFO: Info = Info {
        name: "spline",
        aliases: &["cubic-spline"],
        summary: "a cubic spline that passes through points without stopping; accelerations are continuous",
        spaces: EVERYWHERE,
        fields: Self::FIELDS,
    };
    const CONTINUITY: usize = 2;

    fn build(
        arguments: &Arguments,
        setting: &Setting<'_>,
    ) -> Result<Arc<dyn Trajectory>, ArgumentError> {
        let (points, times) = points_in_time(arguments)?;
        let fault = |field, message: &str| {
            Err(ArgumentError {
                field,
                message: message.to_owned(),
            })
        };
        let end_rates = arguments.points("end_rates");
        let joints = setting.joints.len();
        let ends = match arguments.word("ends").as_str() {
            "natural" => Ends::Natural,
            "periodic" => {
                let (first, last) = (&points[0], &points[points.len() - 1]);
                let apart = first.iter().zip(last).map(|(a, b)| (a - b).abs());
                if apart.fold(0.0, f64::max) > 1e-9 {
                    return fault(
                        "points",
                        "the first and last points of a periodic motion must be equal",
                    );
                }
                Ends::Periodic
            }
            _ if end_rates.is_empty() => Ends::Clamped(vec![vec![0.0; joints]; 2]),
            _ if end_rates.len() == 2 => Ends::Clamped(end_rates),
            _ => return fault("end_rates", "velocities at both ends are required"),
        };
        Ok(Arc::new(spline(&points, times, &ends).later(setting.start)))
    }
}

/// End conditions of a spline.
pub(super) enum Ends {
    /// Given velocities.
    Clamped(Vec<Vec<f64>>),
    /// Zero acceleration.
    Natural,
    /// Equal velocities and accelerations at both ends.
    Periodic,
}

/// Computes the spline through points.
pub(super) fn spline(points: &[Vec<f64>], times: Vec<f64>, ends: &Ends) -> Pieces {
    let joints = points[0].len();
    let rates: Vec<Vec<f64>> = (0..joints)
        .map(|joint| rates(points, &times, joint, ends))
        .collect();
    let mut coefficients = Vec::with_capacity((points.len() - 1) * joints * 4);
    for i in 0..points.len() - 1 {
        let h = times[i + 1] - times[i];
        for joint in 0..joints {
            let at = |k: usize| [points[k][joint], rates[joint][k] * h];
            hermite(&at(i), &at(i + 1), &mut coefficients);
        }
    }
    Pieces::new(
        joints,
        times,
        4,
        coefficients,
        matches!(ends, Ends::Periodic),
    )
}

/// Computes the velocities of one joint at all points.
fn rates(points: &[Vec<f64>], times: &[f64], joint: usize, ends: &Ends) -> Vec<f64> {
    let last = points.len() - 1;
    let inverse: Vec<f64> = times.windows(2).map(|t| 1.0 / (t[1] - t[0])).collect();
    // three times the slope divided by the time
    let pull: Vec<f64> = (0..last)
        .map(|i| 3.0 * (points[i + 1][joint] - points[i][joint]) * inverse[i] * inverse[i])
        .collect();
    if let Ends::Periodic = ends {
        return periodic(&inverse, &pull);
    }
    let mut system = Tridiagonal::new(last + 1);
    for i in 1..last {
        system.lower[i] = inverse[i - 1];
        system.diagonal[i] = 2.0 * (inverse[i - 1] + inverse[i]);
        system.upper[i] = inverse[i];
        system.right[i] = pull[i - 1] + pull[i];
    }
    if let Ends::Clamped(rates) = ends {
        system.right[0] = rates[0][joint];
        system.right[last] = rates[1][joint];
    } else {
        (system.diagonal[0], system.upper[0]) = (2.0 * inverse[0], inverse[0]);
        system.right[0] = pull[0];
        (system.lower[last], system.diagonal[last]) = (inverse[last - 1], 2.0 * inverse[last - 1]);
        system.right[last] = pull[last - 1];
    }
    system.solve()
}

/// Computes the velocities of a periodic spline: a cyclic tridiagonal system, solved as a rank-one update (Sherman–Morrison formula).
fn periodic(inverse: &[f64], pull: &[f64]) -> Vec<f64> {
    let n = inverse.len();
    if n == 1 {
        return vec![0.0; 2];
    }
    let before = |i: usize| (i + n - 1) % n;
    let mut system = Tridiagonal::new(n);
    for i in 0..n {
        system.lower[i] = inverse[before(i)];
        system.diagonal[i] = 2.0 * (inverse[before(i)] + inverse[i]);
        system.upper[i] = inverse[i];
        system.right[i] = pull[before(i)] + pull[i];
    }
    // A + c (1, 0, …, 1)(1, 0, …, 1)ᵀ has c in the first and last entries of its off-diagonal
    let corner = inverse[n - 1];
    (system.lower[0], system.upper[n - 1]) = (0.0, 0.0);
    system.diagonal[0] -= corner;
    system.diagonal[n - 1] -= corner;
    let mut ends = system.clone();
    ends.right.fill(0.0);
    (ends.right[0], ends.right[n - 1]) = (corner, corner);
    let (mut rates, ends) = (system.solve(), ends.solve());
    let factor = (rates[0] + rates[n - 1]) / (1.0 + ends[0] + ends[n - 1]);
    for (rate, end) in rates.iter_mut().zip(ends) {
        *rate -= factor * end;
    }
    rates.push(rates[0]);
    rates
}

/// A tridiagonal, diagonally dominant system.
#[derive(Clone)]
struct Tridiagonal {
    lower: Vec<f64>,
    diagonal: Vec<f64>,
    upper: Vec<f64>,
    right: Vec<f64>,
}

impl Tridiagonal {
    /// The identity.
    fn new(n: usize) -> Self {
        Tridiagonal {
            lower: vec![0.0; n],
            diagonal: vec![1.0; n],
            upper: vec![0.0; n],
            right: vec![0.0; n],
        }
    }

    fn solve(mut self) -> Vec<f64> {
        let n = self.right.len();
        for i in 1..n {
            let factor = self.lower[i] / self.diagonal[i - 1];
            self.diagonal[i] -= factor * self.upper[i - 1];
            self.right[i] -= factor * self.right[i - 1];
        }
        for i in (0..n).rev() {
            if i + 1 < n {
                self.right[i] -= self.upper[i] * self.right[i + 1];
            }
            self.right[i] /= self.diagonal[i];
        }
        self.right
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn sampled(count: usize, end: f64, f: impl Fn(f64) -> f64) -> (Vec<Vec<f64>>, Vec<f64>) {
        // non-uniform times
        let time = |k: usize| {
            let u = k as f64 / count as f64;
            end * (u + 0.02 * (TAU * u).sin())
        };
        let times: Vec<f64> = (0..=count).map(time).collect();
        (times.iter().map(|t| vec![f(*t)]).collect(), times)
    }

    #[test]
    fn a_clamped_spline_of_a_cubic_is_that_cubic() {
        let f = |t: f64| 1.0 - 2.0 * t + 0.5 * t * t * t;
        let slope = |t: f64| -2.0 + 1.5 * t * t;
        let (points, times) = sampled(7, 3.0, f);
        let ends = Ends::Clamped(vec![vec![slope(0.0)], vec![slope(3.0)]]);
        let motion = spline(&points, times, &ends);
        for k in 0..=30 {
            let t = 0.1 * f64::from(k);
            let jet = motion.joint(0, t);
            assert!((jet.value - f(t)).abs() < 1e-13);
            assert!((jet.rate - slope(t)).abs() < 1e-12);
            assert!((jet.curvature - 3.0 * t).abs() < 1e-11);
        }
    }

    #[test]
    fn accelerations_are_continuous_between_the_ends() {
        let (points, times) = sampled(9, 2.0, |t| (3.0 * t).sin());
        for ends in [Ends::Natural, Ends::Clamped(vec![vec![3.0], vec![0.0]])] {
            let motion = spline(&points, times.clone(), &ends);
            assert_eq!(motion.corners(), [0.0, 2.0]);
        }
        let natural = spline(&points, times, &Ends::Natural);
        assert!(natural.joint(0, 0.0).curvature.abs() < 1e-12);
        assert!(natural.joint(0, 2.0).curvature.abs() < 1e-12);
    }

    #[test]
    fn a_periodic_spline_is_smooth_at_its_ends() {
        let (points, times) = sampled(24, 2.0, |t| (0.5 * TAU * t).sin());
        let motion = spline(&points, times, &Ends::Periodic);
        // only at the start from rest
        assert_eq!(motion.corners(), [0.0]);
        assert!(motion.duration().is_infinite());
        for k in 0..200 {
            let t = 0.0317 * f64::from(k);
            let jet = motion.joint(0, t);
            assert!((jet.value - (0.5 * TAU * t).sin()).abs() < 1e-4);
            let turn = motion.joint(0, t + 2.0);
            assert!((jet.value - turn.value).abs() < 1e-12);
            assert!((jet.curvature - turn.curvature).abs() < 1e-9);
        }
    }
}
