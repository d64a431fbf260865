//! Contacts, stops and dry friction against closed forms.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use biela_core::analysis::{Formulation, Simulation, Study, assemble};
use biela_core::contact::{Circle, Cuboid, Curve, HalfSpace, Line, Point, Polygon, Sphere};
use biela_core::forces::{
    Actuator, Brake, JointFriction, JointSpringDamper, Limit, PointForce, SpringDamper,
};
use biela_core::integrators::{Dopri5, IntegrationError};
use biela_core::joints::{Distance, Prismatic, Revolute};
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{
    Body, BodyIndex, ContactLaw, CouplerElement, DriverTarget, JointIndex, Law, MarkerIndex,
    MassProperties, Model, Motion, Space, Velocity0,
};

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
fn a_contact_counts_no_impacts_of_other_bodies() {
    let mut model = ball(0.5);
    let mass = MassProperties::planar(1.0, [0.0, 0.0], 0.1).unwrap();
    let rests = model.add_body(Body::new("rests", mass).at(Pose::translation(1.0, 0.1, 0.0)));
    let marker = model.body_marker(rests);
    let round = Circle::new(0.1).unwrap();
    let law = ContactLaw::SMOOTH.with_friction(0.3);
    let _ = model.add_contact("rest", (MarkerIndex::GROUND, Line), (marker, round), law);
    let mut run = simulation(model, Formulation::Absolute, 2.0, 1e-9);
    let _ = run.run(&mut ()).unwrap();
    let mut read = |name: &str| run.read(run.model().signal(name).unwrap()).unwrap();
    assert_eq!(read("rest.impacts"), 0.0);
    assert_eq!(read("rest.impulse"), 0.0);
    assert!(read("floor.impacts") > 3.0);
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
    let period = 2.0 * (2.0 / G).sqrt();
    let mut run = simulation(ball(1.0), Formulation::Absolute, 1000.0 * period, 1e-12);
    let _ = run.run(&mut ()).unwrap();
    let height = run.model().signal("ball.y").unwrap();
    let seen = run.contact_statistics();
    assert_eq!(seen.impacts, 1000);
    assert!(run.statistics().worst_energy < 1e-10);
    assert!((run.read(height).unwrap() - 1.1).abs() < 1e-8);
}

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
        // rounding of the forces, integrated over 1e4 s
        assert!((run.read(x).unwrap() - before).abs() < 1e-20);
        let steep = (mu * (1.0 + 1e-12)).atan();
        let mut run = simulation(slope(steep, mu, (0.4, 0.2)), formulation, 1e4, 1e-10);
        let _ = run.run(&mut ()).unwrap();
        let state = run.model().signal("slope.state").unwrap();
        assert_eq!(run.read(state).unwrap(), 2.0);
        // a = g (sin α − μ cos α)
        let a = G * steep.cos() * mu * 1e-12;
        let moved = run.read(x).unwrap() - before;
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
    // about the lower vertex: J = m (b² + h²)/3
    let (b, h) = (0.2_f64, 0.5_f64);
    let (s, c) = 0.5_f64.atan().sin_cos();
    let alpha = G * (0.5 * h * s - 0.5 * b * c) / ((b * b + h * h) / 3.0);
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
        assert!((v - 5.0 / 7.0 * v0).abs() < 1e-8);
        assert!((x - (12.0 * v0 * v0 / (49.0 * mu * G) + 5.0 / 7.0 * v0 * end)).abs() < 1e-8);
        assert_eq!(get(&mut run, "floor.state"), 1.0);
        assert!(run.statistics().worst_energy < 1e-9);
    }
}

/// A motion with constant velocity.
fn linear(start: f64, velocity: f64) -> Motion {
    Motion::of_time(move |t| start + velocity * t)
}

/// The value of a signal.
fn get(run: &mut Simulation, name: &str) -> f64 {
    let signal = run.model().signal(name).unwrap();
    run.read(signal).unwrap()
}

const BOTH: [Formulation; 2] = [Formulation::Absolute, Formulation::Tree];

/// A body of mass m on a rail along x.
fn sled(model: &mut Model, name: &str, m: f64, rail: &str) -> (BodyIndex, JointIndex) {
    let mass = MassProperties::planar(m, [0.0, 0.0], 0.1 * m).unwrap();
    let body = model.add_body(Body::new(name, mass));
    let marker = model.body_marker(body);
    let joint = model.connect(rail, Prismatic, [MarkerIndex::GROUND, marker]);
    (body, joint)
}

