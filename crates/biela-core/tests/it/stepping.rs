//! Simulations made in parts: their steps, inputs, signals and snapshots.
use std::ops::ControlFlow;

use biela_core::analysis::{
    Choice, Formulation, InputTable, LinearModelRequest, Observer, ResumeError, SetError,
    Simulation, Stop, Study, assemble,
};
use biela_core::element::{Arguments, FieldValue, Origin};
use biela_core::integrators::INTEGRATORS;
use biela_core::math::Vec3;
use biela_core::model::{
    Body, Crossing, EnergyQuantity, Event, EventAction, Hold, InputElement, InputIndex, JointIndex,
    JointQuantity, Law, MarkerIndex, MassProperties, Model, Signal, Space,
};
use biela_core::system::{Channel, Instant, channels};

use crate::common::{force, joint, slider_crank, straight};

const PUSH: InputIndex = InputIndex(0);
const POSITION: Signal = Signal::Joint(JointIndex(0), JointQuantity::Value(0));
const VELOCITY: Signal = Signal::Joint(JointIndex(0), JointQuantity::Rate(0));
const ACCELERATION: Signal = Signal::Joint(JointIndex(0), JointQuantity::Acceleration(0));

fn input(name: &str, initial: f64, hold: Hold) -> InputElement {
    InputElement {
        name: name.to_owned(),
        origin: Origin::default(),
        unit: "N".to_owned(),
        initial,
        hold,
    }
}

/// A carriage of 2 kg on a rail with a pole, pushed by an external input.
fn cart_pole(hold: Hold) -> Model {
    let space = Space::Planar;
    let mut model = Model::new("cart-pole", space);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    model.inputs.push(input("push", 0.0, hold));
    let cart = MassProperties::planar(2.0, [0.0, 0.0], 1.0).unwrap();
    let cart = model.add_body(Body::new("cart", cart));
    let pole = MassProperties::planar(0.2, [0.0, 0.5], 0.02).unwrap();
    let pole = model.add_body(Body::new("pole", pole));
    let (on, pivot) = (model.body_marker(cart), model.body_marker(pole));
    let rail = joint("prismatic", space);
    let rail = model.add_joint("rail", rail, [MarkerIndex::GROUND, on], &straight());
    let hinge = joint("revolute", space);
    let _ = model.add_joint("hinge", hinge, [on, pivot], &straight());
    let motor = [
        ("joint", FieldValue::Coordinate(rail, 0)),
        ("effort", FieldValue::Law(Law::signal(Signal::Input(PUSH)))),
    ];
    let _ = model.add_force("motor", force("actuator", space, &motor));
    model
}

/// The carriage alone.
fn cart(hold: Hold) -> Model {
    let mut model = cart_pole(hold);
    let _ = model.joints.pop();
    let _ = model.bodies.pop();
    let _ = model.markers.pop();
    model
}

fn study(kind: &str, field: (&'static str, f64), formulation: Formulation) -> Study {
    let arguments = Arguments::new(Space::Planar);
    let mut study = Study::new(arguments.space, 0.3, 0.0037);
    study.formulation = formulation;
    study.method = Choice {
        kind: "projection".to_owned(),
        arguments: arguments.clone(),
    };
    study.integrator = Choice {
        kind: kind.to_owned(),
        arguments: arguments.with(field.0, FieldValue::Number(field.1)),
    };
    study
}

fn simulation(model: Model, study: &Study) -> Simulation {
    let assembled = assemble(model, study.formulation).unwrap_or_else(|e| panic!("{e}"));
    Simulation::new(assembled, study).unwrap()
}

/// Every signal at every output time, as bits.
struct Bits {
    channels: Vec<Channel>,
    rows: Vec<Vec<u64>>,
}

impl Bits {
    fn of(simulation: &Simulation) -> Self {
        Bits {
            channels: channels(simulation.model()),
            rows: Vec::new(),
        }
    }
}

impl Observer for Bits {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        let channels = self.channels.iter();
        let values = channels.map(|c| instant.signal(c.signal).to_bits());
        let time = instant.context().time().to_bits();
        self.rows
            .push(std::iter::once(time).chain(values).collect());
        ControlFlow::Continue(())
    }
}

