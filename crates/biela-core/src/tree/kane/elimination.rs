//! The zero-eigenvalue method: the null eigenvectors of BᵀB eliminate the constraint forces from the equations.
//!
//! ```text
//! BᵀB T = 0  ⇒  |B T|² = 0  ⇒  B T = 0        ⎡ TᵀA ⎤        ⎡   Tᵀ f    ⎤
//!                                              ⎣  B  ⎦ y'  =  ⎣ g' − B' y ⎦
//! ```
//!
//! (W. C. Walton, E. C. Steeves, NASA TR R-326, 1969; J. W. Kamman, R. L. Huston, *Journal of Applied Mechanics* 51 (1984) 899-903.) The other
//! eigenvectors V with eigenvalues Λ are orthogonal to T and yield the pseudoinverse `B⁺ = V Λ⁻¹ Vᵀ Bᵀ`. The equations
//! are solved in two parts, and redundant rows are permitted:
//!
//! ```text
//! y' = B⁺ (g' − B' y) + T z'        (TᵀA T) z' = Tᵀ (f − A B⁺ (g' − B' y))        Bᵀ λ = A y' − f
//! ```
//!
//! Rows are scaled to unit length. [`crate::methods::NullSpace`] computes the same space without squaring the condition number of B.

use nalgebra::{DMatrix, SymmetricEigen};

use super::{KaneEquations, SpeedConstraints};
use crate::math::Vec3;
use crate::math::spatial::Wrench;

/// An eigenvalue of BᵀB below this fraction of the largest is zero.
const NULL: f64 = 1e-11;

/// A row whose coefficients are below this fraction of their terms is zero.
const ROUNDING: f64 = 1e-12;

/// Largest number of iterations of the eigenvalue algorithm per speed; two or three are usual.
const ITERATIONS: usize = 60;

/// The reason why constraint forces could not be eliminated.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum EliminationError {
    /// A coefficient is NaN or infinite, or the eigenvalue iteration did not converge.
    NoEigenvalues,
    /// A free motion has no mass: its acceleration is undetermined.
    NoMass,
}

impl std::fmt::Display for EliminationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            EliminationError::NoEigenvalues => {
                "the eigenvalues of BᵀB cannot be computed: check for a coordinate or constraint that is not finite"
            }
            EliminationError::NoMass => {
                "a degree of freedom has no inertia: give the bodies at its end mass and inertia"
            }
        })
    }
}

crate::readable_errors!(EliminationError);

/// Accelerations and constraint forces.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstrainedMotion {
    /// y'.
    pub rates: Vec<f64>,
    /// λ, one per row; the vector of minimum norm if rows are redundant.
    pub multipliers: Vec<f64>,
}

/// The eigenvectors of BᵀB.
#[derive(Clone, Debug)]
pub struct Elimination {
    n: usize,
    /// B with rows of unit length, and the lengths; zero for a zero row.
    rows: Vec<f64>,
    lengths: Vec<f64>,
    /// T, one vector after another.
    free: Vec<f64>,
    /// V, one vector after another, and Λ.
    bound: Vec<f64>,
    eigenvalues: Vec<f64>,
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn add(to: &mut [f64], factor: f64, x: &[f64]) {
    for (to, x) in to.iter_mut().zip(x) {
        *to += factor * x;
    }
}

impl Elimination {
    /// Splits the speeds into those that are free and those that the rows determine.
    pub fn new(constraints: &SpeedConstraints) -> Result<Self, EliminationError> {
        let n = constraints.n;
        let mut rows = constraints.B.clone();
        let mut lengths = vec![0.0; constraints.rows()];
        let mut E = DMatrix::zeros(n, n);
        for (i, length) in lengths.iter_mut().enumerate() {
            let row = &mut rows[n * i..n * (i + 1)];
            *length = inner(row, row).sqrt();
            if !length.is_finite() {
                return Err(EliminationError::NoEigenvalues);
            }
            if *length <= ROUNDING * constraints.size[i] {
                *length = 0.0;
                continue;
            }
            for x in row.iter_mut() {
                *x /= *length;
            }
            for (j, x) in row.iter().enumerate() {
                for (k, y) in row.iter().enumerate() {
                    E[(j, k)] += x * y;
                }
            }
        }
        let mut out = Elimination {
            n,
            rows,
            lengths,
            free: Vec::new(),
            bound: Vec::new(),
            eigenvalues: Vec::new(),
        };
        if n == 0 {
            return Ok(out);
        }
        let eigen = SymmetricEigen::try_new(E, f64::EPSILON, ITERATIONS * n)
            .ok_or(EliminationError::NoEigenvalues)?;
        let largest = eigen.eigenvalues.iter().fold(0.0, |m: f64, x| m.max(*x));
        for (k, value) in eigen.eigenvalues.iter().enumerate() {
            let vector = eigen.eigenvectors.column(k);
            if *value <= NULL * largest {
                out.free.extend(vector.iter());
            } else {
                out.bound.extend(vector.iter());
                out.eigenvalues.push(*value);
            }
        }
        Ok(out)
    }

    /// Returns the number of degrees of freedom.
    pub fn freedom(&self) -> usize {
        self.free.len() / self.n.max(1)
    }

    /// Returns the number of independent rows.
    pub fn rank(&self) -> usize {
        self.eigenvalues.len()
    }

