//! Statics where it is hard: no equilibrium, families of them, forces without potential, extreme numbers, singular poses.

use std::sync::Arc;

use biela_core::analysis::{Formulation, Stability, StaticsError, assemble};
use biela_core::element::FieldValue;
use biela_core::math::rotation::aligning;
use biela_core::math::{Jet, Mat3, Vec3};
use biela_core::model::{
    Body, BodyIndex, DriverTarget, InitialValue, JointIndex, JointQuantity, Law, MarkerIndex,
    MassProperties, Model, Signal, SignalFunction, Space, Velocity0,
};

use crate::common::{at, force, joint, straight};
use crate::drivers::{Fast, drive};
use crate::statics::{
    Balanced, G, PENDULUM, balanced, close, hanging_chain, pendulum, planar_body, puck, search,
    search_in, spring, starting, world,
};

#[test]
fn a_falling_body_has_no_equilibrium() {
    let mut model = world(Space::Planar);
    let _ = model.add_body(planar_body("ball", 2.0, [0.0, 0.0], 0.1));
    let error = search(model, 3).err().unwrap();
    let StaticsError::NoEquilibrium {
        body,
        linear,
        angular,
        residual,
        start_points,
        ..
    } = &error
    else {
        panic!("{error}");
    };
    assert_eq!((body.as_str(), *start_points), ("ball", 3));
    close(*linear, G, 1e-12);
    close(*angular, 0.0, 1e-12);
    close(*residual, 1.0, 1e-12);
    assert!(
        error
            .to_string()
            .contains("`ball` accelerates by 9.81 m/s^2, and 100 % of all")
    );
}

#[test]
fn a_ball_that_falls_beside_a_spring_is_not_held_by_it() {
    let (mut model, [left, puck, right]) = puck(0.4);
    spring(&mut model, "a", [left, puck], 300.0, 0.5);
    spring(&mut model, "b", [puck, right], 200.0, 0.3);
    let _ = model.add_body(planar_body("ball", 2.0, [0.0, 0.0], 0.1));
    let error = search(model, 4).err().unwrap().to_string();
    assert!(error.contains("body `ball` accelerates by 9.81"), "{error}");
}

#[test]
fn an_unopposed_motor_has_no_equilibrium() {
    let mut model = pendulum(Space::Planar, 0.3);
    model.gravity = Vec3::zeros();
    let on = model.body_marker(BodyIndex(0));
    let fields = [
        ("on", FieldValue::Marker(on)),
        ("value", FieldValue::Law(Law::Constant(2.0))),
    ];
    let _ = model.add_force("motor", force("torque", Space::Planar, &fields));
    let error = search(model, 1).err().unwrap().to_string();
    assert!(error.contains("body `bar` accelerates"), "{error}");
}

#[test]
fn a_motor_against_gravity_has_an_equilibrium_up_to_the_largest_moment() {
    let [m, l, _] = PENDULUM;
    let held = |torque: f64| {
        let mut model = pendulum(Space::Planar, 0.3);
        let on = model.body_marker(BodyIndex(0));
        let fields = [
            ("on", FieldValue::Marker(on)),
            ("value", FieldValue::Law(Law::Constant(torque))),
        ];
        let _ = model.add_force("motor", force("torque", Space::Planar, &fields));
        search(model, 6)
    };
    let found = held(0.6 * m * G * l).unwrap_or_else(|e| panic!("{e}"));
    // m g l cos θ = torque, twice in a turn
    assert_eq!(found.stability(), [Stability::Stable, Stability::Unstable]);
    for (k, sine) in [(0, -0.8), (1, 0.8)] {
        close(found.value(k, "pin.angle").cos(), 0.6, 1e-10);
        close(found.value(k, "pin.angle").sin(), sine, 1e-10);
    }
    assert!(held(1.01 * m * G * l).is_err());
}

