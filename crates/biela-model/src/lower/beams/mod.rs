//! Flexible beams.

mod centreline;
mod exact;
mod lumped;
mod rigid;
mod sections;
mod shape;
mod spin;
mod stations;

use biela_core::flexible::{
    Beam, ElementKind, ElementStrains, MOST_POINTS, StrainMeasures, element_kind,
};
use biela_core::math::Vec3;
use biela_core::model::{BeamIndex, MarkerIndex, Model, Space, Velocity0};

use self::centreline::Attachment;
pub(super) use self::centreline::Centreline;
use self::lumped::add_lumped;
use self::rigid::add_rigid;
use self::sections::sections;
use self::shape::{shape, stand_in};
use self::spin::check_frame;
pub(super) use self::spin::{check_coordinate, check_joint};
pub(super) use self::stations::distance;
use self::stations::{NamedStation, places};
use super::bodies::velocity;
use super::keys::{self, BEAM_ELEMENTS, EXACT, LUMPED};
use super::names::{ElementFamily, NameIndex, Points};
use super::reader::SectionReader;
use super::values::Context;
use crate::document::{DocumentField, Table};

/// The default number of elements, and its maximum in one beam and in total.
const ELEMENTS: usize = 8;
const MOST_OF_ONE: i64 = 10_000;
const MOST_OF_ALL: usize = super::MOST_ELEMENTS;

/// Reads every `[[beam]]`. An invalid part gets a placeholder, so that references to the beam are valid.
pub(super) fn beams<'t>(
    tables: &[&'t Table],
    model: &mut Model,
    names: &mut NameIndex,
    context: &Context<'t>,
) {
    let mut total = 0;
    for table in tables {
        let reader = SectionReader::new(&keys::BEAM, table, context.diagnostics);
        let rigid = reader.get("rigid").bool().is_some_and(|flag| flag.value);
        let exact = reader.get("element").string();
        let exact = exact.is_some_and(|word| word.value == EXACT);
        let lumped = is_lumped(&reader, context);
        let exact_here = exact && context.space == Space::Spatial;
        let family = match (rigid || lumped, exact_here) {
            (true, _) => ElementFamily::Body,
            (false, true) => ElementFamily::ExactBeam,
            (false, false) => ElementFamily::Beam,
        };
        let name = names.declare(&reader, "name", family, context);
        if exact_here {
            let elements = elements(&reader, &mut total, context);
            exact::add(&name, (rigid, elements), &reader, (model, names), context);
            reader.finish();
            continue;
        }
        exact::refuse_own_keys(&reader);
        if exact && context.space_known {
            let help = "use element = \"cable\", or write space = \"spatial\"".to_owned();
            let problem = "cannot be `exact` in a planar model";
            let label = "for spatial models only";
            reader
                .get("element")
                .error("wrong-space", problem, label, Some(help));
        }
        let elements = elements(&reader, &mut total, context);
        let kind = kind(&reader);
        let mut beam = match (context.space, kind.space()) {
            (Space::Planar, _) => beam(&name, (kind, kind.plane()), elements, &reader, context),
            (Space::Spatial, Some(space)) => beam(&name, (kind, space), elements, &reader, context),
            (Space::Spatial, None) => {
                let help = "use element = \"cable\"".to_owned();
                let field = reader.get("element");
                let problem = format!("cannot be `{}` in a spatial model", kind.info().name);
                field.error(
                    "wrong-space",
                    &problem,
                    "for planar models only",
                    Some(help),
                );
                beam(&name, (kind, kind.plane()), elements, &reader, context)
            }
        };
        beam.origin = context.origin(reader.span());
        let velocity = velocity(&reader, context);
        if let Some(Velocity0 { linear, angular }) = &velocity {
            // the velocity of the start is converted to that of the body point at the ground's origin
            let mut start = Vec3::zeros();
            let axes = beam.axes();
            start.as_mut_slice()[..axes].copy_from_slice(&beam.reference[..axes]);
            beam.set_rigid_velocity(&(linear - angular.cross(&start)), angular);
        }
        let places = places(&reader, beam.length(), context);
        let (length, nodes) = (beam.length(), beam.elements.len() + 1);
        let radius = Centreline::radius(beam.profiles, context.space);
        let attachment = if rigid {
            add_rigid(&name, (beam, velocity), places, model, names)
        } else if lumped {
            add_lumped(&name, (&beam, velocity), places, (model, names), context)
        } else {
            let index = add_flexible(&name, beam, places, (model, names), context);
            Attachment::Station(index)
        };
        let centreline = Centreline {
            length,
            nodes,
            radius,
            attachment,
        };
        let _ = names.centrelines.insert(name, centreline);
        reader.finish();
    }
}

