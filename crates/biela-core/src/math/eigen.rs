//! Eigenvalues and eigenvectors of a real square matrix, or of a pencil `F x = λ E x`.
//!
//! A zero eigenvalue of a mechanical system is rarely simple: a cyclic coordinate and its velocity form a Jordan chain,
//! and rounding separates two equal zeros by the square root of the machine precision. Null directions n of F are therefore deflated
//! first: n replaces one coordinate, and one row is eliminated from `E n`,
//!
//! ```text
//! F n = 0   ⇒   P F [n N] = ⎡ 0  * ⎤      P E [n N] = ⎡ w  * ⎤
//!                           ⎣ 0  F′⎦                  ⎣ 0  E′⎦
//! ```
//!
//! until F′ is regular. The elimination does not change the other columns, and its pivot is a row with small entries in F, so that rounding errors of stiff
//! rows do not affect soft ones. The rank of F is determined after equilibration of its rows and columns: a slow mode in the presence of a fast one is not a
//! zero.
//!
//! The QR algorithm computes eigenvalues to the rounding error of the largest. Slow eigenvalues are therefore computed from `F⁻¹ E`, where they are the
//! largest, and fast ones from `E⁻¹ F` if the two are far apart. (The real Schur form of nalgebra has no exceptional shifts: if it does not converge, the
//! matrix is transformed by a random orthogonal similarity and the computation is repeated.) Eigenvectors follow from the block triangular form by
//! substitution.

use nalgebra::{Complex, DMatrix, DVector, Schur, linalg::balancing::balance_parlett_reinsch};

use super::Random;

/// A dense matrix.
pub type Matrix = DMatrix<f64>;

/// Eigenvalues with their eigenvectors.
#[derive(Clone, Debug)]
pub struct Spectrum {
    /// Eigenvalues: exact zeros first, then the others; of a conjugate pair the one with positive imaginary part comes first.
    pub values: Vec<Complex<f64>>,
    /// Eigenvectors, one per value; for a zero the deflated direction.
    pub vectors: Vec<Vec<Complex<f64>>>,
    /// Number of exact zeros among the values.
    pub zeros: usize,
}

/// The QR algorithm did not converge, or the matrix is not finite.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct NoSpectrum;

impl std::fmt::Display for NoSpectrum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the eigenvalues cannot be computed: the matrix is not finite, or the QR algorithm does not converge")
    }
}

crate::readable_errors!(NoSpectrum);

/// Maximum number of attempts of the QR algorithm, each in other axes.
const ATTEMPTS: u64 = 4;
/// A pivot of the equilibrated matrix is zero below this times its uncertainty,
const SAFETY: f64 = 30.0;
/// or below this times the square root of its size.
const NEGLIGIBLE: f64 = 64.0 * f64::EPSILON;
/// An eigenvalue smaller than this times the largest is zero: it is caused by rounding of the state.
const TINY: f64 = 1e-13;
/// Rounding error of a difference relative to its larger term.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// A row may be the pivot of an elimination if its entry is at least this fraction of the largest.
const PIVOT: f64 = 0.3;
/// Ratio of the largest to the smallest eigenvalue above which fast ones are computed separately.
const FAR_APART: f64 = 1e6;

/// Returns the spectrum of a square matrix whose entries have the given uncertainty.
pub fn spectrum(a: &Matrix, uncertainty: &Matrix) -> Result<Spectrum, NoSpectrum> {
    pencil_spectrum(a, &Matrix::identity(a.nrows(), a.nrows()), uncertainty)
}

