//! Initial poses of bodies, before constraints are solved.

use std::f64::consts::PI;

use super::{AssemblyDisplacement, model_size};
use crate::joints::{Joint, MAX_POSITIONS};
use crate::math::rotation::{cross, normalized, transposed_product};
use crate::math::{Mat3, Pose, Random};
use crate::model::{BodyIndex, JointElement, Model, Space};
use crate::system::{System, SystemKinematics};

/// Places every body: at its own pose, or along a joint from a body that has one. Returns notes on arbitrary choices.
pub(super) fn place(model: &Model, kinematics: &mut SystemKinematics) -> Vec<String> {
    let mut poses: Vec<Option<Pose>> = model.bodies.iter().map(|b| b.start.pose).collect();
    let mut notes = Vec::new();
    let all = 0..model.joints.len();
    let all: Vec<usize> = all
        .filter(|j| model.joints[*j].connects(model.space))
        .collect();
    let island = |b: usize| {
        notes.push(format!(
            "body `{}` has no initial pose, and no joint connects it to a body that has one; it starts at the origin",
            model.bodies[b].name
        ));
        Pose::identity()
    };
    let across = |j: usize| joint_pose(model, &model.joints[j]);
    spread(model, &all, &mut poses, across, island);
    for (b, body) in model.bodies.iter().enumerate() {
        let Some(pose) = poses[b] else { continue };
        let (linear, angular) = body
            .velocity
            .map_or_else(Default::default, |v| (v.linear, v.angular));
        put(model, b, &pose, kinematics);
        let s = pose.R * body.mass.center;
        kinematics.bodies[b].v = linear + cross(&angular, &s);
        kinematics.bodies[b].w = angular;
    }
    notes
}

/// Sets the pose of a body; its velocity is kept.
fn put(model: &Model, b: usize, pose: &Pose, kinematics: &mut SystemKinematics) {
    let motion = &mut kinematics.bodies[b];
    motion.R = pose.R;
    motion.r = pose.p + pose.R * model.bodies[b].mass.center;
    motion.angle = match model.space {
        Space::Planar => pose.R[(1, 0)].atan2(pose.R[(0, 0)]),
        Space::Spatial => 0.0,
    };
}

/// Assigns every body a pose: along one of these joints from a body that has one, or, if no joint leads to it, that of `island`.
fn spread(
    model: &Model,
    joints: &[usize],
    poses: &mut [Option<Pose>],
    mut across: impl FnMut(usize) -> Pose,
    mut island: impl FnMut(usize) -> Pose,
) {
    loop {
        let mut placed_one = false;
        for &j in joints {
            let element = &model.joints[j];
            let first = pose_of(poses, element.first.0);
            let second = pose_of(poses, element.second.0);
            match (first, second) {
                (Some(a), None) => {
                    // X_B = X_A X_AF X_FM X_BM⁻¹
                    let m = a.then(&element.first.1).then(&across(j));
                    set(poses, element.second.0, m.then(&element.second.1.inverse()));
                    placed_one = true;
                }
                (None, Some(b)) => {
                    let f = b.then(&element.second.1).then(&across(j).inverse());
                    set(poses, element.first.0, f.then(&element.first.1.inverse()));
                    placed_one = true;
                }
                _ => {}
            }
        }
        if placed_one {
            continue;
        }
        let Some(b) = poses.iter().position(Option::is_none) else {
            break;
        };
        poses[b] = Some(island(b));
    }
}

/// The random perturbation of joints before a model is placed.
pub(super) struct Shake {
    /// Angles, as a fraction of half a turn.
    pub(super) share: f64,
    /// Lengths, m.
    pub(super) length: f64,
}

/// Places the bodies along the joints of a random tree, each at the coordinates closest to its current pose, with random perturbations; only joints outside the
/// tree remain open. Bodies of beams keep their poses.
pub(super) fn put_together(
    model: &Model,
    kinematics: &mut SystemKinematics,
    random: &mut Random,
    shake: &Shake,
) {
    let here: Vec<Pose> = (kinematics.bodies.iter().zip(&model.bodies))
        .map(|(motion, body)| Pose::new(motion.R, motion.r - motion.R * body.mass.center))
        .collect();
    let mut held: Vec<bool> = model.bodies.iter().map(|b| b.station.is_some()).collect();
    for node in model.exact_beams.iter().flat_map(|beam| &beam.nodes) {
        held[node.0] = true;
    }
    let has_tree = |j: &usize| model.joints[*j].joint.shape(model.space).tree.is_some();
    let mut tree: Vec<usize> = (0..model.joints.len()).filter(has_tree).collect();
    let first = random.below(tree.len());
    tree.rotate_left(first);
    let mut poses: Vec<Option<Pose>> = (held.iter().zip(&here))
        .map(|(held, pose)| held.then_some(*pose))
        .collect();
    let across = |j: usize| shaken(model, j, kinematics, random, shake);
    spread(model, &tree, &mut poses, across, |b| here[b]);
    for (b, pose) in poses.iter().enumerate() {
        if let Some(pose) = pose {
            put(model, b, pose, kinematics);
        }
    }
}

