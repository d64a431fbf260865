//! Monitors singular configurations during a run, guides steps across them, and finds the dead centre at which a driver is stuck.
//!
//! Where the constraint Jacobian G loses rank, two branches of the constraint manifold intersect. With x along the branch of the motion and
//! y across it, the weak row is `x y = 0`: the part r of its gradient that the other rows do not span vanishes with x and changes its sign there.
//! F is smooth along the branch, but an error ε of the state causes an error ε/x of F, and a projection from |x| < |y| reaches the other branch.
//! Therefore
//!
//! - the zero of r is predicted from r and its time derivative, and steps are placed so that it lies between the times at which F is evaluated
//!   ([`Ode::barrier`](crate::integrators::Ode::barrier));
//! - near it F is evaluated at states projected to the constraints, where it is as smooth as the motion;
//! - output states at the configuration itself are not projected.
//!
//! A sign change of r is located on the dense output. After a crossing the velocity is compared with its continuation.

use super::{IntegrationError, Observer, Simulation};
use crate::integrators::{Closure, IntegratorWork, Ode};
use crate::keep::keeps;
use crate::math::in_cycles;
use crate::model::{BodyIndex, Model};
use crate::system::{Meaning, Rank, RowOwner, SingularPose, System, WeakestRow};

/// Rows whose independent part is below this fraction of its maximum are monitored in every step.
const NEAR: f64 = 0.7;
/// Rows closer to dependence than this require consistent states.
const CLOSE: f64 = 0.2;
/// Largest rotation of a body, in radians, until the rows are measured again, relative to their independence at the last measurement.
const TURN: f64 = 0.3;
/// Largest rotation of a body in one step if joints close loops, in radians.
pub(super) const LONGEST_TURN: f64 = 0.4;
/// A configuration is singular if its measure is below this fraction of the maximum; above ten times that another one may follow.
const SINGULAR: f64 = 1e-3;
/// Rows this close to dependence where others are found dependent are dependent at the same time.
const TOGETHER: f64 = 1e-5;
/// A configuration that is reached without crossing it, or not left again, is singular if its measure is below this.
const TOUCHED: f64 = 1e-6;
/// Rows that were never farther from dependence than this are left to the choice of rows.
const LEAST: f64 = 1e-6;
/// Number of measurements that are allocated in advance.
const PREPARED: usize = 16;
/// Distance at which the time derivative of r is computed, as a fraction of the last step.
const AHEAD: f64 = 1e-4;
/// A singular configuration farther than this, as a fraction of the step, from its predicted time may have been at an evaluation.
const SURPRISE: f64 = 0.1;
/// Fraction of a step around a singular configuration within which states are not projected.
const ZONE: f64 = 0.05;
/// A velocity that deviates from its continuation by this fraction of itself is discontinuous.
const JUMP: f64 = 0.1;

/// Active rows are compared with others if they are closer to dependence than their maximum by this factor, squared. A step must not pass the configuration
/// at which they become dependent: beyond it they may permit another motion than all rows together.
const NEARER: f64 = 0.25;

/// Number of steps after which active rows are compared with others again; sooner if they are twice as close to dependence.
const PATIENCE: u64 = 5;

/// The state of the monitor between steps.
#[derive(Clone)]
pub(super) struct MonitorState {
    rank: Rank,
    /// Largest share of each row so far; which rows were close to dependence at the last measurement, and at the one before.
    best: Vec<f64>,
    near: Vec<bool>,
    near_before: Vec<bool>,
    /// Rows whose next zero is reported: not those that were reported without having been crossed.
    armed: Vec<bool>,
    /// The smallest relative share of a row at the last measurement, and the rotation of bodies since.
    least: f64,
    turned: f64,
    /// Start of the last repeated step.
    again_from: f64,
    /// Last independence of the method, and its maximum so far.
    independence: f64,
    highest: f64,
    /// Measurements at the start and at the end of the current step, and one within it.
    last: Vec<WeakestRow>,
    next: Vec<WeakestRow>,
    between: WeakestRow,
    /// Steps until other rows are searched for again, and the independence at the last search.
    patience: u64,
    compared: f64,
    /// The largest norm of each row, if there are more rows than active ones.
    pub(super) lengths: Vec<f64>,
    /// Squared distance of the best rows found from dependence.
    pub(super) spread: f64,
}

