//! The rows of a unilateral constraint as functions of the relative poses across joints.
//!
//! With the unit normal n and the contact point x of [`ContactPoint`](crate::contact::ContactPoint), in the axes of F,
//!
//! ```text
//! ġ = n·(v + w × (x − p))                     γ_t = t·(v + w × (x − p)),  t ⟂ n
//! γ̇_t = t·(v̇ + ẇ × (x − p)) + ṫ·(v + w × (x − p)) + t·(w × (ẋ − ṗ))
//! ```
//!
//! and for rolling and spinning resistance, about an axis a, which is t or n,
//!
//! ```text
//! γ_t = a·w           γ̇_t = a·ẇ + ȧ·w
//! ```
//!
//! The derivatives of n, x and t along the motion follow from the geometry evaluated with jets.

use super::{ContactMemory, GapFunction, Mode, Unilateral, along_motion};
use crate::joints::{PoseFunction, Relative};
use crate::math::rotation::{cross, dot, unit, zero3};
use crate::math::{Jet, Real, Vec3};
use crate::model::{JointIndex, Space};
use crate::system::EvaluationContext;

/// The rows of a pair of surfaces at a candidate point.
#[derive(Clone, Copy, Debug)]
pub struct UnilateralRows {
    /// The gap as a function of the relative pose.
    pub normal: PoseFunction,
    /// The slip velocities: functions without a value.
    pub tangents: [PoseFunction; 2],
    /// The contact point, in the axes of F.
    pub point: Vec3<f64>,
}

impl Unilateral {
    /// Returns the gap and its time derivative; for friction alone zero and the slip velocity.
    pub fn gap(&self, context: &EvaluationContext<'_>, memory: &ContactMemory) -> (f64, f64) {
        match &self.gap {
            GapFunction::Pair {
                contact,
                point,
                joint,
            } => {
                let rel = &context.kinematics.joints[joint.0].rel;
                let pair = &context.model.contacts[contact.0].pair;
                let at = pair.point_on(memory.held_face(), *point, &rel.R, &rel.p);
                let slip = rel.v + cross(&rel.w, &(at.point - rel.p));
                (at.gap, dot(&at.normal, &slip))
            }
            GapFunction::Rotation { .. } => (0.0, magnitude(self.slip(context, memory))),
            GapFunction::Coordinates { terms, offset } => {
                let mut value = (offset + memory.offset, 0.0);
                for &(joint, k, factor) in terms {
                    value.0 += factor * context.coordinate_value(joint, k);
                    value.1 += factor * context.coordinate_rate(joint, k);
                }
                value
            }
            GapFunction::Rope(joint) => {
                let slack = slack(context, *joint);
                (
                    slack.phi,
                    slack.rate(&context.kinematics.joints[joint.0].rel),
                )
            }
        }
    }

    /// Returns the slip velocity along its tangential directions.
    pub fn slip(&self, context: &EvaluationContext<'_>, memory: &ContactMemory) -> [f64; 2] {
        let (joint, rows) = match &self.gap {
            GapFunction::Pair { joint, .. } => {
                let rows = self.pair_rows(context, memory).map(|rows| rows.tangents);
                (*joint, rows)
            }
            GapFunction::Rotation { joint, .. } => (*joint, self.turning_rows(context, memory)),
            _ => return [self.gap(context, memory).1, 0.0],
        };
        let mut slip = [0.0; 2];
        let rel = &context.kinematics.joints[joint.0].rel;
        for (value, row) in slip
            .iter_mut()
            .zip(rows.iter().flatten())
            .take(self.tangents)
        {
            *value = row.rate(rel);
        }
        slip
    }

    /// Visits the rows: index among them, joint and function of its relative pose. Functions of one row are added.
    pub fn visit(
        &self,
        context: &EvaluationContext<'_>,
        memory: &ContactMemory,
        visit: &mut dyn FnMut(usize, JointIndex, &PoseFunction),
    ) {
        match &self.gap {
            GapFunction::Pair { joint, .. } => {
                let Some(rows) = self.pair_rows(context, memory) else {
                    return;
                };
                visit(0, *joint, &rows.normal);
                for (k, row) in rows.tangents.iter().take(self.tangents).enumerate() {
                    visit(1 + k, *joint, row);
                }
            }
            GapFunction::Rotation { joint, .. } => {
                let rows = self.turning_rows(context, memory);
                for (k, row) in rows.iter().flatten().take(self.tangents).enumerate() {
                    visit(k, *joint, row);
                }
            }
            GapFunction::Coordinates { terms, .. } => {
                for &(joint, k, factor) in terms {
                    visit(0, joint, &context.coordinate(joint, k).scaled(factor));
                }
            }
            GapFunction::Rope(joint) => visit(0, *joint, &slack(context, *joint)),
        }
    }

    /// Returns the rows of a pair of surfaces; `None` for other gaps.
    pub fn pair_rows(
        &self,
        context: &EvaluationContext<'_>,
        memory: &ContactMemory,
    ) -> Option<UnilateralRows> {
        let GapFunction::Pair {
            contact,
            point,
            joint,
        } = &self.gap
        else {
            return None;
        };
        let rel = &context.kinematics.joints[joint.0].rel;
        let (pose, origin) = along_motion(rel);
        let pair = &context.model.contacts[contact.0].pair;
        let at = pair.point_on(memory.held_face(), *point, &pose, &origin);
        let (n, x) = (value(&at.normal), value(&at.point));
        let normal = PoseFunction {
            phi: at.gap.value,
            v: n,
            w: cross(&(x - rel.p), &n),
            bias: at.gap.curvature,
        };
        let directions = tangents(context.model.space, &at.normal, memory.axis);
        let tangents = directions.map(|t| sliding(rel, &t, &x, &rate(&at.point)));
        Some(UnilateralRows {
            normal,
            tangents,
            point: x,
        })
    }

