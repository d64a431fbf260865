//! The observer of `biela run`.

use std::ops::ControlFlow;
use std::time::Duration;

use biela::core::analysis::{Observer, Progress};
use biela::core::keep::{Keep, Words};
use biela::core::model::Event;
use biela::core::system::Instant;
use biela::parameter_study::Taking;
use biela::record::{Checkpoint, RecordError};
use biela::view::{FolderRecorder, MotionRecorder};

use super::checkpoints::Checkpoints;
use super::is_to_end;
use super::printer::SismulPrinter;
use crate::progress::Meter;

/// Records a run in its folder, takes its measures, shows its progress, writes checkpoints and handles interrupts.
pub(super) struct RunRecorder {
    pub(super) folder: FolderRecorder,
    pub(super) meter: Meter,
    pub(super) taking: Taking,
    pub(super) printer: Option<SismulPrinter>,
    pub(super) checkpoints: Option<Checkpoints>,
    /// Wall-clock time up to the last checkpoint.
    pub(super) elapsed: Duration,
    /// Time of the last checkpoint in the folder.
    pub(super) checkpoint: Option<f64>,
    /// The reason why the last checkpoint could not be written.
    pub(super) checkpoint_problem: Option<String>,
}

/// Everything that a checkpoint contains besides the session and the files: wall-clock time and measures.
impl Keep for RunRecorder {
    fn keep(&mut self, words: &mut Words) {
        let mut seconds = self.elapsed.as_secs_f64();
        seconds.keep(words);
        self.elapsed = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        self.taking.keep(words);
    }
}

impl RunRecorder {
    /// Restores the recorded data from a checkpoint. Returns `false` if the layout differs.
    #[must_use]
    pub(super) fn resume(&mut self, checkpoint: Checkpoint, events: &[(f64, String)]) -> bool {
        if !Words::bring_back(checkpoint.notes, self) {
            return false;
        }
        self.meter.resume(self.elapsed);
        self.checkpoint = Some(checkpoint.time);
        let columns = 1 + checkpoint.header.columns.len();
        let rows = checkpoint.place.pending_rows(columns);
        self.folder.show_earlier(rows, events);
        true
    }

    /// Writes a checkpoint. If the disk is full, the run continues with the previous checkpoint; if its folder is gone, the run ends.
    fn write_checkpoint(&mut self, time: f64, state: Vec<u64>) {
        self.elapsed = self.meter.elapsed();
        let notes = Words::of(self);
        let Some(checkpoints) = &mut self.checkpoints else {
            return;
        };
        checkpoints.wait();
        let FolderRecorder { rows, film, .. } = &mut self.folder;
        if let Some(film) = film {
            film.sync();
        }
        // without the frames a resumed run would not reproduce the same files
        if let Some(problem) = film.as_ref().and_then(MotionRecorder::problem) {
            self.checkpoint_problem = Some(problem.to_owned());
            return;
        }
        match checkpoints.write(time, (&rows.writer, film.as_ref()), state, notes) {
            Ok(()) => {
                self.checkpoint = Some(time);
                self.checkpoint_problem = None;
            }
            // later data would be lost as well
            Err(problem @ RecordError::Gone { .. }) => rows.problem = Some(problem),
            Err(problem) => self.checkpoint_problem = Some(problem.to_string()),
        }
    }

    /// Continues until the end of the step if there are checkpoints, because the state can be saved only between steps.
    fn go_on(&self) -> ControlFlow<()> {
        if self.checkpoints.is_none() && is_to_end() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl Observer for RunRecorder {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        self.folder.sample(instant)?;
        self.taking.sample(instant)?;
        if let Some(printer) = &mut self.printer {
            printer.sample(instant)?;
        }
        self.go_on()
    }

    fn step(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.meter.step(progress)?;
        if let Some(printer) = &mut self.printer {
            printer.step(progress)?;
        }
        self.go_on()
    }

    fn between(
        &mut self,
        progress: &Progress,
        words: &mut dyn FnMut() -> Vec<u64>,
    ) -> ControlFlow<()> {
        let Some(checkpoints) = &self.checkpoints else {
            return ControlFlow::Continue(());
        };
        // at the end time nothing is left to compute
        let ends = is_to_end() && progress.time < progress.end;
        if ends || checkpoints.is_due() {
            self.write_checkpoint(progress.time, words());
        }
        if ends || self.folder.rows.problem.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn event(&mut self, event: &Event, instant: &Instant<'_>) {
        self.folder.event(event, instant);
        self.taking.event(event, instant);
    }
}
