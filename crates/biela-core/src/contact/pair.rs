#![allow(non_snake_case)]

use super::nearest::pose_numbers;
use super::pairs::{curves, ellipsoids, planes, segments};
use super::{Balls, ContactPoint, Cuboid, Surface};
use crate::math::rotation::{apply, constant3};
use crate::math::{Jet, Mat3, Pose, Real, Vec3};
use crate::model::Space;

/// Two surfaces that may be in contact: the first is fixed in frame F, the second in frame M.
///
/// | surface | can be paired with |
/// | --- | --- |
/// | point, list of points | every surface except points and the sharp disc |
/// | line | point, points, circle, arc, segment, polygon, curve |
/// | segment | line, circle (also from within); with a radius point and points |
/// | circle | every surface of the plane; from within: point, points, circle, segment, polygon |
/// | polygon | point, points, line, circle (also from within), polygon |
/// | curve | point, points, line, circle, curve |
/// | half-space | every surface of space except another half-space and the inside of a sphere |
/// | sphere | every surface of space; from within: all except half-space, ellipsoid and another inside |
/// | capsule | point, points, half-space, sphere (also from within), capsule |
/// | cylinder, disc | point and points (not the sharp disc), half-space, sphere (also from within) |
/// | ellipsoid | point, points, half-space, sphere, ellipsoid |
/// | box | point, points, half-space, sphere (also from within), box |
#[derive(Clone, Debug)]
pub struct SurfacePair {
    first: Surface,
    second: Surface,
    rule: Rule,
    /// Whether the rule applies to the pair in the other order.
    swapped: bool,
    num_points: usize,
}

/// How the candidates of a pair are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// The balls of the second surface at the signed distance of the first.
    Balls,
    /// The vertices of the second surface against the first, those of the first against the second, then the crossings of edges.
    Vertices,
    /// A function for these two types.
    Special,
}

impl Rule {
    /// The rule for the pair in this order and the number of its candidates.
    fn of(first: &Surface, second: &Surface) -> Option<(Rule, usize)> {
        use Surface::{
            Arc, Capsule, Cuboid, Curve, Cylinder, Disc, Ellipsoid, HalfSpace, Line, Polygon,
        };
        let special = match (first, second) {
            (_, Cylinder(_)) if first.has_convex_complement() => 2 * planes::RIM,
            (_, Disc(_)) if first.has_convex_complement() => planes::RIM,
            (Line(_), Arc(arc)) => 3 - usize::from(arc.is_inside()),
            (HalfSpace(_) | Ellipsoid(_), Ellipsoid(_))
            | (Line(_) | Curve(_), Curve(_))
            | (Capsule(_), Capsule(_)) => 1,
            (Polygon(_), Polygon(_)) => {
                return Some((Rule::Vertices, count(first) + count(second)));
            }
            (Cuboid(_), Cuboid(_)) => return Some((Rule::Vertices, 16 + segments::CROSSINGS)),
            _ => 0,
        };
        if special > 0 {
            return Some((Rule::Special, special));
        }
        if matches!(first, Surface::Points(_)) {
            // every point of the list is a candidate: the list is the second surface
            return None;
        }
        let solid = first.is_solid() || second.ball(0).1 > 0.0;
        match second.balls() {
            Balls::Each(n) if solid => Some((Rule::Balls, n)),
            Balls::Hull(n) if first.has_convex_complement() => Some((Rule::Balls, n)),
            _ => None,
        }
    }
}

/// The number of balls of a surface.
fn count(surface: &Surface) -> usize {
    match surface.balls() {
        Balls::Each(n) | Balls::Hull(n) => n,
        Balls::None => 0,
    }
}

impl SurfacePair {
    /// A pair of surfaces, the first fixed in frame F and the second in frame M.
    ///
    /// # Errors
    ///
    /// If a surface does not exist in this space, or if the pair is not supported. The message lists the surfaces with which each can be paired.
    pub fn new(space: Space, first: Surface, second: Surface) -> Result<SurfacePair, String> {
        for surface in [&first, &second] {
            if !surface.exists_in(space) {
                let model = if space == Space::Planar {
                    "a planar"
                } else {
                    "a spatial"
                };
                return Err(format!(
                    "A surface of type {} does not exist in {model} model.",
                    surface.name()
                ));
            }
        }
        let found = match Rule::of(&first, &second) {
            Some(rule) => Some((rule, false)),
            None => Rule::of(&second, &first).map(|rule| (rule, true)),
        };
        let Some(((rule, num_points), swapped)) = found else {
            return Err(refusal(space, &first, &second));
        };
        Ok(SurfacePair {
            first,
            second,
            rule,
            swapped,
            num_points,
        })
    }

    /// The first surface, fixed in F.
    pub fn first(&self) -> &Surface {
        &self.first
    }

    /// The second surface, fixed in M.
    pub fn second(&self) -> &Surface {
        &self.second
    }

