//! A model in Python: its source, and its parameter values.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use biela::core::analysis::Simulation as CoreSimulation;
use biela::core::analysis::{
    Analysis, AssembleError, BALANCED, BALANCES, LinearModelRequest, Linearization, Mode, Study,
    assemble,
};
use biela::core::system::{Channel, channels};
use biela::derive::{
    self, DerivationFormat, DeriveError, EquationForm, Naming, Rotations, SymbolGroup,
};
use biela::model::Overrides;
use biela::model::diagnostic::ReportStyle;
use biela::model::suggest::did_you_mean;
use biela::robot::WorkbenchError;
use biela::symbol::code::Language;
use biela::view::{SteppedScene, scene};
use biela::{
    Changes, Job, LinearError, ModelError, OperatingPoint, OptionError, RunError, evidence,
};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;

use crate::convert::{ExceptionKind, failure, in_python, model_error, to_python};
use crate::functions::{PythonFunctionDefinition, PythonLaw, Raised, outside};
use crate::running::{Callbacks, FolderRequest, run};
use crate::simulation::Simulation;
use crate::tree::Tree;

/// The source of a model.
#[derive(Clone, Debug)]
enum ModelSource {
    File(PathBuf),
    /// A text with its name and the folder of its includes.
    Text {
        name: String,
        text: String,
        folder: PathBuf,
    },
}

/// A model's source and parameter values; reloaded for every operation, so that a file may change.
#[pyclass(frozen, module = "biela._biela")]
#[derive(Debug)]
pub(crate) struct Document {
    source: ModelSource,
    set: Vec<String>,
    /// Parameters and functions for the loader.
    given: Overrides,
    controllers: Vec<Controller>,
    raised: Raised,
}

/// A Python function that replaces the law of a controller: name, callable, number of inputs of each of its arguments.
type Controller = (String, Py<PyAny>, Option<Vec<Option<usize>>>);

impl Document {
    fn new(
        py: Python<'_>,
        source: ModelSource,
        set: Vec<String>,
        functions: &[PythonFunctionDefinition],
        controllers: Vec<Controller>,
    ) -> PyResult<Self> {
        let raised = Raised::default();
        let mut given = Overrides::new(set.iter().map(String::as_str));
        for function in functions {
            given.function(&function.0, outside(py, function, &raised)?);
        }
        Ok(Self {
            source,
            set,
            given,
            controllers,
            raised,
        })
    }

    fn read(&self) -> Result<Job, ModelError> {
        match &self.source {
            ModelSource::File(path) => biela::load_given(path, &self.given),
            ModelSource::Text { name, text, folder } => {
                biela::read(name, text, folder, &self.given)
            }
        }
    }

    /// Replaces the laws of controllers by Python functions.
    fn put_in_charge(&self, py: Python<'_>, job: &mut Job) -> PyResult<()> {
        for (name, call, groups) in &self.controllers {
            let controllers = &mut job.model.controllers;
            let names: Vec<String> = controllers.iter().map(|c| c.name.clone()).collect();
            let Some(controller) = controllers.iter_mut().find(|c| c.name == *name) else {
                let near = did_you_mean(name, names.iter().map(String::as_str));
                let help = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                let text = format!("{}: no controller is called `{name}`{help}", self.name());
                return Err(failure(py, ExceptionKind::Option, text));
            };
            controller.law = Arc::new(PythonLaw {
                what: format!("controller `{name}`"),
                call: call.clone_ref(py),
                groups: groups
                    .clone()
                    .unwrap_or_else(|| vec![None; controller.inputs.len()]),
                outputs: controller.outputs.iter().map(|o| o.name.clone()).collect(),
                raised: self.raised.clone(),
            });
        }
        Ok(())
    }

    /// The exception raised by a Python function.
    pub(crate) fn raised(&self) -> &Raised {
        &self.raised
    }

    /// The name in messages.
    pub(crate) fn name(&self) -> String {
        match &self.source {
            ModelSource::File(path) => path.display().to_string(),
            ModelSource::Text { name, .. } => name.clone(),
        }
    }

