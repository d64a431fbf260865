//! Forces as loads on bodies, the same in every formulation.

use super::{Kinematics, Loads, NotFinite, Scene, spin};
use crate::model::Model;

/// How many forces have a work integral.
pub(super) fn num_dissipating(model: &Model) -> usize {
    let forces = model.forces.iter();
    forces.filter(|f| f.force.dissipates()).count()
}

/// Weight and all forces into `loads`, and the power of those without potential.
pub(super) fn apply(
    model: &Model,
    kinematics: &Kinematics,
    loads: &mut Loads,
    power: &mut [f64],
) -> Result<(), NotFinite> {
    let scene = Scene { model, kinematics };
    loads.clear();
    for (b, body) in model.bodies.iter().enumerate() {
        loads.force[b] = model.gravity * body.mass.mass;
    }
    if model.spin != 0.0 {
        spin::add_loads(model, kinematics, loads);
    }
    if kinematics.load_share != 1.0 {
        let forces = || model.forces.iter().map(|element| &element.force);
        for force in forces().filter(|force| force.is_load()) {
            force.apply(&scene, loads);
        }
        loads.scale(kinematics.load_share);
        for force in forces().filter(|force| !force.is_load()) {
            force.apply(&scene, loads);
        }
        // loads are brought on at rest
        power.fill(0.0);
        return check(&scene, loads);
    }
    let mut slot = 0;
    for element in &model.forces {
        element.force.apply(&scene, loads);
        let delivered = loads.take_power();
        if element.force.dissipates() {
            power[slot] = delivered;
            slot += 1;
        }
    }
    check(&scene, loads)
}

fn check(scene: &Scene<'_>, loads: &mut Loads) -> Result<(), NotFinite> {
    if finite(loads) {
        Ok(())
    } else {
        Err(blame(scene, loads))
    }
}

/// Finds the force whose loads are not finite.
fn blame(scene: &Scene<'_>, loads: &mut Loads) -> NotFinite {
    for element in &scene.model.forces {
        loads.clear();
        element.force.apply(scene, loads);
        if !finite(loads) {
            return NotFinite {
                element: format!("force `{}`", element.name),
                time: scene.time(),
                advice: element.force.advice(),
            };
        }
    }
    NotFinite {
        element: "the motion".to_owned(),
        time: scene.time(),
        advice: "it has grown without bound; a smaller step or tolerance may help",
    }
}

fn finite(loads: &Loads) -> bool {
    let all = loads.force.iter().chain(&loads.torque);
    let on_bodies: f64 = all.map(|x| x[0] + x[1] + x[2]).sum();
    let on_nodes: f64 = loads.nodes.iter().flatten().sum();
    (on_bodies + on_nodes).is_finite()
}
