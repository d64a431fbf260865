//! Eigenvalues and eigenvectors of a real square matrix.
//!
//! A zero eigenvalue of a mechanical system is seldom simple: a coordinate that nothing depends on and its rate make a chain,
//! and rounding tears a chain of two zeros apart by the square root of the machine's precision. So null directions n are split
//! off first, one by one,
//!
//! ```text
//! A n = 0,  Q = [n N]   ⇒   Q⁻¹ A Q = ⎡ 0  * ⎤
//!                                     ⎣ 0  A′⎦
//! ```
//!
//! until A′ has none: columns of zeros as they stand, the others by the smallest singular value. What is left is balanced and goes
//! to the QR algorithm (nalgebra's real Schur form, which has no exceptional shifts: where it stalls it is tried again in other
//! axes). Eigenvectors follow from the block triangular form by substitution.

use nalgebra::{Complex, DMatrix, DVector, Schur, linalg::balancing::balance_parlett_reinsch};

use super::Random;

/// A dense matrix.
pub type Matrix = DMatrix<f64>;

/// Eigenvalues with their eigenvectors.
#[derive(Clone, Debug)]
pub struct Spectrum {
    /// Eigenvalues: exact zeros first, then the others; of a conjugate pair the one with positive imaginary part comes first.
    pub values: Vec<Complex<f64>>,
    /// Eigenvectors, one a value; for a zero the direction that was split off.
    pub vectors: Vec<Vec<Complex<f64>>>,
    /// How many of the values are exact zeros.
    pub zeros: usize,
}

/// The QR algorithm did not converge, or the matrix is not finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSpectrum;

impl std::fmt::Display for NoSpectrum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the eigenvalues cannot be computed: the matrix is not finite, or the QR algorithm does not converge")
    }
}

impl std::error::Error for NoSpectrum {}

/// How often the QR algorithm is tried, each time in other axes.
const ATTEMPTS: u64 = 4;

/// A singular value counts as zero below this times the doubt about the matrix, which null directions split off before have made larger,
const SAFETY: f64 = 30.0;
/// or below this times its size.
const NEGLIGIBLE: f64 = 1e-12;

/// The matrix in axes in which it is block upper triangular: `A = Q T Q⁻¹`.
struct Form {
    t: Matrix,
    q: Matrix,
    /// How many leading rows and columns are split off, with zeros on the diagonal.
    split: usize,
}

/// The spectrum of a square matrix whose entries are known up to `uncertainty`.
pub fn spectrum(a: &Matrix, uncertainty: &Matrix) -> Result<Spectrum, NoSpectrum> {
    let n = a.nrows();
    if n != a.ncols() || uncertainty.shape() != a.shape() || !a.iter().all(|x| x.is_finite()) {
        return Err(NoSpectrum);
    }
    let mut form = Form {
        t: a.clone(),
        q: Matrix::identity(n, n),
        split: 0,
    };
    let mut unknown = uncertainty.clone();
    form.split_columns(&mut unknown);
    form.balance(&mut unknown);
    form.split_null_directions(&unknown);
    form.triangularise()?;
    Ok(form.read())
}

impl Form {
    fn size(&self) -> usize {
        self.t.nrows()
    }

    /// Splits off coordinates whose column is zero; each may leave another such column behind.
    fn split_columns(&mut self, unknown: &mut Matrix) {
        let n = self.size();
        loop {
            let k = self.split;
            let empty = (k..n).find(|&j| (k..n).all(|i| self.t[(i, j)] == 0.0));
            let Some(j) = empty else { return };
            for matrix in [&mut self.t, unknown] {
                matrix.swap_rows(k, j);
                matrix.swap_columns(k, j);
            }
            self.q.swap_columns(k, j);
            self.split += 1;
        }
    }

    /// Scales what is left so that its rows and columns have about the same length; powers of two, so nothing is rounded.
    fn balance(&mut self, unknown: &mut Matrix) {
        let (k, n) = (self.split, self.size());
        let mut rest = self.t.view((k, k), (n - k, n - k)).into_owned();
        let scale = balance_parlett_reinsch(&mut rest);
        self.t.view_mut((k, k), (n - k, n - k)).copy_from(&rest);
        for (j, s) in scale.iter().enumerate() {
            self.t.view_mut((0, k + j), (k, 1)).scale_mut(*s);
            self.q.column_mut(k + j).scale_mut(*s);
            unknown.column_mut(k + j).scale_mut(*s);
            unknown.row_mut(k + j).scale_mut(1.0 / s);
        }
    }

