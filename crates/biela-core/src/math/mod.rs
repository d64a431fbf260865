//! Scalars, rotations and linear algebra.

mod real;

pub use real::{Mat3, Real, Vec3};
