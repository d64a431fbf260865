//! Singular values and left singular vectors of small matrices.

use super::dense::{dot, reflect};

/// A singular value and its left singular vector.
#[derive(Clone, Debug, PartialEq)]
pub struct Singular {
    /// The singular value.
    pub value: f64,
    /// The unit vector u with |uᵀ A| = value.
    pub direction: Vec<f64>,
}

/// Largest number of sweeps over all pairs; convergence is quadratic, and six to ten are enough.
const MAX_SWEEPS: usize = 40;

/// Returns the singular values of the matrix with these rows, the largest first, each with its left singular vector: one for every row.
///
/// Pairs of rows are rotated until all are orthogonal (one-sided Jacobi method, G. H. Golub, C. F. Van Loan, *Matrix
/// Computations*, 4th ed. 2013, §8.6.3), which keeps small singular values accurate in the presence of large ones.
pub fn left_singular(mut rows: Vec<Vec<f64>>) -> Vec<Singular> {
    let m = rows.len();
    // row k of `turned` contains the combination of the given rows that yields the current row k
    let mut turned: Vec<Vec<f64>> = (0..m)
        .map(|k| (0..m).map(|i| f64::from(u8::from(i == k))).collect())
        .collect();
    for _ in 0..MAX_SWEEPS {
        let mut changed = false;
        for p in 0..m {
            for q in p + 1..m {
                let (a, b) = (dot(&rows[p], &rows[p]), dot(&rows[q], &rows[q]));
                let c = dot(&rows[p], &rows[q]);
                if c == 0.0 || c.abs() <= f64::EPSILON * (a * b).sqrt() {
                    continue;
                }
                changed = true;
                let tau = (b - a) / (2.0 * c);
                let t = tau.signum() / (tau.abs() + tau.hypot(1.0));
                let cosine = 1.0 / t.hypot(1.0);
                let sine = t * cosine;
                for list in [&mut rows, &mut turned] {
                    let (head, tail) = list.split_at_mut(q);
                    for (x, y) in head[p].iter_mut().zip(&mut tail[0]) {
                        (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
                    }
                }
            }
        }
        if !changed {
            break;
        }
    }
    let mut found: Vec<Singular> = rows
        .iter()
        .zip(turned)
        .map(|(row, direction)| Singular {
            value: dot(row, row).sqrt(),
            direction,
        })
        .collect();
    found.sort_by(|x, y| y.value.total_cmp(&x.value));
    found
}

/// Computes in `x` the minimiser of |A x − b|² + damping |x|², by Householder reflections of A with √damping below it. A is given by its
/// columns, each with space for one additional entry per column; columns and `b` (with the same space) are overwritten.
pub(crate) fn damped_least_squares(
    columns: &mut [Vec<f64>],
    b: &mut [f64],
    damping: f64,
    x: &mut [f64],
) {
    let n = columns.len();
    let m = b.len() - n;
    let root = damping.sqrt();
    b[m..].fill(0.0);
    for (k, column) in columns.iter_mut().enumerate() {
        column[m..].fill(0.0);
        column[m + k] = root;
    }
    reflect(columns, b, x);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::math::dense::add;

    #[test]
    fn singular_values_and_directions_are_those_of_the_matrix() {
        let mut random = Random::new(4);
        for (m, n) in [(2, 2), (3, 7), (6, 6), (6, 3)] {
            let rows: Vec<Vec<f64>> = (0..m)
                .map(|_| (0..n).map(|_| random.symmetric(1.0)).collect())
                .collect();
            let flat: Vec<f64> = rows.iter().flatten().copied().collect();
            let mut expected: Vec<f64> = nalgebra::DMatrix::from_row_slice(m, n, &flat)
                .singular_values()
                .iter()
                .copied()
                .collect();
            expected.sort_by(|a, b| b.total_cmp(a));
            expected.resize(m, 0.0);
            for (found, expected) in left_singular(rows.clone()).iter().zip(expected) {
                assert!((found.value - expected).abs() < 1e-13, "{m} {n}");
                // uᵀ A has the norm of the value
                let mut image = vec![0.0; n];
                for (row, u) in rows.iter().zip(&found.direction) {
                    add(&mut image, *u, row);
                }
                assert!((dot(&image, &image).sqrt() - found.value).abs() < 1e-13);
                assert!((dot(&found.direction, &found.direction) - 1.0).abs() < 1e-13);
            }
        }
    }

    #[test]
    fn a_tiny_singular_value_keeps_its_digits() {
        let rows = vec![vec![1.0, 1.0], vec![1.0, 1.0 + 1e-10]];
        let found = left_singular(rows);
        // det = 1e-10 = σ1 σ2
        let product = found[0].value * found[1].value;
        assert!((product / 1e-10 - 1.0).abs() < 1e-6);
    }

    #[test]
    fn damped_least_squares_solve_the_normal_equations() {
        let mut random = Random::new(9);
        for (m, n, damping) in [(6, 7, 1e-3), (6, 3, 0.1), (2, 2, 1e-12)] {
            let a: Vec<Vec<f64>> = (0..n)
                .map(|_| (0..m).map(|_| random.symmetric(1.0)).collect())
                .collect();
            let e: Vec<f64> = (0..m).map(|_| random.symmetric(1.0)).collect();
            let mut columns = a.clone();
            for column in &mut columns {
                column.resize(m + n, 7.0);
            }
            let mut b = e.clone();
            b.resize(m + n, 7.0);
            let mut x = vec![0.0; n];
            damped_least_squares(&mut columns, &mut b, damping, &mut x);
            let mut residual = e;
            for (column, x) in a.iter().zip(&x) {
                add(&mut residual, -x, column);
            }
            // Aᵀ (b − A x) = damping x
            for (column, x) in a.iter().zip(&x) {
                assert!((dot(column, &residual) - damping * x).abs() < 1e-12);
            }
        }
    }
}
