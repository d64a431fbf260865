//! Bodies, their joints, masses and sites.

use std::collections::BTreeSet;

use biela_core::math::rotation::about_axis;
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::MassProperties;

use super::AssetFolder;
use super::element::{Classes, DEEPEST, MjcfElement};
use super::files::MjcfFiles;
use super::geom::{Geom, Meshes, Reported};
use super::joint::{MjcfJoint, MjcfJointKind};
use super::pose::CompilerSettings;
use crate::diagnostic::{Span, shown};
use crate::import::xml::XmlElement;

/// The maximum number of bodies, joints, geoms and sites.
const MOST_PARTS: usize = 100_000;
/// MuJoCo treats masses and inertias below this value as zero.
const LEAST: f64 = 1e-15;

/// Elements that generate bodies by their own rules.
const GENERATORS: &[&str] = &["replicate", "attach", "composite", "flexcomp"];

/// A body; the world is the first.
pub(super) struct MjcfBody<'x> {
    pub(super) element: XmlElement<'x>,
    pub(super) name: Option<&'x str>,
    /// The parent body; its own index for the world.
    pub(super) parent: usize,
    /// Its pose in its parent with all joints at their reference.
    pub(super) pose: Pose,
    /// Its pose in the world with all joints at their reference.
    pub(super) in_world: Pose,
    /// Indices of its joints.
    pub(super) joints: Vec<usize>,
    pub(super) geoms: Vec<Geom<'x>>,
    pub(super) sites: Vec<Site<'x>>,
    /// Set if it has an `<inertial>`.
    told: bool,
    /// Set if its mass could not be determined, which was reported.
    wrong: bool,
    /// Mass properties; zero if there are none.
    pub(super) mass: MassProperties,
    /// The compensated fraction of its weight (`gravcomp`).
    pub(super) weightless: f64,
}

/// A named frame on a body.
pub(super) struct Site<'x> {
    element: XmlElement<'x>,
    pub(super) name: Option<&'x str>,
    pub(super) pose: Pose,
}

/// Everything below the world.
pub(super) struct Bodies<'x> {
    pub(super) bodies: Vec<MjcfBody<'x>>,
    pub(super) joints: Vec<MjcfJoint<'x>>,
}

/// The context for reading bodies.
pub(super) struct BodyReader<'a, 'x> {
    pub(super) files: &'a MjcfFiles<'x>,
    pub(super) classes: &'a Classes<'x>,
    pub(super) settings: &'a CompilerSettings,
    pub(super) meshes: &'a Meshes<'x>,
    pub(super) folder: &'a dyn AssetFolder,
}

/// The location of an element in the tree.
#[derive(Clone, Copy)]
struct BodyTreePosition {
    body: usize,
    /// Pose of the innermost `<frame>` in the body.
    frame: Pose,
    class: Option<usize>,
    depth: usize,
}

