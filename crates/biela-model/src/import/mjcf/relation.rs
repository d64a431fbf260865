//! Tendons, actuators, equalities and sensors: elements between joints and sites.

use biela_core::math::rotation::{matrix, normalized};
use biela_core::math::{Mat3, Pose, Vec3};

use super::body::Bodies;
use super::element::{Classes, MjcfElement};
use super::files::MjcfFiles;
use super::pose::CompilerSettings;
use super::unused::Left;
use crate::diagnostic::shown;
use crate::import::xml::XmlElement;

/// Actuators with common defaults.
const ACTUATORS: &[&str] = &[
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "pid",
    "dcmotor",
    "orientation",
];

/// The length along which a tendon or an actuator acts, defined by joints or by two sites.
#[derive(Clone, Debug)]
pub(super) enum Transmission {
    /// Joints with a single coordinate, each with a factor.
    Joints(Vec<(usize, f64)>),
    /// Two sites, by body and index.
    Sites([(usize, usize); 2]),
}

/// A tendon with a spring or a damper.
pub(super) struct Tendon<'x> {
    pub(super) name: Option<&'x str>,
    pub(super) path: Transmission,
    pub(super) stiffness: f64,
    pub(super) damping: f64,
    /// Rest length.
    pub(super) rest: f64,
}

/// An actuator: force = gear (gain u + bias) along its path, with gain and bias affine in length and velocity.
pub(super) struct MjcfActuator<'x> {
    /// Its index among the actuators of the file.
    pub(super) number: usize,
    pub(super) name: Option<&'x str>,
    /// The tendon that it pulls.
    pub(super) tendon: Option<&'x str>,
    pub(super) path: Transmission,
    pub(super) gear: f64,
    pub(super) control: Option<[f64; 2]>,
    pub(super) gain: [f64; 3],
    pub(super) bias: [f64; 3],
    pub(super) force: Option<[f64; 2]>,
}

/// A constraint.
pub(super) enum Equality {
    /// Two coincident points, or two coincident frames if `turn` is set; poses in their bodies.
    Held {
        bodies: [usize; 2],
        frames: [Pose; 2],
        turn: bool,
    },
    /// q1 = offset + factor q2, or a constant.
    Joints {
        first: usize,
        second: Option<(usize, f64)>,
        offset: f64,
    },
}

/// A coordinate or velocity that a sensor reads.
pub(super) struct MjcfSensor<'x> {
    pub(super) name: Option<&'x str>,
    pub(super) joint: usize,
    pub(super) rate: bool,
}

/// All tendons, actuators, equalities and sensors.
#[derive(Default)]
pub(super) struct Relations<'x> {
    pub(super) tendons: Vec<Tendon<'x>>,
    pub(super) actuators: Vec<MjcfActuator<'x>>,
    /// The number of actuators in the file.
    pub(super) all_actuators: usize,
    pub(super) equalities: Vec<(Option<&'x str>, Equality)>,
    pub(super) sensors: Vec<MjcfSensor<'x>>,
}

/// The context for reading.
pub(super) struct RelationReader<'a, 'x> {
    pub(super) files: &'a MjcfFiles<'x>,
    pub(super) classes: &'a Classes<'x>,
    pub(super) settings: &'a CompilerSettings,
    pub(super) left: &'a Left,
}

