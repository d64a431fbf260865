//! The first-order expansion of a system at a state.

use nalgebra::{DVector, LU};

use super::choice::CoordinateChoice;
use super::coordinates::independent;
use super::difference::{derivative, noise};
use super::tangents::{LinearPencil, MotionDirections, clean};
use super::{Input, LinearizeError};
use crate::flexible::Beam;
use crate::math::rotation::{cross, zero3};
use crate::math::{Kkt, Matrix, Random, Vec3};
use crate::methods::{Accelerations, MethodError, Solution, saddle_point};
use crate::model::{ForceIndex, JointIndex, Model, Signal};
use crate::system::{
    EvaluationContext, InputSegment, Instant, Loads, Response, State, System, SystemKinematics,
    Workspace,
};

/// First step of finite differences, as a fraction of a radian, of the size of the model, or of these per second.
pub(super) const FIRST_STEP: f64 = 0.1;
/// Rotation, or displacement relative to the size of the model, of the motion between two evaluations of the change of A.
const SHORT_WAY: f64 = 0.03;

/// The matrices at a state.
pub(super) struct Expanded {
    pub(super) a: Matrix,
    pub(super) b: Matrix,
    pub(super) c: Matrix,
    pub(super) d: Matrix,
    pub(super) uncertainty: Matrix,
    pub(super) accelerations: Vec<f64>,
    pub(super) rates: Vec<f64>,
    pub(super) displacements: Matrix,
    /// `E ẋ = F x`, if A was computed from it.
    pub(super) pencil: Option<LinearPencil>,
}

/// A system with the data of its expansion.
pub(super) struct Expansion<'s> {
    pub(super) system: &'s dyn System,
    pub(super) ws: Workspace,
    method: Accelerations<Kkt>,
    pub(super) solution: Solution,
    /// Rows of drivers that are inputs: they prescribe accelerations only.
    pub(super) released: Vec<bool>,
    /// Number of active rows.
    pub(super) num_active: usize,
    loads: Loads,
    pub(super) work: Vec<f64>,
    /// Zeros.
    still: Vec<f64>,
    no_multipliers: Vec<f64>,
    /// A characteristic length of the model.
    size: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    delta: Vec<f64>,
}

/// A line through a state: `q ⊕ ε δ`, `v + ε ν`.
#[derive(Clone, Copy)]
pub(super) struct ExpansionLine<'a> {
    pub(super) state: &'a State,
    pub(super) delta: &'a [f64],
    pub(super) nu: &'a [f64],
}

/// Whether a measure of a force can be an input: tested at a state of rest, where every force can be evaluated.
pub(super) fn pushes(model: &Model, force: ForceIndex, k: usize) -> bool {
    let kinematics = SystemKinematics::new(model);
    let context = EvaluationContext {
        model,
        kinematics: &kinematics,
    };
    let mut loads = Loads::new(model);
    model.forces[force.0]
        .force
        .push(k, &context, 0.0, &mut loads)
}

impl<'s> Expansion<'s> {
    pub(super) fn new(
        system: &'s dyn System,
        state: &State,
        active: &[bool],
        inputs: &[Input],
    ) -> Self {
        let sizes = system.sizes();
        let mut ws = Workspace::new(system);
        // sampled controllers keep their outputs, external inputs their values
        ws.kinematics.inputs.hold(&state.memory);
        let mut released = vec![false; sizes.rows];
        for input in inputs {
            if let Input::Driver(row) = input {
                released[*row] = true;
            }
        }
        Expansion {
            system,
            ws,
            method: Accelerations::new(system, active, saddle_point(system)),
            solution: Solution::new(system),
            num_active: active.iter().filter(|a| **a).count(),
            released,
            loads: Loads::new(system.model()),
            work: vec![0.0; sizes.works],
            still: vec![0.0; sizes.velocities],
            no_multipliers: vec![0.0; sizes.rows],
            size: size_of(system.model()),
            q: vec![0.0; sizes.positions],
            v: vec![0.0; sizes.velocities],
            delta: vec![0.0; sizes.velocities],
        }
    }

