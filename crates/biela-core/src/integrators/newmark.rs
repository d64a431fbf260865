//! The step of `generalized-alpha` and `hht`: Newmark's formulas, Newton's method on the constrained equations, step-size choice.
//!
//! ```text
//! q⁺ = q ⊕ (h v + h² (½ − β) a + h² β a⁺)        v⁺ = v + h (1 − γ) a + h γ a⁺
//! ```
//!
//! a⁺ follows from the equations of motion at the end of the step, in which either accelerations or forces are averaged over the step ([`Average`]).
//! The unknown of Newton's method is the position increment x, with `∂v/∂x = γ/(hβ) = γ'` and `∂v̇/∂x = (1 − α_m)/(h²β(1 − α_f)) = β'`. The iteration matrix,
//! divided by β', is
//!
//! ```text
//! ⎡ M + (γ'/β') C + K/β'   Gᵀ ⎤
//! ⎣          G             0  ⎦
//! ```
//!
//! so that its condition number does not depend on the step size. With `form = "index-2"` the velocities satisfy `G v + Φ_t = 0`, and a further increment s
//! with `M s + Gᵀ μ = 0` moves the positions to Φ = 0 (C. W. Gear, B. Leimkuhler, G. K. Gupta, *J. Comput. Appl. Math.* 12 (1985) 77-90).
//!
//! During a run `a_n = v̇(t_n + (α_m − α_f) h)` to first order. When the step size changes, a is therefore transformed by
//! `a ← v̇ + (h/h₋)(a − v̇)`; without this a change of the step would reduce the order by one.

mod newton;

use crate::keep::{Keep, Words, keep_part};
use std::marker::PhantomData;

use newton::{NewmarkBuffers, NewtonOutcome};

use super::control::{Pace, Tolerance, Trial};
use super::implicit::{March, powers};
use super::{
    IntegrationError, Integrator, IntegratorKind, IntegratorWork, Mechanics, Ode, error_norm,
};
use crate::element::{ArgumentError, Arguments, Info, field_group};
use crate::methods::Sharing;
use crate::system::Workspace;

/// The description of a method of this family.
pub trait Scheme: Clone + Sync + Send + 'static {
    /// Name, fields and summary.
    const INFO: Info;
    /// Returns its weights, from its own fields.
    fn weights(arguments: &Arguments) -> Result<NewmarkWeights, ArgumentError>;
    /// Returns the convergence criterion of Newton's method.
    fn closing(arguments: &Arguments) -> NewtonCriterion {
        NewtonCriterion::of_positions(arguments)
    }
}

/// Weights of a method.
#[derive(Clone, Copy, Debug)]
pub struct NewmarkWeights {
    /// Weight of the old auxiliary acceleration.
    pub alpha_m: f64,
    /// Weight of the old acceleration, or of the old forces.
    pub alpha_f: f64,
    /// Newmark's β.
    pub beta: f64,
    /// Newmark's γ.
    pub gamma: f64,
    /// The averaged quantity.
    pub average: Average,
}

/// The quantity averaged over a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Average {
    /// `(1 − α_m) a⁺ + α_m a = (1 − α_f) v̇⁺ + α_f v̇` with `M v̇⁺ = −F⁺`, F = Gᵀλ − f: order 2 for any M(q).
    Accelerations,
    /// `M⁺ a⁺/(1 − α_f) + F⁺ + α_f/(1 − α_f) F = 0` and v̇ = a: order 2 if M is constant, order 1 otherwise.
    Forces,
}

/// The convergence criterion of Newton's method.
#[derive(Clone, Copy, Debug)]
pub enum NewtonCriterion {
    /// The remaining error of the positions (m, rad) at a step of 1 ms is below this.
    Position(f64),
    /// The norm of the residual before a correction, or of the correction of accelerations and multipliers, is below this.
    Lengths {
        /// Norm of the residual: forces, and constraints divided by βh².
        residual: f64,
        /// Norm of the correction.
        correction: f64,
    },
}

