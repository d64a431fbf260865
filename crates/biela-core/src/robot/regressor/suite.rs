//! The regressor against the recursive algorithm, and base parameters against published numbers.

use super::*;
use crate::element::Arguments;
use crate::joints::Joint;
use crate::math::rotation::about;
use crate::math::{Mat3, Random};
use crate::model::{Body, BodyIndex, MarkerIndex, MassProperties, Model, Space};
use crate::tree::rnea;
use crate::tree::suite::{
    body, on_random_trees, random_pose, random_state, random_vector, relative,
};

fn joint(kind: &str, space: Space) -> Joint {
    Joint::build(kind, &Arguments::new(space)).unwrap().unwrap()
}

#[test]
fn the_regressor_times_the_parameters_is_the_inverse_dynamics() {
    on_random_trees(80, |_, tree, random| {
        let n = tree.velocities;
        let (q, v) = random_state(tree, random);
        let a = random_vector(n, random);
        let mut ws = TreeWorkspace::new(tree);
        let mut expected = vec![0.0; n];
        rnea(tree, &mut ws, &q, &v, &a, &[], &mut expected);
        let mut regressor = Regressor::new(tree, true);
        regressor.place(tree, &mut ws, [&q, &v, &a]);
        let mut forces = vec![0.0; n];
        regressor.forces(&regressor.parameters(tree), &mut forces);
        let error = relative(&forces, &expected);
        assert!(error < 1e-12, "{error:e}");
    });
}

#[test]
fn friction_acts_along_its_own_joint() {
    let mut random = Random::new(2);
    let model = arm(&PUMA, &mut random);
    let tree = Tree::spanning(&model);
    let mut regressor = Regressor::new(&tree, true);
    let mut parameters = vec![0.0; regressor.columns()];
    let set = |parameters: &mut Vec<f64>, of: usize, name: &'static str, value: f64| {
        let wanted = DynamicParameter { of, name };
        let found = (0..regressor.columns()).find(|k| regressor.parameter(*k) == wanted);
        parameters[found.unwrap()] = value;
    };
    set(&mut parameters, 1, "viscous", 2.0);
    set(&mut parameters, 1, "coulomb", 0.5);
    set(&mut parameters, 4, "armature", 3.0);
    let (q, v, a) = ([0.1; 6], [0.0, -0.7, 1.0, 0.0, 0.2, 0.0], [0.3; 6]);
    regressor.place(&tree, &mut TreeWorkspace::new(&tree), [&q, &v, &a]);
    let mut forces = vec![0.0; 6];
    regressor.forces(&parameters, &mut forces);
    let expected = [0.0, -1.9, 0.0, 0.0, 0.9, 0.0];
    assert!(relative(&forces, &expected) < 1e-15, "{forces:?}");
}

#[test]
fn a_payload_adds_the_forces_of_its_regressor() {
    let mut random = Random::new(9);
    for _ in 0..10 {
        let mut model = arm(&PUMA, &mut random);
        let tree = Tree::spanning(&model);
        let hand = tree.places.len() - 1;
        let held = random_pose(Space::Spatial, &mut random);
        let frame = TreeLocation {
            link: tree.places[hand].link,
            pose: tree.places[hand].pose.then(&held),
        };
        let load = body("load".to_owned(), &mut random);
        let mass = load.mass;
        let load = model.add_body(load);
        let grip = model.add_marker("grip", BodyIndex(hand), held);
        let between = [grip, model.body_marker(load)];
        let _ = model.add_joint(
            "weld",
            joint("weld", Space::Spatial),
            between,
            &Mat3::identity(),
        );
        let loaded = Tree::spanning(&model);
        let mut vector = || random_vector(6, &mut random);
        let (q, v, a) = (vector(), vector(), vector());
        let forces = |tree: &Tree| {
            let mut out = vec![0.0; 6];
            rnea(
                tree,
                &mut TreeWorkspace::new(tree),
                &q,
                &v,
                &a,
                &[],
                &mut out,
            );
            out
        };
        let (before, after) = (forces(&tree), forces(&loaded));
        let mut Y = vec![0.0; 6 * BODY];
        let mut ws = TreeWorkspace::new(&tree);
        payload_regressor(&tree, &mut ws, &frame, [&q, &v, &a], &mut Y);
        let inertia = crate::math::spatial::RigidInertia::new(
            mass.mass,
            &mass.center,
            Sym3::of(&mass.inertia),
        );
        let parameters = body_parameters(inertia.m, &inertia.h, &inertia.J);
        let with: Vec<f64> = (0..6)
            .map(|k| {
                before[k]
                    + (0..BODY)
                        .map(|p| Y[BODY * k + p] * parameters[p])
                        .sum::<f64>()
            })
            .collect();
        assert!(relative(&with, &after) < 1e-12);
    }
}

