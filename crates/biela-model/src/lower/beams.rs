//! Flexible beams.

use biela_core::flexible::{
    Beam, MOST_POINTS, Node, Profile, Section, along_curve, element_kind, straight,
};
use biela_core::math::rotation::about;
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{
    BeamIndex, Body, MarkerIndex, MassProperties, Model, Shape, ShapeKind, Space, Velocity0,
};

use super::fields::choose;
use super::keys::{self, BEAM_ELEMENTS, Variants};
use super::names::{Family, Names, Points, name_problem};
use super::reader::Reader;
use super::values::Context;
use crate::diagnostic::{Diagnostic, Span, shown};
use crate::document::{Field, Kind, Table, TableReader};
use crate::lower::formula::Reads;
use crate::units::Dimension;

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

/// A named place: name, distance from the start, where it is written.
type Place<'t> = (&'t str, f64, Span);

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

/// The same beam as one body: its frame is that of the start.
fn add_rigid(
    name: &str,
    beam: &Beam,
    places: Vec<Place<'_>>,
    model: &mut Model,
    names: &mut Names,
) {
    let at = |distance: f64| {
        let station = biela_core::flexible::Station::new(BeamIndex(0), beam, distance);
        let motion = station.motion(&beam.start());
        let p = Vec3::new(motion.r[0], motion.r[1], 0.0);
        Pose::new(about(2, motion.angle()), p)
    };
    let frame = at(0.0);
    let mass = beam.mass();
    let sum = beam.sum(&beam.reference);
    let center = Vec3::new(sum[0] / mass, sum[1] / mass, 0.0);
    // the angular momentum of a turn about the origin by 1 rad/s is the inertia about it
    let mut turning = beam.clone();
    turning.set_rigid_velocity([0.0; 2], 1.0);
    let inertia = beam.angular_momentum(&turning.start()) - mass * center.norm_squared();
    let own = frame.inverse().point(&center);
    let properties = MassProperties::planar(mass, [own[0], own[1]], inertia);
    let mut body = Body::new(
        name,
        properties.unwrap_or(MassProperties {
            mass,
            center: own,
            inertia: Mat3::identity() * mass,
        }),
    );
    body.origin = beam.origin.clone();
    // what it looks like: slender bars from node to node
    let (length, pieces) = (beam.length(), beam.num_coordinates() / 4 - 1);
    let node = |k: usize| {
        frame
            .inverse()
            .point(&at(length * k as f64 / pieces as f64).p)
    };
    body.shapes = (0..pieces)
        .map(|k| Shape {
            kind: ShapeKind::Bar {
                radius: length / 100.0,
                from: node(k),
                to: node(k + 1),
            },
            pose: Pose::identity(),
        })
        .collect();
    let (v, e) = (&beam.velocity, &beam.reference);
    if v.iter().any(|x| *x != 0.0) {
        // r' is a unit vector at the start, where its rate is ω × r'
        let omega = e[2] * v[3] - e[3] * v[2];
        body.velocity = Some(Velocity0 {
            linear: Vec3::new(v[0], v[1], 0.0),
            angular: Vec3::new(0.0, 0.0, omega),
        });
    }
    let index = model.add_body(body.at(frame));
    names.settle(name, index.0);
    let mut points = Points::new(MarkerIndex(model.markers.len() - 1));
    for (place, distance, span) in places {
        let pose = frame.inverse().then(&at(distance));
        points.add(place, model.add_marker(place, index, pose), span);
    }
    names.bodies.push(points);
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

/// Nodes of the shape and the length of an element.
fn shape<'t>(
    reader: &Reader<'t>,
    elements: usize,
    context: &Context<'t>,
) -> Option<(Vec<Node>, f64)> {
    if !reader.has("shape") {
        let from = context.vector(&reader.require("from", "from = [0, 0]"), "m");
        let to = reader.require("to", "to = [\"1 m\", 0]");
        let (from, end) = (from?, context.vector(&to, "m")?);
        let line = straight([from[0], from[1]], [end[0], end[1]], elements);
        if line.is_none() {
            let label = "the beam has no length";
            to.error("bad-shape", "must differ from `from`", label, None);
        }
        return line;
    }
    for key in ["from", "to"] {
        if reader.has(key) {
            let help = "leave one of them out".to_owned();
            let problem = "says with `shape` twice where the beam is";
            reader.get(key).error("conflict", problem, "", Some(help));
        }
    }
    let field = reader.get("shape");
    let items = field.array()?.value;
    let points: Vec<Option<Vec3<f64>>> =
        items.iter().map(|item| context.vector(item, "m")).collect();
    let points: Option<Vec<[f64; 2]>> = points
        .into_iter()
        .map(|point| point.map(|p| [p[0], p[1]]))
        .collect();
    let curve = along_curve(&points?, elements);
    if curve.is_none() {
        let problem = "must have three points or more, neighbours apart";
        let help = "for a straight beam write `from` and `to`".to_owned();
        field.error(
            "bad-shape",
            problem,
            "no curve leads through these",
            Some(help),
        );
    }
    curve
}

