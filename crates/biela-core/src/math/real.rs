//! The small scalar trait that the kinematics and the expressions are generic over.
//!
//! `f64` gives numbers; [`Jet`](super::Jet) carries first and second time derivatives; other scalars (dual numbers,
//! symbols) plug in the same way. The trait asks only for what the formulas use.

use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use nalgebra::Scalar;
use nalgebra::{Matrix3, Vector3};

/// A scalar that behaves like a real number.
pub trait Real:
    Scalar
    + Copy
    + Default
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
{
    /// The scalar that stands for the constant `x`.
    fn constant(x: f64) -> Self;
    /// The plain number behind the scalar: decides branches, never enters a formula.
    fn number(self) -> f64;
    /// Sine and cosine.
    fn sin_cos(self) -> (Self, Self);
    /// Square root.
    fn sqrt(self) -> Self;
    /// Angle of the point (`x`, `self`), in (−π, π].
    fn atan2(self, x: Self) -> Self;

    /// Zero.
    fn zero() -> Self {
        Self::constant(0.0)
    }
    /// One.
    fn one() -> Self {
        Self::constant(1.0)
    }
}

impl Real for f64 {
    fn constant(x: f64) -> Self {
        x
    }
    fn number(self) -> f64 {
        self
    }
    fn sin_cos(self) -> (Self, Self) {
        f64::sin_cos(self)
    }
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    fn atan2(self, x: Self) -> Self {
        f64::atan2(self, x)
    }
}

/// Three components.
pub type Vec3<T> = Vector3<T>;
/// Three by three.
pub type Mat3<T> = Matrix3<T>;
