//! Contacts between surfaces of bodies.

mod generated;
mod materials;
mod sides;

use biela_core::analysis::{Analysis, ImpactLaw, Study};
use biela_core::contact::{
    Arc, Capsule, Circle, Cuboid, Curve, Cylinder, Disc, Ellipsoid, HalfSpace, Line, Point, Points,
    Polygon, Segment, Sphere, Surface, SurfacePair,
};
use biela_core::element::Info;
use biela_core::math::rotation::{about, aligning};
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{
    BodyIndex, Compliance, ContactElement, ContactIndex, ContactLaw, Elasticity, MarkerIndex,
    MaterialIndex, Model, Shape, ShapeKind, Space,
};
use biela_core::unilateral::{NormalLaw, unilaterals};

pub(super) use generated::generated;
pub(super) use materials::{BodyMaterials, materials, pairs, read_body_materials};
use materials::{Coefficients, PairTable};
use sides::{Attached, BEAM, Side, Surfaced, attach, sides, tube};

use super::fields::{describe, example, report_argument};
use super::formula::{LocalName, Reads};
use super::keys::{self, SURFACES};
use super::names::{ElementFamily, NameIndex};
use super::reader::SectionReader;
use super::rotation::orientation;
use super::shapes::positive_sizes;
use super::values::Context;
use crate::diagnostic::{Span, shown};
use crate::document::{DocumentField, Table};
use crate::units::Dimension;

/// Samples of a curve that is given by a formula.
const SAMPLES: usize = 360;
/// The largest number of samples of a formula.
const MOST_SAMPLES: usize = 100_000;
/// A shape whose axis deviates more than this from the normal of the plane has no outline in a planar model.
const UPRIGHT: f64 = 1e-9;

/// A surface in the frame of a body.
#[derive(Clone)]
struct Placed {
    surface: Surface,
    pose: Pose,
    material: Option<MaterialIndex>,
}

impl Placed {
    fn new(surface: impl Into<Surface>, pose: Pose) -> Self {
        Placed {
            surface: surface.into(),
            pose,
            material: None,
        }
    }
}

/// Reads every `[[contact]]`.
pub(super) fn contacts<'t>(
    tables: &[&'t Table],
    model: &mut Model,
    names: &mut NameIndex,
    pairs: &PairTable,
    context: &Context<'t>,
) {
    for table in tables {
        let reader = SectionReader::new(&keys::CONTACT, table, context.diagnostics);
        let name = names.declare(&reader, "name", ElementFamily::Contact, context);
        let between = sides(&reader, model, names, context);
        let own = Coefficients::read(&reader, context);
        let surfaces = surfaces(&reader, between.as_ref(), (&*model, &*names), context);
        if let (Some(own), Some(surfaces)) = (own, surfaces)
            && let Some(law) = law(&reader, own, &surfaces, (pairs, model), context)
            && let Some(index) = add(&reader, &name, (surfaces, law), (model, names), context)
        {
            names.settle(&name, index);
        }
        reader.finish();
    }
}

