//! Equilibria with unilateral constraints: contacts, stops and ropes.
//!
//! A pose is an equilibrium if the contact problem of the accelerations from rest has a solution without acceleration,
//!
//! ```text
//! u = D r + b = 0        0 ≤ uₙ ⟂ rₙ ≥ 0        |r_t| ≤ μ_s rₙ
//! ```
//!
//! with b the accelerations of the closed gaps without their forces. If forces are statically indeterminate, those with the least norm are listed. If the initial
//! configuration is no equilibrium, one without friction is searched by an active-set iteration: closed gaps are constraints of the [descent](super::descend); a gap
//! that would be penetrated is closed, and the one that pulls most is opened.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::descend::descend;
use super::rest::Rest;
use super::{DOUBTFUL, Equilibrium, FoundEquilibrium, Statics, StaticsError};
use crate::analysis::ContactFormulation;
use crate::analysis::Observer;
use crate::analysis::assemble::model_size;
use crate::analysis::delassus::Delassus;
use crate::methods::bilateral_rows;
use crate::system::{
    ContactSystem, EvaluationContext, Inputs, NotFinite, State, System, Workspace,
};
use crate::unilateral::problem::{ContactProblem, ContactTerm, FrictionTerm};
use crate::unilateral::{ContactMemory, FrictionBound, Mode, NormalLaw, Unilateral};

/// A gap below this fraction of the size of the model is closed.
const CLOSED: f64 = 1e-9;
/// Unbalanced force of an equilibrium relative to all forces; the accuracy of the contact problem.
const BALANCED: f64 = 1e-9;
/// Forces below this fraction of the largest one are zero.
const FORCELESS: f64 = 1e-10;
const MOST_CHANGES: usize = 100;

/// The force of a closed contact, stop or rope at an equilibrium.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SupportForce {
    /// "contact `floor`", …
    pub element: String,
    /// The number of the point among those of a contact with several, from 1; zero for a single one.
    pub point: usize,
    /// The normal force, N, or N·m about an angle.
    pub normal: f64,
    /// The unit of the forces.
    pub unit: &'static str,
    /// The magnitude of the friction force.
    pub tangential: f64,
    /// The friction force as a share of its bound, |λ_t|/(μ_s λₙ); `None` without friction.
    pub used: Option<f64>,
}

/// The forces that hold an equilibrium.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Supports {
    /// Those of all closed gaps.
    pub forces: Vec<SupportForce>,
    /// Whether they are statically indeterminate; the distribution with the least norm is listed.
    pub indeterminate: bool,
}

impl Supports {
    /// The smallest normal force as a share of the mean one: the margin before a contact opens and the body tips. `None` without forces along lengths.
    pub fn least_share(&self) -> Option<f64> {
        let normals = self.forces.iter().filter(|one| one.unit == "N");
        let normals: Vec<f64> = normals.map(|one| one.normal).collect();
        let mean = normals.iter().sum::<f64>() / normals.len() as f64;
        let least = normals.into_iter().reduce(f64::min)?;
        (mean > 0.0).then(|| least / mean)
    }

    /// The largest share of its bound that a friction force uses; `None` without friction.
    pub fn most_used(&self) -> Option<f64> {
        let used = self.forces.iter().filter_map(|one| one.used);
        used.reduce(f64::max)
    }
}

/// The solution of the contact problem at a pose.
struct PoseBalance {
    supports: Supports,
    /// Modes of the closed gaps, as in [`State::memory`].
    memory: Vec<f64>,
    /// The active rows.
    active: Vec<bool>,
    /// The norm of the accelerations in the metric of the mass matrix.
    acceleration: f64,
    /// Multipliers of the rows of closed gaps.
    multipliers: Vec<(usize, f64)>,
}

/// A system with its unilateral constraints.
pub(super) struct Supported {
    system: Arc<dyn System>,
    active: Vec<bool>,
    size: f64,
    /// Where the modes are in [`State::memory`].
    inputs: Inputs,
}

