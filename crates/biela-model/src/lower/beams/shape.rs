//! The centreline of a beam: straight, or along a curve.

use biela_core::flexible::{ShapeNode, along, along_curve, straight};
use biela_core::math::{Mat3, Pose, Vec3};

use crate::lower::reader::SectionReader;
use crate::lower::values::Context;

/// The nodes of the centreline and the length of an element.
pub(super) fn shape<'t, const D: usize>(
    reader: &SectionReader<'t>,
    elements: usize,
    context: &Context<'t>,
) -> Option<(Vec<ShapeNode<D>>, f64)> {
    let points = way(reader, context)?;
    match points[..] {
        [from, to] => straight(from, to, elements),
        _ => along_curve(&points, elements),
    }
}

/// The ends of a straight beam, or the points of a curve; `None` if they do not define a beam.
pub(super) fn way<'t, const D: usize>(
    reader: &SectionReader<'t>,
    context: &Context<'t>,
) -> Option<Vec<[f64; D]>> {
    let placed = |p: Vec3<f64>| -> [f64; D] {
        let p = context
            .placed(reader.span(), Pose::new(Mat3::identity(), p))
            .p;
        std::array::from_fn(|axis| p[axis])
    };
    if !reader.has("shape") {
        let from = context.position(&reader.require("from", "from = [0, 0]"));
        let to = reader.require("to", "to = [\"1 m\", 0]");
        let (from, end) = (from?, context.position(&to)?);
        let ends = vec![placed(from), placed(end)];
        if along(&ends, &[]).is_none() {
            let label = "the beam has no length";
            to.error("bad-shape", "must differ from `from`", label, None);
            return None;
        }
        return Some(ends);
    }
    for key in ["from", "to"] {
        if reader.has(key) {
            let help = "leave one of them out".to_owned();
            let problem = "conflicts with `shape`";
            reader.get(key).error("conflict", problem, "", Some(help));
        }
    }
    let field = reader.get("shape");
    let items = field.array()?.value;
    let points: Vec<Option<Vec3<f64>>> = items.iter().map(|item| context.position(item)).collect();
    let points: Option<Vec<[f64; D]>> = points.into_iter().map(|p| p.map(placed)).collect();
    let points = points?;
    if points.len() < 3 || along(&points, &[]).is_none() {
        let problem = "must have three or more points, with distinct neighbours";
        let help = "for a straight beam write `from` and `to`".to_owned();
        field.error(
            "bad-shape",
            problem,
            "no curve through these points",
            Some(help),
        );
        return None;
    }
    Some(points)
}

/// A placeholder for a beam with an unknown shape: one element of unit length along x.
pub(super) fn stand_in<const D: usize>() -> (Vec<ShapeNode<D>>, f64) {
    let along: [f64; D] = std::array::from_fn(|axis| f64::from(u8::from(axis == 0)));
    (vec![[[0.0; D], along], [along, along]], 1.0)
}