/// Warns of searches for equilibria that do not consider unilateral constraints, and reports tangential restitution with a law of impact that has none.
pub(super) fn check_study<'t>(
    field: &DocumentField<'t>,
    study: Option<&Study>,
    model: &Model,
    context: &Context<'t>,
) {
    let reversing = |contact: &&ContactElement| contact.law.tangential_restitution > 0.0;
    if study.is_some_and(|study| study.impact == ImpactLaw::Poisson)
        && let (Some(contact), Some(table)) = (model.contacts.iter().find(reversing), field.table())
    {
        let span = table
            .value
            .get("impact")
            .map_or(table.span, |entry| entry.value.span);
        let name = shown(&contact.name);
        let message = format!(
            "Poisson's law of impact has no tangential restitution, which contact {name} has"
        );
        let help = "leave out `tangential_restitution`, or write impact = \"newton\"".to_owned();
        context.error("conflict", message, (span, ""), Some(help));
    }
    let (start_points, load_steps) = match study.map(|study| study.analysis) {
        Some(Analysis::Statics {
            start_points,
            load_steps,
            ..
        }) => (start_points, load_steps),
        Some(Analysis::MotionFromEquilibrium) => (1, 0),
        _ => return,
    };
    let list = unilaterals(model);
    let first = |law| list.iter().find(|one| one.normal == law);
    let (Some(span), false) = (field.span(), context.diagnostics.has_errors()) else {
        return;
    };
    let (message, help, found) = if let Some(clutch) = first(NormalLaw::Velocity) {
        (
            "a search for equilibria does not consider one-way clutches, such as",
            "lock the coordinate by a joint if the clutch carries load at rest",
            clutch,
        )
    } else if let (Some(contact), true) = (first(NormalLaw::Gap), load_steps > 0) {
        (
            "load steps do not consider unilateral constraints, such as that of",
            "omit `load_steps`, or replace the contact by a spring",
            contact,
        )
    } else if let (Some(contact), true) = (first(NormalLaw::Gap), start_points > 1) {
        (
            "only the equilibrium reached from the initial configuration is searched with unilateral constraints, such as that of",
            "omit `start_points`, and start from other initial poses instead",
            contact,
        )
    } else {
        return;
    };
    let (word, name) = (found.owner.word(), shown(found.owner.name(model)));
    let message = format!("{message} {word} {name}");
    context.warning("unilateral-statics", message, (span, ""), help);
}

/// Adds a contact; a pair of surfaces that is not supported is reported.
fn add<'t>(
    reader: &SectionReader<'t>,
    name: &str,
    (sides, law): ([Surfaced; 2], ContactLaw),
    (model, names): (&mut Model, &mut NameIndex),
    context: &Context<'t>,
) -> Option<usize> {
    let [one, other] = sides.each_ref().map(|side| side.surface.surface.clone());
    if let Err(message) = SurfacePair::new(model.space, one, other) {
        if context.space_known {
            let span = reader.get("surfaces").span().unwrap_or(reader.span());
            let (problem, help) = split_sentence(&message);
            let message = format!("{}: {problem}", reader.what());
            context.error("unsupported-pair", message, (span, ""), help);
        }
        return None;
    }
    let attached = attach(reader, name, &sides, (&mut *model, names), context)?;
    let surfaces = sides.map(|side| side.surface);
    let index = place(name, &attached, surfaces, law, model)?;
    locate(index, reader.span(), model, context);
    Some(index.0)
}

/// Adds a contact between two surfaces in the frames of their bodies.
fn place(
    name: &str,
    attached: &Attached,
    [first, second]: [Placed; 2],
    mut law: ContactLaw,
    model: &mut Model,
) -> Option<ContactIndex> {
    let elasticity = |side: &Placed| model.materials[side.material?.0].elasticity();
    if let (false, Some(one), Some(other)) = (
        law.compliance.is_given(),
        elasticity(&first),
        elasticity(&second),
    ) {
        law = law.with_elasticity([one, other]);
    }
    let surfaces = [first.surface, second.surface];
    let index = model.add_contact_at(name, &attached.markers, surfaces, law)?;
    let element = &mut model.contacts[index.0];
    element.materials = [first.material, second.material];
    element.beam.clone_from(&attached.beam);
    for (joint, [first, second]) in element.joints.iter().zip(&attached.poses) {
        let joint = &mut model.joints[joint.0];
        joint.first.1 = *first;
        joint.second.1 = *second;
    }
    Some(index)
}

/// Sets the source location of a contact.
fn locate(index: ContactIndex, span: Span, model: &mut Model, context: &Context<'_>) {
    let origin = context.origin(span);
    let element = &mut model.contacts[index.0];
    for joint in &element.joints {
        model.joints[joint.0].origin = origin.clone();
    }
    element.origin = origin;
}

