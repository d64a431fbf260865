//! The expansion from the tangents of the equations of motion.
//!
//! For fixed accelerations a and multipliers λ of the state, the residual `r(q, v) = M a + Gᵀ λ − f` has a first-order change for every
//! admissible (δ, ν), and with `ν̇ = Y w + ν_p`, `G ν̇ = −δ(G a − γ)`,
//!
//! ```text
//! Yᵀ M Y w = −Yᵀ (δr + M ν_p)        u̇ = w + δ(u̇ at a)
//! ```
//!
//! Stiff terms are added up before any division by a mass: the model has the form `E ẋ = F x` with `E = diag(1, Yᵀ M Y)`. At rest, beams and forces with
//! analytic tangents contribute them, element by element; the rest of r is differentiated by finite differences, each component with its own error. An entry
//! is zero if and only if it is smaller than the rounding and other errors of its terms.

use nalgebra::{Cholesky, DVector, Dyn, LU};

use super::LinearizeError;
use super::choice::CoordinateChoice;
use super::difference::{derivative, noise};
use super::expansion::{Expansion, ExpansionLine, FIRST_STEP, solve};
use crate::math::rotation::{apply_transposed, cross, skew, zero3};
use crate::math::{Matrix, Random, Vec3};
use crate::methods::MethodError;
use crate::model::BeamIndex;
use crate::system::{EvaluationContext, Instant, Loads, State};

/// Rounding error of a sum relative to the sum of the magnitudes of its terms.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// The linear model as `E ẋ = F x`: E, F, and the uncertainty of F.
#[derive(Clone, Debug)]
pub(crate) struct LinearPencil {
    pub(crate) e: Matrix,
    pub(crate) f: Matrix,
    pub(crate) uncertainty: Matrix,
}

/// Directions of motion: displacements of unit positions, velocities of unit speeds, velocities that accompany the positions.
pub(super) struct MotionDirections {
    pub(super) z: Matrix,
    pub(super) y: Matrix,
    pub(super) along_z: Matrix,
}

/// Quantities that are fixed while the residual is differentiated.
struct Held {
    rates: Vec<f64>,
    multipliers: Vec<f64>,
    /// Loads of the excluded forces, if any.
    loads: Option<Loads>,
    rows: Vec<usize>,
    at_rest: bool,
}

/// A local stiffness and damping matrix with the motions on which it acts.
struct LocalTangent {
    stiffness: Matrix,
    damping: Matrix,
    /// Motion of its coordinates for unit positions and unit speeds.
    by_z: Matrix,
    by_y: Matrix,
}

impl LinearPencil {
    /// Returns `ẋ = A x` and the uncertainty of A; `None` if E is not positive definite.
    pub(super) fn explicit(&self, p: usize) -> Option<(Matrix, Matrix)> {
        let n = self.f.nrows();
        let s = n - p;
        let mass = self.e.view((p, p), (s, s)).into_owned();
        let inverse = scaled_cholesky(&mass)?;
        let (mut a, mut doubt) = (self.f.clone(), self.uncertainty.clone());
        let forces = self.f.view((p, 0), (s, n)).into_owned();
        let size = inverse.abs();
        let errors = &size * self.uncertainty.view((p, 0), (s, n));
        let rounding = &size * forces.abs() * ROUNDING;
        a.view_mut((p, 0), (s, n)).copy_from(&(inverse * forces));
        doubt
            .view_mut((p, 0), (s, n))
            .copy_from(&(errors + rounding));
        clean(&mut a, &mut doubt);
        Some((a, doubt))
    }
}

/// Returns the inverse of a symmetric positive definite matrix, scaled to a unit diagonal for the factorisation.
fn scaled_cholesky(mass: &Matrix) -> Option<Matrix> {
    let scale: Vec<f64> = mass.diagonal().iter().map(|m| 1.0 / m.sqrt()).collect();
    let scaled = Matrix::from_fn(mass.nrows(), mass.ncols(), |i, j| {
        mass[(i, j)] * scale[i] * scale[j]
    });
    let mut inverse = Cholesky::new(scaled)?.inverse();
    for j in 0..mass.ncols() {
        for i in 0..mass.nrows() {
            inverse[(i, j)] *= scale[i] * scale[j];
        }
    }
    Some(inverse)
}

