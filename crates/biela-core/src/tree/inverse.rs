//! The inverse of the mass matrix, column by column from the articulated-body inertias.
//!
//! Column k is the acceleration for a unit force on coordinate k, computed as by [`super::solve`] without the terms that are zero: the
//! force affects only the joints on the path from k to the ground, and the accelerations of links before k follow
//! from the symmetry of M⁻¹. The cost is proportional to the square of the number of coordinates, which is the size of the result.

use super::kinematics::carried;
use super::{Tree, TreeWorkspace};
use crate::math::Real;
use crate::math::spatial::{Twist, Wrench};

/// Computes M⁻¹ after [`super::articulate`], all n² numbers row by row.
pub fn inverse_mass<T: Real>(tree: &Tree<T>, ws: &mut TreeWorkspace<T>, out: &mut [T]) {
    let n = tree.velocities;
    for (i, link) in tree.links.iter().enumerate() {
        for k in link.velocities() {
            unit_effort(tree, ws, i, k);
            for (j, other) in tree.links.iter().enumerate() {
                // subtrees are contiguous: the parent of a link after i carries i or comes after it too
                if j >= i || other.end > i {
                    follow(tree, ws, j);
                }
                if j >= i {
                    for c in other.velocities() {
                        out[n * c + k] = ws.effort[c];
                        out[n * k + c] = ws.effort[c];
                    }
                }
            }
        }
    }
}

/// Propagates a unit force on coordinate `k` of link `i` to the joints between it and the ground.
fn unit_effort<T: Real>(tree: &Tree<T>, ws: &mut TreeWorkspace<T>, i: usize, k: usize) {
    ws.effort.fill(T::zero());
    let mut force = Wrench::zero();
    for at in tree.path(i) {
        for c in tree.links[at].velocities().rev() {
            let own = if c == k { T::one() } else { T::zero() };
            ws.effort[c] = own - ws.columns[c].dot(&force);
            force += ws.carried[c] * (ws.effort[c] * ws.inverse[c]);
        }
        force = force.seen_from(&ws.links[at].r);
    }
}

/// Computes the accelerations of a link's joint from the remaining forces and the acceleration of its parent.
fn follow<T: Real>(tree: &Tree<T>, ws: &mut TreeWorkspace<T>, i: usize) {
    let link = &tree.links[i];
    let mut a = link.parent.map_or_else(Twist::zero, |p| {
        carried(&ws.links[p].acceleration, &ws.links[i].r)
    });
    for c in link.velocities() {
        ws.effort[c] = (ws.effort[c] - a.dot(&ws.carried[c])) * ws.inverse[c];
        a += ws.columns[c] * ws.effort[c];
    }
    ws.links[i].acceleration = a;
}

#[cfg(test)]
mod tests {
    use super::super::suite::*;
    use super::*;
    use crate::tree::{articulate, crba};

    #[test]
    fn the_mass_matrix_times_its_inverse_is_one() {
        on_random_trees(100, |_, tree, random| {
            let n = tree.velocities;
            let mut ws = TreeWorkspace::new(tree);
            let (q, _) = random_state(tree, random);
            let mut mass = vec![0.0; n * n];
            crba(tree, &mut ws, &q, |i, j, m| {
                mass[n * i + j] = m;
                mass[n * j + i] = m;
            });
            articulate(tree, &mut ws);
            let mut inverse = vec![f64::NAN; n * n];
            inverse_mass(tree, &mut ws, &mut inverse);
            for i in 0..n {
                for j in 0..n {
                    assert_eq!(inverse[n * i + j], inverse[n * j + i]);
                    let terms = (0..n).map(|k| mass[n * i + k] * inverse[n * k + j]);
                    let unit = if i == j { 1.0 } else { 0.0 };
                    let error = (terms.sum::<f64>() - unit).abs();
                    assert!(error < 1e-11, "{error:e}");
                }
            }
        });
    }
}
