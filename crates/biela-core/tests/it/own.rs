//! Elements of other crates: joints, integrators, and the mistakes of models that are built in code.

use biela_core::analysis::{AssembleError, Formulation, Simulation, Study, assemble, on_output};
use biela_core::element::Info;
use biela_core::forces::{Actuator, JointDamping, SpringDamper};
use biela_core::integrators::{Dopri5, IntegrationError, Integrator, IntegratorWork, Ode};
use biela_core::joints::{
    Across, Coordinate, Joint, JointDimensions, JointEquations, JointKind, PoseFunction, Relative,
    Revolute, Screw, TreeShape, Universal,
};
use biela_core::keep::{Keep, Words};
use biela_core::math::{Mat3, Pose, Real, Vec3};
use biela_core::model::{
    Body, BodyIndex, DriverTarget, JointIndex, JointQuantity, Law, MarkerIndex, MassProperties,
    Model, Motion, Signal, Space,
};
use biela_core::tree::{Tree, TreeError};

/// The equations of a universal joint, written outside the crate.
#[derive(Clone, Debug)]
struct Cross;

impl JointKind for Cross {
    const INFO: Info =
        Info::new("cross", "rotates about two perpendicular axes").in_spaces(&[Space::Spatial]);
    const AXIS: usize = 0;

    fn shape(&self, _: Space) -> JointDimensions {
        JointDimensions {
            position_rows: 4,
            velocity_rows: 0,
            tree: Some(TreeShape {
                scalars: 2,
                rotation: false,
            }),
        }
    }

    fn coordinates(&self, _: Space) -> &[Coordinate] {
        const { &[Coordinate::angle("angle1"), Coordinate::angle("angle2")] }
    }

    fn rows<T: Real>(&self, space: Space, rel: &Relative<T>, out: &mut JointEquations<T>) {
        out.coincide(space, rel);
        out.perpendicular(rel, &[(0, 1)]);
    }

    fn coordinate<T: Real>(&self, _: Space, k: usize, rel: &Relative<T>) -> PoseFunction<T> {
        let entries = [[(2, 1), (1, 1)], [(0, 2), (0, 0)]][k];
        let [y, x] = entries.map(|(i, j)| PoseFunction::cosine(rel, i, j));
        PoseFunction::angle(&y, &x, rel, rel.turns[k])
    }

    fn across<T: Real>(&self, _: Space, q: &[T], v: &[T], out: &mut Across<T>) {
        out.turn(0, q[0], v[0]);
        out.turn(1, q[1], v[1]);
    }
}

fn solid(mass: f64) -> MassProperties {
    let inertia = Mat3::from_diagonal(&Vec3::new(0.02, 0.03, 0.04)) * mass;
    MassProperties::new(mass, Vec3::new(0.1, -0.2, 0.3), inertia).unwrap()
}

/// Two bodies in series, each on the joint.
fn chain(joint: &Joint) -> Model {
    let mut model = Model::new("chain", Space::Spatial);
    model.gravity = Vec3::new(0.0, 0.0, -9.81);
    let mut end = MarkerIndex::GROUND;
    for (k, name) in ["upper", "lower"].into_iter().enumerate() {
        let body = model.add_body(Body::new(name, solid(1.0 + k as f64)));
        let between = [end, model.body_marker(body)];
        let index = model.connect(format!("{name} joint"), joint.clone(), between);
        model.set_initial(index, 0, 0.3 - k as f64, 0.5);
        model.set_initial(index, 1, 0.2, -0.4);
        let _ = model.add_force(
            format!("{name} bearing"),
            JointDamping::new((index, 1), 0.02),
        );
        end = model.add_marker("end", body, Pose::translation(0.2, 0.1, -0.5));
    }
    model
}

/// The bits of the state at the end, and of an output signal.
fn bits(model: Model, study: &Study) -> Vec<u64> {
    let reaction = model.signal("upper joint.reaction.fx").unwrap();
    let assembled = assemble(model, study.formulation).unwrap();
    let mut simulation = Simulation::new(assembled, study).unwrap();
    let mut found = Vec::new();
    let _ = simulation
        .run(&mut on_output(|instant| {
            found.push(instant.signal(reaction));
        }))
        .unwrap();
    let state = simulation.current().unwrap();
    found.extend(state.q.iter().chain(&state.v));
    found.into_iter().map(f64::to_bits).collect()
}

