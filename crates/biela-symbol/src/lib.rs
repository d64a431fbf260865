//! Symbols: symbolic formulas as a scalar type.
//!
//! [`Symbol`] is a scalar type like `f64`, so that every algorithm that is generic over [`Real`](biela_core::math::Real) also returns its result in symbolic
//! form:
//!
//! ```
//! use biela_core::math::{Real, rotation::{about, product}};
//! use biela_symbol::{VariableKind, Symbol, simplify};
//!
//! let a = Symbol::variable("a", VariableKind::Coordinate, 0.3);
//! let b = Symbol::variable("b", VariableKind::Coordinate, 1.1);
//! let turned_twice = product(&about(2, a), &about(2, b));
//! assert_eq!(simplify(turned_twice[(0, 0)]).to_string(), "cos(a + b)");
//! assert_eq!(simplify(a.sin() * a.sin() + a.cos() * a.cos()), Symbol::one());
//! ```
//!
//! Nodes are unique ([`Node`]), numbers are exact ratios if possible ([`Number`]), derivatives are formulas ([`derivative`]), and [`simplify`] uses a normal
//! form in which trigonometric polynomials are unique ([`Expander`]). [`text`], [`latex`] and [`code`] print formulas; [`Tape`] evaluates them.
//!
//! If an algorithm branches on the value of its scalar, the samples of the variables decide ([`Symbol::variable`]).

mod arena;
pub mod code;
mod compact;
mod diff;
mod identities;
pub mod mechanics;
mod number;
mod poly;
mod print;
mod readable;
mod substitute;
mod symbol;
mod tape;
mod words;

pub use arena::{
    Function, Function2, Node, Symbol, Variable, VariableKind, below, isolated, variables,
};
pub use diff::{Derivatives, derivative};
pub use number::Number;
pub use poly::Expander;
pub use print::{Notation, Printer, latex, text};
pub use substitute::substitute;
pub use tape::{Tape, UnknownVariable, cost};
pub use words::latex_name;

/// Returns the simplest form of a formula that was found.
pub fn simplify(symbol: Symbol) -> Symbol {
    Expander::new().simplify(symbol)
}
