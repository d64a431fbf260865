//! Checks of a whole model: what the constructors of its elements cannot see alone.
//!
//! A model file is checked when it is read, with source spans. A model that is built in code is checked here, before it is assembled: every
//! index, number and name that the algorithms take for granted.

use std::collections::BTreeMap;

use super::{
    BodyIndex, DriverTarget, Fault, Faults, ForceElement, ForceQuantity, JointIndex, JointQuantity,
    Law, MAX_INPUTS, MarkerIndex, Model, Signal, Stage,
};
use crate::element::{ArgumentError, Arguments, FieldValue, Origin};
use crate::math::Pose;
use crate::system::law_stage;
use crate::tree::{Numbers, Tree, span_without_poles, unresisted};

/// A motion whose acceleration no inertia determines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MotionWithoutInertia {
    /// The body that moves.
    pub body: BodyIndex,
    /// The joint that moves it; `None` for a free body.
    pub joint: Option<JointIndex>,
}

impl Model {
    /// Checks the model: everything that [`assemble`](crate::analysis::assemble) requires, which calls it.
    ///
    /// ```
    /// use biela_core::joints::Screw;
    /// use biela_core::model::{Body, MarkerIndex, MassProperties, Model, Space};
    ///
    /// let mut model = Model::new("press", Space::Spatial);
    /// let ram = model.add_body(Body::new("ram", MassProperties::massless([0.0; 3].into())));
    /// let between = [MarkerIndex::GROUND, model.body_marker(ram)];
    /// model.connect("spindle", Screw::new(f64::NAN), between);
    /// model.connect("spindle", Screw::new(0.01), [MarkerIndex::GROUND, MarkerIndex(7)]);
    /// let faults = model.check().unwrap_err();
    /// let lines: Vec<String> = faults.list().iter().map(ToString::to_string).collect();
    /// assert!(lines[0].starts_with("joint `spindle`, `pitch`: it is NaN"));
    /// assert!(lines[1].contains("there is no marker 7"));
    /// assert!(lines[2].contains("the name `spindle` is used twice"));
    /// ```
    ///
    /// # Errors
    ///
    /// All mistakes: invalid fields of elements, indices that do not belong to this model, numbers that are not finite, names that are used twice, joints
    /// of the other space, bodies that move without inertia, laws of signals that are not known yet when they are evaluated.
    pub fn check(&self) -> Result<(), Faults> {
        let mut found = ModelChecker {
            model: self,
            faults: self.faults.clone(),
        };
        found.names();
        found.model_numbers();
        found.bodies();
        found.joints();
        found.couplers_and_drivers();
        found.laws();
        found.sampling();
        found.robot();
        if found.faults.is_empty() {
            found.sensors_in_circles();
        }
        // these evaluate the model, whose indices must be valid
        if found.faults.is_empty() {
            found.stages();
            found.forces();
            found.motions_without_inertia();
        }
        Faults::of(found.faults)
    }

    /// The motions that no inertia resists, such as that of a massless body at the end of a chain, or of a point mass about its own axis.
    pub fn motions_without_inertia(&self) -> Vec<MotionWithoutInertia> {
        let Some(lacking) = self.body_without_inertia() else {
            return Vec::new();
        };
        if !self.beams.is_empty() {
            // beams require absolute coordinates, in which every body needs inertia of its own
            return vec![MotionWithoutInertia {
                body: lacking,
                joint: None,
            }];
        }
        let mut tree = Tree::along(self, &Numbers::of(self), span_without_poles(self));
        let mut found = Vec::new();
        let mut seen = vec![false; tree.links.len()];
        while let Some(link) = unresisted(&tree) {
            // next to a very distant mass no inertia is significant
            if std::mem::replace(&mut seen[link], true) {
                break;
            }
            let of_link = |b: &usize| tree.places[*b].link == Some(link);
            let body = (0..self.bodies.len()).find(of_link);
            found.push(MotionWithoutInertia {
                body: body.map_or(lacking, BodyIndex),
                joint: tree.links[link].element,
            });
            // the search continues as if this one were corrected
            let corrected = tree.links[link].velocities();
            tree.armature[corrected].fill(1.0);
        }
        found
    }

