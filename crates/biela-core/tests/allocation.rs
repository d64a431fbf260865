//! Nothing is allocated once a run is under way.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::ops::ControlFlow;
use std::sync::Arc;

use biela_core::analysis::{Choice, Formulation, Observer, Simulation, Study, assemble};
use biela_core::control::Trajectory;
use biela_core::control::laws::{
    self, DesignModel, LAWS, LawController, MeasurementModel, ReferenceMotion, Wiring,
};
use biela_core::control::trajectories::{self, Setting};
use biela_core::element::{Arguments, FieldKind, FieldValue, Info, Origin};
use biela_core::joints::Joint;
use biela_core::math::rotation::identity;
use biela_core::math::{Jet, Mat3, Pose, Vec3};
use biela_core::methods::METHODS;
use biela_core::model::{
    Body, ControllerElement, ControllerInput, ControllerOutput, JointIndex, JointLimits,
    JointQuantity, Law, MarkerIndex, MassProperties, Model, SampledLaw, Signal, SignalFunction,
    Space, Velocity0,
};
use biela_core::system::{Channel, Instant, channels};

/// Fills the same row again and again, as a recorder does.
struct Row {
    channels: Vec<Channel>,
    values: Vec<f64>,
}

impl Observer for Row {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        for (value, channel) in self.values.iter_mut().zip(&self.channels) {
            *value = instant.signal(channel.signal);
        }
        ControlFlow::Continue(())
    }
}

/// A chain of bars with hinges, a spring, friction and a closed loop at its end.
fn chain() -> Model {
    let space = Space::Spatial;
    let mut model = Model::new("chain", space);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    let mut last = MarkerIndex::GROUND;
    for i in 0..5 {
        let inertia = Mat3::from_diagonal(&Vec3::new(0.01, 0.02, 0.02));
        let mass = MassProperties::new(1.0, Vec3::new(0.25, 0.0, 0.0), inertia).unwrap();
        let body = model.add_body(Body::new(format!("bar{i}"), mass));
        let start = model.body_marker(body);
        let kind = if i == 2 { "spherical" } else { "revolute" };
        let joint = Joint::build(kind, &Arguments::new(space)).unwrap().unwrap();
        let j = model.add_joint(format!("joint{i}"), joint, [last, start], &identity());
        if i == 0 {
            let fields = [
                ("mu", 0.1),
                ("radius", 0.01),
                ("transition_speed", 0.1),
                ("preload", 0.0),
            ];
            let mut arguments = Arguments::new(space).with("joint", FieldValue::Coordinate(j, 0));
            for (name, value) in fields {
                arguments.set(name, FieldValue::Number(value));
            }
            let friction = biela_core::forces::build("coulomb-friction", &arguments);
            let _ = model.add_force("friction", friction.unwrap().unwrap());
        }
        let end = Pose::new(identity(), Vec3::new(0.5, 0.0, 0.0));
        last = model.add_marker("end", body, end);
    }
    let fields = Arguments::new(space)
        .with("between", FieldValue::Markers([MarkerIndex::GROUND, last]))
        .with("stiffness", FieldValue::Number(50.0))
        .with("length", FieldValue::Number(1.0))
        .with("force", FieldValue::Law(given_on(Signal::Controller(0))));
    let spring = biela_core::forces::build("spring-damper", &fields)
        .unwrap()
        .unwrap();
    let _ = model.add_force("spring", spring);
    let angle = Signal::Joint(JointIndex(0), JointQuantity::Value(0));
    model.controllers.push(ControllerElement {
        name: "computer".to_owned(),
        origin: Origin::default(),
        period: 3e-3,
        offset: 0.0,
        delay: 1e-3,
        inputs: vec![ControllerInput {
            law: given_on(angle),
            quantum: None,
        }],
        states: vec![0.0],
        outputs: vec![ControllerOutput {
            name: "pull".to_owned(),
            unit: "N".to_owned(),
            initial: 0.0,
            quantum: None,
            saturation: None,
        }],
        law: Arc::new(Sum),
    });
    model
}

/// Its first input.
#[derive(Debug)]
struct Given;

impl SignalFunction for Given {
    fn value(&self, _: f64, inputs: &[f64]) -> f64 {
        inputs[0]
    }
    fn jet(&self, _: f64) -> Jet {
        Jet::new(f64::NAN, f64::NAN, f64::NAN)
    }
}

