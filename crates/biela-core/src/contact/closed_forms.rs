//! Gaps in closed form, pairs of the plane against their counterparts in space, and independent searches.
#![allow(non_snake_case)]

use super::*;
use crate::math::rotation::{about, matrix};
use crate::math::{Pose, Random};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

fn spatial(first: impl Into<Surface>, second: impl Into<Surface>) -> SurfacePair {
    SurfacePair::new(Space::Spatial, first.into(), second.into()).unwrap()
}

fn planar(first: impl Into<Surface>, second: impl Into<Surface>) -> SurfacePair {
    SurfacePair::new(Space::Planar, first.into(), second.into()).unwrap()
}

fn gaps(pair: &SurfacePair, pose: &Pose) -> Vec<f64> {
    (0..pair.num_points())
        .map(|k| pair.point(k, &pose.R, &pose.p).gap)
        .collect()
}

fn least(pair: &SurfacePair, pose: &Pose) -> f64 {
    gaps(pair, pose).into_iter().fold(f64::INFINITY, f64::min)
}

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} for {b}");
}

fn sphere(r: f64) -> Sphere {
    Sphere::new(r).unwrap()
}

fn circle(r: f64) -> Circle {
    Circle::new(r).unwrap()
}

fn rectangle(a: f64, b: f64) -> Polygon {
    Polygon::new(&[[-a, -b], [a, -b], [a, b], [-a, b]]).unwrap()
}

#[test]
fn simple_pairs_have_their_closed_forms() {
    let pose = Pose::new(matrix(&[0.5, 0.5, -0.5, 0.5]), Vec3::new(0.3, -0.4, 1.2));
    close(
        least(&spatial(sphere(0.5), sphere(0.2)), &pose),
        1.3 - 0.7,
        1e-15,
    );
    let bowl = spatial(Sphere::inside(2.0).unwrap(), sphere(0.2));
    close(least(&bowl, &pose), 2.0 - 1.3 - 0.2, 1e-15);
    assert!((bowl.point(0, &pose.R, &pose.p).normal + pose.p / 1.3).norm() < 1e-15);
    close(least(&spatial(HalfSpace, Point), &pose), 1.2, 0.0);

    // a cylinder with its axis at the angle a from the normal: z − (L/2) |cos a| − r |sin a|
    let (radius, length, angle) = (0.3, 0.8, 0.7_f64);
    let pair = spatial(HalfSpace, Cylinder::new(radius, length).unwrap());
    let tilted = Pose::new(about(0, angle), Vec3::new(0.0, 0.0, 1.0));
    close(
        least(&pair, &tilted),
        1.0 - 0.4 * angle.cos() - radius * angle.sin(),
        1e-15,
    );
    // standing: the lowest point and the four fixed points of the lower rim
    let standing = Pose::new(about(2, angle), Vec3::new(0.0, 0.0, 0.4));
    assert_eq!(
        gaps(&pair, &standing)
            .iter()
            .filter(|g| g.abs() < 1e-15)
            .count(),
        5
    );
    // lying: the lowest point of each rim only, also where a fixed point passes the ground
    let lying = Pose::new(about(0, FRAC_PI_2), Vec3::new(0.0, 0.0, radius));
    assert_eq!(
        gaps(&pair, &lying)
            .iter()
            .filter(|g| g.abs() < 1e-15)
            .count(),
        2
    );

    let torus = spatial(HalfSpace, Disc::rounded(0.5, 0.1).unwrap());
    close(least(&torus, &tilted), 1.0 - 0.5 * angle.sin() - 0.1, 1e-15);
    let ellipsoid = spatial(HalfSpace, Ellipsoid::new([0.2, 0.5, 0.3]).unwrap());
    let support = (0.5 * angle.sin()).hypot(0.3 * angle.cos());
    close(least(&ellipsoid, &tilted), 1.0 - support, 1e-15);

    // a level coin in a bowl: R − √(r² + z²)
    let coin = spatial(Sphere::inside(1.0).unwrap(), Disc::new(0.3).unwrap());
    close(least(&coin, &Pose::translation(0.0, 0.0, -0.4)), 0.5, 1e-15);

    // crossed capsules, and parallel ones
    let capsules = spatial(
        Capsule::new(0.1, 1.0).unwrap(),
        Capsule::new(0.2, 1.0).unwrap(),
    );
    let crossed = Pose::new(about(0, FRAC_PI_2), Vec3::new(0.5, 0.1, 0.2));
    close(least(&capsules, &crossed), 0.2, 1e-15);
    close(
        least(&capsules, &Pose::translation(0.3, 0.4, 0.7)),
        0.2,
        1e-15,
    );
    close(
        least(&capsules, &Pose::translation(0.3, 0.4, 1.0 + 1.2)),
        1.3 - 0.3,
        1e-15,
    );
}

