//! The equations of motion as an initial value problem: a state in one vector, and its time derivative.

use std::sync::Arc;

use super::contacts::Spread;
use super::sampling::SamplingSchedule;
use super::solvers::{KeptSolvers, Solvers};
use super::watch::Zone;
use super::{Choice, IntegrationError};
use crate::integrators::{Mechanics, Ode};
use crate::keep::{Keep, Words};
use crate::methods::{MethodError, MethodWork, Solution};
use crate::system::{
    EvaluationContext, Instant, NotFinite, Sizes, State, System, TurnCount, Workspace, culprit,
    refresh_turns, work_owner,
};

/// System and method as `ẏ = F(t, y)` with y = (q, v, work, integrals of the velocities of counted angles).
#[derive(Clone)]
pub(super) struct Dynamics {
    pub(super) system: Arc<dyn System>,
    pub(super) solvers: Solvers,
    pub(super) kept: KeptSolvers,
    pub(super) sizes: Sizes,
    /// The choice from which the method was built, and the work of its predecessors.
    pub(super) made_from: Choice,
    pub(super) work_before: MethodWork,
    pub(super) ws: Workspace,
    pub(super) solution: Solution,
    /// Counted angles at the last accepted state.
    pub(super) turns: Vec<f64>,
    pub(super) count: TurnCount,
    pub(super) active: Vec<bool>,
    /// Whether closed contacts have dependent rows, and the distribution of their forces.
    pub(super) indeterminate: bool,
    pub(super) spread: Spread,
    /// Positions and velocities made consistent before an evaluation.
    pub(super) consistent: (Vec<f64>, Vec<f64>),
    /// Whether the motion is near a singular configuration.
    pub(super) closes_stages: bool,
    /// Expected time of the next singular configuration, and the one within the last step.
    pub(super) barrier: f64,
    pub(super) zone: Zone,
    pub(super) sampling: SamplingSchedule,
    /// See [`State::memory`].
    pub(super) memory: Vec<f64>,
    /// Outputs of controllers before the last samples.
    pub(super) held_before: Vec<f64>,
}

impl Keep for Dynamics {
    fn keep(&mut self, words: &mut Words) {
        let active = self.active.clone();
        self.active.keep(words);
        if self.active != active {
            self.renew_method();
        }
        self.solvers.method.keep(words);
        self.work_before.keep(words);
        self.solution.keep(words);
        self.turns.keep(words);
        self.solvers.manifold.keep(words);
        self.closes_stages.keep(words);
        self.barrier.keep(words);
        self.zone.keep(words);
        self.count.keep(words);
        self.sampling.keep(words);
        self.indeterminate.keep(words);
        self.memory.keep(words);
        self.held_before.keep(words);
        self.ws.kinematics.inputs.held.keep(words);
        self.ws.kinematics.inputs.span.keep(words);
    }
}

