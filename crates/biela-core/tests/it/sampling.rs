//! Sampled controllers and discontinuities in time: closed forms, every integrator, order, delay.

use std::sync::Arc;

use biela_core::analysis::{Choice, Formulation, Simulation, Study, assemble};
use biela_core::element::{Arguments, FieldValue, Origin};
use biela_core::integrators::INTEGRATORS;
use biela_core::math::Jet;
use biela_core::model::{
    Body, BodyIndex, BodyQuantity, ControllerElement, ControllerInput, ControllerOutput,
    ForceIndex, ForceQuantity, Law, MassProperties, Model, SampledLaw, Sensor, Signal,
    SignalFunction, Space,
};

use crate::common::{Series, force, run, study};

/// A function by its formula.
struct Formula<F>(F, Vec<f64>);

impl<F> std::fmt::Debug for Formula<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("formula")
    }
}

impl<F: Fn(f64, &[f64]) -> f64 + Send + Sync> SignalFunction for Formula<F> {
    fn value(&self, time: f64, inputs: &[f64]) -> f64 {
        (self.0)(time, inputs)
    }
    fn jet(&self, _: f64) -> Jet {
        Jet::new(f64::NAN, f64::NAN, f64::NAN)
    }
    fn next_corner(&self, after: f64) -> f64 {
        let ahead = self.1.iter().copied().find(|corner| *corner > after);
        ahead.unwrap_or(f64::INFINITY)
    }
}

pub(crate) fn law(
    inputs: &[Signal],
    f: impl Fn(f64, &[f64]) -> f64 + Send + Sync + 'static,
) -> Law {
    Law::Function {
        inputs: Arc::from(inputs),
        function: Arc::new(Formula(f, Vec::new())),
    }
}

/// `u = gain (goal − y) + x`, `x⁺ = x + rise (goal − y)`.
#[derive(Debug)]
struct ProportionalIntegral {
    goal: f64,
    gain: f64,
    rise: f64,
}

impl SampledLaw for ProportionalIntegral {
    fn outputs(&self, _: f64, inputs: &[f64], states: &[f64], outputs: &mut [f64]) {
        outputs[0] = self.gain * (self.goal - inputs[0]) + states[0];
    }
    fn advance(&self, _: f64, inputs: &[f64], _: &[f64], states: &mut [f64]) {
        states[0] += self.rise * (self.goal - inputs[0]);
    }
}

fn controller(name: &str, period: f64, input: Law, law: Arc<dyn SampledLaw>) -> ControllerElement {
    ControllerElement {
        name: name.to_owned(),
        origin: Origin::default(),
        period,
        offset: 0.0,
        delay: 0.0,
        inputs: vec![ControllerInput {
            law: input,
            quantum: None,
        }],
        states: vec![0.0],
        outputs: vec![ControllerOutput {
            name: "u".to_owned(),
            unit: "N".to_owned(),
            initial: 0.0,
            quantum: None,
            saturation: None,
        }],
        law,
    }
}

const MASS: f64 = 2.0;
const DRAG: f64 = 3.0;
const PERIOD: f64 = 0.1;
const SPEED: Signal = Signal::Body(BodyIndex(0), BodyQuantity::Vx);

/// A mass with drag along x: `m v̇ = −d v + u`, u the first output of all controllers.
fn cart() -> Model {
    let mut model = Model::new("cart", Space::Planar);
    let mut body = Body::new(
        "cart",
        MassProperties::planar(MASS, [0.0, 0.0], 1.0).unwrap(),
    );
    body.start.pose = Some(biela_core::math::Pose::identity());
    let body = model.add_body(body);
    let drag = law(&[SPEED, Signal::Controller(0)], |_, x| x[1] - DRAG * x[0]);
    let push = force(
        "force",
        Space::Planar,
        &[
            ("at", FieldValue::Marker(model.body_marker(body))),
            ("value", FieldValue::Laws(vec![drag, Law::Constant(0.0)])),
        ],
    );
    let _ = model.add_force("push", push);
    model
}

