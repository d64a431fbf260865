//! Joint motions that move the tool along a path: the common part of `line` and `circle`.
//!
//! ```text
//! J q̇ = V        J q̈ = A − J̇ q̇        V = X' ṡ, A = X' s̈ + X'' ṡ²        X(s) the path, s(t) the time law
//! ```
//!
//! The path is traversed in small steps: q̇ = J⁺ V is integrated (Runge–Kutta), and inverse kinematics started from the end of each step corrects it
//! onto the path, so that the arm never changes its solution branch. Positions, velocities and accelerations are exact at the steps and interpolated by
//! polynomials of degree five between them. Steps are halved until the tool is on the path between them too, within a tolerance.

use super::pieces::{Pieces, hermite};
use super::trapezoidal::TrapezoidalPlan;
use crate::element::{ArgumentError, Arguments, field_group};
use crate::math::dense::least_squares;
use crate::math::spatial::Twist;
use crate::math::{Pose, damped_least_squares};
use crate::robot::{Goal, InverseKinematics, Robot, RobotWorkspace, Singularity};
use crate::tree::TreeLocation;

/// A point of a path: the frame, and its first and second derivatives with respect to the path parameter.
pub(super) struct PathPoint {
    pub(super) pose: Pose,
    pub(super) along: Twist,
    pub(super) bend: Twist,
}

/// A path from s = 0 to 1.
pub(super) trait ToolPath {
    /// Returns the point at parameter `s`.
    fn at(&self, s: f64) -> PathPoint;
}

/// Time laws of the path parameter.
pub(super) const LAWS: &[&str] = &["quintic", "cubic", "septic", "trapezoidal"];

field_group! { $ from_field {
    /// joint positions at the start, which determine the start pose of the tool
    from: PerJoint { order: 0 },
} }
field_group! { $ duration_field {
    /// duration of the motion
    duration: Positive { unit: "s" },
} }
field_group! { $ law_field {
    /// time law of the path parameter, from rest to rest
    law: Choice($crate::control::trajectories::follow::LAWS) = "quintic",
} }

/// The time law: the path parameter from 0 to 1.
fn law(arguments: &Arguments) -> Pieces {
    let duration = arguments.number("duration");
    let n = match arguments.word("law").as_str() {
        "cubic" => 2,
        "septic" => 4,
        "trapezoidal" => {
            let thirds = TrapezoidalPlan::one(duration, duration / 3.0);
            return thirds.pieces(&[vec![0.0], vec![1.0]]);
        }
        _ => 3,
    };
    let mut coefficients = Vec::new();
    let [from, to] = [[0.0; 4], [1.0, 0.0, 0.0, 0.0]];
    hermite(&from[..n], &to[..n], &mut coefficients);
    Pieces::new(1, vec![0.0, duration], 2 * n, coefficients, false)
}

/// Initial and largest number of steps for each piece of the time law.
const FEWEST_STEPS: usize = 16;
const MOST_STEPS: usize = 4096;
/// Number of steps that is large enough to report an obstacle and its time.
const CLOSE_STEPS: usize = 512;
/// Largest deviation of the tool from the path between steps, relative to the length of the arm.
const STRAY: f64 = 1e-9;
/// Largest deviation of its acceleration from that along the path, relative to the largest acceleration.
const STRAY_ACCELERATION: f64 = 1e-6;
/// Ratio of the smallest to the largest singular value below which a pose counts as singular.
const SINGULAR: f64 = 1e-4;
/// Largest correction at the end of a step, in radians or relative to the length of the arm; a larger one indicates another solution branch.
const LARGEST_CORRECTION: f64 = 1e-3;

/// The reason why a path cannot be followed to its end.
enum Obstacle {
    /// An error that is reported to the user.
    Final(String),
    /// Smaller steps may help.
    Coarse(f64),
}

