//! A generalized force along a measured coordinate of a joint: the common part of springs, dampers, stops and motors in
//! joints.
//!
//! A generalized force τ along the coordinate q(R, p) has the power τ q̇. It acts on the second body of the joint, its reaction on the first.
//! τ is a force for a length and a torque for an angle.

use super::LineOfAction;
use super::arguments::fault;
use crate::element::{ArgumentError, Arguments, FieldValue};
use crate::joints::{Coordinate, PoseFunction};
use crate::model::{BodyIndex, JointIndex, Model};
use crate::system::{EvaluationContext, Loads};
use crate::unilateral::{DeclaredUnilateral, NormalLaw};

/// A measured coordinate of a joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeasuredCoordinate {
    pub(super) joint: JointIndex,
    pub(super) coordinate: usize,
}

/// The coordinate and its velocity at an instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct CoordinateReading {
    /// Its gradient, if it was computed with them.
    row: Option<PoseFunction>,
    /// q.
    pub(super) value: f64,
    /// q̇.
    pub(super) rate: f64,
}

/// Returns a coordinate of a joint as a function of the relative pose, with or without its value.
type RowOfCoordinate = fn(&EvaluationContext<'_>, JointIndex, usize) -> PoseFunction;

fn with_value(at: &EvaluationContext<'_>, joint: JointIndex, k: usize) -> PoseFunction {
    at.coordinate(joint, k)
}

fn without_value(at: &EvaluationContext<'_>, joint: JointIndex, k: usize) -> PoseFunction {
    at.direction(joint, k)
}

impl MeasuredCoordinate {
    /// The coordinate given by the field `joint`.
    pub(super) fn of(arguments: &Arguments) -> Self {
        let (joint, coordinate) = arguments.coordinate("joint");
        MeasuredCoordinate { joint, coordinate }
    }

    /// The coordinate as the line of action of a generalized force.
    pub(super) fn line(&self) -> LineOfAction {
        LineOfAction::Joint(self.joint, self.coordinate)
    }

    /// The coordinate as the only term of a sum.
    pub(super) fn terms(&self) -> [(JointIndex, usize, f64); 1] {
        [(self.joint, self.coordinate, 1.0)]
    }

    /// Set-valued friction along the coordinate.
    pub(super) fn friction(&self) -> DeclaredUnilateral {
        DeclaredUnilateral {
            terms: self.terms().to_vec(),
            offset: 0.0,
            normal: NormalLaw::None,
            restitution: 0.0,
        }
    }

    /// Returns the description of the coordinate, or an error if the model does not have it.
    pub(super) fn describe(&self, model: &Model) -> Result<Coordinate, ArgumentError> {
        let Some(element) = model.joints.get(self.joint.0) else {
            return Err(fault("joint", "there is no such joint"));
        };
        let coordinates = element.joint.coordinates(model.space);
        coordinates.get(self.coordinate).copied().ok_or_else(|| {
            let number = self.coordinate + 1;
            fault(
                "joint",
                format!("`{}` has no coordinate number {number}", element.name),
            )
        })
    }

    /// The bodies of the joint.
    pub(super) fn bodies(&self, model: &Model) -> Vec<BodyIndex> {
        let element = &model.joints[self.joint.0];
        vec![element.first.0, element.second.0]
    }

    /// Returns value and velocity.
    #[inline]
    pub(super) fn read(&self, context: &EvaluationContext<'_>) -> CoordinateReading {
        self.reading(context, with_value)
    }

    /// Returns velocity and gradient; the value is unspecified.
    #[inline]
    pub(super) fn moving(&self, context: &EvaluationContext<'_>) -> CoordinateReading {
        self.reading(context, without_value)
    }

    #[inline]
    fn reading(&self, context: &EvaluationContext<'_>, row: RowOfCoordinate) -> CoordinateReading {
        match context.own_coordinate(self.joint, self.coordinate) {
            Some((value, rate)) => CoordinateReading {
                row: None,
                value,
                rate,
            },
            None => self.reading_across(context, row),
        }
    }

    /// Reads the coordinate from the motion across the joint.
    #[inline(never)]
    fn reading_across(
        &self,
        context: &EvaluationContext<'_>,
        row: RowOfCoordinate,
    ) -> CoordinateReading {
        let row = row(context, self.joint, self.coordinate);
        CoordinateReading {
            row: Some(row),
            value: row.phi,
            rate: row.rate(&context.kinematics.joints[self.joint.0].rel),
        }
    }

    /// Adds the generalized force `effort`.
    #[inline]
    pub(super) fn push(
        &self,
        context: &EvaluationContext<'_>,
        reading: &CoordinateReading,
        effort: f64,
        loads: &mut Loads,
    ) {
        match &reading.row {
            Some(row) => loads.add_joint(context, self.joint, row, effort),
            None => loads.add_along(context, (self.joint, self.coordinate), effort),
        }
    }
}

/// A joint coordinate, alone or connected to another one, with the velocity `w = q̇ − i q̇₂`.
#[derive(Debug)]
pub(super) struct Connection {
    /// Joint, coordinate and factor of each term; the first factor is one.
    pub(super) terms: Vec<(JointIndex, usize, f64)>,
}

impl Connection {
    /// The coordinate given by the field `joint`, and the one of `to`, if any, with the factor −`ratio`.
    pub(super) fn of(arguments: &Arguments) -> Self {
        let mut terms = MeasuredCoordinate::of(arguments).terms().to_vec();
        if let Some(FieldValue::Coordinate(joint, coordinate)) = arguments.get("to") {
            terms.push((*joint, *coordinate, -arguments.number("ratio")));
        }
        Connection { terms }
    }

    fn coordinates(&self) -> impl Iterator<Item = (MeasuredCoordinate, f64)> {
        self.terms.iter().map(|&(joint, coordinate, factor)| {
            let along = MeasuredCoordinate { joint, coordinate };
            (along, factor)
        })
    }

    /// The first coordinate.
    pub(super) fn first(&self) -> (JointIndex, usize) {
        let (joint, coordinate, _) = self.terms[0];
        (joint, coordinate)
    }

    /// The bodies of the joints.
    pub(super) fn bodies(&self, model: &Model) -> Vec<BodyIndex> {
        self.coordinates()
            .flat_map(|(along, _)| along.bodies(model))
            .collect()
    }

    /// w.
    pub(super) fn velocity(&self, context: &EvaluationContext<'_>) -> f64 {
        let terms = self.terms.iter();
        terms
            .map(|(joint, k, factor)| factor * context.coordinate_rate(*joint, *k))
            .sum()
    }

    /// Adds the generalized force `effort` on the first coordinate, and −i `effort` on the second.
    pub(super) fn push(&self, context: &EvaluationContext<'_>, effort: f64, loads: &mut Loads) {
        for (along, factor) in self.coordinates() {
            along.push(context, &along.moving(context), factor * effort, loads);
        }
    }

    /// Returns an error if the model lacks one of the coordinates.
    pub(super) fn check(&self, model: &Model) -> Result<(), ArgumentError> {
        for (along, _) in self.coordinates() {
            let _ = along.describe(model)?;
        }
        Ok(())
    }
}
