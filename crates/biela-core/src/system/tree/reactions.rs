//! Reactions of the tree joints, by the Newton–Euler equations of their subtrees.

use super::{TreeSystem, links};
use crate::joints::{JointEquations, PoseFunction};
use crate::math::Vec3;
use crate::math::rotation::{apply, apply_transposed, cross, dot, unit, zero3};
use crate::math::spatial::{Twist, Wrench};
use crate::model::{BodyIndex, DriverTarget, JointIndex};
use crate::system::{
    EvaluationContext, JointReaction, Loads, Response, RowOwner, SystemKinematics, Workspace,
    applied, reaction,
};
use crate::tree;

impl TreeSystem {
    /// Computes the acceleration of a link from v̇: the contributions of its path plus the velocity-dependent acceleration.
    fn link_acceleration(
        &self,
        ws: &tree::TreeWorkspace,
        link: usize,
        rates: &[f64],
        moving: bool,
    ) -> Twist {
        let o = ws.links[link].o;
        let mut a = if moving {
            ws.links[link].drift
        } else {
            Twist::zero()
        };
        for l in self.tree.path(link) {
            let r = o - ws.links[l].o;
            for k in self.tree.links[l].velocities() {
                let column = &ws.columns[k];
                a += Twist::new(column.w, column.v + cross(&column.w, &r)) * rates[k];
            }
        }
        a
    }

    /// Computes the acceleration of a body's mass centre and its angular acceleration.
    pub(super) fn accelerate_body(
        &self,
        kinematics: &SystemKinematics,
        rates: &[f64],
        body: usize,
        moving: bool,
    ) -> (Vec3<f64>, Vec3<f64>) {
        let Some(link) = self.tree.places[body].link else {
            return (zero3(), zero3());
        };
        let a = self.link_acceleration(links(kinematics), link, rates, moving);
        self.at_center(kinematics, body, &a, moving)
    }

    /// Computes the acceleration of a body's mass centre and its angular acceleration from those of its link.
    fn at_center(
        &self,
        kinematics: &SystemKinematics,
        body: usize,
        a: &Twist,
        moving: bool,
    ) -> (Vec3<f64>, Vec3<f64>) {
        let Some(link) = self.tree.places[body].link else {
            return (zero3(), zero3());
        };
        let ws = links(kinematics);
        let s = kinematics.bodies[body].r - ws.links[link].o;
        let turning = if moving {
            let w = &ws.links[link].velocity.w;
            cross(w, &cross(w, &s))
        } else {
            zero3()
        };
        (a.v + cross(&a.w, &s) + turning, a.w)
    }

    /// Returns the inertia force of a body minus its loads, at its mass centre.
    fn missing(
        &self,
        kinematics: &SystemKinematics,
        loads: &Loads,
        (a, alpha): (Vec3<f64>, Vec3<f64>),
        body: usize,
        moving: bool,
    ) -> Wrench {
        let mass = &self.model.bodies[body].mass;
        let motion = &kinematics.bodies[body];
        let in_body = |x: &Vec3<f64>| apply(&mass.inertia, &apply_transposed(&motion.R, x));
        let mut n = apply(&motion.R, &in_body(&alpha));
        if moving {
            n += cross(&motion.w, &apply(&motion.R, &in_body(&motion.w)));
        }
        Wrench::new(n - loads.torque[body], a * mass.mass - loads.force[body])
    }

