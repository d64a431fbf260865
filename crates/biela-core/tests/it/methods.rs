//! Every solution method on every mechanism: the same accelerations, reactions and motion.

use biela_core::analysis::{Formulation, Simulation, assemble};
use biela_core::element::{Arguments, FieldValue};
use biela_core::methods::{self, METHODS, Solution};
use biela_core::model::{Model, Space};
use biela_core::system::{State, System, Workspace};

use crate::common::{Series, run, study};
use crate::mechanisms;

/// An observer that ignores everything.
struct Nothing;

impl biela_core::analysis::Observer for Nothing {
    fn sample(&mut self, _: &biela_core::system::Instant<'_>) -> std::ops::ControlFlow<()> {
        std::ops::ControlFlow::Continue(())
    }
}

/// The state after a time, by projection.
fn state_at(model: Model, time: f64) -> State {
    let study = study(model.space, time, time, "projection", "dopri5", 1e-9);
    let mut simulation =
        Simulation::new(assemble(model, study.formulation).unwrap(), &study).unwrap();
    let _ = simulation.run(&mut Nothing).unwrap();
    simulation.state().clone()
}

/// What a method finds at a state, with the generalised force of the rows.
fn solve(
    method: &str,
    system: &dyn System,
    active: &[bool],
    state: &State,
) -> (Solution, Vec<f64>, u64) {
    let arguments = Arguments::new(system.model().space);
    let mut method = methods::build(method, &arguments, system, active)
        .unwrap()
        .unwrap();
    let mut ws = Workspace::new(system);
    system.update(
        state.time,
        &state.q,
        &state.v,
        &state.turns,
        &mut ws.kinematics,
    );
    let mut out = Solution::new(system);
    // twice: the second factorisation starts from what the first left behind
    for _ in 0..2 {
        method.solve(system, &mut ws, &mut out).unwrap();
    }
    let mut load = vec![0.0; system.sizes().velocities];
    for (i, l) in out.multipliers.iter().enumerate() {
        system
            .jacobian_pattern()
            .add_row(i, &ws.jacobian, *l, &mut load);
    }
    (out, load, method.work().singular)
}

/// Largest difference against the largest value.
fn apart(x: &[f64], y: &[f64]) -> f64 {
    let scale = x.iter().chain(y).fold(1e-3, |m: f64, x| m.max(x.abs()));
    x.iter()
        .zip(y)
        .fold(0.0, |m: f64, (x, y)| m.max((x - y).abs()))
        / scale
}

fn same_solutions(build: fn() -> Model) {
    let name = build().name;
    let assembled = assemble(build(), Formulation::Absolute).unwrap();
    let (system, active) = (assembled.system.as_ref(), &assembled.active);
    for state in [
        assembled.state.clone(),
        state_at(build(), 0.3),
        state_at(build(), 1.1),
    ] {
        let (expected, load, _) = solve("augmented", system, active, &state);
        for info in METHODS {
            let (found, found_load, singular) = solve(info.name, system, active, &state);
            let what = format!("{name} by {} at {}", info.name, state.time);
            for (quantity, difference, limit) in [
                ("acceleration", apart(&found.rates, &expected.rates), 1e-9),
                ("constraint force", apart(&found_load, &load), 1e-9),
                (
                    "multipliers",
                    apart(&found.multipliers, &expected.multipliers),
                    1e-8,
                ),
                ("powers", apart(&found.power, &expected.power), 1e-9),
                ("normals", apart(&found.normals, &expected.normals), 1e-9),
            ] {
                assert!(difference < limit, "{what}: {quantity} {difference:e}");
            }
            assert_eq!(singular, 0, "{what}");
        }
    }
}

/// How far a method may be from projection, against the largest value of a signal. Methods that project solve the same equations in
/// another way and differ by rounding. Augmented and Baumgarte leave or damp the integrator's errors in the constraints, partitioning
/// closes every stage along dependent coordinates: all of them differ by the error of the integrator.
fn allowance(method: &str) -> f64 {
    match method {
        "augmented" | "baumgarte" | "partitioning" => 1e-7,
        _ => 1e-10,
    }
}

fn motion(build: fn() -> Model, method: &str) -> Series {
    let model = build();
    let study = study(model.space, 2.0, 0.1, method, "dopri5", 1e-11);
    run(model, &study)
}

fn same_motion(build: fn() -> Model) {
    let name = build().name;
    let expected = motion(build, "projection");
    for info in METHODS {
        let found = motion(build, info.name);
        assert_eq!(found.times, expected.times);
        for signal in expected.names() {
            if signal.starts_with("system.") {
                continue;
            }
            let (x, y) = (found.all(signal), expected.all(signal));
            let scale = y.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
            for (i, t) in found.times.iter().enumerate() {
                let difference = (x[i] - y[i]).abs() / scale;
                assert!(
                    difference < allowance(info.name),
                    "{name} by {}: {signal}({t}) is off by {difference:e}",
                    info.name
                );
            }
        }
        if !["augmented", "baumgarte"].contains(&info.name) {
            let worst = found.statistics;
            assert!(worst.worst_position < 1e-11, "{name} by {}", info.name);
            assert!(worst.worst_velocity < 1e-10, "{name} by {}", info.name);
        }
    }
}

