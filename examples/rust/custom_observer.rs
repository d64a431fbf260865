//! An observer of one's own: it follows the largest reaction of a pin, collects events and ends the run after ten swings.
//!
//! `cargo run -p biela --example custom_observer`
#![allow(clippy::print_stdout, unused_results)]

use std::error::Error;

use biela::prelude::*;

// ANCHOR: observer
/// Figures of a run, without a table of results.
struct Figures {
    reaction: [Signal; 2],
    largest: f64,
    steps: u64,
    lowest: Vec<f64>,
}

impl Observer for Figures {
    // at each output time; a break ends the run
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        let [x, y] = self.reaction.map(|signal| instant.signal(signal));
        self.largest = self.largest.max(x.hypot(y));
        ControlFlow::Continue(())
    }

    // after each accepted step
    fn step(&mut self, _: &Progress) -> ControlFlow<()> {
        self.steps += 1;
        if self.lowest.len() >= 10 {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    // at each event, at its exact time
    fn event(&mut self, _: &Event, instant: &Instant<'_>) {
        self.lowest.push(instant.time());
    }
}
// ANCHOR_END: observer

fn main() -> Result<(), Box<dyn Error>> {
    let mut model = Model::new("pendulum", Space::Planar);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    // the rod hangs along −y at the angle zero and starts at 60°
    let properties = MassProperties::planar(2.0, [0.0, -0.5], 2.0 / 12.0)?;
    let rod = model.add_body(Body::new("rod", properties));
    let between = [MarkerIndex::GROUND, model.body_marker(rod)];
    let pin = model.connect("pin", Revolute, between);
    model.set_initial(pin, 0, 60.0_f64.to_radians(), 0.0);
    let angle = Signal::Joint(pin, JointQuantity::Value(0));
    let law = Law::signal(angle);
    model.add_event("lowest", law, Crossing::Any, EventAction::Mark);

    // ANCHOR: run
    let reaction = [
        find_signal(&model, "pin.reaction.fx")?,
        find_signal(&model, "pin.reaction.fy")?,
    ];
    let mut figures = Figures {
        reaction,
        largest: 0.0,
        steps: 0,
        lowest: Vec::new(),
    };
    let study =
        Study::new(Space::Planar, 100.0, 1e-3).with_integrator(Dop853::new().tolerance(1e-11));
    let mut simulation = simulate(model, &study)?;
    let stop = simulation.run(&mut figures)?;
    // ANCHOR_END: run
    assert!(matches!(stop, Stop::Interrupted { time } if time < 100.0));

    println!("{stop:?} after {} steps", figures.steps);
    // all half periods are equal
    let first = figures.lowest[1] - figures.lowest[0];
    for pair in figures.lowest.windows(2) {
        assert!((pair[1] - pair[0] - first).abs() < 1e-8);
    }
    // at the lowest point: m g + m ω² L/2 with ω² = 3 g (1 − cos 60°)/L
    let expected = 2.0 * 9.81 * (1.0 + 1.5 * 0.5);
    println!(
        "largest reaction {:.4} N, closed form {expected:.4} N",
        figures.largest
    );
    assert!((figures.largest / expected - 1.0).abs() < 1e-4);
    Ok(())
}
