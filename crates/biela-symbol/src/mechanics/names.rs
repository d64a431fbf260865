//! Names of coordinates: `q_pin` for the angle of the joint `pin`, `q_rail_x` if a joint has several.

use biela_core::model::Model;
use biela_core::tree::Tree;

use crate::arena::{Symbol, VariableKind};
use crate::code::identifier;
use crate::words::{is_short, latex_name};

/// A position coordinate of the tree.
#[derive(Clone, Debug)]
pub struct TreeCoordinate {
    /// Its name.
    pub name: String,
    /// Its name in LaTeX.
    pub latex: String,
    /// The joint, or the free body.
    pub joint: String,
    /// `joint.coordinate`, as in the model language.
    pub signal: String,
    /// An angle, in rad; otherwise a length, in m, or an Euler parameter.
    pub unit: &'static str,
}

impl TreeCoordinate {
    /// Text and LaTeX of its first and second derivative.
    pub(super) fn rates(&self) -> [(String, String); 2] {
        let (head, tail) = match self.latex.split_once('_') {
            Some((head, tail)) => (head, format!("_{tail}")),
            None => (self.latex.as_str(), String::new()),
        };
        [
            (format!("{}'", self.name), format!(r"\dot{{{head}}}{tail}")),
            (
                format!("{}''", self.name),
                format!(r"\ddot{{{head}}}{tail}"),
            ),
        ]
    }
}

/// The names of an angular velocity component and its derivative.
pub(super) fn spin(joint: &str, axis: usize) -> [(String, String); 2] {
    let axis = ["x", "y", "z"][axis.min(2)];
    let name = format!("w_{}_{axis}", identifier(joint));
    let below = latex_name(&name).replacen('w', r"\omega", 1);
    let dotted = below.replacen(r"\omega", r"\dot{\omega}", 1);
    let rate = format!("{name}'");
    [(name, below), (rate, dotted)]
}

/// The coordinates of a tree, in order.
pub(super) fn coordinates(model: &Model, tree: &Tree<Symbol>) -> Vec<TreeCoordinate> {
    let mut all: Vec<TreeCoordinate> = Vec::new();
    for (at, link) in tree.links.iter().enumerate() {
        let joint = link.element.map_or_else(
            || {
                let body = tree.places.iter().position(|place| place.link == Some(at));
                body.map_or_else(String::new, |b| model.bodies[b].name.clone())
            },
            |j| model.joints[j.0].name.clone(),
        );
        let measured = link.joint.coordinates(model.space);
        let count = link.shape.positions();
        for k in 0..count {
            let (word, unit) = match measured.get(k) {
                Some(c) if k < link.shape.scalars => {
                    (c.name.to_owned(), if c.angular { "rad" } else { "m" })
                }
                _ => (format!("e{}", k - link.shape.scalars), "1"),
            };
            let base = identifier(&joint);
            let mut name = match (count, is_short(&base)) {
                (1, true) => base,
                (1, false) => format!("q_{base}"),
                _ => format!("q_{base}_{word}"),
            };
            let taken = |name: &str| {
                let variable = Symbol::find(name).and_then(Symbol::as_variable);
                variable.is_some_and(|v| v.kind != VariableKind::Coordinate)
            };
            while all.iter().any(|c| c.name == name) || taken(&name) {
                name.push('_');
            }
            all.push(TreeCoordinate {
                latex: latex_name(&name),
                name,
                signal: if joint.contains('.') {
                    joint.clone()
                } else {
                    format!("{joint}.{word}")
                },
                joint: joint.clone(),
                unit,
            });
        }
    }
    all
}