impl Supported {
    /// Returns `None` for a system without gaps.
    pub(super) fn of(base: &Arc<dyn System>, active: &[bool]) -> Option<Self> {
        let system = ContactSystem::of(base.clone(), ContactFormulation::Events);
        let gaps = |one: &Unilateral| one.normal == NormalLaw::Gap;
        if !system.unilaterals().iter().any(gaps) {
            return None;
        }
        let size = model_size(base.as_ref());
        Some(Supported {
            active: active.to_vec(),
            size: if size > 0.0 { size } else { 1.0 },
            inputs: Inputs::new(system.model()),
            system,
        })
    }

    /// Returns the equilibrium at a pose, or the one without friction reached from it.
    pub(super) fn reach(&self, start: &State) -> Result<FoundEquilibrium, StaticsError> {
        let mut state = start.clone();
        state.v.fill(0.0);
        let mut balance = self.balance(&state)?;
        if !self.holds(&balance, &state, BALANCED)? {
            self.slide(&mut state)?;
            balance = self.balance(&state)?;
            if !self.holds(&balance, &state, DOUBTFUL)? {
                return Err(self.lost(start, &state)?);
            }
        }
        let mut found = self.statics(&balance, &state).describe(state, 0)?;
        found.equilibrium.supports = Some(balance.supports);
        Ok(found)
    }

    /// Passes an equilibrium to an observer.
    pub(super) fn show(
        &self,
        found: &Equilibrium,
        observer: &mut dyn Observer,
    ) -> Result<ControlFlow<()>, StaticsError> {
        let balance = self.balance(&found.state)?;
        let mut inner = self.statics(&balance, &found.state);
        inner.rest.evaluate_by_mass(&found.state)?;
        for (row, multiplier) in &balance.multipliers {
            inner.rest.multipliers[*row] = *multiplier;
        }
        Ok(inner.present(observer))
    }

    /// Whether a pose is an equilibrium, up to this share of all forces.
    fn holds(
        &self,
        balance: &PoseBalance,
        state: &State,
        share: f64,
    ) -> Result<bool, StaticsError> {
        let mut rest = self.statics(balance, state).rest;
        rest.evaluate_by_mass(state)?;
        Ok(balance.acceleration <= share * rest.force_scale())
    }

    /// The error at a state where the search ended.
    fn lost(&self, start: &State, state: &State) -> Result<StaticsError, NotFinite> {
        let balance = self.balance(state)?;
        let mut inner = self.statics(&balance, start);
        inner.rest.evaluate(state)?;
        inner.no_equilibrium(state)
    }

    /// The statics of the system with the closed gaps as constraints.
    fn statics<'b>(&'b self, balance: &'b PoseBalance, state: &State) -> Statics<'b> {
        let mut rest = Rest::new(self.system.as_ref(), &balance.active, state);
        rest.hold(&balance.memory);
        Statics {
            rest,
            start: state.clone(),
            freedom: usize::MAX,
            forces: 0.0,
            load_steps: 0,
            supported: None,
        }
    }

