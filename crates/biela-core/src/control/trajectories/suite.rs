//! Properties that every trajectory of the list must have.

use super::*;
use crate::element::{Field, FieldKind, FieldValue, JointMotionSamples};
use crate::math::{Jet, Random, Vec3};
use crate::robot::suite::two_links;

/// A value of a field; `None` if the variant omits the field.
fn value(info: &Info, field: &Field, variant: usize, random: &mut Random) -> Option<FieldValue> {
    let mut point = || random.array::<2>(1.0).to_vec();
    let times = vec![0.25, 0.75, 2.0, 2.5];
    Some(match (info.name, field.name) {
        // tool paths of a two-link arm, near its start
        ("line" | "circle", "from") => FieldValue::Numbers(vec![0.2, 1.2]),
        ("line" | "circle", "orientation") => FieldValue::Word("free".to_owned()),
        ("line", "to") => FieldValue::Vector(Vec3::new(0.4, 0.55, 0.0)),
        ("circle", "center") if variant.is_multiple_of(2) => {
            FieldValue::Vector(Vec3::new(0.5, 0.4, 0.0))
        }
        ("circle", "through") if variant % 2 == 1 => {
            FieldValue::Points(vec![vec![0.5, 0.45, 0.0], vec![0.45, 0.5, 0.0]])
        }
        ("line" | "circle", "angle" | "rotation" | "axis" | "center" | "through") => return None,
        ("spline", "points") => {
            let mut points: Vec<Vec<f64>> = (0..3).map(|_| point()).collect();
            points.push(points[0].clone());
            FieldValue::Points(points)
        }
        ("spline", "end_rates") if variant % 2 == 1 => FieldValue::Points(vec![point(), point()]),
        ("trapezoidal", "acceleration") => FieldValue::Numbers(vec![40.0, 50.0]),
        ("trapezoidal", "rate") => FieldValue::Numbers(vec![6.0, 7.0]),
        ("sinusoid", "amplitude") => FieldValue::Points(vec![point(), point()]),
        ("file", "file") => {
            let mut rows = |given: bool| -> Vec<Vec<f64>> {
                let rows = times.iter().map(|_| point());
                rows.take(if given { 4 } else { 0 }).collect()
            };
            FieldValue::Series(JointMotionSamples {
                positions: rows(true),
                rates: rows(variant > 0),
                accelerations: rows(variant > 1),
                times: times.clone(),
            })
        }
        ("sequence", "segments") => {
            let rest = Pieces::resting(vec![0.0, 0.0], 0.4);
            let c = vec![0.0, 1.0, 1.0, 0.0, 0.0, 0.0];
            let moving = Pieces::new(2, vec![0.0, 1.0], 3, c, false);
            FieldValue::Motions(vec![Arc::new(rest), Arc::new(moving)])
        }
        // vary which optional fields are given
        _ if field.default == Some("") && variant.is_multiple_of(2) => return None,
        _ => match field.kind {
            FieldKind::Points { .. } => FieldValue::Points((0..4).map(|_| point()).collect()),
            FieldKind::PerJoint { .. } => FieldValue::Numbers(point()),
            FieldKind::Numbers { .. } if field.name == "times" => FieldValue::Numbers(times),
            FieldKind::Numbers { .. } => FieldValue::Numbers(vec![1.3, 0.4]),
            FieldKind::Number { .. } | FieldKind::Positive { .. } => FieldValue::Number(2.0),
            FieldKind::Choice(words) => FieldValue::Word(words[variant % words.len()].to_owned()),
            _ => return None,
        },
    })
}

/// Every type with several sets of values: its index in the list and the motion of two joints.
fn samples(start: f64) -> Vec<(usize, Arc<dyn Trajectory>)> {
    let mut random = Random::new(11);
    let robot = Robot::of(&two_links()).unwrap();
    let setting = Setting {
        joints: vec![JointLimits::NONE; 2],
        start,
        robot: Ok(&robot),
    };
    let mut made = Vec::new();
    for (place, info) in TRAJECTORIES.iter().enumerate() {
        for variant in 0..4 {
            let mut arguments = Arguments::new(Space::Planar);
            for field in info.fields {
                if let Some(value) = value(info, field, variant, &mut random) {
                    arguments.set(field.name, value);
                }
            }
            let motion = build(info.name, &arguments, &setting).unwrap();
            let motion = motion.unwrap_or_else(|error| panic!("{}: {error}", info.name));
            made.push((place, motion));
        }
    }
    made
}

/// Instants within a motion, or within its first seconds.
fn instants(motion: &dyn Trajectory) -> Vec<f64> {
    let end = motion.duration().min(8.0);
    (1..400)
        .map(|k| end * f64::from(k) / 400.0 + 1e-3)
        .collect()
}

fn all(motion: &dyn Trajectory, joint: usize, time: f64) -> [f64; 4] {
    let jet = motion.joint(joint, time);
    [jet.value, jet.rate, jet.curvature, motion.jerk(joint, time)]
}

