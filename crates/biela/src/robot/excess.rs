//! Violations of limits by a motion.

use biela_core::robot::Robot;

use super::History;

/// The largest violation of a limit by a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Excess {
    /// The joint.
    pub joint: String,
    /// The quantity that exceeds its limit: position, rate (velocity) or effort (force or torque).
    pub what: &'static str,
    /// Unit.
    pub unit: &'static str,
    /// The time of the largest violation.
    pub time: f64,
    /// The value at this time.
    pub value: f64,
    /// The limit.
    pub limit: f64,
}

impl std::fmt::Display for Excess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Excess {
            joint,
            what,
            unit,
            time,
            value,
            limit,
        } = self;
        write!(
            f,
            "the {what} of `{joint}` reaches {value:.6} {unit} at t = {time:.4} s and exceeds its limit of {limit:.6} {unit}"
        )
    }
}

/// Returns the effort limits that columns `JOINT.WORD` violate.
pub fn effort_excesses(robot: &Robot, history: &History, word: &str) -> Vec<Excess> {
    let mut found = Vec::new();
    for joint in &robot.joints {
        let limit = joint.limits.effort;
        let values = history.column(&format!("{}.{word}", joint.name));
        let rows = history.times.iter().zip(values.unwrap_or(&[]));
        let worst = rows.max_by(|(_, a), (_, b)| a.abs().total_cmp(&b.abs()));
        if let Some((&time, &value)) = worst.filter(|(_, value)| value.abs() > limit) {
            found.push(Excess {
                joint: joint.name.clone(),
                what: "effort",
                unit: joint.effort_unit(),
                time,
                value,
                limit: limit.copysign(value),
            });
        }
    }
    found
}