keeps!(MonitorState: rank, best, near, armed, least, turned, again_from, independence, highest, patience, compared, lengths, spread);

impl MonitorState {
    pub(super) fn new(system: &dyn System, active: &[bool]) -> Self {
        let in_loops = joints_in_loops(system.model());
        let any = in_loops.contains(&true);
        let labels = system.rows();
        let rank = Rank::new(system, |row| {
            let may_depend = match labels[row].owner {
                RowOwner::Joint(joint) => in_loops[joint.0],
                RowOwner::Coupler(_) | RowOwner::Driver(_) => any,
                // contacts open before they could contradict a joint
                RowOwner::Unilateral(..) => false,
            };
            active[row] && may_depend
        });
        let rows = active.len();
        MonitorState {
            best: vec![0.0; rows],
            near: vec![false; rows],
            near_before: vec![false; rows],
            armed: vec![true; rows],
            least: 0.0,
            turned: 0.0,
            again_from: f64::NEG_INFINITY,
            independence: 0.0,
            highest: 0.0,
            last: vec![rank.blank(); PREPARED.min(rows)],
            next: vec![rank.blank(); PREPARED.min(rows)],
            between: rank.blank(),
            patience: 0,
            compared: 0.0,
            lengths: vec![0.0; rows],
            spread: 0.0,
            rank,
        }
    }

    /// Measures the rows in the next step, at a state that was not the end of a step.
    pub(super) fn measure_again(&mut self) {
        self.least = 0.0;
    }

    /// Restarts with other rows; new rows are assumed to have been as far from dependence as the replaced ones.
    pub(super) fn renew(&mut self, system: &dyn System, active: &[bool]) {
        let fresh = MonitorState::new(system, active);
        let old = std::mem::replace(self, fresh);
        let leaving = (0..active.len()).filter(|row| !active[*row]);
        let usual = leaving.map(|row| old.best[row]).fold(0.0, f64::max);
        for (row, best) in self.best.iter_mut().enumerate() {
            let share = if old.best[row] > 0.0 {
                old.best[row]
            } else {
                usual
            };
            *best = if active[row] { share } else { 0.0 };
        }
        (self.lengths, self.spread) = (old.lengths, old.spread);
        (self.highest, self.least) = (old.highest, 0.0);
    }

    /// Whether the row of the last measurement within the step is below this fraction of its maximum.
    fn is_singular(&self, share: f64) -> bool {
        let WeakestRow { row, measure, .. } = self.between;
        measure <= share * self.best[row]
    }

    fn is_near(&self) -> bool {
        self.near.contains(&true)
    }

    /// Returns the share of a row in the last factorisation, relative to its maximum.
    fn relative(&self, row: usize) -> f64 {
        self.rank.share(row) / self.best[row].max(LEAST)
    }

    /// Whether to search for rows that are farther from rank deficiency.
    pub(super) fn wants_other_rows(&mut self) -> bool {
        self.patience = self.patience.saturating_sub(1);
        let is_time = self.patience == 0 || self.independence < 0.5 * self.compared;
        let wants = self.independence < NEARER * self.highest && is_time;
        if wants {
            (self.patience, self.compared) = (PATIENCE, self.independence);
        }
        wants
    }

    /// Records the rows of the last factorisation: the largest shares, and the rows that are close to dependence now.
    fn take_in(&mut self) {
        self.least = 1.0;
        for row in 0..self.best.len() {
            let share = self.rank.share(row);
            self.best[row] = self.best[row].max(share);
            let known = self.best[row] > LEAST;
            let relative = if known { self.relative(row) } else { 1.0 };
            self.near[row] = relative < NEAR;
            self.least = self.least.min(relative);
            self.armed[row] |= relative > 10.0 * SINGULAR;
        }
    }
}

/// The result of monitoring a step.
pub(super) struct Watched {
    /// Whether the dense output was prepared.
    pub(super) dense: bool,
    /// Whether the step is to be repeated, because it crossed a singular configuration that was not predicted.
    pub(super) again: bool,
}

/// A singular configuration within the last step, and the fraction of the step around it in which states are not projected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Zone {
    time: f64,
    half: f64,
}

keeps!(Zone: time, half);

impl Zone {
    pub(super) const NOWHERE: Zone = Zone {
        time: f64::INFINITY,
        half: 0.0,
    };

