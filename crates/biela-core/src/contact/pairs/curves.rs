//! Two smooth closed curves.

use crate::contact::nearest::{Equations, Nearest, implicit, inverse, pose_numbers};
use crate::contact::pair::reversed;
use crate::contact::{ContactPoint, Curve, SurfaceKind};
use crate::math::rotation::{apply, dot};
use crate::math::{Pose, Real, Vec3};

/// Greatest number of samples of each curve in the global search.
const SAMPLES: usize = 128;

/// The common normal of two curves with tangents t₁(u) and t₂(v), regular also at zero gap:
///
/// ```text
/// t₁ · (x₂ − x₁) = 0      t₁ × t₂ = 0
/// ```
struct CommonNormal<'a> {
    first: &'a Curve,
    second: &'a Curve,
}

impl Equations<2> for CommonNormal<'_> {
    fn residual<T: Real>(&self, [u, v]: &[T; 2], pose: &Pose<T>) -> [T; 2] {
        let ((x1, t1), (x2, t2)) = (self.first.at(*u), self.second.at(*v));
        let t2 = apply(&pose.R, &t2);
        [
            dot(&t1, &(pose.point(&x2) - x1)),
            t1[0] * t2[1] - t1[1] * t2[0],
        ]
    }
}

impl CommonNormal<'_> {
    /// Height of x₂(v) above the tangent of the first curve at u.
    fn height(&self, [u, v]: [f64; 2], pose: &Pose<f64>) -> f64 {
        let (x, n) = self.first.with_normal(u);
        n.dot(&(pose.point(&self.second.at(v).0) - x))
    }

    /// Whether the tangents, both counter-clockwise, are opposite, so that the curves face each other.
    fn is_facing(&self, [u, v]: [f64; 2], pose: &Pose<f64>) -> bool {
        self.first.at(u).1.dot(&(pose.R * self.second.at(v).1)) < 0.0
    }

    /// Newton's method from samples of both curves; `None` if it leaves their neighbourhood, `reach` in each parameter, or
    /// does not converge.
    fn newton(&self, start: [f64; 2], reach: [f64; 2], pose: &Pose<f64>) -> Option<[f64; 2]> {
        let mut u = start;
        for _ in 0..40 {
            let (g, jacobian) = self.linearised(&u, pose);
            let inverse = inverse(jacobian)?;
            let step = [0, 1].map(|i| inverse[i][0] * g[0] + inverse[i][1] * g[1]);
            let scale = (0..2).fold(1.0, |s: f64, i| s.min(0.5 * reach[i] / step[i].abs()));
            for i in 0..2 {
                u[i] -= scale * step[i];
                if (u[i] - start[i]).abs() > reach[i] {
                    return None;
                }
            }
            // the error after a step is of the order of its square
            if (0..2).all(|i| step[i].abs() <= 1e-10 * reach[i]) {
                return Some(u);
            }
        }
        None
    }

    /// Minimises the signed distance of x₂(v) from the first curve by golden-section search, for starts from which Newton's method fails.
    fn search(&self, v: f64, reach: f64, pose: &Pose<f64>) -> [f64; 2] {
        const GOLDEN: f64 = 0.618_033_988_749_894_9;
        let place = |v: f64| pose.point(&self.second.at(v).0);
        let distance = |v: f64| self.first.nearest(&place(v)).distance;
        let (mut low, mut high) = (v - reach, v + reach);
        for _ in 0..60 {
            let (a, b) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
            if distance(a) < distance(b) {
                high = b;
            } else {
                low = a;
            }
        }
        let v = 0.5 * (low + high);
        [self.first.nearest_parameter(&place(v)), v]
    }

    /// The parameters of least signed distance: the local minima over samples of the second curve within their spacing of the least, each refined.
    fn solution(&self, pose: &Pose<f64>) -> Pair {
        let (ours, theirs) = (self.first.samples(), self.second.samples());
        let stride = [ours, theirs].map(|s| s.len().div_ceil(SAMPLES));
        let count = theirs.len().div_ceil(stride[1]);
        let mut heights = [f64::INFINITY; SAMPLES];
        let mut feet = [0; SAMPLES];
        for j in 0..count {
            let c = pose.point(&theirs[j * stride[1]].point);
            let square = |i: usize| (c - ours[i].point).norm_squared();
            let nearer = |best: usize, i: usize| if square(i) < square(best) { i } else { best };
            feet[j] = (0..ours.len()).step_by(stride[0]).fold(0, nearer);
            heights[j] = ours[feet[j]].normal.dot(&(c - ours[feet[j]].point));
        }
        let least = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let spacing =
            self.first.spacing() * stride[0] as f64 + self.second.spacing() * stride[1] as f64;
        let step = |s: &[crate::contact::curve::Sample], k: usize| {
            (s[1].parameter - s[0].parameter) * stride[k] as f64
        };
        let reach = [3.0 * step(ours, 0), 3.0 * step(theirs, 1)];
        let mut best = Pair {
            height: f64::INFINITY,
            parameters: [0.0; 2],
            common_normal: false,
        };
        for j in 0..count {
            let (before, after) = (heights[(j + count - 1) % count], heights[(j + 1) % count]);
            if heights[j] > least + spacing || heights[j] > before || heights[j] > after {
                continue;
            }
            let start = [ours[feet[j]].parameter, theirs[j * stride[1]].parameter];
            let found = self.refined(start, reach, heights[j], spacing, pose);
            if found.height < best.height {
                best = found;
            }
        }
        best
    }

    /// The local minimum of the signed distance near samples of both curves, whose sample has this height and distance from the next ones.
    fn refined(
        &self,
        start: [f64; 2],
        reach: [f64; 2],
        sampled: f64,
        spacing: f64,
        pose: &Pose<f64>,
    ) -> Pair {
        let pair = |parameters: [f64; 2], common_normal: bool| Pair {
            height: self.height(parameters, pose),
            parameters,
            common_normal,
        };
        let newton = |start: [f64; 2]| {
            let found = self.newton(start, reach, pose)?;
            let change = self.height(found, pose) - sampled;
            let valid = self.is_facing(found, pose) && change.abs() <= spacing;
            valid.then(|| pair(found, true))
        };
        newton(start).unwrap_or_else(|| {
            let near = self.search(start[1], reach[1], pose);
            newton(near).unwrap_or_else(|| pair(near, false))
        })
    }
}

