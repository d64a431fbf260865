//! Bodies and the ground.

use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{
    Body, BodyIndex, GivenParts, MarkerIndex, MassProperties, Model, MotionWithoutInertia, Pose0,
    Space, Velocity0,
};

use super::contacts::read_body_materials;
use super::keys;
use super::mass::mass_properties;
use super::names::{ElementFamily, NameIndex, Points, name_problem};
use super::reader::SectionReader;
use super::rotation::orientation;
use super::shapes::shapes;
use super::values::Context;
use crate::diagnostic::{Diagnostic, Span, Spanned, shown};
use crate::document::{DocumentField, Table, TableReader};

/// The sine of the angle from the vertical below which an axis is upright.
const UPRIGHT: f64 = 1e-9;

/// Reads `[ground]`.
pub(super) fn ground<'t>(
    field: &DocumentField<'t>,
    model: &mut Model,
    names: &mut NameIndex,
    context: &Context<'t>,
) {
    names.ground = Points::new(MarkerIndex::GROUND);
    let Some(table) = field.table() else { return };
    let reader = SectionReader::new(&keys::GROUND, table.value, context.diagnostics);
    let field = reader.get("shapes");
    let mut list = shapes(&field, "the ground", context).unwrap_or_default();
    for (shape, table) in list.iter_mut().zip(field.array_of_tables()) {
        shape.pose = context.placed(table.span, shape.pose);
    }
    model.ground_shapes = list;
    read_body_materials(&reader, BodyIndex::GROUND, names, context);
    points(
        &reader,
        "the ground",
        BodyIndex::GROUND,
        model,
        &mut names.ground,
        context,
    );
    reader.finish();
}

/// Reads every `[[body]]`. An invalid part gets a placeholder, so that references to the body are valid. Returns the source span of each.
pub(super) fn bodies<'t>(
    tables: &[&'t Table],
    model: &mut Model,
    names: &mut NameIndex,
    context: &Context<'t>,
) -> Vec<Span> {
    for table in tables {
        let reader = SectionReader::new(&keys::BODY, table, context.diagnostics);
        let start = start(&reader, context);
        let frame = start.pose.or_else(|| context.placement(reader.span()));
        let frame = frame.unwrap_or_else(Pose::identity);
        context.frame.set(Some(frame));
        let index = body(&reader, model, names, context);
        context.frame.set(None);
        let _ = names.design.insert(index, frame);
        model.bodies[index.0].start = start;
        model.bodies[index.0].velocity = velocity(&reader, context);
        model.bodies[index.0].given = GivenParts {
            position: reader.has("position"),
            orientation: reader.has("angle") || reader.has("rotation"),
            linear: reader.has("velocity"),
            angular: reader.has("omega"),
        };
        reader.finish();
    }
    tables.iter().map(|table| table.span).collect()
}

/// Reads the common keys of bodies: name, shapes, mass, points and frames.
pub(super) fn body<'t>(
    reader: &SectionReader<'t>,
    model: &mut Model,
    names: &mut NameIndex,
    context: &Context<'t>,
) -> BodyIndex {
    let name = names.declare(reader, "name", ElementFamily::Body, context);
    let list = shapes(&reader.get("shapes"), reader.what(), context);
    let mass = mass_properties(reader, list.as_deref(), context);
    let stand_in = MassProperties {
        mass: 1.0,
        center: Vec3::zeros(),
        inertia: Mat3::identity(),
    };
    let mut body = Body::new(&*name, mass.unwrap_or(stand_in));
    body.origin = context.origin(reader.span());
    body.shapes = list.unwrap_or_default();
    let index = model.add_body(body);
    names.settle(&name, index.0);
    read_body_materials(reader, index, names, context);
    let mut named = Points::new(MarkerIndex(model.markers.len() - 1));
    points(reader, reader.what(), index, model, &mut named, context);
    names.bodies.push(named);
    index
}

