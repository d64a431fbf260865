//! The modes of unilateral constraints at a state.
//!
//! 1. Contacts that are closed and approach collide: the velocity jumps ([`super::impact`]).
//! 2. For those that stay closed, the complementarity problem of the accelerations decides which open, stick or slip. A contact at rest is held by friction up
//!    to its static bound; where it slips, the direction is that of its acceleration, and the bound the kinetic one.
//! 3. Dry friction in joints takes part with its bound in place of the cone. Whether it sticks is confirmed by the force of its row, at the normal force that
//!    the joint has then; the most loaded one is released first.

use super::{FACE, FORCELESS, Located, NOT_LOCATED, Rebound, Simulation};
use crate::integrators::IntegrationError;
use crate::methods::bilateral_rows;
use crate::model::{EnergyQuantity, Signal};
use crate::system::first_contact_work;
use crate::unilateral::problem::{ContactTerm, FrictionTerm, Unsolvable};
use crate::unilateral::{ContactMemory, FrictionBound, Mode, NormalLaw};

/// An acceleration of slip from rest below this fraction of the accelerations is within the accuracy of indeterminate forces: whether the contact sticks follows
/// from the forces that would hold it.
const DOUBTFUL: f64 = 1e-7;

/// A row whose response to its own force is below this fraction of the response without constraints is determined by them.
const WITHOUT_EFFECT: f64 = 1e-12;

/// Impacts at one time after which the sequence is given up.
const MOST_IMPACTS: usize = 200;

/// A slip velocity below this fraction of the largest velocity of the run is zero where slip ends in space.
const SLIP_ENDS: f64 = 1e-5;

/// A penetration at the start beyond this fraction of the size of the mechanism is an error.
const PENETRATES: f64 = 1e6;

impl Simulation {
    /// Finds the modes at the current state, after impacts if contacts close with a velocity.
    pub(super) fn decide(&mut self) -> Result<(), IntegrationError> {
        self.contacts.statistics.transitions += 1;
        let fastest = self.state.v.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        self.contacts.least_speed = super::CLOSED * fastest.max(1e-3);
        self.contacts.fastest = self.contacts.fastest.max(fastest);
        self.comply()?;
        self.leave_faces();
        self.note_yielding()?;
        self.dynamics.see(&self.state);
        self.close_candidates()?;
        let mut impacts = 0;
        while self.collide()? {
            impacts += 1;
            if impacts > MOST_IMPACTS {
                return Err(self.no_consistent_modes());
            }
        }
        if impacts > 0 {
            self.forget_rest();
        }
        self.arrest()?;
        self.find_modes()?;
        self.state.memory.copy_from_slice(&self.dynamics.memory);
        let first = bilateral_rows(self.dynamics.system.as_ref());
        if self.dynamics.active[first..].contains(&true) {
            self.dynamics.close(&mut self.state)?;
        }
        self.note_contacts()
    }

    fn total_energy(&mut self) -> f64 {
        self.dynamics.see(&self.state);
        let context = self.dynamics.context();
        context.signal(Signal::Energy(EnergyQuantity::Total))
    }

    /// Opens the contacts of sharp points that have reached the boundary of their face.
    fn leave_faces(&mut self) {
        for i in 0..self.contacts.values.len() {
            let mut memory = self.dynamics.contact(i);
            if self.contacts.located[i][FACE] && memory.mode != Mode::Open {
                memory.mode = Mode::Open;
                self.dynamics.set_contact(i, &memory);
            }
        }
    }

    /// Records the direction in which friction in stick that has reached its bound yields.
    fn note_yielding(&mut self) -> Result<(), IntegrationError> {
        self.contacts.yielding.fill(None);
        let stuck = |this: &Self, i: usize| {
            let rigid = this.dynamics.system.unilaterals()[i].compliance.is_none();
            rigid && this.contacts.located[i][1] && this.dynamics.contact(i).mode == Mode::Stick
        };
        let all = 0..self.contacts.values.len();
        if !all.clone().any(|i| stuck(self, i)) {
            return Ok(());
        }
        self.dynamics.evaluate_at(&self.state)?;
        for i in all {
            if stuck(self, i) {
                self.contacts.yielding[i] = Some(self.direction_of_release(i));
            }
        }
        Ok(())
    }

