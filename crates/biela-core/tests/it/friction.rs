//! Friction from reactions: closed forms and jamming.

use std::ops::ControlFlow;

use biela_core::analysis::{
    Choice, Formulation, Observer, Progress, RunFailure, Simulation, Stop, assemble,
};
use biela_core::element::{Arguments, FieldValue};
use biela_core::integrators::INTEGRATORS;
use biela_core::math::Vec3;
use biela_core::model::{Body, MarkerIndex, MassProperties, Model, Space, Velocity0};
use biela_core::system::Instant;

use crate::common::{force, joint, run, straight, study};

/// A block on a level guide, thrown at 3 m/s.
fn block(mu: f64, height: f64, push: f64) -> Model {
    let mut model = Model::new("block", Space::Planar);
    model.gravity = Vec3::new(0.0, -10.0, 0.0);
    let mut body = Body::new(
        "block",
        MassProperties::planar(2.0, [0.0, height], 0.1).unwrap(),
    );
    body.velocity = Some(Velocity0 {
        linear: Vec3::new(3.0, 0.0, 0.0),
        angular: Vec3::zeros(),
    });
    let block = model.add_body(body);
    let marker = model.body_marker(block);
    let guide = model.add_joint(
        "guide",
        joint("prismatic", Space::Planar),
        [MarkerIndex::GROUND, marker],
        &straight(),
    );
    let rub = force(
        "coulomb-friction",
        Space::Planar,
        &[
            ("joint", FieldValue::Coordinate(guide, 0)),
            ("mu", FieldValue::Number(mu)),
            ("transition_speed", FieldValue::Number(0.0)),
        ],
    );
    let _ = model.add_force("rub", rub);
    let push = force(
        "actuator",
        Space::Planar,
        &[
            ("joint", FieldValue::Coordinate(guide, 0)),
            ("effort", FieldValue::Number(push)),
        ],
    );
    let _ = model.add_force("push", push);
    model
}

#[test]
fn a_sliding_block_slows_down_by_mu_g() {
    let s = study(Space::Planar, 0.9, 0.1, "augmented", "dopri5", 1e-9);
    let series = run(block(0.3, 0.0, 0.0), &s);
    for (i, t) in series.times.iter().enumerate() {
        assert!((series.all("block.vx")[i] - (3.0 - 3.0 * t)).abs() < 1e-9);
        assert!((series.all("rub.normal")[i] - 20.0).abs() < 1e-9);
        assert!((series.all("rub.effort")[i] + 6.0).abs() < 1e-9);
    }
    // work of friction = −μ m g x
    assert!((series.last("rub.work") + 6.0 * series.last("block.x")).abs() < 1e-8);
    assert!(series.statistics.worst_energy < 1e-8);
}

