//! Results folders in the viewer: finished runs, and runs that are still being written.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use biela_record::{Browser, Manifest, RunStatus};
use biela_view::{
    MOTION_FILE, MotionReader, Refusal, RunData, RunState, SCENE_FILE, Scene, SessionEvent,
    SessionRun, SessionSignal, Show, Times, ViewerMode,
};
use serde_json::{Map, Value};

use super::live_rows::LiveRows;
use super::mesh::read_mesh;

/// The maximum number of attempts to read rows that move from memory to disk meanwhile.
const TRIES: usize = 100;

/// The data of a run, in its folder and, during the run, in memory.
pub(super) struct RunFiles {
    dir: PathBuf,
    scene: Arc<Scene>,
    motion: MotionReader,
    data: Mutex<Browser>,
    tail: Option<Arc<LiveRows>>,
}

impl RunFiles {
    /// The current number of frames, and the times of the first and the last of them.
    fn extent(&self) -> (u64, Times) {
        let frames = self.motion.frames();
        let time = |frame: u64| self.motion.time(frame).ok().flatten().unwrap_or(0.0);
        let step = (frames > 1).then(|| time(1) - time(0));
        let times = Times {
            first: time(0),
            last: time(frames.saturating_sub(1)),
            step,
            end: None,
        };
        (frames, times)
    }
}

impl RunData for RunFiles {
    fn frames(&self, from: u64, count: u64, every: u64) -> io::Result<Vec<u8>> {
        self.motion.read(from, count, every)
    }

    fn scene(&self) -> Option<Arc<Scene>> {
        Some(Arc::clone(&self.scene))
    }

    fn mesh(&self, number: usize) -> Result<Vec<u8>, Refusal> {
        let file = self.scene.mesh_file(number).ok_or(Refusal::NotHere)?;
        read_mesh(&self.dir, file).map_err(Refusal::Cannot)
    }

    fn signal(
        &self,
        name: &str,
        times: (f64, f64),
        each: &mut dyn FnMut(&[f64], &[f64]),
    ) -> io::Result<bool> {
        let other = |error: biela_record::RecordError| io::Error::other(error.to_string());
        let mut data = self.data.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(column) = data.find(name) else {
            return Ok(false);
        };
        let mut latest = (Vec::new(), Vec::new());
        for _ in 0..TRIES {
            data.refresh().map_err(other)?;
            let Some(tail) = &self.tail else {
                break;
            };
            if let Some(rows) = tail.from(data.rows(), column) {
                latest = rows;
                break;
            }
        }
        data.read(column, times, each).map_err(other)?;
        each(&latest.0, &latest.1);
        Ok(true)
    }
}

/// A results folder as the viewer needs it.
pub(super) struct ResultsFolder {
    pub(super) scene: Arc<Scene>,
    pub(super) run: SessionRun,
    pub(super) files: RunFiles,
}

/// Opens a results folder; `tail` contains the rows of a running simulation that are not written yet.
pub(super) fn open(dir: &Path, tail: Option<Arc<LiveRows>>) -> Result<ResultsFolder, String> {
    let shown = dir.display();
    let manifest = Manifest::load(dir).map_err(|error| error.to_string())?;
    let manifest = manifest.ok_or_else(|| format!("{shown}: the folder contains no results"))?;
    let missing = |file: &str| {
        format!("{shown}: {file} is missing; run the model again and record the motion")
    };
    let scene = Arc::new(Scene::load(dir)?.ok_or_else(|| missing(SCENE_FILE))?);
    let motion = MotionReader::open(dir).map_err(|error| error.to_string())?;
    let motion = motion.ok_or_else(|| missing(MOTION_FILE))?;
    if motion.numbers() != scene.frame_size {
        return Err(format!(
            "{shown}: {MOTION_FILE} has frames of {} numbers, {SCENE_FILE} requires {}; run the model again",
            motion.numbers(),
            scene.frame_size
        ));
    }
    let browser = Browser::open(dir).map_err(|error| error.to_string())?;
    let files = RunFiles {
        dir: dir.to_path_buf(),
        scene: Arc::clone(&scene),
        motion,
        data: Mutex::new(browser),
        tail,
    };
    let name = dir.file_name().map_or_else(
        || shown.to_string(),
        |name| name.to_string_lossy().into_owned(),
    );
    Ok(ResultsFolder {
        run: run(&manifest, name, &files),
        scene,
        files,
    })
}

