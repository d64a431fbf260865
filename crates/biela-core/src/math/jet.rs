//! A number with its first and second time derivatives.
//!
//! A jet is the Taylor polynomial x(t + τ) = x + ẋ τ + ½ ẍ τ², truncated after the second order. Sums are termwise,
//! products follow Leibniz' rule, and a function f follows the chain rule
//!
//! ```text
//! f(x)˙ = f′(x) ẋ        f(x)¨ = f″(x) ẋ² + f′(x) ẍ
//! ```
//!
//! so a motion written once as a formula yields its velocity and acceleration exactly.

use crate::joints::{CustomJoint, JointOver};
use std::f64::consts::LN_10;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use super::Real;

/// Value, first and second time derivative.
///
/// ```
/// use biela_core::math::{Jet, Real};
///
/// let t = Jet::time(2.0);
/// let fall = 0.5 * 9.81 * (t * t);
/// assert_eq!((fall.value, fall.rate, fall.curvature), (19.62, 19.62, 9.81));
/// let swing = 0.2 * (3.0 * t).sin();
/// assert_eq!(swing.rate, 0.2 * 3.0 * 6.0_f64.cos());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Jet {
    /// x.
    pub value: f64,
    /// ẋ.
    pub rate: f64,
    /// ẍ.
    pub curvature: f64,
}

impl Jet {
    /// The jet of x with derivatives ẋ and ẍ.
    pub const fn new(value: f64, rate: f64, curvature: f64) -> Self {
        Self {
            value,
            rate,
            curvature,
        }
    }

    /// Time at the instant `t`: its first derivative is one.
    pub const fn time(t: f64) -> Self {
        Self::new(t, 1.0, 0.0)
    }

    fn is_constant(self) -> bool {
        self.rate == 0.0 && self.curvature == 0.0
    }

    /// Returns f(x) from f, f′ and f″ at x. A constant remains one even if f′ is infinite (√ at zero).
    fn chain(self, f: f64, slope: f64, bend: f64) -> Self {
        if self.is_constant() {
            return Self::constant(f);
        }
        Self::new(
            f,
            slope * self.rate,
            bend * self.rate * self.rate + slope * self.curvature,
        )
    }

    /// Returns c xⁿ; a zero factor gives zero even for an infinite power.
    fn scaled_power(factor: f64, power: impl FnOnce() -> f64) -> f64 {
        if factor == 0.0 { 0.0 } else { factor * power() }
    }
}

