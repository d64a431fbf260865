//! Surfaces of the shapes of bodies, as triangles with vertex normals.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use super::vector::{V3, across, add, cross, direction, length, scaled, sub};
use crate::scene::ShapeGeometry;

/// The number of segments of a full circle.
const AROUND: usize = 48;
/// The number of segments of a half circle from pole to pole.
const ALONG: usize = 14;

/// Triangles with vertices in anticlockwise order, seen from outside.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    /// Vertex and outward normal.
    pub(super) corners: Vec<(V3, V3)>,
    /// Three vertex indices each.
    pub(super) triangles: Vec<[u32; 3]>,
}

impl Surface {
    /// Vertices that represent the extent: all of a few, a sample of many.
    pub(super) fn outer(&self) -> impl Iterator<Item = &(V3, V3)> {
        let every = if self.corners.len() <= 64 { 1 } else { 7 };
        self.corners.iter().step_by(every)
    }

    fn corner(&mut self, at: V3, normal: V3) -> u32 {
        self.corners.push((at, normal));
        self.corners.len() as u32 - 1
    }

    /// Adds a flat face with vertices in order.
    fn face(&mut self, corners: &[V3]) {
        let normal = cross(sub(corners[1], corners[0]), sub(corners[2], corners[0]));
        let normal = direction(normal, [0.0, 0.0, 1.0]);
        let first = self.corners.len() as u32;
        self.corners.extend(corners.iter().map(|at| (*at, normal)));
        for k in 1..corners.len() as u32 - 1 {
            self.triangles.push([first, first + k, first + k + 1]);
        }
    }