fn law_of_pi() -> Arc<ProportionalIntegral> {
    Arc::new(ProportionalIntegral {
        goal: 1.0,
        gain: 4.0,
        rise: 0.7,
    })
}

fn controlled_cart() -> Model {
    let mut model = cart();
    let input = law(&[SPEED], |_, x| x[0]);
    model.controllers = vec![controller("pi", PERIOD, input, law_of_pi())];
    model
}

/// `v_(k+1) = a v_k + (1 − a)/d u_k`, `a = exp(−d T/m)`: speeds and outputs at the samples, with outputs `late` samples later.
fn recursion(samples: usize, late: usize) -> Vec<(f64, f64)> {
    let decay = (-DRAG * PERIOD / MASS).exp();
    let (mut v, mut x) = (0.0, 0.0);
    let mut asked: Vec<f64> = Vec::new();
    let mut found = Vec::new();
    for k in 0..=samples {
        asked.push(4.0 * (1.0 - v) + x);
        x += 0.7 * (1.0 - v);
        let u = if k >= late { asked[k - late] } else { 0.0 };
        found.push((v, u));
        v = decay * v + (1.0 - decay) / DRAG * u;
    }
    found
}

/// A study in which every integrator is good to about 1e-10.
fn fine(kind: &str, duration: f64, output: f64) -> Study {
    let (name, value) = match kind {
        "rk4" => ("step", 2e-3),
        "generalized-alpha" | "hht" => ("step", 2.5e-5),
        _ => ("tolerance", 1e-12),
    };
    let arguments = Arguments::new(Space::Planar).with(name, FieldValue::Number(value));
    let mut study = study(Space::Planar, duration, output, "augmented", kind, 0.0);
    study.integrator = Choice {
        kind: kind.to_owned(),
        arguments,
    };
    study
}

fn integrators() -> impl Iterator<Item = &'static str> {
    let all = INTEGRATORS.iter().map(|info| info.name);
    all.filter(|name| *name != "kinematics")
}

fn assert_recursion(series: &Series, late: usize, tolerance: f64, who: &str) {
    let expected = recursion(20, late);
    for (k, (v, u)) in expected.iter().enumerate() {
        let time = k as f64 * PERIOD;
        let (found, held) = (series.at("cart.vx", time), series.at("pi.u", time));
        assert!(
            (found - v).abs() < tolerance,
            "{who}: v({time}) = {found}, not {v}"
        );
        assert!(
            (held - u).abs() < 10.0 * tolerance,
            "{who}: u({time}) = {held}, not {u}"
        );
    }
}

#[test]
fn every_integrator_follows_the_exact_recursion_of_a_sampled_first_order_plant() {
    for kind in integrators() {
        let series = run(controlled_cart(), &fine(kind, 2.0, PERIOD));
        // backward differences gather errors of a hundred tolerances
        let tolerance = if kind == "bdf" { 3e-9 } else { 1e-9 };
        assert_recursion(&series, 0, tolerance, kind);
    }
}

#[test]
fn the_tree_formulation_samples_at_the_same_instants() {
    let mut study = fine("dopri5", 2.0, PERIOD);
    study.formulation = Formulation::Tree;
    assert_recursion(&run(controlled_cart(), &study), 0, 1e-9, "tree");
}

#[test]
fn outputs_are_held_between_samples() {
    let series = run(controlled_cart(), &fine("dopri5", 0.5, 0.02));
    let expected = recursion(5, 0);
    for (row, time) in series.times.iter().enumerate() {
        let k = (time / PERIOD + 1e-9).floor() as usize;
        let (v, u) = expected[k];
        let since = time - k as f64 * PERIOD;
        let decay = (-DRAG * since / MASS).exp();
        let speed = decay * v + (1.0 - decay) / DRAG * u;
        assert!((series.all("pi.u")[row] - u).abs() < 1e-9, "{time}");
        assert!((series.all("cart.vx")[row] - speed).abs() < 1e-10, "{time}");
    }
}

