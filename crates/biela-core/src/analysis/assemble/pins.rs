//! Values that the user wants to keep during assembly: additional rows.

use crate::math::Vec3;
use crate::math::rotation::{parameters, product};
use crate::model::{BodyIndex, JointIndex, Space};
use crate::system::{EvaluationContext, Loads, System, SystemKinematics};

/// One requested value.
#[derive(Clone, Copy, Debug)]
enum Pin {
    /// A joint coordinate (position level) or its velocity (velocity level).
    Coordinate {
        joint: JointIndex,
        k: usize,
        wanted: f64,
    },
    /// A component of a body frame's position or velocity.
    Translation {
        body: usize,
        axis: usize,
        wanted: f64,
    },
    /// A component of a body's orientation error (position level) or angular velocity.
    Rotation {
        body: usize,
        axis: usize,
        wanted: f64,
    },
}

/// Which initial velocities are requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::analysis) enum Wanted {
    /// All given ones.
    All,
    /// Joint velocities, and values marked `keep`.
    Joints,
    /// Values marked `keep`.
    Kept,
}

/// The requested values of one level.
#[derive(Debug)]
pub(in crate::analysis) struct Pins<'a> {
    system: &'a dyn System,
    list: Vec<Pin>,
    rates: bool,
}

impl std::fmt::Debug for dyn System + '_ {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "system of {}", self.model().name)
    }
}

impl<'a> Pins<'a> {
    /// No requested values.
    pub(in crate::analysis) fn none(system: &'a dyn System) -> Self {
        Pins {
            system,
            list: Vec::new(),
            rates: false,
        }
    }

    /// Requested joint coordinates, or their velocities: joint, coordinate and value.
    pub(in crate::analysis) fn of_joints(
        system: &'a dyn System,
        wanted: &[(JointIndex, usize, f64)],
        rates: bool,
    ) -> Self {
        let list = wanted.iter();
        Pins {
            system,
            list: list
                .map(|&(joint, k, wanted)| Pin::Coordinate { joint, k, wanted })
                .collect(),
            rates,
        }
    }

    /// The requested positions; `only_kept` restricts them to those marked `keep`.
    pub(super) fn positions(system: &'a dyn System, only_kept: bool) -> Self {
        let model = system.model();
        let mut list = Vec::new();
        for (j, element) in model.joints.iter().enumerate() {
            for start in element.initial.iter().filter(|s| s.keep || !only_kept) {
                if let Some(wanted) = start.value {
                    list.push(Pin::Coordinate {
                        joint: JointIndex(j),
                        k: start.coordinate,
                        wanted,
                    });
                }
            }
        }
        for (b, body) in model.bodies.iter().enumerate() {
            if let (Some(pose), true) = (body.start.pose, body.start.keep) {
                let position = body.given.position.then_some(pose.p);
                let turn = body.given.orientation.then(Vec3::zeros);
                push_body(&mut list, model.space, b, position, turn);
            }
        }
        Pins {
            system,
            list,
            rates: false,
        }
    }

