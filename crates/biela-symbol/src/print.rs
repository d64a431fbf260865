//! Prints formulas as text, as LaTeX and as expressions of programming languages: one printer with several styles.

use crate::arena::{Function, Function2, Kind, Node, Symbol, variables};
use crate::number::Number;
use crate::words::{latex_function, latex_name, text_function};

/// The maximum depth and length of printed formulas; longer ones are truncated.
const MOST_DEPTH: usize = 400;
const MOST_LENGTH: usize = 4_000_000;

/// The notation of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
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
    Printer::new(Style::Text, &|_| None).print(symbol)
}

/// A formula in LaTeX.
pub fn latex(symbol: Symbol) -> String {
    Printer::new(Style::Latex, &|_| None).print(symbol)
}

/// Operator precedence of an expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Hold {
    Sum,
    Product,
    Power,
    Atom,
}

type Names<'n> = &'n dyn Fn(Symbol) -> Option<String>;

/// Prints formulas in a style; `names` returns the names of named subexpressions.
pub struct Printer<'n> {
    style: Style,
    names: Names<'n>,
}

impl<'n> Printer<'n> {
    /// Creates a printer.
    pub fn new(style: Style, names: Names<'n>) -> Self {
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
        matches!(self.style, Style::Rust | Style::C | Style::Python)
    }

    fn named(&self, symbol: Symbol, depth: usize) -> (String, Hold) {
        match (self.names)(symbol) {
            Some(name) => (name, Hold::Atom),
            None => self.written(symbol, depth),
        }
    }

    fn written(&self, symbol: Symbol, depth: usize) -> (String, Hold) {
        if depth > MOST_DEPTH {
            return ("…".to_owned(), Hold::Atom);
        }
        match &*symbol.node() {
            Node::Number(n) => self.number(*n),
            Node::Variable(_) => (self.variable(symbol), Hold::Atom),
            Node::Sum(terms, constant) => {
                if let ([(term, c)], true) = (&**terms, constant.is_zero()) {
                    return self.product(*c, &self.factors(*term), depth);
                }
                self.sum(terms, *constant, depth)
            }
            Node::Product(list) => self.product(Number::ONE, list, depth),
            Node::Function(f, x) => (self.function(*f, *x, depth), Hold::Atom),
            Node::Function2(f, a, b) => (self.function2(*f, *a, *b, depth), Hold::Atom),
        }
    }

    /// The factors of a term; a named subexpression is a single factor.
    fn factors(&self, symbol: Symbol) -> Vec<(Symbol, Number)> {
        match (self.names)(symbol) {
            Some(_) => vec![(symbol, Number::ONE)],
            None => factors(symbol),
        }
    }

    fn held(&self, symbol: Symbol, at_least: Hold, depth: usize) -> String {
        let (text, hold) = self.named(symbol, depth + 1);
        if hold >= at_least {
            text
        } else {
            self.bracketed(&text)
        }
    }

    fn bracketed(&self, text: &str) -> String {
        match self.style {
            Style::Latex => format!(r"\left({text}\right)"),
            _ => format!("({text})"),
        }
    }

    fn variable(&self, symbol: Symbol) -> String {
        let Some(variable) = symbol.as_variable() else {
            return String::new();
        };
        match self.style {
            Style::Latex => variable.latex.unwrap_or_else(|| latex_name(&variable.name)),
            _ => variable.name,
        }
    }

    fn number(&self, n: Number) -> (String, Hold) {
        let hold = if n.is_negative() {
            Hold::Sum
        } else {
            Hold::Atom
        };
        if self.is_code() {
            return (format!("{:?}", n.value()), hold);
        }
        match n {
            Number::Ratio(n, 1) => (n.to_string(), hold),
            Number::Ratio(n, d) if !has_decimals(d) => match self.style {
                Style::Latex => {
                    let sign = if n < 0 { "-" } else { "" };
                    (format!(r"{sign}\frac{{{}}}{{{d}}}", n.abs()), hold)
                }
                _ => (format!("{n}/{d}"), hold.min(Hold::Product)),
            },
            other => (self.decimal(other.value()), hold),
        }
    }

    fn decimal(&self, x: f64) -> String {
        let text = format!("{x:?}");
        match (self.style, text.split_once('e')) {
            (Style::Latex, Some((mantissa, exponent))) => {
                format!(r"{mantissa} \cdot 10^{{{exponent}}}")
            }
            _ => text,
        }
    }

    fn sum(&self, terms: &[(Symbol, Number)], constant: Number, depth: usize) -> (String, Hold) {
        let mut parts: Vec<Part> = terms
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
            if hold == Hold::Sum && !list.is_empty() {
                text.push_str(&self.bracketed(&term));
            } else {
                text.push_str(&term);
            }
        }
        (text, Hold::Sum)
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

