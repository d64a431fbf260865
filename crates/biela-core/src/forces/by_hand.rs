//! Each force law against numbers worked out by hand: signs, limits, and rejected values.

use super::*;
use crate::element::FieldValue;
use crate::joints::Joint;
use crate::math::rotation::{about, identity};
use crate::math::{Pose, Random, Vec3};
use crate::model::{Body, JointIndex, MarkerIndex, MassProperties, Space};
use crate::system::SystemKinematics;

/// A body and the ground, connected by three joints that measure without constraining: tests prescribe the motion of the body.
struct Bench {
    model: Model,
    kinematics: SystemKinematics,
    body: MarkerIndex,
}

const HINGE: JointIndex = JointIndex(0);
const SLIDER: JointIndex = JointIndex(1);
const GROUND: MarkerIndex = MarkerIndex::GROUND;

impl Bench {
    fn new(space: Space) -> Self {
        let mut model = Model::new("bench", space);
        let mass = MassProperties::planar(2.0, [0.0, 0.0], 0.5).unwrap();
        let body = model.add_body(Body::new("block", mass));
        let body = model.body_marker(body);
        for name in ["revolute", "prismatic", "weld"] {
            let joint = Joint::build(name, &Arguments::new(space)).unwrap();
            let _ = model.add_joint(name, joint.unwrap(), [GROUND, body], &identity());
        }
        let mut bench = Bench {
            kinematics: SystemKinematics::new(&model),
            model,
            body,
        };
        bench.place([0.0, 0.0], 0.0);
        bench
    }

    fn planar() -> Self {
        Self::new(Space::Planar)
    }

    /// Sets the pose of the body, at rest.
    fn place(&mut self, [x, y]: [f64; 2], angle: f64) {
        let body = &mut self.kinematics.bodies[0];
        body.r = Vec3::new(x, y, 0.0);
        body.R = about(2, angle);
        self.update(angle);
    }

    /// Sets the velocity of the body.
    fn push(&mut self, v: [f64; 2], spin: f64) {
        let body = &mut self.kinematics.bodies[0];
        body.v = Vec3::new(v[0], v[1], 0.0);
        body.w = Vec3::new(0.0, 0.0, spin);
        let angle = self.kinematics.joints[0].rel.turns[0];
        self.update(angle);
    }

    fn update(&mut self, angle: f64) {
        let turns = vec![angle; 3 * self.model.joints.len()];
        self.kinematics.update_joints(&self.model, &turns);
    }

