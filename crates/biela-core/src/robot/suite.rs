//! Arms for tests, and kinematic properties that all of them must have.

use std::f64::consts::{FRAC_PI_2, PI};

use super::*;
use crate::element::Arguments;
use crate::joints::Joint;
use crate::math::rotation::{about, identity, matrix, unit};
use crate::math::spatial::Twist;
use crate::math::{Mat3, Random, Vec3};
use crate::model::{Body, BodyIndex, MassProperties, Space};

/// A serial arm: the type of each joint and its frame on the preceding link, with z as joint axis; the tool is on the last link.
pub(crate) fn arm(space: Space, joints: &[(&str, Pose)], tool: Pose) -> Model {
    let mut model = Model::new("arm", space);
    let mut last = BodyIndex::GROUND;
    for (k, (kind, frame)) in joints.iter().enumerate() {
        let mass = match space {
            Space::Planar => MassProperties::planar(1.0, [0.1, 0.0], 0.1).unwrap(),
            Space::Spatial => {
                MassProperties::new(1.0, Vec3::zeros(), Mat3::identity() * 0.1).unwrap()
            }
        };
        let body = model.add_body(Body::new(format!("link{k}"), mass));
        let near = model.add_marker("near", last, *frame);
        let far = model.body_marker(body);
        let joint = Joint::build(kind, &Arguments::new(space)).unwrap().unwrap();
        // prismatic joints move along the x axis of their frames
        let turn = if *kind == "prismatic" && space == Space::Spatial {
            about(1, -FRAC_PI_2)
        } else {
            identity()
        };
        let _ = model.add_joint(format!("j{k}"), joint, [near, far], &turn);
        last = body;
    }
    model.robot.tool = Some(model.add_marker("tool", last, tool));
    model
}

/// A frame rotated about x and translated, after J. J. Craig: Rx(α) Tx(a) Tz(d).
pub(crate) fn craig(alpha: f64, a: f64, d: f64) -> Pose {
    let twist = Pose::new(about(0, alpha), Vec3::new(a, 0.0, 0.0));
    twist.then(&Pose::new(identity(), Vec3::new(0.0, 0.0, d)))
}

pub(crate) fn straight(x: f64) -> Pose {
    Pose::new(identity(), Vec3::new(x, 0.0, 0.0))
}

/// Two links of lengths 0.5 and 0.3 in the plane.
pub(crate) fn two_links() -> Model {
    let joints = [("revolute", straight(0.0)), ("revolute", straight(0.5))];
    arm(Space::Planar, &joints, straight(0.3))
}

/// The PUMA 560 (J. J. Craig, *Introduction to Robotics*, 3rd ed. 2005, §3.7).
pub(crate) fn puma() -> Model {
    let table = [
        (0.0, 0.0, 0.0),
        (-FRAC_PI_2, 0.0, 0.0),
        (0.0, 0.4318, 0.15005),
        (-FRAC_PI_2, 0.0203, 0.4318),
        (FRAC_PI_2, 0.0, 0.0),
        (-FRAC_PI_2, 0.0, 0.0),
    ];
    let joints = table.map(|(alpha, a, d)| ("revolute", craig(alpha, a, d)));
    arm(Space::Spatial, &joints, Pose::identity())
}

/// An arm of seven joints with shoulder, elbow and wrist.
pub(crate) fn seven() -> Model {
    let quarter = FRAC_PI_2;
    let table = [
        (0.0, 0.36),
        (-quarter, 0.0),
        (quarter, 0.42),
        (quarter, 0.0),
        (-quarter, 0.4),
        (-quarter, 0.0),
        (quarter, 0.126),
    ];
    let joints = table.map(|(alpha, d)| ("revolute", craig(alpha, 0.0, d)));
    arm(Space::Spatial, &joints, Pose::identity())
}

/// A random arm with limits.
fn random_arm(random: &mut Random) -> Model {
    let count = 3 + random.below(5);
    let joints: Vec<(&str, Pose)> = (0..count)
        .map(|_| {
            let kind = if random.below(4) == 0 {
                "prismatic"
            } else {
                "revolute"
            };
            let frame = Pose::new(matrix(&random.rotation()), random.vector(0.4));
            (kind, frame)
        })
        .collect();
    let tool = Pose::new(matrix(&random.rotation()), random.vector(0.3));
    let mut model = arm(Space::Spatial, &joints, tool);
    for joint in &mut model.joints {
        let half = random.between(0.8, 3.0);
        let middle = random.symmetric(0.5);
        let scale = if matches!(joint.joint, Joint::Prismatic(_)) {
            0.3
        } else {
            1.0
        };
        joint.limits.lower = scale * (middle - half);
        joint.limits.upper = scale * (middle + half);
    }
    model
}