/// Integrators that run the models of this file, each with a setting.
fn settings() -> impl Iterator<Item = (&'static str, (&'static str, f64))> {
    let free = INTEGRATORS.iter().filter(|info| info.name != "kinematics");
    free.map(|info| {
        let fixed = info.fields.iter().any(|field| field.name == "step");
        let setting = if fixed {
            ("step", 7e-4)
        } else {
            ("tolerance", 1e-6)
        };
        (info.name, setting)
    })
}

const BOTH: [Formulation; 2] = [Formulation::Absolute, Formulation::Tree];

/// Advances in 1000 parts, reading signals at the end of each, and finishes.
fn in_parts(simulation: &mut Simulation, bits: &mut Bits, duration: f64) {
    let signals: Vec<Signal> = bits.channels.iter().map(|c| c.signal).collect();
    let mut values = vec![0.0; signals.len()];
    for part in 0..1000 {
        let to = duration * (f64::from(part) + 0.37) / 1000.0;
        assert_eq!(
            simulation.advance_observed(to, bits).unwrap(),
            Stop::Finished
        );
        assert!((simulation.time() - to).abs() <= 1e-9 * duration);
        simulation.observe(&signals, &mut values).unwrap();
    }
    assert_eq!(simulation.run(bits).unwrap(), Stop::Finished);
}

#[test]
fn a_run_in_a_thousand_parts_has_the_bits_of_one_in_one_piece() {
    for (kind, setting) in settings() {
        for formulation in BOTH {
            let study = study(kind, setting, formulation);
            let mut whole = simulation(slider_crank(0.0, true), &study);
            let mut expected = Bits::of(&whole);
            let _ = whole.run(&mut expected).unwrap();
            let mut parts = simulation(slider_crank(0.0, true), &study);
            let mut found = Bits::of(&parts);
            in_parts(&mut parts, &mut found, study.duration);
            assert!(found.rows == expected.rows, "{kind} {formulation:?}");
            let (whole, parts) = (whole.statistics(), parts.statistics());
            assert_eq!(whole, parts, "{kind} {formulation:?}");
        }
    }
}

#[test]
fn a_snapshot_within_a_step_and_a_clone_continue_with_the_same_bits() {
    for (kind, setting) in settings() {
        for formulation in BOTH {
            let study = study(kind, setting, formulation);
            let mut original = simulation(slider_crank(0.0, true), &study);
            let _ = original.advance(0.1011).unwrap();
            let mut clone = original.clone();
            let mut restored = simulation(slider_crank(0.0, true), &study);
            restored.restore(&original.snapshot()).unwrap();
            let mut rows = Vec::new();
            for simulation in [&mut original, &mut clone, &mut restored] {
                assert_eq!(simulation.time(), 0.1011);
                let mut bits = Bits::of(simulation);
                // first within the same step
                for to in [0.1011, 0.10113, 0.1012] {
                    let _ = simulation.advance_observed(to, &mut bits).unwrap();
                    let q = simulation.current().unwrap().q.clone();
                    bits.rows.push(q.iter().map(|x| x.to_bits()).collect());
                }
                let _ = simulation.run(&mut bits).unwrap();
                rows.push(bits.rows);
            }
            assert!(rows[0] == rows[1], "{kind} {formulation:?}: clone");
            assert!(rows[0] == rows[2], "{kind} {formulation:?}: snapshot");
        }
    }
}

#[test]
fn a_reset_repeats_the_run_with_the_same_bits() {
    for formulation in BOTH {
        let study = study("dopri5", ("tolerance", 1e-6), formulation);
        let mut simulation = simulation(slider_crank(0.0, true), &study);
        let mut first = Bits::of(&simulation);
        let _ = simulation.run(&mut first).unwrap();
        simulation.reset().unwrap();
        assert_eq!(simulation.time(), 0.0);
        let mut second = Bits::of(&simulation);
        let _ = simulation.run(&mut second).unwrap();
        assert!(second.rows == first.rows, "{formulation:?}");
        // signals that are read before the run are no part of it
        let mut third = self::simulation(slider_crank(0.0, true), &study);
        let _ = third.read(POSITION).unwrap();
        let mut rows = Bits::of(&third);
        let _ = third.run(&mut rows).unwrap();
        assert!(rows.rows == first.rows, "{formulation:?}: read first");
    }
}

