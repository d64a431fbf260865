//! Switching points: contact with a stop, a discontinuity or kink of a formula of signals, or a reversal of the normal force of
//! a friction element. A step that passes one is repeated up to it, because integrators assume smooth forces.

use super::corners::slack;
use super::{IntegrationError, Simulation, Study};
use crate::forces::CoulombFriction;
use crate::integrators;
use crate::keep::keeps;
use crate::methods::Pressing;
use crate::model::{Law, Signal};
use crate::system::{EvaluationContext, named, num_frictions};

/// A kink closer than this to an end of a step, as a fraction of the step, is harmless: its error decreases with the square of the distance.
const NEAR: f64 = 1e-4;

/// At rest on a switching point, values fluctuate by rounding error: a step that passes it by less than this (m, rad, …) is ignored.
const TREMBLE: f64 = 1e-12;

/// A normal force that reverses its direction has a kink if it falls below this fraction of its magnitude.
const PINCHED: f64 = 0.1;

/// A discontinuity that recurs this many times, each time within [`SOON`], chatters: steps no longer stop at it.
const OFTEN: u32 = 20;

/// Duration that counts as soon after a discontinuity, as a multiple of the crossing time.
const SOON: f64 = 1e4;

/// Returns the crossing time of a discontinuity: steps end this long before and after it, so that every step is on one side of it.
fn crossing(time: f64) -> f64 {
    10.0 * slack(time)
}

/// The switching points of a run.
#[derive(Clone, Debug)]
pub(super) struct Touches {
    /// Forces with a switching function of their own, a kink or, for friction, a discontinuity; empty for fixed steps.
    forces: Vec<usize>,
    /// Formulas of forces and sensors with switching functions; these follow those of the forces.
    laws: Vec<Law>,
    /// The reaction that is the normal force of each friction, at the current state. Its switching function is the component of the reaction along this
    /// direction; these are the last ones. Empty for fixed steps.
    pressing: Vec<Pressing>,
    /// The same at the end of the step.
    arriving: Vec<Pressing>,
    /// Whether each switching function is a discontinuity.
    jumps: Vec<bool>,
    /// Values of all switching functions at the current state, at the end of the step, within it, and in its middle if there is friction.
    values: Vec<f64>,
    ends: Vec<f64>,
    within: Vec<f64>,
    middle: Vec<f64>,
    /// Last crossing time of each discontinuity, and the number of its early recurrences.
    crossed: Vec<f64>,
    soon: Vec<u32>,
    /// The switching point up to which a step is repeated; infinite if there is none.
    pub(super) next: f64,
    /// Whether steps have a fixed size: then nothing is located.
    fixed: bool,
    /// The element of each formula.
    owners: Vec<String>,
    /// Number of fixed steps that passed a formula that switched twice within them, the time of the first, and the formula.
    passed: u64,
    first_passed: (f64, u32),
}

keeps!(Touches: values, pressing, crossed, soon, next, passed, first_passed);

/// Whether the integrator has error control.
fn chooses_steps(study: &Study) -> bool {
    let choice = &study.integrator;
    let info = integrators::INTEGRATORS
        .iter()
        .find(|info| info.name == choice.kind || info.aliases.contains(&choice.kind.as_str()));
    let fixed = info.is_some_and(|info| info.fields.iter().any(|field| field.name == "step"));
    !fixed || choice.arguments.get("tolerance").is_some()
}