impl Real for Jet {
    fn joint(joint: &dyn CustomJoint) -> Option<&dyn JointOver<Self>> {
        Some(joint)
    }
    fn constant(x: f64) -> Self {
        Self::new(x, 0.0, 0.0)
    }
    fn number(self) -> f64 {
        self.value
    }
    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = self.value.sin_cos();
        (self.chain(s, c, -s), self.chain(c, -s, -c))
    }
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.chain(root, 0.5 / root, -0.25 / (root * self.value))
    }
    fn atan2(self, x: Self) -> Self {
        // θ̇ = (x ẏ − y ẋ)/r², and θ̈ from differentiating r² θ̇.
        let (y, angle) = (self, self.value.atan2(x.value));
        if y.is_constant() && x.is_constant() {
            return Self::constant(angle);
        }
        let r2 = x.value * x.value + y.value * y.value;
        let rate = (x.value * y.rate - y.value * x.rate) / r2;
        let r2_rate = 2.0 * (x.value * x.rate + y.value * y.rate);
        let curvature = (x.value * y.curvature - y.value * x.curvature - rate * r2_rate) / r2;
        Self::new(angle, rate, curvature)
    }
    fn exp(self) -> Self {
        let e = self.value.exp();
        self.chain(e, e, e)
    }
    fn ln(self) -> Self {
        let slope = self.value.recip();
        self.chain(self.value.ln(), slope, -slope * slope)
    }
    fn powi(self, n: i32) -> Self {
        let (x, order) = (self.value, f64::from(n));
        let slope = Self::scaled_power(order, || x.powi(n.saturating_sub(1)));
        let bend = Self::scaled_power(order * (order - 1.0), || x.powi(n.saturating_sub(2)));
        self.chain(x.powi(n), slope, bend)
    }
    fn powf(self, exponent: Self) -> Self {
        let (x, p) = (self.value, exponent.value);
        if exponent.is_constant() {
            let slope = Self::scaled_power(p, || x.powf(p - 1.0));
            let bend = Self::scaled_power(p * (p - 1.0), || x.powf(p - 2.0));
            return self.chain(x.powf(p), slope, bend);
        }
        // x^p = e^(p ln x)
        let power = x.powf(p);
        (exponent * self.ln()).chain(power, power, power)
    }
    fn cbrt(self) -> Self {
        let root = self.value.cbrt();
        let slope = 1.0 / (3.0 * root * root);
        self.chain(root, slope, -2.0 / 3.0 * slope / self.value)
    }
    fn tan(self) -> Self {
        let tangent = self.value.tan();
        let slope = 1.0 + tangent * tangent;
        self.chain(tangent, slope, 2.0 * tangent * slope)
    }
    fn asin(self) -> Self {
        let x = self.value;
        let slope = ((1.0 - x) * (1.0 + x)).sqrt().recip();
        self.chain(x.asin(), slope, x * slope * slope * slope)
    }
    fn acos(self) -> Self {
        let x = self.value;
        let slope = -((1.0 - x) * (1.0 + x)).sqrt().recip();
        self.chain(x.acos(), slope, x * slope * slope * slope)
    }
    fn atan(self) -> Self {
        let x = self.value;
        let slope = (1.0 + x * x).recip();
        self.chain(x.atan(), slope, -2.0 * x * slope * slope)
    }
    fn sinh(self) -> Self {
        let (s, c) = (self.value.sinh(), self.value.cosh());
        self.chain(s, c, s)
    }
    fn cosh(self) -> Self {
        let (s, c) = (self.value.sinh(), self.value.cosh());
        self.chain(c, s, c)
    }
    fn tanh(self) -> Self {
        let tangent = self.value.tanh();
        let slope = 1.0 - tangent * tangent;
        self.chain(tangent, slope, -2.0 * tangent * slope)
    }
    fn abs(self) -> Self {
        if self.value.is_sign_negative() {
            -self
        } else {
            self
        }
    }
    fn modulo(self, divisor: Self) -> Self {
        // between the discontinuities x mod y = x − k y with a constant integer k
        let value = Real::modulo(self.value, divisor.value);
        if divisor.is_constant() {
            return Self { value, ..self };
        }
        let k = ((self.value - value) / divisor.value).round();
        let moved = self - divisor * Self::constant(k);
        Self { value, ..moved }
    }
    fn hypot(self, other: Self) -> Self {
        // Differentiating r² = x² + y² twice; the value without overflow.
        let (x, y, value) = (self, other, self.value.hypot(other.value));
        if x.is_constant() && y.is_constant() {
            return Self::constant(value);
        }
        let rate = (x.value * x.rate + y.value * y.rate) / value;
        let squares = x.rate * x.rate + y.rate * y.rate - rate * rate;
        let curvature = (squares + x.value * x.curvature + y.value * y.curvature) / value;
        Self::new(value, rate, curvature)
    }
    fn log10(self) -> Self {
        let slope = (self.value * LN_10).recip();
        self.chain(self.value.log10(), slope, -slope / self.value)
    }
}

impl Add for Jet {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(
            self.value + other.value,
            self.rate + other.rate,
            self.curvature + other.curvature,
        )
    }
}

impl Sub for Jet {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(
            self.value - other.value,
            self.rate - other.rate,
            self.curvature - other.curvature,
        )
    }
}

impl Mul for Jet {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let (u, v) = (self, other);
        Self::new(
            u.value * v.value,
            u.rate * v.value + u.value * v.rate,
            u.curvature * v.value + 2.0 * u.rate * v.rate + u.value * v.curvature,
        )
    }
}

