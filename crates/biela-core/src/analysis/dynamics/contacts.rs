//! Unilateral constraints in a run: the event functions of their modes, and the steps that end at events.
//!
//! Between events the modes are fixed and the motion is smooth. An event function is positive as long as a mode is consistent:
//!
//! ```text
//! open:   g; ġ of a one-way clutch   closed:  λₙ; ε − |g| if its row is redundant; −g if it is compliant
//! stick:  bound − |λ_t|             slip:    γ_t·s,  s the direction at the start of the step; the rate of yielding of compliant bristles
//! ```
//!
//! A step after which one of them is negative is repeated up to its zero on the dense output, as is one within which it was negative for a while. There
//! [`Simulation::decide`] finds the new modes.

mod change;
mod comply;
mod decide;
mod impact;
mod locate;
mod spread;

pub(super) use spread::Spread;

use super::corners::slack;
use super::{Dynamics, IntegrationError, Simulation};
use crate::analysis::ImpactLaw;
use crate::analysis::delassus::Delassus;
use crate::element::Arguments;
use crate::keep::keeps;
use crate::system::{System, num_works, row_acts};
use crate::unilateral::problem::ContactProblem;
use crate::unilateral::{ContactMemory, FrictionBound, Mode, NormalLaw};

/// The number of event functions of a unilateral constraint.
const EVENTS: usize = 3;

/// The event function of the face on which a sharp point slides.
const FACE: usize = 2;

/// The event functions of a unilateral constraint: of its normal law, of its friction, and of the boundary of its face; infinite without one.
type EventFunctions = [f64; EVENTS];

/// Which of them vanish.
type Located = [bool; EVENTS];

const NOT_LOCATED: Located = [false; EVENTS];

const NO_EVENT: EventFunctions = [f64::INFINITY; EVENTS];

/// A gap or a slip velocity below this fraction of the size of the mechanism, or of its velocity, is zero.
const CLOSED: f64 = 1e-12;

/// Bounces whose height is below this fraction of the tolerance of the integrator, times the size of the mechanism, are summed.
const BOUNCE: f64 = 0.1;

/// Forces below this fraction of the largest contact force are zero.
const FORCELESS: f64 = 1e-13;

/// Shares of friction bounds closer to each other than this are equal, where the forces are indeterminate.
const SAME_SHARE: f64 = 1e-5;

/// The velocity of the onset of slip for steps without error control, in sizes of the mechanism per second.
const ONSET: f64 = 1e-3;

/// Slip in space has begun at this multiple of the velocity of its onset.
const ONSET_ENDS: f64 = 1e3;

/// What happened to unilateral constraints during a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ContactStatistics {
    /// Changes of modes.
    pub transitions: u64,
    /// Impacts; several at one time count as one.
    pub impacts: u64,
    /// Impacts at which several contacts closed at the same time: their result depends on the impact law.
    pub simultaneous: u64,
    /// Impacts for which Newton's law has no solution, because friction jams a contact: compression, and expansion by a share e as in Poisson's law.
    pub jammed: u64,
    /// Accumulation points: infinitely many bounces that were summed.
    pub accumulations: u64,
    /// Time of the last one, s.
    pub accumulated_at: f64,
    /// The unilateral constraint of the last one, by index.
    pub accumulated_by: usize,
    /// Impacts at which the law would have created energy, and the energy, J.
    pub creating: u64,
    /// See above.
    pub created: f64,
    /// Largest residual of a contact problem, relative to its forces.
    pub worst_residual: f64,
    /// Contact problems whose forces were statically indeterminate; the least ones were taken.
    pub indeterminate: u64,
    /// Largest penetration at the end of a step, m or rad, of rigid constraints: an error.
    pub penetration: f64,
    /// Largest penetration of compliant contacts at the end of a step, m.
    pub indentation: f64,
    /// The unilateral constraint with the largest penetration of rigid ones, by index.
    pub penetrated: usize,
}

keeps!(ContactStatistics: transitions, impacts, simultaneous, jammed, accumulations, accumulated_at, accumulated_by, creating, created, worst_residual, indeterminate, penetration, indentation, penetrated);

