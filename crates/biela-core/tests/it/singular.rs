//! Singular poses: found, located, named; and never seen where there are none.

use std::f64::consts::PI;
use std::sync::Arc;

use biela_core::analysis::{Formulation, Observer, Simulation, assemble};
use biela_core::math::{Jet, Mat3, Pose, Vec3};
use biela_core::model::{
    Body, BodyIndex, DriverTarget, InitialValue, JointIndex, MarkerIndex, MassProperties, Model,
    SignalFunction, Space,
};
use biela_core::system::{Instant, Meaning, SingularPose};

use crate::assembly::four_bar;
use crate::common::{Series, at, joint, run, straight, study};
use crate::drivers::drive;
use crate::mechanisms;

const SPACE: Space = Space::Planar;
/// Crank rate, rad/s.
const RATE: f64 = 2.0;

/// A parallelogram without gravity: its links turn at a constant rate, and lie in line at every half turn.
fn parallelogram() -> Model {
    let mut model = four_bar(SPACE, [0.2, 0.5, 0.2], 0.5, [1.0, 0.0, 1.0 - PI]);
    model.gravity = Vec3::zeros();
    model.joints[0].initial = vec![InitialValue {
        coordinate: 0,
        value: Some(1.0),
        rate: Some(RATE),
        keep: true,
    }];
    model
}

fn names(pose: &SingularPose) -> Vec<&str> {
    pose.elements.iter().map(String::as_str).collect()
}

fn passes(method: &str, integrator: &str, number: f64) -> Series {
    run(
        parallelogram(),
        &study(SPACE, 4.5, 0.1, method, integrator, number),
    )
}

/// Half turn k comes at (k π − 1)/RATE.
fn check_pass(pose: &SingularPose, k: usize, tolerance: f64, what: &str) {
    let expected = (k as f64 * PI - 1.0) / RATE;
    let off = (pose.time - expected).abs();
    assert!(off <= tolerance, "{what}: {:.12} is {off:e} off", pose.time);
    assert!(pose.measure <= tolerance.max(1e-6), "{what}: {pose:?}");
    assert_eq!(pose.meaning, Meaning::Bifurcation);
    let elements = ["joint `A`", "joint `B`", "joint `C`", "joint `D`"];
    assert_eq!(names(pose), elements, "{what}");
}

fn check_passes(series: &Series, tolerance: f64, what: &str) {
    let found = &series.singular;
    assert_eq!(found.len(), 3, "{what}: {found:?}");
    assert_eq!(series.statistics.singular_poses, 3);
    for (pose, k) in found.iter().zip(1..) {
        check_pass(pose, k, tolerance, what);
    }
}

#[test]
fn every_method_detects_a_flat_parallelogram() {
    for method in biela_core::methods::METHODS {
        let study = study(SPACE, 2.0, 0.1, method.name, "dop853", 1e-10);
        let series = run(parallelogram(), &study);
        assert_eq!(series.singular.len(), 1, "{}", method.name);
        // where drift is not taken out it grows at the pose
        let tolerance = match method.name {
            "augmented" | "baumgarte" => 1e-4,
            _ => 1e-8,
        };
        check_pass(&series.singular[0], 1, tolerance, method.name);
    }
}

#[test]
fn in_joint_coordinates_the_joint_that_closes_the_loop_is_named() {
    let mut study = study(SPACE, 2.0, 0.1, "projection", "dop853", 1e-10);
    study.formulation = Formulation::Tree;
    let series = run(parallelogram(), &study);
    let [pose] = series.singular.as_slice() else {
        panic!("{:?}", series.singular)
    };
    assert!((pose.time - (PI - 1.0) / RATE).abs() < 1e-8, "{pose:?}");
    assert_eq!(pose.elements.len(), 1, "{pose:?}");
}

