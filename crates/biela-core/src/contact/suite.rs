//! Tests of every pair of surfaces of the list, in both orders.
#![allow(non_snake_case)]

use super::*;
use crate::math::rotation::{about, about_axis, apply, cross, dot, matrix, skew};
use crate::math::{Jet, Pose, Random};
use std::f64::consts::TAU;

/// All supported ordered pairs of examples, with their names.
fn pairs() -> Vec<(Space, SurfacePair, String)> {
    let mut all = Vec::new();
    for space in [Space::Planar, Space::Spatial] {
        for first in Surface::examples() {
            for second in Surface::examples() {
                let name = format!("{space:?}: {} – {}", first.name(), second.name());
                if let Ok(pair) = SurfacePair::new(space, first.clone(), second) {
                    all.push((space, pair, name));
                }
            }
        }
    }
    all
}

fn gap(pair: &SurfacePair, pose: &Pose) -> f64 {
    let gaps = (0..pair.num_points()).map(|k| pair.point(k, &pose.R, &pose.p).gap);
    gaps.fold(f64::INFINITY, f64::min)
}

fn random_rotation(space: Space, random: &mut Random) -> Mat3<f64> {
    match space {
        Space::Planar => about(2, random.symmetric(3.1)),
        Space::Spatial => matrix(&random.rotation()),
    }
}

fn random_vector(space: Space, random: &mut Random) -> Vec3<f64> {
    let mut v = random.vector(1.0);
    if space == Space::Planar {
        v[2] = 0.0;
    }
    v
}

/// A random pose with a small gap or penetration: the origin of M is moved along a ray until the surfaces are in contact, then a little further.
fn near_contact(space: Space, pair: &SurfacePair, random: &mut Random) -> Pose {
    let R = random_rotation(space, random);
    let ray = random_vector(space, random).normalize();
    let at = |s: f64| Pose::new(R, ray * s);
    let (mut low, mut high) = (0.0, 4.0);
    let start = gap(pair, &at(low));
    if (start < 0.0) == (gap(pair, &at(high)) < 0.0) {
        low = random.between(0.2, 1.2);
    } else {
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if (gap(pair, &at(middle)) < 0.0) == (start < 0.0) {
                low = middle;
            } else {
                high = middle;
            }
        }
    }
    at(low + random.symmetric(0.03))
}

/// The pose at time t of a motion with constant v and ω, and its jet at t.
struct Motion {
    space: Space,
    start: Pose,
    v: Vec3<f64>,
    w: Vec3<f64>,
}

impl Motion {
    fn random(space: Space, start: Pose, random: &mut Random) -> Self {
        let v = random_vector(space, random);
        let w = match space {
            Space::Planar => Vec3::new(0.0, 0.0, random.symmetric(1.0)),
            Space::Spatial => random.vector(1.0),
        };
        Self { space, start, v, w }
    }

    fn at(&self, t: f64) -> Pose {
        let turn = match self.space {
            Space::Planar => about(2, self.w[2] * t),
            Space::Spatial => about_axis(&self.w.normalize(), self.w.norm() * t),
        };
        Pose::new(turn * self.start.R, self.start.p + self.v * t)
    }

    fn jet(&self, t: f64) -> Pose<Jet> {
        let pose = self.at(t);
        let W = skew(&self.w);
        let (rate, curvature) = (W * pose.R, W * W * pose.R);
        Pose {
            R: Mat3::from_fn(|i, j| Jet::new(pose.R[(i, j)], rate[(i, j)], curvature[(i, j)])),
            p: Vec3::from_fn(|i, _| Jet::new(pose.p[i], self.v[i], 0.0)),
        }
    }
}

/// Fourth-order central difference.
fn difference(h: f64, f: impl Fn(f64) -> f64) -> f64 {
    (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h)
}

/// Central difference, or `None` if two step sizes show that the function is not smooth here.
fn smooth_difference(f: impl Fn(f64) -> f64) -> Option<f64> {
    let (coarse, fine) = (difference(4e-4, &f), difference(1e-4, &f));
    ((coarse - fine).abs() < 1e-6 * (1.0 + fine.abs())).then_some(fine)
}

