use super::arguments::{fault, not_negative};
use super::measured_coordinate::{CoordinateReading, MeasuredCoordinate};
use super::{Force, ForceKind, ForceMeasure};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::model::{BodyIndex, JointIndex, Model, Space, Stage};
use crate::system::{EvaluationContext, Loads};
use crate::unilateral::{DeclaredUnilateral, NormalLaw};

/// Limit stops: lower and upper limits of a joint coordinate, compliant or rigid.
///
/// With the penetration depth δ > 0 beyond a stop (`q − upper` or `lower − q`) and its derivative δ̇,
///
/// ```text
/// N = max(0, k δ (1 + c δ̇))             directed inwards; no force acts between the stops
/// V = ½ k δ²                             P = −(N − k δ) δ̇ ≤ 0
/// ```
///
/// This is the contact law of Hunt and Crossley (1975) with exponent one: the force is zero at the start of contact for any impact velocity,
/// and the stop never pulls. The force has a kink there: variable-step integrators end a step where contact begins or ends (a contact event), so that
/// impacts preserve their accuracy at the cost of few steps. The unit of the damping c is s/m or s/rad. Measured: `effort`, the force or torque along the
/// coordinate, and `depth`, which is zero between the stops.
///
/// With `law = "rigid"` the stops do not yield: `0 ≤ g ⟂ N ≥ 0` with the gap g of each stop, and the velocity jumps at an impact, `q̇⁺ = −e q̇⁻` with the
/// coefficient of restitution e. The impact is located as an event.
#[derive(Debug)]
pub struct Limit {
    along: MeasuredCoordinate,
    lower: f64,
    upper: f64,
    /// Zero for rigid stops.
    stiffness: f64,
    damping: f64,
    restitution: Option<f64>,
}

/// Contact with a stop.
struct Contact {
    depth: f64,
    /// Direction of the contact force along the coordinate.
    sign: f64,
}

impl Limit {
    fn contact(&self, q: &CoordinateReading) -> Contact {
        let (below, above) = (self.lower - q.value, q.value - self.upper);
        if below > 0.0 {
            Contact {
                depth: below,
                sign: 1.0,
            }
        } else if above > 0.0 {
            Contact {
                depth: above,
                sign: -1.0,
            }
        } else {
            Contact {
                depth: 0.0,
                sign: 0.0,
            }
        }
    }

    /// The elastic part of the contact force, and the remaining part.
    fn push(&self, q: &CoordinateReading, contact: &Contact) -> (f64, f64) {
        let elastic = self.stiffness * contact.depth;
        let depth_rate = -contact.sign * q.rate;
        // at least minus the elastic part: no tension
        (elastic, elastic * (self.damping * depth_rate).max(-1.0))
    }
}

fields! { Limit {
    /// the coordinate it limits
    joint: JointCoordinate,
    /// lower limit: m or rad
    lower: Number { unit: "m|rad" } = "",
    /// upper limit: m or rad
    upper: Number { unit: "m|rad" } = "",
    /// compliant, or rigid
    law: Choice(&["compliant", "rigid"]) = "compliant",
    /// force or torque per unit of penetration depth: N/m or N*m/rad; required for compliant stops
    stiffness: Positive { unit: "N/m|N*m/rad" } = "",
    /// coefficient of restitution of rigid stops, from 0 to 1
    restitution: Number { unit: "1" } = "0",
    /// fraction of the elastic force added per unit of approach velocity: s/m or s/rad
    damping: Number { unit: "s/m|s/rad" } = "0",
} }