/// A separation after an impact.
#[derive(Clone, Copy, Debug, Default)]
struct Rebound {
    time: f64,
    speed: f64,
}

keeps!(Rebound: time, speed);

impl Rebound {
    /// The fraction of the velocity that remained at the last impact, if a flight with the acceleration −a lies between it and the separation at a time; `None` if
    /// the two do not belong to one sequence.
    fn kept(&self, time: f64, speed: f64, back: f64) -> Option<f64> {
        let flight = 2.0 * self.speed / back;
        let between = time - self.time;
        let follows = between > 0.5 * flight && between < 2.0 * flight;
        (follows && speed < self.speed).then(|| speed / self.speed)
    }
}

/// The unilateral constraints of a run.
#[derive(Clone, Debug)]
pub(super) struct Contacts {
    /// The event at which a step ends; infinite if there is none.
    pub(super) next: f64,
    /// Event functions at the start of the step, at its end and within it.
    values: Vec<EventFunctions>,
    ends: Vec<EventFunctions>,
    within: Vec<EventFunctions>,
    /// Event functions at the start of the last step, infinite if they were others, and its size.
    before: Vec<EventFunctions>,
    last_step: f64,
    /// The time of `values`.
    noted: f64,
    /// Rates of the gaps at the start and the end of the step.
    rates: Vec<f64>,
    end_rates: Vec<f64>,
    /// Which functions vanish at the event.
    located: Vec<Located>,
    /// Time of the last event, and the number of events at that time.
    changed: f64,
    repeated: u32,
    /// Bounces of a smaller height are summed; it depends on the tolerance of the integrator.
    least_bounce: f64,
    /// Number of steps that were repeated to approach the present event.
    approached: u32,
    /// Lengths and velocities below these are zero.
    least_gap: f64,
    least_speed: f64,
    /// The largest velocity so far.
    fastest: f64,
    /// See [`ContactMemory::onset`].
    onset: f64,
    /// The last separation after an impact.
    rebound: Rebound,
    pub(super) statistics: ContactStatistics,
    impact: ImpactLaw,
    /// The impulses of compression.
    compression: Vec<f64>,
    delassus: Delassus,
    problem: ContactProblem,
    /// The contacts of the problem; which of its rows depend on others, and the rows that are inactive for that reason.
    members: Vec<usize>,
    dependent: Vec<bool>,
    inactive: Vec<bool>,
    /// Contacts that separate by so little that their bounces are summed, while modes are decided.
    rests: Vec<bool>,
    /// The directions in which friction yields that has reached its bound, and in which contacts were released from stick while modes are decided.
    yielding: Vec<Option<[f64; 2]>>,
    released: Vec<Option<[f64; 2]>>,
    /// Contacts that stick with an indeterminate distribution of forces in which their own bound is exceeded: modes are decided at every step.
    relaxed: Vec<bool>,
    /// Event functions of forces that vanished without a change of modes, as those of indeterminate forces may: modes are decided at every step instead.
    doubted: Vec<Located>,
    /// A buffer for them.
    settled: Vec<Located>,
    /// The modes before a change of modes, and the events that were located.
    modes_before: Vec<Mode>,
    located_before: Vec<Located>,
    /// Whether the rows that act changed since the last change of modes began.
    reselected: bool,
}

keeps!(Contacts: next, values, before, last_step, noted, ends, rates, end_rates, located, changed, repeated, approached, least_speed, fastest, rebound, relaxed, doubted, statistics);