#[test]
fn without_forces_every_pose_is_one_marginal_equilibrium() {
    let mut model = world(Space::Spatial);
    model.gravity = Vec3::zeros();
    let moments = Mat3::from_diagonal(&Vec3::new(1.0, 1.5, 2.0));
    let mass = MassProperties::new(3.0, Vec3::zeros(), moments).unwrap();
    let mut body = Body::new("rock", mass);
    body.velocity = Some(Velocity0 {
        linear: Vec3::new(1.0, 0.0, 0.0),
        angular: Vec3::new(0.0, 2.0, 0.0),
    });
    let _ = model.add_body(body);
    let found = balanced(model, 5);
    assert_eq!(found.stability(), [Stability::Marginal]);
    assert_eq!(found.list[0].neutral, 6);
    assert_eq!(found.list[0].residual, 0.0);
}

#[test]
fn a_free_wheel_beside_a_pendulum_does_not_multiply_its_equilibria() {
    let mut model = pendulum(Space::Planar, 0.7);
    let wheel = model.add_body(planar_body("wheel", 1.0, [0.0, 0.0], 0.2));
    let pair = [MarkerIndex::GROUND, model.body_marker(wheel)];
    let _ = model.add_joint("axle", joint("revolute", Space::Planar), pair, &straight());
    let found = balanced(model, 8);
    assert_eq!(
        found.stability(),
        [Stability::Marginal, Stability::Unstable]
    );
    assert_eq!((found.list[0].neutral, found.list[1].neutral), (1, 1));
    assert_eq!(found.list[1].mover.as_deref(), Some("pin.angle"));
}

#[test]
fn a_fully_driven_mechanism_rests_where_its_drivers_hold_it() {
    let [m, l, _] = PENDULUM;
    let mut model = pendulum(Space::Planar, 0.0);
    // 40 t + sin t: fast at the start, and statics does not see it move
    drive(
        &mut model,
        DriverTarget::Joint(JointIndex(0), 0),
        Arc::new(Fast),
    );
    let found = balanced(model, 4);
    assert_eq!(found.list.len(), 1);
    assert_eq!(found.list[0].smallest, None);
    close(found.value(0, "pin.angle"), 0.0, 1e-12);
    close(found.value(0, "motor0.effort"), m * G * l, 1e-12);
    assert_eq!(found.value(0, "motor0.power"), 0.0);
    assert_eq!(found.value(0, "system.velocity_error"), 0.0);
}

#[test]
fn a_flat_bottomed_well_is_marginal() {
    // two springs across the guide at their free length: the force grows with the cube of the displacement
    let mut model = world(Space::Planar);
    let puck = model.add_body(planar_body("puck", 2.0, [0.0, 0.0], 0.1));
    let pair = [MarkerIndex::GROUND, model.body_marker(puck)];
    let guide = joint("prismatic", Space::Planar);
    let _ = model.add_joint("guide", guide, pair, &straight());
    model.joints[0].initial = starting(0.3);
    for (name, y) in [("up", 1.0), ("down", -1.0)] {
        let post = model.add_marker(name, BodyIndex::GROUND, at(0.0, y, 0.0));
        spring(
            &mut model,
            &format!("spring_{name}"),
            [post, pair[1]],
            100.0,
            1.0,
        );
    }
    let found = balanced(model, 1);
    close(found.value(0, "guide.position"), 0.0, 1e-4);
    assert_eq!(found.stability(), [Stability::Marginal]);
}

