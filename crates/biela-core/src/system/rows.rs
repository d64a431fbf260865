//! The constraint equations of joints, couplers and drivers. Their values are the same in all formulations; only their derivatives
//! are mapped to different coordinates.

use super::{MarkerMotion, RowLabel, RowOwner, SystemKinematics};
use crate::joints::{JointEquations, PoseFunction};
use crate::math::Vec3;
use crate::model::{BodyIndex, CouplerIndex, DriverIndex, DriverTarget, JointIndex, Model};

/// Returns the identification of each row: those of the selected joints, then one per coupler, then one per driver.
pub(super) fn labels(model: &Model, chosen: impl Fn(JointIndex) -> bool) -> Vec<RowLabel> {
    let mut labels = Vec::new();
    for (j, element) in model.joints.iter().enumerate() {
        let shape = element.joint.shape(model.space);
        if chosen(JointIndex(j)) {
            labels.extend(
                (0..shape.position_rows + shape.velocity_rows).map(|number| RowLabel {
                    owner: RowOwner::Joint(JointIndex(j)),
                    number,
                    nonholonomic: number >= shape.position_rows,
                }),
            );
        }
    }
    let alone = |owner| RowLabel {
        owner,
        number: 0,
        nonholonomic: false,
    };
    let couplers = (0..model.couplers.len()).filter(|c| model.couplers[*c].backlash.is_none());
    labels.extend(couplers.map(|c| alone(RowOwner::Coupler(CouplerIndex(c)))));
    let drivers = 0..model.drivers.len();
    labels.extend(drivers.map(|d| alone(RowOwner::Driver(DriverIndex(d)))));
    labels
}

/// Returns the bodies on which a row acts, each once, in the order of the joint or of the bodies.
pub(super) fn bodies(model: &Model, label: RowLabel) -> Vec<BodyIndex> {
    let of = |j: JointIndex| {
        let element = &model.joints[j.0];
        [element.first.0, element.second.0]
    };
    let mut bodies = match label.owner {
        RowOwner::Joint(j) => of(j).to_vec(),
        RowOwner::Coupler(c) => {
            let terms = &model.couplers[c.0].terms;
            let mut all: Vec<_> = terms.iter().flat_map(|(j, _, _)| of(*j)).collect();
            all.sort();
            all.dedup();
            all
        }
        RowOwner::Driver(d) => match model.drivers[d.0].target {
            DriverTarget::Joint(j, _) => of(j).to_vec(),
            DriverTarget::Point(m, _) => vec![model.markers[m.0].body],
        },
        RowOwner::Unilateral(..) => Vec::new(),
    };
    bodies.retain(|b| *b != BodyIndex::GROUND);
    bodies
}

/// The destination of the derivatives of rows.
pub(super) trait RowDerivatives {
    /// Adds the derivative of a function of the relative motion across a joint to row `at`; returns its part of γ.
    fn relative(&mut self, at: usize, joint: JointIndex, row: &PoseFunction) -> f64;
    /// Adds the derivative of `p_M − p_F` along ground axis `axis`, and returns its value, rate and γ; `None` if coincidence is
    /// imposed along the axes of the joint like any other equation.
    fn coincidence(&mut self, at: usize, joint: JointIndex, axis: usize)
    -> Option<(f64, f64, f64)>;
    /// Adds the derivative of a coordinate of a point in the ground frame; returns its part of γ.
    fn point(&mut self, at: usize, body: BodyIndex, point: &MarkerMotion, axis: usize) -> f64;
}

/// The values of all rows.
pub(super) struct Values<'a> {
    pub(super) phi: &'a mut [f64],
    pub(super) scale: &'a mut [f64],
    pub(super) rate: &'a mut [f64],
    pub(super) drift: &'a mut [f64],
    pub(super) gamma: &'a mut [f64],
}

