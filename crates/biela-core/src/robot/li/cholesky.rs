//! Square-root-free Cholesky factorisation (LDLᵀ) that includes the right-hand side.
//!
//! With the right-hand side as column n + 1 of D, row by row, the diagonal first:
//!
//! ```text
//! s_ii = D_ii − Σ_{k<i} s_ki² s_kk
//! s_ij = (D_ij − Σ_{k<i} s_ki s_kj s_kk) / s_ii        j = i + 1 … n + 1
//! x_i  = s_{i,n+1} − Σ_{k>i} s_ik x_k                  i = n … 1
//! ```

use crate::math::Real;

/// The mass matrix is not positive definite.
#[derive(Clone, Copy, PartialEq)]
pub struct NotPositive {
    /// Index of the joint whose pivot, the inertia with the preceding joints free, is not positive.
    pub joint: usize,
    /// That pivot.
    pub pivot: f64,
}

impl std::fmt::Display for NotPositive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "the mass matrix is not positive definite: joint {} of the chain has an inertia of {:.3e} kg or kg*m^2. Check for links without mass or with invalid moments of inertia",
            self.joint + 1,
            self.pivot
        )
    }
}

crate::readable_errors!(NotPositive);

/// Solves `D x = b`: `rows` holds n rows of n + 1 numbers, the upper triangle of D followed by b, and is overwritten.
pub(super) fn solve<T: Real>(rows: &mut [T], x: &mut [T]) -> Result<(), NotPositive> {
    let n = x.len();
    let width = n + 1;
    for i in 0..n {
        let (done, rest) = rows.split_at_mut(width * i);
        let row = &mut rest[i..width];
        for above in done.chunks_exact(width).enumerate() {
            let (k, above) = above;
            let factor = above[i] * above[k];
            for (s, a) in row.iter_mut().zip(&above[i..]) {
                *s -= factor * *a;
            }
        }
        let pivot = row[0];
        let positive = pivot.number() > 0.0;
        if !positive {
            return Err(NotPositive {
                joint: i,
                pivot: pivot.number(),
            });
        }
        for s in &mut row[1..] {
            *s /= pivot;
        }
    }
    for i in (0..n).rev() {
        let row = &rows[width * i..width * (i + 1)];
        let mut value = row[n];
        for k in i + 1..n {
            value -= row[k] * x[k];
        }
        x[i] = value;
    }
    Ok(())
}