    /// The requested velocities.
    pub(super) fn velocities(system: &'a dyn System, wanted: Wanted) -> Self {
        let model = system.model();
        let mut list = Vec::new();
        for (j, element) in model.joints.iter().enumerate() {
            let given = element.initial.iter();
            for start in given.filter(|s| s.keep || wanted != Wanted::Kept) {
                if let Some(wanted) = start.rate {
                    list.push(Pin::Coordinate {
                        joint: JointIndex(j),
                        k: start.coordinate,
                        wanted,
                    });
                }
            }
        }
        for (b, body) in model.bodies.iter().enumerate() {
            if let (Some(v), true) = (body.velocity, body.start.keep || wanted == Wanted::All) {
                let linear = body.given.linear.then_some(v.linear);
                let angular = body.given.angular.then_some(v.angular);
                push_body(&mut list, model.space, b, linear, angular);
            }
        }
        Pins {
            system,
            list,
            rates: true,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns the largest requested velocity, the reference of differences; one if all are zero; `None` for positions.
    pub(super) fn scale(&self) -> Option<f64> {
        let wanted = self.list.iter().map(|pin| match pin {
            Pin::Coordinate { wanted, .. }
            | Pin::Translation { wanted, .. }
            | Pin::Rotation { wanted, .. } => wanted.abs(),
        });
        let largest = wanted.fold(0.0, f64::max);
        let scale = if largest > 0.0 { largest } else { 1.0 };
        self.rates.then_some(scale)
    }

    /// Columns of pin `i`.
    pub(super) fn columns(&self, i: usize) -> Vec<usize> {
        let of = |body: BodyIndex| {
            body.number()
                .map_or_else(Vec::new, |b| self.system.body_columns(b))
        };
        let mut columns = match self.list[i] {
            Pin::Coordinate { joint, .. } => {
                let element = &self.system.model().joints[joint.0];
                let mut columns = of(element.first.0);
                columns.extend(of(element.second.0));
                columns
            }
            Pin::Translation { body, .. } | Pin::Rotation { body, .. } => of(BodyIndex(body)),
        };
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// Returns the deviation of pin `i` from its requested value, and its derivative as a generalised force in `gradient`.
    pub(super) fn evaluate(
        &self,
        i: usize,
        kinematics: &SystemKinematics,
        loads: &mut Loads,
        gradient: &mut [f64],
    ) -> f64 {
        let model = self.system.model();
        let context = EvaluationContext { model, kinematics };
        loads.clear();
        let residual = match self.list[i] {
            Pin::Coordinate { joint, k, wanted } => {
                let row = context.coordinate(joint, k);
                loads.add_joint(&context, joint, &row, 1.0);
                if self.rates {
                    row.rate(&kinematics.joints[joint.0].rel) - wanted
                } else if model.joints[joint.0].joint.coordinates(model.space)[k].angular {
                    let turn = std::f64::consts::TAU;
                    let off = row.phi - wanted;
                    off - turn * (off / turn).round()
                } else {
                    row.phi - wanted
                }
            }
            Pin::Translation { body, axis, wanted } => {
                let marker = model.body_marker(BodyIndex(body));
                let motion = context.marker(marker);
                let mut along = Vec3::zeros();
                along[axis] = 1.0;
                loads.add_force(&context, BodyIndex(body), &motion.p, &along);
                (if self.rates { motion.v } else { motion.p })[axis] - wanted
            }
            Pin::Rotation { body, axis, wanted } => {
                let motion = &kinematics.bodies[body];
                let mut along = Vec3::zeros();
                along[axis] = 1.0;
                loads.add_torque(BodyIndex(body), &along);
                if self.rates {
                    motion.w[axis] - wanted
                } else {
                    // twice the vector part of the rotation from the requested orientation: the small angle, in ground axes
                    let target = model.bodies[body].start.pose.map_or(motion.R, |p| p.R);
                    parameters(&product(&motion.R, &target.transpose()))[1 + axis] * 2.0
                }
            }
        };
        gradient.fill(0.0);
        self.system.generalize(kinematics, loads, gradient);
        residual
    }

    /// Returns the unit of pin `i`.
    pub(super) fn unit(&self, i: usize) -> &'static str {
        let model = self.system.model();
        let angular = match self.list[i] {
            Pin::Coordinate { joint, k, .. } => {
                model.joints[joint.0].joint.coordinates(model.space)[k].angular
            }
            Pin::Translation { .. } => false,
            Pin::Rotation { .. } => true,
        };
        match (angular, self.rates) {
            (false, false) => "m",
            (false, true) => "m/s",
            (true, false) => "rad",
            (true, true) => "rad/s",
        }
    }

    /// Describes pin `i`.
    pub(super) fn describe(&self, i: usize) -> String {
        let model = self.system.model();
        let what = if self.rates { "velocity" } else { "value" };
        match self.list[i] {
            Pin::Coordinate { joint, k, wanted } => {
                let element = &model.joints[joint.0];
                let name = element.joint.coordinates(model.space)[k].name;
                let unit = self.unit(i);
                format!(
                    "the initial {what} {wanted} {unit} of `{}.{name}`",
                    element.name
                )
            }
            Pin::Translation { body, .. } | Pin::Rotation { body, .. } => {
                let what = if self.rates { "velocity" } else { "pose" };
                format!("the initial {what} of body `{}`", model.bodies[body].name)
            }
        }
    }
}

fn push_body(
    list: &mut Vec<Pin>,
    space: Space,
    body: usize,
    linear: Option<Vec3<f64>>,
    angular: Option<Vec3<f64>>,
) {
    if let Some(linear) = linear {
        list.extend((0..space.axes()).map(|axis| Pin::Translation {
            body,
            axis,
            wanted: linear[axis],
        }));
    }
    if let Some(angular) = angular {
        let first = if space == Space::Planar { 2 } else { 0 };
        list.extend((first..3).map(|axis| Pin::Rotation {
            body,
            axis,
            wanted: angular[axis],
        }));
    }
}
