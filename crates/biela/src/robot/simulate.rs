//! Closed-loop simulation: a robot with its controllers, and controllers designed with one model applied to another robot.

use std::sync::Arc;

use biela_core::model::{
    ControllerElement, ForceElement, JointIndex, JointQuantity, Law, Model, Signal,
};
use biela_core::robot::Robot;
use biela_core::system::channels;
use biela_model::lower::Outputs;

use super::forward::{free_name, push};
use super::{Chart, History, RobotReference, WorkbenchError};
use crate::{Job, Run};

/// Transfers the controllers and trajectories of a design model to another robot. The joints correspond in the order of both robots, and the controllers still
/// use the design model. Motors of the real robot without a command receive the output of the controllers.
pub fn put_to_work(design: &Model, real: &mut Model) -> Result<(), WorkbenchError> {
    let (planned, built) = (Robot::of(design)?, Robot::of(real)?);
    if planned.joints.len() != built.joints.len() {
        return Err(WorkbenchError::Other(format!(
            "the model has {} joints, the real robot {}; both must have the same number",
            planned.joints.len(),
            built.joints.len()
        )));
    }
    for (a, b) in planned.joints.iter().zip(&built.joints) {
        if a.angle != b.angle {
            return Err(WorkbenchError::Other(format!(
                "joint `{}` of the model and `{}` of the real robot correspond, but one is revolute and the other prismatic",
                a.name, b.name
            )));
        }
    }
    let outputs = |model: &Model| -> Vec<String> {
        let outputs = model.controllers.iter().flat_map(|c| &c.outputs);
        outputs.map(|output| output.name.clone()).collect()
    };
    // one file in both roles with different parameters: the outputs of its controllers keep their targets
    let in_place = !real.controllers.is_empty();
    if in_place && outputs(real) != outputs(design) {
        return Err(WorkbenchError::Other(
            "the real robot has controllers of its own, but those of the model are simulated; remove them".to_owned(),
        ));
    }
    let pairs: Vec<(JointIndex, JointIndex)> = planned
        .joints
        .iter()
        .zip(&built.joints)
        .map(|(a, b)| (a.index, b.index))
        .collect();
    let of = |joint: JointIndex| pairs.iter().find(|(a, _)| *a == joint).map(|(_, b)| *b);

    real.trajectories.clone_from(&design.trajectories);
    for trajectory in &mut real.trajectories {
        for joint in &mut trajectory.joints {
            *joint = of(*joint).unwrap_or(*joint);
        }
    }
    let moved = |controller: &ControllerElement| {
        let mut controller = controller.clone();
        for input in &mut controller.inputs {
            if let Law::Function { inputs, .. } = &mut input.law {
                let signals: Option<Vec<Signal>> = inputs
                    .iter()
                    .map(|signal| match signal {
                        Signal::Joint(joint, quantity) => {
                            of(*joint).map(|joint| Signal::Joint(joint, *quantity))
                        }
                        Signal::Controller(_) => Some(*signal),
                        _ => None,
                    })
                    .collect();
                let signals = signals.ok_or_else(|| {
                    WorkbenchError::Other(format!(
                        "controller `{}` reads a signal that is not a joint signal; the real robot may not have it",
                        controller.name
                    ))
                })?;
                *inputs = Arc::from(signals);
            }
        }
        Ok(controller)
    };
    let controllers: Result<Vec<_>, WorkbenchError> =
        design.controllers.iter().map(moved).collect();
    real.controllers = controllers?;
    if in_place {
        return Ok(());
    }
    let outputs = design.controllers.iter().flat_map(|c| &c.outputs);
    for (k, output) in outputs.enumerate() {
        let driven = planned.joints.iter().position(|j| j.name == output.name);
        let Some(joint) = driven.map(|i| &built.joints[i]) else {
            continue;
        };
        let effort = Law::signal(Signal::Controller(k));
        let waits = |force: &&mut ForceElement| force.force.idle() == Some((joint.index, 0));
        if let Some(motor) = real.forces.iter_mut().find(waits)
            && let Some(commanded) = motor.force.with_command(Some(effort.clone()))
        {
            motor.force = commanded.into();
        } else {
            let name = free_name(real, &joint.name);
            let _ = push(real, joint.index, &name, effort);
        }
    }
    Ok(())
}

