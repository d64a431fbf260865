//! Scalars, rotations and linear algebra.
//!
//! [`Vec3`], [`Mat3`] and [`Matrix`] are types of the crate `nalgebra`, with its operators and functions.
//!
//! ```
//! use biela_core::math::{LinearQuadratic, Matrix, Pose, Vec3, rotation};
//!
//! // a frame in space: rotation matrix and origin
//! let frame = Pose::new(rotation::about(0, std::f64::consts::FRAC_PI_2), Vec3::new(0.0, 0.0, 1.0));
//! assert!((frame.point(&Vec3::new(0.0, 2.0, 0.0)) - Vec3::new(0.0, 0.0, 3.0)).norm() < 1e-15);
//!
//! // the optimal feedback of a double integrator, ẍ = u: K = (1, √3)
//! let problem = LinearQuadratic {
//!     a: Matrix::from_row_slice(2, 2, &[0.0, 1.0, 0.0, 0.0]),
//!     b: Matrix::from_row_slice(2, 1, &[0.0, 1.0]),
//!     q: Matrix::identity(2, 2),
//!     r: Matrix::identity(1, 1),
//! };
//! let gain = problem.continuous()?.gain;
//! assert!((gain[(0, 0)] - 1.0).abs() < 1e-9 && (gain[(0, 1)] - 3.0_f64.sqrt()).abs() < 1e-9);
//! # Ok::<(), biela_core::math::RiccatiError>(())
//! ```

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
