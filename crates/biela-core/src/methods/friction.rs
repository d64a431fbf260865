//! Coulomb friction whose normal force is a joint reaction. The reaction depends on the friction, so both are solved together with the equations of motion.
//!
//! Let `K` be the matrix of the equations of motion, `x = (v̇, λ)` their solution and `x⁰` the solution without friction. Let `b_i` be the generalized force of
//! friction element `i` for a normal force of 1 N, and `ρ_i(λ)` the reaction that is its normal force. The normal forces `s_i = |ρ_i|` follow from
//!
//! ```text
//! x = x⁰ + Σ_j s_j K⁻¹ b_j        s_i = |ρ_i⁰ + Σ_j s_j ρ_ij|
//! ```
//!
//! a small system with one unknown per friction element, where `ρ_ij` is the reaction `i` due to `x = K⁻¹ b_j`. Newton's method solves it with the existing
//! factorisation of `K`. If redundant constraints leave λ undetermined, the λ with the smallest joint loads is selected ([`Sharing`]).

use super::sharing::Sharing;
use super::{MethodError, Solution};
use crate::forces::CoulombFriction;
use crate::math::Vec3;
use crate::math::rotation::{dot, zero3};
use crate::system::{EvaluationContext, Loads, Response, System, Workspace};

/// Buffers for the friction elements of a system.
#[derive(Clone, Debug)]
pub(super) struct Frictions {
    /// Index in the list of forces, and among the work integrals.
    elements: Vec<(usize, usize)>,
    /// Loads for a normal force of 1 N, for each friction element.
    loads: Vec<Loads>,
    scratch: Loads,
    /// Response of v̇ and λ to a normal force of 1 N, for each friction element.
    rates: Vec<Vec<f64>>,
    multipliers: Vec<Vec<f64>>,
    /// ρ_ij.
    coupling: Vec<Vec3<f64>>,
    reaction: Vec<Vec3<f64>>,
    matrix: Vec<f64>,
    change: Vec<f64>,
}

impl Frictions {
    pub(super) fn new(system: &dyn System) -> Self {
        let model = system.model();
        let sizes = system.sizes();
        let mut elements = Vec::new();
        let mut slot = 0;
        for (f, element) in model.forces.iter().enumerate() {
            if element.force.friction().is_some() {
                elements.push((f, slot));
            }
            slot += usize::from(element.force.dissipates());
        }
        let n = elements.len();
        Frictions {
            elements,
            loads: vec![Loads::new(model); n],
            scratch: Loads::new(model),
            rates: vec![vec![0.0; sizes.velocities]; n],
            multipliers: vec![vec![0.0; sizes.rows]; n],
            coupling: vec![zero3(); n * n],
            reaction: vec![zero3(); n],
            matrix: vec![0.0; n * n],
            change: vec![0.0; n],
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// Adds friction to a solution found without it; `solve` replaces (f, γ) by (v̇, λ).
    pub(super) fn apply(
        &mut self,
        system: &dyn System,
        ws: &Workspace,
        mut solve: impl FnMut(&mut [f64], &mut [f64]),
        mut sharing: Option<&mut Sharing>,
        out: &mut Solution,
    ) -> Result<(), MethodError> {
        let context = EvaluationContext {
            model: system.model(),
            kinematics: &ws.kinematics,
        };
        let n = self.elements.len();
        for i in 0..n {
            let Some(friction) = self.friction(&context, i) else {
                continue;
            };
            let row = context.coordinate(friction.joint(), friction.coordinate());
            let factor = friction.factor(&context);
            self.loads[i].clear();
            self.loads[i].add_joint(&context, friction.joint(), &row, factor);
            self.rates[i].fill(0.0);
            self.multipliers[i].fill(0.0);
            system.generalize(&ws.kinematics, &self.loads[i], &mut self.rates[i]);
            solve(&mut self.rates[i], &mut self.multipliers[i]);
        }
        if let Some(sharing) = &mut sharing {
            let here = (system, &ws.kinematics);
            sharing.prepare(system, ws);
            let own = (&ws.loads, out.rates.as_slice());
            sharing.share(here, own, &mut out.multipliers, true);
            for i in 0..n {
                let own = (&self.loads[i], self.rates[i].as_slice());
                sharing.share(here, own, &mut self.multipliers[i], false);
            }
        }
        for i in 0..n {
            let Some(friction) = self.friction(&context, i) else {
                continue;
            };
            let joint = friction.joint();
            let cause = Response {
                loads: &ws.loads,
                rates: &out.rates,
                multipliers: &out.multipliers,
                moving: true,
            };
            self.reaction[i] = system
                .reaction(&ws.kinematics, cause, &mut self.scratch, joint)
                .0;
            for j in 0..n {
                let cause = Response {
                    loads: &self.loads[j],
                    rates: &self.rates[j],
                    multipliers: &self.multipliers[j],
                    moving: false,
                };
                self.coupling[n * i + j] = system
                    .reaction(&ws.kinematics, cause, &mut self.scratch, joint)
                    .0;
            }
            out.normals[i] = CoulombFriction::normal(&self.reaction[i]);
        }
        if !self.newton(&mut out.normals) && !self.iterate(&mut out.normals) {
            let (f, _) = self.elements[0];
            return Err(MethodError::Jammed {
                force: system.model().forces[f].name.clone(),
                time: context.time(),
            });
        }
        for (i, &(_, slot)) in self.elements.iter().enumerate() {
            let s = out.normals[i];
            out.pressing[i] = self.reaction_at(i, &out.normals).into();
            for (x, d) in out.rates.iter_mut().zip(&self.rates[i]) {
                *x += s * d;
            }
            for (x, d) in out.multipliers.iter_mut().zip(&self.multipliers[i]) {
                *x += s * d;
            }
            if let Some(friction) = self.friction(&context, i) {
                let rate = context.coordinate_rate(friction.joint(), friction.coordinate());
                out.power[slot] += s * friction.factor(&context) * rate;
            }
        }
        Ok(())
    }

    fn friction<'a>(
        &self,
        context: &EvaluationContext<'a>,
        i: usize,
    ) -> Option<&'a CoulombFriction> {
        context.model.forces[self.elements[i].0].force.friction()
    }

