use super::{Augmented, Method, MethodError, MethodKind, MethodWork, Solution};
use crate::element::{ArgumentError, Arguments, Field, FieldKind, Info};
use crate::model::Space;
use crate::system::{State, System, Workspace};

/// The augmented system, and after each step positions and velocities brought back to the constraints (W. Blajer,
/// *Multibody System Dynamics* 1 (1997) 263-280; reduced form of Pacheco, eq. 4.32-4.43, signs corrected).
///
/// ```text
/// ⎡ M   Gᵀ ⎤ ⎡ δq ⎤   ⎡  0 ⎤                   ⎡ M   Gᵀ ⎤ ⎡ δv ⎤   ⎡  0 ⎤
/// ⎣ G   0  ⎦ ⎣ τ  ⎦ = ⎣ −Φ ⎦  until |Φ| is small,  ⎣ G   0  ⎦ ⎣ μ  ⎦ = ⎣ −Φ̇ ⎦  once
/// ```
///
/// The correction is the smallest in the metric of the mass matrix and leaves the free motion unchanged. Positions move by
/// `q ⊕ δq`, so Euler parameters keep their unit length. One factorisation serves all iterations.
#[derive(Clone, Debug)]
pub struct Projection {
    augmented: Augmented,
    tolerance: f64,
    step: Vec<f64>,
    residual: Vec<f64>,
}

const MAX_ITERATIONS: usize = 12;

impl Projection {
    fn largest(&self, values: &[f64]) -> f64 {
        let active = values.iter().zip(&self.augmented.active).filter(|(_, active)| **active);
        active.fold(0.0, |m, (x, _)| m.max(x.abs()))
    }

    /// Solves with zero force and minus the given residual; the step is in `self.step`.
    fn solve_step(&mut self, ws: &Workspace, positions: bool, system: &dyn System) {
        self.step.fill(0.0);
        for (i, label) in system.rows().iter().enumerate() {
            let wanted = if positions { ws.phi[i] } else { ws.rate[i] };
            let counts = self.augmented.active[i] && !(positions && label.nonholonomic);
            self.residual[i] = if counts { -wanted } else { 0.0 };
        }
        let inner = &mut self.augmented;
        inner.kkt.solve(&ws.mass, &inner.jacobian, &mut self.step, &mut self.residual);
    }
}

impl MethodKind for Projection {
    const INFO: Info = Info {
        name: "projection",
        aliases: &[],
        summary: "augmented, with positions and velocities brought back to the constraints after each step",
        spaces: &[Space::Planar, Space::Spatial],
        fields: &[Field::optional(
            "tolerance",
            FieldKind::Positive { unit: "1" },
            "1e-13",
            "largest residual left in a position or velocity equation (SI units)",
        )],
    };

    fn build(
        arguments: &Arguments,
        system: &dyn System,
        active: &[bool],
    ) -> Result<Self, ArgumentError> {
        let sizes = system.sizes();
        Ok(Projection {
            augmented: Augmented::build(arguments, system, active)?,
            tolerance: arguments.optional_number("tolerance").unwrap_or(1e-13),
            step: vec![0.0; sizes.velocities],
            residual: vec![0.0; sizes.rows],
        })
    }
}

impl Method for Projection {
    fn solve(
        &mut self,
        system: &dyn System,
        ws: &mut Workspace,
        out: &mut Solution,
    ) -> Result<(), MethodError> {
        self.augmented.solve(system, ws, out)
    }

    fn correct(
        &mut self,
        system: &dyn System,
        ws: &mut Workspace,
        state: &mut State,
    ) -> Result<bool, MethodError> {
        let evaluate = |state: &State, ws: &mut Workspace| {
            system.update(state.time, &state.q, &state.v, &state.turns, &mut ws.kinematics);
            system.constraints(ws);
        };
        evaluate(state, ws);
        let (mut error, velocity_error) = (self.largest(&ws.phi), self.largest(&ws.rate));
        if error <= self.tolerance && velocity_error <= self.tolerance {
            return Ok(false);
        }
        system.mass(ws);
        self.augmented.take_jacobian(system, ws);
        self.augmented.kkt.factor(&ws.mass, &self.augmented.jacobian);
        self.augmented.work.factorizations += 1;

        let mut iterations = 0;
        while error > self.tolerance {
            self.solve_step(ws, true, system);
            system.retract(&mut state.q, &self.step);
            evaluate(state, ws);
            self.augmented.take_jacobian(system, ws);
            iterations += 1;
            let before = std::mem::replace(&mut error, self.largest(&ws.phi));
            // rounding bounds what can be reached; a slow or growing residual wants a fresh factorisation
            if error > self.tolerance && error > 0.1 * before {
                if error < 1e3 * self.tolerance || !error.is_finite() {
                    break;
                }
                self.augmented.kkt.factor(&ws.mass, &self.augmented.jacobian);
                self.augmented.work.factorizations += 1;
            }
            if iterations >= MAX_ITERATIONS {
                break;
            }
        }
        self.augmented.work.projections += iterations as u64;
        if error.is_nan() || error > 1e3 * self.tolerance {
            let worst = (0..ws.phi.len())
                .max_by(|a, b| ws.phi[*a].abs().total_cmp(&ws.phi[*b].abs()))
                .unwrap_or(0);
            return Err(MethodError::Drifted {
                owner: system.rows()[worst].describe(system.model()),
                residual: ws.phi[worst],
                time: state.time,
            });
        }
        if self.largest(&ws.rate) > self.tolerance {
            // twice, because the factorisation may belong to a pose a little away
            for _ in 0..2 {
                self.solve_step(ws, false, system);
                for (v, d) in state.v.iter_mut().zip(&self.step) {
                    *v += d;
                }
                evaluate(state, ws);
            }
        }
        Ok(true)
    }

    fn work(&self) -> MethodWork {
        self.augmented.work
    }
}
