//! Analytic derivatives of inverse and forward dynamics, in time proportional to the square of the number of coordinates, which is
//! the size of the result.
//!
//! With all vectors at one common point, let a step along velocity coordinate j move all links outboard of joint j in the direction `S_j`.
//! Their velocities then change by `S_j × v + Ψ̇_j`, their accelerations accordingly. With the composite inertia I, the momentum coefficients B
//! and the force f of the subtree of i (or j)
//!
//! ```text
//! j outboard of i:  ∂τ_i/∂q_j = S_i · (2B_j Ψ̇_j + I_j Ψ̈_j + S_j ×* f_j)        ∂τ_i/∂v_j = S_i · (2B_j S_j + I_j Υ_j)
//! i outboard of j:  ∂τ_i/∂q_j = S_i · (2B_i Ψ̇_j + I_i Ψ̈_j)                     ∂τ_i/∂v_j = S_i · (2B_i S_j + I_i Υ_j)
//! ```
//!
//! (S. Singh, R. P. Russell, P. M. Wensing, *IEEE Robotics and Automation Letters* 7 (2022) 1776-1783). For a single body `2B ψ = −2 (w × Σψ, P × ψ)` about
//! its mass centre, with Σ = ½ tr(J) 1 − J and P the momentum. It depends on the angular part of a motion only, so twelve numbers represent it for a whole
//! subtree. In a joint with several coordinates each direction also depends on the other coordinates; dual numbers give that part.
//!
//! The derivatives of accelerations follow from `∂v̇/∂q = −M⁻¹ ∂τ/∂q` at the accelerations for the given forces.

use nalgebra::{DMatrixView, DMatrixViewMut};

use super::kinematics::{accelerations, reverse, velocities};
use super::{Hinge, Link, Tree, TreeWorkspace, aba};
use crate::joints::{Across, MAX_FREEDOM, MAX_POSITIONS};
use crate::math::rotation::{apply, apply_transposed, cross, dot, rates_from_base, zero3};
use crate::math::spatial::{RigidInertia, Twist, Wrench};
use crate::math::{Jet, Mat3, Real, Vec3, dense};

/// Derivatives of a vector of forces or accelerations, stored by columns: entry (i, j) at `n j + i`.
#[derive(Clone, Debug)]
pub struct DynamicsDerivatives {
    n: usize,
    /// With respect to `q`, along the directions of velocity coordinates.
    pub by_q: Vec<f64>,
    /// With respect to v.
    pub by_v: Vec<f64>,
    links: Vec<Subtree>,
    columns: Vec<CoordinateDirections>,
    /// Intermediate products and joint motions.
    scratch: Vec<f64>,
    across: Across<Jet>,
    /// Derivatives of the directions of a joint along each other; those of link i start at `inner_start[i]`.
    inner: Vec<Twist>,
    inner_start: Vec<usize>,
    /// Upper triangle of the mass matrix by rows, later its factor.
    mass: Vec<f64>,
    /// The inverse mass matrix, after [`aba_derivatives`]: derivatives of accelerations with respect to forces.
    pub inverse: Vec<f64>,
}

/// Quantities of a subtree, about the common point.
#[derive(Clone, Copy, Debug)]
struct Subtree {
    inertia: RigidInertia,
    /// `2B ψ = (N ψ, −2 P × ψ)`: N, and the linear momentum P.
    N: Mat3<f64>,
    P: Vec3<f64>,
    force: Wrench,
    /// Velocity and acceleration of the link itself.
    velocity: Twist,
    acceleration: Twist,
}

/// Directions of a velocity coordinate, about the common point.
#[derive(Clone, Copy, Debug)]
struct CoordinateDirections {
    S: Twist,
    /// Ψ̇: change of the velocities of outboard links in addition to their rotation.
    psi: Twist,
    /// Ψ̈.
    psi2: Twist,
    /// Υ.
    upsilon: Twist,
}

