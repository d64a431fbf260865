//! The observer that records a run.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use biela::core::analysis::{Observer, Progress};
use biela::core::model::Event;
use biela::core::system::{Channel, Instant, SingularPose};
use biela::record::{self, RecordError, Writer};
use biela::{Row, Watch};

use super::printer::Printer;
use crate::progress::Meter;

/// Events that the manifest lists; the rest are counted.
const MOST_EVENTS: usize = 10_000;
/// Singular poses that the manifest lists; the rest are counted.
const MOST_POSES: usize = 1_000;

/// Writes rows, notes events, shows progress and listens to the user.
pub(super) struct Recorder {
    row: Row,
    watch: Watch,
    writer: Writer,
    meter: Meter,
    printer: Option<Printer>,
    interrupted: &'static AtomicBool,
    recorded: Recorded,
}

/// What was noted beside the rows.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    pub(super) events: Vec<record::Event>,
    /// Events that were only counted.
    pub(super) more_events: u64,
    pub(super) singular_poses: Vec<SingularPose>,
    /// Singular poses that were only counted.
    pub(super) more_poses: u64,
    /// What the watch found.
    pub(super) warnings: Vec<String>,
    /// Why a row could not be written.
    pub(super) problem: Option<RecordError>,
    pub(super) elapsed: Duration,
}

impl Recorder {
    pub(super) fn new(
        channels: &[Channel],
        writer: Writer,
        meter: Meter,
        interrupted: &'static AtomicBool,
    ) -> Self {
        Self {
            row: Row::new(channels),
            watch: Watch::new(channels),
            writer,
            meter,
            printer: None,
            interrupted,
            recorded: Recorded::default(),
        }
    }

    /// The same, printing too.
    pub(super) fn printing(self, printer: Option<Printer>) -> Self {
        Self { printer, ..self }
    }

    /// Ends the show; the writer still has to be finished.
    pub(super) fn close(mut self) -> (Writer, Recorded) {
        self.meter.finish();
        self.recorded.elapsed = self.meter.elapsed();
        self.recorded.warnings = self.watch.into_warnings();
        (self.writer, self.recorded)
    }

    fn go_on(&self) -> ControlFlow<()> {
        if self.interrupted.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl Observer for Recorder {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        let (time, values) = self.row.at(instant);
        self.watch.look(instant, values);
        if let Err(problem) = self.writer.push(time, values) {
            self.recorded.problem = Some(problem);
            return ControlFlow::Break(());
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

    fn event(&mut self, event: &Event, instant: &Instant<'_>) {
        if self.recorded.events.len() < MOST_EVENTS {
            self.recorded.events.push(record::Event {
                time: instant.scene().time(),
                name: event.name.clone(),
            });
        } else {
            self.recorded.more_events += 1;
        }
    }

    fn singular_pose(&mut self, pose: &SingularPose) {
        if self.recorded.singular_poses.len() < MOST_POSES {
            self.recorded.singular_poses.push(pose.clone());
        } else {
            self.recorded.more_poses += 1;
        }
    }
}