/// The description of a run from its manifest.
pub(super) fn run(manifest: &Manifest, name: String, files: &RunFiles) -> SessionRun {
    let (frames, mut times) = files.extent();
    times.end = manifest.options.get("duration").and_then(Value::as_f64);
    let (state, message) = match &manifest.status {
        RunStatus::Running => (RunState::Running, String::new()),
        RunStatus::Finished => (RunState::Finished, String::new()),
        RunStatus::Event { name, time } => (
            RunState::Finished,
            format!("ended by event `{name}` at t = {time} s"),
        ),
        RunStatus::Interrupted => (RunState::Stopped, "interrupted".to_owned()),
        RunStatus::Failed { message, .. } => (RunState::Stopped, message.clone()),
    };
    let events = manifest.events.iter().map(|event| SessionEvent {
        time: event.time,
        name: event.name.clone(),
        text: format!("event `{}`", event.name),
    });
    let events = events.chain(accumulation(manifest));
    let signals = manifest.columns.iter().skip(1).map(|column| SessionSignal {
        name: column.name.clone(),
        unit: column.unit.clone(),
        text: column.description.clone(),
    });
    let plots = manifest.options.get("plot").cloned().unwrap_or_default();
    SessionRun {
        id: 0,
        name,
        frames,
        times,
        state,
        message,
        events: events.collect(),
        signals: signals.collect(),
        plots: serde_json::from_value(plots).unwrap_or_default(),
        parameters: parameters(manifest),
        summary: manifest.checks.clone(),
    }
}

/// The last accumulation point of impacts as an event.
fn accumulation(manifest: &Manifest) -> Option<SessionEvent> {
    let contacts = manifest.statistics.get("contacts")?;
    let by = contacts.get("last_accumulation_of")?.as_str()?;
    Some(SessionEvent {
        time: contacts.get("last_accumulation_point")?.as_f64()?,
        name: by.replace('`', ""),
        text: "impacts accumulate".to_owned(),
    })
}

/// The overridden parameters, as they were written.
fn parameters(manifest: &Manifest) -> Map<String, Value> {
    let set = manifest.options.get("set").and_then(Value::as_array);
    let texts = set.into_iter().flatten().filter_map(Value::as_str);
    let pairs = texts.filter_map(|text| text.split_once('='));
    pairs
        .map(|(name, value)| (name.trim().to_owned(), Value::from(value.trim())))
        .collect()
}

/// Rejects results of a mechanism other than the one shown, if there is one.
pub(super) fn fits(show: &Show, scene: &Scene, dir: &Path, first: &Path) -> Result<(), String> {
    let names = |scene: &Scene| -> Vec<String> {
        scene.bodies.iter().map(|body| body.name.clone()).collect()
    };
    let same = |shown: &Scene| names(shown) == names(scene) && shown.frame_size == scene.frame_size;
    if show.scene().is_none_or(|shown| same(&shown)) {
        return Ok(());
    }
    Err(format!(
        "{}: the results belong to another mechanism than those in {}; show them separately",
        dir.display(),
        first.display()
    ))
}

/// Results folders shown in the viewer; those still being written are followed.
#[derive(Debug)]
pub struct ResultsView {
    show: Arc<Show>,
    /// Folders of unfinished runs, with the numbers of their runs.
    growing: Vec<(PathBuf, usize)>,
}

impl ResultsView {
    /// Opens results of one mechanism; the first provides the scene.
    pub fn open(dirs: &[PathBuf]) -> Result<Self, String> {
        let title: Vec<String> = dirs.iter().map(|dir| dir.display().to_string()).collect();
        let show = Arc::new(Show::new(ViewerMode::Results, title.join(", ")));
        let mut growing = Vec::new();
        for dir in dirs {
            let ResultsFolder { scene, run, files } = open(dir, None)?;
            fits(&show, &scene, dir, &dirs[0])?;
            if show.scene().is_none() {
                show.set_scene(scene, None, Vec::new());
            }
            let is_growing = run.state == RunState::Running;
            let id = show.add_run(run, Arc::new(files));
            if is_growing {
                growing.push((dir.clone(), id));
            }
        }
        Ok(Self { show, growing })
    }

    /// The content of the page.
    pub fn show(&self) -> &Arc<Show> {
        &self.show
    }

    /// Reads new data of unfinished runs.
    pub fn refresh(&mut self) {
        let show = Arc::clone(&self.show);
        self.growing.retain(|(dir, id)| {
            // a folder that is temporarily unreadable is tried again later
            let Ok(folder) = open(dir, None) else {
                return true;
            };
            let now = folder.run;
            let goes_on = now.state == RunState::Running;
            if show
                .run(*id)
                .is_some_and(|was| was.frames != now.frames || was.state != now.state)
            {
                show.update_run(*id, |run| *run = now);
            }
            goes_on
        });
    }
}
