//! Error norm, step-size controller and step placement, shared by the integrators with error control.

use super::{IntegrationError, Ode};
use crate::element::{ArgumentError, Arguments, field_group};
use crate::keep::keeps;

/// The tolerance of a step: `relative |y| + absolute`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Error relative to the magnitude of a value.
    pub relative: f64,
    /// Magnitude below which the error is absolute: `absolute / relative`.
    floor: f64,
}

impl Tolerance {
    /// A tolerance with the same number for the relative and the absolute error.
    pub fn new(both: f64) -> Self {
        Tolerance {
            relative: both,
            floor: 1.0,
        }
    }

    /// The tolerance given by the fields `tolerance` and `absolute`.
    pub(super) fn given(arguments: &Arguments, default: f64) -> Result<Self, ArgumentError> {
        let number = |field: &'static str, default: f64| {
            let value = arguments.optional_number(field).unwrap_or(default);
            if value < LEAST_TOLERANCE {
                return Err(ArgumentError {
                    field,
                    message: format!("{value:e} is below the rounding error; use 1e-14 or more"),
                });
            }
            Ok(value)
        };
        let relative = number("tolerance", default)?;
        let usual = (relative * floor(arguments.size)).max(LEAST_TOLERANCE.min(relative));
        let absolute = number("absolute", usual)?;
        Ok(Tolerance {
            relative,
            floor: absolute / relative,
        })
    }

    /// Returns this tolerance multiplied by a fraction.
    pub(super) fn part(self, part: f64) -> Self {
        Tolerance {
            relative: (part * self.relative).max(LEAST_TOLERANCE),
            ..self
        }
    }

    /// Returns this tolerance; if rounding errors are `magnified`, at least the smallest that can be resolved.
    pub(super) fn resolved(self, magnified: bool) -> Self {
        if !magnified {
            return self;
        }
        let relative = self.relative.max(MAGNIFIED_ROUNDING);
        let absolute = self.of(0.0).max(MAGNIFIED_ROUNDING);
        Tolerance {
            relative,
            floor: absolute / relative,
        }
    }

    /// Returns the error allowed in a value.
    pub fn of(&self, value: f64) -> f64 {
        self.relative * (self.floor + value.abs())
    }
}

/// The length, in m, from which on the absolute tolerance of a mechanism equals the tolerance.
const USUAL_SIZE: f64 = 0.01;

/// Returns the size below which values count as this large, for a mechanism of a characteristic length: one (m, rad, m/s, rad/s) as a rule. Below
/// [`USUAL_SIZE`] it decreases in proportion to the length, so that the error remains the same fraction of the size.
fn floor(size: Option<f64>) -> f64 {
    match size {
        Some(size) if size > 0.0 && size < USUAL_SIZE => size / USUAL_SIZE,
        _ => 1.0,
    }
}

/// The smallest tolerance above rounding error.
const LEAST_TOLERANCE: f64 = 1e-15;
/// At a distance x from a singular configuration, a rounding error ε of the state is an error ε/x of F. A step of size h across it evaluates F at
/// distances proportional to h. The error of the step, h ε/x, therefore does not decrease with h. Measured errors of this kind are below this value.
const MAGNIFIED_ROUNDING: f64 = 1e-12;

/// Returns the root mean square of the error relative to the tolerance, over the first `count` unknowns.
pub fn error_norm(
    error: &[f64],
    before: &[f64],
    after: &[f64],
    count: usize,
    tolerance: Tolerance,
) -> f64 {
    if count == 0 {
        return 0.0;
    }
    let mut sum = 0.0;
    for i in 0..count {
        let scale = tolerance.of(before[i].abs().max(after[i].abs()));
        let x = error[i] / scale;
        sum += x * x;
    }
    (sum / count as f64).sqrt()
}

/// A proportional-integral step-size controller (E. Hairer, S. P. Nørsett, G. Wanner, *Solving ODEs I*, IV.2).
#[derive(Clone, Copy, Debug)]
pub struct StepControl {
    /// 1/(p + 1) for an error estimate of order p.
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
    /// A controller for an error estimate of this order.
    pub fn new(order: u32) -> Self {
        StepControl {
            exponent: 1.0 / f64::from(order + 1),
            last: 1e-4,
            rejected: false,
        }
    }

