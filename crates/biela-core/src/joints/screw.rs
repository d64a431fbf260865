use super::{
    Across, Coordinate, JointDimensions, JointEquations, JointKind, PoseFunction, Relative,
    TreeShape,
};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::math::rotation::unit;
use crate::math::{Real, rotation::zero3};
use crate::model::Space;

/// Screw joint: M rotates about the z axis of F and advances `pitch` metres per turn.
///
/// Coordinate: `angle` θ, counted over turns, `p = (0, 0, hθ)` with `h = pitch/2π`. Equations: `p_x = p_y = 0`, `R_20 = R_21 = 0` and
/// `p_z − hθ = 0`, the last with the derivative `v_z − h w_z`. A positive pitch is a right-hand thread; with zero pitch it is a revolute joint.
///
/// ```text
/// position                       velocity                       acceleration
/// p_x = p_y = 0                  v_x = v_y = 0                  v̇_x = v̇_y = 0
/// R_20 = R_21 = 0                (m_j × e_z)·w = 0              (m_j × e_z)·ẇ + e_z·(w × (w × m_j)) = 0,  j = 0, 1
/// p_z − hθ = 0                   v_z − h θ̇ = 0                  v̇_z − h θ̈ = 0,  θ̇ = w_z where the axes are parallel
/// tree view: Rz(θ), p = hθ e_z   w = e_z θ̇, v = h e_z θ̇         ẇ = e_z θ̈, v̇ = h e_z θ̈
/// ```
#[derive(Clone, Debug)]
pub struct Screw {
    /// Advance per turn.
    pitch: f64,
}

impl Screw {
    /// Advance per radian.
    fn lead<T: Real>(&self) -> T {
        T::constant(self.pitch) / T::constant(std::f64::consts::TAU)
    }
}

fields! { Screw {
    /// advance per full turn, positive for a right-hand thread
    pitch: Number { unit: "m" },
} }

impl JointKind for Screw {
    const INFO: Info = Info {
        name: "screw",
        aliases: &["helical"],
        summary: "rotates about an axis and advances in proportion to the angle",
        spaces: &[Space::Spatial],
        fields: Self::FIELDS,
    };
    const AXIS: usize = 2;

    fn build(arguments: &Arguments) -> Result<Self, ArgumentError> {
        Ok(Screw {
            pitch: arguments.number("pitch"),
        })
    }

    fn shape(&self, _: Space) -> JointDimensions {
        JointDimensions {
            position_rows: 5,
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
        out.lock_translations(rel, &[0, 1]);
        out.perpendicular(rel, &[(2, 0), (2, 1)]);
        let advance = self.coordinate(space, 0, rel).scaled(-self.lead::<T>());
        out.push(PoseFunction::translation(rel, 2).plus(&advance));
    }

    fn coordinate<T: Real>(&self, _: Space, _: usize, rel: &Relative<T>) -> PoseFunction<T> {
        PoseFunction::turn_about(rel, 2, rel.turns[0])
    }

    fn across<T: Real>(&self, _: Space, q: &[T], v: &[T], out: &mut Across<T>) {
        let lead = self.lead();
        out.turn(2, q[0], v[0]);
        out.p = unit::<T>(2) * (lead * q[0]);
        out.Hv[0] = zero3::<T>() + unit::<T>(2) * lead;
    }
}
