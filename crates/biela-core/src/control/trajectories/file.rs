//! A motion from a file: times and positions, and optionally velocities and accelerations.
//!
//! ```text
//! q(t_k + u h) = Σ_j c_j u^j        degree 3 through q, q̇ at both ends, degree 5 through q, q̇, q̈        h = t_(k+1) − t_k
//! ```
//!
//! If only positions are given, a cubic spline interpolates them; its end velocities are those of the parabolas through the first and last three
//! points. With velocities the interpolants are cubic, with velocities and accelerations of degree five.

use std::sync::Arc;

use super::pieces::{Pieces, hermite};
use super::spline::{Ends, spline};
use super::{EVERYWHERE, MOST_POINTS, Setting, TrajectoryKind, check_times};
use crate::control::Trajectory;
use crate::element::{ArgumentError, Arguments, Info, fields};

/// A motion from a file.
#[derive(Clone, Copy, Debug)]
pub struct Recorded;

fields! { Recorded {
    /// the file, in the folder of the model
    file: Series,
} }

impl TrajectoryKind for Recorded {
    const INFO: Info = Info {
        name: "file",
        aliases: &["csv"],
        summary: "a motion from a CSV file: columns `time`, JOINT, and optionally JOINT_rate (velocity) and JOINT_acceleration, each with its unit in brackets after the name",
        spaces: EVERYWHERE,
        fields: Self::FIELDS,
    };
    const CONTINUITY: usize = 1;

    fn build(
        arguments: &Arguments,
        setting: &Setting<'_>,
    ) -> Result<Arc<dyn Trajectory>, ArgumentError> {
        let series = arguments.series("file");
        let fault = |message: String| {
            Err(ArgumentError {
                field: "file",
                message,
            })
        };
        let count = series.times.len();
        if !(2..=MOST_POINTS).contains(&count) {
            return fault(format!(
                "it has {count} rows; 2 to {MOST_POINTS} are permitted"
            ));
        }
        if let Err(message) = check_times(&series.times) {
            return fault(message);
        }
        let pieces = match (&series.rates[..], &series.accelerations[..]) {
            ([], _) => {
                let rates = end_rates(&series.positions, &series.times);
                spline(&series.positions, series.times, &Ends::Clamped(rates))
            }
            (rates, []) => joined(&[&series.positions, rates], series.times.clone()),
            (rates, accelerations) => joined(
                &[&series.positions, rates, accelerations],
                series.times.clone(),
            ),
        };
        Ok(Arc::new(pieces.later(setting.start)))
    }
}

/// Hermite polynomials between points with given derivatives.
fn joined(derivatives: &[&[Vec<f64>]], times: Vec<f64>) -> Pieces {
    let n = derivatives.len();
    let joints = derivatives[0][0].len();
    let mut coefficients = Vec::with_capacity((times.len() - 1) * joints * 2 * n);
    for i in 0..times.len() - 1 {
        let h = times[i + 1] - times[i];
        for joint in 0..joints {
            let mut ends = [[0.0; 3]; 2];
            for (end, k) in ends.iter_mut().zip([i, i + 1]) {
                let mut scale = 1.0;
                for (x, rows) in end.iter_mut().zip(derivatives) {
                    *x = rows[k][joint] * scale;
                    scale *= h;
                }
            }
            hermite(&ends[0][..n], &ends[1][..n], &mut coefficients);
        }
    }
    Pieces::new(joints, times, 2 * n, coefficients, false)
}

/// Velocities at both ends, from the parabolas through three points.
fn end_rates(points: &[Vec<f64>], times: &[f64]) -> Vec<Vec<f64>> {
    let last = points.len() - 1;
    let slope = |i: usize, j: usize, joint: usize| {
        (points[j][joint] - points[i][joint]) / (times[j] - times[i])
    };
    let rate = |[a, b, c]: [usize; 3], joint: usize| {
        if last < 2 {
            return slope(0, last, joint);
        }
        // the derivative of Newton's interpolating parabola at its first point
        let bend = (slope(b, c, joint) - slope(a, b, joint)) / (times[c] - times[a]);
        slope(a, b, joint) + bend * (times[a] - times[b])
    };
    let joints = points[0].len();
    let of = |three: [usize; 3]| (0..joints).map(|joint| rate(three, joint)).collect();
    let two = 2.min(last);
    vec![of([0, 1, two]), of([last, last - 1, last - two])]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::{FieldValue, JointMotionSamples};
    use crate::model::{JointLimits, Space};

    fn made(series: JointMotionSamples) -> Arc<dyn Trajectory> {
        let arguments = Arguments::new(Space::Planar).with("file", FieldValue::Series(series));
        let setting = Setting {
            joints: vec![JointLimits::NONE],
            start: 0.0,
            robot: Err(String::new()),
        };
        Recorded::build(&arguments, &setting).unwrap()
    }

    fn sampled(derivatives: usize) -> JointMotionSamples {
        let times: Vec<f64> = (0..=40).map(|k| 0.05 * f64::from(k)).collect();
        let rows = |f: fn(f64) -> f64, given: bool| -> Vec<Vec<f64>> {
            if given {
                times.iter().map(|t| vec![f(*t)]).collect()
            } else {
                Vec::new()
            }
        };
        JointMotionSamples {
            positions: rows(|t| (2.0 * t).sin(), true),
            rates: rows(|t| 2.0 * (2.0 * t).cos(), derivatives >= 1),
            accelerations: rows(|t| -4.0 * (2.0 * t).sin(), derivatives >= 2),
            times,
        }
    }

    #[test]
    fn given_velocities_and_accelerations_reduce_the_interpolation_error() {
        // error of the value: end parabolas, then h⁴/384 f⁗ and h⁶/46080 f⁽⁶⁾
        let bounds = [
            2e-4,
            16.0 * 0.05_f64.powi(4) / 384.0,
            64.0 * 0.05_f64.powi(6) / 46080.0,
        ];
        for (derivatives, bound) in bounds.into_iter().enumerate() {
            let motion = made(sampled(derivatives));
            let worst = (0..=1000)
                .map(|k| 0.002 * f64::from(k))
                .map(|t| (motion.joint(0, t).value - (2.0 * t).sin()).abs())
                .fold(0.0, f64::max);
            assert!(worst <= 1.01 * bound, "{derivatives}: {worst:e} {bound:e}");
        }
        let smooth = made(sampled(2));
        assert_eq!(smooth.corners(), [0.0, 2.0]);
    }

    #[test]
    fn two_rows_give_a_straight_line() {
        let series = JointMotionSamples {
            times: vec![1.0, 3.0],
            positions: vec![vec![2.0], vec![-2.0]],
            rates: Vec::new(),
            accelerations: Vec::new(),
        };
        let motion = made(series);
        assert!((motion.joint(0, 1.5).value - 1.0).abs() < 1e-15);
        assert!((motion.joint(0, 1.5).rate + 2.0).abs() < 1e-15);
    }
}
