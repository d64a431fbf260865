//! Load stepping: weight and loads increase from zero to their full magnitude, and the system follows a sequence of equilibria,
//!
//! ```text
//! f_springs(q) + s f_loads(q) = Gᵀ λ        s = 1/n, 2/n, … 1
//! ```
//!
//! as under a slowly increasing load. If it snaps through, it [descends](super::descend) to the next equilibrium. A step for which no equilibrium is
//! found is halved.

use super::{Equilibrium, Statics, StaticsError, descend};
use crate::system::State;

/// The smallest step, as a fraction of the loads.
const LEAST: f64 = 1e-3;

impl Statics<'_> {
    /// Returns the equilibria up to the full loads, one per step, the last one under the full loads.
    pub fn load(&mut self, steps: usize) -> Result<Vec<Equilibrium>, StaticsError> {
        let mut found = Vec::with_capacity(steps);
        self.load_into(steps, &mut found)?;
        Ok(found)
    }

    /// The same, added to a list, which retains those before a failure.
    pub(super) fn load_into(
        &mut self,
        steps: usize,
        found: &mut Vec<Equilibrium>,
    ) -> Result<(), StaticsError> {
        self.load_steps = steps;
        self.rest.following = true;
        let mut state = self.start.clone();
        self.rest.set_load(1.0);
        self.rest.evaluate(&state)?;
        self.forces = self.rest.force_scale();
        let share = |k: usize| k as f64 / steps as f64;
        for k in 1..=steps {
            if !self.bring_on(&mut state, (share(k - 1), share(k)))? {
                return Err(self.no_equilibrium(&state)?);
            }
            found.push(self.describe(state.clone(), 0)?.equilibrium);
        }
        Ok(())
    }

    /// Whether the model has parts that loads may deform strongly.
    pub(super) fn bends(&self) -> bool {
        let model = self.rest.system.model();
        !model.beams.is_empty() || !model.exact_beams.is_empty()
    }

    /// Follows the equilibrium from one fraction of the loads to another; returns `false` if it is lost, with the last attempted state.
    pub(super) fn bring_on(
        &mut self,
        state: &mut State,
        (from, to): (f64, f64),
    ) -> Result<bool, StaticsError> {
        let mut reached = from;
        let mut stride = to - from;
        let mut trial = state.clone();
        while reached < to {
            let next = if reached + 1.5 * stride > to {
                to
            } else {
                reached + stride
            };
            self.rest.set_load(next);
            trial.clone_from(state);
            // a force that is undefined after a long step may be defined after a short one
            if descend::descend(&mut self.rest, &mut trial) == Ok(true) {
                reached = next;
                state.clone_from(&trial);
                continue;
            }
            stride *= 0.5;
            if stride < LEAST {
                state.clone_from(&trial);
                self.rest.evaluate(state)?;
                return Ok(false);
            }
        }
        Ok(true)
    }
}