/// Returns a relative pose across a joint near the current one, perturbed along its coordinates.
fn shaken(
    model: &Model,
    j: usize,
    kinematics: &SystemKinematics,
    random: &mut Random,
    shake: &Shake,
) -> Pose {
    let joint = &model.joints[j].joint;
    let mut q = [0.0; MAX_POSITIONS];
    let Some(tree) = joint.shape(model.space).tree else {
        return Pose::identity();
    };
    let n = tree.positions();
    joint.locate(model.space, &kinematics.joints[j].rel, &mut q[..n]);
    let angular = joint.coordinates(model.space).iter().map(|c| c.angular);
    for (x, angular) in q[..tree.scalars].iter_mut().zip(angular) {
        let most = if angular {
            PI * shake.share
        } else {
            shake.length
        };
        *x += random.symmetric(most);
    }
    if tree.rotation {
        let e: [f64; 4] =
            std::array::from_fn(|i| q[tree.scalars + i] + random.symmetric(shake.share));
        q[tree.scalars..n].copy_from_slice(&normalized(&e));
    }
    joint.pose(model.space, &q[..n])
}

/// Returns the first joint of `which` that satisfies its constraints in a pose that its coordinates cannot represent: a reversed axis, a weld rotated by half
/// a turn.
pub(super) fn reversed(
    model: &Model,
    kinematics: &SystemKinematics,
    which: impl Fn(usize) -> bool,
) -> Option<usize> {
    (0..model.joints.len()).filter(|&j| which(j)).find(|&j| {
        let (joint, rel) = (&model.joints[j].joint, &kinematics.joints[j].rel);
        let Some(tree) = joint.shape(model.space).tree else {
            return false;
        };
        let mut q = [0.0; MAX_POSITIONS];
        joint.locate(model.space, rel, &mut q[..tree.positions()]);
        let pose = joint.pose(model.space, &q[..tree.positions()]);
        let off = (pose.R - rel.R).norm();
        // the error of a reversed axis is 2 or more; an undefined pose counts as reversed
        off.is_nan() || off > 1.0
    })
}

fn pose_of(poses: &[Option<Pose>], body: BodyIndex) -> Option<Pose> {
    body.number().map_or(Some(Pose::identity()), |b| poses[b])
}

fn set(poses: &mut [Option<Pose>], body: BodyIndex, pose: Pose) {
    if let Some(b) = body.number() {
        poses[b] = Some(pose);
    }
}

/// Returns the relative pose across a joint at its initial coordinates; coincident frames if it has no tree view.
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
    let mut pose = element.joint.pose(model.space, &q);
    if tree.rotation {
        turn_by_given_angles(model, element, tree.scalars, &mut pose);
    }
    pose
}

/// Starts a free rotation at the dextral angles given by the user.
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

/// Sets values near the initial counted angles: those given by the user, otherwise zero. Beam sliders start at the given location, otherwise at the
/// closest one.
pub(super) fn start_turns(model: &Model, kinematics: &SystemKinematics, turns: &mut [f64]) {
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

/// Sets the offset of couplers without one to the value of the initial configuration.
pub(super) fn fix_coupler_offsets(model: &mut Model, kinematics: &SystemKinematics) {
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

/// A displacement below this, in radians and relative to the size of the model and the distance from the origin, is rounding error.
const MOVED: f64 = 1e-9;

/// Welds with a larger initial rotation between their frames than this are listed, rad.
const TWISTED: f64 = 0.1;

/// Describes welds whose frames are rotated relative to each other in the initial poses.
pub(super) fn twisted_welds(model: &Model, kinematics: &SystemKinematics) -> Vec<String> {
    let welds = model.joints.iter().zip(&kinematics.joints);
    let welds = welds.filter(|(element, _)| matches!(element.joint, Joint::Weld(_)));
    welds
        .filter_map(|(element, motion)| {
            let angle = turn_angle(&motion.rel.R);
            (angle > TWISTED).then(|| {
                format!(
                    "the initial orientations of the two frames of weld `{}` differ by {} deg, and assembly rotates a body by this angle. Correct the orientation of a frame or of a body",
                    element.name,
                    super::amount(angle.to_degrees())
                )
            })
        })
        .collect()
}

/// Returns the angle of a rotation.
fn turn_angle(turn: &Mat3<f64>) -> f64 {
    let sine = (turn - turn.transpose()).norm() / 8.0_f64.sqrt();
    sine.atan2((turn.trace() - 1.0) / 2.0)
}

/// Returns the displacement of each body between two sets of poses.
pub(super) fn changes(
    system: &dyn System,
    before: &SystemKinematics,
    after: &SystemKinematics,
) -> Vec<AssemblyDisplacement> {
    let model = system.model();
    let size = model_size(system);
    let mut list = Vec::new();
    let bodies = model.bodies.iter().enumerate();
    for (b, body) in bodies.filter(|(_, body)| !body.is_candidate) {
        let (a, c) = (&before.bodies[b], &after.bodies[b]);
        let turn = transposed_product(&a.R, &c.R);
        let angle = match model.space {
            Space::Planar => (c.angle - a.angle).abs(),
            Space::Spatial => turn_angle(&turn),
        };
        let distance = (c.r - a.r).norm();
        let beyond = |x: f64, rounding: f64| if x > rounding { x } else { 0.0 };
        let distance = beyond(distance, MOVED * (size + c.r.norm()));
        let angle = beyond(angle, MOVED);
        if distance > 0.0 || angle > 0.0 {
            list.push(AssemblyDisplacement {
                body: body.name.clone(),
                distance,
                angle,
                given: body.start.pose.is_some(),
            });
        }
    }
    list
}
