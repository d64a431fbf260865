//! Steps across singular configurations for integrators that cannot make them.

use super::{Dop853, IntegrationError, Integrator, IntegratorKind, IntegratorWork, Ode};
use crate::element::{ArgumentError, Arguments};
use crate::keep::keeps;

/// Steps after which the crossing is judged, and how short they may be beside those of the formula itself: much shorter ones mean a stiff model.
const TRIAL: u64 = 5;
const SHORTEST: f64 = 0.02;

/// A multistep or implicit integrator that leaves the way across a singular configuration to the explicit formula of order 8.
///
/// There rounding in F is magnified by the third power of the nearness. A multistep formula would carry that on for many steps, and Newton's method
/// does not settle in it. The formula of order 8 passes in one long step, all evaluations of which are far from the pose.
pub(crate) struct Bridged {
    own: Box<dyn Integrator>,
    across: Dop853,
    crossing: bool,
    time: f64,
    /// Steps made on the way across, and whether the way was given up as stiff until the next configuration.
    made: u64,
    stiff: bool,
}

keeps!(Bridged: own, across, crossing, time, made, stiff);

impl Bridged {
    /// Around an integrator with these arguments, for problems with `len` unknowns.
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

    /// Changes to the formula that makes the next step.
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
