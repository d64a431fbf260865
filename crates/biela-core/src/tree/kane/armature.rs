//! Armatures of the joints, in any generalized speeds.
//!
//! The relative speeds of a body are `y = C q̇` with the motion subspace C of its joint, so that `q̇ = P y` and `q̈ = P (y' − C' q̇)` with
//! `P = (Cᵀ C)⁻¹ Cᵀ`. An armature a of each joint velocity adds `a Pᵀ P` to A and `a Pᵀ P C' q̇` to f.

use super::columns::PartialVelocity;
use super::{Kane, Speeds};
use crate::joints::MAX_FREEDOM;
use crate::math::Real;
use crate::tree::Tree;

/// Angular, then linear components.
type Six<T> = [T; 6];

impl<T: Real> Kane<T> {
    /// Adds the armatures of the joints to the lower triangle of A and to f.
    pub(super) fn add_armature(&self, tree: &Tree<T>, A: &mut [T], f: &mut [T]) {
        let n = self.y.len();
        for (k, link) in tree.links.iter().enumerate() {
            let a = tree.armature[link.v];
            if a.number() == 0.0 {
                continue;
            }
            if self.speeds == Speeds::JointRates {
                for r in link.velocities() {
                    A[n * r + r] += a;
                }
                continue;
            }
            let place = |i: usize| 3 * k + i % 3 + if i < 3 { 0 } else { n / 2 };
            let columns = &self.directions[link.velocities()];
            let drift = self.rates[link.velocities()].iter().zip(columns).fold(
                [T::zero(); 6],
                |mut sum, (rate, column)| {
                    let change = six(&column.w_rate, &column.v_rate);
                    for (x, c) in sum.iter_mut().zip(change) {
                        *x += c * *rate;
                    }
                    sum
                },
            );
            for g in &inverse(columns)[..columns.len()] {
                let needed = inner(g, &drift);
                for i in 0..6 {
                    f[place(i)] += a * g[i] * needed;
                    for j in 0..=i {
                        A[n * place(i) + place(j)] += a * g[i] * g[j];
                    }
                }
            }
        }
    }
}

fn six<T: Real>(w: &crate::math::Vec3<T>, v: &crate::math::Vec3<T>) -> Six<T> {
    [w[0], w[1], w[2], v[0], v[1], v[2]]
}

fn inner<T: Real>(a: &Six<T>, b: &Six<T>) -> T {
    a.iter().zip(b).fold(T::zero(), |sum, (x, y)| sum + *x * *y)
}

/// Rows of P: solves `Cᵀ C P = Cᵀ` by elimination; the directions of a joint are independent.
fn inverse<T: Real>(columns: &[PartialVelocity<T>]) -> [Six<T>; MAX_FREEDOM] {
    let m = columns.len();
    let mut p = [[T::zero(); 6]; MAX_FREEDOM];
    for (row, column) in p.iter_mut().zip(columns) {
        *row = six(&column.w, &column.v);
    }
    let mut square = [[T::zero(); MAX_FREEDOM]; MAX_FREEDOM];
    for r in 0..m {
        for s in 0..m {
            square[r][s] = inner(&p[r], &p[s]);
        }
    }
    for r in 0..m {
        let scale = T::one() / square[r][r];
        square[r] = square[r].map(|x| x * scale);
        p[r] = p[r].map(|x| x * scale);
        for s in (0..m).filter(|s| *s != r) {
            let factor = square[s][r];
            for c in 0..m {
                let part = square[r][c] * factor;
                square[s][c] -= part;
            }
            for c in 0..6 {
                let part = p[r][c] * factor;
                p[s][c] -= part;
            }
        }
    }
    p
}
