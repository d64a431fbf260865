//! The tangent matrix of the equations of motion in joint coordinates, for implicit integrators and statics.

use super::TreeSystem;
use crate::system::{System, Workspace};
use crate::tree;

/// Buffers for a system that computes finite differences of itself.
#[derive(Clone, Debug)]
pub(in crate::system) struct Spare {
    ws: Workspace,
    q: Vec<f64>,
    v: Vec<f64>,
    delta: Vec<f64>,
    ahead: Vec<f64>,
    behind: Vec<f64>,
}

impl Spare {
    fn new(system: &TreeSystem) -> Self {
        let n = system.sizes.velocities;
        Spare {
            ws: Workspace::new(system),
            q: vec![0.0; system.sizes.positions],
            v: vec![0.0; n],
            delta: vec![0.0; n],
            ahead: vec![0.0; n],
            behind: vec![0.0; n],
        }
    }
}

impl TreeSystem {
    /// Computes `Gᵀ λ − f` at the state of the last update of `ws`.
    fn unbalanced(&self, ws: &mut Workspace, multipliers: &[f64], out: &mut [f64]) {
        // NaN forces here are reported where the solution itself is evaluated
        let _ = self.forces(ws);
        for (x, f) in out.iter_mut().zip(&ws.force) {
            *x = -f;
        }
        if !multipliers.is_empty() {
            self.constraints(ws);
            for (i, lambda) in multipliers.iter().enumerate() {
                self.jacobian_pattern.add_row(i, &ws.jacobian, *lambda, out);
            }
        }
    }

    /// Computes [`System::tangent`] by central differences along every coordinate.
    pub(super) fn difference(
        &self,
        ws: &mut Workspace,
        multipliers: &[f64],
        (k, c): (f64, f64),
        out: &mut [f64],
        mut skew: Option<&mut [f64]>,
    ) {
        const STEP: f64 = 1e-6;
        let n = self.sizes.velocities;
        out.fill(0.0);
        if let Some(skew) = &mut skew {
            skew.fill(0.0);
        }
        for ((i, j), value) in self.mass_pattern.entries.iter().zip(&ws.mass) {
            out[i * (i + 1) / 2 + j] += value;
        }
        let Some(here) = ws.kinematics.tree.take() else {
            return;
        };
        let mut spare = ws
            .spare
            .take()
            .unwrap_or_else(|| Box::new(Spare::new(self)));
        let Spare {
            ws: other,
            q,
            v,
            delta,
            ahead,
            behind,
        } = spare.as_mut();
        q.copy_from_slice(&here.q);
        v.copy_from_slice(&here.v);
        other.kinematics.inputs.copy_from(&ws.kinematics.inputs);
        let time = ws.kinematics.time;
        for (scale, velocity) in [(k, false), (c, true)] {
            if scale == 0.0 {
                continue;
            }
            for column in 0..n {
                for (step, to) in [(STEP, &mut *ahead), (-STEP, &mut *behind)] {
                    if velocity {
                        v[column] = here.v[column] + step;
                    } else {
                        delta[column] = step;
                        q.copy_from_slice(&here.q);
                        tree::retract(&self.tree, q, delta);
                    }
                    self.update(time, q, v, &here.turns, &mut other.kinematics);
                    let rows = if velocity { &[] } else { multipliers };
                    self.unbalanced(other, rows, to);
                }
                delta[column] = 0.0;
                v[column] = here.v[column];
                q.copy_from_slice(&here.q);
                for row in 0..n {
                    let slope = (ahead[row] - behind[row]) / (2.0 * STEP);
                    let (i, j) = (row.max(column), row.min(column));
                    // a diagonal entry is visited once, a pair twice
                    let share = if i == j { 1.0 } else { 0.5 };
                    out[i * (i + 1) / 2 + j] += share * scale * slope;
                    if let (Some(skew), true) = (&mut skew, i != j) {
                        let side = if row > column { 0.5 } else { -0.5 };
                        skew[i * (i + 1) / 2 + j] += side * scale * slope;
                    }
                }
            }
        }
        ws.kinematics.tree = Some(here);
        ws.spare = Some(spare);
    }
}
