use super::arguments::not_negative;
use super::measured_coordinate::{CoordinateReading, MeasuredCoordinate};
use super::{Force, ForceKind, ForceMeasure, ForceTerm};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::model::{BodyIndex, JointIndex, Law, Model, Space, Stage};
use crate::system::{EvaluationContext, Loads};

/// Spring, damper and actuator along a coordinate of a joint.
///
/// ```text
/// τ = −k (q − q0) − c q̇ + effort        positive along the coordinate
/// V = ½ k (q − q0)²                      P = (effort − c q̇) q̇
/// ```
///
/// τ is a force (N) for a length and a torque (N·m) for an angle, which is counted over turns. Measured: `effort`, the total τ,
/// `deflection`, q − q0, and `rate`, the velocity q̇.
#[derive(Clone, Debug)]
pub struct JointSpringDamper {
    along: MeasuredCoordinate,
    stiffness: f64,
    rest: f64,
    damping: f64,
    effort: Law,
}

impl JointSpringDamper {
    /// The elastic part of τ, and the remaining part.
    fn effort(&self, context: &EvaluationContext<'_>, q: &CoordinateReading) -> (f64, f64) {
        let elastic = -self.stiffness * (q.value - self.rest);
        (
            elastic,
            context.evaluate(&self.effort) - self.damping * q.rate,
        )
    }
}

fields! { JointSpringDamper {
    /// the coordinate it acts along
    joint: JointCoordinate,
    /// force or torque per unit of deflection: N/m or N*m/rad
    stiffness: Number { unit: "N/m|N*m/rad" } = "0",
    /// value of the coordinate at which the spring is unstressed: m or rad
    rest: Number { unit: "m|rad" } = "0",
    /// force or torque per unit of velocity: N*s/m or N*m*s/rad
    damping: Number { unit: "N*s/m|N*m*s/rad" } = "0",
    /// actuator: additional force or torque, N or N*m
    effort: Law { unit: "N|N*m" } = "0",
} }

impl ForceKind for JointSpringDamper {
    // units before and after `|`: for a length, for an angle
    const INFO: Info = Info {
        name: "joint-spring-damper",
        aliases: &["torsional-spring-damper", "torsion-spring"],
        summary: "spring, damper and actuator in parallel along a joint coordinate",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(arguments: &Arguments) -> Result<Self, ArgumentError> {
        Ok(JointSpringDamper {
            along: MeasuredCoordinate::of(arguments),
            stiffness: not_negative(arguments, "stiffness")?,
            rest: arguments.number("rest"),
            damping: not_negative(arguments, "damping")?,
            effort: arguments.law("effort"),
        })
    }
}

impl Force for JointSpringDamper {
    fn bodies(&self, model: &Model) -> Vec<BodyIndex> {
        self.along.bodies(model)
    }

    fn apply(&self, context: &EvaluationContext<'_>, loads: &mut Loads) {
        let q = self.along.read(context);
        let (elastic, other) = self.effort(context, &q);
        self.along.push(context, &q, elastic + other, loads);
        loads.add_power(other * q.rate);
    }

    fn potential(&self, context: &EvaluationContext<'_>) -> f64 {
        let stretch = self.along.read(context).value - self.rest;
        0.5 * self.stiffness * stretch * stretch
    }

    fn dissipates(&self) -> bool {
        self.damping != 0.0 || !self.effort.is_zero()
    }

    fn push(
        &self,
        k: usize,
        context: &EvaluationContext<'_>,
        amount: f64,
        loads: &mut Loads,
    ) -> bool {
        let is_effort = k == 0;
        if is_effort {
            self.along
                .push(context, &self.along.read(context), amount, loads);
        }
        is_effort
    }

    fn coordinate(&self) -> Option<(JointIndex, usize)> {
        Some((self.along.joint, self.along.coordinate))
    }

    fn is_generalized(&self) -> bool {
        true
    }

    fn with_command(&self, effort: Option<Law>) -> Option<Box<dyn Force>> {
        Some(Box::new(JointSpringDamper {
            effort: effort.unwrap_or(Law::Constant(0.0)),
            ..self.clone()
        }))
    }

    fn measures(&self) -> &'static [ForceMeasure] {
        &[
            ForceMeasure {
                name: "effort",
                unit: "N|N*m",
                stage: Stage::Velocity,
                text: "force or torque along the coordinate",
            },
            ForceMeasure {
                name: "deflection",
                unit: "m|rad",
                stage: Stage::Position,
                text: "deflection of the spring from its rest value, m or rad",
            },
            ForceMeasure {
                name: "rate",
                unit: "m/s|rad/s",
                stage: Stage::Velocity,
                text: "velocity of the coordinate, m/s or rad/s",
            },
        ]
    }

    fn measure(&self, k: usize, context: &EvaluationContext<'_>) -> f64 {
        let q = self.along.read(context);
        match k {
            0 => {
                let (elastic, other) = self.effort(context, &q);
                elastic + other
            }
            1 => q.value - self.rest,
            _ => q.rate,
        }
    }

    fn measure_follows_laws(&self, k: usize) -> bool {
        k == 0
    }

    fn terms(&self) -> Option<Vec<ForceTerm<'_>>> {
        Some(vec![ForceTerm {
            law: Some(&self.effort),
            ..ForceTerm::spring(self.along.line(), self.stiffness, self.rest, self.damping)
        }])
    }

    fn laws(&self) -> Vec<&Law> {
        vec![&self.effort]
    }

    fn check(&self, model: &Model) -> Result<(), ArgumentError> {
        self.along.describe(model).map(|_| ())
    }
}
