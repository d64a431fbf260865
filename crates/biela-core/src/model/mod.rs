//! The model: bodies, markers, joints, couplers, drivers, forces and controllers. Immutable once built.
//!
//! ```
//! use biela_core::forces::SpringDamper;
//! use biela_core::joints::Prismatic;
//! use biela_core::math::Pose;
//! use biela_core::model::{Body, BodyIndex, MarkerIndex, MassProperties, Model, Space};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // a block of 1 kg on a rail along x, and a spring from a wall to it
//! let mut model = Model::new("oscillator", Space::Planar);
//! let block = model.add_body(Body::new("block", MassProperties::planar(1.0, [0.0, 0.0], 0.1)?));
//! let block = model.body_marker(block);
//! let wall = model.add_marker("wall", BodyIndex::GROUND, Pose::translation(-1.0, 0.0, 0.0));
//! let rail = model.connect("rail", Prismatic, [MarkerIndex::GROUND, block]);
//! model.set_initial(rail, 0, 0.1, 0.0);
//! model.add_force("spring", SpringDamper::new([wall, block]).stiffness(50.0).length(1.0));
//! model.check()?;
//! assert!(model.signal("spring.length").is_some());
//! # Ok(())
//! # }
//! ```

mod body;
mod build;
mod check;
mod contact;
mod controller;
mod faults;
mod index;
mod inertia;
mod input;
mod law;
mod motion;
mod resistance;
mod shape;
mod signal;

pub use crate::unilateral::{Compliance, Elasticity};
pub use body::{Body, GivenParts, Pose0, Velocity0};
pub use check::MotionWithoutInertia;
pub use contact::{BeamSide, ContactElement, ContactLaw, Material};
pub use controller::{
    ControllerElement, ControllerInput, ControllerOutput, SampledFunction, SampledLaw,
    sampling_dependencies,
};
pub(crate) use controller::{Slots, held_at_start, initial_memory, rounded, sampling_order, slots};
pub use faults::{Fault, Faults};
pub use index::{
    AnyBeam, BeamIndex, BodyIndex, ContactIndex, CouplerIndex, DriverIndex, ForceIndex, InputIndex,
    JointIndex, MarkerIndex, MaterialIndex,
};
pub use inertia::{InertiaError, MassProperties};
pub use input::{Hold, InputElement};
pub use law::{Law, MAX_INPUTS, SignalFunction};
pub use motion::{AccelerationProfile, Motion};
pub use shape::{Shape, ShapeKind};
pub use signal::{Signal, Stage};

pub use crate::system::signals::{
    BeamQuantity, BodyQuantity, ContactQuantity, CouplerQuantity, DriverQuantity, EnergyQuantity,
    ForceQuantity, JointQuantity, NodeQuantity, PointQuantity, SectionQuantity, SolverQuantity,
    StationQuantity, TrajectoryQuantity,
};

use std::sync::Arc;

use crate::element::{ArgumentError, Origin};
use crate::flexible::{Beam, ExactBeam, Station};
use crate::forces::{Force, IntoForce, Unbuilt};
use crate::joints::{IntoJoint, Joint, Weld};
use crate::math::{Mat3, Pose, Vec3};

/// Tolerance for the start of a slider beyond the end of a beam, relative to its length.
const SLACK: f64 = 1e-9;

/// Whether bodies move in the x–y plane or in space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Bodies have (x, y, θ).
    Planar,
    /// Bodies have a position and Euler parameters.
    Spatial,
}

impl Space {
    /// Number of velocity coordinates (degrees of freedom) of a body: 3 or 6.
    pub const fn freedom(self) -> usize {
        match self {
            Space::Planar => 3,
            Space::Spatial => 6,
        }
    }

    /// Number of position coordinates of a body: 3 or 7.
    pub const fn positions(self) -> usize {
        match self {
            Space::Planar => 3,
            Space::Spatial => 7,
        }
    }