impl ForceKind for Limit {
    // units before and after `|`: for a length, for an angle
    const INFO: Info = Info {
        name: "limit",
        aliases: &["stop"],
        summary: "limits a joint coordinate by compliant or rigid stops",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(arguments: &Arguments) -> Result<Self, ArgumentError> {
        let (lower, upper) = (
            arguments.optional_number("lower"),
            arguments.optional_number("upper"),
        );
        if lower.is_none() && upper.is_none() {
            return Err(fault("lower", "give `lower`, `upper` or both"));
        }
        let lower = lower.unwrap_or(f64::NEG_INFINITY);
        let upper = upper.unwrap_or(f64::INFINITY);
        if lower >= upper {
            return Err(fault(
                "lower",
                format!("{lower} is not below `upper`, {upper}"),
            ));
        }
        let stiffness = arguments.optional_number("stiffness");
        let damping = not_negative(arguments, "damping")?;
        let restitution = arguments.number("restitution");
        let rigid = arguments.word("law") == "rigid";
        if rigid && (stiffness.is_some() || damping > 0.0) {
            return Err(fault(
                "law",
                "rigid stops have neither stiffness nor damping; omit them",
            ));
        }
        if !rigid && stiffness.is_none() {
            return Err(fault(
                "stiffness",
                "compliant stops require it; or set `law = \"rigid\"`",
            ));
        }
        if !(0.0..=1.0).contains(&restitution) {
            return Err(fault(
                "restitution",
                format!("it is {restitution}; it must be from 0 to 1"),
            ));
        }
        if !rigid && restitution != 0.0 {
            return Err(fault(
                "restitution",
                "compliant stops lose energy by `damping`; omit it, or set `law = \"rigid\"`",
            ));
        }
        Ok(Limit {
            along: MeasuredCoordinate::of(arguments),
            lower,
            upper,
            stiffness: stiffness.unwrap_or(0.0),
            damping,
            restitution: rigid.then_some(restitution),
        })
    }
}

impl Force for Limit {
    fn bodies(&self, model: &Model) -> Vec<BodyIndex> {
        self.along.bodies(model)
    }

    fn apply(&self, context: &EvaluationContext<'_>, loads: &mut Loads) {
        let q = self.along.read(context);
        let contact = self.contact(&q);
        let (elastic, other) = self.push(&q, &contact);
        self.along
            .push(context, &q, contact.sign * (elastic + other), loads);
        loads.add_power(contact.sign * other * q.rate);
    }

    fn potential(&self, context: &EvaluationContext<'_>) -> f64 {
        let depth = self.contact(&self.along.read(context)).depth;
        0.5 * self.stiffness * depth * depth
    }

    fn dissipates(&self) -> bool {
        self.damping != 0.0
    }

    fn unilaterals(&self) -> Vec<DeclaredUnilateral> {
        let Some(restitution) = self.restitution else {
            return Vec::new();
        };
        let stop = |sign: f64, bound: f64| DeclaredUnilateral {
            terms: vec![(self.along.joint, self.along.coordinate, sign)],
            offset: -sign * bound,
            normal: NormalLaw::Gap,
            restitution,
        };
        let stops = [(1.0, self.lower), (-1.0, self.upper)].into_iter();
        let stops = stops.filter(|(_, bound)| bound.is_finite());
        stops.map(|(sign, bound)| stop(sign, bound)).collect()
    }

    fn effort_without_rows(&self, _: &EvaluationContext<'_>) -> Option<f64> {
        self.restitution.map(|_| 0.0)
    }

    fn corner(&self, context: &EvaluationContext<'_>) -> Option<f64> {
        if self.restitution.is_some() {
            return None;
        }
        let q = self.along.read(context).value;
        Some((q - self.lower).min(self.upper - q))
    }

    fn coordinate(&self) -> Option<(JointIndex, usize)> {
        Some((self.along.joint, self.along.coordinate))
    }

    fn is_generalized(&self) -> bool {
        true
    }

    fn measures(&self) -> &'static [ForceMeasure] {
        if self.restitution.is_some() {
            // known with the multipliers
            return &[ForceMeasure {
                name: "effort",
                unit: "N|N*m",
                stage: Stage::Acceleration,
                text: "force or torque along the coordinate",
            }];
        }
        &[
            ForceMeasure {
                name: "effort",
                unit: "N|N*m",
                stage: Stage::Velocity,
                text: "force or torque along the coordinate",
            },
            ForceMeasure {
                name: "depth",
                unit: "m|rad",
                stage: Stage::Position,
                text: "penetration depth beyond the stop",
            },
        ]
    }

    fn measure(&self, k: usize, context: &EvaluationContext<'_>) -> f64 {
        if self.restitution.is_some() {
            return f64::NAN;
        }
        let q = self.along.read(context);
        let contact = self.contact(&q);
        if k == 1 {
            return contact.depth;
        }
        let (elastic, other) = self.push(&q, &contact);
        contact.sign * (elastic + other)
    }

    fn check(&self, model: &Model) -> Result<(), ArgumentError> {
        self.along.describe(model).map(|_| ())
    }
}
