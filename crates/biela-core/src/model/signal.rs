//! Signals: the quantities that results record, expressions read and events monitor.

use super::{
    BeamIndex, BodyIndex, ContactIndex, CouplerIndex, DriverIndex, ForceIndex, InputIndex,
    JointIndex, MarkerIndex,
};
use crate::system::signals::{
    BeamQuantity, BodyQuantity, ContactQuantity, CouplerQuantity, DriverQuantity, EnergyQuantity,
    ForceQuantity, JointQuantity, NodeQuantity, PointQuantity, SectionQuantity, SolverQuantity,
    StationQuantity, TrajectoryQuantity,
};

/// The stage of the evaluation at which a signal is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Time and positions.
    Position,
    /// Velocities; the last stage that a force law may read.
    Velocity,
    /// Accelerations and reactions.
    Acceleration,
    /// The run itself: accumulated work, step size.
    Run,
}

/// A quantity that results can record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Time.
    Time,
    /// Of a body.
    Body(BodyIndex, BodyQuantity),
    /// Of a station on a beam.
    Station(BodyIndex, StationQuantity),
    /// Of a beam.
    Beam(BeamIndex, BeamQuantity),
    /// Of a geometrically exact beam, by index.
    ExactBeam(usize, BeamQuantity),
    /// Of a node of a geometrically exact beam: the beam, the node and the quantity.
    Section(usize, usize, SectionQuantity),
    /// Of a node of a beam, counted from its start.
    Node(BeamIndex, usize, NodeQuantity),
    /// Of a named point.
    Point(MarkerIndex, PointQuantity),
    /// Of a joint.
    Joint(JointIndex, JointQuantity),
    /// Of a force.
    Force(ForceIndex, ForceQuantity),
    /// Of a driver.
    Driver(DriverIndex, DriverQuantity),
    /// Of a coupler.
    Coupler(CouplerIndex, CouplerQuantity),
    /// Of a contact.
    Contact(ContactIndex, ContactQuantity),
    /// Energy of the system.
    Energy(EnergyQuantity),
    /// Of the run.
    Solver(SolverQuantity),
    /// A sensor, by index.
    Sensor(usize),
    /// An output of a controller, counted over all controllers.
    Controller(usize),
    /// An external input.
    Input(InputIndex),
    /// Of a joint of a trajectory: the trajectory, the index of the joint in it and the quantity.
    Trajectory(usize, usize, TrajectoryQuantity),
}
