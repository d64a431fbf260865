//! The equations of motion on a basis B of the free motions, `G B = 0`, from any acceleration `a_p` that satisfies the rows:
//!
//! ```text
//! (Bᵀ M B) u̇ = Bᵀ (f − M a_p)        a = a_p + B u̇        G a_p = γ
//! ```

use super::dense::{add, backward, cholesky, dot, forward};
use crate::math::SymmetricPattern;

/// A basis and the reduced mass matrix.
#[derive(Clone, Debug)]
pub(super) struct ReducedBasis {
    mass: SymmetricPattern,
    n: usize,
    freedom: usize,
    /// Columns of B, one after the other.
    basis: Vec<f64>,
    matrix: Vec<f64>,
    heavy: Vec<f64>,
    free: Vec<f64>,
}

impl ReducedBasis {
    pub(super) fn new(n: usize, mass: &SymmetricPattern) -> Self {
        ReducedBasis {
            mass: mass.clone(),
            n,
            freedom: 0,
            basis: vec![0.0; n * n],
            matrix: vec![0.0; n * n],
            heavy: vec![0.0; n],
            free: vec![0.0; n],
        }
    }

    /// Allocates a basis of this many columns, filled with zeros.
    pub(super) fn start(&mut self, freedom: usize) -> std::slice::ChunksExactMut<'_, f64> {
        self.freedom = freedom;
        let basis = &mut self.basis[..self.n * freedom];
        basis.fill(0.0);
        basis.chunks_exact_mut(self.n.max(1))
    }

    /// The columns of B.
    pub(super) fn columns(&self) -> std::slice::ChunksExact<'_, f64> {
        self.basis[..self.n * self.freedom].chunks_exact(self.n.max(1))
    }

    /// Factorises BᵀMB.
    pub(super) fn factor(&mut self, mass: &[f64]) {
        let (n, d) = (self.n, self.freedom);
        for i in 0..d {
            let column = &self.basis[n * i..n * i + n];
            self.heavy.fill(0.0);
            self.mass.add_product(mass, column, &mut self.heavy);
            for j in 0..=i {
                self.matrix[d * i + j] = dot(&self.basis[n * j..n * j + n], &self.heavy);
            }
        }
        cholesky(&mut self.matrix[..d * d], d);
    }

    /// Makes the columns of B orthonormal, `Bᵀ M B = 1`, by the modified Gram-Schmidt process applied twice.
    pub(super) fn orthonormalize(&mut self, mass: &[f64]) {
        let n = self.n;
        for i in 0..self.freedom {
            let (done, rest) = self.basis.split_at_mut(n * i);
            let column = &mut rest[..n];
            for _ in 0..2 {
                for earlier in done.chunks_exact(n.max(1)) {
                    self.heavy.fill(0.0);
                    self.mass.add_product(mass, column, &mut self.heavy);
                    let d = dot(earlier, &self.heavy);
                    add(column, -d, earlier);
                }
            }
            let scale = 1.0 / self.mass.quadratic(mass, column).sqrt();
            for x in column {
                *x *= scale;
            }
        }
    }

    /// Replaces a_p by a, with the factorised matrix.
    pub(super) fn solve(&mut self, mass: &[f64], f: &[f64], a: &mut [f64]) {
        let d = self.freedom;
        self.load(mass, f, a);
        forward(&self.matrix[..d * d], &mut self.free[..d]);
        backward(&self.matrix[..d * d], &mut self.free[..d]);
        self.unload(a);
    }

    /// Replaces a_p by a, for an orthonormal basis.
    pub(super) fn solve_orthonormal(&mut self, mass: &[f64], f: &[f64], a: &mut [f64]) {
        self.load(mass, f, a);
        self.unload(a);
    }

    /// `free = Bᵀ (f − M a)`.
    fn load(&mut self, mass: &[f64], f: &[f64], a: &[f64]) {
        self.heavy.fill(0.0);
        self.mass.add_product(mass, a, &mut self.heavy);
        for (h, f) in self.heavy.iter_mut().zip(f) {
            *h = f - *h;
        }
        for i in 0..self.freedom {
            self.free[i] = dot(&self.basis[self.n * i..self.n * i + self.n], &self.heavy);
        }
    }

    /// `a += B free`.
    fn unload(&self, a: &mut [f64]) {
        for (column, u) in self.columns().zip(&self.free) {
            add(a, *u, column);
        }
    }

    /// `f ← f − M a`: the part balanced by the multipliers.
    pub(super) fn unbalanced(&mut self, mass: &[f64], a: &[f64], f: &mut [f64]) {
        self.heavy.fill(0.0);
        self.mass.add_product(mass, a, &mut self.heavy);
        add(f, -1.0, &self.heavy);
    }
}
