//! `[output]`: the recorded signals.

use std::collections::{BTreeMap, BTreeSet};

use biela_core::analysis::{Analysis, Study};
use biela_core::model::{
    BodyQuantity, ContactQuantity, DriverQuantity, EnergyQuantity, JointQuantity, Signal,
    SolverQuantity,
};
use biela_core::system::Channel;

use super::keys;
use super::names::nearest;
use super::reader::SectionReader;
use super::signals::Signals;
use super::values::Context;
use crate::diagnostic::{Diagnostic, Spanned, shown};
use crate::document::DocumentField;

/// The maximum number of channels.
pub(super) const MOST_CHANNELS: usize = 20_000;
/// At most this many numbers are kept: rows times channels.
pub const MOST_NUMBERS: f64 = 2e9;
/// At most this many rows are kept.
pub const MOST_ROWS: f64 = 1e8;

/// The maximum number of plot panels.
const MOST_PANELS: usize = 100;

/// The recorded signals of a run and their plots.
#[derive(Clone, Debug, Default)]
pub struct Outputs {
    /// The columns of the results, without time.
    pub channels: Vec<Channel>,
    /// Panels of a plot, each a list of indices of `channels`; empty if the model does not define any.
    pub panels: Vec<Vec<usize>>,
}

impl Outputs {
    /// Adds a channel unless it is present; returns its index.
    fn add(&mut self, channel: &Channel, index: &mut BTreeMap<String, usize>) -> usize {
        if let Some(&at) = index.get(&channel.name) {
            return at;
        }
        let at = self.channels.len();
        self.channels.push(channel.clone());
        let _ = index.insert(channel.name.clone(), at);
        at
    }
}

/// Reads `[output]`; without `signals` a default set is recorded.
pub(super) fn outputs<'t>(
    field: &DocumentField<'t>,
    study: Option<&Study>,
    signals: &Signals<'_>,
    context: &Context<'t>,
) -> Outputs {
    let reader = field
        .table()
        .map(|table| SectionReader::new(&keys::OUTPUT, table.value, context.diagnostics));
    let list = reader.as_ref().map(|reader| reader.get("signals"));
    let list = list.filter(DocumentField::is_present);
    let rests = study.is_some_and(|study| matches!(study.analysis, Analysis::Statics { .. }));
    let mut outputs = Outputs::default();
    let mut index = BTreeMap::new();
    match &list {
        Some(list) => {
            let mut seen = BTreeSet::new();
            for item in list.array().map_or(Vec::new(), |items| items.value) {
                let name = item.value().and_then(|value| value.as_str());
                if name.is_some_and(|name| !seen.insert(name)) {
                    continue;
                }
                for channel in expand(&item, signals, context) {
                    let _ = outputs.add(channel, &mut index);
                }
            }
        }
        None => {
            for channel in useful(signals, rests) {
                let _ = outputs.add(channel, &mut index);
            }
        }
    }
    if let Some(reader) = reader {
        panels(
            &reader.get("plot"),
            &mut outputs,
            &mut index,
            signals,
            context,
        );
        reader.finish();
    }
    check_size(&outputs, study, list.as_ref().or(Some(field)), context);
    outputs
}

/// The channels selected by a name or a prefix of names.
fn expand<'s>(
    item: &DocumentField<'_>,
    signals: &'s Signals<'_>,
    context: &Context<'_>,
) -> Vec<&'s Channel> {
    let Some(name) = item.string() else {
        return Vec::new();
    };
    if let Some(channel) = signals.table().find(name.value) {
        return vec![channel];
    }
    let below = signals.table().below(name.value);
    if below.is_empty() && !signals.is_broken(name.value) {
        unknown(name, item, signals, context);
    }
    below
}

fn unknown(
    name: Spanned<&str>,
    item: &DocumentField<'_>,
    signals: &Signals<'_>,
    context: &Context<'_>,
) {
    let help = (!context.diagnostics.is_crowded()).then(|| {
        let mut near = signals.near(name.value);
        // names that select several signals
        let of_several = |name: &String| Some(name.rsplit_once('.')?.0.to_owned());
        let groups: Vec<String> = near.iter().filter_map(of_several).collect();
        near.extend(groups);
        near.dedup();
        if near.is_empty() {
            nearest(
                name.value,
                signals.elements(),
                "choose one of `energy` and `system`",
            )
        } else {
            nearest(name.value, near.iter().map(String::as_str), "")
        }
    });
    let message = format!("{}: there is no signal {}", item.what(), shown(name.value));
    context.error(
        "unknown-signal",
        message,
        (name.span, "unknown signal"),
        help,
    );
}

