//! Watches for singular poses during a run, and finds the dead centre at which a driver got stuck.
//!
//! The factorisations of the method tell, free of cost, how far the rows are from a loss of rank; an integrator that solves the equations itself
//! seldom factorises, so there the watch looks from time to time, the sooner the faster bodies turn. Only where the rows have come near to a loss of rank
//! it looks at the end of every step; a turn of the residual between two of them is located on the dense output.

use super::{IntegrationError, Observer, Simulation};
use crate::integrators::{Closure, IntegratorWork, Ode};
use crate::keep::keeps;
use crate::system::{Look, Meaning, Rank, RowOwner, SingularPose, System};

/// Rows this much nearer to dependence than at best are looked at step by step; as the square that factorisations tell.
const NEAR: f64 = 0.2 * 0.2;
/// How far a body may turn, in radians, before an integrator that seldom factorises is looked at again, against the independence last told.
const TURN: f64 = 0.5;
/// A pose is singular when its measure is this small beside the largest seen; above ten times that another may follow.
const SINGULAR: f64 = 1e-3;

/// A pose that is reached without passing it, or not left again, is singular when its measure is as small as this.
const TOUCHED: f64 = 1e-6;

/// Rows that take part are compared with others when they are this much nearer to dependence than at best; as a square. A step must not leap over the pose
/// at which they depend on each other: behind it they may have another motion than all rows together.
const NEARER: f64 = 0.25;

/// Steps after which rows that take part are compared with others again, which costs as much as many steps; sooner when they are twice as near to dependence.
const PATIENCE: u64 = 5;

/// What is remembered between steps.
pub(super) struct Watch {
    rank: Rank,
    /// Independence last told, the largest so far, and by how much bodies turned since.
    told: f64,
    highest: f64,
    turned: f64,
    /// Independence told when the lengths of rows were last looked at far from a loss of rank.
    learned: f64,
    /// Largest measure of a look so far.
    reference: f64,
    /// Whether the rows have been independent since the last singular pose.
    armed: bool,
    /// Looks at the start and the end of the present step, and within it.
    last: Look,
    next: Look,
    between: Look,
    knows_last: bool,
    /// Steps to wait until other rows are looked for again, and the independence when they were.
    patience: u64,
    compared: f64,
    /// The largest length that each row has had, where there are more rows than take part.
    pub(super) lengths: Vec<f64>,
    /// How far the best rows that were found are from dependence, squared.
    pub(super) spread: f64,
}

keeps!(Watch: rank, told, highest, turned, learned, reference, armed, last, next, between, knows_last, patience, compared, lengths, spread
    => |watch| [&watch.last, &watch.next, &watch.between].iter().all(|look| look.row < watch.rank.num_rows().max(1)));

impl Watch {
    pub(super) fn new(system: &dyn System, active: &[bool]) -> Self {
        let rank = Rank::new(system, active);
        Watch {
            told: 0.0,
            highest: 0.0,
            turned: 0.0,
            learned: 0.0,
            reference: 0.0,
            armed: true,
            last: rank.blank(),
            next: rank.blank(),
            between: rank.blank(),
            knows_last: false,
            patience: 0,
            compared: 0.0,
            lengths: vec![0.0; active.len()],
            spread: 0.0,
            rank,
        }
    }

    /// Takes note of an independence.
    fn tell(&mut self, independence: f64) {
        self.told = independence;
        self.highest = self.highest.max(independence);
        self.turned = 0.0;
    }

    fn is_near(&self) -> bool {
        self.told < NEAR * self.highest
    }

    /// Whether it is time to look for rows that are farther from a loss of rank.
    pub(super) fn wants_other_rows(&mut self) -> bool {
        self.patience = self.patience.saturating_sub(1);
        let is_time = self.patience == 0 || self.told < 0.5 * self.compared;
        let wants = self.told < NEARER * self.highest && is_time;
        if wants {
            (self.patience, self.compared) = (PATIENCE, self.told);
        }
        wants
    }
}

impl Simulation {
    /// Looks for a singular pose in the step to `reached`, the end of which is in `next`; tells whether the dense output was prepared.
    pub(super) fn watch_rank(
        &mut self,
        reached: f64,
        observer: &mut dyn Observer,
    ) -> Result<bool, IntegrationError> {
        if !self.looks_near() {
            (self.watch.knows_last, self.watch.armed) = (false, true);
            return Ok(false);
        }
        let watch = &mut self.watch;
        let (system, ws) = (self.dynamics.system.as_ref(), &mut self.dynamics.ws);
        let row = watch.next.row;
        if !watch.knows_last || watch.last.row != row {
            let (state, last) = (&self.state, &mut watch.last);
            watch.rank.look(system, ws, state, Some(row), last);
        }
        let most = watch.last.measure.max(watch.next.measure);
        watch.reference = watch.reference.max(most);
        let limit = SINGULAR * watch.reference;
        let turned = watch.last.dot(&watch.next) < 0.0;
        let touched = watch.next.measure <= TOUCHED * watch.reference;
        let looks_within = watch.armed && turned;
        if looks_within {
            self.integrator.prepare_dense(&mut self.dynamics)?;
            let time = self.turn_of_residual(reached)?;
            self.look_between(time, row);
        } else if watch.armed && touched {
            let next = &mut watch.between;
            watch.rank.look(system, ws, &self.next, Some(row), next);
        }
        let watch = &mut self.watch;
        if watch.armed && (turned || touched) && watch.between.measure <= limit {
            let system = self.dynamics.system.as_ref();
            let pose = watch.rank.describe(system, &watch.between);
            self.note(&pose, observer);
        }
        let watch = &mut self.watch;
        watch.armed |= watch.next.measure > 10.0 * limit;
        std::mem::swap(&mut watch.last, &mut watch.next);
        watch.knows_last = true;
        Ok(looks_within)
    }

