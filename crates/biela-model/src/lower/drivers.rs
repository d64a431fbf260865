//! Drivers: prescribed motions.

use std::collections::BTreeMap;
use std::sync::Arc;

use biela_core::control::trajectories::rate_jump;
use biela_core::math::Jet;
use biela_core::model::{
    AccelerationProfile, DriverElement, DriverTarget, JointIndex, Model, Motion, Space,
};

use super::formula::{Compiled, Reads};
use super::keys;
use super::names::{ElementFamily, NameIndex, listed, nearest};
use super::parameters::NameMeaning;
use super::reader::SectionReader;
use super::values::{Context, dimension_of};
use crate::diagnostic::{Diagnostic, Span, Spanned, shown};
use crate::document::{DocumentField, Table};
use crate::expr::{self, Binding, Continuity, Program};

/// Units of the driven quantity, its velocity and its acceleration.
struct DriverUnits {
    value: &'static str,
    rate: &'static str,
    acceleration: &'static str,
}

const ANGLE: DriverUnits = DriverUnits {
    value: "rad",
    rate: "rad/s",
    acceleration: "rad/s^2",
};
const LENGTH: DriverUnits = DriverUnits {
    value: "m",
    rate: "m/s",
    acceleration: "m/s^2",
};

/// A motion that may be discontinuous; it is checked when its time interval is known.
pub(super) struct Doubtful<'t> {
    program: Program,
    /// The formula, or the name of a table.
    field: DocumentField<'t>,
    /// The span of its roughest part.
    place: Span,
}

/// Reads every `[[driver]]`. Returns the motions that may be discontinuous.
pub(super) fn drivers<'t>(
    tables: &[&'t Table],
    model: &mut Model,
    names: &mut NameIndex,
    context: &Context<'t>,
) -> Vec<Doubtful<'t>> {
    let mut doubtful = Vec::new();
    let mut places: BTreeMap<[usize; 3], Span> = BTreeMap::new();
    for table in tables {
        let reader = SectionReader::new(&keys::DRIVER, table, context.diagnostics);
        let name = names.declare(&reader, "name", ElementFamily::Driver, context);
        let on = reader.require("on", "on = \"joint1\"");
        let target = target(&on, model, names, context);
        // Without a target the motion is still checked, with any unit.
        let units = target.as_ref().map(|(_, units)| units);
        let along = TrajectoryDriverContext {
            model,
            names,
            target: target.as_ref().map(|(target, _)| *target),
        };
        let motion = motion(&reader, units, &along, &mut doubtful, context);
        if let (Some((target, _)), Some(span)) = (&target, on.span()) {
            let key = match target {
                DriverTarget::Joint(joint, k) => [0, joint.0, *k],
                DriverTarget::Point(marker, axis) => [1, marker.0, *axis],
            };
            match places.get(&key) {
                Some(first) => twice(&reader, span, *first, context),
                None => drop(places.insert(key, span)),
            }
        }
        if let (Some((target, _)), Some(motion)) = (target, motion) {
            names.settle(&name, model.drivers.len());
            model.drivers.push(DriverElement {
                name,
                origin: context.origin(reader.span()),
                target,
                motion,
            });
        }
        reader.finish();
    }
    doubtful
}

fn twice(reader: &SectionReader<'_>, span: Span, first: Span, context: &Context<'_>) {
    let message = format!(
        "{} drives a coordinate that is already driven",
        reader.what()
    );
    context.diagnostics.push(
        Diagnostic::error("driven-twice", message)
            .at(span, "driven again")
            .also(first, "first driven here")
            .help("keep one of the two"),
    );
}

