//! Prescribed motions and couplers, over many turns.

use std::sync::Arc;

use biela_core::element::{Arguments, FieldValue, Origin};
use biela_core::joints::Joint;
use biela_core::math::{Jet, Vec3};
use biela_core::model::{
    Body, BodyIndex, CouplerElement, DriverElement, DriverTarget, JointIndex, MarkerIndex,
    MassProperties, Model, Motion, SignalFunction, Space,
};

use crate::common::{Series, at, joint, run, straight, study};

/// θ(t) = 40 t + sin t.
#[derive(Debug)]
pub(crate) struct Fast;

impl SignalFunction for Fast {
    fn value(&self, t: f64, _: &[f64]) -> f64 {
        40.0 * t + t.sin()
    }
    fn jet(&self, t: f64) -> Jet {
        Jet {
            value: self.value(t, &[]),
            rate: 40.0 + t.cos(),
            curvature: -t.sin(),
        }
    }
}

pub(crate) fn drive(model: &mut Model, target: DriverTarget, function: Arc<dyn SignalFunction>) {
    let name = format!("motor{}", model.drivers.len());
    model.drivers.push(DriverElement {
        name,
        origin: Origin::default(),
        target,
        motion: Motion::Function(function),
    });
}

fn disc(name: &str, space: Space, inertia: f64) -> Body {
    let mass = match space {
        Space::Planar => MassProperties::planar(1.0, [0.1, 0.0], inertia).unwrap(),
        Space::Spatial => {
            let moments = Vec3::new(inertia, inertia, inertia);
            let matrix = biela_core::math::Mat3::from_diagonal(&moments);
            MassProperties::new(1.0, Vec3::new(0.1, 0.0, 0.0), matrix).unwrap()
        }
    };
    Body::new(name, mass)
}

/// A rotor about z on the ground.
fn rotor(space: Space) -> (Model, JointIndex) {
    let mut model = Model::new("rotor", space);
    let body = model.add_body(disc("rotor", space, 0.2));
    let marker = model.body_marker(body);
    let pair = [MarkerIndex::GROUND, marker];
    let j = model.add_joint("axle", joint("revolute", space), pair, &straight());
    (model, j)
}

#[test]
fn a_driven_hinge_follows_through_every_angle_in_plane_and_space() {
    for space in [Space::Planar, Space::Spatial] {
        let (mut model, j) = rotor(space);
        drive(&mut model, DriverTarget::Joint(j, 0), Arc::new(Fast));
        let series = run(
            model,
            &study(space, 2.0, 0.01, "projection", "dopri5", 1e-10),
        );
        for (i, &t) in series.times.iter().enumerate() {
            let angle = series.all("axle.angle")[i];
            assert!(
                (angle - (40.0 * t + t.sin())).abs() < 1e-9,
                "{space:?} θ({t}) = {angle}"
            );
            // torque = (J + m c²) θ̈, power = torque × rate
            let torque = -t.sin() * (0.2 + 0.01);
            assert!((series.all("motor0.effort")[i] - torque).abs() < 1e-9);
            let power = torque * (40.0 + t.cos());
            assert!((series.all("motor0.power")[i] - power).abs() < 1e-7);
        }
        assert!(
            series.statistics.worst_energy < 1e-7,
            "work of the driver balances the energy"
        );
    }
}

#[test]
fn a_driven_point_pulls_its_body_along() {
    let mut model = Model::new("pulled", Space::Planar);
    let body = model.add_body(disc("puck", Space::Planar, 0.3));
    let tip = model.add_marker("tip", body, at(0.4, 0.2, 0.0));
    drive(
        &mut model,
        DriverTarget::Point(tip, 0),
        Arc::new(Small(0.4)),
    );
    drive(
        &mut model,
        DriverTarget::Point(tip, 1),
        Arc::new(Small(0.2)),
    );
    let series = run(
        model,
        &study(Space::Planar, 3.0, 0.1, "projection", "dopri5", 1e-10),
    );
    for (i, &t) in series.times.iter().enumerate() {
        let wave = 0.1 * (2.0 * t).sin();
        assert!((series.all("puck.tip.x")[i] - 0.4 - wave).abs() < 1e-10);
        assert!((series.all("puck.tip.y")[i] - 0.2 - wave).abs() < 1e-10);
        assert!((series.all("puck.tip.ax")[i] + 0.4 * (2.0 * t).sin()).abs() < 1e-9);
    }
    assert!(series.statistics.worst_energy < 1e-8);
}

#[derive(Debug)]
struct Small(f64);