    /// Number of components of a point: 2 or 3.
    pub const fn axes(self) -> usize {
        match self {
            Space::Planar => 2,
            Space::Spatial => 3,
        }
    }
}

/// A point or frame fixed to a body or to the ground.
#[derive(Clone, Debug)]
pub struct Marker {
    /// Name within its body; empty for the body's own frame.
    pub name: String,
    /// The body to which it is fixed.
    pub body: BodyIndex,
    /// Pose in the body's frame (the frame that the user defines, not that of the mass centre).
    pub pose: Pose,
}

/// A joint between two markers.
#[derive(Clone, Debug)]
pub struct JointElement {
    /// Name.
    pub name: String,
    /// Its source location.
    pub origin: Origin,
    /// The joint type with its parameters.
    pub joint: Joint,
    /// Body A and the pose of the joint frame F in its body frame.
    pub first: (BodyIndex, Pose),
    /// Body B and the pose of the joint frame M in its body frame.
    pub second: (BodyIndex, Pose),
    /// Initial values of measured coordinates, if given.
    pub initial: Vec<InitialValue>,
    /// JointLimits of its coordinate, velocity and force.
    pub limits: JointLimits,
    /// Inertia that acts on each of its velocities in addition to that of the bodies: the reflected inertia of a rotor behind a gear.
    pub armature: f64,
    /// Whether it only has the relative pose of the surfaces of a contact.
    pub is_contact: bool,
}

impl JointElement {
    /// Whether it has equations or joint coordinates; a slack rope and the surfaces of a contact have neither.
    pub fn connects(&self, space: Space) -> bool {
        let shape = self.joint.shape(space);
        shape.position_rows + shape.velocity_rows > 0 || shape.tree.is_some()
    }
}

/// JointLimits of a joint with one coordinate. Robot analyses respect them; they do not constrain the simulated motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointLimits {
    /// Lower limit of the coordinate.
    pub lower: f64,
    /// Upper limit of the coordinate.
    pub upper: f64,
    /// Largest magnitude of the velocity.
    pub rate: f64,
    /// Largest magnitude of the force or torque.
    pub effort: f64,
}

impl JointLimits {
    /// No limits.
    pub const NONE: JointLimits = JointLimits {
        lower: f64::NEG_INFINITY,
        upper: f64::INFINITY,
        rate: f64::INFINITY,
        effort: f64::INFINITY,
    };

    /// Returns the closest value within the limits.
    pub fn clamp(&self, value: f64) -> f64 {
        value.max(self.lower).min(self.upper)
    }
}

impl Default for JointLimits {
    fn default() -> Self {
        JointLimits::NONE
    }
}

/// An initial value of a measured coordinate of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InitialValue {
    /// Index of the coordinate.
    pub coordinate: usize,
    /// Its value.
    pub value: Option<f64>,
    /// Its velocity.
    pub rate: Option<f64>,
    /// Whether assembly must preserve the value (and velocity) and not only start from it.
    pub keep: bool,
}

/// A linear relation between joint coordinates: `Σ c_i q_i = offset`.
#[derive(Clone, Debug)]
pub struct CouplerElement {
    /// Name.
    pub name: String,
    /// Its source location.
    pub origin: Origin,
    /// Type name in the model file: gear, linear or rack-and-pinion.
    pub kind: &'static str,
    /// Joint, coordinate and factor of each term.
    pub terms: Vec<(JointIndex, usize, f64)>,
    /// Right-hand side; `None` uses the value at the assembled initial configuration.
    pub offset: Option<f64>,
    /// The play within which the relation does not act; `None` if there is none.
    pub backlash: Option<Backlash>,
}

/// The play of a coupler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Backlash {
    /// Total play of the first coordinate, m or rad.
    pub width: f64,
    /// Coefficient of restitution at its ends.
    pub restitution: f64,
}

/// The quantity that a driver prescribes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriverTarget {
    /// A measured coordinate of a joint.
    Joint(JointIndex, usize),
    /// A component (0, 1, 2) of a marker's position in the ground frame.
    Point(MarkerIndex, usize),
}

