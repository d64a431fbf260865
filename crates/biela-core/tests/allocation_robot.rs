//! The closed form of an arm and its regressor allocate nothing once they are made.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use biela_core::element::Arguments;
use biela_core::joints::Joint;
use biela_core::math::rotation::{about, identity};
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{Body, MarkerIndex, MassProperties, Model, Space};
use biela_core::robot::Efforts;
use biela_core::robot::li::{Chain, Frames, Li, LinearChainModel};
use biela_core::robot::regressor::Regressor;
use biela_core::tree::{Tree, TreeWorkspace};

/// An arm of revolute joints with a prismatic one among them.
fn arm() -> Model {
    let space = Space::Spatial;
    let mut model = Model::new("arm", space);
    model.gravity = Vec3::new(0.0, 0.0, -9.81);
    let mut end = MarkerIndex::GROUND;
    for i in 0..6 {
        let inertia = Mat3::from_diagonal(&Vec3::new(0.02, 0.03, 0.025));
        let mass = MassProperties::new(1.0, Vec3::new(0.1, 0.02, 0.05), inertia).unwrap();
        let body = model.add_body(Body::new(format!("link{i}"), mass));
        let kind = if i == 2 { "prismatic" } else { "revolute" };
        let joint = Joint::build(kind, &Arguments::new(space)).unwrap().unwrap();
        let between = [end, model.body_marker(body)];
        let _ = model.add_joint(format!("joint{i}"), joint, between, &identity());
        let turn = about(0, if i % 2 == 0 { 1.2 } else { -1.2 });
        end = model.add_marker("end", body, Pose::new(turn, Vec3::new(0.3, 0.0, 0.1)));
    }
    model
}

#[test]
fn forces_linear_models_accelerations_and_regressors_do_not_allocate() {
    let model = arm();
    let tree = Tree::spanning(&model);
    let (q, v, a) = ([0.3; 6], [0.2; 6], [-0.1; 6]);
    for frames in [Frames::Base, Frames::Links] {
        let mut li = Li::new(Chain::new(&model).unwrap(), frames);
        let mut linear = LinearChainModel::new(6);
        let mut out = [0.0; 6];
        let mut forces = Efforts::default();
        li.efforts([&q, &v, &a], &mut forces);
        let measured = allocation_counter::measure(|| {
            li.efforts([&q, &v, &a], &mut forces);
            li.linearize(&v, &a, &mut linear);
            li.accelerations(&v, &forces.total, &mut out).unwrap();
        });
        assert_eq!(measured.count_total, 0, "{frames:?}");
        assert!((out[3] - a[3]).abs() < 1e-12);
    }
    let mut regressor = Regressor::new(&tree, true);
    let mut ws = TreeWorkspace::new(&tree);
    let measured = allocation_counter::measure(|| regressor.place(&tree, &mut ws, [&q, &v, &a]));
    assert_eq!(measured.count_total, 0);
}