impl DynamicsDerivatives {
    /// Allocates the derivatives of a tree.
    pub fn new(tree: &Tree) -> Self {
        let n = tree.velocities;
        let still = Twist::zero();
        let subtree = Subtree {
            inertia: RigidInertia::zero(),
            N: Mat3::zeros(),
            P: zero3(),
            force: Wrench::zero(),
            velocity: still,
            acceleration: still,
        };
        let column = CoordinateDirections {
            S: still,
            psi: still,
            psi2: still,
            upsilon: still,
        };
        let mut inner_start = vec![0];
        for link in &tree.links {
            let f = link.shape.freedom();
            inner_start.push(inner_start.last().map_or(0, |at| at + f * f));
        }
        DynamicsDerivatives {
            inner: vec![still; inner_start.last().copied().unwrap_or(0)],
            inner_start,
            n,
            by_q: vec![0.0; n * n],
            by_v: vec![0.0; n * n],
            links: vec![subtree; tree.links.len()],
            columns: vec![column; n],
            scratch: vec![0.0; n * n],
            across: Across::new(),
            mass: vec![0.0; n * n],
            inverse: vec![0.0; n * n],
        }
    }
}

/// Computes the derivatives of the joint forces of [`super::rnea`], without loads.
pub fn rnea_derivatives(
    tree: &Tree,
    ws: &mut TreeWorkspace,
    q: &[f64],
    v: &[f64],
    rates: &[f64],
    out: &mut DynamicsDerivatives,
) {
    velocities(tree, ws, q, v);
    differentiate(tree, ws, q, v, rates, out);
}

/// Computes the derivatives of the accelerations of [`super::aba`], without loads, for the joint forces `tau`. Stores the accelerations in
/// `rates` and M⁻¹ in `out.inverse`.
pub fn aba_derivatives(
    tree: &Tree,
    ws: &mut TreeWorkspace,
    q: &[f64],
    v: &[f64],
    tau: &[f64],
    rates: &mut [f64],
    out: &mut DynamicsDerivatives,
) {
    if tree.velocities == 0 {
        return;
    }
    aba(tree, ws, q, v, tau, &[], rates);
    differentiate(tree, ws, q, v, rates, out);
    let DynamicsDerivatives {
        n,
        by_q,
        by_v,
        mass,
        inverse,
        scratch,
        ..
    } = out;
    invert(mass, scratch, inverse, *n);
    for by in [by_q, by_v] {
        scratch.copy_from_slice(by);
        multiply(-1.0, inverse, scratch, by, *n);
    }
}

/// Computes `M⁻¹` from the upper triangle of M (by rows), which is replaced by its factor: `M = Uᵀ U`, `M⁻¹ = U⁻¹ U⁻ᵀ`. All loops run along rows.
fn invert(mass: &mut [f64], rows: &mut [f64], inverse: &mut [f64], n: usize) {
    for k in 0..n {
        let (head, tail) = mass.split_at_mut(n * k + n);
        let row = &mut head[n * k..];
        let scale = 1.0 / row[k].sqrt();
        for x in &mut row[k..] {
            *x *= scale;
        }
        for (j, other) in (k + 1..n).zip(tail.chunks_exact_mut(n)) {
            dense::add(&mut other[j..], -row[j], &row[j..]);
        }
    }
    // row i of U⁻ᵀ from the rows before it
    rows.fill(0.0);
    for i in 0..n {
        let (done, row) = rows.split_at_mut(n * i);
        row[i] = 1.0;
        for j in 0..i {
            dense::add(&mut row[..=j], -mass[n * j + i], &done[n * j..=n * j + j]);
        }
        let scale = 1.0 / mass[n * i + i];
        for x in &mut row[..=i] {
            *x *= scale;
        }
    }
    // columns of U⁻¹ are these rows
    let transposed = DMatrixView::from_slice(rows, n, n);
    let mut out = DMatrixViewMut::from_slice(inverse, n, n);
    if n > SMALL {
        out.gemm(1.0, &transposed, &transposed.transpose(), 0.0);
        return;
    }
    inverse.fill(0.0);
    for row in rows.chunks_exact(n) {
        for (out, x) in inverse.chunks_exact_mut(n).zip(row) {
            dense::add(out, *x, row);
        }
    }
}

/// Up to this size, packing of matrices costs more than it saves.
const SMALL: usize = 12;

