//! Descent for models with very different stiffnesses, such as stretch and bending of a slender beam. Conjugate gradients would need
//! too many iterations, so each step solves
//!
//! ```text
//! (K + μ W) δ + Gᵀ ν = r        G δ = 0
//! ```
//!
//! with the smallest μ for which every pivot is positive and the work of the forces on δ agrees with the prediction (K. Levenberg, *Quarterly of
//! Applied Mathematics* 2 (1944) 164-168). A large μ gives a short step of descent, a small one a Newton step.
//!
//! Stiff elements amplify rounding errors of coordinates to forces that no step removes: `|K| |ε q|` is accepted as balanced, regardless of the loads.

use super::rest::Rest;
use super::{DOUBTFUL, LONGEST, ROUNDING, SHORTEST};
use crate::math::dense::dot;
use crate::math::{Kkt, RowOrder};
use crate::system::{NotFinite, State, row_groups};

const MAX_STEPS: usize = 2000;
/// μ relative to the largest ratio of diagonal entries of K and W: initially, at least, and at which the search is terminated.
const FIRST: f64 = 1e-6;
const LEAST: f64 = 1e-13;
const MOST: f64 = 1e6;
/// Damping that no longer slows the convergence in soft directions.
const UNDAMPED: f64 = 1e-11;
/// Number of rounding errors between a coordinate and a force: Euler parameters, rotation matrix, relative rotation, its logarithm, strain, stress, both sides.
const ROUNDINGS: f64 = 8.0;
/// Fraction of the unbalanced forces that a step near an equilibrium may leave.
const CLOSER: f64 = 0.9;
/// Unbalanced fraction of all forces below which a followed equilibrium is near.
const NEAR: f64 = 1e-2;

/// Descends from a state, as [`super::descend::descend`] does.
pub(super) fn descend(rest: &mut Rest<'_>, state: &mut State) -> Result<bool, NotFinite> {
    rest.evaluate(state)?;
    let mut step = DampedStep::new(rest);
    let mut trial = state.clone();
    let (mut damping, mut scale, mut before) = (FIRST, 0.0, f64::INFINITY);
    let mut allowed = 0.0;
    for _ in 0..MAX_STEPS {
        let imbalance = rest.imbalance();
        scale = f64::max(scale, rest.force_scale());
        step.take(rest);
        allowed = f64::max(rest.tolerance * scale, step.rounding(rest));
        let balanced = imbalance <= allowed;
        // slow convergence of a damped step is not the rounding error of stiff forces
        let settled = imbalance > 0.5 * before && damping <= UNDAMPED;
        if imbalance <= ROUNDING * scale || (balanced && settled) {
            return Ok(true);
        }
        before = imbalance;
        let near = imbalance <= DOUBTFUL * scale;
        let zone = if rest.following { NEAR } else { DOUBTFUL };
        let any = imbalance <= zone * scale;
        if any {
            damping = damping.min(FIRST);
        }
        loop {
            if damping > MOST {
                rest.evaluate(state)?;
                return Ok(balanced);
            }
            let Some(promised) = step.solve(rest, state, (damping, any)) else {
                damping *= 10.0;
                continue;
            };
            if rest.reach(state, &step.delta) <= SHORTEST {
                return Ok(balanced);
            }
            trial.clone_from(state);
            let arrived = rest.step(&mut trial, &step.delta) && rest.evaluate(&trial).is_ok();
            let work = 0.5 * (dot(&step.force, &step.delta) + dot(&rest.unbalanced, &step.delta));
            let share = work / promised;
            // near an equilibrium the work of stiff forces is lost in rounding; the unbalanced force decides
            let closer = near && rest.imbalance() < CLOSER * imbalance;
            if arrived && (share > 0.1 || closer) {
                if share > 0.75 || closer {
                    damping = (0.1 * damping).max(LEAST);
                } else if share < 0.25 {
                    damping *= 5.0;
                }
                break;
            }
            rest.evaluate(state)?;
            if balanced {
                return Ok(true);
            }
            damping *= 5.0;
        }
        std::mem::swap(state, &mut trial);
    }
    Ok(rest.imbalance() <= allowed)
}

/// One damped step, with buffers.
struct DampedStep {
    kkt: Kkt,
    /// r.
    force: Vec<f64>,
    /// K, and K + μ W, on the pattern of the tangent.
    stiffness: Vec<f64>,
    damped: Vec<f64>,
    /// Diagonal of W, by entry of the pattern.
    weights: Vec<(usize, f64)>,
    /// The largest ratio of stiffness to weight.
    stiffest: f64,
    delta: Vec<f64>,
    bent: Vec<f64>,
    rows: Vec<f64>,
}