    /// Returns ρ_i at the normal forces `s`.
    fn reaction_at(&self, i: usize, s: &[f64]) -> Vec3<f64> {
        let n = s.len();
        let mut reaction = self.reaction[i];
        for (j, s) in s.iter().enumerate() {
            reaction += self.coupling[n * i + j] * *s;
        }
        reaction
    }

    fn newton(&mut self, s: &mut [f64]) -> bool {
        let n = s.len();
        for _ in 0..30 {
            for i in 0..n {
                let reaction = self.reaction_at(i, s);
                let direction = CoulombFriction::normal_gradient(&reaction);
                self.change[i] = CoulombFriction::normal(&reaction) - s[i];
                for j in 0..n {
                    let identity = if i == j { 1.0 } else { 0.0 };
                    self.matrix[n * i + j] = identity - dot(&direction, &self.coupling[n * i + j]);
                }
            }
            if !eliminate(&mut self.matrix, &mut self.change) {
                return false;
            }
            let mut settled = true;
            for (s, d) in s.iter_mut().zip(&self.change) {
                *s = (*s + d).max(0.0);
                settled &= s.is_finite() && d.abs() <= 1e-13 * (1.0 + s.abs());
            }
            if settled {
                return true;
            }
        }
        false
    }

    /// Damped fixed-point iteration, used if Newton's method cycles between signs.
    fn iterate(&self, s: &mut [f64]) -> bool {
        for (i, s) in s.iter_mut().enumerate() {
            *s = CoulombFriction::normal(&self.reaction[i]);
        }
        for _ in 0..500 {
            let mut settled = true;
            for i in 0..s.len() {
                let change = CoulombFriction::normal(&self.reaction_at(i, s)) - s[i];
                s[i] += 0.5 * change;
                settled &= s[i].is_finite() && change.abs() <= 1e-12 * (1.0 + s[i].abs());
            }
            if settled {
                return true;
            }
        }
        false
    }
}

/// Gaussian elimination with partial pivoting; the solution replaces the right-hand side. Returns `false` for a singular matrix.
pub(super) fn eliminate(a: &mut [f64], b: &mut [f64]) -> bool {
    let n = b.len();
    for k in 0..n {
        let mut p = k;
        for i in k + 1..n {
            if a[n * i + k].abs() > a[n * p + k].abs() {
                p = i;
            }
        }
        if a[n * p + k].abs() < 1e-14 || !a[n * p + k].is_finite() {
            return false;
        }
        if p != k {
            for j in 0..n {
                a.swap(n * k + j, n * p + j);
            }
            b.swap(k, p);
        }
        for i in k + 1..n {
            let f = a[n * i + k] / a[n * k + k];
            for j in k..n {
                a[n * i + j] -= f * a[n * k + j];
            }
            b[i] -= f * b[k];
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            b[k] -= a[n * k + j] * b[j];
        }
        b[k] /= a[n * k + k];
    }
    true
}
