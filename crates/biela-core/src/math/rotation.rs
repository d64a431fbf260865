//! Rotations: Euler parameters, rotation matrices, poses.
//!
//! Euler parameters are `e = (e0, e1, e2, e3)` with `e0` the scalar part. The rotation matrix `A(e)` maps components in the rotated frame to components in
//! the base frame. All functions use the homogeneous form `A(e) = A(e/|e|)`, so that a parameter vector with a small integration error of its norm still
//! yields a rotation.
#![allow(non_snake_case)]

use super::{Mat3, Real, Vec3};

/// The identity matrix.
pub fn identity<T: Real>() -> Mat3<T> {
    diagonal(T::one(), T::one(), T::one())
}

/// A diagonal matrix.
pub fn diagonal<T: Real>(a: T, b: T, c: T) -> Mat3<T> {
    let o = T::zero();
    Mat3::new(a, o, o, o, b, o, o, o, c)
}

/// The unit vector of axis `i` (0, 1, 2).
pub fn unit<T: Real>(i: usize) -> Vec3<T> {
    let mut e = zero3();
    e[i] = T::one();
    e
}

/// The zero vector.
pub fn zero3<T: Real>() -> Vec3<T> {
    Vec3::new(T::zero(), T::zero(), T::zero())
}

/// A vector of constants.
pub fn constant3<T: Real>(v: &Vec3<f64>) -> Vec3<T> {
    Vec3::new(T::constant(v[0]), T::constant(v[1]), T::constant(v[2]))
}

/// `a · b`.
#[inline]
pub fn dot<T: Real>(a: &Vec3<T>, b: &Vec3<T>) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `a × b`.
#[inline]
pub fn cross<T: Real>(a: &Vec3<T>, b: &Vec3<T>) -> Vec3<T> {
    Vec3::new(
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )
}

/// `A b`.
#[inline]
pub fn apply<T: Real>(A: &Mat3<T>, b: &Vec3<T>) -> Vec3<T> {
    Vec3::new(
        A[(0, 0)] * b[0] + A[(0, 1)] * b[1] + A[(0, 2)] * b[2],
        A[(1, 0)] * b[0] + A[(1, 1)] * b[1] + A[(1, 2)] * b[2],
        A[(2, 0)] * b[0] + A[(2, 1)] * b[1] + A[(2, 2)] * b[2],
    )
}

/// `Aᵀ b`.
#[inline]
pub fn apply_transposed<T: Real>(A: &Mat3<T>, b: &Vec3<T>) -> Vec3<T> {
    Vec3::new(
        A[(0, 0)] * b[0] + A[(1, 0)] * b[1] + A[(2, 0)] * b[2],
        A[(0, 1)] * b[0] + A[(1, 1)] * b[1] + A[(2, 1)] * b[2],
        A[(0, 2)] * b[0] + A[(1, 2)] * b[1] + A[(2, 2)] * b[2],
    )
}

/// `A B`.
#[inline]
pub fn product<T: Real>(A: &Mat3<T>, B: &Mat3<T>) -> Mat3<T> {
    let mut C = diagonal(T::zero(), T::zero(), T::zero());
    for i in 0..3 {
        for j in 0..3 {
            C[(i, j)] = A[(i, 0)] * B[(0, j)] + A[(i, 1)] * B[(1, j)] + A[(i, 2)] * B[(2, j)];
        }
    }
    C
}

/// `Aᵀ B`.
#[inline]
pub fn transposed_product<T: Real>(A: &Mat3<T>, B: &Mat3<T>) -> Mat3<T> {
    let mut C = diagonal(T::zero(), T::zero(), T::zero());
    for i in 0..3 {
        for j in 0..3 {
            C[(i, j)] = A[(0, i)] * B[(0, j)] + A[(1, i)] * B[(1, j)] + A[(2, i)] * B[(2, j)];
        }
    }
    C
}

/// Column `j` of a matrix.
pub fn column<T: Real>(A: &Mat3<T>, j: usize) -> Vec3<T> {
    Vec3::new(A[(0, j)], A[(1, j)], A[(2, j)])
}