#[test]
fn the_gap_velocity_is_the_normal_component_of_the_relative_velocity() {
    let mut random = Random::new(1);
    for (space, pair, name) in pairs() {
        for _ in 0..60 {
            let pose = near_contact(space, &pair, &mut random);
            let motion = Motion::random(space, pose, &mut random);
            let moving = motion.jet(0.0);
            for k in 0..pair.num_points() {
                let number = pair.point(k, &pose.R, &pose.p);
                let jet = pair.point(k, &moving.R, &moving.p);
                assert!(
                    (number.gap - jet.gap.value).abs() < 1e-14,
                    "{name} {k}: {} {}",
                    number.gap,
                    jet.gap.value
                );
                let arm = number.point - pose.p;
                let normal_velocity = dot(&number.normal, &(motion.v + cross(&motion.w, &arm)));
                assert!(
                    (jet.gap.rate - normal_velocity).abs() < 1e-11,
                    "{name} {k}: {} for {normal_velocity}, gap {}",
                    jet.gap.rate,
                    number.gap
                );
                assert!((number.normal.norm() - 1.0).abs() < 1e-13, "{name}");
            }
        }
    }
}

#[test]
fn derivatives_by_jets_are_those_of_finite_differences() {
    let mut random = Random::new(2);
    for (space, pair, name) in pairs() {
        let (mut checked, mut skipped) = (0, 0);
        for _ in 0..24 {
            let pose = near_contact(space, &pair, &mut random);
            let motion = Motion::random(space, pose, &mut random);
            for k in 0..pair.num_points() {
                let at = |t: f64| {
                    let pose = motion.at(t);
                    pair.point(k, &pose.R, &pose.p)
                };
                let jet = |t: f64| {
                    let pose = motion.jet(t);
                    pair.point(k, &pose.R, &pose.p)
                };
                let exact = jet(0.0);
                let components = |c: &ContactPoint| {
                    [
                        c.gap,
                        c.normal[0],
                        c.normal[1],
                        c.normal[2],
                        c.point[0],
                        c.point[1],
                        c.point[2],
                    ]
                };
                let jets = [
                    exact.gap,
                    exact.normal[0],
                    exact.normal[1],
                    exact.normal[2],
                    exact.point[0],
                    exact.point[1],
                    exact.point[2],
                ];
                let curvature = smooth_difference(|t| jet(t).gap.rate);
                let rates: Vec<_> = (0..7)
                    .map(|i| smooth_difference(|t| components(&at(t))[i]))
                    .collect();
                let (Some(curvature), true) = (curvature, rates.iter().all(Option::is_some)) else {
                    skipped += 1;
                    continue;
                };
                checked += 1;
                let scale = 1.0 + curvature.abs();
                assert!(
                    (exact.gap.curvature - curvature).abs() < 1e-6 * scale,
                    "{name} {k}: {} for {curvature}",
                    exact.gap.curvature
                );
                for (i, rate) in rates.iter().flatten().enumerate() {
                    let scale = 1.0 + rate.abs();
                    assert!(
                        (jets[i].rate - rate).abs() < 1e-6 * scale,
                        "{name} {k} {i}: {} for {rate}",
                        jets[i].rate
                    );
                }
            }
        }
        assert!(
            checked > 8 * skipped,
            "{name}: {checked} checked, {skipped} skipped"
        );
    }
}

#[test]
fn a_swapped_pair_has_the_same_gap_and_the_opposite_normal() {
    let mut random = Random::new(3);
    for (space, pair, name) in pairs() {
        let swapped = SurfacePair::new(space, pair.second().clone(), pair.first().clone()).unwrap();
        assert_eq!(pair.num_points(), swapped.num_points(), "{name}");
        for _ in 0..30 {
            let pose = near_contact(space, &pair, &mut random);
            if gap(&pair, &pose) < -0.05 {
                continue;
            }
            let inverse = pose.inverse();
            let ours: Vec<_> = (0..pair.num_points())
                .map(|k| pair.point(k, &pose.R, &pose.p))
                .collect();
            for k in 0..pair.num_points() {
                let theirs = swapped.point(k, &inverse.R, &inverse.p);
                // candidates of both surfaces may be listed in another order
                let same = ours.iter().any(|c| {
                    (c.gap - theirs.gap).abs() < 1e-11
                        && (c.normal + apply(&pose.R, &theirs.normal)).norm() < 1e-6
                        && (c.point - pose.point(&theirs.point)).norm() < 1e-6
                });
                assert!(same, "{name} {k}: {theirs:?} in {ours:?}");
            }
        }
    }
}

