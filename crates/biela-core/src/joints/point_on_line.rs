use super::{
    Across, Coordinate, JointDimensions, JointEquations, JointKind, PoseFunction, Relative,
    TreeShape,
};
use crate::element::{ArgumentError, Arguments, Info};
use crate::math::Real;
use crate::model::Space;

/// Point on line (pin in slot): the origin of M stays on the x axis of F; M rotates freely.
///
/// Coordinates: `position` along the line and, in a planar model, `angle`; in space the tree view uses Euler parameters.
/// Equations: `p_y = p_z = 0` (planar: `p_y = 0`).
///
/// ```text
/// position                       velocity                       acceleration
/// p_y = p_z = 0                  v_y = v_z = 0                  v̇_y = v̇_z = 0
/// ```
#[derive(Clone, Debug)]
pub struct PointOnLine;

impl JointKind for PointOnLine {
    const INFO: Info = Info {
        name: "point-on-line",
        aliases: &["pin-in-slot"],
        summary: "keeps a point of the second body on a line of the first",
        spaces: &[Space::Planar, Space::Spatial],
        fields: &[],
    };
    const AXIS: usize = 0;

    fn build(_: &Arguments) -> Result<Self, ArgumentError> {
        Ok(PointOnLine)
    }

    fn shape(&self, space: Space) -> JointDimensions {
        let (position_rows, tree) = match space {
            Space::Planar => (
                1,
                TreeShape {
                    scalars: 2,
                    rotation: false,
                },
            ),
            Space::Spatial => (
                2,
                TreeShape {
                    scalars: 1,
                    rotation: true,
                },
            ),
        };
        JointDimensions {
            position_rows,
            velocity_rows: 0,
            tree: Some(tree),
        }
    }

    fn coordinates(&self, space: Space) -> &[Coordinate] {
        match space {
            Space::Planar => {
                const { &[Coordinate::length("position"), Coordinate::angle("angle")] }
            }
            Space::Spatial => const { &[Coordinate::length("position")] },
        }
    }

    fn rows<T: Real>(&self, space: Space, rel: &Relative<T>, out: &mut JointEquations<T>) {
        out.lock_translations(rel, &[1]);
        if space == Space::Spatial {
            out.lock_translations(rel, &[2]);
        }
    }

    fn coordinate<T: Real>(&self, _: Space, k: usize, rel: &Relative<T>) -> PoseFunction<T> {
        match k {
            0 => PoseFunction::translation(rel, 0),
            _ => PoseFunction::turn_about(rel, 2, rel.turns[0]),
        }
    }

    fn across<T: Real>(&self, space: Space, q: &[T], v: &[T], out: &mut Across<T>) {
        out.slide(0, q[0]);
        match space {
            Space::Planar => out.turn(2, q[1], v[1]),
            Space::Spatial => out.rotate(&q[1..]),
        }
    }
}