/// A message of the core in the form of the diagnostics: its first sentence without a capital, and the rest as advice.
fn split_sentence(message: &str) -> (String, Option<String>) {
    let message = message.trim_end_matches('.');
    let (first, rest) = match message.split_once(". ") {
        Some((first, rest)) => (first, Some(rest)),
        None => (message, None),
    };
    let uncapitalized = |text: &str| {
        let mut letters = text.chars();
        let first = letters.next().into_iter().flat_map(char::to_lowercase);
        first.chain(letters).collect::<String>()
    };
    (uncapitalized(first), rest.map(uncapitalized))
}

/// The law of a contact: its own coefficients, and otherwise those of the materials of its surfaces.
fn law<'t>(
    reader: &SectionReader<'t>,
    own: Coefficients,
    surfaces: &[Surfaced; 2],
    (pairs, model): (&PairTable, &Model),
    context: &Context<'t>,
) -> Option<ContactLaw> {
    let sides = [0, 1].map(|k| surfaces[k].surface.material);
    let of_materials = match pairs.find(sides) {
        Ok(found) => found,
        Err(_) if !own.is_empty() => Coefficients::default(),
        Err(missing) => {
            let (problem, help) = missing.explain(model);
            let message = format!("{}: {problem}", reader.what());
            context.error("no-pair", message, (reader.span(), ""), Some(help));
            return None;
        }
    };
    let mut law = own.over(of_materials).law();
    law.compliance = compliance(reader, context)?;
    checked(reader, law, context)
}

/// The law, if its values are within their ranges.
fn checked<'t>(
    reader: &SectionReader<'t>,
    law: ContactLaw,
    context: &Context<'t>,
) -> Option<ContactLaw> {
    law.check()
        .map_err(|error| report_argument(reader, &error, context))
        .ok()?;
    Some(law)
}

/// Reads the keys of the compliant formulation.
fn compliance<'t>(reader: &SectionReader<'t>, context: &Context<'t>) -> Option<Compliance> {
    let given = |key: &'static str, unit: &'static str| {
        let field = reader.get(key);
        if field.is_present() {
            context.number(&field, unit).map(Some)
        } else {
            Some(None)
        }
    };
    let stiffness = given("stiffness", "");
    let exponent = given("exponent", "1");
    let modulus = given("young", "Pa");
    let poisson = given("poisson", "1");
    let dissipation = given("dissipation", "s/m");
    let tangential_stiffness = given("tangential_stiffness", "N/m");
    let tangential_damping = given("tangential_damping", "1");
    let mut law = ContactLaw::SMOOTH;
    if let Some(youngs_modulus) = modulus? {
        let side = Elasticity {
            youngs_modulus,
            poisson: poisson?.unwrap_or(0.3),
        };
        law = law.with_elasticity([side; 2]);
    }
    let mut compliance = law.compliance;
    compliance.stiffness = stiffness?;
    compliance.exponent = exponent?.unwrap_or(compliance.exponent);
    compliance.dissipation = dissipation?;
    compliance.tangential_stiffness = tangential_stiffness?;
    compliance.tangential_damping = tangential_damping?;
    poisson.map(|_| compliance)
}

/// Reads `surfaces`, each with its pose in the frame of its body, and joins them with their sides.
fn surfaces<'t>(
    reader: &SectionReader<'t>,
    between: Option<&[Side; 2]>,
    elements: (&Model, &NameIndex),
    context: &Context<'t>,
) -> Option<[Surfaced; 2]> {
    let example = match context.space {
        Space::Planar => "surfaces = [{ type = \"line\" }, { type = \"circle\", radius = 0.1 }]",
        Space::Spatial => {
            "surfaces = [{ type = \"half-space\" }, { type = \"sphere\", radius = 0.1 }]"
        }
    };
    let field = reader.require("surfaces", example);
    let items = field.fixed_array::<2>()?.value;
    let mut read = Vec::with_capacity(2);
    for (k, item) in items.iter().enumerate() {
        let what = format!("surface {} of {}", k + 1, reader.what());
        let Some(table) = item.table() else { continue };
        let reader = SectionReader::called(&what, &keys::SURFACE, table.value, context.diagnostics);
        let side = between.map(|between| between[k].clone());
        let found = match &side {
            Some(Side::Beam(beam)) => {
                let _ = described(&reader, context);
                tube(&reader, beam, elements, context)
            }
            Some(Side::Marker(marker)) => {
                surface(&reader, Some(*marker), elements, context).map(|placed| (placed, None))
            }
            None => {
                // an error of `between` was reported, the surfaces may have others
                let _ = surface(&reader, None, elements, context);
                None
            }
        };
        reader.finish();
        if let (Some(side), Some((surface, points))) = (side, found) {
            read.push(Surfaced {
                side,
                surface,
                points,
            });
        }
    }
    <[Surfaced; 2]>::try_from(read).ok()
}

