//! The stiffness of joints, couplers and drivers: the derivative of their constraint forces.
#![allow(non_snake_case)]

use super::sink::{BodyMotionColumns, Dense, TangentSink};
use crate::joints::{JointEquations, PoseFunction, Relative};
use crate::math::rotation::{apply, apply_transposed, cross, dot, product, skew, zero3};
use crate::math::{Jet, Real, Vec3};
use crate::model::{BodyIndex, DriverTarget, JointIndex, Space};
use crate::system::coordinate_layout::BodyCoordinates;
use crate::system::{Absolute, System, SystemKinematics, Workspace};

/// A displacement of the two bodies of a joint, in ground axes.
#[derive(Clone, Copy)]
struct Move {
    dr: [Vec3<f64>; 2],
    dtheta: [Vec3<f64>; 2],
}

impl Absolute {
    pub(super) fn add_joint_stiffness(
        &self,
        ws: &Workspace,
        multipliers: &[f64],
        sink: &mut TangentSink<'_>,
    ) {
        let model = self.model();
        let space = model.space;
        let k = &ws.kinematics;
        let mut rows = JointEquations::new();
        let mut at = 0;
        for (j, element) in model.joints.iter().enumerate() {
            let motion = &k.joints[j];
            element.joint.rows(space, &motion.rel, &mut rows);
            let coincident = rows.coincident();
            let count = rows.as_slice().len();
            let lambda = &multipliers[at..at + count];
            at += count;
            let mut F = zero3();
            for (i, l) in lambda[..coincident].iter().enumerate() {
                F[i] = *l;
            }
            for (body, point, sign) in [
                (element.first.0, motion.p_F, -1.0),
                (element.second.0, motion.p_M, 1.0),
            ] {
                if let Some(b) = body.number() {
                    let m = &k.bodies[b];
                    self.add_point_stiffness(k, b, &(point - m.r), &(F * sign), sink);
                }
            }
            if count > coincident && lambda[coincident..].iter().any(|l| *l != 0.0) {
                let weigh = |rel: &Relative<Jet>| {
                    let mut rows = JointEquations::new();
                    element.joint.rows(space, rel, &mut rows);
                    weighted(&rows.as_slice()[coincident..], &lambda[coincident..])
                };
                self.add_row_stiffness(k, JointIndex(j), weigh, sink);
            }
        }
        for element in model.couplers.iter().filter(|c| c.backlash.is_none()) {
            let lambda = multipliers[at];
            at += 1;
            for &(joint, coordinate, factor) in &element.terms {
                self.add_coordinate_stiffness(k, joint, coordinate, factor * lambda, sink);
            }
        }
        for element in &model.drivers {
            let lambda = multipliers[at];
            at += 1;
            match element.target {
                DriverTarget::Joint(joint, coordinate) => {
                    self.add_coordinate_stiffness(k, joint, coordinate, lambda, sink);
                }
                DriverTarget::Point(marker, axis) => {
                    let marker = &model.markers[marker.0];
                    if let Some(b) = marker.body.number() {
                        let point = k.frame(model, (marker.body, marker.pose)).p;
                        let mut F = zero3();
                        F[axis] = lambda;
                        let m = &k.bodies[b];
                        self.add_point_stiffness(k, b, &(point - m.r), &F, sink);
                    }
                }
            }
        }
    }

    fn add_coordinate_stiffness(
        &self,
        k: &SystemKinematics,
        joint: JointIndex,
        coordinate: usize,
        lambda: f64,
        sink: &mut TangentSink<'_>,
    ) {
        if lambda != 0.0 {
            let element = &self.model().joints[joint.0];
            let space = self.model().space;
            let weigh = |rel: &Relative<Jet>| {
                weighted(
                    &[element.joint.coordinate(space, coordinate, rel)],
                    &[lambda],
                )
            };
            self.add_row_stiffness(k, joint, weigh, sink);
        }
    }

