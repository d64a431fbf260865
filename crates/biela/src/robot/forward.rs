//! Forward dynamics of a robot under given generalized forces.

use std::sync::{Arc, Mutex, PoisonError};

use biela_core::analysis::{Formulation, Study};
use biela_core::forces::Actuator;
use biela_core::math::Jet;
use biela_core::model::{
    ControllerElement, DriverTarget, ForceIndex, InitialValue, JointIndex, Law, Model, SampledLaw,
    SignalFunction,
};
use biela_core::robot::{Efforts, Robot, RobotWorkspace};
use biela_core::system::channels;
use biela_model::lower::Outputs;

use super::{History, RobotReference, WorkbenchError};
use crate::{Job, Run};

/// The default number of output rows.
const ROWS: f64 = 256.0;

/// Simulates the motion from the initial state under given generalized forces of all joints, until `to` (default: the duration of the model). Nothing else
/// actuates the joints: their drivers are removed; actuators, motors and controllers are off. Springs, dampers and friction of the joints remain.
pub fn forward(
    mut job: Job,
    efforts: Vec<Law>,
    to: Option<f64>,
) -> Result<(Run, History), WorkbenchError> {
    let robot = Robot::of(&job.model)?;
    // other actuation of the joints is removed
    let given = |target| matches!(target, DriverTarget::Joint(j, _) if robot.joints.iter().any(|joint| joint.index == j));
    job.model.drivers.retain(|driver| !given(driver.target));
    let joints: Vec<JointIndex> = robot.joints.iter().map(|joint| joint.index).collect();
    for element in &mut job.model.forces {
        let coordinate = element.force.coordinate();
        if coordinate.is_some_and(|(joint, _)| joints.contains(&joint))
            && let Some(passive) = element.force.with_command(None)
        {
            element.force = passive.into();
        }
    }
    for controller in &mut job.model.controllers {
        silence(controller);
    }
    let mut names = Vec::new();
    for (joint, law) in robot.joints.iter().zip(efforts) {
        let name = free_name(&job.model, &joint.name);
        let _ = push(&mut job.model, joint.index, &name, law);
        names.push(name);
    }
    job.study = Some(study(&job, to));
    let wanted = robot.joints.iter().zip(&names).map(|(joint, force)| {
        let word = if joint.angle { "angle" } else { "position" };
        [
            format!("{}.{word}", joint.name),
            format!("{}.rate", joint.name),
            format!("{}.acceleration", joint.name),
            format!("{force}.effort"),
        ]
    });
    let wanted: Vec<[String; 4]> = wanted.collect();
    let list = channels(&job.model);
    let kept = wanted.iter().flatten();
    job.outputs = Outputs {
        channels: kept
            .filter_map(|name| list.iter().find(|c| c.name == *name).cloned())
            .collect(),
        panels: Vec::new(),
    };
    let run = crate::run(job).map_err(|error| WorkbenchError::Run(Box::new(error)))?;
    let history = histories(&robot, &run, &wanted);
    Ok((run, history))
}

/// A control law with zero output.
#[derive(Debug)]
struct Silent;

impl SampledLaw for Silent {
    fn outputs(&self, _: f64, _: &[f64], _: &[f64], outputs: &mut [f64]) {
        outputs.fill(0.0);
    }

    fn advance(&self, _: f64, _: &[f64], _: &[f64], _: &mut [f64]) {}
}

/// Sets the output of a controller to zero from the start.
fn silence(controller: &mut ControllerElement) {
    controller.law = Arc::new(Silent);
    for output in &mut controller.outputs {
        output.initial = 0.0;
        output.saturation = None;
    }
}

