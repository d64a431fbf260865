//! A rod on a pin, built in code: the time that it needs to fall from horizontal to vertical, compared with the elliptic integral.
//!
//! `cargo run -p biela --example pendulum`
#![allow(clippy::print_stdout, unused_results)]

use std::error::Error;
use std::f64::consts::{FRAC_PI_2, PI};

use biela::prelude::*;

// ANCHOR: model
/// A rod of length L and mass m on a pin at one end. Its frame lies at the pin, with x along the rod.
fn pendulum(length: f64, mass: f64) -> Result<Model, Box<dyn Error>> {
    let mut model = Model::new("pendulum", Space::Planar);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    // mass, mass centre in the body frame, moment of inertia about the mass centre
    let properties =
        MassProperties::planar(mass, [length / 2.0, 0.0], mass * length.powi(2) / 12.0)?;
    let rod = model.add_body(Body::new("rod", properties));
    // joints connect markers: points or frames of bodies and of the ground
    let top = model.body_marker(rod);
    model.add_marker("tip", rod, Pose::translation(length, 0.0, 0.0));
    let pin = model.connect("pin", Revolute, [MarkerIndex::GROUND, top]);
    // the rod starts at rest along x: coordinate 0 of the pin is its angle
    model.set_initial(pin, 0, 0.0, 0.0);
    Ok(model)
}
// ANCHOR_END: model

fn main() -> Result<(), Box<dyn Error>> {
    let (length, mass) = (1.0, 2.0);
    // ANCHOR: run
    let mut model = pendulum(length, mass)?;
    // the run ends where angle + 90° passes zero
    let angle = find_signal(&model, "pin.angle")?;
    let below = Law::linear(angle, 1.0, FRAC_PI_2);
    model.add_event("lowest", below, Crossing::Falling, EventAction::Stop);

    let study =
        Study::new(Space::Planar, 10.0, 0.01).with_integrator(Dop853::new().tolerance(1e-12));
    let run = biela::run(Job::of(model, study))?;
    let Stop::Event { name, time } = run.ended.clone()? else {
        return Err("the rod never reached its lowest position".into());
    };
    // ANCHOR_END: run
    println!("event `{name}` at t = {time:.9} s");

    // ANCHOR: results
    let speed = run.column("rod.tip.vx").ok_or("no such signal")?;
    println!(
        "{} rows, final speed of the tip {:.6} m/s",
        speed.len(),
        speed[speed.len() - 1].abs()
    );
    // ANCHOR_END: results

    // quarter of the period at an amplitude of 90°: K(sin 45°)/ω₀ with ω₀² = 3 g/(2 L), K by the arithmetic–geometric mean
    let (mut a, mut b) = (1.0, (PI / 4.0).cos());
    for _ in 0..6 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    let exact = PI / (2.0 * a) / (1.5 * 9.81 / length).sqrt();
    println!("elliptic integral:  t = {exact:.9} s");
    assert!((time - exact).abs() < 1e-9, "{time} s instead of {exact} s");
    // energy: the tip falls to the speed √(3 g L)
    let fastest = speed[speed.len() - 1].abs();
    assert!((fastest - (3.0 * 9.81 * length).sqrt()).abs() < 1e-8);
    Ok(())
}
