//! Signals of forces.

use super::Evaluation;
use super::contact::held_effort;
use super::table::{ChannelList, SignalDescription};
use crate::element::unit_along;
use crate::forces::Force;
use crate::model::{ForceIndex, Signal, Stage};

/// Quantities of a force element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForceQuantity {
    /// A measure of the element, by index in its list.
    Measure(usize),
    /// Power of its non-conservative part.
    Power,
    /// Work of its non-conservative part since the start.
    Work,
    /// Potential energy stored in it.
    Potential,
}

impl ForceQuantity {
    /// The stage at which it is known, for a force.
    pub fn stage(self, force: &dyn Force) -> Stage {
        match self {
            Self::Measure(k) => force.measures()[k].stage,
            Self::Power => POWER.stage,
            Self::Work => WORK.stage,
            Self::Potential => POTENTIAL.stage,
        }
    }

    /// Returns the value for a force; NaN before its stage.
    pub(super) fn value(self, at: &Evaluation<'_>, f: ForceIndex) -> f64 {
        let force = &at.context.model.forces[f.0].force;
        match self {
            Self::Measure(k) if force.measures()[k].name == "effort" => {
                let held = |instant| held_effort(instant, f);
                let without_rows = force.effort_without_rows(&at.context);
                match (without_rows, at.instant) {
                    (Some(own), Some(instant)) => own + held(instant),
                    (None, Some(instant)) => self.own_value(at, f) + held(instant),
                    _ => self.own_value(at, f),
                }
            }
            _ => self.own_value(at, f),
        }
    }

    /// Returns the value without the forces of unilateral constraints.
    fn own_value(self, at: &Evaluation<'_>, f: ForceIndex) -> f64 {
        let force = &at.context.model.forces[f.0].force;
        match self {
            Self::Measure(k) => match (force.friction(), at.instant) {
                (Some(friction), Some(instant)) => {
                    let normal = instant.normals[instant.system.signals().normal_slot(f)];
                    friction.measure_with_normal(k, &at.context, normal)
                }
                _ => force.measure(k, &at.context),
            },
            Self::Power => at.at_instant(|i| at.work_slot(f).map_or(0.0, |slot| i.power[slot])),
            Self::Work => at.at_instant(|i| at.work_slot(f).map_or(0.0, |slot| i.work[slot])),
            Self::Potential => force.potential(&at.context),
        }
    }
}

const POWER: SignalDescription = SignalDescription {
    name: "power",
    unit: "W",
    stage: Stage::Acceleration,
    text: "power of the part without potential",
};
const WORK: SignalDescription = SignalDescription {
    name: "work",
    unit: "J",
    stage: Stage::Run,
    text: "work of the part without potential since the start",
};
const POTENTIAL: SignalDescription = SignalDescription {
    name: "potential",
    unit: "J",
    stage: Stage::Position,
    text: "potential energy stored",
};

/// Returns the descriptions of the signals that all forces have.
pub(super) fn descriptions() -> Vec<SignalDescription> {
    vec![POWER, WORK, POTENTIAL]
}

/// Adds the signals of the forces, except those that are elements of a beam.
pub(super) fn list(channels: &mut ChannelList<'_>) {
    let model = channels.model;
    for (f, element) in model.forces.iter().enumerate() {
        let (name, force) = (&element.name, &element.force);
        if !channels.wants(name) || force.beam_element().is_some() {
            continue;
        }
        let angular = (force.coordinate()).is_some_and(|(j, k)| model.is_angle(j, k));
        let mut add = |word: &str, unit: &'static str, text: String, q| {
            let unit = unit_along(unit, angular);
            let signal = Signal::Force(ForceIndex(f), q);
            channels.add(format!("{name}.{word}"), unit, text, signal);
        };
        for (k, measure) in force.measures().iter().enumerate() {
            let text = format!("{} of {name}", measure.text);
            add(measure.name, measure.unit, text, ForceQuantity::Measure(k));
        }
        if force.dissipates() {
            let text = format!("power of {name} without its springs");
            add(POWER.name, POWER.unit, text, ForceQuantity::Power);
            let text = format!("work of {name} since the start, without its springs");
            add(WORK.name, WORK.unit, text, ForceQuantity::Work);
        }
        let text = format!("potential energy of {name}");
        add(
            POTENTIAL.name,
            POTENTIAL.unit,
            text,
            ForceQuantity::Potential,
        );
    }
}