    /// Returns whether a step with this error is accepted, and the factor for the next step.
    pub fn judge(&mut self, error: f64) -> (bool, f64) {
        // a NaN error is rejected with the smallest factor
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

// The field for the relative tolerance.
field_group! { $ tolerance_field {
    /// local error tolerance of a step, relative to 1 + |value|; at least 1e-15
    tolerance: Positive { unit: "1" } = "1e-8",
} }
// The field for the absolute tolerance.
field_group! { $ absolute_field {
    /// absolute part of the local error tolerance (m, rad, m/s, rad/s), at least 1e-15; the value of tolerance if omitted, less for mechanisms below a centimetre in proportion to their size
    absolute: Positive { unit: "1" } = "",
} }
// The field for the largest step.
field_group! { $ max_step_field {
    /// largest step, greater than zero; if omitted, a twentieth of the run or the output step, whichever is longer
    max_step: Positive { unit: "s" } = "",
} }
// The field for the first step.
field_group! { $ first_step_field {
    /// size of the first attempted step, greater than zero; estimated by the integrator if omitted
    first_step: Positive { unit: "s" } = "",
} }

/// A step to attempt.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial {
    /// Its size.
    pub(super) size: f64,
    /// The time it reaches.
    pub(super) reached: f64,
    /// Whether it was truncated to end at the given time, or to step over a barrier.
    pub(super) last: bool,
}

/// Size of the step over a barrier as a fraction of the size from the error estimate: the longer it is, the farther from the barrier F is evaluated.
const CROSSING: f64 = 0.9;

impl Trial {
    /// A step of about this size that does not pass `end` and leaves no tiny step before it.
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

    /// Returns the step, placed so that a barrier lies at the fraction `gap` of it, where F is not evaluated. A step that does not reach so far ends where
    /// the next one can be placed in this way.
    pub(super) fn over(self, time: f64, barrier: f64, gap: f64) -> Self {
        let distance = barrier - time;
        let before = CROSSING * gap * self.size;
        let reaches = distance <= self.size + before;
        if distance <= 0.0 || !reaches || vanishes(0.1 * before, time) {
            return self;
        }
        let over = distance / gap;
        let size = if over <= self.size {
            over
        } else if self.last && 0.5 * over <= self.size {
            // a step that must end near the barrier ends there
            return self;
        } else {
            distance - before
        };
        Trial {
            size,
            reached: time + size,
            last: true,
        }
    }
}

/// Whether a step is below the rounding of the time.
pub(super) fn vanishes(size: f64, time: f64) -> bool {
    size.is_nan() || size <= 4.0 * f64::EPSILON * time.abs() || size <= 1e-300
}

/// Step-size selection of an integrator with an embedded error estimate: the user's bounds and the controller.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    pub(super) tolerance: Tolerance,
    pub(super) max_step: f64,
    pub(super) first_step: Option<f64>,
    /// Order of the error estimate.
    order: u32,
    control: StepControl,
    /// Size of the next step to attempt.
    next: f64,
    /// Whether F amplifies rounding errors at the start of the step.
    magnified: bool,
}

keeps!(Pace: control, next);

impl Pace {
    /// From the fields `tolerance`, `absolute`, `max_step` and `first_step`, for an error estimate of this order.
    pub(super) fn new(arguments: &Arguments, order: u32) -> Result<Self, ArgumentError> {
        Ok(Pace {
            tolerance: Tolerance::given(arguments, 1e-8)?,
            max_step: arguments
                .optional_number("max_step")
                .unwrap_or(f64::INFINITY),
            first_step: arguments.optional_number("first_step"),
            order,
            control: StepControl::new(order),
            next: 0.0,
            magnified: false,
        })
    }

    /// Starts at (t, y) with F there in `slope`. Chooses the first step from the norms of y, F and the change of F (Hairer, Nørsett, Wanner, II.4), and
    /// returns the number of evaluations of F.
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

    /// Returns the step to attempt from `time`, with a barrier of the problem in the `gap` between evaluations.
    pub(super) fn trial(
        &mut self,
        ode: &dyn Ode,
        (time, end): (f64, f64),
        gap: f64,
    ) -> Result<Trial, IntegrationError> {
        self.magnified = ode.magnifies_rounding();
        let trial = Trial::new(self.next.min(self.max_step), time, end)?;
        Ok(trial.over(time, ode.barrier(), gap))
    }

    /// Returns the tolerance of the step to attempt.
    pub(super) fn allowed(&self) -> Tolerance {
        self.tolerance.resolved(self.magnified)
    }