/// The PUMA 560: alpha, a, d of the standard convention.
const PUMA: [[f64; 3]; 6] = [
    [std::f64::consts::FRAC_PI_2, 0.0, 0.0],
    [0.0, 0.4318, 0.0],
    [-std::f64::consts::FRAC_PI_2, 0.0203, 0.15005],
    [std::f64::consts::FRAC_PI_2, 0.0, 0.4318],
    [-std::f64::consts::FRAC_PI_2, 0.0, 0.0],
    [0.0, 0.0, 0.0],
];

/// An arm of revolute joints on the ground, its first axis vertical.
fn arm(rows: &[[f64; 3]], random: &mut Random) -> Model {
    let space = Space::Spatial;
    let mut model = Model::new("arm", space);
    model.gravity = Vec3::new(0.0, 0.0, -9.81);
    let mut end = MarkerIndex::GROUND;
    for (i, [alpha, a, d]) in rows.iter().enumerate() {
        let link = model.add_body(body(format!("link{i}"), random));
        let between = [end, model.body_marker(link)];
        let turn = Mat3::identity();
        let _ = model.add_joint(format!("j{i}"), joint("revolute", space), between, &turn);
        let rest = Pose::new(about(0, *alpha), Vec3::new(*a, 0.0, *d));
        end = model.add_marker("end", link, rest);
    }
    model
}

/// Two bars in the plane, connected to the ground and to each other by revolute joints.
fn planar_arm(gravity: f64) -> Tree {
    let space = Space::Planar;
    let mut model = Model::new("2R", space);
    model.gravity = Vec3::new(0.0, -gravity, 0.0);
    let mut end = MarkerIndex::GROUND;
    for name in ["first", "second"] {
        let mass = MassProperties::planar(2.0, [0.1, 0.02], 0.05).unwrap();
        let link = model.add_body(Body::new(name, mass));
        let between = [end, model.body_marker(link)];
        let _ = model.add_joint(name, joint("revolute", space), between, &Mat3::identity());
        end = model.add_marker(
            "end",
            link,
            Pose::new(Mat3::identity(), Vec3::new(0.3, 0.0, 0.0)),
        );
    }
    Tree::spanning(&model)
}

#[test]
fn a_planar_arm_has_the_base_parameters_of_the_textbook() {
    // W. Khalil, E. Dombre, Modeling, Identification and Control of Robots, 2002, §9.4
    let name = |p: DynamicParameter| format!("{}{}", p.name, p.of + 1);
    let formulas = |tree: &Tree| -> Vec<String> {
        let mut regressor = Regressor::new(tree, false);
        let base = BaseParameters::of(tree, &mut regressor);
        let formula = |group: &BaseParameter| base.formula(&regressor, group, name);
        base.groups.iter().map(formula).collect()
    };
    assert_eq!(
        formulas(&planar_arm(0.0)),
        ["Izz1 + 0.09 m2", "mx2", "my2", "Izz2"]
    );
    assert_eq!(
        formulas(&planar_arm(9.81)),
        [
            "mx1 + 0.3 m2",
            "my1",
            "Izz1 + 0.09 m2",
            "mx2",
            "my2",
            "Izz2"
        ]
    );
}

