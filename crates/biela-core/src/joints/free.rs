use super::{
    Across, Coordinate, JointDimensions, JointEquations, JointKind, PoseFunction, Relative,
    TreeShape, dextral_angle,
};
use crate::element::{ArgumentError, Arguments, Info};
use crate::math::Real;
use crate::model::Space;

/// Free joint: no constraint; it measures all relative coordinates.
///
/// Spatial: `x`, `y`, `z` and the dextral angles `alpha`, `beta`, `gamma` (the tree view uses Euler parameters for the
/// rotation). Planar: `x`, `y`, `angle`.
#[derive(Clone, Debug)]
pub struct Free;

impl JointKind for Free {
    const INFO: Info = Info {
        name: "free",
        aliases: &[],
        summary: "measures the relative motion without constraining it",
        spaces: &[Space::Planar, Space::Spatial],
        fields: &[],
    };
    const AXIS: usize = 2;
    const HAS_AXIS: bool = false;

    fn build(_: &Arguments) -> Result<Self, ArgumentError> {
        Ok(Free)
    }

    fn shape(&self, space: Space) -> JointDimensions {
        let rotation = space == Space::Spatial;
        JointDimensions {
            position_rows: 0,
            velocity_rows: 0,
            tree: Some(TreeShape {
                scalars: 3,
                rotation,
            }),
        }
    }

    fn coordinates(&self, space: Space) -> &[Coordinate] {
        match space {
            Space::Planar => {
                const {
                    &[
                        Coordinate::length("x"),
                        Coordinate::length("y"),
                        Coordinate::angle("angle"),
                    ]
                }
            }
            Space::Spatial => {
                const {
                    &[
                        Coordinate::length("x"),
                        Coordinate::length("y"),
                        Coordinate::length("z"),
                        Coordinate::angle("alpha"),
                        Coordinate::angle("beta"),
                        Coordinate::angle("gamma"),
                    ]
                }
            }
        }
    }

    fn rows<T: Real>(&self, _: Space, _: &Relative<T>, _: &mut JointEquations<T>) {}

    fn coordinate<T: Real>(&self, space: Space, k: usize, rel: &Relative<T>) -> PoseFunction<T> {
        match (space, k) {
            (Space::Planar, 2) => PoseFunction::turn_about(rel, 2, rel.turns[0]),
            (_, 0..=2) => PoseFunction::translation(rel, k),
            _ => dextral_angle(rel, k - 3),
        }
    }

    fn across<T: Real>(&self, space: Space, q: &[T], v: &[T], out: &mut Across<T>) {
        out.slide(0, q[0]);
        out.slide(1, q[1]);
        match space {
            Space::Planar => out.turn(2, q[2], v[2]),
            Space::Spatial => {
                out.slide(2, q[2]);
                out.rotate(&q[3..]);
            }
        }
    }
}
