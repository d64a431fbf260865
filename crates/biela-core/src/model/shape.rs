//! Shapes: the geometry of a body for display and, with a density, for its mass properties.
//!
//! Every shape is centred at its mass centre except the cone and the bar, whose positions are defined below. Solids of revolution
//! have their axis along z of their own frame. A mesh refers to an external file and is for display only: it has no mass properties.

use std::f64::consts::PI;

use super::MassProperties;
use crate::element::{Field, FieldKind, Info};
use crate::math::{Mat3, Pose, Vec3};

/// The geometry of a shape, dimensions in metres.
#[derive(Clone, Debug, PartialEq)]
pub enum ShapeKind {
    /// A box with edge lengths along x, y, z.
    Box {
        /// Edge lengths.
        size: Vec3<f64>,
    },
    /// A solid cylinder along z.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Length.
        length: f64,
    },
    /// A solid sphere.
    Sphere {
        /// Radius.
        radius: f64,
    },
    /// A solid ellipsoid.
    Ellipsoid {
        /// Semi-axes along x, y, z.
        semi_axes: Vec3<f64>,
    },
    /// A solid cone along z: base at z = 0, tip at z = `length`; mass centre at a quarter of its length.
    Cone {
        /// Radius of the base.
        radius: f64,
        /// Length from base to tip.
        length: f64,
    },
    /// A cylinder along z with hemispheres at both ends; `length` is that of the cylinder.
    Capsule {
        /// Radius.
        radius: f64,
        /// Length of the cylindrical part.
        length: f64,
    },
    /// A hollow cylinder along z.
    Tube {
        /// Outer radius.
        radius: f64,
        /// Inner radius.
        inner: f64,
        /// Length.
        length: f64,
    },
    /// A round bar between two points.
    Bar {
        /// Radius.
        radius: f64,
        /// One end.
        from: Vec3<f64>,
        /// The other end.
        to: Vec3<f64>,
    },
    /// A surface mesh in a file, for display.
    Mesh {
        /// The file name as given in the model, relative to the model file.
        file: String,
        /// Scale factors along the axes of the file; one for files in metres.
        scale: Vec3<f64>,
    },
}

const LENGTH: FieldKind = FieldKind::Positive { unit: "m" };
const RADIUS: Field = Field::required("radius", LENGTH, "radius");

impl ShapeKind {
    /// Type names in the model file, each with its fields.
    pub const LIST: &'static [Info] = &[
        Info::table(
            "box",
            "",
            &[Field::required(
                "size",
                FieldKind::Vector { unit: "m" },
                "edge lengths",
            )],
        ),
        Info::table(
            "cylinder",
            "",
            &[RADIUS, Field::required("length", LENGTH, "length along z")],
        ),
        Info::table("sphere", "", &[RADIUS]),
        Info::table(
            "ellipsoid",
            "",
            &[Field::required(
                "semi_axes",
                FieldKind::Vector { unit: "m" },
                "semi-axes along x, y, z",
            )],
        ),
        Info::table(
            "cone",
            "",
            &[
                RADIUS,
                Field::required("length", LENGTH, "length from base to tip, along z"),
            ],
        ),
        Info::table(
            "capsule",
            "",
            &[
                RADIUS,
                Field::required("length", LENGTH, "length of the cylindrical part"),
            ],
        ),
        Info::table(
            "tube",
            "",
            &[
                RADIUS,
                Field::required("inner", LENGTH, "inner radius"),
                Field::required("length", LENGTH, "length along z"),
            ],
        ),
        Info::table(
            "bar",
            "",
            &[
                RADIUS,
                Field::required("from", FieldKind::Vector { unit: "m" }, "one end"),
                Field::required("to", FieldKind::Vector { unit: "m" }, "the other end"),
            ],
        ),
        Info::table(
            "mesh",
            "",
            &[
                Field::required(
                    "file",
                    FieldKind::Text,
                    "file of the surface mesh, relative to the model file; it is only for display and is not opened",
                ),
                Field::optional(
                    "scale",
                    FieldKind::Vector { unit: "1" },
                    "",
                    "three scale factors along the axes of the file, negative ones mirror; 1 if omitted",
                ),
            ],
        ),
    ];

    /// Its type name in the model file.
    pub fn name(&self) -> &'static str {
        match self {
            ShapeKind::Box { .. } => "box",
            ShapeKind::Cylinder { .. } => "cylinder",
            ShapeKind::Sphere { .. } => "sphere",
            ShapeKind::Ellipsoid { .. } => "ellipsoid",
            ShapeKind::Cone { .. } => "cone",
            ShapeKind::Capsule { .. } => "capsule",
            ShapeKind::Tube { .. } => "tube",
            ShapeKind::Bar { .. } => "bar",
            ShapeKind::Mesh { .. } => "mesh",
        }
    }

    /// Whether it has a volume, so that a density gives it a mass.
    pub fn is_solid(&self) -> bool {
        !matches!(self, ShapeKind::Mesh { .. })
    }
}