/// Simulates a controlled robot. The history contains position, velocity and generalized force of every joint; along a trajectory also the reference and the
/// tracking error.
pub fn simulate(mut job: Job, trajectory: Option<&str>) -> Result<(Run, History), WorkbenchError> {
    if job.model.controllers.is_empty() {
        return Err(WorkbenchError::Other(
            "the model has no controller: add [[controller]] with a law such as \"computed-torque\", or simulate the model without controllers".to_owned(),
        ));
    }
    let robot = Robot::of(&job.model)?;
    let reference = match trajectory {
        None if job.model.trajectories.is_empty() => None,
        name => Some(RobotReference::along(&job.model, robot.clone(), name)?),
    };
    let outputs: Vec<String> = { job.model.controllers.iter() }
        .flat_map(|c| c.outputs.iter().map(|output| output.name.clone()))
        .collect();
    let effort_of = |joint: &str| outputs.iter().position(|name| name == joint);
    let all = channels(&job.model);
    let find = |signal: Signal| all.iter().find(|c| c.signal == signal).cloned();
    let mut kept = Vec::new();
    let mut keep = |signal: Signal| {
        find(signal).map(|channel| {
            let name = channel.name.clone();
            kept.push(channel);
            name
        })
    };
    let names: Vec<[Option<String>; 3]> = { robot.joints.iter() }
        .map(|joint| {
            let of = |quantity| Signal::Joint(joint.index, quantity);
            [
                keep(of(JointQuantity::Value(0))),
                keep(of(JointQuantity::Rate(0))),
                effort_of(&joint.name).and_then(|k| keep(Signal::Controller(k))),
            ]
        })
        .collect();
    job.outputs = Outputs {
        channels: kept,
        panels: Vec::new(),
    };
    let run = crate::run(job).map_err(|error| WorkbenchError::Run(Box::new(error)))?;
    let history = histories(&robot, reference, &run, &names);
    Ok((run, history))
}

fn histories(
    robot: &Robot,
    reference: Option<RobotReference>,
    run: &Run,
    names: &[[Option<String>; 3]],
) -> History {
    let mut history = History {
        times: run.times().to_vec(),
        ..History::default()
    };
    let wanted = reference.map(|mut reference| {
        let n = robot.joints.len();
        let mut wanted = vec![[Vec::new(), Vec::new()]; n];
        for &time in run.times() {
            reference.at(time);
            for (j, [q, rate]) in wanted.iter_mut().enumerate() {
                q.push(reference.point[0][j]);
                rate.push(reference.point[1][j]);
            }
        }
        wanted
    });
    let (mut errors, mut rate_errors, mut efforts) = (Vec::new(), Vec::new(), Vec::new());
    for (j, joint) in robot.joints.iter().enumerate() {
        let rate_unit = if joint.angle { "rad/s" } else { "m/s" };
        let mut put = |word: &str, unit: &str, text: &str, values: Vec<f64>| {
            let column = history.add(format!("{}.{word}", joint.name), unit, text);
            history.values[column] = values;
            column
        };
        let [q, rate, effort] = names[j]
            .each_ref()
            .map(|name| name.as_ref().and_then(|name| run.column(name)));
        let (q, rate) = (q.unwrap_or_default(), rate.unwrap_or_default());
        let less = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>();
        let mut tracked = Vec::new();
        if let Some([q_wanted, rate_wanted]) = wanted.as_ref().map(|wanted| &wanted[j]) {
            let text = "reference position of the joint";
            tracked.push(put("reference", joint.unit(), text, q_wanted.clone()));
            let text = "reference minus position";
            errors.push(put("error", joint.unit(), text, less(q_wanted, &q)));
            let text = "reference velocity minus velocity";
            let error = less(rate_wanted, &rate);
            rate_errors.push(put("rate_error", rate_unit, text, error));
        }
        let at = put("position", joint.unit(), "joint position", q);
        let speed = put("rate", rate_unit, "joint velocity", rate);
        tracked.push(at);
        if let Some(effort) = effort {
            let text = "force or torque commanded by the controller";
            efforts.push(put("effort", joint.effort_unit(), text, effort));
        }
        history.tracking.push(Chart { columns: tracked });
        history.planes.push([at, speed]);
    }
    for list in [&errors, &rate_errors, &efforts] {
        history.draw(list);
    }
    if errors.is_empty() {
        // without a reference only the motion itself is shown
        history.charts.extend(std::mem::take(&mut history.tracking));
    }
    history
}
