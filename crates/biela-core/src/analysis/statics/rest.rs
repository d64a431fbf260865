//! A system at rest: its forces, the reactions, and the unbalanced forces.
//!
//! ```text
//! W a + Gᵀ λ = f(t₀, q, 0)        G a = 0        r = W a
//! ```
//!
//! r is the part of the forces that no reaction balances, with the norm `√(aᵀ W a)`. The search uses a metric W of lengths and angles, without
//! masses: the squared displacement of a body per coordinate, so that light and heavy bodies have equal weight. With W = M, a is
//! the initial acceleration of the system. Drivers are fixed at t₀.

use super::BALANCED;
use crate::analysis::assemble::{Assembler, Pins, model_size};
use crate::math::dense::{add, dot};
use crate::math::{Kkt, Random, RowOrder};
use crate::model::BeamIndex;
use crate::system::{
    EvaluationContext, Loads, NotFinite, State, System, SystemKinematics, Workspace,
    diagnose_accelerations, row_groups,
};
use crate::unilateral::{Mode, NormalLaw};

/// A system at rest, with buffers.
pub(super) struct Rest<'a> {
    pub(super) system: &'a dyn System,
    active: &'a [bool],
    pub(super) ws: Workspace,
    /// The same at nearby configurations.
    probe: Workspace,
    moving: SystemKinematics,
    kkt: Kkt,
    /// W, on the pattern of M: that of lengths and angles, and the current one.
    geometry: Vec<f64>,
    pub(super) metric: Vec<f64>,
    /// G without the inactive rows.
    jacobian: Vec<f64>,
    still: Vec<f64>,
    no_rows: Vec<f64>,
    /// a.
    pub(super) rates: Vec<f64>,
    /// λ.
    pub(super) multipliers: Vec<f64>,
    /// r.
    pub(super) unbalanced: Vec<f64>,
    assembler: Assembler<'a>,
    pins: Pins<'a>,
    /// A characteristic length that relates distances to angles.
    pub(super) size: f64,
    /// Permitted unbalanced force at an equilibrium, relative to all forces there.
    pub(super) tolerance: f64,
    /// Whether an equilibrium is followed while loads increase.
    pub(super) following: bool,
    /// Steps end before a gap that is not closed is penetrated by more than this; infinite if gaps are not considered.
    guard: f64,
    /// The gap that ended the last step, by index.
    blocked: Option<usize>,
}

impl<'a> Rest<'a> {
    /// Prepares for configurations near a state.
    pub(super) fn new(system: &'a dyn System, active: &'a [bool], around: &State) -> Self {
        let sizes = system.sizes();
        let kkt = Kkt::new(
            sizes.velocities,
            system.mass_pattern(),
            system.jacobian_pattern(),
            &row_groups(system),
            RowOrder::LeastFill,
        );
        let pins = Pins::none(system);
        let mut assembler = Assembler::new(system, &pins);
        assembler.roll();
        let size = model_size(system);
        let mut rest = Rest {
            system,
            active,
            ws: Workspace::new(system),
            probe: Workspace::new(system),
            moving: SystemKinematics::new(system.model()),
            kkt,
            geometry: vec![0.0; system.mass_pattern().entries.len()],
            metric: vec![0.0; system.mass_pattern().entries.len()],
            jacobian: vec![0.0; system.jacobian_pattern().num_entries()],
            still: vec![0.0; sizes.velocities],
            no_rows: vec![0.0; sizes.rows],
            rates: vec![0.0; sizes.velocities],
            multipliers: vec![0.0; sizes.rows],
            unbalanced: vec![0.0; sizes.velocities],
            assembler,
            pins,
            size: if size > 0.0 { size } else { 1.0 },
            tolerance: BALANCED,
            following: false,
            guard: f64::INFINITY,
            blocked: None,
        };
        rest.measure_coordinates(around);
        rest
    }

    /// Sets the modes of unilateral constraints, as in [`State::memory`].
    pub(super) fn hold(&mut self, memory: &[f64]) {
        self.ws.kinematics.inputs.hold(memory);
        self.probe.kinematics.inputs.hold(memory);
        self.moving.inputs.hold(memory);
        self.assembler.hold(memory);
    }

    /// Makes steps end before a gap that is not closed is penetrated by more than a tolerance.
    pub(super) fn guard(&mut self, tolerance: f64) {
        self.guard = tolerance;
    }

    /// Returns the gap that limited a step last, by index.
    pub(super) fn blocked(&self) -> Option<usize> {
        self.blocked
    }

