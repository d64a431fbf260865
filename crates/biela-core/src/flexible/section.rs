//! What the cross-section of a beam contributes: `EA`, `EI` about the normal of the plane, mass a length.

use std::f64::consts::PI;

use crate::element::{Field, FieldKind};

/// The form of a cross-section; lengths in the plane of the beam are heights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Profile {
    /// A full circle.
    Circle {
        /// Radius.
        radius: f64,
    },
    /// A circle with a concentric hole.
    Tube {
        /// Outer radius.
        radius: f64,
        /// Inner radius.
        inner: f64,
    },
    /// A rectangle.
    Rectangle {
        /// Normal to the plane.
        width: f64,
        /// In the plane, across the beam.
        height: f64,
    },
    /// Two flanges and the web between them, which lies in the plane.
    I {
        /// Width of the flanges, normal to the plane.
        width: f64,
        /// Over all, in the plane.
        height: f64,
        /// Thickness of each flange.
        flange: f64,
        /// Thickness of the web.
        web: f64,
    },
}

const LENGTH: FieldKind = FieldKind::Positive { unit: "m" };
const WIDTH: Field = Field::required("width", LENGTH, "normal to the plane");
const HEIGHT: Field = Field::required("height", LENGTH, "in the plane, across the beam");

impl Profile {
    /// Words in the model file with their fields.
    pub const LIST: &'static [(&'static str, &'static [Field])] = &[
        ("circle", &[Field::required("radius", LENGTH, "radius")]),
        (
            "tube",
            &[
                Field::required("radius", LENGTH, "outer radius"),
                Field::required("inner", LENGTH, "inner radius"),
            ],
        ),
        ("rectangle", &[WIDTH, HEIGHT]),
        (
            "I",
            &[
                WIDTH,
                HEIGHT,
                Field::required("flange", LENGTH, "thickness of each flange"),
                Field::required(
                    "web",
                    LENGTH,
                    "thickness of the web, which lies in the plane",
                ),
            ],
        ),
    ];

    /// Whether its lengths fit together.
    pub fn is_sound(&self) -> bool {
        match *self {
            Profile::Tube { radius, inner } => inner < radius,
            Profile::I {
                width,
                height,
                flange,
                web,
            } => web <= width && 2.0 * flange <= height,
            Profile::Circle { .. } | Profile::Rectangle { .. } => true,
        }
    }

    /// Its lengths, four at most.
    fn lengths(&self) -> [f64; 4] {
        match *self {
            Profile::Circle { radius } => [radius, 0.0, 0.0, 0.0],
            Profile::Tube { radius, inner } => [radius, inner, 0.0, 0.0],
            Profile::Rectangle { width, height } => [width, height, 0.0, 0.0],
            Profile::I {
                width,
                height,
                flange,
                web,
            } => [width, height, flange, web],
        }
    }

    /// The section on the way to another of the same kind; `None` where the kinds differ.
    pub fn between(&self, other: &Self, share: f64) -> Option<Self> {
        if std::mem::discriminant(self) != std::mem::discriminant(other) {
            return None;
        }
        let (from, to) = (self.lengths(), other.lengths());
        let [a, b, c, d] = std::array::from_fn(|i| from[i] + share * (to[i] - from[i]));
        Some(match self {
            Profile::Circle { .. } => Profile::Circle { radius: a },
            Profile::Tube { .. } => Profile::Tube {
                radius: a,
                inner: b,
            },
            Profile::Rectangle { .. } => Profile::Rectangle {
                width: a,
                height: b,
            },
            Profile::I { .. } => Profile::I {
                width: a,
                height: b,
                flange: c,
                web: d,
            },
        })
    }

    /// Area.
    pub fn area(&self) -> f64 {
        match *self {
            Profile::Circle { radius } => PI * radius * radius,
            Profile::Tube { radius, inner } => PI * (radius * radius - inner * inner),
            Profile::Rectangle { width, height } => width * height,
            Profile::I {
                width,
                height,
                flange,
                web,
            } => width * height - (width - web) * (height - 2.0 * flange),
        }
    }

    /// Second moment of area about the normal of the plane through the centroid.
    pub fn second_moment(&self) -> f64 {
        let rectangle = |width: f64, height: f64| width * height.powi(3) / 12.0;
        match *self {
            Profile::Circle { radius } => PI / 4.0 * radius.powi(4),
            Profile::Tube { radius, inner } => PI / 4.0 * (radius.powi(4) - inner.powi(4)),
            Profile::Rectangle { width, height } => rectangle(width, height),
            Profile::I {
                width,
                height,
                flange,
                web,
            } => rectangle(width, height) - rectangle(width - web, height - 2.0 * flange),
        }
    }

    /// Second moment of area about the other axis of the section, along its height.
    pub fn second_moment_across(&self) -> f64 {
        let rectangle = |width: f64, height: f64| width * height.powi(3) / 12.0;
        match *self {
            Profile::Circle { .. } | Profile::Tube { .. } => self.second_moment(),
            Profile::Rectangle { width, height } => rectangle(height, width),
            Profile::I {
                width,
                height,
                flange,
                web,
            } => 2.0 * rectangle(flange, width) + rectangle(height - 2.0 * flange, web),
        }
    }

    /// Whether it resists bending alike in all directions.
    pub fn bends_alike(&self) -> bool {
        let (about, across) = (self.second_moment(), self.second_moment_across());
        (about - across).abs() <= 1e-6 * about.max(across)
    }
}

