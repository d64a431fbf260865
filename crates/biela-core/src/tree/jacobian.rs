//! Jacobians of frames of links: their velocities for unit joint velocities.
//!
//! ```text
//! (w, v_P) = Σ J_k v_k        J_k = (S_w, S_v + S_w × (P − O))        for k on the path from the link to the ground
//! (α, a_P) = J v̇ + J̇ v
//! ```
//!
//! All vectors are in ground axes. A frame fixed to a link, or to the ground, is given as a [`TreeLocation`].

use super::{Tree, TreeLocation, TreeWorkspace};
use crate::math::rotation::{apply, cross, product, zero3};
use crate::math::spatial::Twist;
use crate::math::{Pose, Real, Vec3};

/// Returns the pose of a frame fixed to a link, after [`super::positions`].
pub fn pose_of<T: Real>(ws: &TreeWorkspace<T>, place: &TreeLocation<T>) -> Pose<T> {
    place.link.map_or(place.pose, |i| {
        let state = &ws.links[i];
        Pose {
            R: product(&state.R, &place.pose.R),
            p: state.o + apply(&state.R, &place.pose.p),
        }
    })
}

/// Computes the Jacobian of a frame at its origin, after [`super::positions`]: one column per velocity coordinate, zero for joints off the path to the
/// ground.
pub fn jacobian<T: Real>(
    tree: &Tree<T>,
    ws: &TreeWorkspace<T>,
    place: &TreeLocation<T>,
    out: &mut [Twist<T>],
) {
    out.fill(Twist::zero());
    let Some(link) = place.link else { return };
    let p = pose_of(ws, place).p;
    for i in tree.path(link) {
        let arm = p - ws.links[i].o;
        for k in tree.links[i].velocities() {
            let column = &ws.columns[k];
            out[k] = Twist::new(column.w, column.v + cross(&column.w, &arm));
        }
    }
}

/// Returns the angular velocity of a frame and the velocity of its origin, after [`super::velocities`]: `J v`.
pub fn velocity_of<T: Real>(ws: &TreeWorkspace<T>, place: &TreeLocation<T>) -> Twist<T> {
    place.link.map_or_else(Twist::zero, |i| {
        let state = &ws.links[i];
        let arm = apply(&state.R, &place.pose.p);
        let w = state.velocity.w;
        Twist::new(w, state.velocity.v + cross(&w, &arm))
    })
}

/// Returns `J̇ v`, after [`super::velocities`]: angular acceleration of a frame and acceleration of its origin at constant joint velocities.
pub fn jacobian_bias<T: Real>(
    tree: &Tree<T>,
    ws: &TreeWorkspace<T>,
    place: &TreeLocation<T>,
) -> Twist<T> {
    let Some(link) = place.link else {
        return Twist::zero();
    };
    let p = pose_of(ws, place).p;
    let w = ws.links[link].velocity.w;
    let mut alpha = zero3();
    let mut a: Vec3<T> = cross(&w, &cross(&w, &(p - ws.links[link].o)));
    // the contribution of each joint is transferred rigidly to all outboard links
    for i in tree.path(link) {
        let state = &ws.links[i];
        alpha += state.bias.w;
        a += state.bias.v + cross(&state.bias.w, &(p - state.o));
    }
    Twist::new(alpha, a)
}

#[cfg(test)]
mod tests {
    use super::super::suite::*;
    use super::*;
    use crate::math::rotation::{matrix, skew};
    use crate::math::{Jet, Random};
    use crate::tree::{Numbers, positions, velocities};

    /// A random frame on a random link.
    fn somewhere(tree: &Tree, random: &mut Random) -> TreeLocation {
        let links = tree.links.len();
        TreeLocation {
            link: (links > 0).then(|| random.below(links)),
            pose: Pose::new(matrix(&random.rotation()), random.vector(0.7)),
        }
    }

    #[test]
    fn velocities_and_accelerations_of_points_are_derivatives_of_their_positions() {
        on_random_trees(60, |model, tree, random| {
            let (q, v) = random_state(tree, random);
            let rates = random_vector(tree.velocities, random);
            let place = somewhere(tree, random);
            let mut ws = TreeWorkspace::new(tree);
            velocities(tree, &mut ws, &q, &v);
            let mut columns = vec![Twist::zero(); tree.velocities];
            jacobian(tree, &ws, &place, &mut columns);
            let mut speed = Twist::zero();
            let mut acceleration = jacobian_bias(tree, &ws, &place);
            for (k, column) in columns.iter().enumerate() {
                speed += *column * v[k];
                acceleration += *column * rates[k];
            }
            let direct = velocity_of(&ws, &place);
            assert!((direct.w - speed.w).norm() + (direct.v - speed.v).norm() < 1e-12);

            // the same frame along a curve with these velocities
            let lifted = Tree::<Jet>::with(model, &Numbers::of(model));
            let mut jets = TreeWorkspace::new(&lifted);
            positions(&lifted, &mut jets, &curve(tree, &q, &v, &rates));
            let frame = TreeLocation {
                link: place.link,
                pose: place.pose.constant(),
            };
            let moved = pose_of(&jets, &frame);
            let here = pose_of(&ws, &place);
            for i in 0..3 {
                assert!((moved.p[i].value - here.p[i]).abs() < 1e-12);
                assert!((moved.p[i].rate - speed.v[i]).abs() < 1e-10);
                assert!((moved.p[i].curvature - acceleration.v[i]).abs() < 1e-9);
            }
            // R̈ = ([α] + [w][w]) R
            let W = skew(&speed.w);
            let turning = (skew(&acceleration.w) + W * W) * here.R;
            for i in 0..9 {
                assert!((moved.R[i].rate - (W * here.R)[i]).abs() < 1e-10);
                assert!((moved.R[i].curvature - turning[i]).abs() < 1e-9);
            }
        });
    }

    #[test]
    fn the_ground_does_not_move() {
        on_random_trees(5, |_, tree, random| {
            let (q, v) = random_state(tree, random);
            let mut ws = TreeWorkspace::new(tree);
            velocities(tree, &mut ws, &q, &v);
            let place = TreeLocation {
                link: None,
                ..somewhere(tree, random)
            };
            let mut columns = vec![Twist::new(Vec3::x(), Vec3::y()); tree.velocities];
            jacobian(tree, &ws, &place, &mut columns);
            assert!(columns.iter().all(|column| *column == Twist::zero()));
            assert_eq!(jacobian_bias(tree, &ws, &place), Twist::zero());
            assert_eq!(velocity_of(&ws, &place), Twist::zero());
            assert_eq!(pose_of(&ws, &place), place.pose);
        });
    }
}
