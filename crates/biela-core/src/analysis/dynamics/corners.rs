//! Discontinuities and kinks of formulas of time. Steps end at them, and values behind one are not used before it.

use crate::keep::keeps;
use std::sync::Arc;

use crate::control::Trajectory;
use crate::model::{Law, Model, Motion, Signal};

/// Times closer together than this are treated as one.
pub(super) fn slack(time: f64) -> f64 {
    1e-12 * (1.0 + time.abs())
}

/// Distance inside the ends of a step at which formulas are evaluated: larger than the rounding error of a formula of time, but insignificant for its value.
fn margin(time: f64) -> f64 {
    1e-13 * (1.0 + time.abs())
}

/// Largest number of discontinuities at which a run stops, so that a formula with infinitely many does not block it.
const MOST: u32 = 1_000_000;

/// The discontinuities of a run.
#[derive(Clone, Debug)]
pub(super) struct Corners {
    laws: Vec<Law>,
    motions: Vec<Motion>,
    /// The trajectories that forces and sensors read.
    trajectories: Vec<Arc<dyn Trajectory>>,
    next: f64,
    passed: u32,
}

keeps!(Corners: next, passed);

impl Corners {
    /// The discontinuities of forces, drivers and sensors after a time.
    pub(super) fn new(model: &Model, after: f64) -> Self {
        let of_forces = model.forces.iter().flat_map(|f| f.force.laws());
        let laws = of_forces.chain(model.sensors.iter().map(|s| &s.law));
        let motions = model.drivers.iter().map(|d| &d.motion);
        let reads = |law: &Law, number: usize| {
            let mut inputs = law.inputs().iter();
            inputs.any(|signal| matches!(signal, Signal::Trajectory(t, ..) if *t == number))
        };
        let trajectories = model.trajectories.iter().enumerate();
        let read = trajectories.filter(|(t, _)| laws.clone().any(|law| reads(law, *t)));
        let trajectories = read
            .map(|(_, element)| Arc::clone(&element.motion))
            .collect();
        let ahead = |corner: f64| corner < f64::INFINITY;
        let mut corners = Corners {
            laws: laws
                .filter(|law| ahead(law.next_corner(after)))
                .cloned()
                .collect(),
            motions: motions
                .filter(|motion| ahead(motion.next_corner(after)))
                .cloned()
                .collect(),
            trajectories,
            next: f64::INFINITY,
            passed: 0,
        };
        corners.next = corners.first_after(after);
        corners
    }

    fn first_after(&self, time: f64) -> f64 {
        if self.passed >= MOST {
            return f64::INFINITY;
        }
        let laws = self.laws.iter().map(|law| law.next_corner(time));
        let motions = self.motions.iter().map(|motion| motion.next_corner(time));
        let trajectories = self.trajectories.iter().map(|t| t.next_corner(time));
        laws.chain(motions)
            .chain(trajectories)
            .fold(f64::INFINITY, f64::min)
    }

    /// Returns the next discontinuity; infinite if there is none.
    pub(super) fn next(&self) -> f64 {
        self.next
    }

    /// Passes the discontinuities up to a time; returns whether there was one.
    pub(super) fn pass(&mut self, time: f64) -> bool {
        let now = time + slack(time);
        if self.next > now {
            return false;
        }
        self.passed += 1;
        self.next = self.first_after(now);
        true
    }

    /// Returns the interval in which formulas are evaluated between `time` and the next discontinuity.
    pub(super) fn span(&self, time: f64) -> (f64, f64) {
        let from = if self.passed > 0 {
            time + slack(time) + margin(time)
        } else {
            f64::NEG_INFINITY
        };
        let to = if self.next.is_finite() {
            self.next - margin(self.next)
        } else {
            f64::INFINITY
        };
        (from, to)
    }
}
