//! Switching points: the instants at which the motion comes to a stop, a formula of signals jumps or has a kink, or the normal force of a friction
//! changes sides. A step that would pass over one is taken again up to it, so that formulas which take forces for smooth are not led astray.

use super::corners::slack;
use super::{IntegrationError, Simulation, Study};
use crate::forces::CoulombFriction;
use crate::integrators;
use crate::keep::keeps;
use crate::methods::Pressing;
use crate::model::{Law, Signal};
use crate::system::{Scene, named, num_frictions};

/// A kink this near to an end of a step, as a part of it, does no harm: its error falls with the square of the distance.
const NEAR: f64 = 1e-4;

/// What rests at a switching point trembles about it by rounding: a step that passes it by less than this (m, rad, …) passes nothing.
const TREMBLE: f64 = 1e-12;

/// A normal force that is turned to the other side has a kink where less than this of it is left on the way.
const PINCHED: f64 = 0.1;

/// A jump that recurs this many times, each time within [`SOON`], chatters: steps pass over it from then on.
const OFTEN: u32 = 20;

/// Soon after a jump, as a multiple of the time in which it is crossed.
const SOON: f64 = 1e4;

/// The time in which a jump is crossed: steps end this much before it and behind it, so that every step sees one side of it.
fn crossing(time: f64) -> f64 {
    10.0 * slack(time)
}

/// The switching points of a run.
#[derive(Debug)]
pub(super) struct Touches {
    /// Forces that have a switching function of their own, a kink or, of frictions, a jump; none where steps are of a fixed size.
    forces: Vec<usize>,
    /// Formulas of forces and sensors that have switching functions; these come behind those of the forces.
    laws: Vec<Law>,
    /// The reaction that each friction rubs on, at the present state: along its direction the reactions of the step are its switching function, the last
    /// ones. None where steps are of a fixed size.
    pressing: Vec<Pressing>,
    /// The same at the end of the step.
    arriving: Vec<Pressing>,
    /// Whether each switching function is a jump.
    jumps: Vec<bool>,
    /// Values of all switching functions at the present state, at the end of the step, within it, and in its middle where there is friction.
    values: Vec<f64>,
    ends: Vec<f64>,
    within: Vec<f64>,
    middle: Vec<f64>,
    /// When each jump was crossed last, and how often it came back soon.
    crossed: Vec<f64>,
    soon: Vec<u32>,
    /// The switching point up to which a step is taken again; infinite where there is none.
    pub(super) next: f64,
    /// Whether steps are of a fixed size: then nothing is located.
    fixed: bool,
    /// The element that each formula belongs to.
    owners: Vec<String>,
    /// How often a fixed step passed over a formula that switched twice within it, when for the first time, and which.
    passed: u64,
    first_passed: (f64, u32),
}

keeps!(Touches: values, pressing, crossed, soon, next, passed, first_passed);

/// Whether the integrator chooses its steps by their errors.
fn chooses_steps(study: &Study) -> bool {
    let choice = &study.integrator;
    let info = integrators::INTEGRATORS
        .iter()
        .find(|info| info.name == choice.kind || info.aliases.contains(&choice.kind.as_str()));
    let fixed = info.is_some_and(|info| info.fields.iter().any(|field| field.name == "step"));
    !fixed || choice.arguments.get("tolerance").is_some()
}

