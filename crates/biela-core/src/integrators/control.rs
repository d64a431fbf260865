//! Error norm, step control and the choice of steps, shared by the integrators that choose their step.

use super::{IntegrationError, Ode};
use crate::element::{ArgumentError, Arguments, Field, FieldKind};
use crate::keep::keeps;

/// Root mean square of the error against `tolerance (1 + |y|)`, over the first `count` unknowns.
pub fn error_norm(
    error: &[f64],
    before: &[f64],
    after: &[f64],
    count: usize,
    tolerance: f64,
) -> f64 {
    if count == 0 {
        return 0.0;
    }
    let mut sum = 0.0;
    for i in 0..count {
        let scale = tolerance * (1.0 + before[i].abs().max(after[i].abs()));
        let x = error[i] / scale;
        sum += x * x;
    }
    (sum / count as f64).sqrt()
}

/// A proportional-integral controller (E. Hairer, S. P. Nørsett, G. Wanner, *Solving ODEs I*, IV.2).
#[derive(Clone, Copy, Debug)]
pub struct StepControl {
    /// One over the order of the error estimate plus one.
    exponent: f64,
    /// Error of the last accepted step.
    last: f64,
    rejected: bool,
}

keeps!(StepControl: last, rejected);

const BETA: f64 = 0.04;
const SAFETY: f64 = 0.9;
const SHRINK: f64 = 0.2;
const GROW: f64 = 10.0;

impl StepControl {
    /// For an error estimate of this order.
    pub fn new(order: u32) -> Self {
        StepControl {
            exponent: 1.0 / f64::from(order + 1),
            last: 1e-4,
            rejected: false,
        }
    }

    /// Whether a step with this error is accepted, and the factor for the next step.
    pub fn judge(&mut self, error: f64) -> (bool, f64) {
        // a NaN error is a rejection by the smallest factor
        if error.is_nan() || error > 1.0 {
            self.rejected = true;
            let factor = SAFETY * error.powf(-self.exponent);
            return (
                false,
                if factor > SHRINK {
                    factor.min(1.0)
                } else {
                    SHRINK
                },
            );
        }
        let error = error.max(1e-10);
        let factor = SAFETY * error.powf(-(self.exponent - 0.75 * BETA)) * self.last.powf(BETA);
        self.last = error.max(1e-4);
        let most = if std::mem::take(&mut self.rejected) {
            1.0
        } else {
            GROW
        };
        (true, factor.clamp(SHRINK, most))
    }
}

/// The field for the error allowed.
pub(super) const TOLERANCE: Field = Field::optional(
    "tolerance",
    FieldKind::Positive { unit: "1" },
    "1e-8",
    "error allowed in a step, relative to 1 + |value|",
);
/// The field for the largest step.
pub(super) const MAX_STEP: Field = Field::optional(
    "max_step",
    FieldKind::Positive { unit: "s" },
    "",
    "largest step; a twentieth of the run or an output step when left out",
);
/// The field for the first step.
pub(super) const FIRST_STEP: Field = Field::optional(
    "first_step",
    FieldKind::Positive { unit: "s" },
    "",
    "first step to try; found by the integrator when left out",
);

/// A step to try.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial {
    /// Its size.
    pub(super) size: f64,
    /// The time it reaches.
    pub(super) reached: f64,
    /// Whether it was cut to land on the end.
    pub(super) last: bool,
}

impl Trial {
    /// A step of about this size that does not pass `end` and leaves no sliver before it.
    pub(super) fn new(size: f64, time: f64, end: f64) -> Result<Self, IntegrationError> {
        let left = end - time;
        let last = size >= left * (1.0 - 1e-12);
        let size = if last {
            left
        } else if 1.1 * size >= left {
            0.5 * left
        } else {
            size
        };
        if vanishes(size, time) {
            return Err(IntegrationError::StepTooSmall { time, step: size });
        }
        Ok(Trial {
            size,
            reached: if last { end } else { time + size },
            last,
        })
    }
}

/// Whether a step is lost in the rounding of the time.
pub(super) fn vanishes(size: f64, time: f64) -> bool {
    size.is_nan() || size <= 4.0 * f64::EPSILON * time.abs() || size <= 1e-300
}

/// The steps of an integrator with an embedded error estimate: what the user allows and what the errors suggest.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    pub(super) tolerance: f64,
    pub(super) max_step: f64,
    pub(super) first_step: Option<f64>,
    /// Order of the error estimate.
    order: u32,
    control: StepControl,
    /// Step to try next.
    next: f64,
}

keeps!(Pace: control, next);

