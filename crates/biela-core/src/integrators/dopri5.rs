use super::control::{Pace, add, combine};
use super::control::{absolute_field, first_step_field, max_step_field, tolerance_field};
use super::{IntegrationError, Integrator, IntegratorKind, IntegratorWork, Ode, error_norm};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::keep::keeps;
use crate::methods::MethodError;
use crate::model::Space;

/// Dormand-Prince 5(4): order 5 with an embedded error estimate, step-size control and dense output of order 4.
///
/// ```text
/// k_i = F(t + c_i h, y + h Σ a_ij k_j)      y⁺ = y + h Σ b_i k_i      error = h Σ (b_i − b̂_i) k_i      (behaves like h⁵)
/// ```
///
/// Six evaluations per step. Stable for hλ from −3.31 to 0 on the real axis. An undamped vibration is stable to hω = 1.0; above that it grows so slowly that
/// the error control limits the step first. If stability limits the step, as with stiff springs or beams, an implicit integrator requires less work.
///
/// Coefficients: J. R. Dormand, P. J. Prince, *J. Comp. Appl. Math.* 6 (1980) 19-26. Dense output and step-size control: E. Hairer, S. P. Nørsett, G. Wanner,
/// *Solving Ordinary Differential Equations I*, 2nd ed., II.5 and II.6. The last stage of a step is the first of the next (FSAL), unless the state was
/// projected to the constraints in between.
#[derive(Clone, Debug)]
pub struct Dopri5 {
    pace: Pace,
    time: f64,
    before: f64,
    /// Whether the last stage is F at the current state.
    fresh: bool,
    y: Vec<f64>,
    y_new: Vec<f64>,
    error: Vec<f64>,
    k: [Vec<f64>; 7],
    dense: [Vec<f64>; 5],
    work: IntegratorWork,
}

keeps!(Dopri5: pace, time, before, fresh, y, y_new, k, dense, work);

const C: [f64; 7] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
const A: [&[f64]; 7] = [
    &[],
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[
        19372.0 / 6561.0,
        -25360.0 / 2187.0,
        64448.0 / 6561.0,
        -212.0 / 729.0,
    ],
    &[
        9017.0 / 3168.0,
        -355.0 / 33.0,
        46732.0 / 5247.0,
        49.0 / 176.0,
        -5103.0 / 18656.0,
    ],
    &[
        35.0 / 384.0,
        0.0,
        500.0 / 1113.0,
        125.0 / 192.0,
        -2187.0 / 6784.0,
        11.0 / 84.0,
    ],
];
const E: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339_200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];
const D: [f64; 7] = [
    -12_715_105_075.0 / 11_282_082_432.0,
    0.0,
    87_487_479_700.0 / 32_700_410_799.0,
    -10_690_763_975.0 / 1_880_347_072.0,
    701_980_252_875.0 / 199_316_789_632.0,
    -1_453_857_185.0 / 822_651_844.0,
    69_997_945.0 / 29_380_423.0,
];

/// Middle of the widest gap between evaluations in a step: between the stages at 0.3 h and 0.8 h.
const GAP: f64 = 0.55;

fields! { Dopri5 {
    use tolerance_field;
    use absolute_field;
    use max_step_field;
    use first_step_field;
} }

impl IntegratorKind for Dopri5 {
    const INFO: Info = Info {
        name: "dopri5",
        aliases: &["dormand-prince", "rk45"],
        summary: "Dormand-Prince 5(4) method with local error control and dense output",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };
    const ORDER: u32 = 5;

    fn build(arguments: &Arguments, len: usize) -> Result<Self, ArgumentError> {
        let zeros = || vec![0.0; len];
        Ok(Dopri5 {
            pace: Pace::new(arguments, 4)?,
            time: 0.0,
            before: 0.0,
            fresh: false,
            y: zeros(),
            y_new: zeros(),
            error: zeros(),
            k: std::array::from_fn(|_| zeros()),
            dense: std::array::from_fn(|_| zeros()),
            work: IntegratorWork::default(),
        })
    }
}