    /// The direction in which a contact in stick would move, against the force that holds it.
    pub(super) fn direction_of_release(&self, i: usize) -> [f64; 2] {
        let unilateral = &self.dynamics.system.unilaterals()[i];
        let row = self.dynamics.system.unilateral_row(i) + usize::from(unilateral.has_normal());
        let lambda = &self.dynamics.solution.multipliers[row..row + unilateral.tangents];
        let (_, size) = self.dynamics.contact_force(i);
        let mut direction = [0.0; 2];
        for (s, lambda) in direction.iter_mut().zip(lambda) {
            *s = lambda / size.max(f64::MIN_POSITIVE);
        }
        direction
    }

    /// Marks every contact whose gap is zero as closed, and gives dry friction in joints the mode of its velocity.
    fn close_candidates(&mut self) -> Result<(), IntegrationError> {
        for i in 0..self.contacts.values.len() {
            let unilateral = &self.dynamics.system.unilaterals()[i];
            let mut memory = self.dynamics.contact(i);
            if unilateral.compliance.is_some() {
                continue;
            }
            let located = self.contacts.located[i];
            let (gap, rate) = unilateral.gap(&self.dynamics.context(), &memory);
            let presser = unilateral.pressed_by(i);
            if presser != i {
                memory.axis = self.dynamics.contact(presser).axis;
            }
            match (unilateral.normal, memory.mode) {
                (NormalLaw::None, _) if self.dynamics.is_unpressed(i) => memory.mode = Mode::Open,
                (NormalLaw::None, _) if self.contacts.yielding[i].is_some() => {
                    memory.mode = Mode::Slip;
                    memory.slip = self.contacts.yielding[i].unwrap_or_default();
                }
                (NormalLaw::None, Mode::Stick) if unilateral.rubs() => continue,
                (NormalLaw::None, _) => {
                    let slip = self.dynamics.slip_velocity(i, &memory);
                    let ended = located[1] && unilateral.tangents == 1;
                    self.take_slip(&mut memory, slip, ended);
                }
                (_, Mode::Stick | Mode::Slip) => continue,
                (NormalLaw::Gap, Mode::Open) => {
                    let touches = located[0] || gap <= self.contacts.least_gap;
                    if !touches || located[FACE] {
                        continue;
                    }
                    if gap < -PENETRATES * self.contacts.least_gap {
                        return Err(self.penetration(i, gap));
                    }
                    unilateral.touch(
                        &self.dynamics.context(),
                        &mut memory,
                        self.contacts.least_gap,
                    );
                    memory.onset = 0.0;
                }
                (NormalLaw::Velocity, Mode::Open) => {
                    if !located[0] && rate > self.contacts.least_speed {
                        continue;
                    }
                    memory.mode = Mode::Slip;
                }
            }
            self.dynamics.set_contact(i, &memory);
        }
        Ok(())
    }

    /// Gives friction without a gap, as in a joint, the mode of its slip velocity.
    fn take_slip(&self, memory: &mut ContactMemory, slip: [f64; 2], ended: bool) {
        let speed = slip[0].hypot(slip[1]);
        if ended || speed <= self.contacts.least_speed {
            memory.mode = Mode::Stick;
        } else {
            (memory.mode, memory.slip) = (Mode::Slip, slip.map(|x| x / speed));
        }
    }

