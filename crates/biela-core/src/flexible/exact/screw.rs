//! The screw (relative twist coordinates) between two frames, and its derivatives.
//!
//! ```text
//! (R, p) = exp(u, φ)        φ the rotation vector        p = V(φ) u
//! V⁻¹ = 1 − ½ [φ] + g [φ]²        g = (1 − ½θ cot ½θ)/θ²        θ = |φ|
//! ```
//!
//! A frame that moves along the screw at constant velocity goes from the first frame to the second on a helix: u and φ, in its own axes, are
//! constant along it. With twists η = (v, ω) in the axes of each frame,
//!
//! ```text
//! d = (u, φ)        ḋ = T(d) η₂ − T(−d) η₁        T = | A  B |        A(φ) = 1 + ½ [φ] + g [φ]²        B = ∂A/∂φ · u
//!                                                 | 0  A |
//! ```
//!
//! Source: V. Sonneville, A. Cardona, O. Brüls, *Computer Methods in Applied Mechanics and Engineering* 268 (2014) 451-474. That B is the
//! derivative of A along u holds because `φ + ε u` with ε² = 0 multiplies as the screw does.
#![allow(non_snake_case)]

use nalgebra::SMatrix;

use crate::math::rotation::{
    apply, apply_transposed, cross, dot, rotation_vector, skew, transposed_product,
};
use crate::math::{Mat3, Pose, Vec3};

/// A 6 × 6 matrix over (u, φ).
pub(super) type Mat6 = SMatrix<f64, 6, 6>;

/// The first frame or the second: T(−d) or T(d).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScrewEnd {
    First,
    Second,
}

impl ScrewEnd {
    /// Half the sign of φ in A.
    fn half(self) -> f64 {
        match self {
            ScrewEnd::First => -0.5,
            ScrewEnd::Second => 0.5,
        }
    }
}

/// A pair: the part of u, and the part of φ.
pub(super) type ScrewPair = (Vec3<f64>, Vec3<f64>);

/// A screw with the data that its derivatives need.
#[derive(Clone, Copy, Debug)]
pub(super) struct BeamScrew {
    pub(super) u: Vec3<f64>,
    pub(super) phi: Vec3<f64>,
    /// g and its first two derivatives with respect to θ².
    g: [f64; 3],
}

impl BeamScrew {
    /// The screw from one frame to another; θ is at most half a turn.
    pub(super) fn between(first: &Pose, second: &Pose) -> Self {
        let phi = rotation_vector(&transposed_product(&first.R, &second.R));
        let p = apply_transposed(&first.R, &(second.p - first.p));
        let g = factors(dot(&phi, &phi));
        let once = cross(&phi, &p);
        BeamScrew {
            u: p - once * 0.5 + cross(&phi, &once) * g[0],
            phi,
            g,
        }
    }

    /// Returns the frame at a fraction of the screw towards the second frame, relative to the first.
    pub(super) fn part(&self, share: f64) -> Pose {
        let (u, phi) = (self.u * share, self.phi * share);
        let square = dot(&phi, &phi);
        let theta = square.sqrt();
        // (1 − cos θ)/θ² and (θ − sin θ)/θ³, which suffer from cancellation at small angles
        let (b, c) = if square < 1e-4 {
            (
                0.5 - square / 24.0 + square * square / 720.0,
                1.0 / 6.0 - square / 120.0 + square * square / 5040.0,
            )
        } else {
            (
                (1.0 - theta.cos()) / square,
                (theta - theta.sin()) / (square * theta),
            )
        };
        let K: Mat3<f64> = skew(&phi);
        let KK = K * K;
        let one = Mat3::identity();
        Pose {
            R: one + K * (1.0 - c * square) + KK * b,
            p: apply(&(one + K * b + KK * c), &u),
        }
    }

    /// `A n` at the second frame, `Aᵀ n` at the first.
    fn turned(&self, end: ScrewEnd, n: &Vec3<f64>) -> Vec3<f64> {
        let once = cross(&self.phi, n);
        n + once * end.half() + cross(&self.phi, &once) * self.g[0]
    }

