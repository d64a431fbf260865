use super::{
    Across, Coordinate, JointDimensions, JointEquations, JointKind, PoseFunction, Relative,
    TreeShape,
};
use crate::element::{ArgumentError, Arguments, Field, FieldKind, Info};
use crate::math::Real;
use crate::model::Space;

/// Universal joint (Cardan, Hooke): a cross rotates about the x axis of F, and M about the y axis of the cross.
///
/// Coordinates: `angle1` about `axis` (fixed in the first body), then `angle2` about `axis2` (fixed in the second),
/// `R = Rx(θ1) Ry(θ2)`. Equations: `p = 0` and `R_01 = 0`: the two axes stay perpendicular.
///
/// ```text
/// position                       velocity                       acceleration
/// p = 0                          v = 0                          v̇ = 0
/// R_01 = 0                       (m_1 × e_x)·w = 0              (m_1 × e_x)·ẇ + e_x·(w × (w × m_1)) = 0
/// tree view: Rx(θ1) Ry(θ2)       w = e_x θ̇1 + a θ̇2              ẇ = e_x θ̈1 + a θ̈2 + θ̇1 θ̇2 e_x × a,  a = Rx(θ1) e_y
/// ```
#[derive(Clone, Debug)]
pub struct Universal;

impl JointKind for Universal {
    const INFO: Info = Info {
        name: "universal",
        aliases: &["cardan", "hooke"],
        summary: "rotates about two perpendicular axes, one fixed in each body",
        spaces: &[Space::Spatial],
        fields: &[Field::optional(
            "axis2",
            FieldKind::Direction,
            "",
            "second axis, fixed in the second body and perpendicular to `axis`",
        )],
    };
    const AXIS: usize = 0;

    fn build(_: &Arguments) -> Result<Self, ArgumentError> {
        Ok(Universal)
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
        const { &[Coordinate::angle("angle1"), Coordinate::angle("angle2")] }
    }

    fn rows<T: Real>(&self, space: Space, rel: &Relative<T>, out: &mut JointEquations<T>) {
        out.coincide(space, rel);
        out.perpendicular(rel, &[(0, 1)]);
    }

    fn coordinate<T: Real>(&self, _: Space, k: usize, rel: &Relative<T>) -> PoseFunction<T> {
        // R = Rx Ry: column y is (0, c1, s1), row x is (c2, 0, s2)
        let (y, x) = match k {
            0 => (
                PoseFunction::cosine(rel, 2, 1),
                PoseFunction::cosine(rel, 1, 1),
            ),
            _ => (
                PoseFunction::cosine(rel, 0, 2),
                PoseFunction::cosine(rel, 0, 0),
            ),
        };
        PoseFunction::angle(&y, &x, rel, rel.turns[k])
    }

    fn across<T: Real>(&self, _: Space, q: &[T], v: &[T], out: &mut Across<T>) {
        out.turn(0, q[0], v[0]);
        out.turn(1, q[1], v[1]);
    }
}
