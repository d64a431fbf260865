//! Forces as loads on bodies, the same in all formulations.

use super::{EvaluationContext, Loads, NotFinite, RowLabel, SystemKinematics, not_finite, spin};
use crate::model::Model;

/// Returns the number of forces with a work integral.
pub(super) fn num_dissipating(model: &Model) -> usize {
    let forces = model.forces.iter();
    forces.filter(|f| f.force.dissipates()).count()
}

/// Adds weight and all forces to `loads`, and computes the power of those without a potential; `rows` are those of the system.
pub(super) fn apply(
    (model, rows): (&Model, &[RowLabel]),
    kinematics: &SystemKinematics,
    loads: &mut Loads,
    power: &mut [f64],
) -> Result<(), NotFinite> {
    let context = EvaluationContext { model, kinematics };
    loads.clear();
    for (force, body) in loads.force.iter_mut().zip(&model.bodies) {
        *force = model.gravity * body.mass.mass;
    }
    if model.spin != 0.0 {
        spin::add_loads(model, kinematics, loads);
    }
    if kinematics.inputs.load_share != 1.0 {
        let forces = || model.forces.iter().map(|element| &element.force);
        for force in forces().filter(|force| force.is_load()) {
            force.apply(&context, loads);
        }
        loads.scale(kinematics.inputs.load_share);
        for force in forces().filter(|force| !force.is_load()) {
            force.apply(&context, loads);
        }
        // loads are increased at rest
        power.fill(0.0);
        return check(&context, rows, loads, 0.0);
    }
    let (mut slot, mut total) = (0, 0.0);
    for element in &model.forces {
        if kinematics.inputs.without_tangents && element.force.has_tangent() {
            continue;
        }
        element.force.apply(&context, loads);
        let delivered = loads.take_power();
        total += delivered;
        if element.force.dissipates() {
            power[slot] = delivered;
            slot += 1;
        }
    }
    check(&context, rows, loads, total)
}

/// Computes generalised forces and powers where every force [is generalized](crate::forces::Force::is_generalized), and returns the sum of the powers.
pub(super) fn apply_generalized(
    model: &Model,
    kinematics: &SystemKinematics,
    loads: &mut Loads,
    power: &mut [f64],
) -> f64 {
    let context = EvaluationContext { model, kinematics };
    loads.along.fill(0.0);
    let (mut slot, mut total) = (0, 0.0);
    for element in &model.forces {
        element.force.apply(&context, loads);
        let delivered = loads.take_power();
        total += delivered;
        if element.force.dissipates() {
            power[slot] = delivered;
            slot += 1;
        }
    }
    total
}

/// Checks that loads and powers are finite.
fn check(
    context: &EvaluationContext<'_>,
    rows: &[RowLabel],
    loads: &mut Loads,
    power: f64,
) -> Result<(), NotFinite> {
    if not_finite::are_finite(loads) && power.is_finite() {
        Ok(())
    } else {
        Err(not_finite::force(context, rows, loads))
    }
}
