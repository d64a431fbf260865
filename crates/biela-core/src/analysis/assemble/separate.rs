//! Initial gaps, and the removal of initial penetrations.
//!
//! The smallest displacement in the metric of the mass matrix that opens all gaps and keeps the constraints satisfied,
//!
//! ```text
//! ½ ηᵀ M η → min        G (η − d) = −Φ        W (η − d) + g ≥ 0
//! ```
//!
//! is η = η₀ + M̂⁻¹ Wᵀ r, where η₀ satisfies the constraints alone and r solves the contact problem 0 ≤ D r + W (η₀ − d) + g ⟂ r ≥ 0 with D = W M̂⁻¹ Wᵀ. As the
//! constraints are nonlinear, it is computed repeatedly from the point reached by the displacement d so far, and its change η − d is applied.

use super::{AssembleError, Assembled, OpenElement, amount, longest_move, model_size, place};
use super::{mobility, velocities};
use crate::analysis::ContactFormulation;
use crate::analysis::delassus::Delassus;
use crate::element::Origin;
use crate::methods::bilateral_rows;
use crate::system::{
    ContactSystem, EvaluationContext, RowOwner, State, System, SystemKinematics, Workspace,
    refresh_turns,
};
use crate::unilateral::problem::{ContactProblem, ContactTerm, FrictionTerm};
use crate::unilateral::{ContactMemory, Mode, NormalLaw, unilaterals};

/// A gap in the assembled initial configuration.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct InitialGap {
    /// "contact `floor`", "force `stop`", …
    pub element: String,
    /// Its source location.
    pub origin: Origin,
    /// The smallest gap, negative if the surfaces penetrate each other.
    pub gap: f64,
    /// The unit of the gap.
    pub unit: &'static str,
}

impl InitialGap {
    /// What it means for the start of a run, in a model of a given size.
    pub fn meaning(&self, size: f64) -> GapMeaning {
        let relative = self.gap / size.max(f64::MIN_POSITIVE);
        match relative {
            x if x < -TOUCHING => GapMeaning::Penetrates,
            x if x <= TOUCHING => GapMeaning::Closed,
            x if x <= NARROW => GapMeaning::Narrow,
            _ => GapMeaning::Open,
        }
    }
}

/// What a gap means for the start of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GapMeaning {
    /// The surfaces are apart.
    Open,
    /// They are apart by so little that contact may be intended; it begins with an impact.
    Narrow,
    /// They are in contact up to rounding.
    Closed,
    /// They penetrate each other.
    Penetrates,
}

impl GapMeaning {
    /// Returns the word for it.
    pub fn word(self) -> &'static str {
        match self {
            GapMeaning::Open => "open",
            GapMeaning::Narrow => "nearly closed",
            GapMeaning::Closed => "closed",
            GapMeaning::Penetrates => "penetrating",
        }
    }
}

/// A gap below this fraction of the size of the model is closed.
const TOUCHING: f64 = 1e-12;
/// A gap below this fraction is worth a remark.
const NARROW: f64 = 1e-6;
/// Residuals of gaps and constraints that end the iteration, relative to the size of the model.
const EXACT: f64 = 1e-14;
/// Larger residuals at its end are an error.
const OPEN: f64 = 1e-10;
const MOST_STEPS: usize = 50;
/// Gaps up to this multiple of the deepest penetration are watched.
const NEAR: f64 = 4.0;

impl Assembled {
    /// Returns the gaps of all contacts, stops, ropes and backlashes at the start, in the order of the elements.
    pub fn initial_gaps(&self) -> Vec<InitialGap> {
        let system = self.system.as_ref();
        let model = system.model();
        let state = &self.state;
        let mut kinematics = SystemKinematics::new(model);
        system.update(
            state.time,
            &state.q,
            &state.v,
            &state.turns,
            &mut kinematics,
        );
        let context = EvaluationContext {
            model,
            kinematics: &kinematics,
        };
        let mut list: Vec<InitialGap> = Vec::new();
        let mut last = None;
        for one in unilaterals(model) {
            if one.normal != NormalLaw::Gap {
                continue;
            }
            let gap = one.gap(&context, &ContactMemory::default()).0;
            match list.last_mut() {
                // the points of a contact, and the stops of a force
                Some(known) if last == Some(one.owner) => known.gap = known.gap.min(gap),
                _ => list.push(InitialGap {
                    element: format!("{} `{}`", one.owner.word(), one.owner.name(model)),
                    origin: one.owner.origin(model).clone(),
                    gap,
                    unit: one.unit(model),
                }),
            }
            last = Some(one.owner);
        }
        list
    }