    fn product(&self, front: Number, list: &[(Symbol, Number)], depth: usize) -> (String, Hold) {
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
        let hold = if negative { Hold::Sum } else { Hold::Product };
        if self.style == Style::Latex {
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
            return self.held(base, Hold::Power, depth);
        }
        let root = e == Number::ratio(1, 2);
        match self.style {
            Style::Text if root => format!("sqrt({})", self.named(base, depth + 1).0),
            Style::Text => {
                let exponent = match e {
                    Number::Ratio(n, 1) => n.to_string(),
                    other => format!("({})", self.number(other).0),
                };
                format!("{}^{exponent}", self.held(base, Hold::Atom, depth))
            }
            Style::Latex if root => format!(r"\sqrt{{{}}}", self.named(base, depth + 1).0),
            Style::Latex => {
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
                format!("{}^{{{exponent}}}", self.held(base, Hold::Atom, depth))
            }
            Style::Rust | Style::C | Style::Python => self.code_power(base, e, depth),
        }
    }

    fn code_power(&self, base: Symbol, e: Number, depth: usize) -> String {
        let x = self.held(base, Hold::Atom, depth);
        let named = x
            .chars()
            .all(|c| c.is_alphanumeric() || "._[]->".contains(c));
        match (e.as_whole(), self.style) {
            (Some(n @ 2..=4), _) if named => vec![x; n as usize].join("*"),
            (Some(n), Style::Rust) => format!("{x}.powi({n})"),
            (Some(n), Style::C) => format!("pow({x}, {n})"),
            (Some(n), _) => format!("{x}**{n}"),
            (None, style) if e == Number::ratio(1, 2) => match style {
                Style::Rust => format!("{x}.sqrt()"),
                Style::C => format!("sqrt({x})"),
                _ => format!("math.sqrt({x})"),
            },
            (None, Style::Rust) => format!("{x}.powf({:?})", e.value()),
            (None, Style::C) => format!("pow({x}, {:?})", e.value()),
            (None, _) => format!("{x}**{:?}", e.value()),
        }
    }

    fn function(&self, f: Function, x: Symbol, depth: usize) -> String {
        let inside = || self.named(x, depth + 1).0;
        match self.style {
            Style::Text => format!("{}({})", text_function(f), inside()),
            Style::Latex => match (f, latex_function(f)) {
                (Function::Abs, _) => format!(r"\left|{}\right|", inside()),
                (Function::Cbrt, _) => format!(r"\sqrt[3]{{{}}}", inside()),
                (_, Some(name)) => format!("{name}{}", self.latex_argument(x, depth)),
                (_, None) => format!(
                    r"\operatorname{{{}}}{}",
                    text_function(f),
                    self.bracketed(&inside())
                ),
            },
            Style::Rust if f == Function::Sign => format!("sign({})", inside()),
            Style::Rust => {
                let name = if f == Function::Ln {
                    "ln"
                } else {
                    text_function(f)
                };
                format!("{}.{name}()", self.held(x, Hold::Atom, depth))
            }
            Style::C => {
                let name = match f {
                    Function::Ln => "log",
                    Function::Abs => "fabs",
                    other => text_function(other),
                };
                format!("{name}({})", inside())
            }
            Style::Python => match f {
                Function::Abs => format!("abs({})", inside()),
                Function::Cbrt => format!("math.cbrt({})", inside()),
                Function::Sign => format!("sign({})", inside()),
                Function::Round => {
                    format!("math.floor(0.5 + {})", self.held(x, Hold::Product, depth))
                }
                Function::Ln => format!("math.log({})", inside()),
                other => format!("math.{}({})", text_function(other), inside()),
            },
        }
    }

    /// The argument of a function, always in parentheses, so that it is unambiguous.
    fn latex_argument(&self, x: Symbol, depth: usize) -> String {
        match self.named(x, depth + 1) {
            (text, Hold::Atom) => format!("({text})"),
            (text, _) => self.bracketed(&text),
        }
    }

    fn function2(&self, f: Function2, a: Symbol, b: Symbol, depth: usize) -> String {
        let (first, second) = (self.named(a, depth + 1).0, self.named(b, depth + 1).0);
        let held = || self.held(a, Hold::Atom, depth);
        match (f, self.style) {
            (Function2::Atan2, Style::Rust) => format!("{}.atan2({second})", held()),
            (Function2::Atan2, Style::Python) => format!("math.atan2({first}, {second})"),
            (Function2::Atan2, Style::Latex) => {
                format!(r"\operatorname{{atan2}}\left({first}, {second}\right)")
            }
            (Function2::Atan2, _) => format!("atan2({first}, {second})"),
            (Function2::Power, Style::Rust) => format!("{}.powf({second})", held()),
            (Function2::Power, Style::C) => format!("pow({first}, {second})"),
            (Function2::Power, Style::Python) => format!("({first})**({second})"),
            (Function2::Power, Style::Latex) => format!("{}^{{{second}}}", held()),
            (Function2::Power, Style::Text) => format!("({first})^({second})"),
            (Function2::Modulo, Style::Python) => format!("(({first}) % ({second}))"),
            (Function2::Modulo, Style::Latex) => {
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
            Some(Kind::Parameter) => 0,
            Some(Kind::Time) => 1,
            Some(Kind::Coordinate) => 2,
            Some(Kind::Rate) => 5,
            Some(Kind::Acceleration) => 6,
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
        .is_some_and(|v| v.kind == Kind::Parameter)
}

type SumOrder = Vec<(u8, Symbol)>;

/// A term of a sum: its position, its coefficient, its factors.
type Part = (SumOrder, Number, Vec<(Symbol, Number)>);

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
