use super::{
    Across, Coordinate, JointDimensions, JointEquations, JointKind, PoseFunction, Relative,
};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::math::rotation::{cross, dot, unit, zero3};
use crate::math::{Real, Vec3};
use crate::model::Space;

/// Rolling disc: a thin disc normal to the z axis of M rolls without slip on the x–y plane of F.
///
/// With n = z of F, a = z of M (column 2 of R), `s = n − (n·a) a` and u = s/|s| (upwards in the disc), the contact point is at `c = −r u` from the centre.
///
/// ```text
/// contact      p_z − r √(1 − (n·a)²) = 0
/// derivative   v_z + r (n·a) n·(w × a)/√(1 − (n·a)²) = 0
/// no slip      (v + w × c)_x = 0,  (v + w × c)_y = 0
/// ```
///
/// `axis` is the axis of the disc in the frame of the second endpoint; the plane is the x–y plane of the first endpoint, independent of `axis`. A disc
/// flat on the plane (a = ±n) is a singular configuration. The two velocity equations are nonholonomic.
#[derive(Clone, Debug)]
pub struct RollingDisc {
    radius: f64,
}

fields! { RollingDisc {
    /// radius of the disc
    radius: Positive { unit: "m" },
} }

impl JointKind for RollingDisc {
    const INFO: Info = Info {
        name: "rolling-disc",
        aliases: &["rolling-wheel"],
        summary: "rolls a thin disc on a plane without slip",
        spaces: &[Space::Spatial],
        fields: Self::FIELDS,
    };
    const AXIS: usize = 2;
    const AXIS_OF_BOTH: bool = false;

    fn build(arguments: &Arguments) -> Result<Self, ArgumentError> {
        Ok(RollingDisc {
            radius: arguments.number("radius"),
        })
    }

    fn shape(&self, _: Space) -> JointDimensions {
        JointDimensions {
            position_rows: 1,
            velocity_rows: 2,
            tree: None,
        }
    }

    fn coordinates(&self, _: Space) -> &[Coordinate] {
        const { &[Coordinate::length("x"), Coordinate::length("y")] }
    }

    fn rows<T: Real>(&self, _: Space, rel: &Relative<T>, out: &mut JointEquations<T>) {
        let r = T::constant(self.radius);
        // contact: p_z − r √(R_02² + R_12²)
        let (a, b) = (
            PoseFunction::cosine(rel, 0, 2),
            PoseFunction::cosine(rel, 1, 2),
        );
        let sine = a.times(&a, rel).plus(&b.times(&b, rel)).sqrt(rel);
        out.push(PoseFunction::translation(rel, 2).plus(&sine.scaled(-r)));

        // direction u of the contact radius, and its time derivative
        let n: Vec3<T> = unit(2);
        let axis = Vec3::new(rel.R[(0, 2)], rel.R[(1, 2)], rel.R[(2, 2)]);
        let axis_rate = cross(&rel.w, &axis);
        let (lean, lean_rate) = (dot(&n, &axis), dot(&n, &axis_rate));
        let s = n - axis * lean;
        let s_rate = -(axis_rate * lean) - axis * lean_rate;
        let length = dot(&s, &s).sqrt();
        let u = s * (T::one() / length);
        let u_rate = (s_rate - u * dot(&u, &s_rate)) * (T::one() / length);
        let (c, c_rate) = (u * -r, u_rate * -r);

        for i in 0..2 {
            let e: Vec3<T> = unit(i);
            let slip = rel.v + cross(&rel.w, &c);
            out.push(PoseFunction {
                phi: slip[i],
                v: e,
                // e·(w × c) = (c × e)·w
                w: cross(&c, &e),
                bias: dot(&e, &cross(&rel.w, &c_rate)),
            });
        }
    }

    fn coordinate<T: Real>(&self, _: Space, k: usize, rel: &Relative<T>) -> PoseFunction<T> {
        PoseFunction::translation(rel, k)
    }

    fn across<T: Real>(&self, _: Space, _: &[T], _: &[T], out: &mut Across<T>) {
        out.p = zero3();
    }
}
