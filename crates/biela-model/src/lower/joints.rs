//! Joints.

use biela_core::joints::{BeamSlider, JOINTS, Joint, JointKind};
use biela_core::math::rotation::{aligning, unit};
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{BodyIndex, InitialValue, JointIndex, MarkerIndex, Model, Space};

use super::beams::check_joint;
use super::fields::{describe, read, report_argument};
use super::keys;
use super::limits::{armature, limits};
use super::names::{ElementFamily, NameIndex, Points, listed};
use super::reader::SectionReader;
use super::values::Context;
use crate::diagnostic::{Diagnostic, Spanned, shown};
use crate::document::{DocumentField, Table, TableReader};
use crate::suggest::did_you_mean;

/// Axes that deviate more than this from a right angle do not form a universal joint.
const SQUARE: f64 = 1e-6;

/// Reads every `[[joint]]`.
pub(super) fn joints<'t>(
    tables: &[&'t Table],
    model: &mut Model,
    names: &mut NameIndex,
    context: &Context<'t>,
) {
    for table in tables {
        let reader = SectionReader::new(&keys::JOINT, table, context.diagnostics);
        let name = names.declare(&reader, "name", ElementFamily::Joint, context);
        if let Some(index) = joint(&reader, &name, model, names, context) {
            names.settle(&name, index);
        }
        reader.finish();
    }
}

/// Reads one joint. With invalid endpoints or initial values it is still added, so that references to it are valid.
fn joint<'t>(
    reader: &SectionReader<'t>,
    name: &str,
    model: &mut Model,
    names: &mut NameIndex,
    context: &Context<'t>,
) -> Option<usize> {
    let info = describe(reader, JOINTS, "type = \"revolute\"", context);
    if info.is_some_and(|info| info.name == BeamSlider::INFO.name) {
        return Some(beam_slider(reader, name, model, names, context).0);
    }
    let between = endpoints(reader, "joint", model, names, context);
    let between = match between {
        Some(between) if reader.has("at") => {
            design_markers(reader, name, between, (model, names), context)
        }
        between => between,
    };
    let Some(info) = info else {
        let _ = joint_axis(reader, context);
        return None;
    };
    let fields = read(reader, info, (names, model), context);
    if !fields.whole {
        return None;
    }
    let made = Joint::build(info.name, &fields.arguments)?;
    let made = made
        .map_err(|error| report_argument(reader, &error, context))
        .ok()?;
    let turn = joint_turn(
        reader,
        &made,
        fields.arguments.optional_vector("axis2"),
        context,
    );
    let between = between.unwrap_or([MarkerIndex::GROUND; 2]);
    let turn = turn.unwrap_or_else(Mat3::identity);
    Some(add(reader, (name, made), between, &turn, model, context).0)
}

/// The markers of a joint that is given in the design position: at its point on both bodies, with the axes of the ground, or of its instance.
fn design_markers<'t>(
    reader: &SectionReader<'t>,
    name: &str,
    between: [MarkerIndex; 2],
    (model, names): (&mut Model, &NameIndex),
    context: &Context<'t>,
) -> Option<[MarkerIndex; 2]> {
    let field = reader.get("at");
    let at = context.position(&field)?;
    let at = context.placed(reader.span(), Pose::new(Mat3::identity(), at));
    let mut markers = between;
    for marker in &mut markers {
        let body = model.markers[marker.0].body;
        let frame = match body {
            BodyIndex::GROUND => Some(Pose::identity()),
            _ => names.design.get(&body).copied(),
        };
        let is_own = match body {
            BodyIndex::GROUND => names.is_ground_frame(*marker, context.instance(reader.span())),
            _ => *marker == model.body_marker(body),
        };
        let (Some(frame), true) = (frame, is_own) else {
            let help = "with `at` write the two bodies: between = [\"ground\", \"rod\"]".to_owned();
            let label = "the point of the joint is given by `at`";
            reader
                .get("between")
                .error("conflict", "must name bodies", label, Some(help));
            return None;
        };
        *marker = model.add_marker(name, body, frame.inverse().then(&at));
    }
    Some(markers)
}

