//! Generates the text of the model.
#![allow(non_snake_case)]

use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{JointLimits, MassProperties};

use super::arrange::LinkTree;
use super::carry::{CarriedLink, carriers, rigid_offset};
use super::robot::{Geometry, Inertial, UrdfJointKind, UrdfRobot, UrdfShape};
use super::{Base, UrdfOptions};
use crate::diagnostic::{escaped, shown};
use crate::import::names::{TakenNames, valid};
use crate::import::text::{
    self, ImportedText, angle, inertia, listed, number, quoted, rotation, vector,
};
use crate::import::xml::XmlElement;

/// Dry friction reaches its full value at this speed, in rad/s or m/s.
const TRANSITION_SPEED: f64 = 0.01;

/// Generates the model; problems are reported.
pub(super) fn model(
    robot: &UrdfRobot<'_>,
    tree: &LinkTree,
    file: &str,
    options: UrdfOptions,
) -> String {
    let mut page = UrdfModelText::new(robot, tree, options);
    page.warn_of_rest();
    page.head(file);
    page.ground();
    for &link in &tree.order {
        if page.is_body(link) {
            page.body(link);
        }
    }
    page.root_joint();
    for &link in &tree.order {
        if let Some(j) = tree.joint[link] {
            page.joint(link, j);
        }
    }
    page.couplers();
    page.friction();
    page.tool();
    page.study();
    page.out.finish()
}

/// A frame on a body or the ground.
struct UrdfFrame {
    /// The link of the body; `None` for the ground.
    body: Option<usize>,
    name: String,
    pose: Pose,
}

struct UrdfModelText<'r> {
    robot: &'r UrdfRobot<'r>,
    tree: &'r LinkTree,
    options: UrdfOptions,
    carried: Vec<CarriedLink>,
    taken: TakenNames,
    /// Names of bodies, by link; also of links that are frames.
    link_names: Vec<String>,
    joint_names: Vec<String>,
    frames: Vec<UrdfFrame>,
    /// The first end of each joint, as written.
    ends: Vec<String>,
    out: ImportedText,
}

impl<'r> UrdfModelText<'r> {
    fn new(robot: &'r UrdfRobot<'r>, tree: &'r LinkTree, options: UrdfOptions) -> Self {
        let mut taken = TakenNames::default();
        let link_names: Vec<String> = (1..)
            .zip(&robot.links)
            .map(|(n, link)| taken.choose(&valid(link.name.value), "link", n))
            .collect();
        let joint_names: Vec<String> = (1..)
            .zip(&robot.joints)
            .map(|(n, joint)| taken.choose(&valid(joint.name.value), "joint", n))
            .collect();
        let mut page = UrdfModelText {
            robot,
            tree,
            options,
            carried: carriers(robot, tree, options),
            taken,
            link_names,
            joint_names,
            frames: Vec::new(),
            ends: Vec::new(),
            out: ImportedText::default(),
        };
        page.frames();
        page
    }

    fn is_body(&self, link: usize) -> bool {
        self.carried[link].body == Some(link)
    }

    /// Creates the frames of massless links and the first ends of joints. Names of links and joints are unique, and so are those of the frames.
    fn frames(&mut self) {
        for &link in &self.tree.order {
            let CarriedLink { body, pose } = self.carried[link];
            if body != Some(link) {
                let name = self.link_names[link].clone();
                self.frames.push(UrdfFrame { body, name, pose });
            }
        }
        for (j, joint) in self.robot.joints.iter().enumerate() {
            let parent = (0..self.robot.links.len())
                .find(|&link| self.tree.joint[link] == Some(j))
                .and_then(|link| self.tree.parent[link]);
            let Some(parent) = parent else {
                self.ends.push(String::new());
                continue;
            };
            let CarriedLink { body, pose } = self.carried[parent];
            let offset = rigid_offset(joint, self.tree.held[j], self.tree.start[j]);
            let pose = pose.then(&offset.unwrap_or(joint.origin));
            let owner = self.owner(body);
            let used = self.joint_is_written(j);
            let end = if is_identity(&pose) || !used {
                owner
            } else {
                let name = self.joint_names[j].clone();
                let end = format!("{owner}.{name}");
                self.frames.push(UrdfFrame { body, name, pose });
                end
            };
            self.ends.push(end);
        }
    }

