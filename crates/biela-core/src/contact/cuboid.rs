use super::nearest::{COINCIDENT, direction};
use super::{Balls, Face, Nearest, SurfaceKind, positive};
use crate::math::rotation::unit;
use crate::math::{Mat3, Real, Vec3};
use crate::model::Space;

/// A solid box with the edges (2h₁, 2h₂, 2h₃) along the axes of its frame, centred at its origin.
///
/// ```text
/// inside   d = maxᵢ |cᵢ| − hᵢ              n: the normal of the nearest face
/// outside  d = |c − clamp(c, −h, h)|       a face, an edge or a vertex
/// ```
///
/// Its eight vertices are candidates against a half-space, from within a sphere and against another box. Two boxes have, besides the vertices of both,
/// four candidates at which their edges cross.
#[derive(Clone, Copy, Debug)]
pub struct Cuboid {
    half: Vec3<f64>,
}

impl Cuboid {
    /// A box from the lengths of its edges along x, y and z.
    pub fn new(size: [f64; 3]) -> Result<Self, String> {
        let mut half = Vec3::zeros();
        for (k, name) in ["size along x", "size along y", "size along z"]
            .into_iter()
            .enumerate()
        {
            half[k] = 0.5 * positive("box", name, size[k])?;
        }
        Ok(Self { half })
    }

    pub(super) fn half(&self) -> &Vec3<f64> {
        &self.half
    }
}

impl SurfaceKind for Cuboid {
    const SPACES: &'static [Space] = &[Space::Spatial];

    fn name(&self) -> &'static str {
        "box"
    }

    fn examples() -> Vec<Self> {
        vec![Self {
            half: Vec3::new(0.3, 0.4, 0.55),
        }]
    }

    fn nearest<T: Real>(&self, c: &Vec3<T>) -> Nearest<T> {
        let sign = |i: usize| T::constant(if c[i].number() < 0.0 { -1.0 } else { 1.0 });
        let height = |i: usize| c[i] * sign(i) - T::constant(self.half[i]);
        let outside = (0..3).filter(|&i| height(i).number() > 0.0).count();
        if outside <= 1 {
            let i = (1..3).fold(0, |best, i| {
                if height(i).number() > height(best).number() {
                    i
                } else {
                    best
                }
            });
            return Nearest {
                distance: height(i),
                normal: unit::<T>(i) * sign(i),
            };
        }
        let mut away = Vec3::new(T::zero(), T::zero(), T::zero());
        for i in 0..3 {
            if height(i).number() > 0.0 {
                away[i] = height(i) * sign(i);
            }
        }
        let (distance, normal) = direction(&away, &Vec3::x(), COINCIDENT);
        Nearest { distance, normal }
    }

    fn num_faces(&self) -> usize {
        6
    }

    fn face(&self, k: usize) -> Face {
        let mut normal = Vec3::zeros();
        normal[k / 2] = if k.is_multiple_of(2) { -1.0 } else { 1.0 };
        Face {
            point: normal.component_mul(&self.half),
            normal,
        }
    }

    fn balls(&self) -> Balls {
        Balls::Hull(8)
    }

    fn ball(&self, k: usize) -> (Vec3<f64>, f64) {
        let sign = |i: usize| if k >> i & 1 == 0 { -1.0 } else { 1.0 };
        (Vec3::from_fn(|i, _| sign(i) * self.half[i]), 0.0)
    }

    fn curvature(&self, _x: &Vec3<f64>, n: &Vec3<f64>) -> Option<Mat3<f64>> {
        n.iter().any(|c| c.abs() > 1.0 - 1e-12).then(Mat3::zeros)
    }

    fn radius_of_bounds(&self) -> f64 {
        self.half.norm()
    }

    fn outline(&self) -> Vec<Vec<Vec3<f64>>> {
        let loops = [0, 4].map(|z| [0, 1, 3, 2, 0].map(|k| self.ball(k + z).0).to_vec());
        let posts = [0, 1, 2, 3].map(|k| vec![self.ball(k).0, self.ball(k + 4).0]);
        loops.into_iter().chain(posts).collect()
    }
}
