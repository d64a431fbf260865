//! The elastic force between two nodes.
#![allow(non_snake_case)]

use nalgebra::SMatrix;

use super::SpatialSection;
use super::screw::{BeamScrew, Mat6, ScrewEnd, ScrewPair};
use crate::forces::Force;
use crate::math::rotation::{apply, apply_transposed, cross, skew};
use crate::math::{Pose, Vec3};
use crate::model::{BodyIndex, Model};
use crate::system::{EvaluationContext, Loads, MarkerMotion};

/// Relative rotation of the nodes of an element, rad, above which a warning is issued: at half a turn its direction is undetermined.
const WIDE: f64 = 2.6;

type ElementColumns = SMatrix<f64, 6, 12>;

/// An element of a geometrically exact beam.
#[derive(Clone, Debug)]
pub struct ExactElement {
    between: [BodyIndex; 2],
    /// Unstressed length.
    pub length: f64,
    /// Section properties.
    pub section: SpatialSection,
    /// d₀.
    reference: ScrewPair,
}

/// An element at an instant.
struct ElementInstant {
    frames: [MarkerMotion; 2],
    screw: BeamScrew,
    /// d − d₀ and ḋ.
    off: ScrewPair,
    rate: ScrewPair,
    /// Twists of the nodes in their own axes.
    twists: [ScrewPair; 2],
}

impl ExactElement {
    /// An element between two bodies whose frames are those of the nodes, given the unstressed shape and the axial force in it.
    pub(super) fn new(
        between: [BodyIndex; 2],
        frames: [&Pose; 2],
        section: SpatialSection,
        tension: f64,
    ) -> Self {
        let screw = BeamScrew::between(frames[0], frames[1]);
        // the axis of the unstressed shape is a helix of this length
        let length = screw.u.norm();
        let mut reference = (screw.u, screw.phi);
        reference.0[0] -= length * tension / section.stiffness[0];
        ExactElement {
            between,
            length,
            section,
            reference,
        }
    }

    /// `(K / L) d`.
    fn stress(&self, (u, phi): &ScrewPair) -> ScrewPair {
        let k = self.section.stiffness.map(|k| k / self.length);
        (
            u.component_mul(&Vec3::new(k[0], k[1], k[2])),
            phi.component_mul(&Vec3::new(k[3], k[4], k[5])),
        )
    }

    fn frames(&self, context: &EvaluationContext<'_>) -> [MarkerMotion; 2] {
        let frame = |body| {
            let own = (body, Pose::identity());
            context.kinematics.frame(context.model, own)
        };
        self.between.map(frame)
    }

    fn instant(&self, context: &EvaluationContext<'_>) -> ElementInstant {
        let frames = self.frames(context);
        let screw = screw_of(&frames);
        let twists = frames.map(|f| (apply_transposed(&f.R, &f.v), apply_transposed(&f.R, &f.w)));
        let (one, two) = (
            screw.rate(ScrewEnd::First, &twists[0]),
            screw.rate(ScrewEnd::Second, &twists[1]),
        );
        ElementInstant {
            off: self.off(&screw),
            rate: (two.0 - one.0, two.1 - one.1),
            frames,
            screw,
            twists,
        }
    }

    fn off(&self, screw: &BeamScrew) -> ScrewPair {
        (screw.u - self.reference.0, screw.phi - self.reference.1)
    }

    /// N: the generalized stress of the element, elastic and damping part.
    fn borne(&self, at: &ElementInstant) -> ScrewPair {
        let tau = self.section.damping;
        self.stress(&(at.off.0 + at.rate.0 * tau, at.off.1 + at.rate.1 * tau))
    }

    /// Current length of its axis.
    pub fn stretched_length(&self, context: &EvaluationContext<'_>) -> f64 {
        screw_of(&self.frames(context)).u.norm()
    }

    /// Returns the force exerted by the part beyond on the part before at the first node (0) or the second, in the node's axes: three forces and three
    /// moments, with the damping and without it.
    pub(super) fn carried(&self, context: &EvaluationContext<'_>, node: usize) -> [[f64; 6]; 2] {
        let at = self.instant(context);
        let end = if node == 0 {
            ScrewEnd::First
        } else {
            ScrewEnd::Second
        };
        [self.borne(&at), self.stress(&at.off)].map(|n| {
            let (f, m) = at.screw.wrench(end, &n);
            [f[0], f[1], f[2], m[0], m[1], m[2]]
        })
    }

    /// Twist and two curvatures of the unstressed shape.
    pub(super) fn bent_before(&self) -> [f64; 3] {
        (self.reference.1 / self.length).into()
    }
}

/// d of the nodes' frames.
fn screw_of([a, b]: &[MarkerMotion; 2]) -> BeamScrew {
    BeamScrew::between(&Pose { R: a.R, p: a.p }, &Pose { R: b.R, p: b.p })
}

