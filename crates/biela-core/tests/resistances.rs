//! Rolling and spinning resistance against closed forms.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use biela_core::analysis::{Formulation, Simulation, Study, assemble};
use biela_core::contact::{Circle, HalfSpace, Line, Sphere};
use biela_core::integrators::Dopri5;
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{Body, ContactLaw, MarkerIndex, MassProperties, Model, Space, Velocity0};

const G: f64 = 9.81;
const RADIUS: f64 = 0.1;
const MASS: f64 = 0.5;
/// Length of rolling resistance, m.
const LENGTH: f64 = 1e-3;

const BOTH: [Formulation; 2] = [Formulation::Absolute, Formulation::Tree];

fn simulation(model: Model, formulation: Formulation, duration: f64) -> Simulation {
    let study = Study::new(model.space, duration, duration / 20.0)
        .with_formulation(formulation)
        .with_integrator(Dopri5::new().tolerance(1e-10));
    Simulation::new(assemble(model, formulation).unwrap(), &study).unwrap()
}

fn get(run: &mut Simulation, name: &str) -> f64 {
    let signal = run.model().signal(name).unwrap();
    run.read(signal).unwrap()
}

/// A disc on a plane inclined by α that rolls with a velocity.
fn disc(alpha: f64, speed: f64) -> Model {
    let mut model = Model::new("disc", Space::Planar);
    model.gravity = Vec3::new(G * alpha.sin(), -G * alpha.cos(), 0.0);
    let mass = MassProperties::planar(MASS, [0.0; 2], 0.5 * MASS * RADIUS * RADIUS).unwrap();
    let mut body = Body::new("disc", mass).at(Pose::translation(0.0, RADIUS, 0.0));
    body.velocity = Some(Velocity0 {
        linear: Vec3::new(speed, 0.0, 0.0),
        angular: Vec3::new(0.0, 0.0, -speed / RADIUS),
    });
    let body = model.add_body(body);
    let marker = model.body_marker(body);
    let law = ContactLaw::SMOOTH
        .with_friction(0.5)
        .with_rolling_resistance(LENGTH);
    let round = Circle::new(RADIUS).unwrap();
    let _ = model.add_contact("floor", (MarkerIndex::GROUND, Line), (marker, round), law);
    model
}

/// A sphere on a plane inclined by α along x, with a velocity and an angular velocity.
fn sphere(alpha: f64, linear: Vec3<f64>, angular: Vec3<f64>, spinning: f64) -> Model {
    let mut model = Model::new("sphere", Space::Spatial);
    model.gravity = Vec3::new(G * alpha.sin(), 0.0, -G * alpha.cos());
    let inertia = Mat3::identity() * (0.4 * MASS * RADIUS * RADIUS);
    let mass = MassProperties::new(MASS, Vec3::zeros(), inertia).unwrap();
    let mut body = Body::new("sphere", mass).at(Pose::translation(0.0, 0.0, RADIUS));
    body.velocity = Some(Velocity0 { linear, angular });
    let body = model.add_body(body);
    let marker = model.body_marker(body);
    let law = ContactLaw::SMOOTH
        .with_friction(0.5)
        .with_rolling_resistance(LENGTH)
        .with_spinning_resistance(spinning);
    let round = Sphere::new(RADIUS).unwrap();
    let _ = model.add_contact(
        "floor",
        (MarkerIndex::GROUND, HalfSpace),
        (marker, round),
        law,
    );
    model
}

#[test]
fn a_disc_holds_on_a_slope_without_creep_up_to_its_rolling_resistance() {
    for formulation in BOTH {
        let limit = LENGTH / RADIUS;
        let alpha = (limit * (1.0 - 1e-12)).atan();
        let mut run = simulation(disc(alpha, 0.0), formulation, 1e4);
        let _ = run.run(&mut ()).unwrap();
        assert!(get(&mut run, "disc.x").abs() < 1e-20);
        // (1 + k) a = g (sin α − cos α ρ/r), k = J/(m r²)
        let alpha = (limit * 1.5).atan();
        let mut run = simulation(disc(alpha, 0.0), formulation, 2.0);
        let _ = run.run(&mut ()).unwrap();
        let a = G * (alpha.sin() - alpha.cos() * limit) / 1.5;
        let moved = get(&mut run, "disc.x");
        assert!((moved - 2.0 * a).abs() < 1e-9, "{formulation:?} {moved}");
        assert!(run.statistics().worst_energy < 1e-9);
    }
}

