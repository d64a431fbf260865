//! A model as a robot: an open tree of links with an ordered list of joints.
//!
//! ```
//! use std::f64::consts::FRAC_PI_2;
//!
//! use biela_core::joints::Revolute;
//! use biela_core::math::{Pose, Vec3};
//! use biela_core::model::{Body, MarkerIndex, MassProperties, Model, Space};
//! use biela_core::robot::Robot;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // two links of 0.4 m in the plane
//! let mut model = Model::new("arm", Space::Planar);
//! let mut end = MarkerIndex::GROUND;
//! for name in ["upper", "fore"] {
//!     let link = model.add_body(Body::new(name, MassProperties::planar(1.0, [0.2, 0.0], 0.02)?));
//!     let _ = model.connect(format!("{name}_joint"), Revolute, [end, model.body_marker(link)]);
//!     end = model.add_marker("end", link, Pose::translation(0.4, 0.0, 0.0));
//! }
//! model.robot.tool = Some(end);
//!
//! let robot = Robot::of(&model)?;
//! let mut workspace = robot.workspace();
//! let tool = robot.tool_pose(&mut workspace, &[0.0, FRAC_PI_2])?;
//! assert!((tool.p - Vec3::new(0.4, 0.4, 0.0)).norm() < 1e-12);
//! # Ok(())
//! # }
//! ```

mod inverse;
mod kinematics;
pub mod li;
mod manipulability;
pub mod regressor;
mod singularity;
#[cfg(test)]
pub(crate) mod suite;
mod task;
mod workspace;

pub use inverse::{InverseKinematics, InverseKinematicsResult, InverseKinematicsSettings};
pub use kinematics::FrameMotion;
pub use manipulability::{Manipulability, PrincipalMotion};
pub use singularity::{Lost, Singularity};
pub use task::{Goal, TaskDirections};
pub use workspace::{
    Extreme, Extremes, SectionMap, WorkspaceSection, extremes, reachable_points, section,
};
mod sensitivity;

pub use sensitivity::Sensitivity;

use crate::math::Pose;
use crate::model::{JointIndex, JointLimits, MarkerIndex, Model};
use crate::tree::{Tree, TreeLocation, TreeWorkspace, pose_of, positions, rnea};

/// A joint that moves a robot.
#[derive(Clone, Debug)]
pub struct RobotJoint {
    /// Name.
    pub name: String,
    /// The joint in the model.
    pub index: JointIndex,
    /// The link that it moves.
    pub link: usize,
    /// Index of its coordinate among the positions of the tree.
    pub q: usize,
    /// Index of its velocity among the velocities of the tree.
    pub v: usize,
    /// Whether its coordinate is an angle and not a length.
    pub angle: bool,
    /// Its limits.
    pub limits: JointLimits,
    /// Whether it is passive (not actuated).
    pub passive: bool,
}

impl RobotJoint {
    /// Unit of its coordinate.
    pub fn unit(&self) -> &'static str {
        if self.angle { "rad" } else { "m" }
    }

    /// Unit of its force or torque.
    pub fn effort_unit(&self) -> &'static str {
        if self.angle { "N*m" } else { "N" }
    }
}

/// The reason why a model is not a robot.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RobotError {
    /// No joint has a single coordinate.
    NoJoints,
    /// Joints close a kinematic loop, or are nonholonomic.
    NotOpen {
        /// The joints.
        joints: Vec<String>,
    },
    /// A joint of the robot has no coordinate or several.
    NotSingle {
        /// The joint.
        joint: String,
    },
    /// The model has degrees of freedom that are not joints of the robot.
    NotAmongJoints {
        /// The joints, or free-floating bodies.
        names: Vec<String>,
    },
    /// The model has a flexible beam.
    Flexible {
        /// The beam.
        beam: String,
    },
    /// The ground frame of the model rotates.
    Spins,
    /// The robot has no tool.
    NoTool,
}

impl std::fmt::Display for RobotError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let quoted = |names: &[String]| {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            names.join(", ")
        };
        match self {
            RobotError::NoJoints => write!(
                f,
                "the model has no joint with a single coordinate, such as revolute or prismatic; a robot needs at least one"
            ),
            RobotError::NotOpen { joints } => write!(
                f,
                "{} {} a loop; robot analyses require an open tree. Simulate the motion instead",
                quoted(joints),
                if joints.len() == 1 { "closes" } else { "close" }
            ),
            RobotError::NotSingle { joint } => write!(
                f,
                "joint `{joint}` has no or several coordinates; a joint of a robot has exactly one"
            ),
            RobotError::NotAmongJoints { names } => write!(
                f,
                "the model has degrees of freedom beside the joints of the robot: {}. Weld them, or list them among the joints",
                quoted(names)
            ),
            RobotError::Flexible { beam } => write!(
                f,
                "beam `{beam}` is flexible; robot analyses require rigid links. Set `rigid = true`, or simulate the motion instead"
            ),
            RobotError::Spins => write!(
                f,
                "the ground of the model spins; robot analyses require a ground at rest. Remove `spin`, or simulate the motion instead"
            ),
            RobotError::NoTool => write!(
                f,
                "the robot has no tool: name its frame, e.g. [robot] tool = \"hand.tip\""
            ),
        }
    }
}