#[test]
fn every_integrator_detects_a_flat_parallelogram_at_each_half_turn() {
    for (integrator, number, tolerance) in [
        ("rk4", 1e-3, 1e-7),
        ("rk4-doubling", 1e-9, 1e-7),
        ("merson", 1e-9, 1e-7),
        ("dopri5", 1e-9, 1e-7),
        ("dop853", 1e-9, 1e-7),
        ("abm", 1e-9, 1e-7),
        ("bdf", 1e-7, 1e-4),
        ("generalized-alpha", 1e-3, 1e-5),
    ] {
        let series = passes("projection", integrator, number);
        check_passes(&series, tolerance, integrator);
    }
}

/// θ(t) = start + rate t.
#[derive(Debug)]
struct Even {
    start: f64,
    rate: f64,
}

impl SignalFunction for Even {
    fn value(&self, t: f64, _: &[f64]) -> f64 {
        self.start + self.rate * t
    }
    fn jet(&self, t: f64) -> Jet {
        Jet {
            value: self.value(t, &[]),
            rate: self.rate,
            curvature: 0.0,
        }
    }
}

/// A slider-crank of equal crank and rod: at a quarter turn it folds on itself, and the slider may stay while both turn.
fn folding_slider_crank(driven: bool) -> Model {
    let (length, start) = (0.3, 0.4);
    let mut model = Model::new("folding slider-crank", SPACE);
    let mass = || MassProperties::planar(1.0, [length / 2.0, 0.0], 0.01).unwrap();
    let turned = |angle, x, y| {
        Pose::new(
            biela_core::math::rotation::about(2, angle),
            Vec3::new(x, y, 0.0),
        )
    };
    let (cos, sin) = (f64::cos(start), f64::sin(start));
    let crank = model.add_body(Body::new("crank", mass()).at(turned(start, 0.0, 0.0)));
    let knee = turned(-start, length * cos, length * sin);
    let rod = model.add_body(Body::new("rod", mass()).at(knee));
    let block = MassProperties::planar(1.0, [0.0, 0.0], 0.01).unwrap();
    let slider = Body::new("slider", block).at(at(2.0 * length * cos, 0.0, 0.0));
    let slider = model.add_body(slider);
    let crank_end = model.add_marker("end", crank, at(length, 0.0, 0.0));
    let rod_end = model.add_marker("end", rod, at(length, 0.0, 0.0));
    let [crank, rod, slider] = [crank, rod, slider].map(|body| model.body_marker(body));
    for (name, pair) in [
        ("pin", [MarkerIndex::GROUND, crank]),
        ("knee", [crank_end, rod]),
        ("wrist", [rod_end, slider]),
    ] {
        let _ = model.add_joint(name, joint("revolute", SPACE), pair, &straight());
    }
    let pair = [MarkerIndex::GROUND, slider];
    let _ = model.add_joint("guide", joint("prismatic", SPACE), pair, &straight());
    if driven {
        let even = Even { start, rate: RATE };
        drive(
            &mut model,
            DriverTarget::Joint(JointIndex(0), 0),
            Arc::new(even),
        );
    } else {
        model.joints[0].initial = vec![InitialValue {
            coordinate: 0,
            value: Some(start),
            rate: Some(RATE),
            keep: true,
        }];
    }
    model
}

