//! The event functions of unilateral constraints, and the location of their zeros within a step.

use super::super::corners::slack;
use super::change::NEARLY_CLOSED;
use super::{EVENTS, EventFunctions, FACE, FORCELESS, NOT_LOCATED, Simulation};
use crate::integrators::IntegrationError;
use crate::unilateral::{Mode, NormalLaw};

/// A function is searched for a dip within a step if its curvature could bend it by this fraction of its value.
const SAG: f64 = 2.0;

/// Golden sections of that search.
const SECTIONS: u32 = 30;

/// Repetitions of a step that approach the same zero of a gap.
const APPROACHES: u32 = 6;

impl Simulation {
    /// Computes the event functions and the rates of the gaps at the current kinematics.
    pub(super) fn event_functions(
        &mut self,
        values: &mut [EventFunctions],
        rates: &mut [f64],
    ) -> Result<(), IntegrationError> {
        let closed = self.dynamics.any_closed();
        if closed {
            self.dynamics.evaluate()?;
        }
        let least = if closed { self.least_force() } else { 0.0 };
        for (i, (value, rate)) in values.iter_mut().zip(rates.iter_mut()).enumerate() {
            let (normal, gap_rate) = self.normal_function(i, least);
            *value = [
                normal,
                self.friction_function(i, least),
                self.face_function(i),
            ];
            *rate = gap_rate.unwrap_or(*rate);
        }
        Ok(())
    }

    /// Forces below this are zero, at the last evaluation.
    fn least_force(&self) -> f64 {
        FORCELESS * self.dynamics.force_scale()
    }

    /// The event function of the normal law of a unilateral constraint, infinite without one, and the rate of its gap if it is open.
    fn normal_function(&self, i: usize, least_force: f64) -> (f64, Option<f64>) {
        let dynamics = &self.dynamics;
        let unilateral = &dynamics.system.unilaterals()[i];
        let memory = dynamics.contact(i);
        let gap = || unilateral.gap(&dynamics.context(), &memory);
        let value = match unilateral.normal {
            law if memory.mode == Mode::Open => {
                let (gap, rate) = gap();
                let value = match law {
                    NormalLaw::Gap => gap,
                    NormalLaw::Velocity => rate,
                    NormalLaw::None => f64::INFINITY,
                };
                return (value, Some(rate));
            }
            _ if unilateral.compliance.is_some() => -gap().0,
            _ if !unilateral.has_normal() || self.contacts.doubted[i][0] => f64::INFINITY,
            _ if self.is_pressed(i) => dynamics.contact_force(i).0 + least_force,
            // closed by other constraints, which may open it
            _ => self.contacts.least_bounce - gap().0.abs(),
        };
        (value, None)
    }

    /// Whether a closed unilateral constraint has a normal force of its own.
    fn is_pressed(&self, i: usize) -> bool {
        let system = &self.dynamics.system;
        self.dynamics.active[system.unilateral_row(i)]
            || system.unilaterals()[i].normal != NormalLaw::Gap
    }

    /// The event function of the friction of a unilateral constraint; infinite without friction, and if it is open.
    fn friction_function(&self, i: usize, least_force: f64) -> f64 {
        let dynamics = &self.dynamics;
        let unilateral = &dynamics.system.unilaterals()[i];
        let memory = dynamics.contact(i);
        let doubted = self.contacts.doubted[i][1];
        match (memory.mode, unilateral.compliance) {
            (Mode::Open, _) => f64::INFINITY,
            (_, Some(_)) if doubted => f64::INFINITY,
            (_, Some(compliance)) => dynamics.bristle_function(i, &compliance, &memory),
            _ if unilateral.tangents == 0 => f64::INFINITY,
            (Mode::Stick, None) if self.contacts.relaxed[i] || doubted => f64::INFINITY,
            (Mode::Stick, None) => dynamics.friction_margin(i) + least_force,
            (Mode::Slip, None) => {
                let slip = dynamics.slip_velocity(i, &memory);
                slip[0] * memory.slip[0] + slip[1] * memory.slip[1]
            }
        }
    }

    /// The distance of a sharp point from the boundary of the face on which it is; infinite without one.
    fn face_function(&self, i: usize) -> f64 {
        let dynamics = &self.dynamics;
        let unilateral = &dynamics.system.unilaterals()[i];
        if unilateral.compliance.is_some() {
            return f64::INFINITY;
        }
        unilateral.margin(&dynamics.context(), &dynamics.contact(i))
    }

    /// Whether an event function depends on forces, and not only on positions and velocities.
    fn depends_on_forces(&self, i: usize, kind: usize) -> bool {
        let complies = self.dynamics.system.unilaterals()[i].compliance.is_some();
        match (self.dynamics.contact(i).mode, kind) {
            (Mode::Open, _) | (_, FACE) => false,
            (_, 0) => !complies && self.is_pressed(i),
            (Mode::Stick, _) => true,
            (Mode::Slip, _) => complies,
        }
    }

