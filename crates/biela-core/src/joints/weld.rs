use super::{
    Across, Coordinate, JointDimensions, JointEquations, JointKind, PoseFunction, Relative,
    TreeShape,
};
use crate::element::{ArgumentError, Arguments, Info};
use crate::math::Real;
use crate::model::Space;

/// Weld: F and M coincide.
///
/// `p = 0`, `R_10 = R_20 = R_21 = 0` (planar: `p_x = p_y = 0`, `R_10 = 0`). It has no degrees of freedom. A pose rotated by half a turn about
/// an axis also satisfies the equations; assembly starts from the nearest pose.
///
/// ```text
/// position                       velocity                       acceleration
/// p = 0                          v = 0                          v̇ = 0
/// R_10 = R_20 = R_21 = 0         (m_j × e_i)·w = 0              (m_j × e_i)·ẇ + e_i·(w × (w × m_j)) = 0
/// X_FM = 1                       no coordinate
/// ```
#[derive(Clone, Debug)]
pub struct Weld;

impl JointKind for Weld {
    const INFO: Info = Info {
        name: "weld",
        aliases: &["fixed"],
        summary: "fixes two frames to each other",
        spaces: &[Space::Planar, Space::Spatial],
        fields: &[],
    };
    const AXIS: usize = 2;
    const HAS_AXIS: bool = false;

    fn build(_: &Arguments) -> Result<Self, ArgumentError> {
        Ok(Weld)
    }

    fn shape(&self, space: Space) -> JointDimensions {
        JointDimensions {
            position_rows: space.freedom(),
            velocity_rows: 0,
            tree: Some(TreeShape {
                scalars: 0,
                rotation: false,
            }),
        }
    }

    fn coordinates(&self, _: Space) -> &[Coordinate] {
        &[]
    }

    fn rows<T: Real>(&self, space: Space, rel: &Relative<T>, out: &mut JointEquations<T>) {
        out.coincide(space, rel);
        out.perpendicular(rel, &[(1, 0)]);
        if space == Space::Spatial {
            out.perpendicular(rel, &[(2, 0), (2, 1)]);
        }
    }

    fn coordinate<T: Real>(&self, _: Space, _: usize, _: &Relative<T>) -> PoseFunction<T> {
        PoseFunction::constant(0.0)
    }

    fn across<T: Real>(&self, _: Space, _: &[T], _: &[T], _: &mut Across<T>) {}
}
