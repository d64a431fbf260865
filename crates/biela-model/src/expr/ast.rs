//! The syntax tree: nodes in one vector, children before parents.
//!
//! With that order every pass is a loop instead of a recursion, so that no formula can overflow the stack.

use std::collections::BTreeSet;
use std::ops::Range;

use super::functions::{builtin, is_constant_or_time};
use super::ops::{Binary, Unary};
use crate::units::Dimension;

/// The index of a node in the vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeId(pub(super) usize);

#[derive(Clone, Debug, PartialEq)]
pub(super) enum NodeKind {
    Number(f64),
    Quantity(f64, Dimension),
    Name(String),
    Unary(Unary, NodeId),
    Binary(Binary, NodeId, NodeId),
    If(NodeId, NodeId, NodeId),
    Call {
        name: String,
        name_span: Range<usize>,
        arguments: Vec<NodeId>,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct AstNode {
    pub(super) kind: NodeKind,
    pub(super) span: Range<usize>,
}

/// A parsed quantity or formula with unresolved names.
#[derive(Clone, Debug, PartialEq)]
pub struct Ast {
    /// Never empty; the last node is the whole formula.
    pub(super) nodes: Vec<AstNode>,
    /// The length of the text.
    pub(super) length: usize,
}

impl Ast {
    /// Returns `true` if the text is one number with a unit and nothing else.
    pub fn is_quantity(&self) -> bool {
        matches!(self.nodes.as_slice(), [node] if matches!(node.kind, NodeKind::Quantity(..)))
    }

    /// All external names of the formula, once each, in the order of occurrence: values and tables, without time, constants and functions of the language.
    ///
    /// ```
    /// let ast = biela_model::expr::parse("a*sin(omega*t) + load(t) + a").unwrap();
    /// assert_eq!(ast.names(), ["a", "omega", "load"]);
    /// ```
    pub fn names(&self) -> Vec<&str> {
        let mut seen = BTreeSet::new();
        let all = self.occurrences().into_iter().map(|(name, ..)| name);
        all.filter(|name| seen.insert(*name)).collect()
    }

    /// Every occurrence of an external name with its range in the text, and whether it is called as a function, in the order of the text.
    pub(crate) fn occurrences(&self) -> Vec<(&str, Range<usize>, bool)> {
        let mut all = Vec::new();
        for node in &self.nodes {
            match &node.kind {
                NodeKind::Name(name) if !is_constant_or_time(name) => {
                    all.push((name.as_str(), node.span.clone(), false));
                }
                NodeKind::Call {
                    name, name_span, ..
                } if builtin(name).is_none() => all.push((name.as_str(), name_span.clone(), true)),
                _ => {}
            }
        }
        all.sort_unstable_by_key(|(_, span, _)| span.start);
        all
    }
}