impl Touches {
    pub(super) fn new(context: &EvaluationContext<'_>, study: &Study) -> Self {
        let fixed = !chooses_steps(study);
        let model = context.model;
        let forces = model.forces.iter().enumerate();
        let kinked = forces.filter(|(_, f)| !fixed && f.force.corner(context).is_some());
        let forces: Vec<usize> = kinked.map(|(i, _)| i).collect();
        let of_forces = model.forces.iter().flat_map(|f| {
            let laws = f.force.laws().into_iter();
            laws.map(|law| (named("force", &f.name, &f.origin), law))
        });
        // sensors that nothing reads do not affect the motion
        let reading = model.forces.iter().flat_map(|f| f.force.laws());
        let reading: Vec<&Law> = reading
            .chain(model.sensors.iter().map(|s| &s.law))
            .collect();
        let is_read = |number: usize| {
            let mut inputs = reading.iter().flat_map(|law| law.inputs());
            inputs.any(|signal| matches!(signal, Signal::Sensor(k) if *k == number))
        };
        let of_sensors = model.sensors.iter().enumerate();
        let of_sensors = of_sensors
            .filter(|(number, _)| is_read(*number))
            .map(|(_, s)| (named("sensor", &s.name, &s.origin), &s.law));
        let switching = of_forces
            .chain(of_sensors)
            .filter(|(_, law)| law.num_switchings() > 0);
        let (owners, laws): (Vec<String>, Vec<Law>) =
            switching.map(|(owner, law)| (owner, law.clone())).unzip();
        let of_laws = laws
            .iter()
            .flat_map(|law| (0..law.num_switchings()).map(|k| law.jumps(k)));
        let mut rubbing = model.forces.iter().filter_map(|f| f.force.friction());
        let acts = !fixed && rubbing.any(CoulombFriction::acts);
        let frictions = if acts { num_frictions(model) } else { 0 };
        let is_friction = |force: &usize| model.forces[*force].force.friction().is_some();
        let of_forces = forces.iter().map(is_friction);
        let jumps = of_forces.chain(of_laws);
        let jumps: Vec<bool> = jumps.chain((0..frictions).map(|_| false)).collect();
        let count = jumps.len();
        Touches {
            jumps,
            values: vec![0.0; count],
            ends: vec![0.0; count],
            within: vec![0.0; count],
            middle: vec![0.0; count],
            crossed: vec![f64::NEG_INFINITY; count],
            soon: vec![0; count],
            pressing: vec![[0.0; 3]; frictions],
            arriving: vec![[0.0; 3]; frictions],
            forces,
            laws,
            next: f64::INFINITY,
            fixed,
            owners,
            passed: 0,
            first_passed: (f64::INFINITY, 0),
        }
    }

    /// Records formulas that switched twice within the fixed step to `reached`: their effect in between is lost.
    fn note_passed(&mut self, reached: f64) {
        let mut from = self.forces.len();
        for (number, law) in (0_u32..).zip(&self.laws) {
            let to = from + law.num_switchings();
            let pairs = self.values[from..to].iter().zip(&self.ends[from..to]);
            if pairs.filter(|(a, b)| **a * **b < 0.0).count() > 1 {
                self.passed += 1;
                if reached < self.first_passed.0 {
                    self.first_passed = (reached, number);
                }
            }
            from = to;
        }
        self.values.copy_from_slice(&self.ends);
    }

    /// Describes the switching points that fixed steps passed, if any.
    pub(super) fn warning(&self) -> Option<String> {
        let (time, number) = self.first_passed;
        let owner = self.owners.get(usize::try_from(number).ok()?)?;
        (self.passed > 0).then(|| {
            format!(
                "{owner} switches on and off within one fixed step ({} times, first before t = {time:.6} s), and the integrator misses it. Use shorter steps, or an integrator with error control",
                self.passed
            )
        })
    }

    /// Whether there are switching functions.
    pub(super) fn watches(&self) -> bool {
        !self.values.is_empty()
    }

    /// Accepts the step to `reached`.
    fn cross(&mut self, reached: f64) {
        for k in 0..self.values.len() {
            if self.jumps[k] && self.values[k] * self.ends[k] < 0.0 && self.soon[k] < OFTEN {
                let soon = reached - self.crossed[k] < SOON * crossing(reached);
                self.soon[k] = if soon { self.soon[k] + 1 } else { 0 };
                self.crossed[k] = reached;
            }
        }
        self.values.copy_from_slice(&self.ends);
        self.press();
    }

