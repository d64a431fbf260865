//! The motion of a body relative to its lower body, in the lower body's axes: pose, joint directions and their time derivatives.

use crate::joints::{Across, MAX_FREEDOM};
use crate::math::rotation::{apply, apply_transposed, cross, product, zero3};
use crate::math::{Mat3, Real, Vec3};
use crate::model::Space;
use crate::tree::Link;

/// A direction of relative motion, angular and linear, and its time derivative.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartialVelocity<T: Real> {
    pub(super) w: Vec3<T>,
    pub(super) v: Vec3<T>,
    pub(super) w_rate: Vec3<T>,
    pub(super) v_rate: Vec3<T>,
}

impl<T: Real> PartialVelocity<T> {
    pub(super) fn zero() -> Self {
        let zero = zero3();
        PartialVelocity {
            w: zero,
            v: zero,
            w_rate: zero,
            v_rate: zero,
        }
    }
}

/// The motion of a link relative to its parent.
pub(super) struct InLower<T: Real> {
    /// `S_jk`: transforms components from the link's frame to the parent's.
    pub(super) S: Mat3<T>,
    /// `ξ`, from the joint frame on the parent to the link's origin.
    pub(super) xi: Vec3<T>,
    /// One per velocity coordinate of the joint.
    pub(super) columns: [PartialVelocity<T>; MAX_FREEDOM],
}

impl<T: Real> InLower<T> {
    /// The relative motion at joint coordinates `q` and velocities `v`.
    pub(super) fn new(link: &Link<T>, space: Space, q: &[T], v: &[T]) -> Self {
        let mut across = Across::new();
        link.joint.across(space, q, v, &mut across);
        let mut motion = InLower {
            S: across.R,
            xi: across.p,
            columns: columns(link, space, q, v, &across),
        };
        if link.reversed {
            motion.reverse(v);
        }
        let R = &link.frame.R;
        motion.S = product(R, &motion.S);
        motion.xi = apply(R, &motion.xi);
        for column in &mut motion.columns {
            *column = PartialVelocity {
                w: apply(R, &column.w),
                v: apply(R, &column.v),
                w_rate: apply(R, &column.w_rate),
                v_rate: apply(R, &column.v_rate),
            };
        }
        motion
    }

    /// Relative angular velocity and velocity.
    pub(super) fn velocity(&self, v: &[T]) -> (Vec3<T>, Vec3<T>) {
        let (mut w, mut u) = (zero3(), zero3());
        for (column, rate) in self.columns.iter().zip(v) {
            w += column.w * *rate;
            u += column.v * *rate;
        }
        (w, u)
    }

    /// Replaces the motion by that of the first frame in the second: `S' = Sᵀ`, `ξ' = −Sᵀ ξ`, `w' = −Sᵀ w`, `v' = Sᵀ (w × ξ − v)`, and the derivatives of
    /// the last two with `Ṡ = [ω] S`.
    fn reverse(&mut self, v: &[T]) {
        let (S, xi) = (self.S, self.xi);
        let (turning, sliding) = self.velocity(v);
        for column in &mut self.columns {
            let slip = cross(&column.w, &xi) - column.v;
            let slip_rate = cross(&column.w_rate, &xi) + cross(&column.w, &sliding) - column.v_rate;
            let w_rate = column.w_rate - cross(&turning, &column.w);
            *column = PartialVelocity {
                w: -apply_transposed(&S, &column.w),
                v: apply_transposed(&S, &slip),
                w_rate: -apply_transposed(&S, &w_rate),
                v_rate: apply_transposed(&S, &(slip_rate - cross(&turning, &slip))),
            };
        }
        self.S = S.transpose();
        self.xi = -apply_transposed(&S, &xi);
    }
}

/// Computes the columns of a joint in the axes of its first frame.
///
/// A joint provides only `b(v) = Σ Ḣ_r v_r`, which is quadratic in the velocities. With `D_rs = ∂H_r/∂q_s` the symmetric part of
/// `Ḣ_r = Σ D_rs v_s` follows from b by polarisation. The skew-symmetric part is zero for translations, whose columns are derivatives of ξ, and
/// `½ ω × w_r` for rotations, because `∂w_r/∂q_s − ∂w_s/∂q_r = w_s × w_r`. The three columns of a free rotation are constant.
fn columns<T: Real>(
    link: &Link<T>,
    space: Space,
    q: &[T],
    v: &[T],
    across: &Across<T>,
) -> [PartialVelocity<T>; MAX_FREEDOM] {
    let half = T::constant(0.5);
    let mut out = [PartialVelocity::zero(); MAX_FREEDOM];
    let mut turning = zero3();
    for (k, rate) in v.iter().enumerate() {
        (out[k].w, out[k].v) = (across.Hw[k], across.Hv[k]);
        turning += across.Hw[k] * *rate;
    }
    let mut probe = Across::new();
    let mut rates = [T::zero(); MAX_FREEDOM];
    let rates = &mut rates[..v.len()];
    for r in 0..link.shape.scalars {
        let mut bias = |rates: &[T]| {
            link.joint.across(space, q, rates, &mut probe);
            (probe.bias_w, probe.bias_v)
        };
        rates.fill(T::zero());
        rates[r] = T::one();
        let unit = bias(rates);
        rates.copy_from_slice(v);
        rates[r] += T::one();
        let sum = bias(rates);
        out[r].w_rate = (sum.0 - across.bias_w - unit.0 + cross(&turning, &out[r].w)) * half;
        out[r].v_rate = (sum.1 - across.bias_v - unit.1) * half;
    }
    out
}
