//! Frames: the positions of bodies, beam samples, arrows and contact points at an instant.

use biela_core::flexible::{Beam, Station};
use biela_core::forces::LineOfAction;
use biela_core::math::Vec3;
use biela_core::math::rotation::{apply, parameters};
use biela_core::model::{BeamIndex, BodyIndex, ContactElement, ContactIndex, JointIndex, Model};
use biela_core::system::{
    ClosedPoint, EvaluationContext, Instant, Loads, State, System, SystemKinematics,
};
use biela_core::unilateral::Mode;
use biela_view::scene::{ARROW, Arrow, ArrowKind, POSE, SAMPLE, TOUCH};

use super::{end_of_joint, end_of_marker};

/// A beam is drawn with about this many samples, and with at least two per element.
const SAMPLES: usize = 32;

/// The source of the vector of an arrow.
#[derive(Clone, Copy, Debug)]
enum ArrowSource {
    /// The reaction of a joint.
    Joint(JointIndex),
    /// The force of a force element on a body.
    Force(usize, BodyIndex),
    /// The torque of a force element on a body.
    Torque(usize, BodyIndex),
}

/// Computes frames of a model in a reused buffer.
#[derive(Debug)]
pub struct Framer {
    stations: Vec<Vec<Station>>,
    arrows: Vec<(ArrowSource, Arrow)>,
    frame: Vec<f32>,
    loads: Loads,
}

impl Framer {
    /// Creates a framer for a model.
    pub fn new(model: &Model) -> Self {
        let beams = model.beams.iter().enumerate();
        let stations: Vec<Vec<Station>> =
            beams.map(|(b, beam)| samples(BeamIndex(b), beam)).collect();
        let arrows = arrows(model);
        let nodes = model.exact_beams.iter().map(|beam| beam.nodes.len());
        let samples = stations.iter().map(Vec::len).chain(nodes);
        let touches = model.contacts.iter().map(ContactElement::num_points);
        let numbers = POSE * (model.bodies.len() + 1)
            + SAMPLE * samples.sum::<usize>()
            + ARROW * arrows.len()
            + TOUCH * touches.sum::<usize>();
        Self {
            stations,
            arrows,
            frame: Vec::with_capacity(numbers),
            loads: Loads::new(model),
        }
    }

    /// The number of values in a frame.
    pub fn numbers(&self) -> usize {
        self.frame.capacity()
    }

    /// The number of samples of each beam, except geometrically exact ones, which have one per node.
    pub(super) fn samples(&self) -> impl Iterator<Item = usize> {
        self.stations.iter().map(Vec::len)
    }

    /// The arrows of a frame.
    pub(super) fn arrows(&self) -> impl Iterator<Item = &Arrow> {
        self.arrows.iter().map(|(_, arrow)| arrow)
    }

    /// The frame of a pose without forces: arrows are zero, contacts open.
    pub fn pose(&mut self, model: &Model, kinematics: &SystemKinematics) -> &[f32] {
        let numbers = self.numbers();
        self.place(model, kinematics);
        self.frame.resize(numbers, 0.0);
        &self.frame
    }

    /// The frame at an instant of a run.
    pub fn at(&mut self, instant: &Instant<'_>) -> &[f32] {
        let context = instant.context();
        self.place(context.model, context.kinematics);
        let mut applied = None;
        for (source, _) in &self.arrows {
            let vector = match *source {
                ArrowSource::Joint(joint) => {
                    let motion = &context.kinematics.joints[joint.0];
                    apply(&motion.R_F, &instant.workspace.reactions[joint.0].0)
                }
                ArrowSource::Force(force, body) | ArrowSource::Torque(force, body) => {
                    if applied != Some(force) {
                        self.loads.clear();
                        context.model.forces[force]
                            .force
                            .apply(&context, &mut self.loads);
                        applied = Some(force);
                    }
                    let of = match source {
                        ArrowSource::Torque(..) => &self.loads.torque,
                        _ => &self.loads.force,
                    };
                    body.number().map_or_else(Vec3::zeros, |b| of[b])
                }
            };
            self.frame.extend(vector.iter().map(|x| *x as f32));
        }
        for (c, contact) in context.model.contacts.iter().enumerate() {
            for point in 0..contact.num_points() {
                let closed = instant.closed_point(ContactIndex(c), point);
                let values = closed.map_or([0.0; TOUCH], |closed| touch(&closed));
                self.frame.extend(values);
            }
        }
        &self.frame
    }

