//! The block-diagonal mass matrix: each block of coupled velocity coordinates has its own dense Cholesky factor.
//!
//! With `M = L Lᵀ` the equations of motion `M a + Gᵀ λ = f`, `G a = γ` become those of a system with unit mass matrix:
//!
//! ```text
//! y + Ĝᵀ λ = f̂      Ĝ y = γ          Ĝ = G L⁻ᵀ,   f̂ = L⁻¹ f,   y = Lᵀ a
//! ```
//!
//! In absolute coordinates a block is one number or the 3 × 3 inertia of a body.

use super::dense::{backward, cholesky, forward};
use crate::math::SymmetricPattern;

/// Cholesky factors of the blocks.
#[derive(Clone, Debug)]
pub(super) struct MassBlocks {
    /// Block of each velocity coordinate, and its index in the block.
    block_of: Vec<usize>,
    place: Vec<usize>,
    /// Coordinates by blocks: block b has `members[start[b]..start[b + 1]]`.
    start: Vec<usize>,
    members: Vec<usize>,
    /// Start of the dense factor of each block.
    factor_start: Vec<usize>,
    factors: Vec<f64>,
    /// Target index of each value of M.
    target: Vec<usize>,
    work: Vec<f64>,
}

impl MassBlocks {
    /// Finds the blocks of a pattern on `n` coordinates.
    pub(super) fn new(n: usize, pattern: &SymmetricPattern) -> Self {
        let mut root: Vec<usize> = (0..n).collect();
        let find = |root: &[usize], mut i: usize| {
            while root[i] != i {
                i = root[i];
            }
            i
        };
        for &(i, j) in &pattern.entries {
            let (a, b) = (find(&root, i), find(&root, j));
            root[a.max(b)] = a.min(b);
        }
        let (mut block_of, mut place) = (vec![usize::MAX; n], vec![0; n]);
        let (mut start, mut members, mut factor_start) = (vec![0], Vec::new(), vec![0]);
        for r in 0..n {
            if root[r] != r {
                continue;
            }
            let begin = members.len();
            for i in r..n {
                if find(&root, i) == r {
                    block_of[i] = start.len() - 1;
                    place[i] = members.len() - begin;
                    members.push(i);
                }
            }
            let size = members.len() - begin;
            start.push(members.len());
            factor_start.push(factor_start[factor_start.len() - 1] + size * size);
        }
        let target = pattern
            .entries
            .iter()
            .map(|&(i, j)| {
                let (i, j) = (i.max(j), i.min(j));
                let b = block_of[i];
                factor_start[b] + place[i] * (start[b + 1] - start[b]) + place[j]
            })
            .collect();
        MassBlocks {
            factors: vec![0.0; factor_start[factor_start.len() - 1]],
            work: vec![0.0; n],
            block_of,
            place,
            start,
            members,
            factor_start,
            target,
        }
    }

    /// Returns the number of blocks.
    pub(super) fn len(&self) -> usize {
        self.start.len() - 1
    }

    /// Returns the number of coordinates in block `b`.
    pub(super) fn size(&self, b: usize) -> usize {
        self.start[b + 1] - self.start[b]
    }

    /// Returns the block of a coordinate, and its index there.
    pub(super) fn locate(&self, coordinate: usize) -> (usize, usize) {
        (self.block_of[coordinate], self.place[coordinate])
    }

    /// Factorises M.
    pub(super) fn factor(&mut self, values: &[f64]) {
        self.factors.fill(0.0);
        for (&at, v) in self.target.iter().zip(values) {
            self.factors[at] += v;
        }
        for b in 0..self.len() {
            let range = self.factor_start[b]..self.factor_start[b + 1];
            let size = self.size(b);
            cholesky(&mut self.factors[range], size);
        }
    }

    /// Returns L of block `b`.
    pub(super) fn block(&self, b: usize) -> &[f64] {
        &self.factors[self.factor_start[b]..self.factor_start[b + 1]]
    }

    /// `x ← L⁻¹ x`.
    pub(super) fn forward(&mut self, x: &mut [f64]) {
        self.each(x, forward);
    }

    /// `x ← L⁻ᵀ x`.
    pub(super) fn backward(&mut self, x: &mut [f64]) {
        self.each(x, backward);
    }

    fn each(&mut self, x: &mut [f64], solve: impl Fn(&[f64], &mut [f64])) {
        for (w, &i) in self.work.iter_mut().zip(&self.members) {
            *w = x[i];
        }
        for b in 0..self.len() {
            let factor = &self.factors[self.factor_start[b]..self.factor_start[b + 1]];
            solve(factor, &mut self.work[self.start[b]..self.start[b + 1]]);
        }
        for (w, &i) in self.work.iter().zip(&self.members) {
            x[i] = *w;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coupled_coordinates_form_blocks_and_the_matrix_is_inverted() {
        // 0–3–4 coupled through 3, 1 and 2 alone
        let entries = vec![(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (3, 0), (4, 3)];
        let values = [4.0, 2.0, 3.0, 5.0, 6.0, 1.0, -2.0];
        let pattern = SymmetricPattern { entries };
        let mut blocks = MassBlocks::new(5, &pattern);
        assert_eq!(blocks.len(), 3);
        assert_eq!(blocks.size(blocks.locate(4).0), 3);
        assert_eq!(blocks.locate(0).0, blocks.locate(4).0);
        blocks.factor(&values);
        let x = [1.0, -2.0, 0.5, 3.0, -1.0];
        let mut y = [0.0; 5];
        pattern.add_product(&values, &x, &mut y);
        blocks.forward(&mut y);
        blocks.backward(&mut y);
        for (x, y) in x.iter().zip(&y) {
            assert!((x - y).abs() < 1e-14);
        }
    }
}
