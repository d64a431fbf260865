//! The measured coordinates of joints that are coordinates of the tree.

use crate::model::{JointElement, Model, Space};
use crate::tree::Tree;

/// The scalar coordinates of a joint among those of a tree: the first position, the first velocity, and their number, zero for other joints.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OwnCoordinates {
    pub(super) q: usize,
    pub(super) v: usize,
    pub(super) scalars: usize,
}

/// Who counts the turns of an angle.
#[derive(Clone, Copy, Debug)]
pub(super) enum TurnCounter {
    /// The angle is this position coordinate.
    Coordinate(usize),
    /// The planar angles of its bodies.
    Bodies,
}

/// Returns the coordinates of each joint of the tree.
pub(super) fn own_coordinates(model: &Model, tree: &Tree) -> Vec<OwnCoordinates> {
    let mut own = vec![OwnCoordinates::default(); model.joints.len()];
    for link in &tree.links {
        if let Some(j) = link.element {
            let (q, v, scalars) = (link.q, link.v, link.shape.scalars);
            own[j.0] = OwnCoordinates { q, v, scalars };
        }
    }
    own
}

/// Returns the angles of each joint whose turns are known from coordinates or planar bodies.
pub(super) fn known_angles(
    model: &Model,
    own: &[OwnCoordinates],
) -> Vec<Vec<(usize, TurnCounter)>> {
    let of_joint = |(element, own): (&JointElement, &OwnCoordinates)| {
        let coordinates = element.joint.coordinates(model.space);
        let angular = coordinates.iter().enumerate().filter(|(_, c)| c.angular);
        let counted = angular.enumerate().filter_map(|(slot, (k, c))| {
            if k < own.scalars {
                return Some((slot, TurnCounter::Coordinate(own.q + k)));
            }
            let by_bodies = model.space == Space::Planar && c.turning;
            by_bodies.then_some((slot, TurnCounter::Bodies))
        });
        counted.collect()
    };
    model.joints.iter().zip(own).map(of_joint).collect()
}

/// Whether every measured angle is a coordinate.
pub(super) fn coordinates_count_turns(model: &Model, own: &[OwnCoordinates]) -> bool {
    let mut joints = model.joints.iter().zip(own);
    joints.all(|(element, own)| {
        let coordinates = element.joint.coordinates(model.space);
        let beyond = coordinates.iter().skip(own.scalars);
        beyond.into_iter().all(|coordinate| !coordinate.angular)
    })
}