/// Stiffness and mass of a piece of beam.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// Stiffness against stretch, N.
    pub axial: f64,
    /// Stiffness against bending, N·m².
    pub bending: f64,
    /// Mass a length, kg/m.
    pub mass: f64,
    /// Stress by strain rate is this time times the stiffness (Kelvin-Voigt), s.
    pub damping: f64,
}

impl Section {
    /// A section of one material, without damping.
    pub fn new(profile: &Profile, young: f64, density: f64) -> Self {
        Section {
            axial: young * profile.area(),
            bending: young * profile.second_moment(),
            mass: density * profile.area(),
            damping: 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_have_the_area_and_second_moment_of_tables() {
        // IPE 100 without fillets: b 55, h 100, tf 5.7, tw 4.1 mm
        let i = Profile::I {
            width: 55.0,
            height: 100.0,
            flange: 5.7,
            web: 4.1,
        };
        let web = 4.1 * 88.6_f64.powi(3) / 12.0;
        let flange = 55.0 * 5.7_f64.powi(3) / 12.0 + 55.0 * 5.7 * 47.15_f64.powi(2);
        assert!((i.area() - (2.0 * 55.0 * 5.7 + 88.6 * 4.1)).abs() < 1e-9);
        assert!((i.second_moment() - (web + 2.0 * flange)).abs() < 1e-6);
        let (circle, tube) = (
            Profile::Circle { radius: 0.02 },
            Profile::Tube {
                radius: 0.02,
                inner: 0.01,
            },
        );
        let inner = Profile::Circle { radius: 0.01 };
        assert!((circle.second_moment() - 1.256_637e-7).abs() < 1e-12);
        let difference = circle.second_moment() - inner.second_moment();
        assert!((tube.second_moment() - difference).abs() < 1e-20);
        let square = Profile::Rectangle {
            width: 0.1,
            height: 0.2,
        };
        assert!((square.second_moment() - 0.1 * 0.008 / 12.0).abs() < 1e-18);
        assert!((square.second_moment_across() - 0.2 * 0.001 / 12.0).abs() < 1e-18);
        let flanges = 5.7 * 55.0_f64.powi(3) / 12.0;
        let web = 88.6 * 4.1_f64.powi(3) / 12.0;
        assert!((i.second_moment_across() - (2.0 * flanges + web)).abs() < 1e-6);
        assert!(circle.bends_alike() && tube.bends_alike());
        assert!(!square.bends_alike() && !i.bends_alike());
    }
}