#[test]
fn a_mass_with_dry_friction_on_a_spring_stops_where_friction_holds_it() {
    // each half period reduces the amplitude by 2 F/k, until the spring cannot overcome friction
    let (m, k, f, x0) = (2.0, 800.0, 10.0, 0.1);
    for formulation in BOTH {
        let mut model = Model::new("dry oscillator", Space::Planar);
        let (_, rail) = sled(&mut model, "mass", m, "rail");
        model.set_initial(rail, 0, x0, 0.0);
        let _ = model.add_force("spring", JointSpringDamper::new(rail).stiffness(k));
        let _ = model.add_force(
            "rub",
            JointFriction::new(rail).coulomb(f).transition_speed(0.0),
        );
        let mut run = simulation(model, formulation, 3.0, 1e-11);
        let _ = run.run(&mut ()).unwrap();
        // 0.1, −0.075, 0.05, −0.025, 0: rests at zero after four half periods
        let x = get(&mut run, "rail.position");
        assert!(x.abs() < 1e-9, "{formulation:?} {x:e}");
        assert_eq!(get(&mut run, "rail.rate"), 0.0);
        assert!(
            run.statistics().worst_energy < 1e-9,
            "{:e}",
            run.statistics().worst_energy
        );
    }
}

#[test]
fn breakaway_friction_holds_more_than_sliding_friction() {
    for (pull, moves) in [(14.9, false), (15.1, true)] {
        let mut model = Model::new("sled", Space::Planar);
        let (_, rail) = sled(&mut model, "sled", 2.0, "rail");
        let rub = JointFriction::new(rail)
            .coulomb(10.0)
            .breakaway(15.0)
            .transition_speed(0.0);
        let _ = model.add_force("rub", rub);
        let _ = model.add_force("pull", Actuator::new(rail, pull));
        let mut run = simulation(model, Formulation::Tree, 2.0, 1e-10);
        let _ = run.run(&mut ()).unwrap();
        let x = get(&mut run, "rail.position");
        let expected = if moves {
            0.5 * (pull - 10.0) / 2.0 * 4.0
        } else {
            0.0
        };
        assert!((x - expected).abs() < 1e-9, "{pull}: {x}");
        let effort = if moves { -10.0 } else { -pull };
        assert!((get(&mut run, "rub.effort") - effort).abs() < 1e-9);
    }
}

#[test]
fn a_belt_oscillator_has_the_period_of_its_closed_form() {
    // a mass on a spring, ω = 10 rad/s, on a belt of 0.1 m/s
    let (omega, v, rest, slip): (f64, f64, f64, f64) = (10.0, 0.1, 0.4, 0.3);
    let a = (rest - slip) * G / (omega * omega);
    let period = 2.0 / omega * (std::f64::consts::PI - (a * omega / v).atan()) + 2.0 * a / v;
    assert!((period - 0.669_357_062).abs() < 1e-9);
    let m = 1.0;
    for formulation in BOTH {
        let mut model = Model::new("belt oscillator", Space::Planar);
        model.gravity = Vec3::new(0.0, -G, 0.0);
        let (_, belt) = sled(&mut model, "belt", 5.0, "belt_rail");
        let _ = model.add_driver("motor", DriverTarget::Joint(belt, 0), linear(0.0, v));
        let mass = MassProperties::planar(m, [0.0, 0.0], 0.1).unwrap();
        let block = model.add_body(Body::new("block", mass).at(Pose::translation(
            rest * G * m / (m * omega * omega),
            0.0,
            0.0,
        )));
        let marker = model.body_marker(block);
        // only its rotation is suppressed: the belt carries its weight
        let belt_marker = model.body_marker(BodyIndex(0));
        let law = ContactLaw::SMOOTH
            .with_friction(slip)
            .with_static_friction(rest);
        let _ = model.add_contact("surface", (belt_marker, Line), (marker, Point), law);
        let wall = model.add_marker("wall", BodyIndex::GROUND, Pose::translation(-1.0, 0.0, 0.0));
        let spring = SpringDamper::new([wall, marker])
            .stiffness(m * omega * omega)
            .length(1.0);
        let _ = model.add_force("spring", spring);
        model.bodies[1].velocity = Some(Velocity0 {
            linear: Vec3::new(v, 0.0, 0.0),
            angular: Vec3::zeros(),
        });
        let study_end = 10.0 * period;
        let mut run = simulation(model, formulation, study_end, 1e-10);
        let x0 = get(&mut run, "block.x");
        let mut apart = 0.0_f64;
        for n in 1..=10 {
            let _ = run.advance(f64::from(n) * period).unwrap();
            apart = apart.max((get(&mut run, "block.x") - x0).abs());
        }
        assert!(
            apart < 1e-8,
            "{formulation:?} {apart:e} {:?}",
            run.contact_statistics()
        );
        assert!(run.statistics().worst_energy < 1e-9);
    }
}

