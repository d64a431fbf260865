//! Determines which links are bodies, and which are frames of bodies.

use biela_core::math::rotation::about_axis;
use biela_core::math::{Mat3, Pose, Vec3};

use super::arrange::Tree;
use super::robot::{Joint, Kind, Robot};
use super::{Base, Options};

/// The body and pose of a link.
#[derive(Clone, Copy)]
pub(super) struct Carried {
    /// The link whose body contains it, itself if it is a body; `None` for the ground.
    pub(super) body: Option<usize>,
    /// Its frame in the frame of that body.
    pub(super) pose: Pose,
}

/// Returns the body and pose of each link.
pub(super) fn carriers(robot: &Robot<'_>, tree: &Tree, options: Options) -> Vec<Carried> {
    let ground = Carried {
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
            Some(offset) if robot.links[link].is_massless() => Carried {
                body: parent.body,
                pose: parent.pose.then(&offset),
            },
            _ => Carried {
                body: Some(link),
                pose: Pose::identity(),
            },
        };
    }
    carried
}

/// The pose of the child in the parent if the joint does not move.
pub(super) fn rigid_offset(joint: &Joint<'_>, held: bool, start: f64) -> Option<Pose> {
    match joint.kind {
        Kind::Fixed => Some(joint.origin),
        _ if !held => None,
        kind => Some(joint.origin.then(&moved(joint, kind, start))),
    }
}

/// X_motion of a joint.
fn moved(joint: &Joint<'_>, kind: Kind, q: f64) -> Pose {
    let axis = joint.axis.normalize();
    match kind {
        Kind::Turn if q != 0.0 => Pose::new(about_axis(&axis, q), Vec3::zeros()),
        Kind::Prismatic => Pose::new(Mat3::identity(), axis * q),
        _ => Pose::identity(),
    }
}
