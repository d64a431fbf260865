//! Dragging a mechanism by a body while its joints stay closed.
//!
//! The body is placed at the pointer and the model is assembled from there. Assembly minimizes the mass-weighted displacement, so that a heavy point mass at
//! the grip makes that point move least.

use std::fmt::Write;

use crate::{MOST_MEMORY, assemble_within};
use biela_core::analysis::{Assembled, Formulation};
use biela_core::joints::Coordinate;
use biela_core::math::rotation::{apply, parameters};
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{MassProperties, Model};
use biela_model::edit::{ModelEdit, ModelElement, WrittenElement, edit, elements};

use super::desk::DeskError;
use super::frame::{Framer, kinematics};

/// The point mass at the grip, relative to the mass of the whole model.
const HEAVY: f64 = 1e3;
/// Tolerance between the written pose and the dragged one: relative to the model's size, and in radians.
const NEAR: f64 = 1e-6;

/// A pull on a body.
#[derive(Clone, Copy, Debug)]
pub struct Pull {
    /// The body, by its number in the scene; the ground is the first.
    pub body: usize,
    /// The grip in the body frame.
    pub point: [f64; 3],
    /// The target position of that point.
    pub to: [f64; 3],
}

/// A mechanism that is being dragged.
#[derive(Debug)]
pub(super) struct Dragged {
    text: String,
    start: Vec<Pose>,
    poses: Vec<Pose>,
    frame: Vec<f32>,
}

impl Dragged {
    /// Creates the initial pose of a text.
    pub(super) fn new(text: &str, model: Model) -> Result<Self, DeskError> {
        let assembled = assembled(model)?;
        Ok(Dragged {
            text: text.to_owned(),
            start: poses(&assembled),
            poses: poses(&assembled),
            frame: frame(&assembled),
        })
    }

    /// Returns `true` if the drag started from this text.
    pub(super) fn belongs_to(&self, text: &str) -> bool {
        self.text == text
    }

    /// Moves a body towards a position as far as its joints allow. Returns the frame.
    pub(super) fn pull(&mut self, pull: &Pull, mut model: Model) -> Vec<f32> {
        let total: f64 = model.bodies.iter().map(|body| body.mass.mass).sum();
        for (body, pose) in model.bodies.iter_mut().zip(&self.poses) {
            body.start.pose = Some(*pose);
            body.start.keep = false;
            body.velocity = None;
        }
        for joint in &mut model.joints {
            joint.initial.clear();
        }
        let held = pull.body.checked_sub(1);
        if let Some(body) = held.and_then(|b| model.bodies.get_mut(b))
            && let Some(pose) = &mut body.start.pose
        {
            let point = Vec3::from(pull.point);
            pose.p += Vec3::from(pull.to) - pose.point(&point);
            body.mass = with_point(&body.mass, HEAVY * total.max(1e-9), &point);
        }
        if pull.to.iter().chain(&pull.point).all(|x| x.is_finite())
            && let Ok(there) = assembled(model)
        {
            self.poses = poses(&there);
            self.frame = frame(&there);
        }
        self.frame.clone()
    }

    /// Returns a text whose initial pose is the dragged one: by changing its initial values, or by adding those of further joints.
    pub(super) fn written(
        &self,
        text: &str,
        read: &dyn Fn(&str) -> Result<Model, DeskError>,
    ) -> Result<String, DeskError> {
        if self.is_at(&self.start) {
            return Ok(text.to_owned());
        }
        let model = read(text)?;
        let written = elements(text)?;
        let starts = Starts {
            model: &model,
            poses: &self.poses,
            written: &written,
        };
        for all in [false, true] {
            let text = edit(text, &starts.changes(all))?;
            let there = read(&text).and_then(assembled);
            if there.is_ok_and(|there| self.is_at(&poses(&there))) {
                return Ok(text);
            }
        }
        let text = "the dragged pose cannot be expressed by initial values of joints and bodies";
        Err(DeskError::Stuck(text.to_owned()))
    }

    fn is_at(&self, poses: &[Pose]) -> bool {
        let size = self
            .poses
            .iter()
            .map(|pose| pose.p.norm())
            .fold(1e-3, f64::max);
        self.poses
            .iter()
            .zip(poses)
            .all(|(a, b)| (a.p - b.p).norm() < NEAR * size && (a.R - b.R).norm() < NEAR)
    }
}

fn assembled(model: Model) -> Result<Assembled, DeskError> {
    let formulation = Formulation::of(&model);
    assemble_within(model, formulation, MOST_MEMORY)
        .map_err(|error| DeskError::Stuck(error.to_string()))
}

/// Poses of the body frames.
fn poses(assembled: &Assembled) -> Vec<Pose> {
    let kinematics = kinematics(assembled.system.as_ref(), &assembled.state);
    let bodies = assembled
        .system
        .model()
        .bodies
        .iter()
        .zip(&kinematics.bodies);
    bodies
        .map(|(body, motion)| Pose::new(motion.R, motion.r - apply(&motion.R, &body.mass.center)))
        .collect()
}