fn inverse(robot: &Robot) -> InverseKinematics<'_> {
    InverseKinematics::new(robot, robot.tool().unwrap())
}

#[test]
fn frames_move_according_to_their_jacobian() {
    let mut random = Random::new(21);
    for _ in 0..20 {
        let robot = Robot::of(&random_arm(&mut random)).unwrap();
        let n = robot.joints.len();
        let place = *robot.tool().unwrap();
        let mut ws = robot.workspace();
        let mut columns = vec![Twist::zero(); n];
        let [q, v, a] =
            [0, 1, 2].map(|_| -> Vec<f64> { (0..n).map(|_| random.symmetric(1.0)).collect() });
        let motion = robot.motion(&mut ws, &place, [&q, &v, &a], &mut columns);
        let h = 1e-4;
        let at = |s: f64| -> Vec<f64> {
            (0..n)
                .map(|k| q[k] + s * v[k] + 0.5 * s * s * a[k])
                .collect()
        };
        let [before, after] = [-h, h].map(|s| robot.pose(&mut ws, &place, &at(s)));
        let velocity = (after.p - before.p) / (2.0 * h);
        assert!((velocity - motion.velocity.v).norm() < 1e-6);
        let acceleration = (after.p + before.p - motion.pose.p * 2.0) / (h * h);
        assert!((acceleration - motion.acceleration.v).norm() < 1e-5);
        let turn = crate::math::rotation::rotation_vector(&(after.R * before.R.transpose()));
        assert!((turn / (2.0 * h) - motion.velocity.w).norm() < 1e-6);
        let sum = columns
            .iter()
            .zip(&v)
            .fold(Twist::zero(), |s, (c, v)| s + *c * *v);
        assert!((sum.v - motion.velocity.v).norm() + (sum.w - motion.velocity.w).norm() < 1e-13);
    }
}

#[test]
fn both_elbow_configurations_of_two_links_are_found() {
    let robot = Robot::of(&two_links()).unwrap();
    let mut inverse = inverse(&robot);
    let (x, y) = (0.4_f64, 0.35_f64);
    let goal = Goal::Position(Vec3::new(x, y, 0.0));
    let found = inverse.solve_all(
        &goal,
        &[0.0, 0.1],
        &InverseKinematicsSettings::default(),
        10,
    );
    // law of cosines
    let cosine = (x * x + y * y - 0.25 - 0.09) / (2.0 * 0.5 * 0.3);
    let elbows = [cosine.acos(), -cosine.acos()];
    assert_eq!(found.len(), 2);
    for (answer, elbow) in found.iter().zip(elbows) {
        let shoulder = y.atan2(x) - (0.3 * elbow.sin()).atan2(0.5 + 0.3 * elbow.cos());
        assert!((answer.q[1] - elbow).abs() < 1e-11, "{:?}", answer.q);
        assert!((answer.q[0] - shoulder).abs() < 1e-11);
        assert!(answer.reached && answer.distance < 1e-12);
        assert!(!answer.singularity.is_singular());
    }
}

#[test]
fn an_unreachable_point_is_reported_with_its_distance() {
    let robot = Robot::of(&two_links()).unwrap();
    let mut inverse = inverse(&robot);
    let goal = Goal::Position(Vec3::new(0.6, 0.8, 0.0));
    let answer = inverse.solve(&goal, &[0.3, 0.4], &InverseKinematicsSettings::default());
    assert!(!answer.reached);
    assert!((answer.distance - 0.2).abs() < 1e-6, "{}", answer.distance);
    assert!((answer.beyond.unwrap() - 0.2).abs() < 1e-12);
    // fully stretched towards the goal, where radial motion is lost
    assert!((answer.q[0] - 0.8_f64.atan2(0.6)).abs() < 1e-3 && answer.q[1].abs() < 1e-2);
    // nothing proves that the inner void of the workspace cannot be reached, so nothing is claimed
    let inside = inverse.solve(
        &Goal::Position(Vec3::zeros()),
        &[0.3, 0.4],
        &InverseKinematicsSettings::default(),
    );
    assert!(!inside.reached && inside.beyond.is_none());
    assert!((inside.distance - 0.2).abs() < 1e-6);
}

