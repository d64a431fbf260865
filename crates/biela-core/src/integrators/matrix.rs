//! The iteration matrix of Newton's method, shared by the integrators that solve the equations of motion directly.

use super::Mechanics;
use crate::keep::keeps;
use crate::math::{Kkt, RowOrder};
use crate::system::{System, row_groups};

/// `[M + c C + k K, Gᵀ; G, 0]`, factorised with the symmetric part of the tangent, or with the complete tangent.
#[derive(Clone, Debug)]
pub(super) struct NewtonMatrix {
    kkt: Kkt,
    tangent: Vec<f64>,
    skew: Vec<f64>,
    jacobian: Vec<f64>,
    /// Whether the skew-symmetric part of the tangent is included. It doubles the cost, and is needed only if stiff forces follow rotating bodies.
    unsymmetric: bool,
    /// The step size of the factorisation; zero if there is none.
    made_for: f64,
}

keeps!(NewtonMatrix: kkt, unsymmetric, made_for);

impl NewtonMatrix {
    pub(super) fn new(system: &dyn System) -> Self {
        let (tangent, rows) = (system.tangent_pattern(), system.jacobian_pattern());
        let kkt = Kkt::new(
            system.sizes().velocities,
            tangent,
            rows,
            &row_groups(system),
            RowOrder::LeastFill,
        );
        NewtonMatrix {
            kkt: kkt.with_unsymmetric(),
            tangent: vec![0.0; tangent.entries.len()],
            skew: vec![0.0; tangent.entries.len()],
            jacobian: vec![0.0; rows.num_entries()],
            unsymmetric: false,
            made_for: 0.0,
        }
    }

    /// Forms and factorises the matrix at the evaluation in the workspace, with factors (k, c) of stiffness and damping.
    pub(super) fn factor(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        multipliers: &[f64],
        factors: (f64, f64),
        made_for: f64,
    ) {
        let (system, ws) = (mechanics.system, &mut *mechanics.workspace);
        let skew = self.unsymmetric.then_some(self.skew.as_mut_slice());
        system.full_tangent(ws, multipliers, factors, &mut self.tangent, skew);
        self.jacobian.copy_from_slice(&ws.jacobian);
        for (i, active) in mechanics.active.iter().enumerate() {
            if !active {
                self.jacobian[system.jacobian_pattern().range(i)].fill(0.0);
            }
        }
        if self.unsymmetric {
            self.kkt
                .factor_unsymmetric(&self.tangent, &self.skew, &self.jacobian);
        } else {
            self.kkt.factor(&self.tangent, &self.jacobian);
        }
        self.made_for = made_for;
    }

    /// Solves for (x, λ) in place of (f, γ).
    pub(super) fn solve(&mut self, f: &mut [f64], gamma: &mut [f64]) {
        self.kkt.solve_once(f, gamma);
    }

    /// Returns the step size of the factorisation; zero if there is none.
    pub(super) fn made_for(&self) -> f64 {
        self.made_for
    }

    /// Discards the factorisation.
    pub(super) fn forget(&mut self) {
        self.made_for = 0.0;
    }

    /// Called when Newton's method failed with a matrix for the current step. Returns `true` the first time: the complete tangent may help, and the step is
    /// attempted again. If that fails too, returns `false` and reverts to the symmetric part: the step is too long.
    pub(super) fn try_whole_tangent(&mut self) -> bool {
        self.made_for = 0.0;
        self.unsymmetric = !self.unsymmetric;
        self.unsymmetric
    }
}
