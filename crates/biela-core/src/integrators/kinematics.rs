use super::implicit::March;
use super::{IntegrationError, Integrator, IntegratorKind, IntegratorWork, Mechanics, Ode};
use crate::element::{ArgumentError, Arguments, Field, FieldKind, Info};
use crate::math::{Kkt, RowOrder};
use crate::methods::MethodError;
use crate::model::Space;
use crate::system::{System, row_groups};

/// Kinematics: every freedom is driven, so positions and velocities follow from the constraints at each time, and nothing is
/// integrated.
///
/// ```text
/// Φ(q, t) = 0 by Newton's method from q ⊕ h v        G v = −Φ_t        (accelerations and driver forces: the method)
/// ```
///
/// A step that Newton's method cannot close is halved until it can, and the next ones grow back. The work of drivers and forces is
/// summed by the trapezoidal rule, so the energy balance shows the error of that rule.
#[derive(Debug)]
pub struct Kinematics {
    march: March,
    parts: Option<Parts>,
    work: IntegratorWork,
}

#[derive(Debug)]
struct Parts {
    kkt: Kkt,
    jacobian: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
    increment: Vec<f64>,
    rows: Vec<f64>,
    power: Vec<f64>,
}

const MAX_ITERATIONS: usize = 12;
/// Residual at which the position equations count as closed.
const CLOSED: f64 = 1e-12;

impl IntegratorKind for Kinematics {
    const INFO: Info = Info {
        name: "kinematics",
        aliases: &[],
        summary: "no integration: positions, velocities and forces of a fully driven mechanism",
        spaces: &[Space::Planar, Space::Spatial],
        fields: &[Field::optional(
            "step",
            FieldKind::Positive { unit: "s" },
            "0.001",
            "time between positions",
        )],
    };
    // values at the ends of steps are exact; between them a cubic is laid
    const ORDER: u32 = 4;
    const ON_SYSTEMS: bool = true;

    fn build(arguments: &Arguments, len: usize) -> Result<Self, ArgumentError> {
        Ok(Kinematics {
            march: March::new(arguments.number("step"), len),
            parts: None,
            work: IntegratorWork::default(),
        })
    }
}

impl Parts {
    fn new(system: &dyn System) -> Self {
        let sizes = system.sizes();
        Parts {
            kkt: Kkt::new(
                sizes.velocities,
                system.mass_pattern(),
                system.jacobian_pattern(),
                &row_groups(system),
                RowOrder::LeastFill,
            ),
            jacobian: vec![0.0; system.jacobian_pattern().num_entries()],
            q: vec![0.0; sizes.positions],
            v: vec![0.0; sizes.velocities],
            increment: vec![0.0; sizes.velocities],
            rows: vec![0.0; sizes.rows],
            power: vec![0.0; sizes.works],
        }
    }

    /// Constraints at (t, q, v), factorised.
    fn evaluate(&mut self, mechanics: &mut Mechanics<'_>, time: f64) {
        let system = mechanics.system;
        let ws = &mut *mechanics.workspace;
        system.update(time, &self.q, &self.v, mechanics.turns, &mut ws.kinematics);
        system.mass(ws);
        system.constraints(ws);
        self.jacobian.copy_from_slice(&ws.jacobian);
        for (i, active) in mechanics.active.iter().enumerate() {
            if !active {
                self.jacobian[system.jacobian_pattern().range(i)].fill(0.0);
            }
        }
        self.kkt.factor(&ws.mass, &self.jacobian);
    }

    /// `increment` that takes `residual` out of the active rows.
    fn solve(&mut self, mechanics: &Mechanics<'_>, residual: &[f64]) {
        self.increment.fill(0.0);
        for (i, active) in mechanics.active.iter().enumerate() {
            self.rows[i] = if *active { -residual[i] } else { 0.0 };
        }
        let mass = &mechanics.workspace.mass;
        self.kkt
            .solve(mass, &self.jacobian, &mut self.increment, &mut self.rows);
    }