    /// Returns the open gap that is penetrated most at a state, if any is penetrated by more than the tolerance.
    fn penetrated(&mut self, state: &State) -> Option<usize> {
        let system = self.system;
        let still = vec![0.0; state.v.len()];
        let context = self.move_by(state, &still);
        let (mut worst, mut deepest) = (None, 0.0);
        let inputs = &context.kinematics.inputs;
        for (i, one) in system.unilaterals().iter().enumerate() {
            let memory = inputs.contact(i);
            if one.normal == NormalLaw::Gap && memory.mode == Mode::Open {
                let gap = one.gap(&context, &memory).0;
                if -gap > deepest {
                    (worst, deepest) = (Some(i), -gap);
                }
            }
        }
        worst.filter(|_| deepest > self.guard)
    }

    /// Sets the fraction of weight and loads that acts.
    pub(super) fn set_load(&mut self, share: f64) {
        self.ws.kinematics.inputs.load_share = share;
        self.probe.kinematics.inputs.load_share = share;
    }

    /// Returns the fraction of weight and loads that acts.
    pub(super) fn load(&self) -> f64 {
        self.ws.kinematics.inputs.load_share
    }

    /// Computes W: the squared displacement of a body per coordinate.
    fn measure_coordinates(&mut self, state: &State) {
        let mut motion = self.still.clone();
        for (k, &(i, j)) in self.system.mass_pattern().entries.iter().enumerate() {
            if i == j {
                motion[i] = 1.0;
                let reach = self.reach(state, &motion);
                self.geometry[k] = if reach > 0.0 { reach * reach } else { 1.0 };
                motion[i] = 0.0;
            }
        }
    }

    /// Computes forces, reactions and unbalanced forces at a state, whose velocities are ignored.
    pub(super) fn evaluate(&mut self, state: &State) -> Result<(), NotFinite> {
        self.metric.copy_from_slice(&self.geometry);
        self.balance(state)
    }

    /// The same with W = M: `rates` are accelerations.
    pub(super) fn evaluate_by_mass(&mut self, state: &State) -> Result<(), NotFinite> {
        let (system, ws) = (self.system, &mut self.ws);
        let (v, turns) = (&self.still, &state.turns);
        system.update(state.time, &state.q, v, turns, &mut ws.kinematics);
        system.mass(ws);
        self.metric.copy_from_slice(&ws.mass);
        self.balance(state)
    }

    fn balance(&mut self, state: &State) -> Result<(), NotFinite> {
        self.factor_at(state);
        let (system, ws) = (self.system, &mut self.ws);
        // the tangent includes M, which it reads here
        system.mass(ws);
        system.forces(ws)?;
        // drivers are at rest
        for values in [&mut ws.rate, &mut ws.drift, &mut ws.gamma] {
            values.fill(0.0);
        }
        self.rates.copy_from_slice(&ws.force);
        self.multipliers.fill(0.0);
        self.kkt.solve(
            &self.metric,
            &self.jacobian,
            &mut self.rates,
            &mut self.multipliers,
        );
        if !self.rates.iter().sum::<f64>().is_finite() {
            return Err(diagnose_accelerations(system, ws));
        }
        self.unbalanced.fill(0.0);
        let pattern = system.mass_pattern();
        pattern.add_product(&self.metric, &self.rates, &mut self.unbalanced);
        Ok(())
    }

    /// Returns G without the inactive rows, at the evaluated state.
    pub(super) fn jacobian(&self) -> &[f64] {
        &self.jacobian
    }

    /// Iterates over the diagonal of W by coordinate.
    pub(super) fn weights(&self) -> impl Iterator<Item = (usize, f64)> {
        let entries = self.system.mass_pattern().entries.iter().zip(&self.metric);
        entries.filter_map(|(&(i, j), weight)| (i == j).then_some((i, *weight)))
    }

    /// Returns `√(aᵀ W a)`.
    pub(super) fn imbalance(&self) -> f64 {
        dot(&self.rates, &self.unbalanced).max(0.0).sqrt()
    }

    /// Returns the norm of all forces and reactions, each by itself, in the metric of [`Rest::imbalance`].
    pub(super) fn force_scale(&mut self) -> f64 {
        let sizes = self.force_sizes();
        let squares = self.weights().map(|(i, w)| sizes[i] * sizes[i] / w);
        squares.sum::<f64>().sqrt()
    }

