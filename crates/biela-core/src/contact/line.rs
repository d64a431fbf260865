use super::{Nearest, SurfaceKind};
use crate::math::rotation::unit;
use crate::math::{Real, Vec3};
use crate::model::Space;

/// The half-plane y ≤ 0 of its frame, bounded by the x axis: d = y, n = +y. Unbounded.
///
/// Its outline shows the part within 1 m of the origin.
#[derive(Clone, Copy, Debug)]
pub struct Line;

impl SurfaceKind for Line {
    const SPACES: &'static [Space] = &[Space::Planar];

    fn name(&self) -> &'static str {
        "line"
    }

    fn examples() -> Vec<Self> {
        vec![Line]
    }

    fn nearest<T: Real>(&self, c: &Vec3<T>) -> Nearest<T> {
        Nearest {
            distance: c[1],
            normal: unit(1),
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
        vec![vec![-Vec3::x(), Vec3::x()]]
    }
}