#[test]
fn the_puma_has_thirty_six_base_parameters() {
    // H. Mayeda, K. Yoshida, K. Osuka, IEEE Trans. Robotics and Automation 6 (1990) 312-321; M. Gautier, W. Khalil, ibid. 368-373
    let tree = Tree::spanning(&arm(&PUMA, &mut Random::new(1)));
    let mut regressor = Regressor::new(&tree, false);
    let base = BaseParameters::of(&tree, &mut regressor);
    assert_eq!(base.len(), 36);
    // only the moment of the first link about the vertical axis has an effect
    let first: Vec<_> = base.groups.iter().filter(|g| g.column < BODY).collect();
    assert_eq!(first.len(), 1);
    assert_eq!(regressor.parameter(first[0].column).name, "Izz");
}

#[test]
fn base_parameters_give_the_forces_of_arms_with_other_masses() {
    let mut random = Random::new(3);
    let tree = Tree::spanning(&arm(&PUMA, &mut random));
    let mut regressor = Regressor::new(&tree, false);
    let base = BaseParameters::of(&tree, &mut regressor);
    for seed in 20..25 {
        let other = Tree::spanning(&arm(&PUMA, &mut Random::new(seed)));
        let values = base.values(&regressor.parameters(&other));
        let mut vector = || random_vector(6, &mut random);
        let (q, v, a) = (vector(), vector(), vector());
        let mut ws = TreeWorkspace::new(&other);
        let (mut expected, mut found) = (vec![0.0; 6], vec![0.0; 6]);
        rnea(&other, &mut ws, &q, &v, &a, &[], &mut expected);
        regressor.place(&tree, &mut ws, [&q, &v, &a]);
        base.forces(&regressor, &values, &mut found);
        let error = relative(&found, &expected);
        assert!(error < 1e-11, "{error:e}");
    }
}

/// Samples of a motion of six joints with three harmonics each, and its forces.
fn measured(
    tree: &Tree,
    count: usize,
    noise: &[f64; 6],
    random: &mut Random,
) -> Vec<MeasuredSample> {
    let waves: Vec<[f64; 3]> = (0..18)
        .map(|_| {
            [
                random.between(0.2, 0.8),
                random.between(0.5, 4.0),
                random.symmetric(3.0),
            ]
        })
        .collect();
    let mut ws = TreeWorkspace::new(tree);
    (0..count)
        .map(|t| {
            let t = 0.03 * t as f64;
            let sum = |k: usize, f: fn(f64, f64) -> f64| -> Vec<f64> {
                let wave = |[size, w, phase]: &[f64; 3]| size * w.powi(k as i32) * f(w * t, *phase);
                waves
                    .chunks(3)
                    .map(|own| own.iter().map(wave).sum())
                    .collect()
            };
            let q = sum(0, |x, p| (x + p).sin());
            let v = sum(1, |x, p| (x + p).cos());
            let a = sum(2, |x, p| -(x + p).sin());
            let mut f = vec![0.0; 6];
            rnea(tree, &mut ws, &q, &v, &a, &[], &mut f);
            for (f, noise) in f.iter_mut().zip(noise) {
                // the sum of twelve uniform numbers is nearly normal with unit deviation
                *f += noise * (0..12).map(|_| random.symmetric(0.5)).sum::<f64>();
            }
            MeasuredSample { q, v, a, f }
        })
        .collect()
}