/// A shape at a pose in its body's frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Geometry and dimensions.
    pub kind: ShapeKind,
    /// Pose of the shape's frame in the body frame.
    pub pose: Pose,
}

impl Shape {
    /// Volume, mass centre and inertia at density 1, in the body frame.
    fn unit_density(&self) -> (f64, Vec3<f64>, Mat3<f64>) {
        let diagonal = |x: f64, y: f64, z: f64| Mat3::from_diagonal(&Vec3::new(x, y, z));
        let round = |across: f64, along: f64| diagonal(across, across, along);
        let (volume, center, inertia) = match self.kind {
            ShapeKind::Box { size } => {
                let v = size[0] * size[1] * size[2];
                let [x, y, z] = [size[0] * size[0], size[1] * size[1], size[2] * size[2]];
                (v, Vec3::zeros(), diagonal(y + z, x + z, x + y) * (v / 12.0))
            }
            ShapeKind::Cylinder { radius, length } => tube(radius, 0.0, length),
            ShapeKind::Tube {
                radius,
                inner,
                length,
            } => tube(radius, inner, length),
            ShapeKind::Sphere { radius } => {
                let v = 4.0 / 3.0 * PI * radius.powi(3);
                let i = 0.4 * v * radius * radius;
                (v, Vec3::zeros(), round(i, i))
            }
            ShapeKind::Ellipsoid { semi_axes: a } => {
                let v = 4.0 / 3.0 * PI * a[0] * a[1] * a[2];
                let [x, y, z] = [a[0] * a[0], a[1] * a[1], a[2] * a[2]];
                (v, Vec3::zeros(), diagonal(y + z, x + z, x + y) * (v / 5.0))
            }
            ShapeKind::Cone { radius, length } => {
                let v = PI * radius * radius * length / 3.0;
                let along = 0.3 * v * radius * radius;
                let across = v * (3.0 / 20.0 * radius * radius + 3.0 / 80.0 * length * length);
                (v, Vec3::new(0.0, 0.0, length / 4.0), round(across, along))
            }
            ShapeKind::Capsule {
                radius: r,
                length: l,
            } => {
                let (cylinder, ball) = (PI * r * r * l, 4.0 / 3.0 * PI * r.powi(3));
                let along = cylinder * r * r / 2.0 + 0.4 * ball * r * r;
                // the mass centre of each hemisphere is 3r/8 beyond the end of the cylinder
                let across = cylinder * (r * r / 4.0 + l * l / 12.0)
                    + ball * (0.4 * r * r + l * l / 4.0 + 3.0 / 8.0 * l * r);
                (cylinder + ball, Vec3::zeros(), round(across, along))
            }
            ShapeKind::Bar { radius, from, to } => {
                let along = to - from;
                let (v, _, inertia) = tube(radius, 0.0, along.norm());
                let turn = crate::math::rotation::aligning(2, &along);
                (v, (from + to) * 0.5, turn * inertia * turn.transpose())
            }
            ShapeKind::Mesh { .. } => (0.0, Vec3::zeros(), Mat3::zeros()),
        };
        let turn = self.pose.R;
        (
            volume,
            self.pose.point(&center),
            turn * inertia * turn.transpose(),
        )
    }

    /// Mass properties at a density, in the body frame.
    pub fn solid(&self, density: f64) -> MassProperties {
        let (volume, center, inertia) = self.unit_density();
        MassProperties {
            mass: density * volume,
            center,
            inertia: inertia * density,
        }
    }

    /// Volume.
    pub fn volume(&self) -> f64 {
        self.unit_density().0
    }
}

