//! Inverse kinematics: joint positions that bring a frame where it should be.
//!
//! Damped least squares on the error e of [`super::task`],
//!
//! ```text
//! min |e − J δ|² + λ |δ|²        λ = μ |e|²        lower ≤ q + δ ≤ upper
//! ```
//!
//! with the damping proportional to the squared error (T. Sugihara, *IEEE Trans. Robotics* 27 (2011) 984), so that it fades out and the
//! convergence is quadratic wherever the frame can be brought to its goal, at redundant arms too (N. Yamashita, M. Fukushima, *Computing
//! Suppl.* 15 (2001) 239). μ grows until a step makes the error smaller. Joints that a step would take past a limit are put on it
//! and the others solve for what is left. Every answer is within the limits, and its error is measured, never assumed.

use std::f64::consts::{PI, TAU};

use super::singularity::Singularity;
use super::task::{Directions, Goal};
use super::{Robot, RobotWorkspace};
use crate::joints::Joint;
use crate::math::spatial::Twist;
use crate::math::{Pose, Random, Vec3, damped_least_squares};
use crate::tree::Place;

/// How answers are looked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// An answer is good when its error, lengths divided by that of the arm and angles in radians, is not larger.
    pub tolerance: f64,
    /// At most this many steps from each start.
    pub iterations: usize,
    /// Starts in all: the given one, then random ones.
    pub starts: usize,
    /// Seed of the random ones.
    pub seed: u64,
    /// Where a redundant arm should be as near as it can, one value a joint.
    pub posture: Option<Vec<f64>>,
}

impl Default for Search {
    fn default() -> Self {
        Search {
            tolerance: 1e-12,
            iterations: 200,
            starts: 100,
            seed: 1,
            posture: None,
        }
    }
}

/// What was found for a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Joint positions, within the limits.
    pub q: Vec<f64>,
    /// Whether the frame is where it should be.
    pub reached: bool,
    /// How far the origin is from where it should be.
    pub distance: f64,
    /// How far the frame is turned from where it should be.
    pub angle: f64,
    /// Steps taken from the start that led here.
    pub iterations: usize,
    /// Starts that were tried.
    pub starts: usize,
    /// Joints that stand at a limit.
    pub at_limits: Vec<usize>,
    /// How near the pose is to a singular one.
    pub singularity: Singularity,
    /// The goal is further than the arm is long by this much, for certain.
    pub beyond: Option<f64>,
}

/// Looks for joint positions.
#[derive(Clone, Debug)]
pub struct Inverse<'r> {
    robot: &'r Robot,
    place: Place,
    ws: RobotWorkspace,
    /// A length of the arm.
    length: f64,
    jacobian: Vec<Twist>,
    /// Columns of the free joints with room for the damping, the right-hand side and the step.
    columns: Vec<Vec<f64>>,
    right: Vec<f64>,
    step: Vec<f64>,
    solved: Vec<f64>,
    free: Vec<usize>,
    error: Vec<f64>,
    trial: Vec<f64>,
}

/// Where a descent ended.
struct Descent {
    /// |e|.
    error: f64,
    iterations: usize,
}

/// The least damping, by the largest square of a singular value that there can be.
const LEAST_DAMPING: f64 = 1e-15;
/// No joint moves more than this in one step, in radians or lengths of the arm.
const LONGEST_STEP: f64 = 1.0;
/// Steps that are refused in a row until the descent ends.
const MOST_REFUSED: usize = 30;

