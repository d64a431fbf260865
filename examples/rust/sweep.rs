//! A parameter sweep over a model text: the quarter period of a pendulum for several lengths, one thread per point.
//!
//! `cargo run -p biela --example sweep`
#![allow(clippy::print_stdout, unused_results)]

use std::error::Error;
use std::thread;

use biela::model::lower::Overrides;
use biela::prelude::*;

/// A model in the language of model files; its parameters can be overridden. `biela::load_with` does the same for a file.
const MODEL: &str = r#"
format = 1
name = "pendulum"
space = "planar"
gravity = [0, "-9.81 m/s^2"]

[parameters]
length = "1 m"

[[body]]
name = "rod"
mass = "2 kg"
inertia = "2 kg*length^2/12"
com = ["length/2", 0]

[[joint]]
name = "pin"
type = "revolute"
between = ["ground", "rod"]
initial = { angle = 0, rate = 0 }

[[event]]
name = "lowest"
when = "pin.angle + 90 deg"
action = "stop"

[study]
duration = "10 s"
integrator = { type = "dopri5", tolerance = 1e-10 }
"#;

// ANCHOR: point
/// Runs one point and returns the time at which the rod is vertical, s. Errors that pass between threads must be `Send`.
fn quarter_period(length: f64) -> Result<f64, Box<dyn Error + Send + Sync>> {
    let set = format!("length={length} m");
    let job = biela::read(
        "pendulum.toml",
        MODEL,
        ".".as_ref(),
        &Overrides::new([set.as_str()]),
    )
    .map_err(|error| error.to_string())?;
    match run(job)?.ended? {
        Stop::Event { time, .. } => Ok(time),
        stop => Err(format!("{stop:?} at a length of {length} m").into()),
    }
}
// ANCHOR_END: point

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    // ANCHOR: threads
    let lengths = [0.25, 0.5, 1.0, 2.0, 4.0];
    let times = thread::scope(|scope| {
        let threads = lengths.map(|length| scope.spawn(move || quarter_period(length)));
        // in the order of the lengths, whichever is first
        let joined = threads
            .into_iter()
            .map(|thread| thread.join().map_err(|_| "a thread panicked")?);
        joined.collect::<Result<Vec<f64>, _>>()
    })?;
    // ANCHOR_END: threads
    for (length, time) in lengths.iter().zip(&times) {
        println!("{length:5.2} m: {time:.6} s");
        // the period is proportional to the root of the length
        assert!((time / times[2] - length.sqrt()).abs() < 1e-7);
    }
    Ok(())
}
