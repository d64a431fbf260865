//! Diagnosis of a failed run: the element behind an error, and the dominant effects in the motion.
//!
//! This is computed only after a run has ended. The stiffness of a force is measured by the change of its loads for a small displacement of a body on which
//! it acts,
//!
//! ```text
//! ω² = |ΔF|/(m ε)      κ = |ΔF|/(m ε̇)      τ = 1/max(ω, κ)
//! ```
//!
//! with the mass of the body alone (its inertia for rotations), so ω is an upper bound if joints connect more mass to it.

use super::Simulation;
use super::corners::slack;
use crate::integrators::IntegrationError;
use crate::math::Vec3;
use crate::math::rotation::about;
use crate::methods::MethodError;
use crate::model::ForceIndex;
use crate::system::{
    EvaluationContext, Loads, State, SystemKinematics, Workspace, culprit, named_body, named_force,
};

/// The dominant effects in a motion that cannot continue; insignificant ones are omitted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// The body with the largest acceleration: its description, and its acceleration, m/s² and rad/s².
    pub fastest: Option<(String, f64, f64)>,
    /// The force that changes fastest with time alone, and the time in which it changes by its own magnitude, s.
    pub changing: Option<(String, f64)>,
    /// The stiffest force, and its response time, s.
    pub stiffest: Option<(String, f64)>,
    /// The constraint with the largest residual in the last attempt, and that residual.
    pub open: Option<(String, f64)>,
    /// The fraction of the energy that the integrator added, if it is most of it.
    pub invented: Option<f64>,
    /// The last step, s.
    pub step: f64,
    /// Whether the integrator is an explicit one.
    pub explicit: bool,
    /// Whether the motion diverged.
    pub grown: bool,
}

/// Stability limit of explicit steps, as a multiple of the response time of a force (2.8 for order 4 on the imaginary axis).
const STABLE: f64 = 2.8;
/// Forces with a smaller fraction of the largest acceleration than this do not dominate.
const SMALL: f64 = 1e-3;
/// Fewer steps than this need no explanation.
const MANY_STEPS: u64 = 1000;
/// In models with more forces times bodies, only the forces on the fastest body are examined.
const FEW: usize = 20_000;

impl Evidence {
    /// Whether a possible cause was found.
    pub fn tells(&self) -> bool {
        self.changing.is_some() || self.stiffest.is_some() || self.open.is_some()
    }
}

impl std::fmt::Display for Evidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut lead = "";
        let mut say = |f: &mut std::fmt::Formatter<'_>, text: String| {
            write!(f, "{lead}{text}")?;
            lead = "; ";
            Ok(())
        };
        if let Some((body, linear, angular)) = &self.fastest {
            let size = if linear >= angular {
                format!("{linear:.1e} m/s^2")
            } else {
                format!("{angular:.1e} rad/s^2")
            };
            say(f, format!("{body} has the largest acceleration, {size}"))?;
        }
        if let Some((element, residual)) = &self.open {
            let text =
                format!("{element} has a residual of {residual:.1e} m or rad in the last attempt");
            say(f, text)?;
        }
        if let Some((force, time)) = &self.changing {
            let text = format!(
                "{force} changes by its own magnitude within {time:.1e} s: smooth its law, or end the run earlier"
            );
            say(f, text)?;
        }
        let Some((force, time)) = &self.stiffest else {
            return Ok(());
        };
        say(f, format!("{force} has a response time of {time:.1e} s"))?;
        if self.explicit {
            let limit = STABLE * time;
            if self.step > limit {
                let own = self.invented.map_or_else(String::new, |share| {
                    let share = 100.0 * share;
                    format!(" and added {share:.0} % of the energy")
                });
                let text = format!(
                    "steps of {:.1e} s are too long{own}: use less than {limit:.1e} s, error control, or an implicit integrator (bdf, generalized-alpha)",
                    self.step
                );
                return say(f, text);
            }
            if self.grown && self.fastest.is_some() {
                let text = format!(
                    "steps of {:.1e} s resolve it, so the motion itself is unstable: check for a force that adds energy, e.g. with a wrong sign",
                    self.step
                );
                return say(f, text);
            }
            let text = format!(
                "explicit steps must be shorter than {limit:.1e} s: reduce its stiffness or damping, or use an implicit integrator (bdf, generalized-alpha)"
            );
            return say(f, text);
        }
        say(f, "reduce its stiffness or damping".to_owned())
    }
}

impl Simulation {
    /// Finds the element behind an error, if its values are not finite at the last valid positions.
    pub(super) fn find_culprit(&mut self, error: IntegrationError) -> IntegrationError {
        let tried = match &error {
            IntegrationError::StepTooSmall { time, step } => time + step,
            IntegrationError::Method(
                MethodError::Drifted { time, .. } | MethodError::Jammed { time, .. },
            ) => *time,
            // constraints that are NaN make positions NaN
            IntegrationError::Method(MethodError::NotFinite(found)) if found.grown => found.time,
            _ => return error,
        };
        let state = &self.state;
        for time in [tried, tried + 1e3 * slack(tried)] {
            let dynamics = &mut self.dynamics;
            let (system, ws) = (dynamics.system.as_ref(), &mut dynamics.ws);
            let kinematics = &mut ws.kinematics;
            system.update(time, &state.q, &state.v, &state.turns, kinematics);
            if let Some(broken) = culprit(system, ws) {
                return MethodError::from(broken).into();
            }
        }
        error
    }

