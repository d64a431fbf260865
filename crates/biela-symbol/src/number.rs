//! Coefficients: exact ratios if possible, otherwise floats.

use std::hash::{Hash, Hasher};

/// The largest denominator for the recognition of floats as ratios: 0.1 is 1/10, 9.80665 is 196133/20000.
const MOST_DENOMINATOR: i64 = 1_000_000;

/// A number. Ratios are in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    /// Numerator over denominator.
    Ratio(i64, i64),
    /// A number that is not a small ratio.
    Float(f64),
}

impl Number {
    /// 0.
    pub const ZERO: Number = Number::Ratio(0, 1);
    /// 1.
    pub const ONE: Number = Number::Ratio(1, 1);
    /// −1.
    pub const MINUS_ONE: Number = Number::Ratio(-1, 1);

    /// An integer.
    pub const fn whole(n: i64) -> Self {
        Number::Ratio(n, 1)
    }

    /// The ratio in lowest terms; a float if it overflows.
    pub fn ratio(n: i64, d: i64) -> Self {
        Self::reduced(i128::from(n), i128::from(d))
    }

    fn reduced(n: i128, d: i128) -> Self {
        if d == 0 {
            return Number::Float(n as f64 / 0.0);
        }
        let divisor = gcd(n, d) * d.signum();
        let (n, d) = (n / divisor, d / divisor);
        match (i64::try_from(n), i64::try_from(d)) {
            (Ok(n), Ok(d)) => Number::Ratio(n, d),
            _ => Number::Float(n as f64 / d as f64),
        }
    }

    /// The ratio with a small denominator whose nearest float is `x`, by continued fractions; otherwise `x` itself.
    pub fn of(x: f64) -> Self {
        if x.fract() == 0.0 && x.abs() < 1e15 {
            return Number::Ratio(x as i64, 1);
        }
        let (mut last, mut now) = ((1_i64, 0_i64), (x.floor() as i64, 1_i64));
        let mut rest = x - x.floor();
        while x.abs() < 1e9 && rest != 0.0 {
            if now.0 as f64 / now.1 as f64 == x {
                return Number::ratio(now.0, now.1);
            }
            rest = 1.0 / rest;
            let whole = rest.floor();
            rest -= whole;
            if whole > MOST_DENOMINATOR as f64 {
                break;
            }
            let whole = whole as i64;
            let next = (whole * now.0 + last.0, whole * now.1 + last.1);
            if next.1 > MOST_DENOMINATOR {
                break;
            }
            (last, now) = (now, next);
        }
        if now.1 > 0 && now.0 as f64 / now.1 as f64 == x {
            return Number::ratio(now.0, now.1);
        }
        Number::Float(x)
    }

    /// As a float.
    pub fn value(self) -> f64 {
        match self {
            Number::Ratio(n, d) => n as f64 / d as f64,
            Number::Float(x) => x,
        }
    }

    /// Returns `true` if it is 0.
    pub fn is_zero(self) -> bool {
        self.value() == 0.0
    }

    /// Returns `true` if it is 1.
    pub fn is_one(self) -> bool {
        matches!(self, Number::Ratio(1, 1))
    }

    /// Returns `true` if it is negative.
    pub fn is_negative(self) -> bool {
        self.value() < 0.0
    }

    /// Returns the integer, if it is one.
    pub fn as_whole(self) -> Option<i64> {
        match self {
            Number::Ratio(n, 1) => Some(n),
            _ => None,
        }
    }

    /// The largest ratio of which all numbers are integer multiples; `None` if one of them is a float.
    pub fn content(numbers: impl IntoIterator<Item = Number>) -> Option<Number> {
        let (mut above, mut below) = (0_i128, 1_i128);
        for number in numbers {
            let Number::Ratio(n, d) = number else {
                return None;
            };
            let (n, d) = (i128::from(n), i128::from(d));
            above = gcd(above, n);
            below = below / gcd(below, d) * d;
            if below > i128::from(i64::MAX) {
                return None;
            }
        }
        Some(Number::reduced(above, below))
    }

    /// A rational power; `None` if it cannot be represented.
    pub fn power(self, exponent: Number) -> Option<Number> {
        if let Some(n) = exponent.as_whole() {
            let mut result = Number::ONE;
            if n.abs() > 64 {
                return Some(Number::Float(self.value().powf(n as f64)));
            }
            for _ in 0..n.abs() {
                result = result * self;
            }
            return Some(if n < 0 { Number::ONE / result } else { result });
        }
        let Number::Ratio(n, d) = exponent else {
            return None;
        };
        if self.is_negative() {
            return None;
        }
        let root = |k: i64| {
            let root = (k as f64).powf(1.0 / d as f64).round() as i64;
            let power = u32::try_from(d).ok().and_then(|d| root.checked_pow(d));
            (power == Some(k)).then_some(root)
        };
        if let Number::Ratio(a, b) = self
            && let (Some(a), Some(b)) = (root(a), root(b))
        {
            return Number::ratio(a, b).power(Number::whole(n));
        }
        Some(Number::Float(self.value().powf(exponent.value())))
    }
}