#[test]
fn a_pendulum_against_a_rigid_stop_returns_with_its_restitution() {
    for formulation in BOTH {
        let mut model = Model::new("pendulum", Space::Planar);
        model.gravity = Vec3::new(0.0, -G, 0.0);
        let mass = MassProperties::planar(2.0, [0.5, 0.0], 2.0 / 12.0).unwrap();
        let rod = model.add_body(Body::new("rod", mass));
        let pin = model.connect(
            "pin",
            Revolute,
            [MarkerIndex::GROUND, model.body_marker(rod)],
        );
        model.set_initial(pin, 0, 0.0, 0.0);
        let down = -std::f64::consts::FRAC_PI_2;
        let _ = model.add_force(
            "stop",
            Limit::new(pin).law("rigid").lower(down).restitution(0.5),
        );
        let mut run = simulation(model, formulation, 0.4834, 1e-11);
        let _ = run.run(&mut ()).unwrap();
        // ω² = 3 g/L at the stop
        let omega = (3.0 * G).sqrt();
        let rate = get(&mut run, "pin.rate");
        assert!((rate - 0.5 * omega).abs() < 1e-3, "{rate}");
        let energy = -2.0 * G * 0.5 + 0.5 * (2.0 / 3.0) * (0.5 * omega).powi(2);
        assert!((get(&mut run, "energy.total") - energy).abs() < 1e-9);
        assert!(
            (get(&mut run, "energy.impacts") + 0.75 * 0.5 * (2.0 / 3.0) * omega * omega).abs()
                < 1e-8
        );
        assert!(run.statistics().worst_energy < 1e-9);
    }
}

#[test]
fn a_rope_is_slack_until_it_is_taut() {
    for formulation in BOTH {
        let mut model = Model::new("rope", Space::Planar);
        model.gravity = Vec3::new(0.0, -G, 0.0);
        let mass = MassProperties::planar(1.0, [0.0, 0.0], 0.1).unwrap();
        let stone = model.add_body(Body::new("stone", mass).at(Pose::translation(0.3, 0.0, 0.0)));
        let ends = [MarkerIndex::GROUND, model.body_marker(stone)];
        let _ = model.connect("rope", Distance::new(0.5).at_most(true), ends);
        let mut run = simulation(model, formulation, 2.0, 1e-10);
        // it falls freely by 0.4 m, then swings as a pendulum with the tangential part of its velocity
        let taut = (2.0 * 0.4 / G).sqrt();
        let _ = run.advance(0.999 * taut).unwrap();
        assert!((get(&mut run, "stone.y") + 0.5 * G * (0.999 * taut).powi(2)).abs() < 1e-9);
        let _ = run.run(&mut ()).unwrap();
        let r = get(&mut run, "stone.x").hypot(get(&mut run, "stone.y"));
        assert!((r - 0.5).abs() < 1e-11, "{formulation:?} {r}");
        // v_t = v·(3/5): energy after the jerk
        let energy = -G * 0.4 + 0.5 * (2.0 * G * 0.4) * 0.36;
        assert!((get(&mut run, "energy.total") - energy).abs() < 1e-8);
    }
}

#[test]
fn a_clutch_brings_two_flywheels_to_one_speed() {
    let (j1, j2, w0, c) = (2.0, 1.0, 30.0, 10.0);
    for formulation in BOTH {
        let mut model = Model::new("clutch", Space::Planar);
        let mut wheel = |name: &str, j: f64| {
            let mass = MassProperties::planar(1.0, [0.0, 0.0], j).unwrap();
            let body = model.add_body(Body::new(name, mass));
            let marker = model.body_marker(body);
            model.connect(
                format!("{name}_pin"),
                Revolute,
                [MarkerIndex::GROUND, marker],
            )
        };
        let (first, second) = (wheel("first", j1), wheel("second", j2));
        model.set_initial(first, 0, 0.0, w0);
        model.set_initial(second, 0, 0.0, 0.0);
        let _ = model.add_force("clutch", Brake::new(first, c).to(second));
        let mut run = simulation(model, formulation, 4.0, 1e-10);
        let _ = run.run(&mut ()).unwrap();
        let common = j1 * w0 / (j1 + j2);
        for name in ["first_pin.rate", "second_pin.rate"] {
            assert!(
                (get(&mut run, name) - common).abs() < 1e-9,
                "{formulation:?} {name} {}",
                get(&mut run, name)
            );
        }
        assert!(get(&mut run, "clutch.slip").abs() < 1e-12);
        let lost = 0.5 * j1 * j2 / (j1 + j2) * w0 * w0;
        assert!((get(&mut run, "clutch.work") + lost).abs() < 1e-8);
    }
}

