//! Forward kinematics of frames of a robot.
//!
//! ```text
//! (w, v) = J(q) q̇        (α, a) = J(q) q̈ + J̇ q̇        ground axes, at the origin of the frame
//! ```

use super::{Robot, RobotWorkspace};
use crate::math::Pose;
use crate::math::rotation::cross;
use crate::math::spatial::Twist;
use crate::tree::{TreeLocation, jacobian_bias, pose_of, positions, velocities, velocity_of};

/// Motion of a frame, in ground axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameMotion {
    /// Its pose.
    pub pose: Pose,
    /// Angular velocity, and velocity of its origin.
    pub velocity: Twist,
    /// Angular acceleration, and acceleration of its origin.
    pub acceleration: Twist,
}

impl Robot {
    /// Returns the pose of a frame fixed to a link, at the joint positions `q`.
    pub fn pose(&self, ws: &mut RobotWorkspace, place: &TreeLocation, q: &[f64]) -> Pose {
        self.scatter_positions(q, &mut ws.q);
        positions(&self.tree, &mut ws.tree, &ws.q);
        pose_of(&ws.tree, place)
    }

    /// Computes the Jacobian of a frame at the current link poses (of the last call that computed them): one column per joint, zero for joints that do
    /// not move the frame.
    pub fn jacobian(&self, ws: &RobotWorkspace, place: &TreeLocation, columns: &mut [Twist]) {
        let p = pose_of(&ws.tree, place).p;
        for (joint, column) in self.joints.iter().zip(columns) {
            let carries =
                |link: usize| (joint.link..self.tree.links[joint.link].end).contains(&link);
            *column = if place.link.is_some_and(carries) {
                let motion = &ws.tree.columns[joint.v];
                let arm = p - ws.tree.links[joint.link].o;
                Twist::new(motion.w, motion.v + cross(&motion.w, &arm))
            } else {
                Twist::zero()
            };
        }
    }

    /// Returns the motion of a frame for given joint positions, velocities and accelerations.
    pub fn motion(
        &self,
        ws: &mut RobotWorkspace,
        place: &TreeLocation,
        [q, rate, acceleration]: [&[f64]; 3],
        columns: &mut [Twist],
    ) -> FrameMotion {
        self.scatter_positions(q, &mut ws.q);
        self.scatter(rate, &mut ws.v);
        velocities(&self.tree, &mut ws.tree, &ws.q, &ws.v);
        self.jacobian(ws, place, columns);
        let mut total = jacobian_bias(&self.tree, &ws.tree, place);
        for (column, rate) in columns.iter().zip(acceleration) {
            total += *column * *rate;
        }
        FrameMotion {
            pose: pose_of(&ws.tree, place),
            velocity: velocity_of(&ws.tree, place),
            acceleration: total,
        }
    }
}
