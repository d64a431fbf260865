//! Periodic cubic splines.

use crate::math::Real;

/// The periodic C² cubic spline through values yᵢ at increasing knots uᵢ, i = 0 … n − 1, with period U.
///
/// Its second derivatives mᵢ at the knots satisfy, with hᵢ = uᵢ₊₁ − uᵢ and indices modulo n,
///
/// ```text
/// hᵢ₋₁ mᵢ₋₁ + 2 (hᵢ₋₁ + hᵢ) mᵢ + hᵢ mᵢ₊₁ = 6 ((yᵢ₊₁ − yᵢ)/hᵢ − (yᵢ − yᵢ₋₁)/hᵢ₋₁)
/// ```
///
/// The interpolation error of a smooth function is at most (5/384) h⁴ max |y⁗|.
#[derive(Clone, Debug)]
pub(super) struct PeriodicSpline {
    knots: Vec<f64>,
    period: f64,
    /// y = a + b s + c s² + d s³ with s = u − uᵢ.
    pieces: Vec<[f64; 4]>,
}

impl PeriodicSpline {
    /// The spline through at least three values; the knots increase within one period.
    pub(super) fn new(knots: &[f64], period: f64, values: &[f64]) -> Self {
        let n = knots.len();
        let h: Vec<f64> = (0..n)
            .map(|i| {
                if i + 1 < n {
                    knots[i + 1] - knots[i]
                } else {
                    knots[0] + period - knots[i]
                }
            })
            .collect();
        let slope: Vec<f64> = (0..n)
            .map(|i| (values[(i + 1) % n] - values[i]) / h[i])
            .collect();
        let before = |i: usize| (i + n - 1) % n;
        let diagonal: Vec<f64> = (0..n).map(|i| 2.0 * (h[before(i)] + h[i])).collect();
        let right: Vec<f64> = (0..n)
            .map(|i| 6.0 * (slope[i] - slope[before(i)]))
            .collect();
        let m = cyclic_solution(&diagonal, &h, &right);
        let pieces = (0..n)
            .map(|i| {
                let next = m[(i + 1) % n];
                let b = slope[i] - h[i] * (2.0 * m[i] + next) / 6.0;
                [values[i], b, 0.5 * m[i], (next - m[i]) / (6.0 * h[i])]
            })
            .collect();
        Self {
            knots: knots.to_vec(),
            period,
            pieces,
        }
    }

    /// Returns the value y(u) and the slope y′(u).
    pub(super) fn at<T: Real>(&self, u: T) -> (T, T) {
        let number = u.number();
        let turns = ((number - self.knots[0]) / self.period).floor();
        let wrapped = number - turns * self.period;
        let i = self.knots.partition_point(|&k| k <= wrapped).max(1) - 1;
        let s = u - T::constant(turns * self.period + self.knots[i]);
        let [a, b, c, d] = self.pieces[i].map(T::constant);
        let (two, three) = (T::constant(2.0), T::constant(3.0));
        (
            a + s * (b + s * (c + s * d)),
            b + s * (two * c + s * three * d),
        )
    }

    pub(super) fn knots(&self) -> &[f64] {
        &self.knots
    }

    pub(super) fn period(&self) -> f64 {
        self.period
    }
}

/// Solves the symmetric cyclic tridiagonal system with the diagonal `d` and the entries `e`, where eᵢ couples i and i + 1 (mod n): the last
/// entry eₙ₋₁ is a correction of rank one (Sherman–Morrison).
fn cyclic_solution(d: &[f64], e: &[f64], right: &[f64]) -> Vec<f64> {
    let n = d.len();
    let edge = e[n - 1];
    let gamma = -d[0];
    let mut diagonal = d.to_vec();
    diagonal[0] -= gamma;
    diagonal[n - 1] -= edge * edge / gamma;
    let mut spike = vec![0.0; n];
    spike[0] = gamma;
    spike[n - 1] = edge;
    let x = tridiagonal_solution(&diagonal, e, right);
    let z = tridiagonal_solution(&diagonal, e, &spike);
    let factor = (x[0] + edge * x[n - 1] / gamma) / (1.0 + z[0] + edge * z[n - 1] / gamma);
    x.iter().zip(&z).map(|(x, z)| x - factor * z).collect()
}

/// Solves a symmetric diagonally dominant tridiagonal system.
fn tridiagonal_solution(d: &[f64], e: &[f64], right: &[f64]) -> Vec<f64> {
    let n = d.len();
    let (mut pivot, mut x) = (d.to_vec(), right.to_vec());
    for i in 1..n {
        let factor = e[i - 1] / pivot[i - 1];
        pivot[i] -= factor * e[i - 1];
        x[i] -= factor * x[i - 1];
    }
    x[n - 1] /= pivot[n - 1];
    for i in (0..n - 1).rev() {
        x[i] = (x[i] - e[i] * x[i + 1]) / pivot[i];
    }
    x
}
