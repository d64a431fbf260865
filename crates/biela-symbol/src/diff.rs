//! Derivatives.

use biela_core::math::Real;

use crate::arena::{Function, Function2, Node, QuickMap, Symbol, below};
use crate::number::Number;

/// Returns the derivative of a formula with respect to a variable.
///
/// ```
/// use biela_core::math::Real;
/// use biela_symbol::{VariableKind, Symbol, derivative};
///
/// let x = Symbol::variable("x", VariableKind::Coordinate, 0.3);
/// assert_eq!(derivative(x * x.sin(), x), x.sin() + x * x.cos());
/// ```
pub fn derivative(formula: Symbol, by: Symbol) -> Symbol {
    Derivatives::by(by).of(formula)
}

/// Derivatives with respect to one variable, or along a direction; results are cached.
pub struct Derivatives {
    rates: QuickMap<Symbol, Symbol>,
}

impl Derivatives {
    /// Creates derivatives with respect to a variable.
    pub fn by(variable: Symbol) -> Self {
        Self::along([(variable, Symbol::ONE)])
    }

    /// Creates directional derivatives: with the time derivatives of all variables, the total time derivative.
    pub fn along(rates: impl IntoIterator<Item = (Symbol, Symbol)>) -> Self {
        Derivatives {
            rates: rates.into_iter().collect(),
        }
    }

    /// Returns the derivative of a formula.
    pub fn of(&mut self, formula: Symbol) -> Symbol {
        for symbol in below(&[formula]) {
            if !self.rates.contains_key(&symbol) {
                let rate = self.one(symbol);
                let _ = self.rates.insert(symbol, rate);
            }
        }
        self.known(formula)
    }

    fn known(&self, symbol: Symbol) -> Symbol {
        self.rates.get(&symbol).copied().unwrap_or(Symbol::ZERO)
    }

    fn one(&self, symbol: Symbol) -> Symbol {
        match &*symbol.node() {
            Node::Number(_) | Node::Variable(_) => Symbol::ZERO,
            Node::Sum(terms, _) => {
                let rates = terms.iter().map(|(s, c)| (self.known(*s), *c));
                Symbol::sum(rates, Number::ZERO)
            }
            Node::Product(factors) => {
                let terms = factors.iter().filter_map(|&(base, e)| {
                    let rate = self.known(base);
                    if rate.is_zero() {
                        return None;
                    }
                    let rest = [(base, Number::MINUS_ONE), (rate, Number::ONE)];
                    Some((Symbol::product(factors.iter().copied().chain(rest)), e))
                });
                Symbol::sum(terms, Number::ZERO)
            }
            Node::Function(function, x) => {
                let rate = self.known(*x);
                if rate.is_zero() {
                    return Symbol::ZERO;
                }
                slope(*function, *x, symbol) * rate
            }
            Node::Function2(function, a, b) => {
                let (rate_a, rate_b) = (self.known(*a), self.known(*b));
                if rate_a.is_zero() && rate_b.is_zero() {
                    return Symbol::ZERO;
                }
                match function {
                    // y = a, x = b: (x ẏ − y ẋ)/(x² + y²)
                    Function2::Atan2 => (*b * rate_a - *a * rate_b) / (*a * *a + *b * *b),
                    Function2::Power => symbol * (*b * rate_a / *a + a.ln() * rate_b),
                    Function2::Modulo => rate_a - (*a / *b).floor() * rate_b,
                }
            }
        }
    }
}

/// f′(x), given f = f(x).
fn slope(function: Function, x: Symbol, f: Symbol) -> Symbol {
    let one = Symbol::ONE;
    match function {
        Function::Sin => x.cos(),
        Function::Cos => -x.sin(),
        Function::Tan => one + f * f,
        Function::Exp => f,
        Function::Ln => one / x,
        Function::Asin => one / (one - x * x).sqrt(),
        Function::Acos => -one / (one - x * x).sqrt(),
        Function::Atan => one / (one + x * x),
        Function::Sinh => x.cosh(),
        Function::Cosh => x.sinh(),
        Function::Tanh => one - f * f,
        Function::Cbrt => one / (Symbol::constant(3.0) * f * f),
        Function::Abs => x.sign(),
        Function::Floor | Function::Ceil | Function::Round | Function::Sign => Symbol::ZERO,
    }
}
