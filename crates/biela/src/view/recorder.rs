//! Recording of a run in a results folder: rows, motion, measures, checkpoints, and the live view.

use std::ops::ControlFlow;
use std::time::{Duration, Instant as Clock};

use biela_core::analysis::{Observer, Progress};
use biela_core::keep::{Keep, Words};
use biela_core::model::Event;
use biela_core::system::{Instant, SingularPose};
use biela_record::{Checkpoint, Header, Manifest, RecordError, RunOutcome, Writer};

use super::live::LiveRun;
use super::motion_recorder::{Filmed, MotionRecorder};
use crate::parameter_study::Taking;
use crate::{RowRecorder, Run, RunError, Session};

/// Writes rows and motion of a session to a results folder, takes its measures, writes checkpoints, and shows the run in the viewer.
///
/// [`RunFolder`](super::RunFolder) opens the recorder of a new or resumed run.
#[derive(Debug)]
pub struct FolderRecorder {
    rows: RowRecorder,
    film: Option<MotionRecorder>,
    live: Option<LiveRun>,
    notes: RunNotes,
    /// The time at which `notes.elapsed` was updated.
    clock: Clock,
    checkpoints: Option<Checkpoints>,
    /// Time of the last checkpoint in the folder, s.
    pub checkpoint: Option<f64>,
    /// The reason why the last checkpoint could not be written.
    pub checkpoint_problem: Option<String>,
    /// The reason why the run was not resumed from the last checkpoint, and the time of the previous one, from which it was.
    pub passed_over: Option<String>,
    /// The recorded motion, after the run.
    pub filmed: Option<Filmed>,
}

/// The data of a run in a checkpoint besides the session and the files: wall-clock time and measures.
#[derive(Debug)]
pub(super) struct RunNotes {
    pub(super) elapsed: Duration,
    pub(super) taking: Taking,
}

impl Keep for RunNotes {
    fn keep(&mut self, words: &mut Words) {
        let mut seconds = self.elapsed.as_secs_f64();
        seconds.keep(words);
        self.elapsed = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        self.taking.keep(words);
    }
}

/// The schedule of checkpoints. The clock decides when one is written; it does not affect the results.
#[derive(Debug)]
pub(super) struct Checkpoints {
    every: Duration,
    /// Time of the next checkpoint; `None` if it is beyond the range of the clock.
    due: Option<Clock>,
    /// The identity of the run.
    identity: Header,
}

impl Checkpoints {
    pub(super) fn new(every: Duration, identity: Header) -> Self {
        Self {
            every,
            due: Clock::now().checked_add(every),
            identity,
        }
    }

    fn is_due(&self) -> bool {
        self.due.is_some_and(|due| Clock::now() >= due)
    }

    /// Schedules the next checkpoint after a full interval, which excludes the time for writing.
    fn wait(&mut self) {
        self.due = Clock::now().checked_add(self.every);
    }
}

impl FolderRecorder {
    /// Creates the recorder of a folder whose writers have just been opened.
    pub(super) fn new(
        writer: Writer,
        film: Option<MotionRecorder>,
        notes: RunNotes,
        checkpoints: Option<Checkpoints>,
    ) -> Self {
        Self {
            rows: RowRecorder::new(writer),
            film,
            live: None,
            notes,
            clock: Clock::now(),
            checkpoints,
            checkpoint: None,
            checkpoint_problem: None,
            passed_over: None,
            filmed: None,
        }
    }

    /// Shows the run live. A resumed run has `events`, and rows that its files do not contain yet.
    pub fn show(&mut self, mut live: LiveRun, events: &[(f64, String)]) {
        let writer = &self.rows.writer;
        let kept = writer.kept().rows;
        for row in writer.pending() {
            live.sample(row[0], &row[1..], kept);
        }
        for (time, name) in events {
            live.event(*time, name);
        }
        self.live = Some(live);
    }

    /// Wall-clock time of the run, including the time before it was resumed.
    pub fn elapsed(&self) -> Duration {
        self.notes.elapsed.saturating_add(self.clock.elapsed())
    }

    /// The measures of the run.
    pub fn measures(&self) -> &Taking {
        &self.notes.taking
    }

    /// The writer of the rows.
    pub fn writer(&self) -> &Writer {
        &self.rows.writer
    }

    /// The reason why a row could not be written.
    pub fn problem(&self) -> Option<&RecordError> {
        self.rows.problem.as_ref()
    }

