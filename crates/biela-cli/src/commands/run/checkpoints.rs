//! Schedule and location of checkpoints.

use std::time::{Duration, Instant};

use biela::record::{Checkpoint, Header, RecordError, Writer};
use biela::view::MotionRecorder;

/// The checkpoints of one run. The clock decides when one is written; it does not affect the results.
pub(super) struct Checkpoints {
    every: Duration,
    /// Time of the next checkpoint; `None` if it is beyond the range of the clock.
    due: Option<Instant>,
    /// The identity of the run.
    identity: Header,
}

impl Checkpoints {
    pub(super) fn new(every: Duration, identity: Header) -> Self {
        Self {
            every,
            due: Instant::now().checked_add(every),
            identity,
        }
    }

    pub(super) fn is_due(&self) -> bool {
        self.due.is_some_and(|due| Instant::now() >= due)
    }

    /// Schedules the next checkpoint after a full interval, which excludes the time for writing.
    pub(super) fn wait(&mut self) {
        self.due = Instant::now().checked_add(self.every);
    }

    /// Writes a checkpoint that refers to the data already on disk.
    pub(super) fn write(
        &self,
        time: f64,
        (writer, film): (&Writer, Option<&MotionRecorder>),
        state: Vec<u64>,
        notes: Vec<u64>,
    ) -> Result<(), RecordError> {
        let mut place = writer.place()?;
        place
            .files
            .extend(film.into_iter().flat_map(MotionRecorder::marks));
        let checkpoint = Checkpoint {
            header: self.identity.clone(),
            time,
            place,
            state,
            notes,
        };
        writer.save(&checkpoint)
    }
}
