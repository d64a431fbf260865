//! A running simulation in the viewer.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use biela_view::{RunState, SessionEvent, Show};

use super::live_rows::LiveRows;
use super::motion_recorder::MotionRecorder;
use super::results;
use crate::MOST_EVENTS;

/// Interval at which pages are notified of new frames.
const PACE: Duration = Duration::from_millis(50);

/// Notifies pages of the progress of a run. The run never waits for a page.
#[derive(Debug)]
pub struct LiveRun {
    show: Arc<Show>,
    dir: PathBuf,
    name: String,
    id: usize,
    tail: Arc<LiveRows>,
    told: Instant,
}

impl LiveRun {
    /// Adds the run whose writer and motion have just been opened in a folder, under `name`. Its scene becomes that of the show if there is none.
    pub fn start(show: &Arc<Show>, dir: &Path, name: &str) -> Result<Self, String> {
        let data = biela_record::Browser::open(dir).map_err(|error| error.to_string())?;
        let tail = Arc::new(LiveRows::new(data.columns().len(), data.rows()));
        let folder = results::open(dir, Some(Arc::clone(&tail)))?;
        if show.scene().is_none() {
            show.set_scene(folder.scene, None, Vec::new());
        }
        let mut run = folder.run;
        name.clone_into(&mut run.name);
        Ok(Self {
            id: show.add_run(run, Arc::new(folder.files)),
            show: Arc::clone(show),
            dir: dir.to_path_buf(),
            name: name.to_owned(),
            tail,
            told: Instant::now(),
        })
    }

    /// Its number in the show.
    pub fn id(&self) -> usize {
        self.id
    }

    /// Called after a row was recorded; the first `kept` are in the folder.
    pub fn sample(&mut self, time: f64, values: &[f64], kept: u64) {
        self.tail.push(time, values, kept);
    }

    /// Notifies pages of the progress, at most once per interval.
    pub fn tell(&mut self, time: f64, film: &mut MotionRecorder) {
        if self.told.elapsed() < PACE {
            return;
        }
        self.told = Instant::now();
        film.flush();
        let frames = film.frames();
        self.show.update_run(self.id, |run| {
            run.frames = frames;
            run.times.last = time;
        });
    }

    /// Called at an event.
    pub fn event(&mut self, time: f64, name: &str) {
        self.show.update_run(self.id, |run| {
            if run.events.len() < MOST_EVENTS {
                run.events.push(SessionEvent {
                    time,
                    name: name.to_owned(),
                    text: format!("event `{name}`"),
                });
            }
        });
    }

    /// Called when the run has ended and its folder is complete.
    pub fn finish(self) {
        self.tail.clear();
        match results::open(&self.dir, None) {
            Ok(folder) => {
                let (id, name) = (self.id, self.name);
                self.show.update_run(id, |run| {
                    *run = folder.run;
                    run.name = name;
                });
            }
            Err(problem) => self.show.update_run(self.id, |run| {
                run.state = RunState::Stopped;
                run.message = problem;
            }),
        }
    }
}
