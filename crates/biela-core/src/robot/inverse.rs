//! Inverse kinematics: joint positions that move a frame to a goal.
//!
//! Damped least squares on the error e of [`super::task`],
//!
//! ```text
//! min |e − J δ|² + λ |δ|²        λ = μ |e|²        lower ≤ q + δ ≤ upper
//! ```
//!
//! with the damping proportional to the squared error (T. Sugihara, *IEEE Trans. Robotics* 27 (2011) 984). It vanishes at the solution, so the
//! convergence is quadratic for every reachable goal, also for redundant arms (N. Yamashita, M. Fukushima, *Computing
//! Suppl.* 15 (2001) 239). μ is increased until a step reduces the error. Joints that a step would move beyond a limit are fixed at it, and the step is
//! solved again for the others. Every answer is within the limits, and its error is evaluated, never assumed.

use std::f64::consts::{PI, TAU};

use super::singularity::Singularity;
use super::task::{Goal, TaskDirections};
use super::{Robot, RobotWorkspace};
use crate::joints::Joint;
use crate::math::spatial::Twist;
use crate::math::{Pose, Random, Vec3, damped_least_squares};
use crate::tree::TreeLocation;

/// Settings of the search.
#[derive(Clone, Debug, PartialEq)]
pub struct InverseKinematicsSettings {
    /// Largest error of a solution, with lengths divided by that of the arm and angles in radians.
    pub tolerance: f64,
    /// Largest number of iterations from each start.
    pub iterations: usize,
    /// Total number of starts: the given one, then random ones.
    pub starts: usize,
    /// Seed of the random starts.
    pub seed: u64,
    /// Preferred posture of a redundant arm, one value per joint.
    pub posture: Option<Vec<f64>>,
}

impl Default for InverseKinematicsSettings {
    fn default() -> Self {
        InverseKinematicsSettings {
            tolerance: 1e-12,
            iterations: 200,
            starts: 100,
            seed: 1,
            posture: None,
        }
    }
}

/// The result of a search for a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct InverseKinematicsResult {
    /// Joint positions, within the limits.
    pub q: Vec<f64>,
    /// Whether the frame reaches the goal.
    pub reached: bool,
    /// Distance of the origin from the goal.
    pub distance: f64,
    /// Angle between the orientation of the frame and that of the goal.
    pub angle: f64,
    /// Iterations from the start that led to this answer.
    pub iterations: usize,
    /// Number of starts that were used.
    pub starts: usize,
    /// Joints that are at a limit.
    pub at_limits: Vec<usize>,
    /// Distance of the pose from a singular configuration.
    pub singularity: Singularity,
    /// Distance by which the goal is certainly beyond the reach of the arm, if it is.
    pub beyond: Option<f64>,
}

/// A solver for inverse kinematics.
#[derive(Clone, Debug)]
pub struct InverseKinematics<'r> {
    robot: &'r Robot,
    place: TreeLocation,
    ws: RobotWorkspace,
    /// Length of the arm.
    length: f64,
    jacobian: Vec<Twist>,
    /// Columns of the free joints with additional rows for the damping, the right-hand side and the step.
    columns: Vec<Vec<f64>>,
    right: Vec<f64>,
    step: Vec<f64>,
    solved: Vec<f64>,
    free: Vec<usize>,
    error: Vec<f64>,
    trial: Vec<f64>,
}

/// Result of a descent.
struct Descent {
    /// |e|.
    error: f64,
    iterations: usize,
}

/// Smallest damping, relative to the largest possible squared singular value.
const LEAST_DAMPING: f64 = 1e-15;
/// Largest motion of a joint in one step, in radians or lengths of the arm.
const LONGEST_STEP: f64 = 1.0;
/// Number of consecutive rejected steps after which the descent ends.
const MOST_REFUSED: usize = 30;

impl<'r> InverseKinematics<'r> {
    /// A solver for a frame of a robot.
    pub fn new(robot: &'r Robot, place: &TreeLocation) -> Self {
        let n = robot.joints.len();
        let length = arm_length(robot, place);
        InverseKinematics {
            robot,
            place: *place,
            ws: robot.workspace(),
            length,
            jacobian: vec![Twist::zero(); n],
            columns: vec![Vec::new(); n],
            right: Vec::new(),
            step: vec![0.0; n],
            solved: vec![0.0; n],
            free: Vec::with_capacity(n),
            error: Vec::new(),
            trial: vec![0.0; n],
        }
    }

