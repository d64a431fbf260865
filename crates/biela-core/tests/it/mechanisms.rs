//! A small library of mechanisms that every solution method must move alike: planar and spatial, open and closed, redundant, driven,
//! geared, rubbing, rolling and free.

use std::sync::Arc;

use biela_core::element::{Arguments, FieldValue, Origin};
use biela_core::joints::Joint;
use biela_core::math::rotation::{about, aligning, product};
use biela_core::math::{Jet, Mat3, Pose, Vec3};
use biela_core::model::{
    Body, BodyIndex, CouplerElement, DriverTarget, InitialValue, JointIndex, MarkerIndex,
    MassProperties, Model, SignalFunction, Space, Velocity0,
};

use crate::assembly::four_bar;
use crate::common::{at, force, joint, slider_crank as bare_slider_crank, straight};
use crate::drivers::drive;

const LENGTHS: [f64; 3] = [0.2, 0.5, 0.4];

/// A slender bar of 1 kg from its origin along x, without symmetry.
fn bar(name: &str) -> Body {
    let inertia = Mat3::new(
        0.010, 0.001, -0.002, 0.001, 0.080, 0.003, -0.002, 0.003, 0.084,
    );
    let mass = MassProperties::new(1.0, Vec3::new(0.5, 0.02, -0.01), inertia).unwrap();
    Body::new(name, mass)
}

fn starting(value: f64, rate: f64) -> InitialValue {
    InitialValue {
        coordinate: 0,
        value: Some(value),
        rate: Some(rate),
        keep: false,
    }
}