#[test]
fn a_piecewise_constant_force_moves_a_carriage_as_its_closed_form_says() {
    for (kind, setting) in settings() {
        for formulation in BOTH {
            let study = study(kind, setting, formulation);
            let mut simulation = simulation(cart(Hold::Zero), &study);
            let (mut x, mut v, mut time) = (0.0, 0.0, 0.0);
            for (part, push) in [4.0, -6.0, 0.0, 2.0, 2.0, -1.0].into_iter().enumerate() {
                simulation.set(PUSH, push).unwrap();
                let read = simulation.read(ACCELERATION).unwrap();
                assert!((read - push / 2.0).abs() < 1e-9, "{kind}: {read}");
                // not a multiple of any step, and behind the end of the study at last
                let to = 0.0713 * (part + 1) as f64;
                let (h, a) = (to - time, push / 2.0);
                (x, v, time) = (x + h * v + h * h * a / 2.0, v + h * a, to);
                assert_eq!(simulation.advance(to).unwrap(), Stop::Finished);
                assert_eq!(simulation.read(Signal::Input(PUSH)).unwrap(), push);
                let mut found = [0.0; 2];
                simulation
                    .observe(&[POSITION, VELOCITY], &mut found)
                    .unwrap();
                // numerically damped integrators are of second order: exact for constant accelerations but for their start
                let close = if matches!(kind, "hht" | "generalized-alpha") {
                    2e-4
                } else {
                    1e-7
                };
                let off = (found[0] - x).abs().max((found[1] - v).abs());
                assert!(off < close, "{kind} {formulation:?} part {part}: {off:e}");
            }
            let balance = Signal::Energy(EnergyQuantity::Balance);
            let balance = simulation.read(balance).unwrap();
            assert!(
                balance.abs() < 1e-3,
                "{kind} {formulation:?}: {balance:e} J"
            );
        }
    }
}

#[test]
fn the_energy_balance_holds_in_every_part_of_a_controlled_motion() {
    for formulation in BOTH {
        let study = study("dopri5", ("tolerance", 1e-10), formulation);
        let mut simulation = simulation(cart_pole(Hold::Zero), &study);
        let angle = Signal::Joint(JointIndex(1), JointQuantity::Value(0));
        for period in 1..=200 {
            let push = 3.0 + 40.0 * simulation.read(angle).unwrap();
            simulation.set(PUSH, push).unwrap();
            let _ = simulation.advance(f64::from(period) * 0.005).unwrap();
            let balance = Signal::Energy(EnergyQuantity::Balance);
            let balance = simulation.read(balance).unwrap();
            assert!(
                balance.abs() < 1e-7,
                "{formulation:?} {period}: {balance:e} J"
            );
        }
        assert!(simulation.statistics().worst_energy < 1e-7);
    }
}

#[test]
fn a_second_simulation_that_continues_a_motion_keeps_the_energy_balance() {
    let study = study("dopri5", ("tolerance", 1e-11), Formulation::Absolute);
    let mut assembled = assemble(slider_crank(0.0, true), study.formulation).unwrap();
    for _ in 0..2 {
        let active = assembled.active.clone();
        let mut simulation = Simulation::new(assembled, &study).unwrap();
        let _ = simulation.run(&mut ()).unwrap();
        let worst = simulation.statistics().worst_energy;
        assert!(worst < 1e-6, "{worst:e} J");
        let (_, state, _) = simulation.into_parts();
        assembled = assemble(slider_crank(0.0, true), study.formulation).unwrap();
        (assembled.state, assembled.active) = (state, active);
    }
}

