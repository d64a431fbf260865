//! Reference motions of a robot: trajectories of all of its joints.

use biela_core::control::trajectories::{Bound, Violation, violations};
use biela_core::model::{JointLimits, Model, TrajectoryElement};
use biela_core::robot::{Robot, RobotJoint, RobotWorkspace};

use super::{Excess, History, WorkbenchError};

/// A reference motion of all joints of a robot. Joints that are not part of the trajectory stay at their initial positions.
#[derive(Clone, Debug)]
pub struct RobotReference {
    /// The robot.
    pub robot: Robot,
    /// The trajectory.
    pub element: TrajectoryElement,
    /// The index in the robot of each joint of the trajectory.
    slots: Vec<usize>,
    start: Vec<f64>,
    moved: [Vec<f64>; 3],
    /// Position, velocity and acceleration of every joint, set by [`RobotReference::at`].
    pub point: [Vec<f64>; 3],
}

/// Returns the trajectory with this name, or the only one.
pub fn trajectory<'m>(
    model: &'m Model,
    name: Option<&str>,
) -> Result<&'m TrajectoryElement, WorkbenchError> {
    let known = || model.trajectories.iter().map(|t| t.name.clone()).collect();
    match (name, model.trajectories.as_slice()) {
        (_, []) => Err(WorkbenchError::NoTrajectory),
        (None, [only]) => Ok(only),
        (None, _) => Err(WorkbenchError::Which {
            asked: None,
            known: known(),
        }),
        (Some(name), list) => {
            list.iter()
                .find(|t| t.name == name)
                .ok_or_else(|| WorkbenchError::Which {
                    asked: Some(name.to_owned()),
                    known: known(),
                })
        }
    }
}

/// The initial positions of the joints of a robot: as written, or zero clamped to the limits.
pub fn start_of(model: &Model, robot: &Robot) -> Vec<f64> {
    let of = |joint: &RobotJoint| {
        let written = &model.joints[joint.index.0].initial;
        let given = written.iter().find_map(|start| start.value);
        given.unwrap_or_else(|| joint.limits.clamp(0.0))
    };
    robot.joints.iter().map(of).collect()
}

impl RobotReference {
    /// Returns the reference motion of a model along the named trajectory, or along the only one.
    pub fn of(model: &Model, name: Option<&str>) -> Result<Self, WorkbenchError> {
        Self::along(model, Robot::complete(model)?, name)
    }

    /// Returns the reference motion of a robot that may have degrees of freedom beyond its joints.
    pub fn along(model: &Model, robot: Robot, name: Option<&str>) -> Result<Self, WorkbenchError> {
        let element = trajectory(model, name)?.clone();
        let slot = |joint| robot.joints.iter().position(|j| j.index == joint);
        let slots: Option<Vec<usize>> = element.joints.iter().map(|j| slot(*j)).collect();
        let slots = slots.ok_or_else(|| {
            WorkbenchError::Other(format!(
                "trajectory `{}` moves a joint that does not belong to the robot; add it to `joints` of [robot]",
                element.name
            ))
        })?;
        let start = start_of(model, &robot);
        let (n, moved) = (start.len(), slots.len());
        Ok(RobotReference {
            robot,
            element,
            slots,
            start,
            moved: [(); 3].map(|()| vec![0.0; moved]),
            point: [(); 3].map(|()| vec![0.0; n]),
        })
    }

    /// Evaluates the motion at a time.
    pub fn at(&mut self, time: f64) {
        let [q, rate, acceleration] = &mut self.moved;
        self.element.motion.at(time, q, rate, acceleration);
        self.point[0].copy_from_slice(&self.start);
        self.point[1].fill(0.0);
        self.point[2].fill(0.0);
        for (k, &slot) in self.slots.iter().enumerate() {
            for (all, moved) in self.point.iter_mut().zip(&self.moved) {
                all[slot] = moved[k];
            }
        }
    }

    /// Returns evenly spaced times from the start to the end of the trajectory, or to `to`.
    pub fn times(&self, points: usize, to: Option<f64>) -> Result<Vec<f64>, WorkbenchError> {
        let end = to.unwrap_or_else(|| self.element.motion.duration());
        if !end.is_finite() {
            return Err(WorkbenchError::Endless {
                trajectory: self.element.name.clone(),
            });
        }
        let last = points.saturating_sub(1).max(1);
        // each joint has up to four columns, and those are copied once
        let columns = 8 * self.robot.joints.len();
        crate::table_fits(last as f64 + 1.0, columns)
            .map_err(|error| WorkbenchError::Run(Box::new(error)))?;
        Ok((0..=last).map(|k| end * k as f64 / last as f64).collect())
    }

    /// Returns position, velocity and acceleration of every joint, and the pose of the tool.
    pub fn history(&mut self, times: &[f64]) -> History {
        let mut history = History {
            times: times.to_vec(),
            ..History::default()
        };
        let words = [
            ("position", ["m", "rad"], "reference position of the joint"),
            ("rate", ["m/s", "rad/s"], "reference velocity of the joint"),
            (
                "acceleration",
                ["m/s^2", "rad/s^2"],
                "reference acceleration of the joint",
            ),
        ];
        let columns = words.map(|(word, units, text)| {
            let joints = self.robot.joints.iter();
            let add = |joint: &RobotJoint| {
                let unit = units[usize::from(joint.angle)];
                history.add(format!("{}.{word}", joint.name), unit, text)
            };
            joints.map(add).collect::<Vec<usize>>()
        });
        let tool = self.robot.tool.is_some().then(|| {
            let along = ["x", "y", "z"];
            along.map(|x| history.add(format!("tool.{x}"), "m", "reference position of the tool"))
        });
        let mut ws = self.robot.workspace();
        for &time in times {
            self.at(time);
            for (part, columns) in self.point.iter().zip(&columns) {
                for (value, &column) in part.iter().zip(columns) {
                    history.values[column].push(*value);
                }
            }
            if let (Some(columns), Ok(pose)) = (tool, self.robot.tool_pose(&mut ws, &self.point[0]))
            {
                for (k, column) in columns.into_iter().enumerate() {
                    history.values[column].push(pose.p[k]);
                }
            }
        }
        for list in &columns {
            history.draw(list);
        }
        if let Some(columns) = tool {
            history.draw(&columns);
        }
        history
    }

    /// Returns the position and velocity limits that the trajectory violates up to a time.
    pub fn excesses(&self, until: f64) -> Vec<Excess> {
        let moved = self.slots.iter().map(|&slot| &self.robot.joints[slot]);
        let limits: Vec<JointLimits> = moved.map(|joint| joint.limits).collect();
        let found = violations(self.element.motion.as_ref(), &limits, until);
        let excess = |violation: Violation| {
            let joint = &self.robot.joints[self.slots[violation.joint]];
            let (what, unit) = match (violation.bound, joint.angle) {
                (Bound::Rate, true) => ("rate", "rad/s"),
                (Bound::Rate, false) => ("rate", "m/s"),
                _ => ("position", joint.unit()),
            };
            Excess {
                joint: joint.name.clone(),
                what,
                unit,
                time: violation.time,
                value: violation.value,
                limit: violation.limit,
            }
        };
        found.into_iter().map(excess).collect()
    }

    /// Creates the buffers for the robot.
    pub fn workspace(&self) -> RobotWorkspace {
        self.robot.workspace()
    }
}