/// A prescribed motion.
#[derive(Clone, Debug)]
pub struct DriverElement {
    /// Name.
    pub name: String,
    /// Its source location.
    pub origin: Origin,
    /// The prescribed quantity.
    pub target: DriverTarget,
    /// The motion as a function of time.
    pub motion: Motion,
}

/// A force element.
#[derive(Clone, Debug)]
pub struct ForceElement {
    /// Name.
    pub name: String,
    /// Its source location.
    pub origin: Origin,
    /// The force type with its parameters.
    pub force: Arc<dyn Force>,
}

/// A named scalar computed from signals.
#[derive(Clone, Debug)]
pub struct Sensor {
    /// Name.
    pub name: String,
    /// Its source location.
    pub origin: Origin,
    /// SI unit of the value.
    pub unit: String,
    /// Its law.
    pub law: Law,
}

/// The action when an event's expression crosses zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventAction {
    /// The run ends there.
    Stop,
    /// The time is recorded in the results.
    Mark,
}

/// The direction of zero crossings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
    /// Both directions.
    Any,
}

/// An expression whose zero crossings are located during a run.
#[derive(Clone, Debug)]
pub struct Event {
    /// Name.
    pub name: String,
    /// Its source location.
    pub origin: Origin,
    /// The expression.
    pub law: Law,
    /// Which crossings trigger the event.
    pub crossing: Crossing,
    /// The action.
    pub action: EventAction,
}

/// The robot definition of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RobotElement {
    /// Its joints, in the user's order; empty for all joints with one coordinate.
    pub joints: Vec<JointIndex>,
    /// Its passive joints, which are not actuated.
    pub passive: Vec<JointIndex>,
    /// The tool frame.
    pub tool: Option<MarkerIndex>,
    /// The preferred posture, one value per joint; empty for the midpoint of its limits.
    pub posture: Vec<f64>,
}

/// A reference motion of joints.
#[derive(Clone, Debug)]
pub struct TrajectoryElement {
    /// Name.
    pub name: String,
    /// Its source location.
    pub origin: Origin,
    /// The joints it moves.
    pub joints: Vec<JointIndex>,
    /// The motion.
    pub motion: std::sync::Arc<dyn crate::control::Trajectory>,
}

/// A mechanical model.
///
/// Functions that add elements do not fail: a mistake, such as a field that is NaN or an index of another model, is recorded. [`Model::check`] returns all
/// of them, and [`assemble`](crate::analysis::assemble) refuses a model that has any.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Model {
    /// Name.
    pub name: String,
    /// Planar or spatial.
    pub space: Space,
    /// Acceleration of gravity, in the ground frame.
    pub gravity: Vec3<f64>,
    /// Constant angular velocity of the ground frame about z through its origin, rad/s.
    pub spin: f64,
    /// Bodies, without the ground, including stations of beams.
    pub bodies: Vec<Body>,
    /// Flexible beams.
    pub beams: Vec<Beam>,
    /// Geometrically exact beams, whose nodes are among the bodies and whose elements are among the forces.
    pub exact_beams: Vec<ExactBeam>,
    /// Markers; the first is the ground's own frame.
    pub markers: Vec<Marker>,
    /// Shapes fixed to the ground, for drawing.
    pub ground_shapes: Vec<Shape>,
    /// Joints.
    pub joints: Vec<JointElement>,
    /// Couplers.
    pub couplers: Vec<CouplerElement>,
    /// Drivers.
    pub drivers: Vec<DriverElement>,
    /// Forces.
    pub forces: Vec<ForceElement>,
    /// Materials of surfaces.
    pub materials: Vec<Material>,
    /// Contacts.
    pub contacts: Vec<ContactElement>,
    /// Sensors.
    pub sensors: Vec<Sensor>,
    /// Reference motions.
    pub trajectories: Vec<TrajectoryElement>,
    /// SampledLaw controllers.
    pub controllers: Vec<ControllerElement>,
    /// External inputs.
    pub inputs: Vec<InputElement>,
    /// Events.
    pub events: Vec<Event>,
    /// Its robot definition.
    pub robot: RobotElement,
    /// The mistakes in elements that could not be built.
    faults: Vec<Fault>,
}

