//! The end of bounces: bodies that bounce, skip and rock come to rest, at every tolerance, with the momentum and the energy of the whole series.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use biela_core::analysis::{ContactFormulation, Formulation, Simulation, Study, assemble};
use biela_core::contact::{Circle, Cuboid, HalfSpace, Line, Polygon};
use biela_core::integrators::{Bdf, Dopri5};
use biela_core::math::{Mat3, Pose, Vec3, rotation};
use biela_core::model::{Body, ContactLaw, MarkerIndex, MassProperties, Model, Space, Velocity0};

const G: f64 = 9.81;
const FORMULATIONS: [Formulation; 2] = [Formulation::Absolute, Formulation::Tree];

fn simulation(model: Model, study: &Study) -> Simulation {
    Simulation::new(assemble(model, study.formulation).unwrap(), study).unwrap()
}

fn dopri5(model: &Model, formulation: Formulation, end: f64, tolerance: f64) -> Study {
    Study::new(model.space, end, end / 20.0)
        .with_formulation(formulation)
        .with_integrator(Dopri5::new().tolerance(tolerance))
}

fn get(run: &mut Simulation, name: &str) -> f64 {
    let signal = run.model().signal(name).unwrap();
    run.read(signal).unwrap()
}

/// A ball of 1 kg and 0.1 m that falls from 0.2 m while it moves along the floor.
fn thrown(speed: f64, law: ContactLaw) -> Model {
    let mut model = Model::new("ball", Space::Planar);
    model.gravity = Vec3::new(0.0, -G, 0.0);
    let mass = MassProperties::planar(1.0, [0.0, 0.0], 0.004).unwrap();
    let mut body = Body::new("ball", mass).at(Pose::translation(0.0, 0.3, 0.0));
    body.velocity = Some(Velocity0 {
        linear: Vec3::new(speed, 0.0, 0.0),
        angular: Vec3::zeros(),
    });
    let body = model.add_body(body);
    let on = model.body_marker(body);
    let round = Circle::new(0.1).unwrap();
    let _ = model.add_contact("floor", (MarkerIndex::GROUND, Line), (on, round), law);
    model
}

/// A block on one of its edges, tilted by half the angle of its diagonal.
fn rocking() -> Model {
    let (b, h) = (0.2_f64, 0.8_f64);
    let tilt = 0.5 * (b / h).atan();
    let (s, c) = tilt.sin_cos();
    let mut model = Model::new("rocking block", Space::Planar);
    model.gravity = Vec3::new(0.0, -G, 0.0);
    let mass = MassProperties::planar(300.0, [0.0, 0.0], 300.0 * (b * b + h * h) / 12.0).unwrap();
    let place = Vec3::new(0.5 * (b - b * c + h * s), 0.5 * (b * s + h * c), 0.0);
    let pose = Pose::new(rotation::about(2, -tilt), place);
    let body = model.add_body(Body::new("block", mass).at(pose));
    let on = model.body_marker(body);
    let (x, y) = (0.5 * b, 0.5 * h);
    let shape = Polygon::new(&[[-x, -y], [x, -y], [x, y], [-x, y]]).unwrap();
    let law = ContactLaw::SMOOTH.with_friction(0.6);
    let _ = model.add_contact("floor", (MarkerIndex::GROUND, Line), (on, shape), law);
    model
}

#[test]
fn a_rocking_block_comes_to_rest_at_every_tolerance() {
    for formulation in FORMULATIONS {
        for exponent in 3..=12 {
            let tolerance = 0.1_f64.powi(exponent);
            let study = dopri5(&rocking(), formulation, 6.0, tolerance);
            let mut run = simulation(rocking(), &study);
            let what = format!("{formulation:?} {tolerance:e}");
            let _ = run.run(&mut ()).unwrap_or_else(|e| panic!("{what}: {e}"));
            assert!(get(&mut run, "block.omega").abs() < 1e-12, "{what}");
            assert!((get(&mut run, "block.y") - 0.4).abs() < 1e-9, "{what}");
            assert_eq!(get(&mut run, "floor.state"), 1.0, "{what}");
            let error = run.statistics().worst_energy / run.statistics().energy_scale;
            assert!(error < 100.0 * tolerance + 1e-9, "{what}: {error:e}");
        }
    }
}

