//! Inverse kinematics of the frames of a tree.

use biela::core::math::{Mat3, Pose, Vec3};
use biela::core::model::{Model, Space};
use biela::core::robot::{Goal, InverseKinematics, InverseKinematicsSettings, Robot, RobotError};
use biela::core::tree::TreeLocation;
use biela::robot::start_of;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A solution: positions of the tree, whether the target is reached, distance and angle from it, and the distance by which it is beyond the reach of the arm.
pub(crate) type InverseAnswer = (Vec<f64>, bool, f64, f64, Option<f64>);

/// The search: random starts besides the first, their seed, and the largest number of solutions.
pub(crate) type InverseSearch = (usize, u64, usize);

/// A target: a point, a direction of the z axis there, or a matrix (4, 4).
#[derive(FromPyObject)]
pub(crate) enum Target {
    Pose([[f64; 4]; 4]),
    Axis([f64; 3], [f64; 3]),
    Point([f64; 3]),
}

impl Target {
    fn goal(&self) -> PyResult<Goal> {
        let finite = |numbers: &[f64]| {
            if numbers.iter().all(|x| x.is_finite()) {
                Ok(())
            } else {
                Err(PyValueError::new_err("the target must be finite"))
            }
        };
        match self {
            Target::Point(at) => {
                finite(at)?;
                Ok(Goal::Position(Vec3::from(*at)))
            }
            Target::Axis(at, direction) => {
                finite(at)?;
                finite(direction)?;
                let direction = Vec3::from(*direction);
                let size = direction.norm();
                if size <= 0.0 {
                    return Err(PyValueError::new_err("the direction must not be zero"));
                }
                Ok(Goal::Axis {
                    point: Vec3::from(*at),
                    axis: Vec3::z(),
                    direction: direction / size,
                })
            }
            Target::Pose(rows) => {
                finite(rows.as_flattened())?;
                let rotation = Mat3::from_fn(|i, j| rows[i][j]);
                let error = (rotation * rotation.transpose() - Mat3::identity()).norm();
                if error > 1e-6 || rotation.determinant() < 0.0 {
                    return Err(PyValueError::new_err(
                        "the target must be a matrix (4, 4) with a rotation, as `pose` returns",
                    ));
                }
                let point = Vec3::from_fn(|i, _| rows[i][3]);
                Ok(Goal::Pose(Pose::new(rotation, point)))
            }
        }
    }
}

/// The joints of a model as a robot, with their initial positions.
pub(crate) struct Arm {
    robot: Robot,
    start: Vec<f64>,
}

impl Arm {
    pub(crate) fn of(model: &Model) -> Result<Self, RobotError> {
        let robot = Robot::of(model)?;
        let start = start_of(model, &robot);
        Ok(Self { robot, start })
    }

    /// The tool of the robot.
    pub(crate) fn tool(&self) -> Result<&TreeLocation, RobotError> {
        self.robot.tool()
    }

    pub(crate) fn is_planar(&self) -> bool {
        self.robot.tree.space == Space::Planar
    }

    /// Joint positions at which a frame reaches the target, best first; without a solution, the closest pose.
    pub(crate) fn solve(
        &self,
        place: &TreeLocation,
        target: &Target,
        start: Option<&[f64]>,
        (starts, seed, most): InverseSearch,
    ) -> PyResult<Vec<InverseAnswer>> {
        let goal = target.goal()?;
        let robot = &self.robot;
        let joints = &robot.joints;
        let first: Vec<f64> = match start {
            Some(q) => joints.iter().map(|joint| q[joint.q]).collect(),
            None => self.start.clone(),
        };
        let search = InverseKinematicsSettings {
            starts: starts.saturating_add(1),
            seed,
            posture: Some(robot.posture.clone()),
            ..InverseKinematicsSettings::default()
        };
        let mut inverse = InverseKinematics::new(robot, place);
        let mut answers = Vec::new();
        if most > 1 {
            answers = inverse.solve_all(&goal, &first, &search, most);
        }
        if answers.is_empty() {
            answers.push(inverse.solve(&goal, &first, &search));
        }
        let neutral = robot.workspace().q;
        let positions = |values: &[f64]| {
            let mut q = start.map_or_else(|| neutral.clone(), <[f64]>::to_vec);
            robot.scatter_positions(values, &mut q);
            q
        };
        let answer = |a: &biela::core::robot::InverseKinematicsResult| {
            let q = positions(&a.q);
            (q, a.reached, a.distance, a.angle, a.beyond)
        };
        Ok(answers.iter().map(answer).collect())
    }
}