fn frame(assembled: &Assembled) -> Vec<f32> {
    let model = assembled.system.model();
    let kinematics = kinematics(assembled.system.as_ref(), &assembled.state);
    Framer::new(model).pose(model, &kinematics).to_vec()
}

/// A body with an additional point mass.
fn with_point(body: &MassProperties, mass: f64, at: &Vec3<f64>) -> MassProperties {
    let total = body.mass + mass;
    let center = (body.center * body.mass + at * mass) / total;
    let about = |m: f64, p: Vec3<f64>| (Mat3::identity() * p.dot(&p) - p * p.transpose()) * m;
    let inertia = body.inertia + about(body.mass, body.center - center) + about(mass, at - center);
    MassProperties {
        mass: total,
        center,
        inertia,
    }
}

/// The initial values of a pose.
struct Starts<'a> {
    model: &'a Model,
    poses: &'a [Pose],
    written: &'a [WrittenElement],
}

impl Starts<'_> {
    /// Changes of the written initial values; with `all`, joints with one coordinate and no initial value get one.
    fn changes(&self, all: bool) -> Vec<ModelEdit> {
        let mut changes = Vec::new();
        for written in self.written {
            let Some(name) = &written.element.name else {
                continue;
            };
            match written.element.table.as_str() {
                "body" => self.body(name, written, &mut changes),
                "joint" => self.joint(name, written, all, &mut changes),
                _ => {}
            }
        }
        changes
    }

    fn body(&self, name: &str, written: &WrittenElement, changes: &mut Vec<ModelEdit>) {
        let bodies = self.model.bodies.iter().zip(self.poses);
        let Some((_, pose)) = bodies.into_iter().find(|(body, _)| body.name == name) else {
            return;
        };
        let axes = self.model.space.axes();
        if written.get("position").is_some() {
            let numbers: Vec<String> = pose.p.iter().take(axes).map(|x| number(*x)).collect();
            changes.push(set(
                written,
                "position",
                format!("[{}]", numbers.join(", ")),
            ));
        }
        if written.get("angle").is_some() {
            let angle = pose.R[(1, 0)].atan2(pose.R[(0, 0)]).to_degrees();
            changes.push(set(written, "angle", format!("\"{} deg\"", number(angle))));
        }
        if written.get("rotation").is_some() {
            let e = parameters(&pose.R).map(number).join(", ");
            changes.push(set(
                written,
                "rotation",
                format!("{{ euler_parameters = [{e}] }}"),
            ));
        }
    }

    fn joint(&self, name: &str, written: &WrittenElement, all: bool, changes: &mut Vec<ModelEdit>) {
        let mut joints = self.model.joints.iter();
        let Some(element) = joints.find(|joint| joint.name == name) else {
            return;
        };
        let coordinates = element.joint.coordinates(self.model.space);
        let value = |k: usize, coordinate: &Coordinate| {
            let place = |(body, pose): (biela_core::model::BodyIndex, Pose)| {
                body.number().map_or(pose, |b| self.poses[b].then(&pose))
            };
            let there = place(element.first).inverse().then(&place(element.second));
            let rel = biela_core::joints::Relative::at_rest(there.R, there.p);
            let q = element.joint.coordinate(self.model.space, k, &rel).phi;
            if coordinate.angular {
                format!("\"{} deg\"", number(q.to_degrees()))
            } else {
                number(q)
            }
        };
        let known: Vec<usize> = element
            .initial
            .iter()
            .filter(|start| start.value.is_some())
            .map(|start| start.coordinate)
            .collect();
        if !known.is_empty() {
            for k in known {
                if let Some(coordinate) = coordinates.get(k) {
                    changes.push(set(
                        written,
                        &format!("initial.{}", coordinate.name),
                        value(k, coordinate),
                    ));
                }
            }
        } else if all && let [coordinate] = coordinates {
            changes.push(set(
                written,
                &format!("initial.{}", coordinate.name),
                value(0, coordinate),
            ));
        }
    }
}

fn set(written: &WrittenElement, key: &str, value: String) -> ModelEdit {
    ModelEdit::Set {
        element: ModelElement::clone(&written.element),
        key: key.to_owned(),
        value,
    }
}

/// Formats a number with the digits that a drag justifies.
fn number(x: f64) -> String {
    let mut text = String::new();
    let _ = write!(text, "{:.10}", if x.abs() < 5e-11 { 0.0 } else { x });
    let short = text.trim_end_matches('0').trim_end_matches('.');
    short.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_with_few_digits() {
        for (x, text) in [
            (0.5, "0.5"),
            (-0.0, "0"),
            (12.0, "12"),
            (1.0 / 3.0, "0.3333333333"),
        ] {
            assert_eq!(number(x), text);
        }
    }
}
