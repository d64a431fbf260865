//! Simulations with contacts made in parts: a run in 1,000 parts, clones and snapshots have the bits of one run, with rigid and compliant contacts.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::ops::ControlFlow;

use biela_core::analysis::{
    Choice, ContactFormulation, Formulation, LinearModelRequest, Observer, Simulation, Stop, Study,
    assemble,
};
use biela_core::contact::{Circle, Cuboid, HalfSpace, Line, Polygon};
use biela_core::element::Arguments;
use biela_core::forces::{JointFriction, Limit};
use biela_core::integrators::INTEGRATORS;
use biela_core::joints::Revolute;
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{Body, ContactLaw, MarkerIndex, MassProperties, Model, Space, Velocity0};
use biela_core::system::{Channel, Instant, channels};

const FORMULATIONS: [Formulation; 2] = [Formulation::Absolute, Formulation::Tree];
const CONTACTS: [ContactFormulation; 2] =
    [ContactFormulation::Events, ContactFormulation::Compliant];

fn law(friction: f64, restitution: f64) -> ContactLaw {
    ContactLaw::SMOOTH
        .with_friction(friction)
        .with_restitution(restitution)
        .with_stiffness(2e4, 1.0)
}

fn moving(linear: Vec3<f64>, angular: Vec3<f64>) -> Velocity0 {
    Velocity0 { linear, angular }
}

/// A ball that bounces, slides and rolls, a block that slides and stays on two vertices, and a pendulum between a stop and dry friction.
fn planar() -> Model {
    let mut model = Model::new("floor", Space::Planar);
    model.gravity = Vec3::new(-2.0, -9.81, 0.0);
    let floor = MarkerIndex::GROUND;

    let mass = MassProperties::planar(1.0, [0.0, 0.0], 0.005).unwrap();
    let mut ball = Body::new("ball", mass).at(Pose::translation(0.0, 0.2, 0.0));
    ball.velocity = Some(moving(Vec3::new(1.0, 0.0, 0.0), Vec3::zeros()));
    let ball = model.add_body(ball);
    let on = model.body_marker(ball);
    let round = Circle::new(0.1).unwrap();
    let _ = model.add_contact("bounce", (floor, Line), (on, round), law(0.3, 0.5));

    let mass = MassProperties::planar(2.0, [0.0, 0.0], 0.05).unwrap();
    let mut block = Body::new("block", mass).at(Pose::translation(3.0, 0.1, 0.0));
    block.velocity = Some(moving(Vec3::new(0.8, 0.0, 0.0), Vec3::zeros()));
    let block = model.add_body(block);
    let on = model.body_marker(block);
    let shape = Polygon::new(&[[-0.2, -0.1], [0.2, -0.1], [0.2, 0.1], [-0.2, 0.1]]).unwrap();
    let _ = model.add_contact("slide", (floor, Line), (on, shape), law(0.4, 0.0));

    let rod = MassProperties::planar(1.0, [0.2, 0.0], 0.02).unwrap();
    let rod = model.add_body(Body::new("rod", rod));
    let on = model.body_marker(rod);
    let pivot = model.connect("pivot", Revolute, [floor, on]);
    model.set_initial(pivot, 0, -0.3, 0.0);
    let stop = Limit::new(pivot).law("rigid").lower(-0.5).restitution(0.6);
    let _ = model.add_force("stop", stop);
    let rub = JointFriction::new(pivot).coulomb(0.2).transition_speed(0.0);
    let _ = model.add_force("rub", rub);
    model
}

/// A box that lands on a vertex, and comes to slide on its face.
fn spatial() -> Model {
    let mut model = Model::new("box", Space::Spatial);
    model.gravity = Vec3::new(0.0, 0.0, -9.81);
    let size = [0.3, 0.2, 0.1];
    let inertia = Mat3::from_diagonal(&(Vec3::new(0.05, 0.1, 0.13) / 12.0));
    let mass = MassProperties::new(1.0, Vec3::zeros(), inertia).unwrap();
    let mut body = Body::new("box", mass).at(Pose::translation(0.0, 0.0, 0.06));
    body.velocity = Some(moving(Vec3::new(0.5, 0.2, 0.0), Vec3::new(0.5, 1.0, 2.0)));
    let body = model.add_body(body);
    let on = model.body_marker(body);
    let floor = (MarkerIndex::GROUND, HalfSpace);
    let shape = Cuboid::new(size.map(|x| 0.5 * x)).unwrap();
    let _ = model.add_contact("floor", floor, (on, shape), law(0.3, 0.3));
    model
}