impl DampedStep {
    fn new(rest: &Rest<'_>) -> Self {
        let system = rest.system;
        let pattern = system.tangent_pattern();
        let mut diagonal = vec![0; system.sizes().velocities];
        for (k, &(i, j)) in pattern.entries.iter().enumerate() {
            if i == j {
                diagonal[i] = k;
            }
        }
        let zeros = || vec![0.0; rest.unbalanced.len()];
        DampedStep {
            kkt: Kkt::new(
                system.sizes().velocities,
                pattern,
                system.jacobian_pattern(),
                &row_groups(system),
                RowOrder::LeastFill,
            ),
            force: zeros(),
            stiffness: vec![0.0; pattern.entries.len()],
            damped: vec![0.0; pattern.entries.len()],
            weights: rest.weights().map(|(i, w)| (diagonal[i], w)).collect(),
            stiffest: 1.0,
            delta: zeros(),
            bent: zeros(),
            rows: vec![0.0; system.sizes().rows],
        }
    }

    /// Loads r and K at the evaluated state.
    fn take(&mut self, rest: &mut Rest<'_>) {
        self.force.copy_from_slice(&rest.unbalanced);
        let (system, multipliers) = (rest.system, &rest.multipliers);
        // the tangent without stiffness is the mass matrix
        system.tangent(&mut rest.ws, multipliers, 0.0, 0.0, &mut self.damped);
        system.tangent(&mut rest.ws, multipliers, 1.0, 0.0, &mut self.stiffness);
        for (k, mass) in self.stiffness.iter_mut().zip(&self.damped) {
            *k -= mass;
        }
        let by_weight = |(at, weight): &(usize, f64)| self.stiffness[*at].abs() / weight;
        self.stiffest = self.weights.iter().map(by_weight).fold(0.0, f64::max);
    }

    /// Returns the norm of forces due to rounding, in the metric of [`Rest::imbalance`]: each coordinate has an error of some ε of the value that moves a
    /// body by the size of the model or one radian.
    fn rounding(&mut self, rest: &Rest<'_>) -> f64 {
        self.delta.fill(0.0);
        for (i, weight) in rest.weights() {
            self.delta[i] = 1.0 / weight.sqrt();
        }
        self.bent.fill(0.0);
        let entries = &rest.system.tangent_pattern().entries;
        for (&(i, j), k) in entries.iter().zip(&self.stiffness) {
            self.bent[i] += k.abs() * self.delta[j];
            if i != j {
                self.bent[j] += k.abs() * self.delta[i];
            }
        }
        let forces = self.bent.iter().zip(&self.delta);
        let squares = forces.map(|(force, by)| force * by * force * by);
        ROUNDINGS * f64::EPSILON * squares.sum::<f64>().sqrt()
    }

    /// Computes δ for a given damping, no longer than permitted; returns its predicted decrease, `None` if there is none. Near an equilibrium K need not be
    /// definite, provided it is along δ: the damping that makes it definite would slow the convergence to an equilibrium that is unstable in other
    /// directions.
    fn solve(
        &mut self,
        rest: &mut Rest<'_>,
        state: &State,
        (damping, any): (f64, bool),
    ) -> Option<f64> {
        self.damped.copy_from_slice(&self.stiffness);
        for (at, weight) in &self.weights {
            self.damped[*at] += damping * self.stiffest * weight;
        }
        self.kkt.factor(&self.damped, rest.jacobian());
        let definite = self.kkt.is_definite();
        if !(definite || any) {
            return None;
        }
        self.delta.copy_from_slice(&self.force);
        self.rows.fill(0.0);
        let (delta, rows) = (&mut self.delta, &mut self.rows);
        self.kkt.solve(&self.damped, rest.jacobian(), delta, rows);
        let reach = rest.reach(state, &self.delta);
        if reach > LONGEST {
            for x in &mut self.delta {
                *x *= LONGEST / reach;
            }
        }
        self.bent.fill(0.0);
        let pattern = rest.system.tangent_pattern();
        pattern.add_product(&self.stiffness, &self.delta, &mut self.bent);
        let curvature = dot(&self.bent, &self.delta);
        let promised = dot(&self.force, &self.delta) - 0.5 * curvature;
        (promised > 0.0 && (definite || curvature > 0.0)).then_some(promised)
    }
}
