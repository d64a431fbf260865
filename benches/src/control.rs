//! Robots in closed loop: the real-time factor of the engine.

use std::ops::ControlFlow;
use std::path::Path;

use biela_core::analysis::{Choice, Observer, Simulation, assemble};
use biela_core::element::{Arguments, FieldValue};
use biela_core::system::Instant;

use crate::report::{BenchmarkReport, BenchmarkRow};
use crate::{Error, clock};

/// Simulated time, s: a hundred swings.
const DURATION: f64 = 128.0;

/// An observer that ignores the samples.
struct Nobody;

impl Observer for Nobody {
    fn sample(&mut self, _: &Instant<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The arm of `examples/robots/model-mismatch`, two joints sampled every 5 ms, by both integrators of its source. The peer is the clock; the error is that of
/// the energy balance.
pub(crate) fn run(report: &BenchmarkReport) -> Result<(), Error> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = path.join("../examples/robots/model-mismatch/model.toml");
    for (kind, field, value) in [("rk4", "step", 5e-3), ("rk4-doubling", "tolerance", 1e-6)] {
        let (seconds, statistics) = clock::median(|| {
            let job = biela::load(&path)?;
            let mut study = job.study.ok_or("the model has no study")?;
            study.duration = DURATION;
            study.output_step = DURATION;
            let arguments = Arguments::new(job.model.space).with(field, FieldValue::Number(value));
            study.integrator = Choice {
                kind: kind.to_owned(),
                arguments,
            };
            let assembled = assemble(job.model, study.formulation)?;
            let mut simulation = Simulation::new(assembled, &study)?;
            let (seconds, stop) = clock::time(|| simulation.run(&mut Nobody));
            let _ = stop?;
            Ok((seconds, simulation.statistics()))
        })?;
        let error = statistics.worst_energy / statistics.energy_scale;
        let name = format!("control/{kind}");
        report
            .row(&BenchmarkRow::ours(&name, seconds, Some(error)).beside("the clock", DURATION))?;
    }
    Ok(())
}
