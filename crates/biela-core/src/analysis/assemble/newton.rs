//! Damped Newton's method for the position constraints, and the linear solve for the velocity constraints.

use super::{AssembleError, OpenElement, Pins, place};
use crate::flexible::Beam;
use crate::math::{Kkt, RowOrder, RowPattern};
use crate::system::{RowLabel, RowOwner, State, System, Workspace, refresh_turns, row_groups};

/// Residual below which the position constraints are satisfied.
pub(super) const CLOSED: f64 = 1e-10;
const MAX_ITERATIONS: usize = 80;
/// Longest step of one iteration, in radians and, relative to the larger of 1 m and the model's size, in metres.
const LONGEST: f64 = 0.5;

/// If the residuals of a joint are below this at the start, in radians and relative to the model's size, its closure is the intended one.
const MEANT: f64 = 0.1;

/// A requested value is missed if its error is larger than this, relative to the largest requested velocity.
const MISSED: f64 = 1e-9;

/// Constraints of a system and requested values, with buffers.
pub(in crate::analysis) struct Assembler<'a> {
    pub(super) system: &'a dyn System,
    pub(super) ws: Workspace,
    pub(super) kkt: Kkt,
    pattern: RowPattern,
    /// Values of G, then of the pins.
    pub(super) values: Vec<f64>,
    pub(super) residual: Vec<f64>,
    /// Rows that are active in the position constraints.
    counts: Vec<bool>,
    /// Whether corrections of positions must satisfy rolling and knife-edge constraints.
    rolls: bool,
    gradient: Vec<f64>,
    pub(super) step: Vec<f64>,
    pub(super) rhs: Vec<f64>,
    pub(super) iterations: usize,
}

impl<'a> Assembler<'a> {
    pub(in crate::analysis) fn new(system: &'a dyn System, pins: &Pins<'_>) -> Self {
        let sizes = system.sizes();
        let mut pattern = system.jacobian_pattern().clone();
        for i in 0..pins.len() {
            pattern.push(pins.columns(i));
        }
        // rows of an element stay together, each pin is a group of its own
        let mut groups = row_groups(system);
        for _ in 0..pins.len() {
            groups.push(groups.last().map_or(0, |g| g + 1));
        }
        let kkt = Kkt::new(
            sizes.velocities,
            system.mass_pattern(),
            &pattern,
            &groups,
            RowOrder::LeastFill,
        );
        let rows = pattern.num_rows();
        Assembler {
            system,
            ws: Workspace::new(system),
            kkt,
            values: vec![0.0; pattern.num_entries()],
            pattern,
            residual: vec![0.0; rows],
            counts: system
                .rows()
                .iter()
                .map(|label| !label.nonholonomic)
                .collect(),
            rolls: false,
            gradient: vec![0.0; sizes.velocities],
            step: vec![0.0; sizes.velocities],
            rhs: vec![0.0; rows],
            iterations: 0,
        }
    }

    /// Deactivates rows of the position constraints.
    pub(super) fn ignore(&mut self, which: impl Fn(&RowLabel) -> bool) {
        for (counts, label) in self.counts.iter_mut().zip(self.system.rows()) {
            *counts &= !which(label);
        }
    }

    /// Makes corrections of positions satisfy rolling constraints, instead of slipping.
    pub(in crate::analysis) fn roll(&mut self) {
        self.rolls = true;
    }

    /// Sets the modes of unilateral constraints, as in [`State::memory`].
    pub(in crate::analysis) fn hold(&mut self, memory: &[f64]) {
        self.ws.kinematics.inputs.hold(memory);
    }

    /// Returns the number of iterations of the last call.
    pub(super) fn iterations(&self) -> usize {
        self.iterations
    }

    /// Evaluates residuals and their derivatives at a state.
    pub(super) fn evaluate(&mut self, state: &State, pins: &Pins<'_>, velocities: bool) {
        let ws = &mut self.ws;
        self.system.update(
            state.time,
            &state.q,
            &state.v,
            &state.turns,
            &mut ws.kinematics,
        );
        self.system.constraints(ws);
        let entries = ws.jacobian.len();
        self.values[..entries].copy_from_slice(&ws.jacobian);
        let rows = ws.phi.len();
        let level = if velocities { &ws.rate } else { &ws.phi };
        self.residual[..rows].copy_from_slice(level);
        if !velocities {
            for (i, label) in self.system.rows().iter().enumerate() {
                if !self.counts[i] {
                    self.residual[i] = 0.0;
                    if !(self.rolls && label.nonholonomic) {
                        self.values[self.pattern.range(i)].fill(0.0);
                    }
                }
            }
        }
        for i in 0..pins.len() {
            let residual = pins.evaluate(i, &ws.kinematics, &mut ws.loads, &mut self.gradient);
            self.residual[rows + i] = residual;
            for e in self.pattern.range(rows + i) {
                self.values[e] = self.gradient[self.pattern.columns[e]];
            }
        }
    }