    /// Solves the contact problem of the accelerations from rest.
    fn balance(&self, state: &State) -> Result<PoseBalance, NotFinite> {
        let system = self.system.as_ref();
        let mut ws = Workspace::new(system);
        let mut memory = state.memory.clone();
        let closed = self.close(state, &mut ws, &mut memory);
        system.mass(&mut ws);
        system.forces(&mut ws)?;
        system.constraints(&mut ws);
        // drivers are at rest
        ws.gamma.fill(0.0);
        let bilateral = bilateral_rows(system);
        let held = |row: usize| row < bilateral && self.active[row];
        let mut delassus = Delassus::new(system);
        let mut problem = ContactProblem::default();
        delassus.rows.clear();
        let mut terms = Vec::with_capacity(closed.len());
        for i in &closed {
            let one = &system.unilaterals()[*i];
            terms.push(ContactTerm {
                row: delassus.rows.len(),
                normal: true,
                pressing: delassus.rows.len(),
                tangents: one.tangents,
                angular: one.is_angular(system.model()),
                friction: match one.friction {
                    FrictionBound::Coulomb { rest: mu, .. } => {
                        FrictionTerm::Cone { mu, offset: 0.0 }
                    }
                    _ => FrictionTerm::None,
                },
            });
            let first = system.unilateral_row(*i);
            delassus.rows.extend(first..first + one.num_rows());
        }
        delassus.factor(system, &ws, held);
        delassus.accelerate(system, &ws, held);
        problem.clear(delassus.rows.len());
        problem.terms.clone_from(&terms);
        delassus.fill(system, &ws, &mut problem.delassus);
        let pattern = system.jacobian_pattern();
        for (free, row) in problem.free.iter_mut().zip(&delassus.rows) {
            *free = pattern.row_times(*row, &ws.jacobian, &delassus.free);
        }
        // without a solution the remaining accelerations indicate that the pose is no equilibrium
        let _ = problem.solve();
        let mut rates = delassus.free.clone();
        for (force, response) in problem.force.iter().zip(&delassus.responses) {
            for (rate, d) in rates.iter_mut().zip(response) {
                *rate += force * d;
            }
        }
        let square = system.mass_pattern().quadratic(&ws.mass, &rates);
        let mut balance = PoseBalance {
            supports: self.supports(&closed, &terms, &problem.force),
            memory,
            active: self.active.clone(),
            acceleration: square.max(0.0).sqrt(),
            multipliers: { delassus.rows.iter().copied() }
                .zip(problem.force.iter().map(|force| -force))
                .collect(),
        };
        self.activate(&mut balance, (&closed, &terms), &problem, &mut delassus);
        Ok(balance)
    }

    /// Closes the gaps that are zero at a state, in `memory` and in the evaluation; returns them.
    fn close(&self, state: &State, ws: &mut Workspace, memory: &mut [f64]) -> Vec<usize> {
        let system = self.system.as_ref();
        let (q, v) = (&state.q, &state.v);
        system.update(state.time, q, v, &state.turns, &mut ws.kinematics);
        let context = EvaluationContext {
            model: system.model(),
            kinematics: &ws.kinematics,
        };
        let mut closed = Vec::new();
        for (i, one) in system.unilaterals().iter().enumerate() {
            let mut mode = ContactMemory::default();
            let gap = one.gap(&context, &mode).0;
            if one.normal == NormalLaw::Gap && gap <= CLOSED * self.size {
                mode.mode = Mode::Slip;
                mode.axis = one.best_axis(&context, &mode);
                closed.push(i);
            }
            memory[context.kinematics.inputs.contact_numbers(i)].copy_from_slice(&mode.numbers());
        }
        ws.kinematics.inputs.hold(memory);
        closed
    }

    /// The forces of the closed gaps.
    fn supports(&self, closed: &[usize], terms: &[ContactTerm], force: &[f64]) -> Supports {
        let (system, model) = (self.system.as_ref(), self.system.model());
        let all = system.unilaterals();
        let forces = closed.iter().zip(terms).map(|(i, term)| {
            let one = &all[*i];
            let normal = force[term.row];
            let rubbing = &force[term.row + 1..term.row + 1 + term.tangents];
            let tangential = rubbing.iter().fold(0.0_f64, |m, x| m.hypot(*x));
            let bound = match term.friction {
                FrictionTerm::Cone { mu, .. } => Some(mu * normal),
                _ => None,
            };
            SupportForce {
                element: format!("{} `{}`", one.owner.word(), one.owner.name(model)),
                point: point_number(all, *i),
                normal,
                unit: if one.unit(model) == "rad" { "N*m" } else { "N" },
                tangential,
                used: bound
                    .filter(|bound| *bound > 0.0)
                    .map(|bound| tangential / bound),
            }
        });
        Supports {
            forces: forces.collect(),
            indeterminate: false,
        }
    }

