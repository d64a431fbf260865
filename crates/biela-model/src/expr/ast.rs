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
        let mut asked: Vec<(usize, &str)> = Vec::new();
        let mut seen = BTreeSet::new();
        for node in &self.nodes {
            let (start, name) = match &node.kind {
                NodeKind::Name(name) if !is_constant_or_time(name) => (node.span.start, name),
                NodeKind::Call {
                    name, name_span, ..
                } if builtin(name).is_none() => (name_span.start, name),
                _ => continue,
            };
            asked.push((start, name));
        }
        asked.sort_unstable();
        asked
            .into_iter()
            .map(|(_, name)| name)
            .filter(|name| seen.insert(*name))
            .collect()
    }
}