/// The description of the type of a surface.
fn described<'t>(reader: &SectionReader<'t>, context: &Context<'t>) -> Option<&'static Info> {
    let wide = match context.space {
        Space::Planar => "type = \"circle\"",
        Space::Spatial => "type = \"sphere\"",
    };
    describe(reader, SURFACES, wide, context)
}

/// Reads one surface. Its pose is the placement in the frame of the marker, after the pose of the marker in the body.
fn surface<'t>(
    reader: &SectionReader<'t>,
    marker: Option<MarkerIndex>,
    (model, names): (&Model, &NameIndex),
    context: &Context<'t>,
) -> Option<Placed> {
    let info = described(reader, context);
    let given = reader.get("material");
    let material = names.material(&given, context);
    let at = context.vector(&reader.get("at"), "m");
    let at_is_wrong = at.is_none() && reader.has("at");
    let turn = orientation(reader, false, context);
    let made = info.and_then(|info| {
        let normal = info.fields.iter().any(|field| field.name == "normal");
        let turn = if normal {
            from_normal(reader, turn, context)?
        } else {
            turn.unwrap_or_else(Mat3::identity)
        };
        let placement = Pose::new(turn, at.unwrap_or_else(Vec3::zeros));
        let carrier = marker.map(|marker| &model.markers[marker.0]);
        let own = |k| names.material_of(carrier?.body, k);
        if info.name == BEAM {
            // without a marker, an error of the beam was reported
            if marker.is_some() {
                no_beam(reader, context);
            }
            return None;
        }
        let (surface, pose, material) = if info.name == "shape" {
            let (shape, k) = of_shape(reader, carrier?.body, model, context)?;
            (shape.surface, shape.pose, material.or_else(|| own(Some(k))))
        } else {
            let surface = kind(reader, info.name, context)?;
            let pose = carrier.map_or_else(Pose::identity, |marker| marker.pose);
            (surface, pose, material.or_else(|| own(None)))
        };
        let pose = pose.then(&placement);
        Some(Placed {
            surface,
            pose,
            material,
        })
    });
    let is_wrong = at_is_wrong || (material.is_none() && given.is_present());
    made.filter(|_| !is_wrong)
}

/// Reports the surface of a beam where only a point or frame is possible.
fn no_beam(reader: &SectionReader<'_>, context: &Context<'_>) {
    let message = format!("{}: a beam as a whole is not possible here", reader.what());
    let help = "give the beam a [[contact]] of its own, or choose another type of surface for a station of the beam";
    let span = reader.key_span("type");
    context.error("no-surface", message, (span, ""), Some(help.to_owned()));
}

/// The orientation of a line or half-space from its `normal`.
fn from_normal<'t>(
    reader: &SectionReader<'t>,
    turn: Option<Mat3<f64>>,
    context: &Context<'t>,
) -> Option<Mat3<f64>> {
    let field = reader.get("normal");
    if !field.is_present() {
        return Some(turn.unwrap_or_else(Mat3::identity));
    }
    let normal = context.direction(&field)?;
    if turn.is_some() {
        let label = "the orientation is given too";
        let problem = "conflicts with `angle` or `rotation`";
        field.error("two-orientations", problem, label, None);
        return None;
    }
    if context.space == Space::Spatial {
        return Some(aligning(2, &normal));
    }
    if normal[2] != 0.0 {
        let help = "give x and y only: [0, 1]".to_owned();
        let problem = "must lie in the plane";
        field.error("wrong-space", problem, "has a z component", Some(help));
        return None;
    }
    Some(about(2, (-normal[0]).atan2(normal[1])))
}

