//! Limits and armature of joints.

use biela_core::joints::{Coordinate, Joint};
use biela_core::model::JointLimits;

use super::keys;
use super::reader::SectionReader;
use super::values::Context;
use crate::document::DocumentField;

/// The independent coordinates of a joint: each corresponds to one velocity of its tree view.
fn own_coordinates<'j>(joint: &'j Joint, context: &Context<'_>) -> &'j [Coordinate] {
    let shape = joint.shape(context.space);
    let coordinates = joint.coordinates(context.space);
    match shape.tree {
        Some(tree) if shape.velocity_rows == 0 && tree.freedom() == coordinates.len() => {
            coordinates
        }
        _ => &[],
    }
}

/// Reads `limits`.
pub(super) fn limits<'t>(
    field: &DocumentField<'t>,
    joint: &Joint,
    context: &Context<'t>,
) -> JointLimits {
    let Some(table) = field.table() else {
        return JointLimits::NONE;
    };
    let kind = joint.info().name;
    let &[coordinate] = own_coordinates(joint, context) else {
        let problem = "needs a joint with one coordinate";
        let label = format!("this is a {kind} joint");
        let help = "leave it out; a force of type \"limit\" stops any coordinate".to_owned();
        field.error("no-coordinate", problem, &label, Some(help));
        return JointLimits::NONE;
    };
    let (rate_unit, effort_unit) = if coordinate.angular {
        ("rad/s", "N*m")
    } else {
        ("m/s", "N")
    };
    let reader = SectionReader::called(
        &field.what(),
        &keys::LIMITS,
        table.value,
        context.diagnostics,
    );
    let end = |key: &'static str| {
        let field = reader.get(key);
        if coordinate.angular {
            context.angle(&field)
        } else {
            context.number(&field, "m")
        }
    };
    let largest = |key: &'static str, unit: &str| context.positive(&reader.get(key), unit);
    let (lower, upper) = (end("lower"), end("upper"));
    let (rate, effort) = (largest("rate", rate_unit), largest("effort", effort_unit));
    if let (Some(lower), Some(upper)) = (lower, upper)
        && lower >= upper
    {
        let unit = if coordinate.angular { "rad" } else { "m" };
        let label = format!("not greater than `lower`, {lower} {unit}");
        let problem = "must be greater than `lower`";
        reader
            .get("upper")
            .error("bad-limits", problem, &label, None);
    }
    reader.finish();
    JointLimits {
        lower: lower.unwrap_or(f64::NEG_INFINITY),
        upper: upper.unwrap_or(f64::INFINITY),
        rate: rate.unwrap_or(f64::INFINITY),
        effort: effort.unwrap_or(f64::INFINITY),
    }
}

/// Reads `armature`.
pub(super) fn armature<'t>(field: &DocumentField<'t>, joint: &Joint, context: &Context<'t>) -> f64 {
    if !field.is_present() {
        return 0.0;
    }
    let coordinates = own_coordinates(joint, context);
    let angular = coordinates.first().is_some_and(|first| first.angular);
    let mixed = coordinates.iter().any(|c| c.angular != angular);
    if coordinates.is_empty() || (mixed && !matches!(joint, Joint::Free(_))) {
        let problem = "needs a joint whose coordinates are all angles or all displacements";
        let label = format!("this is a {} joint", joint.info().name);
        let help = "replace it by several joints with massless bodies between them".to_owned();
        field.error("no-coordinate", problem, &label, Some(help));
        return 0.0;
    }
    // for a free joint one number is used for both, as in MuJoCo: kg for translations, kg*m^2 for rotations
    let unit = match (mixed, angular) {
        (true, _) => "1",
        (false, true) => "kg*m^2",
        (false, false) => "kg",
    };
    let armature = context.number(field, unit).unwrap_or(0.0);
    if armature < 0.0 {
        let label = format!("this is {armature} {unit}");
        field.error("negative", "must not be negative", &label, None);
    }
    armature
}