    /// Writes bodies and beams.
    fn place(&mut self, model: &Model, kinematics: &SystemKinematics) {
        let frame = &mut self.frame;
        frame.clear();
        frame.extend([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        let origin = |b: usize| {
            let motion = &kinematics.bodies[b];
            motion.r - apply(&motion.R, &model.bodies[b].mass.center)
        };
        for (b, motion) in kinematics.bodies.iter().enumerate() {
            let p = origin(b);
            let e = parameters(&motion.R);
            let pose = [p[0], p[1], p[2], e[1], e[2], e[3], e[0]];
            frame.extend(pose.map(|x| x as f32));
        }
        for ((beam, motion), stations) in model
            .beams
            .iter()
            .zip(&kinematics.beams)
            .zip(&self.stations)
        {
            for station in stations {
                let at = station.motion(motion);
                let moment = beam.internal(station, motion).moment;
                frame.extend([at.r[0], at.r[1], at.r[2], moment].map(|x| x as f32));
            }
        }
        let context = EvaluationContext { model, kinematics };
        for beam in &model.exact_beams {
            for (k, node) in beam.nodes.iter().enumerate() {
                let r = node.number().map_or_else(Vec3::zeros, origin);
                let [.., y, z] = beam.carried(&context, k).wrench;
                frame.extend([r[0], r[1], r[2], y.hypot(z)].map(|x| x as f32));
            }
        }
    }
}

/// The values of a closed contact point.
fn touch(closed: &ClosedPoint) -> [f32; TOUCH] {
    let state = if closed.mode == Mode::Slip { 2.0 } else { 1.0 };
    let force = closed.forces[0] + closed.forces[1];
    let mut values = [state; TOUCH];
    let vectors = [&closed.point, &closed.normal, &force];
    for (value, x) in values[1..].iter_mut().zip(vectors.into_iter().flatten()) {
        *value = *x as f32;
    }
    values
}

/// The sample locations along a beam, several per element.
fn samples(index: BeamIndex, beam: &Beam) -> Vec<Station> {
    let elements = beam.elements.len().max(1);
    let spans = elements * (SAMPLES / elements).max(2);
    let length = beam.length();
    (0..=spans)
        .map(|k| Station::new(index, beam, length * k as f64 / spans as f64))
        .collect()
}

/// Reactions of joints that carry loads, and forces of force elements.
fn arrows(model: &Model) -> Vec<(ArrowSource, Arrow)> {
    let mut list = Vec::new();
    for (j, element) in model.joints.iter().enumerate() {
        let shape = element.joint.shape(model.space);
        if shape.position_rows + shape.velocity_rows > 0 {
            let arrow = Arrow {
                name: element.name.clone(),
                kind: ArrowKind::Reaction,
                unit: "N".to_owned(),
                at: end_of_joint(model, JointIndex(j)),
            };
            list.push((ArrowSource::Joint(JointIndex(j)), arrow));
        }
    }
    for (f, element) in model.forces.iter().enumerate() {
        let terms = element.force.terms().unwrap_or_default();
        let lines = terms.iter().map(|term| term.line);
        // the components of a force along three axes share one point
        let Some(line) = lines.into_iter().next() else {
            continue;
        };
        let (at, body, turns) = match line {
            LineOfAction::Distance([a, b]) => {
                let (first, second) = (model.markers[a.0].body, model.markers[b.0].body);
                if first == second {
                    continue;
                }
                let on = if first == BodyIndex::GROUND { b } else { a };
                (end_of_marker(model, on), model.markers[on.0].body, false)
            }
            LineOfAction::Point { at, .. } => {
                (end_of_marker(model, at), model.markers[at.0].body, false)
            }
            LineOfAction::Turn { on, .. } => {
                (end_of_marker(model, on), model.markers[on.0].body, true)
            }
            LineOfAction::Joint(joint, k) => {
                let element = &model.joints[joint.0];
                let angular = element.joint.coordinates(model.space)[k].angular;
                (end_of_joint(model, joint), element.second.0, angular)
            }
        };
        if body == BodyIndex::GROUND {
            continue;
        }
        let (kind, unit, source) = if turns {
            (ArrowKind::Torque, "N*m", ArrowSource::Torque(f, body))
        } else {
            (ArrowKind::Force, "N", ArrowSource::Force(f, body))
        };
        let arrow = Arrow {
            name: element.name.clone(),
            kind,
            unit: unit.to_owned(),
            at,
        };
        list.push((source, arrow));
    }
    list
}

/// The kinematics of a state.
pub(super) fn kinematics(system: &dyn System, state: &State) -> SystemKinematics {
    let mut kinematics = SystemKinematics::new(system.model());
    system.update(
        state.time,
        &state.q,
        &state.v,
        &state.turns,
        &mut kinematics,
    );
    kinematics
}
