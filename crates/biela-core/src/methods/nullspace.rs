use super::constraint_projector::projection_tolerance_field;
use super::dense::{add, dot};
use super::equations::Equations;
use super::reduced::ReducedBasis;
use super::{DEPENDENT, Method, MethodKind, Projected};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::keep::keeps;
use crate::math::RowPattern;
use crate::model::Space;
use crate::system::System;

/// Null-space method: the equations of motion on an orthonormal basis N of the null space of G, in which the constraint
/// forces do no work (R. P. Singh, P. W. Likins, *Journal of Applied Mechanics* 52 (1985) 943-948; S. S. Kim, M. J. Vanderploeg, *Journal of
/// Mechanisms, Transmissions, and Automation in Design* 108 (1986) 183-188).
///
/// ```text
/// G N = 0,  Nᵀ N = 1        (Nᵀ M N) u̇ = Nᵀ (f − M a_p)        v̇ = a_p + N u̇        Gᵀ λ = f − M v̇
/// ```
///
/// N is often described as the eigenvectors of GᵀG for the eigenvalue zero. Here it is computed by a Householder QR factorisation of Gᵀ with column pivoting,
/// `Gᵀ P = Q R`. The last columns of Q span the same space without squaring the condition number, the first ones yield the shortest acceleration `a_p` with
/// `G a_p = γ`, and R yields the multipliers. Rows are scaled by their largest norm so far; a row with no remainder depends on the others. After each step
/// the state is projected as by [`super::Projection`].
///
/// Cost: O(n² m + n d²) for n coordinates, m rows and d degrees of freedom, dense. Use it for small models with few degrees of freedom.
#[derive(Clone, Debug)]
pub struct NullSpace {
    pattern: RowPattern,
    n: usize,
    /// Rows of G in the order of `row_at`: row k holds R above its diagonal (first k entries), then its Householder vector.
    rows: Vec<f64>,
    row_at: Vec<usize>,
    length: Vec<f64>,
    /// Diagonal of R, and 2/(vᵀv) of each Householder vector v.
    diagonal: Vec<f64>,
    reflection: Vec<f64>,
    rank: usize,
    /// The smallest remainder of a row, squared.
    independence: f64,
    reduced: ReducedBasis,
    along: Vec<f64>,
}

keeps!(NullSpace: independence, length);

impl NullSpace {
    /// Creates the buffers for a system.
    pub(crate) fn of(system: &dyn System) -> Self {
        let (n, m) = (system.sizes().velocities, system.sizes().rows);
        NullSpace {
            pattern: system.jacobian_pattern().clone(),
            n,
            rows: vec![0.0; m * n],
            row_at: vec![0; m],
            length: vec![0.0; m],
            diagonal: vec![0.0; m],
            reflection: vec![0.0; m],
            rank: 0,
            independence: 1.0,
            reduced: ReducedBasis::new(n, system.mass_pattern()),
            along: vec![0.0; n],
        }
    }

    /// Loads the rows of G, divided by their largest norm so far.
    fn load(&mut self, jacobian: &[f64]) {
        self.rows.fill(0.0);
        for (i, row) in self.rows.chunks_exact_mut(self.n.max(1)).enumerate() {
            self.row_at[i] = i;
            self.pattern.add_row(i, jacobian, 1.0, row);
            self.length[i] = dot(row, row).sqrt().max(self.length[i]);
            if self.length[i] > 0.0 {
                for x in row {
                    *x /= self.length[i];
                }
            }
        }
    }

