//! Singular configurations of a robot: the motions of a frame that the joints cannot produce.

use super::task::TaskDirections;
use super::{Robot, RobotWorkspace};
use crate::math::spatial::Twist;
use crate::math::{Singular, Vec3, left_singular};
use crate::tree::TreeLocation;

/// A motion of a frame that no joint motion produces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lost {
    /// Angular velocity and velocity, together of unit norm (lengths divided by that of the arm).
    pub motion: Twist,
}

/// The distance of a pose from a singular configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Singularity {
    /// Singular values of the Jacobian along the relevant directions, with lengths divided by that of the arm, in decreasing order.
    pub values: Vec<f64>,
    /// The numerical rank: the number of singular values that are not negligible.
    pub rank: usize,
    /// The motion that belongs to the smallest singular value.
    pub weakest: Lost,
    /// The lost motions, if the rank is less than the number of joints permits.
    pub lost: Vec<Lost>,
}

/// Ratio to the largest singular value below which a singular value counts as zero.
const NEGLIGIBLE: f64 = 1e-6;

impl Singularity {
    /// Computes it from the columns of the Jacobian.
    pub(crate) fn of(columns: &[Twist], directions: &TaskDirections, length: f64) -> Self {
        let found = singular_values(columns, directions, length);
        let most = columns.len().min(directions.len());
        let largest = found.first().map_or(0.0, |s| s.value);
        let rank = { found.iter() }
            .filter(|s| s.value > NEGLIGIBLE * largest)
            .count();
        let motion = |s: &Singular| Lost {
            motion: motion_of(s, directions),
        };
        let still = Lost {
            motion: Twist::zero(),
        };
        let lost = if rank < most {
            found[rank..].iter().map(motion).collect()
        } else {
            Vec::new()
        };
        let last = most.checked_sub(1).and_then(|last| found.get(last));
        Singularity {
            weakest: last.map_or(still, motion),
            values: found.iter().take(most).map(|s| s.value).collect(),
            rank,
            lost,
        }
    }

    /// Whether a motion is lost that the joints can produce in other configurations.
    pub fn is_singular(&self) -> bool {
        !self.lost.is_empty()
    }

    /// Condition number: the ratio of the largest singular value to the smallest; infinite in a singular configuration.
    pub fn condition(&self) -> f64 {
        match (self.values.first(), self.values.last()) {
            (Some(first), Some(last)) if *last > 0.0 => first / last,
            _ => f64::INFINITY,
        }
    }
}

impl Robot {
    /// Returns the distance of joint positions from a singular configuration of a frame; lengths are divided by `length`.
    pub fn singularity(
        &self,
        ws: &mut RobotWorkspace,
        place: &TreeLocation,
        q: &[f64],
        directions: &TaskDirections,
        length: f64,
    ) -> Singularity {
        let _ = self.pose(ws, place, q);
        let mut columns = vec![Twist::zero(); self.joints.len()];
        self.jacobian(ws, place, &mut columns);
        Singularity::of(&columns, directions, length)
    }
}

/// Singular values of the Jacobian along directions.
pub(super) fn singular_values(
    columns: &[Twist],
    directions: &TaskDirections,
    length: f64,
) -> Vec<Singular> {
    let mut rows = vec![Vec::with_capacity(columns.len()); directions.len()];
    for column in columns {
        for (row, x) in rows.iter_mut().zip(directions.components(column, length)) {
            row.push(x);
        }
    }
    left_singular(rows)
}

/// The motion whose components along the directions are those of a singular vector.
pub(super) fn motion_of(singular: &Singular, directions: &TaskDirections) -> Twist {
    let mut motion = Twist::zero();
    let (angular, linear) = singular.direction.split_at(directions.angular.len());
    for (b, x) in directions.angular.iter().zip(angular) {
        motion.w += b * *x;
    }
    for (b, x) in directions.linear.iter().zip(linear) {
        motion.v += b * *x;
    }
    motion
}

impl std::fmt::Display for Lost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // smaller components do not affect the text
        const FAINT: f64 = 1e-3;
        let Twist { w, v } = &self.motion;
        match (w.norm() > FAINT, v.norm() > FAINT) {
            (true, true) => write!(
                f,
                "translation along {} together with rotation about {}",
                along(v),
                along(w)
            ),
            (true, false) => write!(f, "rotation about {}", along(w)),
            _ => write!(f, "translation along {}", along(v)),
        }
    }
}

/// A direction as text: an axis by its letter, others by their components.
fn along(direction: &Vec3<f64>) -> String {
    let unit = direction / direction.norm();
    for (k, letter) in ["x", "y", "z"].into_iter().enumerate() {
        if unit[k].abs() > 1.0 - 1e-6 {
            return letter.to_owned();
        }
    }
    // a direction and its opposite are equivalent
    let sign = if unit
        .iter()
        .find(|x| x.abs() > 1e-3)
        .is_some_and(|x| *x < 0.0)
    {
        -1.0
    } else {
        1.0
    };
    let shown: Vec<String> = unit
        .iter()
        .map(|x| format!("{:.3}", (x * sign * 1e3).round() / 1e3 + 0.0))
        .collect();
    format!("({})", shown.join(", "))
}