#[test]
fn an_eccentric_circle_as_a_curve_is_a_circle() {
    let (r, e) = (0.4, 0.1);
    let cam = Curve::from_formula(400, |a| [e + r * a.cos(), r * a.sin()]).unwrap();
    let error = cam.interpolation_error().unwrap();
    assert!(error < 1e-9, "{error}");
    let polar = Curve::from_polar_formula(400, |a| {
        e * a.cos() + (r * r - (e * a.sin()).powi(2)).sqrt()
    })
    .unwrap();
    assert!(polar.interpolation_error().unwrap() < 1e-8);
    let mut random = Random::new(11);
    for curve in [cam, polar] {
        for _ in 0..100 {
            let turn = random.symmetric(PI);
            let pose = Pose::planar(random.symmetric(1.0), random.symmetric(1.0), turn);
            // a flat follower: the lift is y + e sin θ − r
            let lift = pose.p[1] + e * turn.sin() - r;
            close(least(&planar(Line, curve.clone()), &pose), lift, 2e-8);
            let centre = pose.point(&Vec3::new(e, 0.0, 0.0));
            close(
                least(&planar(circle(0.2), curve.clone()), &pose),
                centre.norm() - r - 0.2,
                2e-8,
            );
            let between = (centre - Vec3::new(e, 0.0, 0.0)).norm() - 2.0 * r;
            let pair = planar(curve.clone(), curve.clone());
            if between > -0.3 {
                close(least(&pair, &pose), between, 4e-8);
                close(
                    pair.effective_radius_at(0, &pose.R, &pose.p).unwrap(),
                    0.5 * r,
                    1e-4,
                );
            }
        }
    }
}

#[test]
fn pairs_of_the_plane_are_those_of_their_prisms_in_space() {
    // the half-space with its normal along y
    let upright = Pose::new(about(0, -FRAC_PI_2), Vec3::zeros());
    let (flat, block) = (rectangle(0.3, 0.2), Cuboid::new([0.6, 0.4, 0.5]).unwrap());
    let ellipse = Curve::from_formula(800, |a| [0.5 * a.cos(), 0.3 * a.sin()]).unwrap();
    let ellipsoid = Ellipsoid::new([0.5, 0.3, 0.4]).unwrap();
    let against_line: [(Surface, Surface); 4] = [
        (circle(0.3).into(), sphere(0.3).into()),
        (flat.clone().into(), block.into()),
        (ellipse.clone().into(), ellipsoid.into()),
        (Point.into(), Point.into()),
    ];
    let free: [(SurfacePair, SurfacePair); 8] = [
        (
            planar(circle(0.3), circle(0.2)),
            spatial(sphere(0.3), sphere(0.2)),
        ),
        (
            planar(Circle::inside(1.0).unwrap(), circle(0.2)),
            spatial(Sphere::inside(1.0).unwrap(), sphere(0.2)),
        ),
        (
            planar(flat.clone(), circle(0.2)),
            spatial(block, sphere(0.2)),
        ),
        (planar(flat.clone(), Point), spatial(block, Point)),
        (
            planar(ellipse.clone(), circle(0.2)),
            spatial(ellipsoid, sphere(0.2)),
        ),
        (planar(ellipse.clone(), Point), spatial(ellipsoid, Point)),
        (planar(circle(0.2), Point), spatial(sphere(0.2), Point)),
        (
            planar(ellipse.clone(), ellipse),
            spatial(ellipsoid, ellipsoid),
        ),
    ];
    let mut random = Random::new(12);
    for _ in 0..200 {
        let pose = Pose::planar(
            random.symmetric(1.3),
            random.symmetric(1.3),
            random.symmetric(PI),
        );
        for (in_plane, in_space) in &against_line {
            let (line, floor) = (
                planar(Line, in_plane.clone()),
                spatial(HalfSpace, in_space.clone()),
            );
            let moved = upright.inverse().then(&pose);
            close(least(&line, &pose), least(&floor, &moved), 1e-9);
        }
        for (in_plane, in_space) in &free {
            let depth = least(in_plane, &pose);
            if depth > -0.1 {
                close(depth, least(in_space, &pose), 1e-9);
            }
        }
    }
}

