//! Sparse LDLᵀ of the saddle-point systems of constrained motion; dependent rows are skipped.
//!
//! ```text
//! ⎡ M   Gᵀ ⎤ ⎡ a ⎤   ⎡ f ⎤
//! ⎣ G   0  ⎦ ⎣ λ ⎦ = ⎣ γ ⎦
//! ```
//!
//! M is symmetric positive definite. Once the velocities involved in a row of G are eliminated, the pivot of that row is minus
//! the squared M⁻¹-norm of the part that earlier rows do not span. Diagonal pivots are therefore stable, and a pivot that vanishes
//! relative to the row's largest norm so far identifies a dependent row. Such a row is omitted from that solve (its multiplier is zero).
//! One symbolic analysis (order, pattern) is used by all later factorisations; one step of iterative refinement follows each solve.
//!
//! If the upper left block is S + A with a skew-symmetric A on the pattern of S, as in the tangent of rotating bodies and follower forces, the same
//! order and pattern are used for an LDU factorisation ([`Kkt::factor_unsymmetric`]).
//!
//! No library is used: the sparse codes considered either return NaN for a dependent row without an error, or cannot
//! skip it, and the up-looking algorithm (T. A. Davis, *Direct Methods for Sparse Linear Systems*, SIAM 2006, ch. 4) is short.

mod dependence;
mod solve;
#[cfg(test)]
mod tests;

use super::order::least_fill;
use super::sparse::{RowPattern, SymmetricPattern, remember_length};
use crate::keep::keeps;

/// A row is dependent if its independent part is shorter than this times its largest norm so far (squared).
const DEPENDENT: f64 = 1e-13;

/// The elimination order of the constraint rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOrder {
    /// The given order: of dependent rows, the later one is reported.
    Given,
    /// Least fill.
    LeastFill,
}

/// A factorisation with a fixed pattern.
#[derive(Clone, Debug)]
pub struct Kkt {
    mass: SymmetricPattern,
    rows: RowPattern,
    num_velocities: usize,
    /// Permuted position of each unknown, and the row of G at each position.
    place: Vec<usize>,
    row_at: Vec<Option<usize>>,
    /// Upper triangle by columns in permuted order: start, row, and source of the value.
    column_start: Vec<usize>,
    column_rows: Vec<u32>,
    source: Vec<KktSource>,
    /// For each row k of L: the columns with entries, in increasing order of elimination.
    row_start: Vec<usize>,
    row_columns: Vec<u32>,
    /// Index of each of these entries in L by columns.
    row_entries: Vec<u32>,
    /// L by columns.
    l_start: Vec<usize>,
    l_rows: Vec<u32>,
    l_values: Vec<f64>,
    /// Uᵀ by columns, on the pattern of L; used if the matrix is not symmetric.
    u_values: Vec<f64>,
    unsymmetric: bool,
    /// Inverse pivots, zero for dependent rows.
    inverse: Vec<f64>,
    dependent: Vec<bool>,
    num_dependent: usize,
    definite: bool,
    weakest: Weakest,
    /// Largest squared norm of each row so far: a row that vanishes in a configuration is dependent there.
    longest: Vec<f64>,
    /// The fraction of its squared norm below which each row is dependent.
    least: Vec<f64>,
    /// Compliance of each row, as a fraction of its squared norm.
    softness: f64,
    work: Vec<f64>,
    residual: Vec<f64>,
    correction: Vec<f64>,
}

keeps!(Kkt: l_values, u_values, unsymmetric, inverse, dependent, num_dependent, definite, weakest, longest
    => |kkt| kkt.num_dependent <= kkt.longest.len() && kkt.weakest.row < kkt.longest.len().max(1));

/// The row closest to dependence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weakest {
    /// Index of the row of G; the first if all rows are zero.
    pub row: usize,
    /// Its part that earlier rows do not span, relative to its largest norm so far, squared; one if there is no row.
    pub share: f64,
}

keeps!(Weakest: row, share);

impl Weakest {
    const NONE: Weakest = Weakest { row: 0, share: 1.0 };
}

/// The source of a value of the matrix.
#[derive(Clone, Copy, Debug)]
enum KktSource {
    Mass(usize),
    Row(usize),
}

