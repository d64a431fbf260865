use super::measured_coordinate::Connection;
use super::{Force, ForceKind, ForceMeasure};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::model::{BodyIndex, JointIndex, Model, Space, Stage};
use crate::system::{EvaluationContext, Loads};
use crate::unilateral::{DeclaredUnilateral, NormalLaw};

/// A one-way clutch (freewheel) along a joint coordinate, or between two: it runs freely in one direction and locks in the other.
///
/// ```text
/// w = q̇, or q̇ − i q̇₂          0 ≤ s w ⟂ s τ ≥ 0          s = 1 if it is free forward, −1 if backward
/// ```
///
/// It locks at any position where w vanishes, and frees where its force or torque τ does; both instants are located as events. A velocity in the locked direction,
/// as after an impact elsewhere, is stopped without rebound. It acts with τ on the first coordinate and with −i τ on the second. Measured: `slip`, the velocity w,
/// and `effort`, τ.
#[derive(Debug)]
pub struct OneWayClutch {
    along: Connection,
    /// s.
    direction: f64,
    /// The terms of `s w`.
    directed: Vec<(JointIndex, usize, f64)>,
}

fields! { OneWayClutch {
    /// the coordinate that moves in one direction only
    joint: JointCoordinate,
    /// for a clutch between two shafts, the coordinate of the other one
    to: JointCoordinate = "",
    /// gear ratio i between two shafts: the first coordinate turns i times as fast as the second when it locks
    ratio: Number { unit: "1" } = "1",
    /// the direction of the velocity w in which it runs freely
    free: Choice(&["forward", "backward"]) = "forward",
} }

impl ForceKind for OneWayClutch {
    const INFO: Info = Info {
        name: "one-way-clutch",
        aliases: &["freewheel"],
        summary: "runs freely in one direction and locks in the other, along a joint coordinate or between two",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(arguments: &Arguments) -> Result<Self, ArgumentError> {
        let along = Connection::of(arguments);
        let backward = arguments.word("free") == "backward";
        let direction = if backward { -1.0 } else { 1.0 };
        let terms = along.terms.iter();
        let directed = terms.map(|(joint, k, factor)| (*joint, *k, direction * factor));
        Ok(OneWayClutch {
            directed: directed.collect(),
            direction,
            along,
        })
    }
}

impl Force for OneWayClutch {
    fn bodies(&self, model: &Model) -> Vec<BodyIndex> {
        self.along.bodies(model)
    }

    fn apply(&self, _: &EvaluationContext<'_>, _: &mut Loads) {}

    fn unilaterals(&self) -> Vec<DeclaredUnilateral> {
        vec![DeclaredUnilateral {
            terms: self.directed.clone(),
            offset: 0.0,
            normal: NormalLaw::Velocity,
            restitution: 0.0,
        }]
    }

    fn effort_without_rows(&self, _: &EvaluationContext<'_>) -> Option<f64> {
        Some(0.0)
    }

    fn coordinate(&self) -> Option<(JointIndex, usize)> {
        Some(self.along.first())
    }

    fn measures(&self) -> &'static [ForceMeasure] {
        &[
            ForceMeasure {
                name: "slip",
                unit: "m/s|rad/s",
                stage: Stage::Velocity,
                text: "velocity w, zero while it is locked",
            },
            ForceMeasure {
                name: "effort",
                unit: "N|N*m",
                stage: Stage::Acceleration,
                text: "force (N) or torque (N*m) on the first coordinate",
            },
        ]
    }

    fn measure(&self, k: usize, context: &EvaluationContext<'_>) -> f64 {
        match k {
            0 if context.kinematics.inputs.is_locked(&self.directed) => 0.0,
            // at the instant of locking it may be negative by rounding
            0 => self.direction * (self.direction * self.along.velocity(context)).max(0.0),
            // known with the multipliers
            _ => f64::NAN,
        }
    }

    fn check(&self, model: &Model) -> Result<(), ArgumentError> {
        self.along.check(model)
    }
}