/// Parses `joint`, `joint.coordinate`, `body.point.x` or `body.x`.
fn target<'t>(
    field: &DocumentField<'t>,
    model: &Model,
    names: &NameIndex,
    context: &Context<'t>,
) -> Option<(DriverTarget, DriverUnits)> {
    let text = field.string()?;
    let (first, _) = names.split(text.value);
    if !matches!(
        names.family(first),
        Some(ElementFamily::Body | ElementFamily::Beam)
    ) {
        let (joint, k, coordinate) = names.coordinate(field, model, context)?;
        let units = if coordinate.angular { ANGLE } else { LENGTH };
        return Some((DriverTarget::Joint(joint, k), units));
    }
    let axes: &[&str] = match context.space {
        Space::Planar => &["x", "y"],
        Space::Spatial => &["x", "y", "z"],
    };
    let split = text.value.rsplit_once('.');
    let axis = split.and_then(|(_, axis)| axes.iter().position(|known| *known == axis));
    let (Some((point, _)), Some(axis)) = (split, axis) else {
        let message = format!(
            "{}: {} is not a component of a point",
            field.what(),
            shown(text.value)
        );
        let help = format!(
            "write body.point.{}, or the name of a joint",
            axes.join(" or body.point.")
        );
        context.error("bad-target", message, (text.span, ""), Some(help));
        return None;
    };
    let marker = names.marker(text, 0..point.len(), &field.what(), context)?;
    Some((DriverTarget::Point(marker, axis), LENGTH))
}

/// The context of a driver along a trajectory.
struct TrajectoryDriverContext<'m> {
    model: &'m Model,
    names: &'m NameIndex,
    /// The driven quantity; `None` if it was reported as invalid.
    target: Option<DriverTarget>,
}

fn motion<'t>(
    reader: &SectionReader<'t>,
    units: Option<&DriverUnits>,
    along: &TrajectoryDriverContext<'_>,
    doubtful: &mut Vec<Doubtful<'t>>,
    context: &Context<'t>,
) -> Option<Motion> {
    let fields = ["value", "acceleration", "table", "trajectory"].map(|key| reader.get(key));
    let given = fields.iter().filter(|field| field.is_present()).count();
    if given != 1 {
        let message = format!(
            "{} needs exactly one of `value`, `acceleration`, `table` and `trajectory`",
            reader.what()
        );
        let label = if given == 0 {
            "none is given"
        } else {
            "more than one is given"
        };
        let help = "value = \"0.1*sin(2*t)\" is a formula of time".to_owned();
        context.error("which-motion", message, (reader.span(), label), Some(help));
    }
    let [value, acceleration, table, trajectory] = fields;
    let motions = [
        follow(&value, units, doubtful, context),
        profile(&acceleration, units, context),
        tabled(&table, units, doubtful, context),
        led(&trajectory, along, context),
    ];
    if given != 1 {
        return None;
    }
    motions.into_iter().flatten().next()
}

fn follow<'t>(
    field: &DocumentField<'t>,
    units: Option<&DriverUnits>,
    doubtful: &mut Vec<Doubtful<'t>>,
    context: &Context<'t>,
) -> Option<Motion> {
    let wanted = units.and_then(|units| dimension_of(units.value));
    let program = context.formula(field, Reads::Time, wanted)?.program;
    let span = field.span()?;
    let text = field.value().and_then(|value| value.as_str());
    let place = match (text, program.roughest()) {
        (Some(value), Some((_, range))) => Spanned { value, span }.inside(range),
        _ => span,
    };
    Some(driven(program, field, place, doubtful))
}

/// The motion of a compiled function of time; one with rough parts is checked later.
fn driven<'t>(
    program: Program,
    field: &DocumentField<'t>,
    place: Span,
    doubtful: &mut Vec<Doubtful<'t>>,
) -> Motion {
    if program.continuity() < Continuity::Rate {
        doubtful.push(Doubtful {
            program: program.clone(),
            field: field.clone(),
            place,
        });
    }
    Motion::Function(Arc::new(Compiled::new(program)))
}

