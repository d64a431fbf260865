//! The observer that records a run.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use biela::core::analysis::{Observer, Progress};
use biela::core::keep::{Keep, Words};
use biela::core::model::Event;
use biela::core::system::{Channel, Instant, SingularPose};
use biela::parameter_study::Taking;
use biela::record::{self, RecordError, Writer};
use biela::view::{Filmed, LiveRun, MotionRecorder};
use biela::{MOST_EVENTS, MOST_POSES, ResultsRow, RowMonitor, note};

use super::checkpoints::Checkpoints;
use super::printer::SismulPrinter;
use crate::progress::Meter;

/// Writes rows, records events, shows progress and handles interrupts.
pub(super) struct RunRecorder {
    row: ResultsRow,
    watch: RowMonitor,
    writer: Writer,
    meter: Meter,
    taking: Option<Taking>,
    printer: Option<SismulPrinter>,
    film: Option<MotionRecorder>,
    live: Option<LiveRun>,
    checkpoints: Option<Checkpoints>,
    interrupted: &'static AtomicBool,
    /// Set when a viewer page stops the run.
    stopped: &'static AtomicBool,
    recorded: RecordedExtras,
}

/// Data recorded in addition to the rows.
#[derive(Debug, Default)]
pub(super) struct RecordedExtras {
    pub(super) events: Vec<record::RecordedEvent>,
    /// The number of events that are not listed.
    pub(super) more_events: u64,
    pub(super) singular_poses: Vec<SingularPose>,
    /// The number of singular configurations that are not listed.
    pub(super) more_poses: u64,
    /// Warnings of the monitor.
    pub(super) warnings: Vec<String>,
    /// The reason why a row could not be written.
    pub(super) problem: Option<RecordError>,
    /// The name, value and unit of each measure.
    pub(super) measured: Vec<(String, f64, String)>,
    /// The recorded motion, if enabled.
    pub(super) filmed: Option<Filmed>,
    /// Time of the last checkpoint in the folder.
    pub(super) checkpoint: Option<f64>,
    /// The reason why the last checkpoint could not be written.
    pub(super) checkpoint_problem: Option<String>,
    pub(super) elapsed: Duration,
}

impl Keep for RecordedExtras {
    fn keep(&mut self, words: &mut Words) {
        let events = std::mem::take(&mut self.events).into_iter();
        let mut events: Vec<_> = events.map(|event| (event.time, event.name)).collect();
        words.grown(&mut events);
        let events = events.into_iter();
        self.events = events
            .map(|(time, name)| record::RecordedEvent { time, name })
            .collect();
        self.more_events.keep(words);
        words.grown(&mut self.singular_poses);
        self.more_poses.keep(words);
        let mut seconds = self.elapsed.as_secs_f64();
        seconds.keep(words);
        self.elapsed = Duration::try_from_secs_f64(seconds).unwrap_or_default();
    }
}

/// The part of the snapshot that a resumed run continues. The rows are in files, and the motion has a frame for each of them.
impl Keep for RunRecorder {
    fn keep(&mut self, words: &mut Words) {
        self.recorded.keep(words);
        self.watch.keep(words);
        if let Some(taking) = &mut self.taking {
            taking.keep(words);
        }
    }
}

