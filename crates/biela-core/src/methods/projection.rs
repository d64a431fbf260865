use super::constraint_projector::projection_tolerance_field;
use super::constraint_projector::{ConstraintProjector, Corrector, ProjectedState};
use super::equations::{Accelerations, Equations, saddle_point};
use super::{Method, MethodError, MethodKind, MethodWork, Solution};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::keep::{Keep, Words};
use crate::math::Kkt;
use crate::model::Space;
use crate::system::{State, System, Workspace};

/// The augmented system, with positions and velocities projected to the constraints after each step (W. Blajer,
/// *Multibody System Dynamics* 1 (1997) 263-280; reduced form of Pacheco, eq. 4.32-4.43, signs corrected).
///
/// ```text
/// ⎡ M   Gᵀ ⎤ ⎡ δq ⎤   ⎡  0 ⎤                   ⎡ M   Gᵀ ⎤ ⎡ δv ⎤   ⎡  0 ⎤
/// ⎣ G   0  ⎦ ⎣ τ  ⎦ = ⎣ −Φ ⎦  until |Φ| is small,  ⎣ G   0  ⎦ ⎣ μ  ⎦ = ⎣ −Φ̇ ⎦  once
/// ```
///
/// The correction is minimal in the metric of the mass matrix and does not change the free motion. Positions change by
/// `q ⊕ δq`, so Euler parameters keep their unit norm. All iterations use the same factorisation.
///
/// Cost: one sparse LDLᵀ factorisation per evaluation and one more per step. This is the default method.
#[derive(Clone, Copy, Debug)]
pub struct Projection;

fields! { Projection {
    use projection_tolerance_field;
} }

impl MethodKind for Projection {
    const INFO: Info = Info {
        name: "projection",
        aliases: &[],
        summary: "augmented system, with positions and velocities projected to the constraints after each step",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(
        arguments: &Arguments,
        system: &dyn System,
        active: &[bool],
    ) -> Result<Box<dyn Method>, ArgumentError> {
        let equations = saddle_point(system);
        let method = Projected::new(arguments, system, active, equations);
        Ok(Box::new(method))
    }
}

/// Any form of the equations, with the state projected to the constraints after each step as in [`Projection`]. In every
/// form, `f = 0` and `γ = −Φ` yield the smallest correction in the metric of the mass matrix.
#[derive(Clone, Debug)]
pub struct Projected<E> {
    accelerations: Accelerations<E>,
    closing: ConstraintProjector,
}

impl<E: Keep> Keep for Projected<E> {
    fn keep(&mut self, words: &mut Words) {
        self.accelerations.keep(words);
    }
}

impl<E: Equations> Projected<E> {
    pub(super) fn new(
        arguments: &Arguments,
        system: &dyn System,
        active: &[bool],
        equations: E,
    ) -> Self {
        Projected {
            accelerations: Accelerations::new(system, active, equations),
            closing: ConstraintProjector::new(arguments, system, active),
        }
    }
}

/// The constraint manifold of a system: projects states to it, as far as rounding allows, and errors to its tangent space.
#[derive(Clone, Debug)]
pub struct Manifold {
    projected: Projected<Kkt>,
    change: Vec<f64>,
}

impl Keep for Manifold {
    fn keep(&mut self, words: &mut Words) {
        self.projected.keep(words);
    }
}

impl Manifold {
    /// Creates the manifold of the active rows of a system.
    pub fn new(system: &dyn System, active: &[bool]) -> Self {
        let none = Arguments::new(system.model().space);
        let mut projected = Projected::new(&none, system, active, saddle_point(system));
        projected.closing.go_to_rounding();
        Manifold {
            projected,
            change: vec![0.0; system.sizes().velocities],
        }
    }

    /// Projects positions and velocities to the constraints.
    pub fn close(
        &mut self,
        system: &dyn System,
        ws: &mut Workspace,
        time: f64,
        [q, v]: [&mut [f64]; 2],
        turns: &[f64],
    ) -> Result<(), MethodError> {
        let Projected {
            accelerations,
            closing,
        } = &mut self.projected;
        let place = ProjectedState { time, q, v, turns };
        let closed = closing.close(accelerations, system, ws, place)?;
        accelerations.work.projections += closed.iterations;
        Ok(())
    }

    /// Removes from an error of positions and velocities the part across the constraints at q, the configuration of the kinematics in `ws`.
    pub fn relieve(
        &mut self,
        system: &dyn System,
        ws: &mut Workspace,
        q: &[f64],
        error: &mut [f64],
    ) {
        let Projected {
            accelerations,
            closing,
        } = &mut self.projected;
        let sizes = system.sizes();
        let (dq, rest) = error.split_at_mut(sizes.positions);
        system.mass(ws);
        system.constraints(ws);
        accelerations.factor(system, ws);
        system.velocities(q, dq, &mut self.change);
        closing.project_velocity(accelerations, system, ws, &mut self.change);
        system.position_rates(q, &self.change, dq);
        let dv = &mut rest[..sizes.velocities];
        closing.project_velocity(accelerations, system, ws, dv);
    }
}

impl<E: Equations> Corrector for Accelerations<E> {
    fn factor(&mut self, system: &dyn System, ws: &Workspace) {
        Accelerations::factor(self, system, ws);
    }

    fn renew(&mut self, system: &dyn System, ws: &Workspace) {
        self.take_jacobian(system, ws);
    }

    fn position_step(&mut self, ws: &Workspace, change: &mut [f64], step: &mut [f64]) {
        step.fill(0.0);
        self.equations.solve(&ws.mass, &self.jacobian, step, change);
    }

    fn velocity_step(&mut self, ws: &Workspace, change: &mut [f64], step: &mut [f64]) {
        self.position_step(ws, change, step);
    }
}

impl<E: Equations> Method for Projected<E> {
    fn solve(
        &mut self,
        system: &dyn System,
        ws: &mut Workspace,
        out: &mut Solution,
    ) -> Result<(), MethodError> {
        self.accelerations.solve(system, ws, out)
    }

    fn is_direct(&self) -> bool {
        self.accelerations.is_direct()
    }

    fn correct(
        &mut self,
        system: &dyn System,
        ws: &mut Workspace,
        state: &mut State,
    ) -> Result<bool, MethodError> {
        let place = ProjectedState {
            time: state.time,
            q: &mut state.q,
            v: &mut state.v,
            turns: &state.turns,
        };
        let closed = self
            .closing
            .close(&mut self.accelerations, system, ws, place)?;
        self.accelerations.work.projections += closed.iterations;
        Ok(closed.moved)
    }

    fn independence(&mut self) -> f64 {
        self.accelerations.take_independence()
    }

    fn work(&self) -> MethodWork {
        self.accelerations.work
    }
}
