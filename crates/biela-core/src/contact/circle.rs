use super::sphere::{round, round_curvature};
use super::{Balls, Nearest, SurfaceKind, positive, ring};
use crate::math::{Real, Vec3};
use crate::model::Space;
use std::f64::consts::TAU;

/// A circle of radius r about the origin of its frame, in the plane.
///
/// ```text
/// from outside  d = |c| − r    n = c/|c|
/// from within   d = r − |c|    n = −c/|c|     the material surrounds a bore
/// ```
///
/// At c = 0 the direction c/|c| is +x. A circle larger than the bore that contains it has a negative gap in every pose.
#[derive(Clone, Copy, Debug)]
pub struct Circle {
    radius: f64,
    inside: bool,
}

impl Circle {
    /// A disc in the plane: contact from outside.
    pub fn new(radius: f64) -> Result<Self, String> {
        let radius = positive("circle", "radius", radius)?;
        Ok(Self {
            radius,
            inside: false,
        })
    }

    /// A bore: contact from within.
    pub fn inside(radius: f64) -> Result<Self, String> {
        Ok(Self {
            inside: true,
            ..Self::new(radius)?
        })
    }
}

impl SurfaceKind for Circle {
    const SPACES: &'static [Space] = &[Space::Planar];

    fn name(&self) -> &'static str {
        if self.inside {
            "inside of a circle"
        } else {
            "circle"
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
        vec![ring(Vec3::zeros(), self.radius, [0, 1], 0.0, TAU)]
    }
}