    pub(super) fn num_velocities(&self) -> usize {
        self.v.len()
    }

    pub(super) fn context(&self) -> EvaluationContext<'_> {
        EvaluationContext {
            model: self.system.model(),
            kinematics: &self.ws.kinematics,
        }
    }

    /// Evaluates the kinematics at a point of a line.
    pub(super) fn place(&mut self, line: ExpansionLine<'_>, step: f64) {
        self.q.copy_from_slice(&line.state.q);
        for (out, x) in self.delta.iter_mut().zip(line.delta) {
            *out = step * x;
        }
        self.system.retract(&mut self.q, &self.delta);
        for (i, out) in self.v.iter_mut().enumerate() {
            *out = line.state.v[i] + step * line.nu[i];
        }
        let State { time, turns, .. } = line.state;
        self.system
            .update(*time, &self.q, &self.v, turns, &mut self.ws.kinematics);
    }

    /// Evaluates the kinematics at a state with other velocities.
    pub(super) fn place_with(&mut self, state: &State, v: &[f64]) {
        self.system.update(
            state.time,
            &state.q,
            v,
            &state.turns,
            &mut self.ws.kinematics,
        );
    }

    /// Computes the accelerations at the kinematics in the workspace, with a given amount of an input.
    fn accelerate(&mut self, push: Option<(Input, f64)>) -> Result<(), MethodError> {
        let system = self.system;
        system.mass(&mut self.ws);
        system.forces(&mut self.ws)?;
        system.constraints(&mut self.ws);
        match push {
            Some((Input::Load(force, k), amount)) => {
                self.loads.clear();
                let context = EvaluationContext {
                    model: system.model(),
                    kinematics: &self.ws.kinematics,
                };
                let element = &context.model.forces[force.0].force;
                let _ = element.push(k, &context, amount, &mut self.loads);
                let Workspace {
                    kinematics, force, ..
                } = &mut self.ws;
                system.generalize(kinematics, &self.loads, force);
            }
            Some((Input::Driver(row), amount)) => self.ws.gamma[row] += amount,
            Some((Input::External(_), _)) | None => {}
        }
        let out = &mut self.solution;
        self.method
            .solve_evaluated(system, &self.ws, out, |ws, i| ws.gamma[i])?;
        system.settle(&mut self.ws, &out.rates, &out.multipliers, &out.normals);
        if let Some((Input::Load(..), _)) = push {
            // loads on the joints in addition to the accelerations
            let load = Response {
                loads: &self.loads,
                rates: &self.still,
                multipliers: &self.no_multipliers,
                moving: false,
            };
            for j in 0..self.ws.reactions.len() {
                let Workspace {
                    kinematics,
                    rubbing,
                    ..
                } = &mut self.ws;
                let (force, moment) = system.reaction(kinematics, load, rubbing, JointIndex(j));
                self.ws.reactions[j].0 += force;
                self.ws.reactions[j].1 += moment;
            }
        }
        Ok(())
    }

    /// Changes an external input by an amount.
    fn nudge(&mut self, state: &State, input: Input, amount: f64) {
        if let Input::External(input) = input {
            let time = self.ws.kinematics.law_time();
            let inputs = &mut self.ws.kinematics.inputs;
            inputs.hold(&state.memory);
            let value = inputs.segment(input.0).at(time) + amount;
            inputs.set_segment(input.0, InputSegment::constant(value));
        }
    }

    /// Reads the derivatives of positions, the accelerations of speeds, and the outputs.
    fn read(&self, choice: &CoordinateChoice, outputs: &[Signal], out: &mut [f64]) {
        let instant = Instant {
            system: self.system,
            workspace: &self.ws,
            rates: &self.solution.rates,
            multipliers: &self.solution.multipliers,
            normals: &self.solution.normals,
            power: &self.solution.power,
            work: &self.work,
            step: 0.0,
            start_energy: 0.0,
            row: &[],
        };
        let rates = choice.positions.iter().map(|c| c.rate);
        let accelerations = choice.speeds().map(|c| c.acceleration);
        let signals = rates.chain(accelerations).chain(outputs.iter().copied());
        for (out, signal) in out.iter_mut().zip(signals) {
            *out = instant.signal(signal);
        }
    }

    /// Returns the rows of G at the kinematics in the workspace, without those of released drivers, and their indices.
    fn jacobian(&mut self, holonomic_only: bool) -> (Vec<usize>, Vec<Vec<f64>>) {
        self.system.constraints(&mut self.ws);
        let pattern = self.system.jacobian_pattern();
        let labels = self.system.rows();
        let mut kept = Vec::new();
        let mut rows = Vec::new();
        for (i, label) in labels.iter().enumerate() {
            if self.released[i] || (holonomic_only && label.nonholonomic) {
                continue;
            }
            let mut row = vec![0.0; self.num_velocities()];
            pattern.add_row(i, &self.ws.jacobian, 1.0, &mut row);
            kept.push(i);
            rows.push(row);
        }
        (kept, rows)
    }

    /// Returns the independent rows of G, as indices among all rows and as vectors.
    pub(super) fn independent(&mut self, holonomic_only: bool) -> (Vec<usize>, Vec<Vec<f64>>) {
        let (kept, rows) = self.jacobian(holonomic_only);
        let taken = independent(&rows);
        (
            taken.iter().map(|i| kept[*i]).collect(),
            taken.into_iter().map(|i| rows[i].clone()).collect(),
        )
    }

    /// Computes the displacements and velocities of unit positions and speeds; `None` if the rows with the chosen coordinates are singular.
    fn directions(
        &mut self,
        state: &State,
        choice: &CoordinateChoice,
        (of_positions, of_speeds): (&Factors, &Factors),
        (num_holonomic, num_rows): (usize, usize),
        velocity_rows: &[usize],
    ) -> Result<Option<MotionDirections>, LinearizeError> {
        let n = self.num_velocities();
        let (p, s) = (choice.positions.len(), choice.moving.len());
        let mut directions = MotionDirections {
            z: Matrix::zeros(n, p),
            y: Matrix::zeros(n, s),
            along_z: Matrix::zeros(n, p),
        };
        for j in 0..p + s {
            let mut right = vec![0.0; n];
            if j < p {
                // δ with coordinate j equal to one, the others zero; ν that satisfies the velocity constraints and keeps the speeds
                right[num_holonomic + j] = 1.0;
                let Some(delta) = solve(of_positions, &right) else {
                    return Ok(None);
                };
                directions
                    .z
                    .set_column(j, &DVector::from_column_slice(&delta));
                if state.v.iter().any(|v| *v != 0.0) {
                    let right = self.velocity_defect(state, &delta, choice, velocity_rows)?;
                    let Some(nu) = solve(of_speeds, &right) else {
                        return Ok(None);
                    };
                    directions.along_z.set_column(j, &DVector::from_vec(nu));
                }
            } else {
                right[num_rows + j - p] = 1.0;
                let Some(nu) = solve(of_speeds, &right) else {
                    return Ok(None);
                };
                directions.y.set_column(j - p, &DVector::from_vec(nu));
            }
        }
        // remove rounding errors of zeros
        for matrix in [
            &mut directions.z,
            &mut directions.y,
            &mut directions.along_z,
        ] {
            for mut column in matrix.column_iter_mut() {
                let least = 8.0 * f64::EPSILON * column.amax();
                column
                    .iter_mut()
                    .filter(|x| x.abs() <= least)
                    .for_each(|x| *x = 0.0);
            }
        }
        Ok(Some(directions))
    }

    /// Computes the matrices at a state.
    pub(super) fn expand(
        &mut self,
        state: &State,
        choice: &CoordinateChoice,
        inputs: &[Input],
        outputs: &[Signal],
    ) -> Result<Expanded, LinearizeError> {
        let n = self.num_velocities();
        let (p, s) = (choice.positions.len(), choice.moving.len());
        let rows = self.rate_rows(state, &choice.positions);
        self.place_with(state, &state.v);
        let (_, holonomic) = self.independent(true);
        let (velocity_rows, all) = self.independent(false);
        let moving: Vec<Vec<f64>> = choice.moving.iter().map(|i| rows[*i].clone()).collect();
        let singular = LinearizeError::Singular {
            rows: self.num_active,
            independent: all.len(),
        };
        let positions_solver = square(n, &holonomic, &rows).ok_or_else(|| singular.clone())?;
        let speeds_solver = square(n, &all, &moving).ok_or_else(|| singular.clone())?;

        self.accelerate(None)?;
        let mut here = vec![0.0; p + s + outputs.len()];
        self.read(choice, outputs, &mut here);
        let solvers = (&positions_solver, &speeds_solver);
        let rows = (holonomic.len(), all.len());
        let directions = self
            .directions(state, choice, solvers, rows, &velocity_rows)?
            .ok_or(singular)?;
        self.place_with(state, &state.v);
        self.accelerate(None)?;

        // friction depends on the reactions, and released drivers have given accelerations: in these cases the accelerations themselves are differentiated
        let direct = self.solution.normals.is_empty() && !self.released.contains(&true);
        let mut pencil = None;
        if direct {
            let found = self.pencil(state, choice, &velocity_rows, &speeds_solver, &directions)?;
            pencil = Some(found);
        }
        let grain = if direct && outputs.is_empty() && inputs.is_empty() {
            vec![0.0; here.len()]
        } else {
            self.grain(state, choice, outputs, here.len())?
        };
        let mut a = Matrix::zeros(p + s, p + s);
        let mut c = Matrix::zeros(outputs.len(), p + s);
        let mut uncertainty = Matrix::zeros(p + s, p + s);
        if let Some(pencil) = &pencil {
            (a, uncertainty) = pencil.explicit(p).ok_or(LinearizeError::Pole)?;
        }
        if state.v.iter().any(|v| *v != 0.0) {
            // accelerations that cancel in a steady motion leave rounding errors
            pencil = None;
        }
        if !direct || !outputs.is_empty() {
            let (found, errors) = self.difference(state, choice, outputs, &directions, &grain)?;
            for j in 0..p + s {
                for k in 0..outputs.len() {
                    let (x, error) = (found[(p + s + k, j)], errors[(p + s + k, j)]);
                    c[(k, j)] = if x.abs() > 2.0 * error { x } else { 0.0 };
                }
            }
            if !direct {
                a = found.rows(0, p + s).into_owned();
                uncertainty = errors.rows(0, p + s).into_owned();
            }
        }
        if pencil.is_none() {
            let pace = self.extent(state, &state.v);
            let floor = 8.0 * f64::EPSILON * (a.amax() + pace * pace);
            let mut doubts = uncertainty.map(|doubt| doubt.max(floor));
            clean(&mut a, &mut doubts);
            uncertainty.zip_apply(&a, |doubt, x| {
                if x == 0.0 {
                    *doubt = 0.0;
                }
            });
        }

        let mut b = Matrix::zeros(p + s, inputs.len());
        let mut d = Matrix::zeros(outputs.len(), inputs.len());
        for (j, input) in inputs.iter().enumerate() {
            self.place_with(state, &state.v);
            let found = derivative(&grain, 1.0, |amount, out| {
                self.nudge(state, *input, amount);
                self.accelerate(Some((*input, amount)))?;
                self.read(choice, outputs, out);
                Ok::<(), MethodError>(())
            })?;
            for i in p..p + s {
                b[(i, j)] = cleaned(&found, i);
            }
            for k in 0..outputs.len() {
                d[(k, j)] = cleaned(&found, p + s + k);
            }
            self.ws.kinematics.inputs.hold(&state.memory);
        }
        Ok(Expanded {
            a,
            b,
            c,
            d,
            uncertainty,
            accelerations: here[p..p + s].to_vec(),
            rates: choice.moving.iter().map(|i| here[*i]).collect(),
            displacements: directions.z,
            pencil,
        })
    }

    /// Computes derivatives of the velocities of positions, the accelerations of speeds and the outputs along unit positions and speeds, and their errors, by
    /// finite differences of accelerations.
    fn difference(
        &mut self,
        state: &State,
        choice: &CoordinateChoice,
        outputs: &[Signal],
        directions: &MotionDirections,
        grain: &[f64],
    ) -> Result<(Matrix, Matrix), LinearizeError> {
        let (p, s) = (choice.positions.len(), choice.moving.len());
        self.place_with(state, &state.v);
        let turning: Vec<Vec3<f64>> = self.ws.kinematics.bodies.iter().map(|b| b.w).collect();
        let pace = self.extent(state, &state.v);
        let still = vec![0.0; self.num_velocities()];
        let (mut slopes, mut errors) = (
            Matrix::zeros(grain.len(), p + s),
            Matrix::zeros(grain.len(), p + s),
        );
        for j in 0..p + s {
            let own = |matrix: &Matrix, j: usize| matrix.column(j).as_slice().to_vec();
            let (delta, nu) = if j < p {
                (own(&directions.z, j), own(&directions.along_z, j))
            } else {
                (still.clone(), own(&directions.y, j - p))
            };
            let line = ExpansionLine {
                state,
                delta: &delta,
                nu: &nu,
            };
            let step = if j < p {
                FIRST_STEP / self.extent(state, &delta)
            } else {
                FIRST_STEP * (1.0 + pace) / self.extent(state, &nu)
            };
            let mut found = derivative(grain, step, |step, out| {
                self.place(line, step);
                self.accelerate(None)?;
                self.read(choice, outputs, out);
                Ok::<(), MethodError>(())
            })?;
            self.place_with(state, &delta);
            for (value, candidate) in found.value.iter_mut().zip(&choice.positions) {
                if let Some((body, axis)) = candidate.turn {
                    let turn = self.ws.kinematics.bodies[body].w;
                    *value += cross(&turning[body], &turn)[axis];
                }
            }
            slopes.set_column(j, &DVector::from_vec(found.value));
            errors.set_column(j, &DVector::from_vec(found.error));
        }
        Ok((slopes, errors))
    }

    /// Returns the compensation required of velocities when positions change by δ: minus the change of the velocity constraints and of the speeds.
    fn velocity_defect(
        &mut self,
        state: &State,
        delta: &[f64],
        choice: &CoordinateChoice,
        rows: &[usize],
    ) -> Result<Vec<f64>, LinearizeError> {
        let size = rows.len() + choice.moving.len();
        if delta.iter().all(|x| *x == 0.0) {
            return Ok(vec![0.0; size]);
        }
        let still = vec![0.0; delta.len()];
        let line = ExpansionLine {
            state,
            delta,
            nu: &still,
        };
        let step = 1.0 / self.extent(state, delta);
        let mut rates = |step: f64, out: &mut [f64]| {
            self.place(line, step);
            self.system.constraints(&mut self.ws);
            for (out, row) in out.iter_mut().zip(rows) {
                *out = self.ws.rate[*row];
            }
            let context = self.context();
            for (out, speed) in out[rows.len()..].iter_mut().zip(choice.speeds()) {
                *out = context.signal(speed.rate);
            }
            Ok::<(), MethodError>(())
        };
        let grain = noise(size, step, &mut rates)?;
        let found = derivative(&grain, FIRST_STEP * step, rates)?;
        Ok((0..size).map(|i| -cleaned(&found, i)).collect())
    }

    /// Returns the displacement of the bodies for a unit of a direction: their rotation, or their translation relative to the size of the model.
    pub(super) fn extent(&mut self, state: &State, direction: &[f64]) -> f64 {
        self.place_with(state, direction);
        self.ws.kinematics.pace(self.size).max(f64::MIN_POSITIVE)
    }

    /// Measures the rounding error of the result of [`Self::read`], along a line without symmetry.
    fn grain(
        &mut self,
        state: &State,
        choice: &CoordinateChoice,
        outputs: &[Signal],
        size: usize,
    ) -> Result<Vec<f64>, LinearizeError> {
        let mut random = Random::new(7);
        let mut any = || -> Vec<f64> { state.v.iter().map(|_| random.symmetric(1.0)).collect() };
        let (delta, mut nu) = (any(), any());
        let pace = self.extent(state, &state.v);
        for x in &mut nu {
            *x *= 1.0 + pace;
        }
        let step = 1.0 / self.extent(state, &delta);
        let line = ExpansionLine {
            state,
            delta: &delta,
            nu: &nu,
        };
        let grain = noise(size, step, |step, out| {
            self.place(line, step);
            self.accelerate(None)?;
            self.read(choice, outputs, out);
            Ok::<(), MethodError>(())
        })?;
        Ok(grain)
    }

    /// Returns the states a short time later and earlier, by one step of the classical Runge–Kutta method, and that time.
    pub(super) fn beside(&mut self, state: &State) -> Result<(State, State, f64), LinearizeError> {
        let speed = self.extent(state, &state.v);
        self.place_with(state, &state.v);
        self.accelerate(None)?;
        let rates = self.solution.rates.clone();
        // at rest the acceleration determines the scale
        let gain = self.extent(state, &rates);
        let time = SHORT_WAY / speed.max((SHORT_WAY * gain).sqrt()).max(1.0);
        Ok((self.flow(state, time)?, self.flow(state, -time)?, time))
    }

    fn flow(&mut self, state: &State, time: f64) -> Result<State, LinearizeError> {
        let mut end = state.clone();
        let mut stage = state.clone();
        let mut dq = vec![0.0; state.q.len()];
        for (weight, next) in [(1.0, 0.5), (2.0, 0.5), (2.0, 1.0), (1.0, 0.0)] {
            self.place_with(&stage, &stage.v);
            self.accelerate(None)?;
            self.system.position_rates(&stage.q, &stage.v, &mut dq);
            let dv = &self.solution.rates;
            for (i, rate) in dq.iter().enumerate() {
                end.q[i] += weight * time / 6.0 * rate;
                stage.q[i] = state.q[i] + next * time * rate;
            }
            for (i, rate) in dv.iter().enumerate() {
                end.v[i] += weight * time / 6.0 * rate;
                stage.v[i] = state.v[i] + next * time * rate;
            }
            stage.time = state.time + next * time;
        }
        self.system.normalize(&mut end.q);
        end.time += time;
        Ok(end)
    }
}