/// The default signals: joint coordinates and velocities, poses of bodies, gaps, normal forces, slip velocities, states and impacts of contacts, sensors, inputs, energy and error; for a static study the forces and torques of joints and
/// drivers instead of velocities.
fn useful<'s>(signals: &'s Signals<'_>, rests: bool) -> Vec<&'s Channel> {
    let wanted = |channel: &&Channel| match channel.signal {
        Signal::Joint(_, JointQuantity::Value(_))
        | Signal::Contact(_, ContactQuantity::Gap | ContactQuantity::Normal) => true,
        Signal::Joint(_, JointQuantity::Rate(_))
        | Signal::Contact(
            _,
            ContactQuantity::Slip | ContactQuantity::State | ContactQuantity::Impacts,
        ) => !rests,
        Signal::Joint(_, JointQuantity::ReactionForce | JointQuantity::ReactionMoment)
        | Signal::Driver(_, DriverQuantity::Effort)
        | Signal::Energy(EnergyQuantity::Potential) => rests,
        Signal::Body(_, quantity) => {
            use BodyQuantity::{Angle, Pitch, Roll, X, Y, Yaw, Z};
            matches!(quantity, X | Y | Z | Angle | Roll | Pitch | Yaw)
        }
        _ => is_global(channel),
    };
    let all = signals.table().channels().iter();
    let list: Vec<&Channel> = all.filter(wanted).collect();
    if list.len() <= MOST_CHANNELS {
        return list;
    }
    // a very large model records only the signals that show whether the run is reliable
    list.into_iter()
        .filter(|channel| is_global(channel))
        .take(MOST_CHANNELS)
        .collect()
}

fn is_global(channel: &Channel) -> bool {
    matches!(
        channel.signal,
        Signal::Sensor(_)
            | Signal::Controller(_)
            | Signal::Input(_)
            | Signal::Energy(EnergyQuantity::Total)
            | Signal::Solver(SolverQuantity::PositionError)
    )
}

fn panels<'t>(
    field: &DocumentField<'t>,
    outputs: &mut Outputs,
    index: &mut BTreeMap<String, usize>,
    signals: &Signals<'_>,
    context: &Context<'t>,
) {
    let Some(panels) = field.array() else { return };
    let count = panels.value.len();
    if count > MOST_PANELS {
        let problem = format!("must have at most {MOST_PANELS} panels");
        field.error("too-much-output", &problem, &format!("has {count}"), None);
        return;
    }
    for panel in panels.value {
        let Some(items) = panel.array() else { continue };
        let mut lines = Vec::new();
        let (mut seen, mut drawn) = (BTreeSet::new(), BTreeSet::new());
        for item in &items.value {
            let name = item.value().and_then(|value| value.as_str());
            if name.is_none_or(|name| seen.insert(name)) {
                let channels = expand(item, signals, context);
                let added = channels
                    .into_iter()
                    .map(|channel| outputs.add(channel, index));
                lines.extend(added.filter(|at| drawn.insert(*at)));
            }
        }
        outputs.panels.push(lines);
    }
}

/// Rejects an output that would fill the disk.
fn check_size(
    outputs: &Outputs,
    study: Option<&Study>,
    at: Option<&DocumentField<'_>>,
    context: &Context<'_>,
) {
    let report = |message: String, help: &str| {
        let error = Diagnostic::error("too-much-output", message).help(help);
        context
            .diagnostics
            .push(match at.and_then(DocumentField::span) {
                Some(span) => error.at(span, ""),
                None => error,
            });
    };
    let channels = outputs.channels.len();
    if channels > MOST_CHANNELS {
        report(
            format!("the output has {channels} channels; at most {MOST_CHANNELS} are allowed"),
            "list only the signals that you need",
        );
        return;
    }
    let Some(study) = study else { return };
    let rows = study.duration / study.output_step + 1.0;
    let numbers = rows * channels as f64;
    if numbers > MOST_NUMBERS {
        report(
            format!(
                "the output would have {rows:.0} rows of {channels} channels, {numbers:.1e} numbers; at most {MOST_NUMBERS:.0e} are allowed"
            ),
            "increase `output_step`, or list fewer signals",
        );
    } else if rows > MOST_ROWS {
        report(
            format!("the output would have {rows:.1e} rows; at most {MOST_ROWS:.0e} are allowed"),
            "increase `output_step`",
        );
    }
}