#[test]
fn a_joint_of_another_crate_has_the_bits_of_the_same_joint_of_the_list() {
    for formulation in [Formulation::Absolute, Formulation::Tree] {
        let study = Study::new(Space::Spatial, 0.5, 0.05).with_formulation(formulation);
        let [own, listed] =
            [Joint::custom(Cross), Joint::from(Universal)].map(|joint| bits(chain(&joint), &study));
        assert_eq!(own, listed, "{formulation:?}");
    }
}

#[test]
fn linear_models_and_implicit_integrators_take_a_joint_of_another_crate() {
    use biela_core::integrators::Bdf;
    let study = Study::new(Space::Spatial, 0.2, 0.05).with_integrator(Bdf::new().tolerance(1e-6));
    let [own, listed] =
        [Joint::custom(Cross), Joint::from(Universal)].map(|joint| bits(chain(&joint), &study));
    assert_eq!(own, listed);
}

/// The explicit midpoint rule with a fixed step, y⁺ = y + h F(t + h/2, y + h/2 F(t, y)).
#[derive(Clone, Debug)]
struct Midpoint {
    time: f64,
    size: f64,
    y: Vec<f64>,
    before: Vec<f64>,
    slope: Vec<f64>,
    work: IntegratorWork,
}

impl Midpoint {
    fn new(len: usize) -> Self {
        Midpoint {
            time: 0.0,
            size: 0.0,
            y: vec![0.0; len],
            before: vec![0.0; len],
            slope: vec![0.0; len],
            work: IntegratorWork::default(),
        }
    }
}

impl Keep for Midpoint {
    fn keep(&mut self, words: &mut Words) {
        self.time.keep(words);
        self.size.keep(words);
        self.y.keep(words);
        self.before.keep(words);
        self.work.keep(words);
    }
}

impl Integrator for Midpoint {
    fn start(&mut self, _: &mut dyn Ode, time: f64, y: &[f64]) -> Result<(), IntegrationError> {
        self.time = time;
        self.y.copy_from_slice(y);
        Ok(())
    }

    fn step(&mut self, ode: &mut dyn Ode, end: f64) -> Result<f64, IntegrationError> {
        self.size = (end - self.time).min(1e-4);
        self.before.copy_from_slice(&self.y);
        ode.derivative(self.time, &self.before, &mut self.slope)?;
        for (y, slope) in self.y.iter_mut().zip(&self.slope) {
            *y += 0.5 * self.size * slope;
        }
        ode.derivative(self.time + 0.5 * self.size, &self.y, &mut self.slope)?;
        for ((y, before), slope) in self.y.iter_mut().zip(&self.before).zip(&self.slope) {
            *y = before + self.size * slope;
        }
        self.time += self.size;
        self.work.steps += 1;
        self.work.evaluations += 2;
        Ok(self.time)
    }

    fn y(&self) -> &[f64] {
        &self.y
    }

    fn replace(&mut self, y: &[f64]) {
        self.y.copy_from_slice(y);
    }

    fn prepare_dense(&mut self, _: &mut dyn Ode) -> Result<(), IntegrationError> {
        Ok(())
    }

    fn interpolate(&self, time: f64, y: &mut [f64]) {
        let part = 1.0 - (self.time - time) / self.size;
        for ((y, a), b) in y.iter_mut().zip(&self.before).zip(&self.y) {
            *y = a + part * (b - a);
        }
    }

    fn step_size(&self) -> f64 {
        self.size
    }

    fn work(&self) -> IntegratorWork {
        self.work
    }
}

/// A rod on a pin.
fn pendulum() -> (Model, JointIndex) {
    let mut model = Model::new("pendulum", Space::Planar);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    let rod = MassProperties::planar(2.0, [0.5, 0.0], 1.0 / 6.0).unwrap();
    let rod = model.add_body(Body::new("rod", rod));
    let between = [MarkerIndex::GROUND, model.body_marker(rod)];
    let pin = model.connect("pin", Revolute, between);
    model.set_initial(pin, 0, 0.0, 0.0);
    (model, pin)
}

