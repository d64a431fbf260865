//! A system with unilateral constraints: their rows follow those of another system.
//!
//! The rows of [`Unilateral`]s have fixed places behind the bilateral ones. The mode of each, in [`Inputs`](super::Inputs), determines which of them act: none
//! if it is open, the normal one in slip, all in stick. A run passes that set to the solution method as its active rows, so that methods and integrators treat a
//! closed contact as they treat a joint. Assembly, statics and linear models use the system below.
//!
//! Compliant contacts keep their rows, which never act: with W their Jacobian, the forces of the system are increased by `Wᵀ F(g, ġ, z, γ_t)`, and its tangent by
//! `Wᵀ (k ∂(−F)/∂g, c ∂(−F)/∂ġ, c ∂(−F)/∂γ_t) W`, the same in both formulations. The change of W itself is omitted there, which affects the convergence of Newton's
//! method alone. The deflections z are integrals of the slip velocity, last in [`State::work`](super::State::work).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{
    EvaluationContext, JointReaction, Loads, NotFinite, Response, RowLabel, RowOwner, Sizes,
    System, SystemKinematics, SystemSignals, Workspace, applied,
};
use crate::analysis::ContactFormulation;
use crate::joints::PoseFunction;
use crate::math::{RowPattern, SymmetricPattern, Vec3};
use crate::model::{BeamIndex, JointIndex, Model};
use crate::unilateral::{
    ContactForce, Mode, NormalLaw, Unilateral, UnilateralOwner, UnilateralRows, unilaterals,
};

/// A system with the unilateral constraints of its model.
pub struct ContactSystem {
    base: Arc<dyn System>,
    unilaterals: Vec<Unilateral>,
    /// The first row of each.
    first_rows: Vec<usize>,
    labels: Vec<RowLabel>,
    pattern: RowPattern,
    sizes: Sizes,
    tangent: ContactTangent,
}

/// The tangent with the entries of compliant contacts behind those of the system below.
struct ContactTangent {
    pattern: SymmetricPattern,
    /// For each unilateral constraint, the index in the list of entries of each pair of its columns, by rows of the lower triangle.
    entries: Vec<Vec<usize>>,
}

impl ContactTangent {
    fn new(base: &dyn System, compliant: impl Iterator<Item = Vec<usize>>) -> Self {
        let mut pattern = base.tangent_pattern().clone();
        let list = pattern.entries.iter().enumerate();
        let mut indices: BTreeMap<(usize, usize), usize> = list
            .map(|(at, &(i, j))| ((i.max(j), i.min(j)), at))
            .collect();
        let mut entries = Vec::new();
        for columns in compliant {
            let mut own = Vec::new();
            for (p, &i) in columns.iter().enumerate() {
                for &j in &columns[..=p] {
                    own.push(*indices.entry((i, j)).or_insert_with(|| {
                        pattern.entries.push((i, j));
                        pattern.entries.len() - 1
                    }));
                }
            }
            entries.push(own);
        }
        ContactTangent { pattern, entries }
    }
}

impl std::fmt::Debug for ContactSystem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = &self.model().name;
        f.debug_struct("ContactSystem")
            .field("model", name)
            .finish_non_exhaustive()
    }
}