fn given_on(signal: Signal) -> Law {
    Law::Function {
        inputs: Arc::from([signal]),
        function: Arc::new(Given),
    }
}

/// Adds up its input.
#[derive(Debug)]
struct Sum;

impl SampledLaw for Sum {
    fn outputs(&self, _: f64, inputs: &[f64], states: &[f64], outputs: &mut [f64]) {
        outputs[0] = inputs[0] + states[0];
    }
    fn advance(&self, _: f64, inputs: &[f64], _: &[f64], states: &mut [f64]) {
        states[0] += 1e-3 * inputs[0];
    }
}

fn allocations(
    duration: f64,
    formulation: Formulation,
    method: &str,
    integrator: &str,
) -> (u64, u64) {
    let space = Space::Spatial;
    let arguments = Arguments::new(space)
        .with("step", FieldValue::Number(1e-3))
        .with("tolerance", FieldValue::Number(1e-8));
    let mut study = Study::new(space, duration, 0.01);
    study.formulation = formulation;
    study.method = Choice {
        kind: method.to_owned(),
        arguments: Arguments::new(space),
    };
    study.integrator = Choice {
        kind: integrator.to_owned(),
        arguments: arguments.only_of(info(integrator)),
    };
    let assembled = assemble(chain(), study.formulation).unwrap();
    let channels = channels(assembled.system.model());
    let mut row = Row {
        values: vec![0.0; channels.len()],
        channels,
    };
    let mut simulation = Simulation::new(assembled, &study).unwrap();
    let info = allocation_counter::measure(|| {
        let _ = simulation.run(&mut row).unwrap();
    });
    (info.count_total, simulation.statistics().integrator.steps)
}

#[test]
fn a_long_run_allocates_no_more_than_a_short_one() {
    for &(word, formulation, _) in Formulation::LIST {
        for info in METHODS {
            let method = info.name;
            for integrator in ["rk4", "dopri5"] {
                let (short, few) = allocations(0.01, formulation, method, integrator);
                let (long, many) = allocations(1.0, formulation, method, integrator);
                assert!(
                    many > 20 * few.max(1) || many > 100,
                    "{few} and {many} steps"
                );
                assert_eq!(long, short, "{word} by {method} with {integrator}");
            }
        }
    }
}

#[test]
fn a_compliant_contact_does_not_allocate_while_it_slides_and_rolls() {
    use biela_core::analysis::ContactFormulation;
    use biela_core::contact::{HalfSpace, Sphere};
    use biela_core::model::ContactLaw;

    for &(word, formulation, _) in Formulation::LIST {
        for integrator in ["dopri5", "bdf", "generalized-alpha"] {
            let mut model = Model::new("ball", Space::Spatial);
            model.gravity = Vec3::new(0.0, 0.0, -9.81);
            let mass = MassProperties::new(1.0, Vec3::zeros(), Mat3::identity() * 0.004).unwrap();
            let mut ball = Body::new("ball", mass).at(Pose::translation(0.0, 0.0, 0.1));
            ball.velocity = Some(Velocity0 {
                linear: Vec3::new(5.0, 0.0, 0.0),
                angular: Vec3::zeros(),
            });
            let ball = model.add_body(ball);
            let marker = model.body_marker(ball);
            let law = ContactLaw::SMOOTH
                .with_friction(0.3)
                .with_restitution(0.2)
                .with_stiffness(1e4, 1.0);
            let sphere = (marker, Sphere::new(0.1).unwrap());
            let _ = model.add_contact("floor", (MarkerIndex::GROUND, HalfSpace), sphere, law);
            let mut study = Study::new(Space::Spatial, 2.0, 0.1)
                .with_formulation(formulation)
                .with_contact(ContactFormulation::Compliant);
            study.integrator = Choice {
                kind: integrator.to_owned(),
                arguments: Arguments::new(Space::Spatial)
                    .with("tolerance", FieldValue::Number(1e-7)),
            };
            let assembled = assemble(model, formulation).unwrap();
            let mut simulation = Simulation::new(assembled, &study).unwrap();
            for (settled, end) in [(0.25, 0.4), (1.2, 1.9)] {
                let _ = simulation.advance(settled).unwrap();
                let before = simulation.statistics().integrator.steps;
                let info = allocation_counter::measure(|| {
                    let _ = simulation.advance(end).unwrap();
                });
                let steps = simulation.statistics().integrator.steps - before;
                assert_eq!(info.count_total, 0, "{word} {integrator}: {steps} steps");
            }
        }
    }
}

