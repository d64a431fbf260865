use super::control::cubic;
use super::{IntegrationError, Integrator, IntegratorKind, IntegratorWork, Ode};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::keep::keeps;
use crate::model::Space;

/// Classical Runge-Kutta method of order 4 with a fixed step.
///
/// ```text
/// k1 = F(t, y)   k2 = F(t + h/2, y + h/2 k1)   k3 = F(t + h/2, y + h/2 k2)   k4 = F(t + h, y + h k3)
/// y⁺ = y + h/6 (k1 + 2 k2 + 2 k3 + k4)
/// ```
///
/// Order 4, four evaluations per step. For ẏ = λy the method is stable for hλ from −2.78 to 0 on the real axis, and up to hω = 2.83 for hλ = ±i hω on the
/// imaginary axis. An undamped vibration therefore needs more than 2.2 steps per period for stability, and about twenty for accuracy (W. Kutta, *Zeitschrift
/// für Mathematik und Physik* 46 (1901) 435-453).
///
/// Dense output: the cubic Hermite interpolant of values and slopes at both ends of the step.
#[derive(Clone, Debug)]
pub struct Rk4 {
    size: f64,
    start: f64,
    steps_from_start: u64,
    time: f64,
    before: f64,
    y: Vec<f64>,
    y_before: Vec<f64>,
    stage: Vec<f64>,
    k: [Vec<f64>; 4],
    /// Slope at the end of the last step.
    slope: Vec<f64>,
    work: IntegratorWork,
}

keeps!(Rk4: start, steps_from_start, time, before, y, y_before, k, slope, work);

fields! { Rk4 {
    /// step size; greater than zero
    step: Positive { unit: "s" } = "0.001",
} }

impl IntegratorKind for Rk4 {
    const INFO: Info = Info {
        name: "rk4",
        aliases: &["runge-kutta-4"],
        summary: "classical Runge-Kutta method of order 4 with a fixed step",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };
    const ORDER: u32 = 4;

    fn build(arguments: &Arguments, len: usize) -> Result<Self, ArgumentError> {
        let zeros = || vec![0.0; len];
        Ok(Rk4 {
            size: arguments.number("step"),
            start: 0.0,
            steps_from_start: 0,
            time: 0.0,
            before: 0.0,
            y: zeros(),
            y_before: zeros(),
            stage: zeros(),
            k: [zeros(), zeros(), zeros(), zeros()],
            slope: zeros(),
            work: IntegratorWork::default(),
        })
    }
}

/// A barrier closer than this fraction of the step to the time of an evaluation requires another step size.
const CLEARANCE: f64 = 0.1;
/// Position of the barrier in that step, as a fraction of the step.
const GAP: f64 = 0.75;

impl Rk4 {
    /// Returns the end of a step to `next`, or of a shorter one whose evaluations keep clear of a barrier. The grid of equal steps then restarts there.
    fn clear_of(&mut self, barrier: f64, next: f64) -> f64 {
        let (size, distance) = (next - self.time, barrier - self.time);
        let part = distance / size;
        let hits = [0.5, 1.0].iter().any(|c| (part - c).abs() < CLEARANCE);
        if !hits {
            return next;
        }
        let over = distance / GAP;
        let end = self.time + if over < size { over } else { 0.5 * distance };
        (self.start, self.steps_from_start) = (end, 0);
        end
    }

    fn stage(&mut self, from: usize, h: f64) {
        for ((s, y), k) in self.stage.iter_mut().zip(&self.y).zip(&self.k[from]) {
            *s = y + h * k;
        }
    }
}

impl Integrator for Rk4 {
    fn start(&mut self, _: &mut dyn Ode, time: f64, y: &[f64]) -> Result<(), IntegrationError> {
        (self.start, self.steps_from_start) = (time, 0);
        (self.time, self.before) = (time, time);
        self.y.copy_from_slice(y);
        Ok(())
    }

    fn restart(&mut self, _: &mut dyn Ode, _: f64, y: &[f64]) -> Result<(), IntegrationError> {
        // a one-step method has no history except the slope at its start
        self.replace(y);
        Ok(())
    }

    fn step(&mut self, ode: &mut dyn Ode, end: f64) -> Result<f64, IntegrationError> {
        // times are multiples of the step from the start, so that rounding does not accumulate
        self.steps_from_start += 1;
        let next = self.start + self.steps_from_start as f64 * self.size;
        let next = if next > end + 1e-9 * self.size {
            // a truncated step: the grid of equal steps restarts at its end
            (self.start, self.steps_from_start) = (end, 0);
            end
        } else if next >= end - 1e-9 * self.size {
            end
        } else {
            next
        };
        let next = self.clear_of(ode.barrier(), next);
        let (t, h) = (self.time, next - self.time);
        ode.trying(h);
        ode.derivative(t, &self.y, &mut self.k[0])?;
        self.stage(0, h / 2.0);
        ode.derivative(t + h / 2.0, &self.stage, &mut self.k[1])?;
        self.stage(1, h / 2.0);
        ode.derivative(t + h / 2.0, &self.stage, &mut self.k[2])?;
        self.stage(2, h);
        ode.derivative(next, &self.stage, &mut self.k[3])?;
        self.y_before.copy_from_slice(&self.y);
        let [k1, k2, k3, k4] = &self.k;
        for (i, y) in self.y.iter_mut().enumerate() {
            *y += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
        (self.before, self.time) = (t, next);
        self.work.steps += 1;
        self.work.evaluations += 4;
        Ok(next)
    }

    fn y(&self) -> &[f64] {
        &self.y
    }

    fn replace(&mut self, y: &[f64]) {
        self.y.copy_from_slice(y);
    }

    fn prepare_dense(&mut self, ode: &mut dyn Ode) -> Result<(), IntegrationError> {
        ode.derivative(self.time, &self.y, &mut self.slope)?;
        self.work.evaluations += 1;
        Ok(())
    }

    fn interpolate(&self, time: f64, y: &mut [f64]) {
        let h = self.time - self.before;
        let s = if h > 0.0 {
            (time - self.before) / h
        } else {
            1.0
        };
        for (i, out) in y.iter_mut().enumerate() {
            let values = [self.y_before[i], self.y[i]];
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
