//! A whole model with every integrator: the three-dimensional double pendulum against reference digits.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::ops::ControlFlow;

use biela_core::analysis::{Observer, Simulation, Study, assemble};
use biela_core::element::{Arguments, FieldValue};
use biela_core::integrators::{IntegratorWork, general};
use biela_core::joints::Joint;
use biela_core::math::rotation::identity;
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{Body, BodyIndex, MarkerIndex, MassProperties, Model, Space};
use biela_core::system::Instant;

/// Centre of mass, velocity and angular velocity of the second body at t = 1 … 5 s, computed independently with the
/// pose "R2" of Pacheco's case I.3.
#[rustfmt::skip]
#[allow(clippy::unreadable_literal)]
const REFERENCE: [[f64; 9]; 5] = [
    [
        -1.1354248739, -0.7464268035, -0.3800094539,
        -1.47501545, 2.44270736, -1.02095234,
        5.64513070, -3.42992844, 0.64496963,
    ],
    [
        0.3841986668, -0.9920871968, 0.1127007461,
        1.18410183, 4.50421480, 0.15858113,
        6.71345538, -0.82201152, 4.75153695,
    ],
    [
        -0.2704054408, -0.9252170440, -0.2389529381,
        -3.94007423, -0.20049432, -2.21043920,
        2.93852103, -6.18357773, -1.79349780,
    ],
    [
        -0.3035289731, -1.3081911465, 0.3717906008,
        3.12352191, 0.45839722, -0.27344923,
        -4.55981606, -2.65222513, 13.25152457,
    ],
    [
        1.2267809214, -0.8452779760, -0.0738477534,
        -2.35196049, -1.88150962, -0.08973091,
        2.89424067, 3.96797928, 4.19514224,
    ],
];

/// Two steel cylinders on spherical joints: the first along x from the origin, the second along z from its end; at rest.
fn double_pendulum() -> Model {
    let space = Space::Spatial;
    let mut model = Model::new("double pendulum", space);
    model.gravity = Vec3::new(0.0, -9.80665, 0.0);
    let (radius, length) = (0.025, 1.0);
    let mass = 7801.0 * std::f64::consts::PI * radius * radius * length;
    let axial = 0.5 * mass * radius * radius;
    let across = mass * (3.0 * radius * radius + length * length) / 12.0;
    let cylinder = |axis: Vec3<f64>| {
        let moments = Vec3::repeat(across) + axis * (axial - across);
        MassProperties::new(mass, axis * 0.5, Mat3::from_diagonal(&moments)).unwrap()
    };
    let end = Pose::new(identity(), Vec3::x());
    let upper = model.add_body(Body::new("upper", cylinder(Vec3::x())));
    let lower = model.add_body(Body::new("lower", cylinder(Vec3::z())).at(end));
    let elbow = model.add_marker("elbow", upper, end);
    let joint = Joint::build("spherical", &Arguments::new(space));
    let joint = joint.unwrap().unwrap();
    let (top, below) = (model.body_marker(upper), model.body_marker(lower));
    let markers = [[MarkerIndex::GROUND, top], [elbow, below]];
    for (name, markers) in ["shoulder", "elbow"].into_iter().zip(markers) {
        let _ = model.add_joint(name, joint.clone(), markers, &identity());
    }
    model
}

/// Motion of the second body at the output times.
#[derive(Default)]
struct Second(Vec<[f64; 9]>);

impl Observer for Second {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        let motion = instant.context().kinematics.body(BodyIndex(1));
        let mut row = [0.0; 9];
        for (chunk, vector) in row.chunks_mut(3).zip([motion.r, motion.v, motion.w]) {
            chunk.copy_from_slice(vector.as_slice());
        }
        self.0.push(row);
        ControlFlow::Continue(())
    }
}

/// Largest differences from the reference in position, velocity and angular velocity; the work.
fn run(kind: &str, tolerance: f64, step: f64) -> ([f64; 3], IntegratorWork, f64) {
    let mut study = Study::new(Space::Spatial, 5.0, 1.0);
    kind.clone_into(&mut study.integrator.kind);
    study.integrator.arguments = Arguments::new(Space::Spatial)
        .with("tolerance", FieldValue::Number(tolerance))
        .with("step", FieldValue::Number(step));
    let mut list = biela_core::integrators::INTEGRATORS.iter();
    let info = list.find(|info| info.name == kind).unwrap();
    study.integrator.arguments = study.integrator.arguments.only_of(info);
    let assembled = assemble(double_pendulum(), study.formulation).unwrap();
    let mut simulation = Simulation::new(assembled, &study).unwrap();
    let mut second = Second::default();
    let _ = simulation.run(&mut second).unwrap();
    let mut worst = [0.0_f64; 3];
    for (found, reference) in second.0[1..].iter().zip(&REFERENCE) {
        for (i, (a, b)) in found.iter().zip(reference).enumerate() {
            worst[i / 3] = worst[i / 3].max((a - b).abs());
        }
    }
    let statistics = simulation.statistics();
    let energy = statistics.worst_energy / statistics.energy_scale;
    (worst, statistics.integrator, energy)
}

#[test]
fn every_integrator_matches_all_digits_of_the_reference() {
    for info in general() {
        let ([position, velocity, turning], work, energy) = run(info.name, 1e-13, 2e-4);
        let what = format!(
            "{}: {position:.2e} m, {velocity:.2e} m/s, {turning:.2e} rad/s, energy {energy:.1e}, {work:?}",
            info.name
        );
        // half a unit of the last digit printed, and a little room
        assert!(position < 5.1e-11, "{what}");
        assert!(velocity < 5.1e-9 && turning < 5.1e-9, "{what}");
        assert!(energy < 1e-11, "{what}");
    }
}

#[test]
fn a_tight_tolerance_with_projection_needs_few_evaluations() {
    let evaluations =
        ["abm", "dop853", "dopri5", "merson"].map(|kind| run(kind, 1e-12, 1.0).1.evaluations);
    assert!(evaluations.is_sorted(), "{evaluations:?}");
    // bringing the state back costs no evaluation: two a step remain
    let (_, work, _) = run("abm", 1e-12, 1.0);
    assert!(work.evaluations < 2 * (work.steps + work.rejected) + 60);
}
