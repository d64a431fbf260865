//! The data of runs and of the model's text for a page.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The content of the viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ViewerMode {
    /// A model file, reloaded when it changes.
    Model,
    /// Results of earlier runs.
    Results,
    /// A run in progress.
    Live,
}

/// The state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// In progress.
    Running,
    /// Completed.
    Finished,
    /// Ended early, by the user or by a failure.
    Stopped,
}

/// The time interval of the frames of a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// Time of the first frame.
    pub first: f64,
    /// Time of the last frame so far.
    pub last: f64,
    /// Time between frames; the last one may be shorter.
    pub step: Option<f64>,
    /// The end time of the run.
    pub end: Option<f64>,
}

/// An event during a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionEvent {
    /// Its time.
    pub time: f64,
    /// Its name.
    pub name: String,
    /// Its description.
    pub text: String,
}

/// A recorded quantity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionSignal {
    /// Name, as in `crank.angle`.
    pub name: String,
    /// SI unit.
    pub unit: String,
    /// Its description.
    pub text: String,
}

/// The data of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionRun {
    /// Its number.
    pub id: usize,
    /// Its name.
    pub name: String,
    /// The number of frames.
    pub frames: u64,
    /// Their time interval.
    pub times: Times,
    /// Its state.
    pub state: RunState,
    /// The reason why it ended early, or a note.
    pub message: String,
    /// The events.
    pub events: Vec<SessionEvent>,
    /// The signals that can be plotted.
    pub signals: Vec<SessionSignal>,
    /// The signals plotted by default, one list per plot.
    pub plots: Vec<Vec<String>>,
    /// Parameters that differ from those of the model.
    pub parameters: Map<String, Value>,
    /// Energy and constraint errors.
    pub summary: Map<String, Value>,
}

/// A problem in the model's text, with its location.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionDiagnostic {
    /// `error` or `warning`.
    pub severity: String,
    /// A stable short name.
    pub code: String,
    /// The problem.
    pub message: String,
    /// The file; empty without a location.
    pub file: String,
    /// Line, from 1; 0 without a location.
    pub line: usize,
    /// Column, from 1; 0 without a location.
    pub column: usize,
    /// A note at the location.
    pub label: String,
    /// Advice.
    pub help: String,
    /// The whole message as the command prints it.
    pub text: String,
}