/// Rejects a discontinuity of the value, and warns of a discontinuity of the velocity. The pieces of a formula may be continuous at their junctions, and times
/// after the run are irrelevant.
pub(super) fn check_smoothness(
    doubtful: &[Doubtful<'_>],
    duration: Option<f64>,
    context: &Context<'_>,
) {
    let seconds = duration.unwrap_or(UNKNOWN_DURATION);
    for Doubtful {
        program,
        field,
        place,
    } in doubtful
    {
        let place = *place;
        let what = field.what();
        if program.continuity() == Continuity::Jump
            && let Some(time) = jump(program, seconds, |jet| (jet.value, jet.rate))
        {
            let help = "for a smooth change write step5(t, t0, h0, t1, h1)".to_owned();
            let label = format!("the value jumps at t = {} s", shown_time(time));
            let message = format!("{what} is discontinuous: its velocity would be infinite");
            context.error("rough-motion", message, (place, &label), Some(help));
        } else if let Some(time) = jump(program, seconds, |jet| (jet.rate, jet.curvature)) {
            context.warning(
                "rough-motion",
                format!("the velocity of {what} is discontinuous: accelerations and forces are infinite there"),
                (
                    place,
                    &format!("the velocity jumps at t = {} s", shown_time(time)),
                ),
                "use step5, or a table with interpolation = \"cubic\" and outside = \"linear\"",
            );
        }
    }
}

/// The time interval in s for which motions are checked without a study.
const UNKNOWN_DURATION: f64 = 100.0;

/// A time with a few digits, without trailing zeros.
fn shown_time(time: f64) -> String {
    let text = format!("{time:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}

/// Returns a time within the first `seconds` at which a quantity of a motion is discontinuous; `of` returns it and its derivative.
fn jump(program: &Program, seconds: f64, of: impl Fn(Jet) -> (f64, f64)) -> Option<f64> {
    const SAMPLES: u32 = 4000;
    let at = |time: f64| of(program.eval(Jet::time(time), &[]));
    let step = seconds / f64::from(SAMPLES);
    let mut before = at(0.0);
    for k in 1..=SAMPLES {
        let time = f64::from(k) * step;
        let after = at(time);
        let change = (after.0 - before.0).abs();
        // more than the derivatives at both ends explain: refine
        if change > 1e-9 + 2.0 * step * before.1.abs().max(after.1.abs()) {
            let (mut a, mut b) = (time - step, time);
            for _ in 0..40 {
                let middle = 0.5 * (a + b);
                let (left, right) = (at(a).0 - at(middle).0, at(middle).0 - at(b).0);
                if left.abs() > right.abs() {
                    b = middle;
                } else {
                    a = middle;
                }
            }
            let (x, y) = (at(a).0, at(b).0);
            if (x - y).abs() > 1e-6 * (1.0 + x.abs().max(y.abs())) {
                return Some(b);
            }
        }
        before = after;
    }
    None
}

fn profile<'t>(
    field: &DocumentField<'t>,
    units: Option<&DriverUnits>,
    context: &Context<'t>,
) -> Option<Motion> {
    let table = field.table()?.value;
    let reader = SectionReader::called(&field.what(), &keys::PROFILE, table, context.diagnostics);
    let unit = |pick: fn(&DriverUnits) -> &'static str| units.map_or("", pick);
    let time_field = reader.require("time", "time = [0, 1, 2]");
    let value_field = reader.require("value", "value = [0, 5, 0]");
    let time = context.numbers(&time_field, "s");
    let value = context.numbers(&value_field, unit(|units| units.acceleration));
    let (velocity_field, position_field) = (reader.get("velocity"), reader.get("position"));
    let velocity = context.number(&velocity_field, unit(|units| units.rate));
    let position = context.number(&position_field, unit(|units| units.value));
    reader.finish();
    let (time, value) = (time?, value?);
    if time.len() != value.len() {
        let label = format!("{} values for {} times", value.len(), time.len());
        value_field.error(
            "wrong-length",
            "must have one value for each time",
            &label,
            None,
        );
        return None;
    }
    if let Some(k) = (1..time.len()).find(|&k| time[k] <= time[k - 1]) {
        let label = format!("{} s is not after {} s", time[k], time[k - 1]);
        time_field.error("bad-table", "must increase", &label, None);
        return None;
    }
    let wrong = (velocity_field.is_present() && velocity.is_none())
        || (position_field.is_present() && position.is_none());
    let profile = AccelerationProfile::new(
        time,
        value,
        velocity.unwrap_or(0.0),
        position.unwrap_or(0.0),
    );
    if profile.is_none() {
        time_field.error("wrong-length", "must have at least one time", "empty", None);
    }
    profile.filter(|_| !wrong).map(Motion::Profile)
}

/// The motion of the driven joint along a trajectory.
fn led<'t>(
    field: &DocumentField<'t>,
    along: &TrajectoryDriverContext<'_>,
    context: &Context<'t>,
) -> Option<Motion> {
    let name = field.string()?;
    let family = ElementFamily::Trajectory;
    let what = field.what();
    let number = along.names.element(family, name, &what, context)?;
    let trajectory = &along.model.trajectories[number];
    let target = along.target?;
    let drives = |moved: &JointIndex| target == DriverTarget::Joint(*moved, 0);
    let Some(at) = trajectory.joints.iter().position(drives) else {
        let names = trajectory.joints.iter();
        let names = listed(names.map(|j| along.model.joints[j.0].name.clone()));
        let problem = "does not move the driven coordinate";
        let help = Some(format!("it moves {names}"));
        field.error("not-moved", problem, "", help);
        return None;
    };
    let motion = Arc::clone(&trajectory.motion);
    if let Some(time) = rate_jump(&*motion, at) {
        context.warning(
            "rough-motion",
            format!("the velocity of {what} is discontinuous: accelerations and forces are infinite there"),
            (
                name.span,
                &format!("the velocity jumps at t = {} s", shown_time(time)),
            ),
            "let the trajectory begin and end at rest",
        );
    }
    Some(Motion::Trajectory { motion, joint: at })
}

fn tabled<'t>(
    field: &DocumentField<'t>,
    units: Option<&DriverUnits>,
    doubtful: &mut Vec<Doubtful<'t>>,
    context: &Context<'t>,
) -> Option<Motion> {
    let name = field.string()?;
    let table = match context.constants.find(name.value) {
        NameMeaning::Binding(Binding::Table(table)) => table,
        NameMeaning::Broken => return None,
        NameMeaning::Binding(_) | NameMeaning::Unknown => {
            let names: Vec<&str> = context.constants.table_names().collect();
            let help = nearest(
                name.value,
                names.into_iter(),
                "add [table.NAME] with x and y",
            );
            let message = format!("{}: there is no table {}", field.what(), shown(name.value));
            let label = "unknown table";
            context.error("unknown-name", message, (name.span, label), Some(help));
            return None;
        }
    };
    let (of_x, of_y) = table.dimensions();
    let wanted = units.and_then(|units| dimension_of(units.value));
    for (found, wanted, axis) in [(of_x, dimension_of("s"), "x"), (of_y, wanted, "y")] {
        if let (Some(found), Some(wanted)) = (found, wanted)
            && found != wanted
        {
            let problem = format!("has the wrong unit of {axis}");
            let label = format!(
                "its {axis} {}; {} is required",
                found.predicate(),
                wanted.describe()
            );
            field.error("wrong-unit", &problem, &label, None);
            return None;
        }
    }
    let ast = expr::parse("motion(t)").ok()?;
    let mut resolve = |_: &str| Some(Binding::Table(Arc::clone(&table)));
    let program = expr::compile(&ast, &mut resolve, &Vec::new).ok()?;
    Some(driven(program, field, name.span, doubtful))
}
