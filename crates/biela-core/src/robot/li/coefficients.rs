//! The coefficients of the equations of motion, from screws and composite masses.
//!
//! With L, h, M the second moment, first moment and mass of all links that joint k moves, and `aux(A) = tr(A) 1 − A`,
//!
//! ```text
//! φ_k = aux(L) δ_k + h × λ_k        ψ_k = δ_k × h + M λ_k        V_k = L δ̃_kᵀ + h λ_kᵀ        w_ik = aux(V_k) δ_i + ψ_k × λ_i
//! D_k = −g·ψ_k                      D_ik = δ_i·φ_k + λ_i·ψ_k  (i ≤ k)               D_ijk = δ_j·w_ik  (i < k, j ≤ k)
//! ```
//!
//! All others follow from `D_ik = D_ki`, `D_ijk = D_ikj` and `D_ijk = −D_kji` for `j ≤ i, k`.

use super::chain::{Chain, ChainJointType, LinkMass};
use crate::math::rotation::{apply, cross, diagonal, dot, zero3};
use crate::math::spatial::Twist;
use crate::math::{Mat3, Real, Vec3};

/// Gravity, inertia and velocity coefficients of a chain in a configuration.
#[derive(Clone, Debug)]
pub struct Coefficients<T: Real = f64> {
    n: usize,
    gravity: Vec<T>,
    /// `D_ij` for i ≤ j.
    inertia: Vec<T>,
    /// `D_ijk` for i < k, j ≤ k.
    velocity: Vec<T>,
}

impl<T: Real> Coefficients<T> {
    pub(super) fn new(n: usize) -> Self {
        Coefficients {
            n,
            gravity: vec![T::zero(); n],
            inertia: vec![T::zero(); n * n],
            velocity: vec![T::zero(); n * n * n],
        }
    }

    /// Number of joints.
    pub fn joints(&self) -> usize {
        self.n
    }

    /// `D_i`: the force of joint i that balances gravity.
    pub fn gravity(&self, i: usize) -> T {
        self.gravity[i]
    }

    /// `D_ij`: the force of joint i per unit acceleration of joint j.
    pub fn inertia(&self, i: usize, j: usize) -> T {
        self.inertia[self.n * i.min(j) + i.max(j)]
    }

    /// `D_ijk`: the force of joint i for unit velocities of joints j and k (Christoffel symbol of the first kind).
    pub fn velocity(&self, i: usize, j: usize, k: usize) -> T {
        let (j, k) = (j.min(k), j.max(k));
        match i.cmp(&k) {
            std::cmp::Ordering::Less => self.stored(i, j, k),
            std::cmp::Ordering::Equal => T::zero(),
            std::cmp::Ordering::Greater => -self.stored(k, j, i),
        }
    }

    /// `D_ijk` for i < k, j ≤ k; zero where i = k.
    #[inline]
    pub(super) fn stored(&self, i: usize, j: usize, k: usize) -> T {
        self.velocity[(self.n * i + k) * self.n + j]
    }

    /// Calls `each(i, j, k, D_ijk)` for every independent coefficient, except for prismatic j, where they are zero.
    #[inline]
    pub(super) fn each_velocity(&self, mut each: impl FnMut(usize, usize, usize, T)) {
        let n = self.n;
        for i in 0..n {
            for k in i + 1..n {
                let row = &self.velocity[(n * i + k) * n..][..=k];
                for (j, D) in row.iter().enumerate() {
                    each(i, j, k, *D);
                }
            }
        }
    }

    /// `f_i = Σ_j D_ij a_j`.
    pub fn inertial(&self, a: &[T], out: &mut [T]) {
        out.fill(T::zero());
        for i in 0..self.n {
            out[i] += self.inertia[self.n * i + i] * a[i];
            for j in i + 1..self.n {
                let D = self.inertia[self.n * i + j];
                out[i] += D * a[j];
                out[j] += D * a[i];
            }
        }
    }

