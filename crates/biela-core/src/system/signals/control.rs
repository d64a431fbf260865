//! Signals of sensors, controllers, external inputs and trajectories.

use super::Evaluation;
use super::quantities::quantities;
use super::table::{ChannelList, SignalDescription};
use crate::model::{InputIndex, Law, Model, Signal, Stage};

/// Returns the latest stage of the signals that a law reads.
pub(crate) fn law_stage(model: &Model, law: &Law) -> Stage {
    let stages = law.inputs().iter().map(|signal| signal.stage(model));
    stages.max().unwrap_or(Stage::Position)
}

/// An output of a controller, held from sample to sample.
pub(super) const OUTPUT: SignalDescription = SignalDescription {
    name: "OUTPUT",
    unit: "its own",
    stage: Stage::Position,
    text: "an output, held from sample to sample",
};

quantities! {
    /// Quantities of a joint of a trajectory; names follow the name of the joint.
    TrajectoryQuantity, at: &ReferenceMotion<'_> {
        Position "" "m|rad" Position "reference position" = at.motion().joint(at.joint, at.time()).value,
        Rate "_rate" "m/s|rad/s" Position "reference velocity" = at.motion().joint(at.joint, at.time()).rate,
        Acceleration "_acceleration" "m/s^2|rad/s^2" Position "reference acceleration" = at.motion().joint(at.joint, at.time()).curvature,
        Jerk "_jerk" "m/s^3|rad/s^3" Position "reference jerk" = at.motion().jerk(at.joint, at.time()),
    }
}

/// The motion of a joint of a trajectory at an instant.
pub(super) struct ReferenceMotion<'a> {
    pub(super) evaluation: &'a Evaluation<'a>,
    pub(super) trajectory: usize,
    pub(super) joint: usize,
}

impl ReferenceMotion<'_> {
    fn motion(&self) -> &dyn crate::control::Trajectory {
        let model = self.evaluation.context.model;
        model.trajectories[self.trajectory].motion.as_ref()
    }

    fn time(&self) -> f64 {
        self.evaluation.context.kinematics.law_time()
    }
}

/// Adds sensors, outputs of controllers and external inputs.
pub(super) fn list(channels: &mut ChannelList<'_>) {
    let model = channels.model;
    for (k, sensor) in model.sensors.iter().enumerate() {
        if channels.wants(&sensor.name) {
            let text = format!("sensor {}", sensor.name);
            let signal = Signal::Sensor(k);
            channels.add(sensor.name.clone(), &sensor.unit, text, signal);
        }
    }
    let controllers = model.controllers.iter();
    let outputs = controllers.flat_map(|c| c.outputs.iter().map(|output| (&c.name, output)));
    for (k, (controller, output)) in outputs.enumerate() {
        if channels.wants(controller) {
            channels.add(
                format!("{controller}.{}", output.name),
                &output.unit,
                format!("output {} of controller {controller}", output.name),
                Signal::Controller(k),
            );
        }
    }
    for (k, input) in model.inputs.iter().enumerate() {
        if channels.wants(&input.name) {
            let text = format!("external input {}", input.name);
            let signal = Signal::Input(InputIndex(k));
            channels.add(input.name.clone(), &input.unit, text, signal);
        }
    }
}

/// Adds the signals of the trajectories.
pub(super) fn list_trajectories(channels: &mut ChannelList<'_>) {
    let model = channels.model;
    for (t, element) in model.trajectories.iter().enumerate() {
        if !channels.wants(&element.name) {
            continue;
        }
        for (k, index) in element.joints.iter().enumerate() {
            let joint = &model.joints[index.0].name;
            for &q in TrajectoryQuantity::ALL {
                let name = format!("{}.{joint}{}", element.name, q.name());
                let unit = crate::element::unit_along(q.unit(), model.is_angle(*index, 0));
                let text = format!("{} of {joint} along {}", q.text(), element.name);
                channels.add(name, unit, text, Signal::Trajectory(t, k, q));
            }
        }
    }
}
