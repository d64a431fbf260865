//! A model that is loaded once and run with many parameter values.

use std::path::Path;

use biela_core::analysis::{Observer, Observers, Stop, stop_when};
use biela_core::system::Channel;
use biela_model::diagnostic::Severity;
use biela_model::lower::{
    FitDefinition, Loaded, Measures, ModelText, Optimize, Overrides, Parameters, SweepDefinition,
};
use biela_record::{Header, RecordError, RunOutcome, RunStatus, Writer, WriterOptions, digest};

use super::Taking;
use super::search::interpolated;
use crate::explain::{Reason, told};
use crate::job::{Job, ModelError, ModelReport, TextInFolder};
use crate::{RowRecorder, Run, RunError, Session, start};

/// A model whose runs differ in parameter values.
#[derive(Debug)]
pub struct ParameterRuns {
    text: ModelText,
    /// Parameters overridden in all runs, each `name=value`.
    set: Vec<String>,
    about: About,
}

/// The name, parameters and study definitions of a model, with the values in its file.
#[derive(Debug)]
pub struct About {
    /// The model's name.
    pub name: String,
    /// The parameters.
    pub parameters: Parameters,
    /// The measures of each run.
    pub measures: Measures,
    /// The sweep.
    pub sweep: Option<SweepDefinition>,
    /// The optimization.
    pub optimize: Option<Optimize>,
    /// The fit.
    pub fit: Option<FitDefinition>,
    /// How long a run is, s, with the values of the file.
    pub duration: f64,
}

/// The reason why there is no result.
#[derive(Clone, PartialEq, Eq)]
pub enum Stopped {
    /// The run failed, with the reason.
    Failed(String),
    /// The rows cannot be written, with the reason. The run itself is not at fault and can be repeated.
    Unrecorded(String),
    /// The caller stopped the run.
    Interrupted,
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stopped::Failed(reason) | Stopped::Unrecorded(reason) => f.write_str(reason),
            Stopped::Interrupted => f.write_str("interrupted"),
        }
    }
}

biela_core::readable_errors!(Stopped);

/// A reason in one line.
fn reason(text: &str) -> Stopped {
    Stopped::Failed(one_line(text))
}

fn unrecorded(error: &RecordError) -> Stopped {
    Stopped::Unrecorded(one_line(&error.to_string()))
}

fn explained(error: &impl ToString, reason: impl Into<Reason>) -> Stopped {
    Stopped::Failed(told(one_line(&error.to_string()), reason))
}

