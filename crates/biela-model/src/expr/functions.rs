//! The functions of the language, one per line.

use super::ops::{Binary, Ternary, Unary};

/// The implementation of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Builtin {
    One(Unary),
    Two(Binary),
    /// Any number of arguments, reduced by a binary operation.
    Fold(Binary),
    Three(Ternary),
    Clamp,
    Step5,
    If,
}

/// A function of the language, for reference pages and completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionInfo {
    /// Its name.
    pub name: &'static str,
    /// Its name with the names of its arguments.
    pub usage: &'static str,
    /// Its value.
    pub summary: &'static str,
    builtin: Builtin,
}

const fn function(
    name: &'static str,
    usage: &'static str,
    builtin: Builtin,
    summary: &'static str,
) -> FunctionInfo {
    FunctionInfo {
        name,
        usage,
        summary,
        builtin,
    }
}

/// The name of a unary operation.
pub(super) fn word(operation: Unary) -> Option<&'static str> {
    let mut all = FUNCTIONS.iter();
    let of = all.find(|function| function.builtin == Builtin::One(operation));
    of.map(|function| function.name)
}

const FUNCTIONS: &[FunctionInfo] = &[
    function(
        "sin",
        "sin(x)",
        Builtin::One(Unary::Sin),
        "sine of an angle in rad",
    ),
    function("cos", "cos(x)", Builtin::One(Unary::Cos), "cosine"),
    function("tan", "tan(x)", Builtin::One(Unary::Tan), "tangent"),
    function(
        "asin",
        "asin(x)",
        Builtin::One(Unary::Asin),
        "angle in [-pi/2, pi/2] with the sine x",
    ),
    function(
        "acos",
        "acos(x)",
        Builtin::One(Unary::Acos),
        "angle in [0, pi] with the cosine x",
    ),
    function(
        "atan",
        "atan(x)",
        Builtin::One(Unary::Atan),
        "angle in (-pi/2, pi/2) with the tangent x",
    ),
    function(
        "atan2",
        "atan2(y, x)",
        Builtin::Two(Binary::Atan2),
        "angle of the point (x, y), in (-pi, pi]",
    ),
    function(
        "sinh",
        "sinh(x)",
        Builtin::One(Unary::Sinh),
        "hyperbolic sine",
    ),
    function(
        "cosh",
        "cosh(x)",
        Builtin::One(Unary::Cosh),
        "hyperbolic cosine",
    ),
    function(
        "tanh",
        "tanh(x)",
        Builtin::One(Unary::Tanh),
        "hyperbolic tangent",
    ),
    function("exp", "exp(x)", Builtin::One(Unary::Exp), "exponential"),
    function("ln", "ln(x)", Builtin::One(Unary::Ln), "natural logarithm"),
    function(
        "log10",
        "log10(x)",
        Builtin::One(Unary::Log10),
        "decimal logarithm",
    ),
    function("sqrt", "sqrt(x)", Builtin::One(Unary::Sqrt), "square root"),
    function(
        "cbrt",
        "cbrt(x)",
        Builtin::One(Unary::Cbrt),
        "cube root, also of negative numbers",
    ),
    function("abs", "abs(x)", Builtin::One(Unary::Abs), "absolute value"),
    function("sign", "sign(x)", Builtin::One(Unary::Sign), "-1, 0 or 1"),
    function(
        "min",
        "min(a, b, ...)",
        Builtin::Fold(Binary::Min),
        "smallest of all arguments",
    ),
    function(
        "max",
        "max(a, b, ...)",
        Builtin::Fold(Binary::Max),
        "largest of all arguments",
    ),
    function(
        "clamp",
        "clamp(x, low, high)",
        Builtin::Clamp,
        "x clamped to the interval from low to high",
    ),
    function(
        "floor",
        "floor(x)",
        Builtin::One(Unary::Floor),
        "largest integer not greater than x",
    ),
    function(
        "ceil",
        "ceil(x)",
        Builtin::One(Unary::Ceil),
        "smallest integer not less than x",
    ),
    function(
        "round",
        "round(x)",
        Builtin::One(Unary::Round),
        "nearest integer, ties away from zero",
    ),
    function(
        "mod",
        "mod(x, y)",
        Builtin::Two(Binary::Modulo),
        "remainder with the sign of y, the same as x % y",
    ),
    function(
        "hypot",
        "hypot(x, y)",
        Builtin::Two(Binary::Hypot),
        "square root of x^2 + y^2",
    ),
    function(
        "step",
        "step(x)",
        Builtin::One(Unary::Step),
        "0 below zero, 1 from zero on",
    ),
    function(
        "smoothstep",
        "smoothstep(x, x0, x1)",
        Builtin::Three(Ternary::Smoothstep),
        "0 up to x0, 1 from x1 on, cubic between: continuous first derivative",
    ),
    function(
        "step5",
        "step5(t, t0, h0, t1, h1)",
        Builtin::Step5,
        "h0 up to t0, h1 from t1 on, quintic between: continuous second derivative",
    ),
    function(
        "pulse",
        "pulse(x, x0, x1)",
        Builtin::Three(Ternary::Pulse),
        "1 from x0 up to x1, 0 elsewhere",
    ),
    function(
        "deg",
        "deg(x)",
        Builtin::One(Unary::Degrees),
        "converts x rad to degrees",
    ),
    function(
        "rad",
        "rad(x)",
        Builtin::One(Unary::Radians),
        "converts x degrees to rad",
    ),
    function(
        "if",
        "if(c, a, b)",
        Builtin::If,
        "a if c is true, otherwise b; only that one is evaluated",
    ),
];

/// All functions of the language.
pub fn functions() -> &'static [FunctionInfo] {
    FUNCTIONS
}

/// Returns `true` if a name is reserved by the language.
///
/// ```
/// use biela_model::expr::is_reserved;
///
/// assert!(is_reserved("t") && is_reserved("sin") && is_reserved("and"));
/// assert!(!is_reserved("e"));
/// ```
pub fn is_reserved(name: &str) -> bool {
    is_constant_or_time(name) || is_keyword(name) || builtin(name).is_some()
}

pub(super) fn is_keyword(name: &str) -> bool {
    matches!(name, "and" | "or" | "not" | "if")
}

pub(super) fn is_time(name: &str) -> bool {
    matches!(name, "t" | "time")
}

pub(super) fn constant(name: &str) -> Option<f64> {
    match name {
        "pi" => Some(std::f64::consts::PI),
        "tau" => Some(std::f64::consts::TAU),
        _ => None,
    }
}

pub(super) fn is_constant_or_time(name: &str) -> bool {
    is_time(name) || constant(name).is_some()
}

/// Returns the function with this name and its usage.
pub(super) fn builtin(name: &str) -> Option<(Builtin, &'static str)> {
    FUNCTIONS
        .iter()
        .find(|info| info.name == name)
        .map(|info| (info.builtin, info.usage))
}

impl Builtin {
    /// The minimum and maximum number of arguments.
    pub(super) fn arity(self) -> (usize, usize) {
        match self {
            Self::One(_) => (1, 1),
            Self::Two(_) => (2, 2),
            Self::Fold(_) => (1, usize::MAX),
            Self::Three(_) | Self::Clamp | Self::If => (3, 3),
            Self::Step5 => (5, 5),
        }
    }
}
