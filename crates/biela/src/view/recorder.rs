//! Recording of a run in a results folder: rows, motion, and their live view.

use std::ops::ControlFlow;

use biela_core::analysis::Observer;
use biela_core::model::Event;
use biela_core::system::Instant;
use biela_record::{Manifest, RecordError, RunOutcome, Writer};

use super::live::LiveRun;
use super::motion_recorder::{Filmed, MotionRecorder};
use crate::RowRecorder;

/// Writes rows and motion of a session to a results folder, and shows them in the viewer.
#[derive(Debug)]
pub struct FolderRecorder {
    /// The rows.
    pub rows: RowRecorder,
    /// The motion, if it is recorded.
    pub film: Option<MotionRecorder>,
    live: Option<LiveRun>,
}

impl FolderRecorder {
    /// Creates the recorder of a folder whose writers have just been opened.
    pub fn new(writer: Writer, film: Option<MotionRecorder>) -> Self {
        Self {
            rows: RowRecorder::new(writer),
            film,
            live: None,
        }
    }

    /// Adds the live view.
    #[must_use]
    pub fn showing(self, live: Option<LiveRun>) -> Self {
        Self { live, ..self }
    }

    /// Shows the rows and events of a resumed run that are in its checkpoint.
    pub fn show_earlier<'r>(
        &mut self,
        rows: impl Iterator<Item = &'r [f64]>,
        events: &[(f64, String)],
    ) {
        let Some(live) = &mut self.live else {
            return;
        };
        let kept = self.rows.writer.kept().rows;
        for row in rows {
            live.sample(row[0], &row[1..], kept);
        }
        for (time, name) in events {
            live.event(*time, name);
        }
    }

    /// Ends the recording of the motion.
    pub fn finish_motion(&mut self) -> Option<Filmed> {
        self.film.take().map(MotionRecorder::finish)
    }

    /// Completes the folder, and then its live view.
    pub fn finish(mut self, outcome: RunOutcome) -> Result<Manifest, RecordError> {
        let _ = self.finish_motion();
        let finished = self.rows.writer.finish(outcome);
        if let Some(live) = self.live {
            live.finish();
        }
        finished
    }
}

impl Observer for FolderRecorder {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        self.rows.sample(instant)?;
        if let Some(film) = &mut self.film {
            film.sample(instant);
        }
        if let Some(live) = &mut self.live {
            let kept = self.rows.writer.kept().rows;
            live.sample(instant.time(), instant.row, kept);
            if let Some(film) = &mut self.film {
                live.tell(instant.time(), film);
            }
        }
        ControlFlow::Continue(())
    }

    fn event(&mut self, event: &Event, instant: &Instant<'_>) {
        if let Some(live) = &mut self.live {
            live.event(instant.time(), &event.name);
        }
    }
}
