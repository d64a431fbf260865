//! Exact-sign friction that comes to rest.
//!
//! If the accelerations on both sides of zero velocity point back to it, the motion sticks: an exact sign would switch forever, in steps that
//! shrink to zero, or creep. If they have the same sign, the motion passes through zero.

use super::Dynamics;
use crate::integrators::IntegrationError;
use crate::keep::keeps;
use crate::model::{JointIndex, Model};
use crate::system::{State, row_acceleration};

/// The friction elements with an exact sign.
#[derive(Clone, Debug)]
pub(super) struct Sticking {
    rubbing: Vec<StickingJoint>,
}

keeps!(Sticking: rubbing);

#[derive(Clone, Debug)]
struct StickingJoint {
    force: usize,
    joint: JointIndex,
    coordinate: usize,
    /// Velocity at the end of the last step.
    rate: f64,
    /// Approximate magnitude of its acceleration in the last steps.
    acceleration: f64,
    /// Number of the last steps, all near rest, that reached both sides of it.
    met_both: u32,
}

keeps!(StickingJoint: rate, acceleration, met_both);

/// Friction may be about to stick within this number of steps from rest.
const FEW: f64 = 3.0;
/// Velocities below this count as rest if a step fails (m/s, rad/s).
const AT_REST: f64 = 1e-4;

impl Sticking {
    /// Whether no friction has an exact sign.
    pub(super) fn is_empty(&self) -> bool {
        self.rubbing.is_empty()
    }

    pub(super) fn new(model: &Model) -> Self {
        let forces = model.forces.iter().enumerate();
        let rubbing = forces.filter_map(|(force, element)| {
            let friction = element.force.friction()?;
            friction.has_exact_sign().then(|| StickingJoint {
                force,
                joint: friction.joint(),
                coordinate: friction.coordinate(),
                rate: 0.0,
                acceleration: 0.0,
                met_both: 0,
            })
        });
        Sticking {
            rubbing: rubbing.collect(),
        }
    }
}

impl Dynamics {
    /// Returns the velocity of a coordinate with friction, at the current kinematics.
    fn rubbing_rate(&self, i: usize) -> f64 {
        let rubbing = &self.sticking.rubbing[i];
        self.context()
            .coordinate_rate(rubbing.joint, rubbing.coordinate)
    }

    /// Returns its acceleration at a state, with its own direction of motion or with the opposite one.
    fn rubbing_acceleration(
        &mut self,
        i: usize,
        state: &State,
        other_side: bool,
    ) -> Result<f64, IntegrationError> {
        let StickingJoint {
            joint, coordinate, ..
        } = self.sticking.rubbing[i];
        self.ws.kinematics.inputs.other_side = other_side.then_some((joint, coordinate));
        let evaluated = self.evaluate_at(state);
        self.ws.kinematics.inputs.other_side = None;
        evaluated?;
        let context = self.context();
        let row = context.coordinate(joint, coordinate);
        let rates = &self.solution.rates;
        Ok(row_acceleration(
            self.system.as_ref(),
            &context,
            rates,
            joint,
            &row,
        ))
    }

    /// Checks for friction that comes to rest near a state at the end of a step, whose kinematics are evaluated and preserved.
    ///
    /// If both sides of rest lead back to it, a motion that has reversed sticks. So does one that stays within a few steps of rest while
    /// two of its steps reach both sides: their change of velocity is not that of one side.
    pub(super) fn check_sticking(
        &mut self,
        state: &State,
        step: f64,
    ) -> Result<(), IntegrationError> {
        for i in 0..self.sticking.rubbing.len() {
            let rate = self.rubbing_rate(i);
            let rubbing = &mut self.sticking.rubbing[i];
            let change = rate - std::mem::replace(&mut rubbing.rate, rate);
            let turned = rate * (rate - change) < 0.0;
            rubbing.acceleration = (change.abs() / step).max(0.9 * rubbing.acceleration);
            if rate.abs() > FEW * step * rubbing.acceleration {
                rubbing.met_both = 0;
                continue;
            }
            let here = self.rubbing_acceleration(i, state, false)?;
            let there = self.rubbing_acceleration(i, state, true)?;
            let rubbing = &mut self.sticking.rubbing[i];
            if rate * here >= 0.0 || rate * there <= 0.0 {
                rubbing.met_both = 0;
                continue;
            }
            let met_both = (change - step * here).abs() > 0.5 * (step * here).abs();
            rubbing.met_both += u32::from(met_both);
            if turned || rubbing.met_both >= 2 {
                return Err(self.sticks(i, state.time));
            }
        }
        Ok(())
    }

    fn sticks(&self, i: usize, time: f64) -> IntegrationError {
        let force = self.sticking.rubbing[i].force;
        IntegrationError::Sticks {
            force: self.system.model().forces[force].name.clone(),
            time,
        }
    }

    /// Returns the cause of a failed step: friction at rest, if there is any.
    pub(super) fn explain(&self, error: IntegrationError) -> IntegrationError {
        if let IntegrationError::StepTooSmall { time, .. } = error
            && let Some(i) = (0..self.sticking.rubbing.len())
                .find(|i| self.sticking.rubbing[*i].rate.abs() < AT_REST)
        {
            return self.sticks(i, time);
        }
        error
    }
}
