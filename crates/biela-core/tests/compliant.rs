//! Compliant contacts against closed forms, rigid contacts and each other.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use biela_core::analysis::{Choice, ContactFormulation, Formulation, Simulation, Study, assemble};
use biela_core::contact::{Circle, HalfSpace, Line, Point, Polygon, Sphere};
use biela_core::element::Arguments;
use biela_core::forces::SpringDamper;
use biela_core::integrators::{Bdf, Dopri5, INTEGRATORS};
use biela_core::joints::{Prismatic, Revolute};
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{
    Body, BodyIndex, ContactLaw, DriverTarget, Elasticity, MarkerIndex, MassProperties, Model,
    Motion, Space, Velocity0,
};
use biela_core::system::{ContactSystem, System, Workspace};
use biela_core::unilateral::{ContactMemory, Mode, TouchDown};

const BOTH: [Formulation; 2] = [Formulation::Absolute, Formulation::Tree];

const G: f64 = 9.81;
const STEEL: Elasticity = Elasticity {
    youngs_modulus: 2.1e11,
    poisson: 0.3,
};

fn study(model: &Model, formulation: Formulation, duration: f64) -> Study {
    Study::new(model.space, duration, duration / 50.0)
        .with_formulation(formulation)
        .with_contact(ContactFormulation::Compliant)
}

fn simulation(model: Model, formulation: Formulation, duration: f64, tolerance: f64) -> Simulation {
    let study = study(&model, formulation, duration).with_integrator(
        Dopri5::new()
            .tolerance(tolerance)
            .absolute(1e-3 * tolerance),
    );
    Simulation::new(assemble(model, formulation).unwrap(), &study).unwrap()
}

fn moving(x: f64, y: f64, z: f64) -> Velocity0 {
    Velocity0 {
        linear: Vec3::new(x, y, z),
        angular: Vec3::zeros(),
    }
}

fn read(run: &mut Simulation, name: &str) -> f64 {
    let signal = run.model().signal(name).unwrap();
    run.read(signal).unwrap()
}

/// A ball of radius 0.1 m and mass 2 kg whose lowest point starts at a height with a downward speed.
fn ball(law: ContactLaw, height: f64, speed: f64, gravity: f64) -> Model {
    let mut model = Model::new("ball", Space::Spatial);
    model.gravity = Vec3::new(0.0, 0.0, -gravity);
    let inertia = Mat3::identity() * (0.4 * 2.0 * 0.01);
    let mass = MassProperties::new(2.0, Vec3::zeros(), inertia).unwrap();
    let mut body = Body::new("ball", mass).at(Pose::translation(0.0, 0.0, 0.1 + height));
    body.velocity = Some(moving(0.0, 0.0, -speed));
    let ball = model.add_body(body);
    let marker = model.body_marker(ball);
    let round = Sphere::new(0.1).unwrap();
    let _ = model.add_contact(
        "floor",
        (MarkerIndex::GROUND, HalfSpace),
        (marker, round),
        law,
    );
    model
}

#[test]
fn a_free_impact_has_the_coefficient_of_restitution() {
    for formulation in BOTH {
        for e in [1.0, 0.8, 0.3, 0.05] {
            for law in [
                ContactLaw::SMOOTH.with_stiffness(1e6, 1.0),
                ContactLaw::SMOOTH.with_elasticity([STEEL; 2]),
            ] {
                let model = ball(law.with_restitution(e), 0.01, 2.0, 0.0);
                let mut run = simulation(model, formulation, 0.1, 1e-10);
                let _ = run.run(&mut ()).unwrap();
                let speed = read(&mut run, "ball.vz");
                assert!((speed - 2.0 * e).abs() < 1e-7, "e = {e}: {speed}");
                let seen = run.contact_statistics();
                assert_eq!(seen.impacts, 1);
                assert!(seen.indentation > 0.0);
                let worst = run.statistics().worst_energy;
                assert!(worst < 2e-6, "{worst:e}");
                let impulse = read(&mut run, "floor.impulse");
                assert!((impulse - 4.0 * (1.0 + e)).abs() < 1e-6, "{impulse}");
                assert_eq!(read(&mut run, "floor.state"), 0.0);
            }
        }
    }
}