    /// Makes the reactions at the end of the step those of the current state.
    fn press(&mut self) {
        self.pressing.copy_from_slice(&self.arriving);
        let from = self.values.len() - self.pressing.len();
        for (value, reaction) in self.values[from..].iter_mut().zip(&self.pressing) {
            *value = length(reaction);
        }
    }

    /// Computes all switching functions at an instant.
    fn evaluate(&self, context: &EvaluationContext<'_>, out: &mut [f64]) {
        for (value, force) in out.iter_mut().zip(&self.forces) {
            let force = &context.model.forces[*force].force;
            *value = force.corner(context).unwrap_or(0.0);
        }
        let mut from = self.forces.len();
        for law in &self.laws {
            let to = from + law.num_switchings();
            context.switchings(law, &mut out[from..to]);
            from = to;
        }
    }

    /// Returns a time within the step, and the value there, at which switching function `k` has changed its sign. A normal force may change it twice within a
    /// step, so it is also checked in the middle.
    fn changed(&self, k: usize, (start, reached): (f64, f64)) -> Option<(f64, f64)> {
        let from = self.values[k];
        // NaN has no sign
        let changes = |to: f64| from * to < 0.0 && from.abs().max(to.abs()) >= TREMBLE;
        if self.soon[k] >= OFTEN {
            return None;
        }
        let is_normal = k >= self.values.len() - self.pressing.len();
        if is_normal && changes(self.middle[k]) {
            return Some((0.5 * (start + reached), self.middle[k]));
        }
        changes(self.ends[k]).then_some((reached, self.ends[k]))
    }

    /// Computes the components of reactions along those of the current state.
    fn turn(&self, reactions: &[Pressing], out: &mut [f64]) {
        let from = out.len() - reactions.len();
        let pairs = self.pressing.iter().zip(reactions);
        for (value, (before, now)) in out[from..].iter_mut().zip(pairs) {
            let along: f64 = before.iter().zip(now).map(|(x, y)| x * y).sum();
            *value = along / length(before).max(f64::MIN_POSITIVE);
        }
    }
}