/// A ball that hops, lands, slides and rolls: impacts, touch-downs, changes between slip and stick. A ball rolls on a plane with one contact, so few sets of rows
/// are active in turn.
#[test]
fn events_of_contacts_do_not_allocate_after_the_first_ones() {
    use biela_core::contact::{HalfSpace, Sphere};
    use biela_core::forces::PointForce;
    use biela_core::model::ContactLaw;

    for &(word, formulation, _) in Formulation::LIST {
        for integrator in ["rk4", "dopri5", "abm", "bdf", "generalized-alpha"] {
            let mut model = Model::new("ball", Space::Spatial);
            model.gravity = Vec3::new(0.0, 0.0, -9.81);
            let mass = MassProperties::new(1.0, Vec3::zeros(), Mat3::identity() * 0.004).unwrap();
            let body = Body::new("ball", mass).at(Pose::translation(0.0, 0.0, 0.12));
            let body = model.add_body(body);
            let law = ContactLaw::SMOOTH.with_friction(0.1).with_restitution(0.4);
            let sphere = (model.body_marker(body), Sphere::new(0.1).unwrap());
            let _ = model.add_contact("floor", (MarkerIndex::GROUND, HalfSpace), sphere, law);
            // lifts the ball, and pushes it to and fro
            let at = model.body_marker(body);
            let force = [
                Law::of_time(|t| 6.0 * (9.0 * t).sin()),
                Law::Constant(0.5),
                Law::of_time(|t| 14.0 * (2.0 * t).sin()),
            ];
            let _ = model.add_force("push", PointForce::new(at, force));
            let mut study = Study::new(Space::Spatial, 16.0, 0.1).with_formulation(formulation);
            study.integrator = Choice {
                kind: integrator.to_owned(),
                arguments: Arguments::new(Space::Spatial)
                    .with("tolerance", FieldValue::Number(1e-7))
                    .with("step", FieldValue::Number(1e-3))
                    .only_of(info(integrator)),
            };
            let assembled = assemble(model, formulation).unwrap();
            let mut simulation = Simulation::new(assembled, &study).unwrap();
            let _ = simulation.advance(12.0).unwrap();
            let before = simulation.contact_statistics();
            let info = allocation_counter::measure(|| {
                let _ = simulation.advance(16.0).unwrap();
            });
            let after = simulation.contact_statistics();
            assert!(
                after.impacts > before.impacts + 3,
                "{word} {integrator}: {after:?}"
            );
            assert!(
                after.transitions > before.transitions + 10,
                "{word} {integrator}: {after:?}"
            );
            assert_eq!(info.count_total, 0, "{word} {integrator}");
        }
    }
}

/// Values for every field of a law on the arm below.
fn law_fields(info: &Info) -> Arguments {
    let mut arguments = Arguments::new(Space::Spatial);
    for field in info.fields {
        let value = match field.kind {
            FieldKind::Gains { .. } | FieldKind::Weights { .. } => FieldValue::Numbers(vec![2.0]),
            FieldKind::Vector { .. } => FieldValue::Vector(Vec3::new(30.0, 40.0, 50.0)),
            FieldKind::Number { .. } => FieldValue::Number(2.0),
            FieldKind::Choice(_) => FieldValue::Word(field.default.unwrap_or_default().to_owned()),
            FieldKind::Flag => FieldValue::Flag(true),
            FieldKind::Names => FieldValue::Words(vec!["bar2".to_owned()]),
            _ => FieldValue::Word("bar2.end".to_owned()),
        };
        arguments.set(field.name, value);
    }
    arguments
}