#[test]
fn three_balls_in_a_row_collide_at_once() {
    // Newton's law applied to both contacts at the same time; the result of a sequence of impacts would be (0, 0, 1)
    let mut model = Model::new("row", Space::Planar);
    let mut last = None;
    for (name, x) in [("a", -0.3), ("b", 0.0), ("c", 0.2)] {
        let mass = MassProperties::planar(1.0, [0.0, 0.0], 0.01).unwrap();
        let body = model.add_body(Body::new(name, mass).at(Pose::translation(x, 0.0, 0.0)));
        let marker = model.body_marker(body);
        if let Some(before) = last {
            let round = || Circle::new(0.1).unwrap();
            let law = ContactLaw::SMOOTH.with_restitution(1.0);
            let _ = model.add_contact(
                format!("to_{name}"),
                (before, round()),
                (marker, round()),
                law,
            );
        }
        last = Some(marker);
    }
    model.bodies[0].velocity = Some(Velocity0 {
        linear: Vec3::new(1.0, 0.0, 0.0),
        angular: Vec3::zeros(),
    });
    let mut run = simulation(model, Formulation::Absolute, 0.5, 1e-10);
    let _ = run.run(&mut ()).unwrap();
    for (name, v) in [
        ("a.vx", -1.0 / 3.0),
        ("b.vx", 2.0 / 3.0),
        ("c.vx", 2.0 / 3.0),
    ] {
        assert!(
            (get(&mut run, name) - v).abs() < 1e-12,
            "{name} {}",
            get(&mut run, name)
        );
    }
}

#[test]
fn a_rocking_block_loses_the_share_of_housner_at_each_impact() {
    // a slender block starts at an angle and rocks about its vertices
    let (b, h) = (0.2_f64, 0.8_f64);
    let (alpha, radius) = ((b / h).atan(), 0.5 * b.hypot(h));
    let theta = 0.5 * alpha;
    let (s, c) = theta.sin_cos();
    let corner = [0.5 * b, -0.5 * h];
    // the lower right vertex at the origin
    let p = [
        -(c * corner[0] + s * corner[1]),
        -(-s * corner[0] + c * corner[1]),
    ];
    let mut model = Model::new("rocking block", Space::Planar);
    model.gravity = Vec3::new(0.0, -G, 0.0);
    let mass = MassProperties::planar(3.0, [0.0, 0.0], 3.0 * (b * b + h * h) / 12.0).unwrap();
    let pose = Pose::new(
        biela_core::math::rotation::about(2, -theta),
        Vec3::new(p[0], p[1], 0.0),
    );
    let block = model.add_body(Body::new("block", mass).at(pose));
    let marker = model.body_marker(block);
    let (x, y) = (0.5 * b, 0.5 * h);
    let shape = Polygon::new(&[[-x, -y], [x, -y], [x, y], [-x, y]]).unwrap();
    let law = ContactLaw::SMOOTH.with_friction(2.0);
    let _ = model.add_contact("floor", (MarkerIndex::GROUND, Line), (marker, shape), law);
    let mut run = simulation(model, Formulation::Absolute, 20.0, 1e-12);
    // kinetic energy before and after the first impact
    let before = 3.0 * G * radius * ((alpha - theta).cos() - alpha.cos());
    let share = (1.0 - 1.5 * alpha.sin().powi(2)).powi(2);
    while get(&mut run, "floor.impacts") == 0.0 {
        let _ = run.step().unwrap();
    }
    let lost = -get(&mut run, "energy.impacts");
    assert!(
        (lost - (1.0 - share) * before).abs() < 1e-8 * before,
        "{lost} {}",
        (1.0 - share) * before
    );
    let _ = run.run(&mut ()).unwrap();
    // it comes to rest upright
    assert!(
        get(&mut run, "block.omega").abs() < 1e-12 && (get(&mut run, "block.y") - y).abs() < 1e-9
    );
    assert!(
        run.statistics().worst_energy < 1e-9,
        "{:?} {:e}",
        run.contact_statistics(),
        run.statistics().worst_energy
    );
}