    /// After an impact everything slips with its new velocity: what was at rest before, or came to rest, need not be so any more.
    fn forget_rest(&mut self) {
        self.contacts.yielding.fill(None);
        self.dynamics.see(&self.state);
        for i in 0..self.contacts.values.len() {
            self.contacts.located[i] = NOT_LOCATED;
            let unilateral = &self.dynamics.system.unilaterals()[i];
            let mut memory = self.dynamics.contact(i);
            if self.dynamics.is_unpressed(i) {
                continue;
            }
            if unilateral.normal == NormalLaw::None {
                let slip = self.dynamics.slip_velocity(i, &memory);
                self.take_slip(&mut memory, slip, false);
            } else if memory.mode == Mode::Stick && unilateral.compliance.is_none() {
                memory.mode = Mode::Slip;
            }
            self.dynamics.set_contact(i, &memory);
        }
    }

    /// Removes the slip velocity of contacts in space whose slip ends. It is smallest there, but does not vanish as it does in the plane; they then stick, or
    /// slip from rest.
    fn arrest(&mut self) -> Result<(), IntegrationError> {
        self.evaluate_rows()?;
        let least = SLIP_ENDS * self.contacts.fastest;
        let slow = |this: &Self, i: usize| {
            let unilateral = &this.dynamics.system.unilaterals()[i];
            let slips = this.dynamics.contact(i).mode == Mode::Slip;
            let [x, y] = this.dynamics.ws.slip[i];
            slips
                && unilateral.compliance.is_none()
                && unilateral.tangents == 2
                && x.hypot(y) <= least
        };
        let all = 0..self.contacts.values.len();
        if all
            .clone()
            .any(|i| self.contacts.located[i][1] && slow(self, i))
        {
            // contacts of one body come to rest together
            for i in all {
                if slow(self, i) {
                    let mut memory = self.dynamics.contact(i);
                    memory.mode = Mode::Stick;
                    self.dynamics.set_contact(i, &memory);
                }
            }
            self.evaluate_rows()?;
            self.gather(true, |_, _| FrictionTerm::None);
            self.activate_rows();
            self.dynamics.close(&mut self.state)?;
        }
        Ok(())
    }

    fn penetration(&self, i: usize, gap: f64) -> IntegrationError {
        let unilateral = &self.dynamics.system.unilaterals()[i];
        let model = self.dynamics.system.model();
        IntegrationError::Penetration {
            contact: unilateral.describe(model),
            depth: -gap,
            unit: unilateral.unit(model),
            time: self.state.time,
        }
    }

    /// Evaluates mass, forces and rows at the current state and modes.
    pub(super) fn evaluate_rows(&mut self) -> Result<(), IntegrationError> {
        let dynamics = &mut self.dynamics;
        dynamics.see(&self.state);
        let (system, ws) = (dynamics.system.as_ref(), &mut dynamics.ws);
        system.mass(ws);
        system
            .forces(ws)
            .map_err(crate::methods::MethodError::from)?;
        system.constraints(ws);
        Ok(())
    }

    /// Lists the rows of the closed contacts, and of the joints that friction may hold if `resting`, with a term of the contact problem for each, and fills its
    /// matrix.
    pub(super) fn gather(
        &mut self,
        resting: bool,
        friction: impl Fn(&Self, usize) -> FrictionTerm,
    ) {
        let mut rows = std::mem::take(&mut self.contacts.delassus.rows);
        rows.clear();
        let mut terms = std::mem::take(&mut self.contacts.problem.terms);
        terms.clear();
        self.contacts.members.clear();
        for i in 0..self.contacts.values.len() {
            let unilateral = &self.dynamics.system.unilaterals()[i];
            let mode = self.dynamics.contact(i).mode;
            let normal = unilateral.has_normal();
            if unilateral.compliance.is_some() {
                continue;
            }
            let in_joint = !normal && !unilateral.rubs();
            if mode == Mode::Open || (in_joint && (!resting || mode != Mode::Stick)) {
                continue;
            }
            let presser = unilateral.pressed_by(i);
            let pressing = self.contacts.members.iter().position(|m| *m == presser);
            self.contacts.members.push(i);
            let row = self.dynamics.system.unilateral_row(i);
            terms.push(ContactTerm {
                row: rows.len(),
                normal,
                pressing: pressing.map_or(rows.len(), |k| terms[k].row),
                tangents: unilateral.tangents,
                angular: unilateral.is_angular(self.dynamics.system.model()),
                friction: friction(self, i),
            });
            rows.extend(row..row + unilateral.num_rows());
        }
        let n = rows.len();
        self.contacts.delassus.rows = rows;
        self.contacts.problem.clear(n);
        self.contacts.problem.terms = terms;
        let (system, ws) = (self.dynamics.system.as_ref(), &self.dynamics.ws);
        let active = &self.dynamics.active;
        let bilateral = bilateral_rows(system);
        let held = |row: usize| row < bilateral && active[row];
        let contacts = &mut self.contacts;
        contacts.delassus.factor(system, ws, held);
        if resting {
            contacts.delassus.accelerate(system, ws, held);
        }
        contacts
            .delassus
            .fill(system, ws, &mut contacts.problem.delassus);
    }