impl<'x> BodyReader<'_, 'x> {
    /// Reads all bodies.
    pub(super) fn bodies(&self, root: XmlElement<'x>) -> Bodies<'x> {
        let mut all = Bodies {
            bodies: vec![body(root, None, 0, Pose::identity(), Pose::identity())],
            joints: Vec::new(),
        };
        for world in self.files.each(root, "worldbody") {
            let at = BodyTreePosition {
                body: 0,
                frame: Pose::identity(),
                class: self.classes.find(world, "childclass"),
                depth: 0,
            };
            self.inside(world, at, &mut all);
        }
        self.masses(&mut all);
        all.refuse_names_twice();
        all
    }

    fn inside(&self, element: XmlElement<'x>, at: BodyTreePosition, all: &mut Bodies<'x>) {
        if at.depth > DEEPEST {
            let message = format!("bodies are nested more than {DEEPEST} levels deep");
            element.error("too-deep", message, (element.span(), ""), "");
            return;
        }
        if all.bodies.len() + all.joints.len() > MOST_PARTS {
            return;
        }
        for child in self.files.children(element) {
            let inherited = at.class;
            match child.name() {
                "geom" => {
                    let part = self.classes.part(child, &["geom"], inherited);
                    let geom = Geom::read(part, &at.frame, self.settings, self.meshes);
                    all.bodies[at.body].geoms.push(geom);
                }
                "site" => {
                    let part = self.classes.part(child, &["site"], inherited);
                    let pose = at.frame.then(&self.settings.pose(&part));
                    let name = part.attribute("name").map(|n| n.value);
                    all.bodies[at.body].sites.push(Site {
                        element: child,
                        name,
                        pose,
                    });
                }
                "joint" | "freejoint" => self.joint(child, at, all),
                "inertial" => self.inertial(&MjcfElement::plain(child), at, all),
                "frame" => {
                    let part = MjcfElement::plain(child);
                    let _ = part.attribute("name");
                    let inner = BodyTreePosition {
                        frame: at.frame.then(&self.settings.pose(&part)),
                        class: self.classes.find(child, "childclass").or(inherited),
                        depth: at.depth + 1,
                        ..at
                    };
                    self.inside(child, inner, all);
                }
                "body" => self.body(child, at, all),
                word if GENERATORS.contains(&word) => {
                    let message = format!("<{word}> generates bodies, which is not supported");
                    let help = "save the model from MuJoCo (mj_saveLastXML), which writes the generated bodies, and import the result";
                    child.all_used();
                    child.error("generator", message, (child.span(), ""), help);
                }
                _ => {}
            }
        }
    }

    fn body(&self, child: XmlElement<'x>, at: BodyTreePosition, all: &mut Bodies<'x>) {
        let part = MjcfElement::plain(child);
        let pose = at.frame.then(&self.settings.pose(&part));
        let in_world = all.bodies[at.body].in_world.then(&pose);
        let name = part.attribute("name").map(|n| n.value);
        let mut new = body(child, name, at.body, pose, in_world);
        new.weightless = part.number("gravcomp").unwrap_or(0.0);
        let number = all.bodies.len();
        all.bodies.push(new);
        let inner = BodyTreePosition {
            body: number,
            frame: Pose::identity(),
            class: self.classes.find(child, "childclass").or(at.class),
            depth: at.depth + 1,
        };
        self.inside(child, inner, all);
        all.check_joints(number);
    }

    fn joint(&self, child: XmlElement<'x>, at: BodyTreePosition, all: &mut Bodies<'x>) {
        if at.body == 0 {
            let message = "<worldbody> cannot have a joint".to_owned();
            let help = "move it into the body that it moves";
            child
                .used()
                .error("world-joint", message, (child.span(), ""), help);
            return;
        }
        let part = if child.name() == "freejoint" {
            MjcfElement::plain(child)
        } else {
            self.classes.part(child, &["joint"], at.class)
        };
        let joint = MjcfJoint::read(part, at.body, &at.frame, self.settings);
        if joint.kind == MjcfJointKind::Free && all.bodies[at.body].parent != 0 {
            let message = format!("{} is not in a child of <worldbody>", joint.part.what());
            let help = "only children of <worldbody> can have a free joint";
            child.error("free-joint", message, (child.span(), ""), help);
        }
        all.bodies[at.body].joints.push(all.joints.len());
        all.joints.push(joint);
    }

    /// Reads mass, centre and inertia from `<inertial>`.
    fn inertial(&self, part: &MjcfElement<'x>, at: BodyTreePosition, all: &mut Bodies<'x>) {
        let twice = all.bodies[at.body].told;
        if at.body == 0 || twice {
            let problem = if twice {
                "a body can have only one <inertial>"
            } else {
                "<worldbody> cannot have an <inertial>"
            };
            part.error("inertial", problem.to_owned(), part.span(), "");
            all.bodies[at.body].wrong = true;
            return;
        }
        all.bodies[at.body].told = true;
        let mass = part
            .element
            .required("mass", "mass=\"1\"")
            .map(|_| part.at_least_zero("mass"));
        let center = part.element.required("pos", "pos=\"0 0 0\"");
        let center = center.and_then(|_| part.vector::<3>("pos"));
        all.bodies[at.body].wrong = true;
        let (Some(mass), Some(center)) = (mass, center) else {
            return;
        };
        let turn = self.settings.orientation(part);
        let inertia = match (
            part.vector::<6>("fullinertia"),
            part.vector::<3>("diaginertia"),
        ) {
            (Some(full), _) if turn.is_some() => {
                let message = format!(
                    "{}: fullinertia cannot be combined with an orientation",
                    part.what()
                );
                let help = "it is expressed in the axes of the body; leave the orientation out";
                part.error("full-inertia", message, full.span, help);
                return;
            }
            (Some(full), _) => {
                let [xx, yy, zz, xy, xz, yz] = full.value;
                Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
            }
            (None, diagonal) => {
                let diagonal = diagonal.map_or([0.0; 3], |d| d.value);
                Mat3::from_diagonal(&Vec3::from(diagonal))
            }
        };
        let pose = Pose::new(turn.unwrap_or_else(Mat3::identity), Vec3::zeros());
        let told = MassProperties {
            mass,
            center: Vec3::zeros(),
            inertia,
        };
        let body = &mut all.bodies[at.body];
        body.wrong = false;
        body.mass = told.moved(&pose);
        body.mass.center = at.frame.point(&Vec3::from(center.value));
        body.mass.inertia = at.frame.R * body.mass.inertia * at.frame.R.transpose();
    }

    /// Computes masses from geoms where none are given, and applies the settings of the compiler.
    fn masses(&self, all: &mut Bodies<'x>) {
        let settings = self.settings;
        for body in all.bodies.iter_mut().skip(1) {
            let from_geoms = settings.inertia_from_geoms.unwrap_or(!body.told);
            if from_geoms && body.geoms.iter().any(|g| g.has_mass(settings)) {
                let geoms = body.geoms.iter().filter(|g| g.has_mass(settings));
                body.mass = nothing();
                for part in geoms.map(|g| g.mass(self.meshes, self.folder)) {
                    match part {
                        Ok(Some(part)) if body.mass.is_massless() => body.mass = part,
                        Ok(Some(part)) => body.mass = body.mass.joined(&part),
                        Ok(None) => {}
                        Err(Reported) => body.wrong = true,
                    }
                }
            }
            if !body.wrong {
                self.principal(body);
            }
        }
        if let Some(total) = settings.total_mass {
            let sum: f64 = all.bodies.iter().map(|body| body.mass.mass).sum();
            if sum > 0.0 {
                for body in &mut all.bodies {
                    body.mass.mass *= total / sum;
                    body.mass.inertia *= total / sum;
                }
            }
        }
        all.check_masses();
    }

    /// Applies bounds and balancing of the principal moments, and checks whether they are physically possible.
    fn principal(&self, body: &mut MjcfBody<'x>) {
        let settings = self.settings;
        if !body.mass.inertia.iter().all(|x| x.is_finite()) {
            let message = format!("the inertia of {} is NaN or infinite", body.element.what());
            body.element
                .error("inertia", message, (body.element.span(), ""), "");
            body.mass = nothing();
            return;
        }
        body.mass.mass = body.mass.mass.max(settings.least_mass);
        let eigen = body.mass.inertia.symmetric_eigen();
        let mut moments = eigen.eigenvalues;
        let axes = eigen.eigenvectors;
        let size = moments.amax();
        if moments.min() < -1e-12 * size {
            let message = format!(
                "the inertia of {} has a negative principal moment, {:.4e} kg*m^2",
                body.element.what(),
                moments.min()
            );
            let help =
                "the first three numbers are the moments, the others the products xy, xz, yz";
            body.element
                .error("inertia", message, (body.element.span(), ""), help);
            return;
        }
        let raised = moments.map(|m| m.max(settings.least_inertia));
        let excess = raised.max() * 2.0 - raised.sum();
        if excess > 1e-9 * size {
            if !settings.on("balanceinertia") {
                let message = format!(
                    "the inertia of {} is physically impossible: one principal moment, {:.6e} kg*m^2, exceeds the sum of the other two, {:.6e} kg*m^2",
                    body.element.what(),
                    raised.max(),
                    raised.sum() - raised.max(),
                );
                let help = "<compiler balanceinertia=\"true\"/> replaces the moments by their mean, as MuJoCo does";
                body.element
                    .error("inertia", message, (body.element.span(), ""), help);
                return;
            }
            moments = Vec3::from_element(raised.mean());
        } else {
            moments = raised;
        }
        if moments != eigen.eigenvalues {
            body.mass.inertia = axes * Mat3::from_diagonal(&moments) * axes.transpose();
        }
    }
}