impl Model {
    /// An empty model without gravity.
    pub fn new(name: impl Into<String>, space: Space) -> Self {
        Model {
            name: name.into(),
            space,
            gravity: Vec3::zeros(),
            spin: 0.0,
            bodies: Vec::new(),
            beams: Vec::new(),
            exact_beams: Vec::new(),
            markers: vec![Marker {
                name: String::new(),
                body: BodyIndex::GROUND,
                pose: Pose::identity(),
            }],
            ground_shapes: Vec::new(),
            joints: Vec::new(),
            couplers: Vec::new(),
            drivers: Vec::new(),
            forces: Vec::new(),
            materials: Vec::new(),
            contacts: Vec::new(),
            sensors: Vec::new(),
            trajectories: Vec::new(),
            controllers: Vec::new(),
            inputs: Vec::new(),
            events: Vec::new(),
            robot: RobotElement::default(),
            faults: Vec::new(),
        }
    }

    /// Adds a body and the marker of its own frame.
    pub fn add_body(&mut self, body: Body) -> BodyIndex {
        let index = BodyIndex(self.bodies.len());
        self.bodies.push(body);
        let _ = self.add_marker("", index, Pose::identity());
        index
    }

    /// Adds a beam.
    pub fn add_beam(&mut self, beam: Beam) -> BeamIndex {
        self.beams.push(beam);
        BeamIndex(self.beams.len() - 1)
    }

    /// Returns the unstressed length of a beam; `None` if there is no such beam.
    pub fn beam_length(&self, beam: AnyBeam) -> Option<f64> {
        match beam {
            AnyBeam::Nodal(beam) => self.beams.get(beam.0).map(Beam::length),
            AnyBeam::Exact(beam) => self.exact_beams.get(beam).map(|beam| beam.length(self)),
        }
    }

    /// Adds the station at an arc length along a beam as a body called `beam.name`: origin on the centreline, x axis along it, and in space z
    /// as close as possible to the ground's.
    pub fn add_station(&mut self, beam: BeamIndex, name: &str, distance: f64) -> BodyIndex {
        let Some(of) = self.beams.get(beam.0) else {
            self.record_no_beam(format!("station `{name}`"));
            return BodyIndex::GROUND;
        };
        let station = Station::new(beam, of, distance);
        let motion = station.motion(&of.start());
        let mut body = Body::new(
            format!("{}.{name}", of.name),
            MassProperties::massless(Vec3::zeros()),
        );
        body.origin = of.origin.clone();
        body.station = Some(station);
        let pose = Pose::new(station.orientation(&motion), motion.r);
        self.add_body(body.at(pose))
    }

    /// Offsets the frame of a station from the centreline: `frame` is given in the axes of the section and fixed to it.
    pub fn set_station_frame(&mut self, station: BodyIndex, frame: &Pose) {
        let own = self.body_marker(station);
        self.markers[own.0].pose.R = frame.R;
        if let Some(body) = self.bodies.get_mut(station.0) {
            // the point of the centreline acts as the mass centre, to which loads and motions refer
            body.mass.center = -frame.p;
            if let Some(pose) = &mut body.start.pose {
                pose.p += pose.R * frame.p;
            }
        }
    }

