//! Newton's method for one step.

use super::{Average, Newmark, NewmarkWeights, NewtonCriterion, Scheme};
use crate::integrators::Mechanics;
use crate::integrators::implicit::add_friction;
use crate::integrators::matrix::NewtonMatrix;
use crate::keep::keeps;
use crate::methods::{MethodError, Sharing};
use crate::system::System;

/// Buffers whose sizes depend on the system.
#[derive(Clone, Debug)]
pub(super) struct NewmarkBuffers {
    /// The iteration matrix, for a given step size.
    pub(super) matrix: NewtonMatrix,
    pub(super) sharing: Option<Sharing>,
    /// The step size to which a belongs; zero if a = v̇.
    pub(super) stepped: f64,
    pub(super) acceleration: Vec<f64>,
    pub(super) rates: Vec<f64>,
    pub(super) multipliers: Vec<f64>,
    pub(super) power: Vec<f64>,
    /// α_f/(1 − α_f) F at the start of the step, if forces are averaged.
    pub(super) history: Vec<f64>,
    /// `G v + Φ_t` at the end of the last step.
    pub(super) open: Vec<f64>,
    /// `(a⁺ − a)/h` of the last step, and whether it exists.
    pub(super) slope: Vec<f64>,
    pub(super) has_slope: bool,
    /// Largest squared norm of v̇ so far.
    largest: f64,
    // trial values of the current step
    /// v and a for the size of this step.
    pub(super) start_v: Vec<f64>,
    pub(super) carried: Vec<f64>,
    pub(super) next_rates: Vec<f64>,
    pub(super) next_multipliers: Vec<f64>,
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) increment: Vec<f64>,
    /// The increment s of index 2.
    pub(super) slide: Vec<f64>,
    pub(super) move_by: Vec<f64>,
    pub(super) residual: Vec<f64>,
    pub(super) row_residual: Vec<f64>,
    pub(super) error: Vec<f64>,
    /// Lengths that weight corrections relative to metres and radians.
    weights: Vec<f64>,
}

keeps!(NewmarkBuffers: matrix, stepped, acceleration, rates, multipliers, power, history, open, slope, has_slope, largest);

/// The result of Newton's method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NewtonOutcome {
    /// It converged so well that twice the step size may be attempted.
    Easily,
    Converged,
    /// It did not converge with an old matrix, and may converge with a new one.
    Stale,
    Failed,
}

/// Slower convergence than this justifies a new factorisation.
const SLOW: f64 = 0.2;
/// Faster convergence than this is not assumed to continue.
const FAST: f64 = 0.05;
/// Squared accelerations below this fraction of the largest of the run are ignored.
const SMALL: f64 = 1e-4;
/// A factorisation is reused for step sizes within these factors.
const SERVES: std::ops::RangeInclusive<f64> = 0.8..=1.25;

impl NewmarkBuffers {
    /// Computes −Φ of the active rows; a velocity constraint changes by γ' G x.
    fn find_row_residual(&mut self, mechanics: &Mechanics<'_>, index2: bool, to_velocity: f64) {
        let ws = &*mechanics.workspace;
        for (i, label) in mechanics.system.rows().iter().enumerate() {
            self.row_residual[i] = if !mechanics.active[i] {
                0.0
            } else if index2 || label.nonholonomic {
                -ws.rate[i] / to_velocity
            } else {
                -ws.phi[i]
            };
        }
    }

