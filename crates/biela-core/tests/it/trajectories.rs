//! Joints that follow trajectories, in every formulation.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_3};
use std::sync::Arc;

use biela_core::analysis::Formulation;
use biela_core::control::trajectories::{Setting, build};
use biela_core::element::{Arguments, FieldValue, Origin};
use biela_core::math::Vec3;
use biela_core::model::{
    Body, DriverElement, DriverTarget, JointLimits, Law, MarkerIndex, MassProperties, Model,
    Motion, Sensor, Signal, Space, TrajectoryElement, TrajectoryQuantity,
};
use biela_core::robot::{Efforts, Robot};

use crate::common::{at, joint, run, straight, study};
use crate::sampling::law;

/// The double pendulum of Cipparrone (dissertation, USP 1991): points of 1 and 2 kg at the ends of 0.1 and 0.2 m, gravity along x.
///
/// The links themselves have the given inertia, none in the original.
fn double_pendulum(inertia: f64) -> Model {
    let space = Space::Planar;
    let mut model = Model::new("planar1", space);
    model.gravity = Vec3::new(9.8, 0.0, 0.0);
    let mut last = MarkerIndex::GROUND;
    for (k, (mass, length)) in [(1.0, 0.1), (2.0, 0.2)].into_iter().enumerate() {
        let properties = MassProperties::planar(mass, [length, 0.0], inertia).unwrap();
        let body = model.add_body(Body::new(format!("link{k}"), properties));
        let near = model.body_marker(body);
        let name = format!("theta{k}");
        let _ = model.add_joint(name, joint("revolute", space), [last, near], &straight());
        last = model.add_marker("end", body, at(length, 0.0, 0.0));
    }
    model
}

/// A model with a trajectory that drivers follow.
fn led(mut model: Model, kind: &str, fields: Vec<(&'static str, FieldValue)>) -> Model {
    let mut arguments = Arguments::new(Space::Planar);
    for (name, value) in fields {
        arguments.set(name, value);
    }
    let setting = Setting {
        joints: vec![JointLimits::NONE; 2],
        start: 0.0,
        robot: Err(String::new()),
    };
    let motion = build(kind, &arguments, &setting).unwrap().unwrap();
    let joints = Robot::of(&model).unwrap().joints;
    for (k, joint) in joints.iter().enumerate() {
        model.drivers.push(DriverElement {
            name: format!("motor{k}"),
            origin: Origin::default(),
            target: DriverTarget::Joint(joint.index, 0),
            motion: Motion::Trajectory {
                motion: Arc::clone(&motion),
                joint: k,
            },
        });
    }
    model.trajectories.push(TrajectoryElement {
        name: "way".to_owned(),
        origin: Origin::default(),
        joints: joints.iter().map(|joint| joint.index).collect(),
        motion,
    });
    model
}

#[test]
fn drivers_along_a_rise_and_return_need_the_torques_of_the_literature() {
    let fields = || {
        let amplitude = vec![vec![FRAC_PI_2, -FRAC_PI_3]];
        vec![
            ("amplitude", FieldValue::Points(amplitude)),
            ("period", FieldValue::Numbers(vec![1.28])),
            ("form", FieldValue::Word("1-cos".to_owned())),
        ]
    };
    // inertial, centripetal and Coriolis, and gravity torques of both joints
    let known = [
        (
            0.0,
            [[2.081_720_236, 1.261_648_628], [0.0, 0.0], [0.0, 0.0]],
        ),
        (
            0.16,
            [
                [1.463_622_278, 0.885_838_137],
                [-0.040_364_659, -0.045_410_241],
                [0.970_650_363, 0.300_288_250],
            ],
        ),
        (
            0.32,
            [
                [0.0, 0.0],
                [-0.264_239_071, -0.297_268_955],
                [3.093_464_593, 1.014_570_657],
            ],
        ),
        (
            0.48,
            [
                [-1.205_378_853, -0.692_155_568],
                [-0.205_969_689, -0.231_715_901],
                [4.556_737_320, 1.694_183_454],
            ],
        ),
        (
            0.64,
            [[-1.577_060_785, -0.883_154_040], [0.0, 0.0], [4.9, 1.96]],
        ),
    ];
    let robot = Robot::of(&double_pendulum(0.0)).unwrap();
    let motion =
        Arc::clone(&led(double_pendulum(0.0), "sinusoid", fields()).trajectories[0].motion);
    let (mut ws, mut efforts) = (robot.workspace(), Efforts::default());
    for (time, expected) in known {
        let (mut q, mut v, mut a) = ([0.0; 2], [0.0; 2], [0.0; 2]);
        motion.at(time, &mut q, &mut v, &mut a);
        robot.efforts(&mut ws, [&q, &v, &a], &mut efforts);
        let parts = [&efforts.inertial, &efforts.coriolis, &efforts.gravity];
        for (part, expected) in parts.into_iter().zip(expected) {
            for k in 0..2 {
                assert!((part[k] - expected[k]).abs() < 1.1e-9, "{time}: {part:?}");
            }
        }
    }
    let mut study = study(Space::Planar, 0.64, 0.16, "augmented", "kinematics", 0.01);
    study.formulation = Formulation::Tree;
    let series = run(led(double_pendulum(0.0), "sinusoid", fields()), &study);
    for (time, parts) in known {
        for k in 0..2 {
            let total: f64 = parts.iter().map(|part| part[k]).sum();
            let effort = series.at(&format!("motor{k}.effort"), time);
            assert!(
                (effort - total).abs() < 4e-9,
                "joint {k} at {time}: {effort} {total}"
            );
            let apart = series.at(&format!("way.theta{k}"), time)
                - series.at(&format!("theta{k}.angle"), time);
            assert!(apart.abs() < 1e-12);
        }
    }
}

#[test]
fn steps_end_where_the_acceleration_of_a_trajectory_jumps() {
    // no discontinuity is at a multiple of the step; if one were passed over, the work of the drivers would be off by 1e-3
    let points = vec![vec![0.0, 0.0], vec![1.0, -0.7], vec![0.2, 0.4]];
    let fields = || {
        vec![
            ("points", FieldValue::Points(points.clone())),
            ("rate", FieldValue::Numbers(vec![3.0, 3.0])),
            ("acceleration", FieldValue::Numbers(vec![11.0, 17.0])),
        ]
    };
    for formulation in [Formulation::Tree, Formulation::Absolute] {
        let mut model = led(double_pendulum(0.01), "trapezoidal", fields());
        let signal = Signal::Trajectory(0, 1, TrajectoryQuantity::Rate);
        model.sensors.push(Sensor {
            origin: biela_core::element::Origin::default(),
            name: "twice".to_owned(),
            unit: "rad/s".to_owned(),
            law: law(&[signal], |_, x| 2.0 * x[0]),
        });
        assert!(matches!(model.sensors[0].law, Law::Function { .. }));
        let mut study = study(Space::Planar, 2.0, 0.05, "projection", "rk4", 2e-3);
        study.formulation = formulation;
        let series = run(model, &study);
        let worst = series.statistics.worst_energy;
        assert!(worst < 1e-8, "{formulation:?}: {worst:e}");
        for (i, time) in series.times.iter().enumerate() {
            let [angle, wanted] = ["theta1.angle", "way.theta1"].map(|name| series.all(name)[i]);
            assert!((angle - wanted).abs() < 1e-9, "{time}");
            let [twice, rate] = ["twice", "way.theta1_rate"].map(|name| series.all(name)[i]);
            assert!((twice - 2.0 * rate).abs() < 1e-12);
        }
    }
}
