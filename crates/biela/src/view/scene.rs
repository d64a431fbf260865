//! The scene of a model: the objects to draw.

use biela_core::analysis::Assembled;
use biela_core::contact::Surface;
use biela_core::flexible::{ExactBeam, Profile};
use biela_core::forces::{self, LineOfAction};
use biela_core::math::{Pose, Vec3};
use biela_core::model::{BodyIndex, ContactElement, JointElement, Model, Shape, ShapeKind, Space};
use biela_core::system::Mobility;
use biela_model::lower::Parameters;
use biela_view::Scene;
use biela_view::scene::{
    self as shown, AttachmentPoint, BeamNode, BeamValue, BoundingBox, POSE, SAMPLE, SceneBeam,
    SceneBody, SceneContact, SceneForce, SceneForceKind, SceneJoint, SceneMarker, SceneParameter,
    SceneSection, SceneSurface, ShapeGeometry,
};

use super::frame::{Framer, kinematics};
use super::links::links;
use super::{end_of_joint, end_of_marker, number, seven, triple, unseven};

/// The scene of an assembled model in its initial configuration.
pub fn scene(assembled: &Assembled, description: &str, parameters: &Parameters) -> Scene {
    let model = assembled.system.model();
    let mut framer = Framer::new(model);
    let kinematics = kinematics(assembled.system.as_ref(), &assembled.state);
    let pose = framer.pose(model, &kinematics).to_vec();
    let mut scene = posed(model, &framer, pose, description, parameters);
    scene.freedom = assembled.mobility.freedom;
    scene.mobility = freedom_in_words(&assembled.mobility);
    scene
}

/// The scene of a model without bodies: its ground.
pub fn bare_scene(model: &Model, description: &str, parameters: &Parameters) -> Scene {
    let framer = Framer::new(model);
    let mut pose = vec![0.0; framer.numbers()];
    if let Some(w) = pose.get_mut(POSE - 1) {
        *w = 1.0;
    }
    posed(model, &framer, pose, description, parameters)
}

/// The scene of a model in a pose.
fn posed(
    model: &Model,
    framer: &Framer,
    pose: Vec<f32>,
    description: &str,
    parameters: &Parameters,
) -> Scene {
    let forces = forces(model);
    let mut bodies = bodies(model);
    let beams = beams(model, framer);
    let size = span(&bounds(model, &bodies, &beams, &pose)).max(f64::MIN_POSITIVE);
    for (body, places) in bodies.iter_mut().zip(places(model, &forces)).skip(1) {
        if body.shapes.is_empty() && body.station_of.is_none() {
            let center = (body.mass > 0.0).then(|| Vec3::from(body.center));
            let markers: Vec<_> = body
                .markers
                .iter()
                .map(|m| Vec3::new(m.pose[0], m.pose[1], m.pose[2]))
                .collect();
            body.shapes = links(&places, center, &markers, size);
        }
    }
    let list = parameters.list.iter().map(|parameter| SceneParameter {
        name: parameter.name.clone(),
        value: parameter.value,
        unit: parameter
            .dimension
            .map(biela_model::units::Dimension::si_unit)
            .unwrap_or_default(),
        derived: parameter.formula.is_some(),
    });
    Scene {
        name: model.name.clone(),
        description: description.to_owned(),
        space: match model.space {
            Space::Planar => shown::SceneSpace::Planar,
            Space::Spatial => shown::SceneSpace::Spatial,
        },
        gravity: triple(&model.gravity),
        bounds: bounds(model, &bodies, &beams, &pose),
        joints: model
            .listed_joints()
            .map(|(_, j)| joint(model, j))
            .collect(),
        forces,
        beams,
        arrows: framer.arrows().cloned().collect(),
        contacts: model.contacts.iter().map(|c| contact(model, c)).collect(),
        parameters: list.collect(),
        frame_size: framer.numbers(),
        freedom: 0,
        mobility: String::new(),
        bodies,
        pose,
    }
}

