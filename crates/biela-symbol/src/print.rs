//! Prints formulas as text, as LaTeX and as expressions of programming languages: one printer with several styles.

use crate::arena::{Function, Function2, Node, Symbol, VariableKind, variables};
use crate::number::Number;
use crate::words::{latex_function, latex_name, text_function};

/// The maximum depth and length of printed formulas; longer ones are truncated.
const MOST_DEPTH: usize = 400;
const MOST_LENGTH: usize = 4_000_000;

/// The notation of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// Plain text: `m*l^2*cos(q)/2`.
    Text,
    /// LaTeX: `\frac{1}{2} m l^{2} \cos(q)`.
    Latex,
    /// An expression of Rust.
    Rust,
    /// An expression of C.
    C,
    /// An expression of Python.
    Python,
}

/// A formula as text.
pub fn text(symbol: Symbol) -> String {
    Printer::new(Notation::Text, &|_| None).print(symbol)
}

/// A formula in LaTeX.
pub fn latex(symbol: Symbol) -> String {
    Printer::new(Notation::Latex, &|_| None).print(symbol)
}

/// Operator precedence of an expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    Sum,
    Product,
    Power,
    Atom,
}

type NameLookup<'n> = &'n dyn Fn(Symbol) -> Option<String>;

/// Prints formulas in a style; `names` returns the names of named subexpressions.
pub struct Printer<'n> {
    style: Notation,
    names: NameLookup<'n>,
}

impl<'n> Printer<'n> {
    /// Creates a printer.
    pub fn new(style: Notation, names: NameLookup<'n>) -> Self {
        Printer { style, names }
    }

    /// Prints a formula.
    pub fn print(&self, symbol: Symbol) -> String {
        self.named(symbol, 0).0
    }

    /// Prints a formula in full even if it has a name.
    pub fn definition(&self, symbol: Symbol) -> String {
        self.written(symbol, 0).0
    }

    fn is_code(&self) -> bool {
        matches!(self.style, Notation::Rust | Notation::C | Notation::Python)
    }

    fn named(&self, symbol: Symbol, depth: usize) -> (String, Precedence) {
        match (self.names)(symbol) {
            Some(name) => (name, Precedence::Atom),
            None => self.written(symbol, depth),
        }
    }

    fn written(&self, symbol: Symbol, depth: usize) -> (String, Precedence) {
        if depth > MOST_DEPTH {
            return ("…".to_owned(), Precedence::Atom);
        }
        match &*symbol.node() {
            Node::Number(n) => self.number(*n),
            Node::Variable(_) => (self.variable(symbol), Precedence::Atom),
            Node::Sum(terms, constant) => {
                if let ([(term, c)], true) = (&**terms, constant.is_zero()) {
                    return self.product(*c, &self.factors(*term), depth);
                }
                self.sum(terms, *constant, depth)
            }
            Node::Product(list) => self.product(Number::ONE, list, depth),
            Node::Function(f, x) => (self.function(*f, *x, depth), Precedence::Atom),
            Node::Function2(f, a, b) => (self.function2(*f, *a, *b, depth), Precedence::Atom),
        }
    }

    /// The factors of a term; a named subexpression is a single factor.
    fn factors(&self, symbol: Symbol) -> Vec<(Symbol, Number)> {
        match (self.names)(symbol) {
            Some(_) => vec![(symbol, Number::ONE)],
            None => factors(symbol),
        }
    }

    fn held(&self, symbol: Symbol, at_least: Precedence, depth: usize) -> String {
        let (text, hold) = self.named(symbol, depth + 1);
        if hold >= at_least {
            text
        } else {
            self.bracketed(&text)
        }
    }

    fn bracketed(&self, text: &str) -> String {
        match self.style {
            Notation::Latex => format!(r"\left({text}\right)"),
            _ => format!("({text})"),
        }
    }

    fn variable(&self, symbol: Symbol) -> String {
        let Some(variable) = symbol.as_variable() else {
            return String::new();
        };
        match self.style {
            Notation::Latex => variable.latex.unwrap_or_else(|| latex_name(&variable.name)),
            _ => variable.name,
        }
    }

