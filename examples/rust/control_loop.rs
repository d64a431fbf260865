//! A control loop at 1 kHz around a cart with an inverted pole: read the state, set the force, advance by a millisecond.
//!
//! `cargo run -p biela --example control_loop`
#![allow(clippy::print_stdout, unused_results)]

use std::error::Error;

use biela::prelude::*;

// ANCHOR: model
/// A cart of 2 kg on a rail, pushed by an external input, with a pole of 0.2 kg that stands upright at the angle zero.
fn cart_pole() -> Result<Model, Box<dyn Error>> {
    let mut model = Model::new("cart-pole", Space::Planar);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    let heavy = MassProperties::planar(2.0, [0.0, 0.0], 1.0)?;
    let light = MassProperties::planar(0.2, [0.0, 0.5], 0.02)?;
    let cart = model.add_body(Body::new("cart", heavy));
    let pole = model.add_body(Body::new("pole", light));
    let (cart, foot) = (model.body_marker(cart), model.body_marker(pole));
    let rail = model.connect("rail", Prismatic, [MarkerIndex::GROUND, cart]);
    let hinge = model.connect("hinge", Revolute, [cart, foot]);
    model.set_initial(hinge, 0, 0.2, 0.0);
    // an external input, and an actuator along the rail whose force is its value
    let push = model.add_input("push", "N", 0.0);
    model.add_force("motor", Actuator::new(rail, Signal::Input(push)));
    Ok(model)
}
// ANCHOR_END: model

fn main() -> Result<(), Box<dyn Error>> {
    // ANCHOR: loop
    let model = cart_pole()?;
    let push = find_input(&model, "push")?;
    let signals = [
        find_signal(&model, "rail.position")?,
        find_signal(&model, "hinge.angle")?,
        find_signal(&model, "rail.rate")?,
        find_signal(&model, "hinge.rate")?,
    ];
    let study = Study::new(Space::Planar, 8.0, 0.1).with_formulation(Formulation::Tree);
    let mut simulation = simulate(model, &study)?;

    // u = −K x; these gains place all four poles of the linear model at −3 1/s
    let gains = [-11.890, 107.665, -15.853, 28.377];
    let mut x = [0.0; 4];
    for period in 1..=8000 {
        simulation.observe(&signals, &mut x)?;
        let force: f64 = gains.iter().zip(x).map(|(k, x)| -k * x).sum();
        simulation.set(push, force.clamp(-40.0, 40.0))?;
        simulation.advance(f64::from(period) * 1e-3)?;
        if period % 1000 == 0 {
            println!(
                "t = {:.0} s: cart at {:8.4} m, pole at {:8.4}°",
                simulation.time(),
                x[0],
                x[1].to_degrees()
            );
        }
    }
    // ANCHOR_END: loop
    simulation.observe(&signals, &mut x)?;
    let largest = x.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    println!("largest deviation after 8 s: {largest:.1e}");
    assert!(largest < 1e-4, "{x:?}");
    Ok(())
}
