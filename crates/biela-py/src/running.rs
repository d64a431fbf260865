//! Runs with Python callbacks, which may stop them.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use biela::core::analysis::{Assembled, Observer, Progress, Study};
use biela::core::system::Instant as Seen;
use biela::model::Parameters;
use biela::model::lower::Measures;
use biela::record::checkpoint::CHECKPOINT_FILE;
use biela::record::{Header, RecordError, Results};
use biela::view::{FolderError, FolderRecorder, MotionRecorder, RunFolder};
use biela::viewer::Scene;
use biela::{Job, Run, RunError, Session, evidence};
use numpy::PyArray1;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};

use crate::convert::{ExceptionKind, dict, failure, to_python};
use crate::document::{Document, table};

/// Interval at which interrupts are checked and progress is reported.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The Python callbacks of a run.
pub(crate) struct Callbacks {
    progress: Option<Py<PyAny>>,
    observer: Option<Py<PyAny>>,
    began: Instant,
    /// Wall-clock time of the run before it was resumed.
    earlier: Duration,
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
            earlier: Duration::ZERO,
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
        let Some(observer) = self.observer.as_ref().filter(|_| self.raised.is_none()) else {
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
        if elapsed < self.due || self.raised.is_some() {
            return ControlFlow::Continue(());
        }
        self.due = elapsed + LOOK_EVERY;
        let result = Python::attach(|py| {
            py.check_signals()?;
            if let Some(callback) = &self.progress {
                let elapsed = self.earlier + elapsed;
                let told = (progress.time, progress.end, elapsed.as_secs_f64());
                let _ = callback.bind(py).call1(told)?;
            }
            Ok(ControlFlow::Continue(()))
        });
        self.go_on(result)
    }
}

/// The results folder that a run writes.
pub(crate) struct FolderRequest {
    pub(crate) dir: PathBuf,
    pub(crate) motion: bool,
    /// The folder of the meshes of the model.
    pub(crate) meshes: PathBuf,
    /// The wall-clock time between checkpoints.
    pub(crate) checkpoint: Option<Duration>,
    /// Resume the run that the folder contains.
    pub(crate) resume: bool,
}

impl FolderRequest {
    /// Opens the folder, runs the session, and completes the folder.
    fn run(
        &self,
        mut session: Session,
        (header, study): (&Header, &Study),
        (scene, measures): (Option<&Scene>, Measures),
        callbacks: &mut Callbacks,
    ) -> Result<ComputedRun, RunProblem> {
        let folder = RunFolder {
            dir: &self.dir,
            header,
            rows: biela::rows(study),
            csv: false,
            scene,
            meshes: Some(&self.meshes),
            measures,
            checkpoint: self.checkpoint,
        };
        let mut recorder = if self.resume {
            folder.resume(&mut session)?
        } else {
            folder.create(&session)?
        };
        callbacks.earlier = recorder.elapsed();
        let run = recorder.run(session, callbacks)?;
        let elapsed = recorder.elapsed();
        let cautions = cautions(&recorder);
        let outcome = run.outcome(recorder.problem(), elapsed);
        let unrecorded = recorder.finish(outcome).err();
        let table = match (self.table(), &unrecorded) {
            (Ok(table), _) => table,
            // the first problem is reported
            (Err(_), Some(_)) => (Vec::new(), Vec::new()),
            (Err(problem), None) => return Err(FolderError::Record(problem).into()),
        };
        Ok(ComputedRun {
            run,
            table,
            elapsed,
            cautions,
            unrecorded,
        })
    }

    /// Times and values in the folder, which contains the rows before a run was resumed too.
    fn table(&self) -> Result<(Vec<f64>, Vec<f64>), RecordError> {
        let results = Results::open(&self.dir)?;
        let columns = results.columns().len();
        let mut series = (0..columns).filter_map(|column| results.series(column));
        let times = series.next().unwrap_or_default().to_vec();
        let series: Vec<&[f64]> = series.collect();
        let row = |k| series.iter().map(move |column: &&[f64]| column[k]);
        let values = (0..times.len()).flat_map(row).collect();
        Ok((times, values))
    }
}

/// Warnings about the checkpoints of a run.
fn cautions(recorder: &FolderRecorder) -> Vec<String> {
    let unwritten = recorder.checkpoint_problem.as_ref();
    let unwritten = unwritten.map(|why| format!("the last checkpoint could not be written: {why}"));
    let passed_over = recorder.passed_over.clone();
    passed_over.into_iter().chain(unwritten).collect()
}

