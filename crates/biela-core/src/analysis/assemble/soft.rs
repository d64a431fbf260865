//! Solution of the position constraints from distant poses, where Newton's method stalls: the Levenberg–Marquardt method.
//!
//! Each step minimises `½ dᵀ M d + Σ (φᵢ + gᵢ d)² / (2 μ |gᵢ|²)`. The constraints are soft, so that near rank deficiency, or with more rows than velocities, a
//! step remains short and still reduces the residual. μ decreases with every successful step and increases with every other one. As it vanishes, steps become
//! those of Newton's method, also for redundant rows (N. Yamashita, M. Fukushima, *On the rate of convergence of the Levenberg–Marquardt
//! method*, Computing Supplementa 15, 2001).

use super::newton::{CLOSED, longest_move};
use super::{Assembler, Pins};
use crate::system::{State, refresh_turns};

const MAX_ITERATIONS: usize = 120;
/// μ of the first step, and its bounds.
const FIRST: f64 = 1e-2;
const LEAST: f64 = 1e-12;
const MOST: f64 = 1e4;
/// Least average relative reduction of the squared residual per step; a smaller one indicates a local minimum.
const HOLLOW: f64 = 1e-3;
/// Largest number of consecutive steps with a smaller reduction.
const PATIENCE: usize = 6;

impl Assembler<'_> {
    /// Solves the position constraints from a distant `state` or with redundant rows, and stores the best configuration found in it.
    pub(super) fn close_softly(&mut self, state: &mut State, pins: &Pins<'_>) -> bool {
        self.evaluate(state, pins, false);
        let longest = longest_move(self.system, self.largest());
        let mut held = self.residual.clone();
        let mut trial = state.clone();
        let (mut softness, mut idle) = (FIRST, 0);
        for _ in 0..MAX_ITERATIONS {
            if self.largest() <= CLOSED || softness > MOST || idle > PATIENCE {
                break;
            }
            self.iterations += 1;
            self.solve_softly(softness);
            let reach = self.step.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            if !reach.is_finite() {
                break;
            }
            let scale = (longest / reach).min(1.0);
            for x in &mut self.step {
                *x *= scale;
            }
            trial.clone_from(state);
            self.system.retract(&mut trial.q, &self.step);
            self.evaluate(&trial, pins, false);
            let (before, after) = (self.weighed(&held), self.weighed(&self.residual));
            if after < before {
                idle = if after > (1.0 - HOLLOW) * before {
                    idle + 1
                } else {
                    0
                };
                softness = (0.2 * softness).max(LEAST);
                std::mem::swap(state, &mut trial);
                held.copy_from_slice(&self.residual);
                let kinematics = &self.ws.kinematics;
                refresh_turns(self.system.model(), kinematics, &mut state.turns);
            } else {
                softness *= 5.0;
                self.evaluate(state, pins, false);
            }
        }
        // the last digits are computed by Newton's method
        self.largest() <= CLOSED && self.polish(state, pins)
    }

    /// Returns the sum of the squared residuals, each relative to the norm of its row; infinite if one is undefined.
    fn weighed(&self, residual: &[f64]) -> f64 {
        let rows = residual.iter().zip(self.kkt.squared_lengths());
        let terms = rows.map(|(x, length)| if *length > 0.0 { x * x / length } else { 0.0 });
        let sum: f64 = terms.sum();
        if sum.is_nan() { f64::INFINITY } else { sum }
    }

    /// Computes the step that balances the residuals of the rows against its own norm.
    fn solve_softly(&mut self, softness: f64) {
        self.step.fill(0.0);
        for (r, x) in self.rhs.iter_mut().zip(&self.residual) {
            *r = -x;
        }
        self.system.mass(&mut self.ws);
        self.kkt.factor_soft(&self.ws.mass, &self.values, softness);
        self.kkt.solve_once(&mut self.step, &mut self.rhs);
    }
}
