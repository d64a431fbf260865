//! What a run costs, and how far its motion is from that of the reference.
//!
//! ```text
//! distance = max over signals s and output times t of |s(t) − s_ref(t)| / (max s_ref − min s_ref)
//! ```

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Instant as Clock;

use biela::core::analysis::{Observer, Progress, Simulation, Statistics, Stop, Study};
use biela::core::model::{BodyQuantity, JointQuantity, Model, Signal, Stage};
use biela::core::system::{Channel, Instant, channels};
use biela::model::suggest::did_you_mean;
use biela::{Job, OptionError, Row, RunError};
use cpu_time::ThreadTime;

use crate::commands::run::is_interrupted;
use crate::progress::Meter;

/// Numbers of the reference that are kept in memory.
const MOST_NUMBERS: f64 = 5e7;
/// A signal that moves less than this share of the widest one of its unit stands still beside it, and is measured by it.
const LEAST_RANGE: f64 = 1e-3;
/// Signals of a unit that change less than this share of their values, or less than `REST` at all, are constant; they are
/// measured by their values.
const REST_SHARE: f64 = 1e-9;
const REST: f64 = 1e-12;

/// What came of a run.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    /// Why it ended, or the message of what stopped it.
    pub(super) ended: Result<Stop, String>,
    /// Time reached; `None` when it did not even start.
    pub(super) reached: Option<f64>,
    pub(super) statistics: Statistics,
    /// Processor time of the run, s; time on the clock where the system does not tell.
    pub(super) cpu: f64,
    pub(super) distance: Option<Distance>,
    /// The reference goes on for longer, or ends earlier.
    pub(super) other_end: bool,
}

/// The largest difference from the reference.
#[derive(Clone, Debug)]
pub(super) struct Distance {
    /// As a share of the range of the signal.
    pub(super) share: f64,
    /// The signal.
    pub(super) signal: String,
    pub(super) time: f64,
}

impl Measured {
    /// A run that could not be started.
    pub(super) fn refused(message: impl Into<String>) -> Self {
        Self {
            ended: Err(message.into()),
            reached: None,
            statistics: Statistics::default(),
            cpu: 0.0,
            distance: None,
            other_end: false,
        }
    }

    /// Energy error against the energy exchanged; nothing when none was.
    pub(super) fn relative_energy(&self) -> Option<f64> {
        let s = &self.statistics;
        (s.energy_scale > 0.0).then(|| s.worst_energy / s.energy_scale)
    }

    /// Factorisations of the equations of motion and of Newton's method.
    pub(super) fn factorizations(&self) -> u64 {
        self.statistics.method.factorizations + self.statistics.integrator.factorizations
    }
}

/// Runs a model once; `see` gets time and motion at every output time.
pub(super) fn measure(
    model: Model,
    study: &Study,
    channels: &[Channel],
    quiet: bool,
    see: impl FnMut(f64, &[f64]),
) -> Result<Measured, RunError> {
    let assembled = biela::start(model, study)?;
    let mut simulation = Simulation::new(assembled, study).map_err(RunError::Study)?;
    let mut watch = Watch {
        row: Row::new(channels),
        meter: Meter::new(quiet),
        see,
    };
    let (clock, processor) = (Clock::now(), ThreadTime::try_now());
    let ended = simulation.run(&mut watch);
    let cpu = processor
        .and_then(|began| began.try_elapsed())
        .unwrap_or_else(|_| clock.elapsed());
    watch.meter.finish();
    Ok(Measured {
        ended: ended.map_err(|failure| failure.to_string()),
        reached: Some(simulation.state().time),
        statistics: simulation.statistics(),
        cpu: cpu.as_secs_f64(),
        distance: None,
        other_end: false,
    })
}

/// Looks at the motion, shows progress and listens to the user.
struct Watch<S> {
    row: Row,
    meter: Meter,
    see: S,
}

impl<S: FnMut(f64, &[f64])> Observer for Watch<S> {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        let (time, values) = self.row.at(instant);
        (self.see)(time, values);
        go_on()
    }

    fn step(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.meter.step(progress);
        go_on()
    }
}

