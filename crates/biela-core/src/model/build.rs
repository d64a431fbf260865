//! Elements of a model that is built in code.

use super::{
    ControllerElement, Crossing, DriverElement, DriverIndex, DriverTarget, Event, EventAction,
    Hold, InitialValue, InputElement, InputIndex, JointIndex, Law, MarkerIndex, Model, Motion,
    Sensor, Signal, TrajectoryElement,
};
use std::sync::Arc;

use crate::control::trajectories::{Setting, TrajectoryKind, resting};
use crate::element::{ArgumentError, Fields, Origin, VectorInput};
use crate::joints::{IntoJoint, Joint, Weld};
use crate::math::rotation::{aligning, identity};
use crate::robot::Robot;

impl Model {
    /// Adds a joint between two markers whose frames coincide at zero coordinates. Its axis is that of [`Joint::axis`] in both marker frames: z for a
    /// revolute joint, x for a prismatic one. [`Model::add_joint_along`] has another axis.
    ///
    /// ```
    /// use biela_core::joints::Revolute;
    /// use biela_core::model::{Body, MarkerIndex, MassProperties, Model, Space};
    ///
    /// let mut model = Model::new("pendulum", Space::Planar);
    /// let rod = model.add_body(Body::new("rod", MassProperties::planar(2.0, [0.5, 0.0], 0.17)?));
    /// let pin = model.connect("pin", Revolute, [MarkerIndex::GROUND, model.body_marker(rod)]);
    /// model.set_initial(pin, 0, -0.5, 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn connect(
        &mut self,
        name: impl Into<String>,
        joint: impl IntoJoint,
        between: [MarkerIndex; 2],
    ) -> JointIndex {
        self.add_joint(name, joint, between, &identity())
    }

    /// Adds a joint between two markers whose axis has a direction, given in both marker frames; see [`Model::add_joint`].
    ///
    /// ```
    /// use biela_core::joints::Revolute;
    /// use biela_core::math::Vec3;
    /// use biela_core::model::{Body, MarkerIndex, MassProperties, Model, Space};
    ///
    /// let mut model = Model::new("door", Space::Spatial);
    /// let door = model.add_body(Body::new("door", MassProperties::massless(Vec3::zeros())));
    /// let between = [MarkerIndex::GROUND, model.body_marker(door)];
    /// let hinge = model.add_joint_along("hinge", Revolute, between, [0.0, 1.0, 0.0]);
    /// assert_eq!(model.joints[hinge.0].name, "hinge");
    /// ```
    pub fn add_joint_along(
        &mut self,
        name: impl Into<String>,
        joint: impl IntoJoint,
        between: [MarkerIndex; 2],
        axis: impl Into<VectorInput>,
    ) -> JointIndex {
        let name = name.into();
        let VectorInput(axis) = axis.into();
        let length = axis.norm();
        if !(length.is_finite() && length > 0.0) {
            let message = format!("its length is {length}; give a direction");
            let field = "axis";
            self.record(format!("joint `{name}`"), ArgumentError { field, message });
        }
        match self.built_joint(&name, joint) {
            Some(joint) => {
                let turn = aligning(joint.axis(), &axis);
                self.add_joint(name, joint, between, &turn)
            }
            None => self.add_joint(name, Joint::Weld(Weld), between, &identity()),
        }
    }

    /// Sets the initial value of a measured coordinate of a joint and its velocity, in SI units. Assembly preserves them, and they take precedence over the
    /// initial velocities of bodies; [`Model::set_initial_value`] leaves the velocity to those.
    pub fn set_initial(&mut self, joint: JointIndex, coordinate: usize, value: f64, rate: f64) {
        self.set_initial_state(joint, coordinate, value, Some(rate));
    }

    /// Sets the initial value of a measured coordinate of a joint, in SI units, which assembly preserves. Its velocity follows from the initial velocities of
    /// the bodies, if they are given; otherwise it is zero, or what the constraints require.
    ///
    /// ```
    /// use biela_core::analysis::{Formulation, assemble};
    /// use biela_core::joints::Revolute;
    /// use biela_core::math::Vec3;
    /// use biela_core::model::{Body, MarkerIndex, MassProperties, Model, Space, Velocity0};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut model = Model::new("pendulum", Space::Planar);
    /// let mut rod = Body::new("rod", MassProperties::planar(2.0, [0.5, 0.0], 0.17)?);
    /// let (linear, angular) = (Vec3::zeros(), Vec3::new(0.0, 0.0, 2.0));
    /// rod.velocity = Some(Velocity0 { linear, angular });
    /// let rod = model.add_body(rod);
    /// let pin = model.connect("pin", Revolute, [MarkerIndex::GROUND, model.body_marker(rod)]);
    /// model.set_initial_value(pin, 0, -0.5);
    /// let start = assemble(model, Formulation::Tree)?;
    /// assert_eq!((start.state.q[0], start.state.v[0]), (-0.5, 2.0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_initial_value(&mut self, joint: JointIndex, coordinate: usize, value: f64) {
        self.set_initial_state(joint, coordinate, value, None);
    }

    fn set_initial_state(
        &mut self,
        joint: JointIndex,
        coordinate: usize,
        value: f64,
        rate: Option<f64>,
    ) {
        let Some(element) = self.joints.get_mut(joint.0) else {
            if let Err(message) = self.has_joint(joint) {
                let field = "initial";
                self.record("joint".to_owned(), ArgumentError { field, message });
            }
            return;
        };
        let initial = &mut element.initial;
        initial.retain(|given| given.coordinate != coordinate);
        initial.push(InitialValue {
            coordinate,
            value: Some(value),
            rate,
            keep: true,
        });
    }

    /// Adds an external input with zero-order hold, which [`Simulation::set`](crate::analysis::Simulation::set) changes during a run.
    ///
    /// ```
    /// use biela_core::model::{Law, Model, Signal, Space};
    ///
    /// let mut model = Model::new("cart", Space::Planar);
    /// let push = model.add_input("push", "N", 0.0);
    /// let effort = Law::signal(Signal::Input(push));
    /// assert_eq!(model.signal("push"), Some(Signal::Input(push)));
    /// ```
    pub fn add_input(
        &mut self,
        name: impl Into<String>,
        unit: impl Into<String>,
        initial: f64,
    ) -> InputIndex {
        self.inputs.push(InputElement {
            name: name.into(),
            origin: Origin::default(),
            unit: unit.into(),
            initial,
            hold: Hold::Zero,
        });
        InputIndex(self.inputs.len() - 1)
    }

    /// Adds a reference motion of joints, and returns the motions of the joints for drivers.
    ///
    /// ```
    /// use biela_core::control::trajectories::Quintic;
    /// use biela_core::joints::Revolute;
    /// use biela_core::model::{Body, DriverTarget, MarkerIndex, MassProperties, Model, Space};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut model = Model::new("arm", Space::Planar);
    /// let arm = model.add_body(Body::new("arm", MassProperties::planar(2.0, [0.5, 0.0], 0.17)?));
    /// let pin = model.connect("pin", Revolute, [MarkerIndex::GROUND, model.body_marker(arm)]);
    /// let motions = model.add_trajectory("swing", &[pin], Quintic::new([0.0, 1.0], [0.0, 2.0]));
    /// let _ = model.add_driver("motor", DriverTarget::Joint(pin, 0), motions[0].clone());
    /// model.check()?;
    /// assert!((motions[0].at(1.0).value - 0.5).abs() < 1e-12);
    /// # Ok(())
    /// # }
    /// ```
    pub fn add_trajectory<K: TrajectoryKind>(
        &mut self,
        name: impl Into<String>,
        joints: &[JointIndex],
        trajectory: Fields<K>,
    ) -> Vec<Motion> {
        let name = name.into();
        let limits = |joint: &JointIndex| self.joints.get(joint.0).map(|element| element.limits);
        // a robot can be built of a valid model only
        let robot = match self.check() {
            Ok(()) => Robot::complete(self).map_err(|error| error.to_string()),
            Err(faults) => Err(faults.to_string()),
        };
        let setting = Setting {
            joints: joints
                .iter()
                .map(|j| limits(j).unwrap_or_default())
                .collect(),
            start: 0.0,
            robot: robot.as_ref().map_err(Clone::clone),
        };
        let built = trajectory.build_trajectory(&setting);
        let motion = built.unwrap_or_else(|error| {
            self.record(format!("trajectory `{name}`"), error);
            resting(joints.len())
        });
        self.trajectories.push(TrajectoryElement {
            name,
            origin: Origin::default(),
            joints: joints.to_vec(),
            motion: Arc::clone(&motion),
        });
        let of_joint = |joint| Motion::Trajectory {
            motion: Arc::clone(&motion),
            joint,
        };
        (0..joints.len()).map(of_joint).collect()
    }

    /// Adds a prescribed motion.
    pub fn add_driver(
        &mut self,
        name: impl Into<String>,
        target: DriverTarget,
        motion: Motion,
    ) -> DriverIndex {
        self.drivers.push(DriverElement {
            name: name.into(),
            origin: Origin::default(),
            target,
            motion,
        });
        DriverIndex(self.drivers.len() - 1)
    }

    /// Adds a sensor, a named law that appears among the results, and returns its signal.
    pub fn add_sensor(
        &mut self,
        name: impl Into<String>,
        unit: impl Into<String>,
        law: Law,
    ) -> Signal {
        self.sensors.push(Sensor {
            name: name.into(),
            origin: Origin::default(),
            unit: unit.into(),
            law,
        });
        Signal::Sensor(self.sensors.len() - 1)
    }

    /// Adds an event: the zero crossings of a law, located during a run.
    pub fn add_event(
        &mut self,
        name: impl Into<String>,
        law: Law,
        crossing: Crossing,
        action: EventAction,
    ) {
        self.events.push(Event {
            name: name.into(),
            origin: Origin::default(),
            law,
            crossing,
            action,
        });
    }

    /// Adds a sampled controller and returns the signals of its outputs.
    pub fn add_controller(&mut self, controller: ControllerElement) -> Vec<Signal> {
        let before: usize = self.controllers.iter().map(|c| c.outputs.len()).sum();
        let outputs = before..before + controller.outputs.len();
        self.controllers.push(controller);
        outputs.map(Signal::Controller).collect()
    }
}