#[test]
fn a_delay_of_a_few_periods_shifts_the_outputs() {
    for late in [1, 3] {
        let mut model = controlled_cart();
        model.controllers[0].delay = late as f64 * PERIOD;
        let series = run(model, &fine("dopri5", 2.0, PERIOD));
        assert_recursion(&series, late, 1e-9, "dopri5");
    }
}

#[test]
fn a_delay_within_the_period_takes_effect_in_mid_period() {
    let mut model = controlled_cart();
    model.controllers[0].delay = 0.03;
    let series = run(model, &fine("dop853", 0.4, 0.01));
    let decay = |t: f64| (-DRAG * t / MASS).exp();
    // nothing until the first output takes effect; then 4 N
    assert!(series.at("cart.vx", 0.03).abs() < 1e-12);
    let at = |t: f64| (1.0 - decay(t)) / DRAG;
    let first = 4.0 * at(0.07);
    assert!((series.at("cart.vx", 0.10) - first).abs() < 1e-10);
    let second = 4.0 * (1.0 - first) + 0.7;
    assert!((series.at("pi.u", 0.12) - 4.0).abs() < 1e-12);
    assert!((series.at("pi.u", 0.13) - second).abs() < 1e-9);
    let middle = decay(0.03) * first + at(0.03) * 4.0;
    let end = decay(0.07) * middle + at(0.07) * second;
    assert!((series.at("cart.vx", 0.20) - end).abs() < 1e-10);
}

#[test]
fn an_offset_shifts_the_first_sample_and_the_initial_output_holds_before() {
    let mut model = controlled_cart();
    model.controllers[0].offset = 0.05;
    model.controllers[0].outputs[0].initial = 6.0;
    let series = run(model, &fine("dopri5", 0.2, 0.01));
    let speed = 6.0 / DRAG * (1.0 - (-DRAG * 0.05 / MASS).exp());
    assert!((series.at("cart.vx", 0.05) - speed).abs() < 1e-11);
    assert_eq!(series.at("pi.u", 0.04), 6.0);
    assert!((series.at("pi.u", 0.05) - 4.0 * (1.0 - speed)).abs() < 1e-10);
}

#[test]
fn outputs_are_quantized_and_saturated_and_the_law_reads_the_held_values() {
    /// Adds up what was held.
    #[derive(Debug)]
    struct Sum;
    impl SampledLaw for Sum {
        fn outputs(&self, _: f64, inputs: &[f64], states: &[f64], outputs: &mut [f64]) {
            outputs[0] = inputs[0];
            outputs[1] = states[0];
        }
        fn advance(&self, _: f64, _: &[f64], outputs: &[f64], states: &mut [f64]) {
            states[0] += outputs[0];
        }
    }
    let mut model = cart();
    let input = law(&[Signal::Time], |_, t| 10.0 * t[0]);
    let mut sum = controller("sum", PERIOD, input, Arc::new(Sum));
    sum.inputs[0].quantum = Some(0.75);
    sum.outputs[0].saturation = Some([-1.0, 3.0]);
    let mut second = sum.outputs[0].clone();
    (second.name, second.saturation) = ("sum".to_owned(), None);
    sum.outputs.push(second);
    model.controllers = vec![sum];
    let series = run(model, &fine("dopri5", 0.6, PERIOD));
    // 0, 1, 2, 3, 4, 5, 6 to the nearest 0.75: 0, 0.75, 2.25, 3, 3.75, …, at most 3
    assert_eq!(series.all("sum.u"), [0.0, 0.75, 2.25, 3.0, 3.0, 3.0, 3.0]);
    assert_eq!(series.all("sum.sum"), [0.0, 0.0, 0.75, 3.0, 6.0, 9.0, 12.0]);
}

/// Gives on what it reads, plus one.
#[derive(Debug)]
struct PlusOne;

impl SampledLaw for PlusOne {
    fn outputs(&self, _: f64, inputs: &[f64], _: &[f64], outputs: &mut [f64]) {
        outputs[0] = inputs[0] + 1.0;
    }
    fn advance(&self, _: f64, _: &[f64], _: &[f64], _: &mut [f64]) {}
}