impl ContactSystem {
    /// Adds the unilateral constraints of its model to a system, with contacts in a formulation; returns the system itself if there are none, or if it has them
    /// already.
    pub fn of(base: Arc<dyn System>, formulation: ContactFormulation) -> Arc<dyn System> {
        let mut unilaterals = unilaterals(base.model());
        if formulation == ContactFormulation::Compliant {
            for unilateral in &mut unilaterals {
                if let UnilateralOwner::Contact(contact) = unilateral.owner {
                    let law = &base.model().contacts[contact.0].law;
                    unilateral.compliance = Some(law.compliance);
                }
            }
        }
        if unilaterals.is_empty() || base.base().is_some() {
            return base;
        }
        let mut labels = base.rows().to_vec();
        let mut pattern = base.jacobian_pattern().clone();
        let mut first_rows = Vec::with_capacity(unilaterals.len());
        for (i, unilateral) in unilaterals.iter().enumerate() {
            first_rows.push(labels.len());
            let mut columns: Vec<usize> = unilateral
                .joints()
                .into_iter()
                .flat_map(|j| base.relative_columns(j))
                .collect();
            columns.sort_unstable();
            columns.dedup();
            for number in 0..unilateral.num_rows() {
                labels.push(RowLabel {
                    owner: RowOwner::Unilateral(i, unilateral.owner),
                    number,
                    nonholonomic: number > 0 || unilateral.normal != NormalLaw::Gap,
                });
                pattern.push(columns.iter().copied());
            }
        }
        let compliant = unilaterals.iter().filter(|one| one.compliance.is_some());
        let works = num_works(base.model()) + Unilateral::NUM_INTEGRALS * compliant.count();
        let tangent = {
            let compliant = unilaterals.iter().zip(&first_rows);
            let compliant = compliant.filter(|(one, _)| one.compliance.is_some());
            let columns = compliant.map(|(_, row)| pattern.columns[pattern.range(*row)].to_vec());
            ContactTangent::new(base.as_ref(), columns)
        };
        let sizes = Sizes {
            rows: labels.len(),
            works,
            ..base.sizes()
        };
        Arc::new(ContactSystem {
            base,
            unilaterals,
            first_rows,
            labels,
            pattern,
            sizes,
            tangent,
        })
    }
}

/// Number of work integrals of contacts: the friction of each, then the impacts of all.
fn contact_works(model: &Model) -> usize {
    model.contacts.len() + 1
}

/// The number of work integrals; the integrals of compliant contacts follow them.
pub(crate) fn num_works(model: &Model) -> usize {
    first_contact_work(model) + contact_works(model)
}

/// The index of the first work integral of the drivers: forces and beams come before them.
pub(crate) fn first_driver_work(model: &Model) -> usize {
    applied::num_dissipating(model) + model.beams.len()
}

/// The index of the work integral of the friction of the first contact, behind the drivers; that of impacts follows the last one.
pub(crate) fn first_contact_work(model: &Model) -> usize {
    first_driver_work(model) + model.drivers.len()
}

impl System for ContactSystem {
    fn model(&self) -> &Model {
        self.base.model()
    }

    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn rows(&self) -> &[RowLabel] {
        &self.labels
    }

    fn signals(&self) -> &SystemSignals {
        self.base.signals()
    }

    fn base(&self) -> Option<&Arc<dyn System>> {
        Some(&self.base)
    }

    fn unilaterals(&self) -> &[Unilateral] {
        &self.unilaterals
    }

    fn unilateral_row(&self, unilateral: usize) -> usize {
        self.first_rows[unilateral]
    }

    fn mass_pattern(&self) -> &SymmetricPattern {
        self.base.mass_pattern()
    }

    fn jacobian_pattern(&self) -> &RowPattern {
        &self.pattern
    }

    fn armature_buffer(&self) -> usize {
        self.base.armature_buffer()
    }

    fn update(&self, time: f64, q: &[f64], v: &[f64], turns: &[f64], out: &mut SystemKinematics) {
        self.base.update(time, q, v, turns, out);
    }

    fn coordinates_count_turns(&self) -> bool {
        self.base.coordinates_count_turns()
    }

    fn position_rates(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        self.base.position_rates(q, v, out);
    }

    fn velocities(&self, q: &[f64], rates: &[f64], out: &mut [f64]) {
        self.base.velocities(q, rates, out);
    }

    fn implicit_positions(&self, known: &[f64], v: &[f64], c: f64, q: &mut [f64]) {
        self.base.implicit_positions(known, v, c, q);
    }

    fn weigh_displacements(&self, weights: &mut [f64]) {
        self.base.weigh_displacements(weights);
    }

    fn retract(&self, q: &mut [f64], delta: &[f64]) {
        self.base.retract(q, delta);
    }

    fn normalize(&self, q: &mut [f64]) {
        self.base.normalize(q);
    }