    /// The length that makes lengths and angles comparable: that of the arm.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Returns the pose of the frame.
    pub fn pose(&mut self, q: &[f64]) -> Pose {
        self.robot.pose(&mut self.ws, &self.place, q)
    }

    /// Computes the error at `q` in `self.error`; returns |e|².
    fn measure(&mut self, goal: &Goal, directions: &TaskDirections, q: &[f64]) -> f64 {
        let apart = goal.apart(&self.pose(q));
        self.error.clear();
        self.error
            .extend(directions.components(&apart, self.length));
        self.error.iter().map(|x| x * x).sum()
    }

    /// Computes the step of damped least squares within the limits, for the current link poses.
    fn find_step(&mut self, directions: &TaskDirections, q: &[f64], damping: f64, asked: &[f64]) {
        let m = directions.len();
        self.step.fill(0.0);
        self.free.clear();
        for (k, joint) in self.robot.joints.iter().enumerate() {
            // at a limit and directed beyond it
            let slope: f64 = directions
                .components(&self.jacobian[k], self.length)
                .zip(asked)
                .map(|(a, b)| a * b)
                .sum();
            let held = (q[k] <= joint.limits.lower && slope < 0.0)
                || (q[k] >= joint.limits.upper && slope > 0.0);
            if !held {
                self.free.push(k);
            }
        }
        loop {
            let n = self.free.len();
            self.right.clear();
            self.right.extend_from_slice(asked);
            for (k, step) in self.step.iter().enumerate() {
                if *step != 0.0 && !self.free.contains(&k) {
                    let column = directions.components(&self.jacobian[k], self.length);
                    for (b, a) in self.right.iter_mut().zip(column) {
                        *b -= a * step;
                    }
                }
            }
            self.right.resize(m + n, 0.0);
            for (column, &k) in self.columns.iter_mut().zip(&self.free) {
                column.clear();
                column.extend(directions.components(&self.jacobian[k], self.length));
                column.resize(m + n, 0.0);
            }
            let columns = &mut self.columns[..n];
            damped_least_squares(columns, &mut self.right, damping, &mut self.solved[..n]);
            let (step, joints) = (&mut self.step, &self.robot.joints);
            let mut solved = self.solved.iter();
            self.free.retain(|&k| {
                let wanted = q[k] + solved.next().unwrap_or(&0.0);
                let to = joints[k].limits.clamp(wanted);
                step[k] = to - q[k];
                to == wanted
            });
            // each pass fixes at least one joint at its limit
            if self.free.len() == n {
                return;
            }
        }
    }

    /// Minimises the error, starting from `q`.
    fn descend(
        &mut self,
        goal: &Goal,
        directions: &TaskDirections,
        q: &mut [f64],
        search: &InverseKinematicsSettings,
    ) -> Descent {
        // the target is well below the tolerance, as far as rounding permits
        let target = 0.03 * search.tolerance;
        let mut square = self.measure(goal, directions, q);
        let mut asked = self.error.clone();
        let mut mu = 0.1;
        let mut iterations = 0;
        while iterations < search.iterations && square > target * target {
            self.robot
                .jacobian(&self.ws, &self.place, &mut self.jacobian);
            let largest: f64 = { self.jacobian.iter() }
                .flat_map(|column| directions.components(column, self.length))
                .map(|x| x * x)
                .sum();
            let mut refused = 0;
            let better = loop {
                let damping = (mu * square).max(LEAST_DAMPING * largest);
                self.find_step(directions, q, damping, &asked);
                let joints = self.robot.joints.iter();
                let size = { self.step.iter().zip(joints) }.fold(0.0, |m: f64, (x, joint)| {
                    m.max(x.abs() / if joint.angle { 1.0 } else { self.length })
                });
                let factor = (LONGEST_STEP / size).min(1.0);
                if size == 0.0 {
                    break false;
                }
                for ((trial, q), step) in self.trial.iter_mut().zip(q.iter()).zip(&self.step) {
                    *trial = q + factor * step;
                }
                let mut trial = std::mem::take(&mut self.trial);
                self.hold_within(&mut trial);
                let found = self.measure(goal, directions, &trial);
                let accepted = found < square;
                if accepted {
                    q.copy_from_slice(&trial);
                    // much smaller than before: reduce the damping
                    mu = if found < 0.25 * square { 0.2 * mu } else { mu }.max(1e-9);
                    square = found;
                    asked.clone_from(&self.error);
                }
                self.trial = trial;
                if accepted {
                    break true;
                }
                mu = (mu * 4.0).max(4.0 * damping / square);
                refused += 1;
                if refused > MOST_REFUSED {
                    break false;
                }
            };
            iterations += 1;
            if !better {
                break;
            }
        }
        // links and error are left evaluated at the answer
        let error = self.measure(goal, directions, q).sqrt();
        Descent { error, iterations }
    }

