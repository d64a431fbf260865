//! The geometry of contact between two rigid surfaces.
//!
//! A [`SurfacePair`] maps the pose (R, p) of frame M in frame F to a fixed number of candidate contact points. Each has
//!
//! ```text
//! gap g      signed distance, negative if the surfaces penetrate each other
//! normal n   unit common normal, from the first surface to the second
//! point x    on the common normal, halfway between the two surfaces
//! ġ = n · (v + ω × (x − p))     with v = ṗ and ω the angular velocity of M in F, in the axes of F
//! ```
//!
//! The functions are stateless and generic over [`Real`]: with [`Jet`](crate::math::Jet) arguments the first and second derivatives of the gap are exact, also
//! where a nearest point is found by an iteration (see the implicit solution in `nearest`). Only the selection of features, such as the edge of a polygon,
//! depends on the numbers alone; the gap is continuous across such a change, its derivatives are not.
//!
//! Most pairs are one formula: the signed distance d(c) of a surface from the centre c of a ball of radius ρ, g = d(c) − ρ. A point is a ball of radius zero; a
//! capsule, a box and a polygon are the convex hulls of balls, so against a half-space or from within a bore their end balls are the candidates.
//!
//! A collision library such as parry (in `f64`) provides broad phases, convex hulls and triangle meshes. It was weighed against these pairs: a contact that
//! is an event or a constraint row needs two smooth derivatives of the gap, which its contact manifolds do not have (they are good to about 1e-7, from
//! iterations with such tolerances); it has no smooth curves, bores or ellipsoids; its results depend on the instruction set unless a slow option is set. The
//! exact pairs are therefore our own, and a library remains useful for meshes only.
//!
//! ```
//! use biela_core::contact::{HalfSpace, Sphere, SurfacePair};
//! use biela_core::math::Pose;
//! use biela_core::model::Space;
//!
//! // a ball of radius 0.2 m with its centre 0.5 m above the floor
//! let pair = SurfacePair::new(Space::Spatial, HalfSpace.into(), Sphere::new(0.2)?.into())?;
//! let pose = Pose::translation(1.0, 0.0, 0.5);
//! let contact = pair.point(0, &pose.R, &pose.p);
//! assert!((contact.gap - 0.3).abs() < 1e-15);
//! assert_eq!(contact.normal[2], 1.0);
//! # Ok::<(), String>(())
//! ```

use crate::math::{Mat3, Real, Vec3};
use crate::model::Space;

#[cfg(test)]
mod closed_forms;
mod faces;
mod nearest;
mod pair;
mod pairs;
mod spline;
#[cfg(test)]
mod suite;

pub use faces::Face;
pub use nearest::Nearest;
pub use pair::SurfacePair;

/// The geometry of a possible contact point at a relative pose.
#[derive(Clone, Copy, Debug)]
pub struct ContactPoint<T: Real = f64> {
    /// Signed distance, negative if the surfaces penetrate each other.
    pub gap: T,
    /// Unit common normal, from the first surface to the second, in the axes of F.
    pub normal: Vec3<T>,
    /// The point of the common normal halfway between the two surfaces, in the axes of F. At zero gap it belongs to both.
    pub point: Vec3<T>,
}

/// The balls whose contacts are those of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Balls {
    /// The surface is not described by balls.
    None,
    /// The surface consists of this number of balls.
    Each(usize),
    /// The surface is the convex hull of this number of balls: they are its contacts with a half-space or from within a bore.
    Hull(usize),
}

/// A surface: its signed distance, bounds and outline, in the axes of its own frame.
pub trait SurfaceKind: Into<Surface> {
    /// Whether the surface exists in the plane, in space, or both.
    const SPACES: &'static [Space];

    /// The name of the surface in messages.
    fn name(&self) -> &'static str;

    /// Surfaces of this type with typical dimensions, one for each way in which it can be paired.
    fn examples() -> Vec<Self>;

    /// Returns signed distance and outward normal of the surface at the point `c`.
    fn nearest<T: Real>(&self, c: &Vec3<T>) -> Nearest<T>;

    /// The balls whose contacts are those of this surface.
    fn balls(&self) -> Balls {
        Balls::None
    }

    /// Centre and radius of ball `k`.
    fn ball(&self, _k: usize) -> (Vec3<f64>, f64) {
        (Vec3::zeros(), 0.0)
    }

    /// Whether the complement of the material is convex: a half-space, or a bore.
    fn has_convex_complement(&self) -> bool {
        false
    }

    /// Whether a point can penetrate the surface. It cannot penetrate another point or a line in space.
    fn is_solid(&self) -> bool {
        true
    }

    /// The curvature 1/r, positive for a convex surface, if it is the same everywhere and in all tangent directions. For a capsule, that of its ends.
    fn constant_curvature(&self) -> Option<f64> {
        None
    }

    /// The curvature tensor K at the point `x` with the outward normal `n`: dn = K dx, K n = 0. `None` at a vertex or an edge.
    fn curvature(&self, _x: &Vec3<f64>, n: &Vec3<f64>) -> Option<Mat3<f64>> {
        let tangential = Mat3::identity() - n * n.transpose();
        self.constant_curvature().map(|c| tangential * c)
    }