    /// Looks at the end of the step where the rows are near to a loss of rank; tells whether they are.
    fn looks_near(&mut self) -> bool {
        let watch = &mut self.watch;
        let (system, ws) = (self.dynamics.system.as_ref(), &mut self.dynamics.ws);
        let told = self.dynamics.method.independence();
        let looks = if self.integrator.keeps_constraints() {
            let rates = ws.kinematics.bodies.iter().map(|b| b.w.norm_squared());
            watch.turned += self.integrator.step_size() * rates.fold(0.0, f64::max).sqrt();
            watch.is_near() || watch.turned >= TURN * watch.told.sqrt()
        } else {
            watch.tell(told);
            // how long the rows are where they are good is to be known before they are not
            let learns = told > 2.0 * watch.learned;
            if learns {
                watch.learned = told;
            }
            learns || watch.is_near()
        };
        if looks {
            watch
                .rank
                .look(system, ws, &self.next, None, &mut watch.next);
            if self.integrator.keeps_constraints() {
                watch.tell(watch.next.measure * watch.next.measure);
            }
        }
        watch.is_near()
    }

    /// Tells the observer of a singular pose, unless it is the one last told.
    pub(super) fn note(&mut self, pose: &SingularPose, observer: &mut dyn Observer) {
        if std::mem::take(&mut self.watch.armed) {
            observer.singular_pose(pose);
            self.statistics.singular_poses += 1;
        }
    }

    /// When, within the last step, the residual of the watched row turns round.
    fn turn_of_residual(&mut self, reached: f64) -> Result<f64, IntegrationError> {
        let Watch { last, next, .. } = &self.watch;
        let across = last.dot(next);
        let ends = [across - last.dot(last), next.dot(next) - across];
        let (row, from) = (next.row, self.state.time);
        self.root((from, ends[0]), (reached, ends[1]), |this, time| {
            this.look_between(time, row);
            let Watch {
                last,
                next,
                between,
                ..
            } = &this.watch;
            Ok(between.dot(next) - between.dot(last))
        })
    }

    /// Looks at a row at a time within the last step, where the integrator sees it: bringing the state to constraints that are nearly dependent
    /// would move it along the motion that they leave open.
    fn look_between(&mut self, time: f64, row: usize) {
        self.integrator.interpolate(time, &mut self.flat);
        self.dynamics.unpack(&self.flat, time, &mut self.between);
        let (system, ws) = (self.dynamics.system.as_ref(), &mut self.dynamics.ws);
        let Watch { rank, between, .. } = &mut self.watch;
        rank.look(system, ws, &self.between, Some(row), between);
    }

    /// Where a driver cannot go on from the present state, if that is why the run stopped: the last time at which positions can be closed, when the
    /// rows are dependent there.
    pub(super) fn dead_centre(&mut self) -> Option<SingularPose> {
        let system = self.dynamics.system.as_ref();
        let is_driver = |row: usize| matches!(system.rows()[row].owner, RowOwner::Driver(_));
        if !(0..system.rows().len()).any(|row| self.dynamics.active[row] && is_driver(row)) {
            return None;
        }
        let start = self.state.time;
        let farthest = start + self.output_step.max(100.0 * self.integrator.step_size());
        let mut closure = Closure::new(system);
        closure.q.copy_from_slice(&self.state.q);
        closure.v.copy_from_slice(&self.state.v);
        let mechanics = &mut self.dynamics.mechanics()?;
        let mut work = IntegratorWork::default();
        if !closure.close(mechanics, start, &mut work) {
            return None;
        }
        // beyond the end of its range a mechanism nearly closes: only what is as good as the start counts
        let rounding = 10.0 * closure.residual.max(1e-13);
        let mut closes = |closure: &mut Closure, time| {
            closure.close(mechanics, time, &mut work) && closure.residual <= rounding
        };
        let (mut last, mut open, mut length) = (start, None, 1e-9_f64.max(1e-9 * start.abs()));
        let mut pose = (closure.q.clone(), closure.v.clone());
        // longer and longer until it does not close, then halving
        while open.is_none_or(|open: f64| open - last > 1e-12 * (1.0 + last.abs())) {
            let time = open.map_or(last + length, |open| 0.5 * (last + open));
            if time > farthest || Some(time) == open || time <= last {
                break;
            }
            if closes(&mut closure, time) {
                last = time;
                pose = (closure.q.clone(), closure.v.clone());
                length *= 2.0;
            } else {
                open = Some(time);
                closure.q.copy_from_slice(&pose.0);
                closure.v.copy_from_slice(&pose.1);
            }
        }
        let _ = open?;
        self.between.clone_from(&self.state);
        self.between.time = last;
        self.between.q.copy_from_slice(&pose.0);
        let (system, ws) = (self.dynamics.system.as_ref(), &mut self.dynamics.ws);
        let Watch {
            rank,
            last: before,
            between,
            reference,
            ..
        } = &mut self.watch;
        rank.look(system, ws, &self.state, None, before);
        rank.look(system, ws, &self.between, None, between);
        let pose = rank.describe(system, between);
        let is_singular = pose.measure <= SINGULAR * reference.max(before.measure);
        (is_singular && pose.meaning == Meaning::DeadCentre).then_some(pose)
    }
}
