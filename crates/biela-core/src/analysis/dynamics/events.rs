//! Events of a step: detection, location and notification.

use super::{IntegrationError, Observer, Simulation, Stop};
use crate::methods::MethodError;
use crate::model::{Crossing, EventAction};
use crate::system::{diagnose_formula, named};

/// Number of parts of a step in which events are searched.
pub(super) const EVENT_PARTS: u32 = 4;

/// A value that leaves zero closer than this to where it was found zero, as a fraction of the elapsed time, passed through zero without resting.
const PASSING: f64 = 1e-6;

/// A value that changes its sign and is larger than at the ends of the part by this factor has a pole and no zero.
const POLE: f64 = 1e3;

impl Simulation {
    /// Returns the value of event `index` at the evaluated state.
    pub(super) fn event_value(&self, index: usize, work: &[f64]) -> f64 {
        let instant = self
            .dynamics
            .instant(work, self.integrator.step_size(), self.start_energy);
        instant.evaluate(&self.dynamics.system.model().events[index].law)
    }

    /// Checks that the value of an event is finite.
    pub(super) fn check_event(
        &self,
        index: usize,
        value: f64,
        work: &[f64],
    ) -> Result<(), IntegrationError> {
        if value.is_finite() {
            return Ok(());
        }
        let event = &self.dynamics.system.model().events[index];
        let step = self.integrator.step_size();
        let instant = self.dynamics.instant(work, step, self.start_energy);
        let element = || named("event", &event.name, &event.origin);
        let broken = diagnose_formula(&instant, &element, &event.law);
        Err(MethodError::from(broken).into())
    }

    /// Locates the events of the last step, in order of time. A step is searched in parts, so that an event that begins and ends
    /// within it is detected.
    pub(super) fn find_events(&mut self, reached: f64) -> Result<(), IntegrationError> {
        self.found.clear();
        let mut from = self.state.time;
        for part in 1..=EVENT_PARTS {
            let to = if part == EVENT_PARTS {
                self.dynamics.evaluate_at(&self.next)?;
                reached
            } else {
                let whole = reached - self.state.time;
                let time = self.state.time + whole * f64::from(part) / f64::from(EVENT_PARTS);
                self.go_between(time)?;
                time
            };
            // values at the end of the part first: the location of a crossing evaluates other states
            for index in 0..self.event_values.len() {
                let last = part == EVENT_PARTS;
                let work = if last {
                    &self.next.work
                } else {
                    &self.between.work
                };
                let value = self.event_value(index, work);
                self.check_event(index, value, work)?;
                self.event_ends[index] = value;
            }
            for index in 0..self.event_values.len() {
                let end = self.event_ends[index];
                let start = std::mem::replace(&mut self.event_values[index], end);
                let crossing = self.dynamics.system.model().events[index].crossing;
                let before = self.event_signs[index];
                let rested = self.event_rests[index];
                self.event_rests[index] = start == 0.0 && end == 0.0;
                if end != 0.0 {
                    self.event_signs[index] = end.signum();
                }
                // towards or through zero, or away from it after a rest at zero, unless it continues to the other side
                let reaches = start * end < 0.0 || (start != 0.0 && end == 0.0);
                let leaves = start == 0.0 && end != 0.0 && before != -end.signum();
                let rises = if reaches { start < 0.0 } else { end > 0.0 };
                let unwanted = if rises {
                    Crossing::Falling
                } else {
                    Crossing::Rising
                };
                if !(reaches || leaves) || crossing == unwanted {
                    continue;
                }
                let (time, values) = self.locate(index, (from, start), (to, end))?;
                let passes = leaves && !rested && time - from <= PASSING * (to - from);
                let least = values.0.abs().min(values.1.abs());
                let pole = least.is_nan() || least > POLE * start.abs().max(end.abs());
                if !passes && !pole {
                    self.found.push((time, index));
                }
            }
            from = to;
        }
        self.found.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(())
    }

    /// Returns the time at which an event crosses, reaches or leaves zero within the last step, and its values just before and after it.
    pub(super) fn locate(
        &mut self,
        index: usize,
        from: (f64, f64),
        to: (f64, f64),
    ) -> Result<(f64, (f64, f64)), IntegrationError> {
        let mut beside = (from, to);
        let time = self.root(from, to, |this, time| {
            this.go_between(time)?;
            let value = this.event_value(index, &this.between.work);
            // the closest time with the previous sign, and the closest with another
            if sign(value) == sign(from.1) {
                beside.0 = (time, value);
            } else {
                beside.1 = (time, value);
            }
            Ok(value)
        })?;
        Ok((time, (beside.0.1, beside.1.1)))
    }

    /// Returns the time within the last step at which a value changes from its sign (or zero) at `a` to a different one at `b`: by the
    /// Illinois method between values of different signs, by bisection if it rests at zero. Points keep a distance from both ends that grows while one end is
    /// approached: near a root rounding of the value would otherwise keep all of them on one side of it.
    pub(super) fn root(
        &mut self,
        (mut a, mut fa): (f64, f64),
        (mut b, mut fb): (f64, f64),
        mut value: impl FnMut(&mut Self, f64) -> Result<f64, IntegrationError>,
    ) -> Result<f64, IntegrationError> {
        let (mut side, mut probed) = (0, false);
        let before = sign(fa);
        let exact = 4.0 * f64::EPSILON * a.abs().max(b.abs());
        let mut margin = exact;
        for _ in 0..100 {
            if (b - a) <= exact {
                break;
            }
            let mut c = b - fb * (b - a) / (fb - fa);
            // a zero is a root if there is another sign just before it; otherwise the value may rest at zero
            let probe = fb == 0.0 && !std::mem::replace(&mut probed, fb == 0.0);
            if probe {
                c = b - 64.0 * f64::EPSILON * b.abs();
            } else if fa * fb == 0.0 || !(c > a && c < b) {
                c = 0.5 * (a + b);
            } else {
                margin = margin.min(0.25 * (b - a));
                c = c.clamp(a + margin, b - margin);
            }
            if c <= a {
                break;
            }
            let fc = value(self, c)?;
            if probe && sign(fc) == before {
                break;
            }
            let near = if sign(fc) == before { c - a } else { b - c } <= 2.0 * margin;
            margin = if near { 8.0 * margin } else { exact };
            if sign(fc) == before {
                (a, fa) = (c, fc);
                if side == -1 {
                    fb *= 0.5;
                }
                side = -1;
            } else {
                (b, fb) = (c, fc);
                if side == 1 {
                    fa *= 0.5;
                }
                side = 1;
            }
        }
        Ok(b)
    }

    /// Notifies the observer of an event at the evaluated state between steps; a stop is recorded as the last sample.
    pub(super) fn happen(
        &mut self,
        observer: &mut dyn Observer,
        time: f64,
        index: usize,
    ) -> Option<Stop> {
        let step = self.integrator.step_size();
        let instant = self
            .dynamics
            .instant(&self.between.work, step, self.start_energy);
        let event = &instant.system.model().events[index];
        observer.event(event, &instant);
        if event.action != EventAction::Stop {
            return None;
        }
        let name = event.name.clone();
        // nothing after it is recorded, so a contradiction that appears only here does not matter
        let _ = self.record(observer, true);
        Some(Stop::Event { name, time })
    }
}

/// −1, 0 or 1.
fn sign(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value.signum() }
}
