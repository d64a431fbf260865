//! The arena of formula nodes: each distinct node is stored once, children before parents (hash consing).
//!
//! The arena belongs to the thread and only grows. Since a parent always has a larger index than its children, every pass over a formula is a loop over sorted
//! indices, for any depth.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

use biela_core::math::Real;

use crate::number::Number;

/// A formula: a handle to a node of the thread's arena.
///
/// Two symbols are equal if their nodes are, so formulas that were built in the same way are the same symbol.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32, OfThisThread);

/// Prevents a handle from leaving the thread of its arena.
type OfThisThread = std::marker::PhantomData<*const ()>;

impl Symbol {
    /// 0.
    pub const ZERO: Symbol = Symbol::at(0);
    /// 1.
    pub const ONE: Symbol = Symbol::at(1);

    const fn at(index: u32) -> Symbol {
        Symbol(index, std::marker::PhantomData)
    }
}

/// The kind of a variable; determines its position in products and sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VariableKind {
    /// A constant of the model.
    Parameter,
    /// Time.
    Time,
    /// A coordinate.
    Coordinate,
    /// The derivative of a coordinate, or a generalized speed.
    Rate,
    /// The second derivative of a coordinate, or the derivative of a generalized speed.
    Acceleration,
    /// Any other variable: a force, a multiplier.
    Other,
}

/// A variable of the arena.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its unique name.
    pub name: String,
    /// Its kind.
    pub kind: VariableKind,
    /// The sample value, which decides branches.
    pub sample: f64,
    /// Its LaTeX form, if it does not follow from the name.
    pub latex: Option<String>,
}

/// A function of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Function {
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Tangent, for display only: arithmetic uses sine over cosine.
    Tan,
    /// Exponential.
    Exp,
    /// Natural logarithm.
    Ln,
    /// Inverse sine.
    Asin,
    /// Inverse cosine.
    Acos,
    /// Inverse tangent.
    Atan,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// Hyperbolic tangent.
    Tanh,
    /// Cube root.
    Cbrt,
    /// Absolute value.
    Abs,
    /// Floor.
    Floor,
    /// Ceiling.
    Ceil,
    /// Nearest integer.
    Round,
    /// −1, 0 or 1.
    Sign,
}

impl Function {
    /// Its value, as a number or as a formula.
    pub fn apply<T: Real>(self, x: T) -> T {
        match self {
            Function::Sin => x.sin(),
            Function::Cos => x.cos(),
            Function::Tan => x.tan(),
            Function::Exp => x.exp(),
            Function::Ln => x.ln(),
            Function::Asin => x.asin(),
            Function::Acos => x.acos(),
            Function::Atan => x.atan(),
            Function::Sinh => x.sinh(),
            Function::Cosh => x.cosh(),
            Function::Tanh => x.tanh(),
            Function::Cbrt => x.cbrt(),
            Function::Abs => x.abs(),
            Function::Floor => x.floor(),
            Function::Ceil => x.ceil(),
            Function::Round => x.round(),
            Function::Sign => x.sign(),
        }
    }
}

/// A function of two arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Function2 {
    /// Angle of the point (second, first).
    Atan2,
    /// First argument to the power of the second.
    Power,
    /// Remainder with the sign of the divisor.
    Modulo,
}

impl Function2 {
    /// Its value, as a number or as a formula.
    pub fn apply<T: Real>(self, a: T, b: T) -> T {
        match self {
            Function2::Atan2 => a.atan2(b),
            Function2::Power => a.powf(b),
            Function2::Modulo => a.modulo(b),
        }
    }
}

/// One node of a formula, in canonical form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A number.
    Number(Number),
    /// A variable, by its index.
    Variable(u32),
    /// Σ coefficient · term + constant. Terms are increasing and distinct, and are neither numbers nor sums. A single term without constant, i.e. a multiple,
    /// may be a sum.
    Sum(Box<[(Symbol, Number)]>, Number),
    /// Π base^exponent: bases are increasing, exponents are nonzero ratios. There are at least two factors, or an exponent other than one.
    Product(Box<[(Symbol, Number)]>),
    /// A function of one argument.
    Function(Function, Symbol),
    /// A function of two arguments.
    Function2(Function2, Symbol, Symbol),
}