crate::readable_errors!(RobotError);

/// A model as a robot.
#[derive(Clone, Debug)]
pub struct Robot {
    /// The links.
    pub tree: Tree<f64>,
    /// The joints that move it, in the order given by the user.
    pub joints: Vec<RobotJoint>,
    /// The tool frame.
    pub tool: Option<TreeLocation<f64>>,
    /// The preferred posture, one value per joint.
    pub posture: Vec<f64>,
}

/// The generalized forces of a motion by inverse dynamics, one per joint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Efforts {
    /// Inertial part: M(q) q̈.
    pub inertial: Vec<f64>,
    /// Centrifugal and Coriolis part: c(q, q̇).
    pub coriolis: Vec<f64>,
    /// Gravity part: g(q).
    pub gravity: Vec<f64>,
    /// Their sum.
    pub total: Vec<f64>,
}

impl Efforts {
    /// Resizes the vectors to the number of joints.
    fn resize(&mut self, joints: usize) {
        for part in [
            &mut self.inertial,
            &mut self.coriolis,
            &mut self.gravity,
            &mut self.total,
        ] {
            part.resize(joints, 0.0);
        }
    }
}

/// Buffers for [`Robot::efforts`].
#[derive(Clone, Debug)]
pub struct RobotWorkspace {
    /// Buffers of the tree's algorithms.
    pub tree: TreeWorkspace<f64>,
    /// Positions of the tree.
    pub q: Vec<f64>,
    /// Velocities of the tree.
    pub v: Vec<f64>,
    /// Accelerations of the tree.
    pub a: Vec<f64>,
    efforts: Vec<f64>,
    still: Vec<f64>,
}

impl Robot {
    /// Builds the robot of a model.
    pub fn of(model: &Model) -> Result<Robot, RobotError> {
        let exact = model.exact_beams.iter().map(|beam| &beam.name);
        let mut beams = model.beams.iter().map(|beam| &beam.name).chain(exact);
        if let Some(beam) = beams.next() {
            return Err(RobotError::Flexible { beam: beam.clone() });
        }
        if model.spin != 0.0 {
            return Err(RobotError::Spins);
        }
        let tree = Tree::spanning(model);
        if !tree.span.cuts.is_empty() {
            let name = |j: &JointIndex| model.joints[j.0].name.clone();
            return Err(RobotError::NotOpen {
                joints: tree.span.cuts.iter().map(name).collect(),
            });
        }
        let single = |link: &crate::tree::Link| link.shape.positions() == 1;
        let chosen: Vec<JointIndex> = if model.robot.joints.is_empty() {
            let links = tree.links.iter().filter(|link| single(link));
            links.filter_map(|link| link.element).collect()
        } else {
            model.robot.joints.clone()
        };
        if chosen.is_empty() {
            return Err(RobotError::NoJoints);
        }
        let joint = |&index: &JointIndex| {
            let element = &model.joints[index.0];
            let carries = |link: &crate::tree::Link| link.element == Some(index);
            let link = tree.links.iter().position(carries);
            let Some(link) = link.filter(|&link| single(&tree.links[link])) else {
                return Err(RobotError::NotSingle {
                    joint: element.name.clone(),
                });
            };
            let angle = element.joint.coordinates(model.space)[0].angular;
            Ok(RobotJoint {
                name: element.name.clone(),
                index,
                link,
                q: tree.links[link].q,
                v: tree.links[link].v,
                angle,
                limits: element.limits,
                passive: model.robot.passive.contains(&index),
            })
        };
        let joints = chosen.iter().map(joint).collect::<Result<Vec<_>, _>>()?;
        let posture = if model.robot.posture.len() == joints.len() {
            model.robot.posture.clone()
        } else {
            joints.iter().map(|joint| middle(&joint.limits)).collect()
        };
        let tool = model.robot.tool.map(|marker| place(model, &tree, marker));
        Ok(Robot {
            tree,
            joints,
            tool,
            posture,
        })
    }

