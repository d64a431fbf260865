//! Bringing a state back to the constraints: positions by iteration, then velocities.

use super::MethodError;
use crate::element::{Arguments, Field, FieldKind};
use crate::system::{System, Workspace};

/// How a method moves a state: along which directions the rows are satisfied.
pub(super) trait Corrector {
    /// Takes M and G from `ws`.
    fn factor(&mut self, system: &dyn System, ws: &Workspace);
    /// Takes a newer G for refinement, where the method refines; the factorisation stays.
    fn renew(&mut self, _system: &dyn System, _ws: &Workspace) {}
    /// A step that changes the position equations by `change`, which is spent.
    fn position_step(&mut self, ws: &Workspace, change: &mut [f64], step: &mut [f64]);
    /// A change of velocity that changes all equations by `change`, which is spent.
    fn velocity_step(&mut self, ws: &Workspace, change: &mut [f64], step: &mut [f64]);
}

/// A place in time and state, to be brought to the constraints.
pub(super) struct Place<'a> {
    pub(super) time: f64,
    pub(super) q: &'a mut [f64],
    pub(super) v: &'a mut [f64],
    pub(super) turns: &'a [f64],
}

/// What it took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Closed {
    /// Whether the state had to move.
    pub(super) moved: bool,
    /// Iterations on positions.
    pub(super) iterations: u64,
}

/// Tolerance and buffers.
#[derive(Clone, Debug)]
pub(super) struct Closing {
    active: Vec<bool>,
    tolerance: f64,
    /// The residual that was asked for.
    asked: f64,
    step: Vec<f64>,
    change: Vec<f64>,
}

const MAX_ITERATIONS: u64 = 12;
const DEFAULT: f64 = 1e-13;
/// The largest residual of positions that passes, as a multiple of what was asked for.
const ACCEPTABLE: f64 = 1e3;

/// The field of methods that keep the constraints.
pub(super) const TOLERANCE: Field = Field::optional(
    "tolerance",
    FieldKind::Positive { unit: "1" },
    "1e-13",
    "largest residual left in a position or velocity equation (SI units)",
);

impl Closing {
    pub(super) fn new(arguments: &Arguments, system: &dyn System, active: &[bool]) -> Self {
        let sizes = system.sizes();
        let tolerance = arguments.optional_number("tolerance").unwrap_or(DEFAULT);
        Closing {
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

    /// Takes out of a velocity what the rows in `ws`, factorised by `by`, do not allow.
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

    /// Moves positions until |Φ| is within the tolerance and the rounding of its terms, then velocities likewise.
    pub(super) fn close(
        &mut self,
        by: &mut dyn Corrector,
        system: &dyn System,
        ws: &mut Workspace,
        place: Place<'_>,
    ) -> Result<Closed, MethodError> {
        if system.rows().is_empty() {
            return Ok(Closed::default());
        }
        let Place { time, q, v, turns } = place;
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
            // rounding bounds what can be reached; a slow or growing residual wants a fresh factorisation
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
            // twice, because the factorisation may belong to a pose a little away
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

    /// The largest residual of the position equations that take part, as a multiple of what it may be; NaN if there is any.
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

    /// The largest magnitude among rows that take part; NaN if there is any.
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