    /// Number of candidate contact points, the same in every pose.
    pub fn num_points(&self) -> usize {
        self.num_points
    }

    /// Candidate `k` at the orientation `R` of M in F and the origin `p` of M in F.
    pub fn point<T: Real>(&self, k: usize, R: &Mat3<T>, p: &Vec3<T>) -> ContactPoint<T> {
        self.point_on(None, k, R, p)
    }

    /// Candidate `k`, which is in contact with the plane of this face if there is one.
    pub fn point_on<T: Real>(
        &self,
        face: Option<usize>,
        k: usize,
        R: &Mat3<T>,
        p: &Vec3<T>,
    ) -> ContactPoint<T> {
        let pose = Pose { R: *R, p: *p };
        if self.swapped {
            reversed(&pose, |inverse| {
                self.contact(&self.second, &self.first, (k, face), inverse)
            })
        } else {
            self.contact(&self.first, &self.second, (k, face), &pose)
        }
    }

    /// The surface with faces on which candidate `k` slides as a sharp point, and this point in the frame of the surface; `None` for other candidates.
    fn sharp_point<T: Real>(
        &self,
        k: usize,
        R: &Mat3<T>,
        p: &Vec3<T>,
    ) -> Option<(&Surface, Vec3<T>)> {
        let pose = Pose { R: *R, p: *p };
        let (first, second, pose) = if self.swapped {
            (&self.second, &self.first, pose.inverse())
        } else {
            (&self.first, &self.second, pose)
        };
        let theirs = count(second);
        let (surface, (centre, radius), pose) = match self.rule {
            Rule::Special => return None,
            _ if k < theirs => (first, second.ball(k), pose),
            _ if k < theirs + count(first) => (second, first.ball(k - theirs), pose.inverse()),
            _ => return None,
        };
        (radius == 0.0 && surface.num_faces() > 0)
            .then(|| (surface, pose.point(&constant3(&centre))))
    }

    /// The face with which candidate `k` comes into contact, at a pose and its rate of change: of the faces that it has reached, up to a distance, the last one that it passes. For a
    /// crossing of edges it is the number of the pair of edges. `None` for other candidates.
    pub fn touched_face(
        &self,
        k: usize,
        R: &Mat3<Jet>,
        p: &Vec3<Jet>,
        reach: f64,
    ) -> Option<usize> {
        if let Some((boxes, crossing)) = self.crossing(k) {
            return segments::crossing_edges(
                boxes,
                crossing,
                &pose_numbers(&Pose { R: *R, p: *p }),
            );
        }
        let (surface, centre) = self.sharp_point(k, R, p)?;
        surface.touched_face(&centre, reach)
    }

    /// The distance of candidate `k` from the boundary of the face on which it is, negative outside.
    pub fn margin(&self, face: usize, k: usize, R: &Mat3<f64>, p: &Vec3<f64>) -> f64 {
        if let Some((boxes, _)) = self.crossing(k) {
            return segments::edge_margin(boxes, face, &Pose { R: *R, p: *p });
        }
        self.sharp_point(k, R, p)
            .map_or(f64::INFINITY, |(surface, centre)| {
                surface.margin(face, &centre)
            })
    }

    fn contact<T: Real>(
        &self,
        first: &Surface,
        second: &Surface,
        (k, face): (usize, Option<usize>),
        pose: &Pose<T>,
    ) -> ContactPoint<T> {
        if self.rule == Rule::Special {
            return special(first, second, k, pose);
        }
        let (theirs, ours) = (count(second), count(first));
        if k < theirs {
            ball(first, second, (k, face), pose)
        } else if k < theirs + ours {
            reversed(pose, |inverse| {
                ball(second, first, (k - theirs, face), inverse)
            })
        } else {
            match (first, second) {
                (Surface::Cuboid(a), Surface::Cuboid(b)) => {
                    segments::edges([a, b], k - theirs - ours, face, pose)
                }
                _ => special(first, second, k - theirs - ours, pose),
            }
        }
    }

    /// The boxes whose edges cross at candidate `k`, and the number of the crossing.
    fn crossing(&self, k: usize) -> Option<([&Cuboid; 2], usize)> {
        let crossing = k.checked_sub(count(&self.first) + count(&self.second))?;
        match (&self.first, &self.second) {
            (Surface::Cuboid(a), Surface::Cuboid(b)) => Some(([a, b], crossing)),
            _ => None,
        }
    }

    /// Effective radius of curvature r of candidate `k` for Hertz contact, 1/r = 1/r₁ + 1/r₂: infinite for two planes, negative radii from within. `None` at a vertex,
    /// an edge or a rim, for a ball that does not fit into its cavity, and for surfaces whose curvature varies: see
    /// [`effective_radius_at`](SurfacePair::effective_radius_at).
    pub fn effective_radius(&self, k: usize) -> Option<f64> {
        if k >= self.num_points || self.is_sharp(k) {
            return None;
        }
        let sum = self.first.constant_curvature()? + self.second.constant_curvature()?;
        (sum >= 0.0).then(|| 1.0 / sum)
    }

