//! Polynomials of one degree through points: the common part of `cubic`, `quintic` and `septic`.
//!
//! Between two points each joint follows the polynomial of degree 2 n − 1 with given value and n − 1 derivatives at both.

use super::pieces::{Pieces, hermite};
use super::{Setting, points_in_time};
use crate::element::{ArgumentError, Arguments, field_group};

/// Behaviour at an intermediate point.
pub(super) const VIA: &[&str] = &["rest", "pass"];

field_group! { $ points_field {
    /// points of the motion, one list of joint positions per point
    points: Points { order: 0 },
} }
field_group! { $ times_field {
    /// times at the points, increasing, counted from `start`
    times: Numbers { unit: "s" },
} }
field_group! { $ via_field {
    /// whether the motion stops at intermediate points, or passes them with the mean of the slopes on both sides (zero if these differ in sign)
    via: Choice($crate::control::trajectories::through::VIA) = "rest",
} }
field_group! { $ rates_field {
    /// velocities at all points, instead of `via`; zero at the ends if omitted
    rates: Points { order: 1 } = "",
} }
field_group! { $ accelerations_field {
    /// accelerations at all points; zero if omitted
    accelerations: Points { order: 2 } = "",
} }

/// Computes polynomials through the points, with `n` values and derivatives given at each.
pub(super) fn through(
    arguments: &Arguments,
    setting: &Setting<'_>,
    n: usize,
) -> Result<Pieces, ArgumentError> {
    let (points, times) = points_in_time(arguments)?;
    let joints = setting.joints.len();
    let zeros = vec![vec![0.0; joints]; points.len()];
    let of_points = |field: &'static str| match arguments.points(field) {
        given if given.is_empty() => Ok(None),
        given if given.len() == points.len() => Ok(Some(given)),
        given => Err(ArgumentError {
            field,
            message: format!("{} for {} points", given.len(), points.len()),
        }),
    };
    let rates = match of_points("rates")? {
        Some(given) => given,
        None if arguments.word("via") == "pass" => passing_rates(&points, &times),
        None => zeros.clone(),
    };
    let accelerations = of_points("accelerations")?.unwrap_or_else(|| zeros.clone());
    let derivatives = [&points, &rates, &accelerations, &zeros];
    let mut coefficients = Vec::with_capacity((points.len() - 1) * joints * 2 * n);
    for i in 0..points.len() - 1 {
        let h = times[i + 1] - times[i];
        for joint in 0..joints {
            // derivatives with respect to u = (t − t_i)/h
            let at = |point: usize| {
                let mut scale = 1.0;
                derivatives.map(|d| {
                    let x = d[point][joint] * scale;
                    scale *= h;
                    x
                })
            };
            hermite(&at(i)[..n], &at(i + 1)[..n], &mut coefficients);
        }
    }
    let pieces = Pieces::new(joints, times, 2 * n, coefficients, false);
    Ok(pieces.later(setting.start))
}

/// Velocities at via points: the mean of the slopes on both sides, zero at the ends and where the slopes differ in sign
/// (J. J. Craig, *Introduction to Robotics*, 3rd ed. 2005, §7.3).
fn passing_rates(points: &[Vec<f64>], times: &[f64]) -> Vec<Vec<f64>> {
    let slope = |i: usize, joint: usize| {
        (points[i + 1][joint] - points[i][joint]) / (times[i + 1] - times[i])
    };
    let rate = |i: usize, joint: usize| {
        if i == 0 || i + 1 == points.len() {
            return 0.0;
        }
        let (before, after) = (slope(i - 1, joint), slope(i, joint));
        if before * after > 0.0 {
            f64::midpoint(before, after)
        } else {
            0.0
        }
    };
    let of_point = |i: usize| (0..points[i].len()).map(|joint| rate(i, joint)).collect();
    (0..points.len()).map(of_point).collect()
}