impl<'r> Inverse<'r> {
    /// For a frame of a robot.
    pub fn new(robot: &'r Robot, place: &Place) -> Self {
        let n = robot.joints.len();
        let length = arm_length(robot, place);
        Inverse {
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

    /// Where the frame is.
    pub fn pose(&mut self, q: &[f64]) -> Pose {
        self.robot.pose(&mut self.ws, &self.place, q)
    }

    /// The error at `q` into `self.error`; gives |e|².
    fn measure(&mut self, goal: &Goal, directions: &Directions, q: &[f64]) -> f64 {
        let apart = goal.apart(&self.pose(q));
        self.error.clear();
        self.error
            .extend(directions.components(&apart, self.length));
        self.error.iter().map(|x| x * x).sum()
    }

    /// The step of damped least squares within the limits, for the links as last placed.
    fn find_step(&mut self, directions: &Directions, q: &[f64], damping: f64, asked: &[f64]) {
        let m = directions.len();
        self.step.fill(0.0);
        self.free.clear();
        for (k, joint) in self.robot.joints.iter().enumerate() {
            // at a limit and pushed against it
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
            // each round puts one joint at least on its limit
            if self.free.len() == n {
                return;
            }
        }
    }

    /// Makes the error small from `q` on.
    fn descend(
        &mut self,
        goal: &Goal,
        directions: &Directions,
        q: &mut [f64],
        search: &Search,
    ) -> Descent {
        // aimed well below what is asked, as far as rounding allows
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
                    // much less than before: trust the step more
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
        // leaves links and error as they are at the answer
        let error = self.measure(goal, directions, q).sqrt();
        Descent { error, iterations }
    }

    /// Brings joint positions near the goal to it, without other starts; whether it is reached, and how far the origin is from it.
    pub(crate) fn correct(&mut self, goal: &Goal, q: &mut [f64]) -> (bool, f64) {
        let search = Search {
            iterations: 30,
            ..Search::default()
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

    /// Turns every angle by whole turns as near as limits allow to where it was.
    fn unwind(&self, q: &mut [f64], start: &[f64]) {
        for ((q, start), joint) in q.iter_mut().zip(start).zip(&self.robot.joints) {
            if joint.angle {
                let turns = ((start - *q) / TAU).round();
                let turned = |turns: f64| *q + turns * TAU;
                let within = |x: &f64| *x >= joint.limits.lower && *x <= joint.limits.upper;
                // the nearest one may lie beyond a limit
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

    /// Joint positions from a start on; when that leads nowhere, from random starts.
    pub fn solve(&mut self, goal: &Goal, start: &[f64], search: &Search) -> Answer {
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

    /// Every answer that the starts lead to, whole turns apart, the nearest to the first start first; at most `most` of them.
    pub fn solve_all(
        &mut self,
        goal: &Goal,
        start: &[f64],
        search: &Search,
        most: usize,
    ) -> Vec<Answer> {
        let mut random = Random::new(search.seed);
        let directions = goal.directions(self.robot.tree.space);
        let mut found: Vec<Answer> = Vec::new();
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
        let far = |answer: &Answer| -> f64 {
            let apart = answer.q.iter().zip(start).map(|(a, b)| (a - b) * (a - b));
            apart.sum()
        };
        found.sort_by(|a, b| far(a).total_cmp(&far(b)));
        found
    }

    /// Whether two answers are one, but for whole turns.
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

    /// What there is to say of joint positions.
    fn answer(
        &mut self,
        goal: &Goal,
        directions: &Directions,
        q: Vec<f64>,
        search: &Search,
    ) -> Answer {
        let error = self.measure(goal, directions, &q).sqrt();
        let apart = goal.apart(&self.pose(&q));
        self.robot
            .jacobian(&self.ws, &self.place, &mut self.jacobian);
        let joints = self.robot.joints.iter().enumerate();
        let at_limit = |k: usize, limits: &crate::model::Limits| {
            let near = |limit: f64| {
                limit.is_finite() && (q[k] - limit).abs() <= 1e-9 * (1.0 + limit.abs())
            };
            near(limits.lower) || near(limits.upper)
        };
        Answer {
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

    /// A random pose within the limits.
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

    /// Goes as near to a posture as the goal lets it: along `(1 − J⁺J)(posture − q)`, brought back to the goal after each step.
    fn improve_posture(
        &mut self,
        goal: &Goal,
        directions: &Directions,
        q: &mut Vec<f64>,
        posture: &[f64],
        search: &Search,
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
            // a joint that its limit keeps from the posture takes no part
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
            // J⁺ J wish: the least joint motion with the same effect on the frame
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

    /// By how much a goal is further from the first joint than the arm is long, where that is certain.
    fn beyond(&self, goal: &Goal) -> Option<f64> {
        let (from, reach) = longest_reach(self.robot, &self.place)?;
        let excess = (goal.point() - from).norm() - reach;
        (excess > self.length * 1e-9).then_some(excess)
    }
}

/// Whole turns that are looked at for one within the limits.
const MOST_TURNS: u32 = 64;
/// Answers nearer to each other than this are one.
const SAME: f64 = 1e-4;
/// Starts for a goal that is out of reach for certain: the nearest pose is still wanted.
const FEW_STARTS: usize = 10;
const MOST_POSTURE_STEPS: usize = 300;
const MOST_HALVINGS: usize = 20;

/// The links from the ground to a frame.
fn path(robot: &Robot, place: &Place) -> Vec<usize> {
    let mut path: Vec<usize> = { place.link.iter() }
        .flat_map(|link| robot.tree.path(*link))
        .collect();
    path.reverse();
    path
}

/// A length of the arm: that of its links from the first joint to the frame, or one where all are at one point.
fn arm_length(robot: &Robot, place: &Place) -> f64 {
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

/// The point of the first joint, and how far from it the frame's origin can be at most; nothing for joints that are neither revolute
/// nor prismatic, and for slides without limits.
fn longest_reach(robot: &Robot, place: &Place) -> Option<(Vec3<f64>, f64)> {
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
