//! Generates the text of the model.
#![allow(non_snake_case)]

mod forces;

use biela_core::math::rotation::{about, about_axis, matrix, to_dextral};
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::ShapeKind;

use super::body::{Bodies, MjcfBody};
use super::geom::{Geom, GeomShape, Meshes};
use super::joint::{MjcfJoint, MjcfJointKind};
use super::keyframe::Keyframe;
use super::pose::CompilerSettings;
use super::relation::{Equality, Relations, Transmission};
use super::unused::Left;
use crate::diagnostic::escaped;
use crate::import::names::{TakenNames, valid};
use crate::import::text::{
    ImportedText, inertia, listed, number as digits, quoted, rotation, vector,
};

/// All data read from the file.
pub(super) struct Whole<'a, 'x> {
    pub(super) called: &'a str,
    pub(super) file: &'a str,
    pub(super) settings: &'a CompilerSettings,
    pub(super) meshes: &'a Meshes<'x>,
    pub(super) bodies: &'a Bodies<'x>,
    pub(super) relations: &'a Relations<'x>,
    pub(super) start: &'a Keyframe,
    pub(super) left: &'a Left,
}

/// Writes the model.
pub(super) fn model(whole: &Whole<'_, '_>) -> String {
    let mut page = MjcfModelText::new(whole);
    page.place_joints();
    page.hold();
    page.passive();
    page.weightless();
    page.pull();
    page.drive();
    page.sense();
    page.write()
}

/// A body of the model: one of MJCF, or an intermediate body between two of its joints.
struct MjcfLink {
    name: String,
    /// The body of MJCF to which it belongs.
    body: usize,
    /// Set for the body itself, not for an intermediate body.
    whole: bool,
    frames: Vec<(String, Pose)>,
    names: TakenNames,
}

/// The tables of the text; bodies are written last, when all of their frames are known.
struct MjcfModelText<'a, 'x> {
    whole: &'a Whole<'a, 'x>,
    names: TakenNames,
    /// The ground first.
    links: Vec<MjcfLink>,
    /// The link of each body of MJCF.
    link_of: Vec<usize>,
    joint_names: Vec<String>,
    joints: ImportedText,
    forces: ImportedText,
    /// Parameters for the controls of actuators, with their values.
    parameters: Vec<(String, f64)>,
}

impl<'a, 'x> MjcfModelText<'a, 'x> {
    fn new(whole: &'a Whole<'a, 'x>) -> Self {
        let mut names = TakenNames::default();
        let all = whole.bodies;
        let mut links = vec![link("ground".to_owned(), 0, true)];
        let mut link_of = vec![0];
        let mut named: Vec<String> = Vec::new();
        for (number, body) in all.bodies.iter().enumerate() {
            let wanted = valid(body.name.unwrap_or_default());
            named.push(match number {
                0 => "ground".to_owned(),
                _ => names.choose(&wanted, "body", number),
            });
        }
        for (number, body) in all.bodies.iter().enumerate().skip(1) {
            for (k, joint) in body.joints.iter().enumerate().skip(1) {
                let moved = all.joints[body.joints[k - 1]].name.unwrap_or_default();
                let wanted = valid(&format!("{}_{moved}", named[number]));
                let name = names.choose(&wanted, "link", *joint);
                links.push(link(name, number, false));
            }
            link_of.push(links.len());
            links.push(link(named[number].clone(), number, true));
        }
        let joint_names = all
            .joints
            .iter()
            .enumerate()
            .map(|(k, joint)| {
                let wanted = match joint.name {
                    Some(name) => valid(name),
                    None => format!("{}_joint", named[joint.body]),
                };
                names.choose(&wanted, "joint", k + 1)
            })
            .collect();
        let mut page = MjcfModelText {
            whole,
            names,
            links,
            link_of,
            joint_names,
            joints: ImportedText::default(),
            forces: ImportedText::default(),
            parameters: Vec::new(),
        };
        for (number, body) in all.bodies.iter().enumerate() {
            for (k, site) in body.sites.iter().enumerate() {
                let wanted = valid(site.name.unwrap_or_default());
                let link = &mut page.links[page.link_of[number]];
                let name = link.names.choose(&wanted, "site", k + 1);
                link.frames.push((name, site.pose));
            }
        }
        page
    }