fn one_line(text: &str) -> String {
    const MOST: usize = 400;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

fn refused(loaded: Box<Loaded>) -> ModelError {
    let loaded = *loaded;
    ModelError(ModelReport {
        sources: loaded.sources,
        diagnostics: loaded.diagnostics,
    })
}

impl ParameterRuns {
    /// Loads a model file; `set` contains parameter values that all runs share.
    pub fn open(path: &Path, set: &[String]) -> Result<Self, ModelError> {
        Self::new(ModelText::read(path).map_err(refused)?, set)
    }

    /// Loads a model from named texts, the main one called `main`: see [`ParameterRuns::texts`].
    pub fn of<N: Into<String>, T: Into<String>>(
        main: &str,
        texts: impl IntoIterator<Item = (N, T)>,
        set: &[String],
    ) -> Result<Self, ModelError> {
        Self::new(ModelText::of(main, texts).map_err(refused)?, set)
    }

    /// Parses a model from a text with its name, optionally changed by the tables of another text: `[[measure]]` are added, and keys of `[optimize]`, `[fit]`,
    /// `[study]` and others replace those of the model. Files that it names are read from `files`, each a name and a text, or from `folder`.
    pub fn read(
        (name, text): (&str, &str),
        folder: &Path,
        files: &[(String, String)],
        changes: Option<(&str, &str)>,
        set: &[String],
    ) -> Result<Self, ModelError> {
        let files = files
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()));
        let loader = TextInFolder::new(name, text, folder).with(files);
        let text = match changes {
            Some(changes) => ModelText::changed(name, &loader, changes),
            None => ModelText::load(name, &loader),
        };
        Self::new(text.map_err(refused)?, set)
    }

    fn new(text: ModelText, set: &[String]) -> Result<Self, ModelError> {
        let loaded = text.model(&Overrides::new(set.iter().map(String::as_str)));
        let job = Job::new(loaded)?;
        let about = About {
            duration: job.study_or_start().duration,
            name: job.model.name,
            parameters: job.parameters,
            measures: job.measures,
            sweep: job.sweep,
            optimize: job.optimize,
            fit: job.fit,
        };
        Ok(Self {
            text,
            set: set.to_vec(),
            about,
        })
    }

    /// The name, parameters and study definitions of the model.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// The texts of the model, the main one first.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.text.texts()
    }

    /// Parameter values that all runs share.
    pub fn set(&self) -> &[String] {
        &self.set
    }

    /// SHA-256 of everything that determines a run except the values of varied parameters.
    pub(super) fn digest(&self) -> String {
        let mut list: Vec<String> = self
            .text
            .texts()
            .map(|(_, t)| digest(t.as_bytes()))
            .collect();
        list.extend(self.set.iter().cloned());
        digest(list.join("\n").as_bytes())
    }

    /// Returns the model with these parameter values in SI units.
    pub fn with<'n>(
        &self,
        values: impl IntoIterator<Item = (&'n str, f64)>,
    ) -> Result<Job, Stopped> {
        let mut overrides = Overrides::new(self.set.iter().map(String::as_str));
        for (name, value) in values {
            // the shortest representation that parses to the same number
            overrides.set(name, &format!("{value:e}"));
        }
        let loaded = self.text.model(&overrides);
        Job::new(loaded).map_err(|ModelError(report)| {
            let list = report.diagnostics.sorted();
            let first = list.iter().find(|d| d.severity == Severity::Error);
            let message = first.map_or("the model cannot be read", |d| d.message.as_str());
            reason(message)
        })
    }

    /// Returns the measures of a run with these parameter values.
    pub fn measure<'n>(
        &self,
        values: impl IntoIterator<Item = (&'n str, f64)>,
        history: Option<&Path>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<f64>, Stopped> {
        let mut job = self.with(values)?;
        let mut history = history.map(|folder| keep(folder, &job)).transpose()?;
        let mut taking = Taking::new(job.measures.clone());
        let mut stopping = stop_when(stop);
        let mut observers = Observers(vec![&mut taking]);
        let mut recorded = Vec::new();
        if let Some(rows) = &mut history {
            observers.0.push(rows);
            recorded = std::mem::take(&mut job.outputs.channels);
        }
        observers.0.push(&mut stopping);
        let ended = session(job, &recorded).and_then(|session| ended(session.run(&mut observers)));
        if let Some(RowRecorder { writer, problem }) = history {
            if let Some(problem) = problem {
                return Err(unrecorded(&problem));
            }
            let status = match &ended {
                Ok(_) => RunStatus::Finished,
                Err(Stopped::Interrupted) => RunStatus::Interrupted,
                Err(Stopped::Failed(message) | Stopped::Unrecorded(message)) => RunStatus::Failed {
                    message: message.clone(),
                    time: writer.kept().last_time.unwrap_or(0.0),
                },
            };
            let finished = writer.finish(RunOutcome::new(status));
            let _ = finished.map_err(|problem| unrecorded(&problem))?;
        }
        ended.map(|_| taking.values())
    }

    /// Returns the objective of `[optimize]` for a run with these parameter values.
    pub fn goal<'n>(
        &self,
        values: impl IntoIterator<Item = (&'n str, f64)>,
        stop: &dyn Fn() -> bool,
    ) -> Result<f64, Stopped> {
        let mut job = self.with(values)?;
        let optimize = job.optimize.take();
        let optimize = optimize.ok_or_else(|| reason("the model has no [optimize]"))?;
        let mut taking = Taking::new(job.measures.clone());
        let run = session(job, &[])?.run(&mut Observers(vec![&mut taking, &mut stop_when(stop)]));
        let _ = ended(run)?;
        Ok(optimize.goal.eval(0.0, &taking.values()))
    }

    /// Returns the residuals of `[fit]` for a run with these parameter values, divided by the deviations: signal by signal, time by time.
    pub fn residuals<'n>(
        &self,
        values: impl IntoIterator<Item = (&'n str, f64)>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<f64>, Stopped> {
        let mut job = self.with(values)?;
        let fit = job.fit.take();
        let fit = fit.ok_or_else(|| reason("the model has no [fit]"))?;
        let channels: Vec<_> = fit.columns.iter().map(|c| c.channel.clone()).collect();
        let run = session(job, &channels)?.run_in_memory(&mut stop_when(stop));
        let run = ended(run)?;
        let (times, rows) = (run.times(), run.values());
        let mut residuals = Vec::with_capacity(fit.times.len() * fit.columns.len());
        for (k, column) in fit.columns.iter().enumerate() {
            for (&time, &measured) in fit.times.iter().zip(&column.values) {
                let value = |row: usize| rows[row * channels.len() + k];
                let computed = interpolated(times, value, time).ok_or_else(|| {
                    let end = times.last().copied().unwrap_or(0.0);
                    reason(&format!(
                        "the data have a measurement at t = {time} s, but the run ends at t = {end} s"
                    ))
                })?;
                residuals.push((computed - measured) / column.deviation);
            }
        }
        Ok(residuals)
    }

    /// Runs the model with these parameter values and an observer, whose rows are the recorded signals.
    pub fn observe<'n>(
        &self,
        values: impl IntoIterator<Item = (&'n str, f64)>,
        observer: &mut dyn Observer,
    ) -> Result<(), Stopped> {
        let mut job = self.with(values)?;
        let channels = std::mem::take(&mut job.outputs.channels);
        ended(session(job, &channels)?.run(observer)).map(drop)
    }
}

fn keep(folder: &Path, job: &Job) -> Result<RowRecorder, Stopped> {
    let header: Header = job.header(folder, &[], serde_json::Map::new());
    let writer = Writer::create(folder, &header, WriterOptions::default());
    let writer = writer.map_err(|error| unrecorded(&error))?;
    Ok(RowRecorder::new(writer))
}

/// The session of a run that records these signals.
fn session(job: Job, channels: &[Channel]) -> Result<Session, Stopped> {
    let study = job.study_or_start();
    start(job.model, &study)
        .and_then(|assembled| Session::new(assembled, &study, channels))
        .map_err(|error| explained(&error, &error))
}

/// The results of a run that reached its end.
fn ended(run: Result<Run, RunError>) -> Result<Run, Stopped> {
    let run = run.map_err(|error| explained(&error, &error))?;
    match &run.ended {
        Ok(Stop::Finished | Stop::Event { .. }) => Ok(run),
        Ok(Stop::Interrupted { .. }) => Err(Stopped::Interrupted),
        Err(failure) => Err(explained(failure, failure)),
    }
}
