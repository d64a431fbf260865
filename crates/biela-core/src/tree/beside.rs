//! The same model in absolute coordinates, for comparisons in tests.

use super::{Tree, TreeWorkspace, pose_of, velocities, velocity_of};
use crate::element::Arguments;
use crate::joints::Relative;
use crate::math::rotation::cross;
use crate::math::{Pose, Vec3};
use crate::methods::{self, Solution};
use crate::model::{BodyIndex, Model};
use crate::system::{Absolute, BodyMotion, System, SystemKinematics, Workspace as Evaluation};

/// Returns the motion of the bodies for a motion of the tree.
pub(crate) fn motions(model: &Model, tree: &Tree, q: &[f64], v: &[f64]) -> SystemKinematics {
    let mut ws = TreeWorkspace::new(tree);
    velocities(tree, &mut ws, q, v);
    let mut out = SystemKinematics::new(model);
    for (b, body) in model.bodies.iter().enumerate() {
        let place = &tree.places[b];
        let pose = pose_of(&ws, place);
        let moving = velocity_of(&ws, place);
        let arm = pose.R * body.mass.center;
        out.bodies[b] = BodyMotion {
            R: pose.R,
            r: pose.p + arm,
            v: moving.v + cross(&moving.w, &arm),
            w: moving.w,
            angle: pose.R[(1, 0)].atan2(pose.R[(0, 0)]),
        };
    }
    out.update_joints(model, &vec![0.0; 3 * model.joints.len()]);
    out
}

/// The model in absolute coordinates, in the state of the tree.
pub(crate) fn absolute(model: Model, tree: &Tree, q: &[f64], v: &[f64]) -> (Absolute, Evaluation) {
    let kinematics = motions(&model, tree, q, v);
    let turns = vec![0.0; 3 * model.joints.len()];
    let system = Absolute::new(model);
    let sizes = system.sizes();
    let (mut x, mut u) = (vec![0.0; sizes.positions], vec![0.0; sizes.velocities]);
    system.coordinates(&kinematics, &mut x, &mut u);
    let mut ws = Evaluation::new(&system);
    system.update(0.0, &x, &u, &turns, &mut ws.kinematics);
    (system, ws)
}

/// Computes accelerations and multipliers of the absolute formulation.
pub(crate) fn solve_absolute(system: &Absolute, ws: &mut Evaluation) -> Solution {
    let arguments = Arguments::new(system.model().space);
    let active = vec![true; system.sizes().rows];
    let mut method = methods::build("augmented", &arguments, system, &active)
        .unwrap()
        .unwrap();
    let mut out = Solution::new(system);
    method.solve(system, ws, &mut out).unwrap();
    out
}

/// Returns the joint coordinates of a tree at the poses of the bodies.
pub(crate) fn locate(model: &Model, tree: &Tree, kinematics: &SystemKinematics) -> Vec<f64> {
    let mut q = vec![0.0; tree.positions];
    for branch in &tree.span.branches {
        let link = tree.places[branch.body].link.map(|i| &tree.links[i]);
        let Some(link) = link.filter(|link| link.element == branch.joint) else {
            continue;
        };
        let relative = branch.joint.map_or_else(
            || {
                let body = (BodyIndex(branch.body), Pose::identity());
                let frame = kinematics.frame(model, body);
                Relative::at_rest(frame.R, frame.p)
            },
            |j| kinematics.joints[j.0].rel,
        );
        link.joint
            .locate(model.space, &relative, &mut q[link.positions()]);
    }
    q
}

/// Returns the acceleration of the mass centre and the angular acceleration of each body.
pub(crate) fn accelerations_of_bodies(
    system: &Absolute,
    ws: &Evaluation,
    solution: &Solution,
) -> Vec<(Vec3<f64>, Vec3<f64>)> {
    (0..system.model().bodies.len())
        .map(|b| system.body_acceleration(&ws.kinematics, &solution.rates, b))
        .collect()
}
