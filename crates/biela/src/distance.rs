//! The distance between two motions.
//!
//! ```text
//! distance = max over signals s and output times t of |s(t) − s_ref(t)| / (max s_ref − min s_ref)
//! ```

use std::collections::BTreeMap;

use biela_core::model::{BodyQuantity, JointQuantity, Signal, Stage};
use biela_core::system::{Channel, channels};
use biela_model::suggest::did_you_mean;

use crate::{Job, OptionError};

/// A signal whose range is below this fraction of the widest range of its unit is scaled by that widest range.
const LEAST_RANGE: f64 = 1e-3;
/// Signals of a unit are constant if they change less than this fraction of their values, or less than `REST`. They are scaled by their values.
const REST_SHARE: f64 = 1e-9;
const REST: f64 = 1e-12;

/// The largest difference from a reference.
#[derive(Clone, Debug, PartialEq)]
pub struct LargestDifference {
    /// The signal.
    pub signal: String,
    /// Its unit.
    pub unit: String,
    /// The time.
    pub time: f64,
    /// The value of the reference at this time.
    pub reference: f64,
    /// The value of the run at this time.
    pub value: f64,
    /// The scale for differences of the signal.
    pub scale: f64,
}

impl LargestDifference {
    /// The difference relative to the scale.
    pub fn share(&self) -> f64 {
        let share = (self.value - self.reference).abs() / self.scale;
        if share.is_nan() { f64::INFINITY } else { share }
    }
}