    /// Returns the columns of T: an orthonormal basis of the free speeds.
    pub fn complement(&self) -> std::slice::ChunksExact<'_, f64> {
        self.free.chunks_exact(self.n.max(1))
    }

    /// `x ← (BᵀB)⁺ x`.
    fn divide(&self, x: &mut [f64]) {
        let mut out = vec![0.0; self.n];
        let vectors = self.bound.chunks_exact(self.n.max(1));
        for (vector, value) in vectors.zip(&self.eigenvalues) {
            add(&mut out, inner(vector, x) / value, vector);
        }
        x.copy_from_slice(&out);
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.rows[self.n * i..self.n * (i + 1)]
    }

    /// Applies the smallest change of y that gives `B y = g`; from y = 0 the speeds of minimum norm.
    pub fn satisfy(&self, g: &[f64], y: &mut [f64]) {
        // the second pass removes the error from squaring the condition number of B
        for _ in 0..2 {
            let mut step = vec![0.0; self.n];
            for (i, g) in g.iter().enumerate() {
                if self.lengths[i] > 0.0 {
                    let left = g / self.lengths[i] - inner(self.row(i), y);
                    add(&mut step, left, self.row(i));
                }
            }
            self.divide(&mut step);
            add(y, 1.0, &step);
        }
    }

    /// Computes accelerations and multipliers of the equations under these constraints.
    pub fn solve(
        &self,
        equations: &KaneEquations,
        constraints: &SpeedConstraints,
    ) -> Result<ConstrainedMotion, EliminationError> {
        let (n, s) = (self.n, self.freedom());
        let mut rates = vec![0.0; n];
        self.satisfy(&constraints.gamma, &mut rates);
        let missing = |rates: &[f64], l: usize| equations.f[l] - equations.inertia_force(l, rates);

        // (TᵀA T) z' = Tᵀ (f − A y'_p)
        let left: Vec<f64> = (0..n).map(|l| missing(&rates, l)).collect();
        let mut z: Vec<f64> = self.complement().map(|t| inner(t, &left)).collect();
        let mut reduced = vec![0.0; s * s];
        for (i, t) in self.complement().enumerate() {
            let At: Vec<f64> = (0..n).map(|l| equations.inertia_force(l, t)).collect();
            for (j, u) in self.complement().enumerate() {
                reduced[s * i + j] = inner(&At, u);
            }
        }
        cholesky(&mut reduced, s, &mut z)?;
        for (t, z) in self.complement().zip(&z) {
            add(&mut rates, *z, t);
        }

        // Bᵀ λ = A y' − f, with λ of minimum norm
        let mut force: Vec<f64> = (0..n).map(|l| -missing(&rates, l)).collect();
        self.divide(&mut force);
        let multiplier = |i: usize| {
            if self.lengths[i] > 0.0 {
                inner(self.row(i), &force) / self.lengths[i]
            } else {
                0.0
            }
        };
        let multipliers = (0..self.lengths.len()).map(multiplier).collect();
        Ok(ConstrainedMotion { rates, multipliers })
    }
}

/// Solves `C x = b` for a positive definite C, in place.
fn cholesky(C: &mut [f64], n: usize, b: &mut [f64]) -> Result<(), EliminationError> {
    let largest = (0..n).fold(0.0, |m: f64, i| m.max(C[n * i + i]));
    for i in 0..n {
        for j in 0..=i {
            let (head, tail) = C.split_at(n * i);
            let (other, own) = if i == j {
                (&tail[..n], &tail[..n])
            } else {
                (&head[n * j..n * j + n], &tail[..n])
            };
            let x = own[j] - inner(&own[..j], &other[..j]);
            C[n * i + j] = if i == j {
                if x.is_nan() || x <= f64::EPSILON * largest {
                    return Err(EliminationError::NoMass);
                }
                x.sqrt()
            } else {
                x / other[j]
            };
        }
        b[i] = (b[i] - inner(&C[n * i..n * i + i], &b[..i])) / C[n * i + i];
    }
    for i in (0..n).rev() {
        b[i] /= C[n * i + i];
        let x = b[i];
        add(&mut b[..i], -x, &C[n * i..n * i + i]);
    }
    Ok(())
}

/// Returns the moment about its origin and the force on each body from its lower body, in the axes of the latter, for [`super::Speeds::Relative`]:
/// `R_l = (A y' − f)_l − (Bᵀ λ)_l` over the rows that belong to no joint of the tree. The armature force of the joint is included.
pub fn reactions(
    equations: &KaneEquations,
    constraints: &SpeedConstraints,
    motion: &ConstrainedMotion,
) -> Vec<Wrench> {
    let n = equations.n;
    let mut R: Vec<f64> = (0..n)
        .map(|l| equations.inertia_force(l, &motion.rates) - equations.f[l])
        .collect();
    for (i, joint) in constraints.joint.iter().enumerate() {
        if joint.is_none() {
            add(&mut R, -motion.multipliers[i], constraints.row(i));
        }
    }
    let (moments, forces) = R.split_at(n / 2);
    let vector = |x: &[f64]| Vec3::new(x[0], x[1], x[2]);
    moments
        .chunks_exact(3)
        .zip(forces.chunks_exact(3))
        .map(|(n, f)| Wrench::new(vector(n), vector(f)))
        .collect()
}
