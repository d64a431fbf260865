//! Substitution.

use crate::arena::{Node, QuickMap, Symbol, below};
use crate::number::Number;

/// Substitutes formulas for variables, or for any subexpressions, of a formula.
///
/// ```
/// use biela_core::math::Real;
/// use biela_symbol::{VariableKind, Symbol, substitute};
///
/// let x = Symbol::variable("x", VariableKind::Coordinate, 0.3);
/// let y = Symbol::variable("y", VariableKind::Coordinate, 0.7);
/// assert_eq!(substitute(x * x.sin(), [(x, y)]), y * y.sin());
/// ```
pub fn substitute(formula: Symbol, by: impl IntoIterator<Item = (Symbol, Symbol)>) -> Symbol {
    let mut done: QuickMap<Symbol, Symbol> = by.into_iter().collect();
    for symbol in below(&[formula]) {
        if !done.contains_key(&symbol) {
            let made = rebuilt(symbol, &|child| done.get(&child).copied().unwrap_or(child));
            let _ = done.insert(symbol, made);
        }
    }
    done.get(&formula).copied().unwrap_or(formula)
}

/// The node of a formula with other children.
pub(crate) fn rebuilt(symbol: Symbol, child: &dyn Fn(Symbol) -> Symbol) -> Symbol {
    match &*symbol.node() {
        Node::Number(_) | Node::Variable(_) => symbol,
        Node::Sum(terms, constant) => {
            Symbol::sum(terms.iter().map(|(s, c)| (child(*s), *c)), *constant)
        }
        Node::Product(factors) => {
            let factors: Vec<(Symbol, Number)> =
                factors.iter().map(|(s, e)| (child(*s), *e)).collect();
            Symbol::product(factors)
        }
        Node::Function(function, x) => function.apply(child(*x)),
        Node::Function2(function, a, b) => function.apply(child(*a), child(*b)),
    }
}
