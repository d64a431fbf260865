use super::nearest::{COINCIDENT, direction};
use super::{Balls, Nearest, SurfaceKind};
use crate::math::{Real, Vec3};
use crate::model::Space;

/// A point, the origin of its frame: d = |c|.
///
/// At c = 0 the normal is +x. Place the frame at a pin, a stylus or the tip of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Point;

impl SurfaceKind for Point {
    const SPACES: &'static [Space] = &[Space::Planar, Space::Spatial];

    fn name(&self) -> &'static str {
        "point"
    }

    fn examples() -> Vec<Self> {
        vec![Point]
    }

    fn nearest<T: Real>(&self, c: &Vec3<T>) -> Nearest<T> {
        let (distance, normal) = direction(c, &Vec3::x(), COINCIDENT);
        Nearest { distance, normal }
    }

    fn balls(&self) -> Balls {
        Balls::Each(1)
    }

    fn is_solid(&self) -> bool {
        false
    }

    fn radius_of_bounds(&self) -> f64 {
        0.0
    }

    fn outline(&self) -> Vec<Vec<Vec3<f64>>> {
        vec![vec![Vec3::zeros()]]
    }
}
