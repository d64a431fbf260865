//! Prescribed motions (drivers): value, velocity and acceleration as functions of time.
//!
//! ```text
//! Φ = x(q) − m(t) = 0        Φ̇ = ẋ − ṁ        Φ̈ = ẍ − m̈        x a coordinate of a joint, or a component of a point
//! ```
//!
//! The multiplier is the generalized force (`effort`) that the motion requires; its power `−λ ṁ` is part of the energy balance. Functions are
//! differentiated exactly. Integration steps end at their discontinuities.

use std::sync::Arc;

use super::SignalFunction;
use crate::control::Trajectory;
use crate::math::Jet;

/// A prescribed motion as a function of time.
#[derive(Clone, Debug)]
pub enum Motion {
    /// A twice differentiable function of time.
    Function(Arc<dyn SignalFunction>),
    /// A piecewise linear acceleration, integrated exactly.
    Profile(AccelerationProfile),
    /// A joint of a trajectory.
    Trajectory {
        /// The trajectory.
        motion: Arc<dyn Trajectory>,
        /// Index of the joint in the trajectory.
        joint: usize,
    },
}

/// A closure of time with derivatives.
struct MotionClosure<F>(F);

impl<F> std::fmt::Debug for MotionClosure<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("closure")
    }
}

impl<F: Fn(Jet) -> Jet + Send + Sync> SignalFunction for MotionClosure<F> {
    fn value(&self, time: f64, _: &[f64]) -> f64 {
        self.jet(time).value
    }

    fn jet(&self, time: f64) -> Jet {
        (self.0)(Jet::time(time))
    }
}

impl Motion {
    /// A smooth function of time, in SI units. It receives the time as a [`Jet`], which differentiates it exactly.
    ///
    /// ```
    /// use biela_core::math::{Jet, Real};
    /// use biela_core::model::Motion;
    ///
    /// let swing = Motion::of_time(|t| 0.3 * (2.0 * t).sin());
    /// assert_eq!(swing.at(0.0), Jet::new(0.0, 0.6, 0.0));
    /// ```
    pub fn of_time(function: impl Fn(Jet) -> Jet + Send + Sync + 'static) -> Self {
        Motion::Function(Arc::new(MotionClosure(function)))
    }

    /// Returns value, velocity and acceleration.
    pub fn at(&self, time: f64) -> Jet {
        match self {
            Motion::Function(f) => f.jet(time),
            Motion::Profile(p) => p.at(time),
            Motion::Trajectory { motion, joint } => motion.joint(*joint, time),
        }
    }

    /// See [`SignalFunction::next_corner`].
    pub fn next_corner(&self, after: f64) -> f64 {
        match self {
            Motion::Function(f) => f.next_corner(after),
            Motion::Profile(p) => p.next_corner(after),
            Motion::Trajectory { motion, .. } => motion.next_corner(after),
        }
    }
}

/// A piecewise linear acceleration with the velocity and position at its first time; the acceleration is constant beyond its ends.
#[derive(Clone, Debug, PartialEq)]
pub struct AccelerationProfile {
    time: Vec<f64>,
    acceleration: Vec<f64>,
    /// Velocity and position at each of the times.
    velocity: Vec<f64>,
    position: Vec<f64>,
}

impl AccelerationProfile {
    /// A profile through the points (`time`, `acceleration`); `None` unless there is at least one point, all values are finite,
    /// the numbers of values agree and times increase.
    pub fn new(
        time: Vec<f64>,
        acceleration: Vec<f64>,
        velocity: f64,
        position: f64,
    ) -> Option<Self> {
        let finite = time.iter().chain(&acceleration).all(|x| x.is_finite());
        let increasing = time.windows(2).all(|w| w[0] < w[1]);
        if time.is_empty() || time.len() != acceleration.len() || !finite || !increasing {
            return None;
        }
        let mut profile = AccelerationProfile {
            time,
            acceleration,
            velocity: vec![velocity],
            position: vec![position],
        };
        for k in 1..profile.time.len() {
            let end = profile.in_segment(k - 1, profile.time[k]);
            profile.velocity.push(end.rate);
            profile.position.push(end.value);
        }
        Some(profile)
    }

    /// The times of its points, where the acceleration has kinks.
    pub fn times(&self) -> &[f64] {
        &self.time
    }

    /// Returns value, velocity and acceleration.
    pub fn at(&self, time: f64) -> Jet {
        let k = self.time.partition_point(|x| *x <= time);
        self.in_segment(k.saturating_sub(1), time)
    }