impl Contacts {
    /// Creates the buffers, for the size of the mechanism and the tolerance of its integrator.
    pub(super) fn new(system: &dyn System, integrator: &Arguments, impact: ImpactLaw) -> Self {
        let tolerance = integrator.optional_number("tolerance").unwrap_or(0.0);
        let extent = integrator.size.unwrap_or(1.0);
        let count = system.unilaterals().len();
        let extent = extent.max(f64::MIN_POSITIVE);
        Contacts {
            next: f64::INFINITY,
            values: vec![NO_EVENT; count],
            ends: vec![NO_EVENT; count],
            within: vec![NO_EVENT; count],
            before: vec![NO_EVENT; count],
            last_step: 0.0,
            noted: 0.0,
            rates: vec![0.0; count],
            end_rates: vec![0.0; count],
            located: vec![NOT_LOCATED; count],
            changed: f64::NEG_INFINITY,
            repeated: 0,
            least_bounce: extent * (10.0 * CLOSED).max(BOUNCE * tolerance),
            least_gap: CLOSED * extent,
            approached: 0,
            onset: extent
                * if tolerance > 0.0 {
                    tolerance.powf(0.4)
                } else {
                    ONSET
                },
            rebound: Rebound::default(),
            least_speed: CLOSED,
            fastest: 0.0,
            statistics: ContactStatistics::default(),
            impact,
            compression: Vec::new(),
            delassus: Delassus::new(system),
            problem: ContactProblem::default(),
            members: Vec::with_capacity(count),
            dependent: Vec::new(),
            inactive: Vec::new(),
            rests: vec![false; count],
            yielding: vec![None; count],
            released: vec![None; count],
            relaxed: vec![false; count],
            doubted: vec![NOT_LOCATED; count],
            settled: vec![NOT_LOCATED; count],
            modes_before: Vec::with_capacity(count),
            located_before: vec![NOT_LOCATED; count],
            reselected: false,
        }
    }

