//! Search for any equilibrium, stable or not: minimises `|Nᵀ r|²` by the Levenberg–Marquardt method (J. J. Moré, *Lecture Notes in
//! Mathematics* 630 (1978) 105-116).
//!
//! ```text
//! |K s − Nᵀ r|² + μ² |s|² → min        δ = N s
//! ```
//!
//! K is the complete stiffness by finite differences, including follower forces. Dense: for models of at most a few hundred degrees of freedom.

use super::rest::Rest;
use super::{LONGEST, ROUNDING, SHORTEST};
use crate::math::dense::{add, dot, least_squares};
use crate::system::{NotFinite, State};

const MAX_STEPS: usize = 60;
/// Damping relative to the largest entry of K: initially, and at which the search is terminated.
const FIRST: f64 = 1e-3;
const MOST: f64 = 1e6;

/// Searches for an equilibrium from a state, and evaluates it in `rest`; returns `false` if none was reached.
pub(super) fn find_root(rest: &mut Rest<'_>, state: &mut State) -> Result<bool, NotFinite> {
    rest.evaluate(state)?;
    let mut trial = state.clone();
    let (mut damping, mut scale) = (FIRST, 0.0);
    for _ in 0..MAX_STEPS {
        let imbalance = rest.imbalance();
        scale = f64::max(scale, rest.force_scale());
        let balanced = imbalance <= rest.tolerance * scale;
        if imbalance <= ROUNDING * scale {
            return Ok(true);
        }
        let directions = rest.free_directions();
        let columns = rest.stiffness(state, &directions)?;
        let entries = columns.iter().flatten();
        let stiffest = entries.fold(0.0, |most: f64, x| most.max(x.abs()));
        let pull: Vec<f64> = directions
            .iter()
            .map(|n| dot(n, &rest.unbalanced))
            .collect();
        loop {
            if damping > MOST || stiffest == 0.0 {
                rest.evaluate(state)?;
                return Ok(balanced);
            }
            let shares = damped_step(&columns, &pull, damping * stiffest);
            let mut delta = vec![0.0; rest.unbalanced.len()];
            for (direction, share) in directions.iter().zip(&shares) {
                add(&mut delta, *share, direction);
            }
            let reach = rest.reach(state, &delta);
            if reach <= SHORTEST {
                return Ok(balanced || meets(&columns, &shares, &pull));
            }
            if reach > LONGEST {
                for x in &mut delta {
                    *x *= LONGEST / reach;
                }
            }
            trial.clone_from(state);
            let arrived = rest.step(&mut trial, &delta) && rest.evaluate(&trial).is_ok();
            if arrived && rest.imbalance() < imbalance * (1.0 - 1e-3) {
                damping = (0.1 * damping).max(f64::EPSILON);
                break;
            }
            rest.evaluate(state)?;
            if balanced {
                return Ok(true);
            }
            damping *= 10.0;
        }
        std::mem::swap(state, &mut trial);
    }
    Ok(rest.imbalance() <= rest.tolerance * scale)
}

/// Whether a step balances the forces; those along directions without stiffness remain.
fn meets(columns: &[Vec<f64>], shares: &[f64], pull: &[f64]) -> bool {
    let mut left = pull.to_vec();
    for (column, share) in columns.iter().zip(shares) {
        add(&mut left, -share, column);
    }
    dot(&left, &left) <= 0.01 * dot(pull, pull)
}

/// Returns the s that minimises `|K s − pull|² + μ² |s|²`.
fn damped_step(columns: &[Vec<f64>], pull: &[f64], mu: f64) -> Vec<f64> {
    let n = pull.len();
    let mut tall: Vec<Vec<f64>> = columns.to_vec();
    for (k, column) in tall.iter_mut().enumerate() {
        column.resize(2 * n, 0.0);
        column[n + k] = mu;
    }
    let mut right = pull.to_vec();
    right.resize(2 * n, 0.0);
    least_squares(&mut tall, &mut right)
}
