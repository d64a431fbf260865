use super::arguments::{fault, not_negative};
use super::friction_coefficients::FrictionCoefficients;
use super::measured_coordinate::{CoordinateReading, MeasuredCoordinate};
use super::{Force, ForceKind, ForceMeasure, ForceTerm};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::model::{BodyIndex, JointIndex, Law, Model, Space, Stage};
use crate::system::{EvaluationContext, Loads};

/// Motor: drives a joint through a gear.
///
/// ```text
/// ω = n q̇                                speed of the shaft
/// T = effort / n                         commanded torque, limited by:
///     |T| ≤ T_max,   T ≤ T_s (1 − ω/ω₀),   −T ≤ T_s (1 + ω/ω₀),   each bound at least 0 and at most T_s
/// τ = n (T − c ω − C tanh(ω/v_s))        along the coordinate of the joint
/// ```
///
/// `effort` is the force or torque commanded at the joint; if omitted, the motor is passive. n is `ratio`: turns of the shaft per turn of the joint,
/// for a length in radians per metre. The torque–speed line from `stall_torque` T_s to `no_load_speed` ω₀ bounds the torque in the direction of
/// motion; against the motion (braking), all of T_s is available. c and C are the `viscous` and `coulomb` friction at the shaft. The rotor rotates
/// with the shaft: its inertia J acts as the reflected inertia `n² J` at the joint ([`JointElement::armature`](crate::model::JointElement)).
///
/// Measured: `effort`, τ; `torque`, T; `speed`, ω; `saturated`, 1 where the delivered torque is less than commanded; `power`, T ω.
#[derive(Clone, Debug)]
pub struct Motor {
    along: MeasuredCoordinate,
    ratio: f64,
    rotor_inertia: f64,
    rubbing: FrictionCoefficients,
    effort: Option<Law>,
    torque_limit: f64,
    line: Option<TorqueSpeedLine>,
}

/// The torque–speed line.
#[derive(Clone, Copy, Debug)]
struct TorqueSpeedLine {
    stall_torque: f64,
    no_load_speed: f64,
}

/// The shaft at an instant.
#[derive(Clone, Copy, Debug)]
struct Shaft {
    speed: f64,
    torque: f64,
    saturated: bool,
}

impl Motor {
    /// The largest available torque in the direction of `sense`, +1 or −1.
    fn bound(&self, speed: f64, sense: f64) -> f64 {
        let by_line = self.line.map_or(f64::INFINITY, |line| {
            let left = 1.0 - sense * speed / line.no_load_speed;
            line.stall_torque * left.clamp(0.0, 1.0)
        });
        self.torque_limit.min(by_line)
    }

    fn shaft(&self, context: &EvaluationContext<'_>, q: &CoordinateReading) -> Shaft {
        let speed = self.ratio * q.rate;
        let effort = self.effort.as_ref();
        let asked = effort.map_or(0.0, |effort| context.evaluate(effort)) / self.ratio;
        let bound = self.bound(speed, if asked < 0.0 { -1.0 } else { 1.0 });
        let saturated = asked.abs() > bound;
        let torque = if saturated {
            bound.copysign(asked)
        } else {
            asked
        };
        Shaft {
            speed,
            torque,
            saturated,
        }
    }

    /// τ.
    fn delivered(&self, shaft: &Shaft) -> f64 {
        self.ratio * (shaft.torque + self.rubbing.effort(shaft.speed))
    }
}

fields! { Motor {
    /// the coordinate it drives
    joint: JointCoordinate,
    /// force (N) or torque (N*m) commanded at the joint; none if omitted
    effort: Law { unit: "N|N*m" } = "",
    /// gear ratio: turns of the shaft per turn of the joint, for a length in rad/m; negative if the directions are opposite
    ratio: Number { unit: "rad/m|1" } = "1",
    /// moment of inertia of the rotor and all parts that rotate with the shaft
    rotor_inertia: Number { unit: "kg*m^2" } = "0",
    /// viscous friction torque at the shaft per unit of its speed
    viscous: Number { unit: "N*m*s/rad" } = "0",
    /// dry friction torque at the shaft
    coulomb: Number { unit: "N*m" } = "0",
    /// speed of the shaft below which the dry friction is regularized
    transition_speed: Positive { unit: "rad/s" } = "0.001",
    /// largest torque at the shaft in both directions; unlimited if omitted
    torque_limit: Positive { unit: "N*m" } = "",
    /// largest torque of the shaft at zero speed; requires `no_load_speed`
    stall_torque: Positive { unit: "N*m" } = "",
    /// speed of the shaft at which the available torque is zero; requires `stall_torque`
    no_load_speed: Positive { unit: "rad/s" } = "",
} }