#[test]
fn a_slider_crank_of_equal_links_has_a_bifurcation_at_a_quarter_turn() {
    for (integrator, number) in [
        ("dop853", 1e-10),
        ("kinematics", 1e-3),
        ("generalized-alpha", 1e-3),
    ] {
        let study = study(SPACE, 1.0, 0.1, "projection", integrator, number);
        let series = run(folding_slider_crank(true), &study);
        let [pose] = series.singular.as_slice() else {
            panic!("{integrator}: {:?}", series.singular)
        };
        let expected = (PI / 2.0 - 0.4) / RATE;
        assert!(
            (pose.time - expected).abs() < 1e-7,
            "{integrator}: {pose:?}"
        );
        assert_eq!(
            pose.meaning,
            Meaning::Bifurcation,
            "{integrator}: the driver is not the cause"
        );
        let elements = [
            "joint `pin`",
            "joint `knee`",
            "joint `wrist`",
            "joint `guide`",
        ];
        assert_eq!(names(pose), elements);
    }
    // without the driver, the angle at which it occurs determines the time
    let study = study(SPACE, 1.0, 0.001, "projection", "dop853", 1e-11);
    let series = run(folding_slider_crank(false), &study);
    let pose = &series.singular[0];
    let before = series.times.iter().rposition(|t| *t <= pose.time).unwrap();
    let angles = series.all("pin.angle");
    let (first, second) = (angles[before], angles[before + 1]);
    let part = (PI / 2.0 - first) / (second - first);
    let expected = series.times[before] + 0.001 * part;
    assert!((pose.time - expected).abs() < 1e-4, "{pose:?} {expected}");
}

struct Poses(Vec<SingularPose>);

impl Observer for Poses {
    fn sample(&mut self, _: &Instant<'_>) -> std::ops::ControlFlow<()> {
        std::ops::ControlFlow::Continue(())
    }

    fn singular_pose(&mut self, pose: &SingularPose) {
        self.0.push(pose.clone());
    }
}

#[test]
fn a_driver_that_reaches_a_dead_centre_is_stopped_there_and_named() {
    // the crank is too long to turn round: it stops where coupler and rocker are in line
    let (crank, coupler, rocker, ground) = (0.5_f64, 0.3_f64, 0.4_f64, 0.45_f64);
    let reach = coupler + rocker;
    let limit = ((crank * crank + ground * ground - reach * reach) / (2.0 * crank * ground)).acos();
    let start = 0.7;
    let expected = (limit - start) / RATE;
    for (integrator, number) in [
        ("kinematics", 1e-3),
        ("dopri5", 1e-8),
        ("dop853", 1e-10),
        ("rk4", 1e-3),
        ("generalized-alpha", 1e-3),
        ("bdf", 1e-6),
    ] {
        let mut model = four_bar(SPACE, [crank, coupler, rocker], ground, [start, -0.3, -2.2]);
        let even = Even { start, rate: RATE };
        drive(
            &mut model,
            DriverTarget::Joint(JointIndex(0), 0),
            Arc::new(even),
        );
        let study = study(SPACE, 2.0, 0.01, "projection", integrator, number);
        let assembled = assemble(model, Formulation::Absolute).unwrap();
        let mut poses = Poses(Vec::new());
        let failure = Simulation::new(assembled, &study).unwrap().run(&mut poses);
        let failure = failure.unwrap_err();
        let Some(pose) = &failure.dead_centre else {
            panic!("{integrator}: {failure}")
        };
        assert!(
            (pose.time - expected).abs() < 1e-9,
            "{integrator}: {:.12} {expected:.12}",
            pose.time
        );
        assert_eq!(pose.meaning, Meaning::DeadCentre);
        assert_eq!(names(pose).last(), Some(&"driver `motor0`"));
        let told = poses.0.last().unwrap();
        assert!(
            (told.time - pose.time).abs() < 1e-6,
            "{integrator}: {told:?}"
        );
        assert_eq!(poses.0.len(), 1, "{integrator}: {:?}", poses.0);
        let text = failure.to_string();
        assert!(
            text.contains("`motor0` reaches a dead centre") && text.contains("joint `B`"),
            "{text}"
        );
    }
}

/// θ(t) = 0.4 + RATE t + t².
#[derive(Debug)]
struct Faster;

impl SignalFunction for Faster {
    fn value(&self, t: f64, _: &[f64]) -> f64 {
        0.4 + RATE * t + t * t
    }
    fn jet(&self, t: f64) -> Jet {
        Jet {
            value: self.value(t, &[]),
            rate: RATE + 2.0 * t,
            curvature: 2.0,
        }
    }
}

