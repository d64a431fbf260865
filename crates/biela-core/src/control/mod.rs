//! Robot control: reference trajectories, and the control laws that track them.
//!
//! ```
//! use biela_core::control::trajectories::{Quintic, Setting};
//! use biela_core::model::JointLimits;
//!
//! // one joint from 0 to 1 rad in 2 s, at rest at both ends
//! let setting = Setting { joints: vec![JointLimits::NONE], start: 0.0, robot: Err("no robot".to_owned()) };
//! let quintic = Quintic::new([0.0, 1.0], [0.0, 2.0]).build_trajectory(&setting)?;
//! let middle = quintic.joint(0, 1.0);
//! assert!((middle.value - 0.5).abs() < 1e-12 && (middle.rate - 15.0 / 16.0).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod laws;
pub mod trajectories;

use crate::math::Jet;

/// A reference trajectory: position, velocity and acceleration of joints as functions of time.
///
/// It begins at time zero. Before its start and after its end the joints rest at its first and last point.
pub trait Trajectory: std::fmt::Debug + Send + Sync {
    /// The number of joints it moves.
    fn joints(&self) -> usize;

    /// The time at which it ends; infinite for an unbounded motion.
    fn duration(&self) -> f64;

    /// Returns position, velocity and acceleration of one joint at a time. Does not allocate.
    fn joint(&self, joint: usize, time: f64) -> Jet;

    /// Returns the jerk of one joint at a time.
    fn jerk(&self, joint: usize, time: f64) -> f64;

    /// Computes position, velocity and acceleration of every joint at a time. Does not allocate.
    fn at(&self, time: f64, position: &mut [f64], rate: &mut [f64], acceleration: &mut [f64]) {
        for k in 0..self.joints() {
            let jet = self.joint(k, time);
            (position[k], rate[k], acceleration[k]) = (jet.value, jet.rate, jet.curvature);
        }
    }

    /// The times at which an acceleration (or, in a non-smooth motion, a velocity) is discontinuous, in increasing order.
    fn corners(&self) -> Vec<f64>;

    /// The first discontinuity after a time; infinite if there is none.
    fn next_corner(&self, after: f64) -> f64 {
        let corners = self.corners();
        let ahead = corners.into_iter().find(|corner| *corner > after);
        ahead.unwrap_or(f64::INFINITY)
    }
}