/// Returns the skew-symmetric matrix of `a`: `skew(a) b = a × b`.
pub fn skew<T: Real>(a: &Vec3<T>) -> Mat3<T> {
    let o = T::zero();
    Mat3::new(o, -a[2], a[1], a[2], o, -a[0], -a[1], a[0], o)
}

/// Rotation by `angle` about coordinate axis `axis` (0 = x, 1 = y, 2 = z).
pub fn about<T: Real>(axis: usize, angle: T) -> Mat3<T> {
    let (s, c) = angle.sin_cos();
    let (o, l) = (T::zero(), T::one());
    match axis {
        0 => Mat3::new(l, o, o, o, c, -s, o, s, c),
        1 => Mat3::new(c, o, s, o, l, o, -s, o, c),
        _ => Mat3::new(c, -s, o, s, c, o, o, o, l),
    }
}

/// Rotation by `angle` about the unit vector `axis`.
pub fn about_axis(axis: &Vec3<f64>, angle: f64) -> Mat3<f64> {
    let (s, c) = (angle / 2.0).sin_cos();
    matrix(&[c, s * axis[0], s * axis[1], s * axis[2]])
}

/// Returns the rotation matrix of dextral angles: successive rotations about x, y, z, `Rx(α) Ry(β) Rz(γ)`.
pub fn from_dextral(angles: &Vec3<f64>) -> Mat3<f64> {
    product(
        &product(&about(0, angles[0]), &about(1, angles[1])),
        &about(2, angles[2]),
    )
}

/// Returns the dextral angles (α, β, γ) of a rotation; at β = ±90° the rotation is assigned to α.
pub fn to_dextral(R: &Mat3<f64>) -> Vec3<f64> {
    let cos_beta = R[(0, 0)].hypot(R[(0, 1)]);
    let beta = R[(0, 2)].atan2(cos_beta);
    if cos_beta < 1e-12 {
        return Vec3::new(R[(2, 1)].atan2(R[(1, 1)]), beta, 0.0);
    }
    Vec3::new(
        (-R[(1, 2)]).atan2(R[(2, 2)]),
        beta,
        (-R[(0, 1)]).atan2(R[(0, 0)]),
    )
}

/// Returns the rotation matrix of Euler parameters (any norm except zero).
pub fn matrix<T: Real>(e: &[T; 4]) -> Mat3<T> {
    let [e0, e1, e2, e3] = *e;
    let two = T::constant(2.0);
    let s = two / (e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3);
    let one = T::one();
    Mat3::new(
        one - s * (e2 * e2 + e3 * e3),
        s * (e1 * e2 - e0 * e3),
        s * (e1 * e3 + e0 * e2),
        s * (e1 * e2 + e0 * e3),
        one - s * (e1 * e1 + e3 * e3),
        s * (e2 * e3 - e0 * e1),
        s * (e1 * e3 - e0 * e2),
        s * (e2 * e3 + e0 * e1),
        one - s * (e1 * e1 + e2 * e2),
    )
}

/// Returns the Euler parameters of a rotation matrix, with `e0 ≥ 0`.
pub fn parameters(R: &Mat3<f64>) -> [f64; 4] {
    let trace = R[(0, 0)] + R[(1, 1)] + R[(2, 2)];
    // Shepperd's method: divide by the largest of the four, which is at least one half
    let squares = [
        1.0 + trace,
        1.0 + 2.0 * R[(0, 0)] - trace,
        1.0 + 2.0 * R[(1, 1)] - trace,
        1.0 + 2.0 * R[(2, 2)] - trace,
    ];
    let mut k = 0;
    for i in 1..4 {
        if squares[i] > squares[k] {
            k = i;
        }
    }
    let big = 0.5 * squares[k].max(0.0).sqrt();
    let f = 0.25 / big;
    let mut e = match k {
        0 => [
            big,
            (R[(2, 1)] - R[(1, 2)]) * f,
            (R[(0, 2)] - R[(2, 0)]) * f,
            (R[(1, 0)] - R[(0, 1)]) * f,
        ],
        1 => [
            (R[(2, 1)] - R[(1, 2)]) * f,
            big,
            (R[(0, 1)] + R[(1, 0)]) * f,
            (R[(0, 2)] + R[(2, 0)]) * f,
        ],
        2 => [
            (R[(0, 2)] - R[(2, 0)]) * f,
            (R[(0, 1)] + R[(1, 0)]) * f,
            big,
            (R[(1, 2)] + R[(2, 1)]) * f,
        ],
        _ => [
            (R[(1, 0)] - R[(0, 1)]) * f,
            (R[(0, 2)] + R[(2, 0)]) * f,
            (R[(1, 2)] + R[(2, 1)]) * f,
            big,
        ],
    };
    if e[0] < 0.0 {
        e = e.map(|x| -x);
    }
    normalized(&e)
}

