//! Where bodies start, before equations are solved.

use super::Change;
use crate::joints::{Across, MAX_FREEDOM, MAX_POSITIONS};
use crate::math::Pose;
use crate::math::rotation::{cross, transposed_product};
use crate::model::{BodyIndex, JointElement, Model, Space};
use crate::system::{BodyMotion, Kinematics, System};

/// Places every body: at its own pose, or along a joint from a body that has one. Returns what was left to chance.
pub(super) fn place(model: &Model, kinematics: &mut Kinematics) -> Vec<String> {
    let mut poses: Vec<Option<Pose>> = model.bodies.iter().map(|b| b.start.pose).collect();
    let mut notes = Vec::new();
    loop {
        let mut placed_one = false;
        for element in &model.joints {
            let first = pose_of(&poses, element.first.0);
            let second = pose_of(&poses, element.second.0);
            let across = || joint_pose(model, element);
            match (first, second) {
                (Some(a), None) => {
                    // X_B = X_A X_AF X_FM X_BM⁻¹
                    let m = a.then(&element.first.1).then(&across());
                    set(
                        &mut poses,
                        element.second.0,
                        m.then(&element.second.1.inverse()),
                    );
                    placed_one = true;
                }
                (None, Some(b)) => {
                    let f = b.then(&element.second.1).then(&across().inverse());
                    set(
                        &mut poses,
                        element.first.0,
                        f.then(&element.first.1.inverse()),
                    );
                    placed_one = true;
                }
                _ => {}
            }
        }
        if placed_one {
            continue;
        }
        // an island without a pose starts at the origin
        let Some(b) = poses.iter().position(Option::is_none) else {
            break;
        };
        poses[b] = Some(Pose::identity());
        notes.push(format!(
            "body `{}` has no pose and no joint that leads to it; it starts at the origin",
            model.bodies[b].name
        ));
    }
    for (b, body) in model.bodies.iter().enumerate() {
        let Some(pose) = poses[b] else { continue };
        let (linear, angular) = body
            .velocity
            .map_or_else(Default::default, |v| (v.linear, v.angular));
        let s = pose.R * body.mass.center;
        kinematics.bodies[b] = BodyMotion {
            R: pose.R,
            r: pose.p + s,
            v: linear + cross(&angular, &s),
            w: angular,
            angle: match model.space {
                Space::Planar => pose.R[(1, 0)].atan2(pose.R[(0, 0)]),
                Space::Spatial => 0.0,
            },
        };
    }
    notes
}

fn pose_of(poses: &[Option<Pose>], body: BodyIndex) -> Option<Pose> {
    body.number().map_or(Some(Pose::identity()), |b| poses[b])
}

fn set(poses: &mut [Option<Pose>], body: BodyIndex, pose: Pose) {
    if let Some(b) = body.number() {
        poses[b] = Some(pose);
    }
}

/// Relative pose across a joint at its starting coordinates; coincident frames where it has no tree view.
fn joint_pose(model: &Model, element: &JointElement) -> Pose {
    let Some(tree) = element.joint.shape(model.space).tree else {
        return Pose::identity();
    };
    let mut q = [0.0; MAX_POSITIONS];
    if tree.rotation {
        q[tree.scalars] = 1.0;
    }
    for start in &element.initial {
        if let (Some(value), true) = (start.value, start.coordinate < tree.scalars) {
            q[start.coordinate] = value;
        }
    }
    let mut across = Across::new();
    element
        .joint
        .across(model.space, &q, &[0.0; MAX_FREEDOM], &mut across);
    let mut pose = Pose {
        R: across.R,
        p: across.p,
    };
    if tree.rotation {
        turn_by_given_angles(model, element, tree.scalars, &mut pose);
    }
    pose
}

/// Where the rotation is free and the user gave dextral angles, starts there.
fn turn_by_given_angles(model: &Model, element: &JointElement, scalars: usize, pose: &mut Pose) {
    let names = ["alpha", "beta", "gamma"];
    let mut angles = crate::math::Vec3::zeros();
    for start in &element.initial {
        let coordinate = element.joint.coordinates(model.space)[start.coordinate];
        let which = names.iter().position(|n| *n == coordinate.name);
        if let (Some(i), Some(value), true) = (which, start.value, start.coordinate >= scalars) {
            angles[i] = value;
        }
    }
    pose.R = crate::math::rotation::from_dextral(&angles);
}

/// Numbers near the starting values of counted angles: what the user gave, else zero. Sliders along beams start where the user said, else at the
/// place next to them.
pub(super) fn start_turns(model: &Model, kinematics: &Kinematics, turns: &mut [f64]) {
    for (j, element) in model.joints.iter().enumerate() {
        let coordinates = element.joint.coordinates(model.space);
        let angles = coordinates.iter().enumerate().filter(|(_, c)| c.angular);
        for (slot, (k, coordinate)) in angles.enumerate() {
            let given = element
                .initial
                .iter()
                .find(|s| s.coordinate == k)
                .and_then(|s| s.value);
            let beyond = if coordinate.turning {
                kinematics.relative_turn(element)
            } else {
                0.0
            };
            turns[3 * j + slot] = given.unwrap_or(0.0) - beyond;
        }
    }
    for (place, joint) in kinematics.first_places(model) {
        let mut starts = model.joints[joint].initial.iter();
        turns[3 * joint] = starts.find_map(|s| s.value).unwrap_or(place);
    }
}

/// Gives couplers without an offset the one that holds where the bodies start.
pub(super) fn fix_coupler_offsets(model: &mut Model, kinematics: &Kinematics) {
    for c in 0..model.couplers.len() {
        if model.couplers[c].offset.is_none() {
            let value = |&(joint, k, factor): &(crate::model::JointIndex, usize, f64)| {
                let rel = &kinematics.joints[joint.0].rel;
                factor
                    * model.joints[joint.0]
                        .joint
                        .coordinate(model.space, k, rel)
                        .phi
            };
            let offset = model.couplers[c].terms.iter().map(value).sum();
            model.couplers[c].offset = Some(offset);
        }
    }
}

/// How far each body moved between two sets of poses.
pub(super) fn changes(system: &dyn System, before: &Kinematics, after: &Kinematics) -> Vec<Change> {
    let model = system.model();
    let mut list = Vec::new();
    for (b, body) in model.bodies.iter().enumerate() {
        let (a, c) = (&before.bodies[b], &after.bodies[b]);
        let turn = transposed_product(&a.R, &c.R);
        let angle = match model.space {
            Space::Planar => (c.angle - a.angle).abs(),
            Space::Spatial => {
                let sine = (turn - turn.transpose()).norm() / 8.0_f64.sqrt();
                sine.atan2((turn.trace() - 1.0) / 2.0)
            }
        };
        let distance = (c.r - a.r).norm();
        if distance > 1e-9 || angle > 1e-9 {
            list.push(Change {
                body: body.name.clone(),
                distance,
                angle,
            });
        }
    }
    list
}
