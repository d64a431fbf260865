//! `[robot]`: the joints of the robot, its tool and its preferred pose; and values per joint.

use biela_core::model::{JointIndex, Model, RobotElement};
use biela_core::robot::Robot;

use super::keys;
use super::names::NameIndex;
use super::reader::SectionReader;
use super::values::Context;
use crate::document::{DocumentField, ValueKind};

/// The units of a value of a joint: for a translational and for a rotational coordinate.
pub(super) type JointUnits = [&'static str; 2];
/// Units of positions.
pub(super) const POSITION: JointUnits = ["m", "rad"];
/// Units of positions, velocities and accelerations.
pub(super) const DERIVATIVES: [JointUnits; 3] = [POSITION, ["m/s", "rad/s"], ["m/s^2", "rad/s^2"]];

/// Reads `[robot]`.
pub(super) fn robot<'t>(
    field: &DocumentField<'t>,
    names: &NameIndex,
    model: &Model,
    context: &Context<'t>,
) -> RobotElement {
    let Some(table) = field.table() else {
        return RobotElement::default();
    };
    let reader = SectionReader::new(&keys::ROBOT, table.value, context.diagnostics);
    let joints = joints(&reader.get("joints"), names, model, context);
    let passive = self::joints(&reader.get("passive"), names, model, context);
    let tool = reader.get("tool");
    let tool = tool.value().and_then(|_| names.endpoint(&tool, context));
    let mut element = RobotElement {
        joints: joints.unwrap_or_default(),
        passive: passive.unwrap_or_default(),
        tool,
        posture: Vec::new(),
    };
    // an invalid list does not determine the number of joints
    let moved = if reader.has("joints") && element.joints.is_empty() {
        Vec::new()
    } else {
        moved(model, &element.joints)
    };
    let posture = reader.get("posture");
    if posture.is_present() && !moved.is_empty() {
        element.posture = per_joint(&posture, &moved, POSITION, model, context).unwrap_or_default();
    }
    let items = reader.get("passive").array().map(|items| items.value);
    for (joint, item) in element.passive.iter().zip(items.unwrap_or_default()) {
        if !moved.is_empty() && !moved.contains(joint) {
            let help = "a passive joint is a joint of the robot without actuation".to_owned();
            item.error("conflict", "is not a joint of the robot", "", Some(help));
        }
    }
    reader.finish();
    element
}

/// The joints of the robot: those listed, or all with one coordinate.
pub(super) fn moved(model: &Model, listed: &[JointIndex]) -> Vec<JointIndex> {
    if !listed.is_empty() {
        return listed.to_vec();
    }
    let robot = Robot::of(model).map(|robot| robot.joints);
    let joints = robot.unwrap_or_default();
    joints.iter().map(|joint| joint.index).collect()
}

/// A list of joints with one coordinate each, without repetition.
pub(super) fn joints<'t>(
    field: &DocumentField<'t>,
    names: &NameIndex,
    model: &Model,
    context: &Context<'t>,
) -> Option<Vec<JointIndex>> {
    if !field.is_present() {
        return None;
    }
    let items = field.array()?.value;
    let mut found = Vec::with_capacity(items.len());
    for item in &items {
        let joint = names.joint(item, context);
        if let Some(joint) = joint {
            let coordinates = model.joints[joint.0].joint.coordinates(model.space);
            if coordinates.len() != 1 {
                let label = format!("it has {} coordinates", coordinates.len());
                item.error("wrong-coordinate", "must have one coordinate", &label, None);
                continue;
            }
            if found.contains(&joint) {
                item.error("same-coordinate", "is listed twice", "", None);
                continue;
            }
            found.push(joint);
        }
    }
    (found.len() == items.len()).then_some(found)
}

/// Points, each with a value for each joint, in SI units; with one joint a single value is accepted.
pub(super) fn points<'t>(
    field: &DocumentField<'t>,
    joints: &[JointIndex],
    units: JointUnits,
    model: &Model,
    context: &Context<'t>,
) -> Option<Vec<Vec<f64>>> {
    let items = field.array()?.value;
    let is_list = |item: &DocumentField<'_>| {
        matches!(item.value().map(|v| &v.kind), Some(ValueKind::Array(_)))
    };
    if joints.len() > 1 && !items.iter().any(is_list) {
        return Some(vec![per_joint(field, joints, units, model, context)?]);
    }
    let points: Vec<Option<Vec<f64>>> = items
        .iter()
        .map(|item| per_joint(item, joints, units, model, context))
        .collect();
    points.into_iter().collect()
}

/// A value for each joint, in SI units: one for all of them, or a list.
pub(super) fn per_joint<'t>(
    field: &DocumentField<'t>,
    joints: &[JointIndex],
    units: JointUnits,
    model: &Model,
    context: &Context<'t>,
) -> Option<Vec<f64>> {
    let unit = |joint: &JointIndex| {
        let coordinates = model.joints[joint.0].joint.coordinates(model.space);
        units[usize::from(coordinates.first().is_some_and(|c| c.angular))]
    };
    if !matches!(field.value()?.kind, ValueKind::Array(_)) {
        let values: Vec<Option<f64>> = joints
            .iter()
            .map(|joint| context.number(field, unit(joint)))
            .collect();
        return values.into_iter().collect();
    }
    let items = field.array()?.value;
    if items.len() != joints.len() {
        let names: Vec<&str> = joints
            .iter()
            .map(|j| model.joints[j.0].name.as_str())
            .collect();
        let problem = format!("must have one value per joint, {} in all", joints.len());
        let help = format!("the joints are {}", names.join(", "));
        let label = format!("{} here", items.len());
        field.error("wrong-count", &problem, &label, Some(help));
        return None;
    }
    let values: Vec<Option<f64>> = items
        .iter()
        .zip(joints)
        .map(|(item, joint)| context.number(item, unit(joint)))
        .collect();
    values.into_iter().collect()
}