impl Pace {
    /// From the fields [`TOLERANCE`], [`MAX_STEP`], [`FIRST_STEP`], for an error estimate of this order.
    pub(super) fn new(arguments: &Arguments, order: u32) -> Result<Self, ArgumentError> {
        let tolerance = arguments.optional_number("tolerance").unwrap_or(1e-8);
        if tolerance < 1e-15 {
            return Err(ArgumentError {
                field: "tolerance",
                message: format!(
                    "{tolerance:e} is below the rounding of numbers; use 1e-14 or more"
                ),
            });
        }
        Ok(Pace {
            tolerance,
            max_step: arguments
                .optional_number("max_step")
                .unwrap_or(f64::INFINITY),
            first_step: arguments.optional_number("first_step"),
            order,
            control: StepControl::new(order),
            next: 0.0,
        })
    }

    /// Starts at (t, y) with F there in `slope`, and returns how often F was evaluated to find the first step from the
    /// size of y, F and the change of F (Hairer, Nørsett, Wanner, II.4).
    pub(super) fn start(
        &mut self,
        ode: &mut dyn Ode,
        (time, y): (f64, &[f64]),
        slope: &[f64],
        [probe, probe_slope]: [&mut [f64]; 2],
    ) -> Result<u64, IntegrationError> {
        self.control = StepControl::new(self.order);
        if let Some(h) = self.first_step {
            self.next = h;
            return Ok(0);
        }
        let (count, tolerance) = (ode.num_controlled(), self.tolerance);
        let norm = |x: &[f64]| error_norm(x, y, y, count, tolerance);
        let (size, steepness) = (norm(y), norm(slope));
        let h0 = if size < 1e-5 || steepness < 1e-5 {
            1e-6
        } else {
            0.01 * size / steepness
        };
        let h0 = h0.min(self.max_step);
        combine(probe, y, &[slope], &[1.0], h0);
        ode.derivative(time + h0, probe, probe_slope)?;
        for (p, s) in probe_slope.iter_mut().zip(slope) {
            *p -= s;
        }
        let curvature = norm(probe_slope) / h0;
        let most = steepness.max(curvature);
        let h1 = if most <= 1e-15 {
            (h0 * 1e-3).max(1e-6)
        } else {
            (0.01 / most).powf(1.0 / f64::from(self.order + 1))
        };
        self.next = (100.0 * h0).min(h1).min(self.max_step);
        Ok(1)
    }

    /// The step to try from `time`.
    pub(super) fn trial(&self, time: f64, end: f64) -> Result<Trial, IntegrationError> {
        Trial::new(self.next.min(self.max_step), time, end)
    }

    /// Whether the step tried is accepted, by its error norm; sets the next step to try.
    pub(super) fn judge(&mut self, trial: &Trial, error: f64) -> bool {
        let (accepted, factor) = self.control.judge(error);
        let next = trial.size * factor;
        // a step cut short by the end says nothing against a longer one
        self.next = if accepted && trial.last {
            self.next.max(next)
        } else {
            next
        };
        accepted
    }

    /// The same for an integrator that a change of the step disturbs: it stays where it would grow by less than a fifth, and
    /// no more than doubles.
    pub(super) fn judge_calmly(&mut self, trial: &Trial, error: f64) -> bool {
        let before = self.next;
        let accepted = self.judge(trial, error);
        if accepted && !trial.last {
            let growth = self.next / trial.size;
            self.next = trial.size
                * if (1.0..1.2).contains(&growth) {
                    1.0
                } else {
                    growth.min(2.0)
                };
        } else if accepted {
            self.next = self.next.min(2.0 * before);
        }
        accepted
    }

    /// F failed at a stage: a shorter step may stay clear of the trouble; where none is left, the trouble is the answer.
    pub(super) fn retreat(
        &mut self,
        time: f64,
        trial: &Trial,
        cause: impl Into<IntegrationError>,
    ) -> Result<(), IntegrationError> {
        self.next = SHRINK * trial.size;
        if vanishes(self.next, time) {
            return Err(cause.into());
        }
        Ok(())
    }
}

/// `out = y + h Σ w_j k_j`.
pub(super) fn combine<K: AsRef<[f64]>>(
    out: &mut [f64],
    y: &[f64],
    k: &[K],
    weights: &[f64],
    h: f64,
) {
    out.copy_from_slice(y);
    add(out, k, weights, h);
}

/// `out += h Σ w_j k_j`.
pub(super) fn add<K: AsRef<[f64]>>(out: &mut [f64], k: &[K], weights: &[f64], h: f64) {
    for (w, k) in weights.iter().zip(k) {
        if *w != 0.0 {
            for (o, k) in out.iter_mut().zip(k.as_ref()) {
                *o += h * w * k;
            }
        }
    }
}

/// The cubic through values and slopes at both ends of a step, a part `s` of the way.
pub(super) fn cubic(s: f64, h: f64, [y0, y1]: [f64; 2], [f0, f1]: [f64; 2]) -> f64 {
    let turn = s * (1.0 - s);
    y0 + s * s * (3.0 - 2.0 * s) * (y1 - y0) + turn * h * ((1.0 - s) * f0 - s * f1)
}