#[test]
fn a_flat_follower_leaves_an_eccentric_cam_beyond_its_critical_speed() {
    // ω² = (g + F₀/m)/e + 2k/m for a follower pressed by a spring: here without a spring
    let e = 0.01_f64;
    let critical = (G / e).sqrt();
    for (speed, lifts) in [(0.999 * critical, false), (1.001 * critical, true)] {
        let mut model = Model::new("cam", Space::Planar);
        model.gravity = Vec3::new(0.0, -G, 0.0);
        let mass = MassProperties::planar(1.0, [0.0, 0.0], 0.01).unwrap();
        let cam = model.add_body(Body::new("cam", mass));
        let cam_marker = model.body_marker(cam);
        let shaft = model.connect("shaft", Revolute, [MarkerIndex::GROUND, cam_marker]);
        let _ = model.add_driver("motor", DriverTarget::Joint(shaft, 0), linear(-1.5, speed));
        // a circle of 50 mm about a point e off the shaft, in polar form
        let radius = move |t: f64| e * t.cos() + (0.05_f64.powi(2) - (e * t.sin()).powi(2)).sqrt();
        let profile = Curve::from_polar_formula(720, radius).unwrap();
        let top = 0.05 + e * (-1.5_f64).sin();
        let follower =
            model.add_body(Body::new("follower", mass).at(Pose::translation(0.0, top, 0.0)));
        let marker = model.body_marker(follower);
        let up = biela_core::math::rotation::about(2, std::f64::consts::FRAC_PI_2);
        let _ = model.add_joint("guide", Prismatic, [MarkerIndex::GROUND, marker], &up);
        let down = model.add_marker(
            "face",
            follower,
            Pose::new(
                biela_core::math::rotation::about(2, std::f64::consts::PI),
                Vec3::zeros(),
            ),
        );
        let _ = model.add_contact(
            "cam_face",
            (cam_marker, profile),
            (down, Line),
            ContactLaw::SMOOTH,
        );
        model.bodies[1].velocity = Some(Velocity0 {
            linear: Vec3::new(0.0, e * speed * (-1.5_f64).cos(), 0.0),
            angular: Vec3::zeros(),
        });
        let mut run = simulation(
            model,
            Formulation::Absolute,
            std::f64::consts::PI / speed,
            1e-10,
        );
        let mut open = false;
        for n in 1..=100 {
            let _ = run
                .advance(f64::from(n) * 0.01 * std::f64::consts::PI / speed)
                .unwrap();
            open |= get(&mut run, "cam_face.state") == 0.0;
        }
        assert_eq!(open, lifts, "{speed}");
    }
}

#[test]
fn backlash_lets_a_gear_move_freely_and_then_drives() {
    let mut model = Model::new("gears", Space::Planar);
    let mut wheel = |name: &str| {
        let mass = MassProperties::planar(1.0, [0.0, 0.0], 0.5).unwrap();
        let body = model.add_body(Body::new(name, mass));
        let marker = model.body_marker(body);
        model.connect(
            format!("{name}_pin"),
            Revolute,
            [MarkerIndex::GROUND, marker],
        )
    };
    let (first, second) = (wheel("first"), wheel("second"));
    model.set_initial(first, 0, 0.0, 1.0);
    model.set_initial(second, 0, 0.0, 0.0);
    model.couplers.push(CouplerElement {
        name: "mesh".to_owned(),
        origin: biela_core::element::Origin::default(),
        kind: "gear",
        terms: vec![(first, 0, 1.0), (second, 0, -1.0)],
        offset: Some(0.0),
        backlash: Some(biela_core::model::Backlash {
            width: 0.2,
            restitution: 0.0,
        }),
    });
    let mut run = simulation(model, Formulation::Tree, 1.0, 1e-10);
    let _ = run.advance(0.0999).unwrap();
    assert_eq!(get(&mut run, "second_pin.rate"), 0.0);
    let _ = run.run(&mut ()).unwrap();
    // plastic impact of equal flywheels
    assert!((get(&mut run, "first_pin.rate") - 0.5).abs() < 1e-12);
    assert!((get(&mut run, "second_pin.rate") - 0.5).abs() < 1e-12);
    assert!(
        (get(&mut run, "first_pin.angle") - get(&mut run, "second_pin.angle") - 0.1).abs() < 1e-10
    );
}

#[test]
fn a_closed_contact_has_no_linear_model() {
    let request = biela_core::analysis::LinearModelRequest::default();
    let mut falling = simulation(ball(0.5), Formulation::Absolute, 1.0, 1e-8);
    assert!(falling.linearize(&request).is_ok());
    let mut resting = simulation(
        slope(0.1, 0.3, (0.4, 0.2)),
        Formulation::Absolute,
        1.0,
        1e-8,
    );
    let error = resting.linearize(&request).unwrap_err().to_string();
    assert!(error.starts_with("contact `slope` is closed"), "{error}");
}