fn reader(name: &str, input: Signal) -> ControllerElement {
    controller(name, PERIOD, law(&[input], |_, x| x[0]), Arc::new(PlusOne))
}

#[test]
fn controllers_of_one_instant_are_sampled_after_those_they_read() {
    let mut model = cart();
    // the first reads a sensor of the second, which reads what the force of the third measures
    model.sensors.push(Sensor {
        origin: biela_core::element::Origin::default(),
        name: "doubled".to_owned(),
        unit: "1".to_owned(),
        law: law(&[Signal::Controller(1)], |_, x| 2.0 * x[0]),
    });
    let spring = force(
        "spring-damper",
        Space::Planar,
        &[
            (
                "between",
                FieldValue::Markers([
                    biela_core::model::MarkerIndex::GROUND,
                    model.add_marker("p", BodyIndex(0), crate::common::at(1.0, 0.0, 0.0)),
                ]),
            ),
            (
                "force",
                FieldValue::Law(law(&[Signal::Controller(2)], |_, x| x[0])),
            ),
        ],
    );
    let pull = model.add_force("pull", spring);
    assert_eq!(pull, ForceIndex(1));
    model.controllers = vec![
        reader("last", Signal::Sensor(0)),
        reader("middle", Signal::Force(pull, ForceQuantity::Measure(2))),
        reader("first", Signal::Time),
    ];
    let series = run(model, &fine("dopri5", 0.3, PERIOD));
    for time in [0.0, 0.1, 0.2, 0.3] {
        let first = 1.0 + time;
        assert!((series.at("first.u", time) - first).abs() < 1e-12);
        assert!((series.at("middle.u", time) - (first + 1.0)).abs() < 1e-12);
        assert!((series.at("last.u", time) - (2.0 * (first + 1.0) + 1.0)).abs() < 1e-12);
    }
}

#[test]
fn an_algebraic_loop_of_controllers_is_named_and_a_delay_breaks_it() {
    let circle = || {
        let mut model = cart();
        model.controllers = vec![
            reader("left", Signal::Controller(1)),
            reader("right", Signal::Controller(0)),
        ];
        model
    };
    let study = fine("dopri5", 0.3, PERIOD);
    let assembled = assemble(circle(), study.formulation).unwrap();
    let error = Simulation::new(assembled, &study)
        .err()
        .unwrap()
        .to_string();
    assert!(
        error.contains("`left`, `right`") && error.contains("delay"),
        "{error}"
    );

    let mut model = circle();
    model.controllers[0].delay = PERIOD;
    let series = run(model, &study);
    // right_k = left held at k + 1; left_k = right_k + 1, one sample later
    assert_eq!(series.all("right.u"), [1.0, 3.0, 5.0, 7.0]);
    assert_eq!(series.all("left.u"), [0.0, 2.0, 4.0, 6.0]);
}

#[test]
fn a_controller_reads_accelerations_as_they_were_just_before_the_sample() {
    let mut model = cart();
    let acceleration = Signal::Body(BodyIndex(0), BodyQuantity::Ax);
    model.controllers = vec![reader("counter", acceleration)];
    let series = run(model, &fine("dopri5", 0.2, PERIOD));
    assert_eq!(series.at("counter.u", 0.0), 1.0);
    let before = 1.0 / MASS * (-DRAG * PERIOD / MASS).exp();
    assert!((series.at("counter.u", 0.1) - (before + 1.0)).abs() < 1e-9);
}