impl Touches {
    pub(super) fn new(scene: &Scene<'_>, study: &Study) -> Self {
        let fixed = !chooses_steps(study);
        let model = scene.model;
        let forces = model.forces.iter().enumerate();
        let kinked = forces.filter(|(_, f)| !fixed && f.force.corner(scene).is_some());
        let forces: Vec<usize> = kinked.map(|(i, _)| i).collect();
        let of_forces = model.forces.iter().flat_map(|f| {
            let laws = f.force.laws().into_iter();
            laws.map(|law| (named("force", &f.name, &f.origin), law))
        });
        // sensors that nothing reads do not change the motion
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

    /// Takes note of formulas that switched twice within the fixed step to `reached`: what they did in between is lost.
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

    /// What fixed steps passed over, if anything.
    pub(super) fn warning(&self) -> Option<String> {
        let (time, number) = self.first_passed;
        let owner = self.owners.get(usize::try_from(number).ok()?)?;
        (self.passed > 0).then(|| {
            format!(
                "{owner} switches on and off within one fixed step, {} times, first before t = {time:.6} s: what it does in between is not seen; \
                 take shorter steps, or an integrator that chooses them",
                self.passed
            )
        })
    }

    /// The step to `reached` is accepted.
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

    /// The reactions at the end of the step are those of the present state.
    fn press(&mut self) {
        self.pressing.copy_from_slice(&self.arriving);
        let from = self.values.len() - self.pressing.len();
        for (value, reaction) in self.values[from..].iter_mut().zip(&self.pressing) {
            *value = length(reaction);
        }
    }

    /// All switching functions at an instant.
    fn evaluate(&self, scene: &Scene<'_>, out: &mut [f64]) {
        for (value, force) in out.iter_mut().zip(&self.forces) {
            let force = &scene.model.forces[*force].force;
            *value = force.corner(scene).unwrap_or(0.0);
        }
        let mut from = self.forces.len();
        for law in &self.laws {
            let to = from + law.num_switchings();
            scene.switchings(law, &mut out[from..to]);
            from = to;
        }
    }

    /// A time within the step, and the value there, by which switching function `k` has changed its sign; a normal force may have two within a step, so
    /// that it is looked at in the middle too.
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

    /// The parts of reactions along those at the present state.
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

/// Where a step from `start` is to end first on the way to a jump, so that it sees nothing of what is behind it: nearer with every step; `None` where it is
/// time to cross.
fn before_jump(start: f64, jump: f64) -> Option<f64> {
    let margin = crossing(jump).max(NEAR * (jump - start));
    (jump - start > 2.0 * crossing(jump)).then_some(jump - margin)
}

impl Simulation {
    /// Evaluates all switching functions at the kinematics at hand, and the reactions that frictions rub on.
    fn switchings(
        &mut self,
        choose: impl Fn(&mut Touches) -> &mut Vec<f64>,
    ) -> Result<(), IntegrationError> {
        let mut out = std::mem::take(choose(&mut self.touches));
        self.touches.evaluate(&self.dynamics.scene(), &mut out);
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

    /// Takes note of the switching functions at the present state, to which the kinematics have been brought.
    pub(super) fn note_corners(&mut self) -> Result<(), IntegrationError> {
        self.switchings(|touches| &mut touches.values)?;
        self.note_arriving();
        self.touches.press();
        Ok(())
    }

    /// Keeps the reactions that frictions rub on at the kinematics at hand.
    fn note_arriving(&mut self) {
        let arriving = &mut self.touches.arriving;
        for (kept, reaction) in arriving.iter_mut().zip(&self.dynamics.solution.pressing) {
            *kept = *reaction;
        }
    }

    /// Switching function `k` at a time within the step.
    fn switching_within(&mut self, k: usize, time: f64) -> Result<f64, IntegrationError> {
        self.integrator.interpolate(time, &mut self.flat);
        self.dynamics.unpack(&self.flat, time, &mut self.between);
        self.dynamics.see(&self.between);
        self.switchings(|touches| &mut touches.within)?;
        Ok(self.touches.within[k])
    }

    /// Whether the normal force of switching function `k` vanishes at a time within the step; it may also turn to the other side without.
    fn is_pinched(&mut self, k: usize, time: f64) -> Result<bool, IntegrationError> {
        let of_frictions = self.touches.values.len() - self.touches.pressing.len();
        let Some(i) = k.checked_sub(of_frictions) else {
            return Ok(true);
        };
        let _ = self.switching_within(k, time)?;
        let least = length(&self.dynamics.solution.pressing[i]);
        Ok(least <= PINCHED * self.touches.values[k])
    }

    /// Whether the step to `reached`, the end of which is in `next`, passes over a switching point: it is then to be taken again, up to there.
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

    /// Goes back to the present state for a step that ends at a time.
    fn take_again(&mut self, end: f64) -> Result<(), IntegrationError> {
        self.touches.next = end;
        self.dynamics.pack(&self.state, &mut self.flat);
        self.integrator
            .start(&mut self.dynamics, self.state.time, &self.flat)
    }

    /// Goes back for half a step to `reached`; whether the integrator chooses its steps and there is half a step left.
    pub(super) fn shorten(&mut self, reached: f64) -> Result<bool, IntegrationError> {
        let start = self.state.time;
        let half = 0.5 * (reached - start);
        if self.touches.fixed || half <= crossing(start) {
            return Ok(false);
        }
        self.take_again(start + half)?;
        Ok(true)
    }

    /// Leaves a touch behind; whether there was one.
    pub(super) fn pass_touch(&mut self) -> bool {
        let touched = self.touches.next <= self.state.time + slack(self.state.time);
        if touched {
            self.touches.next = f64::INFINITY;
        }
        touched
    }
}
