use super::arguments::law_not_negative;
use super::measured_coordinate::{CoordinateReading, MeasuredCoordinate};
use super::{Force, ForceKind, ForceMeasure, ForceTerm};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::model::{BodyIndex, JointIndex, Law, Model, Space, Stage};
use crate::system::{EvaluationContext, Loads};

/// Viscous and quadratic damping along a coordinate of a joint.
///
/// ```text
/// τ = −c q̇ − d q̇ |q̇|                   P = τ q̇ ≤ 0 while c, d ≥ 0
/// ```
///
/// c is `damping`, d is `quadratic` (drag proportional to the square of the velocity); both may depend on time. Measured: `effort`,
/// the force or torque τ along the coordinate.
#[derive(Debug)]
pub struct JointDamping {
    along: MeasuredCoordinate,
    damping: Law,
    quadratic: Law,
}

impl JointDamping {
    fn effort(&self, context: &EvaluationContext<'_>, q: &CoordinateReading) -> f64 {
        let slope =
            context.evaluate(&self.damping) + context.evaluate(&self.quadratic) * q.rate.abs();
        -slope * q.rate
    }
}

fields! { JointDamping {
    /// the coordinate it acts along
    joint: JointCoordinate,
    /// force or torque per unit of velocity: N*s/m or N*m*s/rad
    damping: Law { unit: "N*s/m|N*m*s/rad" },
    /// force or torque per unit of velocity squared: N*s^2/m^2 or N*m*s^2/rad^2
    quadratic: Law { unit: "N*s^2/m^2|N*m*s^2/rad^2" } = "0",
} }

impl ForceKind for JointDamping {
    // units before and after `|`: for a length, for an angle
    const INFO: Info = Info {
        name: "joint-damping",
        aliases: &["joint-damper"],
        summary: "damps the velocity of a joint coordinate",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(arguments: &Arguments) -> Result<Self, ArgumentError> {
        Ok(JointDamping {
            along: MeasuredCoordinate::of(arguments),
            damping: law_not_negative(arguments, "damping")?,
            quadratic: law_not_negative(arguments, "quadratic")?,
        })
    }
}

impl Force for JointDamping {
    fn bodies(&self, model: &Model) -> Vec<BodyIndex> {
        self.along.bodies(model)
    }

    fn apply(&self, context: &EvaluationContext<'_>, loads: &mut Loads) {
        let q = self.along.moving(context);
        let effort = self.effort(context, &q);
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
        &[ForceMeasure {
            name: "effort",
            unit: "N|N*m",
            stage: Stage::Velocity,
            text: "force or torque along the coordinate",
        }]
    }

    fn measure(&self, _: usize, context: &EvaluationContext<'_>) -> f64 {
        self.effort(context, &self.along.moving(context))
    }

    fn terms(&self) -> Option<Vec<ForceTerm<'_>>> {
        Some(vec![ForceTerm {
            damping: self.damping.clone(),
            quadratic: self.quadratic.clone(),
            ..ForceTerm::spring(self.along.line(), 0.0, 0.0, 0.0)
        }])
    }

    fn laws(&self) -> Vec<&Law> {
        vec![&self.damping, &self.quadratic]
    }

    fn check(&self, model: &Model) -> Result<(), ArgumentError> {
        self.along.describe(model).map(|_| ())
    }
}
