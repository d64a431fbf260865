//! The current content of the page.
//!
//! Each part (scene, diagnostics, every run) has the number of its last change. A page sends the number of the last change that it knows and receives the parts
//! that changed since, in their current state. A slow page skips intermediate states, blocks nobody and needs no memory.

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::{Bucket, Decimator, Scene, SessionDiagnostic, SessionRun, ViewerMode};

/// The data of a run.
pub trait RunData: Send + Sync {
    /// The bytes of up to `count` frames, every `every`-th from index `from` on: see [`crate::MotionReader::read`].
    fn frames(&self, from: u64, count: u64, every: u64) -> io::Result<Vec<u8>>;

    /// The scene of the run, if it may differ from the one shown.
    fn scene(&self) -> Option<Arc<Scene>> {
        None
    }

    /// The bytes of a mesh, by its number in the scene of the run.
    fn mesh(&self, _number: usize) -> Result<Vec<u8>, Refusal> {
        Err(Refusal::NotHere)
    }

    /// Passes the times and values of a signal to `each`, in the order of time and in parts of any size; `false` if there is no such signal. Parts completely
    /// outside the time interval may be omitted.
    fn signal(
        &self,
        name: &str,
        times: (f64, f64),
        each: &mut dyn FnMut(&[f64], &[f64]),
    ) -> io::Result<bool>;
}

/// The reason why the server rejects a request of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The resource does not exist.
    NotHere,
    /// The request failed, with the reason.
    Cannot(String),
}

/// The requests of a page other than viewing.
pub trait Backend: Send + Sync {
    /// Stops the current run.
    fn stop(&self) {}

    /// Runs the model with other parameter values, in the background. Returns the number of the new run.
    fn run(&self, _parameters: &Map<String, Value>) -> Result<usize, Refusal> {
        Err(Refusal::NotHere)
    }

    /// Returns the modes of the model: frequencies, damping ratios and shapes.
    fn modes(&self) -> Result<Value, Refusal> {
        Err(Refusal::NotHere)
    }

    /// The bytes of a mesh, by its number in the scene.
    fn mesh(&self, _number: usize) -> Result<Vec<u8>, Refusal> {
        Err(Refusal::NotHere)
    }

    /// Edits the model, or describes possible edits; the arguments of `action` are in `request`.
    fn desk(&self, _action: &str, _request: &Value) -> Result<Value, Refusal> {
        Err(Refusal::NotHere)
    }
}

/// A backend for viewing only.
#[derive(Clone, Copy, Debug)]
pub struct NoBackend;

impl Backend for NoBackend {}

struct ShownRun {
    run: SessionRun,
    data: Arc<dyn RunData>,
    change: u64,
}

struct ShowState {
    change: u64,
    mode: ViewerMode,
    title: String,
    source: Option<String>,
    scene: Option<Arc<Scene>>,
    scene_change: u64,
    diagnostics: Vec<SessionDiagnostic>,
    diagnostics_change: u64,
    runs: Vec<ShownRun>,
    /// The number of runs so far.
    numbered: usize,
    /// Removed runs, and the number of the change.
    removed: Vec<(u64, usize)>,
}

impl ShowState {
    fn shown(&self, id: usize) -> Option<&ShownRun> {
        self.runs.iter().find(|shown| shown.run.id == id)
    }

    fn remove(&mut self, change: u64, gone: impl Fn(&SessionRun) -> bool) {
        let ids = self.runs.iter().map(|shown| &shown.run);
        let ids: Vec<usize> = ids.filter(|run| gone(run)).map(|run| run.id).collect();
        self.runs.retain(|shown| !ids.contains(&shown.run.id));
        self.removed.extend(ids.into_iter().map(|id| (change, id)));
        let most = self.removed.len().saturating_sub(MOST_REMOVED);
        drop(self.removed.drain(..most));
    }
}

/// The maximum number of removed runs that are remembered, for pages that have not been notified.
const MOST_REMOVED: usize = 1000;

/// The current content of the page; shared between those who change it and the server.
pub struct Show {
    state: Mutex<ShowState>,
    changed: Condvar,
}

impl std::fmt::Debug for Show {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Show").finish_non_exhaustive()
    }
}

impl Show {
    /// Creates an empty show.
    pub fn new(mode: ViewerMode, title: impl Into<String>) -> Self {
        Self {
            state: Mutex::new(ShowState {
                change: 0,
                mode,
                title: title.into(),
                source: None,
                scene: None,
                scene_change: 0,
                diagnostics: Vec::new(),
                diagnostics_change: 0,
                runs: Vec::new(),
                numbered: 0,
                removed: Vec::new(),
            }),
            changed: Condvar::new(),
        }
    }