    /// Splits off null directions that mix coordinates.
    fn split_null_directions(&mut self, unknown: &Matrix) {
        let n = self.size();
        let start = self.split;
        let doubt = unknown.view((start, start), (n - start, n - start)).norm();
        while self.split < n {
            let k = self.split;
            let rest = self.t.view((k, k), (n - k, n - k)).into_owned();
            let size = rest.norm();
            let svd = rest.svd(false, true);
            let Some(axes) = svd.v_t else { return };
            let (least, value) = svd.singular_values.argmin();
            if value > SAFETY * doubt + NEGLIGIBLE * size {
                return;
            }
            // the reflection that takes the first axis to the null direction
            let mut normal: DVector<f64> = -axes.row(least).transpose();
            let sign = if normal[0] < 0.0 { -1.0 } else { 1.0 };
            normal[0] += sign;
            self.reflect(&normal);
            self.t.view_mut((k, k), (n - k, 1)).fill(0.0);
            self.split += 1;
        }
    }

    /// `T ← H T H`, `Q ← Q H` on what is left, with `H = I − 2 u uᵀ/|u|²`.
    fn reflect(&mut self, u: &DVector<f64>) {
        let (k, n) = (self.split, self.size());
        let factor = 2.0 / u.norm_squared();
        for matrix in [&mut self.t, &mut self.q] {
            let mut columns = matrix.columns_mut(k, n - k);
            let along = &columns * u;
            columns.ger(-factor, &along, u, 1.0);
        }
        let mut rows = self.t.view_mut((k, k), (n - k, n - k));
        let along = rows.transpose() * u;
        rows.ger(-factor, u, &along, 1.0);
    }

    /// The real Schur form of what is left.
    fn triangularise(&mut self) -> Result<(), NoSpectrum> {
        let (k, n) = (self.split, self.size());
        if k == n {
            return Ok(());
        }
        for attempt in 0..ATTEMPTS {
            let rest = self.t.view((k, k), (n - k, n - k)).into_owned();
            let sweeps = 60 * (n - k) + 100;
            let found = Schur::try_new(rest, f64::EPSILON, sweeps);
            if let Some((axes, triangle)) = found.map(Schur::unpack) {
                if !triangle.iter().all(|x| x.is_finite()) {
                    return Err(NoSpectrum);
                }
                let above = self.t.view((0, k), (k, n - k)) * &axes;
                self.t.view_mut((0, k), (k, n - k)).copy_from(&above);
                self.t.view_mut((k, k), (n - k, n - k)).copy_from(&triangle);
                let q = self.q.columns(k, n - k) * &axes;
                self.q.columns_mut(k, n - k).copy_from(&q);
                return Ok(());
            }
            let mut random = Random::new(attempt + 1);
            let normal = DVector::from_fn(n - k, |_, _| random.symmetric(1.0));
            self.reflect(&normal);
        }
        Err(NoSpectrum)
    }

    /// First row of each diagonal block, and whether the block has two.
    fn blocks(&self) -> Vec<(usize, bool)> {
        let n = self.size();
        let mut blocks: Vec<_> = (0..self.split).map(|i| (i, false)).collect();
        let mut i = self.split;
        while i < n {
            let pair = i + 1 < n && self.t[(i + 1, i)] != 0.0;
            blocks.push((i, pair));
            i += if pair { 2 } else { 1 };
        }
        blocks
    }

    fn read(&self) -> Spectrum {
        let (n, blocks) = (self.size(), self.blocks());
        let (mut values, mut vectors) = (Vec::with_capacity(n), Vec::with_capacity(n));
        for i in 0..self.split {
            values.push(Complex::new(0.0, 0.0));
            let direction = self.q.column(i);
            vectors.push(direction.iter().map(|x| Complex::new(*x, 0.0)).collect());
        }
        for (index, &(i, pair)) in blocks.iter().enumerate().skip(self.split) {
            let own = if pair {
                pair_values(&self.t, i).to_vec()
            } else {
                vec![Complex::new(self.t[(i, i)], 0.0)]
            };
            for value in own {
                values.push(value);
                vectors.push(self.vector(&blocks[..=index], value));
            }
        }
        Spectrum {
            values,
            vectors,
            zeros: self.split,
        }
    }

