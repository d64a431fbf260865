//! Dependent and independent coordinates: selects the columns of G that its rows eliminate.
//!
//! Gaussian elimination of `D_r G D_c`, with D_c = diag(M_jj)^(−1/2), so that metres and radians are compared by their kinetic energy, and
//! D_r dividing rows by their largest norm so far. Full pivoting moves the columns of the dependent coordinates to the front:
//!
//! ```text
//! P (D_r G D_c) Q = L [ U_d  U_i ]        Φ_d x_d + Φ_i x_i = γ
//! ```

use super::DEPENDENT;
use super::dense::{add, dot};
use crate::keep::keeps;
use crate::math::{RowPattern, SymmetricPattern, remember_length};

/// The choice is repeated when its measure has grown by this factor since its minimum.
const DEGRADED: f64 = 3.0;

/// A choice of dependent coordinates, and the factors of their columns.
#[derive(Clone, Debug)]
pub(super) struct Partition {
    pattern: RowPattern,
    /// Index of each diagonal entry of M among its values.
    diagonal: Vec<usize>,
    /// Which rows are active.
    takes_part: Vec<bool>,
    n: usize,
    /// L below and U above the diagonal, by rows, permuted.
    lu: Vec<f64>,
    row_at: Vec<usize>,
    /// Coordinate at each column position: dependent ones first.
    column_at: Vec<usize>,
    place_of: Vec<usize>,
    row_scale: Vec<f64>,
    /// Largest norm of each row so far.
    longest: Vec<f64>,
    column_scale: Vec<f64>,
    rank: usize,
    /// The smallest pivot, squared.
    independence: f64,
    /// Largest entry of the scaled Φ_d⁻¹ Φ_i, at least one, and its minimum since the choice.
    spread: f64,
    best: f64,
    chosen: bool,
    choices: u64,
    work: Vec<f64>,
}

keeps!(Partition: lu, row_at, column_at, place_of, row_scale, longest, column_scale, rank, independence, spread, best, chosen, choices
    => |p| p.rank <= p.row_at.len().min(p.n)
        && p.row_at.iter().all(|row| *row < p.row_at.len())
        && p.column_at.iter().chain(&p.place_of).all(|place| *place < p.n));

impl Partition {
    /// Creates the partition for the active rows of `pattern`.
    pub(super) fn new(
        n: usize,
        mass: &SymmetricPattern,
        pattern: &RowPattern,
        takes_part: Vec<bool>,
    ) -> Self {
        let m = pattern.num_rows();
        let mut diagonal = vec![0; n];
        for (k, &(i, j)) in mass.entries.iter().enumerate() {
            if i == j {
                diagonal[i] = k;
            }
        }
        Partition {
            pattern: pattern.clone(),
            diagonal,
            takes_part,
            n,
            lu: vec![0.0; m * n],
            row_at: (0..m).collect(),
            column_at: (0..n).collect(),
            place_of: (0..n).collect(),
            row_scale: vec![0.0; m],
            longest: vec![0.0; m],
            column_scale: vec![1.0; n],
            rank: 0,
            independence: 1.0,
            spread: 1.0,
            best: 1.0,
            chosen: false,
            choices: 0,
            work: vec![0.0; m.max(n)],
        }
    }

    /// Returns the number of rows.
    pub(super) fn num_rows(&self) -> usize {
        self.row_at.len()
    }

    /// Returns the number of dependent coordinates.
    pub(super) fn rank(&self) -> usize {
        self.rank
    }

    /// Returns the smallest pivot of the active rows, squared: the distance from rank deficiency.
    pub(super) fn independence(&self) -> f64 {
        self.independence
    }

    /// Returns the number of independent coordinates.
    pub(super) fn freedom(&self) -> usize {
        self.n - self.rank
    }

    /// Returns how often coordinates were chosen.
    pub(super) fn choices(&self) -> u64 {
        self.choices
    }

    /// Whether a new choice is better: the dependent coordinates move three times as much per motion of the independent ones as
    /// at the minimum since the choice, so Φ_d has become ill-conditioned.
    pub(super) fn is_degraded(&self) -> bool {
        self.spread > DEGRADED * self.best
    }

