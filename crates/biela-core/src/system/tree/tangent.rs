//! The tangent of the equations of motion in joint coordinates, for implicit integrators and statics.

use super::TreeSystem;
use crate::system::{System, Workspace};
use crate::tree;

impl TreeSystem {
    /// `Gᵀ λ − f` at the state that `ws` was last updated to.
    fn unbalanced(&self, ws: &mut Workspace, multipliers: &[f64], out: &mut [f64]) {
        // forces that are not numbers here are found and named where the solution itself is evaluated
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

    /// See [`System::tangent`]: central differences along every coordinate.
    pub(super) fn difference(
        &self,
        ws: &mut Workspace,
        multipliers: &[f64],
        (k, c): (f64, f64),
        out: &mut [f64],
    ) {
        const STEP: f64 = 1e-6;
        let n = self.sizes.velocities;
        out.fill(0.0);
        for ((i, j), value) in self.mass_pattern.entries.iter().zip(&ws.mass) {
            out[i * (i + 1) / 2 + j] += value;
        }
        let Some(here) = ws.kinematics.tree.take() else {
            return;
        };
        let mut spare = ws
            .spare
            .take()
            .unwrap_or_else(|| Box::new(Workspace::new(self)));
        let (mut ahead, mut behind) = (vec![0.0; n], vec![0.0; n]);
        let mut delta = vec![0.0; n];
        let mut q = here.q.clone();
        let mut v = here.v.clone();
        let time = ws.kinematics.time;
        for (scale, velocity) in [(k, false), (c, true)] {
            if scale == 0.0 {
                continue;
            }
            for column in 0..n {
                for (step, to) in [(STEP, &mut ahead), (-STEP, &mut behind)] {
                    if velocity {
                        v[column] = here.v[column] + step;
                    } else {
                        delta[column] = step;
                        q.copy_from_slice(&here.q);
                        tree::retract(&self.tree, &mut q, &delta);
                    }
                    self.update(time, &q, &v, &here.turns, &mut spare.kinematics);
                    let rows = if velocity { &[] } else { multipliers };
                    self.unbalanced(&mut spare, rows, to);
                }
                delta[column] = 0.0;
                v[column] = here.v[column];
                q.copy_from_slice(&here.q);
                for row in 0..n {
                    let slope = (ahead[row] - behind[row]) / (2.0 * STEP);
                    let (i, j) = (row.max(column), row.min(column));
                    // the diagonal is met once, a pair twice
                    let share = if i == j { 1.0 } else { 0.5 };
                    out[i * (i + 1) / 2 + j] += share * scale * slope;
                }
            }
        }
        ws.kinematics.tree = Some(here);
        ws.spare = Some(spare);
    }
}