    /// Moves joint positions near the goal to it, without other starts; returns whether the goal is reached, and the distance of the origin from it.
    pub(crate) fn correct(&mut self, goal: &Goal, q: &mut [f64]) -> (bool, f64) {
        let search = InverseKinematicsSettings {
            iterations: 30,
            ..InverseKinematicsSettings::default()
        };
        let directions = goal.directions(self.robot.tree.space);
        self.hold_within(q);
        let end = self.descend(goal, &directions, q, &search);
        let distance = goal.apart(&self.pose(q)).v.norm();
        (end.error <= search.tolerance, distance)
    }

    fn hold_within(&self, q: &mut [f64]) {
        for (q, joint) in q.iter_mut().zip(&self.robot.joints) {
            *q = joint.limits.clamp(*q);
        }
    }

    /// Shifts every angle by full turns as close as possible to its start, within the limits.
    fn unwind(&self, q: &mut [f64], start: &[f64]) {
        for ((q, start), joint) in q.iter_mut().zip(start).zip(&self.robot.joints) {
            if joint.angle {
                let turns = ((start - *q) / TAU).round();
                let turned = |turns: f64| *q + turns * TAU;
                let within = |x: &f64| *x >= joint.limits.lower && *x <= joint.limits.upper;
                // the closest one may lie beyond a limit
                let towards = turns.signum();
                let candidates = (0..MOST_TURNS).map(|k| turned(turns - f64::from(k) * towards));
                if turns != 0.0
                    && let Some(found) = candidates.into_iter().find(within)
                {
                    *q = found;
                }
            }
        }
    }

    /// Computes joint positions from a start; if that fails, from random starts.
    pub fn solve(
        &mut self,
        goal: &Goal,
        start: &[f64],
        search: &InverseKinematicsSettings,
    ) -> InverseKinematicsResult {
        let mut random = Random::new(search.seed);
        let directions = goal.directions(self.robot.tree.space);
        let beyond = self.beyond(goal);
        let starts = if beyond.is_some() {
            search.starts.min(FEW_STARTS)
        } else {
            search.starts
        };
        let mut best: Option<(Vec<f64>, Descent)> = None;
        let mut tried = 0;
        for _ in 0..starts.max(1) {
            let mut q = if tried == 0 {
                start.to_vec()
            } else {
                self.anywhere(&mut random)
            };
            self.hold_within(&mut q);
            tried += 1;
            let end = self.descend(goal, &directions, &mut q, search);
            let reached = end.error <= search.tolerance;
            if best
                .as_ref()
                .is_none_or(|(_, least)| end.error < least.error)
            {
                best = Some((q, end));
            }
            if reached {
                break;
            }
        }
        let (mut q, end) = best.unwrap_or_else(|| {
            let nothing = Descent {
                error: f64::INFINITY,
                iterations: 0,
            };
            (start.to_vec(), nothing)
        });
        if end.error <= search.tolerance
            && let Some(posture) = &search.posture
        {
            self.improve_posture(goal, &directions, &mut q, posture, search);
        }
        self.unwind(&mut q, start);
        let mut answer = self.answer(goal, &directions, q, search);
        (answer.iterations, answer.starts, answer.beyond) = (end.iterations, tried, beyond);
        answer
    }

    /// Returns all distinct solutions found from the starts, modulo full turns, ordered by distance from the first start; at most `most` of them.
    pub fn solve_all(
        &mut self,
        goal: &Goal,
        start: &[f64],
        search: &InverseKinematicsSettings,
        most: usize,
    ) -> Vec<InverseKinematicsResult> {
        let mut random = Random::new(search.seed);
        let directions = goal.directions(self.robot.tree.space);
        let mut found: Vec<InverseKinematicsResult> = Vec::new();
        for k in 0..search.starts.max(1) {
            if found.len() >= most {
                break;
            }
            let mut q = if k == 0 {
                start.to_vec()
            } else {
                self.anywhere(&mut random)
            };
            self.hold_within(&mut q);
            let end = self.descend(goal, &directions, &mut q, search);
            if end.error > search.tolerance {
                continue;
            }
            self.unwind(&mut q, start);
            if found.iter().any(|answer| self.same(&answer.q, &q)) {
                continue;
            }
            let mut answer = self.answer(goal, &directions, q, search);
            (answer.iterations, answer.starts) = (end.iterations, k + 1);
            if answer.reached {
                found.push(answer);
            }
        }
        let far = |answer: &InverseKinematicsResult| -> f64 {
            let apart = answer.q.iter().zip(start).map(|(a, b)| (a - b) * (a - b));
            apart.sum()
        };
        found.sort_by(|a, b| far(a).total_cmp(&far(b)));
        found
    }