    /// The folder of the files that the model names.
    fn folder(&self) -> PathBuf {
        match &self.source {
            ModelSource::File(path) => path.parent().map(Path::to_path_buf).unwrap_or_default(),
            ModelSource::Text { folder, .. } => folder.clone(),
        }
    }

    /// The results folder of a run: path, whether to record the motion, interval of checkpoints, whether to resume.
    fn folder_request(
        &self,
        (dir, motion, checkpoint, resume): (PathBuf, bool, Option<String>, bool),
        study: &Study,
    ) -> Result<FolderRequest, OptionError> {
        if let Analysis::Statics { .. } = study.analysis {
            let given = [("checkpoint", checkpoint.is_some()), ("resume", resume)];
            if let Some((name, _)) = given.iter().find(|(_, given)| *given) {
                return Err(biela::nothing_moves(name));
            }
        }
        let checkpoint = checkpoint.map(|text| biela::wall_clock_time(&text));
        let checkpoint = checkpoint.transpose();
        Ok(FolderRequest {
            dir,
            motion,
            meshes: self.folder(),
            checkpoint: checkpoint.map_err(|error| error.about("checkpoint"))?,
            resume,
        })
    }

    pub(crate) fn set(&self) -> &[String] {
        &self.set
    }

    fn load(&self, py: Python<'_>) -> PyResult<Job> {
        self.raised.clear();
        let mut job = py
            .detach(|| self.read())
            .map_err(|error| model_error(py, &error))?;
        self.put_in_charge(py, &mut job)?;
        Ok(job)
    }

    fn assembly_error(&self, py: Python<'_>, error: &AssembleError) -> PyErr {
        failure(
            py,
            ExceptionKind::Assembly,
            format!("{}: {error}", self.name()),
        )
    }

    /// Rejects a table of results that exceeds the memory, unless an event or Python may end the run earlier.
    fn check_memory(
        &self,
        py: Python<'_>,
        job: &Job,
        study: &Study,
        watched: bool,
    ) -> PyResult<()> {
        if watched {
            return Ok(());
        }
        let fits = biela::check_table(job, study);
        fits.map_err(|error| self.run_error(py, &error))
    }

    pub(crate) fn run_error(&self, py: Python<'_>, error: &RunError) -> PyErr {
        let name = self.name();
        match error {
            RunError::Assemble(error) => self.assembly_error(py, error),
            RunError::Study(error) => failure(
                py,
                ExceptionKind::Option,
                format!("{name}: [study] {error}"),
            ),
            RunError::Statics(error) => {
                failure(py, ExceptionKind::Solver, format!("{name}: {error}"))
            }
            RunError::TooLarge { .. } => {
                failure(py, ExceptionKind::Assembly, format!("{name}: {error}"))
            }
            RunError::TableTooLarge { .. } => PyMemoryError::new_err(format!("{name}: {error}")),
        }
    }
}

/// Records these signals instead of those of the model; a name may select all signals below it.
fn record(job: &mut Job, names: &[String]) -> Result<(), String> {
    let all = channels(&job.model);
    let mut chosen: Vec<Channel> = Vec::new();
    for name in names {
        let below = format!("{name}.");
        let meant = |c: &&Channel| c.name == *name || c.name.starts_with(&below);
        let mut found = all.iter().filter(meant).peekable();
        if found.peek().is_none() {
            let near = did_you_mean(name, all.iter().map(|c| c.name.as_str()));
            let help = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            return Err(format!("no signal is called `{name}`{help}"));
        }
        for channel in found {
            if !chosen.iter().any(|known| known.name == channel.name) {
                chosen.push(channel.clone());
            }
        }
    }
    job.outputs.channels = chosen;
    job.outputs.panels.clear();
    Ok(())
}

/// The duration of a simulation without one, which only bounds its steps.
const UNLIMITED: &str = "10 s";