/// The initial pose of a body.
fn start<'t>(reader: &SectionReader<'t>, context: &Context<'t>) -> Pose0 {
    let along = along(reader, context);
    let position = context.position(&reader.get("position"));
    let turn = orientation(reader, false, context);
    let (position, turn) = match along {
        Some(along) => (Some(along.p), Some(along.R)),
        None => (position, turn),
    };
    let keep = reader.get("keep");
    let keeps = keep.bool().is_some_and(|keep| keep.value);
    let posed = position.is_some() || turn.is_some();
    if keeps && !posed {
        let help = "add position = […], or leave `keep` out".to_owned();
        let label = "`position` is missing";
        keep.error(
            "nothing-to-keep",
            "needs an initial pose",
            label,
            Some(help),
        );
    }
    let pose = Pose::new(
        turn.unwrap_or_else(Mat3::identity),
        position.unwrap_or_else(Vec3::zeros),
    );
    Pose0 {
        pose: posed.then(|| context.placed(reader.span(), pose)),
        keep: keeps,
    }
}

/// The frame of a body along points of the design position: its origin is the first, its x axis goes to the second, and its y axis to the side of the third. Without a
/// third one, the z axis of a body in space is as close as possible to that of the ground.
fn along<'t>(reader: &SectionReader<'t>, context: &Context<'t>) -> Option<Pose> {
    let field = reader.get("along");
    let items = field.array()?.value;
    for key in ["position", "angle", "rotation"] {
        if reader.has(key) {
            let help = "leave one of them out".to_owned();
            let problem = format!("conflicts with `{key}`");
            field.error("conflict", &problem, "", Some(help));
            return None;
        }
    }
    let points: Vec<_> = items.iter().map(|item| context.position(item)).collect();
    let points: Vec<_> = points.into_iter().collect::<Option<_>>()?;
    let most = if context.space == Space::Planar { 2 } else { 3 };
    if !(2..=most).contains(&points.len()) {
        let problem = if most == 2 {
            "must be two points"
        } else {
            "must be two points, or three of which the last is on the side of the y axis"
        };
        let label = format!("has {}", points.len());
        field.error("wrong-length", problem, &label, None);
        return None;
    }
    let x = (points[1] - points[0]).try_normalize(0.0);
    let side = match (context.space, points.get(2)) {
        (Space::Planar, _) => Some(Vec3::z()),
        (Space::Spatial, Some(third)) => {
            let third = (third - points[0]).try_normalize(0.0);
            x.zip(third).map(|(x, third)| x.cross(&third))
        }
        (Space::Spatial, None) => x.map(|x| {
            let y = Vec3::z().cross(&x);
            let upright = y.norm() < UPRIGHT;
            x.cross(&if upright { Vec3::y() } else { y })
        }),
    };
    let z = side.and_then(|side| side.try_normalize(UPRIGHT));
    let (Some(x), Some(z)) = (x, z) else {
        let label = "the points coincide or lie on a line";
        field.error(
            "bad-position",
            "must define the axes of the body",
            label,
            None,
        );
        return None;
    };
    let y = z.cross(&x);
    Some(Pose::new(Mat3::from_columns(&[x, y, z]), points[0]))
}

/// The initial velocity of a body or a beam.
pub(super) fn velocity<'t>(reader: &SectionReader<'t>, context: &Context<'t>) -> Option<Velocity0> {
    let (linear, omega) = (reader.get("velocity"), reader.get("omega"));
    let linear = context.vector(&linear, "m/s");
    let angular = context.angular_velocity(&omega);
    if !reader.has("velocity") && !reader.has("omega") {
        return None;
    }
    let turned =
        |v: Option<Vec3<f64>>| context.turned(reader.span(), v.unwrap_or_else(Vec3::zeros));
    Some(Velocity0 {
        linear: turned(linear),
        angular: turned(angular),
    })
}