    /// Whether two solutions are equal modulo full turns.
    fn same(&self, a: &[f64], b: &[f64]) -> bool {
        let mut pairs = a.iter().zip(b).zip(&self.robot.joints);
        pairs.all(|((a, b), joint)| {
            let apart = a - b;
            let apart = if joint.angle {
                apart - (apart / TAU).round() * TAU
            } else {
                apart / self.length
            };
            apart.abs() < SAME
        })
    }

    /// Builds the answer for joint positions.
    fn answer(
        &mut self,
        goal: &Goal,
        directions: &TaskDirections,
        q: Vec<f64>,
        search: &InverseKinematicsSettings,
    ) -> InverseKinematicsResult {
        let error = self.measure(goal, directions, &q).sqrt();
        let apart = goal.apart(&self.pose(&q));
        self.robot
            .jacobian(&self.ws, &self.place, &mut self.jacobian);
        let joints = self.robot.joints.iter().enumerate();
        let at_limit = |k: usize, limits: &crate::model::JointLimits| {
            let near = |limit: f64| {
                limit.is_finite() && (q[k] - limit).abs() <= 1e-9 * (1.0 + limit.abs())
            };
            near(limits.lower) || near(limits.upper)
        };
        InverseKinematicsResult {
            reached: error <= search.tolerance,
            distance: { directions.linear.iter() }
                .map(|b| b.dot(&apart.v).powi(2))
                .sum::<f64>()
                .sqrt(),
            angle: apart.w.norm(),
            iterations: 0,
            starts: 1,
            at_limits: joints
                .filter(|(k, joint)| at_limit(*k, &joint.limits))
                .map(|(k, _)| k)
                .collect(),
            singularity: Singularity::of(&self.jacobian, directions, self.length),
            beyond: None,
            q,
        }
    }

    /// Returns random joint positions within the limits.
    pub fn anywhere(&self, random: &mut Random) -> Vec<f64> {
        let within = |joint: &super::RobotJoint| {
            let reach = if joint.angle { PI } else { self.length };
            let limits = &joint.limits;
            let (low, high) = match (limits.lower.is_finite(), limits.upper.is_finite()) {
                (true, true) => (limits.lower, limits.upper),
                (true, false) => (limits.lower, limits.lower + 2.0 * reach),
                (false, true) => (limits.upper - 2.0 * reach, limits.upper),
                (false, false) => (-reach, reach),
            };
            random.between(low, high)
        };
        self.robot.joints.iter().map(within).collect()
    }