/// Reads the surface of a type.
fn kind<'t>(reader: &SectionReader<'t>, name: &str, context: &Context<'t>) -> Option<Surface> {
    let required = |key: &'static str| {
        let fields = SURFACES.iter().filter(|info| info.name == name);
        let field = fields.flat_map(|info| info.fields).find(|f| f.name == key);
        reader.require(key, &field.map_or(String::new(), example))
    };
    let length = |key: &'static str| context.positive(&required(key), "m");
    let inside = || reader.get("inside").bool().is_some_and(|flag| flag.value);
    let made: Result<Surface, String> = match name {
        "point" => Ok(Point.into()),
        "points" => Points::new(vectors(&required("points"), context)?).map(Into::into),
        "line" => Ok(Line.into()),
        "circle" => match (length("radius"), inside()) {
            (radius, true) => Circle::inside(radius?).map(Into::into),
            (radius, false) => Circle::new(radius?).map(Into::into),
        },
        "arc" => {
            let radius = length("radius");
            let ends = ["from", "to"].map(|key| context.angle(&required(key)));
            let ([from, to], inside) = (ends, inside());
            let (radius, from, to) = (radius?, from?, to?);
            if inside {
                Arc::inside(radius, from, to).map(Into::into)
            } else {
                Arc::new(radius, from, to).map(Into::into)
            }
        }
        "segment" => {
            let end = |key: &'static str| context.vector(&required(key), "m");
            let (from, to) = (end("from"), end("to"));
            let radius = reader.get("radius");
            let radius = if radius.is_present() {
                context.positive(&radius, "m")?
            } else {
                0.0
            };
            let (from, to) = (from?, to?);
            Segment::new([from[0], from[1]], [to[0], to[1]], radius).map(Into::into)
        }
        "polygon" => {
            let vertices = vectors(&required("vertices"), context)?;
            Polygon::new(&flat(&vertices)).map(Into::into)
        }
        "curve" => curve(reader, context)?.map(Into::into),
        "half-space" => Ok(HalfSpace.into()),
        "sphere" => match (length("radius"), inside()) {
            (radius, true) => Sphere::inside(radius?).map(Into::into),
            (radius, false) => Sphere::new(radius?).map(Into::into),
        },
        "capsule" => {
            let (radius, along) = (length("radius"), length("length"));
            Capsule::new(radius?, along?).map(Into::into)
        }
        "cylinder" => {
            let (radius, along) = (length("radius"), length("length"));
            Cylinder::new(radius?, along?).map(Into::into)
        }
        "disc" => {
            let rounding = reader.get("rounding");
            let radius = length("radius");
            if rounding.is_present() {
                let rounding = context.positive(&rounding, "m");
                Disc::rounded(radius?, rounding?).map(Into::into)
            } else {
                Disc::new(radius?).map(Into::into)
            }
        }
        "ellipsoid" => {
            let sizes = positive_sizes("semi_axes", "a semi-axis", reader, context)?;
            Ellipsoid::new(sizes.into()).map(Into::into)
        }
        _ => {
            let sizes = positive_sizes("size", "an edge", reader, context)?;
            Cuboid::new(sizes.into()).map(Into::into)
        }
    };
    made.map_err(|message| refuse(reader, &message, context))
        .ok()
}

/// Reports a surface that the core does not accept.
fn refuse(reader: &SectionReader<'_>, message: &str, context: &Context<'_>) {
    let (problem, help) = split_sentence(message);
    let message = format!("{}: {problem}", reader.what());
    context.error("bad-surface", message, (reader.span(), ""), help);
}