/// Stiffness and mass of each element.
fn sections<'t>(
    reader: &Reader<'t>,
    elements: usize,
    length: f64,
    context: &Context<'t>,
) -> Vec<Section> {
    let field = reader.get("section");
    let start = profile(&field, context);
    let end_field = reader.get("end_section");
    let end = profile(&end_field, context);
    if let (Some(end), Some(start)) = (&end, &start)
        && start.between(end, 0.5).is_none()
    {
        let problem = "must be of the same kind as `section`";
        end_field.error("conflict", problem, "", None);
    }
    if end_field.is_present() && !field.is_present() {
        let help = "add section = { … }".to_owned();
        end_field.error(
            "conflict",
            "needs a `section` to begin with",
            "",
            Some(help),
        );
    }
    let young = context.positive(&reader.get("young"), "Pa");
    let density = context.positive(&reader.get("density"), "kg/m^3");
    let axial = Source::new(reader, "axial_stiffness", "N", context);
    let bending = Source::new(reader, "bending_stiffness", "N*m^2", context);
    let per_length = Source::new(reader, "mass_per_length", "kg/m", context);
    let mass = Source::new(reader, "mass", "kg", context);
    axial.check(reader, &["section", "young"], "stiffness", context);
    bending.check(reader, &["section", "young"], "stiffness", context);
    if !mass.given {
        per_length.check(reader, &["section", "density"], "mass", context);
    } else if per_length.given || reader.has("density") {
        let other = if per_length.given {
            "mass_per_length"
        } else {
            "density"
        };
        let help = format!("leave `mass` or `{other}` out");
        let problem = "says the mass twice";
        reader.get(other).error("conflict", problem, "", Some(help));
    }
    let damping = reader.get("damping");
    let tau = context.number(&damping, "s").unwrap_or(0.0);
    if tau < 0.0 {
        let label = format!("this is {tau} s");
        damping.error("negative", "must not be negative", &label, None);
    }
    let at = |k: usize| {
        let share = (k as f64 + 0.5) / elements as f64;
        let profile = match (&start, &end) {
            (Some(start), Some(end)) => start.between(end, share),
            (start, _) => *start,
        };
        let profile = profile.unwrap_or(Profile::Circle { radius: 1.0 });
        Section::new(&profile, young.unwrap_or(1.0), density.unwrap_or(1.0))
    };
    let mut list: Vec<Section> = (0..elements).map(at).collect();
    let total: f64 = list.iter().map(|section| section.mass).sum::<f64>() / elements as f64;
    for section in &mut list {
        // a given mass is spread as the areas are
        let shared = mass.value.map(|mass| mass / length * section.mass / total);
        section.axial = axial.value.unwrap_or(section.axial);
        section.bending = bending.value.unwrap_or(section.bending);
        section.mass = per_length.value.or(shared).unwrap_or(section.mass);
        section.damping = tau.max(0.0);
    }
    list
}

/// A number that is given, or follows from others.
struct Source {
    key: &'static str,
    given: bool,
    value: Option<f64>,
}

impl Source {
    fn new<'t>(reader: &Reader<'t>, key: &'static str, unit: &str, context: &Context<'t>) -> Self {
        Source {
            key,
            given: reader.has(key) || reader.is_misspelt(key),
            value: context.positive(&reader.get(key), unit),
        }
    }

    /// Reports where it is not given and what it follows from is not there either.
    fn check(&self, reader: &Reader<'_>, from: &[&str], what: &str, context: &Context<'_>) {
        let missing: Vec<String> = from
            .iter()
            .filter(|key| !reader.has(key) && !reader.is_misspelt(key))
            .map(|key| format!("`{key}`"))
            .collect();
        if self.given || missing.is_empty() {
            return;
        }
        let message = format!("{}: nothing says its `{}`", reader.what(), self.key);
        let help = format!("give `{}`, or {}", self.key, missing.join(" and "));
        let label = format!("the {what} of the beam is not known");
        context.error("missing-key", message, (reader.span(), &label), Some(help));
    }
}