/// Computes the joint motion along a path that starts at the joint positions `from`.
pub(super) fn follow(
    robot: &Robot,
    path: &dyn ToolPath,
    free: bool,
    arguments: &Arguments,
) -> Result<Pieces, String> {
    let place = *robot.tool().map_err(|error| error.to_string())?;
    let law = law(arguments);
    let from = arguments.numbers("from");
    let mut walker = Walker {
        robot,
        place,
        path,
        free,
        inverse: InverseKinematics::new(robot, &place),
        ws: robot.workspace(),
        columns: vec![Twist::zero(); robot.joints.len()],
    };
    let task = walker.goal(0.0).directions(robot.tree.space).len();
    let joints = robot.joints.len();
    if joints < task {
        return Err(format!(
            "{joints} joints cannot control {task} components of position and orientation: set orientation = \"free\""
        ));
    }
    let mut steps = FEWEST_STEPS;
    loop {
        match walker.walk(&law, &from, steps) {
            Ok(pieces) => return Ok(pieces),
            Err(Obstacle::Final(reason)) if steps >= CLOSE_STEPS => return Err(reason),
            Err(Obstacle::Coarse(time)) if steps >= MOST_STEPS => {
                return Err(format!(
                    "at t = {time:.4} s the path is too close to a singular configuration: the joint velocities grow too large"
                ));
            }
            Err(_) => steps *= 2,
        }
    }
}

/// Moves the robot along a path.
struct Walker<'r> {
    robot: &'r Robot,
    place: TreeLocation,
    path: &'r dyn ToolPath,
    /// Whether the orientation is free.
    free: bool,
    inverse: InverseKinematics<'r>,
    ws: RobotWorkspace,
    columns: Vec<Twist>,
}

/// Positions, velocities and accelerations of the joints.
#[derive(Clone)]
struct Knot([Vec<f64>; 3]);

