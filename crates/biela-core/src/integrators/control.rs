//! Error norm and step control, shared by the integrators that choose their step.

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