    /// Checks that the indices among the values of an element belong to this model.
    pub(crate) fn check_indices(&self, arguments: &Arguments) -> Result<(), ArgumentError> {
        let errors = self.index_errors(arguments);
        errors.into_iter().next().map_or(Ok(()), Err)
    }

    /// Returns the indices among the values of an element that do not belong to this model.
    pub(crate) fn index_errors(&self, arguments: &Arguments) -> Vec<ArgumentError> {
        let mut errors = Vec::new();
        for (field, value) in arguments.given() {
            let checked = match value {
                FieldValue::Marker(marker) => self.has_marker(*marker),
                FieldValue::Markers([a, b]) => {
                    self.has_marker(*a).and_then(|()| self.has_marker(*b))
                }
                FieldValue::Joint(joint) => self.has_joint(*joint),
                FieldValue::Coordinate(joint, k) => self.has_coordinate(*joint, *k),
                FieldValue::Beam(beam) if self.beam_length(*beam).is_none() => {
                    Err("there is no such beam; use an index that this model returned".to_owned())
                }
                _ => Ok(()),
            };
            if let Err(message) = checked {
                errors.push(ArgumentError { field, message });
            }
        }
        errors
    }

    /// Checks that a marker belongs to this model.
    pub(crate) fn has_marker(&self, marker: MarkerIndex) -> Result<(), String> {
        member("marker", marker.0, self.markers.len())
    }

    /// Checks that a joint belongs to this model.
    pub(crate) fn has_joint(&self, joint: JointIndex) -> Result<(), String> {
        member("joint", joint.0, self.joints.len())
    }

    fn has_body(&self, body: BodyIndex) -> Result<(), String> {
        body.number()
            .map_or(Ok(()), |b| member("body", b, self.bodies.len()))
    }

    /// Checks that a joint has a measured coordinate.
    pub(crate) fn has_coordinate(&self, joint: JointIndex, k: usize) -> Result<(), String> {
        self.has_joint(joint)?;
        let element = &self.joints[joint.0];
        let count = element.joint.coordinates(self.space).len();
        if k < count {
            return Ok(());
        }
        let name = &element.name;
        Err(format!(
            "joint `{name}` has no coordinate {k}; it has {count}, counted from 0"
        ))
    }

    /// Checks that a signal is one of this model.
    fn has_signal(&self, signal: Signal) -> Result<(), String> {
        match signal {
            Signal::Time | Signal::Energy(_) | Signal::Solver(_) => Ok(()),
            Signal::Body(body, _) | Signal::Station(body, _) => {
                member("body", body.0, self.bodies.len())
            }
            Signal::Beam(beam, _) => member("beam", beam.0, self.beams.len()),
            Signal::Node(beam, node, _) => {
                member("beam", beam.0, self.beams.len())?;
                member("node", node, self.beams[beam.0].elements.len() + 1)
            }
            Signal::ExactBeam(beam, _) => member("exact beam", beam, self.exact_beams.len()),
            Signal::Section(beam, node, _) => {
                member("exact beam", beam, self.exact_beams.len())?;
                member("node", node, self.exact_beams[beam].nodes.len())
            }
            Signal::Point(marker, _) => self.has_marker(marker),
            Signal::Joint(
                joint,
                JointQuantity::Value(k) | JointQuantity::Rate(k) | JointQuantity::Acceleration(k),
            ) => self.has_coordinate(joint, k),
            Signal::Joint(joint, _) => self.has_joint(joint),
            Signal::Force(force, quantity) => {
                member("force", force.0, self.forces.len())?;
                match quantity {
                    ForceQuantity::Measure(k) => {
                        let measures = self.forces[force.0].force.measures();
                        member("measure", k, measures.len())
                    }
                    _ => Ok(()),
                }
            }
            Signal::Contact(contact, _) => member("contact", contact.0, self.contacts.len()),
            Signal::Driver(driver, _) => member("driver", driver.0, self.drivers.len()),
            Signal::Coupler(coupler, _) => member("coupler", coupler.0, self.couplers.len()),
            Signal::Sensor(sensor) => member("sensor", sensor, self.sensors.len()),
            Signal::Controller(output) => {
                let outputs = self.controllers.iter().map(|c| c.outputs.len()).sum();
                member("controller output", output, outputs)
            }
            Signal::Input(input) => member("input", input.0, self.inputs.len()),
            Signal::Trajectory(trajectory, joint, _) => {
                member("trajectory", trajectory, self.trajectories.len())?;
                let joints = self.trajectories[trajectory].joints.len();
                member("joint of the trajectory", joint, joints)
            }
        }
    }

