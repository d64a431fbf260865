//! The workspace of a frame of a robot: points, extremes and sections. All results depend on the seed only.

use std::f64::consts::TAU;

use super::inverse::{InverseKinematics, InverseKinematicsSettings};
use super::task::{Goal, TaskDirections};
use super::{Robot, RobotJoint};
use crate::math::{Random, Vec3};
use crate::tree::{Hinge, TreeLocation};

/// An extreme point of the workspace.
#[derive(Clone, Debug, PartialEq)]
pub struct Extreme {
    /// The point.
    pub point: Vec3<f64>,
    /// The joint positions.
    pub q: Vec<f64>,
    /// The extreme coordinate or distance.
    pub value: f64,
}

/// The extremes of the workspace.
#[derive(Clone, Debug, PartialEq)]
pub struct Extremes {
    /// The smallest x, y and z.
    pub low: [Extreme; 3],
    /// The largest x, y and z.
    pub high: [Extreme; 3],
    /// Closest to the first joint.
    pub nearest: Extreme,
    /// Farthest from the first joint.
    pub furthest: Extreme,
}

/// Returns points that a frame can reach, from random joint positions within the limits.
pub fn reachable_points(
    robot: &Robot,
    place: &TreeLocation,
    count: usize,
    seed: u64,
) -> Vec<Vec3<f64>> {
    let mut inverse = InverseKinematics::new(robot, place);
    let mut random = Random::new(seed);
    let mut point = || {
        let q = inverse.anywhere(&mut random);
        inverse.pose(&q).p
    };
    (0..count).map(|_| point()).collect()
}

/// The quantity to maximise.
#[derive(Clone, Copy)]
enum Aim {
    Along(Vec3<f64>),
    /// The squared distance from a point, times a sign.
    From(Vec3<f64>, f64),
}

impl Aim {
    fn of(&self, p: &Vec3<f64>) -> f64 {
        match self {
            Aim::Along(direction) => direction.dot(p),
            Aim::From(center, sign) => sign * (p - center).norm_squared(),
        }
    }
}

/// Number of random poses from which the search for extremes starts, and number of the best that it refines.
const SAMPLES: usize = 2000;
const BEST: usize = 8;
const MOST_SWEEPS: usize = 500;

/// Computes the extremes of the workspace by coordinate ascent from the best of many random poses.
///
/// As a function of one joint angle, a coordinate of the frame and its squared distance from a point are `a + b cos θ + c sin θ`; as a function
/// of one prismatic coordinate they are parabolas. Each joint in turn can therefore be set to its exact optimum.
pub fn extremes(robot: &Robot, place: &TreeLocation, seed: u64) -> Extremes {
    let mut inverse = InverseKinematics::new(robot, place);
    let mut random = Random::new(seed);
    let samples: Vec<(Vec<f64>, Vec3<f64>)> = (0..SAMPLES)
        .map(|_| {
            let q = inverse.anywhere(&mut random);
            let p = inverse.pose(&q).p;
            (q, p)
        })
        .collect();
    let first = { place.link.iter() }
        .flat_map(|link| robot.tree.path(*link))
        .last();
    let center = first.map_or_else(Vec3::zeros, |link| robot.tree.links[link].frame.p);
    let mut find = |aim: Aim| climb(&mut inverse, robot, &samples, aim);
    let mut axis = |k: usize, sign: f64| {
        let mut direction = Vec3::zeros();
        direction[k] = sign;
        let (q, point) = find(Aim::Along(direction));
        Extreme {
            point,
            q,
            value: point[k],
        }
    };
    let low = [0, 1, 2].map(|k| axis(k, -1.0));
    let high = [0, 1, 2].map(|k| axis(k, 1.0));
    let mut distance = |sign: f64| {
        let (q, point) = find(Aim::From(center, sign));
        Extreme {
            point,
            q,
            value: (point - center).norm(),
        }
    };
    Extremes {
        low,
        high,
        nearest: distance(-1.0),
        furthest: distance(1.0),
    }
}