    fn number(&self, n: Number) -> (String, Precedence) {
        let hold = if n.is_negative() {
            Precedence::Sum
        } else {
            Precedence::Atom
        };
        if self.is_code() {
            return (format!("{:?}", n.value()), hold);
        }
        match n {
            Number::Ratio(n, 1) => (n.to_string(), hold),
            Number::Ratio(n, d) if !has_decimals(d) => match self.style {
                Notation::Latex => {
                    let sign = if n < 0 { "-" } else { "" };
                    (format!(r"{sign}\frac{{{}}}{{{d}}}", n.abs()), hold)
                }
                _ => (format!("{n}/{d}"), hold.min(Precedence::Product)),
            },
            other => (self.decimal(other.value()), hold),
        }
    }

    fn decimal(&self, x: f64) -> String {
        let text = format!("{x:?}");
        match (self.style, text.split_once('e')) {
            (Notation::Latex, Some((mantissa, exponent))) => {
                format!(r"{mantissa} \cdot 10^{{{exponent}}}")
            }
            _ => text,
        }
    }

    fn sum(
        &self,
        terms: &[(Symbol, Number)],
        constant: Number,
        depth: usize,
    ) -> (String, Precedence) {
        let mut parts: Vec<SumTerm> = terms
            .iter()
            .map(|(s, c)| {
                let list = self.factors(*s);
                (sum_order(&list), *c, list)
            })
            .collect();
        parts.sort_by(|a, b| a.0.cmp(&b.0));
        if !constant.is_zero() {
            parts.push((Vec::new(), constant, Vec::new()));
        }
        for (_, c, list) in &mut parts {
            if c.is_negative()
                && let Some(turned) = self.turned(list)
            {
                (*c, *list) = (-*c, turned);
            }
        }
        // a sum starts with a positive term if it has one
        if let Some(at) = parts.iter().position(|(_, c, _)| !c.is_negative()) {
            parts[..=at].rotate_right(1);
        }
        let mut text = String::new();
        for (at, (_, c, list)) in parts.iter().enumerate() {
            if text.len() > MOST_LENGTH {
                text.push('…');
                break;
            }
            let sign = match (at, c.is_negative()) {
                (0, true) => "-",
                (0, false) => "",
                (_, true) => " - ",
                (_, false) => " + ",
            };
            let size = if c.is_negative() { -*c } else { *c };
            let (term, hold) = self.product(size, list, depth);
            text.push_str(sign);
            if hold == Precedence::Sum && !list.is_empty() {
                text.push_str(&self.bracketed(&term));
            } else {
                text.push_str(&term);
            }
        }
        (text, Precedence::Sum)
    }

    /// The factors with the sign of a difference inverted: −a (b − c) is a (c − b). Only for text and LaTeX, since names stand for exact subexpressions.
    fn turned(&self, list: &[(Symbol, Number)]) -> Option<Vec<(Symbol, Number)>> {
        let is_difference = |(base, e): &(Symbol, Number)| match &*base.node() {
            Node::Sum(terms, _) => e.is_one() && terms.iter().any(|(_, c)| c.is_negative()),
            _ => false,
        };
        if self.is_code() {
            return None;
        }
        let at = list.iter().position(is_difference)?;
        let mut list = list.to_vec();
        list[at].0 = -list[at].0;
        Some(list)
    }