/// Beams, geometrically exact ones after the others.
fn beams(model: &Model, framer: &Framer) -> Vec<SceneBeam> {
    let beam =
        |name: &str, mass: f64, samples: usize, stiffnesses: Option<[f64; 2]>, section| SceneBeam {
            name: name.to_owned(),
            mass,
            samples,
            // the radius of a solid circular section with the same stiffnesses, EI/EA = r²/4
            radius: stiffnesses.map_or(0.0, |[axial, bending]| 2.0 * (bending / axial).sqrt()),
            section,
            value: BeamValue {
                name: "bending moment".to_owned(),
                unit: "N*m".to_owned(),
            },
        };
    let nodal = model
        .beams
        .iter()
        .zip(framer.samples())
        .map(|(b, samples)| {
            let first = b.elements.first().map(|element| element.section);
            let stiffnesses = first.map(|first| [first.axial, first.bending]);
            let drawn = b.profiles.map(|profiles| section(&profiles, Vec::new()));
            beam(&b.name, b.mass(), samples, stiffnesses, drawn)
        });
    let exact = model.exact_beams.iter().map(|b| {
        let element = b.elements(model).next();
        let [axial, .., y, z] = element.map_or([1.0; 6], |element| element.section.stiffness);
        let stiffnesses = element.map(|_| [axial, y.min(z)]);
        let drawn = b.profiles.map(|p| section(&p, nodes(model, b)));
        beam(&b.name, b.mass(model), b.nodes.len(), stiffnesses, drawn)
    });
    nodal.chain(exact).collect()
}

fn section(profiles: &[Profile; 2], nodes: Vec<BeamNode>) -> SceneSection {
    let [start, end] = profiles.map(|profile| profile.outline());
    SceneSection {
        start: start.loops,
        end: end.loops,
        faces: start.faces,
        round: start.round,
        nodes,
    }
}

/// The nodes of a geometrically exact beam, whose axes are those of its section.
fn nodes(model: &Model, beam: &ExactBeam) -> Vec<BeamNode> {
    let lengths = beam.elements(model).map(|element| element.length);
    let mut before = vec![0.0];
    before.extend(lengths.scan(0.0, |sum, length| {
        *sum += length;
        Some(*sum)
    }));
    let whole = before.last().copied().unwrap_or(1.0);
    let nodes = beam.nodes.iter().zip(before);
    nodes
        .map(|(node, before)| BeamNode {
            body: number(*node),
            share: (before / whole).clamp(0.0, 1.0),
        })
        .collect()
}

/// The beam to which each body belongs as a station or node.
fn beams_of(model: &Model) -> Vec<Option<&str>> {
    let station = |body: &biela_core::model::Body| {
        let station = body.station?;
        Some(model.beams[station.beam.0].name.as_str())
    };
    let mut beams: Vec<Option<&str>> = model.bodies.iter().map(station).collect();
    for beam in &model.exact_beams {
        for node in beam.nodes.iter().filter_map(|node| node.number()) {
            beams[node] = Some(&beam.name);
        }
    }
    beams
}

/// The degrees of freedom and their origin, as text.
pub fn freedom_in_words(m: &Mobility) -> String {
    let rows = format!("{} velocities, {} equations", m.velocities, m.rows);
    match m.dependent.len() {
        0 => format!("{} ({rows})", m.freedom),
        n => format!("{} ({rows}, {n} of them redundant)", m.freedom),
    }
}