/// Volume, centre and inertia of a tube along z at density 1.
fn tube(outer: f64, inner: f64, length: f64) -> (f64, Vec3<f64>, Mat3<f64>) {
    let v = PI * (outer * outer - inner * inner) * length;
    let square = outer * outer + inner * inner;
    let across = v * (square / 4.0 + length * length / 12.0);
    let inertia = Mat3::from_diagonal(&Vec3::new(across, across, v * square / 2.0));
    (v, Vec3::zeros(), inertia)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    /// Whether a point is inside, in the shape's frame.
    fn contains(kind: &ShapeKind, x: &Vec3<f64>) -> bool {
        let flat = x[0].hypot(x[1]);
        match *kind {
            ShapeKind::Box { size } => (0..3).all(|i| x[i].abs() <= size[i] / 2.0),
            ShapeKind::Cylinder { radius, length } => flat <= radius && x[2].abs() <= length / 2.0,
            ShapeKind::Sphere { radius } => x.norm() <= radius,
            ShapeKind::Ellipsoid { semi_axes } => x.component_div(&semi_axes).norm() <= 1.0,
            ShapeKind::Cone { radius, length } => {
                x[2] >= 0.0 && x[2] <= length && flat <= radius * (1.0 - x[2] / length)
            }
            ShapeKind::Capsule { radius, length } => {
                let beyond = (x[2].abs() - length / 2.0).max(0.0);
                flat.hypot(beyond) <= radius
            }
            ShapeKind::Tube {
                radius,
                inner,
                length,
            } => flat <= radius && flat >= inner && x[2].abs() <= length / 2.0,
            ShapeKind::Bar { radius, from, to } => {
                let d = to - from;
                let s = (x - from).dot(&d) / d.norm_squared();
                (0.0..=1.0).contains(&s) && (x - from - d * s).norm() <= radius
            }
            ShapeKind::Mesh { .. } => false,
        }
    }

    #[test]
    fn mass_properties_agree_with_summing_small_cells() {
        let kinds = [
            ShapeKind::Box {
                size: Vec3::new(0.8, 1.2, 1.8),
            },
            ShapeKind::Cylinder {
                radius: 0.6,
                length: 1.4,
            },
            ShapeKind::Sphere { radius: 0.9 },
            ShapeKind::Ellipsoid {
                semi_axes: Vec3::new(0.5, 0.7, 0.95),
            },
            ShapeKind::Cone {
                radius: 0.7,
                length: 0.95,
            },
            ShapeKind::Capsule {
                radius: 0.4,
                length: 0.9,
            },
            ShapeKind::Tube {
                radius: 0.8,
                inner: 0.5,
                length: 1.1,
            },
            ShapeKind::Bar {
                radius: 0.3,
                from: Vec3::new(-0.3, 0.1, -0.4),
                to: Vec3::new(0.5, -0.2, 0.6),
            },
        ];
        let mut random = Random::new(11);
        for kind in kinds {
            let (mut volume, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
            let (count, half) = (400_000, 1.0);
            let cell = (2.0_f64 * half).powi(3) / f64::from(count);
            for _ in 0..count {
                let x = random.vector(half);
                if contains(&kind, &x) {
                    volume += cell;
                    first += x * cell;
                    second += (Mat3::identity() * x.norm_squared() - x * x.transpose()) * cell;
                }
            }
            let name = kind.name();
            let shape = Shape {
                kind,
                pose: Pose::identity(),
            };
            let solid = shape.solid(1.0);
            assert!((solid.mass / volume - 1.0).abs() < 0.02, "volume of {name}");
            assert!(
                (solid.center - first / volume).norm() < 0.01,
                "centre of {name}"
            );
            let expected = solid.inertia_about(&Vec3::zeros());
            assert!(
                (expected - second).norm() / second.norm() < 0.03,
                "inertia of {name}"
            );
            assert!(MassProperties::new(solid.mass, solid.center, solid.inertia).is_ok());
        }
    }

    #[test]
    fn steel_cylinder_of_the_pendulum_cases_has_the_published_mass_and_inertia() {
        let shape = Shape {
            kind: ShapeKind::Cylinder {
                radius: 0.025,
                length: 1.0,
            },
            pose: Pose::identity(),
        };
        let solid = shape.solid(7801.0);
        assert!((solid.mass - 15.317_227_681_659).abs() < 1e-11);
        assert!((solid.inertia[(2, 2)] - 4.786_633_650_518e-3).abs() < 1e-14);
        assert!((solid.inertia[(0, 0)] - 1.278_828_956_963).abs() < 1e-12);
    }
}
