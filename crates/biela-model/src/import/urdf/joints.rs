//! Joints: type, limits, friction, mimics, and rotors of transmissions.

use biela_core::math::Vec3;
use biela_core::model::JointLimits;

use super::robot::{Mimic, UrdfJoint, UrdfJointKind, name_of, origin};
use crate::diagnostic::{Spanned, shown};
use crate::import::xml::XmlElement;
use crate::suggest::did_you_mean;

/// Keywords of the format.
const KINDS: [(&str, UrdfJointKind); 6] = [
    ("revolute", UrdfJointKind::Turn),
    ("continuous", UrdfJointKind::Turn),
    ("prismatic", UrdfJointKind::Prismatic),
    ("fixed", UrdfJointKind::Fixed),
    ("floating", UrdfJointKind::Floating),
    ("planar", UrdfJointKind::Planar),
];
/// An axis whose length differs from 1 by more is probably a mistake.
const FAR_FROM_UNIT: f64 = 1e-3;

/// Reads a joint. Invalid parts get a placeholder, so that the tree can still be checked.
pub(super) fn joint(element: XmlElement<'_>) -> Option<UrdfJoint<'_>> {
    let name = name_of(element);
    let word = element.required("type", "write type=\"revolute\"");
    let kind = word.and_then(|word| kind(element, word));
    let (parent, child) = (end(element, "parent"), end(element, "child"));
    let origin = origin(element);
    let kind = kind.unwrap_or(UrdfJointKind::Fixed);
    let moves = kind != UrdfJointKind::Fixed;
    let turns_freely = word.is_some_and(|word| word.value == "continuous");
    let axis = if moves && kind != UrdfJointKind::Floating {
        axis(element)
    } else {
        Vec3::x()
    };
    let limits = if kind.is_single() {
        limits(element, turns_freely)
    } else {
        JointLimits::NONE
    };
    let dynamics = element
        .children()
        .find(|child| child.name() == "dynamics" && kind.is_single())
        .map(XmlElement::used);
    let effort = |name: &str| {
        let found = dynamics.and_then(|dynamics| dynamics.number(name))?;
        if found.value < 0.0 {
            let message = format!("{}: {} is negative", element.what(), shown(name));
            let help = "negative friction would add energy";
            element.error("negative-friction", message, (found.span, ""), help);
        }
        Some(found.value)
    };
    let (damping, friction) = (effort("damping"), effort("friction"));
    let mimic = if moves { mimic(element, kind) } else { None };
    Some(UrdfJoint {
        element,
        name: name?,
        kind,
        parent: parent?,
        child: child?,
        origin,
        axis,
        limits,
        damping: damping.unwrap_or(0.0),
        friction: friction.unwrap_or(0.0),
        mimic,
        armature: 0.0,
    })
}

fn kind(element: XmlElement<'_>, word: Spanned<&str>) -> Option<UrdfJointKind> {
    let known = KINDS.iter().find(|(known, _)| *known == word.value);
    let Some((_, kind)) = known else {
        let words = KINDS.map(|(known, _)| known);
        let message = format!(
            "{}: unknown joint type {}",
            element.what(),
            shown(word.value)
        );
        let help = match did_you_mean(word.value, words) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("choose one of {}", words.join(", ")),
        };
        element.error("unknown-joint", message, (word.span, ""), &help);
        return None;
    };
    Some(*kind)
}

/// The link at one end of the joint.
fn end<'x>(element: XmlElement<'x>, name: &str) -> Option<Spanned<&'x str>> {
    let Some(found) = element.first(name) else {
        let message = format!("{} has no <{name}>", element.what());
        let help = format!("add <{name} link=\"…\"/>");
        element.error("missing-element", message, (element.span(), ""), &help);
        return None;
    };
    found.required("link", &format!("write <{name} link=\"…\"/>"))
}

/// The axis; x by default.
fn axis(element: XmlElement<'_>) -> Vec3<f64> {
    let given = element.first("axis").and_then(|found| {
        let _ = found.required("xyz", "write <axis xyz=\"0 0 1\"/>")?;
        found.vector::<3>("xyz")
    });
    let Some(axis) = given else {
        return Vec3::x();
    };
    let vector = Vec3::from(axis.value);
    let length = vector.norm();
    if !(length > 1e-9 && length.is_finite()) {
        let message = format!("the axis of {} has length 0", element.what());
        let help = "write a nonzero vector: <axis xyz=\"0 0 1\"/>";
        element.error("zero-axis", message, (axis.span, ""), help);
        return Vec3::x();
    }
    if (length - 1.0).abs() > FAR_FROM_UNIT {
        let message = format!("the axis of {} has length {length:.4}", element.what());
        let help = "only its direction is used; give it length 1";
        element.warning("far-from-unit", message, (axis.span, ""), help);
    }
    vector
}

