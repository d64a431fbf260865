//! The results of a run.

use std::time::Duration;

use biela_core::analysis::{Equilibrium, RunFailure, Statistics, Stop};
use biela_core::system::{Channel, SingularPose};
use biela_record::{RecordError, RecordedEvent, RunOutcome, RunStatus};

use crate::{ContactSummary, contacts, evidence};

/// The results of a run. The table of its rows is empty unless they were kept in memory.
#[derive(Clone, Debug)]
pub struct Run {
    /// The reason why the run ended; after a failure the results extend to the time reached.
    pub ended: Result<Stop, RunFailure>,
    /// The time reached, s.
    pub reached: f64,
    /// Cost and error figures.
    pub statistics: Statistics,
    /// Impacts and mode transitions; `None` if the model has no unilateral constraints.
    pub contacts: Option<ContactSummary>,
    /// Time and name of each event, the first [`MOST_EVENTS`](crate::MOST_EVENTS) of them.
    pub events: Vec<(f64, String)>,
    /// Events beyond those that are listed.
    pub events_not_listed: u64,
    /// Singular poses on the way, or at which it stopped; the first [`MOST_POSES`](crate::MOST_POSES) of them.
    pub singular_poses: Vec<SingularPose>,
    /// Singular poses beyond those that are listed.
    pub singular_poses_not_listed: u64,
    /// The equilibria of a study of statics: one a row.
    pub equilibria: Vec<Equilibrium>,
    /// Warnings about values that are not finite and about unreliable forces.
    pub warnings: Vec<String>,
    /// Notes of assembly: given initial values that could not be kept, such as a velocity of a body that contradicts that of its joint.
    pub assembly_notes: Vec<String>,
    /// Notes on automatic changes of the integrator and on what limited its steps.
    pub notes: Vec<String>,
    /// The integrator has numerical damping.
    pub damps: bool,
    pub(crate) channels: Vec<Channel>,
    pub(crate) times: Vec<f64>,
    pub(crate) values: Vec<f64>,
}

impl Run {
    /// Returns the results of a run that did not fail; otherwise the failure, which [`Run::ended`] holds together with the results up to it.
    pub fn complete(self) -> Result<Self, RunFailure> {
        match &self.ended {
            Ok(_) => Ok(self),
            Err(failure) => Err(failure.clone()),
        }
    }

    /// The results of a run that has not begun.
    pub(crate) fn new(channels: Vec<Channel>) -> Self {
        Self {
            ended: Ok(Stop::Finished),
            reached: 0.0,
            statistics: Statistics::default(),
            contacts: None,
            events: Vec::new(),
            events_not_listed: 0,
            singular_poses: Vec::new(),
            singular_poses_not_listed: 0,
            equilibria: Vec::new(),
            warnings: Vec::new(),
            assembly_notes: Vec::new(),
            notes: Vec::new(),
            damps: false,
            channels,
            times: Vec::new(),
            values: Vec::new(),
        }
    }

    /// The recorded signals, in the order of the columns.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// The output times.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The values, row by row, with one value per channel.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Moves output times and values out of the run without a copy.
    pub fn take_table(&mut self) -> (Vec<f64>, Vec<f64>) {
        (
            std::mem::take(&mut self.times),
            std::mem::take(&mut self.values),
        )
    }

    /// Warnings about the reliability of the results: figures out of bounds, and [`Run::warnings`].
    pub fn doubts(&self) -> Vec<String> {
        let mut doubts = evidence::doubts(&self.statistics, self.damps);
        let contacts = self.contacts.iter();
        doubts.extend(contacts.flat_map(|seen| contacts::doubts(seen, &self.statistics)));
        doubts.extend(self.warnings.iter().cloned());
        doubts.extend(evidence::velocity_jumps(&self.singular_poses));
        doubts
    }

    /// Returns the values of a signal at the output times.
    pub fn column(&self, name: &str) -> Option<Vec<f64>> {
        let index = self.channels.iter().position(|c| c.name == name)?;
        let rows = self.values.chunks_exact(self.channels.len());
        Some(rows.map(|row| row[index]).collect())
    }

    /// Returns the status for a manifest. `problem` is the reason why a row could not be written.
    pub fn status(&self, problem: Option<&RecordError>) -> RunStatus {
        match (&self.ended, problem) {
            (_, Some(problem)) => RunStatus::Failed {
                message: problem.to_string(),
                time: self.reached,
            },
            (Ok(Stop::Finished), _) => RunStatus::Finished,
            (Ok(Stop::Event { name, time }), _) => RunStatus::Event {
                name: name.clone(),
                time: *time,
            },
            (Ok(Stop::Interrupted { .. }), _) => RunStatus::Interrupted,
            (Err(failure), _) => RunStatus::Failed {
                message: failure.to_string(),
                time: failure.time,
            },
        }
    }

    /// Returns status, events, statistics, checks and timing for a manifest. `problem` is the reason why a row could not be written, `elapsed` the wall-clock time.
    pub fn outcome(&self, problem: Option<&RecordError>, elapsed: Duration) -> RunOutcome {
        let events = self.events.iter();
        let events = events.map(|(time, name)| RecordedEvent {
            time: *time,
            name: name.clone(),
        });
        RunOutcome {
            status: self.status(problem),
            statistics: evidence::run_statistics(self),
            checks: evidence::run_checks(self),
            events: events.collect(),
            timing: evidence::timing(self.reached, elapsed),
        }
    }
}