/// Reads a slider along a beam, whose first side is a beam and not a station.
fn beam_slider<'t>(
    reader: &SectionReader<'t>,
    name: &str,
    model: &mut Model,
    names: &mut NameIndex,
    context: &Context<'t>,
) -> JointIndex {
    let axis = reader.get("axis");
    if axis.is_present() {
        let help = Some("leave `axis` out".to_owned());
        let problem = "is not used by a slider along a beam";
        axis.error(
            "no-axis",
            problem,
            "its axis is the tangent of the beam",
            help,
        );
    }
    let field = reader.require("between", "between = [\"beam1\", \"body1.A\"]");
    let slider = || Joint::BeamSlider(BeamSlider);
    let Some((beam, marker)) = names.beam_and_endpoint(&field, context) else {
        let nowhere = [MarkerIndex::GROUND; 2];
        return add(
            reader,
            (name, slider()),
            nowhere,
            &Mat3::identity(),
            model,
            context,
        );
    };
    if let (Some(place), Some(span)) = (names.beams[beam.0].place(name), reader.get("name").span())
    {
        let of = &model.beams[beam.0].name;
        let message = format!("beam {} already has a point {}", shown(of), shown(name));
        context.diagnostics.push(
            Diagnostic::error("duplicate-name", message)
                .at(span, "the sliding point gets the name of the joint")
                .also(place, "the point")
                .help("give the joint another name"),
        );
    }
    let start = initial(&reader.get("initial"), &slider(), context);
    let distance = start.iter().find_map(|start| start.value);
    let distance = distance.unwrap_or(0.0);
    let index = model.add_beam_slider(name, beam, marker, distance);
    let place = MarkerIndex(model.markers.len() - 1);
    names.bodies.push(Points::new(place));
    complete(reader, (index, start), model, context);
    index
}

/// Adds a joint with its common keys: initial values, limits, armature.
pub(super) fn add<'t>(
    reader: &SectionReader<'t>,
    (name, joint): (&str, Joint),
    between: [MarkerIndex; 2],
    turn: &Mat3<f64>,
    model: &mut Model,
    context: &Context<'t>,
) -> JointIndex {
    let start = initial(&reader.get("initial"), &joint, context);
    let index = model.add_joint(name, joint, between, turn);
    complete(reader, (index, start), model, context);
    index
}

/// Sets the initial values of a joint and reads its common keys.
fn complete<'t>(
    reader: &SectionReader<'t>,
    (index, start): (JointIndex, Vec<InitialValue>),
    model: &mut Model,
    context: &Context<'t>,
) {
    let element = &mut model.joints[index.0];
    element.origin = context.origin(reader.span());
    element.initial = start;
    element.limits = limits(&reader.get("limits"), &element.joint, context);
    element.armature = armature(&reader.get("armature"), &element.joint, context);
    check_joint(reader, model, index, context);
}

/// The two different bodies of an element of a family.
pub(super) fn endpoints<'t>(
    reader: &SectionReader<'t>,
    family: &str,
    model: &Model,
    names: &NameIndex,
    context: &Context<'t>,
) -> Option<[MarkerIndex; 2]> {
    let field = reader.require("between", "between = [\"ground\", \"body1.A\"]");
    let [first, second] = names.endpoints(&field, context)?;
    let body = |marker: MarkerIndex| model.markers[marker.0].body;
    if body(first) == body(second) {
        let owner = match body(first).number() {
            Some(b) => format!("body `{}`", model.bodies[b].name),
            None => "the ground".to_owned(),
        };
        let problem = format!("has {owner} on both sides");
        let help = format!("a {family} connects two bodies, or a body and the ground");
        field.error("same-body", &problem, "the same body twice", Some(help));
        return None;
    }
    Some([first, second])
}

/// The rotation of the joint frames in the frames of the endpoints.
fn joint_turn<'t>(
    reader: &SectionReader<'t>,
    joint: &Joint,
    axis2: Option<Vec3<f64>>,
    context: &Context<'t>,
) -> Option<Mat3<f64>> {
    let field = reader.get("axis");
    let natural = joint.axis();
    if context.space == Space::Planar && context.space_known && field.is_present() && natural != 0 {
        let problem = format!("is not used by a planar {} joint", joint.info().name);
        let label = "its axis is normal to the plane";
        field.error(
            "wrong-space",
            &problem,
            label,
            Some("leave `axis` out".to_owned()),
        );
        return None;
    }
    if let (false, Some(span)) = (joint.has_axis(), field.span()) {
        let kind = joint.info().name;
        context.warning(
            "no-axis",
            format!(
                "{} does not affect the motion: a {kind} joint has no axis",
                field.what()
            ),
            (span, ""),
            "leave it out; it only rotates the axes in which coordinates and reactions are expressed",
        );
    }
    let axis = if field.is_present() {
        joint_axis(reader, context)?
    } else {
        unit(natural)
    };
    let Some(second) = axis2 else {
        return Some(aligning(natural, &axis));
    };
    if axis.dot(&second).abs() > SQUARE {
        let angle = axis.dot(&second).clamp(-1.0, 1.0).acos().to_degrees();
        let label = format!("the angle between them is {angle:.3} deg");
        let problem = "must be perpendicular to `axis`";
        reader.get("axis2").error("bad-axis", problem, &label, None);
        return None;
    }
    let (x, y) = (axis, (second - axis * axis.dot(&second)).normalize());
    let z = x.cross(&y);
    Some(Mat3::new(
        x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2],
    ))
}