    fn product(
        &self,
        front: Number,
        list: &[(Symbol, Number)],
        depth: usize,
    ) -> (String, Precedence) {
        if list.is_empty() {
            return self.number(front);
        }
        if let ([(only, e)], true) = (list, front.is_one())
            && e.is_one()
        {
            return self.named(*only, depth + 1);
        }
        if front.is_negative()
            && let Some(list) = self.turned(list)
        {
            return self.product(-front, &list, depth);
        }
        let (negative, front) = (
            front.is_negative(),
            if front.is_negative() { -front } else { front },
        );
        let mut sorted = list.to_vec();
        // m*l^2 rather than l^2*m
        sorted.sort_by_cached_key(|(base, e)| {
            let (rank, place) = factor_order(*base);
            (rank, rank == 0 && !e.is_one(), place)
        });
        if !self.is_code() {
            tangents(&mut sorted);
        }
        let (mut above, mut below) = (Vec::new(), Vec::new());
        match front {
            Number::Ratio(1, 1) => {}
            Number::Ratio(n, d) if !self.is_code() && !has_decimals(d) => {
                if n != 1 {
                    above.push(n.to_string());
                }
                if d != 1 {
                    below.push(d.to_string());
                }
            }
            number => above.push(self.number(number).0),
        }
        let (over, under): (Vec<_>, Vec<_>) =
            sorted.into_iter().partition(|(_, e)| !e.is_negative());
        for (base, e) in over {
            above.push(self.power(base, e, depth));
        }
        for (base, e) in under {
            below.push(self.power(base, -e, depth));
        }
        let sign = if negative { "-" } else { "" };
        let hold = if negative {
            Precedence::Sum
        } else {
            Precedence::Product
        };
        if self.style == Notation::Latex {
            let join = |parts: &[String]| parts.join(r" \, ").replace(r" \, \left(", r" \left(");
            if below.is_empty() {
                return (format!("{sign}{}", join(&above)), hold);
            }
            let short = below.len() == 1 && below[0].chars().all(|c| c.is_ascii_digit());
            if short {
                let top = if above
                    .first()
                    .is_some_and(|a| a.chars().all(|c| c.is_ascii_digit()))
                {
                    above.remove(0)
                } else {
                    "1".to_owned()
                };
                return (
                    format!(r"{sign}\frac{{{top}}}{{{}}} {}", below[0], join(&above)),
                    hold,
                );
            }
            if above.is_empty() {
                above.push("1".to_owned());
            }
            return (
                format!(r"{sign}\frac{{{}}}{{{}}}", join(&above), join(&below)),
                hold,
            );
        }
        let one = if self.is_code() { "1.0" } else { "1" };
        if above.is_empty() {
            above.push(one.to_owned());
        }
        let above = above.join("*");
        let text = match below.as_slice() {
            [] => format!("{sign}{above}"),
            [one] => format!("{sign}{above}/{one}"),
            _ => format!("{sign}{above}/({})", below.join("*")),
        };
        (text, hold)
    }

    /// A positive power.
    fn power(&self, base: Symbol, e: Number, depth: usize) -> String {
        if e.is_one() {
            return self.held(base, Precedence::Power, depth);
        }
        let root = e == Number::ratio(1, 2);
        match self.style {
            Notation::Text if root => format!("sqrt({})", self.named(base, depth + 1).0),
            Notation::Text => {
                let exponent = match e {
                    Number::Ratio(n, 1) => n.to_string(),
                    other => format!("({})", self.number(other).0),
                };
                format!("{}^{exponent}", self.held(base, Precedence::Atom, depth))
            }
            Notation::Latex if root => format!(r"\sqrt{{{}}}", self.named(base, depth + 1).0),
            Notation::Latex => {
                let exponent = match e {
                    Number::Ratio(n, 1) => n.to_string(),
                    Number::Ratio(n, d) => format!("{n}/{d}"),
                    Number::Float(x) => self.decimal(x),
                };
                if let Node::Function(f, x) = &*base.node()
                    && let Some(name) = latex_function(*f)
                {
                    return format!(r"{name}^{{{exponent}}}{}", self.latex_argument(*x, depth));
                }
                format!(
                    "{}^{{{exponent}}}",
                    self.held(base, Precedence::Atom, depth)
                )
            }
            Notation::Rust | Notation::C | Notation::Python => self.code_power(base, e, depth),
        }
    }

