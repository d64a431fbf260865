//! Robots under control: the double pendulum of Cipparrone (1991) in closed loop, and every law against a closed form.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_3};
use std::sync::Arc;

use biela_core::analysis::{Formulation, Study};
use biela_core::control::laws::{
    self, ControlLaw, ControlSample, DesignModel, LawController, Lqr, MeasurementModel,
    ReferenceMotion, ReferencePoint, Wiring,
};
use biela_core::control::trajectories::{self, Setting};
use biela_core::element::{ArgumentError, Arguments, FieldValue, Origin};
use biela_core::math::{Mat3, Matrix, Vec3, spectrum};
use biela_core::model::{
    Body, InitialValue, JointIndex, JointLimits, Law, MarkerIndex, MassProperties, Model, Signal,
    SignalFunction, Space,
};
use biela_core::robot::Robot;

mod each_law;

use crate::common::{Series, at, force, joint, run, straight, study};

/// θ = ½ a (1 − cos(2πt/T)), the motion T2 of the validation tables.
fn swing() -> ReferenceMotion {
    cosine(&[FRAC_PI_2, -FRAC_PI_3], 1.28)
}

/// ½ a (1 − cos(2πt/T)) of every joint.
fn cosine(amplitude: &[f64], period: f64) -> ReferenceMotion {
    let n = amplitude.len();
    let given = [
        ("amplitude", FieldValue::Points(vec![amplitude.to_vec()])),
        ("period", FieldValue::Numbers(vec![period])),
    ];
    let setting = Setting {
        joints: vec![JointLimits::NONE; n],
        start: 0.0,
        robot: Err(String::new()),
    };
    let made = trajectories::build("sinusoid", &fields(Space::Planar, &given), &setting);
    ReferenceMotion {
        trajectory: Some((made.unwrap().unwrap(), (0..n).collect())),
        rest: vec![0.0; n],
    }
}

/// Point masses at the ends of two links of 0.1 m and 0.2 m that hang along x, the way of gravity; starting at `q` at rest.
fn pendulum(masses: [f64; 2], q: [f64; 2]) -> Model {
    chain(&[(0.1, masses[0]), (0.2, masses[1])], &q)
}

/// Point masses at the ends of links that hang along x.
fn chain(links: &[(f64, f64)], q: &[f64]) -> Model {
    chain_with(links, q, 0.0)
}

/// The same with some inertia about each mass.
fn chain_with(links: &[(f64, f64)], q: &[f64], inertia: f64) -> Model {
    let mut model = Model::new("chain", Space::Planar);
    model.gravity = Vec3::new(9.8, 0.0, 0.0);
    let mut last = MarkerIndex::GROUND;
    for (i, &(length, mass)) in links.iter().enumerate() {
        let point = MassProperties {
            mass,
            center: Vec3::new(length, 0.0, 0.0),
            inertia: Mat3::identity() * inertia,
        };
        let body = model.add_body(Body::new(format!("link{}", i + 1), point));
        let start = model.body_marker(body);
        let pin = joint("revolute", Space::Planar);
        let j = model.add_joint(format!("j{}", i + 1), pin, [last, start], &straight());
        model.joints[j.0].initial.push(InitialValue {
            coordinate: 0,
            value: Some(q[i]),
            rate: Some(0.0),
            keep: true,
        });
        last = model.add_marker("tip", body, at(length, 0.0, 0.0));
    }
    model
}

/// A signal as a law.
fn of(signal: Signal) -> Law {
    #[derive(Debug)]
    struct Same;
    impl SignalFunction for Same {
        fn value(&self, _: f64, inputs: &[f64]) -> f64 {
            inputs[0]
        }
        fn jet(&self, _: f64) -> biela_core::math::Jet {
            biela_core::math::Jet::new(f64::NAN, f64::NAN, f64::NAN)
        }
    }
    Law::Function {
        inputs: Arc::new([signal]),
        function: Arc::new(Same),
    }
}

