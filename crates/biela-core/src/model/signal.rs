//! Signals: the quantities that results record, expressions read and events monitor.

use super::{
    BeamIndex, BodyIndex, CouplerIndex, DriverIndex, ForceIndex, InputIndex, JointIndex,
    MarkerIndex,
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

/// Defines the quantities of an element family: variant, name, SI unit, stage, text.
macro_rules! quantities {
    ($(#[$doc:meta])* $kind:ident { $($variant:ident $name:literal $unit:literal $stage:ident $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $kind {
            $(#[doc = $text] $variant,)*
        }

        impl $kind {
            /// All quantities, in the order of the results.
            pub const ALL: &'static [$kind] = &[$($kind::$variant),*];

            /// The name after the dot.
            pub const fn name(self) -> &'static str {
                match self { $($kind::$variant => $name),* }
            }
            /// SI unit, "1" for none.
            pub const fn unit(self) -> &'static str {
                match self { $($kind::$variant => $unit),* }
            }
            /// The stage at which it is known.
            pub const fn stage(self) -> Stage {
                match self { $($kind::$variant => Stage::$stage),* }
            }
            /// One-line description.
            pub const fn text(self) -> &'static str {
                match self { $($kind::$variant => $text),* }
            }
        }
    };
}

quantities! {
    /// Quantities of a body; positions and velocities are those of its frame's origin, in ground axes.
    BodyQuantity {
        X "x" "m" Position "position along x",
        Y "y" "m" Position "position along y",
        Z "z" "m" Position "position along z (spatial)",
        Angle "angle" "rad" Position "angle, counted over turns (planar)",
        E0 "e0" "1" Position "Euler parameter e0 (spatial)",
        E1 "e1" "1" Position "Euler parameter e1 (spatial)",
        E2 "e2" "1" Position "Euler parameter e2 (spatial)",
        E3 "e3" "1" Position "Euler parameter e3 (spatial)",
        Roll "rot_x" "rad" Position "dextral angle about x (spatial)",
        Pitch "rot_y" "rad" Position "dextral angle about y (spatial)",
        Yaw "rot_z" "rad" Position "dextral angle about z (spatial)",
        Vx "vx" "m/s" Velocity "velocity along x",
        Vy "vy" "m/s" Velocity "velocity along y",
        Vz "vz" "m/s" Velocity "velocity along z (spatial)",
        Omega "omega" "rad/s" Velocity "angular velocity (planar)",
        OmegaX "omega_x" "rad/s" Velocity "angular velocity about ground x (spatial)",
        OmegaY "omega_y" "rad/s" Velocity "angular velocity about ground y (spatial)",
        OmegaZ "omega_z" "rad/s" Velocity "angular velocity about ground z (spatial)",
        SpinX "spin_x" "rad/s" Velocity "angular velocity about the body's x (spatial)",
        SpinY "spin_y" "rad/s" Velocity "angular velocity about the body's y (spatial)",
        SpinZ "spin_z" "rad/s" Velocity "angular velocity about the body's z (spatial)",
        Ax "ax" "m/s^2" Acceleration "acceleration along x",
        Ay "ay" "m/s^2" Acceleration "acceleration along y",
        Az "az" "m/s^2" Acceleration "acceleration along z (spatial)",
        Alpha "alpha" "rad/s^2" Acceleration "angular acceleration (planar)",
        AlphaX "alpha_x" "rad/s^2" Acceleration "angular acceleration about ground x (spatial)",
        AlphaY "alpha_y" "rad/s^2" Acceleration "angular acceleration about ground y (spatial)",
        AlphaZ "alpha_z" "rad/s^2" Acceleration "angular acceleration about ground z (spatial)",
        Kinetic "kinetic" "J" Velocity "kinetic energy",
    }
}

quantities! {
    /// Quantities of a named point, in ground axes.
    PointQuantity {
        X "x" "m" Position "position along x",
        Y "y" "m" Position "position along y",
        Z "z" "m" Position "position along z (spatial)",
        Vx "vx" "m/s" Velocity "velocity along x",
        Vy "vy" "m/s" Velocity "velocity along y",
        Vz "vz" "m/s" Velocity "velocity along z (spatial)",
        Ax "ax" "m/s^2" Acceleration "acceleration along x",
        Ay "ay" "m/s^2" Acceleration "acceleration along y",
        Az "az" "m/s^2" Acceleration "acceleration along z (spatial)",
    }
}

quantities! {
    /// Quantities of a station on a beam, in addition to those of a body.
    StationQuantity {
        Strain "strain" "1" Position "axial strain relative to the unstressed shape",
        Curvature "curvature" "1/m" Position "curvature: rotation of the sections per unit length of the unstressed beam; in space its magnitude",
        Axial "axial_force" "N" Velocity "axial force, positive in tension",
        Moment "bending_moment" "N*m" Velocity "bending moment exerted by the part beyond the station on the part before it; in space its magnitude",
        Shear "shear_force" "N" Position "shear force exerted by the part beyond the station on the part before it, along y of the station: minus the derivative of the elastic bending moment; in space its magnitude",
    }
}