    /// Builds the robot; returns an error if the model has other degrees of freedom than its joints.
    pub fn complete(model: &Model) -> Result<Robot, RobotError> {
        let robot = Robot::of(model)?;
        let moved = |link: &usize| robot.joints.iter().any(|joint| joint.link == *link);
        let others = (0..robot.tree.links.len()).filter(|link| !moved(link));
        let name = |number: usize| {
            let joint = robot.tree.links[number].element;
            let on = |place: &TreeLocation| place.link == Some(number);
            let body = robot.tree.places.iter().position(on);
            let joint = joint.map(|j| &model.joints[j.0].name);
            joint.or(body.map(|b| &model.bodies[b].name)).cloned()
        };
        let names: Vec<String> = others.filter_map(name).collect();
        if names.is_empty() {
            Ok(robot)
        } else {
            Err(RobotError::NotAmongJoints { names })
        }
    }

    /// Its tool.
    pub fn tool(&self) -> Result<&TreeLocation<f64>, RobotError> {
        self.tool.as_ref().ok_or(RobotError::NoTool)
    }

    /// Buffers.
    pub fn workspace(&self) -> RobotWorkspace {
        let mut q = vec![0.0; self.tree.positions];
        // free-floating bodies have the identity orientation
        for link in self.tree.links.iter().filter(|link| link.shape.rotation) {
            q[link.q + link.shape.scalars] = 1.0;
        }
        RobotWorkspace {
            tree: TreeWorkspace::new(&self.tree),
            q,
            v: vec![0.0; self.tree.velocities],
            a: vec![0.0; self.tree.velocities],
            efforts: vec![0.0; self.tree.velocities],
            still: vec![0.0; self.tree.velocities],
        }
    }

    /// Copies one value per joint into the positions of the tree.
    pub fn scatter_positions(&self, joints: &[f64], q: &mut [f64]) {
        for (joint, value) in self.joints.iter().zip(joints) {
            q[joint.q] = *value;
        }
    }

    /// Copies one value per joint into the velocities of the tree.
    pub fn scatter(&self, joints: &[f64], v: &mut [f64]) {
        for (joint, value) in self.joints.iter().zip(joints) {
            v[joint.v] = *value;
        }
    }

    /// Copies one value per joint from the velocities of the tree.
    pub fn gather(&self, v: &[f64], joints: &mut [f64]) {
        for (joint, value) in self.joints.iter().zip(joints) {
            *value = v[joint.v];
        }
    }

    /// Returns the pose of the tool at the joint positions `q`.
    pub fn tool_pose(&self, ws: &mut RobotWorkspace, q: &[f64]) -> Result<Pose, RobotError> {
        let tool = self.tool()?;
        self.scatter_positions(q, &mut ws.q);
        positions(&self.tree, &mut ws.tree, &ws.q);
        Ok(pose_of(&ws.tree, tool))
    }

    /// Inverse dynamics: computes the generalized forces of a motion of all joints, by their parts: M q̈ + c(q, q̇) + g(q).
    pub fn efforts(
        &self,
        ws: &mut RobotWorkspace,
        [q, rate, acceleration]: [&[f64]; 3],
        out: &mut Efforts,
    ) {
        let n = self.joints.len();
        out.resize(n);
        self.scatter_positions(q, &mut ws.q);
        self.scatter(rate, &mut ws.v);
        self.scatter(acceleration, &mut ws.a);
        let (tree, f) = (&self.tree, &mut ws.efforts);
        rnea(tree, &mut ws.tree, &ws.q, &ws.still, &ws.still, &[], f);
        self.gather(f, &mut out.gravity);
        rnea(tree, &mut ws.tree, &ws.q, &ws.v, &ws.still, &[], f);
        self.gather(f, &mut out.coriolis);
        rnea(tree, &mut ws.tree, &ws.q, &ws.v, &ws.a, &[], f);
        self.gather(f, &mut out.total);
        for i in 0..n {
            out.inertial[i] = out.total[i] - out.coriolis[i];
            out.coriolis[i] -= out.gravity[i];
        }
    }
}

/// Returns the location of a marker on a tree.
pub fn place(model: &Model, tree: &Tree<f64>, marker: MarkerIndex) -> TreeLocation<f64> {
    let marker = &model.markers[marker.0];
    match marker.body.number() {
        Some(b) => TreeLocation {
            link: tree.places[b].link,
            pose: tree.places[b].pose.then(&marker.pose),
        },
        None => TreeLocation {
            link: None,
            pose: marker.pose,
        },
    }
}

/// The midpoint of limits; if one end is open, the value closest to zero.
fn middle(limits: &JointLimits) -> f64 {
    let middle = f64::midpoint(limits.lower, limits.upper);
    if middle.is_finite() {
        middle
    } else {
        limits.clamp(0.0)
    }
}