    /// Returns `true` if a joint is part of the model, i.e. if its child is a body.
    fn joint_is_written(&self, j: usize) -> bool {
        let carries = |link: usize| self.tree.joint[link] == Some(j) && self.is_body(link);
        (0..self.robot.links.len()).any(carries)
    }

    fn owner(&self, body: Option<usize>) -> String {
        body.map_or("ground".to_owned(), |link| self.link_names[link].clone())
    }

    /// Returns `true` if a joint moves.
    fn moves(&self, j: usize) -> bool {
        self.robot.joints[j].kind != UrdfJointKind::Fixed && !self.tree.held[j]
    }

    /// Warns that a robot without moving joints moves only with its base.
    fn warn_of_rest(&self) {
        let Some(root) = self.tree.order.first().map(|&root| &self.robot.links[root]) else {
            return;
        };
        let still = (0..self.robot.joints.len()).all(|j| !self.moves(j));
        if still && self.options.base == Base::Fixed {
            let message = "nothing moves: the base and all links are fixed".to_owned();
            let help = "import a vehicle or a flying robot with a floating base";
            let place = (root.name.span, "the base");
            root.element.warning("nothing-moves", message, place, help);
        }
    }

    fn head(&mut self, file: &str) {
        let (name, file) = (escaped(self.robot.name), escaped(file));
        self.out.line(&format!("# {name}, from the URDF {file}."));
        self.out.line("format = 1");
        let name = valid(self.robot.name);
        let name = if name.is_empty() { "robot" } else { &name };
        self.out.key("name", &quoted(name));
        self.out.key("space", "\"spatial\"");
        self.out.key("gravity", "[0, 0, -9.81]");
    }

    fn ground(&mut self) {
        let carries_nothing = self.frames.iter().all(|frame| frame.body.is_some());
        let shapes = self.shapes(None);
        if carries_nothing && shapes.is_empty() {
            return;
        }
        self.out.table("[ground]");
        self.attached(None);
    }

    /// Writes frames and shapes of a body or of the ground.
    fn attached(&mut self, body: Option<usize>) {
        for frame in self.frames.iter().filter(|frame| frame.body == body) {
            let name = text::bare_key(&frame.name);
            let at = vector(frame.pose.p.as_slice());
            match rotation(&frame.pose.R) {
                None => self.out.key(&format!("points.{name}"), &at),
                Some(turn) => {
                    let table = format!("{{ at = {at}, rotation = {turn} }}");
                    self.out.key(&format!("frames.{name}"), &table);
                }
            }
        }
        match &self.shapes(body)[..] {
            [] => {}
            [one] => self.out.line(&format!("shapes = [{one}]")),
            several => {
                self.out.line("shapes = [");
                for shape in several {
                    self.out.line(&format!("  {shape},"));
                }
                self.out.line("]");
            }
        }
    }

    fn shapes(&self, body: Option<usize>) -> Vec<String> {
        let mut entries = Vec::new();
        for &link in &self.tree.order {
            let carried = &self.carried[link];
            if carried.body == body {
                let shapes = &self.robot.links[link].shapes;
                entries.extend(shapes.iter().map(|shape| shape_entry(shape, &carried.pose)));
            }
        }
        entries
    }

    fn body(&mut self, link: usize) {
        let entry = &self.robot.links[link];
        self.out.table("[[body]]");
        let name = self.link_names[link].clone();
        self.named(&name, entry.name.value);
        match &entry.inertial {
            Some(inertial) if !entry.is_massless() => self.mass(inertial, entry.element),
            _ => self.out.key("mass", "0"),
        }
        self.attached(Some(link));
    }

    /// Writes `name = …`, with the original name as a comment if it differs.
    fn named(&mut self, name: &str, original: &str) {
        if name == original {
            self.out.key("name", &quoted(name));
        } else {
            self.out.noted_key("name", &quoted(name), &shown(original));
        }
    }

    fn mass(&mut self, inertial: &Inertial<'_>, element: XmlElement<'_>) {
        self.out.key("mass", &number(inertial.mass));
        if inertial.center != Vec3::zeros() {
            self.out.key("com", &vector(inertial.center.as_slice()));
        }
        self.out.key("inertia", &inertia(&inertial.inertia, number));
        let checked = MassProperties::new(inertial.mass, inertial.center, inertial.inertia);
        if let Err(error) = checked {
            let message = format!("the inertia of {} is physically impossible", element.what());
            let label = error.to_string();
            let help = "it is imported unchanged, with `unphysical`; check the file";
            let place = (inertial.element.span(), label.as_str());
            element.warning("unphysical", message, place, help);
            self.out.key("unphysical", "true");
        }
    }

