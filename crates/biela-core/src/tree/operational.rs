//! The operational-space inertia Λ of constraint rows G.
//!
//! ```text
//! Λ⁻¹ = G M⁻¹ Gᵀ        v̇ = M⁻¹ (f + Gᵀ λ),  G v̇ = γ   ⇒   λ = Λ (γ − G M⁻¹ f)
//! ```
//!
//! (O. Khatib, *IEEE Journal of Robotics and Automation* 3 (1987) 43-53.) For loop-closing rows, λ are the constraint forces. M
//! is never formed: each row costs one solve on the tree, O(n), and Λ⁻¹ is factorised as `L D Lᵀ`. A row without a
//! remainder after elimination of the rows before it is dependent. It is skipped, and its λ is zero.

use super::{Tree, TreeWorkspace, solve};
use crate::math::Real;

/// A remainder below this fraction of the row's own `G M⁻¹ Gᵀ` is rounding error.
const DEPENDENT: f64 = 1e-12;

/// Rows on the velocity coordinates of a tree, and their operational-space inertia.
#[derive(Clone, Debug)]
pub struct Operational<T: Real = f64> {
    rows: usize,
    columns: usize,
    /// `M⁻¹ Gᵀ`, one row of numbers for each row of G.
    responses: Vec<T>,
    /// Λ⁻¹, row by row.
    mobility: Vec<T>,
    /// L below the diagonal, D on it.
    factor: Vec<T>,
    dependent: Vec<bool>,
}

impl<T: Real> Operational<T> {
    /// Creates buffers for a number of rows on a tree.
    pub fn new(tree: &Tree<T>, rows: usize) -> Self {
        Operational {
            rows,
            columns: tree.velocities,
            responses: vec![T::zero(); rows * tree.velocities],
            mobility: vec![T::zero(); rows * rows],
            factor: vec![T::zero(); rows * rows],
            dependent: vec![false; rows],
        }
    }

    /// Computes Λ⁻¹ of the rows G, given one after another, and its factors; after [`super::articulate`].
    pub fn update(&mut self, tree: &Tree<T>, ws: &mut TreeWorkspace<T>, G: &[T]) {
        let (m, n) = (self.rows, self.columns);
        for i in 0..m {
            let row = n * i..n * i + n;
            solve(tree, ws, &G[row.clone()], &mut self.responses[row.clone()]);
            for j in 0..=i {
                let x = inner(&G[n * j..n * j + n], &self.responses[row.clone()]);
                self.mobility[m * i + j] = x;
                self.mobility[m * j + i] = x;
            }
        }
        self.factor();
    }

    fn factor(&mut self) {
        let m = self.rows;
        self.factor.copy_from_slice(&self.mobility);
        let L = &mut self.factor;
        for i in 0..m {
            for j in 0..i {
                let mut x = L[m * i + j];
                for k in 0..j {
                    x -= L[m * i + k] * L[m * j + k] * L[m * k + k];
                }
                L[m * i + j] = if self.dependent[j] {
                    T::zero()
                } else {
                    x / L[m * j + j]
                };
            }
            let mut d = L[m * i + i];
            for k in 0..i {
                d -= L[m * i + k] * L[m * i + k] * L[m * k + k];
            }
            self.dependent[i] = d.number() <= DEPENDENT * self.mobility[m * i + i].number();
            L[m * i + i] = d;
        }
    }

    /// Returns `Λ⁻¹ = G M⁻¹ Gᵀ`, row by row.
    pub fn mobility(&self) -> &[T] {
        &self.mobility
    }

    /// Returns `M⁻¹ Gᵀ`: the accelerations for a unit force along row `i`.
    pub fn response(&self, i: usize) -> &[T] {
        &self.responses[self.columns * i..self.columns * (i + 1)]
    }

    /// Returns which rows depend on the rows before them.
    pub fn dependent(&self) -> &[bool] {
        &self.dependent
    }

    /// Computes `b ← Λ b`: the forces along the rows that accelerate them by b.
    pub fn solve(&self, b: &mut [T]) {
        let (m, L) = (self.rows, &self.factor);
        for i in 0..m {
            for k in 0..i {
                let x = b[k];
                b[i] -= L[m * i + k] * x;
            }
            if self.dependent[i] {
                b[i] = T::zero();
            }
        }
        for i in (0..m).rev() {
            if self.dependent[i] {
                continue;
            }
            b[i] /= L[m * i + i];
            for k in i + 1..m {
                let x = b[k];
                b[i] -= L[m * k + i] * x;
            }
        }
    }