    pub(super) fn largest(&self) -> f64 {
        self.residual.iter().fold(0.0, |m, x| {
            if x.is_nan() {
                f64::INFINITY
            } else {
                m.max(x.abs())
            }
        })
    }

    /// `step = −G⁺ residual`, the smallest in the metric of the mass matrix.
    fn solve(&mut self) {
        self.step.fill(0.0);
        for (r, x) in self.rhs.iter_mut().zip(&self.residual) {
            *r = -x;
        }
        self.system.mass(&mut self.ws);
        self.kkt.factor(&self.ws.mass, &self.values);
        self.kkt
            .solve(&self.ws.mass, &self.values, &mut self.step, &mut self.rhs);
    }

    /// Solves the position constraints from `state`, and stores the best configuration found in it.
    pub(in crate::analysis) fn close(&mut self, state: &mut State, pins: &Pins<'_>) -> bool {
        self.iterations = 0;
        self.polish(state, pins)
    }

    /// The same, with its iterations added to the previous ones.
    pub(super) fn polish(&mut self, state: &mut State, pins: &Pins<'_>) -> bool {
        let most = self.iterations + MAX_ITERATIONS;
        self.evaluate(state, pins, false);
        let mut error = self.largest();
        let longest = longest_move(self.system, error);
        let mut trial = state.clone();
        while self.iterations < most && error > 0.0 {
            self.iterations += 1;
            self.solve();
            let reach = self.step.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            if !reach.is_finite() {
                break;
            }
            let mut scale = (longest / reach).min(1.0);
            let mut improved = false;
            for _ in 0..12 {
                trial.clone_from(state);
                let step: Vec<f64> = self.step.iter().map(|x| x * scale).collect();
                self.system.retract(&mut trial.q, &step);
                self.evaluate(&trial, pins, false);
                if self.largest() < error {
                    improved = true;
                    break;
                }
                scale *= 0.5;
            }
            if !improved {
                self.evaluate(state, pins, false);
                break;
            }
            std::mem::swap(state, &mut trial);
            error = self.largest();
            let kinematics = &self.ws.kinematics;
            refresh_turns(self.system.model(), kinematics, &mut state.turns);
        }
        error <= CLOSED
    }

    /// Returns the first joint that is closed in the reversed configuration in `state`, unless its bodies were given so.
    pub(super) fn reversed(
        &mut self,
        state: &State,
        start: &State,
        pins: &Pins<'_>,
    ) -> Option<usize> {
        let model = self.system.model();
        self.evaluate(state, pins, false);
        let _ = place::reversed(model, &self.ws.kinematics, |_| true)?;
        self.evaluate(start, pins, false);
        let most = MEANT * model_size(self.system).min(1.0);
        let mut meant = vec![true; model.joints.len()];
        for (label, residual) in self.system.rows().iter().zip(&self.residual) {
            if let RowOwner::Joint(joint) = label.owner {
                meant[joint.0] &= residual.abs() <= most;
            }
        }
        self.evaluate(state, pins, false);
        place::reversed(model, &self.ws.kinematics, |joint| !meant[joint])
    }

    /// Makes velocities satisfy the velocity constraints, with the smallest change.
    pub(in crate::analysis) fn match_velocities(&mut self, state: &mut State, pins: &Pins<'_>) {
        for _ in 0..2 {
            self.evaluate(state, pins, true);
            self.solve();
            for (v, d) in state.v.iter_mut().zip(&self.step) {
                *v += d;
            }
        }
        self.evaluate(state, pins, true);
    }

    /// Whether the system's own constraints are satisfied after the last call.
    pub(in crate::analysis) fn rows_hold(&self) -> bool {
        let rows = self.system.rows().len();
        self.residual[..rows].iter().all(|x| x.abs() <= 1e-8)
    }

    /// Replaces an impulse by the velocity change that it causes under the constraints of the last factorisation.
    pub(super) fn respond(&mut self, impulse: &mut [f64]) {
        self.rhs.fill(0.0);
        self.kkt
            .solve(&self.ws.mass, &self.values, impulse, &mut self.rhs);
    }

    /// Returns an error for the requested value with the largest residual, if any is missed.
    pub(in crate::analysis) fn open_pin(&self, pins: &Pins<'_>) -> Option<AssembleError> {
        let rows = self.system.rows().len();
        let worst = (0..pins.len()).max_by(|a, b| {
            self.residual[rows + a]
                .abs()
                .total_cmp(&self.residual[rows + b].abs())
        })?;
        let residual = self.residual[rows + worst];
        is_missed(residual, pins).then(|| AssembleError::Kept {
            what: pins.describe(worst),
            residual,
            unit: pins.unit(worst),
        })
    }

