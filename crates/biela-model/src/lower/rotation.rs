//! Orientations: `angle` in the plane, `rotation` in space.

use biela_core::math::rotation::{about, about_axis, from_dextral, matrix, normalized};
use biela_core::math::{Mat3, Vec3};
use biela_core::model::Space;

use super::keys;
use super::reader::SectionReader;
use super::values::Context;
use crate::document::DocumentField;

/// Euler parameters that deviate more than this from unit length are probably a mistake.
const FAR_FROM_UNIT: f64 = 1e-3;
/// Axes that deviate more than this from a right angle do not form a frame.
const SQUARE: f64 = 1e-6;

/// The orientation given by `angle` or `rotation`; `None` if neither is present, the identity if it is invalid.
pub(super) fn orientation<'t>(
    reader: &SectionReader<'t>,
    solid: bool,
    context: &Context<'t>,
) -> Option<Mat3<f64>> {
    let (angle, rotation) = (reader.get("angle"), reader.get("rotation"));
    let planar = context.space == Space::Planar || !context.space_known;
    let spatial = context.space == Space::Spatial || !context.space_known || solid;
    if angle.is_present() && !planar {
        let help = "write rotation = { axis = [0, 0, 1], angle = \"30 deg\" }".to_owned();
        angle.error(
            "wrong-space",
            "applies only to planar models",
            "this model is spatial",
            Some(help),
        );
    }
    if rotation.is_present() && !spatial {
        let help = "write angle = \"30 deg\"".to_owned();
        rotation.error(
            "wrong-space",
            "applies only to spatial models",
            "this model is planar",
            Some(help),
        );
    }
    if angle.is_present() && rotation.is_present() && planar {
        let label = "`angle` is given too";
        rotation.error("two-orientations", "conflicts with `angle`", label, None);
    }
    if angle.is_present() && planar {
        return Some(about(2, context.angle(&angle).unwrap_or(0.0)));
    }
    if rotation.is_present() && spatial {
        return Some(turn(&rotation, context).unwrap_or_else(Mat3::identity));
    }
    (angle.is_present() || rotation.is_present()).then(Mat3::identity)
}

const FORMS: &str = "write { axis = [0, 0, 1], angle = \"30 deg\" }, { dextral = [0, 0, \"30 deg\"] }, { euler_parameters = [1, 0, 0, 0] } or { x = [1, 0, 0], y = [0, 1, 0] }";

pub(super) fn turn<'t>(field: &DocumentField<'t>, context: &Context<'t>) -> Option<Mat3<f64>> {
    let table = field.table()?.value;
    let reader = SectionReader::called(&field.what(), &keys::ROTATION, table, context.diagnostics);
    let forms: [&[&str]; 4] = [
        &["axis", "angle"],
        &["dextral"],
        &["euler_parameters"],
        &["x", "y", "z"],
    ];
    let given: Vec<usize> = (0..forms.len())
        .filter(|&form| forms[form].iter().any(|key| reader.has(key)))
        .collect();
    let turn = match given[..] {
        [0] => axis_angle(&reader, context),
        [1] => context
            .tuple::<3>(&reader.get("dextral"), "rad")
            .map(|[a, b, c]| from_dextral(&Vec3::new(a, b, c))),
        [2] => euler_parameters(&reader.get("euler_parameters"), context),
        [3] => two_axes(field, &reader, context),
        _ => {
            let label = if given.is_empty() {
                "no form is given"
            } else {
                "several forms are given"
            };
            field.error(
                "bad-rotation",
                "must have exactly one form",
                label,
                Some(FORMS.to_owned()),
            );
            None
        }
    };
    reader.finish();
    turn
}

fn axis_angle<'t>(reader: &SectionReader<'t>, context: &Context<'t>) -> Option<Mat3<f64>> {
    let axis = context.direction(&reader.require("axis", "axis = [0, 0, 1]"));
    let angle = context.angle(&reader.require("angle", "angle = \"30 deg\""));
    Some(about_axis(&axis?, angle?))
}

fn euler_parameters<'t>(field: &DocumentField<'t>, context: &Context<'t>) -> Option<Mat3<f64>> {
    let e = context.tuple::<4>(field, "1")?;
    let length = e.iter().map(|x| x * x).sum::<f64>().sqrt();
    if !(length > 1e-9 && length.is_finite()) {
        let help = "the identity is [1, 0, 0, 0]".to_owned();
        field.error(
            "bad-rotation",
            "cannot be normalised",
            &format!("has length {length}"),
            Some(help),
        );
        return None;
    }
    if (length - 1.0).abs() > FAR_FROM_UNIT
        && let Some(span) = field.span()
    {
        context.warning(
            "far-from-unit",
            format!("{} has length {length:.4}", field.what()),
            (span, "it is normalised"),
            "Euler parameters are a unit quaternion: e0 = cos(angle/2), the others sin(angle/2) times the axis",
        );
    }
    Some(matrix(&normalized(&e)))
}

fn two_axes<'t>(
    field: &DocumentField<'t>,
    reader: &SectionReader<'t>,
    context: &Context<'t>,
) -> Option<Mat3<f64>> {
    let fields = ["x", "y", "z"].map(|key| reader.get(key));
    let present: Vec<usize> = (0..3).filter(|&i| fields[i].is_present()).collect();
    let [i, j] = present[..] else {
        let label = if present.len() == 1 {
            "has one axis"
        } else {
            "has three axes"
        };
        field.error(
            "bad-rotation",
            "needs the directions of two axes",
            label,
            Some(FORMS.to_owned()),
        );
        return None;
    };
    let (a, b) = (context.direction(&fields[i]), context.direction(&fields[j]));
    let (a, b) = (a?, b?);
    if a.dot(&b).abs() > SQUARE {
        let angle = a.dot(&b).clamp(-1.0, 1.0).acos().to_degrees();
        let label = format!("the angle between them is {angle:.3} deg");
        field.error("bad-rotation", "needs two perpendicular axes", &label, None);
        return None;
    }
    let third = if (i, j) == (0, 2) {
        b.cross(&a)
    } else {
        a.cross(&b)
    };
    let mut columns = [third; 3];
    (columns[i], columns[j]) = (a, b);
    // b is made orthogonal to a within rounding
    columns[j] = (b - a * a.dot(&b)).normalize();
    let [x, y, z] = columns;
    Some(Mat3::new(
        x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2],
    ))
}
