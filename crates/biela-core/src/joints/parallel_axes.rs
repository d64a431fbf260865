use super::{
    Across, Coordinate, JointDimensions, JointEquations, JointKind, PoseFunction, Relative,
    TreeShape,
};
use crate::element::{ArgumentError, Arguments, Info};
use crate::math::Real;
use crate::model::Space;

/// Parallel axes: the z axes of F and M stay parallel. M translates freely and rotates about z.
///
/// Coordinates: `x`, `y`, `z`, `angle`. Equations: `R_20 = R_21 = 0`.
///
/// ```text
/// position                       velocity                       acceleration
/// R_20 = R_21 = 0                (m_j × e_z)·w = 0              (m_j × e_z)·ẇ + e_z·(w × (w × m_j)) = 0,  j = 0, 1
/// ```
#[derive(Clone, Debug)]
pub struct ParallelAxes;

impl JointKind for ParallelAxes {
    const INFO: Info = Info {
        name: "parallel-axes",
        aliases: &[],
        summary: "keeps an axis of each body parallel",
        spaces: &[Space::Spatial],
        fields: &[],
    };
    const AXIS: usize = 2;

    fn build(_: &Arguments) -> Result<Self, ArgumentError> {
        Ok(ParallelAxes)
    }

    fn shape(&self, _: Space) -> JointDimensions {
        JointDimensions {
            position_rows: 2,
            velocity_rows: 0,
            tree: Some(TreeShape {
                scalars: 4,
                rotation: false,
            }),
        }
    }

    fn coordinates(&self, _: Space) -> &[Coordinate] {
        const {
            &[
                Coordinate::length("x"),
                Coordinate::length("y"),
                Coordinate::length("z"),
                Coordinate::angle("angle"),
            ]
        }
    }

    fn rows<T: Real>(&self, _: Space, rel: &Relative<T>, out: &mut JointEquations<T>) {
        out.perpendicular(rel, &[(2, 0), (2, 1)]);
    }

    fn coordinate<T: Real>(&self, _: Space, k: usize, rel: &Relative<T>) -> PoseFunction<T> {
        match k {
            0..=2 => PoseFunction::translation(rel, k),
            _ => PoseFunction::turn_about(rel, 2, rel.turns[0]),
        }
    }

    fn across<T: Real>(&self, _: Space, q: &[T], v: &[T], out: &mut Across<T>) {
        for (i, &x) in q.iter().take(3).enumerate() {
            out.slide(i, x);
        }
        out.turn(2, q[3], v[3]);
    }
}
