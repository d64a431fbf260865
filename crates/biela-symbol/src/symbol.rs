//! Arithmetic on formulas, with immediate simplification.
//!
//! Constants are folded, like terms and like powers are combined, and the order is canonical. Simplifications that require a search are in
//! [`simplify`](crate::simplify).

use std::fmt;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use biela_core::math::Real;

use crate::arena::{Function, Function2, Node, Symbol, intern};
use crate::number::Number;
use crate::poly::shorter;

/// A sine or cosine of a constant this close to 0 or ±1 is rounded to it.
const ROUNDING: f64 = 4e-16;

impl Symbol {
    /// The symbol of a number.
    pub fn of(number: Number) -> Symbol {
        intern(Node::Number(number))
    }

    /// The numerical factor, and the remaining factor.
    pub fn split(self) -> (Number, Symbol) {
        match &*self.node() {
            Node::Number(n) => (*n, Symbol::ONE),
            Node::Sum(terms, constant) if terms.len() == 1 && constant.is_zero() => {
                (terms[0].1, terms[0].0)
            }
            _ => (Number::ONE, self),
        }
    }

    /// The product with a number.
    #[must_use]
    pub fn scaled(self, by: Number) -> Symbol {
        let (front, rest) = self.split();
        let front = front * by;
        if front.is_zero() {
            return Symbol::ZERO;
        }
        if rest == Symbol::ONE {
            return Symbol::of(front);
        }
        if front.is_one() {
            return rest;
        }
        intern(Node::Sum(Box::new([(rest, front)]), Number::ZERO))
    }

    /// Σ coefficient · term + constant.
    pub fn sum(terms: impl IntoIterator<Item = (Symbol, Number)>, constant: Number) -> Symbol {
        let mut gathered = Vec::new();
        let mut total = constant;
        for (symbol, coefficient) in terms {
            gather(symbol, coefficient, &mut gathered, &mut total);
        }
        gathered.sort_by_key(|(symbol, _)| *symbol);
        let mut merged: Vec<(Symbol, Number)> = Vec::with_capacity(gathered.len());
        for (symbol, coefficient) in gathered {
            match merged.last_mut() {
                Some(last) if last.0 == symbol => last.1 = last.1 + coefficient,
                _ => merged.push((symbol, coefficient)),
            }
        }
        merged.retain(|(_, coefficient)| !coefficient.is_zero());
        match (merged.as_slice(), total.is_zero()) {
            ([], _) => Symbol::of(total),
            ([(one, coefficient)], true) => one.scaled(*coefficient),
            _ => intern(Node::Sum(merged.into(), total)),
        }
    }

    /// Π base^exponent.
    pub fn product(factors: impl IntoIterator<Item = (Symbol, Number)>) -> Symbol {
        let mut front = Number::ONE;
        let mut gathered: Vec<(Symbol, Number)> = Vec::new();
        for (base, exponent) in factors {
            base.raise(exponent, &mut front, &mut gathered);
        }
        if front.is_zero() {
            return Symbol::ZERO;
        }
        gathered.sort_by_key(|(base, _)| *base);
        let mut merged: Vec<(Symbol, Number)> = Vec::with_capacity(gathered.len());
        for (base, exponent) in gathered {
            match merged.last_mut() {
                Some(last) if last.0 == base => last.1 = last.1 + exponent,
                _ => merged.push((base, exponent)),
            }
        }
        merged.retain(|(_, exponent)| !exponent.is_zero());
        let product = match merged.as_slice() {
            [] => Symbol::ONE,
            [(base, exponent)] if exponent.is_one() => *base,
            _ => intern(Node::Product(merged.into())),
        };
        // the sign of a single sum is distributed over its terms
        if front == Number::MINUS_ONE && matches!(*product.node(), Node::Sum(..)) {
            return -product;
        }
        product.scaled(front)
    }