impl Div for Jet {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        // Differentiating q v = u twice.
        let (u, v) = (self, other);
        let value = u.value / v.value;
        let rate = (u.rate - value * v.rate) / v.value;
        let curvature = (u.curvature - 2.0 * rate * v.rate - value * v.curvature) / v.value;
        Self::new(value, rate, curvature)
    }
}

impl Neg for Jet {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.value, -self.rate, -self.curvature)
    }
}

/// Operations with constants.
macro_rules! with_constants {
    ($($operation:ident $function:ident),*) => {$(
        impl $operation<f64> for Jet {
            type Output = Jet;
            fn $function(self, constant: f64) -> Jet {
                $operation::$function(self, Jet::constant(constant))
            }
        }

        impl $operation<Jet> for f64 {
            type Output = Jet;
            fn $function(self, jet: Jet) -> Jet {
                $operation::$function(Jet::constant(self), jet)
            }
        }
    )*};
}

with_constants!(Add add, Sub sub, Mul mul, Div div);

impl AddAssign for Jet {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Jet {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl MulAssign for Jet {
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

impl DivAssign for Jet {
    fn div_assign(&mut self, other: Self) {
        *self = *self / other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A curved path x(t) = a + 0.7 t + 0.3 t², so that both terms of the chain rule contribute.
    fn path<T: Real>(a: f64, t: T) -> T {
        T::constant(a) + t * T::constant(0.7) + t * t * T::constant(0.3)
    }

    /// Checks a jet function against eighth-order central differences of the same function on numbers.
    fn agrees(name: &str, t: f64, number: impl Fn(f64) -> f64, jet: impl Fn(Jet) -> Jet) {
        const RATE: [f64; 4] = [4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0];
        const CURVATURE: [f64; 4] = [8.0 / 5.0, -1.0 / 5.0, 8.0 / 315.0, -1.0 / 560.0];
        let h = 5e-3;
        let centre = number(t);
        let (mut rate, mut curvature) = (0.0, -205.0 / 72.0 * centre);
        for k in 0..4 {
            let reach = h * (k + 1) as f64;
            let (ahead, behind) = (number(t + reach), number(t - reach));
            rate += RATE[k] * (ahead - behind) / h;
            curvature += CURVATURE[k] * (ahead + behind);
        }
        curvature /= h * h;
        let exact = jet(Jet::time(t));
        let scale = 1.0 + rate.abs() + curvature.abs();
        assert!(
            (exact.value - centre).abs() <= 4e-16 * (1.0 + centre.abs()),
            "{name}: {} for {centre}",
            exact.value
        );
        assert!(
            (exact.rate - rate).abs() < 1e-10 * scale,
            "{name}: rate {} for {rate}",
            exact.rate
        );
        assert!(
            (exact.curvature - curvature).abs() < 1e-8 * scale,
            "{name}: {} for {curvature}",
            exact.curvature
        );
    }

    macro_rules! differences {
        ($($name:literal at $a:expr => |$x:ident| $formula:expr;)*) => {$(
            agrees($name, 0.2, |t: f64| { let $x = path($a, t); $formula }, |t: Jet| { let $x = path($a, t); $formula });
        )*};
    }

    #[test]
    fn every_function_has_the_derivatives_of_finite_differences() {
        differences! {
            "sin" at 0.4 => |x| Real::sin(x);
            "cos" at 0.4 => |x| Real::cos(x);
            "sin_cos" at -2.0 => |x| { let (s, c) = Real::sin_cos(x); s * c };
            "tan" at 0.4 => |x| Real::tan(x);
            "asin" at 0.2 => |x| Real::asin(x);
            "asin below zero" at -0.6 => |x| Real::asin(x);
            "acos" at 0.2 => |x| Real::acos(x);
            "acos below zero" at -0.6 => |x| Real::acos(x);
            "atan" at 0.9 => |x| Real::atan(x);
            "sinh" at 0.4 => |x| Real::sinh(x);
            "cosh" at 0.4 => |x| Real::cosh(x);
            "tanh" at 0.4 => |x| Real::tanh(x);
            "exp" at 0.4 => |x| Real::exp(x);
            "ln" at 0.4 => |x| Real::ln(x);
            "log10" at 0.4 => |x| Real::log10(x);
            "sqrt" at 0.4 => |x| Real::sqrt(x);
            "cbrt" at 0.4 => |x| Real::cbrt(x);
            "cbrt below zero" at -0.8 => |x| Real::cbrt(x);
            "abs" at -0.8 => |x| Real::abs(x);
            "powi 0" at 0.4 => |x| Real::powi(x, 0);
            "powi 1" at 0.4 => |x| Real::powi(x, 1);
            "powi 5" at -0.9 => |x| Real::powi(x, 5);
            "powi -2" at 0.4 => |x| Real::powi(x, -2);
            "powf constant" at 0.4 => |x| Real::powf(x, Real::constant(2.5));
            "powf moving" at 0.4 => |x| Real::powf(x, Real::sin(x));
            "division" at 0.4 => |x| Real::sin(x) / (x + Real::exp(x));
            "product" at 0.4 => |x| Real::sin(x) * Real::exp(x) - x;
        };
    }

    #[test]
    fn functions_of_two_arguments_have_the_derivatives_of_finite_differences() {
        for quadrant in [0.3, 1.9, -2.4, -0.8] {
            differences! {
                "atan2" at quadrant => |x| Real::atan2(Real::sin(x) * x, Real::cos(x) + x);
                "hypot" at quadrant => |x| Real::hypot(Real::sin(x), Real::exp(x));
            };
        }
        differences! {
            "modulo" at 7.3 => |x| Real::modulo(x * x, Real::exp(Real::sin(x)));
            "modulo of a negative" at -7.3 => |x| Real::modulo(x, Real::constant(1.7));
            "floor" at 2.3 => |x| Real::floor(x);
            "ceil" at 2.3 => |x| Real::ceil(x);
            "round" at 2.1 => |x| Real::round(x);
            "sign" at -2.3 => |x| Real::sign(x);
        };
    }

    #[test]
    fn assigning_operators_agree_with_the_plain_ones() {
        let (a, b) = (Jet::new(1.5, -0.5, 2.0), Jet::new(0.8, 3.0, -1.0));
        let mut x = a;
        x += b;
        assert_eq!(x, a + b);
        x -= a;
        assert_eq!(x, a + b - a);
        x *= b;
        assert_eq!(x, (a + b - a) * b);
        x /= a;
        assert_eq!(x, (a + b - a) * b / a);
    }

    #[test]
    fn a_constant_stays_constant_where_the_slope_is_infinite() {
        for f in [Real::sqrt, Real::cbrt] {
            assert_eq!(f(Jet::constant(0.0)), Jet::constant(0.0));
        }
        assert_eq!(Jet::constant(1.0).asin(), Jet::constant(1.0_f64.asin()));
        assert_eq!(
            Jet::constant(0.0).atan2(Jet::constant(0.0)),
            Jet::constant(0.0)
        );
    }

    #[test]
    fn whole_powers_are_exact_at_zero() {
        assert_eq!(Jet::time(0.0).powi(2), Jet::new(0.0, 0.0, 2.0));
        assert_eq!(Jet::time(0.0).powi(1), Jet::new(0.0, 1.0, 0.0));
        assert_eq!(
            Jet::time(0.0).powf(Jet::constant(1.0)),
            Jet::new(0.0, 1.0, 0.0)
        );
        assert_eq!(
            Jet::time(0.0).powf(Jet::constant(2.0)),
            Jet::new(0.0, 0.0, 2.0)
        );
    }

    #[test]
    fn the_remainder_has_the_sign_of_the_divisor() {
        assert_eq!(Real::modulo(-0.25, 1.0), 0.75);
        assert_eq!(Real::modulo(5.5, -2.0), -0.5);
        assert_eq!(Real::modulo(-6.0, 3.0), 0.0);
        assert!(Real::modulo(1.0, 0.0).is_nan());
        assert_eq!(
            Jet::new(3.0, 2.0, 1.0).modulo(Jet::constant(f64::INFINITY)),
            Jet::new(3.0, 2.0, 1.0)
        );
    }
}