#[test]
fn the_signed_distance_is_the_distance_to_the_nearest_point() {
    let mut random = Random::new(4);
    for surface in Surface::examples() {
        for _ in 0..300 {
            let mut c = random.vector(1.2);
            if surface.exists_in(Space::Planar) {
                c[2] = 0.0;
            }
            let near = surface.nearest(&c);
            let foot = surface.nearest(&(c - near.normal * near.distance));
            assert!(
                foot.distance.abs() < 1e-13,
                "{}: {} at {c}",
                surface.name(),
                foot.distance
            );
            // a distance is a function of slope one
            let other = c + random.vector(0.1).component_mul(&Vec3::new(
                1.0,
                1.0,
                if c[2] == 0.0 { 0.0 } else { 1.0 },
            ));
            let slope =
                (surface.nearest(&other).distance - near.distance).abs() / (other - c).norm();
            let one_sided = matches!(surface, Surface::Arc(_));
            assert!(
                one_sided || slope < 1.0 + 1e-9,
                "{}: slope {slope}",
                surface.name()
            );
        }
    }
}

#[test]
fn coincident_centres_have_a_finite_gap_with_finite_derivatives() {
    let mut random = Random::new(5);
    for (space, pair, name) in pairs() {
        for turn in [
            Mat3::identity(),
            about(2, 0.5 * std::f64::consts::PI),
            random_rotation(space, &mut random),
        ] {
            let motion = Motion::random(space, Pose::new(turn, Vec3::zeros()), &mut random);
            let pose = motion.jet(0.0);
            for k in 0..pair.num_points() {
                let contact = pair.point(k, &pose.R, &pose.p);
                let finite =
                    |x: Jet| x.value.is_finite() && x.rate.is_finite() && x.curvature.is_finite();
                assert!(finite(contact.gap), "{name} {k}: {:?}", contact.gap);
                assert!(
                    contact
                        .normal
                        .iter()
                        .chain(contact.point.iter())
                        .all(|x| finite(*x)),
                    "{name} {k}: {contact:?}"
                );
            }
        }
    }
}

#[test]
fn outlines_lie_within_the_bounds_and_on_the_surface() {
    for surface in Surface::examples() {
        let bound = surface.radius_of_bounds();
        let outline = surface.outline();
        assert!(!outline.is_empty(), "{}", surface.name());
        for x in outline.iter().flatten() {
            assert!(x.norm() <= bound * (1.0 + 1e-12), "{}", surface.name());
            assert!(
                surface.nearest(x).distance.abs() < 1e-12,
                "{} {x}",
                surface.name()
            );
        }
    }
}

#[test]
fn an_unsupported_pair_lists_the_supported_ones() {
    let disc = Disc::new(0.2).unwrap();
    let cuboid = Cuboid::new([1.0, 1.0, 1.0]).unwrap();
    let message = SurfacePair::new(Space::Spatial, disc.into(), cuboid.into()).unwrap_err();
    assert_eq!(
        message,
        "Contact between the surfaces disc and box is not supported. A surface of type disc can be paired with: half-space, sphere, inside of a sphere. \
         A surface of type box can be paired with: point, list of points, half-space, sphere, inside of a sphere, box."
    );
    let message = SurfacePair::new(Space::Planar, disc.into(), Point.into()).unwrap_err();
    assert_eq!(
        message,
        "A surface of type disc does not exist in a planar model."
    );
}

#[test]
fn gaps_are_continuous_along_rays() {
    const STEP: f64 = 0.01;
    let mut random = Random::new(6);
    for (space, pair, name) in pairs() {
        // an arc is one-sided: beyond its ends a point behind it has a positive distance
        if name.contains("arc") && !name.contains("line") {
            continue;
        }
        for _ in 0..4 {
            let R = random_rotation(space, &mut random);
            let ray = random_vector(space, &mut random).normalize();
            let gaps = (0..200).map(|i| gap(&pair, &Pose::new(R, ray * (STEP * f64::from(i)))));
            let gaps: Vec<_> = gaps.collect();
            for pair in gaps
                .windows(2)
                .filter(|pair| pair[0] > -0.1 && pair[1] > -0.1)
            {
                let change = (pair[1] - pair[0]).abs();
                assert!(change <= STEP * (1.0 + 1e-9), "{name}: {pair:?}");
            }
        }
    }
}

