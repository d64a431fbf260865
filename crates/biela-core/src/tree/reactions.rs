//! Joint reactions: the force and moment that each joint transmits to its link.
//!
//! ```text
//! F_i = Σ over the subtree of i [ inertia force − loads ]        about the origin O_i, gravity included in the inertia forces
//! ```
//!
//! These are the forces that [`super::rnea`] accumulates towards the ground. Their components along the joint's motion subspace are the joint forces τ;
//! the others are the reaction of the constraint.

use super::{Tree, TreeWorkspace};
use crate::math::Real;
use crate::math::rotation::{apply, apply_transposed, product};
use crate::math::spatial::Wrench;

/// Returns the force and moment of its parent on each link, at the link's origin and in ground axes, after [`super::rnea`].
pub fn transmitted<T: Real>(ws: &TreeWorkspace<T>) -> &[Wrench<T>] {
    &ws.forces
}

/// Returns the same of one link in the convention of its joint: force and moment of the joint's first body on its second at the origin of frame M, in
/// the axes of frame F.
pub fn at_joint<T: Real>(tree: &Tree<T>, ws: &TreeWorkspace<T>, i: usize) -> Wrench<T> {
    let (link, state, on_link) = (&tree.links[i], &ws.links[i], &ws.forces[i]);
    let parent = link.parent.map(|p| &ws.links[p].R);
    let (load, R_F) = if link.reversed {
        // F is the link's own frame, and M the joint frame of the parent
        let held = parent.map_or(link.frame.p, |R| apply(R, &link.frame.p));
        let back = on_link.seen_from(&(state.r - held)) * -T::one();
        (back, state.R)
    } else {
        let R_F = parent.map_or(link.frame.R, |R| product(R, &link.frame.R));
        (*on_link, R_F)
    };
    Wrench::new(
        apply_transposed(&R_F, &load.n),
        apply_transposed(&R_F, &load.f),
    )
}

#[cfg(test)]
mod tests {
    use super::super::beside::{absolute, solve_absolute};
    use super::super::suite::*;
    use super::*;
    use crate::math::spatial::Twist;
    use crate::math::{Jet, Mat3, Random, Vec3};
    use crate::model::Space;
    use crate::system::{EvaluationContext, System, joint_reaction};
    use crate::tree::{Numbers, aba, pose_of, positions, rnea};

    fn random_loads(tree: &Tree, random: &mut Random) -> Vec<Wrench> {
        let load = |_| Wrench::new(random.vector(3.0), random.vector(3.0));
        (0..tree.links.len()).map(load).collect()
    }

    #[test]
    fn joint_reactions_satisfy_newtons_law_for_each_link() {
        on_random_trees(60, |model, tree, random| {
            let (q, v) = random_state(tree, random);
            let rates = random_vector(tree.velocities, random);
            let loads = random_loads(tree, random);
            let mut ws = TreeWorkspace::new(tree);
            let mut tau = vec![0.0; tree.velocities];
            rnea(tree, &mut ws, &q, &v, &rates, &loads, &mut tau);

            // motion of every body from derivatives of its pose
            let lifted = Tree::<Jet>::with(model, &Numbers::of(model));
            let mut jets = TreeWorkspace::new(&lifted);
            positions(&lifted, &mut jets, &curve(tree, &q, &v, &rates));
            let mut missing = loads.clone();
            for (i, link) in tree.links.iter().enumerate() {
                missing[i] += transmitted(&ws)[i];
                if let Some(p) = link.parent {
                    let on_parent = transmitted(&ws)[i].seen_from(&ws.links[i].r);
                    missing[p] = missing[p] - on_parent;
                }
            }
            for (b, body) in model.bodies.iter().enumerate() {
                let Some(i) = tree.places[b].link else {
                    continue;
                };
                let pose = pose_of(&jets, &lifted.places[b]);
                let c = pose.point(&crate::math::rotation::constant3(&body.mass.center));
                let take = |f: fn(&Jet) -> f64| Mat3::from_fn(|r, s| f(&pose.R[(r, s)]));
                let (R, first, second) =
                    (take(|x| x.value), take(|x| x.rate), take(|x| x.curvature));
                let W = first * R.transpose();
                // [α] = R̈ Rᵀ − [w][w]
                let A = second * R.transpose() - W * W;
                let axial = |S: &Mat3<f64>| Vec3::new(S[(2, 1)], S[(0, 2)], S[(1, 0)]);
                let (w, alpha) = (axial(&W), axial(&A));
                let inertia = R * body.mass.inertia * R.transpose();
                let force = (c.map(|x| x.curvature) - model.gravity) * body.mass.mass;
                let moment = inertia * alpha + w.cross(&(inertia * w));
                let arm = c.map(|x| x.value) - ws.links[i].o;
                missing[i] = missing[i] - Wrench::new(moment, force).seen_from(&arm);
            }
            for (i, left) in missing.iter().enumerate() {
                let scale = 1.0 + transmitted(&ws)[i].f.norm() + transmitted(&ws)[i].n.norm();
                assert!(left.f.norm() + left.n.norm() < 1e-9 * scale, "{left:?}");
            }
        });
    }

