//! Piecewise polynomials in time, the common representation of most trajectories.
//!
//! ```text
//! q(t) = Σ c_k u^k        u = (t − t_i)/(t_(i+1) − t_i)        t_i ≤ t ≤ t_(i+1)
//! ```
//!
//! Before the first break and after the last one the joints are at rest.

use crate::control::Trajectory;
use crate::math::Jet;

/// Polynomials of all joints between common breaks.
#[derive(Clone, Debug)]
pub struct Pieces {
    joints: usize,
    /// Increasing times, one more than there are pieces.
    breaks: Vec<f64>,
    /// Number of coefficients of each polynomial.
    terms: usize,
    /// By piece, then joint, then power.
    coefficients: Vec<f64>,
    /// Rest positions before and after the motion.
    rest: [Vec<f64>; 2],
    /// Whether the motion is periodic: it starts again at its end, without a stop.
    repeats: bool,
    corners: Vec<f64>,
}

impl Pieces {
    /// Joints at rest at a point.
    pub(super) fn resting(point: Vec<f64>, start: f64) -> Self {
        Pieces {
            joints: point.len(),
            breaks: vec![start],
            terms: 1,
            coefficients: Vec::new(),
            rest: [point.clone(), point],
            repeats: false,
            corners: Vec::new(),
        }
    }

    /// Polynomials between breaks, with `terms` coefficients each, by piece, then joint, then power.
    pub(super) fn new(
        joints: usize,
        breaks: Vec<f64>,
        terms: usize,
        coefficients: Vec<f64>,
        repeats: bool,
    ) -> Self {
        let mut pieces = Pieces {
            joints,
            breaks,
            terms,
            coefficients,
            rest: [Vec::new(), Vec::new()],
            repeats,
            corners: Vec::new(),
        };
        let last = pieces.count() - 1;
        let ends = [(0, 0.0), (last, 1.0)];
        pieces.rest = ends.map(|(piece, u)| {
            let at = |joint| pieces.in_piece(piece, joint, u)[0];
            (0..joints).map(at).collect()
        });
        pieces.corners = pieces.find_corners();
        pieces
    }

    /// The same motion, delayed.
    pub(super) fn later(mut self, by: f64) -> Self {
        for time in self.breaks.iter_mut().chain(&mut self.corners) {
            *time += by;
        }
        self
    }

    /// Number of pieces.
    pub(super) fn count(&self) -> usize {
        self.breaks.len() - 1
    }

    /// Start and end times of a piece.
    pub(super) fn span(&self, piece: usize) -> (f64, f64) {
        (self.breaks[piece], self.breaks[piece + 1])
    }

    /// Value and three derivatives at `u` within a piece.
    pub(super) fn in_piece(&self, piece: usize, joint: usize, u: f64) -> [f64; 4] {
        let first = (piece * self.joints + joint) * self.terms;
        let c = &self.coefficients[first..first + self.terms];
        // Horner's scheme; each row carries one derivative, divided by its factorial
        let mut d = [0.0; 4];
        for c in c.iter().rev() {
            d = [
                d[0] * u + c,
                d[1] * u + d[0],
                d[2] * u + d[1],
                d[3] * u + d[2],
            ];
        }
        let h = 1.0 / (self.breaks[piece + 1] - self.breaks[piece]);
        [d[0], d[1] * h, 2.0 * d[2] * h * h, 6.0 * d[3] * h * h * h]
    }

    /// Value and three derivatives of a joint.
    fn evaluate(&self, joint: usize, time: f64) -> [f64; 4] {
        let (start, end) = (self.breaks[0], self.breaks[self.count()]);
        let time = if self.repeats && time > end {
            start + (time - start).rem_euclid(end - start)
        } else {
            time
        };
        if self.count() == 0 || time < start {
            return [self.rest[0][joint], 0.0, 0.0, 0.0];
        }
        if time > end {
            return [self.rest[1][joint], 0.0, 0.0, 0.0];
        }
        let after = self.breaks.partition_point(|x| *x <= time);
        let piece = after.saturating_sub(1).min(self.count() - 1);
        let u = (time - self.breaks[piece]) / (self.breaks[piece + 1] - self.breaks[piece]);
        self.in_piece(piece, joint, u)
    }

    /// Rough bound of a derivative of a piece: the sum of all terms except the constant one, scaled by the length of the piece.
    fn size(&self, piece: usize, joint: usize, order: u8) -> f64 {
        let first = (piece * self.joints + joint) * self.terms;
        let terms = self.coefficients[first + 1..first + self.terms].iter();
        let h = self.breaks[piece + 1] - self.breaks[piece];
        terms.map(|c| c.abs()).sum::<f64>() / h.powi(i32::from(order))
    }

