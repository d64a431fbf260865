use super::{
    Across, Coordinate, JointDimensions, JointEquations, JointKind, PoseFunction, Relative,
    TreeShape,
};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::math::rotation::zero3;
use crate::math::{Real, Vec3};
use crate::model::Space;

/// Distance joint (massless rod): the distance of the origins is `length`, or with `at_most` (a rope) not greater.
///
/// Equation: `φ = |p| − L = 0`, with `φ̇ = u·v`, `u = p/|p|`, and `φ̈ = u·v̇ + (v·v − (u·v)²)/|p|`. Coordinates: the direction of the rod in F,
/// `azimuth` a about z from x, and in space `elevation` b above the x–y plane, `p = L (cos b cos a, cos b sin a, sin b)`. A rod along ±z is a
/// singular configuration of the tree view only. A rope has no equation while it is slack, g = L − |p| > 0; where it becomes taut the velocity jumps,
/// `ġ⁺ = −e ġ⁻` with the coefficient of `restitution` e, and it only pulls. A rope has no tree view. The orientation of M is free: planar `angle`, spatial Euler parameters. `L` must be positive.
#[derive(Clone, Debug)]
pub struct Distance {
    length: f64,
    /// The coefficient of restitution of a rope; `None` for a rod.
    rope: Option<f64>,
}

impl Distance {
    /// The coefficient of restitution of a rope; `None` for a rod.
    pub(super) fn rope(&self) -> Option<f64> {
        self.rope
    }

    /// |p|.
    fn distance<T: Real>(space: Space, rel: &Relative<T>) -> PoseFunction<T> {
        let axes = if space == Space::Planar { 2 } else { 3 };
        (0..axes)
            .map(|i| PoseFunction::translation(rel, i))
            .fold(PoseFunction::constant(0.0), |sum, p| {
                sum.plus(&p.times(&p, rel))
            })
            .sqrt(rel)
    }

    /// L − |p|.
    pub(super) fn slack<T: Real>(&self, space: Space, rel: &Relative<T>) -> PoseFunction<T> {
        let distance = Self::distance(space, rel).scaled(T::constant(-1.0));
        distance.plus(&PoseFunction::constant(self.length))
    }
}

fields! { Distance {
    /// distance between the two points
    length: Positive { unit: "m" },
    /// whether the length is an upper bound: a rope
    at_most: Flag = "false",
    /// coefficient of restitution where a rope becomes taut, from 0 to 1
    restitution: Number { unit: "1" } = "0",
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
        let at_most = arguments.flag("at_most");
        let restitution = arguments.number("restitution");
        let fault = |message: String| ArgumentError {
            field: "restitution",
            message,
        };
        if !(0.0..=1.0).contains(&restitution) {
            return Err(fault(format!(
                "it is {restitution}; it must be from 0 to 1"
            )));
        }
        if !at_most && restitution != 0.0 {
            return Err(fault(
                "a rod has none; set `at_most = true` for a rope".to_owned(),
            ));
        }
        Ok(Distance {
            length: arguments.number("length"),
            rope: at_most.then_some(restitution),
        })
    }

    fn shape(&self, space: Space) -> JointDimensions {
        let tree = TreeShape {
            scalars: 2,
            rotation: space == Space::Spatial,
        };
        let rod = self.rope.is_none();
        JointDimensions {
            position_rows: usize::from(rod),
            velocity_rows: 0,
            tree: rod.then_some(tree),
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
        if self.rope.is_none() {
            let distance = Self::distance(space, rel);
            out.push(distance.plus(&PoseFunction::constant(-self.length)));
        }
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