impl Dynamics {
    pub(super) fn context(&self) -> EvaluationContext<'_> {
        EvaluationContext {
            model: self.system.model(),
            kinematics: &self.ws.kinematics,
        }
    }

    /// Takes over what changes at other times than evaluations, without allocating.
    pub(super) fn follow(&mut self, other: &Dynamics) {
        if self.active != other.active {
            self.active.copy_from_slice(&other.active);
            self.solvers = other.solvers.clone();
        }
        self.indeterminate = other.indeterminate;
        self.turns.copy_from_slice(&other.turns);
        self.count.copy_from(&other.count);
        self.closes_stages = other.closes_stages;
        (self.barrier, self.zone) = (other.barrier, other.zone);
        self.memory.copy_from_slice(&other.memory);
        let inputs = &mut self.ws.kinematics.inputs;
        inputs.copy_from(&other.ws.kinematics.inputs);
    }

    /// Brings positions and velocities to the constraints.
    pub(super) fn close(&mut self, state: &mut State) -> Result<(), MethodError> {
        let State {
            time, q, v, turns, ..
        } = state;
        let system = self.system.as_ref();
        system.normalize(q);
        if self.active.contains(&true) {
            self.solvers
                .manifold
                .close(system, &mut self.ws, *time, [q, v], turns)?;
        }
        Ok(())
    }

    pub(super) fn evaluate_at(&mut self, state: &State) -> Result<(), MethodError> {
        self.see(state);
        self.evaluate()
    }

    /// Returns the positions and velocities at which F is evaluated: the given ones, or the consistent ones that the method computes from them. `turning` are
    /// the integrals of the velocities of counted angles.
    pub(super) fn prepare(
        &mut self,
        time: f64,
        (q, v): (&[f64], &[f64]),
        turning: &[f64],
    ) -> Result<(), MethodError> {
        self.consistent.0.copy_from_slice(q);
        self.consistent.1.copy_from_slice(v);
        if self.closes_stages {
            let (q, v) = (&mut self.consistent.0, &mut self.consistent.1);
            let system = self.system.as_ref();
            let turns = self.count.near(&self.turns, turning);
            self.solvers
                .manifold
                .close(system, &mut self.ws, time, [q, v], turns)?;
        }
        if self.solvers.method.prepares() {
            let (q, v) = (&mut self.consistent.0, &mut self.consistent.1);
            let system = self.system.as_ref();
            let turns = self.count.near(&self.turns, turning);
            self.solvers
                .method
                .prepare(system, &mut self.ws, time, q, v, turns)?;
        }
        Ok(())
    }

    /// Checks that a state is finite before it replaces the last one.
    pub(super) fn check_state(&mut self, state: &State) -> Result<(), MethodError> {
        let all = state.q.iter().chain(&state.v).chain(&state.work);
        if all.sum::<f64>().is_finite() {
            return Ok(());
        }
        self.see(state);
        let found = culprit(self.system.as_ref(), &mut self.ws);
        let broken = found.unwrap_or_else(|| NotFinite {
            element: work_owner(self.system.model(), &state.work),
            time: state.time,
            cause: "its work overflows; check its force or torque and its velocity".into(),
            grown: false,
        });
        Err(broken.into())
    }

    /// Returns the cause of an energy that is not finite.
    pub(super) fn diagnose_energy(&mut self) -> NotFinite {
        let found = culprit(self.system.as_ref(), &mut self.ws);
        found.unwrap_or_else(|| NotFinite {
            element: "the energy".to_owned(),
            time: self.ws.kinematics.time,
            cause: "it overflows; check masses, speeds and stiffnesses".into(),
            grown: true,
        })
    }

    /// Checks rows deactivated as redundant: if one is violated while the others are satisfied, it contradicts them.
    pub(super) fn check_left_out_rows(&self) -> Result<(), MethodError> {
        let (mut kept, mut left_out) = (0.0_f64, (0.0_f64, 0));
        for (i, phi) in self.ws.phi.iter().enumerate() {
            if self.active[i] {
                kept = kept.max(phi.abs());
            } else if phi.abs() > left_out.0 {
                left_out = (phi.abs(), i);
            }
        }
        let (residual, row) = left_out;
        if residual > 1e-5 && residual > 100.0 * kept {
            return Err(MethodError::Contradiction {
                owner: self.system.rows()[row].describe(self.system.model()),
                residual,
                time: self.ws.kinematics.time,
            });
        }
        Ok(())
    }

    /// Projects a state to the constraints if the method does so; returns whether it changed. At a singular configuration a projection could reach
    /// another branch, so the state of the integrator is not changed.
    pub(super) fn correct(&mut self, state: &mut State) -> Result<bool, MethodError> {
        if self.zone.holds(state.time) {
            return Ok(false);
        }
        let system = self.system.as_ref();
        if self.closes_stages {
            let State {
                time, q, v, turns, ..
            } = state;
            self.solvers
                .manifold
                .close(system, &mut self.ws, *time, [q, v], turns)?;
            return Ok(true);
        }
        self.solvers.method.correct(system, &mut self.ws, state)
    }

    /// Evaluates the kinematics of a state.
    pub(super) fn see(&mut self, state: &State) {
        self.ws.kinematics.inputs.hold_integrals(&state.work);
        self.system.update(
            state.time,
            &state.q,
            &state.v,
            &state.turns,
            &mut self.ws.kinematics,
        );
    }

    /// Evaluates the coordinates of a state.
    pub(super) fn see_coordinates(&mut self, state: &State) {
        let kinematics = &mut self.ws.kinematics;
        let State {
            time, q, v, turns, ..
        } = state;
        self.system
            .update_for_accelerations(*time, q, v, turns, kinematics);
    }

    /// Recounts turns at a state accepted after a step of size `step`.
    pub(super) fn refresh_turns(
        &mut self,
        state: &mut State,
        step: f64,
    ) -> Result<(), IntegrationError> {
        if self.system.coordinates_count_turns() {
            return Ok(());
        }
        self.see(state);
        let (model, kinematics) = (self.system.model(), &self.ws.kinematics);
        let lost = self.count.accept(model, kinematics, &mut state.turns);
        refresh_turns(model, kinematics, &mut state.turns);
        self.turns.copy_from_slice(&state.turns);
        lost.map_or(Ok(()), |(angle, apart)| {
            Err(IntegrationError::TurnsLost {
                angle: angle.describe(model),
                time: state.time,
                step,
                apart,
            })
        })
    }

    /// Solves for accelerations and reactions at the kinematics of a state.
    pub(super) fn evaluate(&mut self) -> Result<(), MethodError> {
        self.solvers
            .method
            .solve(self.system.as_ref(), &mut self.ws, &mut self.solution)?;
        self.system
            .report_contacts(&self.ws, &mut self.solution.multipliers);
        if self.indeterminate {
            let (system, multipliers) = (self.system.as_ref(), &mut self.solution.multipliers);
            self.spread
                .apply(system, &self.ws, &self.active, multipliers);
        }
        let Solution {
            rates,
            multipliers,
            normals,
            ..
        } = &self.solution;
        self.system
            .settle(&mut self.ws, rates, multipliers, normals);
        Ok(())
    }

    pub(super) fn instant<'a>(
        &'a self,
        work: &'a [f64],
        step: f64,
        start_energy: f64,
    ) -> Instant<'a> {
        Instant {
            system: self.system.as_ref(),
            workspace: &self.ws,
            rates: &self.solution.rates,
            multipliers: &self.solution.multipliers,
            normals: &self.solution.normals,
            power: &self.solution.power,
            work,
            step,
            start_energy,
            row: &[],
        }
    }

    pub(super) fn unpack(&self, y: &[f64], time: f64, state: &mut State) {
        let (nq, nv) = (state.q.len(), state.v.len());
        let turning = nq + nv + state.work.len();
        state.time = time;
        state.q.copy_from_slice(&y[..nq]);
        state.v.copy_from_slice(&y[nq..nq + nv]);
        state.work.copy_from_slice(&y[nq + nv..turning]);
        state.turns.copy_from_slice(&self.turns);
        self.count.fill(&y[turning..], &mut state.turns);
        state.memory.copy_from_slice(&self.memory);
    }

    pub(super) fn pack(&self, state: &State, y: &mut [f64]) {
        let (nq, nv) = (state.q.len(), state.v.len());
        let turning = nq + nv + state.work.len();
        y[..nq].copy_from_slice(&state.q);
        y[nq..nq + nv].copy_from_slice(&state.v);
        y[nq + nv..turning].copy_from_slice(&state.work);
        self.count.integrals(&state.turns, &mut y[turning..]);
    }
}

