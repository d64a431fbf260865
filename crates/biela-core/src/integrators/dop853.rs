use super::control::{Pace, add, combine};
use super::control::{absolute_field, first_step_field, max_step_field, tolerance_field};
use super::dop853_table::{A, C, D, E3, E5};
use super::{IntegrationError, Integrator, IntegratorKind, IntegratorWork, Ode, error_norm};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::keep::keeps;
use crate::methods::MethodError;
use crate::model::Space;

/// Dormand-Prince 8(5,3): order 8 with two embedded error estimates, step-size control and dense output of order 7.
///
/// ```text
/// e₅ = ‖h Σ E5_i k_i‖     e₃ = ‖h Σ E3_i k_i‖     error = e₅² / √(e₅² + 0.01 e₃²)      (behaves like h⁸)
/// ```
///
/// Stable for hλ from −6.39 to 0 on the real axis, and up to 5.96 on the imaginary axis. Use it for tolerances below about 1e-9 and smooth forces.
///
/// E. Hairer, S. P. Nørsett, G. Wanner, *Solving Ordinary Differential Equations I*, 2nd ed., II.5 and II.6. Twelve
/// evaluations per step; dense output requires three more, only in steps that are interpolated.
#[derive(Clone, Debug)]
pub struct Dop853 {
    pace: Pace,
    time: f64,
    before: f64,
    /// Whether stage 12 is F at the current state.
    slope_known: bool,
    y: Vec<f64>,
    /// End of an attempted step; y at the start of the last step once it is accepted.
    y_other: Vec<f64>,
    scratch: Vec<f64>,
    k: [Vec<f64>; 16],
    dense: [Vec<f64>; 8],
    work: IntegratorWork,
}

keeps!(Dop853: pace, time, before, slope_known, y, y_other, k, dense, work);

/// Middle of the widest gap between evaluations in a step: between the stages at h/3 and 0.6 h.
const GAP: f64 = 0.466;

fields! { Dop853 {
    use tolerance_field;
    use absolute_field;
    use max_step_field;
    use first_step_field;
} }

impl IntegratorKind for Dop853 {
    const INFO: Info = Info {
        name: "dop853",
        aliases: &["dopri8"],
        summary: "Dormand-Prince 8(5,3) method with local error control and dense output, for tight tolerances",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };
    const ORDER: u32 = 8;

    fn build(arguments: &Arguments, len: usize) -> Result<Self, ArgumentError> {
        let zeros = || vec![0.0; len];
        Ok(Dop853 {
            pace: Pace::new(arguments, 7)?,
            time: 0.0,
            before: 0.0,
            slope_known: false,
            y: zeros(),
            y_other: zeros(),
            scratch: zeros(),
            k: std::array::from_fn(|_| zeros()),
            dense: std::array::from_fn(|_| zeros()),
            work: IntegratorWork::default(),
        })
    }
}

/// Start and size of a step.
struct StepInterval {
    time: f64,
    size: f64,
}

impl Dop853 {
    /// Evaluates a stage of a step from y.
    fn stage(
        ode: &mut dyn Ode,
        step: &StepInterval,
        y: &[f64],
        s: usize,
        (k, scratch): (&mut [Vec<f64>], &mut [f64]),
    ) -> Result<(), MethodError> {
        let (done, rest) = k.split_at_mut(s);
        combine(scratch, y, done, A[s], step.size);
        ode.derivative(step.time + C[s] * step.size, scratch, &mut rest[0])
    }

    fn find_slope(&mut self, ode: &mut dyn Ode) -> Result<(), MethodError> {
        if !self.slope_known {
            self.work.evaluations += 1;
            ode.derivative(self.time, &self.y, &mut self.k[12])?;
            self.slope_known = true;
        }
        Ok(())
    }

    /// Attempts a step: computes stages, end value and error norm.
    fn attempt(&mut self, ode: &mut dyn Ode, size: f64) -> Result<f64, MethodError> {
        let step = StepInterval {
            time: self.time,
            size,
        };
        for s in 1..12 {
            self.work.evaluations += 1;
            let storage = (self.k.as_mut_slice(), self.scratch.as_mut_slice());
            Self::stage(ode, &step, &self.y, s, storage)?;
        }
        combine(&mut self.y_other, &self.y, &self.k, A[12], size);
        let (count, tolerance) = (ode.num_controlled(), self.pace.allowed());
        let mut norm = |weights: &[f64]| {
            self.scratch.fill(0.0);
            add(&mut self.scratch, &self.k, weights, size);
            ode.relieve(&mut self.scratch);
            error_norm(&self.scratch, &self.y, &self.y_other, count, tolerance)
        };
        let (fifth, third) = (norm(&E5), norm(&E3));
        if fifth == 0.0 {
            return Ok(0.0);
        }
        Ok(fifth * (fifth / fifth.hypot(0.1 * third)))
    }
}

