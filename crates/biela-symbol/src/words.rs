//! Names of functions and variables.

use crate::arena::Function;

/// The name of a function in text, and in most languages.
pub(crate) fn text_function(f: Function) -> &'static str {
    match f {
        Function::Sin => "sin",
        Function::Cos => "cos",
        Function::Tan => "tan",
        Function::Exp => "exp",
        Function::Ln => "ln",
        Function::Asin => "asin",
        Function::Acos => "acos",
        Function::Atan => "atan",
        Function::Sinh => "sinh",
        Function::Cosh => "cosh",
        Function::Tanh => "tanh",
        Function::Cbrt => "cbrt",
        Function::Abs => "abs",
        Function::Floor => "floor",
        Function::Ceil => "ceil",
        Function::Round => "round",
        Function::Sign => "sign",
    }
}

/// The command of a function in LaTeX.
pub(crate) fn latex_function(f: Function) -> Option<&'static str> {
    match f {
        Function::Sin => Some(r"\sin"),
        Function::Cos => Some(r"\cos"),
        Function::Tan => Some(r"\tan"),
        Function::Exp => Some(r"\exp"),
        Function::Ln => Some(r"\ln"),
        Function::Asin => Some(r"\arcsin"),
        Function::Acos => Some(r"\arccos"),
        Function::Atan => Some(r"\arctan"),
        Function::Sinh => Some(r"\sinh"),
        Function::Cosh => Some(r"\cosh"),
        Function::Tanh => Some(r"\tanh"),
        _ => None,
    }
}

const GREEK: &[&str] = &[
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
    "lambda", "mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi",
    "omega", "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Phi", "Psi", "Omega",
];

/// Returns `true` for a usual name of coordinates: `q1`, `theta`, `phi2`.
pub(crate) fn is_short(name: &str) -> bool {
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
    letters == "q" && letters.len() < name.len() || GREEK.contains(&letters)
}

/// A name in LaTeX: `l1` is l₁, `theta_2` is θ₂, `m_rod` has the word as a subscript.
pub fn latex_name(name: &str) -> String {
    let (head, tail) = match name.split_once('_') {
        Some((head, tail)) if !head.is_empty() => (head, tail.replace('_', ",")),
        _ => {
            let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
            let (head, tail) = name.split_at(name.len() - digits);
            (head, tail.to_owned())
        }
    };
    let word = |text: &str| match text {
        greek if GREEK.contains(&greek) => format!(r"\{greek}"),
        short if short.chars().count() <= 1 => short.to_owned(),
        digits if digits.chars().all(|c| c.is_ascii_digit() || c == ',') => digits.to_owned(),
        long => format!(r"\mathrm{{{long}}}"),
    };
    if head.is_empty() {
        return word(name);
    }
    if tail.is_empty() {
        return word(head);
    }
    format!("{}_{{{}}}", word(head), word(&tail))
}
