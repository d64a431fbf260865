//! Manipulability: the velocities and forces of a frame in a configuration.
//!
//! ```text
//! w = √det(J Jᵀ) = Π σ_i        κ = σ_1/σ_m
//! velocity ellipsoid: axes σ_i u_i        force ellipsoid: axes u_i/σ_i
//! ```
//!
//! for joint velocities and joint forces of unit norm (T. Yoshikawa, *Int. J. Robotics Research* 4 (1985) 3).

use super::singularity::{motion_of, singular_values};
use super::task::TaskDirections;
use super::{Robot, RobotWorkspace};
use crate::math::Singular;
use crate::math::spatial::Twist;
use crate::tree::TreeLocation;

/// A principal axis of the ellipsoids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrincipalMotion {
    /// Its direction, a unit vector.
    pub direction: Twist,
    /// The velocity along it for joint velocities of unit norm: σ.
    pub speed: f64,
    /// The force along it for joint forces of unit norm: 1/σ, infinite if the frame cannot move along it.
    pub force: f64,
}

/// Manipulability of a frame in a configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Manipulability {
    /// Yoshikawa's measure; zero in singular configurations and with fewer joints than directions.
    pub measure: f64,
    /// Condition number: the ratio of the largest singular value to the smallest; infinite if the measure is zero.
    pub condition: f64,
    /// The principal axes of the ellipsoids, the longest of the velocity ellipsoid first.
    pub axes: Vec<PrincipalMotion>,
}

impl Robot {
    /// Returns the manipulability of a frame along directions at the joint positions `q`. If the directions include translations and rotations, lengths are
    /// divided by `length`.
    pub fn manipulability(
        &self,
        ws: &mut RobotWorkspace,
        place: &TreeLocation,
        q: &[f64],
        directions: &TaskDirections,
        length: f64,
    ) -> Manipulability {
        let _ = self.pose(ws, place, q);
        let mut columns = vec![Twist::zero(); self.joints.len()];
        self.jacobian(ws, place, &mut columns);
        let found = singular_values(&columns, directions, length);
        let values = || found.iter().map(|s| s.value);
        let axis = |s: &Singular| PrincipalMotion {
            direction: motion_of(s, directions),
            speed: s.value,
            force: 1.0 / s.value,
        };
        Manipulability {
            measure: values().product(),
            condition: match (values().next(), values().next_back()) {
                (Some(first), Some(last)) if last > 0.0 => first / last,
                _ => f64::INFINITY,
            },
            axes: found.iter().map(axis).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Space;
    use crate::robot::suite::{puma, two_links};

    #[test]
    fn the_measure_of_two_links_is_the_sine_of_the_elbow() {
        let robot = Robot::of(&two_links()).unwrap();
        let place = *robot.tool().unwrap();
        let mut ws = robot.workspace();
        let directions = TaskDirections::translations(Space::Planar);
        for k in 0..40 {
            let elbow = 0.2 * f64::from(k) - 4.0;
            let found = robot.manipulability(&mut ws, &place, &[0.3, elbow], &directions, 1.0);
            // Yoshikawa 1985: w = l1 l2 |sin θ2|
            assert!((found.measure - 0.5 * 0.3 * elbow.sin().abs()).abs() < 1e-14);
            let [first, second] = [found.axes[0], found.axes[1]];
            assert!(first.direction.v.dot(&second.direction.v).abs() < 1e-12);
            assert!((found.condition - first.speed / second.speed).abs() < 1e-9 * found.condition);
            assert!((first.speed * first.force - 1.0).abs() < 1e-14);
        }
        // the maximum: an elbow at a right angle, for any shoulder angle
        let best = robot.manipulability(&mut ws, &place, &[0.3, 1.57], &directions, 1.0);
        assert!((best.measure - 0.15).abs() < 1e-6);
    }

    #[test]
    fn unit_joint_velocities_map_to_the_manipulability_ellipsoid() {
        let robot = Robot::of(&puma()).unwrap();
        let place = *robot.tool().unwrap();
        let mut ws = robot.workspace();
        let directions = TaskDirections::translations(Space::Spatial);
        let q = [0.2, -0.7, 0.3, 0.4, 0.9, 0.1];
        let found = robot.manipulability(&mut ws, &place, &q, &directions, 1.0);
        let mut columns = vec![Twist::zero(); 6];
        robot.jacobian(&ws, &place, &mut columns);
        let mut random = crate::math::Random::new(3);
        for _ in 0..50 {
            let rates: [f64; 6] = random.array(1.0);
            let size: f64 = rates.iter().map(|x| x * x).sum::<f64>().sqrt();
            let mut v = crate::math::Vec3::zeros();
            for (column, rate) in columns.iter().zip(rates) {
                v += column.v * (rate / size);
            }
            let inside: f64 = { found.axes.iter() }
                .map(|axis| (axis.direction.v.dot(&v) / axis.speed).powi(2))
                .sum();
            assert!(inside <= 1.0 + 1e-12);
        }
    }
}
