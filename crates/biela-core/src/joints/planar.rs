use super::{
    Across, Coordinate, JointDimensions, JointEquations, JointKind, PoseFunction, Relative,
    TreeShape,
};
use crate::element::{ArgumentError, Arguments, Info};
use crate::math::Real;
use crate::model::Space;

/// Planar joint: M translates in the x–y plane of F and rotates about its normal z.
///
/// Coordinates: `x`, `y`, `angle`. Equations: `p_z = 0`, `R_20 = R_21 = 0`.
///
/// ```text
/// position                       velocity                       acceleration
/// p_z = 0                        v_z = 0                        v̇_z = 0
/// R_20 = R_21 = 0                (m_j × e_z)·w = 0              (m_j × e_z)·ẇ + e_z·(w × (w × m_j)) = 0,  j = 0, 1
/// tree view: Rz(θ), p = (x, y, 0)  w = e_z θ̇, v = (ẋ, ẏ, 0)     ẇ = e_z θ̈, v̇ = (ẍ, ÿ, 0)
/// ```
#[derive(Clone, Debug)]
pub struct Planar;

impl JointKind for Planar {
    const INFO: Info = Info {
        name: "planar",
        aliases: &[],
        summary: "translates in a plane and rotates about its normal",
        spaces: &[Space::Spatial],
        fields: &[],
    };
    const AXIS: usize = 2;

    fn build(_: &Arguments) -> Result<Self, ArgumentError> {
        Ok(Planar)
    }

    fn shape(&self, _: Space) -> JointDimensions {
        JointDimensions {
            position_rows: 3,
            velocity_rows: 0,
            tree: Some(TreeShape {
                scalars: 3,
                rotation: false,
            }),
        }
    }

    fn coordinates(&self, _: Space) -> &[Coordinate] {
        const {
            &[
                Coordinate::length("x"),
                Coordinate::length("y"),
                Coordinate::angle("angle"),
            ]
        }
    }

    fn rows<T: Real>(&self, _: Space, rel: &Relative<T>, out: &mut JointEquations<T>) {
        out.lock_translations(rel, &[2]);
        out.perpendicular(rel, &[(2, 0), (2, 1)]);
    }

    fn coordinate<T: Real>(&self, _: Space, k: usize, rel: &Relative<T>) -> PoseFunction<T> {
        match k {
            0 | 1 => PoseFunction::translation(rel, k),
            _ => PoseFunction::turn_about(rel, 2, rel.turns[0]),
        }
    }

    fn across<T: Real>(&self, _: Space, q: &[T], v: &[T], out: &mut Across<T>) {
        out.slide(0, q[0]);
        out.slide(1, q[1]);
        out.turn(2, q[2], v[2]);
    }
}
