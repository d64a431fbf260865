use super::nearest::{COINCIDENT, direction};
use super::{Balls, Nearest, SurfaceKind, positive, ring};
use crate::math::{Real, Vec3};
use crate::model::Space;
use std::f64::consts::TAU;

/// A sphere of radius r about the origin of its frame.
///
/// ```text
/// from outside  d = |c| − r    n = c/|c|
/// from within   d = r − |c|    n = −c/|c|     the material surrounds a spherical cavity
/// ```
///
/// At c = 0 the direction c/|c| is +x. A ball larger than the cavity that contains it has a negative gap in every pose.
#[derive(Clone, Copy, Debug)]
pub struct Sphere {
    radius: f64,
    inside: bool,
}

impl Sphere {
    /// A ball.
    pub fn new(radius: f64) -> Result<Self, String> {
        let radius = positive("sphere", "radius", radius)?;
        Ok(Self {
            radius,
            inside: false,
        })
    }

    /// A spherical cavity: contact from within.
    pub fn inside(radius: f64) -> Result<Self, String> {
        Ok(Self {
            inside: true,
            ..Self::new(radius)?
        })
    }
}

/// Signed distance of a sphere or, in the plane, of a circle.
pub(super) fn round<T: Real>(radius: f64, inside: bool, c: &Vec3<T>) -> Nearest<T> {
    let (length, away) = direction(c, &Vec3::x(), COINCIDENT);
    let height = length - T::constant(radius);
    if inside {
        Nearest {
            distance: -height,
            normal: -away,
        }
    } else {
        Nearest {
            distance: height,
            normal: away,
        }
    }
}

/// Curvature of a sphere or circle, negative from within.
pub(super) fn round_curvature(radius: f64, inside: bool) -> f64 {
    if inside { -1.0 / radius } else { 1.0 / radius }
}

impl SurfaceKind for Sphere {
    const SPACES: &'static [Space] = &[Space::Spatial];

    fn name(&self) -> &'static str {
        if self.inside {
            "inside of a sphere"
        } else {
            "sphere"
        }
    }

    fn examples() -> Vec<Self> {
        vec![
            Self {
                radius: 0.3,
                inside: false,
            },
            Self {
                radius: 1.1,
                inside: true,
            },
        ]
    }

    fn nearest<T: Real>(&self, c: &Vec3<T>) -> Nearest<T> {
        round(self.radius, self.inside, c)
    }

    fn balls(&self) -> Balls {
        if self.inside {
            Balls::None
        } else {
            Balls::Each(1)
        }
    }

    fn ball(&self, _k: usize) -> (Vec3<f64>, f64) {
        (Vec3::zeros(), self.radius)
    }

    fn has_convex_complement(&self) -> bool {
        self.inside
    }

    fn constant_curvature(&self) -> Option<f64> {
        Some(round_curvature(self.radius, self.inside))
    }

    fn radius_of_bounds(&self) -> f64 {
        self.radius
    }

    fn outline(&self) -> Vec<Vec<Vec3<f64>>> {
        [[0, 1], [1, 2], [2, 0]]
            .map(|axes| ring(Vec3::zeros(), self.radius, axes, 0.0, TAU))
            .to_vec()
    }
}
