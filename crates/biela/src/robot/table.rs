//! Time series from a CSV file, in the format that the analyses write: a heading, then one row of numbers per time.

use std::sync::Arc;

use biela_core::math::Jet;
use biela_core::model::{Law, SignalFunction};
use biela_core::robot::{Robot, RobotJoint};

use super::WorkbenchError;

/// Times and named columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MotionTable {
    times: Vec<f64>,
    names: Vec<String>,
    columns: Vec<Vec<f64>>,
}

impl MotionTable {
    /// Parses a text; `name` is used in messages. All errors are reported by line.
    pub fn parse(name: &str, text: &str) -> Result<MotionTable, WorkbenchError> {
        let mut problems = Vec::new();
        let mut lines = text.lines().enumerate();
        let heading = lines.next().map_or("", |(_, line)| line);
        let clean = |cell: &str| cell.trim().trim_matches('"').to_owned();
        let mut names: Vec<String> = heading.split(',').map(clean).collect();
        if names.first().map(String::as_str) != Some("time") {
            problems.push(format!("{name}:1: the first column must be called `time`"));
        }
        let width = names.len();
        let _ = names.remove(0);
        let mut table = MotionTable {
            columns: vec![Vec::new(); names.len()],
            names,
            times: Vec::new(),
        };
        for (k, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let cells: Vec<&str> = line.split(',').collect();
            if cells.len() != width {
                let found = cells.len();
                problems.push(format!(
                    "{name}:{}: {found} cells instead of {width}",
                    k + 1
                ));
                continue;
            }
            for (j, cell) in cells.into_iter().enumerate() {
                let value = cell.trim().parse::<f64>().ok().filter(|x| x.is_finite());
                let Some(value) = value else {
                    let (line, column) = (k + 1, j + 1);
                    problems.push(format!(
                        "{name}:{line}: cell {column}, `{}`, is not a finite number",
                        cell.trim()
                    ));
                    continue;
                };
                match j.checked_sub(1) {
                    Some(j) => table.columns[j].push(value),
                    None if table.times.last().is_some_and(|last| *last >= value) => {
                        problems.push(format!("{name}:{}: the time must increase", k + 1));
                    }
                    None => table.times.push(value),
                }
            }
        }
        if table.times.is_empty() && problems.is_empty() {
            problems.push(format!("{name}: the table has no rows"));
        }
        if problems.is_empty() {
            Ok(table)
        } else {
            problems.truncate(20);
            Err(WorkbenchError::Other(problems.join("\n")))
        }
    }

    /// Returns the first column that has one of these names.
    pub fn column(&self, names: &[String]) -> Option<&[f64]> {
        let found = names
            .iter()
            .find_map(|name| self.names.iter().position(|n| n == name))?;
        Some(&self.columns[found])
    }

    /// The times.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Returns the generalized forces of all joints of a robot as functions of time, from columns `JOINT`, `JOINT.effort` or `JOINT.total`, interpolated
    /// linearly or held from row to row.
    pub fn efforts(&self, robot: &Robot, hold: bool) -> Result<Vec<Law>, WorkbenchError> {
        let times: Arc<[f64]> = Arc::from(self.times.as_slice());
        let law = |joint: &RobotJoint| {
            let name = &joint.name;
            let names = [
                name.clone(),
                format!("{name}.effort"),
                format!("{name}.total"),
            ];
            let values = self.column(&names).ok_or_else(|| {
                WorkbenchError::Other(format!(
                    "joint `{name}` has no column of forces or torques; name it `{name}`, `{name}.effort` or `{name}.total`"
                ))
            })?;
            Ok(Law::Function {
                inputs: Arc::new([]),
                function: Arc::new(TimeSeries {
                    times: Arc::clone(&times),
                    values: values.to_vec(),
                    hold,
                }),
            })
        };
        robot.joints.iter().map(law).collect()
    }
}

/// A series as a function of time; it is constant outside its range.
#[derive(Debug)]
struct TimeSeries {
    times: Arc<[f64]>,
    values: Vec<f64>,
    hold: bool,
}

impl SignalFunction for TimeSeries {
    fn value(&self, time: f64, _: &[f64]) -> f64 {
        self.jet(time).value
    }

    fn jet(&self, time: f64) -> Jet {
        let after = self.times.partition_point(|t| *t <= time);
        let (Some(k), false) = (after.checked_sub(1), after == self.times.len()) else {
            let end = if after == 0 {
                self.values.first()
            } else {
                self.values.last()
            };
            return Jet::new(end.copied().unwrap_or(0.0), 0.0, 0.0);
        };
        if self.hold {
            return Jet::new(self.values[k], 0.0, 0.0);
        }
        let slope = (self.values[after] - self.values[k]) / (self.times[after] - self.times[k]);
        Jet::new(self.values[k] + slope * (time - self.times[k]), slope, 0.0)
    }

    fn next_corner(&self, after: f64) -> f64 {
        let next = self.times.partition_point(|t| *t <= after);
        self.times.get(next).copied().unwrap_or(f64::INFINITY)
    }
}
