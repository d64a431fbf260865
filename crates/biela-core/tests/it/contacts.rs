//! Contacts, stops and dry friction against closed forms.

use biela_core::analysis::{Formulation, Simulation, Study, assemble};
use biela_core::contact::{Circle, Line};
use biela_core::integrators::Dopri5;
use biela_core::math::{Pose, Vec3};
use biela_core::model::{Body, ContactLaw, MarkerIndex, MassProperties, Model, Space};

const G: f64 = 9.81;

/// A ball of radius 0.1 m whose lowest point starts 1 m above the floor.
fn ball(e: f64) -> Model {
    let mut model = Model::new("bouncing ball", Space::Planar);
    model.gravity = Vec3::new(0.0, -G, 0.0);
    let mass = MassProperties::planar(2.0, [0.0, 0.0], 0.1).unwrap();
    let ball = model.add_body(Body::new("ball", mass).at(Pose::translation(0.0, 1.1, 0.0)));
    let marker = model.body_marker(ball);
    let law = ContactLaw::SMOOTH.with_restitution(e);
    let round = Circle::new(0.1).unwrap();
    let _ = model.add_contact("floor", (MarkerIndex::GROUND, Line), (marker, round), law);
    model
}

fn simulation(model: Model, formulation: Formulation, duration: f64, tolerance: f64) -> Simulation {
    let study = Study::new(model.space, duration, duration / 50.0)
        .with_formulation(formulation)
        .with_integrator(Dopri5::new().tolerance(tolerance));
    Simulation::new(assemble(model, formulation).unwrap(), &study).unwrap()
}

#[test]
fn a_ball_bounces_to_rest_at_the_accumulation_point() {
    for formulation in [Formulation::Absolute, Formulation::Tree] {
        for (e, rest) in [(0.9, 8.578_949_178_729), (0.7, 2.558_633_965_586)] {
            let mut run = simulation(ball(e), formulation, 10.0, 1e-10);
            let _ = run.run(&mut ()).unwrap();
            let seen = run.contact_statistics();
            assert_eq!(seen.accumulations, 1, "{seen:?}");
            let apart = (seen.accumulated_at - rest).abs();
            assert!(
                apart < 1e-8 * rest,
                "{formulation:?} e = {e}: {apart:e} {seen:?}"
            );
            let height = run.model().signal("ball.y").unwrap();
            assert!((run.read(height).unwrap() - 0.1).abs() < 1e-12);
            let statistics = run.statistics();
            println!("{formulation:?} {e} {apart:e} {seen:?} {statistics:?}");
            assert!(
                statistics.worst_energy < 1e-9,
                "{:e}",
                statistics.worst_energy
            );
        }
    }
}

#[test]
fn an_elastic_ball_keeps_its_energy_over_a_thousand_bounces() {
    let period = 2.0 * (2.0 / G_).sqrt();
    let mut run = simulation(ball(1.0), Formulation::Absolute, 1000.0 * period, 1e-12);
    let _ = run.run(&mut ()).unwrap();
    let height = run.model().signal("ball.y").unwrap();
    let seen = run.contact_statistics();
    println!(
        "{seen:?} {:?} {}",
        run.statistics(),
        run.read(height).unwrap()
    );
    assert_eq!(seen.impacts, 1000);
    assert!(run.statistics().worst_energy < 1e-10);
    assert!((run.read(height).unwrap() - 1.1).abs() < 1e-8);
}
const G_: f64 = G;

use biela_core::contact::{HalfSpace, Polygon, Sphere};
use biela_core::model::Velocity0;

/// A block of width b and height h on a plane inclined by α, at rest.
fn slope(alpha: f64, mu: f64, (b, h): (f64, f64)) -> Model {
    let mut model = Model::new("block on a slope", Space::Planar);
    model.gravity = Vec3::new(G * alpha.sin(), -G * alpha.cos(), 0.0);
    let mass = MassProperties::planar(2.0, [0.0, 0.0], 2.0 * (b * b + h * h) / 12.0).unwrap();
    let block = model.add_body(Body::new("block", mass).at(Pose::translation(0.0, 0.5 * h, 0.0)));
    let marker = model.body_marker(block);
    let (x, y) = (0.5 * b, 0.5 * h);
    let shape = Polygon::new(&[[-x, -y], [x, -y], [x, y], [-x, y]]).unwrap();
    let law = ContactLaw::SMOOTH.with_friction(mu);
    let _ = model.add_contact("slope", (MarkerIndex::GROUND, Line), (marker, shape), law);
    model
}