    /// Adds the factors of base^exponent to a product.
    fn raise(self, exponent: Number, front: &mut Number, out: &mut Vec<(Symbol, Number)>) {
        let (number, rest) = self.split();
        let whole = exponent.as_whole();
        let rest = match number.power(exponent) {
            _ if number.is_one() => rest,
            Some(power) => {
                *front = *front * power;
                rest
            }
            None => {
                // a root of a negative multiple is kept together
                out.push((self, exponent));
                return;
            }
        };
        if rest == Symbol::ONE {
            return;
        }
        match &*rest.node() {
            Node::Product(factors) if whole.is_some() => {
                out.extend(factors.iter().map(|(base, e)| (*base, *e * exponent)));
            }
            Node::Product(factors) => {
                let mut inside = Vec::new();
                for &(base, e) in factors {
                    // (b²)^½ is b or −b, whichever is positive at the sample
                    if e.as_whole().is_some_and(|e| e % 2 == 0) {
                        let power = e * exponent;
                        if base.sample() < 0.0 && power.as_whole().is_none_or(|p| p % 2 != 0) {
                            (-base).raise(power, front, out);
                        } else {
                            out.push((base, power));
                        }
                    } else {
                        inside.push((base, e));
                    }
                }
                match inside.as_slice() {
                    [] => {}
                    [(base, e)] if base.sample() > 0.0 => out.push((*base, *e * exponent)),
                    _ => out.push((Symbol::product(inside), exponent)),
                }
            }
            // as a factor a sum starts with a positive coefficient
            Node::Sum(terms, _) if terms[0].1.is_negative() && whole.is_some() => {
                if whole.is_some_and(|n| n % 2 != 0) {
                    *front = -*front;
                }
                out.push((-rest, exponent));
            }
            _ => out.push((rest, exponent)),
        }
    }

    /// A rational power.
    #[must_use]
    pub fn power(self, exponent: Number) -> Symbol {
        Symbol::product([(self, exponent)])
    }

    fn function(self, function: Function) -> Symbol {
        if let Some(number) = self.as_number() {
            return Symbol::of(Number::of(function.apply(number.value())));
        }
        intern(Node::Function(function, self))
    }

    /// The tangent, for display.
    pub(crate) fn tangent(self) -> Symbol {
        intern(Node::Function(Function::Tan, self))
    }

    fn function2(self, other: Symbol, function: Function2) -> Symbol {
        if let (Some(a), Some(b)) = (self.as_number(), other.as_number()) {
            return Symbol::of(Number::of(function.apply(a.value(), b.value())));
        }
        intern(Node::Function2(function, self, other))
    }

    /// Returns `true` if the first term has a negative coefficient.
    pub(crate) fn begins_negative(self) -> bool {
        match &*self.node() {
            Node::Number(n) => n.is_negative(),
            Node::Sum(terms, _) => {
                let (first, coefficient) = terms[0];
                coefficient.is_negative() != (terms.len() == 1 && first.begins_negative())
            }
            _ => false,
        }
    }
}

/// Adds a multiple to the terms of a sum.
fn gather(symbol: Symbol, by: Number, terms: &mut Vec<(Symbol, Number)>, constant: &mut Number) {
    match &*symbol.node() {
        Node::Number(n) => *constant = *constant + *n * by,
        Node::Sum(list, c) => {
            *constant = *constant + *c * by;
            for (term, coefficient) in list {
                if list.len() == 1 && matches!(*term.node(), Node::Sum(..)) {
                    gather(*term, *coefficient * by, terms, constant);
                } else {
                    terms.push((*term, *coefficient * by));
                }
            }
        }
        _ => terms.push((symbol, by)),
    }
}

impl Real for Symbol {
    fn constant(x: f64) -> Self {
        Symbol::behind(x).unwrap_or_else(|| Symbol::of(Number::of(x)))
    }

    /// The value at the samples of the variables: formulas take the branch that is valid there.
    fn number(self) -> f64 {
        self.sample()
    }

    fn sin_cos(self) -> (Self, Self) {
        if let Some(number) = self.as_number() {
            let (sin, cos) = f64::sin_cos(number.value());
            let snap = |x: f64| {
                if (x - x.round()).abs() < ROUNDING {
                    x.round()
                } else {
                    x
                }
            };
            return (Symbol::constant(snap(sin)), Symbol::constant(snap(cos)));
        }
        if self.begins_negative() {
            let (sin, cos) = (-self).sin_cos();
            return (-sin, cos);
        }
        (self.function(Function::Sin), self.function(Function::Cos))
    }