impl NewtonCriterion {
    /// From the field `newton_tolerance`.
    pub(super) fn of_positions(arguments: &Arguments) -> Self {
        NewtonCriterion::Position(
            arguments
                .optional_number("newton_tolerance")
                .unwrap_or(1e-12),
        )
    }
}

// The field for the fixed step.
field_group! { $ step_field {
    /// step size if tolerance is omitted; greater than zero
    step: Positive { unit: "s" } = "0.001",
} }
// The field for error control.
field_group! { $ step_tolerance_field {
    /// local error tolerance of a step, relative to 1 + |value|, at least 1e-15: of positions with index-3, also of velocities with index-2; the step is fixed if omitted
    tolerance: Positive { unit: "1" } = "",
} }
// The field for the convergence criterion of Newton's method.
field_group! { $ newton_tolerance_field {
    /// largest position error left by Newton's method (m, rad) at a step of 1 ms, greater than zero; decreases with the fourth power of shorter steps; not used with tolerance
    newton_tolerance: Positive { unit: "1" } = "1e-12",
} }
// The field for the differential index of the equations.
field_group! { $ form_field {
    /// differential index of the equations: constraints at position level (index-3), or at position and velocity level (index-2, stabilised)
    form: Choice(&["index-3", "index-2"]) = "index-3",
} }
// The field for the variant of Newton's method.
field_group! { $ newton_field {
    /// Newton's method: the iteration matrix is reused while the iteration converges well (modified), or recomputed in every iteration (full)
    newton: Choice(&["modified", "full"]) = "modified",
} }
/// An integrator of this family.
#[derive(Clone, Debug)]
pub struct Newmark<S> {
    weights: NewmarkWeights,
    closing: NewtonCriterion,
    index2: bool,
    full: bool,
    max_iterations: usize,
    /// Smallest step, as a fraction of the given step.
    least: f64,
    march: March,
    pace: Option<Pace>,
    parts: Option<NewmarkBuffers>,
    work: IntegratorWork,
    scheme: PhantomData<S>,
}

impl<S> Keep for Newmark<S> {
    fn keep(&mut self, words: &mut Words) {
        self.march.keep(words);
        self.work.keep(words);
        keep_part(&mut self.pace, words);
        keep_part(&mut self.parts, words);
    }
}

const MAX_ITERATIONS: usize = 12;
impl<S: Scheme> IntegratorKind for Newmark<S> {
    const INFO: Info = S::INFO;
    const ORDER: u32 = 2;
    const ON_SYSTEMS: bool = true;

    fn build(arguments: &Arguments, len: usize) -> Result<Self, ArgumentError> {
        let weights = S::weights(arguments)?;
        let size = arguments.number("step");
        let controlled = arguments.get("tolerance").is_some();
        if controlled && weights.average == Average::Forces {
            return Err(ArgumentError {
                field: "tolerance",
                message: "error control requires averaged accelerations: omit average = \"forces\", or set `step` instead"
                    .to_owned(),
            });
        }
        if !controlled && arguments.get("absolute").is_some() {
            return Err(ArgumentError {
                field: "absolute",
                message: "it needs `tolerance`: set both".to_owned(),
            });
        }
        let iterations = arguments
            .optional_number("max_iterations")
            .unwrap_or(MAX_ITERATIONS as f64);
        if !(1.0..=1000.0).contains(&iterations) || iterations.fract() != 0.0 {
            return Err(ArgumentError {
                field: "max_iterations",
                message: format!("{iterations} is not a whole number from 1 to 1000"),
            });
        }
        Ok(Newmark {
            weights,
            closing: S::closing(arguments),
            index2: arguments.word("form") == "index-2",
            full: arguments.word("newton") == "full",
            max_iterations: iterations as usize,
            least: arguments
                .optional_number("min_step")
                .map_or(1e-9, |least| least / size),
            march: March::new(size, len),
            pace: controlled.then(|| Pace::new(arguments, 2)).transpose()?,
            parts: None,
            work: IntegratorWork::default(),
            scheme: PhantomData,
        })
    }
}

