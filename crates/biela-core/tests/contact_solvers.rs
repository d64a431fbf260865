//! Contacts with every integrator and every solution method, in both formulations.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use biela_core::analysis::{Choice, Formulation, Simulation, Study, assemble};
use biela_core::contact::{Circle, Line, Polygon};
use biela_core::element::Arguments;
use biela_core::integrators::INTEGRATORS;
use biela_core::math::{Pose, Vec3};
use biela_core::methods::METHODS;
use biela_core::model::{Body, ContactLaw, MarkerIndex, MassProperties, Model, Space, Velocity0};

const G: f64 = 9.81;

fn get(run: &mut Simulation, name: &str) -> f64 {
    let signal = run.model().signal(name).unwrap();
    run.read(signal).unwrap()
}

/// A ball thrown along the floor: it bounces, slides and rolls.
fn ball() -> Model {
    let mut model = Model::new("ball", Space::Planar);
    model.gravity = Vec3::new(0.0, -G, 0.0);
    let mass = MassProperties::planar(1.0, [0.0, 0.0], 0.5 * 0.01).unwrap();
    let mut body = Body::new("ball", mass).at(Pose::translation(0.0, 0.3, 0.0));
    body.velocity = Some(Velocity0 {
        linear: Vec3::new(2.0, 0.0, 0.0),
        angular: Vec3::zeros(),
    });
    let body = model.add_body(body);
    let marker = model.body_marker(body);
    let law = ContactLaw::SMOOTH.with_friction(0.3).with_restitution(0.4);
    let round = Circle::new(0.1).unwrap();
    let _ = model.add_contact("floor", (MarkerIndex::GROUND, Line), (marker, round), law);
    model
}

/// A block that slides down a slope and is held where friction grows? It starts with a velocity uphill, stops and stays.
fn block() -> Model {
    let mut model = Model::new("block", Space::Planar);
    let alpha = 0.2_f64;
    model.gravity = Vec3::new(-G * alpha.sin(), -G * alpha.cos(), 0.0);
    let mass = MassProperties::planar(2.0, [0.0, 0.0], 0.05).unwrap();
    let mut body = Body::new("block", mass).at(Pose::translation(0.0, 0.1, 0.0));
    body.velocity = Some(Velocity0 {
        linear: Vec3::new(1.5, 0.0, 0.0),
        angular: Vec3::zeros(),
    });
    let body = model.add_body(body);
    let marker = model.body_marker(body);
    let shape = Polygon::new(&[[-0.2, -0.1], [0.2, -0.1], [0.2, 0.1], [-0.2, 0.1]]).unwrap();
    let law = ContactLaw::SMOOTH.with_friction(0.4);
    let _ = model.add_contact("slope", (MarkerIndex::GROUND, Line), (marker, shape), law);
    model
}

/// A disc that rolls to rest by rolling resistance.
fn roller() -> Model {
    let mut model = Model::new("roller", Space::Planar);
    model.gravity = Vec3::new(0.0, -G, 0.0);
    let mass = MassProperties::planar(1.0, [0.0, 0.0], 0.5 * 0.01).unwrap();
    let mut body = Body::new("roller", mass).at(Pose::translation(0.0, 0.1, 0.0));
    body.velocity = Some(Velocity0 {
        linear: Vec3::new(0.5, 0.0, 0.0),
        angular: Vec3::new(0.0, 0.0, -5.0),
    });
    let body = model.add_body(body);
    let marker = model.body_marker(body);
    let law = ContactLaw::SMOOTH
        .with_friction(0.3)
        .with_rolling_resistance(0.02);
    let round = Circle::new(0.1).unwrap();
    let _ = model.add_contact("floor", (MarkerIndex::GROUND, Line), (marker, round), law);
    model
}

fn choice(kind: &str, fields: &[(&'static str, f64)]) -> Choice {
    let mut arguments = Arguments::new(Space::Planar);
    for (name, value) in fields {
        arguments.set(name, *value);
    }
    Choice {
        kind: kind.to_owned(),
        arguments,
    }
}

fn run(
    model: Model,
    formulation: Formulation,
    integrator: Choice,
    method: &str,
    end: f64,
) -> Result<Simulation, String> {
    let mut study = Study::new(Space::Planar, end, end / 20.0).with_formulation(formulation);
    study.integrator = integrator;
    study.method = choice(method, &[]);
    let assembled = assemble(model, formulation).map_err(|e| e.to_string())?;
    let mut run = Simulation::new(assembled, &study).map_err(|e| e.to_string())?;
    let _ = run.run(&mut ()).map_err(|e| e.to_string())?;
    Ok(run)
}

/// The settings of an integrator: error control where it has one.
fn setting(name: &str) -> Option<(Choice, f64)> {
    let info = INTEGRATORS.iter().find(|info| info.name == name)?;
    let has = |field: &str| info.fields.iter().any(|f| f.name == field);
    match name {
        "kinematics" => None,
        "hht" | "generalized-alpha" => Some((choice(name, &[("tolerance", 1e-7)]), 2e-3)),
        "bdf" => Some((choice(name, &[("tolerance", 1e-8)]), 1e-4)),
        _ if has("tolerance") => Some((choice(name, &[("tolerance", 1e-9)]), 1e-6)),
        _ => Some((choice(name, &[("step", 1e-3)]), 1e-6)),
    }
}

/// A model, the value of a signal at a time, the signal and the time.
type Reference = (fn() -> Model, f64, &'static str, f64);

#[test]
fn every_integrator_and_method_finds_the_motion_of_bouncing_sliding_rolling_and_sticking_bodies() {
    let best = |model: Model, end| {
        let dopri5 = choice("dop853", &[("tolerance", 1e-12)]);
        run(model, Formulation::Absolute, dopri5, "projection", end).unwrap()
    };
    let mut faults = Vec::new();
    let (mut ball_best, mut block_best) = (best(ball(), 1.5), best(block(), 1.0));
    // the block stops after v/a with a = g (sin α + μ cos α)
    let a = G * (0.2_f64.sin() + 0.4 * 0.2_f64.cos());
    assert!((get(&mut block_best, "block.x") - 0.5 * 1.5 * 1.5 / a).abs() < 1e-9);
    // the roller stops after v/a with (1 + k) a = g ρ/r, k = 1/2
    let stopped = 0.5 * 0.5 * 0.5 * 1.5 / (G * 0.2);
    let references: [Reference; 3] = [
        (ball, get(&mut ball_best, "ball.x"), "ball.x", 1.5),
        (block, get(&mut block_best, "block.x"), "block.x", 1.0),
        (roller, stopped, "roller.x", 0.6),
    ];
    for info in INTEGRATORS {
        let Some((integrator, bound)) = setting(info.name) else {
            continue;
        };
        for formulation in [Formulation::Absolute, Formulation::Tree] {
            for method in METHODS {
                // methods matter for explicit integrators; implicit ones solve the equations themselves
                if method.name != "projection" && info.name != "dopri5" {
                    continue;
                }
                for (model, reference, signal, end) in references {
                    let what = format!("{} {} {formulation:?} {signal}", info.name, method.name);
                    match run(model(), formulation, integrator.clone(), method.name, end) {
                        Ok(mut run) => {
                            let apart = (get(&mut run, signal) - reference).abs();
                            if apart.is_nan() || apart > bound {
                                faults.push(format!("{what}: {apart:e}"));
                            }
                        }
                        Err(error) => faults.push(format!("{what}: {error}")),
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