#[test]
fn an_arc_is_its_circle_within_the_sector_and_its_ends_elsewhere() {
    let arc = Arc::new(0.5, -PI + 0.3, -0.2).unwrap();
    let line = planar(Line, arc);
    for angle in [-1.0, -0.4, 0.0, 0.6, 1.2] {
        let pose = Pose::planar(0.1, 0.7, angle);
        close(least(&line, &pose), 0.2, 1e-15);
    }
    // turned over, it stands on its ends
    let pose = Pose::planar(0.0, 0.7, PI);
    close(least(&line, &pose), 0.7 + 0.5 * 0.2_f64.sin(), 1e-15);
    let bowl = planar(Arc::inside(0.5, -PI, 0.0).unwrap(), circle(0.1));
    close(least(&bowl, &Pose::planar(0.06, -0.08, 0.0)), 0.3, 1e-15);
    close(least(&bowl, &Pose::planar(0.5, 0.4, 0.0)), 0.3, 1e-15);
    close(bowl.effective_radius(0).unwrap(), 0.125, 1e-15);
}

/// Least value of f(n) = n·p − h₁(n) − h₂(n), negated, over a dense grid of directions.
fn separation(a: &Ellipsoid, b: &Ellipsoid, pose: &Pose) -> f64 {
    let mut best = f64::NEG_INFINITY;
    for i in 0..=400 {
        for j in 0..800 {
            let ((s, c), (t, d)) = (
                (PI * f64::from(i) / 400.0).sin_cos(),
                (TAU * f64::from(j) / 800.0).sin_cos(),
            );
            let n = Vec3::new(s * d, s * t, c);
            let m = pose.R.transpose() * n;
            best = best.max(n.dot(&pose.p) - n.dot(&a.support(&n)) - m.dot(&b.support(&m)));
        }
    }
    best
}

#[test]
fn the_gap_of_ellipsoids_is_the_greatest_separation_of_all_directions() {
    let (a, b) = (
        Ellipsoid::new([0.2, 0.5, 0.9]).unwrap(),
        Ellipsoid::new([0.7, 0.3, 0.25]).unwrap(),
    );
    let pair = spatial(a, b);
    let mut random = Random::new(13);
    for _ in 0..25 {
        let pose = Pose::new(matrix(&random.rotation()), random.vector(0.9));
        let (gap, searched) = (least(&pair, &pose), separation(&a, &b, &pose));
        assert!(
            gap >= searched - 1e-12 && gap < searched + 1e-3,
            "{gap} for {searched}"
        );
    }
}

#[test]
fn disjoint_curves_have_the_distance_of_their_densest_samples() {
    let points = |curve: &Curve| -> Vec<Vec3<f64>> { curve.outline().concat() };
    let lobes = Curve::from_polar_formula(600, |a| 0.5 + 0.1 * (3.0 * a).cos()).unwrap();
    let oval = Curve::from_formula(600, |a| {
        [0.6 * a.cos(), 0.3 * a.sin() + 0.1 * (2.0 * a).cos()]
    })
    .unwrap();
    let pair = planar(lobes.clone(), oval.clone());
    let (ours, theirs) = (points(&lobes), points(&oval));
    let mut random = Random::new(15);
    let mut disjoint = 0;
    for _ in 0..60 {
        let pose = Pose::planar(
            random.symmetric(1.5),
            random.symmetric(1.5),
            random.symmetric(PI),
        );
        let distance = |x: &Vec3<f64>| {
            let x = pose.point(x);
            ours.iter()
                .map(|y| (x - y).norm())
                .fold(f64::INFINITY, f64::min)
        };
        let searched = theirs.iter().map(distance).fold(f64::INFINITY, f64::min);
        let gap = least(&pair, &pose);
        if gap > 0.01 {
            disjoint += 1;
            assert!(
                gap <= searched + 1e-12 && gap > searched - 2e-3,
                "{gap} for {searched}"
            );
        } else {
            assert!(searched < 0.02, "{gap} for {searched}, pose {pose:?}");
        }
        let circle_gap = least(&planar(oval.clone(), circle(0.2)), &pose);
        let nearest = theirs
            .iter()
            .map(|x| (x - pose.p).norm())
            .fold(f64::INFINITY, f64::min);
        let inside = circle_gap + 0.2 < 0.0;
        let searched = if inside { -nearest } else { nearest } - 0.2;
        close(circle_gap, searched, 1e-4);
        let lowest = theirs
            .iter()
            .map(|x| pose.point(x)[1])
            .fold(f64::INFINITY, f64::min);
        close(least(&planar(Line, oval.clone()), &pose), lowest, 1e-4);
    }
    assert!(disjoint > 10);
}