impl Walker<'_> {
    fn goal(&self, s: f64) -> Goal {
        let pose = self.path.at(s).pose;
        if self.free {
            Goal::Position(pose.p)
        } else {
            Goal::Pose(pose)
        }
    }

    /// Returns the minimum-norm joint motion that produces the twist `x` of the tool: `J⁺ x`, with the current Jacobian.
    fn least(&self, x: &Twist) -> Vec<f64> {
        let directions = self.goal(0.0).directions(self.robot.tree.space);
        let (m, n) = (directions.len(), self.columns.len());
        let length = self.inverse.length();
        let with_room = |twist: &Twist| -> Vec<f64> {
            let mut list: Vec<f64> = directions.components(twist, length).collect();
            list.resize(m + n, 0.0);
            list
        };
        let mut columns: Vec<Vec<f64>> = self.columns.iter().map(with_room).collect();
        let mut right = with_room(x);
        let mut out = vec![0.0; n];
        damped_least_squares(&mut columns, &mut right, 1e-15, &mut out);
        out
    }

    fn place(&mut self, q: &[f64]) {
        let _ = self.robot.pose(&mut self.ws, &self.place, q);
        self.robot
            .jacobian(&self.ws, &self.place, &mut self.columns);
    }

    /// q̇ = J⁺ X' ṡ.
    fn rates(&mut self, q: &[f64], [s, speed, _]: [f64; 3]) -> Vec<f64> {
        let velocity = self.path.at(s).along * speed;
        self.place(q);
        self.least(&velocity)
    }

    /// Returns velocities and accelerations at a pose on the path.
    ///
    /// The minimum-norm velocities of a redundant arm are q̇ = Jᵀ y. From q̈ = J̇ᵀ y + Jᵀ ẏ, the null-space part of its accelerations is that
    /// of J̇ᵀ y, with J̇ from finite differences.
    fn knot(&mut self, q: &[f64], way: [f64; 3]) -> Knot {
        let [s, speed, push] = way;
        let rate = self.rates(q, way);
        let n = q.len();
        let still = vec![0.0; n];
        let moved = self.robot.motion(
            &mut self.ws,
            &self.place,
            [q, &rate, &still],
            &mut self.columns,
        );
        let at = self.path.at(s);
        let wanted = at.along * push + at.bend * (speed * speed);
        let mut acceleration = self.least(&(wanted - moved.acceleration));
        let directions = self.goal(s).directions(self.robot.tree.space);
        let size = rate.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        if n > directions.len() && size > 0.0 {
            let length = self.inverse.length();
            let rows = |columns: &[Twist]| -> Vec<Vec<f64>> {
                let mut rows = vec![Vec::with_capacity(n); directions.len()];
                for column in columns {
                    for (row, x) in rows.iter_mut().zip(directions.components(column, length)) {
                        row.push(x);
                    }
                }
                rows
            };
            let here = self.columns.clone();
            let mut now = rows(&here);
            // Jᵀ y = q̇
            let mut y = least_squares(&mut now, &mut rate.clone());
            let step = 1e-5 / size;
            for y in &mut y {
                *y /= 2.0 * step;
            }
            let mut pull = vec![0.0; n];
            for sign in [1.0, -1.0] {
                let near: Vec<f64> = q
                    .iter()
                    .zip(&rate)
                    .map(|(q, v)| q + sign * step * v)
                    .collect();
                self.place(&near);
                for (row, y) in rows(&self.columns).iter().zip(&y) {
                    for (x, a) in pull.iter_mut().zip(row) {
                        *x += sign * a * y;
                    }
                }
            }
            self.columns = here;
            let mut effect = Twist::zero();
            for (column, x) in self.columns.iter().zip(&pull) {
                effect += *column * *x;
            }
            let seen = self.least(&effect);
            for ((a, x), seen) in acceleration.iter_mut().zip(&pull).zip(&seen) {
                *a += x - seen;
            }
        }
        Knot([q.to_vec(), rate, acceleration])
    }

    /// Returns the pose on the path that is closest to a predicted one.
    fn correct(&mut self, predicted: &[f64], s: f64, time: f64) -> Result<Vec<f64>, Obstacle> {
        let goal = self.goal(s);
        let mut q = predicted.to_vec();
        let (reached, distance) = self.inverse.correct(&goal, &mut q);
        let limit = |k: usize| {
            let limits = &self.robot.joints[k].limits;
            q[k] <= limits.lower || q[k] >= limits.upper
        };
        if let Some(k) = (0..q.len()).find(|&k| limit(k)).filter(|_| !reached) {
            return Err(Obstacle::Final(format!(
                "at t = {time:.4} s joint `{}` is at its limit, and the tool is {:.3} mm off the path",
                self.robot.joints[k].name,
                1e3 * distance
            )));
        }
        let length = self.inverse.length();
        let moved = { q.iter().zip(predicted).zip(&self.robot.joints) }
            .fold(0.0, |m: f64, ((a, b), joint)| {
                m.max((a - b).abs() / if joint.angle { 1.0 } else { length })
            });
        self.place(&q);
        let directions = goal.directions(self.robot.tree.space);
        let singularity = Singularity::of(&self.columns, &directions, length);
        if singularity.condition() > 1.0 / SINGULAR {
            return Err(Obstacle::Final(format!(
                "at t = {time:.4} s the arm is in a singular configuration: no joint motion produces {} of the tool",
                singularity.weakest
            )));
        }
        if !reached || moved > LARGEST_CORRECTION {
            return Err(Obstacle::Coarse(time));
        }
        Ok(q)
    }

    fn walk(&mut self, law: &Pieces, from: &[f64], steps: usize) -> Result<Pieces, Obstacle> {
        let (mut breaks, mut coefficients) = (vec![0.0], Vec::new());
        let mut q = self.correct(from, 0.0, 0.0)?;
        let mut checks: Vec<(f64, [f64; 3])> = Vec::new();
        let mut largest = 0.0_f64;
        for piece in 0..law.count() {
            let (begin, end) = law.span(piece);
            let h = (end - begin) / steps as f64;
            let way = |u: f64| {
                let [s, speed, push, _] = law.in_piece(piece, 0, u);
                [s, speed, push]
            };
            let at = |k: f64| k / steps as f64;
            let mut knot = self.knot(&q, way(0.0));
            for k in 0..steps {
                let (a, b) = (at(k as f64), at(k as f64 + 1.0));
                let middle = way(0.5 * (a + b));
                // one classical Runge–Kutta step
                let ahead = |rate: &[f64], part: f64| -> Vec<f64> {
                    q.iter().zip(rate).map(|(q, v)| q + part * h * v).collect()
                };
                let k1 = knot.0[1].clone();
                let k2 = self.rates(&ahead(&k1, 0.5), middle);
                let k3 = self.rates(&ahead(&k2, 0.5), middle);
                let k4 = self.rates(&ahead(&k3, 1.0), way(b));
                let mean: Vec<f64> = (0..q.len())
                    .map(|i| (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]) / 6.0)
                    .collect();
                let time = begin + (end - begin) * b;
                q = self.correct(&ahead(&mean, 1.0), way(b)[0], time)?;
                let next = self.knot(&q, way(b));
                for joint in 0..q.len() {
                    let [from, to] = [&knot, &next].map(|knot| {
                        let [q, v, a] = [0, 1, 2].map(|i| knot.0[i][joint]);
                        [q, v * h, a * h * h]
                    });
                    hermite(&from, &to, &mut coefficients);
                }
                breaks.push(time);
                let at = self.path.at(middle[0]);
                let wanted = at.along * middle[2] + at.bend * (middle[1] * middle[1]);
                largest = largest
                    .max(wanted.v.norm() / self.inverse.length())
                    .max(wanted.w.norm());
                checks.push((begin + (end - begin) * 0.5 * (a + b), middle));
                knot = next;
            }
        }
        let pieces = Pieces::new(q.len(), breaks, 6, coefficients, false);
        for (time, way) in checks {
            if !self.keeps(&pieces, time, way, largest) {
                return Err(Obstacle::Coarse(time));
            }
        }
        Ok(pieces)
    }

    /// Whether the tool is on the path at a time between steps and has the correct acceleration.
    fn keeps(
        &mut self,
        pieces: &Pieces,
        time: f64,
        [s, speed, push]: [f64; 3],
        largest: f64,
    ) -> bool {
        let n = self.columns.len();
        let mut motion = [vec![0.0; n], vec![0.0; n], vec![0.0; n]];
        let [q, v, a] = &mut motion;
        crate::control::Trajectory::at(pieces, time, q, v, a);
        let moved = self
            .robot
            .motion(&mut self.ws, &self.place, [q, v, a], &mut self.columns);
        let goal = self.goal(s);
        let directions = goal.directions(self.robot.tree.space);
        let length = self.inverse.length();
        let at = self.path.at(s);
        let wanted = at.along * push + at.bend * (speed * speed);
        let worst = |twist: &Twist| {
            let parts = directions.components(twist, length);
            parts.fold(0.0, |m: f64, x| m.max(x.abs()))
        };
        worst(&goal.apart(&moved.pose)) <= STRAY
            && worst(&(moved.acceleration - wanted)) <= STRAY_ACCELERATION * largest
    }
}