#[test]
fn a_first_order_hold_goes_linearly_to_the_value_at_the_end_of_the_next_part() {
    let study = study("dop853", ("tolerance", 1e-10), Formulation::Tree);
    let mut simulation = simulation(cart(Hold::Linear), &study);
    simulation.set(PUSH, 2.0).unwrap();
    let _ = simulation.advance(0.1).unwrap();
    // u = 20 t, a = 10 t, v = 5 t²
    assert!((simulation.read(VELOCITY).unwrap() - 0.05).abs() < 1e-10);
    let _ = simulation.advance(0.2).unwrap();
    assert!((simulation.read(VELOCITY).unwrap() - 0.15).abs() < 1e-10);
    simulation.set(PUSH, 0.0).unwrap();
    let _ = simulation.advance(0.3).unwrap();
    assert!((simulation.read(VELOCITY).unwrap() - 0.2).abs() < 1e-10);
    simulation.set(PUSH, -4.0).unwrap();
    let _ = simulation.step().unwrap();
    assert_eq!(simulation.read(Signal::Input(PUSH)).unwrap(), -4.0);
}

#[test]
fn tables_of_inputs_hold_or_connect_their_values_with_every_integrator() {
    for (kind, setting) in settings() {
        let study = study(kind, setting, Formulation::Tree);
        for (hold, velocity) in [
            (Hold::Zero, 0.05 * 1.0 + 0.1 * 3.0),
            (Hold::Linear, 0.05 * 1.0 + 0.1 * 2.0 + 0.1 * 1.5),
        ] {
            let mut simulation = simulation(cart(hold), &study);
            let table = InputTable::new(&[0.05, 0.15, 0.25], &[2.0, 6.0, 0.0]).unwrap();
            simulation.set_table(PUSH, Some(table)).unwrap();
            assert!(matches!(
                simulation.set(PUSH, 1.0),
                Err(SetError::HasTable { .. })
            ));
            let _ = simulation.run(&mut ()).unwrap();
            // 2 N to 0.05 s, then 2 N or a ramp to 6 N, then 6 N or a ramp to zero at 0.25 s; 2 kg
            let expected = if hold == Hold::Zero {
                velocity + 0.1
            } else {
                velocity
            };
            let found = simulation.read(VELOCITY).unwrap();
            let close = if matches!(kind, "hht" | "generalized-alpha") {
                2e-3
            } else {
                1e-6
            };
            assert!(
                (found - expected).abs() < close,
                "{kind} {hold:?}: {found} {expected}"
            );
        }
    }
}

#[test]
fn steps_are_those_of_the_integrator() {
    let study = study("rk4", ("step", 1e-3), Formulation::Tree);
    let mut simulation = simulation(cart_pole(Hold::Zero), &study);
    for step in 1..=50 {
        assert_eq!(simulation.step().unwrap(), Stop::Finished);
        assert_eq!(simulation.time(), f64::from(step) * 1e-3);
    }
    let _ = simulation.advance(0.0503).unwrap();
    assert_eq!(simulation.time(), 0.0503);
    let _ = simulation.step().unwrap();
    assert_eq!(simulation.time(), 51.0 * 1e-3);
    assert_eq!(simulation.statistics().integrator.steps, 51);
}

#[test]
fn a_run_that_an_event_stopped_continues_behind_it() {
    let study = study("dopri5", ("tolerance", 1e-9), Formulation::Tree);
    let mut model = cart(Hold::Zero);
    model.events.push(Event {
        name: "half".to_owned(),
        origin: Origin::default(),
        law: Law::linear(POSITION, 1.0, -0.02),
        crossing: Crossing::Any,
        action: EventAction::Stop,
    });
    let mut simulation = simulation(model, &study);
    simulation.set(PUSH, 4.0).unwrap();
    // x = t²
    let Stop::Event { time, .. } = simulation.advance(0.3).unwrap() else {
        panic!("no event");
    };
    assert!((time - 0.02_f64.sqrt()).abs() < 1e-9);
    assert_eq!(simulation.time(), time);
    assert_eq!(simulation.advance(0.3).unwrap(), Stop::Finished);
    assert!((simulation.read(POSITION).unwrap() - 0.09).abs() < 1e-9);
    // back again
    simulation.set(PUSH, -40.0).unwrap();
    assert!(matches!(
        simulation.advance(1.0).unwrap(),
        Stop::Event { .. }
    ));
    assert!((simulation.read(POSITION).unwrap() - 0.02).abs() < 1e-9);
}