    /// Adds a joint that keeps a marker on the centreline of a beam, starting near an arc length along it, and the events that stop a run when
    /// it reaches an end.
    pub fn add_beam_slider(
        &mut self,
        name: &str,
        beam: BeamIndex,
        marker: MarkerIndex,
        distance: f64,
    ) -> JointIndex {
        let Some(of) = self.beams.get(beam.0) else {
            self.record_no_beam(format!("joint `{name}`"));
            return self.connect(name, Weld, [MarkerIndex::GROUND, marker]);
        };
        let (beam_name, length) = (of.name.clone(), of.length());
        let station = self.add_station(beam, name, distance);
        let first = self.body_marker(station);
        let slider = Joint::BeamSlider(crate::joints::BeamSlider);
        let joint = self.add_joint(name, slider, [first, marker], &Mat3::identity());
        self.bodies[station.0].follows = Some(joint);
        for (end, inward, at) in [("start", 1.0, 0.0), ("end", -1.0, length)] {
            let offset = SLACK * length - inward * at;
            let input = Signal::Joint(joint, JointQuantity::Value(0));
            self.events.push(Event {
                name: format!("{name} at {beam_name}.{end}"),
                origin: Origin::default(),
                law: Law::linear(input, inward, offset),
                crossing: Crossing::Falling,
                action: EventAction::Stop,
            });
        }
        joint
    }

    /// The number of values that count turns: three per joint and, if there are beams, one per body.
    pub fn num_turns(&self) -> usize {
        let stations = if self.beams.is_empty() {
            0
        } else {
            self.bodies.len()
        };
        3 * self.joints.len() + stations
    }

    /// Adds a marker.
    pub fn add_marker(
        &mut self,
        name: impl Into<String>,
        body: BodyIndex,
        pose: Pose,
    ) -> MarkerIndex {
        self.markers.push(Marker {
            name: name.into(),
            body,
            pose,
        });
        MarkerIndex(self.markers.len() - 1)
    }

    /// Adds a joint between two markers, with its frames rotated by `turn` in both marker frames, or in the second only if the axis belongs to the
    /// second body, see [`Joint::axis_of_both`].
    ///
    /// At zero coordinates the two marker frames coincide (their origins may differ if the joint permits it).
    /// [`Model::add_joint_along`] takes the direction of the axis instead.
    pub fn add_joint(
        &mut self,
        name: impl Into<String>,
        joint: impl IntoJoint,
        between: [MarkerIndex; 2],
        turn: &crate::math::Mat3<f64>,
    ) -> JointIndex {
        let name = name.into();
        let joint = self.built_joint(&name, joint).unwrap_or(Joint::Weld(Weld));
        for marker in between {
            if let Err(message) = self.has_marker(marker) {
                let field = "between";
                self.record(format!("joint `{name}`"), ArgumentError { field, message });
            }
        }
        let side = |m: MarkerIndex, turn: &crate::math::Mat3<f64>| {
            // a mistaken index was recorded
            let marker = self.markers.get(m.0).unwrap_or(&self.markers[0]);
            let turned = Pose {
                R: *turn,
                p: Vec3::zeros(),
            };
            (marker.body, marker.pose.then(&turned))
        };
        let straight = crate::math::Mat3::identity();
        let first_turn = if joint.axis_of_both() {
            turn
        } else {
            &straight
        };
        let element = JointElement {
            name,
            origin: Origin::default(),
            first: side(between[0], first_turn),
            second: side(between[1], turn),
            joint,
            initial: Vec::new(),
            limits: JointLimits::NONE,
            armature: 0.0,
            is_contact: false,
        };
        self.joints.push(element);
        JointIndex(self.joints.len() - 1)
    }

    /// Builds a joint; `None` if it has mistakes, which are recorded.
    fn built_joint(&mut self, name: &str, joint: impl IntoJoint) -> Option<Joint> {
        let mut errors = joint.field_errors(self.space);
        let built = if errors.is_empty() {
            joint.into_joint(self.space)
        } else {
            Err(errors.remove(0))
        };
        let failed = built.as_ref().err().cloned();
        for error in failed.into_iter().chain(errors) {
            self.record(format!("joint `{name}`"), error);
        }
        built.ok()
    }

