//! The rows of a running simulation that are not in its folder yet.

use std::sync::{Mutex, PoisonError};

/// Rows shared between a run and its viewers. A viewer blocks the run only while it copies one column.
#[derive(Debug)]
pub(super) struct LiveRows(Mutex<LiveRowBuffer>);

#[derive(Debug)]
struct LiveRowBuffer {
    /// The number of values in a row, the time first.
    columns: usize,
    /// The number of the first row in memory.
    first: u64,
    values: Vec<f64>,
}

impl LiveRows {
    /// Creates a buffer that starts after the first `kept` rows, which are in the folder.
    pub(super) fn new(columns: usize, kept: u64) -> Self {
        Self(Mutex::new(LiveRowBuffer {
            columns: columns.max(1),
            first: kept,
            values: Vec::new(),
        }))
    }

    fn rows(&self) -> std::sync::MutexGuard<'_, LiveRowBuffer> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a row; the first `kept` rows are in the folder.
    pub(super) fn push(&self, time: f64, values: &[f64], kept: u64) {
        let mut rows = self.rows();
        rows.values.push(time);
        rows.values.extend_from_slice(values);
        rows.forget(kept);
    }

    /// Called when all rows are in the folder.
    pub(super) fn clear(&self) {
        let mut rows = self.rows();
        rows.first = u64::MAX;
        rows.values = Vec::new();
    }

    /// Times and values of a column from row number `from` on; `None` if the row is no longer in memory and is therefore in the folder.
    pub(super) fn from(&self, from: u64, column: usize) -> Option<(Vec<f64>, Vec<f64>)> {
        let rows = self.rows();
        if rows.values.is_empty() {
            return Some((Vec::new(), Vec::new()));
        }
        let skipped = from.checked_sub(rows.first)?;
        let left = rows
            .values
            .chunks_exact(rows.columns)
            .skip(skipped as usize);
        let value = |row: &[f64]| row.get(column).copied().unwrap_or(f64::NAN);
        Some(left.map(|row| (row[0], value(row))).unzip())
    }
}

impl LiveRowBuffer {
    fn forget(&mut self, kept: u64) {
        let here = (self.values.len() / self.columns) as u64;
        let gone = kept.saturating_sub(self.first).min(here);
        if gone > 0 {
            drop(self.values.drain(..gone as usize * self.columns));
            self.first += gone;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stay_in_the_tail_until_they_are_written() {
        let tail = LiveRows::new(2, 0);
        for i in 0..10_u32 {
            tail.push(f64::from(i), &[f64::from(10 * i)], 0);
        }
        let (t, x) = tail.from(7, 1).unwrap();
        assert_eq!((t, x), (vec![7.0, 8.0, 9.0], vec![70.0, 80.0, 90.0]));
        tail.push(10.0, &[100.0], 8);
        assert_eq!(tail.from(8, 0).unwrap().0, [8.0, 9.0, 10.0]);
        assert_eq!(tail.from(7, 0), None);
        assert_eq!(tail.from(11, 0).unwrap().0, [0.0; 0]);
        tail.clear();
        assert_eq!(tail.from(3, 0), Some((Vec::new(), Vec::new())));
    }
}