    /// Returns the sum of the magnitudes of weight, forces and reactions, by coordinate.
    pub(super) fn force_sizes(&mut self) -> Vec<f64> {
        let (system, ws) = (self.system, &mut self.ws);
        let model = system.model();
        let context = EvaluationContext {
            model,
            kinematics: &ws.kinematics,
        };
        let mut sizes = vec![0.0; self.still.len()];
        let mut one = sizes.clone();
        let mut collect = |loads: &Loads| {
            one.fill(0.0);
            system.generalize(context.kinematics, loads, &mut one);
            for (size, x) in sizes.iter_mut().zip(&one) {
                *size += x.abs();
            }
        };
        ws.loads.clear();
        for (load, body) in ws.loads.force.iter_mut().zip(&model.bodies) {
            *load = model.gravity * body.mass.mass;
        }
        collect(&ws.loads);
        for element in &model.forces {
            ws.loads.clear();
            element.force.apply(&context, &mut ws.loads);
            collect(&ws.loads);
        }
        for (k, beam) in model.beams.iter().enumerate() {
            let out = &mut sizes[system.beam_columns(BeamIndex(k))];
            beam.add_force_sizes(&ws.kinematics.beams[k], &model.gravity, out);
        }
        let rows = system.jacobian_pattern();
        for (i, multiplier) in self.multipliers.iter().enumerate() {
            for e in rows.range(i) {
                sizes[rows.columns[e]] += (self.jacobian[e] * multiplier).abs();
            }
        }
        sizes
    }

    /// Computes `P W⁻¹ force`: the initial motion under a force, along the free directions.
    pub(super) fn project(&mut self, force: &[f64], out: &mut [f64]) {
        out.copy_from_slice(force);
        self.no_rows.fill(0.0);
        self.kkt
            .solve(&self.metric, &self.jacobian, out, &mut self.no_rows);
    }

    /// Returns the largest rotation of a body in a small motion, or its displacement relative to the size of the model.
    pub(super) fn reach(&mut self, state: &State, motion: &[f64]) -> f64 {
        let size = self.size;
        self.move_by(state, motion).kinematics.pace(size)
    }

    /// Returns [`Rest::reach`] of the initial motion.
    pub(super) fn reach_of_rates(&mut self, state: &State) -> f64 {
        let rates = std::mem::take(&mut self.rates);
        let reach = self.reach(state, &rates);
        self.rates = rates;
        reach
    }