    /// Makes the next factorisation choose the coordinates again.
    pub(super) fn forget(&mut self) {
        self.chosen = false;
    }

    /// Factorises with the chosen coordinates; chooses them if there is no choice or it has become singular.
    pub(super) fn factor(&mut self, mass: &[f64], jacobian: &[f64]) {
        if !self.chosen || !self.keep(mass, jacobian) {
            self.choose(mass, jacobian);
        }
    }

    /// Chooses the coordinates by full pivoting.
    pub(super) fn choose(&mut self, mass: &[f64], jacobian: &[f64]) {
        for (c, scale) in self.column_scale.iter_mut().enumerate() {
            *scale = 1.0 / mass[self.diagonal[c]].sqrt();
            (self.column_at[c], self.place_of[c]) = (c, c);
        }
        let taking_part = self.load(jacobian);
        let (n, m) = (self.n, self.row_at.len());
        self.rank = 0;
        for k in 0..m.min(n) {
            let (mut row, mut column, mut most) = (k, k, 0.0);
            for i in k..m {
                for j in k..n {
                    let size = self.lu[n * i + j].abs();
                    if size > most {
                        (row, column, most) = (i, j, size);
                    }
                }
            }
            if k < taking_part {
                self.independence = self.independence.min(most * most);
            }
            if most * most <= DEPENDENT {
                break;
            }
            self.swap_columns(k, column);
            self.eliminate(k, row);
        }
        self.spread = self.measure();
        self.best = self.spread;
        self.chosen = true;
        self.choices += 1;
    }

    /// Factorises with the same dependent coordinates, pivoting among rows; returns `false` if their columns are singular.
    fn keep(&mut self, mass: &[f64], jacobian: &[f64]) -> bool {
        let rank = std::mem::take(&mut self.rank);
        for (c, scale) in self.column_scale.iter_mut().enumerate() {
            *scale = 1.0 / mass[self.diagonal[c]].sqrt();
        }
        let _ = self.load(jacobian);
        let (n, m) = (self.n, self.row_at.len());
        for k in 0..rank {
            let (mut row, mut most) = (k, 0.0);
            for i in k..m {
                let size = self.lu[n * i + k].abs();
                if size > most {
                    (row, most) = (i, size);
                }
            }
            self.independence = self.independence.min(most * most);
            if most * most <= DEPENDENT {
                return false;
            }
            self.eliminate(k, row);
        }
        self.spread = self.measure();
        self.best = self.best.min(self.spread);
        // rows found dependent may have become independent
        (rank..m).all(|i| {
            let left = &self.lu[n * i + rank..n * i + n];
            left.iter().all(|x| x * x <= DEPENDENT)
        })
    }

    /// Returns the largest entry of the scaled Φ_d⁻¹ Φ_i, at least one.
    fn measure(&mut self) -> f64 {
        let (n, rank) = (self.n, self.rank);
        let mut largest = 1.0_f64;
        for j in rank..n {
            for k in (0..rank).rev() {
                let u = &self.lu[n * k..n * k + n];
                let above = dot(&u[k + 1..rank], &self.work[k + 1..rank]);
                self.work[k] = (u[j] - above) / u[k];
                largest = largest.max(self.work[k].abs());
            }
        }
        largest
    }

    /// Loads the scaled active rows, in the order of the columns; returns the number of nonzero rows.
    fn load(&mut self, jacobian: &[f64]) -> usize {
        let n = self.n;
        let mut taking_part = 0;
        self.independence = 1.0;
        self.lu.fill(0.0);
        for i in 0..self.row_at.len() {
            self.row_at[i] = i;
            self.row_scale[i] = 0.0;
            if !self.takes_part[i] {
                continue;
            }
            let row = &mut self.lu[n * i..n * i + n];
            for e in self.pattern.range(i) {
                let c = self.pattern.columns[e];
                row[self.place_of[c]] += jacobian[e] * self.column_scale[c];
            }
            let now = dot(row, row).sqrt();
            let length = self.longest[i].max(now);
            remember_length(&mut self.longest[i], now);
            if length > 0.0 {
                taking_part += 1;
                self.row_scale[i] = 1.0 / length;
                for x in row {
                    *x /= length;
                }
            }
        }
        taking_part
    }

