//! Events of a step: found, located and told.

use super::{IntegrationError, Observer, Simulation, Stop};
use crate::methods::MethodError;
use crate::model::{Crossing, EventAction};
use crate::system::{blame_formula, named};

/// Into how many parts a step is divided to look for events.
pub(super) const EVENT_PARTS: u32 = 4;

impl Simulation {
    /// The value of event `index` at the evaluated state.
    pub(super) fn event_value(&self, index: usize, work: &[f64]) -> f64 {
        let instant = self
            .dynamics
            .instant(work, self.integrator.step_size(), self.start_energy);
        instant.evaluate(&self.dynamics.system.model().events[index].law)
    }

    /// An event must be a number to be watched.
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
        let broken = blame_formula(&instant, &element, &event.law);
        Err(MethodError::from(broken).into())
    }

    /// Locates the events of the last step, in order of time. A step is looked at in parts, so that an event that comes and goes
    /// within it is seen.
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
            // values at the end of the part first: locating a crossing evaluates other states
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
                let rising = start < 0.0 && end >= 0.0 && crossing != Crossing::Falling;
                let falling = start > 0.0 && end <= 0.0 && crossing != Crossing::Rising;
                if rising || falling {
                    let time = self.locate(index, (from, start), (to, end))?;
                    self.found.push((time, index));
                }
            }
            from = to;
        }
        self.found.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(())
    }

    /// The time at which an event crosses zero within the last step.
    pub(super) fn locate(
        &mut self,
        index: usize,
        from: (f64, f64),
        to: (f64, f64),
    ) -> Result<f64, IntegrationError> {
        self.root(from, to, |this, time| {
            this.go_between(time)?;
            Ok(this.event_value(index, &this.between.work))
        })
    }

    /// A root within the last step of a value that has different signs at two times of it (Illinois method).
    pub(super) fn root(
        &mut self,
        (mut a, mut fa): (f64, f64),
        (mut b, mut fb): (f64, f64),
        mut value: impl FnMut(&mut Self, f64) -> Result<f64, IntegrationError>,
    ) -> Result<f64, IntegrationError> {
        let mut side = 0;
        for _ in 0..100 {
            if fb == 0.0 || (b - a) <= 4.0 * f64::EPSILON * b.abs() {
                break;
            }
            let mut c = b - fb * (b - a) / (fb - fa);
            if !(c > a && c < b) {
                c = 0.5 * (a + b);
            }
            let fc = value(self, c)?;
            if fc == 0.0 || fc.signum() == fb.signum() {
                (b, fb) = (c, fc);
                if side == 1 {
                    fa *= 0.5;
                }
                side = 1;
            } else {
                (a, fa) = (c, fc);
                if side == -1 {
                    fb *= 0.5;
                }
                side = -1;
            }
        }
        Ok(b)
    }

    /// Tells the observer of an event at the evaluated state between steps; a stop is recorded as the last sample.
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
        // nothing after it is shown, so a contradiction that appears just here does not matter
        let _ = self.record(observer, true);
        Some(Stop::Event { name, time })
    }
}