#[test]
fn identified_parameters_predict_forces_of_other_motions() {
    let mut random = Random::new(44);
    let tree = Tree::spanning(&arm(&PUMA, &mut random));
    let mut regressor = Regressor::new(&tree, false);
    let base = BaseParameters::of(&tree, &mut regressor);
    let samples = measured(&tree, 300, &[0.0; 6], &mut random);
    let found = base.identify(&tree, &mut regressor, &samples).unwrap();
    let exact = base.values(&regressor.parameters(&tree));
    assert!(relative(&found.values, &exact) < 1e-9);
    let motion: Vec<_> = samples
        .iter()
        .map(|s| [s.q.clone(), s.v.clone(), s.a.clone()])
        .collect();
    let excitation = base.excitation(&tree, &mut regressor, &motion);
    assert!(excitation.scaled >= 1.0 && excitation.scaled < excitation.condition);
    assert!(excitation.condition < 1e4, "{excitation:?}");
    for other in measured(&tree, 20, &[0.0; 6], &mut random) {
        let mut ws = TreeWorkspace::new(&tree);
        regressor.place(&tree, &mut ws, [&other.q, &other.v, &other.a]);
        let mut forces = vec![0.0; 6];
        base.forces(&regressor, &found.values, &mut forces);
        assert!(relative(&forces, &other.f) < 1e-8);
    }
}

#[test]
fn standard_errors_match_the_scatter_caused_by_noise() {
    let mut random = Random::new(45);
    let tree = Tree::spanning(&arm(&PUMA, &mut random));
    let mut regressor = Regressor::new(&tree, false);
    let base = BaseParameters::of(&tree, &mut regressor);
    let noise = [1.0, 2.0, 0.5, 0.1, 0.1, 0.02];
    let samples = measured(&tree, 2000, &noise, &mut random);
    let found = base.identify(&tree, &mut regressor, &samples).unwrap();
    for (found, noise) in found.noise.iter().zip(noise) {
        assert!((found / noise - 1.0).abs() < 0.1, "{found} {noise}");
    }
    let exact = base.values(&regressor.parameters(&tree));
    let off: Vec<f64> = (0..base.len())
        .map(|k| (found.values[k] - exact[k]) / found.errors[k])
        .collect();
    let mean = off.iter().map(|x| x * x).sum::<f64>() / off.len() as f64;
    assert!((0.5..2.0).contains(&mean), "{mean}");
    assert!(off.iter().all(|x| x.abs() < 4.5), "{off:?}");
}

#[test]
fn samples_that_do_not_identify_the_parameters_are_rejected() {
    let mut random = Random::new(46);
    let tree = Tree::spanning(&arm(&PUMA, &mut random));
    let mut regressor = Regressor::new(&tree, false);
    let base = BaseParameters::of(&tree, &mut regressor);
    let mut samples = measured(&tree, 40, &[0.0; 6], &mut random);
    let few = base.identify(&tree, &mut regressor, &samples[..6]);
    assert_eq!(
        few,
        Err(IdentifyError::TooFew {
            forces: 36,
            parameters: 36
        })
    );
    for sample in &mut samples {
        for list in [&mut sample.q, &mut sample.v, &mut sample.a] {
            list[1..].fill(0.0);
        }
    }
    let still = base.identify(&tree, &mut regressor, &samples);
    assert!(matches!(
        still,
        Err(IdentifyError::NotExciting { parameters: 36, .. })
    ));
    samples[3].f[0] = f64::NAN;
    let broken = base.identify(&tree, &mut regressor, &samples);
    assert_eq!(broken, Err(IdentifyError::Sample { number: 3 }));
}

#[test]
fn a_model_without_moving_links_has_no_parameters() {
    let tree = Tree::spanning(&Model::new("empty", Space::Spatial));
    let mut regressor = Regressor::new(&tree, true);
    let base = BaseParameters::of(&tree, &mut regressor);
    assert!(base.is_empty() && base.idle.is_empty());
    let none = base.identify(&tree, &mut regressor, &[]);
    assert!(matches!(none, Err(IdentifyError::TooFew { .. })));
}