    /// Moves as close to a posture as the goal permits: along `(1 − J⁺J)(posture − q)`, corrected to the goal after each step.
    fn improve_posture(
        &mut self,
        goal: &Goal,
        directions: &TaskDirections,
        q: &mut Vec<f64>,
        posture: &[f64],
        search: &InverseKinematicsSettings,
    ) {
        let far = |q: &[f64]| -> f64 {
            let apart = q.iter().zip(posture).map(|(a, b)| (a - b) * (a - b));
            apart.sum()
        };
        let n = q.len();
        let mut factor = 1.0;
        for _ in 0..MOST_POSTURE_STEPS {
            let _ = self.pose(q);
            self.robot
                .jacobian(&self.ws, &self.place, &mut self.jacobian);
            // a joint that its limit keeps from the posture does not take part
            let held = |k: usize, wish: f64| {
                let limits = &self.robot.joints[k].limits;
                (q[k] <= limits.lower && wish < 0.0) || (q[k] >= limits.upper && wish > 0.0)
            };
            let wish: Vec<f64> = (0..n)
                .map(|k| posture[k] - q[k])
                .enumerate()
                .map(|(k, wish)| if held(k, wish) { 0.0 } else { wish })
                .collect();
            let mut image = vec![0.0; directions.len()];
            for (column, wish) in self.jacobian.iter().zip(&wish) {
                let column = directions.components(column, self.length);
                for (x, a) in image.iter_mut().zip(column) {
                    *x += a * wish;
                }
            }
            // J⁺ J wish: the minimum-norm joint motion with the same effect on the frame
            let m = directions.len();
            let mut columns = Vec::with_capacity(n);
            for (column, wish) in self.jacobian.iter().zip(&wish) {
                let factor = if *wish == 0.0 { 0.0 } else { 1.0 };
                let column = directions.components(column, self.length);
                let mut column: Vec<f64> = column.map(|x| factor * x).collect();
                column.resize(m + n, 0.0);
                columns.push(column);
            }
            image.resize(m + n, 0.0);
            let mut seen = vec![0.0; n];
            damped_least_squares(&mut columns, &mut image, LEAST_DAMPING, &mut seen);
            let along: Vec<f64> = wish.iter().zip(&seen).map(|(a, b)| a - b).collect();
            if along.iter().all(|x| x.abs() < 1e-9) {
                return;
            }
            let before = far(q);
            let mut moved = false;
            for _ in 0..MOST_HALVINGS {
                let stepped = q.iter().zip(&along).map(|(q, x)| q + factor * x);
                let mut trial: Vec<f64> = stepped.collect();
                self.hold_within(&mut trial);
                let end = self.descend(goal, directions, &mut trial, search);
                if end.error <= search.tolerance && far(&trial) < before {
                    *q = trial;
                    moved = true;
                    break;
                }
                factor *= 0.5;
            }
            if !moved || before - far(q) < 1e-14 * before {
                return;
            }
            factor = (2.0 * factor).min(1.0);
        }
    }

    /// The distance by which a goal is certainly beyond the reach of the arm, from the first joint; `None` if this is not certain.
    fn beyond(&self, goal: &Goal) -> Option<f64> {
        let (from, reach) = longest_reach(self.robot, &self.place)?;
        let excess = (goal.point() - from).norm() - reach;
        (excess > self.length * 1e-9).then_some(excess)
    }
}

/// Largest number of full turns that are tried to satisfy the limits.
const MOST_TURNS: u32 = 64;
/// Solutions closer than this are equal.
const SAME: f64 = 1e-4;
/// Number of starts for a goal that is certainly out of reach: the closest pose is still computed.
const FEW_STARTS: usize = 10;
const MOST_POSTURE_STEPS: usize = 300;
const MOST_HALVINGS: usize = 20;

/// The links from the ground to a frame.
fn path(robot: &Robot, place: &TreeLocation) -> Vec<usize> {
    let mut path: Vec<usize> = { place.link.iter() }
        .flat_map(|link| robot.tree.path(*link))
        .collect();
    path.reverse();
    path
}

/// The length of the arm: the sum of the lengths of its links from the first joint to the frame, or one if all joints are at one point.
fn arm_length(robot: &Robot, place: &TreeLocation) -> f64 {
    let path = path(robot, place);
    let links = path.iter().skip(1).map(|i| robot.tree.links[*i].frame.p);
    let mut length: f64 = links.map(|p| p.norm()).sum::<f64>() + place.pose.p.norm();
    for joint in robot.joints.iter().filter(|joint| !joint.angle) {
        let most = joint.limits.lower.abs().max(joint.limits.upper.abs());
        if path.contains(&joint.link) && most.is_finite() {
            length += most;
        }
    }
    if length > 0.0 { length } else { 1.0 }
}

/// The location of the first joint, and the largest distance from it of the frame's origin; `None` if a joint is neither revolute
/// nor prismatic, or if a prismatic joint has no limits.
fn longest_reach(robot: &Robot, place: &TreeLocation) -> Option<(Vec3<f64>, f64)> {
    let path = path(robot, place);
    let first = path.first()?;
    let mut reach = place.pose.p.norm();
    for (k, &i) in path.iter().enumerate() {
        let link = &robot.tree.links[i];
        if k > 0 {
            reach += link.frame.p.norm();
        }
        reach += match link.joint {
            Joint::Revolute(_) => 0.0,
            Joint::Prismatic(_) => {
                let joint = robot.joints.iter().find(|joint| joint.link == i)?;
                let most = joint.limits.lower.abs().max(joint.limits.upper.abs());
                most.is_finite().then_some(most)?
            }
            _ => return None,
        };
    }
    Some((robot.tree.links[*first].frame.p, reach))
}