impl SignalFunction for Small {
    fn value(&self, t: f64, _: &[f64]) -> f64 {
        self.jet(t).value
    }
    fn jet(&self, t: f64) -> Jet {
        let (s, c) = (2.0 * t).sin_cos();
        Jet {
            value: self.0 + 0.1 * s,
            rate: 0.2 * c,
            curvature: -0.4 * s,
        }
    }
}

fn coupler(model: &mut Model, terms: Vec<(JointIndex, usize, f64)>) {
    model.couplers.push(CouplerElement {
        name: "gear".into(),
        origin: Origin::default(),
        kind: "linear",
        terms,
        offset: None,
        backlash: None,
    });
}

#[test]
fn gears_keep_their_ratio_over_many_turns() {
    for space in [Space::Planar, Space::Spatial] {
        let (mut model, first) = rotor(space);
        let wheel = model.add_body(disc("wheel", space, 0.5));
        let shaft = model.add_marker("shaft", BodyIndex::GROUND, at(1.0, 0.0, 0.0));
        let marker = model.body_marker(wheel);
        let second = model.add_joint(
            "shaft",
            joint("revolute", space),
            [shaft, marker],
            &straight(),
        );
        coupler(&mut model, vec![(first, 0, 1.0), (second, 0, 2.5)]);
        drive(&mut model, DriverTarget::Joint(first, 0), Arc::new(Fast));
        let series: Series = run(
            model,
            &study(space, 2.0, 0.05, "projection", "dopri5", 1e-10),
        );
        for (i, t) in series.times.iter().enumerate() {
            let (a, b) = (series.all("axle.angle")[i], series.all("shaft.angle")[i]);
            assert!((a + 2.5 * b).abs() < 1e-9, "{space:?}: {a} {b} at {t}");
        }
        // the teeth turn the wheel: its inertia, as seen by the first shaft
        let (t, wheel) = (2.0_f64, 0.5 + 0.01);
        let torque = -wheel * -t.sin() / 2.5 / 2.5;
        assert!(
            (series.last("gear.effort") - torque).abs() < 1e-8,
            "{}",
            series.last("gear.effort")
        );
        assert!(series.all("shaft.angle").last().unwrap().abs() > 30.0);
        assert!(series.statistics.worst_energy < 1e-7);
    }
}

#[test]
fn a_rack_moves_with_its_pinion() {
    let space = Space::Planar;
    let (mut model, pinion) = rotor(space);
    let rack = model.add_body(disc("rack", space, 1.0));
    let marker = model.body_marker(rack);
    let slide = model.add_joint(
        "slide",
        joint("prismatic", space),
        [MarkerIndex::GROUND, marker],
        &straight(),
    );
    coupler(&mut model, vec![(slide, 0, 1.0), (pinion, 0, -0.05)]);
    drive(&mut model, DriverTarget::Joint(pinion, 0), Arc::new(Fast));
    let series = run(
        model,
        &study(space, 1.0, 0.1, "projection", "dopri5", 1e-10),
    );
    let last = series.last("slide.position");
    assert!((last - 0.05 * (40.0 + 1.0_f64.sin())).abs() < 1e-9);
}

#[test]
fn a_screw_advances_by_its_pitch_each_turn() {
    let mut model = Model::new("screw", Space::Spatial);
    let nut = model.add_body(disc("nut", Space::Spatial, 0.2));
    let marker = model.body_marker(nut);
    let arguments = Arguments::new(Space::Spatial).with("pitch", FieldValue::Number(0.004));
    let screw = Joint::build("screw", &arguments).unwrap().unwrap();
    let j = model.add_joint("thread", screw, [MarkerIndex::GROUND, marker], &straight());
    drive(&mut model, DriverTarget::Joint(j, 0), Arc::new(Fast));
    let series = run(
        model,
        &study(Space::Spatial, 1.0, 0.1, "projection", "dopri5", 1e-10),
    );
    let turns = (40.0 + 1.0_f64.sin()) / std::f64::consts::TAU;
    assert!((series.last("nut.z") - 0.004 * turns).abs() < 1e-12);
}

