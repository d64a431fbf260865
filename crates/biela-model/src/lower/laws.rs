//! Controllers with a control law: the robot, the design model, the reference motion and the measurements.

use std::sync::Arc;

use biela_core::control::laws::{
    self, DesignModel, LAWS, LawController, MeasurementModel, ReferenceMotion, ReferencePoint,
    Wiring,
};
use biela_core::element::FieldValue;
use biela_core::forces::Actuator;
use biela_core::model::{ForceElement, ForceQuantity, JointIndex, Law, Model, Signal};
use biela_core::robot::Robot;

use super::fields::{Moved, choose, read_for, report_argument};
use super::formula::{Reads, WrittenFormula, compile};
use super::keys::{self, RATES};
use super::names::{ElementFamily, NameIndex, listed};
use super::reader::SectionReader;
use super::robot::{DERIVATIVES, JointUnits, POSITION, joints, per_joint};
use super::values::Context;
use super::{Texts, design};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity, Span, Spanned, shown};
use crate::document::{DocumentField, Table, TableReader, ValueKind};

/// Units of efforts (joint forces and torques).
const EFFORT: JointUnits = ["N", "N*m"];

/// A controller whose outputs are not yet connected to its joints.
pub(super) struct Wired {
    /// The index of its first output among those of all controllers.
    first: usize,
    /// The joints that it drives, one per output.
    joints: Vec<JointIndex>,
}

/// Reads every `[[controller]]` with a `law`.
pub(super) fn controllers<'t>(
    tables: &[&'t Table],
    texts: Texts<'t, '_>,
    model: &mut Model,
    names: &mut NameIndex,
    context: &Context<'t>,
) -> Vec<Wired> {
    let mut wired = Vec::new();
    for table in tables {
        let section = &keys::LAW_CONTROLLER;
        let reader = SectionReader::called("controller", section, table, context.diagnostics);
        let name = names.declare(&reader, "name", ElementFamily::Controller, context);
        let kind = choose(&reader, ("law", LAWS), "law = \"computed-torque\"");
        if let Some(kind) = kind {
            let number = model.controllers.len();
            let made = controller(&reader, &name, kind.name, texts, (model, names), context);
            if let Some((element, joints)) = made {
                names.settle(&name, number);
                wired.push(Wired {
                    first: model.controllers.iter().map(|c| c.outputs.len()).sum(),
                    joints,
                });
                model.controllers.push(element);
            }
        }
        reader.finish();
    }
    wired
}