    pub(super) fn new(time: f64, step: f64) -> Self {
        Zone {
            time,
            half: ZONE * step,
        }
    }

    pub(super) fn holds(&self, time: f64) -> bool {
        (time - self.time).abs() < self.half
    }
}

/// Returns the joints that lie in loops. Only their rows can become dependent. A joint outside of all loops is a bridge between two parts of the mechanism:
/// one part can move rigidly relative to the other, which changes no other row.
pub(super) fn joints_in_loops(model: &Model) -> Vec<bool> {
    // the ground is the last body
    let ground = model.bodies.len();
    let node = |body: BodyIndex| body.number().unwrap_or(ground);
    let edges = model.joints.iter().map(|element| {
        let shape = element.joint.shape(model.space);
        let has_rows = shape.position_rows + shape.velocity_rows > 0;
        has_rows.then(|| (node(element.first.0), node(element.second.0)))
    });
    let edges: Vec<Option<(usize, usize)>> = edges.collect();
    let constraining: Vec<(usize, usize)> = edges.iter().copied().flatten().collect();
    let mut cyclic = in_cycles(ground + 1, &constraining).into_iter();
    let in_loop = |edge: &Option<_>| edge.is_some() && cyclic.next() == Some(true);
    edges.iter().map(in_loop).collect()
}

impl Simulation {
    /// Returns the longest step in which no body rotates so far that a singular configuration could be missed.
    pub(super) fn leap(&self) -> f64 {
        if self.longest_turn.is_infinite() {
            return f64::INFINITY;
        }
        let bodies = self.dynamics.ws.kinematics.bodies.iter();
        let fastest = bodies.map(|b| b.w.norm_squared()).fold(0.0, f64::max);
        self.longest_turn / fastest.sqrt()
    }

    /// Searches for singular configurations in the step to `reached`, whose end is in `next`, and predicts the next one.
    pub(super) fn watch_rank(
        &mut self,
        reached: f64,
        observer: &mut dyn Observer,
    ) -> Result<Watched, IntegrationError> {
        let expected = std::mem::replace(&mut self.dynamics.barrier, f64::INFINITY);
        self.dynamics.zone = Zone::NOWHERE;
        if !self.loops || !self.is_time_to_look() {
            return Ok(Watched {
                dense: false,
                again: false,
            });
        }
        let rows = self.look_at_both_ends();
        let (mut dense, mut found) = (false, Vec::<SingularPose>::new());
        for k in 0..rows {
            let MonitorState { last, next, .. } = &self.watch;
            if last[k].dot(&next[k]) >= 0.0 {
                continue;
            }
            if !dense {
                self.integrator.prepare_dense(&mut self.dynamics)?;
                dense = true;
            }
            let row = next[k].row;
            if let Some(pose) = found.last_mut() {
                // several loops may be singular at the same time
                self.look_between(pose.time, row);
                if self.watch.is_singular(TOGETHER) {
                    let other = self.describe_pass();
                    pose.join(other);
                    continue;
                }
            }
            let time = self.turn_of_residual(reached, k)?;
            self.look_between(time, row);
            if !self.watch.is_singular(SINGULAR) {
                continue;
            }
            let unexpected = (time - expected).abs() > SURPRISE * (reached - self.state.time);
            let is_first = found.is_empty() && self.watch.again_from != self.state.time;
            if unexpected && self.longest_turn.is_finite() && is_first {
                self.step_again(time)?;
                return Ok(Watched { dense, again: true });
            }
            let was_armed = self.watch.armed[row];
            let pose = self.describe_pass();
            // a driver does not pass a dead centre: fluctuations there are reported once
            let stays = pose.meaning == Meaning::DeadCentre;
            self.watch.armed[row] &= !stays;
            if was_armed || !stays {
                found.push(pose);
            }
        }
        for mut pose in found {
            self.dynamics.zone = Zone::new(pose.time, reached - self.state.time);
            pose.jump = self.velocity_jump()?;
            self.note(&pose, observer);
        }
        self.note_touched(rows, observer);
        self.look_ahead(rows);
        Ok(Watched {
            dense,
            again: false,
        })
    }