/// Returns the compared signals: positions and velocities of the named elements, otherwise of the recorded ones, otherwise of all.
pub fn motion(job: &Job, names: &[String]) -> Result<Vec<Channel>, OptionError> {
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
            (true, true) => Err(OptionError::new("the model has no moving body")),
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
                None => "name a body, a point or a joint".to_owned(),
            };
            return Err(OptionError::new(format!(
                "no moving body, point or joint is called `{name}`; {help}"
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

/// Returns `true` for positions and velocities. Dextral angles are excluded because they jump at the ends of their range; the Euler parameters represent them.
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

/// Returns `true` if one channel is a dextral angle of a body and the other an Euler parameter of the same body.
fn turns_with(angle: &Channel, parameter: &Channel) -> bool {
    use BodyQuantity::{E0, E1, E2, E3, Pitch, Roll, Yaw};
    match (angle.signal, parameter.signal) {
        (Signal::Body(a, Roll | Pitch | Yaw), Signal::Body(b, E0 | E1 | E2 | E3)) => a == b,
        _ => false,
    }
}

/// The column indices of the Euler parameters of each body that has all four among the channels.
fn turns(channels: &[Channel]) -> Vec<[usize; 4]> {
    use BodyQuantity::{E0, E1, E2, E3};
    let place = |signal: Signal| channels.iter().position(|c| c.signal == signal);
    let of_body = |channel: &Channel| {
        let Signal::Body(body, E0) = channel.signal else {
            return None;
        };
        let [a, b, c, d] = [E0, E1, E2, E3].map(|e| place(Signal::Body(body, e)));
        Some([a?, b?, c?, d?])
    };
    channels.iter().filter_map(of_body).collect()
}

/// The reference motion.
#[derive(Clone, Debug)]
pub struct ComparisonReference {
    names: Vec<String>,
    units: Vec<String>,
    times: Vec<f64>,
    values: Vec<f64>,
    /// The scale for differences of each signal; empty until the run has ended.
    scales: Vec<f64>,
    end: Option<f64>,
    output_step: f64,
    /// Column indices of the Euler parameters of each body; both signs represent the same rotation.
    turns: Vec<[usize; 4]>,
}

impl ComparisonReference {
    /// Creates an empty reference with these channels.
    pub fn new(channels: &[Channel], output_step: f64) -> Self {
        Self {
            names: channels.iter().map(|c| c.name.clone()).collect(),
            units: channels.iter().map(|c| c.unit.clone()).collect(),
            times: Vec::new(),
            values: Vec::new(),
            scales: Vec::new(),
            end: None,
            output_step,
            turns: turns(channels),
        }
    }

    /// Adds a row of the run.
    pub fn push(&mut self, time: f64, values: &[f64]) {
        self.times.push(time);
        self.values.extend_from_slice(values);
    }

    /// Marks the end of the run.
    pub fn close(&mut self, end: Option<f64>) {
        self.end = end;
        self.scales = self.measures();
    }

    /// Returns `true` if a run that reached this time ended earlier or later than the reference.
    pub fn ends_apart_from(&self, reached: f64) -> bool {
        self.end
            .is_some_and(|end| (reached - end).abs() > self.output_step)
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

/// The distance of a run from the reference, computed during the run.
#[derive(Debug)]
pub struct RunComparison<'r> {
    reference: &'r ComparisonReference,
    /// The index of the next row of the reference.
    next: usize,
    rows: usize,
    worst: Option<LargestDifference>,
    /// −1 for Euler parameters whose sign is opposite to that of the reference row.
    signs: Vec<f64>,
}

impl<'r> RunComparison<'r> {
    /// Creates a comparison without rows.
    pub fn new(reference: &'r ComparisonReference) -> Self {
        Self {
            reference,
            next: 0,
            rows: 0,
            worst: None,
            signs: Vec::new(),
        }
    }

    /// Compares a row with the reference row at the same time, if there is one.
    pub fn see(&mut self, time: f64, values: &[f64]) {
        let ComparisonReference { times, scales, .. } = self.reference;
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
        self.signs.clear();
        self.signs.resize(values.len(), 1.0);
        for turn in &self.reference.turns {
            let product: f64 = turn.iter().map(|&k| values[k] * exact[k]).sum();
            if product < 0.0 {
                for &k in turn {
                    self.signs[k] = -1.0;
                }
            }
        }
        let signed = values
            .iter()
            .zip(&self.signs)
            .map(|(value, sign)| sign * value);
        for (signal, ((value, exact), scale)) in signed.zip(exact).zip(scales).enumerate() {
            if value.is_nan() && exact.is_nan() {
                continue;
            }
            let found = LargestDifference {
                signal: String::new(),
                unit: String::new(),
                time,
                reference: *exact,
                value,
                scale: *scale,
            };
            let least = self.worst.as_ref().map_or(-1.0, LargestDifference::share);
            if found.share() > least {
                self.worst = Some(LargestDifference {
                    signal: self.reference.names[signal].clone(),
                    unit: self.reference.units[signal].clone(),
                    ..found
                });
            }
        }
    }

    /// The largest difference so far; `None` if no row coincided with a time of the reference.
    pub fn distance(&self) -> Option<LargestDifference> {
        self.worst.clone().filter(|_| self.rows > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use biela_core::model::BodyIndex;

    fn reference(units: &[&str], rows: &[(f64, &[f64])]) -> ComparisonReference {
        let channel = |unit: &&str| Channel {
            name: format!("in {unit}"),
            unit: (*unit).to_owned(),
            text: String::new(),
            stage: Stage::Position,
            signal: Signal::Time,
        };
        let channels: Vec<Channel> = units.iter().map(channel).collect();
        let mut reference = ComparisonReference::new(&channels, 0.1);
        for (time, values) in rows {
            reference.push(*time, values);
        }
        reference.close(rows.last().map(|(time, _)| *time));
        reference
    }

    #[test]
    fn signals_are_scaled_by_their_range_and_constant_ones_by_moving_signals_or_their_value() {
        let rows: [(f64, &[f64]); 2] = [
            (0.0, &[-1.0, 5.0, 7.0, 300.0, 1e-17]),
            (0.1, &[1.0, 5.5, 7.0, 300.0, 0.0]),
        ];
        let reference = reference(&["m", "m", "m", "rad/s", "rad"], &rows);
        assert_eq!(reference.scales, [2.0, 0.5, 2.0, 300.0, 1.0]);
    }

    #[test]
    fn rows_at_equal_times_are_compared_and_the_largest_distance_is_kept() {
        let rows: [(f64, &[f64]); 3] = [(0.0, &[0.0]), (0.1, &[4.0]), (0.2, &[1.0])];
        let reference = reference(&["m"], &rows);
        let mut comparison = RunComparison::new(&reference);
        assert!(comparison.distance().is_none());
        for (time, value) in [(0.0, 0.0), (0.05, 99.0), (0.1, 3.0), (0.2, 1.5)] {
            comparison.see(time, &[value]);
        }
        let distance = comparison.distance().unwrap();
        assert_eq!((distance.share(), distance.time), (0.25, 0.1));
        assert_eq!(distance.signal, "in m");
        assert!(!reference.ends_apart_from(0.2) && reference.ends_apart_from(0.4));
    }

    #[test]
    fn euler_parameters_of_either_sign_are_the_same_rotation() {
        use BodyQuantity::{E0, E1, E2, E3};
        let channel = |quantity| Channel {
            name: format!("{quantity:?}"),
            unit: "1".to_owned(),
            text: String::new(),
            stage: Stage::Position,
            signal: Signal::Body(BodyIndex(0), quantity),
        };
        let mut reference = ComparisonReference::new(&[E0, E1, E2, E3].map(channel), 0.1);
        reference.push(0.0, &[1.0, 0.0, 0.0, 0.0]);
        reference.push(0.1, &[0.6, 0.0, -0.8, 0.0]);
        reference.close(Some(0.1));
        let mut comparison = RunComparison::new(&reference);
        comparison.see(0.0, &[-1.0, 0.0, 0.0, 0.0]);
        comparison.see(0.1, &[-0.6, 0.0, 0.8, 0.0]);
        assert_eq!(comparison.distance().unwrap().share(), 0.0);
    }

    #[test]
    fn a_nan_has_an_infinite_distance() {
        let reference = reference(&["m"], &[(0.0, &[0.0]), (0.1, &[1.0])]);
        let mut comparison = RunComparison::new(&reference);
        comparison.see(0.0, &[f64::NAN]);
        let distance = comparison.distance().unwrap();
        assert_eq!(distance.share(), f64::INFINITY);
    }
}