    /// A characteristic length of the model, to which gaps are compared.
    pub fn size(&self) -> f64 {
        size(self.system.as_ref())
    }

    /// Moves bodies by the least displacement that opens all penetrating gaps and keeps the constraints satisfied, with notes of the displacements. The given
    /// initial velocities are kept and made consistent there.
    pub fn resolve_penetrations(&mut self) -> Result<(), AssembleError> {
        let rounding = TOUCHING * self.size();
        let before = self.initial_gaps();
        if before.iter().all(|one| one.gap >= -rounding) {
            return Ok(());
        }
        let base = self.system.as_ref();
        let mut kinematics = SystemKinematics::new(base.model());
        let mut after = SystemKinematics::new(base.model());
        let update = |state: &State, out: &mut SystemKinematics| {
            base.update(state.time, &state.q, &state.v, &state.turns, out);
        };
        update(&self.state, &mut kinematics);
        let system = ContactSystem::of(self.system.clone(), ContactFormulation::Events);
        let mut state = self.state.clone();
        Separation::new(system.as_ref(), &self.active).run(&mut state);
        self.state.q.copy_from_slice(&state.q);
        self.state.turns.copy_from_slice(&state.turns);
        update(&self.state, &mut after);

        let left = self.initial_gaps().into_iter();
        let open: Vec<OpenElement> = left
            .filter(|one| one.gap < -OPEN * self.size())
            .map(|one| OpenElement {
                element: one.element,
                origin: one.origin,
                residual: one.gap,
            })
            .collect();
        if !open.is_empty() {
            return Err(AssembleError::Penetrations { open });
        }
        let moved: Vec<String> = place::changes(base, &kinematics, &after)
            .into_iter()
            .map(|one| match (one.distance > 0.0, one.angle > 0.0) {
                (true, false) => format!("body `{}` moved by {} m", one.body, amount(one.distance)),
                (false, _) => format!("body `{}` turned by {} rad", one.body, amount(one.angle)),
                (true, true) => format!(
                    "body `{}` moved by {} m and turned by {} rad",
                    one.body,
                    amount(one.distance),
                    amount(one.angle)
                ),
            })
            .collect();
        let opened = before.iter().filter(|one| one.gap < -rounding);
        let opened: Vec<String> = opened
            .map(|one| format!("{} ({} {})", one.element, amount(-one.gap), one.unit))
            .collect();
        self.notes.push(format!(
            "penetrations were resolved, of {}: {}",
            super::named(&opened),
            super::named(&moved)
        ));
        let system = self.system.as_ref();
        velocities(system, &mut self.state, &mut self.notes)?;
        let mut ws = Workspace::new(system);
        self.mobility = mobility(system, &self.state, &mut ws);
        Ok(())
    }
}

/// A characteristic length of the model, 1 m if it has none.
fn size(system: &dyn System) -> f64 {
    let size = model_size(system);
    if size > 0.0 { size } else { 1.0 }
}

/// The iteration with its buffers.
struct Separation<'a> {
    system: &'a dyn System,
    active: &'a [bool],
    ws: Workspace,
    delassus: Delassus,
    problem: ContactProblem,
    /// d, and the change η − d.
    displacement: Vec<f64>,
    step: Vec<f64>,
}

impl<'a> Separation<'a> {
    fn new(system: &'a dyn System, active: &'a [bool]) -> Self {
        Separation {
            active,
            ws: Workspace::new(system),
            delassus: Delassus::new(system),
            problem: ContactProblem::default(),
            displacement: vec![0.0; system.sizes().velocities],
            step: vec![0.0; system.sizes().velocities],
            system,
        }
    }