    /// Solves the gathered contact problem.
    pub(super) fn solve_contacts(&mut self) -> Result<(), IntegrationError> {
        let contacts = &mut self.contacts;
        if contacts.members.is_empty() {
            return Ok(());
        }
        let solved = contacts.problem.solve();
        if solved.is_ok() {
            self.note_residual();
        }
        let Err(unsolvable) = solved else {
            return Ok(());
        };
        let member = match unsolvable {
            Unsolvable::Painleve(k) => self.contacts.members[k],
            Unsolvable::Residual(_) => return Err(self.no_consistent_modes()),
        };
        let unilateral = &self.dynamics.system.unilaterals()[member];
        let [x, y] = self.dynamics.ws.slip[member];
        Err(IntegrationError::Painleve {
            contact: unilateral.describe(self.dynamics.system.model()),
            friction: match unilateral.friction {
                FrictionBound::Coulomb { slip, .. } => slip,
                _ => 0.0,
            },
            slip: x.hypot(y),
            time: self.state.time,
        })
    }

    /// Records the residual of the solved contact problem.
    pub(super) fn note_residual(&mut self) {
        let worst = &mut self.contacts.statistics.worst_residual;
        *worst = worst.max(self.contacts.problem.residual);
    }

    /// The friction of a closed contact at the level of accelerations.
    fn friction_at_rest_or_slip(&self, i: usize) -> FrictionTerm {
        let unilateral = &self.dynamics.system.unilaterals()[i];
        let FrictionBound::Coulomb { rest, slip: mu, .. } = unilateral.friction else {
            return if unilateral.has_normal() {
                FrictionTerm::None
            } else {
                // at the normal force before the event
                let radius = self.dynamics.friction_bounds(i, 0.0).0;
                FrictionTerm::Bounded { radius }
            };
        };
        if let Some(direction) = self.contacts.released[i] {
            return FrictionTerm::Sliding { mu, direction };
        }
        let memory = self.dynamics.contact(i);
        let slip = self.dynamics.ws.slip[i];
        let size = slip[0].hypot(slip[1]);
        let least = match (memory.mode, self.contacts.located[i][1]) {
            (Mode::Stick, _) => f64::INFINITY,
            (_, true) if unilateral.tangents == 1 => f64::INFINITY,
            _ => self.contacts.least_speed,
        };
        if size <= least {
            FrictionTerm::Cone {
                mu: rest,
                offset: 0.0,
            }
        } else {
            let direction = slip.map(|x| x / size);
            FrictionTerm::Sliding { mu, direction }
        }
    }

    /// Decides the modes of everything that is closed.
    fn find_modes(&mut self) -> Result<(), IntegrationError> {
        let contacts = &mut self.contacts;
        contacts.released.copy_from_slice(&contacts.yielding);
        contacts.rests.fill(false);
        contacts.relaxed.fill(false);
        for _ in 0..=4 * self.contacts.values.len() {
            self.evaluate_rows()?;
            self.separate();
            self.evaluate_rows()?;
            self.find_contact_modes()?;
            self.activate_rows();
            self.dynamics.evaluate_at(&self.state)?;
            if self.release_contacts() || self.release_joint() {
                continue;
            }
            if !self.sum_bounces()? {
                return Ok(());
            }
            self.end_bounces()?;
        }
        Err(self.no_consistent_modes())
    }