#[test]
fn a_controller_that_divides_by_zero_stops_the_run_with_its_name() {
    let mut model = cart();
    let input = law(&[Signal::Time], |_, t| 1.0 / (t[0] - 0.2));
    let mut broken = controller("broken", 0.05, input, Arc::new(PlusOne));
    broken.states.clear();
    model.controllers = vec![broken];
    let study = fine("dopri5", 1.0, PERIOD);
    let assembled = assemble(model, study.formulation).unwrap();
    let mut simulation = Simulation::new(assembled, &study).unwrap();
    let mut nobody = Nobody;
    let failure = simulation.run(&mut nobody).unwrap_err();
    let text = failure.to_string();
    assert!(
        text.contains("controller `broken`") && text.contains("its formula is not finite"),
        "{text}"
    );
    assert!((failure.time - 0.2).abs() < 1e-9);
}

struct Nobody;

impl biela_core::analysis::Observer for Nobody {
    fn sample(&mut self, _: &biela_core::system::Instant<'_>) -> std::ops::ControlFlow<()> {
        std::ops::ControlFlow::Continue(())
    }
}

/// Two periods that meet now and then, in numbers that do not fall on each other exactly.
#[test]
fn coincident_samples_of_different_periods_cause_no_tiny_step() {
    let mut model = cart();
    let slow = law(&[Signal::Time], |_, t| t[0]);
    let quick = law(&[Signal::Controller(0)], |_, x| x[0]);
    model.controllers = vec![
        controller("slow", 0.3, slow, Arc::new(PlusOne)),
        controller("quick", 0.1, quick, Arc::new(PlusOne)),
    ];
    for kind in integrators() {
        let series = run(model.clone(), &fine(kind, 3.0, PERIOD));
        assert!((series.last("quick.u") - 5.0).abs() < 1e-9, "{kind}");
        let least = series.statistics.steps_between.0;
        assert!(least > 1e-11, "{kind}: {least:e}");
    }
}

/// A force of 1000 N over a microsecond between output times, a function of time with discontinuities.
fn kicked() -> Model {
    let mut model = cart();
    let (from, to) = (0.7371, 0.737_101);
    let kick = Law::Function {
        inputs: Arc::from([]),
        function: Arc::new(Formula(
            move |t: f64, _: &[f64]| if t >= from && t < to { 1e6 } else { 0.0 },
            vec![from, to],
        )),
    };
    let push = force(
        "force",
        Space::Planar,
        &[
            ("at", FieldValue::Marker(model.body_marker(BodyIndex(0)))),
            ("value", FieldValue::Laws(vec![Law::Constant(0.0), kick])),
        ],
    );
    model.forces.clear();
    let _ = model.add_force("kick", push);
    model
}

#[test]
fn every_integrator_resolves_a_force_of_one_microsecond_with_its_full_impulse() {
    for kind in integrators() {
        let series = run(kicked(), &fine(kind, 2.0, 0.5));
        let (before, after) = (series.at("cart.vy", 0.5), series.last("cart.vy"));
        assert_eq!(before, 0.0, "{kind}");
        assert!((after - 1e6 * 1e-6 / MASS).abs() < 1e-9, "{kind}: {after}");
        let balance = series.all("energy.balance");
        assert!(
            balance.iter().all(|b| b.abs() < 1e-5),
            "{kind}: {balance:?}"
        );
    }
}

#[test]
fn a_controlled_run_continues_from_its_state_alone() {
    let study = fine("rk4", 1.0, PERIOD);
    let whole = run(controlled_cart(), &study);

    // the first half, then a new simulation from its state
    let half = {
        let mut study = study.clone();
        study.duration = 0.5;
        study
    };
    let mut model = controlled_cart();
    model.controllers[0].delay = 0.0;
    let assembled = assemble(model, study.formulation).unwrap();
    let mut first = Simulation::new(assembled, &half).unwrap();
    let _ = first.run(&mut Nobody).unwrap();
    let mut assembled = assemble(controlled_cart(), study.formulation).unwrap();
    assembled.state = first.state().clone();
    let mut second = Simulation::new(assembled, &half).unwrap();
    let _ = second.run(&mut Nobody).unwrap();
    let speed = whole.last("cart.vx");
    assert!((second.state().v[0] - speed).abs() < 1e-14);
    assert!((second.state().memory[0] - whole.last("pi.u")).abs() < 1e-13);
}