    /// Separates a state as far as possible.
    fn run(&mut self, state: &mut State) {
        let size = size(self.system);
        let bilateral = bilateral_rows(self.system);
        let mut least = f64::INFINITY;
        let mut margin = 0.0;
        let mut kept = state.clone();
        for _ in 0..MOST_STEPS {
            let deepest = self.close_near(state, margin);
            margin = f64::max(margin, NEAR * deepest);
            let violated = (0..bilateral).filter(|row| self.active[*row]);
            let worst = violated.fold(deepest, |m, row| m.max(self.ws.phi[row].abs()));
            if !self.find_step(bilateral) {
                break;
            }
            let reach = self.step.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            // what is left to do: constraints to satisfy, and displacement to save
            let left = worst.max(reach);
            if left < least {
                least = left;
                kept.clone_from(state);
            }
            if left <= EXACT * size || left > 1e3 * least {
                break;
            }
            let scale = (longest_move(self.system, worst) / reach).min(1.0);
            for (x, d) in self.step.iter_mut().zip(&mut self.displacement) {
                *x *= scale;
                *d += *x;
            }
            self.system.retract(&mut state.q, &self.step);
            self.see(state);
            refresh_turns(self.system.model(), &self.ws.kinematics, &mut state.turns);
        }
        state.clone_from(&kept);
    }

    fn see(&mut self, state: &State) {
        let kinematics = &mut self.ws.kinematics;
        self.system
            .update(state.time, &state.q, &state.v, &state.turns, kinematics);
    }

    /// Evaluates the constraints with all gaps below a margin closed; returns the deepest penetration.
    fn close_near(&mut self, state: &State, margin: f64) -> f64 {
        self.see(state);
        let mut deepest = 0.0_f64;
        self.delassus.rows.clear();
        for (i, one) in self.system.unilaterals().iter().enumerate() {
            let context = EvaluationContext {
                model: self.system.model(),
                kinematics: &self.ws.kinematics,
            };
            let mut memory = ContactMemory::default();
            if one.normal == NormalLaw::Gap {
                let gap = one.gap(&context, &memory).0;
                deepest = deepest.max(-gap);
                if gap <= margin {
                    memory.mode = Mode::Slip;
                    memory.axis = one.best_axis(&context, &memory);
                    self.delassus.rows.push(self.system.unilateral_row(i));
                }
            }
            let range = self.ws.kinematics.inputs.contact_numbers(i);
            self.ws.kinematics.inputs.held[range].copy_from_slice(&memory.numbers());
        }
        self.system.mass(&mut self.ws);
        self.system.constraints(&mut self.ws);
        deepest
    }

    /// Computes η − d; returns `false` if it is not finite.
    fn find_step(&mut self, bilateral: usize) -> bool {
        let (system, ws) = (self.system, &mut self.ws);
        let active = self.active;
        let held = |row: usize| row < bilateral && active[row];
        self.delassus.factor(system, ws, held);
        // η₀: as accelerations without forces, with G d − Φ in place of the right-hand side
        let pattern = system.jacobian_pattern();
        ws.force.fill(0.0);
        for row in 0..bilateral {
            let moved = pattern.row_times(row, &ws.jacobian, &self.displacement);
            ws.gamma[row] = moved - ws.phi[row];
        }
        self.delassus.accelerate(system, ws, held);
        let rows = &self.delassus.rows;
        let n = rows.len();
        self.problem.clear(n);
        let is_angular = |row: usize| match system.rows()[row].owner {
            RowOwner::Unilateral(i, _) => system.unilaterals()[i].is_angular(system.model()),
            _ => false,
        };
        for (k, row) in rows.iter().enumerate() {
            let free = pattern.row_times(*row, &ws.jacobian, &self.delassus.free);
            let moved = pattern.row_times(*row, &ws.jacobian, &self.displacement);
            self.problem.free[k] = free - moved + ws.phi[*row];
            self.problem.terms.push(ContactTerm {
                row: k,
                normal: true,
                pressing: k,
                tangents: 0,
                angular: is_angular(*row),
                friction: FrictionTerm::None,
            });
        }
        self.delassus.fill(system, ws, &mut self.problem.delassus);
        // an approximate solution is a step, too
        let _ = self.problem.solve();
        self.step.copy_from_slice(&self.delassus.free);
        for (force, response) in self.problem.force.iter().zip(&self.delassus.responses) {
            for (x, d) in self.step.iter_mut().zip(response) {
                *x += force * d;
            }
        }
        for (x, d) in self.step.iter_mut().zip(&self.displacement) {
            *x -= d;
        }
        self.step.iter().all(|x| x.is_finite())
    }
}