/// Reads one controller and the joints that it drives.
fn controller<'t>(
    reader: &SectionReader<'t>,
    name: &str,
    law: &'static str,
    texts: Texts<'t, '_>,
    (model, names): (&Model, &NameIndex),
    context: &Context<'t>,
) -> Option<(biela_core::model::ControllerElement, Vec<JointIndex>)> {
    let period = context.positive(&reader.require("period", "period = \"1 ms\""), "s");
    let seconds = |key| context.number(&reader.get(key), "s");
    let (offset, delay) = (seconds("offset"), seconds("delay"));
    let listed = joints(&reader.get("joints"), names, model, context);
    let own = own_model(&reader.get("model"), texts, context);
    let info = LAWS.iter().find(|info| info.name == law)?;
    // without its design model neither joints nor gains are known: keys are not checked
    let other = match own {
        Own::Same => None,
        Own::Other(other) => Some(other),
        Own::Broken => {
            reader.admit_all();
            return None;
        }
    };
    let base = other.as_deref().unwrap_or(model);
    let key = if other.is_some() { "model" } else { "law" };
    let mut design = design_model(reader, (base, key), period.unwrap_or(1.0), context)?;
    let robot = plant_joints(reader, &design.robot, model, context)?;
    if let Some(listed) = &listed {
        let unknown = listed.iter().find(|joint| !robot.contains(joint));
        if let Some(joint) = unknown {
            let name = shown(&model.joints[joint.0].name);
            let problem = format!("contains {name}, which is not a joint of the robot");
            let help = joint_names(&robot, model);
            let field = reader.get("joints");
            field.error("conflict", &problem, "", Some(help));
            return None;
        }
        design.driven = robot.iter().map(|joint| listed.contains(joint)).collect();
    } else if reader.has("joints") {
        reader.admit_all();
        return None;
    }
    // gains are in the order of the joints
    let driven: Vec<JointIndex> = robot
        .iter()
        .zip(&design.driven)
        .filter(|(_, driven)| **driven)
        .map(|(joint, _)| *joint)
        .collect();
    let written = listed.unwrap_or_else(|| driven.clone());
    let rank = |joint: &JointIndex| written.iter().position(|other| other == joint);
    let sorted = |values: Vec<f64>| -> Vec<f64> {
        let in_order = driven.iter().map(|joint| values.get(rank(joint)?).copied());
        in_order.map(|value| value.unwrap_or(0.0)).collect()
    };

    let moved = Moved {
        all: &robot,
        driven: &written,
    };
    let mut read = read_for(reader, info, moved, (names, model), context);
    for field in info.fields {
        let values = read.arguments.numbers(field.name);
        if matches!(field.kind, biela_core::element::FieldKind::Gains { .. }) && values.len() > 1 {
            read.arguments
                .set(field.name, FieldValue::Numbers(sorted(values)));
        }
    }
    let motion = motion(reader, &robot, (model, names), context);
    let measured = measuring(reader, (&robot, &written), model, context);
    let saturation = saturation(
        &reader.get("saturation"),
        &written,
        &design.robot,
        &robot,
        model,
        context,
    );
    let (motion, (measuring, effort_quantum), saturation) = (motion?, measured?, saturation?);
    let period = period?;
    if !read.whole {
        return None;
    }
    design.start = motion.point(offset.unwrap_or(0.0));
    let made = match laws::build(law, &read.arguments, &design)? {
        Ok(made) => made,
        Err(error) => {
            report_argument(reader, &error, context);
            return None;
        }
    };
    // one value per driven joint becomes one per joint of the robot
    let spread = |values: &[f64], other: f64| -> Vec<f64> {
        let mut values = values.iter();
        let driven = design.driven.iter();
        let value = |&driven: &bool| {
            if driven {
                values.next().copied().unwrap_or(other)
            } else {
                other
            }
        };
        driven.map(value).collect()
    };
    let wiring = Wiring {
        name: name.to_owned(),
        origin: context.origin(reader.span()),
        driven: design.driven.clone(),
        joints: robot,
        period,
        offset: offset.unwrap_or(0.0),
        delay: delay.unwrap_or(0.0),
        motion,
        measuring,
        effort_quantum: spread(&sorted(effort_quantum), 0.0),
        saturation: spread(&sorted(saturation), f64::INFINITY),
    };
    let element = LawController::element(model, wiring, made);
    if let Err(error) = element.check() {
        report_argument(reader, &error, context);
        return None;
    }
    Some((element, driven))
}

/// Returns the design model of a law, given by a key; `None` if it is invalid, which is reported.
fn design_model<'t, 'm>(
    reader: &SectionReader<'t>,
    (base, key): (&'m Model, &str),
    period: f64,
    context: &Context<'t>,
) -> Option<DesignModel<'m>> {
    let design = DesignModel::new(base, period).map_err(|error| {
        let message = format!(
            "{}: its design model cannot be used: {error}",
            reader.what()
        );
        let help = "set `model` to an open tree of joints with one coordinate each";
        let place = (reader.key_span(key), "");
        context.error("no-robot", message, place, Some(help.to_owned()));
        reader.admit_all();
    });
    design.ok()
}

/// The design model of a law.
enum Own {
    /// The simulated model.
    Same,
    Other(Box<Model>),
    /// It is invalid, which was reported.
    Broken,
}

