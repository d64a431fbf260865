//! A line or a half-space with the normal m against a smooth surface: the candidate is the lowest point of the surface. Rims also from within a sphere.

use crate::contact::nearest::{Equations, direction, implicit, numbers, pose_numbers};
use crate::contact::{
    Arc, ContactPoint, Curve, Cylinder, Disc, Ellipsoid, HalfSpace, Line, Surface, SurfaceKind,
};
use crate::math::rotation::{apply_transposed, constant3, dot, unit};
use crate::math::{Pose, Real, Vec3};
use std::f64::consts::FRAC_PI_2;

/// Number of candidates of one rim: the lowest point and the fixed points.
pub(in crate::contact) const RIM: usize = 5;

/// Radius of the fixed points of a rim, relative to that of the rim.
const FIXED_RADIUS: f64 = 0.999;

/// Tilt of a rim (its sine; from within a sphere, the offset from the axis) below which the direction of its deepest point is not defined.
const LEAST_TILT: f64 = 1e-9;

/// Candidate `k` of a circle of radius r at the height z on the z axis of M, with a rounding ρ, against a half-space or from within a sphere:
///
/// ```text
/// deepest point  x = z e_z + r s/|s|
/// s: the part perpendicular to e_z, in the axes of M, of −m (half-space) or of the centre of the circle in F (sphere)
/// ```
fn rim<T: Real>(
    first: &Surface,
    k: usize,
    [radius, z, rounding]: [f64; 3],
    pose: &Pose<T>,
) -> ContactPoint<T> {
    let mut x = if k == 0 {
        let outward = match first {
            Surface::HalfSpace(_) => -unit::<T>(2),
            _ => pose.point(&constant3(&Vec3::new(0.0, 0.0, z))),
        };
        let outward = apply_transposed(&pose.R, &outward);
        let tilt = Vec3::new(outward[0], outward[1], T::zero());
        let (_, deepest) = direction(&tilt, &-Vec3::x(), LEAST_TILT);
        deepest * T::constant(radius)
    } else {
        let (s, c) = (FRAC_PI_2 * (k - 1) as f64).sin_cos();
        constant3(&(Vec3::new(c, s, 0.0) * (FIXED_RADIUS * radius)))
    };
    x[2] = T::constant(z);
    let centre = pose.point(&x);
    first.nearest(&centre).ball(&centre, rounding)
}

/// A half-space or the inside of a sphere, and a disc.
pub(in crate::contact) fn disc<T: Real>(
    first: &Surface,
    disc: &Disc,
    k: usize,
    pose: &Pose<T>,
) -> ContactPoint<T> {
    rim(first, k, [disc.radius(), 0.0, disc.rounding()], pose)
}

/// A half-space or the inside of a sphere, and a cylinder: the candidates of both rims.
pub(in crate::contact) fn cylinder<T: Real>(
    first: &Surface,
    cylinder: &Cylinder,
    k: usize,
    pose: &Pose<T>,
) -> ContactPoint<T> {
    let shape = [cylinder.radius(), cylinder.rim(k / RIM), 0.0];
    rim(first, k % RIM, shape, pose)
}

/// A half-space and an ellipsoid: the support point x(−m).
pub(in crate::contact) fn ellipsoid<T: Real>(
    ellipsoid: &Ellipsoid,
    pose: &Pose<T>,
) -> ContactPoint<T> {
    let down = -apply_transposed(&pose.R, &unit(2));
    let x = pose.point(&ellipsoid.support(&down));
    HalfSpace.nearest(&x).ball(&x, 0.0)
}

/// A line and an arc: its two ends, and for an arc with contact from outside its lowest point. Where the lowest point is an end, two candidates coincide.
pub(in crate::contact) fn arc<T: Real>(arc: &Arc, k: usize, pose: &Pose<T>) -> ContactPoint<T> {
    let down = -apply_transposed(&pose.R, &unit(1));
    let end = if k < 2 {
        Some(arc.end(k))
    } else {
        arc.end_beyond(&numbers(&down))
    };
    let (centre, radius) = match end {
        Some(end) => (pose.point(&constant3(&end)), 0.0),
        None => (pose.p, arc.radius()),
    };
    Line.nearest(&centre).ball(&centre, radius)
}

/// m · t(u) = 0: the tangent of the curve is parallel to the line.
struct Lowest<'a>(&'a Curve);

impl Equations<1> for Lowest<'_> {
    fn residual<T: Real>(&self, [u]: &[T; 1], pose: &Pose<T>) -> [T; 1] {
        let (_, t) = self.0.at(*u);
        [dot(&apply_transposed(&pose.R, &unit(1)), &t)]
    }
}

/// A line and a curve, such as a flat follower and a cam: the lowest point.
pub(in crate::contact) fn curve<T: Real>(curve: &Curve, pose: &Pose<T>) -> ContactPoint<T> {
    let fixed = pose_numbers(pose);
    let up = apply_transposed(&fixed.R, &unit(1));
    let start = curve.minimise(&fixed, &Lowest(curve), |x| up.dot(x));
    let [u] = implicit(&Lowest(curve), [start], pose);
    let x = pose.point(&curve.at(u).0);
    Line.nearest(&x).ball(&x, 0.0)
}