impl Integrator for Dop853 {
    fn start(&mut self, ode: &mut dyn Ode, time: f64, y: &[f64]) -> Result<(), IntegrationError> {
        (self.time, self.before) = (time, time);
        self.y.copy_from_slice(y);
        self.slope_known = false;
        self.find_slope(ode)?;
        let probes = [self.y_other.as_mut_slice(), self.scratch.as_mut_slice()];
        self.work.evaluations += self.pace.start(ode, (time, y), &self.k[12], probes)?;
        Ok(())
    }

    fn restart(&mut self, _: &mut dyn Ode, _: f64, y: &[f64]) -> Result<(), IntegrationError> {
        // a one-step method has no history except the slope at its start
        self.replace(y);
        Ok(())
    }

    fn step(&mut self, ode: &mut dyn Ode, end: f64) -> Result<f64, IntegrationError> {
        self.find_slope(ode)?;
        self.k.swap(0, 12);
        self.slope_known = false;
        let trial = loop {
            let trial = self.pace.trial(ode, (self.time, end), GAP)?;
            ode.trying(trial.size);
            match self.attempt(ode, trial.size) {
                Ok(error) if self.pace.judge(&trial, error) => break trial,
                Ok(_) => {}
                Err(cause) => self.pace.retreat(self.time, &trial, cause)?,
            }
            self.work.rejected += 1;
        };
        std::mem::swap(&mut self.y, &mut self.y_other);
        (self.before, self.time) = (self.time, trial.reached);
        self.work.steps += 1;
        Ok(self.time)
    }

    fn y(&self) -> &[f64] {
        &self.y
    }

    fn replace(&mut self, y: &[f64]) {
        self.y.copy_from_slice(y);
        self.slope_known = false;
    }

    fn prepare_dense(&mut self, ode: &mut dyn Ode) -> Result<(), IntegrationError> {
        self.find_slope(ode)?;
        let h = self.time - self.before;
        let step = StepInterval {
            time: self.before,
            size: h,
        };
        for s in 13..16 {
            self.work.evaluations += 1;
            let storage = (self.k.as_mut_slice(), self.scratch.as_mut_slice());
            Self::stage(ode, &step, &self.y_other, s, storage)?;
        }
        for i in 0..self.y.len() {
            let (y0, f0, f1) = (self.y_other[i], h * self.k[0][i], h * self.k[12][i]);
            let change = self.y[i] - y0;
            self.dense[0][i] = y0;
            self.dense[1][i] = change;
            self.dense[2][i] = f0 - change;
            self.dense[3][i] = 2.0 * change - f0 - f1;
        }
        for (dense, weights) in self.dense[4..].iter_mut().zip(&D) {
            dense.fill(0.0);
            add(dense, &self.k, weights, h);
        }
        Ok(())
    }

    fn interpolate(&self, time: f64, y: &mut [f64]) {
        let h = self.time - self.before;
        let s = if h > 0.0 {
            (time - self.before) / h
        } else {
            1.0
        };
        let r = 1.0 - s;
        for (i, out) in y.iter_mut().enumerate() {
            let mut value = 0.0;
            for (power, dense) in self.dense[1..].iter().enumerate().rev() {
                value = (dense[i] + value) * if power % 2 == 0 { s } else { r };
            }
            *out = self.dense[0][i] + value;
        }
    }

    fn step_size(&self) -> f64 {
        self.time - self.before
    }

    fn work(&self) -> IntegratorWork {
        self.work
    }
}

#[cfg(test)]
mod tests {
    use super::super::trees::{order_of, residuals};
    use super::{A, C, D, E3, E5};

    #[test]
    fn rows_of_the_tableau_sum_to_the_times_of_the_stages() {
        for (c, row) in C.iter().zip(A) {
            assert!((row.iter().sum::<f64>() - c).abs() < 1e-13);
        }
    }

    #[test]
    fn the_step_has_order_8_and_its_embedded_values_5_and_3() {
        assert_eq!(order_of(&A, A[12], 1e-13), 8);
        let embedded =
            |error: &[f64]| -> Vec<f64> { A[12].iter().zip(error).map(|(b, e)| b - e).collect() };
        assert_eq!(order_of(&A, &embedded(&E5), 1e-13), 5);
        assert_eq!(order_of(&A, &embedded(&E3), 1e-13), 3);
    }

    #[test]
    fn the_dense_output_has_order_7_all_through_the_step() {
        let unit = |i: usize, n: usize| f64::from(u8::from(i == n));
        for s in [0.1, 0.37, 0.5, 0.81, 1.0] {
            let r = 1.0 - s;
            let weights: Vec<f64> = (0..16)
                .map(|i| {
                    let b = A[12].get(i).copied().unwrap_or(0.0);
                    let (f0, f1) = (unit(i, 0), unit(i, 12));
                    let high = D[0][i] + s * (D[1][i] + r * (D[2][i] + s * D[3][i]));
                    s * (b + r * (f0 - b + s * (2.0 * b - f0 - f1 + r * high)))
                })
                .collect();
            let worst = residuals(&A, &weights, s, 7);
            assert!(worst.iter().all(|r| *r < 1e-12), "{s}: {worst:?}");
        }
    }
}