/// A list of points.
fn vectors<'t>(field: &DocumentField<'t>, context: &Context<'t>) -> Option<Vec<Vec3<f64>>> {
    let items = field.array()?.value;
    let read: Vec<Option<Vec3<f64>>> = items.iter().map(|item| context.vector(item, "m")).collect();
    read.into_iter().collect()
}

fn flat(points: &[Vec3<f64>]) -> Vec<[f64; 2]> {
    points.iter().map(|x| [x[0], x[1]]).collect()
}

/// Reads a curve in one of its three forms; `None` if an error was reported.
fn curve<'t>(reader: &SectionReader<'t>, context: &Context<'t>) -> Option<Result<Curve, String>> {
    let [radius, samples, angles, radii, points] =
        ["radius", "samples", "angles", "radii", "points"].map(|key| reader.get(key));
    let polar = angles.is_present() || radii.is_present();
    let forms = [radius.is_present(), polar, points.is_present()];
    if forms.iter().filter(|form| **form).count() != 1 {
        let message = format!(
            "{} needs exactly one of `radius`, `angles` with `radii`, and `points`",
            reader.what()
        );
        let help = "for a cam write radius = \"20 [mm] + 5 [mm]*cos(theta)\"".to_owned();
        context.error("which-curve", message, (reader.span(), ""), Some(help));
        return None;
    }
    if samples.is_present() && !forms[0] {
        samples.error("too-much", "applies only to a formula", "", None);
        return None;
    }
    if forms[2] {
        return Some(Curve::from_points(&flat(&vectors(&points, context)?)));
    }
    if polar {
        let angles = reader.require(
            "angles",
            "angles = [0, \"90 deg\", \"180 deg\", \"270 deg\"]",
        );
        let radii = reader.require(
            "radii",
            "radii = [\"20 mm\", \"22 mm\", \"25 mm\", \"22 mm\"]",
        );
        let lists = (
            context.numbers(&angles, "rad"),
            context.numbers(&radii, "m"),
        );
        let (angles, values) = (lists.0?, lists.1?);
        if angles.len() != values.len() {
            let label = format!("{} radii for {} angles", values.len(), angles.len());
            let problem = "must have one radius for each angle";
            radii.error("wrong-length", problem, &label, None);
            return None;
        }
        let table: Vec<(f64, f64)> = angles.into_iter().zip(values).collect();
        return Some(Curve::from_polar(&table));
    }
    let count = samples.is_present().then(|| samples.integer());
    let count = match count {
        None => SAMPLES,
        Some(count) => match usize::try_from(count?.value) {
            Ok(count) if (4..=MOST_SAMPLES).contains(&count) => count,
            _ => {
                let problem = format!("must be a number from 4 to {MOST_SAMPLES}");
                samples.error("bad-value", &problem, "", None);
                return None;
            }
        },
    };
    let theta = [LocalName {
        name: "theta".to_owned(),
        dimension: Some(Dimension::NONE),
        whole: true,
    }];
    let wanted = super::values::dimension_of("m");
    let formula = context.formula(&radius, Reads::Local(&theta), wanted)?;
    let value = |theta: f64| formula.program.eval(0.0, &[theta]);
    Some(Curve::from_polar_formula(count, value))
}

/// A body and its shapes, for messages.
fn shapes_of(body: BodyIndex, model: &Model) -> (String, &[Shape]) {
    match body.number() {
        Some(b) => (
            format!("body {}", shown(&model.bodies[b].name)),
            &model.bodies[b].shapes,
        ),
        None => ("the ground".to_owned(), &model.ground_shapes),
    }
}