/// Options of a run in the order of `Model.run`.
fn changes(options: [Option<String>; 7]) -> Changes {
    let [
        to,
        formulation,
        method,
        integrator,
        step,
        tolerance,
        output_step,
    ] = options;
    Changes {
        to,
        formulation,
        method,
        integrator,
        step,
        tolerance,
        output_step,
        ..Changes::default()
    }
}

fn option_error(py: Python<'_>, error: &OptionError) -> PyErr {
    failure(py, ExceptionKind::Option, error)
}

/// The data of a linear model for `biela.linear`.
pub(crate) fn linear_dict<'py>(
    py: Python<'py>,
    model: &Linearization,
    modes: &[Mode],
    notes: &[String],
) -> PyResult<Bound<'py, PyDict>> {
    let answer = PyDict::new(py);
    for (name, matrix) in [
        ("A", &model.a),
        ("B", &model.b),
        ("C", &model.c),
        ("D", &model.d),
    ] {
        let rows = matrix
            .row_iter()
            .flat_map(|row| row.iter().copied().collect::<Vec<f64>>());
        let flat = PyArray1::from_vec(py, rows.collect());
        answer.set_item(name, flat.reshape([matrix.nrows(), matrix.ncols()])?)?;
    }
    let variables = |list: Vec<&biela::core::analysis::LinearVariable>| {
        let pair = |v: &biela::core::analysis::LinearVariable| (v.name.clone(), v.unit.clone());
        list.into_iter().map(pair).collect::<Vec<_>>()
    };
    answer.set_item("states", variables(model.states().collect()))?;
    answer.set_item("inputs", variables(model.inputs.iter().collect()))?;
    answer.set_item("outputs", variables(model.outputs.iter().collect()))?;
    answer.set_item("time", model.state.time)?;
    answer.set_item("doubt", model.worst_doubt().0)?;
    answer.set_item("notes", notes)?;
    let values: Vec<[f64; 2]> = modes.iter().map(|m| [m.value.re, m.value.im]).collect();
    answer.set_item("values", values)?;
    let shapes = modes.iter().map(|mode| {
        let shape: Vec<[f64; 2]> = mode.shape.iter().map(|x| [x.re, x.im]).collect();
        shape
    });
    answer.set_item("shapes", shapes.collect::<Vec<_>>())?;
    let words: Vec<&str> = modes
        .iter()
        .map(biela::core::analysis::Mode::describe)
        .collect();
    answer.set_item("kinds", words)?;
    Ok(answer)
}

#[pymethods]
impl Document {
    /// Creates a model from a file.
    #[staticmethod]
    fn file(
        py: Python<'_>,
        path: PathBuf,
        set: Vec<String>,
        functions: Vec<PythonFunctionDefinition>,
        controllers: Vec<Controller>,
    ) -> PyResult<Self> {
        Self::new(py, ModelSource::File(path), set, &functions, controllers)
    }

    /// Creates a model from a text.
    #[staticmethod]
    fn text(
        py: Python<'_>,
        text: (String, String, PathBuf),
        set: Vec<String>,
        functions: Vec<PythonFunctionDefinition>,
        controllers: Vec<Controller>,
    ) -> PyResult<Self> {
        let (name, text, folder) = text;
        let source = ModelSource::Text { name, text, folder };
        Self::new(py, source, set, &functions, controllers)
    }