quantities! {
    /// Quantities of a named station on a geometrically exact beam, in addition to those of a body. Components are along its axes: x along the beam, y along
    /// the width of the section, z along its height.
    SectionQuantity {
        Strain "strain" "1" Position "axial strain relative to the unstressed shape",
        ShearStrainY "shear_strain_y" "1" Position "shear strain along y",
        ShearStrainZ "shear_strain_z" "1" Position "shear strain along z",
        Twist "twist" "1/m" Position "twist: rotation of the sections about x per unit length of the unstressed beam",
        CurvatureY "curvature_y" "1/m" Position "curvature about y: rotation of the sections per unit length of the unstressed beam",
        CurvatureZ "curvature_z" "1/m" Position "curvature about z: rotation of the sections per unit length of the unstressed beam",
        Axial "axial_force" "N" Velocity "axial force, positive in tension",
        ShearY "shear_force_y" "N" Velocity "shear force along y exerted by the part beyond the station on the part before it",
        ShearZ "shear_force_z" "N" Velocity "shear force along z exerted by the part beyond the station on the part before it",
        Torsion "torsional_moment" "N*m" Velocity "torsional moment exerted by the part beyond the station on the part before it",
        MomentY "bending_moment_y" "N*m" Velocity "bending moment about y exerted by the part beyond the station on the part before it",
        MomentZ "bending_moment_z" "N*m" Velocity "bending moment about z exerted by the part beyond the station on the part before it",
    }
}

quantities! {
    /// Quantities of a whole beam.
    BeamQuantity {
        Elastic "elastic" "J" Position "strain energy",
        Kinetic "kinetic" "J" Velocity "kinetic energy",
        Length "length" "m" Position "length of the centreline",
        Power "power" "W" Acceleration "power of its damping, never positive",
        Work "work" "J" Run "work of its damping since the start",
    }
}

quantities! {
    /// Quantities of a node of a beam: position, and slope of the centreline with respect to material length.
    NodeQuantity {
        X "x" "m" Position "position along x",
        Y "y" "m" Position "position along y",
        Z "z" "m" Position "position along z (spatial)",
        SlopeX "slope_x" "1" Position "slope along x",
        SlopeY "slope_y" "1" Position "slope along y",
        SlopeZ "slope_z" "1" Position "slope along z (spatial)",
        Vx "vx" "m/s" Velocity "velocity along x",
        Vy "vy" "m/s" Velocity "velocity along y",
        Vz "vz" "m/s" Velocity "velocity along z (spatial)",
        SlopeVx "slope_vx" "1/s" Velocity "time derivative of the slope along x",
        SlopeVy "slope_vy" "1/s" Velocity "time derivative of the slope along y",
        SlopeVz "slope_vz" "1/s" Velocity "time derivative of the slope along z (spatial)",
        Ax "ax" "m/s^2" Acceleration "acceleration along x",
        Ay "ay" "m/s^2" Acceleration "acceleration along y",
        Az "az" "m/s^2" Acceleration "acceleration along z (spatial)",
        SlopeAx "slope_ax" "1/s^2" Acceleration "second time derivative of the slope along x",
        SlopeAy "slope_ay" "1/s^2" Acceleration "second time derivative of the slope along y",
        SlopeAz "slope_az" "1/s^2" Acceleration "second time derivative of the slope along z (spatial)",
    }
}

impl NodeQuantity {
    /// The index of the nodal coordinate, for the given number of position axes.
    pub(crate) fn coordinate(self, axes: usize) -> usize {
        match self {
            NodeQuantity::X | NodeQuantity::Vx | NodeQuantity::Ax => 0,
            NodeQuantity::Y | NodeQuantity::Vy | NodeQuantity::Ay => 1,
            NodeQuantity::Z | NodeQuantity::Vz | NodeQuantity::Az => 2,
            NodeQuantity::SlopeX | NodeQuantity::SlopeVx | NodeQuantity::SlopeAx => axes,
            NodeQuantity::SlopeY | NodeQuantity::SlopeVy | NodeQuantity::SlopeAy => axes + 1,
            NodeQuantity::SlopeZ | NodeQuantity::SlopeVz | NodeQuantity::SlopeAz => axes + 2,
        }
    }
}

/// Quantities of a joint; `k` is the index of a measured coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointQuantity {
    /// Value of a coordinate.
    Value(usize),
    /// Velocity of a coordinate.
    Rate(usize),
    /// Acceleration of a coordinate.
    Acceleration(usize),
    /// Euler parameter (0..4) of the second joint frame in the first.
    Parameter(usize),
    /// Dextral angle (0..3) of the second joint frame in the first, between −180° and 180°.
    Turn(usize),
    /// Component of the relative angular velocity, in the axes of the first joint frame.
    Omega(usize),
    /// Time derivative of that component.
    Alpha(usize),
    /// Force (0..3) and moment (3..6) exerted by the first body on the second at the joint, in the axes of the first joint frame.
    Reaction(usize),
    /// Magnitude of the reaction force.
    ReactionForce,
    /// Magnitude of the reaction moment.
    ReactionMoment,
}