#[test]
fn the_direction_lost_by_a_stretched_arm_is_along_it() {
    let robot = Robot::of(&two_links()).unwrap();
    let mut inverse = inverse(&robot);
    let goal = Goal::Position(Vec3::new(0.0, 0.8, 0.0));
    let answer = inverse.solve(&goal, &[1.0, 0.5], &InverseKinematicsSettings::default());
    assert!(answer.reached, "{answer:?}");
    let end = inverse.pose(&answer.q).p;
    assert!((end - goal.point()).norm() < 1e-12);
    let exact = Robot::of(&two_links()).unwrap();
    let mut ws = exact.workspace();
    let place = *exact.tool().unwrap();
    let _ = exact.pose(&mut ws, &place, &[FRAC_PI_2, 0.0]);
    let mut columns = vec![Twist::zero(); 2];
    exact.jacobian(&ws, &place, &mut columns);
    let directions = TaskDirections::translations(Space::Planar);
    let singularity = Singularity::of(&columns, &directions, 1.0);
    assert_eq!((singularity.rank, singularity.lost.len()), (1, 1));
    assert_eq!(singularity.lost[0].to_string(), "translation along y");
}

#[test]
fn all_eight_poses_of_a_puma_are_found() {
    let robot = Robot::of(&puma()).unwrap();
    let mut inverse = inverse(&robot);
    let known = [0.3, -0.6, 0.4, 0.7, 0.8, -0.5];
    let goal = Goal::Pose(inverse.pose(&known));
    let found = inverse.solve_all(&goal, &known, &InverseKinematicsSettings::default(), 100);
    assert_eq!(found.len(), 8);
    for answer in &found {
        let apart = goal.apart(&inverse.pose(&answer.q));
        assert!(apart.v.norm() < 1e-12 && apart.w.norm() < 1e-12);
    }
    assert!({ found[0].q.iter().zip(&known) }.all(|(a, b)| (a - b).abs() < 1e-10));
    // a flipped wrist: (θ4 + π, −θ5, θ6 + π)
    let flipped = |answer: &InverseKinematicsResult| {
        (answer.q[4] + 0.8).abs() < 1e-9 && (answer.q[0] - 0.3).abs() < 1e-9
    };
    assert!(found.iter().any(flipped));
}

#[test]
fn a_wrist_with_two_collinear_axes_loses_a_rotation() {
    let robot = Robot::of(&puma()).unwrap();
    let mut inverse = inverse(&robot);
    let known = [0.0, -FRAC_PI_2, FRAC_PI_2, 0.4, 0.0, 0.2];
    let goal = Goal::Pose(inverse.pose(&known));
    let answer = inverse.solve(&goal, &known, &InverseKinematicsSettings::default());
    assert!(answer.reached);
    assert_eq!(answer.singularity.rank, 5);
    assert_eq!(answer.singularity.lost.len(), 1);
    // with the joints of the arm fixed too, only rotations about the two remaining axes are possible
    let words = answer.singularity.lost[0].to_string();
    assert!(words.contains("rotation about"), "{words}");
    let mut ws = robot.workspace();
    let place = *robot.tool().unwrap();
    let _ = robot.pose(&mut ws, &place, &known);
    let mut columns = vec![Twist::zero(); 6];
    robot.jacobian(&ws, &place, &mut columns);
    let wrist = Singularity::of(
        &columns[3..],
        &TaskDirections::rotations(Space::Spatial),
        1.0,
    );
    let axis = columns[3].w.cross(&columns[4].w);
    assert_eq!(wrist.lost.len(), 1);
    assert!((wrist.lost[0].motion.w.dot(&axis).abs() - 1.0).abs() < 1e-12);
    assert!(wrist.lost[0].to_string().starts_with("rotation about"));
}

#[test]
fn a_redundant_arm_approaches_its_posture_and_keeps_the_tool_pose() {
    let robot = Robot::of(&seven()).unwrap();
    let mut inverse = inverse(&robot);
    let known = [0.2, 0.7, -0.3, -1.2, 0.4, 0.9, 0.1];
    let goal = Goal::Pose(inverse.pose(&known));
    let start = [0.6, 0.5, -1.3, -1.0, 1.0, 0.6, -0.5];
    let plain = inverse.solve(&goal, &start, &InverseKinematicsSettings::default());
    let search = InverseKinematicsSettings {
        posture: Some(vec![0.0; 7]),
        ..InverseKinematicsSettings::default()
    };
    let better = inverse.solve(&goal, &start, &search);
    let far = |q: &[f64]| q.iter().map(|x| x * x).sum::<f64>();
    assert!(plain.reached && better.reached);
    assert!(
        far(&better.q) < far(&plain.q) - 1e-3,
        "{:?} {:?}",
        better.q,
        plain.q
    );
    assert!(better.distance < 1e-12 && better.angle < 1e-12);
    // the optimum along the remaining degree of freedom: the posture gradient is normal to it
    let place = *robot.tool().unwrap();
    let mut ws = robot.workspace();
    let _ = robot.pose(&mut ws, &place, &better.q);
    let mut columns = vec![Twist::zero(); 7];
    robot.jacobian(&ws, &place, &mut columns);
    let rows = nalgebra::DMatrix::from_fn(6, 7, |i, k| {
        if i < 3 {
            columns[k].w[i]
        } else {
            columns[k].v[i - 3]
        }
    });
    let full = rows.clone().insert_rows(6, 1, 0.0);
    let svd = full.svd(false, true);
    let null = svd.v_t.unwrap().row(6).transpose();
    let pull: f64 = null.iter().zip(&better.q).map(|(a, b)| a * b).sum();
    assert!(pull.abs() < 1e-5, "{pull}");
}