    /// Adds the stiffness of the force F (in Gᵀλ) at s from the mass centre: the moment `s_b × F_b` changes by `[s_b]×[F_b]× δθ`.
    fn add_point_stiffness(
        &self,
        k: &SystemKinematics,
        body: usize,
        s: &Vec3<f64>,
        F: &Vec3<f64>,
        sink: &mut TangentSink<'_>,
    ) {
        if let (BodyCoordinates::Station(..), Some(block)) = (
            self.places().at(k, body),
            sink.layout.station_blocks.get(&(body, body)),
        ) {
            let columns = BodyMotionColumns::new(self, k, body);
            let R = &k.bodies[body].R;
            let (along, own_s, own_F) = (dot(s, F), apply_transposed(R, s), apply_transposed(R, F));
            let value = |i: usize, j: usize| {
                let [a, b] = [i, j].map(|i| columns.turn(i));
                0.5 * (dot(&a, &own_F) * dot(&own_s, &b) + dot(&a, &own_s) * dot(&own_F, &b))
                    - along * dot(&a, &b)
            };
            sink.add_block((true, &columns, &columns), block, value);
            sink.add_turn_curvature(self, k, body, &cross(s, F));
            return;
        }
        let motion = &k.bodies[body];
        let part = 2 * body + 1;
        let Some(&start) = sink.layout.blocks.get(&(part, part)) else {
            return;
        };
        match self.model().space {
            Space::Planar => sink.out[start] -= sink.scale * (s[0] * F[0] + s[1] * F[1]),
            Space::Spatial => {
                let (s, F) = (
                    apply_transposed(&motion.R, s),
                    apply_transposed(&motion.R, F),
                );
                sink.add_turning(start, &product(&skew(&s), &skew(&F)));
            }
        }
    }

    /// Adds the stiffness of rows on the relative motion across a joint, weighted by their multipliers: force f and moment n in F's axes.
    fn add_row_stiffness(
        &self,
        k: &SystemKinematics,
        joint: JointIndex,
        weigh: impl Fn(&Relative<Jet>) -> (Vec3<Jet>, Vec3<Jet>),
        sink: &mut TangentSink<'_>,
    ) {
        let model = self.model();
        let space = model.space;
        let element = &model.joints[joint.0];
        let motion = &k.joints[joint.0];
        let bodies = &sink.layout.joint_bodies[joint.0];
        // derivatives of (f, n) along the six directions of relative motion
        let directions: [_; 6] = std::array::from_fn(|d| weigh(&moved(&motion.rel, d)));
        let (f, n) = values(&directions[0]);
        let (a, b) = (k.body(element.first.0), k.body(element.second.0));
        let (sA, sB) = (motion.p_M - a.r, motion.p_M - b.r);
        let (fW, nW) = (apply(&motion.R_F, &f), apply(&motion.R_F, &n));
        let (mA, mB) = (cross(&sA, &fW) + nW, cross(&sB, &fW) + nW);

        let freedom = space.freedom();
        let mut dense = Dense::new();
        for (local, &body) in bodies.iter().enumerate() {
            for c in 0..freedom {
                let change = self.unit_move(k, element.first.0, body, c);
                let [drA, drB] = change.dr;
                let [tA, tB] = change.dtheta;
                // relative displacement of M in F's axes
                let dpM = drB + cross(&tB, &sB);
                let slip = apply_transposed(&motion.R_F, &(dpM - drA - cross(&tA, &sA)));
                let turn = apply_transposed(&motion.R_F, &(tB - tA));
                let (mut df, mut dn) = (zero3(), zero3());
                for d in 0..6 {
                    let amount = if d < 3 { slip[d] } else { turn[d - 3] };
                    if amount != 0.0 {
                        let (jf, jn) = &directions[d];
                        df += Vec3::new(jf[0].rate, jf[1].rate, jf[2].rate) * amount;
                        dn += Vec3::new(jn[0].rate, jn[1].rate, jn[2].rate) * amount;
                    }
                }
                let dfW = cross(&tA, &fW) + apply(&motion.R_F, &df);
                let dnW = cross(&tA, &nW) + apply(&motion.R_F, &dn);
                // generalised forces: (f, m) on B, (−f, −m) on A, moments in body axes
                let dmB = cross(&cross(&tB, &sB), &fW) + cross(&sB, &dfW) + dnW - cross(&tB, &mB);
                let dmA = cross(&(dpM - drA), &fW) + cross(&sA, &dfW) + dnW - cross(&tA, &mA);
                let column = freedom * local + c;
                for (owner, force, moment, sign) in [
                    (element.first.0, dfW, dmA, -1.0),
                    (element.second.0, dfW, dmB, 1.0),
                ] {
                    let Some(row_body) = owner.number() else {
                        continue;
                    };
                    let Some(at) = bodies.iter().position(|x| *x == row_body) else {
                        continue;
                    };
                    let mut block = [0.0; 6];
                    self.add_block(&k.bodies[row_body], &force, &moment, sign, &mut block);
                    for (i, x) in block[..freedom].iter().enumerate() {
                        let old = dense.at(freedom * at + i, column);
                        dense.set(freedom * at + i, column, old + x);
                    }
                }
            }
        }
        for (body, moment) in [(element.first.0, -mA), (element.second.0, mB)] {
            if let Some(b) = body.number() {
                sink.add_turn_curvature(self, k, b, &moment);
            }
        }
        sink.add(self, k, bodies, &dense);
    }

