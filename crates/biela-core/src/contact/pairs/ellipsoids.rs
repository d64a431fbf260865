//! Two ellipsoids, or an ellipsoid and a point.
//!
//! With the support functions h₁ and h₂ and the centre distance p, the gap is
//!
//! ```text
//! g = max over unit n of f(n),   f(n) = n · p − h₁(n) − h₂(n)
//! w(n) = ∇f = p − x₁(n) − x₂(n) = g n at the maximum      x: support points relative to the centres
//! ```
//!
//! which is the distance of disjoint bodies (f is then concave) and minus the depth of penetrating ones.

use crate::contact::nearest::{Equations, Nearest, implicit, inverse, pose_numbers};
use crate::contact::{ContactPoint, Ellipsoid};
use crate::math::rotation::{apply, apply_transposed, constant3, dot};
use crate::math::{Mat3, Pose, Real, Vec3};

/// An ellipsoid and another one, or a point.
struct Bodies<'a> {
    first: &'a Ellipsoid,
    second: Option<&'a Ellipsoid>,
}

impl Bodies<'_> {
    /// The support point of the second body in the direction −n, relative to its centre, is −x₂(n). Returns x₂(n).
    fn second_support<T: Real>(&self, n: &Vec3<T>, pose: &Pose<T>) -> Vec3<T> {
        match self.second {
            Some(body) => apply(&pose.R, &body.support(&apply_transposed(&pose.R, n))),
            None => Vec3::new(T::zero(), T::zero(), T::zero()),
        }
    }

    /// w(n) = p − x₁(n) − x₂(n).
    fn gradient<T: Real>(&self, n: &Vec3<T>, pose: &Pose<T>) -> Vec3<T> {
        pose.p - self.first.support(n) - self.second_support(n, pose)
    }

    /// Second derivative of h₁ + h₂: A/h − (A n)(A n)ᵀ/h³ with A = diag(aᵢ²) in the axes of the ellipsoid.
    fn bending(&self, n: &Vec3<f64>, pose: &Pose<f64>) -> Mat3<f64> {
        let one = |body: &Ellipsoid, n: &Vec3<f64>| {
            let x = body.support(n);
            let h = n.dot(&x);
            (Mat3::from_diagonal(&body.axes().map(|a| a * a)) - x * x.transpose()) / h
        };
        let first = one(self.first, n);
        let second = self
            .second
            .map(|body| pose.R * one(body, &apply_transposed(&pose.R, n)) * pose.R.transpose());
        first + second.unwrap_or_else(Mat3::zeros)
    }

    /// The best of several directions: that of the centres, its normal on the first ellipsoid, and the axes of both.
    fn start(&self, pose: &Pose<f64>) -> Vec3<f64> {
        let p = pose.p;
        let scaled = Vec3::from_fn(|i, _| p[i] / (self.first.axes()[i] * self.first.axes()[i]));
        let general = [p, scaled]
            .into_iter()
            .filter_map(|v| v.try_normalize(1e-150));
        let axes = (0..6).map(|k| {
            let axis: Vec3<f64> = if k < 3 {
                Mat3::identity().column(k).into()
            } else {
                pose.R.column(k - 3).into()
            };
            if axis.dot(&p) < 0.0 { -axis } else { axis }
        });
        let value = |n: &Vec3<f64>| n.dot(&self.gradient(n, pose));
        let mut best = (f64::NEG_INFINITY, Vec3::x());
        for n in general.chain(axes) {
            if value(&n) > best.0 {
                best = (value(&n), n);
            }
        }
        best.1
    }

    /// Maximises f by Newton's method on the sphere: the Hessian in the tangent plane is −(∇∇h + f), shifted to be definite, with step halving.
    fn maximise(&self, pose: &Pose<f64>) -> Vec3<f64> {
        let size = self.first.axes().max() + pose.p.norm();
        let mut n = self.start(pose);
        let mut value = n.dot(&self.gradient(&n, pose));
        for _ in 0..60 {
            let w = self.gradient(&n, pose);
            let basis = tangents(&n);
            let slope = basis.map(|e| e.dot(&w));
            if slope[0].hypot(slope[1]) <= 2e-16 * size {
                break;
            }
            let bend = self.bending(&n, pose);
            let mut k = [0, 1].map(|i| [0, 1].map(|j| basis[i].dot(&(bend * basis[j]))));
            let (mean, spread) = (
                0.5 * (k[0][0] + k[1][1]),
                (0.5 * (k[0][0] - k[1][1])).hypot(k[0][1]),
            );
            let least = mean - spread + value;
            let shift = value + (1e-3 * size - least).max(0.0);
            k[0][0] += shift;
            k[1][1] += shift;
            let Some(inverse) = inverse(k) else { break };
            let step = [0, 1].map(|i| inverse[i][0] * slope[0] + inverse[i][1] * slope[1]);
            let mut scale = (0.7 / step[0].hypot(step[1])).min(1.0);
            let mut improved = false;
            for _ in 0..30 {
                let next = (n + (basis[0] * step[0] + basis[1] * step[1]) * scale).normalize();
                let height = next.dot(&self.gradient(&next, pose));
                if height >= value {
                    improved = next != n;
                    (n, value) = (next, height);
                    break;
                }
                scale *= 0.5;
            }
            if !improved {
                break;
            }
        }
        n
    }
}

/// Two unit vectors perpendicular to `n` and to each other.
fn tangents(n: &Vec3<f64>) -> [Vec3<f64>; 2] {
    let least = n.iamin();
    let mut axis = Vec3::zeros();
    axis[least] = 1.0;
    let first = n.cross(&axis).normalize();
    [first, n.cross(&first)]
}

/// The stationarity of f at n(u) = n₀ + u₁ e₁ + u₂ e₂, normalised, in the tangent plane at n₀.
struct Stationary<'a> {
    bodies: Bodies<'a>,
    normal: Vec3<f64>,
    basis: [Vec3<f64>; 2],
}

impl Stationary<'_> {
    fn direction<T: Real>(&self, u: &[T; 2]) -> Vec3<T> {
        let [e1, e2] = self.basis.map(|e| constant3::<T>(&e));
        let n = constant3::<T>(&self.normal) + e1 * u[0] + e2 * u[1];
        n / dot(&n, &n).sqrt()
    }
}

impl Equations<2> for Stationary<'_> {
    fn residual<T: Real>(&self, u: &[T; 2], pose: &Pose<T>) -> [T; 2] {
        let n = self.direction(u);
        let w = self.bodies.gradient(&n, pose);
        let tangential = w - n * dot(&n, &w);
        self.basis.map(|e| dot(&constant3::<T>(&e), &tangential))
    }
}

/// The contact of an ellipsoid with another one, or with a point at the origin of the pose.
pub(in crate::contact) fn contact<T: Real>(
    first: &Ellipsoid,
    second: Option<&Ellipsoid>,
    pose: &Pose<T>,
) -> ContactPoint<T> {
    let bodies = Bodies { first, second };
    let normal = bodies.maximise(&pose_numbers(pose));
    let equations = Stationary {
        bodies,
        normal,
        basis: tangents(&normal),
    };
    let u = implicit(&equations, [0.0; 2], pose);
    let n = equations.direction(&u);
    let distance = dot(&n, &equations.bodies.gradient(&n, pose));
    let c = pose.p - equations.bodies.second_support(&n, pose);
    Nearest {
        distance,
        normal: n,
    }
    .ball(&c, 0.0)
}
