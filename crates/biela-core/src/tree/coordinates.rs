//! Joint coordinates as points of a manifold: time derivatives, steps `q ⊕ δ` and differences `q ⊖ p`.
//!
//! Scalars add. A rotation is described by four Euler parameters; its velocity is the angular velocity in the axes of the base frame, so
//! `e ⊕ δ = exp(δ) ∘ e`.

use super::{Link, Tree};
use crate::math::rotation::{
    matrix, normalized, rates_from_base, rotation_vector, transposed_product, turned_from_base,
};
use crate::math::{Real, Vec3};

/// Returns the first position and first velocity coordinate of the Euler parameters of a link, if it has any.
fn rotation<T: Real>(link: &Link<T>) -> Option<(usize, usize)> {
    let scalars = link.shape.scalars;
    link.shape
        .rotation
        .then_some((link.q + scalars, link.v + scalars))
}

/// Computes `q̇ = N(q) v`.
pub fn position_rates<T: Real>(tree: &Tree<T>, q: &[T], v: &[T], out: &mut [T]) {
    for link in &tree.links {
        for k in 0..link.shape.scalars {
            out[link.q + k] = v[link.v + k];
        }
        if let Some((i, k)) = rotation(link) {
            let e = [q[i], q[i + 1], q[i + 2], q[i + 3]];
            let w = Vec3::new(v[k], v[k + 1], v[k + 2]);
            out[i..i + 4].copy_from_slice(&rates_from_base(&e, &w));
        }
    }
}

/// `q ← q ⊕ δ`.
pub fn retract(tree: &Tree, q: &mut [f64], delta: &[f64]) {
    for link in &tree.links {
        for k in 0..link.shape.scalars {
            q[link.q + k] += delta[link.v + k];
        }
        if let Some((i, k)) = rotation(link) {
            let e = [q[i], q[i + 1], q[i + 2], q[i + 3]];
            let d = Vec3::new(delta[k], delta[k + 1], delta[k + 2]);
            q[i..i + 4].copy_from_slice(&turned_from_base(&e, &d));
        }
    }
}

/// Computes `δ = q ⊖ p`: the shortest step with `p ⊕ δ = q`.
pub fn difference(tree: &Tree, q: &[f64], p: &[f64], delta: &mut [f64]) {
    for link in &tree.links {
        for k in 0..link.shape.scalars {
            delta[link.v + k] = q[link.q + k] - p[link.q + k];
        }
        if let Some((i, k)) = rotation(link) {
            let at = |x: &[f64]| matrix(&[x[i], x[i + 1], x[i + 2], x[i + 3]]);
            // exp(δ) = R_q R_pᵀ
            let turn = transposed_product(&at(q).transpose(), &at(p).transpose());
            let d = rotation_vector(&turn);
            delta[k..k + 3].copy_from_slice(d.as_slice());
        }
    }
}

/// Normalises the Euler parameters.
pub fn normalize(tree: &Tree, q: &mut [f64]) {
    for (i, _) in tree.links.iter().filter_map(rotation) {
        let unit = normalized(&[q[i], q[i + 1], q[i + 2], q[i + 3]]);
        q[i..i + 4].copy_from_slice(&unit);
    }
}
