//! Quantities and formulas in the strings of a model.
//!
//! A string is a quantity (`20 N*m`, `-12.5e-3 m`: a number and a unit, no spaces inside the unit) or a formula:
//!
//! | | |
//! | --- | --- |
//! | numbers | `2`, `.5`, `1e-3` are SI; `5 mm`, `4 cm^2` and `5 [N*m/rad]` carry a unit |
//! | names | `crank.angle`, `rod.A.x`, letters of any script, digits and `_`; others in quotes: `'left-wheel'.x` |
//! | from loose to tight | `c ? a : b`, `or`, `and`, `not`, `< <= > >= == !=`, `+ -`, `* / %`, unary `-`, `^` |
//! | choices | `if(c, a, b)` or `c ? a : b`: zero is false, anything else is true, one side is evaluated |
//! | functions | see [`functions`]; a table is called like one: `profile(t)` |
//! | constants | `pi`, `tau`; `t` and `time` are the time |
//!
//! `^` is right-associative and binds tighter than the sign: `-x^2` is −(x²), `2^3^2` is 2⁹. `%` and `mod` return the remainder with the sign of the divisor.
//!
//! Dimensions are checked as far as they are known. A bare number is compatible with any dimension, so `100*(x - 0.1)` is valid as a force; `5 mm + 3 s` is an
//! error. Time and the values of `sin`, `exp` or comparisons keep their dimension in products, but are also accepted as bare numbers, so that `sin(t)` needs no
//! `1/s`.
//!
//! [`parse`] reads the text, [`compile`] binds the names, checks the dimensions and folds the constants, and [`Program::eval`] evaluates the result on plain
//! numbers, on jets, or on any other [`Real`](biela_core::math::Real) without allocating. The grammar has no loops and every input is bounded ([`MAX_LENGTH`],
//! [`MAX_DEPTH`]), so untrusted text is safe. biela has its own parser because the crates for formulas lack spans, units or derivatives, or are no longer
//! maintained.
//!
//! ```
//! use biela_core::math::Jet;
//! use biela_model::expr::{self, Binding};
//! use biela_model::units::Dimension;
//!
//! let ast = expr::parse("k * (spring.length - 40 mm)").unwrap();
//! let mut resolve = |name: &str| match name {
//!     "k" => Some(Binding::Constant { value: 1000.0, dimension: Some(Dimension::STIFFNESS) }),
//!     "spring.length" => Some(Binding::Input { slot: 0, dimension: Some(Dimension::LENGTH) }),
//!     _ => None,
//! };
//! let force = expr::compile(&ast, &mut resolve, &Vec::new).unwrap();
//! assert_eq!(force.dimension(), Some(Dimension::FORCE));
//! assert_eq!(force.eval(0.0, &[0.25]), 210.0);
//!
//! let lengthening = Jet::new(0.25, 2.0, 0.0);
//! assert_eq!(force.eval(Jet::time(0.0), &[lengthening]).rate, 2000.0);
//! ```

mod ast;
mod compile;
mod corners;
mod factors;
mod functions;
mod inferred_dimension;
mod layout;
mod lexer;
mod ops;
mod outside;
mod parser;
mod program;
mod switching;
mod table;
mod trouble;

use std::fmt;
use std::ops::Range;

pub use ast::Ast;
pub use compile::{Binding, compile};
pub use factors::{UnitFactor, unit_factors};
pub use functions::{FunctionInfo, functions, is_reserved};
pub use outside::{MAX_ARGUMENTS, Outside, OutsideFunction};
pub use parser::parse;
pub use program::{Continuity, Program};
pub use table::{Extrapolation, Interpolation, TableError, TabulatedFunction};

use crate::units::UnitError;

/// The maximum length of a formula in bytes. It also bounds the number of parts, since each takes at least one byte.
pub const MAX_LENGTH: usize = 4096;
/// The maximum nesting of brackets, calls, signs, powers and choices.
pub const MAX_DEPTH: usize = 64;
/// The maximum number of errors reported for one formula.
pub const MAX_ERRORS: usize = 20;

/// An error in a quantity or formula.
#[derive(Clone, PartialEq, Eq)]
pub struct ExprError {
    /// The range in bytes of the string.
    pub span: Range<usize>,
    /// The problem.
    pub message: String,
    /// Advice.
    pub help: Option<String>,
}

impl ExprError {
    fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            span,
            message: message.into(),
            help: None,
        }
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Converts an error in a unit that starts at byte `start` of the string.
    fn in_unit(error: UnitError, start: usize) -> Self {
        let span = error.span.start + start..error.span.end + start;
        Self {
            span,
            message: error.message,
            help: error.help,
        }
    }
}

impl fmt::Display for ExprError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

biela_core::readable_errors!(ExprError);
