//! Kane's equations, built from arrays of partial velocities.
//!
//! Generalized speeds y are any independent measures of the velocities. The motion of each body is
//!
//! ```text
//! ω_k = ω_kl y_l       v_k = V_kl y_l       α_k = ω_kl y'_l + ω'_kl y_l       a_k = V_kl y'_l + V'_kl y_l
//! ```
//!
//! with partial angular velocities ω_kl, partial velocities V_kl of the mass centre and their time derivatives: vectors in ground axes that
//! follow from products of the transformation matrices `S_0k = S_0j S_jk` and `S'_0k = [ω_k] S_0k`, with j the lower body of k. The generalized
//! active forces, inertia forces and constraint forces add up to zero:
//!
//! ```text
//! A y' = f + Bᵀ λ        B y = g
//! A_lp = Σ_k [ m_k V_kl·V_kp + ω_kl·I_k ω_kp ] + Σ_r a_r g_rl g_rp
//! f_l  = F_l − Σ_k [ m_k V_kl·V'_kq y_q + ω_kl·(I_k ω'_kq y_q + ω_k × I_k ω_k) ]        F_l = Σ_k (F_k·V_kl + M_k·ω_kl)
//! ```
//!
//! with an armature a_r of each joint velocity `g_rl y_l`, whose f is `−a_r g_rl g'_rp y_p` (T. R. Kane, D. A. Levinson, *Dynamics: Theory and Applications*,
//! 1985; R. L. Huston, *Multibody Dynamics*, 1990; in the form of H. A. A. Henrique, Escola Politécnica da Universidade de São Paulo, 1993, with the
//! gyroscopic term ω × Iω and the signs of F corrected.) This module does not use the recursions of [`super::rnea`] and related algorithms, so that the two
//! implementations verify each other. The arrays cost O(n³), the recursions O(n).
//!
//! A pendulum in both sets of speeds, with its pin as constraint rows:
//!
//! ```
//! use biela_core::element::Arguments;
//! use biela_core::joints::Joint;
//! use biela_core::math::{Mat3, Vec3};
//! use biela_core::model::{Body, MarkerIndex, MassProperties, Model, Space};
//! use biela_core::tree::kane::{Elimination, Kane, Speeds, reactions};
//! use biela_core::tree::{Numbers, Tree};
//!
//! let mut model = Model::new("pendulum", Space::Planar);
//! model.gravity = Vec3::new(0.0, -9.81, 0.0);
//! let (m, l, inertia) = (2.0, 0.5, 0.1);
//! let bar = model.add_body(Body::new("bar", MassProperties::planar(m, [l, 0.0], inertia)?));
//! let pin = Joint::build("revolute", &Arguments::new(Space::Planar)).ok_or("no such joint")??;
//! let ends = [MarkerIndex::GROUND, model.body_marker(bar)];
//! let _ = model.add_joint("pin", pin, ends, &Mat3::identity());
//! let tree = Tree::spanning(&model);
//!
//! let (q, v) = ([0.0], [3.0]);
//! let mut rates = Kane::new(&tree, Speeds::JointRates);
//! rates.update(&tree, &q, &v);
//! let one = rates.equations(&tree, &[], &[]);
//! assert!((one.A[0] - (inertia + m * l * l)).abs() < 1e-12);
//!
//! let mut relative = Kane::new(&tree, Speeds::Relative);
//! relative.update(&tree, &q, &v);
//! let six = relative.equations(&tree, &[], &[]);
//! let locked = relative.constraints(&tree, &model, &Numbers::of(&model), 0.0);
//! let motion = Elimination::new(&locked)?.solve(&six, &locked)?;
//! assert!((motion.rates[2] - one.f[0] / one.A[0]).abs() < 1e-12);
//! // along the bar the pin holds it on its circle
//! let carried = reactions(&six, &locked, &motion);
//! assert!((carried[0].f[0] + m * l * 9.0).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod armature;
mod columns;
mod elimination;
#[cfg(test)]
mod examples;
mod rows;
#[cfg(test)]
mod suite;

pub use elimination::{ConstrainedMotion, Elimination, EliminationError, reactions};
pub use rows::SpeedConstraints;

