//! Changes of modes at events, and checks of modes that are in doubt.
//!
//! An event function that vanishes without a change of modes, as those of indeterminate forces may, is doubted: it is left out, and the modes are decided at the end of
//! every step instead, until the function is positive again. Such a check leaves the state and the integrator as they are unless it changes modes.

use super::super::corners::slack;
use super::{Located, NOT_LOCATED, Simulation};
use crate::integrators::IntegrationError;
use crate::unilateral::{Mode, NormalLaw};

/// Changes of modes at one time after which no consistent set exists.
const MOST_CHANGES: u32 = 60;

/// A located event has occurred if its function is below this multiple of the height of bounces that are summed (a gap), or below these fractions of the largest
/// force or velocity.
pub(super) const NEARLY_CLOSED: f64 = 10.0;
const AT_ZERO: f64 = 1e-6;
const AT_REST: f64 = 1e-5;

impl Simulation {
    /// Whether a closed contact pulls, or exceeds its friction in stick, at the current state, as after a jump of the applied forces.
    pub(super) fn holds_too_little(&mut self) -> Result<bool, IntegrationError> {
        if !self.dynamics.any_closed() {
            return Ok(false);
        }
        self.note_contacts()?;
        let mut values = self.contacts.values.iter().enumerate();
        Ok(
            values.any(|(i, value)| match self.dynamics.contact(i).mode {
                Mode::Open => false,
                Mode::Stick => value[0] < 0.0 || value[1] < 0.0,
                Mode::Slip => value[0] < 0.0,
            }),
        )
    }

    /// Changes the modes at the current state. Returns whether modes or velocities changed; `false` leaves the state as it was.
    pub(super) fn change_modes(&mut self) -> Result<bool, IntegrationError> {
        self.contacts.next = f64::INFINITY;
        self.contacts.approached = 0;
        let time = self.state.time;
        let again = time <= self.contacts.changed + slack(time);
        self.contacts.repeated = if again { self.contacts.repeated + 1 } else { 0 };
        self.contacts.changed = time;
        if self.contacts.repeated > MOST_CHANGES {
            return Err(self.no_consistent_modes());
        }
        if !again {
            self.confirm_located()?;
        }
        let mut before = std::mem::take(&mut self.contacts.modes_before);
        let mut located = std::mem::take(&mut self.contacts.located_before);
        before.clear();
        before.extend((0..self.contacts.values.len()).map(|i| self.dynamics.contact(i).mode));
        located.clone_from(&self.contacts.located);
        let changed = self.decide_from(&before, &located);
        self.contacts.modes_before = before;
        self.contacts.located_before = located;
        changed
    }

    /// Decides the modes, which were these before the located events.
    fn decide_from(
        &mut self,
        before: &[Mode],
        located: &[Located],
    ) -> Result<bool, IntegrationError> {
        let seen = self.contacts.statistics;
        let is_check = !located.iter().flatten().any(|x| *x);
        self.between.copy_from(&self.state);
        self.contacts.reselected = false;
        let decided = self.decide();
        let decided = decided.and_then(|()| Ok(self.dynamics.check_state(&self.state)?));
        if decided.is_err() {
            self.restore_state();
        }
        decided?;
        let mut modes = before.iter().enumerate();
        let same = modes.all(|(i, mode)| self.dynamics.contact(i).mode == *mode);
        if !same || self.contacts.statistics.impacts > seen.impacts {
            self.contacts.doubted.fill(NOT_LOCATED);
            return Ok(true);
        }
        if !self.dynamics.indeterminate && self.open_forceless(located) {
            self.note_contacts()?;
            return Ok(true);
        }
        self.note_doubts(located, before)?;
        if !is_check || self.contacts.reselected {
            return Ok(true);
        }
        self.contacts.statistics.transitions = seen.transitions;
        self.restore_state();
        Ok(false)
    }

    /// Returns to the state before the change of modes.
    fn restore_state(&mut self) {
        self.state.q.copy_from_slice(&self.between.q);
        self.state.v.copy_from_slice(&self.between.v);
        self.state.work.copy_from_slice(&self.between.work);
    }

    /// Forgets located events that the current state contradicts. A step that was repeated up to an event differs from the one on whose dense output the event was
    /// located, if that one was long; the event is located again in one of the next steps.
    fn confirm_located(&mut self) -> Result<(), IntegrationError> {
        let mut values = std::mem::take(&mut self.contacts.within);
        let mut rates = std::mem::take(&mut self.contacts.end_rates);
        self.dynamics.see(&self.state);
        let computed = self.event_functions(&mut values, &mut rates);
        self.contacts.within = values;
        self.contacts.end_rates = rates;
        computed?;
        let dynamics = &self.dynamics;
        let contacts = &mut self.contacts;
        let force = AT_ZERO * dynamics.force_scale();
        let speed = self
            .state
            .v
            .iter()
            .fold(contacts.fastest, |m, v| m.max(v.abs()));
        let (gap, speed) = (NEARLY_CLOSED * contacts.least_bounce, AT_REST * speed);
        for (i, unilateral) in dynamics.system.unilaterals().iter().enumerate() {
            let mode = dynamics.contact(i).mode;
            let acts = dynamics.active[dynamics.system.unilateral_row(i)];
            let normal = match (mode, unilateral.normal) {
                (Mode::Open, NormalLaw::Gap) => gap,
                (Mode::Open, _) => speed,
                _ if unilateral.compliance.is_some() => gap,
                _ if acts => force,
                // closed by other constraints
                _ => f64::INFINITY,
            };
            let friction = if mode == Mode::Stick { force } else { speed };
            for (kind, zero) in [normal, friction, gap].into_iter().enumerate() {
                contacts.located[i][kind] &= contacts.within[i][kind] <= zero;
            }
        }
        Ok(())
    }

    /// Doubts the event functions that were located without a change of modes, and those of earlier events until they are positive again.
    fn note_doubts(&mut self, located: &[Located], modes: &[Mode]) -> Result<(), IntegrationError> {
        let earlier = self.contacts.doubted.iter().flatten().any(|x| *x);
        let mut doubted = std::mem::take(&mut self.contacts.settled);
        doubted.copy_from_slice(&self.contacts.doubted);
        if earlier {
            self.contacts.doubted.fill(NOT_LOCATED);
            self.note_contacts()?;
        }
        let mut any = false;
        for (i, doubt) in doubted.iter_mut().enumerate() {
            let may = [modes[i] != Mode::Open, modes[i] == Mode::Stick];
            for kind in 0..2 {
                let remains = doubt[kind] && self.contacts.values[i][kind] <= 0.0;
                doubt[kind] = remains || (located[i][kind] && may[kind]);
                any |= doubt[kind];
            }
        }
        self.contacts.doubted.copy_from_slice(&doubted);
        self.contacts.settled = doubted;
        if any {
            self.note_contacts()?;
        }
        Ok(())
    }

    pub(super) fn no_consistent_modes(&self) -> IntegrationError {
        let located = self
            .contacts
            .located
            .iter()
            .position(|one| one.contains(&true));
        let model = self.dynamics.system.model();
        let list = self.dynamics.system.unilaterals();
        let closed = |i: &usize| self.dynamics.contact(*i).mode != Mode::Open;
        let first_closed = || (0..list.len()).find(closed);
        let found = located.or_else(first_closed).or(Some(0));
        let owner = found.and_then(|i| list.get(i));
        IntegrationError::NoContactModes {
            contact: owner.map_or_else(String::new, |one| one.describe(model)),
            closed: (0..list.len()).filter(closed).count(),
            residual: self.contacts.problem.residual,
            time: self.state.time,
        }
    }
}