    /// Adds the loads of the rows, `−Gᵀ λ`, on bodies.
    fn add_row_loads(
        &self,
        context: &EvaluationContext<'_>,
        multipliers: &[f64],
        loads: &mut Loads,
    ) {
        let model = &self.model;
        let space = model.space;
        let mut rows = JointEquations::new();
        let mut at = 0;
        while at < self.labels.len() {
            let lambda = multipliers[at];
            match self.labels[at].owner {
                RowOwner::Joint(j) => {
                    let rel = &context.kinematics.joints[j.0].rel;
                    model.joints[j.0].joint.rows(space, rel, &mut rows);
                    for (i, row) in rows.as_slice().iter().enumerate() {
                        loads.add_joint(context, j, row, -multipliers[at + i]);
                    }
                    at += rows.as_slice().len();
                    continue;
                }
                RowOwner::Coupler(c) => {
                    for &(j, k, factor) in &model.couplers[c.0].terms {
                        let row = context.coordinate(j, k).scaled(factor);
                        loads.add_joint(context, j, &row, -lambda);
                    }
                }
                RowOwner::Driver(d) => match model.drivers[d.0].target {
                    DriverTarget::Joint(j, k) => {
                        loads.add_joint(context, j, &context.coordinate(j, k), -lambda);
                    }
                    DriverTarget::Point(m, axis) => {
                        let point = context.marker(m).p;
                        let force = unit(axis) * -lambda;
                        loads.add_force(context, context.body_of(m), &point, &force);
                    }
                },
                // the rows of a system that adds contacts to this one
                RowOwner::Unilateral(..) => {}
            }
            at += 1;
        }
    }

    /// Adds the loads of the armatures, `−a q̈`, on bodies.
    fn add_armature_loads(
        &self,
        context: &EvaluationContext<'_>,
        rates: &[f64],
        moving: bool,
        loads: &mut Loads,
    ) {
        for behind in &self.behind {
            let row = behind.row(context.model, context.kinematics);
            let rate = self.row_acceleration(context.kinematics, rates, moving, behind.joint, &row);
            loads.add_joint(context, behind.joint, &row, -behind.inertia * rate);
        }
    }

    /// Returns φ̈ of a function of the relative pose across a joint, or the part of it that is due to `rates` alone.
    fn row_acceleration(
        &self,
        kinematics: &SystemKinematics,
        rates: &[f64],
        moving: bool,
        joint: JointIndex,
        row: &PoseFunction,
    ) -> f64 {
        if moving {
            let context = EvaluationContext {
                model: &self.model,
                kinematics,
            };
            return reaction::row_acceleration(self, &context, rates, joint, row);
        }
        let motion = &kinematics.joints[joint.0];
        let element = &self.model.joints[joint.0];
        let at = |body: BodyIndex| {
            let Some(b) = body.number() else {
                return Twist::zero();
            };
            let (a, alpha) = self.accelerate_body(kinematics, rates, b, false);
            let s = motion.p_M - kinematics.bodies[b].r;
            Twist::new(alpha, a + cross(&alpha, &s))
        };
        let (first, second) = (at(element.first.0), at(element.second.0));
        dot(
            &row.v,
            &apply_transposed(&motion.R_F, &(second.v - first.v)),
        ) + dot(
            &row.w,
            &apply_transposed(&motion.R_F, &(second.w - first.w)),
        )
    }

    /// Returns the load on a joint with rows: `−Σ λ (Jv, Jw)`.
    fn cut_reaction(
        &self,
        kinematics: &SystemKinematics,
        multipliers: &[f64],
        j: usize,
    ) -> JointReaction {
        let mut rows = JointEquations::new();
        let rel = &kinematics.joints[j].rel;
        let joint = &self.model.joints[j].joint;
        joint.rows(self.model.space, rel, &mut rows);
        let first = reaction::first_row(&self.labels, JointIndex(j));
        let (mut force, mut moment) = (zero3(), zero3());
        for (row, lambda) in rows.as_slice().iter().zip(&multipliers[first..]) {
            force -= row.v * *lambda;
            moment -= row.w * *lambda;
        }
        (force, moment)
    }