    /// Adds a force; its rotor inertia is added to the joint's armature.
    ///
    /// ```
    /// use biela_core::forces::JointDamping;
    /// use biela_core::joints::Revolute;
    /// use biela_core::model::{Body, MarkerIndex, MassProperties, Model, Space};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut model = Model::new("pendulum", Space::Planar);
    /// let rod = model.add_body(Body::new("rod", MassProperties::planar(2.0, [0.5, 0.0], 0.17)?));
    /// let pin = model.connect("pin", Revolute, [MarkerIndex::GROUND, model.body_marker(rod)]);
    /// model.add_force("bearing", JointDamping::new(pin, 0.05).quadratic(0.01));
    /// model.check()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn add_force(&mut self, name: impl Into<String>, force: impl IntoForce) -> ForceIndex {
        let name = name.into();
        let mut errors = force.field_errors(self);
        let built = if errors.is_empty() {
            force.into_force(self)
        } else {
            Err(errors.remove(0))
        };
        let mut force = built.unwrap_or_else(|error| {
            errors.insert(0, error);
            Box::new(Unbuilt)
        });
        for error in errors {
            self.record(format!("force `{name}`"), error);
        }
        force.attach(self);
        if let Some((joint, inertia)) = force.rotor()
            && let Some(element) = self.joints.get_mut(joint.0)
        {
            element.armature += inertia;
        }
        self.forces.push(ForceElement {
            name,
            origin: Origin::default(),
            force: force.into(),
        });
        ForceIndex(self.forces.len() - 1)
    }

    /// Replaces a force.
    pub fn replace_force(&mut self, index: ForceIndex, mut force: Box<dyn Force>) {
        force.attach(self);
        if let Some(element) = self.forces.get_mut(index.0) {
            element.force = force.into();
        }
    }

    fn record_no_beam(&mut self, element: String) {
        let message = "there is no such beam; use an index that this model returned".to_owned();
        let field = "beam";
        self.record(element, ArgumentError { field, message });
    }

    /// Records a mistake, which [`Model::check`] returns.
    pub(crate) fn record(&mut self, element: String, error: ArgumentError) {
        self.faults.push(Fault::new(element, error));
    }

    /// The bodies that are neither stations nor nodes of beams.
    pub fn rigid_bodies(&self) -> impl Iterator<Item = &Body> {
        let mut flexible: Vec<bool> = self.bodies.iter().map(|b| b.station.is_some()).collect();
        for node in self.exact_beams.iter().flat_map(|beam| &beam.nodes) {
            flexible[node.0] = true;
        }
        let bodies = self.bodies.iter().zip(flexible);
        bodies.filter_map(|(body, flexible)| (!flexible).then_some(body))
    }

    /// The joints with their indices, without the relative poses of the surfaces of contacts.
    pub fn listed_joints(&self) -> impl Iterator<Item = (JointIndex, &JointElement)> {
        let joints = self.joints.iter().enumerate();
        joints.filter_map(|(j, element)| (!element.is_contact).then_some((JointIndex(j), element)))
    }

    /// The forces that are not elements of beams.
    pub fn single_forces(&self) -> impl Iterator<Item = &ForceElement> {
        let forces = self.forces.iter();
        forces.filter(|element| element.force.beam_element().is_none())
    }

    /// The marker of a body's own frame; an index that [`Model::check`] rejects if the body does not belong to this model.
    pub fn body_marker(&self, body: BodyIndex) -> MarkerIndex {
        let found = self
            .markers
            .iter()
            .position(|m| m.body == body && m.name.is_empty());
        // no marker: `check` reports it where it is used
        MarkerIndex(found.unwrap_or(usize::MAX))
    }

    /// A body's name, or "ground".
    pub fn body_name(&self, body: BodyIndex) -> &str {
        let Some(number) = body.number() else {
            return "ground";
        };
        let body = self.bodies.get(number);
        body.map_or("unknown body", |body| body.name.as_str())
    }

    /// `body.point`, or the body's name for its own frame.
    pub fn marker_name(&self, marker: MarkerIndex) -> String {
        let marker = &self.markers[marker.0];
        let body = self.body_name(marker.body);
        if marker.name.is_empty() {
            body.to_owned()
        } else {
            format!("{body}.{}", marker.name)
        }
    }
}
