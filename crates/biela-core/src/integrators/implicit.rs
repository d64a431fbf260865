//! Code shared by the integrators that solve the equations of motion directly.

use super::control::{Trial, cubic};
use crate::forces::CoulombFriction;
use crate::keep::keeps;
use crate::methods::{Sharing, bilateral_rows};
use crate::system::{
    EvaluationContext, Loads, Response, System, SystemKinematics, Workspace, first_contact_work,
    first_driver_work,
};
use crate::unilateral::UnilateralOwner;

/// Largest number of fixed-point iterations for frictions that affect each other's normal forces.
const PASSES: usize = 50;

/// Adds friction to the forces in `ws`, at the reactions for the given accelerations and multipliers. Redundant rows share the reactions.
pub(super) fn add_friction(
    system: &dyn System,
    ws: &mut Workspace,
    rates: &[f64],
    multipliers: &[f64],
    mut sharing: Option<&mut Sharing>,
) {
    if let Some(sharing) = &mut sharing {
        sharing.prepare(system, ws);
    }
    let Workspace {
        kinematics,
        loads,
        rubbing,
        friction: efforts,
        force,
        slip,
        ..
    } = ws;
    if efforts.is_empty() && system.unilaterals().is_empty() {
        return;
    }
    let model = system.model();
    let context = EvaluationContext { model, kinematics };
    let frictions = || model.forces.iter().filter_map(|f| f.force.friction());
    efforts.fill(0.0);
    add_slip(system, kinematics, slip, multipliers, loads);
    // a reaction may contain the friction itself; iterate until they agree
    for _ in 0..PASSES {
        let mut settled = true;
        let multipliers = match &mut sharing {
            Some(sharing) => sharing.shared((system, kinematics), (loads, rates), multipliers),
            None => multipliers,
        };
        for (friction, effort) in frictions().zip(efforts.iter_mut()) {
            let cause = Response {
                loads,
                rates,
                multipliers,
                moving: true,
            };
            let (reaction, _) = system.reaction(kinematics, cause, rubbing, friction.joint());
            let renewed = friction.factor(&context) * CoulombFriction::normal(&reaction);
            let change = renewed - *effort;
            settled &= change.abs() <= 1e-13 * (1.0 + renewed.abs());
            let row = context.coordinate(friction.joint(), friction.coordinate());
            loads.add_joint(&context, friction.joint(), &row, change);
            *effort = renewed;
        }
        if settled {
            break;
        }
    }
    rubbing.clear();
    for (friction, effort) in frictions().zip(efforts.iter()) {
        let row = context.coordinate(friction.joint(), friction.coordinate());
        rubbing.add_joint(&context, friction.joint(), &row, *effort);
    }
    add_slip(system, kinematics, slip, multipliers, rubbing);
    system.generalize(kinematics, rubbing, force);
}

/// Adds the loads of the friction of slipping contacts.
fn add_slip(
    system: &dyn System,
    kinematics: &SystemKinematics,
    slip: &[[f64; 2]],
    multipliers: &[f64],
    loads: &mut Loads,
) {
    let model = system.model();
    let context = EvaluationContext { model, kinematics };
    for (i, unilateral) in system.unilaterals().iter().enumerate() {
        let memory = kinematics.inputs.contact(i);
        let normal = -multipliers[system.unilateral_row(unilateral.pressed_by(i))];
        let Some(factors) = unilateral.slip_factors(&memory, slip[i]) else {
            continue;
        };
        unilateral.visit(&context, &memory, &mut |k, joint, function| {
            if let Some(t) = k.checked_sub(unilateral.first_tangent()) {
                loads.add_joint(&context, joint, function, factors[t] * normal);
            }
        });
    }
}

/// The powers of the friction of slipping contacts.
fn slip_powers(system: &dyn System, ws: &Workspace, multipliers: &[f64], out: &mut [f64]) {
    let model = system.model();
    let first = first_contact_work(model);
    for (i, unilateral) in system.unilaterals().iter().enumerate() {
        let memory = ws.kinematics.inputs.contact(i);
        let UnilateralOwner::Contact(contact) = unilateral.owner else {
            continue;
        };
        if let Some(factors) = unilateral.slip_factors(&memory, ws.slip[i]) {
            let rate = factors[0] * ws.slip[i][0] + factors[1] * ws.slip[i][1];
            let row = system.unilateral_row(unilateral.pressed_by(i));
            out[first + contact.0] -= multipliers[row] * rate;
        }
    }
}

