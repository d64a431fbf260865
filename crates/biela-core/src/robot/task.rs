//! Goals of a frame, and the error of a frame relative to them.
//!
//! ```text
//! e = (B_w ε, B_v (p* − p)/L)        ε: rotation vector that rotates the frame, or its axis, to the goal
//! ```
//!
//! B holds the relevant directions; L, the length of the arm, makes lengths and angles comparable. To first order a joint step δ changes e
//! by −B J δ, and |ε| changes by exactly −ε·w/|ε|, so Bᵀe is the exact gradient of ½|e|² everywhere.

use crate::math::rotation::{cross, dot, rotation_vector, unit};
use crate::math::spatial::Twist;
use crate::math::{Pose, Vec3};
use crate::model::Space;

/// The goal of a frame, in the ground frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// Its origin at a point.
    Position(Vec3<f64>),
    /// Its origin at a point, and its axes parallel to those of a frame.
    Pose(Pose),
    /// Its origin at a point, and one of its axes along a direction; the rotation about that direction is free.
    Axis {
        /// Goal of the origin.
        point: Vec3<f64>,
        /// The direction in the frame, a unit vector.
        axis: Vec3<f64>,
        /// Goal direction of the axis, a unit vector.
        direction: Vec3<f64>,
    },
}

/// The relevant directions of motion of a frame, unit vectors in ground axes.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskDirections {
    /// Of angular velocity.
    pub angular: Vec<Vec3<f64>>,
    /// Of velocity.
    pub linear: Vec<Vec3<f64>>,
}

impl TaskDirections {
    /// All motions of a frame: three in the plane, six in space.
    pub fn all(space: Space) -> Self {
        TaskDirections {
            angular: Self::rotations(space).angular,
            linear: Self::translations(space).linear,
        }
    }

    /// Translations.
    pub fn translations(space: Space) -> Self {
        TaskDirections {
            angular: Vec::new(),
            linear: (0..space.axes()).map(unit).collect(),
        }
    }

    /// Rotations.
    pub fn rotations(space: Space) -> Self {
        let angular = match space {
            Space::Planar => vec![unit(2)],
            Space::Spatial => (0..3).map(unit).collect(),
        };
        TaskDirections {
            angular,
            linear: Vec::new(),
        }
    }

    /// The number of directions.
    pub fn len(&self) -> usize {
        self.angular.len() + self.linear.len()
    }

    /// Whether there are no directions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The components of a motion along the directions, with lengths divided by `length`.
    pub fn components<'a>(
        &'a self,
        motion: &'a Twist,
        length: f64,
    ) -> impl Iterator<Item = f64> + 'a {
        let angular = self.angular.iter().map(|b| dot(b, &motion.w));
        let linear = self.linear.iter().map(move |b| dot(b, &motion.v) / length);
        angular.chain(linear)
    }
}

impl Goal {
    /// The goal of the origin.
    pub fn point(&self) -> Vec3<f64> {
        match self {
            Goal::Position(point) | Goal::Axis { point, .. } => *point,
            Goal::Pose(pose) => pose.p,
        }
    }

    /// The relevant directions.
    pub fn directions(&self, space: Space) -> TaskDirections {
        match (self, space) {
            (Goal::Position(_), _) => TaskDirections::translations(space),
            (Goal::Pose(_), _) | (Goal::Axis { .. }, Space::Planar) => TaskDirections::all(space),
            (Goal::Axis { direction, .. }, Space::Spatial) => TaskDirections {
                angular: across(direction).to_vec(),
                ..TaskDirections::translations(space)
            },
        }
    }

    /// Returns the displacement from a pose to the goal: a rotation vector and a translation.
    pub fn apart(&self, pose: &Pose) -> Twist {
        let turn = match self {
            Goal::Position(_) => Vec3::zeros(),
            Goal::Pose(goal) => rotation_vector(&(goal.R * pose.R.transpose())),
            Goal::Axis {
                axis, direction, ..
            } => between(&(pose.R * axis), direction),
        };
        Twist::new(turn, self.point() - pose.p)
    }
}

/// Two unit vectors normal to a unit vector and to each other.
fn across(direction: &Vec3<f64>) -> [Vec3<f64>; 2] {
    let smallest = (0..3).fold(0, |k, i| {
        if direction[i].abs() < direction[k].abs() {
            i
        } else {
            k
        }
    });
    let first = cross(direction, &unit(smallest)).normalize();
    [first, cross(direction, &first)]
}

/// The shortest rotation vector that rotates unit vector `a` to unit vector `b`.
fn between(a: &Vec3<f64>, b: &Vec3<f64>) -> Vec3<f64> {
    let sine = cross(a, b);
    let (length, cosine) = (dot(&sine, &sine).sqrt(), dot(a, b));
    if length > 1e-8 {
        sine * (length.atan2(cosine) / length)
    } else if cosine > 0.0 {
        sine
    } else {
        // opposite vectors: any normal axis is admissible
        across(b)[0] * std::f64::consts::PI
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::math::rotation::{about_axis, matrix};

    #[test]
    fn the_displacement_to_a_goal_ends_there() {
        let mut random = Random::new(8);
        for _ in 0..100 {
            let here = Pose::new(matrix(&random.rotation()), random.vector(1.0));
            let there = Pose::new(matrix(&random.rotation()), random.vector(1.0));
            let turn = |w: &Vec3<f64>| {
                let angle = w.norm();
                about_axis(&(w / angle), angle) * here.R
            };
            let apart = Goal::Pose(there).apart(&here);
            assert!((turn(&apart.w) - there.R).norm() < 1e-13);
            assert!((here.p + apart.v - there.p).norm() < 1e-15);
            let axis = random.vector(1.0).normalize();
            let direction = random.vector(1.0).normalize();
            let goal = Goal::Axis {
                point: there.p,
                axis,
                direction,
            };
            assert!((turn(&goal.apart(&here).w) * axis - direction).norm() < 1e-13);
            // it has no component along the free direction, so the relevant directions contain all of it
            assert!(goal.apart(&here).w.dot(&direction).abs() < 1e-13);
        }
    }

    #[test]
    fn an_antiparallel_axis_has_an_error_of_half_a_turn() {
        let goal = Goal::Axis {
            point: Vec3::zeros(),
            axis: unit(2),
            direction: -unit::<f64>(2),
        };
        let turn = goal.apart(&Pose::identity()).w;
        assert!((turn.norm() - std::f64::consts::PI).abs() < 1e-15);
        assert!(turn[2].abs() < 1e-15);
    }
}
