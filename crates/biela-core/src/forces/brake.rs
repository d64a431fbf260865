use super::arguments::{at_rest, law_not_negative};
use super::measured_coordinate::Connection;
use super::{Force, ForceKind, ForceMeasure};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::model::{BodyIndex, JointIndex, Law, Model, Space, Stage};
use crate::system::{EvaluationContext, Loads};
use crate::unilateral::{DeclaredUnilateral, NormalLaw};

/// A brake along a joint coordinate, or a clutch between two: dry friction of a controlled capacity.
///
/// ```text
/// w = q̇  (brake)        w = q̇ − i q̇₂  (clutch)
/// τ = −C sgn w  in slip        |τ| ≤ κ C  at w = 0 (stick)
/// ```
///
/// The `capacity` C, a force or torque along the first coordinate, is a formula of time and signals: coefficient of friction times clamping force times mean
/// radius and number of surfaces. κ is `static_ratio`. Where C vanishes, nothing is transmitted. A clutch acts with τ on the first coordinate and with −i τ on
/// the second. Stick and slip are located as events. Measured: `capacity`, `slip`, the velocity w, and `effort`, τ.
#[derive(Debug)]
pub struct Brake {
    along: Connection,
    capacity: Law,
    static_ratio: f64,
}

impl Brake {
    /// w without its rounding errors in stick.
    fn measured_slip(&self, context: &EvaluationContext<'_>) -> f64 {
        match context.kinematics.inputs.slip_along(&self.along.terms) {
            Some(0.0) => 0.0,
            _ => self.along.velocity(context),
        }
    }

    /// τ in slip; zero in stick, where a row of the unilateral constraint transmits it.
    fn effort(&self, context: &EvaluationContext<'_>) -> f64 {
        let slip = self.along.velocity(context);
        let own = if slip == 0.0 { 0.0 } else { slip.signum() };
        let sense = context
            .kinematics
            .inputs
            .slip_along(&self.along.terms)
            .unwrap_or(own);
        -sense * self.bound(context)
    }

    fn bound(&self, context: &EvaluationContext<'_>) -> f64 {
        let capacity = context.evaluate(&self.capacity);
        // NaN stays NaN
        if capacity < 0.0 { 0.0 } else { capacity }
    }
}

fields! { Brake {
    /// the coordinate that it brakes
    joint: JointCoordinate,
    /// for a clutch, the coordinate to which it connects
    to: JointCoordinate = "",
    /// gear ratio i of a clutch: the first coordinate turns i times as fast as the second when it sticks
    ratio: Number { unit: "1" } = "1",
    /// largest force (N) or torque (N*m) in slip: a formula of time and signals
    capacity: Law { unit: "N|N*m" },
    /// ratio of the largest force or torque at rest to that in slip, at least 1
    static_ratio: Number { unit: "1" } = "1",
} }

impl ForceKind for Brake {
    // units before and after `|`: for a length, for an angle
    const INFO: Info = Info {
        name: "brake",
        aliases: &["clutch"],
        summary: "dry friction of a controlled capacity along a joint coordinate, or between two",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(arguments: &Arguments) -> Result<Self, ArgumentError> {
        Ok(Brake {
            along: Connection::of(arguments),
            capacity: law_not_negative(arguments, "capacity")?,
            static_ratio: at_rest(arguments, "static_ratio", 1.0, 0.0)?,
        })
    }
}

impl Force for Brake {
    fn bodies(&self, model: &Model) -> Vec<BodyIndex> {
        self.along.bodies(model)
    }

    fn apply(&self, context: &EvaluationContext<'_>, loads: &mut Loads) {
        let effort = self.effort(context);
        self.along.push(context, effort, loads);
        loads.add_power(effort * self.along.velocity(context));
    }

    fn unilaterals(&self) -> Vec<DeclaredUnilateral> {
        vec![DeclaredUnilateral {
            terms: self.along.terms.clone(),
            offset: 0.0,
            normal: NormalLaw::None,
            restitution: 0.0,
        }]
    }

    fn effort_without_rows(&self, context: &EvaluationContext<'_>) -> Option<f64> {
        Some(self.effort(context))
    }

    fn friction_limits(&self, context: &EvaluationContext<'_>, _: f64) -> (f64, f64) {
        let bound = self.bound(context);
        (self.static_ratio * bound, bound)
    }

    fn coordinate(&self) -> Option<(JointIndex, usize)> {
        Some(self.along.first())
    }

    fn measures(&self) -> &'static [ForceMeasure] {
        &[
            ForceMeasure {
                name: "capacity",
                unit: "N|N*m",
                stage: Stage::Velocity,
                text: "largest force (N) or torque (N*m) in slip",
            },
            ForceMeasure {
                name: "slip",
                unit: "m/s|rad/s",
                stage: Stage::Velocity,
                text: "slip velocity, zero in stick",
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
            0 => self.bound(context),
            1 => self.measured_slip(context),
            // in stick it is known with the multipliers
            _ => f64::NAN,
        }
    }

    fn measure_follows_laws(&self, k: usize) -> bool {
        k != 1
    }

    fn laws(&self) -> Vec<&Law> {
        vec![&self.capacity]
    }

    fn check(&self, model: &Model) -> Result<(), ArgumentError> {
        self.along.check(model)
    }
}