impl<S: Scheme> Newmark<S> {
    /// Returns coordinate `i` of a⁺ at the trial state.
    fn next_acceleration(weights: &NewmarkWeights, parts: &NewmarkBuffers, i: usize) -> f64 {
        match weights.average {
            Average::Forces => parts.next_rates[i],
            Average::Accelerations => {
                ((1.0 - weights.alpha_f) * parts.next_rates[i] + weights.alpha_f * parts.rates[i]
                    - weights.alpha_m * parts.carried[i])
                    / (1.0 - weights.alpha_m)
            }
        }
    }

    /// Returns the error of the trial relative to the tolerance: the leading error term of Newmark's formulas. With d = α_m − α_f
    ///
    /// ```text
    /// e = h² (β + d/2 − 1/6)(a⁺ − a)  in q      e = h³ (1/12 + d α_m − d/2 − d²) d²a/dt²  in v
    /// ```
    ///
    /// Constraints are satisfied for any component of a across them, and after a change of the step size this component oscillates in index 3. Therefore e is
    /// replaced by ε of `T ε + Gᵀ μ = M e`, `G ε = 0`, with the current matrix: the part of e along the constraints, reduced in stiff directions. Velocity
    /// constraints do not determine positions: e across them is a part of ε. Velocities and multipliers of index 3 are derivatives of the controlled quantities and
    /// are not controlled themselves.
    fn error(&mut self, mechanics: &Mechanics<'_>, h: f64, tolerance: Tolerance) -> f64 {
        let Some(parts) = &mut self.parts else {
            return 0.0;
        };
        let weights = self.weights;
        let d = weights.alpha_m - weights.alpha_f;
        let (system, mass) = (mechanics.system, &mechanics.workspace.mass);
        let sizes = system.sizes();
        let (nq, nv) = (sizes.positions, sizes.velocities);
        let (q0, rest) = self.march.y.split_at(nq);
        for i in 0..nv {
            let change = Self::next_acceleration(&weights, parts, i) - parts.carried[i];
            parts.move_by[i] = h * h * (weights.beta + 0.5 * d - 1.0 / 6.0) * change;
        }
        parts.filter(system, mass);
        parts.add_across_velocity_rows(mechanics);
        system.position_rates(&parts.q, &parts.residual, &mut parts.error[..nq]);
        let positions = error_norm(&parts.error, q0, &parts.q, nq, tolerance);
        if !self.index2 {
            return positions;
        }
        for i in 0..nv {
            let change = Self::next_acceleration(&weights, parts, i) - parts.carried[i];
            parts.move_by[i] = if parts.has_slope {
                let bend = 2.0 * (change / h - parts.slope[i]) / (h + parts.stepped);
                h.powi(3) * (1.0 / 12.0 + d * weights.alpha_m - 0.5 * d - d * d) * bend
            } else {
                // at a start a = v̇
                let factor = 0.5 * (1.0 - weights.alpha_m) / (1.0 - weights.alpha_f);
                h * (weights.gamma - factor) * change
            };
        }
        parts.filter(system, mass);
        let velocities = error_norm(&parts.residual, &rest[..nv], &parts.v, nv, tolerance);
        let (nq, nv) = (nq as f64, nv as f64);
        ((nq * positions * positions + nv * velocities * velocities) / (nq + nv)).sqrt()
    }

    /// Whether the converged trial is accurate enough; sets the size of the next step.
    fn accepts(
        &mut self,
        mechanics: &Mechanics<'_>,
        trial: &Trial,
        outcome: NewtonOutcome,
    ) -> bool {
        let Some(tolerance) = self.pace.as_ref().map(Pace::allowed) else {
            if outcome == NewtonOutcome::Easily {
                self.march.grow();
            }
            return true;
        };
        let error = self.error(mechanics, trial.size, tolerance);
        self.pace
            .as_mut()
            .is_none_or(|pace| pace.judge_calmly(trial, error))
    }

