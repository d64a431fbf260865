use super::nearest::{COINCIDENT, direction, numbers};
use super::{Balls, Nearest, SurfaceKind, finite, ring};
use crate::math::rotation::{constant3, dot};
use crate::math::{Mat3, Real, Vec3};
use crate::model::Space;
use std::f64::consts::PI;

/// A segment from a to b in the plane, or the points within the radius r of it.
///
/// ```text
/// beside it       d = |m·(c − a)| − r      n = ±m, the side of c       m ⟂ b − a, to its left
/// beyond an end   d = |c − e| − r          n = (c − e)/|c − e|         e = a or b
/// ```
///
/// On the segment the normal is m. A segment without radius has two sides; a point cannot penetrate it, so that it can be paired with circles and with the
/// surfaces that its ends can penetrate.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    ends: [Vec3<f64>; 2],
    radius: f64,
    /// Unit vectors along the segment and to its left.
    along: Vec3<f64>,
    left: Vec3<f64>,
}

impl Segment {
    /// A segment between two points, with a radius of zero or more.
    pub fn new(from: [f64; 2], to: [f64; 2], radius: f64) -> Result<Self, String> {
        let ends = [from, to].map(|[x, y]| Vec3::new(x, y, 0.0));
        finite("segment", &ends)?;
        if !(radius >= 0.0 && radius.is_finite()) {
            return Err(format!(
                "The radius of a segment is {radius}; it must be zero or more, and finite."
            ));
        }
        let length = (ends[1] - ends[0]).norm();
        if length <= COINCIDENT || !length.is_finite() {
            return Err("The ends of a segment coincide. Give it two different points.".to_owned());
        }
        let along = (ends[1] - ends[0]) / length;
        Ok(Self {
            ends,
            radius,
            along,
            left: Vec3::new(-along[1], along[0], 0.0),
        })
    }

    /// The end beyond which a point lies; `None` if it lies beside the segment.
    fn end_before(&self, c: &Vec3<f64>) -> Option<usize> {
        if self.along.dot(&(c - self.ends[0])) < 0.0 {
            Some(0)
        } else if self.along.dot(&(c - self.ends[1])) > 0.0 {
            Some(1)
        } else {
            None
        }
    }
}

impl SurfaceKind for Segment {
    const SPACES: &'static [Space] = &[Space::Planar];

    fn name(&self) -> &'static str {
        "segment"
    }

    fn examples() -> Vec<Self> {
        let both = [
            Self::new([-0.4, -0.1], [0.5, 0.2], 0.0),
            Self::new([-0.3, 0.1], [0.4, 0.1], 0.1),
        ];
        both.into_iter().flatten().collect()
    }

    fn nearest<T: Real>(&self, c: &Vec3<T>) -> Nearest<T> {
        let (length, normal) = if let Some(end) = self.end_before(&numbers(c)) {
            let away = c - constant3::<T>(&self.ends[end]);
            direction(&away, &self.left, COINCIDENT)
        } else {
            let left = constant3::<T>(&self.left);
            let height = dot(&left, &(c - constant3::<T>(&self.ends[0])));
            if height.number() < 0.0 {
                (-height, -left)
            } else {
                (height, left)
            }
        };
        Nearest {
            distance: length - T::constant(self.radius),
            normal,
        }
    }

    fn balls(&self) -> Balls {
        Balls::Hull(2)
    }

    fn ball(&self, k: usize) -> (Vec3<f64>, f64) {
        (self.ends[k], self.radius)
    }

    fn is_solid(&self) -> bool {
        self.radius > 0.0
    }

    fn constant_curvature(&self) -> Option<f64> {
        (self.radius > 0.0).then(|| 1.0 / self.radius)
    }

    fn curvature(&self, x: &Vec3<f64>, n: &Vec3<f64>) -> Option<Mat3<f64>> {
        if self.end_before(x).is_none() {
            return Some(Mat3::zeros());
        }
        let curvature = self.constant_curvature()?;
        Some((Mat3::identity() - n * n.transpose()) * curvature)
    }

    fn radius_of_bounds(&self) -> f64 {
        self.radius + self.ends[0].norm().max(self.ends[1].norm())
    }

    fn outline(&self) -> Vec<Vec<Vec3<f64>>> {
        let [a, b] = self.ends;
        if self.radius == 0.0 {
            return vec![vec![a, b]];
        }
        let right = self.left[1].atan2(self.left[0]) - PI;
        let mut line = ring(b, self.radius, [0, 1], right, right + PI);
        line.extend(ring(a, self.radius, [0, 1], right + PI, right + 2.0 * PI));
        line.push(line[0]);
        vec![line]
    }
}