#[test]
fn a_follower_force_is_balanced_and_named() {
    // two bars on torsion springs under a thrust across the tip of the second, in its own axes
    let (l, stiffness, thrust) = (0.5, 20.0, 6.0);
    let mut model = Model::new("follower", Space::Planar);
    let mut last = MarkerIndex::GROUND;
    for i in 0..2 {
        let bar = model.add_body(planar_body(&format!("bar{i}"), 1.0, [0.25, 0.0], 0.02));
        let pair = [last, model.body_marker(bar)];
        let hinge = joint("revolute", Space::Planar);
        let hinge = model.add_joint(format!("pin{i}"), hinge, pair, &straight());
        let fields = [
            ("joint", FieldValue::Coordinate(hinge, 0)),
            ("stiffness", FieldValue::Number(stiffness)),
        ];
        let spring = force("joint-spring-damper", Space::Planar, &fields);
        let _ = model.add_force(format!("spring{i}"), spring);
        last = model.add_marker("end", bar, at(l, 0.0, 0.0));
    }
    let fields = [
        ("at", FieldValue::Marker(last)),
        (
            "value",
            FieldValue::Laws(vec![Law::Constant(0.0), Law::Constant(thrust)]),
        ),
        ("frame", FieldValue::Word("body".to_owned())),
    ];
    let _ = model.add_force("jet", force("force", Space::Planar, &fields));
    let found = balanced(model, 1);
    // moments about the hinges: k θ₂ = P l, k θ₁ = P l + P l cos θ₂
    let second = thrust * l / stiffness;
    close(found.value(0, "pin1.angle"), second, 1e-10);
    let first = thrust * l * (1.0 + second.cos()) / stiffness;
    close(found.value(0, "pin0.angle"), first, 1e-10);
    assert!(found.list[0].asymmetric);
    assert_eq!(found.stability(), [Stability::Stable]);
}

#[test]
fn a_run_from_the_equilibrium_stays_there_and_keeps_the_written_speed() {
    let (mut model, [left, puck, right]) = puck(0.4);
    spring(&mut model, "a", [left, puck], 300.0, 0.5);
    spring(&mut model, "b", [puck, right], 200.0, 0.3);
    let wheel = model.add_body(planar_body("wheel", 1.0, [0.0, 0.0], 0.2));
    let pair = [MarkerIndex::GROUND, model.body_marker(wheel)];
    let _ = model.add_joint("axle", joint("revolute", Space::Planar), pair, &straight());
    model.joints[1].initial = vec![InitialValue {
        coordinate: 0,
        value: None,
        rate: Some(5.0),
        keep: false,
    }];
    let mut assembled = assemble(model, Formulation::Absolute).unwrap();
    let found = assembled.settle().unwrap();
    assert_eq!(found.stability, Stability::Marginal);
    close(assembled.state.q[0], 0.98, 1e-12);
    close(assembled.state.v[5], 5.0, 1e-12);
    close(assembled.state.v[0], 0.0, 1e-12);
}

/// Effort on the first of two hinges that only the second one decides.
#[derive(Debug)]
struct Distant(f64);

impl SignalFunction for Distant {
    fn value(&self, _: f64, inputs: &[f64]) -> f64 {
        self.0 * (inputs[0] - 0.3)
    }
    fn jet(&self, _: f64) -> Jet {
        Jet::new(f64::NAN, f64::NAN, f64::NAN)
    }
}

#[test]
fn forces_that_depend_on_another_joint_are_balanced() {
    // two level arms without gravity: each motor pulls in proportion to the angle of the other, crosswise, so that no descent leads there
    let mut model = Model::new("cross", Space::Planar);
    let mut hinges = Vec::new();
    for i in 0..2 {
        let arm = model.add_body(planar_body(&format!("arm{i}"), 1.0, [0.25, 0.0], 0.02));
        let pair = [MarkerIndex::GROUND, model.body_marker(arm)];
        let hinge = joint("revolute", Space::Planar);
        hinges.push(model.add_joint(format!("pin{i}"), hinge, pair, &straight()));
    }
    for (i, factor) in [(0, 2.0), (1, -2.0)] {
        let read = Signal::Joint(hinges[1 - i], JointQuantity::Value(0));
        let law = Law::Function {
            inputs: vec![read].into(),
            function: Arc::new(Distant(factor)),
        };
        let fields = [
            ("joint", FieldValue::Coordinate(hinges[i], 0)),
            ("effort", FieldValue::Law(law)),
        ];
        let _ = model.add_force(
            format!("motor{i}"),
            force("actuator", Space::Planar, &fields),
        );
    }
    let found = balanced(model, 1);
    close(found.value(0, "pin0.angle"), 0.3, 1e-9);
    close(found.value(0, "pin1.angle"), 0.3, 1e-9);
    assert!(found.list[0].asymmetric);
}