/// Three bars on hinges.
fn arm() -> Model {
    let space = Space::Spatial;
    let mut model = Model::new("arm", space);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    let mut last = MarkerIndex::GROUND;
    for i in 0..3 {
        let inertia = Mat3::from_diagonal(&Vec3::new(0.01, 0.02, 0.02));
        let mass = MassProperties::new(1.0, Vec3::new(0.25, 0.0, 0.0), inertia).unwrap();
        let body = model.add_body(Body::new(format!("bar{i}"), mass));
        let start = model.body_marker(body);
        let joint = Joint::build("revolute", &Arguments::new(space));
        let joint = joint.unwrap().unwrap();
        let _ = model.add_joint(format!("joint{i}"), joint, [last, start], &identity());
        let end = Pose::new(identity(), Vec3::new(0.5, 0.0, 0.0));
        last = model.add_marker("end", body, end);
    }
    model
}

#[test]
fn no_control_law_allocates_at_a_sample() {
    let model = arm();
    for info in LAWS {
        let design = DesignModel::new(&model, 1e-3).unwrap();
        let law = laws::build(info.name, &law_fields(info), &design);
        let mut measuring = MeasurementModel::exact(3);
        measuring.position_noise = vec![1e-4; 3];
        measuring.difference = true;
        let wiring = Wiring {
            name: "law".to_owned(),
            origin: Origin::default(),
            joints: (0..3).map(JointIndex).collect(),
            driven: vec![true; 3],
            period: 1e-3,
            offset: 0.0,
            delay: 0.0,
            motion: ReferenceMotion::rest(vec![0.1; 3]),
            measuring,
            effort_quantum: vec![0.01; 3],
            saturation: vec![5.0; 3],
        };
        let controller = LawController::element(&model, wiring, law.unwrap().unwrap());
        let mut states = controller.states.clone();
        let mut outputs = vec![0.0; controller.outputs.len()];
        let counted = allocation_counter::measure(|| {
            for k in 0..50 {
                let time = 1e-3 * f64::from(k);
                let inputs = [0.2, 0.1, -0.3].map(|x| x + time);
                controller.law.outputs(time, &inputs, &states, &mut outputs);
                controller.law.advance(time, &inputs, &outputs, &mut states);
            }
        });
        assert_eq!(counted.count_total, 0, "{}", info.name);
    }
}

#[test]
fn trajectories_are_evaluated_without_allocating() {
    let points = FieldValue::Points(vec![vec![0.0, 1.0], vec![2.0, -1.0], vec![0.5, 0.0]]);
    let times = FieldValue::Numbers(vec![0.0, 1.0, 2.5]);
    let made = |kind: &str, fields: Vec<(&'static str, FieldValue)>| {
        let mut arguments = Arguments::new(Space::Planar);
        for (name, value) in fields {
            arguments.set(name, value);
        }
        let setting = Setting {
            joints: vec![JointLimits::NONE; 2],
            start: 0.1,
            robot: Err(String::new()),
        };
        trajectories::build(kind, &arguments, &setting)
            .unwrap()
            .unwrap()
    };
    let through = || vec![("points", points.clone()), ("times", times.clone())];
    let amplitude = FieldValue::Points(vec![vec![1.0, 2.0]]);
    let waves = vec![
        ("amplitude", amplitude),
        ("period", FieldValue::Numbers(vec![0.7])),
    ];
    let mut motions: Vec<Arc<dyn Trajectory>> =
        ["cubic", "quintic", "septic", "spline", "trapezoidal"]
            .map(|kind| made(kind, through()))
            .to_vec();
    motions.push(made("sinusoid", waves));
    let waiting = made("hold", vec![("at", FieldValue::Numbers(vec![0.0, 1.0]))]);
    let both = FieldValue::Motions(vec![waiting, Arc::clone(&motions[1])]);
    motions.push(made("sequence", vec![("segments", both)]));
    for motion in motions {
        let (mut q, mut v, mut a) = ([0.0; 2], [0.0; 2], [0.0; 2]);
        let info = allocation_counter::measure(|| {
            for k in 0..1000 {
                let time = 0.003 * f64::from(k);
                motion.at(time, &mut q, &mut v, &mut a);
                let _ = motion.next_corner(time);
            }
        });
        assert_eq!(info.count_total, 0, "{motion:?}");
    }
}

fn info(integrator: &str) -> &'static biela_core::element::Info {
    let mut list = biela_core::integrators::INTEGRATORS.iter();
    list.find(|info| info.name == integrator).unwrap()
}