#[test]
fn a_gear_is_accurate_over_steps_of_many_turns() {
    // constant torque in the plane: the integrator takes steps of many turns, and the gear must not lose count
    let space = Space::Planar;
    let (mut model, first) = rotor(space);
    let wheel = model.add_body(disc("wheel", space, 0.5));
    let shaft = model.add_marker("shaft", BodyIndex::GROUND, at(1.0, 0.0, 0.0));
    let marker = model.body_marker(wheel);
    let second = model.add_joint(
        "shaft",
        joint("revolute", space),
        [shaft, marker],
        &straight(),
    );
    coupler(&mut model, vec![(first, 0, 1.0), (second, 0, 2.5)]);
    let fields = [
        ("joint", FieldValue::Coordinate(first, 0)),
        ("effort", FieldValue::Number(5.0)),
    ];
    let _ = model.add_force("motor", crate::common::force("actuator", space, &fields));
    let series = run(
        model,
        &study(space, 10.0, 10.0, "projection", "dopri5", 1e-6),
    );
    let (a, b) = (series.last("axle.angle"), series.last("shaft.angle"));
    // J1 + J2/2.5² with mass centres 0.1 m off their axes
    let inertia = 0.21 + 0.51 / 6.25;
    assert!((a - 0.5 * 5.0 / inertia * 100.0).abs() < 1e-3 * a, "{a}");
    assert!((a + 2.5 * b).abs() < 1e-7);
    assert!(
        series.statistics.steps_between.1 * series.last("axle.rate") > 10.0,
        "steps of many turns"
    );
}

#[test]
fn kinematics_gives_the_motion_and_torque_of_a_driven_slider_crank_without_integrating() {
    let space = Space::Planar;
    let build = || {
        let mut model = crate::common::slider_crank(0.0, false);
        drive(
            &mut model,
            DriverTarget::Joint(JointIndex(0), 0),
            Arc::new(Fast),
        );
        model
    };
    let kinematics = run(
        build(),
        &study(space, 1.0, 0.01, "augmented", "kinematics", 0.01),
    );
    let dynamics = run(
        build(),
        &study(space, 1.0, 0.01, "projection", "dopri5", 1e-10),
    );
    for name in [
        "slider.x",
        "slider.vx",
        "slider.ax",
        "motor0.effort",
        "pin_B.force",
    ] {
        let scale = dynamics
            .all(name)
            .iter()
            .fold(1.0, |m: f64, x| m.max(x.abs()));
        for (x, y) in kinematics.all(name).iter().zip(dynamics.all(name)) {
            assert!((x - y).abs() < 1e-9 * scale, "{name}: {x} and {y}");
        }
    }
    assert!(kinematics.statistics.worst_position < 1e-12);
    assert_eq!(kinematics.statistics.integrator.steps, 100);
    // its account of work is a sum of trapezia: half the step, a quarter of the error
    let finer = run(
        build(),
        &study(space, 1.0, 0.01, "augmented", "kinematics", 0.005),
    );
    let [coarse, fine] = [&kinematics, &finer].map(|run| run.statistics.worst_energy);
    let scale = finer.statistics.energy_scale;
    assert!(fine < 0.01 * scale, "{fine} of {scale}");
    assert!((3.8..4.2).contains(&(coarse / fine)), "{coarse} {fine}");
}

#[test]
fn kinematics_with_an_undriven_degree_of_freedom_is_rejected() {
    let space = Space::Planar;
    let s = study(space, 1.0, 0.1, "augmented", "kinematics", 0.01);
    let assembled =
        biela_core::analysis::assemble(crate::common::slider_crank(0.0, false), s.formulation);
    let mut simulation = biela_core::analysis::Simulation::new(assembled.unwrap(), &s).unwrap();
    let failure = simulation.run(&mut crate::friction::Nothing).unwrap_err();
    assert!(failure.to_string().contains("1 is not driven"), "{failure}");
}

/// Zero at the start, with zero rate and acceleration: it contradicts nothing there.
#[derive(Debug)]
struct Late;

impl SignalFunction for Late {
    fn value(&self, t: f64, _: &[f64]) -> f64 {
        t.powi(3)
    }
    fn jet(&self, t: f64) -> Jet {
        Jet {
            value: t.powi(3),
            rate: 3.0 * t * t,
            curvature: 6.0 * t,
        }
    }
}

#[test]
fn a_driver_that_becomes_inconsistent_with_the_joints_stops_the_run_with_its_name() {
    let space = Space::Planar;
    let mut model = Model::new("slider", space);
    let body = model.add_body(disc("slider", space, 1.0));
    let marker = model.body_marker(body);
    let guide = joint("prismatic", space);
    let _ = model.add_joint("guide", guide, [MarkerIndex::GROUND, marker], &straight());
    drive(&mut model, DriverTarget::Point(marker, 1), Arc::new(Late));
    let s = study(space, 1.0, 0.01, "projection", "dopri5", 1e-8);
    let assembled = biela_core::analysis::assemble(model, s.formulation).unwrap();
    let mut simulation = biela_core::analysis::Simulation::new(assembled, &s).unwrap();
    let failure = simulation.run(&mut crate::friction::Nothing).unwrap_err();
    let text = failure.to_string();
    assert!(
        text.contains("driver `motor0`") && text.contains("inconsistent"),
        "{text}"
    );
    assert!(failure.time < 0.1);
}