impl Bodies<'_> {
    /// Checks that a body has at most six degrees of freedom, no other joint beside a free joint, and no hinge after a ball.
    fn check_joints(&self, number: usize) {
        let body = &self.bodies[number];
        let joints: Vec<&MjcfJoint<'_>> = body.joints.iter().map(|j| &self.joints[*j]).collect();
        let freedom: usize = joints.iter().map(|joint| joint.kind.freedom()).sum();
        let mut ball = false;
        for joint in &joints {
            if ball && matches!(joint.kind, MjcfJointKind::Ball | MjcfJointKind::Hinge) {
                let message = format!(
                    "{} follows a ball joint of the same body",
                    joint.part.what()
                );
                let help = "a ball joint must be the last rotational joint of its body";
                joint
                    .part
                    .error("after-ball", message, joint.part.span(), help);
            }
            ball |= joint.kind == MjcfJointKind::Ball;
        }
        if freedom > 6 {
            let message = format!("{} has {freedom} degrees of freedom", body.element.what());
            let help = "a body has at most six relative to its parent";
            body.element
                .error("freedom", message, (body.element.span(), ""), help);
        }
    }

    /// Checks that a body on joints has mass and inertia, its own or those of bodies fixed to it.
    fn check_masses(&self) {
        let mut carried: Vec<(f64, f64)> = self
            .bodies
            .iter()
            .map(|body| (body.mass.mass, body.mass.inertia.norm()))
            .collect();
        let mut wrong_below = vec![false; self.bodies.len()];
        for number in (1..self.bodies.len()).rev() {
            let body = &self.bodies[number];
            if body.joints.is_empty() {
                wrong_below[body.parent] |= body.wrong || wrong_below[number];
                let (mass, inertia) = carried[number];
                let parent = &mut carried[body.parent];
                *parent = (parent.0 + mass, parent.1 + inertia);
            } else if body.wrong || wrong_below[number] {
                // already reported
            } else if carried[number].0 < LEAST || carried[number].1 < LEAST {
                let message = format!(
                    "{} moves, but its mass and inertia are zero",
                    body.element.what()
                );
                let help = "give it an <inertial> or a geom with mass";
                let span: Span = body.element.span();
                body.element.error("massless", message, (span, ""), help);
            }
        }
    }

    /// Reports bodies, joints or sites with equal names.
    fn refuse_names_twice(&self) {
        let mut bodies = BTreeSet::from(["world"]);
        let mut joints = BTreeSet::new();
        let mut sites = BTreeSet::new();
        let check = |element: XmlElement<'_>, fresh: bool| {
            if let (false, Some(name)) = (fresh, element.attribute("name")) {
                let message = format!("the name of {} is already used", element.what());
                element.error("name-twice", message, (name.span, ""), "");
            }
        };
        for body in &self.bodies {
            check(
                body.element,
                body.name.is_none_or(|name| bodies.insert(name)),
            );
            for site in &body.sites {
                check(
                    site.element,
                    site.name.is_none_or(|name| sites.insert(name)),
                );
            }
        }
        for joint in &self.joints {
            let fresh = joint.name.is_none_or(|name| joints.insert(name));
            check(joint.part.element, fresh);
        }
    }

    /// The poses of all bodies with the springs of all joints at rest.
    pub(super) fn at_springs(&self) -> Vec<Pose> {
        let mut poses: Vec<Pose> = Vec::with_capacity(self.bodies.len());
        for body in &self.bodies {
            let mut pose = poses
                .get(body.parent)
                .map_or(body.pose, |p| p.then(&body.pose));
            for joint in body.joints.iter().map(|j| &self.joints[*j]) {
                let by = joint.rest - joint.reference;
                let moved = match joint.kind {
                    MjcfJointKind::Hinge => {
                        let turn = about_axis(&joint.axis, by);
                        Pose::new(turn, joint.at - turn * joint.at)
                    }
                    MjcfJointKind::Slide => Pose::new(Mat3::identity(), joint.axis * by),
                    MjcfJointKind::Ball | MjcfJointKind::Free => Pose::identity(),
                };
                pose = pose.then(&moved);
            }
            poses.push(pose);
        }
        poses
    }

    /// Returns the index of a body by name; `world` is the first. An unknown name is reported.
    pub(super) fn named(&self, part: &MjcfElement<'_>, attribute: &str) -> Option<usize> {
        let name = part.attribute(attribute)?;
        if name.value == "world" {
            return Some(0);
        }
        let found = self.bodies.iter().position(|b| b.name == Some(name.value));
        if found.is_none() {
            let message = format!("{}: there is no body {}", part.what(), shown(name.value));
            part.error("unknown-body", message, name.span, "");
        }
        found
    }

    /// Returns the index of a joint by name.
    pub(super) fn joint_named(&self, part: &MjcfElement<'_>, attribute: &str) -> Option<usize> {
        let name = part.attribute(attribute)?;
        let found = self.joints.iter().position(|j| j.name == Some(name.value));
        if found.is_none() {
            let message = format!("{}: there is no joint {}", part.what(), shown(name.value));
            part.error("unknown-joint", message, name.span, "");
        }
        found
    }

    /// Returns the body and the index of a site by name.
    pub(super) fn site_named(
        &self,
        part: &MjcfElement<'_>,
        attribute: &str,
    ) -> Option<(usize, usize)> {
        let name = part.attribute(attribute)?;
        for (number, body) in self.bodies.iter().enumerate() {
            let site = body.sites.iter().position(|s| s.name == Some(name.value));
            if let Some(site) = site {
                return Some((number, site));
            }
        }
        let message = format!("{}: there is no site {}", part.what(), shown(name.value));
        part.error("unknown-site", message, name.span, "");
        None
    }
}

fn body<'x>(
    element: XmlElement<'x>,
    name: Option<&'x str>,
    parent: usize,
    pose: Pose,
    in_world: Pose,
) -> MjcfBody<'x> {
    MjcfBody {
        element,
        name,
        parent,
        pose,
        in_world,
        joints: Vec::new(),
        geoms: Vec::new(),
        sites: Vec::new(),
        told: false,
        wrong: false,
        mass: nothing(),
        weightless: 0.0,
    }
}

fn nothing() -> MassProperties {
    MassProperties::massless(Vec3::zeros())
}
