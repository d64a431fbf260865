//! The tree view of a joint: pose, motion subspace and its derivative.
#![allow(non_snake_case)]

use crate::math::rotation::{about, apply, cross, identity, matrix, product, unit, zero3};
use crate::math::{Mat3, Real, Vec3};

/// The largest number of velocity coordinates of a joint.
pub const MAX_FREEDOM: usize = 6;
/// The largest number of position coordinates of a joint.
pub const MAX_POSITIONS: usize = 7;

/// Motion across a joint, in F's axes: `v = Hv v_J`, `w = Hw v_J`, `v̇ = Hv v̇_J + bias_v` and `ẇ = Hw v̇_J + bias_w`.
#[derive(Clone, Debug)]
pub struct Across<T: Real = f64> {
    /// Orientation: components in M to components in F.
    pub R: Mat3<T>,
    /// Origin of M.
    pub p: Vec3<T>,
    /// Linear part of the motion subspace, one column per degree of freedom.
    pub Hv: [Vec3<T>; MAX_FREEDOM],
    /// Angular part of the motion subspace, one column per degree of freedom.
    pub Hw: [Vec3<T>; MAX_FREEDOM],
    /// `Ḣv v_J`.
    pub bias_v: Vec3<T>,
    /// `Ḣw v_J`.
    pub bias_w: Vec3<T>,
    /// Number of columns.
    pub freedom: usize,
    /// Angular velocity of the rotations added so far, which the next axis follows.
    turning: Vec3<T>,
}

impl<T: Real> Across<T> {
    /// F and M coincident, no degrees of freedom.
    pub fn new() -> Self {
        Across {
            R: identity(),
            p: zero3(),
            Hv: [zero3(); MAX_FREEDOM],
            Hw: [zero3(); MAX_FREEDOM],
            bias_v: zero3(),
            bias_w: zero3(),
            freedom: 0,
            turning: zero3(),
        }
    }

    /// Resets to F and M coincident.
    pub fn reset(&mut self) {
        *self = Self::new();
    }

    /// Adds a degree of freedom with the columns `v` and `w`.
    pub fn column(&mut self, v: Vec3<T>, w: Vec3<T>) {
        self.Hv[self.freedom] = v;
        self.Hw[self.freedom] = w;
        self.freedom += 1;
    }

    /// Adds a translation `q` along axis `i` of F.
    pub fn slide(&mut self, i: usize, q: T) {
        self.p[i] += q;
        self.column(unit(i), zero3());
    }

    /// Adds a rotation by `q`, with angular velocity `rate`, about axis `i` of the frame after the preceding rotations.
    pub fn turn(&mut self, i: usize, q: T, rate: T) {
        let axis = apply(&self.R, &unit(i));
        // the preceding rotations carry the axis
        self.bias_w += cross(&self.turning, &axis) * rate;
        self.turning += axis * rate;
        self.R = product(&self.R, &about(i, q));
        self.column(zero3(), axis);
    }

    /// Adds a free rotation with Euler parameters `e`; its velocities are the components of the angular velocity in F's axes.
    pub fn rotate(&mut self, e: &[T]) {
        self.R = matrix(&[e[0], e[1], e[2], e[3]]);
        for i in 0..3 {
            self.column(zero3(), unit(i));
        }
    }
}

impl<T: Real> Default for Across<T> {
    fn default() -> Self {
        Self::new()
    }
}
