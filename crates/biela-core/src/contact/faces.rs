//! Flat faces on which a sharp point can slide, and which it can leave at an edge or a vertex.
//!
//! While a point is in contact with a face, its gap is the distance from the plane of the face: the distance from the surface has no normal at its edges, where the
//! point can come to lie within rounding. It stays on the face up to its boundary.

use super::{Nearest, Surface};
use crate::math::rotation::{constant3, dot};
use crate::math::{Jet, Real, Vec3};

/// A point and the outward normal of the plane of a face.
#[derive(Clone, Copy, Debug)]
pub struct Face {
    /// A point of the plane.
    pub point: Vec3<f64>,
    /// The unit outward normal.
    pub normal: Vec3<f64>,
}

impl Face {
    /// The signed distance of a point from the plane.
    fn height<T: Real>(&self, c: &Vec3<T>) -> T {
        dot(&constant3(&self.normal), &(c - constant3::<T>(&self.point)))
    }
}

impl Surface {
    /// The faces of a convex body; none if it has others than flat ones.
    fn faces(&self) -> impl Iterator<Item = Face> + '_ {
        (0..self.num_faces()).map(|k| self.face(k))
    }

    /// Returns signed distance and normal of the plane of a face at the point `c`.
    pub(super) fn on_face<T: Real>(&self, face: usize, c: &Vec3<T>) -> Nearest<T> {
        let face = self.face(face);
        Nearest {
            distance: face.height(c),
            normal: constant3(&face.normal),
        }
    }

    /// The face with which a moving point comes into contact: of those whose planes it has reached, up to a distance, the last one that it passes. `None` without faces.
    pub(super) fn touched_face(&self, c: &Vec3<Jet>, reach: f64) -> Option<usize> {
        let heights = self.faces().map(|face| face.height(c));
        let highest = heights.fold(f64::NEG_INFINITY, |most, h| most.max(h.value));
        let reached = self.faces().map(|face| face.height(c)).enumerate();
        let reached = reached.filter(|(_, h)| h.value >= highest - reach);
        let last = reached.max_by(|a, b| a.1.rate.total_cmp(&b.1.rate));
        last.map(|(face, _)| face)
    }

    /// The distance of a point on a face from its boundary, measured across the planes of the other faces; negative outside.
    pub(super) fn margin(&self, face: usize, c: &Vec3<f64>) -> f64 {
        let others = self.faces().enumerate().filter(|(k, _)| *k != face);
        others.fold(f64::INFINITY, |least, (_, other)| {
            least.min(-other.height(c))
        })
    }
}