fn study(
    model: &Model,
    kind: &str,
    formulation: Formulation,
    contact: ContactFormulation,
) -> Study {
    let info = INTEGRATORS.iter().find(|info| info.name == kind).unwrap();
    let fixed = info.fields.iter().any(|field| field.name == "step");
    let (name, value) = if fixed {
        ("step", 7e-4)
    } else {
        ("tolerance", 1e-6)
    };
    let mut arguments = Arguments::new(model.space);
    arguments.set(name, value);
    let mut study = Study::new(model.space, 0.5, 0.0137)
        .with_formulation(formulation)
        .with_contact(contact);
    study.integrator = Choice {
        kind: kind.to_owned(),
        arguments,
    };
    study
}

fn simulation(model: Model, study: &Study) -> Simulation {
    Simulation::new(assemble(model, study.formulation).unwrap(), study).unwrap()
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

/// Runs a function for every model, integrator, formulation and formulation of contacts.
fn for_each(check: impl Fn(&dyn Fn() -> Model, &Study, &str)) {
    for (model, kinds) in [
        (
            planar as fn() -> Model,
            &["rk4", "dopri5", "dop853", "abm", "bdf", "generalized-alpha"][..],
        ),
        (spatial, &["dopri5", "bdf"]),
    ] {
        for kind in kinds {
            for formulation in FORMULATIONS {
                for contact in CONTACTS {
                    let study = study(&model(), kind, formulation, contact);
                    let what = format!("{} {kind} {formulation:?} {contact:?}", model().name);
                    check(&model, &study, &what);
                }
            }
        }
    }
}

#[test]
fn a_run_with_contacts_in_a_thousand_parts_has_the_bits_of_one_in_one_piece() {
    for_each(|model, study, what| {
        let mut whole = simulation(model(), study);
        let mut expected = Bits::of(&whole);
        let _ = whole
            .run(&mut expected)
            .unwrap_or_else(|e| panic!("{what}: {e}"));
        let seen = whole.contact_statistics();
        assert!(seen.impacts > 0 && seen.transitions > 2, "{what} {seen:?}");

        let mut parts = simulation(model(), study);
        let mut found = Bits::of(&parts);
        let signals: Vec<_> = found.channels.iter().map(|c| c.signal).collect();
        let mut values = vec![0.0; signals.len()];
        let mut forces = vec![0.0; parts.state().v.len()];
        for part in 0..1000 {
            let to = study.duration * (f64::from(part) + 0.37) / 1000.0;
            let stop = parts.advance_observed(to, &mut found).unwrap();
            assert_eq!(stop, Stop::Finished, "{what}");
            parts.observe(&signals, &mut values).unwrap();
            if part % 250 == 50 {
                // what is asked in between is no part of the motion
                let at_rest = vec![0.0; forces.len()];
                let _ = parts.inverse_dynamics(&at_rest, &mut forces);
                let _ = parts.linearize(&LinearModelRequest::default());
            }
        }
        assert_eq!(parts.run(&mut found).unwrap(), Stop::Finished, "{what}");
        assert!(found.rows == expected.rows, "{what}");
        assert_eq!(whole.statistics(), parts.statistics(), "{what}");
        assert_eq!(seen, parts.contact_statistics(), "{what}");
    });
}

#[test]
fn snapshots_and_clones_between_contact_events_continue_with_the_same_bits() {
    for_each(|model, study, what| {
        for at in [0.1427, 0.35] {
            let mut original = simulation(model(), study);
            let _ = original.advance(at).unwrap();
            let mut clone = original.clone();
            let mut restored = simulation(model(), study);
            restored.restore(&original.snapshot()).unwrap();
            let rows = [&mut original, &mut clone, &mut restored].map(|simulation| {
                let mut bits = Bits::of(simulation);
                for more in [1e-5, 3e-4, 2e-3] {
                    let _ = simulation.advance_observed(at + more, &mut bits).unwrap();
                }
                let _ = simulation.run(&mut bits).unwrap();
                bits.rows
            });
            assert!(rows[0] == rows[1], "{what} at {at}: clone");
            assert!(rows[0] == rows[2], "{what} at {at}: snapshot");
        }
    });
}
