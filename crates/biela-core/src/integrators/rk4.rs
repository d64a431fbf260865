use super::runge_kutta::{Stages, Tableau};
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
    stages: Stages<Classical>,
}

keeps!(Rk4: start, steps_from_start, stages);

/// The coefficients of [`Rk4`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Classical;

impl Tableau for Classical {
    const C: &'static [f64] = &[0.0, 0.5, 0.5, 1.0, 1.0];
    const A: &'static [&'static [f64]] = &[
        &[],
        &[0.5],
        &[0.0, 0.5],
        &[0.0, 0.0, 1.0],
        &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
    ];
    const END: usize = 4;
}

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
        Ok(Rk4 {
            size: arguments.number("step"),
            start: 0.0,
            steps_from_start: 0,
            stages: Stages::new(len),
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
        let time = self.stages.time;
        let (size, distance) = (next - time, barrier - time);
        let part = distance / size;
        let hits = [0.5, 1.0].iter().any(|c| (part - c).abs() < CLEARANCE);
        if !hits {
            return next;
        }
        let over = distance / GAP;
        let end = time + if over < size { over } else { 0.5 * distance };
        (self.start, self.steps_from_start) = (end, 0);
        end
    }
}

impl Integrator for Rk4 {
    fn start(&mut self, _: &mut dyn Ode, time: f64, y: &[f64]) -> Result<(), IntegrationError> {
        (self.start, self.steps_from_start) = (time, 0);
        self.stages.start(time, y);
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
        let h = next - self.stages.time;
        ode.trying(h);
        self.stages.begin_step(ode)?;
        self.stages.attempt(ode, h)?;
        Ok(self.stages.accept(next))
    }

    fn y(&self) -> &[f64] {
        &self.stages.y
    }

    fn replace(&mut self, y: &[f64]) {
        self.stages.replace(y);
    }

    fn prepare_dense(&mut self, ode: &mut dyn Ode) -> Result<(), IntegrationError> {
        Ok(Classical::prepare_dense(&mut self.stages, ode)?)
    }

    fn interpolate(&self, time: f64, y: &mut [f64]) {
        self.stages.interpolate(time, y);
    }

    fn step_size(&self) -> f64 {
        self.stages.size()
    }

    fn work(&self) -> IntegratorWork {
        self.stages.work
    }
}

#[cfg(test)]
mod tests {
    use super::super::trees::order_of;
    use super::{Classical, Tableau};

    #[test]
    fn the_tableau_has_order_4() {
        assert_eq!(order_of(&Classical::A[..4], Classical::A[4], 1e-14), 4);
    }
}
