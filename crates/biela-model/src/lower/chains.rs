//! Serial arms by Denavit–Hartenberg tables: each row becomes a body and a joint.
//!
//! ```text
//! standard   frame i − 1 → i:  Rz(θ) Tz(d) Tx(a) Rx(α)        the joint moves along or about z of frame i − 1
//! modified   frame i − 1 → i:  Rx(α) Tx(a) Rz(θ) Tz(d)        the joint moves along or about z of frame i
//! ```
//!
//! Rotations about z and translations along z commute, so that the motion of the joint can be the first factor (standard) or the last (modified). The rest of
//! the row is a constant pose on the link, or on the previous link.

use biela_core::element::Arguments;
use biela_core::joints::Joint;
use biela_core::math::rotation::{about, aligning, unit};
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{MarkerIndex, Model, Space};

use super::bodies::body;
use super::joints::add;
use super::keys;
use super::names::{ElementFamily, NameIndex};
use super::reader::SectionReader;
use super::values::Context;
use crate::diagnostic::{Span, shown};
use crate::document::{Table, ValueKind};

/// The number of bodies and joints that the rows define.
pub(super) fn elements(tables: &[&Table]) -> usize {
    let rows = |table: &&Table| match table.get("links").map(|entry| &entry.value.kind) {
        Some(ValueKind::Array(rows)) => 2 * rows.len(),
        _ => 0,
    };
    tables.iter().map(rows).sum()
}

/// Reads every `[[chain]]`, and adds the source span of each of its bodies.
pub(super) fn chains<'t>(
    tables: &[&'t Table],
    model: &mut Model,
    names: &mut NameIndex,
    places: &mut Vec<Span>,
    context: &Context<'t>,
) {
    for (number, table) in tables.iter().enumerate() {
        let reader = SectionReader::new(&keys::CHAIN, table, context.diagnostics);
        let name = names.declare(&reader, "name", ElementFamily::Chain, context);
        names.settle(&name, number);
        let convention = reader.get("convention").one_of(keys::CONVENTIONS);
        let modified = convention.is_some_and(|word| word.value == "modified");
        let base = reader.get("base");
        let base = base.value().and_then(|_| names.endpoint(&base, context));
        let rows = reader.require(
            "links",
            "links = [ { name = \"link1\", joint = \"joint1\", … } ]",
        );
        let mut before = base.unwrap_or(MarkerIndex::GROUND);
        for row in rows.array_of_tables() {
            places.push(row.span);
            before = link(row, before, modified, model, names, context);
        }
        reader.finish();
    }
}

/// Reads a row; returns the frame of its link.
fn link<'t>(
    row: &'t Table,
    before: MarkerIndex,
    modified: bool,
    model: &mut Model,
    names: &mut NameIndex,
    context: &Context<'t>,
) -> MarkerIndex {
    let reader = SectionReader::new(&keys::CHAIN_LINK, row, context.diagnostics);
    let index = body(&reader, model, names, context);
    let own = model.body_marker(index);
    let name = names.declare(&reader, "joint", ElementFamily::Joint, context);
    let kind = reader.get("type").one_of(keys::CHAIN_JOINTS);
    let kind = kind.map_or("revolute", |word| word.value);
    let (turn, slide) = rest(&reader, kind, context);
    if let Some(Ok(joint)) = Joint::build(kind, &Arguments::new(context.space)) {
        let upright = aligning(joint.axis(), &unit(2));
        let upright = match context.space {
            Space::Spatial => upright,
            Space::Planar => Mat3::identity(),
        };
        let joint = add(
            &reader,
            (&name, joint),
            [before, own],
            &upright,
            model,
            context,
        );
        let turned = Pose::new(upright, Vec3::zeros());
        let element = &mut model.joints[joint.0];
        if modified {
            let before = &model.markers[before.0].pose;
            element.first.1 = before.then(&slide).then(&turn).then(&turned);
        } else {
            element.second.1 = turn.then(&slide).inverse().then(&turned);
        }
        names.settle(&name, joint.0);
    }
    reader.finish();
    own
}

/// The constant pose of a row in two parts, along z and along x, at zero joint position.
fn rest<'t>(reader: &SectionReader<'t>, kind: &str, context: &Context<'t>) -> (Pose, Pose) {
    let angle = |key: &'static str| context.angle(&reader.get(key)).unwrap_or(0.0);
    let length = |key: &'static str| context.number(&reader.get(key), "m").unwrap_or(0.0);
    let (alpha, a, d, theta) = (angle("alpha"), length("a"), length("d"), angle("theta"));
    if context.space_known && context.space == Space::Planar {
        for (key, value) in [("alpha", alpha), ("d", d)] {
            if value != 0.0 {
                let problem = "must be zero in a planar model";
                let label = "this leaves the plane";
                reader.get(key).error("wrong-space", problem, label, None);
            }
        }
        if kind == "prismatic" {
            let problem = format!("cannot be {} in a planar model", shown(kind));
            let label = "it would slide along z, out of the plane";
            let help = "write a [[joint]] of this type, whose axis may lie in the plane".to_owned();
            reader
                .get("type")
                .error("wrong-space", &problem, label, Some(help));
        }
    }
    let along_z = Pose::new(about(2, theta), Vec3::new(0.0, 0.0, d));
    let along_x = Pose::new(about(0, alpha), Vec3::new(a, 0.0, 0.0));
    (along_z, along_x)
}
