//! Properties of an element: forces are the gradient of the energy, tangents are the derivatives of forces, and rigid motions cause no strain.
#![allow(non_snake_case)]

use super::*;
use crate::forces::Force;
use crate::math::rotation::{about_axis, apply_transposed, cross, dot, matrix};
use crate::math::{Pose, Random, Vec3};
use crate::model::{Model, Space};
use crate::system::{EvaluationContext, Loads, SystemKinematics};

const SECTION: SpatialSection = SpatialSection {
    stiffness: [7.0, 5.0, 4.0, 2.0, 3.0, 1.5],
    mass: 1.25,
    inertia: [0.02, 0.05],
    damping: 0.3,
};

/// A beam of one element between frames in general position, with an offset of mass centres.
fn model(random: &mut Random, damping: f64) -> Model {
    let start = Pose::new(matrix(&random.rotation()), random.vector(1.0));
    let turn = about_axis(&random.vector(1.0).normalize(), 0.7);
    let end = start.then(&Pose::new(turn, Vec3::new(0.8, 0.1, -0.2)));
    let mut model = Model::new("element", Space::Spatial);
    let section = SpatialSection { damping, ..SECTION };
    let _ = ExactBeam::build(
        &mut model,
        &ExactBeamDefinition {
            name: "beam".to_owned(),
            origin: crate::element::Origin::default(),
            frames: vec![start, end],
            sections: vec![section],
            tension: 0.4,
            places: vec![(0, "start".to_owned()), (1, "end".to_owned())],
            profiles: None,
        },
    );
    model
}

/// The nodes in the reference configuration, then displaced at random.
fn moved(model: &Model, random: &mut Random, by: f64) -> SystemKinematics {
    let mut k = SystemKinematics::new(model);
    for (body, motion) in model.bodies.iter().zip(&mut k.bodies) {
        let pose = body.start.pose.unwrap();
        motion.R = pose.R * about_axis(&random.vector(1.0).normalize(), by);
        motion.r = pose.point(&body.mass.center) + random.vector(by);
        motion.v = random.vector(1.0);
        motion.w = random.vector(1.0);
    }
    k
}

fn loads(model: &Model, kinematics: &SystemKinematics) -> ([f64; 12], f64) {
    let mut loads = Loads::new(model);
    let context = EvaluationContext { model, kinematics };
    model.forces[0].force.apply(&context, &mut loads);
    let mut all = [0.0; 12];
    for b in 0..2 {
        let moment = apply_transposed(&kinematics.bodies[b].R, &loads.torque[b]);
        for i in 0..3 {
            all[6 * b + i] = loads.force[b][i];
            all[6 * b + 3 + i] = moment[i];
        }
    }
    (all, loads.take_power())
}

/// One coordinate, or its velocity, perturbed: positions and velocities of mass centres in ground axes, rotations and angular velocities in body axes.
fn nudged(k: &SystemKinematics, coordinate: usize, step: f64, velocity: bool) -> SystemKinematics {
    let mut k = k.clone();
    let motion = &mut k.bodies[coordinate / 6];
    let mut along = Vec3::zeros();
    along[coordinate % 3] = 1.0;
    match (coordinate % 6 < 3, velocity) {
        (true, false) => motion.r += along * step,
        (true, true) => motion.v += along * step,
        (false, true) => motion.w += motion.R * along * step,
        (false, false) => {
            let own = apply_transposed(&motion.R, &motion.w);
            motion.R *= about_axis(&along, step);
            motion.w = motion.R * own;
        }
    }
    k
}

#[test]
fn forces_are_the_gradient_of_the_energy() {
    let mut random = Random::new(1);
    let model = model(&mut random, 0.0);
    for by in [0.0, 0.3, 0.9] {
        let k = moved(&model, &mut random, by);
        let energy = |k: &SystemKinematics| {
            let context = EvaluationContext {
                model: &model,
                kinematics: k,
            };
            model.forces[0].force.potential(&context)
        };
        let (force, power) = loads(&model, &k);
        assert_eq!(power, 0.0);
        let h = 1e-5;
        for (i, f) in force.iter().enumerate() {
            let [a, b] = [-h, h].map(|step| energy(&nudged(&k, i, step, false)));
            assert!(((b - a) / (2.0 * h) + f).abs() < 1e-8, "{by} {i}");
        }
    }
}

