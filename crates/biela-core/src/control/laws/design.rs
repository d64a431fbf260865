//! The design model of a control law.

use super::ReferencePoint;
use crate::element::{ArgumentError, Arguments};
use crate::model::{BodyIndex, MarkerIndex, Model};
use crate::robot::{Robot, RobotError, RobotWorkspace, place};
use crate::tree::{TreeLocation, hybrid, rnea, velocities};

/// The design model of a law, with the driven joints, the sampling period and the start of the reference.
#[derive(Clone, Debug)]
pub struct DesignModel<'m> {
    /// The model.
    pub model: &'m Model,
    /// The model as a robot whose joints determine its motion.
    pub robot: Robot,
    /// Whether the law drives each of the robot's joints.
    pub driven: Vec<bool>,
    /// Time between samples.
    pub period: f64,
    /// The reference at the first sample.
    pub start: ReferencePoint,
}

impl<'m> DesignModel<'m> {
    /// A design that drives all joints of the model that are not passive, with the reference at rest at zero.
    pub fn new(model: &'m Model, period: f64) -> Result<Self, RobotError> {
        let robot = Robot::complete(model)?;
        Ok(DesignModel {
            model,
            driven: robot.joints.iter().map(|joint| !joint.passive).collect(),
            start: ReferencePoint::new(robot.joints.len()),
            robot,
            period,
        })
    }

    /// Number of joints.
    pub(super) fn joints(&self) -> usize {
        self.robot.joints.len()
    }

    /// Returns the gains of the driven joints; zero for the others.
    pub(super) fn gains(
        &self,
        arguments: &Arguments,
        field: &'static str,
    ) -> Result<Vec<f64>, ArgumentError> {
        let count = self.driven.iter().filter(|driven| **driven).count();
        let given = spread(arguments, field, count)?;
        let mut given = given.into_iter();
        let gain = |&driven: &bool| {
            if driven {
                given.next().unwrap_or(0.0)
            } else {
                0.0
            }
        };
        Ok(self.driven.iter().map(gain).collect())
    }

    /// Returns the values of all joints, driven or not.
    pub(super) fn per_joint(
        &self,
        arguments: &Arguments,
        field: &'static str,
    ) -> Result<Vec<f64>, ArgumentError> {
        spread(arguments, field, self.joints())
    }

    /// Returns an error if some joints are not driven, for laws that require all joints to be driven.
    pub(super) fn fully_driven(&self, law: &str) -> Result<(), ArgumentError> {
        let free = self.robot.joints.iter().zip(&self.driven);
        let names: Vec<String> = free
            .filter(|(_, driven)| !**driven)
            .map(|(joint, _)| format!("`{}`", joint.name))
            .collect();
        if names.is_empty() {
            return Ok(());
        }
        Err(ArgumentError {
            field: "joints",
            message: format!(
                "law `{law}` requires every joint to be driven; {} {} not. Use `lqr` or `computed-torque`",
                names.join(", "),
                if names.len() == 1 { "is" } else { "are" }
            ),
        })
    }

    /// Returns the location of the frame named `body.point` or `body` on the robot.
    pub(super) fn frame(
        &self,
        field: &'static str,
        name: &str,
    ) -> Result<TreeLocation<f64>, ArgumentError> {
        let markers = 0..self.model.markers.len();
        let mut found = markers.map(MarkerIndex);
        let marker = found.find(|marker| self.model.marker_name(*marker) == name);
        let marker = marker.ok_or_else(|| ArgumentError {
            field,
            message: format!("the design model has no point or frame `{name}`"),
        })?;
        Ok(place(self.model, &self.robot.tree, marker))
    }

    /// Returns a body of the design model.
    pub(super) fn body(&self, field: &'static str, name: &str) -> Result<BodyIndex, ArgumentError> {
        let bodies = &self.model.bodies;
        let found = bodies.iter().position(|body| body.name == name);
        found.map(BodyIndex).ok_or_else(|| ArgumentError {
            field,
            message: format!("the design model has no body `{name}`"),
        })
    }
}