#[test]
fn a_study_takes_an_integrator_of_another_crate() {
    let end = |study: &Study| {
        let (model, pin) = pendulum();
        let assembled = assemble(model, Formulation::Tree).unwrap();
        let mut simulation = Simulation::new(assembled, study).unwrap();
        let _ = simulation.advance(1.0).unwrap();
        let angle = Signal::Joint(pin, JointQuantity::Value(0));
        simulation.read(angle).unwrap()
    };
    let study = Study::new(Space::Planar, 1.0, 0.1).with_formulation(Formulation::Tree);
    let own = study.clone().with_own_integrator("midpoint", Midpoint::new);
    assert!(own.check().is_ok());
    let exact = end(&study.with_integrator(Dopri5::new().tolerance(1e-12)));
    assert!((end(&own) - exact).abs() < 1e-6);
    // another choice replaces it
    let other = own.with_integrator(Dopri5::new().tolerance(1e-12));
    assert_eq!(end(&other).to_bits(), exact.to_bits());
}

/// The faults of a model as lines.
fn faults(model: &Model) -> Vec<String> {
    let faults = model.check().unwrap_err();
    assert_eq!(
        assemble(model.clone(), Formulation::Absolute).err(),
        Some(AssembleError::Invalid(faults.clone()))
    );
    faults.to_string().lines().map(str::to_owned).collect()
}

#[test]
fn all_mistakes_of_a_model_are_reported_at_once() {
    let (mut model, pin) = pendulum();
    let rod = model.body_marker(BodyIndex(0));
    model.gravity[0] = f64::NAN;
    let _ = model.connect("spindle", Screw::new(0.01), [MarkerIndex::GROUND, rod]);
    let _ = model.connect("nowhere", Revolute, [MarkerIndex(9), rod]);
    let _ = model.add_joint_along("axis", Revolute, [MarkerIndex::GROUND, rod], [0.0; 3]);
    let ends = [MarkerIndex::GROUND, rod];
    let _ = model.add_force("soft", SpringDamper::new(ends).stiffness(-1.0).length(0.5));
    let _ = model.add_force(
        "foreign",
        SpringDamper::new([MarkerIndex::GROUND, MarkerIndex(70)]),
    );
    let _ = model.add_force("nan", JointDamping::new(pin, f64::NAN));
    let _ = model.add_force("third", Actuator::new((pin, 3), 1.0));
    let _ = model.add_force("pin", Actuator::new(JointIndex(40), 1.0));
    let absent = Law::signal(Signal::Sensor(5));
    let _ = model.add_force("deaf", Actuator::new(pin, absent));
    let motion = Motion::of_time(|t| t);
    let _ = model.add_driver("motor", DriverTarget::Joint(JointIndex(8), 0), motion);
    model.set_initial(JointIndex(6), 0, 0.0, 0.0);
    model.set_initial(pin, 4, 0.0, f64::INFINITY);
    let expected = [
        "joint `spindle`, `type`: screw exists in spatial models only",
        "joint `nowhere`, `between`: there is no marker 9: this model has 2",
        "joint `axis`, `axis`: its length is 0; give a direction",
        "force `soft`, `stiffness`: it is -1; it must be zero or more",
        "force `foreign`, `between`: there is no marker 70",
        "force `nan`, `damping`: it is NaN; give a finite number",
        "force `third`, `joint`: joint `pin` has no coordinate 3; it has 1",
        "force `pin`, `joint`: there is no joint 40",
        "joint, `initial`: there is no joint 6",
        "force `pin`, `name`: the name `pin` is used twice, by a joint and a force",
        "model `pendulum`, `gravity`: a value is NaN; give finite numbers",
        "joint `pin`, `initial`: there is no coordinate 4",
        "joint `pin`, `initial`: a value is inf",
        "driver `motor`, `target`: there is no joint 8",
        "force `deaf`, `law`: there is no sensor 5",
    ];
    let lines = faults(&model);
    for text in expected {
        assert!(
            lines.iter().any(|line| line.contains(text)),
            "{text}\n{lines:#?}"
        );
    }
}

#[test]
fn a_joint_of_the_other_space_is_rejected() {
    let (mut model, _) = pendulum();
    let ends = [MarkerIndex::GROUND, model.body_marker(BodyIndex(0))];
    let _ = model.connect("cardan", Universal, ends);
    let _ = model.connect("own", Joint::custom(Cross), ends);
    let lines = faults(&model);
    assert_eq!(
        lines,
        [
            "joint `cardan`, `type`: universal exists in spatial models only",
            "joint `own`, `type`: cross exists in spatial models only",
        ]
    );
}

