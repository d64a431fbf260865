//! The normal form of a formula: a polynomial with at most one sine or cosine in each term.
//!
//! ```text
//! cos a cos b = ½ cos(a−b) + ½ cos(a+b)      sin a sin b = ½ cos(a−b) − ½ cos(a+b)
//! sin a cos b = ½ sin(a+b) + ½ sin(a−b)
//! ```
//!
//! Products of sines and cosines become sums over angles (a Fourier polynomial), which is unique: sin² + cos² = 1, the angle sums and their consequences need
//! no search, and two trigonometric polynomials are equal exactly if their terms are. Products of rotations about one axis collapse to one term during
//! expansion, so that a chain of any length stays small.

use std::rc::Rc;

use crate::arena::{Function, Node, QuickMap, Symbol, VariableKind, below};
use crate::identities::factors;
use crate::number::Number;
use crate::readable::{self, TermForm};
use crate::substitute::rebuilt;
use crate::tape::length;

/// A sum of floats smaller than its terms by this factor is a rounding error.
const ROUNDING: f64 = 1e-13;
/// Powers up to this are expanded.
const MOST_POWER: i64 = 16;
/// The maximum number of products of terms for one product of polynomials; beyond it the factors are kept.
const MOST_PRODUCTS: usize = 40_000;
/// The maximum total number of products of terms.
const MOST_WORK: usize = 4_000_000;
/// The cost of rewriting a term, in products of terms.
const SEARCH: usize = 100;

/// The sine or cosine of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Trig {
    One,
    Cos(Symbol),
    Sin(Symbol),
}

/// The factor of a coefficient: powers of symbols other than sines and cosines, and one sine or cosine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct CoefficientFactor {
    pub(crate) mono: Symbol,
    pub(crate) trig: Trig,
}

/// Terms with increasing keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Poly {
    pub(crate) terms: Vec<(CoefficientFactor, Number)>,
}

impl Poly {
    fn number(n: Number) -> Self {
        Poly::term(Symbol::ONE, Trig::One, n)
    }

    fn term(mono: Symbol, trig: Trig, coefficient: Number) -> Self {
        if coefficient.is_zero() {
            return Poly::default();
        }
        Poly {
            terms: vec![(CoefficientFactor { mono, trig }, coefficient)],
        }
    }

    /// Coefficient and powers, if it is a monomial.
    fn as_monomial(&self) -> Option<(Number, Symbol)> {
        match self.terms.as_slice() {
            [
                (
                    CoefficientFactor {
                        mono,
                        trig: Trig::One,
                    },
                    coefficient,
                ),
            ] => Some((*coefficient, *mono)),
            _ => None,
        }
    }

    /// The terms as a symbol, if there are no sines and cosines.
    fn as_sum(&self) -> Option<Symbol> {
        let plain = self.terms.iter().all(|(key, _)| key.trig == Trig::One);
        plain.then(|| {
            let terms = self.terms.iter();
            Symbol::sum(terms.map(|(key, c)| (key.mono, *c)), Number::ZERO)
        })
    }
}

/// Collects like terms.
#[derive(Default)]
pub(crate) struct Collector {
    sums: QuickMap<CoefficientFactor, (Number, f64)>,
}

impl Collector {
    pub(crate) fn add(&mut self, key: CoefficientFactor, coefficient: Number) {
        let entry = self.sums.entry(key).or_insert((Number::ZERO, 0.0));
        entry.0 = entry.0 + coefficient;
        entry.1 += coefficient.value().abs();
    }

    pub(crate) fn finish(self) -> Poly {
        let kept = self.sums.into_iter().filter(|(_, (sum, size))| match sum {
            Number::Ratio(n, _) => *n != 0,
            Number::Float(x) => x.abs() > ROUNDING * size,
        });
        let mut terms: Vec<(CoefficientFactor, Number)> =
            kept.map(|(key, (sum, _))| (key, sum)).collect();
        terms.sort_unstable_by_key(|(key, _)| *key);
        Poly { terms }
    }
}

/// The cosine or sine of an angle with its sign: angles start with a positive coefficient.
pub(crate) fn trig(sine: bool, angle: Symbol) -> (Trig, Number) {
    if angle.is_zero() {
        let value = if sine { Number::ZERO } else { Number::ONE };
        return (Trig::One, value);
    }
    match (sine, angle.begins_negative()) {
        (false, false) => (Trig::Cos(angle), Number::ONE),
        (false, true) => (Trig::Cos(-angle), Number::ONE),
        (true, false) => (Trig::Sin(angle), Number::ONE),
        (true, true) => (Trig::Sin(-angle), Number::MINUS_ONE),
    }
}

/// A sum of monomials.
type Monomials = Rc<[(Number, Symbol)]>;

/// Converts formulas to normal form; results are cached.
pub struct Expander {
    /// Set to keep sums of velocities, such as θ̇₁ + θ̇₂, together.
    whole_rates: bool,
    done: QuickMap<Symbol, Rc<Poly>>,
    angles: QuickMap<(Symbol, Symbol), (Symbol, Symbol)>,
    products: QuickMap<(Symbol, Symbol), Monomials>,
    /// Variables whose squares are sums of others.
    squares: Vec<(Symbol, Symbol)>,
    /// The number of products of terms so far.
    work: usize,
}