    /// Householder factorisation, with the row of the largest remainder first.
    fn reflect_rows(&mut self) {
        let (n, m) = (self.n, self.row_at.len());
        let taking_part = self.length.iter().filter(|l| **l > 0.0).count();
        (self.rank, self.independence) = (0, 1.0);
        for k in 0..m.min(n) {
            let left = |i: usize| {
                dot(
                    &self.rows[n * i + k..n * i + n],
                    &self.rows[n * i + k..n * i + n],
                )
            };
            let (mut longest, mut most) = (k, left(k));
            for i in k + 1..m {
                let length = left(i);
                if length > most {
                    (longest, most) = (i, length);
                }
            }
            if k < taking_part {
                self.independence = self.independence.min(most);
            }
            if most <= DEPENDENT {
                break;
            }
            if longest != k {
                self.row_at.swap(k, longest);
                let (head, tail) = self.rows.split_at_mut(n * longest);
                head[n * k..n * k + n].swap_with_slice(&mut tail[..n]);
            }
            let (done, rest) = self.rows.split_at_mut(n * k + n);
            let v = &mut done[n * k + k..];
            let alpha = if v[0] > 0.0 {
                -most.sqrt()
            } else {
                most.sqrt()
            };
            self.diagonal[k] = alpha;
            v[0] -= alpha;
            self.reflection[k] = 2.0 / dot(v, v);
            for row in rest.chunks_exact_mut(n) {
                let row = &mut row[k..];
                let d = dot(v, row);
                add(row, -self.reflection[k] * d, v);
            }
            self.rank += 1;
        }
    }
}

/// `x ← Q x` by Householder vectors stored as in [`NullSpace`].
fn by_q(rows: &[f64], reflection: &[f64], rank: usize, x: &mut [f64]) {
    for k in (0..rank).rev() {
        reflect(rows, reflection, k, x);
    }
}

/// `x ← Qᵀ x`.
fn by_q_transposed(rows: &[f64], reflection: &[f64], rank: usize, x: &mut [f64]) {
    for k in 0..rank {
        reflect(rows, reflection, k, x);
    }
}

fn reflect(rows: &[f64], reflection: &[f64], k: usize, x: &mut [f64]) {
    let n = x.len();
    let v = &rows[n * k + k..n * k + n];
    let d = dot(v, &x[k..]);
    add(&mut x[k..], -reflection[k] * d, v);
}

impl Equations for NullSpace {
    fn factor(&mut self, mass: &[f64], jacobian: &[f64]) {
        self.load(jacobian);
        self.reflect_rows();
        let rank = self.rank;
        for (j, column) in self.reduced.start(self.n - rank).enumerate() {
            column[rank + j] = 1.0;
            by_q(&self.rows, &self.reflection, rank, column);
        }
        self.reduced.factor(mass);
    }

    fn num_dependent(&self) -> usize {
        self.row_at.len() - self.rank
    }

    fn independence(&self) -> f64 {
        self.independence
    }

    fn solve(&mut self, mass: &[f64], _: &[f64], f: &mut [f64], gamma: &mut [f64]) {
        let (n, rank) = (self.n, self.rank);
        // a_p = Q (R⁻ᵀ γ, 0)
        self.along.fill(0.0);
        for k in 0..rank {
            let row = self.row_at[k];
            let above = dot(&self.rows[n * k..n * k + k], &self.along[..k]);
            self.along[k] = (gamma[row] / self.length[row] - above) / self.diagonal[k];
        }
        by_q(&self.rows, &self.reflection, rank, &mut self.along);
        self.reduced.solve(mass, f, &mut self.along);

        // R λ = Qᵀ (f − M a)
        self.reduced.unbalanced(mass, &self.along, f);
        by_q_transposed(&self.rows, &self.reflection, rank, f);
        gamma.fill(0.0);
        for k in (0..rank).rev() {
            let multiplier = f[k] / self.diagonal[k];
            add(&mut f[..k], -multiplier, &self.rows[n * k..n * k + k]);
            let row = self.row_at[k];
            gamma[row] = multiplier / self.length[row];
        }
        f.copy_from_slice(&self.along);
    }
}

fields! { NullSpace {
    use projection_tolerance_field;
} }

impl MethodKind for NullSpace {
    const INFO: Info = Info {
        name: "nullspace",
        aliases: &["null-space"],
        summary: "equations of motion on an orthonormal basis of the null space of the constraint Jacobian; projection after each step",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(
        arguments: &Arguments,
        system: &dyn System,
        active: &[bool],
    ) -> Result<Box<dyn Method>, ArgumentError> {
        let method = Projected::new(arguments, system, active, NullSpace::of(system));
        Ok(Box::new(method))
    }
}