/// Sets entries that are not larger than twice their uncertainty to zero.
pub(super) fn clean(a: &mut Matrix, doubt: &mut Matrix) {
    for (x, doubt) in a.iter_mut().zip(doubt.iter_mut()) {
        if x.abs() <= 2.0 * *doubt {
            (*x, *doubt) = (0.0, 0.0);
        }
    }
}

impl Expansion<'_> {
    /// Computes E and F at a state, whose accelerations and multipliers are in the solution.
    pub(super) fn pencil(
        &mut self,
        state: &State,
        choice: &CoordinateChoice,
        rows: &[usize],
        speeds_solver: &LU<f64, Dyn, Dyn>,
        directions: &MotionDirections,
    ) -> Result<LinearPencil, LinearizeError> {
        let n = self.num_velocities();
        let (p, s) = (choice.positions.len(), choice.moving.len());
        let at_rest = state.v.iter().all(|v| *v == 0.0);
        let mut held = Held {
            rates: self.solution.rates.clone(),
            multipliers: self.solution.multipliers.clone(),
            loads: None,
            rows: rows.to_vec(),
            at_rest,
        };
        let pieces = if at_rest {
            self.pieces(state, directions, &mut held)
        } else {
            Vec::new()
        };
        self.ws.kinematics.inputs.without_tangents = at_rest;
        let found = self.difference_residual(state, choice, directions, &held);
        self.ws.kinematics.inputs.without_tangents = false;
        let (slopes, errors) = found?;

        self.place_with(state, &state.v);
        self.system.mass(&mut self.ws);
        let pattern = self.system.mass_pattern();
        let weigh = |x: &[f64]| {
            let mut heavy = vec![0.0; n];
            pattern.add_product(&self.ws.mass, x, &mut heavy);
            heavy
        };
        let mut heavy = Matrix::zeros(n, s);
        for j in 0..s {
            let column = weigh(directions.y.column(j).as_slice());
            heavy.set_column(j, &DVector::from_vec(column));
        }
        let transposed = directions.y.transpose();
        let mass = &transposed * heavy;
        let mass = (&mass + mass.transpose()) * 0.5;

        // forces along the speeds, and the terms of these sums
        let mut along = Matrix::zeros(n, p + s);
        for j in 0..p + s {
            let mut column = slopes.column(j).rows(0, n).into_owned();
            let pull = slopes.column(j).rows(n, rows.len()).into_owned();
            if pull.amax() > 0.0 {
                let mut right = vec![0.0; n];
                for (x, g) in right.iter_mut().zip(pull.iter()) {
                    *x = -g;
                }
                if let Some(particular) = solve(speeds_solver, &right) {
                    column += DVector::from_vec(weigh(&particular));
                }
            }
            along.set_column(j, &column);
        }
        let lengths = transposed.abs();
        let mut forces = &transposed * &along;
        let mut doubts = &lengths * errors.rows(0, n) + (&lengths * along.abs()) * ROUNDING;
        for piece in &pieces {
            piece.add(p, &mut forces, &mut doubts);
        }
        let rates = n + rows.len();
        let kept = slopes.rows(rates + p, s);
        let kept_errors = errors.rows(rates + p, s);
        let bottom = -forces + &mass * kept;
        doubts += mass.abs() * (kept_errors + kept.abs() * ROUNDING);

        let mut e = Matrix::identity(p + s, p + s);
        e.view_mut((p, p), (s, s)).copy_from(&mass);
        let (mut f, mut uncertainty) = (Matrix::zeros(p + s, p + s), Matrix::zeros(p + s, p + s));
        f.view_mut((0, 0), (p, p + s))
            .copy_from(&slopes.rows(rates, p));
        uncertainty
            .view_mut((0, 0), (p, p + s))
            .copy_from(&errors.rows(rates, p));
        f.view_mut((p, 0), (s, p + s)).copy_from(&bottom);
        uncertainty.view_mut((p, 0), (s, p + s)).copy_from(&doubts);
        clean(&mut f, &mut uncertainty);
        Ok(LinearPencil { e, f, uncertainty })
    }

    /// Computes the derivatives, along unit positions and speeds, of the residual, of `G a − γ`, of the velocities of positions, and of the accelerations of
    /// speeds at a, with their errors.
    fn difference_residual(
        &mut self,
        state: &State,
        choice: &CoordinateChoice,
        directions: &MotionDirections,
        held: &Held,
    ) -> Result<(Matrix, Matrix), LinearizeError> {
        let n = self.num_velocities();
        let (p, s) = (choice.positions.len(), choice.moving.len());
        let rates = n + held.rows.len();
        let size = rates + p + s;
        self.place_with(state, &state.v);
        let turning: Vec<Vec3<f64>> = self.ws.kinematics.bodies.iter().map(|b| b.w).collect();
        let pace = self.extent(state, &state.v);
        let mut random = Random::new(7);
        let mut any = |scale: f64| -> Vec<f64> {
            let scaled = state.v.iter().map(|_| random.symmetric(scale));
            scaled.collect()
        };
        let (delta, nu) = (any(1.0), any(1.0 + pace));
        let line = ExpansionLine {
            state,
            delta: &delta,
            nu: &nu,
        };
        let reach = 1.0 / self.extent(state, &delta);
        let grain = noise(size, reach, |step, out| {
            self.place(line, step);
            self.residual(choice, held, out)
        })?;
        let still = vec![0.0; n];
        let generic = [(delta.as_slice(), still.as_slice()), (&still, &nu)].map(|(delta, nu)| {
            self.generic_slopes(ExpansionLine { state, delta, nu }, choice, held, size)
        });
        let (mut slopes, mut errors) = (Matrix::zeros(size, p + s), Matrix::zeros(size, p + s));
        for j in 0..p + s {
            let (delta, nu) = if j < p {
                (directions.z.column(j), directions.along_z.column(j))
            } else {
                (
                    nalgebra::DVectorView::from_slice(&still, n),
                    directions.y.column(j - p),
                )
            };
            let (delta, nu) = (delta.as_slice(), nu.as_slice());
            let line = ExpansionLine { state, delta, nu };
            let step = if j < p {
                FIRST_STEP / self.extent(state, delta)
            } else {
                FIRST_STEP * (1.0 + pace) / self.extent(state, nu)
            };
            let mut found = derivative(&grain, step, |step, out| {
                self.place(line, step);
                self.residual(choice, held, out)
            })?;
            // the state itself has rounding errors, and derivatives change with it
            let reach = [delta, nu].map(|direction| ROUNDING * self.extent(state, direction));
            for (i, x) in found.value.iter_mut().enumerate() {
                if x.abs() <= reach[0] * generic[0][i] + reach[1] * generic[1][i] {
                    *x = 0.0;
                }
            }
            slopes.set_column(j, &DVector::from_vec(found.value));
            errors.set_column(j, &DVector::from_vec(found.error));
            if held.at_rest {
                // linear in the speeds, and independent of everything else
                for (i, rate) in self
                    .position_rows(state, choice, nu)
                    .into_iter()
                    .enumerate()
                {
                    (slopes[(rates + i, j)], errors[(rates + i, j)]) = (rate, ROUNDING);
                }
            }
            // the speeds are velocities of positions, the others are zero
            for (k, &i) in choice.moving.iter().enumerate() {
                let rate = if j == p + k { 1.0 } else { 0.0 };
                (slopes[(rates + i, j)], errors[(rates + i, j)]) = (rate, 0.0);
            }
            self.place_with(state, delta);
            for (i, candidate) in choice.positions.iter().enumerate() {
                if let Some((body, axis)) = candidate.turn {
                    let turn = self.ws.kinematics.bodies[body].w;
                    slopes[(rates + i, j)] += cross(&turning[body], &turn)[axis];
                    let size = turning[body].norm() * turn.norm();
                    errors[(rates + i, j)] += ROUNDING * size;
                }
            }
        }
        // components without any change are exactly zero, regardless of their rounding error
        for (x, error) in slopes.iter().zip(errors.iter_mut()) {
            if *x == 0.0 {
                *error = 0.0;
            }
        }
        Ok((slopes, errors))
    }

    /// Returns the derivative of each component of the residual along a line without symmetry, for a unit of motion; zero if it is undefined near the state.
    fn generic_slopes(
        &mut self,
        line: ExpansionLine<'_>,
        choice: &CoordinateChoice,
        held: &Held,
        size: usize,
    ) -> Vec<f64> {
        let reach = [line.delta, line.nu].map(|direction| self.extent(line.state, direction));
        let step = FIRST_STEP / reach[0].max(reach[1]);
        let mut values = [vec![0.0; size], vec![0.0; size], vec![0.0; size]];
        for (out, step) in values.iter_mut().zip([-step, 0.0, step]) {
            self.place(line, step);
            if self.residual(choice, held, out).is_err() {
                return vec![0.0; size];
            }
        }
        let [before, here, after] = &values;
        (0..size)
            .map(|i| (after[i] - here[i]).abs().max((before[i] - here[i]).abs()) / FIRST_STEP)
            .collect()
    }

    /// Returns the derivatives of the positions at a state with velocities ν.
    fn position_rows(&mut self, state: &State, choice: &CoordinateChoice, nu: &[f64]) -> Vec<f64> {
        if nu.iter().all(|x| *x == 0.0) {
            return vec![0.0; choice.positions.len()];
        }
        self.place_with(state, nu);
        let context = self.context();
        let positions = choice.positions.iter();
        positions.map(|c| context.signal(c.rate)).collect()
    }

    /// Computes the residual and the related quantities at the kinematics in the workspace.
    fn residual(
        &mut self,
        choice: &CoordinateChoice,
        held: &Held,
        out: &mut [f64],
    ) -> Result<(), MethodError> {
        let (system, n) = (self.system, self.num_velocities());
        system.mass(&mut self.ws);
        system.forces(&mut self.ws)?;
        system.constraints(&mut self.ws);
        if let Some(loads) = &held.loads {
            let ws = &mut self.ws;
            system.generalize(&ws.kinematics, loads, &mut ws.force);
        }
        let ws = &self.ws;
        let (forces, rest) = out.split_at_mut(n);
        for (out, force) in forces.iter_mut().zip(&ws.force) {
            *out = -force;
        }
        let pattern = system.mass_pattern();
        pattern.add_product(&ws.mass, &held.rates, forces);
        let jacobian = system.jacobian_pattern();
        for (i, multiplier) in held.multipliers.iter().enumerate() {
            if *multiplier != 0.0 {
                jacobian.add_row(i, &ws.jacobian, *multiplier, forces);
            }
        }
        let (pulls, rest) = rest.split_at_mut(held.rows.len());
        for (out, &row) in pulls.iter_mut().zip(&held.rows) {
            let range = jacobian.range(row);
            let entries = jacobian.columns[range.clone()].iter();
            let entries = entries.zip(&ws.jacobian[range]);
            *out = entries.map(|(c, g)| g * held.rates[*c]).sum::<f64>() - ws.gamma[row];
        }
        let (rates, accelerations) = rest.split_at_mut(choice.positions.len());
        let instant = Instant {
            system,
            workspace: ws,
            rates: &held.rates,
            multipliers: &held.multipliers,
            normals: &self.solution.normals,
            power: &self.solution.power,
            work: &self.work,
            step: 0.0,
            start_energy: 0.0,
            row: &[],
        };
        if held.at_rest {
            rates.fill(0.0);
        } else {
            let positions = choice.positions.iter();
            for (out, candidate) in rates.iter_mut().zip(positions) {
                *out = instant.signal(candidate.rate);
            }
        }
        if held.at_rest && held.rates.iter().all(|x| *x == 0.0) {
            accelerations.fill(0.0);
        } else {
            for (out, candidate) in accelerations.iter_mut().zip(choice.speeds()) {
                *out = instant.signal(candidate.acceleration);
            }
        }
        Ok(())
    }

    /// Returns the tangents of beams and of forces that provide one, at rest; the loads of these forces are stored.
    fn pieces(
        &mut self,
        state: &State,
        directions: &MotionDirections,
        held: &mut Held,
    ) -> Vec<LocalTangent> {
        let model = self.system.model();
        self.place_with(state, &state.v);
        let mut pieces = Vec::new();
        for (k, beam) in model.beams.iter().enumerate() {
            let columns = self.system.beam_columns(BeamIndex(k));
            let motion = &self.ws.kinematics.beams[k];
            for (i, element) in beam.elements.iter().enumerate() {
                let at = beam.of_element(i);
                let tangent = |factors: (f64, f64)| {
                    let mut dense = vec![0.0; at.len() * at.len()];
                    let (e, rates) = (&motion.e[at.clone()], &motion.rates[at.clone()]);
                    element.add_tangent(e, rates, factors, &mut dense);
                    Matrix::from_fn(at.len(), at.len(), |i, j| {
                        dense[i.max(j) * at.len() + i.min(j)]
                    })
                };
                let (start, size) = (columns.start + at.start, at.len());
                pieces.push(LocalTangent {
                    stiffness: tangent((1.0, 0.0)),
                    damping: tangent((0.0, 1.0)),
                    by_z: directions.z.rows(start, size).into_owned(),
                    by_y: directions.y.rows(start, size).into_owned(),
                });
            }
        }
        let own = || model.forces.iter().filter(|f| f.force.has_tangent());
        if own().next().is_none() {
            return pieces;
        }
        let (by_z, by_y) = (
            self.twists(state, &directions.z),
            self.twists(state, &directions.y),
        );
        self.place_with(state, &state.v);
        let kinematics = &self.ws.kinematics;
        let context = EvaluationContext { model, kinematics };
        let mut all = Loads::new(model);
        let mut one = Loads::new(model);
        for element in own() {
            let mut bodies: Vec<usize> = element
                .force
                .bodies(model)
                .iter()
                .filter_map(|b| b.number())
                .collect();
            bodies.sort_unstable();
            bodies.dedup();
            let size = 6 * bodies.len();
            let tangent = |factors: (f64, f64)| {
                let mut dense = [[0.0; 12]; 12];
                let _ = element.force.tangent(&context, factors, &mut dense);
                Matrix::from_fn(size, size, |i, j| dense[i][j])
            };
            let (mut stiffness, damping) = (tangent((1.0, 0.0)), tangent((0.0, 1.0)));
            one.clear();
            element.force.apply(&context, &mut one);
            element.force.apply(&context, &mut all);
            for (at, &b) in bodies.iter().enumerate() {
                // the tangent has moments in body axes, the stored loads in ground axes
                let moment = apply_transposed(&kinematics.bodies[b].R, &one.torque[b]);
                let mut block = stiffness.fixed_view_mut::<3, 3>(6 * at + 3, 6 * at + 3);
                block += skew(&moment);
            }
            let rows = |twists: &[Matrix]| {
                let columns = twists.first().map_or(0, Matrix::ncols);
                Matrix::from_fn(size, columns, |i, j| twists[bodies[i / 6]][(i % 6, j)])
            };
            pieces.push(LocalTangent {
                stiffness,
                damping,
                by_z: rows(&by_z),
                by_y: rows(&by_y),
            });
        }
        if all.force.iter().chain(&all.torque).any(|x| *x != zero3()) {
            held.loads = Some(all);
        }
        pieces
    }

    /// Returns the motion of every body for given directions of motion: translations along ground axes, rotations about its own axes.
    fn twists(&mut self, state: &State, directions: &Matrix) -> Vec<Matrix> {
        let bodies = self.ws.kinematics.bodies.len();
        let mut twists = vec![Matrix::zeros(6, directions.ncols()); bodies];
        for (j, direction) in directions.column_iter().enumerate() {
            self.place_with(state, direction.as_slice());
            for (body, twist) in self.ws.kinematics.bodies.iter().zip(&mut twists) {
                let turn = apply_transposed(&body.R, &body.w);
                for i in 0..3 {
                    (twist[(i, j)], twist[(3 + i, j)]) = (body.v[i], turn[i]);
                }
            }
        }
        twists
    }
}

impl LocalTangent {
    /// Adds its forces, and the rounding errors of the sums.
    fn add(&self, p: usize, forces: &mut Matrix, doubts: &mut Matrix) {
        let moved = |x: &Matrix| -> Vec<usize> {
            let columns = x.column_iter().enumerate();
            columns
                .filter(|(_, c)| c.amax() > 0.0)
                .map(|(j, _)| j)
                .collect()
        };
        let (by_z, by_y) = (moved(&self.by_z), moved(&self.by_y));
        let rows = self.by_y.select_columns(&by_y).transpose();
        for (matrix, motions, moving, first) in [
            (&self.stiffness, &self.by_z, &by_z, 0),
            (&self.damping, &self.by_y, &by_y, p),
        ] {
            if matrix.amax() == 0.0 {
                continue;
            }
            let motions = motions.select_columns(moving);
            let sum = &rows * matrix * &motions;
            let size = rows.abs() * matrix.abs() * motions.abs();
            for (b, j) in moving.iter().enumerate() {
                for (a, i) in by_y.iter().enumerate() {
                    forces[(*i, first + j)] += sum[(a, b)];
                    doubts[(*i, first + j)] += ROUNDING * size[(a, b)];
                }
            }
        }
    }
}