    /// Predicts the end of a step of size `h` from the velocities `v0`.
    fn predict(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        v0: &[f64],
        h: f64,
        (weights, index2): (&NewmarkWeights, bool),
    ) {
        let NewmarkWeights {
            alpha_m,
            beta,
            gamma,
            average,
            ..
        } = *weights;
        let of_forces = average == Average::Forces;
        // predict with the last v̇ and λ: extrapolation would double the noise that Newton's method leaves in them
        self.next_rates.copy_from_slice(&self.rates);
        self.next_multipliers.copy_from_slice(&self.multipliers);
        self.slide.fill(0.0);
        let carry = if of_forces || self.stepped == 0.0 {
            1.0
        } else {
            // the residual of a very short step is no indication for a long one
            (h / self.stepped).min(2.0)
        };
        self.start_v.copy_from_slice(v0);
        if carry != 1.0 && !index2 {
            self.carry_velocities(mechanics, carry * carry);
        }
        for i in 0..v0.len() {
            let (v, rate) = (self.start_v[i], self.rates[i]);
            let a = rate + carry * (self.acceleration[i] - rate);
            self.carried[i] = a;
            let next = if of_forces {
                rate
            } else {
                (rate - alpha_m * a) / (1.0 - alpha_m)
            };
            self.increment[i] = h * v + h * h * ((0.5 - beta) * a + beta * next);
            self.v[i] = v + h * ((1.0 - gamma) * a + gamma * next);
        }
    }

    pub(super) fn new(system: &dyn System) -> Self {
        let sizes = system.sizes();
        let (nv, rows) = (sizes.velocities, sizes.rows);
        let zeros = || vec![0.0; nv];
        let mut weights = zeros();
        system.weigh_displacements(&mut weights);
        NewmarkBuffers {
            matrix: NewtonMatrix::new(system),
            sharing: None,
            stepped: 0.0,
            acceleration: zeros(),
            rates: zeros(),
            multipliers: vec![0.0; rows],
            power: vec![0.0; sizes.works],
            history: zeros(),
            open: vec![0.0; rows],
            slope: zeros(),
            has_slope: false,
            largest: 0.0,
            start_v: zeros(),
            carried: zeros(),
            next_rates: zeros(),
            next_multipliers: vec![0.0; rows],
            q: vec![0.0; sizes.positions],
            v: zeros(),
            increment: zeros(),
            slide: zeros(),
            move_by: zeros(),
            residual: zeros(),
            row_residual: vec![0.0; rows],
            error: vec![0.0; sizes.positions.max(nv)],
            weights,
        }
    }

    /// Evaluates all terms of the equations at (t, q, v), with friction at the accelerations and multipliers of the trial.
    fn evaluate(&mut self, mechanics: &mut Mechanics<'_>, time: f64) -> Result<(), MethodError> {
        mechanics.update(time, &self.q, &self.v);
        let (system, ws) = (mechanics.system, &mut *mechanics.workspace);
        system.mass(ws);
        system.forces(ws)?;
        system.constraints(ws);
        let sharing = self.sharing.as_mut();
        add_friction(
            system,
            ws,
            &self.next_rates,
            &self.next_multipliers,
            sharing,
        );
        Ok(())
    }

    /// Adds `Gᵀλ − f` of the trial to the residual.
    fn add_forces(&mut self, mechanics: &Mechanics<'_>) {
        let (ws, pattern) = (&*mechanics.workspace, mechanics.system.jacobian_pattern());
        for (i, active) in mechanics.active.iter().enumerate() {
            if *active {
                let lambda = self.next_multipliers[i];
                pattern.add_row(i, &ws.jacobian, lambda, &mut self.residual);
            }
        }
        for (r, f) in self.residual.iter_mut().zip(&ws.force) {
            *r -= f;
        }
    }

    /// Computes q of the trial from its increments.
    fn place(&mut self, system: &dyn System, q0: &[f64]) {
        self.q.copy_from_slice(q0);
        for (m, (x, s)) in self
            .move_by
            .iter_mut()
            .zip(self.increment.iter().zip(&self.slide))
        {
            *m = x + s;
        }
        system.retract(&mut self.q, &self.move_by);
    }

    /// Moves the positions to Φ = 0 in addition to the step, with the current matrix; returns the largest displacement.
    fn slide_to_constraints(&mut self, mechanics: &Mechanics<'_>, to_velocity: f64) -> f64 {
        let ws = &*mechanics.workspace;
        self.residual.fill(0.0);
        for (i, label) in mechanics.system.rows().iter().enumerate() {
            let counts = mechanics.active[i] && !label.nonholonomic;
            // the displacement from the velocity correction is already known
            self.row_residual[i] = if counts {
                ws.rate[i] / to_velocity - ws.phi[i]
            } else {
                0.0
            };
        }
        self.matrix
            .solve(&mut self.residual, &mut self.row_residual);
        for (s, x) in self.slide.iter_mut().zip(&self.residual) {
            *s += x;
        }
        let weighed = self.residual.iter().zip(&self.weights);
        weighed.fold(0.0, |m: f64, (x, weight)| m.max((weight * x).abs()))
    }

