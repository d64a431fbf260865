//! The way down: where a system that starts at rest would settle if its motion were slow and damped.
//!
//! Each step minimises the quadratic model of the potential on the free directions within a trusted distance Δ,
//!
//! ```text
//! −rᵀ δ + ½ δᵀ K δ → min        G δ = 0        √(δᵀ W δ) ≤ Δ
//! ```
//!
//! by conjugate gradients (T. Steihaug, *SIAM Journal on Numerical Analysis* 20 (1983) 626-637), kept on the constraints by the
//! factorisation that gave the reactions (N. I. M. Gould, M. E. Hribar, J. Nocedal, *SIAM Journal on Scientific Computing* 23 (2001)
//! 1376-1395). Nothing acts along directions that are free of forces, so they stay still; a direction of negative curvature is
//! followed to the border. A step counts by the work that the forces do on it, `½ (r + r⁺)ᵀ δ`, beside what the model promised: no
//! potential is needed, and nothing cancels near the end. The iterations stop where the rest is smaller than what the model itself leaves out,
//! which is of the order of the step. Models with beams go [another way](super::stiff).

use super::rest::Rest;
use super::stiff;
use super::{LONGEST, ROUNDING, SHORTEST};
use crate::math::dense::{add, dot};
use crate::system::{NotFinite, State};

const MAX_STEPS: usize = 500;
/// The largest share of the forces that the iterations of a step may leave.
const COARSEST: f64 = 0.1;

/// Goes down from a state, which ends at the balance or, when false, where the search was given up. What is found there is
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
        // the largest on the way: where springs end at their free length, no force is left to compare with
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
            // the model belongs to the state that was kept
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
    /// Whether δ ends at the border of the trusted distance.
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

    /// Takes r and K at the evaluated state.
    fn take(&mut self, rest: &mut Rest<'_>) {
        self.force.copy_from_slice(&rest.unbalanced);
        rest.system
            .tangent(&mut rest.ws, &rest.multipliers, 1.0, 0.0, &mut self.tangent);
    }

    /// `K p` and `W p` for the present direction p.
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

    /// δ within the trusted distance; gives the decrease that it promises.
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
            // the border is met where inside + 2 β along + β² length = Δ²
            let room = (trusted * trusted - inside).max(0.0);
            let border = room / (along + (along * along + length * room).sqrt());
            let newton = slope / curvature;
            // a curvature that is no number leaves only the way down
            self.bounded = !(curvature > 0.0 && newton < border);
            let beta = if self.bounded { border } else { newton };
            add(&mut self.step, beta, &self.direction);
            add(&mut self.left, -beta, &self.bent);
            if self.bounded {
                break;
            }
            inside += beta * (2.0 * along + beta * length);
            rest.project(&self.left, &mut self.downhill);
            // what reactions carry is taken out, lest it grow by rounding
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

    /// Takes a share of δ; gives the decrease that is left of what it promised.
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