use super::Tree;
use crate::math::rotation::{apply, cross, dot, identity, product, skew, zero3};
use crate::math::spatial::{Sym3, Wrench};
use crate::math::{Mat3, Real, Vec3};
use columns::{InLower, PartialVelocity};

/// The set of generalized speeds of the equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speeds {
    /// The joint velocities, in the order of the tree's velocity coordinates: locked motions do not appear.
    JointRates,
    /// Six per body, for any joint: for N bodies first the 3N components of the relative angular velocities, then the 3N derivatives of ξ, all in the
    /// axes of the lower body. The motions that a joint locks are rows of B.
    Relative,
}

/// The motion of a body for a unit generalized speed, in ground axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partial<T: Real = f64> {
    /// Partial angular velocity `ω_kl`.
    pub w: Vec3<T>,
    /// Its time derivative.
    pub w_rate: Vec3<T>,
    /// Partial velocity of the body's origin.
    pub o: Vec3<T>,
    /// Its time derivative.
    pub o_rate: Vec3<T>,
    /// Partial velocity `V_kl` of the mass centre.
    pub g: Vec3<T>,
    /// Its time derivative.
    pub g_rate: Vec3<T>,
}

impl<T: Real> Partial<T> {
    fn zero() -> Self {
        let zero = zero3();
        Partial {
            w: zero,
            w_rate: zero,
            o: zero,
            o_rate: zero,
            g: zero,
            g_rate: zero,
        }
    }
}

/// The state of a body, in ground axes.
#[derive(Clone, Copy, Debug)]
struct BodyMotionState<T: Real> {
    /// `S_0k` and its derivative.
    S: Mat3<T>,
    S_rate: Mat3<T>,
    /// Origin.
    o: Vec3<T>,
    /// `ω_kl y_l`, `ω'_kl y_l`, and the same of the origin's velocity and the mass centre's acceleration.
    w: Vec3<T>,
    alpha: Vec3<T>,
    v: Vec3<T>,
    a: Vec3<T>,
    a_center: Vec3<T>,
}

impl<T: Real> BodyMotionState<T> {
    fn ground() -> Self {
        let zero = zero3();
        BodyMotionState {
            S: identity(),
            S_rate: skew(&zero),
            o: zero,
            w: zero,
            alpha: zero,
            v: zero,
            a: zero,
            a_center: zero,
        }
    }
}

/// Mass of a body, with its mass centre and the inertia about it in its own frame.
#[derive(Clone, Copy, Debug)]
struct Mass<T: Real> {
    m: T,
    r: Vec3<T>,
    I: Sym3<T>,
}

impl<T: Real> Mass<T> {
    fn of(inertia: &crate::math::spatial::RigidInertia<T>) -> Self {
        let m = inertia.m;
        let r = if m.number() == 0.0 {
            zero3()
        } else {
            inertia.h * (T::one() / m)
        };
        // about the mass centre: J − m (r·r 1 − r rᵀ)
        let mut I = inertia.J;
        I += Sym3::scalar(-m * dot(&r, &r));
        I.add_square(m, &r);
        Mass { m, r, I }
    }
}

/// The equations of motion `A y' = f`, before constraints.
#[derive(Clone, Debug)]
pub struct KaneEquations<T: Real = f64> {
    /// Number of speeds.
    pub n: usize,
    /// A, row by row.
    pub A: Vec<T>,
    /// f.
    pub f: Vec<T>,
}

impl<T: Real> KaneEquations<T> {
    /// `(A y')_l`.
    pub fn inertia_force(&self, l: usize, rates: &[T]) -> T {
        self.A[self.n * l..self.n * (l + 1)]
            .iter()
            .zip(rates)
            .fold(T::zero(), |sum, (a, rate)| sum + *a * *rate)
    }
}

