use super::arguments::{fault, markers, not_negative};
use super::{Force, ForceKind, ForceMeasure, ForceTerm};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::math::Vec3;
use crate::math::rotation::{dot, zero3};
use crate::model::{BodyIndex, Law, MarkerIndex, Model, Space, Stage};
use crate::system::{EvaluationContext, Loads};

/// Spring, damper and actuator in parallel along the line between two points.
///
/// ```text
/// f = k (L − L0) + c L̇ + force          tension, positive if it pulls the ends together
/// V = ½ k (L − L0)²                      P = −(c L̇ + force) L̇
/// ```
///
/// L is the distance of the points, L0 the rest `length`. If the ends coincide (L below 10⁻¹² m) the line has no direction:
/// no force acts and L̇ is set to zero. Measured: `length`, `rate`, the velocity L̇, and `tension`.
#[derive(Debug)]
pub struct SpringDamper {
    between: [MarkerIndex; 2],
    stiffness: f64,
    rest: f64,
    damping: f64,
    force: Law,
}

/// Below this distance the line between the ends has no direction.
const COINCIDENT: f64 = 1e-12;

/// The line from the first end to the second.
struct SpringLine {
    ends: [Vec3<f64>; 2],
    /// Unit vector; zero if the ends coincide.
    direction: Vec3<f64>,
    length: f64,
    rate: f64,
}

impl SpringDamper {
    fn line(&self, context: &EvaluationContext<'_>) -> SpringLine {
        let [a, b] = self.between.map(|m| context.marker(m));
        let d = b.p - a.p;
        let length = dot(&d, &d).sqrt();
        let direction = if length < COINCIDENT {
            zero3()
        } else {
            d / length
        };
        let rate = dot(&direction, &(b.v - a.v));
        SpringLine {
            ends: [a.p, b.p],
            direction,
            length,
            rate,
        }
    }

    /// The elastic part of the tension, and the remaining part.
    fn tension(&self, context: &EvaluationContext<'_>, line: &SpringLine) -> (f64, f64) {
        let elastic = self.stiffness * (line.length - self.rest);
        (
            elastic,
            self.damping * line.rate + context.evaluate(&self.force),
        )
    }

    /// Applies the tension to both ends.
    fn pull(
        &self,
        context: &EvaluationContext<'_>,
        line: &SpringLine,
        tension: f64,
        loads: &mut Loads,
    ) {
        let pull = line.direction * tension;
        let [a, b] = self.between.map(|m| context.body_of(m));
        loads.add_force(context, a, &line.ends[0], &pull);
        loads.add_force(context, b, &line.ends[1], &-pull);
    }
}

fields! { SpringDamper {
    /// the two points it connects
    between: MarkerPair,
    /// tension per metre of elongation
    stiffness: Number { unit: "N/m" } = "0",
    /// rest length; required if there is a stiffness
    length: Number { unit: "m" } = "",
    /// tension per unit of elongation velocity
    damping: Number { unit: "N*s/m" } = "0",
    /// actuator: additional tension
    force: Law { unit: "N" } = "0",
} }

impl ForceKind for SpringDamper {
    const INFO: Info = Info {
        name: "spring-damper",
        aliases: &["spring"],
        summary: "spring, damper and actuator in parallel between two points",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(arguments: &Arguments) -> Result<Self, ArgumentError> {
        let stiffness = not_negative(arguments, "stiffness")?;
        if stiffness > 0.0 && arguments.optional_number("length").is_none() {
            return Err(fault("length", "a spring requires its rest length"));
        }
        Ok(SpringDamper {
            between: markers(arguments, "between")?,
            stiffness,
            rest: not_negative(arguments, "length")?,
            damping: not_negative(arguments, "damping")?,
            force: arguments.law("force"),
        })
    }
}

impl Force for SpringDamper {
    fn bodies(&self, model: &Model) -> Vec<BodyIndex> {
        self.between
            .map(|marker| model.markers[marker.0].body)
            .to_vec()
    }

    fn apply(&self, context: &EvaluationContext<'_>, loads: &mut Loads) {
        let line = self.line(context);
        let (elastic, other) = self.tension(context, &line);
        self.pull(context, &line, elastic + other, loads);
        loads.add_power(-other * line.rate);
    }

    fn push(
        &self,
        k: usize,
        context: &EvaluationContext<'_>,
        amount: f64,
        loads: &mut Loads,
    ) -> bool {
        let is_tension = k == 2;
        if is_tension {
            self.pull(context, &self.line(context), amount, loads);
        }
        is_tension
    }

    fn potential(&self, context: &EvaluationContext<'_>) -> f64 {
        let stretch = self.line(context).length - self.rest;
        0.5 * self.stiffness * stretch * stretch
    }

    fn dissipates(&self) -> bool {
        self.damping != 0.0 || !self.force.is_zero()
    }

    fn measures(&self) -> &'static [ForceMeasure] {
        &[
            ForceMeasure {
                name: "length",
                unit: "m",
                stage: Stage::Position,
                text: "distance between its ends",
            },
            ForceMeasure {
                name: "rate",
                unit: "m/s",
                stage: Stage::Velocity,
                text: "elongation velocity",
            },
            ForceMeasure {
                name: "tension",
                unit: "N",
                stage: Stage::Velocity,
                text: "force that pulls the ends together",
            },
        ]
    }

    fn measure(&self, k: usize, context: &EvaluationContext<'_>) -> f64 {
        let line = self.line(context);
        match k {
            0 => line.length,
            1 => line.rate,
            _ => {
                let (elastic, other) = self.tension(context, &line);
                elastic + other
            }
        }
    }

    fn doubt(&self, context: &EvaluationContext<'_>) -> Option<&'static str> {
        let line = self.line(context);
        let (elastic, other) = self.tension(context, &line);
        (line.length < COINCIDENT && elastic + other != 0.0)
            .then_some("has coincident ends: its direction is undefined, and it applies no force")
    }

    fn terms(&self) -> Option<Vec<ForceTerm<'_>>> {
        let line = super::LineOfAction::Distance(self.between);
        Some(vec![ForceTerm {
            law: Some(&self.force),
            opposes: true,
            ..ForceTerm::spring(line, self.stiffness, self.rest, self.damping)
        }])
    }

    fn laws(&self) -> Vec<&Law> {
        vec![&self.force]
    }

    fn measure_follows_laws(&self, k: usize) -> bool {
        k == 2
    }
}
