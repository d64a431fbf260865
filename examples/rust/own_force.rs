//! A force of one's own, as a type and as a closure: quadratic drag on a falling ball, compared with its closed form v = v∞ tanh(g t/v∞).
//!
//! `cargo run -p biela --example own_force`
#![allow(clippy::print_stdout, unused_results)]

use std::error::Error;

use biela::prelude::*;

/// Drag coefficient, kg/m, mass, kg, and gravity, m/s².
const C: f64 = 0.05;
const MASS: f64 = 0.5;
const G: f64 = 9.81;

// ANCHOR: type
/// The drag of a point in still air: F = −c |v| v, with the power P = F·v.
#[derive(Debug)]
struct Drag {
    at: MarkerIndex,
    c: f64,
}

impl Force for Drag {
    // the only required function: adds the loads, and the power of a force without potential
    fn apply(&self, context: &EvaluationContext<'_>, loads: &mut Loads) {
        let point = context.marker(self.at);
        let force = point.v * (-self.c * point.v.norm());
        loads.add_force(context, context.body_of(self.at), &point.p, &force);
        loads.add_power(force.dot(&point.v));
    }

    // implicit integrators differentiate the loads with respect to the motion of these bodies
    fn bodies(&self, model: &Model) -> Vec<BodyIndex> {
        vec![model.markers[self.at.0].body]
    }
}
// ANCHOR_END: type

fn balls() -> Result<Model, Box<dyn Error>> {
    let mut model = Model::new("two balls", Space::Planar);
    model.gravity = Vec3::new(0.0, -G, 0.0);
    let ball = MassProperties::planar(MASS, [0.0, 0.0], 1e-3)?;
    let free = model.add_body(Body::new("free", ball));
    let guided = model.add_body(Body::new("guided", ball));

    // the type acts on a marker
    let at = model.body_marker(free);
    model.add_force("air", Drag { at, c: C });

    // ANCHOR: closure
    // the closure is the law of an actuator along a vertical guide; it reads the velocity of the guide
    let between = [MarkerIndex::GROUND, model.body_marker(guided)];
    let guide = model.add_joint_along("guide", Prismatic, between, [0.0, 1.0]);
    let velocity = Signal::Joint(guide, JointQuantity::Rate(0));
    let law = Law::from_fn([velocity], |_time, v| -C * v[0].abs() * v[0]);
    model.add_force("drag", Actuator::new(guide, law));
    // ANCHOR_END: closure
    Ok(model)
}

fn main() -> Result<(), Box<dyn Error>> {
    let terminal = (MASS * G / C).sqrt();
    let exact = -terminal * (G * 2.0 / terminal).tanh();
    // an explicit and an implicit integrator, in both formulations
    let study = Study::new(Space::Planar, 2.0, 0.1);
    for study in [
        study.clone().with_integrator(Bdf::new().tolerance(1e-9)),
        study
            .with_formulation(Formulation::Tree)
            .with_integrator(Dop853::new().tolerance(1e-9)),
    ] {
        let (formulation, integrator) = (study.formulation, study.integrator.kind.clone());
        let run = biela::run(Job::of(balls()?, study))?;
        let last = |name| run.column(name).and_then(|x| x.last().copied()).ok_or(name);
        let [free, guided] = [last("free.vy")?, last("guided.vy")?];
        println!("{formulation:?} {integrator}: {free:.6} and {guided:.6} m/s");
        assert!((free - exact).abs() < 1e-5 && (guided - exact).abs() < 1e-5);
        // the work of both forces is a part of the energy balance
        assert!(last("energy.balance")?.abs() < 1e-4);
    }
    println!("closed form: {exact:.7} m/s");
    Ok(())
}