/// Has patience for so many steps.
struct Patient(u32);
impl Observer for Patient {
    fn sample(&mut self, _: &Instant<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    fn step(&mut self, _: &Progress) -> ControlFlow<()> {
        self.0 -= 1;
        if self.0 == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

fn simulation(model: Model, integrator: &str) -> Simulation {
    let arguments = Arguments::new(Space::Planar)
        .with("tolerance", FieldValue::Number(1e-8))
        .with("step", FieldValue::Number(1e-3));
    let mut list = biela_core::integrators::INTEGRATORS.iter();
    let info = list.find(|info| info.name == integrator).unwrap();
    let mut study = study(Space::Planar, 3.0, 0.1, "augmented", integrator, 1e-3);
    study.integrator = Choice {
        kind: integrator.to_owned(),
        arguments: arguments.only_of(info),
    };
    let assembled = assemble(model, Formulation::Absolute).unwrap();
    Simulation::new(assembled, &study).unwrap()
}

/// How a run of the block ends.
fn ending(model: Model, integrator: &str) -> Result<Stop, RunFailure> {
    simulation(model, integrator).run(&mut Patient(20_000))
}

#[test]
fn a_block_that_comes_to_rest_is_held_by_set_valued_friction_with_every_integrator() {
    let integrators = INTEGRATORS.iter().map(|info| info.name);
    for integrator in integrators.filter(|name| *name != "kinematics") {
        // rest at t = v/(μ g − push/m), and the push is too weak to go on
        for (push, rest) in [(1.0, 1.2), (3.0, 2.0)] {
            let mut run = simulation(block(0.3, 0.0, push), integrator);
            assert_eq!(
                run.run(&mut Patient(20_000)),
                Ok(Stop::Finished),
                "{integrator}"
            );
            let read = |run: &mut Simulation, name: &str| {
                let signal = run.model().signal(name).unwrap();
                run.read(signal).unwrap()
            };
            let x = read(&mut run, "guide.position");
            assert!((x - 0.5 * 3.0 * rest).abs() < 1e-4, "{integrator}: {x}");
            assert!(read(&mut run, "guide.rate").abs() < 1e-12, "{integrator}");
            assert!(
                (read(&mut run, "rub.effort") + push).abs() < 1e-9,
                "{integrator}"
            );
        }
    }
}

#[test]
fn a_block_that_reverses_passes_through_zero_velocity_with_an_exact_sign() {
    for integrator in ["rk4", "dopri5", "dop853", "abm", "merson", "rk4-doubling"] {
        // −20 N beat the 6 N of friction either way: 13 m/s² to rest, then 7 m/s² back
        let ended = ending(block(0.3, 0.0, -20.0), integrator);
        assert_eq!(ended, Ok(Stop::Finished), "{integrator}");
    }
}

#[test]
fn two_coupled_frictions_are_solved_together() {
    // a wedge: block on a slope of 30° in a second guide would be one; here two hinges share a load instead
    let mut model = block(0.3, 0.0, 0.0);
    let guide = biela_core::model::JointIndex(0);
    let second = force(
        "coulomb-friction",
        Space::Planar,
        &[
            ("joint", FieldValue::Coordinate(guide, 0)),
            ("mu", FieldValue::Number(0.1)),
            ("transition_speed", FieldValue::Number(0.0)),
        ],
    );
    let _ = model.add_force("more", second);
    let s = study(Space::Planar, 0.5, 0.1, "augmented", "dopri5", 1e-9);
    let series = run(model, &s);
    assert!((series.last("block.vx") - (3.0 - 4.0 * 0.5)).abs() < 1e-9);
}

/// An observer that ignores everything.
pub(crate) struct Nothing;

impl biela_core::analysis::Observer for Nothing {
    fn sample(&mut self, _: &biela_core::system::Instant<'_>) -> std::ops::ControlFlow<()> {
        std::ops::ControlFlow::Continue(())
    }
}

#[test]
fn a_jammed_mechanism_stops_with_its_name_and_keeps_its_results() {
    // a rod pushed into the guide of its own slider at a steep angle with friction beyond the cone has no sliding solution
    let mut model = Model::new("painleve", Space::Planar);
    model.gravity = Vec3::new(0.0, -10.0, 0.0);
    let mut body = Body::new(
        "rod",
        MassProperties::planar(1.0, [-0.3, 0.9], 0.02).unwrap(),
    );
    body.velocity = Some(Velocity0 {
        linear: Vec3::new(5.0, 0.0, 0.0),
        angular: Vec3::zeros(),
    });
    let rod = model.add_body(body);
    let tip = model.body_marker(rod);
    let slot = model.add_joint(
        "slot",
        joint("point-on-line", Space::Planar),
        [MarkerIndex::GROUND, tip],
        &straight(),
    );
    let rub = force(
        "coulomb-friction",
        Space::Planar,
        &[
            ("joint", FieldValue::Coordinate(slot, 0)),
            ("mu", FieldValue::Number(3.0)),
            ("transition_speed", FieldValue::Number(0.0)),
        ],
    );
    let _ = model.add_force("rub", rub);
    let s = study(Space::Planar, 1.0, 0.1, "augmented", "dopri5", 1e-9);
    let assembled = assemble(model, Formulation::Absolute).unwrap();
    let mut simulation = Simulation::new(assembled, &s).unwrap();
    let outcome = simulation.run(&mut Nothing);
    let Err(failure) = outcome else {
        panic!("it should jam")
    };
    let text = failure.to_string();
    assert!(text.contains("`rub`") && text.contains("jams"), "{text}");
}