/// Returns `count` numbers from a field: as given, or one value for all.
fn spread(
    arguments: &Arguments,
    field: &'static str,
    count: usize,
) -> Result<Vec<f64>, ArgumentError> {
    let given = arguments.numbers(field);
    let fault = |message: String| Err(ArgumentError { field, message });
    if let Some(x) = given.iter().find(|x| **x < 0.0) {
        return fault(format!("a value is {x}; it must be zero or more"));
    }
    match given.as_slice() {
        [one] => Ok(vec![*one; count]),
        all if all.len() == count => Ok(given),
        all => fault(format!(
            "it has {} values for {count} joints: give one for all, or one per joint",
            all.len()
        )),
    }
}

/// Inverse dynamics of the design model, in the order of the robot's joints.
#[derive(Clone, Debug)]
pub(super) struct InverseDynamics {
    pub(super) robot: Robot,
    pub(super) ws: RobotWorkspace,
    /// Generalized forces or accelerations of the tree.
    f: Vec<f64>,
    /// Whether each velocity of the tree belongs to a driven joint; empty if all do.
    held: Vec<bool>,
    still: Vec<f64>,
}

impl InverseDynamics {
    pub(super) fn new(design: &DesignModel<'_>) -> Self {
        let robot = design.robot.clone();
        let mut held = Vec::new();
        if design.driven.contains(&false) {
            held.resize(robot.tree.velocities, false);
            for (joint, driven) in robot.joints.iter().zip(&design.driven) {
                held[joint.v] = *driven;
            }
        }
        InverseDynamics {
            ws: robot.workspace(),
            f: vec![0.0; robot.tree.velocities],
            held,
            still: vec![0.0; robot.joints.len()],
            robot,
        }
    }

    /// `M(q) a + c(q, v) + g(q)`.
    pub(super) fn efforts(&mut self, [q, v, a]: [&[f64]; 3], out: &mut [f64]) {
        let (robot, ws) = (&self.robot, &mut self.ws);
        robot.scatter_positions(q, &mut ws.q);
        robot.scatter(v, &mut ws.v);
        robot.scatter(a, &mut ws.a);
        rnea(
            &robot.tree,
            &mut ws.tree,
            &ws.q,
            &ws.v,
            &ws.a,
            &[],
            &mut self.f,
        );
        robot.gather(&self.f, out);
    }

    /// Computes the generalized forces of a point of the reference.
    pub(super) fn along(&mut self, reference: &ReferencePoint, out: &mut [f64]) {
        self.efforts([&reference.q, &reference.v, &reference.a], out);
    }

    /// `g(q)`.
    pub(super) fn gravity(&mut self, q: &[f64], out: &mut [f64]) {
        let still = std::mem::take(&mut self.still);
        self.efforts([q, &still, &still], out);
        self.still = still;
    }

    /// Computes the generalized forces of the driven joints that give them the accelerations `a`; the accelerations of the others follow.
    pub(super) fn accelerate(&mut self, [q, v, a]: [&[f64]; 3], out: &mut [f64]) {
        if self.held.is_empty() {
            return self.efforts([q, v, a], out);
        }
        let (robot, ws) = (&self.robot, &mut self.ws);
        robot.scatter_positions(q, &mut ws.q);
        robot.scatter(v, &mut ws.v);
        robot.scatter(a, &mut ws.a);
        for (given, held) in ws.a.iter_mut().zip(&self.held) {
            if !held {
                *given = 0.0;
            }
        }
        velocities(&robot.tree, &mut ws.tree, &ws.q, &ws.v);
        hybrid(
            &robot.tree,
            &mut ws.tree,
            &self.held,
            &ws.a,
            &[],
            &mut self.f,
        );
        ws.a.copy_from_slice(&self.f);
        rnea(
            &robot.tree,
            &mut ws.tree,
            &ws.q,
            &ws.v,
            &ws.a,
            &[],
            &mut self.f,
        );
        robot.gather(&self.f, out);
    }
}
