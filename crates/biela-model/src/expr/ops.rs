//! The operations of the language for any scalar type; the only definition of their meaning.

use biela_core::math::Real;

/// An operation on one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    Negate,
    Not,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Ln,
    Log10,
    Sqrt,
    Cbrt,
    Abs,
    Sign,
    Floor,
    Ceil,
    Round,
    Step,
    Degrees,
    Radians,
    Square,
    PowI(i32),
}

/// An operation on two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Power,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
    And,
    Or,
    Min,
    Max,
    Atan2,
    Hypot,
}

/// An operation on three values x, x₀, x₁.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ternary {
    Smoothstep,
    Pulse,
}

fn truth<T: Real>(condition: bool) -> T {
    T::constant(f64::from(u8::from(condition)))
}

/// Zero is false, everything else is true.
pub(super) fn is_true<T: Real>(value: T) -> bool {
    value.number() != 0.0
}

impl Unary {
    #[inline]
    pub(super) fn apply<T: Real>(self, x: T) -> T {
        match self {
            Self::Negate => -x,
            Self::Not => truth(!is_true(x)),
            Self::Sin => x.sin(),
            Self::Cos => x.cos(),
            Self::Tan => x.tan(),
            Self::Asin => x.asin(),
            Self::Acos => x.acos(),
            Self::Atan => x.atan(),
            Self::Sinh => x.sinh(),
            Self::Cosh => x.cosh(),
            Self::Tanh => x.tanh(),
            Self::Exp => x.exp(),
            Self::Ln => x.ln(),
            Self::Log10 => x.log10(),
            Self::Sqrt => x.sqrt(),
            Self::Cbrt => x.cbrt(),
            Self::Abs => x.abs(),
            Self::Sign => x.sign(),
            Self::Floor => x.floor(),
            Self::Ceil => x.ceil(),
            Self::Round => x.round(),
            Self::Step => truth(x.number() >= 0.0),
            Self::Degrees => x * T::constant(180.0 / std::f64::consts::PI),
            Self::Radians => x * T::constant(std::f64::consts::PI / 180.0),
            Self::Square => x * x,
            Self::PowI(n) => x.powi(n),
        }
    }
}

impl Binary {
    #[inline]
    pub(super) fn apply<T: Real>(self, a: T, b: T) -> T {
        let (x, y) = (a.number(), b.number());
        match self {
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
            Self::Divide => a / b,
            Self::Modulo => a.modulo(b),
            Self::Power => a.powf(b),
            Self::Less => truth(x < y),
            Self::LessOrEqual => truth(x <= y),
            Self::Greater => truth(x > y),
            Self::GreaterOrEqual => truth(x >= y),
            Self::Equal => truth(x == y),
            Self::NotEqual => truth(x != y),
            Self::And => truth(is_true(a) && is_true(b)),
            Self::Or => truth(is_true(a) || is_true(b)),
            // NaN is propagated, so that an invalid value is found at its origin.
            Self::Min => {
                if x <= y || x.is_nan() {
                    a
                } else {
                    b
                }
            }
            Self::Max => {
                if x >= y || x.is_nan() {
                    a
                } else {
                    b
                }
            }
            Self::Atan2 => a.atan2(b),
            Self::Hypot => a.hypot(b),
        }
    }
}

impl Ternary {
    pub(super) fn apply<T: Real>(self, x: T, x0: T, x1: T) -> T {
        match self {
            Self::Smoothstep => ramp(x, x0, x1, |u| {
                u * u * (T::constant(3.0) - T::constant(2.0) * u)
            }),
            Self::Pulse => truth(x.number() >= x0.number() && x.number() < x1.number()),
        }
    }
}

/// From h₀ at t₀ to h₁ at t₁ along 10u³ − 15u⁴ + 6u⁵, with zero first and second derivative at both ends.
pub(super) fn step5<T: Real>([t, t0, h0, t1, h1]: [T; 5]) -> T {
    let quintic = |u: T| {
        let six = T::constant(6.0);
        u * u * u * (T::constant(10.0) + u * (six * u - T::constant(15.0)))
    };
    h0 + (h1 - h0) * ramp(t, t0, t1, quintic)
}

/// 0 up to x₀, 1 from x₁ on, and `shape` of u = (x − x₀)/(x₁ − x₀) between.
fn ramp<T: Real>(x: T, x0: T, x1: T, shape: impl Fn(T) -> T) -> T {
    if x.number() <= x0.number() {
        T::zero()
    } else if x.number() >= x1.number() {
        T::one()
    } else {
        shape((x - x0) / (x1 - x0))
    }
}
