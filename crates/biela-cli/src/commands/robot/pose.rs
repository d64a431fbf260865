//! Joint values on the command line: `--at 30deg,-0.5,100mm`.

use biela::core::robot::{Robot, RobotJoint};

use crate::failure::Failure;

/// Parses one value per joint, in the order of the robot; a single value applies to all joints.
pub(super) fn values(
    option: &str,
    text: &str,
    robot: &Robot,
    unit: impl Fn(&RobotJoint) -> &'static str,
) -> Result<Vec<f64>, Failure> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let n = robot.joints.len();
    if parts.len() != n && parts.len() != 1 {
        let names: Vec<&str> = robot.joints.iter().map(|j| j.name.as_str()).collect();
        return Err(Failure::command(format!(
            "{option}: {} for {n} joints; give one per joint, separated by commas: {}",
            crate::terminal::count(parts.len(), "value"),
            names.join(","),
        )));
    }
    let value = |(k, joint): (usize, &RobotJoint)| {
        let part = parts.get(k).unwrap_or(&parts[0]);
        biela::number(part, unit(joint)).map_err(|e| Failure::command(e.about(option)))
    };
    robot.joints.iter().enumerate().map(value).collect()
}

/// The values, or the initial positions of the model if the option is absent.
pub(super) fn position(
    text: Option<&String>,
    robot: &Robot,
    start: &[f64],
) -> Result<Vec<f64>, Failure> {
    text.map_or_else(
        || Ok(start.to_vec()),
        |text| values("--at", text, robot, RobotJoint::unit),
    )
}