    /// Multiplies `G v + Φ_t` at the start of a step by this factor relative to the last step, as it would be after steps of the new size.
    fn carry_velocities(&mut self, mechanics: &Mechanics<'_>, factor: f64) {
        self.residual.fill(0.0);
        for (i, label) in mechanics.system.rows().iter().enumerate() {
            let counts = mechanics.active[i] && !label.nonholonomic;
            self.row_residual[i] = if counts {
                (factor - 1.0) * self.open[i]
            } else {
                0.0
            };
        }
        self.matrix
            .solve(&mut self.residual, &mut self.row_residual);
        for (v, x) in self.start_v.iter_mut().zip(&self.residual) {
            *v += x;
        }
    }

    /// Applies the smallest correction of v, in the metric of M, that gives `G v + Φ_t = 0`.
    pub(super) fn project(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        (time, q, v): (f64, &[f64], &mut [f64]),
    ) -> Result<(), MethodError> {
        self.q.copy_from_slice(q);
        self.v.copy_from_slice(v);
        self.evaluate(mechanics, time)?;
        self.matrix
            .factor(mechanics, &self.next_multipliers, (0.0, 0.0), 0.0);
        self.residual.fill(0.0);
        for (i, active) in mechanics.active.iter().enumerate() {
            let rate = mechanics.workspace.rate[i];
            self.row_residual[i] = if *active { -rate } else { 0.0 };
        }
        self.matrix
            .solve(&mut self.residual, &mut self.row_residual);
        for (v, x) in v.iter_mut().zip(&self.residual) {
            *v += x;
        }
        Ok(())
    }

    /// Stores in `residual` the ε of `T ε + Gᵀ μ = M e`, `G ε = 0`, with e in `move_by`.
    pub(super) fn filter(&mut self, system: &dyn System, mass: &[f64]) {
        self.residual.fill(0.0);
        self.row_residual.fill(0.0);
        system
            .mass_pattern()
            .add_product(mass, &self.move_by, &mut self.residual);
        self.matrix
            .solve(&mut self.residual, &mut self.row_residual);
    }

    /// Adds the component of the displacement in `move_by` across each velocity constraint to `residual`.
    pub(super) fn add_across_velocity_rows(&mut self, mechanics: &Mechanics<'_>) {
        let (pattern, jacobian) = (
            mechanics.system.jacobian_pattern(),
            &mechanics.workspace.jacobian,
        );
        for (i, label) in mechanics.system.rows().iter().enumerate() {
            if !mechanics.active[i] || !label.nonholonomic {
                continue;
            }
            let square: f64 = pattern.range(i).map(|entry| jacobian[entry].powi(2)).sum();
            if square > 0.0 {
                let across = pattern.row_times(i, jacobian, &self.move_by);
                pattern.add_row(i, jacobian, across / square, &mut self.residual);
            }
        }
    }

    /// Whether v̇ of the trial differs from the previous one by more than half of the larger one, unless that is small relative to the largest of the run.
    pub(super) fn jumps(&mut self) -> bool {
        let size = square(&self.rates).max(square(&self.next_rates));
        self.largest = self.largest.max(size);
        let pairs = self.rates.iter().zip(&self.next_rates);
        let change: f64 = pairs.map(|(a, b)| (a - b) * (a - b)).sum();
        size > SMALL * self.largest && change > 0.25 * size
    }