/// The distance of two disjoint boxes by alternating projections.
fn box_distance(halves: [Vec3<f64>; 2], pose: &Pose) -> f64 {
    let clamp = |x: Vec3<f64>, h: &Vec3<f64>| Vec3::from_fn(|i, _| x[i].clamp(-h[i], h[i]));
    let mut x = Vec3::zeros();
    let mut y = pose.p;
    for _ in 0..20_000 {
        x = clamp(y, &halves[0]);
        y = pose.point(&clamp(pose.inverse().point(&x), &halves[1]));
    }
    (x - y).norm()
}

#[test]
fn disjoint_boxes_have_the_distance_of_alternating_projections() {
    let (a, b) = (
        Cuboid::new([0.5, 0.8, 1.2]).unwrap(),
        Cuboid::new([0.9, 0.4, 0.6]).unwrap(),
    );
    let pair = spatial(a, b);
    let mut random = Random::new(14);
    let (mut disjoint, mut by_edges) = (0, 0);
    for _ in 0..400 {
        let pose = Pose::new(matrix(&random.rotation()), random.vector(1.1));
        let distance = box_distance([*a.half(), *b.half()], &pose);
        let gap = least(&pair, &pose);
        // both are distances of points of the two boxes, and the projections converge from above
        assert!(gap <= distance + 1e-9, "{gap} for {distance}");
        if distance > 0.05 {
            disjoint += 1;
            assert!(gap > distance - 1e-3, "{gap} for {distance}");
            let vertices = gaps(&pair, &pose)[..16]
                .iter()
                .copied()
                .fold(f64::INFINITY, f64::min);
            by_edges += usize::from(vertices > gap + 1e-9);
        }
    }
    assert!(disjoint > 100 && by_edges > 10, "{disjoint} {by_edges}");
}

#[test]
fn crossed_bars_have_four_contact_points() {
    let bar = Cuboid::new([2.0, 0.2, 0.1]).unwrap();
    let pair = spatial(bar, bar);
    for angle in [0.4, 1.0, FRAC_PI_2, 2.0] {
        let pose = Pose::new(about(2, angle), Vec3::new(0.1, 0.2, 0.1));
        let contacts: Vec<_> = (0..pair.num_points())
            .map(|k| pair.point(k, &pose.R, &pose.p))
            .filter(|c| c.gap.abs() < 1e-14)
            .collect();
        assert_eq!(contacts.len(), 4, "{angle}");
        let centre = contacts
            .iter()
            .fold(Vec3::zeros(), |sum, c| sum + c.point / 4.0);
        assert!(
            contacts
                .iter()
                .all(|c| c.normal[2] > 1.0 - 1e-15 && (c.point - centre).norm() > 0.1)
        );
    }
}

