//! Shapes of bodies and of the ground.

use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{Shape, ShapeKind, Space};

use super::fields::choose;
use super::keys;
use super::reader::SectionReader;
use super::rotation::orientation;
use super::values::Context;
use crate::document::{DocumentField, Table};

/// Reads a list of shapes; `None` if one of them is invalid.
pub(super) fn shapes<'t>(
    field: &DocumentField<'t>,
    owner: &str,
    context: &Context<'t>,
) -> Option<Vec<Shape>> {
    let tables = field.array_of_tables();
    let several = tables.len() > 1;
    let shapes: Vec<Option<Shape>> = tables
        .into_iter()
        .enumerate()
        .map(|(k, table)| {
            let what = if several {
                format!("shape {} of {owner}", k + 1)
            } else {
                format!("the shape of {owner}")
            };
            shape(&what, table, context)
        })
        .collect();
    let whole = field.value().is_some() || !field.is_present();
    shapes
        .into_iter()
        .collect::<Option<Vec<Shape>>>()
        .filter(|_| whole)
}

fn shape<'t>(what: &str, table: &'t Table, context: &Context<'t>) -> Option<Shape> {
    let reader = SectionReader::called(what, &keys::SHAPE, table, context.diagnostics);
    let at = context.spatial_position(&reader.get("at"));
    let at_is_wrong = at.is_none() && reader.has("at");
    let turn = orientation(&reader, true, context);
    let kind = kind(&reader, context);
    reader.finish();
    let pose = Pose::new(
        turn.unwrap_or_else(Mat3::identity),
        at.unwrap_or_else(Vec3::zeros),
    );
    Some(Shape { kind: kind?, pose }).filter(|_| !at_is_wrong)
}

/// Three positive lengths.
pub(super) fn positive_sizes<'t>(
    key: &'static str,
    one: &str,
    reader: &SectionReader<'t>,
    context: &Context<'t>,
) -> Option<Vec3<f64>> {
    let example = format!("{key} = [\"1 m\", \"20 mm\", \"20 mm\"]");
    let field = reader.require(key, &example);
    let sizes = context.tuple::<3>(&field, "m")?;
    if let Some(size) = sizes.iter().find(|size| **size <= 0.0) {
        let label = format!("{one} is {size} m");
        field.error(
            "not-positive",
            "must be greater than zero along each axis",
            &label,
            None,
        );
        return None;
    }
    Some(Vec3::from(sizes))
}

fn kind<'t>(reader: &SectionReader<'t>, context: &Context<'t>) -> Option<ShapeKind> {
    let kind = choose(reader, ("type", ShapeKind::LIST), "type = \"cylinder\"")?;
    let length = |key: &'static str| {
        context.positive(&reader.require(key, &format!("{key} = \"50 mm\"")), "m")
    };
    let point = |key: &'static str| {
        let example = match context.space {
            Space::Planar => format!("{key} = [0, 0]"),
            Space::Spatial => format!("{key} = [0, 0, 0]"),
        };
        context.spatial_position(&reader.require(key, &example))
    };
    match kind.name {
        "box" => Some(ShapeKind::Box {
            size: positive_sizes("size", "an edge", reader, context)?,
        }),
        "ellipsoid" => Some(ShapeKind::Ellipsoid {
            semi_axes: positive_sizes("semi_axes", "a semi-axis", reader, context)?,
        }),
        "sphere" => Some(ShapeKind::Sphere {
            radius: length("radius")?,
        }),
        "tube" => {
            let (radius, inner, along) = (length("radius"), length("inner"), length("length"));
            let (radius, inner) = (radius?, inner?);
            if inner >= radius {
                let label = format!("not below the outer radius, {radius} m");
                reader.get("inner").error(
                    "bad-shape",
                    "must be smaller than `radius`",
                    &label,
                    None,
                );
                return None;
            }
            Some(ShapeKind::Tube {
                radius,
                inner,
                length: along?,
            })
        }
        "bar" => {
            let (radius, from, to) = (length("radius"), point("from"), point("to"));
            let (from, to) = (from?, to?);
            if (to - from).norm() <= 0.0 {
                let label = "the bar has no length";
                reader
                    .get("to")
                    .error("bad-shape", "must differ from `from`", label, None);
                return None;
            }
            Some(ShapeKind::Bar {
                radius: radius?,
                from,
                to,
            })
        }
        "mesh" => mesh(reader, context),
        word => {
            let (radius, along) = (length("radius"), length("length"));
            let (radius, length) = (radius?, along?);
            match word {
                "cone" => Some(ShapeKind::Cone { radius, length }),
                "capsule" => Some(ShapeKind::Capsule { radius, length }),
                _ => Some(ShapeKind::Cylinder { radius, length }),
            }
        }
    }
}

/// A surface in a file, which is not opened.
fn mesh<'t>(reader: &SectionReader<'t>, context: &Context<'t>) -> Option<ShapeKind> {
    let field = reader.require("file", "file = \"meshes/part.stl\"");
    let file = field.string();
    let scale_field = reader.get("scale");
    let scale = if scale_field.is_present() {
        context.tuple::<3>(&scale_field, "1")
    } else {
        Some([1.0; 3])
    };
    if file.is_some_and(|file| file.value.trim().is_empty()) {
        field.error("bad-shape", "must name a file", "empty", None);
        return None;
    }
    if scale.is_some_and(|scale| scale.contains(&0.0)) {
        let label = "a factor is 0";
        scale_field.error("bad-shape", "must not contain zero", label, None);
        return None;
    }
    Some(ShapeKind::Mesh {
        file: file?.value.to_owned(),
        scale: Vec3::from(scale?),
    })
}

/// The largest distance of the shape from a point of the body frame; infinite for a mesh, which is not opened.
pub(super) fn reach(shape: &Shape, from: &Vec3<f64>) -> f64 {
    let (center, radius) = match shape.kind {
        ShapeKind::Box { size } => (Vec3::zeros(), size.norm() / 2.0),
        ShapeKind::Cylinder { radius, length } | ShapeKind::Tube { radius, length, .. } => {
            (Vec3::zeros(), radius.hypot(length / 2.0))
        }
        ShapeKind::Sphere { radius } => (Vec3::zeros(), radius),
        ShapeKind::Ellipsoid { semi_axes } => (Vec3::zeros(), semi_axes.amax()),
        ShapeKind::Cone { radius, length } => (Vec3::zeros(), radius.hypot(length)),
        ShapeKind::Capsule { radius, length } => (Vec3::zeros(), radius + length / 2.0),
        ShapeKind::Bar { radius, from, to } => {
            ((from + to) / 2.0, radius.hypot((to - from).norm() / 2.0))
        }
        ShapeKind::Mesh { .. } => (Vec3::zeros(), f64::INFINITY),
    };
    (shape.pose.point(&center) - from).norm() + radius
}