/// Returns the Euler parameters scaled to unit norm.
pub fn normalized(e: &[f64; 4]) -> [f64; 4] {
    let n = (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]).sqrt();
    e.map(|x| x / n)
}

/// Returns `ė = ½ [−e·w ; e0 w + e × w]`: derivatives of Euler parameters from the angular velocity in the **rotated** frame's axes.
pub fn rates_from_body<T: Real>(e: &[T; 4], w: &Vec3<T>) -> [T; 4] {
    let h = T::constant(0.5);
    let [e0, e1, e2, e3] = *e;
    [
        h * (-e1 * w[0] - e2 * w[1] - e3 * w[2]),
        h * (e0 * w[0] - e3 * w[1] + e2 * w[2]),
        h * (e3 * w[0] + e0 * w[1] - e1 * w[2]),
        h * (-e2 * w[0] + e1 * w[1] + e0 * w[2]),
    ]
}

/// Returns the derivatives of Euler parameters from the angular velocity in the **base** frame's axes.
pub fn rates_from_base<T: Real>(e: &[T; 4], w: &Vec3<T>) -> [T; 4] {
    let h = T::constant(0.5);
    let [e0, e1, e2, e3] = *e;
    [
        h * (-e1 * w[0] - e2 * w[1] - e3 * w[2]),
        h * (e0 * w[0] + e3 * w[1] - e2 * w[2]),
        h * (-e3 * w[0] + e0 * w[1] + e1 * w[2]),
        h * (e2 * w[0] - e1 * w[1] + e0 * w[2]),
    ]
}

/// Returns the angular velocity for given derivatives of Euler parameters, by one of the two functions above: their columns are orthogonal and of norm ½.
pub fn turn_of(
    rates: impl Fn(&[f64; 4], &Vec3<f64>) -> [f64; 4],
    e: &[f64],
    given: &[f64],
) -> Vec3<f64> {
    let e = [e[0], e[1], e[2], e[3]];
    Vec3::from_fn(|axis, _| {
        let mut unit = Vec3::zeros();
        unit[axis] = 1.0;
        let column = rates(&e, &unit);
        4.0 * column.iter().zip(given).map(|(c, g)| c * g).sum::<f64>()
    })
}

/// Returns the Euler parameters e that solve `e = k + c ė(e, w)`, where `rates` computes ė: linear in e with Ω² = −|w|² 1, so that
/// `e = (k + c ė(k, w)) / (1 + c² |w|² / 4)`.
pub fn implicit_parameters(
    rates: fn(&[f64; 4], &Vec3<f64>) -> [f64; 4],
    k: &[f64; 4],
    w: &Vec3<f64>,
    c: f64,
) -> [f64; 4] {
    let rate = rates(k, w);
    let scale = 1.0 / (1.0 + 0.25 * c * c * dot(w, w));
    std::array::from_fn(|i| scale * (k[i] + c * rate[i]))
}

/// Returns Euler parameters rotated by the rotation vector `d` in the rotated frame's axes: `e ∘ exp(d)`.
pub fn turned(e: &[f64; 4], d: &Vec3<f64>) -> [f64; 4] {
    let angle = dot(d, d).sqrt();
    // sin(x/2)/x without division by zero
    let s = if angle < 1e-8 {
        0.5
    } else {
        (0.5 * angle).sin() / angle
    };
    let b = [(0.5 * angle).cos(), s * d[0], s * d[1], s * d[2]];
    let [a0, a1, a2, a3] = *e;
    normalized(&[
        a0 * b[0] - a1 * b[1] - a2 * b[2] - a3 * b[3],
        a0 * b[1] + a1 * b[0] + a2 * b[3] - a3 * b[2],
        a0 * b[2] - a1 * b[3] + a2 * b[0] + a3 * b[1],
        a0 * b[3] + a1 * b[2] - a2 * b[1] + a3 * b[0],
    ])
}