/// A point x₁(u) and the point x₂(v) nearest to it, or deepest.
#[derive(Clone, Copy)]
struct Pair {
    height: f64,
    parameters: [f64; 2],
    /// Whether both points lie on a common normal. In deep penetration the least signed distance may be at a kink instead.
    common_normal: bool,
}

/// Two curves: g = n₁ · (x₂ − x₁) on their common normal. The candidate is the nearest pair of points, or for a penetration the deepest point of the second curve.
///
/// If a curve contains the other, the gap is that of the deepest point of the inner curve. Where a deep penetration has no common normal, that point is fixed on
/// its curve.
pub(in crate::contact) fn contact<T: Real>(
    first: &Curve,
    second: &Curve,
    pose: &Pose<T>,
) -> ContactPoint<T> {
    let fixed = pose_numbers(pose);
    let pair = CommonNormal { first, second }.solution(&fixed);
    let inner = fixed.inverse().point(&first.samples()[0].point);
    if pair.height > 0.0
        && inner.norm() < second.radius_of_bounds()
        && second.nearest(&inner).distance < 0.0
    {
        return reversed(pose, |inverse| {
            let pair = CommonNormal {
                first: second,
                second: first,
            }
            .solution(&pose_numbers(inverse));
            at(second, first, &pair, inverse)
        });
    }
    at(first, second, &pair, pose)
}

/// The contact at the parameters of a pair.
fn at<T: Real>(first: &Curve, second: &Curve, pair: &Pair, pose: &Pose<T>) -> ContactPoint<T> {
    if !pair.common_normal {
        let x2 = pose.point(&second.at(T::constant(pair.parameters[1])).0);
        return first.nearest(&x2).ball(&x2, 0.0);
    }
    let [u, v] = implicit(&CommonNormal { first, second }, pair.parameters, pose);
    let (x1, normal) = first.with_normal(u);
    let x2: Vec3<T> = pose.point(&second.at(v).0);
    let distance = dot(&normal, &(x2 - x1));
    Nearest { distance, normal }.ball(&x2, 0.0)
}