    /// Returns the dominant effects in the motion at the last valid state; called after a failure, before any other evaluation.
    pub(super) fn evidence(&mut self, error: &IntegrationError) -> Option<Evidence> {
        let runaway = match error {
            IntegrationError::StepTooSmall { .. }
            | IntegrationError::Method(MethodError::Drifted { .. }) => false,
            IntegrationError::Method(MethodError::NotFinite(found)) if found.grown => true,
            _ => return None,
        };
        let open = self.most_open();
        let statistics = &self.statistics;
        let share = statistics.numerical_energy.abs() / statistics.energy_scale;
        let mut found = Evidence {
            open: open.filter(|_| !runaway),
            invented: (share > 0.5 && share.is_finite()).then(|| share.min(1.0)),
            step: self.integrator.step_size(),
            explicit: self.explicit,
            grown: runaway,
            ..Evidence::default()
        };
        // if the final state has diverged too far, the initial state characterises the forces
        let mut states = [self.state.clone(), self.first.clone()].into_iter();
        let state = states.find(|state| self.dynamics.evaluate_at(state).is_ok())?;
        let step = found.step;
        let dynamics = &mut self.dynamics;
        let (system, model) = (dynamics.system.as_ref(), dynamics.system.model());
        let kinematics = &dynamics.ws.kinematics;
        let (mut most, mut fastest) = (0.0, None);
        for b in 0..model.bodies.len() {
            let rates = &dynamics.solution.rates;
            let (a, alpha) = system.body_acceleration(kinematics, rates, b);
            let (linear, angular) = (size(&a), size(&alpha));
            if linear.max(angular) > most {
                (most, fastest) = (linear.max(angular), Some(b));
                found.fastest = Some((named_body(model, b), linear, angular));
            }
        }
        let few = model.forces.len() * model.bodies.len() < FEW;
        let mut probe = Probe::new(&dynamics.ws, &state);
        for f in 0..model.forces.len() {
            let force = ForceIndex(f);
            let on_fastest = || {
                let bodies = model.forces[f].force.bodies(model);
                bodies.iter().any(|b| b.number() == fastest)
            };
            if !few && !on_fastest() {
                continue;
            }
            let keep = |kept: &mut Option<(String, f64)>, time: Option<f64>| {
                let shorter = |time: &f64| kept.as_ref().is_none_or(|(_, least)| time < least);
                if let Some(time) = time.filter(shorter) {
                    *kept = Some((named_force(model, force), time));
                }
            };
            let context = EvaluationContext { model, kinematics };
            keep(&mut found.changing, probe.change(&context, f, step, most));
            keep(&mut found.stiffest, probe.answer(&context, f));
        }
        // effects that are slow relative to the steps did not stop the run
        let matters = |(_, time): &(String, f64)| *time < 1e3 * step;
        found.changing = found.changing.filter(matters);
        found.stiffest = found.stiffest.filter(matters);
        if let (Some((_, changing)), Some((_, stiffest))) = (&found.changing, &found.stiffest) {
            if changing < stiffest {
                found.stiffest = None;
            } else {
                found.changing = None;
            }
        }
        Some(found)
    }

    /// Returns the force whose stiffness limited the steps of an explicit integrator with error control, and its response time. It did if the average step is
    /// about as long as that time: accuracy did not require such short steps, and slightly longer ones would be unstable. To be called after the run.
    pub fn stiff_force(&mut self) -> Option<(String, f64)> {
        let work = self.integrator.work();
        let mean = (self.state.time - self.start) / work.steps.max(1) as f64;
        let (least, most) = self.statistics.steps_between;
        if !self.explicit || work.steps < MANY_STEPS || least == most || work.rejected == 0 {
            return None;
        }
        let state = self.state.clone();
        self.dynamics.evaluate_at(&state).ok()?;
        let model = self.dynamics.system.model();
        if model.forces.len() * model.bodies.len() >= FEW {
            return None;
        }
        let kinematics = &self.dynamics.ws.kinematics;
        let mut probe = Probe::new(&self.dynamics.ws, &state);
        let context = EvaluationContext { model, kinematics };
        let times = (0..model.forces.len()).filter_map(|f| Some((f, probe.answer(&context, f)?)));
        let (force, time) = times.min_by(|(_, a), (_, b)| a.total_cmp(b))?;
        let held = (0.5 * time..2.0 * STABLE * time).contains(&mean);
        held.then(|| (named_force(model, ForceIndex(force)), time))
    }