    /// Returns whether the attempted step is accepted, by its error norm; sets the size of the next step.
    pub(super) fn judge(&mut self, trial: &Trial, error: f64) -> bool {
        let (accepted, factor) = self.control.judge(error);
        let next = trial.size * factor;
        // a step truncated by the end does not argue against a longer one
        self.next = if accepted && trial.last {
            self.next.max(next)
        } else {
            next
        };
        accepted
    }

    /// The same for an integrator for which a change of the step size is expensive: the step stays if it would grow by less than a fifth, and
    /// at most doubles.
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

    /// Reduces the step after F failed at a stage. Returns the cause of the failure if no shorter step is left.
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
    let Some(first) = weights.iter().position(|w| *w != 0.0) else {
        return out.copy_from_slice(y);
    };
    if let ([w0, w1, w2, w3], [k0, k1, k2, k3, ..]) = (weights, k)
        && weights.iter().all(|w| *w != 0.0)
    {
        let (k0, k1, k2, k3) = (k0.as_ref(), k1.as_ref(), k2.as_ref(), k3.as_ref());
        let slopes = k0.iter().zip(k1).zip(k2.iter().zip(k3));
        for ((o, y), ((k0, k1), (k2, k3))) in out.iter_mut().zip(y).zip(slopes) {
            *o = y + h * w0 * k0 + h * w1 * k1 + h * w2 * k2 + h * w3 * k3;
        }
        return;
    }
    let factor = h * weights[first];
    for ((o, y), k) in out.iter_mut().zip(y).zip(k[first].as_ref()) {
        *o = y + factor * k;
    }
    let later = first + 1;
    add(out, &k[later..], &weights[later..], h);
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

/// Evaluates the cubic Hermite interpolant of values and slopes at both ends of a step, at the fraction `s` of it.
pub(super) fn cubic(s: f64, h: f64, [y0, y1]: [f64; 2], [f0, f1]: [f64; 2]) -> f64 {
    let turn = s * (1.0 - s);
    y0 + s * s * (3.0 - 2.0 * s) * (y1 - y0) + turn * h * ((1.0 - s) * f0 - s * f1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::FieldValue;
    use crate::model::Space;

    fn given(numbers: &[(&'static str, f64)]) -> Result<Tolerance, ArgumentError> {
        let none = Arguments::new(Space::Planar);
        let arguments = numbers.iter().fold(none, |all, (field, number)| {
            all.with(field, FieldValue::Number(*number))
        });
        Tolerance::given(&arguments, 1e-8)
    }

    #[test]
    fn small_mechanisms_are_allowed_errors_in_proportion_to_their_size() {
        let allowed = |size| {
            let mut arguments = Arguments::new(Space::Planar);
            arguments.size = size;
            Tolerance::given(&arguments, 1e-8).unwrap().of(0.0)
        };
        for size in [None, Some(0.0), Some(0.01), Some(1.0), Some(1e6)] {
            assert_eq!(allowed(size), 1e-8, "{size:?}");
        }
        assert!((allowed(Some(1e-5)) / 1e-11 - 1.0).abs() < 1e-12);
        // the rounding of numbers bounds it
        assert!((allowed(Some(1e-12)) / 1e-15 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn an_error_counts_against_the_size_of_a_value_and_a_least_size() {
        let allowed = |numbers, value| given(numbers).unwrap().of(value);
        assert_eq!(allowed(&[], 0.0), 1e-8);
        assert_eq!(allowed(&[("tolerance", 1e-6)], -3.0), 4e-6);
        let both = &[("tolerance", 1e-6), ("absolute", 1e-9)];
        assert!((allowed(both, 0.0) - 1e-9).abs() < 1e-20);
        assert!((allowed(both, -3.0) - 3.001e-6).abs() < 1e-18);
        let norm = error_norm(
            &[1e-9, 3.001e-6, 1.0],
            &[0.0, 1.0, 0.0],
            &[0.0, -3.0, 0.0],
            2,
            given(both).unwrap(),
        );
        assert!((norm - 1.0).abs() < 1e-12, "{norm}");
        assert_eq!(
            error_norm(&[1.0], &[0.0], &[0.0], 0, Tolerance::new(1e-6)),
            0.0
        );
    }

    #[test]
    fn a_tolerance_below_rounding_is_rejected() {
        for field in ["tolerance", "absolute"] {
            assert_eq!(given(&[(field, 1e-16)]).unwrap_err().field, field);
            assert!(given(&[(field, 1e-14)]).is_ok());
        }
        let part = given(&[("tolerance", 1e-14)]).unwrap().part(1e-3);
        assert_eq!(part.of(0.0), LEAST_TOLERANCE);
    }
}