/// A run with its table, from memory or from its folder.
struct ComputedRun {
    run: Run,
    table: (Vec<f64>, Vec<f64>),
    /// Wall-clock time.
    elapsed: Duration,
    /// Warnings about checkpoints.
    cautions: Vec<String>,
    /// The reason why the results folder is incomplete.
    unrecorded: Option<RecordError>,
}

/// The reason why a run did not start or has no results.
enum RunProblem {
    Run(RunError),
    Folder(FolderError),
}

impl From<RunError> for RunProblem {
    fn from(error: RunError) -> Self {
        Self::Run(error)
    }
}

impl From<FolderError> for RunProblem {
    fn from(error: FolderError) -> Self {
        Self::Folder(error)
    }
}

/// The exception for a folder that cannot be written or resumed.
fn folder_error(py: Python<'_>, error: &FolderError) -> PyErr {
    let text = match error {
        FolderError::Record(problem) if problem.is_of_writing() => {
            return PyOSError::new_err(problem.to_string());
        }
        FolderError::Resumable { dir, .. } => format!(
            "{error}: pass resume=True, or remove {} to start again",
            dir.join(CHECKPOINT_FILE).display()
        ),
        FolderError::Motion { .. } => format!("{error}; omit it with motion=False"),
        _ => error.to_string(),
    };
    failure(py, ExceptionKind::Option, text)
}

/// Assembles and runs a job, in memory or in a results folder. Returns the results of assembly too.
fn compute(
    job: Job,
    study: &Study,
    header: &Header,
    folder: Option<&FolderRequest>,
    callbacks: &mut Callbacks,
) -> Result<(Value, ComputedRun), RunProblem> {
    let began = Instant::now();
    let assembled = biela::start(job.model, study)?;
    callbacks.begin(&assembled, (&job.description, &job.parameters));
    let start = evidence::start(&assembled);
    let scene = folder
        .filter(|folder| folder.motion)
        .map(|_| biela::view::scene(&assembled, &job.description, &job.parameters));
    let session = Session::new(assembled, study, &job.outputs.channels)?;
    if let Some(folder) = folder {
        let drawn = (scene.as_ref(), job.measures);
        let computed = folder.run(session, (header, study), drawn, callbacks)?;
        return Ok((start, computed));
    }
    let mut run = session.run_in_memory(callbacks)?;
    let table = run.take_table();
    let computed = ComputedRun {
        run,
        table,
        elapsed: began.elapsed(),
        cautions: Vec::new(),
        unrecorded: None,
    };
    Ok((start, computed))
}

/// Runs a job and returns all results; the exception of a callback is part of them, so that results are kept.
pub(crate) fn run<'py>(
    py: Python<'py>,
    document: &Document,
    job: Job,
    study: &Study,
    folder: Option<&FolderRequest>,
    mut callbacks: Callbacks,
) -> PyResult<Bound<'py, PyDict>> {
    let path = document.name();
    let header = job.header(path.as_ref(), document.set(), biela::study_options(study));
    let computed = py.detach(|| compute(job, study, &header, folder, &mut callbacks));
    let (start, computed) = computed.map_err(|problem| match problem {
        RunProblem::Run(error) => document.run_error(py, &error),
        RunProblem::Folder(error) => folder_error(py, &error),
    })?;
    let ComputedRun {
        run,
        table: (times, values),
        elapsed,
        cautions,
        unrecorded,
    } = computed;
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
    let status = run.status(unrecorded.as_ref());
    answer.set_item("status", to_python(py, &json!(status))?)?;
    answer.set_item("statistics", dict(py, &evidence::run_statistics(&run))?)?;
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
    answer.set_item("events", run.events)?;
    answer.set_item("options", dict(py, &header.options)?)?;
    answer.set_item("digest", header.model.digest)?;
    answer.set_item("seconds", elapsed.as_secs_f64())?;
    answer.set_item("cautions", cautions)?;
    let unrecorded = unrecorded.map(|problem| problem.to_string());
    answer.set_item("unrecorded", unrecorded)?;
    answer.set_item("raised", callbacks.raised.map(|error| error.into_value(py)))?;
    let inside = document.raised().take();
    answer.set_item(
        "inside",
        inside.map(|(what, error)| (what, error.into_value(py))),
    )?;
    answer.set_item("data", table(py, values, times.len(), width)?)?;
    answer.set_item("time", PyArray1::from_vec(py, times))?;
    Ok(answer)
}