/// Returns the spectrum of the pencil `F x = λ E x`, with E regular and its diagonal positive; the entries of F have the given uncertainty.
pub fn pencil_spectrum(
    f: &Matrix,
    e: &Matrix,
    uncertainty: &Matrix,
) -> Result<Spectrum, NoSpectrum> {
    let n = f.nrows();
    let square = n == f.ncols() && e.shape() == f.shape() && uncertainty.shape() == f.shape();
    let finite = f.iter().chain(e).all(|x| x.is_finite());
    if !square || !finite || e.diagonal().iter().any(|x| *x <= 0.0) {
        return Err(NoSpectrum);
    }
    let mut pencil = DeflatedPencil {
        f: f.clone(),
        e: e.clone(),
        doubt: uncertainty.clone(),
    };
    for (x, doubt) in pencil.f.iter_mut().zip(pencil.doubt.iter_mut()) {
        if x.abs() <= *doubt {
            (*x, *doubt) = (0.0, 0.0);
        }
    }
    let scale = pencil.balance();
    let mut levels = Vec::new();
    while let Some(level) = pencil.deflate() {
        levels.push(level);
    }
    let (mut values, mut vectors) = (Vec::with_capacity(n), Vec::with_capacity(n));
    for (depth, level) in levels.iter().enumerate() {
        for direction in level.directions.column_iter() {
            let mut x: Vec<Complex<f64>> = direction.iter().map(|x| real(*x)).collect();
            for outer in levels[..depth].iter().rev() {
                x = outer.embed(&x);
            }
            values.push(real(0.0));
            vectors.push(x);
        }
    }
    let regular = pencil.regular()?;
    let most = regular
        .iter()
        .fold(0.0, |m, (value, _)| f64::max(m, value.norm()));
    let (tiny, regular): (Vec<_>, Vec<_>) = regular
        .into_iter()
        .partition(|(value, _)| value.norm() <= TINY * most);
    let zeros = values.len() + tiny.len();
    let tiny = tiny.into_iter().map(|(value, x)| (value, real(0.0), x));
    let regular = regular.into_iter().map(|(value, x)| (value, value, x));
    for (computed, value, mut x) in tiny.chain(regular) {
        for level in levels.iter().rev() {
            x = level.extend(computed, &x);
        }
        values.push(value);
        vectors.push(x);
    }
    for x in &mut vectors {
        for (x, s) in x.iter_mut().zip(&scale) {
            *x *= *s;
        }
        let length = x.iter().map(Complex::norm_sqr).sum::<f64>().sqrt();
        if length > 0.0 {
            for entry in x {
                *entry /= length;
            }
        }
    }
    Ok(Spectrum {
        values,
        vectors,
        zeros,
    })
}

/// An eigenvalue with its eigenvector.
type EigenPair = (Complex<f64>, Vec<Complex<f64>>);

fn real(x: f64) -> Complex<f64> {
    Complex::new(x, 0.0)
}

/// The part of `F x = λ E x` that is not deflated.
struct DeflatedPencil {
    f: Matrix,
    e: Matrix,
    doubt: Matrix,
}

/// Null directions that were deflated together.
struct Level {
    /// One column each, in the coordinates before the deflation.
    directions: Matrix,
    /// The remaining coordinates.
    kept: Vec<usize>,
    /// The eliminated rows, one for each direction: of F and of E at the remaining coordinates, and of E along the directions.
    rows: Vec<(Vec<f64>, Vec<f64>, Vec<f64>)>,
}

impl Level {
    /// Transforms a vector of the remaining coordinates to those before the deflation.
    fn embed(&self, y: &[Complex<f64>]) -> Vec<Complex<f64>> {
        let mut x = vec![real(0.0); self.directions.nrows()];
        for (i, y) in self.kept.iter().zip(y) {
            x[*i] = *y;
        }
        x
    }

    /// Returns the eigenvector before the deflation: `λ (w ξ + e y) = f y` yields the components ξ of the directions.
    fn extend(&self, value: Complex<f64>, y: &[Complex<f64>]) -> Vec<Complex<f64>> {
        let mut x = self.embed(y);
        let mut shares = vec![real(0.0); self.rows.len()];
        for (k, (f, e, w)) in self.rows.iter().enumerate().rev() {
            let product =
                |row: &[f64]| -> Complex<f64> { row.iter().zip(y).map(|(a, y)| y * *a).sum() };
            let known: Complex<f64> = (k + 1..w.len()).map(|l| shares[l] * w[l]).sum();
            shares[k] = (product(f) / value - product(e) - known) / w[k];
        }
        for (direction, share) in self.directions.column_iter().zip(&shares) {
            for (x, d) in x.iter_mut().zip(direction.iter()) {
                *x += share * *d;
            }
        }
        x
    }
}

