//! Recording of the scene and the motion of a run, next to its results.

use std::io;
use std::path::Path;

use biela_core::model::Model;
use biela_core::system::Instant;
use biela_record::{FileMark, Resuming};
use biela_view::{MOTION_FILE, MotionWriter, SCENE_FILE, Scene};

use super::Framer;
use super::mesh::with_meshes;

/// The maximum size of a motion file; longer motions have fewer frames than rows.
pub const MOST_BYTES: u64 = 1 << 30;

/// Writes scene and motion into a results folder during a run.
#[derive(Debug)]
pub struct MotionRecorder {
    framer: Framer,
    writer: MotionWriter,
    /// Marks of the scene and its meshes, which are complete from the start.
    complete: Vec<FileMark>,
    problem: Option<String>,
}

/// Information about a recorded motion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filmed {
    /// The number of frames.
    pub frames: u64,
    /// The number of rows per frame.
    pub rows_in_frame: u64,
    /// The size in bytes.
    pub bytes: u64,
    /// The reason why it is incomplete, if so.
    pub problem: Option<String>,
}

impl MotionRecorder {
    /// Starts to record a run with an expected number of rows. Meshes are copied from the folder of the model, if given.
    pub fn create(
        dir: &Path,
        scene: &Scene,
        model: &Model,
        meshes: Option<&Path>,
        rows: f64,
    ) -> io::Result<Self> {
        let mut names = Vec::new();
        match meshes {
            Some(folder) => {
                let (scene, meshes) = with_meshes(scene, folder, dir)?;
                scene.save(dir)?;
                names = meshes;
            }
            None => scene.save(dir)?,
        }
        names.push(SCENE_FILE.to_owned());
        let marks = names.iter().map(|name| FileMark::complete(dir, name));
        let complete = marks.collect::<io::Result<_>>()?;
        let (framer, stride) = frames(model, rows);
        let mut writer = MotionWriter::create(dir, framer.numbers(), stride)?;
        writer.flush()?;
        Ok(Self {
            framer,
            writer,
            complete,
            problem: None,
        })
    }

    /// Resumes the recording of a run with an expected number of rows, after those of its checkpoint.
    pub fn resume(dir: &Path, model: &Model, rows: f64, resuming: &Resuming) -> io::Result<Self> {
        let (framer, stride) = frames(model, rows);
        let (place, header) = (&resuming.checkpoint.place, &resuming.checkpoint.header);
        let pending = place.pending_rows(1 + header.columns.len()).count();
        let done = place.kept.rows + pending as u64;
        let sum = resuming.checksum(MOTION_FILE).unwrap_or_default();
        let complete = place.files.iter().filter(|mark| mark.complete);
        Ok(Self {
            writer: MotionWriter::resume(dir, framer.numbers(), stride, done, sum)?,
            complete: complete.cloned().collect(),
            framer,
            problem: None,
        })
    }

    /// The marks of the files with all frames written so far, for a checkpoint.
    pub fn marks(&self) -> Vec<FileMark> {
        let motion = FileMark::growing(MOTION_FILE, self.writer.checksum());
        [&[motion], &self.complete[..]].concat()
    }

    /// Adds the frame of a row. A failure does not end the run.
    pub fn sample(&mut self, instant: &Instant<'_>) {
        if self.problem.is_some() {
            return;
        }
        if !self.writer.is_due() {
            self.writer.skip();
            return;
        }
        let time = instant.context().time();
        let written = self.writer.push(time, self.framer.at(instant));
        self.note(written);
    }

    /// Makes all frames so far visible to readers.
    pub fn flush(&mut self) {
        if self.problem.is_none() {
            let written = self.writer.flush();
            self.note(written);
        }
    }

    /// Synchronizes all frames so far to disk.
    pub fn sync(&mut self) {
        if self.problem.is_none() {
            let written = self.writer.sync();
            self.note(written);
        }
    }

    /// The reason why the motion is incomplete, if so.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    fn note(&mut self, written: io::Result<()>) {
        if let Err(error) = written {
            self.problem = Some(format!("{MOTION_FILE}: {error}"));
        }
    }

    /// The number of frames so far.
    pub fn frames(&self) -> u64 {
        self.writer.frames()
    }

    /// Ends the recording.
    pub fn finish(mut self) -> Filmed {
        self.flush();
        Filmed {
            frames: self.writer.frames(),
            rows_in_frame: self.writer.rows_in_frame(),
            bytes: self.writer.size(),
            problem: self.problem,
        }
    }
}

/// The frame layout of a run with an expected number of rows, and the number of rows per frame.
fn frames(model: &Model, rows: f64) -> (Framer, u64) {
    let framer = Framer::new(model);
    let stride = MotionWriter::stride(framer.numbers(), rows.ceil() as u64, MOST_BYTES);
    (framer, stride)
}
