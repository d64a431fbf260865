use super::{
    Across, Coordinate, JointDimensions, JointEquations, JointKind, PoseFunction, Relative,
    TreeShape,
};
use crate::element::{ArgumentError, Arguments, Info};
use crate::math::Real;
use crate::model::Space;

/// Point in plane: the origin of M stays in the x–y plane of F; M rotates freely.
///
/// Coordinates: `x`, `y`; the tree view adds Euler parameters. Equation: `p_z = 0`.
///
/// ```text
/// position                       velocity                       acceleration
/// p_z = 0                        v_z = 0                        v̇_z = 0
/// ```
#[derive(Clone, Debug)]
pub struct PointInPlane;

impl JointKind for PointInPlane {
    const INFO: Info = Info {
        name: "point-in-plane",
        aliases: &[],
        summary: "keeps a point of the second body in a plane of the first",
        spaces: &[Space::Spatial],
        fields: &[],
    };
    const AXIS: usize = 2;

    fn build(_: &Arguments) -> Result<Self, ArgumentError> {
        Ok(PointInPlane)
    }

    fn shape(&self, _: Space) -> JointDimensions {
        JointDimensions {
            position_rows: 1,
            velocity_rows: 0,
            tree: Some(TreeShape {
                scalars: 2,
                rotation: true,
            }),
        }
    }

    fn coordinates(&self, _: Space) -> &[Coordinate] {
        const { &[Coordinate::length("x"), Coordinate::length("y")] }
    }

    fn rows<T: Real>(&self, _: Space, rel: &Relative<T>, out: &mut JointEquations<T>) {
        out.lock_translations(rel, &[2]);
    }

    fn coordinate<T: Real>(&self, _: Space, k: usize, rel: &Relative<T>) -> PoseFunction<T> {
        PoseFunction::translation(rel, k)
    }

    fn across<T: Real>(&self, _: Space, q: &[T], _: &[T], out: &mut Across<T>) {
        out.slide(0, q[0]);
        out.slide(1, q[1]);
        out.rotate(&q[2..]);
    }
}