fn own_model<'t>(field: &DocumentField<'t>, texts: Texts<'t, '_>, context: &Context<'t>) -> Own {
    if !field.is_present() {
        return Own::Same;
    }
    let Some(table) = field.table() else {
        return Own::Broken;
    };
    let what = field.what();
    let reader = SectionReader::called(&what, &keys::LAW_MODEL, table.value, context.diagnostics);
    let file = reader.get("file");
    let set = changes(&reader.get("set"), context);
    let root = if file.is_present() {
        let place = file.string().map(|text| text.span);
        let found = context
            .designs
            .iter()
            .find(|(span, _)| Some(*span) == place);
        // a missing file was reported when it was loaded
        found.map(|(_, root)| root)
    } else {
        Some(texts.root)
    };
    reader.finish();
    let (Some(root), Some(set)) = (root, set) else {
        return Own::Broken;
    };
    let numbers: Vec<String> = set.iter().map(|(_, value)| value.text.clone()).collect();
    let changed = set.iter().zip(&numbers).map(|((name, value), text)| {
        let written = WrittenFormula {
            text,
            span: value.span,
            quoted: value.quoted,
        };
        (*name, written)
    });
    // external overrides apply to this file only
    let mut overridden = if file.is_present() {
        Vec::new()
    } else {
        texts.overridden.to_vec()
    };
    overridden.extend(changed);
    // problems of the file itself are reported once, when it is loaded
    let apart = Diagnostics::new();
    let inner = Texts {
        root,
        overridden: &overridden,
        functions: texts.functions,
        designs: &[],
        instances: texts.instances,
        files: context.files,
    };
    let made = design(inner, context.sources, &apart);
    let faults = apart.sorted().into_iter();
    let faults = faults.filter(|fault| fault.severity == Severity::Error);
    let broken = apart.has_errors();
    let alone = file.is_present() || !context.diagnostics.has_errors();
    let changed = |fault: &Diagnostic| {
        let place = fault.primary.as_ref().map(|label| label.span);
        let within = |span: Span| {
            span.source == table.span.source
                && table.span.start <= span.start
                && span.end <= table.span.end
        };
        place.is_some_and(within)
    };
    for fault in faults.filter(|fault| alone || changed(fault)) {
        context.diagnostics.push(fault);
    }
    match made {
        Some(model) if !broken => Own::Other(Box::new(model)),
        _ => Own::Broken,
    }
}

/// An overridden parameter value as written.
struct OverriddenValue {
    text: String,
    span: Span,
    quoted: bool,
}

/// The names and values below `set`.
fn changes<'t>(
    field: &DocumentField<'t>,
    context: &Context<'t>,
) -> Option<Vec<(Spanned<&'t str>, OverriddenValue)>> {
    if !field.is_present() {
        return Some(Vec::new());
    }
    let table = field.table()?;
    let reader = TableReader::new(table.value, &field.what(), &[], context.diagnostics);
    let change = |(name, field): (Spanned<&'t str>, DocumentField<'t>)| {
        let value = field.value()?;
        let (text, quoted) = match &value.kind {
            ValueKind::String(text) => {
                let written = WrittenFormula {
                    text,
                    span: value.span,
                    quoted: true,
                };
                // only for the parameters that it uses: the design model reports errors in it
                let (what, apart) = (field.what(), Diagnostics::new());
                let _ = compile(
                    &written,
                    &what,
                    &context.constants,
                    Reads::Nothing,
                    None,
                    &apart,
                );
                (text.clone(), true)
            }
            ValueKind::Integer(_) | ValueKind::Float(_) => {
                (format!("{:e}", field.number()?.value), false)
            }
            _ => {
                field.wrong_kind("a number or a quantity", None);
                return None;
            }
        };
        let span = value.span;
        Some((name, OverriddenValue { text, span, quoted }))
    };
    let changes: Vec<Option<_>> = reader.fields().into_iter().map(change).collect();
    changes.into_iter().collect()
}