/// Scales the largest magnitude of each row and column to about one, by powers of two; returns the factors of rows and columns.
fn equilibrate(f: &Matrix) -> (Vec<f64>, Vec<f64>) {
    let (mut rows, mut columns) = (vec![1.0; f.nrows()], vec![1.0; f.ncols()]);
    let power = |x: f64| {
        if x > 0.0 {
            2_f64.powi(-x.log2().round() as i32)
        } else {
            1.0
        }
    };
    for _ in 0..3 {
        let mut largest = vec![0.0_f64; f.nrows()];
        for (j, column) in f.column_iter().enumerate() {
            for (i, x) in column.iter().enumerate() {
                largest[i] = largest[i].max((x * columns[j]).abs());
            }
        }
        rows = largest.into_iter().map(power).collect();
        for (j, column) in f.column_iter().enumerate() {
            let entries = column.iter().zip(&rows);
            columns[j] = power(entries.fold(0.0, |most, (x, r)| f64::max(most, (x * r).abs())));
        }
    }
    (rows, columns)
}

/// Returns the matrix without some of the rows or columns.
fn without(matrix: &Matrix, rows: &[usize], columns: &[usize]) -> Matrix {
    Matrix::from_fn(rows.len(), columns.len(), |i, j| {
        matrix[(rows[i], columns[j])]
    })
}

impl DeflatedPencil {
    fn size(&self) -> usize {
        self.f.nrows()
    }

    /// Scales the unknowns so that rows and columns of `diag(E)⁻¹ F` have about the same norm, and the equations so that the diagonal of E is one.
    fn balance(&mut self) -> Vec<f64> {
        let n = self.size();
        let own: Vec<f64> = self.e.diagonal().iter().copied().collect();
        let mut plain = Matrix::from_fn(n, n, |i, j| self.f[(i, j)] / own[i]);
        let scale = balance_parlett_reinsch(&mut plain);
        for matrix in [&mut self.f, &mut self.e, &mut self.doubt] {
            for j in 0..n {
                for i in 0..n {
                    matrix[(i, j)] *= scale[j] / scale[i] / own[i];
                }
            }
        }
        scale.as_slice().to_vec()
    }

    /// Deflates the null directions of F; `None` if there are none.
    fn deflate(&mut self) -> Option<Level> {
        let n = self.size();
        if n == 0 {
            return None;
        }
        let (rows, columns) = equilibrate(&self.f);
        let scaled = Matrix::from_fn(n, n, |i, j| self.f[(i, j)] * rows[i] * columns[j]);
        let doubts: Vec<f64> = (0..n)
            .map(|j| {
                let squares = self.doubt.column(j).into_iter().zip(&rows);
                let norm = squares.map(|(x, r)| (x * r).powi(2)).sum::<f64>().sqrt();
                norm * columns[j]
            })
            .collect();
        let factors = scaled.col_piv_qr();
        let r = factors.r();
        let mut order = Matrix::from_fn(1, n, |_, j| j as f64);
        factors.p().permute_columns(&mut order);
        let order: Vec<usize> = order.iter().map(|x| *x as usize).collect();
        let rounding = NEGLIGIBLE * (n as f64).sqrt() * r[(0, 0)].abs();
        let counts = |k: &usize| r[(*k, *k)].abs() > SAFETY * doubts[order[*k]] + rounding;
        let rank = (0..n).rev().find(counts).map_or(0, |k| k + 1);
        if rank == n {
            return None;
        }
        // R₁₁ X = −R₁₂: each direction has one coordinate of its own, equal to one
        let count = n - rank;
        let mut shares = -r.view((0, rank), (rank, count)).into_owned();
        let triangle = r.view((0, 0), (rank, rank)).into_owned();
        if rank > 0 && !triangle.solve_upper_triangular_mut(&mut shares) {
            return None;
        }
        let mut directions = Matrix::zeros(n, count);
        for k in 0..count {
            for i in 0..rank {
                directions[(order[i], k)] = shares[(i, k)] * columns[order[i]];
            }
            directions[(order[rank + k], k)] = columns[order[rank + k]];
            let size = directions.column(k).amax();
            directions.column_mut(k).scale_mut(1.0 / size);
        }
        let mut kept: Vec<usize> = order[..rank].to_vec();
        kept.sort_unstable();
        self.eliminate(directions, kept)
    }