    fn swap_columns(&mut self, a: usize, b: usize) {
        if a == b {
            return;
        }
        for row in self.lu.chunks_exact_mut(self.n) {
            row.swap(a, b);
        }
        self.column_at.swap(a, b);
        self.place_of[self.column_at[a]] = a;
        self.place_of[self.column_at[b]] = b;
    }

    /// Uses `row` as the pivot of step k.
    fn eliminate(&mut self, k: usize, row: usize) {
        let n = self.n;
        if row != k {
            self.row_at.swap(k, row);
            let (head, tail) = self.lu.split_at_mut(n * row);
            head[n * k..n * k + n].swap_with_slice(&mut tail[..n]);
        }
        let (done, rest) = self.lu.split_at_mut(n * k + n);
        let pivot = &done[n * k + k..];
        for row in rest.chunks_exact_mut(n) {
            if row[k] != 0.0 {
                row[k] /= pivot[0];
                let factor = -row[k];
                add(&mut row[k + 1..], factor, &pivot[1..]);
            }
        }
        self.rank += 1;
    }

    /// Computes `x` with `G x = γ` and zero independent coordinates.
    pub(super) fn particular(&mut self, gamma: &[f64], x: &mut [f64]) {
        let (n, rank) = (self.n, self.rank);
        for k in 0..rank {
            let row = self.row_at[k];
            let below = dot(&self.lu[n * k..n * k + k], &self.work[..k]);
            self.work[k] = gamma[row] * self.row_scale[row] - below;
        }
        for k in (0..rank).rev() {
            let u = &self.lu[n * k..n * k + rank];
            let above = dot(&u[k + 1..], &self.work[k + 1..rank]);
            self.work[k] = (self.work[k] - above) / u[k];
        }
        x.fill(0.0);
        for k in 0..rank {
            let column = self.column_at[k];
            x[column] = self.work[k] * self.column_scale[column];
        }
    }

    /// Computes column `j` of the basis of free motions, `B = ( −Φ_d⁻¹ Φ_i ; 1 )`, with the independent coordinate scaled.
    pub(super) fn free_motion(&self, j: usize, x: &mut [f64]) {
        let (n, rank) = (self.n, self.rank);
        let at = rank + j;
        x.fill(0.0);
        // x holds the solution by column positions until all of it is scaled
        for k in (0..rank).rev() {
            let u = &self.lu[n * k..n * k + n];
            let mut sum = -u[at];
            for i in k + 1..rank {
                sum -= u[i] * x[self.column_at[i]];
            }
            x[self.column_at[k]] = sum / u[k];
        }
        x[self.column_at[at]] = 1.0;
        for (x, scale) in x.iter_mut().zip(&self.column_scale) {
            *x *= scale;
        }
    }

