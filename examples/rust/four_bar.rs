//! A crank-rocker: a closed loop of three moving bars, driven at constant speed, compared with the closed form of its position.
//!
//! `cargo run -p biela --example four_bar`
#![allow(clippy::print_stdout, unused_results)]

use std::error::Error;

use biela::prelude::*;

/// Lengths of crank, coupler and rocker, and the distance of the two ground pivots, m.
const CRANK: f64 = 0.2;
const COUPLER: f64 = 0.6;
const ROCKER: f64 = 0.5;
const GROUND: f64 = 0.7;
/// Initial angle of the crank, rad, and its speed, rad/s.
const START: f64 = 1.0;
const SPEED: f64 = 6.0;

/// Angles of coupler and rocker for an angle of the crank, from the triangle above the diagonal.
fn closed_form(crank: f64) -> [f64; 2] {
    let (ax, ay) = (CRANK * crank.cos(), CRANK * crank.sin());
    let (dx, dy) = (GROUND - ax, -ay);
    let diagonal = dx.hypot(dy);
    let cosine = (COUPLER.powi(2) + diagonal.powi(2) - ROCKER.powi(2)) / (2.0 * COUPLER * diagonal);
    let coupler = dy.atan2(dx) + cosine.acos();
    let (bx, by) = (ax + COUPLER * coupler.cos(), ay + COUPLER * coupler.sin());
    [coupler, by.atan2(bx - GROUND)]
}

// ANCHOR: model
/// Adds a uniform bar of 1 kg/m and returns the markers of its two ends.
fn bar(
    model: &mut Model,
    name: &str,
    length: f64,
    start: Pose,
) -> Result<[MarkerIndex; 2], Box<dyn Error>> {
    let inertia = length.powi(3) / 12.0;
    let properties = MassProperties::planar(length, [length / 2.0, 0.0], inertia)?;
    // the initial pose selects the branch of the loop; assembly makes it exact
    let body = model.add_body(Body::new(name, properties).at(start));
    let end = model.add_marker("end", body, Pose::translation(length, 0.0, 0.0));
    Ok([model.body_marker(body), end])
}

fn four_bar() -> Result<Model, Box<dyn Error>> {
    let mut model = Model::new("four-bar", Space::Planar);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    let [coupler, rocker] = closed_form(START);
    let [o, a] = bar(&mut model, "crank", CRANK, Pose::planar(0.0, 0.0, START))?;
    let at = Pose::planar(CRANK * START.cos(), CRANK * START.sin(), coupler);
    let [a2, b] = bar(&mut model, "coupler", COUPLER, at)?;
    let [d, b2] = bar(
        &mut model,
        "rocker",
        ROCKER,
        Pose::planar(GROUND, 0.0, rocker),
    )?;
    let pivot = model.add_marker("D", BodyIndex::GROUND, Pose::translation(GROUND, 0.0, 0.0));
    let pin_o = model.connect("O", Revolute, [MarkerIndex::GROUND, o]);
    model.connect("A", Revolute, [a, a2]);
    model.connect("B", Revolute, [b, b2]);
    model.connect("D", Revolute, [pivot, d]);
    // the motor prescribes the angle of the crank; the closure is differentiated exactly
    let motion = Motion::of_time(|t| START + SPEED * t);
    model.add_driver("motor", DriverTarget::Joint(pin_o, 0), motion);
    Ok(model)
}
// ANCHOR_END: model

fn main() -> Result<(), Box<dyn Error>> {
    let turn = std::f64::consts::TAU / SPEED;
    // a driven mechanism without a degree of freedom: `kinematics` solves the constraints at each step
    let study = Study::new(Space::Planar, turn, turn / 360.0)
        .with_integrator(Kinematics::new().step(turn / 360.0));
    let run = biela::run(Job::of(four_bar()?, study))?;
    assert_eq!(run.ended.clone()?, Stop::Finished);
    let [crank, rocker] = ["O.angle", "D.angle"].map(|name| run.column(name).unwrap_or_default());
    let mut worst = 0.0_f64;
    for (crank, rocker) in crank.iter().zip(&rocker) {
        worst = worst.max((rocker - closed_form(*crank)[1]).sin().abs());
    }
    let torque = run.column("motor.effort").ok_or("no such signal")?;
    println!("torque of the motor at the start {:.4} N·m", torque[0]);
    println!("largest difference from the closed form {worst:.1e} rad");
    assert!(crank.len() == 361 && worst < 1e-9, "{worst:e} rad");
    Ok(())
}