impl Dopri5 {
    /// Attempts a step: computes stages, end value and error norm.
    fn attempt(&mut self, ode: &mut dyn Ode, h: f64) -> Result<f64, MethodError> {
        for s in 1..7 {
            let (done, rest) = self.k.split_at_mut(s);
            combine(&mut self.y_new, &self.y, done, A[s], h);
            self.work.evaluations += 1;
            ode.derivative(self.time + C[s] * h, &self.y_new, &mut rest[0])?;
        }
        self.error.fill(0.0);
        add(&mut self.error, &self.k, &E, h);
        ode.relieve(&mut self.error);
        let (count, tolerance) = (ode.num_controlled(), self.pace.allowed());
        Ok(error_norm(
            &self.error,
            &self.y,
            &self.y_new,
            count,
            tolerance,
        ))
    }
}

impl Integrator for Dopri5 {
    fn start(&mut self, ode: &mut dyn Ode, time: f64, y: &[f64]) -> Result<(), IntegrationError> {
        (self.time, self.before) = (time, time);
        self.y.copy_from_slice(y);
        ode.derivative(time, y, &mut self.k[6])?;
        let probes = [self.y_new.as_mut_slice(), self.error.as_mut_slice()];
        self.work.evaluations += 1 + self.pace.start(ode, (time, y), &self.k[6], probes)?;
        self.fresh = true;
        Ok(())
    }

    fn restart(&mut self, _: &mut dyn Ode, _: f64, y: &[f64]) -> Result<(), IntegrationError> {
        // a one-step method has no history except the slope at its start
        self.replace(y);
        Ok(())
    }

    fn step(&mut self, ode: &mut dyn Ode, end: f64) -> Result<f64, IntegrationError> {
        if std::mem::take(&mut self.fresh) {
            self.k.swap(0, 6);
        } else {
            ode.derivative(self.time, &self.y, &mut self.k[0])?;
            self.work.evaluations += 1;
        }
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
        let h = trial.size;
        for i in 0..self.y.len() {
            let change = self.y_new[i] - self.y[i];
            let bend = h * self.k[0][i] - change;
            self.dense[0][i] = self.y[i];
            self.dense[1][i] = change;
            self.dense[2][i] = bend;
            self.dense[3][i] = change - h * self.k[6][i] - bend;
        }
        std::mem::swap(&mut self.y, &mut self.y_new);
        (self.before, self.time) = (self.time, trial.reached);
        self.fresh = true;
        self.work.steps += 1;
        Ok(self.time)
    }

    fn y(&self) -> &[f64] {
        &self.y
    }

    fn replace(&mut self, y: &[f64]) {
        self.y.copy_from_slice(y);
        self.fresh = false;
    }

    fn prepare_dense(&mut self, _: &mut dyn Ode) -> Result<(), IntegrationError> {
        let h = self.time - self.before;
        self.dense[4].fill(0.0);
        add(&mut self.dense[4], &self.k, &D, h);
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
        let [a, b, c, d, e] = &self.dense;
        for (i, out) in y.iter_mut().enumerate() {
            *out = a[i] + s * (b[i] + r * (c[i] + s * (d[i] + r * e[i])));
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
    use super::{A, D, E};

    #[test]
    fn the_step_has_order_5_its_embedded_value_4_and_its_dense_output_4() {
        assert_eq!(order_of(&A, A[6], 1e-14), 5);
        let b = |i: usize| A[6].get(i).copied().unwrap_or(0.0);
        let embedded: Vec<f64> = (0..7).map(|i| b(i) - E[i]).collect();
        assert_eq!(order_of(&A, &embedded, 1e-14), 4);
        let unit = |i: usize, n: usize| f64::from(u8::from(i == n));
        for s in [0.2, 0.5, 0.9] {
            let r = 1.0 - s;
            let weight = |i: usize| {
                let bend = unit(i, 0) - b(i);
                s * (b(i) + r * (bend + s * (b(i) - unit(i, 6) - bend + r * D[i])))
            };
            let weights: Vec<f64> = (0..7).map(weight).collect();
            let worst = residuals(&A, &weights, s, 4);
            assert!(worst.iter().all(|r| *r < 1e-14), "{s}: {worst:?}");
        }
    }
}