/// Reads `points` and `frames`.
fn points<'t>(
    reader: &SectionReader<'t>,
    owner: &str,
    body: BodyIndex,
    model: &mut Model,
    points: &mut Points,
    context: &Context<'t>,
) {
    let tables = ["points", "frames"].map(|key| reader.get(key).table());
    let [given_points, given_frames] = tables;
    if let Some(table) = given_points {
        let what = format!("points of {owner}");
        let list = TableReader::new(table.value, &what, &[], context.diagnostics);
        for (name, field) in list.fields() {
            let at = context.position(&field).unwrap_or_else(Vec3::zeros);
            let pose = Pose::new(Mat3::identity(), at);
            add_point(name, pose, owner, body, model, points, context);
        }
        list.finish();
    }
    if let Some(table) = given_frames {
        let what = format!("frames of {owner}");
        let list = TableReader::new(table.value, &what, &[], context.diagnostics);
        for (name, field) in list.fields() {
            let Some(table) = field.table() else { continue };
            let what = format!("frame {} of {owner}", shown(name.value));
            let frame =
                SectionReader::called(&what, &keys::FRAME, table.value, context.diagnostics);
            let at = context
                .position(&frame.get("at"))
                .unwrap_or_else(Vec3::zeros);
            let turn = orientation(&frame, false, context).unwrap_or_else(Mat3::identity);
            frame.finish();
            add_point(
                name,
                Pose::new(turn, at),
                owner,
                body,
                model,
                points,
                context,
            );
        }
        list.finish();
    }
}

fn add_point(
    name: Spanned<&str>,
    pose: Pose,
    owner: &str,
    body: BodyIndex,
    model: &mut Model,
    points: &mut Points,
    context: &Context<'_>,
) {
    if let Some(help) = name_problem(context.sources.local(name), false) {
        let message = format!("a point of {owner} cannot be called {}", shown(name.value));
        context.error("bad-name", message, (name.span, ""), Some(help));
        return;
    }
    if let Some(first) = points.place(name.value) {
        duplicate_point(name, first, owner, context);
        return;
    }
    let pose = match body {
        BodyIndex::GROUND => context.placed(name.span, pose),
        _ => pose,
    };
    let marker = model.add_marker(name.value, body, pose);
    points.add(name.value, marker, name.span);
}

fn duplicate_point(name: Spanned<&str>, first: Span, owner: &str, context: &Context<'_>) {
    let message = format!("{owner} has two points {}", shown(name.value));
    context.diagnostics.push(
        Diagnostic::error("duplicate-name", message)
            .at(name.span, "the second")
            .also(first, "the first")
            .help("points and frames of a body need unique names"),
    );
}

/// Rejects motions without inertia: those of a massless body at the end of a chain, or of a point mass about its own axis.
pub(super) fn refuse_unresisted(model: &Model, places: &[Span], context: &Context<'_>) {
    let Some(lacking) = model.body_without_inertia() else {
        return;
    };
    if let (false, Some(span)) = (model.beams.is_empty(), places.get(lacking.0)) {
        let name = shown(&model.bodies[lacking.0].name);
        let message = format!("body {name} has a singular mass matrix");
        let help = "in a model with beams every body needs a mass and an inertia".to_owned();
        let label = "its acceleration is undetermined in absolute coordinates";
        context.error("massless", message, (*span, label), Some(help));
        return;
    }
    for MotionWithoutInertia { body, joint } in model.motions_without_inertia() {
        let name = shown(&model.bodies[body.0].name);
        let (message, help) = match joint {
            Some(joint) => (
                format!(
                    "joint {}, which moves body {name}, has zero inertia",
                    shown(&model.joints[joint.0].name)
                ),
                "give the body, or a body that it carries, a mass and an inertia about the joint, or give the joint an `armature`",
            ),
            None => (
                format!("body {name} is free and has a singular mass matrix"),
                "give it a mass and an inertia, or constrain it by a joint",
            ),
        };
        let Some(span) = places.get(body.0) else {
            return;
        };
        let label = "its acceleration is undetermined";
        context.error("massless", message, (*span, label), Some(help.to_owned()));
    }
}

/// Adds a note about bodies without joints: they move freely, which may be intended.
pub(super) fn warn_of_free_bodies(model: &Model, places: &[Span], context: &Context<'_>) {
    let mut held = vec![false; model.bodies.len()];
    for joint in &model.joints {
        for side in [joint.first.0, joint.second.0] {
            if let Some(held) = side.number().and_then(|b| held.get_mut(b)) {
                *held = true;
            }
        }
    }
    for (b, body) in model.bodies.iter().enumerate() {
        if let (false, Some(span)) = (held[b], places.get(b)) {
            context.warning(
                "free-body",
                format!("body {} has no joint", shown(&body.name)),
                (*span, "a free body"),
                "if this is intended, add a joint of type \"free\" to the ground",
            );
        }
    }
}
