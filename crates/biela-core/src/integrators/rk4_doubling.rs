use super::control::{Pace, combine};
use super::control::{absolute_field, first_step_field, max_step_field, tolerance_field};
use super::{IntegrationError, Integrator, IntegratorKind, IntegratorWork, Ode, error_norm};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::keep::keeps;
use crate::methods::MethodError;
use crate::model::Space;

/// Classical Runge-Kutta method of order 4 with step doubling: one step of h (result y₁) is compared with two steps of h/2 (result y₂).
///
/// ```text
/// error = (y₂ − y₁)/15      y⁺ = y₂ + error      (order 5 by local extrapolation)
/// ```
///
/// Eleven evaluations per step: one step and two half steps, of which the first evaluation is shared. On the real axis stable for hλ from −6.46 to 0. With
/// local extrapolation, an undamped vibration is stable only to hω = 0.27; above that it grows per step by less than the error tolerance.
///
/// This is the adaptive Runge-Kutta method of Henrique and of Cipparrone, after Press et al. Cipparrone continues from y₂ and, with ρ the largest ratio of
/// error to tolerance of all components, sets the next step to 0.9 h ρ^(−0.2) after an accepted step (ρ ≤ 1) and to 0.9 h ρ^(−0.25) after a rejected one.
/// Here the error is a root mean square, y₂ is extrapolated, and the shared proportional-integral controller sets the step from the fifth root of
/// the error.
///
/// Dense output: the quintic Hermite interpolant of values and slopes at both ends and in the middle of the step, where half of the error is added.
#[derive(Clone, Debug)]
pub struct Rk4Doubling {
    pace: Pace,
    time: f64,
    before: f64,
    y: Vec<f64>,
    /// End of an attempted step; y at the start of the last step once it is accepted.
    y_other: Vec<f64>,
    middle: Vec<f64>,
    error: Vec<f64>,
    stage: Vec<f64>,
    /// Slopes of one classical step after the first.
    k: [Vec<f64>; 3],
    /// Slopes at the start and in the middle of the last step.
    start_slope: Vec<f64>,
    middle_slope: Vec<f64>,
    /// F at the current state, if known.
    slope: Vec<f64>,
    slope_known: bool,
    work: IntegratorWork,
}

keeps!(Rk4Doubling: pace, time, before, y, y_other, middle, start_slope, middle_slope, slope, slope_known, work);

/// Middle of the widest gap between evaluations in a step: between the stages at h/2 and 3h/4.
const GAP: f64 = 0.625;

fields! { Rk4Doubling {
    use tolerance_field;
    use absolute_field;
    use max_step_field;
    use first_step_field;
} }

impl IntegratorKind for Rk4Doubling {
    const INFO: Info = Info {
        name: "rk4-doubling",
        aliases: &["step-doubling"],
        summary: "classical Runge-Kutta method with step doubling, local error control and dense output",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };
    const ORDER: u32 = 5;

    fn build(arguments: &Arguments, len: usize) -> Result<Self, ArgumentError> {
        let zeros = || vec![0.0; len];
        Ok(Rk4Doubling {
            pace: Pace::new(arguments, 4)?,
            time: 0.0,
            before: 0.0,
            y: zeros(),
            y_other: zeros(),
            middle: zeros(),
            error: zeros(),
            stage: zeros(),
            k: std::array::from_fn(|_| zeros()),
            start_slope: zeros(),
            middle_slope: zeros(),
            slope: zeros(),
            slope_known: false,
            work: IntegratorWork::default(),
        })
    }
}

/// One classical step from (t, y) with initial slope `first`: stages and result.
struct Classical<'a> {
    stage: &'a mut [f64],
    k: &'a mut [Vec<f64>; 3],
    evaluations: &'a mut u64,
}

