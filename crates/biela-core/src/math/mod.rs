//! Scalars, rotations and linear algebra.

pub(crate) mod dense;
mod eigen;
mod graph;
mod jet;
mod kkt;
mod order;
mod random;
mod real;
mod riccati;
pub mod rotation;
mod sparse;
pub mod spatial;
mod svd;

pub use eigen::{Matrix, NoSpectrum, Spectrum, pencil_spectrum, spectrum};
pub(crate) use graph::in_cycles;
pub use jet::Jet;
pub use kkt::{Kkt, RowOrder, Weakest};
pub use nalgebra::Complex;
pub(crate) use order::least_fill;
pub use random::Random;
pub use real::{Mat3, Real, Vec3};
pub use riccati::{LinearQuadratic, OptimalGain, RiccatiError};
pub use rotation::Pose;
pub(crate) use sparse::remember_length;
pub use sparse::{RowPattern, SymmetricPattern};
pub(crate) use svd::damped_least_squares;
pub use svd::{Singular, left_singular};
