//! Shared formulas: the nearest point of a surface, directions with a defined value at zero length, and implicit solutions with exact derivatives.

use super::ContactPoint;
use crate::math::rotation::{constant3, dot};
use crate::math::{Jet, Mat3, Pose, Real, Vec3};

/// The point x of a surface nearest to a given point c: c = x + d n.
#[derive(Clone, Copy, Debug)]
pub struct Nearest<T: Real> {
    /// Signed distance d, negative inside the material.
    pub distance: T,
    /// Unit outward normal n at x.
    pub normal: Vec3<T>,
}

impl<T: Real> Nearest<T> {
    /// The contact of the surface with a ball of centre `c` and radius ρ:
    ///
    /// ```text
    /// gap = d − ρ      x = c − n (d + ρ)/2, halfway between the two surfaces
    /// ```
    pub fn ball(&self, c: &Vec3<T>, radius: f64) -> ContactPoint<T> {
        let radius = T::constant(radius);
        let half = T::constant(0.5);
        ContactPoint {
            gap: self.distance - radius,
            normal: self.normal,
            point: c - self.normal * ((self.distance + radius) * half),
        }
    }
}

/// Returns |v| and v/|v|. Below the length `least` the direction is the constant `fallback` and the length is its linearisation `fallback` · v, so that
/// both are finite with finite derivatives.
pub(super) fn direction<T: Real>(v: &Vec3<T>, fallback: &Vec3<f64>, least: f64) -> (T, Vec3<T>) {
    let square = dot(v, v);
    if square.number() <= least * least {
        let e = constant3(fallback);
        return (dot(&e, v), e);
    }
    let length = square.sqrt();
    (length, v / length)
}

/// Length below which the direction of a difference of two points is not defined.
pub(super) const COINCIDENT: f64 = 1e-150;

/// Returns the numerical part of a vector.
pub(super) fn numbers<T: Real>(v: &Vec3<T>) -> Vec3<f64> {
    Vec3::new(v[0].number(), v[1].number(), v[2].number())
}

/// Returns the numerical part of a pose.
pub(super) fn pose_numbers<T: Real>(pose: &Pose<T>) -> Pose<f64> {
    Pose {
        R: Mat3::from_fn(|i, j| pose.R[(i, j)].number()),
        p: numbers(&pose.p),
    }
}

/// Equations G(u, pose) = 0 that define parameters u of a contact, such as the parameter of the nearest point of a curve.
pub(super) trait Equations<const N: usize> {
    /// Returns G(u, pose).
    fn residual<T: Real>(&self, u: &[T; N], pose: &Pose<T>) -> [T; N];

    /// Returns G and ∂G/∂u; entry (i, j) of the matrix is ∂Gᵢ/∂uⱼ.
    fn linearised(&self, u: &[f64; N], pose: &Pose<f64>) -> ([f64; N], [[f64; N]; N]) {
        let fixed = pose.constant::<Jet>();
        let (mut value, mut jacobian) = ([0.0; N], [[0.0; N]; N]);
        for j in 0..N {
            let mut moved = u.map(Jet::constant);
            moved[j] = Jet::time(u[j]);
            let g = self.residual(&moved, &fixed);
            for i in 0..N {
                value[i] = g[i].value;
                jacobian[i][j] = g[i].rate;
            }
        }
        (value, jacobian)
    }
}

/// Returns the solution u of G(u, pose) = 0 with the derivatives of `T`, from the converged numbers `u`.
///
/// With the constant Jacobian J of these numbers, the iteration
///
/// ```text
/// u ← u − J⁻¹ G(u, pose)      error ← (1 − J⁻¹ ∂G/∂u) error
/// ```
///
/// multiplies the error by a factor that vanishes at the expansion point. Each of the two iterations therefore makes one more derivative exact. If J is
/// singular, u remains constant: a gap that is stationary in u still has an exact first derivative.
pub(super) fn implicit<T: Real, const N: usize>(
    equations: &impl Equations<N>,
    u: [f64; N],
    pose: &Pose<T>,
) -> [T; N] {
    let (_, jacobian) = equations.linearised(&u, &pose_numbers(pose));
    let mut solution = u.map(T::constant);
    let Some(inverse) = inverse(jacobian) else {
        return solution;
    };
    for _ in 0..2 {
        let g = equations.residual(&solution, pose);
        for i in 0..N {
            for j in 0..N {
                solution[i] -= T::constant(inverse[i][j]) * g[j];
            }
        }
    }
    solution
}

/// Returns the inverse of a small matrix by Gauss–Jordan elimination, or `None` if it is numerically singular.
pub(super) fn inverse<const N: usize>(mut a: [[f64; N]; N]) -> Option<[[f64; N]; N]> {
    let size = a.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
    let mut b = [[0.0; N]; N];
    for i in 0..N {
        b[i][i] = 1.0;
    }
    for k in 0..N {
        let pivot = (k..N).fold(k, |p, i| if a[i][k].abs() > a[p][k].abs() { i } else { p });
        a.swap(k, pivot);
        b.swap(k, pivot);
        let p = a[k][k];
        if p.is_nan() || p.abs() <= 1e-12 * size {
            return None;
        }
        for j in 0..N {
            a[k][j] /= p;
            b[k][j] /= p;
        }
        for i in (0..N).filter(|&i| i != k) {
            let factor = a[i][k];
            for j in 0..N {
                let (aj, bj) = (a[k][j], b[k][j]);
                a[i][j] -= factor * aj;
                b[i][j] -= factor * bj;
            }
        }
    }
    Some(b)
}

/// Returns the root of a scalar equation between `low` and `high`, where it increases through zero: Newton's method, bisecting where a step leaves
/// the bracket. Without a change of sign it returns the end with the smaller residual.
pub(super) fn root(
    equation: &impl Equations<1>,
    pose: &Pose<f64>,
    mut low: f64,
    mut high: f64,
    start: f64,
) -> f64 {
    let at = |u: f64| equation.residual(&[u], pose)[0];
    let (g_low, g_high) = (at(low), at(high));
    if g_low > 0.0 || g_high < 0.0 {
        return if g_low.abs() < g_high.abs() {
            low
        } else {
            high
        };
    }
    let mut u = start.clamp(low, high);
    for _ in 0..80 {
        let ([g], [[slope]]) = equation.linearised(&[u], pose);
        if g == 0.0 {
            break;
        }
        if g < 0.0 {
            low = u;
        } else {
            high = u;
        }
        let next = u - g / slope;
        let next = if next > low && next < high {
            next
        } else {
            0.5 * (low + high)
        };
        if (next - u).abs() <= 4e-16 * (1.0 + u.abs()) {
            break;
        }
        u = next;
    }
    u
}