impl Node {
    /// Calls `visit` for every child.
    pub fn children(&self, mut visit: impl FnMut(Symbol)) {
        match self {
            Node::Number(_) | Node::Variable(_) => {}
            Node::Sum(list, _) | Node::Product(list) => list.iter().for_each(|(s, _)| visit(*s)),
            Node::Function(_, x) => visit(*x),
            Node::Function2(_, a, b) => {
                visit(*a);
                visit(*b);
            }
        }
    }

    /// Evaluates the node from the values of the children.
    pub fn evaluate(&self, variable: impl Fn(u32) -> f64, child: impl Fn(Symbol) -> f64) -> f64 {
        match self {
            Node::Number(n) => n.value(),
            Node::Variable(v) => variable(*v),
            Node::Sum(terms, constant) => terms.iter().fold(constant.value(), |sum, (s, c)| {
                c.value().mul_add(child(*s), sum)
            }),
            Node::Product(factors) => factors
                .iter()
                .fold(1.0, |product, (s, e)| product * power(child(*s), *e)),
            Node::Function(f, x) => f.apply(child(*x)),
            Node::Function2(f, a, b) => f.apply(child(*a), child(*b)),
        }
    }
}

/// x to a rational power.
pub(crate) fn power(x: f64, exponent: Number) -> f64 {
    match exponent {
        Number::Ratio(1, 1) => x,
        Number::Ratio(n, 1) => i32::try_from(n).map_or_else(|_| x.powf(n as f64), |n| x.powi(n)),
        Number::Ratio(1, 2) => x.sqrt(),
        Number::Ratio(-1, 2) => 1.0 / x.sqrt(),
        other => x.powf(other.value()),
    }
}

/// A fast hash for small, trusted keys.
#[derive(Default)]
pub(crate) struct QuickHasher(u64);

impl Hasher for QuickHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(26) ^ word).wrapping_mul(0xf135_7aea_2e62_a9c5);
    }
    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }
    fn write_i64(&mut self, word: i64) {
        self.write_u64(word as u64);
    }
    fn write_u8(&mut self, word: u8) {
        self.write_u64(u64::from(word));
    }
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

pub(crate) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<QuickHasher>>;

struct Arena {
    nodes: Vec<Rc<Node>>,
    /// Values of the nodes at the samples of the variables.
    samples: Vec<f64>,
    index: QuickMap<Rc<Node>, Symbol>,
    variables: Vec<Variable>,
    names: HashMap<String, Symbol>,
    /// Numbers that stand for formulas, by their bits.
    named: QuickMap<u64, Symbol>,
    /// Variables whose squares are sums of others.
    squares: Vec<(Symbol, Symbol)>,
}

impl Arena {
    fn new() -> Self {
        let mut arena = Arena {
            nodes: Vec::new(),
            samples: Vec::new(),
            index: QuickMap::default(),
            variables: Vec::new(),
            names: HashMap::new(),
            named: QuickMap::default(),
            squares: Vec::new(),
        };
        let _ = arena.add(Node::Number(Number::ZERO));
        let _ = arena.add(Node::Number(Number::ONE));
        arena
    }

    fn add(&mut self, node: Node) -> Symbol {
        if let Some(known) = self.index.get(&node) {
            return *known;
        }
        let sample = node.evaluate(
            |v| {
                self.variables
                    .get(v as usize)
                    .map_or(f64::NAN, |v| v.sample)
            },
            |s| self.samples[s.0 as usize],
        );
        let symbol = Symbol::at(self.nodes.len() as u32);
        let node = Rc::new(node);
        self.nodes.push(Rc::clone(&node));
        self.samples.push(sample);
        let _ = self.index.insert(node, symbol);
        symbol
    }
}

thread_local! {
    static ARENA: RefCell<Arena> = RefCell::new(Arena::new());
}

fn with<R>(act: impl FnOnce(&mut Arena) -> R) -> R {
    ARENA.with(|arena| act(&mut arena.borrow_mut()))
}

/// Returns the symbol of a node in canonical form.
pub(crate) fn intern(node: Node) -> Symbol {
    with(|arena| arena.add(node))
}

impl Symbol {
    /// Returns the variable with this name; its kind and sample are those of the first call.
    ///
    /// The sample decides branches (the sign of √(x²), the result of a comparison), and formulas are tested there. It should be a generic number that does not
    /// occur elsewhere.
    pub fn variable(name: &str, kind: VariableKind, sample: f64) -> Symbol {
        with(|arena| {
            if let Some(known) = arena.names.get(name) {
                return *known;
            }
            let index = arena.variables.len() as u32;
            arena.variables.push(Variable {
                name: name.to_owned(),
                kind,
                sample,
                latex: None,
            });
            let symbol = arena.add(Node::Variable(index));
            let _ = arena.names.insert(name.to_owned(), symbol);
            symbol
        })
    }

