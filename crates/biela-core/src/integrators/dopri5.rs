use super::{
    IntegrationError, Integrator, IntegratorKind, IntegratorWork, Ode, StepControl, error_norm,
};
use crate::element::{ArgumentError, Arguments, Field, FieldKind, Info};
use crate::model::Space;

/// Dormand-Prince 5(4): order 5 with an embedded error estimate, step control and dense output of order 4.
///
/// Coefficients: J. R. Dormand, P. J. Prince, *J. Comp. Appl. Math.* 6 (1980) 19-26; dense output and step control as in
/// E. Hairer, S. P. Nørsett, G. Wanner, *Solving Ordinary Differential Equations I*, 2nd ed., II.5 and II.6. The last
/// stage of a step is the first of the next unless the state was brought back to the constraints in between.
#[derive(Clone, Debug)]
pub struct Dopri5 {
    tolerance: f64,
    max_step: f64,
    first_step: Option<f64>,
    control: StepControl,
    time: f64,
    before: f64,
    /// Step to try next.
    next: f64,
    /// Whether the last stage is F at the present state.
    fresh: bool,
    y: Vec<f64>,
    y_new: Vec<f64>,
    error: Vec<f64>,
    k: [Vec<f64>; 7],
    dense: [Vec<f64>; 5],
    work: IntegratorWork,
}