/// Rubbing in the first coordinate of a joint.
fn rub(model: &mut Model, on: JointIndex, fields: &[(&'static str, f64)]) {
    let mut values = vec![("joint", FieldValue::Coordinate(on, 0))];
    values.extend(
        fields
            .iter()
            .map(|(name, x)| (*name, FieldValue::Number(*x))),
    );
    let friction = force("coulomb-friction", model.space, &values);
    let name = format!("rub{}", model.forces.len());
    let _ = model.add_force(name, friction);
}

pub(crate) fn slider_crank() -> Model {
    let mut model = bare_slider_crank(0.0, true);
    model.forces.clear();
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    model.joints[0].initial = vec![starting(0.8, 6.0)];
    model
}

pub(crate) fn rubbing_slider_crank() -> Model {
    let mut model = slider_crank();
    rub(
        &mut model,
        JointIndex(3),
        &[("mu", 0.2), ("transition_speed", 0.1)],
    );
    rub(
        &mut model,
        JointIndex(0),
        &[
            ("mu", 0.1),
            ("radius", 0.01),
            ("transition_speed", 0.5),
            ("preload", 1.0),
        ],
    );
    model
}

pub(crate) fn planar_four_bar() -> Model {
    four_bar(Space::Planar, LENGTHS, 0.45, [1.0, 0.4, -1.4])
}

/// The same with joints that have turned before.
pub(crate) fn wound_four_bar() -> Model {
    use std::f64::consts::TAU;
    let angles = [1.0 + TAU, 0.4 - 2.0 * TAU, -1.4 + TAU];
    four_bar(Space::Planar, LENGTHS, 0.45, angles)
}

/// A crank with a slot, a block that slides in it as it turns, and the arm that carries the block: the slot closes the loop.
pub(crate) fn turning_slot() -> Model {
    let mut model = Model::new("turning slot", Space::Planar);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    let [crank, block, arm] = ["crank", "block", "arm"].map(|name| {
        let mass = MassProperties::planar(1.0, [0.2, 0.0], 0.05).unwrap();
        model.add_body(Body::new(name, mass))
    });
    let ground = model.body_marker(BodyIndex::GROUND);
    let pivot = model.add_marker("pivot", BodyIndex::GROUND, at(0.6, 0.0, 0.0));
    let end = model.add_marker("end", arm, at(0.7, 0.0, 0.0));
    let own = |model: &Model, body| model.body_marker(body);
    for (kind, name, pair, value, rate) in [
        (
            "revolute",
            "shaft",
            [ground, own(&model, crank)],
            0.9,
            Some(3.0),
        ),
        ("revolute", "hinge", [pivot, own(&model, arm)], 1.6361, None),
        ("revolute", "pin", [end, own(&model, block)], -0.7361, None),
        (
            "prismatic",
            "slot",
            [own(&model, crank), own(&model, block)],
            0.8917,
            None,
        ),
    ] {
        let index = model.add_joint(name, joint(kind, Space::Planar), pair, &straight());
        model.joints[index.0].initial = vec![InitialValue {
            coordinate: 0,
            value: Some(value),
            rate,
            keep: false,
        }];
    }
    model
}

pub(crate) fn redundant_four_bar() -> Model {
    four_bar(Space::Spatial, LENGTHS, 0.45, [1.0, 0.4, -1.4])
}

/// A four-bar with an inertia behind each of its joints: one of them closes the loop.
pub(crate) fn geared_four_bar() -> Model {
    let mut model = planar_four_bar();
    for (joint, armature) in model.joints.iter_mut().zip([0.02, 0.01, 0.03, 0.05]) {
        joint.armature = armature;
    }
    model
}

/// A slider-crank that rubs by its reactions, with an inertia behind its crank and its slider.
pub(crate) fn geared_slider_crank() -> Model {
    let mut model = rubbing_slider_crank();
    model.joints[0].armature = 0.01;
    model.joints[3].armature = 2.0;
    model
}

/// An arm of six axes, one of them sliding, with an inertia behind each.
pub(crate) fn geared_arm() -> Model {
    let mut model = Model::new("geared arm", Space::Spatial);
    model.gravity = Vec3::new(0.3, -0.2, -9.81);
    let mut carrier = MarkerIndex::GROUND;
    let axes = [
        [0.0, 0.0, 1.0],
        [0.0, 1.0, 0.1],
        [0.2, 1.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.3, 1.0, 0.2],
        [1.0, 0.2, 0.1],
    ];
    for (i, axis) in axes.into_iter().enumerate() {
        let body = model.add_body(bar(&format!("link{i}")));
        let ends = [carrier, model.body_marker(body)];
        let (kind, natural) = if i == 2 {
            ("prismatic", 0)
        } else {
            ("revolute", 2)
        };
        let turn = aligning(natural, &Vec3::from(axis));
        let added = model.add_joint(format!("q{i}"), joint(kind, Space::Spatial), ends, &turn);
        model.joints[added.0].initial = vec![starting(0.3 - 0.2 * i as f64, 0.5)];
        model.joints[added.0].armature = 0.1 + 0.1 * i as f64;
        carrier = model.add_marker("tip", body, at(0.4, 0.05, -0.02));
    }
    // a slide far from stopping would run away in seconds
    let spring = [
        ("joint", FieldValue::Coordinate(JointIndex(2), 0)),
        ("stiffness", FieldValue::Number(200.0)),
        ("damping", FieldValue::Number(5.0)),
    ];
    let _ = model.add_force(
        "hold",
        force("joint-spring-damper", Space::Spatial, &spring),
    );
    model
}

/// A four-bar whose crank follows a law of time: nothing is left free.
pub(crate) fn driven_four_bar() -> Model {
    let mut model = planar_four_bar();
    model.joints[0].initial = vec![starting(1.0, 3.5)];
    let crank = DriverTarget::Joint(JointIndex(0), 0);
    drive(&mut model, crank, Arc::new(Swing(1.0, 3.0)));
    model
}

/// a + b t + sin(t)/2.
#[derive(Debug)]
struct Swing(f64, f64);

impl SignalFunction for Swing {
    fn value(&self, t: f64, _: &[f64]) -> f64 {
        self.jet(t).value
    }
    fn jet(&self, t: f64) -> Jet {
        Jet {
            value: self.0 + self.1 * t + 0.5 * t.sin(),
            rate: self.1 + 0.5 * t.cos(),
            curvature: -0.5 * t.sin(),
        }
    }
}

/// A leaf on two hinges: five rows say what others say.
pub(crate) fn door() -> Model {
    let mut model = Model::new("door", Space::Spatial);
    model.gravity = Vec3::new(1.0, -9.81, -2.0);
    let leaf = model.add_body(bar("leaf"));
    for (name, z) in [("lower", 0.0), ("upper", 1.5)] {
        let pair = [
            model.add_marker(name, BodyIndex::GROUND, at(0.0, 0.0, z)),
            model.add_marker(name, leaf, at(0.0, 0.0, z)),
        ];
        let _ = model.add_joint(name, joint("revolute", Space::Spatial), pair, &straight());
    }
    model
}

/// Two bars hanging from balls.
pub(crate) fn double_pendulum() -> Model {
    let mut model = Model::new("double pendulum", Space::Spatial);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    let down = about(2, -1.2);
    let first = model.add_body(bar("first").at(Pose::new(down, Vec3::zeros())));
    let corner = down * Vec3::new(1.0, 0.0, 0.0);
    let turn = product(&about(1, 0.5), &down);
    let mut second = bar("second").at(Pose::new(turn, corner));
    second.velocity = Some(Velocity0 {
        linear: Vec3::zeros(),
        angular: Vec3::new(0.5, 1.0, 0.2),
    });
    let second = model.add_body(second);
    let ball = joint("spherical", Space::Spatial);
    let root = model.body_marker(first);
    let _ = model.add_joint(
        "root",
        ball.clone(),
        [MarkerIndex::GROUND, root],
        &straight(),
    );
    let elbow = [
        model.add_marker("end", first, at(1.0, 0.0, 0.0)),
        model.body_marker(second),
    ];
    let _ = model.add_joint("elbow", ball, elbow, &straight());
    model
}

/// Hinge, cross and sleeve one after the other, with springs and dampers.
pub(crate) fn mixed_chain() -> Model {
    let space = Space::Spatial;
    let mut model = Model::new("mixed chain", space);
    model.gravity = Vec3::new(0.0, 0.0, -9.81);
    let mut last = MarkerIndex::GROUND;
    for (i, kind) in ["revolute", "universal", "cylindrical"].iter().enumerate() {
        let link = model.add_body(bar(["one", "two", "three"][i]));
        let near = model.body_marker(link);
        let across = aligning(2, &Vec3::new(0.2, 1.0, 0.1 * i as f64));
        let made = if *kind == "universal" {
            let fields =
                Arguments::new(space).with("axis2", FieldValue::Vector(Vec3::new(0.0, 1.0, 0.0)));
            Joint::build(kind, &fields).unwrap().unwrap()
        } else {
            joint(kind, space)
        };
        let j = model.add_joint(*kind, made, [last, near], &across);
        model.joints[j.0].initial = vec![starting(0.4, 0.5)];
        let fields = [
            ("joint", FieldValue::Coordinate(j, 0)),
            ("stiffness", FieldValue::Number(8.0)),
            ("damping", FieldValue::Number(0.3)),
        ];
        let spring = force("joint-spring-damper", space, &fields);
        let _ = model.add_force(format!("spring{i}"), spring);
        last = model.add_marker("end", link, at(1.0, 0.0, 0.0));
    }
    let tie = [
        ("between", FieldValue::Markers([MarkerIndex::GROUND, last])),
        ("stiffness", FieldValue::Number(20.0)),
        ("length", FieldValue::Number(1.5)),
        ("damping", FieldValue::Number(1.0)),
    ];
    let _ = model.add_force("tie", force("spring-damper", space, &tie));
    model
}

/// Two heavy wheels in gear, off balance.
pub(crate) fn gears() -> Model {
    let space = Space::Spatial;
    let mut model = Model::new("gears", space);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    let mut axles = Vec::new();
    for (name, x) in [("pinion", 0.0), ("wheel", 0.7)] {
        let wheel = model.add_body(bar(name));
        let pair = [
            model.add_marker(name, BodyIndex::GROUND, at(x, 0.0, 0.0)),
            model.body_marker(wheel),
        ];
        axles.push(model.add_joint(
            format!("{name}_axle"),
            joint("revolute", space),
            pair,
            &straight(),
        ));
    }
    model.couplers.push(CouplerElement {
        name: "mesh".into(),
        origin: Origin::default(),
        kind: "linear",
        terms: vec![(axles[0], 0, 1.0), (axles[1], 0, 2.5)],
        offset: None,
        backlash: None,
    });
    model
}

/// An arm that swings on a column which is turned by a motor.
pub(crate) fn driven_column() -> Model {
    let space = Space::Spatial;
    let mut model = Model::new("driven column", space);
    model.gravity = Vec3::new(0.0, 0.0, -9.81);
    let column = model.add_body(bar("column"));
    let arm = model.add_body(bar("arm"));
    let foot = model.body_marker(column);
    let pair = [MarkerIndex::GROUND, foot];
    let turning = model.add_joint("foot", joint("revolute", space), pair, &straight());
    let shoulder = [
        model.add_marker("top", column, at(0.3, 0.0, 0.5)),
        model.body_marker(arm),
    ];
    let across = aligning(2, &Vec3::new(0.0, 1.0, 0.0));
    let swinging = model.add_joint("shoulder", joint("revolute", space), shoulder, &across);
    model.joints[swinging.0].initial = vec![starting(0.3, 0.0)];
    drive(
        &mut model,
        DriverTarget::Joint(turning, 0),
        Arc::new(Swing(0.0, 2.0)),
    );
    model
}

/// A leaning disc on a rough plane: one row on positions, two on velocities.
pub(crate) fn rolling_disc() -> Model {
    crate::nonholonomic::disc(2.0, 0.2, 0.4)
}

/// A body on a blade.
pub(crate) fn sleigh() -> Model {
    let mut model = Model::new("sleigh", Space::Planar);
    let mass = MassProperties::planar(1.5, [0.2, 0.05], 0.05).unwrap();
    let mut body = Body::new("sleigh", mass);
    body.velocity = Some(Velocity0 {
        linear: Vec3::new(0.3, 0.0, 0.0),
        angular: Vec3::new(0.0, 0.0, 2.0),
    });
    let body = model.add_body(body);
    let marker = model.body_marker(body);
    let blade = joint("knife-edge", Space::Planar);
    let _ = model.add_joint("blade", blade, [MarkerIndex::GROUND, marker], &straight());
    model
}

/// A bar on a rubbing hinge, and another on a ball at its end.
pub(crate) fn rubbing_chain() -> Model {
    let space = Space::Spatial;
    let mut model = Model::new("rubbing chain", space);
    model.gravity = Vec3::new(0.0, -9.81, 1.0);
    let mut last = MarkerIndex::GROUND;
    for (i, kind) in ["revolute", "spherical"].iter().enumerate() {
        let link = model.add_body(bar(["upper", "lower"][i]));
        let near = model.body_marker(link);
        let j = model.add_joint(*kind, joint(kind, space), [last, near], &straight());
        if i == 0 {
            let fields = [("mu", 0.3), ("radius", 0.05), ("transition_speed", 0.3)];
            rub(&mut model, j, &fields);
        }
        last = model.add_marker("end", link, at(1.0, 0.0, 0.0));
    }
    model
}

/// A body that nothing holds: no rows at all.
pub(crate) fn free_body() -> Model {
    let mut model = Model::new("free body", Space::Spatial);
    model.gravity = Vec3::new(0.0, 0.0, -9.81);
    let mut body = bar("body");
    body.velocity = Some(Velocity0 {
        linear: Vec3::new(1.0, 2.0, 3.0),
        angular: Vec3::new(0.3, 4.0, 0.2),
    });
    let _ = model.add_body(body);
    model
}

/// A particle on a rod of 5 m that circles at constant height (Pacheco, App. A.1-A.4).
pub(crate) fn conical_pendulum() -> Model {
    let radius = 5.0;
    let across = radius / 2.0_f64.sqrt();
    let mut model = Model::new("conical pendulum", Space::Spatial);
    model.gravity = Vec3::new(0.0, 0.0, -9.81);
    let inertia = Mat3::from_diagonal(&Vec3::new(0.1, 0.1, 0.1));
    let mass = MassProperties::new(1.0, Vec3::zeros(), inertia).unwrap();
    let mut body = Body::new("bob", mass).at(at(across, 0.0, -across));
    body.velocity = Some(Velocity0 {
        linear: Vec3::new(0.0, (9.81 * across).sqrt(), 0.0),
        angular: Vec3::zeros(),
    });
    let bob = model.add_body(body);
    let marker = model.body_marker(bob);
    let fields = Arguments::new(Space::Spatial).with("length", FieldValue::Number(radius));
    let rod = Joint::build("distance", &fields).unwrap().unwrap();
    let _ = model.add_joint("rod", rod, [MarkerIndex::GROUND, marker], &straight());
    model
}

/// A bob on a rod of 1 m that rotates by one turn per second.
pub(crate) fn whirling_bob() -> Model {
    let mut model = Model::new("whirling bob", Space::Planar);
    let mass = MassProperties::planar(1.0, [0.0, 0.0], 0.1).unwrap();
    let mut body = Body::new("bob", mass).at(at(1.0, 0.0, 0.0));
    body.velocity = Some(Velocity0 {
        linear: Vec3::new(0.0, std::f64::consts::TAU, 0.0),
        angular: Vec3::zeros(),
    });
    let bob = model.add_body(body);
    let marker = model.body_marker(bob);
    let fields = Arguments::new(Space::Planar).with("length", FieldValue::Number(1.0));
    let rod = Joint::build("distance", &fields).unwrap().unwrap();
    let _ = model.add_joint("rod", rod, [MarkerIndex::GROUND, marker], &straight());
    model
}
