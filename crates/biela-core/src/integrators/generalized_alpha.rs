use super::implicit::{March, add_friction, powers};
use super::{IntegrationError, Integrator, IntegratorKind, IntegratorWork, Mechanics, Ode};
use crate::element::{ArgumentError, Arguments, Field, FieldKind, Info};
use crate::math::{Kkt, RowOrder};
use crate::model::Space;
use crate::system::{System, row_groups};

/// Generalized-α on the index-3 equations, in the Lie-group form of M. Arnold and O. Brüls (*Multibody System Dynamics* 18
/// (2007) 185-202; O. Brüls, A. Cardona, M. Arnold, *Mechanism and Machine Theory* 48 (2012) 121-137).
///
/// ```text
/// (1 − α_m) a⁺ + α_m a = (1 − α_f) v̇⁺ + α_f v̇
/// q⁺ = q ⊕ (h v + h² (½ − β) a + h² β a⁺)        v⁺ = v + h (1 − γ) a + h γ a⁺
/// M v̇⁺ + Gᵀ λ⁺ = f(t⁺, q⁺, v⁺)                   Φ(q⁺, t⁺) = 0
/// ```
///
/// Order 2, with numerical damping set by the spectral radius ρ∞ at infinite frequency. Newton's method works on the position increment
/// x with `∂v/∂x = γ/(hβ) = γ'` and `∂v̇/∂x = (1 − α_m)/(h²β(1 − α_f)) = β'`; its matrix, divided by β', is
///
/// ```text
/// ⎡ M + (γ'/β') C + K/β'   Gᵀ ⎤
/// ⎣          G             0  ⎦
/// ```
///
/// so that its condition does not depend on the step. The factorisation is kept over steps while Newton's method converges well, and made
/// anew from the analytic tangent when it does not. A step that does not converge is halved; the next ones grow back.
/// Velocity (nonholonomic) equations are imposed on v⁺. The work integrals use the trapezoidal rule.
#[derive(Debug)]
pub struct GeneralizedAlpha {
    march: March,
    tolerance: f64,
    alpha_m: f64,
    alpha_f: f64,
    beta: f64,
    gamma: f64,
    parts: Option<Parts>,
    work: IntegratorWork,
}

/// Buffers whose sizes the system gives.
#[derive(Debug)]
struct Parts {
    kkt: Kkt,
    tangent: Vec<f64>,
    jacobian: Vec<f64>,
    /// Step size the factorisation was made for; zero when there is none.
    factored_for: f64,
    acceleration: Vec<f64>,
    rates: Vec<f64>,
    multipliers: Vec<f64>,
    power: Vec<f64>,
    // trial values of the step under way
    next_rates: Vec<f64>,
    next_multipliers: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
    increment: Vec<f64>,
    residual: Vec<f64>,
    row_residual: Vec<f64>,
}

const MAX_ITERATIONS: usize = 10;
/// A slower convergence than this makes a new factorisation worth its cost.
const SLOW: f64 = 0.3;

impl IntegratorKind for GeneralizedAlpha {
    const INFO: Info = Info {
        name: "generalized-alpha",
        aliases: &["gen-alpha"],
        summary: "implicit, index 3, order 2, fixed step, numerical damping by choice",
        spaces: &[Space::Planar, Space::Spatial],
        fields: &[
            Field::optional(
                "step",
                FieldKind::Positive { unit: "s" },
                "0.001",
                "step size",
            ),
            Field::optional(
                "spectral_radius",
                FieldKind::Number { unit: "1" },
                "0.9",
                "damping of the highest frequencies: 1 none, 0 all at once",
            ),
            Field::optional(
                "newton_tolerance",
                FieldKind::Positive { unit: "1" },
                "1e-10",
                "largest position correction left by Newton's method (m, rad) at a step of 1 ms; shrinks with the fourth power of smaller steps",
            ),
        ],
    };
    const ORDER: u32 = 2;
    const ON_SYSTEMS: bool = true;

    fn build(arguments: &Arguments, len: usize) -> Result<Self, ArgumentError> {
        let rho = arguments.optional_number("spectral_radius").unwrap_or(0.9);
        if !(0.0..=1.0).contains(&rho) {
            return Err(ArgumentError {
                field: "spectral_radius",
                message: format!("{rho} is not between 0 (most damping) and 1 (none)"),
            });
        }
        let alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
        let alpha_f = rho / (rho + 1.0);
        let gamma = 0.5 + alpha_f - alpha_m;
        Ok(GeneralizedAlpha {
            march: March::new(arguments.number("step"), len),
            tolerance: arguments
                .optional_number("newton_tolerance")
                .unwrap_or(1e-10),
            alpha_m,
            alpha_f,
            beta: 0.25 * (gamma + 0.5) * (gamma + 0.5),
            gamma,
            parts: None,
            work: IntegratorWork::default(),
        })
    }
}