    fn body(&self, number: usize) -> &'a MjcfBody<'x> {
        &self.whole.bodies.bodies[number]
    }

    /// The name of a frame of a link for `between`; a new frame is named after its purpose.
    fn end(&mut self, link: usize, wanted: &str, pose: &Pose) -> String {
        let link = &mut self.links[link];
        if *pose == Pose::identity() {
            return link.name.clone();
        }
        let found = link.frames.iter().find(|(_, frame)| frame == pose);
        let found = found.map(|(name, _)| name.clone());
        let name = found.unwrap_or_else(|| {
            let number = link.frames.len() + 1;
            let name = link.names.choose(&valid(wanted), "at", number);
            link.frames.push((name.clone(), *pose));
            name
        });
        format!("{}.{name}", link.name)
    }

    /// Adds the joints of all bodies, and welds for bodies without joints.
    fn place_joints(&mut self) {
        for number in 1..self.whole.bodies.bodies.len() {
            let body = self.body(number);
            let parent = self.link_of[body.parent];
            let last = self.link_of[number];
            if body.joints.is_empty() {
                let wanted = format!("{}_weld", self.links[last].name);
                let name = self.names.choose(&wanted, "weld", number);
                let ends = [
                    self.end(parent, &self.links[last].name.clone(), &body.pose),
                    self.links[last].name.clone(),
                ];
                self.joint_head(&name, None, "weld", &ends);
                continue;
            }
            let first = last + 1 - body.joints.len();
            for (k, j) in body.joints.iter().enumerate() {
                let joint = &self.whole.bodies.joints[*j];
                let near = if k == 0 {
                    (parent, body.pose)
                } else {
                    (first + k - 1, Pose::identity())
                };
                self.joint(*j, joint, near, first + k);
            }
        }
    }

    fn joint_head(&mut self, name: &str, told: Option<&str>, kind: &str, ends: &[String; 2]) {
        self.joints.table("[[joint]]");
        name_line(&mut self.joints, name, told);
        self.joints.key("type", &quoted(kind));
        let ends = listed(ends.iter().map(|end| quoted(end)));
        self.joints.key("between", &ends);
    }

    /// The ends of a joint on the preceding link and on the link that it moves.
    fn ends(
        &mut self,
        number: usize,
        joint: &MjcfJoint<'_>,
        (before, pose): (usize, Pose),
        moved: usize,
    ) -> [String; 2] {
        let name = self.joint_names[number].clone();
        if joint.kind == MjcfJointKind::Free {
            return [self.links[0].name.clone(), self.links[moved].name.clone()];
        }
        let at = |p: Vec3<f64>| Pose::new(Mat3::identity(), p);
        let near = pose.then(&at(joint.at));
        // the coordinate has its reference value when the body frames coincide
        let far = match joint.kind {
            MjcfJointKind::Hinge if joint.reference != 0.0 => {
                Pose::new(about_axis(&joint.axis, joint.reference), joint.at)
            }
            MjcfJointKind::Slide => at(joint.at + joint.axis * joint.reference),
            _ => at(joint.at),
        };
        [self.end(before, &name, &near), self.end(moved, &name, &far)]
    }

    fn joint(&mut self, number: usize, joint: &MjcfJoint<'_>, near: (usize, Pose), moved: usize) {
        let ends = self.ends(number, joint, near, moved);
        let name = self.joint_names[number].clone();
        let kind = match joint.kind {
            MjcfJointKind::Hinge => "revolute",
            MjcfJointKind::Slide => "prismatic",
            MjcfJointKind::Ball => "spherical",
            MjcfJointKind::Free => "free",
        };
        self.joint_head(&name, joint.name, kind, &ends);
        let natural = joint.kind == MjcfJointKind::Hinge && joint.axis == Vec3::z();
        if joint.kind.is_single() && !natural {
            self.joints.key("axis", &vector(joint.axis.as_slice()));
        }
        self.limits(number, joint);
        if joint.armature > 0.0 && joint.aligned {
            let what = "armature of free joints aligned with their inertia";
            self.whole.left.motion(what, joint.part.span());
        } else if joint.armature > 0.0 {
            self.joints.key("armature", &digits(joint.armature));
        }
        self.initial(number, joint);
    }