    fn code_power(&self, base: Symbol, e: Number, depth: usize) -> String {
        let x = self.held(base, Precedence::Atom, depth);
        let named = x
            .chars()
            .all(|c| c.is_alphanumeric() || "._[]->".contains(c));
        match (e.as_whole(), self.style) {
            (Some(n @ 2..=4), _) if named => vec![x; n as usize].join("*"),
            (Some(n), Notation::Rust) => format!("{x}.powi({n})"),
            (Some(n), Notation::C) => format!("pow({x}, {n})"),
            (Some(n), _) => format!("{x}**{n}"),
            (None, style) if e == Number::ratio(1, 2) => match style {
                Notation::Rust => format!("{x}.sqrt()"),
                Notation::C => format!("sqrt({x})"),
                _ => format!("math.sqrt({x})"),
            },
            (None, Notation::Rust) => format!("{x}.powf({:?})", e.value()),
            (None, Notation::C) => format!("pow({x}, {:?})", e.value()),
            (None, _) => format!("{x}**{:?}", e.value()),
        }
    }

    fn function(&self, f: Function, x: Symbol, depth: usize) -> String {
        let inside = || self.named(x, depth + 1).0;
        match self.style {
            Notation::Text => format!("{}({})", text_function(f), inside()),
            Notation::Latex => match (f, latex_function(f)) {
                (Function::Abs, _) => format!(r"\left|{}\right|", inside()),
                (Function::Cbrt, _) => format!(r"\sqrt[3]{{{}}}", inside()),
                (_, Some(name)) => format!("{name}{}", self.latex_argument(x, depth)),
                (_, None) => format!(
                    r"\operatorname{{{}}}{}",
                    text_function(f),
                    self.bracketed(&inside())
                ),
            },
            Notation::Rust if f == Function::Sign => format!("sign({})", inside()),
            Notation::Rust => {
                let name = if f == Function::Ln {
                    "ln"
                } else {
                    text_function(f)
                };
                format!("{}.{name}()", self.held(x, Precedence::Atom, depth))
            }
            Notation::C => {
                let name = match f {
                    Function::Ln => "log",
                    Function::Abs => "fabs",
                    other => text_function(other),
                };
                format!("{name}({})", inside())
            }
            Notation::Python => match f {
                Function::Abs => format!("abs({})", inside()),
                Function::Cbrt => format!("math.cbrt({})", inside()),
                Function::Sign => format!("sign({})", inside()),
                Function::Round => {
                    format!(
                        "math.floor(0.5 + {})",
                        self.held(x, Precedence::Product, depth)
                    )
                }
                Function::Ln => format!("math.log({})", inside()),
                other => format!("math.{}({})", text_function(other), inside()),
            },
        }
    }

    /// The argument of a function, always in parentheses, so that it is unambiguous.
    fn latex_argument(&self, x: Symbol, depth: usize) -> String {
        match self.named(x, depth + 1) {
            (text, Precedence::Atom) => format!("({text})"),
            (text, _) => self.bracketed(&text),
        }
    }

    fn function2(&self, f: Function2, a: Symbol, b: Symbol, depth: usize) -> String {
        let (first, second) = (self.named(a, depth + 1).0, self.named(b, depth + 1).0);
        let held = || self.held(a, Precedence::Atom, depth);
        match (f, self.style) {
            (Function2::Atan2, Notation::Rust) => format!("{}.atan2({second})", held()),
            (Function2::Atan2, Notation::Python) => format!("math.atan2({first}, {second})"),
            (Function2::Atan2, Notation::Latex) => {
                format!(r"\operatorname{{atan2}}\left({first}, {second}\right)")
            }
            (Function2::Atan2, _) => format!("atan2({first}, {second})"),
            (Function2::Power, Notation::Rust) => format!("{}.powf({second})", held()),
            (Function2::Power, Notation::C) => format!("pow({first}, {second})"),
            (Function2::Power, Notation::Python) => format!("({first})**({second})"),
            (Function2::Power, Notation::Latex) => format!("{}^{{{second}}}", held()),
            (Function2::Power, Notation::Text) => format!("({first})^({second})"),
            (Function2::Modulo, Notation::Python) => format!("(({first}) % ({second}))"),
            (Function2::Modulo, Notation::Latex) => {
                format!(r"\left({first} \bmod {second}\right)")
            }
            (Function2::Modulo, _) => format!("modulo({first}, {second})"),
        }
    }
}