/// The arrays of a tree in one set of generalized speeds.
#[derive(Clone, Debug)]
pub struct Kane<T: Real = f64> {
    speeds: Speeds,
    masses: Vec<Mass<T>>,
    /// The joint of each speed, and one past the last body that each joint moves.
    joint_of: Vec<usize>,
    ends: Vec<usize>,
    columns: Vec<PartialVelocity<T>>,
    y: Vec<T>,
    /// Directions and velocities of the joints, for any speeds.
    directions: Vec<PartialVelocity<T>>,
    rates: Vec<T>,
    placed: Vec<BodyMotionState<T>>,
    /// One row of partial velocities per body.
    partials: Vec<Partial<T>>,
}

impl<T: Real> Kane<T> {
    /// Creates the arrays of a tree.
    pub fn new(tree: &Tree<T>, speeds: Speeds) -> Self {
        let bodies = tree.links.len();
        let joint_of: Vec<usize> = match speeds {
            Speeds::JointRates => {
                let of = |(i, link): (usize, &super::Link<T>)| link.velocities().map(move |_| i);
                tree.links.iter().enumerate().flat_map(of).collect()
            }
            Speeds::Relative => (0..6 * bodies).map(|l| l / 3 % bodies).collect(),
        };
        let n = joint_of.len();
        let mut columns = vec![PartialVelocity::zero(); n];
        if speeds == Speeds::Relative {
            for (l, column) in columns.iter_mut().enumerate() {
                let part = if l < n / 2 {
                    &mut column.w
                } else {
                    &mut column.v
                };
                part[l % 3] = T::one();
            }
        }
        Kane {
            speeds,
            masses: tree.links.iter().map(|l| Mass::of(&l.inertia)).collect(),
            joint_of,
            ends: tree.links.iter().map(|l| l.end).collect(),
            columns,
            y: vec![T::zero(); n],
            directions: vec![PartialVelocity::zero(); tree.velocities],
            rates: vec![T::zero(); tree.velocities],
            placed: vec![BodyMotionState::ground(); bodies],
            partials: vec![Partial::zero(); n * bodies],
        }
    }

    /// Computes transformation matrices, speeds and partial velocities at joint coordinates `q` and velocities `v`.
    pub fn update(&mut self, tree: &Tree<T>, q: &[T], v: &[T]) {
        for (k, link) in tree.links.iter().enumerate() {
            let rates = &v[link.velocities()];
            let motion = InLower::new(link, tree.space, &q[link.positions()], rates);
            let (turning, sliding) = motion.velocity(rates);
            for (r, l) in link.velocities().enumerate() {
                self.directions[l] = motion.columns[r];
                self.rates[l] = v[l];
            }
            match self.speeds {
                Speeds::JointRates => {
                    for (r, l) in link.velocities().enumerate() {
                        self.columns[l] = motion.columns[r];
                        self.y[l] = v[l];
                    }
                }
                Speeds::Relative => {
                    let half = self.y.len() / 2;
                    for c in 0..3 {
                        self.y[3 * k + c] = turning[c];
                        self.y[half + 3 * k + c] = sliding[c];
                    }
                }
            }
            let lower = link
                .parent
                .map_or_else(BodyMotionState::ground, |p| self.placed[p]);
            // from the origin of the lower body to the origin of this one: q_k + ξ_k
            let reach = link.frame.p + motion.xi;
            let arm = apply(&lower.S, &reach);
            let arm_rate = apply(&lower.S_rate, &reach) + apply(&lower.S, &sliding);
            self.fill_partials(k, link.parent, &lower, &arm, &arm_rate);
            self.placed[k].S = product(&lower.S, &motion.S);
            self.placed[k].o = lower.o + arm;
            self.finish(k);
        }
    }

    /// Computes the partial velocities of the origin of body `k`: those transferred from its lower body, and those of its own joint.
    fn fill_partials(
        &mut self,
        k: usize,
        parent: Option<usize>,
        lower: &BodyMotionState<T>,
        arm: &Vec3<T>,
        arm_rate: &Vec3<T>,
    ) {
        let n = self.y.len();
        for l in 0..n {
            let mut partial = Partial::zero();
            if self.joint_of[l] == k {
                let column = &self.columns[l];
                let rate = |x: &Vec3<T>, x_rate: &Vec3<T>| {
                    apply(&lower.S_rate, x) + apply(&lower.S, x_rate)
                };
                partial.w = apply(&lower.S, &column.w);
                partial.w_rate = rate(&column.w, &column.w_rate);
                partial.o = apply(&lower.S, &column.v);
                partial.o_rate = rate(&column.v, &column.v_rate);
            } else if let Some(p) = parent
                && self.moves(l, p)
            {
                let below = &self.partials[n * p + l];
                partial.w = below.w;
                partial.w_rate = below.w_rate;
                partial.o = below.o + cross(&below.w, arm);
                partial.o_rate =
                    below.o_rate + cross(&below.w_rate, arm) + cross(&below.w, arm_rate);
            }
            self.partials[n * k + l] = partial;
        }
    }