/// The robot of a setting, or an error with the reason why there is none.
pub(super) fn robot_of<'a>(setting: &super::Setting<'a>) -> Result<&'a Robot, ArgumentError> {
    setting.robot.clone().map_err(|message| ArgumentError {
        field: "type",
        message,
    })
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, TAU};

    use super::*;
    use crate::control::Trajectory;
    use crate::control::trajectories::{Setting, build};
    use crate::element::FieldValue;
    use crate::math::Vec3;
    use crate::math::rotation::about_axis;
    use crate::model::Space;
    use crate::robot::suite::{puma, seven, two_links};
    use std::sync::Arc;

    type Made = Result<Arc<dyn Trajectory>, ArgumentError>;

    fn made(
        robot: &Robot,
        kind: &str,
        from: &[f64],
        fields: Vec<(&'static str, FieldValue)>,
    ) -> Made {
        let mut arguments = Arguments::new(robot.tree.space)
            .with("from", FieldValue::Numbers(from.to_vec()))
            .with("duration", FieldValue::Number(2.0));
        for (name, value) in fields {
            arguments.set(name, value);
        }
        let setting = Setting {
            joints: robot.joints.iter().map(|joint| joint.limits).collect(),
            start: 0.0,
            robot: Ok(robot),
        };
        build(kind, &arguments, &setting).unwrap()
    }

    /// Motion of the tool at a time of a trajectory.
    fn tool(robot: &Robot, motion: &dyn Trajectory, time: f64) -> crate::robot::FrameMotion {
        let n = robot.joints.len();
        let mut all = [vec![0.0; n], vec![0.0; n], vec![0.0; n]];
        let [q, v, a] = &mut all;
        motion.at(time, q, v, a);
        let place = *robot.tool().unwrap();
        robot.motion(
            &mut robot.workspace(),
            &place,
            [q, v, a],
            &mut vec![Twist::zero(); n],
        )
    }

    const PUMA: [f64; 6] = [0.3, -0.9, 0.6, 0.4, 0.8, -0.2];
    const SEVEN: [f64; 7] = [0.2, 0.6, -0.3, -1.3, 0.4, 0.9, 0.1];

    /// The minimum-jerk law: value, velocity and acceleration.
    fn quintic(u: f64, duration: f64) -> [f64; 3] {
        [
            u.powi(3) * (10.0 - 15.0 * u + 6.0 * u * u),
            30.0 * u * u * (1.0 - u) * (1.0 - u) / duration,
            60.0 * u * (1.0 - u) * (1.0 - 2.0 * u) / (duration * duration),
        ]
    }

    #[test]
    fn a_tool_on_a_line_has_the_position_velocity_and_acceleration_of_the_time_law() {
        for (model, from) in [(puma(), PUMA.to_vec()), (seven(), SEVEN.to_vec())] {
            let robot = Robot::of(&model).unwrap();
            let place = *robot.tool().unwrap();
            let begin = robot.pose(&mut robot.workspace(), &place, &from);
            let way = Vec3::new(0.05, -0.15, 0.1);
            let turn = Vec3::new(0.2, 0.1, -0.5);
            let end = about_axis(&turn.normalize(), turn.norm()) * begin.R;
            let fields = vec![
                ("to", FieldValue::Vector(begin.p + way)),
                ("rotation", FieldValue::Rotation(end)),
            ];
            let motion = made(&robot, "line", &from, fields).unwrap();
            assert!(motion.corners().is_empty());
            for k in 0..=77 {
                let time = 2.0 * f64::from(k) / 77.0;
                let [s, speed, push] = quintic(time / 2.0, 2.0);
                let found = tool(&robot, &*motion, time);
                assert!((found.pose.p - begin.p - way * s).norm() < 1e-9);
                assert!((found.velocity.v - way * speed).norm() < 1e-7);
                assert!((found.velocity.w - turn * speed).norm() < 1e-7);
                assert!((found.acceleration.v - way * push).norm() < 1e-5);
                assert!((found.acceleration.w - turn * push).norm() < 1e-5);
                let turned = about_axis(&turn.normalize(), s * turn.norm()) * begin.R;
                assert!((found.pose.R - turned).norm() < 1e-8);
            }
        }
    }

    #[test]
    fn a_tool_on_a_circle_keeps_the_radius_with_constant_rotating_or_free_orientation() {
        let robot = Robot::of(&puma()).unwrap();
        let place = *robot.tool().unwrap();
        let begin = robot.pose(&mut robot.workspace(), &place, &PUMA);
        let center = begin.p + Vec3::new(0.0, 0.06, 0.03);
        for orientation in ["keep", "turn"] {
            let fields = vec![
                ("center", FieldValue::Vector(center)),
                ("axis", FieldValue::Vector(Vec3::x())),
                (
                    "angle",
                    FieldValue::Number(if orientation == "turn" { 1.0 } else { TAU }),
                ),
                ("orientation", FieldValue::Word(orientation.to_owned())),
            ];
            let motion = made(&robot, "circle", &PUMA, fields).unwrap();
            let radius = (begin.p - center).norm();
            for k in 0..=50 {
                let found = tool(&robot, &*motion, 0.04 * f64::from(k));
                assert!(((found.pose.p - center).norm() - radius).abs() < 1e-9);
                assert!((found.pose.p - center)[0].abs() < 1e-9);
                assert!(found.velocity.v.dot(&(found.pose.p - center)).abs() < 1e-7);
            }
            let end = tool(&robot, &*motion, 2.0);
            if orientation == "keep" {
                assert!((end.pose.p - begin.p).norm() < 1e-9);
                assert!((end.pose.R - begin.R).norm() < 1e-9);
            } else {
                let turned = about_axis(&Vec3::x(), 1.0) * begin.R;
                assert!((end.pose.R - turned).norm() < 1e-9);
            }
        }
    }

    #[test]
    fn an_arc_passes_through_its_points_in_order() {
        let robot = Robot::of(&two_links()).unwrap();
        let from = [0.2, 1.2];
        let place = *robot.tool().unwrap();
        let begin = robot.pose(&mut robot.workspace(), &place, &from).p;
        // a circle of radius 0.1 with its centre left of the start
        let on = |angle: f64| begin + Vec3::new(angle.cos() - 1.0, angle.sin(), 0.0) * 0.1;
        let points = [on(1.0), on(4.0)].map(|p| p.as_slice().to_vec());
        let fields = vec![
            ("through", FieldValue::Points(points.to_vec())),
            ("orientation", FieldValue::Word("free".to_owned())),
            ("law", FieldValue::Word("trapezoidal".to_owned())),
        ];
        let motion = made(&robot, "circle", &from, fields).unwrap();
        assert!((tool(&robot, &*motion, 2.0).pose.p - on(4.0)).norm() < 1e-9);
        // ramps of a third: half of the path at half of the time, and φ̇ = 1.5 Φ/T between the ramps
        assert!((tool(&robot, &*motion, 1.0).pose.p - on(2.0)).norm() < 1e-9);
        assert!((tool(&robot, &*motion, 1.0).velocity.v.norm() - 0.1 * 4.0 * 0.75).abs() < 1e-8);
        let corners = motion.corners();
        for (found, expected) in corners.iter().zip([0.0, 2.0 / 3.0, 4.0 / 3.0, 2.0]) {
            assert!((found - expected).abs() < 1e-12, "{corners:?}");
        }
        assert_eq!(corners.len(), 4);
    }

    #[test]
    fn a_path_that_cannot_be_followed_is_rejected_with_time_and_reason() {
        let mut model = two_links();
        let robot = Robot::of(&model).unwrap();
        let straight = |to: Vec3<f64>| {
            vec![
                ("to", FieldValue::Vector(to)),
                ("orientation", FieldValue::Word("free".to_owned())),
            ]
        };
        let from = [0.0, FRAC_PI_2];
        // fully stretched on the outward path
        let out = made(&robot, "line", &from, straight(Vec3::new(0.5, 0.9, 0.0))).unwrap_err();
        assert!(out.message.contains("singular"), "{}", out.message);
        // the distance to the path equals the length of the arm at s = (√(0.8² − 0.5²) − 0.3)/0.6
        let way = ((0.64_f64 - 0.25).sqrt() - 0.3) / 0.6;
        let when = { (0..20_000).map(|k| f64::from(k) * 1e-4) }
            .find(|t| quintic(t / 2.0, 2.0)[0] >= way)
            .unwrap();
        let told = out.message.split("t = ").nth(1).unwrap();
        let told: f64 = told.split(' ').next().unwrap().parse().unwrap();
        assert!((told - when).abs() < 0.01, "{told} {when}");
        // three components for two joints
        let held = vec![("to", FieldValue::Vector(Vec3::new(0.4, 0.3, 0.0)))];
        let kept = made(&robot, "line", &from, held).unwrap_err();
        assert!(kept.message.contains("orientation = \"free\""));
        model.joints[1].limits.upper = 1.7;
        model.joints[1].limits.lower = 0.2;
        let limited = Robot::of(&model).unwrap();
        let stopped =
            made(&limited, "line", &from, straight(Vec3::new(0.3, 0.2, 0.0))).unwrap_err();
        assert!(
            stopped.message.contains("joint `j1` is at its limit"),
            "{}",
            stopped.message
        );
    }

    #[test]
    fn collinear_points_do_not_define_an_arc() {
        let robot = Robot::of(&two_links()).unwrap();
        let from = [0.2, 1.2];
        let begin = robot
            .pose(&mut robot.workspace(), robot.tool().unwrap(), &from)
            .p;
        let points: Vec<Vec<f64>> = [0.1, 0.2]
            .map(|x| (begin + Vec3::new(x, x, 0.0)).as_slice().to_vec())
            .to_vec();
        let fields = vec![("through", FieldValue::Points(points))];
        assert_eq!(
            made(&robot, "circle", &from, fields).unwrap_err().field,
            "through"
        );
        assert_eq!(
            made(&robot, "circle", &from, Vec::new()).unwrap_err().field,
            "center"
        );
        assert_eq!(robot.tree.space, Space::Planar);
    }
}