#[test]
fn a_sphere_rolls_down_a_plane_if_friction_suffices() {
    let alpha: f64 = 0.5;
    let least = 2.0 / 7.0 * alpha.tan();
    for formulation in BOTH {
        for (mu, state) in [(1.001 * least, 1.0), (0.999 * least, 2.0)] {
            let mut run = simulation(sphere(mu, 0.0, alpha), formulation, 1.0, 1e-10);
            let _ = run.run(&mut ()).unwrap();
            // it slides with known spin: a = g (sin α − μ cos α), ω̇ = 5 μ g cos α/(2 r)
            let (a, spin) = if state == 1.0 {
                let a = 5.0 / 7.0 * G * alpha.sin();
                (a, a / 0.1)
            } else {
                let pull = mu * G * alpha.cos();
                (G * alpha.sin() - pull, 2.5 * pull / 0.1)
            };
            assert_eq!(get(&mut run, "floor.state"), state);
            assert!((get(&mut run, "sphere.vx") - a).abs() < 1e-8);
            assert!((get(&mut run, "sphere.omega_y") - spin).abs() < 1e-6);
        }
    }
}

#[test]
fn the_paradox_of_painleve_is_named() {
    // a uniform rod on its lower end, which slides away from its mass centre: paradox iff μ > (tan φ + 4 cot φ)/3
    for tangent in [1.0_f64, 2.0, 3.0] {
        let critical = (tangent + 4.0 / tangent) / 3.0;
        for (mu, paradox) in [(0.999 * critical, false), (1.001 * critical, true)] {
            let mut model = Model::new("rod", Space::Planar);
            model.gravity = Vec3::new(0.0, -G, 0.0);
            let mass = MassProperties::planar(1.0, [0.5, 0.0], 1.0 / 12.0).unwrap();
            let turned = biela_core::math::rotation::about(2, tangent.atan());
            let mut rod = Body::new("rod", mass).at(Pose::new(turned, Vec3::zeros()));
            rod.velocity = Some(Velocity0 {
                linear: Vec3::new(-2.0, 0.0, 0.0),
                angular: Vec3::zeros(),
            });
            let rod = model.add_body(rod);
            let marker = model.body_marker(rod);
            let law = ContactLaw::SMOOTH.with_friction(mu);
            let _ = model.add_contact("floor", (MarkerIndex::GROUND, Line), (marker, Point), law);
            let mut run = simulation(model, Formulation::Absolute, 1e-6, 1e-10);
            let cause = run.run(&mut ()).err().map(|failure| failure.cause);
            let named = matches!(cause, Some(IntegrationError::Painleve { .. }));
            assert_eq!(named, paradox, "tan φ = {tangent}: {cause:?}");
            assert_eq!(cause.is_some(), paradox);
        }
    }
}

#[test]
fn a_box_on_four_vertices_holds_and_slides_as_in_the_plane() {
    let mu: f64 = 0.3;
    for formulation in BOTH {
        for factor in [1.0 - 1e-9, 1.5] {
            let alpha = (mu * factor).atan();
            let mut model = Model::new("box", Space::Spatial);
            model.gravity = Vec3::new(G * alpha.sin(), 0.0, -G * alpha.cos());
            let inertia = biela_core::math::Mat3::identity() * 0.02;
            let mass = MassProperties::new(2.0, Vec3::zeros(), inertia).unwrap();
            let body = model.add_body(Body::new("box", mass).at(Pose::translation(0.0, 0.0, 0.1)));
            let marker = model.body_marker(body);
            let law = ContactLaw::SMOOTH.with_friction(mu);
            let shape = Cuboid::new([0.4, 0.4, 0.2]).unwrap();
            let ground = (MarkerIndex::GROUND, HalfSpace);
            let _ = model.add_contact("slope", ground, (marker, shape), law);
            let mut run = simulation(model, formulation, 1.0, 1e-10);
            let _ = run.run(&mut ()).unwrap();
            let a = (G * (alpha.sin() - mu * alpha.cos())).max(0.0);
            assert!((get(&mut run, "box.vx") - a).abs() < 1e-8, "{factor}");
            assert!((get(&mut run, "box.x") - 0.5 * a).abs() < 1e-8);
            assert!(get(&mut run, "box.y").abs() < 1e-8);
        }
    }
}

