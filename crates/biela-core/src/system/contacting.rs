//! A system with unilateral constraints: their rows follow those of another system.
//!
//! The rows of [`Unilateral`]s have fixed places behind the bilateral ones. The mode of each, in [`Inputs`](super::Inputs), determines which of them act: none
//! if it is open, the normal one in slip, all in stick. A run passes that set to the solution method as its active rows, so that methods and integrators treat a
//! closed contact as they treat a joint. Assembly, statics and linear models use the system below.

use std::sync::Arc;

use super::{
    EvaluationContext, JointReaction, Loads, NotFinite, Response, RowLabel, RowOwner, Sizes,
    System, SystemKinematics, SystemSignals, Workspace, applied,
};
use crate::joints::PoseFunction;
use crate::math::{RowPattern, SymmetricPattern, Vec3};
use crate::model::{BeamIndex, JointIndex, Model};
use crate::unilateral::{Mode, NormalLaw, Unilateral, unilaterals};

/// A system with the unilateral constraints of its model.
pub struct ContactSystem {
    base: Arc<dyn System>,
    unilaterals: Vec<Unilateral>,
    /// The first row of each.
    first_rows: Vec<usize>,
    labels: Vec<RowLabel>,
    pattern: RowPattern,
    sizes: Sizes,
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
    /// Adds the unilateral constraints of its model to a system; returns the system itself if there are none, or if it has them already.
    pub fn of(base: Arc<dyn System>) -> Arc<dyn System> {
        let unilaterals = unilaterals(base.model());
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
        let works = base.sizes().works + contact_works(base.model());
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
        })
    }
}

/// Number of work integrals of contacts: the friction of each, then the impacts of all.
fn contact_works(model: &Model) -> usize {
    model.contacts.len() + 1
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
        self.base.forces(ws)
    }

    fn load(&self, ws: &mut Workspace) -> Result<(), NotFinite> {
        self.base.load(ws)
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
            if unilateral.normal == NormalLaw::Gap {
                phi[row] = unilateral.gap(&context, &memory).0;
            }
        }
    }

    fn tangent_pattern(&self) -> &SymmetricPattern {
        self.base.tangent_pattern()
    }

    fn tangent(&self, ws: &mut Workspace, multipliers: &[f64], k: f64, c: f64, out: &mut [f64]) {
        let bilateral = &multipliers[..self.base.rows().len()];
        self.base.tangent(ws, bilateral, k, c, out);
    }

    fn full_tangent(
        &self,
        ws: &mut Workspace,
        multipliers: &[f64],
        factors: (f64, f64),
        out: &mut [f64],
        skew: Option<&mut [f64]>,
    ) {
        let bilateral = &multipliers[..self.base.rows().len()];
        self.base.full_tangent(ws, bilateral, factors, out, skew);
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
            if memory.mode == Mode::Open {
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

    fn settle(&self, ws: &mut Workspace, rates: &[f64], multipliers: &[f64], normals: &[f64]) {
        let mut loads = std::mem::replace(&mut ws.loads, Loads::none());
        self.add_contact_loads(&ws.kinematics, multipliers, &mut loads);
        self.add_slip_loads(&ws.kinematics, &ws.slip, multipliers, &mut loads);
        ws.loads = loads;
        let rows = self.base.rows().len();
        self.base.settle(ws, rates, &multipliers[..rows], normals);
    }

    fn angle_is_coordinate(&self, joint: JointIndex, coordinate: usize) -> bool {
        self.base.angle_is_coordinate(joint, coordinate)
    }

    fn coordinates(&self, kinematics: &SystemKinematics, q: &mut [f64], v: &mut [f64]) {
        self.base.coordinates(kinematics, q, v);
    }
}

impl ContactSystem {
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