/// All bodies with the shapes defined in the model, the ground first.
fn bodies(model: &Model) -> Vec<SceneBody> {
    let mut mesh = 0;
    let mut shapes = |list: &[Shape]| -> Vec<shown::SceneShape> {
        list.iter().map(|shape| drawn(shape, &mut mesh)).collect()
    };
    let markers = |index: BodyIndex| -> Vec<SceneMarker> {
        let named = model.markers.iter();
        let named = named.filter(|m| m.body == index && !m.name.is_empty());
        named
            .map(|m| SceneMarker {
                name: m.name.clone(),
                pose: seven(&m.pose),
            })
            .collect()
    };
    let (parents, beams) = (parents(model), beams_of(model));
    let mut list = vec![SceneBody {
        name: "ground".to_owned(),
        mass: 0.0,
        center: [0.0; 3],
        inertia: [0.0; 6],
        parent: None,
        station_of: None,
        shapes: shapes(&model.ground_shapes),
        markers: markers(BodyIndex::GROUND),
    }];
    for (b, body) in model.bodies.iter().enumerate() {
        let i = &body.mass.inertia;
        list.push(SceneBody {
            name: body.name.clone(),
            mass: body.mass.mass,
            center: triple(&body.mass.center),
            inertia: [
                i[(0, 0)],
                i[(1, 1)],
                i[(2, 2)],
                i[(0, 1)],
                i[(0, 2)],
                i[(1, 2)],
            ],
            parent: parents[b + 1],
            station_of: beams[b].map(str::to_owned),
            // a node is drawn as part of its beam
            shapes: if beams[b].is_some() {
                Vec::new()
            } else {
                shapes(&body.shapes)
            },
            markers: markers(BodyIndex(b)),
        });
    }
    list
}

fn drawn(shape: &Shape, mesh: &mut usize) -> shown::SceneShape {
    let form = match &shape.kind {
        ShapeKind::Box { size } => ShapeGeometry::Box { size: triple(size) },
        &ShapeKind::Cylinder { radius, length } => ShapeGeometry::Cylinder { radius, length },
        &ShapeKind::Sphere { radius } => ShapeGeometry::Sphere { radius },
        ShapeKind::Ellipsoid { semi_axes } => ShapeGeometry::Ellipsoid {
            semi_axes: triple(semi_axes),
        },
        &ShapeKind::Cone { radius, length } => ShapeGeometry::Cone { radius, length },
        &ShapeKind::Capsule { radius, length } => ShapeGeometry::Capsule { radius, length },
        &ShapeKind::Tube {
            radius,
            inner,
            length,
        } => ShapeGeometry::Tube {
            radius,
            inner,
            length,
        },
        ShapeKind::Bar { radius, from, to } => ShapeGeometry::Bar {
            radius: *radius,
            from: triple(from),
            to: triple(to),
        },
        ShapeKind::Mesh { file, scale } => {
            *mesh += 1;
            ShapeGeometry::Mesh {
                mesh: *mesh - 1,
                file: file.clone(),
                scale: triple(scale),
            }
        }
    };
    shown::SceneShape {
        form,
        pose: seven(&shape.pose),
        color: None,
        generated: false,
    }
}

