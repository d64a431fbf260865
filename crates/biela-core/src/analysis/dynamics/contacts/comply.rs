//! The modes of compliant contacts.
//!
//! | event | change |
//! | --- | --- |
//! | the gap closes | the constants of the contact for its velocity of approach; slip in the direction of the slip velocity, or stick |
//! | the gap opens | the bristles lose their deflection |
//! | stick: the friction reaches its static bound | slip against the friction |
//! | slip: the bristles would not yield | stick with the deflection that makes the friction continuous |

use super::{Dynamics, IntegrationError, Simulation};
use crate::analysis::delassus::Delassus;
use crate::unilateral::{
    Approach, Compliance, ContactMemory, FrictionBound, GapFunction, Mode, Unilateral,
};

/// Friction that exceeds its bound by less than this fraction of it, and does not yield, is at its bound.
const AT_BOUND: f64 = 1e-6;

impl Simulation {
    /// Changes the modes of compliant contacts at the current state.
    pub(super) fn comply(&mut self) -> Result<(), IntegrationError> {
        if !self.dynamics.ws.kinematics.inputs.complies() {
            return Ok(());
        }
        self.dynamics.evaluate_at(&self.state)?;
        for i in 0..self.contacts.values.len() {
            let Some(compliance) = self.dynamics.system.unilaterals()[i].compliance else {
                continue;
            };
            let mut memory = self.dynamics.contact(i);
            let located = self.contacts.located[i];
            let unilateral = &self.dynamics.system.unilaterals()[i];
            let (gap, rate) = unilateral.gap(&self.dynamics.context(), &memory);
            match memory.mode {
                Mode::Open => {
                    // one that has just opened may still penetrate by the error of the integrator
                    let closes = rate <= self.contacts.least_speed;
                    let penetrates = gap < -self.contacts.least_bounce;
                    if located[0] || penetrates || (gap <= self.contacts.least_gap && closes) {
                        self.touch_down(i, &compliance, -rate)?;
                    }
                    continue;
                }
                _ if located[0] || gap > self.contacts.least_gap => {
                    memory.mode = Mode::Open;
                    self.deflect(i, [0.0; 2]);
                }
                Mode::Stick
                    if located[1]
                        || self.dynamics.bristle_function(i, &compliance, &memory) < 0.0 =>
                {
                    memory.mode = Mode::Slip;
                    memory.slip = self.direction_of_release(i);
                }
                Mode::Slip if located[1] => self.hold(i, &compliance, &mut memory),
                _ => continue,
            }
            self.dynamics.set_contact(i, &memory);
        }
        self.hold_bristles()?;
        self.state.memory.copy_from_slice(&self.dynamics.memory);
        Ok(())
    }

    /// Closes a contact with a velocity of approach.
    fn touch_down(
        &mut self,
        i: usize,
        compliance: &Compliance,
        speed: f64,
    ) -> Result<(), IntegrationError> {
        let unilateral = &self.dynamics.system.unilaterals()[i];
        let Some(stiffness) = self.dynamics.stiffness(unilateral, compliance) else {
            let owner = unilateral.owner;
            let model = self.dynamics.system.model();
            return Err(IntegrationError::NoStiffness {
                contact: format!("{} `{}`", owner.word(), owner.name(model)),
                time: self.state.time,
            });
        };
        let mut memory = ContactMemory {
            // without a force until its constants are known
            mode: Mode::Slip,
            axis: unilateral.best_axis(&self.dynamics.context(), &self.dynamics.contact(i)),
            touch: crate::unilateral::TouchDown::default(),
            ..self.dynamics.contact(i)
        };
        let restitution = unilateral.restitution;
        self.dynamics.set_contact(i, &memory);
        self.evaluate_rows()?;
        let row = self.dynamics.system.unilateral_row(i);
        let count = self.dynamics.system.unilaterals()[i].num_rows();
        let (system, ws) = (self.dynamics.system.as_ref(), &self.dynamics.ws);
        let active = &self.dynamics.active;
        let delassus: &mut Delassus = &mut self.contacts.delassus;
        delassus.rows.clear();
        delassus.rows.extend(row..row + count);
        delassus.factor(system, ws, |row| active[row]);
        delassus.accelerate(system, ws, |row| active[row]);
        let free = system
            .jacobian_pattern()
            .row_times(row, &ws.jacobian, &delassus.free);
        let response = |k: usize| delassus.entry(system, ws, k, k);
        let approach = Approach {
            stiffness,
            speed: speed.max(0.0),
            acceleration: ws.gamma[row] - free,
            normal_response: response(0),
            tangential_response: (1..count).map(response).fold(0.0, f64::max),
        };
        memory.touch = compliance.touch_down(restitution, &approach);
        let slip = ws.slip[i];
        let size = slip[0].hypot(slip[1]);
        memory.slip = if size > self.contacts.least_speed {
            slip.map(|x| x / size)
        } else {
            [0.0; 2]
        };
        if speed > self.contacts.least_speed {
            memory.impacts += 1.0;
            self.contacts.statistics.impacts += 1;
        }
        self.deflect(i, [0.0; 2]);
        self.dynamics.set_contact(i, &memory);
        Ok(())
    }

