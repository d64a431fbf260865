//! Solutions of a factorised system.

use super::Kkt;

impl Kkt {
    /// Solves for (a, λ) in place of (f, γ), without refinement, for iterations that are self-correcting.
    pub fn solve_once(&mut self, f: &mut [f64], gamma: &mut [f64]) {
        let n = self.num_velocities;
        self.residual[..n].copy_from_slice(f);
        self.residual[n..].copy_from_slice(gamma);
        self.substitute();
        f.copy_from_slice(&self.correction[..n]);
        gamma.copy_from_slice(&self.correction[n..]);
    }

    /// Solves for (a, λ) in place of (f, γ), with one step of iterative refinement with the factorised values.
    pub fn solve(&mut self, mass: &[f64], rows: &[f64], f: &mut [f64], gamma: &mut [f64]) {
        let n = self.num_velocities;
        self.solve_once(f, gamma);

        // residual − K x, then correct
        for x in &mut self.correction {
            *x = 0.0;
        }
        self.mass.add_product(mass, f, &mut self.correction[..n]);
        for i in 0..gamma.len() {
            self.rows
                .add_row(i, rows, gamma[i], &mut self.correction[..n]);
            self.correction[n + i] = self.rows.row_times(i, rows, f);
        }
        for (r, kx) in self.residual.iter_mut().zip(&self.correction) {
            *r -= kx;
        }
        self.substitute();
        for (x, d) in f.iter_mut().zip(&self.correction) {
            *x += d;
        }
        for (x, d) in gamma.iter_mut().zip(&self.correction[n..]) {
            *x += d;
        }
    }

    /// `correction = K⁻¹ residual`.
    fn substitute(&mut self) {
        let size = self.inverse.len();
        for (i, r) in self.residual.iter().enumerate() {
            self.work[self.place[i]] = *r;
        }
        for k in 0..size {
            let x = self.work[k];
            if x != 0.0 {
                let column = self.l_start[k]..self.l_start[k + 1];
                let entries = self.l_rows[column.clone()].iter();
                for (row, value) in entries.zip(&self.l_values[column]) {
                    self.work[*row as usize] -= value * x;
                }
            }
        }
        for k in 0..size {
            self.work[k] *= self.inverse[k];
        }
        let upper = if self.unsymmetric {
            &self.u_values
        } else {
            &self.l_values
        };
        for k in (0..size).rev() {
            let mut x = self.work[k];
            let column = self.l_start[k]..self.l_start[k + 1];
            let entries = self.l_rows[column.clone()].iter();
            for (row, value) in entries.zip(&upper[column]) {
                x -= value * self.work[*row as usize];
            }
            // the multiplier of a dependent row is zero
            self.work[k] = if self.inverse[k] == 0.0 { 0.0 } else { x };
        }
        for i in 0..size {
            self.correction[i] = self.work[self.place[i]];
        }
        self.work.fill(0.0);
    }
}
