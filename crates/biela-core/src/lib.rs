//! Numerics of the biela multibody workbench: models, joints, forces, systems, solution methods and integrators.
//!
//! Three kinds of data are never mixed: an immutable [`model::Model`]; a [`system::State`] that holds everything on which the next step
//! depends; a [`system::Workspace`] of buffers, so that nothing allocates after the first step.
//!
//! The crate has no files, clocks or printing. The crate `biela` adds model files, results and studies, with a prelude and a notation table on its first page.
//!
//! ```
//! use biela_core::analysis::{Simulation, Stop, Study, assemble};
//! use biela_core::joints::Revolute;
//! use biela_core::math::Vec3;
//! use biela_core::model::{Body, MarkerIndex, MassProperties, Model, Space};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // the model: a rod of 1 m on a pin, horizontal at the start
//! let mut model = Model::new("pendulum", Space::Planar);
//! model.gravity = Vec3::new(0.0, -9.81, 0.0);
//! let rod = model.add_body(Body::new("rod", MassProperties::planar(2.0, [0.5, 0.0], 1.0 / 6.0)?));
//! let pin = model.connect("pin", Revolute, [MarkerIndex::GROUND, model.body_marker(rod)]);
//! model.set_initial(pin, 0, 0.0, 0.0);
//! let speed = model.signal("pin.rate").ok_or("no such signal")?;
//!
//! // the system of equations with a consistent initial state, and its simulation
//! let study = Study::new(Space::Planar, 10.0, 0.01);
//! let assembled = assemble(model, study.formulation)?;
//! let mut simulation = Simulation::new(assembled, &study)?;
//! assert_eq!(simulation.advance(0.483_333_714)?, Stop::Finished);
//! // a quarter of the period later it is vertical: ω² = 3 g/L
//! assert!((simulation.read(speed)? + (3.0_f64 * 9.81).sqrt()).abs() < 1e-6);
//! # Ok(())
//! # }
//! ```
//!
//! # Notation
//!
//! ```text
//! q̇ = N(q) v      M(q) v̇ + Gᵀ λ = f(t, q, v)      Φ(q, t) = 0      A(q, t) v + b(t) = 0
//! ```
//!
//! q and v are position and velocity coordinates, M is the mass matrix, f the generalised force, Φ the position constraints with the Jacobian G, and λ their
//! Lagrange multipliers; `R` and `p` are the rotation matrix and the origin of a frame. All numbers are in SI units, angles in radians.

/// Makes types errors whose `Debug` output is their text: what `fn main() -> Result<(), Box<dyn Error>>`, `unwrap` and `expect` print.
#[doc(hidden)]
#[macro_export]
macro_rules! readable_errors {
    ($($error:ty),+ $(,)?) => {$(
        impl ::std::fmt::Debug for $error {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(self, f)
            }
        }

        impl ::std::error::Error for $error {}
    )+};
}

pub mod analysis;
pub mod contact;
pub mod control;
pub mod element;
pub mod flexible;
pub mod forces;
pub mod integrators;
pub mod joints;
pub mod keep;
pub mod math;
pub mod methods;
pub mod model;
pub mod robot;
pub mod suggest;
pub mod system;
pub mod tree;
pub mod unilateral;