    /// Adds a closed strip of quadrilaterals between two rows of vertices.
    fn ring(&mut self, lower: u32, upper: u32, around: u32) {
        for k in 0..around {
            let next = (k + 1) % around;
            let (a, b) = (lower + k, lower + next);
            let (c, d) = (upper + next, upper + k);
            self.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }

    /// Adds a surface of revolution about z: radius, height and the radial and axial component of the normal, from bottom to top.
    fn turned(&mut self, outline: &[[f32; 4]]) {
        let mut rows = Vec::with_capacity(outline.len());
        for &[radius, z, out, up] in outline {
            rows.push(self.corners.len() as u32);
            for k in 0..AROUND {
                let (s, c) = (TAU * k as f32 / AROUND as f32).sin_cos();
                let _ = self.corner([radius * c, radius * s, z], [out * c, out * s, up]);
            }
        }
        for pair in rows.windows(2) {
            self.ring(pair[0], pair[1], AROUND as u32);
        }
    }

    /// An outline in pieces, each with its own normals, so that edges stay sharp.
    fn pieces(pieces: &[&[[f32; 4]]]) -> Self {
        let mut surface = Surface::default();
        for piece in pieces {
            surface.turned(piece);
        }
        surface
    }

    /// The surface of a shape in its own frame; `None` for a mesh, which comes from a file.
    pub(super) fn of(form: &ShapeGeometry) -> Option<Self> {
        let single = |x: &f64| *x as f32;
        Some(match form {
            ShapeGeometry::Box { size } => boxed(size.map(|x| 0.5 * x as f32)),
            ShapeGeometry::Cylinder { radius, length } => cylinder(single(radius), single(length)),
            ShapeGeometry::Sphere { radius } => ellipsoid([single(radius); 3]),
            ShapeGeometry::Ellipsoid { semi_axes } => ellipsoid(semi_axes.map(|x| x as f32)),
            ShapeGeometry::Cone { radius, length } => cone(single(radius), single(length)),
            ShapeGeometry::Capsule { radius, length } => capsule(single(radius), single(length)),
            ShapeGeometry::Tube {
                radius,
                inner,
                length,
            } => tube(single(radius), single(inner), single(length)),
            ShapeGeometry::Bar { radius, from, to } => {
                bar(single(radius), from.map(|x| x as f32), to.map(|x| x as f32))
            }
            ShapeGeometry::Mesh { .. } => return None,
        })
    }

    /// Maps every vertex and normal.
    pub(super) fn mapped(mut self, map: impl Fn((V3, V3)) -> (V3, V3)) -> Self {
        for corner in &mut self.corners {
            *corner = map(*corner);
        }
        self
    }
}

fn boxed(h: V3) -> Surface {
    let mut surface = Surface::default();
    for axis in 0..3 {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in [1.0, -1.0] {
            let corner = |x: f32, y: f32| {
                let mut p = [0.0; 3];
                (p[axis], p[i], p[j]) = (side * h[axis], side * x * h[i], y * h[j]);
                p
            };
            surface.face(&[
                corner(-1.0, -1.0),
                corner(1.0, -1.0),
                corner(1.0, 1.0),
                corner(-1.0, 1.0),
            ]);
        }
    }
    surface
}

/// A disc at height z that faces up or down.
fn disc(radius: f32, inner: f32, z: f32, up: f32) -> [[f32; 4]; 2] {
    // from bottom to top means inward on top, outward at the bottom
    let (first, second) = if up > 0.0 {
        (radius, inner)
    } else {
        (inner, radius)
    };
    [[first, z, 0.0, up], [second, z, 0.0, up]]
}

fn cylinder(radius: f32, length: f32) -> Surface {
    tube(radius, 0.0, length)
}

fn tube(radius: f32, inner: f32, length: f32) -> Surface {
    let h = 0.5 * length;
    let outside = [[radius, -h, 1.0, 0.0], [radius, h, 1.0, 0.0]];
    let inside = [[inner, h, -1.0, 0.0], [inner, -h, -1.0, 0.0]];
    let (below, above) = (disc(radius, inner, -h, -1.0), disc(radius, inner, h, 1.0));
    if inner > 0.0 {
        Surface::pieces(&[&below, &outside, &above, &inside])
    } else {
        Surface::pieces(&[&below, &outside, &above])
    }
}

fn cone(radius: f32, length: f32) -> Surface {
    let n = radius.hypot(length).max(f32::MIN_POSITIVE);
    let (out, up) = (length / n, radius / n);
    Surface::pieces(&[
        &disc(radius, 0.0, 0.0, -1.0),
        &[[radius, 0.0, out, up], [0.0, length, out, up]],
    ])
}

/// A half circle of latitudes, with the centres of the two halves moved apart.
fn round(radius: f32, apart: f32) -> Vec<[f32; 4]> {
    let half = |from: f32, z: f32| {
        (0..=ALONG / 2).map(move |k| {
            let (s, c) = (from + FRAC_PI_2 * k as f32 / (ALONG / 2) as f32).sin_cos();
            [radius * c, z + radius * s, c, s]
        })
    };
    half(-FRAC_PI_2, -apart).chain(half(0.0, apart)).collect()
}

fn capsule(radius: f32, length: f32) -> Surface {
    Surface::pieces(&[&round(radius, 0.5 * length)])
}

fn ellipsoid(semi: V3) -> Surface {
    let ball = Surface::pieces(&[&round(1.0, 0.0)]);
    let normal = |n: V3| {
        let n: [f32; 3] = std::array::from_fn(|k| n[k] / semi[k].max(f32::MIN_POSITIVE));
        direction(n, [0.0, 0.0, 1.0])
    };
    ball.mapped(|(p, n)| (std::array::from_fn(|k| p[k] * semi[k]), normal(n)))
}

fn bar(radius: f32, from: V3, to: V3) -> Surface {
    let along = sub(to, from);
    let axis = direction(along, [0.0, 0.0, 1.0]);
    let (x, y) = across(axis);
    let middle = scaled(add(from, to), 0.5);
    let turn = |v: V3| add(add(scaled(x, v[0]), scaled(y, v[1])), scaled(axis, v[2]));
    // round ends match the pins at the joints
    capsule(radius, length(along)).mapped(|(p, n)| (add(middle, turn(p)), turn(n)))
}

/// A helix between two points with straight ends: the symbol of a spring.
pub(super) fn coil(from: V3, to: V3, radius: f32) -> Vec<V3> {
    const TURNS: usize = 8;
    const POINTS: usize = 16 * TURNS;
    let along = sub(to, from);
    let axis = direction(along, [1.0, 0.0, 0.0]);
    let (x, y) = across(axis);
    let mut points = vec![from];
    points.extend((0..=POINTS).map(|k| {
        let share = k as f32 / POINTS as f32;
        let (s, c) = (2.0 * PI * TURNS as f32 * share).sin_cos();
        let middle = add(from, scaled(along, 0.12 + 0.76 * share));
        add(middle, add(scaled(x, radius * c), scaled(y, radius * s)))
    }));
    points.push(to);
    points
}

#[cfg(test)]
mod tests {
    use super::super::vector::dot;
    use super::*;