/// Two tests a mechanism.
macro_rules! mechanisms {
    ($($name:ident),* $(,)?) => {
        $(mod $name {
            #[test]
            fn has_the_same_accelerations_and_reactions_with_every_method() {
                super::same_solutions(crate::mechanisms::$name);
            }
            #[test]
            fn moves_the_same_with_every_method() {
                super::same_motion(crate::mechanisms::$name);
            }
        })*
    };
}

mechanisms! {
    slider_crank,
    rubbing_slider_crank,
    planar_four_bar,
    redundant_four_bar,
    driven_four_bar,
    door,
    double_pendulum,
    mixed_chain,
    gears,
    driven_column,
    rolling_disc,
    sleigh,
    rubbing_chain,
    free_body,
}

#[test]
fn at_a_singular_configuration_every_method_skips_a_row_and_finds_the_same_acceleration() {
    let model = crate::assembly::four_bar(
        Space::Planar,
        [0.2, 0.5, 0.2],
        0.5,
        [0.0, 0.0, std::f64::consts::PI],
    );
    let assembled = assemble(model, Formulation::Absolute).unwrap();
    let (system, active) = (assembled.system.as_ref(), &assembled.active);
    assert_eq!(assembled.singular_rows, 1);
    let (expected, load, _) = solve("augmented", system, active, &assembled.state);
    for info in METHODS {
        let (found, found_load, singular) = solve(info.name, system, active, &assembled.state);
        assert!(apart(&found.rates, &expected.rates) < 1e-9, "{}", info.name);
        assert!(apart(&found_load, &load) < 1e-9, "{}", info.name);
        assert_eq!(singular, 2, "{}", info.name);
    }
}

#[test]
fn partitioning_changes_the_independent_coordinate_as_a_bob_rotates() {
    // x and y take turns: four quarters a turn
    let model = mechanisms::whirling_bob();
    let study = study(Space::Planar, 3.0, 0.1, "partitioning", "dopri5", 1e-10);
    let series = run(model, &study);
    let choices = series.statistics.method.partitions;
    assert!((12..=13).contains(&choices), "{choices} choices");
    for (i, t) in series.times.iter().enumerate() {
        let angle = std::f64::consts::TAU * t;
        assert!((series.all("bob.x")[i] - angle.cos()).abs() < 1e-7, "{t}");
        assert!((series.all("bob.y")[i] - angle.sin()).abs() < 1e-7, "{t}");
    }
}

/// The conical pendulum over a time, with this many outputs.
fn conical(
    (duration, outputs): (f64, f64),
    (method, fields): (&str, &[(&'static str, FieldValue)]),
    (integrator, number): (&str, f64),
) -> Series {
    let mut study = study(
        Space::Spatial,
        duration,
        duration / outputs,
        method,
        integrator,
        number,
    );
    for (name, value) in fields {
        study.method.arguments.set(name, value.clone());
    }
    run(mechanisms::conical_pendulum(), &study)
}

#[test]
fn projection_takes_far_larger_steps_than_automatic_stabilisation() {
    // Pacheco (fig. 3.2-3.3) saw 25 times; the very ratio depends on the integrator and on how the error is measured
    for integrator in ["merson", "dopri5"] {
        let by = (integrator, 1e-4);
        let projected = conical((30.0, 1.0), ("projection", &[]), by).statistics;
        let automatic = [("automatic", FieldValue::Flag(true))];
        let damped = conical((30.0, 1.0), ("baumgarte", &automatic), by).statistics;
        let ratio = damped.integrator.steps as f64 / projected.integrator.steps as f64;
        assert!(ratio > 25.0, "{integrator}: {ratio}");
        // one iteration brings the bob back
        let per_step = projected.method.projections as f64 / projected.integrator.steps as f64;
        assert!(
            per_step <= 1.0,
            "{integrator}: {per_step} iterations a step"
        );
        assert!(projected.worst_position < 1e-14);
    }
}

#[test]
fn fixed_steps_drift_little_and_baumgarte_stabilisation_bounds_the_drift() {
    // classical Runge-Kutta at 5 ms: 6e-12 m of drift in 5 s, and at most 6e-9 m when damped, as recomputed from Pacheco's case
    let rk4 = ("rk4", 0.005);
    let free = conical((5.0, 10.0), ("augmented", &[]), rk4);
    assert!(free.statistics.worst_position < 1e-11);
    let damped = conical((30.0, 60.0), ("baumgarte", &[]), rk4);
    assert!(damped.statistics.worst_position < 6e-9);
    let height = damped.last("bob.z") + 12.5_f64.sqrt();
    assert!(height.abs() < 1e-7, "{height}");
    // the tension carries the little that drives errors back
    let tension = damped.last("rod.force");
    assert!((tension - 9.81 * 2.0_f64.sqrt()).abs() < 1e-5, "{tension}");
}