impl Kkt {
    /// Analyses the pattern; rows of G with the same `groups[i]` (those of a joint) belong together in the order.
    pub fn new(
        num_velocities: usize,
        mass: &SymmetricPattern,
        rows: &RowPattern,
        groups: &[usize],
        order: RowOrder,
    ) -> Self {
        let n = num_velocities;
        let size = n + rows.num_rows();
        let mut place: Vec<usize> = (0..size).collect();
        if order == RowOrder::LeastFill {
            for (position, unknown) in least_fill(n, mass, rows, groups).into_iter().enumerate() {
                place[unknown] = position;
            }
        }
        let mut row_at = vec![None; size];
        for i in 0..rows.num_rows() {
            row_at[place[n + i]] = Some(i);
        }

        // upper triangle of the permuted matrix, by columns
        let mut columns: Vec<Vec<(usize, KktSource)>> = vec![Vec::new(); size];
        for (k, &(i, j)) in mass.entries.iter().enumerate() {
            let (a, b) = (place[i], place[j]);
            columns[a.max(b)].push((a.min(b), KktSource::Mass(k)));
        }
        for i in 0..rows.num_rows() {
            for k in rows.range(i) {
                columns[place[n + i]].push((place[rows.columns[k]], KktSource::Row(k)));
            }
        }

        // elimination tree and the pattern of each row of L
        let mut parent = vec![usize::MAX; size];
        let mut mark = vec![usize::MAX; size];
        let (mut row_start, mut row_columns) = (vec![0], Vec::new());
        let mut l_count = vec![0; size];
        for (k, column) in columns.iter().enumerate() {
            mark[k] = k;
            let begin = row_columns.len();
            for &(i, _) in column {
                let mut node = i;
                while node < k && mark[node] != k {
                    mark[node] = k;
                    row_columns.push(node as u32);
                    l_count[node] += 1;
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
        for count in &l_count {
            l_start.push(l_start[l_start.len() - 1] + count);
        }
        let entries = l_start[size];
        // columns of L are filled row by row
        let mut l_rows = vec![0; entries];
        let mut row_entries = vec![0; row_columns.len()];
        let mut filled = l_start.clone();
        for k in 0..size {
            for p in row_start[k]..row_start[k + 1] {
                let at = &mut filled[row_columns[p] as usize];
                l_rows[*at] = k as u32;
                row_entries[p] = *at as u32;
                *at += 1;
            }
        }

        let (mut column_start, mut column_rows, mut source) = (vec![0], Vec::new(), Vec::new());
        for column in columns {
            for (i, s) in column {
                column_rows.push(i as u32);
                source.push(s);
            }
            column_start.push(column_rows.len());
        }
        Kkt {
            mass: mass.clone(),
            rows: rows.clone(),
            num_velocities: n,
            place,
            row_at,
            column_start,
            column_rows,
            source,
            row_start,
            row_columns,
            row_entries,
            l_start,
            l_rows,
            l_values: vec![0.0; entries],
            u_values: Vec::new(),
            unsymmetric: false,
            inverse: vec![0.0; size],
            dependent: vec![false; size - n],
            num_dependent: 0,
            definite: true,
            weakest: Weakest::NONE,
            longest: vec![0.0; size - n],
            least: vec![DEPENDENT; size - n],
            softness: 0.0,
            work: vec![0.0; size],
            residual: vec![0.0; size],
            correction: vec![0.0; size],
        }
    }

    /// Factorises the matrix with soft constraints: −`softness` |g|² on the diagonal of each row, where
    /// |g| is the largest norm so far. [`Kkt::solve_once`] then balances the residuals of the rows against the norm of the solution.
    pub fn factor_soft(&mut self, mass: &[f64], rows: &[f64], softness: f64) {
        self.softness = softness;
        self.factor(mass, rows);
        self.softness = 0.0;
    }

    /// Sets the fraction of its squared norm below which the independent part of a row makes it dependent; such rows are skipped.
    pub fn set_least(&mut self, least: impl Fn(usize) -> f64) {
        for (row, value) in self.least.iter_mut().enumerate() {
            *value = least(row).max(DEPENDENT);
        }
    }

    /// Sets the largest squared norm of all rows so far.
    pub fn set_longest(&mut self, squared: f64) {
        self.longest.fill(squared);
    }

    /// Returns the largest squared norm of each row so far.
    pub fn squared_lengths(&self) -> &[f64] {
        &self.longest
    }

    /// Allocates the buffers of [`Kkt::factor_unsymmetric`], which itself does not allocate.
    #[must_use]
    pub fn with_unsymmetric(mut self) -> Self {
        self.u_values = vec![0.0; self.l_values.len()];
        self
    }

    /// Factorises the matrix whose upper left block is S + A: S symmetric with the values `mass`, A skew-symmetric with the values `skew` in its lower
    /// triangle. Dependence of a row of G is relative to its largest norm in symmetric factorisations so far, or in this one.
    pub fn factor_unsymmetric(&mut self, mass: &[f64], skew: &[f64], rows: &[f64]) {
        self.num_dependent = 0;
        self.weakest = Weakest::NONE;
        self.definite = true;
        self.unsymmetric = true;
        self.residual.fill(0.0);
        for k in 0..self.inverse.len() {
            // column k of the upper triangle in `work`, row k of the lower one in `residual`
            let mut d = 0.0;
            for p in self.column_start[k]..self.column_start[k + 1] {
                let (above, below) = match self.source[p] {
                    KktSource::Mass(e) => {
                        let (i, j) = self.mass.entries[e];
                        let turned = if self.place[i] < self.place[j] {
                            skew[e]
                        } else {
                            -skew[e]
                        };
                        (mass[e] + turned, mass[e] - turned)
                    }
                    KktSource::Row(e) => (rows[e], rows[e]),
                };
                let i = self.column_rows[p] as usize;
                if i == k {
                    d += 0.5 * (above + below);
                } else {
                    self.work[i] += above;
                    self.residual[i] += below;
                }
            }
            let mut length = 0.0;
            for p in self.row_start[k]..self.row_start[k + 1] {
                let i = self.row_columns[p] as usize;
                let y = std::mem::take(&mut self.work[i]);
                let z = std::mem::take(&mut self.residual[i]);
                let end = self.row_entries[p] as usize;
                for e in self.l_start[i]..end {
                    let row = self.l_rows[e] as usize;
                    self.work[row] -= self.l_values[e] * y;
                    self.residual[row] -= self.u_values[e] * z;
                }
                self.l_values[end] = z * self.inverse[i];
                self.u_values[end] = y * self.inverse[i];
                let part = z * self.u_values[end];
                d -= part;
                if self.row_at[i].is_none() {
                    length += part;
                }
            }
            if let Some(row) = self.row_at[k] {
                let longest = self.longest[row].max(length.abs());
                self.dependent[row] = d.abs() <= DEPENDENT * longest;
                self.num_dependent += usize::from(self.dependent[row]);
            } else {
                self.definite &= d > 0.0;
            }
            let skipped = self.row_at[k].is_some_and(|row| self.dependent[row]);
            self.inverse[k] = if skipped { 0.0 } else { 1.0 / d };
        }
    }

    /// Factorises the matrix with these values.
    pub fn factor(&mut self, mass: &[f64], rows: &[f64]) {
        self.unsymmetric = false;
        self.num_dependent = 0;
        self.weakest = Weakest::NONE;
        self.definite = true;
        for k in 0..self.inverse.len() {
            let columns = self.row_start[k]..self.row_start[k + 1];
            let mut d = 0.0;
            for p in self.column_start[k]..self.column_start[k + 1] {
                let value = match self.source[p] {
                    KktSource::Mass(i) => mass[i],
                    KktSource::Row(i) => rows[i],
                };
                let i = self.column_rows[p] as usize;
                if i == k {
                    d += value;
                } else {
                    self.work[i] += value;
                }
            }
            // squared norm of a constraint row, before the elimination of other rows
            let mut length = 0.0;
            for p in columns {
                let i = self.row_columns[p] as usize;
                let y = std::mem::take(&mut self.work[i]);
                let end = self.row_entries[p] as usize;
                // inactive rows contain only zeros
                if y == 0.0 {
                    self.l_values[end] = 0.0;
                    continue;
                }
                let column = self.l_start[i]..end;
                let entries = self.l_rows[column.clone()].iter();
                for (row, value) in entries.zip(&self.l_values[column]) {
                    self.work[*row as usize] -= value * y;
                }
                let l = y * self.inverse[i];
                d -= l * y;
                if self.row_at[i].is_none() {
                    length += l * y;
                }
                self.l_values[end] = l;
            }
            self.definite &= self.row_at[k].is_some() || d > 0.0;
            if let Some(row) = self.row_at[k] {
                let longest = self.longest[row].max(length);
                remember_length(&mut self.longest[row], length);
                d -= self.softness * longest;
                let dependent = -d <= self.least[row] * longest;
                self.dependent[row] = dependent;
                self.num_dependent += usize::from(dependent);
                if -d < self.weakest.share * longest {
                    self.weakest = Weakest {
                        row,
                        share: (-d / longest).max(0.0),
                    };
                }
            }
            let skipped = self.row_at[k].is_some_and(|row| self.dependent[row]);
            self.inverse[k] = if skipped { 0.0 } else { 1.0 / d };
        }
    }

    /// Whether every pivot of a velocity was positive in the last factorisation, as for a positive definite M.
    pub fn is_definite(&self) -> bool {
        self.definite
    }

    /// Returns the number of negative pivots of the last factorisation: the inertia of the matrix, if it is symmetric.
    pub fn num_negative(&self) -> usize {
        self.inverse.iter().filter(|x| **x < 0.0).count()
    }

    /// Returns the number of velocities.
    pub fn num_velocities(&self) -> usize {
        self.num_velocities
    }

    /// Returns the pattern of the upper left block.
    pub fn mass_pattern(&self) -> &SymmetricPattern {
        &self.mass
    }

    /// Returns the number of dependent rows of the last factorisation.
    pub fn num_dependent(&self) -> usize {
        self.num_dependent
    }

    /// Whether row `i` of G is dependent.
    pub fn is_dependent(&self, i: usize) -> bool {
        self.dependent[i]
    }
}