fn go_on() -> ControlFlow<()> {
    if is_interrupted() {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}

/// The signals that are compared: positions and velocities of what is named, or of what the model records, or of all.
pub(super) fn motion(job: &Job, names: &[String]) -> Result<Vec<Channel>, OptionError> {
    let all: Vec<Channel> = channels(&job.model).into_iter().filter(is_motion).collect();
    if names.is_empty() {
        let recorded = |channel: &Channel| {
            let mut kept = job.outputs.channels.iter();
            kept.any(|output| output.signal == channel.signal || turns_with(output, channel))
        };
        let found: Vec<Channel> = all.iter().filter(|c| recorded(c)).cloned().collect();
        return match (found.is_empty(), all.is_empty()) {
            (false, _) => Ok(found),
            (true, false) => Ok(all),
            (true, true) => Err(OptionError::new("the model has nothing that moves")),
        };
    }
    let mut found: Vec<Channel> = Vec::new();
    for name in names {
        let name = name.trim();
        let named = |channel: &&Channel| {
            let rest = channel.name.strip_prefix(name);
            !name.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let list: Vec<&Channel> = all.iter().filter(named).collect();
        if list.is_empty() {
            let elements = all.iter().filter_map(|c| Some(c.name.rsplit_once('.')?.0));
            let candidates = elements.chain(all.iter().map(|c| c.name.as_str()));
            let help = match did_you_mean(name, candidates) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "name a body, a point or a joint; see biela info --signals".to_owned(),
            };
            return Err(OptionError::new(format!(
                "--of: nothing that moves is called `{name}`; {help}"
            )));
        }
        for channel in list {
            if !found.contains(channel) {
                found.push(channel.clone());
            }
        }
    }
    Ok(found)
}

/// Positions and velocities. Dextral angles jump at their ends and are told by the Euler parameters.
fn is_motion(channel: &Channel) -> bool {
    use BodyQuantity::{Kinetic, Pitch, Roll, Yaw};
    let moves = match channel.signal {
        Signal::Body(_, quantity) => !matches!(quantity, Kinetic | Roll | Pitch | Yaw),
        Signal::Point(..) => true,
        Signal::Joint(_, quantity) => {
            matches!(quantity, JointQuantity::Value(_) | JointQuantity::Rate(_))
        }
        _ => false,
    };
    moves && channel.stage <= Stage::Velocity
}

/// Whether one is a dextral angle of a body and the other an Euler parameter of the same.
fn turns_with(angle: &Channel, parameter: &Channel) -> bool {
    use BodyQuantity::{E0, E1, E2, E3, Pitch, Roll, Yaw};
    match (angle.signal, parameter.signal) {
        (Signal::Body(a, Roll | Pitch | Yaw), Signal::Body(b, E0 | E1 | E2 | E3)) => a == b,
        _ => false,
    }
}

/// Refuses a reference that memory may not hold.
pub(super) fn check_size(study: &Study, signals: usize) -> Result<(), OptionError> {
    let rows = study.duration / study.output_step + 1.0;
    if rows * signals as f64 <= MOST_NUMBERS {
        return Ok(());
    }
    Err(OptionError::new(format!(
        "{rows:.0} rows of {signals} signals are more than {MOST_NUMBERS:.0e} numbers; \
         make the output step longer, or compare less with --of"
    )))
}

/// The motion that counts as exact.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    names: Vec<String>,
    units: Vec<String>,
    times: Vec<f64>,
    values: Vec<f64>,
    /// What a difference of each signal is measured by; empty until the run has come to its end.
    scales: Vec<f64>,
    end: Option<f64>,
    output_step: f64,
}

impl Reference {
    pub(super) fn new(channels: &[Channel], output_step: f64) -> Self {
        Self {
            names: channels.iter().map(|c| c.name.clone()).collect(),
            units: channels.iter().map(|c| c.unit.clone()).collect(),
            times: Vec::new(),
            values: Vec::new(),
            scales: Vec::new(),
            end: None,
            output_step,
        }
    }

    pub(super) fn push(&mut self, time: f64, values: &[f64]) {
        self.times.push(time);
        self.values.extend_from_slice(values);
    }

    /// The run has come to its end.
    pub(super) fn close(&mut self, end: Option<f64>) {
        self.end = end;
        self.scales = self.measures();
    }

    fn measures(&self) -> Vec<f64> {
        let signals = self.names.len();
        let mut spans = vec![(f64::INFINITY, f64::NEG_INFINITY); signals];
        for row in self.values.chunks_exact(signals.max(1)) {
            for (span, value) in spans.iter_mut().zip(row) {
                *span = (span.0.min(*value), span.1.max(*value));
            }
        }
        // widest range and largest value of each unit
        let mut of_unit: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
        for ((low, high), unit) in spans.iter().zip(&self.units) {
            let (range, size) = of_unit.entry(unit).or_default();
            *range = range.max(high - low);
            *size = size.max(low.abs()).max(high.abs());
        }
        let scale = |((low, high), unit): (&(f64, f64), &String)| {
            let (widest, size) = of_unit.get(unit.as_str()).copied().unwrap_or_default();
            if widest <= REST_SHARE * size + REST {
                return if size > REST { size } else { 1.0 };
            }
            let range = high - low;
            if range < LEAST_RANGE * widest {
                widest
            } else {
                range
            }
        };
        spans.iter().zip(&self.units).map(scale).collect()
    }
}