    fn mechanics(ode: &mut dyn Ode) -> Result<Mechanics<'_>, IntegrationError> {
        ode.mechanics().ok_or(IntegrationError::NeedsSystem {
            integrator: S::INFO.name,
        })
    }

    /// Computes accelerations and multipliers that are consistent with the current state; a = v̇.
    fn refresh(&mut self, ode: &mut dyn Ode) -> Result<(), IntegrationError> {
        ode.derivative(self.march.time, &self.march.y, &mut self.march.slope)?;
        self.work.evaluations += 1;
        let mechanics = Self::mechanics(ode)?;
        let parts = self
            .parts
            .get_or_insert_with(|| NewmarkBuffers::new(mechanics.system));
        let solution = mechanics.solution;
        parts.rates.copy_from_slice(&solution.rates);
        parts.acceleration.copy_from_slice(&solution.rates);
        parts.multipliers.copy_from_slice(&solution.multipliers);
        if let Some(sharing) = &mut parts.sharing {
            sharing.prepare(mechanics.system, mechanics.workspace);
            sharing.gather(&mut parts.multipliers);
        }
        parts.power.copy_from_slice(&solution.power);
        (parts.stepped, parts.has_slope) = (0.0, false);
        Ok(())
    }

    /// Projects the velocities to the constraints before a restart: those of index 3 drift, and the drift is amplified by short steps.
    fn close_velocities(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        time: f64,
    ) -> Result<(), IntegrationError> {
        let Some(parts) = &mut self.parts else {
            return Ok(());
        };
        let (q, rest) = self.march.y.split_at_mut(parts.q.len());
        parts.project(mechanics, (time, q, &mut rest[..parts.v.len()]))?;
        self.work.evaluations += 1;
        self.work.factorizations += 1;
        Ok(())
    }

    /// Stores the forces at the start of the step, if they are averaged.
    fn look_back(&mut self, mechanics: &mut Mechanics<'_>) -> Result<(), IntegrationError> {
        if let (Average::Forces, Some(parts)) = (self.weights.average, &mut self.parts) {
            let sizes = mechanics.system.sizes();
            let (q, rest) = self.march.y.split_at(sizes.positions);
            let (v, rest) = rest.split_at(sizes.velocities);
            let inputs = &mut mechanics.workspace.kinematics.inputs;
            inputs.hold_integrals(&rest[..sizes.works]);
            let share = self.weights.alpha_f / (1.0 - self.weights.alpha_f);
            parts.look_back(mechanics, (self.march.time, q, v), share)?;
            self.work.evaluations += 1;
        }
        Ok(())
    }

    /// Makes the trial the current state.
    fn commit(&mut self, mechanics: &mut Mechanics<'_>, h: f64, next: f64) {
        let Some(parts) = &mut self.parts else {
            return;
        };
        let sizes = mechanics.system.sizes();
        self.march.accept(next);
        let (q, rest) = self.march.y.split_at_mut(sizes.positions);
        let (v, rest) = rest.split_at_mut(sizes.velocities);
        let (work, turns) = rest.split_at_mut(sizes.works);
        q.copy_from_slice(&parts.q);
        v.copy_from_slice(&parts.v);
        for i in 0..v.len() {
            let a = Self::next_acceleration(&self.weights, parts, i);
            parts.slope[i] = (a - parts.carried[i]) / h;
            parts.acceleration[i] = a;
        }
        (parts.stepped, parts.has_slope) = (h, true);
        parts.open.copy_from_slice(&mechanics.workspace.rate);
        self.work.jumps += u64::from(parts.jumps());
        std::mem::swap(&mut parts.rates, &mut parts.next_rates);
        std::mem::swap(&mut parts.multipliers, &mut parts.next_multipliers);

        let (dq, rest) = self.march.slope.split_at_mut(sizes.positions);
        let (dv, rest) = rest.split_at_mut(sizes.velocities);
        let (dw, dturns) = rest.split_at_mut(sizes.works);
        mechanics.turn_rates(dturns);
        for (i, turn) in turns.iter_mut().enumerate() {
            *turn += 0.5 * h * (mechanics.ahead.rates[i] + dturns[i]);
        }
        mechanics.system.position_rates(q, v, dq);
        dv.copy_from_slice(&parts.rates);
        let ws: &Workspace = mechanics.workspace;
        powers(mechanics.system, ws, &parts.multipliers, dw);
        for (w, (before, after)) in work.iter_mut().zip(parts.power.iter().zip(dw.iter())) {
            *w += 0.5 * h * (before + after);
        }
        parts.power.copy_from_slice(dw);
        self.work.steps += 1;
    }
}

