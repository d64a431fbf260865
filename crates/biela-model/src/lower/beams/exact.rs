//! Geometrically exact beams: node frames, spatial sections, nodes and elements.

use biela_core::flexible::{ExactBeam, ExactBeamDefinition, Profile, SpatialSection, along};
use biela_core::math::rotation::unit;
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{Body, BodyIndex, MarkerIndex, Model, Space, Velocity0};

use super::centreline::{Attachment, Centreline};
use super::sections::{AxisPair, GivenSections, SectionValue};
use super::shape::{stand_in, way};
use super::stations::{NamedStation, places};
use crate::lower::bodies::velocity;
use crate::lower::names::{NameIndex, Points};
use crate::lower::reader::SectionReader;
use crate::lower::values::Context;

/// Stations closer than this fraction of the length of the beam coincide.
const NEAR: f64 = 1e-9;
/// The minimum sine of the angle between `up` and the beam.
const APART: f64 = 1e-3;

/// Reads a beam and adds it to the model; a rigid beam becomes one body.
pub(super) fn add<'t>(
    name: &str,
    (rigid, elements): (bool, usize),
    reader: &SectionReader<'t>,
    (model, names): (&mut Model, &mut NameIndex),
    context: &Context<'t>,
) {
    if reader.has("gauss_points") {
        let problem = "does not apply to an exact beam, whose strains are constant in each element";
        let help = Some("leave it out".to_owned());
        reader
            .get("gauss_points")
            .error("conflict", problem, "", help);
    }
    let points = way::<3>(reader, context);
    let points = points.unwrap_or_else(|| stand_in().0.into_iter().map(|node| node[0]).collect());
    let length = along(&points, &[0.0, 1.0]).map_or(1.0, |(_, length)| length);
    let places = places(reader, length, context);
    let shares = shares(&places, length, elements);
    let frames = frames(&points, &shares, reader, context);
    let (sections, profiles) = sections(&shares, length, reader, context);
    let tension = context.number(&reader.get("tension"), "N").unwrap_or(0.0);
    let node = |distance: f64| {
        let off = |share: &f64| (share * length - distance).abs();
        let nearest =
            (0..shares.len()).min_by(|a, b| off(&shares[*a]).total_cmp(&off(&shares[*b])));
        nearest.unwrap_or(0)
    };
    // the first station on the centreline names its node
    let mut named: Vec<(usize, String)> = Vec::new();
    for place in places
        .iter()
        .filter(|place| place.frame == Pose::identity())
    {
        let at = node(place.distance);
        if named.iter().all(|(other, _)| *other != at) {
            named.push((at, place.name.to_owned()));
        }
    }
    let plan = ExactBeamDefinition {
        name: name.to_owned(),
        origin: context.origin(reader.span()),
        frames,
        sections,
        tension,
        places: named,
        profiles,
    };
    if !plan.is_sound() {
        let message = format!(
            "{}: its data are outside the range of floating-point arithmetic",
            reader.what()
        );
        let label = "a length, a stiffness, a mass or an inertia is too large or too small";
        let help = "check units and orders of magnitude".to_owned();
        context.error("out-of-range", message, (reader.span(), label), Some(help));
        return;
    }
    let at = |place: &NamedStation<'_>| node(place.distance);
    let velocity = velocity(reader, context);
    let bodies = if rigid {
        add_rigid(&plan, velocity, (&places, at), model, names)
    } else {
        add_flexible(&plan, velocity, (&places, at), model, names)
    };
    let nodes = bodies.into_iter().zip(&shares);
    let nodes = nodes.map(|((body, pose), share)| (*share, body, pose));
    let centreline = Centreline {
        length,
        nodes: shares.len(),
        radius: Centreline::radius(plan.profiles, Space::Spatial),
        attachment: Attachment::Nodes(nodes.collect()),
    };
    let _ = names.centrelines.insert(plan.name, centreline);
}

