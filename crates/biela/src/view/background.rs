//! Requests of a page for a model file: runs with other parameters, modes, meshes, edits.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use biela_core::analysis::{Analysis, stop_when};
use biela_view::{Backend, Refusal, Show};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use super::asked;
use super::desk::Desk;
use super::live::LiveRun;
use super::mesh::read_mesh;
use super::run_folder::RunFolder;
use super::{modes, scene};
use crate::{Session, load_with, rows, start};

/// The maximum number of runs shown; older ones are removed.
const MOST_RUNS: usize = 8;

/// The backend for a model file.
#[derive(Debug)]
pub struct ModelBackend {
    path: PathBuf,
    set: Vec<String>,
    show: Arc<Show>,
    /// The results of the runs; the folder is removed when the viewer ends.
    folder: TempDir,
    runs: Mutex<BackgroundRuns>,
    desk: Mutex<Desk>,
}

#[derive(Debug, Default)]
struct BackgroundRuns {
    started: usize,
    current: Option<Current>,
    ended: VecDeque<usize>,
}

/// The current or the last run.
#[derive(Debug)]
struct Current {
    id: usize,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl ModelBackend {
    /// Creates the backend for a model file with these parameter values.
    pub fn new(path: &Path, set: &[String], show: &Arc<Show>) -> std::io::Result<Self> {
        Ok(Self {
            path: path.to_path_buf(),
            set: set.to_vec(),
            show: Arc::clone(show),
            folder: biela_files::private_folder("biela-view-")?,
            runs: Mutex::default(),
            desk: Mutex::new(Desk::new(path, set)),
        })
    }

    fn runs(&self) -> std::sync::MutexGuard<'_, BackgroundRuns> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The parameters as `--set` arguments, and a name for the run.
    fn overrides(&self, parameters: &Map<String, Value>) -> Result<(Vec<String>, String), Refusal> {
        let scene = self.show.scene().ok_or(Refusal::NotHere)?;
        let mut set = self.set.clone();
        let mut names = Vec::new();
        for (name, value) in parameters {
            let known = scene.parameters.iter().find(|p| p.name == *name);
            let known = known.filter(|p| !p.derived).ok_or_else(|| {
                Refusal::Cannot(format!("the model has no independent parameter `{name}`"))
            })?;
            let number = value.as_f64().ok_or_else(|| {
                Refusal::Cannot(format!("the value of parameter `{name}` must be a number"))
            })?;
            set.push(format!("{name}={number:?}"));
            if number != known.value {
                names.push(
                    format!("{name} = {number} {}", known.unit)
                        .trim_end()
                        .to_owned(),
                );
            }
        }
        let name = if names.is_empty() {
            "as written".to_owned()
        } else {
            names.join(", ")
        };
        Ok((set, name))
    }
}

impl Backend for ModelBackend {
    fn stop(&self) {
        if let Some(current) = &self.runs().current {
            current.stop.store(true, Ordering::Relaxed);
        }
    }

    fn run(&self, parameters: &Map<String, Value>) -> Result<usize, Refusal> {
        let (set, name) = self.overrides(parameters)?;
        let mut runs = self.runs();
        if let Some(before) = runs.current.take() {
            let is_under_way = !before.thread.is_finished();
            before.stop.store(true, Ordering::Relaxed);
            // a thread that panicked has no result
            let _ = before.thread.join();
            if is_under_way {
                self.show.remove_run(before.id);
            } else {
                runs.ended.push_back(before.id);
            }
        }
        while runs.ended.len() >= MOST_RUNS {
            if let Some(oldest) = runs.ended.pop_front() {
                self.show.remove_run(oldest);
            }
        }
        runs.started += 1;
        let dir = self.folder.path().join(format!("run-{}", runs.started));
        let stop = Arc::new(AtomicBool::new(false));
        let (tell, told) = channel();
        let task = RunTask {
            path: self.path.clone(),
            set,
            name,
            dir,
            show: Arc::clone(&self.show),
            stop: Arc::clone(&stop),
        };
        let thread = thread::Builder::new()
            .name("biela-view run".into())
            .spawn(move || {
                if let Err(problem) = task.compute(&tell) {
                    // the receiver is gone if the run had already been announced
                    let _ = tell.send(Err(problem));
                }
            })
            .map_err(|error| Refusal::Cannot(error.to_string()))?;
        match told.recv() {
            Ok(Ok(id)) => {
                runs.current = Some(Current { id, stop, thread });
                Ok(id)
            }
            Ok(Err(problem)) => Err(Refusal::Cannot(problem)),
            Err(_) => Err(Refusal::Cannot("the run could not be started".to_owned())),
        }
    }

    fn modes(&self) -> Result<Value, Refusal> {
        modes::modes(&self.path, &self.set).map_err(Refusal::Cannot)
    }

    fn mesh(&self, number: usize) -> Result<Vec<u8>, Refusal> {
        let scene = self.show.scene().ok_or(Refusal::NotHere)?;
        let file = scene.mesh_file(number).ok_or(Refusal::NotHere)?;
        let folder = self.path.parent().unwrap_or(Path::new(""));
        read_mesh(folder, file).map_err(Refusal::Cannot)
    }

    fn desk(&self, action: &str, request: &Value) -> Result<Value, Refusal> {
        let mut desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        asked::answer(&mut desk, action, request)
    }
}

impl Drop for ModelBackend {
    fn drop(&mut self) {
        let current = self.runs().current.take();
        if let Some(current) = current {
            current.stop.store(true, Ordering::Relaxed);
            let _ = current.thread.join();
        }
    }
}

/// A run to be computed.
struct RunTask {
    path: PathBuf,
    set: Vec<String>,
    name: String,
    dir: PathBuf,
    show: Arc<Show>,
    stop: Arc<AtomicBool>,
}

impl RunTask {
    /// Computes the run; `tell` receives its number as soon as it has started.
    fn compute(self, tell: &Sender<Result<usize, String>>) -> Result<(), String> {
        fn text(error: impl std::fmt::Display) -> String {
            error.to_string()
        }
        let job = load_with(&self.path, &self.set).map_err(text)?;
        let study = job
            .study
            .clone()
            .ok_or("the model has no [study]; add it with a duration")?;
        if let Analysis::Statics { .. } = study.analysis {
            return Err("the study is statics, which has no motion".to_owned());
        }
        let options = Map::from_iter([
            ("duration".to_owned(), json!(study.duration)),
            ("output_step".to_owned(), json!(study.output_step)),
        ]);
        let header = job.header(&self.path, &self.set, options);
        let assembled = start(job.model, &study).map_err(text)?;
        let scene = scene(&assembled, &job.description, &job.parameters);
        let session = Session::new(assembled, &study, &job.outputs.channels).map_err(text)?;
        let folder = RunFolder {
            dir: &self.dir,
            header: &header,
            rows: rows(&study),
            csv: false,
            scene: Some(&scene),
            meshes: None,
            measures: job.measures,
            checkpoint: None,
        };
        let mut recorder = folder.create(&session).map_err(text)?;
        let live = LiveRun::start(&self.show, &self.dir, &self.name)?;
        // the page may have been closed meanwhile
        let _ = tell.send(Ok(live.id()));
        recorder.show(live, &[]);
        let mut stop = stop_when(|| self.stop.load(Ordering::Relaxed));
        let run = recorder.run(session, &mut stop).map_err(text)?;
        let outcome = run.outcome(recorder.problem(), recorder.elapsed());
        // a full disk was reported by the first row that failed
        let _ = recorder.finish(outcome);
        Ok(())
    }
}