#[test]
fn a_ball_at_rest_indents_the_floor_after_hertz() {
    let rubber = Elasticity {
        youngs_modulus: 1e7,
        poisson: 0.45,
    };
    let modulus = 1.0 / (2.0 * (1.0 - 0.45 * 0.45) / 1e7);
    let stiffness = 4.0 / 3.0 * modulus * 0.1_f64.sqrt();
    for formulation in BOTH {
        for (law, depth) in [
            (
                ContactLaw::SMOOTH.with_elasticity([rubber; 2]),
                (2.0 * G / stiffness).powf(2.0 / 3.0),
            ),
            (ContactLaw::SMOOTH.with_stiffness(1e5, 1.0), 2.0 * G / 1e5),
        ] {
            let model = ball(law.with_restitution(0.3), 0.0, 0.0, G);
            let mut run = simulation(model, formulation, 1.0, 1e-10);
            let _ = run.run(&mut ()).unwrap();
            let gap = read(&mut run, "floor.gap");
            assert!((gap + depth).abs() < 1e-8, "{formulation:?} {gap} {depth}");
            assert!((read(&mut run, "floor.normal") - 2.0 * G).abs() < 1e-3);
            assert!(run.statistics().worst_energy < 1e-8);
        }
    }
}

/// The duration of an impact of the ball with 2 m/s.
fn duration_of_impact(law: ContactLaw) -> f64 {
    let model = ball(law.with_restitution(1.0), 0.01, 2.0, 0.0);
    let mut run = simulation(model, Formulation::Absolute, 0.05, 1e-11);
    let _ = run.run(&mut ()).unwrap();
    let travelled = read(&mut run, "ball.z") - 0.1 + 0.01;
    0.05 - 0.5 * travelled
}

#[test]
fn impacts_become_those_of_rigid_bodies_as_the_stiffness_grows() {
    for k in [1e6, 1e7, 1e8] {
        let linear = duration_of_impact(ContactLaw::SMOOTH.with_stiffness(k, 1.0));
        let half_period = std::f64::consts::PI * (2.0 / k).sqrt();
        assert!(
            (linear / half_period - 1.0).abs() < 1e-5,
            "{linear} {half_period}"
        );
        // 2 ∫ dx/√(1 − x^(5/2)) = 4√π/5 Γ(2/5)/Γ(9/10)
        let hertz = duration_of_impact(ContactLaw::SMOOTH.with_stiffness(k, 1.5));
        let deepest = (2.5 * 2.0 * 4.0 / (2.0 * k)).powf(0.4);
        let expected = 2.943_275_1 * deepest / 2.0;
        assert!((hertz / expected - 1.0).abs() < 1e-5, "{hertz} {expected}");
    }
}

#[test]
fn three_balls_in_a_row_share_the_momentum_according_to_the_law() {
    for (law, shares) in [
        (
            ContactLaw::SMOOTH.with_stiffness(1e6, 1.0),
            [-0.130_261_7, 0.150_229_6, 0.980_032_1],
        ),
        (
            ContactLaw::SMOOTH.with_elasticity([STEEL; 2]),
            [-0.070_952_3, 0.076_403_0, 0.994_549_3],
        ),
    ] {
        for formulation in BOTH {
            let mut model = Model::new("row", Space::Planar);
            let mut last = None;
            for (name, x) in [("a", -0.3), ("b", 0.0), ("c", 0.2)] {
                let mass = MassProperties::planar(1.0, [0.0, 0.0], 0.01).unwrap();
                let body = model.add_body(Body::new(name, mass).at(Pose::translation(x, 0.0, 0.0)));
                let marker = model.body_marker(body);
                if let Some(before) = last {
                    let round = || Circle::new(0.1).unwrap();
                    let (first, second) = ((before, round()), (marker, round()));
                    let law = law.with_restitution(1.0);
                    let _ = model.add_contact(format!("to_{name}"), first, second, law);
                }
                last = Some(marker);
            }
            model.bodies[0].velocity = Some(moving(3.0, 0.0, 0.0));
            let mut run = simulation(model, formulation, 0.2, 1e-11);
            let _ = run.run(&mut ()).unwrap();
            for (name, share) in ["a.vx", "b.vx", "c.vx"].into_iter().zip(shares) {
                let v = read(&mut run, name) / 3.0;
                assert!(
                    (v - share).abs() < 3e-7,
                    "{formulation:?} {name}: {v} for {share}"
                );
            }
        }
    }
}

