//! Determines which links are bodies, and which are frames of bodies.

use biela_core::math::rotation::about_axis;
use biela_core::math::{Mat3, Pose, Vec3};

use super::arrange::LinkTree;
use super::robot::{UrdfJoint, UrdfJointKind, UrdfRobot};
use super::{Base, UrdfOptions};

/// The body and pose of a link.
#[derive(Clone, Copy)]
pub(super) struct CarriedLink {
    /// The link whose body contains it, itself if it is a body; `None` for the ground.
    pub(super) body: Option<usize>,
    /// Its frame in the frame of that body.
    pub(super) pose: Pose,
}

/// Returns the body and pose of each link.
pub(super) fn carriers(
    robot: &UrdfRobot<'_>,
    tree: &LinkTree,
    options: UrdfOptions,
) -> Vec<CarriedLink> {
    let ground = CarriedLink {
        body: None,
        pose: Pose::identity(),
    };
    let mut carried = vec![ground; robot.links.len()];
    for &link in &tree.order {
        let parent = tree.parent[link].map_or(ground, |parent| carried[parent]);
        let offset = match tree.joint[link] {
            Some(j) => rigid_offset(&robot.joints[j], tree.held[j], tree.start[j]),
            None => (options.base == Base::Fixed).then(Pose::identity),
        };
        carried[link] = match offset {
            Some(offset) if robot.links[link].is_massless() => CarriedLink {
                body: parent.body,
                pose: parent.pose.then(&offset),
            },
            _ => CarriedLink {
                body: Some(link),
                pose: Pose::identity(),
            },
        };
    }
    carried
}

/// The pose of the child in the parent if the joint does not move.
pub(super) fn rigid_offset(joint: &UrdfJoint<'_>, held: bool, start: f64) -> Option<Pose> {
    match joint.kind {
        UrdfJointKind::Fixed => Some(joint.origin),
        _ if !held => None,
        kind => Some(joint.origin.then(&moved(joint, kind, start))),
    }
}

/// X_motion of a joint.
fn moved(joint: &UrdfJoint<'_>, kind: UrdfJointKind, q: f64) -> Pose {
    let axis = joint.axis.normalize();
    match kind {
        UrdfJointKind::Turn if q != 0.0 => Pose::new(about_axis(&axis, q), Vec3::zeros()),
        UrdfJointKind::Prismatic => Pose::new(Mat3::identity(), axis * q),
        _ => Pose::identity(),
    }
}