    /// Returns to the start of the step, for a step over the singular configuration at `time`.
    fn step_again(&mut self, time: f64) -> Result<(), IntegrationError> {
        self.dynamics.barrier = time;
        self.dynamics.closes_stages = true;
        self.watch.again_from = self.state.time;
        self.dynamics.pack(&self.state, &mut self.flat);
        let start = self.state.time;
        self.integrator.start(&mut self.dynamics, start, &self.flat)
    }

    /// Whether rows may have approached rank deficiency since the last measurement.
    fn is_time_to_look(&mut self) -> bool {
        let independence = self.dynamics.solvers.method.independence();
        let watch = &mut self.watch;
        let kinematics = &self.dynamics.ws.kinematics;
        let rates = kinematics.bodies.iter().map(|b| b.w.norm_squared());
        watch.turned += self.integrator.step_size() * rates.fold(0.0, f64::max).sqrt();
        let mut near = watch.is_near() || watch.turned >= TURN * watch.least;
        if !self.integrator.keeps_constraints() && independence.is_finite() {
            watch.independence = independence;
            watch.highest = watch.highest.max(independence);
            near |= independence < NEAR * NEAR * watch.highest;
        }
        near
    }

    /// Measures the rows that are close to dependence at the start or at the end of the step, and returns their number.
    fn look_at_both_ends(&mut self) -> usize {
        let watch = &mut self.watch;
        let (system, ws) = (self.dynamics.system.as_ref(), &mut self.dynamics.ws);
        watch.rank.factor(system, ws, &self.next);
        watch.near_before.copy_from_slice(&watch.near);
        watch.take_in();
        watch.turned = 0.0;
        if self.integrator.keeps_constraints() {
            watch.independence = watch.rank.independence();
            watch.highest = watch.highest.max(watch.independence);
        }
        self.dynamics.closes_stages = watch.least < CLOSE;
        let mut rows = 0;
        for row in 0..watch.near.len() {
            if watch.near[row] || watch.near_before[row] {
                if rows == watch.next.len() {
                    watch.next.push(watch.rank.blank());
                    watch.last.push(watch.rank.blank());
                }
                let next = &mut watch.next[rows];
                watch.rank.residual(self.next.time, row, next);
                rows += 1;
            }
        }
        if rows > 0 {
            watch.rank.factor(system, ws, &self.state);
            for (last, next) in watch.last.iter_mut().zip(&watch.next).take(rows) {
                let rank = &mut watch.rank;
                rank.residual(self.state.time, next.row, last);
            }
        }
        rows
    }

    /// Describes the configuration of the last measurement within the step. A row that is not clearly beyond it is not reported again if it comes to rest
    /// there.
    fn describe_pass(&mut self) -> SingularPose {
        let watch = &mut self.watch;
        let row = watch.between.row;
        let next = watch.next.iter().find(|look| look.row == row);
        watch.armed[row] = next.is_some_and(|look| look.measure > TOUCHED * watch.best[row]);
        watch
            .rank
            .describe(self.dynamics.system.as_ref(), &watch.between)
    }

    /// Reports configurations that the end of the step reached without crossing them.
    fn note_touched(&mut self, rows: usize, observer: &mut dyn Observer) {
        for k in 0..rows {
            let watch = &mut self.watch;
            let WeakestRow { row, measure, .. } = watch.next[k];
            if measure <= TOUCHED * watch.best[row] && std::mem::take(&mut watch.armed[row]) {
                let (system, ws) = (self.dynamics.system.as_ref(), &mut self.dynamics.ws);
                let MonitorState { rank, between, .. } = watch;
                rank.look(system, ws, &self.next, Some(row), between);
                let pose = rank.describe(system, between);
                self.note(&pose, observer);
            }
        }
    }

    /// Predicts the next zero of the monitored rows, from r and its time derivative along the motion.
    fn look_ahead(&mut self, rows: usize) {
        if rows == 0 {
            return;
        }
        let dt = AHEAD * self.integrator.step_size();
        let ahead = &mut self.between;
        ahead.copy_from(&self.next);
        ahead.time += dt;
        let (system, ws) = (self.dynamics.system.as_ref(), &mut self.dynamics.ws);
        for (change, v) in self.flat.iter_mut().zip(&self.next.v) {
            *change = v * dt;
        }
        let change = &self.flat[..self.next.v.len()];
        system.retract(&mut ahead.q, change);
        let MonitorState {
            rank,
            next,
            between,
            ..
        } = &mut self.watch;
        rank.factor(system, ws, ahead);
        for look in next.iter().take(rows) {
            rank.residual(ahead.time, look.row, between);
            let here = look.dot(look);
            let change = look.dot(between) - here;
            if change < 0.0 {
                let time = self.next.time - dt * here / change;
                self.dynamics.barrier = self.dynamics.barrier.min(time);
            }
        }
    }