    /// The eigenvector of a value of the last of these blocks: `(T − λ) x = 0` from the bottom up, then `Q x`.
    fn vector(&self, blocks: &[(usize, bool)], value: Complex<f64>) -> Vec<Complex<f64>> {
        let n = self.size();
        let t = |i: usize, j: usize| Complex::new(self.t[(i, j)], 0.0);
        let smallest = f64::EPSILON * self.t.norm();
        let mut x = vec![Complex::new(0.0, 0.0); n];
        let own = blocks.len() - 1;
        for (index, &(i, pair)) in blocks.iter().enumerate().rev() {
            if index == own {
                if pair {
                    // the longer of the two rows of (T − λ) gives the direction
                    let first = [t(i, i + 1), value - t(i, i)];
                    let second = [value - t(i + 1, i + 1), t(i + 1, i)];
                    let length = |v: &[Complex<f64>; 2]| v[0].norm_sqr() + v[1].norm_sqr();
                    let v = if length(&first) >= length(&second) {
                        first
                    } else {
                        second
                    };
                    (x[i], x[i + 1]) = (v[0], v[1]);
                } else {
                    x[i] = Complex::new(1.0, 0.0);
                }
                continue;
            }
            let last = if pair { i + 1 } else { i };
            let right = |row: usize| -> Complex<f64> {
                -(last + 1..n)
                    .map(|j| t(row, j) * x[j])
                    .sum::<Complex<f64>>()
            };
            if pair {
                let (a, b) = (t(i, i) - value, t(i, i + 1));
                let (c, d) = (t(i + 1, i), t(i + 1, i + 1) - value);
                let det = guarded(a * d - b * c, smallest * smallest);
                let (r0, r1) = (right(i), right(i + 1));
                (x[i], x[i + 1]) = ((r0 * d - b * r1) / det, (a * r1 - r0 * c) / det);
            } else {
                x[i] = right(i) / guarded(t(i, i) - value, smallest);
            }
        }
        let row = |i: usize| (0..n).map(|j| x[j] * self.q[(i, j)]).sum::<Complex<f64>>();
        let y: Vec<Complex<f64>> = (0..n).map(row).collect();
        let length = y.iter().map(Complex::norm_sqr).sum::<f64>().sqrt();
        y.into_iter().map(|x| x / length).collect()
    }
}

/// A divisor kept away from zero: equal eigenvalues then give vectors that are right to rounding.
fn guarded(x: Complex<f64>, smallest: f64) -> Complex<f64> {
    if x.norm() < smallest {
        Complex::new(smallest, 0.0)
    } else {
        x
    }
}