    fn sqrt(self) -> Self {
        shorter(crate::simplify(self), self).power(Number::ratio(1, 2))
    }
    fn atan2(self, x: Self) -> Self {
        self.function2(x, Function2::Atan2)
    }
    fn exp(self) -> Self {
        self.function(Function::Exp)
    }
    fn ln(self) -> Self {
        self.function(Function::Ln)
    }
    fn powi(self, n: i32) -> Self {
        self.power(Number::whole(i64::from(n)))
    }
    fn powf(self, exponent: Self) -> Self {
        match exponent.as_number() {
            Some(ratio @ Number::Ratio(..)) => self.power(ratio),
            _ => self.function2(exponent, Function2::Power),
        }
    }
    fn cbrt(self) -> Self {
        self.function(Function::Cbrt)
    }
    fn tan(self) -> Self {
        let (sin, cos) = self.sin_cos();
        sin / cos
    }
    fn asin(self) -> Self {
        self.function(Function::Asin)
    }
    fn acos(self) -> Self {
        self.function(Function::Acos)
    }
    fn atan(self) -> Self {
        self.function(Function::Atan)
    }
    fn sinh(self) -> Self {
        self.function(Function::Sinh)
    }
    fn cosh(self) -> Self {
        self.function(Function::Cosh)
    }
    fn tanh(self) -> Self {
        self.function(Function::Tanh)
    }
    fn abs(self) -> Self {
        self.function(Function::Abs)
    }
    fn modulo(self, divisor: Self) -> Self {
        self.function2(divisor, Function2::Modulo)
    }
    fn floor(self) -> Self {
        self.function(Function::Floor)
    }
    fn ceil(self) -> Self {
        self.function(Function::Ceil)
    }
    fn round(self) -> Self {
        self.function(Function::Round)
    }
    fn sign(self) -> Self {
        self.function(Function::Sign)
    }
}

impl Add for Symbol {
    type Output = Symbol;
    fn add(self, other: Symbol) -> Symbol {
        if self.is_zero() {
            return other;
        }
        if other.is_zero() {
            return self;
        }
        Symbol::sum([(self, Number::ONE), (other, Number::ONE)], Number::ZERO)
    }
}

impl Sub for Symbol {
    type Output = Symbol;
    fn sub(self, other: Symbol) -> Symbol {
        if other.is_zero() {
            return self;
        }
        Symbol::sum(
            [(self, Number::ONE), (other, Number::MINUS_ONE)],
            Number::ZERO,
        )
    }
}

impl Mul for Symbol {
    type Output = Symbol;
    fn mul(self, other: Symbol) -> Symbol {
        if self.is_zero() || other.is_zero() {
            return Symbol::ZERO;
        }
        if self == Symbol::ONE {
            return other;
        }
        if other == Symbol::ONE {
            return self;
        }
        Symbol::product([(self, Number::ONE), (other, Number::ONE)])
    }
}

impl Div for Symbol {
    type Output = Symbol;
    fn div(self, other: Symbol) -> Symbol {
        Symbol::product([(self, Number::ONE), (other, Number::MINUS_ONE)])
    }
}

impl Neg for Symbol {
    type Output = Symbol;
    /// The sign is distributed over a sum, so that a − b and b − a are negatives of each other.
    fn neg(self) -> Symbol {
        Symbol::sum([(self, Number::MINUS_ONE)], Number::ZERO)
    }
}

impl AddAssign for Symbol {
    fn add_assign(&mut self, other: Symbol) {
        *self = *self + other;
    }
}
impl SubAssign for Symbol {
    fn sub_assign(&mut self, other: Symbol) {
        *self = *self - other;
    }
}
impl MulAssign for Symbol {
    fn mul_assign(&mut self, other: Symbol) {
        *self = *self * other;
    }
}
impl DivAssign for Symbol {
    fn div_assign(&mut self, other: Symbol) {
        *self = *self / other;
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::print::text(*self))
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