    /// Closes positions at `time` from the pose in `q`, then velocities; false when it does not converge.
    fn close(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        time: f64,
        work: &mut IntegratorWork,
    ) -> bool {
        let mut last = f64::INFINITY;
        for _ in 0..MAX_ITERATIONS {
            self.evaluate(mechanics, time);
            work.evaluations += 1;
            work.factorizations += 1;
            let phi = &mechanics.workspace.phi;
            let active = phi.iter().zip(mechanics.active).filter(|(_, a)| **a);
            let error = active.fold(0.0, |m: f64, (x, _)| m.max(x.abs()));
            // rounding bounds what can be reached
            let settled = error <= CLOSED || (error <= 1e3 * CLOSED && error >= 0.5 * last);
            if settled {
                let rate = std::mem::take(&mut mechanics.workspace.rate);
                self.solve(mechanics, &rate);
                mechanics.workspace.rate = rate;
                for (v, d) in self.v.iter_mut().zip(&self.increment) {
                    *v += d;
                }
                return true;
            }
            if error.is_nan() || error > 10.0 * last {
                return false;
            }
            last = error;
            let phi = std::mem::take(&mut mechanics.workspace.phi);
            self.solve(mechanics, &phi);
            mechanics.workspace.phi = phi;
            mechanics.system.retract(&mut self.q, &self.increment);
        }
        false
    }
}

impl Integrator for Kinematics {
    fn start(&mut self, ode: &mut dyn Ode, time: f64, y: &[f64]) -> Result<(), IntegrationError> {
        self.march.start(time, y);
        ode.derivative(time, y, &mut self.march.slope)?;
        self.work.evaluations += 1;
        let Some(mut mechanics) = ode.mechanics() else {
            return Err(IntegrationError::NeedsSystem {
                integrator: Self::INFO.name,
            });
        };
        let sizes = mechanics.system.sizes();
        let parts = self
            .parts
            .get_or_insert_with(|| Parts::new(mechanics.system));
        let (q, rest) = y.split_at(sizes.positions);
        parts.q.copy_from_slice(q);
        parts.v.copy_from_slice(&rest[..sizes.velocities]);
        parts.power.copy_from_slice(&mechanics.solution.power);
        parts.evaluate(&mut mechanics, time);
        let freedom = sizes.velocities + parts.kkt.num_dependent() - sizes.rows;
        if freedom > 0 {
            return Err(IntegrationError::NotDriven { freedom });
        }
        Ok(())
    }

    fn step(&mut self, ode: &mut dyn Ode, end: f64) -> Result<f64, IntegrationError> {
        let Some(mut mechanics) = ode.mechanics() else {
            return Err(IntegrationError::NeedsSystem {
                integrator: Self::INFO.name,
            });
        };
        let sizes = mechanics.system.sizes();
        let Some(parts) = &mut self.parts else {
            return Ok(self.march.time);
        };
        let (h, next) = loop {
            let (h, next) = self.march.next(end);
            let (q, rest) = self.march.y.split_at(sizes.positions);
            parts.q.copy_from_slice(q);
            parts.v.copy_from_slice(&rest[..sizes.velocities]);
            for (x, v) in parts.increment.iter_mut().zip(&parts.v) {
                *x = h * v;
            }
            mechanics.system.retract(&mut parts.q, &parts.increment);
            if parts.close(&mut mechanics, next, &mut self.work) {
                break (h, next);
            }
            self.work.rejected += 1;
            if self.march.halve(h, 1e-6).is_err() {
                let phi = &mechanics.workspace.phi;
                let worst = (0..phi.len())
                    .max_by(|a, b| phi[*a].abs().total_cmp(&phi[*b].abs()))
                    .unwrap_or(0);
                return Err(IntegrationError::Method(MethodError::Drifted {
                    owner: mechanics.system.rows()[worst].describe(mechanics.system.model()),
                    residual: phi[worst],
                    time: next,
                }));
            }
        };
        self.march.accept(next);
        let works = sizes.positions + sizes.velocities;
        self.march.y[..sizes.positions].copy_from_slice(&parts.q);
        self.march.y[sizes.positions..works].copy_from_slice(&parts.v);
        ode.derivative(next, &self.march.y, &mut self.march.slope)?;
        for (i, before) in parts.power.iter_mut().enumerate() {
            let after = self.march.slope[works + i];
            self.march.y[works + i] += 0.5 * h * (*before + after);
            *before = after;
        }
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