impl<'x> RelationReader<'_, 'x> {
    pub(super) fn relations(&self, root: XmlElement<'x>, bodies: &mut Bodies<'x>) -> Relations<'x> {
        let mut all = Relations::default();
        let mut paths: Vec<(&'x str, Option<Transmission>)> = Vec::new();
        for section in self.files.each(root, "tendon") {
            for element in self.files.children(section) {
                let part = self.classes.part(element, &["tendon"], None);
                let path = self.path(&part, bodies);
                if let Some(name) = part.attribute("name") {
                    paths.push((name.value, path.clone()));
                }
                all.tendons.extend(self.tendon(&part, path, bodies));
            }
        }
        for section in self.files.each(root, "actuator") {
            for element in self.files.children(section) {
                let number = all.all_actuators;
                all.all_actuators += 1;
                let known = ACTUATORS.contains(&element.name());
                if known && self.settings.on("actuation") {
                    let part = self.classes.part(element, ACTUATORS, None);
                    let actuator = self.actuator(number, &part, &paths, bodies);
                    all.actuators.extend(actuator);
                }
            }
        }
        for section in self.files.each(root, "equality") {
            for element in self.files.children(section) {
                if self.settings.on("equality") {
                    let part = self.classes.part(element, &["equality"], None);
                    let name = part.attribute("name").map(|n| n.value);
                    let equality = self.equality(&part, bodies);
                    all.equalities.extend(equality.map(|e| (name, e)));
                }
            }
        }
        for section in self.files.each(root, "sensor") {
            for element in self.files.children(section) {
                let rate = element.name() == "jointvel";
                if !rate && element.name() != "jointpos" {
                    continue;
                }
                let part = MjcfElement::plain(element);
                let name = part.attribute("name").map(|n| n.value);
                let joint = bodies.joint_named(&part, "joint");
                if let Some(joint) = joint.filter(|j| bodies.joints[*j].kind.is_single()) {
                    all.sensors.push(MjcfSensor { name, joint, rate });
                }
            }
        }
        all
    }

    /// The path of a tendon; `None` if it has no counterpart.
    fn path(&self, part: &MjcfElement<'x>, bodies: &Bodies<'x>) -> Option<Transmission> {
        let children = self.files.children(part.element);
        if part.element.name() == "fixed" {
            let mut terms = Vec::new();
            for child in children.iter().filter(|c| c.name() == "joint") {
                let term = MjcfElement::plain(*child);
                let joint = bodies.joint_named(&term, "joint");
                let factor = term.number("coef").unwrap_or(1.0);
                terms.extend(joint.map(|joint| (joint, factor)));
            }
            let single = terms
                .iter()
                .all(|(j, _)| bodies.joints[*j].kind.is_single());
            return (single && !terms.is_empty()).then_some(Transmission::Joints(terms));
        }
        let ends: Vec<_> = children
            .iter()
            .filter(|child| child.name() == "site")
            .filter_map(|child| bodies.site_named(&MjcfElement::plain(*child), "site"))
            .collect();
        match ends[..] {
            [a, b] if children.len() == 2 => Some(Transmission::Sites([a, b])),
            _ => None,
        }
    }

    /// The spring and damper of a tendon, if it has them.
    fn tendon(
        &self,
        part: &MjcfElement<'x>,
        path: Option<Transmission>,
        bodies: &Bodies<'x>,
    ) -> Option<Tendon<'x>> {
        let name = part.attribute("name").map(|n| n.value);
        let rest = part.numbers("springlength").map_or(Vec::new(), |r| r.value);
        let stiffness = part.numbers("stiffness").map_or(Vec::new(), |k| k.value);
        let damping = part.numbers("damping").map_or(Vec::new(), |c| c.value);
        let first = |values: &[f64], on: bool| values.first().copied().filter(|_| on);
        let stiff = first(&stiffness, self.settings.on("spring")).unwrap_or(0.0);
        let damp = first(&damping, self.settings.on("damper")).unwrap_or(0.0);
        let curved = stiffness.iter().chain(&damping).skip(1).any(|x| *x != 0.0)
            && (stiffness.len() > 1 || damping.len() > 1);
        if stiff == 0.0 && damp == 0.0 && !curved {
            return None;
        }
        let slack = matches!(rest[..], [a, b] if a != b);
        let Some(path) = path.filter(|_| !slack && !curved) else {
            let what = "springs and dampers of tendons over more than two sites, with pulleys, slack or nonlinear laws";
            part.element.all_used();
            self.left.motion(what, part.span());
            return None;
        };
        let rest = match rest.first() {
            Some(rest) if *rest >= 0.0 => *rest,
            _ => length(&path, bodies),
        };
        Some(Tendon {
            name,
            path,
            stiffness: stiff,
            damping: damp,
            rest,
        })
    }

    fn actuator(
        &self,
        number: usize,
        part: &MjcfElement<'x>,
        tendons: &[(&'x str, Option<Transmission>)],
        bodies: &mut Bodies<'x>,
    ) -> Option<MjcfActuator<'x>> {
        let kind = part.element.name();
        let path = acted_on(part, tendons, bodies);
        let gear = part.numbers("gear").and_then(|g| g.value.first().copied());
        let gear = gear.unwrap_or(1.0);
        let Some((gain, bias)) = law(part, kind) else {
            part.element.all_used();
            let what = format!("<{kind}> actuators with internal dynamics or general gains");
            self.left.motion(&what, part.span());
            return None;
        };
        let Some(path) = path else {
            part.element.all_used();
            let what =
                format!("<{kind}> actuators on anything but single coordinates and simple tendons");
            self.left.motion(&what, part.span());
            return None;
        };
        // the armature of the actuator acts at the joint multiplied by the square of the gear ratio
        if let Transmission::Joints(terms) = &path
            && let [(joint, factor)] = terms[..]
        {
            let square = (gear * factor).powi(2);
            let joint = &mut bodies.joints[joint];
            joint.armature += square * part.at_least_zero("armature");
            let damping = square * part.at_least_zero("damping");
            if damping > 0.0 && self.settings.on("damper") {
                match joint.damping.first_mut() {
                    Some(first) => *first += damping,
                    None => joint.damping.push(damping),
                }
            }
        }
        Some(MjcfActuator {
            number,
            name: part.attribute("name").map(|n| n.value),
            tendon: part.attribute("tendon").map(|n| n.value),
            control: self.control(part, &path, bodies),
            force: limited(part, "forcerange", "forcelimited", self.settings),
            path,
            gear,
            gain,
            bias,
        })
    }

    /// The range of the control.
    fn control(
        &self,
        part: &MjcfElement<'x>,
        path: &Transmission,
        bodies: &Bodies<'x>,
    ) -> Option<[f64; 2]> {
        let told = limited(part, "ctrlrange", "ctrllimited", self.settings);
        let share = part.number("inheritrange").filter(|share| *share > 0.0);
        if let (Some(share), Transmission::Joints(terms)) = (share, path)
            && let [(joint, _)] = terms[..]
            && let Some([lower, upper]) = bodies.joints[joint].range
        {
            let (middle, half) = (f64::midpoint(lower, upper), share * (upper - lower) / 2.0);
            return Some([middle - half, middle + half]);
        }
        told
    }

    fn equality(&self, part: &MjcfElement<'x>, bodies: &Bodies<'x>) -> Option<Equality> {
        let kind = part.element.name();
        if part.switch("active") == Some(false) {
            part.element.all_used();
            self.left
                .idle("equalities that are not active", part.span());
            return None;
        }
        match kind {
            "connect" | "weld" => held(part, kind == "weld", bodies),
            "joint" => {
                let _ = part.element.required("joint1", "joint1=\"…\"")?;
                let first = bodies.joint_named(part, "joint1")?;
                let second = match part.attribute("joint2") {
                    Some(_) => Some(bodies.joint_named(part, "joint2")?),
                    None => None,
                };
                let told = part.numbers("polycoef").map_or(Vec::new(), |p| p.value);
                let term = |k: usize| told.get(k).copied().unwrap_or(f64::from(k == 1));
                let curved = second.is_some() && (2..5).any(|k| term(k) != 0.0);
                let all_single = [Some(first), second]
                    .iter()
                    .flatten()
                    .all(|j| bodies.joints[*j].kind.is_single());
                if curved || !all_single {
                    self.left
                        .motion("<joint> equalities that are not linear", part.span());
                    return None;
                }
                // q1 - r1 = c0 + c1 (q2 - r2)
                let reference = |joint: usize| bodies.joints[joint].reference;
                let shift = second.map_or(0.0, |joint| term(1) * reference(joint));
                Some(Equality::Joints {
                    first,
                    second: second.map(|joint| (joint, term(1))),
                    offset: term(0) + reference(first) - shift,
                })
            }
            _ => {
                part.element.all_used();
                self.left
                    .motion(&format!("<{kind}> equalities"), part.span());
                None
            }
        }
    }
}

