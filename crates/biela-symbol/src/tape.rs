//! Formulas as a list of operations, for repeated evaluation and for operation counts.

use std::fmt;

use crate::arena::{Function, Function2, Node, QuickMap, Symbol, below, power};
use crate::number::Number;

/// The approximate cost of a sine in multiplications.
const FUNCTION_COST: usize = 8;

/// The operation count of formulas, with common subexpressions counted once: one for each sum, product and division, more for a function.
pub fn cost(roots: &[Symbol]) -> usize {
    below(roots).iter().map(|s| node_cost(&s.node())).sum()
}

/// The printed length of a formula: every operation and name counts at each occurrence.
pub(crate) fn length(formula: Symbol) -> usize {
    let mut lengths: QuickMap<Symbol, usize> = QuickMap::default();
    for symbol in below(&[formula]) {
        let node = symbol.node();
        let mut total = match &*node {
            Node::Number(_) | Node::Variable(_) => 1,
            Node::Function(..) | Node::Function2(..) => 2,
            _ => node_cost(&node),
        };
        node.children(|child| {
            total = total.saturating_add(lengths.get(&child).copied().unwrap_or(0));
        });
        let _ = lengths.insert(symbol, total);
    }
    lengths.get(&formula).copied().unwrap_or(0)
}

fn node_cost(node: &Node) -> usize {
    match node {
        Node::Number(_) | Node::Variable(_) => 0,
        Node::Sum(terms, constant) => {
            let is_unit = |c: &Number| c.as_whole().is_some_and(|n| n.abs() == 1);
            let multiples = terms.iter().filter(|(_, c)| !is_unit(c)).count();
            terms.len() - 1 + usize::from(!constant.is_zero()) + multiples
        }
        Node::Product(factors) => {
            let power = |e: Number| match e.as_whole() {
                Some(n) => n.unsigned_abs().saturating_sub(1) as usize,
                None => FUNCTION_COST,
            };
            let powers: usize = factors.iter().map(|(_, e)| power(*e)).sum();
            factors.len() - 1 + powers
        }
        Node::Function(..) | Node::Function2(..) => FUNCTION_COST,
    }
}

/// A formula contains a variable that is not an input.
#[derive(Clone, PartialEq, Eq)]
pub struct UnknownVariable(pub String);

impl fmt::Display for UnknownVariable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the formula has the variable `{}`, which is not an input",
            self.0
        )
    }
}

impl std::fmt::Debug for UnknownVariable {
    /// The text of the error, which a `main` that returns it prints.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for UnknownVariable {}

enum TapeOperation {
    Number(f64),
    Input(usize),
    Sum(Vec<(usize, f64)>, f64),
    Product(Vec<(usize, Number)>),
    Function(Function, usize),
    Function2(Function2, usize, usize),
}

/// Formulas compiled for evaluation.
///
/// ```
/// use biela_symbol::{VariableKind, Symbol, Tape};
///
/// let x = Symbol::variable("x", VariableKind::Coordinate, 0.3);
/// let y = Symbol::variable("y", VariableKind::Coordinate, 0.7);
/// let tape = Tape::new(&[x * y, x + y], &[x, y]).unwrap();
/// assert_eq!(tape.evaluate(&[2.0, 5.0]), [10.0, 7.0]);
/// ```
pub struct Tape {
    operations: Vec<TapeOperation>,
    roots: Vec<usize>,
}

impl Tape {
    /// Compiles formulas of these inputs.
    pub fn new(roots: &[Symbol], inputs: &[Symbol]) -> Result<Tape, UnknownVariable> {
        let all = below(roots);
        let places: QuickMap<Symbol, usize> = all.iter().copied().zip(0..).collect();
        let given: QuickMap<Symbol, usize> = inputs.iter().copied().zip(0..).collect();
        let mut operations = Vec::with_capacity(all.len());
        for symbol in &all {
            operations.push(match &*symbol.node() {
                Node::Number(n) => TapeOperation::Number(n.value()),
                Node::Variable(_) => match given.get(symbol) {
                    Some(input) => TapeOperation::Input(*input),
                    None => return Err(UnknownVariable(symbol.to_string())),
                },
                Node::Sum(terms, constant) => {
                    let terms = terms.iter().map(|(s, c)| (places[s], c.value()));
                    TapeOperation::Sum(terms.collect(), constant.value())
                }
                Node::Product(factors) => {
                    let factors = factors.iter().map(|(s, e)| (places[s], *e));
                    TapeOperation::Product(factors.collect())
                }
                Node::Function(f, x) => TapeOperation::Function(*f, places[x]),
                Node::Function2(f, a, b) => TapeOperation::Function2(*f, places[a], places[b]),
            });
        }
        Ok(Tape {
            operations,
            roots: roots.iter().map(|root| places[root]).collect(),
        })
    }

    /// Evaluates the formulas; missing inputs count as NaN.
    pub fn evaluate(&self, inputs: &[f64]) -> Vec<f64> {
        let mut values: Vec<f64> = Vec::with_capacity(self.operations.len());
        for operation in &self.operations {
            let value = match operation {
                TapeOperation::Number(x) => *x,
                TapeOperation::Input(input) => inputs.get(*input).copied().unwrap_or(f64::NAN),
                TapeOperation::Sum(terms, constant) => terms
                    .iter()
                    .fold(*constant, |sum, (at, c)| sum + c * values[*at]),
                TapeOperation::Product(factors) => factors
                    .iter()
                    .fold(1.0, |product, (at, e)| product * power(values[*at], *e)),
                TapeOperation::Function(f, x) => f.apply(values[*x]),
                TapeOperation::Function2(f, a, b) => f.apply(values[*a], values[*b]),
            };
            values.push(value);
        }
        self.roots.iter().map(|root| values[*root]).collect()
    }
}