    fn mass(&self, ws: &mut Workspace) {
        self.base.mass(ws);
    }

    fn forces(&self, ws: &mut Workspace) -> Result<(), NotFinite> {
        self.base.forces(ws)?;
        if self.press(ws) {
            self.base
                .generalize(&ws.kinematics, &ws.rubbing, &mut ws.force);
        }
        Ok(())
    }

    fn load(&self, ws: &mut Workspace) -> Result<(), NotFinite> {
        self.base.load(ws)?;
        let _ = self.press(ws);
        Ok(())
    }

    fn constraints(&self, ws: &mut Workspace) {
        self.base.constraints(ws);
        let first = self.base.rows().len();
        let entries = self.pattern.range(first).start;
        ws.jacobian[entries..].fill(0.0);
        for values in [&mut ws.phi, &mut ws.rate, &mut ws.drift, &mut ws.gamma] {
            values[first..].fill(0.0);
        }
        let Workspace {
            kinematics,
            jacobian,
            phi,
            scale,
            rate,
            gamma,
            slip,
            ..
        } = ws;
        let context = EvaluationContext {
            model: self.model(),
            kinematics,
        };
        for (i, unilateral) in self.unilaterals.iter().enumerate() {
            let memory = kinematics.inputs.contact(i);
            let row = self.first_rows[i];
            slip[i] = [0.0; 2];
            if memory.mode == Mode::Open {
                continue;
            }
            let has_normal = unilateral.has_normal();
            unilateral.visit(&context, &memory, &mut |k, joint, function| {
                let at = row + k;
                let motion = &kinematics.joints[joint.0];
                gamma[at] += self.base.relative_row(
                    kinematics,
                    (&self.pattern, jacobian),
                    at,
                    joint,
                    function,
                );
                let speed = function.rate(&motion.rel);
                if let Some(t) = k.checked_sub(unilateral.first_tangent()) {
                    slip[i][t] += speed;
                }
                // a slip velocity is no residual
                if (has_normal && k == 0) || memory.mode == Mode::Stick {
                    rate[at] += speed;
                }
                scale[at] = motion.p_F.amax() + motion.p_M.amax();
            });
            // the depth of a compliant contact is no residual
            if unilateral.normal == NormalLaw::Gap && unilateral.compliance.is_none() {
                phi[row] = unilateral.gap(&context, &memory).0;
            }
        }
    }

    fn tangent_pattern(&self) -> &SymmetricPattern {
        &self.tangent.pattern
    }

    fn tangent(&self, ws: &mut Workspace, multipliers: &[f64], k: f64, c: f64, out: &mut [f64]) {
        self.full_tangent(ws, multipliers, (k, c), out, None);
    }

    fn full_tangent(
        &self,
        ws: &mut Workspace,
        multipliers: &[f64],
        factors: (f64, f64),
        out: &mut [f64],
        mut skew: Option<&mut [f64]>,
    ) {
        let bilateral = &multipliers[..self.base.rows().len()];
        let (own, contacts) = out.split_at_mut(self.base.tangent_pattern().entries.len());
        contacts.fill(0.0);
        let own_skew = skew.as_deref_mut().map(|skew| {
            let (own, contacts) = skew.split_at_mut(own.len());
            contacts.fill(0.0);
            own
        });
        self.base
            .full_tangent(ws, bilateral, factors, own, own_skew);
        self.add_contact_tangent(ws, factors, out, skew);
    }

    fn has_analytic_tangent(&self) -> bool {
        self.base.has_analytic_tangent()
    }

    fn generalize(&self, kinematics: &SystemKinematics, loads: &Loads, out: &mut [f64]) {
        self.base.generalize(kinematics, loads, out);
    }

    fn body_columns(&self, body: usize) -> Vec<usize> {
        self.base.body_columns(body)
    }

    fn beam_columns(&self, beam: BeamIndex) -> std::ops::Range<usize> {
        self.base.beam_columns(beam)
    }

    fn relative_columns(&self, joint: JointIndex) -> Vec<usize> {
        self.base.relative_columns(joint)
    }