/// The distance of a run from the reference, found while it runs.
#[derive(Debug)]
pub(super) struct Comparison<'r> {
    reference: &'r Reference,
    /// The next row of the reference.
    next: usize,
    rows: usize,
    worst: f64,
    /// Where the worst is: signal and time.
    place: (usize, f64),
}

impl<'r> Comparison<'r> {
    pub(super) fn new(reference: &'r Reference) -> Self {
        Self {
            reference,
            next: 0,
            rows: 0,
            worst: 0.0,
            place: (0, 0.0),
        }
    }

    /// Compares with the row of the same time, if there is one.
    pub(super) fn see(&mut self, time: f64, values: &[f64]) {
        let Reference { times, scales, .. } = self.reference;
        let slack = 1e-6 * self.reference.output_step;
        while times.get(self.next).is_some_and(|t| *t < time - slack) {
            self.next += 1;
        }
        if times.get(self.next).is_none_or(|t| *t > time + slack) || scales.is_empty() {
            return;
        }
        let from = self.next * values.len();
        let exact = self.reference.values.get(from..).unwrap_or_default();
        self.next += 1;
        self.rows += 1;
        for (signal, ((value, exact), scale)) in values.iter().zip(exact).zip(scales).enumerate() {
            if value.is_nan() && exact.is_nan() {
                continue;
            }
            let share = (value - exact).abs() / scale;
            let share = if share.is_nan() { f64::INFINITY } else { share };
            if share > self.worst {
                (self.worst, self.place) = (share, (signal, time));
            }
        }
    }

    /// Puts the distance down; a run that stopped early has none.
    pub(super) fn judge(&self, measured: Measured) -> Measured {
        let (signal, time) = self.place;
        let ended = matches!(measured.ended, Ok(Stop::Finished | Stop::Event { .. }));
        let distance = (ended && self.rows > 0).then(|| Distance {
            share: self.worst,
            signal: self
                .reference
                .names
                .get(signal)
                .cloned()
                .unwrap_or_default(),
            time,
        });
        let apart = match (measured.reached, self.reference.end) {
            (Some(a), Some(b)) => (a - b).abs() > self.reference.output_step,
            _ => false,
        };
        Measured {
            distance,
            other_end: ended && apart,
            ..measured
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(units: &[&str], rows: &[(f64, &[f64])]) -> Reference {
        let channel = |unit: &&str| Channel {
            name: format!("in {unit}"),
            unit: (*unit).to_owned(),
            text: String::new(),
            stage: Stage::Position,
            signal: Signal::Time,
        };
        let channels: Vec<Channel> = units.iter().map(channel).collect();
        let mut reference = Reference::new(&channels, 0.1);
        for (time, values) in rows {
            reference.push(*time, values);
        }
        reference.close(rows.last().map(|(time, _)| *time));
        reference
    }

    fn finished(reached: f64) -> Measured {
        Measured {
            ended: Ok(Stop::Finished),
            reached: Some(reached),
            ..Measured::refused("")
        }
    }

    #[test]
    fn signals_are_measured_by_their_range_and_those_at_rest_by_what_moves_or_their_value() {
        let rows: [(f64, &[f64]); 2] = [
            (0.0, &[-1.0, 5.0, 7.0, 300.0, 1e-17]),
            (0.1, &[1.0, 5.5, 7.0, 300.0, 0.0]),
        ];
        let reference = reference(&["m", "m", "m", "rad/s", "rad"], &rows);
        assert_eq!(reference.scales, [2.0, 0.5, 2.0, 300.0, 1.0]);
    }

    #[test]
    fn rows_of_the_same_time_are_compared_and_the_worst_is_kept() {
        let rows: [(f64, &[f64]); 3] = [(0.0, &[0.0]), (0.1, &[4.0]), (0.2, &[1.0])];
        let reference = reference(&["m"], &rows);
        let mut comparison = Comparison::new(&reference);
        for (time, value) in [(0.0, 0.0), (0.05, 99.0), (0.1, 3.0), (0.2, 1.5)] {
            comparison.see(time, &[value]);
        }
        let judged = comparison.judge(finished(0.2));
        let distance = judged.distance.unwrap();
        assert_eq!((distance.share, distance.time), (0.25, 0.1));
        assert_eq!(distance.signal, "in m");
        assert!(!judged.other_end && comparison.judge(finished(0.4)).other_end);
        assert!(comparison.judge(Measured::refused("")).distance.is_none());
    }

    #[test]
    fn a_value_that_is_not_a_number_is_infinitely_far() {
        let reference = reference(&["m"], &[(0.0, &[0.0]), (0.1, &[1.0])]);
        let mut comparison = Comparison::new(&reference);
        comparison.see(0.0, &[f64::NAN]);
        let distance = comparison.judge(finished(0.1)).distance.unwrap();
        assert_eq!(distance.share, f64::INFINITY);
    }
}