fn limits(element: XmlElement<'_>, turns_freely: bool) -> JointLimits {
    let Some(limit) = element.first("limit") else {
        if !turns_freely {
            let message = format!("{} has no <limit>", element.what());
            let help = "it is imported without limits; a joint without limits is \"continuous\"";
            element.warning("no-limits", message, (element.span(), ""), help);
        }
        return JointLimits::NONE;
    };
    let largest = |name: &str| match limit.unbounded(name) {
        Some(found) if found.value > 0.0 => found.value,
        Some(found) => {
            let message = format!("{}: {} is {}", element.what(), shown(name), found.value);
            let help = "it is ignored; a limit must be greater than zero";
            limit.warning("no-room", message, (found.span, ""), help);
            f64::INFINITY
        }
        None => f64::INFINITY,
    };
    let mut limits = JointLimits {
        rate: largest("velocity"),
        effort: largest("effort"),
        ..JointLimits::NONE
    };
    if turns_freely {
        return limits;
    }
    // the default is zero
    let [lower, upper] = ["lower", "upper"].map(|name| limit.unbounded(name));
    let value = |found: Option<Spanned<f64>>| found.map_or(0.0, |found| found.value);
    if value(lower) < value(upper) {
        (limits.lower, limits.upper) = (value(lower), value(upper));
    } else {
        let (lower, upper) = (value(lower), value(upper));
        let message = format!(
            "{}: the lower limit {lower} is not less than the upper limit {upper}",
            element.what()
        );
        let help = "it is imported without these limits";
        limit.warning("no-room", message, (limit.span(), ""), help);
    }
    limits
}

fn mimic(element: XmlElement<'_>, kind: UrdfJointKind) -> Option<Mimic<'_>> {
    let found = element.first("mimic")?;
    if !kind.is_single() {
        let message = format!("{} cannot follow another joint", element.what());
        let help = "only joints with one coordinate can; leave <mimic> out";
        element.error("bad-mimic", message, (found.span(), ""), help);
        return None;
    }
    let number = |name: &str, otherwise| found.number(name).map_or(otherwise, |x| x.value);
    let (multiplier, offset) = (number("multiplier", 1.0), number("offset", 0.0));
    Some(Mimic {
        element: found,
        joint: found.required("joint", "write <mimic joint=\"…\"/>")?,
        multiplier,
        offset,
    })
}

/// Reads the rotors of transmissions: with gear ratio n and inertia J the armature of the joint is n² J. The keywords are those of Drake (`rotor_inertia`,
/// `gear_ratio`); the ratio may also be the `mechanicalReduction` of ROS. Transmissions without a rotor do not affect the motion and are ignored.
pub(super) fn add_rotors<'x>(root: XmlElement<'x>, joints: &mut [UrdfJoint<'x>]) {
    for transmission in root
        .children()
        .filter(|child| child.name() == "transmission")
    {
        let actuators = transmission.children().filter(|c| c.name() == "actuator");
        let mut with_rotor =
            actuators.filter(|a| a.children().any(|child| child.name() == "rotor_inertia"));
        let Some(actuator) = with_rotor.next() else {
            continue;
        };
        let (transmission, actuator) = (transmission.used(), actuator.used());
        let Some(rotor) = actuator.first("rotor_inertia") else {
            continue;
        };
        let joint = transmission.first("joint").map(|joint| {
            let name = joint.required("name", "write <joint name=\"…\">");
            (joint, name)
        });
        let ratio = actuator
            .first("gear_ratio")
            .map(|ratio| ratio.number("value"))
            .or_else(|| {
                let places = [Some(actuator), joint.map(|(joint, _)| joint)];
                let reduction = places
                    .into_iter()
                    .flatten()
                    .find_map(|place| place.first("mechanicalReduction"));
                reduction.map(XmlElement::content_number)
            });
        let ratio = ratio.flatten().map_or(1.0, |ratio| ratio.value);
        let Some(inertia) = rotor.number("value") else {
            let _ = rotor.required("value", "write value=\"1e-5\", in kg*m^2");
            continue;
        };
        if inertia.value < 0.0 {
            let message = format!("{} is negative", rotor.what());
            rotor.error("negative-mass", message, (inertia.span, ""), "");
            continue;
        }
        let Some((element, Some(name))) = joint else {
            continue;
        };
        let mut single = joints.iter_mut().filter(|joint| joint.kind.is_single());
        let named = single.find(|joint| joint.name.value == name.value);
        if let Some(joint) = named {
            joint.armature += ratio * ratio * inertia.value;
        } else {
            let name_shown = shown(name.value);
            let message = format!("{name_shown} is not a joint with one coordinate");
            element.error("unknown-name", message, (name.span, ""), "");
        }
    }
}