/// Rewrites sin x / cos x as tan x.
fn tangents(list: &mut Vec<(Symbol, Number)>) {
    use biela_core::math::Real;
    let sines: Vec<Symbol> = list
        .iter()
        .filter_map(|(base, e)| match *base.node() {
            Node::Function(Function::Sin, x) if e.as_whole().is_some_and(|n| n > 0) => Some(x),
            _ => None,
        })
        .collect();
    for x in sines {
        let (sin, cos) = x.sin_cos();
        let place = |list: &[(Symbol, Number)], base| list.iter().position(|(b, _)| *b == base);
        let (Some(s), Some(c)) = (place(list, sin), place(list, cos)) else {
            continue;
        };
        let (Some(up), Some(down)) = (list[s].1.as_whole(), list[c].1.as_whole()) else {
            continue;
        };
        if down >= 0 {
            continue;
        }
        let shared = up.min(-down);
        list[s].1 = Number::whole(up - shared);
        list[c].1 = Number::whole(down + shared);
        list.push((x.tangent(), Number::whole(shared)));
        list.retain(|(_, e)| !e.is_zero());
    }
}

fn factors(symbol: Symbol) -> Vec<(Symbol, Number)> {
    match &*symbol.node() {
        Node::Product(list) => list.to_vec(),
        _ => vec![(symbol, Number::ONE)],
    }
}

/// Parameters, coordinates, functions, brackets, velocities, accelerations, others; each in the order of creation.
fn factor_order(symbol: Symbol) -> (u8, Symbol) {
    let rank = match &*symbol.node() {
        Node::Variable(_) => match symbol.as_variable().map(|v| v.kind) {
            Some(VariableKind::Parameter) => 0,
            Some(VariableKind::Time) => 1,
            Some(VariableKind::Coordinate) => 2,
            Some(VariableKind::Rate) => 5,
            Some(VariableKind::Acceleration) => 6,
            _ => 7,
        },
        Node::Function(..) | Node::Function2(..) => 3,
        // a sum of parameters, such as masses, is treated like a parameter, before all others
        Node::Sum(..) if variables(&[symbol]).iter().all(|s| is_parameter(*s)) => {
            return (0, Symbol::ZERO);
        }
        Node::Sum(..) => 4,
        _ => 2,
    };
    (rank, symbol)
}

fn is_parameter(symbol: Symbol) -> bool {
    symbol
        .as_variable()
        .is_some_and(|v| v.kind == VariableKind::Parameter)
}

type SumOrder = Vec<(u8, Symbol)>;

/// A term of a sum: its position, its coefficient, its factors.
type SumTerm = (SumOrder, Number, Vec<(Symbol, Number)>);

/// Terms with accelerations first, then those of parameters alone.
fn sum_order(list: &[(Symbol, Number)]) -> SumOrder {
    let mut order: SumOrder = list.iter().map(|(base, _)| factor_order(*base)).collect();
    order.sort_unstable();
    let highest = order.last().map_or(0, |(rank, _)| *rank);
    let group = if highest == 6 { 0 } else { highest + 1 };
    order.insert(0, (group, Symbol::ZERO));
    order
}

/// Returns `true` if a number should be printed as a decimal instead of a ratio.
pub(crate) fn is_decimal(number: Number) -> bool {
    match number {
        Number::Ratio(_, d) => has_decimals(d),
        Number::Float(_) => true,
    }
}

/// Returns `true` if a ratio with this denominator should be printed as a decimal.
fn has_decimals(denominator: i64) -> bool {
    let mut d = denominator;
    for p in [2, 5] {
        while d % p == 0 {
            d /= p;
        }
    }
    let power_of_two = denominator.count_ones() == 1;
    let decimal = d == 1 && !power_of_two;
    decimal || denominator > 1000
}