    /// Removes the velocities with which contacts separate whose bounces are summed: what is at rest at the end of the bounces decides the modes. While they last the
    /// mean normal force is that of the closed contact, so the impulse of the separation is returned, with its friction in slip. The energy of the bounces that
    /// are not followed is dissipated by impacts.
    fn end_bounces(&mut self) -> Result<(), IntegrationError> {
        let before = self.total_energy();
        self.evaluate_rows()?;
        self.gather(true, Self::friction_of_bounces);
        self.approach(false);
        if self.contacts.problem.solve_bilateral() {
            self.change_velocities();
            self.evaluate_rows()?;
        }
        self.activate_rows();
        self.dynamics.close(&mut self.state)?;
        let model = self.dynamics.system.model();
        let slot = first_contact_work(model) + model.contacts.len();
        self.state.work[slot] += self.total_energy() - before;
        self.contacts.released.fill(None);
        self.contacts.relaxed.fill(false);
        Ok(())
    }

    /// The friction of a closed contact during bounces that are summed: it slips on, or holds.
    fn friction_of_bounces(&self, i: usize) -> FrictionTerm {
        let slip = self.dynamics.ws.slip[i];
        let size = slip[0].hypot(slip[1]);
        match self.dynamics.system.unilaterals()[i].friction {
            FrictionBound::Coulomb { slip: mu, .. }
                if self.dynamics.contact(i).mode == Mode::Slip
                    && size > self.contacts.least_speed =>
            {
                let direction = slip.map(|x| x / size);
                FrictionTerm::Sliding { mu, direction }
            }
            FrictionBound::None => FrictionTerm::None,
            _ => FrictionTerm::Bounded {
                radius: f64::INFINITY,
            },
        }
    }

    /// Opens the contacts that separate with a velocity.
    fn separate(&mut self) {
        for i in 0..self.contacts.values.len() {
            let mut memory = self.dynamics.contact(i);
            if self.separates(i) && memory.mode != Mode::Open && !self.contacts.rests[i] {
                memory.mode = Mode::Open;
                self.dynamics.set_contact(i, &memory);
            }
        }
    }

    /// Whether the surfaces of a rigid contact move apart, at the evaluated rows. A velocity at its located zero does not, whatever is left of it.
    fn separates(&self, i: usize) -> bool {
        let row = self.dynamics.system.unilateral_row(i);
        let unilateral = &self.dynamics.system.unilaterals()[i];
        let rigid = unilateral.has_normal() && unilateral.compliance.is_none();
        let at_rest = unilateral.normal == NormalLaw::Velocity && self.contacts.located[i][0];
        rigid && !at_rest && self.dynamics.ws.rate[row] > self.contacts.least_speed
    }

