//! Numerics of the biela multibody workbench: models, joints, forces, systems, solution methods and integrators.
//!
//! Three kinds of data are never mixed: an immutable [`model::Model`]; a [`system::State`] that holds everything on which the next step
//! depends; a [`system::Workspace`] of buffers, so that nothing allocates after the first step.

pub mod analysis;
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
pub mod system;
pub mod tree;