/// Returns Euler parameters rotated by the rotation vector `d` in the **base** frame's axes: `exp(d) ∘ e`.
pub fn turned_from_base(e: &[f64; 4], d: &Vec3<f64>) -> [f64; 4] {
    // e⁻¹ ∘ exp(−d) is the inverse of exp(d) ∘ e
    let back = turned(&[e[0], -e[1], -e[2], -e[3]], &-d);
    [back[0], -back[1], -back[2], -back[3]]
}

/// Returns the rotation vector of a rotation, of length at most π: the inverse of the exponential map.
pub fn rotation_vector(R: &Mat3<f64>) -> Vec3<f64> {
    let [e0, e1, e2, e3] = parameters(R);
    let e = Vec3::new(e1, e2, e3);
    let s = dot(&e, &e).sqrt();
    // angle/sin(angle/2), 2 for small angles
    let scale = if s < 1e-8 { 2.0 } else { 2.0 * s.atan2(e0) / s };
    e * scale
}

/// Returns the smallest rotation whose axis `k` points along `direction` (any norm except zero).
pub fn aligning(k: usize, direction: &Vec3<f64>) -> Mat3<f64> {
    let d = direction / dot(direction, direction).sqrt();
    let from = unit::<f64>(k);
    let c = dot(&from, &d);
    if c < -1.0 + 1e-12 {
        return about((k + 1) % 3, std::f64::consts::PI);
    }
    let v = cross(&from, &d);
    let S = skew(&v);
    identity::<f64>() + S + S * S / (1.0 + c)
}

/// Position and orientation of a frame: `x_A = p + R x_B`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<T: Real = f64> {
    /// Orientation: maps components in this frame to components in the base frame.
    pub R: Mat3<T>,
    /// Origin of this frame, in the base frame.
    pub p: Vec3<T>,
}

impl<T: Real> Pose<T> {
    /// The frame that coincides with its base.
    pub fn identity() -> Self {
        Pose {
            R: identity(),
            p: zero3(),
        }
    }

    /// Returns the pose relative to the base of a frame given in this frame.
    pub fn then(&self, inner: &Pose<T>) -> Pose<T> {
        Pose {
            R: product(&self.R, &inner.R),
            p: self.p + apply(&self.R, &inner.p),
        }
    }

    /// Returns the pose of the base relative to this frame.
    pub fn inverse(&self) -> Pose<T> {
        Pose {
            R: self.R.transpose(),
            p: -apply_transposed(&self.R, &self.p),
        }
    }

    /// Transforms a point from this frame to the base frame.
    pub fn point(&self, x: &Vec3<T>) -> Vec3<T> {
        self.p + apply(&self.R, x)
    }
}

impl Pose<f64> {
    /// A frame with origin `p` and orientation `R`.
    pub fn new(R: Mat3<f64>, p: Vec3<f64>) -> Self {
        Pose { R, p }
    }

    /// A frame with origin (x, y, z) whose axes are parallel to those of the base.
    pub fn translation(x: f64, y: f64, z: f64) -> Self {
        Pose::new(identity(), Vec3::new(x, y, z))
    }

    /// A frame in the plane with origin (x, y), rotated by an angle in radians about z.
    ///
    /// ```
    /// use biela_core::math::{Pose, Vec3};
    ///
    /// let frame = Pose::planar(2.0, 1.0, std::f64::consts::FRAC_PI_2);
    /// let tip = frame.point(&Vec3::new(0.5, 0.0, 0.0));
    /// assert!((tip - Vec3::new(2.0, 1.5, 0.0)).norm() < 1e-15);
    /// ```
    pub fn planar(x: f64, y: f64, angle: f64) -> Self {
        Pose::new(about(2, angle), Vec3::new(x, y, 0.0))
    }

