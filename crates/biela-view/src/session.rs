//! What a page is told of the runs and of the model's text.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// A model file, read again when it changes.
    Model,
    /// Results of earlier runs.
    Results,
    /// A run under way.
    Live,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// Under way.
    Running,
    /// Came to its end.
    Finished,
    /// Ended before, by the user or by a problem.
    Stopped,
}

/// The times that the frames of a run span.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// Of the first frame.
    pub first: f64,
    /// Of the last frame so far.
    pub last: f64,
    /// Between frames; the last one may come sooner.
    pub step: Option<f64>,
    /// Where the run is to end.
    pub end: Option<f64>,
}

/// Something that happened during a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// When.
    pub time: f64,
    /// Its name.
    pub name: String,
    /// What it means, in words.
    pub text: String,
}

/// A recorded quantity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signal {
    /// Name, as in `crank.angle`.
    pub name: String,
    /// SI unit.
    pub unit: String,
    /// What it is, in words.
    pub text: String,
}

/// A run and what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Its number.
    pub id: usize,
    /// What to call it.
    pub name: String,
    /// How many frames there are.
    pub frames: u64,
    /// The times they span.
    pub times: Times,
    /// How far it is.
    pub state: RunState,
    /// Why it ended before its end, or what is to be said of it.
    pub message: String,
    /// What happened.
    pub events: Vec<Event>,
    /// What can be plotted.
    pub signals: Vec<Signal>,
    /// Signals that the model asks to see, one list a plot.
    pub plots: Vec<Vec<String>>,
    /// Parameters that differ from the model's.
    pub parameters: Map<String, Value>,
    /// How well energy and constraints were kept.
    pub summary: Map<String, Value>,
}

/// A problem of the model's text, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// `error` or `warning`.
    pub severity: String,
    /// A stable short name.
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// The file; empty when there is no place.
    pub file: String,
    /// Line, from 1; 0 when there is no place.
    pub line: usize,
    /// Column, from 1; 0 when there is no place.
    pub column: usize,
    /// A few words on the place.
    pub label: String,
    /// What to try.
    pub help: String,
    /// The whole message as the command prints it.
    pub text: String,
}
