//! Small dense matrices: symmetric positive definite systems in place, eigenvalues of symmetric matrices, least squares.

/// Replaces the lower triangle of the n × n matrix A by L of `A = L Lᵀ`.
pub(crate) fn cholesky(a: &mut [f64], n: usize) {
    for i in 0..n {
        for j in 0..=i {
            let (done, row) = a.split_at_mut(n * i);
            let mut sum = row[j];
            if j < i {
                sum -= dot(&row[..j], &done[n * j..n * j + j]);
                row[j] = sum / done[n * j + j];
            } else {
                sum -= dot(&row[..i], &row[..i]);
                row[i] = sum.sqrt();
            }
        }
    }
}

/// `x ← L⁻¹ x`.
pub(crate) fn forward(l: &[f64], x: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        let sum = x[i] - dot(&l[n * i..n * i + i], &x[..i]);
        x[i] = sum / l[n * i + i];
    }
}

/// `x ← L⁻ᵀ x`.
pub(crate) fn backward(l: &[f64], x: &mut [f64]) {
    let n = x.len();
    for i in (0..n).rev() {
        x[i] /= l[n * i + i];
        let (rest, end) = x.split_at_mut(i);
        add(rest, -end[0], &l[n * i..n * i + i]);
    }
}

/// Returns x·y.
pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// `y += factor x`.
pub(crate) fn add(y: &mut [f64], factor: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += factor * x;
    }
}

/// Eigenvalues of a symmetric matrix in increasing order, each with its unit eigenvector.
#[derive(Clone, Debug)]
pub(crate) struct Eigen {
    pub(crate) values: Vec<f64>,
    pub(crate) vectors: Vec<Vec<f64>>,
}