/// `out = factor A B`, all by columns.
fn multiply(factor: f64, a: &[f64], b: &[f64], out: &mut [f64], n: usize) {
    if n > SMALL {
        let (a, b) = (
            DMatrixView::from_slice(a, n, n),
            DMatrixView::from_slice(b, n, n),
        );
        DMatrixViewMut::from_slice(out, n, n).gemm(factor, &a, &b, 0.0);
        return;
    }
    out.fill(0.0);
    for (out, b) in out.chunks_exact_mut(n).zip(b.chunks_exact(n)) {
        for (a, x) in a.chunks_exact(n).zip(b) {
            dense::add(out, factor * x, a);
        }
    }
}

/// Computes the derivatives of the joint forces at the velocities in `ws`.
fn differentiate(
    tree: &Tree,
    ws: &mut TreeWorkspace,
    q: &[f64],
    v: &[f64],
    rates: &[f64],
    out: &mut DynamicsDerivatives,
) {
    accelerations(tree, ws, rates, &-tree.gravity);
    // entries between branches are zero, but those of a previous factor and of derivatives of accelerations are not
    out.mass.fill(0.0);
    out.by_q.fill(0.0);
    out.by_v.fill(0.0);
    let Some(point) = ws.links.first().map(|link| link.o) else {
        return;
    };
    let ground = Twist::new(zero3(), -tree.gravity);
    for (i, link) in tree.links.iter().enumerate() {
        out.links[i] = alone(link, ws, i, &point);
        let (before, accelerating) = match link.parent {
            Some(p) => (out.links[p].velocity, out.links[p].acceleration),
            None => (Twist::zero(), ground),
        };
        match link.hinge {
            Hinge::Turn => {
                let S = ws.columns[link.v].seen_from(&(ws.links[i].o - point));
                let psi = before.cross(&S);
                out.columns[link.v] = CoordinateDirections {
                    S,
                    psi,
                    psi2: accelerating.cross(&S) + before.cross(&psi),
                    upsilon: psi * 2.0,
                };
            }
            Hinge::Slide | Hinge::General => {
                several(tree, ws, (q, v, rates), i, &point, &before, out);
            }
        }
    }
    for (i, link) in tree.links.iter().enumerate().rev() {
        let carried = out.links[i];
        for j in link.velocities() {
            out.fill(tree, i, j, &carried);
        }
        if let Some(p) = link.parent {
            let below = &mut out.links[p];
            below.inertia += carried.inertia;
            below.N += carried.N;
            below.P += carried.P;
            below.force += carried.force;
        }
    }
}

/// Quantities of a single link, about the common point.
#[inline]
fn alone(link: &Link, ws: &TreeWorkspace, i: usize, point: &Vec3<f64>) -> Subtree {
    let state = &ws.links[i];
    let r = state.o - point;
    let inertia = link.inertia.turned(&state.R).seen_from(&r);
    let velocity = state.velocity.seen_from(&r);
    // the common point is fixed while the origin moves
    let still = state.acceleration.v + cross(&state.velocity.v, &state.velocity.w);
    let acceleration = Twist::new(state.acceleration.w, still).seen_from(&r);
    let momentum = inertia.times(&velocity);
    // ∫ ρ̇ ρᵀ dm = v hᵀ + [w] Σ with Σ = ½ tr(J) 1 − J
    let w = &velocity.w;
    let half = 0.5 * inertia.J.trace();
    let mut N = Mat3::zeros();
    let J = inertia.J.matrix();
    for k in 0..3 {
        let mut sigma = -J.column(k).into_owned();
        sigma[k] += half;
        let column = cross(w, &sigma) + velocity.v * inertia.h[k];
        N.set_column(k, &(column * -2.0));
    }
    // −2 (Π − tr(Π) 1)
    let trace = N[(0, 0)] + N[(1, 1)] + N[(2, 2)];
    for k in 0..3 {
        N[(k, k)] -= trace;
    }
    Subtree {
        inertia,
        N,
        P: momentum.f,
        force: inertia.times(&acceleration) + velocity.cross_force(&momentum),
        velocity,
        acceleration,
    }
}

