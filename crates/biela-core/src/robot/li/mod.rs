//! The equations of motion of a serial chain in closed form, with every coefficient computed explicitly.
//!
//! ```text
//! f_i = Σ_j D_ij q̈_j + Σ_j Σ_k D_ijk q̇_j q̇_k + D_i
//! ```
//!
//! after C. J. Li (*IEEE Trans. Systems, Man and Cybernetics* 18 (1988) 105-114; *IEEE Trans. Robotics and Automation* 5 (1989) 397-408), derived and
//! corrected in F. A. M. Cipparrone's dissertation (Escola Politécnica, University of São Paulo, 1991), whose modules are MDD1 and MDD2 (forces by
//! coefficients in base and link axes), MDL1 and MDL2 (the linear model) and MDI (accelerations). It shares only the link parameters with the
//! recursive algorithms of [`crate::tree`], so that each can be tested against the other. It also provides the individual coefficients for controllers
//! and analysis.
#![allow(non_snake_case)]

mod chain;
mod cholesky;
mod coefficients;
#[cfg(test)]
mod definition;
mod frames;
mod linear;
#[cfg(test)]
mod suite;

pub use chain::{Chain, ChainJointType, ChainLink, LinkMass, NotSerial};
pub use cholesky::NotPositive;
pub use coefficients::Coefficients;
pub use frames::Frames;
pub use linear::LinearChainModel;

use coefficients::JointMoments;
use frames::JointQuantities;

use super::Efforts;
use crate::math::Real;

/// Li's closed form of a chain. After construction it does not allocate.
#[derive(Clone, Debug)]
pub struct Li<T: Real = f64> {
    chain: Chain<T>,
    layout: JointQuantities<T>,
    moments: Vec<JointMoments<T>>,
    coefficients: Coefficients<T>,
    /// The mass matrix and the right-hand side for the accelerations.
    rows: Vec<T>,
    bias: Vec<T>,
}

impl<T: Real> Li<T> {
    /// The closed form of a chain, in the requested axes.
    pub fn new(chain: Chain<T>, frames: Frames) -> Self {
        let n = chain.links.len();
        Li {
            layout: JointQuantities::new(&chain, frames),
            moments: vec![JointMoments::zero(); n],
            coefficients: Coefficients::new(n),
            rows: vec![T::zero(); n * (n + 1)],
            bias: vec![T::zero(); n],
            chain,
        }
    }

    /// Number of joints.
    pub fn joints(&self) -> usize {
        self.chain.links.len()
    }

    /// Computes all coefficients in a configuration.
    pub fn place(&mut self, q: &[T]) -> &Coefficients<T> {
        self.layout.place(&self.chain, q);
        for k in 0..self.joints() {
            self.moments[k] = coefficients::joint(
                &self.chain,
                self.layout.screws(k),
                &self.layout.carried[k],
                &self.layout.gravity[k],
                &mut self.coefficients,
            );
        }
        &self.coefficients
    }

    /// The coefficients of the last [`Li::place`].
    pub fn coefficients(&self) -> &Coefficients<T> {
        &self.coefficients
    }

    /// Computes the accelerations due to joint forces at the velocities `v`, after [`Li::place`].
    pub fn accelerations(
        &mut self,
        v: &[T],
        forces: &[T],
        out: &mut [T],
    ) -> Result<(), NotPositive> {
        let n = self.joints();
        self.coefficients.centripetal(v, &mut self.bias);
        for (i, row) in self.rows.chunks_exact_mut(n + 1).enumerate() {
            for j in i..n {
                row[j] = self.coefficients.inertia(i, j);
            }
            row[n] = forces[i] - self.bias[i] - self.coefficients.gravity(i);
        }
        cholesky::solve(&mut self.rows, out)
    }
}

impl Li<f64> {
    /// Computes the generalized forces of a motion by inverse dynamics, by their parts.
    pub fn efforts(&mut self, [q, v, a]: [&[f64]; 3], out: &mut Efforts) {
        let n = self.joints();
        out.resize(n);
        let coefficients = self.place(q);
        coefficients.inertial(a, &mut out.inertial);
        coefficients.centripetal(v, &mut out.coriolis);
        for i in 0..n {
            out.gravity[i] = coefficients.gravity(i);
            out.total[i] = out.inertial[i] + out.coriolis[i] + out.gravity[i];
        }
    }
}
