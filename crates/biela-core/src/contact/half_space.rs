use super::{Nearest, SurfaceKind};
use crate::math::rotation::unit;
use crate::math::{Real, Vec3};
use crate::model::Space;

/// The half-space z ≤ 0 of its frame, bounded by the x-y plane: d = z, n = +z. Unbounded.
///
/// Its outline shows the part within 1 m of the origin.
#[derive(Clone, Copy, Debug)]
pub struct HalfSpace;

impl SurfaceKind for HalfSpace {
    const SPACES: &'static [Space] = &[Space::Spatial];

    fn name(&self) -> &'static str {
        "half-space"
    }

    fn examples() -> Vec<Self> {
        vec![HalfSpace]
    }

    fn nearest<T: Real>(&self, c: &Vec3<T>) -> Nearest<T> {
        Nearest {
            distance: c[2],
            normal: unit(2),
        }
    }

    fn has_convex_complement(&self) -> bool {
        true
    }

    fn constant_curvature(&self) -> Option<f64> {
        Some(0.0)
    }

    fn radius_of_bounds(&self) -> f64 {
        f64::INFINITY
    }

    fn outline(&self) -> Vec<Vec<Vec3<f64>>> {
        let [x, y] = [Vec3::x(), Vec3::y()];
        vec![vec![x + y, y - x, -x - y, x - y, x + y]]
    }
}