    fn limits(&mut self, number: usize, joint: &MjcfJoint<'_>) {
        let mut limits = Vec::new();
        if let Some([lower, upper]) = joint.range {
            if joint.kind.is_single() {
                limits.push(format!("lower = {}", digits(lower)));
                limits.push(format!("upper = {}", digits(upper)));
            }
            let what = "stops at the ends of the ranges of joints";
            self.whole.left.motion(what, joint.part.span());
        }
        let effort = joint.effort.or_else(|| self.reach(number));
        if let Some(effort) = effort.filter(|_| joint.kind.is_single()) {
            limits.push(format!("effort = {}", digits(effort)));
        }
        if !limits.is_empty() {
            self.joints
                .key("limits", &format!("{{ {} }}", limits.join(", ")));
        }
    }

    /// The largest force or torque that motors can apply to a joint, if it is symmetric.
    fn reach(&self, number: usize) -> Option<f64> {
        let mut total = None;
        for actuator in &self.whole.relations.actuators {
            let Transmission::Joints(terms) = &actuator.path else {
                continue;
            };
            for (_, factor) in terms.iter().filter(|(joint, _)| *joint == number) {
                let [lower, upper] = actuator.control?;
                if lower != -upper || actuator.bias != [0.0; 3] || actuator.gain[1..] != [0.0; 2] {
                    return None;
                }
                let force = (actuator.gain[0] * upper).abs();
                let bound = actuator
                    .force
                    .map_or(f64::INFINITY, |[l, u]| u.min(-l).max(0.0));
                let effort = (actuator.gear * factor).abs() * force.min(bound);
                *total.get_or_insert(0.0) += effort;
            }
        }
        total.filter(|effort| *effort > 0.0)
    }

    fn initial(&mut self, number: usize, joint: &MjcfJoint<'_>) {
        let position = &self.whole.start.positions[number];
        let rate = &self.whole.start.rates[number];
        let mut words = Vec::new();
        let mut add = |name: &str, x: f64| {
            if x != 0.0 {
                words.push(format!("{name} = {}", digits(x)));
            }
        };
        match joint.kind {
            MjcfJointKind::Hinge | MjcfJointKind::Slide => {
                add(joint.kind.coordinate(), position[0]);
                add("rate", rate[0]);
            }
            MjcfJointKind::Ball => {
                let R = matrix(&[position[0], position[1], position[2], position[3]]);
                let angles = to_dextral(&R);
                for (name, angle) in ["alpha", "beta", "gamma"].iter().zip(angles.iter()) {
                    add(name, *angle);
                }
                // w = alpha' x + beta' Rx y + gamma' Rx Ry z along the first axes
                let w = about(0, -angles[0]) * (R * Vec3::new(rate[0], rate[1], rate[2]));
                let (sine, cosine) = angles[1].sin_cos();
                if w.norm() > 0.0 && cosine.abs() < 1e-6 {
                    let what = "rates of ball joints that start a quarter turn about y";
                    self.whole.left.motion(what, joint.part.span());
                } else if w.norm() > 0.0 {
                    let gamma = w[2] / cosine;
                    add("alpha_rate", w[0] - gamma * sine);
                    add("beta_rate", w[1]);
                    add("gamma_rate", gamma);
                }
            }
            MjcfJointKind::Free => {}
        }
        if !words.is_empty() {
            self.joints
                .key("initial", &format!("{{ {} }}", words.join(", ")));
        }
    }

