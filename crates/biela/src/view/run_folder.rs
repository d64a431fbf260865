//! Results folders of runs: new, or resumed from a checkpoint.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use biela_core::analysis::ResumeError;
use biela_core::keep::Words;
use biela_model::lower::Measures;
use biela_record::checkpoint::{self, CHECKPOINT_FILE};
use biela_record::{Header, RecordError, Resuming, RunOutcome, RunStatus, Writer, WriterOptions};
use biela_view::{MOTION_FILE, SCENE_FILE, Scene};
use serde_json::json;

use super::motion_recorder::MotionRecorder;
use super::recorder::{Checkpoints, FolderRecorder, RunNotes};
use crate::parameter_study::Taking;
use crate::{Session, digits};

/// The plots in a results folder.
pub const PLOT_FILES: [&str; 2] = ["plot.svg", "plot.png"];

/// The results folder of a run, and the files that the run writes to it.
#[derive(Clone, Debug)]
pub struct RunFolder<'a> {
    /// The folder.
    pub dir: &'a Path,
    /// Model, options and columns of the run.
    pub header: &'a Header,
    /// The expected number of rows.
    pub rows: f64,
    /// Also write the rows as CSV.
    pub csv: bool,
    /// The scene, if the motion is recorded.
    pub scene: Option<&'a Scene>,
    /// The folder from which the meshes of the scene are copied.
    pub meshes: Option<&'a Path>,
    /// The measures of the run.
    pub measures: Measures,
    /// The wall-clock time between checkpoints, if there are any.
    pub checkpoint: Option<Duration>,
}

/// The reason why a run cannot be recorded or resumed.
pub enum FolderError {
    /// The folder cannot be used.
    Record(RecordError),
    /// The folder contains the same run, interrupted, which a new run would discard.
    Resumable {
        /// The folder.
        dir: PathBuf,
        /// Time of its checkpoint, s.
        time: f64,
    },
    /// The checkpoint is intact, but belongs to another run.
    Misfit {
        /// The checkpoint.
        file: PathBuf,
        /// The difference.
        source: ResumeError,
    },
    /// The motion cannot be recorded.
    Motion {
        /// The folder.
        dir: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The recorded motion cannot be continued.
    ResumedMotion {
        /// The file.
        file: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
}

impl std::fmt::Display for FolderError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Record(error) => error.fmt(f),
            Self::Resumable { dir, time } => write!(
                f,
                "{} contains an interrupted run, which can be resumed from t = {} s",
                dir.display(),
                digits(*time, 9)
            ),
            Self::Misfit { file, source } => {
                write!(f, "{}: {source}; start the run again", file.display())
            }
            Self::Motion { dir, source } => {
                write!(f, "{}: cannot write the motion: {source}", dir.display())
            }
            Self::ResumedMotion { file, source } => write!(
                f,
                "{}: the recorded motion cannot be continued: {source}; start the run again",
                file.display()
            ),
        }
    }
}

biela_core::readable_errors!(FolderError);

impl From<RecordError> for FolderError {
    fn from(error: RecordError) -> Self {
        Self::Record(error)
    }
}

impl RunFolder<'_> {
    /// Starts a new run in the folder and removes earlier results.
    ///
    /// # Errors
    ///
    /// If the folder cannot be used, or contains the same run, interrupted, which can be resumed.
    pub fn create(&self, session: &Session) -> Result<FolderRecorder, FolderError> {
        let dir = self.dir;
        if let Some(time) = checkpoint::waiting(dir, &self.identity()) {
            let dir = dir.to_owned();
            return Err(FolderError::Resumable { dir, time });
        }
        let writer = Writer::create(dir, self.header, self.options())?;
        remove(dir, &PLOT_FILES);
        remove(dir, &[MOTION_FILE, SCENE_FILE]);
        let film = self.scene.map(|scene| {
            MotionRecorder::create(dir, scene, session.model(), self.meshes, self.rows)
        });
        match film.transpose() {
            Ok(film) => {
                let notes = self.notes();
                Ok(self.recorder(writer, film, notes))
            }
            Err(source) => {
                let dir = dir.to_owned();
                let error = FolderError::Motion { dir, source };
                let status = RunStatus::Failed {
                    message: error.to_string(),
                    time: f64::NAN,
                };
                // the first failure is the one to report
                drop(writer.finish(RunOutcome::new(status)));
                Err(error)
            }
        }
    }

    /// Resumes the interrupted run of the folder: restores the session from the last checkpoint, and discards data after it.
    ///
    /// # Errors
    ///
    /// If there is no interrupted run, if it differs from this one, or if its files have changed since the checkpoint.
    pub fn resume(&self, session: &mut Session) -> Result<FolderRecorder, FolderError> {
        let dir = self.dir;
        let mut resuming = Resuming::open(dir, &self.identity())?;
        let misfit = |source| FolderError::Misfit {
            file: dir.join(CHECKPOINT_FILE),
            source,
        };
        let state = std::mem::take(&mut resuming.checkpoint.state);
        session.restore(&state).map_err(misfit)?;
        let mut notes = self.notes();
        let kept = std::mem::take(&mut resuming.checkpoint.notes);
        if !Words::bring_back(kept, &mut notes) {
            return Err(misfit(ResumeError::Misfit));
        }
        let film = self.scene.is_some().then(|| {
            let film = MotionRecorder::resume(dir, session.model(), self.rows, &resuming);
            film.map_err(|source| FolderError::ResumedMotion {
                file: dir.join(MOTION_FILE),
                source,
            })
        });
        let film = film.transpose()?;
        let passed_over = resuming.passed_over.as_ref().map(|problem| {
            let time = digits(resuming.checkpoint.time, 9);
            format!("{problem}\nresuming from the previous checkpoint, at t = {time} s")
        });
        let (writer, checkpoint) = Writer::resume(resuming, self.header, self.options())?;
        remove(dir, &PLOT_FILES);
        let mut recorder = self.recorder(writer, film, notes);
        recorder.checkpoint = Some(checkpoint.time);
        recorder.passed_over = passed_over;
        Ok(recorder)
    }

    /// The identity of the run, which a checkpoint contains: its header and the files that it writes.
    fn identity(&self) -> Header {
        let mut identity = self.header.clone();
        for (name, value) in [("csv", self.csv), ("motion", self.scene.is_some())] {
            let _ = identity.options.insert(name.into(), json!(value));
        }
        identity
    }

    fn options(&self) -> WriterOptions {
        WriterOptions {
            csv: self.csv,
            ..WriterOptions::default()
        }
    }

    fn notes(&self) -> RunNotes {
        RunNotes {
            elapsed: Duration::ZERO,
            taking: Taking::new(self.measures.clone()),
        }
    }

    fn recorder(
        &self,
        writer: Writer,
        film: Option<MotionRecorder>,
        notes: RunNotes,
    ) -> FolderRecorder {
        let every = self.checkpoint;
        let checkpoints = every.map(|every| Checkpoints::new(every, self.identity()));
        FolderRecorder::new(writer, film, notes, checkpoints)
    }
}

/// Removes files of earlier results, which would contradict the new ones.
fn remove(dir: &Path, names: &[&str]) {
    for name in names {
        let _ = std::fs::remove_file(dir.join(name));
    }
}