    /// Returns the variable with this name, if there is one.
    pub fn find(name: &str) -> Option<Symbol> {
        with(|arena| arena.names.get(name).copied())
    }

    /// Sets the LaTeX form of a variable.
    #[must_use]
    pub fn written(self, latex: &str) -> Symbol {
        with(|arena| {
            let node = Rc::clone(&arena.nodes[self.0 as usize]);
            if let Node::Variable(v) = *node {
                arena.variables[v as usize].latex = Some(latex.to_owned());
            }
        });
        self
    }

    /// Makes a number stand for this formula from now on, whenever a constant is created from it (or from its negative).
    ///
    /// Algorithms that lift the numbers of a model into their scalar type then use the named parameters.
    pub fn stands_for(self, number: f64) {
        with(|arena| {
            let _ = arena.named.insert(number.to_bits(), self);
        });
    }

    /// Returns the formula that a number stands for, if any.
    pub fn behind(number: f64) -> Option<Symbol> {
        let find = |x: f64| with(|arena| arena.named.get(&x.to_bits()).copied());
        find(number).or_else(|| find(-number).map(|symbol| -symbol))
    }

    /// Replaces this formula by another whenever it occurs from now on, as in e·e = 1.
    pub fn equals(self, other: Symbol) {
        with(|arena| {
            let node = Rc::clone(&arena.nodes[self.0 as usize]);
            let _ = arena.index.insert(node, other);
        });
    }

    /// Declares that the squares of these variables add up to one, as for Euler parameters.
    pub fn have_unit_length(variables: &[Symbol]) {
        let square = |symbol: &Symbol| *symbol * *symbol;
        let sum = variables
            .iter()
            .fold(Symbol::ZERO, |sum, x| sum + square(x));
        sum.equals(Symbol::ONE);
        if let Some((first, rest)) = variables.split_first() {
            let rest = rest.iter().fold(Symbol::ONE, |sum, x| sum - square(x));
            with(|arena| arena.squares.push((*first, rest)));
        }
    }

    /// The declarations of [`Self::have_unit_length`]: variables and their squares.
    pub(crate) fn known_squares() -> Vec<(Symbol, Symbol)> {
        with(|arena| arena.squares.clone())
    }

    /// Returns its node.
    pub fn node(self) -> Rc<Node> {
        with(|arena| Rc::clone(&arena.nodes[self.0 as usize]))
    }

    /// Returns its value at the samples of the variables.
    pub fn sample(self) -> f64 {
        with(|arena| arena.samples[self.0 as usize])
    }

    /// Returns the description of the variable, if it is one.
    pub fn as_variable(self) -> Option<Variable> {
        with(|arena| match *arena.nodes[self.0 as usize] {
            Node::Variable(v) => arena.variables.get(v as usize).cloned(),
            _ => None,
        })
    }

    /// Returns the number, if it is one.
    pub fn as_number(self) -> Option<Number> {
        with(|arena| match *arena.nodes[self.0 as usize] {
            Node::Number(n) => Some(n),
            _ => None,
        })
    }

    /// Returns `true` if it is the number 0.
    pub fn is_zero(self) -> bool {
        self == Symbol::ZERO
    }
}

/// Runs a closure with its own arena: names and numbers of different models do not interfere.
pub fn isolated<R: Send>(work: impl FnOnce() -> R + Send) -> std::thread::Result<R> {
    std::thread::scope(|scope| scope.spawn(work).join())
}

/// Returns all nodes below some formulas, children before parents.
pub fn below(roots: &[Symbol]) -> Vec<Symbol> {
    let mut seen: HashSet<Symbol, BuildHasherDefault<QuickHasher>> = HashSet::default();
    let mut open: Vec<Symbol> = roots.to_vec();
    let mut all = Vec::new();
    while let Some(symbol) = open.pop() {
        if seen.insert(symbol) {
            all.push(symbol);
            symbol.node().children(|child| open.push(child));
        }
    }
    all.sort_unstable();
    all
}

/// Returns the variables in some formulas, in the order of creation.
pub fn variables(roots: &[Symbol]) -> Vec<Symbol> {
    let all = below(roots).into_iter();
    all.filter(|s| matches!(*s.node(), Node::Variable(_)))
        .collect()
}