impl<S: Scheme> Integrator for Newmark<S> {
    fn start(&mut self, ode: &mut dyn Ode, time: f64, y: &[f64]) -> Result<(), IntegrationError> {
        self.march.start(time, y);
        let mechanics = Self::mechanics(ode)?;
        let parts = self
            .parts
            .get_or_insert_with(|| NewmarkBuffers::new(mechanics.system));
        parts.sharing = Sharing::new(mechanics.system, mechanics.active);
        self.refresh(ode)?;
        if let Some(pace) = &mut self.pace {
            let (slope, probes) = self.march.probes();
            self.work.evaluations += pace.start(ode, (time, y), slope, probes)?;
        }
        Ok(())
    }

    fn step(&mut self, ode: &mut dyn Ode, end: f64) -> Result<f64, IntegrationError> {
        let time = self.march.time;
        self.look_back(&mut Self::mechanics(ode)?)?;
        loop {
            let trial = match &mut self.pace {
                Some(pace) => pace.trial(ode, (time, end), 0.5)?,
                None => self.march.next(end),
            };
            let h = trial.size;
            let mut mechanics = Self::mechanics(ode)?;
            let solved = self.solve(&mut mechanics, h);
            let cause = match solved {
                Ok(NewtonOutcome::Stale) => {
                    if let Some(parts) = &mut self.parts {
                        parts.matrix.forget();
                    }
                    continue;
                }
                Ok(NewtonOutcome::Failed) => IntegrationError::StepTooSmall {
                    time,
                    step: 0.5 * h,
                },
                Err(error) => error.into(),
                Ok(outcome) => {
                    if self.accepts(&mechanics, &trial, outcome) {
                        self.commit(&mut mechanics, h, trial.reached);
                        return Ok(trial.reached);
                    }
                    self.work.rejected += 1;
                    continue;
                }
            };
            let parts = self.parts.as_mut();
            if parts.is_some_and(|parts| parts.matrix.try_whole_tangent()) {
                continue;
            }
            self.work.rejected += 1;
            match &mut self.pace {
                Some(pace) => pace.retreat(time, &trial, cause)?,
                None if self.march.halve(h, self.least) => {}
                None => return Err(cause),
            }
            // a restarted step uses nothing that depends on the size of the failed one
            if self.weights.average == Average::Accelerations {
                self.close_velocities(&mut Self::mechanics(ode)?, time)?;
                self.refresh(ode)?;
            }
        }
    }

    fn y(&self) -> &[f64] {
        &self.march.y
    }

    fn replace(&mut self, y: &[f64]) {
        self.march.y.copy_from_slice(y);
    }

    fn keeps_constraints(&self) -> bool {
        true
    }

    fn damps(&self) -> bool {
        self.weights.alpha_f - self.weights.alpha_m > 1e-9
    }

    fn caution(&self, constrained: bool) -> Option<&'static str> {
        (constrained && !self.damps() && !self.index2).then_some(
            "without numerical damping, reactions and accelerations of the index-3 equations may oscillate with growing amplitude until the run fails. Add numerical damping, or set form = \"index-2\"",
        )
    }

    fn crosses(&self) -> bool {
        self.pace.is_none()
    }

    fn prepare_dense(&mut self, _: &mut dyn Ode) -> Result<(), IntegrationError> {
        Ok(())
    }

    fn interpolate(&self, time: f64, y: &mut [f64]) {
        self.march.interpolate(time, y);
    }

    fn step_size(&self) -> f64 {
        self.march.step_size()
    }

    fn work(&self) -> IntegratorWork {
        self.work
    }
}