/// Returns the best pose for an aim, and the position of the frame.
fn climb(
    inverse: &mut InverseKinematics<'_>,
    robot: &Robot,
    samples: &[(Vec<f64>, Vec3<f64>)],
    aim: Aim,
) -> (Vec<f64>, Vec3<f64>) {
    let mut order: Vec<usize> = (0..samples.len()).collect();
    order.sort_by(|&a, &b| aim.of(&samples[b].1).total_cmp(&aim.of(&samples[a].1)));
    let mut best: Option<(f64, Vec<f64>)> = None;
    for &start in order.iter().take(BEST) {
        let mut q = samples[start].0.clone();
        let mut value = aim.of(&samples[start].1);
        for _ in 0..MOST_SWEEPS {
            let before = value;
            for (k, joint) in robot.joints.iter().enumerate() {
                let here = q[k];
                let mut at = |x: f64| {
                    q[k] = x;
                    aim.of(&inverse.pose(&q).p)
                };
                let turns = robot.tree.links[joint.link].hinge == Hinge::Turn;
                let found = if turns {
                    best_angle(joint, here, &mut at)
                } else {
                    best_slide(joint, here, &mut at)
                };
                let reached = at(found);
                if reached >= value {
                    value = reached;
                    q[k] = found;
                } else {
                    q[k] = here;
                }
            }
            if value - before <= 1e-15 * (1.0 + value.abs()) {
                break;
            }
        }
        if best.as_ref().is_none_or(|(most, _)| value > *most) {
            best = Some((value, q));
        }
    }
    let q = best.map_or_else(Vec::new, |(_, q)| q);
    let point = inverse.pose(&q).p;
    (q, point)
}

/// The angle within the limits that maximises `a + b cos θ + c sin θ`.
fn best_angle(joint: &RobotJoint, here: f64, f: &mut impl FnMut(f64) -> f64) -> f64 {
    let third = TAU / 3.0;
    let [x, y, z] = [0.0, third, 2.0 * third].map(|turn| f(here + turn));
    // discrete Fourier transform of three samples, about `here`
    let cosine = (2.0 * x - y - z) / 3.0;
    let sine = (y - z) / 3.0_f64.sqrt();
    let peak = here + sine.atan2(cosine);
    let limits = &joint.limits;
    let inside = [0.0, -TAU, TAU]
        .map(|turn| peak + turn)
        .into_iter()
        .find(|x| *x >= limits.lower && *x <= limits.upper);
    inside.unwrap_or_else(|| better_end(joint, here, f))
}

/// The prismatic coordinate within the limits that maximises a parabola.
fn best_slide(joint: &RobotJoint, here: f64, f: &mut impl FnMut(f64) -> f64) -> f64 {
    let step = 0.1;
    let [x, y, z] = [here - step, here, here + step].map(&mut *f);
    let bend = (x - 2.0 * y + z) / (step * step);
    let slope = (z - x) / (2.0 * step);
    let limits = &joint.limits;
    if bend < -1e-9 * (1.0 + y.abs()) {
        limits.clamp(here - slope / bend)
    } else {
        better_end(joint, here, f)
    }
}

/// The better of the existing limits.
fn better_end(joint: &RobotJoint, here: f64, f: &mut impl FnMut(f64) -> f64) -> f64 {
    let ends = [joint.limits.lower, joint.limits.upper];
    let ends = ends.into_iter().filter(|end| end.is_finite());
    ends.fold(here, |best, end| if f(end) > f(best) { end } else { best })
}

/// A grid in a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorkspaceSection {
    /// Grid point with the smallest `u` and `v`.
    pub origin: Vec3<f64>,
    /// Unit vector along its rows.
    pub u: Vec3<f64>,
    /// Unit vector from row to row.
    pub v: Vec3<f64>,
    /// Number of points along `u` and `v`.
    pub count: [usize; 2],
    /// Grid spacing.
    pub step: f64,
}

impl WorkspaceSection {
    /// A point of the grid.
    pub fn point(&self, column: usize, row: usize) -> Vec3<f64> {
        let (a, b) = (column as f64 * self.step, row as f64 * self.step);
        self.origin + self.u * a + self.v * b
    }
}

/// The reachable points of a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct SectionMap {
    /// The grid.
    pub section: WorkspaceSection,
    /// Row by row: Yoshikawa's measure of translations at the computed pose; `None` if no pose was found.
    pub cells: Vec<Option<f64>>,
}