#[test]
fn a_rolling_disc_stops_in_finite_time_and_stays() {
    for formulation in BOTH {
        // (1 + k) a = g ρ/r, k = J/(m r²)
        let a = G * LENGTH / RADIUS / 1.5;
        let speed = 0.2;
        let mut run = simulation(disc(0.0, speed), formulation, 2.0 * speed / a);
        let _ = run.run(&mut ()).unwrap();
        let moved = get(&mut run, "disc.x");
        assert!((moved - 0.5 * speed * speed / a).abs() < 1e-9, "{moved}");
        assert!(get(&mut run, "disc.omega").abs() < 1e-15);
        let dissipated = get(&mut run, "floor.work") + 0.75 * MASS * speed * speed;
        assert!(dissipated.abs() < 1e-10, "{dissipated}");
    }
}

#[test]
fn a_spinning_sphere_stops_by_spinning_resistance() {
    for formulation in BOTH {
        let spinning = 2e-3;
        // J ω̇ = −ρ m g
        let slowing = spinning * G / (0.4 * RADIUS * RADIUS);
        let omega = 3.0;
        let spin = Vec3::new(0.0, 0.0, omega);
        let model = sphere(0.0, Vec3::zeros(), spin, spinning);
        let mut run = simulation(model, formulation, 2.0 * omega / slowing);
        let _ = run.advance(0.5 * omega / slowing).unwrap();
        let halfway = get(&mut run, "sphere.omega_z");
        assert!((halfway - 0.5 * omega).abs() < 1e-9, "{halfway}");
        let _ = run.run(&mut ()).unwrap();
        assert!(get(&mut run, "sphere.omega_z").abs() < 1e-14);
        assert!(run.statistics().worst_energy < 1e-9);
    }
}

#[test]
fn a_sphere_holds_on_a_slope_of_one_degree_and_rolls_to_rest_in_a_straight_line() {
    for formulation in BOTH {
        let alpha = 0.5_f64.to_radians();
        let model = sphere(alpha, Vec3::zeros(), Vec3::zeros(), LENGTH);
        let mut run = simulation(model, formulation, 1e3);
        let _ = run.run(&mut ()).unwrap();
        assert!(get(&mut run, "sphere.x").abs() < 1e-18);
        // (1 + k) a = g ρ/r, k = 2/5
        let a = G * LENGTH / RADIUS / 1.4;
        let speed = 0.2;
        let direction = Vec3::new(0.8, 0.6, 0.0);
        let rolling = Vec3::new(-direction[1], direction[0], 0.0) * (speed / RADIUS);
        let model = sphere(0.0, direction * speed, rolling, 0.0);
        let mut run = simulation(model, formulation, 2.0 * speed / a);
        let _ = run.run(&mut ()).unwrap();
        let way = 0.5 * speed * speed / a;
        let moved = [get(&mut run, "sphere.x"), get(&mut run, "sphere.y")];
        assert!((moved[0] - 0.8 * way).abs() < 1e-7, "{moved:?} {way}");
        assert!((moved[1] - 0.6 * way).abs() < 1e-7, "{moved:?} {way}");
        assert!(get(&mut run, "sphere.omega_x").abs() < 1e-12);
    }
}

#[test]
fn a_bouncing_disc_has_no_resistance_while_it_is_in_the_air() {
    let mut model = disc(0.0, 0.0);
    model.bodies[0].start.pose = Some(Pose::translation(0.0, RADIUS + 0.5, 0.0));
    model.bodies[0].velocity = Some(Velocity0 {
        linear: Vec3::zeros(),
        angular: Vec3::new(0.0, 0.0, 5.0),
    });
    model.contacts[0].law.friction = 0.0;
    model.contacts[0].law.static_friction = 0.0;
    model.contacts[0].law.restitution = 0.5;
    let mut run = simulation(model, Formulation::Absolute, 3.0);
    let fall = (2.0 * 0.5 / G).sqrt();
    let _ = run.advance(0.99 * fall).unwrap();
    assert_eq!(get(&mut run, "disc.omega"), 5.0);
    // the moment impulse of an impact is ρ (1 + e) m v
    let _ = run.advance(1.01 * fall).unwrap();
    let lost = LENGTH * 1.5 * MASS * G * fall / (0.5 * MASS * RADIUS * RADIUS);
    let omega = get(&mut run, "disc.omega");
    assert!((omega - (5.0 - lost)).abs() < 1e-9, "{omega}");
    let _ = run.run(&mut ()).unwrap();
    assert!(run.statistics().worst_energy < 1e-8);
}