    /// Adds equalities.
    fn hold(&mut self) {
        for (number, (told, equality)) in self.whole.relations.equalities.iter().enumerate() {
            let wanted = valid(told.unwrap_or_default());
            let name = self.names.choose(&wanted, "equality", number + 1);
            match equality {
                Equality::Held {
                    bodies,
                    frames,
                    turn,
                } => {
                    let [a, b] = bodies.map(|body| self.link_of[body]);
                    let ends = [
                        self.end(a, &name, &frames[0]),
                        self.end(b, &name, &frames[1]),
                    ];
                    let kind = if *turn { "weld" } else { "spherical" };
                    self.joint_head(&name, *told, kind, &ends);
                }
                Equality::Joints {
                    first,
                    second: Some((second, factor)),
                    offset,
                } => {
                    let joints = [first, second].map(|j| quoted(&self.joint_names[*j]));
                    self.joints.table("[[coupler]]");
                    self.joints.key("name", &quoted(&name));
                    self.joints.key("type", "\"linear\"");
                    self.joints.key("joints", &listed(joints));
                    self.joints.key("factors", &vector(&[1.0, -factor]));
                    self.joints.key("offset", &digits(*offset));
                }
                Equality::Joints { first, offset, .. } => {
                    self.joints.table("[[driver]]");
                    self.joints.key("name", &quoted(&name));
                    self.joints.key("on", &quoted(&self.joint_names[*first]));
                    self.joints.key("value", &quoted(&digits(*offset)));
                }
            }
        }
    }

    fn write(mut self) -> String {
        let whole = self.whole;
        let mut text = ImportedText::default();
        text.line(&format!("# From the MJCF file {}.", escaped(whole.file)));
        text.key("format", "1");
        let stem = whole.called.rsplit(['/', '\\']).next().unwrap_or_default();
        let stem = valid(stem.trim_end_matches(".xml"));
        text.key(
            "name",
            &quoted(if stem.is_empty() { "model" } else { &stem }),
        );
        text.key("space", "\"spatial\"");
        if whole.settings.gravity != [0.0; 3] {
            text.key("gravity", &vector(&whole.settings.gravity));
        }
        if !self.parameters.is_empty() {
            text.table("[parameters]");
            for (control, value) in &self.parameters {
                text.key(control, &digits(*value));
            }
        }
        for number in 0..self.links.len() {
            self.link(number, &mut text);
        }
        let mut all = text.finish();
        all += &self.joints.finish();
        all += &self.forces.finish();
        all += "\n[study]\nduration = 1\nformulation = \"tree\"\n";
        all
    }

    fn link(&mut self, number: usize, text: &mut ImportedText) {
        let link = &self.links[number];
        let body = self.body(link.body);
        let shapes: Vec<String> = if link.whole {
            body.geoms
                .iter()
                .filter_map(|geom| shape(geom, self.whole.meshes))
                .collect()
        } else {
            Vec::new()
        };
        if number == 0 && shapes.is_empty() && link.frames.is_empty() {
            return;
        }
        text.table(if number == 0 { "[ground]" } else { "[[body]]" });
        if number > 0 {
            name_line(text, &link.name, body.name.filter(|_| link.whole));
            if link.whole {
                mass(body, text);
                self.free_start(body, text);
            } else {
                text.noted_key("mass", "0", "between joints of one body");
            }
        }
        let (points, frames): (Vec<_>, Vec<_>) = link
            .frames
            .iter()
            .partition(|(_, pose)| pose.R == Mat3::identity());
        if !points.is_empty() {
            let point = |(name, pose): &(String, Pose)| {
                format!("{} = {}", key(name), vector(pose.p.as_slice()))
            };
            let points: Vec<String> = points.into_iter().map(point).collect();
            text.key("points", &format!("{{ {} }}", points.join(", ")));
        }
        if !frames.is_empty() {
            let frame = |(name, pose): &(String, Pose)| {
                format!("{} = {{ {} }}", key(name), placed(pose).join(", "))
            };
            let frames: Vec<String> = frames.into_iter().map(frame).collect();
            text.key("frames", &format!("{{ {} }}", frames.join(", ")));
        }
        match &shapes[..] {
            [] => {}
            [one] => text.key("shapes", &format!("[{one}]")),
            many => {
                text.line("shapes = [");
                for shape in many {
                    text.line(&format!("  {shape},"));
                }
                text.line("]");
            }
        }
    }

