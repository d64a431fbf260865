use super::nearest::{COINCIDENT, direction, numbers};
use super::{Balls, Face, Nearest, SurfaceKind, finite};
use crate::math::rotation::{constant3, dot};
use crate::math::{Mat3, Real, Vec3};
use crate::model::Space;

/// A convex polygon in the plane with counter-clockwise vertices vᵢ and outward edge normals nᵢ.
///
/// ```text
/// inside               d = maxᵢ nᵢ · (c − vᵢ)        the nearest edge
/// outside, at an edge  d = nᵢ · (c − vᵢ)
/// outside, at a vertex d = |c − vᵢ|
/// ```
///
/// The candidate contact points with a line, a bore or another polygon are the vertices (of both polygons).
#[derive(Clone, Debug)]
pub struct Polygon {
    vertices: Vec<Vec3<f64>>,
    normals: Vec<Vec3<f64>>,
}

impl Polygon {
    /// A polygon with these vertices (x, y), counter-clockwise, each a strict convex angle.
    pub fn new(vertices: &[[f64; 2]]) -> Result<Self, String> {
        let n = vertices.len();
        if n < 3 {
            return Err(format!(
                "A polygon has {n} vertices; it needs at least three."
            ));
        }
        let vertices: Vec<_> = vertices
            .iter()
            .map(|v| Vec3::new(v[0], v[1], 0.0))
            .collect();
        finite("polygon", &vertices)?;
        let edge = |i: usize| vertices[(i + 1) % n] - vertices[i];
        let mut turn = 0.0;
        for i in 0..n {
            let (a, b) = (edge(i), edge((i + 1) % n));
            let (sine, cosine) = (a[0] * b[1] - a[1] * b[0], a.dot(&b));
            if sine <= 1e-12 * a.norm() * b.norm() {
                return Err(format!(
                    "Vertex {} of a polygon is not a convex angle; list the vertices of a convex polygon counter-clockwise, without repetition and without vertices on an edge.",
                    (i + 1) % n + 1
                ));
            }
            turn += sine.atan2(cosine);
        }
        if turn > 7.0 {
            return Err("The edges of a polygon intersect each other; list its vertices once, counter-clockwise.".into());
        }
        let normals = (0..n)
            .map(|i| Vec3::new(edge(i)[1], -edge(i)[0], 0.0) / edge(i).norm())
            .collect();
        Ok(Self { vertices, normals })
    }

    fn next(&self, i: usize) -> Vec3<f64> {
        self.vertices[(i + 1) % self.vertices.len()]
    }

    /// The edge of greatest signed distance, with this distance.
    fn foremost(&self, c: &Vec3<f64>) -> (usize, f64) {
        let height = |i: usize| self.normals[i].dot(&(c - self.vertices[i]));
        (1..self.vertices.len()).fold((0, height(0)), |best, i| {
            if height(i) > best.1 {
                (i, height(i))
            } else {
                best
            }
        })
    }

    /// The vertex nearest to an outside point, or the edge if the foot of its perpendicular lies between the vertices.
    fn nearest_feature(&self, c: &Vec3<f64>) -> Result<usize, usize> {
        let mut best = (f64::INFINITY, Err(0));
        for (i, v) in self.vertices.iter().enumerate() {
            let edge = self.next(i) - v;
            let along = (c - v).dot(&edge) / edge.norm_squared();
            let vertex = (c - v).norm();
            if vertex < best.0 {
                best = (vertex, Err(i));
            }
            let height = self.normals[i].dot(&(c - v));
            if (0.0..=1.0).contains(&along) && height >= 0.0 && height <= best.0 {
                best = (height, Ok(i));
            }
        }
        best.1
    }
}

impl SurfaceKind for Polygon {
    const SPACES: &'static [Space] = &[Space::Planar];

    fn name(&self) -> &'static str {
        "polygon"
    }

    fn examples() -> Vec<Self> {
        Self::new(&[[-0.5, -0.3], [0.6, -0.4], [0.7, 0.2], [0.0, 0.5]])
            .into_iter()
            .collect()
    }

    fn nearest<T: Real>(&self, c: &Vec3<T>) -> Nearest<T> {
        let at = numbers(c);
        let (edge, height) = self.foremost(&at);
        let feature = if height <= 0.0 {
            Ok(edge)
        } else {
            self.nearest_feature(&at)
        };
        match feature {
            Ok(i) => {
                let normal = constant3(&self.normals[i]);
                let distance = dot(&normal, &(c - constant3::<T>(&self.vertices[i])));
                Nearest { distance, normal }
            }
            Err(i) => {
                let away = c - constant3::<T>(&self.vertices[i]);
                let (distance, normal) = direction(&away, &self.normals[i], COINCIDENT);
                Nearest { distance, normal }
            }
        }
    }

    fn num_faces(&self) -> usize {
        self.vertices.len()
    }

    fn face(&self, k: usize) -> Face {
        Face {
            point: self.vertices[k],
            normal: self.normals[k],
        }
    }

    fn balls(&self) -> Balls {
        Balls::Hull(self.vertices.len())
    }

    fn ball(&self, k: usize) -> (Vec3<f64>, f64) {
        (self.vertices[k], 0.0)
    }

    fn curvature(&self, _x: &Vec3<f64>, n: &Vec3<f64>) -> Option<Mat3<f64>> {
        let flat = self.normals.iter().any(|edge| edge.dot(n) > 1.0 - 1e-12);
        flat.then(Mat3::zeros)
    }

    fn radius_of_bounds(&self) -> f64 {
        self.vertices.iter().fold(0.0, |r, v| r.max(v.norm()))
    }

    fn outline(&self) -> Vec<Vec<Vec3<f64>>> {
        let mut closed = self.vertices.clone();
        closed.push(self.vertices[0]);
        vec![closed]
    }
}