#[test]
fn each_derivative_is_the_slope_of_the_preceding_one() {
    for (place, motion) in samples(0.5) {
        let corners = motion.corners();
        for time in instants(&*motion) {
            let h = 1e-5;
            if corners.iter().any(|corner| (corner - time).abs() < 2.0 * h) {
                continue;
            }
            for joint in 0..2 {
                let [a, b, c] = [-h, 0.0, h].map(|d| all(&*motion, joint, time + d));
                for k in 0..3 {
                    let slope = (c[k] - a[k]) / (2.0 * h);
                    let size = 1.0 + b.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
                    let name = TRAJECTORIES[place].name;
                    // the jerk of a cubic may be discontinuous between pieces
                    let rough = k == 2 && (c[3] - a[3]).abs() > 1e-2 * size;
                    assert!(
                        rough || (slope - b[k + 1]).abs() < 1e-5 * size,
                        "{name}: derivative {k} at {time}: {slope} {}",
                        b[k + 1]
                    );
                }
            }
        }
    }
}

#[test]
fn as_many_derivatives_are_continuous_as_documented() {
    for (place, motion) in samples(0.0) {
        let end = motion.duration().min(8.0);
        let corners = motion.corners();
        // the points of the samples, where pieces join
        for time in [0.75, 2.0].into_iter().filter(|time| *time < end - 1e-9) {
            for joint in 0..2 {
                let [before, after] = [-1e-9, 1e-9].map(|d| all(&*motion, joint, time + d));
                for k in 0..=CONTINUITIES[place] {
                    let slope = match k {
                        3 => 1e4,
                        _ => before[k + 1].abs().max(after[k + 1].abs()),
                    };
                    assert!(
                        (after[k] - before[k]).abs() < 1e-8 * (1.0 + slope) + 1e-10,
                        "{}: derivative {k} at {time}: {before:?} {after:?}",
                        TRAJECTORIES[place].name
                    );
                }
            }
            let smooth = CONTINUITIES[place] >= 2;
            assert!(
                !(smooth && corners.contains(&time)),
                "{}",
                TRAJECTORIES[place].name
            );
        }
        // between discontinuities the acceleration is continuous
        let steps = instants(&*motion);
        for pair in steps.windows(2) {
            if corners.iter().any(|c| *c >= pair[0] && *c <= pair[1]) {
                continue;
            }
            let [a, b] = [pair[0], pair[1]].map(|t| all(&*motion, 0, t));
            let step = (pair[1] - pair[0]) * (1.0 + 4.0 * a[3].abs().max(b[3].abs()));
            assert!(
                (b[2] - a[2]).abs() < 2.0 * step,
                "{} jumps near {}",
                TRAJECTORIES[place].name,
                pair[0]
            );
        }
    }
}

#[test]
fn joints_are_at_rest_before_the_start_and_after_the_end() {
    for (place, motion) in samples(0.5) {
        let name = TRAJECTORIES[place].name;
        for joint in 0..2 {
            let first = motion.joint(joint, 0.5);
            let before = motion.joint(joint, 0.2);
            assert_eq!(before, Jet::new(first.value, 0.0, 0.0), "{name}");
            let end = motion.duration();
            if end.is_finite() {
                let last = motion.joint(joint, end);
                let after = motion.joint(joint, end + 3.0);
                assert_eq!((after.rate, after.curvature), (0.0, 0.0), "{name}");
                assert!((after.value - last.value).abs() < 1e-14, "{name}");
            }
        }
    }
}

#[test]
fn every_value_is_finite_at_any_time() {
    for (place, motion) in samples(0.0) {
        for time in [-1e300, -1.0, 0.0, 1e-300, 0.75, 2.5, 1e6, 1e300] {
            for joint in 0..2 {
                let found = all(&*motion, joint, time);
                assert!(
                    found.iter().all(|x| x.is_finite()),
                    "{} at {time}: {found:?}",
                    TRAJECTORIES[place].name
                );
            }
        }
    }
}

#[test]
fn a_delayed_motion_is_the_motion_shifted_in_time() {
    for ((place, early), (_, late)) in samples(0.0).iter().zip(&samples(0.75)) {
        for time in instants(&**early) {
            let (a, b) = (early.joint(1, time), late.joint(1, time + 0.75));
            let name = TRAJECTORIES[*place].name;
            assert!((a.value - b.value).abs() < 1e-12, "{name} at {time}");
        }
    }
}

#[test]
fn the_next_discontinuity_is_the_first_one_ahead() {
    for (place, motion) in samples(0.5) {
        let corners = motion.corners();
        assert!(corners.windows(2).all(|pair| pair[0] < pair[1]));
        for time in [-1.0, 0.5, 0.7, 1.25, 2.0, 99.0] {
            let ahead = corners.iter().copied().find(|corner| *corner > time);
            let expected = ahead.unwrap_or(f64::INFINITY);
            let name = TRAJECTORIES[place].name;
            assert_eq!(motion.next_corner(time), expected, "{name} at {time}");
        }
    }
}