    /// Computes λ with `Φ_dᵀ λ = w_d`; zero for dependent rows.
    pub(super) fn multipliers(&mut self, w: &[f64], lambda: &mut [f64]) {
        let (n, rank) = (self.n, self.rank);
        for k in 0..rank {
            let column = self.column_at[k];
            self.work[k] = w[column] * self.column_scale[column];
        }
        // U_dᵀ z = w_d, then Lᵀ λ = z
        for k in 0..rank {
            let z = self.work[k] / self.lu[n * k + k];
            self.work[k] = z;
            let (_, after) = self.work.split_at_mut(k + 1);
            add(
                &mut after[..rank - k - 1],
                -z,
                &self.lu[n * k + k + 1..n * k + rank],
            );
        }
        lambda.fill(0.0);
        for k in (0..rank).rev() {
            let l = self.work[k];
            let (before, _) = self.work.split_at_mut(k);
            add(before, -l, &self.lu[n * k..n * k + k]);
            let row = self.row_at[k];
            lambda[row] = l * self.row_scale[row];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    struct Case {
        mass: SymmetricPattern,
        mass_values: Vec<f64>,
        rows: RowPattern,
        values: Vec<f64>,
    }

    /// Five rows on eight coordinates, the fourth a combination of the first two.
    fn case(random: &mut Random) -> Case {
        let n = 8;
        let mut rows = RowPattern::new();
        let mut dense: Vec<Vec<f64>> = (0..5)
            .map(|_| (0..n).map(|_| random.symmetric(1.0)).collect())
            .collect();
        dense[3] = (0..n).map(|c| dense[0][c] - 3.0 * dense[1][c]).collect();
        for _ in 0..5 {
            rows.push(0..n);
        }
        Case {
            mass: SymmetricPattern {
                entries: (0..n).map(|i| (i, i)).collect(),
            },
            mass_values: (0..n).map(|i| 0.1 + i as f64).collect(),
            rows,
            values: dense.concat(),
        }
    }

    #[test]
    fn velocities_and_multipliers_satisfy_their_equations() {
        let mut random = Random::new(4);
        for _ in 0..50 {
            let Case {
                mass,
                mass_values,
                rows,
                values,
            } = case(&mut random);
            let mut partition = Partition::new(8, &mass, &rows, vec![true; 5]);
            partition.factor(&mass_values, &values);
            assert_eq!((partition.rank(), partition.freedom()), (4, 4));
            let mut x = vec![0.0; 8];
            for j in 0..4 {
                partition.free_motion(j, &mut x);
                for i in 0..5 {
                    assert!(rows.row_times(i, &values, &x).abs() < 1e-11);
                }
            }
            let wanted: Vec<f64> = (0..8).map(|_| random.symmetric(1.0)).collect();
            let gamma: Vec<f64> = (0..5)
                .map(|i| rows.row_times(i, &values, &wanted))
                .collect();
            partition.particular(&gamma, &mut x);
            for i in 0..5 {
                assert!((rows.row_times(i, &values, &x) - gamma[i]).abs() < 1e-11);
            }
            // Gᵀ λ is recovered
            let mut w = vec![0.0; 8];
            for i in 0..5 {
                rows.add_row(i, &values, wanted[i], &mut w);
            }
            let mut lambda = vec![0.0; 5];
            partition.multipliers(&w, &mut lambda);
            for (i, l) in lambda.iter().enumerate() {
                rows.add_row(i, &values, -l, &mut w);
            }
            assert!(w.iter().all(|x| x.abs() < 1e-11), "{w:?}");
        }
    }

    /// The point (x, y) on a circle, as one row (cos a, sin a).
    fn circle() -> (SymmetricPattern, RowPattern) {
        let mut rows = RowPattern::new();
        rows.push(0..2);
        let mass = SymmetricPattern {
            entries: vec![(0, 0), (1, 1)],
        };
        (mass, rows)
    }

    #[test]
    fn a_partition_is_kept_until_dependent_coordinates_are_three_times_as_fast() {
        let (mass, rows) = circle();
        let mut partition = Partition::new(2, &mass, &rows, vec![true]);
        let mut degraded_at = None;
        for k in 0..157 {
            let angle = 0.01 * f64::from(k);
            partition.factor(&[1.0, 1.0], &[angle.cos(), angle.sin()]);
            if partition.is_degraded() {
                degraded_at = Some(angle);
                break;
            }
        }
        assert_eq!(partition.choices(), 1);
        let limit = 3.0_f64.atan();
        assert!((limit..limit + 0.01).contains(&degraded_at.unwrap()));
        partition.forget();
        partition.factor(&[1.0, 1.0], &[0.09, 0.99]);
        assert!(partition.choices() == 2 && !partition.is_degraded());
    }

    #[test]
    fn a_singular_partition_is_replaced_at_once() {
        let (mass, rows) = circle();
        let mut partition = Partition::new(2, &mass, &rows, vec![true]);
        partition.factor(&[1.0, 1.0], &[1.0, 0.0]);
        partition.factor(&[1.0, 1.0], &[0.0, 1.0]);
        assert_eq!((partition.rank(), partition.choices()), (1, 2));
        // rows that vanish and reappear
        partition.factor(&[1.0, 1.0], &[0.0, 0.0]);
        assert_eq!((partition.rank(), partition.choices()), (0, 3));
        partition.factor(&[1.0, 1.0], &[0.0, 1.0]);
        assert_eq!((partition.rank(), partition.choices()), (1, 4));
    }
}
