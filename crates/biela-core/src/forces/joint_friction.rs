use super::friction_coefficients::FrictionCoefficients;
use super::measured_coordinate::MeasuredCoordinate;
use super::{Force, ForceKind, ForceMeasure, ForceTerm};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::model::{BodyIndex, JointIndex, Model, Space, Stage};
use crate::system::{EvaluationContext, Loads};
use crate::unilateral::DeclaredUnilateral;

/// Load-independent friction along a coordinate of a joint, as in seals, gears and preloaded bearings.
///
/// ```text
/// τ = −c q̇ − C tanh(q̇/v_s)             P = τ q̇ ≤ 0,  v_s > 0
/// τ = −c q̇ − C sgn q̇,  |τ| ≤ C_s at q̇ = 0      v_s = 0 (set-valued)
/// ```
///
/// c is `viscous`, C is `coulomb`. Below the transition speed v_s the regularized law creeps where a dry joint would stick: under a load τ < C with the
/// velocity v_s atanh(τ/C). Choose v_s much smaller than the velocities of interest, or
/// v_s = 0: then the joint sticks, without creep, up to the `breakaway` force C_s. For friction proportional to the reaction of the joint see
/// [`CoulombFriction`](super::CoulombFriction). Measured: `effort`, the force or torque τ along the coordinate.
#[derive(Debug)]
pub struct JointFriction {
    along: MeasuredCoordinate,
    rubbing: FrictionCoefficients,
}

fields! { JointFriction {
    /// the coordinate along which friction acts
    joint: JointCoordinate,
    /// viscous friction, force or torque per unit of velocity: N*s/m or N*m*s/rad
    viscous: Number { unit: "N*s/m|N*m*s/rad" } = "0",
    /// dry friction, independent of the magnitude of the velocity: N or N*m
    coulomb: Number { unit: "N|N*m" } = "0",
    /// speed below which the dry friction is regularized: m/s or rad/s; 0 for the set-valued law, which sticks
    transition_speed: Number { unit: "m/s|rad/s" } = "0.001",
    /// largest dry friction at rest, not below `coulomb`: N or N*m; requires `transition_speed = 0`
    breakaway: Number { unit: "N|N*m" } = "",
} }

impl ForceKind for JointFriction {
    // units before and after `|`: for a length, for an angle
    const INFO: Info = Info {
        name: "joint-friction",
        aliases: &[],
        summary: "friction along a joint coordinate, independent of the load on the joint",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(arguments: &Arguments) -> Result<Self, ArgumentError> {
        Ok(JointFriction {
            along: MeasuredCoordinate::of(arguments),
            rubbing: FrictionCoefficients::build(arguments)?,
        })
    }
}

impl JointFriction {
    /// τ; in stick the part of the elements alone, without that of the row that holds the joint.
    fn effort(&self, context: &EvaluationContext<'_>, rate: f64) -> f64 {
        let decided = if self.rubbing.is_set_valued() {
            context.kinematics.inputs.slip_along(&self.along.terms())
        } else {
            None
        };
        match decided {
            Some(sense) => self.rubbing.effort_along(rate, sense),
            None => self.rubbing.effort(rate),
        }
    }
}

impl Force for JointFriction {
    fn unilaterals(&self) -> Vec<DeclaredUnilateral> {
        if self.rubbing.is_set_valued() {
            vec![self.along.friction()]
        } else {
            Vec::new()
        }
    }

    fn effort_without_rows(&self, context: &EvaluationContext<'_>) -> Option<f64> {
        let rate = || self.along.moving(context).rate;
        self.rubbing
            .is_set_valued()
            .then(|| self.effort(context, rate()))
    }

    fn friction_limits(&self, _: &EvaluationContext<'_>, _: f64) -> (f64, f64) {
        (self.rubbing.breakaway, self.rubbing.coulomb)
    }

    fn bodies(&self, model: &Model) -> Vec<BodyIndex> {
        self.along.bodies(model)
    }

    fn apply(&self, context: &EvaluationContext<'_>, loads: &mut Loads) {
        let q = self.along.moving(context);
        let effort = self.effort(context, q.rate);
        self.along.push(context, &q, effort, loads);
        loads.add_power(effort * q.rate);
    }

    fn push(
        &self,
        _: usize,
        context: &EvaluationContext<'_>,
        amount: f64,
        loads: &mut Loads,
    ) -> bool {
        self.along
            .push(context, &self.along.moving(context), amount, loads);
        true
    }

    fn coordinate(&self) -> Option<(JointIndex, usize)> {
        Some((self.along.joint, self.along.coordinate))
    }

    fn is_generalized(&self) -> bool {
        true
    }

    fn measures(&self) -> &'static [ForceMeasure] {
        if self.rubbing.is_set_valued() {
            // in stick it is known with the multipliers
            return &[ForceMeasure {
                name: "effort",
                unit: "N|N*m",
                stage: Stage::Acceleration,
                text: "friction force (N) or torque (N*m) along the coordinate",
            }];
        }
        &[ForceMeasure {
            name: "effort",
            unit: "N|N*m",
            stage: Stage::Velocity,
            text: "friction force (N) or torque (N*m) along the coordinate",
        }]
    }

    fn measure(&self, _: usize, context: &EvaluationContext<'_>) -> f64 {
        if self.rubbing.is_set_valued() {
            return f64::NAN;
        }
        self.effort(context, self.along.moving(context).rate)
    }

    fn terms(&self) -> Option<Vec<ForceTerm<'_>>> {
        let viscous = ForceTerm::spring(self.along.line(), 0.0, 0.0, self.rubbing.viscous);
        (self.rubbing.coulomb == 0.0).then(|| vec![viscous])
    }

    fn check(&self, model: &Model) -> Result<(), ArgumentError> {
        self.along.describe(model).map(|_| ())
    }
}