/// Adds the beam; returns the body of each node and the pose of the node on it.
fn add_flexible<'t>(
    plan: &ExactBeamDefinition,
    velocity: Option<Velocity0>,
    (places, at): (&[NamedStation<'t>], impl Fn(&NamedStation<'t>) -> usize),
    model: &mut Model,
    names: &mut NameIndex,
) -> Vec<(BodyIndex, Pose)> {
    let beam = ExactBeam::build(model, plan);
    names.settle(&plan.name, beam);
    let nodes = model.exact_beams[beam].nodes.clone();
    let start = plan.frames[0].p;
    for (node, frame) in nodes.iter().zip(&plan.frames) {
        names.bodies.push(Points::new(model.body_marker(*node)));
        model.bodies[node.0].velocity = velocity.map(|Velocity0 { linear, angular }| Velocity0 {
            linear: linear + angular.cross(&(frame.p - start)),
            angular,
        });
    }
    let mut points = Points::new(MarkerIndex::GROUND);
    for place in places {
        let node = at(place);
        let named = plan
            .places
            .iter()
            .any(|(n, name)| *n == node && name == place.name);
        let marker = if named {
            model.body_marker(nodes[node])
        } else {
            model.add_marker(place.name, nodes[node], place.frame)
        };
        points.add(place.name, marker, place.span);
    }
    names.exact_beams.push(points);
    let bodies = nodes.into_iter();
    bodies.map(|node| (node, Pose::identity())).collect()
}

/// Adds the beam as one body, whose frame is that of the start; returns it with the pose of each node on it.
fn add_rigid<'t>(
    plan: &ExactBeamDefinition,
    velocity: Option<Velocity0>,
    (places, at): (&[NamedStation<'t>], impl Fn(&NamedStation<'t>) -> usize),
    model: &mut Model,
    names: &mut NameIndex,
) -> Vec<(BodyIndex, Pose)> {
    let start = plan.frames[0];
    let mut body = Body::new(plan.name.as_str(), plan.whole());
    body.origin = plan.origin.clone();
    body.velocity = velocity;
    for (k, frame) in plan.frames.iter().enumerate() {
        let own = start.inverse().then(frame);
        body.shapes.extend(plan.bars(k).into_iter().map(|mut bar| {
            bar.pose = own;
            bar
        }));
    }
    let index: BodyIndex = model.add_body(body.at(start));
    names.settle(&plan.name, index.0);
    let mut points = Points::new(model.body_marker(index));
    for place in places {
        let pose = start
            .inverse()
            .then(&plan.frames[at(place)])
            .then(&place.frame);
        points.add(
            place.name,
            model.add_marker(place.name, index, pose),
            place.span,
        );
    }
    names.bodies.push(points);
    let poses = plan.frames.iter();
    poses
        .map(|frame| (index, start.inverse().then(frame)))
        .collect()
}

/// The node positions as fractions of the length: at every station, and between them so that the number of elements is about as requested.
fn shares(places: &[NamedStation<'_>], length: f64, elements: usize) -> Vec<f64> {
    let mut corners: Vec<f64> = places.iter().map(|place| place.distance / length).collect();
    corners.sort_by(f64::total_cmp);
    corners.dedup_by(|a, b| (*a - *b).abs() < NEAR);
    let mut shares = vec![0.0];
    for pair in corners.windows(2) {
        let width = pair[1] - pair[0];
        let pieces = (width * elements as f64).round().max(1.0) as usize;
        let inner = (1..=pieces).map(|k| pair[0] + width * k as f64 / pieces as f64);
        shares.extend(inner);
    }
    shares
}

/// Node frames: x along the beam, z at the start as close to `up` as possible. From node to node they have minimal rotation about the beam, plus `twist` from
/// the start to the end.
fn frames<'t>(
    points: &[[f64; 3]],
    shares: &[f64],
    reader: &SectionReader<'t>,
    context: &Context<'t>,
) -> Vec<Pose> {
    let nodes = along(points, shares).map_or_else(Vec::new, |(nodes, _)| nodes);
    let field = reader.get("up");
    let up = context.direction(&field);
    let turned = |axis: Vec3<f64>| context.turned(reader.span(), axis);
    let height = turned(up.unwrap_or_else(|| unit(2)));
    let twist = context.angle(&reader.get("twist")).unwrap_or(0.0);
    let first = nodes
        .first()
        .map_or_else(|| unit(0), |node| Vec3::from(node[1]));
    let mut z = across(&height, &first);
    if up.is_some() && z.is_none() {
        let help = "give the direction of the section's height".to_owned();
        let problem = "must not be parallel to the beam at its start";
        field.error("bad-direction", problem, "", Some(help));
    }
    // vertical beams have their height along x by default
    z = z.or_else(|| across(&turned(unit(0)), &first));
    let mut z = z.unwrap_or(height);
    let frame = |(node, share): (&[[f64; 3]; 2], &f64)| {
        let [p, x] = node.map(Vec3::from);
        z = across(&z, &x).unwrap_or(z);
        let (sine, cosine) = (twist * share).sin_cos();
        let height = z * cosine + x.cross(&z) * sine;
        Pose::new(Mat3::from_columns(&[x, height.cross(&x), height]), p)
    };
    nodes.iter().zip(shares).map(frame).collect()
}

