//! How far rows are from dependence on the rows before them.

use super::{Kkt, Weakest};

/// Number of projections of a row to the complement of earlier rows: twice is enough (W. Kahan; B. N. Parlett, *The Symmetric Eigenvalue Problem*, § 6-9),
/// and once more because the factorisation has the accuracy of normal equations.
const PROJECTIONS: usize = 3;

impl Kkt {
    /// Returns the squared part of row `i` that the independent rows before it do not span, relative to the row itself, without the cancellation of pivots:
    /// the projection of the row is repeated. Only for the given order, in which all velocities come first.
    pub fn independent_part(&mut self, i: usize, rows: &[f64]) -> f64 {
        let n = self.num_velocities;
        let mut part = vec![0.0; n];
        self.rows.add_row(i, rows, 1.0, &mut part);
        let squared = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
        let whole = squared(&part);
        if whole == 0.0 {
            return 0.0;
        }
        for _ in 0..PROJECTIONS {
            self.project_before(n + i, &mut part);
        }
        squared(&part) / whole
    }

    /// Replaces f by the solution a of the leading system of size `k` for the right-hand side (f, 0).
    fn project_before(&mut self, k: usize, f: &mut [f64]) {
        let n = self.num_velocities;
        self.work[..n].copy_from_slice(f);
        let column = |kkt: &Self, j: usize| {
            let entries = kkt.l_start[j]..kkt.l_start[j + 1];
            let inside = kkt.l_rows[entries.clone()].partition_point(|row| (*row as usize) < k);
            entries.start..entries.start + inside
        };
        for j in 0..k {
            let x = self.work[j];
            for e in column(self, j) {
                self.work[self.l_rows[e] as usize] -= self.l_values[e] * x;
            }
        }
        for j in (0..k).rev() {
            let mut x = self.work[j] * self.inverse[j];
            for e in column(self, j) {
                x -= self.l_values[e] * self.work[self.l_rows[e] as usize];
            }
            self.work[j] = if self.inverse[j] == 0.0 { 0.0 } else { x };
        }
        f.copy_from_slice(&self.work[..n]);
        self.work.fill(0.0);
    }

    /// Returns the row closest to dependence; rows of zeros are ignored.
    pub fn weakest(&self) -> Weakest {
        self.weakest
    }

    /// Returns the part of row `i` that the rows eliminated before it do not span, relative to its largest norm so far, squared; one for a row of zeros.
    pub fn share(&self, i: usize) -> f64 {
        if self.longest[i] == 0.0 {
            return 1.0;
        }
        let inverse = self.inverse[self.place[self.num_velocities + i]];
        if inverse == 0.0 {
            return 0.0;
        }
        (-1.0 / (inverse * self.longest[i])).max(0.0)
    }

    /// Computes the combination of earlier rows that equals the dependent row `i`, or is closest to it: stores the factors of the rows before `i`
    /// in `c`, to report the dependence. Only for the given order, in which all velocities come first.
    pub fn combination(&self, i: usize, c: &mut [f64]) {
        let n = self.num_velocities;
        let k = n + i;
        // solve L_ddᵀ c = l_k over the constraint rows before k
        c.fill(0.0);
        for p in self.row_start[k]..self.row_start[k + 1] {
            let j = self.row_columns[p] as usize;
            if j >= n {
                c[j - n] = self.l_values[self.row_entries[p] as usize];
            }
        }
        for j in (n..k).rev() {
            for e in self.l_start[j]..self.l_start[j + 1] {
                let row = self.l_rows[e] as usize;
                if row < k {
                    c[j - n] -= self.l_values[e] * c[row - n];
                }
            }
        }
    }
}
