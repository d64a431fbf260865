//! What moves a robot on purpose: reference motions, and the laws that make it follow them.

pub mod laws;
pub mod trajectories;

use crate::math::Jet;

/// A reference motion of joints: where they should be at every time, and how they should move there.
///
/// It begins at time zero. Before it and after its end the joints rest where it begins and ends.
pub trait Trajectory: std::fmt::Debug + Send + Sync {
    /// How many joints it moves.
    fn joints(&self) -> usize;

    /// When it ends; infinite for a motion that goes on.
    fn duration(&self) -> f64;

    /// Position, rate and acceleration of one joint at a time. Nothing is allocated.
    fn joint(&self, joint: usize, time: f64) -> Jet;

    /// The rate of one joint's acceleration at a time.
    fn jerk(&self, joint: usize, time: f64) -> f64;

    /// Position, rate and acceleration of every joint at a time. Nothing is allocated.
    fn at(&self, time: f64, position: &mut [f64], rate: &mut [f64], acceleration: &mut [f64]) {
        for k in 0..self.joints() {
            let jet = self.joint(k, time);
            (position[k], rate[k], acceleration[k]) = (jet.value, jet.rate, jet.curvature);
        }
    }

    /// The times at which an acceleration (or, in a rough motion, a rate) jumps, in order.
    fn corners(&self) -> Vec<f64>;

    /// The first of them after a time; infinite when there is none.
    fn next_corner(&self, after: f64) -> f64 {
        let corners = self.corners();
        let ahead = corners.into_iter().find(|corner| *corner > after);
        ahead.unwrap_or(f64::INFINITY)
    }
}
