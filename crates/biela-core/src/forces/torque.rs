use super::arguments::fault;
use super::{Force, ForceKind, ForceMeasure, ForceTerm, LineOfAction};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::math::Vec3;
use crate::math::rotation::{apply, dot, unit};
use crate::model::{BodyIndex, Law, MarkerIndex, Model, Space, Stage};
use crate::system::{EvaluationContext, Loads};

/// External torque on a body, or a torque between two bodies.
///
/// ```text
/// T = value n                    frame = "ground": n fixed; frame = "body": n rotates with `on`
/// P = T · (w − w_reaction)       −T acts on the body of `reaction_on`
/// ```
///
/// Positive by the right-hand rule about the unit vector n along `axis`. In a planar model n is always z. Measured: `torque`, the value.
#[derive(Debug)]
pub struct Torque {
    on: MarkerIndex,
    reaction_on: MarkerIndex,
    value: Law,
    /// Unit vector in the ground's axes or in those of the marker `on`.
    axis: Vec3<f64>,
    follows: bool,
}

impl Torque {
    fn axis(arguments: &Arguments) -> Result<Vec3<f64>, ArgumentError> {
        let Some(axis) = arguments.optional_vector("axis") else {
            return Ok(unit(2));
        };
        let axis = axis.normalize();
        if arguments.space == Space::Planar && axis != unit(2) {
            return Err(fault("axis", "planar torques act about z; omit this field"));
        }
        Ok(axis)
    }
}

impl Torque {
    /// Adds a torque of this value and its reaction; returns it in ground axes.
    fn turn(&self, context: &EvaluationContext<'_>, value: f64, loads: &mut Loads) -> Vec3<f64> {
        let axis = if self.follows {
            apply(&context.marker(self.on).R, &self.axis)
        } else {
            self.axis
        };
        let torque = axis * value;
        loads.add_torque(context.body_of(self.on), &torque);
        loads.add_torque(context.body_of(self.reaction_on), &-torque);
        torque
    }
}

fields! { Torque {
    /// the body it acts on
    on: Marker,
    /// the torque
    value: Law { unit: "N*m" },
    /// direction of the torque, z if omitted; always z in planar models
    axis: Direction = "",
    /// axes in which the direction is given: those of the ground, or those of the body (it then rotates with the body)
    frame: Choice(&["ground", "body"]) = "ground",
    /// the body on which the reaction torque acts; the ground if omitted
    reaction_on: Marker = "",
} }

impl ForceKind for Torque {
    const INFO: Info = Info {
        name: "torque",
        aliases: &[],
        summary: "applies a torque to a body",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(arguments: &Arguments) -> Result<Self, ArgumentError> {
        Ok(Torque {
            on: arguments.marker("on"),
            reaction_on: arguments.marker("reaction_on"),
            value: arguments.law("value"),
            axis: Self::axis(arguments)?,
            follows: arguments.word("frame") == "body",
        })
    }
}

impl Force for Torque {
    fn is_load(&self) -> bool {
        true
    }

    fn bodies(&self, model: &Model) -> Vec<BodyIndex> {
        [self.on, self.reaction_on]
            .map(|marker| model.markers[marker.0].body)
            .to_vec()
    }

    fn apply(&self, context: &EvaluationContext<'_>, loads: &mut Loads) {
        let (on, other) = (context.marker(self.on), context.marker(self.reaction_on));
        let torque = self.turn(context, context.evaluate(&self.value), loads);
        loads.add_power(dot(&torque, &(on.w - other.w)));
    }

    fn push(
        &self,
        _: usize,
        context: &EvaluationContext<'_>,
        amount: f64,
        loads: &mut Loads,
    ) -> bool {
        let _ = self.turn(context, amount, loads);
        true
    }

    fn measures(&self) -> &'static [ForceMeasure] {
        &[ForceMeasure {
            name: "torque",
            unit: "N*m",
            stage: Stage::Velocity,
            text: "torque about its axis",
        }]
    }

    fn measure(&self, _: usize, context: &EvaluationContext<'_>) -> f64 {
        context.evaluate(&self.value)
    }

    fn terms(&self) -> Option<Vec<ForceTerm<'_>>> {
        let line = LineOfAction::Turn {
            on: self.on,
            against: self.reaction_on,
            axis: self.axis,
            follows: self.follows,
        };
        Some(vec![ForceTerm::law(line, &self.value)])
    }

    fn laws(&self) -> Vec<&Law> {
        vec![&self.value]
    }
}