const C: [f64; 7] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
const A: [&[f64]; 7] = [
    &[],
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
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

impl IntegratorKind for Dopri5 {
    const INFO: Info = Info {
        name: "dopri5",
        aliases: &["dormand-prince", "rk45"],
        summary: "Dormand-Prince 5(4): error control, dense output",
        spaces: &[Space::Planar, Space::Spatial],
        fields: &[
            Field::optional(
                "tolerance",
                FieldKind::Positive { unit: "1" },
                "1e-8",
                "error allowed in a step, relative to 1 + |value|",
            ),
            Field::optional(
                "max_step",
                FieldKind::Positive { unit: "s" },
                "",
                "largest step; no bound when left out",
            ),
            Field::optional(
                "first_step",
                FieldKind::Positive { unit: "s" },
                "",
                "first step to try; found by the integrator when left out",
            ),
        ],
    };
    const ORDER: u32 = 5;

    fn build(arguments: &Arguments, len: usize) -> Result<Self, ArgumentError> {
        let zeros = || vec![0.0; len];
        let tolerance = arguments.number("tolerance");
        if tolerance < 1e-15 {
            return Err(ArgumentError {
                field: "tolerance",
                message: format!("{tolerance:e} is below the rounding of numbers; use 1e-14 or more"),
            });
        }
        Ok(Dopri5 {
            tolerance,
            max_step: arguments.optional_number("max_step").unwrap_or(f64::INFINITY),
            first_step: arguments.optional_number("first_step"),
            control: StepControl::new(4),
            time: 0.0,
            before: 0.0,
            next: 0.0,
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
    /// `out = y + h Σ a_j k_j`.
    fn combine(out: &mut [f64], y: &[f64], k: &[Vec<f64>], weights: &[f64], h: f64) {
        out.copy_from_slice(y);
        for (w, k) in weights.iter().zip(k) {
            if *w != 0.0 {
                for (o, k) in out.iter_mut().zip(k) {
                    *o += h * w * k;
                }
            }
        }
    }

    /// A first step from the size of y, F and the change of F (Hairer, Nørsett, Wanner, II.4).
    fn guess_first_step(&mut self, ode: &mut dyn Ode) -> Result<f64, IntegrationError> {
        let (count, tolerance) = (ode.num_controlled(), self.tolerance);
        let norm = |x: &[f64], y: &[f64]| error_norm(x, y, y, count, tolerance);
        let (size, slope) = (norm(&self.y, &self.y), norm(&self.k[0], &self.y));
        let h0 = if size < 1e-5 || slope < 1e-5 { 1e-6 } else { 0.01 * size / slope };
        let h0 = h0.min(self.max_step);
        Self::combine(&mut self.y_new, &self.y, &self.k[..1], &[1.0], h0);
        ode.derivative(self.time + h0, &self.y_new, &mut self.k[1])?;
        self.work.evaluations += 1;
        for i in 0..self.error.len() {
            self.error[i] = self.k[1][i] - self.k[0][i];
        }
        let curvature = norm(&self.error, &self.y) / h0;
        let most = slope.max(curvature);
        let h1 = if most <= 1e-15 { (h0 * 1e-3).max(1e-6) } else { (0.01 / most).powf(0.2) };
        Ok((100.0 * h0).min(h1).min(self.max_step))
    }
}

impl Integrator for Dopri5 {
    fn start(&mut self, ode: &mut dyn Ode, time: f64, y: &[f64]) -> Result<(), IntegrationError> {
        (self.time, self.before) = (time, time);
        self.y.copy_from_slice(y);
        self.control = StepControl::new(4);
        ode.derivative(time, &self.y, &mut self.k[0])?;
        self.work.evaluations += 1;
        self.next = match self.first_step {
            Some(h) => h,
            None => self.guess_first_step(ode)?,
        };
        self.fresh = false;
        Ok(())
    }

    fn step(&mut self, ode: &mut dyn Ode, end: f64) -> Result<f64, IntegrationError> {
        if self.fresh {
            self.k.swap(0, 6);
        } else {
            ode.derivative(self.time, &self.y, &mut self.k[0])?;
            self.work.evaluations += 1;
        }
        let count = ode.num_controlled();
        loop {
            let left = end - self.time;
            let mut h = self.next.min(self.max_step);
            // land on the end without a sliver of a last step
            let last = h >= left * (1.0 - 1e-12);
            if last {
                h = left;
            } else if 1.1 * h >= left {
                h = 0.5 * left;
            }
            if h <= 4.0 * f64::EPSILON * self.time.abs().max(f64::MIN_POSITIVE) || h <= 1e-300 {
                return Err(IntegrationError::StepTooSmall { time: self.time, step: h });
            }
            ode.trying(h);
            for s in 1..7 {
                let (done, rest) = self.k.split_at_mut(s);
                Self::combine(&mut self.y_new, &self.y, done, A[s], h);
                ode.derivative(self.time + C[s] * h, &self.y_new, &mut rest[0])?;
            }
            self.work.evaluations += 6;
            self.error.fill(0.0);
            for (e, k) in E.iter().zip(&self.k) {
                for (x, k) in self.error.iter_mut().zip(k) {
                    *x += h * e * k;
                }
            }
            let norm = error_norm(&self.error, &self.y, &self.y_new, count, self.tolerance);
            let (accepted, factor) = self.control.judge(norm);
            if !accepted {
                self.work.rejected += 1;
                self.next = h * factor;
                continue;
            }
            // a step cut short by the end says nothing against a longer one
            self.next = if last { self.next.max(h * factor) } else { h * factor };
            for i in 0..self.y.len() {
                let change = self.y_new[i] - self.y[i];
                let bend = h * self.k[0][i] - change;
                self.dense[0][i] = self.y[i];
                self.dense[1][i] = change;
                self.dense[2][i] = bend;
                self.dense[3][i] = change - h * self.k[6][i] - bend;
            }
            std::mem::swap(&mut self.y, &mut self.y_new);
            self.before = self.time;
            self.time = if last { end } else { self.time + h };
            self.fresh = true;
            self.work.steps += 1;
            return Ok(self.time);
        }
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
        for (d, k) in D.iter().zip(&self.k) {
            for (x, k) in self.dense[4].iter_mut().zip(k) {
                *x += h * d * k;
            }
        }
        Ok(())
    }

    fn interpolate(&self, time: f64, y: &mut [f64]) {
        let h = self.time - self.before;
        let s = if h > 0.0 { (time - self.before) / h } else { 1.0 };
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