    /// Sums bounces whose height would be negligible instead of following them: after a separation with the velocity γₙ and the acceleration −a, of which each impact
    /// keeps the fraction r, they last `2 γₙ/(a (1 − r))`. These contacts rest. Returns whether there are any.
    fn sum_bounces(&mut self) -> Result<bool, IntegrationError> {
        let mut any = false;
        let mut fastest = 0.0_f64;
        for i in 0..self.contacts.values.len() {
            let memory = self.dynamics.contact(i);
            let unilateral = &self.dynamics.system.unilaterals()[i];
            let is_rigid = unilateral.normal == NormalLaw::Gap && unilateral.compliance.is_none();
            if !is_rigid || memory.mode != Mode::Open || self.contacts.rests[i] {
                continue;
            }
            let e = unilateral.restitution;
            let (gap, speed) = unilateral.gap(&self.dynamics.context(), &memory);
            let touches = gap.abs() <= self.contacts.least_gap || self.contacts.located[i][0];
            if !touches || speed <= self.contacts.least_speed {
                continue;
            }
            let back = -self.normal_acceleration(i)?;
            let negligible = back > 0.0 && 0.5 * speed * speed / back < self.contacts.least_bounce;
            if e < 1.0 && negligible {
                let kept = self
                    .contacts
                    .rebound
                    .kept(self.state.time, speed, back)
                    .unwrap_or(e);
                let statistics = &mut self.contacts.statistics;
                statistics.accumulations += 1;
                statistics.accumulated_at = self.state.time + 2.0 * speed / (back * (1.0 - kept));
                statistics.accumulated_by = i;
                self.contacts.rests[i] = true;
                let mode = Mode::Slip;
                self.dynamics
                    .set_contact(i, &ContactMemory { mode, ..memory });
                any = true;
            } else {
                fastest = fastest.max(speed);
            }
        }
        if fastest > 0.0 {
            self.contacts.rebound = Rebound {
                time: self.state.time,
                speed: fastest,
            };
        }
        Ok(any)
    }

    /// The acceleration of the gap of an open contact at the accelerations of the last evaluation.
    fn normal_acceleration(&mut self, i: usize) -> Result<f64, IntegrationError> {
        let memory = self.dynamics.contact(i);
        let mode = Mode::Slip;
        self.dynamics
            .set_contact(i, &ContactMemory { mode, ..memory });
        self.evaluate_rows()?;
        let (system, ws) = (self.dynamics.system.as_ref(), &self.dynamics.ws);
        let row = system.unilateral_row(i);
        let pattern = system.jacobian_pattern();
        let along = pattern.row_times(row, &ws.jacobian, &self.dynamics.solution.rates);
        let acceleration = along - ws.gamma[row];
        self.dynamics.set_contact(i, &memory);
        Ok(acceleration)
    }

