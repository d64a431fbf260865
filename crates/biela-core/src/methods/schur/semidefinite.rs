//! Sparse LDLᵀ of a symmetric positive semidefinite matrix with fixed pattern and order; dependent rows are skipped.
//!
//! Up-looking (T. A. Davis, *Direct Methods for Sparse Linear Systems*, SIAM 2006, ch. 4): row k of L is a sparse triangular solve with
//! the rows above it. For a matrix of scalar products `ĝ_i · ĝ_j`, the pivot is the squared norm of the part that earlier rows do not span.

use crate::keep::keeps;
use std::collections::BTreeSet;

use crate::methods::DEPENDENT;

/// A factorisation with a fixed pattern.
#[derive(Clone, Debug)]
pub(super) struct SparseFactor {
    /// Position of each row in the order.
    place: Vec<usize>,
    /// Lower triangle by rows in the order: column and value index, including the diagonal.
    entry_start: Vec<usize>,
    entries: Vec<(usize, usize)>,
    /// Row k of L: its columns in increasing order.
    row_start: Vec<usize>,
    row_columns: Vec<usize>,
    /// L by columns.
    l_start: Vec<usize>,
    l_rows: Vec<usize>,
    l_values: Vec<f64>,
    l_used: Vec<usize>,
    /// Reciprocal of each pivot; zero for dependent rows.
    inverse: Vec<f64>,
    num_dependent: usize,
    /// The smallest pivot relative to the largest value of its diagonal entry so far.
    independence: f64,
    largest: Vec<f64>,
    work: Vec<f64>,
}

keeps!(SparseFactor: num_dependent, independence, largest);

impl SparseFactor {
    /// Analyses the lower triangle `pattern` of a matrix; rows of the same group of `groups` stay together in the order.
    pub(super) fn new(size: usize, pattern: &[(usize, usize)], groups: &[usize]) -> Self {
        let mut place = vec![0; size];
        for (position, row) in least_fill(pattern, groups).into_iter().enumerate() {
            place[row] = position;
        }
        let mut by_row: Vec<Vec<(usize, usize)>> = vec![Vec::new(); size];
        for (value, &(i, j)) in pattern.iter().enumerate() {
            let (a, b) = (place[i], place[j]);
            by_row[a.max(b)].push((a.min(b), value));
        }

        // elimination tree and the pattern of each row of L
        let mut parent = vec![usize::MAX; size];
        let mut mark = vec![usize::MAX; size];
        let (mut row_start, mut row_columns) = (vec![0], Vec::new());
        let mut count = vec![0; size];
        for (k, row) in by_row.iter().enumerate() {
            mark[k] = k;
            let begin = row_columns.len();
            for &(column, _) in row {
                let mut node = column;
                while node < k && mark[node] != k {
                    mark[node] = k;
                    row_columns.push(node);
                    count[node] += 1;
                    if parent[node] == usize::MAX {
                        parent[node] = k;
                    }
                    node = parent[node];
                }
            }
            row_columns[begin..].sort_unstable();
            row_start.push(row_columns.len());
        }
        let mut l_start = vec![0];
        for c in &count {
            l_start.push(l_start[l_start.len() - 1] + c);
        }
        let (mut entry_start, mut entries) = (vec![0], Vec::new());
        for row in by_row {
            entries.extend(row);
            entry_start.push(entries.len());
        }
        SparseFactor {
            place,
            entry_start,
            entries,
            row_start,
            row_columns,
            l_rows: vec![0; l_start[size]],
            l_values: vec![0.0; l_start[size]],
            l_start,
            l_used: vec![0; size],
            inverse: vec![0.0; size],
            num_dependent: 0,
            independence: 1.0,
            largest: vec![0.0; size],
            work: vec![0.0; size],
        }
    }

    /// Factorises the matrix with these values, in the order of the pattern.
    pub(super) fn factor(&mut self, values: &[f64]) {
        self.num_dependent = 0;
        self.independence = 1.0;
        self.l_used.fill(0);
        for k in 0..self.inverse.len() {
            let mut diagonal = 0.0;
            for &(column, value) in &self.entries[self.entry_start[k]..self.entry_start[k + 1]] {
                if column == k {
                    diagonal = values[value];
                } else {
                    self.work[column] = values[value];
                }
            }
            let mut pivot = diagonal;
            for &i in &self.row_columns[self.row_start[k]..self.row_start[k + 1]] {
                let y = std::mem::take(&mut self.work[i]);
                let (begin, end) = (self.l_start[i], self.l_start[i] + self.l_used[i]);
                for e in begin..end {
                    self.work[self.l_rows[e]] -= self.l_values[e] * y;
                }
                let l = y * self.inverse[i];
                pivot -= l * y;
                self.l_rows[end] = k;
                self.l_values[end] = l;
                self.l_used[i] += 1;
            }
            let largest = self.largest[k].max(diagonal);
            self.largest[k] = largest;
            let dependent = pivot <= DEPENDENT * largest;
            self.inverse[k] = if dependent { 0.0 } else { 1.0 / pivot };
            self.num_dependent += usize::from(dependent);
            if largest > 0.0 {
                self.independence = self.independence.min((pivot / largest).max(0.0));
            }
        }
    }

    /// Returns the number of dependent rows.
    pub(super) fn num_dependent(&self) -> usize {
        self.num_dependent
    }

