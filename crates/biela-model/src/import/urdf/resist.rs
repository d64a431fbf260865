//! Joints without inertia, whose acceleration is undetermined.

use biela_core::joints::{Free, Joint as CoreJoint, Planar, Prismatic, Revolute, Weld};
use biela_core::math::rotation::aligning;
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{Body, BodyIndex, MarkerIndex, MassProperties, Model, Space};
use biela_core::tree::{self, unresisted};

use super::arrange::LinkTree;
use super::robot::{Inertial, UrdfJoint, UrdfJointKind, UrdfRobot};
use super::{Base, UrdfOptions};

/// Returns the joints of a robot without inertia; `None` represents a floating base.
pub(super) fn loose_joints(
    robot: &UrdfRobot<'_>,
    tree: &LinkTree,
    options: UrdfOptions,
) -> Vec<Option<usize>> {
    let (model, joints) = bare_model(robot, tree, options);
    let mut tree = tree::Tree::spanning(&model);
    let mut loose = Vec::new();
    while let Some(link) = unresisted(&tree) {
        let element = tree.links[link].element;
        loose.push(element.and_then(|element| joints[element.0]));
        // the search continues as if this joint were locked
        let held = tree.links[link].velocities();
        tree.armature[held].fill(1.0);
    }
    loose
}

/// A model of bodies and joints only, and the robot joint of each of its joints; the first is that of the base.
fn bare_model(
    robot: &UrdfRobot<'_>,
    tree: &LinkTree,
    options: UrdfOptions,
) -> (Model, Vec<Option<usize>>) {
    let mut model = Model::new("robot", Space::Spatial);
    let mut joints = Vec::new();
    let mut bodies = vec![BodyIndex::GROUND; robot.links.len()];
    for &link in &tree.order {
        let entry = &robot.links[link];
        let mass = entry.inertial.as_ref().and_then(properties);
        let mass = mass.unwrap_or_else(|| MassProperties::massless(Vec3::zeros()));
        bodies[link] = model.add_body(Body::new(entry.name.value, mass));
        let own = MarkerIndex(model.markers.len() - 1);
        let carrier = tree.parent[link].map_or(BodyIndex::GROUND, |parent| bodies[parent]);
        let joint = tree.joint[link].map(|j| &robot.joints[j]);
        let (kind, turn) = joint.map_or_else(|| (base(options), Mat3::identity()), motion);
        let origin = joint.map_or_else(Pose::identity, |joint| joint.origin);
        let first = model.add_marker("origin", carrier, origin);
        let index = model.add_joint("", kind, [first, own], &turn);
        model.joints[index.0].armature = joint.map_or(0.0, |joint| joint.armature);
        joints.push(tree.joint[link]);
    }
    (model, joints)
}

/// The joint of the base.
fn base(options: UrdfOptions) -> CoreJoint {
    match options.base {
        Base::Fixed => CoreJoint::Weld(Weld),
        Base::Floating => CoreJoint::Free(Free),
    }
}

/// The joint, and the rotation of its frames that aligns its axis with the description.
fn motion(joint: &UrdfJoint<'_>) -> (CoreJoint, Mat3<f64>) {
    let along = |k: usize| aligning(k, &joint.axis.normalize());
    match joint.kind {
        UrdfJointKind::Fixed => (CoreJoint::Weld(Weld), Mat3::identity()),
        UrdfJointKind::Turn => (CoreJoint::Revolute(Revolute), along(2)),
        UrdfJointKind::Prismatic => (CoreJoint::Prismatic(Prismatic), along(0)),
        UrdfJointKind::Planar => (CoreJoint::Planar(Planar), along(2)),
        UrdfJointKind::Floating => (CoreJoint::Free(Free), Mat3::identity()),
    }
}

fn properties(inertial: &Inertial<'_>) -> Option<MassProperties> {
    MassProperties::unphysical(inertial.mass, inertial.center, inertial.inertia).ok()
}
