//! Positions and velocities that satisfy the constraints at a given time, by Newton's method with one factorisation per iteration.

use super::{IntegratorWork, Mechanics};
use crate::keep::keeps;
use crate::math::{Kkt, RowOrder};
use crate::system::{System, row_groups};

/// Solver for a configuration that satisfies the constraints.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    kkt: Kkt,
    jacobian: Vec<f64>,
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
    increment: Vec<f64>,
    rows: Vec<f64>,
    /// Largest residual of the active position constraints at the last evaluation of [`Closure::close`].
    pub(crate) residual: f64,
}

keeps!(Closure: kkt, q, v, residual);

const MAX_ITERATIONS: usize = 12;
/// Residual below which the position constraints are satisfied.
const CLOSED: f64 = 1e-12;

impl Closure {
    pub(crate) fn new(system: &dyn System) -> Self {
        let sizes = system.sizes();
        Closure {
            kkt: Kkt::new(
                sizes.velocities,
                system.mass_pattern(),
                system.jacobian_pattern(),
                &row_groups(system),
                RowOrder::LeastFill,
            ),
            jacobian: vec![0.0; system.jacobian_pattern().num_entries()],
            q: vec![0.0; sizes.positions],
            v: vec![0.0; sizes.velocities],
            increment: vec![0.0; sizes.velocities],
            rows: vec![0.0; sizes.rows],
            residual: 0.0,
        }
    }

    /// Evaluates and factorises the constraints at (t, q, v).
    pub(crate) fn evaluate(&mut self, mechanics: &mut Mechanics<'_>, time: f64) {
        mechanics.update(time, &self.q, &self.v);
        let system = mechanics.system;
        let ws = &mut *mechanics.workspace;
        system.mass(ws);
        system.constraints(ws);
        self.jacobian.copy_from_slice(&ws.jacobian);
        for (i, active) in mechanics.active.iter().enumerate() {
            if !active {
                self.jacobian[system.jacobian_pattern().range(i)].fill(0.0);
            }
        }
        self.kkt.factor(&ws.mass, &self.jacobian);
    }

    /// Returns the number of rows that the last evaluation found dependent.
    pub(crate) fn num_dependent(&self) -> usize {
        self.kkt.num_dependent()
    }

    /// Moves positions along the velocities for a time `h`.
    pub(crate) fn advance(&mut self, system: &dyn System, h: f64) {
        for (x, v) in self.increment.iter_mut().zip(&self.v) {
            *x = h * v;
        }
        system.retract(&mut self.q, &self.increment);
    }

    /// Computes the `increment` that removes `residual` from the active rows.
    fn solve(&mut self, mechanics: &Mechanics<'_>, residual: &[f64]) {
        self.increment.fill(0.0);
        for (i, active) in mechanics.active.iter().enumerate() {
            self.rows[i] = if *active { -residual[i] } else { 0.0 };
        }
        let mass = &mechanics.workspace.mass;
        self.kkt
            .solve(mass, &self.jacobian, &mut self.increment, &mut self.rows);
    }

    /// Solves for positions at `time` from the configuration in `q`, then for velocities. Returns `false` if the iteration does not converge.
    pub(crate) fn close(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        time: f64,
        work: &mut IntegratorWork,
    ) -> bool {
        let mut last = f64::INFINITY;
        for _ in 0..MAX_ITERATIONS {
            self.evaluate(mechanics, time);
            work.evaluations += 1;
            work.factorizations += 1;
            let ws = &*mechanics.workspace;
            let active = (0..ws.phi.len()).filter(|row| mechanics.active[*row]);
            let (residual, error) = active.fold((0.0, 0.0), |(most, worst): (f64, f64), row| {
                let x = ws.phi[row].abs();
                (
                    most.max(x),
                    worst.max(x / ws.position_tolerance(row, CLOSED)),
                )
            });
            self.residual = residual;
            // rounding limits the attainable residual
            let settled = error <= 1.0 || (error <= 1e3 && error >= 0.5 * last);
            if settled {
                let rate = std::mem::take(&mut mechanics.workspace.rate);
                self.solve(mechanics, &rate);
                mechanics.workspace.rate = rate;
                for (v, d) in self.v.iter_mut().zip(&self.increment) {
                    *v += d;
                }
                return true;
            }
            if error.is_nan() || error > 10.0 * last {
                return false;
            }
            last = error;
            let phi = std::mem::take(&mut mechanics.workspace.phi);
            self.solve(mechanics, &phi);
            mechanics.workspace.phi = phi;
            mechanics.system.retract(&mut self.q, &self.increment);
        }
        false
    }
}
