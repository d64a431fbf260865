//! Descent: finds where a system that starts at rest would settle in a slow, damped motion.
//!
//! Each step minimises the quadratic model of the potential on the free directions within a trust region of radius Δ,
//!
//! ```text
//! −rᵀ δ + ½ δᵀ K δ → min        G δ = 0        √(δᵀ W δ) ≤ Δ
//! ```
//!
//! by conjugate gradients (T. Steihaug, *SIAM Journal on Numerical Analysis* 20 (1983) 626-637), projected to the constraints by the
//! factorisation that computed the reactions (N. I. M. Gould, M. E. Hribar, J. Nocedal, *SIAM Journal on Scientific Computing* 23 (2001)
//! 1376-1395). Directions without forces remain unchanged; a direction of negative curvature is
//! followed to the boundary. A step is accepted by the work of the forces, `½ (r + r⁺)ᵀ δ`, relative to the predicted decrease: no
//! potential is needed, and there is no cancellation near the end. The iterations stop when the residual is smaller than the error of the quadratic model,
//! which is of the order of the step. Models with beams use [another method](super::stiff).

use super::rest::Rest;
use super::stiff;
use super::{LONGEST, ROUNDING, SHORTEST};
use crate::math::dense::{add, dot};
use crate::system::{NotFinite, State};

const MAX_STEPS: usize = 500;
/// Largest fraction of the forces that the iterations of a step may leave.
const COARSEST: f64 = 0.1;

/// Descends from a state to an equilibrium; returns `false` if the search was terminated. The final state is
/// evaluated in `rest`.
pub(super) fn descend(rest: &mut Rest<'_>, state: &mut State) -> Result<bool, NotFinite> {
    let model = rest.system.model();
    if !(model.beams.is_empty() && model.exact_beams.is_empty()) {
        return stiff::descend(rest, state);
    }
    rest.evaluate(state)?;
    let mut model = QuadraticModel::new(rest);
    let mut trial = state.clone();
    let mut before = f64::INFINITY;
    let mut distance = None;
    let mut scale = 0.0;
    for _ in 0..MAX_STEPS {
        let imbalance = rest.imbalance();
        // the maximum so far: if springs end at their free length, no force is left as a reference
        scale = f64::max(scale, rest.force_scale());
        let balanced = imbalance <= rest.tolerance * scale;
        if imbalance <= ROUNDING * scale || (balanced && imbalance > 0.5 * before) {
            return Ok(true);
        }
        before = imbalance;
        model.take(rest);
        let mut trusted = match distance {
            Some(known) => known,
            None => LONGEST * imbalance / rest.reach_of_rates(state),
        };
        loop {
            let mut promised = model.minimize(rest, state, trusted);
            let reach = rest.reach(state, &model.step);
            if reach <= SHORTEST {
                return Ok(balanced || !model.bounded);
            }
            if reach > LONGEST {
                promised = model.shorten(LONGEST / reach);
            }
            let length = model.length(rest);
            trial.clone_from(state);
            let arrived = rest.step(&mut trial, &model.step) && rest.evaluate(&trial).is_ok();
            let work = 0.5 * (dot(&model.force, &model.step) + dot(&rest.unbalanced, &model.step));
            let share = work / promised;
            let share = if arrived && share.is_finite() {
                share
            } else {
                -1.0
            };
            if share < 0.25 {
                trusted = 0.25 * length;
            } else if share > 0.75 {
                trusted = trusted.max(2.0 * length);
            }
            if share > 0.1 {
                break;
            }
            // the model belongs to the retained state
            rest.evaluate(state)?;
            if balanced {
                return Ok(true);
            }
        }
        std::mem::swap(state, &mut trial);
        distance = Some(trusted);
    }
    Ok(rest.imbalance() <= rest.tolerance * scale)
}

/// `−rᵀ δ + ½ δᵀ K δ` on the free directions.
struct QuadraticModel {
    /// r.
    force: Vec<f64>,
    /// `M + K`.
    tangent: Vec<f64>,
    /// δ, and `r − K δ` there.
    step: Vec<f64>,
    left: Vec<f64>,
    direction: Vec<f64>,
    bent: Vec<f64>,
    heavy: Vec<f64>,
    downhill: Vec<f64>,
    /// Whether δ ends at the boundary of the trust region.
    bounded: bool,
}

