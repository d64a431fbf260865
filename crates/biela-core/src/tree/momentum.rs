//! Mass centre, momentum and energy of a tree.
//!
//! ```text
//! m c = Σ m_i c_i        p = Σ m_i ċ_i = m ċ        L_c = Σ [ J_i w_i + (c_i − c) × m_i ċ_i ]        L_0 = L_c + c × p
//! T = ½ Σ [ m_i ċ_i·ċ_i + w_i·J_i w_i ] + ½ Σ a v²        V = −m g·c        (L_c, p) = A(q) v
//! ```
//!
//! A is the centroidal momentum matrix (D. E. Orin, A. Goswami, S.-H. Lee, *Autonomous Robots* 35 (2013) 161-176). Bodies welded
//! to the ground belong to no link and are omitted. The armature a of a coordinate has energy but no momentum.

use super::crba::composite;
use super::{Tree, TreeWorkspace};
use crate::math::rotation::{apply, cross, dot, zero3};
use crate::math::spatial::{Twist, Wrench};
use crate::math::{Real, Vec3};

/// Total mass and momentum of all links, in ground axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Momentum<T: Real = f64> {
    /// Mass.
    pub mass: T,
    /// Mass centre.
    pub center: Vec3<T>,
    /// Velocity of the mass centre.
    pub velocity: Vec3<T>,
    /// Linear momentum.
    pub linear: Vec3<T>,
    /// Angular momentum about the mass centre.
    pub angular: Vec3<T>,
}

impl<T: Real> Momentum<T> {
    /// Returns the angular momentum about the ground's origin: `L_c + c × p`.
    pub fn about_origin(&self) -> Vec3<T> {
        self.angular + cross(&self.center, &self.linear)
    }
}

/// Returns mass and mass centre, after [`super::positions`]; the ground's origin for a tree without mass.
pub fn center_of_mass<T: Real>(tree: &Tree<T>, ws: &TreeWorkspace<T>) -> (T, Vec3<T>) {
    let (mut mass, mut moment) = (T::zero(), zero3());
    for (link, state) in tree.links.iter().zip(&ws.links) {
        mass += link.inertia.m;
        moment += state.o * link.inertia.m + apply(&state.R, &link.inertia.h);
    }
    (mass, per_mass(moment, mass))
}

fn per_mass<T: Real>(moment: Vec3<T>, mass: T) -> Vec3<T> {
    if mass.number() == 0.0 {
        zero3()
    } else {
        moment * (T::one() / mass)
    }
}

/// Returns the momentum of all links, after [`super::velocities`].
pub fn momentum<T: Real>(tree: &Tree<T>, ws: &TreeWorkspace<T>) -> Momentum<T> {
    let (mass, center) = center_of_mass(tree, ws);
    let mut sum = Wrench::zero();
    for (link, state) in tree.links.iter().zip(&ws.links) {
        let own = link.inertia.turned(&state.R).times(&state.velocity);
        sum += own.seen_from(&(state.o - center));
    }
    Momentum {
        mass,
        center,
        velocity: per_mass(sum.f, mass),
        linear: sum.f,
        angular: sum.n,
    }
}

/// Computes the centroidal momentum matrix, after [`super::positions`]: for each velocity coordinate the angular momentum about the mass centre
/// (`n`) and the linear momentum (`f`) at unit velocity. The cost is proportional to the number of links.
pub fn centroidal_matrix<T: Real>(
    tree: &Tree<T>,
    ws: &mut TreeWorkspace<T>,
    out: &mut [Wrench<T>],
) {
    let (_, center) = center_of_mass(tree, ws);
    composite(tree, ws);
    for (i, link) in tree.links.iter().enumerate() {
        let arm = ws.links[i].o - center;
        for k in link.velocities() {
            out[k] = ws.composite[i].times(&ws.columns[k]).seen_from(&arm);
        }
    }
}

/// Returns the kinetic energy, after [`super::velocities`] at the joint velocities `v`.
pub fn kinetic_energy<T: Real>(tree: &Tree<T>, ws: &TreeWorkspace<T>, v: &[T]) -> T {
    let behind = tree.armature.iter().zip(v);
    let mut twice = behind.fold(T::zero(), |sum, (a, v)| sum + *a * *v * *v);
    for (link, state) in tree.links.iter().zip(&ws.links) {
        let velocity: &Twist<T> = &state.velocity;
        twice += velocity.dot(&link.inertia.turned(&state.R).times(velocity));
    }
    twice * T::constant(0.5)
}

/// Returns the potential energy of gravity, after [`super::positions`]; zero if the mass centre is at the ground's origin.
pub fn gravity_energy<T: Real>(tree: &Tree<T>, ws: &TreeWorkspace<T>) -> T {
    let (mass, center) = center_of_mass(tree, ws);
    -mass * dot(&tree.gravity, &center)
}

#[cfg(test)]
mod tests {
    use super::super::suite::*;
    use super::*;
    use crate::math::{Jet, Mat3, Random};
    use crate::model::Model;
    use crate::tree::{Numbers, crba, positions, rnea, velocities};