    /// Writes the joint of the root, if it is a body.
    fn root_joint(&mut self) {
        let Some(&root) = self.tree.order.first() else {
            return;
        };
        if !self.is_body(root) {
            return;
        }
        let name = self.taken.choose("base", "joint", 0);
        self.out.table("[[joint]]");
        self.out.key("name", &quoted(&name));
        let kind = match self.options.base {
            Base::Fixed => "weld",
            Base::Floating => "free",
        };
        self.out.key("type", &quoted(kind));
        let ends = listed([quoted("ground"), quoted(&self.link_names[root])]);
        self.out.key("between", &ends);
        if self.options.base == Base::Floating {
            self.out.key("initial", FREE_START);
        }
    }

    fn joint(&mut self, link: usize, j: usize) {
        if !self.is_body(link) {
            return;
        }
        let joint = &self.robot.joints[j];
        self.out.table("[[joint]]");
        let name = self.joint_names[j].clone();
        self.named(&name, joint.name.value);
        let kind = match joint.kind {
            _ if self.tree.held[j] => "weld",
            UrdfJointKind::Fixed => "weld",
            UrdfJointKind::Turn => "revolute",
            UrdfJointKind::Prismatic => "prismatic",
            UrdfJointKind::Planar => "planar",
            UrdfJointKind::Floating => "free",
        };
        self.out.key("type", &quoted(kind));
        let ends = [&self.ends[j], &self.link_names[link]];
        self.out
            .key("between", &listed(ends.map(|end| quoted(end))));
        if kind == "weld" {
            return;
        }
        if joint.kind != UrdfJointKind::Floating {
            self.out.key("axis", &vector(joint.axis.as_slice()));
        }
        let place = if joint.kind == UrdfJointKind::Turn {
            angle
        } else {
            number
        };
        if let Some(limits) = limits(&joint.limits, place) {
            self.out.key("limits", &limits);
        }
        if joint.armature > 0.0 {
            self.out.key("armature", &number(joint.armature));
        }
        let start = place(self.tree.start[j]);
        let initial = match joint.kind {
            UrdfJointKind::Turn => format!("{{ angle = {start} }}"),
            UrdfJointKind::Prismatic => format!("{{ position = {start} }}"),
            UrdfJointKind::Planar => "{ x = 0, y = 0, angle = 0 }".to_owned(),
            UrdfJointKind::Floating | UrdfJointKind::Fixed => FREE_START.to_owned(),
        };
        self.out.key("initial", &initial);
    }

    /// Writes the couplers q = multiplier · q_followed + offset.
    fn couplers(&mut self) {
        for (j, joint) in self.robot.joints.iter().enumerate() {
            let (Some(mimic), Some(target)) = (joint.mimic, self.tree.followed[j]) else {
                continue;
            };
            if self.tree.held[j] {
                continue;
            }
            let wanted = format!("{}_mimic", self.joint_names[j]);
            let name = self.taken.choose(&wanted, "coupler", j + 1);
            self.out.table("[[coupler]]");
            self.out.key("name", &quoted(&name));
            self.out.key("type", "\"linear\"");
            let joints = [j, target].map(|j| quoted(&self.joint_names[j]));
            self.out.key("joints", &listed(joints));
            self.out.key("factors", &vector(&[1.0, -mimic.multiplier]));
            self.out.key("offset", &number(mimic.offset));
        }
    }

    /// Returns `true` if a joint has friction.
    fn rubs(&self, j: usize) -> bool {
        let joint = &self.robot.joints[j];
        self.moves(j) && (joint.damping > 0.0 || joint.friction > 0.0)
    }

    fn friction(&mut self) {
        for (j, joint) in self.robot.joints.iter().enumerate() {
            if !self.rubs(j) {
                continue;
            }
            let wanted = format!("{}_friction", self.joint_names[j]);
            let name = self.taken.choose(&wanted, "force", j + 1);
            self.out.table("[[force]]");
            self.out.key("name", &quoted(&name));
            let (kind, viscous) = if joint.friction > 0.0 {
                ("joint-friction", "viscous")
            } else {
                ("joint-damping", "damping")
            };
            self.out.key("type", &quoted(kind));
            self.out.key("joint", &quoted(&self.joint_names[j]));
            if joint.damping > 0.0 {
                self.out.key(viscous, &number(joint.damping));
            }
            if joint.friction > 0.0 {
                self.out.key("coulomb", &number(joint.friction));
                self.out.key("transition_speed", &number(TRANSITION_SPEED));
            }
        }
    }

