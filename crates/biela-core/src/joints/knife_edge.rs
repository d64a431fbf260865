use super::{
    Across, Coordinate, JointDimensions, JointEquations, JointKind, PoseFunction, Relative,
};
use crate::element::{ArgumentError, Arguments, Info};
use crate::math::Real;
use crate::math::rotation::{column, cross, dot, zero3};
use crate::model::Space;

/// Knife edge (skate): the velocity of the origin of M relative to F has no component along the y axis of M.
///
/// With m the y axis of M, normal to the edge, the nonholonomic equation is `m·v = 0`, and at acceleration level `m·v̇ + (w × m)·v = 0`. The edge is
/// the x axis of M. In space, motion along z stays free.
#[derive(Clone, Debug)]
pub struct KnifeEdge;

impl JointKind for KnifeEdge {
    const INFO: Info = Info {
        name: "knife-edge",
        aliases: &["skate"],
        summary: "lets a point move along an edge of its body, but not sideways (nonholonomic)",
        spaces: &[Space::Planar, Space::Spatial],
        fields: &[],
    };
    const AXIS: usize = 0;

    fn build(_: &Arguments) -> Result<Self, ArgumentError> {
        Ok(KnifeEdge)
    }

    fn shape(&self, _: Space) -> JointDimensions {
        JointDimensions {
            position_rows: 0,
            velocity_rows: 1,
            tree: None,
        }
    }

    fn coordinates(&self, _: Space) -> &[Coordinate] {
        const { &[Coordinate::length("x"), Coordinate::length("y")] }
    }

    fn rows<T: Real>(&self, _: Space, rel: &Relative<T>, out: &mut JointEquations<T>) {
        let side = column(&rel.R, 1);
        out.push(PoseFunction {
            phi: dot(&side, &rel.v),
            v: side,
            w: zero3(),
            bias: dot(&cross(&rel.w, &side), &rel.v),
        });
    }

    fn coordinate<T: Real>(&self, _: Space, k: usize, rel: &Relative<T>) -> PoseFunction<T> {
        PoseFunction::translation(rel, k)
    }

    fn across<T: Real>(&self, _: Space, _: &[T], _: &[T], out: &mut Across<T>) {
        out.p = zero3();
    }
}