/// The target of an actuator.
fn acted_on(
    part: &MjcfElement<'_>,
    tendons: &[(&str, Option<Transmission>)],
    bodies: &Bodies<'_>,
) -> Option<Transmission> {
    for attribute in ["joint", "jointinparent"] {
        if part.attribute(attribute).is_some() {
            let joint = bodies.joint_named(part, attribute)?;
            let single = bodies.joints[joint].kind.is_single();
            return single.then(|| Transmission::Joints(vec![(joint, 1.0)]));
        }
    }
    let name = part.attribute("tendon")?;
    let found = tendons.iter().find(|(tendon, _)| *tendon == name.value);
    if found.is_none() {
        let message = format!("{}: there is no tendon {}", part.what(), shown(name.value));
        part.error("unknown-tendon", message, name.span, "");
    }
    found?.1.clone()
}

/// Gain and bias, each as constant, factor of length and factor of velocity; `None` for laws without a counterpart.
fn law(part: &MjcfElement<'_>, kind: &str) -> Option<([f64; 3], [f64; 3])> {
    let three = |name: &str| {
        let found = part.numbers(name).map_or(Vec::new(), |n| n.value);
        let at = |k: usize| found.get(k).copied();
        (
            at(0),
            [
                at(0).unwrap_or(0.0),
                at(1).unwrap_or(0.0),
                at(2).unwrap_or(0.0),
            ],
        )
    };
    let (first_gain, mut gain) = three("gainprm");
    match kind {
        "motor" => Some(([1.0, 0.0, 0.0], [0.0; 3])),
        "position" => {
            let filtered = part.number("timeconst").is_some_and(|t| t > 0.0);
            let by_ratio = part.number("dampratio").is_some_and(|d| d > 0.0);
            let kp = part.number("kp").or(first_gain).unwrap_or(1.0);
            let kv = part.number("kv").unwrap_or(0.0);
            (!filtered && !by_ratio).then_some(([kp, 0.0, 0.0], [0.0, -kp, -kv]))
        }
        "velocity" => {
            let kv = part.number("kv").unwrap_or(1.0);
            Some(([kv, 0.0, 0.0], [0.0, 0.0, -kv]))
        }
        "damper" => {
            let kv = part.number("kv").unwrap_or(1.0);
            Some(([0.0, 0.0, -kv], [0.0; 3]))
        }
        "general" => {
            let still = part.attribute("dyntype").is_none_or(|d| d.value == "none");
            let gain_kind = part.attribute("gaintype").map_or("fixed", |g| g.value);
            let bias_kind = part.attribute("biastype").map_or("none", |b| b.value);
            let (_, bias) = three("biasprm");
            gain[0] = first_gain.unwrap_or(1.0);
            let gain = match gain_kind {
                "fixed" => [gain[0], 0.0, 0.0],
                "affine" => gain,
                _ => return None,
            };
            let bias = match bias_kind {
                "none" => [0.0; 3],
                "affine" => bias,
                _ => return None,
            };
            still.then_some((gain, bias))
        }
        _ => None,
    }
}