/// Computes the power of each work integral at the evaluation in `ws`: forces without a potential, then drivers.
pub(super) fn powers(system: &dyn System, ws: &Workspace, multipliers: &[f64], out: &mut [f64]) {
    let model = system.model();
    let context = EvaluationContext {
        model,
        kinematics: &ws.kinematics,
    };
    out.copy_from_slice(&ws.power);
    let mut slot = 0;
    let mut efforts = ws.friction.iter();
    for element in &model.forces {
        if let Some(friction) = element.force.friction() {
            let rate = context.coordinate_rate(friction.joint(), friction.coordinate());
            out[slot] += efforts.next().map_or(0.0, |effort| effort * rate);
        }
        slot += usize::from(element.force.dissipates());
    }
    // a driver delivers the power −λ ḟ; drift holds −ḟ
    let drivers = model.drivers.len();
    let first = bilateral_rows(system) - drivers;
    for d in 0..drivers {
        out[first_driver_work(model) + d] = multipliers[first + d] * ws.drift[first + d];
    }
    slip_powers(system, ws, multipliers, out);
}

/// A sequence of fixed steps that are halved where they fail, with values and slopes at both ends of the last step.
#[derive(Clone, Debug)]
pub(super) struct March {
    /// The given step, and the current one, which is smaller after a failure.
    size: f64,
    step: f64,
    /// End of the current full step. Its halves end there too, so that steps stay on their grid.
    goal: f64,
    pub(super) time: f64,
    before: f64,
    pub(super) y: Vec<f64>,
    y_before: Vec<f64>,
    pub(super) slope: Vec<f64>,
    slope_before: Vec<f64>,
}

keeps!(March: step, goal, time, before, y, y_before, slope, slope_before);

impl March {
    pub(super) fn new(size: f64, len: usize) -> Self {
        let zeros = || vec![0.0; len];
        March {
            size,
            step: size,
            goal: size,
            time: 0.0,
            before: 0.0,
            y: zeros(),
            y_before: zeros(),
            slope: zeros(),
            slope_before: zeros(),
        }
    }

    /// Starts at (t, y).
    pub(super) fn start(&mut self, time: f64, y: &[f64]) {
        (self.time, self.before, self.step) = (time, time, self.size);
        self.goal = time + self.size;
        self.y.copy_from_slice(y);
    }

    /// Returns the step to attempt.
    pub(super) fn next(&self, end: f64) -> Trial {
        // rounding errors of times accumulate: a last step that is longer by a millionth is better than an additional tiny one
        let end = if end < self.goal + 1e-6 * self.size {
            end
        } else {
            self.goal
        };
        let left = end - self.time;
        let last = self.step >= left * (1.0 - 1e-6);
        let (size, reached) = if last {
            (left, end)
        } else {
            (self.step, self.time + self.step)
        };
        Trial {
            size,
            reached,
            last,
        }
    }

    /// Halves a failed step of size `h`. Returns `false` if the result would be shorter than the fraction `least` of the given step.
    pub(super) fn halve(&mut self, h: f64, least: f64) -> bool {
        self.step = 0.5 * h;
        self.step >= least * self.size
    }

    /// Doubles the next step, up to the given step.
    pub(super) fn grow(&mut self) {
        self.step = (2.0 * self.step).min(self.size);
    }

    /// Returns the slope at the current time, and two buffers of its length.
    pub(super) fn probes(&mut self) -> (&[f64], [&mut [f64]; 2]) {
        (&self.slope, [&mut self.y_before, &mut self.slope_before])
    }

    /// Accepts the step to `next`: y and its slope may now be replaced by those at its end.
    pub(super) fn accept(&mut self, next: f64) {
        self.y_before.copy_from_slice(&self.y);
        std::mem::swap(&mut self.slope, &mut self.slope_before);
        (self.before, self.time) = (self.time, next);
        if next > self.goal - 1e-6 * self.size {
            self.goal = next + self.size;
        }
    }

    /// Evaluates the cubic Hermite interpolant of the last step.
    pub(super) fn interpolate(&self, time: f64, y: &mut [f64]) {
        let h = self.step_size();
        let s = if h > 0.0 {
            (time - self.before) / h
        } else {
            1.0
        };
        for (i, out) in y.iter_mut().enumerate() {
            let values = [self.y_before[i], self.y[i]];
            *out = cubic(s, h, values, [self.slope_before[i], self.slope[i]]);
        }
    }

    /// Returns the size of the last step.
    pub(super) fn step_size(&self) -> f64 {
        self.time - self.before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_that_fail_are_halved_to_a_limit_and_grow_again_on_their_grid() {
        let mut march = March::new(0.125, 1);
        march.start(1.0, &[0.0]);
        let step = march.next(10.0);
        assert_eq!((step.size, step.reached, step.last), (0.125, 1.125, true));
        assert!(march.halve(step.size, 0.25));
        let step = march.next(10.0);
        assert_eq!((step.size, step.last), (0.0625, false));
        assert!(march.halve(step.size, 0.25), "a quarter is still allowed");
        assert!(!march.halve(0.03125, 0.25), "an eighth is not");
        march.grow();
        assert_eq!(march.next(10.0).size, 0.03125);
        for _ in 0..5 {
            march.grow();
        }
        // not longer than the remainder of the full step, and not beyond the end
        assert_eq!(march.next(10.0).reached, 1.125);
        assert_eq!(march.next(1.04).reached, 1.04);
    }
}