#[test]
fn other_initial_values_start_another_run() {
    for formulation in BOTH {
        let study = study("dopri5", ("tolerance", 1e-9), formulation);
        let mut simulation = simulation(cart(Hold::Zero), &study);
        let _ = simulation.advance(0.2).unwrap();
        let mut state = simulation.current().unwrap().clone();
        state.q[0] = 1.5;
        state.v[0] = 2.0;
        simulation.reset_to(&state.q, &state.v).unwrap();
        assert_eq!(simulation.time(), 0.0);
        assert!((simulation.read(POSITION).unwrap() - 1.5).abs() < 1e-12);
        let _ = simulation.advance(0.1).unwrap();
        assert!((simulation.read(POSITION).unwrap() - 1.7).abs() < 1e-9);
        assert!(simulation.statistics().worst_energy < 1e-9);
    }
}

#[test]
fn linear_models_have_a_column_for_every_input() {
    for formulation in BOTH {
        let study = study("dopri5", ("tolerance", 1e-9), formulation);
        let mut simulation = simulation(cart_pole(Hold::Zero), &study);
        simulation.set(PUSH, 0.3).unwrap();
        let _ = simulation.advance(0.01).unwrap();
        let request = LinearModelRequest {
            inputs: vec!["push".to_owned()],
            outputs: vec!["rail.position".to_owned(), "push".to_owned()],
            coordinates: Vec::new(),
        };
        let linear = simulation.linearize(&request).unwrap();
        let number = linear
            .states()
            .position(|x| x.name.starts_with("rail") || x.name == "cart.vx");
        assert!(number.is_some());
        let column: Vec<f64> = (0..linear.b.nrows()).map(|i| linear.b[(i, 0)]).collect();
        let hinge_down = 1e-3;
        // upright: (M + m − m²l²/J) a = u with m = 0.2, l = 0.5, J = 0.02 + m l²
        let (m, l): (f64, f64) = (0.2, 0.5);
        let a = 1.0 / (2.2 - m * m * l * l / (0.02 + m * l * l));
        assert!(
            column.iter().any(|b| (b - a).abs() < hinge_down),
            "{column:?} {a}"
        );
        assert_eq!(linear.d[(1, 0)], 1.0);
        assert_eq!(linear.inputs[0].unit, "N");
    }
}

#[test]
fn inverse_dynamics_returns_no_force_for_the_accelerations_of_the_motion() {
    let study = study("rk4", ("step", 1e-3), Formulation::Tree);
    let mut simulation = simulation(cart_pole(Hold::Zero), &study);
    simulation.set(PUSH, 5.0).unwrap();
    let _ = simulation.advance(0.05).unwrap();
    let hinge = Signal::Joint(JointIndex(1), JointQuantity::Acceleration(0));
    let mut accelerations = [0.0; 2];
    simulation
        .observe(&[ACCELERATION, hinge], &mut accelerations)
        .unwrap();
    let mut forces = [1.0; 2];
    simulation
        .inverse_dynamics(&accelerations, &mut forces)
        .unwrap();
    assert!(forces.iter().all(|f| f.abs() < 1e-10), "{forces:?}");
    accelerations[0] += 1.0;
    simulation
        .inverse_dynamics(&accelerations, &mut forces)
        .unwrap();
    assert!((forces[0] - 2.2).abs() < 1e-10, "{forces:?}");
}