fn profile<'t>(field: &Field<'t>, context: &Context<'t>) -> Option<Profile> {
    let table = field.table()?;
    let reader = Reader::called(
        &field.what(),
        &keys::BEAM_SECTION,
        table.value,
        context.diagnostics,
    );
    let variant = choose(&reader, Variants::Profiles, "type = \"circle\"");
    let length = |key: &'static str| {
        context.positive(&reader.require(key, &format!("{key} = \"10 mm\"")), "m")
    };
    let read = |word: &str| match word {
        "circle" => Some(Profile::Circle {
            radius: length("radius")?,
        }),
        "tube" => {
            let (radius, inner) = (length("radius"), length("inner"));
            Some(Profile::Tube {
                radius: radius?,
                inner: inner?,
            })
        }
        "rectangle" => {
            let (width, height) = (length("width"), length("height"));
            Some(Profile::Rectangle {
                width: width?,
                height: height?,
            })
        }
        _ => {
            let (width, height) = (length("width"), length("height"));
            let (flange, web) = (length("flange"), length("web"));
            Some(Profile::I {
                width: width?,
                height: height?,
                flange: flange?,
                web: web?,
            })
        }
    };
    let profile = variant.and_then(|variant| read(variant.name));
    let thin = profile.filter(|profile| !profile.is_sound());
    reader.finish();
    if thin.is_some() {
        let problem = "does not fit together";
        let help = "the hole must be smaller than the tube; web and flanges thinner than the whole";
        field.error("bad-shape", problem, "", Some(help.to_owned()));
        return None;
    }
    profile
}

/// The places of a beam: start, end and its named points.
fn places<'t>(reader: &Reader<'t>, length: f64, context: &Context<'t>) -> Vec<Place<'t>> {
    let mut places = vec![
        ("start", 0.0, reader.span()),
        ("end", length, reader.span()),
    ];
    let Some(table) = reader.get("points").table() else {
        return places;
    };
    let what = format!("points of {}", reader.what());
    let list = TableReader::new(table.value, &what, &[], context.diagnostics);
    for (name, field) in list.fields() {
        let distance = distance(&field, length, context).unwrap_or(0.0);
        if let Some(help) = name_problem(name.value, false) {
            let message = format!(
                "a point of {} cannot be called {}",
                reader.what(),
                shown(name.value)
            );
            context.error("bad-name", message, (name.span, ""), Some(help));
        } else if places.iter().any(|place| place.0 == name.value) {
            let message = format!(
                "{} has a point {} already",
                reader.what(),
                shown(name.value)
            );
            let help = "`start` and `end` are the ends of every beam";
            context.diagnostics.push(
                Diagnostic::error("duplicate-name", message)
                    .at(name.span, "")
                    .help(help),
            );
        } else {
            places.push((name.value, distance, name.span));
        }
    }
    list.finish();
    places
}

/// A distance from the start: a share of the length, or a length.
fn distance<'t>(field: &Field<'t>, length: f64, context: &Context<'t>) -> Option<f64> {
    let value = field.value()?;
    if !matches!(
        value.kind,
        Kind::String(_) | Kind::Integer(_) | Kind::Float(_)
    ) {
        let help = "write a share of the length such as 0.5, or a distance such as \"12 mm\"";
        field.wrong_kind("a number", Some(help.to_owned()));
        return None;
    }
    let formula = context.formula(field, Reads::Nothing, None)?;
    let number = formula.program.constant()?;
    let lengthwise = formula.program.dimension() == Some(Dimension::LENGTH);
    if !lengthwise {
        formula_is_plain(field, formula.program.dimension())?;
    }
    let distance = if lengthwise { number } else { number * length };
    if (-1e-9 * length..=length * (1.0 + 1e-9)).contains(&distance) {
        return Some(distance.clamp(0.0, length));
    }
    let problem = if lengthwise {
        format!("must be a distance from 0 to {length} m")
    } else {
        "must be a share from 0 to 1".to_owned()
    };
    let help = "write a share of the length such as 0.5, or a distance such as \"12 mm\"";
    field.error(
        "out-of-range",
        &problem,
        &format!("this is {number}"),
        Some(help.to_owned()),
    );
    None
}

/// Reports a dimension that is no length.
fn formula_is_plain(field: &Field<'_>, dimension: Option<Dimension>) -> Option<()> {
    match dimension {
        Some(dimension) if !dimension.is_none() => {
            let label = format!("this is {}", dimension.describe());
            let problem = "must be a share of the length, or a length";
            field.error("wrong-unit", problem, &label, None);
            None
        }
        _ => Some(()),
    }
}