impl Ode for Dynamics {
    fn len(&self) -> usize {
        let sizes = self.system.sizes();
        sizes.positions + sizes.velocities + sizes.works + self.count.len()
    }

    fn num_controlled(&self) -> usize {
        let sizes = self.system.sizes();
        sizes.positions + sizes.velocities
    }

    fn mechanics(&mut self) -> Option<Mechanics<'_>> {
        Some(Mechanics {
            system: self.system.as_ref(),
            workspace: &mut self.ws,
            turns: &self.turns,
            ahead: self.count.ahead(),
            active: &self.active,
            solution: &self.solution,
            near: self.closes_stages.then_some(&mut self.solvers.manifold),
        })
    }

    fn trying(&mut self, step: f64) {
        self.solvers.method.trying(step);
    }

    fn barrier(&self) -> f64 {
        self.barrier
    }

    fn magnifies_rounding(&self) -> bool {
        self.closes_stages
    }

    /// Near a singular configuration rounding errors are amplified across the constraints; the projection removes them again.
    fn relieve(&mut self, error: &mut [f64]) {
        if !self.closes_stages {
            return;
        }
        let system = self.system.as_ref();
        self.solvers
            .manifold
            .relieve(system, &mut self.ws, &self.consistent.0, error);
    }

    fn derivative(&mut self, time: f64, y: &[f64], dy: &mut [f64]) -> Result<(), MethodError> {
        let sizes = self.sizes;
        let (q, rest) = y.split_at(sizes.positions);
        let v = &rest[..sizes.velocities];
        let (work, turning) = rest[sizes.velocities..].split_at(sizes.works);
        self.ws.kinematics.inputs.hold_integrals(work);
        let (mut q, mut v) = (q, v);
        if self.closes_stages || self.solvers.method.prepares() {
            self.prepare(time, (q, v), turning)?;
            (q, v) = (&self.consistent.0, &self.consistent.1);
        }
        let (dq, rest) = dy.split_at_mut(sizes.positions);
        let (dv, rest) = rest.split_at_mut(sizes.velocities);
        let (dw, turning_rates) = rest.split_at_mut(sizes.works);
        let (system, ws) = (self.system.as_ref(), &mut self.ws);
        if self.solvers.direct && system.derivative_along(time, (q, v), ws, [dq, dv, dw]) {
            // integrators that solve the equations of motion directly start from these
            self.solution.rates.copy_from_slice(dv);
            self.solution.power.copy_from_slice(dw);
        } else {
            let turns = self.count.near(&self.turns, turning);
            system.update_for_accelerations(time, q, v, turns, &mut ws.kinematics);
            let solved = self.solvers.method.solve(system, ws, &mut self.solution);
            if solved.is_err() {
                // the complete kinematics show the cause
                system.update(time, q, v, turns, &mut ws.kinematics);
                self.solvers.method.solve(system, ws, &mut self.solution)?;
            }
            system.position_rates(q, v, dq);
            dv.copy_from_slice(&self.solution.rates);
            dw.copy_from_slice(&self.solution.power);
        }
        if !turning_rates.is_empty() {
            let (model, kinematics) = (self.system.model(), &self.ws.kinematics);
            self.count.rates(model, kinematics, turning_rates);
        }
        Ok(())
    }
}
