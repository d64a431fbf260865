use super::nearest::{COINCIDENT, direction, numbers};
use super::{Balls, Nearest, SurfaceKind, finite};
use crate::math::rotation::constant3;
use crate::math::{Real, Vec3};
use crate::model::Space;

/// A list of points of a body, each a candidate contact point: d = min |c − xₖ|.
///
/// Where c coincides with a point the normal is +x.
#[derive(Clone, Debug)]
pub struct Points {
    list: Vec<Vec3<f64>>,
}

impl Points {
    /// The points at these positions in the frame, at least one.
    pub fn new(list: Vec<Vec3<f64>>) -> Result<Self, String> {
        if list.is_empty() {
            return Err("A list of points is empty; it needs at least one point.".into());
        }
        finite("list of points", &list)?;
        Ok(Self { list })
    }
}

impl SurfaceKind for Points {
    const SPACES: &'static [Space] = &[Space::Planar, Space::Spatial];

    fn name(&self) -> &'static str {
        "list of points"
    }

    fn examples() -> Vec<Self> {
        let list = vec![Vec3::new(0.3, 0.1, 0.0), Vec3::new(-0.2, 0.25, 0.0)];
        vec![Self { list }]
    }

    fn nearest<T: Real>(&self, c: &Vec3<T>) -> Nearest<T> {
        let at = numbers(c);
        let square = |x: &Vec3<f64>| (at - x).norm_squared();
        let first = self.list[0];
        let x = self.list.iter().fold(
            first,
            |best, x| if square(x) < square(&best) { *x } else { best },
        );
        let (distance, normal) = direction(&(c - constant3::<T>(&x)), &Vec3::x(), COINCIDENT);
        Nearest { distance, normal }
    }

    fn balls(&self) -> Balls {
        Balls::Each(self.list.len())
    }

    fn ball(&self, k: usize) -> (Vec3<f64>, f64) {
        (self.list[k], 0.0)
    }

    fn is_solid(&self) -> bool {
        false
    }

    fn radius_of_bounds(&self) -> f64 {
        self.list.iter().fold(0.0, |r, x| r.max(x.norm()))
    }

    fn outline(&self) -> Vec<Vec<Vec3<f64>>> {
        self.list.iter().map(|x| vec![*x]).collect()
    }
}