    /// Returns the smallest pivot relative to the largest value of its diagonal entry so far; rows of zeros are ignored.
    pub(super) fn independence(&self) -> f64 {
        self.independence
    }

    /// Solves in place; unknowns of dependent rows are zero.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        for (i, x) in x.iter().enumerate() {
            self.work[self.place[i]] = *x;
        }
        let size = x.len();
        for k in 0..size {
            // a dependent row is not an equation: it does not propagate
            let y = if self.inverse[k] == 0.0 {
                0.0
            } else {
                self.work[k]
            };
            for e in self.l_start[k]..self.l_start[k + 1] {
                self.work[self.l_rows[e]] -= self.l_values[e] * y;
            }
            self.work[k] = y * self.inverse[k];
        }
        for k in (0..size).rev() {
            if self.inverse[k] != 0.0 {
                for e in self.l_start[k]..self.l_start[k + 1] {
                    self.work[k] -= self.l_values[e] * self.work[self.l_rows[e]];
                }
            }
        }
        for (i, x) in x.iter_mut().enumerate() {
            *x = self.work[self.place[i]];
        }
        self.work.fill(0.0);
    }
}

/// Returns a minimum-degree order: groups whose rows are coupled to the fewest others come first.
fn least_fill(pattern: &[(usize, usize)], groups: &[usize]) -> Vec<usize> {
    let num_groups = groups.iter().max().map_or(0, |g| g + 1);
    let mut members = vec![Vec::new(); num_groups];
    for (row, &group) in groups.iter().enumerate() {
        members[group].push(row);
    }
    let mut graph = vec![BTreeSet::new(); num_groups];
    for &(i, j) in pattern {
        if groups[i] != groups[j] {
            let _ = graph[groups[i]].insert(groups[j]);
            let _ = graph[groups[j]].insert(groups[i]);
        }
    }
    let degree = |near: &BTreeSet<usize>| -> usize { near.iter().map(|g| members[*g].len()).sum() };
    let mut queue: BTreeSet<(usize, usize)> =
        (0..num_groups).map(|g| (degree(&graph[g]), g)).collect();
    let mut order = Vec::with_capacity(groups.len());
    while let Some((_, group)) = queue.pop_first() {
        order.extend(&members[group]);
        let clique = std::mem::take(&mut graph[group]);
        for &a in &clique {
            let _ = queue.remove(&(degree(&graph[a]), a));
            let _ = graph[a].remove(&group);
            graph[a].extend(clique.iter().filter(|b| **b != a));
            let _ = queue.insert((degree(&graph[a]), a));
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    /// Scalar products of random rows with a banded pattern; every fifth row repeats an earlier one.
    fn banded(size: usize, random: &mut Random) -> Vec<Vec<f64>> {
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for i in 0..size {
            if i % 5 == 4 {
                let twice = rows[i - 2].iter().map(|x| 2.0 * x).collect();
                rows.push(twice);
                continue;
            }
            let inside = |c: usize| c + 1 >= i && c < i + 3;
            rows.push(
                (0..size + 3)
                    .map(|c| {
                        if inside(c) {
                            random.symmetric(1.0)
                        } else {
                            0.0
                        }
                    })
                    .collect(),
            );
        }
        rows
    }

    #[test]
    fn consistent_systems_are_solved_and_repeated_rows_get_zero() {
        let mut random = Random::new(9);
        let size = 24;
        for _ in 0..20 {
            let rows = banded(size, &mut random);
            let product = |i: usize, j: usize| -> f64 {
                rows[i].iter().zip(&rows[j]).map(|(x, y)| x * y).sum()
            };
            let mut pattern = Vec::new();
            for i in 0..size {
                pattern.extend((0..=i).filter(|j| product(i, *j) != 0.0).map(|j| (i, j)));
            }
            let groups: Vec<usize> = (0..size).collect();
            let values: Vec<f64> = pattern.iter().map(|(i, j)| product(*i, *j)).collect();
            let mut factor = SparseFactor::new(size, &pattern, &groups);
            factor.factor(&values);
            assert_eq!(factor.num_dependent(), 4);
            let given: Vec<f64> = (0..size).map(|_| random.symmetric(1.0)).collect();
            let right: Vec<f64> = (0..size)
                .map(|i| (0..size).map(|j| product(i, j) * given[j]).sum())
                .collect();
            let mut x = right.clone();
            factor.solve(&mut x);
            assert_eq!(x.iter().filter(|x| **x == 0.0).count(), 4);
            for i in 0..size {
                let met: f64 = (0..size).map(|j| product(i, j) * x[j]).sum();
                assert!((met - right[i]).abs() < 1e-9, "row {i}: {met} {}", right[i]);
            }
        }
    }

    #[test]
    fn a_shuffled_chain_has_no_fill_in() {
        let size = 60;
        let mut random = Random::new(5);
        let mut name: Vec<usize> = (0..size).collect();
        for i in (1..size).rev() {
            name.swap(i, random.below(i + 1));
        }
        let mut pattern: Vec<(usize, usize)> = (0..size).map(|i| (i, i)).collect();
        for i in 1..size {
            let (a, b) = (name[i - 1], name[i]);
            pattern.push((a.max(b), a.min(b)));
        }
        let groups: Vec<usize> = (0..size).collect();
        let factor = SparseFactor::new(size, &pattern, &groups);
        assert_eq!(factor.l_values.len(), size - 1);
    }
}