    fn relative_row(
        &self,
        kinematics: &SystemKinematics,
        row: (&RowPattern, &mut [f64]),
        at: usize,
        joint: JointIndex,
        function: &PoseFunction,
    ) -> f64 {
        self.base.relative_row(kinematics, row, at, joint, function)
    }

    fn body_acceleration(
        &self,
        kinematics: &SystemKinematics,
        rates: &[f64],
        body: usize,
    ) -> (Vec3<f64>, Vec3<f64>) {
        self.base.body_acceleration(kinematics, rates, body)
    }

    fn report_contacts(&self, ws: &Workspace, multipliers: &mut [f64]) {
        for (i, unilateral) in self.unilaterals.iter().enumerate() {
            if unilateral.compliance.is_some() {
                let rows = &mut multipliers[self.first_rows[i]..][..unilateral.num_rows()];
                for (lambda, force) in rows.iter_mut().zip(ws.pressed[i]) {
                    *lambda = -force;
                }
            }
        }
    }

    fn add_contact_loads(
        &self,
        kinematics: &SystemKinematics,
        multipliers: &[f64],
        loads: &mut Loads,
    ) {
        let context = EvaluationContext {
            model: self.model(),
            kinematics,
        };
        for (i, unilateral) in self.unilaterals.iter().enumerate() {
            let memory = kinematics.inputs.contact(i);
            if memory.mode == Mode::Open || unilateral.compliance.is_some() {
                continue;
            }
            let row = self.first_rows[i];
            unilateral.visit(&context, &memory, &mut |k, joint, function| {
                let lambda = multipliers[row + k];
                if lambda != 0.0 {
                    loads.add_joint(&context, joint, function, -lambda);
                }
            });
        }
    }

    /// The loads must contain those of the contacts, see [`System::add_contact_loads`].
    fn reaction(
        &self,
        kinematics: &SystemKinematics,
        cause: Response<'_>,
        scratch: &mut Loads,
        joint: JointIndex,
    ) -> JointReaction {
        let cause = Response {
            multipliers: &cause.multipliers[..self.base.rows().len()],
            ..cause
        };
        self.base.reaction(kinematics, cause, scratch, joint)
    }

    fn settle_with(
        &self,
        ws: &mut Workspace,
        (rates, multipliers, normals): (&[f64], &[f64], &[f64]),
        add: &dyn Fn(&SystemKinematics, &mut Loads),
    ) {
        let slip = std::mem::take(&mut ws.slip);
        let own = |kinematics: &SystemKinematics, loads: &mut Loads| {
            add(kinematics, loads);
            self.add_contact_loads(kinematics, multipliers, loads);
            self.add_slip_loads(kinematics, &slip, multipliers, loads);
            self.add_compliant_loads(kinematics, loads);
        };
        let bilateral = &multipliers[..self.base.rows().len()];
        self.base.settle_with(ws, (rates, bilateral, normals), &own);
        ws.slip = slip;
    }

    fn angle_is_coordinate(&self, joint: JointIndex, coordinate: usize) -> bool {
        self.base.angle_is_coordinate(joint, coordinate)
    }

    fn coordinates(&self, kinematics: &SystemKinematics, q: &mut [f64], v: &mut [f64]) {
        self.base.coordinates(kinematics, q, v);
    }
}

impl ContactSystem {
    /// Visits the compliant contacts that are closed: index, joint, rows and force.
    fn visit_compliant(
        &self,
        kinematics: &SystemKinematics,
        mut visit: impl FnMut(usize, JointIndex, &UnilateralRows, &ContactForce),
    ) {
        let context = EvaluationContext {
            model: self.model(),
            kinematics,
        };
        for (i, unilateral) in self.unilaterals.iter().enumerate() {
            if let Some((joint, rows, force)) = unilateral.respond(&context, i) {
                visit(i, joint, &rows, &force);
            }
        }
    }

