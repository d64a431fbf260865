//! When checkpoints are due, and where they go.

use std::time::{Duration, Instant};

use biela::record::{Checkpoint, Header, RecordError, Writer};
use biela::view::Film;

/// The checkpoints of one run. The clock decides when one is written, never what is in the results.
pub(super) struct Checkpoints {
    every: Duration,
    /// Never, where it is beyond what the clock can show.
    due: Option<Instant>,
    /// What tells the run from others.
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

    /// The next one is due after a whole interval without the time that writing takes.
    pub(super) fn wait(&mut self) {
        self.due = Instant::now().checked_add(self.every);
    }

    /// Writes one, with what is in the files on the disk.
    pub(super) fn write(
        &self,
        time: f64,
        (writer, film): (&Writer, Option<&Film>),
        state: Vec<u64>,
        notes: Vec<u64>,
    ) -> Result<(), RecordError> {
        let mut place = writer.place()?;
        place.files.extend(film.into_iter().flat_map(Film::marks));
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