#[test]
fn effective_radii_are_those_of_hertz() {
    let at = |pair: &SurfacePair, pose: &Pose| pair.effective_radius_at(0, &pose.R, &pose.p);
    let above = Pose::translation(0.0, 0.0, 1.0);
    close(
        spatial(sphere(0.3), sphere(0.6))
            .effective_radius(0)
            .unwrap(),
        0.2,
        1e-15,
    );
    close(
        spatial(Sphere::inside(0.6).unwrap(), sphere(0.3))
            .effective_radius(0)
            .unwrap(),
        0.6,
        1e-15,
    );
    assert_eq!(
        spatial(Sphere::inside(0.2).unwrap(), sphere(0.3)).effective_radius(0),
        None
    );
    assert_eq!(spatial(HalfSpace, Point).effective_radius(0), None);
    assert_eq!(
        spatial(HalfSpace, Cylinder::new(1.0, 1.0).unwrap()).effective_radius(0),
        None
    );
    close(
        at(&spatial(HalfSpace, sphere(0.3)), &above).unwrap(),
        0.3,
        1e-15,
    );
    // an ellipsoid on a plane: r² = (a²/c)(b²/c)
    let ellipsoid = spatial(HalfSpace, Ellipsoid::new([0.2, 0.5, 0.4]).unwrap());
    assert_eq!(ellipsoid.effective_radius(0), None);
    close(at(&ellipsoid, &above).unwrap(), 0.2 * 0.5 / 0.4, 1e-14);
    // crossed cylinders: √(r₁ r₂); parallel ones are a line contact
    let capsules = spatial(
        Capsule::new(0.1, 1.0).unwrap(),
        Capsule::new(0.4, 1.0).unwrap(),
    );
    let crossed = Pose::new(about(0, FRAC_PI_2), Vec3::new(0.5, 0.0, 0.0));
    close(at(&capsules, &crossed).unwrap(), 0.2, 1e-14);
    assert_eq!(
        at(&capsules, &Pose::translation(0.5, 0.0, 0.0)),
        Some(f64::INFINITY)
    );
}

#[test]
fn gaps_scale_with_the_surfaces() {
    let lobes =
        |s: f64| Curve::from_polar_formula(200, |a| s * (0.5 + 0.1 * (3.0 * a).cos())).unwrap();
    let oval =
        |s: f64| Curve::from_formula(200, |a| [s * 0.6 * a.cos(), s * 0.3 * a.sin()]).unwrap();
    let ellipsoid = |s: f64| Ellipsoid::new([0.2 * s, 0.5 * s, 0.4 * s]).unwrap();
    let pairs = |s: f64| {
        [
            planar(lobes(s), oval(s)),
            planar(oval(s), circle(0.1 * s)),
            planar(Line, oval(s)),
            spatial(ellipsoid(s), ellipsoid(s)),
            spatial(ellipsoid(s), Point),
        ]
    };
    let unit = pairs(1.0);
    let mut random = Random::new(16);
    for scale in [1e-4, 1e4] {
        for (pair, unit) in pairs(scale).iter().zip(&unit) {
            for _ in 0..50 {
                let pose = Pose::planar(
                    random.symmetric(1.2),
                    random.symmetric(1.2),
                    random.symmetric(PI),
                );
                let gap = least(unit, &pose);
                if gap > -0.05 {
                    let scaled = Pose::new(pose.R, pose.p * scale);
                    close(least(pair, &scaled) / scale, gap, 1e-12);
                }
            }
        }
    }
}

#[test]
fn a_segment_has_two_sides_and_two_ends() {
    let edge = || Segment::new([0.0, 0.0], [2.0, 0.0], 0.0).unwrap();
    let pair = planar(edge(), circle(0.3));
    for (x, y, gap, normal) in [
        (0.5, 0.7, 0.4, [0.0, 1.0]),
        (1.5, -0.7, 0.4, [0.0, -1.0]),
        (-0.3, 0.4, 0.2, [-0.6, 0.8]),
        (2.6, -0.8, 0.7, [0.6, -0.8]),
    ] {
        let pose = Pose::translation(x, y, 0.0);
        let at = pair.point(0, &pose.R, &pose.p);
        close(at.gap, gap, 1e-15);
        close(
            (at.normal - Vec3::new(normal[0], normal[1], 0.0)).norm(),
            0.0,
            1e-15,
        );
    }
    // no point can be in contact with an edge without thickness
    assert!(SurfacePair::new(Space::Planar, edge().into(), Point.into()).is_err());
    let thick = Segment::new([0.0, 0.0], [2.0, 0.0], 0.1).unwrap();
    let pair = planar(thick, Point);
    close(least(&pair, &Pose::translation(1.0, 0.5, 0.0)), 0.4, 1e-15);
    close(
        least(&planar(Line, thick), &Pose::translation(1.0, 0.5, 0.0)),
        0.4,
        1e-15,
    );
    assert!(Segment::new([1.0, 1.0], [1.0, 1.0], 0.1).is_err());
    assert!(Segment::new([1.0, 1.0], [2.0, 1.0], -0.1).is_err());
}