    /// Every law of the model, with its element, source location and field.
    fn laws(&self) -> Vec<(String, &Origin, &'static str, &Law)> {
        let mut laws = Vec::new();
        for element in &self.forces {
            let name = format!("force `{}`", element.name);
            for law in element.force.laws() {
                laws.push((name.clone(), &element.origin, "law", law));
            }
        }
        for sensor in &self.sensors {
            let name = format!("sensor `{}`", sensor.name);
            laws.push((name, &sensor.origin, "law", &sensor.law));
        }
        for event in &self.events {
            let name = format!("event `{}`", event.name);
            laws.push((name, &event.origin, "law", &event.law));
        }
        for controller in &self.controllers {
            for input in &controller.inputs {
                let name = format!("controller `{}`", controller.name);
                laws.push((name, &controller.origin, "inputs", &input.law));
            }
        }
        laws
    }
}

/// Checks that an index is below the length of its list.
fn member(what: &str, index: usize, length: usize) -> Result<(), String> {
    if index < length {
        return Ok(());
    }
    Err(format!(
        "there is no {what} {index}: this model has {length}. Use an index that this model returned"
    ))
}

fn finite(numbers: &[f64]) -> Result<(), String> {
    match numbers.iter().find(|x| !x.is_finite()) {
        Some(x) => Err(format!("a value is {x}; give finite numbers")),
        None => Ok(()),
    }
}

fn finite_pose(pose: &Pose) -> Result<(), String> {
    finite(pose.R.as_slice()).and_then(|()| finite(pose.p.as_slice()))
}

/// A model and the mistakes found so far.
struct ModelChecker<'m> {
    model: &'m Model,
    faults: Vec<Fault>,
}

