//! The two sides of a contact: points or frames, or a beam as a whole.

use biela_core::math::Pose;
use biela_core::model::{BeamSide, BodyIndex, MarkerIndex, Model};

use super::Placed;
use crate::diagnostic::{Spanned, shown};
use crate::document::{DocumentField, Table, ValueKind};
use crate::lower::joints::endpoints;
use crate::lower::names::{ElementFamily, NameIndex};
use crate::lower::reader::SectionReader;
use crate::lower::values::Context;

/// The type of the surface of a beam as a whole.
pub(super) const BEAM: &str = "beam";
/// The maximum number of candidate points of a beam.
const MOST_POINTS: usize = 2000;

/// One side of a contact.
#[derive(Clone)]
pub(super) enum Side {
    /// A point or frame.
    Marker(MarkerIndex),
    /// A beam as a whole, by name.
    Beam(String),
}

/// A side with its surface.
pub(super) struct Surfaced {
    pub(super) side: Side,
    pub(super) surface: Placed,
    /// The number of candidate points of a beam, if given.
    pub(super) points: Option<usize>,
}

/// The sides of a contact with the attachments of their surfaces.
pub(super) struct Attached {
    /// The markers of each candidate point.
    pub(super) markers: Vec<[MarkerIndex; 2]>,
    /// The poses of the surfaces on the bodies of the markers.
    pub(super) poses: Vec<[Pose; 2]>,
    pub(super) beam: Option<BeamSide>,
}

impl Attached {
    /// Two surfaces on markers.
    pub(super) fn single(markers: [MarkerIndex; 2], surfaces: &[Placed; 2]) -> Self {
        Attached {
            markers: vec![markers],
            poses: vec![surfaces.each_ref().map(|surface| surface.pose)],
            beam: None,
        }
    }
}

/// Reads `between`: a side whose surface has the type `beam` is a beam, any other one a point or frame.
pub(super) fn sides<'t>(
    reader: &SectionReader<'t>,
    model: &Model,
    names: &NameIndex,
    context: &Context<'t>,
) -> Option<[Side; 2]> {
    let surfaces = reader.get("surfaces");
    let beams = [0, 1].map(|k| is_beam(&surfaces, k));
    if beams == [false; 2] {
        let markers = endpoints(reader, "contact", model, names, context)?;
        return Some(markers.map(Side::Marker));
    }
    let field = reader.require("between", "between = [\"ground\", \"beam1\"]");
    let fields = field.fixed_array::<2>()?.value;
    if beams == [true; 2] {
        let message = format!(
            "{}: contact between two beams is not supported",
            reader.what()
        );
        let help = "attach surfaces to stations of one of them, such as a circle or a sphere";
        let span = surfaces.span().unwrap_or(reader.span());
        context.error(
            "unsupported-pair",
            message,
            (span, ""),
            Some(help.to_owned()),
        );
        return None;
    }
    let side = |k: usize| {
        if beams[k] {
            beam(&fields[k], names, context).map(Side::Beam)
        } else {
            names.endpoint(&fields[k], context).map(Side::Marker)
        }
    };
    let (first, second) = (side(0), side(1));
    Some([first?, second?])
}

/// Whether a surface in a list is that of a beam.
fn is_beam(surfaces: &DocumentField<'_>, k: usize) -> bool {
    let Some(ValueKind::Array(items)) = surfaces.value().map(|value| &value.kind) else {
        return false;
    };
    let kind = items.get(k).and_then(|item| item.as_table());
    let kind = kind.and_then(|table: &Table| table.get("type"));
    kind.and_then(|entry| entry.value.as_str()) == Some(BEAM)
}

/// The name of a beam.
fn beam<'t>(field: &DocumentField<'t>, names: &NameIndex, context: &Context<'t>) -> Option<String> {
    let text = field.string()?;
    if names.centrelines.contains_key(text.value) {
        return Some(text.value.to_owned());
    }
    if let Some((whole, _)) = text.value.split_once('.')
        && names.centrelines.contains_key(whole)
    {
        let problem = format!("is a point of beam {}", shown(whole));
        let help = format!(
            "a surface of type \"beam\" is that of the whole beam: write {whole:?}, or choose another type of surface for the point"
        );
        field.error("wrong-reference", &problem, "", Some(help));
        return None;
    }
    let _ = names.element(ElementFamily::Beam, text, &field.what(), context);
    None
}