    /// Effective radius of curvature of candidate `k` at a pose, from the curvature tensors K of both surfaces at the contact:
    ///
    /// ```text
    /// 1/r² = κ₁ κ₂      κ: the eigenvalues of K₁ + K₂ in the tangent plane
    /// ```
    ///
    /// the radius of the sphere on a plane with the same Gaussian relative curvature. It is infinite for a line contact. `None` at a vertex, an edge or a rim and
    /// where the surfaces are not convex relative to each other.
    pub fn effective_radius_at(&self, k: usize, R: &Mat3<f64>, p: &Vec3<f64>) -> Option<f64> {
        if k >= self.num_points || self.is_sharp(k) {
            return None;
        }
        let contact = self.point(k, R, p);
        let n = contact.normal;
        let first = self.first.curvature(&contact.point, &n)?;
        let second = self.second.curvature(
            &(R.transpose() * (contact.point - p)),
            &-(R.transpose() * n),
        )?;
        let sum = first + R * second * R.transpose();
        let trace = sum.trace();
        let product = 0.5 * (trace * trace - (sum * sum).trace());
        (trace >= 0.0 && product >= -1e-12 * trace * trace).then(|| 1.0 / product.max(0.0).sqrt())
    }

    /// Whether candidate `k` is a vertex, an edge or a rim, which has no radius.
    pub fn is_sharp(&self, k: usize) -> bool {
        let second = if self.swapped {
            &self.first
        } else {
            &self.second
        };
        match self.rule {
            Rule::Vertices => true,
            Rule::Balls => second.ball(k).1 == 0.0,
            Rule::Special => match second {
                Surface::Cylinder(_) | Surface::Disc(_) => true,
                Surface::Arc(_) => k < 2,
                _ => false,
            },
        }
    }
}

/// Ball `k` of the second surface at the signed distance of the first, or of the plane of one of its faces.
fn ball<T: Real>(
    first: &Surface,
    second: &Surface,
    (k, face): (usize, Option<usize>),
    pose: &Pose<T>,
) -> ContactPoint<T> {
    let (centre, radius) = second.ball(k);
    let centre = pose.point(&constant3(&centre));
    let nearest = match face {
        Some(face) => first.on_face(face, &centre),
        None => first.nearest(&centre),
    };
    nearest.ball(&centre, radius)
}

/// The contact of a pair in the other order, from the inverse pose: the gap is the same, the normal opposite.
pub(super) fn reversed<T: Real>(
    pose: &Pose<T>,
    contact: impl Fn(&Pose<T>) -> ContactPoint<T>,
) -> ContactPoint<T> {
    let found = contact(&pose.inverse());
    ContactPoint {
        gap: found.gap,
        normal: -apply(&pose.R, &found.normal),
        point: pose.point(&found.point),
    }
}

/// Candidate `k` of a pair with its own function.
fn special<T: Real>(
    first: &Surface,
    second: &Surface,
    k: usize,
    pose: &Pose<T>,
) -> ContactPoint<T> {
    match (first, second) {
        (_, Surface::Cylinder(cylinder)) => planes::cylinder(first, cylinder, k, pose),
        (_, Surface::Disc(disc)) => planes::disc(first, disc, k, pose),
        (Surface::HalfSpace(_), Surface::Ellipsoid(ellipsoid)) => {
            planes::ellipsoid(ellipsoid, pose)
        }
        (Surface::Line(_), Surface::Arc(arc)) => planes::arc(arc, k, pose),
        (Surface::Line(_), Surface::Curve(curve)) => planes::curve(curve, pose),
        (Surface::Curve(a), Surface::Curve(b)) => curves::contact(a, b, pose),
        (Surface::Capsule(a), Surface::Capsule(b)) => segments::capsules(a, b, pose),
        (Surface::Ellipsoid(a), Surface::Ellipsoid(b)) => ellipsoids::contact(a, Some(b), pose),
        _ => ball(first, second, (k, None), pose),
    }
}

/// The message for a pair that is not supported: the surfaces with which each can be paired.
fn refusal(space: Space, first: &Surface, second: &Surface) -> String {
    let partners = |surface: &Surface| {
        let mut names = Vec::new();
        for other in Surface::examples() {
            let paired = Rule::of(surface, &other).is_some() || Rule::of(&other, surface).is_some();
            if paired && other.exists_in(space) && !names.contains(&other.name()) {
                names.push(other.name());
            }
        }
        format!(
            "A surface of type {} can be paired with: {}.",
            surface.name(),
            names.join(", ")
        )
    };
    let mut message = format!(
        "Contact between the surfaces {} and {} is not supported. {}",
        first.name(),
        second.name(),
        partners(first)
    );
    if first.name() != second.name() {
        message.push(' ');
        message.push_str(&partners(second));
    }
    message
}