impl RunRecorder {
    pub(super) fn new(
        channels: &[Channel],
        writer: Writer,
        meter: Meter,
        [interrupted, stopped]: [&'static AtomicBool; 2],
    ) -> Self {
        Self {
            row: ResultsRow::new(channels),
            watch: RowMonitor::new(channels),
            writer,
            meter,
            taking: None,
            printer: None,
            film: None,
            live: None,
            checkpoints: None,
            interrupted,
            stopped,
            recorded: RecordedExtras::default(),
        }
    }

    /// Adds printing.
    pub(super) fn printing(self, printer: Option<SismulPrinter>) -> Self {
        Self { printer, ..self }
    }

    /// Adds measures.
    pub(super) fn measuring(self, taking: Taking) -> Self {
        Self {
            taking: Some(taking),
            ..self
        }
    }

    /// Adds recording of the motion.
    pub(super) fn filming(self, film: Option<MotionRecorder>) -> Self {
        Self { film, ..self }
    }

    /// Adds the live view.
    pub(super) fn showing(self, live: Option<LiveRun>) -> Self {
        Self { live, ..self }
    }

    /// Adds checkpoints.
    pub(super) fn checkpointing(self, checkpoints: Option<Checkpoints>) -> Self {
        Self {
            checkpoints,
            ..self
        }
    }

    /// Restores the recorded data from a checkpoint. Returns `false` if the layout differs.
    #[must_use]
    pub(super) fn resume(&mut self, checkpoint: record::Checkpoint) -> bool {
        if !Words::bring_back(checkpoint.notes, self) {
            return false;
        }
        self.meter.resume(self.recorded.elapsed);
        self.recorded.checkpoint = Some(checkpoint.time);
        if let Some(live) = &mut self.live {
            let columns = 1 + checkpoint.header.columns.len();
            for row in checkpoint.place.pending_rows(columns) {
                live.sample(row[0], &row[1..], checkpoint.place.kept.rows);
            }
            for event in &self.recorded.events {
                live.event(event.time, &event.name);
            }
        }
        true
    }

    /// Writes a checkpoint. If the disk is full, the run continues with the previous checkpoint; if its folder is gone, the run ends.
    fn write_checkpoint(&mut self, time: f64, state: Vec<u64>) {
        let Some(checkpoints) = &mut self.checkpoints else {
            return;
        };
        checkpoints.wait();
        if let Some(film) = &mut self.film {
            film.sync();
        }
        self.recorded.elapsed = self.meter.elapsed();
        let notes = Words::of(self);
        // without the frames a resumed run would not reproduce the same files
        let film = self.film.as_ref().and_then(MotionRecorder::problem);
        if let Some(problem) = film {
            self.recorded.checkpoint_problem = Some(problem.to_owned());
            return;
        }
        let Some(checkpoints) = &self.checkpoints else {
            return;
        };
        let files = (&self.writer, self.film.as_ref());
        match checkpoints.write(time, files, state, notes) {
            Ok(()) => {
                self.recorded.checkpoint = Some(time);
                self.recorded.checkpoint_problem = None;
            }
            // later data would be lost as well
            Err(problem @ RecordError::Gone { .. }) => self.recorded.problem = Some(problem),
            Err(problem) => self.recorded.checkpoint_problem = Some(problem.to_string()),
        }
    }

    /// Ends the recording. The caller must then finish the writer, and after it the live run.
    pub(super) fn close(mut self) -> (Writer, Option<LiveRun>, RecordedExtras) {
        self.meter.finish();
        self.recorded.filmed = self.film.map(MotionRecorder::finish);
        self.recorded.elapsed = self.meter.elapsed();
        self.recorded.warnings = self.watch.into_warnings();
        if let Some(taking) = self.taking {
            let measures = taking.measures().list.iter().zip(taking.values());
            self.recorded.measured = measures
                .map(|(measure, value)| (measure.name.clone(), value, measure.unit.clone()))
                .collect();
        }
        (self.writer, self.live, self.recorded)
    }

    /// Returns `true` if the user or a page wants to stop the run.
    fn is_to_end(&self) -> bool {
        let ends = [self.interrupted, self.stopped];
        ends.iter().any(|flag| flag.load(Ordering::Relaxed))
    }

    /// Continues until the end of the step if there are checkpoints, because the state can be saved only between steps.
    fn go_on(&self) -> ControlFlow<()> {
        if self.checkpoints.is_none() && self.is_to_end() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl Observer for RunRecorder {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        let (time, values) = self.row.at(instant);
        self.watch.look(instant, values);
        if let Err(problem) = self.writer.push(time, values) {
            self.recorded.problem = Some(problem);
            return ControlFlow::Break(());
        }
        if let Some(taking) = &mut self.taking {
            taking.sample(instant);
        }
        if let Some(film) = &mut self.film {
            film.sample(instant);
        }
        if let Some(live) = &mut self.live {
            live.sample(time, values, self.writer.kept().rows);
        }
        if let (Some(live), Some(film)) = (&mut self.live, &mut self.film) {
            live.tell(time, film);
        }
        if let Some(printer) = &mut self.printer {
            printer.sample(instant);
        }
        self.go_on()
    }

    fn step(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.meter.step(progress);
        if let Some(printer) = &mut self.printer {
            printer.step(progress);
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
        let ends = self.is_to_end() && progress.time < progress.end;
        if ends || checkpoints.is_due() {
            self.write_checkpoint(progress.time, words());
        }
        if ends || self.recorded.problem.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn event(&mut self, event: &Event, instant: &Instant<'_>) {
        if let Some(taking) = &mut self.taking {
            taking.event(&event.name, instant.context().time());
        }
        if let Some(live) = &mut self.live {
            live.event(instant.context().time(), &event.name);
        }
        let recorded = &mut self.recorded;
        let events = (&mut recorded.events, &mut recorded.more_events);
        note(events, MOST_EVENTS, || record::RecordedEvent {
            time: instant.context().time(),
            name: event.name.clone(),
        });
    }

    fn singular_pose(&mut self, pose: &SingularPose) {
        let recorded = &mut self.recorded;
        let poses = (&mut recorded.singular_poses, &mut recorded.more_poses);
        note(poses, MOST_POSES, || pose.clone());
    }
}