#[test]
fn invalid_surfaces_are_rejected() {
    assert!(
        Sphere::new(0.0).is_err()
            && Sphere::new(f64::NAN).is_err()
            && Circle::inside(f64::INFINITY).is_err()
    );
    assert!(Capsule::new(0.1, -1.0).is_err() && Cylinder::new(-0.1, 1.0).is_err());
    assert!(Disc::rounded(0.1, 0.1).is_err() && Ellipsoid::new([0.1, 0.0, 1.0]).is_err());
    assert!(
        Arc::new(0.1, 1.0, 1.0).is_err()
            && Arc::new(0.1, 0.0, 7.0).is_err()
            && Arc::new(0.1, f64::NAN, 1.0).is_err()
    );
    assert!(
        Points::new(vec![]).is_err() && Points::new(vec![Vec3::new(f64::NAN, 0.0, 0.0)]).is_err()
    );
    assert!(Cuboid::new([1.0, 1.0, f64::INFINITY]).is_err());
    // clockwise, with a vertex on an edge, a pentagram, too few
    assert!(Polygon::new(&[[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]).is_err());
    assert!(Polygon::new(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 1.0]]).is_err());
    let star: Vec<_> = (0..5)
        .map(|k| (2.0 * TAU * f64::from(k) / 5.0).sin_cos())
        .map(|(s, c)| [c, s])
        .collect();
    assert!(Polygon::new(&star).is_err() && Polygon::new(&star[..2]).is_err());
    let table: Vec<_> = (0..8).map(|k| (TAU * f64::from(k) / 8.0, 1.0)).collect();
    assert!(Curve::from_polar(&table).is_ok() && Curve::from_polar(&table[..3]).is_err());
    assert!(Curve::from_polar(&table.iter().map(|&(a, r)| (a, -r)).collect::<Vec<_>>()).is_err());
    assert!(Curve::from_polar(&table.iter().map(|&(a, r)| (-a, r)).collect::<Vec<_>>()).is_err());
    // a figure of eight
    assert!(Curve::from_formula(100, |a| [a.sin(), (2.0 * a).sin()]).is_err());
    // clockwise points are reversed
    let reversed = Curve::from_formula(100, |a| [a.cos(), -a.sin()]).unwrap();
    let distance = reversed.nearest(&Vec3::new(2.0, 0.0, 0.0)).distance;
    assert!((distance - 1.0).abs() < 1e-6, "{distance}");
}

#[test]
fn a_point_within_its_face_has_the_gap_and_the_normal_of_the_surface() {
    let mut random = Random::new(31);
    let mut seen = std::collections::BTreeMap::<String, usize>::new();
    for (space, pair, name) in pairs() {
        if (0..pair.num_points()).all(|k| {
            pair.touched_face(
                k,
                &Mat3::identity().map(Jet::constant),
                &Vec3::zeros().map(Jet::constant),
                1.0,
            )
            .is_none()
        }) {
            continue;
        }
        for _ in 0..200 {
            let pose = near_contact(space, &pair, &mut random);
            let (R, p) = (pose.constant::<Jet>().R, pose.constant::<Jet>().p);
            for k in 0..pair.num_points() {
                let Some(face) = pair.touched_face(k, &R, &p, 1e-12) else {
                    continue;
                };
                let held = pair.point_on(Some(face), k, &pose.R, &pose.p);
                let free = pair.point(k, &pose.R, &pose.p);
                let margin = pair.margin(face, k, &pose.R, &pose.p);
                let count = seen.entry(name.clone()).or_default();
                // near the face the foot of the perpendicular is on it; edges beside each other have a distance, but no height
                let is_near = margin > 2.0 * free.gap && free.gap > 0.0 && margin < 0.2;
                if is_near && held.gap > 0.0 {
                    *count += 1;
                    assert!((held.gap - free.gap).abs() < 1e-12, "{name} {k}");
                    assert!((held.normal - free.normal).norm() < 1e-9, "{name} {k}");
                    assert!((held.point - free.point).norm() < 1e-9, "{name} {k}");
                }
            }
        }
    }
    assert!(seen.len() >= 6, "{seen:?}");
    assert!(seen.values().all(|count| *count > 10), "{seen:?}");
}