impl ModelChecker<'_> {
    /// Records the outcome of a check.
    fn note(
        &mut self,
        element: &str,
        origin: &Origin,
        field: &'static str,
        checked: Result<(), String>,
    ) {
        if let Err(message) = checked {
            self.faults.push(Fault {
                element: element.to_owned(),
                origin: origin.clone(),
                field,
                message,
            });
        }
    }

    /// Names of elements are unique: results and messages identify elements by them.
    fn names(&mut self) {
        let model = self.model;
        let mut seen: BTreeMap<&str, &'static str> = BTreeMap::new();
        let lists: [(&'static str, Vec<(&str, &Origin)>); 11] = [
            ("body", named(&model.bodies, |x| (&x.name, &x.origin))),
            ("beam", named(&model.beams, |x| (&x.name, &x.origin))),
            ("joint", named(&model.joints, |x| (&x.name, &x.origin))),
            ("coupler", named(&model.couplers, |x| (&x.name, &x.origin))),
            ("driver", named(&model.drivers, |x| (&x.name, &x.origin))),
            ("force", named(&model.forces, |x| (&x.name, &x.origin))),
            ("sensor", named(&model.sensors, |x| (&x.name, &x.origin))),
            (
                "controller",
                named(&model.controllers, |x| (&x.name, &x.origin)),
            ),
            (
                "trajectory",
                named(&model.trajectories, |x| (&x.name, &x.origin)),
            ),
            ("input", named(&model.inputs, |x| (&x.name, &x.origin))),
            ("event", named(&model.events, |x| (&x.name, &x.origin))),
        ];
        for (family, elements) in lists {
            for (name, origin) in elements {
                if let Some(first) = seen.insert(name, family) {
                    let message = format!(
                        "the name `{name}` is used twice, by a {first} and a {family}; names of elements must be unique"
                    );
                    self.note(&format!("{family} `{name}`"), origin, "name", Err(message));
                }
            }
        }
    }

    fn model_numbers(&mut self) {
        let (model, here) = (self.model, Origin::default());
        let element = format!("model `{}`", model.name);
        let gravity = finite(model.gravity.as_slice());
        self.note(&element, &here, "gravity", gravity);
        self.note(&element, &here, "spin", finite(&[model.spin]));
        for marker in &model.markers {
            let element = format!("marker `{}`", marker.name);
            self.note(&element, &here, "body", model.has_body(marker.body));
            self.note(&element, &here, "pose", finite_pose(&marker.pose));
        }
    }

    fn bodies(&mut self) {
        for body in &self.model.bodies {
            let element = format!("body `{}`", body.name);
            let mass = &body.mass;
            self.note(&element, &body.origin, "mass", finite(&[mass.mass]));
            let center = finite(mass.center.as_slice());
            self.note(&element, &body.origin, "com", center);
            let inertia = finite(mass.inertia.as_slice());
            self.note(&element, &body.origin, "inertia", inertia);
            if let Some(pose) = &body.start.pose {
                self.note(&element, &body.origin, "pose", finite_pose(pose));
            }
            if let Some(velocity) = &body.velocity {
                let linear = finite(velocity.linear.as_slice());
                self.note(&element, &body.origin, "velocity", linear);
                let angular = finite(velocity.angular.as_slice());
                self.note(&element, &body.origin, "omega", angular);
            }
        }
    }

    fn joints(&mut self) {
        let model = self.model;
        for joint in &model.joints {
            let family = if joint.is_contact { "contact" } else { "joint" };
            let (element, origin) = (format!("{family} `{}`", joint.name), &joint.origin);
            for (body, pose) in [&joint.first, &joint.second] {
                self.note(&element, origin, "between", model.has_body(*body));
                self.note(&element, origin, "between", finite_pose(pose));
            }
            let info = joint.joint.info();
            if !info.spaces.contains(&model.space) {
                let error = info.check(&Arguments::new(model.space)).err();
                let message = error.map_or_else(String::new, |error| error.message);
                self.note(&element, origin, "type", Err(message));
                continue;
            }
            let count = joint.joint.coordinates(model.space).len();
            for given in &joint.initial {
                let known = member("coordinate", given.coordinate, count);
                self.note(&element, origin, "initial", known);
                let numbers = [given.value.unwrap_or(0.0), given.rate.unwrap_or(0.0)];
                self.note(&element, origin, "initial", finite(&numbers));
            }
            self.note(&element, origin, "armature", finite(&[joint.armature]));
        }
    }

    fn couplers_and_drivers(&mut self) {
        let model = self.model;
        for coupler in &model.couplers {
            let (element, origin) = (format!("coupler `{}`", coupler.name), &coupler.origin);
            for &(joint, k, factor) in &coupler.terms {
                self.note(&element, origin, "terms", model.has_coordinate(joint, k));
                self.note(&element, origin, "terms", finite(&[factor]));
            }
            let offset = finite(&[coupler.offset.unwrap_or(0.0)]);
            self.note(&element, origin, "offset", offset);
        }
        for driver in &model.drivers {
            let element = format!("driver `{}`", driver.name);
            let target = match driver.target {
                DriverTarget::Joint(joint, k) => model.has_coordinate(joint, k),
                DriverTarget::Point(marker, k) => model
                    .has_marker(marker)
                    .and_then(|()| member("axis", k, model.space.axes())),
            };
            self.note(&element, &driver.origin, "target", target);
        }
    }

    fn laws(&mut self) {
        let model = self.model;
        for (element, origin, field, law) in model.laws() {
            let count = law.inputs().len();
            if count > MAX_INPUTS {
                let message = format!(
                    "it reads {count} signals; the maximum is {MAX_INPUTS}. Combine some of them in a sensor"
                );
                self.note(&element, origin, field, Err(message));
            }
            for &signal in law.inputs() {
                self.note(&element, origin, field, model.has_signal(signal));
            }
            let constant = finite(&[law.constant().unwrap_or(0.0)]);
            self.note(&element, origin, field, constant);
        }
    }

    /// Sensors that read each other have no value.
    fn sensors_in_circles(&mut self) {
        let model = self.model;
        for (first, sensor) in model.sensors.iter().enumerate() {
            let mut reached = vec![false; model.sensors.len()];
            let mut open = vec![first];
            while let Some(k) = open.pop() {
                for signal in model.sensors[k].law.inputs() {
                    if let Signal::Sensor(next) = *signal
                        && !std::mem::replace(&mut reached[next], true)
                    {
                        open.push(next);
                    }
                }
            }
            if reached[first] {
                let element = format!("sensor `{}`", sensor.name);
                let message = "it reads itself, possibly through other sensors; remove the cycle";
                self.note(&element, &sensor.origin, "law", Err(message.to_owned()));
            }
        }
    }

    /// Laws of forces read what is known before accelerations.
    fn stages(&mut self) {
        let model = self.model;
        for element in &model.forces {
            let name = format!("force `{}`", element.name);
            let laws = element.force.laws();
            if laws
                .iter()
                .any(|law| law_stage(model, law) > Stage::Velocity)
            {
                let message = "its law reads accelerations, reactions or energies of the run, which depend on the forces; read positions and velocities";
                self.note(&name, &element.origin, "law", Err(message.to_owned()));
            }
        }
    }

    fn sampling(&mut self) {
        for controller in &self.model.controllers {
            for error in controller.errors() {
                let element = format!("controller `{}`", controller.name);
                self.note(
                    &element,
                    &controller.origin,
                    error.field,
                    Err(error.message),
                );
            }
        }
    }

    fn robot(&mut self) {
        let (model, here) = (self.model, Origin::default());
        let robot = &model.robot;
        for joint in robot.joints.iter().chain(&robot.passive) {
            self.note("robot", &here, "joints", model.has_joint(*joint));
        }
        if let Some(tool) = robot.tool {
            self.note("robot", &here, "tool", model.has_marker(tool));
        }
        for trajectory in &model.trajectories {
            let element = format!("trajectory `{}`", trajectory.name);
            for joint in &trajectory.joints {
                let known = model.has_joint(*joint);
                self.note(&element, &trajectory.origin, "joints", known);
            }
        }
    }

    fn forces(&mut self) {
        for element in &self.model.forces {
            self.measures(element);
            if let Err(error) = element.force.check(self.model) {
                let name = format!("force `{}`", element.name);
                self.note(&name, &element.origin, error.field, Err(error.message));
            }
        }
    }

    /// A name belongs to one signal.
    fn measures(&mut self, element: &ForceElement) {
        let measures = element.force.measures();
        for (k, measure) in measures.iter().enumerate() {
            let general = ["power", "work", "potential"].contains(&measure.name);
            if general || measures[..k].iter().any(|other| other.name == measure.name) {
                let reason = if general {
                    "all forces have a signal of this name"
                } else {
                    "it has two of this name"
                };
                let message = format!("measure `{}`: {reason}; rename it", measure.name);
                let name = format!("force `{}`", element.name);
                self.note(&name, &element.origin, "measures", Err(message));
            }
        }
    }

    fn motions_without_inertia(&mut self) {
        for MotionWithoutInertia { body, joint } in self.model.motions_without_inertia() {
            let body = &self.model.bodies[body.0];
            let name = format!("body `{}`", body.name);
            let message = match joint {
                Some(joint) => format!(
                    "joint `{}`, which moves it, has zero inertia: give the body, or a body that it carries, a mass and an inertia about the joint, or give the joint an `armature`",
                    self.model.joints[joint.0].name
                ),
                None => "it has a singular mass matrix: give it a mass and an inertia, or constrain it by a joint".to_owned(),
            };
            self.note(&name, &body.origin, "mass", Err(message));
        }
    }
}

/// Names and source locations of a list of elements.
fn named<'a, E>(
    list: &'a [E],
    of: impl Fn(&'a E) -> (&'a String, &'a Origin),
) -> Vec<(&'a str, &'a Origin)> {
    let names = list.iter().map(of);
    names
        .map(|(name, origin)| (name.as_str(), origin))
        .collect()
}
