use super::{
    Across, Coordinate, JointDimensions, JointEquations, JointKind, PoseFunction, Relative,
    TreeShape,
};
use crate::element::{ArgumentError, Arguments, Info};
use crate::math::Real;
use crate::model::Space;

/// Prismatic joint (slider): M translates along the x axis of F without rotation.
///
/// Coordinate: `position` s, `p = (s, 0, 0)`, positive along `axis`. Equations: `p_y = p_z = 0` and
/// `R_10 = R_20 = R_21 = 0` (planar: `p_y = 0`, `R_10 = 0`).
///
/// ```text
/// position                       velocity                       acceleration
/// p_y = p_z = 0                  v_y = v_z = 0                  v̇_y = v̇_z = 0
/// R_10 = R_20 = R_21 = 0         (m_j × e_i)·w = 0              (m_j × e_i)·ẇ + e_i·(w × (w × m_j)) = 0
/// tree view: R = 1, p = s e_x    v = e_x ṡ                      v̇ = e_x s̈
/// ```
#[derive(Clone, Debug)]
pub struct Prismatic;

impl JointKind for Prismatic {
    const INFO: Info = Info {
        name: "prismatic",
        aliases: &["slider", "translational"],
        summary: "slides along one axis without rotation",
        spaces: &[Space::Planar, Space::Spatial],
        fields: &[],
    };
    const AXIS: usize = 0;

    fn build(_: &Arguments) -> Result<Self, ArgumentError> {
        Ok(Prismatic)
    }

    fn shape(&self, space: Space) -> JointDimensions {
        JointDimensions {
            position_rows: space.freedom() - 1,
            velocity_rows: 0,
            tree: Some(TreeShape {
                scalars: 1,
                rotation: false,
            }),
        }
    }

    fn coordinates(&self, _: Space) -> &[Coordinate] {
        const { &[Coordinate::length("position")] }
    }

    fn rows<T: Real>(&self, space: Space, rel: &Relative<T>, out: &mut JointEquations<T>) {
        out.lock_translations(rel, &[1]);
        out.perpendicular(rel, &[(1, 0)]);
        if space == Space::Spatial {
            out.lock_translations(rel, &[2]);
            out.perpendicular(rel, &[(2, 0), (2, 1)]);
        }
    }

    fn coordinate<T: Real>(&self, _: Space, _: usize, rel: &Relative<T>) -> PoseFunction<T> {
        PoseFunction::translation(rel, 0)
    }

    fn across<T: Real>(&self, _: Space, q: &[T], _: &[T], out: &mut Across<T>) {
        out.slide(0, q[0]);
    }
}