    /// Returns the deviation of the velocity at the end of the step from its continuation, `v₀ + h (a₀ + a₁)/2`, if it is more than a fraction of itself.
    fn velocity_jump(&mut self) -> Result<Option<f64>, IntegrationError> {
        let h = self.next.time - self.state.time;
        let (mut missed, mut size) = (0.0, 0.0);
        self.dynamics.evaluate_at(&self.state)?;
        let nv = self.state.v.len();
        self.flat[..nv].copy_from_slice(&self.dynamics.solution.rates);
        self.dynamics.evaluate_at(&self.next)?;
        let after = &self.dynamics.solution.rates;
        for i in 0..nv {
            let change = 0.5 * h * (self.flat[i] + after[i]);
            let (v0, v1) = (self.state.v[i], self.next.v[i]);
            missed += (v1 - v0 - change).powi(2);
            size += v0 * v0 + v1 * v1 + change * change;
        }
        Ok((missed > JUMP * JUMP * size).then(|| missed.sqrt()))
    }

    /// Reports a dead centre at which the run ends, unless the last step has already reached it.
    pub(super) fn note_end(&mut self, pose: &SingularPose, observer: &mut dyn Observer) {
        if self.watch.armed[self.watch.between.row] {
            self.note(pose, observer);
        }
    }

    /// Reports a singular configuration.
    pub(super) fn note(&mut self, pose: &SingularPose, observer: &mut dyn Observer) {
        observer.singular_pose(pose);
        self.statistics.singular_poses += 1;
    }

    /// Returns the time within the last step at which the k-th monitored residual vanishes.
    fn turn_of_residual(&mut self, reached: f64, k: usize) -> Result<f64, IntegrationError> {
        let (last, next) = (&self.watch.last[k], &self.watch.next[k]);
        let across = last.dot(next);
        let ends = [across - last.dot(last), next.dot(next) - across];
        let (row, from) = (next.row, self.state.time);
        self.root((from, ends[0]), (reached, ends[1]), |this, time| {
            this.look_between(time, row);
            let MonitorState {
                last,
                next,
                between,
                ..
            } = &this.watch;
            Ok(between.dot(&next[k]) - between.dot(&last[k]))
        })
    }

    /// Measures a row at a time within the last step, at the state of the integrator: projection to nearly dependent constraints
    /// would move the state along the motion that they leave undetermined.
    fn look_between(&mut self, time: f64, row: usize) {
        self.integrator.interpolate(time, &mut self.flat);
        self.dynamics.unpack(&self.flat, time, &mut self.between);
        let (system, ws) = (self.dynamics.system.as_ref(), &mut self.dynamics.ws);
        let MonitorState { rank, between, .. } = &mut self.watch;
        rank.look(system, ws, &self.between, Some(row), between);
    }

    /// Returns the configuration at which a driver is stuck, if that is why the run stopped: the last time at which the position constraints have a solution,
    /// if the rows are dependent there.
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
        // beyond the end of its range a mechanism nearly closes: require the accuracy of the start, which may itself be slightly beyond
        let rounding = 10.0 * closure.residual.clamp(1e-13, 1e-12);
        let mut closes = |closure: &mut Closure, time| {
            closure.close(mechanics, time, &mut work) && closure.residual <= rounding
        };
        let (mut last, mut open, mut length) = (start, None, 1e-9_f64.max(1e-9 * start.abs()));
        let mut pose = (closure.q.clone(), closure.v.clone());
        // increasing steps until it does not close, then bisection
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
        let MonitorState {
            rank,
            between,
            best,
            ..
        } = &mut self.watch;
        rank.look(system, ws, &self.state, None, between);
        let before = between.measure;
        rank.look(system, ws, &self.between, None, between);
        let pose = rank.describe(system, between);
        let is_singular = pose.measure <= SINGULAR * best[between.row].max(before);
        (is_singular && pose.meaning == Meaning::DeadCentre).then_some(pose)
    }
}
