//! Identifies the rows that may be dependent, without a factorisation.
//!
//! A velocity is private to an element if the rows of no other element involve it. An element whose rows have full rank in its private velocities is
//! independent of all others: no combination of other rows involves these velocities. It is removed, its velocities may become private to another
//! element, and so on. Nothing remains of a tree of joints; of a mechanism with a loop, the rows of the loop remain.

use crate::math::RowPattern;

/// A row is independent of others in private velocities if at least this fraction of its squared norm is.
const CLEARLY: f64 = 1e-4;

/// Returns which rows may depend on others; `groups` gives the element of each row, as consecutive numbers in increasing order.
pub(crate) fn coupled_rows(pattern: &RowPattern, values: &[f64], groups: &[usize]) -> Vec<bool> {
    let Some(last) = groups.iter().max() else {
        return Vec::new();
    };
    let mut rows_of = vec![Vec::new(); last + 1];
    for (row, group) in groups.iter().enumerate() {
        rows_of[*group].push(row);
    }
    let mut users = Users::new(pattern, groups);
    let mut coupled = vec![true; groups.len()];
    let mut waiting: Vec<usize> = (0..rows_of.len()).collect();
    while let Some(group) = waiting.pop() {
        let rows = &rows_of[group];
        let is_left = rows.first().is_some_and(|row| coupled[*row]);
        if !is_left || !users.let_free(pattern, values, rows) {
            continue;
        }
        for row in rows {
            coupled[*row] = false;
        }
        users.remove(group, &mut waiting);
    }
    coupled
}

/// The elements that involve each velocity.
struct Users {
    /// The velocities that each group involves.
    columns_of: Vec<Vec<usize>>,
    /// The number of groups that involve each velocity, and the sum of their indices: the index of the last remaining one.
    count: Vec<usize>,
    sum: Vec<usize>,
}

impl Users {
    fn new(pattern: &RowPattern, groups: &[usize]) -> Self {
        let columns = pattern.columns.iter().max().map_or(0, |last| last + 1);
        let last = groups.iter().max().map_or(0, |last| last + 1);
        let mut columns_of = vec![Vec::new(); last];
        for (row, group) in groups.iter().enumerate() {
            columns_of[*group].extend_from_slice(&pattern.columns[pattern.range(row)]);
        }
        let (mut count, mut sum) = (vec![0; columns], vec![0; columns]);
        for (group, columns) in columns_of.iter_mut().enumerate() {
            columns.sort_unstable();
            columns.dedup();
            for column in columns {
                count[*column] += 1;
                sum[*column] += group;
            }
        }
        Users {
            columns_of,
            count,
            sum,
        }
    }

    /// Whether rows have full rank in the velocities that no other group involves.
    fn let_free(&self, pattern: &RowPattern, values: &[f64], rows: &[usize]) -> bool {
        let mut basis: Vec<Vec<(usize, f64)>> = Vec::with_capacity(rows.len());
        for row in rows {
            let range = pattern.range(*row);
            let entries = pattern.columns[range.clone()].iter().zip(&values[range]);
            let whole: f64 = entries.clone().map(|(_, value)| value * value).sum();
            let is_private = |(column, _): &(&usize, &f64)| self.count[**column] == 1;
            let mut part: Vec<(usize, f64)> = entries
                .filter(is_private)
                .map(|(column, value)| (*column, *value))
                .collect();
            part.sort_unstable_by_key(|(column, _)| *column);
            for other in &basis {
                let along = dot(&part, other);
                part = minus(&part, along, other);
            }
            let squared = dot(&part, &part);
            if squared.is_nan() || squared <= CLEARLY * whole || whole == 0.0 {
                return false;
            }
            let length = squared.sqrt();
            for (_, value) in &mut part {
                *value /= length;
            }
            basis.push(part);
        }
        true
    }

    /// Removes a group; groups that now have a private velocity are queued.
    fn remove(&mut self, group: usize, waiting: &mut Vec<usize>) {
        for column in &self.columns_of[group] {
            self.count[*column] -= 1;
            self.sum[*column] -= group;
            if self.count[*column] == 1 {
                waiting.push(self.sum[*column]);
            }
        }
    }
}

/// Product of two sparse vectors in the order of their columns.
fn dot(a: &[(usize, f64)], b: &[(usize, f64)]) -> f64 {
    let at = |column: usize| {
        let found = b.binary_search_by_key(&column, |(column, _)| *column);
        found.map_or(0.0, |i| b[i].1)
    };
    a.iter().map(|(column, value)| value * at(*column)).sum()
}

/// `a − factor b`.
fn minus(a: &[(usize, f64)], factor: f64, b: &[(usize, f64)]) -> Vec<(usize, f64)> {
    let mut all: Vec<(usize, f64)> = a.to_vec();
    for (column, value) in b {
        match all.binary_search_by_key(column, |(column, _)| *column) {
            Ok(i) => all[i].1 -= factor * value,
            Err(i) => all.insert(i, (*column, -factor * value)),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(rows: &[&[usize]]) -> RowPattern {
        let mut pattern = RowPattern::new();
        for row in rows {
            pattern.push(row.iter().copied());
        }
        pattern
    }

    #[test]
    fn rows_of_a_tree_are_independent_and_those_of_a_loop_may_be_dependent() {
        // four bodies with a velocity each: 0 at the ground, 1 and 2 at 0, 3 at 2
        let tree = [&[0][..], &[0, 1], &[0, 2], &[2, 3]];
        let values = [1.0; 7];
        assert_eq!(
            coupled_rows(&pattern(&tree), &values, &[0, 1, 2, 3]),
            [false; 4]
        );
        // another row closes the loop 0, 1, 2 and leaves only the branch to 3 outside
        let with_loop = [&[0][..], &[0, 1], &[0, 2], &[2, 3], &[1, 2]];
        assert_eq!(
            coupled_rows(&pattern(&with_loop), &[1.0; 9], &[0, 1, 2, 3, 4]),
            [true, true, true, false, true]
        );
    }

    #[test]
    fn an_element_with_linearly_dependent_rows_is_kept() {
        let rows = pattern(&[&[0, 1], &[0, 1], &[2, 3]]);
        let values = [1.0, 2.0, 2.0, 4.0, 1.0, 1.0];
        assert_eq!(
            coupled_rows(&rows, &values, &[0, 0, 1]),
            [true, true, false]
        );
        let zero = pattern(&[&[0]]);
        assert_eq!(coupled_rows(&zero, &[0.0], &[0]), [true]);
    }
}