    /// Runs a session, records it, and passes it on to an observer.
    ///
    /// The observer ends the run by breaking. If there are checkpoints, the run ends at the end of the step, where a last one is written: the state can be
    /// saved only between steps. The observer is called for all rows up to there.
    pub fn run(&mut self, session: Session, observer: &mut dyn Observer) -> Result<Run, RunError> {
        let mut run = session.run(&mut Recorded {
            recorder: self,
            observer,
            ends: false,
        });
        self.filmed = self.film.take().map(MotionRecorder::finish);
        let filmed = self.filmed.as_ref();
        if let (Ok(run), Some(why)) = (&mut run, filmed.and_then(|film| film.problem.as_ref())) {
            let incomplete = format!("the recorded motion ends early: {why}");
            run.warnings.push(incomplete);
        }
        run
    }

    /// Completes the folder, and then its live view. Returns the manifest, or the first problem of writing.
    pub fn finish(self, outcome: RunOutcome) -> Result<Manifest, RecordError> {
        let finished = self.rows.writer.finish(outcome);
        if let Some(live) = self.live {
            live.finish();
        }
        match self.rows.problem {
            Some(problem) => Err(problem),
            None => finished,
        }
    }

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
        self.notes.taking.sample(instant)
    }

    /// Writes a checkpoint if it is due, or if the run ends before its end time.
    fn between(
        &mut self,
        progress: &Progress,
        ends: bool,
        words: &mut dyn FnMut() -> Vec<u64>,
    ) -> ControlFlow<()> {
        let Some(checkpoints) = &mut self.checkpoints else {
            return ControlFlow::Continue(());
        };
        // at the end time nothing is left to compute
        let ends = ends && progress.time < progress.end;
        if ends || checkpoints.is_due() {
            checkpoints.wait();
            let identity = checkpoints.identity.clone();
            self.write_checkpoint(identity, progress.time, words());
        }
        if ends || self.rows.problem.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Writes a checkpoint. If the disk is full, the run continues with the previous checkpoint; if its folder is gone, the run ends.
    fn write_checkpoint(&mut self, header: Header, time: f64, state: Vec<u64>) {
        self.notes.elapsed = self.elapsed();
        self.clock = Clock::now();
        let notes = Words::of(&mut self.notes);
        if let Some(film) = &mut self.film {
            film.sync();
        }
        let film = self.film.as_ref();
        // without the frames a resumed run would not reproduce the same files
        if let Some(problem) = film.and_then(MotionRecorder::problem) {
            self.checkpoint_problem = Some(problem.to_owned());
            return;
        }
        let writer = &self.rows.writer;
        let write = || {
            let mut place = writer.place()?;
            let motion = film.into_iter().flat_map(MotionRecorder::marks);
            place.files.extend(motion);
            writer.save(&Checkpoint {
                header,
                time,
                place,
                state,
                notes,
            })
        };
        match write() {
            Ok(()) => {
                self.checkpoint = Some(time);
                self.checkpoint_problem = None;
            }
            // later data would be lost as well
            Err(problem @ RecordError::Gone { .. }) => self.rows.problem = Some(problem),
            Err(problem) => self.checkpoint_problem = Some(problem.to_string()),
        }
    }
}

/// Records a run and passes it on to an observer.
struct Recorded<'a> {
    recorder: &'a mut FolderRecorder,
    observer: &'a mut dyn Observer,
    /// Set when the observer has ended the run.
    ends: bool,
}

impl Recorded<'_> {
    /// Ends the run if the observer breaks; if there are checkpoints, the last one comes first.
    fn go_on(&mut self, flow: ControlFlow<()>) -> ControlFlow<()> {
        self.ends |= flow.is_break();
        if self.ends && self.recorder.checkpoints.is_none() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl Observer for Recorded<'_> {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        self.recorder.sample(instant)?;
        let flow = self.observer.sample(instant);
        self.go_on(flow)
    }

    fn step(&mut self, progress: &Progress) -> ControlFlow<()> {
        let flow = self.observer.step(progress);
        self.go_on(flow)
    }

    fn event(&mut self, event: &Event, instant: &Instant<'_>) {
        if let Some(live) = &mut self.recorder.live {
            live.event(instant.time(), &event.name);
        }
        self.recorder.notes.taking.event(event, instant);
        self.observer.event(event, instant);
    }

    fn singular_pose(&mut self, pose: &SingularPose) {
        self.observer.singular_pose(pose);
    }

    fn between(
        &mut self,
        progress: &Progress,
        words: &mut dyn FnMut() -> Vec<u64>,
    ) -> ControlFlow<()> {
        let flow = self.observer.between(progress, words);
        self.go_on(flow)?;
        self.recorder.between(progress, self.ends, words)
    }
}