    /// Returns the constraint with the largest residual at the current positions.
    fn most_open(&self) -> Option<(String, f64)> {
        let (system, phi) = (self.dynamics.system.as_ref(), &self.dynamics.ws.phi);
        let rows = (0..phi.len()).filter(|row| self.dynamics.active[*row] && phi[*row].is_finite());
        let row = rows.max_by(|a, b| phi[*a].abs().total_cmp(&phi[*b].abs()))?;
        let residual = phi[row].abs();
        (residual > 1e-6).then(|| (system.rows()[row].describe(system.model()), residual))
    }
}

/// Returns the norm of a vector, without overflow.
fn size(x: &Vec3<f64>) -> f64 {
    let largest = x.amax();
    if largest > 0.0 {
        largest * (x / largest).norm()
    } else {
        largest
    }
}

/// Buffers for the loads of one force, original and perturbed.
struct Probe<'s> {
    state: &'s State,
    disturbed: SystemKinematics,
    before: Loads,
    after: Loads,
}

impl<'s> Probe<'s> {
    fn new(ws: &Workspace, state: &'s State) -> Self {
        Probe {
            state,
            disturbed: ws.kinematics.clone(),
            before: ws.loads.clone(),
            after: ws.loads.clone(),
        }
    }

    /// Applies a force at the evaluated state, and again at the perturbed one.
    fn apply(&mut self, context: &EvaluationContext<'_>, force: usize) {
        let model = context.model;
        let force = &model.forces[force].force;
        self.before.clear();
        force.apply(context, &mut self.before);
        self.after.clear();
        let disturbed = EvaluationContext {
            model,
            kinematics: &self.disturbed,
        };
        force.apply(&disturbed, &mut self.after);
    }

    /// Returns the time in which a force changes by its own magnitude while nothing moves; `None` if it does not change, or is insignificant.
    fn change(
        &mut self,
        context: &EvaluationContext<'_>,
        force: usize,
        step: f64,
        most: f64,
    ) -> Option<f64> {
        let h = (0.1 * step).max(8.0 * f64::EPSILON * context.time().abs());
        self.disturbed.clone_from(context.kinematics);
        self.disturbed.time -= h;
        self.apply(context, force);
        let mut shortest: Option<f64> = None;
        for b in context.model.forces[force].force.bodies(context.model) {
            let Some(b) = b.number() else { continue };
            let mass = &context.model.bodies[b].mass;
            let (old, new) = (self.after.force[b], self.before.force[b]);
            let (old_turn, new_turn) = (self.after.torque[b], self.before.torque[b]);
            for (whole, change, inertia) in [
                (size(&new), size(&(new - old)), mass.mass),
                (
                    size(&new_turn),
                    size(&(new_turn - old_turn)),
                    mass.inertia.norm(),
                ),
            ] {
                if whole > SMALL * most * inertia && change > 0.0 {
                    let time = h * whole / change;
                    shortest = Some(shortest.map_or(time, |least| least.min(time)));
                }
            }
        }
        shortest
    }

    /// Returns the shortest response time of a force to a displacement or a velocity of a body; `None` if it does not respond.
    fn answer(&mut self, context: &EvaluationContext<'_>, force: usize) -> Option<f64> {
        let model = context.model;
        let axes = model.space.freedom();
        let mut fastest = 0.0_f64;
        for b in model.forces[force].force.bodies(model) {
            let Some(b) = b.number() else { continue };
            if model.bodies[b].station.is_some() {
                continue;
            }
            let mass = &model.bodies[b].mass;
            let reach = 1.0 + size(&context.kinematics.bodies[b].r);
            let pace = 1.0 + size(&context.kinematics.bodies[b].v);
            for k in 0..axes {
                // in the plane two displacements and the rotation about z
                let turn = k >= axes - axes / 2;
                let axis = if axes == 3 { k } else { k % 3 };
                let mut unit = Vec3::zeros();
                unit[axis] = 1.0;
                let inertia = if turn {
                    mass.inertia[(axis, axis)]
                } else {
                    mass.mass
                };
                for velocity in [false, true] {
                    self.disturbed.clone_from(context.kinematics);
                    let motion = &mut self.disturbed.bodies[b];
                    // a rotation needs no reference length
                    let by = 1e-6
                        * if turn {
                            1.0
                        } else if velocity {
                            pace
                        } else {
                            reach
                        };
                    match (turn, velocity) {
                        (false, false) => motion.r += unit * by,
                        (false, true) => motion.v += unit * by,
                        (true, false) => {
                            motion.R = about(axis, by) * motion.R;
                            motion.angle += by;
                        }
                        (true, true) => motion.w += unit * by,
                    }
                    self.disturbed.update_joints(model, &self.state.turns);
                    self.apply(context, force);
                    let answer = if turn {
                        self.after.torque[b] - self.before.torque[b]
                    } else {
                        self.after.force[b] - self.before.force[b]
                    };
                    let rate = size(&answer) / (by * inertia);
                    let rate = if velocity { rate } else { rate.sqrt() };
                    if rate.is_finite() {
                        fastest = fastest.max(rate);
                    }
                }
            }
        }
        (fastest > 0.0).then(|| 1.0 / fastest)
    }
}
