//! The scalar trait over which the kinematics and the expressions are generic.
//!
//! `f64` yields numbers; [`Jet`](super::Jet) carries first and second time derivatives; other scalars (dual numbers,
//! symbols) are used in the same way. The trait requires only the operations that the formulas use.

use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::joints::{CustomJoint, JointOver};
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
    /// The scalar of the constant `x`.
    fn constant(x: f64) -> Self;
    /// The numerical value of the scalar: used for branches, never in a formula.
    fn number(self) -> f64;
    /// Sine and cosine.
    fn sin_cos(self) -> (Self, Self);
    /// Square root.
    fn sqrt(self) -> Self;
    /// Angle of the point (`x`, `self`), in (−π, π].
    fn atan2(self, x: Self) -> Self;
    /// Exponential.
    fn exp(self) -> Self;
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// An integer power, with exact derivatives also at zero.
    fn powi(self, n: i32) -> Self;
    /// A real power.
    fn powf(self, exponent: Self) -> Self;
    /// Cube root, also of negative numbers.
    fn cbrt(self) -> Self;
    /// Tangent.
    fn tan(self) -> Self;
    /// Angle in [−π/2, π/2] with this sine.
    fn asin(self) -> Self;
    /// Angle in [0, π] with this cosine.
    fn acos(self) -> Self;
    /// Angle in (−π/2, π/2) with this tangent.
    fn atan(self) -> Self;
    /// Hyperbolic sine.
    fn sinh(self) -> Self;
    /// Hyperbolic cosine.
    fn cosh(self) -> Self;
    /// Hyperbolic tangent.
    fn tanh(self) -> Self;
    /// Absolute value; the derivative at zero is the right-sided one.
    fn abs(self) -> Self;
    /// Remainder of the floored division: x mod y = x − k y with the integer k = ⌊x/y⌋. It has the sign of the
    /// divisor, so that time wraps uniformly through zero.
    fn modulo(self, divisor: Self) -> Self;

    /// Sine.
    fn sin(self) -> Self {
        self.sin_cos().0
    }
    /// Cosine.
    fn cos(self) -> Self {
        self.sin_cos().1
    }
    /// Decimal logarithm.
    fn log10(self) -> Self {
        self.ln() * Self::constant(std::f64::consts::LOG10_E)
    }
    /// √(self² + other²).
    fn hypot(self, other: Self) -> Self {
        (self * self + other * other).sqrt()
    }
    /// Largest integer not above: piecewise constant, so its derivatives are zero.
    fn floor(self) -> Self {
        Self::constant(self.number().floor())
    }
    /// Smallest integer not below: piecewise constant.
    fn ceil(self) -> Self {
        Self::constant(self.number().ceil())
    }
    /// Nearest integer, halves away from zero: piecewise constant.
    fn round(self) -> Self {
        Self::constant(self.number().round())
    }
    /// −1, 0 or 1: piecewise constant; NaN remains NaN.
    fn sign(self) -> Self {
        let x = self.number();
        Self::constant(if x == 0.0 { 0.0 } else { x.signum() })
    }

    /// The equations of a joint of another crate in this scalar type; `None` unless this crate defines the type.
    fn joint(_joint: &dyn CustomJoint) -> Option<&dyn JointOver<Self>> {
        None
    }

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
    fn joint(joint: &dyn CustomJoint) -> Option<&dyn JointOver<Self>> {
        Some(joint)
    }
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
    fn exp(self) -> Self {
        f64::exp(self)
    }
    fn ln(self) -> Self {
        f64::ln(self)
    }
    fn powi(self, n: i32) -> Self {
        f64::powi(self, n)
    }
    fn powf(self, exponent: Self) -> Self {
        f64::powf(self, exponent)
    }
    fn cbrt(self) -> Self {
        f64::cbrt(self)
    }
    fn tan(self) -> Self {
        f64::tan(self)
    }
    fn asin(self) -> Self {
        f64::asin(self)
    }
    fn acos(self) -> Self {
        f64::acos(self)
    }
    fn atan(self) -> Self {
        f64::atan(self)
    }
    fn sinh(self) -> Self {
        f64::sinh(self)
    }
    fn cosh(self) -> Self {
        f64::cosh(self)
    }
    fn tanh(self) -> Self {
        f64::tanh(self)
    }
    fn abs(self) -> Self {
        f64::abs(self)
    }
    fn sin(self) -> Self {
        f64::sin(self)
    }
    fn cos(self) -> Self {
        f64::cos(self)
    }
    fn log10(self) -> Self {
        f64::log10(self)
    }
    fn hypot(self, other: Self) -> Self {
        f64::hypot(self, other)
    }
    fn modulo(self, divisor: Self) -> Self {
        let remainder = self % divisor;
        if remainder != 0.0 && (remainder < 0.0) != (divisor < 0.0) {
            remainder + divisor
        } else {
            remainder
        }
    }
}

/// A vector of three components.
pub type Vec3<T> = Vector3<T>;
/// A 3 × 3 matrix.
pub type Mat3<T> = Matrix3<T>;
