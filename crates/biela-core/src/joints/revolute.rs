use super::{
    Across, Coordinate, JointDimensions, JointEquations, JointKind, PoseFunction, Relative,
    TreeShape,
};
use crate::element::{ArgumentError, Arguments, Info};
use crate::math::Real;
use crate::model::Space;

/// Revolute joint (hinge): M rotates about the z axis of F.
///
/// Coordinate: `angle` θ, `X_FM = Rz(θ)`, positive by the right-hand rule about `axis`. Equations: `p = 0`, and the z axis of F
/// stays perpendicular to the x and y axes of M, `R_20 = R_21 = 0` (planar: `p_x = p_y = 0`).
///
/// ```text
/// position                       velocity                       acceleration
/// p = 0                          v = 0                          v̇ = 0
/// R_20 = R_21 = 0                (m_j × e_z)·w = 0              (m_j × e_z)·ẇ + e_z·(w × (w × m_j)) = 0,  j = 0, 1
/// tree view: R = Rz(θ), p = 0    w = e_z θ̇                      ẇ = e_z θ̈
/// ```
#[derive(Clone, Debug)]
pub struct Revolute;

impl JointKind for Revolute {
    const INFO: Info = Info {
        name: "revolute",
        aliases: &["hinge", "pin"],
        summary: "rotates about one axis",
        spaces: &[Space::Planar, Space::Spatial],
        fields: &[],
    };
    const AXIS: usize = 2;

    fn build(_: &Arguments) -> Result<Self, ArgumentError> {
        Ok(Revolute)
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
        const { &[Coordinate::angle("angle")] }
    }

    fn rows<T: Real>(&self, space: Space, rel: &Relative<T>, out: &mut JointEquations<T>) {
        out.coincide(space, rel);
        if space == Space::Spatial {
            out.perpendicular(rel, &[(2, 0), (2, 1)]);
        }
    }

    fn coordinate<T: Real>(&self, _: Space, _: usize, rel: &Relative<T>) -> PoseFunction<T> {
        PoseFunction::turn_about(rel, 2, rel.turns[0])
    }

    fn direction<T: Real>(&self, _: Space, _: usize, rel: &Relative<T>) -> PoseFunction<T> {
        PoseFunction::direction_of_turn(rel, 2)
    }

    fn across<T: Real>(&self, _: Space, q: &[T], v: &[T], out: &mut Across<T>) {
        out.turn(2, q[0], v[0]);
    }
}