#[test]
fn misuse_is_an_error_and_changes_nothing() {
    let study = study("rk4", ("step", 1e-3), Formulation::Tree);
    let mut simulation = simulation(cart_pole(Hold::Zero), &study);
    let _ = simulation.advance(0.0205).unwrap();
    let before = simulation.snapshot();
    let wrong = simulation.set(PUSH, f64::NAN).unwrap_err().to_string();
    assert_eq!(wrong, "input `push` cannot be NaN: give a finite number");
    let wrong = simulation.set(InputIndex(1), 0.0).unwrap_err().to_string();
    assert_eq!(wrong, "there is no input 1: the model has 1");
    assert_eq!(simulation.restore(&before[1..]), Err(ResumeError::Misfit));
    assert_eq!(simulation.restore(&[]), Err(ResumeError::Misfit));
    let _ = simulation.advance(0.01).unwrap();
    assert_eq!(simulation.time(), 0.0205);
    assert_eq!(simulation.snapshot(), before);
    let mut other = self::simulation(slider_crank(0.0, true), &study);
    assert_eq!(other.restore(&before), Err(ResumeError::Misfit));
    let _ = other.run(&mut ()).unwrap();
}

#[test]
fn simulations_can_be_sent_to_other_threads() {
    fn is_send<T: Clone + Send + 'static>() {}
    is_send::<Simulation>();
}

#[test]
fn initial_values_of_joints_start_another_run_in_both_formulations() {
    let hinge = |quantity| Signal::Joint(JointIndex(1), quantity);
    let (angle, rate) = (
        hinge(JointQuantity::Value(0)),
        hinge(JointQuantity::Rate(0)),
    );
    for formulation in BOTH {
        let study = study("dopri5", ("tolerance", 1e-10), formulation);
        let mut simulation = simulation(cart_pole(Hold::Zero), &study);
        let _ = simulation.advance(0.1).unwrap();
        let values = [(angle, 3.5), (VELOCITY, 0.25), (rate, -1.0)];
        simulation.reset_with(&values).unwrap();
        let mut found = [0.0; 4];
        let signals = [angle, VELOCITY, rate, POSITION];
        simulation.observe(&signals, &mut found).unwrap();
        for (found, wanted) in found.iter().zip([3.5, 0.25, -1.0, 0.0]) {
            assert!(
                (found - wanted).abs() < 1e-9,
                "{formulation:?}: {found} {wanted}"
            );
        }
        let _ = simulation.advance(0.2).unwrap();
        assert!(simulation.statistics().worst_energy < 1e-7);
        let wrong = [(Signal::Energy(EnergyQuantity::Total), 1.0)];
        let wrong = simulation.reset_with(&wrong).unwrap_err().to_string();
        assert!(
            wrong.contains("`energy.total` cannot be an initial value"),
            "{wrong}"
        );
    }
}

#[test]
fn a_closed_loop_starts_again_at_one_joint_value_and_rejects_inconsistent_ones() {
    let crank = Signal::Joint(JointIndex(0), JointQuantity::Value(0));
    let spin = Signal::Joint(JointIndex(0), JointQuantity::Rate(0));
    let guide = Signal::Joint(JointIndex(3), JointQuantity::Value(0));
    for formulation in BOTH {
        let study = study("dopri5", ("tolerance", 1e-10), formulation);
        let mut simulation = simulation(slider_crank(0.0, true), &study);
        simulation.reset_with(&[(crank, 0.7), (spin, 2.0)]).unwrap();
        assert!((simulation.read(crank).unwrap() - 0.7).abs() < 1e-9);
        let (l, r): (f64, f64) = (0.2032, 0.0508);
        let x = r * 0.7_f64.cos() + (l * l - (r * 0.7_f64.sin()).powi(2)).sqrt();
        let found = simulation.read(guide).unwrap();
        assert!((found - x).abs() < 1e-9, "{formulation:?}: {found} {x}");
        assert!((simulation.read(spin).unwrap() - 2.0).abs() < 1e-9);
        let impossible = simulation.reset_with(&[(crank, 0.7), (guide, 0.9)]);
        assert!(impossible.is_err(), "{formulation:?}");
        simulation.reset().unwrap();
        let _ = simulation.run(&mut ()).unwrap();
    }
}