/// Directions of a general joint; jets give their dependence on its own coordinates.
fn several(
    tree: &Tree,
    ws: &TreeWorkspace,
    (q, v, rates): (&[f64], &[f64], &[f64]),
    i: usize,
    point: &Vec3<f64>,
    before: &Twist,
    out: &mut DynamicsDerivatives,
) {
    let link = &tree.links[i];
    let (freedom, scalars) = (link.shape.freedom(), link.shape.scalars);
    let (q, v) = (&q[link.positions()], &v[link.velocities()]);
    let rates = &rates[link.velocities()];
    let state = &ws.links[i];
    let mut place = [Jet::default(); MAX_POSITIONS];
    let mut speed = [Jet::default(); MAX_FREEDOM];
    for (jet, x) in place.iter_mut().zip(q).chain(speed.iter_mut().zip(v)) {
        *jet = Jet::constant(*x);
    }
    let mut bias = [Twist::zero(); MAX_FREEDOM];
    let inner = out.inner_start[i];
    for j in 0..freedom {
        seed(&mut place, q, scalars, j);
        let across = &mut out.across;
        link.joint
            .across(tree.space, &place[..q.len()], &speed[..freedom], across);
        if link.reversed {
            reverse(across, &speed[..freedom]);
        }
        for jet in &mut place {
            jet.rate = 0.0;
        }
        // directions at the parent's joint frame, which is fixed
        let at = Wide::new(across, &state.R_F, &(state.o - point));
        let (mut w, mut slip) = (zero3(), zero3());
        for k in 0..freedom {
            out.inner[inner + freedom * j + k] = at.change(&across.Hw[k], &across.Hv[k]);
            w += across.Hw[k] * speed[k];
            slip += across.Hv[k] * speed[k];
        }
        let linear = across.bias_v + cross(&slip, &w);
        bias[j] = at.change(&across.bias_w, &linear);
    }
    let (moving, accelerating) = (out.links[i].velocity, out.links[i].acceleration);
    for j in 0..freedom {
        let S = ws.columns[link.v + j].seen_from(&(state.o - point));
        let change = |j: usize, k: usize| out.inner[inner + freedom * j + k];
        let (mut along, mut driven, mut turning) = (Twist::zero(), Twist::zero(), Twist::zero());
        for k in 0..freedom {
            along += change(j, k) * v[k];
            driven += change(j, k) * rates[k];
            turning += change(k, j) * v[k];
        }
        let psi = along + moving.cross(&S);
        let carried = before.cross(&along) + driven + bias[j] - S.cross(&accelerating);
        out.columns[link.v + j] = CoordinateDirections {
            S,
            psi,
            psi2: carried + moving.cross(&psi),
            upsilon: before.cross(&S) + along + turning + moving.cross(&S),
        };
    }
}

/// Sets the derivatives of the position coordinates to a motion along velocity coordinate `j`.
fn seed(place: &mut [Jet; MAX_POSITIONS], q: &[f64], scalars: usize, j: usize) {
    if j < scalars {
        place[j].rate = 1.0;
        return;
    }
    let e = [q[scalars], q[scalars + 1], q[scalars + 2], q[scalars + 3]];
    let w = crate::math::rotation::unit(j - scalars);
    for (jet, rate) in place[scalars..].iter_mut().zip(rates_from_base(&e, &w)) {
        jet.rate = rate;
    }
}

/// Transforms the change of a motion at the origin of M, in F's axes, to the common point and ground axes.
struct Wide<'a> {
    R_F: &'a Mat3<f64>,
    p: Vec3<Jet>,
    /// From the common point to F's origin.
    r: Vec3<f64>,
}

impl<'a> Wide<'a> {
    fn new(across: &Across<Jet>, R_F: &'a Mat3<f64>, to_M: &Vec3<f64>) -> Self {
        let p = across.p.map(|x| x.value);
        Wide {
            R_F,
            p: across.p,
            r: to_M - apply(R_F, &p),
        }
    }

    fn change(&self, w: &Vec3<Jet>, v: &Vec3<Jet>) -> Twist {
        // at the origin of F, which does not move
        let v = v + cross(&self.p, w);
        let rate = |x: &Vec3<Jet>| apply(self.R_F, &x.map(|x| x.rate));
        Twist::new(rate(w), rate(&v)).seen_from(&self.r)
    }
}

