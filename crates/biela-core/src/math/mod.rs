//! Scalars, rotations and linear algebra.

mod jet;
mod real;

pub use jet::Jet;
pub use real::{Mat3, Real, Vec3};
