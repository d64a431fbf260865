//! Checks of trajectories against the limits of their joints.

use crate::control::Trajectory;
use crate::model::JointLimits;

/// The kind of limit that is exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The lower position limit.
    Lower,
    /// The upper position limit.
    Upper,
    /// The velocity limit.
    Rate,
}

/// A limit that a trajectory exceeds, at the time of the largest excess.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Violation {
    /// Index of the joint in the trajectory.
    pub joint: usize,
    /// The kind of limit.
    pub bound: Bound,
    /// The time of the largest excess.
    pub time: f64,
    /// The position or velocity at that time.
    pub value: f64,
    /// The limit.
    pub limit: f64,
}

/// Number of sampled instants.
const SAMPLES: u32 = 4000;

/// Time in seconds for which an unbounded motion is checked.
const ENDLESS: f64 = 100.0;

/// Returns the limits that a trajectory exceeds before `until` or before its end, whichever is earlier; each limit once, at the largest excess.
pub fn violations(motion: &dyn Trajectory, limits: &[JointLimits], until: f64) -> Vec<Violation> {
    let end = motion.duration().min(until).max(0.0);
    let end = if end.is_finite() { end } else { ENDLESS };
    let mut times: Vec<f64> = (0..=SAMPLES)
        .map(|k| end * f64::from(k) / f64::from(SAMPLES))
        .collect();
    times.extend(
        motion
            .corners()
            .into_iter()
            .filter(|t| *t > 0.0 && *t < end),
    );
    times.sort_by(f64::total_cmp);
    let mut found = Vec::new();
    for (joint, limits) in limits.iter().enumerate() {
        let bounds = [
            (Bound::Lower, limits.lower),
            (Bound::Upper, limits.upper),
            (Bound::Rate, limits.rate),
        ];
        for (bound, limit) in bounds.into_iter().filter(|(_, x)| x.is_finite()) {
            let value = |time: f64| {
                let jet = motion.joint(joint, time);
                match bound {
                    Bound::Rate => jet.rate,
                    Bound::Lower | Bound::Upper => jet.value,
                }
            };
            let excess = |time: f64| match bound {
                Bound::Lower => limit - value(time),
                Bound::Upper => value(time) - limit,
                Bound::Rate => value(time).abs() - limit,
            };
            let time = worst(&times, excess);
            if excess(time) > 1e-9 * limit.abs().max(1e-3) {
                found.push(Violation {
                    joint,
                    bound,
                    time,
                    value: value(time),
                    limit,
                });
            }
        }
    }
    found
}

/// Maximises a function: the best of the sampled times, refined by golden-section search between its neighbours.
fn worst(times: &[f64], f: impl Fn(f64) -> f64) -> f64 {
    let best = (0..times.len()).fold(0, |best, k| {
        if f(times[k]) > f(times[best]) {
            k
        } else {
            best
        }
    });
    let (mut a, mut b) = (
        times[best.saturating_sub(1)],
        times[(best + 1).min(times.len() - 1)],
    );
    let ratio = 0.5 * (5.0_f64.sqrt() - 1.0);
    for _ in 0..60 {
        let (x, y) = (b - ratio * (b - a), a + ratio * (b - a));
        if f(x) > f(y) {
            b = y;
        } else {
            a = x;
        }
    }
    let middle = f64::midpoint(a, b);
    if f(middle) > f(times[best]) {
        middle
    } else {
        times[best]
    }
}

/// Returns the first time after zero at which the velocity of a joint is discontinuous: it changes there by more than the acceleration explains.
pub fn rate_jump(motion: &dyn Trajectory, joint: usize) -> Option<f64> {
    let step = 1e-9;
    let corners = motion.corners().into_iter();
    let mut ahead = corners.filter(|corner| *corner > 0.0);
    ahead.find(|corner| {
        let [before, after] = [-step, step].map(|d| motion.joint(joint, corner + d));
        let explained = 4.0 * step * before.curvature.abs().max(after.curvature.abs());
        let size = before.rate.abs().max(after.rate.abs());
        (after.rate - before.rate).abs() > explained + 1e-9 * size
    })
}