/// Computes eigenvalues and eigenvectors of the symmetric n × n matrix A by Jacobi rotations, which make A diagonal (G. H. Golub, C. F. Van
/// Loan, *Matrix Computations*, 4th ed. 2013, §8.5). Small eigenvalues remain accurate in the presence of large ones.
pub(crate) fn symmetric_eigen(a: &mut [f64], n: usize) -> Eigen {
    // row k of v becomes eigenvector k
    let mut v: Vec<Vec<f64>> = (0..n).map(|k| unit_vector(k, n)).collect();
    for _ in 0..MAX_SWEEPS {
        let mut turned = false;
        for p in 0..n {
            for q in p + 1..n {
                let (app, aqq, apq) = (a[n * p + p], a[n * q + q], a[n * p + q]);
                if apq == 0.0 || apq.abs() <= f64::EPSILON * (app.abs() * aqq.abs()).sqrt() {
                    continue;
                }
                turned = true;
                let tau = (aqq - app) / (2.0 * apq);
                let t = tau.signum() / (tau.abs() + tau.hypot(1.0));
                let c = 1.0 / t.hypot(1.0);
                let s = t * c;
                for k in 0..n {
                    let (x, y) = (a[n * k + p], a[n * k + q]);
                    a[n * k + p] = c * x - s * y;
                    a[n * k + q] = s * x + c * y;
                }
                for k in 0..n {
                    let (x, y) = (a[n * p + k], a[n * q + k]);
                    a[n * p + k] = c * x - s * y;
                    a[n * q + k] = s * x + c * y;
                }
                (a[n * p + q], a[n * q + p]) = (0.0, 0.0);
                let (head, tail) = v.split_at_mut(q);
                for (x, y) in head[p].iter_mut().zip(&mut tail[0]) {
                    (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
                }
            }
        }
        if !turned {
            break;
        }
    }
    let mut pairs: Vec<(f64, Vec<f64>)> = (0..n).map(|k| a[n * k + k]).zip(v).collect();
    pairs.sort_by(|x, y| x.0.total_cmp(&y.0));
    let (values, vectors) = pairs.into_iter().unzip();
    Eigen { values, vectors }
}

/// Largest number of sweeps over all pairs; convergence is quadratic, and six to ten are enough.
const MAX_SWEEPS: usize = 40;

fn unit_vector(k: usize, n: usize) -> Vec<f64> {
    (0..n).map(|i| if i == k { 1.0 } else { 0.0 }).collect()
}

/// Returns the x that minimises |A x − b|, by Householder reflections. A is given by its columns, which must be independent; A and b are
/// overwritten.
pub(crate) fn least_squares(columns: &mut [Vec<f64>], b: &mut [f64]) -> Vec<f64> {
    let mut x = vec![0.0; columns.len()];
    reflect(columns, b, &mut x);
    x
}

/// The same with the result in `x`; the coefficient of a column that is a combination of those before it is zero.
pub(crate) fn reflect(columns: &mut [Vec<f64>], b: &mut [f64], x: &mut [f64]) {
    let n = columns.len();
    for k in 0..n {
        let (done, rest) = columns.split_at_mut(k + 1);
        let v = &mut done[k][k..];
        let length = dot(v, v).sqrt();
        let alpha = if v[0] > 0.0 { -length } else { length };
        // the diagonal of R, stored where the result will be
        x[k] = alpha;
        v[0] -= alpha;
        let square = dot(v, v);
        if square == 0.0 {
            continue;
        }
        let others = rest.iter_mut().map(|column| &mut column[k..]);
        for y in others.chain(std::iter::once(&mut b[k..])) {
            let factor = -2.0 * dot(v, y) / square;
            add(y, factor, v);
        }
    }
    for k in (0..n).rev() {
        let sum: f64 = (k + 1..n).map(|j| columns[j][k] * x[j]).sum();
        x[k] = if x[k] == 0.0 {
            0.0
        } else {
            (b[k] - sum) / x[k]
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    #[test]
    fn a_positive_definite_system_is_solved() {
        let n = 7;
        let mut random = Random::new(2);
        let b: Vec<f64> = (0..n * n).map(|_| random.symmetric(1.0)).collect();
        let row = |i: usize| &b[n * i..n * i + n];
        let entry = |i: usize, j: usize| dot(row(i), row(j)) + if i == j { 0.1 } else { 0.0 };
        let x: Vec<f64> = (0..n).map(|_| random.symmetric(1.0)).collect();
        let mut found: Vec<f64> = (0..n)
            .map(|i| (0..n).map(|j| entry(i, j) * x[j]).sum())
            .collect();
        let mut a: Vec<f64> = (0..n * n).map(|k| entry(k / n, k % n)).collect();
        cholesky(&mut a, n);
        forward(&a, &mut found);
        backward(&a, &mut found);
        for (x, y) in x.iter().zip(&found) {
            assert!((x - y).abs() < 1e-10, "{x} {y}");
        }
    }
    /// A = Q D Qᵀ with known D, and Q from reflections.
    fn with_eigenvalues(values: &[f64], seed: u64) -> Vec<f64> {
        let n = values.len();
        let mut a = vec![0.0; n * n];
        for k in 0..n {
            a[n * k + k] = values[k];
        }
        let mut random = Random::new(seed);
        for _ in 0..3 {
            let u: Vec<f64> = (0..n).map(|_| random.symmetric(1.0)).collect();
            let square = dot(&u, &u);
            let h = |i: usize, j: usize| {
                let unit = if i == j { 1.0 } else { 0.0 };
                unit - 2.0 * u[i] * u[j] / square
            };
            let product = |x: &dyn Fn(usize, usize) -> f64, y: &dyn Fn(usize, usize) -> f64| {
                let sum = |i: usize, j: usize| (0..n).map(|k| x(i, k) * y(k, j)).sum::<f64>();
                (0..n * n)
                    .map(|at| sum(at / n, at % n))
                    .collect::<Vec<f64>>()
            };
            let half = product(&h, &|i, j| a[n * i + j]);
            a = product(&|i, j| half[n * i + j], &h);
        }
        a
    }

    #[test]
    fn eigenvalues_and_vectors_of_a_symmetric_matrix_are_found() {
        let known = [-3.0, -1e-3, 0.0, 2.0, 2.0, 40.0];
        let a = with_eigenvalues(&known, 5);
        let found = symmetric_eigen(&mut a.clone(), 6);
        for (k, vector) in found.vectors.iter().enumerate() {
            assert!((found.values[k] - known[k]).abs() < 1e-13 * 40.0);
            for i in 0..6 {
                let av = dot(&a[6 * i..6 * i + 6], vector);
                assert!((av - known[k] * vector[i]).abs() < 1e-12, "vector {k}");
            }
            assert!((dot(vector, vector) - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn least_squares_leave_a_residual_normal_to_the_columns() {
        let mut random = Random::new(8);
        let columns: Vec<Vec<f64>> = (0..4)
            .map(|_| (0..9).map(|_| random.symmetric(1.0)).collect())
            .collect();
        let b: Vec<f64> = (0..9).map(|_| random.symmetric(1.0)).collect();
        let x = least_squares(&mut columns.clone(), &mut b.clone());
        let mut residual = b;
        for (column, x) in columns.iter().zip(&x) {
            add(&mut residual, -x, column);
        }
        for column in &columns {
            assert!(dot(column, &residual).abs() < 1e-14);
        }
    }
}
