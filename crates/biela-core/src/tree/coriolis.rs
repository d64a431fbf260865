//! The Coriolis matrix: `C(q, v) v` is the velocity-dependent part of the joint forces, and `Ṁ − 2C` is skew-symmetric.
//!
//! The matrix of the Levi-Civita connection of the kinetic energy has both properties. The velocity-dependent forces c are quadratic in v, so that
//!
//! ```text
//! C(q, v) = ½ ∂c/∂v − ½ M(q) ad(v)        ad(v) x = ω × x for the angular velocity ω of each joint with Euler parameters, 0 for scalars
//! ```
//!
//! The first term is the matrix of Christoffel symbols if all coordinates are scalars. The second term makes the connection torsion-free: angular velocities
//! are no derivatives of coordinates, and the Lie bracket of two rotations about fixed axes is the rotation about minus their cross product.

use super::{DynamicsDerivatives, Tree, TreeWorkspace, rnea_derivatives};

/// Computes the Coriolis matrix, stored by columns: entry (i, j) at `n j + i`. `scratch` has one entry per velocity coordinate.
pub fn coriolis(
    tree: &Tree,
    ws: &mut TreeWorkspace,
    q: &[f64],
    v: &[f64],
    scratch: &mut [f64],
    derivatives: &mut DynamicsDerivatives,
    out: &mut [f64],
) {
    let n = tree.velocities;
    scratch.fill(0.0);
    rnea_derivatives(tree, ws, q, v, scratch, derivatives);
    for (entry, slope) in out.iter_mut().zip(&derivatives.by_v) {
        *entry = 0.5 * slope;
    }
    let turned = scratch;
    for link in tree.links.iter().filter(|link| link.shape.rotation) {
        let first = link.v + link.shape.scalars;
        let w = [v[first], v[first + 1], v[first + 2]];
        for axis in 0..3 {
            // −½ ω × e_axis
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            turned[first + next] = -0.5 * w[last];
            turned[first + last] = 0.5 * w[next];
            let column = n * (first + axis);
            derivatives.add_mass_product(turned, &mut out[column..column + n]);
            turned[first..first + 3].fill(0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::suite::*;
    use super::super::{Numbers, crba, rnea};
    use super::*;
    use crate::math::{Jet, Vec3};

    #[test]
    fn the_coriolis_matrix_gives_the_velocity_dependent_forces_and_is_skew_with_the_mass_matrix() {
        on_random_trees(200, |model, tree, random| {
            let n = tree.velocities;
            let (q, v) = random_state(tree, random);
            let still = vec![0.0; n];
            let mut ws = TreeWorkspace::new(tree);
            let mut derivatives = DynamicsDerivatives::new(tree);
            let mut C = vec![0.0; n * n];
            let mut scratch = still.clone();
            coriolis(
                tree,
                &mut ws,
                &q,
                &v,
                &mut scratch,
                &mut derivatives,
                &mut C,
            );

            let mut weightless = tree.clone();
            weightless.gravity = Vec3::zeros();
            let mut expected = vec![0.0; n];
            rnea(&weightless, &mut ws, &q, &v, &still, &[], &mut expected);
            let size = C.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
            for i in 0..n {
                let product: f64 = (0..n).map(|j| C[n * j + i] * v[j]).sum();
                assert!((product - expected[i]).abs() < 1e-10 * size);
            }

            let lifted = Tree::<Jet>::with(model, &Numbers::of(model));
            let mut jets = TreeWorkspace::new(&lifted);
            let moving = curve(tree, &q, &v, &still);
            let mut rate = vec![0.0; n * n];
            crba(&lifted, &mut jets, &moving, |i, j, value| {
                (rate[n * j + i], rate[n * i + j]) = (value.rate, value.rate);
            });
            // Ṁ = C + Cᵀ
            for k in 0..n * n {
                let sum = C[k] + C[n * (k % n) + k / n];
                assert!((sum - rate[k]).abs() < 1e-10 * size);
            }
        });
    }
}