    /// The contents of the model, and its warnings.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let job = self.load(py)?;
        let model = &job.model;
        let signals: Vec<_> = channels(model)
            .into_iter()
            .map(|c| json!({ "name": c.name, "unit": c.unit, "text": c.text }))
            .collect();
        let bodies: Vec<&str> = model.rigid_bodies().map(|b| b.name.as_str()).collect();
        let names = |list: Vec<&String>| json!(list);
        let facts = json!({
            "name": model.name,
            "description": job.description,
            "space": match model.space {
                biela::core::model::Space::Planar => "planar",
                biela::core::model::Space::Spatial => "spatial",
            },
            "bodies": bodies,
            "joints": names(model.listed_joints().map(|(_, j)| &j.name).collect()),
            "contacts": names(model.contacts.iter().map(|c| &c.name).collect()),
            "forces": names(model.single_forces().map(|f| &f.name).collect()),
            "parameters": job.parameters.list.iter()
                .map(|p| (p.name.clone(), json!(p.value)))
                .collect::<serde_json::Map<_, _>>(),
            "signals": signals,
            "warnings": job.report.render(ReportStyle::Plain),
            "problems": job.report.diagnostics.to_json(&job.report.sources)["diagnostics"],
            "study": job.study.as_ref().map(biela::study_options),
        });
        to_python(py, &facts)
    }

    /// The results of assembly.
    fn check<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let job = self.load(py)?;
        let problems = job.report.diagnostics.to_json(&job.report.sources);
        let formulation = job.study_or_start().formulation;
        let assembled = py
            .detach(|| assemble(job.model, formulation))
            .map_err(|error| self.assembly_error(py, &error))?;
        let mut facts = evidence::start(&assembled);
        facts["problems"] = problems["diagnostics"].clone();
        to_python(py, &facts)
    }

    /// Runs the model and returns the data for `biela.results`.
    #[pyo3(signature = (options, statics, signals, film, folder, callbacks))]
    #[expect(clippy::too_many_arguments, reason = "one per part of the request")]
    fn run<'py>(
        &self,
        py: Python<'py>,
        options: [Option<String>; 7],
        statics: Option<(usize, usize, Option<f64>)>,
        signals: Option<Vec<String>>,
        film: Option<PathBuf>,
        folder: Option<(PathBuf, bool, Option<String>, bool)>,
        callbacks: (Option<Py<PyAny>>, Option<Py<PyAny>>),
    ) -> PyResult<Bound<'py, PyDict>> {
        let changes = changes(options);
        let mut job = self.load(py)?;
        if let Some(names) = signals {
            record(&mut job, &names).map_err(|text| failure(py, ExceptionKind::Option, text))?;
        }
        if statics.is_none() && job.study.is_none() && changes.to.is_none() {
            let text = format!(
                "{}: the model has no duration; pass the end time, run(to=\"2 s\"), or add study(duration=\"2 s\") to the model",
                self.name()
            );
            return Err(failure(py, ExceptionKind::Option, text));
        }
        let mut study = changes.study(&job).map_err(|e| option_error(py, &e))?;
        if let Some((start_points, load_steps, tolerance)) = statics {
            let written = match study.analysis {
                Analysis::Statics { tolerance, .. } => tolerance,
                _ => BALANCED,
            };
            let tolerance = tolerance.unwrap_or(written);
            if !BALANCES.contains(&tolerance) {
                let (least, most) = (BALANCES.start(), BALANCES.end());
                let text =
                    format!("tolerance is {tolerance}; it must be from {least:e} to {most:e}");
                return Err(failure(py, ExceptionKind::Option, text));
            }
            study.analysis = Analysis::Statics {
                start_points,
                load_steps,
                tolerance,
            };
        }
        let folder = folder
            .map(|folder| self.folder_request(folder, &study))
            .transpose()
            .map_err(|e| option_error(py, &e))?;
        let (progress, observer) = callbacks;
        if statics.is_none() {
            self.check_memory(py, &job, &study, observer.is_some())?;
        }
        let callbacks = Callbacks::new(progress, observer).filming(film, &study);
        run(py, self, job, &study, folder.as_ref(), callbacks)
    }

    /// A simulation that can be stepped; without signals it observes the recorded ones of the model.
    fn simulation(
        &self,
        py: Python<'_>,
        options: [Option<String>; 7],
        signals: Option<Vec<String>>,
    ) -> PyResult<Simulation> {
        let mut job = self.load(py)?;
        if let Some(names) = signals {
            record(&mut job, &names).map_err(|text| failure(py, ExceptionKind::Option, text))?;
        }
        let mut changes = changes(options);
        if job.study.is_none() && changes.to.is_none() {
            changes.to = Some(UNLIMITED.to_owned());
        }
        let study = changes.study(&job).map_err(|e| option_error(py, &e))?;
        if let Analysis::Statics { .. } = study.analysis {
            let text = format!(
                "{}: its analysis is statics, which cannot be stepped",
                self.name()
            );
            return Err(failure(py, ExceptionKind::Option, text));
        }
        let Job {
            model,
            outputs,
            description,
            parameters,
            ..
        } = job;
        let made = py.detach(|| {
            let assembled = biela::start(model, &study)?;
            let drawn = SteppedScene {
                scene: scene(&assembled, &description, &parameters),
                meshes: self.folder(),
            };
            let core = CoreSimulation::new(assembled, &study).map_err(RunError::Study)?;
            Ok((core, Arc::new(drawn)))
        });
        let (core, drawn) = made.map_err(|error| self.run_error(py, &error))?;
        let raised = self.raised.clone();
        let name = self.name();
        Ok(Simulation::new(name, core, outputs.channels, raised, drawn))
    }

    /// The linear model at an operating point: matrices, names and modes.
    fn linearize<'py>(
        &self,
        py: Python<'py>,
        at: &str,
        inputs: Vec<String>,
        outputs: Vec<String>,
        coordinates: Vec<String>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let at = match at {
            "start" => OperatingPoint::Start,
            "equilibrium" => OperatingPoint::Equilibrium,
            text => OperatingPoint::Time(biela::quantity(text, "s").map_err(|error| {
                let text = format!(
                    "at: {error}; use \"start\", \"equilibrium\" or a time such as \"2.5 s\""
                );
                failure(py, ExceptionKind::Option, text)
            })?),
        };
        let request = LinearModelRequest {
            inputs,
            outputs,
            coordinates,
        };
        let job = self.load(py)?;
        let linear = py
            .detach(|| biela::linearize(job, at, &request))
            .map_err(|error| {
                let text = format!("{}: {error}", self.name());
                match error {
                    LinearError::Start(error) => self.run_error(py, &error),
                    LinearError::Linearize(_) | LinearError::Study(_) => {
                        failure(py, ExceptionKind::Option, text)
                    }
                    _ => failure(py, ExceptionKind::Solver, text),
                }
            })?;
        linear_dict(py, &linear.model, &linear.modes, &linear.notes)
    }

    /// Formulas of the model, and notes on them.
    fn derive(
        &self,
        py: Python<'_>,
        form: &str,
        to: &str,
        symbols: Vec<String>,
        rotations: &str,
        speeds: Vec<String>,
    ) -> PyResult<(String, Vec<String>)> {
        let refuse = |what: &str, word: &str, known: &str| {
            let text = format!("no {what} is called `{word}`; use one of {known}");
            failure(py, ExceptionKind::Option, text)
        };
        let form = match form {
            "equations" => EquationForm::Equations,
            "mass" => EquationForm::Mass,
            "bias" => EquationForm::Bias,
            "gravity" => EquationForm::Gravity,
            "constraints" => EquationForm::Constraints,
            "kane" => EquationForm::Kane,
            "lagrange" => EquationForm::Lagrange,
            word => {
                let known = "equations, mass, bias, gravity, constraints, kane, lagrange";
                return Err(refuse("form", word, known));
            }
        };
        let target = match to {
            "text" => DerivationFormat::Text,
            "latex" => DerivationFormat::Latex,
            "rust" => DerivationFormat::Code(Language::Rust),
            "c" => DerivationFormat::Code(Language::C),
            "python" => DerivationFormat::Code(Language::Python),
            word => return Err(refuse("target", word, "text, latex, rust, c, python")),
        };
        let group = |word: &String| match word.as_str() {
            "masses" => Ok(SymbolGroup::Masses),
            "inertias" => Ok(SymbolGroup::Inertias),
            "lengths" => Ok(SymbolGroup::Lengths),
            "gravity" => Ok(SymbolGroup::Gravity),
            word => Err(refuse("group", word, "masses, inertias, lengths, gravity")),
        };
        let rotations = match rotations {
            "angles" => Rotations::Angles,
            "parameters" => Rotations::Parameters,
            word => {
                return Err(refuse(
                    "description of rotations",
                    word,
                    "angles, parameters",
                ));
            }
        };
        let request = derive::DerivationRequest {
            naming: Naming {
                groups: symbols.iter().map(group).collect::<PyResult<_>>()?,
                rotations,
            },
            form,
            target,
            speeds,
        };
        let derived =
            py.detach(|| self.with_file(|path| derive::derive(path, &self.set, &request)));
        match derived? {
            Ok(derived) => {
                let notes = derived.notes.iter().map(|note| in_python(note));
                Ok((derived.text, notes.collect()))
            }
            Err(DeriveError::Model(error)) => Err(model_error(py, &error)),
            Err(error) => Err(failure(py, ExceptionKind::Option, error)),
        }
    }

    /// The generalized forces of a reference motion of a robot.
    fn feedforward<'py>(
        &self,
        py: Python<'py>,
        trajectory: Option<String>,
        points: usize,
        to: Option<String>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let to = to.map(|text| biela::quantity(&text, "s")).transpose();
        let to = to.map_err(|error| option_error(py, &error.about("to")))?;
        let job = self.load(py)?;
        let history = py.detach(|| {
            let mut reference =
                biela::robot::RobotReference::of(&job.model, trajectory.as_deref())?;
            let times = reference.times(points, to)?;
            Ok(biela::robot::feedforward(&mut reference, &times))
        });
        let history = history.map_err(|error: WorkbenchError| match error {
            WorkbenchError::Run(error) => self.run_error(py, &error),
            error => failure(
                py,
                ExceptionKind::Option,
                format!("{}: {error}", self.name()),
            ),
        })?;
        let answer = PyDict::new(py);
        let columns: Vec<_> = history
            .columns
            .iter()
            .map(|c| (&c.name, &c.unit, &c.description))
            .collect();
        answer.set_item("channels", columns)?;
        let rows = history.times.len();
        let width = history.columns.len();
        let values = (0..rows * width).map(|k| history.values[k % width.max(1)][k / width.max(1)]);
        let data = PyArray1::from_vec(py, values.collect()).reshape([rows, width])?;
        answer.set_item("data", data)?;
        answer.set_item("time", PyArray1::from_vec(py, history.times))?;
        Ok(answer)
    }

    /// SHA-256 of the model and of all that it includes.
    fn digest(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.load(py)?.report.digest())
    }

    /// The exception of a Python function since the last call, with the name of the function.
    fn take_raised<'py>(&self, py: Python<'py>) -> Option<(String, Bound<'py, PyAny>)> {
        let (what, error) = self.raised.take()?;
        Some((what, error.into_value(py).into_bound(py).into_any()))
    }

    /// The tree of the model, for algorithms in joint coordinates.
    fn tree(&self, py: Python<'_>) -> PyResult<Tree> {
        let job = self.load(py)?;
        Tree::of(&job.model).map_err(|text| {
            failure(
                py,
                ExceptionKind::Option,
                format!("{}: {text}", self.name()),
            )
        })
    }
}

impl Document {
    /// Passes the model to a function as a file; a text is written to a temporary folder.
    fn with_file<R>(&self, act: impl FnOnce(&Path) -> R) -> PyResult<R> {
        match &self.source {
            ModelSource::File(path) => Ok(act(path)),
            ModelSource::Text { name, text, .. } => {
                let folder = biela_files::private_folder("biela-model-")?;
                let stem = Path::new(name).file_stem().unwrap_or_default();
                let path = folder.path().join(stem).with_extension("toml");
                biela_files::write(&path, text.as_bytes())?;
                Ok(act(&path))
            }
        }
    }
}

/// Converts rows of numbers to an array.
pub(crate) fn table(
    py: Python<'_>,
    values: Vec<f64>,
    rows: usize,
    columns: usize,
) -> PyResult<Bound<'_, PyArray2<f64>>> {
    PyArray1::from_vec(py, values).reshape([rows, columns])
}