/// Returns a component of a derivative; zero if it is not larger than its error.
fn cleaned(found: &super::difference::UncertainDerivative, i: usize) -> f64 {
    if found.value[i].abs() > 2.0 * found.error[i] {
        found.value[i]
    } else {
        0.0
    }
}

/// The factors of a square matrix.
type Factors = LU<f64, nalgebra::Dyn, nalgebra::Dyn>;

/// Factorises the rows of two sets, one below the other; `None` if the matrix is not square.
fn square(n: usize, first: &[Vec<f64>], second: &[Vec<f64>]) -> Option<Factors> {
    let rows: Vec<&Vec<f64>> = first.iter().chain(second).collect();
    (rows.len() == n).then(|| Matrix::from_fn(n, n, |i, j| rows[i][j]).lu())
}

pub(super) fn solve(factors: &Factors, right: &[f64]) -> Option<Vec<f64>> {
    let x = factors.solve(&DVector::from_column_slice(right))?;
    x.iter()
        .all(|x| x.is_finite())
        .then(|| x.as_slice().to_vec())
}

/// Returns the largest distance of a joint or marker from the mass centre of its body, or length of a beam; 1 m if all coincide.
fn size_of(model: &Model) -> f64 {
    let ends = model.joints.iter().flat_map(|j| [j.first, j.second]);
    let markers = model.markers.iter().map(|m| (m.body, m.pose));
    let distance = |(body, pose): (crate::model::BodyIndex, crate::math::Pose)| {
        let center = body
            .number()
            .map_or(zero3(), |b| model.bodies[b].mass.center);
        (pose.p - center).norm()
    };
    let beams = model.beams.iter().map(Beam::length);
    let exact = model.exact_beams.iter().map(|beam| beam.length(model));
    let ways = ends.chain(markers).map(distance).chain(beams).chain(exact);
    let size = ways.fold(0.0, f64::max);
    if size > 0.0 { size } else { 1.0 }
}
