//! Joints.

use biela_core::math::{Pose, Vec3};

use super::element::MjcfElement;
use super::pose::CompilerSettings;

/// Kinds of joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MjcfJointKind {
    Hinge,
    Slide,
    Ball,
    Free,
}

impl MjcfJointKind {
    /// The number of degrees of freedom.
    pub(super) fn freedom(self) -> usize {
        match self {
            MjcfJointKind::Hinge | MjcfJointKind::Slide => 1,
            MjcfJointKind::Ball => 3,
            MjcfJointKind::Free => 6,
        }
    }

    /// The number of entries in `qpos`.
    pub(super) fn positions(self) -> usize {
        match self {
            MjcfJointKind::Hinge | MjcfJointKind::Slide => 1,
            MjcfJointKind::Ball => 4,
            MjcfJointKind::Free => 7,
        }
    }

    /// Returns `true` if there is one coordinate.
    pub(super) fn is_single(self) -> bool {
        self.freedom() == 1
    }

    /// Its single coordinate in the model language.
    pub(super) fn coordinate(self) -> &'static str {
        if self == MjcfJointKind::Slide {
            "position"
        } else {
            "angle"
        }
    }
}

/// A joint of a body, in SI units.
pub(super) struct MjcfJoint<'x> {
    pub(super) part: MjcfElement<'x>,
    pub(super) name: Option<&'x str>,
    pub(super) body: usize,
    pub(super) kind: MjcfJointKind,
    /// Its anchor in the body frame.
    pub(super) at: Vec3<f64>,
    /// Direction of its axis.
    pub(super) axis: Vec3<f64>,
    /// Value of the coordinate in the pose of the body given in the file.
    pub(super) reference: f64,
    pub(super) range: Option<[f64; 2]>,
    /// Coefficients of the spring force or torque by powers of the deflection, from the first.
    pub(super) stiffness: Vec<f64>,
    /// The rest value of the spring.
    pub(super) rest: f64,
    /// Coefficients of the damper force or torque by powers of the velocity, from the first.
    pub(super) damping: Vec<f64>,
    pub(super) friction: f64,
    pub(super) armature: f64,
    /// Largest force or torque of actuators, if it is symmetric.
    pub(super) effort: Option<f64>,
    pub(super) aligned: bool,
}

impl<'x> MjcfJoint<'x> {
    /// Reads a joint; `frame` is the frame of its anchor and axis.
    pub(super) fn read(
        part: MjcfElement<'x>,
        body: usize,
        frame: &Pose,
        settings: &CompilerSettings,
    ) -> Self {
        let kind = if part.element.name() == "freejoint" {
            MjcfJointKind::Free
        } else {
            match part.word("type", &["hinge", "slide", "ball", "free"]) {
                Some("slide") => MjcfJointKind::Slide,
                Some("ball") => MjcfJointKind::Ball,
                Some("free") => MjcfJointKind::Free,
                _ => MjcfJointKind::Hinge,
            }
        };
        let at = part.vector::<3>("pos").map_or([0.0; 3], |p| p.value);
        let unit = if kind == MjcfJointKind::Slide {
            1.0
        } else {
            settings.angle
        };
        let switch = |on: bool, values: Vec<f64>| if on { values } else { Vec::new() };
        let is_free_joint = part.element.name() == "freejoint";
        let align = if is_free_joint {
            part.switch("align")
        } else {
            None
        };
        let stiffness = coefficients(&part, "stiffness");
        let damping = coefficients(&part, "damping");
        let friction = part.at_least_zero("frictionloss");
        let joint = MjcfJoint {
            name: part.attribute("name").map(|n| n.value),
            body,
            kind,
            at: frame.point(&Vec3::from(at)),
            axis: frame.R * axis(&part, kind),
            reference: unit * part.number("ref").unwrap_or(0.0),
            range: range(&part, kind, settings),
            stiffness: switch(settings.on("spring"), stiffness),
            rest: unit * part.number("springref").unwrap_or(0.0),
            damping: switch(settings.on("damper"), damping),
            friction: if settings.on("frictionloss") {
                friction
            } else {
                0.0
            },
            armature: part.at_least_zero("armature"),
            effort: effort(&part),
            aligned: kind == MjcfJointKind::Free
                && is_free_joint
                && align.unwrap_or(settings.on("alignfree")),
            part,
        };
        joint.refuse_spring_by_time();
        joint
    }

    fn refuse_spring_by_time(&self) {
        if let Some(found) = self.part.vector::<2>("springdamper")
            && found.value.iter().all(|x| *x > 0.0)
        {
            let message = format!("{}: springdamper is not supported", self.part.what());
            let help = "write stiffness and damping, as in a model saved by MuJoCo";
            self.part.error("spring-damper", message, found.span, help);
        }
    }
}

fn axis(part: &MjcfElement<'_>, kind: MjcfJointKind) -> Vec3<f64> {
    let Some(told) = part.vector::<3>("axis") else {
        return Vec3::z();
    };
    let axis = Vec3::from(told.value);
    if kind.is_single() && axis.norm() < 1e-14 {
        let message = format!("{}: the axis has length 0", part.what());
        part.error("no-direction", message, told.span, "write a nonzero vector");
        return Vec3::z();
    }
    axis / axis.norm().max(1e-14)
}

/// The range, if the joint is limited.
fn range(
    part: &MjcfElement<'_>,
    kind: MjcfJointKind,
    settings: &CompilerSettings,
) -> Option<[f64; 2]> {
    let range = part.vector::<2>("range");
    let limited = part.switch("limited");
    let range = range.filter(|_| kind != MjcfJointKind::Free)?;
    if limited.is_none() && !settings.on("autolimits") {
        let message = format!("{}: `range` without `limited`", part.what());
        let help = "write limited=\"true\" or \"false\": autolimits is off";
        part.error("range", message, range.span, help);
    }
    if limited == Some(false) {
        return None;
    }
    let [lower, upper] = range.value;
    if lower >= upper {
        let message = format!(
            "{}: the upper end of the range is not greater than the lower end",
            part.what()
        );
        part.error("range", message, range.span, "the lower end comes first");
        return None;
    }
    let unit = if kind == MjcfJointKind::Slide {
        1.0
    } else {
        settings.angle
    };
    Some([lower * unit, upper * unit])
}

/// One to three coefficients; empty if all are zero.
fn coefficients(part: &MjcfElement<'_>, name: &str) -> Vec<f64> {
    let Some(found) = part.numbers(name) else {
        return Vec::new();
    };
    let count = found.value.len();
    if !(1..=3).contains(&count) {
        let message = format!(
            "{}: {name} has {count} numbers; one to three are allowed",
            part.what()
        );
        part.error("wrong-count", message, found.span, "");
        return Vec::new();
    }
    let mut values = found.value;
    while values.last() == Some(&0.0) {
        let _ = values.pop();
    }
    values
}

/// The largest force or torque in both directions; an asymmetric one is not converted.
fn effort(part: &MjcfElement<'_>) -> Option<f64> {
    let range = part.vector::<2>("actuatorfrcrange");
    let limited = part.switch("actuatorfrclimited");
    let [lower, upper] = range.filter(|_| limited != Some(false))?.value;
    (lower == -upper && upper > 0.0).then_some(upper)
}