    /// Solves the complementarity problem of the accelerations, and sets the modes of contacts.
    fn find_contact_modes(&mut self) -> Result<(), IntegrationError> {
        self.gather(true, Self::friction_at_rest_or_slip);
        let n = self.contacts.problem.free.len();
        let (system, ws) = (self.dynamics.system.as_ref(), &self.dynamics.ws);
        let pattern = system.jacobian_pattern();
        let mut moving = f64::MIN_POSITIVE;
        for k in 0..n {
            let row = self.contacts.delassus.rows[k];
            let free = pattern.row_times(row, &ws.jacobian, &self.contacts.delassus.free);
            self.contacts.problem.free[k] = free - ws.gamma[row];
            // the terms of that sum, which may cancel
            let terms = pattern.range(row).map(|entry| {
                let along = self.contacts.delassus.free[pattern.columns[entry]];
                (ws.jacobian[entry] * along).abs()
            });
            moving = terms.fold(moving, f64::max);
        }
        let free = self.contacts.problem.free.iter();
        let largest = free.fold(0.0_f64, |m, b| m.max(b.abs()));
        let still = FORCELESS * largest.max(moving);
        for _ in 0..=self.contacts.members.len() {
            self.solve_contacts()?;
            // what slips from rest does so with the kinetic coefficient
            let mut changed = false;
            for k in 0..self.contacts.members.len() {
                let term = self.contacts.problem.terms[k];
                let FrictionTerm::Cone { mu: rest, .. } = term.friction else {
                    continue;
                };
                let i = self.contacts.members[k];
                let direction = self.acceleration_of_slip(&term);
                let size = direction[0].hypot(direction[1]);
                let FrictionBound::Coulomb { slip: mu, .. } =
                    self.dynamics.system.unilaterals()[i].friction
                else {
                    continue;
                };
                if size > DOUBTFUL * largest && mu < rest {
                    let direction = direction.map(|x| x / size);
                    self.contacts.problem.terms[k].friction =
                        FrictionTerm::Sliding { mu, direction };
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        self.take_modes(still, DOUBTFUL * largest);
        Ok(())
    }

    fn acceleration_of_slip(&self, term: &ContactTerm) -> [f64; 2] {
        let mut slip = [0.0; 2];
        let first = term.row + usize::from(term.normal);
        slip[..term.tangents]
            .copy_from_slice(&self.contacts.problem.motion[first..first + term.tangents]);
        slip
    }

    /// Sets the modes of contacts according to the solved problem.
    fn take_modes(&mut self, still: f64, doubtful: f64) {
        let problem = &self.contacts.problem;
        let largest = problem.force.iter().fold(0.0_f64, |m, r| m.max(r.abs()));
        for k in 0..self.contacts.members.len() {
            let i = self.contacts.members[k];
            let problem = &self.contacts.problem;
            let term = problem.terms[k];
            let (force, motion) = (problem.force[term.row], problem.motion[term.row]);
            let mut memory = self.dynamics.contact(i);
            let opens = (term.normal && force <= FORCELESS * largest && motion > still)
                || self.dynamics.is_unpressed(i);
            let in_joint = matches!(term.friction, FrictionTerm::Bounded { .. });
            let (mode, slip) = if opens {
                (Mode::Open, memory.slip)
            } else {
                match term.friction {
                    FrictionTerm::Sliding { direction, .. } => {
                        let moving = self.acceleration_of_slip(&term);
                        let ahead = moving[0] * direction[0] + moving[1] * direction[1];
                        // a released contact that does not move was held by another distribution of the forces
                        if self.contacts.released[i].is_some() && ahead < -doubtful {
                            self.contacts.released[i] = None;
                            self.contacts.relaxed[i] = true;
                            (Mode::Stick, [0.0; 2])
                        } else {
                            (Mode::Slip, direction)
                        }
                    }
                    FrictionTerm::Cone { .. } | FrictionTerm::Bounded { .. } => {
                        let moving = self.acceleration_of_slip(&term);
                        let size = moving[0].hypot(moving[1]);
                        if size > doubtful {
                            (Mode::Slip, moving.map(|x| x / size))
                        } else if in_joint && self.is_without_effect(k) {
                            // at a dead centre no force holds a motion that begins: friction follows the velocity
                            (Mode::Open, [0.0; 2])
                        } else {
                            (Mode::Stick, [0.0; 2])
                        }
                    }
                    FrictionTerm::None => (Mode::Slip, [0.0; 2]),
                }
            };
            let begins = mode == Mode::Slip && !matches!(term.friction, FrictionTerm::None);
            let slips = self.dynamics.ws.slip[i];
            if begins && term.tangents == 2 && slips[0].hypot(slips[1]) <= self.contacts.least_speed
            {
                memory.onset = self.contacts.onset;
            }
            (memory.mode, memory.slip) = (mode, slip);
            self.dynamics.set_contact(i, &memory);
        }
    }

    /// Whether the force of the first row of a member does not affect its motion: the constraints determine it.
    fn is_without_effect(&self, member: usize) -> bool {
        let (system, ws) = (self.dynamics.system.as_ref(), &self.dynamics.ws);
        let n = self.contacts.problem.free.len();
        let k = self.contacts.problem.terms[member].row;
        let pattern = system.jacobian_pattern();
        let row = pattern.range(self.contacts.delassus.rows[k]);
        let mut free = 0.0;
        for (entry, mass) in system.mass_pattern().entries.iter().zip(&ws.mass) {
            let columns = &pattern.columns[row.clone()];
            let found = columns
                .iter()
                .position(|column| (*column, *column) == *entry);
            if let (Some(at), true) = (found, *mass > 0.0) {
                free += ws.jacobian[row.start + at].powi(2) / mass;
            }
        }
        self.contacts.problem.delassus[n * k + k] <= WITHOUT_EFFECT * free
    }

    /// Activates the rows of the modes; rows that depend on others stay inactive.
    fn activate_rows(&mut self) {
        let contacts = &mut self.contacts;
        let inputs = &self.dynamics.ws.kinematics.inputs;
        let system = self.dynamics.system.as_ref();
        let mut dependent = std::mem::take(&mut contacts.dependent);
        contacts.delassus.dependent(
            &contacts.problem.delassus,
            |_, row| crate::system::row_acts(system, row, inputs),
            &mut dependent,
        );
        let first = bilateral_rows(system);
        let mut inactive = std::mem::take(&mut contacts.inactive);
        inactive.clear();
        inactive.resize(system.rows().len() - first, false);
        for (row, dependent) in contacts.delassus.rows.iter().zip(&dependent) {
            inactive[row - first] = *dependent;
        }
        let any = dependent.contains(&true);
        contacts.statistics.indeterminate += u64::from(any);
        contacts.dependent = dependent;
        self.dynamics.indeterminate = any;
        self.contacts.reselected |= self.dynamics.activate(&inactive);
        self.contacts.inactive = inactive;
    }

    /// Opens the closed contacts whose normal force was located at its zero; returns whether there are any. Both modes are consistent there, so the problem of the
    /// accelerations does not decide between them. A force that is indeterminate may vanish in one distribution of the forces alone.
    pub(super) fn open_forceless(&mut self, located: &[Located]) -> bool {
        let mut any = false;
        for (i, located) in located.iter().enumerate() {
            let mut memory = self.dynamics.contact(i);
            if located[0] && memory.mode != Mode::Open {
                memory.mode = Mode::Open;
                self.dynamics.set_contact(i, &memory);
                any = true;
            }
        }
        if any {
            self.activate_rows();
            self.state.memory.copy_from_slice(&self.dynamics.memory);
        }
        any
    }

    /// Releases the contacts in stick whose friction is exceeded; returns whether there are any.
    fn release_contacts(&mut self) -> bool {
        let mut any = false;
        for i in 0..self.contacts.values.len() {
            let unilateral = &self.dynamics.system.unilaterals()[i];
            let mut memory = self.dynamics.contact(i);
            let rigid = unilateral.compliance.is_none();
            let rubs = unilateral.rubs() && rigid;
            if !rubs || memory.mode != Mode::Stick || self.contacts.relaxed[i] {
                continue;
            }
            let (_, tangential) = self.dynamics.contact_force(i);
            if self.dynamics.friction_margin(i) >= -FORCELESS * tangential {
                continue;
            }
            let direction = self.direction_of_release(i);
            self.contacts.released[i] = Some(direction);
            memory.mode = Mode::Slip;
            memory.slip = direction;
            self.dynamics.set_contact(i, &memory);
            any = true;
        }
        any
    }

    /// Releases the joint whose friction is exceeded most; returns whether there is one.
    fn release_joint(&mut self) -> bool {
        let mut worst: Option<(f64, usize, f64)> = None;
        for i in 0..self.contacts.values.len() {
            let unilateral = &self.dynamics.system.unilaterals()[i];
            let in_joint = matches!(unilateral.friction, FrictionBound::Forces(_));
            if !in_joint || self.dynamics.contact(i).mode != Mode::Stick {
                continue;
            }
            let row = self.dynamics.system.unilateral_row(i);
            let lambda = self.dynamics.solution.multipliers[row];
            let bound = self.dynamics.friction_bounds(i, 0.0).0;
            let excess = lambda.abs() - bound;
            if excess > FORCELESS * bound && worst.is_none_or(|(most, ..)| excess > most) {
                worst = Some((excess, i, lambda.signum()));
            }
        }
        let Some((_, i, sign)) = worst else {
            return false;
        };
        let mut memory = self.dynamics.contact(i);
        memory.mode = Mode::Slip;
        // the row holds against the direction in which it would move
        memory.slip = [sign, 0.0];
        self.dynamics.set_contact(i, &memory);
        true
    }
}
