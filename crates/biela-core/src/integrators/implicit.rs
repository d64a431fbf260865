//! What integrators that solve the equations of motion themselves share.

use crate::forces::CoulombFriction;
use crate::system::{Scene, System, Workspace, joint_reaction};

/// Adds friction at the given multipliers to the forces in `ws`.
pub(super) fn add_friction(system: &dyn System, ws: &mut Workspace, multipliers: &[f64]) {
    let Workspace {
        kinematics,
        loads,
        force,
        ..
    } = ws;
    let model = system.model();
    let scene = Scene { model, kinematics };
    let mut rubs = false;
    for friction in model.forces.iter().filter_map(|f| f.force.friction()) {
        if !std::mem::replace(&mut rubs, true) {
            loads.clear();
        }
        let row = scene.coordinate(friction.joint(), friction.coordinate());
        let effort = friction.factor(&scene) * normal(system, &scene, multipliers, friction);
        loads.add_joint(&scene, friction.joint(), &row, effort);
    }
    if rubs {
        system.generalize(kinematics, loads, force);
    }
}

fn normal(
    system: &dyn System,
    scene: &Scene<'_>,
    multipliers: &[f64],
    friction: &CoulombFriction,
) -> f64 {
    let (reaction, _) = joint_reaction(scene, system.rows(), multipliers, friction.joint());
    CoulombFriction::normal(&reaction)
}

/// Power of each work integral at the evaluation in `ws`: forces without potential, then drivers.
pub(super) fn powers(system: &dyn System, ws: &Workspace, multipliers: &[f64], out: &mut [f64]) {
    let model = system.model();
    let scene = Scene {
        model,
        kinematics: &ws.kinematics,
    };
    out.copy_from_slice(&ws.power);
    let mut slot = 0;
    for element in &model.forces {
        if let Some(friction) = element.force.friction() {
            let rate = scene.coordinate_rate(friction.joint(), friction.coordinate());
            let pressing = normal(system, &scene, multipliers, friction);
            out[slot] += friction.factor(&scene) * pressing * rate;
        }
        slot += usize::from(element.force.dissipates());
    }
    // a driver delivers −λ ḟ; drift holds −ḟ
    let (drivers, rows) = (model.drivers.len(), multipliers.len());
    for d in 0..drivers {
        out[slot + d] = multipliers[rows - drivers + d] * ws.drift[rows - drivers + d];
    }
}