#[test]
fn an_axis_can_be_aligned_with_free_rotation_about_it() {
    let robot = Robot::of(&puma()).unwrap();
    let mut inverse = inverse(&robot);
    let goal = Goal::Axis {
        point: Vec3::new(0.3, 0.3, 0.2),
        axis: unit(2),
        direction: -unit::<f64>(2),
    };
    let answer = inverse.solve(
        &goal,
        &[0.1, -0.5, 0.3, 0.1, 0.4, 0.2],
        &InverseKinematicsSettings::default(),
    );
    assert!(answer.reached);
    let pose = inverse.pose(&answer.q);
    assert!((pose.R * unit::<f64>(2) + unit::<f64>(2)).norm() < 1e-11);
    assert_eq!(answer.singularity.values.len(), 5);
}

#[test]
fn solutions_respect_the_limits_and_list_the_active_ones() {
    let mut model = two_links();
    model.joints[1].limits.lower = 0.2;
    model.joints[1].limits.upper = 1.0;
    let robot = Robot::of(&model).unwrap();
    let mut inverse = inverse(&robot);
    // needs an elbow angle beyond the limit
    let near = Goal::Position(Vec3::new(0.35, 0.1, 0.0));
    let answer = inverse.solve(&near, &[0.0, 0.5], &InverseKinematicsSettings::default());
    assert!(!answer.reached && answer.at_limits == [1]);
    assert!((answer.q[1] - 1.0).abs() < 1e-12);
    // only one elbow solution remains
    let far = Goal::Position(Vec3::new(0.6, 0.4, 0.0));
    let all = inverse.solve_all(&far, &[0.0, 0.5], &InverseKinematicsSettings::default(), 10);
    assert_eq!(all.len(), 1);
    assert!(all[0].q[1] >= 0.2 && all[0].at_limits.is_empty());
}

#[test]
fn angles_are_within_one_turn_of_the_start() {
    let robot = Robot::of(&two_links()).unwrap();
    let mut inverse = inverse(&robot);
    let goal = Goal::Position(Vec3::new(0.4, 0.35, 0.0));
    let start = [6.0 * PI, -4.0 * PI + 0.3];
    for answer in inverse.solve_all(&goal, &start, &InverseKinematicsSettings::default(), 10) {
        for (q, start) in answer.q.iter().zip(&start) {
            assert!((q - start).abs() <= PI + 1e-9, "{q} {start}");
        }
    }
}

#[test]
fn random_arms_solve_for_poses_that_they_can_reach() {
    let mut random = Random::new(5);
    let (mut tried, mut reached, mut steps) = (0, 0, 0);
    for round in 0..300 {
        let robot = Robot::of(&random_arm(&mut random)).unwrap();
        let mut inverse = inverse(&robot);
        let hidden = inverse.anywhere(&mut random);
        let pose = inverse.pose(&hidden);
        let goal = match round % 3 {
            0 => Goal::Position(pose.p),
            1 => Goal::Pose(pose),
            _ => Goal::Axis {
                point: pose.p,
                axis: unit(0),
                direction: pose.R * unit::<f64>(0),
            },
        };
        let start = inverse.anywhere(&mut random);
        let answer = inverse.solve(&goal, &start, &InverseKinematicsSettings::default());
        tried += 1;
        reached += usize::from(answer.reached);
        steps += answer.iterations;
        assert!(answer.iterations <= InverseKinematicsSettings::default().iterations);
        // every reported answer is verified
        let apart = goal.apart(&inverse.pose(&answer.q));
        assert!((apart.v.norm() - answer.distance).abs() < 1e-12);
        if answer.reached {
            assert!(apart.v.norm() < 1e-11 && apart.w.norm() < 1e-11);
        }
        assert!(
            answer.beyond.is_none(),
            "a pose it can take is never called out of reach"
        );
        for (q, joint) in answer.q.iter().zip(&robot.joints) {
            assert!(*q >= joint.limits.lower && *q <= joint.limits.upper);
        }
    }
    assert!(100 * reached >= 99 * tried, "{reached} of {tried}");
    assert!(steps < 40 * tried, "{steps} steps for {tried} goals");
}