    fn context(&self) -> EvaluationContext<'_> {
        EvaluationContext {
            model: &self.model,
            kinematics: &self.kinematics,
        }
    }

    fn arguments(&self, values: &[(&'static str, FieldValue)]) -> Arguments {
        let mut arguments = Arguments::new(self.model.space);
        for (name, value) in values {
            arguments.set(name, value.clone());
        }
        arguments
    }

    fn build(&self, kind: &str, values: &[(&'static str, FieldValue)]) -> Box<dyn Force> {
        build(kind, &self.arguments(values)).unwrap().unwrap()
    }

    /// Returns the rejected field.
    fn refused(&self, kind: &str, values: &[(&'static str, FieldValue)]) -> &'static str {
        let error = build(kind, &self.arguments(values)).unwrap().unwrap_err();
        assert!(!error.message.is_empty());
        error.field
    }

    /// Force along x and y, torque about z, and reported power.
    fn loads(&self, force: &dyn Force) -> [f64; 4] {
        let mut loads = Loads::new(self.context().model);
        force.apply(&self.context(), &mut loads);
        let power = loads.take_power();
        [
            loads.force[0][0],
            loads.force[0][1],
            loads.torque[0][2],
            power,
        ]
    }

    fn ends(&self) -> (&'static str, FieldValue) {
        ("between", FieldValue::Markers([GROUND, self.body]))
    }
}

fn number(name: &'static str, x: f64) -> (&'static str, FieldValue) {
    (name, FieldValue::Number(x))
}

fn law(name: &'static str, x: f64) -> (&'static str, FieldValue) {
    (name, FieldValue::Law(Law::Constant(x)))
}

fn along(joint: JointIndex) -> (&'static str, FieldValue) {
    ("joint", FieldValue::Coordinate(joint, 0))
}

fn word(name: &'static str, word: &str) -> (&'static str, FieldValue) {
    (name, FieldValue::Word(word.to_owned()))
}

fn assert_loads(found: [f64; 4], expected: [f64; 4]) {
    for (x, y) in found.iter().zip(expected) {
        assert!((x - y).abs() < 1e-12, "{found:?} instead of {expected:?}");
    }
}

#[test]
fn a_force_keeps_its_direction_or_follows_the_body() {
    let mut bench = Bench::planar();
    let body = crate::model::BodyIndex(0);
    let tip = Pose::new(identity(), Vec3::new(2.0, 0.0, 0.0));
    let tip = bench.model.add_marker("tip", body, tip);
    bench.place([1.0, 1.0], std::f64::consts::FRAC_PI_2);
    bench.push([0.5, 0.0], 3.0);
    let laws = FieldValue::Laws(vec![Law::Constant(4.0), Law::Constant(0.0)]);
    let values = |frame| {
        [
            ("at", FieldValue::Marker(tip)),
            ("value", laws.clone()),
            word("frame", frame),
        ]
    };
    // the tip is 2 m above the mass centre and moves with (0.5 − 6, 0)
    let fixed = bench.build("force", &values("ground"));
    assert_loads(bench.loads(&*fixed), [4.0, 0.0, -8.0, -22.0]);
    let following = bench.build("force", &values("body"));
    assert_loads(bench.loads(&*following), [0.0, 4.0, 0.0, 0.0]);
    assert!((following.measure(1, &bench.context()) - 4.0).abs() < 1e-15);
    assert_eq!(following.measures().len(), 2);
}

#[test]
fn a_force_with_the_wrong_number_of_components_is_rejected() {
    let bench = Bench::planar();
    for count in [0, 1, 3] {
        let laws = FieldValue::Laws(vec![Law::Constant(1.0); count]);
        let values = [("at", FieldValue::Marker(bench.body)), ("value", laws)];
        assert_eq!(bench.refused("force", &values), "value");
    }
    let laws = FieldValue::Laws(vec![Law::Constant(1.0); 2]);
    assert_eq!(bench.refused("force", &[("value", laws)]), "at");
}

#[test]
fn a_torque_follows_the_right_hand_rule_and_its_reaction_acts_on_the_other_body() {
    let mut bench = Bench::planar();
    bench.push([1.0, 2.0], 3.0);
    let on = ("on", FieldValue::Marker(bench.body));
    let torque = bench.build("torque", &[on.clone(), law("value", 5.0)]);
    assert_loads(bench.loads(&*torque), [0.0, 0.0, 5.0, 15.0]);
    assert_eq!(torque.measure(0, &bench.context()), 5.0);
    let reaction = ("reaction_on", FieldValue::Marker(bench.body));
    let on_ground = ("on", FieldValue::Marker(GROUND));
    let torque = bench.build("torque", &[on_ground, reaction, law("value", 5.0)]);
    assert_loads(bench.loads(&*torque), [0.0, 0.0, -5.0, -15.0]);
    let axis = ("axis", FieldValue::Vector(Vec3::x()));
    assert_eq!(
        bench.refused("torque", &[on.clone(), law("value", 5.0), axis]),
        "axis"
    );
    let axis = ("axis", FieldValue::Vector(Vec3::zeros()));
    let spatial = Bench::new(Space::Spatial);
    assert_eq!(
        spatial.refused("torque", &[on, law("value", 5.0), axis]),
        "axis"
    );
}

#[test]
fn a_spatial_torque_is_about_its_axis_in_the_chosen_frame() {
    let mut bench = Bench::new(Space::Spatial);
    bench.place([0.0, 0.0], std::f64::consts::FRAC_PI_2);
    for (frame, direction) in [("ground", Vec3::x()), ("body", Vec3::y())] {
        let axis = ("axis", FieldValue::Vector(Vec3::new(2.0, 0.0, 0.0)));
        let on = ("on", FieldValue::Marker(bench.body));
        let torque = bench.build(
            "torque",
            &[on, axis, law("value", 5.0), word("frame", frame)],
        );
        let mut loads = Loads::new(bench.context().model);
        torque.apply(&bench.context(), &mut loads);
        assert!(
            (loads.torque[0] - direction * 5.0).norm() < 1e-14,
            "{frame}"
        );
    }
}

#[test]
fn a_stretched_spring_pulls_its_ends_together_and_a_damper_resists() {
    let mut bench = Bench::planar();
    bench.place([3.0, 4.0], 0.0);
    bench.push([0.3, 0.4], 0.0);
    let spring = [number("stiffness", 10.0), number("length", 3.0)];
    let values = [&spring[..], &[bench.ends()]].concat();
    let force = bench.build("spring", &values);
    // 5 m long, elongated by 2 m: 20 N towards the ground
    assert_loads(bench.loads(&*force), [-12.0, -16.0, 0.0, 0.0]);
    assert!((force.potential(&bench.context()) - 20.0).abs() < 1e-12);
    assert!(!force.dissipates());
    let values = [
        &spring[..],
        &[bench.ends(), number("damping", 8.0), law("force", 6.0)],
    ]
    .concat();
    let force = bench.build("spring-damper", &values);
    // 0.5 m/s: additional 4 N of damping and 6 N of actuator, which dissipate 5 W
    assert_loads(bench.loads(&*force), [-18.0, -24.0, 0.0, -5.0]);
    let measured = [0, 1, 2].map(|k| force.measure(k, &bench.context()));
    for (x, y) in measured.into_iter().zip([5.0, 0.5, 30.0]) {
        assert!((x - y).abs() < 1e-12);
    }
    assert!(force.dissipates());
}

#[test]
fn a_spring_with_coincident_ends_applies_no_force_and_no_nan() {
    let mut bench = Bench::planar();
    bench.push([1.0, 0.0], 0.0);
    let values = [
        number("stiffness", 10.0),
        number("length", 3.0),
        number("damping", 1.0),
    ];
    let force = bench.build("spring", &[&values[..], &[bench.ends()]].concat());
    assert_eq!(bench.loads(&*force), [0.0; 4]);
    assert_eq!(force.potential(&bench.context()), 45.0);
}

#[test]
fn invalid_springs_are_rejected() {
    let bench = Bench::planar();
    let ends = bench.ends();
    let refused =
        |values: &[_]| bench.refused("spring", &[values, std::slice::from_ref(&ends)].concat());
    assert_eq!(refused(&[number("stiffness", 1.0)]), "length");
    assert_eq!(refused(&[number("stiffness", -1.0)]), "stiffness");
    assert_eq!(refused(&[number("length", -1.0)]), "length");
    assert_eq!(refused(&[number("damping", f64::NAN)]), "damping");
    assert_eq!(refused(&[law("force", f64::INFINITY)]), "force");
    let same = ("between", FieldValue::Markers([bench.body; 2]));
    assert_eq!(bench.refused("spring", &[same]), "between");
    assert_eq!(bench.refused("spring", &[]), "between");
    assert!(
        build("spring", &bench.arguments(std::slice::from_ref(&ends)))
            .unwrap()
            .is_ok()
    );
}

#[test]
fn a_joint_spring_counts_turns_and_pulls_back_to_rest() {
    let mut bench = Bench::planar();
    // slightly more than two turns
    bench.place([0.0, 0.0], 13.0);
    bench.push([0.0, 0.0], 2.0);
    let values = [
        along(HINGE),
        number("stiffness", 3.0),
        number("rest", 12.0),
        number("damping", 0.5),
        law("effort", 7.0),
    ];
    let force = bench.build("torsion-spring", &values);
    assert_loads(bench.loads(&*force), [0.0, 0.0, -3.0 - 1.0 + 7.0, 12.0]);
    assert!((force.measure(0, &bench.context()) - 3.0).abs() < 1e-12);
    assert!((force.potential(&bench.context()) - 1.5).abs() < 1e-12);
    assert_eq!(bench.refused("joint-spring-damper", &values[1..]), "joint");
    let negative = [along(HINGE), number("stiffness", -3.0)];
    assert_eq!(bench.refused("joint-spring-damper", &negative), "stiffness");
}

#[test]
fn an_actuator_drives_and_a_damper_brakes_the_coordinate() {
    let mut bench = Bench::planar();
    bench.push([-2.0, 1.0], 0.0);
    let actuator = bench.build("joint-force", &[along(SLIDER), law("effort", 6.0)]);
    assert_loads(bench.loads(&*actuator), [6.0, 0.0, 0.0, -12.0]);
    let values = [along(SLIDER), law("damping", 3.0), law("quadratic", 0.5)];
    let damper = bench.build("joint-damping", &values);
    // 3·2 + 0.5·4 against the motion
    assert_loads(bench.loads(&*damper), [8.0, 0.0, 0.0, -16.0]);
    let negative = [along(SLIDER), law("damping", -3.0)];
    assert_eq!(bench.refused("joint-damping", &negative), "damping");
}

#[test]
fn a_motor_delivers_the_command_within_its_torque_speed_line_and_in_full_when_braking() {
    let mut bench = Bench::planar();
    let motor = |bench: &Bench, effort: f64| {
        let values = [
            along(SLIDER),
            law("effort", effort),
            number("ratio", 50.0),
            number("viscous", 0.001),
            number("stall_torque", 2.0),
            number("no_load_speed", 100.0),
            number("torque_limit", 1.5),
        ];
        bench.build("motor", &values)
    };
    // joint velocity and commanded effort: shaft torque, whether it saturates
    for (v, asked, torque, saturated) in [
        (0.0, 60.0, 1.2, 0.0),
        (0.0, 90.0, 1.5, 1.0),
        (0.0, -90.0, -1.5, 1.0),
        (1.0, 60.0, 1.0, 1.0),
        (1.0, 40.0, 0.8, 0.0),
        (-1.0, -60.0, -1.0, 1.0),
        // against the motion the full torque is available
        (1.0, -60.0, -1.2, 0.0),
        (-1.0, 90.0, 1.5, 1.0),
        // beyond the no-load speed no torque is available
        (3.0, 60.0, 0.0, 1.0),
        (3.0, -60.0, -1.2, 0.0),
    ] {
        bench.push([v, 0.0], 0.0);
        let motor = motor(&bench, asked);
        let effort = 50.0 * (torque - 0.05 * v);
        assert_loads(bench.loads(&*motor), [effort, 0.0, 0.0, effort * v]);
        let measured = [effort, torque, 50.0 * v, saturated, torque * 50.0 * v];
        for (k, expected) in measured.into_iter().enumerate() {
            let found = motor.measure(k, &bench.context());
            assert!(
                (found - expected).abs() < 1e-12,
                "{k}: {found} for {expected}"
            );
        }
    }
}

#[test]
fn a_motor_without_a_command_applies_no_torque_and_adds_its_rotor_inertia() {
    let mut bench = Bench::planar();
    let values = [
        along(HINGE),
        number("ratio", -4.0),
        number("rotor_inertia", 0.25),
    ];
    let motor = bench.build("motor", &values);
    assert_loads(bench.loads(&*motor), [0.0; 4]);
    assert_eq!(motor.idle(), Some((HINGE, 0)));
    assert_eq!(motor.rotor(), Some((HINGE, 4.0)));
    let motor = motor.with_command(Some(Law::Constant(3.0))).unwrap();
    assert_eq!(motor.idle(), None);
    assert_loads(bench.loads(&*motor), [0.0, 0.0, 3.0, 0.0]);
    assert!((motor.measure(1, &bench.context()) + 0.75).abs() < 1e-15);
    let _ = bench.model.add_force("motor", motor);
    assert_eq!(bench.model.joints[HINGE.0].armature, 4.0);

    let refused = |more: &[(&'static str, FieldValue)]| {
        let values = [&[along(HINGE)], more].concat();
        bench.refused("motor", &values)
    };
    assert_eq!(refused(&[number("ratio", 0.0)]), "ratio");
    assert_eq!(refused(&[number("stall_torque", 1.0)]), "stall_torque");
    assert_eq!(refused(&[number("no_load_speed", 1.0)]), "no_load_speed");
    assert_eq!(refused(&[number("rotor_inertia", -1.0)]), "rotor_inertia");
    assert_eq!(refused(&[number("torque_limit", 0.0)]), "torque_limit");
    assert_eq!(
        refused(&[number("transition_speed", 0.0)]),
        "transition_speed"
    );
}

#[test]
fn a_stop_acts_outside_its_limits_only_and_never_pulls() {
    let mut bench = Bench::planar();
    let values = [
        along(SLIDER),
        number("lower", -1.0),
        number("upper", 2.0),
        number("stiffness", 100.0),
        number("damping", 0.5),
    ];
    let stop = bench.build("limit", &values);
    // position, velocity, expected force and power of the damping part
    for (x, v, effort, power) in [
        (0.0, 5.0, 0.0, 0.0),
        (2.0, 5.0, 0.0, 0.0),
        (2.1, 0.0, -10.0, 0.0),
        (2.1, 1.0, -15.0, -5.0),
        (2.1, -1.0, -5.0, -5.0),
        (2.1, -4.0, 0.0, -40.0),
        (-1.2, -1.0, 30.0, -10.0),
        (-1.2, 3.0, 0.0, -60.0),
    ] {
        bench.place([x, 0.0], 0.0);
        bench.push([v, 0.0], 0.0);
        assert_loads(bench.loads(&*stop), [effort, 0.0, 0.0, power]);
        assert!((stop.measure(0, &bench.context()) - effort).abs() < 1e-12);
    }
    assert!((stop.measure(1, &bench.context()) - 0.2).abs() < 1e-15);
    assert!((stop.potential(&bench.context()) - 2.0).abs() < 1e-12);
}

#[test]
fn invalid_stops_are_rejected() {
    let bench = Bench::planar();
    let stiff = number("stiffness", 1.0);
    let refused = |values: &[_]| bench.refused("limit", &[values, &[along(SLIDER)]].concat());
    assert_eq!(refused(std::slice::from_ref(&stiff)), "lower");
    assert_eq!(
        refused(&[stiff.clone(), number("lower", 1.0), number("upper", 1.0)]),
        "lower"
    );
    assert_eq!(
        refused(&[stiff.clone(), number("upper", f64::NAN)]),
        "upper"
    );
    assert_eq!(refused(&[number("upper", 1.0)]), "stiffness");
    let negative = number("damping", -1.0);
    assert_eq!(refused(&[stiff, number("upper", 1.0), negative]), "damping");
}

#[test]
fn a_bushing_with_a_small_rotation_is_a_linear_spring_in_every_direction() {
    let mut bench = Bench::planar();
    let turn = 1e-3;
    bench.place([0.01, -0.02], turn);
    bench.push([0.1, 0.2], 0.3);
    let values = [
        bench.ends(),
        (
            "stiffness",
            FieldValue::Vector(Vec3::new(100.0, 200.0, 0.0)),
        ),
        ("damping", FieldValue::Vector(Vec3::new(5.0, 6.0, 0.0))),
        number("torsional_stiffness_z", 40.0),
        number("torsional_damping_z", 2.0),
    ];
    let bushing = bench.build("bushing", &values);
    let power = -0.05 - 0.24 - 0.18;
    let expected = [-1.0 - 0.5, 4.0 - 1.2, -40.0 * turn - 0.6, power];
    assert_loads(bench.loads(&*bushing), expected);
    let measured = [0, 1, 2].map(|k| bushing.measure(k, &bench.context()));
    assert!((measured[2] - turn).abs() < 1e-15 && measured[1] == -0.02);

    let vector = (
        "torsional_stiffness",
        FieldValue::Vector(Vec3::new(1.0, 0.0, 0.0)),
    );
    assert_eq!(
        bench.refused("bushing", &[bench.ends(), vector]),
        "torsional_stiffness"
    );
    let spatial = Bench::new(Space::Spatial);
    let one = [spatial.ends(), number("torsional_damping_z", 1.0)];
    assert_eq!(spatial.refused("bushing", &one), "torsional_damping_z");
    let negative = ("damping", FieldValue::Vector(Vec3::new(1.0, -1.0, 0.0)));
    assert_eq!(
        bench.refused("bushing", &[bench.ends(), negative]),
        "damping"
    );
}

#[test]
fn friction_of_the_preload_opposes_the_motion_and_creeps_below_the_transition_speed() {
    let mut bench = Bench::planar();
    let values = [
        along(SLIDER),
        number("mu", 0.2),
        number("preload", 50.0),
        number("transition_speed", 0.1),
    ];
    let force = bench.build("coulomb-friction", &values);
    let friction = force.friction().unwrap();
    assert_eq!((friction.joint(), friction.coordinate()), (SLIDER, 0));
    assert_eq!(bench.loads(&*force), [0.0; 4]);
    for v in [-3.0, -0.05, 0.02, 4.0_f64] {
        bench.push([v, 1.0], 0.0);
        let factor = -0.2 * (v / 0.1).tanh();
        assert_eq!(friction.factor(&bench.context()), factor);
        assert_loads(
            bench.loads(&*force),
            [50.0 * factor, 0.0, 0.0, 50.0 * factor * v],
        );
        let [normal, effort] =
            [0, 1].map(|k| friction.measure_with_normal(k, &bench.context(), 30.0));
        assert!((normal - 80.0).abs() < 1e-12 && (effort - 80.0 * factor).abs() < 1e-12);
    }
}

#[test]
fn friction_with_zero_transition_speed_has_an_exact_sign_that_is_zero_at_rest() {
    let mut bench = Bench::planar();
    let values = [
        along(HINGE),
        number("mu", 0.5),
        number("radius", 0.1),
        number("transition_speed", 0.0),
    ];
    let force = bench.build("coulomb-friction", &values);
    let friction = force.friction().unwrap();
    for (spin, factor) in [(-1e-9, 0.05), (0.0, 0.0), (2.0, -0.05)] {
        bench.push([0.0, 0.0], spin);
        assert!((friction.factor(&bench.context()) - factor).abs() < 1e-16);
    }
    // without a preload the solver computes all of it
    assert_eq!(bench.loads(&*force), [0.0; 4]);
    let negative = [along(HINGE), number("mu", -0.5)];
    assert_eq!(bench.refused("coulomb-friction", &negative), "mu");
}

#[test]
fn the_normal_force_is_the_norm_of_the_reaction_and_its_gradient_the_direction() {
    let mut random = Random::new(1);
    for _ in 0..100 {
        let reaction = random.vector(5.0);
        let gradient = CoulombFriction::normal_gradient(&reaction);
        let change = random.vector(1.0);
        let at = |h: f64| CoulombFriction::normal(&(reaction + change * h));
        let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
        assert!((slope - gradient.dot(&change)).abs() < 1e-7);
    }
    assert_eq!(CoulombFriction::normal(&Vec3::new(3.0, 0.0, -4.0)), 5.0);
    assert_eq!(
        CoulombFriction::normal_gradient(&Vec3::zeros()),
        Vec3::zeros()
    );
}

#[test]
fn fields_that_depend_on_the_model_are_checked_against_it() {
    let bench = Bench::planar();
    let field = |kind: &str, values: &[(&'static str, FieldValue)]| {
        bench
            .build(kind, values)
            .check(&bench.model)
            .map_err(|e| e.field)
    };
    let friction = |joint| field("coulomb-friction", &[along(joint), number("mu", 0.1)]);
    assert_eq!(friction(SLIDER), Ok(()));
    assert_eq!(friction(HINGE), Err("radius"));
    let given = number("radius", 0.1);
    let sliding = [along(SLIDER), number("mu", 0.1), given];
    assert_eq!(field("coulomb-friction", &sliding), Err("radius"));
    // a weld has no coordinate, and there is no tenth joint
    for joint in [JointIndex(2), JointIndex(9)] {
        assert_eq!(
            field("actuator", &[along(joint), law("effort", 1.0)]),
            Err("joint")
        );
    }
}