    fn eliminate(&mut self, directions: Matrix, kept: Vec<usize>) -> Option<Level> {
        let n = self.size();
        let mut w = &self.e * &directions;
        let mut left: Vec<usize> = (0..n).collect();
        let mut rows = Vec::with_capacity(directions.ncols());
        for k in 0..directions.ncols() {
            let most = left.iter().fold(0.0, |m, i| f64::max(m, w[(*i, k)].abs()));
            let fit = left.iter().filter(|i| w[(**i, k)].abs() >= PIVOT * most);
            let softest = |i: &&usize, j: &&usize| {
                let size = |i: usize| self.f.row(i).amax();
                size(**i).total_cmp(&size(**j))
            };
            let pivot = *fit.min_by(softest)?;
            if w[(pivot, k)] == 0.0 {
                return None;
            }
            left.retain(|i| *i != pivot);
            let factors = left.iter().map(|i| (*i, w[(*i, k)] / w[(pivot, k)]));
            let factors: Vec<(usize, f64)> = factors.filter(|(_, x)| *x != 0.0).collect();
            for matrix in [&mut self.e, &mut w] {
                for mut column in matrix.column_iter_mut() {
                    let own = column[pivot];
                    for (i, x) in &factors {
                        column[*i] -= x * own;
                    }
                }
            }
            // a difference not larger than its rounding error is zero
            for (mut column, mut doubt) in
                self.f.column_iter_mut().zip(self.doubt.column_iter_mut())
            {
                let (own, own_doubt) = (column[pivot], doubt[pivot]);
                for &(i, x) in &factors {
                    let terms = column[i].abs().max((x * own).abs());
                    doubt[i] += x.abs() * own_doubt + ROUNDING * terms;
                    column[i] -= x * own;
                    if column[i].abs() <= 2.0 * doubt[i] {
                        (column[i], doubt[i]) = (0.0, 0.0);
                    }
                }
            }
            let of = |matrix: &Matrix| kept.iter().map(|j| matrix[(pivot, *j)]).collect();
            rows.push((
                of(&self.f),
                of(&self.e),
                w.row(pivot).iter().copied().collect(),
            ));
        }
        for matrix in [&mut self.f, &mut self.e, &mut self.doubt] {
            *matrix = without(matrix, &left, &kept);
        }
        Some(Level {
            directions,
            kept,
            rows,
        })
    }