impl Classical<'_> {
    fn step(
        self,
        ode: &mut dyn Ode,
        (t, y): (f64, &[f64]),
        first: &[f64],
        h: f64,
        out: &mut [f64],
    ) -> Result<(), MethodError> {
        let [k2, k3, k4] = self.k;
        *self.evaluations += 3;
        combine(self.stage, y, &[first], &[0.5], h);
        ode.derivative(t + h / 2.0, self.stage, k2)?;
        combine(self.stage, y, &[&k2], &[0.5], h);
        ode.derivative(t + h / 2.0, self.stage, k3)?;
        combine(self.stage, y, &[&k3], &[1.0], h);
        ode.derivative(t + h, self.stage, k4)?;
        for (i, out) in out.iter_mut().enumerate() {
            *out = y[i] + h / 6.0 * (first[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
        Ok(())
    }
}

impl Rk4Doubling {
    fn find_slope(&mut self, ode: &mut dyn Ode) -> Result<(), MethodError> {
        if !self.slope_known {
            self.work.evaluations += 1;
            ode.derivative(self.time, &self.y, &mut self.slope)?;
            self.slope_known = true;
        }
        Ok(())
    }

    /// Attempts one step and two half steps: computes end value, middle and error norm.
    fn attempt(&mut self, ode: &mut dyn Ode, h: f64) -> Result<f64, MethodError> {
        let mut classical = |ode: &mut dyn Ode, from, first: &[f64], h, out: &mut [f64]| {
            let step = Classical {
                stage: &mut self.stage,
                k: &mut self.k,
                evaluations: &mut self.work.evaluations,
            };
            step.step(ode, from, first, h, out)
        };
        let (t, half) = (self.time, h / 2.0);
        let first = &self.start_slope;
        classical(ode, (t, &self.y), first, h, &mut self.error)?;
        classical(ode, (t, &self.y), first, half, &mut self.middle)?;
        ode.derivative(t + half, &self.middle, &mut self.middle_slope)?;
        let first = &self.middle_slope;
        classical(
            ode,
            (t + half, &self.middle),
            first,
            half,
            &mut self.y_other,
        )?;
        self.work.evaluations += 1;
        for i in 0..self.y.len() {
            let error = (self.y_other[i] - self.error[i]) / 15.0;
            self.error[i] = error;
            self.y_other[i] += error;
            self.middle[i] += 0.5 * error;
        }
        ode.relieve(&mut self.error);
        let (count, tolerance) = (ode.num_controlled(), self.pace.allowed());
        Ok(error_norm(
            &self.error,
            &self.y,
            &self.y_other,
            count,
            tolerance,
        ))
    }
}

impl Integrator for Rk4Doubling {
    fn start(&mut self, ode: &mut dyn Ode, time: f64, y: &[f64]) -> Result<(), IntegrationError> {
        (self.time, self.before) = (time, time);
        self.y.copy_from_slice(y);
        self.slope_known = false;
        self.find_slope(ode)?;
        let probes = [self.y_other.as_mut_slice(), self.error.as_mut_slice()];
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
        std::mem::swap(&mut self.start_slope, &mut self.slope);
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
        // Newton's form of the interpolant with the nodes 0, 0, 1, 1, ½, ½
        for (i, out) in y.iter_mut().enumerate() {
            let (y0, change) = (self.y_other[i], self.y[i] - self.y_other[i]);
            let (f0, f1) = (h * self.start_slope[i], h * self.slope[i]);
            let bend = change - f0;
            let twist = f0 + f1 - 2.0 * change;
            let middle = y0 + 0.5 * f0 + 0.25 * bend - 0.125 * twist;
            let middle_slope = f0 + bend - 0.25 * twist;
            let value = 16.0 * (self.middle[i] - middle);
            let slope = 16.0 * (h * self.middle_slope[i] - middle_slope);
            let r = s - 1.0;
            *out = y0 + s * (f0 + s * (bend + r * (twist + r * (value + (s - 0.5) * slope))));
        }
    }

    fn step_size(&self) -> f64 {
        self.time - self.before
    }

    fn work(&self) -> IntegratorWork {
        self.work
    }
}
