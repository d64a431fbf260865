//! Small dense symmetric positive definite systems, in place, by rows.

/// L of `A = L Lᵀ` in place of the lower triangle of the n × n matrix A.
pub(super) fn cholesky(a: &mut [f64], n: usize) {
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
pub(super) fn forward(l: &[f64], x: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        let sum = x[i] - dot(&l[n * i..n * i + i], &x[..i]);
        x[i] = sum / l[n * i + i];
    }
}

/// `x ← L⁻ᵀ x`.
pub(super) fn backward(l: &[f64], x: &mut [f64]) {
    let n = x.len();
    for i in (0..n).rev() {
        x[i] /= l[n * i + i];
        let (rest, end) = x.split_at_mut(i);
        add(rest, -end[0], &l[n * i..n * i + i]);
    }
}

/// x·y.
pub(super) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// `y += factor x`.
pub(super) fn add(y: &mut [f64], factor: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += factor * x;
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
}
