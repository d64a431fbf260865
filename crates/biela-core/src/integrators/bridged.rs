//! Steps across singular configurations, for integrators that cannot make them.

use super::{Dop853, IntegrationError, Integrator, IntegratorKind, IntegratorWork, Ode};
use crate::element::{ArgumentError, Arguments};
use crate::keep::keeps;

/// Number of steps after which the crossing is evaluated, and their least size relative to the steps of the wrapped integrator. Much shorter steps indicate a
/// stiff model.
const TRIAL: u64 = 5;
const SHORTEST: f64 = 0.02;

/// A multistep or implicit integrator that uses the explicit method of order 8 to step across singular configurations.
///
/// Near such a configuration, rounding errors of F are amplified by the third power of the inverse distance. A multistep formula would propagate them over
/// many steps, and Newton's method does not converge. The method of order 8 crosses in one long step, all evaluations of which are far from the singular
/// configuration.
#[derive(Clone)]
pub(crate) struct Bridged {
    own: Box<dyn Integrator>,
    across: Dop853,
    crossing: bool,
    time: f64,
    /// Steps made in the crossing, and whether it was abandoned as stiff until the next singular configuration.
    made: u64,
    stiff: bool,
}

keeps!(Bridged: own, across, crossing, time, made, stiff);

impl Bridged {
    /// Wraps an integrator with these arguments, for problems with `len` unknowns.
    pub(crate) fn new(
        own: Box<dyn Integrator>,
        arguments: &Arguments,
        len: usize,
    ) -> Result<Self, ArgumentError> {
        Ok(Bridged {
            own,
            across: Dop853::build(arguments, len)?,
            crossing: false,
            time: 0.0,
            made: 0,
            stiff: false,
        })
    }

    fn active(&self) -> &dyn Integrator {
        if self.crossing {
            &self.across
        } else {
            self.own.as_ref()
        }
    }

    fn active_mut(&mut self) -> &mut dyn Integrator {
        if self.crossing {
            &mut self.across
        } else {
            self.own.as_mut()
        }
    }

    /// Switches to the method that makes the next step.
    fn change(&mut self, ode: &mut dyn Ode) -> Result<(), IntegrationError> {
        let time = self.time;
        let ahead = ode.barrier() > time && ode.barrier().is_finite();
        self.stiff &= ahead;
        let near = ode.mechanics().is_some_and(|m| m.near.is_some());
        if self.crossing && self.made >= TRIAL {
            self.stiff = self.across.step_size() < SHORTEST * self.own.step_size();
        }
        let crosses = near && (ahead || self.crossing) && !self.stiff;
        if crosses && !self.crossing {
            self.across.start(ode, time, self.own.y())?;
            self.made = 0;
        } else if self.crossing && !crosses {
            self.own.start(ode, time, self.across.y())?;
        }
        self.crossing = crosses;
        Ok(())
    }
}

impl Integrator for Bridged {
    fn start(&mut self, ode: &mut dyn Ode, time: f64, y: &[f64]) -> Result<(), IntegrationError> {
        (self.time, self.crossing) = (time, false);
        self.own.start(ode, time, y)
    }

    fn restart(&mut self, ode: &mut dyn Ode, time: f64, y: &[f64]) -> Result<(), IntegrationError> {
        self.active_mut().restart(ode, time, y)
    }

    fn step(&mut self, ode: &mut dyn Ode, end: f64) -> Result<f64, IntegrationError> {
        self.change(ode)?;
        self.made += u64::from(self.crossing);
        self.time = self.active_mut().step(ode, end)?;
        Ok(self.time)
    }

    fn y(&self) -> &[f64] {
        self.active().y()
    }

    fn replace(&mut self, y: &[f64]) {
        self.active_mut().replace(y);
    }

    fn keeps_constraints(&self) -> bool {
        self.active().keeps_constraints()
    }

    fn damps(&self) -> bool {
        self.own.damps()
    }

    fn caution(&self, constrained: bool) -> Option<&'static str> {
        self.own.caution(constrained)
    }

    fn prepare_dense(&mut self, ode: &mut dyn Ode) -> Result<(), IntegrationError> {
        self.active_mut().prepare_dense(ode)
    }

    fn interpolate(&self, time: f64, y: &mut [f64]) {
        self.active().interpolate(time, y);
    }

    fn step_size(&self) -> f64 {
        self.active().step_size()
    }

    fn work(&self) -> IntegratorWork {
        self.own.work() + self.across.work()
    }
}
