//! The contents of a robot description.

use biela_core::math::rotation::about;
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::JointLimits;

use super::{UrdfOptions, joints, links};
use crate::diagnostic::{Diagnostics, Spanned};
use crate::import::xml::XmlElement;

/// A robot.
pub(super) struct UrdfRobot<'x> {
    pub(super) name: &'x str,
    pub(super) links: Vec<UrdfLink<'x>>,
    pub(super) joints: Vec<UrdfJoint<'x>>,
    /// Set if every link and joint could be read.
    pub(super) complete: bool,
}

/// A link.
pub(super) struct UrdfLink<'x> {
    pub(super) element: XmlElement<'x>,
    pub(super) name: Spanned<&'x str>,
    pub(super) inertial: Option<Inertial<'x>>,
    pub(super) shapes: Vec<UrdfShape<'x>>,
}

impl UrdfLink<'_> {
    /// Returns `true` if it has neither mass nor inertia.
    pub(super) fn is_massless(&self) -> bool {
        let none = |i: &Inertial<'_>| i.mass == 0.0 && i.inertia == Mat3::zeros();
        self.inertial.as_ref().is_none_or(none)
    }
}

/// Mass properties.
pub(super) struct Inertial<'x> {
    /// `<inertia>`.
    pub(super) element: XmlElement<'x>,
    pub(super) mass: f64,
    /// Mass centre in the frame of the link.
    pub(super) center: Vec3<f64>,
    /// Inertia about the mass centre, in the axes of the link.
    pub(super) inertia: Mat3<f64>,
}

/// A shape in the frame of the link.
pub(super) struct UrdfShape<'x> {
    pub(super) pose: Pose,
    pub(super) geometry: Geometry<'x>,
}

/// A geometry.
pub(super) enum Geometry<'x> {
    Box([f64; 3]),
    Cylinder { radius: f64, length: f64 },
    Capsule { radius: f64, length: f64 },
    Sphere { radius: f64 },
    Mesh { file: &'x str, scale: [f64; 3] },
}

/// The type of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UrdfJointKind {
    Fixed,
    /// Revolute or continuous.
    Turn,
    Prismatic,
    Planar,
    Floating,
}

impl UrdfJointKind {
    /// Returns `true` if it has one coordinate.
    pub(super) fn is_single(self) -> bool {
        matches!(self, UrdfJointKind::Turn | UrdfJointKind::Prismatic)
    }
}

/// A joint.
pub(super) struct UrdfJoint<'x> {
    pub(super) element: XmlElement<'x>,
    pub(super) name: Spanned<&'x str>,
    pub(super) kind: UrdfJointKind,
    pub(super) parent: Spanned<&'x str>,
    pub(super) child: Spanned<&'x str>,
    /// X_origin.
    pub(super) origin: Pose,
    /// The axis as written; not a zero vector.
    pub(super) axis: Vec3<f64>,
    pub(super) limits: JointLimits,
    pub(super) damping: f64,
    pub(super) friction: f64,
    pub(super) mimic: Option<Mimic<'x>>,
    /// Armature: inertia of the rotor, reflected through its gear.
    pub(super) armature: f64,
}

/// A mimic joint: q = multiplier · q_joint + offset.
#[derive(Clone, Copy)]
pub(super) struct Mimic<'x> {
    pub(super) element: XmlElement<'x>,
    pub(super) joint: Spanned<&'x str>,
    pub(super) multiplier: f64,
    pub(super) offset: f64,
}

/// Reads a robot; `None` if the file does not contain one, which was reported.
pub(super) fn read<'x>(
    root: XmlElement<'x>,
    options: UrdfOptions,
    diagnostics: &Diagnostics,
) -> Option<UrdfRobot<'x>> {
    if root.name() != "robot" {
        let message = format!("this is not URDF: the root element is <{}>", root.name());
        let help = match root.name() {
            "mujoco" => "this is MJCF: import it as MJCF",
            "sdf" => "SDF is not supported; most programs that write it write URDF too",
            _ => "the root element of a URDF is <robot name=\"…\">",
        };
        root.error("not-urdf", message, (root.span(), ""), help);
        return None;
    }
    if let Some(macros) = root.children().find(|child| child.is_in("xacro")) {
        let message = "this is a xacro file: its macros are not expanded".to_owned();
        let help = "run `xacro robot.urdf.xacro > robot.urdf` first";
        root.error("xacro", message, (macros.span(), ""), help);
        return None;
    }
    let links: Vec<UrdfLink<'x>> = root
        .each("link")
        .filter_map(|element| links::link(element, options))
        .collect();
    let mut joints: Vec<UrdfJoint<'x>> = root.each("joint").filter_map(joints::joint).collect();
    joints::add_rotors(root, &mut joints);
    if links.is_empty() && !diagnostics.has_errors() {
        let message = "this robot has no link".to_owned();
        let help = "a file that only includes others must be expanded with xacro first";
        root.error("no-link", message, (root.span(), ""), help);
    }
    let name = root.attribute("name").map_or("", |name| name.value);
    let count = root.each("link").count() + root.each("joint").count();
    Some(UrdfRobot {
        name,
        complete: links.len() + joints.len() == count,
        links,
        joints,
    })
}

/// The name of an element that requires one.
pub(super) fn name_of(element: XmlElement<'_>) -> Option<Spanned<&str>> {
    let tag = element.name();
    let help = format!("write <{tag} name=\"…\">");
    let name = element.required("name", &help)?;
    if name.value.trim().is_empty() {
        let message = format!("a <{tag}> has an empty name");
        element.error("missing-attribute", message, (element.span(), ""), &help);
        return None;
    }
    Some(name)
}

/// The pose of the `<origin>` in an element; the identity by default.
pub(super) fn origin(element: XmlElement<'_>) -> Pose {
    let Some(origin) = element.first("origin") else {
        return Pose::identity();
    };
    let xyz = origin.vector::<3>("xyz").map_or([0.0; 3], |xyz| xyz.value);
    let rpy = origin.vector::<3>("rpy").map_or([0.0; 3], |rpy| rpy.value);
    Pose::new(from_rpy(rpy), Vec3::from(xyz))
}

/// Rz(yaw) Ry(pitch) Rx(roll), exact for zero angles.
fn from_rpy([roll, pitch, yaw]: [f64; 3]) -> Mat3<f64> {
    let turns = [(2, yaw), (1, pitch), (0, roll)];
    let turns = turns.into_iter().filter(|(_, angle)| *angle != 0.0);
    turns.fold(Mat3::identity(), |turn, (axis, angle)| {
        turn * about(axis, angle)
    })
}