impl QuadraticModel {
    fn new(rest: &Rest<'_>) -> Self {
        let zeros = || vec![0.0; rest.unbalanced.len()];
        QuadraticModel {
            force: zeros(),
            tangent: vec![0.0; rest.system.tangent_pattern().entries.len()],
            step: zeros(),
            left: zeros(),
            direction: zeros(),
            bent: zeros(),
            heavy: zeros(),
            downhill: zeros(),
            bounded: false,
        }
    }

    /// Loads r and K at the evaluated state.
    fn take(&mut self, rest: &mut Rest<'_>) {
        self.force.copy_from_slice(&rest.unbalanced);
        rest.system
            .tangent(&mut rest.ws, &rest.multipliers, 1.0, 0.0, &mut self.tangent);
    }

    /// Computes `K p` and `W p` for the current direction p.
    fn bend(&mut self, rest: &Rest<'_>) {
        self.heavy.fill(0.0);
        let mass = rest.system.mass_pattern();
        mass.add_product(&rest.ws.mass, &self.direction, &mut self.heavy);
        for (bent, heavy) in self.bent.iter_mut().zip(&self.heavy) {
            *bent = -heavy;
        }
        rest.weigh(&self.direction, &mut self.heavy);
        let tangent = rest.system.tangent_pattern();
        tangent.add_product(&self.tangent, &self.direction, &mut self.bent);
    }

    /// Computes δ within the trust region; returns its predicted decrease.
    fn minimize(&mut self, rest: &mut Rest<'_>, state: &State, trusted: f64) -> f64 {
        self.step.fill(0.0);
        self.bounded = false;
        self.left.copy_from_slice(&self.force);
        rest.project(&self.left, &mut self.downhill);
        self.direction.copy_from_slice(&self.downhill);
        let start = dot(&self.left, &self.downhill);
        let mut slope = start;
        let mut inside = 0.0;
        for _ in 0..4 * rest.freedom() + 50 {
            if slope <= 0.0 {
                break;
            }
            self.bend(rest);
            let curvature = dot(&self.direction, &self.bent);
            let length = dot(&self.direction, &self.heavy);
            let along = dot(&self.step, &self.heavy);
            // the boundary is reached where inside + 2 β along + β² length = Δ²
            let room = (trusted * trusted - inside).max(0.0);
            let border = room / (along + (along * along + length * room).sqrt());
            let newton = slope / curvature;
            // if the curvature is NaN, follow the direction of descent
            self.bounded = !(curvature > 0.0 && newton < border);
            let beta = if self.bounded { border } else { newton };
            add(&mut self.step, beta, &self.direction);
            add(&mut self.left, -beta, &self.bent);
            if self.bounded {
                break;
            }
            inside += beta * (2.0 * along + beta * length);
            rest.project(&self.left, &mut self.downhill);
            // the part carried by reactions is removed, so that it does not grow by rounding
            rest.weigh(&self.downhill, &mut self.left);
            let next = dot(&self.left, &self.downhill);
            let tolerance = rest.reach(state, &self.step).min(COARSEST);
            if next <= tolerance * tolerance * start {
                break;
            }
            let turn = next / slope;
            for (p, z) in self.direction.iter_mut().zip(&self.downhill) {
                *p = z + turn * *p;
            }
            slope = next;
        }
        self.shorten(1.0)
    }

    /// Multiplies δ by a fraction; returns its predicted decrease.
    fn shorten(&mut self, share: f64) -> f64 {
        // δᵀ K δ = δᵀ (r − left)
        let (pull, left) = (dot(&self.force, &self.step), dot(&self.left, &self.step));
        for (x, (left, force)) in self
            .step
            .iter_mut()
            .zip(self.left.iter_mut().zip(&self.force))
        {
            *x *= share;
            *left = force + share * (*left - force);
        }
        share * pull - 0.5 * share * share * (pull - left)
    }

    /// `√(δᵀ W δ)`.
    fn length(&self, rest: &Rest<'_>) -> f64 {
        let pattern = rest.system.mass_pattern();
        pattern.quadratic(&rest.metric, &self.step).max(0.0).sqrt()
    }
}