impl ForceKind for Motor {
    // units before and after `|`: for a length, for an angle
    const INFO: Info = Info {
        name: "motor",
        aliases: &[],
        summary: "drives a joint coordinate through a gear, with rotor inertia, friction and limits of torque and speed",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(arguments: &Arguments) -> Result<Self, ArgumentError> {
        let ratio = arguments.number("ratio");
        if ratio == 0.0 {
            return Err(fault("ratio", "it is 0; it must not be zero"));
        }
        let line = match (
            arguments.optional_number("stall_torque"),
            arguments.optional_number("no_load_speed"),
        ) {
            (Some(stall_torque), Some(no_load_speed)) => Some(TorqueSpeedLine {
                stall_torque,
                no_load_speed,
            }),
            (None, None) => None,
            (Some(_), None) => {
                return Err(fault("stall_torque", "it requires `no_load_speed`"));
            }
            (None, Some(_)) => {
                return Err(fault("no_load_speed", "it requires `stall_torque`"));
            }
        };
        Ok(Motor {
            along: MeasuredCoordinate::of(arguments),
            ratio,
            rotor_inertia: not_negative(arguments, "rotor_inertia")?,
            rubbing: FrictionCoefficients::build(arguments)?,
            effort: arguments.optional_law("effort"),
            torque_limit: arguments
                .optional_number("torque_limit")
                .unwrap_or(f64::INFINITY),
            line,
        })
    }
}

impl Force for Motor {
    fn bodies(&self, model: &Model) -> Vec<BodyIndex> {
        self.along.bodies(model)
    }

    fn apply(&self, context: &EvaluationContext<'_>, loads: &mut Loads) {
        let q = self.along.moving(context);
        let effort = self.delivered(&self.shaft(context, &q));
        self.along.push(context, &q, effort, loads);
        loads.add_power(effort * q.rate);
    }

    fn push(
        &self,
        k: usize,
        context: &EvaluationContext<'_>,
        amount: f64,
        loads: &mut Loads,
    ) -> bool {
        let effort = match k {
            0 => amount,
            1 => self.ratio * amount,
            _ => return false,
        };
        self.along
            .push(context, &self.along.moving(context), effort, loads);
        true
    }

    fn coordinate(&self) -> Option<(JointIndex, usize)> {
        Some((self.along.joint, self.along.coordinate))
    }

    fn is_generalized(&self) -> bool {
        true
    }

    fn with_command(&self, effort: Option<Law>) -> Option<Box<dyn Force>> {
        Some(Box::new(Motor {
            effort,
            ..self.clone()
        }))
    }

    fn measures(&self) -> &'static [ForceMeasure] {
        const fn measure(
            name: &'static str,
            unit: &'static str,
            text: &'static str,
        ) -> ForceMeasure {
            ForceMeasure {
                name,
                unit,
                stage: Stage::Velocity,
                text,
            }
        }
        const {
            &[
                measure("effort", "N|N*m", "force or torque delivered at the joint"),
                measure("torque", "N*m", "torque of the motor at its shaft"),
                measure("speed", "rad/s", "speed of the shaft"),
                measure("saturated", "1", "1 where the torque is saturated, else 0"),
                measure(
                    "shaft_power",
                    "W",
                    "mechanical power of the motor at its shaft, before friction",
                ),
            ]
        }
    }

    fn measure(&self, k: usize, context: &EvaluationContext<'_>) -> f64 {
        let shaft = self.shaft(context, &self.along.moving(context));
        match k {
            0 => self.delivered(&shaft),
            1 => shaft.torque,
            2 => shaft.speed,
            3 => f64::from(u8::from(shaft.saturated)),
            _ => shaft.torque * shaft.speed,
        }
    }

    fn laws(&self) -> Vec<&Law> {
        self.effort.iter().collect()
    }

    fn measure_follows_laws(&self, k: usize) -> bool {
        k != 2 && self.effort.is_some()
    }

    fn rotor(&self) -> Option<(JointIndex, f64)> {
        let reflected = self.ratio * self.ratio * self.rotor_inertia;
        Some((self.along.joint, reflected))
    }

    fn idle(&self) -> Option<(JointIndex, usize)> {
        let coordinate = (self.along.joint, self.along.coordinate);
        self.effort.is_none().then_some(coordinate)
    }

    fn terms(&self) -> Option<Vec<ForceTerm<'_>>> {
        if self.rubbing.coulomb > 0.0 || self.line.is_some() || self.torque_limit.is_finite() {
            return None;
        }
        let damping = self.ratio * self.ratio * self.rubbing.viscous;
        Some(vec![ForceTerm {
            law: self.effort.as_ref(),
            ..ForceTerm::spring(self.along.line(), 0.0, 0.0, damping)
        }])
    }

    fn check(&self, model: &Model) -> Result<(), ArgumentError> {
        let _ = self.along.describe(model)?;
        let joint = &model.joints[self.along.joint.0].joint;
        let tree = joint.shape(model.space).tree;
        if self.rotor_inertia > 0.0 && tree.is_none_or(|tree| tree.freedom() != 1) {
            let message = "a rotor requires a joint with one degree of freedom. Omit it, or replace the joint by several with massless bodies between them";
            return Err(fault("rotor_inertia", message));
        }
        Ok(())
    }
}