    /// Computes the velocities of body `k` from its partial velocities, the derivative of its orientation, and the partial velocities of its mass
    /// centre.
    fn finish(&mut self, k: usize) {
        let n = self.y.len();
        let row = &mut self.partials[n * k..n * (k + 1)];
        let at = &mut self.placed[k];
        (at.w, at.alpha, at.v, at.a) = (zero3(), zero3(), zero3(), zero3());
        for (partial, y) in row.iter().zip(&self.y) {
            at.w += partial.w * *y;
            at.alpha += partial.w_rate * *y;
            at.v += partial.o * *y;
            at.a += partial.o_rate * *y;
        }
        at.S_rate = product(&skew(&at.w), &at.S);
        let r = apply(&at.S, &self.masses[k].r);
        let r_rate = apply(&at.S_rate, &self.masses[k].r);
        at.a_center = zero3();
        for (partial, y) in row.iter_mut().zip(&self.y) {
            partial.g = partial.o + cross(&partial.w, &r);
            partial.g_rate =
                partial.o_rate + cross(&partial.w_rate, &r) + cross(&partial.w, &r_rate);
            at.a_center += partial.g_rate * *y;
        }
    }

    /// Whether speed `l` moves body `k`: its joint is on the path from k to the ground.
    fn moves(&self, l: usize, k: usize) -> bool {
        let joint = self.joint_of[l];
        joint <= k && k < self.ends[joint]
    }

    /// Returns the speeds y.
    pub fn speeds(&self) -> &[T] {
        &self.y
    }

    /// Returns the partial velocities of body `k` for speed `l`.
    pub fn partial(&self, k: usize, l: usize) -> &Partial<T> {
        &self.partials[self.y.len() * k + l]
    }

    /// Computes A and f. `loads` act on the bodies, in ground axes at their origins, `efforts` along the speeds (empty slices for none).
    pub fn equations(
        &self,
        tree: &Tree<T>,
        loads: &[Wrench<T>],
        efforts: &[T],
    ) -> KaneEquations<T> {
        let n = self.y.len();
        let mut A = vec![T::zero(); n * n];
        let mut f = vec![T::zero(); n];
        for (l, effort) in efforts.iter().enumerate() {
            f[l] = *effort;
        }
        let mut moving = Vec::with_capacity(n);
        for (k, (mass, at)) in self.masses.iter().zip(&self.placed).enumerate() {
            let I = mass.I.turned(&at.S);
            // active force minus inertia force at constant speeds
            let force = (tree.gravity - at.a_center) * mass.m;
            let moment = -I.times(&at.alpha) - cross(&at.w, &I.times(&at.w));
            moving.clear();
            moving.extend((0..n).filter(|l| self.moves(*l, k)));
            for (count, &l) in moving.iter().enumerate() {
                let own = self.partial(k, l);
                f[l] += dot(&force, &own.g) + dot(&moment, &own.w);
                if let Some(load) = loads.get(k) {
                    f[l] += dot(&load.f, &own.o) + dot(&load.n, &own.w);
                }
                let (push, turn) = (own.g * mass.m, I.times(&own.w));
                for &p in &moving[..=count] {
                    let other = self.partial(k, p);
                    A[n * l + p] += dot(&push, &other.g) + dot(&turn, &other.w);
                }
            }
        }
        self.add_armature(tree, &mut A, &mut f);
        for l in 0..n {
            for p in 0..l {
                A[n * p + l] = A[n * l + p];
            }
        }
        KaneEquations { n, A, f }
    }
}