/// The joints of the model that correspond to the joints of the design model: by name, otherwise by order.
fn plant_joints(
    reader: &SectionReader<'_>,
    design: &Robot,
    model: &Model,
    context: &Context<'_>,
) -> Option<Vec<JointIndex>> {
    let named = |name: &str| {
        let found = model.joints.iter().position(|joint| joint.name == name);
        found.map(JointIndex)
    };
    let same: Option<Vec<JointIndex>> = design.joints.iter().map(|j| named(&j.name)).collect();
    let found = match same {
        Some(found) => found,
        None => match Robot::of(model) {
            Ok(robot) => robot.joints.iter().map(|joint| joint.index).collect(),
            Err(_) => Vec::new(),
        },
    };
    let place = reader.key_span("model");
    if found.len() != design.joints.len() {
        let message = format!(
            "{}: numbers of joints differ, {} in its design model and {} in the robot",
            reader.what(),
            design.joints.len(),
            found.len()
        );
        let help = "both need the same joints: the same names, or the same order".to_owned();
        context.error("wrong-count", message, (place, ""), Some(help));
        reader.admit_all();
        return None;
    }
    for (joint, own) in found.iter().zip(&design.joints) {
        let element = &model.joints[joint.0];
        let coordinates = element.joint.coordinates(model.space);
        let fits = coordinates.len() == 1 && coordinates[0].angular == own.angle;
        if !fits {
            let message = format!(
                "{}: joint {} and joint {} of the design model have different coordinates",
                reader.what(),
                shown(&element.name),
                shown(&own.name)
            );
            context.error("wrong-coordinate", message, (place, ""), None);
            reader.admit_all();
            return None;
        }
    }
    Some(found)
}

fn joint_names(joints: &[JointIndex], model: &Model) -> String {
    let names = joints.iter().map(|j| model.joints[j.0].name.clone());
    format!("its joints are {}", listed(names))
}

/// The reference motion.
fn motion<'t>(
    reader: &SectionReader<'t>,
    robot: &[JointIndex],
    (model, names): (&Model, &NameIndex),
    context: &Context<'t>,
) -> Option<ReferenceMotion> {
    let rest = reader.get("reference");
    let rest = if rest.is_present() {
        per_joint(&rest, robot, POSITION, model, context)
    } else {
        Some(ReferencePoint::new(robot.len()).q)
    };
    let field = reader.get("trajectory");
    if !field.is_present() {
        return Some(ReferenceMotion::rest(rest?));
    }
    let number = names.element(
        ElementFamily::Trajectory,
        field.string()?,
        &field.what(),
        context,
    )?;
    let trajectory = &model.trajectories[number];
    let place = |joint: &JointIndex| robot.iter().position(|other| other == joint);
    let places: Option<Vec<usize>> = trajectory.joints.iter().map(place).collect();
    let Some(places) = places else {
        let help = Some(joint_names(robot, model));
        field.error(
            "not-moved",
            "moves joints that the robot does not have",
            "",
            help,
        );
        return None;
    };
    Some(ReferenceMotion {
        trajectory: Some((Arc::clone(&trajectory.motion), places)),
        rest: rest?,
    })
}

/// Noise, quantization and velocity estimates of measurements, and quantization of the efforts of driven joints.
fn measuring<'t>(
    reader: &SectionReader<'t>,
    (robot, driven): (&[JointIndex], &[JointIndex]),
    model: &Model,
    context: &Context<'t>,
) -> Option<(MeasurementModel, Vec<f64>)> {
    let mut measuring = MeasurementModel::exact(robot.len());
    measuring.seed = 1;
    measuring.difference = reader
        .get("rate")
        .one_of(RATES)
        .is_some_and(|word| word.value == "difference");
    let mut efforts = vec![0.0; driven.len()];
    let mut whole = true;
    let mut read =
        |field: &DocumentField<'t>, joints: &[JointIndex], units: JointUnits, to: &mut Vec<f64>| {
            if field.is_present() {
                match positive_values(field, joints, units, model, context) {
                    Some(values) => *to = values,
                    None => whole = false,
                }
            }
        };
    let [positions, rates, _] = DERIVATIVES;
    let field = reader.get("noise");
    if let Some(table) = field.table() {
        let what = field.what();
        let inner =
            SectionReader::called(&what, &keys::LAW_NOISE, table.value, context.diagnostics);
        read(
            &inner.get("position"),
            robot,
            positions,
            &mut measuring.position_noise,
        );
        read(&inner.get("rate"), robot, rates, &mut measuring.rate_noise);
        let seed = inner.get("seed");
        if let Some(number) = seed.integer() {
            match u64::try_from(number.value) {
                Ok(number) if number > 0 => measuring.seed = number,
                _ => seed.error("bad-value", "must be a positive integer", "", None),
            }
        }
        inner.finish();
    }
    let field = reader.get("quantum");
    if let Some(table) = field.table() {
        let what = field.what();
        let inner =
            SectionReader::called(&what, &keys::LAW_QUANTUM, table.value, context.diagnostics);
        read(
            &inner.get("position"),
            robot,
            positions,
            &mut measuring.position_quantum,
        );
        read(
            &inner.get("rate"),
            robot,
            rates,
            &mut measuring.rate_quantum,
        );
        read(&inner.get("effort"), driven, EFFORT, &mut efforts);
        inner.finish();
    }
    whole.then_some((measuring, efforts))
}