    /// Writes the initial pose and velocity of a free body.
    fn free_start(&self, body: &MjcfBody<'_>, text: &mut ImportedText) {
        let Some(joint) = body.joints.first() else {
            return;
        };
        if self.whole.bodies.joints[*joint].kind != MjcfJointKind::Free {
            return;
        }
        let q = &self.whole.start.positions[*joint];
        let v = &self.whole.start.rates[*joint];
        let R = matrix(&[q[3], q[4], q[5], q[6]]);
        text.key("position", &vector(&q[..3]));
        if let Some(turn) = rotation(&R) {
            text.key("rotation", &turn);
        }
        if v[..3] != [0.0; 3] {
            text.key("velocity", &vector(&v[..3]));
        }
        if v[3..] != [0.0; 3] {
            // MuJoCo gives it in body axes
            let w = R * Vec3::new(v[3], v[4], v[5]);
            text.key("omega", &vector(w.as_slice()));
        }
    }
}

/// Mass, mass centre and inertia.
fn mass(body: &MjcfBody<'_>, text: &mut ImportedText) {
    text.key("mass", &digits(body.mass.mass));
    if body.mass.mass <= 0.0 {
        return;
    }
    if body.mass.center != Vec3::zeros() {
        text.key("com", &vector(body.mass.center.as_slice()));
    }
    let symmetric = (body.mass.inertia + body.mass.inertia.transpose()) * 0.5;
    text.key("inertia", &inertia(&symmetric, digits));
}

/// A geom as a shape; `None` if it has no counterpart.
fn shape(geom: &Geom<'_>, meshes: &Meshes<'_>) -> Option<String> {
    let length = |name: &str, x: f64| format!("{name} = {}", digits(x));
    if let Some((file, scale, pose)) = geom.mesh(meshes) {
        let mut words = vec![
            "type = \"mesh\"".to_owned(),
            format!("file = {}", quoted(file)),
        ];
        if scale != [1.0; 3] {
            words.push(format!("scale = {}", vector(&scale)));
        }
        words.extend(placed(&pose));
        return Some(format!("{{ {} }}", words.join(", ")));
    }
    let GeomShape::Solid(kind) = &geom.form else {
        return None;
    };
    let mut words = vec![format!("type = {}", quoted(kind.name()))];
    match kind {
        ShapeKind::Sphere { radius } => words.push(length("radius", *radius)),
        ShapeKind::Box { size } => words.push(format!("size = {}", vector(size.as_slice()))),
        ShapeKind::Ellipsoid { semi_axes } => {
            words.push(format!("semi_axes = {}", vector(semi_axes.as_slice())));
        }
        ShapeKind::Cylinder { radius, length: l } | ShapeKind::Capsule { radius, length: l } => {
            words.push(length("radius", *radius));
            words.push(length("length", *l));
        }
        _ => return None,
    }
    words.extend(placed(&geom.pose));
    Some(format!("{{ {} }}", words.join(", ")))
}

/// Writes the name of an element, with a comment if it was changed.
fn name_line(text: &mut ImportedText, name: &str, told: Option<&str>) {
    match told.filter(|told| *told != name) {
        Some(told) => text.noted_key("name", &quoted(name), &escaped(told)),
        None => text.key("name", &quoted(name)),
    }
}

fn link(name: String, body: usize, whole: bool) -> MjcfLink {
    MjcfLink {
        name,
        body,
        whole,
        frames: Vec::new(),
        names: TakenNames::default(),
    }
}

/// `at` and `rotation`, if they are not zero.
fn placed(pose: &Pose) -> Vec<String> {
    let mut words = Vec::new();
    if pose.p != Vec3::zeros() {
        words.push(format!("at = {}", vector(pose.p.as_slice())));
    }
    words.extend(rotation(&pose.R).map(|turn| format!("rotation = {turn}")));
    words
}

/// A name as a table key.
fn key(name: &str) -> String {
    let bare = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    if bare { name.to_owned() } else { quoted(name) }
}
