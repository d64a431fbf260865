use super::nearest::{COINCIDENT, direction};
use super::{Nearest, SurfaceKind, positive, ring};
use crate::math::rotation::unit;
use crate::math::{Mat3, Real, Vec3};
use crate::model::Space;
use std::f64::consts::TAU;

/// A solid cylinder of radius r and length L about the z axis, centred at the origin of its frame.
///
/// With the distance ρ from the axis and its direction e_r, the heights above side and end face are a = ρ − r and b = |z| − L/2:
///
/// ```text
/// a ≥ b and b ≤ 0   d = a, n = e_r               the side
/// b > a and a ≤ 0   d = b, n = ±e_z              an end face
/// a > 0 and b > 0   d = √(a² + b²)               a rim
/// ```
///
/// On the axis e_r is +x. The candidates against a half-space are, for each of the two rims, its lowest point and four fixed points at the radius
/// 0.999 r. The lowest point moves along the rim when the cylinder rolls or wobbles; its direction is not defined where the axis is
/// parallel to the normal (there it is +x or −x). The fixed points support a standing cylinder, with well-defined derivatives; their smaller radius keeps them out of
/// contact when the cylinder rolls on its side.
#[derive(Clone, Copy, Debug)]
pub struct Cylinder {
    radius: f64,
    length: f64,
}

impl Cylinder {
    /// A cylinder from its radius and length.
    pub fn new(radius: f64, length: f64) -> Result<Self, String> {
        Ok(Self {
            radius: positive("cylinder", "radius", radius)?,
            length: positive("cylinder", "length", length)?,
        })
    }

    pub(super) fn radius(&self) -> f64 {
        self.radius
    }

    /// The height z of a rim, the lower (0) or the upper (1).
    pub(super) fn rim(&self, k: usize) -> f64 {
        if k == 0 {
            -0.5 * self.length
        } else {
            0.5 * self.length
        }
    }
}

impl SurfaceKind for Cylinder {
    const SPACES: &'static [Space] = &[Space::Spatial];

    fn name(&self) -> &'static str {
        "cylinder"
    }

    fn examples() -> Vec<Self> {
        vec![Self {
            radius: 0.4,
            length: 0.7,
        }]
    }

    fn nearest<T: Real>(&self, c: &Vec3<T>) -> Nearest<T> {
        let (across, radial) = direction(&Vec3::new(c[0], c[1], T::zero()), &Vec3::x(), COINCIDENT);
        let up = T::constant(if c[2].number() < 0.0 { -1.0 } else { 1.0 });
        let axial = unit::<T>(2) * up;
        let a = across - T::constant(self.radius);
        let b = c[2] * up - T::constant(0.5 * self.length);
        if a.number() > 0.0 && b.number() > 0.0 {
            let (distance, normal) = direction(&(radial * a + axial * b), &Vec3::x(), COINCIDENT);
            Nearest { distance, normal }
        } else if a.number() >= b.number() {
            Nearest {
                distance: a,
                normal: radial,
            }
        } else {
            Nearest {
                distance: b,
                normal: axial,
            }
        }
    }

    fn curvature(&self, _x: &Vec3<f64>, n: &Vec3<f64>) -> Option<Mat3<f64>> {
        let z = Vec3::z();
        if n[2].abs() > 1.0 - 1e-12 {
            Some(Mat3::zeros())
        } else if n[2].abs() < 1e-12 {
            Some((Mat3::identity() - n * n.transpose() - z * z.transpose()) / self.radius)
        } else {
            None
        }
    }

    fn radius_of_bounds(&self) -> f64 {
        self.radius.hypot(0.5 * self.length)
    }

    fn outline(&self) -> Vec<Vec<Vec3<f64>>> {
        let [low, high] = [0, 1].map(|k| Vec3::new(0.0, 0.0, self.rim(k)));
        let mut lines = [low, high]
            .map(|c| ring(c, self.radius, [0, 1], 0.0, TAU))
            .to_vec();
        for side in [Vec3::x(), Vec3::y(), -Vec3::x(), -Vec3::y()] {
            lines.push(vec![low + side * self.radius, high + side * self.radius]);
        }
        lines
    }
}