    /// Returns the velocities of bodies and joints in a small motion.
    pub(super) fn move_by(&mut self, state: &State, motion: &[f64]) -> EvaluationContext<'_> {
        let system = self.system;
        system.update(state.time, &state.q, motion, &state.turns, &mut self.moving);
        EvaluationContext {
            model: system.model(),
            kinematics: &self.moving,
        }
    }

    /// Moves a state by δ and projects it to the constraints; returns `false` if they cannot be satisfied there. The evaluation is overwritten.
    pub(super) fn step(&mut self, state: &mut State, delta: &[f64]) -> bool {
        if self.system.rows().iter().any(|row| row.nonholonomic) {
            self.roll(state, delta);
        } else {
            self.system.retract(&mut state.q, delta);
        }
        state.v.fill(0.0);
        let closed = self.assembler.close(state, &self.pins);
        if self.guard.is_finite()
            && let Some(i) = self.penetrated(state)
        {
            self.blocked = Some(i);
            return false;
        }
        closed
    }

    /// Moves a state along δ under rolling and knife-edge constraints: the classical Runge-Kutta method on `q̇ = N(q) P(q) δ`. Velocity constraints do not
    /// restrict positions, so slip is never corrected.
    fn roll(&mut self, state: &mut State, delta: &[f64]) {
        const PIECES: usize = 16;
        let mut heavy = delta.to_vec();
        self.weigh(delta, &mut heavy);
        let (mut along, mut slope) = (delta.to_vec(), state.q.clone());
        let mut inner = state.clone();
        let mut sum = state.q.clone();
        for _ in 0..PIECES {
            sum.copy_from_slice(&state.q);
            inner.q.copy_from_slice(&state.q);
            for (reach, weight) in [(0.5, 1.0), (0.5, 2.0), (1.0, 2.0), (0.0, 1.0)] {
                self.factor_at(&inner);
                self.project(&heavy, &mut along);
                self.system.position_rates(&inner.q, &along, &mut slope);
                for (i, x) in slope.iter().enumerate() {
                    sum[i] += weight / 6.0 * x / PIECES as f64;
                    inner.q[i] = state.q[i] + reach * x / PIECES as f64;
                }
            }
            state.q.copy_from_slice(&sum);
            self.system.normalize(&mut state.q);
        }
    }

    /// Factorises G at a state.
    fn factor_at(&mut self, state: &State) {
        let (system, ws) = (self.system, &mut self.ws);
        let (v, turns) = (&self.still, &state.turns);
        system.update(state.time, &state.q, v, turns, &mut ws.kinematics);
        system.constraints(ws);
        self.jacobian.copy_from_slice(&ws.jacobian);
        for (i, active) in self.active.iter().enumerate() {
            if !active {
                self.jacobian[system.jacobian_pattern().range(i)].fill(0.0);
            }
        }
        self.kkt.factor(&self.metric, &self.jacobian);
    }

    /// Returns the degrees of freedom at the evaluated state.
    pub(super) fn freedom(&self) -> usize {
        let sizes = self.system.sizes();
        // a joint that is undefined there has undefined rows
        (sizes.velocities + self.kkt.num_dependent()).saturating_sub(sizes.rows)
    }

    /// Computes a random force, reproducible for a given stream, with equal effect on all bodies.
    pub(super) fn random_force(&self, random: &mut Random, force: &mut [f64]) {
        for (i, weight) in self.weights() {
            force[i] = random.symmetric(weight.sqrt());
        }
    }

    /// `out = W motion`.
    pub(super) fn weigh(&self, motion: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        let pattern = self.system.mass_pattern();
        pattern.add_product(&self.metric, motion, out);
    }

    /// Returns orthonormal free directions at the evaluated state: `G N = 0`, `Nᵀ W N = 1`.
    pub(super) fn free_directions(&mut self) -> Vec<Vec<f64>> {
        let n = self.still.len();
        let mut random = Random::new(7);
        let (mut columns, mut heavy) = (Vec::<Vec<f64>>::new(), Vec::<Vec<f64>>::new());
        let (mut force, mut column) = (vec![0.0; n], vec![0.0; n]);
        let mut draws = 2 * self.freedom() + 8;
        while columns.len() < self.freedom() && draws > 0 {
            draws -= 1;
            self.random_force(&mut random, &mut force);
            self.project(&force, &mut column);
            let pattern = self.system.mass_pattern();
            let before = pattern.quadratic(&self.metric, &column);
            for _ in 0..2 {
                for (earlier, weighed) in columns.iter().zip(&heavy) {
                    let along = dot(weighed, &column);
                    add(&mut column, -along, earlier);
                }
            }
            let left = pattern.quadratic(&self.metric, &column);
            // a dependent random vector would only add rounding errors
            if left.is_nan() || left <= 1e-16 * before {
                continue;
            }
            for x in &mut column {
                *x /= left.sqrt();
            }
            let mut weighed = vec![0.0; n];
            self.weigh(&column, &mut weighed);
            columns.push(column.clone());
            heavy.push(weighed);
        }
        columns
    }

    /// Returns the columns of the stiffness on the free directions at the evaluated state, `Nᵀ ∂(Gᵀλ − f)/∂q N` at constant λ, by central differences.
    /// It includes follower forces and laws that read distant signals, so it need not be symmetric.
    pub(super) fn stiffness(
        &mut self,
        state: &State,
        directions: &[Vec<f64>],
    ) -> Result<Vec<Vec<f64>>, NotFinite> {
        let mut columns = Vec::with_capacity(directions.len());
        let mut nearby = state.clone();
        let mut sides = [self.unbalanced.clone(), self.unbalanced.clone()];
        let mut delta = self.unbalanced.clone();
        for along in directions {
            let reach = self.reach(state, along);
            let size = if reach > 0.0 { DIFFERENCE / reach } else { 1.0 };
            for (side, sign) in sides.iter_mut().zip([1.0, -1.0]) {
                nearby.q.copy_from_slice(&state.q);
                for (d, x) in delta.iter_mut().zip(along) {
                    *d = sign * size * x;
                }
                self.system.retract(&mut nearby.q, &delta);
                self.left_at(&nearby, side)?;
            }
            let slope: Vec<f64> = sides[1]
                .iter()
                .zip(&sides[0])
                .map(|(a, b)| (a - b) / (2.0 * size))
                .collect();
            columns.push(directions.iter().map(|n| dot(n, &slope)).collect());
        }
        Ok(columns)
    }

    /// Computes `f − Gᵀ λ` at a nearby state, with the multipliers of the evaluated one.
    fn left_at(&mut self, state: &State, out: &mut [f64]) -> Result<(), NotFinite> {
        let (system, ws) = (self.system, &mut self.probe);
        system.update(
            state.time,
            &state.q,
            &self.still,
            &state.turns,
            &mut ws.kinematics,
        );
        system.forces(ws)?;
        system.constraints(ws);
        out.copy_from_slice(&ws.force);
        for (i, multiplier) in self.multipliers.iter().enumerate() {
            system
                .jacobian_pattern()
                .add_row(i, &ws.jacobian, -multiplier, out);
        }
        Ok(())
    }

    /// Returns the evaluated state.
    pub(super) fn context(&self) -> EvaluationContext<'_> {
        EvaluationContext {
            model: self.system.model(),
            kinematics: &self.ws.kinematics,
        }
    }
}

/// Step of central differences, in radians and, relative to the size of the model, in metres.
const DIFFERENCE: f64 = 1e-6;
