//! Quintic polynomials through points: accelerations are continuous, and zero at the points unless given.
//!
//! From rest to rest in T: `q = q0 + (q1 − q0)(10 u³ − 15 u⁴ + 6 u⁵)`, `u = t/T`, the minimum-jerk motion (least mean squared jerk).

use std::sync::Arc;

use super::through::through;
use super::through::{accelerations_field, points_field, rates_field, times_field, via_field};
use super::{EVERYWHERE, Setting, TrajectoryKind};
use crate::control::Trajectory;
use crate::element::{ArgumentError, Arguments, Info, fields};

/// Quintic polynomials through points.
#[derive(Clone, Copy, Debug)]
pub struct Quintic;

fields! { Quintic {
    use points_field;
    use times_field;
    use via_field;
    use rates_field;
    use accelerations_field;
} }

impl TrajectoryKind for Quintic {
    const INFO: Info = Info {
        name: "quintic",
        aliases: &["minimum-jerk"],
        summary: "polynomials of degree five through points; accelerations are continuous",
        spaces: EVERYWHERE,
        fields: Self::FIELDS,
    };
    const CONTINUITY: usize = 2;

    fn build(
        arguments: &Arguments,
        setting: &Setting<'_>,
    ) -> Result<Arc<dyn Trajectory>, ArgumentError> {
        Ok(Arc::new(through(arguments, setting, 3)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::FieldValue;
    use crate::model::{JointLimits, Space};

    fn made(
        rows: &[(&'static str, Vec<Vec<f64>>)],
        times: &[f64],
        via: &str,
    ) -> Arc<dyn Trajectory> {
        let mut arguments = Arguments::new(Space::Planar)
            .with("times", FieldValue::Numbers(times.to_vec()))
            .with("via", FieldValue::Word(via.to_owned()));
        for (name, points) in rows {
            arguments.set(name, FieldValue::Points(points.clone()));
        }
        let setting = Setting {
            joints: vec![JointLimits::NONE],
            start: 0.0,
            robot: Err(String::new()),
        };
        Quintic::build(&arguments, &setting).unwrap()
    }

    #[test]
    fn from_rest_to_rest_it_is_the_minimum_jerk_polynomial() {
        let motion = made(
            &[("points", vec![vec![1.0], vec![3.0]])],
            &[0.0, 4.0],
            "rest",
        );
        for k in 0..=8 {
            let t = 0.5 * f64::from(k);
            let u: f64 = t / 4.0;
            let expected = 1.0 + 2.0 * (10.0 * u.powi(3) - 15.0 * u.powi(4) + 6.0 * u.powi(5));
            assert!((motion.joint(0, t).value - expected).abs() < 1e-14);
        }
        // T. Flash, N. Hogan, J. Neurosci. 5 (1985) 1688: peak velocity 1.875 times the mean, peak acceleration 10/√3 d/T²
        assert!((motion.joint(0, 2.0).rate - 1.875 * 0.5).abs() < 1e-14);
        let peak = 4.0 * (0.5 - 3.0_f64.sqrt() / 6.0);
        let expected = 10.0 / 3.0_f64.sqrt() * 2.0 / 16.0;
        assert!((motion.joint(0, peak).curvature - expected).abs() < 1e-14);
        assert!(motion.corners().is_empty());
    }

    #[test]
    fn given_velocities_and_accelerations_hold_at_every_point() {
        let rows = [
            ("points", vec![vec![0.0], vec![1.0], vec![-1.0]]),
            ("rates", vec![vec![0.5], vec![2.0], vec![-0.25]]),
            ("accelerations", vec![vec![1.0], vec![-3.0], vec![4.0]]),
        ];
        let times = [0.0, 0.5, 2.0];
        let motion = made(&rows, &times, "rest");
        for (k, time) in times.iter().enumerate() {
            let jet = motion.joint(0, *time);
            let found = [jet.value, jet.rate, jet.curvature];
            for (found, (name, points)) in found.iter().zip(&rows) {
                assert!((found - points[k][0]).abs() < 1e-12, "{name} at {time}");
            }
        }
        assert_eq!(motion.corners(), [0.0, 2.0]);
    }

    #[test]
    fn passed_points_have_the_mean_slope_and_turning_points_zero_velocity() {
        let points = vec![vec![0.0], vec![1.0], vec![4.0], vec![3.0]];
        let motion = made(&[("points", points)], &[0.0, 1.0, 2.0, 3.0], "pass");
        assert!((motion.joint(0, 1.0).rate - 2.0).abs() < 1e-13);
        assert!(motion.joint(0, 2.0).rate.abs() < 1e-13);
    }
}