#[test]
fn a_block_holds_on_a_slope_without_creep_and_slides_on_a_steeper_one() {
    for formulation in [Formulation::Absolute, Formulation::Tree] {
        let mu: f64 = 0.3;
        let mut run = simulation(
            slope((mu * (1.0 - 1e-12)).atan(), mu, (0.4, 0.2)),
            formulation,
            1e4,
            1e-10,
        );
        let x = run.model().signal("block.x").unwrap();
        let before = run.read(x).unwrap();
        let _ = run.run(&mut ()).unwrap();
        println!(
            "{formulation:?} creep {:e} {:?} {:?}",
            run.read(x).unwrap() - before,
            run.contact_statistics(),
            run.statistics()
        );
        assert_eq!(run.read(x).unwrap() - before, 0.0);
        let steep = (mu * (1.0 + 1e-12)).atan();
        let mut run = simulation(slope(steep, mu, (0.4, 0.2)), formulation, 1e4, 1e-10);
        let _ = run.run(&mut ()).unwrap();
        let state = run.model().signal("slope.state").unwrap();
        assert_eq!(run.read(state).unwrap(), 2.0);
        // a = g (sin α − μ cos α)
        let a = G * steep.cos() * mu * 1e-12;
        let moved = run.read(x).unwrap() - before;
        println!("moved {moved:e} expected {:e}", 0.5 * a * 1e8);
        assert!((moved - 0.5 * a * 1e8).abs() < 1e-2 * moved);
    }
}

#[test]
fn a_tall_block_tips_before_it_slides() {
    // tan α > b/h while μ > b/h
    let mut run = simulation(
        slope(0.5_f64.atan(), 0.8, (0.2, 0.5)),
        Formulation::Absolute,
        0.01,
        1e-10,
    );
    let _ = run.run(&mut ()).unwrap();
    let rate = run.model().signal("block.omega").unwrap();
    // about the lower corner: J = m (b² + h²)/3
    let (b, h) = (0.2_f64, 0.5_f64);
    let (s, c) = 0.5_f64.atan().sin_cos();
    let alpha = G * (0.5 * h * s - 0.5 * b * c) / ((b * b + h * h) / 3.0);
    println!("{} {}", run.read(rate).unwrap(), -alpha * 0.01);
    assert!((run.read(rate).unwrap() + alpha * 0.01).abs() < 1e-3 * alpha * 0.01);
}

/// A sphere on a plane with an initial velocity.
fn sphere(mu: f64, speed: f64, alpha: f64) -> Model {
    let mut model = Model::new("sphere", Space::Spatial);
    model.gravity = Vec3::new(G * alpha.sin(), 0.0, -G * alpha.cos());
    let (m, r) = (0.5, 0.1);
    let inertia = biela_core::math::Mat3::identity() * (0.4 * m * r * r);
    let mass = MassProperties::new(m, Vec3::zeros(), inertia).unwrap();
    let mut body = Body::new("sphere", mass).at(Pose::translation(0.0, 0.0, r));
    body.velocity = Some(Velocity0 {
        linear: Vec3::new(0.6 * speed, 0.8 * speed, 0.0),
        angular: Vec3::zeros(),
    });
    let body = model.add_body(body);
    let marker = model.body_marker(body);
    let law = ContactLaw::SMOOTH.with_friction(mu);
    let _ = model.add_contact(
        "floor",
        (MarkerIndex::GROUND, HalfSpace),
        (marker, Sphere::new(r).unwrap()),
        law,
    );
    model
}

#[test]
fn a_sliding_sphere_rolls_with_five_sevenths_of_its_velocity() {
    for formulation in [Formulation::Absolute, Formulation::Tree] {
        let (mu, v0) = (0.2, 3.0);
        let end = 2.0 * v0 / (7.0 * mu * G);
        let mut run = simulation(sphere(mu, v0, 0.0), formulation, 2.0 * end, 1e-10);
        let _ = run.run(&mut ()).unwrap();
        let get = |run: &mut Simulation, name: &str| {
            let s = run.model().signal(name).unwrap();
            run.read(s).unwrap()
        };
        let v = get(&mut run, "sphere.vx").hypot(get(&mut run, "sphere.vy"));
        let x = get(&mut run, "sphere.x").hypot(get(&mut run, "sphere.y"));
        println!(
            "{formulation:?} {:e} {:e} {:?} {:?}",
            v - 5.0 / 7.0 * v0,
            x - (12.0 * v0 * v0 / (49.0 * mu * G) + 5.0 / 7.0 * v0 * end),
            run.contact_statistics(),
            run.statistics()
        );
        assert!((v - 5.0 / 7.0 * v0).abs() < 1e-8);
        assert!((x - (12.0 * v0 * v0 / (49.0 * mu * G) + 5.0 / 7.0 * v0 * end)).abs() < 1e-8);
        assert_eq!(get(&mut run, "floor.state"), 1.0);
        assert!(run.statistics().worst_energy < 1e-9);
    }
}