    /// Adds `M⁻¹ Gᵀ λ` to accelerations.
    pub fn add_response(&self, forces: &[T], rates: &mut [T]) {
        for (i, force) in forces.iter().enumerate() {
            for (rate, x) in rates.iter_mut().zip(self.response(i)) {
                *rate += *x * *force;
            }
        }
    }
}

fn inner<T: Real>(a: &[T], b: &[T]) -> T {
    a.iter().zip(b).fold(T::zero(), |sum, (x, y)| sum + *x * *y)
}

#[cfg(test)]
mod tests {
    use super::super::suite::*;
    use super::*;
    use crate::tree::{articulate, mass, positions};

    /// Random rows, at most as many as the tree has degrees of freedom, with the mass matrix.
    fn sample(tree: &Tree, random: &mut crate::math::Random) -> (TreeWorkspace, Vec<f64>, usize) {
        let mut ws = TreeWorkspace::new(tree);
        let (q, _) = random_state(tree, random);
        positions(tree, &mut ws, &q);
        articulate(tree, &mut ws);
        let rows = 6.min(tree.velocities);
        (ws, random_vector(rows * tree.velocities, random), rows)
    }

    #[test]
    fn forces_along_rows_give_the_required_accelerations() {
        on_random_trees(60, |_, tree, random| {
            let n = tree.velocities;
            let (mut ws, G, m) = sample(tree, random);
            let mut rows = Operational::new(tree, m);
            rows.update(tree, &mut ws, &G);
            let asked = random_vector(m, random);
            let mut forces = asked.clone();
            rows.solve(&mut forces);
            let mut rates = vec![0.0; n];
            rows.add_response(&forces, &mut rates);
            let scale = forces.iter().fold(1.0, |s: f64, x| s.max(x.abs()));
            for i in 0..m {
                assert!(!rows.dependent()[i]);
                let got = inner(&G[n * i..n * i + n], &rates);
                assert!((got - asked[i]).abs() < 1e-10 * scale, "{got} {}", asked[i]);
            }
            // M v̇ = Gᵀ λ, with M from the composite-rigid-body algorithm
            let mut pushed = vec![0.0; n];
            for i in 0..m {
                for k in 0..n {
                    pushed[k] -= G[n * i + k] * forces[i];
                }
            }
            mass(tree, &mut ws, |i, j, x| {
                pushed[i] += x * rates[j];
                if i != j {
                    pushed[j] += x * rates[i];
                }
            });
            assert!(pushed.iter().all(|x| x.abs() < 1e-10 * scale));
        });
    }

    #[test]
    fn a_redundant_row_is_identified_and_its_force_is_zero() {
        on_random_trees(20, |_, tree, random| {
            let n = tree.velocities;
            let (mut ws, mut G, m) = sample(tree, random);
            if m < 3 {
                return;
            }
            // the second row is a combination of the first and the last
            for k in 0..n {
                G[n + k] = 2.0 * G[k];
                G[2 * n + k] = random.symmetric(1.0);
            }
            let mut rows = Operational::new(tree, m);
            rows.update(tree, &mut ws, &G);
            let expected: Vec<bool> = (0..m).map(|i| i == 1).collect();
            assert_eq!(rows.dependent(), expected);
            let mut asked = random_vector(m, random);
            asked[1] = 2.0 * asked[0];
            let mut forces = asked.clone();
            rows.solve(&mut forces);
            assert_eq!(forces[1], 0.0);
            let mut rates = vec![0.0; n];
            rows.add_response(&forces, &mut rates);
            let scale = forces.iter().fold(1.0, |s: f64, x| s.max(x.abs()));
            for i in 0..m {
                let got = inner(&G[n * i..n * i + n], &rates);
                assert!((got - asked[i]).abs() < 1e-10 * scale);
            }
        });
    }

    #[test]
    fn the_operational_inertia_of_unit_rows_is_the_mass_matrix() {
        on_random_trees(10, |_, tree, random| {
            let n = tree.velocities;
            let (mut ws, _, _) = sample(tree, random);
            let mut unit = vec![0.0; n * n];
            for i in 0..n {
                unit[n * i + i] = 1.0;
            }
            let mut rows = Operational::new(tree, n);
            rows.update(tree, &mut ws, &unit);
            // Λ is then M itself
            for k in 0..n {
                let mut column = unit[n * k..n * k + n].to_vec();
                rows.solve(&mut column);
                mass(tree, &mut ws, |i, j, m| {
                    if i == k || j == k {
                        let other = if i == k { j } else { i };
                        column[other] -= m;
                    }
                });
                assert!(column.iter().all(|x| x.abs() < 1e-11), "{column:?}");
            }
        });
    }
}