impl Force for ExactElement {
    fn apply(&self, context: &EvaluationContext<'_>, loads: &mut Loads) {
        let at = self.instant(context);
        let borne = self.borne(&at);
        let ends = [(ScrewEnd::First, 1.0), (ScrewEnd::Second, -1.0)];
        for (k, (end, sign)) in ends.into_iter().enumerate() {
            let (f, m) = at.screw.wrench(end, &borne);
            let frame = &at.frames[k];
            let force = apply(&frame.R, &f) * sign;
            loads.add_force(context, self.between[k], &frame.p, &force);
            loads.add_torque(self.between[k], &(apply(&frame.R, &m) * sign));
        }
        if self.dissipates() {
            let (f, m) = self.stress(&at.rate);
            loads.add_power(-self.section.damping * (f.dot(&at.rate.0) + m.dot(&at.rate.1)));
        }
    }

    fn potential(&self, context: &EvaluationContext<'_>) -> f64 {
        let off = self.off(&screw_of(&self.frames(context)));
        let (f, m) = self.stress(&off);
        0.5 * (f.dot(&off.0) + m.dot(&off.1))
    }

    fn dissipates(&self) -> bool {
        self.section.damping != 0.0
    }

    fn bodies(&self, _model: &Model) -> Vec<BodyIndex> {
        self.between.to_vec()
    }

    /// With `δη = S δx`, `δd = P δη` and the forces `−Sᵀ Pᵀ N` along the coordinates x of the two bodies:
    ///
    /// ```text
    /// Sᵀ Pᵀ (K/L) ((k + τc) P S + τk ∂ḋ/∂x) + k Sᵀ ∂(Pᵀ N)/∂d P S + k ∂Sᵀ/∂x Pᵀ N
    /// ```
    fn tangent(
        &self,
        context: &EvaluationContext<'_>,
        (k, c): (f64, f64),
        out: &mut [[f64; 12]; 12],
    ) -> bool {
        let at = self.instant(context);
        let borne = self.borne(&at);
        let tau = self.section.damping;
        let ends = [(ScrewEnd::First, -1.0), (ScrewEnd::Second, 1.0)];
        // S of each node: the body's coordinates are those of its mass centre, in ground axes
        let nodes = [0, 1].map(|i| {
            self.between[i].number().map_or_else(Mat6::identity, |b| {
                let mut S = Mat6::identity();
                let center = &context.model.bodies[b].mass.center;
                S.fixed_view_mut::<3, 3>(0, 0)
                    .copy_from(&at.frames[i].R.transpose());
                S.fixed_view_mut::<3, 3>(0, 3).copy_from(&skew(center));
                S
            })
        });
        let mut X = ElementColumns::zeros();
        for (i, (end, sign)) in ends.into_iter().enumerate() {
            let block = at.screw.map(end) * nodes[i] * sign;
            X.fixed_view_mut::<6, 6>(0, 6 * i).copy_from(&block);
        }
        let mut Y = X * (k + tau * c);
        if tau * k != 0.0 {
            let mut H = Mat6::zeros();
            for (i, (end, sign)) in ends.into_iter().enumerate() {
                H += at.screw.rate_slope(end, &at.twists[i]) * sign;
            }
            Y += H * X * (tau * k);
            for (i, (end, sign)) in ends.into_iter().enumerate() {
                // a rotation of the body rotates the velocity of its mass centre in the node's axes
                let center = self.between[i].number();
                let center =
                    center.map_or_else(Vec3::zeros, |b| context.model.bodies[b].mass.center);
                let (v, w) = &at.twists[i];
                let seen = skew(&(v + cross(w, &center)));
                let turn = at.screw.map(end).fixed_view::<6, 3>(0, 0) * seen * (sign * tau * k);
                let mut columns = Y.fixed_view_mut::<6, 3>(0, 6 * i + 3);
                columns += turn;
            }
        }
        for (row, stiffness) in self.section.stiffness.iter().enumerate() {
            Y.row_mut(row).scale_mut(stiffness / self.length);
        }
        let mut T = X.transpose() * Y;
        for (i, (end, sign)) in ends.into_iter().enumerate() {
            let slope = nodes[i].transpose() * at.screw.wrench_slope(end, &borne) * (sign * k);
            let mut rows = T.fixed_view_mut::<6, 12>(6 * i, 0);
            rows += slope * X;
            let force = at.screw.wrench(end, &borne).0;
            let turned = at.frames[i].R * skew(&force) * (-sign * k);
            let mut corner = T.fixed_view_mut::<3, 3>(6 * i, 6 * i + 3);
            corner += turned;
        }
        for (row, values) in out.iter_mut().enumerate() {
            for (column, value) in values.iter_mut().enumerate() {
                *value += T[(row, column)];
            }
        }
        true
    }

    fn has_tangent(&self) -> bool {
        true
    }

    fn beam_element(&self) -> Option<&ExactElement> {
        Some(self)
    }

    fn doubt(&self, context: &EvaluationContext<'_>) -> Option<&'static str> {
        let turn = screw_of(&self.frames(context)).phi.norm();
        (turn > WIDE).then_some(
            "rotates by nearly 180 deg between adjacent nodes, beyond which the direction of rotation is ambiguous; use more elements",
        )
    }

    fn advice(&self) -> &'static str {
        "the relative motion of its nodes is too large; use a smaller step, or more elements"
    }
}
