//! Touches: the instants at which the motion comes to a corner of a force, such as a stop. A step that would pass over one is taken again up to it, so
//! that formulas which take forces for smooth are not led astray.

use super::corners::slack;
use super::{IntegrationError, Simulation, Study, pack};
use crate::integrators;
use crate::keep::keeps;
use crate::system::Scene;

/// A corner this near to an end of a step, as a part of it, does no harm: its error falls with the square of the distance.
const NEAR: f64 = 1e-4;

/// What rests at a corner trembles about it by rounding: a step that passes it by less than this (m, rad) passes nothing.
const TREMBLE: f64 = 1e-12;

/// The touches of a run.
#[derive(Debug)]
pub(super) struct Touches {
    /// Forces that have corners; none where steps are of a fixed size.
    forces: Vec<usize>,
    /// Their values at the present state, and at the end of the step.
    values: Vec<f64>,
    ends: Vec<f64>,
    /// The touch up to which a step is taken again; infinite where there is none.
    pub(super) next: f64,
}

keeps!(Touches: values, next);

/// Whether the integrator chooses its steps by their errors.
fn chooses_steps(study: &Study) -> bool {
    let choice = &study.integrator;
    let info = integrators::INTEGRATORS
        .iter()
        .find(|info| info.name == choice.kind || info.aliases.contains(&choice.kind.as_str()));
    let fixed = info.is_some_and(|info| info.fields.iter().any(|field| field.name == "step"));
    !fixed || choice.arguments.get("tolerance").is_some()
}

impl Touches {
    pub(super) fn new(scene: &Scene<'_>, study: &Study) -> Self {
        let forces = scene.model.forces.iter().enumerate();
        let cornered = forces.filter(|(_, f)| f.force.corner(scene).is_some());
        let forces: Vec<usize> = if chooses_steps(study) {
            cornered.map(|(i, _)| i).collect()
        } else {
            Vec::new()
        };
        Touches {
            values: vec![0.0; forces.len()],
            ends: vec![0.0; forces.len()],
            forces,
            next: f64::INFINITY,
        }
    }
}

impl Simulation {
    fn corner(&self, k: usize) -> f64 {
        let scene = self.dynamics.scene();
        let force = &scene.model.forces[self.touches.forces[k]].force;
        force.corner(&scene).unwrap_or(0.0)
    }

    /// Takes note of where the forces are at the present state, to which the kinematics have been brought.
    pub(super) fn note_corners(&mut self) {
        for k in 0..self.touches.forces.len() {
            self.touches.values[k] = self.corner(k);
        }
    }

    /// Whether the step to `reached`, the end of which is in `next`, passes over a corner: it is then to be taken again, up to there.
    pub(super) fn passes_over(&mut self, reached: f64) -> Result<bool, IntegrationError> {
        if self.touches.forces.is_empty() {
            return Ok(false);
        }
        self.dynamics.see(&self.next);
        for k in 0..self.touches.forces.len() {
            self.touches.ends[k] = self.corner(k);
        }
        let start = self.state.time;
        let near = NEAR * (reached - start);
        let mut first = f64::INFINITY;
        let mut dense = false;
        for k in 0..self.touches.forces.len() {
            let (from, to) = (self.touches.values[k], self.touches.ends[k]);
            if from * to >= 0.0 || from.abs().max(to.abs()) < TREMBLE {
                continue;
            }
            if !dense {
                self.integrator.prepare_dense(&mut self.dynamics)?;
                dense = true;
            }
            let time = self.root((start, from), (reached, to), |this, time| {
                this.integrator.interpolate(time, &mut this.flat);
                this.dynamics.unpack(&this.flat, time, &mut this.between);
                this.dynamics.see(&this.between);
                Ok(this.corner(k))
            })?;
            if time - start > near {
                first = first.min(time);
            }
        }
        let again = first < reached - near;
        if again {
            self.touches.next = first;
            pack(&self.state, &mut self.flat);
            self.integrator
                .start(&mut self.dynamics, start, &self.flat)?;
        } else {
            if first <= reached {
                self.touches.next = reached;
            }
            self.touches.values.copy_from_slice(&self.touches.ends);
        }
        Ok(again)
    }

    /// Leaves a touch behind; whether there was one.
    pub(super) fn pass_touch(&mut self) -> bool {
        let touched = self.touches.next <= self.state.time + slack(self.state.time);
        if touched {
            self.touches.next = f64::INFINITY;
        }
        touched
    }
}