impl Default for Expander {
    fn default() -> Self {
        Self::new()
    }
}

impl Expander {
    /// Creates an expander that expands everything.
    pub fn new() -> Self {
        Expander {
            whole_rates: false,
            done: QuickMap::default(),
            angles: QuickMap::default(),
            products: QuickMap::default(),
            squares: Symbol::known_squares(),
            work: 0,
        }
    }

    /// Creates an expander that keeps sums of velocities together: formulas of long chains are much shorter in the angular velocities of bodies.
    pub fn with_whole_rates() -> Self {
        Expander {
            whole_rates: true,
            ..Self::new()
        }
    }

    /// Returns the simplest form of a formula that was found.
    pub fn simplify(&mut self, symbol: Symbol) -> Symbol {
        self.written(symbol, TermForm::Readable)
    }

    /// Returns the form of a formula with the fewest operations that was found.
    pub fn compact(&mut self, symbol: Symbol) -> Symbol {
        self.written(symbol, TermForm::Compact)
    }

    fn written(&mut self, symbol: Symbol, form: TermForm) -> Symbol {
        if self.is_exhausted() {
            return symbol;
        }
        let poly = self.expand(symbol);
        // the search for common factors takes longer than the products of terms
        self.work = self.work.saturating_add(poly.terms.len() * SEARCH);
        if self.is_exhausted() {
            return symbol;
        }
        readable::symbol(&poly, form)
    }

    /// Returns `true` if two formulas are the same function, as far as the normal form decides.
    pub fn are_equal(&mut self, a: Symbol, b: Symbol) -> bool {
        self.expand(a - b).terms.is_empty()
    }

    /// Returns `true` if the limit of work was exceeded: products are then no longer expanded.
    pub fn is_exhausted(&self) -> bool {
        self.work > MOST_WORK
    }

    /// The number of terms of the expanded formula.
    pub fn terms(&mut self, symbol: Symbol) -> usize {
        self.expand(symbol).terms.len()
    }

    pub(crate) fn expand(&mut self, root: Symbol) -> Rc<Poly> {
        if let Some(done) = self.done.get(&root) {
            return Rc::clone(done);
        }
        for symbol in below(&[root]) {
            if !self.done.contains_key(&symbol) {
                let poly = self.one(symbol);
                let _ = self.done.insert(symbol, Rc::new(poly));
            }
        }
        self.known(root)
    }

    /// The normal form of a child, which was computed before.
    fn known(&self, symbol: Symbol) -> Rc<Poly> {
        self.done.get(&symbol).map_or_else(
            || Rc::new(Poly::term(symbol, Trig::One, Number::ONE)),
            Rc::clone,
        )
    }

    fn one(&mut self, symbol: Symbol) -> Poly {
        match &*symbol.node() {
            Node::Number(n) => Poly::number(*n),
            Node::Variable(_) => Poly::term(symbol, Trig::One, Number::ONE),
            Node::Sum(terms, constant) => {
                if self.whole_rates && is_rate_sum(terms, *constant) {
                    return if symbol.begins_negative() {
                        Poly::term(-symbol, Trig::One, Number::MINUS_ONE)
                    } else {
                        Poly::term(symbol, Trig::One, Number::ONE)
                    };
                }
                let mut sum = Collector::default();
                let one = CoefficientFactor {
                    mono: Symbol::ONE,
                    trig: Trig::One,
                };
                sum.add(one, *constant);
                for (term, coefficient) in terms {
                    for (key, c) in &self.known(*term).terms {
                        sum.add(*key, *c * *coefficient);
                    }
                }
                sum.finish()
            }
            Node::Product(factors) => self
                .product(factors)
                .unwrap_or_else(|| Poly::term(symbol, Trig::One, Number::ONE)),
            Node::Function(function @ (Function::Sin | Function::Cos), x) => {
                let angle = self.rewritten(*x);
                let (trig, sign) = trig(*function == Function::Sin, angle);
                Poly::term(Symbol::ONE, trig, sign)
            }
            Node::Function(..) | Node::Function2(..) => {
                atom(rebuilt(symbol, &|child| self.rewritten(child)))
            }
        }
    }

    /// A formula rewritten from its normal form.
    fn rewritten(&self, symbol: Symbol) -> Symbol {
        let poly = self.known(symbol);
        poly.as_sum()
            .unwrap_or_else(|| readable::symbol(&poly, TermForm::Readable))
    }

