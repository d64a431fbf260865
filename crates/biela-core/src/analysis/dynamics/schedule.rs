//! External inputs during a run: tables of values over time, and the ends of ramps. Steps end where an input changes its course.

use std::sync::Arc;

use super::corners::slack;
use crate::keep::{Keep, Words};
use crate::model::Hold;
use crate::system::InputSegment;

/// The values of an external input over time.
///
/// ```
/// use biela_core::analysis::{InputTable, InputTableError};
///
/// assert!(InputTable::new(&[0.0, 0.5], &[10.0, 0.0]).is_ok());
/// assert_eq!(InputTable::new(&[], &[]), Err(InputTableError::Empty));
/// ```
///
/// [`Simulation::set_table`](super::Simulation::set_table) makes an input follow it.
#[derive(Clone, Debug, PartialEq)]
pub struct InputTable {
    times: Arc<[f64]>,
    values: Arc<[f64]>,
}

/// The reason why numbers are not a table of an input.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum InputTableError {
    /// There are no rows.
    Empty,
    /// There are not as many values as times.
    Lengths {
        /// Number of times.
        times: usize,
        /// Number of values.
        values: usize,
    },
    /// A time or value is NaN or infinite.
    NotFinite {
        /// Its row, counted from zero.
        row: usize,
    },
    /// A time is not greater than the one before it.
    Order {
        /// Its row, counted from zero.
        row: usize,
        /// The time, s.
        time: f64,
    },
}

impl std::fmt::Display for InputTableError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            InputTableError::Empty => write!(f, "the table has no rows; give at least one"),
            InputTableError::Lengths { times, values } => write!(
                f,
                "the table has {times} times and {values} values; give one value per time"
            ),
            InputTableError::NotFinite { row } => write!(
                f,
                "row {} of the table is NaN or infinite; give finite numbers",
                row + 1
            ),
            InputTableError::Order { row, time } => write!(
                f,
                "row {} of the table has the time {time} s, which is not after the row before it; sort the rows by time",
                row + 1
            ),
        }
    }
}

crate::readable_errors!(InputTableError);

impl InputTable {
    /// A table of values at strictly increasing times, s.
    pub fn new(times: &[f64], values: &[f64]) -> Result<Self, InputTableError> {
        if times.is_empty() {
            return Err(InputTableError::Empty);
        }
        if times.len() != values.len() {
            return Err(InputTableError::Lengths {
                times: times.len(),
                values: values.len(),
            });
        }
        let finite = times.iter().zip(values);
        let mut finite = finite.map(|(time, value)| time.is_finite() && value.is_finite());
        if let Some(row) = finite.position(|finite| !finite) {
            return Err(InputTableError::NotFinite { row });
        }
        if let Some(before) = times.windows(2).position(|pair| pair[1] <= pair[0]) {
            let row = before + 1;
            return Err(InputTableError::Order {
                row,
                time: times[row],
            });
        }
        Ok(InputTable {
            times: times.into(),
            values: values.into(),
        })
    }

    /// The number of rows up to a time.
    fn rows_until(&self, time: f64) -> usize {
        let now = time + slack(time);
        self.times.partition_point(|row| *row <= now)
    }

    /// The course of the input after a time: before the first row and after the last one it is constant.
    fn segment(&self, time: f64, hold: Hold) -> InputSegment {
        let rows = self.rows_until(time);
        let last = rows.saturating_sub(1);
        match hold {
            Hold::Linear if rows > 0 && rows < self.times.len() => InputSegment::line(
                (self.times[last], self.values[last]),
                (self.times[rows], self.values[rows]),
            ),
            _ => InputSegment::constant(self.values[last]),
        }
    }

    /// The time of the next row; infinite after the last one.
    fn next(&self, time: f64) -> f64 {
        let next = self.times.get(self.rows_until(time));
        next.copied().unwrap_or(f64::INFINITY)
    }
}

/// What is known of the future course of the external inputs.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    tables: Vec<Option<InputTable>>,
    /// Values that inputs with a first-order hold reach at the end of the next part of the run.
    pub(super) targets: Vec<Option<f64>>,
    /// The next time at which an input changes its course.
    pub(super) next: f64,
}

impl Keep for Schedule {
    fn keep(&mut self, words: &mut Words) {
        self.targets.keep(words);
        self.next.keep(words);
    }
}

impl Schedule {
    pub(super) fn new(inputs: usize) -> Self {
        Schedule {
            tables: vec![None; inputs],
            targets: vec![None; inputs],
            next: f64::INFINITY,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    pub(super) fn set_table(&mut self, input: usize, table: Option<InputTable>) {
        self.tables[input] = table;
        self.targets[input] = None;
    }

    /// Whether a table determines an input.
    pub(super) fn has_table(&self, input: usize) -> bool {
        self.tables[input].is_some()
    }

    /// The course of an input after a time: from its table, or the present one, which is constant after its end.
    pub(super) fn segment(
        &self,
        input: usize,
        hold: Hold,
        present: InputSegment,
        time: f64,
    ) -> InputSegment {
        match &self.tables[input] {
            Some(table) => table.segment(time, hold),
            None if present.slope != 0.0 && present.until <= time + slack(time) => {
                InputSegment::constant(present.at(present.until))
            }
            None => present,
        }
    }

    /// Finds the next time at which an input changes its course; `segments` are the present ones.
    pub(super) fn find_next(&mut self, segments: impl Iterator<Item = InputSegment>, time: f64) {
        self.next = f64::INFINITY;
        for (table, segment) in self.tables.iter().zip(segments) {
            let next = match table {
                Some(table) => table.next(time),
                None if segment.slope != 0.0 => segment.until,
                None => f64::INFINITY,
            };
            self.next = self.next.min(next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Hold, InputSegment, InputTable, InputTableError};

    #[test]
    fn a_table_holds_its_values_or_connects_them_by_lines() {
        let table = InputTable::new(&[1.0, 2.0, 4.0], &[10.0, 20.0, 0.0]).unwrap();
        let held = [0.0, 1.0, 1.5, 2.0, 5.0].map(|time| table.segment(time, Hold::Zero).at(time));
        assert_eq!(held, [10.0, 10.0, 10.0, 20.0, 0.0]);
        let lines = [0.0, 1.5, 3.0, 5.0].map(|time| table.segment(time, Hold::Linear).at(time));
        assert_eq!(lines, [10.0, 15.0, 10.0, 0.0]);
        assert_eq!(
            [0.0, 1.0, 4.0].map(|time| table.next(time)),
            [1.0, 2.0, f64::INFINITY]
        );
        assert_eq!(
            table.segment(9.0, Hold::Linear),
            InputSegment::constant(0.0)
        );
    }

    #[test]
    fn a_table_needs_finite_values_at_increasing_times() {
        let refused = |times: &[f64], values: &[f64]| InputTable::new(times, values).unwrap_err();
        assert_eq!(refused(&[], &[]), InputTableError::Empty);
        let lengths = InputTableError::Lengths {
            times: 2,
            values: 1,
        };
        assert_eq!(refused(&[0.0, 1.0], &[1.0]), lengths);
        let row = InputTableError::NotFinite { row: 1 };
        assert_eq!(refused(&[0.0, 1.0], &[1.0, f64::NAN]), row);
        let order = InputTableError::Order { row: 2, time: 1.0 };
        assert_eq!(refused(&[0.0, 1.0, 1.0], &[1.0; 3]), order);
    }
}
