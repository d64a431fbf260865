use super::{
    Across, Coordinate, JointDimensions, JointEquations, JointKind, PoseFunction, Relative,
    TreeShape,
};
use crate::element::{ArgumentError, Arguments, Info};
use crate::math::Real;
use crate::model::Space;

/// Cylindrical joint: M slides along the z axis of F and rotates about it.
///
/// Coordinates: `position` s and `angle` θ, `p = (0, 0, s)`, `R = Rz(θ)`. Equations: `p_x = p_y = 0`, `R_20 = R_21 = 0`.
///
/// ```text
/// position                       velocity                       acceleration
/// p_x = p_y = 0                  v_x = v_y = 0                  v̇_x = v̇_y = 0
/// R_20 = R_21 = 0                (m_j × e_z)·w = 0              (m_j × e_z)·ẇ + e_z·(w × (w × m_j)) = 0,  j = 0, 1
/// tree view: Rz(θ), p = s e_z    w = e_z θ̇, v = e_z ṡ           ẇ = e_z θ̈, v̇ = e_z s̈
/// ```
#[derive(Clone, Debug)]
pub struct Cylindrical;

impl JointKind for Cylindrical {
    const INFO: Info = Info {
        name: "cylindrical",
        aliases: &[],
        summary: "slides along an axis and rotates about it",
        spaces: &[Space::Spatial],
        fields: &[],
    };
    const AXIS: usize = 2;

    fn build(_: &Arguments) -> Result<Self, ArgumentError> {
        Ok(Cylindrical)
    }

    fn shape(&self, _: Space) -> JointDimensions {
        JointDimensions {
            position_rows: 4,
            velocity_rows: 0,
            tree: Some(TreeShape {
                scalars: 2,
                rotation: false,
            }),
        }
    }

    fn coordinates(&self, _: Space) -> &[Coordinate] {
        const { &[Coordinate::length("position"), Coordinate::angle("angle")] }
    }

    fn rows<T: Real>(&self, _: Space, rel: &Relative<T>, out: &mut JointEquations<T>) {
        out.lock_translations(rel, &[0, 1]);
        out.perpendicular(rel, &[(2, 0), (2, 1)]);
    }

    fn coordinate<T: Real>(&self, _: Space, k: usize, rel: &Relative<T>) -> PoseFunction<T> {
        match k {
            0 => PoseFunction::translation(rel, 2),
            _ => PoseFunction::turn_about(rel, 2, rel.turns[0]),
        }
    }

    fn across<T: Real>(&self, _: Space, q: &[T], v: &[T], out: &mut Across<T>) {
        out.slide(2, q[0]);
        out.turn(2, q[1], v[1]);
    }
}
