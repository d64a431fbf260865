//! The types and functions that most programs need: `use biela::prelude::*;`.
//!
//! | to | use |
//! | --- | --- |
//! | read a model file | [`load`], [`load_with`] |
//! | build a model in code | [`Model`], [`Body`], [`MassProperties`], [`Pose`], [`Revolute`] and the other [`joints`], [`SpringDamper`] and the other [`forces`], [`Law`], [`Motion`] |
//! | find the mistakes of a model or a study | [`Model::check`], [`Study::check`], [`Faults`] |
//! | choose duration, output, formulation, method and integrator | [`Study`], [`Formulation`], [`Dopri5`] and the other [`integrators`], [`Projection`] and the other [`methods`] |
//! | run a model file, results in memory | [`run`], [`Run`] |
//! | run a model built in code, results in memory | [`Job::of`], then [`run`] |
//! | step a simulation, set inputs and read signals | [`simulate`], [`Simulation`], [`find_signal`], [`find_input`], [`InputTable`] |
//! | receive results during a run | [`on_output`], [`Observer`], [`Instant`] |
//! | write an element | [`Force`], [`JointKind`], [`Integrator`], [`EvaluationContext`], [`Loads`], [`SignalFunction`], [`SampledLaw`], [`SampledFunction`] |
//! | linearise | [`Simulation::linearize`], [`LinearModelRequest`], [`modes`](fn@modes) |
//!
//! ```
//! use biela::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut model = Model::new("falling stone", Space::Planar);
//! model.gravity = Vec3::new(0.0, -9.81, 0.0);
//! model.add_body(Body::new("stone", MassProperties::planar(1.0, [0.0, 0.0], 0.1)?));
//! let height = find_signal(&model, "stone.y")?;
//! let mut simulation = simulate(model, &Study::new(Space::Planar, 1.0, 0.1))?;
//! simulation.advance(0.5)?;
//! assert!((simulation.read(height)? + 9.81 / 8.0).abs() < 1e-9);
//! # Ok(())
//! # }
//! ```

pub use std::ops::ControlFlow;

pub use crate::core::analysis::{
    Analysis, Formulation, InputTable, LinearModelRequest, Linearization, Observer, Progress,
    RunFailure, Simulation, Stop, Study, modes, on_output,
};
pub use crate::core::element::{ArgumentError, Fields};
pub use crate::core::forces::{
    self, Actuator, Bushing, CoulombFriction, Force, ForceMeasure, JointDamping, JointFriction,
    JointSpringDamper, Limit, Motor, PointForce, SpringDamper, Torque,
};
pub use crate::core::integrators::{
    self, Abm, Bdf, Dop853, Dopri5, GeneralizedAlpha, Hht, Integrator, Kinematics, Rk4,
};
pub use crate::core::joints::{
    self, Cylindrical, Distance, Joint, JointKind, Prismatic, Revolute, Screw, Spherical,
    Universal, Weld,
};
pub use crate::core::math::{Jet, Mat3, Matrix, Pose, Real, Vec3};
pub use crate::core::methods::{self, Augmented, Baumgarte, Projection};
pub use crate::core::model::{
    Body, BodyIndex, BodyQuantity, ControllerElement, Crossing, DriverQuantity, DriverTarget,
    EnergyQuantity, Event, EventAction, Fault, Faults, ForceIndex, ForceQuantity, Hold, InputIndex,
    JointIndex, JointQuantity, Law, MarkerIndex, MassProperties, Model, Motion, PointQuantity,
    SampledFunction, SampledLaw, Signal, SignalFunction, Space, Stage,
};
pub use crate::core::system::{Channel, EvaluationContext, Instant, Loads, State, channels};
pub use crate::{Job, Run, find_input, find_signal, load, load_with, run, simulate};
