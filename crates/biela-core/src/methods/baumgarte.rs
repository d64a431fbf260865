use super::equations::{Accelerations, saddle_point};
use super::{Method, MethodError, MethodKind, MethodWork, Solution};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::keep::keeps;
use crate::math::Kkt;
use crate::model::Space;
use crate::system::{State, System, Workspace};

/// The augmented system with Baumgarte stabilisation of the constraints (J. Baumgarte, *Computer Methods in Applied Mechanics and Engineering*
/// 1 (1972) 1-16):
///
/// ```text
/// Φ̈ + 2α Φ̇ + β² Φ = 0      →      G v̇ = γ − 2α Φ̇ − β² Φ           Φ̇ = Φ_q q̇ + Φ_t
/// ```
///
/// and for a velocity (nonholonomic) constraint `d(A v + b)/dt + 2α (A v + b) = 0`. Constraint errors decay as in a damped oscillator
/// instead of accumulating, but do not vanish. The multipliers contain the small correcting forces.
///
/// With `automatic`, α and β depend on the step h such that a second-order prediction of Φ vanishes at the end of the step (Zhenkuan 1996, as
/// given by Pacheco, eq. 3.17-3.18):
///
/// ```text
/// α = 1/h        β = √2/h        h no smaller than 0.1 ms
/// ```
///
/// The bound keeps both finite as h → 0. Terms that depend on the step disturb the step-size controller: expect steps many times
/// smaller than those of [`super::Projection`].
///
/// Cost: that of [`super::Augmented`]. Use it with fixed steps, if the state must not be changed by a projection.
#[derive(Clone, Debug)]
pub struct Baumgarte {
    accelerations: Accelerations<Kkt>,
    automatic: bool,
    alpha: f64,
    beta: f64,
}

keeps!(Baumgarte: accelerations, alpha, beta);

/// The smallest step for which α and β follow the step size, s.
const SHORTEST: f64 = 1e-4;

fields! { Baumgarte {
    /// damping coefficient α of constraint errors; greater than zero; not used with automatic
    alpha: Positive { unit: "1/s" } = "10",
    /// natural frequency β of constraint errors; greater than zero; not used with automatic
    beta: Positive { unit: "1/s" } = "10",
    /// whether alpha and beta are set from the step size h: 1/h and √2/h, with h at least 0.1 ms
    automatic: Flag = "false",
} }

impl MethodKind for Baumgarte {
    const INFO: Info = Info {
        name: "baumgarte",
        aliases: &[],
        summary: "augmented system with Baumgarte stabilisation: constraint errors decay as in a damped oscillator",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(
        arguments: &Arguments,
        system: &dyn System,
        active: &[bool],
    ) -> Result<Box<dyn Method>, ArgumentError> {
        Ok(Box::new(Baumgarte {
            accelerations: Accelerations::new(system, active, saddle_point(system)),
            automatic: arguments.flag("automatic"),
            alpha: arguments.optional_number("alpha").unwrap_or(10.0),
            beta: arguments.optional_number("beta").unwrap_or(10.0),
        }))
    }
}

impl Method for Baumgarte {
    fn trying(&mut self, step: f64) {
        if self.automatic {
            let h = step.abs().max(SHORTEST);
            self.alpha = 1.0 / h;
            self.beta = std::f64::consts::SQRT_2 / h;
        }
    }

    fn solve(
        &mut self,
        system: &dyn System,
        ws: &mut Workspace,
        out: &mut Solution,
    ) -> Result<(), MethodError> {
        let (damping, stiffness) = (2.0 * self.alpha, self.beta * self.beta);
        // Φ is zero for velocity constraints
        let right =
            |ws: &Workspace, i: usize| ws.gamma[i] - damping * ws.rate[i] - stiffness * ws.phi[i];
        self.accelerations.solve_for(system, ws, out, right)
    }

    fn correct(
        &mut self,
        _: &dyn System,
        _: &mut Workspace,
        _: &mut State,
    ) -> Result<bool, MethodError> {
        Ok(false)
    }

    fn independence(&mut self) -> f64 {
        self.accelerations.take_independence()
    }

    fn work(&self) -> MethodWork {
        self.accelerations.work
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joints::Joint;
    use crate::math::rotation::identity;
    use crate::model::{Body, MarkerIndex, MassProperties, Model};
    use crate::system::Absolute;

    /// Returns the transverse acceleration of a body on a joint along x, with constraint errors of 0.01 m and 0.2 m/s.
    fn sideways(joint: &str, automatic: Option<f64>) -> f64 {
        let space = Space::Planar;
        let mut model = Model::new("stray", space);
        let mass = MassProperties::planar(2.0, [0.0, 0.0], 0.3).unwrap();
        let body = model.add_body(Body::new("stray", mass));
        let marker = model.body_marker(body);
        let joint = Joint::build(joint, &Arguments::new(space))
            .unwrap()
            .unwrap();
        let _ = model.add_joint("line", joint, [MarkerIndex::GROUND, marker], &identity());
        let system = Absolute::new(model);
        let arguments = Arguments::new(space).with(
            "automatic",
            crate::element::FieldValue::Flag(automatic.is_some()),
        );
        let active = vec![true; system.sizes().rows];
        let mut method = Baumgarte::build(&arguments, &system, &active).unwrap();
        if let Some(step) = automatic {
            method.trying(step);
        }
        let mut ws = Workspace::new(&system);
        let turns = vec![0.0; system.sizes().turns];
        let (q, v) = ([0.5, 0.01, 0.0], [1.0, 0.2, 0.0]);
        system.update(0.0, &q, &v, &turns, &mut ws.kinematics);
        let mut out = Solution::new(&system);
        method.solve(&system, &mut ws, &mut out).unwrap();
        out.rates[1]
    }

    #[test]
    fn constraint_errors_decay_as_a_damped_oscillator() {
        let found = sideways("point-on-line", None);
        assert!(
            (found - (-20.0 * 0.2 - 100.0 * 0.01)).abs() < 1e-12,
            "{found}"
        );
        // a velocity constraint has no position error
        let found = sideways("knife-edge", None);
        assert!((found + 20.0 * 0.2).abs() < 1e-12, "{found}");
    }

    #[test]
    fn automatic_coefficients_follow_the_step_size_down_to_a_limit() {
        let expected = |h: f64| -2.0 / h * 0.2 - 2.0 / (h * h) * 0.01;
        for (step, h) in [(0.05, 0.05), (1e-3, 1e-3), (1e-9, 1e-4)] {
            let found = sideways("point-on-line", Some(step));
            assert!((found / expected(h) - 1.0).abs() < 1e-12, "{step}: {found}");
        }
    }
}