#[test]
fn friction_of_bounces_that_are_summed_is_that_of_the_whole_series() {
    // the normal impulse since the start is that of the weight: v = v₀ − μ g t, ω = −μ m g r t/J
    for formulation in FORMULATIONS {
        for tolerance in [1e-4, 1e-6, 1e-8, 1e-10] {
            for e in [0.3, 0.6, 0.8] {
                let law = ContactLaw::SMOOTH.with_friction(0.05).with_restitution(e);
                let model = thrown(5.0, law);
                let study = dopri5(&model, formulation, 2.0, tolerance);
                let mut run = simulation(model, &study);
                let _ = run.run(&mut ()).unwrap();
                assert_eq!(run.contact_statistics().accumulations, 1);
                let speed = get(&mut run, "ball.vx") - (5.0 - 0.05 * G * 2.0);
                let spin = get(&mut run, "ball.omega") + 0.05 * G * 0.1 * 2.0 / 0.004;
                assert!(
                    speed.abs() < 1e-11 && spin.abs() < 1e-9,
                    "{formulation:?} {tolerance:e} {e}: {speed:e} {spin:e}"
                );
            }
        }
    }
}

#[test]
fn a_box_that_slides_and_bounces_on_four_vertices_keeps_its_momentum() {
    let mut model = Model::new("box", Space::Spatial);
    model.gravity = Vec3::new(0.0, 0.0, -G);
    let inertia = Mat3::from_diagonal(&(Vec3::new(1.16, 1.16, 2.0) / 12.0));
    let mass = MassProperties::new(1.0, Vec3::zeros(), inertia).unwrap();
    let mut body = Body::new("box", mass).at(Pose::translation(0.0, 0.0, 0.3));
    body.velocity = Some(Velocity0 {
        linear: Vec3::new(3.0, 4.0, 0.0),
        angular: Vec3::zeros(),
    });
    let body = model.add_body(body);
    let on = model.body_marker(body);
    let shape = Cuboid::new([0.5, 0.5, 0.2]).unwrap();
    let law = ContactLaw::SMOOTH.with_friction(1e-3).with_restitution(0.4);
    let floor = (MarkerIndex::GROUND, HalfSpace);
    let _ = model.add_contact("floor", floor, (on, shape), law);
    for formulation in FORMULATIONS {
        let study = dopri5(&model, formulation, 1.0, 1e-8);
        let mut run = simulation(model.clone(), &study);
        let _ = run.run(&mut ()).unwrap();
        let share = 1.0 - 1e-3 * G / 5.0;
        for (name, speed) in [("box.vx", 3.0), ("box.vy", 4.0)] {
            let apart = get(&mut run, name) - speed * share;
            // the distribution of the friction among the vertices turns the box a little
            assert!(apart.abs() < 1e-5, "{formulation:?} {name}: {apart:e}");
        }
    }
}

#[test]
fn an_elastic_impact_creates_no_energy_by_rounding() {
    let mut model = Model::new("box", Space::Spatial);
    model.gravity = Vec3::new(0.0, 0.0, -G);
    let inertia = Mat3::from_diagonal(&(Vec3::new(1.16, 1.16, 2.0) / 12.0));
    let mass = MassProperties::new(1.0, Vec3::zeros(), inertia).unwrap();
    let body = model.add_body(Body::new("box", mass).at(Pose::translation(0.0, 0.0, 1.2)));
    let on = model.body_marker(body);
    let shape = Cuboid::new([0.5, 0.5, 0.2]).unwrap();
    let law = ContactLaw::SMOOTH.with_friction(0.5).with_restitution(1.0);
    let floor = (MarkerIndex::GROUND, HalfSpace);
    let _ = model.add_contact("floor", floor, (on, shape), law);
    for formulation in FORMULATIONS {
        let study = dopri5(&model, formulation, 4.0, 1e-10);
        let mut run = simulation(model.clone(), &study);
        let _ = run.run(&mut ()).unwrap();
        let seen = run.contact_statistics();
        assert!(seen.impacts > 3 && seen.creating == 0, "{seen:?}");
    }
}

#[test]
fn a_compliant_contact_that_opens_within_the_error_of_the_integrator_stays_open() {
    for formulation in FORMULATIONS {
        for exponent in 4..=8 {
            let tolerance = 0.1_f64.powi(exponent);
            let law = ContactLaw::SMOOTH
                .with_friction(0.3)
                .with_restitution(0.5)
                .with_stiffness(2e4, 1.0);
            let model = thrown(1.0, law);
            let study = Study::new(model.space, 0.5, 0.01)
                .with_formulation(formulation)
                .with_contact(ContactFormulation::Compliant)
                .with_integrator(Bdf::new().tolerance(tolerance));
            let mut run = simulation(model, &study);
            let what = format!("{formulation:?} {tolerance:e}");
            let _ = run.run(&mut ()).unwrap_or_else(|e| panic!("{what}: {e}"));
            let seen = run.contact_statistics();
            assert!(seen.transitions < 40, "{what}: {seen:?}");
        }
    }
}