/// Non-negative values of joints.
fn positive_values<'t>(
    field: &DocumentField<'t>,
    joints: &[JointIndex],
    units: JointUnits,
    model: &Model,
    context: &Context<'t>,
) -> Option<Vec<f64>> {
    let values = per_joint(field, joints, units, model, context)?;
    if values.iter().all(|x| *x >= 0.0) {
        return Some(values);
    }
    field.error("not-positive", "must not be negative", "", None);
    None
}

/// Largest efforts of the driven joints, in the order of the list.
fn saturation<'t>(
    field: &DocumentField<'t>,
    written: &[JointIndex],
    design: &Robot,
    robot: &[JointIndex],
    model: &Model,
    context: &Context<'t>,
) -> Option<Vec<f64>> {
    match field.value().map(|value| &value.kind) {
        None => {
            let limit = |joint: &JointIndex| {
                let own = model.joints[joint.0].limits.effort;
                let at = robot.iter().position(|other| other == joint);
                let designed = at.map_or(f64::INFINITY, |at| design.joints[at].limits.effort);
                own.min(designed)
            };
            Some(written.iter().map(limit).collect())
        }
        Some(ValueKind::String(text)) if text == "none" => Some(vec![f64::INFINITY; written.len()]),
        Some(_) => positive_values(field, written, EFFORT, model, context),
    }
}

/// Connects every effort that no force of the model reads to its joint: by a motor without a command, or by a new actuator.
pub(super) fn connect(wired: Vec<Wired>, model: &mut Model, names: &NameIndex) {
    for Wired { first, joints } in wired {
        for (k, joint) in joints.into_iter().enumerate() {
            let signal = Signal::Controller(first + k);
            if reaches_a_force(model, signal) {
                continue;
            }
            let effort = Law::signal(signal);
            let waits = |force: &&mut ForceElement| force.force.idle() == Some((joint, 0));
            if let Some(motor) = model.forces.iter_mut().find(waits)
                && let Some(commanded) = motor.force.with_command(Some(effort.clone()))
            {
                motor.force = commanded.into();
                continue;
            }
            let element = &model.joints[joint.0];
            let mut name = format!("{}_actuator", element.name);
            let taken = |name: &str, model: &Model| {
                names.family(name).is_some() || model.forces.iter().any(|force| force.name == name)
            };
            while taken(&name, model) {
                name.push('_');
            }
            let origin = element.origin.clone();
            let index = model.add_force(name, Actuator::new(joint, effort));
            model.forces[index.0].origin = origin;
        }
    }
}

/// Returns `true` if a force reads a signal, directly or through sensors and signals of forces.
fn reaches_a_force(model: &Model, wanted: Signal) -> bool {
    let mut seen: Vec<Signal> = Vec::new();
    let laws = model.forces.iter().flat_map(|force| force.force.laws());
    let mut open: Vec<Signal> = laws.flat_map(|law| law.inputs().iter().copied()).collect();
    while let Some(signal) = open.pop() {
        if signal == wanted {
            return true;
        }
        if seen.contains(&signal) {
            continue;
        }
        seen.push(signal);
        match signal {
            Signal::Sensor(k) => open.extend(model.sensors[k].law.inputs()),
            Signal::Force(f, ForceQuantity::Measure(_)) => {
                let laws = model.forces[f.0].force.laws().into_iter();
                open.extend(laws.flat_map(Law::inputs));
            }
            _ => {}
        }
    }
    false
}