impl Parts {
    fn new(system: &dyn System) -> Self {
        let sizes = system.sizes();
        let kkt = Kkt::new(
            sizes.velocities,
            system.tangent_pattern(),
            system.jacobian_pattern(),
            &row_groups(system),
            RowOrder::LeastFill,
        );
        let (nv, rows) = (sizes.velocities, sizes.rows);
        Parts {
            kkt,
            tangent: vec![0.0; system.tangent_pattern().entries.len()],
            jacobian: vec![0.0; system.jacobian_pattern().num_entries()],
            factored_for: 0.0,
            acceleration: vec![0.0; nv],
            rates: vec![0.0; nv],
            multipliers: vec![0.0; rows],
            power: vec![0.0; sizes.works],
            next_rates: vec![0.0; nv],
            next_multipliers: vec![0.0; rows],
            q: vec![0.0; sizes.positions],
            v: vec![0.0; nv],
            increment: vec![0.0; nv],
            residual: vec![0.0; nv],
            row_residual: vec![0.0; rows],
        }
    }
}

impl GeneralizedAlpha {
    /// Newton's method for a step of size `h`; false when it does not converge.
    fn solve(&mut self, mechanics: &mut Mechanics<'_>, h: f64) -> Result<bool, IntegrationError> {
        let Some(parts) = &mut self.parts else {
            return Ok(false);
        };
        let (alpha_m, alpha_f, beta, gamma) = (self.alpha_m, self.alpha_f, self.beta, self.gamma);
        let to_velocity = gamma / (h * beta);
        let to_rates = (1.0 - alpha_m) / (h * h * beta * (1.0 - alpha_f));
        let system = mechanics.system;
        let sizes = system.sizes();
        let (q0, rest) = self.march.y.split_at(sizes.positions);
        let v0 = &rest[..sizes.velocities];
        let time = self.march.time + h;

        // predict with the last v̇ and λ: extrapolating would double the noise that Newton's method leaves in them
        parts.next_rates.copy_from_slice(&parts.rates);
        parts.next_multipliers.copy_from_slice(&parts.multipliers);
        for i in 0..v0.len() {
            let a = parts.acceleration[i];
            let next = (parts.rates[i] - alpha_m * a) / (1.0 - alpha_m);
            parts.increment[i] = h * v0[i] + h * h * ((0.5 - beta) * a + beta * next);
            parts.v[i] = v0[i] + h * ((1.0 - gamma) * a + gamma * next);
        }

        // what is left in positions appears in v̇ divided by h²; the fourth power keeps that below the error of the method
        let tolerance = (self.tolerance * (h / 1e-3).powi(4).min(1.0)).max(1e-15);
        let mut fresh = false;
        let mut slow = false;
        let mut last = f64::INFINITY;
        for iteration in 0..MAX_ITERATIONS {
            parts.q.copy_from_slice(q0);
            system.retract(&mut parts.q, &parts.increment);
            let ws = &mut *mechanics.workspace;
            system.update(
                time,
                &parts.q,
                &parts.v,
                mechanics.turns,
                &mut ws.kinematics,
            );
            system.mass(ws);
            system
                .forces(ws)
                .map_err(crate::methods::MethodError::from)?;
            system.constraints(ws);
            add_friction(system, ws, &parts.next_rates, &parts.next_multipliers);
            self.work.evaluations += 1;

            // −(M v̇ + Gᵀλ − f)/β' and −Φ
            parts.residual.fill(0.0);
            system
                .mass_pattern()
                .add_product(&ws.mass, &parts.next_rates, &mut parts.residual);
            let pattern = system.jacobian_pattern();
            for (i, label) in system.rows().iter().enumerate() {
                parts.row_residual[i] = 0.0;
                if mechanics.active[i] {
                    pattern.add_row(
                        i,
                        &ws.jacobian,
                        parts.next_multipliers[i],
                        &mut parts.residual,
                    );
                    // a velocity equation moves by γ' G x
                    parts.row_residual[i] = if label.nonholonomic {
                        -ws.rate[i] / to_velocity
                    } else {
                        -ws.phi[i]
                    };
                }
            }
            for (r, f) in parts.residual.iter_mut().zip(&ws.force) {
                *r = -(*r - f) / to_rates;
            }

            let stale = parts.factored_for != h || (slow && !fresh);
            if stale {
                system.tangent(
                    ws,
                    &parts.next_multipliers,
                    1.0 / to_rates,
                    to_velocity / to_rates,
                    &mut parts.tangent,
                );
                parts.jacobian.copy_from_slice(&ws.jacobian);
                for (i, active) in mechanics.active.iter().enumerate() {
                    if !active {
                        parts.jacobian[pattern.range(i)].fill(0.0);
                    }
                }
                parts.kkt.factor(&parts.tangent, &parts.jacobian);
                (parts.factored_for, fresh) = (h, true);
                self.work.factorizations += 1;
            }
            parts
                .kkt
                .solve_once(&mut parts.residual, &mut parts.row_residual);

            let mut size = 0.0_f64;
            for (i, &x) in parts.residual.iter().enumerate() {
                size = size.max(x.abs());
                parts.increment[i] += x;
                parts.v[i] += to_velocity * x;
                parts.next_rates[i] += to_rates * x;
            }
            for (l, x) in parts.next_multipliers.iter_mut().zip(&parts.row_residual) {
                *l += to_rates * x;
            }
            if !size.is_finite() {
                return Ok(false);
            }
            let rate = size / last;
            // a correction so small, or one whose successors will be
            let settled = iteration > 0 && rate < 0.9 && size * rate <= tolerance * (1.0 - rate);
            if settled || size <= 1e-3 * tolerance {
                parts.q.copy_from_slice(q0);
                system.retract(&mut parts.q, &parts.increment);
                return Ok(true);
            }
            if iteration > 0 && rate > 1.0 && fresh {
                return Ok(false);
            }
            slow = iteration > 0 && rate > SLOW;
            last = size;
        }
        Ok(false)
    }
}

