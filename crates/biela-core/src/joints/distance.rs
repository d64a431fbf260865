use super::{
    Across, Coordinate, JointDimensions, JointEquations, JointKind, PoseFunction, Relative,
    TreeShape,
};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::math::rotation::zero3;
use crate::math::{Real, Vec3};
use crate::model::Space;

/// Distance joint (massless rod): the distance of the origins is `length`.
///
/// Equation: `φ = |p| − L = 0`, with `φ̇ = u·v`, `u = p/|p|`, and `φ̈ = u·v̇ + (v·v − (u·v)²)/|p|`. Coordinates: the direction of the rod in F,
/// `azimuth` a about z from x, and in space `elevation` b above the x–y plane, `p = L (cos b cos a, cos b sin a, sin b)`. A rod along ±z is a
/// singular configuration of the tree view only. The orientation of M is free: planar `angle`, spatial Euler parameters. `L` must be positive.
#[derive(Clone, Debug)]
pub struct Distance {
    length: f64,
}

fields! { Distance {
    /// distance between the two points
    length: Positive { unit: "m" },
} }

impl JointKind for Distance {
    const INFO: Info = Info {
        name: "distance",
        aliases: &["rod"],
        summary: "keeps the distance between two points constant",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };
    const AXIS: usize = 2;
    const HAS_AXIS: bool = false;

    fn build(arguments: &Arguments) -> Result<Self, ArgumentError> {
        Ok(Distance {
            length: arguments.number("length"),
        })
    }

    fn shape(&self, space: Space) -> JointDimensions {
        let tree = TreeShape {
            scalars: 2,
            rotation: space == Space::Spatial,
        };
        JointDimensions {
            position_rows: 1,
            velocity_rows: 0,
            tree: Some(tree),
        }
    }

    fn has_poles(&self, space: Space) -> bool {
        space == Space::Spatial
    }

    fn coordinates(&self, space: Space) -> &[Coordinate] {
        match space {
            Space::Planar => {
                const { &[Coordinate::direction("azimuth"), Coordinate::angle("angle")] }
            }
            Space::Spatial => {
                const {
                    &[
                        Coordinate::direction("azimuth"),
                        Coordinate::direction("elevation"),
                    ]
                }
            }
        }
    }

    fn rows<T: Real>(&self, space: Space, rel: &Relative<T>, out: &mut JointEquations<T>) {
        let axes = if space == Space::Planar { 2 } else { 3 };
        let distance = (0..axes)
            .map(|i| PoseFunction::translation(rel, i))
            .fold(PoseFunction::constant(0.0), |sum, p| {
                sum.plus(&p.times(&p, rel))
            })
            .sqrt(rel);
        out.push(distance.plus(&PoseFunction::constant(-self.length)));
    }

    fn coordinate<T: Real>(&self, space: Space, k: usize, rel: &Relative<T>) -> PoseFunction<T> {
        let [x, y, z] = [0, 1, 2].map(|i| PoseFunction::translation(rel, i));
        match (k, space) {
            (0, _) => PoseFunction::angle(&y, &x, rel, rel.turns[0]),
            (_, Space::Planar) => PoseFunction::turn_about(rel, 2, rel.turns[1]),
            (_, Space::Spatial) => {
                let flat = x.times(&x, rel).plus(&y.times(&y, rel)).sqrt(rel);
                PoseFunction::angle(&z, &flat, rel, rel.turns[1])
            }
        }
    }

    fn across<T: Real>(&self, space: Space, q: &[T], v: &[T], out: &mut Across<T>) {
        let l = T::constant(self.length);
        let (sa, ca) = q[0].sin_cos();
        if space == Space::Planar {
            out.p = Vec3::new(ca, sa, T::zero()) * l;
            out.column(Vec3::new(-sa, ca, T::zero()) * l, zero3());
            out.turn(2, q[1], v[1]);
            out.bias_v = out.p * (-v[0] * v[0]);
            return;
        }
        let (sb, cb) = q[1].sin_cos();
        out.p = Vec3::new(cb * ca, cb * sa, sb) * l;
        out.column(Vec3::new(-cb * sa, cb * ca, T::zero()) * l, zero3());
        out.column(Vec3::new(-sb * ca, -sb * sa, cb) * l, zero3());
        // second time derivative of p at zero coordinate accelerations: −(p_x, p_y, 0) ȧ² − p ḃ² + 2 ∂²p/∂a∂b ȧḃ
        let mixed = Vec3::new(sb * sa, -sb * ca, T::zero()) * (l * T::constant(2.0) * v[0] * v[1]);
        let level = Vec3::new(out.p[0], out.p[1], T::zero()) * (-v[0] * v[0]);
        out.bias_v = mixed + level + out.p * (-v[1] * v[1]);
        out.rotate(&q[2..]);
    }
}