    /// Lets contacts stick whose bristles do not yield, such as one that has just closed.
    fn hold_bristles(&mut self) -> Result<(), IntegrationError> {
        self.dynamics.evaluate_at(&self.state)?;
        for i in 0..self.contacts.values.len() {
            let unilateral = &self.dynamics.system.unilaterals()[i];
            let mut memory = self.dynamics.contact(i);
            let rubs = unilateral.tangents > 0 && memory.mode == Mode::Slip;
            let Some(compliance) = unilateral.compliance.filter(|_| rubs) else {
                continue;
            };
            if memory.slip == [0.0; 2] {
                // at rest: it would slip in the direction of its acceleration
                let rates = self.dynamics.slip_acceleration(i);
                let size = rates[0].hypot(rates[1]);
                memory.slip = rates.map(|x| x / size.max(f64::MIN_POSITIVE));
            }
            if self.dynamics.yield_rate(i, &compliance, &memory) <= 0.0 {
                self.hold(i, &compliance, &mut memory);
            }
            self.dynamics.set_contact(i, &memory);
        }
        Ok(())
    }

    /// Lets a slipping contact stick at the same friction.
    fn hold(&mut self, i: usize, compliance: &Compliance, memory: &mut ContactMemory) {
        let dynamics = &self.dynamics;
        let unilateral = &dynamics.system.unilaterals()[i];
        let FrictionBound::Coulomb { slip: mu, .. } = unilateral.friction else {
            return;
        };
        let slip = dynamics.slip_velocity(i, memory);
        let (gap, rate) = unilateral.gap(&dynamics.context(), memory);
        let reach = mu * compliance.press(&memory.touch, -gap, -rate).reach;
        let direction = memory.direction(unilateral.tangents, slip);
        let mut deflection = [0.0; 2];
        for k in 0..unilateral.tangents {
            deflection[k] = reach * direction[k] - memory.touch.retardation * slip[k];
        }
        memory.mode = Mode::Stick;
        self.deflect(i, deflection);
    }

    /// Sets the deflections of the bristles of a contact.
    fn deflect(&mut self, i: usize, deflection: [f64; 2]) {
        let inputs = &self.dynamics.ws.kinematics.inputs;
        let first =
            inputs.own_integrals(self.state.work.len()).start + Unilateral::NUM_INTEGRALS * i;
        self.state.work[first + 1..first + 3].copy_from_slice(&deflection);
    }
}

impl Dynamics {
    /// The stiffness of a contact at its present point.
    fn stiffness(&self, unilateral: &Unilateral, compliance: &Compliance) -> Option<f64> {
        let GapFunction::Pair {
            contact,
            point,
            joint,
        } = unilateral.gap
        else {
            return None;
        };
        let rel = &self.ws.kinematics.joints[joint.0].rel;
        let pair = &self.system.model().contacts[contact.0].pair;
        let constant = pair.effective_radius(point);
        compliance
            .stiffness_for(constant.or_else(|| pair.effective_radius_at(point, &rel.R, &rel.p)))
    }

    /// The event function of the friction of a compliant contact: the rate of yielding in slip, the bound less the friction in stick. The friction may be at its
    /// bound without yielding, within the accuracy of the integrator.
    pub(super) fn bristle_function(
        &self,
        i: usize,
        compliance: &Compliance,
        memory: &ContactMemory,
    ) -> f64 {
        let FrictionBound::Coulomb { rest, .. } = self.system.unilaterals()[i].friction else {
            return f64::INFINITY;
        };
        if memory.mode == Mode::Slip {
            return self.yield_rate(i, compliance, memory);
        }
        let (normal, friction) = self.contact_force(i);
        let (bound, margin) = (rest * normal, rest * normal - friction);
        if margin > 0.0 || margin < -AT_BOUND * bound {
            return margin;
        }
        let row = self.system.unilateral_row(i);
        let mut loaded = *memory;
        for (s, lambda) in loaded
            .slip
            .iter_mut()
            .zip(&self.solution.multipliers[row + 1..])
        {
            *s = lambda / friction.max(f64::MIN_POSITIVE);
        }
        let yields = self.yield_along(i, compliance, &loaded, rest) > 0.0;
        if yields { margin } else { f64::MIN_POSITIVE }
    }

    /// The acceleration of slip at the last evaluation, `dγ_t/dt`.
    fn slip_acceleration(&self, i: usize) -> [f64; 2] {
        let row = self.system.unilateral_row(i);
        let mut rates = [0.0; 2];
        for (k, rate) in rates
            .iter_mut()
            .enumerate()
            .take(self.system.unilaterals()[i].tangents)
        {
            *rate = self.row_acceleration(row + 1 + k);
        }
        rates
    }

    /// The second derivative of a row at the last evaluation.
    fn row_acceleration(&self, row: usize) -> f64 {
        let (pattern, ws) = (self.system.jacobian_pattern(), &self.ws);
        pattern.row_times(row, &ws.jacobian, &self.solution.rates) - ws.gamma[row]
    }

    /// The rate at which the bristles of a slipping contact yield, `(γ_t + τ γ̇_t)·s − d(μ λₙ/k_t)/dt`, at the last evaluation.
    fn yield_rate(&self, i: usize, compliance: &Compliance, memory: &ContactMemory) -> f64 {
        let unilateral = &self.system.unilaterals()[i];
        let FrictionBound::Coulomb { slip: mu, .. } = unilateral.friction else {
            return f64::INFINITY;
        };
        self.yield_along(i, compliance, memory, mu)
    }

    /// The same for a coefficient of friction.
    fn yield_along(
        &self,
        i: usize,
        compliance: &Compliance,
        memory: &ContactMemory,
        mu: f64,
    ) -> f64 {
        let (slip, changing) = (self.ws.slip[i], self.slip_acceleration(i));
        let mut rate = 0.0;
        for k in 0..2 {
            rate += memory.slip[k] * (slip[k] + memory.touch.retardation * changing[k]);
        }
        let (gap, gap_rate) = self.system.unilaterals()[i].gap(&self.context(), memory);
        let depth_acceleration = -self.row_acceleration(self.system.unilateral_row(i));
        rate - mu * compliance.reach_rate(&memory.touch, -gap, -gap_rate, depth_acceleration)
    }
}
