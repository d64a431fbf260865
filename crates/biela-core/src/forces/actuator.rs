use super::measured_coordinate::MeasuredCoordinate;
use super::{Force, ForceKind, ForceMeasure, ForceTerm};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::model::{BodyIndex, JointIndex, Law, Model, Space, Stage};
use crate::system::{EvaluationContext, Loads};

/// Actuator: a prescribed force or torque along a coordinate of a joint.
///
/// ```text
/// τ = effort(t, signals)                 positive along the coordinate
/// P = τ q̇
/// ```
///
/// The generalized force `effort` is any expression of time, positions and velocities, such as a motor characteristic or a controller. Measured: `effort`.
#[derive(Clone, Debug)]
pub struct Actuator {
    along: MeasuredCoordinate,
    effort: Law,
}

fields! { Actuator {
    /// the coordinate it acts along
    joint: JointCoordinate,
    /// force (N) or torque (N*m) along the coordinate
    effort: Law { unit: "N|N*m" },
} }

impl ForceKind for Actuator {
    // units before and after `|`: for a length, for an angle
    const INFO: Info = Info {
        name: "actuator",
        aliases: &["joint-force"],
        summary: "applies a given force or torque along a joint coordinate",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(arguments: &Arguments) -> Result<Self, ArgumentError> {
        Ok(Actuator {
            along: MeasuredCoordinate::of(arguments),
            effort: arguments.law("effort"),
        })
    }
}

impl Force for Actuator {
    fn bodies(&self, model: &Model) -> Vec<BodyIndex> {
        self.along.bodies(model)
    }

    fn apply(&self, context: &EvaluationContext<'_>, loads: &mut Loads) {
        let q = self.along.moving(context);
        let effort = context.evaluate(&self.effort);
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

    fn with_command(&self, effort: Option<Law>) -> Option<Box<dyn Force>> {
        Some(Box::new(Actuator {
            effort: effort.unwrap_or(Law::Constant(0.0)),
            ..self.clone()
        }))
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
        context.evaluate(&self.effort)
    }

    fn terms(&self) -> Option<Vec<ForceTerm<'_>>> {
        Some(vec![ForceTerm::law(self.along.line(), &self.effort)])
    }

    fn laws(&self) -> Vec<&Law> {
        vec![&self.effort]
    }

    fn check(&self, model: &Model) -> Result<(), ArgumentError> {
        self.along.describe(model).map(|_| ())
    }
}
