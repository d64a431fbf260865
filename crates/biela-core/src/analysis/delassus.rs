//! The Delassus matrix of closed contacts: the response of their rows to their forces, with the bilateral constraints.

use crate::math::Kkt;
use crate::methods::{bilateral_rows, saddle_point};
use crate::system::{System, Workspace};

/// Responses of the system to unit forces of rows.
#[derive(Clone, Debug)]
pub(super) struct Delassus {
    kkt: Option<Kkt>,
    jacobian: Vec<f64>,
    /// The rows of the system that take part.
    pub(super) rows: Vec<usize>,
    /// The change of velocity, and the multipliers of bilateral rows, for a unit force of each row.
    pub(super) responses: Vec<Vec<f64>>,
    pub(super) multipliers: Vec<Vec<f64>>,
    /// The motion without contact forces.
    pub(super) free: Vec<f64>,
    free_multipliers: Vec<f64>,
    factor: Vec<f64>,
}

/// A row whose squared independent part is below this fraction of its squared length is dependent.
const DEPENDENT: f64 = 1e-11;

impl Delassus {
    pub(super) fn new(system: &dyn System) -> Self {
        let sizes = system.sizes();
        let rows = sizes.rows - bilateral_rows(system);
        let entries = system.jacobian_pattern().num_entries();
        Delassus {
            kkt: (rows > 0).then(|| saddle_point(system)),
            jacobian: vec![0.0; if rows > 0 { entries } else { 0 }],
            rows: Vec::with_capacity(rows),
            responses: vec![vec![0.0; sizes.velocities]; rows],
            multipliers: vec![vec![0.0; sizes.rows]; rows],
            free: vec![0.0; sizes.velocities],
            free_multipliers: vec![0.0; sizes.rows],
            factor: Vec::with_capacity(rows * rows),
        }
    }

    /// Factorises with mass and rows of `ws`; `held` marks the rows that act as bilateral constraints. Computes the responses to `rows`.
    pub(super) fn factor(
        &mut self,
        system: &dyn System,
        ws: &Workspace,
        held: impl Fn(usize) -> bool,
    ) {
        let Some(kkt) = &mut self.kkt else { return };
        let pattern = system.jacobian_pattern();
        self.jacobian.copy_from_slice(&ws.jacobian);
        for row in 0..system.rows().len() {
            if !held(row) {
                self.jacobian[pattern.range(row)].fill(0.0);
            }
        }
        kkt.factor(&ws.mass, &self.jacobian);
        for (k, row) in self.rows.iter().enumerate() {
            let (rates, multipliers) = (&mut self.responses[k], &mut self.multipliers[k]);
            rates.fill(0.0);
            multipliers.fill(0.0);
            pattern.add_row(*row, &ws.jacobian, 1.0, rates);
            kkt.solve(&ws.mass, &self.jacobian, rates, multipliers);
        }
    }

    /// Solves for the accelerations at the forces of `ws`, with the bilateral rows of the factorisation.
    pub(super) fn accelerate(
        &mut self,
        system: &dyn System,
        ws: &Workspace,
        held: impl Fn(usize) -> bool,
    ) {
        let Some(kkt) = &mut self.kkt else { return };
        self.free.copy_from_slice(&ws.force);
        for row in 0..system.rows().len() {
            self.free_multipliers[row] = if held(row) { ws.gamma[row] } else { 0.0 };
        }
        kkt.solve(
            &ws.mass,
            &self.jacobian,
            &mut self.free,
            &mut self.free_multipliers,
        );
    }

    /// The entry of rows `i` and `j` of the list.
    pub(super) fn entry(&self, system: &dyn System, ws: &Workspace, i: usize, j: usize) -> f64 {
        let pattern = system.jacobian_pattern();
        pattern.row_times(self.rows[i], &ws.jacobian, &self.responses[j])
    }

    /// Writes D for the rows of the list, by rows.
    pub(super) fn fill(&self, system: &dyn System, ws: &Workspace, out: &mut [f64]) {
        let n = self.rows.len();
        for i in 0..n {
            for j in 0..n {
                out[n * i + j] = self.entry(system, ws, i, j);
            }
        }
    }

    /// Marks the rows of the list that depend on earlier ones, by a Cholesky factorisation of the matrix restricted to those for which `counts`, of the position in the
    /// list and the row, holds.
    pub(super) fn dependent(
        &mut self,
        matrix: &[f64],
        counts: impl Fn(usize, usize) -> bool,
        out: &mut Vec<bool>,
    ) {
        let n = self.rows.len();
        out.clear();
        out.resize(n, false);
        self.factor.clear();
        self.factor.resize(n * n, 0.0);
        for i in 0..n {
            if !counts(i, self.rows[i]) {
                continue;
            }
            let mut pivot = matrix[n * i + i];
            for j in 0..i {
                if !counts(j, self.rows[j]) || out[j] {
                    continue;
                }
                let mut sum = matrix[n * i + j];
                for k in 0..j {
                    sum -= self.factor[n * i + k] * self.factor[n * j + k];
                }
                let entry = sum / self.factor[n * j + j];
                self.factor[n * i + j] = entry;
                pivot -= entry * entry;
            }
            if pivot <= DEPENDENT * matrix[n * i + i] {
                out[i] = true;
                self.factor[n * i..n * i + i].fill(0.0);
            } else {
                self.factor[n * i + i] = pivot.sqrt();
            }
        }
    }
}