    /// The volume inside a closed surface; positive if its triangles face outward.
    fn volume(surface: &Surface) -> f32 {
        let at = |k: u32| surface.corners[k as usize].0;
        let of = |t: &[u32; 3]| dot(at(t[0]), cross(at(t[1]), at(t[2]))) / 6.0;
        surface.triangles.iter().map(of).sum()
    }

    #[test]
    fn surfaces_enclose_the_volume_of_their_shape() {
        let (r, l) = (0.3_f64, 0.8_f64);
        let pi = std::f64::consts::PI;
        let ball = 4.0 / 3.0 * pi * r.powi(3);
        let bar = ShapeGeometry::Bar {
            radius: r,
            from: [0.1, 0.2, 0.3],
            to: [0.1, 0.2 + l, 0.3],
        };
        let tube = ShapeGeometry::Tube {
            radius: r,
            inner: 0.1,
            length: l,
        };
        let cases = [
            (
                ShapeGeometry::Box {
                    size: [0.2, 0.3, 0.4],
                },
                0.024,
            ),
            (
                ShapeGeometry::Cylinder {
                    radius: r,
                    length: l,
                },
                pi * r * r * l,
            ),
            (ShapeGeometry::Sphere { radius: r }, ball),
            (
                ShapeGeometry::Ellipsoid {
                    semi_axes: [r, 2.0 * r, 3.0 * r],
                },
                6.0 * ball,
            ),
            (
                ShapeGeometry::Cone {
                    radius: r,
                    length: l,
                },
                pi * r * r * l / 3.0,
            ),
            (
                ShapeGeometry::Capsule {
                    radius: r,
                    length: l,
                },
                pi * r * r * l + ball,
            ),
            (tube, pi * (r * r - 0.01) * l),
            (bar, pi * r * r * l + ball),
        ];
        for (form, expected) in cases {
            let surface = Surface::of(&form).unwrap_or_default();
            let found = f64::from(volume(&surface));
            assert!(
                (found / expected - 1.0).abs() < 0.03,
                "{form:?}: {found} for {expected}"
            );
        }
    }

    #[test]
    fn normals_agree_with_the_orientation_of_the_triangles() {
        for form in [
            ShapeGeometry::Box { size: [1.0; 3] },
            ShapeGeometry::Sphere { radius: 1.0 },
            ShapeGeometry::Cone {
                radius: 1.0,
                length: 1.0,
            },
            ShapeGeometry::Tube {
                radius: 1.0,
                inner: 0.5,
                length: 1.0,
            },
        ] {
            let surface = Surface::of(&form).unwrap_or_default();
            for t in &surface.triangles {
                let [a, b, c] = t.map(|k| surface.corners[k as usize]);
                let face = cross(sub(b.0, a.0), sub(c.0, a.0));
                if length(face) > 1e-6 {
                    assert!(dot(face, add(a.1, add(b.1, c.1))) > 0.0, "{form:?}");
                }
            }
        }
    }
}