    /// Returns the rows of rolling or spinning resistance; `None` for other gaps.
    fn turning_rows(
        &self,
        context: &EvaluationContext<'_>,
        memory: &ContactMemory,
    ) -> Option<[PoseFunction; 2]> {
        let GapFunction::Rotation {
            contact,
            point,
            joint,
            spins,
        } = &self.gap
        else {
            return None;
        };
        let space = context.model.space;
        let rel = &context.kinematics.joints[joint.0].rel;
        if space == Space::Planar {
            return Some([turning(rel, &unit(2)); 2]);
        }
        let (pose, origin) = along_motion(rel);
        let pair = &context.model.contacts[contact.0].pair;
        let normal = pair
            .point_on(memory.held_face(), *point, &pose, &origin)
            .normal;
        let axes = if *spins {
            [normal; 2]
        } else {
            tangents(space, &normal, memory.axis)
        };
        Some(axes.map(|axis| turning(rel, &axis)))
    }

    /// Closes a contact: a sharp point slides on a face of the other surface, if that has any, of those within a distance.
    pub fn touch(&self, context: &EvaluationContext<'_>, memory: &mut ContactMemory, reach: f64) {
        memory.mode = Mode::Slip;
        if let GapFunction::Pair {
            contact,
            point,
            joint,
        } = &self.gap
        {
            let pair = &context.model.contacts[contact.0].pair;
            let (pose, origin) = along_motion(&context.kinematics.joints[joint.0].rel);
            memory.face = pair.touched_face(*point, &pose, &origin, reach);
        }
        memory.axis = self.best_axis(context, memory);
    }

    /// Returns the distance of a closed contact from the boundary of the face on which it slides; infinite without one.
    pub fn margin(&self, context: &EvaluationContext<'_>, memory: &ContactMemory) -> f64 {
        match (&self.gap, memory.held_face()) {
            (
                GapFunction::Pair {
                    contact,
                    point,
                    joint,
                },
                Some(face),
            ) => {
                let rel = &context.kinematics.joints[joint.0].rel;
                let pair = &context.model.contacts[contact.0].pair;
                pair.margin(face, *point, &rel.R, &rel.p)
            }
            _ => f64::INFINITY,
        }
    }

    /// Returns the axis along which the first tangential direction is best defined: the one farthest from the normal.
    pub fn best_axis(&self, context: &EvaluationContext<'_>, memory: &ContactMemory) -> usize {
        let GapFunction::Pair {
            contact,
            point,
            joint,
        } = &self.gap
        else {
            return 0;
        };
        let rel = &context.kinematics.joints[joint.0].rel;
        let pair = &context.model.contacts[contact.0].pair;
        let n = pair
            .point_on(memory.held_face(), *point, &rel.R, &rel.p)
            .normal;
        let mut best = 0;
        for axis in 1..3 {
            if n[axis].abs() < n[best].abs() - 1e-3 {
                best = axis;
            }
        }
        best
    }
}

/// Returns the slack of a rope as a function of the relative pose of its ends.
fn slack(context: &EvaluationContext<'_>, joint: JointIndex) -> PoseFunction {
    let rel = &context.kinematics.joints[joint.0].rel;
    let element = &context.model.joints[joint.0].joint;
    element
        .slack(context.model.space, rel)
        .unwrap_or_else(|| PoseFunction::constant(0.0))
}

/// Returns two unit vectors perpendicular to the normal: `ẑ × n` in the plane, in space the projection of an axis and its normal.
fn tangents(space: Space, n: &Vec3<Jet>, axis: usize) -> [Vec3<Jet>; 2] {
    if space == Space::Planar {
        return [Vec3::new(-n[1], n[0], Jet::constant(0.0)), zero3()];
    }
    let e: Vec3<Jet> = unit(axis);
    let raw = e - *n * n[axis];
    let first = raw * (Jet::constant(1.0) / dot(&raw, &raw).sqrt());
    [first, cross(n, &first)]
}

/// Returns the slip velocity along t at the point x.
fn sliding(rel: &Relative, t: &Vec3<Jet>, x: &Vec3<f64>, x_rate: &Vec3<f64>) -> PoseFunction {
    let arm = x - rel.p;
    let along = value(t);
    let slip = rel.v + cross(&rel.w, &arm);
    PoseFunction {
        phi: 0.0,
        v: along,
        w: cross(&arm, &along),
        bias: dot(&rate(t), &slip) + dot(&along, &cross(&rel.w, &(x_rate - rel.v))),
    }
}

/// Returns the relative angular velocity about an axis.
fn turning(rel: &Relative, axis: &Vec3<Jet>) -> PoseFunction {
    PoseFunction {
        phi: 0.0,
        v: zero3(),
        w: value(axis),
        bias: dot(&rate(axis), &rel.w),
    }
}

fn magnitude([x, y]: [f64; 2]) -> f64 {
    x.hypot(y)
}

fn value(x: &Vec3<Jet>) -> Vec3<f64> {
    Vec3::new(x[0].value, x[1].value, x[2].value)
}

fn rate(x: &Vec3<Jet>) -> Vec3<f64> {
    Vec3::new(x[0].rate, x[1].rate, x[2].rate)
}
