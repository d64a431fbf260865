//! Derivatives of the rows with respect to the coordinates of the tree.

use super::{TreeSystem, body_path, links};
use crate::joints::PoseFunction;
use crate::math::rotation::{apply, cross, dot, unit, zero3};
use crate::math::{RowPattern, Vec3};
use crate::model::{BodyIndex, DriverTarget, JointIndex, Model};
use crate::system::rows::RowDerivatives;
use crate::system::{MarkerMotion, RowLabel, RowOwner, SystemKinematics};
use crate::tree::Tree;

/// A column of a function of the relative motion across a joint: the velocity coordinate, its link, and the moved side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub(super) column: usize,
    link: usize,
    /// +1 if it moves the second body, −1 if the first.
    sign: f64,
}

/// Returns the velocity coordinates that move the bodies of a joint relative to each other.
pub(super) fn reach(model: &Model, tree: &Tree, joint: JointIndex) -> Vec<Reach> {
    let element = &model.joints[joint.0];
    let path = |body: BodyIndex| -> Vec<usize> {
        let link = tree.link_of(body);
        link.map_or_else(Vec::new, |l| tree.path(l).collect())
    };
    let (first, second) = (path(element.first.0), path(element.second.0));
    let mut reach = Vec::new();
    for (mine, other, sign) in [(&first, &second, -1.0), (&second, &first, 1.0)] {
        for &link in mine.iter().filter(|l| !other.contains(l)) {
            let columns = tree.links[link].velocities();
            reach.extend(columns.map(|column| Reach { column, link, sign }));
        }
    }
    reach.sort_by_key(|r| r.column);
    reach
}

/// Returns the columns of a row, in order.
pub(super) fn row_columns(
    model: &Model,
    tree: &Tree,
    reach: &[Vec<Reach>],
    label: RowLabel,
) -> Vec<usize> {
    let of = |j: JointIndex| reach[j.0].iter().map(|r| r.column).collect::<Vec<_>>();
    let mut columns = match label.owner {
        RowOwner::Joint(j) => of(j),
        RowOwner::Coupler(c) => {
            let terms = &model.couplers[c.0].terms;
            terms.iter().flat_map(|(j, _, _)| of(*j)).collect()
        }
        RowOwner::Driver(d) => match model.drivers[d.0].target {
            DriverTarget::Joint(j, _) => of(j),
            DriverTarget::Point(m, _) => body_path(tree, model.markers[m.0].body),
        },
        RowOwner::Unilateral(..) => Vec::new(),
    };
    columns.sort_unstable();
    columns.dedup();
    columns
}

/// Rows of G on the coordinates of the tree.
pub(super) struct TreeJacobian<'a> {
    pub(super) system: &'a TreeSystem,
    pub(super) pattern: &'a RowPattern,
    pub(super) kinematics: &'a SystemKinematics,
    pub(super) jacobian: &'a mut [f64],
}

impl TreeJacobian<'_> {
    /// Returns the acceleration of a body's material point at `point` and its angular acceleration at constant joint velocities, and its angular velocity.
    fn drift(&self, body: BodyIndex, point: &Vec3<f64>) -> (Vec3<f64>, Vec3<f64>, Vec3<f64>) {
        let Some(link) = self.system.tree.link_of(body) else {
            return (zero3(), zero3(), zero3());
        };
        let state = &links(self.kinematics).links[link];
        let s = point - state.o;
        let w = state.velocity.w;
        let a = state.drift.v + cross(&state.drift.w, &s) + cross(&w, &cross(&w, &s));
        (a, state.drift.w, w)
    }
}

impl RowDerivatives for TreeJacobian<'_> {
    fn relative(&mut self, at: usize, joint: JointIndex, row: &PoseFunction) -> f64 {
        let motion = &self.kinematics.joints[joint.0];
        let gv = apply(&motion.R_F, &row.v);
        let gw = apply(&motion.R_F, &row.w);
        let ws = links(self.kinematics);
        let pattern = self.pattern;
        let mut entry = pattern.range(at).start;
        for reach in &self.system.reach[joint.0] {
            while pattern.columns[entry] != reach.column {
                entry += 1;
            }
            let column = &ws.columns[reach.column];
            let s = motion.p_M - ws.links[reach.link].o;
            let moment = cross(&s, &gv) + gw;
            self.jacobian[entry] += reach.sign * (dot(&column.v, &gv) + dot(&column.w, &moment));
        }
        let element = &self.system.model.joints[joint.0];
        let (a_A, alpha_A, w_A) = self.drift(element.first.0, &motion.p_M);
        let (a_B, alpha_B, w_B) = self.drift(element.second.0, &motion.p_M);
        let slip = apply(&motion.R_F, &motion.rel.v);
        let linear = a_B - a_A - cross(&w_A, &slip) * 2.0;
        let angular = alpha_B - alpha_A - cross(&w_A, &w_B);
        -(dot(&gv, &linear) + dot(&gw, &angular) + row.bias)
    }

    fn coincidence(&mut self, _: usize, _: JointIndex, _: usize) -> Option<(f64, f64, f64)> {
        // along the joint's own axes the common motion of both bodies cancels
        None
    }

    fn point(&mut self, at: usize, body: BodyIndex, point: &MarkerMotion, axis: usize) -> f64 {
        let ws = links(self.kinematics);
        let along = unit(axis);
        let pattern = self.pattern;
        let Some(link) = self.system.tree.link_of(body) else {
            return 0.0;
        };
        for l in self.system.tree.path(link) {
            let moment = cross(&(point.p - ws.links[l].o), &along);
            for k in self.system.tree.links[l].velocities() {
                let column = &ws.columns[k];
                let mut entries = pattern.range(at);
                if let Some(entry) = entries.find(|e| pattern.columns[*e] == k) {
                    self.jacobian[entry] += dot(&column.v, &along) + dot(&column.w, &moment);
                }
            }
        }
        -self.drift(body, &point.p).0[axis]
    }
}
