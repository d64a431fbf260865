use super::{
    Across, Coordinate, JointDimensions, JointEquations, JointKind, PoseFunction, Relative,
    TreeShape,
};
use crate::element::{ArgumentError, Arguments, Info};
use crate::math::rotation::{cross, matrix, zero3};
use crate::math::{Real, Vec3};
use crate::model::Space;

/// Constant-velocity joint: two shafts along z meet at a point with variable bend angle and have the same spin velocity.
///
/// The axis of the relative rotation lies in the x–y plane: Euler parameters (e0, e1, e2, 0). Coordinates: `bend_x = 2 e1` and
/// `bend_y = 2 e2`, which approximate the bend angles in radians while these are small. They are valid below a bend of 180°. Equations: `p = 0` and
/// `R_01 − R_10 = 0`: the relative angular velocity has no component along the bisector of the shafts.
///
/// ```text
/// position                       velocity                       acceleration
/// p = 0                          v = 0                          v̇ = 0
/// R_01 − R_10 = 0                n·w = 0                        n·ẇ + e_x·(w × (w × m_1)) − e_y·(w × (w × m_0)) = 0,  n = m_1 × e_x − m_0 × e_y
/// ```
#[derive(Clone, Debug)]
pub struct ConstantVelocity;

impl JointKind for ConstantVelocity {
    const INFO: Info = Info {
        name: "constant-velocity",
        aliases: &["cv"],
        summary: "connects two shafts at a bend so that both spin at the same speed",
        spaces: &[Space::Spatial],
        fields: &[],
    };
    const AXIS: usize = 2;

    fn build(_: &Arguments) -> Result<Self, ArgumentError> {
        Ok(ConstantVelocity)
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
        // twice the sines of half angles, so they do not count turns; in radians for small bends
        const { &[Coordinate::angle("bend_x"), Coordinate::angle("bend_y")] }
    }

    fn rows<T: Real>(&self, space: Space, rel: &Relative<T>, out: &mut JointEquations<T>) {
        out.coincide(space, rel);
        let minus = PoseFunction::cosine(rel, 1, 0).scaled(T::constant(-1.0));
        out.push(PoseFunction::cosine(rel, 0, 1).plus(&minus));
    }

    fn coordinate<T: Real>(&self, _: Space, k: usize, rel: &Relative<T>) -> PoseFunction<T> {
        // R_21 − R_12 = 4 e0 e1, R_02 − R_20 = 4 e0 e2, 1 + tr R = 4 e0²
        let (a, b) = if k == 0 {
            ((2, 1), (1, 2))
        } else {
            ((0, 2), (2, 0))
        };
        let minus = PoseFunction::cosine(rel, b.0, b.1).scaled(T::constant(-1.0));
        let skew = PoseFunction::cosine(rel, a.0, a.1).plus(&minus);
        let four_e0_squared = (0..3)
            .map(|i| PoseFunction::cosine(rel, i, i))
            .fold(PoseFunction::constant(1.0), |sum, diagonal| {
                sum.plus(&diagonal)
            });
        // 4 e0 e1 / √(4 e0²) = 2 e1
        skew.times(&four_e0_squared.sqrt(rel).inverse(rel), rel)
    }

    fn across<T: Real>(&self, _: Space, q: &[T], v: &[T], out: &mut Across<T>) {
        let half = T::constant(0.5);
        let e = Vec3::new(q[0] * half, q[1] * half, T::zero());
        let rate = Vec3::new(v[0] * half, v[1] * half, T::zero());
        let e0 = (T::one() - e[0] * e[0] - e[1] * e[1]).sqrt();
        out.R = matrix(&[e0, e[0], e[1], T::zero()]);
        // w = 2 (e0 ė − ė0 e + e × ė) with e0 ė0 = −e·ė
        for k in 0..2 {
            let mut d = zero3();
            d[k] = half;
            let d0 = -e[k] * half / e0;
            out.column(
                zero3(),
                (d * e0 - e * d0 + cross(&e, &d)) * T::constant(2.0),
            );
        }
        // ẇ at q̈ = 0 is −2 ë0 e with e0 ë0 = −ė0² − ė·ė
        let rate0 = -(e[0] * rate[0] + e[1] * rate[1]) / e0;
        let second0 = -(rate0 * rate0 + rate[0] * rate[0] + rate[1] * rate[1]) / e0;
        out.bias_w = e * (-T::constant(2.0) * second0);
    }
}
