//! Initial positions and velocities of joints.

use super::body::Bodies;
use super::element::MjcfElement;
use super::files::MjcfFiles;
use crate::diagnostic::{Diagnostic, Diagnostics, shown};
use crate::import::xml::XmlElement;
use crate::suggest::did_you_mean;

/// Positions and velocities of every joint, in the convention of MuJoCo.
pub(super) struct Keyframe {
    /// For each joint: one number, a quaternion, or a point and a quaternion.
    pub(super) positions: Vec<Vec<f64>>,
    /// For each joint: velocities; angular velocities of ball and free joints in body axes.
    pub(super) rates: Vec<Vec<f64>>,
    /// The control of each actuator of the file.
    pub(super) controls: Vec<f64>,
}

impl Keyframe {
    /// The poses in the file, at rest.
    fn placed(bodies: &Bodies<'_>, actuators: usize) -> Self {
        let position = |joint: &super::joint::MjcfJoint<'_>| match joint.kind.positions() {
            1 => vec![joint.reference],
            4 => vec![1.0, 0.0, 0.0, 0.0],
            _ => {
                let pose = &bodies.bodies[joint.body].in_world;
                let turn = biela_core::math::rotation::parameters(&pose.R);
                pose.p.iter().copied().chain(turn).collect()
            }
        };
        Keyframe {
            positions: bodies.joints.iter().map(position).collect(),
            rates: bodies
                .joints
                .iter()
                .map(|j| vec![0.0; j.kind.freedom()])
                .collect(),
            controls: vec![0.0; actuators],
        }
    }

    /// Reads the initial state, or a keyframe by its name or number.
    pub(super) fn read<'x>(
        files: &MjcfFiles<'x>,
        root: XmlElement<'x>,
        wanted: Option<&str>,
        bodies: &Bodies<'x>,
        actuators: usize,
        diagnostics: &Diagnostics,
    ) -> Self {
        let mut start = Keyframe::placed(bodies, actuators);
        let Some(wanted) = wanted else {
            return start;
        };
        let mut keys = Vec::new();
        for section in files.each(root, "keyframe") {
            keys.extend(files.each(section, "key"));
        }
        let names = || {
            keys.iter()
                .filter_map(|key| key.attribute("name"))
                .map(|n| n.value)
        };
        let by_name = keys
            .iter()
            .find(|key| key.attribute("name").is_some_and(|n| n.value == wanted));
        let by_number = wanted.parse::<usize>().ok().and_then(|n| keys.get(n));
        let Some(key) = by_name.or(by_number) else {
            let message = format!("there is no keyframe {}", shown(wanted));
            let help = match (did_you_mean(wanted, names()), keys.len()) {
                (Some(close), _) => format!("did you mean `{close}`?"),
                (None, 0) => "the model has no keyframes".to_owned(),
                (None, count) => {
                    format!("give the name or the index, from 0, of one of {count} keyframes")
                }
            };
            diagnostics.push(Diagnostic::error("no-keyframe", message).help(help));
            return start;
        };
        let part = MjcfElement::plain(*key);
        if let Some(joint) = bodies.joints.iter().find(|joint| joint.aligned) {
            let message = format!(
                "{} is aligned with its inertia, which keyframes then refer to",
                joint.part.what()
            );
            let help =
                "save the model from MuJoCo without alignment, or import it without a keyframe";
            part.error("aligned", message, part.span(), help);
        }
        fill(&part, "qpos", &mut start.positions);
        fill(&part, "qvel", &mut start.rates);
        fill(&part, "ctrl", std::slice::from_mut(&mut start.controls));
        for position in &mut start.positions {
            let count = position.len();
            if count >= 4 {
                let turn = &mut position[count - 4..];
                let size = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
                if size < 1e-10 {
                    let message = format!("{} has a quaternion of length 0", part.what());
                    let span = part.attribute("qpos").map_or(part.span(), |q| q.span);
                    part.error("no-direction", message, span, "");
                    turn.copy_from_slice(&[1.0, 0.0, 0.0, 0.0]);
                } else {
                    for x in turn {
                        *x /= size;
                    }
                }
            }
        }
        start
    }
}

/// Distributes the numbers of an attribute over lists.
fn fill(part: &MjcfElement<'_>, name: &str, lists: &mut [Vec<f64>]) {
    let Some(found) = part.numbers(name) else {
        return;
    };
    let wanted: usize = lists.iter().map(Vec::len).sum();
    if found.value.len() != wanted {
        let message = format!(
            "{}: {name} has {} numbers; the model needs {wanted}",
            part.what(),
            found.value.len()
        );
        part.error("wrong-count", message, found.span, "");
        return;
    }
    for (slot, x) in lists.iter_mut().flatten().zip(found.value) {
        *slot = x;
    }
}