/// Names of the six components of a reaction.
pub(crate) const REACTIONS: [&str; 6] = ["fx", "fy", "fz", "mx", "my", "mz"];

/// Quantities of a force element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForceQuantity {
    /// A measure of the element, by index in its list.
    Measure(usize),
    /// Power of its non-conservative part.
    Power,
    /// Work of its non-conservative part since the start.
    Work,
    /// Potential energy stored in it.
    Potential,
}

quantities! {
    /// Quantities of a driver.
    DriverQuantity {
        Target "target" "" Position "the prescribed value",
        Effort "effort" "" Acceleration "force or torque the driver applies along its coordinate",
        Power "power" "W" Acceleration "power the driver delivers",
        Work "work" "J" Run "work delivered since the start",
    }
}

quantities! {
    /// Quantities of a coupler.
    CouplerQuantity {
        Effort "effort" "" Acceleration "force or torque on the first coordinate",
        Error "error" "" Position "deviation of the first coordinate from the coupling relation",
    }
}

quantities! {
    /// Energies of the whole system.
    EnergyQuantity {
        Kinetic "kinetic" "J" Velocity "kinetic energy",
        Potential "potential" "J" Position "potential energy: gravity and springs",
        Gravity "gravity" "J" Position "potential energy of gravity, or of centrifugal forces where the ground spins, zero at the ground's origin",
        Elastic "elastic" "J" Position "potential energy of springs",
        Total "total" "J" Velocity "kinetic and potential energy",
        Work "work" "J" Run "work of forces without potential and of drivers since the start",
        Balance "balance" "J" Run "total energy less the work since the start less the energy at the start: what the integrator adds or, by numerical damping, takes",
    }
}

quantities! {
    /// Quantities of the run.
    SolverQuantity {
        PositionError "position_error" "1" Position "largest residual of the position equations",
        VelocityError "velocity_error" "1" Velocity "largest residual of the velocity equations",
        AccelerationError "acceleration_error" "1" Acceleration "largest residual of the acceleration equations",
        Step "step" "s" Run "step size of the integrator",
        Load "load" "1" Position "load factor: fraction of weight and loads that acts; one except in statics with load steps",
        MomentumX "momentum_x" "kg*m/s" Velocity "linear momentum along x",
        MomentumY "momentum_y" "kg*m/s" Velocity "linear momentum along y",
        MomentumZ "momentum_z" "kg*m/s" Velocity "linear momentum along z",
        AngularX "angular_momentum_x" "kg*m^2/s" Velocity "angular momentum about the ground's origin along x",
        AngularY "angular_momentum_y" "kg*m^2/s" Velocity "angular momentum about the ground's origin along y",
        AngularZ "angular_momentum_z" "kg*m^2/s" Velocity "angular momentum about the ground's origin along z",
    }
}

/// Quantities of a joint of a trajectory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrajectoryQuantity {
    /// Reference position of the joint.
    Position,
    /// Its velocity.
    Rate,
    /// Its acceleration.
    Acceleration,
    /// Its jerk.
    Jerk,
}

impl TrajectoryQuantity {
    /// All quantities, in the order of the results.
    pub const ALL: [TrajectoryQuantity; 4] = [
        TrajectoryQuantity::Position,
        TrajectoryQuantity::Rate,
        TrajectoryQuantity::Acceleration,
        TrajectoryQuantity::Jerk,
    ];

    /// The suffix of the joint's name.
    pub const fn suffix(self) -> &'static str {
        match self {
            TrajectoryQuantity::Position => "",
            TrajectoryQuantity::Rate => "_rate",
            TrajectoryQuantity::Acceleration => "_acceleration",
            TrajectoryQuantity::Jerk => "_jerk",
        }
    }

    /// SI unit, for an angle or a length.
    pub const fn unit(self, angle: bool) -> &'static str {
        match (self, angle) {
            (TrajectoryQuantity::Position, true) => "rad",
            (TrajectoryQuantity::Rate, true) => "rad/s",
            (TrajectoryQuantity::Acceleration, true) => "rad/s^2",
            (TrajectoryQuantity::Jerk, true) => "rad/s^3",
            (TrajectoryQuantity::Position, false) => "m",
            (TrajectoryQuantity::Rate, false) => "m/s",
            (TrajectoryQuantity::Acceleration, false) => "m/s^2",
            (TrajectoryQuantity::Jerk, false) => "m/s^3",
        }
    }

    /// One-line description.
    pub const fn text(self) -> &'static str {
        match self {
            TrajectoryQuantity::Position => "reference position",
            TrajectoryQuantity::Rate => "reference velocity",
            TrajectoryQuantity::Acceleration => "reference acceleration",
            TrajectoryQuantity::Jerk => "reference jerk",
        }
    }
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