    /// `B n` at the second frame, `Bᵀ n` at the first.
    fn carried(&self, end: ScrewEnd, n: &Vec3<f64>) -> Vec3<f64> {
        let BeamScrew { u, phi, g } = self;
        let (round, over) = (cross(phi, n), cross(u, n));
        over * end.half()
            + (cross(phi, &over) + cross(u, &round)) * g[0]
            + cross(phi, &round) * (2.0 * g[1] * dot(phi, u))
    }

    /// `T η`: the contribution of one end to ḋ, without its sign.
    pub(super) fn rate(&self, end: ScrewEnd, (v, w): &ScrewPair) -> ScrewPair {
        (
            self.turned(end, v) + self.carried(end, w),
            self.turned(end, w),
        )
    }

    /// `Tᵀ N`: force and moment at one end, in its own axes, that correspond to N, which is conjugate to d.
    pub(super) fn wrench(&self, end: ScrewEnd, (n, m): &ScrewPair) -> ScrewPair {
        // A and B of one end are the transposes of those of the other
        let other = match end {
            ScrewEnd::First => ScrewEnd::Second,
            ScrewEnd::Second => ScrewEnd::First,
        };
        (
            self.turned(other, n),
            self.carried(other, n) + self.turned(other, m),
        )
    }

    /// T as a matrix.
    pub(super) fn map(&self, end: ScrewEnd) -> Mat6 {
        let BeamScrew { u, phi, g } = self;
        let (K, U) = (skew(phi), skew(u));
        let KK = K * K;
        let A = Mat3::identity() + K * end.half() + KK * g[0];
        let B = U * end.half() + (K * U + U * K) * g[0] + KK * (2.0 * g[1] * dot(phi, u));
        blocks(&A, &B, &Mat3::zeros(), &A)
    }

    /// The derivative of [`BeamScrew::turned`] with respect to φ.
    fn turned_slope(&self, end: ScrewEnd, n: &Vec3<f64>) -> Mat3<f64> {
        let BeamScrew { phi, g, .. } = self;
        let twice = phi * dot(phi, n) - n * dot(phi, phi);
        skew(n) * -end.half() + twice_slope(phi, n) * g[0] + twice * phi.transpose() * (2.0 * g[1])
    }

    /// The derivative of [`BeamScrew::carried`] with respect to φ; with respect to u it is [`BeamScrew::turned_slope`].
    fn carried_slope(&self, n: &Vec3<f64>) -> Mat3<f64> {
        let BeamScrew { u, phi, g } = self;
        let twice = phi * dot(phi, n) - n * dot(phi, phi);
        let along = dot(phi, u);
        let bent = twice_slope(phi, n);
        (Mat3::identity() * dot(n, u) + u * n.transpose() - n * u.transpose() * 2.0) * g[0]
            + (bent * u * phi.transpose() + bent * along + twice * u.transpose()) * (2.0 * g[1])
            + twice * phi.transpose() * (4.0 * g[2] * along)
    }

    /// The derivative of [`BeamScrew::rate`] with respect to d.
    pub(super) fn rate_slope(&self, end: ScrewEnd, (v, w): &ScrewPair) -> Mat6 {
        let C = self.turned_slope(end, w);
        let right = self.turned_slope(end, v) + self.carried_slope(w);
        blocks(&C, &right, &Mat3::zeros(), &C)
    }

    /// The derivative of [`BeamScrew::wrench`] with respect to d.
    pub(super) fn wrench_slope(&self, end: ScrewEnd, (n, m): &ScrewPair) -> Mat6 {
        let other = match end {
            ScrewEnd::First => ScrewEnd::Second,
            ScrewEnd::Second => ScrewEnd::First,
        };
        let C = self.turned_slope(other, n);
        let corner = self.carried_slope(n) + self.turned_slope(other, m);
        blocks(&Mat3::zeros(), &C, &C, &corner)
    }
}

/// The derivative of `φ × (φ × n) = φ (φ·n) − n φ²` with respect to φ.
fn twice_slope(phi: &Vec3<f64>, n: &Vec3<f64>) -> Mat3<f64> {
    Mat3::identity() * dot(phi, n) + phi * n.transpose() - n * phi.transpose() * 2.0
}