    /// Whether there are unilateral constraints.
    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl Dynamics {
    /// The discrete state of a unilateral constraint.
    pub(super) fn contact(&self, i: usize) -> ContactMemory {
        self.ws.kinematics.inputs.contact(i)
    }

    /// Sets the discrete state of a unilateral constraint. The resistances to rolling and spinning that it presses open with it.
    pub(super) fn set_contact(&mut self, i: usize, memory: &ContactMemory) {
        self.store_contact(i, memory);
        if memory.mode == Mode::Open {
            for k in i + 1..self.system.unilaterals().len() {
                if self.system.unilaterals()[k].pressed_by(k) == i {
                    let mode = Mode::Open;
                    let resistance = self.contact(k);
                    self.store_contact(k, &ContactMemory { mode, ..resistance });
                }
            }
        }
    }

    fn store_contact(&mut self, i: usize, memory: &ContactMemory) {
        let range = self.ws.kinematics.inputs.contact_numbers(i);
        let numbers = memory.numbers();
        self.ws.kinematics.inputs.held[range.clone()].copy_from_slice(&numbers);
        self.memory[range].copy_from_slice(&numbers);
    }

    /// Whether a unilateral constraint is closed.
    fn any_closed(&self) -> bool {
        (0..self.system.unilaterals().len()).any(|i| self.contact(i).mode != Mode::Open)
    }

    /// Makes the rows of the present modes the active ones; those that `dependent` marks stay inactive. Returns whether they changed.
    fn activate(&mut self, dependent: &[bool]) -> bool {
        let first = crate::methods::bilateral_rows(self.system.as_ref());
        let mut changed = false;
        for row in first..self.active.len() {
            let acts = row_acts(self.system.as_ref(), row, &self.ws.kinematics.inputs)
                && !dependent[row - first];
            changed |= std::mem::replace(&mut self.active[row], acts) != acts;
        }
        if changed {
            self.renew_method();
        }
        changed
    }

    /// Normal force of a closed unilateral constraint, or of the one that presses it, and magnitude of the force of its tangential rows, at the last evaluation.
    fn contact_force(&self, i: usize) -> (f64, f64) {
        let unilateral = &self.system.unilaterals()[i];
        let multipliers = &self.solution.multipliers;
        let normal = if unilateral.has_normal() || unilateral.rubs() {
            -multipliers[self.system.unilateral_row(unilateral.pressed_by(i))]
        } else {
            0.0
        };
        let first = self.system.unilateral_row(i) + unilateral.first_tangent();
        let tangential = &multipliers[first..first + unilateral.tangents];
        let tangential = tangential.iter().fold(0.0_f64, |m, x| m.hypot(*x));
        (normal, tangential)
    }

    /// The magnitude of the forces that act along the first row of a closed unilateral constraint, to which rounding errors of its own force are proportional.
    fn applied_force(&self, i: usize) -> f64 {
        let pattern = self.system.jacobian_pattern();
        let mut sums = (0.0, 0.0);
        for entry in pattern.range(self.system.unilateral_row(i)) {
            let along = self.ws.jacobian[entry];
            sums.0 += (along * self.ws.force[pattern.columns[entry]]).abs();
            sums.1 += along * along;
        }
        if sums.1 > 0.0 { sums.0 / sums.1 } else { 0.0 }
    }

    /// The largest force of unilateral constraints or along them, at the last evaluation.
    fn force_scale(&self) -> f64 {
        let mut scale = f64::MIN_POSITIVE;
        for i in 0..self.system.unilaterals().len() {
            let (normal, tangential) = self.contact_force(i);
            let applied = self.applied_force(i);
            scale = scale.max(normal.abs()).max(tangential).max(applied);
        }
        scale
    }

    /// The bound of the friction of a unilateral constraint in stick less its force. Where forces are indeterminate, contacts that use the same share of their
    /// bounds, up to the accuracy of the distribution, are judged by the sum of all, which is exact.
    fn friction_margin(&self, i: usize) -> f64 {
        let own = |i: usize| {
            let (normal, tangential) = self.contact_force(i);
            (self.friction_bounds(i, normal).0, tangential)
        };
        let (bound, tangential) = own(i);
        if !self.indeterminate || !self.system.unilaterals()[i].has_normal() {
            return bound - tangential;
        }
        let mut sum = (0.0, 0.0);
        for (j, other) in self.system.unilaterals().iter().enumerate() {
            let shares = other.has_normal() && other.tangents > 0 && other.compliance.is_none();
            if self.contact(j).mode == Mode::Stick && shares {
                let (bound, tangential) = own(j);
                sum = (sum.0 + bound, sum.1 + tangential);
            }
        }
        if bound <= 0.0 || (tangential / bound - sum.1 / sum.0).abs() > SAME_SHARE {
            return bound - tangential;
        }
        (sum.0 - sum.1) * bound / sum.0
    }

    /// The bounds of the friction of a unilateral constraint in stick and in slip, at its normal force of the last evaluation.
    fn friction_bounds(&self, i: usize, normal: f64) -> (f64, f64) {
        match &self.system.unilaterals()[i].friction {
            FrictionBound::None => (0.0, 0.0),
            FrictionBound::Coulomb { rest, slip, .. } => (rest * normal, slip * normal),
            FrictionBound::Forces(forces) => {
                let context = self.context();
                let mut sum = (0.0, 0.0);
                for f in forces {
                    let force = &context.model.forces[f.0].force;
                    let pressed = force.friction().map_or(0.0, |_| {
                        self.solution.normals[self.system.signals().normal_slot(*f)]
                    });
                    let (rest, slip) = force.friction_limits(&context, pressed);
                    sum = (sum.0 + rest, sum.1 + slip);
                }
                sum
            }
        }
    }
}

impl Simulation {
    /// What happened to unilateral constraints so far.
    pub fn contact_statistics(&self) -> ContactStatistics {
        self.contacts.statistics
    }