    /// Evaluates the old forces, if they are averaged.
    pub(super) fn look_back(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        (time, q, v): (f64, &[f64], &[f64]),
        share: f64,
    ) -> Result<(), MethodError> {
        self.q.copy_from_slice(q);
        self.v.copy_from_slice(v);
        self.next_rates.copy_from_slice(&self.rates);
        self.next_multipliers.copy_from_slice(&self.multipliers);
        self.evaluate(mechanics, time)?;
        self.residual.fill(0.0);
        self.add_forces(mechanics);
        for (past, force) in self.history.iter_mut().zip(&self.residual) {
            *past = share * force;
        }
        Ok(())
    }
}

fn square(values: &[f64]) -> f64 {
    values.iter().map(|x| x * x).sum()
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

/// Coordinates up to this size, in metres, are within the least tolerance; beyond it their rounding error matters.
const USUAL: f64 = 10.0;

/// What decides after an iteration whether Newton's method has converged.
struct NewtonProgress {
    iteration: usize,
    /// Weighted size of the correction, and its ratio to the last one.
    size: f64,
    rate: f64,
    /// Whether the matrix was made in this step.
    fresh: bool,
    /// Correction of the positions that may remain.
    tolerance: f64,
    /// Lengths of the residual and of the correction, in the units of forces.
    length: f64,
    correction: f64,
    /// The largest position coordinate.
    largest: f64,
}

impl NewtonProgress {
    /// Returns how the iteration ended; `None` if it continues.
    fn outcome(&self, closing: NewtonCriterion, max_iterations: usize) -> Option<NewtonOutcome> {
        let NewtonProgress {
            iteration,
            size,
            fresh,
            tolerance,
            ..
        } = *self;
        match closing {
            NewtonCriterion::Lengths {
                residual: most,
                correction: short,
            } => (self.length < most || self.correction < short).then_some(
                if self.length <= 0.25 * most {
                    NewtonOutcome::Easily
                } else {
                    NewtonOutcome::Converged
                },
            ),
            NewtonCriterion::Position(_) => {
                // converged if the correction is this small, or if the next ones will be
                let rate = self.rate.max(FAST);
                let settled =
                    iteration > 0 && rate < 0.9 && size * rate <= tolerance * (1.0 - rate);
                // corrections stop decreasing at the rounding error of the corrected values
                let rounding = 4.0 * f64::EPSILON * (1.0 + self.largest);
                let settled = settled
                    || (size <= rounding && (fresh || iteration > 0))
                    || (rate > 0.5 && size <= 16.0 * rounding);
                let easily = if 2 * iteration <= max_iterations {
                    NewtonOutcome::Easily
                } else {
                    NewtonOutcome::Converged
                };
                // an old matrix may hide the remaining residual from the first correction where the system was stiff
                let small = size <= 1e-3 * tolerance && (fresh || iteration > 0);
                (settled || small).then_some(easily)
            }
        }
    }
}

impl<S: Scheme> Newmark<S> {
    /// Returns the position error that may remain at a step of size `h`.
    fn position_tolerance(&self, h: f64) -> f64 {
        match (&self.pace, self.closing) {
            // a thousandth of the allowed error, with velocities of the same accuracy
            (Some(pace), _) => 1e-2 * pace.tolerance.of(0.0) * h.min(0.1),
            // a position error appears in v̇ divided by h²; the fourth power keeps it below the error of the method
            (None, NewtonCriterion::Position(tolerance)) => tolerance * (h / 1e-3).powi(4).min(1.0),
            (None, NewtonCriterion::Lengths { .. }) => 0.0,
        }
        .max(1e-15)
    }

    /// Solves a step of size `h` by Newton's method.
    pub(super) fn solve(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        h: f64,
    ) -> Result<NewtonOutcome, MethodError> {
        let allowed = self.position_tolerance(h);
        let Some(parts) = &mut self.parts else {
            return Ok(NewtonOutcome::Failed);
        };
        let NewmarkWeights {
            alpha_m,
            alpha_f,
            beta,
            gamma,
            average,
        } = self.weights;
        let to_velocity = gamma / (h * beta);
        let to_force = (1.0 - alpha_m) / (h * h * beta * (1.0 - alpha_f));
        let of_forces = average == Average::Forces;
        let inertia = if of_forces {
            1.0 / (1.0 - alpha_f)
        } else {
            1.0
        };
        let to_rates = to_force / inertia;
        let system = mechanics.system;
        let sizes = system.sizes();
        let (q0, rest) = self.march.y.split_at(sizes.positions);
        let v0 = &rest[..sizes.velocities];
        let time = self.march.time + h;

        parts.predict(mechanics, v0, h, (&self.weights, self.index2));
        // the trapezoidal rule of all integrals
        let work = &rest[sizes.velocities..][..sizes.works];
        let inputs = &mut mechanics.workspace.kinematics.inputs;
        inputs.hold_formula(work, (&parts.power, 0.5 * h), 0.5 * h);

        let mut fresh = false;
        let mut slow = false;
        let mut last = f64::INFINITY;
        for iteration in 0..self.max_iterations {
            parts.place(system, q0);
            parts.evaluate(mechanics, time)?;
            self.work.evaluations += 1;

            let ws = &*mechanics.workspace;
            // corrections cannot become smaller than the rounding errors of the corrected values
            let of_rows = ws.rounding(system.jacobian_pattern(), &mut parts.residual);
            let far = (largest(&parts.q) - USUAL).max(0.0);
            let of_rows = of_rows - f64::EPSILON * USUAL;
            let tolerance = allowed.max(4.0 * f64::EPSILON * far).max(of_rows);

            // −(M v̇ + Gᵀλ − f)/β' and −Φ
            parts.residual.fill(0.0);
            system
                .mass_pattern()
                .add_product(&ws.mass, &parts.next_rates, &mut parts.residual);
            if of_forces {
                for (r, past) in parts.residual.iter_mut().zip(&parts.history) {
                    *r = inertia * *r + past;
                }
            }
            parts.add_forces(mechanics);
            parts.find_row_residual(mechanics, self.index2, to_velocity);
            let constraints = 1.0 / (beta * h * h);
            let length = (square(&parts.residual)
                + constraints * constraints * square(&parts.row_residual))
            .sqrt();
            for r in &mut parts.residual {
                *r /= -to_force;
            }

            let fits = SERVES.contains(&(h / parts.matrix.made_for()));
            if self.full || !fits || (slow && !fresh) {
                let factors = (1.0 / to_force, to_velocity / to_force);
                parts
                    .matrix
                    .factor(mechanics, &parts.next_multipliers, factors, h);
                fresh = true;
                self.work.factorizations += 1;
            }
            parts
                .matrix
                .solve(&mut parts.residual, &mut parts.row_residual);

            let mut size = 0.0_f64;
            for (i, &x) in parts.residual.iter().enumerate() {
                size = size.max((parts.weights[i] * x).abs());
                parts.increment[i] += x;
                parts.v[i] += to_velocity * x;
                parts.next_rates[i] += to_rates * x;
            }
            for (l, x) in parts.next_multipliers.iter_mut().zip(&parts.row_residual) {
                *l += to_force * x;
            }
            let correction = (to_rates * to_rates * square(&parts.residual)
                + to_force * to_force * square(&parts.row_residual))
            .sqrt();
            if self.index2 {
                size = size.max(parts.slide_to_constraints(mechanics, to_velocity));
            }
            if !size.is_finite() {
                return Ok(NewtonOutcome::Failed);
            }
            let rate = size / last;
            let progress = NewtonProgress {
                iteration,
                size,
                rate,
                fresh,
                tolerance,
                length,
                correction,
                largest: largest(&parts.q),
            };
            let ended = progress.outcome(self.closing, self.max_iterations);
            if let Some(outcome) = ended {
                parts.place(system, q0);
                return Ok(outcome);
            }
            if iteration > 0 && rate > 1.0 && !self.full {
                // an iterate of a diverging old matrix is no starting point for a new one
                return Ok(if fresh {
                    NewtonOutcome::Failed
                } else {
                    NewtonOutcome::Stale
                });
            }
            slow = iteration > 0 && rate > SLOW;
            last = size;
        }
        Ok(NewtonOutcome::Failed)
    }
}