impl DynamicsDerivatives {
    /// Adds `M x` after [`rnea_derivatives`], which computes M.
    pub fn add_mass_product(&self, x: &[f64], out: &mut [f64]) {
        for (i, row) in self.mass.chunks_exact(self.n.max(1)).enumerate() {
            out[i] += dense::dot(&row[i..], &x[i..]);
            dense::add(&mut out[i + 1..], x[i], &row[i + 1..]);
        }
    }

    /// Computes all entries of column j, and of row j for the joints between it and the ground.
    #[inline]
    fn fill(&mut self, tree: &Tree, i: usize, j: usize, carried: &Subtree) {
        let n = self.n;
        let column = self.columns[j];
        let twice_b =
            |psi: &Vec3<f64>| Wrench::new(apply(&carried.N, psi), cross(psi, &carried.P) * 2.0);
        let by_q = twice_b(&column.psi.w)
            + carried.inertia.times(&column.psi2)
            + column.S.cross_force(&carried.force);
        let by_v = twice_b(&column.S.w) + carried.inertia.times(&column.upsilon);
        let moved = carried.inertia.times(&column.S);
        // 2Bᵀ S
        let turned =
            apply_transposed(&carried.N, &column.S.w) - cross(&column.S.v, &carried.P) * 2.0;
        for k in tree.links[i].velocities() {
            if k <= j {
                self.mass[n * k + j] = self.columns[k].S.dot(&moved);
            }
            let first = tree.links[i].v;
            let inner = self.inner_start[i] + (j - first) * tree.links[i].shape.freedom();
            let changed = &self.inner[inner + k - first];
            self.by_q[n * j + k] = self.columns[k].S.dot(&by_q) + changed.dot(&carried.force);
            self.by_v[n * j + k] = self.columns[k].S.dot(&by_v);
        }
        self.mass[n * j + j] += tree.armature[j];
        let mut at = i;
        while let Some(p) = tree.links[at].parent {
            for k in tree.links[p].velocities() {
                let below = &self.columns[k];
                self.mass[n * k + j] = below.S.dot(&moved);
                self.by_q[n * j + k] = below.S.dot(&by_q);
                self.by_v[n * j + k] = below.S.dot(&by_v);
                self.by_q[n * k + j] = dot(&turned, &below.psi.w) + below.psi2.dot(&moved);
                self.by_v[n * k + j] = dot(&turned, &below.S.w) + below.upsilon.dot(&moved);
            }
            at = p;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::suite::*;
    use super::super::{Numbers, retract, rnea};
    use super::*;

    fn relative(a: &[f64], b: &[f64]) -> f64 {
        // a derivative that vanishes leaves the rounding error of its terms
        let size = b.iter().fold(1e-3, |m: f64, x| m.max(x.abs()));
        let pairs = a.iter().zip(b);
        // unlike `f64::max`, this propagates NaN
        let larger = |m: f64, x: f64| if x <= m { m } else { x };
        pairs.fold(0.0, |m: f64, (x, y)| larger(m, (x - y).abs())) / size
    }

    /// Position coordinates with derivatives along velocity coordinate `k`.
    fn along(tree: &Tree, q: &[f64], k: usize) -> Vec<Jet> {
        let mut unit = vec![0.0; tree.velocities];
        unit[k] = 1.0;
        let still = vec![0.0; tree.velocities];
        curve(tree, q, &unit, &still)
    }

    fn constants(x: &[f64]) -> Vec<Jet> {
        x.iter().map(|x| Jet::constant(*x)).collect()
    }

    #[test]
    fn derivatives_of_joint_forces_are_those_of_dual_numbers() {
        on_random_trees(200, |model, tree, random| {
            let n = tree.velocities;
            let (q, v) = random_state(tree, random);
            let rates = random_vector(n, random);
            let mut ws = TreeWorkspace::new(tree);
            let mut found = DynamicsDerivatives::new(tree);
            rnea_derivatives(tree, &mut ws, &q, &v, &rates, &mut found);

            let lifted = Tree::<Jet>::with(model, &Numbers::of(model));
            let mut jets = TreeWorkspace::new(&lifted);
            let mut tau = vec![Jet::default(); n];
            let (mut by_q, mut by_v) = (vec![0.0; n * n], vec![0.0; n * n]);
            let a = constants(&rates);
            for k in 0..n {
                let moved = along(tree, &q, k);
                rnea(
                    &lifted,
                    &mut jets,
                    &moved,
                    &constants(&v),
                    &a,
                    &[],
                    &mut tau,
                );
                for i in 0..n {
                    by_q[n * k + i] = tau[i].rate;
                }
                let mut faster = constants(&v);
                faster[k].rate = 1.0;
                rnea(
                    &lifted,
                    &mut jets,
                    &constants(&q),
                    &faster,
                    &a,
                    &[],
                    &mut tau,
                );
                for i in 0..n {
                    by_v[n * k + i] = tau[i].rate;
                }
            }
            let errors = (relative(&found.by_q, &by_q), relative(&found.by_v, &by_v));
            assert!(errors.0 < 1e-10 && errors.1 < 1e-10, "{errors:?}");
        });
    }

    #[test]
    fn derivatives_do_not_depend_on_the_previous_use_of_their_buffers() {
        on_random_trees(60, |_, tree, random| {
            let n = tree.velocities;
            let (q, v) = random_state(tree, random);
            let rates = random_vector(n, random);
            let mut ws = TreeWorkspace::new(tree);
            let (mut fresh, mut used) = (
                DynamicsDerivatives::new(tree),
                DynamicsDerivatives::new(tree),
            );
            rnea_derivatives(tree, &mut ws, &q, &v, &rates, &mut fresh);
            let mut found = vec![0.0; n];
            aba_derivatives(tree, &mut ws, &q, &v, &rates, &mut found, &mut used);
            rnea_derivatives(tree, &mut ws, &q, &v, &rates, &mut used);
            assert_eq!((&fresh.by_q, &fresh.by_v), (&used.by_q, &used.by_v));
        });
    }

    #[test]
    fn derivatives_of_accelerations_are_those_of_dual_numbers_and_of_differences() {
        on_random_trees(200, |model, tree, random| {
            let n = tree.velocities;
            let (q, v) = random_state(tree, random);
            let tau = random_vector(n, random);
            let mut ws = TreeWorkspace::new(tree);
            let mut found = DynamicsDerivatives::new(tree);
            let mut rates = vec![0.0; n];
            aba_derivatives(tree, &mut ws, &q, &v, &tau, &mut rates, &mut found);

            let lifted = Tree::<Jet>::with(model, &Numbers::of(model));
            let mut jets = TreeWorkspace::new(&lifted);
            let mut a = vec![Jet::default(); n];
            let (mut by_q, mut by_v) = (vec![0.0; n * n], vec![0.0; n * n]);
            let forces = constants(&tau);
            for k in 0..n {
                let moved = along(tree, &q, k);
                aba(
                    &lifted,
                    &mut jets,
                    &moved,
                    &constants(&v),
                    &forces,
                    &[],
                    &mut a,
                );
                for i in 0..n {
                    by_q[n * k + i] = a[i].rate;
                }
                let mut faster = constants(&v);
                faster[k].rate = 1.0;
                aba(
                    &lifted,
                    &mut jets,
                    &constants(&q),
                    &faster,
                    &forces,
                    &[],
                    &mut a,
                );
                for i in 0..n {
                    by_v[n * k + i] = a[i].rate;
                }
            }
            let errors = (relative(&found.by_q, &by_q), relative(&found.by_v, &by_v));
            assert!(errors.0 < 1e-10 && errors.1 < 1e-10, "{errors:?}");

            // differences along a random direction test all columns at once
            let step = random_vector(n, random);
            let h = 1e-5;
            let mut at = |size: f64| {
                let mut moved = q.clone();
                let delta: Vec<f64> = step.iter().map(|x| x * size).collect();
                retract(tree, &mut moved, &delta);
                let mut a = vec![0.0; n];
                aba(tree, &mut ws, &moved, &v, &tau, &[], &mut a);
                a
            };
            let (ahead, behind) = (at(h), at(-h));
            let slope: Vec<f64> = (0..n).map(|i| (ahead[i] - behind[i]) / (2.0 * h)).collect();
            let expected: Vec<f64> = (0..n)
                .map(|i| (0..n).map(|k| found.by_q[n * k + i] * step[k]).sum())
                .collect();
            assert!(relative(&slope, &expected) < 1e-6);
        });
    }
}
