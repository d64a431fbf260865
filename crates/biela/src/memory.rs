//! A run whose results stay in memory.

use std::ops::ControlFlow;

use biela_core::analysis::{
    AssembleError, Failure, Observer, Simulation, Statistics, Stop, assemble,
};
use biela_core::element::ArgumentError;
use biela_core::model::Event;
use biela_core::system::{Channel, Instant, SingularPose};

use crate::{Job, Row};

/// The results of a run.
#[derive(Clone, Debug)]
pub struct Run {
    /// Why it ended; after a failure the results go as far as it came.
    pub ended: Result<Stop, Failure>,
    /// What it cost and how good it was.
    pub statistics: Statistics,
    /// Time and name of each event.
    pub events: Vec<(f64, String)>,
    /// Singular poses on the way, or at which it stopped.
    pub singular_poses: Vec<SingularPose>,
    channels: Vec<Channel>,
    times: Vec<f64>,
    values: Vec<f64>,
}

impl Run {
    /// The recorded signals, in the order of the columns.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// The output times.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The values of a signal at the output times.
    pub fn column(&self, name: &str) -> Option<Vec<f64>> {
        let index = self.channels.iter().position(|c| c.name == name)?;
        let rows = self.values.chunks_exact(self.channels.len());
        Some(rows.map(|row| row[index]).collect())
    }
}

/// Why a job could not be started.
#[derive(Clone, Debug, PartialEq)]
pub enum RunError {
    /// The model cannot be assembled.
    Assemble(AssembleError),
    /// The method or integrator does not take what it was given.
    Study(ArgumentError),
}

impl std::fmt::Display for RunError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RunError::Assemble(error) => error.fmt(f),
            RunError::Study(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RunError {}

struct Memory {
    row: Row,
    times: Vec<f64>,
    values: Vec<f64>,
    events: Vec<(f64, String)>,
    singular_poses: Vec<SingularPose>,
}

impl Observer for Memory {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        let (time, values) = self.row.at(instant);
        self.times.push(time);
        self.values.extend_from_slice(values);
        ControlFlow::Continue(())
    }

    fn event(&mut self, event: &Event, instant: &Instant<'_>) {
        self.events
            .push((instant.scene().time(), event.name.clone()));
    }

    fn singular_pose(&mut self, pose: &SingularPose) {
        self.singular_poses.push(pose.clone());
    }
}

/// Assembles and runs a job and keeps the results in memory.
pub fn run(job: Job) -> Result<Run, RunError> {
    let study = job.study_or_start();
    let Job { model, outputs, .. } = job;
    let assembled = assemble(model, study.formulation).map_err(RunError::Assemble)?;
    let mut simulation = Simulation::new(assembled, &study).map_err(RunError::Study)?;
    let mut memory = Memory {
        row: Row::new(&outputs.channels),
        times: Vec::new(),
        values: Vec::new(),
        events: Vec::new(),
        singular_poses: Vec::new(),
    };
    let ended = simulation.run(&mut memory);
    Ok(Run {
        ended,
        statistics: simulation.statistics(),
        events: memory.events,
        singular_poses: memory.singular_poses,
        channels: outputs.channels,
        times: memory.times,
        values: memory.values,
    })
}
