//! The coefficients directly from their definition with homogeneous matrices, for tests:
//!
//! ```text
//! D_ij = Σ_p tr(∂_i T_p J_p ∂_j T_pᵀ)     D_ijk = Σ_p tr(∂_i T_p J_p ∂_j ∂_k T_pᵀ)     D_i = −Σ_p γ · ∂_i T_p J_p e_4
//! ```

use nalgebra::{Matrix4, Vector4};

use super::chain::{Chain, ChainJointType};
use super::frames::across;

/// Derivative of a joint's motion: `∂A/∂q = Q A`.
fn generator(axis: ChainJointType) -> Matrix4<f64> {
    let mut Q = Matrix4::zeros();
    match axis {
        ChainJointType::Revolute => (Q[(0, 1)], Q[(1, 0)]) = (-1.0, 1.0),
        ChainJointType::Prismatic => Q[(2, 3)] = 1.0,
    }
    Q
}

/// Coefficients from traces.
pub(super) struct CoefficientDefinition<'a> {
    chain: &'a Chain,
    q: &'a [f64],
}

impl<'a> CoefficientDefinition<'a> {
    pub(super) fn new(chain: &'a Chain, q: &'a [f64]) -> Self {
        CoefficientDefinition { chain, q }
    }

    /// `T_p`, differentiated with respect to the listed coordinates.
    fn pose(&self, p: usize, by: &[usize]) -> Matrix4<f64> {
        let mut T = Matrix4::identity();
        T.fixed_view_mut::<3, 3>(0, 0).copy_from(&self.chain.base);
        for (i, link) in self.chain.links[..=p].iter().enumerate() {
            let A = across(link, self.q[i]);
            for _ in by.iter().filter(|j| **j == i) {
                T *= generator(link.axis);
            }
            let mut step = Matrix4::identity();
            step.fixed_view_mut::<3, 3>(0, 0).copy_from(&A.R);
            step.fixed_view_mut::<3, 1>(0, 3).copy_from(&A.p);
            T *= step;
        }
        if by.iter().any(|j| *j > p) {
            Matrix4::zeros()
        } else {
            T
        }
    }

    fn mass(&self, p: usize) -> Matrix4<f64> {
        let mass = &self.chain.links[p].mass;
        let mut J = Matrix4::zeros();
        J.fixed_view_mut::<3, 3>(0, 0).copy_from(&mass.L);
        J.fixed_view_mut::<3, 1>(0, 3).copy_from(&mass.h);
        J.fixed_view_mut::<1, 3>(3, 0)
            .copy_from(&mass.h.transpose());
        J[(3, 3)] = mass.m;
        J
    }

    fn sum(&self, term: impl Fn(usize) -> f64) -> f64 {
        (0..self.chain.links.len()).map(term).sum()
    }

    pub(super) fn inertia(&self, i: usize, j: usize) -> f64 {
        let behind = if i == j {
            self.chain.links[i].armature
        } else {
            0.0
        };
        let trace =
            |p: usize| (self.pose(p, &[i]) * self.mass(p) * self.pose(p, &[j]).transpose()).trace();
        behind + self.sum(trace)
    }

    pub(super) fn velocity(&self, i: usize, j: usize, k: usize) -> f64 {
        self.sum(|p| {
            (self.pose(p, &[i]) * self.mass(p) * self.pose(p, &[j, k]).transpose()).trace()
        })
    }

    pub(super) fn gravity(&self, i: usize) -> f64 {
        let g = &self.chain.gravity;
        let g = Vector4::new(g[0], g[1], g[2], 0.0);
        self.sum(|p| -g.dot(&(self.pose(p, &[i]) * self.mass(p)).column(3)))
    }

    /// `∂D_iks/∂q_j` by the product rule.
    pub(super) fn velocity_slope(&self, [i, k, s, j]: [usize; 4]) -> f64 {
        self.sum(|p| {
            let J = self.mass(p);
            (self.pose(p, &[i, j]) * J * self.pose(p, &[k, s]).transpose()).trace()
                + (self.pose(p, &[i]) * J * self.pose(p, &[k, s, j]).transpose()).trace()
        })
    }
}