impl Integrator for GeneralizedAlpha {
    fn start(&mut self, ode: &mut dyn Ode, time: f64, y: &[f64]) -> Result<(), IntegrationError> {
        self.march.start(time, y);
        ode.derivative(time, &self.march.y, &mut self.march.slope)?;
        self.work.evaluations += 1;
        let Some(mechanics) = ode.mechanics() else {
            return Err(IntegrationError::NeedsSystem {
                integrator: Self::INFO.name,
            });
        };
        let parts = self
            .parts
            .get_or_insert_with(|| Parts::new(mechanics.system));
        parts.rates.copy_from_slice(&mechanics.solution.rates);
        parts
            .acceleration
            .copy_from_slice(&mechanics.solution.rates);
        parts
            .multipliers
            .copy_from_slice(&mechanics.solution.multipliers);
        parts.power.copy_from_slice(&mechanics.solution.power);
        Ok(())
    }

    fn step(&mut self, ode: &mut dyn Ode, end: f64) -> Result<f64, IntegrationError> {
        let Some(mut mechanics) = ode.mechanics() else {
            return Err(IntegrationError::NeedsSystem {
                integrator: Self::INFO.name,
            });
        };
        let (h, next) = loop {
            let (h, next) = self.march.next(end);
            if self.solve(&mut mechanics, h)? {
                break (h, next);
            }
            self.work.rejected += 1;
            if let Some(parts) = &mut self.parts {
                parts.factored_for = 0.0;
            }
            if let Err(step) = self.march.halve(h, 1e-9) {
                let time = self.march.time;
                return Err(IntegrationError::StepTooSmall { time, step });
            }
        };
        let Some(parts) = &mut self.parts else {
            return Ok(self.march.time);
        };
        let sizes = mechanics.system.sizes();
        self.march.accept(next);
        let (q, rest) = self.march.y.split_at_mut(sizes.positions);
        let (v, work) = rest.split_at_mut(sizes.velocities);
        q.copy_from_slice(&parts.q);
        v.copy_from_slice(&parts.v);
        for i in 0..parts.acceleration.len() {
            let a = &mut parts.acceleration[i];
            *a = ((1.0 - self.alpha_f) * parts.next_rates[i] + self.alpha_f * parts.rates[i]
                - self.alpha_m * *a)
                / (1.0 - self.alpha_m);
        }
        std::mem::swap(&mut parts.rates, &mut parts.next_rates);
        std::mem::swap(&mut parts.multipliers, &mut parts.next_multipliers);

        let (dq, rest) = self.march.slope.split_at_mut(sizes.positions);
        let (dv, dw) = rest.split_at_mut(sizes.velocities);
        mechanics.system.position_rates(q, v, dq);
        dv.copy_from_slice(&parts.rates);
        powers(
            mechanics.system,
            mechanics.workspace,
            &parts.multipliers,
            dw,
        );
        for (w, (before, after)) in work.iter_mut().zip(parts.power.iter().zip(dw.iter())) {
            *w += 0.5 * h * (before + after);
        }
        parts.power.copy_from_slice(dw);
        self.work.steps += 1;
        Ok(next)
    }

    fn y(&self) -> &[f64] {
        &self.march.y
    }

    fn replace(&mut self, y: &[f64]) {
        self.march.y.copy_from_slice(y);
    }

    fn keeps_constraints(&self) -> bool {
        true
    }

    fn prepare_dense(&mut self, _: &mut dyn Ode) -> Result<(), IntegrationError> {
        Ok(())
    }

    fn interpolate(&self, time: f64, y: &mut [f64]) {
        self.march.interpolate(time, y);
    }

    fn step_size(&self) -> f64 {
        self.march.step_size()
    }

    fn work(&self) -> IntegratorWork {
        self.work
    }
}