    /// Makes the rows of the contacts that carry a force active, except those that depend on others: with friction that is not used up they stick.
    fn activate(
        &self,
        balance: &mut PoseBalance,
        (closed, terms): (&[usize], &[ContactTerm]),
        problem: &ContactProblem,
        delassus: &mut Delassus,
    ) {
        let system = self.system.as_ref();
        let largest = problem.force.iter().fold(0.0_f64, |m, r| m.max(r.abs()));
        let mut acts = vec![false; delassus.rows.len()];
        for (i, term) in closed.iter().zip(terms) {
            let carries = problem.force[term.row] > FORCELESS * largest;
            let sticks = carries && !matches!(term.friction, FrictionTerm::None);
            acts[term.row] = carries;
            acts[term.row + 1..term.row + 1 + term.tangents].fill(sticks);
            let numbers = self.inputs.contact_numbers(*i);
            let mut mode = ContactMemory::read(&balance.memory[numbers.clone()]);
            mode.mode = match (carries, sticks) {
                (false, _) => Mode::Open,
                (true, true) => Mode::Stick,
                (true, false) => Mode::Slip,
            };
            balance.memory[numbers].copy_from_slice(&mode.numbers());
        }
        let mut dependent = Vec::new();
        delassus.dependent(&problem.delassus, |k, _| acts[k], &mut dependent);
        balance.supports.indeterminate = dependent.contains(&true);
        balance.active.resize(system.rows().len(), false);
        for (k, row) in delassus.rows.iter().enumerate() {
            balance.active[*row] = acts[k] && !dependent[k];
        }
    }

    /// Moves a state to an equilibrium without friction.
    fn slide(&self, state: &mut State) -> Result<(), StaticsError> {
        let system = self.system.as_ref();
        let start = state.clone();
        let mut closed: Vec<bool> = vec![false; system.unilaterals().len()];
        let mut ws = Workspace::new(system);
        let mut memory = state.memory.clone();
        for i in self.close(state, &mut ws, &mut memory) {
            closed[i] = true;
        }
        for _ in 0..MOST_CHANGES {
            let active = self.normal_rows(&closed);
            for (i, closed) in closed.iter().enumerate() {
                let mut mode = ContactMemory::default();
                if *closed {
                    mode.mode = Mode::Slip;
                }
                memory[self.inputs.contact_numbers(i)].copy_from_slice(&mode.numbers());
            }
            let mut inner = Statics {
                rest: Rest::new(system, &active, state),
                start: start.clone(),
                freedom: usize::MAX,
                forces: 0.0,
                load_steps: 0,
                supported: None,
            };
            let rest = &mut inner.rest;
            rest.hold(&memory);
            rest.guard(CLOSED * self.size);
            // closes the gap that was closed last
            let still = vec![0.0; state.v.len()];
            let _ = rest.step(state, &still);
            let arrived = descend(rest, state)?;
            rest.evaluate(state)?;
            let scale = rest.force_scale();
            let balanced = rest.imbalance() <= BALANCED * scale;
            if let Some(i) = rest.blocked().filter(|i| !balanced && !closed[*i]) {
                closed[i] = true;
                continue;
            }
            if !arrived && !balanced {
                return Err(inner.no_equilibrium(state)?);
            }
            let pull = |i: &usize| inner.rest.multipliers[system.unilateral_row(*i)];
            let all = (0..closed.len()).filter(|i| closed[*i]);
            let worst = all.max_by(|a, b| pull(a).total_cmp(&pull(b)));
            match worst.filter(|i| pull(i) > BALANCED * largest(&inner.rest.multipliers)) {
                Some(i) => closed[i] = false,
                None => return Ok(()),
            }
        }
        Err(self.lost(&start, state)?)
    }

    /// The active rows with the normal rows of closed gaps.
    fn normal_rows(&self, closed: &[bool]) -> Vec<bool> {
        let mut active = self.active.clone();
        active.resize(self.system.rows().len(), false);
        for (i, closed) in closed.iter().enumerate() {
            if *closed {
                active[self.system.unilateral_row(i)] = true;
            }
        }
        active
    }
}

fn largest(multipliers: &[f64]) -> f64 {
    multipliers.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

/// The number of a point among those of its contact, from 1; zero if it is the only one.
fn point_number(all: &[Unilateral], i: usize) -> usize {
    let same = |k: &usize| all[*k].owner == all[i].owner;
    if (0..all.len()).filter(same).count() == 1 {
        return 0;
    }
    (0..i).filter(same).count() + 1
}