    /// Computes an event function at a time within the step.
    fn function_within(
        &mut self,
        i: usize,
        kind: usize,
        time: f64,
    ) -> Result<f64, IntegrationError> {
        self.integrator.interpolate(time, &mut self.flat);
        self.dynamics.unpack(&self.flat, time, &mut self.between);
        let _ = self.dynamics.correct(&mut self.between)?;
        self.dynamics.see(&self.between);
        let mut least = 0.0;
        if self.depends_on_forces(i, kind) {
            self.dynamics.evaluate()?;
            least = self.least_force();
        }
        Ok(match kind {
            0 => self.normal_function(i, least).0,
            FACE => self.face_function(i),
            _ => self.friction_function(i, least),
        })
    }

    /// Whether the step to `reached`, whose end is in `next`, passes an event of a unilateral constraint: it is then repeated up to it.
    pub(in super::super) fn passes_contact(
        &mut self,
        reached: f64,
    ) -> Result<bool, IntegrationError> {
        if self.contacts.is_empty() {
            return Ok(false);
        }
        self.dynamics.see(&self.next);
        let mut ends = std::mem::take(&mut self.contacts.ends);
        let mut rates = std::mem::take(&mut self.contacts.end_rates);
        let computed = self.event_functions(&mut ends, &mut rates);
        self.contacts.ends = ends;
        self.contacts.end_rates = rates;
        computed?;

        let start = self.state.time;
        let due = self.contacts.next <= reached + slack(reached);
        let mut first = f64::INFINITY;
        let mut dense = false;
        for i in 0..self.contacts.values.len() {
            for kind in 0..EVENTS {
                if due && self.contacts.located[i][kind] && !self.overshoots(i, kind) {
                    continue;
                }
                let Some(time) = self.event_time(i, kind, (start, reached), &mut dense)? else {
                    continue;
                };
                if time < first - slack(reached) {
                    self.contacts.located.fill(NOT_LOCATED);
                }
                if time <= first + slack(reached) {
                    self.contacts.located[i][kind] = true;
                }
                first = first.min(time);
            }
        }
        if first.is_infinite() {
            let contacts = &self.contacts;
            if contacts.relaxed.contains(&true) || contacts.doubted.iter().flatten().any(|x| *x) {
                self.contacts.next = reached;
            }
            return Ok(false);
        }
        self.contacts.next = first.max(start);
        if first >= reached - slack(reached) {
            self.contacts.next = reached;
            return Ok(false);
        }
        if first <= start + slack(start) {
            // nothing is left of the step: the modes change at its start
            self.contacts.next = start;
            let _ = self.change_modes()?;
        }
        self.dynamics.pack(&self.state, &mut self.flat);
        self.integrator
            .start(&mut self.dynamics, self.state.time, &self.flat)?;
        Ok(true)
    }

    /// Whether a step that was repeated up to the zero of a gap ends beyond it: such a step differs from the dense output on which the zero was located.
    fn overshoots(&mut self, i: usize, kind: usize) -> bool {
        let gap = self.is_gap(i, kind);
        let contacts = &mut self.contacts;
        if !gap || contacts.ends[i][0] >= -contacts.least_gap || contacts.approached >= APPROACHES {
            return false;
        }
        contacts.approached += 1;
        true
    }

    /// Whether an event function is a gap.
    fn is_gap(&self, i: usize, kind: usize) -> bool {
        let gap = self.dynamics.system.unilaterals()[i].normal == NormalLaw::Gap;
        kind == 0 && gap && self.dynamics.contact(i).mode == Mode::Open
    }