/// The axis of a joint, by its components or by two hard points; in a planar model it must lie in the plane.
fn joint_axis<'t>(reader: &SectionReader<'t>, context: &Context<'t>) -> Option<Vec3<f64>> {
    let field = &reader.get("axis");
    let axis = match context.two_hard_points(field) {
        Some([from, to]) if reader.has("at") => {
            let axis = (to? - from?).try_normalize(0.0);
            if axis.is_none() {
                field.error(
                    "no-direction",
                    "has length 0",
                    "the two points coincide",
                    None,
                );
            }
            axis?
        }
        Some(_) => {
            let help = "add at = …, with which the axis is that of the design position".to_owned();
            let problem = "is given by hard points, but the joint is not";
            field.error("conflict", problem, "", Some(help));
            return None;
        }
        None => context.direction(field)?,
    };
    if context.space == Space::Planar && axis[2] != 0.0 {
        let help = "give x and y only: [1, 0]".to_owned();
        field.error(
            "wrong-space",
            "must lie in the plane",
            "has a z component",
            Some(help),
        );
        return None;
    }
    Some(axis)
}

/// Reads `initial`: values and velocities by the names of coordinates.
fn initial<'t>(
    field: &DocumentField<'t>,
    joint: &Joint,
    context: &Context<'t>,
) -> Vec<InitialValue> {
    let coordinates = joint.coordinates(context.space);
    let mut starts: Vec<InitialValue> = (0..coordinates.len())
        .map(|coordinate| InitialValue {
            coordinate,
            value: None,
            rate: None,
            keep: false,
        })
        .collect();
    let Some(table) = field.table() else {
        return Vec::new();
    };
    let what = field.what();
    let reader = TableReader::new(table.value, &what, &[], context.diagnostics);
    let mut keep = None;
    for (key, value) in reader.fields() {
        if key.value == "keep" {
            keep = value.bool();
            continue;
        }
        let of_rate = |k: usize| key.value.strip_suffix("_rate") == Some(coordinates[k].name);
        let rate = match key.value {
            "rate" if coordinates.len() == 1 => Some(0),
            _ => (0..coordinates.len()).find(|&k| of_rate(k)),
        };
        let position = coordinates
            .iter()
            .position(|coordinate| coordinate.name == key.value);
        if let Some(k) = position {
            starts[k].value = if coordinates[k].angular {
                context.angle(&value)
            } else {
                context.number(&value, "m")
            };
        } else if let Some(k) = rate {
            let unit = if coordinates[k].angular {
                "rad/s"
            } else {
                "m/s"
            };
            starts[k].rate = context.number(&value, unit);
        } else {
            unknown_coordinate(key, &what, joint, context);
        }
    }
    reader.finish();
    starts.retain(|start| start.value.is_some() || start.rate.is_some());
    if let Some(keep) = keep.filter(|keep| keep.value) {
        if starts.is_empty() && table.value.len() == 1 {
            let message = format!("{what}: `keep` needs an initial value");
            let help = Some("add the value to keep, such as angle = \"30 deg\"".to_owned());
            context.error("nothing-to-keep", message, (keep.span, ""), help);
        }
        for start in &mut starts {
            start.keep = true;
        }
    }
    starts
}

fn unknown_coordinate(key: Spanned<&str>, what: &str, joint: &Joint, context: &Context<'_>) {
    let coordinates = joint.coordinates(context.space);
    let mut words: Vec<String> = Vec::new();
    for coordinate in coordinates {
        words.push(coordinate.name.to_owned());
        words.push(match coordinates.len() {
            1 => "rate".to_owned(),
            _ => format!("{}_rate", coordinate.name),
        });
    }
    words.push("keep".to_owned());
    let kind = joint.info().name;
    let help = match did_you_mean(key.value, words.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None if coordinates.is_empty() => {
            format!("a {kind} joint has no coordinates; leave `initial` out")
        }
        None => format!("a {kind} joint has {}", listed(words.into_iter())),
    };
    let message = format!("{what}: there is no coordinate {}", shown(key.value));
    context.error(
        "unknown-key",
        message,
        (key.span, "unknown coordinate"),
        Some(help),
    );
}
