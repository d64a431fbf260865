//! Trajectories: reference motions of joints.

use std::sync::Arc;

use biela_core::control::Trajectory;
use biela_core::control::trajectories::{
    self, Bound, Setting, TRAJECTORIES, Violation, violations,
};
use biela_core::model::{JointIndex, Model, TrajectoryElement};
use biela_core::robot::Robot;

use super::fields::{Moved, describe, read_for, report_argument};
use super::keys;
use super::names::{ElementFamily, NameIndex, listed};
use super::reader::SectionReader;
use super::robot::{joints, moved};
use super::values::Context;
use crate::diagnostic::{Diagnostic, shown};
use crate::document::{DocumentField, Table};

/// Reads every `[[trajectory]]`.
pub(super) fn trajectories<'t>(
    tables: &[&'t Table],
    model: &mut Model,
    names: &mut NameIndex,
    context: &Context<'t>,
) {
    if tables.is_empty() {
        return;
    }
    let all = moved(model, &model.robot.joints);
    let robot = Robot::complete(model).map_err(|error| error.to_string());
    for table in tables {
        let reader = SectionReader::new(&keys::TRAJECTORY, table, context.diagnostics);
        let name = names.declare(&reader, "name", ElementFamily::Trajectory, context);
        let listed = reader.get("joints");
        let chosen = if listed.is_present() {
            joints(&listed, names, model, context)
        } else {
            Some(all.clone())
        };
        let start = context.number(&reader.get("start"), "s");
        let described = describe(&reader, TRAJECTORIES, "type = \"quintic\"", context);
        let (Some(chosen), Some(info)) = (chosen, described) else {
            reader.admit_all();
            reader.finish();
            continue;
        };
        if chosen.is_empty() {
            no_joints(&reader, context);
            reader.admit_all();
            reader.finish();
            continue;
        }
        let moved = Moved {
            all: &chosen,
            driven: &chosen,
        };
        let read = read_for(&reader, info, moved, (names, model), context);
        let limits = |joint: &JointIndex| model.joints[joint.0].limits;
        let setting = Setting {
            joints: chosen.iter().map(limits).collect(),
            start: start.unwrap_or(0.0),
            robot: match &robot {
                Ok(robot) if chosen == all => Ok(robot),
                Ok(_) => Err("it moves all joints of the robot; leave `joints` out".to_owned()),
                Err(error) => Err(error.clone()),
            },
        };
        let made = if read.whole {
            trajectories::build(info.name, &read.arguments, &setting)
        } else {
            None
        };
        match made {
            Some(Ok(motion)) => {
                names.settle(&name, model.trajectories.len());
                model.trajectories.push(TrajectoryElement {
                    name,
                    origin: context.origin(reader.span()),
                    joints: chosen,
                    motion,
                });
            }
            Some(Err(error)) => report_argument(&reader, &error, context),
            None => {}
        }
        reader.finish();
    }
}

/// The named trajectories, which must move the same joints.
pub(super) fn segments<'t>(
    field: &DocumentField<'t>,
    joints: &[JointIndex],
    (names, model): (&NameIndex, &Model),
    context: &Context<'t>,
) -> Option<Vec<Arc<dyn Trajectory>>> {
    let items = field.array()?.value;
    let motion = |item: &DocumentField<'t>| {
        let (name, what) = (item.string()?, item.what());
        let number = names.element(ElementFamily::Trajectory, name, &what, context)?;
        let segment = &model.trajectories[number];
        if segment.joints == joints {
            return Some(Arc::clone(&segment.motion));
        }
        let moved = segment.joints.iter();
        let moved = listed(moved.map(|joint| model.joints[joint.0].name.clone()));
        let help = Some(format!("it moves {moved}"));
        item.error("not-moved", "moves other joints", "", help);
        None
    };
    let motions: Vec<Option<_>> = items.iter().map(motion).collect();
    motions.into_iter().collect()
}

fn no_joints(reader: &SectionReader<'_>, context: &Context<'_>) {
    let message = format!("{} moves no joint", reader.what());
    let help =
        "joints with one coordinate, such as revolute and prismatic, can be moved".to_owned();
    context.error("no-joints", message, (reader.span(), ""), Some(help));
}

/// Warns of every limit that a trajectory exceeds.
pub(super) fn check_limits(
    tables: &[&Table],
    model: &Model,
    duration: Option<f64>,
    context: &Context<'_>,
) {
    // indices in the model's list correspond to the file only if there are no errors
    if context.diagnostics.has_errors() {
        return;
    }
    for (trajectory, table) in model.trajectories.iter().zip(tables) {
        let until = duration.unwrap_or(f64::INFINITY);
        let limits = trajectory.joints.iter();
        let limits: Vec<_> = limits.map(|j| model.joints[j.0].limits).collect();
        let found = violations(&*trajectory.motion, &limits, until);
        if found.is_empty() {
            continue;
        }
        let texts: Vec<String> = found
            .iter()
            .map(|violation| exceeded(violation, trajectory, model))
            .collect();
        let message = format!(
            "trajectory {} exceeds the limits of its joints: {}",
            shown(&trajectory.name),
            texts.join("; ")
        );
        context.diagnostics.push(
            Diagnostic::warning("beyond-limits", message)
                .at(table.span, "")
                .help("reduce the range or the speed of the motion, or correct the limits"),
        );
    }
}

fn exceeded(violation: &Violation, trajectory: &TrajectoryElement, model: &Model) -> String {
    let element = &model.joints[trajectory.joints[violation.joint].0];
    let coordinates = element.joint.coordinates(model.space);
    let angle = coordinates.first().is_some_and(|c| c.angular);
    let (unit, scale) = if angle {
        ("deg", 180.0 / std::f64::consts::PI)
    } else {
        ("m", 1.0)
    };
    let per = if violation.bound == Bound::Rate {
        "/s"
    } else {
        ""
    };
    let shown = |x: f64| format!("{:.4} {unit}{per}", x * scale);
    let what = match violation.bound {
        Bound::Lower => "lower limit",
        Bound::Upper => "upper limit",
        Bound::Rate => "velocity limit",
    };
    format!(
        "`{}` reaches {} at t = {:.4} s ({what} {})",
        element.name,
        shown(violation.value),
        violation.time,
        shown(violation.limit)
    )
}
