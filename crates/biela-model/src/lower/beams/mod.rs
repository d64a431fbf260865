//! Flexible beams.

mod places;
mod rigid;
mod sections;
mod shape;

use biela_core::flexible::{Beam, MOST_POINTS, element_kind};
use biela_core::math::Vec3;
use biela_core::model::{MarkerIndex, Model, Space};

use self::places::{Place, places};
use self::rigid::add_rigid;
use self::sections::sections;
use self::shape::shape;
use super::keys::{self, BEAM_ELEMENTS};
use super::names::{Family, Names, Points};
use super::reader::Reader;
use super::values::Context;
use crate::document::{Field, Table};

/// Elements when nothing is said, and the most of them in one beam and in all.
const ELEMENTS: usize = 8;
const MOST_OF_ONE: i64 = 10_000;
const MOST_OF_ALL: usize = super::MOST_ELEMENTS;

/// Reads every `[[beam]]`; one with a mistake gets a stand-in for what is wrong, so that references to it hold.
pub(super) fn beams<'t>(
    tables: &[&'t Table],
    model: &mut Model,
    names: &mut Names,
    context: &Context<'t>,
) {
    let mut total = 0;
    for table in tables {
        let reader = Reader::new(&keys::BEAM, table, context.diagnostics);
        let rigid = reader.get("rigid").bool().is_some_and(|flag| flag.value);
        let family = if rigid { Family::Body } else { Family::Beam };
        let name = names.declare(&reader, "name", family, context);
        if context.space_known && context.space == Space::Spatial {
            let help = "write space = \"planar\", or use rigid bodies".to_owned();
            let label = "this model is spatial";
            let message = format!("{}: beams are for planar models", reader.what());
            context.error("wrong-space", message, (reader.span(), label), Some(help));
        }
        let elements = elements(&reader, &mut total);
        let mut beam = beam(&name, elements, &reader, context);
        beam.origin = context.origin(reader.span());
        let places = places(&reader, beam.length(), context);
        if rigid {
            add_rigid(&name, &beam, places, model, names);
        } else {
            add_flexible(&name, beam, places, model, names);
        }
        reader.finish();
    }
}

fn add_flexible(
    name: &str,
    beam: Beam,
    places: Vec<Place<'_>>,
    model: &mut Model,
    names: &mut Names,
) {
    let index = model.add_beam(beam);
    names.settle(name, index.0);
    let mut points = Points::new(MarkerIndex::GROUND);
    for (place, distance, span) in places {
        let body = model.add_station(index, place, distance);
        let marker = model.body_marker(body);
        points.add(place, marker, span);
        names.bodies.push(Points::new(marker));
    }
    names.beams.push(points);
}

/// The beam itself, or a stand-in where something is wrong.
fn beam<'t>(name: &str, elements: usize, reader: &Reader<'t>, context: &Context<'t>) -> Beam {
    let kind = reader.get("element").one_of(BEAM_ELEMENTS);
    let kind = kind.map_or(BEAM_ELEMENTS[0], |word| word.value);
    let shape = shape(reader, elements, context);
    let shape = shape.unwrap_or_else(|| (vec![[0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 1.0, 0.0]], 1.0));
    let length = shape.1 * (shape.0.len() - 1) as f64;
    let sections = sections(reader, shape.0.len() - 1, length, context);
    let tension = context.number(&reader.get("tension"), "N").unwrap_or(0.0);
    let points = gauss_points(&reader.get("gauss_points"), context);
    let kinds = biela_core::flexible::ELEMENTS;
    let kind = element_kind(kind).unwrap_or(kinds[0]);
    if reader.has("shape") && !kind.info().curved {
        let help = "use element = \"cable\"".to_owned();
        let problem = "cannot be a curve here";
        let label = "a green-lagrange beam is straight without stress";
        reader
            .get("shape")
            .error("conflict", problem, label, Some(help));
    }
    let mut beam = Beam::new(name, kind, (&shape.0, shape.1), &sections, tension, points);
    let velocity = context.vector(&reader.get("velocity"), "m/s");
    let velocity = velocity.unwrap_or_else(Vec3::zeros);
    let omega = context.number(&reader.get("omega"), "rad/s").unwrap_or(0.0);
    let start = &shape.0[0];
    // the velocity of the start becomes that of the ground's origin, moving along
    let origin = [
        velocity[0] + omega * start[1],
        velocity[1] - omega * start[0],
    ];
    beam.set_rigid_velocity(origin, omega);
    beam
}

/// How many elements a beam has; `total` counts those of all beams.
fn elements(reader: &Reader<'_>, total: &mut usize) -> usize {
    let field = reader.get("elements");
    let count = field.integer().map_or(ELEMENTS as i64, |count| count.value);
    let (problem, sound) = if (1..=MOST_OF_ONE).contains(&count) {
        let problem = format!("brings the elements of all beams beyond {MOST_OF_ALL}");
        (problem, *total + count as usize <= MOST_OF_ALL)
    } else {
        let problem = format!("must be a whole number from 1 to {MOST_OF_ONE}");
        (problem, false)
    };
    if sound {
        *total += count as usize;
        return count as usize;
    }
    field.error("out-of-range", &problem, &format!("this is {count}"), None);
    1
}

fn gauss_points<'t>(field: &Field<'t>, context: &Context<'t>) -> Option<[usize; 2]> {
    if !field.is_present() {
        return None;
    }
    let numbers = context.tuple::<2>(field, "1")?;
    let most = MOST_POINTS as f64;
    let sound = |(x, least): (&f64, f64)| x.fract() == 0.0 && (least..=most).contains(x);
    // fewer leave some way to deform an element without stiffness
    if numbers.iter().zip([3.0, 2.0]).all(sound) {
        return Some(numbers.map(|x| x as usize));
    }
    let problem = format!("must be two whole numbers, 3 to {MOST_POINTS} and 2 to {MOST_POINTS}");
    field.error("out-of-range", &problem, "", None);
    None
}