    /// The number of its faces, if it is a convex body with flat faces.
    fn num_faces(&self) -> usize {
        0
    }

    /// Face `k`.
    fn face(&self, _k: usize) -> Face {
        Face {
            point: Vec3::zeros(),
            normal: Vec3::y(),
        }
    }

    /// Radius about the origin of its frame that bounds the surface; infinite for a line and a half-space.
    fn radius_of_bounds(&self) -> f64;

    /// Polylines for drawing; a closed one repeats its first point.
    fn outline(&self) -> Vec<Vec<Vec3<f64>>>;
}

macro_rules! surfaces {
    ($($module:ident :: $name:ident),* $(,)?) => {
        $(mod $module; pub use $module::$name;)*

        /// A surface, in the axes of its own frame. Surfaces of the plane lie in its x-y plane.
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub enum Surface {
            $(
                #[doc = concat!("See [`", stringify!($name), "`].")]
                $name($name),
            )*
        }

        $(impl From<$name> for Surface {
            fn from(surface: $name) -> Surface {
                Surface::$name(surface)
            }
        })*

        impl Surface {
            /// The name of the surface in messages.
            pub fn name(&self) -> &'static str {
                match self { $(Surface::$name(s) => s.name()),* }
            }

            /// Whether the surface exists in this space.
            pub fn exists_in(&self, space: Space) -> bool {
                match self { $(Surface::$name(_) => $name::SPACES.contains(&space)),* }
            }

            /// Surfaces of every type with typical dimensions.
            pub fn examples() -> Vec<Surface> {
                let mut all = Vec::new();
                $(all.extend($name::examples().into_iter().map(Surface::from));)*
                all
            }

            /// Returns signed distance and outward normal of the surface at the point `c`.
            pub fn nearest<T: Real>(&self, c: &Vec3<T>) -> Nearest<T> {
                match self { $(Surface::$name(s) => s.nearest(c)),* }
            }

            /// Radius about the origin of its frame that bounds the surface; infinite for a line and a half-space.
            pub fn radius_of_bounds(&self) -> f64 {
                match self { $(Surface::$name(s) => s.radius_of_bounds()),* }
            }

            /// Polylines for drawing; a closed one repeats its first point.
            pub fn outline(&self) -> Vec<Vec<Vec3<f64>>> {
                match self { $(Surface::$name(s) => s.outline()),* }
            }

            fn balls(&self) -> Balls {
                match self { $(Surface::$name(s) => s.balls()),* }
            }

            fn ball(&self, k: usize) -> (Vec3<f64>, f64) {
                match self { $(Surface::$name(s) => s.ball(k)),* }
            }

            fn num_faces(&self) -> usize {
                match self { $(Surface::$name(s) => s.num_faces()),* }
            }

            fn face(&self, k: usize) -> Face {
                match self { $(Surface::$name(s) => s.face(k)),* }
            }

            fn has_convex_complement(&self) -> bool {
                match self { $(Surface::$name(s) => s.has_convex_complement()),* }
            }

            fn is_solid(&self) -> bool {
                match self { $(Surface::$name(s) => s.is_solid()),* }
            }

            fn constant_curvature(&self) -> Option<f64> {
                match self { $(Surface::$name(s) => s.constant_curvature()),* }
            }

            fn curvature(&self, x: &Vec3<f64>, n: &Vec3<f64>) -> Option<Mat3<f64>> {
                match self { $(Surface::$name(s) => s.curvature(x, n)),* }
            }
        }
    };
}

surfaces! {
    point::Point,
    points::Points,
    line::Line,
    circle::Circle,
    arc::Arc,
    segment::Segment,
    polygon::Polygon,
    curve::Curve,
    half_space::HalfSpace,
    sphere::Sphere,
    capsule::Capsule,
    cylinder::Cylinder,
    disc::Disc,
    ellipsoid::Ellipsoid,
    cuboid::Cuboid,
}

/// Returns `x` if it is positive and finite, otherwise a message that names it.
fn positive(surface: &str, name: &str, x: f64) -> Result<f64, String> {
    if x > 0.0 && x.is_finite() {
        Ok(x)
    } else {
        Err(format!(
            "The {name} of a {surface} is {x}; it must be positive and finite."
        ))
    }
}

/// Returns an error if a coordinate of the points is not finite.
fn finite(surface: &str, points: &[Vec3<f64>]) -> Result<(), String> {
    match points.iter().position(|x| !x.iter().all(|c| c.is_finite())) {
        Some(k) => Err(format!(
            "Point {} of a {surface} has a coordinate that is not finite.",
            k + 1
        )),
        None => Ok(()),
    }
}

/// A circle or an arc of a circle about `centre` in the plane of the axes `i` and `j`, for drawing.
fn ring(centre: Vec3<f64>, radius: f64, axes: [usize; 2], from: f64, to: f64) -> Vec<Vec3<f64>> {
    const SEGMENTS: u32 = 48;
    let step = (to - from) / f64::from(SEGMENTS);
    (0..=SEGMENTS)
        .map(|k| {
            let (s, c) = (from + step * f64::from(k)).sin_cos();
            let mut x = centre;
            x[axes[0]] += radius * c;
            x[axes[1]] += radius * s;
            x
        })
        .collect()
}