fn blocks(a: &Mat3<f64>, b: &Mat3<f64>, c: &Mat3<f64>, d: &Mat3<f64>) -> Mat6 {
    let mut all = Mat6::zeros();
    all.fixed_view_mut::<3, 3>(0, 0).copy_from(a);
    all.fixed_view_mut::<3, 3>(0, 3).copy_from(b);
    all.fixed_view_mut::<3, 3>(3, 0).copy_from(c);
    all.fixed_view_mut::<3, 3>(3, 3).copy_from(d);
    all
}

/// g and its first two derivatives with respect to s = θ².
fn factors(s: f64) -> [f64; 3] {
    if s < 1.0 { series(s) } else { closed(s) }
}

/// With γ = ½θ cot ½θ and q = (½θ / sin ½θ)²: `γ' = (γ − q)/2s`, `q' = q g`.
fn closed(s: f64) -> [f64; 3] {
    let half = 0.5 * s.sqrt();
    let (gamma, q) = (half / half.tan(), (half / half.sin()).powi(2));
    let g = (1.0 - gamma) / s;
    let slope = (gamma - q) / (2.0 * s);
    let first = (-slope - g) / s;
    let bend = (-slope - q * g) / (2.0 * s);
    [g, first, (-bend - 2.0 * first) / s]
}