#[test]
fn a_body_of_another_model_is_rejected() {
    let (mut model, _) = pendulum();
    let foreign = BodyIndex(3);
    let own = model.body_marker(foreign);
    let _ = model.connect("far", Revolute, [MarkerIndex::GROUND, own]);
    let _ = model.add_marker("tip", foreign, Pose::identity());
    let lines = faults(&model);
    assert!(
        lines[0].contains("`between`: there is no marker"),
        "{lines:?}"
    );
    assert!(
        lines[1].contains("marker `tip`, `body`: there is no body 3"),
        "{lines:?}"
    );
}

#[test]
fn bodies_that_move_without_inertia_are_rejected() {
    let (mut model, _) = pendulum();
    let tip = model.add_marker("tip", BodyIndex(0), Pose::translation(1.0, 0.0, 0.0));
    let massless = MassProperties::massless(Vec3::zeros());
    let light = model.add_body(Body::new("light", massless));
    let between = [tip, model.body_marker(light)];
    let _ = model.connect("hinge", Revolute, between);
    let _ = model.add_body(Body::new("dust", massless));
    let lines = faults(&model);
    assert_eq!(lines.len(), 2, "{lines:?}");
    let hinge = "body `light`, `mass`: joint `hinge`, which moves it, has zero inertia";
    assert!(
        lines.iter().any(|line| line.starts_with(hinge)),
        "{lines:?}"
    );
    let free = "body `dust`, `mass`: it has a singular mass matrix";
    assert!(lines.iter().any(|line| line.starts_with(free)), "{lines:?}");
}

#[test]
fn laws_of_forces_that_depend_on_forces_and_sensors_that_read_themselves_are_rejected() {
    let (mut model, pin) = pendulum();
    let acceleration = Signal::Joint(pin, JointQuantity::Acceleration(0));
    let _ = model.add_force("circular", Actuator::new(pin, acceleration));
    assert!(faults(&model)[0].contains("force `circular`, `law`: its law reads accelerations"));
    let (mut model, _) = pendulum();
    let _ = model.add_sensor("one", "1", Law::signal(Signal::Sensor(1)));
    let _ = model.add_sensor("two", "1", Law::signal(Signal::Sensor(0)));
    let lines = faults(&model);
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].contains("sensor `one`, `law`: it reads itself"));
}

#[test]
fn a_loop_is_not_a_tree() {
    let (mut model, _) = pendulum();
    assert_eq!(Tree::new(&model).unwrap().velocities, 1);
    let right = Pose::translation(1.0, 0.0, 0.0);
    let ends = [BodyIndex::GROUND, BodyIndex(0)].map(|body| model.add_marker("right", body, right));
    let _ = model.connect("right", Revolute, ends);
    let joint = "right".to_owned();
    assert_eq!(Tree::new(&model).err(), Some(TreeError::Loop { joint }));
    model.gravity[1] = f64::NAN;
    assert!(matches!(Tree::new(&model), Err(TreeError::Invalid(_))));
}

#[test]
fn bad_durations_are_rejected() {
    let (model, _) = pendulum();
    for (duration, output_step, field) in [
        (f64::NAN, 0.1, "duration"),
        (-1.0, 0.1, "duration"),
        (f64::INFINITY, 0.1, "duration"),
        (1.0, 0.0, "output_step"),
        (1.0, f64::NAN, "output_step"),
    ] {
        let study = Study::new(Space::Planar, duration, output_step);
        assert_eq!(study.check().unwrap_err().list()[0].field, field);
        let assembled = assemble(model.clone(), Formulation::Tree).unwrap();
        assert_eq!(
            Simulation::new(assembled, &study).err().unwrap().field,
            field
        );
    }
}

#[test]
fn models_and_simulations_are_cloned_and_sent_between_threads() {
    fn moves<T: Clone + Send + Sync + 'static>() {}
    fn sends<T: Clone + Send + 'static>() {}
    moves::<Model>();
    moves::<Study>();
    sends::<Simulation>();
}