fn histories(robot: &Robot, run: &Run, wanted: &[[String; 4]]) -> History {
    let mut history = History {
        times: run.times().to_vec(),
        ..History::default()
    };
    let words = [
        ("position", ["m", "rad"], "joint position"),
        ("rate", ["m/s", "rad/s"], "joint velocity"),
        ("acceleration", ["m/s^2", "rad/s^2"], "joint acceleration"),
        ("effort", ["N", "N*m"], "joint force or torque"),
    ];
    let mut columns: Vec<Vec<usize>> = Vec::new();
    for (k, (word, units, text)) in words.into_iter().enumerate() {
        let mut list = Vec::new();
        for (joint, names) in robot.joints.iter().zip(wanted) {
            let unit = units[usize::from(joint.angle)];
            let column = history.add(format!("{}.{word}", joint.name), unit, text);
            history.values[column] = run.column(&names[k]).unwrap_or_default();
            list.push(column);
        }
        columns.push(list);
    }
    for list in &columns {
        history.draw(list);
    }
    let pairs = columns[0].iter().zip(&columns[1]);
    history.planes = pairs.map(|(&x, &y)| [x, y]).collect();
    history
}

/// Adds an actuator with a law to a joint.
pub(super) fn push(model: &mut Model, joint: JointIndex, name: &str, law: Law) -> ForceIndex {
    model.add_force(name, Actuator::new(joint, law))
}

/// A unique name for the actuator of a joint.
pub(super) fn free_name(model: &Model, joint: &str) -> String {
    let mut name = format!("{joint}_effort");
    while model.forces.iter().any(|force| force.name == name) {
        name.push('_');
    }
    name
}

/// The study of the model in joint coordinates, until `to`.
fn study(job: &Job, to: Option<f64>) -> Study {
    let mut study = job.study_or_start();
    if let Some(to) = to {
        study.duration = to;
        study.output_step = to / ROWS;
    }
    study.formulation = Formulation::Tree;
    study
}

/// Sets the initial state of the joints to the start of a reference motion.
pub fn start_on(model: &mut Model, reference: &mut RobotReference) {
    reference.at(0.0);
    for (k, joint) in reference.robot.joints.iter().enumerate() {
        model.joints[joint.index.0].initial = vec![InitialValue {
            coordinate: 0,
            value: Some(reference.point[0][k]),
            rate: Some(reference.point[1][k]),
            keep: false,
        }];
    }
}

/// The generalized forces of a reference motion as functions of time, one per joint.
pub fn feedforward_laws(reference: &RobotReference) -> Vec<Law> {
    let shared = Arc::new(Mutex::new(Needed {
        reference: reference.clone(),
        ws: reference.workspace(),
        efforts: Efforts::default(),
        time: f64::NAN,
    }));
    let law = |joint: usize| Law::Function {
        inputs: Arc::new([]),
        function: Arc::new(OneEffort {
            needed: Arc::clone(&shared),
            joint,
            corners: reference.element.motion.corners(),
        }),
    };
    (0..reference.robot.joints.len()).map(law).collect()
}

/// All generalized forces at one time, computed once for all joints.
#[derive(Debug)]
struct Needed {
    reference: RobotReference,
    ws: RobotWorkspace,
    efforts: Efforts,
    time: f64,
}

#[derive(Debug)]
struct OneEffort {
    needed: Arc<Mutex<Needed>>,
    joint: usize,
    corners: Vec<f64>,
}

impl SignalFunction for OneEffort {
    fn value(&self, time: f64, _: &[f64]) -> f64 {
        let mut needed = self.needed.lock().unwrap_or_else(PoisonError::into_inner);
        let needed = &mut *needed;
        if needed.time != time {
            needed.reference.at(time);
            let [q, rate, acceleration] = &needed.reference.point;
            needed.reference.robot.efforts(
                &mut needed.ws,
                [q, rate, acceleration],
                &mut needed.efforts,
            );
            needed.time = time;
        }
        needed.efforts.total[self.joint]
    }

    /// Only the value is provided, because a generalized force does not prescribe a motion.
    fn jet(&self, time: f64) -> Jet {
        Jet::new(self.value(time, &[]), f64::NAN, f64::NAN)
    }

    fn next_corner(&self, after: f64) -> f64 {
        let later = self.corners.iter().copied().find(|corner| *corner > after);
        later.unwrap_or(f64::INFINITY)
    }
}
