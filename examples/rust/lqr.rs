//! A linear quadratic regulator for a cart with an inverted pole: linearise, solve the Riccati equation, close the loop by a sampled controller.
//!
//! `cargo run -p biela --example lqr`
#![allow(clippy::print_stdout, unused_results)]

use std::error::Error;

use biela::core::math::LinearQuadratic;
use biela::prelude::*;

/// Sampling period, s.
const PERIOD: f64 = 5e-3;
const STATES: [&str; 4] = ["rail.position", "hinge.angle", "rail.rate", "hinge.rate"];

/// The plant, driven by an external input or, with a gain, by a sampled state feedback.
fn cart_pole(gain: Option<[f64; 4]>, lean: f64) -> Result<Model, Box<dyn Error>> {
    let mut model = Model::new("cart-pole", Space::Planar);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    let heavy = MassProperties::planar(2.0, [0.0, 0.0], 1.0)?;
    let light = MassProperties::planar(0.2, [0.0, 0.5], 0.02)?;
    let cart = model.add_body(Body::new("cart", heavy));
    let pole = model.add_body(Body::new("pole", light));
    let (cart, foot) = (model.body_marker(cart), model.body_marker(pole));
    let rail = model.connect("rail", Prismatic, [MarkerIndex::GROUND, cart]);
    let hinge = model.connect("hinge", Revolute, [cart, foot]);
    model.set_initial(hinge, 0, lean, 0.0);
    let force = match gain {
        None => Signal::Input(model.add_input("push", "N", 0.0)),
        Some(gain) => {
            // ANCHOR: controller
            let feedback = SampledFunction::new(move |_time, x, _states, outputs| {
                outputs[0] = -gain.iter().zip(x).map(|(k, x)| k * x).sum::<f64>();
            });
            let mut controller =
                ControllerElement::new("lqr", PERIOD, feedback).with_output("force", "N");
            for name in STATES {
                controller = controller.with_input(find_signal(&model, name)?);
            }
            model.add_controller(controller)[0]
            // ANCHOR_END: controller
        }
    };
    model.add_force("motor", Actuator::new(rail, force));
    Ok(model)
}

fn main() -> Result<(), Box<dyn Error>> {
    let study = Study::new(Space::Planar, 12.0, PERIOD).with_formulation(Formulation::Tree);
    // ANCHOR: design
    // ẋ = A x + B u at the upright position
    let mut plant = simulate(cart_pole(None, 0.0)?, &study)?;
    let linear = plant.linearize(&LinearModelRequest {
        inputs: vec!["push".into()],
        coordinates: STATES[..2].iter().map(ToString::to_string).collect(),
        ..LinearModelRequest::default()
    })?;
    let weights = [1.0, 10.0, 1.0, 1.0];
    let problem = LinearQuadratic {
        a: linear.a.clone(),
        b: linear.b.clone(),
        q: Matrix::from_fn(4, 4, |i, j| if i == j { weights[i] } else { 0.0 }),
        r: Matrix::from_element(1, 1, 0.1),
    };
    let optimal = problem.sampled(PERIOD).discrete()?;
    let gain = [0, 1, 2, 3].map(|k| optimal.gain[(0, k)]);
    // ANCHOR_END: design
    let names: Vec<&str> = linear.states().map(|state| state.name.as_str()).collect();
    println!("gains {gain:.4?} of {names:?}");
    assert_eq!(names, STATES);

    // the closed loop: the cost along the motion is that of the Riccati equation, x₀ᵀ X x₀
    let lean = 0.01;
    let model = cart_pole(Some(gain), lean)?;
    let signals = STATES.map(|name| model.signal(name).unwrap_or(Signal::Time));
    let mut simulation = simulate(model, &study)?;
    let (mut cost, mut x) = (0.0, [0.0; 4]);
    simulation.run(&mut on_output(|instant| {
        x = [0, 1, 2, 3].map(|k| instant.signal(signals[k]));
        let force: f64 = gain.iter().zip(x).map(|(k, x)| -k * x).sum();
        cost += weights.iter().zip(x).map(|(q, x)| q * x * x).sum::<f64>() + 0.1 * force * force;
    }))?;
    let expected = lean * lean * optimal.cost[(1, 1)];
    println!("cost {cost:.6}, by the Riccati equation {expected:.6}; final state {x:.6?}");
    assert!((cost / expected - 1.0).abs() < 2e-3);
    assert!(x.iter().all(|x| x.abs() < 1e-4));
    Ok(())
}