#[test]
fn the_tangent_is_the_derivative_of_the_forces() {
    let mut random = Random::new(2);
    for damping in [0.0, 0.3] {
        let model = model(&mut random, damping);
        for by in [0.0, 0.4, 0.9] {
            let k = moved(&model, &mut random, by);
            let context = EvaluationContext {
                model: &model,
                kinematics: &k,
            };
            let (stiffness, drag) = (0.8, 0.7);
            let mut found = [[0.0; 12]; 12];
            let force = &model.forces[0].force;
            assert!(force.tangent(&context, (stiffness, drag), &mut found));
            let h = 1e-5;
            for column in 0..12 {
                let slope = |velocity: bool| {
                    let [a, b] =
                        [-h, h].map(|step| loads(&model, &nudged(&k, column, step, velocity)).0);
                    move |row: usize| (a[row] - b[row]) / (2.0 * h)
                };
                let (by_place, by_rate) = (slope(false), slope(true));
                for (row, values) in found.iter().enumerate() {
                    let expected = stiffness * by_place(row) + drag * by_rate(row);
                    let off = values[column] - expected;
                    assert!(off.abs() < 1e-7, "{damping} {by} ({row}, {column}): {off}");
                }
            }
        }
    }
}

#[test]
fn forces_balance_and_damping_dissipates_the_reported_power() {
    let mut random = Random::new(3);
    let model = model(&mut random, 0.3);
    let still = |k: &SystemKinematics| {
        let mut k = k.clone();
        for body in &mut k.bodies {
            body.v = Vec3::zeros();
            body.w = Vec3::zeros();
        }
        k
    };
    let k = moved(&model, &mut random, 0.6);
    let mut all = Loads::new(&model);
    let context = EvaluationContext {
        model: &model,
        kinematics: &k,
    };
    model.forces[0].force.apply(&context, &mut all);
    assert!((all.force[0] + all.force[1]).norm() < 1e-13);
    let about = |b: usize| all.torque[b] + cross(&k.bodies[b].r, &all.force[b]);
    assert!((about(0) + about(1)).norm() < 1e-13);
    let (moving, power) = loads(&model, &k);
    let (resting, _) = loads(&model, &still(&k));
    let mut delivered = 0.0;
    for (b, body) in k.bodies.iter().enumerate() {
        let w = apply_transposed(&body.R, &body.w);
        for i in 0..3 {
            delivered += (moving[6 * b + i] - resting[6 * b + i]) * body.v[i];
            delivered += (moving[6 * b + 3 + i] - resting[6 * b + 3 + i]) * w[i];
        }
    }
    assert!(power < 0.0 && (delivered - power).abs() < 1e-12);
}

#[test]
fn a_rigid_motion_causes_no_strain_and_rotates_the_forces() {
    let mut random = Random::new(4);
    let model = model(&mut random, 0.3);
    let k = moved(&model, &mut random, 0.5);
    let (before, _) = loads(&model, &k);
    // displaced and moving as one rigid body
    let carry = Pose::new(matrix(&random.rotation()), random.vector(30.0));
    let (v, w) = (random.vector(2.0), random.vector(2.0));
    let mut other = k.clone();
    for body in &mut other.bodies {
        body.R = carry.R * body.R;
        body.r = carry.point(&body.r);
        body.v = v + cross(&w, &body.r);
        body.w = w;
    }
    let mut still = k.clone();
    for body in &mut still.bodies {
        body.v = Vec3::zeros();
        body.w = Vec3::zeros();
    }
    let (resting, _) = loads(&model, &still);
    let (after, power) = loads(&model, &other);
    assert!(power.abs() < 1e-20 && before != resting);
    for b in 0..2 {
        let force = |all: &[f64; 12]| Vec3::new(all[6 * b], all[6 * b + 1], all[6 * b + 2]);
        assert!((force(&after) - carry.R * force(&resting)).norm() < 1e-12);
        for i in 3..6 {
            assert!((after[6 * b + i] - resting[6 * b + i]).abs() < 1e-12);
        }
    }
}