/// The greatest common divisor; 1 for two zeros, so that it can be a divisor.
fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

/// An integral float becomes exact again.
fn float(x: f64) -> Number {
    if x.fract() == 0.0 && x.abs() < 1e15 {
        Number::Ratio(x as i64, 1)
    } else {
        Number::Float(x)
    }
}

impl std::ops::Add for Number {
    type Output = Number;
    fn add(self, other: Number) -> Number {
        match (self, other) {
            (Number::Ratio(a, 1), Number::Ratio(b, 1)) if a.checked_add(b).is_some() => {
                Number::Ratio(a + b, 1)
            }
            (Number::Ratio(a, b), Number::Ratio(c, d)) => {
                let (a, b, c, d) = (i128::from(a), i128::from(b), i128::from(c), i128::from(d));
                Number::reduced(a * d + c * b, b * d)
            }
            _ => float(self.value() + other.value()),
        }
    }
}

impl std::ops::Neg for Number {
    type Output = Number;
    fn neg(self) -> Number {
        match self {
            Number::Ratio(n, d) => n
                .checked_neg()
                .map_or(Number::Float(-self.value()), |n| Number::Ratio(n, d)),
            Number::Float(x) => Number::Float(-x),
        }
    }
}

impl std::ops::Sub for Number {
    type Output = Number;
    fn sub(self, other: Number) -> Number {
        self + -other
    }
}

impl std::ops::Mul for Number {
    type Output = Number;
    fn mul(self, other: Number) -> Number {
        match (self, other) {
            (Number::Ratio(1, 1), x) | (x, Number::Ratio(1, 1)) => x,
            (Number::Ratio(a, b), Number::Ratio(c, d)) => {
                Number::reduced(i128::from(a) * i128::from(c), i128::from(b) * i128::from(d))
            }
            _ => float(self.value() * other.value()),
        }
    }
}

impl std::ops::Div for Number {
    type Output = Number;
    fn div(self, other: Number) -> Number {
        match (self, other) {
            (Number::Ratio(a, b), Number::Ratio(c, d)) => {
                Number::reduced(i128::from(a) * i128::from(d), i128::from(b) * i128::from(c))
            }
            _ => float(self.value() / other.value()),
        }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Number::Ratio(a, b), Number::Ratio(c, d)) => (a, b) == (c, d),
            (Number::Float(a), Number::Float(b)) => a.to_bits() == b.to_bits(),
            _ => false,
        }
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let kind = |n: &Number| matches!(n, Number::Float(_));
        let by_value = self.value().total_cmp(&other.value());
        by_value.then_with(|| kind(self).cmp(&kind(other)))
    }
}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match *self {
            Number::Ratio(n, d) => (n, d).hash(state),
            Number::Float(x) => (x.to_bits(), 0_i64).hash(state),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_becomes_the_intended_rational() {
        assert_eq!(Number::of(0.1), Number::Ratio(1, 10));
        assert_eq!(Number::of(9.81), Number::Ratio(981, 100));
        assert_eq!(Number::of(-9.80665), Number::Ratio(-196_133, 20_000));
        assert_eq!(Number::of(1.0 / 12.0), Number::Ratio(1, 12));
        assert_eq!(Number::of(-3.0), Number::Ratio(-3, 1));
        assert_eq!(Number::of(0.0), Number::ZERO);
    }

    #[test]
    fn a_number_without_a_small_rational_stays_a_float_to_the_last_bit() {
        for x in [
            std::f64::consts::PI,
            8.822_723_144_635_5,
            1e-300,
            1e300,
            f64::INFINITY,
        ] {
            assert_eq!(Number::of(x).value().to_bits(), x.to_bits());
        }
        assert!(Number::of(f64::NAN).value().is_nan());
    }

    #[test]
    fn sums_and_products_of_rationals_are_exact_and_large_ones_become_floats() {
        let third = Number::ratio(1, 3);
        assert_eq!(third + third + third, Number::ONE);
        assert_eq!(Number::ratio(1, 6) * Number::whole(4), Number::ratio(2, 3));
        let large = Number::whole(i64::MAX);
        assert!(matches!(large * large, Number::Float(_)));
        assert!(matches!(large + large, Number::Float(_)));
        assert!(matches!(Number::ONE / Number::ZERO, Number::Float(x) if x.is_infinite()));
        assert!(matches!(-Number::whole(i64::MIN), Number::Float(_)));
    }

    #[test]
    fn roots_of_squares_are_exact() {
        assert_eq!(
            Number::ratio(4, 9).power(Number::ratio(1, 2)),
            Some(Number::ratio(2, 3))
        );
        assert_eq!(
            Number::ratio(2, 3).power(Number::whole(-2)),
            Some(Number::ratio(9, 4))
        );
        assert_eq!(Number::whole(-1).power(Number::ratio(1, 2)), None);
    }
}