    /// Describes the requested positions or velocities that a state does not have, and their errors.
    pub(super) fn missed(
        &mut self,
        state: &State,
        pins: &Pins<'_>,
        velocities: bool,
    ) -> Vec<String> {
        self.evaluate(state, pins, velocities);
        let rows = self.system.rows().len();
        let mut missed: Vec<String> = Vec::new();
        let mut last = String::new();
        for i in 0..pins.len() {
            let residual = self.residual[rows + i];
            let what = pins.describe(i);
            if is_missed(residual, pins) && what != last {
                let unit = pins.unit(i);
                missed.push(format!(
                    "{what} (changed by {} {unit})",
                    super::amount(residual)
                ));
                last = what;
            }
        }
        missed
    }

    /// Returns a factorisation in which, of dependent rows, that of the later element is reported.
    fn kkt_in_given_order(&self) -> Kkt {
        let groups: Vec<usize> = (0..self.pattern.num_rows()).collect();
        Kkt::new(
            self.system.sizes().velocities,
            self.system.mass_pattern(),
            &self.pattern,
            &groups,
            RowOrder::Given,
        )
    }

    /// Returns the elements that contribute to a combination of rows, `except` one.
    fn owners_of(&self, combination: &[f64], except: &str) -> Vec<String> {
        let rows = self.system.rows();
        let mut owners = Vec::new();
        for (label, factor) in rows.iter().zip(combination) {
            if factor.abs() > 1e-7 {
                let name = label.describe(self.system.model());
                if name != except && !owners.contains(&name) {
                    owners.push(name);
                }
            }
        }
        owners
    }

    /// Returns the elements whose constraints are violated, the largest residual first, and those whose rows are dependent there.
    pub(super) fn open_rows(&self) -> (Vec<OpenElement>, Vec<String>) {
        let model = self.system.model();
        let mut worst_first: Vec<OpenElement> = Vec::new();
        let mut dependent: Vec<String> = Vec::new();
        let mut in_order = self.kkt_in_given_order();
        in_order.factor(&self.ws.mass, &self.values);
        let mut combination = vec![0.0; self.system.rows().len()];
        for (i, label) in self.system.rows().iter().enumerate() {
            let element = label.describe(model);
            let x = self.residual[i].abs();
            if open(x) {
                match worst_first.iter_mut().find(|o| o.element == element) {
                    // NaN remains NaN
                    Some(known) if known.residual.is_nan() => {}
                    Some(known) => {
                        known.residual = if x.is_nan() { x } else { known.residual.max(x) }
                    }
                    None => worst_first.push(OpenElement {
                        element: element.clone(),
                        origin: label.origin(model).clone(),
                        residual: x,
                    }),
                }
            }
            if self.counts[i] && in_order.is_dependent(i) {
                in_order.combination(i, &mut combination[..i]);
                let others = self.owners_of(&combination[..i], &element);
                let text = if others.is_empty() {
                    element
                } else {
                    format!("{element} against {}", others.join(", "))
                };
                if !dependent.contains(&text) {
                    dependent.push(text);
                }
            }
        }
        worst_first.sort_by(|a, b| b.residual.total_cmp(&a.residual));
        worst_first.truncate(3);
        (worst_first, dependent)
    }
}

/// Returns the longest step of one iteration from a configuration with the residual `error`.
pub(super) fn longest_move(system: &dyn System, error: f64) -> f64 {
    LONGEST * model_size(system).max(error).max(1.0)
}

/// Whether a requested value is missed by more than rounding error; velocities are relative to the largest requested one.
fn is_missed(residual: f64, pins: &Pins<'_>) -> bool {
    match pins.scale() {
        Some(scale) => residual.is_nan() || residual.abs() > MISSED * scale,
        None => open(residual),
    }
}

/// Whether a residual is not small; true for NaN.
fn open(residual: f64) -> bool {
    residual.is_nan() || residual.abs() > 1e-8
}

/// Returns a characteristic length of the model: the largest distance of a marker from its body's frame, or of a joint on the ground; the longest beam.
pub(in crate::analysis) fn model_size(system: &dyn System) -> f64 {
    let model = system.model();
    let markers = model.markers.iter().map(|m| m.pose.p.norm());
    let joints = model
        .joints
        .iter()
        .flat_map(|j| [j.first.1.p.norm(), j.second.1.p.norm()]);
    let beams = model.beams.iter().map(Beam::length);
    let exact = model.exact_beams.iter().map(|beam| beam.length(model));
    let lengths = markers.chain(joints).chain(beams).chain(exact);
    lengths.fold(0.0, f64::max)
}
