use super::closure::Closure;
use super::implicit::March;
use super::{IntegrationError, Integrator, IntegratorKind, IntegratorWork, Ode};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::keep::keeps;
use crate::methods::MethodError;
use crate::model::Space;

/// Kinematics: all degrees of freedom are driven. Positions and velocities follow from the constraints at each time, and nothing is
/// integrated.
///
/// ```text
/// Φ(q, t) = 0 by Newton's method from q ⊕ h v        G v = −Φ_t        (accelerations and driver forces: solution method)
/// ```
///
/// The positions are exact at every output, for any step size. The step size only limits the distance from the initial estimate of Newton's method to
/// the solution.
///
/// If Newton's method does not converge, the step is halved until it does; the next steps are doubled again. The work of drivers and forces is
/// integrated by the trapezoidal rule, so the energy balance shows the error of that rule.
#[derive(Clone, Debug)]
pub struct Kinematics {
    march: March,
    parts: Option<KinematicsBuffers>,
    work: IntegratorWork,
}

keeps!(Kinematics: march, work; parts);

#[derive(Clone, Debug)]
struct KinematicsBuffers {
    closure: Closure,
    power: Vec<f64>,
}

keeps!(KinematicsBuffers: closure, power);

fields! { Kinematics {
    /// time between computed positions; greater than zero
    step: Positive { unit: "s" } = "0.001",
} }

impl IntegratorKind for Kinematics {
    const INFO: Info = Info {
        name: "kinematics",
        aliases: &[],
        summary: "kinematics without integration: positions, velocities and forces of a fully driven mechanism",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };
    // values at the ends of steps are exact; the dense output is a cubic Hermite interpolant
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
        let parts = self.parts.get_or_insert_with(|| KinematicsBuffers {
            closure: Closure::new(mechanics.system),
            power: vec![0.0; sizes.works],
        });
        let (q, rest) = y.split_at(sizes.positions);
        let closure = &mut parts.closure;
        closure.q.copy_from_slice(q);
        closure.v.copy_from_slice(&rest[..sizes.velocities]);
        parts.power.copy_from_slice(&mechanics.solution.power);
        closure.evaluate(&mut mechanics, time);
        let freedom = sizes.velocities + closure.num_dependent() - sizes.rows;
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
        let closure = &mut parts.closure;
        let (h, next) = loop {
            let trial = self.march.next(end);
            let (h, next) = (trial.size, trial.reached);
            let (q, rest) = self.march.y.split_at(sizes.positions);
            closure.q.copy_from_slice(q);
            closure.v.copy_from_slice(&rest[..sizes.velocities]);
            closure.advance(mechanics.system, h);
            if closure.close(&mut mechanics, next, &mut self.work) {
                break (h, next);
            }
            self.work.rejected += 1;
            if !self.march.halve(h, 1e-6) {
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
        self.march.grow();
        let works = sizes.positions + sizes.velocities;
        self.march.y[..sizes.positions].copy_from_slice(&closure.q);
        self.march.y[sizes.positions..works].copy_from_slice(&closure.v);
        let turns = works + sizes.works;
        mechanics.update(next, &closure.q, &closure.v);
        mechanics.turn_rates(&mut self.march.slope[turns..]);
        let rates = self.march.slope[turns..].iter().zip(mechanics.ahead.rates);
        for (turn, (after, before)) in self.march.y[turns..].iter_mut().zip(rates) {
            *turn += 0.5 * h * (before + after);
        }
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