#[test]
fn the_energy_depends_on_the_configuration_and_not_on_the_path() {
    let mut random = Random::new(5);
    let model = model(&mut random, 0.0);
    let k = moved(&model, &mut random, 0.2);
    // the work along a closed path in twelve coordinates, by Simpson's rule on each side
    let mut work = 0.0;
    let mut place = k.clone();
    let way = [(0, 0.3), (10, 0.4), (3, -0.5), (8, 0.2), (10, -0.4)];
    let mut walk = |place: &mut SystemKinematics, coordinate: usize, length: f64| {
        let pieces = 200;
        let h = length / f64::from(pieces);
        for _ in 0..pieces {
            let at = |s: f64| loads(&model, &nudged(place, coordinate, s * h, false)).0[coordinate];
            work += h / 6.0 * (at(0.0) + 4.0 * at(0.5) + at(1.0));
            *place = nudged(place, coordinate, h, false);
        }
    };
    for (coordinate, length) in way {
        walk(&mut place, coordinate, length);
    }
    let energy = |k: &SystemKinematics| {
        let context = EvaluationContext {
            model: &model,
            kinematics: k,
        };
        model.forces[0].force.potential(&context)
    };
    assert!((energy(&k) - energy(&place) - work).abs() < 1e-10);
    assert!(work.abs() > 1e-2);
}

#[test]
fn the_reference_shape_carries_the_pretension_only() {
    let mut random = Random::new(6);
    let model = model(&mut random, 0.0);
    let mut k = SystemKinematics::new(&model);
    for (body, motion) in model.bodies.iter().zip(&mut k.bodies) {
        let pose = body.start.pose.unwrap();
        motion.R = pose.R;
        motion.r = pose.point(&body.mass.center);
    }
    let context = EvaluationContext {
        model: &model,
        kinematics: &k,
    };
    let element = model.exact_beams[0].elements(&model).next().unwrap();
    let off = 0.4 / SECTION.stiffness[0];
    let expected = 0.5 * SECTION.stiffness[0] * off * off * element.length;
    assert!((element.potential(&context) - expected).abs() < 1e-14);
    assert!((element.stretched_length(&context) - element.length).abs() < 1e-14);
}

#[test]
fn the_nodes_together_have_the_inertia_of_the_beam() {
    // a straight beam of three unequal elements: m L²/12 and the inertia of the sections
    let frames: Vec<Pose> = [0.0, 0.2, 0.9, 1.5]
        .map(|x| Pose::new(nalgebra::Matrix3::identity(), Vec3::new(x, 0.0, 0.0)))
        .to_vec();
    let plan = ExactBeamDefinition {
        name: "beam".to_owned(),
        origin: crate::element::Origin::default(),
        frames,
        sections: vec![SECTION; 3],
        tension: 0.0,
        places: Vec::new(),
        profiles: None,
    };
    let whole = plan.whole();
    let mass = 1.25 * 1.5;
    assert!((whole.mass - mass).abs() < 1e-14);
    assert!((whole.center - Vec3::new(0.75, 0.0, 0.0)).norm() < 1e-14);
    let rod = mass * 1.5 * 1.5 / 12.0;
    let expected = Vec3::new(0.07 * 1.5, 0.02 * 1.5 + rod, 0.05 * 1.5 + rod);
    assert!((whole.inertia.diagonal() - expected).norm() < 1e-13);
    // a quarter of a circle of radius 1: the mass centre is at 2/π from the centre in both directions
    let frames: Vec<Pose> = (0..=3)
        .map(|k| {
            let angle = f64::from(k) * std::f64::consts::FRAC_PI_6;
            let p = Vec3::new(angle.sin(), 1.0 - angle.cos(), 0.0);
            Pose::new(about_axis(&Vec3::z(), angle), p)
        })
        .collect();
    let arc = ExactBeamDefinition { frames, ..plan };
    let whole = arc.whole();
    let away = 2.0 / std::f64::consts::PI;
    assert!((whole.mass - 1.25 * std::f64::consts::FRAC_PI_2).abs() < 1e-13);
    assert!((whole.center - Vec3::new(away, 1.0 - away, 0.0)).norm() < 1e-9);
    let about_center = whole.mass * (1.0 - 2.0 * away * away) + 0.05 * std::f64::consts::FRAC_PI_2;
    assert!((whole.inertia[(2, 2)] - about_center).abs() < 1e-9);
    assert!(dot(&whole.center, &Vec3::z()).abs() < 1e-14);
}
