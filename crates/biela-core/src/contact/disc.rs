use super::nearest::{COINCIDENT, direction};
use super::{Nearest, SurfaceKind, positive, ring};
use crate::math::{Real, Vec3};
use crate::model::Space;
use std::f64::consts::TAU;

/// The rim of a thin disc or wheel: a circle of radius r about the z axis of its frame, with an optional rounding ρ, which makes it a torus.
///
/// ```text
/// d = |c − r e_r| − ρ     e_r: direction of c from the axis
/// ```
///
/// On the axis e_r is +x; on the circle the normal is +z. The faces of the disc are not part of the surface: use a cylinder where they matter. The candidates against a
/// half-space are the lowest point of the rim and four fixed points at the radius 0.999 r, which support a disc that lies flat. The direction of the lowest point is not
/// defined where the axis is parallel to the normal (there it is +x or −x).
#[derive(Clone, Copy, Debug)]
pub struct Disc {
    radius: f64,
    rounding: f64,
}

impl Disc {
    /// A disc with a sharp rim.
    pub fn new(radius: f64) -> Result<Self, String> {
        let radius = positive("disc", "radius", radius)?;
        Ok(Self {
            radius,
            rounding: 0.0,
        })
    }

    /// A torus: a tube of radius `rounding`, smaller than `radius`, about the circle.
    pub fn rounded(radius: f64, rounding: f64) -> Result<Self, String> {
        let disc = Self::new(radius)?;
        if !(rounding >= 0.0 && rounding < radius) {
            return Err(format!(
                "The rounding of a disc is {rounding}; it must not be negative and must be smaller than the radius, {radius}."
            ));
        }
        Ok(Self { rounding, ..disc })
    }

    pub(super) fn radius(&self) -> f64 {
        self.radius
    }

    pub(super) fn rounding(&self) -> f64 {
        self.rounding
    }
}

impl SurfaceKind for Disc {
    const SPACES: &'static [Space] = &[Space::Spatial];

    fn name(&self) -> &'static str {
        if self.rounding > 0.0 {
            "rounded disc"
        } else {
            "disc"
        }
    }

    fn examples() -> Vec<Self> {
        vec![
            Self {
                radius: 0.6,
                rounding: 0.0,
            },
            Self {
                radius: 0.6,
                rounding: 0.1,
            },
        ]
    }

    fn nearest<T: Real>(&self, c: &Vec3<T>) -> Nearest<T> {
        let (across, radial) = direction(&Vec3::new(c[0], c[1], T::zero()), &Vec3::x(), COINCIDENT);
        let mut away = radial * (across - T::constant(self.radius));
        away[2] = c[2];
        let (length, normal) = direction(&away, &Vec3::z(), COINCIDENT);
        Nearest {
            distance: length - T::constant(self.rounding),
            normal,
        }
    }

    fn is_solid(&self) -> bool {
        self.rounding > 0.0
    }

    fn radius_of_bounds(&self) -> f64 {
        self.radius + self.rounding
    }

    fn outline(&self) -> Vec<Vec<Vec3<f64>>> {
        let centre = Vec3::zeros();
        let mut lines = vec![ring(centre, self.radius + self.rounding, [0, 1], 0.0, TAU)];
        if self.rounding > 0.0 {
            lines.push(ring(centre, self.radius - self.rounding, [0, 1], 0.0, TAU));
            lines.push(ring(
                Vec3::x() * self.radius,
                self.rounding,
                [0, 2],
                0.0,
                TAU,
            ));
            lines.push(ring(
                Vec3::y() * self.radius,
                self.rounding,
                [1, 2],
                0.0,
                TAU,
            ));
        }
        lines
    }
}
