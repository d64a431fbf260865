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
//! factorisation of `K`. A slipping contact is such an element, whose normal force is the multiplier of its normal row: `s_i = −λ_i`. If redundant constraints leave λ undetermined, the λ with the smallest joint loads is selected ([`Sharing`]).

use super::sharing::Sharing;
use super::{MethodError, Solution};
use crate::forces::CoulombFriction;
use crate::math::Vec3;
use crate::math::rotation::{dot, zero3};
use crate::system::{EvaluationContext, Loads, Response, System, Workspace, first_contact_work};
use crate::unilateral::UnilateralOwner;

/// Where the normal force of a friction element comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// The reaction of a joint: index in the list of forces, and among the work integrals.
    Joint(usize, usize),
    /// A contact, or rolling or spinning resistance at one: index among the unilateral constraints, the normal row, and its work integral.
    Contact(usize, usize, usize),
}

/// Buffers for the friction elements of a system.
#[derive(Clone, Debug)]
pub(super) struct Frictions {
    elements: Vec<Source>,
    /// The number of frictions in joints, which come first.
    joints: usize,
    /// Loads for a normal force of 1 N, for each friction element, with those of the contacts that it causes.
    loads: Vec<Loads>,
    /// Loads of the motion without friction, with those of contacts.
    total: Loads,
    scratch: Loads,
    /// Response of v̇ and λ to a normal force of 1 N, for each friction element.
    rates: Vec<Vec<f64>>,
    multipliers: Vec<Vec<f64>>,
    /// ρ_ij.
    coupling: Vec<Vec3<f64>>,
    reaction: Vec<Vec3<f64>>,
    matrix: Vec<f64>,
    change: Vec<f64>,
    normals: Vec<f64>,
}