#[test]
fn elastic_discs_conserve_momentum_and_energy() {
    let mut model = Model::new("billiard", Space::Planar);
    let (masses, places) = ([1.0, 3.0], [[-1.0, 0.05], [0.0, 0.0]]);
    let mut markers = Vec::new();
    for (k, (m, [x, y])) in masses.into_iter().zip(places).enumerate() {
        let mass = MassProperties::planar(m, [0.0, 0.0], 0.005 * m).unwrap();
        let mut body = Body::new(format!("disc{k}"), mass).at(Pose::translation(x, y, 0.0));
        body.velocity = Some(Velocity0 {
            linear: Vec3::new(if k == 0 { 2.0 } else { 0.0 }, 0.0, 0.0),
            angular: Vec3::zeros(),
        });
        let body = model.add_body(body);
        markers.push(model.body_marker(body));
    }
    let law = ContactLaw::SMOOTH.with_restitution(1.0);
    let disc = || Circle::new(0.1).unwrap();
    let _ = model.add_contact("hit", (markers[0], disc()), (markers[1], disc()), law);
    let mut run = simulation(model, Formulation::Absolute, 1.0, 1e-10);
    let _ = run.run(&mut ()).unwrap();
    assert_eq!(run.contact_statistics().impacts, 1);
    let v = ["disc0.vx", "disc0.vy", "disc1.vx", "disc1.vy"].map(|name| get(&mut run, name));
    assert!((v[0] + 3.0 * v[2] - 2.0).abs() < 1e-12 && (v[1] + 3.0 * v[3]).abs() < 1e-12);
    let energy = 0.5 * (v[0] * v[0] + v[1] * v[1]) + 1.5 * (v[2] * v[2] + v[3] * v[3]);
    assert!((energy - 2.0).abs() < 1e-12);
    // the normal impulse: (1 + e) μ v·n with the reduced mass 3/4, n from the centres at a distance of 0.2 m
    let n = [(0.04_f64 - 0.0025).sqrt() / 0.2, -0.25];
    assert!((v[2] - 0.5 * 2.0 * n[0] * n[0]).abs() < 1e-9, "{v:?}");
    assert!((v[3] - 0.5 * 2.0 * n[0] * n[1]).abs() < 1e-9, "{v:?}");
}