/// A block of 0.4 m × 0.2 m and 2 kg on a plane inclined by α.
fn slope(alpha: f64, law: ContactLaw) -> Model {
    let mut model = Model::new("block on a slope", Space::Planar);
    model.gravity = Vec3::new(G * alpha.sin(), -G * alpha.cos(), 0.0);
    let mass = MassProperties::planar(2.0, [0.0, 0.0], 2.0 * (0.16 + 0.04) / 12.0).unwrap();
    let block = model.add_body(Body::new("block", mass).at(Pose::translation(0.0, 0.1, 0.0)));
    let marker = model.body_marker(block);
    let shape = Polygon::new(&[[-0.2, -0.1], [0.2, -0.1], [0.2, 0.1], [-0.2, 0.1]]).unwrap();
    let _ = model.add_contact("slope", (MarkerIndex::GROUND, Line), (marker, shape), law);
    model
}

#[test]
fn a_block_holds_on_a_slope_without_creep_and_slides_on_a_steeper_one() {
    let mu: f64 = 0.3;
    let law = ContactLaw::SMOOTH
        .with_friction(mu)
        .with_restitution(0.3)
        .with_stiffness(1e6, 1.0)
        .with_tangential_stiffness(5e5);
    for formulation in BOTH {
        let held = |alpha: f64, duration: f64| {
            let model = slope(alpha, law);
            let study =
                study(&model, formulation, duration).with_integrator(Bdf::new().tolerance(1e-10));
            Simulation::new(assemble(model, formulation).unwrap(), &study).unwrap()
        };
        let alpha = (0.9 * mu).atan();
        let mut run = held(alpha, 1e4);
        let _ = run.advance(10.0).unwrap();
        let early = read(&mut run, "block.x");
        let _ = run.advance(5e3).unwrap();
        let half = read(&mut run, "block.x");
        let _ = run.run(&mut ()).unwrap();
        let late = read(&mut run, "block.x");
        assert!(
            (late - early).abs() < 1e-12 * late && (late - half).abs() < 1e-12 * late,
            "{formulation:?} {early} {half} {late}"
        );
        assert_eq!(read(&mut run, "slope.state"), 1.0);
        let friction = read(&mut run, "slope.tangential");
        assert!(
            (friction - 2.0 * G * alpha.sin()).abs() < 1e-6,
            "{friction}"
        );
        assert!(late < 1e-4, "{late}");

        let alpha = (1.5 * mu).atan();
        let mut run = held(alpha, 1.0);
        let _ = run.run(&mut ()).unwrap();
        let a = G * (alpha.sin() - mu * alpha.cos());
        let speed = read(&mut run, "block.vx");
        assert!((speed / a - 1.0).abs() < 1e-3, "{speed} {a}");
        assert_eq!(read(&mut run, "slope.state"), 2.0);
    }
}

#[test]
fn a_belt_oscillator_becomes_that_of_a_rigid_contact_as_the_stiffness_grows() {
    let (omega, v, rest, slip, m) = (10.0, 0.1, 0.4, 0.3, 1.0);
    let amplitude = (rest - slip) * G / (omega * omega);
    let period =
        2.0 / omega * (std::f64::consts::PI - (amplitude * omega / v).atan()) + 2.0 * amplitude / v;
    let mut errors = Vec::new();
    for k in [1e5, 1e6] {
        let mut model = Model::new("belt", Space::Planar);
        model.gravity = Vec3::new(0.0, -G, 0.0);
        let mass = || MassProperties::planar(m, [0.0, 0.0], 0.1).unwrap();
        let belt = model.add_body(Body::new("belt", mass()));
        let belt_marker = model.body_marker(belt);
        let guide = model.connect("guide", Prismatic, [MarkerIndex::GROUND, belt_marker]);
        let motion = Motion::of_time(move |t| t * v);
        let _ = model.add_driver("motor", DriverTarget::Joint(guide, 0), motion);
        let block = model.add_body(Body::new("block", mass()));
        let marker = model.body_marker(block);
        let law = ContactLaw::SMOOTH
            .with_friction(slip)
            .with_static_friction(rest)
            .with_restitution(0.2)
            .with_stiffness(k, 1.0)
            .with_tangential_stiffness(k);
        let _ = model.add_contact("surface", (belt_marker, Line), (marker, Point), law);
        let wall = model.add_marker("wall", BodyIndex::GROUND, Pose::translation(-1.0, 0.0, 0.0));
        let spring = SpringDamper::new([wall, marker])
            .stiffness(m * omega * omega)
            .length(1.0);
        let _ = model.add_force("spring", spring);
        model.bodies[1].velocity = Some(moving(v, 0.0, 0.0));
        let mut run = simulation(model, Formulation::Absolute, 4.0, 1e-9);
        let (mut last, mut found, mut state) = (0.0, 0.0, 1.0);
        while run.time() < 3.9 {
            let _ = run.step().unwrap();
            let now = read(&mut run, "surface.state");
            if now == 2.0 && state == 1.0 && run.time() > 1.0 {
                (found, last) = (run.time() - last, run.time());
            }
            state = now;
        }
        errors.push((found - period).abs());
        assert!(run.statistics().worst_energy < 1e-6);
    }
    assert!(
        errors[1] < 1e-3 && errors[1] < 0.3 * errors[0],
        "{errors:?}"
    );
}

