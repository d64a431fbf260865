use super::{
    Across, Coordinate, JointDimensions, JointEquations, JointKind, PoseFunction, Relative,
    TreeShape, dextral_angle,
};
use crate::element::{ArgumentError, Arguments, Info};
use crate::math::Real;
use crate::model::Space;

/// Spherical joint (ball): the origins coincide, M rotates freely.
///
/// Equations: `p = 0`. The tree view uses Euler parameters and the angular velocity in F's axes. Measured, for results:
/// the dextral angles `alpha`, `beta`, `gamma` with `R = Rx(α) Ry(β) Rz(γ)`, singular at β = ±90°.
///
/// ```text
/// position                       velocity                       acceleration
/// p = 0                          v = 0                          v̇ = 0
/// tree view: R(e), p = 0         w free                         ẇ free
/// ```
#[derive(Clone, Debug)]
pub struct Spherical;

impl JointKind for Spherical {
    const INFO: Info = Info {
        name: "spherical",
        aliases: &["ball"],
        summary: "rotates freely about one point",
        spaces: &[Space::Spatial],
        fields: &[],
    };
    const AXIS: usize = 2;
    const HAS_AXIS: bool = false;

    fn build(_: &Arguments) -> Result<Self, ArgumentError> {
        Ok(Spherical)
    }

    fn shape(&self, _: Space) -> JointDimensions {
        JointDimensions {
            position_rows: 3,
            velocity_rows: 0,
            tree: Some(TreeShape {
                scalars: 0,
                rotation: true,
            }),
        }
    }

    fn coordinates(&self, _: Space) -> &[Coordinate] {
        const {
            &[
                Coordinate::angle("alpha"),
                Coordinate::angle("beta"),
                Coordinate::angle("gamma"),
            ]
        }
    }

    fn rows<T: Real>(&self, space: Space, rel: &Relative<T>, out: &mut JointEquations<T>) {
        out.coincide(space, rel);
    }

    fn coordinate<T: Real>(&self, _: Space, k: usize, rel: &Relative<T>) -> PoseFunction<T> {
        dextral_angle(rel, k)
    }

    fn across<T: Real>(&self, _: Space, q: &[T], _: &[T], out: &mut Across<T>) {
        out.rotate(q);
    }
}
