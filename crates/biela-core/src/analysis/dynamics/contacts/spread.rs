//! The distribution of statically indeterminate contact forces.
//!
//! If the rows of closed contacts are linearly dependent, as those of a block on two vertices are, only their sum is determined. Of all multipliers with the same
//! resultant those are taken that minimise `Σ λₙ² + Σ |λ_t|²/w`, with the weights w proportional to the bounds of friction: contacts at the same height then
//! use their friction in equal shares, and all of them slip at once. The proximal-point iteration `(D + S) x⁺ = D λ + S x` from zero finds them.

use crate::analysis::delassus::Delassus;
use crate::methods::eliminate;
use crate::system::{RowOwner, System, Workspace, row_acts};
use crate::unilateral::{FrictionBound, Mode};

/// The shift S relative to the largest entry of D, and its largest value relative to the smallest.
const SHIFT: f64 = 1e-9;
const SPAN: f64 = 1e5;
const PASSES: usize = 3;

/// Buffers.
#[derive(Clone, Debug)]
pub(in super::super) struct Spread {
    delassus: Delassus,
    matrix: Vec<f64>,
    shifted: Vec<f64>,
    target: Vec<f64>,
    shift: Vec<f64>,
    x: Vec<f64>,
    right: Vec<f64>,
}

impl Spread {
    pub(in super::super) fn new(system: &dyn System) -> Self {
        Spread {
            delassus: Delassus::new(system),
            matrix: Vec::new(),
            shifted: Vec::new(),
            target: Vec::new(),
            shift: Vec::new(),
            x: Vec::new(),
            right: Vec::new(),
        }
    }

    /// Distributes the multipliers of the closed contacts at the evaluation in `ws`.
    pub(in super::super) fn apply(
        &mut self,
        system: &dyn System,
        ws: &Workspace,
        active: &[bool],
        multipliers: &mut [f64],
    ) {
        let inputs = &ws.kinematics.inputs;
        let is_contact = |row: usize| match system.rows()[row].owner {
            RowOwner::Unilateral(i, _) => {
                let unilateral = &system.unilaterals()[i];
                unilateral.has_normal() || unilateral.rubs()
            }
            _ => false,
        };
        let rows = &mut self.delassus.rows;
        rows.clear();
        let all = 0..system.rows().len();
        rows.extend(all.filter(|row| is_contact(*row) && row_acts(system, *row, inputs)));
        self.delassus
            .factor(system, ws, |row| active[row] && !is_contact(row));
        let n = self.delassus.rows.len();
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        self.target.clear();
        for i in 0..n {
            let mut sum = 0.0;
            for j in 0..n {
                let entry = self.delassus.entry(system, ws, i, j);
                self.matrix[n * i + j] = entry;
                sum += entry * multipliers[self.delassus.rows[j]];
            }
            self.target.push(sum);
        }
        let largest = (0..n).map(|i| self.matrix[n * i + i]).fold(0.0, f64::max);
        self.shift.clear();
        self.shift.resize(n, SHIFT * largest);
        if !self.solve() {
            return;
        }
        self.weigh(system, inputs);
        if self.solve() {
            for (row, x) in self.delassus.rows.iter().zip(&self.x) {
                multipliers[*row] = *x;
            }
        }
    }

    /// Proximal-point iteration from zero; returns `false` if a matrix is singular.
    fn solve(&mut self) -> bool {
        let n = self.target.len();
        self.x.clear();
        self.x.resize(n, 0.0);
        for _ in 0..PASSES {
            self.shifted.clear();
            self.shifted.extend_from_slice(&self.matrix);
            self.right.clear();
            for i in 0..n {
                self.shifted[n * i + i] += self.shift[i];
                self.right.push(self.target[i] + self.shift[i] * self.x[i]);
            }
            if !eliminate(&mut self.shifted, &mut self.right) {
                return false;
            }
            std::mem::swap(&mut self.x, &mut self.right);
        }
        true
    }

    /// Increases the shift of tangential rows where the bound of friction is smaller.
    fn weigh(&mut self, system: &dyn System, inputs: &crate::system::Inputs) {
        let bound = |i: usize, x: &[f64], rows: &[usize]| -> f64 {
            let unilateral = &system.unilaterals()[i];
            let FrictionBound::Coulomb { rest, .. } = unilateral.friction else {
                return 0.0;
            };
            let normal = system.unilateral_row(unilateral.pressed_by(i));
            let k = rows.iter().position(|row| *row == normal);
            k.map_or(0.0, |k| rest * (-x[k]).max(0.0))
        };
        let mut largest = 0.0_f64;
        for i in 0..system.unilaterals().len() {
            if inputs.contact(i).mode == Mode::Stick {
                largest = largest.max(bound(i, &self.x, &self.delassus.rows));
            }
        }
        for k in 0..self.delassus.rows.len() {
            let label = system.rows()[self.delassus.rows[k]];
            let RowOwner::Unilateral(i, _) = label.owner else {
                continue;
            };
            if label.number >= system.unilaterals()[i].first_tangent() {
                let own = bound(i, &self.x, &self.delassus.rows);
                self.shift[k] *= (largest / own.max(f64::MIN_POSITIVE)).clamp(1.0, SPAN);
            }
        }
    }
}