#[test]
fn a_sphere_slides_until_it_rolls_and_then_rolls_on() {
    let law = ContactLaw::SMOOTH
        .with_friction(0.2)
        .with_restitution(0.3)
        .with_stiffness(1e6, 1.0);
    for formulation in BOTH {
        let mut model = ball(law, 0.0, 0.0, G);
        model.bodies[0].velocity = Some(moving(0.6, 0.8, 0.0));
        let mut run = simulation(model, formulation, 10.0, 1e-9);
        let _ = run.advance(1.0).unwrap();
        let speed = |run: &mut Simulation| read(run, "ball.vx").hypot(read(run, "ball.vy"));
        let rolling = speed(&mut run);
        assert!((rolling - 5.0 / 7.0).abs() < 1e-4, "{rolling}");
        assert_eq!(read(&mut run, "floor.state"), 1.0);
        let _ = run.run(&mut ()).unwrap();
        let late = speed(&mut run);
        assert!(
            (late - rolling).abs() < 1e-7,
            "{formulation:?} {rolling} {late}"
        );
        assert!((read(&mut run, "ball.vx") / late - 0.6).abs() < 1e-5);
        assert!(read(&mut run, "floor.tangential") < 1e-5);
        assert!(run.statistics().worst_energy < 1e-6);
    }
}

/// A ball thrown along the floor: it bounces, slides and rolls.
fn thrown(k: f64) -> Model {
    let mut model = Model::new("ball", Space::Planar);
    model.gravity = Vec3::new(0.0, -G, 0.0);
    let mass = MassProperties::planar(1.0, [0.0, 0.0], 0.5 * 0.01).unwrap();
    let mut body = Body::new("ball", mass).at(Pose::translation(0.0, 0.3, 0.0));
    body.velocity = Some(moving(2.0, 0.0, 0.0));
    let body = model.add_body(body);
    let marker = model.body_marker(body);
    let law = ContactLaw::SMOOTH
        .with_friction(0.3)
        .with_restitution(0.4)
        .with_stiffness(k, 1.0);
    let round = Circle::new(0.1).unwrap();
    let _ = model.add_contact("floor", (MarkerIndex::GROUND, Line), (marker, round), law);
    model
}