/// A disc with an eccentric mass centre spins on a smooth floor. Where its normal force vanishes, ω' = 0 and e sin θ ω² = g; in flight ω is constant.
#[test]
fn an_eccentric_disc_lifts_off_where_its_normal_force_vanishes() {
    let (m, r, e, inertia) = (1.0, 0.02, 0.005, 1e-4);
    for formulation in BOTH {
        for start in [60.0, 70.0, 80.0, 90.0] {
            let mut model = Model::new("disc", Space::Planar);
            model.gravity = Vec3::new(0.0, -G, 0.0);
            let mass = MassProperties::planar(m, [e, 0.0], inertia).unwrap();
            let mut body = Body::new("disc", mass).at(Pose::translation(0.0, r, 0.0));
            body.velocity = Some(Velocity0 {
                linear: Vec3::zeros(),
                angular: Vec3::new(0.0, 0.0, start),
            });
            let body = model.add_body(body);
            let marker = model.body_marker(body);
            let _ = model.add_contact(
                "floor",
                (MarkerIndex::GROUND, Line),
                (marker, Circle::new(r).unwrap()),
                ContactLaw::SMOOTH,
            );
            let energy = 0.5 * (inertia + m * e * e) * start * start;
            let excess = |s: f64| {
                let square = G / (e * s);
                0.5 * (inertia + m * e * e * (1.0 - s * s)) * square + m * G * e * s - energy
            };
            let (mut low, mut high) = (1e-3, 1.0);
            for _ in 0..60 {
                let middle = f64::midpoint(low, high);
                if excess(middle) > 0.0 {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            let mut run = simulation(model, formulation, 4.5 / start, 1e-11);
            let _ = run.run(&mut ()).unwrap();
            assert_eq!(get(&mut run, "floor.state"), 0.0);
            let error = get(&mut run, "disc.omega") - (G / (e * low)).sqrt();
            assert!(error.abs() < 1e-8, "{formulation:?} {start}: {error:e}");
        }
    }
}

/// A box of 0.2 m by 0.1 m on a table of the same material, whose edge is at x = 0; its centre is 0.3 m before the edge.
fn box_on_a_table(space: Space, law: ContactLaw, speed: f64) -> Model {
    let mut model = Model::new("box on a table", space);
    let spatial = space == Space::Spatial;
    let up = |x: f64, height: f64| {
        if spatial {
            Pose::translation(x, 0.0, height)
        } else {
            Pose::translation(x, height, 0.0)
        }
    };
    let gravity = up(0.0, -G).p;
    model.gravity = gravity;
    let j = (0.04 + 0.01) / 12.0;
    let mass = if spatial {
        MassProperties::new(1.0, Vec3::zeros(), Mat3::identity() * j).unwrap()
    } else {
        MassProperties::planar(1.0, [0.0, 0.0], j).unwrap()
    };
    let mut body = Body::new("box", mass).at(up(-0.3, 0.05));
    body.velocity = Some(Velocity0 {
        linear: Vec3::new(speed, 0.0, 0.0),
        angular: Vec3::zeros(),
    });
    let body = model.add_body(body);
    let (marker, ground) = (model.body_marker(body), BodyIndex::GROUND);
    let table = model.add_marker("table", ground, up(-1.0, -0.1));
    if spatial {
        let table = (table, Cuboid::new([2.0, 0.6, 0.2]).unwrap());
        let own = Cuboid::new([0.2, 0.2, 0.1]).unwrap();
        let _ = model.add_contact("table", table, (marker, own), law);
    } else {
        let rectangle =
            |a: f64, b: f64| Polygon::new(&[[-a, -b], [a, -b], [a, b], [-a, b]]).unwrap();
        let table = (table, rectangle(1.0, 0.1));
        let _ = model.add_contact("table", table, (marker, rectangle(0.1, 0.05)), law);
    }
    model
}

#[test]
fn a_box_slides_over_the_edge_of_a_table_and_tips() {
    for space in [Space::Planar, Space::Spatial] {
        for formulation in [Formulation::Absolute, Formulation::Tree] {
            let model = box_on_a_table(space, ContactLaw::SMOOTH, 0.5);
            let height = if space == Space::Planar {
                "box.y"
            } else {
                "box.z"
            };
            let height = model.signal(height).unwrap();
            let mut run = simulation(model, formulation, 1.0, 1e-9);
            // its front passes the edge at 0.4 s, its centre at 0.6 s
            let _ = run.advance(0.6).unwrap();
            let what = format!("{space:?} {formulation:?}");
            assert!((run.read(height).unwrap() - 0.05).abs() < 1e-11, "{what}");
            assert!(
                run.state().v.iter().skip(3).all(|v| v.abs() < 1e-9),
                "{what}"
            );
            let _ = run.advance(0.7).unwrap();
            // it tips over the edge, and falls less than freely
            let sunk = 0.05 - run.read(height).unwrap();
            assert!((5e-3..1e-2).contains(&sunk), "{what}: {sunk}");
            let _ = run.run(&mut ()).unwrap();
            let energy = run.statistics().worst_energy;
            assert!(energy < 1e-8, "{what}: {energy:e}");
            assert!(run.contact_statistics().penetration < 1e-9, "{what}");
        }
    }
}

#[test]
fn a_box_that_hangs_over_an_edge_is_pulled_back_onto_the_table() {
    for space in [Space::Planar, Space::Spatial] {
        for formulation in [Formulation::Absolute, Formulation::Tree] {
            for mu in [0.0, 0.05] {
                // a force of 1 N stops it with its front 7 cm beyond the edge, and pulls it back
                let (forth, back) = (1.0 + mu * G, 1.0 - mu * G);
                let speed = (2.0 * forth * 0.27_f64).sqrt();
                let law = ContactLaw::SMOOTH.with_friction(mu);
                let mut model = box_on_a_table(space, law, speed);
                let at = model.body_marker(BodyIndex(0));
                let axes = if space == Space::Planar { 2 } else { 3 };
                let mut force = vec![Law::Constant(0.0); axes];
                force[0] = Law::Constant(-1.0);
                let _ = model.add_force("pull", PointForce::new(at, force));
                let mut run = simulation(model, formulation, 2.0, 1e-10);
                let turn = speed / forth;
                let end = turn + (2.0 * 0.4 / back).sqrt();
                let _ = run.advance(end).unwrap();
                let mut read = |name: &str| run.read(run.model().signal(name).unwrap()).unwrap();
                let what = format!("{space:?} {formulation:?} {mu}");
                let speed = -(2.0 * 0.4 * back).sqrt();
                assert!((read("box.x") + 0.43).abs() < 1e-8, "{what}");
                assert!((read("box.vx") - speed).abs() < 1e-8, "{what}");
                let height = if axes == 2 { "box.y" } else { "box.z" };
                assert!((read(height) - 0.05).abs() < 1e-9, "{what}");
                assert_eq!(run.contact_statistics().impacts, 0, "{what}");
                let energy = run.statistics().worst_energy;
                assert!(energy < 1e-9, "{what}: {energy:e}");
            }
        }
    }
}