    #[test]
    fn joint_forces_are_the_reactions_along_the_degrees_of_freedom() {
        on_random_trees(40, |_, tree, random| {
            let (q, v) = random_state(tree, random);
            let rates = random_vector(tree.velocities, random);
            let mut ws = TreeWorkspace::new(tree);
            let mut tau = vec![0.0; tree.velocities];
            rnea(tree, &mut ws, &q, &v, &rates, &[], &mut tau);
            let mut across = crate::joints::Across::new();
            for (i, link) in tree.links.iter().enumerate() {
                link.joint.across(
                    tree.space,
                    &q[link.positions()],
                    &v[link.velocities()],
                    &mut across,
                );
                let carried = at_joint(tree, &ws, i);
                for (k, c) in link.velocities().enumerate() {
                    let along = Twist::new(across.Hw[k], across.Hv[k]).dot(&carried);
                    let needed = tau[c] - tree.armature[c] * rates[c];
                    assert!((along - needed).abs() < 1e-10 * (1.0 + needed.abs()));
                }
            }
        });
    }

    #[test]
    fn reactions_are_those_of_the_absolute_formulation() {
        for seed in 0..24 {
            let space = [Space::Spatial, Space::Planar][seed % 2];
            let build = || random_model(space, 2 + seed % 7, &mut Random::new(seed as u64));
            let tree = Tree::spanning(&build());
            let mut random = Random::new(100 + seed as u64);
            let (q, v) = random_state(&tree, &mut random);
            let mut ws = TreeWorkspace::new(&tree);
            let tau = vec![0.0; tree.velocities];
            let (mut rates, mut none) = (tau.clone(), tau.clone());
            aba(&tree, &mut ws, &q, &v, &tau, &[], &mut rates);
            rnea(&tree, &mut ws, &q, &v, &rates, &[], &mut none);

            let (system, mut state) = absolute(build(), &tree, &q, &v);
            let solution = solve_absolute(&system, &mut state);
            let context = EvaluationContext {
                model: system.model(),
                kinematics: &state.kinematics,
            };
            for (i, link) in tree.links.iter().enumerate() {
                let Some(joint) = link.element else { continue };
                let (force, moment) =
                    joint_reaction(&context, system.rows(), &solution.multipliers, joint);
                let mut found = at_joint(&tree, &ws, i);
                // the armature of the joint acts on both bodies along its motion subspace
                for (k, c) in link.velocities().enumerate() {
                    let rel = &state.kinematics.joints[joint.0].rel;
                    let row = link.joint.rate(space, k, rel);
                    found += Wrench::new(row.w, row.v) * (tree.armature[c] * rates[c]);
                }
                let scale = 1.0 + force.norm() + moment.norm();
                match space {
                    Space::Spatial => {
                        assert!((found.f - force).norm() < 1e-9 * scale);
                        assert!((found.n - moment).norm() < 1e-9 * scale);
                    }
                    // the forces that keep bodies in the plane are not joint reactions there
                    Space::Planar => {
                        assert!((found.f - force).xy().norm() < 1e-9 * scale);
                        assert!((found.n - moment)[2].abs() < 1e-9 * scale);
                    }
                }
            }
        }
    }
}