#[test]
fn springs_and_bodies_of_very_different_stiffness_and_mass_are_balanced_together() {
    // a tower of guides: 1 t on 1e8 N/m, 1 g on 1 N/m upon it, 10 kg on 1e4 N/m upon that
    let layers = [(1e3, 1e8), (1e-3, 1e6), (10.0, 1e4), (1e-2, 5.0)];
    let mut model = world(Space::Planar);
    let upright = aligning(0, &Vec3::new(0.0, 1.0, 0.0));
    let mut below = MarkerIndex::GROUND;
    for (i, (mass, stiffness)) in layers.into_iter().enumerate() {
        let block = model.add_body(planar_body(&format!("block{i}"), mass, [0.0, 0.0], mass));
        let pair = [below, model.body_marker(block)];
        let guide = joint("prismatic", Space::Planar);
        let guide = model.add_joint(format!("guide{i}"), guide, pair, &upright);
        let fields = [
            ("joint", FieldValue::Coordinate(guide, 0)),
            ("stiffness", FieldValue::Number(stiffness)),
        ];
        let spring = force("joint-spring-damper", Space::Planar, &fields);
        let _ = model.add_force(format!("spring{i}"), spring);
        below = pair[1];
    }
    let found = balanced(model, 1);
    for (i, (_, stiffness)) in layers.iter().enumerate() {
        let above: f64 = layers[i..].iter().map(|layer| layer.0).sum();
        let expected = -above * G / stiffness;
        let position = found.value(0, &format!("guide{i}.position"));
        assert!(
            (position - expected).abs() < 1e-8 * expected.abs(),
            "guide{i}: {position} is not {expected}"
        );
    }
    assert_eq!(found.stability(), [Stability::Stable]);
}

#[test]
fn a_flat_parallelogram_is_reported_as_singular() {
    let mut model =
        crate::assembly::four_bar(Space::Planar, [0.3, 0.5, 0.3], 0.5, [-1.0, 0.0, 1.0]);
    // gravity along the ground: the cranks hang flat
    model.gravity = Vec3::new(-G, 0.0, 0.0);
    let found = balanced(model, 1);
    close(found.value(0, "A.angle").cos(), -1.0, 1e-9);
    assert!(found.list[0].singular);
}

#[test]
fn every_formulation_finds_the_same_equilibria() {
    let four_bar =
        || crate::assembly::four_bar(Space::Planar, [0.2, 0.5, 0.4], 0.45, [1.0, 0.4, -1.4]);
    // a chain has more unstable shapes than a search finds, so only the one it hangs in is compared
    let models: [(&dyn Fn() -> Model, &str, usize); 5] = [
        (&|| pendulum(Space::Planar, 0.7), "pin.force", 8),
        (&|| pendulum(Space::Spatial, 0.7), "pin.force", 8),
        (&four_bar, "C.force", 8),
        (&|| hanging_chain(Space::Planar, 9, 0.7), "pin4.force", 1),
        (&|| hanging_chain(Space::Spatial, 5, 0.7), "pin2.force", 1),
    ];
    for (make, reaction, start_points) in models {
        let reference = balanced(make(), start_points);
        for (word, formulation, _) in Formulation::LIST {
            let found = search_in(*formulation, make(), start_points);
            let found = found.unwrap_or_else(|e| panic!("{e}"));
            let order = |found: &Balanced| {
                let mut order: Vec<usize> = (0..found.list.len()).collect();
                let energy = |k: &usize| found.list[*k].potential;
                order.sort_by(|a, b| energy(a).total_cmp(&energy(b)));
                order
            };
            assert_eq!(found.list.len(), reference.list.len(), "{word}");
            for (k, twin) in order(&found).into_iter().zip(order(&reference)) {
                let (one, other) = (&found.list[k], &reference.list[twin]);
                close(one.potential, other.potential, 1e-10);
                assert_eq!(one.stability, other.stability, "{word}");
                assert_eq!(one.neutral, other.neutral, "{word}");
                close(one.smallest.unwrap(), other.smallest.unwrap(), 1e-6);
                let wanted = reference.value(twin, reaction);
                close(found.value(k, reaction), wanted, 1e-8);
            }
        }
    }
}
