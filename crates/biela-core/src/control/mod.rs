//! What moves a robot on purpose: reference motions.

/// A reference motion of joints: where they should be at every time, and how they should move there.
///
/// It begins at time zero. Before it and after its end the joints rest where it begins and ends.
pub trait Trajectory: std::fmt::Debug + Send + Sync {
    /// How many joints it moves.
    fn joints(&self) -> usize;

    /// When it ends; infinite for a motion that goes on.
    fn duration(&self) -> f64;

    /// Position, rate and acceleration of every joint at a time. Nothing is allocated.
    fn at(&self, time: f64, position: &mut [f64], rate: &mut [f64], acceleration: &mut [f64]);

    /// The times at which an acceleration jumps, in order.
    fn corners(&self) -> Vec<f64>;
}