    /// Follows the directions of slip, and changes modes if an event is due or if the forces `jumped` so that a mode is inconsistent; returns whether velocities
    /// or modes changed.
    pub(super) fn pass_contacts(&mut self, jumped: bool) -> Result<bool, IntegrationError> {
        if self.contacts.is_empty() {
            return Ok(false);
        }
        let time = self.state.time;
        let due = self.contacts.next <= time + slack(time);
        if due || (jumped && self.holds_too_little()?) {
            if self.change_modes()? {
                return Ok(true);
            }
            self.follow_slip();
            self.note_contacts()?;
            return Ok(false);
        }
        self.follow_slip();
        let contacts = &mut self.contacts;
        std::mem::swap(&mut contacts.before, &mut contacts.values);
        contacts.last_step = time - contacts.noted;
        contacts.noted = time;
        std::mem::swap(&mut self.contacts.values, &mut self.contacts.ends);
        std::mem::swap(&mut self.contacts.rates, &mut self.contacts.end_rates);
        let contacts = &mut self.contacts;
        for (i, value) in contacts.values.iter().enumerate() {
            let statistics = &mut contacts.statistics;
            let unilateral = &self.dynamics.system.unilaterals()[i];
            if self.dynamics.contact(i).mode != Mode::Open {
                if unilateral.compliance.is_some() {
                    statistics.indentation = statistics.indentation.max(value[0]);
                }
                continue;
            }
            if unilateral.normal == NormalLaw::Gap && -value[0] > statistics.penetration {
                statistics.penetration = -value[0];
                statistics.penetrated = i;
            }
        }
        Ok(false)
    }

    /// In space the direction of slip of the next step starts from the present one. Friction that followed the velocity gets its direction.
    fn follow_slip(&mut self) {
        let mut seen = false;
        for i in 0..self.contacts.values.len() {
            let mut memory = self.dynamics.contact(i);
            let unilateral = &self.dynamics.system.unilaterals()[i];
            let follows = match memory.mode {
                Mode::Open => matches!(unilateral.friction, FrictionBound::Forces(_)),
                Mode::Slip => unilateral.tangents == 2,
                Mode::Stick => false,
            };
            let tangents = unilateral.tangents;
            if !follows {
                continue;
            }
            if !std::mem::replace(&mut seen, true) {
                self.dynamics.see(&self.state);
            }
            let slip = self.dynamics.slip_velocity(i, &memory);
            let size = slip[0].hypot(slip[1]);
            if size > self.contacts.least_speed {
                memory.slip = if memory.mode == Mode::Slip {
                    memory.direction(tangents, slip)
                } else {
                    slip.map(|x| x / size)
                };
                memory.mode = Mode::Slip;
                if size > ONSET_ENDS * memory.onset {
                    memory.onset = 0.0;
                }
                self.dynamics.set_contact(i, &memory);
            }
        }
        if seen {
            self.state.memory.copy_from_slice(&self.dynamics.memory);
        }
    }

    /// Starts the unilateral constraints of a run: everything open, then the modes of the initial state.
    pub(super) fn begin_contacts(&mut self) -> Result<(), IntegrationError> {
        if self.contacts.is_empty() {
            return Ok(());
        }
        for i in 0..self.contacts.values.len() {
            self.dynamics.set_contact(i, &ContactMemory::default());
        }
        let integrals = num_works(self.dynamics.system.model());
        self.state.work[integrals..].fill(0.0);
        self.contacts.located.fill(NOT_LOCATED);
        self.contacts.doubted.fill(NOT_LOCATED);
        self.contacts.repeated = 0;
        self.contacts.next = f64::INFINITY;
        self.decide()
    }

    /// Records the event functions at the current state.
    fn note_contacts(&mut self) -> Result<(), IntegrationError> {
        self.dynamics.see(&self.state);
        let mut values = std::mem::take(&mut self.contacts.values);
        let mut rates = std::mem::take(&mut self.contacts.rates);
        let computed = self.event_functions(&mut values, &mut rates);
        self.contacts.values = values;
        self.contacts.rates = rates;
        self.contacts.located.fill(NOT_LOCATED);
        self.contacts.before.fill(NO_EVENT);
        self.contacts.noted = self.state.time;
        computed
    }
}

impl Dynamics {
    /// The slip velocity of a unilateral constraint along its tangential directions, at the current kinematics.
    fn slip_velocity(&self, i: usize, memory: &ContactMemory) -> [f64; 2] {
        self.system.unilaterals()[i].slip(&self.context(), memory)
    }

    /// Whether no force presses a rolling or spinning resistance, because its contact is open.
    fn is_unpressed(&self, i: usize) -> bool {
        let presser = self.system.unilaterals()[i].pressed_by(i);
        presser != i && self.contact(presser).mode == Mode::Open
    }
}
