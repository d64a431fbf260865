use super::{Force, ForceKind, ForceMeasure, ForceTerm, LineOfAction};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::math::Vec3;
use crate::math::rotation::{apply, dot, unit};
use crate::model::{BodyIndex, Law, MarkerIndex, Model, Space, Stage};
use crate::system::{EvaluationContext, Loads, MarkerMotion};

/// External force at a point.
///
/// ```text
/// F = value                      frame = "ground": along the ground's axes
/// F = R value                    frame = "body": along the axes of the frame `at`, rotating with its body (follower force)
/// P = F · v                      v = velocity of the point
/// ```
///
/// It has no reaction in the model. Measured: `fx`, `fy`, `fz` along the ground's axes.
#[derive(Debug)]
pub struct PointForce {
    at: MarkerIndex,
    value: Vec<Law>,
    follows: bool,
}

const MEASURES: &[ForceMeasure] = &[
    ForceMeasure {
        name: "fx",
        unit: "N",
        stage: Stage::Velocity,
        text: "force along the ground's x",
    },
    ForceMeasure {
        name: "fy",
        unit: "N",
        stage: Stage::Velocity,
        text: "force along the ground's y",
    },
    ForceMeasure {
        name: "fz",
        unit: "N",
        stage: Stage::Velocity,
        text: "force along the ground's z",
    },
];

impl PointForce {
    /// The force in ground axes.
    fn force(&self, context: &EvaluationContext<'_>, at: &MarkerMotion) -> Vec3<f64> {
        let mut value = Vec3::zeros();
        for (x, law) in value.iter_mut().zip(&self.value) {
            *x = context.evaluate(law);
        }
        if self.follows {
            apply(&at.R, &value)
        } else {
            value
        }
    }
}

fields! { PointForce {
    /// the point it acts on
    at: Marker,
    /// components of the force
    value: LawVector { unit: "N" },
    /// axes of the components: those of the ground, or those of the body (follower force)
    frame: Choice(&["ground", "body"]) = "ground",
} }

impl ForceKind for PointForce {
    const INFO: Info = Info {
        name: "force",
        aliases: &["point-force"],
        summary: "applies a force at a point of a body",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(arguments: &Arguments) -> Result<Self, ArgumentError> {
        Ok(PointForce {
            at: arguments.marker("at"),
            value: arguments.laws("value"),
            follows: arguments.word("frame") == "body",
        })
    }
}

impl Force for PointForce {
    fn is_load(&self) -> bool {
        true
    }

    fn bodies(&self, model: &Model) -> Vec<BodyIndex> {
        vec![model.markers[self.at.0].body]
    }

    fn apply(&self, context: &EvaluationContext<'_>, loads: &mut Loads) {
        let at = context.marker(self.at);
        let force = self.force(context, &at);
        loads.add_force(context, context.body_of(self.at), &at.p, &force);
        loads.add_power(dot(&force, &at.v));
    }

    fn push(
        &self,
        k: usize,
        context: &EvaluationContext<'_>,
        amount: f64,
        loads: &mut Loads,
    ) -> bool {
        let mut force = Vec3::zeros();
        force[k] = amount;
        loads.add_force(
            context,
            context.body_of(self.at),
            &context.marker(self.at).p,
            &force,
        );
        true
    }

    fn measures(&self) -> &'static [ForceMeasure] {
        &MEASURES[..self.value.len()]
    }

    fn measure(&self, k: usize, context: &EvaluationContext<'_>) -> f64 {
        self.force(context, &context.marker(self.at))[k]
    }

    fn terms(&self) -> Option<Vec<ForceTerm<'_>>> {
        let along = |(i, law)| {
            let line = LineOfAction::Point {
                at: self.at,
                axis: unit(i),
                follows: self.follows,
            };
            ForceTerm::law(line, law)
        };
        Some(self.value.iter().enumerate().map(along).collect())
    }

    fn laws(&self) -> Vec<&Law> {
        self.value.iter().collect()
    }
}
