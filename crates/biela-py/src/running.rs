//! Runs with Python callbacks, which may stop them.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use biela::core::analysis::{Assembled, Observer, Progress, Study};
use biela::core::system::Instant as Seen;
use biela::model::Parameters;
use biela::view::MotionRecorder;
use biela::{Job, RunError, Session, evidence};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};

use crate::convert::{dict, to_python};
use crate::document::{Document, table};

/// Interval at which interrupts are checked and progress is reported.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The Python callbacks of a run.
pub(crate) struct Callbacks {
    progress: Option<Py<PyAny>>,
    observer: Option<Py<PyAny>>,
    began: Instant,
    due: Duration,
    /// Where to film the run, and the rows it is to have.
    film: Option<(PathBuf, f64)>,
    filming: Option<MotionRecorder>,
    /// The exception of a callback.
    raised: Option<PyErr>,
}

impl Callbacks {
    pub(crate) fn new(progress: Option<Py<PyAny>>, observer: Option<Py<PyAny>>) -> Self {
        Self {
            progress,
            observer,
            began: Instant::now(),
            due: LOOK_EVERY,
            film: None,
            filming: None,
            raised: None,
        }
    }

    /// Adds recording of the motion to a folder.
    pub(crate) fn filming(self, folder: Option<PathBuf>, study: &Study) -> Self {
        let film = folder.map(|folder| (folder, biela::rows(study)));
        Self { film, ..self }
    }

    /// Starts to record the motion, if requested.
    fn begin(&mut self, assembled: &Assembled, (description, parameters): (&str, &Parameters)) {
        if let Some((folder, rows)) = &self.film {
            let scene = biela::view::scene(assembled, description, parameters);
            let film =
                MotionRecorder::create(folder, &scene, assembled.system.model(), None, *rows);
            match film {
                Ok(film) => self.filming = Some(film),
                Err(problem) => self.raised = Some(problem.into()),
            }
        }
    }

    /// Stops the run if Python raised an exception.
    fn go_on(&mut self, result: PyResult<ControlFlow<()>>) -> ControlFlow<()> {
        result.unwrap_or_else(|error| {
            self.raised = Some(error);
            ControlFlow::Break(())
        })
    }
}

impl Observer for Callbacks {
    fn sample(&mut self, instant: &Seen<'_>) -> ControlFlow<()> {
        if let Some(film) = &mut self.filming {
            film.sample(instant);
        }
        let Some(observer) = &self.observer else {
            return ControlFlow::Continue(());
        };
        let result = Python::attach(|py| {
            let row = PyArray1::from_slice(py, instant.row);
            let answer = observer.bind(py).call1((instant.time(), row))?;
            // only False stops a run: a function that returns nothing is an observer
            let ends = answer.extract::<bool>().is_ok_and(|goes_on| !goes_on);
            Ok(if ends {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        });
        self.go_on(result)
    }

    fn step(&mut self, progress: &Progress) -> ControlFlow<()> {
        let elapsed = self.began.elapsed();
        if elapsed < self.due {
            return ControlFlow::Continue(());
        }
        self.due = elapsed + LOOK_EVERY;
        let result = Python::attach(|py| {
            py.check_signals()?;
            if let Some(callback) = &self.progress {
                let told = (progress.time, progress.end, elapsed.as_secs_f64());
                let _ = callback.bind(py).call1(told)?;
            }
            Ok(ControlFlow::Continue(()))
        });
        self.go_on(result)
    }
}

/// Runs a job and returns all results; the exception of a callback is part of them, so that results are kept.
pub(crate) fn run<'py>(
    py: Python<'py>,
    document: &Document,
    job: Job,
    study: &Study,
    mut callbacks: Callbacks,
) -> PyResult<Bound<'py, PyDict>> {
    let path = document.name();
    let header = job.header(path.as_ref(), document.set(), biela::study_options(study));
    let began = Instant::now();
    let outcome = py.detach(|| -> Result<_, RunError> {
        let assembled = biela::start(job.model, study)?;
        callbacks.begin(&assembled, (&job.description, &job.parameters));
        let start = evidence::start(&assembled);
        let session = Session::new(assembled, study, &job.outputs.channels)?;
        Ok((start, session.run_in_memory(&mut callbacks)?))
    });
    let (start, mut run) = outcome.map_err(|error| document.run_error(py, &error))?;
    let seconds = began.elapsed().as_secs_f64();
    if let Some(film) = callbacks.filming.take() {
        let _ = film.finish();
    }

    let answer = PyDict::new(py);
    let channels: Vec<_> = run
        .channels()
        .iter()
        .map(|c| (c.name.clone(), c.unit.clone(), c.text.clone()))
        .collect();
    let width = channels.len();
    answer.set_item("channels", channels)?;
    answer.set_item("model", &header.model.name)?;
    answer.set_item("status", to_python(py, &json!(run.status(None)))?)?;
    let mut work = evidence::work(&run.statistics);
    work.extend([
        ("events_not_listed".to_owned(), json!(run.events_not_listed)),
        (
            "singular_poses_not_listed".to_owned(),
            json!(run.singular_poses_not_listed),
        ),
    ]);
    answer.set_item("statistics", dict(py, &work)?)?;
    answer.set_item("checks", dict(py, &evidence::checks(&run.statistics))?)?;
    let poses: Vec<Value> = run
        .singular_poses
        .iter()
        .map(evidence::singular_pose)
        .collect();
    answer.set_item("singular_poses", to_python(py, &json!(poses))?)?;
    let equilibria: Vec<Value> = run.equilibria.iter().map(evidence::equilibrium).collect();
    answer.set_item("equilibria", to_python(py, &json!(equilibria))?)?;
    answer.set_item("start", to_python(py, &start)?)?;
    answer.set_item("warnings", run.doubts())?;
    answer.set_item("events", run.events.clone())?;
    answer.set_item("options", dict(py, &header.options)?)?;
    answer.set_item("digest", header.model.digest)?;
    answer.set_item("seconds", seconds)?;
    answer.set_item("raised", callbacks.raised.map(|error| error.into_value(py)))?;
    let inside = document.raised().take();
    answer.set_item(
        "inside",
        inside.map(|(what, error)| (what, error.into_value(py))),
    )?;
    let (times, values) = run.take_table();
    answer.set_item("data", table(py, values, times.len(), width)?)?;
    answer.set_item("time", PyArray1::from_vec(py, times))?;
    Ok(answer)
}