/// Its series for small angles: `g = Σ |B₂ₖ|/(2k)! sᵏ⁻¹` with Bernoulli numbers, k from 1.
fn series(s: f64) -> [f64; 3] {
    const COEFFICIENTS: [f64; 11] = [
        1.0 / 12.0,
        1.0 / 720.0,
        1.0 / 30_240.0,
        1.0 / 1_209_600.0,
        1.0 / 47_900_160.0,
        691.0 / 1_307_674_368_000.0,
        1.0 / 74_724_249_600.0,
        3617.0 / 10_670_622_842_880_000.0,
        43_867.0 / 5_109_094_217_170_944_000.0,
        174_611.0 / 802_857_662_698_291_200_000.0,
        77_683.0 / 14_101_100_039_391_805_440_000.0,
    ];
    let mut value = [0.0; 3];
    for c in COEFFICIENTS.into_iter().rev() {
        value[2] = value[2] * s + 2.0 * value[1];
        value[1] = value[1] * s + value[0];
        value[0] = value[0] * s + c;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::math::rotation::{about_axis, matrix};

    /// Two frames with a relative rotation by the given angle.
    fn frames(random: &mut Random, angle: f64) -> (Pose, Pose) {
        let first = Pose::new(matrix(&random.rotation()), random.vector(2.0));
        let axis = random.vector(1.0).normalize();
        let turn = Pose::new(about_axis(&axis, angle), random.vector(1.0));
        (first, first.then(&turn))
    }

    /// A frame moved along a twist in its own axes.
    fn moved(pose: &Pose, (v, w): &ScrewPair, step: f64) -> Pose {
        let angle = w.norm() * step;
        let turn = about_axis(&w.normalize(), angle);
        Pose::new(pose.R * turn, pose.p + pose.R * v * step)
    }

    fn twist(random: &mut Random) -> ScrewPair {
        (random.vector(1.0), random.vector(1.0))
    }

    const ANGLES: [f64; 7] = [0.0, 1e-7, 1e-3, 0.4, 1.1, 2.2, 3.0];

    #[test]
    fn the_series_agrees_with_the_closed_form() {
        for (a, b) in series(1.0).into_iter().zip(closed(1.0)) {
            assert!((a - b).abs() < 2e-13, "{a} {b}");
        }
        for (a, b) in series(0.5).into_iter().zip(closed(0.5)) {
            assert!((a - b).abs() < 1e-12, "{a} {b}");
        }
        // derivatives by central differences
        for s in [0.3, 0.8, 1.5, 6.0] {
            let h = 1e-4;
            let (a, b, c) = (factors(s - h), factors(s), factors(s + h));
            for k in 0..2 {
                assert!(((c[k] - a[k]) / (2.0 * h) - b[k + 1]).abs() < 1e-8);
            }
        }
    }

    #[test]
    fn the_full_screw_motion_ends_at_the_second_frame() {
        let mut random = Random::new(3);
        for angle in ANGLES {
            let (first, second) = frames(&mut random, angle);
            let screw = BeamScrew::between(&first, &second);
            let end = first.then(&screw.part(1.0));
            assert!((end.p - second.p).norm() < 1e-13 && (end.R - second.R).norm() < 1e-13);
            // half of the screw applied twice
            let half = screw.part(0.5);
            let end = first.then(&half).then(&half);
            assert!((end.p - second.p).norm() < 1e-13 && (end.R - second.R).norm() < 1e-13);
        }
    }

    #[test]
    fn velocities_are_those_of_the_screw_between_moving_frames() {
        let mut random = Random::new(5);
        for angle in ANGLES {
            let (first, second) = frames(&mut random, angle);
            let twists = [twist(&mut random), twist(&mut random)];
            let at = |step: f64| {
                BeamScrew::between(
                    &moved(&first, &twists[0], step),
                    &moved(&second, &twists[1], step),
                )
            };
            let (here, h) = (at(0.0), 1e-5);
            let (a, b) = (at(-h), at(h));
            let one = here.rate(ScrewEnd::First, &twists[0]);
            let two = here.rate(ScrewEnd::Second, &twists[1]);
            assert!(((b.u - a.u) / (2.0 * h) - (two.0 - one.0)).norm() < 1e-8);
            assert!(((b.phi - a.phi) / (2.0 * h) - (two.1 - one.1)).norm() < 1e-8);
        }
    }

    #[test]
    fn wrenches_are_power_conjugate_to_screw_velocities() {
        let mut random = Random::new(7);
        for angle in ANGLES {
            let (first, second) = frames(&mut random, angle);
            let screw = BeamScrew::between(&first, &second);
            for end in [ScrewEnd::First, ScrewEnd::Second] {
                let (eta, n) = (twist(&mut random), twist(&mut random));
                let (rate, wrench) = (screw.rate(end, &eta), screw.wrench(end, &n));
                let left = dot(&rate.0, &n.0) + dot(&rate.1, &n.1);
                let right = dot(&wrench.0, &eta.0) + dot(&wrench.1, &eta.1);
                assert!((left - right).abs() < 1e-12 * (1.0 + left.abs()));
                let map = screw.map(end) * stack(&eta);
                assert!((map - stack(&rate)).norm() < 1e-12);
            }
        }
    }

    fn stack((a, b): &ScrewPair) -> nalgebra::SVector<f64, 6> {
        nalgebra::SVector::from_fn(|i, _| if i < 3 { a[i] } else { b[i - 3] })
    }

    #[test]
    fn derivatives_of_velocities_and_wrenches_match_differences() {
        let mut random = Random::new(11);
        for angle in ANGLES {
            let (first, second) = frames(&mut random, angle);
            let screw = BeamScrew::between(&first, &second);
            let with = |d: nalgebra::SVector<f64, 6>| {
                let phi = screw.phi + Vec3::new(d[3], d[4], d[5]);
                BeamScrew {
                    u: screw.u + Vec3::new(d[0], d[1], d[2]),
                    phi,
                    g: factors(dot(&phi, &phi)),
                }
            };
            let pair = twist(&mut random);
            let h = 1e-5;
            for end in [ScrewEnd::First, ScrewEnd::Second] {
                for k in 0..6 {
                    let mut d = nalgebra::SVector::<f64, 6>::zeros();
                    d[k] = h;
                    let (ahead, behind) = (with(d), with(-d));
                    let slope = |f: &dyn Fn(&BeamScrew) -> ScrewPair| {
                        (stack(&f(&ahead)) - stack(&f(&behind))) / (2.0 * h)
                    };
                    let rate = slope(&|s| s.rate(end, &pair));
                    let wrench = slope(&|s| s.wrench(end, &pair));
                    let found = screw.rate_slope(end, &pair).column(k) - rate;
                    assert!(found.norm() < 1e-8, "{angle} {k}: {found}");
                    let found = screw.wrench_slope(end, &pair).column(k) - wrench;
                    assert!(found.norm() < 1e-8, "{angle} {k}: {found}");
                }
            }
        }
    }
}