    /// Returns eigenvalues and eigenvectors of a pencil with regular F.
    fn regular(&self) -> Result<Vec<EigenPair>, NoSpectrum> {
        if self.size() == 0 {
            return Ok(Vec::new());
        }
        let (rows, columns) = equilibrate(&self.f);
        let n = self.size();
        let scaled = Matrix::from_fn(n, n, |i, j| self.f[(i, j)] * rows[i] * columns[j]);
        let right = Matrix::from_fn(n, n, |i, j| self.e[(i, j)] * rows[i]);
        let mut inverse = scaled.lu().solve(&right).ok_or(NoSpectrum)?;
        for (mut row, c) in inverse.row_iter_mut().zip(&columns) {
            row.scale_mut(*c);
        }
        let size = |value: &Complex<f64>| value.norm();
        let mut slow = TriangularForm::new(inverse)?.read();
        for (value, _) in &mut slow {
            *value = value.inv();
        }
        // of a conjugate pair, the one with positive imaginary part comes first
        for pair in 0..slow.len() {
            if slow[pair].0.im < 0.0 && pair + 1 < slow.len() && slow[pair + 1].0.im > 0.0 {
                slow.swap(pair, pair + 1);
            }
        }
        let sizes = slow.iter().map(|(value, _)| size(value));
        let (least, most) = sizes.fold((f64::INFINITY, 0.0), |(least, most), x| {
            (f64::min(least, x), f64::max(most, x))
        });
        if most <= FAR_APART * least {
            return Ok(slow);
        }
        let direct = self.e.clone().lu().solve(&self.f).ok_or(NoSpectrum)?;
        let mut fast = TriangularForm::new(direct)?.read();
        for list in [&mut slow, &mut fast] {
            list.sort_by(|a, b| size(&a.0).total_cmp(&size(&b.0)));
        }
        // a cut of both lists that separates no pair, closest to the middle of the range
        let whole = |list: &[EigenPair], cut: usize| {
            cut == 0 || cut == n || size(&list[cut - 1].0) < (1.0 - 1e-4) * size(&list[cut].0)
        };
        let middle = (least * most).sqrt();
        let near = slow
            .iter()
            .filter(|(value, _)| size(value) < middle)
            .count();
        let cut = (0..=n)
            .filter(|cut| whole(&slow, *cut) && whole(&fast, *cut))
            .min_by_key(|cut| cut.abs_diff(near))
            .unwrap_or(n);
        slow.truncate(cut);
        slow.extend(fast.drain(cut..));
        Ok(slow)
    }
}

/// A matrix in axes in which it is block upper triangular: `A = Q T Q⁻¹`.
struct TriangularForm {
    t: Matrix,
    q: Matrix,
}

impl TriangularForm {
    /// Balances a matrix and transforms it to its real Schur form.
    fn new(mut a: Matrix) -> Result<Self, NoSpectrum> {
        let n = a.nrows();
        if !a.iter().all(|x| x.is_finite()) {
            return Err(NoSpectrum);
        }
        let scale = balance_parlett_reinsch(&mut a);
        let mut q = Matrix::from_diagonal(&scale);
        for attempt in 0..ATTEMPTS {
            let sweeps = 60 * n + 100;
            let found = Schur::try_new(a.clone(), f64::EPSILON, sweeps);
            if let Some((axes, t)) = found.map(Schur::unpack) {
                if !t.iter().all(|x| x.is_finite()) {
                    return Err(NoSpectrum);
                }
                return Ok(TriangularForm { t, q: q * axes });
            }
            let mut random = Random::new(attempt + 1);
            let normal = DVector::from_fn(n, |_, _| random.symmetric(1.0));
            reflect(&mut a, &mut q, &normal);
        }
        Err(NoSpectrum)
    }

    fn size(&self) -> usize {
        self.t.nrows()
    }

    /// First row of each diagonal block, and whether the block has two rows.
    fn blocks(&self) -> Vec<(usize, bool)> {
        let n = self.size();
        let mut blocks = Vec::with_capacity(n);
        let mut i = 0;
        while i < n {
            let pair = i + 1 < n && self.t[(i + 1, i)] != 0.0;
            blocks.push((i, pair));
            i += if pair { 2 } else { 1 };
        }
        blocks
    }

    fn read(&self) -> Vec<EigenPair> {
        let blocks = self.blocks();
        let mut pairs = Vec::with_capacity(self.size());
        for (index, &(i, pair)) in blocks.iter().enumerate() {
            let own = if pair {
                pair_values(&self.t, i).to_vec()
            } else {
                vec![real(self.t[(i, i)])]
            };
            for value in own {
                // the second of a conjugate pair has the conjugate vector
                let vector = match pairs.last() {
                    Some((before, vector))
                        if pair && value.im < 0.0 && value == Complex::conj(before) =>
                    {
                        let vector: &Vec<Complex<f64>> = vector;
                        vector.iter().map(Complex::conj).collect()
                    }
                    _ => self.vector(&blocks[..=index], value),
                };
                pairs.push((value, vector));
            }
        }
        pairs
    }