/// The surface of a shape of a body, in the frame of the body, and the number of the shape from zero on.
fn of_shape<'t>(
    reader: &SectionReader<'t>,
    body: BodyIndex,
    model: &Model,
    context: &Context<'t>,
) -> Option<(Placed, usize)> {
    let (owner, shapes) = shapes_of(body, model);
    let field = reader.get("number");
    let number = field.is_present().then(|| field.integer());
    let wrong = |label: &str, help: &str| {
        let count = match shapes.len() {
            0 => "no shape".to_owned(),
            1 => "one shape".to_owned(),
            n => format!("{n} shapes"),
        };
        let message = format!("{}: {owner} has {count}", reader.what());
        let span = field.span().unwrap_or(reader.key_span("type"));
        context.error("which-shape", message, (span, label), Some(help.to_owned()));
        None
    };
    let (shape, k) = match number {
        None => match shapes {
            [only] => (only, 0),
            [] => {
                return wrong(
                    "",
                    "give it one of `shapes`, or choose another type of surface",
                );
            }
            _ => return wrong("", "add the number of the shape: number = 1"),
        },
        Some(number) => {
            let index = usize::try_from(number?.value).ok();
            let index = index.and_then(|number| number.checked_sub(1));
            match index.and_then(|k| Some((shapes.get(k)?, k))) {
                Some(found) => found,
                None => return wrong("no such shape", "shapes are counted from 1"),
            }
        }
    };
    match surface_of(shape, context.space) {
        Some(Ok(placed)) => Some((placed, k)),
        Some(Err(message)) => {
            refuse(reader, &message, context);
            None
        }
        None => {
            let message = format!(
                "{}: the shape of {owner} has no surface for contacts",
                reader.what()
            );
            let help = match context.space {
                Space::Spatial => {
                    "a box, sphere, ellipsoid, cylinder and capsule have one; otherwise choose another type of surface"
                }
                Space::Planar => {
                    "a sphere, and a box or cylinder with its z axis normal to the plane have one; otherwise choose another type of surface"
                }
            };
            let span = reader.key_span("type");
            context.error("no-surface", message, (span, ""), Some(help.to_owned()));
            None
        }
    }
}

/// The surface of a shape; `None` if it has none in this space.
fn surface_of(shape: &Shape, space: Space) -> Option<Result<Placed, String>> {
    match space {
        Space::Spatial => solid_surface(shape),
        Space::Planar => outline_surface(shape),
    }
}

/// The surface of a shape in space.
fn solid_surface(shape: &Shape) -> Option<Result<Placed, String>> {
    let surface: Result<Surface, String> = match shape.kind {
        ShapeKind::Box { size } => Cuboid::new(size.into()).map(Into::into),
        ShapeKind::Sphere { radius } => Sphere::new(radius).map(Into::into),
        ShapeKind::Ellipsoid { semi_axes } => Ellipsoid::new(semi_axes.into()).map(Into::into),
        ShapeKind::Cylinder { radius, length } => Cylinder::new(radius, length).map(Into::into),
        ShapeKind::Capsule { radius, length } => Capsule::new(radius, length).map(Into::into),
        _ => return None,
    };
    Some(surface.map(|surface| Placed::new(surface, shape.pose)))
}

/// The outline of a shape in the plane; `None` unless its z axis is normal to the plane.
fn outline_surface(shape: &Shape) -> Option<Result<Placed, String>> {
    let mut pose = shape.pose;
    pose.p[2] = 0.0;
    if let ShapeKind::Sphere { radius } = shape.kind {
        let pose = Pose::new(Mat3::identity(), pose.p);
        return Some(Circle::new(radius).map(|circle| Placed::new(circle, pose)));
    }
    if pose.R[(2, 2)] < 1.0 - UPRIGHT {
        return None;
    }
    // a rotation about z without the rounding of the tilt
    pose.R = about(2, pose.R[(1, 0)].atan2(pose.R[(0, 0)]));
    let surface: Result<Surface, String> = match shape.kind {
        ShapeKind::Box { size } => {
            let [a, b] = [size[0] / 2.0, size[1] / 2.0];
            Polygon::new(&[[-a, -b], [a, -b], [a, b], [-a, b]]).map(Into::into)
        }
        ShapeKind::Cylinder { radius, .. } | ShapeKind::Tube { radius, .. } => {
            Circle::new(radius).map(Into::into)
        }
        _ => return None,
    };
    Some(surface.map(|surface| Placed::new(surface, pose)))
}