/// Reads the surface of a beam: its radius and the number of candidate points.
pub(super) fn tube<'t>(
    reader: &SectionReader<'t>,
    name: &str,
    (model, names): (&Model, &NameIndex),
    context: &Context<'t>,
) -> Option<(Placed, Option<usize>)> {
    for key in ["at", "angle", "rotation"] {
        let field = reader.get(key);
        let help = "leave it out: the surface is a tube about the centreline".to_owned();
        if field.is_present() {
            field.error("conflict", "does not apply to a beam", "", Some(help));
        }
    }
    let material = names.material(&reader.get("material"), context);
    let line = names.centrelines.get(name)?;
    let field = reader.get("points");
    let points = if field.is_present() {
        points(&field).map(Some)
    } else {
        Some((line.nodes > MOST_POINTS).then_some(MOST_POINTS))
    };
    let field = reader.get("radius");
    let radius = if field.is_present() {
        Some(context.number(&field, "m")?)
    } else {
        line.radius
    };
    let Some(radius) = radius else {
        let message = format!(
            "{}: the radius of beam {} is needed",
            reader.what(),
            shown(name)
        );
        let help = "its section has no uniform height in the directions of contact; add radius = \"5 mm\", the distance of the surface from the centreline";
        context.error(
            "missing-key",
            message,
            (reader.span(), ""),
            Some(help.to_owned()),
        );
        return None;
    };
    let Ok(surface) = model.tube_surface(radius) else {
        let help = "zero is the centreline itself".to_owned();
        let label = format!("this is {radius} m");
        field.error("negative", "must not be negative", &label, Some(help));
        return None;
    };
    let mut placed = Placed::new(surface, Pose::identity());
    placed.material = material;
    Some((placed, points?))
}

/// Reads the number of candidate points.
fn points(field: &DocumentField<'_>) -> Option<usize> {
    let Spanned { value, .. } = field.integer()?;
    match usize::try_from(value) {
        Ok(count) if (2..=MOST_POINTS).contains(&count) => Some(count),
        _ => {
            let problem = format!("must be a number from 2 to {MOST_POINTS}");
            field.error("bad-value", &problem, "", None);
            None
        }
    }
}

/// Attaches the surfaces of a contact to their bodies, that of a beam to each of its candidate points.
pub(super) fn attach(
    reader: &SectionReader<'_>,
    contact: &str,
    sides: &[Surfaced; 2],
    (model, names): (&mut Model, &mut NameIndex),
    context: &Context<'_>,
) -> Option<Attached> {
    let [first, second] = sides;
    let (k, beam, other) = match (&first.side, &second.side) {
        (Side::Marker(a), Side::Marker(b)) => {
            let surfaces = [first.surface.clone(), second.surface.clone()];
            return Some(Attached::single([*a, *b], &surfaces));
        }
        (Side::Beam(beam), Side::Marker(other)) => (0, beam, (*other, second.surface.pose)),
        (Side::Marker(other), Side::Beam(beam)) => (1, beam, (*other, first.surface.pose)),
        (Side::Beam(_), Side::Beam(_)) => return None,
    };
    // the centreline is not among the names while its candidate points are added to them
    let line = names.centrelines.remove(beam)?;
    let found = line.candidates(contact, sides[k].points, model, names);
    let nodes = line.nodes;
    let _ = names.centrelines.insert(beam.clone(), line);
    let Some(found) = found else {
        let message = format!(
            "{}: candidate points at equal distances do not coincide with nodes of beam {}",
            reader.what(),
            shown(beam)
        );
        let help = format!(
            "the candidate points of an exact beam are nodes; leave `points` out to use all {nodes} of them"
        );
        let span = reader.get("surfaces").span().unwrap_or(reader.span());
        context.error("no-node", message, (span, ""), Some(help));
        return None;
    };
    let ordered = |own, other| if k == 0 { [own, other] } else { [other, own] };
    let own = |body: BodyIndex| model.body_marker(body);
    let markers = found.iter().map(|(body, _)| ordered(own(*body), other.0));
    let markers = markers.collect();
    let poses = found.iter().map(|(_, pose)| {
        if k == 0 {
            [*pose, other.1]
        } else {
            [other.1, *pose]
        }
    });
    Some(Attached {
        markers,
        poses: poses.collect(),
        beam: Some(BeamSide {
            side: k,
            name: beam.clone(),
        }),
    })
}