    /// No holder of the lock leaves the state inconsistent, so a poisoned lock is accepted.
    fn state(&self) -> MutexGuard<'_, ShowState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, edit: impl FnOnce(&mut ShowState, u64) -> T) -> T {
        let mut state = self.state();
        state.change += 1;
        let change = state.change;
        let out = edit(&mut state, change);
        drop(state);
        self.changed.notify_all();
        out
    }

    /// The scene.
    pub fn scene(&self) -> Option<Arc<Scene>> {
        self.state().scene.clone()
    }

    /// Sets the scene, its source text, and its diagnostics. Runs whose frames do not fit the scene are removed.
    pub fn set_scene(
        &self,
        scene: impl Into<Arc<Scene>>,
        source: Option<String>,
        diagnostics: Vec<SessionDiagnostic>,
    ) {
        let scene = scene.into();
        self.change(|state, change| {
            let fits = |old: &Scene| {
                let names = |scene: &Scene| -> Vec<String> {
                    scene.bodies.iter().map(|body| body.name.clone()).collect()
                };
                old.frame_size == scene.frame_size && names(old) == names(&scene)
            };
            if !state.scene.as_deref().is_none_or(fits) {
                state.remove(change, |_| true);
            }
            state.scene = Some(scene);
            state.source = source;
            state.diagnostics = diagnostics;
            (state.scene_change, state.diagnostics_change) = (change, change);
        });
    }

    /// Sets the diagnostics of the text, and keeps the scene.
    pub fn set_diagnostics(&self, source: Option<String>, diagnostics: Vec<SessionDiagnostic>) {
        self.change(|state, change| {
            if source.is_some() {
                state.source = source;
            }
            state.diagnostics = diagnostics;
            state.diagnostics_change = change;
        });
    }

    /// Adds a run and returns its number.
    pub fn add_run(&self, mut run: SessionRun, data: Arc<dyn RunData>) -> usize {
        self.change(|state, change| {
            let id = state.numbered;
            (run.id, state.numbered) = (id, id + 1);
            state.runs.push(ShownRun { run, data, change });
            id
        })
    }

    /// The description of a run.
    pub fn run(&self, id: usize) -> Option<SessionRun> {
        Some(self.state().shown(id)?.run.clone())
    }

    /// Changes the description of a run.
    pub fn update_run(&self, id: usize, edit: impl FnOnce(&mut SessionRun)) {
        self.change(|state, change| {
            let mut runs = state.runs.iter_mut();
            if let Some(shown) = runs.find(|shown| shown.run.id == id) {
                edit(&mut shown.run);
                shown.run.id = id;
                shown.change = change;
            }
        });
    }

    /// Removes a run.
    pub fn remove_run(&self, id: usize) {
        self.change(|state, change| state.remove(change, |run| run.id == id));
    }

    /// The initial data of a page.
    pub fn session(&self) -> Value {
        let state = self.state();
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "mode": state.mode,
            "title": state.title,
            "runs": state.runs.iter().map(|shown| &shown.run).collect::<Vec<_>>(),
            "scene": state.scene.as_deref(),
            "diagnostics": state.diagnostics,
            "source": state.source,
            "change": state.change,
        })
    }

    /// The parts that changed since a change, as messages, and the number of the last change. Waits up to `wait` for a change.
    pub fn news(&self, since: u64, wait: Duration) -> (u64, Vec<Value>) {
        let state = self.state();
        let waited = self
            .changed
            .wait_timeout_while(state, wait, |state| state.change <= since);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let mut messages = Vec::new();
        if state.scene_change > since {
            messages.push(
                json!({ "type": "scene", "scene": state.scene.as_deref(), "source": state.source }),
            );
        }
        if state.diagnostics_change > since {
            messages.push(json!({
                "type": "diagnostics", "list": state.diagnostics, "source": state.source,
            }));
        }
        for (_, id) in state.removed.iter().filter(|(change, _)| *change > since) {
            messages.push(json!({ "type": "removed", "id": id }));
        }
        for shown in state.runs.iter().filter(|shown| shown.change > since) {
            messages.push(json!({ "type": "run", "run": shown.run }));
        }
        (state.change, messages)
    }

    /// The number of the last change.
    pub fn last_change(&self) -> u64 {
        self.state().change
    }

    fn data(&self, id: usize) -> Option<(Arc<dyn RunData>, (f64, f64))> {
        let state = self.state();
        let shown = state.shown(id)?;
        let times = shown.run.times;
        Some((Arc::clone(&shown.data), (times.first, times.last)))
    }

    /// Frames of a run; `None` if there is no such run.
    pub fn frames(
        &self,
        id: usize,
        from: u64,
        count: u64,
        every: u64,
    ) -> Option<io::Result<Vec<u8>>> {
        Some(self.data(id)?.0.frames(from, count, every))
    }

    /// The scene of a run; `None` if there is no such run.
    pub fn scene_of(&self, id: usize) -> Option<Arc<Scene>> {
        let own = self.data(id)?.0.scene();
        own.or_else(|| self.scene())
    }

    /// The bytes of a mesh, from the first run.
    pub fn mesh(&self, number: usize) -> Result<Vec<u8>, Refusal> {
        let first = self
            .state()
            .runs
            .first()
            .map(|shown| Arc::clone(&shown.data));
        first.ok_or(Refusal::NotHere)?.mesh(number)
    }

    /// The number of values in a frame of the scene.
    pub fn frame_size(&self) -> usize {
        let state = self.state();
        state.scene.as_ref().map_or(0, |scene| scene.frame_size)
    }

    /// Decimated signals of a run; `None` if there is no such run. An unknown signal is empty.
    pub fn signals(
        &self,
        id: usize,
        names: &[String],
        times: (Option<f64>, Option<f64>),
        points: usize,
    ) -> Option<io::Result<Vec<Vec<Bucket>>>> {
        let (data, (first, last)) = self.data(id)?;
        let times = (times.0.unwrap_or(first), times.1.unwrap_or(last));
        let one = |name: &String| -> io::Result<Vec<Bucket>> {
            let mut decimator = Decimator::new(times.0, times.1, points);
            let _ = data.signal(name, times, &mut |t, x| {
                for (t, x) in t.iter().zip(x) {
                    decimator.push(*t, *x);
                }
            })?;
            Ok(decimator.buckets().to_vec())
        };
        Some(names.iter().map(one).collect())
    }
}