    /// Returns the same pose in another scalar type.
    pub fn constant<T: Real>(&self) -> Pose<T> {
        let R = &self.R;
        Pose {
            R: Mat3::new(
                T::constant(R[(0, 0)]),
                T::constant(R[(0, 1)]),
                T::constant(R[(0, 2)]),
                T::constant(R[(1, 0)]),
                T::constant(R[(1, 1)]),
                T::constant(R[(1, 2)]),
                T::constant(R[(2, 0)]),
                T::constant(R[(2, 1)]),
                T::constant(R[(2, 2)]),
            ),
            p: constant3(&self.p),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    #[test]
    fn rotation_matrix_is_orthogonal_whatever_the_length_of_the_parameters() {
        let mut random = Random::new(1);
        for _ in 0..200 {
            let e = random.array::<4>(3.0);
            let R = matrix(&e);
            assert!((R.transpose() * R - identity::<f64>()).norm() < 1e-14);
            assert!((R.determinant() - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn parameters_and_matrix_are_inverse() {
        let mut random = Random::new(2);
        for _ in 0..500 {
            let R = matrix(&random.rotation());
            assert!((matrix(&parameters(&R)) - R).norm() < 1e-14);
        }
        for k in 0..3 {
            let R = about(k, std::f64::consts::PI);
            assert!(
                (matrix(&parameters(&R)) - R).norm() < 1e-15,
                "half turn about axis {k}"
            );
        }
    }

    #[test]
    fn derivatives_of_euler_parameters_match_the_derivative_of_the_matrix() {
        let mut random = Random::new(3);
        let h = 1e-6;
        for _ in 0..100 {
            let e = random.rotation();
            let w = random.vector(2.0);
            let R = matrix(&e);
            for (rate, expected) in [
                (rates_from_body(&e, &w), R * skew(&w)),
                (rates_from_base(&e, &w), skew(&w) * R),
            ] {
                let at = |s: f64| {
                    let mut x = e;
                    for i in 0..4 {
                        x[i] += s * rate[i];
                    }
                    matrix(&x)
                };
                assert!(((at(h) - at(-h)) / (2.0 * h) - expected).norm() < 1e-8);
            }
        }
    }

    #[test]
    fn a_rotation_by_a_rotation_vector_is_the_matrix_exponential() {
        let mut random = Random::new(4);
        for _ in 0..100 {
            let e = random.rotation();
            let d = random.vector(2.0);
            let angle = d.norm();
            let expected = matrix(&e) * about_axis(&(d / angle), angle);
            assert!((matrix(&turned(&e, &d)) - expected).norm() < 1e-13);
        }
    }

    #[test]
    fn dextral_angles_round_trip_and_survive_the_singular_pose() {
        let mut random = Random::new(5);
        for _ in 0..200 {
            let R = matrix(&random.rotation());
            assert!((from_dextral(&to_dextral(&R)) - R).norm() < 1e-12);
        }
        let R = from_dextral(&Vec3::new(0.3, std::f64::consts::FRAC_PI_2, 0.2));
        assert!((from_dextral(&to_dextral(&R)) - R).norm() < 1e-12);
    }

    #[test]
    fn aligning_maps_the_axis_even_if_it_is_antiparallel() {
        let mut random = Random::new(6);
        for k in 0..3 {
            for _ in 0..50 {
                let d = random.vector(1.0);
                let R = aligning(k, &d);
                assert!((column(&R, k) - d / d.norm()).norm() < 1e-12);
                assert!((R.transpose() * R - identity::<f64>()).norm() < 1e-12);
            }
            let R = aligning(k, &-unit::<f64>(k));
            assert!((column(&R, k) + unit::<f64>(k)).norm() < 1e-15);
        }
    }

    #[test]
    fn planar_rotation_derivative_has_minus_sine_at_the_lower_right() {
        // the 2×2 block of dT/dθ: [−sin −cos; cos −sin]
        for theta in [-2.0, 0.1, 1.3] {
            let h = 1e-6;
            let difference = (about(2, theta + h) - about(2, theta - h)) / (2.0 * h);
            let (s, c) = f64::sin_cos(theta);
            for (i, j, expected) in [(0, 0, -s), (0, 1, -c), (1, 0, c), (1, 1, -s)] {
                assert!((difference[(i, j)] - expected).abs() < 1e-9);
            }
        }
    }
}