fn length(reaction: &Pressing) -> f64 {
    reaction.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Returns the end of a step from `start` towards a discontinuity, such that nothing behind it is evaluated: closer with every step; `None` if the
/// discontinuity is to be crossed.
fn before_jump(start: f64, jump: f64) -> Option<f64> {
    let margin = crossing(jump).max(NEAR * (jump - start));
    (jump - start > 2.0 * crossing(jump)).then_some(jump - margin)
}

impl Simulation {
    /// Evaluates all switching functions at the current kinematics, and the normal reactions of friction elements.
    fn switchings(
        &mut self,
        choose: impl Fn(&mut Touches) -> &mut Vec<f64>,
    ) -> Result<(), IntegrationError> {
        let mut out = std::mem::take(choose(&mut self.touches));
        self.touches.evaluate(&self.dynamics.context(), &mut out);
        let evaluated = if self.touches.pressing.is_empty() {
            Ok(())
        } else {
            let evaluated = self.dynamics.evaluate();
            let reactions = &self.dynamics.solution.pressing;
            self.touches.turn(reactions, &mut out);
            evaluated
        };
        *choose(&mut self.touches) = out;
        Ok(evaluated?)
    }

    /// Records the switching functions at the current state, whose kinematics are evaluated.
    pub(super) fn note_corners(&mut self) -> Result<(), IntegrationError> {
        self.switchings(|touches| &mut touches.values)?;
        self.note_arriving();
        self.touches.press();
        Ok(())
    }

    /// Stores the normal reactions of friction elements at the current kinematics.
    fn note_arriving(&mut self) {
        let arriving = &mut self.touches.arriving;
        for (kept, reaction) in arriving.iter_mut().zip(&self.dynamics.solution.pressing) {
            *kept = *reaction;
        }
    }

    /// Returns switching function `k` at a time within the step.
    fn switching_within(&mut self, k: usize, time: f64) -> Result<f64, IntegrationError> {
        self.integrator.interpolate(time, &mut self.flat);
        self.dynamics.unpack(&self.flat, time, &mut self.between);
        self.dynamics.see(&self.between);
        self.switchings(|touches| &mut touches.within)?;
        Ok(self.touches.within[k])
    }

    /// Whether the normal force of switching function `k` vanishes at a time within the step; it may also reverse without vanishing.
    fn is_pinched(&mut self, k: usize, time: f64) -> Result<bool, IntegrationError> {
        let of_frictions = self.touches.values.len() - self.touches.pressing.len();
        let Some(i) = k.checked_sub(of_frictions) else {
            return Ok(true);
        };
        let _ = self.switching_within(k, time)?;
        let least = length(&self.dynamics.solution.pressing[i]);
        Ok(least <= PINCHED * self.touches.values[k])
    }

    /// Whether the step to `reached`, whose end is in `next`, passes a switching point: it is then repeated up to it.
    pub(super) fn passes_over(&mut self, reached: f64) -> Result<bool, IntegrationError> {
        if self.touches.values.is_empty() {
            return Ok(false);
        }
        self.dynamics.see(&self.next);
        self.switchings(|touches| &mut touches.ends)?;
        self.note_arriving();
        if self.touches.fixed {
            self.touches.note_passed(reached);
            return Ok(false);
        }
        let start = self.state.time;
        let near = NEAR * (reached - start);
        // the first switching point before the end of the step, and whether there is one at its end
        let (mut first, mut at_end) = (f64::INFINITY, false);
        let mut dense = false;
        if !self.touches.pressing.is_empty() {
            self.integrator.prepare_dense(&mut self.dynamics)?;
            dense = true;
            let _ = self.switching_within(0, 0.5 * (start + reached))?;
            self.touches.middle.copy_from_slice(&self.touches.within);
        }
        for k in 0..self.touches.values.len() {
            let Some(to) = self.touches.changed(k, (start, reached)) else {
                continue;
            };
            if !dense {
                self.integrator.prepare_dense(&mut self.dynamics)?;
                dense = true;
            }
            let from = (start, self.touches.values[k]);
            let time = self.root(from, to, |this, time| this.switching_within(k, time))?;
            if !self.is_pinched(k, time)? {
                continue;
            }
            let (target, near_end) = if self.touches.jumps[k] {
                let target = before_jump(start, time).unwrap_or(time + crossing(time));
                (target, 0.5 * crossing(time))
            } else if time - start > near {
                (time, near)
            } else {
                continue;
            };
            if target < reached - near_end {
                first = first.min(target);
            } else {
                at_end = true;
            }
        }
        let again = first < reached;
        if again {
            self.take_again(first)?;
        } else {
            if at_end {
                self.touches.next = reached;
            }
            self.touches.cross(reached);
        }
        Ok(again)
    }

    /// Returns to the current state for a step that ends at a given time.
    fn take_again(&mut self, end: f64) -> Result<(), IntegrationError> {
        self.touches.next = end;
        self.dynamics.pack(&self.state, &mut self.flat);
        self.integrator
            .start(&mut self.dynamics, self.state.time, &self.flat)
    }

    /// Returns for half a step to `reached`; returns whether the integrator has error control and half a step is left.
    pub(super) fn shorten(&mut self, reached: f64) -> Result<bool, IntegrationError> {
        let start = self.state.time;
        let half = 0.5 * (reached - start);
        if self.touches.fixed || half <= crossing(start) {
            return Ok(false);
        }
        self.take_again(start + half)?;
        Ok(true)
    }

    /// Passes a switching point; returns whether there was one.
    pub(super) fn pass_touch(&mut self) -> bool {
        let touched = self.touches.next <= self.state.time + slack(self.state.time);
        if touched {
            self.touches.next = f64::INFINITY;
        }
        touched
    }
}