#[test]
fn a_run_that_fails_for_another_reason_reports_no_dead_centre() {
    let mut model = folding_slider_crank(true);
    let crank = DriverTarget::Joint(JointIndex(0), 0);
    drive(&mut model, crank, Arc::new(Faster));
    let study = study(SPACE, 0.3, 0.01, "projection", "dopri5", 1e-8);
    let assembled = assemble(model, Formulation::Absolute).unwrap();
    let outcome = Simulation::new(assembled, &study)
        .unwrap()
        .run(&mut Poses(Vec::new()));
    let failure = outcome.unwrap_err();
    assert_eq!(failure.dead_centre, None);
    assert!(failure.to_string().contains("inconsistent"), "{failure}");
}

/// Bricard's linkage on six edges of a cube: mobile only by its special dimensions, with one redundant constraint at every pose.
fn bricard() -> Model {
    let space = Space::Spatial;
    let mut model = Model::new("bricard", space);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    let corners = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, -1.0, 0.0],
        [1.0, -1.0, 1.0],
        [0.0, -1.0, 1.0],
        [0.0, 0.0, 1.0],
    ]
    .map(Vec3::from);
    // edges 0 to 4 are rods, edge 5 is the ground
    let edge = |i: usize| corners[(i + 1) % 6] - corners[i % 6];
    let mut rods = [BodyIndex::GROUND; 6];
    for (i, rod) in rods.iter_mut().take(5).enumerate() {
        let slender = Mat3::identity() - edge(i) * edge(i).transpose() * 0.99;
        let mass = MassProperties::new(1.0, edge(i) * 0.5, slender * (1.0 / 12.0)).unwrap();
        let pose = Pose::new(straight(), corners[i]);
        *rod = model.add_body(Body::new(format!("rod{i}"), mass).at(pose));
    }
    for i in 0..6 {
        let axis = edge(i + 5).cross(&edge(i));
        let side = axis.cross(&edge(i));
        let frame = Mat3::from_columns(&[edge(i), side, axis]);
        let mut end = |rod: usize| {
            let origin = if rod == 5 {
                Vec3::zeros()
            } else {
                corners[rod]
            };
            let place = Pose::new(frame, corners[i] - origin);
            model.add_marker("corner", rods[rod], place)
        };
        let ends = [end((i + 5) % 6), end(i)];
        let hinge = joint("revolute", space);
        let _ = model.add_joint(format!("hinge{i}"), hinge, ends, &straight());
    }
    model
}

#[test]
fn an_overconstrained_linkage_has_no_singular_configuration() {
    let assembled = assemble(bricard(), Formulation::Absolute).unwrap();
    assert_eq!(
        (
            assembled.mobility.freedom,
            assembled.mobility.dependent.len()
        ),
        (1, 1)
    );
    assert_eq!(assembled.singular_rows, 0);
    let series = run(
        bricard(),
        &study(Space::Spatial, 3.0, 0.1, "projection", "dopri5", 1e-8),
    );
    assert!(series.singular.is_empty(), "{:?}", series.singular);
    assert!(series.last("rod2.y").abs() > 0.1, "it moves");
}

#[test]
fn regular_models_redundant_or_not_have_no_singular_configuration() {
    let models: [fn() -> Model; 9] = [
        mechanisms::slider_crank,
        mechanisms::planar_four_bar,
        mechanisms::redundant_four_bar,
        mechanisms::driven_four_bar,
        mechanisms::door,
        mechanisms::double_pendulum,
        mechanisms::mixed_chain,
        mechanisms::gears,
        mechanisms::rolling_disc,
    ];
    for model in models {
        for (integrator, number) in [("dopri5", 1e-7), ("generalized-alpha", 1e-3)] {
            let (name, space) = (model().name.clone(), model().space);
            let study = study(space, 2.0, 0.1, "projection", integrator, number);
            let series = run(model(), &study);
            assert!(series.singular.is_empty(), "{name}: {:?}", series.singular);
        }
    }
}
