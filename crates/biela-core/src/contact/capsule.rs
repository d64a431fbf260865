use super::nearest::{COINCIDENT, direction};
use super::{Balls, Nearest, SurfaceKind, positive, ring};
use crate::math::{Mat3, Real, Vec3};
use crate::model::Space;
use std::f64::consts::{PI, TAU};

/// A capsule: the points within the radius r of a segment of length L on the z axis, centred at the origin of its frame.
///
/// ```text
/// s = clamp(z, −L/2, L/2)     d = |c − s e_z| − r     n = (c − s e_z)/|c − s e_z|
/// ```
///
/// L is the distance between the centres of the end spheres. On the segment the normal is +x. Against a half-space and from within a sphere the
/// candidates are the two end spheres.
#[derive(Clone, Copy, Debug)]
pub struct Capsule {
    radius: f64,
    length: f64,
}

impl Capsule {
    /// A capsule from its radius and the distance between the centres of its end spheres.
    pub fn new(radius: f64, length: f64) -> Result<Self, String> {
        Ok(Self {
            radius: positive("capsule", "radius", radius)?,
            length: positive("capsule", "length", length)?,
        })
    }

    pub(super) fn radius(&self) -> f64 {
        self.radius
    }

    pub(super) fn half_length(&self) -> f64 {
        0.5 * self.length
    }
}

impl SurfaceKind for Capsule {
    const SPACES: &'static [Space] = &[Space::Spatial];

    fn name(&self) -> &'static str {
        "capsule"
    }

    fn examples() -> Vec<Self> {
        vec![Self {
            radius: 0.2,
            length: 0.9,
        }]
    }

    fn nearest<T: Real>(&self, c: &Vec3<T>) -> Nearest<T> {
        let half = self.half_length();
        let mut away = *c;
        let z = c[2].number();
        away[2] = if z.abs() <= half {
            T::zero()
        } else {
            c[2] - T::constant(half.copysign(z))
        };
        let (length, normal) = direction(&away, &Vec3::x(), COINCIDENT);
        Nearest {
            distance: length - T::constant(self.radius),
            normal,
        }
    }

    fn balls(&self) -> Balls {
        Balls::Hull(2)
    }

    fn ball(&self, k: usize) -> (Vec3<f64>, f64) {
        let z = if k == 0 {
            -self.half_length()
        } else {
            self.half_length()
        };
        (Vec3::new(0.0, 0.0, z), self.radius)
    }

    fn constant_curvature(&self) -> Option<f64> {
        Some(1.0 / self.radius)
    }

    fn curvature(&self, x: &Vec3<f64>, n: &Vec3<f64>) -> Option<Mat3<f64>> {
        let along = if x[2].abs() < self.half_length() {
            Vec3::z()
        } else {
            Vec3::zeros()
        };
        Some((Mat3::identity() - n * n.transpose() - along * along.transpose()) / self.radius)
    }

    fn radius_of_bounds(&self) -> f64 {
        self.half_length() + self.radius
    }

    fn outline(&self) -> Vec<Vec<Vec3<f64>>> {
        let (r, low, high) = (self.radius, self.ball(0).0, self.ball(1).0);
        let mut lines = [low, high].map(|c| ring(c, r, [0, 1], 0.0, TAU)).to_vec();
        for axis in [0, 1] {
            let mut side = ring(high, r, [axis, 2], 0.0, PI);
            side.extend(ring(low, r, [axis, 2], PI, TAU));
            side.push(side[0]);
            lines.push(side);
        }
        lines
    }
}