    /// Returns the displacement of both bodies of a joint for a unit of coordinate `c` of body `body`.
    fn unit_move(&self, k: &SystemKinematics, first: BodyIndex, body: usize, c: usize) -> Move {
        let side = usize::from(first != BodyIndex(body));
        let mut change = Move {
            dr: [zero3(); 2],
            dtheta: [zero3(); 2],
        };
        let axes = self.model().space.axes();
        if c < axes {
            change.dr[side][c] = 1.0;
        } else {
            let axis = if axes == 2 { 2 } else { c - axes };
            let mut along = zero3();
            along[axis] = 1.0;
            change.dtheta[side] = apply(&k.bodies[body].R, &along);
        }
        change
    }
}

/// Returns the sum of rows times their multipliers.
fn weighted(rows: &[PoseFunction<Jet>], lambda: &[f64]) -> (Vec3<Jet>, Vec3<Jet>) {
    let (mut f, mut n) = (zero3(), zero3());
    for (row, l) in rows.iter().zip(lambda) {
        f += row.v * Jet::constant(*l);
        n += row.w * Jet::constant(*l);
    }
    (f, n)
}

fn values((f, n): &(Vec3<Jet>, Vec3<Jet>)) -> (Vec3<f64>, Vec3<f64>) {
    (
        Vec3::new(f[0].value, f[1].value, f[2].value),
        Vec3::new(n[0].value, n[1].value, n[2].value),
    )
}

/// Returns the relative pose with its derivative along direction `d`: three translations, then three rotations, in F's axes.
fn moved(rel: &Relative, d: usize) -> Relative<Jet> {
    let mut dp = zero3();
    let mut axis = zero3();
    if d < 3 {
        dp[d] = 1.0;
    } else {
        axis[d - 3] = 1.0;
    }
    let dR = product(&skew(&axis), &rel.R);
    let mut R = crate::math::Pose::new(rel.R, rel.p).constant::<Jet>().R;
    for i in 0..3 {
        for j in 0..3 {
            R[(i, j)].rate = dR[(i, j)];
        }
    }
    let p = Vec3::new(
        Jet::new(rel.p[0], dp[0], 0.0),
        Jet::new(rel.p[1], dp[1], 0.0),
        Jet::new(rel.p[2], dp[2], 0.0),
    );
    Relative {
        R,
        p,
        v: zero3(),
        w: zero3(),
        turns: rel.turns,
        path: rel.path,
    }
}