    /// Returns the time at which an event function becomes negative within the step, if it does.
    fn event_time(
        &mut self,
        i: usize,
        kind: usize,
        (start, reached): (f64, f64),
        dense: &mut bool,
    ) -> Result<Option<f64>, IntegrationError> {
        let contacts = &self.contacts;
        let (from, to) = (contacts.values[i][kind], contacts.ends[i][kind]);
        if to == f64::INFINITY {
            return Ok(None);
        }
        let gap = self.is_gap(i, kind);
        // a gap or a slip velocity that begins at zero fluctuates by rounding; one that begins below zero grows from there
        let least = match (kind, self.dynamics.contact(i).mode) {
            (0, Mode::Open) if gap => contacts.least_gap,
            (FACE, _) => contacts.least_gap,
            (0, _) if self.dynamics.system.unilaterals()[i].compliance.is_some() => {
                contacts.least_gap
            }
            (0, Mode::Open) | (1, Mode::Slip) => contacts.least_speed,
            _ => 0.0,
        };
        let tolerance = if from <= least {
            least + (-from).max(0.0)
        } else {
            0.0
        };
        let dips = self.may_dip(i, kind, reached - start);
        let contacts = &self.contacts;
        // a contact that has just opened may still be closed by the error of its location, and not by more
        let error = NEARLY_CLOSED * contacts.least_bounce;
        let opens =
            gap && from <= contacts.least_gap && contacts.end_rates[i] > 0.0 && to >= -error;
        if (to >= -tolerance || opens) && !dips {
            return Ok(None);
        }
        if !std::mem::replace(dense, true) {
            self.integrator.prepare_dense(&mut self.dynamics)?;
        }
        let mut end = (reached, to);
        if to >= -tolerance {
            let Some(lowest) = self.lowest(i, kind, (start, reached), tolerance.max(least))? else {
                return Ok(None);
            };
            end = lowest;
        }
        let mut begin = (start, from);
        let mut shift = 0.0;
        if from <= tolerance {
            // closed at the start: a time at which it is open, if it opens at all
            let mut share = 0.5;
            loop {
                let time = start + share * (end.0 - start);
                let value = self.function_within(i, kind, time)?;
                if value > 0.0 {
                    begin = (time, value);
                    break;
                }
                share *= 0.5;
                if share * (end.0 - start) <= slack(start) || share < 1e-9 {
                    shift = tolerance;
                    break;
                }
            }
        }
        if begin.1 + shift <= 0.0 {
            return Ok(Some(start));
        }
        let [begin, end] = [begin, end].map(|(time, value)| (time, value + shift));
        let time = self.root(begin, end, |this, time| {
            Ok(this.function_within(i, kind, time)? + shift)
        })?;
        Ok(Some(time))
    }

    /// Whether an event function that is positive at both ends of the step may have been negative in between: a gap that shrinks at the start and grows at the
    /// end, or a function whose curvature over the last two steps could bend it so far. It is not known after a change of modes.
    fn may_dip(&self, i: usize, kind: usize, step: f64) -> bool {
        let contacts = &self.contacts;
        if self.is_gap(i, kind) {
            return contacts.rates[i] < 0.0 && contacts.end_rates[i] > 0.0;
        }
        let [before, from, to] =
            [&contacts.before, &contacts.values, &contacts.ends].map(|values| values[i][kind]);
        if before.is_infinite() {
            return true;
        }
        let bend = (to - from) / step - (from - before) / contacts.last_step;
        let sag = bend.abs() * step * step / (4.0 * (step + contacts.last_step));
        from.min(to) < SAG * sag
    }

    /// Returns a time within the step at which an event function is below −`tolerance`, and its value there, if there is one: by golden sections, until the
    /// curvature at four points, with a factor for its change, could not bend it so far.
    fn lowest(
        &mut self,
        i: usize,
        kind: usize,
        (start, reached): (f64, f64),
        tolerance: f64,
    ) -> Result<Option<(f64, f64)>, IntegrationError> {
        let (mut a, mut b) = (start, reached);
        let (mut at_a, mut at_b) = (self.contacts.values[i][kind], self.contacts.ends[i][kind]);
        let ratio = 0.5 * (5.0_f64.sqrt() - 1.0);
        let (mut c, mut d) = (b - ratio * (b - a), a + ratio * (b - a));
        let (mut at_c, mut at_d) = (
            self.function_within(i, kind, c)?,
            self.function_within(i, kind, d)?,
        );
        for _ in 0..SECTIONS {
            let lowest = if at_c < at_d { (c, at_c) } else { (d, at_d) };
            if lowest.1 < -tolerance {
                return Ok(Some(lowest));
            }
            let points = [(a, at_a), (c, at_c), (d, at_d), (b, at_b)];
            if least_between(&points) >= -tolerance {
                return Ok(None);
            }
            if at_c < at_d {
                (b, at_b, d, at_d) = (d, at_d, c, at_c);
                c = b - ratio * (b - a);
                at_c = self.function_within(i, kind, c)?;
            } else {
                (a, at_a, c, at_c) = (c, at_c, d, at_d);
                d = a + ratio * (b - a);
                at_d = self.function_within(i, kind, d)?;
            }
        }
        Ok(None)
    }
}

/// A lower bound of a function with values at four times: below the chord between neighbouring times by what the largest curvature at the points bends it, times
/// [`SAG`].
fn least_between(points: &[(f64, f64); 4]) -> f64 {
    let slope = |k: usize| (points[k + 1].1 - points[k].1) / (points[k + 1].0 - points[k].0);
    let curvature = |k: usize| (slope(k + 1) - slope(k)) / (points[k + 2].0 - points[k].0);
    let bend = SAG * curvature(0).abs().max(curvature(1).abs());
    let lowest = |k: usize| {
        let (length, slope) = (points[k + 1].0 - points[k].0, slope(k));
        // the minimum of value + slope u − bend u (length − u)
        let at = if bend > 0.0 {
            0.5 * (length - slope / bend)
        } else {
            0.0
        };
        let at = at.clamp(0.0, length);
        let ends = points[k].1.min(points[k + 1].1);
        ends.min(points[k].1 + slope * at - bend * at * (length - at))
    };
    lowest(0).min(lowest(1)).min(lowest(2))
}