fn add_flexible(
    name: &str,
    beam: Beam,
    places: Vec<NamedStation<'_>>,
    (model, names): (&mut Model, &mut NameIndex),
    context: &Context<'_>,
) -> BeamIndex {
    let axes = beam.axes();
    let index = model.add_beam(beam);
    names.settle(name, index.0);
    let mut points = Points::new(MarkerIndex::GROUND);
    for place in places {
        let body = model.add_station(index, place.name, place.distance);
        if axes == 3 {
            check_frame(name, &place, context);
        }
        model.set_station_frame(body, &place.frame);
        let marker = model.body_marker(body);
        points.add(place.name, marker, place.span);
        names.bodies.push(Points::new(marker));
    }
    names.beams.push(points);
    index
}

/// Returns `true` if it consists of bars and springs; incompatible keys are reported.
fn is_lumped(reader: &SectionReader<'_>, context: &Context<'_>) -> bool {
    let field = reader.get("element");
    if field.string().is_none_or(|word| word.value != LUMPED) {
        return false;
    }
    for key in ["shape", "tension", "gauss_points"] {
        let other = reader.get(key);
        if other.is_present() {
            let problem =
                "cannot be used with element = \"lumped\", a straight chain of rigid bars";
            let help = "leave it out, or use element = \"cable\"".to_owned();
            other.error("conflict", problem, "", Some(help));
        }
    }
    let spatial = context.space_known && context.space == Space::Spatial;
    if spatial {
        let help = "use element = \"cable\"".to_owned();
        let label = "for planar models only";
        field.error(
            "wrong-space",
            "cannot be `lumped` in a spatial model",
            label,
            Some(help),
        );
    }
    !spatial
}

/// The type of its elements.
fn kind(reader: &SectionReader<'_>) -> &'static dyn ElementKind {
    let word = reader.get("element").one_of(BEAM_ELEMENTS);
    let kind = word.and_then(|word| element_kind(word.value));
    kind.unwrap_or(biela_core::flexible::ELEMENTS[0])
}

/// The beam, or a placeholder if it is invalid.
fn beam<'t, const D: usize>(
    name: &str,
    (kind, measures): (&dyn ElementKind, &'static dyn StrainMeasures<D>),
    elements: usize,
    reader: &SectionReader<'t>,
    context: &Context<'t>,
) -> Beam
where
    ElementStrains: From<&'static dyn StrainMeasures<D>>,
{
    let shape = shape::<D>(reader, elements, context);
    let (nodes, length) = shape.unwrap_or_else(stand_in);
    let whole = length * (nodes.len() - 1) as f64;
    let (sections, profiles) = sections(reader, nodes.len() - 1, whole, context);
    let tension = context.number(&reader.get("tension"), "N").unwrap_or(0.0);
    let points = gauss_points(&reader.get("gauss_points"), context);
    let points = points.unwrap_or(kind.points());
    if reader.has("shape") && !kind.plane().curved() {
        let help = "use element = \"cable\"".to_owned();
        let problem = "is not allowed with this element";
        let label = "the stress-free shape of a green-lagrange beam is straight";
        reader
            .get("shape")
            .error("conflict", problem, label, Some(help));
    }
    let mut beam = Beam::new(name, measures, (&nodes, length), &sections, tension, points);
    beam.profiles = profiles;
    beam
}

/// The number of elements of a beam; `total` counts those of all beams.
fn elements<'t>(reader: &SectionReader<'t>, total: &mut usize, context: &Context<'t>) -> usize {
    let field = reader.get("elements");
    let count = context.number(&field, "1").unwrap_or(ELEMENTS as f64);
    let (problem, sound) = if count.fract() == 0.0 && (1.0..=MOST_OF_ONE as f64).contains(&count) {
        let problem = format!("makes more than {MOST_OF_ALL} elements in all beams together");
        (problem, *total + count as usize <= MOST_OF_ALL)
    } else {
        let problem = format!("must be an integer from 1 to {MOST_OF_ONE}");
        (problem, false)
    };
    if sound {
        *total += count as usize;
        return count as usize;
    }
    field.error("out-of-range", &problem, &format!("this is {count}"), None);
    1
}

fn gauss_points<'t>(field: &DocumentField<'t>, context: &Context<'t>) -> Option<[usize; 2]> {
    if !field.is_present() {
        return None;
    }
    let numbers = context.tuple::<2>(field, "1")?;
    let most = MOST_POINTS as f64;
    let sound = |(x, least): (&f64, f64)| x.fract() == 0.0 && (least..=most).contains(x);
    // fewer integration points leave a zero-energy deformation mode of an element
    if numbers.iter().zip([3.0, 2.0]).all(sound) {
        return Some(numbers.map(|x| x as usize));
    }
    let problem = format!("must be two integers, 3 to {MOST_POINTS} and 2 to {MOST_POINTS}");
    field.error("out-of-range", &problem, "", None);
    None
}
