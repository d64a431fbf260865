use super::nearest::{COINCIDENT, direction, numbers};
use super::sphere::{round, round_curvature};
use super::{Nearest, SurfaceKind, positive, ring};
use crate::math::rotation::constant3;
use crate::math::{Real, Vec3};
use crate::model::Space;
use std::f64::consts::{PI, TAU};

/// An arc of a circle of radius r about the origin of its frame, between two angles from the x axis, in the plane.
///
/// ```text
/// c within the sector   d = |c| − r, n = c/|c|    (from within: d = r − |c|, n = −c/|c|)
/// elsewhere             d = |c − e|, n = (c − e)/|c − e|    e: the nearer end
/// ```
///
/// An arc is one side of a line without thickness: a point behind it has a negative distance within the sector only. A circle larger than an arc that contains
/// it would be in contact with the ends only; its gap is that of the complete bore.
#[derive(Clone, Copy, Debug)]
pub struct Arc {
    radius: f64,
    from: f64,
    to: f64,
    inside: bool,
}

impl Arc {
    /// An arc from the angle `from` counter-clockwise to the angle `to` (radians), with contact from outside.
    pub fn new(radius: f64, from: f64, to: f64) -> Result<Self, String> {
        let radius = positive("arc", "radius", radius)?;
        let span = to - from;
        if !(span > 0.0 && span <= TAU && from.is_finite()) {
            return Err(format!(
                "An arc from {from} rad to {to} rad: the second angle must exceed the first by at most one turn."
            ));
        }
        Ok(Self {
            radius,
            from,
            to,
            inside: false,
        })
    }

    /// An arc with contact from within.
    pub fn inside(radius: f64, from: f64, to: f64) -> Result<Self, String> {
        Ok(Self {
            inside: true,
            ..Self::new(radius, from, to)?
        })
    }

    pub(super) fn is_inside(&self) -> bool {
        self.inside
    }

    pub(super) fn radius(&self) -> f64 {
        self.radius
    }

    /// Angle of the direction of `c` from the middle of the arc, in [−π, π).
    fn angle_off_middle(&self, c: &Vec3<f64>) -> f64 {
        let angle = c[1].atan2(c[0]) - 0.5 * (self.from + self.to);
        Real::modulo(angle + PI, TAU) - PI
    }

    /// The end nearer to the direction of `c`, or `None` if the direction is within the sector.
    pub(super) fn end_beyond(&self, c: &Vec3<f64>) -> Option<Vec3<f64>> {
        let angle = self.angle_off_middle(c);
        if angle.abs() <= 0.5 * (self.to - self.from) {
            return None;
        }
        Some(self.end(usize::from(angle > 0.0)))
    }

    /// The first (0) or second (1) end.
    pub(super) fn end(&self, k: usize) -> Vec3<f64> {
        let (s, c) = if k == 0 { self.from } else { self.to }.sin_cos();
        Vec3::new(self.radius * c, self.radius * s, 0.0)
    }
}

impl SurfaceKind for Arc {
    const SPACES: &'static [Space] = &[Space::Planar];

    fn name(&self) -> &'static str {
        if self.inside {
            "inside of an arc"
        } else {
            "arc"
        }
    }

    fn examples() -> Vec<Self> {
        let arc = Self {
            radius: 0.8,
            from: 0.4,
            to: 2.9,
            inside: false,
        };
        vec![
            arc,
            Self {
                inside: true,
                ..arc
            },
        ]
    }

    fn nearest<T: Real>(&self, c: &Vec3<T>) -> Nearest<T> {
        match self.end_beyond(&numbers(c)) {
            None => round(self.radius, self.inside, c),
            Some(end) => {
                let outward = end * round_curvature(self.radius, self.inside);
                let (distance, normal) =
                    direction(&(c - constant3::<T>(&end)), &outward, COINCIDENT);
                Nearest { distance, normal }
            }
        }
    }

    fn constant_curvature(&self) -> Option<f64> {
        Some(round_curvature(self.radius, self.inside))
    }

    fn radius_of_bounds(&self) -> f64 {
        self.radius
    }

    fn outline(&self) -> Vec<Vec<Vec3<f64>>> {
        vec![ring(Vec3::zeros(), self.radius, [0, 1], self.from, self.to)]
    }
}
