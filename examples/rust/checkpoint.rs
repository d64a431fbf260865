//! A checkpoint: the snapshot of a chaotic double pendulum, written to a file and restored, continues with the same bits.
//!
//! `cargo run -p biela --example checkpoint`
#![allow(clippy::print_stdout, unused_results)]

use std::error::Error;
use std::{env, fs, process};

use biela::prelude::*;

/// Two rods in series that start horizontally.
fn double_pendulum() -> Result<Simulation, Box<dyn Error>> {
    let mut model = Model::new("double pendulum", Space::Planar);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    let rod = MassProperties::planar(1.0, [0.5, 0.0], 1.0 / 12.0)?;
    let mut end = MarkerIndex::GROUND;
    for name in ["upper", "lower"] {
        let body = model.add_body(Body::new(name, rod));
        let joint = model.connect(
            format!("{name}_pin"),
            Revolute,
            [end, model.body_marker(body)],
        );
        model.set_initial(joint, 0, 0.0, 0.0);
        end = model.add_marker("end", body, Pose::translation(1.0, 0.0, 0.0));
    }
    let study = Study::new(Space::Planar, 20.0, 0.01).with_integrator(Abm::new().tolerance(1e-8));
    Ok(simulate(model, &study)?)
}

fn bits(simulation: &mut Simulation) -> Result<Vec<u64>, Box<dyn Error>> {
    let state = simulation.current()?;
    Ok(state
        .q
        .iter()
        .chain(&state.v)
        .map(|x| x.to_bits())
        .collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    // ANCHOR: snapshot
    let mut simulation = double_pendulum()?;
    simulation.advance(10.0)?;
    // everything that the run depends on, the history of the multistep integrator included
    let snapshot = simulation.snapshot();
    let path = env::temp_dir().join(format!("biela-checkpoint-{}.bin", process::id()));
    fs::write(
        &path,
        snapshot
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect::<Vec<u8>>(),
    )?;
    simulation.advance(20.0)?;

    // another process would build the same model and study
    let mut resumed = double_pendulum()?;
    let bytes = fs::read(&path)?;
    fs::remove_file(&path)?;
    let words: Vec<u64> = bytes
        .as_chunks::<8>()
        .0
        .iter()
        .map(|word| u64::from_le_bytes(*word))
        .collect();
    resumed.restore(&words)?;
    assert_eq!(resumed.time(), 10.0);
    resumed.advance(20.0)?;
    // ANCHOR_END: snapshot
    assert_eq!(bits(&mut simulation)?, bits(&mut resumed)?);

    println!(
        "{} words at 10 s; the resumed run has the same bits at 20 s",
        words.len()
    );

    // a clone continues in memory, without a file
    let mut clone = simulation.clone();
    clone.restore(&snapshot)?;
    clone.advance(20.0)?;
    assert_eq!(bits(&mut simulation)?, bits(&mut clone)?);
    // a snapshot of another model is refused, and the simulation remains as it was
    assert!(resumed.restore(&words[1..]).is_err() && resumed.time() == 20.0);
    Ok(())
}