    /// Makes the last link of an unbranched robot its tool.
    fn tool(&mut self) {
        let links = 0..self.robot.links.len();
        let carries = |link: usize| self.tree.parent.contains(&Some(link));
        let ends: Vec<usize> = links.filter(|&link| !carries(link)).collect();
        let joints = 0..self.robot.joints.len();
        let moving: Vec<usize> = joints.filter(|&j| self.moves(j)).collect();
        let single = |j: &usize| self.robot.joints[*j].kind.is_single();
        let serial = !moving.is_empty() && moving.iter().all(single);
        let [end] = ends[..] else { return };
        if self.options.base == Base::Floating || !serial {
            return;
        }
        let name = &self.link_names[end];
        let tool = match self.carried[end].body {
            Some(body) if body == end => name.clone(),
            body => format!("{}.{name}", self.owner(body)),
        };
        self.out.table("[robot]");
        self.out.key("tool", &quoted(&tool));
    }

    fn study(&mut self) {
        self.out.table("[study]");
        self.out.key("duration", "\"1 s\"");
        self.out.key("output_step", "\"10 ms\"");
        self.out.key("formulation", "\"tree\"");
        if (0..self.robot.joints.len()).any(|j| self.rubs(j)) {
            let comment = "friction on light links is stiff";
            self.out.noted_key("integrator", IMPLICIT, comment);
        }
    }
}

/// An integrator that handles friction on light links without small steps.
const IMPLICIT: &str = "{ type = \"bdf\", tolerance = 1e-6 }";
/// The initial values of a free joint.
const FREE_START: &str = "{ x = 0, y = 0, z = 0, alpha = 0, beta = 0, gamma = 0 }";

fn is_identity(pose: &Pose) -> bool {
    pose.R == Mat3::identity() && pose.p == Vec3::zeros()
}

/// The table of the given limits; `place` formats values of the coordinate.
fn limits(limits: &JointLimits, place: fn(f64) -> String) -> Option<String> {
    let all = [
        ("lower", limits.lower, place(limits.lower)),
        ("upper", limits.upper, place(limits.upper)),
        ("rate", limits.rate, number(limits.rate)),
        ("effort", limits.effort, number(limits.effort)),
    ];
    let given: Vec<String> = all
        .into_iter()
        .filter(|(_, limit, _)| limit.is_finite())
        .map(|(key, _, written)| format!("{key} = {written}"))
        .collect();
    (!given.is_empty()).then(|| format!("{{ {} }}", given.join(", ")))
}

/// A shape of a link that has the pose `place` in the body.
fn shape_entry(shape: &UrdfShape<'_>, place: &Pose) -> String {
    let mut parts = match &shape.geometry {
        Geometry::Box(size) => vec![("type", quoted("box")), ("size", vector(size))],
        Geometry::Cylinder { radius, length } => round("cylinder", *radius, *length),
        Geometry::Capsule { radius, length } => round("capsule", *radius, *length),
        Geometry::Sphere { radius } => {
            vec![("type", quoted("sphere")), ("radius", number(*radius))]
        }
        Geometry::Mesh { file, scale } => {
            let mut parts = vec![("type", quoted("mesh")), ("file", quoted(file))];
            if *scale != [1.0; 3] {
                parts.push(("scale", vector(scale)));
            }
            parts
        }
    };
    let pose = place.then(&shape.pose);
    if pose.p != Vec3::zeros() {
        parts.push(("at", vector(pose.p.as_slice())));
    }
    if let Some(turn) = rotation(&pose.R) {
        parts.push(("rotation", turn));
    }
    let parts: Vec<String> = parts
        .into_iter()
        .map(|(key, value)| format!("{key} = {value}"))
        .collect();
    format!("{{ {} }}", parts.join(", "))
}

fn round(kind: &str, radius: f64, length: f64) -> Vec<(&'static str, String)> {
    vec![
        ("type", quoted(kind)),
        ("radius", number(radius)),
        ("length", number(length)),
    ]
}