    /// Returns the eigenvector of a value of the last of these blocks: solves `(T − λ) x = 0` from the bottom up, then computes `Q x`.
    fn vector(&self, blocks: &[(usize, bool)], value: Complex<f64>) -> Vec<Complex<f64>> {
        let n = self.size();
        let t = |i: usize, j: usize| Complex::new(self.t[(i, j)], 0.0);
        let smallest = f64::EPSILON * self.t.norm();
        let zero = Complex::new(0.0, 0.0);
        // contribution of the known components to the right-hand sides of the rows above them
        let (mut x, mut right) = (vec![zero; n], vec![zero; n]);
        let own = blocks.len() - 1;
        for (index, &(i, pair)) in blocks.iter().enumerate().rev() {
            if index == own && pair {
                // the longer of the two rows of (T − λ) determines the direction
                let first = [t(i, i + 1), value - t(i, i)];
                let second = [value - t(i + 1, i + 1), t(i + 1, i)];
                let length = |v: &[Complex<f64>; 2]| v[0].norm_sqr() + v[1].norm_sqr();
                let v = if length(&first) >= length(&second) {
                    first
                } else {
                    second
                };
                (x[i], x[i + 1]) = (v[0], v[1]);
            } else if index == own {
                x[i] = Complex::new(1.0, 0.0);
            } else if pair {
                let (a, b) = (t(i, i) - value, t(i, i + 1));
                let (c, d) = (t(i + 1, i), t(i + 1, i + 1) - value);
                let det = guarded(a * d - b * c, smallest * smallest);
                let (r0, r1) = (right[i], right[i + 1]);
                (x[i], x[i + 1]) = ((r0 * d - b * r1) / det, (a * r1 - r0 * c) / det);
            } else {
                x[i] = right[i] / guarded(t(i, i) - value, smallest);
            }
            for j in i..=i + usize::from(pair) {
                let column = self.t.column(j);
                for (right, t) in right[..i].iter_mut().zip(column.iter()) {
                    *right -= x[j] * *t;
                }
            }
        }
        let mut y = vec![zero; n];
        for (x, column) in x.iter().zip(self.q.column_iter()) {
            for (y, q) in y.iter_mut().zip(column.iter()) {
                *y += x * *q;
            }
        }
        let length = y.iter().map(Complex::norm_sqr).sum::<f64>().sqrt();
        y.into_iter().map(|x| x / length).collect()
    }
}

/// `A ← H A H`, `Q ← Q H`, with `H = I − 2 u uᵀ/|u|²`.
fn reflect(a: &mut Matrix, q: &mut Matrix, u: &DVector<f64>) {
    let factor = 2.0 / u.norm_squared();
    for matrix in [&mut *a, q] {
        let along = &*matrix * u;
        matrix.ger(-factor, &along, u, 1.0);
    }
    let along = a.transpose() * u;
    a.ger(-factor, u, &along, 1.0);
}

/// Returns a divisor bounded away from zero: for equal eigenvalues the vectors are then correct to rounding.
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
    fn eigenvalues_and_eigenvectors_of_random_matrices_agree() {
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
    fn badly_scaled_matrices_keep_their_small_eigenvalues() {
        // a similarity with scale factors from 1e-6 to 1e6 does not change eigenvalues
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
    fn a_jordan_chain_of_zeros_keeps_zero_eigenvalues() {
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
    fn zero_eigenvalues_in_any_basis_are_found() {
        // nilpotent chains of 3 and 1, and −1 and ±2i, in random axes
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
    fn an_entry_smaller_than_its_uncertainty_adds_no_mode() {
        let a = Matrix::from_row_slice(2, 2, &[0.0, 1.0, 1e-14, 0.0]);
        let doubt = Matrix::from_element(2, 2, 1e-13);
        assert_eq!(spectrum(&a, &doubt).unwrap().zeros, 2);
        assert_eq!(exact(&a).zeros, 0);
    }

    #[test]
    fn equal_eigenvalues_have_independent_eigenvectors() {
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
    fn a_matrix_that_is_not_finite_is_rejected() {
        let a = Matrix::from_element(2, 2, f64::NAN);
        assert_eq!(spectrum(&a, &Matrix::zeros(2, 2)).unwrap_err(), NoSpectrum);
    }
}