    /// See [`System::reaction`].
    pub(super) fn reaction_to(
        &self,
        kinematics: &SystemKinematics,
        cause: Response<'_>,
        scratch: &mut Loads,
        joint: JointIndex,
    ) -> JointReaction {
        if self.cut[joint.0] {
            return self.cut_reaction(kinematics, cause.multipliers, joint.0);
        }
        let context = EvaluationContext {
            model: &self.model,
            kinematics,
        };
        scratch.copy_from(cause.loads);
        self.add_row_loads(&context, cause.multipliers, scratch);
        self.add_armature_loads(&context, cause.rates, cause.moving, scratch);
        let branches = &self.tree.span.branches;
        let Some(first) = branches.iter().position(|b| b.joint == Some(joint)) else {
            return (zero3(), zero3());
        };
        let point = kinematics.joints[joint.0].p_M;
        let mut wrench = Wrench::zero();
        for branch in &branches[first..self.branch_ends[first]] {
            let b = branch.body;
            let a = self.accelerate_body(kinematics, cause.rates, b, cause.moving);
            let need = self.missing(kinematics, scratch, a, b, cause.moving);
            wrench += need.seen_from(&(kinematics.bodies[b].r - point));
        }
        let reversed = branches[first].reversed;
        carried(kinematics, joint.0, &wrench, &point, reversed)
    }

    /// See [`System::settle_with`].
    pub(super) fn settle_all(
        &self,
        ws: &mut Workspace,
        (rates, multipliers, normals): (&[f64], &[f64], &[f64]),
        add: &dyn Fn(&SystemKinematics, &mut Loads),
    ) {
        // NaN forces were reported when the solution was computed
        let _ = applied::apply(
            (&self.model, &self.labels),
            &ws.kinematics,
            &mut ws.loads,
            &mut ws.power,
        );
        add(&ws.kinematics, &mut ws.loads);
        let Workspace {
            kinematics,
            loads,
            reactions,
            ..
        } = ws;
        if let Some(motion) = &mut kinematics.tree {
            tree::accelerations(&self.tree, &mut motion.workspace, rates, &zero3());
        }
        let context = EvaluationContext {
            model: &self.model,
            kinematics,
        };
        let frictions = self.model.forces.iter().filter_map(|f| f.force.friction());
        for (friction, normal) in frictions.zip(normals) {
            let row = context.coordinate(friction.joint(), friction.coordinate());
            let effort = friction.factor(&context) * normal;
            loads.add_joint(&context, friction.joint(), &row, effort);
        }
        self.add_row_loads(&context, multipliers, loads);
        self.add_armature_loads(&context, rates, true, loads);
        // from the tips to the ground; the loads of a body are replaced by the unbalanced force of its subtree
        for branch in self.tree.span.branches.iter().rev() {
            let b = branch.body;
            let link = self.tree.places[b].link;
            let a = link.map_or_else(Twist::zero, |l| links(kinematics).links[l].acceleration);
            let a = self.at_center(kinematics, b, &a, true);
            let need = self.missing(kinematics, loads, a, b, true);
            let at = kinematics.bodies[b].r;
            if let Some(p) = branch.parent.number() {
                let seen = need.seen_from(&(at - kinematics.bodies[p].r));
                loads.force[p] -= seen.f;
                loads.torque[p] -= seen.n;
            }
            if let Some(j) = branch.joint {
                reactions[j.0] = carried(kinematics, j.0, &need, &at, branch.reversed);
            }
        }
        for j in &self.tree.span.cuts {
            reactions[j.0] = self.cut_reaction(kinematics, multipliers, j.0);
        }
    }
}

/// Returns the load on a tree joint whose subtree has the unbalanced force `wrench` at `point`.
fn carried(
    kinematics: &SystemKinematics,
    joint: usize,
    wrench: &Wrench,
    point: &Vec3<f64>,
    reversed: bool,
) -> JointReaction {
    let motion = &kinematics.joints[joint];
    let at = wrench.seen_from(&(point - motion.p_M));
    let sign = if reversed { -1.0 } else { 1.0 };
    (
        apply_transposed(&motion.R_F, &at.f) * sign,
        apply_transposed(&motion.R_F, &at.n) * sign,
    )
}