/// The direction of the component of a vector perpendicular to x; `None` if it is too small.
fn across(vector: &Vec3<f64>, x: &Vec3<f64>) -> Option<Vec3<f64>> {
    let rest = vector - x * x.dot(vector);
    (rest.norm() > APART * vector.norm()).then(|| rest.normalize())
}

/// Stiffness and mass of each element, and the cross-sections at both ends.
fn sections<'t>(
    shares: &[f64],
    length: f64,
    reader: &SectionReader<'t>,
    context: &Context<'t>,
) -> (Vec<SpatialSection>, Option<[Profile; 2]>) {
    let given = GivenSections::read(reader, context);
    let (young, shear) = moduli(&given, reader, context);
    let axial = SectionValue::new(reader, "axial_stiffness", "N", context);
    let torsional = SectionValue::new(reader, "torsional_stiffness", "N*m^2", context);
    let bending = AxisPair::new(reader, "bending_stiffness", "N*m^2", context);
    let across = AxisPair::new(reader, "shear_stiffness", "N", context);
    axial.check(reader, &["section", "young"], "stiffness", context);
    bending.check(reader, &["section", "young"], "stiffness", context);
    let modulus = if reader.has("shear_modulus") {
        "shear_modulus"
    } else {
        "young"
    };
    torsional.check(reader, &["section", modulus], "stiffness", context);
    across.check(reader, &["section", modulus], "stiffness", context);
    let at = |k: usize| {
        let profile = given.profile(0.5 * (shares[k] + shares[k + 1]));
        let mut section = SpatialSection::new(&profile, young, shear, given.density());
        let k = &mut section.stiffness;
        k[0] = axial.value.unwrap_or(k[0]);
        k[3] = torsional.value.unwrap_or(k[3]);
        if let Some([y, z]) = across.values {
            (k[1], k[2]) = (y, z);
        }
        if let Some([y, z]) = bending.values {
            (k[4], k[5]) = (y, z);
        }
        section
    };
    let mut list: Vec<SpatialSection> = (0..shares.len() - 1).map(at).collect();
    let weights = shares.windows(2).map(|pair| (pair[1] - pair[0]) * length);
    let lengths: Vec<f64> = weights.collect();
    let heaviness: Vec<f64> = list.iter().map(|section| section.mass).collect();
    let masses = given.masses(&heaviness, &lengths);
    for (section, mass) in list.iter_mut().zip(masses) {
        // without a known cross-section, the inertia is distributed like the stiffness
        section.inertia = if reader.has("section") {
            section.inertia.map(|inertia| inertia * mass / section.mass)
        } else {
            SpatialSection::homogeneous(section.stiffness, mass).inertia
        };
        section.mass = mass;
        section.damping = given.damping;
    }
    (list, given.profiles())
}

/// E and G: one follows from the other and Poisson's ratio.
fn moduli<'t>(
    given: &GivenSections,
    reader: &SectionReader<'t>,
    context: &Context<'t>,
) -> (f64, f64) {
    let shear = context.positive(&reader.get("shear_modulus"), "Pa");
    let field = reader.get("poisson");
    let mut ratio = context.number(&field, "1").unwrap_or(0.3);
    if !(ratio > -1.0 && ratio <= 0.5) {
        let label = format!("this is {ratio}");
        field.error(
            "out-of-range",
            "must be above -1 and at most 0.5",
            &label,
            None,
        );
        ratio = 0.3;
    }
    if reader.has("young") && reader.has("shear_modulus") && reader.has("poisson") {
        let help = "leave `poisson` or `shear_modulus` out".to_owned();
        field.error(
            "conflict",
            "follows from `young` and `shear_modulus`",
            "",
            Some(help),
        );
    }
    match (given.young, shear) {
        (Some(young), Some(shear)) => (young, shear),
        (Some(young), None) => (young, young / (2.0 * (1.0 + ratio))),
        (None, Some(shear)) => (2.0 * shear * (1.0 + ratio), shear),
        (None, None) => (1.0, 0.4),
    }
}

/// Rejects keys that apply only to geometrically exact beams.
pub(super) fn refuse_own_keys(reader: &SectionReader<'_>) {
    for key in [
        "shear_modulus",
        "poisson",
        "torsional_stiffness",
        "shear_stiffness",
        "up",
        "twist",
    ] {
        if reader.has(key) {
            let help = "leave it out, or write element = \"exact\" in a spatial model".to_owned();
            let problem = "applies only to beams with torsion and shear";
            reader.get(key).error("conflict", problem, "", Some(help));
        }
    }
}
