//! Projection of a state to the constraints: positions by iteration, then velocities.

use super::MethodError;
use crate::element::{Arguments, field_group};
use crate::system::{System, Workspace};

/// The corrections of a method: the directions in which it changes a state to satisfy the rows.
pub(super) trait Corrector {
    /// Factorises with M and G of `ws`.
    fn factor(&mut self, system: &dyn System, ws: &Workspace);
    /// Uses a newer G for iterative refinement, if the method refines; the factorisation is kept.
    fn renew(&mut self, _system: &dyn System, _ws: &Workspace) {}
    /// Computes a step that changes the position constraints by `change`, which is overwritten.
    fn position_step(&mut self, ws: &Workspace, change: &mut [f64], step: &mut [f64]);
    /// Computes a change of velocity that changes all constraints by `change`, which is overwritten.
    fn velocity_step(&mut self, ws: &Workspace, change: &mut [f64], step: &mut [f64]);
}

/// A time and a state to be projected to the constraints.
pub(super) struct ProjectedState<'a> {
    pub(super) time: f64,
    pub(super) q: &'a mut [f64],
    pub(super) v: &'a mut [f64],
    pub(super) turns: &'a [f64],
}

/// The work of a projection.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Closed {
    /// Whether the state changed.
    pub(super) moved: bool,
    /// Iterations on positions.
    pub(super) iterations: u64,
}

/// Tolerance and buffers.
#[derive(Clone, Debug)]
pub(super) struct ConstraintProjector {
    active: Vec<bool>,
    tolerance: f64,
    /// The requested residual.
    asked: f64,
    step: Vec<f64>,
    change: Vec<f64>,
}

const MAX_ITERATIONS: u64 = 12;
const DEFAULT: f64 = 1e-13;
/// The largest accepted residual of positions, as a multiple of the requested one.
const ACCEPTABLE: f64 = 1e3;

// The field of methods with projection to the constraints.
field_group! { $ projection_tolerance_field {
    /// largest residual of a position or velocity constraint after projection (SI units); greater than zero
    tolerance: Positive { unit: "1" } = "1e-13",
} }

impl ConstraintProjector {
    pub(super) fn new(arguments: &Arguments, system: &dyn System, active: &[bool]) -> Self {
        let sizes = system.sizes();
        let tolerance = arguments.optional_number("tolerance").unwrap_or(DEFAULT);
        ConstraintProjector {
            active: active.to_vec(),
            tolerance,
            asked: tolerance,
            step: vec![0.0; sizes.velocities],
            change: vec![0.0; sizes.rows],
        }
    }

    /// Iterates as far as rounding allows.
    pub(super) fn go_to_rounding(&mut self) {
        self.tolerance = f64::EPSILON / 4.0;
    }

    /// Removes from a velocity the component that violates the rows in `ws`, factorised by `by`.
    pub(super) fn project_velocity(
        &mut self,
        by: &mut dyn Corrector,
        system: &dyn System,
        ws: &Workspace,
        v: &mut [f64],
    ) {
        let pattern = system.jacobian_pattern();
        for (i, active) in self.active.iter().enumerate() {
            self.change[i] = if *active {
                -pattern.row_times(i, &ws.jacobian, v)
            } else {
                0.0
            };
        }
        by.velocity_step(ws, &mut self.change, &mut self.step);
        for (v, d) in v.iter_mut().zip(&self.step) {
            *v += d;
        }
    }

    /// Corrects positions until |Φ| is within the tolerance and the rounding error of its terms, then velocities likewise.
    pub(super) fn close(
        &mut self,
        by: &mut dyn Corrector,
        system: &dyn System,
        ws: &mut Workspace,
        place: ProjectedState<'_>,
    ) -> Result<Closed, MethodError> {
        if system.rows().is_empty() {
            return Ok(Closed::default());
        }
        let ProjectedState { time, q, v, turns } = place;
        let evaluate = |q: &[f64], v: &[f64], ws: &mut Workspace| {
            system.update(time, q, v, turns, &mut ws.kinematics);
            system.constraints(ws);
        };
        evaluate(q, v, ws);
        let goal = self.tolerance / self.asked;
        let mut error = self.excess(ws);
        if error <= goal && self.largest(&ws.rate) <= self.tolerance {
            return Ok(Closed::default());
        }
        system.mass(ws);
        by.factor(system, ws);

        let mut iterations = 0;
        while error > goal {
            for (i, label) in system.rows().iter().enumerate() {
                let counts = self.active[i] && !label.nonholonomic;
                self.change[i] = if counts { -ws.phi[i] } else { 0.0 };
            }
            by.position_step(ws, &mut self.change, &mut self.step);
            system.retract(q, &self.step);
            evaluate(q, v, ws);
            by.renew(system, ws);
            iterations += 1;
            let before = std::mem::replace(&mut error, self.excess(ws));
            // rounding limits the attainable residual; slow convergence or divergence requires a new factorisation
            if error > goal && error > 0.1 * before {
                if error < ACCEPTABLE || !error.is_finite() {
                    break;
                }
                by.factor(system, ws);
            }
            if iterations >= MAX_ITERATIONS {
                break;
            }
        }
        if error.is_nan() || error > ACCEPTABLE {
            let share = |row: usize| ws.phi[row].abs() / ws.position_tolerance(row, self.asked);
            let worst = (0..ws.phi.len())
                .max_by(|a, b| share(*a).total_cmp(&share(*b)))
                .unwrap_or(0);
            return Err(MethodError::Drifted {
                owner: system.rows()[worst].describe(system.model()),
                residual: ws.phi[worst],
                time,
            });
        }
        if self.largest(&ws.rate) > self.tolerance {
            // twice, because the factorisation may belong to a slightly different configuration
            for _ in 0..2 {
                for (i, active) in self.active.iter().enumerate() {
                    self.change[i] = if *active { -ws.rate[i] } else { 0.0 };
                }
                by.velocity_step(ws, &mut self.change, &mut self.step);
                for (v, d) in v.iter_mut().zip(&self.step) {
                    *v += d;
                }
                evaluate(q, v, ws);
            }
        }
        Ok(Closed {
            moved: true,
            iterations,
        })
    }

    /// Returns the largest residual of the active position constraints, as a multiple of its tolerance; NaN if any is NaN.
    fn excess(&self, ws: &Workspace) -> f64 {
        let mut largest = 0.0;
        for (row, (phi, active)) in ws.phi.iter().zip(&self.active).enumerate() {
            let share = phi.abs() / ws.position_tolerance(row, self.asked);
            if *active && share.is_nan() {
                return f64::NAN;
            }
            if *active && share > largest {
                largest = share;
            }
        }
        largest
    }

    /// Returns the largest magnitude of the active rows; NaN if any is NaN.
    fn largest(&self, values: &[f64]) -> f64 {
        let mut largest = 0.0;
        for (x, active) in values.iter().zip(&self.active) {
            if *active && x.is_nan() {
                return f64::NAN;
            }
            if *active && x.abs() > largest {
                largest = x.abs();
            }
        }
        largest
    }
}