/// Computes which points of a grid the origin of a frame can reach with any orientation, and the manipulability there.
///
/// For each point, inverse kinematics starts from the pose of its neighbour and then from random ones. A point that is hard to reach may be
/// missed, but every reported point is reachable.
pub fn section(
    robot: &Robot,
    place: &TreeLocation,
    grid: WorkspaceSection,
    seed: u64,
) -> SectionMap {
    let mut inverse = InverseKinematics::new(robot, place);
    let mut ws = robot.workspace();
    let space = robot.tree.space;
    let directions = TaskDirections::translations(space);
    let [columns, rows] = grid.count;
    let mut poses: Vec<Option<Vec<f64>>> = Vec::with_capacity(columns * rows);
    let mut cells = Vec::with_capacity(columns * rows);
    for row in 0..rows {
        for column in 0..columns {
            let at = poses.len();
            let left = (column > 0).then(|| &poses[at - 1]);
            let below = (row > 0).then(|| &poses[at - columns]);
            let near = { left.into_iter().flatten() }
                .chain(below.into_iter().flatten())
                .next();
            let start = near.unwrap_or(&robot.posture);
            let search = InverseKinematicsSettings {
                tolerance: 1e-9,
                iterations: 60,
                starts: 12,
                seed: seed.wrapping_add(at as u64),
                posture: None,
            };
            let goal = Goal::Position(grid.point(column, row));
            let answer = inverse.solve(&goal, start, &search);
            let found = answer.reached.then_some(answer.q);
            cells.push(found.as_ref().map(|q| {
                let measured = robot.manipulability(&mut ws, place, q, &directions, 1.0);
                measured.measure
            }));
            poses.push(found);
        }
    }
    SectionMap {
        section: grid,
        cells,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robot::suite::{puma, two_links};

    #[test]
    fn the_workspace_of_two_links_is_a_ring() {
        let robot = Robot::of(&two_links()).unwrap();
        let place = *robot.tool().unwrap();
        for p in reachable_points(&robot, &place, 2000, 7) {
            assert!(p.norm() <= 0.8 + 1e-12 && p.norm() >= 0.2 - 1e-12);
        }
        let found = extremes(&robot, &place, 1);
        assert!((found.furthest.value - 0.8).abs() < 1e-12);
        assert!((found.nearest.value - 0.2).abs() < 1e-9);
        for k in 0..2 {
            assert!((found.high[k].value - 0.8).abs() < 1e-12);
            assert!((found.low[k].value + 0.8).abs() < 1e-12);
        }
        let again = extremes(&robot, &place, 1);
        assert_eq!(found, again);
    }

    #[test]
    fn limits_reduce_the_workspace() {
        let mut model = two_links();
        model.joints[0].limits.lower = -0.5;
        model.joints[0].limits.upper = 0.5;
        model.joints[1].limits.lower = 0.0;
        model.joints[1].limits.upper = 1.0;
        let robot = Robot::of(&model).unwrap();
        let found = extremes(&robot, robot.tool().unwrap(), 1);
        // the highest point: both joints at their upper limits
        let highest = 0.5 * 0.5_f64.sin() + 0.3 * 1.5_f64.sin();
        assert!((found.high[1].value - highest).abs() < 1e-12);
        assert!((found.high[0].value - 0.8).abs() < 1e-12);
        // the lowest point: the elbow straight
        assert!((found.low[1].value + 0.8 * 0.5_f64.sin()).abs() < 1e-12);
        for extreme in found.low.iter().chain(&found.high) {
            for (q, joint) in extreme.q.iter().zip(&robot.joints) {
                assert!(*q >= joint.limits.lower && *q <= joint.limits.upper);
            }
        }
    }

    #[test]
    fn a_section_shows_the_ring_and_its_manipulability() {
        let robot = Robot::of(&two_links()).unwrap();
        let grid = WorkspaceSection {
            origin: Vec3::new(-0.95, -0.95, 0.0),
            u: Vec3::x(),
            v: Vec3::y(),
            count: [20, 20],
            step: 0.1,
        };
        let map = section(&robot, robot.tool().unwrap(), grid, 1);
        for (at, cell) in map.cells.iter().enumerate() {
            let r = grid.point(at % 20, at / 20).norm();
            assert_eq!(cell.is_some(), (0.2..=0.8).contains(&r), "at {r}");
            if let Some(measure) = cell {
                // l1 l2 |sin θ2| by the law of cosines
                let cosine = (r * r - 0.25 - 0.09) / 0.3;
                let expected = 0.15 * (1.0 - cosine * cosine).max(0.0).sqrt();
                assert!((measure - expected).abs() < 1e-6, "{measure} {expected}");
            }
        }
    }

    #[test]
    fn the_reach_of_a_puma_is_that_of_its_stretched_links() {
        let robot = Robot::of(&puma()).unwrap();
        let found = extremes(&robot, robot.tool().unwrap(), 2);
        // upper arm and forearm aligned, in addition to the offset of the shoulder
        let stretched = 0.4318 + 0.0203_f64.hypot(0.4318);
        let expected = stretched.hypot(0.15005);
        assert!((found.furthest.value - expected).abs() < 1e-9);
        assert!((found.high[2].value - stretched).abs() < 1e-9);
    }
}