#[test]
fn every_integrator_finds_the_same_motion_in_both_formulations() {
    let run = |kind: &str, field: (&'static str, f64), formulation, method: &str| {
        let model = thrown(1e4);
        let mut study = study(&model, formulation, 1.0);
        let mut arguments = Arguments::new(Space::Planar);
        arguments.set(field.0, field.1);
        study.integrator = Choice {
            kind: kind.to_owned(),
            arguments,
        };
        study.method = Choice {
            kind: method.to_owned(),
            arguments: Arguments::new(Space::Planar),
        };
        let mut run = Simulation::new(assemble(model, formulation).unwrap(), &study).unwrap();
        let _ = run.run(&mut ()).map_err(|e| e.to_string())?;
        Ok::<_, String>((read(&mut run, "ball.x"), read(&mut run, "ball.omega")))
    };
    let (x, rate) = run("dop853", ("tolerance", 1e-12), BOTH[0], "projection").unwrap();
    let mut faults = Vec::new();
    for info in INTEGRATORS.iter().filter(|info| info.name != "kinematics") {
        let controlled = info.fields.iter().any(|f| f.name == "tolerance");
        let (field, bound) = match info.name {
            "hht" | "generalized-alpha" => (("tolerance", 1e-8), 2e-3),
            "bdf" => (("tolerance", 1e-9), 1e-4),
            _ if controlled => (("tolerance", 1e-10), 1e-6),
            _ => (("step", 2e-4), 1e-5),
        };
        for formulation in BOTH {
            let methods: &[&str] = if info.name == "dopri5" {
                &[
                    "projection",
                    "augmented",
                    "schur",
                    "nullspace",
                    "partitioning",
                    "rows",
                ]
            } else {
                &["projection"]
            };
            for method in methods {
                let what = format!("{} {method} {formulation:?}", info.name);
                match run(info.name, field, formulation, method) {
                    Ok(found) => {
                        let apart = (found.0 - x).abs().max(0.1 * (found.1 - rate).abs());
                        if apart.is_nan() || apart > bound {
                            faults.push(format!("{what}: {apart:e}"));
                        }
                    }
                    Err(error) => faults.push(format!("{what}: {error}")),
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_thrown_ball_moves_as_with_a_rigid_contact_if_it_is_stiff() {
    let end = |contact, k| {
        let model = thrown(k);
        let study = study(&model, BOTH[0], 0.5)
            .with_contact(contact)
            .with_integrator(Dopri5::new().tolerance(1e-9));
        let mut run = Simulation::new(assemble(model, BOTH[0]).unwrap(), &study).unwrap();
        let _ = run.run(&mut ()).unwrap();
        read(&mut run, "ball.vx")
    };
    let rigid = end(ContactFormulation::Events, 1.0);
    let apart = [1e5, 1e7].map(|k| (end(ContactFormulation::Compliant, k) - rigid).abs());
    assert!(apart[1] < 2e-3 && apart[1] < 0.3 * apart[0], "{apart:?}");
}

#[test]
fn a_snapshot_continues_with_the_same_bits() {
    for kind in 0..2 {
        let model = thrown(1e4);
        let study = study(&model, BOTH[kind], 1.0);
        let study = if kind == 0 {
            study.with_integrator(Dopri5::new().tolerance(1e-8))
        } else {
            study.with_integrator(Bdf::new().tolerance(1e-8))
        };
        let mut run = Simulation::new(assemble(model, BOTH[kind]).unwrap(), &study).unwrap();
        // within the first impact, then while it rolls
        for time in [0.203, 0.9] {
            let _ = run.advance(time).unwrap();
            let snapshot = run.snapshot();
            let _ = run.advance(0.95).unwrap();
            let whole = run.state().clone();
            run.restore(&snapshot).unwrap();
            let _ = run.advance(0.95).unwrap();
            assert_eq!(run.state(), &whole);
            run.restore(&snapshot).unwrap();
        }
    }
}

#[test]
fn a_contact_without_stiffness_is_refused_with_its_name() {
    let refused = |law: ContactLaw, model: fn(ContactLaw) -> Model| {
        let model = model(law);
        let study = study(&model, BOTH[0], 1.0);
        let made = Simulation::new(assemble(model, BOTH[0]).unwrap(), &study);
        made.err().map(|error| error.message).unwrap_or_default()
    };
    let message = refused(ContactLaw::SMOOTH, |law| ball(law, 0.1, 0.0, G));
    assert!(message.contains("`floor` has no stiffness"), "{message}");
    let law = ContactLaw::SMOOTH.with_elasticity([STEEL; 2]);
    let message = refused(law, |law| slope(0.1, law));
    assert!(message.contains("a vertex"), "{message}");
    assert!(refused(law, |law| ball(law, 0.1, 0.0, G)).is_empty());
}

#[test]
fn a_rod_that_jams_as_a_rigid_body_slides_on_a_compliant_floor() {
    let mut model = Model::new("rod", Space::Planar);
    model.gravity = Vec3::new(0.0, -G, 0.0);
    let mass = MassProperties::planar(1.0, [0.5, 0.0], 1.0 / 12.0).unwrap();
    let turned = biela_core::math::rotation::about(2, 2.0_f64.atan());
    let mut rod = Body::new("rod", mass).at(Pose::new(turned, Vec3::zeros()));
    rod.velocity = Some(moving(-2.0, 0.0, 0.0));
    let rod = model.add_body(rod);
    let marker = model.body_marker(rod);
    let law = ContactLaw::SMOOTH
        .with_friction(1.5)
        .with_stiffness(1e5, 1.0);
    let _ = model.add_contact("floor", (MarkerIndex::GROUND, Line), (marker, Point), law);
    let mut run = simulation(model, BOTH[0], 0.2, 1e-8);
    let _ = run.run(&mut ()).unwrap();
    assert!(run.statistics().worst_energy < 1e-5);
}

/// The tangent and central differences of the forces, of a pendulum whose tip is in contact with the floor.
fn tangent_error(space: Space, formulation: Formulation, mode: Mode) -> f64 {
    let mut model = Model::new("pendulum", space);
    let mass = if space == Space::Planar {
        MassProperties::planar(1.0, [0.1, 0.0], 0.02).unwrap()
    } else {
        MassProperties::new(1.0, Vec3::new(0.1, 0.0, 0.0), Mat3::identity() * 0.02).unwrap()
    };
    let body = model.add_body(Body::new("rod", mass));
    let pin = [MarkerIndex::GROUND, model.body_marker(body)];
    if formulation == Formulation::Tree {
        let _ = model.connect("pin", Revolute, pin);
    }
    let law = ContactLaw::SMOOTH
        .with_friction(0.4)
        .with_restitution(0.5)
        .with_stiffness(1e4, 1.0);
    let depth = 1e-6;
    let tip = model.add_marker("tip", body, Pose::translation(0.3, 0.05, 0.02));
    let height = if space == Space::Planar { 0.05 } else { 0.02 } + depth;
    let floor = model.add_marker(
        "floor",
        BodyIndex::GROUND,
        if space == Space::Planar {
            Pose::translation(0.0, height, 0.0)
        } else {
            Pose::translation(0.0, 0.0, height)
        },
    );
    let _ = if space == Space::Planar {
        model.add_contact("touch", (floor, Line), (tip, Point), law)
    } else {
        model.add_contact(
            "touch",
            (floor, HalfSpace),
            (tip, Sphere::new(1e-9).unwrap()),
            law,
        )
    };
    let assembled = assemble(model, formulation).unwrap();
    let state = assembled.state;
    let system = ContactSystem::of(assembled.system, ContactFormulation::Compliant);
    let system: &dyn System = system.as_ref();
    let mut ws = Workspace::new(system);
    let memory = ContactMemory {
        mode,
        slip: if space == Space::Planar {
            [1.0, 0.0]
        } else {
            [0.6, 0.8]
        },
        touch: TouchDown {
            stiffness: 1e4,
            dissipation: 0.3,
            retardation: 0.02,
        },
        ..ContactMemory::default()
    };
    let held = &mut ws.kinematics.inputs.held;
    let first = held.len() - ContactMemory::LEN;
    held[first..].copy_from_slice(&memory.numbers());
    let n = system.sizes().velocities;
    let v: Vec<f64> = (0..n).map(|i| 1e-4 + 5e-5 * i as f64).collect();
    let mut force = |q: &[f64], v: &[f64]| {
        system.update(0.0, q, v, &state.turns, &mut ws.kinematics);
        system.mass(&mut ws);
        system.forces(&mut ws).unwrap();
        system.constraints(&mut ws);
        ws.force.clone()
    };
    let mut differences = vec![0.0; n * n];
    let (k, c) = (2.0, 0.5);
    for column in 0..n {
        for sign in [1.0, -1.0] {
            let (mut delta, mut q) = (vec![0.0; n], state.q.clone());
            delta[column] = sign * 1e-8;
            system.retract(&mut q, &delta);
            let by_position = force(&q, &v);
            let mut w = v.clone();
            w[column] += sign * 1e-8;
            let by_velocity = force(&state.q, &w);
            for row in 0..n {
                differences[n * row + column] -= k * sign * by_position[row] / 2e-8;
                differences[n * row + column] -= c * sign * by_velocity[row] / 2e-8;
            }
        }
    }
    let _ = force(&state.q, &v);
    let entries = system.tangent_pattern().entries.clone();
    let (mut found, mut skew) = (vec![0.0; entries.len()], vec![0.0; entries.len()]);
    let mut mass = vec![0.0; entries.len()];
    system.full_tangent(&mut ws, &[0.0; 3], (0.0, 0.0), &mut mass, None);
    system.full_tangent(&mut ws, &[0.0; 3], (k, c), &mut found, Some(&mut skew));
    for (at, &(i, j)) in entries.iter().enumerate() {
        let (i, j) = (i.max(j), i.min(j));
        differences[n * i + j] -= found[at] - mass[at] + skew[at];
        if i != j {
            differences[n * j + i] -= found[at] - mass[at] - skew[at];
        }
    }
    differences.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

#[test]
fn the_tangent_is_that_of_differences() {
    for space in [Space::Planar, Space::Spatial] {
        for formulation in BOTH {
            for mode in [Mode::Stick, Mode::Slip] {
                // relative to stiffnesses of 2e4 N/m; the change of the directions with the pose is omitted
                let error = tangent_error(space, formulation, mode);
                assert!(error < 0.5, "{space:?} {formulation:?} {mode:?}: {error}");
            }
        }
    }
}
