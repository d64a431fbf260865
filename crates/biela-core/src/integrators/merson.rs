use super::control::{Pace, combine, cubic};
use super::control::{absolute_field, first_step_field, max_step_field, tolerance_field};
use super::{IntegrationError, Integrator, IntegratorKind, IntegratorWork, Ode, error_norm};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::keep::keeps;
use crate::methods::MethodError;
use crate::model::Space;

/// Kutta-Merson method: order 4 with an error estimate and step-size control.
///
/// ```text
/// f0 = F(t, y)                          f1 = F(t + h/3, y + h/3 f0)
/// f2 = F(t + h/3, y + h/6 (f0 + f1))    f3 = F(t + h/2, y + h/8 (f0 + 3 f2))
/// y4 = y + h/2 (f0 − 3 f2 + 4 f3)       f4 = F(t + h, y4)
/// y⁺ = y + h/6 (f0 + 4 f3 + f4)         error = (y⁺ − y4)/5
/// ```
///
/// Five evaluations per step. Stable for hλ from −3.55 to 0 on the real axis, and up to 3.46 on the imaginary axis.
///
/// y4 has order 4 if F is linear and order 3 otherwise. The step-size controller therefore uses the fourth root of the error (R. H. Merson,
/// *Proc. Symp. Data Processing*, Weapons Research Establishment, Salisbury, 1957; Pacheco, 5.3: the listings there have
/// f1 instead of f0 in the fourth stage, which reduces the order to 2).
///
/// Dense output: the cubic Hermite interpolant of values and slopes at both ends of the step.
#[derive(Clone, Debug)]
pub struct Merson {
    pace: Pace,
    time: f64,
    before: f64,
    y: Vec<f64>,
    /// End of an attempted step; y at the start of the last step once it is accepted.
    y_other: Vec<f64>,
    y4: Vec<f64>,
    k: [Vec<f64>; 5],
    /// F at the current state, if known.
    slope: Vec<f64>,
    slope_known: bool,
    work: IntegratorWork,
}

keeps!(Merson: pace, time, before, y, y_other, y4, k, slope, slope_known, work);

const C: [f64; 5] = [0.0, 1.0 / 3.0, 1.0 / 3.0, 0.5, 1.0];
const A: [&[f64]; 5] = [
    &[],
    &[1.0 / 3.0],
    &[1.0 / 6.0, 1.0 / 6.0],
    &[1.0 / 8.0, 0.0, 3.0 / 8.0],
    &[1.0 / 2.0, 0.0, -3.0 / 2.0, 2.0],
];
const B: [f64; 5] = [1.0 / 6.0, 0.0, 0.0, 2.0 / 3.0, 1.0 / 6.0];

/// Middle of the widest gap between evaluations in a step: between the stages at h/2 and h.
const GAP: f64 = 0.75;

fields! { Merson {
    use tolerance_field;
    use absolute_field;
    use max_step_field;
    use first_step_field;
} }

impl IntegratorKind for Merson {
    const INFO: Info = Info {
        name: "merson",
        aliases: &["kutta-merson"],
        summary: "Kutta-Merson method of order 4 with local error control and dense output",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };
    const ORDER: u32 = 4;

    fn build(arguments: &Arguments, len: usize) -> Result<Self, ArgumentError> {
        Ok(Merson::with_pace(
            Pace::new(arguments, Merson::ESTIMATE)?,
            len,
        ))
    }
}

impl Merson {
    /// Order of the error estimate.
    pub(super) const ESTIMATE: u32 = 3;

    /// An integrator with step sizes set by `pace`, for problems with `len` unknowns.
    pub(super) fn with_pace(pace: Pace, len: usize) -> Self {
        let zeros = || vec![0.0; len];
        Merson {
            pace,
            time: 0.0,
            before: 0.0,
            y: zeros(),
            y_other: zeros(),
            y4: zeros(),
            k: std::array::from_fn(|_| zeros()),
            slope: zeros(),
            slope_known: false,
            work: IntegratorWork::default(),
        }
    }

    /// F at the current state, after `find_slope`.
    pub(super) fn slope(&self) -> &[f64] {
        &self.slope
    }

    /// F at the start of the last step.
    pub(super) fn slope_before(&self) -> &[f64] {
        &self.k[0]
    }

    /// Evaluates F at the current state if it is not known.
    pub(super) fn find_slope(&mut self, ode: &mut dyn Ode) -> Result<(), MethodError> {
        if !self.slope_known {
            self.work.evaluations += 1;
            ode.derivative(self.time, &self.y, &mut self.slope)?;
            self.slope_known = true;
        }
        Ok(())
    }

    /// Attempts a step: computes stages, end value and error norm.
    fn attempt(&mut self, ode: &mut dyn Ode, h: f64) -> Result<f64, MethodError> {
        for s in 1..5 {
            let (done, rest) = self.k.split_at_mut(s);
            combine(&mut self.y4, &self.y, done, A[s], h);
            self.work.evaluations += 1;
            ode.derivative(self.time + C[s] * h, &self.y4, &mut rest[0])?;
        }
        combine(&mut self.y_other, &self.y, &self.k, &B, h);
        // y4 is overwritten by the error
        for (error, y) in self.y4.iter_mut().zip(&self.y_other) {
            *error = (y - *error) / 5.0;
        }
        ode.relieve(&mut self.y4);
        let (count, tolerance) = (ode.num_controlled(), self.pace.allowed());
        Ok(error_norm(
            &self.y4,
            &self.y,
            &self.y_other,
            count,
            tolerance,
        ))
    }
}

impl Integrator for Merson {
    fn start(&mut self, ode: &mut dyn Ode, time: f64, y: &[f64]) -> Result<(), IntegrationError> {
        (self.time, self.before) = (time, time);
        self.y.copy_from_slice(y);
        self.slope_known = false;
        self.find_slope(ode)?;
        let probes = [self.y_other.as_mut_slice(), self.y4.as_mut_slice()];
        self.work.evaluations += self.pace.start(ode, (time, y), &self.slope, probes)?;
        Ok(())
    }

    fn restart(&mut self, _: &mut dyn Ode, _: f64, y: &[f64]) -> Result<(), IntegrationError> {
        // a one-step method has no history except the slope at its start
        self.replace(y);
        Ok(())
    }

    fn step(&mut self, ode: &mut dyn Ode, end: f64) -> Result<f64, IntegrationError> {
        self.find_slope(ode)?;
        std::mem::swap(&mut self.k[0], &mut self.slope);
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
        Ok(self.find_slope(ode)?)
    }

    fn interpolate(&self, time: f64, y: &mut [f64]) {
        let h = self.time - self.before;
        let s = if h > 0.0 {
            (time - self.before) / h
        } else {
            1.0
        };
        for (i, out) in y.iter_mut().enumerate() {
            let values = [self.y_other[i], self.y[i]];
            *out = cubic(s, h, values, [self.k[0][i], self.slope[i]]);
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
    use super::super::trees::order_of;
    use super::{A, B};

    #[test]
    fn the_tableau_has_order_4_and_its_last_stage_order_3() {
        assert_eq!(order_of(&A, &B, 1e-14), 4);
        assert_eq!(order_of(&A, A[4], 1e-14), 3);
    }

    #[test]
    fn the_fourth_stage_as_printed_leaves_order_2() {
        let mut printed = A;
        printed[3] = &[0.0, 1.0 / 8.0, 3.0 / 8.0];
        assert_eq!(order_of(&printed, &B, 1e-14), 2);
    }
}