    /// The mass centre and the angular momentum of each body about it, from the derivatives of poses alone.
    fn sums_over_bodies(
        model: &Model,
        tree: &Tree,
        q: &[f64],
        v: &[f64],
        rates: &[f64],
    ) -> [Vec3<Jet>; 3] {
        let lifted = Tree::<Jet>::with(model, &Numbers::of(model));
        let mut ws = TreeWorkspace::new(&lifted);
        positions(&lifted, &mut ws, &curve(tree, q, v, rates));
        let (mut mass, mut moment) = (0.0, Vec3::from_element(Jet::constant(0.0)));
        let (mut linear, mut angular) = (moment, moment);
        for (b, body) in model.bodies.iter().enumerate() {
            let place = &lifted.places[b];
            if place.link.is_none() {
                continue;
            }
            let pose = super::super::pose_of(&ws, place);
            let m = Jet::constant(body.mass.mass);
            let c = pose.point(&crate::math::rotation::constant3(&body.mass.center));
            let speed = c.map(|x| Jet::new(x.rate, x.curvature, 0.0));
            mass += body.mass.mass;
            moment += c * m;
            linear += speed * m;
            // [w] = Ṙ Rᵀ
            let value = |f: fn(&Jet) -> f64| Mat3::from_fn(|i, j| f(&pose.R[(i, j)]));
            let (R, turning) = (value(|x| x.value), value(|x| x.rate));
            let W = turning * R.transpose();
            let w = Vec3::new(W[(2, 1)], W[(0, 2)], W[(1, 0)]);
            let spin = R * body.mass.inertia * R.transpose() * w;
            angular += spin.map(Jet::constant) + cross(&c, &(speed * m));
        }
        [moment * Jet::constant(1.0 / mass), linear, angular]
    }

    fn sample(tree: &Tree, random: &mut Random) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let (q, v) = random_state(tree, random);
        let rates = random_vector(tree.velocities, random);
        (q, v, rates)
    }

    #[test]
    fn momentum_is_mass_times_the_derivative_of_the_mass_centre() {
        on_random_trees(60, |model, tree, random| {
            if tree.links.is_empty() {
                return;
            }
            let (q, v, rates) = sample(tree, random);
            let mut ws = TreeWorkspace::new(tree);
            velocities(tree, &mut ws, &q, &v);
            let all = momentum(tree, &ws);
            let [center, linear, angular] = sums_over_bodies(model, tree, &q, &v, &rates);
            for i in 0..3 {
                assert!((all.center[i] - center[i].value).abs() < 1e-12);
                assert!((all.velocity[i] - center[i].rate).abs() < 1e-11);
                assert!((all.linear[i] - linear[i].value).abs() < 1e-9);
                assert!((all.about_origin()[i] - angular[i].value).abs() < 1e-9);
            }
        });
    }

    #[test]
    fn kinetic_energy_is_that_of_the_mass_matrix() {
        on_random_trees(60, |_, tree, random| {
            let (q, v, _) = sample(tree, random);
            let mut ws = TreeWorkspace::new(tree);
            velocities(tree, &mut ws, &q, &v);
            let energy = kinetic_energy(tree, &ws, &v);
            let mut by_mass = 0.0;
            crba(tree, &mut ws, &q, |i, j, m| {
                by_mass += if i == j { 0.5 } else { 1.0 } * m * v[i] * v[j];
            });
            assert!((energy - by_mass).abs() < 1e-12 * (1.0 + by_mass));
        });
    }

    #[test]
    fn columns_of_the_centroidal_matrix_add_up_to_the_momentum() {
        on_random_trees(60, |_, tree, random| {
            let (q, v, _) = sample(tree, random);
            let mut ws = TreeWorkspace::new(tree);
            velocities(tree, &mut ws, &q, &v);
            let all = momentum(tree, &ws);
            let mut columns = vec![Wrench::zero(); tree.velocities];
            centroidal_matrix(tree, &mut ws, &mut columns);
            let mut sum = Wrench::zero();
            for (column, rate) in columns.iter().zip(&v) {
                sum += *column * *rate;
            }
            let scale = 1.0 + all.linear.norm() + all.angular.norm();
            assert!((sum.f - all.linear).norm() < 1e-12 * scale);
            assert!((sum.n - all.angular).norm() < 1e-12 * scale);
        });
    }

    #[test]
    fn weight_is_minus_the_gradient_of_the_gravity_energy() {
        on_random_trees(40, |model, tree, random| {
            let (q, v, rates) = sample(tree, random);
            let mut ws = TreeWorkspace::new(tree);
            let still = vec![0.0; tree.velocities];
            let mut holding = still.clone();
            rnea(tree, &mut ws, &q, &still, &still, &[], &mut holding);
            let power: f64 = holding.iter().zip(&v).map(|(t, v)| t * v).sum();
            let lifted = Tree::<Jet>::with(model, &Numbers::of(model));
            let mut jets = TreeWorkspace::new(&lifted);
            positions(&lifted, &mut jets, &curve(tree, &q, &v, &rates));
            let climb = gravity_energy(&lifted, &jets);
            assert!((climb.rate - power).abs() < 1e-11 * (1.0 + power.abs()));
        });
    }

    #[test]
    fn a_tree_without_mass_rests_at_the_origin() {
        let model = Model::new("nothing", crate::model::Space::Spatial);
        let tree = Tree::spanning(&model);
        let ws = TreeWorkspace::new(&tree);
        assert_eq!(center_of_mass(&tree, &ws), (0.0, Vec3::zeros()));
        assert_eq!(momentum(&tree, &ws).velocity, Vec3::zeros());
        assert_eq!(kinetic_energy(&tree, &ws, &[]), 0.0);
    }
}