/// Evaluates all rows.
pub(super) fn evaluate(
    model: &Model,
    labels: &[RowLabel],
    chosen: impl Fn(JointIndex) -> bool,
    k: &SystemKinematics,
    out: &mut Values<'_>,
    derivatives: &mut impl RowDerivatives,
) {
    let space = model.space;
    let mut rows = JointEquations::new();
    let mut at = 0;
    for (j, element) in model.joints.iter().enumerate() {
        let joint = JointIndex(j);
        if !chosen(joint) {
            continue;
        }
        let rel = &k.joints[j].rel;
        element.joint.rows(space, rel, &mut rows);
        for (i, row) in rows.as_slice().iter().enumerate() {
            let along_ground = if i < rows.coincident() {
                derivatives.coincidence(at, joint, i)
            } else {
                None
            };
            (out.phi[at], out.rate[at], out.gamma[at]) = along_ground.unwrap_or_else(|| {
                let gamma = derivatives.relative(at, joint, row);
                let phi = if labels[at].nonholonomic {
                    0.0
                } else {
                    row.phi
                };
                (phi, row.rate(rel), gamma)
            });
            out.drift[at] = 0.0;
            out.scale[at] = reach_of(k, element.first.0, &k.joints[j].p_F)
                + reach_of(k, element.second.0, &k.joints[j].p_M);
            at += 1;
        }
    }
    for element in model.couplers.iter().filter(|c| c.backlash.is_none()) {
        out.phi[at] = -element.offset.unwrap_or(0.0);
        out.scale[at] = out.phi[at].abs();
        (out.rate[at], out.drift[at], out.gamma[at]) = (0.0, 0.0, 0.0);
        for &(joint, coordinate, factor) in &element.terms {
            let rel = &k.joints[joint.0].rel;
            let target = &model.joints[joint.0].joint;
            let row = target.coordinate(space, coordinate, rel).scaled(factor);
            out.phi[at] += row.phi;
            out.scale[at] += row.phi.abs();
            out.rate[at] += row.rate(rel);
            out.gamma[at] += derivatives.relative(at, joint, &row);
        }
        at += 1;
    }
    for element in &model.drivers {
        let motion = element.motion.at(k.law_time());
        out.drift[at] = -motion.rate;
        match element.target {
            DriverTarget::Joint(joint, coordinate) => {
                let rel = &k.joints[joint.0].rel;
                let target = &model.joints[joint.0].joint;
                let row = target.coordinate(space, coordinate, rel);
                let angular = target.coordinates(space)[coordinate].angular;
                out.phi[at] = driver_error(row.phi - motion.value, angular);
                out.scale[at] = row.phi.abs() + motion.value.abs();
                out.rate[at] = row.rate(rel) - motion.rate;
                out.gamma[at] = derivatives.relative(at, joint, &row);
            }
            DriverTarget::Point(marker, axis) => {
                let marker = &model.markers[marker.0];
                let point = k.frame(model, (marker.body, marker.pose));
                out.phi[at] = point.p[axis] - motion.value;
                out.scale[at] = reach_of(k, marker.body, &point.p) + motion.value.abs();
                out.rate[at] = point.v[axis] - motion.rate;
                out.gamma[at] = derivatives.point(at, marker.body, &point, axis);
            }
        }
        out.gamma[at] += motion.curvature;
        at += 1;
    }
}

/// Returns the magnitude of the terms in the position of a point on a body: the position of its mass centre and the arm from there.
fn reach_of(k: &SystemKinematics, body: BodyIndex, point: &Vec3<f64>) -> f64 {
    let center = body.number().map_or(0.0, |b| k.bodies[b].r.amax());
    center + point.amax()
}

/// Returns the deviation of a driven coordinate from its target. For an angle whole turns are removed, so that the driver is regular at
/// every angle and needs no turn count.
fn driver_error(difference: f64, angular: bool) -> f64 {
    let turn = std::f64::consts::TAU;
    if angular {
        difference - turn * (difference / turn).round()
    } else {
        difference
    }
}