    /// `f_i = Σ_j Σ_k D_ijk v_j v_k`; reads each coefficient once.
    pub fn centripetal(&self, v: &[T], out: &mut [T]) {
        out.fill(T::zero());
        let two = T::constant(2.0);
        self.each_velocity(|i, j, k, D| {
            let D = D * v[j];
            let twice = D * two;
            out[i] += if j < k { twice } else { D } * v[k];
            // D_kji = −D_ijk
            if j < i {
                out[k] -= twice * v[i];
            } else if j == i {
                out[k] -= D * v[i];
            }
        });
    }
}

/// Data of a joint, in addition to its screws, for the linear model.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointMoments<T: Real> {
    /// `V_k`.
    pub(super) V: Mat3<T>,
    /// `ψ_k`: linear momentum of all links that the joint moves, for a unit velocity.
    pub(super) psi: Vec3<T>,
}

impl<T: Real> JointMoments<T> {
    pub(super) fn zero() -> Self {
        JointMoments {
            V: diagonal(T::zero(), T::zero(), T::zero()),
            psi: zero3(),
        }
    }
}

/// Computes the coefficients whose largest index is k, from the screws of joints 0 to k.
#[inline]
pub(super) fn joint<T: Real>(
    chain: &Chain<T>,
    screws: &[Twist<T>],
    carried: &LinkMass<T>,
    gravity: &Vec3<T>,
    out: &mut Coefficients<T>,
) -> JointMoments<T> {
    let n = out.n;
    let k = screws.len() - 1;
    let (delta, lambda) = (&screws[k].w, &screws[k].v);
    let LinkMass { m, h, L } = carried;
    let (phi, moments) = match chain.links[k].axis {
        ChainJointType::Revolute => (
            delta * L.trace_of() - apply(L, delta) + cross(h, lambda),
            JointMoments {
                V: turned_rows(delta, L, h, lambda),
                psi: cross(delta, h) + lambda * *m,
            },
        ),
        ChainJointType::Prismatic => (
            cross(h, lambda),
            JointMoments {
                V: outer(h, lambda),
                psi: lambda * *m,
            },
        ),
    };
    let JointMoments { V, psi } = &moments;
    let trace = V.trace_of();
    out.gravity[k] = -dot(gravity, psi);
    for (i, screw) in screws.iter().enumerate() {
        out.inertia[n * i + k] = match chain.links[i].axis {
            ChainJointType::Revolute => dot(&screw.w, &phi) + dot(&screw.v, psi),
            ChainJointType::Prismatic => dot(&screw.v, psi),
        };
        if i == k {
            continue;
        }
        let w = match chain.links[i].axis {
            ChainJointType::Revolute => screw.w * trace - apply(V, &screw.w) + cross(psi, &screw.v),
            ChainJointType::Prismatic => cross(psi, &screw.v),
        };
        let row = &mut out.velocity[(n * i + k) * n..][..=k];
        for ((D, screw), link) in row.iter_mut().zip(screws).zip(&chain.links) {
            if link.axis == ChainJointType::Revolute {
                *D = dot(&screw.w, &w);
            }
        }
    }
    out.inertia[n * k + k] += chain.links[k].armature;
    moments
}

/// The trace of a matrix, for any scalar type.
pub(super) trait MatrixTrace<T> {
    fn trace_of(&self) -> T;
}

impl<T: Real> MatrixTrace<T> for Mat3<T> {
    #[inline]
    fn trace_of(&self) -> T {
        self[(0, 0)] + self[(1, 1)] + self[(2, 2)]
    }
}

/// `a bᵀ`.
#[inline]
pub(super) fn outer<T: Real>(a: &Vec3<T>, b: &Vec3<T>) -> Mat3<T> {
    Mat3::from_columns(&[a * b[0], a * b[1], a * b[2]])
}

/// `L δ̃ᵀ + h λᵀ`: row r is `δ × L_r + h_r λ`, L being symmetric.
#[inline]
fn turned_rows<T: Real>(delta: &Vec3<T>, L: &Mat3<T>, h: &Vec3<T>, lambda: &Vec3<T>) -> Mat3<T> {
    let row = |r: usize| cross(delta, &crate::math::rotation::column(L, r)) + lambda * h[r];
    Mat3::from_columns(&[row(0), row(1), row(2)]).transpose()
}
