//! The zero-eigenvalue method: constraint forces leave the equations along the null eigenvectors of BᵀB.
//!
//! ```text
//! BᵀB T = 0  ⇒  |B T|² = 0  ⇒  B T = 0        ⎡ TᵀA ⎤        ⎡   Tᵀ f    ⎤
//!                                              ⎣  B  ⎦ y'  =  ⎣ g' − B' y ⎦
//! ```
//!
//! (W. C. Walton, E. C. Steeves, NASA TR R-326, 1969; J. W. Kamman, R. L. Huston, *Journal of Applied Mechanics* 51 (1984) 899-903.) The other
//! eigenvectors V with eigenvalues Λ are orthogonal to T and give the pseudoinverse `B⁺ = V Λ⁻¹ Vᵀ Bᵀ`, so the equations
//! are solved in two parts, and rows that repeat others do no harm:
//!
//! ```text
//! y' = B⁺ (g' − B' y) + T z'        (TᵀA T) z' = Tᵀ (f − A B⁺ (g' − B' y))        Bᵀ λ = A y' − f
//! ```
//!
//! Rows are measured at unit length. [`crate::methods::NullSpace`] finds the same space without squaring the condition of B.

use nalgebra::{DMatrix, SymmetricEigen};

use super::{Constraints, Equations};
use crate::math::Vec3;
use crate::math::spatial::Wrench;

/// An eigenvalue of BᵀB below this part of the largest is zero.
const NULL: f64 = 1e-11;

/// A row whose coefficients are below this part of the terms they come from says nothing.
const ROUNDING: f64 = 1e-12;

/// Iterations of the eigenvalue algorithm for each speed; two or three are usual.
const ITERATIONS: usize = 60;

/// Why constraint forces could not be eliminated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EliminationError {
    /// A coefficient is not a finite number, or the eigenvalues did not converge.
    NoEigenvalues,
    /// A free motion that no mass resists: its acceleration is not determined.
    NoMass,
}

impl std::fmt::Display for EliminationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            EliminationError::NoEigenvalues => {
                "the eigenvalues of BᵀB were not found: look for a coordinate or constraint that is not a finite number"
            }
            EliminationError::NoMass => {
                "a motion that the constraints leave free moves no mass: give the bodies at its end mass and inertia"
            }
        })
    }
}

impl std::error::Error for EliminationError {}

/// Accelerations and constraint forces.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// y'.
    pub rates: Vec<f64>,
    /// λ, one a row; the shortest where rows repeat others.
    pub multipliers: Vec<f64>,
}

/// The eigenvectors of BᵀB.
#[derive(Clone, Debug)]
pub struct Elimination {
    n: usize,
    /// B with rows of unit length, and the lengths; zero for a row that says nothing.
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
    /// Splits the speeds into those that the rows leave free and those they bind.
    pub fn new(constraints: &Constraints) -> Result<Self, EliminationError> {
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

    /// Degrees of freedom.
    pub fn freedom(&self) -> usize {
        self.free.len() / self.n.max(1)
    }

    /// Number of rows that say something of their own.
    pub fn rank(&self) -> usize {
        self.eigenvalues.len()
    }

    /// The columns of T: an orthonormal basis of the speeds that the rows leave free.
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

    /// Moves speeds as little as possible to where `B y = g`; without y the shortest speeds.
    pub fn satisfy(&self, g: &[f64], y: &mut [f64]) {
        // the second pass takes out what squaring the condition of B left
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

    /// Accelerations and multipliers of equations under these constraints.
    pub fn solve(
        &self,
        equations: &Equations,
        constraints: &Constraints,
    ) -> Result<Motion, EliminationError> {
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

        // Bᵀ λ = A y' − f, with the shortest λ
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
        Ok(Motion { rates, multipliers })
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

/// Moment about its origin and force on each body from the one that carries it, along that one's axes, for [`super::Speeds::Relative`]:
/// `R_l = (A y' − f)_l − (Bᵀ λ)_l` over the rows that belong to no joint of the tree. What moves the inertia behind the joint is part of it.
pub fn reactions(equations: &Equations, constraints: &Constraints, motion: &Motion) -> Vec<Wrench> {
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