    /// The first point of the profile after a time, where the acceleration has a kink. Infinite if there is none.
    fn next_corner(&self, after: f64) -> f64 {
        let k = self.time.partition_point(|x| *x <= after);
        self.time.get(k).copied().unwrap_or(f64::INFINITY)
    }

    /// Integrates the acceleration exactly from the start of segment `k`; before the first and after the last point the
    /// acceleration has its end value.
    fn in_segment(&self, k: usize, time: f64) -> Jet {
        let s = time - self.time[k];
        let a = self.acceleration[k];
        let slope = match self.time.get(k + 1) {
            Some(next) if s > 0.0 => (self.acceleration[k + 1] - a) / (next - self.time[k]),
            _ => 0.0,
        };
        Jet {
            value: self.position[k] + s * (self.velocity[k] + s * (a / 2.0 + s * slope / 6.0)),
            rate: self.velocity[k] + s * (a + s * slope / 2.0),
            curvature: a + s * slope,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_the_exact_double_integral_of_its_acceleration() {
        let profile =
            AccelerationProfile::new(vec![0.0, 1.0, 3.0], vec![2.0, 0.0, -4.0], 0.5, 1.0).unwrap();
        // by hand: v(1) = 0.5 + 1, s(1) = 1 + 0.5 + 2/2 − 2/6
        let one = profile.at(1.0);
        assert!((one.rate - 1.5).abs() < 1e-15);
        assert!((one.value - (2.5 - 1.0 / 3.0)).abs() < 1e-15);
        for t in [-0.5, 0.3, 1.7, 2.9, 4.0] {
            let h = 1e-4;
            let (a, b, c) = (profile.at(t - h), profile.at(t), profile.at(t + h));
            assert!(((c.value - a.value) / (2.0 * h) - b.rate).abs() < 1e-7);
            assert!(((c.rate - a.rate) / (2.0 * h) - b.curvature).abs() < 1e-7);
        }
        assert_eq!(profile.at(9.0).curvature, -4.0);
    }

    #[test]
    fn the_printed_profiles_of_henrique_are_reproduced_to_their_digits() {
        // H. A. A. Henrique, dissertation, USP 1993, examples 4 and 5: time, acceleration, velocity and position as printed
        let impact = [
            [0.0, 0.0, 120.0, 0.0],
            [0.045, 460.0, 130.35, 5.5553],
            [0.15, 0.0, 154.50, 20.932],
        ];
        let drop = [
            [0.0, -1.0, 0.0, 0.0],
            [0.5, -1.0, -0.5, -0.125],
            [1.0, -1.0, -1.0, -0.5],
        ];
        for (points, digits) in [(impact, 5e-4), (drop, 1e-15)] {
            let times = points.map(|p| p[0]).to_vec();
            let accelerations = points.map(|p| p[1]).to_vec();
            let profile =
                AccelerationProfile::new(times, accelerations, points[0][2], points[0][3]).unwrap();
            for [t, a, v, d] in points {
                let at = profile.at(t);
                assert!((at.curvature - a).abs() <= 1e-12);
                assert!((at.rate - v).abs() <= 1e-12, "{v} at {t}: {}", at.rate);
                assert!((at.value - d).abs() <= digits, "{d} at {t}: {}", at.value);
            }
            let next = points.map(|p| profile.next_corner(p[0] - 1e-9));
            assert_eq!(next, points.map(|p| p[0]));
        }
        // exact: 20.9325 at 0.15 s, then the last acceleration (zero) is held
        let profile =
            AccelerationProfile::new(vec![0.0, 0.045, 0.15], vec![0.0, 460.0, 0.0], 120.0, 0.0)
                .unwrap();
        assert!((profile.at(0.15).value - 20.9325).abs() < 1e-12);
        assert!((profile.at(0.25).value - (20.9325 + 15.45)).abs() < 1e-12);
    }

    #[test]
    fn unsorted_or_unequal_profiles_are_rejected() {
        assert!(AccelerationProfile::new(vec![0.0, 0.0], vec![1.0, 1.0], 0.0, 0.0).is_none());
        assert!(AccelerationProfile::new(vec![0.0, 1.0], vec![1.0], 0.0, 0.0).is_none());
        assert!(AccelerationProfile::new(vec![], vec![], 0.0, 0.0).is_none());
        assert!(AccelerationProfile::new(vec![0.0], vec![f64::NAN], 0.0, 0.0).is_none());
    }
}