impl Frictions {
    pub(super) fn new(system: &dyn System) -> Self {
        let model = system.model();
        let sizes = system.sizes();
        let mut elements = Vec::new();
        let mut slot = 0;
        for (f, element) in model.forces.iter().enumerate() {
            if element.force.friction().is_some() {
                elements.push(Source::Joint(f, slot));
            }
            slot += usize::from(element.force.dissipates());
        }
        let joints = elements.len();
        for (i, unilateral) in system.unilaterals().iter().enumerate() {
            let rubs = unilateral.rubs() && unilateral.compliance.is_none();
            if let (UnilateralOwner::Contact(contact), true) = (unilateral.owner, rubs) {
                let slot = first_contact_work(model) + contact.0;
                let normal = system.unilateral_row(unilateral.pressed_by(i));
                elements.push(Source::Contact(i, normal, slot));
            }
        }
        let n = elements.len();
        Frictions {
            elements,
            joints,
            total: Loads::new(model),
            loads: vec![Loads::new(model); n],
            scratch: Loads::new(model),
            rates: vec![vec![0.0; sizes.velocities]; n],
            multipliers: vec![vec![0.0; sizes.rows]; n],
            coupling: vec![zero3(); n * n],
            reaction: vec![zero3(); n],
            matrix: vec![0.0; n * n],
            change: vec![0.0; n],
            normals: vec![0.0; n],
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
            self.loads[i].clear();
            self.rates[i].fill(0.0);
            self.multipliers[i].fill(0.0);
            if !self.load(system, ws, &context, i) {
                continue;
            }
            solve(&mut self.rates[i], &mut self.multipliers[i]);
            let (loads, multipliers) = (&mut self.loads[i], &self.multipliers[i]);
            system.add_contact_loads(&ws.kinematics, multipliers, loads);
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
        self.total.copy_from(&ws.loads);
        system.add_contact_loads(&ws.kinematics, &out.multipliers, &mut self.total);
        for i in 0..n {
            self.reaction[i] = self.reaction_due(system, ws, i, None, out);
            for j in 0..n {
                self.coupling[n * i + j] = self.reaction_due(system, ws, i, Some(j), out);
            }
        }
        let mut normals = std::mem::take(&mut self.normals);
        for (i, normal) in normals.iter_mut().enumerate() {
            *normal = self.normal(i, &self.reaction[i]);
        }
        let solved = self.newton(&mut normals) || self.iterate(&mut normals);
        self.normals = normals;
        if !solved {
            return Err(MethodError::Jammed {
                force: self.name(system, 0),
                time: context.time(),
            });
        }
        self.add_to(system, ws, out);
        Ok(())
    }

    /// Adds the generalized force of element `i` for a normal force of 1 N to `rates` and `loads`; returns whether it acts.
    fn load(
        &mut self,
        system: &dyn System,
        ws: &Workspace,
        context: &EvaluationContext<'_>,
        i: usize,
    ) -> bool {
        match self.elements[i] {
            Source::Joint(f, _) => {
                let Some(friction) = context.model.forces[f].force.friction() else {
                    return false;
                };
                let row = context.coordinate(friction.joint(), friction.coordinate());
                let factor = friction.factor(context);
                self.loads[i].add_joint(context, friction.joint(), &row, factor);
                system.generalize(&ws.kinematics, &self.loads[i], &mut self.rates[i]);
                factor != 0.0
            }
            Source::Contact(unilateral, ..) => {
                let memory = ws.kinematics.inputs.contact(unilateral);
                let element = &system.unilaterals()[unilateral];
                let Some(factors) = element.slip_factors(&memory, ws.slip[unilateral]) else {
                    return false;
                };
                let pattern = system.jacobian_pattern();
                let first = element.first_tangent();
                let row = system.unilateral_row(unilateral) + first;
                for (k, factor) in factors.iter().enumerate().take(element.tangents) {
                    pattern.add_row(row + k, &ws.jacobian, *factor, &mut self.rates[i]);
                }
                element.visit(context, &memory, &mut |k, joint, function| {
                    if let Some(t) = k.checked_sub(first) {
                        self.loads[i].add_joint(context, joint, function, factors[t]);
                    }
                });
                true
            }
        }
    }

    /// Returns ρ_i of the motion without friction, or due to element `j`. The reaction of a contact is its normal force, in the first component.
    fn reaction_due(
        &mut self,
        system: &dyn System,
        ws: &Workspace,
        i: usize,
        due_to: Option<usize>,
        out: &Solution,
    ) -> Vec3<f64> {
        let (loads, rates, multipliers) = match due_to {
            None => (&self.total, &out.rates, &out.multipliers),
            Some(j) => (&self.loads[j], &self.rates[j], &self.multipliers[j]),
        };
        match self.elements[i] {
            Source::Contact(_, row, _) => Vec3::new(-multipliers[row], 0.0, 0.0),
            Source::Joint(f, _) => {
                let Some(friction) = system.model().forces[f].force.friction() else {
                    return zero3();
                };
                let moving = due_to.is_none();
                let cause = Response {
                    loads,
                    rates,
                    multipliers,
                    moving,
                };
                let joint = friction.joint();
                system
                    .reaction(&ws.kinematics, cause, &mut self.scratch, joint)
                    .0
            }
        }
    }

    /// Adds the response to the friction, at the normal forces, to a solution without it.
    fn add_to(&self, system: &dyn System, ws: &Workspace, out: &mut Solution) {
        let context = &EvaluationContext {
            model: system.model(),
            kinematics: &ws.kinematics,
        };
        for (i, source) in self.elements.iter().enumerate() {
            let s = self.normals[i];
            for (x, d) in out.rates.iter_mut().zip(&self.rates[i]) {
                *x += s * d;
            }
            for (x, d) in out.multipliers.iter_mut().zip(&self.multipliers[i]) {
                *x += s * d;
            }
            match *source {
                Source::Joint(f, slot) => {
                    out.normals[i] = s;
                    out.pressing[i] = self.reaction_at(i, &self.normals).into();
                    if let Some(friction) = context.model.forces[f].force.friction() {
                        let rate = context.coordinate_rate(friction.joint(), friction.coordinate());
                        out.power[slot] += s * friction.factor(context) * rate;
                    }
                }
                Source::Contact(unilateral, _, slot) => {
                    let memory = ws.kinematics.inputs.contact(unilateral);
                    let (slip, element) = (ws.slip[unilateral], &system.unilaterals()[unilateral]);
                    if let Some(factors) = element.slip_factors(&memory, slip) {
                        out.power[slot] += s * (factors[0] * slip[0] + factors[1] * slip[1]);
                    }
                }
            }
        }
    }

    /// The normal force for a reaction: its magnitude for a joint, signed for a contact, which opens at the next event if it is negative.
    fn normal(&self, i: usize, reaction: &Vec3<f64>) -> f64 {
        match self.elements[i] {
            Source::Joint(..) => CoulombFriction::normal(reaction),
            Source::Contact(..) => reaction[0],
        }
    }

    fn normal_gradient(&self, i: usize, reaction: &Vec3<f64>) -> Vec3<f64> {
        match self.elements[i] {
            Source::Joint(..) => CoulombFriction::normal_gradient(reaction),
            Source::Contact(..) => Vec3::new(1.0, 0.0, 0.0),
        }
    }

    fn name(&self, system: &dyn System, i: usize) -> String {
        match self.elements[i] {
            Source::Joint(f, _) => system.model().forces[f].name.clone(),
            Source::Contact(unilateral, ..) => system.unilaterals()[unilateral]
                .owner
                .name(system.model())
                .to_owned(),
        }
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
                let direction = self.normal_gradient(i, &reaction);
                self.change[i] = self.normal(i, &reaction) - s[i];
                for j in 0..n {
                    let identity = if i == j { 1.0 } else { 0.0 };
                    self.matrix[n * i + j] = identity - dot(&direction, &self.coupling[n * i + j]);
                }
            }
            if !eliminate(&mut self.matrix, &mut self.change) {
                return false;
            }
            let mut settled = true;
            for (k, (s, d)) in s.iter_mut().zip(&self.change).enumerate() {
                // friction in a joint has no negative normal force
                *s = if k < self.joints {
                    (*s + d).max(0.0)
                } else {
                    *s + d
                };
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
            *s = self.normal(i, &self.reaction[i]);
        }
        for _ in 0..500 {
            let mut settled = true;
            for i in 0..s.len() {
                let change = self.normal(i, &self.reaction_at(i, s)) - s[i];
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
pub(crate) fn eliminate(a: &mut [f64], b: &mut [f64]) -> bool {
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
