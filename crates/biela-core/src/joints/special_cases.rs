//! Properties of single joints beyond the common tests: geometry found by search, and joints that are equivalent to others.
#![allow(non_snake_case)]

use super::suite::{POSES, Path, assert_close};
use super::*;
use crate::element::FieldValue;
use crate::math::Random;
use crate::math::rotation::{about, apply, column, cross, dot, unit, zero3};

fn joint(name: &str, arguments: &Arguments) -> Joint {
    Joint::build(name, arguments).unwrap().unwrap()
}

fn plain(name: &str) -> Joint {
    joint(name, &Arguments::new(Space::Spatial))
}

#[test]
fn rolling_disc_is_in_contact_at_its_lowest_point_which_does_not_slip() {
    let mut random = Random::new(9);
    let radius = 0.4;
    let disc = joint(
        "rolling-disc",
        &Arguments::new(Space::Spatial).with("radius", FieldValue::Number(radius)),
    );
    for _ in 0..POSES {
        let rel = Path::random(Space::Spatial, &mut random).start;
        if rel.R[(2, 2)].abs() > 0.95 {
            continue;
        }
        let rim = |t: f64| {
            let (s, c) = t.sin_cos();
            (column(&rel.R, 0) * c + column(&rel.R, 1) * s) * radius
        };
        // the lowest of 360 points of the rim, then a ternary search in the interval around it
        let turn = std::f64::consts::TAU;
        let lowest = (0..360)
            .map(|k| f64::from(k) * turn / 360.0)
            .min_by(|a, b| rim(*a)[2].total_cmp(&rim(*b)[2]))
            .unwrap();
        let (mut low, mut high) = (lowest - turn / 360.0, lowest + turn / 360.0);
        for _ in 0..100 {
            let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if rim(a)[2] < rim(b)[2] {
                high = b;
            } else {
                low = a;
            }
        }
        let contact = rim(0.5 * (low + high));
        let slip = rel.v + cross(&rel.w, &contact);
        let mut rows = JointEquations::new();
        disc.rows(Space::Spatial, &rel, &mut rows);
        let [height, x, y] = rows.as_slice() else {
            panic!("a rolling disc has three equations")
        };
        assert_close(height.phi, rel.p[2] + contact[2], 1e-12, "height");
        // the search determines the angle to half the digits only
        assert_close(x.phi, slip[0], 1e-6, "slip along x");
        assert_close(y.phi, slip[1], 1e-6, "slip along y");
    }
}

#[test]
fn a_knife_edge_permits_motion_along_its_edge_only() {
    let edge = plain("knife-edge");
    let mut random = Random::new(10);
    for space in [Space::Planar, Space::Spatial] {
        for _ in 0..POSES {
            let mut rel = Path::random(space, &mut random).start;
            let mut rows = JointEquations::new();
            rel.v = column(&rel.R, 0);
            edge.rows(space, &rel, &mut rows);
            assert!(rows.as_slice()[0].phi.abs() < 1e-14);
            rel.v = column(&rel.R, 1);
            edge.rows(space, &rel, &mut rows);
            assert_close(rows.as_slice()[0].phi, 1.0, 1e-14, "across the edge");
        }
    }
}

/// Asserts that two joints have the same pose, motion subspace and bias, and the same equations in any order.
fn assert_same(a: &Joint, b: &Joint, seed: u64) {
    let mut random = Random::new(seed);
    let space = Space::Spatial;
    for _ in 0..POSES {
        let (q, v) = (random.array::<1>(20.0), random.array::<1>(2.0));
        let (mut first, mut second) = (Across::new(), Across::new());
        a.across(space, &q, &v, &mut first);
        b.across(space, &q, &v, &mut second);
        assert_eq!((first.R, first.p), (second.R, second.p));
        assert_eq!((first.Hv, first.Hw), (second.Hv, second.Hw));
        assert_eq!((first.bias_v, first.bias_w), (second.bias_v, second.bias_w));

        let rel = Path::random(space, &mut random).start;
        let (mut left, mut right) = (JointEquations::new(), JointEquations::new());
        a.rows(space, &rel, &mut left);
        b.rows(space, &rel, &mut right);
        assert_eq!(left.as_slice().len(), right.as_slice().len());
        for row in left.as_slice() {
            assert!(right.as_slice().contains(row), "{row:?}");
        }
        let near = [0, 1].map(|i| [a, b][i].coordinate(space, 0, &rel));
        assert_eq!(near[0], near[1]);
    }
}

#[test]
fn screw_with_zero_pitch_is_a_revolute() {
    let arguments = Arguments::new(Space::Spatial).with("pitch", FieldValue::Number(0.0));
    assert_same(&joint("screw", &arguments), &plain("revolute"), 11);
}

#[test]
fn generic_with_one_free_angle_is_a_revolute() {
    let locked = |free: &str| {
        let words = ["x", "y", "z", "alpha", "beta", "gamma"];
        let words = words.iter().filter(|w| **w != free);
        FieldValue::Words(words.map(|w| (*w).to_owned()).collect())
    };
    let arguments = Arguments::new(Space::Spatial).with("locked", locked("gamma"));
    assert_same(&joint("generic", &arguments), &plain("revolute"), 12);
    for (axis, free) in ["alpha", "beta", "gamma"].into_iter().enumerate() {
        let arguments = Arguments::new(Space::Spatial).with("locked", locked(free));
        let pose = joint("generic", &arguments).pose(Space::Spatial, &[0.7]);
        assert_eq!(pose.R, about(axis, 0.7));
        assert_eq!(pose.p, zero3());
    }
}

/// Spin of M about its own z, where F spins about its z at unit speed and the relative velocities are `v`.
fn output_speed(joint: &Joint, q: &[f64], v: &[f64]) -> f64 {
    let mut across = Across::new();
    joint.across(Space::Spatial, q, v, &mut across);
    let w = (0..2).fold(unit(2), |w, k| w + across.Hw[k] * v[k]);
    dot(&w, &apply(&across.R, &unit(2)))
}

#[test]
fn a_constant_velocity_joint_keeps_shaft_speeds_equal() {
    let (constant, universal) = (plain("constant-velocity"), plain("universal"));
    for bend in [0.0_f64, 0.2, 0.6, 1.1] {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for k in 0..100 {
            let turn = f64::from(k) * std::f64::consts::TAU / 100.0;
            let (s, c) = turn.sin_cos();
            // the output shaft keeps its direction in space: in F it is (sin β cos θ, −sin β sin θ, cos β)
            let half = 2.0 * (0.5 * bend).sin();
            let speed = output_speed(&constant, &[half * s, half * c], &[half * c, -half * s]);
            assert_close(speed, 1.0, 1e-14, "constant velocity");

            let (sb, cb) = bend.sin_cos();
            let angle2 = (sb * c).asin();
            let angle1 = (sb * s).atan2(cb);
            let rate2 = -sb * s / angle2.cos();
            let rate1 = cb * sb * c / (sb * sb * s * s + cb * cb);
            let speed = output_speed(&universal, &[angle1, angle2], &[rate1, rate2]);
            assert_close(speed, cb / (1.0 - sb * sb * c * c), 1e-13, "universal");
            least = least.min(speed);
            most = most.max(speed);
        }
        assert_close(least, bend.cos(), 1e-3, "slowest");
        assert_close(most, 1.0 / bend.cos(), 1e-12, "fastest");
    }
}
