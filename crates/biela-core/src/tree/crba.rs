//! The mass matrix by the composite-rigid-body algorithm (CRBA).
//!
//! `M_ij = S_i · I_j S_j` for i on the path from j to the ground, with `I_j` the composite-rigid-body inertia of link j. The entries of
//! pairs on different branches are zero. The armature of a coordinate is added to the diagonal.

use super::kinematics::place;
use super::{Hinge, Tree, TreeWorkspace};
use crate::math::Real;
use crate::math::rotation::{cross, dot};
use crate::math::spatial::Wrench;

/// Computes the lower triangle of the mass matrix: calls `put(i, j, value)` for `i ≥ j` and every pair on a common path to the ground.
pub fn crba<T: Real>(
    tree: &Tree<T>,
    ws: &mut TreeWorkspace<T>,
    q: &[T],
    put: impl FnMut(usize, usize, T),
) {
    for i in 0..tree.links.len() {
        place(tree, ws, i, q, None);
    }
    mass(tree, ws, put);
}

/// The same, after [`super::positions`].
pub fn mass<T: Real>(
    tree: &Tree<T>,
    ws: &mut TreeWorkspace<T>,
    mut put: impl FnMut(usize, usize, T),
) {
    composite(tree, ws);
    for (i, link) in tree.links.iter().enumerate().rev() {
        for k in link.velocities() {
            let force = match link.hinge {
                Hinge::Turn => {
                    let (w, inertia) = (&ws.columns[k].w, &ws.composite[i]);
                    Wrench::new(inertia.J.times(w), cross(w, &inertia.h))
                }
                Hinge::Slide | Hinge::General => ws.composite[i].times(&ws.columns[k]),
            };
            for j in link.v..k {
                put(k, j, ws.columns[j].dot(&force));
            }
            put(k, k, ws.columns[k].dot(&force) + tree.armature[k]);
            let o = ws.links[i].o;
            let mut at = i;
            while let Some(p) = tree.links[at].parent {
                // directly from the link to each ancestor, so that no operation waits for the previous one
                let below = &tree.links[p];
                let n = force.n + cross(&(o - ws.links[p].o), &force.f);
                match below.hinge {
                    Hinge::Turn => put(k, below.v, dot(&ws.columns[below.v].w, &n)),
                    Hinge::Slide | Hinge::General => {
                        let seen = Wrench::new(n, force.f);
                        for j in below.velocities() {
                            put(k, j, ws.columns[j].dot(&seen));
                        }
                    }
                }
                at = p;
            }
        }
    }
}

/// Computes the composite-rigid-body inertia of each link, about its origin.
pub(super) fn composite<T: Real>(tree: &Tree<T>, ws: &mut TreeWorkspace<T>) {
    for (i, link) in tree.links.iter().enumerate() {
        ws.composite[i] = link.inertia.turned(&ws.links[i].R);
    }
    for (i, link) in tree.links.iter().enumerate().rev() {
        if let Some(p) = link.parent {
            let seen = ws.composite[i].seen_from(&ws.links[i].r);
            ws.composite[p] += seen;
        }
    }
}
