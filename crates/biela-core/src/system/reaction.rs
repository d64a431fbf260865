//! Joint reactions, and accelerations of joint coordinates.

use super::{EvaluationContext, JointReaction, Loads, RowLabel, RowOwner, System};
use crate::joints::{JointEquations, PoseFunction};
use crate::math::rotation::{apply, apply_transposed, cross, dot, zero3};
use crate::model::{BodyIndex, JointIndex};

/// Loads on bodies, and the resulting accelerations and multipliers.
#[derive(Clone, Copy, Debug)]
pub struct Response<'a> {
    /// Loads on bodies.
    pub loads: &'a Loads,
    /// v̇.
    pub rates: &'a [f64],
    /// λ.
    pub multipliers: &'a [f64],
    /// Whether the velocity-dependent terms are included; otherwise the response to the loads alone.
    pub moving: bool,
}

/// Returns the load on a joint from its rows: `−Σ λ (Jv, Jw)`.
pub(crate) fn joint_reaction(
    context: &EvaluationContext<'_>,
    labels: &[RowLabel],
    multipliers: &[f64],
    joint: JointIndex,
) -> JointReaction {
    let mut rows = JointEquations::new();
    let rel = &context.kinematics.joints[joint.0].rel;
    context.model.joints[joint.0]
        .joint
        .rows(context.model.space, rel, &mut rows);
    let multipliers = &multipliers[first_row(labels, joint)..];
    // coincidence is imposed along ground axes
    let coincident = rows.coincident();
    let (mut force, mut moment) = (zero3(), zero3());
    for (i, lambda) in multipliers[..coincident].iter().enumerate() {
        force[i] = -lambda;
    }
    force = apply_transposed(&context.kinematics.joints[joint.0].R_F, &force);
    for (row, lambda) in rows.as_slice().iter().zip(multipliers).skip(coincident) {
        force -= row.v * *lambda;
        moment -= row.w * *lambda;
    }
    (force, moment)
}

/// Returns the first row of a joint: joints come first and in order.
pub(super) fn first_row(labels: &[RowLabel], joint: JointIndex) -> usize {
    labels.partition_point(|label| matches!(label.owner, RowOwner::Joint(j) if j < joint))
}

/// Returns φ̈ of a function of the relative pose across a joint, from the accelerations of its bodies, independently of γ.
pub(crate) fn row_acceleration(
    system: &dyn System,
    context: &EvaluationContext<'_>,
    rates: &[f64],
    joint: JointIndex,
    row: &PoseFunction,
) -> f64 {
    let motion = &context.kinematics.joints[joint.0];
    let element = &context.model.joints[joint.0];
    // acceleration of the point of each body at M's origin, and angular acceleration
    let at = |body: BodyIndex| {
        let k = context.kinematics.body(body);
        let (a, alpha) = body.number().map_or((zero3(), zero3()), |b| {
            system.body_acceleration(context.kinematics, rates, b)
        });
        let s = motion.p_M - k.r;
        (
            a + cross(&alpha, &s) + cross(&k.w, &cross(&k.w, &s)),
            alpha,
            k.w,
        )
    };
    let (a_first, alpha_first, w_first) = at(element.first.0);
    let (a_second, alpha_second, w_second) = at(element.second.0);
    let slip = apply(&motion.R_F, &motion.rel.v);
    let linear = a_second - a_first - cross(&w_first, &slip) * 2.0;
    let angular = alpha_second - alpha_first - cross(&w_first, &w_second);
    dot(&row.v, &apply_transposed(&motion.R_F, &linear))
        + dot(&row.w, &apply_transposed(&motion.R_F, &angular))
        + row.bias
}
