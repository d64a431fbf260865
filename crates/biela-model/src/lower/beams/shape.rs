//! Where a beam runs: straight, or along a curve.

use biela_core::flexible::{Node, along_curve, straight};
use biela_core::math::Vec3;

use crate::lower::reader::Reader;
use crate::lower::values::Context;

/// Nodes of the shape and the length of an element.
pub(super) fn shape<'t>(
    reader: &Reader<'t>,
    elements: usize,
    context: &Context<'t>,
) -> Option<(Vec<Node>, f64)> {
    if !reader.has("shape") {
        let from = context.vector(&reader.require("from", "from = [0, 0]"), "m");
        let to = reader.require("to", "to = [\"1 m\", 0]");
        let (from, end) = (from?, context.vector(&to, "m")?);
        let line = straight([from[0], from[1]], [end[0], end[1]], elements);
        if line.is_none() {
            let label = "the beam has no length";
            to.error("bad-shape", "must differ from `from`", label, None);
        }
        return line;
    }
    for key in ["from", "to"] {
        if reader.has(key) {
            let help = "leave one of them out".to_owned();
            let problem = "says with `shape` twice where the beam is";
            reader.get(key).error("conflict", problem, "", Some(help));
        }
    }
    let field = reader.get("shape");
    let items = field.array()?.value;
    let points: Vec<Option<Vec3<f64>>> =
        items.iter().map(|item| context.vector(item, "m")).collect();
    let points: Option<Vec<[f64; 2]>> = points
        .into_iter()
        .map(|point| point.map(|p| [p[0], p[1]]))
        .collect();
    let curve = along_curve(&points?, elements);
    if curve.is_none() {
        let problem = "must have three points or more, neighbours apart";
        let help = "for a straight beam write `from` and `to`".to_owned();
        field.error(
            "bad-shape",
            problem,
            "no curve leads through these",
            Some(help),
        );
    }
    curve
}
