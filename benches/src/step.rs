//! A cart-pole stepped from Rust: one input set, one step of 1 ms by the classical Runge–Kutta method, and four signals read.

use std::hint::black_box;
use std::path::Path;

use biela_core::analysis::Simulation;
use biela_core::model::Signal;
use biela_core::system::channels;

use crate::report::{BenchmarkReport, BenchmarkRow};
use crate::{Error, clock};

/// The model of the environment of the Python package.
const MODEL: &str = "../crates/biela-py/python/biela/environments/cart-pole.toml";
const SIGNALS: [&str; 4] = ["rail.position", "hinge.angle", "rail.rate", "hinge.rate"];
/// Steps of a measured run.
const STEPS: usize = 200_000;
/// The required number of steps per second.
const REQUIRED: f64 = 1_500_000.0;

/// The time of one step, beside the required one. The error is that of the energy balance.
pub(crate) fn run(report: &mut BenchmarkReport) -> Result<(), Error> {
    let job = biela::load(Path::new(env!("CARGO_MANIFEST_DIR")).join(MODEL))?;
    let study = job.study.ok_or("the model has no study")?;
    let all = channels(&job.model);
    let find = |name| all.iter().find(|c| c.name == name).map(|c| c.signal);
    let signals: Option<Vec<Signal>> = SIGNALS.into_iter().map(find).collect();
    let signals = signals.ok_or("the model lacks a signal")?;
    let push = biela::find_input(&job.model, "push")?;
    let mut simulation = Simulation::new(biela::start(job.model, &study)?, &study)?;
    let mut seen = [0.0; SIGNALS.len()];
    let (seconds, ()) = clock::median(|| {
        simulation.reset()?;
        let (seconds, made) = clock::time(|| -> Result<(), Error> {
            for k in 0..STEPS {
                simulation.set(push, (5e-3 * k as f64).sin())?;
                let _ = simulation.step()?;
                simulation.observe(&signals, &mut seen)?;
                let _ = black_box(&seen);
            }
            Ok(())
        });
        made?;
        Ok((seconds / STEPS as f64, ()))
    })?;
    let statistics = simulation.statistics();
    let error = statistics.worst_energy / statistics.energy_scale;
    let ours = BenchmarkRow::ours("step/rust", seconds, Some(error));
    let rate = 1.0 / seconds;
    report.require(
        rate >= REQUIRED,
        format!("step/rust: {rate:.0} steps per second, at least {REQUIRED}"),
    );
    report.row(&ours.beside("the requirement", 1.0 / REQUIRED))?;
    Ok(())
}