/// Coincident points or frames: at two sites, or in the poses with all joints at their reference.
fn held(part: &MjcfElement<'_>, turn: bool, bodies: &Bodies<'_>) -> Option<Equality> {
    if part.attribute("site1").is_some() {
        let (first, a) = bodies.site_named(part, "site1")?;
        let _ = part.element.required("site2", "site2=\"…\"")?;
        let (second, b) = bodies.site_named(part, "site2")?;
        return Some(Equality::Held {
            bodies: [first, second],
            frames: [
                bodies.bodies[first].sites[a].pose,
                bodies.bodies[second].sites[b].pose,
            ],
            turn,
        });
    }
    let _ = part.element.required("body1", "body1=\"…\"")?;
    let first = bodies.named(part, "body1")?;
    let second = match part.attribute("body2") {
        Some(_) => bodies.named(part, "body2")?,
        None => 0,
    };
    let [a, b] = [first, second].map(|body| bodies.bodies[body].in_world);
    let apart = a.inverse().then(&b);
    let anchor = part.vector::<3>("anchor").map(|p| Vec3::from(p.value));
    if !turn {
        let Some(anchor) = anchor else {
            let _ = part.element.required("anchor", "anchor=\"0 0 0\"")?;
            return None;
        };
        let point = |p| Pose::new(Mat3::identity(), p);
        let other = b.inverse().point(&a.point(&anchor));
        return Some(Equality::Held {
            bodies: [first, second],
            frames: [point(anchor), point(other)],
            turn,
        });
    }
    // the pose of the second body in the first; a zero quaternion stands for the pose in the file
    let told = part.vector::<7>("relpose").map(|r| r.value);
    let told = told.filter(|r| r[3..].iter().any(|x| *x != 0.0));
    let pose = told.map_or(apart, |r| {
        let turn = matrix(&normalized(&[r[3], r[4], r[5], r[6]]));
        Pose::new(turn, Vec3::new(r[0], r[1], r[2]))
    });
    let anchor = anchor.unwrap_or_else(Vec3::zeros);
    let at = Pose::new(Mat3::identity(), anchor);
    Some(Equality::Held {
        bodies: [first, second],
        frames: [pose.then(&at), at],
        turn,
    })
}

/// A range that is active.
fn limited(
    part: &MjcfElement<'_>,
    range: &str,
    switch: &str,
    settings: &CompilerSettings,
) -> Option<[f64; 2]> {
    let told = part.vector::<2>(range);
    let on = part.switch(switch).unwrap_or(settings.on("autolimits"));
    let told = told.filter(|_| on)?;
    let [lower, upper] = told.value;
    if lower >= upper {
        let message = format!(
            "{}: the upper end of {range} is not greater than the lower end",
            part.what()
        );
        part.error("range", message, told.span, "the lower end comes first");
        return None;
    }
    Some([lower, upper])
}

/// The length of a path with the springs of all joints at rest: MuJoCo's default for the rest length.
fn length(path: &Transmission, bodies: &Bodies<'_>) -> f64 {
    match path {
        Transmission::Joints(terms) => {
            let term = |(joint, factor): &(usize, f64)| factor * bodies.joints[*joint].rest;
            terms.iter().map(term).sum()
        }
        Transmission::Sites(ends) => {
            let poses = bodies.at_springs();
            let [a, b] =
                ends.map(|(body, site)| poses[body].point(&bodies.bodies[body].sites[site].pose.p));
            (a - b).norm()
        }
    }
}