    /// The breaks at which a velocity or an acceleration is discontinuous.
    fn find_corners(&self) -> Vec<f64> {
        let last = self.count() - 1;
        let mut rough = vec![false; self.breaks.len()];
        for joint in 0..self.joints {
            let still = |q: f64| [q, 0.0, 0.0, 0.0];
            let begin = |k: usize| self.in_piece(k, joint, 0.0);
            let finish = |k: usize| self.in_piece(k, joint, 1.0);
            let sides = |k: usize| {
                let before = if k == 0 {
                    still(self.rest[0][joint])
                } else {
                    finish(k - 1)
                };
                let after = match k {
                    _ if k <= last => begin(k),
                    _ if self.repeats => begin(0),
                    _ => still(self.rest[1][joint]),
                };
                [before, after]
            };
            for order in [1_u8, 2] {
                let sizes = (0..=last).map(|piece| self.size(piece, joint, order));
                let size = sizes.fold(0.0, f64::max);
                let order = usize::from(order);
                for (k, rough) in rough.iter_mut().enumerate() {
                    let [before, after] = sides(k);
                    *rough |= (after[order] - before[order]).abs() > 1e-9 * size;
                }
            }
        }
        let times = self.breaks.iter().zip(rough);
        times.filter(|(_, rough)| *rough).map(|(t, _)| *t).collect()
    }
}

impl Trajectory for Pieces {
    fn joints(&self) -> usize {
        self.joints
    }

    fn duration(&self) -> f64 {
        if self.repeats {
            f64::INFINITY
        } else {
            self.breaks[self.count()]
        }
    }

    fn joint(&self, joint: usize, time: f64) -> Jet {
        let [value, rate, curvature, _] = self.evaluate(joint, time);
        Jet::new(value, rate, curvature)
    }

    fn jerk(&self, joint: usize, time: f64) -> f64 {
        self.evaluate(joint, time)[3]
    }

    fn corners(&self) -> Vec<f64> {
        self.corners.clone()
    }

    fn next_corner(&self, after: f64) -> f64 {
        first_after(&self.corners, after)
    }
}

/// The first of increasing times after a given one; infinite if there is none.
pub(super) fn first_after(times: &[f64], after: f64) -> f64 {
    let at = times.partition_point(|time| *time <= after);
    times.get(at).copied().unwrap_or(f64::INFINITY)
}

/// Appends the coefficients in `u` of the polynomial with the values and derivatives (with respect to u) `from` at 0 and `to` at 1. Each has half
/// as many entries as the polynomial has terms, two to four.
///
/// The lower half are Taylor coefficients at 0. The residual at 1 determines the upper half, by the inverse of the matrix of
/// the derivatives of u^n, …, u^(2n−1) at 1.
pub(super) fn hermite(from: &[f64], to: &[f64], out: &mut Vec<f64>) {
    const INVERSES: [&[&[f64]]; 3] = [
        &[&[3.0, -1.0], &[-2.0, 1.0]],
        &[&[10.0, -4.0, 0.5], &[-15.0, 7.0, -1.0], &[6.0, -3.0, 0.5]],
        &[
            &[35.0, -15.0, 2.5, -1.0 / 6.0],
            &[-84.0, 39.0, -7.0, 0.5],
            &[70.0, -34.0, 6.5, -0.5],
            &[-20.0, 10.0, -2.0, 1.0 / 6.0],
        ],
    ];
    const FACTORIALS: [f64; 4] = [1.0, 1.0, 2.0, 6.0];
    let n = from.len();
    let start = out.len();
    out.extend((0..n).map(|k| from[k] / FACTORIALS[k]));
    let mut missing = [0.0; 4];
    for k in 0..n {
        // the k-th derivative of Σ from_i u^i / i! at 1
        let taylor: f64 = (k..n).map(|i| from[i] / FACTORIALS[i - k]).sum();
        missing[k] = to[k] - taylor;
    }
    for row in INVERSES[n - 2] {
        out.push(row.iter().zip(missing).map(|(a, b)| a * b).sum());
    }
    debug_assert_eq!(out.len() - start, 2 * n);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    #[test]
    fn a_polynomial_has_the_given_derivatives_at_both_ends() {
        let mut random = Random::new(3);
        for n in [2, 3, 4] {
            let [from, to] = [0, 1].map(|_| random.array::<4>(2.0));
            let mut c = Vec::new();
            hermite(&from[..n], &to[..n], &mut c);
            let pieces = Pieces::new(1, vec![0.0, 1.0], 2 * n, c, false);
            for (u, wanted) in [(0.0, from), (1.0, to)] {
                let found = pieces.in_piece(0, 0, u);
                for k in 0..n {
                    assert!((found[k] - wanted[k]).abs() < 1e-11, "{n} {k} at {u}");
                }
            }
        }
    }

    #[test]
    fn discontinuities_are_jumps_of_velocity_or_acceleration() {
        // t² up to 1, continued with the same slope and curvature, then with another curvature
        let c = vec![0.0, 0.0, 1.0, 1.0, 2.0, 1.0, 4.0, 4.0, -1.0];
        let pieces = Pieces::new(1, vec![0.0, 1.0, 2.0, 3.0], 3, c, false);
        assert_eq!(pieces.corners(), [0.0, 2.0, 3.0]);
        assert_eq!(pieces.clone().later(1.5).corners(), [1.5, 3.5, 4.5]);
        assert_eq!(pieces.joint(0, -1.0), Jet::new(0.0, 0.0, 0.0));
        assert_eq!(pieces.joint(0, 9.0), Jet::new(7.0, 0.0, 0.0));
        assert!(pieces.joint(0, f64::NAN).value.is_nan());
    }
}