/// Values of a law's fields.
fn fields(space: Space, given: &[(&'static str, FieldValue)]) -> Arguments {
    let mut arguments = Arguments::new(space);
    for (name, value) in given {
        arguments.set(name, value.clone());
    }
    arguments
}

fn number(x: f64) -> FieldValue {
    FieldValue::Numbers(vec![x])
}

fn word(text: &str) -> FieldValue {
    FieldValue::Word(text.to_owned())
}

/// How a loop is closed beside its law.
struct Loop {
    motion: ReferenceMotion,
    period: f64,
    passive: Vec<JointIndex>,
    change: fn(&mut Wiring),
}

impl Loop {
    fn new(motion: ReferenceMotion, period: f64) -> Self {
        Loop {
            motion,
            period,
            passive: Vec::new(),
            change: |_| {},
        }
    }

    /// Adds the controller to the plant, with an actuator on every joint that it drives.
    fn close(
        self,
        plant: &mut Model,
        model: &mut Model,
        law: &str,
        given: &[(&'static str, FieldValue)],
    ) -> Result<(), ArgumentError> {
        model.robot.passive.clone_from(&self.passive);
        let mut design = DesignModel::new(model, self.period).unwrap();
        design.start = self.motion.point(0.0);
        let made = laws::build(law, &fields(model.space, given), &design).unwrap()?;
        let robot = Robot::of(plant).unwrap();
        let joints: Vec<JointIndex> = robot.joints.iter().map(|joint| joint.index).collect();
        let n = joints.len();
        let mut wiring = Wiring {
            name: "law".to_owned(),
            origin: Origin::default(),
            driven: design.driven.clone(),
            joints: joints.clone(),
            period: self.period,
            offset: 0.0,
            delay: 0.0,
            motion: self.motion,
            measuring: MeasurementModel::exact(n),
            effort_quantum: vec![0.0; n],
            saturation: vec![f64::INFINITY; n],
        };
        (self.change)(&mut wiring);
        let first: usize = plant.controllers.iter().map(|c| c.outputs.len()).sum();
        let driven = wiring.driven.clone();
        plant
            .controllers
            .push(LawController::element(plant, wiring, made));
        let driven = joints.into_iter().zip(driven).filter(|(_, driven)| *driven);
        for (k, (joint, _)) in driven.enumerate() {
            let actuator = [
                ("joint", FieldValue::Coordinate(joint, 0)),
                ("effort", FieldValue::Law(of(Signal::Controller(first + k)))),
            ];
            let made = force("actuator", plant.space, &actuator);
            let _ = plant.add_force(format!("motor{}", k + 1), made);
        }
        Ok(())
    }
}

fn tight(duration: f64, output: f64) -> Study {
    let mut study = study(
        Space::Planar,
        duration,
        output,
        "augmented",
        "dop853",
        1e-12,
    );
    study.formulation = Formulation::Tree;
    study
}

/// The source's loop: masses of the plant times `share`, Ψ = 0.95, Ω = 50 rad/s, samples every 5 ms.
fn source_loop(share: f64, law: &str, changed: &[(&'static str, FieldValue)]) -> Series {
    let mut given = vec![];
    if law == "linearized-cancellation" {
        given.push(("frequency", number(50.0)));
        given.push(("damping", number(0.95)));
    }
    if !changed.iter().any(|(name, _)| *name == "averaged") {
        given.push(("averaged", FieldValue::Flag(true)));
    }
    given.extend(changed.iter().cloned());
    let mut plant = pendulum([share, 2.0 * share], [0.0, 0.0]);
    let mut model = pendulum([1.0, 2.0], [0.0, 0.0]);
    Loop::new(swing(), 0.005)
        .close(&mut plant, &mut model, law, &given)
        .unwrap();
    run(plant, &tight(1.28, 0.005))
}

/// Largest |q_r − q| after each period.
fn worst(series: &Series) -> [f64; 2] {
    let motion = swing();
    let angles = [series.all("j1.angle"), series.all("j2.angle")];
    let mut most = [0.0_f64; 2];
    for (k, time) in series.times.iter().enumerate() {
        let wanted = motion.point(*time).q;
        for i in 0..2 {
            most[i] = most[i].max((wanted[i] - angles[i][k]).abs());
        }
    }
    most
}

#[track_caller]
fn close_to(found: f64, wanted: f64, tolerance: f64) {
    assert!(
        (found - wanted).abs() <= tolerance,
        "{found} is not {wanted}"
    );
}

#[test]
fn the_loop_of_the_source_gives_its_table() {
    let series = source_loop(1.2, "linearized-cancellation", &[]);
    let table = [
        (0.005, "j1.angle", 0.000_291_789),
        (0.005, "j2.angle", -0.000_194_206),
        (0.005, "j1.rate", 0.116_660_194),
        (0.005, "j2.rate", -0.077_602_914),
        (0.0, "law.j1", 3.085_237_057),
        (0.0, "law.j2", 1.869_990_569),
        (0.160, "j1.angle", 0.238_858_701),
        (0.160, "j2.angle", -0.156_265_547),
        (0.320, "j1.angle", 0.794_567_172),
        (0.320, "j2.angle", -0.522_535_434),
        (0.315, "law.j1", 3.400_421_339),
        (0.315, "law.j2", 0.875_112_934),
        (0.640, "j1.angle", 1.564_225_867),
        (0.640, "j2.angle", -1.040_179_441),
        (1.280, "j1.angle", -0.001_189_811),
        (1.280, "j2.angle", 0.000_720_608),
    ];
    for (time, signal, value) in table {
        close_to(series.at(signal, time), value, 1e-7);
    }
    let [first, second] = worst(&series);
    close_to(first, 0.028_151_479, 1e-7);
    close_to(second, 0.024_648_128, 1e-7);
}

/// Largest position errors of other loops, as the table rounds them.
#[test]
fn other_loops_of_the_source_give_its_table() {
    let law = "linearized-cancellation";
    let current = || vec![("aim", word("current"))];
    let plain = || vec![("averaged", FieldValue::Flag(false))];
    let table = [
        (1.2, law, current(), [0.00946, 0.01280], 5e-6),
        (1.2, law, plain(), [0.02795, 0.02433], 5e-6),
        (1.0, law, vec![], [0.01889, 0.01237], 5e-6),
        (1.0, law, current(), [0.000_047_6, 0.000_073_0], 5e-8),
        (1.0, "feedforward", vec![], [0.000_260, 0.000_348], 5e-7),
        (1.0, "feedforward", plain(), [0.01476, 0.01662], 5e-6),
        (1.2, "feedforward", vec![], [0.686, 0.697], 5e-4),
    ];
    for (share, law, given, wanted, rounding) in table {
        let found = worst(&source_loop(share, law, &given));
        for i in 0..2 {
            close_to(found[i], wanted[i], rounding);
        }
    }
}

/// The seed's integrator at its tolerance, in both formulations, stays within the tolerance of the table.
#[test]
fn both_formulations_and_step_doubling_give_the_same_loop() {
    let exact = source_loop(1.2, "linearized-cancellation", &[]);
    for formulation in [Formulation::Tree, Formulation::Absolute] {
        // absolute coordinates want every body to have some inertia
        let with = |share: f64| chain_with(&[(0.1, share), (0.2, 2.0 * share)], &[0.0, 0.0], 1e-9);
        let (mut plant, mut model) = (with(1.2), with(1.0));
        let given = [
            ("frequency", number(50.0)),
            ("damping", number(0.95)),
            ("averaged", FieldValue::Flag(true)),
        ];
        Loop::new(swing(), 0.005)
            .close(&mut plant, &mut model, "linearized-cancellation", &given)
            .unwrap();
        let mut study = study(Space::Planar, 1.28, 0.16, "augmented", "rk4-doubling", 1e-6);
        study.formulation = formulation;
        let series = run(plant, &study);
        for time in [0.16, 0.32, 0.64, 1.28] {
            for signal in ["j1.angle", "j2.angle"] {
                close_to(series.at(signal, time), exact.at(signal, time), 1e-5);
            }
        }
    }
}

/// Reference fixed at (π/2, 0), 20 % more mass: 1.2 e(q) = e(q_r) + K_P (q_r − q).
#[test]
fn a_held_pose_sags_as_computed_by_hand() {
    let start = [FRAC_PI_2, 0.0];
    let mut plant = pendulum([1.2, 2.4], start);
    let mut model = pendulum([1.0, 2.0], start);
    let given = [
        ("frequency", number(50.0)),
        ("damping", number(0.95)),
        ("averaged", FieldValue::Flag(true)),
    ];
    Loop::new(ReferenceMotion::rest(start.to_vec()), 0.005)
        .close(&mut plant, &mut model, "linearized-cancellation", &given)
        .unwrap();
    let series = run(plant, &tight(2.0, 0.5));
    close_to(FRAC_PI_2 - series.last("j1.angle"), 0.007_835_668, 1e-8);
    close_to(-series.last("j2.angle"), -0.007_833_502, 1e-8);
}

#[test]
fn with_the_printed_sign_a_held_pose_is_unstable() {
    let start = [FRAC_PI_2, 0.0];
    let mut plant = pendulum([1.2, 2.4], start);
    let mut model = pendulum([1.0, 2.0], start);
    let given = [
        ("frequency", number(50.0)),
        ("damping", number(0.95)),
        ("averaged", FieldValue::Flag(true)),
        ("sign", word("printed")),
    ];
    Loop::new(ReferenceMotion::rest(start.to_vec()), 0.005)
        .close(&mut plant, &mut model, "linearized-cancellation", &given)
        .unwrap();
    let mut study = study(Space::Planar, 0.1, 0.1, "augmented", "rk4", 1e-4);
    study.formulation = Formulation::Tree;
    let series = run(plant, &study);
    assert!((series.last("j1.angle") - FRAC_PI_2).abs() > 2.0);
}

/// The true robot is exactly 1.2 times the model, so the correction comes to 0.2 of the feedforward.
#[test]
fn the_correction_finds_the_missing_mass() {
    let series = source_loop(1.2, "linearized-cancellation", &[]);
    let ahead = source_loop(1.0, "feedforward", &[]);
    for (signal, share, peak) in [("law.j1", 0.026, 0.028), ("law.j2", 0.085, 0.037)] {
        let (all, model) = (series.all(signal), ahead.all(signal));
        let (mut off, mut size, mut most) = (0.0, 0.0, 0.0_f64);
        for k in 20..256 {
            let wanted = 0.2 * model[k];
            let found = all[k] - model[k] - wanted;
            off += found * found;
            size += wanted * wanted;
            most = most.max(found.abs());
        }
        close_to((off / size).sqrt(), share, 5e-4);
        close_to(most, peak, 5e-4);
    }
    let first = |signal| series.at(signal, 0.0) - ahead.at(signal, 0.0);
    close_to(first("law.j1"), 1.0033, 5e-5);
    close_to(first("law.j2"), 0.6084, 5e-5);
}

/// A law of the design model `model` with all joints driven.
fn law_of(model: &Model, name: &str, given: &[(&'static str, FieldValue)]) -> Box<dyn ControlLaw> {
    let design = DesignModel::new(model, 0.005).unwrap();
    laws::build(name, &fields(model.space, given), &design)
        .unwrap()
        .unwrap()
}

/// Efforts of a law at a measured state, the reference standing still at `reference`.
fn asked(law: &mut dyn ControlLaw, q: &[f64], v: &[f64], reference: &ReferencePoint) -> Vec<f64> {
    let mut efforts = vec![0.0; q.len()];
    let sample = ControlSample {
        q,
        v,
        now: reference,
        next: reference,
    };
    law.efforts(&sample, &law.start(), &mut efforts);
    efforts
}

fn table_point() -> ReferencePoint {
    ReferencePoint {
        q: vec![0.3, -0.7],
        v: vec![1.5, -2.0],
        a: vec![-4.0, 6.0],
    }
}

#[test]
fn gains_of_linearised_cancellation_are_those_of_the_table() {
    let model = pendulum([1.0, 2.0], [0.0, 0.0]);
    let given = [("frequency", number(50.0)), ("damping", number(0.95))];
    let mut law = law_of(&model, "linearized-cancellation", &given);
    let point = table_point();
    let there = asked(law.as_mut(), &point.q, &point.v, &point);
    close_to(there[0], -0.730_415_284_2, 1e-9);
    close_to(there[1], -1.546_874_243_7, 1e-9);
    let kp = [
        [421.549_189_082_4, 272.864_009_672_0],
        [272.873_659_632_0, 196.423_679_936_6],
    ];
    let kd = [
        [15.552_735_422_2, 10.006_849_003_6],
        [10.058_386_418_6, 7.22],
    ];
    for j in 0..2 {
        // a unit of error in one joint asks for a column of K
        let (mut q, mut v) = (point.q.clone(), point.v.clone());
        q[j] -= 1.0;
        v[j] -= 1.0;
        let by_position = asked(law.as_mut(), &q, &point.v, &point);
        let by_rate = asked(law.as_mut(), &point.q, &v, &point);
        for i in 0..2 {
            close_to(by_position[i] - there[i], kp[i][j], 1e-9);
            close_to(by_rate[i] - there[i], kd[i][j], 1e-9);
        }
    }
}

/// M δq̈ + (2B + K_D) δq̇ + (C + K_P) δq = 0 has the double pair −45.125 ± 21.534 i.
#[test]
fn the_linear_loop_has_the_specified_poles() {
    let model = pendulum([1.0, 2.0], [0.0, 0.0]);
    let given = [("frequency", number(50.0)), ("damping", number(0.95))];
    let mut law = law_of(&model, "linearized-cancellation", &given);
    let point = table_point();
    let robot = Robot::of(&model).unwrap();
    let mut ws = robot.workspace();
    let tree = &robot.tree;
    // closed-loop accelerations by central differences of the design model under its own law
    let mut accelerate = |q: &[f64], v: &[f64]| {
        let tau = asked(law.as_mut(), q, v, &point);
        let mut rates = vec![0.0; 2];
        biela_core::tree::aba(tree, &mut ws.tree, q, v, &tau, &[], &mut rates);
        rates
    };
    let mut a = Matrix::zeros(4, 4);
    let h = 1e-5;
    for j in 0..4 {
        a[(j % 2, 2 + j % 2)] = 1.0;
        let mut at = |step: f64| {
            let (mut q, mut v) = (point.q.clone(), point.v.clone());
            if j < 2 {
                q[j] += step;
            } else {
                v[j - 2] += step;
            }
            accelerate(&q, &v)
        };
        let (plus, minus) = (at(h), at(-h));
        for i in 0..2 {
            a[(2 + i, j)] = (plus[i] - minus[i]) / (2.0 * h);
        }
    }
    // rounding splits a double pair by its square root, so their mean and product are compared
    let (trace, determinant) = (a.trace(), a.determinant());
    close_to(trace, -2.0 * 90.25, 1e-5);
    close_to(determinant / (2500.0 * 2500.0), 1.0, 1e-7);
    for value in spectrum(&a, &Matrix::zeros(4, 4)).unwrap().values {
        close_to(value.re, -45.125, 0.05);
        close_to(value.im.abs(), 21.534_492_680_3, 0.05);
    }
}