/// Eigenvalues of the 2 × 2 block at row i.
fn pair_values(t: &Matrix, i: usize) -> [Complex<f64>; 2] {
    let (a, b) = (t[(i, i)], t[(i, i + 1)]);
    let (c, d) = (t[(i + 1, i)], t[(i + 1, i + 1)]);
    let half = 0.5 * (a - d);
    let discriminant = half * half + b * c;
    if discriminant < 0.0 {
        let (real, imaginary) = (0.5 * (a + d), (-discriminant).sqrt());
        [
            Complex::new(real, imaginary),
            Complex::new(real, -imaginary),
        ]
    } else {
        let root = discriminant.sqrt();
        let far = if half < 0.0 { half - root } else { half + root };
        let near = if far == 0.0 { 0.0 } else { -b * c / far };
        [Complex::new(d + far, 0.0), Complex::new(d + near, 0.0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(a: &Matrix) -> Spectrum {
        spectrum(a, &Matrix::zeros(a.nrows(), a.ncols())).unwrap()
    }

    fn residual(a: &Matrix, s: &Spectrum) -> f64 {
        let n = a.nrows();
        let mut worst = 0.0_f64;
        for (value, x) in s.values.iter().zip(&s.vectors).skip(s.zeros) {
            for i in 0..n {
                let product: Complex<f64> = (0..n).map(|j| x[j] * a[(i, j)]).sum();
                worst = worst.max((product - value * x[i]).norm());
            }
        }
        worst / a.norm()
    }

    #[test]
    fn values_and_vectors_of_random_matrices_belong_together() {
        let mut random = Random::new(3);
        for n in 1..30 {
            let a = Matrix::from_fn(n, n, |_, _| random.symmetric(1.0));
            let s = exact(&a);
            assert_eq!((s.values.len(), s.zeros), (n, 0));
            assert!(residual(&a, &s) < 1e-12, "n = {n}: {}", residual(&a, &s));
            let trace: f64 = s.values.iter().map(|v| v.re).sum();
            assert!((trace - a.trace()).abs() < 1e-12 * n as f64);
        }
    }

    #[test]
    fn badly_scaled_matrices_keep_their_small_values() {
        // a similarity with scales from 1e-6 to 1e6 changes no eigenvalue
        let mut random = Random::new(8);
        let n = 7;
        let a = Matrix::from_fn(n, n, |_, _| random.symmetric(1.0));
        let scale = |i: usize| 10_f64.powi(2 * i as i32 - 6);
        let scaled = Matrix::from_fn(n, n, |i, j| a[(i, j)] * scale(i) / scale(j));
        let sorted = |s: Spectrum| {
            let mut values = s.values;
            values.sort_by(|x, y| x.re.total_cmp(&y.re).then(x.im.total_cmp(&y.im)));
            values
        };
        for (x, y) in sorted(exact(&a)).iter().zip(sorted(exact(&scaled))) {
            assert!((x - y).norm() < 1e-12, "{x} {y}");
        }
    }

    #[test]
    fn a_cycle_on_which_the_double_shift_stalls_is_solved() {
        let n = 6;
        let a = Matrix::from_fn(n, n, |i, j| if (i + 1) % n == j { 1.0 } else { 0.0 });
        let s = exact(&a);
        assert!(residual(&a, &s) < 1e-13);
        assert!(s.values.iter().all(|v| (v.norm() - 1.0).abs() < 1e-13));
    }

    #[test]
    fn chains_of_zeros_stay_zeros() {
        // x1″ = x2 − x1 = −x2″: a drift of both (a chain of two) and an oscillation at √2
        let a = Matrix::from_row_slice(
            4,
            4,
            &[
                0.0, 0.0, 1.0, 0.0, //
                0.0, 0.0, 0.0, 1.0, //
                -1.0, 1.0, 0.0, 0.0, //
                1.0, -1.0, 0.0, 0.0,
            ],
        );
        let s = exact(&a);
        assert_eq!(s.zeros, 2);
        assert!((s.values[2] - Complex::new(0.0, 2_f64.sqrt())).norm() < 1e-15);
        assert!((s.vectors[0][0] - s.vectors[0][1]).norm() < 1e-14);
        assert!(residual(&a, &s) < 1e-14);
    }

    #[test]
    fn zeros_in_any_axes_are_found() {
        // nilpotent chains of 3 and 1 beside −1 and ±2i, turned at random
        let mut random = Random::new(5);
        let n = 7;
        let mut a = Matrix::zeros(n, n);
        (a[(0, 1)], a[(1, 2)]) = (1.0, 3.0);
        a[(4, 4)] = -1.0;
        (a[(5, 6)], a[(6, 5)]) = (-4.0, 1.0);
        let turn = Matrix::from_fn(n, n, |_, _| random.symmetric(1.0)).qr().q();
        let s = exact(&(&turn * &a * turn.transpose()));
        assert_eq!(s.zeros, 4);
        let rest: f64 = s.values[4..].iter().map(|v| v.norm()).sum();
        assert!((rest - 5.0).abs() < 1e-12, "{:?}", s.values);
    }

    #[test]
    fn an_entry_smaller_than_its_uncertainty_makes_no_mode() {
        let a = Matrix::from_row_slice(2, 2, &[0.0, 1.0, 1e-14, 0.0]);
        let doubt = Matrix::from_element(2, 2, 1e-13);
        assert_eq!(spectrum(&a, &doubt).unwrap().zeros, 2);
        assert_eq!(exact(&a).zeros, 0);
    }

    #[test]
    fn equal_values_have_vectors_of_their_own() {
        let a = Matrix::from_row_slice(
            4,
            4,
            &[
                0.0, 1.0, 0.0, 0.0, //
                -4.0, 0.0, 0.0, 0.0, //
                0.0, 0.0, 0.0, 1.0, //
                0.0, 0.0, -4.0, 0.0,
            ],
        );
        let s = exact(&a);
        let overlap: Complex<f64> = (0..4)
            .map(|i| s.vectors[0][i].conj() * s.vectors[2][i])
            .sum();
        assert!(overlap.norm() < 0.5, "{overlap}");
        assert!(residual(&a, &s) < 1e-14);
    }

    #[test]
    fn what_is_not_finite_is_refused() {
        let a = Matrix::from_element(2, 2, f64::NAN);
        assert_eq!(spectrum(&a, &Matrix::zeros(2, 2)).unwrap_err(), NoSpectrum);
    }
}