    /// Adds the loads of compliant contacts.
    fn add_compliant_loads(&self, kinematics: &SystemKinematics, loads: &mut Loads) {
        let context = EvaluationContext {
            model: self.model(),
            kinematics,
        };
        self.visit_compliant(kinematics, |_, joint, rows, force| {
            let [normal, tangential @ ..] = force.force;
            loads.add_joint(&context, joint, &rows.normal, normal);
            for (row, force) in rows.tangents.iter().zip(tangential) {
                if force != 0.0 {
                    loads.add_joint(&context, joint, row, force);
                }
            }
        });
    }

    /// Adds the loads of compliant contacts to all loads, and leaves them alone in `rubbing`; computes their powers and the rates of their integrals. Returns
    /// whether there are any.
    fn press(&self, ws: &mut Workspace) -> bool {
        if !ws.kinematics.inputs.complies() {
            return false;
        }
        let Workspace {
            kinematics,
            loads,
            rubbing,
            power,
            pressed,
            ..
        } = ws;
        rubbing.clear();
        self.add_compliant_loads(kinematics, rubbing);
        pressed.fill([0.0; 3]);
        let first = first_contact_work(self.model());
        let integrals = kinematics.inputs.own_integrals(power.len());
        power[first..].fill(0.0);
        let mut any = false;
        self.visit_compliant(kinematics, |i, _, _, force| {
            any = true;
            pressed[i] = force.force;
            if let UnilateralOwner::Contact(contact) = self.unilaterals[i].owner {
                power[first + contact.0] += force.power;
            }
            let at = integrals.start + Unilateral::NUM_INTEGRALS * i;
            power[at..at + Unilateral::NUM_INTEGRALS].copy_from_slice(&force.rates);
        });
        if any {
            loads.add(rubbing);
        }
        any
    }

    /// Adds the tangent of compliant contacts, with the Jacobian of their rows in `ws`.
    fn add_contact_tangent(
        &self,
        ws: &Workspace,
        (k, c): (f64, f64),
        out: &mut [f64],
        mut skew: Option<&mut [f64]>,
    ) {
        self.visit_compliant(&ws.kinematics, |i, _, _, force| {
            let count = self.unilaterals[i].num_rows();
            let mut change = [[0.0; 3]; 3];
            for a in 0..count {
                change[a][0] = -k * force.by_gap[a] - c * force.by_gap_rate[a];
                for b in 1..count {
                    if a > 0 {
                        change[a][b] = -c * force.by_slip[a - 1][b - 1];
                    }
                }
            }
            let row = |a: usize| &ws.jacobian[self.pattern.range(self.first_rows[i] + a)];
            let width = row(0).len();
            let mut entries = self.tangent.entries[i].iter();
            for p in 0..width {
                for (q, &entry) in (0..=p).zip(&mut entries) {
                    let (mut value, mut mirrored) = (0.0, 0.0);
                    for (a, changes) in change[..count].iter().enumerate() {
                        for (b, x) in changes[..count].iter().enumerate() {
                            value += row(a)[p] * x * row(b)[q];
                            mirrored += row(a)[q] * x * row(b)[p];
                        }
                    }
                    out[entry] += 0.5 * (value + mirrored);
                    if let Some(skew) = &mut skew {
                        skew[entry] += 0.5 * (value - mirrored);
                    }
                }
            }
        });
    }

    /// Adds the loads of the friction of slipping contacts.
    fn add_slip_loads(
        &self,
        kinematics: &SystemKinematics,
        slip: &[[f64; 2]],
        multipliers: &[f64],
        loads: &mut Loads,
    ) {
        let context = EvaluationContext {
            model: self.model(),
            kinematics,
        };
        for (i, unilateral) in self.unilaterals.iter().enumerate() {
            let memory = kinematics.inputs.contact(i);
            let Some(factors) = unilateral.slip_factors(&memory, slip[i]) else {
                continue;
            };
            let normal = -multipliers[self.first_rows[unilateral.pressed_by(i)]];
            unilateral.visit(&context, &memory, &mut |k, joint, function| {
                if let Some(t) = k.checked_sub(unilateral.first_tangent()) {
                    loads.add_joint(&context, joint, function, factors[t] * normal);
                }
            });
        }
    }
}