/// The parent of each body: the neighbour on the shortest path of joints to the ground.
fn parents(model: &Model) -> Vec<Option<usize>> {
    let count = model.bodies.len() + 1;
    let mut neighbours = vec![Vec::new(); count];
    for (_, element) in model.listed_joints() {
        let [a, b] = [element.first.0, element.second.0].map(number);
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    let mut parents = vec![None; count];
    let mut seen = vec![false; count];
    seen[0] = true;
    let mut queue = std::collections::VecDeque::from([0]);
    while let Some(at) = queue.pop_front() {
        for &next in &neighbours[at] {
            if !std::mem::replace(&mut seen[next], true) {
                parents[next] = Some(at);
                queue.push_back(next);
            }
        }
    }
    parents
}

fn joint(model: &Model, element: &JointElement) -> SceneJoint {
    let shape = element.joint.shape(model.space);
    let rows = shape.position_rows + shape.velocity_rows;
    let coordinates = element.joint.coordinates(model.space).iter();
    SceneJoint {
        name: element.name.clone(),
        kind: element.joint.info().name.to_owned(),
        bodies: [element.first.0, element.second.0].map(number),
        frames: [seven(&element.first.1), seven(&element.second.1)],
        axis: element
            .joint
            .has_axis()
            .then(|| ["x", "y", "z"][element.joint.axis()].to_owned()),
        coordinates: coordinates
            .map(|c| format!("{}.{}", element.name, c.name))
            .collect(),
        freedom: model.space.freedom().saturating_sub(rows),
    }
}

fn contact(model: &Model, element: &ContactElement) -> SceneContact {
    let joints = || element.joints.iter().map(|joint| &model.joints[joint.0]);
    let surface = |surface: &Surface, (body, pose): &(BodyIndex, Pose)| SceneSurface {
        kind: surface.name().to_owned(),
        body: number(*body),
        pose: seven(pose),
        outline: surface
            .outline()
            .iter()
            .map(|line| line.iter().map(triple).collect())
            .collect(),
        unbounded: surface.radius_of_bounds().is_infinite(),
    };
    let side = element.beam.as_ref().map(|beam| beam.side);
    let several = |k: usize| {
        if side == Some(k) {
            element.joints.len()
        } else {
            1
        }
    };
    let first = joints().map(|joint| surface(element.pair.first(), &joint.first));
    let second = joints().map(|joint| surface(element.pair.second(), &joint.second));
    let surfaces = first
        .take(several(0))
        .chain(second.take(several(1)))
        .collect();
    SceneContact {
        name: element.name.clone(),
        surfaces,
        points: element.num_points(),
    }
}

fn forces(model: &Model) -> Vec<SceneForce> {
    let one = |element: &biela_core::model::ForceElement| {
        let terms = element.force.terms().unwrap_or_default();
        let (drawn, ends, joint) = match terms.first().map(|o| (o.line, o.stiffness)) {
            Some((LineOfAction::Distance(ends), stiffness)) => {
                let kind = if stiffness == 0.0 {
                    SceneForceKind::Cylinder
                } else {
                    SceneForceKind::Spring
                };
                (kind, ends.map(|m| end_of_marker(model, m)).to_vec(), None)
            }
            Some((LineOfAction::Point { at, .. }, _)) => {
                (SceneForceKind::Arrow, vec![end_of_marker(model, at)], None)
            }
            Some((LineOfAction::Turn { on, .. }, _)) => {
                (SceneForceKind::Torque, vec![end_of_marker(model, on)], None)
            }
            Some((LineOfAction::Joint(joint, k), _)) => {
                let element = &model.joints[joint.0];
                let angular = element.joint.coordinates(model.space)[k].angular;
                let kind = if angular {
                    SceneForceKind::Torque
                } else {
                    SceneForceKind::Line
                };
                let before = model.listed_joints().take_while(|(j, _)| j.0 < joint.0);
                let number = before.count();
                (kind, vec![end_of_joint(model, joint)], Some(number))
            }
            None => {
                let bodies = element.force.bodies(model);
                let origin = |body: &BodyIndex| AttachmentPoint {
                    body: number(*body),
                    point: [0.0; 3],
                };
                (
                    SceneForceKind::Line,
                    bodies.iter().take(2).map(origin).collect(),
                    None,
                )
            }
        };
        SceneForce {
            name: element.name.clone(),
            kind: forces::info(element.force.as_ref())
                .map_or("force", |info| info.name)
                .to_owned(),
            drawn,
            ends,
            joint,
        }
    };
    model.single_forces().map(one).collect()
}

/// The attachment points of joints and forces on each body.
fn places(model: &Model, forces: &[SceneForce]) -> Vec<Vec<Vec3<f64>>> {
    let mut places = vec![Vec::new(); model.bodies.len() + 1];
    for (_, element) in model.listed_joints() {
        for (body, pose) in [&element.first, &element.second] {
            places[number(*body)].push(pose.p);
        }
    }
    let ends = forces.iter().filter(|force| force.joint.is_none());
    for end in ends.flat_map(|force| &force.ends) {
        places[end.body].push(Vec3::from(end.point));
    }
    places
}

/// The bounding box at a pose.
fn bounds(model: &Model, bodies: &[SceneBody], beams: &[SceneBeam], pose: &[f32]) -> BoundingBox {
    let mut bounds = BoundingBox {
        min: [f64::INFINITY; 3],
        max: [f64::NEG_INFINITY; 3],
    };
    let mut grow = |p: &Vec3<f64>, by: f64| {
        for k in 0..3 {
            if p[k].is_finite() && by.is_finite() {
                bounds.min[k] = bounds.min[k].min(p[k] - by);
                bounds.max[k] = bounds.max[k].max(p[k] + by);
            }
        }
    };
    let frames = pose.chunks_exact(POSE).take(bodies.len());
    let frames: Vec<Pose> = frames
        .map(|numbers| unseven(&std::array::from_fn(|k| f64::from(numbers[k]))))
        .collect();
    for (body, frame) in bodies.iter().zip(&frames) {
        if body.mass > 0.0 {
            grow(&frame.point(&Vec3::from(body.center)), 0.0);
        }
        for marker in &body.markers {
            let p = Vec3::new(marker.pose[0], marker.pose[1], marker.pose[2]);
            grow(&frame.point(&p), 0.0);
        }
        for shape in &body.shapes {
            for (p, by) in reach(&shape.form) {
                let at = unseven(&shape.pose).point(&p);
                grow(&frame.point(&at), by);
            }
        }
    }
    for (_, element) in model.listed_joints() {
        for (body, at) in [&element.first, &element.second] {
            grow(&frames[number(*body)].point(&at.p), 0.0);
        }
    }
    let mut samples = pose[POSE * bodies.len()..].chunks_exact(SAMPLE);
    for beam in beams {
        let by = reach_of_beam(beam);
        for sample in samples.by_ref().take(beam.samples) {
            let [x, y, z] = [sample[0], sample[1], sample[2]].map(f64::from);
            grow(&Vec3::new(x, y, z), by);
        }
    }
    if bounds.min[0] > bounds.max[0] {
        return BoundingBox {
            min: [0.0; 3],
            max: [0.0; 3],
        };
    }
    bounds
}

/// The diagonal of the box; 1 if it is a point.
fn span(bounds: &BoundingBox) -> f64 {
    let d = Vec3::from(bounds.max) - Vec3::from(bounds.min);
    let size = d.norm();
    if size > 0.0 { size } else { 1.0 }
}

/// The largest distance of the surface of a beam from its centreline.
fn reach_of_beam(beam: &SceneBeam) -> f64 {
    let ends = beam.section.iter().flat_map(|s| [&s.start, &s.end]);
    let points = ends.flatten().flatten();
    let reach = points.map(|[y, z]| y.hypot(*z)).reduce(f64::max);
    reach.unwrap_or(beam.radius)
}

/// Balls that enclose a shape, in its frame: centre and radius.
fn reach(form: &ShapeGeometry) -> Vec<(Vec3<f64>, f64)> {
    let origin = Vec3::zeros();
    match *form {
        ShapeGeometry::Box { size } => vec![(origin, 0.5 * Vec3::from(size).norm())],
        ShapeGeometry::Sphere { radius } => vec![(origin, radius)],
        ShapeGeometry::Ellipsoid { semi_axes } => {
            vec![(origin, semi_axes.into_iter().fold(0.0, f64::max))]
        }
        ShapeGeometry::Cylinder { radius, length }
        | ShapeGeometry::Tube { radius, length, .. }
        | ShapeGeometry::Capsule { radius, length } => {
            let half = Vec3::new(0.0, 0.0, 0.5 * length);
            vec![(half, radius), (-half, radius)]
        }
        ShapeGeometry::Cone { radius, length } => {
            vec![(origin, radius), (Vec3::new(0.0, 0.0, length), 0.0)]
        }
        ShapeGeometry::Bar { radius, from, to } => {
            vec![(Vec3::from(from), radius), (Vec3::from(to), radius)]
        }
        // the size is in the file
        ShapeGeometry::Mesh { .. } => vec![(origin, 0.0)],
    }
}