    fn product(&mut self, factors: &[(Symbol, Number)]) -> Option<Poly> {
        let mut result = Poly::number(Number::ONE);
        for &(base, exponent) in factors {
            let poly = self.known(base);
            if poly.terms.is_empty() && !exponent.is_negative() {
                return Some(Poly::default());
            }
            let power = match (poly.as_monomial(), exponent.as_whole()) {
                (Some((c, mono)), _) if c.power(exponent).is_some() => {
                    let (front, mono) = mono.power(exponent).split();
                    let front = front * c.power(exponent).unwrap_or(Number::ONE);
                    let mut sum = Collector::default();
                    for (c, mono) in self.reduced(mono) {
                        sum.add(
                            CoefficientFactor {
                                mono,
                                trig: Trig::One,
                            },
                            c * front,
                        );
                    }
                    sum.finish()
                }
                (_, Some(n)) if (1..=MOST_POWER).contains(&n) => {
                    let mut power = (*poly).clone();
                    for _ in 1..n {
                        power = self.multiply(&power, &poly)?;
                    }
                    power
                }
                _ => {
                    atom(shorter(readable::symbol(&poly, TermForm::Readable), base).power(exponent))
                }
            };
            result = self.multiply(&result, &power)?;
        }
        Some(result)
    }

    fn multiply(&mut self, a: &Poly, b: &Poly) -> Option<Poly> {
        let products = a.terms.len() * b.terms.len();
        self.work = self.work.saturating_add(products);
        if products > MOST_PRODUCTS || self.is_exhausted() {
            return None;
        }
        let mut sum = Collector::default();
        for (x, c) in &a.terms {
            for (y, d) in &b.terms {
                let products = self.mono(x.mono, y.mono);
                for &(front, mono) in products.iter() {
                    let c = *c * *d * front;
                    let half = c * Number::ratio(1, 2);
                    let mut add = |sine: bool, angle: Symbol, by: Number| {
                        let (trig, sign) = trig(sine, angle);
                        if !sign.is_zero() {
                            sum.add(CoefficientFactor { mono, trig }, by * sign);
                        }
                    };
                    match (x.trig, y.trig) {
                        (Trig::One, trig) | (trig, Trig::One) => {
                            sum.add(CoefficientFactor { mono, trig }, c);
                        }
                        (Trig::Cos(p), Trig::Cos(q)) => {
                            let (plus, minus) = self.angles(p, q);
                            add(false, minus, half);
                            add(false, plus, half);
                        }
                        (Trig::Sin(p), Trig::Sin(q)) => {
                            let (plus, minus) = self.angles(p, q);
                            add(false, minus, half);
                            add(false, plus, -half);
                        }
                        (Trig::Sin(p), Trig::Cos(q)) | (Trig::Cos(q), Trig::Sin(p)) => {
                            let (plus, minus) = self.angles(p, q);
                            add(true, plus, half);
                            add(true, minus, half);
                        }
                    }
                }
            }
        }
        Some(sum.finish())
    }

    /// Sum and difference of two angles.
    fn angles(&mut self, p: Symbol, q: Symbol) -> (Symbol, Symbol) {
        *self.angles.entry((p, q)).or_insert_with(|| (p + q, p - q))
    }

    /// The product of two monomials; a sum if known squares occur.
    fn mono(&mut self, a: Symbol, b: Symbol) -> Monomials {
        let pair = if a < b { (a, b) } else { (b, a) };
        if let Some(known) = self.products.get(&pair) {
            return Rc::clone(known);
        }
        let (front, product) = (pair.0 * pair.1).split();
        let reduced = self.reduced(product).into_iter();
        let made: Monomials = reduced.map(|(c, mono)| (c * front, mono)).collect();
        let _ = self.products.insert(pair, Rc::clone(&made));
        made
    }

    /// A monomial without the squares that are sums of others.
    fn reduced(&self, mono: Symbol) -> Vec<(Number, Symbol)> {
        let two = Number::whole(2);
        let found = self.squares.iter().find(|(base, _)| {
            let factors = factors(mono);
            let mut powers = factors.iter().filter(|(b, _)| b == base);
            powers.any(|(_, e)| e.as_whole().is_some_and(|n| n >= 2))
        });
        let Some((base, square)) = found else {
            return vec![(Number::ONE, mono)];
        };
        let rest = mono * base.power(-two);
        let Node::Sum(terms, constant) = &*square.node() else {
            return vec![(Number::ONE, mono)];
        };
        let whole = std::iter::once((Symbol::ONE, *constant));
        let products = terms.iter().copied().chain(whole).flat_map(|(term, c)| {
            let (front, product) = (rest * term).split();
            let reduced = self.reduced(product).into_iter();
            reduced.map(move |(d, mono)| (c * d * front, mono))
        });
        products.collect()
    }
}

/// The shorter of two equivalent formulas.
pub(crate) fn shorter(first: Symbol, second: Symbol) -> Symbol {
    if length(first) <= length(second) {
        first
    } else {
        second
    }
}

/// An opaque symbol as a polynomial.
fn atom(symbol: Symbol) -> Poly {
    let (front, rest) = symbol.split();
    Poly::term(rest, Trig::One, front)
}

/// Returns `true` if all terms are multiples of velocities.
fn is_rate_sum(terms: &[(Symbol, Number)], constant: Number) -> bool {
    let is_rate = |s: &Symbol| {
        s.as_variable()
            .is_some_and(|v| v.kind == VariableKind::Rate)
    };
    terms.len() > 1 && constant.is_zero() && terms.iter().all(|(s, _)| is_rate(s))
}
